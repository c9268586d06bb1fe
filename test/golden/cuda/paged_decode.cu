// paged_decode for cuda sm_80, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=16 BN=16 BS=32 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=64 PAGE=16
// dims divisible: S%2 HKV%2 MAXB%4 P%4
// 128 threads in 4 warps of 32, 11008 bytes of shared memory
//       0 … 4096: kt bf16[2048]
//    4096 … 8192: vt bf16[2048]
//    8192 … 10240: qt bf16[1024]
//   10240 … 10752: t212_shared bf16[256]
//   10752 … 10880: t182_parts f32[32]
//   10880 … 11008: t217_parts f32[32]

TW_KERNEL(128) paged_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* lens, f32* partial, f32* lse, i32 S, i32 HKV, i32 NB, i32 MAXB, i32 P, f32 scale,
    f32 vScale, i32 window) {
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
  const u32 t182_parts = smem + 10752u;
  tw_label(t182_parts, 128u, "t182_parts");
  const u32 t212_shared = smem + 10240u;
  tw_label(t212_shared, 512u, "t212_shared");
  const u32 vt = smem + 4096u;
  tw_label(vt, 4096u, "vt");
  const u32 t217_parts = smem + 10880u;
  tw_label(t217_parts, 128u, "t217_parts");
  const i32 programs = P - S;
  const i32 g = 0;
  const bool t = window > 0;
  i32 length = 0;
  const i64 lens_at = (i64)lane;
  for (i32 i = 0; i < S; i += 32) {
    const i32 left = S - i;
    const i64 lens_at_1 = lens_at + (i64)i;
    const bool lens_in = lane < left;
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
  const i32 position = lane & 31;
  for (i32 i_1 = 0; i_1 < S; i_1 += 32) {
    const i32 left_1 = S - i_1;
    const i64 lens_at_2 = lens_at + (i64)i_1;
    const bool lens_in_1 = lane < left_1;
    i32 lens_tile_1;
    lens_tile_1 = lens_in_1 ? tw_ldg_nc<i32>(lens + lens_at_2) : 0;
    const i32 blocks = ((lens_tile_1 + 15) >> 4) - ((t ? tw_max_i32(lens_tile_1 - window, 0) : 0) >> 4);
    i32 scan_sum = blocks;
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
    other_1 = tw_shfl_idx<i32>(total, position >= 1 ? lane - 1 : lane);
    before = position == 0 ? 0 : other_1;
    scan_sum = before + scan_sum;
    const i32 ends = passed + scan_sum;
    const bool isBefore = i_1 + lane < S && ends <= lo;
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
      tw_cp_async_commit();
      tw_cp_async_wait<0>();
      tw_syncthreads();
      const i32 stride = HKV * 256;
      const i32 t_GP = thread >> 3;
      const i32 left_2 = 4 - g;
      const i32 t_D = (lane & 7) * 8;
      const i32 q_at = t_GP * 64 + t_D;
      const i64 q_at_1 = (i64)pid0 * 256ll + (i64)g * 64ll + (i64)s * (i64)stride + (i64)q_at;
      const bool q_in = (u32)s < (u32)S && pid0 < HKV && t_GP < left_2;
      const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
      const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
      tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
      const f32 c = scale * 1.442695f;
      const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
      const i32 stride_1 = HKV * 1024;
      const i32 stride_2 = HKV * 64;
      if (t_7) {
        const i32 kpos = from + t_GP;
        const i32 t_8 = kpos < len && kpos >= start ? kpos >> 4 : -1;
        const i64 table_at = (i64)s * (i64)MAXB + (i64)t_8;
        const bool table_in = (u32)s < (u32)S && (u32)t_8 < (u32)MAXB;
        i32 pages;
        pages = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
        const i32 slot = kpos & 15;
        const i64 kCache_at = (i64)pid0 * 64ll + (i64)t_D + (i64)pages * (i64)stride_1 + (i64)slot * (i64)stride_2;
        const bool kCache_in = (u32)pages < (u32)NB && pid0 < HKV;
        tw_cp_async_16_zfill(kt + (u32)swizzled * 2u, kCache + kCache_at, kCache_in ? 16u : 0u);
        tw_cp_async_16_zfill(vt + (u32)swizzled * 2u, vCache + kCache_at, kCache_in ? 16u : 0u);
      }
      tw_cp_async_commit();
      const i32 n = from + 16;
      const bool more = n < to;
      i32 pages_1;
      if (more) {
        const i32 kpos_1 = n + t_GP;
        const i32 t_9 = kpos_1 < len && kpos_1 >= start ? kpos_1 >> 4 : -1;
        const i64 table_at_1 = (i64)s * (i64)MAXB + (i64)t_9;
        const bool table_in_1 = (u32)s < (u32)S && (u32)t_9 < (u32)MAXB;
        i32 pages_2;
        pages_2 = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
        pages_1 = pages_2;
      } else {
        pages_1 = -1;
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
      f32 acc[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        acc[r] = 0.0f;
      }
      i32 slot_1 = 0;
      i32 fill = 1;
      i32 pages_3 = pages_1;
      const i64 kCache_at_1 = (i64)pid0 * 64ll + (i64)t_D;
      const bool kCache_in_1 = pid0 < HKV;
      const i64 table_at_2 = (i64)s * (i64)MAXB;
      const bool table_in_2 = (u32)s < (u32)S;
      const i32 qt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
      const i32 kt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 8 + (warp & 1) * 512;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 3) & 56);
      const i32 t_GP_1 = lane >> 2;
      const i32 part = warp & 1;
      const bool is_first = (lane & 3) == 0 && thread < 64;
      const i32 part_at = part * 16 + t_GP_1;
      const i32 t212_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
      const bool is_first_1 = thread < 64;
      const i32 swizzled_3 = t212_shared_at ^ ((t212_shared_at >> 3) & 8);
      const i32 t212_shared_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
      const i32 vt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
      const i32 swizzled_4 = t212_shared_at_1 ^ ((t212_shared_at_1 >> 3) & 8);
      const i32 swizzled_5 = vt_at ^ ((vt_at >> 3) & 56);
      for (i32 n_1 = from; n_1 < to; n_1 += 16) {
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 n_2 = n_1 + 16;
        const bool more_1 = n_2 < to;
        if (more_1) {
          const i32 slot_2 = (n_2 + t_GP) & 15;
          const i64 kCache_at_2 = kCache_at_1 + (i64)pages_3 * (i64)stride_1 + (i64)slot_2 * (i64)stride_2;
          const bool kCache_in_2 = kCache_in_1 && (u32)pages_3 < (u32)NB;
          const i32 kt_slot = fill * 1024;
          tw_cp_async_16_zfill(
              kt + (u32)(swizzled + kt_slot) * 2u, kCache + kCache_at_2, kCache_in_2 ? 16u : 0u);
          tw_cp_async_16_zfill(
              vt + (u32)(swizzled + kt_slot) * 2u, vCache + kCache_at_2, kCache_in_2 ? 16u : 0u);
        }
        tw_cp_async_commit();
        const i32 n_3 = n_2 + 16;
        const bool more_2 = n_3 < to;
        i32 pages_4;
        if (more_2) {
          const i32 kpos_2 = n_3 + t_GP;
          const i32 t_10 = kpos_2 < len && kpos_2 >= start ? kpos_2 >> 4 : -1;
          const i64 table_at_3 = table_at_2 + (i64)t_10;
          const bool table_in_3 = table_in_2 && (u32)t_10 < (u32)MAXB;
          i32 pages_5;
          pages_5 = table_in_3 ? tw_ldg_nc<i32>(table + table_at_3) : -1;
          pages_4 = pages_5;
        } else {
          pages_4 = -1;
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
        const i32 kt_slot_1 = slot_1 * 1024;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a[4];
          u32 b[2];
          tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_1 ^ (r * 16)) * 2u);
          tw_ldmatrix_x2(&b[0], kt + (u32)((swizzled_2 ^ (r * 16)) + kt_slot_1) * 2u);
          tw_mma_m16n8k16_f32_bf16(&scores[0], &a[0], &b[0]);
        }
        bool seen[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          seen[r] = kpos_3[r] < len && kpos_3[r] >= start;
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
            tw_sts<f32>(t182_parts + (u32)(part_at + r * 8) * 4u, most_1[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_1[r] = tw_lds<f32>(t182_parts + (u32)(t_GP_1 + r * 8) * 4u);
          f32 other_6;
          other_6 = tw_lds<f32>(t182_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
          most_1[r] = tw_max(most_1[r], other_6);
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
        f32 t_12[4];
        f32 t_13[8];
        if (grew_2) {
          f32 alpha[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next = grew[r] ? top[r] : m[r];
            alpha[r] = tw_exp2((m[r] - next) * c);
            t_11[r] = next;
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t_12[r * 2 + j] = l[r * 2 + j] * alpha[r];
            }
          }
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
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
          for (i32 r = 0; r < 4; ++r) {
            t_12[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            t_13[r] = acc[r];
          }
        }
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 t_14 = t_11[r] * c;
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            p[r * 2 + j] = tw_exp2(x[r * 2 + j] * c - t_14);
          }
        }
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_bf16 t212_shared_tile[2];
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t212_shared_tile[j] = tw_f32_to_bf16(p[r * 2 + j]);
            }
            tw_sts<u32>(
                t212_shared + (u32)(swizzled_3 + r * 128) * 2u,
                tw_pack_u16x2(t212_shared_tile[0], t212_shared_tile[1]));
          }
        }
        tw_syncthreads();
        u32 a_1[4];
        u32 b_1[4];
        tw_ldmatrix_x4(&a_1[0], t212_shared + (u32)swizzled_4 * 2u);
        tw_ldmatrix_x4_trans(&b_1[0], vt + (u32)(swizzled_5 + kt_slot_1) * 2u);
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_mma_m16n8k16_f32_bf16(&t_13[r * 4], &a_1[0], &b_1[r * 2]);
        }
        const i32 slot_3 = slot_1 + 1;
        const i32 fill_1 = fill + 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          m[r] = t_11[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = t_12[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          acc[r] = t_13[r];
        }
        slot_1 = slot_3 == 2 ? 0 : slot_3;
        fill = fill_1 == 2 ? 0 : fill_1;
        pages_3 = pages_4;
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
          tw_sts<f32>(t217_parts + (u32)(part_at + r * 8) * 4u, sum_3[r]);
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum_3[r] = tw_lds<f32>(t217_parts + (u32)(t_GP_1 + r * 8) * 4u);
        f32 other_9;
        other_9 = tw_lds<f32>(t217_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
        sum_3[r] = sum_3[r] + other_9;
      }
      f32 total_1[2];
      f32 t_15[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        total_1[r] = tw_max(sum_3[r], 1e-30f);
        t_15[r] = 1.0f / total_1[r];
      }
      const i32 t_16 = s + pid1;
      const i32 t_D_1 = warp * 16 + (lane & 3) * 2;
      const i32 partial_at = t_GP_1 * 64 + t_D_1;
      const i64 partial_at_1 = (i64)pid0 * 256ll + (i64)g * 64ll + (i64)t_16 * (i64)stride + (i64)partial_at;
      const bool partial_in = (u32)t_16 < (u32)P && pid0 < HKV;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          f32 value[2];
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            value[k] = acc[r * 4 + j * 2 + k] * t_15[j];
          }
          if (partial_in && t_GP_1 + j * 8 < left_2) {
            tw_stg<tw_f32x2>(
                partial + (partial_at_1 + (i64)(j * 512 + r * 8)), tw_f32x2{value[0], value[1]});
          }
        }
      }
      const i32 stride_3 = HKV * 4;
      const i64 lse_at = (i64)pid0 * 4ll + (i64)g + (i64)t_16 * (i64)stride_3 + (i64)t_GP_1;
      const bool is_first_2 = (lane & 3) == 0 && thread < 32;
      if (is_first_2) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 logSum = m[r] * c + tw_log2(total_1[r]);
          if (partial_in && t_GP_1 + r * 8 < left_2) {
            tw_stg<f32>(lse + (lse_at + (i64)(r * 8)), logSum);
          }
        }
      }
    }
    begin_1 = begin_1 + blocks_1;
    s = s + 1;
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
