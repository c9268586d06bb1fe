// moe_gemm for cuda sm_80, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BN=64 BK=32 stages=3 group=8
// dims fixed: G=2 B=0 BM=64
// dims divisible: K%16 E%4 N%8 PB%4 S%2
// 128 threads in 4 warps of 32, 36864 bytes of shared memory
//       0 … 12288: a bf16[6144]
//       0 … 8192: t48_convert bf16[4096]
//   12288 … 24576: t35 bf16[6144]
//   24576 … 36864: t38 bf16[6144]

TW_KERNEL(128) moe_gemm(
    const tw_bf16* x, const tw_bf16* w, const tw_bf16* bias, const i32* rows, const i32* expertOf,
    tw_bf16* y, i32 R, i32 K, i32 E, i32 N, i32 PB, i32 S) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem;
  tw_label(a, 12288u, "a");
  const u32 t35 = smem + 12288u;
  tw_label(t35, 12288u, "t35");
  const u32 t38 = smem + 24576u;
  tw_label(t38, 12288u, "t38");
  const u32 t48_convert = smem;
  tw_label(t48_convert, 8192u, "t48_convert");
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
    const i32 t_7 = t_5 * 64;
    const i32 t_BM = thread >> 2;
    const i64 rows_at = (i64)t_4 * 64ll + (i64)t_BM;
    const bool rows_in = (u32)t_4 < (u32)PB;
    i32 slots[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      slots[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at + (i64)(r * 32))) : 0;
    }
    const i32 t_8 = tw_floordiv_i32(S, R);
    i32 from[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      from[r] = tw_floordiv_i32(slots[r], t_8);
    }
    const bool more = 0 < K;
    const i32 t_BK = (lane & 3) * 8;
    const i64 x_at = (i64)t_BK;
    const i32 a_at = (lane & 3) * 8 + (thread >> 2) * 32;
    const i32 swizzled = a_at ^ ((a_at >> 3) & 24);
    const i32 stride = K * N * 2;
    const i32 stride_1 = K * N;
    const i32 w_at = t_BM * K + t_BK;
    const i32 position = t_7 + t_BM;
    if (more) {
      const bool x_in = t_BK < K;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            a + (u32)(swizzled + r * 1024) * 2u, x + (x_at + (i64)from[r] * (i64)K),
            x_in && (u32)from[r] < (u32)R ? 16u : 0u);
      }
      const i64 w_at_1 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in = (u32)e < (u32)E && t_BK < K;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            t35 + (u32)(swizzled + r * 1024) * 2u, w + (w_at_1 + (i64)(r * 32 * K)),
            w_in && (u32)(position + r * 32) < (u32)N ? 16u : 0u);
      }
      const i64 w_at_2 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            t38 + (u32)(swizzled + r * 1024) * 2u, w + (w_at_2 + (i64)(r * 32 * K)),
            w_in && (u32)(position + r * 32) < (u32)N ? 16u : 0u);
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
            a + (u32)(swizzled + r * 1024 + 2048) * 2u, x + (x_at + 32ll + (i64)from[r] * (i64)K),
            x_in_1 && (u32)from[r] < (u32)R ? 16u : 0u);
      }
      const i64 w_at_3 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in_1 = (u32)e < (u32)E && t_BK < left;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            t35 + (u32)(swizzled + r * 1024 + 2048) * 2u, w + (w_at_3 + 32ll + (i64)(r * 32 * K)),
            w_in_1 && (u32)(position + r * 32) < (u32)N ? 16u : 0u);
      }
      const i64 w_at_4 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            t38 + (u32)(swizzled + r * 1024 + 2048) * 2u, w + (w_at_4 + 32ll + (i64)(r * 32 * K)),
            w_in_1 && (u32)(position + r * 32) < (u32)N ? 16u : 0u);
      }
    }
    tw_cp_async_commit();
    f32 acc[32];
    f32 up[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      acc[r] = 0.0f;
      up[r] = 0.0f;
    }
    i32 slot = 0;
    i32 fill = 2;
    const i64 w_at_5 = (i64)e * (i64)stride + (i64)t_7 * (i64)K + (i64)w_at;
    const bool w_in_2 = (u32)e < (u32)E;
    const i64 w_at_6 = (i64)e * (i64)stride + (i64)stride_1 + (i64)t_7 * (i64)K + (i64)w_at;
    const i32 a_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 256 + (lane >> 4) * 8 + (warp & 1) * 1024;
    const i32 t35_at = (lane & 7) * 32 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 256 + (warp >> 1) * 1024;
    const i32 swizzled_1 = a_at_1 ^ ((a_at_1 >> 3) & 24);
    const i32 swizzled_2 = t35_at ^ ((t35_at >> 3) & 24);
    for (i32 k = 0; k < K; k += 32) {
      tw_cp_async_wait<1>();
      tw_syncthreads();
      const i32 k_1 = k + 64;
      const bool more_2 = k_1 < K;
      if (more_2) {
        const i32 left_1 = K - k_1;
        const i64 x_at_1 = x_at + (i64)k_1;
        const bool x_in_2 = t_BK < left_1;
        const i32 a_slot = fill * 2048;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_cp_async_16_zfill(
              a + (u32)(swizzled + r * 1024 + a_slot) * 2u, x + (x_at_1 + (i64)from[r] * (i64)K),
              x_in_2 && (u32)from[r] < (u32)R ? 16u : 0u);
        }
        const i64 w_at_7 = w_at_5 + (i64)k_1;
        const bool w_in_3 = w_in_2 && t_BK < left_1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_cp_async_16_zfill(
              t35 + (u32)(swizzled + r * 1024 + a_slot) * 2u, w + (w_at_7 + (i64)(r * 32 * K)),
              w_in_3 && (u32)(position + r * 32) < (u32)N ? 16u : 0u);
        }
        const i64 w_at_8 = w_at_6 + (i64)k_1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_cp_async_16_zfill(
              t38 + (u32)(swizzled + r * 1024 + a_slot) * 2u, w + (w_at_8 + (i64)(r * 32 * K)),
              w_in_3 && (u32)(position + r * 32) < (u32)N ? 16u : 0u);
        }
      }
      tw_cp_async_commit();
      const i32 a_slot_1 = slot * 2048;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        u32 a_1[8];
        u32 b[8];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          tw_ldmatrix_x4(&a_1[i * 4], a + (u32)((swizzled_1 ^ (r * 16)) + i * 512 + a_slot_1) * 2u);
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          tw_ldmatrix_x4(&b[i * 4], t35 + (u32)((swizzled_2 ^ (r * 16)) + i * 512 + a_slot_1) * 2u);
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_mma_m16n8k16_f32_bf16(&acc[i * 16 + j * 4], &a_1[i * 4], &b[j * 2]);
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        u32 a_2[8];
        u32 b_1[8];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          tw_ldmatrix_x4(&a_2[i * 4], a + (u32)((swizzled_1 ^ (r * 16)) + i * 512 + a_slot_1) * 2u);
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          tw_ldmatrix_x4(
              &b_1[i * 4], t38 + (u32)((swizzled_2 ^ (r * 16)) + i * 512 + a_slot_1) * 2u);
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_mma_m16n8k16_f32_bf16(&up[i * 16 + j * 4], &a_2[i * 4], &b_1[j * 2]);
          }
        }
      }
      const i32 slot_1 = slot + 1;
      const i32 fill_1 = fill + 1;
      slot = slot_1 == 3 ? 0 : slot_1;
      fill = fill_1 == 3 ? 0 : fill_1;
    }
    tw_syncthreads();
    tw_bf16 t_9[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      t_9[r] = tw_f32_to_bf16(acc[r] / (1.0f + tw_exp(-acc[r])) * up[r]);
    }
    const i32 t48_convert_at = (lane & 3) * 2 + (lane >> 2) * 64 + (warp & 1) * 2048 + (warp >> 1) * 32;
    const i32 swizzled_3 = t48_convert_at ^ ((t48_convert_at >> 3) & 56);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          tw_sts<u32>(
              t48_convert + (u32)((swizzled_3 ^ (i * 8)) + r * 1024 + j * 512) * 2u,
              tw_pack_u16x2(t_9[r * 16 + i * 4 + j * 2], t_9[r * 16 + i * 4 + j * 2 + 1]));
        }
      }
    }
    tw_syncthreads();
    tw_bf16 t_10[32];
    const i32 t48_convert_at_1 = (lane & 7) * 8 + (thread >> 3) * 64;
    const i32 swizzled_4 = t48_convert_at_1 ^ ((t48_convert_at_1 >> 3) & 56);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_u32x4 t_10_vec = tw_lds<tw_u32x4>(t48_convert + (u32)(swizzled_4 + r * 1024) * 2u);
      t_10[r * 8] = tw_u16x2_lo(t_10_vec.x); t_10[r * 8 + 1] = tw_u16x2_hi(t_10_vec.x);
      t_10[r * 8 + 2] = tw_u16x2_lo(t_10_vec.y); t_10[r * 8 + 3] = tw_u16x2_hi(t_10_vec.y);
      t_10[r * 8 + 4] = tw_u16x2_lo(t_10_vec.z); t_10[r * 8 + 5] = tw_u16x2_hi(t_10_vec.z);
      t_10[r * 8 + 6] = tw_u16x2_lo(t_10_vec.w); t_10[r * 8 + 7] = tw_u16x2_hi(t_10_vec.w);
    }
    const i32 t_BM_1 = thread >> 3;
    const i64 rows_at_1 = (i64)t_4 * 64ll + (i64)t_BM_1;
    i32 slots_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      slots_1[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at_1 + (i64)(r * 16))) : 0;
    }
    const i32 t_BN = (lane & 7) * 8;
    const i32 position_1 = t_7 + t_BN;
    const i64 y_at = (i64)t_7 + (i64)t_BN;
    const bool y_in = (u32)position_1 < (u32)N;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      if (y_in && (u32)slots_1[r] < (u32)S) {
        tw_stg<tw_u32x4>(y + (y_at + (i64)slots_1[r] * (i64)N), tw_u32x4{
            tw_pack_u16x2(t_10[r * 8], t_10[r * 8 + 1]),
            tw_pack_u16x2(t_10[r * 8 + 2], t_10[r * 8 + 3]),
            tw_pack_u16x2(t_10[r * 8 + 4], t_10[r * 8 + 5]),
            tw_pack_u16x2(t_10[r * 8 + 6], t_10[r * 8 + 7])});
      }
    }
  }
}
