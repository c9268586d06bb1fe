// decode_merge for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BS=4
// dims fixed: D=128
// dims divisible: G%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) decode_merge(
    const f32* partial, const f32* lse, tw_bf16* o, i32 S, i32 HKV, i32 SPLIT, i32 G) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  f32 l = 0.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = -1e+30f;
  const i32 stride = G * SPLIT * HKV;
  const i32 stride_1 = G * SPLIT;
  const i32 t_BS = lane >> 5;
  const i32 lse_at = t_BS * G;
  const i64 lse_at_1 = (i64)pid2 * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)pid0 + (i64)lse_at;
  const bool lse_in = pid2 < S && pid1 < HKV && pid0 < G;
  const i32 stride_2 = G * 128 * SPLIT * HKV;
  const i32 stride_3 = G * 128 * SPLIT;
  const i32 stride_4 = G * 128;
  const i32 t_D = (lane & 31) * 4;
  const i32 partial_at = t_BS * stride_4 + t_D;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_2 + (i64)pid1 * (i64)stride_3 + (i64)pid0 * 128ll + (i64)partial_at;
  for (i32 j = 0; j < SPLIT; j += 4) {
    const i64 lse_at_2 = lse_at_1 + (i64)j * (i64)G;
    f32 x[2];
    const i32 left = SPLIT - j;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      x[r] = lse_in && t_BS + r * 2 < left ? tw_ldg_nc<f32>(lse + (lse_at_2 + (i64)(r * 2 * G))) : -1e+30f;
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most = tw_max(most, x[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
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
    f32 other_1;
    other_1 = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other_1;
    const i64 partial_at_2 = partial_at_1 + (i64)j * (i64)stride_4;
    f32 partial_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 partial_tile_vec = lse_in && t_BS + r * 2 < left ? tw_ldg_nc<tw_f32x4>(partial + (partial_at_2 + (i64)(r * 2 * stride_4))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
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
    f32 other_2;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      other_2 = tw_shfl_xor<f32>(sum_1[r], 32);
      sum_1[r] = sum_1[r] + other_2;
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
  const bool is_first = thread < 32;
  if (is_first) {
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
