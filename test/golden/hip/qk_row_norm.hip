// qk_row_norm for hip gfx90a, made by tilewright
// dtypes: T=bf16
// dims fixed: Q=1024 K=256
// dims divisible: N%2 C%16
// 128 threads in 2 warps of 64, 144 bytes of shared memory
//       0 … 8: t8_parts f32[2]
//     128 … 136: t23_parts f32[2]

TW_KERNEL(128) qk_row_norm(
    tw_bf16* qkv, const tw_bf16* wq, const tw_bf16* wk, i32 N, i32 C, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t8_parts = smem;
  tw_label(t8_parts, 8u, "t8_parts");
  const u32 t23_parts = smem + 128u;
  tw_label(t23_parts, 8u, "t23_parts");
  const bool t = pid1 == 0;
  const bool is_first = lane == 0;
  if (t) {
    const i32 t_Q = thread * 8;
    const i64 qkv_at = (i64)pid0 * (i64)C + (i64)t_Q;
    const bool qkv_in = pid0 < N && t_Q < C;
    tw_bf16 qkv_tile[8];
    const tw_u32x4 qkv_tile_vec = qkv_in ? tw_ldg<tw_u32x4>(qkv + qkv_at) : tw_u32x4{0u, 0u, 0u, 0u};
    qkv_tile[0] = tw_u16x2_lo(qkv_tile_vec.x); qkv_tile[1] = tw_u16x2_hi(qkv_tile_vec.x);
    qkv_tile[2] = tw_u16x2_lo(qkv_tile_vec.y); qkv_tile[3] = tw_u16x2_hi(qkv_tile_vec.y);
    qkv_tile[4] = tw_u16x2_lo(qkv_tile_vec.z); qkv_tile[5] = tw_u16x2_hi(qkv_tile_vec.z);
    qkv_tile[6] = tw_u16x2_lo(qkv_tile_vec.w); qkv_tile[7] = tw_u16x2_hi(qkv_tile_vec.w);
    f32 v[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      v[r] = tw_bf16_to_f32(qkv_tile[r]);
    }
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum = sum + v[r] * v[r];
    }
    f32 other;
    other = tw_shfl_xor<f32>(sum, 1);
    sum = sum + other;
    other = tw_shfl_xor<f32>(sum, 2);
    sum = sum + other;
    other = tw_shfl_xor<f32>(sum, 4);
    sum = sum + other;
    other = tw_shfl_xor<f32>(sum, 8);
    sum = sum + other;
    other = tw_shfl_xor<f32>(sum, 16);
    sum = sum + other;
    other = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other;
    if (is_first) {
      tw_sts<f32>(t8_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    f32 parts[2];
    const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t8_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y;
    sum = parts[0];
    sum = sum + parts[1];
    const f32 scale = tw_rsqrt(sum / 1024.0f + eps);
    tw_bf16 wq_tile[8];
    const tw_u32x4 wq_tile_vec = tw_ldg_nc<tw_u32x4>(wq + t_Q);
    wq_tile[0] = tw_u16x2_lo(wq_tile_vec.x); wq_tile[1] = tw_u16x2_hi(wq_tile_vec.x);
    wq_tile[2] = tw_u16x2_lo(wq_tile_vec.y); wq_tile[3] = tw_u16x2_hi(wq_tile_vec.y);
    wq_tile[4] = tw_u16x2_lo(wq_tile_vec.z); wq_tile[5] = tw_u16x2_hi(wq_tile_vec.z);
    wq_tile[6] = tw_u16x2_lo(wq_tile_vec.w); wq_tile[7] = tw_u16x2_hi(wq_tile_vec.w);
    tw_bf16 qkv_tile_1[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      qkv_tile_1[r] = tw_f32_to_bf16(v[r] * scale * tw_bf16_to_f32(wq_tile[r]));
    }
    if (qkv_in) {
      tw_stg<tw_u32x4>(qkv + qkv_at, tw_u32x4{
          tw_pack_u16x2(qkv_tile_1[0], qkv_tile_1[1]), tw_pack_u16x2(qkv_tile_1[2], qkv_tile_1[3]),
          tw_pack_u16x2(qkv_tile_1[4], qkv_tile_1[5]), tw_pack_u16x2(qkv_tile_1[6], qkv_tile_1[7])});
    }
  } else {
    const i32 t_K = thread * 2;
    const i32 left = C - 1024;
    const i64 qkv_at_1 = (i64)pid0 * (i64)C + (i64)t_K;
    const bool qkv_in_1 = pid0 < N && t_K < left;
    tw_bf16 qkv_tile_2[2];
    const u32 qkv_tile_2_vec = qkv_in_1 ? tw_ldg<u32>(qkv + (qkv_at_1 + 1024ll)) : 0u;
    qkv_tile_2[0] = tw_u16x2_lo(qkv_tile_2_vec); qkv_tile_2[1] = tw_u16x2_hi(qkv_tile_2_vec);
    f32 v_1[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      v_1[r] = tw_bf16_to_f32(qkv_tile_2[r]);
    }
    f32 sum_1 = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum_1 = sum_1 + v_1[r] * v_1[r];
    }
    f32 other_1;
    other_1 = tw_shfl_xor<f32>(sum_1, 1);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<f32>(sum_1, 2);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<f32>(sum_1, 4);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<f32>(sum_1, 8);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<f32>(sum_1, 16);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<f32>(sum_1, 32);
    sum_1 = sum_1 + other_1;
    if (is_first) {
      tw_sts<f32>(t23_parts + (u32)warp * 4u, sum_1);
    }
    tw_syncthreads();
    f32 parts_1[2];
    const tw_f32x2 parts_1_vec = tw_lds<tw_f32x2>(t23_parts);
    parts_1[0] = parts_1_vec.x; parts_1[1] = parts_1_vec.y;
    sum_1 = parts_1[0];
    sum_1 = sum_1 + parts_1[1];
    const f32 scale_1 = tw_rsqrt(sum_1 / 256.0f + eps);
    tw_bf16 wk_tile[2];
    const u32 wk_tile_vec = tw_ldg_nc<u32>(wk + t_K);
    wk_tile[0] = tw_u16x2_lo(wk_tile_vec); wk_tile[1] = tw_u16x2_hi(wk_tile_vec);
    tw_bf16 qkv_tile_3[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      qkv_tile_3[r] = tw_f32_to_bf16(v_1[r] * scale_1 * tw_bf16_to_f32(wk_tile[r]));
    }
    if (qkv_in_1) {
      tw_stg<u32>(qkv + (qkv_at_1 + 1024ll), tw_pack_u16x2(qkv_tile_3[0], qkv_tile_3[1]));
    }
  }
}
