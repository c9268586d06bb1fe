// linear_w4_zeros for cuda sm_80, made by tilewright
// dtypes: T=bf16 S=bf16 O=bf16
// config: BM=16 BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=3
// dims divisible: M%2 N%8
// 128 threads in 4 warps of 32, 4096 bytes of shared memory
//       0 … 4096: t40 bf16[2048]

TW_KERNEL(128) linear_w4_zeros(
    const tw_bf16* x, const u8* w, const tw_bf16* scale, const u8* zero, const f32* bias,
    tw_bf16* y, i32 M, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t40 = smem;
  tw_label(t40, 4096u, "t40");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 15) >> 4) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 16;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = true;
  u8 codes[32];
  tw_bf16 t_6[2];
  u8 zero_1[2];
  const i32 w_at = (lane & 3) * 32 + (lane >> 2) * 128 + warp * 3072;
  const i32 t_BN = warp * 16 + (lane >> 2);
  const i32 position = t_5 + t_BN;
  if (more) {
    const i64 w_at_1 = (i64)((t_5 >> 4) * 3) * 1024ll + (i64)w_at;
    u8 codes_1[32];
    const tw_u32x4 codes_1_vec = (u32)(t_5 + warp * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
    codes_1[0] = tw_zext_u4(codes_1_vec.x); codes_1[1] = tw_zext_u4(codes_1_vec.x >> 4);
    codes_1[2] = tw_zext_u4(codes_1_vec.x >> 8); codes_1[3] = tw_zext_u4(codes_1_vec.x >> 12);
    codes_1[4] = tw_zext_u4(codes_1_vec.x >> 16); codes_1[5] = tw_zext_u4(codes_1_vec.x >> 20);
    codes_1[6] = tw_zext_u4(codes_1_vec.x >> 24); codes_1[7] = tw_zext_u4(codes_1_vec.x >> 28);
    codes_1[8] = tw_zext_u4(codes_1_vec.y); codes_1[9] = tw_zext_u4(codes_1_vec.y >> 4);
    codes_1[10] = tw_zext_u4(codes_1_vec.y >> 8); codes_1[11] = tw_zext_u4(codes_1_vec.y >> 12);
    codes_1[12] = tw_zext_u4(codes_1_vec.y >> 16); codes_1[13] = tw_zext_u4(codes_1_vec.y >> 20);
    codes_1[14] = tw_zext_u4(codes_1_vec.y >> 24); codes_1[15] = tw_zext_u4(codes_1_vec.y >> 28);
    codes_1[16] = tw_zext_u4(codes_1_vec.z); codes_1[17] = tw_zext_u4(codes_1_vec.z >> 4);
    codes_1[18] = tw_zext_u4(codes_1_vec.z >> 8); codes_1[19] = tw_zext_u4(codes_1_vec.z >> 12);
    codes_1[20] = tw_zext_u4(codes_1_vec.z >> 16); codes_1[21] = tw_zext_u4(codes_1_vec.z >> 20);
    codes_1[22] = tw_zext_u4(codes_1_vec.z >> 24); codes_1[23] = tw_zext_u4(codes_1_vec.z >> 28);
    codes_1[24] = tw_zext_u4(codes_1_vec.w); codes_1[25] = tw_zext_u4(codes_1_vec.w >> 4);
    codes_1[26] = tw_zext_u4(codes_1_vec.w >> 8); codes_1[27] = tw_zext_u4(codes_1_vec.w >> 12);
    codes_1[28] = tw_zext_u4(codes_1_vec.w >> 16); codes_1[29] = tw_zext_u4(codes_1_vec.w >> 20);
    codes_1[30] = tw_zext_u4(codes_1_vec.w >> 24); codes_1[31] = tw_zext_u4(codes_1_vec.w >> 28);
    const i32 at = 0;
    const i64 scale_at = (i64)t_5 + (i64)at * (i64)N + (i64)t_BN;
    tw_bf16 scale_tile[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scale_tile[r] = (u32)(position + r * 8) < (u32)N ? tw_ldg_nc<u16>(scale + (scale_at + (i64)(r * 8))) : (u16)0;
    }
    u8 zero_2[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const i64 zero_2_at = scale_at + (i64)(r * 8);
      const bool zero_2_in = (u32)(position + r * 8) < (u32)N;
      zero_2[r] = zero_2_in ? tw_zext_u4(tw_ldg_nc<u8>(zero + (zero_2_at >> 1)) >> (((u32)zero_2_at & 1u) * 4u)) : 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      codes[r] = codes_1[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      t_6[r] = scale_tile[r];
      zero_1[r] = zero_2[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      codes[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      t_6[r] = 0;
      zero_1[r] = 0;
    }
  }
  const i32 t_BM = thread >> 3;
  const i32 position_1 = t_4 + t_BM;
  const i32 t_BK = (lane & 7) * 8;
  const i32 x_at = t_BM * 192 + t_BK;
  const i64 x_at_1 = (i64)t_4 * 192ll + (i64)x_at;
  const bool x_in = (u32)position_1 < (u32)M;
  const i32 t40_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = t40_at ^ ((t40_at >> 3) & 56);
  if (more) {
    tw_cp_async_16_zfill(t40 + (u32)swizzled * 2u, x + x_at_1, x_in ? 16u : 0u);
  }
  tw_cp_async_commit();
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 1;
  const i64 w_at_2 = (i64)w_at;
  const i64 scale_at_1 = (i64)t_5 + (i64)t_BN;
  const i32 t40_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
  const i32 swizzled_1 = t40_at_1 ^ ((t40_at_1 >> 3) & 56);
  for (i32 k = 0; k < 192; k += 64) {
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i32 k_1 = k + 64;
    const bool more_1 = k_1 < 192;
    if (more_1) {
      const i32 left = 192 - k_1;
      const i64 x_at_2 = x_at_1 + (i64)k_1;
      const bool x_in_1 = x_in && t_BK < left;
      const i32 t40_slot = fill * 1024;
      tw_cp_async_16_zfill(t40 + (u32)(swizzled + t40_slot) * 2u, x + x_at_2, x_in_1 ? 16u : 0u);
    }
    tw_cp_async_commit();
    u8 codes_2[32];
    tw_bf16 t_7[2];
    u8 zero_3[2];
    if (more_1) {
      const i64 w_at_3 = w_at_2 + (i64)((t_5 >> 4) * 3 + (k_1 >> 6)) * 1024ll;
      u8 codes_3[32];
      const tw_u32x4 codes_3_vec = (u32)(t_5 + warp * 16) < (u32)N && k_1 < 192 ? tw_ldg_nc<tw_u32x4>(w + (w_at_3 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
      codes_3[0] = tw_zext_u4(codes_3_vec.x); codes_3[1] = tw_zext_u4(codes_3_vec.x >> 4);
      codes_3[2] = tw_zext_u4(codes_3_vec.x >> 8); codes_3[3] = tw_zext_u4(codes_3_vec.x >> 12);
      codes_3[4] = tw_zext_u4(codes_3_vec.x >> 16); codes_3[5] = tw_zext_u4(codes_3_vec.x >> 20);
      codes_3[6] = tw_zext_u4(codes_3_vec.x >> 24); codes_3[7] = tw_zext_u4(codes_3_vec.x >> 28);
      codes_3[8] = tw_zext_u4(codes_3_vec.y); codes_3[9] = tw_zext_u4(codes_3_vec.y >> 4);
      codes_3[10] = tw_zext_u4(codes_3_vec.y >> 8); codes_3[11] = tw_zext_u4(codes_3_vec.y >> 12);
      codes_3[12] = tw_zext_u4(codes_3_vec.y >> 16); codes_3[13] = tw_zext_u4(codes_3_vec.y >> 20);
      codes_3[14] = tw_zext_u4(codes_3_vec.y >> 24); codes_3[15] = tw_zext_u4(codes_3_vec.y >> 28);
      codes_3[16] = tw_zext_u4(codes_3_vec.z); codes_3[17] = tw_zext_u4(codes_3_vec.z >> 4);
      codes_3[18] = tw_zext_u4(codes_3_vec.z >> 8); codes_3[19] = tw_zext_u4(codes_3_vec.z >> 12);
      codes_3[20] = tw_zext_u4(codes_3_vec.z >> 16); codes_3[21] = tw_zext_u4(codes_3_vec.z >> 20);
      codes_3[22] = tw_zext_u4(codes_3_vec.z >> 24); codes_3[23] = tw_zext_u4(codes_3_vec.z >> 28);
      codes_3[24] = tw_zext_u4(codes_3_vec.w); codes_3[25] = tw_zext_u4(codes_3_vec.w >> 4);
      codes_3[26] = tw_zext_u4(codes_3_vec.w >> 8); codes_3[27] = tw_zext_u4(codes_3_vec.w >> 12);
      codes_3[28] = tw_zext_u4(codes_3_vec.w >> 16); codes_3[29] = tw_zext_u4(codes_3_vec.w >> 20);
      codes_3[30] = tw_zext_u4(codes_3_vec.w >> 24); codes_3[31] = tw_zext_u4(codes_3_vec.w >> 28);
      const i32 at_1 = k_1 >> 6;
      const i64 scale_at_2 = scale_at_1 + (i64)at_1 * (i64)N;
      const bool scale_in = at_1 < 3;
      tw_bf16 scale_tile_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        scale_tile_1[r] = scale_in && (u32)(position + r * 8) < (u32)N ? tw_ldg_nc<u16>(scale + (scale_at_2 + (i64)(r * 8))) : (u16)0;
      }
      u8 zero_4[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const i64 zero_4_at = scale_at_2 + (i64)(r * 8);
        const bool zero_4_in = scale_in && (u32)(position + r * 8) < (u32)N;
        zero_4[r] = zero_4_in ? tw_zext_u4(tw_ldg_nc<u8>(zero + (zero_4_at >> 1)) >> (((u32)zero_4_at & 1u) * 4u)) : 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes_2[r] = codes_3[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_7[r] = scale_tile_1[r];
        zero_3[r] = zero_4[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes_2[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_7[r] = 0;
        zero_3[r] = 0;
      }
    }
    tw_bf16 plain[32];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 t_8 = tw_u32_to_f32(zero_1[r]);
      const f32 t_9 = tw_bf16_to_f32(t_6[r]);
      #pragma unroll
      for (i32 i = 0; i < 16; ++i) {
        plain[r * 16 + i] = tw_f32_to_bf16((tw_u32_to_f32(codes[r * 16 + i]) - t_8) * t_9);
      }
    }
    const i32 t40_slot_1 = slot * 1024;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[4];
      u32 b[4];
      tw_ldmatrix_x4(&a[0], t40 + (u32)((swizzled_1 ^ (r * 16)) + t40_slot_1) * 2u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          b[i * 2 + j] = tw_pack_u16x2(
              plain[i * 16 + r * 4 + j * 2], plain[i * 16 + r * 4 + j * 2 + 1]);
        }
      }
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_mma_m16n8k16_f32_bf16(&acc[i * 4], &a[0], &b[i * 2]);
      }
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      codes[r] = codes_2[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      t_6[r] = t_7[r];
      zero_1[r] = zero_3[r];
    }
    slot = slot_1 == 2 ? 0 : slot_1;
    fill = fill_1 == 2 ? 0 : fill_1;
  }
  const i32 t_BN_1 = warp * 16 + (lane & 3) * 2;
  const i64 bias_at = (i64)t_5 + (i64)t_BN_1;
  f32 bias_tile[4];
  const i32 position_2 = t_5 + t_BN_1;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x2 bias_tile_vec = (u32)(position_2 + r * 8) < (u32)N ? tw_ldg_nc<tw_f32x2>(bias + (bias_at + (i64)(r * 8))) : tw_f32x2{0.0f, 0.0f};
    bias_tile[r * 2] = bias_tile_vec.x; bias_tile[r * 2 + 1] = bias_tile_vec.y;
  }
  const i32 t_BM_1 = lane >> 2;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const i32 position_3 = t_4 + t_BM_1;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 y_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        y_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j] + bias_tile[r * 2 + j]);
      }
      if ((u32)(position_3 + i * 8) < (u32)M && (u32)(position_2 + r * 8) < (u32)N) {
        tw_stg<u32>(y + (y_at_1 + (i64)(i * 8 * N + r * 8)), tw_pack_u16x2(y_tile[0], y_tile[1]));
      }
    }
  }
}
