// mla_shares for cuda sm_80, made by tilewright
// config: BN=64 BS=256 LEAST=1 warps=4
// dims divisible: W%2
// 128 threads in 4 warps of 32, 0 bytes of shared memory

TW_KERNEL(128) mla_shares(const i32* lens, i32* line, i32 S, i32 W) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 programs = tw_floordiv_i32(W - S, 5);
  i32 length = 0;
  const i32 t_BS = lane * 8;
  const i64 lens_at = (i64)t_BS;
  for (i32 i = 0; i < S; i += 256) {
    const i64 lens_at_1 = lens_at + (i64)i;
    i32 lens_tile[8];
    const i32 left = S - i;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      lens_tile[r] = t_BS + r < left ? tw_ldg_nc<i32>(lens + (lens_at_1 + (i64)r)) : 0;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum = sum + ((lens_tile[r] + 63) >> 6);
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
    length = length + sum;
  }
  const bool t = (S > 1 ? tw_floormod_i32(programs, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread = t && programs <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(programs, length), 1);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 t_1 = length - each * shares;
  const i32 lo = isSpread ? tw_floordiv_i32(pid0 * length, shares) : pid0 * each + tw_min_i32(pid0, t_1);
  const bool t_2 = pid0 < shares;
  i32 hi;
  if (t_2) {
    const i32 t_3 = pid0 + 1;
    const i32 t_4 = isSpread ? tw_floordiv_i32(t_3 * length, shares) : t_3 * each + tw_min_i32(t_3, t_1);
    hi = t_4;
  } else {
    hi = lo;
  }
  i32 sequence = 0;
  i32 begin = 0;
  i32 passed = 0;
  const i32 position = lane & 31;
  for (i32 i_1 = 0; i_1 < S; i_1 += 256) {
    const i64 lens_at_2 = lens_at + (i64)i_1;
    i32 lens_tile_1[8];
    const i32 left_1 = S - i_1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      lens_tile_1[r] = t_BS + r < left_1 ? tw_ldg_nc<i32>(lens + (lens_at_2 + (i64)r)) : 0;
    }
    i32 t_5[8];
    i32 scan_sum[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_5[r] = (lens_tile_1[r] + 63) >> 6;
      scan_sum[r] = t_5[r];
    }
    #pragma unroll
    for (i32 r = 1; r < 8; ++r) {
      scan_sum[r] = scan_sum[r - 1] + scan_sum[r];
    }
    i32 before;
    i32 total;
    i32 other_1;
    total = scan_sum[7];
    other_1 = tw_shfl_idx<i32>(total, position >= 1 ? lane - 1 : lane);
    total = position >= 1 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 2 ? lane - 2 : lane);
    total = position >= 2 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 4 ? lane - 4 : lane);
    total = position >= 4 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 8 ? lane - 8 : lane);
    total = position >= 8 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 16 ? lane - 16 : lane);
    total = position >= 16 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 1 ? lane - 1 : lane);
    before = position == 0 ? 0 : other_1;
    i32 ends[8];
    bool isBefore[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      scan_sum[r] = before + scan_sum[r];
      ends[r] = passed + scan_sum[r];
      isBefore[r] = i_1 + t_BS + r < S && ends[r] <= lo;
    }
    i32 sum_1 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum_1 = sum_1 + (isBefore[r] ? 1 : 0);
    }
    i32 other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 1);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 2);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 4);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 8);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 16);
    sum_1 = sum_1 + other_2;
    i32 most = -2147483647 - 1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      most = tw_max_i32(most, isBefore[r] ? ends[r] : 0);
    }
    i32 other_3;
    other_3 = tw_shfl_xor<i32>(most, 1);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 2);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 4);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 8);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 16);
    most = tw_max_i32(most, other_3);
    i32 sum_2 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum_2 = sum_2 + t_5[r];
    }
    i32 other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 1);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 2);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 4);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 8);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 16);
    sum_2 = sum_2 + other_4;
    sequence = sequence + sum_1;
    begin = tw_max_i32(begin, most);
    passed = passed + sum_2;
  }
  const i32 t_6 = hi - 1;
  i32 sequence_1 = 0;
  i32 passed_1 = 0;
  for (i32 i_2 = 0; i_2 < S; i_2 += 256) {
    const i64 lens_at_3 = lens_at + (i64)i_2;
    i32 lens_tile_2[8];
    const i32 left_2 = S - i_2;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      lens_tile_2[r] = t_BS + r < left_2 ? tw_ldg_nc<i32>(lens + (lens_at_3 + (i64)r)) : 0;
    }
    i32 t_7[8];
    i32 scan_sum_1[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_7[r] = (lens_tile_2[r] + 63) >> 6;
      scan_sum_1[r] = t_7[r];
    }
    #pragma unroll
    for (i32 r = 1; r < 8; ++r) {
      scan_sum_1[r] = scan_sum_1[r - 1] + scan_sum_1[r];
    }
    i32 before_1;
    i32 total_1;
    i32 other_5;
    total_1 = scan_sum_1[7];
    other_5 = tw_shfl_idx<i32>(total_1, position >= 1 ? lane - 1 : lane);
    total_1 = position >= 1 ? other_5 + total_1 : total_1;
    other_5 = tw_shfl_idx<i32>(total_1, position >= 2 ? lane - 2 : lane);
    total_1 = position >= 2 ? other_5 + total_1 : total_1;
    other_5 = tw_shfl_idx<i32>(total_1, position >= 4 ? lane - 4 : lane);
    total_1 = position >= 4 ? other_5 + total_1 : total_1;
    other_5 = tw_shfl_idx<i32>(total_1, position >= 8 ? lane - 8 : lane);
    total_1 = position >= 8 ? other_5 + total_1 : total_1;
    other_5 = tw_shfl_idx<i32>(total_1, position >= 16 ? lane - 16 : lane);
    total_1 = position >= 16 ? other_5 + total_1 : total_1;
    other_5 = tw_shfl_idx<i32>(total_1, position >= 1 ? lane - 1 : lane);
    before_1 = position == 0 ? 0 : other_5;
    i32 ends_1[8];
    bool isBefore_1[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      scan_sum_1[r] = before_1 + scan_sum_1[r];
      ends_1[r] = passed_1 + scan_sum_1[r];
      isBefore_1[r] = i_2 + t_BS + r < S && ends_1[r] <= t_6;
    }
    i32 sum_3 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum_3 = sum_3 + (isBefore_1[r] ? 1 : 0);
    }
    i32 other_6;
    other_6 = tw_shfl_xor<i32>(sum_3, 1);
    sum_3 = sum_3 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_3, 2);
    sum_3 = sum_3 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_3, 4);
    sum_3 = sum_3 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_3, 8);
    sum_3 = sum_3 + other_6;
    other_6 = tw_shfl_xor<i32>(sum_3, 16);
    sum_3 = sum_3 + other_6;
    i32 sum_4 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum_4 = sum_4 + t_7[r];
    }
    i32 other_7;
    other_7 = tw_shfl_xor<i32>(sum_4, 1);
    sum_4 = sum_4 + other_7;
    other_7 = tw_shfl_xor<i32>(sum_4, 2);
    sum_4 = sum_4 + other_7;
    other_7 = tw_shfl_xor<i32>(sum_4, 4);
    sum_4 = sum_4 + other_7;
    other_7 = tw_shfl_xor<i32>(sum_4, 8);
    sum_4 = sum_4 + other_7;
    other_7 = tw_shfl_xor<i32>(sum_4, 16);
    sum_4 = sum_4 + other_7;
    sequence_1 = sequence_1 + sum_3;
    passed_1 = passed_1 + sum_4;
  }
  const bool isEmpty = hi <= lo;
  const i32 t_8 = programs * 5;
  const i32 t_9 = pid0 * 256;
  const i32 t_10 = programs * 256;
  const i32 step = tw_max_i32(t_10, 1);
  const i64 lens_at_4 = (i64)lane;
  const bool is_first = thread < 32;
  for (i32 i_3 = t_9; i_3 < S; i_3 += step) {
    const i64 lens_at_5 = lens_at_4 + (i64)i_3;
    i32 lens_tile_3[8];
    const i32 position_1 = i_3 + lane;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      lens_tile_3[r] = (u32)(position_1 + r * 32) < (u32)S ? tw_ldg_nc<i32>(lens + (lens_at_5 + (i64)(r * 32))) : 0;
    }
    tw_syncthreads();
    const i32 t_11 = t_8 + i_3;
    const i64 line_at = lens_at_4 + (i64)t_11;
    if (is_first) {
      const i32 position_2 = t_11 + lane;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        if ((u32)(position_2 + r * 32) < (u32)W) {
          tw_stg<i32>(line + (line_at + (i64)(r * 32)), lens_tile_3[r]);
        }
      }
    }
  }
  const i32 t_12 = pid0 * 5;
  tw_syncthreads();
  const i64 line_at_1 = (i64)t_12;
  const bool line_in = t_12 < W;
  const bool is_first_1 = thread == 0;
  if (is_first_1) {
    const i32 line_tile = isEmpty ? 0 : sequence;
    if (line_in) {
      tw_stg<i32>(line + line_at_1, line_tile);
    }
  }
  tw_syncthreads();
  const i32 t_13 = t_12 + 1;
  const i64 line_at_2 = (i64)t_13;
  const bool line_in_1 = t_13 < W;
  if (is_first_1) {
    const i32 line_tile_1 = isEmpty ? 0 : sequence_1 + 1;
    if (line_in_1) {
      tw_stg<i32>(line + line_at_2, line_tile_1);
    }
  }
  tw_syncthreads();
  const i32 t_14 = t_12 + 2;
  const i64 line_at_3 = (i64)t_14;
  const bool line_in_2 = t_14 < W;
  if (is_first_1) {
    const i32 line_tile_2 = isEmpty ? 0 : begin;
    if (line_in_2) {
      tw_stg<i32>(line + line_at_3, line_tile_2);
    }
  }
  tw_syncthreads();
  const i32 t_15 = t_12 + 3;
  const i64 line_at_4 = (i64)t_15;
  const bool line_in_3 = t_15 < W;
  if (is_first_1) {
    const i32 line_tile_3 = isEmpty ? 0 : lo;
    if (line_in_3) {
      tw_stg<i32>(line + line_at_4, line_tile_3);
    }
  }
  tw_syncthreads();
  const i32 t_16 = t_12 + 4;
  const i64 line_at_5 = (i64)t_16;
  const bool line_in_4 = t_16 < W;
  if (is_first_1) {
    const i32 line_tile_4 = isEmpty ? 0 : hi;
    if (line_in_4) {
      tw_stg<i32>(line + line_at_5, line_tile_4);
    }
  }
}
