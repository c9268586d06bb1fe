/** [dsl/kernels] Rotary embedding for latent attention (MLA), with latents normalised and written to their page slots beside the rotated keys. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
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
 * Rotates the last 2·D2 dims of every query head, and the one rotated key that all heads share, by the angle of the token's position;
 * pairs are neighbours (2i, 2i + 1), or with config INTERLEAVED false halves (i, i + D2). Results stand in halves for both, which no
 * product of the two can tell. The latent is normalised before it is written. One program a token and block of heads, one for the cache.
 * @param q `[N, H, DQ]`
 * @param kv `[N, KW]`: latent of R, then the key's 2·D2 dims to rotate
 * @param w `[R]`: RMS norm of the latent
 * @param positions i32 `[N]`, rows of `cosSin`
 * @param cosSin f32 `[P, 2, D2]`: cosines, then sines
 * @param slots i32 `[N]`; -1 marks a padding row, which leaves the cache untouched
 * @param eps added to the mean square of the latent
 * @returns qRope `[N, H, DR]`, DR = 2·D2; latents `[NB, PAGE, R]` and ropes `[NB, PAGE, DR]` changed at the slots only
 * @source arXiv 2405.04434 section 2.1.3 (decoupled rotary embedding)
 */
export const mlaRopeWrite = kernel(
  {
    name: "mla_rope_write",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "N", "H", "DQ"),
      kv: tensor("T", "N", "KW"),
      w: tensor("T", "R"),
      positions: tensor("i32", "N"),
      cosSin: tensor("f32", "P", 2, "D2"),
      slots: tensor("i32", "N"),
      qRope: out("T", "N", "H", "DR"),
      latents: inout("T", "NB", "PAGE", "R"),
      ropes: inout("T", "NB", "PAGE", "DR"),
      eps: scalar("f32"),
    },
    config: { BH: 8, INTERLEAVED: true },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["DQ", "R", "D2", "PAGE"],
    grid: ({ N, H }, { BH }) => [N, cdiv(H, BH) + 1],
  },
  (
    { q, kv, w, positions, cosSin, slots, qRope, latents, ropes, eps, H, DQ, R, D2, PAGE, T },
    { BH, INTERLEAVED },
  ) => {
    const n = pid(0);
    const position = load(positions, [n]);
    const cos = load(cosSin, [position, 0, all(D2)]);
    const sin = load(cosSin, [position, 1, all(D2)]);
    const i = iota(D2);
    const first = INTERLEAVED ? 2 * i : i;
    const second = INTERLEAVED ? 2 * i + 1 : i + D2;
    const low = span(0, D2);
    const high = span(D2, D2);
    if (pid(1) < cdiv(H, BH)) {
      const heads = span(pid(1) * BH, BH, H);
      const start = DQ - 2 * D2;
      const x = cast(load(q, [n, heads, gather(start + first)]), "f32");
      const y = cast(load(q, [n, heads, gather(start + second)]), "f32");
      store(qRope, [n, heads, low], cast(x * cos - y * sin, T));
      store(qRope, [n, heads, high], cast(y * cos + x * sin, T));
    } else {
      const slot = load(slots, [n]);
      if (slot >= 0) {
        const page = floordiv(slot, PAGE);
        const offset = mod(slot, PAGE);
        const x = cast(load(kv, [n, gather(R + first)]), "f32");
        const y = cast(load(kv, [n, gather(R + second)]), "f32");
        store(ropes, [page, offset, low], cast(x * cos - y * sin, T));
        store(ropes, [page, offset, high], cast(y * cos + x * sin, T));
        const v = cast(load(kv, [n, span(0, R)]), "f32");
        const scale = rsqrt(sum(v * v, "R") / R + eps);
        const normal = v * scale * cast(load(w, [all(R)]), "f32");
        store(latents, [page, offset, all(R)], cast(normal, T));
      }
    }
  },
);

