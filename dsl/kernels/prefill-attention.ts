/** [dsl/kernels] Attention of new tokens over a paged cache: any batch of sequences with past, causal, grouped heads, sliding window. */
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

/** Start of the running maximum: finite, so that a row without keys gives exp2(-inf - start) = 0 and not NaN. */
const LOWEST = -1e30;
/** Window of a launch without one: larger than any length. */
const NO_WINDOW = 1073741824;

/**
 * Query i of sequence s stands at position lens[s] - (queryStart[s + 1] - queryStart[s]) + i and attends to the positions up to its
 * own, at most the last `window`. Each program takes BM queries of one sequence and one query head: row block b of sequence s is
 * program floor(queryStart[s] / BM) + s + b, which needs no list of blocks from the host. Queries that no sequence covers are not
 * written; a query without any key (lens 0) gives zeros.
 * The default blocks fit the least shared memory; `prefillConfig` gives those that suit a device.
 * @param q `[N, HQ, D]`, all sequences one after another
 * @param kCache `[NB, PAGE, HKV, D]`, holding past and new keys; slots past a length are never read
 * @param vCache like kCache
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param queryStart i32 `[S + 1]`, rising: rows of q where each sequence begins, and the end of the last
 * @param lens i32 `[S]`: past and new tokens of each sequence
 * @param scale factor of the scores, usually 1/√D
 * @param window positions attended to, the query's own included; 0 for all
 * @returns o `[N, HQ, D]`; with a config SOFTCAP above 0 each score s counts as SOFTCAP · tanh(s / SOFTCAP)
 * @source arXiv 2205.14135 (online softmax over blocks of keys), arXiv 2309.06180 (paged keys and values)
 */
export const prefillAttention = kernel(
  {
    name: "prefill_attention",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "N", "HQ", "D"),
      kCache: tensor("T", "NB", "PAGE", "HKV", "D"),
      vCache: tensor("T", "NB", "PAGE", "HKV", "D"),
      table: tensor("i32", "S", "MAXB"),
      queryStart: tensor("i32", "S1"),
      lens: tensor("i32", "S"),
      o: out("T", "N", "HQ", "D"),
      scale: scalar("f32"),
      window: scalar("i32"),
    },
    config: { BM: 16, BN: 16, BS: 128, stages: 2, SOFTCAP: 0 },
    tune: { BM: [16, 32, 64, 128], BN: [16, 32, 64, 128], stages: [1, 2, 3] },
    specialize: ["D", "PAGE"],
    grid: ({ N, HQ, S }, { BM }) => [HQ, cdiv(N, BM) + S],
  },
  (
    { q, kCache, vCache, table, queryStart, lens, o, scale, window, HQ, HKV, S, D, PAGE, T },
    { BM, BN, BS, stages, SOFTCAP },
  ) => {
    const h = pid(0);
    const block = pid(1);
    let begun = 0; // sequences whose first row block is at or before this program
    for (const i of range(0, S, BS)) {
      const start = load(queryStart, [span(i, BS, S)]);
      const first = floordiv(start, BM) + i + iota(BS);
      begun = begun + sum(where(i + iota(BS) < S && first <= block, 1, 0), "BS");
    }
    if (begun > 0) {
      const s = begun - 1;
      const rowStart = load(queryStart, [s]);
      const rowEnd = load(queryStart, [s + 1]);
      const m0 = (block - floordiv(rowStart, BM) - s) * BM;
      if (m0 < rowEnd - rowStart) {
        const len = load(lens, [s]);
        const kvHead = floordiv(h, floordiv(HQ, HKV));
        const rows = span(rowStart + m0, BM, rowEnd);
        const p0 = len - (rowEnd - rowStart) + m0; // position of the first query
        const reach = where(window > 0, window, NO_WINDOW);
        const low = maximum(p0 - reach + 1, 0); // first position that any of the queries sees
        const qpos = p0 + iota(BM);
        const qt = load(q, [rows, h, all(D)]);
        let m = full("f32", LOWEST, BM);
        let l = zeros("f32", BM);
        let acc = zeros("f32", BM, D);
        const begin = floordiv(low, BN) * BN;
        for (const n of range(begin, minimum(len, p0 + BM), BN, { stages })) {
          const kpos = n + iota(BN);
          const pages = load(
            table,
            [s, gather(where(kpos >= low && kpos < len, floordiv(kpos, PAGE), -1))],
            {
              fill: -1,
            },
          );
          const slot = mod(kpos, PAGE);
          const kt = load(kCache, [gather(pages), gather(slot), kvHead, all(D)]);
          const scores = dot(qt, kt);
          const x =
            SOFTCAP === 0
              ? scores * (scale * Math.LOG2E)
              : tanh(scores * (scale / SOFTCAP)) * (SOFTCAP * Math.LOG2E);
          const seen = kpos <= qpos && kpos > qpos - reach;
          const masked = where(seen, x, -Infinity); // [BM, BN]
          const mNew = maximum(m, max(masked, "BN"));
          const p = exp2(masked - mNew);
          const alpha = exp2(m - mNew);
          l = l * alpha + sum(p, "BN");
          const vt = load(vCache, [gather(pages), gather(slot), kvHead, all(D)]);
          acc = dot(cast(p, T), vt, acc * alpha);
          m = mNew;
        }
        store(o, [rows, h, all(D)], cast(acc / maximum(l, 1e-30), T));
      }
    }
  },
);

