// paged_decode for hip gfx90a, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=16 BN=16 BS=32 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=64 PAGE=16
// dims divisible: S%2 HKV%2 MAXB%4 P%4
// 256 threads in 4 warps of 64, 5120 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: kt bf16[1088]
//    3072 … 5120: vt bf16[1024]

TW_KERNEL(256) paged_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* lens, f32* partial, f32* lse, i32 S, i32 HKV, i32 NB, i32 MAXB, i32 P, f32 scale,
    f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2176u, "qt");
  const u32 kt = smem + 2176u;
  tw_label(kt, 2176u, "kt");
  const u32 vt = smem + 3072u;
  tw_label(vt, 2048u, "vt");
  const i32 programs = P - S;
  const i32 g = 0;
  const bool t = window > 0;
  i32 length = 0;
  const i32 t_BS = lane & 31;
  const i64 lens_at = (i64)t_BS;
  for (i32 i = 0; i < S; i += 32) {
    const i32 left = S - i;
    const i64 lens_at_1 = lens_at + (i64)i;
    const bool lens_in = t_BS < left;
    i32 lens_tile;
    lens_tile = lens_in ? tw_ldg_nc<i32>(lens + lens_at_1) : 0;
    i32 sum = ((lens_tile + 15) >> 4) - ((t ? tw_max_i32(lens_tile - window, 0) : 0) >> 4);
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
    length = length + sum;
  }
  const bool t_1 = (S > 1 ? tw_floormod_i32(programs, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread = t_1 && programs <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(programs, length), 1);
  const i32 t_2 = tw_min_i32(pid1, shares);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 t_3 = length - each * shares;
  const i32 lo = isSpread ? tw_floordiv_i32(t_2 * length, shares) : t_2 * each + tw_min_i32(t_2, t_3);
  const i32 t_4 = tw_min_i32(pid1 + 1, shares);
  const i32 hi = isSpread ? tw_floordiv_i32(t_4 * length, shares) : t_4 * each + tw_min_i32(t_4, t_3);
  i32 sequence = 0;
  i32 begin = 0;
  i32 passed = 0;
  for (i32 i_1 = 0; i_1 < S; i_1 += 32) {
    const i32 left_1 = S - i_1;
    const i64 lens_at_2 = lens_at + (i64)i_1;
    const bool lens_in_1 = t_BS < left_1;
    i32 lens_tile_1;
    lens_tile_1 = lens_in_1 ? tw_ldg_nc<i32>(lens + lens_at_2) : 0;
    const i32 blocks = ((lens_tile_1 + 15) >> 4) - ((t ? tw_max_i32(lens_tile_1 - window, 0) : 0) >> 4);
    i32 scan_sum = blocks;
    i32 before;
    i32 total;
    i32 other_1;
    total = scan_sum;
    other_1 = tw_shfl_idx<i32>(total, t_BS >= 1 ? lane - 1 : lane);
    total = t_BS >= 1 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, t_BS >= 2 ? lane - 2 : lane);
    total = t_BS >= 2 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, t_BS >= 4 ? lane - 4 : lane);
    total = t_BS >= 4 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, t_BS >= 8 ? lane - 8 : lane);
    total = t_BS >= 8 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, t_BS >= 16 ? lane - 16 : lane);
    total = t_BS >= 16 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, t_BS >= 1 ? lane - 1 : lane);
    before = t_BS == 0 ? 0 : other_1;
    scan_sum = before + scan_sum;
    const i32 ends = passed + scan_sum;
    const bool isBefore = i_1 + t_BS < S && ends <= lo;
    i32 sum_1 = isBefore ? 1 : 0;
    i32 other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 1);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 2);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 4);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 8);
    sum_1 = sum_1 + other_2;
    other_2 = tw_shfl_xor<i32>(sum_1, 16);
    sum_1 = sum_1 + other_2;
    i32 most = isBefore ? ends : 0;
    i32 other_3;
    other_3 = tw_shfl_xor<i32>(most, 1);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 2);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 4);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 8);
    most = tw_max_i32(most, other_3);
    other_3 = tw_shfl_xor<i32>(most, 16);
    most = tw_max_i32(most, other_3);
    i32 sum_2 = blocks;
    i32 other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 1);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 2);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 4);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 8);
    sum_2 = sum_2 + other_4;
    other_4 = tw_shfl_xor<i32>(sum_2, 16);
    sum_2 = sum_2 + other_4;
    sequence = sequence + sum_1;
    begin = tw_max_i32(begin, most);
    passed = passed + sum_2;
  }
  i32 begin_1 = lo < hi ? begin : hi;
  i32 s = sequence;
  while (true) {
    const bool t_5 = begin_1 < hi;
    if (!t_5) break;
    const i64 lens_at_3 = (i64)s;
    i32 len;
    len = tw_ldg_nc<i32>(lens + lens_at_3);
    const i32 start = t ? tw_max_i32(len - window, 0) : 0;
    const i32 t_6 = start >> 4;
    const i32 blocks_1 = ((len + 15) >> 4) - t_6;
    const i32 first = t_6 * 16;
    const i32 from = first + tw_max_i32(lo - begin_1, 0) * 16;
    const i32 to = first + tw_min_i32(blocks_1, hi - begin_1) * 16;
    const bool t_7 = from < to;
    if (t_7) {
      tw_syncthreads();
      const i32 stride = HKV * 256;
      const i32 t_GP = thread >> 4;
      const i32 left_2 = 4 - g;
      const i32 t_D = (lane & 15) * 4;
      const i32 q_at = t_GP * 64 + t_D;
      const i64 q_at_1 = (i64)pid0 * 256ll + (i64)g * 64ll + (i64)s * (i64)stride + (i64)q_at;
      const bool q_in = (u32)s < (u32)S && pid0 < HKV && t_GP < left_2;
      const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
      tw_bf16 q_tile[4];
      const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
      q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
      tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
          tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
      const f32 c = scale * 1.442695f;
      const i32 t_BN = (lane >> 4) * 4;
      i32 pages;
      if (t_7) {
        const i32 kpos = from + t_GP;
        const i32 t_8 = kpos < len && kpos >= start ? kpos >> 4 : -1;
        const i64 table_at = (i64)s * (i64)MAXB + (i64)t_8;
        const bool table_in = (u32)s < (u32)S && (u32)t_8 < (u32)MAXB;
        i32 pages_1;
        pages_1 = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
        pages = pages_1;
      } else {
        pages = -1;
      }
      f32 m = -1e+30f;
      f32 l[4];
      f32 acc[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        l[r] = 0.0f;
        acc[r] = 0.0f;
      }
      i32 pages_2 = pages;
      const i64 table_at_1 = (i64)s * (i64)MAXB;
      const bool table_in_1 = (u32)s < (u32)S;
      const i32 stride_1 = HKV * 1024;
      const i32 stride_2 = HKV * 64;
      const i64 kCache_at = (i64)pid0 * 64ll + (i64)t_D;
      const bool kCache_in = pid0 < HKV;
      const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
      const i32 vt_at = (lane & 15) * 4 + (thread >> 4) * 64;
      const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
      const i32 vt_at_1 = (lane & 15) + (lane >> 4) * 256 + warp * 16;
      const i32 swizzled_1 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
      for (i32 n = from; n < to; n += 16) {
        const i32 n_1 = n + 16;
        const bool more = n_1 < to;
        i32 pages_3;
        if (more) {
          const i32 kpos_1 = n_1 + t_GP;
          const i32 t_9 = kpos_1 < len && kpos_1 >= start ? kpos_1 >> 4 : -1;
          const i64 table_at_2 = table_at_1 + (i64)t_9;
          const bool table_in_2 = table_in_1 && (u32)t_9 < (u32)MAXB;
          i32 pages_4;
          pages_4 = table_in_2 ? tw_ldg_nc<i32>(table + table_at_2) : -1;
          pages_3 = pages_4;
        } else {
          pages_3 = -1;
        }
        i32 kpos_2[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          kpos_2[r] = n + t_BN + r;
        }
        const i32 slot = (n + t_GP) & 15;
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
        f32 x[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          x[r] = kpos_2[r] < len && kpos_2[r] >= start ? scores[r] : tw_bits_f32(0xff800000u);
        }
        f32 most_1 = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          most_1 = tw_max(most_1, x[r]);
        }
        f32 other_5;
        other_5 = tw_shfl_xor<f32>(most_1, 16);
        most_1 = tw_max(most_1, other_5);
        other_5 = tw_shfl_xor<f32>(most_1, 32);
        most_1 = tw_max(most_1, other_5);
        const f32 top = tw_max(m, most_1);
        const bool grew = (top - m) * c > 8.0f;
        i32 grew_1 = grew ? 1 : 0;
        i32 other_6;
        other_6 = tw_shfl_xor<i32>(grew_1, 1);
        grew_1 = tw_max_i32(grew_1, other_6);
        other_6 = tw_shfl_xor<i32>(grew_1, 2);
        grew_1 = tw_max_i32(grew_1, other_6);
        other_6 = tw_shfl_xor<i32>(grew_1, 4);
        grew_1 = tw_max_i32(grew_1, other_6);
        other_6 = tw_shfl_xor<i32>(grew_1, 8);
        grew_1 = tw_max_i32(grew_1, other_6);
        const bool grew_2 = grew_1 != 0;
        f32 t_10;
        f32 t_11[4];
        f32 t_12[4];
        if (grew_2) {
          const f32 next = grew ? top : m;
          const f32 alpha = tw_exp2((m - next) * c);
          t_10 = next;
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            t_11[r] = l[r] * alpha;
            t_12[r] = acc[r] * alpha;
          }
        } else {
          t_10 = m;
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            t_11[r] = l[r];
            t_12[r] = acc[r];
          }
        }
        const f32 t_13 = t_10 * c;
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          p[r] = tw_exp2(x[r] * c - t_13);
        }
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
        tw_mfma_f32_16x16x16_bf16(&t_12[0], &b_1[0], &a_1[0]);
        m = t_10;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = t_11[r] + p[r];
          acc[r] = t_12[r];
        }
        pages_2 = pages_3;
      }
      f32 sum_3 = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        sum_3 = sum_3 + l[r];
      }
      f32 other_7;
      other_7 = tw_shfl_xor<f32>(sum_3, 16);
      sum_3 = sum_3 + other_7;
      other_7 = tw_shfl_xor<f32>(sum_3, 32);
      sum_3 = sum_3 + other_7;
      const f32 total_1 = tw_max(sum_3, 1e-30f);
      const f32 t_14 = 1.0f / total_1;
      const i32 t_15 = s + pid1;
      const i32 t_GP_1 = lane & 15;
      const i32 t_D_1 = (thread >> 4) * 4;
      const i32 partial_at = t_GP_1 * 64 + t_D_1;
      const i64 partial_at_1 = (i64)pid0 * 256ll + (i64)g * 64ll + (i64)t_15 * (i64)stride + (i64)partial_at;
      const bool partial_in = (u32)t_15 < (u32)P && pid0 < HKV && t_GP_1 < left_2;
      f32 value[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        value[r] = acc[r] * t_14;
      }
      if (partial_in) {
        tw_stg<tw_f32x4>(partial + partial_at_1, tw_f32x4{value[0], value[1], value[2], value[3]});
      }
      const i32 stride_3 = HKV * 4;
      const i64 lse_at = (i64)pid0 * 4ll + (i64)g + (i64)t_15 * (i64)stride_3 + (i64)t_GP_1;
      const bool is_first = thread < 16;
      if (is_first) {
        const f32 logSum = m * c + tw_log2(total_1);
        if (partial_in) {
          tw_stg<f32>(lse + lse_at, logSum);
        }
      }
    }
    begin_1 = begin_1 + blocks_1;
    s = s + 1;
  }
}