function shape(tokens: number, heads: number, nope: number, rank: number, d2: number) {
  return {
    N: tokens,
    H: heads,
    DQ: nope + 2 * d2,
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
  { name: "no tokens", seed: 1, dims: shape(0, 1, 8, 16, 4) },
  { name: "one token", seed: 2, dims: shape(1, 1, 8, 16, 4) },
  {
    name: "padding rows, halves",
    seed: 3,
    dims: shape(5, 3, 16, 32, 4),
    config: { INTERLEAVED: false },
    options: { padding: 2 },
  },
  { name: "heads past a block", seed: 4, dims: shape(3, 9, 64, 128, 32) },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [n, d2, p, rank] = ["N", "D2", "P", "R"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const [nb, page] = [dimOf(problem, "NB"), dimOf(problem, "PAGE")];
  const order = permutation(random, nb * page);
  const isPadding = (i: number) => i >= n - (problem.options?.["padding"] ?? 0);
  const angle = (row: number, i: number) => row * 10000 ** (-i / d2);
  return {
    tensors: {
      q: randomTensor(random, dtype, [n, dimOf(problem, "H"), dimOf(problem, "DQ")]),
      kv: randomTensor(random, dtype, [n, dimOf(problem, "KW")]),
      w: randomTensor(random, dtype, [rank]),
      positions: intTensor(Array.from({ length: n }, () => random.integer(0, p))),
      cosSin: hostTensor("f32", [p, 2, d2], (index) => {
        const theta = angle(Math.floor(index / (2 * d2)), index % d2);
        return index % (2 * d2) < d2 ? Math.cos(theta) : Math.sin(theta);
      }),
      slots: intTensor(Array.from({ length: n }, (_, i) => (isPadding(i) ? -1 : (order[i] ?? 0)))),
      latents: hostTensor(dtype, [nb, page, rank], () => Number.NaN),
      ropes: hostTensor(dtype, [nb, page, 2 * d2], () => Number.NaN),
    },
    scalars: { eps: Math.fround(1e-6) },
  };
}

/** The rotated dims of one token, halves one after the other. @param at element i of what is rotated */
function rotated(call: ReferenceCall, n: number, at: (i: number) => number): readonly number[] {
  const cosSin = tensorOf(call, "cosSin");
  const d2 = dimOf(call.problem, "D2");
  const row = elementAt(tensorOf(call, "positions"), n);
  const isInterleaved = call.problem.config?.["INTERLEAVED"] !== false;
  return Array.from({ length: 2 * d2 }, (_, d) => {
    const i = d % d2;
    const [cos, sin] = [elementAt(cosSin, row, 0, i), elementAt(cosSin, row, 1, i)];
    const [x, y] = isInterleaved ? [at(2 * i), at(2 * i + 1)] : [at(i), at(i + d2)];
    return d < d2 ? x * cos - y * sin : y * cos + x * sin;
  });
}

function reference(call: ReferenceCall) {
  const [q, kv] = [tensorOf(call, "q"), tensorOf(call, "kv")];
  const [rank, page] = [dimOf(call.problem, "R"), dimOf(call.problem, "PAGE")];
  const qRope = editable(tensorOf(call, "qRope"));
  const latents = editable(tensorOf(call, "latents"));
  const ropes = editable(tensorOf(call, "ropes"));
  const [, heads = 0, width = 0] = q.shape;
  const start = width - dimOf(call.problem, "DR");
  tensorOf(call, "slots").data.forEach((slot, n) => {
    for (let h = 0; h < heads; h++) {
      qRope.setRow(
        rotated(call, n, (i) => elementAt(q, n, h, start + i)),
        n,
        h,
      );
    }
    if (slot < 0) return;
    const at = [Math.floor(slot / page), slot % page] as const;
    ropes.setRow(
      rotated(call, n, (i) => elementAt(kv, n, rank + i)),
      ...at,
    );
    const latent = Array.from({ length: rank }, (_, r) => elementAt(kv, n, r));
    latents.setRow(normalizeRow(latent, tensorOf(call, "w").data, scalarOf(call, "eps")), ...at);
  });
  const rounding = { kind: "rounding" as const, length: 2, scale: 5 };
  return {
    qRope: { data: qRope.data, tolerance: rounding },
    latents: { data: latents.data, tolerance: { kind: "rounding" as const, length: rank } },
    ropes: { data: ropes.data, tolerance: rounding },
  };
}

export const mlaRopeWriteEntry = defineKernelEntry({
  kernel: mlaRopeWrite,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const rotary = (dimOf(problem, "H") + 1) * dimOf(problem, "DR");
    const elements = dimOf(problem, "N") * 2 * (rotary + dimOf(problem, "R"));
    return storageBytes(dtypeOf(problem, "T"), elements);
  },
  flops: (problem) => {
    const rotary = (dimOf(problem, "H") + 1) * dimOf(problem, "DR");
    return dimOf(problem, "N") * (3 * rotary + 5 * dimOf(problem, "R"));
  },
});
