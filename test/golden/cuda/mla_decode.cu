// mla_decode for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 BS=32 LEAST=1 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: S%2 H%16 MAXB%4 P%4
// 128 threads in 4 warps of 32, 5888 bytes of shared memory
//       0 … 2048: qt bf16[1024]
//    2048 … 4096: lt bf16[1024]
//    4096 … 4608: qr bf16[256]
//    4608 … 5120: rt bf16[256]
//    5120 … 5632: t189_shared bf16[256]
//    5632 … 5760: t160_parts f32[32]
//    5760 … 5888: t194_parts f32[32]

TW_KERNEL(128) mla_decode(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* lens, f32* partial, f32* lse, i32 S, i32 H, i32 NB, i32 MAXB,
    i32 P, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2048u, "qt");
  const u32 qr = smem + 4096u;
  tw_label(qr, 512u, "qr");
  const u32 lt = smem + 2048u;
  tw_label(lt, 2048u, "lt");
  const u32 rt = smem + 4608u;
  tw_label(rt, 512u, "rt");
  const u32 t160_parts = smem + 5632u;
  tw_label(t160_parts, 128u, "t160_parts");
  const u32 t189_shared = smem + 5120u;
  tw_label(t189_shared, 512u, "t189_shared");
  const u32 t194_parts = smem + 5760u;
  tw_label(t194_parts, 128u, "t194_parts");
  const i32 t = pid0 * 16;
  i32 length = 0;
  const i64 lens_at = (i64)lane;
  for (i32 i = 0; i < S; i += 32) {
    const i32 left = S - i;
    const i64 lens_at_1 = lens_at + (i64)i;
    const bool lens_in = lane < left;
    i32 lens_tile;
    lens_tile = lens_in ? tw_ldg_nc<i32>(lens + lens_at_1) : 0;
    i32 sum = (lens_tile + 15) >> 4;
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
  const i32 t_1 = P - S;
  const bool t_2 = (S > 1 ? tw_floormod_i32(t_1, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread = t_2 && t_1 <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(t_1, length), 1);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 t_3 = length - each * shares;
  const i32 lo = isSpread ? tw_floordiv_i32(pid1 * length, shares) : pid1 * each + tw_min_i32(pid1, t_3);
  const bool t_4 = pid1 < shares;
  i32 hi;
  if (t_4) {
    const i32 t_5 = pid1 + 1;
    const i32 t_6 = isSpread ? tw_floordiv_i32(t_5 * length, shares) : t_5 * each + tw_min_i32(t_5, t_3);
    hi = t_6;
  } else {
    hi = lo;
  }
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
    const i32 t_7 = (lens_tile_1 + 15) >> 4;
    i32 scan_sum = t_7;
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
    i32 sum_2 = t_7;
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
  const bool t_8 = lo == hi;
  if (!t_8) {
    const f32 c = scale * 1.442695f;
    i32 begin_1 = begin;
    i32 s = sequence;
    while (true) {
      const bool t_9 = begin_1 < hi;
      if (!t_9) break;
      const i64 lens_at_3 = (i64)s;
      i32 len;
      len = tw_ldg_nc<i32>(lens + lens_at_3);
      const i32 blocks = (len + 15) >> 4;
      const i32 from = tw_max_i32(lo - begin_1, 0) * 16;
      const i32 to = tw_min_i32(blocks, hi - begin_1) * 16;
      const bool t_10 = from < to;
      if (t_10) {
        tw_cp_async_commit();
        tw_cp_async_wait<0>();
        tw_syncthreads();
        const i32 stride = H * 64;
        const i32 t_GP = thread >> 3;
        const i32 left_2 = H - t;
        const i32 t_R = (lane & 7) * 8;
        const i32 q_at = t_GP * 64 + t_R;
        const i64 q_at_1 = (i64)t * 64ll + (i64)s * (i64)stride + (i64)q_at;
        const bool q_in = (u32)s < (u32)S && t_GP < left_2;
        const i32 qt_at = (lane & 7) * 8 + (thread >> 3) * 64;
        const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
        tw_cp_async_16_zfill(qt + (u32)swizzled * 2u, q + q_at_1, q_in ? 16u : 0u);
        const i32 stride_1 = H * 16;
        const i32 t_DR = (lane & 7) * 2;
        const i32 qRope_at = t_GP * 16 + t_DR;
        const i64 qRope_at_1 = (i64)t * 16ll + (i64)s * (i64)stride_1 + (i64)qRope_at;
        const i32 qr_at = (lane & 7) * 2 + (thread >> 3) * 16;
        const i32 swizzled_1 = qr_at ^ ((qr_at >> 3) & 8);
        tw_cp_async_4_zfill(qr + (u32)swizzled_1 * 2u, qRope + qRope_at_1, q_in ? 4u : 0u);
        const i32 t_BN = (warp & 1) * 8 + (lane & 3) * 2;
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
        const i32 bound = tw_min_i32(blocks, MAXB);
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        const i64 latents_at = (i64)t_GP * 64ll + (i64)t_R;
        const i32 qt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8;
        const i32 lt_at = (lane & 7) * 64 + ((lane >> 3) & 1) * 8 + (warp & 1) * 512;
        const i32 swizzled_2 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
        const i32 swizzled_3 = lt_at ^ ((lt_at >> 3) & 56);
        const i64 ropes_at = (i64)t_GP * 16ll + (i64)t_DR;
        const i32 qr_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
        const i32 rt_at = (lane & 7) * 16 + ((lane >> 3) & 1) * 8 + (warp & 1) * 128;
        const i32 swizzled_4 = qr_at_1 ^ ((qr_at_1 >> 3) & 8);
        const i32 swizzled_5 = rt_at ^ ((rt_at >> 3) & 8);
        const i32 t_GP_1 = lane >> 2;
        const i32 part = warp & 1;
        const bool is_first = (lane & 3) == 0 && thread < 64;
        const i32 part_at = part * 16 + t_GP_1;
        const i32 t189_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + (warp & 1) * 8;
        const bool is_first_1 = thread < 64;
        const i32 swizzled_6 = t189_shared_at ^ ((t189_shared_at >> 3) & 8);
        const i32 lt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
        const i32 swizzled_7 = lt_at_1 ^ ((lt_at_1 >> 3) & 56);
        for (i32 n = from; n < to; n += 16) {
          const i32 t_11 = n >> 4;
          const i32 left_3 = bound - t_11;
          const i64 table_at_1 = table_at + (i64)t_11;
          const bool table_in_1 = table_in && 0 < left_3;
          i32 pages;
          pages = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
          const bool t_12 = t_GP < len - n;
          tw_syncthreads();
          const i64 latents_at_1 = latents_at + (i64)pages * 1024ll;
          const bool latents_in = (u32)pages < (u32)NB && t_12;
          tw_cp_async_16_zfill(
              lt + (u32)swizzled * 2u, latents + latents_at_1, latents_in ? 16u : 0u);
          tw_cp_async_commit();
          tw_cp_async_wait<0>();
          tw_syncthreads();
          f32 l_1[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            l_1[r] = 0.0f;
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            u32 a[4];
            u32 b[2];
            tw_ldmatrix_x4(&a[0], qt + (u32)(swizzled_2 ^ (r * 16)) * 2u);
            tw_ldmatrix_x2(&b[0], lt + (u32)(swizzled_3 ^ (r * 16)) * 2u);
            tw_mma_m16n8k16_f32_bf16(&l_1[0], &a[0], &b[0]);
          }
          const i64 ropes_at_1 = ropes_at + (i64)pages * 256ll;
          tw_cp_async_4_zfill(rt + (u32)swizzled_1 * 2u, ropes + ropes_at_1, latents_in ? 4u : 0u);
          tw_cp_async_commit();
          tw_cp_async_wait<0>();
          tw_syncthreads();
          u32 a_1[4];
          u32 b_1[2];
          tw_ldmatrix_x4(&a_1[0], qr + (u32)swizzled_4 * 2u);
          tw_ldmatrix_x2(&b_1[0], rt + (u32)swizzled_5 * 2u);
          tw_mma_m16n8k16_f32_bf16(&l_1[0], &a_1[0], &b_1[0]);
          bool t_13[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_13[r] = n + t_BN + r < len;
          }
          f32 x[4];
          f32 most_1[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              x[r * 2 + j] = t_13[j] ? l_1[r * 2 + j] : tw_bits_f32(0xff800000u);
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
              tw_sts<f32>(t160_parts + (u32)(part_at + r * 8) * 4u, most_1[r]);
            }
          }
          tw_syncthreads();
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            most_1[r] = tw_lds<f32>(t160_parts + (u32)(t_GP_1 + r * 8) * 4u);
            f32 other_6;
            other_6 = tw_lds<f32>(t160_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
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
          f32 t_14[2];
          f32 t_15[4];
          f32 t_16[8];
          if (grew_2) {
            f32 alpha[2];
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              const f32 next = grew[r] ? top[r] : m[r];
              alpha[r] = tw_exp2((m[r] - next) * c);
              t_14[r] = next;
              #pragma unroll
              for (i32 j = 0; j < 2; ++j) {
                t_15[r * 2 + j] = l[r * 2 + j] * alpha[r];
              }
            }
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              #pragma unroll
              for (i32 j = 0; j < 2; ++j) {
                #pragma unroll
                for (i32 k = 0; k < 2; ++k) {
                  t_16[r * 4 + j * 2 + k] = acc[r * 4 + j * 2 + k] * alpha[j];
                }
              }
            }
          } else {
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              t_14[r] = m[r];
            }
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              t_15[r] = l[r];
            }
            #pragma unroll
            for (i32 r = 0; r < 8; ++r) {
              t_16[r] = acc[r];
            }
          }
          f32 p[4];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 t_17 = t_14[r] * c;
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              p[r * 2 + j] = tw_exp2(x[r * 2 + j] * c - t_17);
            }
          }
          if (is_first_1) {
            #pragma unroll
            for (i32 r = 0; r < 2; ++r) {
              tw_bf16 t189_shared_tile[2];
              #pragma unroll
              for (i32 j = 0; j < 2; ++j) {
                t189_shared_tile[j] = tw_f32_to_bf16(p[r * 2 + j]);
              }
              tw_sts<u32>(
                  t189_shared + (u32)(swizzled_6 + r * 128) * 2u,
                  tw_pack_u16x2(t189_shared_tile[0], t189_shared_tile[1]));
            }
          }
          tw_syncthreads();
          u32 a_2[4];
          u32 b_2[4];
          tw_ldmatrix_x4(&a_2[0], t189_shared + (u32)swizzled_4 * 2u);
          tw_ldmatrix_x4_trans(&b_2[0], lt + (u32)swizzled_7 * 2u);
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_mma_m16n8k16_f32_bf16(&t_16[r * 4], &a_2[0], &b_2[r * 2]);
          }
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            m[r] = t_14[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            l[r] = t_15[r] + p[r];
          }
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            acc[r] = t_16[r];
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
            tw_sts<f32>(t194_parts + (u32)(part_at + r * 8) * 4u, sum_3[r]);
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_3[r] = tw_lds<f32>(t194_parts + (u32)(t_GP_1 + r * 8) * 4u);
          f32 other_9;
          other_9 = tw_lds<f32>(t194_parts + (u32)(t_GP_1 + r * 8 + 16) * 4u);
          sum_3[r] = sum_3[r] + other_9;
        }
        f32 total_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          total_1[r] = tw_max(sum_3[r], 1e-30f);
        }
        const i32 t_18 = s + pid1;
        f32 t_19[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_19[r] = 1.0f / total_1[r];
        }
        const i32 t_R_1 = warp * 16 + (lane & 3) * 2;
        const i32 partial_at = t_GP_1 * 64 + t_R_1;
        const i64 partial_at_1 = (i64)t * 64ll + (i64)t_18 * (i64)stride + (i64)partial_at;
        const bool partial_in = (u32)t_18 < (u32)P;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            f32 partial_tile[2];
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              partial_tile[k] = acc[r * 4 + j * 2 + k] * t_19[j];
            }
            if (partial_in && t_GP_1 + j * 8 < left_2) {
              tw_stg<tw_f32x2>(
                  partial + (partial_at_1 + (i64)(j * 512 + r * 8)),
                  tw_f32x2{partial_tile[0], partial_tile[1]});
            }
          }
        }
        const i64 lse_at = (i64)t + (i64)t_18 * (i64)H + (i64)t_GP_1;
        const bool is_first_2 = (lane & 3) == 0 && thread < 32;
        if (is_first_2) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 lse_tile = m[r] * c + tw_log2(total_1[r]);
            if (partial_in && t_GP_1 + r * 8 < left_2) {
              tw_stg<f32>(lse + (lse_at + (i64)(r * 8)), lse_tile);
            }
          }
        }
      }
      begin_1 = begin_1 + blocks;
      s = s + 1;
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
