/** [dsl/kernels] The cache writes of latent attention (MLA): latents normalised, the key that all heads share rotated. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  floordiv,
  gather,
  iota,
  load,
  mod,
  pid,
  rsqrt,
  span,
  store,
  sum,
} from "../ops/catalogue.ts";
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
import { angleTensors, rotatedPairs } from "./mla-samples.ts";
import { normalizeRow } from "./rms-norm.ts";
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
 * Slot s of the caches is (page s / PAGE, offset s mod PAGE). The latent is normalised, the rest of the row rotated by the angle of the
 * token's position, with pairs as `mlaRope` has them. One program a token.
 * @param kv `[N, KW]`: latent of R, then the key's 2·D2 dims to rotate
 * @param w `[R]`: RMS norm of the latent
 * @param positions i32 `[N]`, rows of `cosSin`
 * @param cosSin f32 `[P, 2, D2]`: cosines, then sines
 * @param slots i32 `[N]`; -1 marks a padding row, which leaves the caches untouched
 * @param eps added to the mean square of the latent
 * @returns latents `[NB, PAGE, R]` and ropes `[NB, PAGE, DR]`, DR = 2·D2, changed at the slots only
 * @source arXiv 2405.04434 section 2.1.3 (decoupled rotary embedding)
 */
export const mlaWrite = kernel(
  {
    name: "mla_write",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      kv: tensor("T", "N", "KW"),
      w: tensor("T", "R"),
      positions: tensor("i32", "N"),
      cosSin: tensor("f32", "P", 2, "D2"),
      slots: tensor("i32", "N"),
      latents: inout("T", "NB", "PAGE", "R"),
      ropes: inout("T", "NB", "PAGE", "DR"),
      eps: scalar("f32"),
    },
    config: { INTERLEAVED: true },
    specialize: ["R", "D2", "PAGE"],
    grid: ({ N }) => N,
  },
  ({ kv, w, positions, cosSin, slots, latents, ropes, eps, R, D2, PAGE, T }, { INTERLEAVED }) => {
    const n = pid(0);
    const slot = load(slots, [n]);
    if (slot >= 0) {
      const page = floordiv(slot, PAGE);
      const offset = mod(slot, PAGE);
      const position = load(positions, [n]);
      const cos = load(cosSin, [position, 0, all(D2)]);
      const sin = load(cosSin, [position, 1, all(D2)]);
      const i = iota(D2);
      const first = R + (INTERLEAVED ? 2 * i : i);
      const x = cast(load(kv, [n, gather(first)]), "f32");
      const y = cast(load(kv, [n, gather(first + (INTERLEAVED ? 1 : D2))]), "f32");
      store(ropes, [page, offset, span(0, D2)], cast(x * cos - y * sin, T));
      store(ropes, [page, offset, span(D2, D2)], cast(y * cos + x * sin, T));
      const v = cast(load(kv, [n, span(0, R)]), "f32");
      const scale = rsqrt(sum(v * v, "R") / R + eps);
      const normal = v * scale * cast(load(w, [all(R)]), "f32");
      store(latents, [page, offset, all(R)], cast(normal, T));
    }
  },
);

function shape(tokens: number, rank: number, d2: number) {
  return {
    N: tokens,
    KW: rank + 2 * d2,
    R: rank,
    D2: d2,
    DR: 2 * d2,
    PAGE: 4,
    NB: Math.ceil(tokens / 4) + 2,
    P: 3 * tokens + 5,
  };
}

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no tokens", seed: 1, dims: shape(0, 16, 4) },
  { name: "one token", seed: 2, dims: shape(1, 16, 4) },
  {
    name: "padding rows, halves",
    seed: 3,
    dims: shape(5, 32, 4),
    config: { INTERLEAVED: false },
    options: { padding: 2 },
  },
  { name: "rank 512", seed: 4, dims: shape(3, 512, 32) },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [n, rank, nb, page] = ["N", "R", "NB", "PAGE"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const order = permutation(random, nb * page);
  const isPadding = (i: number) => i >= n - (problem.options?.["padding"] ?? 0);
  return {
    tensors: {
      kv: randomTensor(random, dtype, [n, dimOf(problem, "KW")]),
      w: randomTensor(random, dtype, [rank]),
      ...angleTensors(problem, random),
      slots: intTensor(Array.from({ length: n }, (_, i) => (isPadding(i) ? -1 : (order[i] ?? 0)))),
      latents: hostTensor(dtype, [nb, page, rank], () => Number.NaN),
      ropes: hostTensor(dtype, [nb, page, dimOf(problem, "DR")], () => Number.NaN),
    },
    scalars: { eps: Math.fround(1e-6) },
  };
}

function reference(call: ReferenceCall) {
  const kv = tensorOf(call, "kv");
  const [rank, page] = [dimOf(call.problem, "R"), dimOf(call.problem, "PAGE")];
  const latents = editable(tensorOf(call, "latents"));
  const ropes = editable(tensorOf(call, "ropes"));
  tensorOf(call, "slots").data.forEach((slot, n) => {
    if (slot < 0) return;
    const at = [Math.floor(slot / page), slot % page] as const;
    const pairs = rotatedPairs(call, n, (i) => elementAt(kv, n, rank + i));
    ropes.setRow(pairs, ...at);
    const latent = Array.from({ length: rank }, (_, r) => elementAt(kv, n, r));
    latents.setRow(normalizeRow(latent, tensorOf(call, "w").data, scalarOf(call, "eps")), ...at);
  });
  return {
    latents: { data: latents.data, tolerance: { kind: "rounding" as const, length: rank } },
    ropes: { data: ropes.data, tolerance: { kind: "rounding" as const, length: 2, scale: 5 } },
  };
}

export const mlaWriteEntry = defineKernelEntry({
  kernel: mlaWrite,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    2 * storageBytes(dtypeOf(problem, "T"), dimOf(problem, "N") * dimOf(problem, "KW")),
  flops: (problem) => dimOf(problem, "N") * (3 * dimOf(problem, "DR") + 5 * dimOf(problem, "R")),
});
