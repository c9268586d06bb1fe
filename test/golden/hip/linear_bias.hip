// linear_bias for hip gfx90a, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=64 BN=64 BK=32 stages=3 group=8
// dims divisible: M%2 K%8 N%8
// 256 threads in 4 warps of 64, 8192 bytes of shared memory
//       0 … 4096: a bf16[2048]
//       0 … 8192: t38_convert bf16[4096]
//    4096 … 8192: b bf16[2048]

TW_KERNEL(256) linear_bias(
    const tw_bf16* x, const tw_bf16* w, const tw_bf16* bias, tw_bf16* y, i32 M, i32 K, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem;
  tw_label(a, 4096u, "a");
  const u32 b = smem + 4096u;
  tw_label(b, 4096u, "b");
  const u32 t38_convert = smem;
  tw_label(t38_convert, 8192u, "t38_convert");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 63) >> 6) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  f32 acc[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    acc[r] = 0.0f;
  }
  const i32 t_BM = thread >> 2;
  const i32 position = t_4 + t_BM;
  const i32 t_BK = (lane & 3) * 8;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_4 * (i64)K + (i64)x_at;
  const bool x_in = (u32)position < (u32)M;
  const i32 a_at = (lane & 3) * 8 + (thread >> 2) * 32;
  const i32 swizzled = a_at ^ ((a_at >> 3) & 24);
  const i32 position_1 = t_5 + t_BM;
  const i64 w_at = (i64)t_5 * (i64)K + (i64)x_at;
  const bool w_in = (u32)position_1 < (u32)N;
  const i32 a_at_1 = (lane & 31) * 32 + (lane >> 5) * 4 + (warp & 1) * 1024;
  const i32 b_at = (lane & 31) * 32 + (lane >> 5) * 4 + (warp >> 1) * 1024;
  const i32 swizzled_1 = a_at_1 ^ ((a_at_1 >> 3) & 24);
  const i32 swizzled_2 = b_at ^ ((b_at >> 3) & 24);
  for (i32 k = 0; k < K; k += 32) {
    tw_syncthreads();
    const i32 left = K - k;
    const i64 x_at_2 = x_at_1 + (i64)k;
    const bool x_in_1 = x_in && t_BK < left;
    tw_bf16 x_tile[8];
    const tw_u32x4 x_tile_vec = x_in_1 ? tw_ldg_nc<tw_u32x4>(x + x_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
    x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
    x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
    tw_sts<tw_u32x4>(a + (u32)swizzled * 2u, tw_u32x4{
        tw_pack_u16x2(x_tile[0], x_tile[1]), tw_pack_u16x2(x_tile[2], x_tile[3]),
        tw_pack_u16x2(x_tile[4], x_tile[5]), tw_pack_u16x2(x_tile[6], x_tile[7])});
    const i64 w_at_1 = w_at + (i64)k;
    const bool w_in_1 = w_in && t_BK < left;
    tw_bf16 w_tile[8];
    const tw_u32x4 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x4>(w + w_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[4] = tw_u16x2_lo(w_tile_vec.z); w_tile[5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[6] = tw_u16x2_lo(w_tile_vec.w); w_tile[7] = tw_u16x2_hi(w_tile_vec.w);
    tw_sts<tw_u32x4>(b + (u32)swizzled * 2u, tw_u32x4{
        tw_pack_u16x2(w_tile[0], w_tile[1]), tw_pack_u16x2(w_tile[2], w_tile[3]),
        tw_pack_u16x2(w_tile[4], w_tile[5]), tw_pack_u16x2(w_tile[6], w_tile[7])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a_1[2];
      u32 b_1[2];
      tw_lds_words<2>(&a_1[0], a + (u32)((swizzled_1 ^ (r * 8)) * 2));
      tw_lds_words<2>(&b_1[0], b + (u32)((swizzled_2 ^ (r * 8)) * 2));
      tw_mfma_f32_32x32x8_bf16(&acc[0], &b_1[0], &a_1[0]);
    }
  }
  const i32 t_BN = (warp >> 1) * 32 + (lane >> 5) * 4;
  const i64 bias_at = (i64)t_5 + (i64)t_BN;
  tw_bf16 bias_tile[16];
  const i32 position_2 = t_5 + t_BN;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_u32x2 bias_tile_vec = (u32)(position_2 + r * 8) < (u32)N ? tw_ldg_nc<tw_u32x2>(bias + (bias_at + (i64)(r * 8))) : tw_u32x2{0u, 0u};
    bias_tile[r * 4] = tw_u16x2_lo(bias_tile_vec.x);
    bias_tile[r * 4 + 1] = tw_u16x2_hi(bias_tile_vec.x);
    bias_tile[r * 4 + 2] = tw_u16x2_lo(bias_tile_vec.y);
    bias_tile[r * 4 + 3] = tw_u16x2_hi(bias_tile_vec.y);
  }
  tw_syncthreads();
  tw_bf16 t_6[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    t_6[r] = tw_f32_to_bf16(acc[r] + tw_bf16_to_f32(bias_tile[r]));
  }
  const i32 t38_convert_at = (lane & 31) * 64 + (lane >> 5) * 4 + (warp & 1) * 2048 + (warp >> 1) * 32;
  const i32 swizzled_3 = t38_convert_at ^ ((t38_convert_at >> 3) & 56);
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    tw_sts<tw_u32x2>(t38_convert + (u32)(swizzled_3 ^ (r * 8)) * 2u, tw_u32x2{
        tw_pack_u16x2(t_6[r * 4], t_6[r * 4 + 1]), tw_pack_u16x2(t_6[r * 4 + 2], t_6[r * 4 + 3])});
  }
  tw_syncthreads();
  tw_bf16 t_7[16];
  const i32 t38_convert_at_1 = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled_4 = t38_convert_at_1 ^ ((t38_convert_at_1 >> 3) & 56);
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_u32x4 t_7_vec = tw_lds<tw_u32x4>(t38_convert + (u32)(swizzled_4 + r * 2048) * 2u);
    t_7[r * 8] = tw_u16x2_lo(t_7_vec.x); t_7[r * 8 + 1] = tw_u16x2_hi(t_7_vec.x);
    t_7[r * 8 + 2] = tw_u16x2_lo(t_7_vec.y); t_7[r * 8 + 3] = tw_u16x2_hi(t_7_vec.y);
    t_7[r * 8 + 4] = tw_u16x2_lo(t_7_vec.z); t_7[r * 8 + 5] = tw_u16x2_hi(t_7_vec.z);
    t_7[r * 8 + 6] = tw_u16x2_lo(t_7_vec.w); t_7[r * 8 + 7] = tw_u16x2_hi(t_7_vec.w);
  }
  const i32 t_BM_1 = thread >> 3;
  const i32 t_BN_1 = (lane & 7) * 8;
  const i32 position_3 = t_5 + t_BN_1;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const bool y_in = (u32)position_3 < (u32)N;
  const i32 position_4 = t_4 + t_BM_1;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    if (y_in && (u32)(position_4 + r * 32) < (u32)M) {
      tw_stg<tw_u32x4>(y + (y_at_1 + (i64)(r * 32 * N)), tw_u32x4{
          tw_pack_u16x2(t_7[r * 8], t_7[r * 8 + 1]), tw_pack_u16x2(t_7[r * 8 + 2], t_7[r * 8 + 3]),
          tw_pack_u16x2(t_7[r * 8 + 4], t_7[r * 8 + 5]),
          tw_pack_u16x2(t_7[r * 8 + 6], t_7[r * 8 + 7])});
    }
  }
}
