// mla_rope_whole for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BH=8 INTERLEAVED=true
// dims fixed: DQ=128 D2=32
// dims divisible: P%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) mla_rope_whole(
    const tw_bf16* q, const i32* positions, const f32* cosSin, tw_bf16* y, i32 N, i32 H, i32 P) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 positions_at = (i64)pid0;
  i32 position;
  position = tw_ldg_nc<i32>(positions + positions_at);
  const i32 t_D2 = lane & 31;
  const i64 cosSin_at = (i64)position * 64ll + (i64)t_D2;
  const bool cosSin_in = (u32)position < (u32)P;
  f32 cos;
  cos = cosSin_in ? tw_ldg_nc<f32>(cosSin + cosSin_at) : 0.0f;
  f32 sin;
  sin = cosSin_in ? tw_ldg_nc<f32>(cosSin + (cosSin_at + 32ll)) : 0.0f;
  const i32 t = pid1 * 8;
  const i32 first = t_D2 * 2 + 64;
  const i32 stride = H * 128;
  const i32 t_BH = lane >> 5;
  const i32 q_at = t_BH * 128;
  const i64 q_at_1 = (i64)pid0 * (i64)stride + (i64)t * 128ll + (i64)first + (i64)q_at;
  const bool q_in = pid0 < N;
  tw_bf16 q_tile[4];
  const i32 left = H - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    q_tile[r] = q_in && t_BH + r * 2 < left ? tw_ldg_nc<u16>(q + (q_at_1 + (i64)(r * 256))) : (u16)0;
  }
  f32 x[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    x[r] = tw_bf16_to_f32(q_tile[r]);
  }
  const i32 t_1 = first + 1;
  const i64 q_at_2 = (i64)pid0 * (i64)stride + (i64)t * 128ll + (i64)t_1 + (i64)q_at;
  tw_bf16 q_tile_1[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    q_tile_1[r] = q_in && t_BH + r * 2 < left ? tw_ldg_nc<u16>(q + (q_at_2 + (i64)(r * 256))) : (u16)0;
  }
  f32 y_1[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    y_1[r] = tw_bf16_to_f32(q_tile_1[r]);
  }
  const i32 y_at = t_BH * 128 + t_D2;
  const i64 y_at_1 = (i64)pid0 * (i64)stride + (i64)t * 128ll + (i64)y_at;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_bf16 y_tile = tw_f32_to_bf16(x[r] * cos - y_1[r] * sin);
    if (q_in && t_BH + r * 2 < left) {
      tw_stg<u16>(y + (y_at_1 + 64ll + (i64)(r * 256)), y_tile);
    }
  }
  tw_syncthreads();
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_bf16 y_tile_1 = tw_f32_to_bf16(y_1[r] * cos + x[r] * sin);
    if (q_in && t_BH + r * 2 < left) {
      tw_stg<u16>(y + (y_at_1 + 96ll + (i64)(r * 256)), y_tile_1);
    }
  }
  const i32 t_BH_1 = lane >> 3;
  const i32 t_DP = (lane & 7) * 8;
  const i32 q_at_3 = t_BH_1 * 128 + t_DP;
  const i64 q_at_4 = (i64)pid0 * (i64)stride + (i64)t * 128ll + (i64)q_at_3;
  const bool q_in_1 = pid0 < N && t_BH_1 < left;
  tw_bf16 q_tile_2[8];
  const tw_u32x4 q_tile_2_vec = q_in_1 ? tw_ldg_nc<tw_u32x4>(q + q_at_4) : tw_u32x4{0u, 0u, 0u, 0u};
  q_tile_2[0] = tw_u16x2_lo(q_tile_2_vec.x); q_tile_2[1] = tw_u16x2_hi(q_tile_2_vec.x);
  q_tile_2[2] = tw_u16x2_lo(q_tile_2_vec.y); q_tile_2[3] = tw_u16x2_hi(q_tile_2_vec.y);
  q_tile_2[4] = tw_u16x2_lo(q_tile_2_vec.z); q_tile_2[5] = tw_u16x2_hi(q_tile_2_vec.z);
  q_tile_2[6] = tw_u16x2_lo(q_tile_2_vec.w); q_tile_2[7] = tw_u16x2_hi(q_tile_2_vec.w);
  tw_syncthreads();
  if (q_in_1) {
    tw_stg<tw_u32x4>(y + q_at_4, tw_u32x4{
        tw_pack_u16x2(q_tile_2[0], q_tile_2[1]), tw_pack_u16x2(q_tile_2[2], q_tile_2[3]),
        tw_pack_u16x2(q_tile_2[4], q_tile_2[5]), tw_pack_u16x2(q_tile_2[6], q_tile_2[7])});
  }
}
