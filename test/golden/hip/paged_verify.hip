// paged_verify for hip gfx90a, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=32 BN=64 BS=256 LEAST=1 stages=2 SOFTCAP=0 GM=4 BJ=16
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: HKV%2 NB%4 S%2 MAXB%2 R%16
// 128 threads in 2 warps of 64, 24720 bytes of shared memory
//       0 … 16384: kt bf16[8192]
//       0 … 16384: vt bf16[8192]
//   16384 … 24576: qt bf16[4096]
//   24576 … 24584: grew_parts i32[2]
//   24704 … 24708: arrived_old i32[1]

TW_KERNEL(128) paged_verify(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* queryStart, const i32* lens, f32* partial, f32* lse, i32* arrived, tw_bf16* o, i32 N,
    i32 HKV, i32 NB, i32 S, i32 MAXB, i32 S1, i32 P, i32 R, f32 scale, f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 16384u;
  tw_label(qt, 8192u, "qt");
  const u32 kt = smem;
  tw_label(kt, 16384u, "kt");
  const u32 grew_parts = smem + 24576u;
  tw_label(grew_parts, 8u, "grew_parts");
  const u32 vt = smem;
  tw_label(vt, 16384u, "vt");
  const u32 arrived_old = smem + 24704u;
  tw_label(arrived_old, 4u, "arrived_old");
  const bool t = window > 0;
  const i32 reach = t ? window + (R >> 2) - 1 : 0;
  const i32 programs = P - S;
  const i32 t_1 = (R + 31) >> 5;
  const i32 h = tw_floordiv_i32(pid0, t_1);
  const i32 g = tw_floormod_i32(pid0, t_1) * 32;
  const bool t_2 = reach > 0;
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
      sum = sum + (((lens_tile[r] + 63) >> 6) - ((t_2 ? tw_max_i32(lens_tile[r] - reach, 0) : 0) >> 6));
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
  const bool t_3 = (S > 1 ? tw_floormod_i32(programs, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread = t_3 && programs <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(programs, length), 1);
  const i32 t_4 = tw_min_i32(pid1, shares);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 t_5 = length - each * shares;
  const i32 lo = isSpread ? tw_floordiv_i32(t_4 * length, shares) : t_4 * each + tw_min_i32(t_4, t_5);
  const i32 t_6 = tw_min_i32(pid1 + 1, shares);
  const i32 hi = isSpread ? tw_floordiv_i32(t_6 * length, shares) : t_6 * each + tw_min_i32(t_6, t_5);
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
      blocks[r] = ((lens_tile_1[r] + 63) >> 6) - ((t_2 ? tw_max_i32(lens_tile_1[r] - reach, 0) : 0) >> 6);
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
    const bool t_7 = begin_1 < hi;
    if (!t_7) break;
    const i64 lens_at_3 = (i64)s;
    i32 len;
    len = tw_ldg_nc<i32>(lens + lens_at_3);
    const i32 t_8 = (t_2 ? tw_max_i32(len - reach, 0) : 0) >> 6;
    const i32 blocks_1 = ((len + 63) >> 6) - t_8;
    const i32 first = t_8 * 64;
    const i32 from = first + tw_max_i32(lo - begin_1, 0) * 64;
    const i32 to = first + tw_min_i32(blocks_1, hi - begin_1) * 64;
    const bool t_9 = from < to;
    if (t_9) {
      i32 start;
      start = tw_ldg_nc<i32>(queryStart + lens_at_3);
      const i32 t_10 = s + 1;
      const i64 queryStart_at = (i64)t_10;
      i32 queryStart_tile;
      queryStart_tile = tw_ldg_nc<i32>(queryStart + queryStart_at);
      const i32 count = queryStart_tile - start;
      const i32 t_GP = warp * 16 + (lane & 15);
      const i32 t_11 = g + t_GP;
      const i32 i_2 = t_11 >> 2;
      const i32 at = i_2 < count ? start + i_2 : -1;
      const i32 head = t_11 & 3;
      const i32 t_12 = len - count;
      const i32 position_1 = t_12 + i_2;
      const i32 start_1 = t ? tw_max_i32(t_12 - window + 1, 0) : 0;
      const i32 begin_2 = t ? position_1 - window : -1;
      const i32 t_GP_1 = thread >> 4;
      i32 t_13[4];
      i32 i_3[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_13[r] = g + t_GP_1 + r * 8;
        i_3[r] = t_13[r] >> 2;
      }
      tw_syncthreads();
      const i32 stride = HKV * 512;
      i32 at_1[4];
      i32 head_1[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        at_1[r] = i_3[r] < count ? start + i_3[r] : -1;
        head_1[r] = t_13[r] & 3;
      }
      const i32 t_D = (lane & 15) * 8;
      const i64 q_at = (i64)h * 512ll + (i64)t_D;
      const bool q_in = h < HKV;
      const i32 qt_at = (lane & 15) * 8 + (thread >> 4) * 128;
      tw_bf16 q_tile[32];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 q_tile_vec = q_in && (u32)at_1[r] < (u32)N ? tw_ldg_nc<tw_u32x4>(q + (q_at + (i64)at_1[r] * (i64)stride + (i64)head_1[r] * 128ll)) : tw_u32x4{0u, 0u, 0u, 0u};
        q_tile[r * 8] = tw_u16x2_lo(q_tile_vec.x); q_tile[r * 8 + 1] = tw_u16x2_hi(q_tile_vec.x);
        q_tile[r * 8 + 2] = tw_u16x2_lo(q_tile_vec.y);
        q_tile[r * 8 + 3] = tw_u16x2_hi(q_tile_vec.y);
        q_tile[r * 8 + 4] = tw_u16x2_lo(q_tile_vec.z);
        q_tile[r * 8 + 5] = tw_u16x2_hi(q_tile_vec.z);
        q_tile[r * 8 + 6] = tw_u16x2_lo(q_tile_vec.w);
        q_tile[r * 8 + 7] = tw_u16x2_hi(q_tile_vec.w);
      }
      const i32 swizzled = qt_at ^ ((qt_at >> 4) & 56);
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<tw_u32x4>(qt + (u32)(swizzled + r * 1024) * 2u, tw_u32x4{
            tw_pack_u16x2(q_tile[r * 8], q_tile[r * 8 + 1]),
            tw_pack_u16x2(q_tile[r * 8 + 2], q_tile[r * 8 + 3]),
            tw_pack_u16x2(q_tile[r * 8 + 4], q_tile[r * 8 + 5]),
            tw_pack_u16x2(q_tile[r * 8 + 6], q_tile[r * 8 + 7])});
      }
      const f32 c = scale * 1.442695f;
      const i32 t_BN = (lane >> 4) * 4;
      const bool t_14 = at >= 0;
      i32 pages[8];
      if (t_9) {
        i32 t_15[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const i32 kpos = from + t_GP_1 + r * 8;
          t_15[r] = kpos < len && kpos >= start_1 ? kpos >> 4 : -1;
        }
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        i32 pages_1[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages_1[r] = table_in && (u32)t_15[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_15[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages[r] = pages_1[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages[r] = -1;
        }
      }
      f32 m = -1e+30f;
      f32 l[16];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        l[r] = 0.0f;
      }
      f32 acc[32];
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        acc[r] = 0.0f;
      }
      const i64 table_at_1 = (i64)s * (i64)MAXB;
      const bool table_in_1 = (u32)s < (u32)S;
      const i32 stride_1 = HKV * 2048;
      const i32 stride_2 = HKV * 128;
      const i64 kCache_at = (i64)h * 128ll + (i64)t_D;
      const i32 qt_at_1 = (lane & 15) * 128 + (lane >> 4) * 4 + warp * 2048;
      const i32 kt_at = (lane & 15) * 128 + (lane >> 4) * 4;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const bool is_first = lane == 0;
      const i32 vt_at = (lane & 15) + (lane >> 4) * 512;
      const i32 swizzled_3 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n = from; n < to; n += 64) {
        const i32 n_1 = n + 64;
        const bool more = n_1 < to;
        i32 pages_2[8];
        if (more) {
          i32 t_16[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            const i32 kpos_1 = n_1 + t_GP_1 + r * 8;
            t_16[r] = kpos_1 < len && kpos_1 >= start_1 ? kpos_1 >> 4 : -1;
          }
          i32 pages_3[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_3[r] = table_in_1 && (u32)t_16[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_16[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_2[r] = pages_3[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_2[r] = -1;
          }
        }
        i32 kpos_2[16];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            kpos_2[r * 4 + j] = n + t_BN + r * 16 + j;
          }
        }
        i32 slot[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          slot[r] = (n + t_GP_1 + r * 8) & 15;
        }
        tw_syncthreads();
        tw_bf16 kCache_tile[64];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const tw_u32x4 kCache_tile_vec = q_in && (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(kCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2)) : tw_u32x4{0u, 0u, 0u, 0u};
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
        for (i32 r = 0; r < 8; ++r) {
          tw_sts<tw_u32x4>(kt + (u32)(swizzled + r * 1024) * 2u, tw_u32x4{
              tw_pack_u16x2(kCache_tile[r * 8], kCache_tile[r * 8 + 1]),
              tw_pack_u16x2(kCache_tile[r * 8 + 2], kCache_tile[r * 8 + 3]),
              tw_pack_u16x2(kCache_tile[r * 8 + 4], kCache_tile[r * 8 + 5]),
              tw_pack_u16x2(kCache_tile[r * 8 + 6], kCache_tile[r * 8 + 7])});
        }
        tw_syncthreads();
        f32 scores[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          scores[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          u32 a[2];
          u32 b[8];
          tw_lds_words<2>(&a[0], qt + (u32)((swizzled_1 ^ (r * 16)) * 2));
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_lds_words<2>(&b[j * 2], kt + (u32)(((swizzled_2 ^ (r * 16)) + j * 2048) * 2));
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_mfma_f32_16x16x16_bf16(&scores[j * 4], &b[j * 2], &a[0]);
          }
        }
        f32 x[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          x[r] = kpos_2[r] < len && kpos_2[r] >= start_1 && kpos_2[r] <= position_1 && kpos_2[r] > begin_2 && t_14 ? scores[r] : tw_bits_f32(0xff800000u);
        }
        f32 most_1 = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
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
        if (is_first) {
          tw_sts<i32>(grew_parts + (u32)warp * 4u, grew_1);
        }
        tw_syncthreads();
        i32 parts[2];
        const tw_i32x2 parts_vec = tw_lds<tw_i32x2>(grew_parts);
        parts[0] = parts_vec.x; parts[1] = parts_vec.y;
        grew_1 = parts[0];
        grew_1 = tw_max_i32(grew_1, parts[1]);
        const bool grew_2 = grew_1 != 0;
        f32 t_17;
        f32 t_18[16];
        f32 t_19[32];
        if (grew_2) {
          const f32 next = grew ? top : m;
          const f32 alpha = tw_exp2((m - next) * c);
          t_17 = next;
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            t_18[r] = l[r] * alpha;
          }
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_19[r] = acc[r] * alpha;
          }
        } else {
          t_17 = m;
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            t_18[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_19[r] = acc[r];
          }
        }
        const f32 t_20 = t_17 * c;
        f32 p[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          p[r] = tw_exp2(x[r] * c - t_20);
        }
        tw_bf16 vCache_tile[64];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const tw_u32x4 vCache_tile_vec = q_in && (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2)) : tw_u32x4{0u, 0u, 0u, 0u};
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
        for (i32 r = 0; r < 8; ++r) {
          tw_sts<tw_u32x4>(vt + (u32)(swizzled + r * 1024) * 2u, tw_u32x4{
              tw_pack_u16x2(vCache_tile[r * 8], vCache_tile[r * 8 + 1]),
              tw_pack_u16x2(vCache_tile[r * 8 + 2], vCache_tile[r * 8 + 3]),
              tw_pack_u16x2(vCache_tile[r * 8 + 4], vCache_tile[r * 8 + 5]),
              tw_pack_u16x2(vCache_tile[r * 8 + 6], vCache_tile[r * 8 + 7])});
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a_1[2];
          u32 b_1[16];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            a_1[j] = tw_pack_bf16x2(p[r * 4 + j * 2], p[r * 4 + j * 2 + 1]);
          }
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              tw_lds_halves(
                  &b_1[j * 2 + k],
                  vt + (u32)((((swizzled_3 ^ (j * 16)) ^ ((k * 256) ^ (((k * 256) >> 4) & 56))) + r * 2048) * 2),
                  vt + (u32)(((((swizzled_3 ^ (j * 16)) ^ ((k * 256) ^ (((k * 256) >> 4) & 56))) ^ 136) + r * 2048) * 2));
            }
          }
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            tw_mfma_f32_16x16x16_bf16(&t_19[j * 4], &b_1[j * 2], &a_1[0]);
          }
        }
        m = t_17;
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          l[r] = t_18[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          acc[r] = t_19[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages[r] = pages_2[r];
        }
      }
      f32 sum_3 = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        sum_3 = sum_3 + l[r];
      }
      f32 other_7;
      other_7 = tw_shfl_xor<f32>(sum_3, 16);
      sum_3 = sum_3 + other_7;
      other_7 = tw_shfl_xor<f32>(sum_3, 32);
      sum_3 = sum_3 + other_7;
      const f32 total_1 = tw_max(sum_3, 1e-30f);
      const f32 t_21 = 1.0f / total_1;
      f32 value[32];
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        value[r] = acc[r] * t_21;
      }
      const f32 logSum = m * c + tw_log2(total_1);
      const i32 t_22 = each + 1;
      const i32 edge = t_5 * t_22;
      const i32 t_23 = tw_max_i32(each, 1);
      const i32 first_1 = begin_1 < edge ? tw_floordiv_i32(begin_1, t_22) : t_5 + tw_floordiv_i32(begin_1 - edge, t_23);
      const i32 t_24 = tw_max_i32(length, 1);
      const i32 first_2 = isSpread ? tw_floordiv_i32((begin_1 + 1) * shares - 1, t_24) : first_1;
      const i32 t_25 = begin_1 + blocks_1 - 1;
      const i32 first_3 = t_25 < edge ? tw_floordiv_i32(t_25, t_22) : t_5 + tw_floordiv_i32(t_25 - edge, t_23);
      const i32 last = isSpread ? tw_floordiv_i32((t_25 + 1) * shares - 1, t_24) : first_3;
      const bool t_26 = first_2 == last;
      if (t_26) {
        const i64 o_at = (i64)h * 512ll + (i64)at * (i64)stride + (i64)head * 128ll + (i64)t_BN;
        const bool o_in = (u32)at < (u32)N && h < HKV;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          tw_bf16 o_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            o_tile[j] = tw_f32_to_bf16(value[r * 4 + j]);
          }
          if (o_in) {
            tw_stg<tw_u32x2>(o + (o_at + (i64)(r * 16)), tw_u32x2{
                tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
          }
        }
      } else {
        const i32 t_27 = s + pid1;
        const i32 stride_3 = R * 128 * HKV;
        const i32 stride_4 = R * 128;
        const i32 left_2 = R - g;
        const i32 partial_at = t_GP * 128 + t_BN;
        const i64 partial_at_1 = (i64)g * 128ll + (i64)t_27 * (i64)stride_3 + (i64)h * (i64)stride_4 + (i64)partial_at;
        const bool partial_in = (u32)t_27 < (u32)P && h < HKV && t_GP < left_2;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          if (partial_in) {
            tw_stg<tw_f32x4>(partial + (partial_at_1 + (i64)(r * 16)), tw_f32x4{
                value[r * 4], value[r * 4 + 1], value[r * 4 + 2], value[r * 4 + 3]});
          }
        }
        const i32 stride_5 = R * HKV;
        const i64 lse_at = (i64)h * (i64)R + (i64)g + (i64)t_GP + (i64)t_27 * (i64)stride_5;
        const bool is_first_1 = (lane >> 4) == 0;
        if (is_first_1) {
          const f32 logSum_1 = logSum;
          if (partial_in) {
            tw_stg<f32>(lse + lse_at, logSum_1);
          }
        }
        tw_syncthreads();
        const i64 arrived_at = (i64)h * (i64)R + (i64)g + (i64)s * (i64)stride_5;
        const bool arrived_in = (u32)s < (u32)S && h < HKV && g < R;
        i32 t_28 = 0;
        const bool is_first_2 = thread == 0;
        if (is_first_2) {
          t_28 = arrived_in ? tw_last_arrival(arrived + arrived_at, last - first_2 + 1) : 0;
        }
        if (is_first_2) {
          tw_sts<i32>(arrived_old, t_28);
        }
        tw_syncthreads();
        t_28 = tw_lds<i32>(arrived_old);
        const bool t_29 = t_28 != 0;
        if (t_29) {
          const i32 first_4 = s + first_2;
          const i32 end = s + last + 1;
          const i32 t_GM = thread >> 5;
          const i32 t_30 = tw_min_i32(32, R - g);
          const i32 bound = tw_min_i32(end, P);
          const i64 lse_at_1 = (i64)h * (i64)R + (i64)t_GM;
          const i32 bound_1 = tw_max_i32(bound, 0);
          const i32 t_D_1 = (lane & 31) * 4;
          const i32 partial_at_2 = t_GM * 128 + t_D_1;
          const i64 partial_at_3 = (i64)h * (i64)stride_4 + (i64)partial_at_2;
          const i64 o_at_1 = (i64)h * 512ll + (i64)t_D_1;
          for (i32 r_1 = 0; r_1 < t_30; r_1 += 4) {
            const i32 g_1 = g + r_1;
            f32 l_1 = 0.0f;
            f32 acc_1[4];
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              acc_1[r] = 0.0f;
            }
            f32 m_1 = -1e+30f;
            const i32 left_3 = R - g_1;
            const i64 lse_at_2 = lse_at_1 + (i64)g_1;
            const bool lse_in = q_in && t_GM < left_3;
            const i64 partial_at_4 = partial_at_3 + (i64)g_1 * 128ll;
            for (i32 j_1 = first_4; j_1 < end; j_1 += 16) {
              const i64 lse_at_3 = lse_at_2 + (i64)j_1 * (i64)stride_5;
              f32 x_1[16];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                x_1[r] = lse_in && (u32)(j_1 + r) < (u32)bound_1 ? tw_ldg<f32>(lse + (lse_at_3 + (i64)(r * stride_5))) : tw_bits_f32(0xff800000u);
              }
              const i64 partial_at_5 = partial_at_4 + (i64)j_1 * (i64)stride_3;
              f32 part[64];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                const tw_f32x4 part_vec = lse_in && (u32)(j_1 + r) < (u32)bound_1 ? tw_ldg<tw_f32x4>(partial + (partial_at_5 + (i64)(r * stride_3))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
                part[r * 4] = part_vec.x; part[r * 4 + 1] = part_vec.y;
                part[r * 4 + 2] = part_vec.z; part[r * 4 + 3] = part_vec.w;
              }
              f32 most_2 = tw_bits_f32(0xff800000u);
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                most_2 = tw_max(most_2, x_1[r]);
              }
              const f32 next_1 = tw_max(m_1, most_2);
              f32 w[16];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                w[r] = tw_exp2(x_1[r] - next_1);
              }
              const f32 alpha_1 = tw_exp2(m_1 - next_1);
              f32 sum_4 = 0.0f;
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                sum_4 = sum_4 + w[r];
              }
              f32 sum_5[4];
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                sum_5[r] = 0.0f;
              }
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 4; ++j) {
                  sum_5[j] = sum_5[j] + w[r] * part[r * 4 + j];
                }
              }
              l_1 = l_1 * alpha_1 + sum_4;
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                acc_1[r] = acc_1[r] * alpha_1 + sum_5[r];
              }
              m_1 = next_1;
            }
            const f32 t_31 = tw_max(l_1, 1e-30f);
            const i32 t_32 = g_1 + t_GM;
            const i32 i_4 = t_32 >> 2;
            const i32 at_2 = i_4 < count ? start + i_4 : -1;
            const i32 head_2 = t_32 & 3;
            const i64 o_at_2 = o_at_1 + (i64)at_2 * (i64)stride + (i64)head_2 * 128ll;
            const bool o_in_1 = q_in && (u32)at_2 < (u32)N;
            tw_bf16 o_tile_1[4];
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              o_tile_1[r] = tw_f32_to_bf16(acc_1[r] / t_31);
            }
            if (o_in_1) {
              tw_stg<tw_u32x2>(o + o_at_2, tw_u32x2{
                  tw_pack_u16x2(o_tile_1[0], o_tile_1[1]), tw_pack_u16x2(o_tile_1[2], o_tile_1[3])});
            }
          }
        }
      }
    }
    begin_1 = begin_1 + blocks_1;
    s = s + 1;
  }
  const i32 step = tw_max_i32(programs, 1);
  const i32 t_GP_2 = thread >> 4;
  const i32 stride_6 = HKV * 512;
  const i32 t_D_2 = (lane & 15) * 8;
  const i64 o_at_3 = (i64)h * 512ll + (i64)t_D_2;
  const bool o_in_2 = h < HKV;
  for (i32 s_1 = pid1; s_1 < S; s_1 += step) {
    const i64 lens_at_4 = (i64)s_1;
    i32 lens_tile_2;
    lens_tile_2 = tw_ldg_nc<i32>(lens + lens_at_4);
    const i32 t_33 = ((lens_tile_2 + 63) >> 6) - ((t_2 ? tw_max_i32(lens_tile_2 - reach, 0) : 0) >> 6);
    const bool t_34 = t_33 == 0;
    if (t_34) {
      i32 start_2;
      start_2 = tw_ldg_nc<i32>(queryStart + lens_at_4);
      const i32 t_35 = s_1 + 1;
      const i64 queryStart_at_1 = (i64)t_35;
      i32 queryStart_tile_1;
      queryStart_tile_1 = tw_ldg_nc<i32>(queryStart + queryStart_at_1);
      i32 t_36[4];
      i32 i_5[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_36[r] = g + t_GP_2 + r * 8;
        i_5[r] = t_36[r] >> 2;
      }
      const i32 count_1 = queryStart_tile_1 - start_2;
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const i32 at_3 = i_5[r] < count_1 ? start_2 + i_5[r] : -1;
        const i32 head_3 = t_36[r] & 3;
        tw_bf16 o_tile_2[8];
        #pragma unroll
        for (i32 j = 0; j < 8; ++j) {
          o_tile_2[j] = 0;
        }
        if (o_in_2 && (u32)at_3 < (u32)N) {
          tw_stg<tw_u32x4>(o + (o_at_3 + (i64)at_3 * (i64)stride_6 + (i64)head_3 * 128ll), tw_u32x4{
              tw_pack_u16x2(o_tile_2[0], o_tile_2[1]), tw_pack_u16x2(o_tile_2[2], o_tile_2[3]),
              tw_pack_u16x2(o_tile_2[4], o_tile_2[5]), tw_pack_u16x2(o_tile_2[6], o_tile_2[7])});
        }
      }
    }
  }
}
