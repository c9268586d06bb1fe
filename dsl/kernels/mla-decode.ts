/** [dsl/kernels] Latent attention (MLA) of one query a sequence with absorbed projections, split over the keys. paged-decode-merge.ts puts the pieces together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  axis,
  cast,
  cdiv,
  dot,
  floordiv,
  full,
  gather,
  iota,
  load,
  log2,
  maximum,
  merge,
  minimum,
  mod,
  pid,
  range,
  span,
  store,
  sum,
  where,
  zeros,
} from "../ops/catalogue.ts";
import { cutLine, lineLength, sequenceAt, shareStart } from "./decode-line.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  type Sequence,
  tensorOf,
} from "./define-kernel-entry.ts";
import { LOWEST, lazyExponentials } from "./lazy-softmax.ts";
import { attendLatents, type LatentSizes, latentCache, latentDims } from "./mla-samples.ts";
import { attentionScale, attentionTolerance, sequencesOf } from "./paged-samples.ts";
import { attendedTokens, piecesOf } from "./piece-samples.ts";
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Like `pagedDecode`, for heads that all share one key and value: the key is a latent beside a rotated part, the value is the latent.
 * A block of latents is read once for GP heads, as keys and as values. Programs share out the line of blocks (decode-line.ts), and
 * `pagedDecodeMerge` puts the pieces of a sequence together, with one kv head of H query heads.
 * @param q `[S, H, R]`: queries multiplied by the keys' up-projection
 * @param qRope `[S, H, DR]`: rotated queries
 * @param latents `[NB, PAGE, R]`; slots past a length are never read
 * @param ropes `[NB, PAGE, DR]`: rotated keys
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param lens i32 `[S]`: tokens of each sequence, the query's own included; 0 for a padding row
 * @param scale factor of the scores, above 0
 * @returns partial f32 `[P, 1, H, R]`, P = S + programs: normalised output of piece sequence + share; what is no piece is not written.
 *   lse f32 `[P, 1, H]`: log2 of a piece's sum of exponentials
 * @source arXiv 2405.04434 section 2.1 (multi-head latent attention, and absorbing its projections)
 */
export const mlaDecode = kernel(
  {
    name: "mla_decode",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "S", "H", "R"),
      qRope: tensor("T", "S", "H", "DR"),
      latents: tensor("T", "NB", "PAGE", "R"),
      ropes: tensor("T", "NB", "PAGE", "DR"),
      table: tensor("i32", "S", "MAXB"),
      lens: tensor("i32", "S"),
      partial: out("f32", "P", 1, "H", "R"),
      lse: out("f32", "P", 1, "H"),
      scale: scalar("f32"),
    },
    config: { GP: 16, BN: 16, BS: 32, LEAST: 1, stages: 1 },
    tune: { GP: [4, 8, 16], BN: [16, 32, 64], stages: [1, 2, 3] },
    specialize: ["R", "DR", "PAGE"],
    grid: ({ S, H, P }, { GP }) => [cdiv(H, GP), P - S],
  },
  (
    { q, qRope, latents, ropes, table, lens, partial, lse, scale, S, P, R, DR, PAGE, T },
    { GP, BN, BS, LEAST, stages },
  ) => {
    const heads = span(pid(0) * GP, GP);
    const share = pid(1);
    const length = lineLength(lens, 0, S, BN, BS);
    const cut = cutLine(length, P - S, S, LEAST);
    const lo = shareStart(share, cut);
    const hi = share < cut.shares ? shareStart(share + 1, cut) : lo;
    let { sequence: s, begin } = sequenceAt(lens, 0, lo, S, BN, BS);
    if (lo === hi) return;
    const c = scale * Math.LOG2E;
    while (begin < hi) {
      const len = load(lens, [s]);
      const blocks = cdiv(len, BN);
      const from = maximum(lo - begin, 0) * BN;
      const to = minimum(blocks, hi - begin) * BN;
      if (from < to) {
        const qt = load(q, [s, heads, all(R)]); // heads past H read 0
        const qr = load(qRope, [s, heads, all(DR)]);
        let m = full("f32", LOWEST, GP);
        let l = zeros("f32", GP, BN); // of each key of a block, so that warps wait for each other once less a trip
        let acc = zeros("f32", GP, R);
        for (const n of range(from, to, BN, { stages })) {
          const entries = span(floordiv(n, PAGE), axis("PP", cdiv(BN, PAGE)), cdiv(len, PAGE));
          const pages = load(table, [s, entries], { fill: -1 });
          const slots = span(PAGE <= BN ? 0 : mod(n, PAGE), axis("PS", Math.min(PAGE, BN)));
          const limit = len - n;
          const lt = merge(load(latents, [gather(pages), slots, all(R)], { evict: "first" }), BN, {
            limit,
          });
          const rt = merge(load(ropes, [gather(pages), slots, all(DR)], { evict: "first" }), BN, {
            limit,
          });
          const scores = dot(qr, rt, dot(qt, lt));
          const x = where(n + iota(BN) < len, scores, -Infinity); // [GP, BN]
          const trip = lazyExponentials(x, "GP", { m, l, acc }, c, 0);
          m = trip.m;
          l = trip.l + trip.p;
          acc = dot(cast(trip.p, T), lt, trip.acc);
        }
        const total = maximum(sum(l, "BN"), 1e-30);
        store(partial, [s + share, 0, heads, all(R)], acc * (1 / total));
        store(lse, [s + share, 0, heads], m * c + log2(total));
      }
      begin = begin + blocks;
      s = s + 1;
    }
  },
);

