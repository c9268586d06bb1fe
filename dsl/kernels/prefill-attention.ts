/** [dsl/kernels] Attention of new tokens over a paged cache: any batch of sequences with past, causal, grouped heads, sliding window. */
import { storageBytes } from "../core/dtype.ts";
import { kernel } from "../language.ts";
import { cdiv } from "../ops/catalogue.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
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
  valueReader,
  valueScale,
} from "./paged-samples.ts";
import { attendRows, PREFILL_CONFIG, PREFILL_PARAMS } from "./prefill-rows.ts";
import { editable, elementAt, intTensor, randomSource, randomTensor } from "./sample-data.ts";

/** Start of the running maximum: finite, so that a row without keys gives exp2(-inf - start) = 0 and not NaN. */
const LOWEST = -1e30;

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
 * @param scale factor of the scores, usually 1/√D; where cached keys of 8 bits have a scale, times that
 * @param vScale what cached values of 8 bits are multiplied by; not looked at for other caches
 * @param window positions attended to, the query's own included; 0 for all
 * @returns o `[N, HQ, D]`; with a config SOFTCAP above 0 each score s counts as SOFTCAP · tanh(s / SOFTCAP)
 * @source arXiv 2205.14135 (online softmax over blocks of keys), arXiv 2309.06180 (paged keys and values)
 */
export const prefillAttention = kernel(
  {
    name: "prefill_attention",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: PREFILL_PARAMS,
    config: PREFILL_CONFIG,
    tune: { BM: [16, 32, 64, 128], BN: [16, 32, 64, 128], stages: [1, 2, 3] },
    specialize: ["D", "PAGE"],
    grid: ({ N, HQ, S }, { BM }) => [HQ, cdiv(N, BM) + S],
  },
  (args, config) => {
    attendRows(args, config, LOWEST, 0);
  },
);

export interface Heads {
  readonly hq: number;
  readonly hkv: number;
  readonly d: number;
  readonly page: number;
}

export function prefillProblem(
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
  prefillProblem("no sequences", 1, { hq: 1, hkv: 1, d: 16, page: 4 }, [], { config: SMALL }),
  prefillProblem("one token", 2, { hq: 1, hkv: 1, d: 8, page: 4 }, [seq(1, 1)], { config: SMALL }),
  prefillProblem(
    "ragged with past, groups of 2",
    3,
    { hq: 4, hkv: 2, d: 16, page: 4 },
    [seq(5, 5), seq(1, 19), seq(17, 40), seq(0, 7), seq(16, 16)],
    { config: SMALL },
  ),
  prefillProblem(
    "padding sequence",
    4,
    { hq: 2, hkv: 1, d: 16, page: 4 },
    [seq(3, 3), seq(2, 0), seq(0, 0)],
    {
      config: SMALL,
      spare: 2,
    },
  ),
  prefillProblem(
    "window, page as large as a block",
    5,
    { hq: 2, hkv: 2, d: 64, page: 16 },
    [seq(20, 37), seq(3, 50)],
    { config: SMALL, options: { window: 7 } },
  ),
  prefillProblem("window of 1", 6, { hq: 1, hkv: 1, d: 16, page: 16 }, [seq(9, 20)], {
    config: SMALL,
    options: { window: 1 },
  }),
  prefillProblem(
    "groups of 7, head dim 80",
    7,
    { hq: 7, hkv: 1, d: 80, page: 4 },
    [seq(15, 31), seq(17, 33)],
    {
      config: SMALL,
    },
  ),
  prefillProblem(
    "groups of 4, head dim 128",
    8,
    { hq: 4, hkv: 1, d: 128, page: 16 },
    [seq(17, 33)],
    {
      config: { BM: 16, BN: 8 },
    },
  ),
  prefillProblem(
    "large blocks, head dim 128",
    9,
    { hq: 2, hkv: 1, d: 128, page: 16 },
    [seq(65, 130), seq(63, 63)],
    { config: { BM: 64, BN: 64 } },
  ),
  prefillProblem("soft cap", 11, { hq: 2, hkv: 1, d: 16, page: 4 }, [seq(7, 21)], {
    config: { ...SMALL, SOFTCAP: 1.5 },
  }),
  prefillProblem("head dim 256", 12, { hq: 2, hkv: 1, d: 256, page: 16 }, [seq(6, 19)], {
    config: { BM: 4, BN: 8, BS: 4, stages: 1 },
  }),
  prefillProblem("default blocks", 10, { hq: 2, hkv: 1, d: 64, page: 16 }, [
    seq(17, 50),
    seq(15, 15),
  ]),
];

/** What may differ where pages hold bytes. */
const BYTE_SHAPES = SHAPES.filter(({ name }) =>
  ["ragged with past, groups of 2", "window, page as large as a block", "default blocks"].includes(
    name,
  ),
);

export function prefillInputs(problem: Problem): KernelInputs {
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
    scalars: { scale: attentionScale(dimOf(problem, "D")), vScale: valueScale(problem), window },
  };
}

/** @param sinkOf sink of a query head */
export function prefillReference(
  call: ReferenceCall,
  sinkOf: (head: number) => number = () => Number.NEGATIVE_INFINITY,
) {
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
        const valueAt = valueReader(call, s, Math.floor(h / group));
        const { output } = attendNaively(
          query,
          first,
          end,
          scalarOf(call, "scale"),
          keyAt,
          valueAt,
          { softcap: softcapOf(call.problem), sink: sinkOf(h) },
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
  samples: [
    ...inBytes(["f32", "bf16"], BYTE_SHAPES),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], SHAPES)),
  ],
  inputs: prefillInputs,
  reference: (call) => prefillReference(call),
  bytes: prefillBytes,
  flops: prefillFlops,
});

export function prefillBytes(problem: Problem): number {
  const tokens = sequencesOf(problem).reduce((n, { length }) => n + length, 0);
  const rows = 2 * dimOf(problem, "N") * dimOf(problem, "HQ") * dimOf(problem, "D");
  const cached = 2 * tokens * dimOf(problem, "HKV") * dimOf(problem, "D");
  return (
    storageBytes(dtypeOf(problem, "T"), rows) +
    storageBytes(problem.dtypes["C"] ?? dtypeOf(problem, "T"), cached)
  );
}

export function prefillFlops(problem: Problem): number {
  return 4 * attendedPairs(problem) * dimOf(problem, "HQ") * dimOf(problem, "D");
}
