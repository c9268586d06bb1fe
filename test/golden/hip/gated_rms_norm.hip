// gated_rms_norm for hip gfx90a, made by tilewright
// dtypes: T=bf16
// dims fixed: H=1536
// dims divisible: R%2 W%8
// 128 threads in 2 warps of 64, 16 bytes of shared memory
//       0 … 8: t15_parts f32[2]

TW_KERNEL(128) gated_rms_norm(
    const tw_bf16* x, const tw_bf16* gate, const tw_bf16* w, tw_bf16* y, i32 R, i32 W, i32 column,
    f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t15_parts = smem;
  tw_label(t15_parts, 8u, "t15_parts");
  const i64 gate_at = (i64)pid0 * (i64)W + (i64)column + (i64)thread;
  const bool gate_in = pid0 < R;
  tw_bf16 gate_tile[12];
  const i32 position = column + thread;
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    gate_tile[r] = gate_in && (u32)(position + r * 128) < (u32)W ? tw_ldg_nc<u16>(gate + (gate_at + (i64)(r * 128))) : (u16)0;
  }
  f32 t[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    t[r] = tw_bf16_to_f32(gate_tile[r]);
  }
  const i64 x_at = (i64)pid0 * 1536ll + (i64)thread;
  tw_bf16 x_tile[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    x_tile[r] = gate_in ? tw_ldg_nc<u16>(x + (x_at + (i64)(r * 128))) : (u16)0;
  }
  f32 v[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    v[r] = tw_bf16_to_f32(x_tile[r]) * (t[r] / (1.0f + tw_exp(-t[r])));
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
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
  const bool is_first = lane == 0;
  if (is_first) {
    tw_sts<f32>(t15_parts + (u32)warp * 4u, sum);
  }
  tw_syncthreads();
  f32 parts[2];
  const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t15_parts);
  parts[0] = parts_vec.x; parts[1] = parts_vec.y;
  sum = parts[0];
  sum = sum + parts[1];
  const f32 scale = tw_rsqrt(sum / 1536.0f + eps);
  tw_bf16 w_tile[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    w_tile[r] = tw_ldg_nc<u16>(w + (thread + r * 128));
  }
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    const tw_bf16 y_tile = tw_f32_to_bf16(v[r] * scale * tw_bf16_to_f32(w_tile[r]));
    if (gate_in) {
      tw_stg<u16>(y + (x_at + (i64)(r * 128)), y_tile);
    }
  }
}
