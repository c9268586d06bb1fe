// embedding_with_positions for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BN=1 BH=1024
// dims divisible: N%4 H%8
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) embedding_with_positions(
    const i32* ids, const i32* positions, const tw_bf16* table, const tw_bf16* learned, tw_bf16* y,
    i32 N, i32 V, i32 H, i32 P) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 left = N - pid0;
  const i64 ids_at = (i64)pid0;
  const bool ids_in = 0 < left;
  i32 id;
  id = ids_in ? tw_ldg_nc<i32>(ids + ids_at) : -1;
  i32 position;
  position = ids_in ? tw_ldg_nc<i32>(positions + ids_at) : -1;
  const i32 t_BH = thread * 8;
  const i32 left_1 = H - t;
  const i64 table_at = (i64)id * (i64)H + (i64)t + (i64)t_BH;
  const bool table_in = (u32)id < (u32)V && t_BH < left_1;
  tw_bf16 table_tile[8];
  const tw_u32x4 table_tile_vec = table_in ? tw_ldg_nc<tw_u32x4>(table + table_at) : tw_u32x4{0u, 0u, 0u, 0u};
  table_tile[0] = tw_u16x2_lo(table_tile_vec.x); table_tile[1] = tw_u16x2_hi(table_tile_vec.x);
  table_tile[2] = tw_u16x2_lo(table_tile_vec.y); table_tile[3] = tw_u16x2_hi(table_tile_vec.y);
  table_tile[4] = tw_u16x2_lo(table_tile_vec.z); table_tile[5] = tw_u16x2_hi(table_tile_vec.z);
  table_tile[6] = tw_u16x2_lo(table_tile_vec.w); table_tile[7] = tw_u16x2_hi(table_tile_vec.w);
  const i64 learned_at = (i64)position * (i64)H + (i64)t + (i64)t_BH;
  const bool learned_in = (u32)position < (u32)P && t_BH < left_1;
  tw_bf16 learned_tile[8];
  const tw_u32x4 learned_tile_vec = learned_in ? tw_ldg_nc<tw_u32x4>(learned + learned_at) : tw_u32x4{0u, 0u, 0u, 0u};
  learned_tile[0] = tw_u16x2_lo(learned_tile_vec.x);
  learned_tile[1] = tw_u16x2_hi(learned_tile_vec.x);
  learned_tile[2] = tw_u16x2_lo(learned_tile_vec.y);
  learned_tile[3] = tw_u16x2_hi(learned_tile_vec.y);
  learned_tile[4] = tw_u16x2_lo(learned_tile_vec.z);
  learned_tile[5] = tw_u16x2_hi(learned_tile_vec.z);
  learned_tile[6] = tw_u16x2_lo(learned_tile_vec.w);
  learned_tile[7] = tw_u16x2_hi(learned_tile_vec.w);
  const i64 y_at = (i64)pid0 * (i64)H + (i64)t + (i64)t_BH;
  const bool y_in = 0 < left && t_BH < left_1;
  tw_bf16 y_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    y_tile[r] = tw_f32_to_bf16(tw_bf16_to_f32(table_tile[r]) + tw_bf16_to_f32(learned_tile[r]));
  }
  if (y_in) {
    tw_stg<tw_u32x4>(y + y_at, tw_u32x4{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3]),
        tw_pack_u16x2(y_tile[4], y_tile[5]), tw_pack_u16x2(y_tile[6], y_tile[7])});
  }
}
