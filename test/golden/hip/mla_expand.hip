// mla_expand for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 WIDTH=64
// dims divisible: R%16 WR%16 NY%16
// 256 threads in 4 warps of 64, 5248 bytes of shared memory
//       0 … 4096: b bf16[2048]
//    4096 … 5248: a bf16[576]

TW_KERNEL(256) mla_expand(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 C, i32 R, i32 HW, i32 WR, i32 H, i32 NY,
    i32 firstHead, i32 first) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem + 4096u;
  tw_label(a, 1152u, "a");
  const u32 b = smem;
  tw_label(b, 4096u, "b");
  const i32 h = tw_floormod_i32(pid0, H);
  const i32 n0 = tw_floordiv_i32(pid0, H) * 64;
  const i32 t = pid1 * 16;
  const i32 t_1 = firstHead + h;
  const i32 t_2 = first + n0;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  const i32 t_BM = thread >> 4;
  const i32 left = C - t;
  const i32 t_BK = (lane & 15) * 2;
  const i32 x_at = t_BM * R + t_BK;
  const i64 x_at_1 = (i64)t * (i64)R + (i64)x_at;
  const bool x_in = t_BM < left;
  const i32 a_at = (lane & 15) * 2 + (thread >> 4) * 36;
  const i32 stride = R * WR;
  const i32 t_BN = thread >> 2;
  const i32 position = t_2 + t_BN;
  const i32 t_BK_1 = (lane & 3) * 8;
  const i32 w_at = t_BN * R + t_BK_1;
  const i64 w_at_1 = (i64)t_1 * (i64)stride + (i64)t_2 * (i64)R + (i64)w_at;
  const bool w_in = (u32)t_1 < (u32)HW && (u32)position < (u32)WR;
  const i32 b_at = (lane & 3) * 8 + (thread >> 2) * 32;
  const i32 swizzled = b_at ^ ((b_at >> 3) & 24);
  const i32 a_at_1 = (lane & 15) * 36 + (lane >> 4) * 4;
  const i32 b_at_1 = (lane & 15) * 32 + (lane >> 4) * 4 + warp * 512;
  const i32 swizzled_1 = b_at_1 ^ ((b_at_1 >> 3) & 24);
  for (i32 r_1 = 0; r_1 < R; r_1 += 32) {
    tw_syncthreads();
    const i32 left_1 = R - r_1;
    const i64 x_at_2 = x_at_1 + (i64)r_1;
    const bool x_in_1 = x_in && t_BK < left_1;
    tw_bf16 x_tile[2];
    const u32 x_tile_vec = x_in_1 ? tw_ldg_nc<u32>(x + x_at_2) : 0u;
    x_tile[0] = tw_u16x2_lo(x_tile_vec); x_tile[1] = tw_u16x2_hi(x_tile_vec);
    tw_sts<u32>(a + (u32)a_at * 2u, tw_pack_u16x2(x_tile[0], x_tile[1]));
    const i64 w_at_2 = w_at_1 + (i64)r_1;
    const bool w_in_1 = w_in && t_BK_1 < left_1;
    tw_bf16 w_tile[8];
    const tw_u32x4 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x4>(w + w_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[4] = tw_u16x2_lo(w_tile_vec.z); w_tile[5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[6] = tw_u16x2_lo(w_tile_vec.w); w_tile[7] = tw_u16x2_hi(w_tile_vec.w);
    tw_sts<tw_u32x4>(b + (u32)swizzled * 2u, tw_u32x4{
        tw_pack_u16x2(w_tile[0], w_tile[1]), tw_pack_u16x2(w_tile[2], w_tile[3]),
        tw_pack_u16x2(w_tile[4], w_tile[5]), tw_pack_u16x2(w_tile[6], w_tile[7])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[2];
      u32 b_1[2];
      tw_lds_words<2>(&a_1[0], a + (u32)((a_at_1 + r * 16) * 2));
      tw_lds_words<2>(&b_1[0], b + (u32)((swizzled_1 ^ (r * 16)) * 2));
      tw_mfma_f32_16x16x16_bf16(&acc[0], &b_1[0], &a_1[0]);
    }
  }
  const i32 stride_1 = NY * H;
  const i32 t_BM_1 = lane & 15;
  const i32 t_BN_1 = (thread >> 4) * 4;
  const i32 left_2 = NY - n0;
  const i32 y_at = t_BM_1 * stride_1 + t_BN_1;
  const i64 y_at_1 = (i64)t * (i64)stride_1 + (i64)h * (i64)NY + (i64)n0 + (i64)y_at;
  const bool y_in = t_BM_1 < left && h < H && t_BN_1 < left_2;
  tw_bf16 y_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    y_tile[r] = tw_f32_to_bf16(acc[r]);
  }
  if (y_in) {
    tw_stg<tw_u32x2>(y + y_at_1, tw_u32x2{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
  }
}
