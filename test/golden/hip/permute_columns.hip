// permute_columns for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=4 BK=256
// dims divisible: K%16
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) permute_columns(const tw_bf16* x, const i32* order, tw_bf16* y, i32 M, i32 K) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 4;
  const i32 t_1 = pid0 * 256;
  const i64 order_at = (i64)t_1 + (i64)thread;
  i32 from[2];
  const i32 left = K - t_1;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    from[r] = thread + r * 128 < left ? tw_ldg_nc<i32>(order + (order_at + (i64)(r * 128))) : -1;
  }
  const i64 x_at = (i64)t * (i64)K;
  tw_bf16 x_tile[8];
  const i32 left_1 = M - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      x_tile[r * 2 + i] = r < left_1 && (u32)from[i] < (u32)K ? tw_ldg_nc<u16>(x + (x_at + (i64)from[i] + (i64)(r * K))) : (u16)0;
    }
  }
  const i64 y_at = (i64)t * (i64)K + (i64)t_1 + (i64)thread;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      if (r < left_1 && thread + i * 128 < left) {
        tw_stg<u16>(y + (y_at + (i64)(r * K + i * 128)), x_tile[r * 2 + i]);
      }
    }
  }
}
