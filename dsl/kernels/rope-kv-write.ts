/** [dsl/kernels] Rotary position embedding of queries and keys, with keys and values written to their page slots. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, out, scalar, tensor } from "../language.ts";
import { all, axis, cast, cdiv, floordiv, load, mod, pid, span, store } from "../ops/catalogue.ts";
import { CACHE_DTYPES, cacheScales, inBytes, inOwnDType, isDType } from "./cache-dtypes.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  editable,
  elementAt,
  hostTensor,
  intTensor,
  permutation,
  randomSource,
  randomTensor,
} from "./sample-data.ts";

/**
 * Rotates pairs (d, d + D2) of every query and key head by the angle of the token's position; dims from 2·D2 on and values are copied.
 * Slot s of the cache is (page s / PAGE, offset s mod PAGE). One program a token and block of heads.
 * @param qkv `[N, HT, D]`: HQ query heads, then HKV key heads, then HKV value heads; HT = HQ + 2·HKV
 * @param positions i32 `[N]`, rows of `cosSin`
 * @param cosSin f32 `[P, 2, D2]`, D2 ≤ D/2: cosines, then sines; all rope scalings are in this table
 * @param slots i32 `[N]`; -1 marks a padding row: its q is rotated, the cache is not touched
 * @param kScale keys in a cache of 8 bits are divided by it, values by `vScale`; not looked at for other caches
 * @returns q `[N, HQ, D]`; kCache and vCache `[NB, PAGE, HKV, D]` changed at the slots only, rounded to their dtype (f8e4m3 saturates at ±448)
 * @source arXiv 2104.09864 (RoFormer), in the half-split order of GPT-NeoX
 */
export const ropeKvWrite = kernel(
  {
    name: "rope_kv_write",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: {
      qkv: tensor("T", "N", "HT", "D"),
      positions: tensor("i32", "N"),
      cosSin: tensor("f32", "P", 2, "D2"),
      slots: tensor("i32", "N"),
      q: out("T", "N", "HQ", "D"),
      kCache: inout("C", "NB", "PAGE", "HKV", "D"),
      vCache: inout("C", "NB", "PAGE", "HKV", "D"),
      kScale: scalar("f32"),
      vScale: scalar("f32"),
    },
    config: { BH: 8 },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["D", "D2", "PAGE"],
    grid: ({ N, HQ, HKV }, { BH }) => [N, cdiv(HQ, BH) + cdiv(HKV, BH)],
  },
  (
    {
      qkv,
      positions,
      cosSin,
      slots,
      q,
      kCache,
      vCache,
      kScale,
      vScale,
      HQ,
      HKV,
      D,
      D2,
      PAGE,
      T,
      C,
    },
    { BH },
  ) => {
    const n = pid(0);
    const queryBlocks = cdiv(HQ, BH);
    const position = load(positions, [n]);
    const cos = load(cosSin, [position, 0, all(D2)]);
    const sin = load(cosSin, [position, 1, all(D2)]);
    const low = span(0, D2);
    const high = span(D2, D2);
    if (pid(1) < queryBlocks) {
      const heads = span(pid(1) * BH, BH, HQ);
      const x = cast(load(qkv, [n, heads, low]), "f32");
      const y = cast(load(qkv, [n, heads, high]), "f32");
      store(q, [n, heads, low], cast(x * cos - y * sin, T));
      store(q, [n, heads, high], cast(y * cos + x * sin, T));
      if (2 * D2 < D) {
        const rest = span(2 * D2, axis("rest", D - 2 * D2));
        store(q, [n, heads, rest], load(qkv, [n, heads, rest]));
      }
    } else {
      const slot = load(slots, [n]);
      if (slot >= 0) {
        const head = (pid(1) - queryBlocks) * BH;
        const page = floordiv(slot, PAGE);
        const offset = mod(slot, PAGE);
        const hasBytes = isDType(C, "f8e4m3");
        const stored = (x: number): number => (hasBytes ? x / kScale : x);
        const keys = span(HQ + head, BH, HQ + HKV);
        const x = cast(load(qkv, [n, keys, low]), "f32");
        const y = cast(load(qkv, [n, keys, high]), "f32");
        const heads = span(head, BH);
        store(kCache, [page, offset, heads, low], cast(stored(x * cos - y * sin), C));
        store(kCache, [page, offset, heads, high], cast(stored(y * cos + x * sin), C));
        if (2 * D2 < D) {
          const rest = span(2 * D2, axis("rest", D - 2 * D2));
          const z = load(qkv, [n, keys, rest]);
          store(
            kCache,
            [page, offset, heads, rest],
            cast(hasBytes ? cast(z, "f32") / kScale : z, C),
          );
        }
        const values = load(qkv, [n, span(HQ + HKV + head, BH, HQ + 2 * HKV), all(D)]);
        store(
          vCache,
          [page, offset, heads, all(D)],
          cast(hasBytes ? cast(values, "f32") / vScale : values, C),
        );
      }
    }
  },
);

