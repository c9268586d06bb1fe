/** [dsl/kernels] Attention of one query a sequence over a paged cache, split over the keys. decode-merge.ts puts the splits together. */
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
  tanh,
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
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  attendNaively,
  attentionScale,
  attentionTolerance,
  pagedCache,
  pagedReader,
  pagesNeeded,
  sequencesOf,
  softcapOf,
} from "./paged-samples.ts";
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/** Log-sum of a split without keys: finite, and below any real one, so that merging gives it the weight 0. */
export const EMPTY_LOG_SUM = -1e30;

/**
 * Split j of sequence s takes an equal share of its blocks of BN keys. The G query heads of a kv head are the rows of one tile,
 * of GP rows, so that keys and values are read once for all of them; more than GP heads take several programs.
 * With a config SOFTCAP above 0 each score s counts as SOFTCAP · tanh(s / SOFTCAP).
 * The default blocks fit the least shared memory; `decodeConfig` gives those that suit a device.
 * @param q `[S, HKV, G, D]`: query heads grouped by their kv head
 * @param kCache `[NB, PAGE, HKV, D]`; slots past a length are never read
 * @param vCache like kCache
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param lens i32 `[S]`: tokens of each sequence, the query's own included; 0 for a padding row
 * @param scale factor of the scores, usually 1/√D
 * @param window positions attended to, the query's own included; 0 for all
 * @returns partial f32 `[S, HKV, SPLIT, G, D]`: normalised output of each split, 0 where it has no keys;
 *   lse f32 `[S, HKV, SPLIT, G]`: log2 of its sum of exponentials, `EMPTY_LOG_SUM` where it has none
 * @source arXiv 2309.06180 (paged keys and values); Flash-Decoding, crfm.stanford.edu/2023/10/12/flashdecoding.html (split keys)
 */
export const pagedDecode = kernel(
  {
    name: "paged_decode",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "S", "HKV", "G", "D"),
      kCache: tensor("T", "NB", "PAGE", "HKV", "D"),
      vCache: tensor("T", "NB", "PAGE", "HKV", "D"),
      table: tensor("i32", "S", "MAXB"),
      lens: tensor("i32", "S"),
      partial: out("f32", "S", "HKV", "SPLIT", "G", "D"),
      lse: out("f32", "S", "HKV", "SPLIT", "G"),
      scale: scalar("f32"),
      window: scalar("i32"),
    },
    config: { GP: 16, BN: 16, stages: 2, SOFTCAP: 0 },
    tune: { GP: [1, 2, 4, 8, 16], BN: [16, 32, 64, 128], stages: [1, 2, 3, 4] },
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, G, SPLIT }, { GP }) => [HKV * cdiv(G, GP), SPLIT, S],
  },
  (
    { q, kCache, vCache, table, lens, partial, lse, scale, window, SPLIT, G, D, PAGE, T },
    { GP, BN, stages, SOFTCAP },
  ) => {
    const h = floordiv(pid(0), cdiv(G, GP));
    const g = mod(pid(0), cdiv(G, GP)) * GP;
    const split = pid(1);
    const s = pid(2);
    const len = load(lens, [s]);
    const start = where(window > 0, maximum(len - window, 0), 0);
    const firstBlock = floordiv(start, BN);
    const blocks = cdiv(len, BN) - firstBlock;
    const share = cdiv(blocks, SPLIT);
    const lo = firstBlock + split * share;
    const hi = firstBlock + minimum(split * share + share, blocks);
    const qt = load(q, [s, h, span(g, GP), all(D)]); // rows past G read 0
    let m = full("f32", EMPTY_LOG_SUM, GP);
    let l = zeros("f32", GP);
    let acc = zeros("f32", GP, D);
    for (const n of range(lo * BN, hi * BN, BN, { stages })) {
      const kpos = n + iota(BN);
      const seen = kpos < len && kpos >= start;
      const pages = load(table, [s, gather(where(seen, floordiv(kpos, PAGE), -1))], { fill: -1 });
      const slot = mod(kpos, PAGE);
      const kt = load(kCache, [gather(pages), gather(slot), h, all(D)], { evict: "first" });
      const scores = dot(qt, kt);
      const capped =
        SOFTCAP === 0
          ? scores * (scale * Math.LOG2E)
          : tanh(scores * (scale / SOFTCAP)) * (SOFTCAP * Math.LOG2E);
      const x = where(seen, capped, -Infinity); // [GP, BN]
      const mNew = maximum(m, max(x, "BN"));
      const p = exp2(x - mNew);
      const alpha = exp2(m - mNew);
      l = l * alpha + sum(p, "BN");
      const vt = load(vCache, [gather(pages), gather(slot), h, all(D)], { evict: "first" });
      acc = dot(cast(p, T), vt, acc * alpha);
      m = mNew;
    }
    const total = maximum(l, 1e-30); // no keys: acc / total is 0, and log2(total) is lost beside m
    store(partial, [s, h, split, span(g, GP), all(D)], acc / total);
    store(lse, [s, h, split, span(g, GP)], m + log2(total));
  },
);

