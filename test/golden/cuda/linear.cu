// linear for cuda sm_80, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=64 BN=64 BK=32 stages=3 group=8
// dims divisible: M%2 K%8 N%8
// 128 threads in 4 warps of 32, 24576 bytes of shared memory
//       0 … 12288: a bf16[6144]
//       0 … 8192: t33_convert bf16[4096]
//   12288 … 24576: b bf16[6144]

TW_KERNEL(128) linear(const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 K, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem;
  tw_label(a, 12288u, "a");
  const u32 b = smem + 12288u;
  tw_label(b, 12288u, "b");
  const u32 t33_convert = smem;
  tw_label(t33_convert, 8192u, "t33_convert");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 63) >> 6) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = 0 < K;
  const i32 t_BM = thread >> 2;
  const i32 t_BK = (lane & 3) * 8;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_4 * (i64)K + (i64)x_at;
  const i32 a_at = (lane & 3) * 8 + (thread >> 2) * 32;
  const i32 swizzled = a_at ^ ((a_at >> 3) & 24);
  const i32 position = t_4 + t_BM;
  const i64 w_at = (i64)t_5 * (i64)K + (i64)x_at;
  const i32 position_1 = t_5 + t_BM;
  if (more) {
    const bool x_in = t_BK < K;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_cp_async_16_zfill(
          a + (u32)(swizzled + r * 1024) * 2u, x + (x_at_1 + (i64)(r * 32 * K)),
          x_in && (u32)(position + r * 32) < (u32)M ? 16u : 0u);
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_cp_async_16_zfill(
          b + (u32)(swizzled + r * 1024) * 2u, w + (w_at + (i64)(r * 32 * K)),
          x_in && (u32)(position_1 + r * 32) < (u32)N ? 16u : 0u);
    }
  }
  tw_cp_async_commit();
  const bool more_1 = 32 < K;
  if (more_1) {
    const i32 left = K - 32;
    const bool x_in_1 = t_BK < left;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_cp_async_16_zfill(
          a + (u32)(swizzled + r * 1024 + 2048) * 2u, x + (x_at_1 + 32ll + (i64)(r * 32 * K)),
          x_in_1 && (u32)(position + r * 32) < (u32)M ? 16u : 0u);
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_cp_async_16_zfill(
          b + (u32)(swizzled + r * 1024 + 2048) * 2u, w + (w_at + 32ll + (i64)(r * 32 * K)),
          x_in_1 && (u32)(position_1 + r * 32) < (u32)N ? 16u : 0u);
    }
  }
  tw_cp_async_commit();
  f32 acc[32];
  #pragma unroll
  for (i32 r = 0; r < 32; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 2;
  const i32 a_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 256 + (lane >> 4) * 8 + (warp & 1) * 1024;
  const i32 b_at = (lane & 7) * 32 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 256 + (warp >> 1) * 1024;
  const i32 swizzled_1 = a_at_1 ^ ((a_at_1 >> 3) & 24);
  const i32 swizzled_2 = b_at ^ ((b_at >> 3) & 24);
  for (i32 k = 0; k < K; k += 32) {
    tw_cp_async_wait<1>();
    tw_syncthreads();
    const i32 k_1 = k + 64;
    const bool more_2 = k_1 < K;
    if (more_2) {
      const i32 left_1 = K - k_1;
      const i64 x_at_2 = x_at_1 + (i64)k_1;
      const bool x_in_2 = t_BK < left_1;
      const i32 a_slot = fill * 2048;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            a + (u32)(swizzled + r * 1024 + a_slot) * 2u, x + (x_at_2 + (i64)(r * 32 * K)),
            x_in_2 && (u32)(position + r * 32) < (u32)M ? 16u : 0u);
      }
      const i64 w_at_1 = w_at + (i64)k_1;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            b + (u32)(swizzled + r * 1024 + a_slot) * 2u, w + (w_at_1 + (i64)(r * 32 * K)),
            x_in_2 && (u32)(position_1 + r * 32) < (u32)N ? 16u : 0u);
      }
    }
    tw_cp_async_commit();
    const i32 a_slot_1 = slot * 2048;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[8];
      u32 b_1[8];
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_ldmatrix_x4(&a_1[i * 4], a + (u32)((swizzled_1 ^ (r * 16)) + i * 512 + a_slot_1) * 2u);
      }
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_ldmatrix_x4(&b_1[i * 4], b + (u32)((swizzled_2 ^ (r * 16)) + i * 512 + a_slot_1) * 2u);
      }
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          tw_mma_m16n8k16_f32_bf16(&acc[i * 16 + j * 4], &a_1[i * 4], &b_1[j * 2]);
        }
      }
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    slot = slot_1 == 3 ? 0 : slot_1;
    fill = fill_1 == 3 ? 0 : fill_1;
  }
  tw_syncthreads();
  tw_bf16 t_6[32];
  #pragma unroll
  for (i32 r = 0; r < 32; ++r) {
    t_6[r] = tw_f32_to_bf16(acc[r]);
  }
  const i32 t33_convert_at = (lane & 3) * 2 + (lane >> 2) * 64 + (warp & 1) * 2048 + (warp >> 1) * 32;
  const i32 swizzled_3 = t33_convert_at ^ ((t33_convert_at >> 3) & 56);
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        tw_sts<u32>(
            t33_convert + (u32)((swizzled_3 ^ (i * 8)) + r * 1024 + j * 512) * 2u,
            tw_pack_u16x2(t_6[r * 16 + i * 4 + j * 2], t_6[r * 16 + i * 4 + j * 2 + 1]));
      }
    }
  }
  tw_syncthreads();
  tw_bf16 t_7[32];
  const i32 t33_convert_at_1 = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled_4 = t33_convert_at_1 ^ ((t33_convert_at_1 >> 3) & 56);
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_u32x4 t_7_vec = tw_lds<tw_u32x4>(t33_convert + (u32)(swizzled_4 + r * 1024) * 2u);
    t_7[r * 8] = tw_u16x2_lo(t_7_vec.x); t_7[r * 8 + 1] = tw_u16x2_hi(t_7_vec.x);
    t_7[r * 8 + 2] = tw_u16x2_lo(t_7_vec.y); t_7[r * 8 + 3] = tw_u16x2_hi(t_7_vec.y);
    t_7[r * 8 + 4] = tw_u16x2_lo(t_7_vec.z); t_7[r * 8 + 5] = tw_u16x2_hi(t_7_vec.z);
    t_7[r * 8 + 6] = tw_u16x2_lo(t_7_vec.w); t_7[r * 8 + 7] = tw_u16x2_hi(t_7_vec.w);
  }
  const i32 t_BM_1 = thread >> 3;
  const i32 t_BN = (lane & 7) * 8;
  const i32 position_2 = t_5 + t_BN;
  const i32 y_at = t_BM_1 * N + t_BN;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const bool y_in = (u32)position_2 < (u32)N;
  const i32 position_3 = t_4 + t_BM_1;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    if (y_in && (u32)(position_3 + r * 16) < (u32)M) {
      tw_stg<tw_u32x4>(y + (y_at_1 + (i64)(r * 16 * N)), tw_u32x4{
          tw_pack_u16x2(t_7[r * 8], t_7[r * 8 + 1]), tw_pack_u16x2(t_7[r * 8 + 2], t_7[r * 8 + 3]),
          tw_pack_u16x2(t_7[r * 8 + 4], t_7[r * 8 + 5]),
          tw_pack_u16x2(t_7[r * 8 + 6], t_7[r * 8 + 7])});
    }
  }
}
