// mla_prefill for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 BS=128 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: N%16 H%2 NB%8 S%2
// 128 threads in 4 warps of 32, 5904 bytes of shared memory
//       0 … 2048: qt bf16[1024]
//    2048 … 4096: lt bf16[1024]
//    4096 … 4608: qr bf16[256]
//    4608 … 5120: rt bf16[256]
//    5120 … 5632: t97_shared bf16[256]
//    5632 … 5760: t87_parts f32[32]
//    5760 … 5888: t95_parts f32[32]
//    5888 … 5904: t26_parts i32[4]

TW_KERNEL(128) mla_prefill(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* queryStart, const i32* lens, tw_bf16* o, i32 N, i32 H, i32 NB,
    i32 S, i32 MAXB, i32 S1, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t26_parts = smem + 5888u;
  tw_label(t26_parts, 16u, "t26_parts");
  const u32 qt = smem;
  tw_label(qt, 2048u, "qt");
  const u32 qr = smem + 4096u;
  tw_label(qr, 512u, "qr");
  const u32 lt = smem + 2048u;
  tw_label(lt, 2048u, "lt");
  const u32 rt = smem + 4608u;
  tw_label(rt, 512u, "rt");
  const u32 t87_parts = smem + 5632u;
  tw_label(t87_parts, 128u, "t87_parts");
  const u32 t95_parts = smem + 5760u;
  tw_label(t95_parts, 128u, "t95_parts");
  const u32 t97_shared = smem + 5120u;
  tw_label(t97_shared, 512u, "t97_shared");
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
      tw_sts<i32>(t26_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[4];
    const tw_i32x4 parts_vec = tw_lds<tw_i32x4>(t26_parts);
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
      const i32 t_4 = rowStart + m0;
      const i32 p0 = len - t_2 + m0;
      const i32 t_BM = lane >> 2;
      i32 qpos[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = p0 + t_BM + r * 8;
      }
      const i32 stride = H * 64;
      const i32 t_BM_1 = thread >> 3;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 position = t_4 + t_BM_1;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 t_R = (lane & 7) * 8;
      const i32 q_at = t_BM_1 * stride + t_R;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)q_at;
      const bool q_in = (u32)position < (u32)bound_2 && pid0 < H;
      const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
      const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
      tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
      const i32 stride_1 = H * 16;
      const i32 t_DR = (lane & 7) * 2;
      const i32 qRope_at = t_BM_1 * stride_1 + t_DR;
      const i64 qRope_at_1 = (i64)pid0 * 16ll + (i64)t_4 * (i64)stride_1 + (i64)qRope_at;
      const i32 qr_at = (lane & 7) * 2 + (thread >> 3) * 16;
      const i32 swizzled_1 = qr_at ^ ((qr_at >> 3) & 8);
      tw_cp_async_4_zfill(qr + (u32)swizzled_1 * 2u, qRope + qRope_at_1, q_in ? 4u : 0u);
      const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
      const f32 t_5 = scale * 1.442695f;
      const i32 t_6 = tw_min_i32(len, p0 + 16);
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
      const i64 table_at = (i64)s * (i64)MAXB;
      const bool table_in = (u32)s < (u32)S;
      const i64 latents_at = (i64)t_R;
      const i32 qt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
      const i32 lt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 8 + (warp & 1) * 512;
      const i32 swizzled_2 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
      const i32 swizzled_3 = lt_at ^ ((lt_at >> 3) & 56);
      const i64 ropes_at = (i64)t_DR;
      const i32 qr_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
      const i32 rt_at = (lane & 7) * 16 + ((lane >> 3) & 1) * 8 + (warp & 1) * 128;
      const i32 swizzled_4 = qr_at_1 ^ ((qr_at_1 >> 3) & 8);
      const i32 swizzled_5 = rt_at ^ ((rt_at >> 3) & 8);
      const i32 part = warp & 1;
      const bool is_first_1 = (lane & 3) == 0 && thread < 64;
      const i32 part_at = part * 16 + t_BM;
      const i32 t97_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
      const bool is_first_2 = thread < 64;
      const i32 swizzled_6 = t97_shared_at ^ ((t97_shared_at >> 3) & 8);
      const i32 lt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
      const i32 swizzled_7 = lt_at_1 ^ ((lt_at_1 >> 3) & 56);
      for (i32 n = 0; n < t_6; n += 16) {
        const i32 kpos = n + t_BM_1;
        const i32 place = kpos < len ? kpos >> 4 : -1;
        const i64 table_at_1 = table_at + (i64)place;
        const bool table_in_1 = table_in && (u32)place < (u32)MAXB;
        i32 pages;
        pages = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
        const i32 slot = kpos & 15;
        tw_syncthreads();
        const i64 latents_at_1 = latents_at + (i64)pages * 1024ll + (i64)slot * 64ll;
        const bool latents_in = (u32)pages < (u32)NB;
        tw_cp_async_16_zfill(
            lt + (u32)swizzled * 2u, latents + latents_at_1, latents_in ? 16u : 0u);
        tw_cp_async_commit();
        tw_cp_async_wait<0>();
        tw_syncthreads();
        f32 acc_1[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          acc_1[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a[4];
          u32 b[2];
          tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_2 ^ (r * 16)) * 2u);
          tw_ldmatrix_x2(&b[0], lt + (u32)(swizzled_3 ^ (r * 16)) * 2u);
          tw_mma_m16n8k16_f32_bf16(&acc_1[0], &a[0], &b[0]);
        }
        const i64 ropes_at_1 = ropes_at + (i64)pages * 256ll + (i64)slot * 16ll;
        tw_cp_async_4_zfill(rt + (u32)swizzled_1 * 2u, ropes + ropes_at_1, latents_in ? 4u : 0u);
        tw_cp_async_commit();
        tw_cp_async_wait<0>();
        tw_syncthreads();
        u32 a_1[4];
        u32 b_1[2];
        tw_ldmatrix_x4(&a_1[0], qr + (u32)swizzled_4 * 2u);
        tw_ldmatrix_x2(&b_1[0], rt + (u32)swizzled_5 * 2u);
        tw_mma_m16n8k16_f32_bf16(&acc_1[0], &a_1[0], &b_1[0]);
        i32 kpos_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          kpos_1[r] = n + t_BN + r;
        }
        f32 masked[4];
        f32 most[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            masked[r * 2 + j] = kpos_1[j] <= qpos[r] ? acc_1[r * 2 + j] * t_5 : tw_bits_f32(0xff800000u);
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
            tw_sts<f32>(t87_parts + (u32)(part_at + r * 8) * 4u, most[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most[r] = tw_lds<f32>(t87_parts + (u32)(t_BM + r * 8) * 4u);
          f32 other_2;
          other_2 = tw_lds<f32>(t87_parts + (u32)(t_BM + r * 8 + 16) * 4u);
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
            tw_sts<f32>(t95_parts + (u32)(part_at + r * 8) * 4u, sum_1[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_1[r] = tw_lds<f32>(t95_parts + (u32)(t_BM + r * 8) * 4u);
          f32 other_4;
          other_4 = tw_lds<f32>(t95_parts + (u32)(t_BM + r * 8 + 16) * 4u);
          sum_1[r] = sum_1[r] + other_4;
        }
        if (is_first_2) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_bf16 t97_shared_tile[2];
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t97_shared_tile[j] = tw_f32_to_bf16(p[r * 2 + j]);
            }
            tw_sts<u32>(
                t97_shared + (u32)(swizzled_6 + r * 128) * 2u,
                tw_pack_u16x2(t97_shared_tile[0], t97_shared_tile[1]));
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
        u32 a_2[4];
        u32 b_2[4];
        tw_ldmatrix_x4(&a_2[0], t97_shared + (u32)swizzled_4 * 2u);
        tw_ldmatrix_x4_trans(&b_2[0], lt + (u32)swizzled_7 * 2u);
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_mma_m16n8k16_f32_bf16(&acc[r * 4], &a_2[0], &b_2[r * 2]);
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          l[r] = l[r] * alpha[r] + sum_1[r];
          m[r] = mNew[r];
        }
      }
      f32 t_7[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_7[r] = 1.0f / tw_max(l[r], 1e-30f);
      }
      const i32 t_R_1 = warp * 16 + (lane & 3) * 2;
      const i32 o_at = t_BM * stride + t_R_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)o_at;
      const bool o_in = pid0 < H;
      const i32 position_1 = t_4 + t_BM;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          tw_bf16 o_tile[2];
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            o_tile[k] = tw_f32_to_bf16(acc[r * 4 + j * 2 + k] * t_7[j]);
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
