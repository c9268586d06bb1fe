// pack_tensor for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=16 BC=64 E0=2 DR0=0 DC0=1 E1=8 DR1=0 DC1=8 E2=2 DR2=8 DC2=0 E3=4 DR3=0 DC3=2 E4=8 DR4=1 DC4=0 E5=1 DR5=0 DC5=0 E6=1 DR6=0 DC6=0 E7=1 DR7=0 DC7=0 E8=1 DR8=0 DC8=0 E9=1 DR9=0 DC9=0 E10=1 DR10=0 DC10=0 E11=1 DR11=0 DC11=0 B=1024
// dims divisible: P%16
// 128 threads in 2 warps of 64, 0 bytes of shared memory

TW_KERNEL(128) pack_tensor(const tw_bf16* x, tw_bf16* y, i32 H, i32 R, i32 C, i32 P, i32 pad) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 1024;
  i32 place[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    place[r] = t + thread + r * 128;
  }
  const i32 across = (C + 63) >> 6;
  const i32 down = (R + 15) >> 4;
  i32 block[8];
  i32 column[8];
  i32 row[8];
  bool inside[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    block[r] = place[r] >> 10;
    const i32 rest = place[r] & 1023;
    const i32 rest_1 = rest >> 1;
    const i32 rest_2 = rest_1 >> 3;
    const i32 rest_3 = rest_2 >> 1;
    column[r] = tw_floormod_i32(block[r], across) * 64 + (rest & 1) + (rest_1 & 7) * 8 + (rest_3 & 3) * 2;
    row[r] = tw_floormod_i32(tw_floordiv_i32(block[r], across), down) * 16 + (rest_2 & 1) * 8 + (rest_3 >> 2);
    inside[r] = place[r] < P && row[r] < R && column[r] < C;
  }
  const i32 t_1 = across * down;
  const i32 stride = C * R;
  i32 matrix[8];
  i32 t_2[8];
  i32 t_3[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    matrix[r] = inside[r] ? tw_floordiv_i32(block[r], t_1) : -1;
    t_2[r] = inside[r] ? row[r] : -1;
    t_3[r] = inside[r] ? column[r] : -1;
  }
  tw_bf16 x_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    x_tile[r] = (u32)matrix[r] < (u32)H && (u32)t_2[r] < (u32)R && (u32)t_3[r] < (u32)C ? tw_ldg_nc<u16>(x + ((i64)matrix[r] * (i64)stride + (i64)t_2[r] * (i64)C + (i64)t_3[r])) : (u16)0;
  }
  const tw_bf16 t_4 = tw_f32_to_bf16(tw_i32_to_f32(pad));
  const i64 y_at = (i64)t + (i64)thread;
  const i32 left = P - t;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    const tw_bf16 y_tile = inside[r] ? x_tile[r] : t_4;
    if (thread + r * 128 < left) {
      tw_stg<u16>(y + (y_at + (i64)(r * 128)), y_tile);
    }
  }
}
