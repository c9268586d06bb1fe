/** [dsl/kernels] paged-decode-merge.ts for heads with a sink: a score of its own that takes a share of the softmax and gives no value. */
import { kernel, tensor } from "../language.ts";
import { cast, cdiv, load, pid, span } from "../ops/catalogue.ts";
import { defineKernelEntry, dimOf, dtypeOf, forDTypes, tensorOf } from "./define-kernel-entry.ts";
import { mergeHeads, PIECE_CONFIG, PIECE_PARAMS } from "./merge-pieces.ts";
import {
  PIECE_SHAPES,
  pieceBytes,
  pieceFlops,
  pieceInputs,
  pieceReference,
} from "./paged-decode-merge.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * o = Σ partial · 2^lse / (2^(sink · log2 e) + Σ 2^lse) over the pieces of each sequence; otherwise like `pagedDecodeMerge`.
 * @param sinks `[HKV, G]`, finite: scores of no key, after scaling
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 * @source arXiv 2309.17453 (attention sinks), in the learned form of gpt-oss
 */
export const pagedDecodeMergeSinks = kernel(
  {
    name: "paged_decode_merge_sinks",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { ...PIECE_PARAMS, sinks: tensor("T", "HKV", "G") },
    config: PIECE_CONFIG,
    tune: { GP: [1, 2, 4, 8], BJ: [4, 8, 16, 32, 64], stages: [1, 2] },
    specialize: ["D"],
    grid: ({ S, HKV, G }, { GP }) => [cdiv(G, GP), HKV, S],
  },
  (args, config) => {
    const { GP } = config;
    const sink = cast(load(args.sinks, [pid(1), span(pid(0) * GP, GP)], { when: "early" }), "f32");
    mergeHeads(args, config, sink * Math.LOG2E, 1);
  },
);

export const pagedDecodeMergeSinksEntry = defineKernelEntry({
  kernel: pagedDecodeMergeSinks,
  samples: [
    ...forDTypes("T", ["f32"], PIECE_SHAPES.slice(2, 4)),
    ...forDTypes("T", ["f32", "f16", "bf16"], PIECE_SHAPES.slice(4)),
  ],
  inputs: (problem) => {
    const { tensors, scalars } = pieceInputs(problem);
    const shape = [dimOf(problem, "HKV"), dimOf(problem, "G")];
    const sinks = randomTensor(randomSource(problem.seed + 50), dtypeOf(problem, "T"), shape, 3);
    return { tensors: { ...tensors, sinks }, scalars };
  },
  reference: (call) =>
    pieceReference(call, (h, g) => elementAt(tensorOf(call, "sinks"), h, g) * Math.LOG2E),
  bytes: pieceBytes,
  flops: pieceFlops,
});
