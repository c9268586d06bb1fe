// mla_rope_write for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BH=8 INTERLEAVED=true
// dims fixed: DQ=128 R=128 D2=32 PAGE=4
// dims divisible: KW%16 P%2 DR%16
// 32 threads in 1 warps of 32, 0 bytes of shared memory

TW_KERNEL(32) mla_rope_write(
    const tw_bf16* q, const tw_bf16* kv, const tw_bf16* w, const i32* positions, const f32* cosSin,
    const i32* slots, tw_bf16* qRope, tw_bf16* latents, tw_bf16* ropes, i32 N, i32 H, i32 KW, i32 P,
    i32 DR, i32 NB, f32 eps) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 positions_at = (i64)pid0;
  i32 position;
  position = tw_ldg_nc<i32>(positions + positions_at);
  const i64 cosSin_at = (i64)position * 64ll + (i64)lane;
  const bool cosSin_in = (u32)position < (u32)P;
  f32 cos;
  cos = cosSin_in ? tw_ldg_nc<f32>(cosSin + cosSin_at) : 0.0f;
  f32 sin;
  sin = cosSin_in ? tw_ldg_nc<f32>(cosSin + (cosSin_at + 32ll)) : 0.0f;
  const i32 first = lane * 2;
  const i32 second = first + 1;
  const bool t = pid1 < ((H + 7) >> 3);
  const i32 left = DR - 32;
  if (t) {
    const i32 t_1 = pid1 * 8;
    const i32 stride = H * 128;
    const i32 t_2 = first + 64;
    const i64 q_at = (i64)pid0 * (i64)stride + (i64)t_1 * 128ll + (i64)t_2;
    const bool q_in = pid0 < N;
    tw_bf16 q_tile[8];
    const i32 left_1 = H - t_1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      q_tile[r] = q_in && r < left_1 ? tw_ldg_nc<u16>(q + (q_at + (i64)(r * 128))) : (u16)0;
    }
    f32 x[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x[r] = tw_bf16_to_f32(q_tile[r]);
    }
    const i32 t_3 = second + 64;
    const i64 q_at_1 = (i64)pid0 * (i64)stride + (i64)t_1 * 128ll + (i64)t_3;
    tw_bf16 q_tile_1[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      q_tile_1[r] = q_in && r < left_1 ? tw_ldg_nc<u16>(q + (q_at_1 + (i64)(r * 128))) : (u16)0;
    }
    f32 y[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      y[r] = tw_bf16_to_f32(q_tile_1[r]);
    }
    const i32 stride_1 = DR * H;
    const i64 qRope_at = (i64)lane + (i64)pid0 * (i64)stride_1 + (i64)t_1 * (i64)DR;
    const bool qRope_in = pid0 < N && lane < DR;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const tw_bf16 qRope_tile = tw_f32_to_bf16(x[r] * cos - y[r] * sin);
      if (qRope_in && r < left_1) {
        tw_stg<u16>(qRope + (qRope_at + (i64)(r * DR)), qRope_tile);
      }
    }
    tw_syncthreads();
    const bool qRope_in_1 = pid0 < N && lane < left;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const tw_bf16 qRope_tile_1 = tw_f32_to_bf16(y[r] * cos + x[r] * sin);
      if (qRope_in_1 && r < left_1) {
        tw_stg<u16>(qRope + (qRope_at + 32ll + (i64)(r * DR)), qRope_tile_1);
      }
    }
  } else {
    i32 slot;
    slot = tw_ldg_nc<i32>(slots + positions_at);
    const bool t_4 = slot >= 0;
    if (t_4) {
      const i32 page = slot >> 2;
      const i32 offset = slot & 3;
      const i32 t_5 = first + 128;
      const i64 kv_at = (i64)pid0 * (i64)KW + (i64)t_5;
      const bool kv_in = pid0 < N && (u32)t_5 < (u32)KW;
      tw_bf16 kv_tile;
      kv_tile = kv_in ? tw_ldg_nc<u16>(kv + kv_at) : (u16)0;
      const f32 x_1 = tw_bf16_to_f32(kv_tile);
      const i32 t_6 = second + 128;
      const i64 kv_at_1 = (i64)pid0 * (i64)KW + (i64)t_6;
      const bool kv_in_1 = pid0 < N && (u32)t_6 < (u32)KW;
      tw_bf16 kv_tile_1;
      kv_tile_1 = kv_in_1 ? tw_ldg_nc<u16>(kv + kv_at_1) : (u16)0;
      const f32 y_1 = tw_bf16_to_f32(kv_tile_1);
      const i32 stride_2 = DR * 4;
      const i64 ropes_at = (i64)lane + (i64)page * (i64)stride_2 + (i64)offset * (i64)DR;
      const bool ropes_in = (u32)page < (u32)NB && lane < DR;
      const tw_bf16 ropes_tile = tw_f32_to_bf16(x_1 * cos - y_1 * sin);
      if (ropes_in) {
        tw_stg<u16>(ropes + ropes_at, ropes_tile);
      }
      tw_syncthreads();
      const bool ropes_in_1 = (u32)page < (u32)NB && lane < left;
      const tw_bf16 ropes_tile_1 = tw_f32_to_bf16(y_1 * cos + x_1 * sin);
      if (ropes_in_1) {
        tw_stg<u16>(ropes + (ropes_at + 32ll), ropes_tile_1);
      }
      const i32 t_R = lane * 4;
      const i64 kv_at_2 = (i64)pid0 * (i64)KW + (i64)t_R;
      const bool kv_in_2 = pid0 < N && t_R < KW;
      tw_bf16 kv_tile_2[4];
      const tw_u32x2 kv_tile_2_vec = kv_in_2 ? tw_ldg_nc<tw_u32x2>(kv + kv_at_2) : tw_u32x2{0u, 0u};
      kv_tile_2[0] = tw_u16x2_lo(kv_tile_2_vec.x); kv_tile_2[1] = tw_u16x2_hi(kv_tile_2_vec.x);
      kv_tile_2[2] = tw_u16x2_lo(kv_tile_2_vec.y); kv_tile_2[3] = tw_u16x2_hi(kv_tile_2_vec.y);
      f32 v[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        v[r] = tw_bf16_to_f32(kv_tile_2[r]);
      }
      f32 sum = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
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
      const f32 scale = tw_rsqrt(sum / 128.0f + eps);
      tw_bf16 w_tile[4];
      const tw_u32x2 w_tile_vec = tw_ldg_nc<tw_u32x2>(w + t_R);
      w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
      w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
      const i64 latents_at = (i64)page * 512ll + (i64)offset * 128ll + (i64)t_R;
      const bool latents_in = (u32)page < (u32)NB;
      tw_bf16 latents_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        latents_tile[r] = tw_f32_to_bf16(v[r] * scale * tw_bf16_to_f32(w_tile[r]));
      }
      if (latents_in) {
        tw_stg<tw_u32x2>(latents + latents_at, tw_u32x2{
            tw_pack_u16x2(latents_tile[0], latents_tile[1]),
            tw_pack_u16x2(latents_tile[2], latents_tile[3])});
      }
    }
  }
}
