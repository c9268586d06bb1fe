// permute_slots for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BK=256
// dims divisible: R%2 K%16 S%4
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) permute_slots(
    const tw_bf16* x, const i32* ids, const i32* order, tw_bf16* y, i32 R, i32 K, i32 S, i32 E) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 ids_at = (i64)pid0;
  i32 e;
  e = tw_ldg_nc<i32>(ids + ids_at);
  const bool t = e < 0;
  if (!t) {
    const bool t_1 = e >= E;
    if (!t_1) {
      const i32 t_2 = pid1 * 256;
      const i64 order_at = (i64)e * (i64)K + (i64)lane + (i64)t_2;
      const bool order_in = (u32)e < (u32)E;
      i32 from[4];
      const i32 left = K - t_2;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        from[r] = order_in && lane + r * 64 < left ? tw_ldg_nc<i32>(order + (order_at + (i64)(r * 64))) : -1;
      }
      const i32 t_3 = tw_floordiv_i32(pid0, tw_floordiv_i32(S, R));
      const i64 x_at = (i64)t_3 * (i64)K;
      const bool x_in = t_3 < R;
      tw_bf16 x_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        x_tile[r] = x_in && (u32)from[r] < (u32)K ? tw_ldg_nc<u16>(x + (x_at + (i64)from[r])) : (u16)0;
      }
      const i64 y_at = (i64)pid0 * (i64)K + (i64)lane + (i64)t_2;
      const bool y_in = pid0 < S;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        if (y_in && lane + r * 64 < left) {
          tw_stg<u16>(y + (y_at + (i64)(r * 64)), x_tile[r]);
        }
      }
    }
  }
}
