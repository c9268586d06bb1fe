// select_tokens for cuda sm_80, made by tilewright
// config: BN=128
// dims divisible: S%16
// 32 threads in 1 warps of 32, 0 bytes of shared memory

TW_KERNEL(32) select_tokens(
    const i32* given, const i32* source, const i32* last, i32* tokens, i32 N, i32 S) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 128;
  const i64 source_at = (i64)t + (i64)lane;
  i32 from[4];
  const i32 left = N - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    from[r] = lane + r * 32 < left ? tw_ldg_nc<i32>(source + (source_at + (i64)(r * 32))) : -1;
  }
  i32 sampled[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    sampled[r] = (u32)from[r] < (u32)S ? tw_ldg_nc<i32>(last + (i64)from[r]) : 0;
  }
  i32 given_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    given_tile[r] = lane + r * 32 < left ? tw_ldg_nc<i32>(given + (source_at + (i64)(r * 32))) : 0;
  }
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const i32 tokens_tile = from[r] >= 0 ? sampled[r] : given_tile[r];
    if (lane + r * 32 < left) {
      tw_stg<i32>(tokens + (source_at + (i64)(r * 32)), tokens_tile);
    }
  }
}
