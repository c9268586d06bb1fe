// moe_route_sigmoid for cuda sm_80, made by tilewright
// config: BR=4 TG=1 GB=2 renormalize=true
// dims fixed: NG=4 EG=16 K=4
// dims divisible: R%2
// 32 threads in 1 warps of 32, 64 bytes of shared memory
//       0 … 64: t134_convert i32[16]

TW_KERNEL(32) moe_route_sigmoid(
    const f32* logits, const f32* bias, i32* ids, f32* weights, i32 R, f32 scaling) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t134_convert = smem;
  tw_label(t134_convert, 64u, "t134_convert");
  const i32 t = pid0 * 4;
  const i32 t_BR = lane >> 4;
  const i32 t_NG = (lane >> 2) & 3;
  const i32 t_EG = (lane & 3) * 4;
  const i32 logits_at = t_BR * 64 + t_NG * 16 + t_EG;
  const i64 logits_at_1 = (i64)t * 64ll + (i64)logits_at;
  f32 logits_tile[8];
  const i32 left = R - t;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 logits_tile_vec = t_BR + r * 2 < left ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_1 + (i64)(r * 128))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    logits_tile[r * 4] = logits_tile_vec.x; logits_tile[r * 4 + 1] = logits_tile_vec.y;
    logits_tile[r * 4 + 2] = logits_tile_vec.z; logits_tile[r * 4 + 3] = logits_tile_vec.w;
  }
  f32 scores[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    scores[r] = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile[r], tw_bits_f32(0xff800000u))));
  }
  const i32 bias_at = t_NG * 16 + t_EG;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = tw_ldg_nc<tw_f32x4>(bias + bias_at);
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  f32 biased[8];
  f32 best_value[2];
  i32 best[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      biased[r * 4 + i] = tw_max(scores[r * 4 + i] + bias_tile[i], tw_bits_f32(0xff800000u));
    }
    best_value[r] = biased[r * 4];
    best[r] = t_EG;
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      const bool is_better = biased[r * 4 + i] > best_value[r] || (biased[r * 4 + i] == best_value[r] && t_EG + i < best[r]) || (best_value[r] != best_value[r] && (biased[r * 4 + i] == biased[r * 4 + i] || t_EG + i < best[r]));
      best_value[r] = is_better ? biased[r * 4 + i] : best_value[r];
      best[r] = is_better ? t_EG + i : best[r];
    }
  }
  f32 other_value;
  i32 other;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other_value = tw_shfl_xor<f32>(best_value[r], 1);
    other = tw_shfl_xor<i32>(best[r], 1);
    const bool is_better_1 = other_value > best_value[r] || (other_value == best_value[r] && other < best[r]) || (best_value[r] != best_value[r] && (other_value == other_value || other < best[r]));
    best_value[r] = is_better_1 ? other_value : best_value[r];
    best[r] = is_better_1 ? other : best[r];
    other_value = tw_shfl_xor<f32>(best_value[r], 2);
    other = tw_shfl_xor<i32>(best[r], 2);
    const bool is_better_2 = other_value > best_value[r] || (other_value == best_value[r] && other < best[r]) || (best_value[r] != best_value[r] && (other_value == other_value || other < best[r]));
    best_value[r] = is_better_2 ? other_value : best_value[r];
    best[r] = is_better_2 ? other : best[r];
  }
  bool t_1[8];
  f32 most[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      t_1[r * 4 + i] = t_EG + i == best[r];
    }
    most[r] = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      most[r] = tw_max(most[r], t_1[r * 4 + i] ? biased[r * 4 + i] : tw_bits_f32(0xff800000u));
    }
  }
  f32 other_1;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other_1 = tw_shfl_xor<f32>(most[r], 1);
    most[r] = tw_max(most[r], other_1);
    other_1 = tw_shfl_xor<f32>(most[r], 2);
    most[r] = tw_max(most[r], other_1);
  }
  bool t_2[2];
  f32 best_value_1[2];
  i32 best_1[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_2[r] = r == 0;
    best_value_1[r] = t_1[r * 4] ? tw_bits_f32(0x7fc00000u) : biased[r * 4];
    best_1[r] = t_EG;
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      const bool is_better_3 = (t_1[r * 4 + i] ? tw_bits_f32(0x7fc00000u) : biased[r * 4 + i]) > best_value_1[r] || ((t_1[r * 4 + i] ? tw_bits_f32(0x7fc00000u) : biased[r * 4 + i]) == best_value_1[r] && t_EG + i < best_1[r]) || (best_value_1[r] != best_value_1[r] && ((t_1[r * 4 + i] ? tw_bits_f32(0x7fc00000u) : biased[r * 4 + i]) == (t_1[r * 4 + i] ? tw_bits_f32(0x7fc00000u) : biased[r * 4 + i]) || t_EG + i < best_1[r]));
      best_value_1[r] = is_better_3 ? (t_1[r * 4 + i] ? tw_bits_f32(0x7fc00000u) : biased[r * 4 + i]) : best_value_1[r];
      best_1[r] = is_better_3 ? t_EG + i : best_1[r];
    }
  }
  f32 other_value_1;
  i32 other_2;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other_value_1 = tw_shfl_xor<f32>(best_value_1[r], 1);
    other_2 = tw_shfl_xor<i32>(best_1[r], 1);
    const bool is_better_4 = other_value_1 > best_value_1[r] || (other_value_1 == best_value_1[r] && other_2 < best_1[r]) || (best_value_1[r] != best_value_1[r] && (other_value_1 == other_value_1 || other_2 < best_1[r]));
    best_value_1[r] = is_better_4 ? other_value_1 : best_value_1[r];
    best_1[r] = is_better_4 ? other_2 : best_1[r];
    other_value_1 = tw_shfl_xor<f32>(best_value_1[r], 2);
    other_2 = tw_shfl_xor<i32>(best_1[r], 2);
    const bool is_better_5 = other_value_1 > best_value_1[r] || (other_value_1 == best_value_1[r] && other_2 < best_1[r]) || (best_value_1[r] != best_value_1[r] && (other_value_1 == other_value_1 || other_2 < best_1[r]));
    best_value_1[r] = is_better_5 ? other_value_1 : best_value_1[r];
    best_1[r] = is_better_5 ? other_2 : best_1[r];
  }
  f32 most_1[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    most_1[r] = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      most_1[r] = tw_max(
          most_1[r], t_EG + i == best_1[r] ? biased[r * 4 + i] : tw_bits_f32(0xff800000u));
    }
  }
  f32 other_3;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other_3 = tw_shfl_xor<f32>(most_1[r], 1);
    most_1[r] = tw_max(most_1[r], other_3);
    other_3 = tw_shfl_xor<f32>(most_1[r], 2);
    most_1[r] = tw_max(most_1[r], other_3);
  }
  bool t_3[2];
  f32 best_2[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_3[r] = r == 1;
    best_2[r] = 0.0f;
  }
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      best_2[i] = best_2[i] + (t_3[r] ? most_1[i] : (t_2[r] ? most[i] : 0.0f));
    }
  }
  f32 best_value_2[2];
  i32 best_3[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    best_value_2[r] = best_2[r];
    best_3[r] = t_NG;
  }
  f32 other_value_2;
  i32 other_4;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other_value_2 = tw_shfl_xor<f32>(best_value_2[r], 4);
    other_4 = tw_shfl_xor<i32>(best_3[r], 4);
    const bool is_better_6 = other_value_2 > best_value_2[r] || (other_value_2 == best_value_2[r] && other_4 < best_3[r]) || (best_value_2[r] != best_value_2[r] && (other_value_2 == other_value_2 || other_4 < best_3[r]));
    best_value_2[r] = is_better_6 ? other_value_2 : best_value_2[r];
    best_3[r] = is_better_6 ? other_4 : best_3[r];
    other_value_2 = tw_shfl_xor<f32>(best_value_2[r], 8);
    other_4 = tw_shfl_xor<i32>(best_3[r], 8);
    const bool is_better_7 = other_value_2 > best_value_2[r] || (other_value_2 == best_value_2[r] && other_4 < best_3[r]) || (best_value_2[r] != best_value_2[r] && (other_value_2 == other_value_2 || other_4 < best_3[r]));
    best_value_2[r] = is_better_7 ? other_value_2 : best_value_2[r];
    best_3[r] = is_better_7 ? other_4 : best_3[r];
  }
  const bool t_4 = true;
  i32 t_5[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_5[r] = t_4 ? best_3[r] : 0;
  }
  i32 most_2[8];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      most_2[r * 2 + i] = t_5[i] == r ? 1 : 0;
    }
  }
  const bool is_first = (lane & 15) == 0;
  if (is_first) {
    const i32 t134_convert_at = (lane >> 4) * 4;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_sts<i32>(t134_convert + (u32)(t134_convert_at + i * 8 + r) * 4u, most_2[r * 2 + i]);
      }
    }
  }
  tw_syncthreads();
  i32 t_6[2];
  const i32 t134_convert_at_1 = ((lane >> 2) & 3) + (lane >> 4) * 4;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_6[r] = tw_lds<i32>(t134_convert + (u32)(t134_convert_at_1 + r * 8) * 4u);
  }
  bool t_7[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_7[r] = t_6[r] != 0;
  }
  const i32 t_E = (lane & 15) * 4;
  i32 ids_1[8];
  f32 values[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    ids_1[r] = 0;
    values[r] = 0.0f;
  }
  f32 left_1[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      left_1[r * 4 + i] = t_7[r] ? biased[r * 4 + i] : tw_bits_f32(0xff800000u);
    }
  }
  for (i32 k = 0; k < 4; ++k) {
    f32 best_value_3[2];
    i32 best_4[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      best_value_3[r] = left_1[r * 4];
      best_4[r] = t_E;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const bool is_better_8 = left_1[r * 4 + i] > best_value_3[r] || (left_1[r * 4 + i] == best_value_3[r] && t_E + i < best_4[r]) || (best_value_3[r] != best_value_3[r] && (left_1[r * 4 + i] == left_1[r * 4 + i] || t_E + i < best_4[r]));
        best_value_3[r] = is_better_8 ? left_1[r * 4 + i] : best_value_3[r];
        best_4[r] = is_better_8 ? t_E + i : best_4[r];
      }
    }
    f32 other_value_3;
    i32 other_5;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other_value_3 = tw_shfl_xor<f32>(best_value_3[r], 1);
      other_5 = tw_shfl_xor<i32>(best_4[r], 1);
      const bool is_better_9 = other_value_3 > best_value_3[r] || (other_value_3 == best_value_3[r] && other_5 < best_4[r]) || (best_value_3[r] != best_value_3[r] && (other_value_3 == other_value_3 || other_5 < best_4[r]));
      best_value_3[r] = is_better_9 ? other_value_3 : best_value_3[r];
      best_4[r] = is_better_9 ? other_5 : best_4[r];
      other_value_3 = tw_shfl_xor<f32>(best_value_3[r], 2);
      other_5 = tw_shfl_xor<i32>(best_4[r], 2);
      const bool is_better_10 = other_value_3 > best_value_3[r] || (other_value_3 == best_value_3[r] && other_5 < best_4[r]) || (best_value_3[r] != best_value_3[r] && (other_value_3 == other_value_3 || other_5 < best_4[r]));
      best_value_3[r] = is_better_10 ? other_value_3 : best_value_3[r];
      best_4[r] = is_better_10 ? other_5 : best_4[r];
      other_value_3 = tw_shfl_xor<f32>(best_value_3[r], 4);
      other_5 = tw_shfl_xor<i32>(best_4[r], 4);
      const bool is_better_11 = other_value_3 > best_value_3[r] || (other_value_3 == best_value_3[r] && other_5 < best_4[r]) || (best_value_3[r] != best_value_3[r] && (other_value_3 == other_value_3 || other_5 < best_4[r]));
      best_value_3[r] = is_better_11 ? other_value_3 : best_value_3[r];
      best_4[r] = is_better_11 ? other_5 : best_4[r];
      other_value_3 = tw_shfl_xor<f32>(best_value_3[r], 8);
      other_5 = tw_shfl_xor<i32>(best_4[r], 8);
      const bool is_better_12 = other_value_3 > best_value_3[r] || (other_value_3 == best_value_3[r] && other_5 < best_4[r]) || (best_value_3[r] != best_value_3[r] && (other_value_3 == other_value_3 || other_5 < best_4[r]));
      best_value_3[r] = is_better_12 ? other_value_3 : best_value_3[r];
      best_4[r] = is_better_12 ? other_5 : best_4[r];
    }
    bool isBest[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        isBest[r * 4 + i] = best_4[r] == t_E + i;
      }
    }
    bool isPlace[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      isPlace[r] = r == k;
    }
    f32 most_3[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most_3[r] = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        most_3[r] = tw_max(
            most_3[r], isBest[r * 4 + i] ? scores[r * 4 + i] : tw_bits_f32(0xff800000u));
      }
    }
    f32 other_6;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other_6 = tw_shfl_xor<f32>(most_3[r], 1);
      most_3[r] = tw_max(most_3[r], other_6);
      other_6 = tw_shfl_xor<f32>(most_3[r], 2);
      most_3[r] = tw_max(most_3[r], other_6);
      other_6 = tw_shfl_xor<f32>(most_3[r], 4);
      most_3[r] = tw_max(most_3[r], other_6);
      other_6 = tw_shfl_xor<f32>(most_3[r], 8);
      most_3[r] = tw_max(most_3[r], other_6);
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        ids_1[r * 2 + i] = isPlace[r] ? best_4[i] : ids_1[r * 2 + i];
      }
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        values[r * 2 + i] = isPlace[r] ? most_3[i] : values[r * 2 + i];
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      left_1[r] = isBest[r] ? tw_bits_f32(0xffc00000u) : left_1[r];
    }
  }
  f32 sum[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    sum[r] = 0.0f;
  }
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      sum[i] = sum[i] + values[r * 2 + i];
    }
  }
  const i32 ids_at = t_BR * 4;
  const i64 ids_at_1 = (i64)t * 4ll + (i64)ids_at;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        if (t_BR + i * 2 < left) {
          tw_stg<i32>(ids + (ids_at_1 + (i64)(i * 8 + r)), ids_1[r * 2 + i]);
        }
      }
    }
  }
  f32 total[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    total[r] = sum[r] + 1e-20f;
  }
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        const f32 weights_tile = values[r * 2 + i] / total[i] * scaling;
        if (t_BR + i * 2 < left) {
          tw_stg<f32>(weights + (ids_at_1 + (i64)(i * 8 + r)), weights_tile);
        }
      }
    }
  }
}
