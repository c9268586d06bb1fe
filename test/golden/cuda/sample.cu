// sample for cuda sm_80, made by tilewright
// config: BV=2048
// dims divisible: S%2 V%8
// 256 threads in 8 warps of 32, 1056 bytes of shared memory
//       0 … 32: top_parts f32[8]
//     128 … 160: largest_parts i32[8]
//     256 … 288: count_parts i32[8]
//     384 … 416: t117_parts f32[8]
//     512 … 544: countLo_parts i32[8]
//     640 … 672: count_parts_2 i32[8]
//     768 … 800: t175_parts f32[8]
//     896 … 928: winner_parts f32[8]
//    1024 … 1056: t279_parts i32[8]

TW_KERNEL(256) sample(
    const f32* logits, const f32* temperature, const i32* topK, const f32* topP, const f32* minP,
    const i32* seed, const i32* position, i32* token, i32 S, i32 V) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 top_parts = smem;
  tw_label(top_parts, 32u, "top_parts");
  const u32 largest_parts = smem + 128u;
  tw_label(largest_parts, 32u, "largest_parts");
  const u32 count_parts = smem + 256u;
  tw_label(count_parts, 32u, "count_parts");
  const u32 t117_parts = smem + 384u;
  tw_label(t117_parts, 32u, "t117_parts");
  const u32 countLo_parts = smem + 512u;
  tw_label(countLo_parts, 32u, "countLo_parts");
  const u32 count_parts_2 = smem + 640u;
  tw_label(count_parts_2, 32u, "count_parts_2");
  const u32 t175_parts = smem + 768u;
  tw_label(t175_parts, 32u, "t175_parts");
  const u32 winner_parts = smem + 896u;
  tw_label(winner_parts, 32u, "winner_parts");
  const u32 t279_parts = smem + 1024u;
  tw_label(t279_parts, 32u, "t279_parts");
  const i64 temperature_at = (i64)pid0;
  f32 t;
  t = tw_ldg_nc<f32>(temperature + temperature_at);
  const i32 t_BV = thread * 4;
  f32 best[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    best[r] = tw_bits_f32(0xff800000u);
  }
  i32 bestAt[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      bestAt[r * 4 + i] = t_BV + r * 1024 + i;
    }
  }
  const i64 logits_at = (i64)pid0 * (i64)V + (i64)t_BV;
  const bool logits_in = pid0 < S;
  for (i32 v = 0; v < V; v += 2048) {
    const i64 logits_at_1 = logits_at + (i64)v;
    f32 x[8];
    const i32 left = V - v;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 x_vec = logits_in && t_BV + r * 1024 < left ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_1 + (i64)(r * 1024))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
      x[r * 4] = x_vec.x; x[r * 4 + 1] = x_vec.y; x[r * 4 + 2] = x_vec.z; x[r * 4 + 3] = x_vec.w;
    }
    bool better[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      better[r] = x[r] > best[r];
      best[r] = better[r] ? x[r] : best[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        bestAt[r * 4 + i] = better[r * 4 + i] ? v + t_BV + r * 1024 + i : bestAt[r * 4 + i];
      }
    }
  }
  f32 top = tw_bits_f32(0xff800000u);
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    top = tw_max(top, best[r]);
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
  const bool is_first = lane == 0;
  if (is_first) {
    tw_sts<f32>(top_parts + (u32)warp * 4u, top);
  }
  tw_syncthreads();
  f32 parts[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 parts_vec = tw_lds<tw_f32x4>(top_parts + (u32)(r * 4) * 4u);
    parts[r * 4] = parts_vec.x; parts[r * 4 + 1] = parts_vec.y; parts[r * 4 + 2] = parts_vec.z;
    parts[r * 4 + 3] = parts_vec.w;
  }
  top = parts[0];
  #pragma unroll
  for (i32 r = 1; r < 8; ++r) {
    top = tw_max(top, parts[r]);
  }
  i32 largest = 2147483647;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    largest = tw_min_i32(largest, best[r] >= top ? bestAt[r] : 2147483647);
  }
  i32 other_1;
  other_1 = tw_shfl_xor<i32>(largest, 1);
  largest = tw_min_i32(largest, other_1);
  other_1 = tw_shfl_xor<i32>(largest, 2);
  largest = tw_min_i32(largest, other_1);
  other_1 = tw_shfl_xor<i32>(largest, 4);
  largest = tw_min_i32(largest, other_1);
  other_1 = tw_shfl_xor<i32>(largest, 8);
  largest = tw_min_i32(largest, other_1);
  other_1 = tw_shfl_xor<i32>(largest, 16);
  largest = tw_min_i32(largest, other_1);
  if (is_first) {
    tw_sts<i32>(largest_parts + (u32)warp * 4u, largest);
  }
  tw_syncthreads();
  i32 parts_1[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_i32x4 parts_1_vec = tw_lds<tw_i32x4>(largest_parts + (u32)(r * 4) * 4u);
    parts_1[r * 4] = parts_1_vec.x; parts_1[r * 4 + 1] = parts_1_vec.y;
    parts_1[r * 4 + 2] = parts_1_vec.z; parts_1[r * 4 + 3] = parts_1_vec.w;
  }
  largest = parts_1[0];
  #pragma unroll
  for (i32 r = 1; r < 8; ++r) {
    largest = tw_min_i32(largest, parts_1[r]);
  }
  const bool t_1 = top == tw_bits_f32(0xff800000u);
  const bool is_first_1 = thread == 0;
  if (t_1) {
    if (is_first_1) {
      const i32 token_tile = -1;
      if (logits_in) {
        tw_stg<i32>(token + temperature_at, token_tile);
      }
    }
  } else {
    const bool t_2 = t < 0.00001f;
    if (t_2) {
      if (is_first_1) {
        if (logits_in) {
          tw_stg<i32>(token + temperature_at, largest);
        }
      }
    } else {
      const f32 c = 1.442695f / t;
      f32 pMin;
      pMin = tw_ldg_nc<f32>(minP + temperature_at);
      const f32 lowest = pMin > 0.0f ? tw_log2(pMin) : tw_bits_f32(0xff800000u);
      i32 k;
      k = tw_ldg_nc<i32>(topK + temperature_at);
      f32 p;
      p = tw_ldg_nc<f32>(topP + temperature_at);
      const bool t_3 = k > 0 && k < V;
      f32 cut;
      if (t_3) {
        const i32 bits = (i32)tw_f32_bits(top);
        i32 hi = (bits >= 0 ? bits : bits ^ 2147483647) + 1;
        i32 lo = -2139095041;
        while (true) {
          const bool t_4 = lo + 1 < hi;
          if (!t_4) break;
          const i32 mid = (lo & hi) + ((lo ^ hi) >> 1);
          const f32 pivot = tw_bits_f32((u32)(mid >= 0 ? mid : mid ^ 2147483647));
          i32 above[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            above[r] = 0;
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
            #pragma unroll
            for (i32 r = 0; r < 8; ++r) {
              above[r] = above[r] + (x_1[r] >= pivot ? 1 : 0);
            }
          }
          tw_syncthreads();
          i32 count = 0;
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            count = count + above[r];
          }
          i32 other_2;
          other_2 = tw_shfl_xor<i32>(count, 1);
          count = count + other_2;
          other_2 = tw_shfl_xor<i32>(count, 2);
          count = count + other_2;
          other_2 = tw_shfl_xor<i32>(count, 4);
          count = count + other_2;
          other_2 = tw_shfl_xor<i32>(count, 8);
          count = count + other_2;
          other_2 = tw_shfl_xor<i32>(count, 16);
          count = count + other_2;
          if (is_first) {
            tw_sts<i32>(count_parts + (u32)warp * 4u, count);
          }
          tw_syncthreads();
          i32 parts_2[8];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const tw_i32x4 parts_2_vec = tw_lds<tw_i32x4>(count_parts + (u32)(r * 4) * 4u);
            parts_2[r * 4] = parts_2_vec.x; parts_2[r * 4 + 1] = parts_2_vec.y;
            parts_2[r * 4 + 2] = parts_2_vec.z; parts_2[r * 4 + 3] = parts_2_vec.w;
          }
          count = parts_2[0];
          #pragma unroll
          for (i32 r = 1; r < 8; ++r) {
            count = count + parts_2[r];
          }
          hi = count <= k ? mid : hi;
          lo = count >= k ? mid : lo;
        }
        cut = tw_bits_f32((u32)(lo >= 0 ? lo : lo ^ 2147483647));
      } else {
        cut = tw_bits_f32(0xff800000u);
      }
      const bool t_5 = p < 1.0f;
      f32 cut_1;
      if (t_5) {
        f32 mass[8];
        i32 kept[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          mass[r] = 0.0f;
          kept[r] = 0;
        }
        for (i32 v_2 = 0; v_2 < V; v_2 += 2048) {
          const i64 logits_at_3 = logits_at + (i64)v_2;
          f32 x_2[8];
          const i32 left_2 = V - v_2;
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const tw_f32x4 x_2_vec = logits_in && t_BV + r * 1024 < left_2 ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_3 + (i64)(r * 1024))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
            x_2[r * 4] = x_2_vec.x; x_2[r * 4 + 1] = x_2_vec.y; x_2[r * 4 + 2] = x_2_vec.z;
            x_2[r * 4 + 3] = x_2_vec.w;
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            const f32 z = (x_2[r] - top) * c;
            const bool keep = x_2[r] >= cut && z >= lowest && x_2[r] > tw_bits_f32(0xff800000u);
            mass[r] = mass[r] + (keep ? tw_exp2(z) : 0.0f);
            kept[r] = kept[r] + (keep ? 1 : 0);
          }
        }
        f32 sum = 0.0f;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          sum = sum + mass[r];
        }
        f32 other_3;
        other_3 = tw_shfl_xor<f32>(sum, 1);
        sum = sum + other_3;
        other_3 = tw_shfl_xor<f32>(sum, 2);
        sum = sum + other_3;
        other_3 = tw_shfl_xor<f32>(sum, 4);
        sum = sum + other_3;
        other_3 = tw_shfl_xor<f32>(sum, 8);
        sum = sum + other_3;
        other_3 = tw_shfl_xor<f32>(sum, 16);
        sum = sum + other_3;
        if (is_first) {
          tw_sts<f32>(t117_parts + (u32)warp * 4u, sum);
        }
        tw_syncthreads();
        f32 parts_3[8];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_f32x4 parts_3_vec = tw_lds<tw_f32x4>(t117_parts + (u32)(r * 4) * 4u);
          parts_3[r * 4] = parts_3_vec.x; parts_3[r * 4 + 1] = parts_3_vec.y;
          parts_3[r * 4 + 2] = parts_3_vec.z; parts_3[r * 4 + 3] = parts_3_vec.w;
        }
        sum = parts_3[0];
        #pragma unroll
        for (i32 r = 1; r < 8; ++r) {
          sum = sum + parts_3[r];
        }
        const f32 target = p * sum;
        const i32 bits_1 = (i32)tw_f32_bits(cut);
        const i32 bits_2 = (i32)tw_f32_bits(top);
        i32 countLo = 0;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          countLo = countLo + kept[r];
        }
        i32 other_4;
        other_4 = tw_shfl_xor<i32>(countLo, 1);
        countLo = countLo + other_4;
        other_4 = tw_shfl_xor<i32>(countLo, 2);
        countLo = countLo + other_4;
        other_4 = tw_shfl_xor<i32>(countLo, 4);
        countLo = countLo + other_4;
        other_4 = tw_shfl_xor<i32>(countLo, 8);
        countLo = countLo + other_4;
        other_4 = tw_shfl_xor<i32>(countLo, 16);
        countLo = countLo + other_4;
        if (is_first) {
          tw_sts<i32>(countLo_parts + (u32)warp * 4u, countLo);
        }
        tw_syncthreads();
        i32 parts_4[8];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_i32x4 parts_4_vec = tw_lds<tw_i32x4>(countLo_parts + (u32)(r * 4) * 4u);
          parts_4[r * 4] = parts_4_vec.x; parts_4[r * 4 + 1] = parts_4_vec.y;
          parts_4[r * 4 + 2] = parts_4_vec.z; parts_4[r * 4 + 3] = parts_4_vec.w;
        }
        countLo = parts_4[0];
        #pragma unroll
        for (i32 r = 1; r < 8; ++r) {
          countLo = countLo + parts_4[r];
        }
        i32 lo_1 = bits_1 >= 0 ? bits_1 : bits_1 ^ 2147483647;
        i32 countLo_1 = countLo;
        i32 hi_1 = (bits_2 >= 0 ? bits_2 : bits_2 ^ 2147483647) + 1;
        i32 countHi = 0;
        while (true) {
          const bool t_6 = lo_1 + 1 < hi_1 && countLo_1 > countHi + 1;
          if (!t_6) break;
          const i32 mid_1 = (lo_1 & hi_1) + ((lo_1 ^ hi_1) >> 1);
          const f32 pivot_1 = tw_bits_f32((u32)(mid_1 >= 0 ? mid_1 : mid_1 ^ 2147483647));
          f32 massAbove[8];
          i32 above_1[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            massAbove[r] = 0.0f;
            above_1[r] = 0;
          }
          for (i32 v_3 = 0; v_3 < V; v_3 += 2048) {
            const i64 logits_at_4 = logits_at + (i64)v_3;
            f32 x_3[8];
            const i32 left_3 = V - v_3;
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              const tw_f32x4 x_3_vec = logits_in && t_BV + r * 1024 < left_3 ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_4 + (i64)(r * 1024))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
              x_3[r * 4] = x_3_vec.x; x_3[r * 4 + 1] = x_3_vec.y; x_3[r * 4 + 2] = x_3_vec.z;
              x_3[r * 4 + 3] = x_3_vec.w;
            }
            #pragma unroll
            for (i32 r = 0; r < 8; ++r) {
              const bool isAbove = x_3[r] >= pivot_1;
              massAbove[r] = massAbove[r] + (isAbove ? tw_exp2((x_3[r] - top) * c) : 0.0f);
              above_1[r] = above_1[r] + (isAbove ? 1 : 0);
            }
          }
          i32 count_1 = 0;
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            count_1 = count_1 + above_1[r];
          }
          i32 other_5;
          other_5 = tw_shfl_xor<i32>(count_1, 1);
          count_1 = count_1 + other_5;
          other_5 = tw_shfl_xor<i32>(count_1, 2);
          count_1 = count_1 + other_5;
          other_5 = tw_shfl_xor<i32>(count_1, 4);
          count_1 = count_1 + other_5;
          other_5 = tw_shfl_xor<i32>(count_1, 8);
          count_1 = count_1 + other_5;
          other_5 = tw_shfl_xor<i32>(count_1, 16);
          count_1 = count_1 + other_5;
          if (is_first) {
            tw_sts<i32>(count_parts_2 + (u32)warp * 4u, count_1);
          }
          tw_syncthreads();
          i32 parts_5[8];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const tw_i32x4 parts_5_vec = tw_lds<tw_i32x4>(count_parts_2 + (u32)(r * 4) * 4u);
            parts_5[r * 4] = parts_5_vec.x; parts_5[r * 4 + 1] = parts_5_vec.y;
            parts_5[r * 4 + 2] = parts_5_vec.z; parts_5[r * 4 + 3] = parts_5_vec.w;
          }
          count_1 = parts_5[0];
          #pragma unroll
          for (i32 r = 1; r < 8; ++r) {
            count_1 = count_1 + parts_5[r];
          }
          f32 sum_1 = 0.0f;
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            sum_1 = sum_1 + massAbove[r];
          }
          f32 other_6;
          other_6 = tw_shfl_xor<f32>(sum_1, 1);
          sum_1 = sum_1 + other_6;
          other_6 = tw_shfl_xor<f32>(sum_1, 2);
          sum_1 = sum_1 + other_6;
          other_6 = tw_shfl_xor<f32>(sum_1, 4);
          sum_1 = sum_1 + other_6;
          other_6 = tw_shfl_xor<f32>(sum_1, 8);
          sum_1 = sum_1 + other_6;
          other_6 = tw_shfl_xor<f32>(sum_1, 16);
          sum_1 = sum_1 + other_6;
          if (is_first) {
            tw_sts<f32>(t175_parts + (u32)warp * 4u, sum_1);
          }
          tw_syncthreads();
          f32 parts_6[8];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const tw_f32x4 parts_6_vec = tw_lds<tw_f32x4>(t175_parts + (u32)(r * 4) * 4u);
            parts_6[r * 4] = parts_6_vec.x; parts_6[r * 4 + 1] = parts_6_vec.y;
            parts_6[r * 4 + 2] = parts_6_vec.z; parts_6[r * 4 + 3] = parts_6_vec.w;
          }
          sum_1 = parts_6[0];
          #pragma unroll
          for (i32 r = 1; r < 8; ++r) {
            sum_1 = sum_1 + parts_6[r];
          }
          const bool reaches = sum_1 >= target;
          lo_1 = reaches ? mid_1 : lo_1;
          countLo_1 = reaches ? count_1 : countLo_1;
          hi_1 = reaches ? hi_1 : mid_1;
          countHi = reaches ? countHi : count_1;
        }
        const f32 cut_2 = tw_max(cut, tw_bits_f32((u32)(lo_1 >= 0 ? lo_1 : lo_1 ^ 2147483647)));
        cut_1 = cut_2;
      } else {
        cut_1 = cut;
      }
      i32 position_tile;
      position_tile = tw_ldg_nc<i32>(position + temperature_at);
      i32 seed_tile;
      seed_tile = tw_ldg_nc<i32>(seed + temperature_at);
      const u32 key = (u32)seed_tile;
      const u32 place = (u32)position_tile;
      const u32 key_1 = key + 2654435769u;
      f32 bestScore[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        bestScore[r] = tw_bits_f32(0xff800000u);
      }
      i32 scoreAt[8];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          scoreAt[r * 4 + i] = t_BV + r * 1024 + i;
        }
      }
      for (i32 v_4 = 0; v_4 < V; v_4 += 2048) {
        const i64 logits_at_5 = logits_at + (i64)v_4;
        f32 x_4[8];
        const i32 left_4 = V - v_4;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_f32x4 x_4_vec = logits_in && t_BV + r * 1024 < left_4 ? tw_ldg_nc<tw_f32x4>(logits + (logits_at_5 + (i64)(r * 1024))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
          x_4[r * 4] = x_4_vec.x; x_4[r * 4 + 1] = x_4_vec.y; x_4[r * 4 + 2] = x_4_vec.z;
          x_4[r * 4 + 3] = x_4_vec.w;
        }
        f32 z_1[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          z_1[r] = (x_4[r] - top) * c;
        }
        i32 index[8];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 4; ++i) {
            index[r * 4 + i] = v_4 + t_BV + r * 1024 + i;
          }
        }
        u32 low[8];
        u32 high[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const u32 t_7 = (u32)index[r];
          low[r] = (tw_mulhi_u32(t_7, 3528905107u) ^ key) ^ place;
          high[r] = t_7 * 3528905107u;
        }
        u32 key_2 = key_1;
        #pragma unroll
        for (i32 round = 1; round < 10; ++round) {
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            const u32 low_1 = (tw_mulhi_u32(low[r], 3528905107u) ^ key_2) ^ high[r];
            high[r] = low[r] * 3528905107u;
            low[r] = low_1;
          }
          key_2 = key_2 + 2654435769u;
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const f32 v_5 = tw_min((tw_u32_to_f32(low[r]) + 0.5f) * 2.3283064e-10f, 0.99999994f);
          const f32 t_8 = v_5 < 0.015625f ? v_5 * (1.0f + v_5 * (0.5f + v_5 * (0.33333334f + v_5 * 0.25f))) : -tw_log(1.0f - v_5);
          const f32 score = z_1[r] - tw_log2(t_8);
          const bool better_1 = x_4[r] >= cut_1 && z_1[r] >= lowest && score > bestScore[r];
          bestScore[r] = better_1 ? score : bestScore[r];
          scoreAt[r] = better_1 ? index[r] : scoreAt[r];
        }
      }
      f32 winner = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        winner = tw_max(winner, bestScore[r]);
      }
      f32 other_7;
      other_7 = tw_shfl_xor<f32>(winner, 1);
      winner = tw_max(winner, other_7);
      other_7 = tw_shfl_xor<f32>(winner, 2);
      winner = tw_max(winner, other_7);
      other_7 = tw_shfl_xor<f32>(winner, 4);
      winner = tw_max(winner, other_7);
      other_7 = tw_shfl_xor<f32>(winner, 8);
      winner = tw_max(winner, other_7);
      other_7 = tw_shfl_xor<f32>(winner, 16);
      winner = tw_max(winner, other_7);
      if (is_first) {
        tw_sts<f32>(winner_parts + (u32)warp * 4u, winner);
      }
      tw_syncthreads();
      f32 parts_7[8];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_f32x4 parts_7_vec = tw_lds<tw_f32x4>(winner_parts + (u32)(r * 4) * 4u);
        parts_7[r * 4] = parts_7_vec.x; parts_7[r * 4 + 1] = parts_7_vec.y;
        parts_7[r * 4 + 2] = parts_7_vec.z; parts_7[r * 4 + 3] = parts_7_vec.w;
      }
      winner = parts_7[0];
      #pragma unroll
      for (i32 r = 1; r < 8; ++r) {
        winner = tw_max(winner, parts_7[r]);
      }
      i32 least = 2147483647;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        least = tw_min_i32(least, bestScore[r] >= winner ? scoreAt[r] : 2147483647);
      }
      i32 other_8;
      other_8 = tw_shfl_xor<i32>(least, 1);
      least = tw_min_i32(least, other_8);
      other_8 = tw_shfl_xor<i32>(least, 2);
      least = tw_min_i32(least, other_8);
      other_8 = tw_shfl_xor<i32>(least, 4);
      least = tw_min_i32(least, other_8);
      other_8 = tw_shfl_xor<i32>(least, 8);
      least = tw_min_i32(least, other_8);
      other_8 = tw_shfl_xor<i32>(least, 16);
      least = tw_min_i32(least, other_8);
      if (is_first) {
        tw_sts<i32>(t279_parts + (u32)warp * 4u, least);
      }
      tw_syncthreads();
      i32 parts_8[8];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_i32x4 parts_8_vec = tw_lds<tw_i32x4>(t279_parts + (u32)(r * 4) * 4u);
        parts_8[r * 4] = parts_8_vec.x; parts_8[r * 4 + 1] = parts_8_vec.y;
        parts_8[r * 4 + 2] = parts_8_vec.z; parts_8[r * 4 + 3] = parts_8_vec.w;
      }
      least = parts_8[0];
      #pragma unroll
      for (i32 r = 1; r < 8; ++r) {
        least = tw_min_i32(least, parts_8[r]);
      }
      if (is_first_1) {
        if (logits_in) {
          tw_stg<i32>(token + temperature_at, least);
        }
      }
    }
  }
}
