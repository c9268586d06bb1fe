// linear_w4_zeros for hip gfx90a, made by tilewright
// dtypes: T=bf16 S=bf16 O=bf16
// config: BM=16 BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=3
// dims divisible: M%2 N%8
// 256 threads in 4 warps of 64, 2176 bytes of shared memory
//       0 … 2176: t40 bf16[1088]

TW_KERNEL(256) linear_w4_zeros(
    const tw_bf16* x, const u8* w, const tw_bf16* scale, const u8* zero, const f32* bias,
    tw_bf16* y, i32 M, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t40 = smem;
  tw_label(t40, 2176u, "t40");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 15) >> 4) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 16;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = true;
  u8 codes[16];
  tw_bf16 t_6;
  u8 zero_1;
  const i32 w_at = (lane & 15) * 16 + (lane >> 4) * 256 + warp * 3072;
  const i32 t_BN = warp * 16 + (lane & 15);
  const i32 position = t_5 + t_BN;
  const bool scale_in = (u32)position < (u32)N;
  if (more) {
    const i64 w_at_1 = (i64)((t_5 >> 4) * 3) * 1024ll + (i64)w_at;
    u8 codes_1[16];
    const tw_u32x2 codes_1_vec = (u32)(t_5 + warp * 16) < (u32)N ? tw_ldg_nc<tw_u32x2>(w + (w_at_1 >> 1)) : tw_u32x2{0u, 0u};
    codes_1[0] = tw_zext_u4(codes_1_vec.x); codes_1[1] = tw_zext_u4(codes_1_vec.x >> 4);
    codes_1[2] = tw_zext_u4(codes_1_vec.x >> 8); codes_1[3] = tw_zext_u4(codes_1_vec.x >> 12);
    codes_1[4] = tw_zext_u4(codes_1_vec.x >> 16); codes_1[5] = tw_zext_u4(codes_1_vec.x >> 20);
    codes_1[6] = tw_zext_u4(codes_1_vec.x >> 24); codes_1[7] = tw_zext_u4(codes_1_vec.x >> 28);
    codes_1[8] = tw_zext_u4(codes_1_vec.y); codes_1[9] = tw_zext_u4(codes_1_vec.y >> 4);
    codes_1[10] = tw_zext_u4(codes_1_vec.y >> 8); codes_1[11] = tw_zext_u4(codes_1_vec.y >> 12);
    codes_1[12] = tw_zext_u4(codes_1_vec.y >> 16); codes_1[13] = tw_zext_u4(codes_1_vec.y >> 20);
    codes_1[14] = tw_zext_u4(codes_1_vec.y >> 24); codes_1[15] = tw_zext_u4(codes_1_vec.y >> 28);
    const i32 at = 0;
    const i64 scale_at = (i64)t_5 + (i64)at * (i64)N + (i64)t_BN;
    tw_bf16 scale_tile;
    scale_tile = scale_in ? tw_ldg_nc<u16>(scale + scale_at) : (u16)0;
    u8 zero_2;
    zero_2 = scale_in ? tw_zext_u4(tw_ldg_nc<u8>(zero + (scale_at >> 1)) >> (((u32)scale_at & 1u) * 4u)) : 0;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      codes[r] = codes_1[r];
    }
    t_6 = scale_tile;
    zero_1 = zero_2;
  } else {
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      codes[r] = 0;
    }
    t_6 = 0;
    zero_1 = 0;
  }
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  tw_bf16 t_7 = t_6;
  u8 zero_3 = zero_1;
  const i64 w_at_2 = (i64)w_at;
  const i64 scale_at_1 = (i64)t_5 + (i64)t_BN;
  const i32 t_BM = thread >> 4;
  const i32 position_1 = t_4 + t_BM;
  const i32 t_BK = (lane & 15) * 4;
  const i32 x_at = t_BM * 192 + t_BK;
  const i64 x_at_1 = (i64)t_4 * 192ll + (i64)x_at;
  const bool x_in = (u32)position_1 < (u32)M;
  const i32 t40_at = (lane & 15) * 4 + (thread >> 4) * 68;
  const i32 t40_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
  for (i32 k = 0; k < 192; k += 64) {
    const i32 k_1 = k + 64;
    const bool more_1 = k_1 < 192;
    u8 codes_2[16];
    tw_bf16 t_8;
    u8 zero_4;
    if (more_1) {
      const i64 w_at_3 = w_at_2 + (i64)((t_5 >> 4) * 3 + (k_1 >> 6)) * 1024ll;
      u8 codes_3[16];
      const tw_u32x2 codes_3_vec = (u32)(t_5 + warp * 16) < (u32)N && k_1 < 192 ? tw_ldg_nc<tw_u32x2>(w + (w_at_3 >> 1)) : tw_u32x2{0u, 0u};
      codes_3[0] = tw_zext_u4(codes_3_vec.x); codes_3[1] = tw_zext_u4(codes_3_vec.x >> 4);
      codes_3[2] = tw_zext_u4(codes_3_vec.x >> 8); codes_3[3] = tw_zext_u4(codes_3_vec.x >> 12);
      codes_3[4] = tw_zext_u4(codes_3_vec.x >> 16); codes_3[5] = tw_zext_u4(codes_3_vec.x >> 20);
      codes_3[6] = tw_zext_u4(codes_3_vec.x >> 24); codes_3[7] = tw_zext_u4(codes_3_vec.x >> 28);
      codes_3[8] = tw_zext_u4(codes_3_vec.y); codes_3[9] = tw_zext_u4(codes_3_vec.y >> 4);
      codes_3[10] = tw_zext_u4(codes_3_vec.y >> 8); codes_3[11] = tw_zext_u4(codes_3_vec.y >> 12);
      codes_3[12] = tw_zext_u4(codes_3_vec.y >> 16); codes_3[13] = tw_zext_u4(codes_3_vec.y >> 20);
      codes_3[14] = tw_zext_u4(codes_3_vec.y >> 24); codes_3[15] = tw_zext_u4(codes_3_vec.y >> 28);
      const i32 at_1 = k_1 >> 6;
      const i64 scale_at_2 = scale_at_1 + (i64)at_1 * (i64)N;
      const bool scale_in_1 = scale_in && at_1 < 3;
      tw_bf16 scale_tile_1;
      scale_tile_1 = scale_in_1 ? tw_ldg_nc<u16>(scale + scale_at_2) : (u16)0;
      u8 zero_5;
      zero_5 = scale_in_1 ? tw_zext_u4(tw_ldg_nc<u8>(zero + (scale_at_2 >> 1)) >> (((u32)scale_at_2 & 1u) * 4u)) : 0;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        codes_2[r] = codes_3[r];
      }
      t_8 = scale_tile_1;
      zero_4 = zero_5;
    } else {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        codes_2[r] = 0;
      }
      t_8 = 0;
      zero_4 = 0;
    }
    const f32 t_9 = tw_u32_to_f32(zero_3);
    const f32 t_10 = tw_bf16_to_f32(t_7);
    tw_syncthreads();
    const i64 x_at_2 = x_at_1 + (i64)k;
    tw_bf16 x_tile[4];
    const tw_u32x2 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x2>(x + x_at_2) : tw_u32x2{0u, 0u};
    x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
    tw_sts<tw_u32x2>(t40 + (u32)t40_at * 2u, tw_u32x2{
        tw_pack_u16x2(x_tile[0], x_tile[1]), tw_pack_u16x2(x_tile[2], x_tile[3])});
    tw_syncthreads();
    tw_bf16 plain[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      plain[r] = tw_f32_to_bf16((tw_u32_to_f32(codes[r]) - t_9) * t_10);
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], t40 + (u32)((t40_at_1 + r * 16) * 2));
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        b[i] = tw_pack_u16x2(plain[r * 4 + i * 2], plain[r * 4 + i * 2 + 1]);
      }
      tw_mfma_f32_16x16x16_bf16(&acc[0], &b[0], &a[0]);
    }
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      codes[r] = codes_2[r];
    }
    t_7 = t_8;
    zero_3 = zero_4;
  }
  const i32 t_BN_1 = (thread >> 4) * 4;
  const i32 position_2 = t_5 + t_BN_1;
  const i64 bias_at = (i64)t_5 + (i64)t_BN_1;
  const bool bias_in = (u32)position_2 < (u32)N;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = bias_in ? tw_ldg_nc<tw_f32x4>(bias + bias_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  const i32 t_BM_1 = lane & 15;
  const i32 position_3 = t_4 + t_BM_1;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const bool y_in = (u32)position_3 < (u32)M && (u32)position_2 < (u32)N;
  tw_bf16 y_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    y_tile[r] = tw_f32_to_bf16(acc[r] + bias_tile[r]);
  }
  if (y_in) {
    tw_stg<tw_u32x2>(y + y_at_1, tw_u32x2{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
  }
}