function problemOf(
  name: string,
  seed: number,
  lens: readonly number[],
  dims: {
    readonly hkv: number;
    readonly g: number;
    readonly d: number;
    readonly page: number;
    readonly split: number;
  },
  rest: Partial<Problem> = {},
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  return {
    name,
    seed,
    sequences,
    dims: {
      S: lens.length,
      HKV: dims.hkv,
      G: dims.g,
      D: dims.d,
      PAGE: dims.page,
      NB: pagesNeeded(sequences, dims.page),
      MAXB: Math.ceil(Math.max(0, ...lens) / dims.page) + 1,
      SPLIT: dims.split,
    },
    ...rest,
  };
}

const SMALL = { GP: 16, BN: 16 };

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf("no sequences", 1, [], { hkv: 1, g: 1, d: 16, page: 4, split: 1 }, { config: SMALL }),
  problemOf("one token", 2, [1], { hkv: 1, g: 1, d: 8, page: 4, split: 1 }, { config: SMALL }),
  problemOf(
    "padding rows",
    3,
    [0, 5, 0],
    { hkv: 2, g: 2, d: 16, page: 4, split: 2 },
    { config: SMALL },
  ),
  problemOf(
    "block - 1, block, block + 1",
    4,
    [15, 16, 17],
    { hkv: 1, g: 4, d: 64, page: 16, split: 1 },
    { config: SMALL },
  ),
  problemOf(
    "more splits than blocks",
    5,
    [33, 3],
    { hkv: 1, g: 7, d: 80, page: 4, split: 5 },
    { config: SMALL },
  ),
  problemOf(
    "window",
    6,
    [40, 5, 7],
    { hkv: 2, g: 1, d: 16, page: 4, split: 2 },
    {
      config: SMALL,
      options: { window: 7 },
    },
  ),
  problemOf("group of 17", 9, [21], { hkv: 2, g: 17, d: 16, page: 4, split: 2 }, { config: SMALL }),
  problemOf(
    "rows not padded to 16",
    7,
    [37],
    { hkv: 1, g: 4, d: 16, page: 4, split: 3 },
    {
      config: { GP: 4, BN: 16 },
    },
  ),
  problemOf(
    "head dim 128",
    10,
    [35],
    { hkv: 1, g: 4, d: 128, page: 16, split: 2 },
    { config: { GP: 8, BN: 16 } },
  ),
  problemOf(
    "large blocks, head dim 128",
    8,
    [130, 61],
    { hkv: 2, g: 4, d: 128, page: 16, split: 2 },
    { config: { GP: 16, BN: 64 } },
  ),
  problemOf(
    "soft cap",
    12,
    [21, 3],
    { hkv: 2, g: 2, d: 16, page: 4, split: 2 },
    { config: { ...SMALL, SOFTCAP: 1.5 } },
  ),
  problemOf(
    "head dim 256",
    13,
    [19],
    { hkv: 1, g: 4, d: 256, page: 16, split: 2 },
    { config: { GP: 4, BN: 8, stages: 1 } },
  ),
  problemOf("default blocks", 11, [47, 16], { hkv: 2, g: 4, d: 64, page: 16, split: 2 }),
];

