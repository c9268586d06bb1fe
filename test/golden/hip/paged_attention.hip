// paged_attention for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 stages=2 heads=2 SOFTCAP=1.5 WINDOW=0
// dims fixed: D=80 PAGE=16
// dims divisible: N%16 HQ%2 NB%8 HKV%2 S%2 MAXB%4
// 64 threads in 1 warps of 64, 5120 bytes of shared memory
//       0 … 2560: qt bf16[1280]
//    2560 … 5120: kt bf16[1280]
//    2560 … 5120: vt bf16[1280]

TW_KERNEL(64) paged_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* blocks, tw_bf16* o, i32 N, i32 HQ, i32 NB, i32 HKV, i32 S, i32 MAXB, i32 B,
    f32 scale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2560u, "qt");
  const u32 kt = smem + 2560u;
  tw_label(kt, 2560u, "kt");
  const u32 vt = smem + 2560u;
  tw_label(vt, 2560u, "vt");
  const i64 blocks_at = (i64)pid1 * 6ll;
  i32 blocks_tile;
  blocks_tile = tw_ldg_nc<i32>(blocks + (blocks_at + 5ll));
  const i32 t = tw_min_i32(blocks_tile + pid0, HQ - 1);
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
  const i32 kvHead = tw_floordiv_i32(t, tw_floordiv_i32(HQ, HKV));
  const i32 t_BM = lane & 15;
  const i32 qpos = p0 + t_BM;
  const i32 stride = HQ * 80;
  const i32 t_BM_1 = (lane >> 1) & 15;
  const i32 bound = tw_min_i32(rowEnd, N);
  const i32 position = row + t_BM_1;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 t_D = (lane & 1) * 8;
  const i32 q_at = t_BM_1 * stride + t_D;
  const i64 q_at_1 = (i64)row * (i64)stride + (i64)t * 80ll + (i64)q_at;
  const bool q_in = (u32)position < (u32)bound_1 && (u32)t < (u32)HQ;
  const i32 qt_at = (lane & 1) * 8 + ((lane >> 1) & 15) * 80;
  const bool is_first = thread < 32;
  if (is_first) {
    tw_bf16 q_tile[40];
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      const tw_u32x4 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x4>(q + (q_at_1 + (i64)(r * 16))) : tw_u32x4{0u, 0u, 0u, 0u};
      q_tile[r * 8] = tw_u16x2_lo(q_tile_vec.x); q_tile[r * 8 + 1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[r * 8 + 2] = tw_u16x2_lo(q_tile_vec.y); q_tile[r * 8 + 3] = tw_u16x2_hi(q_tile_vec.y);
      q_tile[r * 8 + 4] = tw_u16x2_lo(q_tile_vec.z); q_tile[r * 8 + 5] = tw_u16x2_hi(q_tile_vec.z);
      q_tile[r * 8 + 6] = tw_u16x2_lo(q_tile_vec.w); q_tile[r * 8 + 7] = tw_u16x2_hi(q_tile_vec.w);
    }
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_sts<tw_u32x4>(qt + (u32)(qt_at + r * 16) * 2u, tw_u32x4{
          tw_pack_u16x2(q_tile[r * 8], q_tile[r * 8 + 1]),
          tw_pack_u16x2(q_tile[r * 8 + 2], q_tile[r * 8 + 3]),
          tw_pack_u16x2(q_tile[r * 8 + 4], q_tile[r * 8 + 5]),
          tw_pack_u16x2(q_tile[r * 8 + 6], q_tile[r * 8 + 7])});
    }
  }
  const i32 end = tw_max_i32(tw_min_i32(len, p0 + 16), 1);
  const i32 t_1 = len + 15;
  const i32 t_BN = (lane >> 4) * 4;
  const f32 t_2 = scale / 1.5f;
  const bool more = 0 < end;
  i32 pages;
  const i32 t_3 = t_1 >> 4;
  const i32 bound_2 = tw_min_i32(t_3, MAXB);
  if (more) {
    const i32 t_4 = 0;
    const i32 left = bound_2 - t_4;
    const i64 table_at = (i64)s * (i64)MAXB + (i64)t_4;
    const bool table_in = (u32)s < (u32)S && 0 < left;
    i32 pages_1;
    pages_1 = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
    pages = pages_1;
  } else {
    pages = -1;
  }
  f32 m = -1e+30f;
  f32 l = 0.0f;
  f32 acc[20];
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    acc[r] = 0.0f;
  }
  i32 pages_2 = pages;
  const i64 table_at_1 = (i64)s * (i64)MAXB;
  const bool table_in_1 = (u32)s < (u32)S;
  const i32 stride_1 = HKV * 1280;
  const i32 stride_2 = HKV * 80;
  const i64 kCache_at = (i64)t_BM_1 * (i64)stride_2 + (i64)kvHead * 80ll + (i64)t_D;
  const bool kCache_in = (u32)kvHead < (u32)HKV;
  const i32 qt_at_1 = (lane & 15) * 80 + (lane >> 4) * 4;
  const i32 vt_at = (lane & 15) + (lane >> 4) * 320;
  for (i32 n = 0; n < end; n += 16) {
    const i32 n_1 = n + 16;
    const bool more_1 = n_1 < end;
    i32 pages_3;
    if (more_1) {
      const i32 t_5 = n_1 >> 4;
      const i32 left_1 = bound_2 - t_5;
      const i64 table_at_2 = table_at_1 + (i64)t_5;
      const bool table_in_2 = table_in_1 && 0 < left_1;
      i32 pages_4;
      pages_4 = table_in_2 ? tw_ldg_nc<i32>(table + table_at_2) : -1;
      pages_3 = pages_4;
    } else {
      pages_3 = -1;
    }
    const bool t_6 = t_BM_1 < len - n;
    tw_syncthreads();
    const i64 kCache_at_1 = kCache_at + (i64)pages_2 * (i64)stride_1;
    const bool kCache_in_1 = kCache_in && (u32)pages_2 < (u32)NB && t_6;
    if (is_first) {
      tw_bf16 kCache_tile[40];
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        const tw_u32x4 kCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x4>(kCache + (kCache_at_1 + (i64)(r * 16))) : tw_u32x4{0u, 0u, 0u, 0u};
        kCache_tile[r * 8] = tw_u16x2_lo(kCache_tile_vec.x);
        kCache_tile[r * 8 + 1] = tw_u16x2_hi(kCache_tile_vec.x);
        kCache_tile[r * 8 + 2] = tw_u16x2_lo(kCache_tile_vec.y);
        kCache_tile[r * 8 + 3] = tw_u16x2_hi(kCache_tile_vec.y);
        kCache_tile[r * 8 + 4] = tw_u16x2_lo(kCache_tile_vec.z);
        kCache_tile[r * 8 + 5] = tw_u16x2_hi(kCache_tile_vec.z);
        kCache_tile[r * 8 + 6] = tw_u16x2_lo(kCache_tile_vec.w);
        kCache_tile[r * 8 + 7] = tw_u16x2_hi(kCache_tile_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        tw_sts<tw_u32x4>(kt + (u32)(qt_at + r * 16) * 2u, tw_u32x4{
            tw_pack_u16x2(kCache_tile[r * 8], kCache_tile[r * 8 + 1]),
            tw_pack_u16x2(kCache_tile[r * 8 + 2], kCache_tile[r * 8 + 3]),
            tw_pack_u16x2(kCache_tile[r * 8 + 4], kCache_tile[r * 8 + 5]),
            tw_pack_u16x2(kCache_tile[r * 8 + 6], kCache_tile[r * 8 + 7])});
      }
    }
    tw_syncthreads();
    f32 scores[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scores[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
      tw_lds_words<2>(&b[0], kt + (u32)((qt_at_1 + r * 16) * 2));
      tw_mfma_f32_16x16x16_bf16(&scores[0], &b[0], &a[0]);
    }
    f32 masked[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      masked[r] = n + t_BN + r <= qpos ? tw_tanh(scores[r] * t_2) : tw_bits_f32(0xff800000u);
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most = tw_max(most, masked[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 16);
    most = tw_max(most, other);
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
    const f32 top = tw_max(m, most);
    const bool grew = (top - m) * 2.1640425f > 8.0f;
    i32 grew_1 = grew ? 1 : 0;
    i32 other_1;
    other_1 = tw_shfl_xor<i32>(grew_1, 1);
    grew_1 = tw_max_i32(grew_1, other_1);
    other_1 = tw_shfl_xor<i32>(grew_1, 2);
    grew_1 = tw_max_i32(grew_1, other_1);
    other_1 = tw_shfl_xor<i32>(grew_1, 4);
    grew_1 = tw_max_i32(grew_1, other_1);
    other_1 = tw_shfl_xor<i32>(grew_1, 8);
    grew_1 = tw_max_i32(grew_1, other_1);
    const bool grew_2 = grew_1 != 0;
    f32 t_7;
    f32 t_8;
    f32 t_9[20];
    if (grew_2) {
      const f32 next = grew ? top : m;
      const f32 alpha = tw_exp2((m - next) * 2.1640425f);
      t_7 = next;
      t_8 = l * alpha;
      #pragma unroll
      for (i32 r = 0; r < 20; ++r) {
        t_9[r] = acc[r] * alpha;
      }
    } else {
      t_7 = m;
      t_8 = l;
      #pragma unroll
      for (i32 r = 0; r < 20; ++r) {
        t_9[r] = acc[r];
      }
    }
    const f32 t_10 = t_7 * 2.1640425f;
    f32 p[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      p[r] = tw_exp2(masked[r] * 2.1640425f - t_10);
    }
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum = sum + p[r];
    }
    f32 other_2;
    other_2 = tw_shfl_xor<f32>(sum, 16);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other_2;
    tw_syncthreads();
    if (is_first) {
      tw_bf16 vCache_tile[40];
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        const tw_u32x4 vCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x4>(vCache + (kCache_at_1 + (i64)(r * 16))) : tw_u32x4{0u, 0u, 0u, 0u};
        vCache_tile[r * 8] = tw_u16x2_lo(vCache_tile_vec.x);
        vCache_tile[r * 8 + 1] = tw_u16x2_hi(vCache_tile_vec.x);
        vCache_tile[r * 8 + 2] = tw_u16x2_lo(vCache_tile_vec.y);
        vCache_tile[r * 8 + 3] = tw_u16x2_hi(vCache_tile_vec.y);
        vCache_tile[r * 8 + 4] = tw_u16x2_lo(vCache_tile_vec.z);
        vCache_tile[r * 8 + 5] = tw_u16x2_hi(vCache_tile_vec.z);
        vCache_tile[r * 8 + 6] = tw_u16x2_lo(vCache_tile_vec.w);
        vCache_tile[r * 8 + 7] = tw_u16x2_hi(vCache_tile_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        tw_sts<tw_u32x4>(vt + (u32)(qt_at + r * 16) * 2u, tw_u32x4{
            tw_pack_u16x2(vCache_tile[r * 8], vCache_tile[r * 8 + 1]),
            tw_pack_u16x2(vCache_tile[r * 8 + 2], vCache_tile[r * 8 + 3]),
            tw_pack_u16x2(vCache_tile[r * 8 + 4], vCache_tile[r * 8 + 5]),
            tw_pack_u16x2(vCache_tile[r * 8 + 6], vCache_tile[r * 8 + 7])});
      }
    }
    tw_syncthreads();
    u32 a_1[2];
    u32 b_1[10];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      a_1[r] = tw_pack_bf16x2(p[r * 2], p[r * 2 + 1]);
    }
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_lds_halves(
            &b_1[r * 2 + i], vt + (u32)((vt_at + i * 160 + r * 16) * 2),
            vt + (u32)((vt_at + i * 160 + r * 16 + 80) * 2));
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_mfma_f32_16x16x16_bf16(&t_9[r * 4], &b_1[r * 2], &a_1[0]);
    }
    m = t_7;
    l = t_8 + sum;
    #pragma unroll
    for (i32 r = 0; r < 20; ++r) {
      acc[r] = t_9[r];
    }
    pages_2 = pages_3;
  }
  const f32 t_11 = 1.0f / tw_max(l, 1e-30f);
  const i32 position_1 = row + t_BM;
  const i32 o_at = t_BM * stride + t_BN;
  const i64 o_at_1 = (i64)row * (i64)stride + (i64)t * 80ll + (i64)o_at;
  const bool o_in = (u32)position_1 < (u32)bound_1 && (u32)t < (u32)HQ;
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      o_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] * t_11);
    }
    if (o_in) {
      tw_stg<tw_u32x2>(o + (o_at_1 + (i64)(r * 16)), tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
