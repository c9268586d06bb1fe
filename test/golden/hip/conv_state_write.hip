// conv_state_write for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BC=128
// dims fixed: K1=3
// dims divisible: NB%2 C%16 S%4 MAXB%2
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) conv_state_write(
    const tw_bf16* x, tw_bf16* state, const i32* table, const i32* queryStart, const i32* lens,
    i32 N, i32 W, i32 NB, i32 C, i32 S, i32 MAXB, i32 S1, i32 column) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 queryStart_at = (i64)pid1;
  i32 rowStart;
  rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at);
  const i32 t = pid1 + 1;
  const i64 queryStart_at_1 = (i64)t;
  i32 rowEnd;
  rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_1);
  const i32 count = rowEnd - rowStart;
  const bool t_1 = count > 0;
  if (t_1) {
    i32 lens_tile;
    lens_tile = tw_ldg_nc<i32>(lens + queryStart_at);
    const i32 past = lens_tile - count;
    const i64 table_at = (i64)pid1 * (i64)MAXB;
    i32 slot;
    slot = tw_ldg_nc<i32>(table + table_at);
    const i32 c0 = pid0 * 128;
    const i32 t_2 = count - 3;
    const i32 t_3 = column + c0;
    const i32 t_4 = column + C;
    const i32 bound = tw_min_i32(t_4, W);
    const i64 x_at = (i64)lane + (i64)t_3;
    const i32 position = t_3 + lane;
    const i32 bound_1 = tw_max_i32(bound, 0);
    const i32 stride = C * 3;
    const i64 state_at = (i64)lane + (i64)slot * (i64)stride + (i64)c0;
    const bool state_in = (u32)slot < (u32)NB;
    const i32 left = C - c0;
    for (i32 j = 0; j < 3; ++j) {
      const i32 t_5 = t_2 + j;
      const bool isFresh = t_5 >= 0;
      const bool isKept = t_5 < 0 && past + t_5 >= 0;
      const i32 t_6 = isFresh ? rowStart + t_5 : 0;
      const i64 x_at_1 = x_at + (i64)t_6 * (i64)W;
      const bool x_in = (u32)t_6 < (u32)N && isFresh;
      tw_bf16 fresh[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        fresh[r] = x_in && (u32)(position + r * 64) < (u32)bound_1 ? tw_ldg_nc<u16>(x + (x_at_1 + (i64)(r * 64))) : (u16)0;
      }
      tw_syncthreads();
      const i32 t_7 = isKept ? t_5 + 3 : 0;
      const i64 state_at_1 = state_at + (i64)t_7 * (i64)C;
      const bool state_in_1 = state_in && (u32)t_7 < 3u && isKept;
      tw_bf16 kept[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        kept[r] = state_in_1 && lane + r * 64 < left ? tw_ldg<u16>(state + (state_at_1 + (i64)(r * 64))) : (u16)0;
      }
      tw_syncthreads();
      const i64 state_at_2 = state_at + (i64)j * (i64)C;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_bf16 state_tile = tw_f32_to_bf16(tw_bf16_to_f32(fresh[r]) + tw_bf16_to_f32(kept[r]));
        if (state_in && lane + r * 64 < left) {
          tw_stg<u16>(state + (state_at_2 + (i64)(r * 64)), state_tile);
        }
      }
    }
  }
}
