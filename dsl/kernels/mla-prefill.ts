/** [dsl/kernels] Attention of new tokens over a paged cache of latents, with absorbed projections (MLA): any batch of sequences with past, causal. */
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
import { sequencesBegun } from "./row-blocks.ts";
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/** Start of the running maximum: finite, so that a row without keys gives exp2(-inf - start) = 0 and not NaN. */
const LOWEST = -1e30;

/**
 * Like `prefillAttention` without a window, for heads that all share one key and value: the key is a latent beside a rotated part, the
 * value is the latent. Queries come multiplied by the keys' up-projection, outputs leave before the values' one, so that a page holds
 * R + DR numbers a position. Programs find their rows as those of `prefillAttention` do.
 * @param q `[N, H, R]`, absorbed queries
 * @param qRope `[N, H, DR]`, rotated queries
 * @param latents `[NB, PAGE, R]`; slots past a length are never read
 * @param ropes `[NB, PAGE, DR]`, rotated keys
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param queryStart i32 `[S + 1]`, rising
 * @param lens i32 `[S]`: past and new tokens of each sequence
 * @param scale factor of the scores
 * @returns o `[N, H, R]`
 * @source arXiv 2405.04434 section 2.1 (multi-head latent attention, and absorbing its projections)
 */
export const mlaPrefill = kernel(
  {
    name: "mla_prefill",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "N", "H", "R"),
      qRope: tensor("T", "N", "H", "DR"),
      latents: tensor("T", "NB", "PAGE", "R"),
      ropes: tensor("T", "NB", "PAGE", "DR"),
      table: tensor("i32", "S", "MAXB"),
      queryStart: tensor("i32", "S1"),
      lens: tensor("i32", "S"),
      o: out("T", "N", "H", "R"),
      scale: scalar("f32"),
    },
    config: { BM: 16, BN: 16, BS: 128, stages: 1 },
    tune: { BM: [16, 32], BN: [16, 32, 64], stages: [1, 2] },
    specialize: ["R", "DR", "PAGE"],
    grid: ({ N, H, S }, { BM }) => [H, cdiv(N, BM) + S],
  },
  (
    { q, qRope, latents, ropes, table, queryStart, lens, o, scale, S, R, DR, PAGE, T },
    { BM, BN, BS, stages },
  ) => {
    const h = pid(0);
    const block = pid(1);
    const begun = sequencesBegun(queryStart, block, S, BM, BS);
    if (begun > 0) {
      const s = begun - 1;
      const rowStart = load(queryStart, [s]);
      const rowEnd = load(queryStart, [s + 1]);
      const m0 = (block - floordiv(rowStart, BM) - s) * BM;
      if (m0 < rowEnd - rowStart) {
        const len = load(lens, [s]);
        const rows = span(rowStart + m0, BM, rowEnd);
        const p0 = len - (rowEnd - rowStart) + m0; // position of the first query
        const qpos = p0 + iota(BM);
        const qt = load(q, [rows, h, all(R)]);
        const qr = load(qRope, [rows, h, all(DR)]);
        let m = full("f32", LOWEST, BM);
        let l = zeros("f32", BM);
        let acc = zeros("f32", BM, R);
        for (const n of range(0, minimum(len, p0 + BM), BN, { stages })) {
          const kpos = n + iota(BN);
          const place = where(kpos < len, floordiv(kpos, PAGE), -1);
          const pages = load(table, [s, gather(place)], { fill: -1 });
          const slot = mod(kpos, PAGE);
          const lt = load(latents, [gather(pages), gather(slot), all(R)]);
          const rt = load(ropes, [gather(pages), gather(slot), all(DR)]);
          const x = dot(qr, rt, dot(qt, lt)) * (scale * Math.LOG2E);
          const masked = where(kpos <= qpos, x, -Infinity); // [BM, BN]
          const mNew = maximum(m, max(masked, "BN"));
          const p = exp2(masked - mNew);
          const alpha = exp2(m - mNew);
          l = l * alpha + sum(p, "BN");
          acc = dot(cast(p, T), lt, acc * alpha);
          m = mNew;
        }
        store(o, [rows, h, all(R)], cast(acc * (1 / maximum(l, 1e-30)), T));
      }
    }
  },
);

