// rope_kv_write for hip gfx90a, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BH=8
// dims fixed: D=128 D2=64 PAGE=4
// dims divisible: P%2
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) rope_kv_write(
    const tw_bf16* qkv, const i32* positions, const f32* cosSin, const i32* slots, tw_bf16* q,
    tw_bf16* kCache, tw_bf16* vCache, i32 N, i32 HT, i32 P, i32 HQ, i32 NB, i32 HKV, f32 kScale,
    f32 vScale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 queryBlocks = (HQ + 7) >> 3;
  const i64 positions_at = (i64)pid0;
  i32 position;
  position = tw_ldg_nc<i32>(positions + positions_at);
  const i32 t_D2 = (lane & 15) * 4;
  const i64 cosSin_at = (i64)position * 128ll + (i64)t_D2;
  const bool cosSin_in = (u32)position < (u32)P;
  f32 cos[4];
  const tw_f32x4 cos_vec = cosSin_in ? tw_ldg_nc<tw_f32x4>(cosSin + cosSin_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  cos[0] = cos_vec.x; cos[1] = cos_vec.y; cos[2] = cos_vec.z; cos[3] = cos_vec.w;
  f32 sin[4];
  const tw_f32x4 sin_vec = cosSin_in ? tw_ldg_nc<tw_f32x4>(cosSin + (cosSin_at + 64ll)) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  sin[0] = sin_vec.x; sin[1] = sin_vec.y; sin[2] = sin_vec.z; sin[3] = sin_vec.w;
  const bool t = pid1 < queryBlocks;
  const i32 stride = HT * 128;
  if (t) {
    const i32 t_1 = pid1 * 8;
    const i32 bound = tw_min_i32(HQ, HT);
    const i64 qkv_at = (i64)t_D2 + (i64)pid0 * (i64)stride + (i64)t_1 * 128ll;
    const bool qkv_in = pid0 < N;
    tw_bf16 qkv_tile[32];
    const i32 left = bound - t_1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const tw_u32x2 qkv_tile_vec = qkv_in && r < left ? tw_ldg_nc<tw_u32x2>(qkv + (qkv_at + (i64)(r * 128))) : tw_u32x2{0u, 0u};
      qkv_tile[r * 4] = tw_u16x2_lo(qkv_tile_vec.x);
      qkv_tile[r * 4 + 1] = tw_u16x2_hi(qkv_tile_vec.x);
      qkv_tile[r * 4 + 2] = tw_u16x2_lo(qkv_tile_vec.y);
      qkv_tile[r * 4 + 3] = tw_u16x2_hi(qkv_tile_vec.y);
    }
    f32 x[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      x[r] = tw_bf16_to_f32(qkv_tile[r]);
    }
    tw_bf16 qkv_tile_1[32];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const tw_u32x2 qkv_tile_1_vec = qkv_in && r < left ? tw_ldg_nc<tw_u32x2>(qkv + (qkv_at + 64ll + (i64)(r * 128))) : tw_u32x2{0u, 0u};
      qkv_tile_1[r * 4] = tw_u16x2_lo(qkv_tile_1_vec.x);
      qkv_tile_1[r * 4 + 1] = tw_u16x2_hi(qkv_tile_1_vec.x);
      qkv_tile_1[r * 4 + 2] = tw_u16x2_lo(qkv_tile_1_vec.y);
      qkv_tile_1[r * 4 + 3] = tw_u16x2_hi(qkv_tile_1_vec.y);
    }
    f32 y[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      y[r] = tw_bf16_to_f32(qkv_tile_1[r]);
    }
    const i32 stride_1 = HQ * 128;
    const i64 q_at = (i64)t_D2 + (i64)pid0 * (i64)stride_1 + (i64)t_1 * 128ll;
    const bool is_first = thread < 16;
    const i32 left_1 = HQ - t_1;
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_bf16 q_tile[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          q_tile[i] = tw_f32_to_bf16(x[r * 4 + i] * cos[i] - y[r * 4 + i] * sin[i]);
        }
        if (qkv_in && r < left_1) {
          tw_stg<tw_u32x2>(q + (q_at + (i64)(r * 128)), tw_u32x2{
              tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
        }
      }
    }
    tw_syncthreads();
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_bf16 q_tile_1[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          q_tile_1[i] = tw_f32_to_bf16(y[r * 4 + i] * cos[i] + x[r * 4 + i] * sin[i]);
        }
        if (qkv_in && r < left_1) {
          tw_stg<tw_u32x2>(q + (q_at + 64ll + (i64)(r * 128)), tw_u32x2{
              tw_pack_u16x2(q_tile_1[0], q_tile_1[1]), tw_pack_u16x2(q_tile_1[2], q_tile_1[3])});
        }
      }
    }
  } else {
    i32 slot;
    slot = tw_ldg_nc<i32>(slots + positions_at);
    const bool t_2 = slot >= 0;
    if (t_2) {
      const i32 head = (pid1 - queryBlocks) * 8;
      const i32 page = slot >> 2;
      const i32 offset = slot & 3;
      const i32 t_3 = HQ + head;
      const i32 t_4 = HQ + HKV;
      const i32 t_BH = thread >> 4;
      const i32 bound_1 = tw_min_i32(t_4, HT);
      const i32 position_1 = t_3 + t_BH;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 qkv_at_1 = t_D2 + t_BH * 128;
      const i64 qkv_at_2 = (i64)pid0 * (i64)stride + (i64)t_3 * 128ll + (i64)qkv_at_1;
      const bool qkv_in_1 = pid0 < N && (u32)position_1 < (u32)bound_2;
      tw_bf16 qkv_tile_2[4];
      const tw_u32x2 qkv_tile_2_vec = qkv_in_1 ? tw_ldg_nc<tw_u32x2>(qkv + qkv_at_2) : tw_u32x2{0u, 0u};
      qkv_tile_2[0] = tw_u16x2_lo(qkv_tile_2_vec.x); qkv_tile_2[1] = tw_u16x2_hi(qkv_tile_2_vec.x);
      qkv_tile_2[2] = tw_u16x2_lo(qkv_tile_2_vec.y); qkv_tile_2[3] = tw_u16x2_hi(qkv_tile_2_vec.y);
      f32 x_1[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        x_1[r] = tw_bf16_to_f32(qkv_tile_2[r]);
      }
      tw_bf16 qkv_tile_3[4];
      const tw_u32x2 qkv_tile_3_vec = qkv_in_1 ? tw_ldg_nc<tw_u32x2>(qkv + (qkv_at_2 + 64ll)) : tw_u32x2{0u, 0u};
      qkv_tile_3[0] = tw_u16x2_lo(qkv_tile_3_vec.x); qkv_tile_3[1] = tw_u16x2_hi(qkv_tile_3_vec.x);
      qkv_tile_3[2] = tw_u16x2_lo(qkv_tile_3_vec.y); qkv_tile_3[3] = tw_u16x2_hi(qkv_tile_3_vec.y);
      f32 y_1[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        y_1[r] = tw_bf16_to_f32(qkv_tile_3[r]);
      }
      const i32 stride_2 = HKV * 512;
      const i32 stride_3 = HKV * 128;
      const i32 position_2 = head + t_BH;
      const i64 kCache_at = (i64)page * (i64)stride_2 + (i64)offset * (i64)stride_3 + (i64)head * 128ll + (i64)qkv_at_1;
      const bool kCache_in = (u32)page < (u32)NB && (u32)position_2 < (u32)HKV;
      tw_bf16 kCache_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        kCache_tile[r] = tw_f32_to_bf16(x_1[r] * cos[r] - y_1[r] * sin[r]);
      }
      if (kCache_in) {
        tw_stg<tw_u32x2>(kCache + kCache_at, tw_u32x2{
            tw_pack_u16x2(kCache_tile[0], kCache_tile[1]),
            tw_pack_u16x2(kCache_tile[2], kCache_tile[3])});
      }
      tw_syncthreads();
      tw_bf16 kCache_tile_1[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        kCache_tile_1[r] = tw_f32_to_bf16(y_1[r] * cos[r] + x_1[r] * sin[r]);
      }
      if (kCache_in) {
        tw_stg<tw_u32x2>(kCache + (kCache_at + 64ll), tw_u32x2{
            tw_pack_u16x2(kCache_tile_1[0], kCache_tile_1[1]),
            tw_pack_u16x2(kCache_tile_1[2], kCache_tile_1[3])});
      }
      const i32 t_5 = t_4 + head;
      const i32 t_6 = HQ + HKV * 2;
      const i32 bound_3 = tw_min_i32(t_6, HT);
      const i32 position_3 = t_5 + t_BH;
      const i32 bound_4 = tw_max_i32(bound_3, 0);
      const i32 t_D = (lane & 15) * 8;
      const i32 qkv_at_3 = t_BH * 128 + t_D;
      const i64 qkv_at_4 = (i64)pid0 * (i64)stride + (i64)t_5 * 128ll + (i64)qkv_at_3;
      const bool qkv_in_2 = pid0 < N && (u32)position_3 < (u32)bound_4;
      tw_bf16 values[8];
      const tw_u32x4 values_vec = qkv_in_2 ? tw_ldg_nc<tw_u32x4>(qkv + qkv_at_4) : tw_u32x4{0u, 0u, 0u, 0u};
      values[0] = tw_u16x2_lo(values_vec.x); values[1] = tw_u16x2_hi(values_vec.x);
      values[2] = tw_u16x2_lo(values_vec.y); values[3] = tw_u16x2_hi(values_vec.y);
      values[4] = tw_u16x2_lo(values_vec.z); values[5] = tw_u16x2_hi(values_vec.z);
      values[6] = tw_u16x2_lo(values_vec.w); values[7] = tw_u16x2_hi(values_vec.w);
      const i64 vCache_at = (i64)page * (i64)stride_2 + (i64)offset * (i64)stride_3 + (i64)head * 128ll + (i64)qkv_at_3;
      if (kCache_in) {
        tw_stg<tw_u32x4>(vCache + vCache_at, tw_u32x4{
            tw_pack_u16x2(values[0], values[1]), tw_pack_u16x2(values[2], values[3]),
            tw_pack_u16x2(values[4], values[5]), tw_pack_u16x2(values[6], values[7])});
      }
    }
  }
}
