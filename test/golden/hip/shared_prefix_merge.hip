// shared_prefix_merge for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BN=32 BS=256 LEAST=1 GP=4 BJ=4 stages=1 SN=64
// dims fixed: G=4 D=128
// dims divisible: PB%4 R%16 S%2
// 256 threads in 4 warps of 64, 4384 bytes of shared memory
//       0 … 4096: t136_parts f32[1024]
//       0 … 4096: t252_parts f32[1024]
//    4096 … 4160: w_convert f32[16]
//    4224 … 4256: t122_parts f32[8]
//    4352 … 4384: t130_parts f32[8]

TW_KERNEL(256) shared_prefix_merge(
    const f32* prefix, const f32* prefixLse, const i32* tileLens, const f32* partial,
    const f32* lse, const i32* own, const i32* place, tw_bf16* o, i32 PB, i32 HKV, i32 R, i32 B,
    i32 P, i32 S) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 t122_parts = smem + 4224u;
  tw_label(t122_parts, 32u, "t122_parts");
  const u32 t130_parts = smem + 4352u;
  tw_label(t130_parts, 32u, "t130_parts");
  const u32 t136_parts = smem;
  tw_label(t136_parts, 4096u, "t136_parts");
  const u32 w_convert = smem + 4096u;
  tw_label(w_convert, 64u, "w_convert");
  const u32 t252_parts = smem;
  tw_label(t252_parts, 4096u, "t252_parts");
  const i32 t = pid0 * 4;
  const i64 place_at = (i64)pid2;
  i32 at;
  at = tw_ldg_nc<i32>(place + place_at);
  const i32 most = R >> 2;
  const i32 t_1 = tw_max_i32(at, 0);
  const i32 tile = tw_floordiv_i32(t_1, most);
  const i32 programs = PB - B;
  const i64 tileLens_at = (i64)tile;
  i32 tileLens_tile;
  tileLens_tile = tw_ldg_nc<i32>(tileLens + tileLens_at);
  const i32 t_2 = (tileLens_tile + 63) >> 6;
  i32 length = 0;
  const i64 tileLens_at_1 = (i64)lane;
  for (i32 i = 0; i < B; i += 256) {
    const i64 tileLens_at_2 = tileLens_at_1 + (i64)i;
    i32 tileLens_tile_1[4];
    const i32 left = B - i;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tileLens_tile_1[r] = lane + r * 64 < left ? tw_ldg_nc<i32>(tileLens + (tileLens_at_2 + (i64)(r * 64))) : 0;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum = sum + ((tileLens_tile_1[r] + 63) >> 6);
    }
    i32 other;
    other = tw_shfl_xor<i32>(sum, 1);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 2);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 4);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 8);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 16);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 32);
    sum = sum + other;
    length = length + sum;
  }
  i32 before = 0;
  const i32 bound = tw_min_i32(tile, B);
  for (i32 i_1 = 0; i_1 < tile; i_1 += 256) {
    const i64 tileLens_at_3 = tileLens_at_1 + (i64)i_1;
    i32 tileLens_tile_2[4];
    const i32 left_1 = bound - i_1;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tileLens_tile_2[r] = lane + r * 64 < left_1 ? tw_ldg_nc<i32>(tileLens + (tileLens_at_3 + (i64)(r * 64))) : 0;
    }
    i32 sum_1 = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1 = sum_1 + ((tileLens_tile_2[r] + 63) >> 6);
    }
    i32 other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 1);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 2);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 4);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 8);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 16);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 32);
    sum_1 = sum_1 + other_1;
    before = before + sum_1;
  }
  const bool t_3 = (B > 1 ? tw_floormod_i32(programs, tw_max_i32(B, 1)) : 1) == 0;
  const bool isSpread = t_3 && programs <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(programs, length), 1);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 longer = length - each * shares;
  const i32 t_4 = each + 1;
  const i32 edge = longer * t_4;
  const i32 t_5 = tw_max_i32(each, 1);
  const i32 first = before < edge ? tw_floordiv_i32(before, t_4) : longer + tw_floordiv_i32(before - edge, t_5);
  const i32 t_6 = tw_max_i32(length, 1);
  const i32 t_7 = isSpread ? tw_floordiv_i32((before + 1) * shares - 1, t_6) : first;
  const i32 first_1 = tile + t_7;
  const bool t_8 = t_2 > 0;
  i32 end;
  if (t_8) {
    const i32 t_9 = before + t_2 - 1;
    const i32 first_2 = t_9 < edge ? tw_floordiv_i32(t_9, t_4) : longer + tw_floordiv_i32(t_9 - edge, t_5);
    const i32 t_10 = isSpread ? tw_floordiv_i32((t_9 + 1) * shares - 1, t_6) : first_2;
    end = tile + t_10 + 1;
  } else {
    end = first_1;
  }
  const i32 row = tw_floormod_i32(t_1, most) * 4;
  const i32 t_11 = row + t;
  const i32 t_12 = row + 4;
  const i32 end_1 = at < 0 ? first_1 : end;
  f32 l = 0.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = -1e+30f;
  const i32 stride = R * HKV;
  const i32 t_BJ = warp >> 1;
  const i32 bound_1 = tw_min_i32(end_1, PB);
  const i32 t_GP = (thread >> 5) & 3;
  const i32 bound_2 = tw_min_i32(t_12, R);
  const i32 left_2 = bound_2 - t_11;
  const i32 prefixLse_at = t_BJ * stride + t_GP;
  const i64 prefixLse_at_1 = (i64)pid1 * (i64)R + (i64)t_11 + (i64)prefixLse_at;
  const bool prefixLse_in = pid1 < HKV && t_GP < left_2;
  const i32 bound_3 = tw_max_i32(bound_1, 0);
  const i32 stride_1 = R * 128 * HKV;
  const i32 stride_2 = R * 128;
  const i32 t_D = (lane & 31) * 4;
  const i32 prefix_at = t_BJ * stride_1 + t_GP * 128 + t_D;
  const i64 prefix_at_1 = (i64)pid1 * (i64)stride_2 + (i64)t_11 * 128ll + (i64)prefix_at;
  const bool is_first = (lane & 31) == 0;
  const i32 part_at = t_BJ * 4 + t_GP;
  const i32 element = t_GP * 128 + t_D;
  const i32 part_at_1 = t_BJ * 512 + element;
  for (i32 j = first_1; j < end_1; j += 4) {
    const i64 prefixLse_at_2 = prefixLse_at_1 + (i64)j * (i64)stride;
    f32 x[2];
    const i32 position = j + t_BJ;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      x[r] = prefixLse_in && (u32)(position + r * 2) < (u32)bound_3 ? tw_ldg_nc<f32>(prefixLse + (prefixLse_at_2 + (i64)(r * 2 * stride))) : tw_bits_f32(0xff800000u);
    }
    const i64 prefix_at_2 = prefix_at_1 + (i64)j * (i64)stride_1;
    f32 part[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 part_vec = prefixLse_in && (u32)(position + r * 2) < (u32)bound_3 ? tw_ldg_nc<tw_f32x4>(prefix + (prefix_at_2 + (i64)(r * 2 * stride_1))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      part[r * 4] = part_vec.x; part[r * 4 + 1] = part_vec.y; part[r * 4 + 2] = part_vec.z;
      part[r * 4 + 3] = part_vec.w;
    }
    f32 most_1 = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most_1 = tw_max(most_1, x[r]);
    }
    if (is_first) {
      tw_sts<f32>(t122_parts + (u32)part_at * 4u, most_1);
    }
    tw_syncthreads();
    most_1 = tw_lds<f32>(t122_parts + (u32)t_GP * 4u);
    f32 other_2;
    other_2 = tw_lds<f32>(t122_parts + (u32)(t_GP + 4) * 4u);
    most_1 = tw_max(most_1, other_2);
    const f32 next = tw_max(m, most_1);
    f32 w[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      w[r] = tw_exp2(x[r] - next);
    }
    const f32 alpha = tw_exp2(m - next);
    f32 sum_2 = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum_2 = sum_2 + w[r];
    }
    if (is_first) {
      tw_sts<f32>(t130_parts + (u32)part_at * 4u, sum_2);
    }
    tw_syncthreads();
    sum_2 = tw_lds<f32>(t130_parts + (u32)t_GP * 4u);
    f32 other_3;
    other_3 = tw_lds<f32>(t130_parts + (u32)(t_GP + 4) * 4u);
    sum_2 = sum_2 + other_3;
    f32 sum_3[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_3[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        sum_3[k] = sum_3[k] + w[r] * part[r * 4 + k];
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_sts<f32>(t136_parts + (u32)(part_at_1 + r) * 4u, sum_3[r]);
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_3[r] = tw_lds<f32>(t136_parts + (u32)(element + r) * 4u);
      f32 other_4;
      other_4 = tw_lds<f32>(t136_parts + (u32)(element + r + 512) * 4u);
      sum_3[r] = sum_3[r] + other_4;
    }
    l = l * alpha + sum_2;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha + sum_3[r];
    }
    m = next;
  }
  const i32 programs_1 = P - S;
  i32 own_tile;
  own_tile = tw_ldg_nc<i32>(own + place_at);
  const i32 t_13 = (own_tile + 31) >> 5;
  i32 length_1 = 0;
  const i32 t_BS = lane * 2;
  const i64 own_at = (i64)t_BS;
  for (i32 i_2 = 0; i_2 < S; i_2 += 256) {
    const i64 own_at_1 = own_at + (i64)i_2;
    i32 own_tile_1[4];
    const i32 left_3 = S - i_2;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_i32x2 own_tile_1_vec = t_BS + r * 128 < left_3 ? tw_ldg_nc<tw_i32x2>(own + (own_at_1 + (i64)(r * 128))) : tw_i32x2{0, 0};
      own_tile_1[r * 2] = own_tile_1_vec.x; own_tile_1[r * 2 + 1] = own_tile_1_vec.y;
    }
    i32 sum_4 = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_4 = sum_4 + ((own_tile_1[r] + 31) >> 5);
    }
    i32 other_5;
    other_5 = tw_shfl_xor<i32>(sum_4, 1);
    sum_4 = sum_4 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_4, 2);
    sum_4 = sum_4 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_4, 4);
    sum_4 = sum_4 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_4, 8);
    sum_4 = sum_4 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_4, 16);
    sum_4 = sum_4 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_4, 32);
    sum_4 = sum_4 + other_5;
    length_1 = length_1 + sum_4;
  }
  i32 before_1 = 0;
  const i32 bound_4 = tw_min_i32(pid2, S);
  for (i32 i_3 = 0; i_3 < pid2; i_3 += 256) {
    const i64 own_at_2 = own_at + (i64)i_3;
    i32 own_tile_2[4];
    const i32 left_4 = bound_4 - i_3;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 2; ++k) {
        own_tile_2[r * 2 + k] = t_BS + r * 128 + k < left_4 ? tw_ldg_nc<i32>(own + (own_at_2 + (i64)(r * 128 + k))) : 0;
      }
    }
    i32 sum_5 = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_5 = sum_5 + ((own_tile_2[r] + 31) >> 5);
    }
    i32 other_6;
    other_6 = tw_shfl_xor<i32>(sum_5, 1);
    sum_5 = sum_5 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_5, 2);
    sum_5 = sum_5 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_5, 4);
    sum_5 = sum_5 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_5, 8);
    sum_5 = sum_5 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_5, 16);
    sum_5 = sum_5 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_5, 32);
    sum_5 = sum_5 + other_6;
    before_1 = before_1 + sum_5;
  }
  const bool t_14 = (S > 1 ? tw_floormod_i32(programs_1, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread_1 = t_14 && programs_1 <= 2047 && length_1 <= 1048576;
  const i32 shares_1 = tw_max_i32(tw_min_i32(programs_1, length_1), 1);
  const i32 each_1 = tw_floordiv_i32(length_1, shares_1);
  const i32 longer_1 = length_1 - each_1 * shares_1;
  const i32 t_15 = each_1 + 1;
  const i32 edge_1 = longer_1 * t_15;
  const i32 t_16 = tw_max_i32(each_1, 1);
  const i32 first_3 = before_1 < edge_1 ? tw_floordiv_i32(before_1, t_15) : longer_1 + tw_floordiv_i32(before_1 - edge_1, t_16);
  const i32 t_17 = tw_max_i32(length_1, 1);
  const i32 t_18 = isSpread_1 ? tw_floordiv_i32((before_1 + 1) * shares_1 - 1, t_17) : first_3;
  const i32 first_4 = pid2 + t_18;
  const bool t_19 = t_13 > 0;
  i32 end_2;
  if (t_19) {
    const i32 t_20 = before_1 + t_13 - 1;
    const i32 first_5 = t_20 < edge_1 ? tw_floordiv_i32(t_20, t_15) : longer_1 + tw_floordiv_i32(t_20 - edge_1, t_16);
    const i32 t_21 = isSpread_1 ? tw_floordiv_i32((t_20 + 1) * shares_1 - 1, t_17) : first_5;
    end_2 = pid2 + t_21 + 1;
  } else {
    end_2 = first_4;
  }
  f32 l_1 = l;
  f32 m_1 = m;
  const i32 stride_3 = HKV * 4;
  const i32 bound_5 = tw_min_i32(end_2, P);
  const i32 left_5 = 4 - t;
  const i64 lse_at = (i64)pid1 * 4ll + (i64)t + (i64)t_GP;
  const bool lse_in = pid1 < HKV && t_GP < left_5;
  const i32 bound_6 = tw_max_i32(bound_5, 0);
  const i32 stride_4 = HKV * 512;
  const i32 partial_at = t_BJ * stride_4 + t_GP * 128 + t_D;
  const i64 partial_at_1 = (i64)pid1 * 512ll + (i64)t * 128ll + (i64)partial_at;
  const bool is_first_1 = (lane & 31) == 0 && thread < 128;
  const i32 w_convert_at = ((thread >> 5) & 3) * 4;
  const i32 w_convert_at_1 = ((thread >> 5) & 3) * 4 + (warp >> 1);
  const i32 j_1_end = end_2;
  for (i32 j_1 = first_4; j_1 < j_1_end; j_1 += 4) {
    const i64 lse_at_1 = lse_at + (i64)j_1 * (i64)stride_3;
    f32 x_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      x_1[r] = lse_in && (u32)(j_1 + r) < (u32)bound_6 ? tw_ldg_nc<f32>(lse + (lse_at_1 + (i64)(r * stride_3))) : tw_bits_f32(0xff800000u);
    }
    const i64 partial_at_2 = partial_at_1 + (i64)j_1 * (i64)stride_4;
    f32 part_1[8];
    const i32 position_1 = j_1 + t_BJ;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 part_1_vec = lse_in && (u32)(position_1 + r * 2) < (u32)bound_6 ? tw_ldg_nc<tw_f32x4>(partial + (partial_at_2 + (i64)(r * 2 * stride_4))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      part_1[r * 4] = part_1_vec.x; part_1[r * 4 + 1] = part_1_vec.y;
      part_1[r * 4 + 2] = part_1_vec.z; part_1[r * 4 + 3] = part_1_vec.w;
    }
    f32 most_2 = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most_2 = tw_max(most_2, x_1[r]);
    }
    const f32 next_1 = tw_max(m_1, most_2);
    f32 w_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      w_1[r] = tw_exp2(x_1[r] - next_1);
    }
    const f32 alpha_1 = tw_exp2(m_1 - next_1);
    f32 sum_6 = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_6 = sum_6 + w_1[r];
    }
    if (is_first_1) {
      tw_sts<tw_f32x4>(
          w_convert + (u32)w_convert_at * 4u, tw_f32x4{w_1[0], w_1[1], w_1[2], w_1[3]});
    }
    tw_syncthreads();
    f32 w_2[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      w_2[r] = tw_lds<f32>(w_convert + (u32)(w_convert_at_1 + r * 2) * 4u);
    }
    f32 sum_7[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_7[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        sum_7[k] = sum_7[k] + w_2[r] * part_1[r * 4 + k];
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_sts<f32>(t252_parts + (u32)(part_at_1 + r) * 4u, sum_7[r]);
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_7[r] = tw_lds<f32>(t252_parts + (u32)(element + r) * 4u);
      f32 other_7;
      other_7 = tw_lds<f32>(t252_parts + (u32)(element + r + 512) * 4u);
      sum_7[r] = sum_7[r] + other_7;
    }
    l_1 = l_1 * alpha_1 + sum_6;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha_1 + sum_7[r];
    }
    m_1 = next_1;
  }
  const f32 t_22 = tw_max(l_1, 1e-30f);
  const i64 o_at = (i64)pid2 * (i64)stride_4 + (i64)pid1 * 512ll + (i64)t * 128ll + (i64)element;
  const bool o_in = pid2 < S && pid1 < HKV && t_GP < left_5;
  const bool is_first_2 = thread < 128;
  if (is_first_2) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      o_tile[r] = tw_f32_to_bf16(acc[r] / t_22);
    }
    if (o_in) {
      tw_stg<tw_u32x2>(o + o_at, tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
