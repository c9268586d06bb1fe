// prefill_sink_attention for hip gfx90a, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BM=16 BN=16 BS=128 stages=2 SOFTCAP=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%4 NB%8 S%2
// 256 threads in 4 warps of 64, 5136 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: kt bf16[1088]
//    3072 … 5120: vt bf16[1024]
//    5120 … 5128: t32_parts i32[2]

TW_KERNEL(256) prefill_sink_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* queryStart, const i32* lens, tw_bf16* o, const tw_bf16* sinks, i32 N, i32 HQ, i32 NB,
    i32 HKV, i32 S, i32 MAXB, i32 S1, f32 scale, f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t32_parts = smem + 5120u;
  tw_label(t32_parts, 8u, "t32_parts");
  const u32 qt = smem;
  tw_label(qt, 2176u, "qt");
  const u32 kt = smem + 2176u;
  tw_label(kt, 2176u, "kt");
  const u32 vt = smem + 3072u;
  tw_label(vt, 2048u, "vt");
  const i64 sinks_at = (i64)pid0;
  tw_bf16 sinks_tile;
  sinks_tile = tw_ldg_nc<u16>(sinks + sinks_at);
  const f32 t = tw_bf16_to_f32(sinks_tile) * 1.442695f;
  const i32 t_BS = thread & 127;
  i32 begun = 0;
  const i32 bound = tw_min_i32(S, S1);
  const i64 queryStart_at = (i64)t_BS;
  const i32 part = warp & 1;
  const bool is_first = lane == 0 && thread < 128;
  for (i32 i = 0; i < S; i += 128) {
    const i32 left = bound - i;
    const i64 queryStart_at_1 = queryStart_at + (i64)i;
    const bool queryStart_in = t_BS < left;
    i32 start;
    start = queryStart_in ? tw_ldg_nc<i32>(queryStart + queryStart_at_1) : 0;
    tw_syncthreads();
    i32 sum = i + t_BS < S && (start >> 4) + i + t_BS <= pid1 ? 1 : 0;
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
    other = tw_shfl_xor<i32>(sum, 32);
    sum = sum + other;
    if (is_first) {
      tw_sts<i32>(t32_parts + (u32)part * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[2];
    const tw_i32x2 parts_vec = tw_lds<tw_i32x2>(t32_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y;
    sum = parts[0];
    sum = sum + parts[1];
    begun = begun + sum;
  }
  const bool t_1 = begun > 0;
  if (t_1) {
    const i32 s = begun - 1;
    const i64 queryStart_at_2 = (i64)s;
    i32 rowStart;
    rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at_2);
    const i32 t_2 = s + 1;
    const i64 queryStart_at_3 = (i64)t_2;
    i32 rowEnd;
    rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_3);
    const i32 m0 = (pid1 - (rowStart >> 4) - s) * 16;
    const i32 t_3 = rowEnd - rowStart;
    const bool t_4 = m0 < t_3;
    if (t_4) {
      i32 len;
      len = tw_ldg_nc<i32>(lens + queryStart_at_2);
      const i32 kvHead = tw_floordiv_i32(pid0, tw_floordiv_i32(HQ, HKV));
      const i32 t_5 = rowStart + m0;
      const i32 p0 = len - t_3 + m0;
      const i32 reach = window > 0 ? window : 1073741824;
      const i32 low = tw_max_i32(p0 - reach + 1, 0);
      const i32 t_BM = lane & 15;
      const i32 qpos = p0 + t_BM;
      const i32 stride = HQ * 64;
      const i32 t_BM_1 = thread >> 4;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 position = t_5 + t_BM_1;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 t_D = (lane & 15) * 4;
      const i32 q_at = t_BM_1 * stride + t_D;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_5 * (i64)stride + (i64)q_at;
      const bool q_in = (u32)position < (u32)bound_2 && pid0 < HQ;
      const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
      tw_bf16 q_tile[4];
      const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
      q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
      tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
          tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
      const f32 factor = scale * 1.442695f;
      const i32 begin = (low >> 4) * 16;
      const i32 t_6 = tw_min_i32(len, p0 + 16);
      const i32 t_BN = (lane >> 4) * 4;
      const i32 t_7 = qpos - reach;
      const bool more = begin < t_6;
      i32 pages;
      if (more) {
        const i32 kpos = begin + t_BM_1;
        const i32 t_8 = kpos >= low && kpos < len ? kpos >> 4 : -1;
        const i64 table_at = (i64)s * (i64)MAXB + (i64)t_8;
        const bool table_in = (u32)s < (u32)S && (u32)t_8 < (u32)MAXB;
        i32 pages_1;
        pages_1 = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
        pages = pages_1;
      } else {
        pages = -1;
      }
      f32 l = 1.0f;
      f32 acc[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        acc[r] = 0.0f;
      }
      f32 m = t;
      i32 pages_2 = pages;
      const i64 table_at_1 = (i64)s * (i64)MAXB;
      const bool table_in_1 = (u32)s < (u32)S;
      const i32 stride_1 = HKV * 1024;
      const i32 stride_2 = HKV * 64;
      const i64 kCache_at = (i64)kvHead * 64ll + (i64)t_D;
      const bool kCache_in = kvHead < HKV;
      const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
      const i32 vt_at = (lane & 15) * 4 + (thread >> 4) * 64;
      const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
      const i32 vt_at_1 = (lane & 15) + (lane >> 4) * 256 + warp * 16;
      const i32 swizzled_1 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
      for (i32 n = begin; n < t_6; n += 16) {
        const i32 n_1 = n + 16;
        const bool more_1 = n_1 < t_6;
        i32 pages_3;
        if (more_1) {
          const i32 kpos_1 = n_1 + t_BM_1;
          const i32 t_9 = kpos_1 >= low && kpos_1 < len ? kpos_1 >> 4 : -1;
          const i64 table_at_2 = table_at_1 + (i64)t_9;
          const bool table_in_2 = table_in_1 && (u32)t_9 < (u32)MAXB;
          i32 pages_4;
          pages_4 = table_in_2 ? tw_ldg_nc<i32>(table + table_at_2) : -1;
          pages_3 = pages_4;
        } else {
          pages_3 = -1;
        }
        const i32 slot = (n + t_BM_1) & 15;
        tw_syncthreads();
        const i64 kCache_at_1 = kCache_at + (i64)pages_2 * (i64)stride_1 + (i64)slot * (i64)stride_2;
        const bool kCache_in_1 = kCache_in && (u32)pages_2 < (u32)NB;
        tw_bf16 kCache_tile[4];
        const tw_u32x2 kCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x2>(kCache + kCache_at_1) : tw_u32x2{0u, 0u};
        kCache_tile[0] = tw_u16x2_lo(kCache_tile_vec.x);
        kCache_tile[1] = tw_u16x2_hi(kCache_tile_vec.x);
        kCache_tile[2] = tw_u16x2_lo(kCache_tile_vec.y);
        kCache_tile[3] = tw_u16x2_hi(kCache_tile_vec.y);
        tw_sts<tw_u32x2>(kt + (u32)qt_at * 2u, tw_u32x2{
            tw_pack_u16x2(kCache_tile[0], kCache_tile[1]),
            tw_pack_u16x2(kCache_tile[2], kCache_tile[3])});
        tw_syncthreads();
        f32 scores[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          scores[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a[2];
          u32 b[2];
          tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
          tw_lds_words<2>(&b[0], kt + (u32)((qt_at_1 + r * 16) * 2));
          tw_mfma_f32_16x16x16_bf16(&scores[0], &b[0], &a[0]);
        }
        f32 masked[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          const i32 kpos_2 = n + t_BN + r;
          masked[r] = kpos_2 <= qpos && kpos_2 > t_7 ? scores[r] * factor : tw_bits_f32(0xff800000u);
        }
        f32 most = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          most = tw_max(most, masked[r]);
        }
        f32 other_1;
        other_1 = tw_shfl_xor<f32>(most, 16);
        most = tw_max(most, other_1);
        other_1 = tw_shfl_xor<f32>(most, 32);
        most = tw_max(most, other_1);
        const f32 mNew = tw_max(m, most);
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          p[r] = tw_exp2(masked[r] - mNew);
        }
        const f32 alpha = tw_exp2(m - mNew);
        f32 sum_1 = 0.0f;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          sum_1 = sum_1 + p[r];
        }
        f32 other_2;
        other_2 = tw_shfl_xor<f32>(sum_1, 16);
        sum_1 = sum_1 + other_2;
        other_2 = tw_shfl_xor<f32>(sum_1, 32);
        sum_1 = sum_1 + other_2;
        tw_syncthreads();
        tw_bf16 vCache_tile[4];
        const tw_u32x2 vCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x2>(vCache + kCache_at_1) : tw_u32x2{0u, 0u};
        vCache_tile[0] = tw_u16x2_lo(vCache_tile_vec.x);
        vCache_tile[1] = tw_u16x2_hi(vCache_tile_vec.x);
        vCache_tile[2] = tw_u16x2_lo(vCache_tile_vec.y);
        vCache_tile[3] = tw_u16x2_hi(vCache_tile_vec.y);
        tw_sts<tw_u32x2>(vt + (u32)swizzled * 2u, tw_u32x2{
            tw_pack_u16x2(vCache_tile[0], vCache_tile[1]),
            tw_pack_u16x2(vCache_tile[2], vCache_tile[3])});
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          acc[r] = acc[r] * alpha;
        }
        u32 a_1[2];
        u32 b_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          a_1[r] = tw_pack_bf16x2(p[r * 2], p[r * 2 + 1]);
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_lds_halves(
              &b_1[r], vt + (u32)((swizzled_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 56))) * 2),
              vt + (u32)(((swizzled_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 56))) ^ 72) * 2));
        }
        tw_mfma_f32_16x16x16_bf16(&acc[0], &b_1[0], &a_1[0]);
        l = l * alpha + sum_1;
        m = mNew;
        pages_2 = pages_3;
      }
      const f32 t_10 = 1.0f / tw_max(l, 1e-30f);
      const i32 position_1 = t_5 + t_BM;
      const i32 t_D_1 = (thread >> 4) * 4;
      const i32 o_at = t_BM * stride + t_D_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_5 * (i64)stride + (i64)o_at;
      const bool o_in = (u32)position_1 < (u32)bound_2 && pid0 < HQ;
      tw_bf16 o_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        o_tile[r] = tw_f32_to_bf16(acc[r] * t_10);
      }
      if (o_in) {
        tw_stg<tw_u32x2>(o + o_at_1, tw_u32x2{
            tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
      }
    }
  }
}
