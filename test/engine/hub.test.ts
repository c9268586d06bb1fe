/** [test/engine] Models by hub id: downloads into the shared cache, offline mode, networks that fail, damaged files. The hub is a local one. */
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoadProgress } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { resolveModelFolder, resolveTokenizerFolder } from "../../engine/weights/hub.ts";
import { FakeHub } from "../support/fake-hub.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = "someone/tiny";

function filesOf(folder: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]),
  );
}

const sharded = filesOf(writeTinyModel({ shards: 3 }));
const extra = { "README.md": Buffer.from("# tiny"), "pytorch_model.bin": Buffer.alloc(50_000) };

let hub: FakeHub;
let cache: string;
let commit: string;
beforeEach(async () => {
  hub = await FakeHub.start(model);
  commit = hub.commit({ ...sharded, ...extra });
  cache = mkdtempSync(join(tmpdir(), "tilewright-hub-"));
  vi.stubEnv("HF_ENDPOINT", `${hub.url}/`);
  vi.stubEnv("HF_HUB_CACHE", cache);
  vi.stubEnv("HF_TOKEN", "");
  vi.stubEnv("HF_HUB_OFFLINE", "");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await hub.close();
  rmSync(cache, { recursive: true });
});

const repository = () => join(cache, "models--someone--tiny");
const snapshot = (sha = commit) => join(repository(), "snapshots", sha);

