/** [dsl/kernels] paged-decode-merged.ts for heads with a sink: a score of its own that takes a share of the softmax and gives no value. */
import { kernel, tensor } from "../language.ts";
import { cast, cdiv, load, span } from "../ops/catalogue.ts";
import type { Dim } from "../typing.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import { defineKernelEntry, dimOf, dtypeOf, forDTypes, tensorOf } from "./define-kernel-entry.ts";
import { decodeFlops } from "./paged-decode.ts";
import {
  decodeAndMerge,
  decodeForm,
  MERGED_CONFIG,
  MERGED_PARAMS,
  MERGED_SHAPES,
  MERGED_TUNE,
  mergedBytes,
  mergedInputs,
  mergedReference,
} from "./paged-decode-merged.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Like `pagedDecodeMerged`, with e^sink added to the sum of exponentials of each query head.
 * @param sinks `[HKV, G]`, finite: scores of no key, after scaling
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 * @source arXiv 2309.17453 (attention sinks), in the learned form of gpt-oss
 */
export const pagedDecodeMergedSinks = kernel(
  {
    name: "paged_decode_merged_sinks",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: { ...MERGED_PARAMS, sinks: tensor("T", "HKV", "G") },
    config: MERGED_CONFIG,
    tune: MERGED_TUNE,
    when: ({ GP, GM }) => GP % GM === 0,
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, G, P }, { GP }) => [HKV * cdiv(G, GP), P - S],
  },
  (args, config) => {
    const sinkAt = (h: number, g: number, rows: Dim): number =>
      cast(load(args.sinks, [h, span(g, rows)]), "f32") * Math.LOG2E;
    decodeAndMerge(args, config, decodeForm(args, config, sinkAt, 1));
  },
);

export const pagedDecodeMergedSinksEntry = defineKernelEntry({
  kernel: pagedDecodeMergedSinks,
  samples: [
    ...inBytes(["f32"], MERGED_SHAPES.slice(2, 3)),
    ...inOwnDType(forDTypes("T", ["f32", "bf16"], MERGED_SHAPES.slice(1, 3))),
    ...inOwnDType(forDTypes("T", ["f16"], MERGED_SHAPES.slice(3))),
  ],
  inputs: (problem) => {
    const { tensors, scalars } = mergedInputs(problem);
    const shape = [dimOf(problem, "HKV"), dimOf(problem, "G")];
    const sinks = randomTensor(randomSource(problem.seed + 50), dtypeOf(problem, "T"), shape, 3);
    return { tensors: { ...tensors, sinks }, scalars };
  },
  reference: (call) => mergedReference(call, (h, g) => elementAt(tensorOf(call, "sinks"), h, g)),
  bytes: mergedBytes,
  flops: decodeFlops,
});
