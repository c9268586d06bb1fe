// shared_suffix_decode for hip gfx90a, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=16 BN=32 BS=256 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 NB%2 MAXB%2
// 256 threads in 4 warps of 64, 14224 bytes of shared memory
//       0 … 8192: kt bf16[4096]
//       0 … 8192: vt bf16[4096]
//    8192 … 12288: qt bf16[2048]
//   12288 … 13440: t167_shared bf16[576]
//   13440 … 13568: t137_parts f32[32]
//   13568 … 13696: t164_parts f32[32]
//   13696 … 13712: t22_parts i32[4]
//   13824 … 13840: t53_parts i32[4]
//   13952 … 13968: t67_parts i32[4]
//   14080 … 14096: t71_parts i32[4]
//   14208 … 14224: t73_parts i32[4]

TW_KERNEL(256) shared_suffix_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* lens, const i32* own, f32* partial, f32* lse, i32 S, i32 HKV, i32 NB, i32 MAXB,
    i32 P, f32 scale, f32 vScale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t22_parts = smem + 13696u;
  tw_label(t22_parts, 16u, "t22_parts");
  const u32 t53_parts = smem + 13824u;
  tw_label(t53_parts, 16u, "t53_parts");
  const u32 t67_parts = smem + 13952u;
  tw_label(t67_parts, 16u, "t67_parts");
  const u32 t71_parts = smem + 14080u;
  tw_label(t71_parts, 16u, "t71_parts");
  const u32 t73_parts = smem + 14208u;
  tw_label(t73_parts, 16u, "t73_parts");
  const u32 qt = smem + 8192u;
  tw_label(qt, 4096u, "qt");
  const u32 kt = smem;
  tw_label(kt, 8192u, "kt");
  const u32 t137_parts = smem + 13440u;
  tw_label(t137_parts, 128u, "t137_parts");
  const u32 t164_parts = smem + 13568u;
  tw_label(t164_parts, 128u, "t164_parts");
  const u32 t167_shared = smem + 12288u;
  tw_label(t167_shared, 1152u, "t167_shared");
  const u32 vt = smem;
  tw_label(vt, 8192u, "vt");
  const i32 g = 0;
  i32 length = 0;
  const i64 own_at = (i64)thread;
  const bool is_first = lane == 0;
  for (i32 i = 0; i < S; i += 256) {
    const i32 left = S - i;
    const i64 own_at_1 = own_at + (i64)i;
    const bool own_in = thread < left;
    i32 own_tile;
    own_tile = own_in ? tw_ldg_nc<i32>(own + own_at_1) : 0;
    tw_syncthreads();
    i32 sum = (own_tile + 31) >> 5;
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
      tw_sts<i32>(t22_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[4];
    const tw_i32x4 parts_vec = tw_lds<tw_i32x4>(t22_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y; parts[2] = parts_vec.z; parts[3] = parts_vec.w;
    sum = parts[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      sum = sum + parts[r];
    }
    length = length + sum;
  }
  const i32 shares = tw_max_i32(tw_min_i32(P - S, length), 1);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 t = length - each * shares;
  const i32 lo = pid1 * each + tw_min_i32(pid1, t);
  const bool t_1 = pid1 < shares;
  i32 hi;
  if (t_1) {
    const i32 t_2 = pid1 + 1;
    hi = t_2 * each + tw_min_i32(t_2, t);
  } else {
    hi = lo;
  }
  i32 sequence = 0;
  i32 begin = 0;
  i32 passed = 0;
  const i32 position = lane & 63;
  for (i32 i_1 = 0; i_1 < S; i_1 += 256) {
    const i32 left_1 = S - i_1;
    const i64 own_at_2 = own_at + (i64)i_1;
    const bool own_in_1 = thread < left_1;
    i32 own_tile_1;
    own_tile_1 = own_in_1 ? tw_ldg_nc<i32>(own + own_at_2) : 0;
    const i32 t_3 = (own_tile_1 + 31) >> 5;
    i32 scan_sum = t_3;
    i32 before;
    i32 total;
    i32 other_1;
    total = scan_sum;
    other_1 = tw_shfl_idx<i32>(total, position >= 1 ? lane - 1 : lane);
    total = position >= 1 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 2 ? lane - 2 : lane);
    total = position >= 2 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 4 ? lane - 4 : lane);
    total = position >= 4 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 8 ? lane - 8 : lane);
    total = position >= 8 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 16 ? lane - 16 : lane);
    total = position >= 16 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 32 ? lane - 32 : lane);
    total = position >= 32 ? other_1 + total : total;
    other_1 = tw_shfl_idx<i32>(total, position >= 1 ? lane - 1 : lane);
    before = position == 0 ? 0 : other_1;
    scan_sum = before + scan_sum;
    if ((lane & 63) == 63) {
      tw_sts<i32>(t53_parts + (u32)warp * 4u, scan_sum);
    }
    tw_syncthreads();
    i32 before_1 = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      i32 other_2;
      other_2 = tw_lds<i32>(t53_parts + (u32)r * 4u);
      before_1 = r < warp ? before_1 + other_2 : before_1;
    }
    scan_sum = before_1 + scan_sum;
    const i32 ends = passed + scan_sum;
    const bool isBefore = i_1 + thread < S && ends <= lo;
    i32 sum_1 = isBefore ? 1 : 0;
    i32 other_3;
    other_3 = tw_shfl_xor<i32>(sum_1, 1);
    sum_1 = sum_1 + other_3;
    other_3 = tw_shfl_xor<i32>(sum_1, 2);
    sum_1 = sum_1 + other_3;
    other_3 = tw_shfl_xor<i32>(sum_1, 4);
    sum_1 = sum_1 + other_3;
    other_3 = tw_shfl_xor<i32>(sum_1, 8);
    sum_1 = sum_1 + other_3;
    other_3 = tw_shfl_xor<i32>(sum_1, 16);
    sum_1 = sum_1 + other_3;
    other_3 = tw_shfl_xor<i32>(sum_1, 32);
    sum_1 = sum_1 + other_3;
    if (is_first) {
      tw_sts<i32>(t67_parts + (u32)warp * 4u, sum_1);
    }
    tw_syncthreads();
    i32 parts_1[4];
    const tw_i32x4 parts_1_vec = tw_lds<tw_i32x4>(t67_parts);
    parts_1[0] = parts_1_vec.x; parts_1[1] = parts_1_vec.y; parts_1[2] = parts_1_vec.z;
    parts_1[3] = parts_1_vec.w;
    sum_1 = parts_1[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      sum_1 = sum_1 + parts_1[r];
    }
    i32 most = isBefore ? ends : 0;
    i32 other_4;
    other_4 = tw_shfl_xor<i32>(most, 1);
    most = tw_max_i32(most, other_4);
    other_4 = tw_shfl_xor<i32>(most, 2);
    most = tw_max_i32(most, other_4);
    other_4 = tw_shfl_xor<i32>(most, 4);
    most = tw_max_i32(most, other_4);
    other_4 = tw_shfl_xor<i32>(most, 8);
    most = tw_max_i32(most, other_4);
    other_4 = tw_shfl_xor<i32>(most, 16);
    most = tw_max_i32(most, other_4);
    other_4 = tw_shfl_xor<i32>(most, 32);
    most = tw_max_i32(most, other_4);
    if (is_first) {
      tw_sts<i32>(t71_parts + (u32)warp * 4u, most);
    }
    tw_syncthreads();
    i32 parts_2[4];
    const tw_i32x4 parts_2_vec = tw_lds<tw_i32x4>(t71_parts);
    parts_2[0] = parts_2_vec.x; parts_2[1] = parts_2_vec.y; parts_2[2] = parts_2_vec.z;
    parts_2[3] = parts_2_vec.w;
    most = parts_2[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      most = tw_max_i32(most, parts_2[r]);
    }
    i32 sum_2 = t_3;
    i32 other_5;
    other_5 = tw_shfl_xor<i32>(sum_2, 1);
    sum_2 = sum_2 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_2, 2);
    sum_2 = sum_2 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_2, 4);
    sum_2 = sum_2 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_2, 8);
    sum_2 = sum_2 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_2, 16);
    sum_2 = sum_2 + other_5;
    other_5 = tw_shfl_xor<i32>(sum_2, 32);
    sum_2 = sum_2 + other_5;
    if (is_first) {
      tw_sts<i32>(t73_parts + (u32)warp * 4u, sum_2);
    }
    tw_syncthreads();
    i32 parts_3[4];
    const tw_i32x4 parts_3_vec = tw_lds<tw_i32x4>(t73_parts);
    parts_3[0] = parts_3_vec.x; parts_3[1] = parts_3_vec.y; parts_3[2] = parts_3_vec.z;
    parts_3[3] = parts_3_vec.w;
    sum_2 = parts_3[0];
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      sum_2 = sum_2 + parts_3[r];
    }
    sequence = sequence + sum_1;
    begin = tw_max_i32(begin, most);
    passed = passed + sum_2;
  }
  i32 begin_1 = lo < hi ? begin : hi;
  i32 s = sequence;
  while (true) {
    const bool t_4 = begin_1 < hi;
    if (!t_4) break;
    const i64 own_at_3 = (i64)s;
    i32 len;
    len = tw_ldg_nc<i32>(own + own_at_3);
    const i32 t_5 = (len + 31) >> 5;
    const i32 t_6 = tw_max_i32(lo - begin_1, 0) * 32;
    const i32 t_7 = tw_min_i32(t_5, hi - begin_1) * 32;
    const bool t_8 = t_6 < t_7;
    if (t_8) {
      i32 lens_tile;
      lens_tile = tw_ldg_nc<i32>(lens + own_at_3);
      const i32 skip = lens_tile - len;
      const i32 from = t_6 + skip;
      const i32 to = t_7 + skip;
      tw_syncthreads();
      const i32 stride = HKV * 512;
      const i32 t_GP = thread >> 4;
      const i32 left_2 = 4 - g;
      const i32 t_D = (lane & 15) * 8;
      const i32 q_at = t_GP * 128 + t_D;
      const i64 q_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)s * (i64)stride + (i64)q_at;
      const bool q_in = (u32)s < (u32)S && pid0 < HKV && t_GP < left_2;
      const i32 qt_at = (lane & 15) * 8 + (thread >> 4) * 128;
      tw_bf16 q_tile[8];
      const tw_u32x4 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x4>(q + q_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
      q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
      q_tile[4] = tw_u16x2_lo(q_tile_vec.z); q_tile[5] = tw_u16x2_hi(q_tile_vec.z);
      q_tile[6] = tw_u16x2_lo(q_tile_vec.w); q_tile[7] = tw_u16x2_hi(q_tile_vec.w);
      const i32 swizzled = qt_at ^ ((qt_at >> 4) & 56);
      tw_sts<tw_u32x4>(qt + (u32)swizzled * 2u, tw_u32x4{
          tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3]),
          tw_pack_u16x2(q_tile[4], q_tile[5]), tw_pack_u16x2(q_tile[6], q_tile[7])});
      const f32 c = scale * 1.442695f;
      const i32 t_BN = ((thread >> 4) & 7) * 4;
      const bool more = from < to;
      i32 pages[2];
      if (more) {
        i32 t_9[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const i32 kpos = from + t_GP + r * 16;
          t_9[r] = kpos < lens_tile && kpos >= 0 ? kpos >> 4 : -1;
        }
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        i32 pages_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages_1[r] = table_in && (u32)t_9[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_9[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = pages_1[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = -1;
        }
      }
      f32 m = -1e+30f;
      f32 l = 0.0f;
      f32 acc[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        acc[r] = 0.0f;
      }
      const i64 table_at_1 = (i64)s * (i64)MAXB;
      const bool table_in_1 = (u32)s < (u32)S;
      const i32 stride_1 = HKV * 2048;
      const i32 stride_2 = HKV * 128;
      const i64 kCache_at = (i64)pid0 * 128ll + (i64)t_D;
      const bool kCache_in = pid0 < HKV;
      const i32 qt_at_1 = (lane & 15) * 128 + (lane >> 4) * 4;
      const i32 kt_at = (lane & 15) * 128 + (lane >> 4) * 4 + (warp & 1) * 2048;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const i32 t_GP_1 = lane & 15;
      const i32 part = warp & 1;
      const bool is_first_1 = (lane >> 4) == 0 && thread < 128;
      const i32 part_at = part * 16 + t_GP_1;
      const i32 t167_shared_at = (lane & 15) * 36 + ((thread >> 4) & 7) * 4;
      const bool is_first_2 = thread < 128;
      const i32 t167_shared_at_1 = (lane & 15) * 36 + (lane >> 4) * 4;
      const i32 vt_at = (lane & 15) + (lane >> 4) * 512 + warp * 32;
      const i32 swizzled_3 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n = from; n < to; n += 32) {
        const i32 n_1 = n + 32;
        const bool more_1 = n_1 < to;
        i32 pages_2[2];
        if (more_1) {
          i32 t_10[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const i32 kpos_1 = n_1 + t_GP + r * 16;
            t_10[r] = kpos_1 < lens_tile && kpos_1 >= 0 ? kpos_1 >> 4 : -1;
          }
          i32 pages_3[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            pages_3[r] = table_in_1 && (u32)t_10[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_10[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            pages_2[r] = pages_3[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            pages_2[r] = -1;
          }
        }
        i32 kpos_2[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          kpos_2[r] = n + t_BN + r;
        }
        i32 slot[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          slot[r] = (n + t_GP + r * 16) & 15;
        }
        tw_syncthreads();
        tw_bf16 kCache_tile[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 kCache_tile_vec = kCache_in && (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(kCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2)) : tw_u32x4{0u, 0u, 0u, 0u};
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
        for (i32 r = 0; r < 2; ++r) {
          tw_sts<tw_u32x4>(kt + (u32)(swizzled + r * 2048) * 2u, tw_u32x4{
              tw_pack_u16x2(kCache_tile[r * 8], kCache_tile[r * 8 + 1]),
              tw_pack_u16x2(kCache_tile[r * 8 + 2], kCache_tile[r * 8 + 3]),
              tw_pack_u16x2(kCache_tile[r * 8 + 4], kCache_tile[r * 8 + 5]),
              tw_pack_u16x2(kCache_tile[r * 8 + 6], kCache_tile[r * 8 + 7])});
        }
        tw_syncthreads();
        f32 scores[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          scores[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          u32 a[2];
          u32 b[2];
          tw_lds_words<2>(&a[0], qt + (u32)((swizzled_1 ^ (r * 16)) * 2));
          tw_lds_words<2>(&b[0], kt + (u32)((swizzled_2 ^ (r * 16)) * 2));
          tw_mfma_f32_16x16x16_bf16(&scores[0], &b[0], &a[0]);
        }
        f32 x[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          x[r] = kpos_2[r] < lens_tile && kpos_2[r] >= 0 ? scores[r] : tw_bits_f32(0xff800000u);
        }
        f32 most_1 = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          most_1 = tw_max(most_1, x[r]);
        }
        f32 other_6;
        other_6 = tw_shfl_xor<f32>(most_1, 16);
        most_1 = tw_max(most_1, other_6);
        other_6 = tw_shfl_xor<f32>(most_1, 32);
        most_1 = tw_max(most_1, other_6);
        if (is_first_1) {
          tw_sts<f32>(t137_parts + (u32)part_at * 4u, most_1);
        }
        tw_syncthreads();
        most_1 = tw_lds<f32>(t137_parts + (u32)t_GP_1 * 4u);
        f32 other_7;
        other_7 = tw_lds<f32>(t137_parts + (u32)(t_GP_1 + 16) * 4u);
        most_1 = tw_max(most_1, other_7);
        const f32 top = tw_max(m, most_1);
        const bool grew = (top - m) * c > 8.0f;
        i32 grew_1 = grew ? 1 : 0;
        i32 other_8;
        other_8 = tw_shfl_xor<i32>(grew_1, 1);
        grew_1 = tw_max_i32(grew_1, other_8);
        other_8 = tw_shfl_xor<i32>(grew_1, 2);
        grew_1 = tw_max_i32(grew_1, other_8);
        other_8 = tw_shfl_xor<i32>(grew_1, 4);
        grew_1 = tw_max_i32(grew_1, other_8);
        other_8 = tw_shfl_xor<i32>(grew_1, 8);
        grew_1 = tw_max_i32(grew_1, other_8);
        const bool grew_2 = grew_1 != 0;
        f32 t_11;
        f32 t_12;
        f32 t_13[8];
        if (grew_2) {
          const f32 next = grew ? top : m;
          const f32 alpha = tw_exp2((m - next) * c);
          t_11 = next;
          t_12 = l * alpha;
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            t_13[r] = acc[r] * alpha;
          }
        } else {
          t_11 = m;
          t_12 = l;
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            t_13[r] = acc[r];
          }
        }
        const f32 t_14 = t_11 * c;
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          p[r] = tw_exp2(x[r] * c - t_14);
        }
        f32 sum_3 = 0.0f;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          sum_3 = sum_3 + p[r];
        }
        f32 other_9;
        other_9 = tw_shfl_xor<f32>(sum_3, 16);
        sum_3 = sum_3 + other_9;
        other_9 = tw_shfl_xor<f32>(sum_3, 32);
        sum_3 = sum_3 + other_9;
        if (is_first_1) {
          tw_sts<f32>(t164_parts + (u32)part_at * 4u, sum_3);
        }
        tw_syncthreads();
        sum_3 = tw_lds<f32>(t164_parts + (u32)t_GP_1 * 4u);
        f32 other_10;
        other_10 = tw_lds<f32>(t164_parts + (u32)(t_GP_1 + 16) * 4u);
        sum_3 = sum_3 + other_10;
        if (is_first_2) {
          tw_bf16 t167_shared_tile[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            t167_shared_tile[r] = tw_f32_to_bf16(p[r]);
          }
          tw_sts<tw_u32x2>(t167_shared + (u32)t167_shared_at * 2u, tw_u32x2{
              tw_pack_u16x2(t167_shared_tile[0], t167_shared_tile[1]),
              tw_pack_u16x2(t167_shared_tile[2], t167_shared_tile[3])});
        }
        tw_bf16 vCache_tile[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 vCache_tile_vec = kCache_in && (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2)) : tw_u32x4{0u, 0u, 0u, 0u};
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
        for (i32 r = 0; r < 2; ++r) {
          tw_sts<tw_u32x4>(vt + (u32)(swizzled + r * 2048) * 2u, tw_u32x4{
              tw_pack_u16x2(vCache_tile[r * 8], vCache_tile[r * 8 + 1]),
              tw_pack_u16x2(vCache_tile[r * 8 + 2], vCache_tile[r * 8 + 3]),
              tw_pack_u16x2(vCache_tile[r * 8 + 4], vCache_tile[r * 8 + 5]),
              tw_pack_u16x2(vCache_tile[r * 8 + 6], vCache_tile[r * 8 + 7])});
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          u32 a_1[2];
          u32 b_1[4];
          tw_lds_words<2>(&a_1[0], t167_shared + (u32)((t167_shared_at_1 + r * 16) * 2));
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              tw_lds_halves(
                  &b_1[j * 2 + k],
                  vt + (u32)((((swizzled_3 ^ (j * 16)) ^ ((k * 256) ^ (((k * 256) >> 4) & 56))) + r * 2048) * 2),
                  vt + (u32)(((((swizzled_3 ^ (j * 16)) ^ ((k * 256) ^ (((k * 256) >> 4) & 56))) ^ 136) + r * 2048) * 2));
            }
          }
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_mfma_f32_16x16x16_bf16(&t_13[j * 4], &b_1[j * 2], &a_1[0]);
          }
        }
        m = t_11;
        l = t_12 + sum_3;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          acc[r] = t_13[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = pages_2[r];
        }
      }
      const f32 total_1 = tw_max(l, 1e-30f);
      const f32 t_15 = 1.0f / total_1;
      const i32 t_16 = s + pid1;
      const i32 t_D_1 = warp * 32 + (lane >> 4) * 4;
      const i32 partial_at = t_GP_1 * 128 + t_D_1;
      const i64 partial_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)t_16 * (i64)stride + (i64)partial_at;
      const bool partial_in = (u32)t_16 < (u32)P && pid0 < HKV && t_GP_1 < left_2;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        f32 value[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          value[j] = acc[r * 4 + j] * t_15;
        }
        if (partial_in) {
          tw_stg<tw_f32x4>(
              partial + (partial_at_1 + (i64)(r * 16)),
              tw_f32x4{value[0], value[1], value[2], value[3]});
        }
      }
      const i32 stride_3 = HKV * 4;
      const i64 lse_at = (i64)pid0 * 4ll + (i64)g + (i64)t_16 * (i64)stride_3 + (i64)t_GP_1;
      const bool is_first_3 = thread < 16;
      if (is_first_3) {
        const f32 logSum = m * c + tw_log2(total_1);
        if (partial_in) {
          tw_stg<f32>(lse + lse_at, logSum);
        }
      }
    }
    begin_1 = begin_1 + t_5;
    s = s + 1;
  }
}
