// paged_sink_attention for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 stages=2 heads=2 SOFTCAP=1.5 WINDOW=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%4 NB%8 S%2 B%2
// 128 threads in 4 warps of 32, 11008 bytes of shared memory
//       0 … 4096: kt bf16[2048]
//    4096 … 8192: vt bf16[2048]
//    8192 … 10240: qt bf16[1024]
//   10240 … 10752: t116_shared bf16[256]
//   10752 … 10880: t74_parts f32[32]
//   10880 … 11008: t101_parts f32[32]

TW_KERNEL(128) paged_sink_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* blocks, tw_bf16* o, const tw_bf16* sinks, i32 N, i32 HQ, i32 NB, i32 HKV, i32 S,
    i32 MAXB, i32 B, f32 scale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 8192u;
  tw_label(qt, 2048u, "qt");
  const u32 kt = smem;
  tw_label(kt, 4096u, "kt");
  const u32 t74_parts = smem + 10752u;
  tw_label(t74_parts, 128u, "t74_parts");
  const u32 t101_parts = smem + 10880u;
  tw_label(t101_parts, 128u, "t101_parts");
  const u32 t116_shared = smem + 10240u;
  tw_label(t116_shared, 512u, "t116_shared");
  const u32 vt = smem + 4096u;
  tw_label(vt, 4096u, "vt");
  const i64 blocks_at = (i64)pid1 * 6ll;
  i32 blocks_tile;
  blocks_tile = tw_ldg_nc<i32>(blocks + (blocks_at + 5ll));
  const i32 h = tw_min_i32(blocks_tile + pid0, HQ - 1);
  const i64 sinks_at = (i64)h;
  tw_bf16 sinks_tile;
  sinks_tile = tw_ldg_nc<u16>(sinks + sinks_at);
  i32 s;
  s = tw_ldg_nc<i32>(blocks + blocks_at);
  i32 row;
  row = tw_ldg_nc<i32>(blocks + (blocks_at + 1ll));
  i32 rowEnd;
  rowEnd = tw_ldg_nc<i32>(blocks + (blocks_at + 2ll));
  i32 p0;
  p0 = tw_ldg_nc<i32>(blocks + (blocks_at + 3ll));
  i32 len;
  len = tw_ldg_nc<i32>(blocks + (blocks_at + 4ll));
  const i32 kvHead = tw_floordiv_i32(h, tw_floordiv_i32(HQ, HKV));
  const i32 t_BM = lane >> 2;
  i32 qpos[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    qpos[r] = p0 + t_BM + r * 8;
  }
  const i32 stride = HQ * 64;
  const i32 t_BM_1 = thread >> 3;
  const i32 bound = tw_min_i32(rowEnd, N);
  const i32 position = row + t_BM_1;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 t_D = (lane & 7) * 8;
  const i32 q_at = t_BM_1 * stride + t_D;
  const i64 q_at_1 = (i64)row * (i64)stride + (i64)h * 64ll + (i64)q_at;
  const bool q_in = (u32)position < (u32)bound_1 && (u32)h < (u32)HQ;
  const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
  tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
  const f32 t = tw_bf16_to_f32(sinks_tile) / 1.5f;
  const i32 end = tw_max_i32(tw_min_i32(len, p0 + 16), 1);
  const i32 t_1 = len + 15;
  const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
  const f32 t_2 = scale / 1.5f;
  const bool more = 0 < end;
  const i32 t_3 = t_1 >> 4;
  const i32 bound_2 = tw_min_i32(t_3, MAXB);
  const i32 stride_1 = HKV * 1024;
  const i32 stride_2 = HKV * 64;
  if (more) {
    const i32 t_4 = 0;
    const i32 left = bound_2 - t_4;
    const i64 table_at = (i64)s * (i64)MAXB + (i64)t_4;
    const bool table_in = (u32)s < (u32)S && 0 < left;
    i32 pages;
    pages = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
    const bool t_5 = t_BM_1 < len;
    const i64 kCache_at = (i64)kvHead * 64ll + (i64)t_D + (i64)pages * (i64)stride_1 + (i64)t_BM_1 * (i64)stride_2;
    const bool kCache_in = (u32)pages < (u32)NB && (u32)kvHead < (u32)HKV && t_5;
    tw_cp_async_16_zfill(kt + (u32)swizzled * 2u, kCache + kCache_at, kCache_in ? 16u : 0u);
    tw_cp_async_16_zfill(vt + (u32)swizzled * 2u, vCache + kCache_at, kCache_in ? 16u : 0u);
  }
  tw_cp_async_commit();
  const bool more_1 = 16 < end;
  i32 pages_1;
  if (more_1) {
    const i32 t_6 = 1;
    const i32 left_1 = bound_2 - t_6;
    const i64 table_at_1 = (i64)s * (i64)MAXB + (i64)t_6;
    const bool table_in_1 = (u32)s < (u32)S && 0 < left_1;
    i32 pages_2;
    pages_2 = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
    pages_1 = pages_2;
  } else {
    pages_1 = -1;
  }
  f32 m[2];
  f32 l[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    m[r] = t;
    l[r] = 1.0f;
  }
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 1;
  i32 pages_3 = pages_1;
  const i64 kCache_at_1 = (i64)t_BM_1 * (i64)stride_2 + (i64)kvHead * 64ll + (i64)t_D;
  const bool kCache_in_1 = (u32)kvHead < (u32)HKV;
  const i64 table_at_2 = (i64)s * (i64)MAXB;
  const bool table_in_2 = (u32)s < (u32)S;
  const i32 qt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
  const i32 kt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 8 + (warp & 1) * 512;
  const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
  const i32 swizzled_2 = kt_at ^ ((kt_at >> 3) & 56);
  const i32 part = warp & 1;
  const bool is_first = (lane & 3) == 0 && thread < 64;
  const i32 part_at = part * 16 + t_BM;
  const i32 t116_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
  const bool is_first_1 = thread < 64;
  const i32 swizzled_3 = t116_shared_at ^ ((t116_shared_at >> 3) & 8);
  const i32 t116_shared_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
  const i32 vt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
  const i32 swizzled_4 = t116_shared_at_1 ^ ((t116_shared_at_1 >> 3) & 8);
  const i32 swizzled_5 = vt_at ^ ((vt_at >> 3) & 56);
  for (i32 n = 0; n < end; n += 16) {
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i32 n_1 = n + 16;
    const bool more_2 = n_1 < end;
    if (more_2) {
      const bool t_7 = t_BM_1 < len - n_1;
      const i64 kCache_at_2 = kCache_at_1 + (i64)pages_3 * (i64)stride_1;
      const bool kCache_in_2 = kCache_in_1 && (u32)pages_3 < (u32)NB && t_7;
      const i32 kt_slot = fill * 1024;
      tw_cp_async_16_zfill(
          kt + (u32)(swizzled + kt_slot) * 2u, kCache + kCache_at_2, kCache_in_2 ? 16u : 0u);
      tw_cp_async_16_zfill(
          vt + (u32)(swizzled + kt_slot) * 2u, vCache + kCache_at_2, kCache_in_2 ? 16u : 0u);
    }
    tw_cp_async_commit();
    const i32 n_2 = n_1 + 16;
    const bool more_3 = n_2 < end;
    i32 pages_4;
    if (more_3) {
      const i32 t_8 = n_2 >> 4;
      const i32 left_2 = bound_2 - t_8;
      const i64 table_at_3 = table_at_2 + (i64)t_8;
      const bool table_in_3 = table_in_2 && 0 < left_2;
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
    const i32 kt_slot_1 = slot * 1024;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[4];
      u32 b[2];
      tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_1 ^ (r * 16)) * 2u);
      tw_ldmatrix_x2(&b[0], kt + (u32)((swizzled_2 ^ (r * 16)) + kt_slot_1) * 2u);
      tw_mma_m16n8k16_f32_bf16(&scores[0], &a[0], &b[0]);
    }
    i32 kpos[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      kpos[r] = n + t_BN + r;
    }
    f32 masked[4];
    f32 most[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        masked[r * 2 + i] = kpos[i] <= qpos[r] ? tw_tanh(scores[r * 2 + i] * t_2) : tw_bits_f32(0xff800000u);
      }
      most[r] = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        most[r] = tw_max(most[r], masked[r * 2 + i]);
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
        tw_sts<f32>(t74_parts + (u32)(part_at + r * 8) * 4u, most[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most[r] = tw_lds<f32>(t74_parts + (u32)(t_BM + r * 8) * 4u);
      f32 other_1;
      other_1 = tw_lds<f32>(t74_parts + (u32)(t_BM + r * 8 + 16) * 4u);
      most[r] = tw_max(most[r], other_1);
    }
    f32 top[2];
    bool grew[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      top[r] = tw_max(m[r], most[r]);
      grew[r] = (top[r] - m[r]) * 2.1640425f > 8.0f;
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
    f32 t_9[2];
    f32 t_10[2];
    f32 t_11[8];
    if (grew_2) {
      f32 alpha[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 next = grew[r] ? top[r] : m[r];
        alpha[r] = tw_exp2((m[r] - next) * 2.1640425f);
        t_9[r] = next;
        t_10[r] = l[r] * alpha[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t_11[r * 4 + i * 2 + j] = acc[r * 4 + i * 2 + j] * alpha[i];
          }
        }
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_9[r] = m[r];
        t_10[r] = l[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_11[r] = acc[r];
      }
    }
    f32 p[4];
    f32 sum[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 t_12 = t_9[r] * 2.1640425f;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        p[r * 2 + i] = tw_exp2(masked[r * 2 + i] * 2.1640425f - t_12);
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
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t101_parts + (u32)(part_at + r * 8) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum[r] = tw_lds<f32>(t101_parts + (u32)(t_BM + r * 8) * 4u);
      f32 other_4;
      other_4 = tw_lds<f32>(t101_parts + (u32)(t_BM + r * 8 + 16) * 4u);
      sum[r] = sum[r] + other_4;
    }
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_bf16 t116_shared_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          t116_shared_tile[i] = tw_f32_to_bf16(p[r * 2 + i]);
        }
        tw_sts<u32>(
            t116_shared + (u32)(swizzled_3 + r * 128) * 2u,
            tw_pack_u16x2(t116_shared_tile[0], t116_shared_tile[1]));
      }
    }
    tw_syncthreads();
    u32 a_1[4];
    u32 b_1[4];
    tw_ldmatrix_x4(&a_1[0], t116_shared + (u32)swizzled_4 * 2u);
    tw_ldmatrix_x4_trans(&b_1[0], vt + (u32)(swizzled_5 + kt_slot_1) * 2u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_mma_m16n8k16_f32_bf16(&t_11[r * 4], &a_1[0], &b_1[r * 2]);
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      m[r] = t_9[r];
      l[r] = t_10[r] + sum[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      acc[r] = t_11[r];
    }
    slot = slot_1 == 2 ? 0 : slot_1;
    fill = fill_1 == 2 ? 0 : fill_1;
    pages_3 = pages_4;
  }
  f32 t_13[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_13[r] = 1.0f / tw_max(l[r], 1e-30f);
  }
  const i32 t_D_1 = warp * 16 + (lane & 3) * 2;
  const i32 o_at = t_BM * stride + t_D_1;
  const i64 o_at_1 = (i64)row * (i64)stride + (i64)h * 64ll + (i64)o_at;
  const bool o_in = (u32)h < (u32)HQ;
  const i32 position_1 = row + t_BM;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 o_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        o_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j] * t_13[i]);
      }
      if (o_in && (u32)(position_1 + i * 8) < (u32)bound_1) {
        tw_stg<u32>(
            o + (o_at_1 + (i64)(i * 8 * stride + r * 8)), tw_pack_u16x2(o_tile[0], o_tile[1]));
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
