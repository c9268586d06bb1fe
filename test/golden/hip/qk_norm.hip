// qk_norm for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BH=4 OFFSET=0
// dims fixed: D=80
// dims divisible: N%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) qk_norm(
    tw_bf16* qkv, const tw_bf16* wq, const tw_bf16* wk, i32 N, i32 HT, i32 numQ, i32 numK, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 first = pid1 * 4;
  const i32 t = numQ + numK;
  const i32 stride = HT * 80;
  const i32 t_BH = (lane >> 2) & 3;
  const i32 bound = tw_min_i32(t, HT);
  const i32 left = bound - first;
  const i32 t_D = (lane & 3) * 4;
  const i32 qkv_at = t_BH * 80 + t_D;
  const i64 qkv_at_1 = (i64)pid0 * (i64)stride + (i64)first * 80ll + (i64)qkv_at;
  const bool qkv_in = pid0 < N && t_BH < left;
  tw_bf16 qkv_tile[20];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x2 qkv_tile_vec = qkv_in ? tw_ldg<tw_u32x2>(qkv + (qkv_at_1 + (i64)(r * 16))) : tw_u32x2{0u, 0u};
    qkv_tile[r * 4] = tw_u16x2_lo(qkv_tile_vec.x);
    qkv_tile[r * 4 + 1] = tw_u16x2_hi(qkv_tile_vec.x);
    qkv_tile[r * 4 + 2] = tw_u16x2_lo(qkv_tile_vec.y);
    qkv_tile[r * 4 + 3] = tw_u16x2_hi(qkv_tile_vec.y);
  }
  f32 v[20];
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    v[r] = tw_bf16_to_f32(qkv_tile[r]);
  }
  tw_bf16 wq_tile[20];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x2 wq_tile_vec = tw_ldg_nc<tw_u32x2>(wq + (t_D + r * 16));
    wq_tile[r * 4] = tw_u16x2_lo(wq_tile_vec.x); wq_tile[r * 4 + 1] = tw_u16x2_hi(wq_tile_vec.x);
    wq_tile[r * 4 + 2] = tw_u16x2_lo(wq_tile_vec.y);
    wq_tile[r * 4 + 3] = tw_u16x2_hi(wq_tile_vec.y);
  }
  tw_bf16 wk_tile[20];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x2 wk_tile_vec = tw_ldg_nc<tw_u32x2>(wk + (t_D + r * 16));
    wk_tile[r * 4] = tw_u16x2_lo(wk_tile_vec.x); wk_tile[r * 4 + 1] = tw_u16x2_hi(wk_tile_vec.x);
    wk_tile[r * 4 + 2] = tw_u16x2_lo(wk_tile_vec.y);
    wk_tile[r * 4 + 3] = tw_u16x2_hi(wk_tile_vec.y);
  }
  const bool t_1 = first + t_BH < numQ;
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    sum = sum + v[r] * v[r];
  }
  f32 other;
  other = tw_shfl_xor<f32>(sum, 1);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 2);
  sum = sum + other;
  const f32 t_2 = tw_rsqrt(sum / 80.0f + eps);
  tw_syncthreads();
  const bool is_first = thread < 16;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_bf16 qkv_tile_1[4];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        qkv_tile_1[i] = tw_f32_to_bf16(v[r * 4 + i] * t_2 * (t_1 ? tw_bf16_to_f32(wq_tile[r * 4 + i]) : tw_bf16_to_f32(wk_tile[r * 4 + i])));
      }
      if (qkv_in) {
        tw_stg<tw_u32x2>(qkv + (qkv_at_1 + (i64)(r * 16)), tw_u32x2{
            tw_pack_u16x2(qkv_tile_1[0], qkv_tile_1[1]), tw_pack_u16x2(qkv_tile_1[2], qkv_tile_1[3])});
      }
    }
  }
}
