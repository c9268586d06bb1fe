// packed_weights for cuda sm_80, made by tilewright
// dtypes: W=u4 T=f16
// config: BM=16 BN=32 BK=64 GB=2
// dims divisible: K%16 N%16 KG%4
// 128 threads in 4 warps of 32, 6144 bytes of shared memory
//       0 … 6144: rows f16[3072]

TW_KERNEL(128) packed_weights(
    const tw_f16* x, const u8* w, const tw_f16* s, f32* y, i32 M, i32 K, i32 N, i32 KG) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 rows = smem;
  tw_label(rows, 6144u, "rows");
  const i32 t = (K + 63) >> 6;
  const i32 t_1 = pid1 * 32;
  const i32 t_2 = pid0 * 16;
  const bool more = 0 < t;
  u8 q[16];
  tw_f16 scales[2];
  const i32 w_row = t * 512;
  const i32 w_at = (lane & 3) * 16 + (lane >> 2) * 64 + warp * w_row;
  const i32 t_BN = thread >> 2;
  const i32 left = N - t_1;
  const i32 s_at = t_BN * KG;
  const i64 s_at_1 = (i64)t_1 * (i64)KG + (i64)s_at;
  if (more) {
    const i64 w_at_1 = (i64)((t_1 >> 3) * t) * 512ll + (i64)w_at;
    u8 q_1[16];
    const tw_u32x2 q_1_vec = t_1 + warp * 8 < N && 0 < K ? tw_ldg_nc<tw_u32x2>(w + (w_at_1 >> 1)) : tw_u32x2{0u, 0u};
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
  const i32 t_BM = thread >> 3;
  const i32 left_1 = M - t_2;
  const i32 t_BK = (lane & 7) * 8;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_2 * (i64)K + (i64)x_at;
  const i32 rows_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = rows_at ^ ((rows_at >> 3) & 56);
  if (more) {
    const bool x_in = t_BM < left_1 && t_BK < K;
    tw_cp_async_16_zfill(rows + (u32)swizzled * 2u, x + x_at_1, x_in ? 16u : 0u);
  }
  tw_cp_async_commit();
  const bool more_1 = 1 < t;
  if (more_1) {
    const i32 left_2 = K - 64;
    const bool x_in_1 = t_BM < left_1 && t_BK < left_2;
    tw_cp_async_16_zfill(
        rows + (u32)(swizzled + 1024) * 2u, x + (x_at_1 + 64ll), x_in_1 ? 16u : 0u);
  }
  tw_cp_async_commit();
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 2;
  const bool x_in_2 = t_BM < left_1;
  const i64 w_at_2 = (i64)w_at;
  const bool s_in_1 = t_BN < left;
  const i32 rows_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
  const i32 swizzled_1 = rows_at_1 ^ ((rows_at_1 >> 3) & 56);
  for (i32 k = 0; k < t; ++k) {
    tw_cp_async_wait<1>();
    tw_syncthreads();
    const i32 k_1 = k + 2;
    const bool more_2 = k_1 < t;
    if (more_2) {
      const i32 t_3 = k_1 * 64;
      const i32 left_3 = K - t_3;
      const i64 x_at_2 = x_at_1 + (i64)t_3;
      const bool x_in_3 = x_in_2 && t_BK < left_3;
      const i32 rows_slot = fill * 1024;
      tw_cp_async_16_zfill(rows + (u32)(swizzled + rows_slot) * 2u, x + x_at_2, x_in_3 ? 16u : 0u);
    }
    tw_cp_async_commit();
    const i32 k_2 = k + 1;
    const bool more_3 = k_2 < t;
    u8 q_2[16];
    tw_f16 scales_2[2];
    if (more_3) {
      const i32 t_4 = k_2 * 64;
      const i64 w_at_3 = w_at_2 + (i64)((t_1 >> 3) * t + (t_4 >> 6)) * 512ll;
      u8 q_3[16];
      const tw_u32x2 q_3_vec = t_1 + warp * 8 < N && t_4 < K ? tw_ldg_nc<tw_u32x2>(w + (w_at_3 >> 1)) : tw_u32x2{0u, 0u};
      q_3[0] = tw_zext_u4(q_3_vec.x); q_3[1] = tw_zext_u4(q_3_vec.x >> 4);
      q_3[2] = tw_zext_u4(q_3_vec.x >> 8); q_3[3] = tw_zext_u4(q_3_vec.x >> 12);
      q_3[4] = tw_zext_u4(q_3_vec.x >> 16); q_3[5] = tw_zext_u4(q_3_vec.x >> 20);
      q_3[6] = tw_zext_u4(q_3_vec.x >> 24); q_3[7] = tw_zext_u4(q_3_vec.x >> 28);
      q_3[8] = tw_zext_u4(q_3_vec.y); q_3[9] = tw_zext_u4(q_3_vec.y >> 4);
      q_3[10] = tw_zext_u4(q_3_vec.y >> 8); q_3[11] = tw_zext_u4(q_3_vec.y >> 12);
      q_3[12] = tw_zext_u4(q_3_vec.y >> 16); q_3[13] = tw_zext_u4(q_3_vec.y >> 20);
      q_3[14] = tw_zext_u4(q_3_vec.y >> 24); q_3[15] = tw_zext_u4(q_3_vec.y >> 28);
      const i32 t_5 = k_2 * 2;
      const i32 left_4 = KG - t_5;
      const i64 s_at_2 = s_at_1 + (i64)t_5;
      const bool s_in_2 = s_in_1 && 0 < left_4;
      tw_f16 scales_3[2];
      const u32 scales_3_vec = s_in_2 ? tw_ldg_nc<u32>(s + s_at_2) : 0u;
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
    tw_f16 t_6[16];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 t_7 = tw_f16_to_f32(scales[r]);
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        t_6[r * 8 + i] = tw_f32_to_f16((tw_u32_to_f32(q[r * 8 + i]) - 4.0f) * t_7);
      }
    }
    const i32 rows_slot_1 = slot * 1024;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[4];
      u32 b[2];
      tw_ldmatrix_x4(&a[0], rows + (u32)((swizzled_1 ^ (r * 16)) + rows_slot_1) * 2u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        b[i] = tw_pack_u16x2(t_6[r * 4 + i * 2], t_6[r * 4 + i * 2 + 1]);
      }
      tw_mma_m16n8k16_f32_f16(&acc[0], &a[0], &b[0]);
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      q[r] = q_2[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      scales[r] = scales_2[r];
    }
    slot = slot_1 == 3 ? 0 : slot_1;
    fill = fill_1 == 3 ? 0 : fill_1;
  }
  const i32 t_BM_1 = lane >> 2;
  const i32 t_BN_1 = warp * 8 + (lane & 3) * 2;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_2 * (i64)N + (i64)t_1 + (i64)y_at;
  const bool y_in = t_BN_1 < left;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    if (y_in && t_BM_1 + r * 8 < left_1) {
      tw_stg<tw_f32x2>(y + (y_at_1 + (i64)(r * 8 * N)), tw_f32x2{acc[r * 2], acc[r * 2 + 1]});
    }
  }
}
