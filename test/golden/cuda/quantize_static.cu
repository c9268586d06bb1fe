// quantize_static for cuda sm_80, made by tilewright
// dtypes: T=f32 Q=i8
// config: B=1024
// 128 threads in 4 warps of 32, 0 bytes of shared memory

TW_KERNEL(128) quantize_static(const f32* x, const f32* scale, i8* q, i32 E) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 1024;
  const i64 x_at = (i64)t + (i64)thread;
  f32 x_tile[8];
  const i32 left = E - t;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    x_tile[r] = thread + r * 128 < left ? tw_ldg_nc<f32>(x + (x_at + (i64)(r * 128))) : 0.0f;
  }
  f32 scale_tile;
  scale_tile = tw_ldg_nc<f32>(scale);
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    const i8 q_tile = tw_min_i32(tw_max_i32(
        tw_f32_to_i32(tw_round(x_tile[r] / scale_tile)), -128), 127);
    if (thread + r * 128 < left) {
      tw_stg<u8>(q + (x_at + (i64)(r * 128)), (u8)q_tile);
    }
  }
}
