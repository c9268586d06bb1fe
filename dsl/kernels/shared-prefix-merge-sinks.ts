/** [dsl/kernels] shared-prefix-merge.ts for heads with a sink: a score of its own that takes a share of the softmax and gives no value. */
import { kernel, tensor } from "../language.ts";
import { cast, cdiv, load, pid, span } from "../ops/catalogue.ts";
import { defineKernelEntry, dimOf, dtypeOf, forDTypes, tensorOf } from "./define-kernel-entry.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";
import { mergeInputs, mergeReference } from "./shared-merge-samples.ts";
import { mergeSharedHeads, SHARED_MERGE_CONFIG, SHARED_PIECE_PARAMS } from "./shared-pieces.ts";
import { sharedMergeBytes, sharedMergeFlops } from "./shared-prefix-merge.ts";
import { MERGE_SHAPES } from "./shared-samples.ts";

/**
 * o = Σ partial · 2^lse / (2^(sink · log2 e) + Σ 2^lse); otherwise like `sharedPrefixMerge`. The sink counts once, before all pieces.
 * @param sinks `[HKV, G]`, finite: scores of no key, after scaling
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 * @source arXiv 2309.17453 (attention sinks), in the learned form of gpt-oss
 */
export const sharedPrefixMergeSinks = kernel(
  {
    name: "shared_prefix_merge_sinks",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { ...SHARED_PIECE_PARAMS, sinks: tensor("T", "HKV", "G") },
    config: SHARED_MERGE_CONFIG,
    tune: { GP: [1, 2, 4, 8], BJ: [4, 8, 16, 32, 64], stages: [1, 2] },
    specialize: ["G", "D"],
    grid: ({ S, HKV, G }, { GP }) => [cdiv(G, GP), HKV, S],
  },
  (args, config) => {
    const { GP } = config;
    const sink = cast(load(args.sinks, [pid(1), span(pid(0) * GP, GP)], { when: "early" }), "f32");
    mergeSharedHeads(args, config, sink * Math.LOG2E, 1);
  },
);

export const sharedPrefixMergeSinksEntry = defineKernelEntry({
  kernel: sharedPrefixMergeSinks,
  samples: forDTypes("T", ["f32", "f16", "bf16"], MERGE_SHAPES.slice(2, 4)),
  inputs: (problem) => {
    const { tensors, scalars } = mergeInputs(problem, SHARED_MERGE_CONFIG);
    const shape = [dimOf(problem, "HKV"), dimOf(problem, "G")];
    const sinks = randomTensor(randomSource(problem.seed + 50), dtypeOf(problem, "T"), shape, 3);
    return { tensors: { ...tensors, sinks }, scalars };
  },
  reference: (call) =>
    mergeReference(
      call,
      SHARED_MERGE_CONFIG,
      (h, g) => elementAt(tensorOf(call, "sinks"), h, g) * Math.LOG2E,
    ),
  bytes: sharedMergeBytes,
  flops: sharedMergeFlops,
});
