// mla_decode for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: S%2 H%16 MAXB%4 SPLIT%2
// 256 threads in 4 warps of 64, 5632 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: lt bf16[1088]
//    4352 … 4992: qr bf16[320]
//    4992 … 5632: rt bf16[320]

TW_KERNEL(256) mla_decode(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* lens, f32* partial, f32* lse, i32 S, i32 H, i32 NB, i32 MAXB,
    i32 SPLIT, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
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
  const i64 lens_at = (i64)pid2;
  i32 len;
  len = tw_ldg_nc<i32>(lens + lens_at);
  const i32 blocks = (len + 15) >> 4;
  const i32 share = tw_floordiv_i32(blocks + (SPLIT - 1), SPLIT);
  const i32 lo = pid1 * share;
  const i32 stride = H * 64;
  const i32 t_GP = thread >> 4;
  const i32 left = H - t;
  const i32 t_R = (lane & 15) * 4;
  const i32 q_at = t_GP * 64 + t_R;
  const i64 q_at_1 = (i64)pid2 * (i64)stride + (i64)t * 64ll + (i64)q_at;
  const bool q_in = pid2 < S && t_GP < left;
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
  const i64 qRope_at_1 = (i64)pid2 * (i64)stride_1 + (i64)t * 16ll + (i64)qRope_at;
  const i32 qr_at = (lane & 15) + (thread >> 4) * 20;
  tw_bf16 qRope_tile;
  qRope_tile = q_in ? tw_ldg_nc<u16>(qRope + qRope_at_1) : (u16)0;
  tw_sts<u16>(qr + (u32)qr_at * 2u, qRope_tile);
  const i32 t_BN = (lane >> 4) * 4;
  const f32 t_1 = scale * 1.442695f;
  const i32 t_2 = lo * 16;
  const i32 t_3 = tw_min_i32(lo + share, blocks) * 16;
  f32 l = 0.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = -1e+30f;
  const i64 table_at = (i64)pid2 * (i64)MAXB;
  const bool table_in = pid2 < S;
  const i64 latents_at = (i64)t_R;
  const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
  const i64 ropes_at = (i64)t_DR;
  const i32 qr_at_1 = (lane & 15) * 20 + (lane >> 4) * 4;
  const i32 lt_at = (lane & 15) + (lane >> 4) * 272 + warp * 16;
  for (i32 n = t_2; n < t_3; n += 16) {
    const i32 kpos = n + t_GP;
    const i32 t_4 = kpos < len ? kpos >> 4 : -1;
    const i64 table_at_1 = table_at + (i64)t_4;
    const bool table_in_1 = table_in && (u32)t_4 < (u32)MAXB;
    i32 pages;
    pages = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
    const i32 slot = kpos & 15;
    tw_syncthreads();
    const i64 latents_at_1 = latents_at + (i64)pages * 1024ll + (i64)slot * 64ll;
    const bool latents_in = (u32)pages < (u32)NB;
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
    f32 acc_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc_1[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
      tw_lds_words<2>(&b[0], lt + (u32)((qt_at_1 + r * 16) * 2));
      tw_mfma_f32_16x16x16_bf16(&acc_1[0], &b[0], &a[0]);
    }
    const i64 ropes_at_1 = ropes_at + (i64)pages * 256ll + (i64)slot * 16ll;
    tw_bf16 ropes_tile;
    ropes_tile = latents_in ? tw_ldg_nc<u16>(ropes + ropes_at_1) : (u16)0;
    tw_sts<u16>(rt + (u32)qr_at * 2u, ropes_tile);
    tw_syncthreads();
    u32 a_1[2];
    u32 b_1[2];
    tw_lds_words<2>(&a_1[0], qr + (u32)(qr_at_1 * 2));
    tw_lds_words<2>(&b_1[0], rt + (u32)(qr_at_1 * 2));
    tw_mfma_f32_16x16x16_bf16(&acc_1[0], &b_1[0], &a_1[0]);
    f32 x[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      x[r] = n + t_BN + r < len ? acc_1[r] * t_1 : tw_bits_f32(0xff800000u);
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most = tw_max(most, x[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 16);
    most = tw_max(most, other);
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
    const f32 mNew = tw_max(m, most);
    f32 p[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      p[r] = tw_exp2(x[r] - mNew);
    }
    const f32 alpha = tw_exp2(m - mNew);
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum = sum + p[r];
    }
    f32 other_1;
    other_1 = tw_shfl_xor<f32>(sum, 16);
    sum = sum + other_1;
    other_1 = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other_1;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha;
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
    tw_mfma_f32_16x16x16_bf16(&acc[0], &b_2[0], &a_2[0]);
    l = l * alpha + sum;
    m = mNew;
  }
  const f32 total = tw_max(l, 1e-30f);
  const i32 stride_2 = H * 64 * SPLIT;
  const i32 t_R_1 = (thread >> 4) * 4;
  const i32 partial_at = t_DR * 64 + t_R_1;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_2 + (i64)pid1 * (i64)stride + (i64)t * 64ll + (i64)partial_at;
  const bool partial_in = pid2 < S && pid1 < SPLIT && t_DR < left;
  f32 partial_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    partial_tile[r] = acc[r] / total;
  }
  if (partial_in) {
    tw_stg<tw_f32x4>(partial + partial_at_1, tw_f32x4{
        partial_tile[0], partial_tile[1], partial_tile[2], partial_tile[3]});
  }
  const i32 stride_3 = H * SPLIT;
  const i64 lse_at = (i64)pid2 * (i64)stride_3 + (i64)pid1 * (i64)H + (i64)t + (i64)t_DR;
  const bool is_first = thread < 16;
  if (is_first) {
    const f32 lse_tile = m + tw_log2(total);
    if (partial_in) {
      tw_stg<f32>(lse + lse_at, lse_tile);
    }
  }
}
