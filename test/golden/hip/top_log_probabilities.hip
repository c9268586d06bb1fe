// top_log_probabilities for hip gfx90a, made by tilewright
// config: BV=2048
// dims divisible: R%2 V%4
// 256 threads in 4 warps of 64, 400 bytes of shared memory
//       0 … 16: top_parts f32[4]
//     128 … 144: t30_parts f32[4]
//     256 … 272: last_parts f32[4]
//     384 … 400: lastId_parts i32[4]

TW_KERNEL(256) top_log_probabilities(
    const f32* logits, i32* ids, f32* logprobs, i32 R, i32 V, i32 K) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 top_parts = smem;
  tw_label(top_parts, 16u, "top_parts");
  const u32 t30_parts = smem + 128u;
  tw_label(t30_parts, 16u, "t30_parts");
  const u32 last_parts = smem + 256u;
  tw_label(last_parts, 16u, "last_parts");
  const u32 lastId_parts = smem + 384u;
  tw_label(lastId_parts, 16u, "lastId_parts");
  f32 l[8];
  f32 m[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    l[r] = 0.0f;
    m[r] = -1e+30f;
  }
  const i32 t_BV = thread * 4;
  const i64 logits_at = (i64)pid0 * (i64)V + (i64)t_BV;
  const bool logits_in = pid0 < R;
  for (i32 v = 0; v < V; v += 2048) {
    const i64 logits_at_1 = logits_at + (i64)v;
    f32 x[8];
    const i32 left = V - v;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 x_vec = logits_in && t_BV + r * 1024 < left ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_1 + (i64)(r * 1024))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
      x[r * 4] = x_vec.x; x[r * 4 + 1] = x_vec.y; x[r * 4 + 2] = x_vec.z; x[r * 4 + 3] = x_vec.w;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const f32 mNew = tw_max(m[r], x[r]);
      l[r] = l[r] * tw_exp2((m[r] - mNew) * 1.442695f) + tw_exp2((x[r] - mNew) * 1.442695f);
      m[r] = mNew;
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
  const bool is_first = lane == 0;
  if (is_first) {
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
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    sum = sum + l[r] * tw_exp2((m[r] - top) * 1.442695f);
  }
  f32 other_1;
  other_1 = tw_shfl_xor<f32>(sum, 1);
  sum = sum + other_1;
  other_1 = tw_shfl_xor<f32>(sum, 2);
  sum = sum + other_1;
  other_1 = tw_shfl_xor<f32>(sum, 4);
  sum = sum + other_1;
  other_1 = tw_shfl_xor<f32>(sum, 8);
  sum = sum + other_1;
  other_1 = tw_shfl_xor<f32>(sum, 16);
  sum = sum + other_1;
  other_1 = tw_shfl_xor<f32>(sum, 32);
  sum = sum + other_1;
  if (is_first) {
    tw_sts<f32>(t30_parts + (u32)warp * 4u, sum);
  }
  tw_syncthreads();
  f32 parts_1[4];
  const tw_f32x4 parts_1_vec = tw_lds<tw_f32x4>(t30_parts);
  parts_1[0] = parts_1_vec.x; parts_1[1] = parts_1_vec.y; parts_1[2] = parts_1_vec.z;
  parts_1[3] = parts_1_vec.w;
  sum = parts_1[0];
  #pragma unroll
  for (i32 r = 1; r < 4; ++r) {
    sum = sum + parts_1[r];
  }
  const f32 logTotal = top + tw_log(sum);
  f32 last = tw_bits_f32(0x7f800000u);
  i32 lastId = -1;
  const i64 ids_at = (i64)pid0 * (i64)K;
  const bool is_first_1 = thread == 0;
  for (i32 i = 0; i < K; ++i) {
    f32 best[8];
    i32 bestId[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      best[r] = tw_bits_f32(0xff800000u);
      bestId[r] = 2147483647;
    }
    for (i32 v_1 = 0; v_1 < V; v_1 += 2048) {
      const i64 logits_at_2 = logits_at + (i64)v_1;
      f32 x_1[8];
      const i32 left_1 = V - v_1;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_f32x4 x_1_vec = logits_in && t_BV + r * 1024 < left_1 ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_2 + (i64)(r * 1024))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
        x_1[r * 4] = x_1_vec.x; x_1[r * 4 + 1] = x_1_vec.y; x_1[r * 4 + 2] = x_1_vec.z;
        x_1[r * 4 + 3] = x_1_vec.w;
      }
      i32 id[8];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          id[r * 4 + j] = v_1 + t_BV + r * 1024 + j;
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        const bool better = id[r] < V && x_1[r] <= last && (x_1[r] < last || id[r] > lastId) && (x_1[r] > best[r] || bestId[r] == 2147483647);
        best[r] = better ? x_1[r] : best[r];
        bestId[r] = better ? id[r] : bestId[r];
      }
    }
    f32 last_1 = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      last_1 = tw_max(last_1, best[r]);
    }
    f32 other_2;
    other_2 = tw_shfl_xor<f32>(last_1, 1);
    last_1 = tw_max(last_1, other_2);
    other_2 = tw_shfl_xor<f32>(last_1, 2);
    last_1 = tw_max(last_1, other_2);
    other_2 = tw_shfl_xor<f32>(last_1, 4);
    last_1 = tw_max(last_1, other_2);
    other_2 = tw_shfl_xor<f32>(last_1, 8);
    last_1 = tw_max(last_1, other_2);
    other_2 = tw_shfl_xor<f32>(last_1, 16);
    last_1 = tw_max(last_1, other_2);
    other_2 = tw_shfl_xor<f32>(last_1, 32);
    last_1 = tw_max(last_1, other_2);
    if (is_first) {
      tw_sts<f32>(last_parts + (u32)warp * 4u, last_1);
    }
    tw_syncthreads();
    f32 parts_2[4];
    const tw_f32x4 parts_2_vec = tw_lds<tw_f32x4>(last_parts);
    parts_2[0] = parts_2_vec.x; parts_2[1] = parts_2_vec.y; parts_2[2] = parts_2_vec.z;
    parts_2[3] = parts_2_vec.w;
    last_1 = parts_2[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      last_1 = tw_max(last_1, parts_2[r]);
    }
    i32 lastId_1 = 2147483647;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      lastId_1 = tw_min_i32(lastId_1, best[r] >= last_1 ? bestId[r] : 2147483647);
    }
    i32 other_3;
    other_3 = tw_shfl_xor<i32>(lastId_1, 1);
    lastId_1 = tw_min_i32(lastId_1, other_3);
    other_3 = tw_shfl_xor<i32>(lastId_1, 2);
    lastId_1 = tw_min_i32(lastId_1, other_3);
    other_3 = tw_shfl_xor<i32>(lastId_1, 4);
    lastId_1 = tw_min_i32(lastId_1, other_3);
    other_3 = tw_shfl_xor<i32>(lastId_1, 8);
    lastId_1 = tw_min_i32(lastId_1, other_3);
    other_3 = tw_shfl_xor<i32>(lastId_1, 16);
    lastId_1 = tw_min_i32(lastId_1, other_3);
    other_3 = tw_shfl_xor<i32>(lastId_1, 32);
    lastId_1 = tw_min_i32(lastId_1, other_3);
    if (is_first) {
      tw_sts<i32>(lastId_parts + (u32)warp * 4u, lastId_1);
    }
    tw_syncthreads();
    i32 parts_3[4];
    const tw_i32x4 parts_3_vec = tw_lds<tw_i32x4>(lastId_parts);
    parts_3[0] = parts_3_vec.x; parts_3[1] = parts_3_vec.y; parts_3[2] = parts_3_vec.z;
    parts_3[3] = parts_3_vec.w;
    lastId_1 = parts_3[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      lastId_1 = tw_min_i32(lastId_1, parts_3[r]);
    }
    const i64 ids_at_1 = ids_at + (i64)i;
    const bool ids_in = logits_in && i < K;
    if (is_first_1) {
      const i32 ids_tile = lastId_1 == 2147483647 ? -1 : lastId_1;
      if (ids_in) {
        tw_stg<i32>(ids + ids_at_1, ids_tile);
      }
    }
    if (is_first_1) {
      const f32 logprobs_tile = last_1 - logTotal;
      if (ids_in) {
        tw_stg<f32>(logprobs + ids_at_1, logprobs_tile);
      }
    }
    last = last_1;
    lastId = lastId_1;
  }
}
