// count_tokens for cuda sm_80, made by tilewright
// config: BT=128
// 32 threads in 1 warps of 32, 0 bytes of shared memory

TW_KERNEL(32) count_tokens(
    i32* counts, const i32* row, const i32* token, const i32* amount, i32 N, i32 V, i32 T) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 128;
  const i64 row_at = (i64)t + (i64)lane;
  i32 r[4];
  const i32 left = T - t;
  #pragma unroll
  for (i32 i = 0; i < 4; ++i) {
    r[i] = lane + i * 32 < left ? tw_ldg_nc<i32>(row + (row_at + (i64)(i * 32))) : -1;
  }
  i32 t_1[4];
  #pragma unroll
  for (i32 i = 0; i < 4; ++i) {
    t_1[i] = lane + i * 32 < left ? tw_ldg_nc<i32>(token + (row_at + (i64)(i * 32))) : -1;
  }
  bool isCounted[4];
  #pragma unroll
  for (i32 i = 0; i < 4; ++i) {
    isCounted[i] = r[i] >= 0 && t_1[i] >= 0;
  }
  i32 amount_tile[4];
  #pragma unroll
  for (i32 i = 0; i < 4; ++i) {
    amount_tile[i] = lane + i * 32 < left ? tw_ldg_nc<i32>(amount + (row_at + (i64)(i * 32))) : 0;
  }
  i32 t_2[4];
  i32 t_3[4];
  #pragma unroll
  for (i32 i = 0; i < 4; ++i) {
    t_2[i] = isCounted[i] ? r[i] : -1;
    t_3[i] = isCounted[i] ? t_1[i] : -1;
  }
  #pragma unroll
  for (i32 i = 0; i < 4; ++i) {
    if ((u32)t_2[i] < (u32)N && (u32)t_3[i] < (u32)V) {
      tw_atom_add_i32(counts + ((i64)t_2[i] * (i64)V + (i64)t_3[i]), amount_tile[i]);
    }
  }
}
