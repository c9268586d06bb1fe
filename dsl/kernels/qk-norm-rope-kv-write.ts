/** [dsl/kernels] As rope-kv-write.ts, with the RMS norm of each query and key head on the way. The norm alone is in qk-norm.ts. */
import { inout, kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  axis,
  cast,
  cdiv,
  floordiv,
  load,
  mod,
  pid,
  rsqrt,
  span,
  store,
  sum,
} from "../ops/catalogue.ts";
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
import { normalizeRow, weightOffset } from "./rms-norm.ts";
import { headOfQkv, ROPE_SHAPES, ropeBytes, ropeInputs, ropeReference } from "./rope-kv-write.ts";
import { randomSource, randomTensor } from "./sample-data.ts";

/**
 * Every query head is normalised, in f32, then rotated and written as `ropeKvWrite` does, rounded once.
 * Values are copied as they are. One program a token and block of heads.
 * @param qkv `[N, HT, D]`: HQ query heads, then HKV key heads, then HKV value heads; HT = HQ + 2·HKV
 * @param w `[2, D]`: weights of query heads, then of key heads; config OFFSET is added to both, in f32
 * @param positions i32 `[N]`, rows of `cosSin`
 * @param cosSin f32 `[P, 2, D2]`, D2 ≤ D/2: cosines, then sines
 * @param slots i32 `[N]`; -1 marks a padding row: its q is made, the cache is not touched
 * @param kScale as there, and vScale
 * @param eps added to the mean square of each head
 * @returns q `[N, HQ, D]`; kCache and vCache `[NB, PAGE, HKV, D]` changed at the slots only
 * @source arXiv 2505.09388 (Qwen3 technical report: QK-Norm); arXiv 2104.09864 (RoFormer)
 */
export const qkNormRopeKvWrite = kernel(
  {
    name: "qk_norm_rope_kv_write",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: {
      qkv: tensor("T", "N", "HT", "D"),
      w: tensor("T", 2, "D"),
      positions: tensor("i32", "N"),
      cosSin: tensor("f32", "P", 2, "D2"),
      slots: tensor("i32", "N"),
      q: out("T", "N", "HQ", "D"),
      kCache: inout("C", "NB", "PAGE", "HKV", "D"),
      vCache: inout("C", "NB", "PAGE", "HKV", "D"),
      kScale: scalar("f32"),
      vScale: scalar("f32"),
      eps: scalar("f32"),
    },
    config: { BH: 8, OFFSET: 0 },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["D", "D2", "PAGE"],
    grid: ({ N, HQ, HKV }, { BH }) => [N, cdiv(HQ, BH) + cdiv(HKV, BH)],
  },
  (
    {
      qkv,
      w,
      positions,
      cosSin,
      slots,
      q,
      kCache,
      vCache,
      kScale,
      vScale,
      eps,
      HQ,
      HKV,
      D,
      D2,
      PAGE,
      T,
      C,
    },
    { BH, OFFSET },
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
      const a = cast(load(qkv, [n, heads, low]), "f32");
      const b = cast(load(qkv, [n, heads, high]), "f32");
      let square = sum(a * a + b * b, "D2");
      if (2 * D2 < D) {
        const rest = span(2 * D2, axis("rest", D - 2 * D2));
        const c = cast(load(qkv, [n, heads, rest]), "f32");
        square = square + sum(c * c, "rest");
      }
      const scale = rsqrt(square / D + eps);
      const x = a * scale * (cast(load(w, [0, low]), "f32") + OFFSET);
      const y = b * scale * (cast(load(w, [0, high]), "f32") + OFFSET);
      store(q, [n, heads, low], cast(x * cos - y * sin, T));
      store(q, [n, heads, high], cast(y * cos + x * sin, T));
      if (2 * D2 < D) {
        const rest = span(2 * D2, axis("rest", D - 2 * D2));
        const c = cast(load(qkv, [n, heads, rest]), "f32");
        const weight = cast(load(w, [0, rest]), "f32") + OFFSET;
        store(q, [n, heads, rest], cast(c * scale * weight, T));
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
        const heads = span(head, BH);
        const a = cast(load(qkv, [n, keys, low]), "f32");
        const b = cast(load(qkv, [n, keys, high]), "f32");
        let square = sum(a * a + b * b, "D2");
        if (2 * D2 < D) {
          const rest = span(2 * D2, axis("rest", D - 2 * D2));
          const c = cast(load(qkv, [n, keys, rest]), "f32");
          square = square + sum(c * c, "rest");
        }
        const scale = rsqrt(square / D + eps);
        const x = a * scale * (cast(load(w, [1, low]), "f32") + OFFSET);
        const y = b * scale * (cast(load(w, [1, high]), "f32") + OFFSET);
        store(kCache, [page, offset, heads, low], cast(stored(x * cos - y * sin), C));
        store(kCache, [page, offset, heads, high], cast(stored(y * cos + x * sin), C));
        if (2 * D2 < D) {
          const rest = span(2 * D2, axis("rest", D - 2 * D2));
          const c = cast(load(qkv, [n, keys, rest]), "f32");
          const weight = cast(load(w, [1, rest]), "f32") + OFFSET;
          store(kCache, [page, offset, heads, rest], cast(stored(c * scale * weight), C));
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

/** Sizes at which this kernel may differ from the one without norms, which runs at all of them. */
const SHAPES = ROPE_SHAPES.filter(({ name }) =>
  ["padding rows", "groups of 7, head dim 80", "part of the head dim"].includes(name),
);
const OFFSET_SHAPES = SHAPES.slice(-1).map((shape) => ({
  ...shape,
  name: `${shape.name}, offset`,
  config: { OFFSET: 1 },
}));

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed * 31 + 7);
  const w = randomTensor(random, dtypeOf(problem, "T"), [2, dimOf(problem, "D")]);
  return {
    tensors: { ...ropeInputs(problem).tensors, w },
    scalars: { ...cacheScales(problem), eps: Math.fround(1e-6) },
  };
}

function reference(call: ReferenceCall) {
  const [heads, d] = [dimOf(call.problem, "HQ"), dimOf(call.problem, "D")];
  const { data } = tensorOf(call, "w");
  const { q, kCache, vCache } = ropeReference(call, (n, head) => {
    const weight = head < heads ? data.subarray(0, d) : data.subarray(d);
    const offset = weightOffset(call.problem);
    return normalizeRow(headOfQkv(call, n, head), weight, scalarOf(call, "eps"), offset);
  });
  const tolerance = { kind: "rounding" as const, length: d, scale: 8 };
  return { q: { ...q, tolerance }, kCache: { ...kCache, tolerance }, vCache };
}

export const qkNormRopeKvWriteEntry = defineKernelEntry({
  kernel: qkNormRopeKvWrite,
  samples: [
    ...inBytes(["bf16"], SHAPES),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], [...SHAPES, ...OFFSET_SHAPES])),
  ],
  inputs,
  reference,
  bytes: ropeBytes,
  flops: (problem) =>
    8 * dimOf(problem, "N") * (dimOf(problem, "HQ") + dimOf(problem, "HKV")) * dimOf(problem, "D"),
});
