// mla_prefill for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 BS=128 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: N%16 H%2 NB%8 S%2
// 256 threads in 4 warps of 64, 5648 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: lt bf16[1088]
//    4352 … 4992: qr bf16[320]
//    4992 … 5632: rt bf16[320]
//    5632 … 5640: t26_parts i32[2]

TW_KERNEL(256) mla_prefill(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* queryStart, const i32* lens, tw_bf16* o, i32 N, i32 H, i32 NB,
    i32 S, i32 MAXB, i32 S1, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t26_parts = smem + 5632u;
  tw_label(t26_parts, 8u, "t26_parts");
  const u32 qt = smem;
  tw_label(qt, 2176u, "qt");
  const u32 qr = smem + 4352u;
  tw_label(qr, 640u, "qr");
  const u32 lt = smem + 2176u;
  tw_label(lt, 2176u, "lt");
  const u32 rt = smem + 4992u;
  tw_label(rt, 640u, "rt");
  const i32 t_BS = thread & 127;
  i32 begun = 0;
  const i32 bound = tw_min_i32(S, S1);
  const i64 queryStart_at = (i64)t_BS;
  const i32 part = warp & 1;
  const bool is_first = lane == 0 && thread < 128;
  for (i32 i = 0; i < S; i += 128) {
    const i32 left = bound - i;
    const i64 queryStart_at_1 = queryStart_at + (i64)i;
    const bool queryStart_in = t_BS < left;
    i32 start;
    start = queryStart_in ? tw_ldg_nc<i32>(queryStart + queryStart_at_1) : 0;
    tw_syncthreads();
    i32 sum = i + t_BS < S && (start >> 4) + i + t_BS <= pid1 ? 1 : 0;
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
    other = tw_shfl_xor<i32>(sum, 32);
    sum = sum + other;
    if (is_first) {
      tw_sts<i32>(t26_parts + (u32)part * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[2];
    const tw_i32x2 parts_vec = tw_lds<tw_i32x2>(t26_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y;
    sum = parts[0];
    sum = sum + parts[1];
    begun = begun + sum;
  }
  const bool t = begun > 0;
  if (t) {
    const i32 s = begun - 1;
    const i64 queryStart_at_2 = (i64)s;
    i32 rowStart;
    rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at_2);
    const i32 t_1 = s + 1;
    const i64 queryStart_at_3 = (i64)t_1;
    i32 rowEnd;
    rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_3);
    const i32 m0 = (pid1 - (rowStart >> 4) - s) * 16;
    const i32 t_2 = rowEnd - rowStart;
    const bool t_3 = m0 < t_2;
    if (t_3) {
      i32 len;
      len = tw_ldg_nc<i32>(lens + queryStart_at_2);
      const i32 t_4 = rowStart + m0;
      const i32 p0 = len - t_2 + m0;
      const i32 t_BM = lane & 15;
      const i32 qpos = p0 + t_BM;
      const i32 stride = H * 64;
      const i32 t_BM_1 = thread >> 4;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 position = t_4 + t_BM_1;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 t_R = (lane & 15) * 4;
      const i32 q_at = t_BM_1 * stride + t_R;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)q_at;
      const bool q_in = (u32)position < (u32)bound_2 && pid0 < H;
      const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
      tw_bf16 q_tile[4];
      const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
      q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
      tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
          tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
      const i32 stride_1 = H * 16;
      const i32 qRope_at = t_BM_1 * stride_1 + t_BM;
      const i64 qRope_at_1 = (i64)pid0 * 16ll + (i64)t_4 * (i64)stride_1 + (i64)qRope_at;
      const i32 qr_at = (lane & 15) + (thread >> 4) * 20;
      tw_bf16 qRope_tile;
      qRope_tile = q_in ? tw_ldg_nc<u16>(qRope + qRope_at_1) : (u16)0;
      tw_sts<u16>(qr + (u32)qr_at * 2u, qRope_tile);
      const i32 t_BN = (lane >> 4) * 4;
      const f32 t_5 = scale * 1.442695f;
      const i32 t_6 = tw_min_i32(len, p0 + 16);
      f32 l = 0.0f;
      f32 acc[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        acc[r] = 0.0f;
      }
      f32 m = -1e+30f;
      const i64 table_at = (i64)s * (i64)MAXB;
      const bool table_in = (u32)s < (u32)S;
      const i64 latents_at = (i64)t_R;
      const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
      const i64 ropes_at = (i64)t_BM;
      const i32 qr_at_1 = (lane & 15) * 20 + (lane >> 4) * 4;
      const i32 lt_at = (lane & 15) + (lane >> 4) * 272 + warp * 16;
      for (i32 n = 0; n < t_6; n += 16) {
        const i32 kpos = n + t_BM_1;
        const i32 place = kpos < len ? kpos >> 4 : -1;
        const i64 table_at_1 = table_at + (i64)place;
        const bool table_in_1 = table_in && (u32)place < (u32)MAXB;
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
        f32 masked[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          masked[r] = n + t_BN + r <= qpos ? acc_1[r] * t_5 : tw_bits_f32(0xff800000u);
        }
        f32 most = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          most = tw_max(most, masked[r]);
        }
        f32 other_1;
        other_1 = tw_shfl_xor<f32>(most, 16);
        most = tw_max(most, other_1);
        other_1 = tw_shfl_xor<f32>(most, 32);
        most = tw_max(most, other_1);
        const f32 mNew = tw_max(m, most);
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          p[r] = tw_exp2(masked[r] - mNew);
        }
        const f32 alpha = tw_exp2(m - mNew);
        f32 sum_1 = 0.0f;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          sum_1 = sum_1 + p[r];
        }
        f32 other_2;
        other_2 = tw_shfl_xor<f32>(sum_1, 16);
        sum_1 = sum_1 + other_2;
        other_2 = tw_shfl_xor<f32>(sum_1, 32);
        sum_1 = sum_1 + other_2;
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
        l = l * alpha + sum_1;
        m = mNew;
      }
      const f32 t_7 = 1.0f / tw_max(l, 1e-30f);
      const i32 position_1 = t_4 + t_BM;
      const i32 t_R_1 = (thread >> 4) * 4;
      const i32 o_at = t_BM * stride + t_R_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)o_at;
      const bool o_in = (u32)position_1 < (u32)bound_2 && pid0 < H;
      tw_bf16 o_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        o_tile[r] = tw_f32_to_bf16(acc[r] * t_7);
      }
      if (o_in) {
        tw_stg<tw_u32x2>(o + o_at_1, tw_u32x2{
            tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
      }
    }
  }
}
