/** [dsl/kernels] decode-merge.ts for heads with a sink: a score of its own that takes a share of the softmax and gives no value. */
import { kernel, tensor } from "../language.ts";
import { cast, load, pid } from "../ops/catalogue.ts";
import {
  MERGE_SHAPES,
  mergeBytes,
  mergeFlops,
  mergeInputs,
  mergeReference,
} from "./decode-merge.ts";
import { defineKernelEntry, dimOf, dtypeOf, forDTypes, tensorOf } from "./define-kernel-entry.ts";
import { MERGE_CONFIG, MERGE_PARAMS, mergeSplits } from "./merge-splits.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * o = Σ partial · 2^lse / (2^(sink · log2 e) + Σ 2^lse) over the splits of each head. One program a head; BS splits a step.
 * @param partial f32 `[S, HKV, SPLIT, G, D]`
 * @param lse f32 `[S, HKV, SPLIT, G]`, log2 domain; `EMPTY_LOG_SUM` for a split without keys
 * @param sinks `[HKV, G]`, finite: scores of no key, after scaling
 * @returns o `[S, HKV, G, D]`; zeros where all splits are empty
 * @source arXiv 2309.17453 (attention sinks), in the learned form of gpt-oss
 */
export const decodeMergeSinks = kernel(
  {
    name: "decode_merge_sinks",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { ...MERGE_PARAMS, sinks: tensor("T", "HKV", "G") },
    config: MERGE_CONFIG,
    tune: { BS: [4, 8, 16, 32] },
    specialize: ["D"],
    grid: ({ S, HKV, G }) => [G, HKV, S],
  },
  (args, config) => {
    const sink = cast(load(args.sinks, [pid(1), pid(0)]), "f32");
    mergeSplits(args, config, sink * Math.LOG2E, 1);
  },
);

export const decodeMergeSinksEntry = defineKernelEntry({
  kernel: decodeMergeSinks,
  samples: forDTypes("T", ["f32", "f16", "bf16"], MERGE_SHAPES.slice(-2)),
  inputs: (problem) => {
    const { tensors, scalars } = mergeInputs(problem);
    const shape = [dimOf(problem, "HKV"), dimOf(problem, "G")];
    const sinks = randomTensor(randomSource(problem.seed + 50), dtypeOf(problem, "T"), shape, 3);
    return { tensors: { ...tensors, sinks }, scalars };
  },
  reference: (call) =>
    mergeReference(call, (h, g) => elementAt(tensorOf(call, "sinks"), h, g) * Math.LOG2E),
  bytes: mergeBytes,
  flops: mergeFlops,
});
