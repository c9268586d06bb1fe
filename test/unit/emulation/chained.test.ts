/** [test/unit/emulation] Two chained dots in warp roles, as text for sm_90a run on the CPU: whole and cut trips, no trips, windows, many programs a block. */
import { describe, expect, it } from "vitest";
import { compile, compileStages } from "../../../codegen/index.ts";
import { parseScheduled } from "../../../codegen/ir/parse-scheduled.ts";
import { parseThreadKernel } from "../../../codegen/ir/parse-thread.ts";
import { printScheduled } from "../../../codegen/ir/print-scheduled.ts";
import { printThreadKernel } from "../../../codegen/ir/print-thread.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import {
  all,
  atomicAdd,
  cast,
  cdiv,
  dot,
  exp2,
  full,
  inout,
  iota,
  kernel,
  load,
  max,
  maximum,
  minimum,
  out,
  pid,
  range,
  scalar,
  span,
  store,
  sum,
  tensor,
  where,
  zeros,
} from "../../../dsl/index.ts";
import { attention } from "../../../dsl/kernels/catalogue.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { emptyTensor, readTensor, tensorFrom } from "../../../runtime/index.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");

/** Keys of a window, rescaled in every trip, with bounds that may leave a program without any. */
const windowed = kernel(
  {
    name: "windowed",
    params: {
      q: tensor("bf16", "L", "D"),
      k: tensor("bf16", "LK", "D"),
      v: tensor("bf16", "LK", "D"),
      o: out("bf16", "L", "D"),
      window: scalar("i32"),
    },
    config: { BM: 64, BN: 64, stages: 2 },
    specialize: ["D"],
    grid: ({ L }, { BM }) => cdiv(L, BM),
  },
  ({ q, k, v, o, window, L, LK, D }, { BM, BN, stages }) => {
    const m0 = pid(0) * BM;
    const first = LK - L + m0;
    const qpos = first + iota(BM);
    const qt = load(q, [span(m0, BM), all(D)]);
    let m = full("f32", -1e30, BM);
    let l = zeros("f32", BM);
    let acc = zeros("f32", BM, D);
    const begin = maximum(cdiv(first - window + 1, BN) - 1, 0) * BN;
    for (const n of range(begin, minimum(LK, first + BM), BN, { stages })) {
      const kpos = n + iota(BN);
      const kt = load(k, [span(n, BN), all(D)]);
      const s = where(kpos <= qpos && kpos > qpos - window, dot(qt, kt) * 0.2, -Infinity);
      const top = maximum(m, max(s, "BN"));
      const p = exp2(s - top);
      const alpha = exp2(m - top);
      l = l * alpha + sum(p, "BN");
      const vt = load(v, [span(n, BN), all(D)]);
      acc = dot(cast(p, "bf16"), vt, acc * alpha);
      m = top;
    }
    store(o, [span(m0, BM), all(D)], cast(acc * (1 / maximum(l, 1e-30)), "bf16"));
  },
);

/** Counts its programs, and takes a trip in each. */
const counting = kernel(
  {
    name: "counting",
    params: {
      q: tensor("bf16", "L", "D"),
      k: tensor("bf16", "LK", "D"),
      v: tensor("bf16", "LK", "D"),
      o: out("f32", "L", "D"),
      programs: inout("i32", "ONE"),
    },
    config: { BM: 64, BN: 64, stages: 2 },
    specialize: ["D"],
    grid: ({ L }, { BM }) => cdiv(L, BM),
  },
  ({ q, k, v, o, programs, LK, D }, { BM, BN, stages }) => {
    atomicAdd(programs, [0], 1);
    const rows = span(pid(0) * BM, BM);
    const qt = load(q, [rows, all(D)]);
    let acc = zeros("f32", BM, D);
    for (const n of range(0, maximum(LK, 1), BN, { stages })) {
      const p = cast(dot(qt, load(k, [span(n, BN), all(D)])), "bf16");
      acc = dot(p, load(v, [span(n, BN), all(D)]), acc);
    }
    store(o, [rows, all(D)], acc);
  },
);

/** Values of bf16, the same each time. */
function values(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.round((state / 0x7fffffff - 0.5) * 256) / 64;
  });
}

interface Rows {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
}

/** Attention of a query over keys [from, to), as plain loops. `at`: which row of keys key t is. */
function attend(
  { q, k, v }: Rows,
  row: number,
  [from, to]: readonly [number, number],
  at: (t: number) => number,
  { D, DV, scale }: { readonly D: number; readonly DV: number; readonly scale: number },
): number[] {
  const scores = Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    let s = 0;
    for (let c = 0; c < D; c++) s += (q[row * D + c] ?? 0) * (k[at(from + i) * D + c] ?? 0);
    return s * scale;
  });
  const top = Math.max(...scores);
  const weights = scores.map((s) => Math.exp(s - top));
  const total = weights.reduce((a, b) => a + b, 0);
  return Array.from({ length: DV }, (_, c) =>
    scores.length === 0
      ? 0
      : weights.reduce((a, w, i) => a + w * (v[at(from + i) * DV + c] ?? 0), 0) / total,
  );
}

/** bf16 has 8 bits, and what is averaged is at most 2. */
const TOLERANCE = 0.02;

