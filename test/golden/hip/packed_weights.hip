// packed_weights for hip gfx90a, made by tilewright
// dtypes: W=u4 T=f16
// config: BM=16 BN=32 BK=64 GB=2
// dims divisible: K%16 N%16 KG%4
// 128 threads in 2 warps of 64, 2048 bytes of shared memory
//       0 … 2048: rows f16[1024]

TW_KERNEL(128) packed_weights(
    const tw_f16* x, const u8* w, const tw_f16* s, f32* y, i32 M, i32 K, i32 N, i32 KG) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 rows = smem;
  tw_label(rows, 2048u, "rows");
  const i32 t = (K + 63) >> 6;
  const i32 t_1 = pid1 * 32;
  const i32 t_2 = pid0 * 16;
  const bool more = 0 < t;
  u8 q[16];
  tw_f16 scales[2];
  const i32 w_row = t * 1024;
  const i32 w_at = (lane & 15) * 16 + (lane >> 4) * 256 + warp * w_row;
  const i32 t_BN = warp * 16 + (lane & 15);
  const i32 left = N - t_1;
  const i32 s_at = t_BN * KG;
  const i64 s_at_1 = (i64)t_1 * (i64)KG + (i64)s_at;
  if (more) {
    const i64 w_at_1 = (i64)((t_1 >> 4) * t) * 1024ll + (i64)w_at;
    u8 q_1[16];
    const tw_u32x2 q_1_vec = t_1 + warp * 16 < N && 0 < K ? tw_ldg_nc<tw_u32x2>(w + (w_at_1 >> 1)) : tw_u32x2{0u, 0u};
    q_1[0] = tw_zext_u4(q_1_vec.x); q_1[1] = tw_zext_u4(q_1_vec.x >> 4);
    q_1[2] = tw_zext_u4(q_1_vec.x >> 8); q_1[3] = tw_zext_u4(q_1_vec.x >> 12);
    q_1[4] = tw_zext_u4(q_1_vec.x >> 16); q_1[5] = tw_zext_u4(q_1_vec.x >> 20);
    q_1[6] = tw_zext_u4(q_1_vec.x >> 24); q_1[7] = tw_zext_u4(q_1_vec.x >> 28);
    q_1[8] = tw_zext_u4(q_1_vec.y); q_1[9] = tw_zext_u4(q_1_vec.y >> 4);
    q_1[10] = tw_zext_u4(q_1_vec.y >> 8); q_1[11] = tw_zext_u4(q_1_vec.y >> 12);
    q_1[12] = tw_zext_u4(q_1_vec.y >> 16); q_1[13] = tw_zext_u4(q_1_vec.y >> 20);
    q_1[14] = tw_zext_u4(q_1_vec.y >> 24); q_1[15] = tw_zext_u4(q_1_vec.y >> 28);
    const bool s_in = t_BN < left && 0 < KG;
    tw_f16 scales_1[2];
    const u32 scales_1_vec = s_in ? tw_ldg_nc<u32>(s + s_at_1) : 0u;
    scales_1[0] = tw_u16x2_lo(scales_1_vec); scales_1[1] = tw_u16x2_hi(scales_1_vec);
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q[r] = q_1[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales[r] = scales_1[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales[r] = 0;
    }
  }
  const bool more_1 = 1 < t;
  u8 q_2[16];
  tw_f16 scales_2[2];
  if (more_1) {
    const i64 w_at_2 = (i64)((t_1 >> 4) * t + 1) * 1024ll + (i64)w_at;
    u8 q_3[16];
    const tw_u32x2 q_3_vec = t_1 + warp * 16 < N && 64 < K ? tw_ldg_nc<tw_u32x2>(w + (w_at_2 >> 1)) : tw_u32x2{0u, 0u};
    q_3[0] = tw_zext_u4(q_3_vec.x); q_3[1] = tw_zext_u4(q_3_vec.x >> 4);
    q_3[2] = tw_zext_u4(q_3_vec.x >> 8); q_3[3] = tw_zext_u4(q_3_vec.x >> 12);
    q_3[4] = tw_zext_u4(q_3_vec.x >> 16); q_3[5] = tw_zext_u4(q_3_vec.x >> 20);
    q_3[6] = tw_zext_u4(q_3_vec.x >> 24); q_3[7] = tw_zext_u4(q_3_vec.x >> 28);
    q_3[8] = tw_zext_u4(q_3_vec.y); q_3[9] = tw_zext_u4(q_3_vec.y >> 4);
    q_3[10] = tw_zext_u4(q_3_vec.y >> 8); q_3[11] = tw_zext_u4(q_3_vec.y >> 12);
    q_3[12] = tw_zext_u4(q_3_vec.y >> 16); q_3[13] = tw_zext_u4(q_3_vec.y >> 20);
    q_3[14] = tw_zext_u4(q_3_vec.y >> 24); q_3[15] = tw_zext_u4(q_3_vec.y >> 28);
    const i32 left_1 = KG - 2;
    const bool s_in_1 = t_BN < left && 0 < left_1;
    tw_f16 scales_3[2];
    const u32 scales_3_vec = s_in_1 ? tw_ldg_nc<u32>(s + (s_at_1 + 2ll)) : 0u;
    scales_3[0] = tw_u16x2_lo(scales_3_vec); scales_3[1] = tw_u16x2_hi(scales_3_vec);
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q_2[r] = q_3[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales_2[r] = scales_3[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q_2[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales_2[r] = 0;
    }
  }
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  const i64 w_at_3 = (i64)w_at;
  const bool s_in_2 = t_BN < left;
  const i32 t_BM = thread >> 3;
  const i32 left_2 = M - t_2;
  const i32 t_BK = (lane & 7) * 8;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_2 * (i64)K + (i64)x_at;
  const bool x_in = t_BM < left_2;
  const i32 rows_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = rows_at ^ ((rows_at >> 3) & 56);
  const i32 rows_at_1 = (lane & 15) * 64 + (lane >> 4) * 4;
  const i32 swizzled_1 = rows_at_1 ^ ((rows_at_1 >> 3) & 56);
  for (i32 k = 0; k < t; ++k) {
    const i32 k_1 = k + 2;
    const bool more_2 = k_1 < t;
    u8 q_4[16];
    tw_f16 scales_4[2];
    if (more_2) {
      const i32 t_3 = k_1 * 64;
      const i64 w_at_4 = w_at_3 + (i64)((t_1 >> 4) * t + (t_3 >> 6)) * 1024ll;
      u8 q_5[16];
      const tw_u32x2 q_5_vec = t_1 + warp * 16 < N && t_3 < K ? tw_ldg_nc<tw_u32x2>(w + (w_at_4 >> 1)) : tw_u32x2{0u, 0u};
      q_5[0] = tw_zext_u4(q_5_vec.x); q_5[1] = tw_zext_u4(q_5_vec.x >> 4);
      q_5[2] = tw_zext_u4(q_5_vec.x >> 8); q_5[3] = tw_zext_u4(q_5_vec.x >> 12);
      q_5[4] = tw_zext_u4(q_5_vec.x >> 16); q_5[5] = tw_zext_u4(q_5_vec.x >> 20);
      q_5[6] = tw_zext_u4(q_5_vec.x >> 24); q_5[7] = tw_zext_u4(q_5_vec.x >> 28);
      q_5[8] = tw_zext_u4(q_5_vec.y); q_5[9] = tw_zext_u4(q_5_vec.y >> 4);
      q_5[10] = tw_zext_u4(q_5_vec.y >> 8); q_5[11] = tw_zext_u4(q_5_vec.y >> 12);
      q_5[12] = tw_zext_u4(q_5_vec.y >> 16); q_5[13] = tw_zext_u4(q_5_vec.y >> 20);
      q_5[14] = tw_zext_u4(q_5_vec.y >> 24); q_5[15] = tw_zext_u4(q_5_vec.y >> 28);
      const i32 t_4 = k_1 * 2;
      const i32 left_3 = KG - t_4;
      const i64 s_at_2 = s_at_1 + (i64)t_4;
      const bool s_in_3 = s_in_2 && 0 < left_3;
      tw_f16 scales_5[2];
      const u32 scales_5_vec = s_in_3 ? tw_ldg_nc<u32>(s + s_at_2) : 0u;
      scales_5[0] = tw_u16x2_lo(scales_5_vec); scales_5[1] = tw_u16x2_hi(scales_5_vec);
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        q_4[r] = q_5[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        scales_4[r] = scales_5[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        q_4[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        scales_4[r] = 0;
      }
    }
    tw_f16 t_5[16];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 t_6 = tw_f16_to_f32(scales[r]);
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        t_5[r * 8 + i] = tw_f32_to_f16((tw_u32_to_f32(q[r * 8 + i]) - 4.0f) * t_6);
      }
    }
    tw_syncthreads();
    const i32 t_7 = k * 64;
    const i32 left_4 = K - t_7;
    const i64 x_at_2 = x_at_1 + (i64)t_7;
    const bool x_in_1 = x_in && t_BK < left_4;
    tw_f16 x_tile[8];
    const tw_u32x4 x_tile_vec = x_in_1 ? tw_ldg_nc<tw_u32x4>(x + x_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
    x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
    x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
    tw_sts<tw_u32x4>(rows + (u32)swizzled * 2u, tw_u32x4{
        tw_pack_u16x2(x_tile[0], x_tile[1]), tw_pack_u16x2(x_tile[2], x_tile[3]),
        tw_pack_u16x2(x_tile[4], x_tile[5]), tw_pack_u16x2(x_tile[6], x_tile[7])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], rows + (u32)((swizzled_1 ^ (r * 16)) * 2));
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        b[i] = tw_pack_u16x2(t_5[r * 4 + i * 2], t_5[r * 4 + i * 2 + 1]);
      }
      tw_mfma_f32_16x16x16_f16(&acc[0], &b[0], &a[0]);
    }
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q[r] = q_2[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales[r] = scales_2[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q_2[r] = q_4[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales_2[r] = scales_4[r];
    }
  }
  const i32 t_BM_1 = lane & 15;
  const i32 t_BN_1 = (thread >> 4) * 4;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_2 * (i64)N + (i64)t_1 + (i64)y_at;
  const bool y_in = t_BM_1 < left_2 && t_BN_1 < left;
  if (y_in) {
    tw_stg<tw_f32x4>(y + y_at_1, tw_f32x4{acc[0], acc[1], acc[2], acc[3]});
  }
}
