// linear_int8 for hip gfx90a, made by tilewright
// dtypes: O=bf16
// config: BM=64 BN=64 BK=64 stages=3 group=8
// dims divisible: M%2 K%16 N%8
// 256 threads in 4 warps of 64, 8192 bytes of shared memory
//       0 … 4096: t26 i8[4096]
//       0 … 8192: t40_convert bf16[4096]
//    4096 … 8192: t27 i8[4096]

TW_KERNEL(256) linear_int8(
    const i8* x, const i8* w, const f32* xScale, const f32* wScale, const f32* bias, tw_bf16* y,
    i32 M, i32 K, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t26 = smem;
  tw_label(t26, 4096u, "t26");
  const u32 t27 = smem + 4096u;
  tw_label(t27, 4096u, "t27");
  const u32 t40_convert = smem;
  tw_label(t40_convert, 8192u, "t40_convert");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 63) >> 6) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  i32 acc[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    acc[r] = 0;
  }
  const i32 t_BM = thread >> 2;
  const i32 position = t_4 + t_BM;
  const i32 t_BK = (lane & 3) * 16;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_4 * (i64)K + (i64)x_at;
  const bool x_in = (u32)position < (u32)M;
  const i32 t26_at = (lane & 3) * 16 + (thread >> 2) * 64;
  const i32 swizzled = t26_at ^ ((t26_at >> 3) & 48);
  const i32 position_1 = t_5 + t_BM;
  const i64 w_at = (i64)t_5 * (i64)K + (i64)x_at;
  const bool w_in = (u32)position_1 < (u32)N;
  const i32 t26_at_1 = (lane & 31) * 64 + (lane >> 5) * 4 + (warp & 1) * 2048;
  const i32 t27_at = (lane & 31) * 64 + (lane >> 5) * 4 + (warp >> 1) * 2048;
  const i32 swizzled_1 = t26_at_1 ^ ((t26_at_1 >> 3) & 48);
  const i32 swizzled_2 = t27_at ^ ((t27_at >> 3) & 48);
  for (i32 k = 0; k < K; k += 64) {
    tw_syncthreads();
    const i32 left = K - k;
    const i64 x_at_2 = x_at_1 + (i64)k;
    const bool x_in_1 = x_in && t_BK < left;
    i8 x_tile[16];
    const tw_u32x4 x_tile_vec = x_in_1 ? tw_ldg_nc<tw_u32x4>(x + x_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    x_tile[0] = tw_sext_i8(x_tile_vec.x); x_tile[1] = tw_sext_i8(x_tile_vec.x >> 8);
    x_tile[2] = tw_sext_i8(x_tile_vec.x >> 16); x_tile[3] = tw_sext_i8(x_tile_vec.x >> 24);
    x_tile[4] = tw_sext_i8(x_tile_vec.y); x_tile[5] = tw_sext_i8(x_tile_vec.y >> 8);
    x_tile[6] = tw_sext_i8(x_tile_vec.y >> 16); x_tile[7] = tw_sext_i8(x_tile_vec.y >> 24);
    x_tile[8] = tw_sext_i8(x_tile_vec.z); x_tile[9] = tw_sext_i8(x_tile_vec.z >> 8);
    x_tile[10] = tw_sext_i8(x_tile_vec.z >> 16); x_tile[11] = tw_sext_i8(x_tile_vec.z >> 24);
    x_tile[12] = tw_sext_i8(x_tile_vec.w); x_tile[13] = tw_sext_i8(x_tile_vec.w >> 8);
    x_tile[14] = tw_sext_i8(x_tile_vec.w >> 16); x_tile[15] = tw_sext_i8(x_tile_vec.w >> 24);
    tw_sts<tw_u32x4>(t26 + (u32)swizzled, tw_u32x4{
        tw_pack_u8x4(x_tile[0], x_tile[1], x_tile[2], x_tile[3]),
        tw_pack_u8x4(x_tile[4], x_tile[5], x_tile[6], x_tile[7]),
        tw_pack_u8x4(x_tile[8], x_tile[9], x_tile[10], x_tile[11]),
        tw_pack_u8x4(x_tile[12], x_tile[13], x_tile[14], x_tile[15])});
    const i64 w_at_1 = w_at + (i64)k;
    const bool w_in_1 = w_in && t_BK < left;
    i8 w_tile[16];
    const tw_u32x4 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x4>(w + w_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    w_tile[0] = tw_sext_i8(w_tile_vec.x); w_tile[1] = tw_sext_i8(w_tile_vec.x >> 8);
    w_tile[2] = tw_sext_i8(w_tile_vec.x >> 16); w_tile[3] = tw_sext_i8(w_tile_vec.x >> 24);
    w_tile[4] = tw_sext_i8(w_tile_vec.y); w_tile[5] = tw_sext_i8(w_tile_vec.y >> 8);
    w_tile[6] = tw_sext_i8(w_tile_vec.y >> 16); w_tile[7] = tw_sext_i8(w_tile_vec.y >> 24);
    w_tile[8] = tw_sext_i8(w_tile_vec.z); w_tile[9] = tw_sext_i8(w_tile_vec.z >> 8);
    w_tile[10] = tw_sext_i8(w_tile_vec.z >> 16); w_tile[11] = tw_sext_i8(w_tile_vec.z >> 24);
    w_tile[12] = tw_sext_i8(w_tile_vec.w); w_tile[13] = tw_sext_i8(w_tile_vec.w >> 8);
    w_tile[14] = tw_sext_i8(w_tile_vec.w >> 16); w_tile[15] = tw_sext_i8(w_tile_vec.w >> 24);
    tw_sts<tw_u32x4>(t27 + (u32)swizzled, tw_u32x4{
        tw_pack_u8x4(w_tile[0], w_tile[1], w_tile[2], w_tile[3]),
        tw_pack_u8x4(w_tile[4], w_tile[5], w_tile[6], w_tile[7]),
        tw_pack_u8x4(w_tile[8], w_tile[9], w_tile[10], w_tile[11]),
        tw_pack_u8x4(w_tile[12], w_tile[13], w_tile[14], w_tile[15])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      u32 a;
      u32 b;
      tw_lds_words<1>(&a, t26 + (u32)(swizzled_1 ^ (r * 8)));
      tw_lds_words<1>(&b, t27 + (u32)(swizzled_2 ^ (r * 8)));
      tw_mfma_i32_32x32x8_i8(&acc[0], &b, &a);
    }
  }
  const i32 t_BM_1 = (warp & 1) * 32 + (lane & 31);
  const i32 position_2 = t_4 + t_BM_1;
  const i64 xScale_at = (i64)t_4 + (i64)t_BM_1;
  const bool xScale_in = (u32)position_2 < (u32)M;
  f32 xScale_tile;
  xScale_tile = xScale_in ? tw_ldg_nc<f32>(xScale + xScale_at) : 0.0f;
  const i32 t_BN = (warp >> 1) * 32 + (lane >> 5) * 4;
  const i64 wScale_at = (i64)t_5 + (i64)t_BN;
  f32 wScale_tile[16];
  const i32 position_3 = t_5 + t_BN;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_f32x4 wScale_tile_vec = (u32)(position_3 + r * 8) < (u32)N ? tw_ldg_nc<tw_f32x4>(wScale + (wScale_at + (i64)(r * 8))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    wScale_tile[r * 4] = wScale_tile_vec.x; wScale_tile[r * 4 + 1] = wScale_tile_vec.y;
    wScale_tile[r * 4 + 2] = wScale_tile_vec.z; wScale_tile[r * 4 + 3] = wScale_tile_vec.w;
  }
  f32 bias_tile[16];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_f32x4 bias_tile_vec = (u32)(position_3 + r * 8) < (u32)N ? tw_ldg_nc<tw_f32x4>(bias + (wScale_at + (i64)(r * 8))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    bias_tile[r * 4] = bias_tile_vec.x; bias_tile[r * 4 + 1] = bias_tile_vec.y;
    bias_tile[r * 4 + 2] = bias_tile_vec.z; bias_tile[r * 4 + 3] = bias_tile_vec.w;
  }
  tw_syncthreads();
  tw_bf16 t_6[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    t_6[r] = tw_f32_to_bf16(tw_i32_to_f32(acc[r]) * xScale_tile * wScale_tile[r] + bias_tile[r]);
  }
  const i32 t40_convert_at = (lane & 31) * 64 + (lane >> 5) * 4 + (warp & 1) * 2048 + (warp >> 1) * 32;
  const i32 swizzled_3 = t40_convert_at ^ ((t40_convert_at >> 3) & 56);
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    tw_sts<tw_u32x2>(t40_convert + (u32)(swizzled_3 ^ (r * 8)) * 2u, tw_u32x2{
        tw_pack_u16x2(t_6[r * 4], t_6[r * 4 + 1]), tw_pack_u16x2(t_6[r * 4 + 2], t_6[r * 4 + 3])});
  }
  tw_syncthreads();
  tw_bf16 t_7[16];
  const i32 t40_convert_at_1 = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled_4 = t40_convert_at_1 ^ ((t40_convert_at_1 >> 3) & 56);
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_u32x4 t_7_vec = tw_lds<tw_u32x4>(t40_convert + (u32)(swizzled_4 + r * 2048) * 2u);
    t_7[r * 8] = tw_u16x2_lo(t_7_vec.x); t_7[r * 8 + 1] = tw_u16x2_hi(t_7_vec.x);
    t_7[r * 8 + 2] = tw_u16x2_lo(t_7_vec.y); t_7[r * 8 + 3] = tw_u16x2_hi(t_7_vec.y);
    t_7[r * 8 + 4] = tw_u16x2_lo(t_7_vec.z); t_7[r * 8 + 5] = tw_u16x2_hi(t_7_vec.z);
    t_7[r * 8 + 6] = tw_u16x2_lo(t_7_vec.w); t_7[r * 8 + 7] = tw_u16x2_hi(t_7_vec.w);
  }
  const i32 t_BM_2 = thread >> 3;
  const i32 t_BN_1 = (lane & 7) * 8;
  const i32 position_4 = t_5 + t_BN_1;
  const i32 y_at = t_BM_2 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const bool y_in = (u32)position_4 < (u32)N;
  const i32 position_5 = t_4 + t_BM_2;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    if (y_in && (u32)(position_5 + r * 32) < (u32)M) {
      tw_stg<tw_u32x4>(y + (y_at_1 + (i64)(r * 32 * N)), tw_u32x4{
          tw_pack_u16x2(t_7[r * 8], t_7[r * 8 + 1]), tw_pack_u16x2(t_7[r * 8 + 2], t_7[r * 8 + 3]),
          tw_pack_u16x2(t_7[r * 8 + 4], t_7[r * 8 + 5]),
          tw_pack_u16x2(t_7[r * 8 + 6], t_7[r * 8 + 7])});
    }
  }
}
