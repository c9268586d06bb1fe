// moe_gemm_quantized for hip gfx90a, made by tilewright
// dtypes: T=bf16 W=u4 SC=bf16 O=bf16
// config: BN=64 BK=32 stages=2 group=8
// dims fixed: K=128 KG=2 Z=0 G=2 B=0 BM=16
// dims divisible: E%4 N%8 S%2
// 256 threads in 4 warps of 64, 5248 bytes of shared memory
//       0 … 4096: t44_shared bf16[2048]
//       0 … 4096: t56_shared bf16[2048]
//    4096 … 5248: a bf16[576]

TW_KERNEL(256) moe_gemm_quantized(
    const tw_bf16* x, const u8* w, const tw_bf16* scale, const u8* zero, const tw_bf16* bias,
    const i32* rows, const i32* expertOf, tw_bf16* y, i32 R, i32 E, i32 N, i32 PB, i32 S) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem + 4096u;
  tw_label(a, 1152u, "a");
  const u32 t44_shared = smem;
  tw_label(t44_shared, 4096u, "t44_shared");
  const u32 t56_shared = smem;
  tw_label(t56_shared, 4096u, "t56_shared");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(PB - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = t_1 + tw_floormod_i32(t_3, t_2);
  const i32 t_5 = tw_floordiv_i32(t_3, t_2);
  const i64 expertOf_at = (i64)t_4;
  i32 e;
  e = tw_ldg_nc<i32>(expertOf + expertOf_at);
  const bool t_6 = e < 0;
  if (!t_6) {
    const i32 t_BM = lane & 15;
    const i64 rows_at = (i64)t_4 * 16ll + (i64)t_BM;
    const bool rows_in = (u32)t_4 < (u32)PB;
    i32 slots;
    slots = rows_in ? tw_ldg_nc<i32>(rows + rows_at) : 0;
    const i32 t_7 = t_5 * 64;
    const i32 t_BM_1 = thread >> 4;
    const i64 rows_at_1 = (i64)t_4 * 16ll + (i64)t_BM_1;
    i32 slots_1;
    slots_1 = rows_in ? tw_ldg_nc<i32>(rows + rows_at_1) : 0;
    const i32 from = tw_floordiv_i32(slots_1, tw_floordiv_i32(S, R));
    const bool more = true;
    u8 codes[8];
    tw_bf16 t_8;
    u8 codes_1[8];
    tw_bf16 t_9;
    const i32 stride = N * 256;
    const i32 stride_1 = N * 128;
    const i32 t_BN = thread >> 2;
    const i32 position = t_7 + t_BN;
    const i32 t_BK = (lane & 3) * 8;
    const i32 w_at = t_BN * 128 + t_BK;
    const i32 stride_2 = N * 4;
    const i32 stride_3 = N * 2;
    if (more) {
      const i64 w_at_1 = (i64)t_7 * 128ll + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in = (u32)e < (u32)E && (u32)position < (u32)N;
      u8 codes_2[8];
      const u32 codes_2_vec = w_in ? tw_ldg_nc<u32>(w + (w_at_1 >> 1)) : 0u;
      codes_2[0] = tw_zext_u4(codes_2_vec); codes_2[1] = tw_zext_u4(codes_2_vec >> 4);
      codes_2[2] = tw_zext_u4(codes_2_vec >> 8); codes_2[3] = tw_zext_u4(codes_2_vec >> 12);
      codes_2[4] = tw_zext_u4(codes_2_vec >> 16); codes_2[5] = tw_zext_u4(codes_2_vec >> 20);
      codes_2[6] = tw_zext_u4(codes_2_vec >> 24); codes_2[7] = tw_zext_u4(codes_2_vec >> 28);
      const i32 at = 0;
      const i64 scale_at = (i64)t_7 + (i64)e * (i64)stride_2 + (i64)at * (i64)stride_3 + (i64)t_BN;
      tw_bf16 scale_tile;
      scale_tile = w_in ? tw_ldg_nc<u16>(scale + scale_at) : (u16)0;
      const i64 w_at_2 = (i64)t_7 * 128ll + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      u8 codes_3[8];
      const u32 codes_3_vec = w_in ? tw_ldg_nc<u32>(w + (w_at_2 >> 1)) : 0u;
      codes_3[0] = tw_zext_u4(codes_3_vec); codes_3[1] = tw_zext_u4(codes_3_vec >> 4);
      codes_3[2] = tw_zext_u4(codes_3_vec >> 8); codes_3[3] = tw_zext_u4(codes_3_vec >> 12);
      codes_3[4] = tw_zext_u4(codes_3_vec >> 16); codes_3[5] = tw_zext_u4(codes_3_vec >> 20);
      codes_3[6] = tw_zext_u4(codes_3_vec >> 24); codes_3[7] = tw_zext_u4(codes_3_vec >> 28);
      const i64 scale_at_1 = (i64)N + (i64)t_7 + (i64)e * (i64)stride_2 + (i64)at * (i64)stride_3 + (i64)t_BN;
      tw_bf16 scale_tile_1;
      scale_tile_1 = w_in ? tw_ldg_nc<u16>(scale + scale_at_1) : (u16)0;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        codes[r] = codes_2[r];
      }
      t_8 = scale_tile;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        codes_1[r] = codes_3[r];
      }
      t_9 = scale_tile_1;
    } else {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        codes[r] = 0;
      }
      t_8 = 0;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        codes_1[r] = 0;
      }
      t_9 = 0;
    }
    f32 acc[4];
    f32 up[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = 0.0f;
      up[r] = 0.0f;
    }
    tw_bf16 t_10 = t_8;
    tw_bf16 t_11 = t_9;
    const i64 w_at_3 = (i64)e * (i64)stride + (i64)t_7 * 128ll + (i64)w_at;
    const bool w_in_1 = (u32)e < (u32)E && (u32)position < (u32)N;
    const i64 scale_at_2 = (i64)e * (i64)stride_2 + (i64)t_7 + (i64)t_BN;
    const i64 w_at_4 = (i64)e * (i64)stride + (i64)stride_1 + (i64)t_7 * 128ll + (i64)w_at;
    const i64 scale_at_3 = (i64)N + (i64)e * (i64)stride_2 + (i64)t_7 + (i64)t_BN;
    const i32 t_BK_1 = (lane & 15) * 2;
    const i64 x_at = (i64)from * 128ll + (i64)t_BK_1;
    const bool x_in = (u32)from < (u32)R;
    const i32 a_at = (lane & 15) * 2 + (thread >> 4) * 36;
    const i32 t44_shared_at = (lane & 3) * 8 + (thread >> 2) * 32;
    const i32 swizzled = t44_shared_at ^ ((t44_shared_at >> 3) & 24);
    const i32 a_at_1 = (lane & 15) * 36 + (lane >> 4) * 4;
    const i32 t44_shared_at_1 = (lane & 15) * 32 + (lane >> 4) * 4 + warp * 512;
    const i32 swizzled_1 = t44_shared_at_1 ^ ((t44_shared_at_1 >> 3) & 24);
    for (i32 k = 0; k < 128; k += 32) {
      const i32 k_1 = k + 32;
      const bool more_1 = k_1 < 128;
      u8 codes_4[8];
      tw_bf16 t_12;
      u8 codes_5[8];
      tw_bf16 t_13;
      if (more_1) {
        const i32 left = 128 - k_1;
        const i64 w_at_5 = w_at_3 + (i64)k_1;
        const bool w_in_2 = w_in_1 && t_BK < left;
        u8 codes_6[8];
        const u32 codes_6_vec = w_in_2 ? tw_ldg_nc<u32>(w + (w_at_5 >> 1)) : 0u;
        codes_6[0] = tw_zext_u4(codes_6_vec); codes_6[1] = tw_zext_u4(codes_6_vec >> 4);
        codes_6[2] = tw_zext_u4(codes_6_vec >> 8); codes_6[3] = tw_zext_u4(codes_6_vec >> 12);
        codes_6[4] = tw_zext_u4(codes_6_vec >> 16); codes_6[5] = tw_zext_u4(codes_6_vec >> 20);
        codes_6[6] = tw_zext_u4(codes_6_vec >> 24); codes_6[7] = tw_zext_u4(codes_6_vec >> 28);
        const i32 at_1 = k_1 >> 6;
        const i64 scale_at_4 = scale_at_2 + (i64)at_1 * (i64)stride_3;
        const bool scale_in = w_in_1 && at_1 < 2;
        tw_bf16 scale_tile_2;
        scale_tile_2 = scale_in ? tw_ldg_nc<u16>(scale + scale_at_4) : (u16)0;
        const i64 w_at_6 = w_at_4 + (i64)k_1;
        u8 codes_7[8];
        const u32 codes_7_vec = w_in_2 ? tw_ldg_nc<u32>(w + (w_at_6 >> 1)) : 0u;
        codes_7[0] = tw_zext_u4(codes_7_vec); codes_7[1] = tw_zext_u4(codes_7_vec >> 4);
        codes_7[2] = tw_zext_u4(codes_7_vec >> 8); codes_7[3] = tw_zext_u4(codes_7_vec >> 12);
        codes_7[4] = tw_zext_u4(codes_7_vec >> 16); codes_7[5] = tw_zext_u4(codes_7_vec >> 20);
        codes_7[6] = tw_zext_u4(codes_7_vec >> 24); codes_7[7] = tw_zext_u4(codes_7_vec >> 28);
        const i64 scale_at_5 = scale_at_3 + (i64)at_1 * (i64)stride_3;
        tw_bf16 scale_tile_3;
        scale_tile_3 = scale_in ? tw_ldg_nc<u16>(scale + scale_at_5) : (u16)0;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          codes_4[r] = codes_6[r];
        }
        t_12 = scale_tile_2;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          codes_5[r] = codes_7[r];
        }
        t_13 = scale_tile_3;
      } else {
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          codes_4[r] = 0;
        }
        t_12 = 0;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          codes_5[r] = 0;
        }
        t_13 = 0;
      }
      const f32 t_14 = tw_bf16_to_f32(t_10);
      tw_syncthreads();
      const i64 x_at_1 = x_at + (i64)k;
      tw_bf16 x_tile[2];
      const u32 x_tile_vec = x_in ? tw_ldg_nc<u32>(x + x_at_1) : 0u;
      x_tile[0] = tw_u16x2_lo(x_tile_vec); x_tile[1] = tw_u16x2_hi(x_tile_vec);
      tw_sts<u32>(a + (u32)a_at * 2u, tw_pack_u16x2(x_tile[0], x_tile[1]));
      tw_bf16 t44_shared_tile[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t44_shared_tile[r] = tw_f32_to_bf16((tw_u32_to_f32(codes[r]) - 8.0f) * t_14);
      }
      tw_sts<tw_u32x4>(t44_shared + (u32)swizzled * 2u, tw_u32x4{
          tw_pack_u16x2(t44_shared_tile[0], t44_shared_tile[1]),
          tw_pack_u16x2(t44_shared_tile[2], t44_shared_tile[3]),
          tw_pack_u16x2(t44_shared_tile[4], t44_shared_tile[5]),
          tw_pack_u16x2(t44_shared_tile[6], t44_shared_tile[7])});
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        u32 a_1[2];
        u32 b[2];
        tw_lds_words<2>(&a_1[0], a + (u32)((a_at_1 + r * 16) * 2));
        tw_lds_words<2>(&b[0], t44_shared + (u32)((swizzled_1 ^ (r * 16)) * 2));
        tw_mfma_f32_16x16x16_bf16(&acc[0], &b[0], &a_1[0]);
      }
      const f32 t_15 = tw_bf16_to_f32(t_11);
      tw_syncthreads();
      tw_bf16 t56_shared_tile[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t56_shared_tile[r] = tw_f32_to_bf16((tw_u32_to_f32(codes_1[r]) - 8.0f) * t_15);
      }
      tw_sts<tw_u32x4>(t56_shared + (u32)swizzled * 2u, tw_u32x4{
          tw_pack_u16x2(t56_shared_tile[0], t56_shared_tile[1]),
          tw_pack_u16x2(t56_shared_tile[2], t56_shared_tile[3]),
          tw_pack_u16x2(t56_shared_tile[4], t56_shared_tile[5]),
          tw_pack_u16x2(t56_shared_tile[6], t56_shared_tile[7])});
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        u32 a_2[2];
        u32 b_1[2];
        tw_lds_words<2>(&a_2[0], a + (u32)((a_at_1 + r * 16) * 2));
        tw_lds_words<2>(&b_1[0], t56_shared + (u32)((swizzled_1 ^ (r * 16)) * 2));
        tw_mfma_f32_16x16x16_bf16(&up[0], &b_1[0], &a_2[0]);
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        codes[r] = codes_4[r];
      }
      t_10 = t_12;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        codes_1[r] = codes_5[r];
      }
      t_11 = t_13;
    }
    const i32 t_BN_1 = (thread >> 4) * 4;
    const i32 position_1 = t_7 + t_BN_1;
    const i64 y_at = (i64)slots * (i64)N + (i64)t_7 + (i64)t_BN_1;
    const bool y_in = (u32)slots < (u32)S && (u32)position_1 < (u32)N;
    tw_bf16 y_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      y_tile[r] = tw_f32_to_bf16(acc[r] / (1.0f + tw_exp(-acc[r])) * up[r]);
    }
    if (y_in) {
      tw_stg<tw_u32x2>(y + y_at, tw_u32x2{
          tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
    }
  }
}
