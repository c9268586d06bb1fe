// moe_gemm for hip gfx90a, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BN=64 BK=32 stages=3 group=8
// dims fixed: G=2 B=0 BM=64
// dims divisible: K%16 E%4 N%8 PB%4 S%2
// 256 threads in 4 warps of 64, 8192 bytes of shared memory
//       0 … 4096: a bf16[2048]
//       0 … 8192: t48_convert bf16[4096]
//    4096 … 8192: t35 bf16[2048]
//    4096 … 8192: t38 bf16[2048]

TW_KERNEL(256) moe_gemm(
    const tw_bf16* x, const tw_bf16* w, const tw_bf16* bias, const i32* rows, const i32* expertOf,
    tw_bf16* y, i32 R, i32 K, i32 E, i32 N, i32 PB, i32 S) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem;
  tw_label(a, 4096u, "a");
  const u32 t35 = smem + 4096u;
  tw_label(t35, 4096u, "t35");
  const u32 t38 = smem + 4096u;
  tw_label(t38, 4096u, "t38");
  const u32 t48_convert = smem;
  tw_label(t48_convert, 8192u, "t48_convert");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(PB - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = t_1 + tw_floormod_i32(t_3, t_2);
  const i32 t_5 = tw_floordiv_i32(t_3, t_2);
  const i64 expertOf_at = (i64)t_4;
  i32 e;
  e = tw_ldg_nc<i32>(expertOf + expertOf_at);
  const bool t_6 = e < 0;
  if (!t_6) {
    const i32 t_7 = t_5 * 64;
    const i32 t_BM = thread >> 2;
    const i64 rows_at = (i64)t_4 * 64ll + (i64)t_BM;
    const bool rows_in = (u32)t_4 < (u32)PB;
    i32 slots;
    slots = rows_in ? tw_ldg_nc<i32>(rows + rows_at) : 0;
    const i32 from = tw_floordiv_i32(slots, tw_floordiv_i32(S, R));
    f32 acc[16];
    f32 up[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      acc[r] = 0.0f;
      up[r] = 0.0f;
    }
    const i32 t_BK = (lane & 3) * 8;
    const i64 x_at = (i64)from * (i64)K + (i64)t_BK;
    const bool x_in = (u32)from < (u32)R;
    const i32 a_at = (lane & 3) * 8 + (thread >> 2) * 32;
    const i32 swizzled = a_at ^ ((a_at >> 3) & 24);
    const i32 stride = K * N * 2;
    const i32 stride_1 = K * N;
    const i32 position = t_7 + t_BM;
    const i32 w_at = t_BM * K + t_BK;
    const i64 w_at_1 = (i64)e * (i64)stride + (i64)t_7 * (i64)K + (i64)w_at;
    const bool w_in = (u32)e < (u32)E && (u32)position < (u32)N;
    const i32 a_at_1 = (lane & 31) * 32 + (lane >> 5) * 4 + (warp & 1) * 1024;
    const i32 t35_at = (lane & 31) * 32 + (lane >> 5) * 4 + (warp >> 1) * 1024;
    const i32 swizzled_1 = a_at_1 ^ ((a_at_1 >> 3) & 24);
    const i32 swizzled_2 = t35_at ^ ((t35_at >> 3) & 24);
    const i64 w_at_2 = (i64)e * (i64)stride + (i64)stride_1 + (i64)t_7 * (i64)K + (i64)w_at;
    for (i32 k = 0; k < K; k += 32) {
      tw_syncthreads();
      const i32 left = K - k;
      const i64 x_at_1 = x_at + (i64)k;
      const bool x_in_1 = x_in && t_BK < left;
      tw_bf16 x_tile[8];
      const tw_u32x4 x_tile_vec = x_in_1 ? tw_ldg_nc<tw_u32x4>(x + x_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
      x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
      x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
      x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
      x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
      tw_sts<tw_u32x4>(a + (u32)swizzled * 2u, tw_u32x4{
          tw_pack_u16x2(x_tile[0], x_tile[1]), tw_pack_u16x2(x_tile[2], x_tile[3]),
          tw_pack_u16x2(x_tile[4], x_tile[5]), tw_pack_u16x2(x_tile[6], x_tile[7])});
      const i64 w_at_3 = w_at_1 + (i64)k;
      const bool w_in_1 = w_in && t_BK < left;
      tw_bf16 w_tile[8];
      const tw_u32x4 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x4>(w + w_at_3) : tw_u32x4{0u, 0u, 0u, 0u};
      w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
      w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
      w_tile[4] = tw_u16x2_lo(w_tile_vec.z); w_tile[5] = tw_u16x2_hi(w_tile_vec.z);
      w_tile[6] = tw_u16x2_lo(w_tile_vec.w); w_tile[7] = tw_u16x2_hi(w_tile_vec.w);
      tw_sts<tw_u32x4>(t35 + (u32)swizzled * 2u, tw_u32x4{
          tw_pack_u16x2(w_tile[0], w_tile[1]), tw_pack_u16x2(w_tile[2], w_tile[3]),
          tw_pack_u16x2(w_tile[4], w_tile[5]), tw_pack_u16x2(w_tile[6], w_tile[7])});
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        u32 a_1[2];
        u32 b[2];
        tw_lds_words<2>(&a_1[0], a + (u32)((swizzled_1 ^ (r * 8)) * 2));
        tw_lds_words<2>(&b[0], t35 + (u32)((swizzled_2 ^ (r * 8)) * 2));
        tw_mfma_f32_32x32x8_bf16(&acc[0], &b[0], &a_1[0]);
      }
      tw_syncthreads();
      const i64 w_at_4 = w_at_2 + (i64)k;
      tw_bf16 w_tile_1[8];
      const tw_u32x4 w_tile_1_vec = w_in_1 ? tw_ldg_nc<tw_u32x4>(w + w_at_4) : tw_u32x4{0u, 0u, 0u, 0u};
      w_tile_1[0] = tw_u16x2_lo(w_tile_1_vec.x); w_tile_1[1] = tw_u16x2_hi(w_tile_1_vec.x);
      w_tile_1[2] = tw_u16x2_lo(w_tile_1_vec.y); w_tile_1[3] = tw_u16x2_hi(w_tile_1_vec.y);
      w_tile_1[4] = tw_u16x2_lo(w_tile_1_vec.z); w_tile_1[5] = tw_u16x2_hi(w_tile_1_vec.z);
      w_tile_1[6] = tw_u16x2_lo(w_tile_1_vec.w); w_tile_1[7] = tw_u16x2_hi(w_tile_1_vec.w);
      tw_sts<tw_u32x4>(t38 + (u32)swizzled * 2u, tw_u32x4{
          tw_pack_u16x2(w_tile_1[0], w_tile_1[1]), tw_pack_u16x2(w_tile_1[2], w_tile_1[3]),
          tw_pack_u16x2(w_tile_1[4], w_tile_1[5]), tw_pack_u16x2(w_tile_1[6], w_tile_1[7])});
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        u32 a_2[2];
        u32 b_1[2];
        tw_lds_words<2>(&a_2[0], a + (u32)((swizzled_1 ^ (r * 8)) * 2));
        tw_lds_words<2>(&b_1[0], t38 + (u32)((swizzled_2 ^ (r * 8)) * 2));
        tw_mfma_f32_32x32x8_bf16(&up[0], &b_1[0], &a_2[0]);
      }
    }
    tw_syncthreads();
    tw_bf16 t_8[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      t_8[r] = tw_f32_to_bf16(acc[r] / (1.0f + tw_exp(-acc[r])) * up[r]);
    }
    const i32 t48_convert_at = (lane & 31) * 64 + (lane >> 5) * 4 + (warp & 1) * 2048 + (warp >> 1) * 32;
    const i32 swizzled_3 = t48_convert_at ^ ((t48_convert_at >> 3) & 56);
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_sts<tw_u32x2>(t48_convert + (u32)(swizzled_3 ^ (r * 8)) * 2u, tw_u32x2{
          tw_pack_u16x2(t_8[r * 4], t_8[r * 4 + 1]), tw_pack_u16x2(t_8[r * 4 + 2], t_8[r * 4 + 3])});
    }
    tw_syncthreads();
    tw_bf16 t_9[16];
    const i32 t48_convert_at_1 = (lane & 7) * 8 + (thread >> 3) * 64;
    const i32 swizzled_4 = t48_convert_at_1 ^ ((t48_convert_at_1 >> 3) & 56);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 t_9_vec = tw_lds<tw_u32x4>(t48_convert + (u32)(swizzled_4 + r * 2048) * 2u);
      t_9[r * 8] = tw_u16x2_lo(t_9_vec.x); t_9[r * 8 + 1] = tw_u16x2_hi(t_9_vec.x);
      t_9[r * 8 + 2] = tw_u16x2_lo(t_9_vec.y); t_9[r * 8 + 3] = tw_u16x2_hi(t_9_vec.y);
      t_9[r * 8 + 4] = tw_u16x2_lo(t_9_vec.z); t_9[r * 8 + 5] = tw_u16x2_hi(t_9_vec.z);
      t_9[r * 8 + 6] = tw_u16x2_lo(t_9_vec.w); t_9[r * 8 + 7] = tw_u16x2_hi(t_9_vec.w);
    }
    const i32 t_BM_1 = thread >> 3;
    const i64 rows_at_1 = (i64)t_4 * 64ll + (i64)t_BM_1;
    i32 slots_1[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      slots_1[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at_1 + (i64)(r * 32))) : 0;
    }
    const i32 t_BN = (lane & 7) * 8;
    const i32 position_1 = t_7 + t_BN;
    const i64 y_at = (i64)t_7 + (i64)t_BN;
    const bool y_in = (u32)position_1 < (u32)N;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      if (y_in && (u32)slots_1[r] < (u32)S) {
        tw_stg<tw_u32x4>(y + (y_at + (i64)slots_1[r] * (i64)N), tw_u32x4{
            tw_pack_u16x2(t_9[r * 8], t_9[r * 8 + 1]),
            tw_pack_u16x2(t_9[r * 8 + 2], t_9[r * 8 + 3]),
            tw_pack_u16x2(t_9[r * 8 + 4], t_9[r * 8 + 5]),
            tw_pack_u16x2(t_9[r * 8 + 6], t_9[r * 8 + 7])});
      }
    }
  }
}