function shape(tokens: number, hq: number, hkv: number, d: number, page: number, rotary = d) {
  return {
    N: tokens,
    HT: hq + 2 * hkv,
    HQ: hq,
    HKV: hkv,
    D: d,
    D2: rotary / 2,
    PAGE: page,
    NB: Math.ceil(tokens / page) + 2,
    P: 3 * tokens + 5,
  };
}

export const ROPE_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no tokens", seed: 1, dims: shape(0, 1, 1, 8, 4) },
  { name: "one token, no groups", seed: 2, dims: shape(1, 1, 1, 8, 4) },
  { name: "padding rows", seed: 3, dims: shape(7, 2, 1, 16, 4), options: { padding: 3 } },
  { name: "groups of 4, head dim 64", seed: 4, dims: shape(5, 8, 2, 64, 16) },
  { name: "groups of 7, head dim 80", seed: 5, dims: shape(3, 7, 1, 80, 16), config: { BH: 4 } },
  { name: "part of the head dim", seed: 7, dims: shape(3, 4, 2, 24, 4, 16) },
  {
    name: "heads past a block, head dim 128",
    seed: 6,
    dims: shape(3, 9, 9, 128, 4),
    options: { padding: 1 },
  },
];

/** Rows of qkv at random positions and in slots of their own, the last of them padding; caches hold nothing yet. */
export function ropeInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [dtype, cached] = [dtypeOf(problem, "T"), dtypeOf(problem, "C")];
  const [n, d2, p] = [dimOf(problem, "N"), dimOf(problem, "D2"), dimOf(problem, "P")];
  const [nb, page] = [dimOf(problem, "NB"), dimOf(problem, "PAGE")];
  const cache = [nb, page, dimOf(problem, "HKV"), dimOf(problem, "D")];
  const order = permutation(random, nb * page);
  const padding = problem.options?.["padding"] ?? 0;
  const isPadding = (i: number) => i >= n - padding;
  const positions = Array.from({ length: n }, () => random.integer(0, p));
  const used = new Set(positions);
  const angle = (row: number, i: number) => row * 10000 ** (-i / d2);
  return {
    tensors: {
      qkv: randomTensor(random, dtype, [n, dimOf(problem, "HT"), dimOf(problem, "D")]),
      positions: intTensor(positions),
      // Rows of positions that do not occur are poison.
      cosSin: hostTensor("f32", [p, 2, d2], (index) => {
        const row = Math.floor(index / (2 * d2));
        const theta = angle(row, index % d2);
        if (!used.has(row)) return Number.NaN;
        return index % (2 * d2) < d2 ? Math.cos(theta) : Math.sin(theta);
      }),
      slots: intTensor(Array.from({ length: n }, (_, i) => (isPadding(i) ? -1 : (order[i] ?? 0)))),
      kCache: hostTensor(cached, cache, () => Number.NaN),
      vCache: hostTensor(cached, cache, () => Number.NaN),
    },
    scalars: cacheScales(problem),
  };
}

