// quantize_static for hip gfx90a, made by tilewright
// dtypes: T=f32 Q=i8
// config: BR=1 BH=1024
// dims divisible: R%2 H%4
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) quantize_static(const f32* x, const f32* scale, i8* q, f32* rowScale, i32 R, i32 H) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  f32 by;
  by = tw_ldg_nc<f32>(scale);
  const i32 left = R - pid0;
  const i32 t_BH = thread * 4;
  const i64 x_at = (i64)pid0 * (i64)H + (i64)t + (i64)t_BH;
  const bool x_in = 0 < left;
  f32 x_tile[8];
  const i32 left_1 = H - t;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 x_tile_vec = x_in && t_BH + r * 512 < left_1 ? tw_ldg_nc<tw_f32x4>(x + (x_at + (i64)(r * 512))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    x_tile[r * 4] = x_tile_vec.x; x_tile[r * 4 + 1] = x_tile_vec.y;
    x_tile[r * 4 + 2] = x_tile_vec.z; x_tile[r * 4 + 3] = x_tile_vec.w;
  }
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    i8 q_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      q_tile[i] = tw_min_i32(tw_max_i32(
          tw_f32_to_i32(tw_round(x_tile[r * 4 + i] / by)), -128), 127);
    }
    if (x_in && t_BH + r * 512 < left_1) {
      tw_stg<u32>(
          q + (x_at + (i64)(r * 512)), tw_pack_u8x4(q_tile[0], q_tile[1], q_tile[2], q_tile[3]));
    }
  }
  const bool t_1 = pid1 == 0;
  if (t_1) {
    const i64 rowScale_at = (i64)pid0;
    const bool is_first = thread == 0;
    if (is_first) {
      const f32 rowScale_tile = by;
      if (x_in) {
        tw_stg<f32>(rowScale + rowScale_at, rowScale_tile);
      }
    }
  }
}
