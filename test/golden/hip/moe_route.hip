// moe_route for hip gfx90a, made by tilewright
// config: BR=4 TG=1 renormalize=true
// dims fixed: NG=1 EG=128 K=8
// dims divisible: R%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) moe_route(const f32* logits, i32* ids, f32* weights, i32 R, f32 scaling) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 4;
  const i32 t_BR = lane >> 5;
  const i32 t_EG = (lane & 31) * 4;
  const i32 logits_at = t_BR * 128 + t_EG;
  const i64 logits_at_1 = (i64)t * 128ll + (i64)logits_at;
  f32 logits_tile[8];
  const i32 left = R - t;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 logits_tile_vec = t_BR + r * 2 < left ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_1 + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    logits_tile[r * 4] = logits_tile_vec.x; logits_tile[r * 4 + 1] = logits_tile_vec.y;
    logits_tile[r * 4 + 2] = logits_tile_vec.z; logits_tile[r * 4 + 3] = logits_tile_vec.w;
  }
  f32 x[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    x[r] = tw_max(logits_tile[r], tw_bits_f32(0xff800000u));
  }
  i32 ids_1[16];
  f32 values[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    ids_1[r] = 0;
    values[r] = 0.0f;
  }
  f32 left_1[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    left_1[r] = x[r];
  }
  for (i32 k = 0; k < 8; ++k) {
    f32 best_value[2];
    i32 best[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      best_value[r] = left_1[r * 4];
      best[r] = t_EG;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const bool is_better = left_1[r * 4 + i] > best_value[r] || (left_1[r * 4 + i] == best_value[r] && t_EG + i < best[r]) || (best_value[r] != best_value[r] && (left_1[r * 4 + i] == left_1[r * 4 + i] || t_EG + i < best[r]));
        best_value[r] = is_better ? left_1[r * 4 + i] : best_value[r];
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
      other_value = tw_shfl_xor<f32>(best_value[r], 4);
      other = tw_shfl_xor<i32>(best[r], 4);
      const bool is_better_3 = other_value > best_value[r] || (other_value == best_value[r] && other < best[r]) || (best_value[r] != best_value[r] && (other_value == other_value || other < best[r]));
      best_value[r] = is_better_3 ? other_value : best_value[r];
      best[r] = is_better_3 ? other : best[r];
      other_value = tw_shfl_xor<f32>(best_value[r], 8);
      other = tw_shfl_xor<i32>(best[r], 8);
      const bool is_better_4 = other_value > best_value[r] || (other_value == best_value[r] && other < best[r]) || (best_value[r] != best_value[r] && (other_value == other_value || other < best[r]));
      best_value[r] = is_better_4 ? other_value : best_value[r];
      best[r] = is_better_4 ? other : best[r];
      other_value = tw_shfl_xor<f32>(best_value[r], 16);
      other = tw_shfl_xor<i32>(best[r], 16);
      const bool is_better_5 = other_value > best_value[r] || (other_value == best_value[r] && other < best[r]) || (best_value[r] != best_value[r] && (other_value == other_value || other < best[r]));
      best_value[r] = is_better_5 ? other_value : best_value[r];
      best[r] = is_better_5 ? other : best[r];
    }
    bool isBest[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        isBest[r * 4 + i] = best[r] == t_EG + i;
      }
    }
    bool isPlace[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      isPlace[r] = r == k;
    }
    f32 most[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most[r] = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        most[r] = tw_max(most[r], isBest[r * 4 + i] ? x[r * 4 + i] : tw_bits_f32(0xff800000u));
      }
    }
    f32 other_1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other_1 = tw_shfl_xor<f32>(most[r], 1);
      most[r] = tw_max(most[r], other_1);
      other_1 = tw_shfl_xor<f32>(most[r], 2);
      most[r] = tw_max(most[r], other_1);
      other_1 = tw_shfl_xor<f32>(most[r], 4);
      most[r] = tw_max(most[r], other_1);
      other_1 = tw_shfl_xor<f32>(most[r], 8);
      most[r] = tw_max(most[r], other_1);
      other_1 = tw_shfl_xor<f32>(most[r], 16);
      most[r] = tw_max(most[r], other_1);
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        ids_1[r * 2 + i] = isPlace[r] ? best[i] : ids_1[r * 2 + i];
      }
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        values[r * 2 + i] = isPlace[r] ? most[i] : values[r * 2 + i];
      }
      left_1[r] = isBest[r] ? tw_bits_f32(0xffc00000u) : left_1[r];
    }
  }
  f32 top[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    top[r] = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      top[r] = tw_max(top[r], x[r * 4 + i]);
    }
  }
  f32 other_2;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other_2 = tw_shfl_xor<f32>(top[r], 1);
    top[r] = tw_max(top[r], other_2);
    other_2 = tw_shfl_xor<f32>(top[r], 2);
    top[r] = tw_max(top[r], other_2);
    other_2 = tw_shfl_xor<f32>(top[r], 4);
    top[r] = tw_max(top[r], other_2);
    other_2 = tw_shfl_xor<f32>(top[r], 8);
    top[r] = tw_max(top[r], other_2);
    other_2 = tw_shfl_xor<f32>(top[r], 16);
    top[r] = tw_max(top[r], other_2);
  }
  f32 terms[16];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      terms[r * 2 + i] = tw_exp(values[r * 2 + i] - top[i]);
    }
  }
  f32 total[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    total[r] = 0.0f;
  }
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      total[i] = total[i] + terms[r * 2 + i];
    }
  }
  const i32 ids_at = t_BR * 8;
  const i64 ids_at_1 = (i64)t * 8ll + (i64)ids_at;
  const bool is_first = (lane & 31) == 0;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        if (t_BR + i * 2 < left) {
          tw_stg<i32>(ids + (ids_at_1 + (i64)(i * 16 + r)), ids_1[r * 2 + i]);
        }
      }
    }
  }
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        const f32 weights_tile = terms[r * 2 + i] / total[i] * scaling;
        if (t_BR + i * 2 < left) {
          tw_stg<f32>(weights + (ids_at_1 + (i64)(i * 16 + r)), weights_tile);
        }
      }
    }
  }
}
