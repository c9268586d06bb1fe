/** [dsl/kernels] Every kernel, one line each, and the records that tests, drivers and benchmarks run. The side door of the room. */
import { addLayerNormEntry } from "./add-layer-norm.ts";
import { addRmsNormEntry } from "./add-rms-norm.ts";
import { addRmsNormQuantizeEntry } from "./add-rms-norm-quantize.ts";
import { adjustLogitsEntry } from "./adjust-logits.ts";
import { attentionEntry } from "./attention.ts";
import { attentionFp8Entry } from "./attention-fp8.ts";
import { capLogitsEntry } from "./cap-logits.ts";
import { causalConvEntry } from "./causal-conv.ts";
import { clearCountsEntry } from "./clear-counts.ts";
import { convStateWriteEntry } from "./conv-state-write.ts";
import { countTokensEntry } from "./count-tokens.ts";
import type { KernelEntry } from "./define-kernel-entry.ts";
import { embeddingEntry } from "./embedding.ts";
import { embeddingWithPositionsEntry } from "./embedding-with-positions.ts";
import { gatedRmsNormEntry } from "./gated-rms-norm.ts";
import { geluAndMulEntry } from "./gelu-and-mul.ts";
import { geluRowsEntry } from "./gelu-rows.ts";
import { headLinearEntry } from "./head-linear.ts";
import { layerNormEntry } from "./layer-norm.ts";
import { linearEntry } from "./linear.ts";
import { linearBiasEntry } from "./linear-bias.ts";
import { linearBiasSmallEntry } from "./linear-bias-small.ts";
import { linearFp8Entry } from "./linear-fp8.ts";
import { linearFp8BlockEntry } from "./linear-fp8-block.ts";
import { linearFp8TensorEntry } from "./linear-fp8-tensor.ts";
import { linearInt8Entry } from "./linear-int8.ts";
import { linearSmallEntry } from "./linear-small.ts";
import { linearW4Entry } from "./linear-w4.ts";
import { linearW4ZerosEntry } from "./linear-w4-zeros.ts";
import { logProbabilitiesEntry } from "./log-probabilities.ts";
import { mlaDecodeEntry } from "./mla-decode.ts";
import { mlaDecodeHalvesEntry } from "./mla-decode-halves.ts";
import { mlaExpandEntry } from "./mla-expand.ts";
import { mlaGatherEntry } from "./mla-gather.ts";
import { mlaPrefillEntry } from "./mla-prefill.ts";
import { mlaRopeEntry } from "./mla-rope.ts";
import { mlaRopeWholeEntry } from "./mla-rope-whole.ts";
import { mlaSharesEntry } from "./mla-shares.ts";
import { mlaWriteEntry } from "./mla-write.ts";
import { moeAlignEntry } from "./moe-align.ts";
import { moeCombineEntry } from "./moe-combine.ts";
import { moeCountEntry } from "./moe-count.ts";
import { moeGemmEntry } from "./moe-gemm.ts";
import { moeGemmQuantizedEntry } from "./moe-gemm-quantized.ts";
import { moeGemmScaledEntry } from "./moe-gemm-scaled.ts";
import { moeRouteEntry } from "./moe-route.ts";
import { moeRouteSigmoidEntry } from "./moe-route-sigmoid.ts";
import { packTensorEntry } from "./pack-tensor.ts";
import { pageCopyEntry } from "./page-copy.ts";
import { pageWidenEntry } from "./page-widen.ts";
import { pagedAttentionEntry } from "./paged-attention.ts";
import { pagedDecodeEntry } from "./paged-decode.ts";
import { pagedDecodeMergeEntry } from "./paged-decode-merge.ts";
import { pagedDecodeMergeSinksEntry } from "./paged-decode-merge-sinks.ts";
import { pagedDecodeMergedEntry } from "./paged-decode-merged.ts";
import { pagedDecodeMergedSinksEntry } from "./paged-decode-merged-sinks.ts";
import { pagedSinkAttentionEntry } from "./paged-sink-attention.ts";
import { pagedVerifyEntry } from "./paged-verify.ts";
import { permuteColumnsEntry } from "./permute-columns.ts";
import { permuteSlotsEntry } from "./permute-slots.ts";
import { prefillAttentionEntry } from "./prefill-attention.ts";
import { prefillSinkAttentionEntry } from "./prefill-sink-attention.ts";
import { qkNormEntry } from "./qk-norm.ts";
import { qkNormRopeKvWriteEntry } from "./qk-norm-rope-kv-write.ts";
import { qkRowNormEntry } from "./qk-row-norm.ts";
import { quantizeRowsEntry } from "./quantize-rows.ts";
import { quantizeStaticEntry } from "./quantize-static.ts";
import { raggedAttentionEntry } from "./ragged-attention.ts";
import { rmsNormEntry } from "./rms-norm.ts";
import { rmsNormAddEntry } from "./rms-norm-add.ts";
import { rmsNormQuantizeEntry } from "./rms-norm-quantize.ts";
import { ropeKvWriteEntry } from "./rope-kv-write.ts";
import { sampleEntry } from "./sample.ts";
import { selectTokensEntry } from "./select-tokens.ts";
import { sharedPrefixDecodeEntry } from "./shared-prefix-decode.ts";
import { sharedPrefixMergeEntry } from "./shared-prefix-merge.ts";
import { sharedPrefixMergeSinksEntry } from "./shared-prefix-merge-sinks.ts";
import { sharedSuffixDecodeEntry } from "./shared-suffix-decode.ts";
import { siluAndMulEntry } from "./silu-and-mul.ts";
import { siluAndMulQuantizeEntry } from "./silu-and-mul-quantize.ts";
import { ssdScanEntry } from "./ssd-scan.ts";
import { ssdStepEntry } from "./ssd-step.ts";
import { topLogProbabilitiesEntry } from "./top-log-probabilities.ts";
import { unpackTensorEntry } from "./unpack-tensor.ts";