function problemOf(
  name: string,
  seed: number,
  lens: readonly number[],
  sizes: LatentSizes & { readonly programs: number },
  config: Problem["config"],
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  const dims = { ...latentDims(sequences, sizes), P: lens.length + sizes.programs };
  return { name, seed, sequences, dims, ...(config === undefined ? {} : { config }) };
}

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf(
    "no sequences",
    1,
    [],
    { heads: 1, rank: 16, rotary: 8, page: 4, programs: 1 },
    undefined,
  ),
  problemOf(
    "padding rows, heads past a block, more programs than blocks",
    2,
    [0, 37, 5],
    { heads: 9, rank: 32, rotary: 8, page: 4, programs: 7 },
    { GP: 8, BN: 16 },
  ),
  problemOf(
    "pieces of several sequences",
    3,
    [37, 0, 1, 130, 16, 5],
    { heads: 2, rank: 16, rotary: 8, page: 8, programs: 4 },
    { GP: 4, BN: 16, BS: 4, LEAST: 2 },
  ),
  problemOf(
    "rank 128",
    4,
    [19],
    { heads: 4, rank: 128, rotary: 64, page: 16, programs: 1 },
    { GP: 4, BN: 8 },
  ),
  problemOf(
    "default blocks",
    5,
    [47, 16],
    { heads: 16, rank: 64, rotary: 16, page: 16, programs: 2 },
    undefined,
  ),
];

/** Latents so long that tensor cores add up to several sums in turn, for few keys each; pages longer and shorter than blocks. */
const LONG_SHAPES = [
  problemOf(
    "rank 256, pages of 32",
    6,
    [19, 40],
    { heads: 4, rank: 256, rotary: 32, page: 32, programs: 2 },
    { GP: 16, BN: 16, stages: 2 },
  ),
  problemOf(
    "rank 512",
    7,
    [37],
    { heads: 16, rank: 512, rotary: 64, page: 16, programs: 1 },
    { GP: 16, BN: 32, stages: 2 },
  ),
  problemOf(
    "heads past a block of 64",
    8,
    [37],
    { heads: 70, rank: 64, rotary: 16, page: 16, programs: 1 },
    { GP: 64, BN: 32, stages: 2, warps: 8 },
  ),
];

export function latentDecodeInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [s, h, r, dr] = ["S", "H", "R", "DR"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), [s, h, r]),
      qRope: randomTensor(random, dtypeOf(problem, "T"), [s, h, dr]),
      ...latentCache(problem, random),
      lens: intTensor(sequencesOf(problem).map(({ length }) => length)),
    },
    scalars: { scale: attentionScale(r + dr) },
  };
}

/** @param defaults config of the kernel */
export function latentDecodeReference(
  call: ReferenceCall,
  defaults: Readonly<Record<string, number | boolean>>,
) {
  const [q, qRope] = [tensorOf(call, "q"), tensorOf(call, "qRope")];
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const [, heads = 0, rank = 0] = q.shape;
  const width = rank + dimOf(call.problem, "DR");
  for (const { number, sequence, first, end } of piecesOf(call.problem, defaults))
    for (let h = 0; h < heads; h++) {
      const query = Array.from({ length: width }, (_, d) =>
        d < rank ? elementAt(q, sequence, h, d) : elementAt(qRope, sequence, h, d - rank),
      );
      const { output, logSum } = attendLatents(call, sequence, query, first, end);
      partial.setRow(output, number, 0, h);
      lse.set(logSum, number, 0, h);
    }
  const length = dimOf(call.problem, "MAXB") * dimOf(call.problem, "PAGE");
  return {
    partial: { data: partial.data, tolerance: attentionTolerance(q.dtype, length) },
    lse: { data: lse.data, tolerance: { kind: "rounding" as const, length, scale: 16 } },
  };
}

export const mlaDecodeEntry = defineKernelEntry({
  kernel: mlaDecode,
  samples: [
    ...forDTypes("T", ["f16", "bf16"], LONG_SHAPES),
    ...forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  ],
  inputs: latentDecodeInputs,
  reference: (call) => latentDecodeReference(call, mlaDecode.config),
  bytes: (problem) => {
    const tokens = attendedTokens(problem);
    const [rank, rotary] = [dimOf(problem, "R"), dimOf(problem, "DR")];
    const rows = dimOf(problem, "S") * dimOf(problem, "H");
    const pieces = piecesOf(problem, mlaDecode.config).length * dimOf(problem, "H");
    return (
      storageBytes(dtypeOf(problem, "T"), (tokens + rows) * (rank + rotary)) +
      storageBytes("f32", pieces * (rank + 1))
    );
  },
  flops: (problem) =>
    2 *
    attendedTokens(problem) *
    dimOf(problem, "H") *
    (2 * dimOf(problem, "R") + dimOf(problem, "DR")),
});
