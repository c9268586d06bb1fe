// head_linear for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 TRANSPOSED=false
// dims divisible: H%2 KX%16 WR%2 WC%16 N%2
// 128 threads in 4 warps of 32, 5120 bytes of shared memory
//       0 … 4096: b bf16[2048]
//    4096 … 5120: a bf16[512]

TW_KERNEL(128) head_linear(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 H, i32 KX, i32 WR, i32 WC, i32 N,
    i32 first, i32 depth) {
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem + 4096u;
  tw_label(a, 1024u, "a");
  const u32 b = smem;
  tw_label(b, 4096u, "b");
  const i32 t = pid0 * 16;
  const i32 n0 = pid1 * 64;
  const i32 t_1 = first + n0;
  const i32 t_2 = first + N;
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  const i32 stride = KX * H;
  const i32 bound = tw_min_i32(depth, KX);
  const i32 x_at = warp * stride + lane;
  const i64 x_at_1 = (i64)t * (i64)stride + (i64)pid2 * (i64)KX + (i64)x_at;
  const bool x_in = pid2 < H;
  const i32 a_at = lane + warp * 32;
  const i32 left = M - t;
  const i32 swizzled = a_at ^ ((a_at >> 3) & 24);
  const i32 stride_1 = WC * WR;
  const i32 bound_1 = tw_min_i32(t_2, WR);
  const i32 bound_2 = tw_min_i32(depth, WC);
  const i32 w_at = warp * WC + lane;
  const i64 w_at_1 = (i64)pid2 * (i64)stride_1 + (i64)t_1 * (i64)WC + (i64)w_at;
  const i32 position = t_1 + warp;
  const i32 bound_3 = tw_max_i32(bound_1, 0);
  const i32 a_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 256 + (lane >> 4) * 8;
  const i32 b_at = (lane & 7) * 32 + ((lane >> 3) & 1) * 8 + (lane >> 4) * 256 + warp * 512;
  const i32 swizzled_1 = a_at_1 ^ ((a_at_1 >> 3) & 24);
  const i32 swizzled_2 = b_at ^ ((b_at >> 3) & 24);
  const i32 k_end = depth;
  for (i32 k = 0; k < k_end; k += 32) {
    tw_syncthreads();
    const i32 left_1 = bound - k;
    const i64 x_at_2 = x_at_1 + (i64)k;
    const bool x_in_1 = x_in && lane < left_1;
    tw_bf16 x_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      x_tile[r] = x_in_1 && warp + r * 4 < left ? tw_ldg_nc<u16>(x + (x_at_2 + (i64)(r * 4 * stride))) : (u16)0;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_sts<u16>(a + (u32)(swizzled ^ ((r * 128) ^ (((r * 128) >> 3) & 24))) * 2u, x_tile[r]);
    }
    const i32 left_2 = bound_2 - k;
    const i64 w_at_2 = w_at_1 + (i64)k;
    const bool w_in = x_in && lane < left_2;
    tw_bf16 w_tile[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      w_tile[r] = w_in && (u32)(position + r * 4) < (u32)bound_3 ? tw_ldg_nc<u16>(w + (w_at_2 + (i64)(r * 4 * WC))) : (u16)0;
    }
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      tw_sts<u16>(b + (u32)(swizzled ^ ((r * 128) ^ (((r * 128) >> 3) & 24))) * 2u, w_tile[r]);
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[4];
      u32 b_1[4];
      tw_ldmatrix_x4(&a_1[0], a + (u32)(swizzled_1 ^ (r * 16)) * 2u);
      tw_ldmatrix_x4(&b_1[0], b + (u32)(swizzled_2 ^ (r * 16)) * 2u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_mma_m16n8k16_f32_bf16(&acc[i * 4], &a_1[0], &b_1[i * 2]);
      }
    }
  }
  const i32 stride_2 = N * H;
  const i32 t_BM = lane >> 2;
  const i32 t_BN = warp * 16 + (lane & 3) * 2;
  const i32 y_at = t_BM * stride_2 + t_BN;
  const i64 y_at_1 = (i64)t * (i64)stride_2 + (i64)pid2 * (i64)N + (i64)n0 + (i64)y_at;
  const i32 left_3 = N - n0;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 y_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        y_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j]);
      }
      if (x_in && t_BM + i * 8 < left && t_BN + r * 8 < left_3) {
        tw_stg<u32>(
            y + (y_at_1 + (i64)(i * 8 * stride_2 + r * 8)), tw_pack_u16x2(y_tile[0], y_tile[1]));
      }
    }
  }
}
