// shared_prefix_decode for cuda sm_80, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=64 BN=64 BS=256 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 NB%2 MAXB%2 M%16 P%4 R%16
// 128 threads in 4 warps of 32, 81936 bytes of shared memory
//       0 … 32768: kt bf16[16384]
//   32768 … 65536: vt bf16[16384]
//   65536 … 81920: qt bf16[8192]
//   81920 … 81936: grew_parts i32[4]

TW_KERNEL(128) shared_prefix_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* members, const i32* tileLens, const i32* shared, f32* partial, f32* lse, i32 S,
    i32 HKV, i32 NB, i32 MAXB, i32 B, i32 M, i32 P, i32 R, f32 scale, f32 vScale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 65536u;
  tw_label(qt, 16384u, "qt");
  const u32 kt = smem;
  tw_label(kt, 32768u, "kt");
  const u32 grew_parts = smem + 81920u;
  tw_label(grew_parts, 16u, "grew_parts");
  const u32 vt = smem + 32768u;
  tw_label(vt, 32768u, "vt");
  const i32 programs = P - B;
  const i32 t = (R + 63) >> 6;
  const i32 h = tw_floordiv_i32(pid0, t);
  const i32 g = tw_floormod_i32(pid0, t) * 64;
  i32 length = 0;
  const i32 t_BS = lane * 8;
  const i64 tileLens_at = (i64)t_BS;
  for (i32 i = 0; i < B; i += 256) {
    const i64 tileLens_at_1 = tileLens_at + (i64)i;
    i32 tileLens_tile[8];
    const i32 left = B - i;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      tileLens_tile[r] = t_BS + r < left ? tw_ldg_nc<i32>(tileLens + (tileLens_at_1 + (i64)r)) : 0;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum = sum + ((tileLens_tile[r] + 63) >> 6);
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
  const bool t_1 = (B > 1 ? tw_floormod_i32(programs, tw_max_i32(B, 1)) : 1) == 0;
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
  for (i32 i_1 = 0; i_1 < B; i_1 += 256) {
    const i64 tileLens_at_2 = tileLens_at + (i64)i_1;
    i32 tileLens_tile_1[8];
    const i32 left_1 = B - i_1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      tileLens_tile_1[r] = t_BS + r < left_1 ? tw_ldg_nc<i32>(tileLens + (tileLens_at_2 + (i64)r)) : 0;
    }
    i32 t_5[8];
    i32 scan_sum[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_5[r] = (tileLens_tile_1[r] + 63) >> 6;
      scan_sum[r] = t_5[r];
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
      isBefore[r] = i_1 + t_BS + r < B && ends[r] <= lo;
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
      sum_2 = sum_2 + t_5[r];
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
    const bool t_6 = begin_1 < hi;
    if (!t_6) break;
    const i64 tileLens_at_3 = (i64)s;
    i32 len;
    len = tw_ldg_nc<i32>(tileLens + tileLens_at_3);
    const i32 t_7 = (len + 63) >> 6;
    const i32 t_8 = tw_max_i32(lo - begin_1, 0) * 64;
    const i32 t_9 = tw_min_i32(t_7, hi - begin_1) * 64;
    const bool t_10 = t_8 < t_9;
    if (t_10) {
      const i32 t_GP = thread >> 4;
      i32 row[8];
      i32 t_11[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        row[r] = g + t_GP + r * 8;
        t_11[r] = row[r] < R ? row[r] >> 2 : -1;
      }
      const i64 members_at = (i64)s * (i64)M;
      const bool members_in = (u32)s < (u32)B;
      i32 at[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        at[r] = members_in && (u32)t_11[r] < (u32)M ? tw_ldg_nc<i32>(members + (members_at + (i64)t_11[r])) : -1;
      }
      tw_cp_async_commit();
      tw_cp_async_wait<0>();
      tw_syncthreads();
      const i32 stride = HKV * 512;
      i32 t_12[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_12[r] = row[r] & 3;
      }
      const i32 t_D = (lane & 15) * 8;
      const i64 q_at = (i64)h * 512ll + (i64)t_D;
      const bool q_in = h < HKV;
      const i32 qt_at = (lane & 15) * 8 + (thread >> 4) * 128;
      const i32 swizzled = qt_at ^ ((qt_at >> 4) & 56);
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_cp_async_16_zfill(
            qt + (u32)(swizzled + r * 1024) * 2u,
            q + (q_at + (i64)at[r] * (i64)stride + (i64)t_12[r] * 128ll),
            q_in && (u32)at[r] < (u32)S ? 16u : 0u);
      }
      i32 s_1;
      s_1 = tw_ldg_nc<i32>(members + members_at);
      const f32 c = scale * 1.442695f;
      const i64 shared_at = (i64)s_1;
      i32 len_1;
      len_1 = tw_ldg_nc<i32>(shared + shared_at);
      const i32 t_BN = (lane & 3) * 2;
      const i32 stride_1 = HKV * 2048;
      const i32 stride_2 = HKV * 128;
      const i64 kCache_at = (i64)h * 128ll + (i64)t_D;
      if (t_10) {
        i32 kpos[8];
        i32 t_13[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          kpos[r] = t_8 + t_GP + r * 8;
          t_13[r] = kpos[r] < len_1 && kpos[r] >= 0 ? kpos[r] >> 4 : -1;
        }
        const i64 table_at = (i64)s_1 * (i64)MAXB;
        const bool table_in = (u32)s_1 < (u32)S;
        i32 pages[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages[r] = table_in && (u32)t_13[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_13[r])) : -1;
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
              q_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          tw_cp_async_16_zfill(
              vt + (u32)(swizzled + r * 1024) * 2u,
              vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              q_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
      }
      tw_cp_async_commit();
      const i32 n = t_8 + 64;
      const bool more = n < t_9;
      i32 pages_1[8];
      if (more) {
        i32 t_14[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          const i32 kpos_1 = n + t_GP + r * 8;
          t_14[r] = kpos_1 < len_1 && kpos_1 >= 0 ? kpos_1 >> 4 : -1;
        }
        const i64 table_at_1 = (i64)s_1 * (i64)MAXB;
        const bool table_in_1 = (u32)s_1 < (u32)S;
        i32 pages_2[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          pages_2[r] = table_in_1 && (u32)t_14[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_14[r])) : -1;
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
      f32 l[32];
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        l[r] = 0.0f;
      }
      f32 acc[64];
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        acc[r] = 0.0f;
      }
      i32 slot_1 = 0;
      i32 fill = 1;
      const i64 table_at_2 = (i64)s_1 * (i64)MAXB;
      const bool table_in_2 = (u32)s_1 < (u32)S;
      const i32 qt_at_1 = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8 + warp * 2048;
      const i32 kt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 1024;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const bool is_first = lane == 0;
      const i32 vt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8;
      const i32 swizzled_3 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n_1 = t_8; n_1 < t_9; n_1 += 64) {
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 n_2 = n_1 + 64;
        const bool more_1 = n_2 < t_9;
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
                q_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            tw_cp_async_16_zfill(
                vt + (u32)(swizzled + r * 1024 + kt_slot) * 2u,
                vCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                q_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
        }
        tw_cp_async_commit();
        const i32 n_3 = n_2 + 64;
        const bool more_2 = n_3 < t_9;
        i32 pages_3[8];
        if (more_2) {
          i32 t_15[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            const i32 kpos_2 = n_3 + t_GP + r * 8;
            t_15[r] = kpos_2 < len_1 && kpos_2 >= 0 ? kpos_2 >> 4 : -1;
          }
          i32 pages_4[8];
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            pages_4[r] = table_in_2 && (u32)t_15[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_2 + (i64)t_15[r])) : -1;
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
        i32 kpos_3[16];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            kpos_3[r * 2 + j] = n_1 + t_BN + r * 8 + j;
          }
        }
        f32 scores[32];
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          scores[r] = 0.0f;
        }
        const i32 kt_slot_1 = slot_1 * 8192;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          u32 a[4];
          u32 b[16];
          tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_1 ^ (r * 16)) * 2u);
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            tw_ldmatrix_x4(
                &b[j * 4], kt + (u32)((swizzled_2 ^ (r * 16)) + j * 2048 + kt_slot_1) * 2u);
          }
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            tw_mma_m16n8k16_f32_bf16(&scores[j * 4], &a[0], &b[j * 2]);
          }
        }
        bool seen[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          seen[r] = kpos_3[r] < len_1 && kpos_3[r] >= 0;
        }
        f32 x[32];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              x[r * 4 + j * 2 + k] = seen[r * 2 + k] ? scores[r * 4 + j * 2 + k] : tw_bits_f32(0xff800000u);
            }
          }
        }
        f32 most_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_1[r] = tw_bits_f32(0xff800000u);
        }
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
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
        i32 other_6;
        other_6 = tw_shfl_xor<i32>(grew_1, 4);
        grew_1 = tw_max_i32(grew_1, other_6);
        other_6 = tw_shfl_xor<i32>(grew_1, 8);
        grew_1 = tw_max_i32(grew_1, other_6);
        other_6 = tw_shfl_xor<i32>(grew_1, 16);
        grew_1 = tw_max_i32(grew_1, other_6);
        if (is_first) {
          tw_sts<i32>(grew_parts + (u32)warp * 4u, grew_1);
        }
        tw_syncthreads();
        i32 parts[4];
        const tw_i32x4 parts_vec = tw_lds<tw_i32x4>(grew_parts);
        parts[0] = parts_vec.x; parts[1] = parts_vec.y; parts[2] = parts_vec.z;
        parts[3] = parts_vec.w;
        grew_1 = parts[0];
        #pragma unroll
        for (i32 r = 1; r < 4; ++r) {
          grew_1 = tw_max_i32(grew_1, parts[r]);
        }
        const bool grew_2 = grew_1 != 0;
        f32 t_16[2];
        f32 t_17[32];
        f32 t_18[64];
        if (grew_2) {
          f32 alpha[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next = grew[r] ? top[r] : m[r];
            alpha[r] = tw_exp2((m[r] - next) * c);
            t_16[r] = next;
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_17[r * 4 + j * 2 + k] = l[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_18[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_16[r] = m[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_17[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 64; ++r) {
            t_18[r] = acc[r];
          }
        }
        f32 t_19[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_19[r] = t_16[r] * c;
        }
        f32 p[32];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              p[r * 4 + j * 2 + k] = tw_exp2(x[r * 4 + j * 2 + k] * c - t_19[j]);
            }
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a_1[4];
          u32 b_1[32];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            a_1[j] = tw_pack_bf16x2(p[r * 8 + j * 2], p[r * 8 + j * 2 + 1]);
          }
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            tw_ldmatrix_x4_trans(
                &b_1[j * 4], vt + (u32)((swizzled_3 ^ (j * 16)) + r * 2048 + kt_slot_1) * 2u);
          }
          #pragma unroll
          for (i32 j = 0; j < 16; ++j) {
            tw_mma_m16n8k16_f32_bf16(&t_18[j * 4], &a_1[0], &b_1[j * 2]);
          }
        }
        const i32 slot_3 = slot_1 + 1;
        const i32 fill_1 = fill + 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          m[r] = t_16[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          l[r] = t_17[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 64; ++r) {
          acc[r] = t_18[r];
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
      for (i32 r = 0; r < 8; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            sum_3[j] = sum_3[j] + l[r * 4 + j * 2 + k];
          }
        }
      }
      f32 other_7;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        other_7 = tw_shfl_xor<f32>(sum_3[r], 1);
        sum_3[r] = sum_3[r] + other_7;
        other_7 = tw_shfl_xor<f32>(sum_3[r], 2);
        sum_3[r] = sum_3[r] + other_7;
      }
      f32 total_1[2];
      f32 t_20[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        total_1[r] = tw_max(sum_3[r], 1e-30f);
        t_20[r] = 1.0f / total_1[r];
      }
      const i32 t_21 = s + pid1;
      const i32 stride_3 = R * 128 * HKV;
      const i32 stride_4 = R * 128;
      const i32 t_GP_1 = warp * 16 + (lane >> 2);
      const i32 partial_at = t_GP_1 * 128 + t_BN;
      const i64 partial_at_1 = (i64)g * 128ll + (i64)t_21 * (i64)stride_3 + (i64)h * (i64)stride_4 + (i64)partial_at;
      const bool partial_in = (u32)t_21 < (u32)P && h < HKV;
      const i32 left_2 = R - g;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          f32 value[2];
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            value[k] = acc[r * 4 + j * 2 + k] * t_20[j];
          }
          if (partial_in && t_GP_1 + j * 8 < left_2) {
            tw_stg<tw_f32x2>(
                partial + (partial_at_1 + (i64)(j * 1024 + r * 8)), tw_f32x2{value[0], value[1]});
          }
        }
      }
      const i32 stride_5 = R * HKV;
      const i64 lse_at = (i64)h * (i64)R + (i64)g + (i64)t_21 * (i64)stride_5 + (i64)t_GP_1;
      const bool is_first_1 = (lane & 3) == 0;
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
    begin_1 = begin_1 + t_7;
    s = s + 1;
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
