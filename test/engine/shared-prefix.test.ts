/** [test/engine] Decodes that read a shared beginning once give the tokens of those that read it for each sequence: forks, cached beginnings, captured and mixed steps. */
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { CoreDevice } from "../../runtime/index.ts";
import { CapturingBackend } from "../support/capturing-backend.ts";
import { tinyFolder } from "../support/hf-tiny.ts";
import { sharedFolder } from "../support/shared-models.ts";

const root = sharedFolder("shared beginnings", "fixtures/hf-tiny");

/** A system prompt of 18 pages and a part, and what comes behind it. */
const BEGINNING = Array.from({ length: 290 }, (_, i) => 3 + ((i * 7) % 90));
const PARAMS = { temperature: 1, seed: 3, ignoreEos: true, logprobs: 0 } as const;

type Serve = (engine: Engine) => Promise<readonly RequestOutput[]>;

/** Choices of one prompt. */
const forks: Serve = async (engine) =>
  (await new RequestGroup(engine, [BEGINNING], { ...PARAMS, n: 16, maxTokens: 6 }).finish()).flat();

/** Requests that find the beginning in the cache and end one after another, and others without it. */
const chats: Serve = async (engine) => {
  await new RequestGroup(engine, [BEGINNING], { ...PARAMS, maxTokens: 1 }).finish();
  const prompts = Array.from({ length: 20 }, (_, i) =>
    i % 7 === 3 ? [5 + i, 9] : [...BEGINNING.slice(0, 288 + (i % 3)), 10 + i, 20 + i],
  );
  const all = prompts.map((ids, i) =>
    new RequestGroup(engine, [ids], { ...PARAMS, seed: i, maxTokens: 3 + (i % 6) }).finish(),
  );
  return (await Promise.all(all)).flat();
};

async function run(model: string, serve: Serve, options: object) {
  const backend = new CapturingBackend();
  const device = new CoreDevice(backend);
  const launches = new Map<string, number>();
  const launch = device.launch.bind(device);
  device.launch = (kernel, ...rest) => {
    launches.set(kernel.name, (launches.get(kernel.name) ?? 0) + 1);
    launch(kernel, ...rest);
  };
  const engine = await Engine.load({
    model: tinyFolder(root ?? "", model as "llama"),
    device,
    dtype: "float32",
    maxModelLen: 400,
    maxNumSeqs: 24,
    numGpuBlocksOverride: 400,
    ...options,
  });
  try {
    const outputs = await serve(engine);
    const { sharedPositions } = engine.stats;
    return { outputs, count: (name: string) => launches.get(name) ?? 0, backend, sharedPositions };
  } finally {
    await engine.close();
    await device.close();
  }
}

const tokensOf = (outputs: readonly RequestOutput[]) => outputs.map(({ tokenIds }) => tokenIds);

describe.skipIf(root === undefined)("a shared beginning", () => {
  const OFF = { disableCascadeAttn: true };

  // Gemma 3 and gpt-oss have layers with a window beside those without, which find their pages in tables of their own; gpt-oss has sinks.
  it.each([
    ["llama", forks],
    ["llama", chats],
    ["gemma3", forks],
    ["gpt-oss", forks],
  ] as const)("of %s is read once, for the same tokens (%o)", async (model, serve) => {
    const plain = await run(model, serve, OFF);
    const shared = await run(model, serve, {});
    expect(tokensOf(shared.outputs)).toEqual(tokensOf(plain.outputs));
    expect([plain.count("shared_prefix_decode"), plain.sharedPositions]).toEqual([0, 0]);
    expect(shared.sharedPositions).toBeGreaterThan(4 * 288); // rows but one, whole pages
    expect(shared.sharedPositions % 288).toBe(0);
    expect(shared.count("shared_prefix_decode")).toBeGreaterThan(0);
    const merge = model === "gpt-oss" ? "shared_prefix_merge_sinks" : "shared_prefix_merge";
    for (const name of ["shared_suffix_decode", merge])
      expect(shared.count(name)).toBe(shared.count("shared_prefix_decode"));
    expect(shared.backend.replays).toBeGreaterThan(0);
  });

  it("is the same launch by launch as captured", async () => {
    const captured = await run("llama", chats, {});
    const eager = await run("llama", chats, { enforceEager: true });
    expect(eager.outputs.map(({ logprobs }) => logprobs)).toEqual(
      captured.outputs.map(({ logprobs }) => logprobs),
    );
  });

  it.each([
    ["mistral-swa", {}, "every layer has a window"],
    ["llama", { batchInvariant: true }, "bits must not depend on the batch"],
  ] as const)("of %s %o is not taken: %s", async (model, options, _why) => {
    const { count } = await run(model, forks, options);
    expect(count("shared_prefix_decode")).toBe(0);
  });
});
