/**
 * [runtime/autotune/tuned] Configs for GPUs in software: few threads a block, since each barrier there is a switch of coroutines, and
 * small bodies, since building a pipeline takes longer than most launches.
 */
import type { TunedConfig, TunedTable } from "../store.ts";

const LINEAR: readonly TunedConfig[] = [{ config: { BM: 16, BN: 32, BK: 4, stages: 1, warps: 8 } }];
const FEW_ROWS = { BN: 32, BK: 4, KL: 1, KV: 4, stages: 1, warps: 8 };
const LINEAR_SMALL: readonly TunedConfig[] = [
  { dims: { M: [0, 4] }, config: { ...FEW_ROWS, BM: 1 } },
  { config: { ...FEW_ROWS, BM: 8 } },
];
const VOCABULARY: readonly TunedConfig[] = [{ config: { BV: 64 } }];

/** Rows padded to the group of query heads, as few as hold it. */
const DECODE: readonly TunedConfig[] = [
  { dims: { G: [1, 1] }, config: { GP: 1, BN: 16, BS: 8, stages: 1 } },
  { dims: { G: [2, 2] }, config: { GP: 2, BN: 16, BS: 8, stages: 1 } },
  { dims: { G: [3, 4] }, config: { GP: 4, BN: 16, BS: 8, stages: 1 } },
  { dims: { G: [5, 8] }, config: { GP: 8, BN: 16, BS: 8, stages: 1 } },
  { config: { BN: 16, BS: 8, stages: 1 } },
];

/**
 * @source CPU time of building and of launching each kernel on SwiftShader 5.0 (subgroups of 4), two cores, at the sizes of models of
 * hidden size 64 to 128 and head dim 8 to 32. Against the kernels' own defaults, in ms: linear of 32 × 384 × 128 builds in 0.2 s instead
 * of 0.7 and runs in 17 instead of 60; linear_small of 1 × 384 × 128 in 1.5 instead of 113; prefill_attention builds in 0.9 s instead of
 * 1.9; paged_decode builds in 0.5 s instead of 1.3 and runs in 8 instead of 18; sample runs in 3 instead of 29.
 */
export const WEBGPU_SOFTWARE: TunedTable = {
  embedding: [{ config: { BH: 256 } }],
  linear: LINEAR,
  linear_bias: LINEAR,
  linear_bias_small: LINEAR_SMALL,
  linear_small: LINEAR_SMALL,
  log_probabilities: VOCABULARY,
  moe_align: [{ config: { BS: 8, BC: 4, BB: 2, warps: 1 } }],
  moe_combine: [{ config: { BH: 256 } }],
  moe_count: [{ config: { BS: 16, warps: 1 } }],
  moe_gemm: [{ config: { BN: 16, BK: 4, stages: 1, warps: 4 } }],
  moe_gemm_quantized: [{ config: { BN: 16, BK: 16, stages: 1, warps: 4 } }],
  moe_gemm_scaled: [{ config: { BN: 16, BK: 16, stages: 1, warps: 4 } }],
  page_copy: [{ config: { BH: 2 } }],
  paged_decode: DECODE,
  prefill_attention: [{ config: { BM: 16, BN: 8, BS: 16, stages: 1 } }],
  qk_norm: [{ config: { BH: 2 } }],
  qk_norm_rope_kv_write: [{ config: { BH: 2 } }],
  rope_kv_write: [{ config: { BH: 2 } }],
  sample: [{ config: { BV: 64, warps: 1 } }],
  silu_and_mul: [{ config: { BI: 256 } }],
  top_log_probabilities: VOCABULARY,
};
