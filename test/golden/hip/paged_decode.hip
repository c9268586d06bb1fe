// paged_decode for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 stages=2 SOFTCAP=0
// dims fixed: G=4 D=64 PAGE=16
// dims divisible: S%2 HKV%2 MAXB%4 SPLIT%2
// 256 threads in 4 warps of 64, 5120 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: kt bf16[1088]
//    3072 … 5120: vt bf16[1024]

TW_KERNEL(256) paged_decode(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* lens, f32* partial, f32* lse, i32 S, i32 HKV, i32 NB, i32 MAXB, i32 SPLIT, f32 scale,
    i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2176u, "qt");
  const u32 kt = smem + 2176u;
  tw_label(kt, 2176u, "kt");
  const u32 vt = smem + 3072u;
  tw_label(vt, 2048u, "vt");
  const i32 g = 0;
  const i64 lens_at = (i64)pid2;
  i32 len;
  len = tw_ldg_nc<i32>(lens + lens_at);
  const i32 start = window > 0 ? tw_max_i32(len - window, 0) : 0;
  const i32 firstBlock = start >> 4;
  const i32 blocks = ((len + 15) >> 4) - firstBlock;
  const i32 share = tw_floordiv_i32(blocks + (SPLIT - 1), SPLIT);
  const i32 t = pid1 * share;
  const i32 stride = HKV * 256;
  const i32 t_GP = thread >> 4;
  const i32 left = 4 - g;
  const i32 t_D = (lane & 15) * 4;
  const i32 q_at = t_GP * 64 + t_D;
  const i64 q_at_1 = (i64)pid2 * (i64)stride + (i64)pid0 * 256ll + (i64)g * 64ll + (i64)q_at;
  const bool q_in = pid2 < S && pid0 < HKV && t_GP < left;
  const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
  tw_bf16 q_tile[4];
  const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
  q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
  q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
  tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
      tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
  const i32 t_1 = (firstBlock + t) * 16;
  const i32 t_2 = (firstBlock + tw_min_i32(t + share, blocks)) * 16;
  const i32 t_BN = (lane >> 4) * 4;
  const f32 t_3 = scale * 1.442695f;
  const bool more = t_1 < t_2;
  i32 pages;
  if (more) {
    const i32 kpos = t_1 + t_GP;
    const i32 t_4 = kpos < len && kpos >= start ? kpos >> 4 : -1;
    const i64 table_at = (i64)pid2 * (i64)MAXB + (i64)t_4;
    const bool table_in = pid2 < S && (u32)t_4 < (u32)MAXB;
    i32 pages_1;
    pages_1 = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
    pages = pages_1;
  } else {
    pages = -1;
  }
  f32 l = 0.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = -1e+30f;
  i32 pages_2 = pages;
  const i64 table_at_1 = (i64)pid2 * (i64)MAXB;
  const bool table_in_1 = pid2 < S;
  const i32 stride_1 = HKV * 1024;
  const i32 stride_2 = HKV * 64;
  const i64 kCache_at = (i64)pid0 * 64ll + (i64)t_D;
  const bool kCache_in = pid0 < HKV;
  const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
  const i32 vt_at = (lane & 15) * 4 + (thread >> 4) * 64;
  const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
  const i32 vt_at_1 = (lane & 15) + (lane >> 4) * 256 + warp * 16;
  const i32 swizzled_1 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
  for (i32 n = t_1; n < t_2; n += 16) {
    const i32 n_1 = n + 16;
    const bool more_1 = n_1 < t_2;
    i32 pages_3;
    if (more_1) {
      const i32 kpos_1 = n_1 + t_GP;
      const i32 t_5 = kpos_1 < len && kpos_1 >= start ? kpos_1 >> 4 : -1;
      const i64 table_at_2 = table_at_1 + (i64)t_5;
      const bool table_in_2 = table_in_1 && (u32)t_5 < (u32)MAXB;
      i32 pages_4;
      pages_4 = table_in_2 ? tw_ldg_nc<i32>(table + table_at_2) : -1;
      pages_3 = pages_4;
    } else {
      pages_3 = -1;
    }
    i32 kpos_2[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      kpos_2[r] = n + t_BN + r;
    }
    const i32 slot = (n + t_GP) & 15;
    tw_syncthreads();
    const i64 kCache_at_1 = kCache_at + (i64)pages_2 * (i64)stride_1 + (i64)slot * (i64)stride_2;
    const bool kCache_in_1 = kCache_in && (u32)pages_2 < (u32)NB;
    tw_bf16 kCache_tile[4];
    const tw_u32x2 kCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x2>(kCache + kCache_at_1) : tw_u32x2{0u, 0u};
    kCache_tile[0] = tw_u16x2_lo(kCache_tile_vec.x);
    kCache_tile[1] = tw_u16x2_hi(kCache_tile_vec.x);
    kCache_tile[2] = tw_u16x2_lo(kCache_tile_vec.y);
    kCache_tile[3] = tw_u16x2_hi(kCache_tile_vec.y);
    tw_sts<tw_u32x2>(kt + (u32)qt_at * 2u, tw_u32x2{
        tw_pack_u16x2(kCache_tile[0], kCache_tile[1]), tw_pack_u16x2(kCache_tile[2], kCache_tile[3])});
    tw_syncthreads();
    f32 scores[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scores[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
      tw_lds_words<2>(&b[0], kt + (u32)((qt_at_1 + r * 16) * 2));
      tw_mfma_f32_16x16x16_bf16(&scores[0], &b[0], &a[0]);
    }
    f32 x[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      x[r] = kpos_2[r] < len && kpos_2[r] >= start ? scores[r] * t_3 : tw_bits_f32(0xff800000u);
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
    tw_syncthreads();
    tw_bf16 vCache_tile[4];
    const tw_u32x2 vCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x2>(vCache + kCache_at_1) : tw_u32x2{0u, 0u};
    vCache_tile[0] = tw_u16x2_lo(vCache_tile_vec.x);
    vCache_tile[1] = tw_u16x2_hi(vCache_tile_vec.x);
    vCache_tile[2] = tw_u16x2_lo(vCache_tile_vec.y);
    vCache_tile[3] = tw_u16x2_hi(vCache_tile_vec.y);
    tw_sts<tw_u32x2>(vt + (u32)swizzled * 2u, tw_u32x2{
        tw_pack_u16x2(vCache_tile[0], vCache_tile[1]), tw_pack_u16x2(vCache_tile[2], vCache_tile[3])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha;
    }
    u32 a_1[2];
    u32 b_1[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      a_1[r] = tw_pack_bf16x2(p[r * 2], p[r * 2 + 1]);
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_lds_halves(
          &b_1[r], vt + (u32)((swizzled_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 56))) * 2),
          vt + (u32)(((swizzled_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 56))) ^ 72) * 2));
    }
    tw_mfma_f32_16x16x16_bf16(&acc[0], &b_1[0], &a_1[0]);
    l = l * alpha + sum;
    m = mNew;
    pages_2 = pages_3;
  }
  const f32 total = tw_max(l, 1e-30f);
  const i32 stride_3 = SPLIT * 256 * HKV;
  const i32 stride_4 = SPLIT * 256;
  const i32 t_GP_1 = lane & 15;
  const i32 t_D_1 = (thread >> 4) * 4;
  const i32 partial_at = t_GP_1 * 64 + t_D_1;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_3 + (i64)pid0 * (i64)stride_4 + (i64)pid1 * 256ll + (i64)g * 64ll + (i64)partial_at;
  const bool partial_in = pid2 < S && pid0 < HKV && pid1 < SPLIT && t_GP_1 < left;
  f32 partial_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    partial_tile[r] = acc[r] / total;
  }
  if (partial_in) {
    tw_stg<tw_f32x4>(partial + partial_at_1, tw_f32x4{
        partial_tile[0], partial_tile[1], partial_tile[2], partial_tile[3]});
  }
  const i32 stride_5 = SPLIT * 4 * HKV;
  const i32 stride_6 = SPLIT * 4;
  const i64 lse_at = (i64)pid2 * (i64)stride_5 + (i64)pid0 * (i64)stride_6 + (i64)pid1 * 4ll + (i64)g + (i64)t_GP_1;
  const bool is_first = thread < 16;
  if (is_first) {
    const f32 lse_tile = m + tw_log2(total);
    if (partial_in) {
      tw_stg<f32>(lse + lse_at, lse_tile);
    }
  }
}
