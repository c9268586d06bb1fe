// ragged_attention for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=24 stages=2 heads=0
// dims fixed: D=96 DV=64
// dims divisible: N%16 HQ%2
// 256 threads in 4 warps of 64, 10112 bytes of shared memory
//       0 … 6640: kt bf16[3320]
//       0 … 4096: vt bf16[2048]
//    4096 … 5248: t125_shared bf16[576]
//    6656 … 9856: qt bf16[1600]
//    9856 … 9984: t52_parts f32[32]
//    9984 … 10112: t79_parts f32[32]

TW_KERNEL(256) ragged_attention(
    const tw_bf16* q, const tw_bf16* k, const tw_bf16* v, const i32* blocks, tw_bf16* o, i32 N,
    i32 HQ, i32 C, i32 H, i32 B, f32 scale, i32 firstHead) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 6656u;
  tw_label(qt, 3200u, "qt");
  const u32 kt = smem;
  tw_label(kt, 6640u, "kt");
  const u32 t52_parts = smem + 9856u;
  tw_label(t52_parts, 128u, "t52_parts");
  const u32 t79_parts = smem + 9984u;
  tw_label(t79_parts, 128u, "t79_parts");
  const u32 t125_shared = smem + 4096u;
  tw_label(t125_shared, 1152u, "t125_shared");
  const u32 vt = smem;
  tw_label(vt, 4096u, "vt");
  const i64 blocks_at = (i64)pid1 * 6ll;
  i32 start;
  start = tw_ldg_nc<i32>(blocks + blocks_at);
  i32 row;
  row = tw_ldg_nc<i32>(blocks + (blocks_at + 1ll));
  i32 rowEnd;
  rowEnd = tw_ldg_nc<i32>(blocks + (blocks_at + 2ll));
  i32 p0;
  p0 = tw_ldg_nc<i32>(blocks + (blocks_at + 3ll));
  i32 len;
  len = tw_ldg_nc<i32>(blocks + (blocks_at + 4ll));
  i32 blocks_tile;
  blocks_tile = tw_ldg_nc<i32>(blocks + (blocks_at + 5ll));
  const i32 h = tw_min_i32(blocks_tile + pid0, H - 1);
  const f32 c = scale * 1.442695f;
  const i32 t_BM = lane & 15;
  const i32 qpos = p0 + t_BM;
  const i32 t = firstHead + h;
  const i32 stride = HQ * 96;
  const i32 t_BM_1 = (thread >> 3) & 15;
  const i32 bound = tw_min_i32(rowEnd, N);
  const i32 position = row + t_BM_1;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 t_D = (lane & 7) * 4;
  const i32 q_at = t_BM_1 * stride + t_D;
  const i64 q_at_1 = (i64)row * (i64)stride + (i64)t * 96ll + (i64)q_at;
  const bool q_in = (u32)position < (u32)bound_1 && (u32)t < (u32)HQ;
  const i32 qt_at = (lane & 7) * 4 + ((thread >> 3) & 15) * 100;
  const bool is_first = thread < 128;
  if (is_first) {
    tw_bf16 q_tile[12];
    #pragma unroll
    for (i32 r = 0; r < 3; ++r) {
      const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + (q_at_1 + (i64)(r * 32))) : tw_u32x2{0u, 0u};
      q_tile[r * 4] = tw_u16x2_lo(q_tile_vec.x); q_tile[r * 4 + 1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[r * 4 + 2] = tw_u16x2_lo(q_tile_vec.y); q_tile[r * 4 + 3] = tw_u16x2_hi(q_tile_vec.y);
    }
    #pragma unroll
    for (i32 r = 0; r < 3; ++r) {
      tw_sts<tw_u32x2>(qt + (u32)(qt_at + r * 32) * 2u, tw_u32x2{
          tw_pack_u16x2(q_tile[r * 4], q_tile[r * 4 + 1]),
          tw_pack_u16x2(q_tile[r * 4 + 2], q_tile[r * 4 + 3])});
    }
  }
  const i32 t_1 = start + len;
  const i32 t_BN = ((thread >> 4) & 7) * 4;
  bool inside[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    inside[r] = t_BN + r < 24;
  }
  const i32 t_2 = tw_max_i32(tw_min_i32(len, p0 + 16), 1);
  f32 m = -1e+30f;
  f32 l = 0.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  const i32 stride_1 = H * 96;
  const i32 t_BN_1 = (thread >> 2) & 31;
  const i32 t_D_1 = (lane & 3) * 8;
  const i32 k_at = t_BN_1 * stride_1 + t_D_1;
  const i64 k_at_1 = (i64)h * 96ll + (i64)k_at;
  const bool k_in = (u32)h < (u32)H;
  const i32 kt_at = (lane & 3) * 8 + ((thread >> 2) & 31) * 104;
  const i32 qt_at_1 = (lane & 15) * 100 + (lane >> 4) * 4;
  const i32 kt_at_1 = (lane & 15) * 104 + (lane >> 4) * 4 + (warp & 1) * 1664;
  const i32 part = warp & 1;
  const bool is_first_1 = (lane >> 4) == 0 && thread < 128;
  const i32 part_at = part * 16 + t_BM;
  const i32 t125_shared_at = (lane & 15) * 36 + ((thread >> 4) & 7) * 4;
  const i32 stride_2 = H * 64;
  const i32 t_BN_2 = thread >> 3;
  const i32 t_DV = (lane & 7) * 8;
  const i32 v_at = t_BN_2 * stride_2 + t_DV;
  const i64 v_at_1 = (i64)h * 64ll + (i64)v_at;
  const i32 vt_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
  const i32 t125_shared_at_1 = (lane & 15) * 36 + (lane >> 4) * 4;
  const i32 vt_at_1 = (lane & 15) + (lane >> 4) * 256 + warp * 16;
  const i32 swizzled_1 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
  for (i32 n = 0; n < t_2; n += 24) {
    const i32 t_3 = start + n;
    const i32 end = tw_min_i32(t_1, t_3 + 24);
    tw_syncthreads();
    const i32 bound_2 = tw_min_i32(end, C);
    const i32 position_1 = t_3 + t_BN_1;
    const i32 bound_3 = tw_max_i32(bound_2, 0);
    const i64 k_at_2 = k_at_1 + (i64)t_3 * (i64)stride_1;
    const bool k_in_1 = k_in && (u32)position_1 < (u32)bound_3;
    if (is_first) {
      tw_bf16 k_tile[24];
      #pragma unroll
      for (i32 r = 0; r < 3; ++r) {
        const tw_u32x4 k_tile_vec = k_in_1 ? tw_ldg_nc<tw_u32x4>(k + (k_at_2 + (i64)(r * 32))) : tw_u32x4{0u, 0u, 0u, 0u};
        k_tile[r * 8] = tw_u16x2_lo(k_tile_vec.x); k_tile[r * 8 + 1] = tw_u16x2_hi(k_tile_vec.x);
        k_tile[r * 8 + 2] = tw_u16x2_lo(k_tile_vec.y);
        k_tile[r * 8 + 3] = tw_u16x2_hi(k_tile_vec.y);
        k_tile[r * 8 + 4] = tw_u16x2_lo(k_tile_vec.z);
        k_tile[r * 8 + 5] = tw_u16x2_hi(k_tile_vec.z);
        k_tile[r * 8 + 6] = tw_u16x2_lo(k_tile_vec.w);
        k_tile[r * 8 + 7] = tw_u16x2_hi(k_tile_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 3; ++r) {
        tw_sts<tw_u32x4>(kt + (u32)(kt_at + r * 32) * 2u, tw_u32x4{
            tw_pack_u16x2(k_tile[r * 8], k_tile[r * 8 + 1]),
            tw_pack_u16x2(k_tile[r * 8 + 2], k_tile[r * 8 + 3]),
            tw_pack_u16x2(k_tile[r * 8 + 4], k_tile[r * 8 + 5]),
            tw_pack_u16x2(k_tile[r * 8 + 6], k_tile[r * 8 + 7])});
      }
    }
    tw_syncthreads();
    f32 scores[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scores[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 6; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
      tw_lds_words<2>(&b[0], kt + (u32)((kt_at_1 + r * 16) * 2));
      tw_mfma_f32_16x16x16_bf16(&scores[0], &b[0], &a[0]);
    }
    f32 masked[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      masked[r] = n + t_BN + r <= qpos ? scores[r] : tw_bits_f32(0xff800000u);
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most = tw_max(most, inside[r] ? masked[r] : tw_bits_f32(0xff800000u));
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 16);
    most = tw_max(most, other);
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
    if (is_first_1) {
      tw_sts<f32>(t52_parts + (u32)part_at * 4u, most);
    }
    tw_syncthreads();
    most = tw_lds<f32>(t52_parts + (u32)t_BM * 4u);
    f32 other_1;
    other_1 = tw_lds<f32>(t52_parts + (u32)(t_BM + 16) * 4u);
    most = tw_max(most, other_1);
    const f32 top = tw_max(m, most);
    const bool grew = (top - m) * c > 8.0f;
    i32 grew_1 = grew ? 1 : 0;
    i32 other_2;
    other_2 = tw_shfl_xor<i32>(grew_1, 1);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 2);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 4);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 8);
    grew_1 = tw_max_i32(grew_1, other_2);
    const bool grew_2 = grew_1 != 0;
    f32 t_4;
    f32 t_5;
    f32 t_6[4];
    if (grew_2) {
      const f32 next = grew ? top : m;
      const f32 alpha = tw_exp2((m - next) * c);
      t_4 = next;
      t_5 = l * alpha;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_6[r] = acc[r] * alpha;
      }
    } else {
      t_4 = m;
      t_5 = l;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_6[r] = acc[r];
      }
    }
    const f32 t_7 = t_4 * c;
    f32 p[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      p[r] = tw_exp2(masked[r] * c - t_7);
    }
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum = sum + (inside[r] ? p[r] : 0.0f);
    }
    f32 other_3;
    other_3 = tw_shfl_xor<f32>(sum, 16);
    sum = sum + other_3;
    other_3 = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other_3;
    if (is_first_1) {
      tw_sts<f32>(t79_parts + (u32)part_at * 4u, sum);
    }
    tw_syncthreads();
    sum = tw_lds<f32>(t79_parts + (u32)t_BM * 4u);
    f32 other_4;
    other_4 = tw_lds<f32>(t79_parts + (u32)(t_BM + 16) * 4u);
    sum = sum + other_4;
    if (is_first) {
      tw_bf16 t125_shared_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t125_shared_tile[r] = inside[r] ? tw_f32_to_bf16(p[r]) : 0;
      }
      tw_sts<tw_u32x2>(t125_shared + (u32)t125_shared_at * 2u, tw_u32x2{
          tw_pack_u16x2(t125_shared_tile[0], t125_shared_tile[1]),
          tw_pack_u16x2(t125_shared_tile[2], t125_shared_tile[3])});
    }
    const i32 position_2 = t_3 + t_BN_2;
    const i64 v_at_2 = v_at_1 + (i64)t_3 * (i64)stride_2;
    const bool v_in = k_in && (u32)position_2 < (u32)bound_3;
    tw_bf16 v_tile[8];
    const tw_u32x4 v_tile_vec = v_in ? tw_ldg_nc<tw_u32x4>(v + v_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    v_tile[0] = tw_u16x2_lo(v_tile_vec.x); v_tile[1] = tw_u16x2_hi(v_tile_vec.x);
    v_tile[2] = tw_u16x2_lo(v_tile_vec.y); v_tile[3] = tw_u16x2_hi(v_tile_vec.y);
    v_tile[4] = tw_u16x2_lo(v_tile_vec.z); v_tile[5] = tw_u16x2_hi(v_tile_vec.z);
    v_tile[6] = tw_u16x2_lo(v_tile_vec.w); v_tile[7] = tw_u16x2_hi(v_tile_vec.w);
    tw_sts<tw_u32x4>(vt + (u32)swizzled * 2u, tw_u32x4{
        tw_pack_u16x2(v_tile[0], v_tile[1]), tw_pack_u16x2(v_tile[2], v_tile[3]),
        tw_pack_u16x2(v_tile[4], v_tile[5]), tw_pack_u16x2(v_tile[6], v_tile[7])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[2];
      u32 b_1[2];
      tw_lds_words<2>(&a_1[0], t125_shared + (u32)((t125_shared_at_1 + r * 16) * 2));
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_lds_halves(
            &b_1[i],
            vt + (u32)(((swizzled_1 ^ ((i * 128) ^ (((i * 128) >> 3) & 56))) + r * 1024) * 2),
            vt + (u32)((((swizzled_1 ^ ((i * 128) ^ (((i * 128) >> 3) & 56))) ^ 72) + r * 1024) * 2));
      }
      tw_mfma_f32_16x16x16_bf16(&t_6[0], &b_1[0], &a_1[0]);
    }
    m = t_4;
    l = t_5 + sum;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = t_6[r];
    }
  }
  const f32 t_8 = 1.0f / tw_max(l, 1e-30f);
  const i32 stride_3 = HQ * 64;
  const i32 position_3 = row + t_BM;
  const i32 t_DV_1 = (thread >> 4) * 4;
  const i32 o_at = t_BM * stride_3 + t_DV_1;
  const i64 o_at_1 = (i64)row * (i64)stride_3 + (i64)t * 64ll + (i64)o_at;
  const bool o_in = (u32)position_3 < (u32)bound_1 && (u32)t < (u32)HQ;
  tw_bf16 o_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    o_tile[r] = tw_f32_to_bf16(acc[r] * t_8);
  }
  if (o_in) {
    tw_stg<tw_u32x2>(o + o_at_1, tw_u32x2{
        tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
  }
}
