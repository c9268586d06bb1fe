/** [dsl/kernels] paged-attention.ts for heads with a sink: a score of its own that takes a share of the softmax and gives no value. */
import { kernel, tensor } from "../language.ts";
import { cast, load } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type Problem,
  type Sequence,
  tensorOf,
} from "./define-kernel-entry.ts";
import { blockInputs, blockProblem } from "./paged-blocks.ts";
import { attendBlock, LISTED_CONFIG, LISTED_PARAMS, listedHead } from "./paged-rows.ts";
import { prefillBytes, prefillFlops, prefillReference } from "./prefill-attention.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Like `pagedAttention`, with e^sink added to the sum of exponentials of each query.
 * @param sinks `[HQ]`, finite: scores of no key, after scaling
 * @returns o `[N, HQ, D]`
 * @source arXiv 2309.17453 (attention sinks), in the learned form of gpt-oss
 */
export const pagedSinkAttention = kernel(
  {
    name: "paged_sink_attention",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { ...LISTED_PARAMS, sinks: tensor("T", "HQ") },
    config: LISTED_CONFIG,
    tune: { BM: [64, 128], BN: [64, 128], stages: [2, 3] },
    specialize: ["D", "PAGE"],
    grid: ({ B, HQ }, { heads }) => [heads === 0 ? HQ : heads, B],
  },
  (args, config) => {
    const h = listedHead(args);
    const sink = cast(load(args.sinks, [h]), "f32");
    const unit = config.SOFTCAP === 0 ? args.scale : config.SOFTCAP;
    attendBlock(args, config, h, sink / unit, 1);
  },
);

const SMALL = { BM: 16, BN: 16 };
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  blockProblem("one token", 1, { hq: 1, hkv: 1, d: 8, page: 4 }, [seq(1, 1)], SMALL),
  blockProblem(
    "ragged with past, window, rows without keys",
    2,
    { hq: 4, hkv: 2, d: 16, page: 4 },
    [seq(5, 5), seq(1, 19), seq(17, 40), seq(2, 0)],
    SMALL,
    { window: 7 },
  ),
  blockProblem(
    "two heads a block, soft cap",
    3,
    { hq: 4, hkv: 1, d: 64, page: 16 },
    [seq(17, 50), seq(15, 15)],
    { ...SMALL, heads: 2, SOFTCAP: 1.5 },
  ),
];

export const pagedSinkAttentionEntry = defineKernelEntry({
  kernel: pagedSinkAttention,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs: (problem) => {
    const { tensors, scalars } = blockInputs(problem);
    const heads = [dimOf(problem, "HQ")];
    const sinks = randomTensor(randomSource(problem.seed + 50), dtypeOf(problem, "T"), heads);
    return { tensors: { ...tensors, sinks }, scalars };
  },
  reference: (call) => prefillReference(call, (h) => elementAt(tensorOf(call, "sinks"), h)),
  bytes: prefillBytes,
  flops: prefillFlops,
});
