// clear_counts for hip gfx90a, made by tilewright
// config: BV=1024
// dims divisible: N%4 V%2 R%4
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) clear_counts(i32* counts, const i32* row, i32 N, i32 V, i32 R) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 row_at = (i64)pid0;
  i32 r;
  r = tw_ldg_nc<i32>(row + row_at);
  const bool t = r >= 0;
  if (t) {
    const i32 t_1 = pid1 * 1024;
    const i32 t_BV = thread * 2;
    const i64 counts_at = (i64)r * (i64)V + (i64)t_1 + (i64)t_BV;
    const bool counts_in = (u32)r < (u32)N;
    const i32 left = V - t_1;
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      i32 counts_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        counts_tile[j] = 0;
      }
      if (counts_in && t_BV + i * 256 < left) {
        tw_stg<tw_i32x2>(
            counts + (counts_at + (i64)(i * 256)), tw_i32x2{counts_tile[0], counts_tile[1]});
      }
    }
  }
}