describe("a model by hub id", () => {
  it("is downloaded once, into the layout that Python's tools share, and runs", async () => {
    const progress: LoadProgress[] = [];
    const options = {
      model,
      device: "interpreter",
      onProgress: (p: LoadProgress) => progress.push(p),
    };
    const engine = await Engine.load(options);
    try {
      expect(engine.info).toMatchObject({ name: model, folder: snapshot() });
      const output = await lastOutput(engine.generate("abc", { maxTokens: 2, temperature: 0 }));
      expect(output.tokenIds).toHaveLength(2);
    } finally {
      await engine.close();
    }
    expect(readdirSync(snapshot()).sort()).toEqual(Object.keys(sharded).sort());
    expect([...hub.downloads].sort()).toEqual(Object.keys(sharded).sort());
    for (const [name, content] of Object.entries(sharded)) {
      expect(lstatSync(join(snapshot(), name)).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(snapshot(), name)).equals(content)).toBe(true);
    }
    expect(readFileSync(join(repository(), "refs/main"), "utf8")).toBe(commit);
    expect(readdirSync(join(repository(), "blobs"))).toHaveLength(Object.keys(sharded).length);
    const downloads = progress.filter(({ stage }) => stage === "download");
    const total = Object.values(sharded).reduce((n, { length }) => n + length, 0);
    expect(downloads.at(-1)).toEqual({ stage: "download", done: total, total });

    const { length } = hub.downloads;
    expect(await resolveModelFolder({ model })).toBe(snapshot());
    expect(hub.downloads).toHaveLength(length);
  });

  it("is downloaded without its weights where they are made up, or where it gives its tokenizer alone", async () => {
    const jinja = { "chat_template.jinja": Buffer.from("{{ messages[0].content }}") };
    commit = hub.commit({ ...sharded, ...jinja });
    const folder = await resolveModelFolder({ model, loadFormat: "dummy" });
    const isWeights = (name: string) => name.startsWith("model");
    const described = Object.keys({ ...sharded, ...jinja }).filter((name) => !isWeights(name));
    expect(readdirSync(folder).sort()).toEqual(described.sort());
    expect(await resolveTokenizerFolder({ model: "/none", tokenizer: model }, "/none")).toBe(
      folder,
    );
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    expect(await resolveModelFolder({ model, loadFormat: "dummy" })).toBe(folder);
    await expect(resolveModelFolder({ model })).rejects.toThrow("TW4231");
  });

  it("writes nothing to stdout while it downloads", async () => {
    const spies = [vi.spyOn(process.stdout, "write"), vi.spyOn(console, "debug")];
    await resolveModelFolder({ model });
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it("is taken at one commit, and a new commit costs only what changed", async () => {
    await resolveModelFolder({ model });
    const { length } = hub.downloads;
    const next = hub.commit({ ...sharded, "generation_config.json": Buffer.from('{"top_k": 5}') });
    expect(await resolveModelFolder({ model })).toBe(snapshot(next));
    expect(hub.downloads.slice(length)).toEqual(["generation_config.json"]);
    expect(readdirSync(snapshot(next))).toHaveLength(Object.keys(sharded).length + 1);
    expect(await resolveModelFolder({ model, revision: commit })).toBe(snapshot(commit));
  });

  it("is found by branch and tag", async () => {
    const tagged = hub.commit({ ...sharded }, "refs/pr/7");
    expect(await resolveModelFolder({ model, revision: "refs/pr/7" })).toBe(snapshot(tagged));
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    expect(await resolveModelFolder({ model, revision: "refs/pr/7" })).toBe(snapshot(tagged));
    await expect(resolveModelFolder({ model, revision: "other" })).rejects.toThrow("TW4231");
  });

  it("comes from the cache alone in offline mode, and only when it is whole", async () => {
    await resolveModelFolder({ model });
    const { length } = hub.log;
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    expect(await resolveModelFolder({ model })).toBe(snapshot());
    expect(hub.log).toHaveLength(length);
    rmSync(join(snapshot(), "model-00002-of-00003.safetensors"));
    await expect(resolveModelFolder({ model })).rejects.toThrow(/TW4231[\s\S]*HF_HUB_OFFLINE/);
    vi.stubEnv("HF_HUB_OFFLINE", "");
    expect(await resolveModelFolder({ model })).toBe(snapshot());
    expect(existsSync(join(snapshot(), "model-00002-of-00003.safetensors"))).toBe(true);
  });

  it("comes from the cache when the network or the hub fails", async () => {
    await resolveModelFolder({ model });
    hub.status = 503;
    expect(await resolveModelFolder({ model })).toBe(snapshot());
    await hub.close();
    expect(await resolveModelFolder({ model })).toBe(snapshot());
    rmSync(repository(), { recursive: true });
    await expect(resolveModelFolder({ model })).rejects.toThrow(/TW4231[\s\S]*HF_ENDPOINT/);
  });

  it.each([401, 403, 404])(
    "is refused with a hint at HF_TOKEN when the hub says %s",
    async (status) => {
      await resolveModelFolder({ model });
      hub.status = status;
      await expect(resolveModelFolder({ model })).rejects.toThrow(/TW4231[\s\S]*HF_TOKEN/);
    },
  );

  it("is asked for with the token of HF_TOKEN", async () => {
    vi.stubEnv("HF_TOKEN", "hf_secret");
    await resolveModelFolder({ model });
    expect([...hub.tokens]).toEqual(["Bearer hf_secret"]);
  });

  it("is refused when a file arrives damaged, and nothing of it stays", async () => {
    hub.damages = true;
    await expect(resolveModelFolder({ model })).rejects.toThrow("TW4232");
    expect(readdirSync(join(repository(), "blobs"))).toEqual([]);
    hub.damages = false;
    expect(await resolveModelFolder({ model })).toBe(snapshot());
  });

  it.each(["../../../secret.json", "", "0".repeat(39), `${"a".repeat(40)}/x`, "A".repeat(40)])(
    "is refused where the hub names a content '%s': the name would become a path",
    async (name) => {
      writeFileSync(join(cache, "secret.json"), "{}"); // what the first name would reach
      hub.contentName = name;
      await expect(resolveModelFolder({ model })).rejects.toThrow("TW4233");
      hub.contentName = undefined;
      hub.commitName = name;
      await expect(resolveModelFolder({ model })).rejects.toThrow("TW4233");
      expect(readdirSync(cache)).toEqual(["secret.json"]);
    },
  );

  it("is refused when the repository is none of a model", async () => {
    hub.commit(extra);
    await expect(resolveModelFolder({ model })).rejects.toThrow(/TW4231[\s\S]*no config.json/);
  });

  it("is downloaded by two processes at once without harm", async () => {
    const both = await Promise.all([resolveModelFolder({ model }), resolveModelFolder({ model })]);
    expect(both).toEqual([snapshot(), snapshot()]);
    for (const [name, content] of Object.entries(sharded))
      expect(readFileSync(join(snapshot(), name)).equals(content)).toBe(true);
  });
});
