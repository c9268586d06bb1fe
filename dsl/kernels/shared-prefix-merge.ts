/** [dsl/kernels] Puts the pieces of shared-prefix-decode.ts and shared-suffix-decode.ts together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel } from "../language.ts";
import { cdiv } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type Problem,
} from "./define-kernel-entry.ts";
import { MERGE_LOWEST } from "./merge-pieces.ts";
import { mergeInputs, mergeReference } from "./shared-merge-samples.ts";
import { mergeSharedHeads, SHARED_MERGE_CONFIG, SHARED_PIECE_PARAMS } from "./shared-pieces.ts";
import { MERGE_SHAPES, prefixPieces, suffixPieces } from "./shared-samples.ts";

/**
 * o = Σ partial · 2^lse / Σ 2^lse over the pieces of what a sequence shares, then over its own. One program for GP heads of a kv head; BJ pieces a step.
 * @param prefix f32 `[PB, HKV, R, D]` of `sharedPrefixDecode`, prefixLse f32 `[PB, HKV, R]`, log2 domain
 * @param partial f32 `[P, HKV, G, D]` of `sharedSuffixDecode`, lse f32 `[P, HKV, G]`
 * @param tileLens i32 `[B]`, own i32 `[S]`: as there
 * @param place i32 `[S]`: tile · M + place among its members; -1 for a sequence that shares nothing
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 */
export const sharedPrefixMerge = kernel(
  {
    name: "shared_prefix_merge",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: SHARED_PIECE_PARAMS,
    config: SHARED_MERGE_CONFIG,
    tune: { GP: [1, 2, 4, 8], BJ: [4, 8, 16, 32, 64], stages: [1, 2] },
    specialize: ["G", "D"],
    grid: ({ S, HKV, G }, { GP }) => [cdiv(G, GP), HKV, S],
  },
  (args, config) => {
    mergeSharedHeads(args, config, MERGE_LOWEST, 0);
  },
);

export const sharedPrefixMergeEntry = defineKernelEntry({
  kernel: sharedPrefixMerge,
  samples: forDTypes("T", ["f32", "f16", "bf16"], MERGE_SHAPES),
  inputs: (problem) => mergeInputs(problem, SHARED_MERGE_CONFIG),
  reference: (call) => mergeReference(call, SHARED_MERGE_CONFIG),
  bytes: sharedMergeBytes,
  flops: sharedMergeFlops,
});

function pieceRows(problem: Problem): number {
  return (
    prefixPieces(problem, SHARED_MERGE_CONFIG).length * dimOf(problem, "R") +
    suffixPieces(problem, SHARED_MERGE_CONFIG).length * dimOf(problem, "G")
  );
}

export function sharedMergeFlops(problem: Problem): number {
  return 2 * pieceRows(problem) * dimOf(problem, "HKV") * dimOf(problem, "D");
}

export function sharedMergeBytes(problem: Problem): number {
  const [hkv, d] = [dimOf(problem, "HKV"), dimOf(problem, "D")];
  const rows = dimOf(problem, "S") * hkv * dimOf(problem, "G");
  return (
    storageBytes("f32", pieceRows(problem) * hkv * (d + 1)) +
    storageBytes(dtypeOf(problem, "T"), rows * d)
  );
}
