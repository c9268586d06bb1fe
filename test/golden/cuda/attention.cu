// attention for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 stages=2 CAUSAL=1 heads=0
// dims fixed: D=80 DV=80
// dims divisible: L%4 LK%4
// 64 threads in 2 warps of 32, 13568 bytes of shared memory
//       0 … 5120: kt bf16[2560]
//    5120 … 10240: vt bf16[2560]
//   10240 … 12800: qt bf16[1280]
//   12800 … 13312: t78_shared bf16[256]
//   13312 … 13440: t48_parts f32[32]
//   13440 … 13568: t75_parts f32[32]

TW_KERNEL(64) attention(
    const tw_bf16* q, const tw_bf16* k, const tw_bf16* v, tw_bf16* o, i32 B, i32 L, i32 HQ, i32 LK,
    i32 HKV, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 10240u;
  tw_label(qt, 2560u, "qt");
  const u32 kt = smem;
  tw_label(kt, 5120u, "kt");
  const u32 t48_parts = smem + 13312u;
  tw_label(t48_parts, 128u, "t48_parts");
  const u32 t75_parts = smem + 13440u;
  tw_label(t75_parts, 128u, "t75_parts");
  const u32 t78_shared = smem + 12800u;
  tw_label(t78_shared, 512u, "t78_shared");
  const u32 vt = smem + 5120u;
  tw_label(vt, 5120u, "vt");
  const i32 m0 = (((L + 15) >> 4) - 1 - pid1) * 16;
  const i32 kvHead = tw_floordiv_i32(pid0, tw_floordiv_i32(HQ, HKV));
  const f32 c = scale * 1.442695f;
  const i32 last = LK - L + m0;
  const i32 t_BM = lane >> 2;
  i32 qpos[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    qpos[r] = last + t_BM + r * 8;
  }
  const i32 stride = HQ * 80 * L;
  const i32 stride_1 = HQ * 80;
  const i32 t_BM_1 = lane >> 1;
  const i32 position = m0 + t_BM_1;
  const i32 t_D = (lane & 1) * 8;
  const i32 q_at = t_BM_1 * stride_1 + t_D;
  const i64 q_at_1 = (i64)pid2 * (i64)stride + (i64)m0 * (i64)stride_1 + (i64)pid0 * 80ll + (i64)q_at;
  const bool q_in = pid2 < B && (u32)position < (u32)L && pid0 < HQ;
  const i32 qt_at = (lane & 1) * 8 + (lane >> 1) * 80;
  const bool is_first = thread < 32;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_cp_async_16_zfill(
          qt + (u32)(qt_at + r * 16) * 2u, q + (q_at_1 + (i64)(r * 16)), q_in ? 16u : 0u);
    }
  }
  const i32 end = tw_max_i32(tw_min_i32(LK, last + 16), 1);
  const i32 t_BN = warp * 8 + (lane & 3) * 2;
  const bool more = 0 < end;
  const i32 stride_2 = HKV * 80 * LK;
  const i32 stride_3 = HKV * 80;
  if (more) {
    const i32 k_at = t_D + t_BM_1 * stride_3;
    const i64 k_at_1 = (i64)kvHead * 80ll + (i64)pid2 * (i64)stride_2 + (i64)k_at;
    const bool k_in = pid2 < B && t_BM_1 < LK && kvHead < HKV;
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        tw_cp_async_16_zfill(
            kt + (u32)(qt_at + r * 16) * 2u, k + (k_at_1 + (i64)(r * 16)), k_in ? 16u : 0u);
      }
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        tw_cp_async_16_zfill(
            vt + (u32)(qt_at + r * 16) * 2u, v + (k_at_1 + (i64)(r * 16)), k_in ? 16u : 0u);
      }
    }
  }
  tw_cp_async_commit();
  f32 m[2];
  f32 l[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    m[r] = -1e+30f;
    l[r] = 0.0f;
  }
  f32 acc[20];
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 1;
  const i32 k_at_2 = t_BM_1 * stride_3 + t_D;
  const i64 k_at_3 = (i64)pid2 * (i64)stride_2 + (i64)kvHead * 80ll + (i64)k_at_2;
  const bool k_in_1 = pid2 < B && kvHead < HKV;
  const i32 qt_at_1 = (lane & 7) * 80 + ((lane >> 3) & 1) * 640 + (lane >> 4) * 8;
  const i32 kt_at = (lane & 7) * 80 + ((lane >> 3) & 1) * 8 + warp * 640;
  const bool is_first_1 = (lane & 3) == 0;
  const i32 part_at = warp * 16 + t_BM;
  const i32 t78_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + warp * 8;
  const i32 swizzled = t78_shared_at ^ ((t78_shared_at >> 3) & 8);
  const i32 t78_shared_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
  const i32 vt_at = (lane & 7) * 80 + ((lane >> 3) & 1) * 640 + (lane >> 4) * 8 + warp * 40;
  const i32 swizzled_1 = t78_shared_at_1 ^ ((t78_shared_at_1 >> 3) & 8);
  for (i32 n = 0; n < end; n += 16) {
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i32 n_1 = n + 16;
    const bool more_1 = n_1 < end;
    if (more_1) {
      const i32 left = LK - n_1;
      const i64 k_at_4 = k_at_3 + (i64)n_1 * (i64)stride_3;
      const bool k_in_2 = k_in_1 && t_BM_1 < left;
      const i32 kt_slot = fill * 1280;
      const i32 kt_at_1 = qt_at + kt_slot;
      if (is_first) {
        #pragma unroll
        for (i32 r = 0; r < 5; ++r) {
          tw_cp_async_16_zfill(
              kt + (u32)(kt_at_1 + r * 16) * 2u, k + (k_at_4 + (i64)(r * 16)), k_in_2 ? 16u : 0u);
        }
      }
      if (is_first) {
        #pragma unroll
        for (i32 r = 0; r < 5; ++r) {
          tw_cp_async_16_zfill(
              vt + (u32)(kt_at_1 + r * 16) * 2u, v + (k_at_4 + (i64)(r * 16)), k_in_2 ? 16u : 0u);
        }
      }
    }
    tw_cp_async_commit();
    f32 scores[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scores[r] = 0.0f;
    }
    const i32 kt_slot_1 = slot * 1280;
    const i32 kt_at_2 = kt_at + kt_slot_1;
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      u32 a[4];
      u32 b[2];
      tw_ldmatrix_x4(&a[0], qt + (u32)(qt_at_1 + r * 16) * 2u);
      tw_ldmatrix_x2(&b[0], kt + (u32)(kt_at_2 + r * 16) * 2u);
      tw_mma_m16n8k16_f32_bf16(&scores[0], &a[0], &b[0]);
    }
    i32 kpos[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      kpos[r] = n + t_BN + r;
    }
    f32 s[4];
    f32 most[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        s[r * 2 + i] = kpos[i] <= qpos[r] ? scores[r * 2 + i] : tw_bits_f32(0xff800000u);
      }
      most[r] = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        most[r] = tw_max(most[r], s[r * 2 + i]);
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
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t48_parts + (u32)(part_at + r * 8) * 4u, most[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most[r] = tw_lds<f32>(t48_parts + (u32)(t_BM + r * 8) * 4u);
      f32 other_1;
      other_1 = tw_lds<f32>(t48_parts + (u32)(t_BM + r * 8 + 16) * 4u);
      most[r] = tw_max(most[r], other_1);
    }
    f32 top[2];
    bool grew[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      top[r] = tw_max(m[r], most[r]);
      grew[r] = (top[r] - m[r]) * c > 8.0f;
    }
    i32 grew_1 = -2147483647 - 1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      grew_1 = tw_max_i32(grew_1, grew[r] ? 1 : 0);
    }
    i32 other_2;
    other_2 = tw_shfl_xor<i32>(grew_1, 4);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 8);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 16);
    grew_1 = tw_max_i32(grew_1, other_2);
    const bool grew_2 = grew_1 != 0;
    f32 t[2];
    f32 t_1[2];
    f32 t_2[20];
    if (grew_2) {
      f32 alpha[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 next = grew[r] ? top[r] : m[r];
        alpha[r] = tw_exp2((m[r] - next) * c);
        t[r] = next;
        t_1[r] = l[r] * alpha[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t_2[r * 4 + i * 2 + j] = acc[r * 4 + i * 2 + j] * alpha[i];
          }
        }
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t[r] = m[r];
        t_1[r] = l[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 20; ++r) {
        t_2[r] = acc[r];
      }
    }
    f32 p[4];
    f32 sum[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 t_3 = t[r] * c;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        p[r * 2 + i] = tw_exp2(s[r * 2 + i] * c - t_3);
      }
      sum[r] = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        sum[r] = sum[r] + p[r * 2 + i];
      }
    }
    f32 other_3;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other_3 = tw_shfl_xor<f32>(sum[r], 1);
      sum[r] = sum[r] + other_3;
      other_3 = tw_shfl_xor<f32>(sum[r], 2);
      sum[r] = sum[r] + other_3;
    }
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t75_parts + (u32)(part_at + r * 8) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum[r] = tw_lds<f32>(t75_parts + (u32)(t_BM + r * 8) * 4u);
      f32 other_4;
      other_4 = tw_lds<f32>(t75_parts + (u32)(t_BM + r * 8 + 16) * 4u);
      sum[r] = sum[r] + other_4;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_bf16 t78_shared_tile[2];
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        t78_shared_tile[i] = tw_f32_to_bf16(p[r * 2 + i]);
      }
      tw_sts<u32>(
          t78_shared + (u32)(swizzled + r * 128) * 2u,
          tw_pack_u16x2(t78_shared_tile[0], t78_shared_tile[1]));
    }
    tw_syncthreads();
    const i32 vt_at_1 = vt_at + kt_slot_1;
    u32 a_1[4];
    u32 b_1[10];
    tw_ldmatrix_x4(&a_1[0], t78_shared + (u32)swizzled_1 * 2u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_ldmatrix_x4_trans(&b_1[r * 4], vt + (u32)(vt_at_1 + r * 16) * 2u);
    }
    tw_ldmatrix_x2_trans(&b_1[8], vt + (u32)(vt_at_1 + 32) * 2u);
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_mma_m16n8k16_f32_bf16(&t_2[r * 4], &a_1[0], &b_1[r * 2]);
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      m[r] = t[r];
      l[r] = t_1[r] + sum[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 20; ++r) {
      acc[r] = t_2[r];
    }
    slot = slot_1 == 2 ? 0 : slot_1;
    fill = fill_1 == 2 ? 0 : fill_1;
  }
  f32 t_4[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_4[r] = 1.0f / tw_max(l[r], 1e-30f);
  }
  const i32 t_DV = warp * 40 + (lane & 3) * 2;
  const i32 o_at = t_BM * stride_1 + t_DV;
  const i64 o_at_1 = (i64)pid2 * (i64)stride + (i64)m0 * (i64)stride_1 + (i64)pid0 * 80ll + (i64)o_at;
  const bool o_in = pid2 < B && pid0 < HQ;
  const i32 position_1 = m0 + t_BM;
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 o_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        o_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j] * t_4[i]);
      }
      if (o_in && (u32)(position_1 + i * 8) < (u32)L) {
        tw_stg<u32>(
            o + (o_at_1 + (i64)(i * 8 * stride_1 + r * 8)), tw_pack_u16x2(o_tile[0], o_tile[1]));
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
