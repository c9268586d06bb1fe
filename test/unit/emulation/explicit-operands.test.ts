/** [test/unit/emulation] Where operands of written products come from, attacked: one ring on both sides, both ways round, loads, panels, branches; emulated sm_90a beside the interpreter. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../codegen/compile.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import {
  all,
  barrier,
  barrierArrive,
  barrierExpect,
  barrierWait,
  cast,
  copyAsync,
  dotAsync,
  dotWait,
  type KernelDefinition,
  kernel,
  load,
  loadSlot,
  max,
  out,
  pid,
  range,
  rename,
  roles,
  shared,
  slot,
  slotBytes,
  some,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../../dsl/index.ts";
import { readTensor, tensorFrom } from "../../../index.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { openDevice } from "../../../runtime/index.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");
const params = {
  x: tensor("bf16", "M", "K"),
  w: tensor("bf16", "N", "K"),
  y: out("f32", "M", "N"),
};

/** x · wᵀ and w · xᵀ: both rings are rows of one product and columns of the other. */
const mirrored = kernel(
  {
    name: "mirrored",
    params: { ...params, z: out("f32", "N", "M") },
    config: { BM: 128, BN: 128, BK: 64, stages: 2 },
    grid: () => 1,
  },
  ({ x, w, y, z, K }, { BM, BN, BK, stages }) => {
    const xs = shared([BM, BK], "bf16", { stages });
    const ws = shared([BN, BK], "bf16", { stages });
    const full = barrier({ stages });
    const empty = barrier({ stages, arrivals: 2 });
    roles(
      {
        producer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(empty, n - stages);
            barrierExpect(full, n, slotBytes(xs) + slotBytes(ws));
            copyAsync(x, [tile(0, BM), span(k, BK)], xs, n, full);
            copyAsync(w, [tile(0, BN), span(k, BK)], ws, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          let there = zeros("f32", BM, BN);
          let back = zeros("f32", BN, BM);
          for (const _ of range(0, K, BK)) {
            barrierWait(full, n);
            there = dotAsync(slot(xs, n), slot(ws, n), there);
            back = dotAsync(slot(ws, n), slot(xs, n), back);
            there = dotWait(0, there);
            back = dotWait(0, back);
            barrierArrive(empty, n);
            n += 1;
          }
          store(y, [tile(0, BM), tile(0, BN)], there);
          store(z, [tile(0, BN), tile(0, BM)], back);
        },
      },
      { warpgroups: 2 },
    );
  },
);

/** Greater than any product in the rows of the first warp, and not than all in those of the others. */
const HOT = 13;

/** (x · wᵀ) · w: the columns of the first product are those of the second the other way round, its result the rows, read once more at the end. */
const there = kernel(
  {
    name: "there_and_back",
    params: { x: tensor("bf16", "M", "D"), w: tensor("bf16", "N", "D"), y: out("f32", "M", "D") },
    config: { BM: 64, BN: 32 },
    specialize: ["D"],
    grid: () => 1,
  },
  ({ x, w, y, N, D }, { BM, BN }) => {
    const xs = shared([BM, D], "bf16");
    const ws = shared([BN, D], "bf16", { stages: 2 });
    const rows = barrier();
    const full = barrier({ stages: 2 });
    const empty = barrier({ stages: 2 });
    roles({
      producer: () => {
        let n = 0;
        barrierExpect(rows, 0, slotBytes(xs));
        copyAsync(x, [tile(0, BM), all(D)], xs, 0, rows);
        for (const at of range(0, N, BN)) {
          barrierWait(empty, n - 2);
          barrierExpect(full, n, slotBytes(ws));
          copyAsync(w, [span(at, BN), all(D)], ws, n, full);
          n += 1;
        }
      },
      consumer: () => {
        let n = 0;
        barrierWait(rows, 0);
        const held = loadSlot(xs, 0);
        let acc = zeros("f32", BM, D);
        for (const at of range(0, N, BN)) {
          barrierWait(full, n);
          const s = dotWait(0, dotAsync(held, slot(ws, n)));
          let own = s;
          // A plain branch holds for all rows, also for those of warps that have no such row.
          if (some(max(s, "BN") > HOT, "BM")) own = s + 1;
          const weights = cast(at > 0 ? own * 2 : own, "bf16");
          acc = dotWait(0, dotAsync(weights, slot(ws, n), acc));
          acc = acc + cast(held, "f32");
          barrierArrive(empty, n);
          n += 1;
        }
        store(y, [tile(0, BM), all(D)], acc);
      },
    });
  },
);

