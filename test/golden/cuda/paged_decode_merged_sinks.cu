// paged_decode_merged_sinks for cuda sm_80, made by tilewright
// dtypes: T=f16 C=f16
// config: GP=16 BN=64 BS=256 LEAST=1 stages=2 SOFTCAP=0 GM=4 BJ=16
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 HKV%2 NB%4 MAXB%2
// 128 threads in 4 warps of 32, 72208 bytes of shared memory
//       0 … 32768: kt f16[16384]
//   32768 … 65536: vt f16[16384]
//   65536 … 69632: qt f16[2048]
//   69632 … 71680: t213_shared f16[1024]
//   71680 … 71936: t183_parts f32[64]
//   71936 … 72192: t218_parts f32[64]
//   72192 … 72196: arrived_old i32[1]

TW_KERNEL(128) paged_decode_merged_sinks(
    const tw_f16* q, const tw_f16* kCache, const tw_f16* vCache, const i32* table, const i32* lens,
    f32* partial, f32* lse, i32* arrived, tw_f16* o, const tw_f16* sinks, i32 S, i32 HKV, i32 NB,
    i32 MAXB, i32 P, f32 scale, f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 65536u;
  tw_label(qt, 4096u, "qt");
  const u32 kt = smem;
  tw_label(kt, 32768u, "kt");
  const u32 t183_parts = smem + 71680u;
  tw_label(t183_parts, 256u, "t183_parts");
  const u32 t213_shared = smem + 69632u;
  tw_label(t213_shared, 2048u, "t213_shared");
  const u32 vt = smem + 32768u;
  tw_label(vt, 32768u, "vt");
  const u32 t218_parts = smem + 71936u;
  tw_label(t218_parts, 256u, "t218_parts");
  const u32 arrived_old = smem + 72192u;
  tw_label(arrived_old, 4u, "arrived_old");
  const i32 programs = P - S;
  const i32 g = 0;
  const bool t = window > 0;
  i32 length = 0;
  const i32 t_BS = lane * 8;
  const i64 lens_at = (i64)t_BS;
  for (i32 i = 0; i < S; i += 256) {
    const i64 lens_at_1 = lens_at + (i64)i;
    i32 lens_tile[8];
    const i32 left = S - i;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_i32x2 lens_tile_vec = t_BS + r * 2 < left ? tw_ldg_nc<tw_i32x2>(lens + (lens_at_1 + (i64)(r * 2))) : tw_i32x2{0, 0};
      lens_tile[r * 2] = lens_tile_vec.x; lens_tile[r * 2 + 1] = lens_tile_vec.y;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
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
  const i32 position = lane & 31;
  for (i32 i_1 = 0; i_1 < S; i_1 += 256) {
    const i64 lens_at_2 = lens_at + (i64)i_1;
    i32 lens_tile_1[8];
    const i32 left_1 = S - i_1;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_i32x2 lens_tile_1_vec = t_BS + r * 2 < left_1 ? tw_ldg_nc<tw_i32x2>(lens + (lens_at_2 + (i64)(r * 2))) : tw_i32x2{0, 0};
      lens_tile_1[r * 2] = lens_tile_1_vec.x; lens_tile_1[r * 2 + 1] = lens_tile_1_vec.y;
    }
    i32 blocks[8];
    i32 scan_sum[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      blocks[r] = ((lens_tile_1[r] + 63) >> 6) - ((t ? tw_max_i32(lens_tile_1[r] - window, 0) : 0) >> 6);
      scan_sum[r] = blocks[r];
    }
    #pragma unroll
    for (i32 r = 1; r < 8; ++r) {
      scan_sum[r] = scan_sum[r - 1] + scan_sum[r];
    }
    i32 before;
    i32 total;
    i32 other_1;
    total = scan_sum[7];
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
    other_1 = tw_shfl_idx<i32>(total, position >= 1 ? lane - 1 : lane);
    before = position == 0 ? 0 : other_1;
    i32 ends[8];
    bool isBefore[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      scan_sum[r] = before + scan_sum[r];
      ends[r] = passed + scan_sum[r];
      isBefore[r] = i_1 + t_BS + r < S && ends[r] <= lo;
    }
    i32 sum_1 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
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
    i32 most = -2147483647 - 1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
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
    i32 sum_2 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
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
      tw_cp_async_commit();
      tw_cp_async_wait<0>();
      tw_syncthreads();
      const i32 stride = HKV * 512;
      const i32 t_GP = thread >> 4;
      const i32 t_D = (lane & 15) * 8;
      const i32 q_at = t_GP * 128 + t_D;
      const i64 q_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)s * (i64)stride + (i64)q_at;
      const bool q_in = (u32)s < (u32)S && pid0 < HKV;
      const i32 qt_at = (lane & 15) * 8 + (thread >> 4) * 128;
      const i32 swizzled = qt_at ^ ((qt_at >> 4) & 56);
      const i32 left_2 = 4 - g;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            qt + (u32)(swizzled + r * 1024) * 2u, q + (q_at_1 + (i64)(r * 1024)),
            q_in && t_GP + r * 8 < left_2 ? 16u : 0u);
      }
      const f32 c = scale * 1.442695f;
      const i32 t_BN = warp * 16 + (lane & 3) * 2;
      const i32 stride_1 = HKV * 2048;
      const i32 stride_2 = HKV * 128;
      const i64 kCache_at = (i64)pid0 * 128ll + (i64)t_D;
      const bool kCache_in = pid0 < HKV;
      if (t_7) {
        i32 kpos[8];
        i32 t_8[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          kpos[r] = from + t_GP + r * 8;
          t_8[r] = kpos[r] < len && kpos[r] >= start ? kpos[r] >> 4 : -1;
        }
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        i32 pages[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages[r] = table_in && (u32)t_8[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_8[r])) : -1;
        }
        i32 slot[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          slot[r] = kpos[r] & 15;
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          tw_cp_async_16_zfill(
              kt + (u32)(swizzled + r * 1024) * 2u,
              kCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              kCache_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          tw_cp_async_16_zfill(
              vt + (u32)(swizzled + r * 1024) * 2u,
              vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              kCache_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
      }
      tw_cp_async_commit();
      const i32 n = from + 64;
      const bool more = n < to;
      i32 pages_1[8];
      if (more) {
        i32 t_9[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const i32 kpos_1 = n + t_GP + r * 8;
          t_9[r] = kpos_1 < len && kpos_1 >= start ? kpos_1 >> 4 : -1;
        }
        const i64 table_at_1 = (i64)s * (i64)MAXB;
        const bool table_in_1 = (u32)s < (u32)S;
        i32 pages_2[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages_2[r] = table_in_1 && (u32)t_9[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_9[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages_1[r] = pages_2[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages_1[r] = -1;
        }
      }
      f32 m[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        m[r] = -1e+30f;
      }
      f32 l[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        l[r] = 0.0f;
      }
      f32 acc[16];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        acc[r] = 0.0f;
      }
      i32 slot_1 = 0;
      i32 fill = 1;
      const i64 table_at_2 = (i64)s * (i64)MAXB;
      const bool table_in_2 = (u32)s < (u32)S;
      const i32 qt_at_1 = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8;
      const i32 kt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 1024 + warp * 2048;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const i32 t_GP_1 = lane >> 2;
      const bool is_first = (lane & 3) == 0;
      const i32 part_at = warp * 16 + t_GP_1;
      const i32 t213_shared_at = (lane & 3) * 2 + (lane >> 2) * 64 + warp * 16;
      const i32 swizzled_3 = t213_shared_at ^ ((t213_shared_at >> 3) & 56);
      const i32 t213_shared_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
      const i32 vt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8 + warp * 32;
      const i32 swizzled_4 = t213_shared_at_1 ^ ((t213_shared_at_1 >> 3) & 56);
      const i32 swizzled_5 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n_1 = from; n_1 < to; n_1 += 64) {
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 n_2 = n_1 + 64;
        const bool more_1 = n_2 < to;
        if (more_1) {
          i32 slot_2[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            slot_2[r] = (n_2 + t_GP + r * 8) & 15;
          }
          const i32 kt_slot = fill * 8192;
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            tw_cp_async_16_zfill(
                kt + (u32)(swizzled + r * 1024 + kt_slot) * 2u,
                kCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                kCache_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            tw_cp_async_16_zfill(
                vt + (u32)(swizzled + r * 1024 + kt_slot) * 2u,
                vCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                kCache_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
        }
        tw_cp_async_commit();
        const i32 n_3 = n_2 + 64;
        const bool more_2 = n_3 < to;
        i32 pages_3[8];
        if (more_2) {
          i32 t_10[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            const i32 kpos_2 = n_3 + t_GP + r * 8;
            t_10[r] = kpos_2 < len && kpos_2 >= start ? kpos_2 >> 4 : -1;
          }
          i32 pages_4[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_4[r] = table_in_2 && (u32)t_10[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_2 + (i64)t_10[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_3[r] = pages_4[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_3[r] = -1;
          }
        }
        i32 kpos_3[4];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            kpos_3[r * 2 + j] = n_1 + t_BN + r * 8 + j;
          }
        }
        f32 scores[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          scores[r] = 0.0f;
        }
        const i32 kt_slot_1 = slot_1 * 8192;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          u32 a[4];
          u32 b[4];
          tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_1 ^ (r * 16)) * 2u);
          tw_ldmatrix_x4(&b[0], kt + (u32)((swizzled_2 ^ (r * 16)) + kt_slot_1) * 2u);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_mma_m16n8k16_f32_f16(&scores[j * 4], &a[0], &b[j * 2]);
          }
        }
        bool seen[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          seen[r] = kpos_3[r] < len && kpos_3[r] >= start;
        }
        f32 x[8];
        f32 most_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              x[r * 4 + j * 2 + k] = seen[r * 2 + k] ? scores[r * 4 + j * 2 + k] : tw_bits_f32(0xff800000u);
            }
          }
          most_1[r] = tw_bits_f32(0xff800000u);
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              most_1[j] = tw_max(most_1[j], x[r * 4 + j * 2 + k]);
            }
          }
        }
        f32 other_5;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_5 = tw_shfl_xor<f32>(most_1[r], 1);
          most_1[r] = tw_max(most_1[r], other_5);
          other_5 = tw_shfl_xor<f32>(most_1[r], 2);
          most_1[r] = tw_max(most_1[r], other_5);
        }
        if (is_first) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_sts<f32>(t183_parts + (u32)(part_at + r * 8) * 4u, most_1[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_1[r] = tw_lds<f32>(t183_parts + (u32)(t_GP_1 + r * 8) * 4u);
          #pragma unroll
          for (i32 j = 1; j < 4; ++j) {
            f32 other_6;
            other_6 = tw_lds<f32>(t183_parts + (u32)(t_GP_1 + r * 8 + j * 16) * 4u);
            most_1[r] = tw_max(most_1[r], other_6);
          }
        }
        f32 top[2];
        bool grew[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          top[r] = tw_max(m[r], most_1[r]);
          grew[r] = (top[r] - m[r]) * c > 8.0f;
        }
        i32 grew_1 = -2147483647 - 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          grew_1 = tw_max_i32(grew_1, grew[r] ? 1 : 0);
        }
        i32 other_7;
        other_7 = tw_shfl_xor<i32>(grew_1, 4);
        grew_1 = tw_max_i32(grew_1, other_7);
        other_7 = tw_shfl_xor<i32>(grew_1, 8);
        grew_1 = tw_max_i32(grew_1, other_7);
        other_7 = tw_shfl_xor<i32>(grew_1, 16);
        grew_1 = tw_max_i32(grew_1, other_7);
        const bool grew_2 = grew_1 != 0;
        f32 t_11[2];
        f32 t_12[8];
        f32 t_13[16];
        if (grew_2) {
          f32 alpha[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next = grew[r] ? top[r] : m[r];
            alpha[r] = tw_exp2((m[r] - next) * c);
            t_11[r] = next;
          }
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_12[r * 4 + j * 2 + k] = l[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_13[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_11[r] = m[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            t_12[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            t_13[r] = acc[r];
          }
        }
        f32 t_14[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_14[r] = t_11[r] * c;
        }
        f32 p[8];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              p[r * 4 + j * 2 + k] = tw_exp2(x[r * 4 + j * 2 + k] * c - t_14[j]);
            }
          }
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_f16 t213_shared_tile[2];
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              t213_shared_tile[k] = tw_f32_to_f16(p[r * 4 + j * 2 + k]);
            }
            tw_sts<u32>(
                t213_shared + (u32)((swizzled_3 ^ (r * 8)) + j * 512) * 2u,
                tw_pack_u16x2(t213_shared_tile[0], t213_shared_tile[1]));
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a_1[4];
          u32 b_1[8];
          tw_ldmatrix_x4(&a_1[0], t213_shared + (u32)(swizzled_4 ^ (r * 16)) * 2u);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_ldmatrix_x4_trans(
                &b_1[j * 4], vt + (u32)((swizzled_5 ^ (j * 16)) + r * 2048 + kt_slot_1) * 2u);
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_mma_m16n8k16_f32_f16(&t_13[j * 4], &a_1[0], &b_1[j * 2]);
          }
        }
        const i32 slot_3 = slot_1 + 1;
        const i32 fill_1 = fill + 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          m[r] = t_11[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          l[r] = t_12[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          acc[r] = t_13[r];
        }
        slot_1 = slot_3 == 2 ? 0 : slot_3;
        fill = fill_1 == 2 ? 0 : fill_1;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages_1[r] = pages_3[r];
        }
      }
      f32 sum_3[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum_3[r] = 0.0f;
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            sum_3[j] = sum_3[j] + l[r * 4 + j * 2 + k];
          }
        }
      }
      f32 other_8;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        other_8 = tw_shfl_xor<f32>(sum_3[r], 1);
        sum_3[r] = sum_3[r] + other_8;
        other_8 = tw_shfl_xor<f32>(sum_3[r], 2);
        sum_3[r] = sum_3[r] + other_8;
      }
      if (is_first) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_sts<f32>(t218_parts + (u32)(part_at + r * 8) * 4u, sum_3[r]);
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum_3[r] = tw_lds<f32>(t218_parts + (u32)(t_GP_1 + r * 8) * 4u);
        #pragma unroll
        for (i32 j = 1; j < 4; ++j) {
          f32 other_9;
          other_9 = tw_lds<f32>(t218_parts + (u32)(t_GP_1 + r * 8 + j * 16) * 4u);
          sum_3[r] = sum_3[r] + other_9;
        }
      }
      f32 total_1[2];
      f32 t_15[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        total_1[r] = tw_max(sum_3[r], 1e-30f);
        t_15[r] = 1.0f / total_1[r];
      }
      f32 value[16];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            value[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * t_15[j];
          }
        }
      }
      f32 logSum[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        logSum[r] = m[r] * c + tw_log2(total_1[r]);
      }
      const i32 t_16 = each + 1;
      const i32 edge = t_3 * t_16;
      const i32 t_17 = tw_max_i32(each, 1);
      const i32 first_1 = begin_1 < edge ? tw_floordiv_i32(begin_1, t_16) : t_3 + tw_floordiv_i32(begin_1 - edge, t_17);
      const i32 t_18 = tw_max_i32(length, 1);
      const i32 first_2 = isSpread ? tw_floordiv_i32((begin_1 + 1) * shares - 1, t_18) : first_1;
      const i32 t_19 = begin_1 + blocks_1 - 1;
      const i32 first_3 = t_19 < edge ? tw_floordiv_i32(t_19, t_16) : t_3 + tw_floordiv_i32(t_19 - edge, t_17);
      const i32 last = isSpread ? tw_floordiv_i32((t_19 + 1) * shares - 1, t_18) : first_3;
      const bool t_20 = first_2 == last;
      const i32 t_D_1 = warp * 32 + (lane & 3) * 2;
      const i32 o_at = t_GP_1 * 128 + t_D_1;
      if (t_20) {
        const i64 sinks_at = (i64)pid0 * 4ll + (i64)g + (i64)t_GP_1;
        tw_f16 sinks_tile[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sinks_tile[r] = kCache_in && t_GP_1 + r * 8 < left_2 ? tw_ldg_nc<u16>(sinks + (sinks_at + (i64)(r * 8))) : (u16)0;
        }
        f32 t_21[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 t_22 = tw_f16_to_f32(sinks_tile[r]) * 1.442695f;
          const f32 m_1 = tw_max(logSum[r], t_22);
          const f32 w = tw_exp2(logSum[r] - m_1);
          t_21[r] = w / (w + tw_exp2(t_22 - m_1));
        }
        const i64 o_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)s * (i64)stride + (i64)o_at;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_f16 o_tile[2];
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              o_tile[k] = tw_f32_to_f16(value[r * 4 + j * 2 + k] * t_21[j]);
            }
            if (q_in && t_GP_1 + j * 8 < left_2) {
              tw_stg<u32>(
                  o + (o_at_1 + (i64)(j * 1024 + r * 8)), tw_pack_u16x2(o_tile[0], o_tile[1]));
            }
          }
        }
      } else {
        const i32 t_23 = s + pid1;
        const i64 partial_at = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)t_23 * (i64)stride + (i64)o_at;
        const bool partial_in = (u32)t_23 < (u32)P && pid0 < HKV;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            if (partial_in && t_GP_1 + j * 8 < left_2) {
              tw_stg<tw_f32x2>(partial + (partial_at + (i64)(j * 1024 + r * 8)), tw_f32x2{
                  value[r * 4 + j * 2], value[r * 4 + j * 2 + 1]});
            }
          }
        }
        const i32 stride_3 = HKV * 4;
        const i64 lse_at = (i64)pid0 * 4ll + (i64)g + (i64)t_GP_1 + (i64)t_23 * (i64)stride_3;
        const bool is_first_1 = (lane & 3) == 0 && thread < 32;
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            if (partial_in && t_GP_1 + r * 8 < left_2) {
              tw_stg<f32>(lse + (lse_at + (i64)(r * 8)), logSum[r]);
            }
          }
        }
        tw_syncthreads();
        const i64 arrived_at = (i64)pid0 * 4ll + (i64)g + (i64)s * (i64)stride_3;
        i32 t_24 = 0;
        const bool is_first_2 = thread == 0;
        if (is_first_2) {
          t_24 = q_in ? tw_last_arrival(arrived + arrived_at, last - first_2 + 1) : 0;
        }
        if (is_first_2) {
          tw_sts<i32>(arrived_old, t_24);
        }
        tw_syncthreads();
        t_24 = tw_lds<i32>(arrived_old);
        const bool t_25 = t_24 != 0;
        if (t_25) {
          const i32 first_4 = s + first_2;
          const i32 end = s + last + 1;
          const i64 sinks_at_1 = (i64)pid0 * 4ll + (i64)warp;
          const i32 bound = tw_min_i32(end, P);
          const i32 bound_1 = tw_max_i32(bound, 0);
          const i32 t_D_2 = lane * 4;
          const i32 partial_at_1 = warp * 128 + t_D_2;
          const i64 partial_at_2 = (i64)pid0 * 512ll + (i64)partial_at_1;
          const i64 o_at_2 = (i64)pid0 * 512ll + (i64)s * (i64)stride + (i64)partial_at_1;
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
            const i64 partial_at_3 = partial_at_2 + (i64)g_1 * 128ll;
            for (i32 j_1 = first_4; j_1 < end; j_1 += 16) {
              const i64 lse_at_1 = sinks_at_2 + (i64)j_1 * (i64)stride_3;
              f32 x_1[16];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                x_1[r] = kCache_in && (u32)(j_1 + r) < (u32)bound_1 ? tw_ldg<f32>(lse + (lse_at_1 + (i64)(r * stride_3))) : tw_bits_f32(0xff800000u);
              }
              const i64 partial_at_4 = partial_at_3 + (i64)j_1 * (i64)stride;
              f32 part[64];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                const tw_f32x4 part_vec = kCache_in && (u32)(j_1 + r) < (u32)bound_1 ? tw_ldg<tw_f32x4>(partial + (partial_at_4 + (i64)(r * stride))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
                part[r * 4] = part_vec.x; part[r * 4 + 1] = part_vec.y;
                part[r * 4 + 2] = part_vec.z; part[r * 4 + 3] = part_vec.w;
              }
              f32 most_2 = tw_bits_f32(0xff800000u);
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                most_2 = tw_max(most_2, x_1[r]);
              }
              const f32 next_1 = tw_max(m_2, most_2);
              f32 w_1[16];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                w_1[r] = tw_exp2(x_1[r] - next_1);
              }
              const f32 alpha_1 = tw_exp2(m_2 - next_1);
              f32 sum_4 = 0.0f;
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                sum_4 = sum_4 + w_1[r];
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
                  sum_5[j] = sum_5[j] + w_1[r] * part[r * 4 + j];
                }
              }
              l_1 = l_1 * alpha_1 + sum_4;
              #pragma unroll
              for (i32 r = 0; r < 4; ++r) {
                acc_1[r] = acc_1[r] * alpha_1 + sum_5[r];
              }
              m_2 = next_1;
            }
            const f32 t_26 = tw_max(l_1, 1e-30f);
            const i64 o_at_3 = o_at_2 + (i64)g_1 * 128ll;
            tw_f16 o_tile_1[4];
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              o_tile_1[r] = tw_f32_to_f16(acc_1[r] / t_26);
            }
            if (q_in) {
              tw_stg<tw_u32x2>(o + o_at_3, tw_u32x2{
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
  const i32 stride_4 = HKV * 512;
  const i32 t_GP_2 = thread >> 4;
  const i32 t_D_3 = (lane & 15) * 8;
  const i32 o_at_4 = t_GP_2 * 128 + t_D_3;
  const i64 o_at_5 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)o_at_4;
  const bool o_in = pid0 < HKV;
  const i32 left_3 = 4 - g;
  for (i32 s_1 = pid1; s_1 < S; s_1 += step) {
    const i64 lens_at_4 = (i64)s_1;
    i32 lens_tile_2;
    lens_tile_2 = tw_ldg_nc<i32>(lens + lens_at_4);
    const i32 t_27 = ((lens_tile_2 + 63) >> 6) - ((t ? tw_max_i32(lens_tile_2 - window, 0) : 0) >> 6);
    const bool t_28 = t_27 == 0;
    if (t_28) {
      tw_syncthreads();
      const i64 o_at_6 = o_at_5 + (i64)s_1 * (i64)stride_4;
      const bool o_in_1 = o_in && (u32)s_1 < (u32)S;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_f16 o_tile_2[8];
        #pragma unroll
        for (i32 j = 0; j < 8; ++j) {
          o_tile_2[j] = 0;
        }
        if (o_in_1 && t_GP_2 + r * 8 < left_3) {
          tw_stg<tw_u32x4>(o + (o_at_6 + (i64)(r * 1024)), tw_u32x4{
              tw_pack_u16x2(o_tile_2[0], o_tile_2[1]), tw_pack_u16x2(o_tile_2[2], o_tile_2[3]),
              tw_pack_u16x2(o_tile_2[4], o_tile_2[5]), tw_pack_u16x2(o_tile_2[6], o_tile_2[7])});
        }
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
