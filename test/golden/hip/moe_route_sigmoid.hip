// moe_route_sigmoid for hip gfx90a, made by tilewright
// config: BR=4 TG=1 GB=2 renormalize=true
// dims fixed: NG=4 EG=16 K=4
// dims divisible: R%2
// 64 threads in 1 warps of 64, 64 bytes of shared memory
//       0 … 64: t134_convert i32[16]

TW_KERNEL(64) moe_route_sigmoid(
    const f32* logits, const f32* bias, i32* ids, f32* weights, i32 R, f32 scaling) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t134_convert = smem;
  tw_label(t134_convert, 64u, "t134_convert");
  const i32 t = pid0 * 4;
  const i32 t_BR = lane >> 4;
  const i32 left = R - t;
  const i32 t_NG = (lane >> 2) & 3;
  const i32 t_EG = (lane & 3) * 4;
  const i32 logits_at = t_BR * 64 + t_NG * 16 + t_EG;
  const i64 logits_at_1 = (i64)t * 64ll + (i64)logits_at;
  const bool logits_in = t_BR < left;
  f32 logits_tile[4];
  const tw_f32x4 logits_tile_vec = logits_in ? tw_ldg_nc<tw_f32x4>(logits + logits_at_1) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  logits_tile[0] = logits_tile_vec.x; logits_tile[1] = logits_tile_vec.y;
  logits_tile[2] = logits_tile_vec.z; logits_tile[3] = logits_tile_vec.w;
  f32 scores[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    scores[r] = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile[r], tw_bits_f32(0xff800000u))));
  }
  const i32 bias_at = t_NG * 16 + t_EG;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = tw_ldg_nc<tw_f32x4>(bias + bias_at);
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  f32 biased[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    biased[r] = tw_max(scores[r] + bias_tile[r], tw_bits_f32(0xff800000u));
  }
  f32 best_value;
  i32 best;
  best_value = biased[0];
  best = t_EG;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const bool is_better = biased[r] > best_value || (biased[r] == best_value && t_EG + r < best) || (best_value != best_value && (biased[r] == biased[r] || t_EG + r < best));
    best_value = is_better ? biased[r] : best_value;
    best = is_better ? t_EG + r : best;
  }
  f32 other_value;
  i32 other;
  other_value = tw_shfl_xor<f32>(best_value, 1);
  other = tw_shfl_xor<i32>(best, 1);
  const bool is_better_1 = other_value > best_value || (other_value == best_value && other < best) || (best_value != best_value && (other_value == other_value || other < best));
  best_value = is_better_1 ? other_value : best_value;
  best = is_better_1 ? other : best;
  other_value = tw_shfl_xor<f32>(best_value, 2);
  other = tw_shfl_xor<i32>(best, 2);
  const bool is_better_2 = other_value > best_value || (other_value == best_value && other < best) || (best_value != best_value && (other_value == other_value || other < best));
  best_value = is_better_2 ? other_value : best_value;
  best = is_better_2 ? other : best;
  bool t_1[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    t_1[r] = t_EG + r == best;
  }
  f32 most = tw_bits_f32(0xff800000u);
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    most = tw_max(most, t_1[r] ? biased[r] : tw_bits_f32(0xff800000u));
  }
  f32 other_1;
  other_1 = tw_shfl_xor<f32>(most, 1);
  most = tw_max(most, other_1);
  other_1 = tw_shfl_xor<f32>(most, 2);
  most = tw_max(most, other_1);
  f32 best_value_1;
  i32 best_1;
  best_value_1 = t_1[0] ? tw_bits_f32(0x7fc00000u) : biased[0];
  best_1 = t_EG;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const bool is_better_3 = (t_1[r] ? tw_bits_f32(0x7fc00000u) : biased[r]) > best_value_1 || ((t_1[r] ? tw_bits_f32(0x7fc00000u) : biased[r]) == best_value_1 && t_EG + r < best_1) || (best_value_1 != best_value_1 && ((t_1[r] ? tw_bits_f32(0x7fc00000u) : biased[r]) == (t_1[r] ? tw_bits_f32(0x7fc00000u) : biased[r]) || t_EG + r < best_1));
    best_value_1 = is_better_3 ? (t_1[r] ? tw_bits_f32(0x7fc00000u) : biased[r]) : best_value_1;
    best_1 = is_better_3 ? t_EG + r : best_1;
  }
  f32 other_value_1;
  i32 other_2;
  other_value_1 = tw_shfl_xor<f32>(best_value_1, 1);
  other_2 = tw_shfl_xor<i32>(best_1, 1);
  const bool is_better_4 = other_value_1 > best_value_1 || (other_value_1 == best_value_1 && other_2 < best_1) || (best_value_1 != best_value_1 && (other_value_1 == other_value_1 || other_2 < best_1));
  best_value_1 = is_better_4 ? other_value_1 : best_value_1;
  best_1 = is_better_4 ? other_2 : best_1;
  other_value_1 = tw_shfl_xor<f32>(best_value_1, 2);
  other_2 = tw_shfl_xor<i32>(best_1, 2);
  const bool is_better_5 = other_value_1 > best_value_1 || (other_value_1 == best_value_1 && other_2 < best_1) || (best_value_1 != best_value_1 && (other_value_1 == other_value_1 || other_2 < best_1));
  best_value_1 = is_better_5 ? other_value_1 : best_value_1;
  best_1 = is_better_5 ? other_2 : best_1;
  f32 most_1 = tw_bits_f32(0xff800000u);
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    most_1 = tw_max(most_1, t_EG + r == best_1 ? biased[r] : tw_bits_f32(0xff800000u));
  }
  f32 other_3;
  other_3 = tw_shfl_xor<f32>(most_1, 1);
  most_1 = tw_max(most_1, other_3);
  other_3 = tw_shfl_xor<f32>(most_1, 2);
  most_1 = tw_max(most_1, other_3);
  f32 best_2 = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    best_2 = best_2 + (r == 1 ? most_1 : (r == 0 ? most : 0.0f));
  }
  f32 best_value_2;
  i32 best_3;
  best_value_2 = best_2;
  best_3 = t_NG;
  f32 other_value_2;
  i32 other_4;
  other_value_2 = tw_shfl_xor<f32>(best_value_2, 4);
  other_4 = tw_shfl_xor<i32>(best_3, 4);
  const bool is_better_6 = other_value_2 > best_value_2 || (other_value_2 == best_value_2 && other_4 < best_3) || (best_value_2 != best_value_2 && (other_value_2 == other_value_2 || other_4 < best_3));
  best_value_2 = is_better_6 ? other_value_2 : best_value_2;
  best_3 = is_better_6 ? other_4 : best_3;
  other_value_2 = tw_shfl_xor<f32>(best_value_2, 8);
  other_4 = tw_shfl_xor<i32>(best_3, 8);
  const bool is_better_7 = other_value_2 > best_value_2 || (other_value_2 == best_value_2 && other_4 < best_3) || (best_value_2 != best_value_2 && (other_value_2 == other_value_2 || other_4 < best_3));
  best_value_2 = is_better_7 ? other_value_2 : best_value_2;
  best_3 = is_better_7 ? other_4 : best_3;
  const i32 t_2 = best_3;
  i32 most_2[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    most_2[r] = t_2 == r ? 1 : 0;
  }
  const bool is_first = (lane & 15) == 0;
  if (is_first) {
    const i32 t134_convert_at = (lane >> 4) * 4;
    tw_sts<tw_i32x4>(
        t134_convert + (u32)t134_convert_at * 4u,
        tw_i32x4{most_2[0], most_2[1], most_2[2], most_2[3]});
  }
  tw_syncthreads();
  i32 t_3;
  const i32 t134_convert_at_1 = ((lane >> 2) & 3) + (lane >> 4) * 4;
  t_3 = tw_lds<i32>(t134_convert + (u32)t134_convert_at_1 * 4u);
  const bool t_4 = t_3 != 0;
  const i32 t_E = (lane & 15) * 4;
  i32 ids_1[4];
  f32 values[4];
  f32 left_1[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    ids_1[r] = 0;
    values[r] = 0.0f;
    left_1[r] = t_4 ? biased[r] : tw_bits_f32(0xff800000u);
  }
  for (i32 k = 0; k < 4; ++k) {
    f32 best_value_3;
    i32 best_4;
    best_value_3 = left_1[0];
    best_4 = t_E;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const bool is_better_8 = left_1[r] > best_value_3 || (left_1[r] == best_value_3 && t_E + r < best_4) || (best_value_3 != best_value_3 && (left_1[r] == left_1[r] || t_E + r < best_4));
      best_value_3 = is_better_8 ? left_1[r] : best_value_3;
      best_4 = is_better_8 ? t_E + r : best_4;
    }
    f32 other_value_3;
    i32 other_5;
    other_value_3 = tw_shfl_xor<f32>(best_value_3, 1);
    other_5 = tw_shfl_xor<i32>(best_4, 1);
    const bool is_better_9 = other_value_3 > best_value_3 || (other_value_3 == best_value_3 && other_5 < best_4) || (best_value_3 != best_value_3 && (other_value_3 == other_value_3 || other_5 < best_4));
    best_value_3 = is_better_9 ? other_value_3 : best_value_3;
    best_4 = is_better_9 ? other_5 : best_4;
    other_value_3 = tw_shfl_xor<f32>(best_value_3, 2);
    other_5 = tw_shfl_xor<i32>(best_4, 2);
    const bool is_better_10 = other_value_3 > best_value_3 || (other_value_3 == best_value_3 && other_5 < best_4) || (best_value_3 != best_value_3 && (other_value_3 == other_value_3 || other_5 < best_4));
    best_value_3 = is_better_10 ? other_value_3 : best_value_3;
    best_4 = is_better_10 ? other_5 : best_4;
    other_value_3 = tw_shfl_xor<f32>(best_value_3, 4);
    other_5 = tw_shfl_xor<i32>(best_4, 4);
    const bool is_better_11 = other_value_3 > best_value_3 || (other_value_3 == best_value_3 && other_5 < best_4) || (best_value_3 != best_value_3 && (other_value_3 == other_value_3 || other_5 < best_4));
    best_value_3 = is_better_11 ? other_value_3 : best_value_3;
    best_4 = is_better_11 ? other_5 : best_4;
    other_value_3 = tw_shfl_xor<f32>(best_value_3, 8);
    other_5 = tw_shfl_xor<i32>(best_4, 8);
    const bool is_better_12 = other_value_3 > best_value_3 || (other_value_3 == best_value_3 && other_5 < best_4) || (best_value_3 != best_value_3 && (other_value_3 == other_value_3 || other_5 < best_4));
    best_value_3 = is_better_12 ? other_value_3 : best_value_3;
    best_4 = is_better_12 ? other_5 : best_4;
    bool isBest[4];
    bool isPlace[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      isBest[r] = best_4 == t_E + r;
      isPlace[r] = r == k;
    }
    f32 most_3 = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most_3 = tw_max(most_3, isBest[r] ? scores[r] : tw_bits_f32(0xff800000u));
    }
    f32 other_6;
    other_6 = tw_shfl_xor<f32>(most_3, 1);
    most_3 = tw_max(most_3, other_6);
    other_6 = tw_shfl_xor<f32>(most_3, 2);
    most_3 = tw_max(most_3, other_6);
    other_6 = tw_shfl_xor<f32>(most_3, 4);
    most_3 = tw_max(most_3, other_6);
    other_6 = tw_shfl_xor<f32>(most_3, 8);
    most_3 = tw_max(most_3, other_6);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      ids_1[r] = isPlace[r] ? best_4 : ids_1[r];
      values[r] = isPlace[r] ? most_3 : values[r];
      left_1[r] = isBest[r] ? tw_bits_f32(0xffc00000u) : left_1[r];
    }
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    sum = sum + values[r];
  }
  const i32 ids_at = t_BR * 4;
  const i64 ids_at_1 = (i64)t * 4ll + (i64)ids_at;
  if (is_first) {
    if (logits_in) {
      tw_stg<tw_i32x4>(ids + ids_at_1, tw_i32x4{ids_1[0], ids_1[1], ids_1[2], ids_1[3]});
    }
  }
  const f32 total = sum + 1e-20f;
  if (is_first) {
    f32 weights_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      weights_tile[r] = values[r] / total * scaling;
    }
    if (logits_in) {
      tw_stg<tw_f32x4>(weights + ids_at_1, tw_f32x4{
          weights_tile[0], weights_tile[1], weights_tile[2], weights_tile[3]});
    }
  }
}