/** A head of token `n`. */
type HeadOf = (n: number, head: number) => ArrayLike<number>;

/** One head of one token, rotated. */
function rotated(call: ReferenceCall, n: number, values: ArrayLike<number>): readonly number[] {
  const cosSin = tensorOf(call, "cosSin");
  const d2 = dimOf(call.problem, "D2");
  const row = elementAt(tensorOf(call, "positions"), n);
  return Array.from({ length: dimOf(call.problem, "D") }, (_, d) => {
    if (d >= 2 * d2) return values[d] ?? Number.NaN;
    const i = d % d2;
    const [cos, sin] = [elementAt(cosSin, row, 0, i), elementAt(cosSin, row, 1, i)];
    const [x, y] = [values[i] ?? Number.NaN, values[i + d2] ?? Number.NaN];
    return d < d2 ? x * cos - y * sin : y * cos + x * sin;
  });
}

/** Head of qkv as it is. */
export function headOfQkv(call: ReferenceCall, n: number, head: number): Float64Array {
  const { data, shape } = tensorOf(call, "qkv");
  const [, heads = 0, d = 0] = shape;
  return data.slice((n * heads + head) * d, (n * heads + head + 1) * d);
}

/** @param headOf query and key heads before they are rotated */
export function ropeReference(call: ReferenceCall, headOf: HeadOf) {
  const qkv = tensorOf(call, "qkv");
  const slots = tensorOf(call, "slots");
  const [hq, hkv, page] = [
    dimOf(call.problem, "HQ"),
    dimOf(call.problem, "HKV"),
    dimOf(call.problem, "PAGE"),
  ];
  const q = editable(tensorOf(call, "q"));
  const kCache = editable(tensorOf(call, "kCache"));
  const vCache = editable(tensorOf(call, "vCache"));
  slots.data.forEach((slot, n) => {
    for (let h = 0; h < hq; h++) q.setRow(rotated(call, n, headOf(n, h)), n, h);
    for (let h = 0; h < hkv && slot >= 0; h++) {
      const at = [Math.floor(slot / page), slot % page, h] as const;
      const key = rotated(call, n, headOf(n, hq + h)).map((x) => x / scalarOf(call, "kScale"));
      kCache.setRow(key, ...at);
      const width = dimOf(call.problem, "D");
      const vScale = scalarOf(call, "vScale");
      for (let d = 0; d < width; d++)
        vCache.set(elementAt(qkv, n, hq + hkv + h, d) / vScale, ...at, d);
    }
  });
  const rounding = { kind: "rounding" as const, length: 2, scale: 5 };
  return {
    q: { data: q.data, tolerance: rounding },
    kCache: { data: kCache.data, tolerance: rounding },
    vCache: { data: vCache.data, tolerance: { kind: "exact" as const } },
  };
}

/** Of qkv, the query and the caches, and the angles. */
export function ropeBytes(problem: Problem): number {
  const [n, d] = [dimOf(problem, "N"), dimOf(problem, "D")];
  const heads = storageBytes(dtypeOf(problem, "T"), n * dimOf(problem, "HT") * d);
  return 2 * heads + storageBytes("f32", n * d);
}

export const ropeKvWriteEntry = defineKernelEntry({
  kernel: ropeKvWrite,
  samples: [
    ...inBytes(["f32", "bf16"], ROPE_SHAPES.slice(-3)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], ROPE_SHAPES)),
  ],
  inputs: ropeInputs,
  reference: (call) => ropeReference(call, (n, head) => headOfQkv(call, n, head)),
  bytes: ropeBytes,
  flops: (problem) =>
    3 * dimOf(problem, "N") * (dimOf(problem, "HQ") + dimOf(problem, "HKV")) * dimOf(problem, "D"),
});