function problemOf(
  name: string,
  seed: number,
  sizes: LatentSizes,
  sequences: readonly Sequence[],
  config: Problem["config"],
): Omit<Problem, "dtypes"> {
  const rows = sequences.reduce((n, { queries }) => n + queries, 0);
  const dims = { ...latentDims(sequences, sizes), N: rows, S1: sequences.length + 1 };
  return { name, seed, sequences, dims, ...(config === undefined ? {} : { config }) };
}

const SMALL = { BM: 16, BN: 16, BS: 4 };
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf("no sequences", 1, { heads: 1, rank: 16, rotary: 8, page: 4 }, [], SMALL),
  problemOf(
    "ragged with past",
    3,
    { heads: 3, rank: 32, rotary: 8, page: 4 },
    [seq(5, 5), seq(1, 19), seq(17, 40), seq(0, 7), seq(1, 1)],
    SMALL,
  ),
  problemOf("rank 128", 4, { heads: 2, rank: 128, rotary: 64, page: 16 }, [seq(6, 20)], {
    BM: 4,
    BN: 8,
  }),
  problemOf(
    "default blocks",
    5,
    { heads: 2, rank: 64, rotary: 16, page: 16 },
    [seq(17, 50), seq(15, 15)],
    undefined,
  ),
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const sequences = sequencesOf(problem);
  const starts = [0];
  for (const { queries } of sequences) starts.push((starts.at(-1) ?? 0) + queries);
  const [n, h, r, dr] = ["N", "H", "R", "DR"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), [n, h, r]),
      qRope: randomTensor(random, dtypeOf(problem, "T"), [n, h, dr]),
      ...latentCache(problem, random),
      queryStart: intTensor(starts),
      lens: intTensor(sequences.map(({ length }) => length)),
    },
    scalars: { scale: attentionScale(r + dr) },
  };
}

function reference(call: ReferenceCall) {
  const [q, qRope] = [tensorOf(call, "q"), tensorOf(call, "qRope")];
  const o = editable(tensorOf(call, "o"));
  const [, heads = 0, rank = 0] = q.shape;
  const width = rank + dimOf(call.problem, "DR");
  let row = 0;
  sequencesOf(call.problem).forEach(({ queries, length }, s) => {
    for (let i = 0; i < queries; i++, row++) {
      for (let h = 0; h < heads; h++) {
        const query = Array.from({ length: width }, (_, d) =>
          d < rank ? elementAt(q, row, h, d) : elementAt(qRope, row, h, d - rank),
        );
        o.setRow(attendLatents(call, s, query, 0, length - queries + i + 1).output, row, h);
      }
    }
  });
  const length = dimOf(call.problem, "MAXB") * dimOf(call.problem, "PAGE");
  return { o: { data: o.data, tolerance: attentionTolerance(q.dtype, length) } };
}

/** Pairs of a query and a key that are attended to, over all sequences. */
function attendedPairs(problem: Problem): number {
  return sequencesOf(problem).reduce(
    (total, { queries, length }) => total + queries * length - (queries * (queries - 1)) / 2,
    0,
  );
}

export const mlaPrefillEntry = defineKernelEntry({
  kernel: mlaPrefill,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const tokens = sequencesOf(problem).reduce((n, { length }) => n + length, 0);
    const [rank, rotary] = [dimOf(problem, "R"), dimOf(problem, "DR")];
    const rows = dimOf(problem, "N") * dimOf(problem, "H") * (2 * rank + rotary);
    return storageBytes(dtypeOf(problem, "T"), rows + tokens * (rank + rotary));
  },
  flops: (problem) =>
    2 *
    attendedPairs(problem) *
    dimOf(problem, "H") *
    (2 * dimOf(problem, "R") + dimOf(problem, "DR")),
});
