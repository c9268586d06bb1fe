// ssd_step for hip gfx90a, made by tilewright
// dtypes: T=bf16
// dims fixed: P=64 NS=128
// dims divisible: S%2 C%16 W%8 H%2 NB%4 MAXB%2
// 256 threads in 4 warps of 64, 0 bytes of shared memory

TW_KERNEL(256) ssd_step(
    const tw_bf16* x, const tw_bf16* proj, const f32* heads, f32* state, const i32* table,
    const i32* lens, tw_bf16* y, i32 S, i32 C, i32 W, i32 H, i32 NB, i32 MAXB, i32 dtColumn,
    f32 dtMin, f32 dtMax) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 lens_at = (i64)pid1;
  i32 len;
  len = tw_ldg_nc<i32>(lens + lens_at);
  const bool t = len > 0;
  if (t) {
    const i64 table_at = (i64)pid1 * (i64)MAXB;
    i32 slot;
    slot = tw_ldg_nc<i32>(table + table_at);
    const i32 t_1 = H * 64;
    const i32 groups = (C - t_1) >> 8;
    const i32 bAt = t_1 + tw_floordiv_i32(pid0, tw_floordiv_i32(H, groups)) * 128;
    const i32 t_2 = dtColumn + pid0;
    const i64 proj_at = (i64)pid1 * (i64)W + (i64)t_2;
    tw_bf16 proj_tile;
    proj_tile = tw_ldg_nc<u16>(proj + proj_at);
    const i64 heads_at = (i64)H * 2ll + (i64)pid0;
    f32 heads_tile;
    heads_tile = tw_ldg_nc<f32>(heads + heads_at);
    const f32 v = tw_bf16_to_f32(proj_tile) + heads_tile;
    const f32 soft = v > 20.0f ? v : tw_log(1.0f + tw_exp(tw_min(v, 20.0f)));
    const f32 dt = tw_min(tw_max(soft, dtMin), dtMax);
    const i64 heads_at_1 = (i64)pid0;
    f32 heads_tile_1;
    heads_tile_1 = tw_ldg_nc<f32>(heads + heads_at_1);
    const i32 stride = H * 8192;
    const i32 t_P = thread >> 5;
    const i32 t_NS = (lane & 31) * 4;
    const i32 state_at = t_P * 128 + t_NS;
    const i64 state_at_1 = (i64)pid0 * 8192ll + (i64)slot * (i64)stride + (i64)state_at;
    const bool mask = len > 1;
    const bool state_in = (u32)slot < (u32)NB && pid0 < H && mask;
    f32 place[32];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const tw_f32x4 place_vec = state_in ? tw_ldg<tw_f32x4>(state + (state_at_1 + (i64)(r * 1024))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      place[r * 4] = place_vec.x; place[r * 4 + 1] = place_vec.y; place[r * 4 + 2] = place_vec.z;
      place[r * 4 + 3] = place_vec.w;
    }
    const i32 t_3 = pid0 * 64;
    const i64 x_at = (i64)pid1 * (i64)C + (i64)t_3 + (i64)t_P;
    const bool x_in = pid1 < S;
    tw_bf16 x_tile[8];
    const i32 left = C - t_3;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_tile[r] = x_in && t_P + r * 8 < left ? tw_ldg_nc<u16>(x + (x_at + (i64)(r * 8))) : (u16)0;
    }
    f32 input[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      input[r] = tw_bf16_to_f32(x_tile[r]);
    }
    const i32 position = bAt + t_NS;
    const i64 x_at_1 = (i64)pid1 * (i64)C + (i64)bAt + (i64)t_NS;
    const bool x_in_1 = pid1 < S && (u32)position < (u32)C;
    tw_bf16 x_tile_1[4];
    const tw_u32x2 x_tile_1_vec = x_in_1 ? tw_ldg_nc<tw_u32x2>(x + x_at_1) : tw_u32x2{0u, 0u};
    x_tile_1[0] = tw_u16x2_lo(x_tile_1_vec.x); x_tile_1[1] = tw_u16x2_hi(x_tile_1_vec.x);
    x_tile_1[2] = tw_u16x2_lo(x_tile_1_vec.y); x_tile_1[3] = tw_u16x2_hi(x_tile_1_vec.y);
    const i32 t_4 = bAt + groups * 128;
    const i32 position_1 = t_4 + t_NS;
    const i64 x_at_2 = (i64)pid1 * (i64)C + (i64)t_4 + (i64)t_NS;
    const bool x_in_2 = pid1 < S && (u32)position_1 < (u32)C;
    tw_bf16 x_tile_2[4];
    const tw_u32x2 x_tile_2_vec = x_in_2 ? tw_ldg_nc<tw_u32x2>(x + x_at_2) : tw_u32x2{0u, 0u};
    x_tile_2[0] = tw_u16x2_lo(x_tile_2_vec.x); x_tile_2[1] = tw_u16x2_hi(x_tile_2_vec.x);
    x_tile_2[2] = tw_u16x2_lo(x_tile_2_vec.y); x_tile_2[3] = tw_u16x2_hi(x_tile_2_vec.y);
    const f32 decay = tw_exp(-dt * tw_exp(heads_tile_1));
    f32 t_5[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_5[r] = input[r] * dt;
    }
    f32 b[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      b[r] = tw_bf16_to_f32(x_tile_1[r]);
    }
    f32 next[32];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        next[r * 4 + i] = 0.0f + place[r * 4 + i] * decay + t_5[r] * b[i];
      }
    }
    const bool state_in_1 = (u32)slot < (u32)NB && pid0 < H;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      if (state_in_1) {
        tw_stg<tw_f32x4>(state + (state_at_1 + (i64)(r * 1024)), tw_f32x4{
            next[r * 4], next[r * 4 + 1], next[r * 4 + 2], next[r * 4 + 3]});
      }
    }
    f32 c[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      c[r] = tw_bf16_to_f32(x_tile_2[r]);
    }
    f32 sum[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum[r] = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum[r] = sum[r] + next[r * 4 + i] * c[i];
      }
    }
    f32 other;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      other = tw_shfl_xor<f32>(sum[r], 1);
      sum[r] = sum[r] + other;
      other = tw_shfl_xor<f32>(sum[r], 2);
      sum[r] = sum[r] + other;
      other = tw_shfl_xor<f32>(sum[r], 4);
      sum[r] = sum[r] + other;
      other = tw_shfl_xor<f32>(sum[r], 8);
      sum[r] = sum[r] + other;
      other = tw_shfl_xor<f32>(sum[r], 16);
      sum[r] = sum[r] + other;
    }
    const i64 heads_at_2 = (i64)H + (i64)pid0;
    f32 heads_tile_2;
    heads_tile_2 = tw_ldg_nc<f32>(heads + heads_at_2);
    const i64 y_at = (i64)pid0 * 64ll + (i64)pid1 * (i64)t_1 + (i64)t_P;
    const bool y_in = pid1 < S && pid0 < H;
    const bool is_first = (lane & 31) == 0;
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        const tw_bf16 y_tile = tw_f32_to_bf16(sum[r] + heads_tile_2 * input[r]);
        if (y_in) {
          tw_stg<u16>(y + (y_at + (i64)(r * 8)), y_tile);
        }
      }
    }
  }
}
