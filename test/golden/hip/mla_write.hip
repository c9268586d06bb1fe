// mla_write for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: INTERLEAVED=true
// dims fixed: R=512 D2=32 PAGE=4
// dims divisible: KW%16 P%2 DR%16
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) mla_write(
    const tw_bf16* kv, const tw_bf16* w, const i32* positions, const f32* cosSin, const i32* slots,
    tw_bf16* latents, tw_bf16* ropes, i32 N, i32 KW, i32 P, i32 NB, i32 DR, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i64 slots_at = (i64)pid0;
  i32 slot;
  slot = tw_ldg_nc<i32>(slots + slots_at);
  const bool t = slot >= 0;
  if (t) {
    const i32 page = slot >> 2;
    const i32 offset = slot & 3;
    i32 position;
    position = tw_ldg_nc<i32>(positions + slots_at);
    const i32 t_D2 = lane & 31;
    const i64 cosSin_at = (i64)position * 64ll + (i64)t_D2;
    const bool cosSin_in = (u32)position < (u32)P;
    f32 cos;
    cos = cosSin_in ? tw_ldg_nc<f32>(cosSin + cosSin_at) : 0.0f;
    f32 sin;
    sin = cosSin_in ? tw_ldg_nc<f32>(cosSin + (cosSin_at + 32ll)) : 0.0f;
    const i32 first = t_D2 * 2 + 512;
    const i64 kv_at = (i64)pid0 * (i64)KW + (i64)first;
    const bool kv_in = pid0 < N && (u32)first < (u32)KW;
    tw_bf16 kv_tile;
    kv_tile = kv_in ? tw_ldg_nc<u16>(kv + kv_at) : (u16)0;
    const f32 x = tw_bf16_to_f32(kv_tile);
    const i32 t_1 = first + 1;
    const i64 kv_at_1 = (i64)pid0 * (i64)KW + (i64)t_1;
    const bool kv_in_1 = pid0 < N && (u32)t_1 < (u32)KW;
    tw_bf16 kv_tile_1;
    kv_tile_1 = kv_in_1 ? tw_ldg_nc<u16>(kv + kv_at_1) : (u16)0;
    const f32 y = tw_bf16_to_f32(kv_tile_1);
    const i32 stride = DR * 4;
    const i64 ropes_at = (i64)page * (i64)stride + (i64)offset * (i64)DR + (i64)t_D2;
    const bool ropes_in = (u32)page < (u32)NB && t_D2 < DR;
    const bool is_first = thread < 32;
    if (is_first) {
      const tw_bf16 ropes_tile = tw_f32_to_bf16(x * cos - y * sin);
      if (ropes_in) {
        tw_stg<u16>(ropes + ropes_at, ropes_tile);
      }
    }
    tw_syncthreads();
    const i32 left = DR - 32;
    const bool ropes_in_1 = (u32)page < (u32)NB && t_D2 < left;
    if (is_first) {
      const tw_bf16 ropes_tile_1 = tw_f32_to_bf16(y * cos + x * sin);
      if (ropes_in_1) {
        tw_stg<u16>(ropes + (ropes_at + 32ll), ropes_tile_1);
      }
    }
    const i32 t_R = lane * 8;
    const i64 kv_at_2 = (i64)pid0 * (i64)KW + (i64)t_R;
    const bool kv_in_2 = pid0 < N && t_R < KW;
    tw_bf16 kv_tile_2[8];
    const tw_u32x4 kv_tile_2_vec = kv_in_2 ? tw_ldg_nc<tw_u32x4>(kv + kv_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    kv_tile_2[0] = tw_u16x2_lo(kv_tile_2_vec.x); kv_tile_2[1] = tw_u16x2_hi(kv_tile_2_vec.x);
    kv_tile_2[2] = tw_u16x2_lo(kv_tile_2_vec.y); kv_tile_2[3] = tw_u16x2_hi(kv_tile_2_vec.y);
    kv_tile_2[4] = tw_u16x2_lo(kv_tile_2_vec.z); kv_tile_2[5] = tw_u16x2_hi(kv_tile_2_vec.z);
    kv_tile_2[6] = tw_u16x2_lo(kv_tile_2_vec.w); kv_tile_2[7] = tw_u16x2_hi(kv_tile_2_vec.w);
    f32 v[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      v[r] = tw_bf16_to_f32(kv_tile_2[r]);
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
    const f32 scale = tw_rsqrt(sum / 512.0f + eps);
    tw_bf16 w_tile[8];
    const tw_u32x4 w_tile_vec = tw_ldg_nc<tw_u32x4>(w + t_R);
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[4] = tw_u16x2_lo(w_tile_vec.z); w_tile[5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[6] = tw_u16x2_lo(w_tile_vec.w); w_tile[7] = tw_u16x2_hi(w_tile_vec.w);
    const i64 latents_at = (i64)page * 2048ll + (i64)offset * 512ll + (i64)t_R;
    const bool latents_in = (u32)page < (u32)NB;
    tw_bf16 latents_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      latents_tile[r] = tw_f32_to_bf16(v[r] * scale * tw_bf16_to_f32(w_tile[r]));
    }
    if (latents_in) {
      tw_stg<tw_u32x4>(latents + latents_at, tw_u32x4{
          tw_pack_u16x2(latents_tile[0], latents_tile[1]),
          tw_pack_u16x2(latents_tile[2], latents_tile[3]),
          tw_pack_u16x2(latents_tile[4], latents_tile[5]),
          tw_pack_u16x2(latents_tile[6], latents_tile[7])});
    }
  }
}
