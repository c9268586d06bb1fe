// add_rms_norm_quantize for hip gfx90a, made by tilewright
// dtypes: T=f32 Q=i8
// dims fixed: H=512 HG=1
// dims divisible: R%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) add_rms_norm_quantize(
    const f32* x, f32* residual, const f32* w, i8* q, f32* scale, i32 R, f32 eps) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 t_H = lane * 4;
  const i64 x_at = (i64)pid0 * 512ll + (i64)t_H;
  const bool x_in = pid0 < R;
  f32 x_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_f32x4>(x + (x_at + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    x_tile[r * 4] = x_tile_vec.x; x_tile[r * 4 + 1] = x_tile_vec.y;
    x_tile[r * 4 + 2] = x_tile_vec.z; x_tile[r * 4 + 3] = x_tile_vec.w;
  }
  f32 residual_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 residual_tile_vec = x_in ? tw_ldg<tw_f32x4>(residual + (x_at + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    residual_tile[r * 4] = residual_tile_vec.x; residual_tile[r * 4 + 1] = residual_tile_vec.y;
    residual_tile[r * 4 + 2] = residual_tile_vec.z; residual_tile[r * 4 + 3] = residual_tile_vec.w;
  }
  f32 added[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    added[r] = x_tile[r] + residual_tile[r];
  }
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    if (x_in) {
      tw_stg<tw_f32x4>(residual + (x_at + (i64)(r * 256)), tw_f32x4{
          added[r * 4], added[r * 4 + 1], added[r * 4 + 2], added[r * 4 + 3]});
    }
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    sum = sum + added[r] * added[r];
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
  const f32 t = tw_rsqrt(sum / 512.0f + eps);
  f32 w_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 w_tile_vec = tw_ldg_nc<tw_f32x4>(w + (t_H + r * 256));
    w_tile[r * 4] = w_tile_vec.x; w_tile[r * 4 + 1] = w_tile_vec.y;
    w_tile[r * 4 + 2] = w_tile_vec.z; w_tile[r * 4 + 3] = w_tile_vec.w;
  }
  f32 normal[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    normal[r] = added[r] * t * w_tile[r];
  }
  f32 greatest = tw_bits_f32(0xff800000u);
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    greatest = tw_max(greatest, tw_abs(normal[r]));
  }
  f32 other_1;
  other_1 = tw_shfl_xor<f32>(greatest, 1);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 2);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 4);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 8);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 16);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 32);
  greatest = tw_max(greatest, other_1);
  const bool isEmpty = greatest < 1e-35f;
  const f32 t_1 = isEmpty ? 0.0f : 127.0f / greatest;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    i8 q_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      q_tile[i] = tw_min_i32(tw_max_i32(
          tw_f32_to_i32(tw_round(normal[r * 4 + i] * t_1)), -128), 127);
    }
    if (x_in) {
      tw_stg<u32>(
          q + (x_at + (i64)(r * 256)), tw_pack_u8x4(q_tile[0], q_tile[1], q_tile[2], q_tile[3]));
    }
  }
  const i64 scale_at = (i64)pid0;
  const bool is_first = lane == 0;
  if (is_first) {
    const f32 scale_1 = isEmpty ? 1.0f : greatest / 127.0f;
    if (x_in) {
      tw_stg<f32>(scale + scale_at, scale_1);
    }
  }
}
