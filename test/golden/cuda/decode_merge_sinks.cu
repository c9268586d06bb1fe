// decode_merge_sinks for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BS=4
// dims fixed: D=128
// dims divisible: G%2
// 64 threads in 2 warps of 32, 1168 bytes of shared memory
//       0 … 1024: t32_parts f32[256]
//    1024 … 1032: t17_parts f32[2]
//    1152 … 1160: t25_parts f32[2]

TW_KERNEL(64) decode_merge_sinks(
    const f32* partial, const f32* lse, tw_bf16* o, const tw_bf16* sinks, i32 S, i32 HKV, i32 SPLIT,
    i32 G) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 t17_parts = smem + 1024u;
  tw_label(t17_parts, 8u, "t17_parts");
  const u32 t25_parts = smem + 1152u;
  tw_label(t25_parts, 8u, "t25_parts");
  const u32 t32_parts = smem;
  tw_label(t32_parts, 1024u, "t32_parts");
  const i64 sinks_at = (i64)pid1 * (i64)G + (i64)pid0;
  tw_bf16 sinks_tile;
  sinks_tile = tw_ldg_nc<u16>(sinks + sinks_at);
  f32 l = 1.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = tw_bf16_to_f32(sinks_tile) * 1.442695f;
  const i32 stride = G * SPLIT * HKV;
  const i32 stride_1 = G * SPLIT;
  const i32 lse_at = warp * G;
  const i64 lse_at_1 = (i64)pid2 * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)pid0 + (i64)lse_at;
  const bool lse_in = pid2 < S && pid1 < HKV && pid0 < G;
  const bool is_first = lane == 0;
  const i32 stride_2 = G * 128 * SPLIT * HKV;
  const i32 stride_3 = G * 128 * SPLIT;
  const i32 stride_4 = G * 128;
  const i32 t_D = lane * 4;
  const i32 partial_at = warp * stride_4 + t_D;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_2 + (i64)pid1 * (i64)stride_3 + (i64)pid0 * 128ll + (i64)partial_at;
  const i32 part_at = warp * 128 + t_D;
  for (i32 j = 0; j < SPLIT; j += 4) {
    const i64 lse_at_2 = lse_at_1 + (i64)j * (i64)G;
    f32 x[2];
    const i32 left = SPLIT - j;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      x[r] = lse_in && warp + r * 2 < left ? tw_ldg_nc<f32>(lse + (lse_at_2 + (i64)(r * 2 * G))) : -1e+30f;
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most = tw_max(most, x[r]);
    }
    if (is_first) {
      tw_sts<f32>(t17_parts + (u32)warp * 4u, most);
    }
    tw_syncthreads();
    f32 parts[2];
    const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t17_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y;
    most = parts[0];
    most = tw_max(most, parts[1]);
    const f32 mNew = tw_max(m, most);
    f32 w[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      w[r] = tw_exp2(x[r] - mNew);
    }
    const f32 alpha = tw_exp2(m - mNew);
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum = sum + w[r];
    }
    if (is_first) {
      tw_sts<f32>(t25_parts + (u32)warp * 4u, sum);
    }
    tw_syncthreads();
    f32 parts_1[2];
    const tw_f32x2 parts_1_vec = tw_lds<tw_f32x2>(t25_parts);
    parts_1[0] = parts_1_vec.x; parts_1[1] = parts_1_vec.y;
    sum = parts_1[0];
    sum = sum + parts_1[1];
    const i64 partial_at_2 = partial_at_1 + (i64)j * (i64)stride_4;
    f32 partial_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 partial_tile_vec = lse_in && warp + r * 2 < left ? tw_ldg_nc<tw_f32x4>(partial + (partial_at_2 + (i64)(r * 2 * stride_4))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      partial_tile[r * 4] = partial_tile_vec.x; partial_tile[r * 4 + 1] = partial_tile_vec.y;
      partial_tile[r * 4 + 2] = partial_tile_vec.z; partial_tile[r * 4 + 3] = partial_tile_vec.w;
    }
    f32 sum_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum_1[i] = sum_1[i] + w[r] * partial_tile[r * 4 + i];
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_sts<f32>(t32_parts + (u32)(part_at + r) * 4u, sum_1[r]);
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1[r] = tw_lds<f32>(t32_parts + (u32)(t_D + r) * 4u);
      f32 other;
      other = tw_lds<f32>(t32_parts + (u32)(t_D + r + 128) * 4u);
      sum_1[r] = sum_1[r] + other;
    }
    l = l * alpha + sum;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha + sum_1[r];
    }
    m = mNew;
  }
  const i32 stride_5 = G * 128 * HKV;
  const i64 o_at = (i64)pid2 * (i64)stride_5 + (i64)pid1 * (i64)stride_4 + (i64)pid0 * 128ll + (i64)t_D;
  const bool is_first_1 = thread < 32;
  if (is_first_1) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      o_tile[r] = tw_f32_to_bf16(acc[r] / l);
    }
    if (lse_in) {
      tw_stg<tw_u32x2>(o + o_at, tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
