// mla_expand for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 WIDTH=64
// dims divisible: R%16 WR%16 NY%16
// 128 threads in 4 warps of 32, 10240 bytes of shared memory
//       0 … 8192: b bf16[4096]
//    8192 … 10240: a bf16[1024]

TW_KERNEL(128) mla_expand(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 C, i32 R, i32 HW, i32 WR, i32 H, i32 NY,
    i32 firstHead, i32 first) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem + 8192u;
  tw_label(a, 2048u, "a");
  const u32 b = smem;
  tw_label(b, 8192u, "b");
  const i32 h = tw_floormod_i32(pid0, H);
  const i32 n0 = tw_floordiv_i32(pid0, H) * 64;
  const i32 t = pid1 * 16;
  const i32 t_1 = firstHead + h;
  const i32 t_2 = first + n0;
  const bool more = 0 < R;
  const i32 t_BM = thread >> 3;
  const i32 left = C - t;
  const i32 t_BK = (lane & 7) * 4;
  const i32 x_at = t_BM * R + t_BK;
  const i64 x_at_1 = (i64)t * (i64)R + (i64)x_at;
  const i32 a_at = (lane & 7) * 4 + (thread >> 3) * 32;
  const i32 swizzled = a_at ^ ((a_at >> 3) & 24);
  const i32 stride = R * WR;
  const i32 t_BN = thread >> 2;
  const i32 t_BK_1 = (lane & 3) * 8;
  const i32 w_at = t_BN * R + t_BK_1;
  const i32 b_at = (lane & 3) * 8 + (thread >> 2) * 32;
  const i32 swizzled_1 = b_at ^ ((b_at >> 3) & 24);
  const i32 position = t_2 + t_BN;
  if (more) {
    const bool x_in = t_BM < left && t_BK < R;
    tw_cp_async_8_zfill(a + (u32)swizzled * 2u, x + x_at_1, x_in ? 8u : 0u);
    const i64 w_at_1 = (i64)t_2 * (i64)R + (i64)t_1 * (i64)stride + (i64)w_at;
    const bool w_in = (u32)t_1 < (u32)HW && t_BK_1 < R;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_cp_async_16_zfill(
          b + (u32)(swizzled_1 + r * 1024) * 2u, w + (w_at_1 + (i64)(r * 32 * R)),
          w_in && (u32)(position + r * 32) < (u32)WR ? 16u : 0u);
    }
  }
  tw_cp_async_commit();
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 1;
  const bool x_in_1 = t_BM < left;
  const i64 w_at_2 = (i64)t_1 * (i64)stride + (i64)t_2 * (i64)R + (i64)w_at;
  const bool w_in_1 = (u32)t_1 < (u32)HW;
  const i32 a_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 256 + (lane >> 4) * 8;
  const i32 b_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 256 + warp * 512;
  const i32 swizzled_2 = a_at_1 ^ ((a_at_1 >> 3) & 24);
  const i32 swizzled_3 = b_at_1 ^ ((b_at_1 >> 3) & 24);
  for (i32 r_1 = 0; r_1 < R; r_1 += 32) {
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i32 r_2 = r_1 + 32;
    const bool more_1 = r_2 < R;
    if (more_1) {
      const i32 left_1 = R - r_2;
      const i64 x_at_2 = x_at_1 + (i64)r_2;
      const bool x_in_2 = x_in_1 && t_BK < left_1;
      const i32 a_slot = fill * 512;
      tw_cp_async_8_zfill(a + (u32)(swizzled + a_slot) * 2u, x + x_at_2, x_in_2 ? 8u : 0u);
      const i64 w_at_3 = w_at_2 + (i64)r_2;
      const bool w_in_2 = w_in_1 && t_BK_1 < left_1;
      const i32 b_slot = fill * 2048;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            b + (u32)(swizzled_1 + r * 1024 + b_slot) * 2u, w + (w_at_3 + (i64)(r * 32 * R)),
            w_in_2 && (u32)(position + r * 32) < (u32)WR ? 16u : 0u);
      }
    }
    tw_cp_async_commit();
    const i32 a_slot_1 = slot * 512;
    const i32 b_slot_1 = slot * 2048;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[4];
      u32 b_1[4];
      tw_ldmatrix_x4(&a_1[0], a + (u32)((swizzled_2 ^ (r * 16)) + a_slot_1) * 2u);
      tw_ldmatrix_x4(&b_1[0], b + (u32)((swizzled_3 ^ (r * 16)) + b_slot_1) * 2u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_mma_m16n8k16_f32_bf16(&acc[i * 4], &a_1[0], &b_1[i * 2]);
      }
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    slot = slot_1 == 2 ? 0 : slot_1;
    fill = fill_1 == 2 ? 0 : fill_1;
  }
  const i32 stride_1 = NY * H;
  const i32 t_BM_1 = lane >> 2;
  const i32 t_BN_1 = warp * 16 + (lane & 3) * 2;
  const i32 y_at = t_BM_1 * stride_1 + t_BN_1;
  const i64 y_at_1 = (i64)t * (i64)stride_1 + (i64)h * (i64)NY + (i64)n0 + (i64)y_at;
  const bool y_in = h < H;
  const i32 left_2 = NY - n0;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 y_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        y_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j]);
      }
      if (y_in && t_BM_1 + i * 8 < left && t_BN_1 + r * 8 < left_2) {
        tw_stg<u32>(
            y + (y_at_1 + (i64)(i * 8 * stride_1 + r * 8)), tw_pack_u16x2(y_tile[0], y_tile[1]));
      }
    }
  }
}
