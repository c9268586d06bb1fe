// cap_logits for hip gfx90a, made by tilewright
// config: BV=1024
// dims divisible: R%2 V%2
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) cap_logits(f32* x, i32 R, i32 V, f32 scale, f32 cap) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 t_BV = thread * 2;
  const i64 x_at = (i64)pid0 * (i64)V + (i64)t + (i64)t_BV;
  const bool x_in = pid0 < R;
  f32 x_tile[8];
  const i32 left = V - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_f32x2 x_tile_vec = x_in && t_BV + r * 256 < left ? tw_ldg<tw_f32x2>(x + (x_at + (i64)(r * 256))) : tw_f32x2{0.0f, 0.0f};
    x_tile[r * 2] = x_tile_vec.x; x_tile[r * 2 + 1] = x_tile_vec.y;
  }
  f32 v[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    v[r] = x_tile[r] * scale;
  }
  const bool t_1 = cap > 0.0f;
  const f32 bound = t_1 ? cap : 1.0f;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    f32 x_tile_1[2];
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      x_tile_1[i] = t_1 ? tw_tanh(v[r * 2 + i] / bound) * bound : v[r * 2 + i];
    }
    if (x_in && t_BV + r * 256 < left) {
      tw_stg<tw_f32x2>(x + (x_at + (i64)(r * 256)), tw_f32x2{x_tile_1[0], x_tile_1[1]});
    }
  }
}
