// embedding for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BN=1 BH=1024 SCALE=1
// dims divisible: N%4 H%8
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) embedding(const i32* ids, const tw_bf16* table, tw_bf16* y, i32 N, i32 V, i32 H) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 left = N - pid0;
  const i64 ids_at = (i64)pid0;
  const bool ids_in = 0 < left;
  i32 id;
  id = ids_in ? tw_ldg_nc<i32>(ids + ids_at) : -1;
  const i32 t_BH = thread * 8;
  const i32 left_1 = H - t;
  const i64 table_at = (i64)id * (i64)H + (i64)t + (i64)t_BH;
  const bool table_in = (u32)id < (u32)V && t_BH < left_1;
  tw_bf16 row[8];
  const tw_u32x4 row_vec = table_in ? tw_ldg_nc<tw_u32x4>(table + table_at) : tw_u32x4{0u, 0u, 0u, 0u};
  row[0] = tw_u16x2_lo(row_vec.x); row[1] = tw_u16x2_hi(row_vec.x); row[2] = tw_u16x2_lo(row_vec.y);
  row[3] = tw_u16x2_hi(row_vec.y); row[4] = tw_u16x2_lo(row_vec.z); row[5] = tw_u16x2_hi(row_vec.z);
  row[6] = tw_u16x2_lo(row_vec.w); row[7] = tw_u16x2_hi(row_vec.w);
  const i64 y_at = (i64)pid0 * (i64)H + (i64)t + (i64)t_BH;
  const bool y_in = 0 < left && t_BH < left_1;
  if (y_in) {
    tw_stg<tw_u32x4>(y + y_at, tw_u32x4{
        tw_pack_u16x2(row[0], row[1]), tw_pack_u16x2(row[2], row[3]), tw_pack_u16x2(row[4], row[5]),
        tw_pack_u16x2(row[6], row[7])});
  }
}
