/** [test/unit/runtime] The compile cache between processes: hits without the parser, races, changed sources, damaged entries. */
import { spawn } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { CachedCompile } from "../../support/cached-compile.ts";

const SCRIPT = fileURLToPath(new URL("../../support/cached-compile.ts", import.meta.url));
const DSL = new URL("../../../dsl/index.ts", import.meta.url).href;
const RMS_NORM = fileURLToPath(new URL("../../../dsl/kernels/rms-norm.ts", import.meta.url));
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-cached-"));
  folders.push(folder);
  return folder;
}

/** Compiles in a new process with `cache` as its cache folder. */
function compileIn(cache: string, file: string, name: string): Promise<CachedCompile> {
  const env = { ...process.env, TILEWRIGHT_CACHE_DIR: cache, NODE_OPTIONS: "", DEBUG: "" };
  const child = spawn(process.execPath, ["--import", "tsx", SCRIPT, file, name], { env });
  let [said, failed] = ["", ""];
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (failed += data));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(said) as CachedCompile);
      else reject(new Error(failed));
    });
  });
}

const entriesIn = (cache: string): readonly string[] =>
  readdirSync(join(cache, "kernels"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(cache, "kernels", name));

/** A kernel that captures a constant of another file. */
function writeProject(): { readonly kernel: string; readonly constants: string } {
  const folder = freshFolder();
  const [kernel, constants] = [join(folder, "kernel.ts"), join(folder, "constants.ts")];
  writeFileSync(constants, "export const FACTOR = 3;\n");
  writeFileSync(
    kernel,
    `import { kernel, load, out, pid, store, tensor, tile } from ${JSON.stringify(DSL)};
import { FACTOR } from "./constants.ts";
export const triple = kernel(
  { name: "triple", params: { x: tensor("f32", "N"), y: out("f32", "N") }, config: { B: 64 }, grid: ({ N }, { B }) => Math.ceil(N / B) },
  ({ x, y }, { B }) => {
    store(y, [tile(pid(0), B)], load(x, [tile(pid(0), B)]) * FACTOR);
  },
);
`,
  );
  return { kernel, constants };
}

describe("the compile cache", () => {
  it("gives a new process the artifact without the parser", async () => {
    const cache = freshFolder();
    const first = await compileIn(cache, RMS_NORM, "rmsNorm");
    expect([first.compiles, first.diskHits]).toEqual([1, 0]);
    expect(first.parserFiles).toBeGreaterThan(0);
    const second = await compileIn(cache, RMS_NORM, "rmsNorm");
    expect([second.compiles, second.diskHits, second.parserFiles]).toEqual([0, 1, 0]);
    expect(second.text).toBe(first.text);
    expect(second.ms).toBeLessThan(first.ms);
  });

  it("serves processes that compile the same kernel at one time", async () => {
    const cache = freshFolder();
    const both = await Promise.all([1, 2].map(() => compileIn(cache, RMS_NORM, "rmsNorm")));
    expect(both[0]?.hash).toBe(both[1]?.hash);
    expect(entriesIn(cache).length).toBe(1);
    const third = await compileIn(cache, RMS_NORM, "rmsNorm");
    expect([third.hash, third.diskHits]).toEqual([both[0]?.hash, 1]);
  });

  it("compiles again when a file that the kernel captures from has changed", async () => {
    const cache = freshFolder();
    const { kernel, constants } = writeProject();
    const first = await compileIn(cache, kernel, "triple");
    expect(first.text).toContain("3.0f");
    expect((await compileIn(cache, kernel, "triple")).diskHits).toBe(1);
    writeFileSync(constants, "export const FACTOR = 5;\n");
    const changed = await compileIn(cache, kernel, "triple");
    expect([changed.compiles, changed.diskHits]).toEqual([1, 0]);
    expect(changed.text).toContain("5.0f");
    expect(changed.hash).not.toBe(first.hash);
  });

  it("compiles again when the kernel's own file has changed", async () => {
    const cache = freshFolder();
    const { kernel } = writeProject();
    const first = await compileIn(cache, kernel, "triple");
    writeFileSync(kernel, readFileSync(kernel, "utf8").replace("* FACTOR", "+ FACTOR"));
    const changed = await compileIn(cache, kernel, "triple");
    expect(changed.compiles).toBe(1);
    expect(changed.hash).not.toBe(first.hash);
  });

  it("replaces an entry that is damaged", async () => {
    const cache = freshFolder();
    const { kernel } = writeProject();
    const first = await compileIn(cache, kernel, "triple");
    const [entry = ""] = entriesIn(cache);
    for (const damage of [() => truncateSync(entry, 100), () => writeFileSync(entry, "null")]) {
      damage();
      const again = await compileIn(cache, kernel, "triple");
      expect([again.compiles, again.hash]).toEqual([1, first.hash]);
      expect((await compileIn(cache, kernel, "triple")).diskHits).toBe(1);
    }
  });

  it("does without a folder that it cannot write", async () => {
    const place = join(freshFolder(), "file");
    writeFileSync(place, "");
    const { compiles } = await compileIn(join(place, "cache"), RMS_NORM, "rmsNorm");
    expect(compiles).toBe(1);
  });
});
