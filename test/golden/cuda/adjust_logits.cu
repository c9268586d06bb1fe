// adjust_logits for cuda sm_80, made by tilewright
// config: BV=1024
// dims divisible: W%2 E%2 N%4
// 128 threads in 4 warps of 32, 0 bytes of shared memory

TW_KERNEL(128) adjust_logits(
    const f32* logits, const i32* rows, const i32* mask, const i32* biasToken, const f32* biasValue,
    const i32* counts, const f32* penalties, f32* adjusted, i32 S, i32 V, i32 M, i32 W, i32 E, i32 N) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  i32 token[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    token[r] = t + thread + r * 128;
  }
  const i64 logits_at = (i64)pid0 * (i64)V + (i64)t + (i64)thread;
  const bool logits_in = pid0 < S;
  f32 x[8];
  const i32 left = V - t;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    x[r] = logits_in && thread + r * 128 < left ? tw_ldg_nc<f32>(logits + (logits_at + (i64)(r * 128))) : 0.0f;
  }
  const i64 rows_at = (i64)pid0 * 4ll;
  i32 m;
  m = tw_ldg_nc<i32>(rows + rows_at);
  const bool t_1 = m >= 0;
  f32 x_1[8];
  if (t_1) {
    i32 t_2[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_2[r] = token[r] < V ? token[r] >> 5 : -1;
    }
    const i64 mask_at = (i64)m * (i64)W;
    const bool mask_in = (u32)m < (u32)M;
    i32 words[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      words[r] = mask_in && (u32)t_2[r] < (u32)W ? tw_ldg_nc<i32>(mask + (mask_at + (i64)t_2[r])) : 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_1[r] = (tw_shr_i32(words[r], token[r] & 31) & 1) == 1 ? x[r] : tw_bits_f32(0xff800000u);
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_1[r] = x[r];
    }
  }
  i32 rows_tile;
  rows_tile = tw_ldg_nc<i32>(rows + (rows_at + 2ll));
  i32 rows_tile_1;
  rows_tile_1 = tw_ldg_nc<i32>(rows + (rows_at + 3ll));
  const i32 e_end = rows_tile_1;
  for (i32 e = rows_tile; e < e_end; ++e) {
    const i64 biasToken_at = (i64)e;
    i32 biasToken_tile;
    biasToken_tile = tw_ldg_nc<i32>(biasToken + biasToken_at);
    f32 biasValue_tile;
    biasValue_tile = tw_ldg_nc<f32>(biasValue + biasToken_at);
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_1[r] = token[r] == biasToken_tile ? x_1[r] + biasValue_tile : x_1[r];
    }
  }
  i32 row;
  row = tw_ldg_nc<i32>(rows + (rows_at + 1ll));
  const bool t_3 = row >= 0;
  f32 x_2[8];
  if (t_3) {
    const i64 counts_at = (i64)row * (i64)V + (i64)t + (i64)thread;
    const bool counts_in = (u32)row < (u32)N;
    i32 count[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      count[r] = counts_in && thread + r * 128 < left ? tw_ldg_nc<i32>(counts + (counts_at + (i64)(r * 128))) : 0;
    }
    const i64 penalties_at = (i64)pid0 * 3ll;
    f32 factor;
    factor = tw_ldg_nc<f32>(penalties + penalties_at);
    i32 times[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      times[r] = count[r] & 1073741823;
    }
    f32 penalties_tile;
    penalties_tile = tw_ldg_nc<f32>(penalties + (penalties_at + 1ll));
    f32 x_3[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_3[r] = (count[r] > 0 ? (x_1[r] > 0.0f ? x_1[r] / factor : x_1[r] * factor) : x_1[r]) - penalties_tile * tw_i32_to_f32(times[r]);
    }
    f32 penalties_tile_1;
    penalties_tile_1 = tw_ldg_nc<f32>(penalties + (penalties_at + 2ll));
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_2[r] = times[r] > 0 ? x_3[r] - penalties_tile_1 : x_3[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      x_2[r] = x_1[r];
    }
  }
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    if (logits_in && thread + r * 128 < left) {
      tw_stg<f32>(adjusted + (logits_at + (i64)(r * 128)), x_2[r]);
    }
  }
}