export { addLayerNorm } from "./add-layer-norm.ts";
export { addRmsNorm } from "./add-rms-norm.ts";
export { addRmsNormQuantize } from "./add-rms-norm-quantize.ts";
export { adjustLogits, IN_PROMPT } from "./adjust-logits.ts";
export { attention } from "./attention.ts";
export * from "./attention-config.ts";
export { attentionFp8 } from "./attention-fp8.ts";
export { capLogits } from "./cap-logits.ts";
export { causalConv } from "./causal-conv.ts";
export { clearCounts } from "./clear-counts.ts";
export { convStateWrite } from "./conv-state-write.ts";
export { countTokens } from "./count-tokens.ts";
export { SHARE_NUMBERS } from "./decode-line.ts";
export * from "./define-kernel-entry.ts";
export { embedding } from "./embedding.ts";
export { embeddingWithPositions } from "./embedding-with-positions.ts";
export { gatedRmsNorm } from "./gated-rms-norm.ts";
export { geluAndMul } from "./gelu-and-mul.ts";
export { geluRows } from "./gelu-rows.ts";
export { headLinear } from "./head-linear.ts";
export { layerNorm } from "./layer-norm.ts";
export { linear } from "./linear.ts";
export { linearBias } from "./linear-bias.ts";
export { linearBiasSmall } from "./linear-bias-small.ts";
export { linearFp8 } from "./linear-fp8.ts";
export { linearFp8Block } from "./linear-fp8-block.ts";
export { linearFp8Tensor } from "./linear-fp8-tensor.ts";
export { linearInt8 } from "./linear-int8.ts";
export { linearSmall } from "./linear-small.ts";
export { linearW4 } from "./linear-w4.ts";
export { linearW4Zeros } from "./linear-w4-zeros.ts";
export { logProbabilities } from "./log-probabilities.ts";
export { mlaDecode } from "./mla-decode.ts";
export { mlaDecodeHalves } from "./mla-decode-halves.ts";
export { mlaExpand } from "./mla-expand.ts";
export { mlaGather } from "./mla-gather.ts";
export { mlaPrefill } from "./mla-prefill.ts";
export { mlaRope } from "./mla-rope.ts";
export { mlaRopeWhole } from "./mla-rope-whole.ts";
export { mlaShares } from "./mla-shares.ts";
export { mlaWrite } from "./mla-write.ts";
export { alignedBlocks, moeAlign } from "./moe-align.ts";
export { moeCombine } from "./moe-combine.ts";
export { moeCount } from "./moe-count.ts";
export * from "./moe-gates.ts";
export { moeGemm } from "./moe-gemm.ts";
export { moeGemmQuantized } from "./moe-gemm-quantized.ts";
export { moeGemmScaled } from "./moe-gemm-scaled.ts";
export { moeRoute } from "./moe-route.ts";
export { moeRouteSigmoid } from "./moe-route-sigmoid.ts";
export { type PackDigit, packConfig } from "./pack-order.ts";
export { packTensor } from "./pack-tensor.ts";
export { pageCopy } from "./page-copy.ts";
export { pageWiden } from "./page-widen.ts";
export { pagedAttention } from "./paged-attention.ts";
export { pagedDecode } from "./paged-decode.ts";
export { pagedDecodeMerge } from "./paged-decode-merge.ts";
export { pagedDecodeMergeSinks } from "./paged-decode-merge-sinks.ts";
export { pagedDecodeMerged } from "./paged-decode-merged.ts";
export { pagedDecodeMergedSinks } from "./paged-decode-merged-sinks.ts";
export { pagedSinkAttention } from "./paged-sink-attention.ts";
export { pagedVerify } from "./paged-verify.ts";
export { permuteColumns } from "./permute-columns.ts";
export { permuteSlots } from "./permute-slots.ts";
export { prefillAttention } from "./prefill-attention.ts";
export { prefillSinkAttention } from "./prefill-sink-attention.ts";
export { qkNorm } from "./qk-norm.ts";
export { qkNormRopeKvWrite } from "./qk-norm-rope-kv-write.ts";
export { qkRowNorm } from "./qk-row-norm.ts";
export { quantizeRows } from "./quantize-rows.ts";
export { quantizeStatic } from "./quantize-static.ts";
export { raggedAttention } from "./ragged-attention.ts";
export { rmsNorm } from "./rms-norm.ts";
export { rmsNormAdd } from "./rms-norm-add.ts";
export { rmsNormQuantize } from "./rms-norm-quantize.ts";
export { ropeKvWrite } from "./rope-kv-write.ts";
export * from "./row-block-list.ts";
export { GREEDY_BELOW, sample } from "./sample.ts";
export { selectTokens } from "./select-tokens.ts";
export { sharedPrefixDecode } from "./shared-prefix-decode.ts";
export { sharedPrefixMerge } from "./shared-prefix-merge.ts";
export { sharedPrefixMergeSinks } from "./shared-prefix-merge-sinks.ts";
export { sharedSuffixDecode } from "./shared-suffix-decode.ts";
export { siluAndMul } from "./silu-and-mul.ts";
export { siluAndMulQuantize } from "./silu-and-mul-quantize.ts";
export { ssdScan } from "./ssd-scan.ts";
export { ssdStep } from "./ssd-step.ts";
export { topLogProbabilities } from "./top-log-probabilities.ts";
export { unpackTensor } from "./unpack-tensor.ts";

