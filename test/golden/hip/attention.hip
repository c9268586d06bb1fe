// attention for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 stages=2 CAUSAL=1 heads=0
// dims fixed: D=80 DV=80
// dims divisible: L%4 LK%4
// 64 threads in 1 warps of 64, 5120 bytes of shared memory
//       0 … 2560: qt bf16[1280]
//    2560 … 5120: kt bf16[1280]
//    2560 … 5120: vt bf16[1280]

TW_KERNEL(64) attention(
    const tw_bf16* q, const tw_bf16* k, const tw_bf16* v, tw_bf16* o, i32 B, i32 L, i32 HQ, i32 LK,
    i32 HKV, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2560u, "qt");
  const u32 kt = smem + 2560u;
  tw_label(kt, 2560u, "kt");
  const u32 vt = smem + 2560u;
  tw_label(vt, 2560u, "vt");
  const i32 m0 = (((L + 15) >> 4) - 1 - pid1) * 16;
  const i32 kvHead = tw_floordiv_i32(pid0, tw_floordiv_i32(HQ, HKV));
  const f32 c = scale * 1.442695f;
  const i32 last = LK - L + m0;
  const i32 t_BM = lane & 15;
  const i32 qpos = last + t_BM;
  const i32 stride = HQ * 80 * L;
  const i32 stride_1 = HQ * 80;
  const i32 t_BM_1 = (lane >> 1) & 15;
  const i32 position = m0 + t_BM_1;
  const i32 t_D = (lane & 1) * 8;
  const i32 q_at = t_BM_1 * stride_1 + t_D;
  const i64 q_at_1 = (i64)pid2 * (i64)stride + (i64)m0 * (i64)stride_1 + (i64)pid0 * 80ll + (i64)q_at;
  const bool q_in = pid2 < B && (u32)position < (u32)L && pid0 < HQ;
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
  const i32 t_BN = (lane >> 4) * 4;
  const i32 end = tw_max_i32(tw_min_i32(LK, last + 16), 1);
  f32 m = -1e+30f;
  f32 l = 0.0f;
  f32 acc[20];
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    acc[r] = 0.0f;
  }
  const i32 stride_2 = HKV * 80 * LK;
  const i32 stride_3 = HKV * 80;
  const i32 k_at = t_BM_1 * stride_3 + t_D;
  const i64 k_at_1 = (i64)pid2 * (i64)stride_2 + (i64)kvHead * 80ll + (i64)k_at;
  const bool k_in = pid2 < B && kvHead < HKV;
  const i32 qt_at_1 = (lane & 15) * 80 + (lane >> 4) * 4;
  const i32 vt_at = (lane & 15) + (lane >> 4) * 320;
  for (i32 n = 0; n < end; n += 16) {
    tw_syncthreads();
    const i32 left = LK - n;
    const i64 k_at_2 = k_at_1 + (i64)n * (i64)stride_3;
    const bool k_in_1 = k_in && t_BM_1 < left;
    if (is_first) {
      tw_bf16 k_tile[40];
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        const tw_u32x4 k_tile_vec = k_in_1 ? tw_ldg_nc<tw_u32x4>(k + (k_at_2 + (i64)(r * 16))) : tw_u32x4{0u, 0u, 0u, 0u};
        k_tile[r * 8] = tw_u16x2_lo(k_tile_vec.x); k_tile[r * 8 + 1] = tw_u16x2_hi(k_tile_vec.x);
        k_tile[r * 8 + 2] = tw_u16x2_lo(k_tile_vec.y);
        k_tile[r * 8 + 3] = tw_u16x2_hi(k_tile_vec.y);
        k_tile[r * 8 + 4] = tw_u16x2_lo(k_tile_vec.z);
        k_tile[r * 8 + 5] = tw_u16x2_hi(k_tile_vec.z);
        k_tile[r * 8 + 6] = tw_u16x2_lo(k_tile_vec.w);
        k_tile[r * 8 + 7] = tw_u16x2_hi(k_tile_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        tw_sts<tw_u32x4>(kt + (u32)(qt_at + r * 16) * 2u, tw_u32x4{
            tw_pack_u16x2(k_tile[r * 8], k_tile[r * 8 + 1]),
            tw_pack_u16x2(k_tile[r * 8 + 2], k_tile[r * 8 + 3]),
            tw_pack_u16x2(k_tile[r * 8 + 4], k_tile[r * 8 + 5]),
            tw_pack_u16x2(k_tile[r * 8 + 6], k_tile[r * 8 + 7])});
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
    f32 s[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      s[r] = n + t_BN + r <= qpos ? scores[r] : tw_bits_f32(0xff800000u);
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most = tw_max(most, s[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 16);
    most = tw_max(most, other);
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
    const f32 top = tw_max(m, most);
    const bool grew = (top - m) * c > 8.0f;
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
    f32 t;
    f32 t_1;
    f32 t_2[20];
    if (grew_2) {
      const f32 next = grew ? top : m;
      const f32 alpha = tw_exp2((m - next) * c);
      t = next;
      t_1 = l * alpha;
      #pragma unroll
      for (i32 r = 0; r < 20; ++r) {
        t_2[r] = acc[r] * alpha;
      }
    } else {
      t = m;
      t_1 = l;
      #pragma unroll
      for (i32 r = 0; r < 20; ++r) {
        t_2[r] = acc[r];
      }
    }
    const f32 t_3 = t * c;
    f32 p[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      p[r] = tw_exp2(s[r] * c - t_3);
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
      tw_bf16 v_tile[40];
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        const tw_u32x4 v_tile_vec = k_in_1 ? tw_ldg_nc<tw_u32x4>(v + (k_at_2 + (i64)(r * 16))) : tw_u32x4{0u, 0u, 0u, 0u};
        v_tile[r * 8] = tw_u16x2_lo(v_tile_vec.x); v_tile[r * 8 + 1] = tw_u16x2_hi(v_tile_vec.x);
        v_tile[r * 8 + 2] = tw_u16x2_lo(v_tile_vec.y);
        v_tile[r * 8 + 3] = tw_u16x2_hi(v_tile_vec.y);
        v_tile[r * 8 + 4] = tw_u16x2_lo(v_tile_vec.z);
        v_tile[r * 8 + 5] = tw_u16x2_hi(v_tile_vec.z);
        v_tile[r * 8 + 6] = tw_u16x2_lo(v_tile_vec.w);
        v_tile[r * 8 + 7] = tw_u16x2_hi(v_tile_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 5; ++r) {
        tw_sts<tw_u32x4>(vt + (u32)(qt_at + r * 16) * 2u, tw_u32x4{
            tw_pack_u16x2(v_tile[r * 8], v_tile[r * 8 + 1]),
            tw_pack_u16x2(v_tile[r * 8 + 2], v_tile[r * 8 + 3]),
            tw_pack_u16x2(v_tile[r * 8 + 4], v_tile[r * 8 + 5]),
            tw_pack_u16x2(v_tile[r * 8 + 6], v_tile[r * 8 + 7])});
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
      tw_mfma_f32_16x16x16_bf16(&t_2[r * 4], &b_1[r * 2], &a_1[0]);
    }
    m = t;
    l = t_1 + sum;
    #pragma unroll
    for (i32 r = 0; r < 20; ++r) {
      acc[r] = t_2[r];
    }
  }
  const f32 t_4 = 1.0f / tw_max(l, 1e-30f);
  const i32 position_1 = m0 + t_BM;
  const i32 o_at = t_BM * stride_1 + t_BN;
  const i64 o_at_1 = (i64)pid2 * (i64)stride + (i64)m0 * (i64)stride_1 + (i64)pid0 * 80ll + (i64)o_at;
  const bool o_in = pid2 < B && (u32)position_1 < (u32)L && pid0 < HQ;
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      o_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] * t_4);
    }
    if (o_in) {
      tw_stg<tw_u32x2>(o + (o_at_1 + (i64)(r * 16)), tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
