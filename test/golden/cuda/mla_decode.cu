// mla_decode for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: S%2 H%16 MAXB%4 SPLIT%2
// 128 threads in 4 warps of 32, 5888 bytes of shared memory
//       0 … 2048: qt bf16[1024]
//    2048 … 4096: lt bf16[1024]
//    4096 … 4608: qr bf16[256]
//    4608 … 5120: rt bf16[256]
//    5120 … 5632: t63_shared bf16[256]
//    5632 … 5760: t53_parts f32[32]
//    5760 … 5888: t61_parts f32[32]

TW_KERNEL(128) mla_decode(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* lens, f32* partial, f32* lse, i32 S, i32 H, i32 NB, i32 MAXB,
    i32 SPLIT, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2048u, "qt");
  const u32 qr = smem + 4096u;
  tw_label(qr, 512u, "qr");
  const u32 lt = smem + 2048u;
  tw_label(lt, 2048u, "lt");
  const u32 rt = smem + 4608u;
  tw_label(rt, 512u, "rt");
  const u32 t53_parts = smem + 5632u;
  tw_label(t53_parts, 128u, "t53_parts");
  const u32 t61_parts = smem + 5760u;
  tw_label(t61_parts, 128u, "t61_parts");
  const u32 t63_shared = smem + 5120u;
  tw_label(t63_shared, 512u, "t63_shared");
  const i32 t = pid0 * 16;
  const i64 lens_at = (i64)pid2;
  i32 len;
  len = tw_ldg_nc<i32>(lens + lens_at);
  const i32 blocks = (len + 15) >> 4;
  const i32 share = tw_floordiv_i32(blocks + (SPLIT - 1), SPLIT);
  const i32 lo = pid1 * share;
  const i32 stride = H * 64;
  const i32 t_GP = thread >> 3;
  const i32 left = H - t;
  const i32 t_R = (lane & 7) * 8;
  const i32 q_at = t_GP * 64 + t_R;
  const i64 q_at_1 = (i64)pid2 * (i64)stride + (i64)t * 64ll + (i64)q_at;
  const bool q_in = pid2 < S && t_GP < left;
  const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
  tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
  const i32 stride_1 = H * 16;
  const i32 t_DR = (lane & 7) * 2;
  const i32 qRope_at = t_GP * 16 + t_DR;
  const i64 qRope_at_1 = (i64)pid2 * (i64)stride_1 + (i64)t * 16ll + (i64)qRope_at;
  const i32 qr_at = (lane & 7) * 2 + (thread >> 3) * 16;
  const i32 swizzled_1 = qr_at ^ ((qr_at >> 3) & 8);
  tw_cp_async_4_zfill(qr + (u32)swizzled_1 * 2u, qRope + qRope_at_1, q_in ? 4u : 0u);
  const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
  const f32 t_1 = scale * 1.442695f;
  const i32 t_2 = lo * 16;
  const i32 t_3 = tw_min_i32(lo + share, blocks) * 16;
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
  const i64 table_at = (i64)pid2 * (i64)MAXB;
  const bool table_in = pid2 < S;
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
  const i32 t_GP_1 = lane >> 2;
  const i32 part = warp & 1;
  const bool is_first = (lane & 3) == 0 && thread < 64;
  const i32 part_at = part * 16 + t_GP_1;
  const i32 t63_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
  const bool is_first_1 = thread < 64;
  const i32 swizzled_6 = t63_shared_at ^ ((t63_shared_at >> 3) & 8);
  const i32 lt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
  const i32 swizzled_7 = lt_at_1 ^ ((lt_at_1 >> 3) & 56);
  for (i32 n = t_2; n < t_3; n += 16) {
    const i32 kpos = n + t_GP;
    const i32 t_4 = kpos < len ? kpos >> 4 : -1;
    const i64 table_at_1 = table_at + (i64)t_4;
    const bool table_in_1 = table_in && (u32)t_4 < (u32)MAXB;
    i32 pages;
    pages = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
    const i32 slot = kpos & 15;
    tw_syncthreads();
    const i64 latents_at_1 = latents_at + (i64)pages * 1024ll + (i64)slot * 64ll;
    const bool latents_in = (u32)pages < (u32)NB;
    tw_cp_async_16_zfill(lt + (u32)swizzled * 2u, latents + latents_at_1, latents_in ? 16u : 0u);
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
    bool seen[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      seen[r] = n + t_BN + r < len;
    }
    f32 x[4];
    f32 most[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        x[r * 2 + i] = seen[i] ? acc_1[r * 2 + i] * t_1 : tw_bits_f32(0xff800000u);
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
        tw_sts<f32>(t53_parts + (u32)(part_at + r * 8) * 4u, most[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most[r] = tw_lds<f32>(t53_parts + (u32)(t_GP_1 + r * 8) * 4u);
      f32 other_1;
      other_1 = tw_lds<f32>(t53_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
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
        tw_sts<f32>(t61_parts + (u32)(part_at + r * 8) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum[r] = tw_lds<f32>(t61_parts + (u32)(t_GP_1 + r * 8) * 4u);
      f32 other_3;
      other_3 = tw_lds<f32>(t61_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
      sum[r] = sum[r] + other_3;
    }
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_bf16 t63_shared_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          t63_shared_tile[i] = tw_f32_to_bf16(p[r * 2 + i]);
        }
        tw_sts<u32>(
            t63_shared + (u32)(swizzled_6 + r * 128) * 2u,
            tw_pack_u16x2(t63_shared_tile[0], t63_shared_tile[1]));
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
    u32 a_2[4];
    u32 b_2[4];
    tw_ldmatrix_x4(&a_2[0], t63_shared + (u32)swizzled_4 * 2u);
    tw_ldmatrix_x4_trans(&b_2[0], lt + (u32)swizzled_7 * 2u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_mma_m16n8k16_f32_bf16(&acc[r * 4], &a_2[0], &b_2[r * 2]);
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      l[r] = l[r] * alpha[r] + sum[r];
      m[r] = mNew[r];
    }
  }
  f32 total[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    total[r] = tw_max(l[r], 1e-30f);
  }
  const i32 stride_2 = H * 64 * SPLIT;
  const i32 t_R_1 = warp * 16 + (lane & 3) * 2;
  const i32 partial_at = t_GP_1 * 64 + t_R_1;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_2 + (i64)pid1 * (i64)stride + (i64)t * 64ll + (i64)partial_at;
  const bool partial_in = pid2 < S && pid1 < SPLIT;
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
  const i32 stride_3 = H * SPLIT;
  const i64 lse_at = (i64)pid2 * (i64)stride_3 + (i64)pid1 * (i64)H + (i64)t + (i64)t_GP_1;
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
