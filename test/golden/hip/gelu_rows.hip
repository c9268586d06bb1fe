// gelu_rows for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=1 BI=1024 EXACT=false
// dims divisible: R%2 I%16
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) gelu_rows(const tw_bf16* x, tw_bf16* y, i32 R, i32 I) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 left = R - pid0;
  const i32 t_BI = thread * 8;
  const i32 left_1 = I - t;
  const i64 x_at = (i64)pid0 * (i64)I + (i64)t + (i64)t_BI;
  const bool x_in = 0 < left && t_BI < left_1;
  tw_bf16 x_tile[8];
  const tw_u32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at) : tw_u32x4{0u, 0u, 0u, 0u};
  x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
  x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
  x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
  x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
  tw_bf16 y_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    const f32 v = tw_bf16_to_f32(x_tile[r]);
    y_tile[r] = tw_f32_to_bf16(v * 0.5f * (tw_tanh((v + v * v * (v * 0.044715f)) * 0.7978846f) + 1.0f));
  }
  if (x_in) {
    tw_stg<tw_u32x4>(y + x_at, tw_u32x4{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3]),
        tw_pack_u16x2(y_tile[4], y_tile[5]), tw_pack_u16x2(y_tile[6], y_tile[7])});
  }
}
