// silu_and_mul_quantize for hip gfx90a, made by tilewright
// dtypes: T=f32 Q=i8
// dims fixed: I=512 HG=1
// dims divisible: R%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) silu_and_mul_quantize(const f32* x, i8* q, f32* scale, i32 R) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 t_I = lane * 4;
  const i64 x_at = (i64)pid0 * 1024ll + (i64)t_I;
  const bool x_in = pid0 < R;
  f32 gate[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 gate_vec = x_in ? tw_ldg_nc<tw_f32x4>(x + (x_at + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    gate[r * 4] = gate_vec.x; gate[r * 4 + 1] = gate_vec.y; gate[r * 4 + 2] = gate_vec.z;
    gate[r * 4 + 3] = gate_vec.w;
  }
  f32 up[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 up_vec = x_in ? tw_ldg_nc<tw_f32x4>(x + (x_at + 512ll + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    up[r * 4] = up_vec.x; up[r * 4 + 1] = up_vec.y; up[r * 4 + 2] = up_vec.z;
    up[r * 4 + 3] = up_vec.w;
  }
  f32 t[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    t[r] = gate[r] / (1.0f + tw_exp(-gate[r])) * up[r];
  }
  f32 greatest = tw_bits_f32(0xff800000u);
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    greatest = tw_max(greatest, tw_abs(t[r]));
  }
  f32 other;
  other = tw_shfl_xor<f32>(greatest, 1);
  greatest = tw_max(greatest, other);
  other = tw_shfl_xor<f32>(greatest, 2);
  greatest = tw_max(greatest, other);
  other = tw_shfl_xor<f32>(greatest, 4);
  greatest = tw_max(greatest, other);
  other = tw_shfl_xor<f32>(greatest, 8);
  greatest = tw_max(greatest, other);
  other = tw_shfl_xor<f32>(greatest, 16);
  greatest = tw_max(greatest, other);
  other = tw_shfl_xor<f32>(greatest, 32);
  greatest = tw_max(greatest, other);
  const bool isEmpty = greatest < 1e-35f;
  const f32 t_1 = isEmpty ? 0.0f : 127.0f / greatest;
  const i64 q_at = (i64)pid0 * 512ll + (i64)t_I;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    i8 q_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      q_tile[i] = tw_min_i32(tw_max_i32(tw_f32_to_i32(tw_round(t[r * 4 + i] * t_1)), -128), 127);
    }
    if (x_in) {
      tw_stg<u32>(
          q + (q_at + (i64)(r * 256)), tw_pack_u8x4(q_tile[0], q_tile[1], q_tile[2], q_tile[3]));
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
