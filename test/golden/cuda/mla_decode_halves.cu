// mla_decode_halves for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: GP=8 BN=8 stages=2 HALF=8
// dims fixed: R=16 DR=8 PAGE=16
// dims divisible: S%2 H%2 NB%2 MAXB%2 W%2 P%2
// 64 threads in 2 warps of 32, 5376 bytes of shared memory
//       0 … 1024: ropes_tile bf16[512]
//    1024 … 2048: latents_tile bf16[512]
//    2048 … 3072: latents_tile_2 bf16[512]
//    3072 … 3584: qRope_tile bf16[256]
//    3584 … 4096: q_tile bf16[256]
//    4096 … 4608: q_tile_2 bf16[256]
//    4608 … 5120: t234_shared bf16[256]
//    5120 … 5248: t127_parts f32[32]
//    5248 … 5376: t154_parts f32[32]

TW_KERNEL(64) mla_decode_halves(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* line, f32* partial, f32* lse, i32 S, i32 H, i32 NB, i32 MAXB,
    i32 W, i32 P, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qRope_tile = smem + 3072u;
  tw_label(qRope_tile, 512u, "qRope_tile");
  const u32 q_tile = smem + 3584u;
  tw_label(q_tile, 512u, "q_tile");
  const u32 q_tile_2 = smem + 4096u;
  tw_label(q_tile_2, 512u, "q_tile_2");
  const u32 ropes_tile = smem;
  tw_label(ropes_tile, 1024u, "ropes_tile");
  const u32 latents_tile = smem + 1024u;
  tw_label(latents_tile, 1024u, "latents_tile");
  const u32 latents_tile_2 = smem + 2048u;
  tw_label(latents_tile_2, 1024u, "latents_tile_2");
  const u32 t127_parts = smem + 5120u;
  tw_label(t127_parts, 128u, "t127_parts");
  const u32 t154_parts = smem + 5248u;
  tw_label(t154_parts, 128u, "t154_parts");
  const u32 t234_shared = smem + 4608u;
  tw_label(t234_shared, 512u, "t234_shared");
  const i32 own = (pid0 & 1) * 8;
  const i32 rest = 8 - own;
  const i32 g = (pid0 >> 1) * 8;
  const i32 lengths = (P - S) * 5;
  const f32 c = scale * 1.442695f;
  const i32 t = pid1 * 5;
  const i64 line_at = (i64)t;
  i32 first;
  first = tw_ldg_nc<i32>(line + line_at);
  const i32 t_1 = t + 1;
  const i64 line_at_1 = (i64)t_1;
  i32 last;
  last = tw_ldg_nc<i32>(line + line_at_1);
  const i32 t_2 = t + 2;
  const i64 line_at_2 = (i64)t_2;
  i32 start;
  start = tw_ldg_nc<i32>(line + line_at_2);
  const i32 t_3 = t + 3;
  const i64 line_at_3 = (i64)t_3;
  i32 lo;
  lo = tw_ldg_nc<i32>(line + line_at_3);
  const i32 t_4 = t + 4;
  const i64 line_at_4 = (i64)t_4;
  i32 hi;
  hi = tw_ldg_nc<i32>(line + line_at_4);
  const i32 end = g + 8;
  const i32 end_1 = rest + 8;
  const i32 end_2 = own + 8;
  const i32 t_BN = warp * 8 + (lane & 3) * 2;
  bool inside[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    inside[r] = t_BN + r < 8;
  }
  const i32 t_GP = lane >> 2;
  bool inside_1[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    inside_1[r] = t_GP + r * 8 < 8;
  }
  const bool t_5 = own > 0;
  i32 begin = start;
  const i32 stride = H * 8;
  const i32 t_GP_1 = thread >> 2;
  const i32 bound = tw_min_i32(end, H);
  const i32 left = bound - g;
  const i32 t_DR = (lane & 3) * 4;
  const i32 qRope_at = t_GP_1 * 8 + t_DR;
  const i64 qRope_at_1 = (i64)g * 8ll + (i64)qRope_at;
  const bool qRope_in = t_GP_1 < left && t_DR < 8;
  const i32 qRope_tile_at = (lane & 3) * 4 + (thread >> 2) * 16;
  const i32 swizzled = qRope_tile_at ^ ((qRope_tile_at >> 3) & 8);
  const i32 stride_1 = H * 16;
  const i32 left_1 = end_1 - rest;
  const i32 q_at = t_GP_1 * 16 + t_DR;
  const i64 q_at_1 = (i64)g * 16ll + (i64)rest + (i64)q_at;
  const bool q_in = t_GP_1 < left && t_DR < left_1;
  const i32 left_2 = end_2 - own;
  const i64 q_at_2 = (i64)g * 16ll + (i64)own + (i64)q_at;
  const bool q_in_1 = t_GP_1 < left && t_DR < left_2;
  const i64 ropes_at = (i64)qRope_at;
  const bool ropes_in = t_DR < 8;
  const i64 latents_at = (i64)rest + (i64)q_at;
  const bool latents_in = t_DR < left_1;
  const i64 latents_at_1 = (i64)own + (i64)q_at;
  const bool latents_in_1 = t_DR < left_2;
  const i32 qRope_tile_at_1 = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + (lane >> 4) * 8;
  const i32 ropes_tile_at = (lane & 7) * 16 + ((lane >> 3) & 1) * 8 + warp * 128;
  const i32 swizzled_1 = qRope_tile_at_1 ^ ((qRope_tile_at_1 >> 3) & 8);
  const i32 swizzled_2 = ropes_tile_at ^ ((ropes_tile_at >> 3) & 8);
  const bool is_first = (lane & 3) == 0;
  const i32 part_at = warp * 16 + t_GP;
  const i32 t234_shared_at = (lane & 3) * 2 + (lane >> 2) * 16 + warp * 8;
  const i32 swizzled_3 = t234_shared_at ^ ((t234_shared_at >> 3) & 8);
  const i32 latents_tile_2_at = (lane & 7) * 16 + ((lane >> 3) & 1) * 128 + warp * 8;
  const i32 swizzled_4 = latents_tile_2_at ^ ((latents_tile_2_at >> 3) & 8);
  const i32 partial_at = t_GP * 16 + t_BN;
  const i64 partial_at_1 = (i64)g * 16ll + (i64)own + (i64)partial_at;
  const bool partial_in = t_BN < left_2;
  const i64 lse_at = (i64)g + (i64)t_GP;
  const bool is_first_1 = (lane & 3) == 0 && thread < 32;
  const i32 s_end = last;
  for (i32 s = first; s < s_end; ++s) {
    const i32 t_6 = lengths + s;
    const i64 line_at_5 = (i64)t_6;
    i32 len;
    len = tw_ldg_nc<i32>(line + line_at_5);
    const i32 blocks = (len + 7) >> 3;
    const i32 from = tw_max_i32(lo - begin, 0);
    const i32 to = tw_max_i32(tw_min_i32(blocks, hi - begin), from + 1);
    tw_cp_async_commit();
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i64 qRope_at_2 = qRope_at_1 + (i64)s * (i64)stride;
    const bool qRope_in_1 = qRope_in && (u32)s < (u32)S;
    tw_cp_async_8_zfill(qRope_tile + (u32)swizzled * 2u, qRope + qRope_at_2, qRope_in_1 ? 8u : 0u);
    const i64 q_at_3 = q_at_1 + (i64)s * (i64)stride_1;
    const bool q_in_2 = q_in && (u32)s < (u32)S;
    tw_cp_async_8_zfill(q_tile + (u32)swizzled * 2u, q + q_at_3, q_in_2 ? 8u : 0u);
    const i64 q_at_4 = q_at_2 + (i64)s * (i64)stride_1;
    const bool q_in_3 = q_in_1 && (u32)s < (u32)S;
    tw_cp_async_8_zfill(q_tile_2 + (u32)swizzled * 2u, q + q_at_4, q_in_3 ? 8u : 0u);
    const bool more = from < to;
    if (more) {
      const i32 t_7 = from * 8;
      const i32 left_3 = len - t_7;
      const bool t_8 = left_3 > 0;
      const i32 row = t_8 ? s : first;
      const i32 t_9 = t_8 ? t_7 >> 4 : 0;
      const i64 table_at = (i64)row * (i64)MAXB + (i64)t_9;
      i32 page;
      page = tw_ldg_nc<i32>(table + table_at);
      const i32 at = t_7 & 15;
      const i32 end_3 = tw_min_i32(at + left_3, at + 8);
      const i32 bound_1 = tw_min_i32(end_3, 16);
      const i32 left_4 = bound_1 - at;
      const i64 ropes_at_1 = ropes_at + (i64)page * 128ll + (i64)at * 8ll;
      const bool ropes_in_1 = ropes_in && (u32)page < (u32)NB && t_GP_1 < left_4;
      tw_cp_async_8_zfill(
          ropes_tile + (u32)swizzled * 2u, ropes + ropes_at_1, ropes_in_1 ? 8u : 0u);
      const i64 latents_at_2 = latents_at + (i64)page * 256ll + (i64)at * 16ll;
      const bool latents_in_2 = latents_in && (u32)page < (u32)NB && t_GP_1 < left_4;
      tw_cp_async_8_zfill(
          latents_tile + (u32)swizzled * 2u, latents + latents_at_2, latents_in_2 ? 8u : 0u);
      const i64 latents_at_3 = latents_at_1 + (i64)page * 256ll + (i64)at * 16ll;
      const bool latents_in_3 = latents_in_1 && (u32)page < (u32)NB && t_GP_1 < left_4;
      tw_cp_async_8_zfill(
          latents_tile_2 + (u32)swizzled * 2u, latents + latents_at_3, latents_in_3 ? 8u : 0u);
    }
    tw_cp_async_commit();
    f32 m[2];
    f32 l[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      m[r] = -1e+30f;
      l[r] = 0.0f;
    }
    f32 acc[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = 0.0f;
    }
    i32 slot = 0;
    i32 fill = 1;
    for (i32 b = from; b < to; ++b) {
      tw_cp_async_wait<0>();
      tw_syncthreads();
      const i32 b_1 = b + 1;
      const bool more_1 = b_1 < to;
      if (more_1) {
        const i32 t_10 = b_1 * 8;
        const i32 left_5 = len - t_10;
        const bool t_11 = left_5 > 0;
        const i32 row_1 = t_11 ? s : first;
        const i32 t_12 = t_11 ? t_10 >> 4 : 0;
        const i64 table_at_1 = (i64)row_1 * (i64)MAXB + (i64)t_12;
        i32 page_1;
        page_1 = tw_ldg_nc<i32>(table + table_at_1);
        const i32 at_1 = t_10 & 15;
        const i32 end_4 = tw_min_i32(at_1 + left_5, at_1 + 8);
        const i32 bound_2 = tw_min_i32(end_4, 16);
        const i32 left_6 = bound_2 - at_1;
        const i64 ropes_at_2 = ropes_at + (i64)page_1 * 128ll + (i64)at_1 * 8ll;
        const bool ropes_in_2 = ropes_in && (u32)page_1 < (u32)NB && t_GP_1 < left_6;
        const i32 ropes_tile_slot = fill * 256;
        tw_cp_async_8_zfill(
            ropes_tile + (u32)(swizzled + ropes_tile_slot) * 2u, ropes + ropes_at_2,
            ropes_in_2 ? 8u : 0u);
        const i64 latents_at_4 = latents_at + (i64)page_1 * 256ll + (i64)at_1 * 16ll;
        const bool latents_in_4 = latents_in && (u32)page_1 < (u32)NB && t_GP_1 < left_6;
        tw_cp_async_8_zfill(
            latents_tile + (u32)(swizzled + ropes_tile_slot) * 2u, latents + latents_at_4,
            latents_in_4 ? 8u : 0u);
        const i64 latents_at_5 = latents_at_1 + (i64)page_1 * 256ll + (i64)at_1 * 16ll;
        const bool latents_in_5 = latents_in_1 && (u32)page_1 < (u32)NB && t_GP_1 < left_6;
        tw_cp_async_8_zfill(
            latents_tile_2 + (u32)(swizzled + ropes_tile_slot) * 2u, latents + latents_at_5,
            latents_in_5 ? 8u : 0u);
      }
      tw_cp_async_commit();
      f32 rotated[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        rotated[r] = 0.0f;
      }
      const i32 ropes_tile_slot_1 = slot * 256;
      u32 a[4];
      u32 b_2[2];
      tw_ldmatrix_x4(&a[0], qRope_tile + (u32)swizzled_1 * 2u);
      tw_ldmatrix_x2(&b_2[0], ropes_tile + (u32)(swizzled_2 + ropes_tile_slot_1) * 2u);
      tw_mma_m16n8k16_f32_bf16(&rotated[0], &a[0], &b_2[0]);
      u32 a_1[4];
      u32 b_3[2];
      tw_ldmatrix_x4(&a_1[0], q_tile + (u32)swizzled_1 * 2u);
      tw_ldmatrix_x2(&b_3[0], latents_tile + (u32)(swizzled_2 + ropes_tile_slot_1) * 2u);
      tw_mma_m16n8k16_f32_bf16(&rotated[0], &a_1[0], &b_3[0]);
      u32 a_2[4];
      u32 b_4[2];
      tw_ldmatrix_x4(&a_2[0], q_tile_2 + (u32)swizzled_1 * 2u);
      tw_ldmatrix_x2(&b_4[0], latents_tile_2 + (u32)(swizzled_2 + ropes_tile_slot_1) * 2u);
      tw_mma_m16n8k16_f32_bf16(&rotated[0], &a_2[0], &b_4[0]);
      const i32 t_13 = b * 8;
      bool t_14[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_14[r] = t_13 + t_BN + r < len;
      }
      f32 x[4];
      f32 most[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          x[r * 2 + i] = t_14[i] ? rotated[r * 2 + i] : tw_bits_f32(0xff800000u);
        }
        most[r] = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          most[r] = tw_max(most[r], inside[i] ? x[r * 2 + i] : tw_bits_f32(0xff800000u));
        }
      }
      f32 other;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        other = tw_shfl_xor<f32>(most[r], 1);
        most[r] = tw_max(most[r], other);
        other = tw_shfl_xor<f32>(most[r], 2);
        most[r] = tw_max(most[r], other);
      }
      if (is_first) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_sts<f32>(t127_parts + (u32)(part_at + r * 8) * 4u, most[r]);
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        most[r] = tw_lds<f32>(t127_parts + (u32)(t_GP + r * 8) * 4u);
        f32 other_1;
        other_1 = tw_lds<f32>(t127_parts + (u32)(t_GP + r * 8 + 16) * 4u);
        most[r] = tw_max(most[r], other_1);
      }
      f32 top[2];
      bool grew[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        top[r] = tw_max(m[r], most[r]);
        grew[r] = (top[r] - m[r]) * c > 8.0f;
      }
      i32 grew_1 = -2147483647 - 1;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        grew_1 = tw_max_i32(grew_1, inside_1[r] ? (grew[r] ? 1 : 0) : -2147483647 - 1);
      }
      i32 other_2;
      other_2 = tw_shfl_xor<i32>(grew_1, 4);
      grew_1 = tw_max_i32(grew_1, other_2);
      other_2 = tw_shfl_xor<i32>(grew_1, 8);
      grew_1 = tw_max_i32(grew_1, other_2);
      other_2 = tw_shfl_xor<i32>(grew_1, 16);
      grew_1 = tw_max_i32(grew_1, other_2);
      const bool grew_2 = grew_1 != 0;
      f32 t_15[2];
      f32 t_16[2];
      f32 t_17[4];
      if (grew_2) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 next = grew[r] ? top[r] : m[r];
          const f32 alpha = tw_exp2((m[r] - next) * c);
          t_15[r] = next;
          t_16[r] = l[r] * alpha;
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            t_17[r * 2 + i] = acc[r * 2 + i] * alpha;
          }
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_15[r] = m[r];
          t_16[r] = l[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_17[r] = acc[r];
        }
      }
      f32 p[4];
      f32 sum[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 t_18 = t_15[r] * c;
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          p[r * 2 + i] = tw_exp2(x[r * 2 + i] * c - t_18);
        }
        sum[r] = 0.0f;
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          sum[r] = sum[r] + (inside[i] ? p[r * 2 + i] : 0.0f);
        }
      }
      f32 other_3;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        other_3 = tw_shfl_xor<f32>(sum[r], 1);
        sum[r] = sum[r] + other_3;
        other_3 = tw_shfl_xor<f32>(sum[r], 2);
        sum[r] = sum[r] + other_3;
      }
      if (is_first) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_sts<f32>(t154_parts + (u32)(part_at + r * 8) * 4u, sum[r]);
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum[r] = tw_lds<f32>(t154_parts + (u32)(t_GP + r * 8) * 4u);
        f32 other_4;
        other_4 = tw_lds<f32>(t154_parts + (u32)(t_GP + r * 8 + 16) * 4u);
        sum[r] = sum[r] + other_4;
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_bf16 t234_shared_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          t234_shared_tile[i] = inside[i] ? tw_f32_to_bf16(p[r * 2 + i]) : 0;
        }
        tw_sts<u32>(
            t234_shared + (u32)(swizzled_3 + r * 128) * 2u,
            tw_pack_u16x2(t234_shared_tile[0], t234_shared_tile[1]));
      }
      tw_syncthreads();
      u32 a_3[4];
      u32 b_5[2];
      tw_ldmatrix_x4(&a_3[0], t234_shared + (u32)swizzled_1 * 2u);
      tw_ldmatrix_x2_trans(&b_5[0], latents_tile_2 + (u32)(swizzled_4 + ropes_tile_slot_1) * 2u);
      tw_mma_m16n8k16_f32_bf16(&t_17[0], &a_3[0], &b_5[0]);
      const i32 slot_1 = slot + 1;
      const i32 fill_1 = fill + 1;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        m[r] = t_15[r];
        l[r] = t_16[r] + sum[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        acc[r] = t_17[r];
      }
      slot = slot_1 == 2 ? 0 : slot_1;
      fill = fill_1 == 2 ? 0 : fill_1;
    }
    f32 total[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      total[r] = tw_max(l[r], 1e-30f);
    }
    const i32 end_5 = len > 0 ? H : 0;
    const i32 t_19 = s + pid1;
    f32 t_20[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      t_20[r] = 1.0f / total[r];
    }
    const i32 end_6 = tw_min_i32(end_5, end);
    const i32 bound_3 = tw_min_i32(end_6, H);
    const i64 partial_at_2 = partial_at_1 + (i64)t_19 * (i64)stride_1;
    const bool partial_in_1 = partial_in && (u32)t_19 < (u32)P;
    const i32 left_7 = bound_3 - g;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      f32 partial_tile[2];
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        partial_tile[i] = acc[r * 2 + i] * t_20[r];
      }
      if (partial_in_1 && t_GP + r * 8 < left_7) {
        tw_stg<tw_f32x2>(
            partial + (partial_at_2 + (i64)(r * 128)), tw_f32x2{partial_tile[0], partial_tile[1]});
      }
    }
    const i32 end_7 = tw_min_i32(t_5 ? 0 : end_5, end);
    const i32 bound_4 = tw_min_i32(end_7, H);
    const i64 lse_at_1 = lse_at + (i64)t_19 * (i64)H;
    const bool lse_in = (u32)t_19 < (u32)P;
    if (is_first_1) {
      const i32 left_8 = bound_4 - g;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 lse_tile = m[r] * c + tw_log2(total[r]);
        if (lse_in && t_GP + r * 8 < left_8) {
          tw_stg<f32>(lse + (lse_at_1 + (i64)(r * 8)), lse_tile);
        }
      }
    }
    begin = begin + blocks;
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