/** x · wᵀ with rows that are loaded as any tile, those of the second next trip while this one's product runs: carried on, and added up besides or not. */
const loaded = kernel(
  { name: "loaded", params, config: { BM: 128, BN: 32, BK: 32, READS: 1 }, grid: () => 1 },
  ({ x, w, y, K }, { BM, BN, BK, READS }) => {
    const ws = shared([BN, BK], "bf16", { stages: 3 });
    const full = barrier({ stages: 3 });
    const empty = barrier({ stages: 3, arrivals: 2 });
    roles(
      {
        producer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(empty, n - 3);
            barrierExpect(full, n, slotBytes(ws));
            copyAsync(w, [tile(pid(0), BN), span(k, BK)], ws, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          let acc = zeros("f32", BM, BN);
          let rows = load(x, [tile(0, BM), span(0, BK)]);
          let next = load(x, [tile(0, BM), span(BK, BK)]);
          let seen = zeros("f32", BM, BK);
          for (const k of range(0, K, BK)) {
            barrierWait(full, n);
            const started = dotAsync(rows, slot(ws, n), acc);
            if (READS === 1) seen = seen + cast(rows, "f32");
            rows = next;
            next = load(x, [tile(0, BM), span(k + 2 * BK, BK)]);
            acc = dotWait(0, started);
            barrierArrive(empty, n);
            n += 1;
          }
          store(y, [tile(0, BM), span(0, BN)], acc + rename(seen, "BK", BN));
        },
      },
      { warpgroups: 2 },
    );
  },
);

const carried = { ...loaded, config: { ...loaded.config, READS: 0 } };

/** (w · xᵀ) · x by blocks of x, whose products are turned round in shared memory: rows of the second are columns of the first. */
const backward = kernel(
  {
    name: "backward",
    params: { x: tensor("bf16", "M", "D"), w: tensor("bf16", "N", "D"), y: out("f32", "N", "D") },
    config: { BM: 64, BN: 64, WG: 1, BLOCKS: 4 },
    specialize: ["D"],
    grid: () => 1,
  },
  ({ x, w, y, D }, { BM, BN, WG, BLOCKS }) => {
    const ws = shared([BN, D], "bf16");
    const xs = shared([BM, D], "bf16", { stages: 2 });
    const rows = barrier();
    const full = barrier({ stages: 2 });
    const empty = barrier({ stages: 2, arrivals: WG });
    roles(
      {
        producer: () => {
          let n = 0;
          barrierExpect(rows, 0, slotBytes(ws));
          copyAsync(w, [tile(0, BN), all(D)], ws, 0, rows);
          for (const i of range(BLOCKS)) {
            barrierWait(empty, n - 2);
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(i, BM), all(D)], xs, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          barrierWait(rows, 0);
          let acc = zeros("f32", BN, D);
          for (const _ of range(BLOCKS)) {
            barrierWait(full, n);
            const s = dotWait(0, dotAsync(slot(xs, n), slot(ws, 0)));
            acc = dotWait(0, dotAsync(cast(s, "bf16"), slot(xs, n), acc));
            barrierArrive(empty, n);
            n += 1;
          }
          store(y, [tile(0, BN), all(D)], acc);
        },
      },
      { warpgroups: WG },
    );
  },
);

type Shapes = Readonly<
  Record<string, readonly [dtype: "bf16" | "f32", rows: number, columns: number]>
>;

const CASES: readonly (readonly [string, KernelDefinition, Shapes])[] = [
  [
    "columns of one product as rows of the next",
    backward,
    { x: ["bf16", 200, 64], w: ["bf16", 60, 64], y: ["f32", 60, 64] },
  ],
  [
    "one slot on both sides",
    mirrored,
    { x: ["bf16", 120, 136], w: ["bf16", 104, 136], y: ["f32", 120, 104], z: ["f32", 104, 120] },
  ],
  [
    "one slot both ways round, rows in four panels",
    there,
    { x: ["bf16", 60, 256], w: ["bf16", 72, 256], y: ["f32", 60, 256] },
  ],
  [
    "rows from a load, carried and read",
    loaded,
    { x: ["bf16", 128, 104], w: ["bf16", 32, 104], y: ["f32", 128, 32] },
  ],
  [
    "rows from a load, carried alone",
    carried,
    { x: ["bf16", 128, 104], w: ["bf16", 32, 104], y: ["f32", 128, 32] },
  ],
];

describe.skipIf("reason" in emulation)("operands of written products", () => {
  it.each(CASES)("%s", async (_, definition, shapes) => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    const D = shapes["y"]?.[2] ?? 0;
    const { remarks } = compile(definition, {
      specialization: definition.specialize.length > 0 ? { dims: { D } } : {},
      divisibility: { K: 8, D: 8 },
      target,
    });
    expect(remarks.map(({ message }) => message).join("\n")).toContain("as written");
    const devices = [
      new CoreDevice(new EmulatedBackend(emulation, { target })),
      await openDevice("interpreter"),
    ];
    const results = [];
    for (const device of devices) {
      const args = Object.fromEntries(
        Object.entries(shapes).map(([name, [dtype, rows, columns]], t) => {
          const values = Float32Array.from({ length: rows * columns }, (_v, i) =>
            dtype === "f32" ? 7 : ((i * 37 + t * 11 + (i >> 3) + (i % 7) * (i >> 5)) % 3) - 1,
          );
          return [name, tensorFrom(device, dtype, [rows, columns], values)] as const;
        }),
      );
      device.launch(definition, args);
      const outputs = Object.values(args).filter(({ dtype }) => dtype === "f32");
      results.push(await Promise.all(outputs.map(async (y) => Array.from(await readTensor(y)))));
    }
    expect(results[0]).toEqual(results[1]);
    expect(new Set(results[1]?.flat()).size).toBeGreaterThan(3);
  });
});
