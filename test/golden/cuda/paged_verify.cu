// paged_verify for cuda sm_80, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=32 BN=64 BS=256 LEAST=1 stages=2 SOFTCAP=0 GM=4 BJ=16
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: HKV%2 NB%4 S%2 MAXB%2 R%16
// 64 threads in 2 warps of 32, 73872 bytes of shared memory
//       0 … 32768: kt bf16[16384]
//   32768 … 65536: vt bf16[16384]
//   65536 … 73728: qt bf16[4096]
//   73728 … 73736: grew_parts i32[2]
//   73856 … 73860: arrived_old i32[1]

TW_KERNEL(64) paged_verify(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* queryStart, const i32* lens, f32* partial, f32* lse, i32* arrived, tw_bf16* o, i32 N,
    i32 HKV, i32 NB, i32 S, i32 MAXB, i32 S1, i32 P, i32 R, f32 scale, f32 vScale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 65536u;
  tw_label(qt, 8192u, "qt");
  const u32 kt = smem;
  tw_label(kt, 32768u, "kt");
  const u32 grew_parts = smem + 73728u;
  tw_label(grew_parts, 8u, "grew_parts");
  const u32 vt = smem + 32768u;
  tw_label(vt, 32768u, "vt");
  const u32 arrived_old = smem + 73856u;
  tw_label(arrived_old, 4u, "arrived_old");
  const bool t = window > 0;
  const i32 reach = t ? window + (R >> 2) - 1 : 0;
  const i32 programs = P - S;
  const i32 t_1 = (R + 31) >> 5;
  const i32 h = tw_floordiv_i32(pid0, t_1);
  const i32 g = tw_floormod_i32(pid0, t_1) * 32;
  const bool t_2 = reach > 0;
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
      blocks[r] = ((lens_tile_1[r] + 63) >> 6) - ((t_2 ? tw_max_i32(lens_tile_1[r] - reach, 0) : 0) >> 6);
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
      const i32 t_GP = warp * 16 + (lane >> 2);
      i32 i_2[2];
      i32 at[2];
      i32 head[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const i32 t_11 = g + t_GP + r * 8;
        i_2[r] = t_11 >> 2;
        at[r] = i_2[r] < count ? start + i_2[r] : -1;
        head[r] = t_11 & 3;
      }
      const i32 t_12 = len - count;
      i32 position_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        position_1[r] = t_12 + i_2[r];
      }
      const i32 start_1 = t ? tw_max_i32(t_12 - window + 1, 0) : 0;
      i32 begin_2[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        begin_2[r] = t ? position_1[r] - window : -1;
      }
      const i32 t_GP_1 = thread >> 4;
      i32 t_13[8];
      i32 i_3[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_13[r] = g + t_GP_1 + r * 4;
        i_3[r] = t_13[r] >> 2;
      }
      tw_cp_async_commit();
      tw_cp_async_wait<0>();
      tw_syncthreads();
      const i32 stride = HKV * 512;
      i32 at_1[8];
      i32 head_1[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        at_1[r] = i_3[r] < count ? start + i_3[r] : -1;
        head_1[r] = t_13[r] & 3;
      }
      const i32 t_D = (lane & 15) * 8;
      const i64 q_at = (i64)h * 512ll + (i64)t_D;
      const bool q_in = h < HKV;
      const i32 qt_at = (lane & 15) * 8 + (thread >> 4) * 128;
      const i32 swizzled = qt_at ^ ((qt_at >> 4) & 56);
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_cp_async_16_zfill(
            qt + (u32)(swizzled ^ ((r * 512) ^ (((r * 512) >> 4) & 56))) * 2u,
            q + (q_at + (i64)at_1[r] * (i64)stride + (i64)head_1[r] * 128ll),
            q_in && (u32)at_1[r] < (u32)N ? 16u : 0u);
      }
      const f32 c = scale * 1.442695f;
      const i32 t_BN = (lane & 3) * 2;
      bool t_14[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_14[r] = at[r] >= 0;
      }
      const i32 stride_1 = HKV * 2048;
      const i32 stride_2 = HKV * 128;
      const i64 kCache_at = (i64)h * 128ll + (i64)t_D;
      if (t_9) {
        i32 kpos[16];
        i32 t_15[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          kpos[r] = from + t_GP_1 + r * 4;
          t_15[r] = kpos[r] < len && kpos[r] >= start_1 ? kpos[r] >> 4 : -1;
        }
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        i32 pages[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          pages[r] = table_in && (u32)t_15[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_15[r])) : -1;
        }
        i32 slot[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          slot[r] = kpos[r] & 15;
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          tw_cp_async_16_zfill(
              kt + (u32)(swizzled ^ ((r * 512) ^ (((r * 512) >> 4) & 56))) * 2u,
              kCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              q_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          tw_cp_async_16_zfill(
              vt + (u32)(swizzled ^ ((r * 512) ^ (((r * 512) >> 4) & 56))) * 2u,
              vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2),
              q_in && (u32)pages[r] < (u32)NB ? 16u : 0u);
        }
      }
      tw_cp_async_commit();
      const i32 n = from + 64;
      const bool more = n < to;
      i32 pages_1[16];
      if (more) {
        i32 t_16[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          const i32 kpos_1 = n + t_GP_1 + r * 4;
          t_16[r] = kpos_1 < len && kpos_1 >= start_1 ? kpos_1 >> 4 : -1;
        }
        const i64 table_at_1 = (i64)s * (i64)MAXB;
        const bool table_in_1 = (u32)s < (u32)S;
        i32 pages_2[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          pages_2[r] = table_in_1 && (u32)t_16[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_1 + (i64)t_16[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          pages_1[r] = pages_2[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
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
      const i64 table_at_2 = (i64)s * (i64)MAXB;
      const bool table_in_2 = (u32)s < (u32)S;
      const i32 qt_at_1 = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8 + warp * 2048;
      const i32 kt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 1024;
      const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 4) & 56);
      const i32 swizzled_2 = kt_at ^ ((kt_at >> 4) & 56);
      const bool is_first = lane == 0;
      const i32 vt_at = (lane & 7) * 128 + ((lane >> 3) & 1) * 1024 + (lane >> 4) * 8;
      const i32 swizzled_3 = vt_at ^ ((vt_at >> 4) & 56);
      for (i32 n_1 = from; n_1 < to; n_1 += 64) {
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 n_2 = n_1 + 64;
        const bool more_1 = n_2 < to;
        if (more_1) {
          i32 slot_2[16];
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            slot_2[r] = (n_2 + t_GP_1 + r * 4) & 15;
          }
          const i32 kt_slot = fill * 8192;
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            tw_cp_async_16_zfill(
                kt + (u32)((swizzled ^ ((r * 512) ^ (((r * 512) >> 4) & 56))) + kt_slot) * 2u,
                kCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                q_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            tw_cp_async_16_zfill(
                vt + (u32)((swizzled ^ ((r * 512) ^ (((r * 512) >> 4) & 56))) + kt_slot) * 2u,
                vCache + (kCache_at + (i64)pages_1[r] * (i64)stride_1 + (i64)slot_2[r] * (i64)stride_2),
                q_in && (u32)pages_1[r] < (u32)NB ? 16u : 0u);
          }
        }
        tw_cp_async_commit();
        const i32 n_3 = n_2 + 64;
        const bool more_2 = n_3 < to;
        i32 pages_3[16];
        if (more_2) {
          i32 t_17[16];
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            const i32 kpos_2 = n_3 + t_GP_1 + r * 4;
            t_17[r] = kpos_2 < len && kpos_2 >= start_1 ? kpos_2 >> 4 : -1;
          }
          i32 pages_4[16];
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            pages_4[r] = table_in_2 && (u32)t_17[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at_2 + (i64)t_17[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            pages_3[r] = pages_4[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
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
          seen[r] = kpos_3[r] < len && kpos_3[r] >= start_1;
        }
        f32 x[32];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              x[r * 4 + j * 2 + k] = seen[r * 2 + k] && kpos_3[r * 2 + k] <= position_1[j] && kpos_3[r * 2 + k] > begin_2[j] && t_14[j] ? scores[r * 4 + j * 2 + k] : tw_bits_f32(0xff800000u);
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
        i32 parts[2];
        const tw_i32x2 parts_vec = tw_lds<tw_i32x2>(grew_parts);
        parts[0] = parts_vec.x; parts[1] = parts_vec.y;
        grew_1 = parts[0];
        grew_1 = tw_max_i32(grew_1, parts[1]);
        const bool grew_2 = grew_1 != 0;
        f32 t_18[2];
        f32 t_19[32];
        f32 t_20[64];
        if (grew_2) {
          f32 alpha[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next = grew[r] ? top[r] : m[r];
            alpha[r] = tw_exp2((m[r] - next) * c);
            t_18[r] = next;
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_19[r * 4 + j * 2 + k] = l[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
          #pragma unroll
          for (i32 r = 0; r < 16; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              #pragma unroll
              for (i32 k = 0; k < 2; ++k) {
                t_20[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * alpha[j];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_18[r] = m[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_19[r] = l[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 64; ++r) {
            t_20[r] = acc[r];
          }
        }
        f32 t_21[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_21[r] = t_18[r] * c;
        }
        f32 p[32];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              p[r * 4 + j * 2 + k] = tw_exp2(x[r * 4 + j * 2 + k] * c - t_21[j]);
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
            tw_mma_m16n8k16_f32_bf16(&t_20[j * 4], &a_1[0], &b_1[j * 2]);
          }
        }
        const i32 slot_3 = slot_1 + 1;
        const i32 fill_1 = fill + 1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          m[r] = t_18[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          l[r] = t_19[r] + p[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 64; ++r) {
          acc[r] = t_20[r];
        }
        slot_1 = slot_3 == 2 ? 0 : slot_3;
        fill = fill_1 == 2 ? 0 : fill_1;
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
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
      f32 t_22[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        total_1[r] = tw_max(sum_3[r], 1e-30f);
        t_22[r] = 1.0f / total_1[r];
      }
      f32 value[64];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        #pragma unroll
        for (i32 j = 0; j < 2; ++j) {
          #pragma unroll
          for (i32 k = 0; k < 2; ++k) {
            value[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * t_22[j];
          }
        }
      }
      f32 logSum[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        logSum[r] = m[r] * c + tw_log2(total_1[r]);
      }
      const i32 t_23 = each + 1;
      const i32 edge = t_5 * t_23;
      const i32 t_24 = tw_max_i32(each, 1);
      const i32 first_1 = begin_1 < edge ? tw_floordiv_i32(begin_1, t_23) : t_5 + tw_floordiv_i32(begin_1 - edge, t_24);
      const i32 t_25 = tw_max_i32(length, 1);
      const i32 first_2 = isSpread ? tw_floordiv_i32((begin_1 + 1) * shares - 1, t_25) : first_1;
      const i32 t_26 = begin_1 + blocks_1 - 1;
      const i32 first_3 = t_26 < edge ? tw_floordiv_i32(t_26, t_23) : t_5 + tw_floordiv_i32(t_26 - edge, t_24);
      const i32 last = isSpread ? tw_floordiv_i32((t_26 + 1) * shares - 1, t_25) : first_3;
      const bool t_27 = first_2 == last;
      if (t_27) {
        const i64 o_at = (i64)h * 512ll + (i64)t_BN;
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            tw_bf16 o_tile[2];
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              o_tile[k] = tw_f32_to_bf16(value[r * 4 + j * 2 + k]);
            }
            if (q_in && (u32)at[j] < (u32)N) {
              tw_stg<u32>(
                  o + (o_at + (i64)at[j] * (i64)stride + (i64)head[j] * 128ll + (i64)(r * 8)),
                  tw_pack_u16x2(o_tile[0], o_tile[1]));
            }
          }
        }
      } else {
        const i32 t_28 = s + pid1;
        const i32 stride_3 = R * 128 * HKV;
        const i32 stride_4 = R * 128;
        const i32 partial_at = t_GP * 128 + t_BN;
        const i64 partial_at_1 = (i64)g * 128ll + (i64)t_28 * (i64)stride_3 + (i64)h * (i64)stride_4 + (i64)partial_at;
        const bool partial_in = (u32)t_28 < (u32)P && h < HKV;
        const i32 left_2 = R - g;
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            if (partial_in && t_GP + j * 8 < left_2) {
              tw_stg<tw_f32x2>(partial + (partial_at_1 + (i64)(j * 1024 + r * 8)), tw_f32x2{
                  value[r * 4 + j * 2], value[r * 4 + j * 2 + 1]});
            }
          }
        }
        const i32 stride_5 = R * HKV;
        const i64 lse_at = (i64)h * (i64)R + (i64)g + (i64)t_GP + (i64)t_28 * (i64)stride_5;
        const bool is_first_1 = (lane & 3) == 0;
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            if (partial_in && t_GP + r * 8 < left_2) {
              tw_stg<f32>(lse + (lse_at + (i64)(r * 8)), logSum[r]);
            }
          }
        }
        tw_syncthreads();
        const i64 arrived_at = (i64)h * (i64)R + (i64)g + (i64)s * (i64)stride_5;
        const bool arrived_in = (u32)s < (u32)S && h < HKV && g < R;
        i32 t_29 = 0;
        const bool is_first_2 = thread == 0;
        if (is_first_2) {
          t_29 = arrived_in ? tw_last_arrival(arrived + arrived_at, last - first_2 + 1) : 0;
        }
        if (is_first_2) {
          tw_sts<i32>(arrived_old, t_29);
        }
        tw_syncthreads();
        t_29 = tw_lds<i32>(arrived_old);
        const bool t_30 = t_29 != 0;
        if (t_30) {
          const i32 first_4 = s + first_2;
          const i32 end = s + last + 1;
          const i32 t_31 = tw_min_i32(32, R - g);
          const i32 bound = tw_min_i32(end, P);
          const i64 lse_at_1 = (i64)h * (i64)R + (i64)warp;
          const i32 bound_1 = tw_max_i32(bound, 0);
          const i32 t_D_1 = lane * 4;
          const i32 partial_at_2 = warp * 128 + t_D_1;
          const i64 partial_at_3 = (i64)h * (i64)stride_4 + (i64)partial_at_2;
          const i64 o_at_1 = (i64)h * 512ll + (i64)t_D_1;
          for (i32 r_1 = 0; r_1 < t_31; r_1 += 4) {
            const i32 g_1 = g + r_1;
            f32 l_1[2];
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              l_1[r] = 0.0f;
            }
            f32 acc_1[8];
            #pragma unroll
            for (i32 r = 0; r < 8; ++r) {
              acc_1[r] = 0.0f;
            }
            f32 m_1[2];
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              m_1[r] = -1e+30f;
            }
            const i64 lse_at_2 = lse_at_1 + (i64)g_1;
            const i32 left_3 = R - g_1;
            const i64 partial_at_4 = partial_at_3 + (i64)g_1 * 128ll;
            for (i32 j_1 = first_4; j_1 < end; j_1 += 16) {
              const i64 lse_at_3 = lse_at_2 + (i64)j_1 * (i64)stride_5;
              f32 x_1[32];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 2; ++j) {
                  x_1[r * 2 + j] = q_in && (u32)(j_1 + r) < (u32)bound_1 && warp + j * 2 < left_3 ? tw_ldg<f32>(lse + (lse_at_3 + (i64)(r * stride_5 + j * 2))) : tw_bits_f32(0xff800000u);
                }
              }
              const i64 partial_at_5 = partial_at_4 + (i64)j_1 * (i64)stride_3;
              f32 part[128];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 2; ++j) {
                  const tw_f32x4 part_vec = q_in && (u32)(j_1 + r) < (u32)bound_1 && warp + j * 2 < left_3 ? tw_ldg<tw_f32x4>(partial + (partial_at_5 + (i64)(r * stride_3 + j * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
                  part[r * 8 + j * 4] = part_vec.x; part[r * 8 + j * 4 + 1] = part_vec.y;
                  part[r * 8 + j * 4 + 2] = part_vec.z; part[r * 8 + j * 4 + 3] = part_vec.w;
                }
              }
              f32 most_2[2];
              #pragma unroll
              for (i32 r = 0; r < 2; ++r) {
                most_2[r] = tw_bits_f32(0xff800000u);
              }
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 2; ++j) {
                  most_2[j] = tw_max(most_2[j], x_1[r * 2 + j]);
                }
              }
              f32 next_1[2];
              #pragma unroll
              for (i32 r = 0; r < 2; ++r) {
                next_1[r] = tw_max(m_1[r], most_2[r]);
              }
              f32 w[32];
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 2; ++j) {
                  w[r * 2 + j] = tw_exp2(x_1[r * 2 + j] - next_1[j]);
                }
              }
              f32 alpha_1[2];
              f32 sum_4[2];
              #pragma unroll
              for (i32 r = 0; r < 2; ++r) {
                alpha_1[r] = tw_exp2(m_1[r] - next_1[r]);
                sum_4[r] = 0.0f;
              }
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 2; ++j) {
                  sum_4[j] = sum_4[j] + w[r * 2 + j];
                }
              }
              f32 sum_5[8];
              #pragma unroll
              for (i32 r = 0; r < 8; ++r) {
                sum_5[r] = 0.0f;
              }
              #pragma unroll
              for (i32 r = 0; r < 16; ++r) {
                #pragma unroll
                for (i32 j = 0; j < 2; ++j) {
                  #pragma unroll
                  for (i32 k = 0; k < 4; ++k) {
                    sum_5[j * 4 + k] = sum_5[j * 4 + k] + w[r * 2 + j] * part[r * 8 + j * 4 + k];
                  }
                }
              }
              #pragma unroll
              for (i32 r = 0; r < 2; ++r) {
                l_1[r] = l_1[r] * alpha_1[r] + sum_4[r];
                #pragma unroll
                for (i32 j = 0; j < 4; ++j) {
                  acc_1[r * 4 + j] = acc_1[r * 4 + j] * alpha_1[r] + sum_5[r * 4 + j];
                }
                m_1[r] = next_1[r];
              }
            }
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              const f32 t_32 = tw_max(l_1[r], 1e-30f);
              const i32 t_33 = g_1 + warp + r * 2;
              const i32 i_4 = t_33 >> 2;
              const i32 at_2 = i_4 < count ? start + i_4 : -1;
              const i32 head_2 = t_33 & 3;
              tw_bf16 o_tile_1[4];
              #pragma unroll
              for (i32 j = 0; j < 4; ++j) {
                o_tile_1[j] = tw_f32_to_bf16(acc_1[r * 4 + j] / t_32);
              }
              if (q_in && (u32)at_2 < (u32)N) {
                tw_stg<tw_u32x2>(
                    o + (o_at_1 + (i64)at_2 * (i64)stride + (i64)head_2 * 128ll),
                    tw_u32x2{tw_pack_u16x2(o_tile_1[0], o_tile_1[1]), tw_pack_u16x2(o_tile_1[2], o_tile_1[3])});
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
  const i32 t_GP_2 = thread >> 4;
  const i32 stride_6 = HKV * 512;
  const i32 t_D_2 = (lane & 15) * 8;
  const i64 o_at_2 = (i64)h * 512ll + (i64)t_D_2;
  const bool o_in = h < HKV;
  for (i32 s_1 = pid1; s_1 < S; s_1 += step) {
    const i64 lens_at_4 = (i64)s_1;
    i32 lens_tile_2;
    lens_tile_2 = tw_ldg_nc<i32>(lens + lens_at_4);
    const i32 t_34 = ((lens_tile_2 + 63) >> 6) - ((t_2 ? tw_max_i32(lens_tile_2 - reach, 0) : 0) >> 6);
    const bool t_35 = t_34 == 0;
    if (t_35) {
      i32 start_2;
      start_2 = tw_ldg_nc<i32>(queryStart + lens_at_4);
      const i32 t_36 = s_1 + 1;
      const i64 queryStart_at_1 = (i64)t_36;
      i32 queryStart_tile_1;
      queryStart_tile_1 = tw_ldg_nc<i32>(queryStart + queryStart_at_1);
      i32 t_37[8];
      i32 i_5[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_37[r] = g + t_GP_2 + r * 4;
        i_5[r] = t_37[r] >> 2;
      }
      const i32 count_1 = queryStart_tile_1 - start_2;
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        const i32 at_3 = i_5[r] < count_1 ? start_2 + i_5[r] : -1;
        const i32 head_3 = t_37[r] & 3;
        tw_bf16 o_tile_2[8];
        #pragma unroll
        for (i32 j = 0; j < 8; ++j) {
          o_tile_2[j] = 0;
        }
        if (o_in && (u32)at_3 < (u32)N) {
          tw_stg<tw_u32x4>(o + (o_at_2 + (i64)at_3 * (i64)stride_6 + (i64)head_3 * 128ll), tw_u32x4{
              tw_pack_u16x2(o_tile_2[0], o_tile_2[1]), tw_pack_u16x2(o_tile_2[2], o_tile_2[3]),
              tw_pack_u16x2(o_tile_2[4], o_tile_2[5]), tw_pack_u16x2(o_tile_2[6], o_tile_2[7])});
        }
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