interface Heads {
  readonly hq: number;
  readonly hkv: number;
  readonly d: number;
  readonly page: number;
}

function problemOf(
  name: string,
  seed: number,
  heads: Heads,
  sequences: readonly Sequence[],
  rest: Partial<Problem> & { readonly spare?: number } = {},
): Omit<Problem, "dtypes"> {
  const { spare = 0, ...others } = rest;
  const longest = Math.max(0, ...sequences.map(({ length }) => length));
  return {
    name,
    seed,
    sequences,
    dims: {
      N: sequences.reduce((n, { queries }) => n + queries, 0) + spare,
      HQ: heads.hq,
      HKV: heads.hkv,
      D: heads.d,
      PAGE: heads.page,
      NB: pagesNeeded(sequences, heads.page),
      S: sequences.length,
      S1: sequences.length + 1,
      MAXB: Math.ceil(longest / heads.page) + 1,
    },
    ...others,
  };
}

const SMALL = { BM: 16, BN: 16, BS: 4 };
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf("no sequences", 1, { hq: 1, hkv: 1, d: 16, page: 4 }, [], { config: SMALL }),
  problemOf("one token", 2, { hq: 1, hkv: 1, d: 8, page: 4 }, [seq(1, 1)], { config: SMALL }),
  problemOf(
    "ragged with past, groups of 2",
    3,
    { hq: 4, hkv: 2, d: 16, page: 4 },
    [seq(5, 5), seq(1, 19), seq(17, 40), seq(0, 7), seq(16, 16)],
    { config: SMALL },
  ),
  problemOf(
    "padding sequence",
    4,
    { hq: 2, hkv: 1, d: 16, page: 4 },
    [seq(3, 3), seq(2, 0), seq(0, 0)],
    {
      config: SMALL,
      spare: 2,
    },
  ),
  problemOf(
    "window, page as large as a block",
    5,
    { hq: 2, hkv: 2, d: 64, page: 16 },
    [seq(20, 37), seq(3, 50)],
    { config: SMALL, options: { window: 7 } },
  ),
  problemOf("window of 1", 6, { hq: 1, hkv: 1, d: 16, page: 16 }, [seq(9, 20)], {
    config: SMALL,
    options: { window: 1 },
  }),
  problemOf(
    "groups of 7, head dim 80",
    7,
    { hq: 7, hkv: 1, d: 80, page: 4 },
    [seq(15, 31), seq(17, 33)],
    {
      config: SMALL,
    },
  ),
  problemOf("groups of 4, head dim 128", 8, { hq: 4, hkv: 1, d: 128, page: 16 }, [seq(17, 33)], {
    config: { BM: 16, BN: 8 },
  }),
  problemOf(
    "large blocks, head dim 128",
    9,
    { hq: 2, hkv: 1, d: 128, page: 16 },
    [seq(65, 130), seq(63, 63)],
    { config: { BM: 64, BN: 64 } },
  ),
  problemOf("soft cap", 11, { hq: 2, hkv: 1, d: 16, page: 4 }, [seq(7, 21)], {
    config: { ...SMALL, SOFTCAP: 1.5 },
  }),
  problemOf("default blocks", 10, { hq: 2, hkv: 1, d: 64, page: 16 }, [seq(17, 50), seq(15, 15)]),
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const sequences = sequencesOf(problem);
  const window = problem.options?.["window"] ?? 0;
  const starts = [0];
  for (const { queries } of sequences) starts.push((starts.at(-1) ?? 0) + queries);
  const firstRead = ({ queries, length }: Sequence) =>
    window === 0 ? 0 : Math.max(0, length - queries - window + 1);
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), [
        dimOf(problem, "N"),
        dimOf(problem, "HQ"),
        dimOf(problem, "D"),
      ]),
      ...pagedCache(problem, random, firstRead),
      queryStart: intTensor(starts),
      lens: intTensor(sequences.map(({ length }) => length)),
    },
    scalars: { scale: attentionScale(dimOf(problem, "D")), window },
  };
}

