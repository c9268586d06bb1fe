// shared_suffix_decode for cuda sm_80, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=16 BN=32 BS=256 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 NB%2 MAXB%2
// 128 threads in 4 warps of 32, 38400 bytes of shared memory
//       0 … 16384: kt bf16[8192]
//   16384 … 32768: vt bf16[8192]
//   32768 … 36864: qt bf16[2048]
//   36864 … 37888: t184_shared bf16[512]
//   37888 … 38144: t154_parts f32[64]
//   38144 … 38400: t189_parts f32[64]

TW_KERNEL(128) shared_suffix_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* lens, const i32* own, f32* partial, f32* lse, i32 S, i32 HKV, i32 NB, i32 MAXB,
    i32 P, f32 scale, f32 vScale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 32768u;
  tw_label(qt, 4096u, "qt");
  const u32 kt = smem;
  tw_label(kt, 16384u, "kt");
  const u32 t154_parts = smem + 37888u;
  tw_label(t154_parts, 256u, "t154_parts");
  const u32 t184_shared = smem + 36864u;
  tw_label(t184_shared, 1024u, "t184_shared");
  const u32 vt = smem + 16384u;
  tw_label(vt, 16384u, "vt");
  const u32 t189_parts = smem + 38144u;
  tw_label(t189_parts, 256u, "t189_parts");
  const i32 programs = P - S;
  const i32 g = 0;
  i32 length = 0;
  const i32 t_BS = lane * 8;
  const i64 own_at = (i64)t_BS;
  for (i32 i = 0; i < S; i += 256) {
    const i64 own_at_1 = own_at + (i64)i;
    i32 own_tile[8];
    const i32 left = S - i;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_i32x2 own_tile_vec = t_BS + r * 2 < left ? tw_ldg_nc<tw_i32x2>(own + (own_at_1 + (i64)(r * 2))) : tw_i32x2{0, 0};
      own_tile[r * 2] = own_tile_vec.x; own_tile[r * 2 + 1] = own_tile_vec.y;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum = sum + ((own_tile[r] + 31) >> 5);
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
  const bool t = (S > 1 ? tw_floormod_i32(programs, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread = t && programs <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(programs, length), 1);
  const i32 t_1 = tw_min_i32(pid1, shares);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 t_2 = length - each * shares;
  const i32 lo = isSpread ? tw_floordiv_i32(t_1 * length, shares) : t_1 * each + tw_min_i32(t_1, t_2);
  const i32 t_3 = tw_min_i32(pid1 + 1, shares);
  const i32 hi = isSpread ? tw_floordiv_i32(t_3 * length, shares) : t_3 * each + tw_min_i32(t_3, t_2);
  i32 sequence = 0;
  i32 begin = 0;
  i32 passed = 0;
  const i32 position = lane & 31;
  for (i32 i_1 = 0; i_1 < S; i_1 += 256) {
    const i64 own_at_2 = own_at + (i64)i_1;
    i32 own_tile_1[8];
    const i32 left_1 = S - i_1;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_i32x2 own_tile_1_vec = t_BS + r * 2 < left_1 ? tw_ldg_nc<tw_i32x2>(own + (own_at_2 + (i64)(r * 2))) : tw_i32x2{0, 0};
      own_tile_1[r * 2] = own_tile_1_vec.x; own_tile_1[r * 2 + 1] = own_tile_1_vec.y;
    }
    i32 t_4[8];
    i32 scan_sum[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_4[r] = (own_tile_1[r] + 31) >> 5;
      scan_sum[r] = t_4[r];
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
      sum_2 = sum_2 + t_4[r];
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
    const i64 own_at_3 = (i64)s;
    i32 len;
    len = tw_ldg_nc<i32>(own + own_at_3);
    const i32 t_6 = (len + 31) >> 5;
    const i32 t_7 = tw_max_i32(lo - begin_1, 0) * 32;
    const i32 t_8 = tw_min_i32(t_6, hi - begin_1) * 32;
    const bool t_9 = t_7 < t_8;
    if (t_9) {
      i32 lens_tile;
      lens_tile = tw_ldg_nc<i32>(lens + own_at_3);
      const i32 skip = lens_tile - len;
      const i32 from = t_7 + skip;
      const i32 to = t_8 + skip;
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
      const i32 t_BN = warp * 8 + (lane & 3) * 2;
      const bool more = from < to;
      const i32 stride_1 = HKV * 2048;
      const i32 stride_2 = HKV * 128;
      const i64 kCache_at = (i64)pid0 * 128ll + (i64)t_D;
      const bool kCache_in = pid0 < HKV;
      if (more) {
        i32 kpos[4];
        i32 t_10[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          kpos[r] = from + t_GP + r * 8;
          t_10[r] = kpos[r] < lens_tile && kpos[r] >= 0 ? kpos[r] >> 4 : -1;
        }
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        i32 pages[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages[r] = table_in && (u32)t_10[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_10[r])) : -1;
        }
        i32 slot[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          slot[r] = kpos[r] & 15;
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          tw_cp_async_16_zfill(
              kt + (u32)(swizzled + r * 1024) * 2u,
              kCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              kCache_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          tw_cp_async_16_zfill(
              vt + (u32)(swizzled + r * 1024) * 2u,
              vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              kCache_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
      }
      tw_cp_async_commit();
      const i32 n = from + 32;
      const bool more_1 = n < to;
      i32 pages_1[4];
      if (more_1) {
        i32 t_11[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          const i32 kpos_1 = n + t_GP + r * 8;
          t_11[r] = kpos_1 < lens_tile && kpos_1 >= 0 ? kpos_1 >> 4 : -1;
        }
        const i64 table_at_1 = (i64)s * (i64)MAXB;
        const bool table_in_1 = (u32)s < (u32)S;
        i32 pages_2[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages_2[r] = table_in_1 && (u32)t_11[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_11[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages_1[r] = pages_2[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages_1[r] = -1;
        }
      }
      f32 m[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        m[r] = -1e+30f;
      }
      f32 l[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
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
      const i32 kt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 8 + warp * 1024;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const i32 t_GP_1 = lane >> 2;
      const bool is_first = (lane & 3) == 0;
      const i32 part_at = warp * 16 + t_GP_1;
      const i32 t184_shared_at = (lane & 3) * 2 + (lane >> 2) * 32 + warp * 8;
      const i32 swizzled_3 = t184_shared_at ^ ((t184_shared_at >> 3) & 24);
      const i32 t184_shared_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 256 + (lane >> 4) * 8;
      const i32 vt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8 + warp * 32;
      const i32 swizzled_4 = t184_shared_at_1 ^ ((t184_shared_at_1 >> 3) & 24);
      const i32 swizzled_5 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n_1 = from; n_1 < to; n_1 += 32) {
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 n_2 = n_1 + 32;
        const bool more_2 = n_2 < to;
        if (more_2) {
          i32 slot_2[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            slot_2[r] = (n_2 + t_GP + r * 8) & 15;
          }
          const i32 kt_slot = fill * 4096;
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            tw_cp_async_16_zfill(
                kt + (u32)(swizzled + r * 1024 + kt_slot) * 2u,
                kCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                kCache_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            tw_cp_async_16_zfill(
                vt + (u32)(swizzled + r * 1024 + kt_slot) * 2u,
                vCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                kCache_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
        }
        tw_cp_async_commit();
        const i32 n_3 = n_2 + 32;
        const bool more_3 = n_3 < to;
        i32 pages_3[4];
        if (more_3) {
          i32 t_12[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            const i32 kpos_2 = n_3 + t_GP + r * 8;
            t_12[r] = kpos_2 < lens_tile && kpos_2 >= 0 ? kpos_2 >> 4 : -1;
          }
          i32 pages_4[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            pages_4[r] = table_in_2 && (u32)t_12[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_2 + (i64)t_12[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            pages_3[r] = pages_4[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            pages_3[r] = -1;
          }
        }
        i32 kpos_3[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          kpos_3[r] = n_1 + t_BN + r;
        }
        f32 scores[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          scores[r] = 0.0f;
        }
        const i32 kt_slot_1 = slot_1 * 4096;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          u32 a[4];
          u32 b[2];
          tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_1 ^ (r * 16)) * 2u);
          tw_ldmatrix_x2(&b[0], kt + (u32)((swizzled_2 ^ (r * 16)) + kt_slot_1) * 2u);
          tw_mma_m16n8k16_f32_bf16(&scores[0], &a[0], &b[0]);
        }
        bool seen[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          seen[r] = kpos_3[r] < lens_tile && kpos_3[r] >= 0;
        }
        f32 x[4];
        f32 most_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            x[r * 2 + j] = seen[j] ? scores[r * 2 + j] : tw_bits_f32(0xff800000u);
          }
          most_1[r] = tw_bits_f32(0xff800000u);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            most_1[r] = tw_max(most_1[r], x[r * 2 + j]);
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
            tw_sts<f32>(t154_parts + (u32)(part_at + r * 8) * 4u, most_1[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_1[r] = tw_lds<f32>(t154_parts + (u32)(t_GP_1 + r * 8) * 4u);
          #pragma unroll
          for (i32 j = 1; j < 4; ++j) {
            f32 other_6;
            other_6 = tw_lds<f32>(t154_parts + (u32)(t_GP_1 + r * 8 + j * 16) * 4u);
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
        f32 t_13[2];
        f32 t_14[4];
        f32 t_15[16];
        if (grew_2) {
          f32 alpha[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next = grew[r] ? top[r] : m[r];
            alpha[r] = tw_exp2((m[r] - next) * c);
            t_13[r] = next;
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t_14[r * 2 + j] = l[r * 2 + j] * alpha[r];
            }
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_15[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_13[r] = m[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            t_14[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            t_15[r] = acc[r];
          }
        }
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 t_16 = t_13[r] * c;
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            p[r * 2 + j] = tw_exp2(x[r * 2 + j] * c - t_16);
          }
          tw_bf16 t184_shared_tile[2];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t184_shared_tile[j] = tw_f32_to_bf16(p[r * 2 + j]);
          }
          tw_sts<u32>(
              t184_shared + (u32)(swizzled_3 + r * 256) * 2u,
              tw_pack_u16x2(t184_shared_tile[0], t184_shared_tile[1]));
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          u32 a_1[4];
          u32 b_1[8];
          tw_ldmatrix_x4(&a_1[0], t184_shared + (u32)(swizzled_4 ^ (r * 16)) * 2u);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_ldmatrix_x4_trans(
                &b_1[j * 4], vt + (u32)((swizzled_5 ^ (j * 16)) + r * 2048 + kt_slot_1) * 2u);
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_mma_m16n8k16_f32_bf16(&t_15[j * 4], &a_1[0], &b_1[j * 2]);
          }
        }
        const i32 slot_3 = slot_1 + 1;
        const i32 fill_1 = fill + 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          m[r] = t_13[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = t_14[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          acc[r] = t_15[r];
        }
        slot_1 = slot_3 == 2 ? 0 : slot_3;
        fill = fill_1 == 2 ? 0 : fill_1;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          pages_1[r] = pages_3[r];
        }
      }
      f32 sum_3[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum_3[r] = 0.0f;
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          sum_3[r] = sum_3[r] + l[r * 2 + j];
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
          tw_sts<f32>(t189_parts + (u32)(part_at + r * 8) * 4u, sum_3[r]);
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum_3[r] = tw_lds<f32>(t189_parts + (u32)(t_GP_1 + r * 8) * 4u);
        #pragma unroll
        for (i32 j = 1; j < 4; ++j) {
          f32 other_9;
          other_9 = tw_lds<f32>(t189_parts + (u32)(t_GP_1 + r * 8 + j * 16) * 4u);
          sum_3[r] = sum_3[r] + other_9;
        }
      }
      f32 total_1[2];
      f32 t_17[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        total_1[r] = tw_max(sum_3[r], 1e-30f);
        t_17[r] = 1.0f / total_1[r];
      }
      const i32 t_18 = s + pid1;
      const i32 t_D_1 = warp * 32 + (lane & 3) * 2;
      const i32 partial_at = t_GP_1 * 128 + t_D_1;
      const i64 partial_at_1 = (i64)pid0 * 512ll + (i64)g * 128ll + (i64)t_18 * (i64)stride + (i64)partial_at;
      const bool partial_in = (u32)t_18 < (u32)P && pid0 < HKV;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          f32 value[2];
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            value[k] = acc[r * 4 + j * 2 + k] * t_17[j];
          }
          if (partial_in && t_GP_1 + j * 8 < left_2) {
            tw_stg<tw_f32x2>(
                partial + (partial_at_1 + (i64)(j * 1024 + r * 8)), tw_f32x2{value[0], value[1]});
          }
        }
      }
      const i32 stride_3 = HKV * 4;
      const i64 lse_at = (i64)pid0 * 4ll + (i64)g + (i64)t_18 * (i64)stride_3 + (i64)t_GP_1;
      const bool is_first_1 = (lane & 3) == 0 && thread < 32;
      if (is_first_1) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 logSum = m[r] * c + tw_log2(total_1[r]);
          if (partial_in && t_GP_1 + r * 8 < left_2) {
            tw_stg<f32>(lse + (lse_at + (i64)(r * 8)), logSum);
          }
        }
      }
    }
    begin_1 = begin_1 + t_6;
    s = s + 1;
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