function windowStart(problem: Problem, length: number): number {
  const window = problem.options?.["window"] ?? 0;
  return window > 0 ? Math.max(0, length - window) : 0;
}

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const sequences = sequencesOf(problem);
  const shape = ["S", "HKV", "G", "D"].map((dim) => dimOf(problem, dim));
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), shape),
      ...pagedCache(problem, random, ({ length }) => windowStart(problem, length)),
      lens: intTensor(sequences.map(({ length }) => length)),
    },
    scalars: {
      scale: attentionScale(dimOf(problem, "D")),
      window: problem.options?.["window"] ?? 0,
    },
  };
}

/** Keys of split `split` of a sequence: blocks of BN in equal shares. */
function splitRange(call: ReferenceCall, length: number, split: number): readonly [number, number] {
  const bn = Number(call.problem.config?.["BN"] ?? pagedDecode.config.BN);
  const start = windowStart(call.problem, length);
  const firstBlock = Math.floor(start / bn);
  const blocks = Math.ceil(length / bn) - firstBlock;
  const share = Math.ceil(blocks / dimOf(call.problem, "SPLIT"));
  const lo = Math.max((firstBlock + split * share) * bn, start);
  return [lo, Math.min((firstBlock + (split + 1) * share) * bn, length)];
}

function reference(call: ReferenceCall) {
  const [q, table] = [tensorOf(call, "q"), tensorOf(call, "table")];
  const partial = editable(tensorOf(call, "partial"));
  const lse = editable(tensorOf(call, "lse"));
  const [, hkv = 0, group = 0, d = 0] = q.shape;
  const scale = scalarOf(call, "scale");
  const options = { softcap: softcapOf(call.problem) };
  sequencesOf(call.problem).forEach(({ length }, s) => {
    for (let h = 0; h < hkv; h++) {
      const keyAt = pagedReader(tensorOf(call, "kCache"), table, s, h);
      const valueAt = pagedReader(tensorOf(call, "vCache"), table, s, h);
      for (let split = 0; split < dimOf(call.problem, "SPLIT"); split++) {
        const [first, end] = splitRange(call, length, split);
        for (let g = 0; g < group; g++) {
          const query = Array.from({ length: d }, (_, c) => elementAt(q, s, h, g, c));
          const row = attendNaively(query, first, end, scale, keyAt, valueAt, options);
          partial.setRow(row.output, s, h, split, g);
          lse.set(Math.max(row.logSum, EMPTY_LOG_SUM), s, h, split, g);
        }
      }
    }
  });
  const length = dimOf(call.problem, "MAXB") * dimOf(call.problem, "PAGE");
  return {
    partial: { data: partial.data, tolerance: attentionTolerance(q.dtype, length) },
    lse: { data: lse.data, tolerance: { kind: "rounding" as const, length, scale: 16 } },
  };
}

function attendedTokens(problem: Problem): number {
  return sequencesOf(problem).reduce(
    (n, { length }) => n + length - windowStart(problem, length),
    0,
  );
}

export const pagedDecodeEntry = defineKernelEntry({
  kernel: pagedDecode,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const cached = 2 * attendedTokens(problem) * dimOf(problem, "HKV") * dimOf(problem, "D");
    const rows = dimOf(problem, "S") * dimOf(problem, "HKV") * dimOf(problem, "G");
    const outputs = rows * dimOf(problem, "SPLIT") * (dimOf(problem, "D") + 1);
    return (
      storageBytes(dtypeOf(problem, "T"), cached + rows * dimOf(problem, "D")) +
      storageBytes("f32", outputs)
    );
  },
  flops: (problem) =>
    4 * attendedTokens(problem) * dimOf(problem, "HKV") * dimOf(problem, "G") * dimOf(problem, "D"),
});
