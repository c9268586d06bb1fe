/** [dsl/kernels] Latent attention (MLA) of one query a sequence with absorbed projections, split over the keys. decode-merge.ts puts the splits together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  dot,
  exp2,
  floordiv,
  full,
  gather,
  iota,
  load,
  log2,
  max,
  maximum,
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
import { EMPTY_LOG_SUM } from "./decode-merge.ts";
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
import { attendLatents, type LatentSizes, latentCache, latentDims } from "./mla-samples.ts";
import { attentionScale, attentionTolerance, sequencesOf } from "./paged-samples.ts";
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Like `pagedDecode`, for heads that all share one key and value: the key is a latent beside a rotated part, the value is the latent.
 * A block of latents is read once for GP heads, as keys and as values.
 * @param q `[S, H, R]`: queries multiplied by the keys' up-projection
 * @param qRope `[S, H, DR]`: rotated queries
 * @param latents `[NB, PAGE, R]`; slots past a length are never read
 * @param ropes `[NB, PAGE, DR]`: rotated keys
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param lens i32 `[S]`: tokens of each sequence, the query's own included; 0 for a padding row
 * @param scale factor of the scores
 * @returns partial f32 `[S, 1, SPLIT, H, R]`: normalised output of each split, 0 where it has no keys;
 *   lse f32 `[S, 1, SPLIT, H]`: log2 of its sum of exponentials, `EMPTY_LOG_SUM` where it has none
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
      partial: out("f32", "S", 1, "SPLIT", "H", "R"),
      lse: out("f32", "S", 1, "SPLIT", "H"),
      scale: scalar("f32"),
    },
    config: { GP: 16, BN: 16, stages: 1 },
    tune: { GP: [4, 8, 16], BN: [16, 32, 64], stages: [1, 2, 3] },
    specialize: ["R", "DR", "PAGE"],
    grid: ({ S, H, SPLIT }, { GP }) => [cdiv(H, GP), SPLIT, S],
  },
  (
    { q, qRope, latents, ropes, table, lens, partial, lse, scale, SPLIT, R, DR, PAGE, T },
    { GP, BN, stages },
  ) => {
    const heads = span(pid(0) * GP, GP);
    const split = pid(1);
    const s = pid(2);
    const len = load(lens, [s]);
    const blocks = cdiv(len, BN);
    const share = cdiv(blocks, SPLIT);
    const lo = split * share;
    const hi = minimum(lo + share, blocks);
    const qt = load(q, [s, heads, all(R)]); // heads past H read 0
    const qr = load(qRope, [s, heads, all(DR)]);
    let m = full("f32", EMPTY_LOG_SUM, GP);
    let l = zeros("f32", GP);
    let acc = zeros("f32", GP, R);
    for (const n of range(lo * BN, hi * BN, BN, { stages })) {
      const kpos = n + iota(BN);
      const seen = kpos < len;
      const pages = load(table, [s, gather(where(seen, floordiv(kpos, PAGE), -1))], { fill: -1 });
      const slot = mod(kpos, PAGE);
      const lt = load(latents, [gather(pages), gather(slot), all(R)]);
      const rt = load(ropes, [gather(pages), gather(slot), all(DR)]);
      const scores = dot(qr, rt, dot(qt, lt)) * (scale * Math.LOG2E);
      const x = where(seen, scores, -Infinity); // [GP, BN]
      const mNew = maximum(m, max(x, "BN"));
      const p = exp2(x - mNew);
      const alpha = exp2(m - mNew);
      l = l * alpha + sum(p, "BN");
      acc = dot(cast(p, T), lt, acc * alpha);
      m = mNew;
    }
    const total = maximum(l, 1e-30); // no keys: acc / total is 0, and log2(total) is lost beside m
    store(partial, [s, 0, split, heads, all(R)], acc / total);
    store(lse, [s, 0, split, heads], m + log2(total));
  },
);

function problemOf(
  name: string,
  seed: number,
  lens: readonly number[],
  sizes: LatentSizes & { readonly split: number },
  config: Problem["config"],
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  const dims = { ...latentDims(sequences, sizes), SPLIT: sizes.split };
  return { name, seed, sequences, dims, ...(config === undefined ? {} : { config }) };
}

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf("no sequences", 1, [], { heads: 1, rank: 16, rotary: 8, page: 4, split: 1 }, undefined),
  problemOf(
    "padding rows, heads past a block, more splits than blocks",
    2,
    [0, 37, 5],
    { heads: 9, rank: 32, rotary: 8, page: 4, split: 5 },
    { GP: 8, BN: 16 },
  ),
  problemOf(
    "rank 128",
    4,
    [19],
    { heads: 4, rank: 128, rotary: 64, page: 16, split: 1 },
    {
      GP: 4,
      BN: 8,
    },
  ),
  problemOf(
    "default blocks",
    5,
    [47, 16],
    { heads: 16, rank: 64, rotary: 16, page: 16, split: 2 },
    undefined,
  ),
];

function inputs(problem: Problem): KernelInputs {
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

/** Keys of one split of a sequence: blocks of BN in equal shares. */
function splitRange(problem: Problem, length: number, split: number): readonly [number, number] {
  const bn = Number(problem.config?.["BN"] ?? mlaDecode.config.BN);
  const share = Math.ceil(Math.ceil(length / bn) / dimOf(problem, "SPLIT"));
  return [split * share * bn, Math.min((split + 1) * share * bn, length)];
}

function reference(call: ReferenceCall) {
  const [q, qRope] = [tensorOf(call, "q"), tensorOf(call, "qRope")];
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const [, heads = 0, rank = 0] = q.shape;
  const width = rank + dimOf(call.problem, "DR");
  sequencesOf(call.problem).forEach(({ length }, s) => {
    for (let split = 0; split < dimOf(call.problem, "SPLIT"); split++) {
      const [first, end] = splitRange(call.problem, length, split);
      for (let h = 0; h < heads; h++) {
        const query = Array.from({ length: width }, (_, d) =>
          d < rank ? elementAt(q, s, h, d) : elementAt(qRope, s, h, d - rank),
        );
        const row = attendLatents(call, s, query, first, end);
        partial.setRow(row.output, s, 0, split, h);
        lse.set(Math.max(row.logSum, EMPTY_LOG_SUM), s, 0, split, h);
      }
    }
  });
  const length = dimOf(call.problem, "MAXB") * dimOf(call.problem, "PAGE");
  return {
    partial: { data: partial.data, tolerance: attentionTolerance(q.dtype, length) },
    lse: { data: lse.data, tolerance: { kind: "rounding" as const, length, scale: 16 } },
  };
}

export const mlaDecodeEntry = defineKernelEntry({
  kernel: mlaDecode,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const tokens = sequencesOf(problem).reduce((n, { length }) => n + length, 0);
    const [rank, rotary] = [dimOf(problem, "R"), dimOf(problem, "DR")];
    const rows = dimOf(problem, "S") * dimOf(problem, "H");
    return (
      storageBytes(dtypeOf(problem, "T"), (tokens + rows) * (rank + rotary)) +
      storageBytes("f32", rows * dimOf(problem, "SPLIT") * (rank + 1))
    );
  },
  flops: (problem) => {
    const tokens = sequencesOf(problem).reduce((n, { length }) => n + length, 0);
    return 2 * tokens * dimOf(problem, "H") * (2 * dimOf(problem, "R") + dimOf(problem, "DR"));
  },
});
