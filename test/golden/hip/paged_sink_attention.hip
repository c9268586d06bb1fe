// paged_sink_attention for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 stages=2 heads=2 SOFTCAP=1.5 WINDOW=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%4 NB%8 S%2 B%2
// 256 threads in 4 warps of 64, 5120 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: kt bf16[1088]
//    3072 … 5120: vt bf16[1024]

TW_KERNEL(256) paged_sink_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* blocks, tw_bf16* o, const tw_bf16* sinks, i32 N, i32 HQ, i32 NB, i32 HKV, i32 S,
    i32 MAXB, i32 B, f32 scale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem;
  tw_label(qt, 2176u, "qt");
  const u32 kt = smem + 2176u;
  tw_label(kt, 2176u, "kt");
  const u32 vt = smem + 3072u;
  tw_label(vt, 2048u, "vt");
  const i64 blocks_at = (i64)pid1 * 6ll;
  i32 blocks_tile;
  blocks_tile = tw_ldg_nc<i32>(blocks + (blocks_at + 5ll));
  const i32 h = tw_min_i32(blocks_tile + pid0, HQ - 1);
  const i64 sinks_at = (i64)h;
  tw_bf16 sinks_tile;
  sinks_tile = tw_ldg_nc<u16>(sinks + sinks_at);
  i32 s;
  s = tw_ldg_nc<i32>(blocks + blocks_at);
  i32 row;
  row = tw_ldg_nc<i32>(blocks + (blocks_at + 1ll));
  i32 rowEnd;
  rowEnd = tw_ldg_nc<i32>(blocks + (blocks_at + 2ll));
  i32 p0;
  p0 = tw_ldg_nc<i32>(blocks + (blocks_at + 3ll));
  i32 len;
  len = tw_ldg_nc<i32>(blocks + (blocks_at + 4ll));
  const i32 kvHead = tw_floordiv_i32(h, tw_floordiv_i32(HQ, HKV));
  const i32 t_BM = lane & 15;
  const i32 qpos = p0 + t_BM;
  const i32 stride = HQ * 64;
  const i32 t_BM_1 = thread >> 4;
  const i32 bound = tw_min_i32(rowEnd, N);
  const i32 position = row + t_BM_1;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 t_D = (lane & 15) * 4;
  const i32 q_at = t_BM_1 * stride + t_D;
  const i64 q_at_1 = (i64)row * (i64)stride + (i64)h * 64ll + (i64)q_at;
  const bool q_in = (u32)position < (u32)bound_1 && (u32)h < (u32)HQ;
  const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
  tw_bf16 q_tile[4];
  const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
  q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
  q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
  tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
      tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
  const i32 end = tw_max_i32(tw_min_i32(len, p0 + 16), 1);
  const i32 t = len + 15;
  const i32 t_BN = (lane >> 4) * 4;
  const f32 t_1 = scale / 1.5f;
  const bool more = 0 < end;
  i32 pages;
  const i32 t_2 = t >> 4;
  const i32 bound_2 = tw_min_i32(t_2, MAXB);
  if (more) {
    const i32 t_3 = 0;
    const i32 left = bound_2 - t_3;
    const i64 table_at = (i64)s * (i64)MAXB + (i64)t_3;
    const bool table_in = (u32)s < (u32)S && 0 < left;
    i32 pages_1;
    pages_1 = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
    pages = pages_1;
  } else {
    pages = -1;
  }
  f32 m = tw_bf16_to_f32(sinks_tile) / 1.5f;
  f32 l = 1.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  i32 pages_2 = pages;
  const i64 table_at_1 = (i64)s * (i64)MAXB;
  const bool table_in_1 = (u32)s < (u32)S;
  const i32 stride_1 = HKV * 1024;
  const i32 stride_2 = HKV * 64;
  const i64 kCache_at = (i64)t_BM_1 * (i64)stride_2 + (i64)kvHead * 64ll + (i64)t_D;
  const bool kCache_in = (u32)kvHead < (u32)HKV;
  const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
  const i32 vt_at = (lane & 15) * 4 + (thread >> 4) * 64;
  const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
  const i32 vt_at_1 = (lane & 15) + (lane >> 4) * 256 + warp * 16;
  const i32 swizzled_1 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
  for (i32 n = 0; n < end; n += 16) {
    const i32 n_1 = n + 16;
    const bool more_1 = n_1 < end;
    i32 pages_3;
    if (more_1) {
      const i32 t_4 = n_1 >> 4;
      const i32 left_1 = bound_2 - t_4;
      const i64 table_at_2 = table_at_1 + (i64)t_4;
      const bool table_in_2 = table_in_1 && 0 < left_1;
      i32 pages_4;
      pages_4 = table_in_2 ? tw_ldg_nc<i32>(table + table_at_2) : -1;
      pages_3 = pages_4;
    } else {
      pages_3 = -1;
    }
    const bool t_5 = t_BM_1 < len - n;
    tw_syncthreads();
    const i64 kCache_at_1 = kCache_at + (i64)pages_2 * (i64)stride_1;
    const bool kCache_in_1 = kCache_in && (u32)pages_2 < (u32)NB && t_5;
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
    f32 masked[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      masked[r] = n + t_BN + r <= qpos ? tw_tanh(scores[r] * t_1) : tw_bits_f32(0xff800000u);
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most = tw_max(most, masked[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 16);
    most = tw_max(most, other);
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
    const f32 top = tw_max(m, most);
    const bool grew = (top - m) * 2.1640425f > 8.0f;
    i32 grew_1 = grew ? 1 : 0;
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
    f32 t_6;
    f32 t_7;
    f32 t_8[4];
    if (grew_2) {
      const f32 next = grew ? top : m;
      const f32 alpha = tw_exp2((m - next) * 2.1640425f);
      t_6 = next;
      t_7 = l * alpha;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_8[r] = acc[r] * alpha;
      }
    } else {
      t_6 = m;
      t_7 = l;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_8[r] = acc[r];
      }
    }
    const f32 t_9 = t_6 * 2.1640425f;
    f32 p[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      p[r] = tw_exp2(masked[r] * 2.1640425f - t_9);
    }
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum = sum + p[r];
    }
    f32 other_2;
    other_2 = tw_shfl_xor<f32>(sum, 16);
    sum = sum + other_2;
    other_2 = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other_2;
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
    tw_mfma_f32_16x16x16_bf16(&t_8[0], &b_1[0], &a_1[0]);
    m = t_6;
    l = t_7 + sum;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = t_8[r];
    }
    pages_2 = pages_3;
  }
  const f32 t_10 = 1.0f / tw_max(l, 1e-30f);
  const i32 position_1 = row + t_BM;
  const i32 t_D_1 = (thread >> 4) * 4;
  const i32 o_at = t_BM * stride + t_D_1;
  const i64 o_at_1 = (i64)row * (i64)stride + (i64)h * 64ll + (i64)o_at;
  const bool o_in = (u32)position_1 < (u32)bound_1 && (u32)h < (u32)HQ;
  tw_bf16 o_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    o_tile[r] = tw_f32_to_bf16(acc[r] * t_10);
  }
  if (o_in) {
    tw_stg<tw_u32x2>(o + o_at_1, tw_u32x2{
        tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
  }
}