describe.skipIf("reason" in emulation)("chained dots in roles", () => {
  if ("reason" in emulation) throw new Error(emulation.reason);
  const device = new CoreDevice(new EmulatedBackend(emulation, { target }));

  it("are chosen for attention, with programs by a counter and trips without masks", () => {
    const { remarks, params, persistent } = compile(attention, {
      specialization: {
        dtypes: { T: "bf16" },
        config: { BM: 128, BN: 128 },
        dims: { D: 128, DV: 128 },
      },
      target,
    });
    const said = remarks.map(({ message }) => message).join("\n");
    expect(persistent).toBeDefined();
    expect(params.some(({ kind }) => kind === "counter")).toBe(true);
    expect(said).toContain("2 warpgroups multiply while one thread copies, 3 and 2 slots");
    expect(said).toContain("trips that no mask cuts run without it");
    expect(said).toContain("each program begins before the last dot of the one before is over");
  });

  it("read back from their text, at both levels", () => {
    const { scheduled, thread } = compileStages(attention, {
      specialization: { dtypes: { T: "f16" }, config: { BM: 64, BN: 64 }, dims: { D: 64, DV: 64 } },
      target,
    });
    expect(printScheduled(parseScheduled(scheduled), { locations: true })).toBe(scheduled);
    const text = printThreadKernel(parseThreadKernel(thread));
    expect(text).toContain("counted");
    expect(printThreadKernel(parseThreadKernel(text))).toBe(text);
  });

  it.each([
    // B, L, LK, HQ, HKV, D, DV, BM, BN, CAUSAL, heads, dtype
    [1, 128, 128, 1, 1, 64, 64, 64, 64, 1, 0, "bf16"],
    [1, 300, 300, 2, 1, 64, 64, 128, 64, 1, 0, "f16"],
    [2, 200, 200, 2, 1, 128, 128, 128, 128, 1, 1, "bf16"],
    [1, 130, 200, 2, 2, 64, 64, 64, 64, 0, 0, "bf16"],
    [1, 70, 260, 1, 1, 128, 128, 64, 128, 1, 0, "bf16"],
    [1, 5, 0, 1, 1, 64, 64, 64, 64, 0, 0, "bf16"],
    [1, 70, 70, 1, 1, 80, 96, 64, 64, 1, 0, "bf16"],
    [1, 150, 210, 2, 1, 256, 256, 128, 64, 1, 0, "bf16"],
    [1, 130, 130, 1, 1, 192, 128, 128, 112, 1, 0, "bf16"],
    [1, 200, 330, 2, 1, 64, 64, 192, 128, 1, 0, "bf16"],
    [2, 193, 250, 1, 1, 96, 80, 192, 96, 0, 0, "f16"],
  ] as const)(
    "attention %i × %i of %i, heads %i of %i, %i and %i: %i × %i causal %i, %i together, %s",
    async (...sizes) => {
      const [B, L, LK, HQ, HKV, D, DV, BM, BN, CAUSAL, heads, dtype] = sizes;
      const rows = {
        q: values(B * L * HQ * D, 1),
        k: values(B * LK * HKV * D, 2),
        v: values(B * LK * HKV * DV, 3),
      };
      const q = tensorFrom(device, dtype, [B, L, HQ, D], rows.q);
      const k = tensorFrom(device, dtype, [B, LK, HKV, D], rows.k);
      const v = tensorFrom(device, dtype, [B, LK, HKV, DV], rows.v);
      const o = emptyTensor(device, dtype, [B, L, HQ, DV]);
      const scale = 2 / Math.sqrt(D);
      const config = { BM, BN, CAUSAL, heads, stages: 2 };
      device.launch(attention, { q, k, v, o, scale }, { config });
      const got = await readTensor(o);
      let worst = 0;
      for (let b = 0; b < B; b++)
        for (let i = 0; i < L; i++)
          for (let h = 0; h < HQ; h++) {
            const kv = Math.floor(h / (HQ / HKV));
            const end = CAUSAL === 1 ? LK - L + i + 1 : LK;
            const row = (b * L + i) * HQ + h;
            const at = (t: number): number => (b * LK + t) * HKV + kv;
            const expected = attend(rows, row, [0, end], at, { D, DV, scale });
            for (const [c, x] of expected.entries())
              worst = Math.max(worst, Math.abs(x - (got[row * DV + c] ?? Number.NaN)));
          }
      expect(worst).toBeLessThan(TOLERANCE);
    },
  );

  it("does what has an effect once a program, however many a block takes", async () => {
    const [L, LK, D] = [700, 64, 64];
    const given = (rows: number, seed: number) =>
      tensorFrom(device, "bf16", [rows, D], values(rows * D, seed));
    const programs = tensorFrom(device, "i32", [1], new Int32Array(1));
    const o = emptyTensor(device, "f32", [L, D]);
    device.launch(counting, { q: given(L, 7), k: given(LK, 8), v: given(LK, 9), o, programs });
    expect([...(await readTensor(programs))]).toEqual([Math.ceil(L / 64)]);
  });

  it.each([
    [200, 200, 50, 64],
    [130, 260, 1000, 64],
    [64, 64, 0, 64],
    [130, 130, 50, 256],
  ])("%i rows of %i keys in a window of %i, head dim %i", async (L, LK, window, D) => {
    const rows = { q: values(L * D, 4), k: values(LK * D, 5), v: values(LK * D, 6) };
    const q = tensorFrom(device, "bf16", [L, D], rows.q);
    const k = tensorFrom(device, "bf16", [LK, D], rows.k);
    const v = tensorFrom(device, "bf16", [LK, D], rows.v);
    const o = emptyTensor(device, "bf16", [L, D]);
    device.launch(windowed, { q, k, v, o, window });
    const got = await readTensor(o);
    let worst = 0;
    for (let i = 0; i < L; i++) {
      const end = LK - L + i + 1;
      const range = [Math.max(0, end - window), end] as const;
      const expected = attend(rows, i, range, (t) => t, { D, DV: D, scale: 0.2 * Math.LN2 });
      for (const [c, x] of expected.entries())
        worst = Math.max(worst, Math.abs(x - (got[i * D + c] ?? Number.NaN)));
    }
    expect(worst).toBeLessThan(TOLERANCE);
  });
});
