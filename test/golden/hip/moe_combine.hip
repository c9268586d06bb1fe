// moe_combine for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=1 BH=1024
// dims fixed: K=8 NS=1 NG=1
// dims divisible: H%8
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) moe_combine(
    const tw_bf16* x, const f32* weights, const tw_bf16* shared, const f32* gates, tw_bf16* y,
    i32 R, i32 H) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  f32 total[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    total[r] = 0.0f;
  }
  const i32 left = R - pid0;
  const i64 weights_at = (i64)pid0 * 8ll;
  const bool weights_in = 0 < left;
  const i32 stride = H * 8;
  const i32 t_BH = thread * 8;
  const i32 left_1 = H - t;
  const i64 x_at = (i64)pid0 * (i64)stride + (i64)t + (i64)t_BH;
  const bool x_in = 0 < left && t_BH < left_1;
  for (i32 k = 0; k < 8; ++k) {
    const i64 weights_at_1 = weights_at + (i64)k;
    f32 weights_tile;
    weights_tile = weights_in ? tw_ldg_nc<f32>(weights + weights_at_1) : 0.0f;
    const i64 x_at_1 = x_at + (i64)k * (i64)H;
    tw_bf16 x_tile[8];
    const tw_u32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
    x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
    x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      total[r] = total[r] + weights_tile * tw_bf16_to_f32(x_tile[r]);
    }
  }
  const i64 shared_at = (i64)pid0 * (i64)H + (i64)t + (i64)t_BH;
  const i64 gates_at = (i64)pid0;
  const i64 shared_at_1 = shared_at;
  tw_bf16 shared_tile[8];
  const tw_u32x4 shared_tile_vec = x_in ? tw_ldg_nc<tw_u32x4>(shared + shared_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
  shared_tile[0] = tw_u16x2_lo(shared_tile_vec.x); shared_tile[1] = tw_u16x2_hi(shared_tile_vec.x);
  shared_tile[2] = tw_u16x2_lo(shared_tile_vec.y); shared_tile[3] = tw_u16x2_hi(shared_tile_vec.y);
  shared_tile[4] = tw_u16x2_lo(shared_tile_vec.z); shared_tile[5] = tw_u16x2_hi(shared_tile_vec.z);
  shared_tile[6] = tw_u16x2_lo(shared_tile_vec.w); shared_tile[7] = tw_u16x2_hi(shared_tile_vec.w);
  const i64 gates_at_1 = gates_at;
  f32 gates_tile;
  gates_tile = weights_in ? tw_ldg_nc<f32>(gates + gates_at_1) : 0.0f;
  const f32 t_1 = 1.0f / (1.0f + tw_exp(-gates_tile));
  tw_bf16 y_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    total[r] = total[r] + t_1 * tw_bf16_to_f32(shared_tile[r]);
    y_tile[r] = tw_f32_to_bf16(total[r]);
  }
  if (x_in) {
    tw_stg<tw_u32x4>(y + shared_at, tw_u32x4{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3]),
        tw_pack_u16x2(y_tile[4], y_tile[5]), tw_pack_u16x2(y_tile[6], y_tile[7])});
  }
}