/** All kernels, in alphabetical order. */
export const KERNEL_ENTRIES: readonly KernelEntry[] = [
  addLayerNormEntry,
  addRmsNormEntry,
  addRmsNormQuantizeEntry,
  adjustLogitsEntry,
  attentionEntry,
  attentionFp8Entry,
  capLogitsEntry,
  causalConvEntry,
  clearCountsEntry,
  convStateWriteEntry,
  countTokensEntry,
  embeddingEntry,
  embeddingWithPositionsEntry,
  gatedRmsNormEntry,
  geluAndMulEntry,
  geluRowsEntry,
  headLinearEntry,
  layerNormEntry,
  linearEntry,
  linearBiasEntry,
  linearBiasSmallEntry,
  linearFp8Entry,
  linearFp8BlockEntry,
  linearFp8TensorEntry,
  linearInt8Entry,
  linearSmallEntry,
  linearW4Entry,
  linearW4ZerosEntry,
  logProbabilitiesEntry,
  mlaDecodeEntry,
  mlaDecodeHalvesEntry,
  mlaExpandEntry,
  mlaGatherEntry,
  mlaPrefillEntry,
  mlaRopeEntry,
  mlaRopeWholeEntry,
  mlaSharesEntry,
  mlaWriteEntry,
  moeAlignEntry,
  moeCombineEntry,
  moeCountEntry,
  moeGemmEntry,
  moeGemmQuantizedEntry,
  moeGemmScaledEntry,
  moeRouteEntry,
  moeRouteSigmoidEntry,
  packTensorEntry,
  pageCopyEntry,
  pageWidenEntry,
  pagedAttentionEntry,
  pagedDecodeEntry,
  pagedDecodeMergeEntry,
  pagedDecodeMergeSinksEntry,
  pagedDecodeMergedEntry,
  pagedDecodeMergedSinksEntry,
  pagedSinkAttentionEntry,
  pagedVerifyEntry,
  permuteColumnsEntry,
  permuteSlotsEntry,
  prefillAttentionEntry,
  prefillSinkAttentionEntry,
  qkNormEntry,
  qkNormRopeKvWriteEntry,
  qkRowNormEntry,
  quantizeRowsEntry,
  quantizeStaticEntry,
  raggedAttentionEntry,
  rmsNormEntry,
  rmsNormAddEntry,
  rmsNormQuantizeEntry,
  ropeKvWriteEntry,
  sampleEntry,
  selectTokensEntry,
  sharedPrefixDecodeEntry,
  sharedPrefixMergeEntry,
  sharedPrefixMergeSinksEntry,
  sharedSuffixDecodeEntry,
  siluAndMulEntry,
  siluAndMulQuantizeEntry,
  ssdScanEntry,
  ssdStepEntry,
  topLogProbabilitiesEntry,
  unpackTensorEntry,
];
