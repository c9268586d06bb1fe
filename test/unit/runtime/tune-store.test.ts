/** [test/unit/runtime] What is kept of tuning: files beside other processes, what a result is tied to, and which config a launch gets of it. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type KernelDefinition, kernelFromSource, lowerKernel } from "../../../dsl/index.ts";
import { linear, siluAndMul } from "../../../dsl/kernels/catalogue.ts";
import { ConfigChoice } from "../../../runtime/autotune/choice.ts";
import {
  deviceName,
  findHash,
  kernelHash,
  rememberHash,
} from "../../../runtime/autotune/identity.ts";
import {
  type ConfigRecord,
  type StoredWinner,
  type TuningKey,
  TuningStore,
  winnerOf,
} from "../../../runtime/autotune/records.ts";
import { configKey } from "../../../runtime/autotune/space.ts";
import type { TunedConfig } from "../../../runtime/autotune/store.ts";
import { TuneBook } from "../../../runtime/autotune/tune-book.ts";
import { DiskCache } from "../../../runtime/disk-cache.ts";

const KEY: TuningKey = {
  kernel: "k",
  hash: "0123456789abcdef0123",
  device: "cuda-nvidia-h200",
  dtypes: { T: "bf16" },
  bucket: "N64",
};
const timed = (config: Readonly<Record<string, number>>, us: number): ConfigRecord => ({
  config,
  status: "timed",
  us: { median: us, p20: us, p80: us, count: 9 },
  made: "now",
});
const folder = () => mkdtempSync(join(tmpdir(), "tilewright-tuning-"));
const open = (path: string) => new TuningStore(new DiskCache(path, 2 ** 24));

describe("the finals of a run", () => {
  it("hold the config that launches take so far, which may be slow alone and the best in layers", () => {
    const store = open(folder());
    const inLayers = (record: ConfigRecord, us: number): ConfigRecord => ({
      ...record,
      final: { mode: "layers", us: { median: us, p20: us, p80: us, count: 5 } },
    });
    const records = [inLayers(timed({ B: 1 }, 5), 10), inLayers(timed({ B: 2 }, 20), 7)];
    store.add(KEY, { N: 64 }, records);
    const bookOf = (incumbent?: string) =>
      new TuneBook(store, KEY, { N: 64 }, "now", { again: false, incumbent });
    expect(bookOf().finalists.map(({ config }) => config)).toEqual([{ B: 1 }]);
    expect(bookOf().choose()?.config).toEqual({ B: 1 });
    const book = bookOf(configKey({ B: 2 }));
    expect(book.finalists.map(({ config }) => config)).toEqual([{ B: 1 }, { B: 2 }]);
    expect(book.choose()?.config).toEqual({ B: 2 });
  });
});

describe("a store of tuning results", () => {
  it("keeps the latest record of each config and the winner, for other processes", () => {
    const path = folder();
    const store = open(path);
    store.add(KEY, { N: 64 }, [timed({ B: 1 }, 5), timed({ B: 2 }, 7)]);
    store.add(KEY, { N: 64 }, [timed({ B: 1 }, 4), { winner: { B: 1 }, us: 4, made: "now" }]);
    const { configs, winner, header } = open(path).read(KEY);
    expect([...configs.keys()]).toEqual([configKey({ B: 1 }), configKey({ B: 2 })]);
    expect(configs.get(configKey({ B: 1 }))?.us?.median).toBe(4);
    expect(winner?.winner).toEqual({ B: 1 });
    expect(header).toMatchObject({ ...KEY, dims: { N: 64 } });
    expect(open(path).read({ ...KEY, bucket: "N128" }).configs.size).toBe(0);
    expect(readdirSync(path)).toEqual(["k-0123456789abcdef-cuda-nvidia-h200-T.bf16-N64.jsonl"]);
  });

  it("loses one line alone where a process dies while it writes", () => {
    const path = folder();
    open(path).add(KEY, { N: 64 }, [timed({ B: 1 }, 5)]);
    const [name = ""] = readdirSync(path);
    appendFileSync(join(path, name), '{"config":{"B":3},"status":"tim');
    open(path).add(KEY, { N: 64 }, [timed({ B: 2 }, 3)]);
    expect([...open(path).read(KEY).configs.keys()]).toEqual(['{"B":1}', '{"B":2}']);
  });

  it("takes what many processes add at once", () => {
    const path = folder();
    const script = join(path, "writer.mts");
    const module = JSON.stringify(resolve("runtime/autotune/records.ts"));
    const cache = JSON.stringify(resolve("runtime/disk-cache.ts"));
    writeFileSync(
      script,
      `import { fork } from "node:child_process";
       import { TuningStore } from ${module};
       import { DiskCache } from ${cache};
       const key = ${JSON.stringify(KEY)};
       const at = process.argv[2];
       if (at === undefined) for (const n of ["0", "1", "2"]) fork(process.argv[1], [n]);
       else {
         const store = new TuningStore(new DiskCache(${JSON.stringify(join(path, "t"))}, 2 ** 20));
         for (let i = 0; i < 40; i++)
           store.add(key, { N: 64 }, [{ config: { A: Number(at), i }, status: "failed", reason: "x".repeat(500), made: "now" }]);
       }`,
    );
    execFileSync(process.execPath, ["--import", "tsx", script]);
    expect(open(join(path, "t")).read(KEY).configs.size).toBe(120);
  });

  it("writes a file anew that has grown past its bound", () => {
    const path = folder();
    const store = open(path);
    const reason = "x".repeat(60_000);
    for (let i = 0; i < 20; i++)
      store.add(KEY, { N: 64 }, [{ config: { B: 1 }, status: "failed", reason, made: `${i}` }]);
    expect(store.read(KEY).configs.get('{"B":1}')?.made).toBe("19");
    const [name = ""] = readdirSync(path);
    expect(readFileSync(join(path, name)).byteLength).toBeLessThan(70_000);
    expect(store.read(KEY).header?.kernel).toBe("k");
  });

  it("has the fastest so far for a winner where a run was interrupted", () => {
    const store = new TuningStore();
    store.add(KEY, { N: 64 }, [
      timed({ B: 1 }, 5),
      timed({ B: 2 }, 3),
      { config: { B: 4 }, status: "wrong", reason: "differs", made: "now" },
    ]);
    expect(winnerOf(store.read(KEY))).toEqual({ B: 2 });
    expect(store.winners(KEY)).toEqual([
      { dims: { N: 64 }, dtypes: { T: "bf16" }, bucket: "N64", config: { B: 2 } },
    ]);
    expect(store.winners({ ...KEY, hash: "another" })).toEqual([]);
    expect([store.knows("k"), store.knows("other")]).toEqual([true, false]);
  });
});

describe("what a result is tied to", () => {
  const source = (tune: string, body: string, note = "") =>
    kernelFromSource(
      `import { cdiv, kernel, load, out, pid, store, tensor, tile } from "tilewright";
       ${note}
       export const k = kernel(
         { name: "k", params: { x: tensor("f32", "N"), y: out("f32", "N") }, config: { B: 64 },
           tune: { B: ${tune} }, grid: ({ N }, { B }) => cdiv(N, B) },
         ({ x, y }, { B }) => { const at = tile(pid(0), B); store(y, [at], ${body}); });`,
      "k",
    );
  const hash = (kernel: KernelDefinition) => kernelHash(kernel, lowerKernel(kernel, {}));

  it("is what the kernel computes, not its lists of values, its comments or its place", () => {
    const plain = hash(source("[64]", "load(x, [at]) * 2"));
    expect(hash(source("[32, 64, 128]", "load(x, [at]) * 2", "// a note\n\n"))).toBe(plain);
    expect(hash(source("[64]", "load(x, [at]) * 3"))).not.toBe(plain);
  });

  it("is found without a parser while the files are as they were", () => {
    const store = new TuningStore();
    const files = new Map([["a.ts", "1"]]);
    let parsed = 0;
    const sources = {
      identify: () => ({ hash: files.get("a.ts"), line: 1 }),
      hashOfFile: (file: string) => files.get(file),
    };
    const given = { ...siluAndMul, name: "k" };
    const lowered = lowerKernel(siluAndMul, { dtypes: { T: "f32" } });
    expect(findHash(store, sources, given, {})).toBeUndefined(); // nothing is known of it: nothing is read
    const hashed = rememberHash(store, sources, given, {
      hir: lowered.hir,
      dependencies: [{ file: "a.ts", sha256: "1" }],
    });
    const strict = new Proxy(given, {
      get: (target, property, receiver) => {
        if (property === "site") parsed++;
        return Reflect.get(target, property, receiver);
      },
    });
    expect(findHash(store, sources, strict, { dtypes: { T: "f32" } })).toBe(hashed);
    expect(parsed).toBe(0);
  });

  it("is the device by name", () => {
    expect(deviceName({ driver: "cuda", name: "NVIDIA H200" })).toBe("cuda-nvidia-h200");
    expect(deviceName({ driver: "webgpu", name: "  a/b (c) " })).toBe("webgpu-a-b-c");
  });
});

describe("a launch without a config", () => {
  const names = { dims: ["M", "N", "K"], dtypes: ["T", "O"] };
  const BF16 = ["bf16", "bf16"] as const;
  const config = (BM: number) => ({ ...linear.config, BM });
  const winner = (M: number, N: number, BM: number): StoredWinner => ({
    dims: { M, N, K: 64 },
    dtypes: { T: "bf16", O: "bf16" },
    bucket: `K64,M${M},N${N}`,
    config: config(BM),
  });
  const exact = (M: number, BM: number): TunedConfig => ({
    dims: { M: [M, M], N: [64, 64], K: [64, 64] },
    config: { BM },
  });
  const rule: TunedConfig = { dims: { M: [1, 200] }, config: { BM: 128 } };

  function chosen(
    table: readonly TunedConfig[],
    winners: readonly StoredWinner[],
    M: number,
    dtypes: readonly ("bf16" | "f16")[] = BF16,
  ) {
    const choice = new ConfigChoice(linear, names, table, () => winners);
    return choice.choose(Int32Array.of(M, 64, 64), dtypes)?.config["BM"];
  }

  it("gets what was measured here, then elsewhere, then near, then by rule, then far", () => {
    const here = [winner(64, 64, 16)];
    const table = [rule, exact(64, 32), exact(96, 64)];
    expect(chosen(table, here, 64)).toBe(16); // this bucket on this device
    expect(chosen(table, [], 64)).toBe(32); // a table's exact size
    expect(chosen(table, here, 72)).toBe(16); // within half a doubling
    expect(chosen(table, [], 88)).toBe(64); // the nearest exact size of a table
    expect(chosen(table, here, 20)).toBe(128); // farther than that a rule is better
    expect(chosen([], here, 256)).toBe(16); // and without a rule what is far
    expect(chosen([], here, 2048)).toBeUndefined(); // too far
  });

  it("gets nothing that was measured with other dtypes, or that the kernel rules out", () => {
    expect(chosen([], [winner(64, 64, 16)], 64, ["f16", "f16"])).toBeUndefined();
    const unfit = { ...winner(64, 64, 16), config: { ...config(128), BN: 1024 } };
    expect(chosen([], [unfit], 64)).toBeUndefined();
    expect(chosen([], [{ ...winner(64, 64, 16), config: { Q: 1 } }], 64)).toBeUndefined();
  });

  it("asks the store once, and remembers each answer until it is told to forget", () => {
    let asked = 0;
    let winners: readonly StoredWinner[] = [winner(64, 64, 16)];
    const choice = new ConfigChoice(linear, names, [], () => {
      asked++;
      return winners;
    });
    const dims = Int32Array.of(64, 64, 64);
    const first = choice.choose(dims, BF16);
    dims[0] = 72;
    const other = choice.choose(dims, BF16);
    dims[0] = 64;
    expect(choice.choose(dims, BF16)).toBe(first);
    expect(other?.name).toBe(first?.name); // equal configs share a plan
    expect(asked).toBe(1);
    winners = [winner(64, 64, 32)];
    choice.refresh();
    expect(choice.choose(dims, BF16)?.config["BM"]).toBe(32);
    expect(choice.choose(dims, BF16)?.name).not.toBe(first?.name);
  });
});
