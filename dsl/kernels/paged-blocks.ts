/** [dsl/kernels] Samples with a list of row blocks, for `pagedAttention`. No kernel is defined here. */
import {
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type Sequence,
} from "./define-kernel-entry.ts";
import { attentionScale, pagedCache, sequencesOf } from "./paged-samples.ts";
import { type Heads, prefillProblem } from "./prefill-attention.ts";
import { BLOCK_COLUMNS, rowBlocks } from "./row-block-list.ts";
import { hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/** What a sample's list depends on; `Problem.config` of such a sample holds all of it. */
interface BlockConfig {
  readonly BM: number;
  readonly BN: number;
  readonly heads?: number;
  readonly [name: string]: number | undefined;
}

function listOf(
  sequences: readonly Sequence[],
  hq: number,
  { BM, heads = 0 }: BlockConfig,
): Int32Array {
  return rowBlocks(sequences, { BM, HQ: hq, heads });
}

/** @param config block sizes and flags of `pagedAttention` */
export function blockProblem(
  name: string,
  seed: number,
  heads: Heads,
  sequences: readonly Sequence[],
  config: BlockConfig,
  rest: { readonly spare?: number; readonly window?: number } = {},
): Omit<Problem, "dtypes"> {
  const { spare = 0, window = 0 } = rest;
  const { dims, ...problem } = prefillProblem(name, seed, heads, sequences, { spare });
  const { S1: _, ...others } = dims;
  return {
    ...problem,
    dims: { ...others, B: listOf(sequences, heads.hq, config).length / BLOCK_COLUMNS },
    config: { WINDOW: window > 0 ? 1 : 0, ...(config as Record<string, number>) },
    options: { window },
  };
}

/** Slots before the first page that a block reads hold NaN: pages leave a window as a whole. */
export function blockInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const sequences = sequencesOf(problem);
  const window = problem.options?.["window"] ?? 0;
  const config = (problem.config ?? {}) as BlockConfig;
  const step = Math.min(dimOf(problem, "PAGE"), config.BN);
  const first = ({ queries, length }: Sequence) => Math.max(0, length - queries - window + 1);
  const firstRead = (sequence: Sequence) =>
    window === 0 ? 0 : Math.floor(first(sequence) / step) * step;
  const list = listOf(sequences, dimOf(problem, "HQ"), config);
  const [n, hq, d] = [dimOf(problem, "N"), dimOf(problem, "HQ"), dimOf(problem, "D")];
  const shape = [list.length / BLOCK_COLUMNS, BLOCK_COLUMNS];
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), [n, hq, d]),
      ...pagedCache(problem, random, firstRead),
      blocks: hostTensor("i32", shape, (i) => list[i] ?? 0),
    },
    scalars: { scale: attentionScale(d), window },
  };
}
