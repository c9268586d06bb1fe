// mla_decode_halves for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: GP=8 BN=8 stages=2 HALF=8
// dims fixed: R=16 DR=8 PAGE=16
// dims divisible: S%2 H%2 NB%2 MAXB%2 W%2 P%2
// 64 threads in 1 warps of 64, 3200 bytes of shared memory
//       0 … 640: latents_tile_2 bf16[320]
//     640 … 1152: qRope_tile bf16[256]
//    1152 … 1664: q_tile bf16[256]
//    1664 … 2176: q_tile_2 bf16[256]
//    2176 … 2688: ropes_tile bf16[256]
//    2688 … 3200: latents_tile bf16[256]

TW_KERNEL(64) mla_decode_halves(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* line, f32* partial, f32* lse, i32 S, i32 H, i32 NB, i32 MAXB,
    i32 W, i32 P, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qRope_tile = smem + 640u;
  tw_label(qRope_tile, 512u, "qRope_tile");
  const u32 q_tile = smem + 1152u;
  tw_label(q_tile, 512u, "q_tile");
  const u32 q_tile_2 = smem + 1664u;
  tw_label(q_tile_2, 512u, "q_tile_2");
  const u32 ropes_tile = smem + 2176u;
  tw_label(ropes_tile, 512u, "ropes_tile");
  const u32 latents_tile = smem + 2688u;
  tw_label(latents_tile, 512u, "latents_tile");
  const u32 latents_tile_2 = smem;
  tw_label(latents_tile_2, 640u, "latents_tile_2");
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
  const i32 t_BN = (lane >> 4) * 4;
  bool inside[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    inside[r] = t_BN + r < 8;
  }
  const i32 t_GP = lane & 15;
  const bool inside_1 = t_GP < 8;
  const bool t_5 = own > 0;
  i32 begin = start;
  const i32 stride = H * 8;
  const i32 t_GP_1 = lane >> 2;
  const i32 bound = tw_min_i32(end, H);
  const i32 left = bound - g;
  const i32 t_DR = (lane & 3) * 4;
  const i32 qRope_at = t_GP_1 * 8 + t_DR;
  const i64 qRope_at_1 = (i64)g * 8ll + (i64)qRope_at;
  const bool qRope_in = t_GP_1 < left && t_DR < 8;
  const i32 qRope_tile_at = (lane & 3) * 4 + (lane >> 2) * 16;
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
  const i32 qRope_tile_at_1 = (lane & 15) * 16 + (lane >> 4) * 4;
  const i32 swizzled_1 = qRope_tile_at_1 ^ ((qRope_tile_at_1 >> 3) & 8);
  const i64 latents_at = (i64)rest + (i64)q_at;
  const bool latents_in = t_DR < left_1;
  const i64 latents_at_1 = (i64)own + (i64)q_at;
  const bool latents_in_1 = t_DR < left_2;
  const i32 latents_tile_2_at = (lane & 3) * 4 + (lane >> 2) * 20;
  const i32 latents_tile_2_at_1 = (lane & 15) * 20 + (lane >> 4) * 4;
  const i32 latents_tile_2_at_2 = (lane & 15) + (lane >> 4) * 80;
  const i32 partial_at = t_GP * 16 + t_BN;
  const i64 partial_at_1 = (i64)g * 16ll + (i64)own + (i64)partial_at;
  const bool partial_in = t_BN < left_2;
  const i64 lse_at = (i64)g + (i64)t_GP;
  const bool is_first = thread < 16;
  const i32 s_end = last;
  for (i32 s = first; s < s_end; ++s) {
    const i32 t_6 = lengths + s;
    const i64 line_at_5 = (i64)t_6;
    i32 len;
    len = tw_ldg_nc<i32>(line + line_at_5);
    const i32 blocks = (len + 7) >> 3;
    const i32 from = tw_max_i32(lo - begin, 0);
    tw_syncthreads();
    const i64 qRope_at_2 = qRope_at_1 + (i64)s * (i64)stride;
    const bool qRope_in_1 = qRope_in && (u32)s < (u32)S;
    tw_bf16 qRope_tile_1[4];
    const tw_u32x2 qRope_tile_1_vec = qRope_in_1 ? tw_ldg_nc<tw_u32x2>(qRope + qRope_at_2) : tw_u32x2{0u, 0u};
    qRope_tile_1[0] = tw_u16x2_lo(qRope_tile_1_vec.x);
    qRope_tile_1[1] = tw_u16x2_hi(qRope_tile_1_vec.x);
    qRope_tile_1[2] = tw_u16x2_lo(qRope_tile_1_vec.y);
    qRope_tile_1[3] = tw_u16x2_hi(qRope_tile_1_vec.y);
    tw_sts<tw_u32x2>(qRope_tile + (u32)swizzled * 2u, tw_u32x2{
        tw_pack_u16x2(qRope_tile_1[0], qRope_tile_1[1]),
        tw_pack_u16x2(qRope_tile_1[2], qRope_tile_1[3])});
    const i64 q_at_3 = q_at_1 + (i64)s * (i64)stride_1;
    const bool q_in_2 = q_in && (u32)s < (u32)S;
    tw_bf16 q_tile_1[4];
    const tw_u32x2 q_tile_1_vec = q_in_2 ? tw_ldg_nc<tw_u32x2>(q + q_at_3) : tw_u32x2{0u, 0u};
    q_tile_1[0] = tw_u16x2_lo(q_tile_1_vec.x); q_tile_1[1] = tw_u16x2_hi(q_tile_1_vec.x);
    q_tile_1[2] = tw_u16x2_lo(q_tile_1_vec.y); q_tile_1[3] = tw_u16x2_hi(q_tile_1_vec.y);
    tw_sts<tw_u32x2>(q_tile + (u32)swizzled * 2u, tw_u32x2{
        tw_pack_u16x2(q_tile_1[0], q_tile_1[1]), tw_pack_u16x2(q_tile_1[2], q_tile_1[3])});
    const i64 q_at_4 = q_at_2 + (i64)s * (i64)stride_1;
    const bool q_in_3 = q_in_1 && (u32)s < (u32)S;
    tw_bf16 q_tile_3[4];
    const tw_u32x2 q_tile_3_vec = q_in_3 ? tw_ldg_nc<tw_u32x2>(q + q_at_4) : tw_u32x2{0u, 0u};
    q_tile_3[0] = tw_u16x2_lo(q_tile_3_vec.x); q_tile_3[1] = tw_u16x2_hi(q_tile_3_vec.x);
    q_tile_3[2] = tw_u16x2_lo(q_tile_3_vec.y); q_tile_3[3] = tw_u16x2_hi(q_tile_3_vec.y);
    tw_sts<tw_u32x2>(q_tile_2 + (u32)swizzled * 2u, tw_u32x2{
        tw_pack_u16x2(q_tile_3[0], q_tile_3[1]), tw_pack_u16x2(q_tile_3[2], q_tile_3[3])});
    const i32 to = tw_max_i32(tw_min_i32(blocks, hi - begin), from + 1);
    f32 m = -1e+30f;
    f32 l = 0.0f;
    f32 acc[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = 0.0f;
    }
    for (i32 b = from; b < to; ++b) {
      const i32 t_7 = b * 8;
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
      tw_bf16 ropes_tile_1[4];
      const tw_u32x2 ropes_tile_1_vec = ropes_in_1 ? tw_ldg_nc<tw_u32x2>(ropes + ropes_at_1) : tw_u32x2{0u, 0u};
      ropes_tile_1[0] = tw_u16x2_lo(ropes_tile_1_vec.x);
      ropes_tile_1[1] = tw_u16x2_hi(ropes_tile_1_vec.x);
      ropes_tile_1[2] = tw_u16x2_lo(ropes_tile_1_vec.y);
      ropes_tile_1[3] = tw_u16x2_hi(ropes_tile_1_vec.y);
      tw_sts<tw_u32x2>(ropes_tile + (u32)swizzled * 2u, tw_u32x2{
          tw_pack_u16x2(ropes_tile_1[0], ropes_tile_1[1]),
          tw_pack_u16x2(ropes_tile_1[2], ropes_tile_1[3])});
      tw_syncthreads();
      f32 rotated[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        rotated[r] = 0.0f;
      }
      u32 a[2];
      u32 b_1[2];
      tw_lds_words<2>(&a[0], qRope_tile + (u32)(swizzled_1 * 2));
      tw_lds_words<2>(&b_1[0], ropes_tile + (u32)(swizzled_1 * 2));
      tw_mfma_f32_16x16x16_bf16(&rotated[0], &b_1[0], &a[0]);
      const i64 latents_at_2 = latents_at + (i64)page * 256ll + (i64)at * 16ll;
      const bool latents_in_2 = latents_in && (u32)page < (u32)NB && t_GP_1 < left_4;
      tw_bf16 latents_tile_1[4];
      const tw_u32x2 latents_tile_1_vec = latents_in_2 ? tw_ldg_nc<tw_u32x2>(latents + latents_at_2) : tw_u32x2{0u, 0u};
      latents_tile_1[0] = tw_u16x2_lo(latents_tile_1_vec.x);
      latents_tile_1[1] = tw_u16x2_hi(latents_tile_1_vec.x);
      latents_tile_1[2] = tw_u16x2_lo(latents_tile_1_vec.y);
      latents_tile_1[3] = tw_u16x2_hi(latents_tile_1_vec.y);
      tw_sts<tw_u32x2>(latents_tile + (u32)swizzled * 2u, tw_u32x2{
          tw_pack_u16x2(latents_tile_1[0], latents_tile_1[1]),
          tw_pack_u16x2(latents_tile_1[2], latents_tile_1[3])});
      tw_syncthreads();
      u32 a_1[2];
      u32 b_2[2];
      tw_lds_words<2>(&a_1[0], q_tile + (u32)(swizzled_1 * 2));
      tw_lds_words<2>(&b_2[0], latents_tile + (u32)(swizzled_1 * 2));
      tw_mfma_f32_16x16x16_bf16(&rotated[0], &b_2[0], &a_1[0]);
      const i64 latents_at_3 = latents_at_1 + (i64)page * 256ll + (i64)at * 16ll;
      const bool latents_in_3 = latents_in_1 && (u32)page < (u32)NB && t_GP_1 < left_4;
      tw_bf16 latents_tile_3[4];
      const tw_u32x2 latents_tile_3_vec = latents_in_3 ? tw_ldg_nc<tw_u32x2>(latents + latents_at_3) : tw_u32x2{0u, 0u};
      latents_tile_3[0] = tw_u16x2_lo(latents_tile_3_vec.x);
      latents_tile_3[1] = tw_u16x2_hi(latents_tile_3_vec.x);
      latents_tile_3[2] = tw_u16x2_lo(latents_tile_3_vec.y);
      latents_tile_3[3] = tw_u16x2_hi(latents_tile_3_vec.y);
      tw_sts<tw_u32x2>(latents_tile_2 + (u32)latents_tile_2_at * 2u, tw_u32x2{
          tw_pack_u16x2(latents_tile_3[0], latents_tile_3[1]),
          tw_pack_u16x2(latents_tile_3[2], latents_tile_3[3])});
      tw_syncthreads();
      u32 a_2[2];
      u32 b_3[2];
      tw_lds_words<2>(&a_2[0], q_tile_2 + (u32)(swizzled_1 * 2));
      tw_lds_words<2>(&b_3[0], latents_tile_2 + (u32)(latents_tile_2_at_1 * 2));
      tw_mfma_f32_16x16x16_bf16(&rotated[0], &b_3[0], &a_2[0]);
      f32 x[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        x[r] = t_7 + t_BN + r < len ? rotated[r] : tw_bits_f32(0xff800000u);
      }
      f32 most = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        most = tw_max(most, inside[r] ? x[r] : tw_bits_f32(0xff800000u));
      }
      f32 other;
      other = tw_shfl_xor<f32>(most, 16);
      most = tw_max(most, other);
      other = tw_shfl_xor<f32>(most, 32);
      most = tw_max(most, other);
      const f32 top = tw_max(m, most);
      const bool grew = (top - m) * c > 8.0f;
      i32 grew_1 = inside_1 ? (grew ? 1 : 0) : -2147483647 - 1;
      i32 other_1;
      other_1 = tw_shfl_xor<i32>(grew_1, 1);
      grew_1 = tw_max_i32(grew_1, other_1);
      other_1 = tw_shfl_xor<i32>(grew_1, 2);
      grew_1 = tw_max_i32(grew_1, other_1);
      other_1 = tw_shfl_xor<i32>(grew_1, 4);
      grew_1 = tw_max_i32(grew_1, other_1);
      other_1 = tw_shfl_xor<i32>(grew_1, 8);
      grew_1 = tw_max_i32(grew_1, other_1);
      const bool grew_2 = grew_1 != 0;
      f32 t_10;
      f32 t_11;
      f32 t_12[4];
      if (grew_2) {
        const f32 next = grew ? top : m;
        const f32 alpha = tw_exp2((m - next) * c);
        t_10 = next;
        t_11 = l * alpha;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_12[r] = acc[r] * alpha;
        }
      } else {
        t_10 = m;
        t_11 = l;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_12[r] = acc[r];
        }
      }
      const f32 t_13 = t_10 * c;
      f32 p[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        p[r] = tw_exp2(x[r] * c - t_13);
      }
      f32 sum = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        sum = sum + (inside[r] ? p[r] : 0.0f);
      }
      f32 other_2;
      other_2 = tw_shfl_xor<f32>(sum, 16);
      sum = sum + other_2;
      other_2 = tw_shfl_xor<f32>(sum, 32);
      sum = sum + other_2;
      u32 a_3[2];
      u32 b_4[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        a_3[r] = tw_pack_u16x2(
            inside[r * 2] ? tw_f32_to_bf16(p[r * 2]) : 0,
            inside[r * 2 + 1] ? tw_f32_to_bf16(p[r * 2 + 1]) : 0);
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_lds_halves(
            &b_4[r], latents_tile_2 + (u32)((latents_tile_2_at_2 + r * 40) * 2),
            latents_tile_2 + (u32)((latents_tile_2_at_2 + r * 40 + 20) * 2));
      }
      tw_mfma_f32_16x16x16_bf16(&t_12[0], &b_4[0], &a_3[0]);
      m = t_10;
      l = t_11 + sum;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        acc[r] = t_12[r];
      }
    }
    const f32 total = tw_max(l, 1e-30f);
    const i32 end_4 = len > 0 ? H : 0;
    const i32 t_14 = s + pid1;
    const f32 t_15 = 1.0f / total;
    const i32 end_5 = tw_min_i32(end_4, end);
    const i32 bound_2 = tw_min_i32(end_5, H);
    const i32 left_5 = bound_2 - g;
    const i64 partial_at_2 = partial_at_1 + (i64)t_14 * (i64)stride_1;
    const bool partial_in_1 = partial_in && (u32)t_14 < (u32)P && t_GP < left_5;
    f32 partial_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      partial_tile[r] = acc[r] * t_15;
    }
    if (partial_in_1) {
      tw_stg<tw_f32x4>(partial + partial_at_2, tw_f32x4{
          partial_tile[0], partial_tile[1], partial_tile[2], partial_tile[3]});
    }
    const i32 end_6 = tw_min_i32(t_5 ? 0 : end_4, end);
    const i32 bound_3 = tw_min_i32(end_6, H);
    const i32 left_6 = bound_3 - g;
    const i64 lse_at_1 = lse_at + (i64)t_14 * (i64)H;
    const bool lse_in = (u32)t_14 < (u32)P && t_GP < left_6;
    if (is_first) {
      const f32 lse_tile = m * c + tw_log2(total);
      if (lse_in) {
        tw_stg<f32>(lse + lse_at_1, lse_tile);
      }
    }
    begin = begin + blocks;
  }
}
