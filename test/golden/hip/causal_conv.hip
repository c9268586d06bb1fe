// causal_conv for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=8 BC=128 BS=128
// dims fixed: KW=4
// dims divisible: NB%2 C%16 S%4 MAXB%2
// 128 threads in 2 warps of 64, 16 bytes of shared memory
//       0 … 8: t25_parts i32[2]

TW_KERNEL(128) causal_conv(
    const tw_bf16* x, const tw_bf16* state, const f32* w, const f32* bias, const i32* table,
    const i32* queryStart, const i32* lens, tw_bf16* y, i32 N, i32 W, i32 NB, i32 K1, i32 C, i32 S,
    i32 MAXB, i32 S1, i32 column) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t25_parts = smem;
  tw_label(t25_parts, 8u, "t25_parts");
  i32 begun = 0;
  const i32 bound = tw_min_i32(S, S1);
  const i64 queryStart_at = (i64)thread;
  const bool is_first = lane == 0;
  for (i32 i = 0; i < S; i += 128) {
    const i32 left = bound - i;
    const i64 queryStart_at_1 = queryStart_at + (i64)i;
    const bool queryStart_in = thread < left;
    i32 start;
    start = queryStart_in ? tw_ldg_nc<i32>(queryStart + queryStart_at_1) : 0;
    tw_syncthreads();
    i32 sum = i + thread < S && (start >> 3) + i + thread <= pid1 ? 1 : 0;
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
    if (is_first) {
      tw_sts<i32>(t25_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[2];
    const tw_i32x2 parts_vec = tw_lds<tw_i32x2>(t25_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y;
    sum = parts[0];
    sum = sum + parts[1];
    begun = begun + sum;
  }
  const bool t = begun > 0;
  if (t) {
    const i32 s = begun - 1;
    const i64 queryStart_at_2 = (i64)s;
    i32 rowStart;
    rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at_2);
    const i32 t_1 = s + 1;
    const i64 queryStart_at_3 = (i64)t_1;
    i32 rowEnd;
    rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_3);
    const i32 m0 = (pid1 - (rowStart >> 3) - s) * 8;
    const i32 t_2 = rowEnd - rowStart;
    const bool t_3 = m0 < t_2;
    if (t_3) {
      i32 lens_tile;
      lens_tile = tw_ldg_nc<i32>(lens + queryStart_at_2);
      const i64 table_at = (i64)s * (i64)MAXB;
      i32 slot;
      slot = tw_ldg_nc<i32>(table + table_at);
      const i32 c0 = pid0 * 128;
      const i32 t_4 = column + c0;
      const i32 t_5 = column + C;
      const i32 left_1 = C - c0;
      const i64 bias_at = (i64)thread + (i64)c0;
      const bool bias_in = thread < left_1;
      f32 bias_tile;
      bias_tile = bias_in ? tw_ldg_nc<f32>(bias + bias_at) : 0.0f;
      i32 t_6[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_6[r] = m0 + r;
      }
      const i32 past = lens_tile - t_2;
      f32 acc[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        acc[r] = 0.0f + bias_tile;
      }
      const i32 bound_1 = tw_min_i32(t_5, W);
      const i32 position = t_4 + thread;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i64 x_at = (i64)thread + (i64)t_4;
      const bool x_in = (u32)position < (u32)bound_2;
      const i32 stride = C * K1;
      const i64 state_at = (i64)thread + (i64)slot * (i64)stride + (i64)c0;
      const bool state_in = (u32)slot < (u32)NB && thread < left_1;
      const i32 w_at = thread * 4;
      const i64 w_at_1 = (i64)c0 * 4ll + (i64)w_at;
      for (i32 j = 0; j < 4; ++j) {
        i32 t_7[8];
        i32 t_8[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          t_7[r] = t_6[r] + j - 3;
          const i32 t_9 = rowStart + t_7[r];
          t_8[r] = t_7[r] >= 0 && t_9 < rowEnd ? t_9 : -1;
        }
        tw_bf16 fresh[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          fresh[r] = x_in && (u32)t_8[r] < (u32)N ? tw_ldg_nc<u16>(x + (x_at + (i64)t_8[r] * (i64)W)) : (u16)0;
        }
        i32 t_10[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          t_10[r] = t_7[r] < 0 && past + t_7[r] >= 0 ? t_7[r] + 3 : -1;
        }
        tw_bf16 kept[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          kept[r] = state_in && (u32)t_10[r] < (u32)K1 ? tw_ldg_nc<u16>(state + (state_at + (i64)t_10[r] * (i64)C)) : (u16)0;
        }
        const i64 w_at_2 = w_at_1 + (i64)j;
        f32 w_tile;
        w_tile = bias_in ? tw_ldg_nc<f32>(w + w_at_2) : 0.0f;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          acc[r] = acc[r] + w_tile * (tw_bf16_to_f32(fresh[r]) + tw_bf16_to_f32(kept[r]));
        }
      }
      const i32 t_11 = rowStart + m0;
      const i32 bound_3 = tw_min_i32(rowEnd, N);
      const i64 y_at = (i64)thread + (i64)t_11 * (i64)C + (i64)c0;
      const i32 bound_4 = tw_max_i32(bound_3, 0);
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        const tw_bf16 y_tile = tw_f32_to_bf16(acc[r] / (1.0f + tw_exp(-acc[r])));
        if (bias_in && (u32)(t_11 + r) < (u32)bound_4) {
          tw_stg<u16>(y + (y_at + (i64)(r * C)), y_tile);
        }
      }
    }
  }
}
