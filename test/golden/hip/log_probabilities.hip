// log_probabilities for hip gfx90a, made by tilewright
// config: BV=2048
// 256 threads in 4 warps of 64, 272 bytes of shared memory
//       0 … 16: top_parts f32[4]
//     128 … 144: total_parts f32[4]
//     256 … 272: t47_parts i32[4]

TW_KERNEL(256) log_probabilities(
    const f32* logits, const i32* target, f32* logprob, i32* rank, i32 R, i32 V) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 top_parts = smem;
  tw_label(top_parts, 16u, "top_parts");
  const u32 total_parts = smem + 128u;
  tw_label(total_parts, 16u, "total_parts");
  const u32 t47_parts = smem + 256u;
  tw_label(t47_parts, 16u, "t47_parts");
  const i64 target_at = (i64)pid0;
  i32 chosen;
  chosen = tw_ldg_nc<i32>(target + target_at);
  const bool t = chosen < 0;
  const bool logprob_in = pid0 < R;
  const bool is_first = thread == 0;
  if (t) {
    if (is_first) {
      const f32 logprob_tile = 0.0f;
      if (logprob_in) {
        tw_stg<f32>(logprob + target_at, logprob_tile);
      }
    }
    if (is_first) {
      const i32 rank_tile = 0;
      if (logprob_in) {
        tw_stg<i32>(rank + target_at, rank_tile);
      }
    }
  } else {
    const i64 logits_at = (i64)pid0 * (i64)V + (i64)chosen;
    f32 own;
    own = tw_ldg_nc<f32>(logits + logits_at);
    f32 l[8];
    f32 m[8];
    i32 above[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      l[r] = 0.0f;
      m[r] = -1e+30f;
      above[r] = 0;
    }
    const i64 logits_at_1 = (i64)pid0 * (i64)V + (i64)thread;
    for (i32 v = 0; v < V; v += 2048) {
      const i64 logits_at_2 = logits_at_1 + (i64)v;
      f32 x[8];
      const i32 left = V - v;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        x[r] = logprob_in && thread + r * 256 < left ? tw_ldg_nc<f32>(logits + (logits_at_2 + (i64)(r * 256))) : tw_bits_f32(0xff800000u);
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        const f32 mNew = tw_max(m[r], x[r]);
        l[r] = l[r] * tw_exp2((m[r] - mNew) * 1.442695f) + tw_exp2((x[r] - mNew) * 1.442695f);
        m[r] = mNew;
        above[r] = above[r] + (x[r] > own ? 1 : 0);
      }
    }
    f32 top = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      top = tw_max(top, m[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(top, 1);
    top = tw_max(top, other);
    other = tw_shfl_xor<f32>(top, 2);
    top = tw_max(top, other);
    other = tw_shfl_xor<f32>(top, 4);
    top = tw_max(top, other);
    other = tw_shfl_xor<f32>(top, 8);
    top = tw_max(top, other);
    other = tw_shfl_xor<f32>(top, 16);
    top = tw_max(top, other);
    other = tw_shfl_xor<f32>(top, 32);
    top = tw_max(top, other);
    const bool is_first_1 = lane == 0;
    if (is_first_1) {
      tw_sts<f32>(top_parts + (u32)warp * 4u, top);
    }
    tw_syncthreads();
    f32 parts[4];
    const tw_f32x4 parts_vec = tw_lds<tw_f32x4>(top_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y; parts[2] = parts_vec.z; parts[3] = parts_vec.w;
    top = parts[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      top = tw_max(top, parts[r]);
    }
    f32 total = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      total = total + l[r] * tw_exp2((m[r] - top) * 1.442695f);
    }
    f32 other_1;
    other_1 = tw_shfl_xor<f32>(total, 1);
    total = total + other_1;
    other_1 = tw_shfl_xor<f32>(total, 2);
    total = total + other_1;
    other_1 = tw_shfl_xor<f32>(total, 4);
    total = total + other_1;
    other_1 = tw_shfl_xor<f32>(total, 8);
    total = total + other_1;
    other_1 = tw_shfl_xor<f32>(total, 16);
    total = total + other_1;
    other_1 = tw_shfl_xor<f32>(total, 32);
    total = total + other_1;
    if (is_first_1) {
      tw_sts<f32>(total_parts + (u32)warp * 4u, total);
    }
    tw_syncthreads();
    f32 parts_1[4];
    const tw_f32x4 parts_1_vec = tw_lds<tw_f32x4>(total_parts);
    parts_1[0] = parts_1_vec.x; parts_1[1] = parts_1_vec.y; parts_1[2] = parts_1_vec.z;
    parts_1[3] = parts_1_vec.w;
    total = parts_1[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      total = total + parts_1[r];
    }
    if (is_first) {
      const f32 logprob_tile_1 = own - top - tw_log(total);
      if (logprob_in) {
        tw_stg<f32>(logprob + target_at, logprob_tile_1);
      }
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum = sum + above[r];
    }
    i32 other_2;
    other_2 = tw_shfl_xor<i32>(sum, 1);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<i32>(sum, 2);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<i32>(sum, 4);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<i32>(sum, 8);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<i32>(sum, 16);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<i32>(sum, 32);
    sum = sum + other_2;
    if (is_first_1) {
      tw_sts<i32>(t47_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    i32 parts_2[4];
    const tw_i32x4 parts_2_vec = tw_lds<tw_i32x4>(t47_parts);
    parts_2[0] = parts_2_vec.x; parts_2[1] = parts_2_vec.y; parts_2[2] = parts_2_vec.z;
    parts_2[3] = parts_2_vec.w;
    sum = parts_2[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      sum = sum + parts_2[r];
    }
    if (is_first) {
      const i32 rank_tile_1 = sum + 1;
      if (logprob_in) {
        tw_stg<i32>(rank + target_at, rank_tile_1);
      }
    }
  }
}
