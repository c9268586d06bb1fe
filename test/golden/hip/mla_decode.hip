// mla_decode for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 BS=32 LEAST=1 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: S%2 H%16 MAXB%4 P%4
// 256 threads in 4 warps of 64, 5632 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: lt bf16[1088]
//    4352 … 4992: qr bf16[320]
//    4992 … 5632: rt bf16[320]

TW_KERNEL(256) mla_decode(
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
  tw_label(qt, 2176u, "qt");
  const u32 qr = smem + 4352u;
  tw_label(qr, 640u, "qr");
  const u32 lt = smem + 2176u;
  tw_label(lt, 2176u, "lt");
  const u32 rt = smem + 4992u;
  tw_label(rt, 640u, "rt");
  const i32 t = pid0 * 16;
  i32 length = 0;
  const i32 t_BS = lane & 31;
  const i64 lens_at = (i64)t_BS;
  for (i32 i = 0; i < S; i += 32) {
    const i32 left = S - i;
    const i64 lens_at_1 = lens_at + (i64)i;
    const bool lens_in = t_BS < left;
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
  for (i32 i_1 = 0; i_1 < S; i_1 += 32) {
    const i32 left_1 = S - i_1;
    const i64 lens_at_2 = lens_at + (i64)i_1;
    const bool lens_in_1 = t_BS < left_1;
    i32 lens_tile_1;
    lens_tile_1 = lens_in_1 ? tw_ldg_nc<i32>(lens + lens_at_2) : 0;
    const i32 t_7 = (lens_tile_1 + 15) >> 4;
    i32 scan_sum = t_7;
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
        tw_syncthreads();
        const i32 stride = H * 64;
        const i32 t_GP = thread >> 4;
        const i32 left_2 = H - t;
        const i32 t_R = (lane & 15) * 4;
        const i32 q_at = t_GP * 64 + t_R;
        const i64 q_at_1 = (i64)t * 64ll + (i64)s * (i64)stride + (i64)q_at;
        const bool q_in = (u32)s < (u32)S && t_GP < left_2;
        const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
        tw_bf16 q_tile[4];
        const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
        q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
        q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
        tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
            tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
        const i32 stride_1 = H * 16;
        const i32 t_DR = lane & 15;
        const i32 qRope_at = t_GP * 16 + t_DR;
        const i64 qRope_at_1 = (i64)t * 16ll + (i64)s * (i64)stride_1 + (i64)qRope_at;
        const i32 qr_at = (lane & 15) + (thread >> 4) * 20;
        tw_bf16 qRope_tile;
        qRope_tile = q_in ? tw_ldg_nc<u16>(qRope + qRope_at_1) : (u16)0;
        tw_sts<u16>(qr + (u32)qr_at * 2u, qRope_tile);
        const i32 t_BN = (lane >> 4) * 4;
        f32 m = -1e+30f;
        f32 l[4];
        f32 acc[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = 0.0f;
          acc[r] = 0.0f;
        }
        const i32 bound = tw_min_i32(blocks, MAXB);
        const i64 table_at = (i64)s * (i64)MAXB;
        const bool table_in = (u32)s < (u32)S;
        const i64 latents_at = (i64)t_GP * 64ll + (i64)t_R;
        const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
        const i64 ropes_at = (i64)t_GP * 16ll + (i64)t_DR;
        const i32 qr_at_1 = (lane & 15) * 20 + (lane >> 4) * 4;
        const i32 lt_at = (lane & 15) + (lane >> 4) * 272 + warp * 16;
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
          tw_bf16 latents_tile[4];
          const tw_u32x2 latents_tile_vec = latents_in ? tw_ldg_nc<tw_u32x2>(latents + latents_at_1) : tw_u32x2{0u, 0u};
          latents_tile[0] = tw_u16x2_lo(latents_tile_vec.x);
          latents_tile[1] = tw_u16x2_hi(latents_tile_vec.x);
          latents_tile[2] = tw_u16x2_lo(latents_tile_vec.y);
          latents_tile[3] = tw_u16x2_hi(latents_tile_vec.y);
          tw_sts<tw_u32x2>(lt + (u32)qt_at * 2u, tw_u32x2{
              tw_pack_u16x2(latents_tile[0], latents_tile[1]),
              tw_pack_u16x2(latents_tile[2], latents_tile[3])});
          tw_syncthreads();
          f32 l_1[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            l_1[r] = 0.0f;
          }
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            u32 a[2];
            u32 b[2];
            tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
            tw_lds_words<2>(&b[0], lt + (u32)((qt_at_1 + r * 16) * 2));
            tw_mfma_f32_16x16x16_bf16(&l_1[0], &b[0], &a[0]);
          }
          const i64 ropes_at_1 = ropes_at + (i64)pages * 256ll;
          tw_bf16 ropes_tile;
          ropes_tile = latents_in ? tw_ldg_nc<u16>(ropes + ropes_at_1) : (u16)0;
          tw_sts<u16>(rt + (u32)qr_at * 2u, ropes_tile);
          tw_syncthreads();
          u32 a_1[2];
          u32 b_1[2];
          tw_lds_words<2>(&a_1[0], qr + (u32)(qr_at_1 * 2));
          tw_lds_words<2>(&b_1[0], rt + (u32)(qr_at_1 * 2));
          tw_mfma_f32_16x16x16_bf16(&l_1[0], &b_1[0], &a_1[0]);
          f32 x[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            x[r] = n + t_BN + r < len ? l_1[r] : tw_bits_f32(0xff800000u);
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
          f32 t_13;
          f32 t_14[4];
          f32 t_15[4];
          if (grew_2) {
            const f32 next = grew ? top : m;
            const f32 alpha = tw_exp2((m - next) * c);
            t_13 = next;
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              t_14[r] = l[r] * alpha;
              t_15[r] = acc[r] * alpha;
            }
          } else {
            t_13 = m;
            #pragma unroll
            for (i32 r = 0; r < 4; ++r) {
              t_14[r] = l[r];
              t_15[r] = acc[r];
            }
          }
          const f32 t_16 = t_13 * c;
          f32 p[4];
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            p[r] = tw_exp2(x[r] * c - t_16);
          }
          u32 a_2[2];
          u32 b_2[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            a_2[r] = tw_pack_bf16x2(p[r * 2], p[r * 2 + 1]);
          }
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_lds_halves(
                &b_2[r], lt + (u32)((lt_at + r * 136) * 2), lt + (u32)((lt_at + r * 136 + 68) * 2));
          }
          tw_mfma_f32_16x16x16_bf16(&t_15[0], &b_2[0], &a_2[0]);
          m = t_13;
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            l[r] = t_14[r] + p[r];
            acc[r] = t_15[r];
          }
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
        const i32 t_17 = s + pid1;
        const f32 t_18 = 1.0f / total_1;
        const i32 t_R_1 = (thread >> 4) * 4;
        const i32 partial_at = t_DR * 64 + t_R_1;
        const i64 partial_at_1 = (i64)t * 64ll + (i64)t_17 * (i64)stride + (i64)partial_at;
        const bool partial_in = (u32)t_17 < (u32)P && t_DR < left_2;
        f32 partial_tile[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          partial_tile[r] = acc[r] * t_18;
        }
        if (partial_in) {
          tw_stg<tw_f32x4>(partial + partial_at_1, tw_f32x4{
              partial_tile[0], partial_tile[1], partial_tile[2], partial_tile[3]});
        }
        const i64 lse_at = (i64)t + (i64)t_17 * (i64)H + (i64)t_DR;
        const bool is_first = thread < 16;
        if (is_first) {
          const f32 lse_tile = m * c + tw_log2(total_1);
          if (partial_in) {
            tw_stg<f32>(lse + lse_at, lse_tile);
          }
        }
      }
      begin_1 = begin_1 + blocks;
      s = s + 1;
    }
  }
}
