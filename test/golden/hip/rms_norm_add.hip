// rms_norm_add for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: OFFSET=0
// dims fixed: H=5120
// 256 threads in 4 warps of 64, 16 bytes of shared memory
//       0 … 8: t6_parts f32[2]

TW_KERNEL(256) rms_norm_add(const tw_bf16* x, tw_bf16* residual, const tw_bf16* w, i32 R, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t6_parts = smem;
  tw_label(t6_parts, 8u, "t6_parts");
  const i32 t_H = (thread & 127) * 8;
  const i64 x_at = (i64)pid0 * 5120ll + (i64)t_H;
  const bool x_in = pid0 < R;
  tw_bf16 x_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + (x_at + (i64)(r * 1024))) : tw_u32x4{0u, 0u, 0u, 0u};
    x_tile[r * 8] = tw_u16x2_lo(x_tile_vec.x); x_tile[r * 8 + 1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[r * 8 + 2] = tw_u16x2_lo(x_tile_vec.y); x_tile[r * 8 + 3] = tw_u16x2_hi(x_tile_vec.y);
    x_tile[r * 8 + 4] = tw_u16x2_lo(x_tile_vec.z); x_tile[r * 8 + 5] = tw_u16x2_hi(x_tile_vec.z);
    x_tile[r * 8 + 6] = tw_u16x2_lo(x_tile_vec.w); x_tile[r * 8 + 7] = tw_u16x2_hi(x_tile_vec.w);
  }
  f32 v[40];
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    v[r] = tw_bf16_to_f32(x_tile[r]);
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    sum = sum + v[r] * v[r];
  }
  f32 other;
  other = tw_shfl_xor<f32>(sum, 1);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 2);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 4);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 8);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 16);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 32);
  sum = sum + other;
  const i32 part = warp & 1;
  const bool is_first = lane == 0 && thread < 128;
  if (is_first) {
    tw_sts<f32>(t6_parts + (u32)part * 4u, sum);
  }
  tw_syncthreads();
  f32 parts[2];
  const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t6_parts);
  parts[0] = parts_vec.x; parts[1] = parts_vec.y;
  sum = parts[0];
  sum = sum + parts[1];
  tw_bf16 w_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 w_tile_vec = tw_ldg_nc<tw_u32x4>(w + (t_H + r * 1024));
    w_tile[r * 8] = tw_u16x2_lo(w_tile_vec.x); w_tile[r * 8 + 1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[r * 8 + 2] = tw_u16x2_lo(w_tile_vec.y); w_tile[r * 8 + 3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[r * 8 + 4] = tw_u16x2_lo(w_tile_vec.z); w_tile[r * 8 + 5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[r * 8 + 6] = tw_u16x2_lo(w_tile_vec.w); w_tile[r * 8 + 7] = tw_u16x2_hi(w_tile_vec.w);
  }
  const f32 scale = tw_rsqrt(sum / 5120.0f + eps);
  tw_bf16 residual_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 residual_tile_vec = x_in ? tw_ldg<tw_u32x4>(residual + (x_at + (i64)(r * 1024))) : tw_u32x4{0u, 0u, 0u, 0u};
    residual_tile[r * 8] = tw_u16x2_lo(residual_tile_vec.x);
    residual_tile[r * 8 + 1] = tw_u16x2_hi(residual_tile_vec.x);
    residual_tile[r * 8 + 2] = tw_u16x2_lo(residual_tile_vec.y);
    residual_tile[r * 8 + 3] = tw_u16x2_hi(residual_tile_vec.y);
    residual_tile[r * 8 + 4] = tw_u16x2_lo(residual_tile_vec.z);
    residual_tile[r * 8 + 5] = tw_u16x2_hi(residual_tile_vec.z);
    residual_tile[r * 8 + 6] = tw_u16x2_lo(residual_tile_vec.w);
    residual_tile[r * 8 + 7] = tw_u16x2_hi(residual_tile_vec.w);
  }
  tw_syncthreads();
  const bool is_first_1 = thread < 128;
  if (is_first_1) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_bf16 residual_tile_1[8];
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        residual_tile_1[i] = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + i]) + v[r * 8 + i] * scale * tw_bf16_to_f32(w_tile[r * 8 + i]));
      }
      if (x_in) {
        tw_stg<tw_u32x4>(residual + (x_at + (i64)(r * 1024)), tw_u32x4{
            tw_pack_u16x2(residual_tile_1[0], residual_tile_1[1]),
            tw_pack_u16x2(residual_tile_1[2], residual_tile_1[3]),
            tw_pack_u16x2(residual_tile_1[4], residual_tile_1[5]),
            tw_pack_u16x2(residual_tile_1[6], residual_tile_1[7])});
      }
    }
  }
}
