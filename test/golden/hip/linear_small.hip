// linear_small for hip gfx90a, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=2 BN=16 BK=32 KL=8 KV=4 stages=1
// dims divisible: M%2 K%16 N%16
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) linear_small(const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 K, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 2;
  const i32 t_1 = pid0 * 16;
  f32 acc[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    acc[r] = 0.0f;
  }
  const i32 t_BK = (lane & 7) * 4;
  const i64 x_at = (i64)t * (i64)K + (i64)t_BK;
  const i32 left = M - t;
  const i32 t_BN = thread >> 3;
  const i32 left_1 = N - t_1;
  const i32 w_at = t_BN * K + t_BK;
  const i64 w_at_1 = (i64)t_1 * (i64)K + (i64)w_at;
  const bool w_in = t_BN < left_1;
  for (i32 k = 0; k < K; k += 32) {
    const i32 left_2 = K - k;
    const i64 x_at_1 = x_at + (i64)k;
    const bool x_in = t_BK < left_2;
    tw_bf16 x_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x2 x_tile_vec = x_in && r < left ? tw_ldg_nc<tw_u32x2>(x + (x_at_1 + (i64)(r * K))) : tw_u32x2{0u, 0u};
      x_tile[r * 4] = tw_u16x2_lo(x_tile_vec.x); x_tile[r * 4 + 1] = tw_u16x2_hi(x_tile_vec.x);
      x_tile[r * 4 + 2] = tw_u16x2_lo(x_tile_vec.y); x_tile[r * 4 + 3] = tw_u16x2_hi(x_tile_vec.y);
    }
    const i64 w_at_2 = w_at_1 + (i64)k;
    const bool w_in_1 = w_in && t_BK < left_2;
    tw_bf16 w_tile[4];
    const tw_u32x2 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x2>(w + w_at_2) : tw_u32x2{0u, 0u};
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    f32 b[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      b[r] = tw_bf16_to_f32(w_tile[r]);
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      f32 sum = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum = sum + tw_bf16_to_f32(x_tile[r * 4 + i]) * b[i];
      }
      acc[r] = acc[r] + sum;
    }
  }
  f32 sum_1[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    sum_1[r] = acc[r];
  }
  f32 other;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other = tw_shfl_xor<f32>(sum_1[r], 1);
    sum_1[r] = sum_1[r] + other;
    other = tw_shfl_xor<f32>(sum_1[r], 2);
    sum_1[r] = sum_1[r] + other;
    other = tw_shfl_xor<f32>(sum_1[r], 4);
    sum_1[r] = sum_1[r] + other;
  }
  const i64 y_at = (i64)t * (i64)N + (i64)t_1 + (i64)t_BN;
  const bool is_first = (lane & 7) == 0;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_bf16 y_tile = tw_f32_to_bf16(sum_1[r]);
      if (w_in && r < left) {
        tw_stg<u16>(y + (y_at + (i64)(r * N)), y_tile);
      }
    }
  }
}
