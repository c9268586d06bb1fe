// paged_decode for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 stages=2 SOFTCAP=0
// dims fixed: G=4 D=64 PAGE=16
// dims divisible: S%2 HKV%2 MAXB%4 SPLIT%2
// 128 threads in 4 warps of 32, 11008 bytes of shared memory
//       0 … 4096: kt bf16[2048]
//    4096 … 8192: vt bf16[2048]
//    8192 … 10240: qt bf16[1024]
//   10240 … 10752: t75_shared bf16[256]
//   10752 … 10880: t64_parts f32[32]
//   10880 … 11008: t72_parts f32[32]

TW_KERNEL(128) paged_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* lens, f32* partial, f32* lse, i32 S, i32 HKV, i32 NB, i32 MAXB, i32 SPLIT, f32 scale,
    i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 8192u;
  tw_label(qt, 2048u, "qt");
  const u32 kt = smem;
  tw_label(kt, 4096u, "kt");
  const u32 t64_parts = smem + 10752u;
  tw_label(t64_parts, 128u, "t64_parts");
  const u32 t72_parts = smem + 10880u;
  tw_label(t72_parts, 128u, "t72_parts");
  const u32 t75_shared = smem + 10240u;
  tw_label(t75_shared, 512u, "t75_shared");
  const u32 vt = smem + 4096u;
  tw_label(vt, 4096u, "vt");
  const i32 g = 0;
  const i64 lens_at = (i64)pid2;
  i32 len;
  len = tw_ldg_nc<i32>(lens + lens_at);
  const i32 start = window > 0 ? tw_max_i32(len - window, 0) : 0;
  const i32 firstBlock = start >> 4;
  const i32 blocks = ((len + 15) >> 4) - firstBlock;
  const i32 share = tw_floordiv_i32(blocks + (SPLIT - 1), SPLIT);
  const i32 t = pid1 * share;
  const i32 stride = HKV * 256;
  const i32 t_GP = thread >> 3;
  const i32 left = 4 - g;
  const i32 t_D = (lane & 7) * 8;
  const i32 q_at = t_GP * 64 + t_D;
  const i64 q_at_1 = (i64)pid2 * (i64)stride + (i64)pid0 * 256ll + (i64)g * 64ll + (i64)q_at;
  const bool q_in = pid2 < S && pid0 < HKV && t_GP < left;
  const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
  tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
  const i32 t_1 = (firstBlock + t) * 16;
  const i32 t_2 = (firstBlock + tw_min_i32(t + share, blocks)) * 16;
  const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
  const f32 t_3 = scale * 1.442695f;
  const bool more = t_1 < t_2;
  const i32 stride_1 = HKV * 1024;
  const i32 stride_2 = HKV * 64;
  if (more) {
    const i32 kpos = t_1 + t_GP;
    const i32 t_4 = kpos < len && kpos >= start ? kpos >> 4 : -1;
    const i64 table_at = (i64)pid2 * (i64)MAXB + (i64)t_4;
    const bool table_in = pid2 < S && (u32)t_4 < (u32)MAXB;
    i32 pages;
    pages = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
    const i32 slot = kpos & 15;
    const i64 kCache_at = (i64)pid0 * 64ll + (i64)t_D + (i64)pages * (i64)stride_1 + (i64)slot * (i64)stride_2;
    const bool kCache_in = (u32)pages < (u32)NB && pid0 < HKV;
    tw_cp_async_16_zfill(kt + (u32)swizzled * 2u, kCache + kCache_at, kCache_in ? 16u : 0u);
    tw_cp_async_16_zfill(vt + (u32)swizzled * 2u, vCache + kCache_at, kCache_in ? 16u : 0u);
  }
  tw_cp_async_commit();
  const i32 n = t_1 + 16;
  const bool more_1 = n < t_2;
  i32 pages_1;
  if (more_1) {
    const i32 kpos_1 = n + t_GP;
    const i32 t_5 = kpos_1 < len && kpos_1 >= start ? kpos_1 >> 4 : -1;
    const i64 table_at_1 = (i64)pid2 * (i64)MAXB + (i64)t_5;
    const bool table_in_1 = pid2 < S && (u32)t_5 < (u32)MAXB;
    i32 pages_2;
    pages_2 = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
    pages_1 = pages_2;
  } else {
    pages_1 = -1;
  }
  f32 l[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    l[r] = 0.0f;
  }
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  f32 m[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    m[r] = -1e+30f;
  }
  i32 slot_1 = 0;
  i32 fill = 1;
  i32 pages_3 = pages_1;
  const i64 kCache_at_1 = (i64)pid0 * 64ll + (i64)t_D;
  const bool kCache_in_1 = pid0 < HKV;
  const i64 table_at_2 = (i64)pid2 * (i64)MAXB;
  const bool table_in_2 = pid2 < S;
  const i32 qt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
  const i32 kt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 8 + (warp & 1) * 512;
  const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
  const i32 swizzled_2 = kt_at ^ ((kt_at >> 3) & 56);
  const i32 t_GP_1 = lane >> 2;
  const i32 part = warp & 1;
  const bool is_first = (lane & 3) == 0 && thread < 64;
  const i32 part_at = part * 16 + t_GP_1;
  const i32 t75_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
  const bool is_first_1 = thread < 64;
  const i32 swizzled_3 = t75_shared_at ^ ((t75_shared_at >> 3) & 8);
  const i32 t75_shared_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
  const i32 vt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
  const i32 swizzled_4 = t75_shared_at_1 ^ ((t75_shared_at_1 >> 3) & 8);
  const i32 swizzled_5 = vt_at ^ ((vt_at >> 3) & 56);
  for (i32 n_1 = t_1; n_1 < t_2; n_1 += 16) {
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i32 n_2 = n_1 + 16;
    const bool more_2 = n_2 < t_2;
    if (more_2) {
      const i32 slot_2 = (n_2 + t_GP) & 15;
      const i64 kCache_at_2 = kCache_at_1 + (i64)pages_3 * (i64)stride_1 + (i64)slot_2 * (i64)stride_2;
      const bool kCache_in_2 = kCache_in_1 && (u32)pages_3 < (u32)NB;
      const i32 kt_slot = fill * 1024;
      tw_cp_async_16_zfill(
          kt + (u32)(swizzled + kt_slot) * 2u, kCache + kCache_at_2, kCache_in_2 ? 16u : 0u);
      tw_cp_async_16_zfill(
          vt + (u32)(swizzled + kt_slot) * 2u, vCache + kCache_at_2, kCache_in_2 ? 16u : 0u);
    }
    tw_cp_async_commit();
    const i32 n_3 = n_2 + 16;
    const bool more_3 = n_3 < t_2;
    i32 pages_4;
    if (more_3) {
      const i32 kpos_2 = n_3 + t_GP;
      const i32 t_6 = kpos_2 < len && kpos_2 >= start ? kpos_2 >> 4 : -1;
      const i64 table_at_3 = table_at_2 + (i64)t_6;
      const bool table_in_3 = table_in_2 && (u32)t_6 < (u32)MAXB;
      i32 pages_5;
      pages_5 = table_in_3 ? tw_ldg_nc<i32>(table + table_at_3) : -1;
      pages_4 = pages_5;
    } else {
      pages_4 = -1;
    }
    i32 kpos_3[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      kpos_3[r] = n_1 + t_BN + r;
    }
    f32 scores[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scores[r] = 0.0f;
    }
    const i32 kt_slot_1 = slot_1 * 1024;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[4];
      u32 b[2];
      tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_1 ^ (r * 16)) * 2u);
      tw_ldmatrix_x2(&b[0], kt + (u32)((swizzled_2 ^ (r * 16)) + kt_slot_1) * 2u);
      tw_mma_m16n8k16_f32_bf16(&scores[0], &a[0], &b[0]);
    }
    bool seen[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      seen[r] = kpos_3[r] < len && kpos_3[r] >= start;
    }
    f32 x[4];
    f32 most[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        x[r * 2 + i] = seen[i] ? scores[r * 2 + i] * t_3 : tw_bits_f32(0xff800000u);
      }
      most[r] = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        most[r] = tw_max(most[r], x[r * 2 + i]);
      }
    }
    f32 other;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other = tw_shfl_xor<f32>(most[r], 1);
      most[r] = tw_max(most[r], other);
      other = tw_shfl_xor<f32>(most[r], 2);
      most[r] = tw_max(most[r], other);
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t64_parts + (u32)(part_at + r * 8) * 4u, most[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most[r] = tw_lds<f32>(t64_parts + (u32)(t_GP_1 + r * 8) * 4u);
      f32 other_1;
      other_1 = tw_lds<f32>(t64_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
      most[r] = tw_max(most[r], other_1);
    }
    f32 mNew[2];
    f32 p[4];
    f32 alpha[2];
    f32 sum[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      mNew[r] = tw_max(m[r], most[r]);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        p[r * 2 + i] = tw_exp2(x[r * 2 + i] - mNew[r]);
      }
      alpha[r] = tw_exp2(m[r] - mNew[r]);
      sum[r] = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        sum[r] = sum[r] + p[r * 2 + i];
      }
    }
    f32 other_2;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other_2 = tw_shfl_xor<f32>(sum[r], 1);
      sum[r] = sum[r] + other_2;
      other_2 = tw_shfl_xor<f32>(sum[r], 2);
      sum[r] = sum[r] + other_2;
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t72_parts + (u32)(part_at + r * 8) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum[r] = tw_lds<f32>(t72_parts + (u32)(t_GP_1 + r * 8) * 4u);
      f32 other_3;
      other_3 = tw_lds<f32>(t72_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
      sum[r] = sum[r] + other_3;
    }
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_bf16 t75_shared_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          t75_shared_tile[i] = tw_f32_to_bf16(p[r * 2 + i]);
        }
        tw_sts<u32>(
            t75_shared + (u32)(swizzled_3 + r * 128) * 2u,
            tw_pack_u16x2(t75_shared_tile[0], t75_shared_tile[1]));
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          acc[r * 4 + i * 2 + j] = acc[r * 4 + i * 2 + j] * alpha[i];
        }
      }
    }
    u32 a_1[4];
    u32 b_1[4];
    tw_ldmatrix_x4(&a_1[0], t75_shared + (u32)swizzled_4 * 2u);
    tw_ldmatrix_x4_trans(&b_1[0], vt + (u32)(swizzled_5 + kt_slot_1) * 2u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_mma_m16n8k16_f32_bf16(&acc[r * 4], &a_1[0], &b_1[r * 2]);
    }
    const i32 slot_3 = slot_1 + 1;
    const i32 fill_1 = fill + 1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      l[r] = l[r] * alpha[r] + sum[r];
      m[r] = mNew[r];
    }
    slot_1 = slot_3 == 2 ? 0 : slot_3;
    fill = fill_1 == 2 ? 0 : fill_1;
    pages_3 = pages_4;
  }
  f32 total[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    total[r] = tw_max(l[r], 1e-30f);
  }
  const i32 stride_3 = SPLIT * 256 * HKV;
  const i32 stride_4 = SPLIT * 256;
  const i32 t_D_1 = warp * 16 + (lane & 3) * 2;
  const i32 partial_at = t_GP_1 * 64 + t_D_1;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_3 + (i64)pid0 * (i64)stride_4 + (i64)pid1 * 256ll + (i64)g * 64ll + (i64)partial_at;
  const bool partial_in = pid2 < S && pid0 < HKV && pid1 < SPLIT;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      f32 partial_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        partial_tile[j] = acc[r * 4 + i * 2 + j] / total[i];
      }
      if (partial_in && t_GP_1 + i * 8 < left) {
        tw_stg<tw_f32x2>(
            partial + (partial_at_1 + (i64)(i * 512 + r * 8)),
            tw_f32x2{partial_tile[0], partial_tile[1]});
      }
    }
  }
  const i32 stride_5 = SPLIT * 4 * HKV;
  const i32 stride_6 = SPLIT * 4;
  const i64 lse_at = (i64)pid2 * (i64)stride_5 + (i64)pid0 * (i64)stride_6 + (i64)pid1 * 4ll + (i64)g + (i64)t_GP_1;
  const bool is_first_2 = (lane & 3) == 0 && thread < 32;
  if (is_first_2) {
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 lse_tile = m[r] + tw_log2(total[r]);
      if (partial_in && t_GP_1 + r * 8 < left) {
        tw_stg<f32>(lse + (lse_at + (i64)(r * 8)), lse_tile);
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
