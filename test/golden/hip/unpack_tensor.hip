// unpack_tensor for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=16 BC=64 E0=2 DR0=0 DC0=1 E1=8 DR1=0 DC1=8 E2=2 DR2=8 DC2=0 E3=4 DR3=0 DC3=2 E4=8 DR4=1 DC4=0 E5=1 DR5=0 DC5=0 E6=1 DR6=0 DC6=0 E7=1 DR7=0 DC7=0 E8=1 DR8=0 DC8=0 E9=1 DR9=0 DC9=0 E10=1 DR10=0 DC10=0 E11=1 DR11=0 DC11=0 B=256
// dims divisible: P%16
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) unpack_tensor(const tw_bf16* x, tw_bf16* y, i32 P, i32 H, i32 R, i32 C) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 across = (C + 255) >> 8;
  const i32 row = tw_floordiv_i32(pid0, across);
  const i32 t = tw_floormod_i32(pid0, across) * 256;
  i32 column[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    column[r] = t + lane + r * 64;
  }
  const i32 blockRow = pid1 * ((R + 15) >> 4) + (row >> 4);
  const i32 t_1 = blockRow * ((C + 63) >> 6);
  const i32 inRow = row & 15;
  i32 inColumn[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    inColumn[r] = column[r] & 63;
  }
  const i32 t_2 = (inRow >> 3) * 16;
  i32 place[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    place[r] = (t_1 + (column[r] >> 6)) * 1024 + (inColumn[r] & 1) + (inColumn[r] >> 3) * 2 + t_2 + ((inColumn[r] >> 1) & 3) * 32;
  }
  const i32 t_3 = (inRow & 7) * 128;
  i32 t_4[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    t_4[r] = column[r] < C ? place[r] + t_3 : -1;
  }
  tw_bf16 value[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    value[r] = (u32)t_4[r] < (u32)P ? tw_ldg_nc<u16>(x + (i64)t_4[r]) : (u16)0;
  }
  const i32 stride = C * R;
  const i64 y_at = (i64)pid1 * (i64)stride + (i64)row * (i64)C + (i64)t + (i64)lane;
  const bool y_in = pid1 < H && row < R;
  const i32 left = C - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    if (y_in && lane + r * 64 < left) {
      tw_stg<u16>(y + (y_at + (i64)(r * 64)), value[r]);
    }
  }
}