function reference(call: ReferenceCall) {
  const [q, table] = [tensorOf(call, "q"), tensorOf(call, "table")];
  const o = editable(tensorOf(call, "o"));
  const [, heads = 0, d = 0] = q.shape;
  const group = heads / dimOf(call.problem, "HKV");
  const window = scalarOf(call, "window");
  let row = 0;
  sequencesOf(call.problem).forEach(({ queries, length }, s) => {
    for (let i = 0; i < queries; i++, row++) {
      const end = Math.max(0, length - queries + i + 1);
      const first = window > 0 ? Math.max(0, end - window) : 0;
      for (let h = 0; h < heads; h++) {
        const query = Array.from({ length: d }, (_, c) => elementAt(q, row, h, c));
        const keyAt = pagedReader(tensorOf(call, "kCache"), table, s, Math.floor(h / group));
        const valueAt = pagedReader(tensorOf(call, "vCache"), table, s, Math.floor(h / group));
        const { output } = attendNaively(
          query,
          first,
          end,
          scalarOf(call, "scale"),
          keyAt,
          valueAt,
          softcapOf(call.problem),
        );
        o.setRow(output, row, h);
      }
    }
  });
  return {
    o: {
      data: o.data,
      tolerance: attentionTolerance(
        q.dtype,
        dimOf(call.problem, "MAXB") * dimOf(call.problem, "PAGE"),
      ),
    },
  };
}

/** Pairs of a query and a key that are attended to, over all sequences. */
function attendedPairs(problem: Problem): number {
  const window = problem.options?.["window"] ?? 0;
  return sequencesOf(problem).reduce((total, { queries, length }) => {
    let pairs = 0;
    for (let end = length - queries + 1; end <= length; end++) {
      pairs += Math.max(0, window > 0 ? Math.min(end, window) : end);
    }
    return total + pairs;
  }, 0);
}

export const prefillAttentionEntry = defineKernelEntry({
  kernel: prefillAttention,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const tokens = sequencesOf(problem).reduce((n, { length }) => n + length, 0);
    const rows = 2 * dimOf(problem, "N") * dimOf(problem, "HQ");
    const elements = (rows + 2 * tokens * dimOf(problem, "HKV")) * dimOf(problem, "D");
    return storageBytes(dtypeOf(problem, "T"), elements);
  },
  flops: (problem) => 4 * attendedPairs(problem) * dimOf(problem, "HQ") * dimOf(problem, "D"),
});
