// prefill_attention for cuda sm_80, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BM=16 BN=16 BS=128 stages=2 SOFTCAP=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%2 NB%8 S%2
// 128 threads in 4 warps of 32, 11024 bytes of shared memory
//       0 … 4096: kt bf16[2048]
//    4096 … 8192: vt bf16[2048]
//    8192 … 10240: qt bf16[1024]
//   10240 … 10752: t118_shared bf16[256]
//   10752 … 10880: t107_parts f32[32]
//   10880 … 11008: t115_parts f32[32]
//   11008 … 11024: t28_parts i32[4]

TW_KERNEL(128) prefill_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* queryStart, const i32* lens, tw_bf16* o, i32 N, i32 HQ, i32 NB, i32 HKV, i32 S,
    i32 MAXB, i32 S1, f32 scale, f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t28_parts = smem + 11008u;
  tw_label(t28_parts, 16u, "t28_parts");
  const u32 qt = smem + 8192u;
  tw_label(qt, 2048u, "qt");
  const u32 kt = smem;
  tw_label(kt, 4096u, "kt");
  const u32 t107_parts = smem + 10752u;
  tw_label(t107_parts, 128u, "t107_parts");
  const u32 t115_parts = smem + 10880u;
  tw_label(t115_parts, 128u, "t115_parts");
  const u32 t118_shared = smem + 10240u;
  tw_label(t118_shared, 512u, "t118_shared");
  const u32 vt = smem + 4096u;
  tw_label(vt, 4096u, "vt");
  i32 begun = 0;
  const i32 bound = tw_min_i32(S, S1);
  const i64 queryStart_at = (i64)thread;
  const bool is_first = lane == 0;
  for (i32 i = 0; i < S; i += 128) {
    const i32 left = bound - i;
    const i64 queryStart_at_1 = queryStart_at + (i64)i;
    const bool queryStart_in = thread < left;
    i32 start;
    start = queryStart_in ? tw_ldg_nc<i32>(queryStart + queryStart_at_1) : 0;
    tw_syncthreads();
    i32 sum = i + thread < S && (start >> 4) + i + thread <= pid1 ? 1 : 0;
    i32 other;
    other = tw_shfl_xor<i32>(sum, 1);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 2);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 4);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 8);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 16);
    sum = sum + other;
    if (is_first) {
      tw_sts<i32>(t28_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[4];
    const tw_i32x4 parts_vec = tw_lds<tw_i32x4>(t28_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y; parts[2] = parts_vec.z; parts[3] = parts_vec.w;
    sum = parts[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      sum = sum + parts[r];
    }
    begun = begun + sum;
  }
  const bool t = begun > 0;
  if (t) {
    const i32 s = begun - 1;
    const i64 queryStart_at_2 = (i64)s;
    i32 rowStart;
    rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at_2);
    const i32 t_1 = s + 1;
    const i64 queryStart_at_3 = (i64)t_1;
    i32 rowEnd;
    rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_3);
    const i32 m0 = (pid1 - (rowStart >> 4) - s) * 16;
    const i32 t_2 = rowEnd - rowStart;
    const bool t_3 = m0 < t_2;
    if (t_3) {
      i32 len;
      len = tw_ldg_nc<i32>(lens + queryStart_at_2);
      const i32 kvHead = tw_floordiv_i32(pid0, tw_floordiv_i32(HQ, HKV));
      const i32 t_4 = rowStart + m0;
      const i32 p0 = len - t_2 + m0;
      const i32 reach = window > 0 ? window : 1073741824;
      const i32 low = tw_max_i32(p0 - reach + 1, 0);
      const i32 t_BM = lane >> 2;
      i32 qpos[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = p0 + t_BM + r * 8;
      }
      const i32 stride = HQ * 64;
      const i32 t_BM_1 = thread >> 3;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 position = t_4 + t_BM_1;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 t_D = (lane & 7) * 8;
      const i32 q_at = t_BM_1 * stride + t_D;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)q_at;
      const bool q_in = (u32)position < (u32)bound_2 && pid0 < HQ;
      const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
      const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
      tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
      const f32 factor = scale * 1.442695f;
      const i32 begin = (low >> 4) * 16;
      const i32 t_5 = tw_min_i32(len, p0 + 16);
      const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
      i32 t_6[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_6[r] = qpos[r] - reach;
      }
      const bool more = begin < t_5;
      const i32 stride_1 = HKV * 1024;
      const i32 stride_2 = HKV * 64;
      if (more) {
        const i32 kpos = begin + t_BM_1;
        const i32 t_7 = kpos >= low && kpos < len ? kpos >> 4 : -1;
        const i64 table_at = (i64)s * (i64)MAXB + (i64)t_7;
        const bool table_in = (u32)s < (u32)S && (u32)t_7 < (u32)MAXB;
        i32 pages;
        pages = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
        const i32 slot = kpos & 15;
        const i64 kCache_at = (i64)kvHead * 64ll + (i64)t_D + (i64)pages * (i64)stride_1 + (i64)slot * (i64)stride_2;
        const bool kCache_in = (u32)pages < (u32)NB && kvHead < HKV;
        tw_cp_async_16_zfill(kt + (u32)swizzled * 2u, kCache + kCache_at, kCache_in ? 16u : 0u);
        tw_cp_async_16_zfill(vt + (u32)swizzled * 2u, vCache + kCache_at, kCache_in ? 16u : 0u);
      }
      tw_cp_async_commit();
      const i32 n = begin + 16;
      const bool more_1 = n < t_5;
      i32 pages_1;
      if (more_1) {
        const i32 kpos_1 = n + t_BM_1;
        const i32 t_8 = kpos_1 >= low && kpos_1 < len ? kpos_1 >> 4 : -1;
        const i64 table_at_1 = (i64)s * (i64)MAXB + (i64)t_8;
        const bool table_in_1 = (u32)s < (u32)S && (u32)t_8 < (u32)MAXB;
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
      const i64 kCache_at_1 = (i64)kvHead * 64ll + (i64)t_D;
      const bool kCache_in_1 = kvHead < HKV;
      const i64 table_at_2 = (i64)s * (i64)MAXB;
      const bool table_in_2 = (u32)s < (u32)S;
      const i32 qt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
      const i32 kt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 8 + (warp & 1) * 512;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 3) & 56);
      const i32 part = warp & 1;
      const bool is_first_1 = (lane & 3) == 0 && thread < 64;
      const i32 part_at = part * 16 + t_BM;
      const i32 t118_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
      const bool is_first_2 = thread < 64;
      const i32 swizzled_3 = t118_shared_at ^ ((t118_shared_at >> 3) & 8);
      const i32 t118_shared_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
      const i32 vt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
      const i32 swizzled_4 = t118_shared_at_1 ^ ((t118_shared_at_1 >> 3) & 8);
      const i32 swizzled_5 = vt_at ^ ((vt_at >> 3) & 56);
      for (i32 n_1 = begin; n_1 < t_5; n_1 += 16) {
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 n_2 = n_1 + 16;
        const bool more_2 = n_2 < t_5;
        if (more_2) {
          const i32 slot_2 = (n_2 + t_BM_1) & 15;
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
        const bool more_3 = n_3 < t_5;
        i32 pages_4;
        if (more_3) {
          const i32 kpos_2 = n_3 + t_BM_1;
          const i32 t_9 = kpos_2 >= low && kpos_2 < len ? kpos_2 >> 4 : -1;
          const i64 table_at_3 = table_at_2 + (i64)t_9;
          const bool table_in_3 = table_in_2 && (u32)t_9 < (u32)MAXB;
          i32 pages_5;
          pages_5 = table_in_3 ? tw_ldg_nc<i32>(table + table_at_3) : -1;
          pages_4 = pages_5;
        } else {
          pages_4 = -1;
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
        i32 kpos_3[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          kpos_3[r] = n_1 + t_BN + r;
        }
        f32 masked[4];
        f32 most[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            masked[r * 2 + j] = kpos_3[j] <= qpos[r] && kpos_3[j] > t_6[r] ? scores[r * 2 + j] * factor : tw_bits_f32(0xff800000u);
          }
          most[r] = tw_bits_f32(0xff800000u);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            most[r] = tw_max(most[r], masked[r * 2 + j]);
          }
        }
        f32 other_1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_1 = tw_shfl_xor<f32>(most[r], 1);
          most[r] = tw_max(most[r], other_1);
          other_1 = tw_shfl_xor<f32>(most[r], 2);
          most[r] = tw_max(most[r], other_1);
        }
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_sts<f32>(t107_parts + (u32)(part_at + r * 8) * 4u, most[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most[r] = tw_lds<f32>(t107_parts + (u32)(t_BM + r * 8) * 4u);
          f32 other_2;
          other_2 = tw_lds<f32>(t107_parts + (u32)(t_BM + r * 8 + 16) * 4u);
          most[r] = tw_max(most[r], other_2);
        }
        f32 mNew[2];
        f32 p[4];
        f32 alpha[2];
        f32 sum_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          mNew[r] = tw_max(m[r], most[r]);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            p[r * 2 + j] = tw_exp2(masked[r * 2 + j] - mNew[r]);
          }
          alpha[r] = tw_exp2(m[r] - mNew[r]);
          sum_1[r] = 0.0f;
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            sum_1[r] = sum_1[r] + p[r * 2 + j];
          }
        }
        f32 other_3;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_3 = tw_shfl_xor<f32>(sum_1[r], 1);
          sum_1[r] = sum_1[r] + other_3;
          other_3 = tw_shfl_xor<f32>(sum_1[r], 2);
          sum_1[r] = sum_1[r] + other_3;
        }
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_sts<f32>(t115_parts + (u32)(part_at + r * 8) * 4u, sum_1[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_1[r] = tw_lds<f32>(t115_parts + (u32)(t_BM + r * 8) * 4u);
          f32 other_4;
          other_4 = tw_lds<f32>(t115_parts + (u32)(t_BM + r * 8 + 16) * 4u);
          sum_1[r] = sum_1[r] + other_4;
        }
        if (is_first_2) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_bf16 t118_shared_tile[2];
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t118_shared_tile[j] = tw_f32_to_bf16(p[r * 2 + j]);
            }
            tw_sts<u32>(
                t118_shared + (u32)(swizzled_3 + r * 128) * 2u,
                tw_pack_u16x2(t118_shared_tile[0], t118_shared_tile[1]));
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              acc[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * alpha[j];
            }
          }
        }
        u32 a_1[4];
        u32 b_1[4];
        tw_ldmatrix_x4(&a_1[0], t118_shared + (u32)swizzled_4 * 2u);
        tw_ldmatrix_x4_trans(&b_1[0], vt + (u32)(swizzled_5 + kt_slot_1) * 2u);
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_mma_m16n8k16_f32_bf16(&acc[r * 4], &a_1[0], &b_1[r * 2]);
        }
        const i32 slot_3 = slot_1 + 1;
        const i32 fill_1 = fill + 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          l[r] = l[r] * alpha[r] + sum_1[r];
          m[r] = mNew[r];
        }
        slot_1 = slot_3 == 2 ? 0 : slot_3;
        fill = fill_1 == 2 ? 0 : fill_1;
        pages_3 = pages_4;
      }
      f32 t_10[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_10[r] = 1.0f / tw_max(l[r], 1e-30f);
      }
      const i32 t_D_1 = warp * 16 + (lane & 3) * 2;
      const i32 o_at = t_BM * stride + t_D_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)o_at;
      const bool o_in = pid0 < HQ;
      const i32 position_1 = t_4 + t_BM;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          tw_bf16 o_tile[2];
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            o_tile[k] = tw_f32_to_bf16(acc[r * 4 + j * 2 + k] * t_10[j]);
          }
          if (o_in && (u32)(position_1 + j * 8) < (u32)bound_2) {
            tw_stg<u32>(
                o + (o_at_1 + (i64)(j * 8 * stride + r * 8)), tw_pack_u16x2(o_tile[0], o_tile[1]));
          }
        }
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
