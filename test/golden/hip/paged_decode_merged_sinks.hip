// paged_decode_merged_sinks for hip gfx90a, made by tilewright
// dtypes: T=f16 C=f16
// config: GP=16 BN=64 BS=256 LEAST=1 stages=2 SOFTCAP=0 GM=4 BJ=16
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 HKV%2 NB%4 MAXB%2
// 256 threads in 4 warps of 64, 23440 bytes of shared memory
//       0 … 16384: kt f16[8192]
//       0 … 4096: t328_parts f32[1024]
//       0 … 16384: vt f16[8192]
//   16384 … 20480: qt f16[2048]
//   20480 … 22656: t213_shared f16[1088]
//   22656 … 22912: t183_parts f32[64]
//   22912 … 23168: t218_parts f32[64]
//   23168 … 23200: t314_parts f32[8]
//   23296 … 23328: t322_parts f32[8]
//   23424 … 23428: arrived_old i32[1]

TW_KERNEL(256) paged_decode_merged_sinks(
    const tw_f16* q, const tw_f16* kCache, const tw_f16* vCache, const i32* table, const i32* lens,
    f32* partial, f32* lse, i32* arrived, tw_f16* o, const tw_f16* sinks, i32 S, i32 HKV, i32 NB,
    i32 MAXB, i32 P, f32 scale, f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 16384u;
  tw_label(qt, 4096u, "qt");
  const u32 kt = smem;
  tw_label(kt, 16384u, "kt");
  const u32 t183_parts = smem + 22656u;
  tw_label(t183_parts, 256u, "t183_parts");
  const u32 t213_shared = smem + 20480u;
  tw_label(t213_shared, 2176u, "t213_shared");
  const u32 vt = smem;
  tw_label(vt, 16384u, "vt");
  const u32 t218_parts = smem + 22912u;
  tw_label(t218_parts, 256u, "t218_parts");
  const u32 arrived_old = smem + 23424u;
  tw_label(arrived_old, 4u, "arrived_old");
  const u32 t314_parts = smem + 23168u;
  tw_label(t314_parts, 32u, "t314_parts");
  const u32 t322_parts = smem + 23296u;
  tw_label(t322_parts, 32u, "t322_parts");
  const u32 t328_parts = smem;
  tw_label(t328_parts, 4096u, "t328_parts");
  const i32 programs = P - S;
  const i32 g = 0;
  const bool t = window > 0;
  i32 length = 0;
  const i32 t_BS = lane * 4;
  const i64 lens_at = (i64)t_BS;
  for (i32 i = 0; i < S; i += 256) {
    const i64 lens_at_1 = lens_at + (i64)i;
    i32 lens_tile[4];
    const i32 left = S - i;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_i32x2 lens_tile_vec = t_BS + r * 2 < left ? tw_ldg_nc<tw_i32x2>(lens + (lens_at_1 + (i64)(r * 2))) : tw_i32x2{0, 0};
      lens_tile[r * 2] = lens_tile_vec.x; lens_tile[r * 2 + 1] = lens_tile_vec.y;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum = sum + (((lens_tile[r] + 63) >> 6) - ((t ? tw_max_i32(lens_tile[r] - window, 0) : 0) >> 6));
    }
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
  const i32 position = lane & 63;
  for (i32 i_1 = 0; i_1 < S; i_1 += 256) {
    const i64 lens_at_2 = lens_at + (i64)i_1;
    i32 lens_tile_1[4];
    const i32 left_1 = S - i_1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_i32x2 lens_tile_1_vec = t_BS + r * 2 < left_1 ? tw_ldg_nc<tw_i32x2>(lens + (lens_at_2 + (i64)(r * 2))) : tw_i32x2{0, 0};
      lens_tile_1[r * 2] = lens_tile_1_vec.x; lens_tile_1[r * 2 + 1] = lens_tile_1_vec.y;
    }
    i32 blocks[4];
    i32 scan_sum[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      blocks[r] = ((lens_tile_1[r] + 63) >> 6) - ((t ? tw_max_i32(lens_tile_1[r] - window, 0) : 0) >> 6);
      scan_sum[r] = blocks[r];
    }
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      scan_sum[r] = scan_sum[r - 1] + scan_sum[r];
    }
    i32 before;
    i32 total;
    i32 other_1;
    total = scan_sum[3];
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
    i32 ends[4];
    bool isBefore[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scan_sum[r] = before + scan_sum[r];
      ends[r] = passed + scan_sum[r];
      isBefore[r] = i_1 + t_BS + r < S && ends[r] <= lo;
    }
    i32 sum_1 = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1 = sum_1 + (isBefore[r] ? 1 : 0);
    }
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
    other_2 = tw_shfl_xor<i32>(sum_1, 32);
    sum_1 = sum_1 + other_2;
    i32 most = -2147483647 - 1;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most = tw_max_i32(most, isBefore[r] ? ends[r] : 0);
    }
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
    other_3 = tw_shfl_xor<i32>(most, 32);
    most = tw_max_i32(most, other_3);
    i32 sum_2 = 0;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_2 = sum_2 + blocks[r];
    }
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
    other_4 = tw_shfl_xor<i32>(sum_2, 32);
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
    const i32 t_6 = start >> 6;
    const i32 blocks_1 = ((len + 63) >> 6) - t_6;
    const i32 first = t_6 * 64;
    const i32 from = first + tw_max_i32(lo - begin_1, 0) * 64;
    const i32 to = first + tw_min_i32(blocks_1, hi - begin_1) * 64;
    const bool t_7 = from < to;
    if (t_7) {
      const i32 stride = HKV * 512;
      const i32 t_GP = thread >> 4;
      const i32 left_2 = 4 - g;
      const i32 t_D = (lane & 15) * 8;
      const i32 q_at = t_GP * 128 + t_D;
      const i64 q_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)s * (i64)stride + (i64)q_at;
      const bool q_in = (u32)s < (u32)S && pid0 < HKV && t_GP < left_2;
      const i32 qt_at = (lane & 15) * 8 + (thread >> 4) * 128;
      tw_f16 q_tile[8];
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
      const i32 t_BN = (thread >> 4) * 4;
      i32 pages[4];
      if (t_7) {
        i32 t_8[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          const i32 kpos = from + t_GP + r * 16;
          t_8[r] = kpos < len && kpos >= start ? kpos >> 4 : -1;
        }
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        i32 pages_1[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages_1[r] = table_in && (u32)t_8[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_8[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages[r] = pages_1[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages[r] = -1;
        }
      }
      f32 m = -1e+30f;
      f32 l[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        l[r] = 0.0f;
      }
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
      const i32 kt_at = (lane & 15) * 128 + (lane >> 4) * 4 + warp * 2048;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const i32 t_GP_1 = lane & 15;
      const bool is_first = (lane >> 4) == 0;
      const i32 part_at = warp * 16 + t_GP_1;
      const i32 t213_shared_at = (lane & 15) * 68 + (thread >> 4) * 4;
      const i32 t213_shared_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
      const i32 vt_at = (lane & 15) + (lane >> 4) * 512 + warp * 32;
      const i32 swizzled_3 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n = from; n < to; n += 64) {
        const i32 n_1 = n + 64;
        const bool more = n_1 < to;
        i32 pages_2[4];
        if (more) {
          i32 t_9[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            const i32 kpos_1 = n_1 + t_GP + r * 16;
            t_9[r] = kpos_1 < len && kpos_1 >= start ? kpos_1 >> 4 : -1;
          }
          i32 pages_3[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            pages_3[r] = table_in_1 && (u32)t_9[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_9[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            pages_2[r] = pages_3[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            pages_2[r] = -1;
          }
        }
        i32 kpos_2[4];
        i32 slot[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          kpos_2[r] = n + t_BN + r;
          slot[r] = (n + t_GP + r * 16) & 15;
        }
        tw_syncthreads();
        tw_f16 kCache_tile[32];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
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
        for (i32 r = 0; r < 4; ++r) {
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
          tw_mfma_f32_16x16x16_f16(&scores[0], &b[0], &a[0]);
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
        if (is_first) {
          tw_sts<f32>(t183_parts + (u32)part_at * 4u, most_1);
        }
        tw_syncthreads();
        most_1 = tw_lds<f32>(t183_parts + (u32)t_GP_1 * 4u);
        #pragma unroll
        for (i32 r = 1; r < 4; ++r) {
          f32 other_6;
          other_6 = tw_lds<f32>(t183_parts + (u32)(t_GP_1 + r * 16) * 4u);
          most_1 = tw_max(most_1, other_6);
        }
        const f32 top = tw_max(m, most_1);
        const bool grew = (top - m) * c > 8.0f;
        i32 grew_1 = grew ? 1 : 0;
        i32 other_7;
        other_7 = tw_shfl_xor<i32>(grew_1, 1);
        grew_1 = tw_max_i32(grew_1, other_7);
        other_7 = tw_shfl_xor<i32>(grew_1, 2);
        grew_1 = tw_max_i32(grew_1, other_7);
        other_7 = tw_shfl_xor<i32>(grew_1, 4);
        grew_1 = tw_max_i32(grew_1, other_7);
        other_7 = tw_shfl_xor<i32>(grew_1, 8);
        grew_1 = tw_max_i32(grew_1, other_7);
        const bool grew_2 = grew_1 != 0;
        f32 t_10;
        f32 t_11[4];
        f32 t_12[8];
        if (grew_2) {
          const f32 next = grew ? top : m;
          const f32 alpha = tw_exp2((m - next) * c);
          t_10 = next;
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            t_11[r] = l[r] * alpha;
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            t_12[r] = acc[r] * alpha;
          }
        } else {
          t_10 = m;
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            t_11[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            t_12[r] = acc[r];
          }
        }
        const f32 t_13 = t_10 * c;
        f32 p[4];
        tw_f16 t213_shared_tile[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          p[r] = tw_exp2(x[r] * c - t_13);
          t213_shared_tile[r] = tw_f32_to_f16(p[r]);
        }
        tw_sts<tw_u32x2>(t213_shared + (u32)t213_shared_at * 2u, tw_u32x2{
            tw_pack_u16x2(t213_shared_tile[0], t213_shared_tile[1]),
            tw_pack_u16x2(t213_shared_tile[2], t213_shared_tile[3])});
        tw_f16 vCache_tile[32];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
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
        for (i32 r = 0; r < 4; ++r) {
          tw_sts<tw_u32x4>(vt + (u32)(swizzled + r * 2048) * 2u, tw_u32x4{
              tw_pack_u16x2(vCache_tile[r * 8], vCache_tile[r * 8 + 1]),
              tw_pack_u16x2(vCache_tile[r * 8 + 2], vCache_tile[r * 8 + 3]),
              tw_pack_u16x2(vCache_tile[r * 8 + 4], vCache_tile[r * 8 + 5]),
              tw_pack_u16x2(vCache_tile[r * 8 + 6], vCache_tile[r * 8 + 7])});
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a_1[2];
          u32 b_1[4];
          tw_lds_words<2>(&a_1[0], t213_shared + (u32)((t213_shared_at_1 + r * 16) * 2));
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
            tw_mfma_f32_16x16x16_f16(&t_12[j * 4], &b_1[j * 2], &a_1[0]);
          }
        }
        m = t_10;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = t_11[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          acc[r] = t_12[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages[r] = pages_2[r];
        }
      }
      tw_syncthreads();
      f32 sum_3 = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        sum_3 = sum_3 + l[r];
      }
      f32 other_8;
      other_8 = tw_shfl_xor<f32>(sum_3, 16);
      sum_3 = sum_3 + other_8;
      other_8 = tw_shfl_xor<f32>(sum_3, 32);
      sum_3 = sum_3 + other_8;
      if (is_first) {
        tw_sts<f32>(t218_parts + (u32)part_at * 4u, sum_3);
      }
      tw_syncthreads();
      sum_3 = tw_lds<f32>(t218_parts + (u32)t_GP_1 * 4u);
      #pragma unroll
      for (i32 r = 1; r < 4; ++r) {
        f32 other_9;
        other_9 = tw_lds<f32>(t218_parts + (u32)(t_GP_1 + r * 16) * 4u);
        sum_3 = sum_3 + other_9;
      }
      const f32 total_1 = tw_max(sum_3, 1e-30f);
      const f32 t_14 = 1.0f / total_1;
      f32 value[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        value[r] = acc[r] * t_14;
      }
      const f32 logSum = m * c + tw_log2(total_1);
      const i32 t_15 = each + 1;
      const i32 edge = t_3 * t_15;
      const i32 t_16 = tw_max_i32(each, 1);
      const i32 first_1 = begin_1 < edge ? tw_floordiv_i32(begin_1, t_15) : t_3 + tw_floordiv_i32(begin_1 - edge, t_16);
      const i32 t_17 = tw_max_i32(length, 1);
      const i32 first_2 = isSpread ? tw_floordiv_i32((begin_1 + 1) * shares - 1, t_17) : first_1;
      const i32 t_18 = begin_1 + blocks_1 - 1;
      const i32 first_3 = t_18 < edge ? tw_floordiv_i32(t_18, t_15) : t_3 + tw_floordiv_i32(t_18 - edge, t_16);
      const i32 last = isSpread ? tw_floordiv_i32((t_18 + 1) * shares - 1, t_17) : first_3;
      const bool t_19 = first_2 == last;
      const i32 t_D_1 = warp * 32 + (lane >> 4) * 4;
      const i32 o_at = t_GP_1 * 128 + t_D_1;
      if (t_19) {
        const i64 sinks_at = (i64)pid0 * 4ll + (i64)g + (i64)t_GP_1;
        const bool sinks_in = pid0 < HKV && t_GP_1 < left_2;
        tw_f16 sinks_tile;
        sinks_tile = sinks_in ? tw_ldg_nc<u16>(sinks + sinks_at) : (u16)0;
        const f32 t_20 = tw_f16_to_f32(sinks_tile) * 1.442695f;
        const f32 m_1 = tw_max(logSum, t_20);
        const f32 w = tw_exp2(logSum - m_1);
        const f32 t_21 = w / (w + tw_exp2(t_20 - m_1));
        const i64 o_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)s * (i64)stride + (i64)o_at;
        const bool o_in = (u32)s < (u32)S && pid0 < HKV && t_GP_1 < left_2;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_f16 o_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            o_tile[j] = tw_f32_to_f16(value[r * 4 + j] * t_21);
          }
          if (o_in) {
            tw_stg<tw_u32x2>(o + (o_at_1 + (i64)(r * 16)), tw_u32x2{
                tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
          }
        }
      } else {
        const i32 t_22 = s + pid1;
        const i64 partial_at = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)t_22 * (i64)stride + (i64)o_at;
        const bool partial_in = (u32)t_22 < (u32)P && pid0 < HKV && t_GP_1 < left_2;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          if (partial_in) {
            tw_stg<tw_f32x4>(partial + (partial_at + (i64)(r * 16)), tw_f32x4{
                value[r * 4], value[r * 4 + 1], value[r * 4 + 2], value[r * 4 + 3]});
          }
        }
        const i32 stride_3 = HKV * 4;
        const i64 lse_at = (i64)pid0 * 4ll + (i64)g + (i64)t_GP_1 + (i64)t_22 * (i64)stride_3;
        const bool is_first_1 = thread < 16;
        if (is_first_1) {
          const f32 logSum_1 = logSum;
          if (partial_in) {
            tw_stg<f32>(lse + lse_at, logSum_1);
          }
        }
        tw_syncthreads();
        const i64 arrived_at = (i64)pid0 * 4ll + (i64)g + (i64)s * (i64)stride_3;
        const bool arrived_in = (u32)s < (u32)S && pid0 < HKV;
        i32 t_23 = 0;
        const bool is_first_2 = thread == 0;
        if (is_first_2) {
          t_23 = arrived_in ? tw_last_arrival(arrived + arrived_at, last - first_2 + 1) : 0;
        }
        if (is_first_2) {
          tw_sts<i32>(arrived_old, t_23);
        }
        tw_syncthreads();
        t_23 = tw_lds<i32>(arrived_old);
        const bool t_24 = t_23 != 0;
        if (t_24) {
          const i32 first_4 = s + first_2;
          const i32 end = s + last + 1;
          const i32 t_GM = (thread >> 5) & 3;
          const i64 sinks_at_1 = (i64)pid0 * 4ll + (i64)t_GM;
          const i32 t_BJ = warp >> 1;
          const i32 bound = tw_min_i32(end, P);
          const i32 lse_at_1 = t_BJ * stride_3 + t_GM;
          const i64 lse_at_2 = (i64)pid0 * 4ll + (i64)lse_at_1;
          const i32 bound_1 = tw_max_i32(bound, 0);
          const i32 t_D_2 = (lane & 31) * 4;
          const i32 partial_at_1 = t_BJ * stride + t_GM * 128 + t_D_2;
          const i64 partial_at_2 = (i64)pid0 * 512ll + (i64)partial_at_1;
          const bool is_first_3 = (lane & 31) == 0;
          const i32 part_at_1 = t_BJ * 4 + t_GM;
          const i32 element = t_GM * 128 + t_D_2;
          const i32 part_at_2 = t_BJ * 512 + element;
          const i64 o_at_2 = (i64)pid0 * 512ll + (i64)s * (i64)stride + (i64)element;
          const bool is_first_4 = thread < 128;
          for (i32 r_1 = 0; r_1 < left_2; r_1 += 4) {
            const i32 g_1 = g + r_1;
            const i64 sinks_at_2 = sinks_at_1 + (i64)g_1;
            tw_f16 sinks_tile_1;
            sinks_tile_1 = kCache_in ? tw_ldg_nc<u16>(sinks + sinks_at_2) : (u16)0;
            f32 l_1 = 1.0f;
            f32 acc_1[4];
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              acc_1[r] = 0.0f;
            }
            f32 m_2 = 0.0f + tw_f16_to_f32(sinks_tile_1) * 1.442695f;
            const i64 lse_at_3 = lse_at_2 + (i64)g_1;
            const i64 partial_at_3 = partial_at_2 + (i64)g_1 * 128ll;
            for (i32 j_1 = first_4; j_1 < end; j_1 += 16) {
              const i64 lse_at_4 = lse_at_3 + (i64)j_1 * (i64)stride_3;
              f32 x_1[8];
              const i32 position_1 = j_1 + t_BJ;
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                x_1[r] = kCache_in && (u32)(position_1 + r * 2) < (u32)bound_1 ? tw_ldg<f32>(lse + (lse_at_4 + (i64)(r * 2 * stride_3))) : tw_bits_f32(0xff800000u);
              }
              const i64 partial_at_4 = partial_at_3 + (i64)j_1 * (i64)stride;
              f32 part[32];
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                const tw_f32x4 part_vec = kCache_in && (u32)(position_1 + r * 2) < (u32)bound_1 ? tw_ldg<tw_f32x4>(partial + (partial_at_4 + (i64)(r * 2 * stride))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
                part[r * 4] = part_vec.x; part[r * 4 + 1] = part_vec.y;
                part[r * 4 + 2] = part_vec.z; part[r * 4 + 3] = part_vec.w;
              }
              f32 most_2 = tw_bits_f32(0xff800000u);
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                most_2 = tw_max(most_2, x_1[r]);
              }
              if (is_first_3) {
                tw_sts<f32>(t314_parts + (u32)part_at_1 * 4u, most_2);
              }
              tw_syncthreads();
              most_2 = tw_lds<f32>(t314_parts + (u32)t_GM * 4u);
              f32 other_10;
              other_10 = tw_lds<f32>(t314_parts + (u32)(t_GM + 4) * 4u);
              most_2 = tw_max(most_2, other_10);
              const f32 next_1 = tw_max(m_2, most_2);
              f32 w_1[8];
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                w_1[r] = tw_exp2(x_1[r] - next_1);
              }
              const f32 alpha_1 = tw_exp2(m_2 - next_1);
              f32 sum_4 = 0.0f;
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                sum_4 = sum_4 + w_1[r];
              }
              if (is_first_3) {
                tw_sts<f32>(t322_parts + (u32)part_at_1 * 4u, sum_4);
              }
              tw_syncthreads();
              sum_4 = tw_lds<f32>(t322_parts + (u32)t_GM * 4u);
              f32 other_11;
              other_11 = tw_lds<f32>(t322_parts + (u32)(t_GM + 4) * 4u);
              sum_4 = sum_4 + other_11;
              f32 sum_5[4];
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                sum_5[r] = 0.0f;
              }
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 4; ++j) {
                  sum_5[j] = sum_5[j] + w_1[r] * part[r * 4 + j];
                }
              }
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                tw_sts<f32>(t328_parts + (u32)(part_at_2 + r) * 4u, sum_5[r]);
              }
              tw_syncthreads();
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                sum_5[r] = tw_lds<f32>(t328_parts + (u32)(element + r) * 4u);
                f32 other_12;
                other_12 = tw_lds<f32>(t328_parts + (u32)(element + r + 512) * 4u);
                sum_5[r] = sum_5[r] + other_12;
              }
              l_1 = l_1 * alpha_1 + sum_4;
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                acc_1[r] = acc_1[r] * alpha_1 + sum_5[r];
              }
              m_2 = next_1;
            }
            const f32 t_25 = tw_max(l_1, 1e-30f);
            tw_syncthreads();
            const i64 o_at_3 = o_at_2 + (i64)g_1 * 128ll;
            if (is_first_4) {
              tw_f16 o_tile_1[4];
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                o_tile_1[r] = tw_f32_to_f16(acc_1[r] / t_25);
              }
              if (arrived_in) {
                tw_stg<tw_u32x2>(o + o_at_3, tw_u32x2{
                    tw_pack_u16x2(o_tile_1[0], o_tile_1[1]), tw_pack_u16x2(o_tile_1[2], o_tile_1[3])});
              }
            }
          }
        }
      }
    }
    begin_1 = begin_1 + blocks_1;
    s = s + 1;
  }
  const i32 step = tw_max_i32(programs, 1);
  const i32 stride_4 = HKV * 512;
  const i32 t_GP_2 = thread >> 4;
  const i32 left_3 = 4 - g;
  const i32 t_D_3 = (lane & 15) * 8;
  const i32 o_at_4 = t_GP_2 * 128 + t_D_3;
  const i64 o_at_5 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)o_at_4;
  const bool o_in_1 = pid0 < HKV && t_GP_2 < left_3;
  for (i32 s_1 = pid1; s_1 < S; s_1 += step) {
    const i64 lens_at_4 = (i64)s_1;
    i32 lens_tile_2;
    lens_tile_2 = tw_ldg_nc<i32>(lens + lens_at_4);
    const i32 t_26 = ((lens_tile_2 + 63) >> 6) - ((t ? tw_max_i32(lens_tile_2 - window, 0) : 0) >> 6);
    const bool t_27 = t_26 == 0;
    if (t_27) {
      tw_syncthreads();
      const i64 o_at_6 = o_at_5 + (i64)s_1 * (i64)stride_4;
      const bool o_in_2 = o_in_1 && (u32)s_1 < (u32)S;
      tw_f16 o_tile_2[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        o_tile_2[r] = 0;
      }
      if (o_in_2) {
        tw_stg<tw_u32x4>(o + o_at_6, tw_u32x4{
            tw_pack_u16x2(o_tile_2[0], o_tile_2[1]), tw_pack_u16x2(o_tile_2[2], o_tile_2[3]),
            tw_pack_u16x2(o_tile_2[4], o_tile_2[5]), tw_pack_u16x2(o_tile_2[6], o_tile_2[7])});
      }
    }
  }
}
