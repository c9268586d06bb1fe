// add_layer_norm for hip gfx90a, made by tilewright
// dtypes: T=bf16
// dims fixed: H=5120
// 256 threads in 4 warps of 64, 144 bytes of shared memory
//       0 … 8: t10_parts f32[2]
//     128 … 136: t16_parts f32[2]

TW_KERNEL(256) add_layer_norm(
    const tw_bf16* x, tw_bf16* residual, const tw_bf16* w, const tw_bf16* b, tw_bf16* y, i32 R,
    f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t10_parts = smem;
  tw_label(t10_parts, 8u, "t10_parts");
  const u32 t16_parts = smem + 128u;
  tw_label(t16_parts, 8u, "t16_parts");
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
  tw_bf16 added[40];
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    added[r] = tw_f32_to_bf16(tw_bf16_to_f32(x_tile[r]) + tw_bf16_to_f32(residual_tile[r]));
  }
  tw_syncthreads();
  const bool is_first = thread < 128;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      if (x_in) {
        tw_stg<tw_u32x4>(residual + (x_at + (i64)(r * 1024)), tw_u32x4{
            tw_pack_u16x2(added[r * 8], added[r * 8 + 1]),
            tw_pack_u16x2(added[r * 8 + 2], added[r * 8 + 3]),
            tw_pack_u16x2(added[r * 8 + 4], added[r * 8 + 5]),
            tw_pack_u16x2(added[r * 8 + 6], added[r * 8 + 7])});
      }
    }
  }
  f32 v[40];
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    v[r] = tw_bf16_to_f32(added[r]);
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    sum = sum + v[r];
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
  const bool is_first_1 = lane == 0 && thread < 128;
  if (is_first_1) {
    tw_sts<f32>(t10_parts + (u32)part * 4u, sum);
  }
  tw_syncthreads();
  f32 parts[2];
  const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t10_parts);
  parts[0] = parts_vec.x; parts[1] = parts_vec.y;
  sum = parts[0];
  sum = sum + parts[1];
  const f32 t = sum / 5120.0f;
  f32 centred[40];
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    centred[r] = v[r] - t;
  }
  f32 sum_1 = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    sum_1 = sum_1 + centred[r] * centred[r];
  }
  f32 other_1;
  other_1 = tw_shfl_xor<f32>(sum_1, 1);
  sum_1 = sum_1 + other_1;
  other_1 = tw_shfl_xor<f32>(sum_1, 2);
  sum_1 = sum_1 + other_1;
  other_1 = tw_shfl_xor<f32>(sum_1, 4);
  sum_1 = sum_1 + other_1;
  other_1 = tw_shfl_xor<f32>(sum_1, 8);
  sum_1 = sum_1 + other_1;
  other_1 = tw_shfl_xor<f32>(sum_1, 16);
  sum_1 = sum_1 + other_1;
  other_1 = tw_shfl_xor<f32>(sum_1, 32);
  sum_1 = sum_1 + other_1;
  if (is_first_1) {
    tw_sts<f32>(t16_parts + (u32)part * 4u, sum_1);
  }
  tw_syncthreads();
  f32 parts_1[2];
  const tw_f32x2 parts_1_vec = tw_lds<tw_f32x2>(t16_parts);
  parts_1[0] = parts_1_vec.x; parts_1[1] = parts_1_vec.y;
  sum_1 = parts_1[0];
  sum_1 = sum_1 + parts_1[1];
  tw_bf16 w_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 w_tile_vec = tw_ldg_nc<tw_u32x4>(w + (t_H + r * 1024));
    w_tile[r * 8] = tw_u16x2_lo(w_tile_vec.x); w_tile[r * 8 + 1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[r * 8 + 2] = tw_u16x2_lo(w_tile_vec.y); w_tile[r * 8 + 3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[r * 8 + 4] = tw_u16x2_lo(w_tile_vec.z); w_tile[r * 8 + 5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[r * 8 + 6] = tw_u16x2_lo(w_tile_vec.w); w_tile[r * 8 + 7] = tw_u16x2_hi(w_tile_vec.w);
  }
  tw_bf16 b_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 b_tile_vec = tw_ldg_nc<tw_u32x4>(b + (t_H + r * 1024));
    b_tile[r * 8] = tw_u16x2_lo(b_tile_vec.x); b_tile[r * 8 + 1] = tw_u16x2_hi(b_tile_vec.x);
    b_tile[r * 8 + 2] = tw_u16x2_lo(b_tile_vec.y); b_tile[r * 8 + 3] = tw_u16x2_hi(b_tile_vec.y);
    b_tile[r * 8 + 4] = tw_u16x2_lo(b_tile_vec.z); b_tile[r * 8 + 5] = tw_u16x2_hi(b_tile_vec.z);
    b_tile[r * 8 + 6] = tw_u16x2_lo(b_tile_vec.w); b_tile[r * 8 + 7] = tw_u16x2_hi(b_tile_vec.w);
  }
  const f32 scale = tw_rsqrt(sum_1 / 5120.0f + eps);
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_bf16 y_tile[8];
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        y_tile[i] = tw_f32_to_bf16(centred[r * 8 + i] * scale * tw_bf16_to_f32(w_tile[r * 8 + i]) + tw_bf16_to_f32(b_tile[r * 8 + i]));
      }
      if (x_in) {
        tw_stg<tw_u32x4>(y + (x_at + (i64)(r * 1024)), tw_u32x4{
            tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3]),
            tw_pack_u16x2(y_tile[4], y_tile[5]), tw_pack_u16x2(y_tile[6], y_tile[7])});
      }
    }
  }
}
