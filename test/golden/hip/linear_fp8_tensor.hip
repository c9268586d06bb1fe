// linear_fp8_tensor for hip gfx90a, made by tilewright
// dtypes: O=bf16
// config: BM=64 BN=64 BK=64 stages=3 group=8
// dims divisible: M%2 K%16 N%8
// 128 threads in 2 warps of 64, 32768 bytes of shared memory
//       0 … 16384: t39_shared f32[4096]
//   16384 … 32768: t40_shared f32[4096]

TW_KERNEL(128) linear_fp8_tensor(
    const tw_f8e4m3* x, const tw_f8e4m3* w, const f32* xScale, const f32* wScale, const f32* bias,
    tw_bf16* y, i32 M, i32 K, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t39_shared = smem;
  tw_label(t39_shared, 16384u, "t39_shared");
  const u32 t40_shared = smem + 16384u;
  tw_label(t40_shared, 16384u, "t40_shared");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 63) >> 6) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = 0 < K;
  tw_f8e4m3 t_6[32];
  tw_f8e4m3 t_7[32];
  const i32 t_BM = thread >> 2;
  const i32 t_BK = (lane & 3) * 16;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_4 * (i64)K + (i64)x_at;
  const i32 position = t_4 + t_BM;
  const i64 w_at = (i64)t_5 * (i64)K + (i64)x_at;
  const i32 position_1 = t_5 + t_BM;
  if (more) {
    const bool x_in = t_BK < K;
    tw_f8e4m3 x_tile[32];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 x_tile_vec = x_in && (u32)(position + r * 32) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      x_tile[r * 16] = tw_byte(x_tile_vec.x, 0u); x_tile[r * 16 + 1] = tw_byte(x_tile_vec.x, 1u);
      x_tile[r * 16 + 2] = tw_byte(x_tile_vec.x, 2u);
      x_tile[r * 16 + 3] = tw_byte(x_tile_vec.x, 3u);
      x_tile[r * 16 + 4] = tw_byte(x_tile_vec.y, 0u);
      x_tile[r * 16 + 5] = tw_byte(x_tile_vec.y, 1u);
      x_tile[r * 16 + 6] = tw_byte(x_tile_vec.y, 2u);
      x_tile[r * 16 + 7] = tw_byte(x_tile_vec.y, 3u);
      x_tile[r * 16 + 8] = tw_byte(x_tile_vec.z, 0u);
      x_tile[r * 16 + 9] = tw_byte(x_tile_vec.z, 1u);
      x_tile[r * 16 + 10] = tw_byte(x_tile_vec.z, 2u);
      x_tile[r * 16 + 11] = tw_byte(x_tile_vec.z, 3u);
      x_tile[r * 16 + 12] = tw_byte(x_tile_vec.w, 0u);
      x_tile[r * 16 + 13] = tw_byte(x_tile_vec.w, 1u);
      x_tile[r * 16 + 14] = tw_byte(x_tile_vec.w, 2u);
      x_tile[r * 16 + 15] = tw_byte(x_tile_vec.w, 3u);
    }
    tw_f8e4m3 w_tile[32];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 w_tile_vec = x_in && (u32)(position_1 + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      w_tile[r * 16] = tw_byte(w_tile_vec.x, 0u); w_tile[r * 16 + 1] = tw_byte(w_tile_vec.x, 1u);
      w_tile[r * 16 + 2] = tw_byte(w_tile_vec.x, 2u);
      w_tile[r * 16 + 3] = tw_byte(w_tile_vec.x, 3u);
      w_tile[r * 16 + 4] = tw_byte(w_tile_vec.y, 0u);
      w_tile[r * 16 + 5] = tw_byte(w_tile_vec.y, 1u);
      w_tile[r * 16 + 6] = tw_byte(w_tile_vec.y, 2u);
      w_tile[r * 16 + 7] = tw_byte(w_tile_vec.y, 3u);
      w_tile[r * 16 + 8] = tw_byte(w_tile_vec.z, 0u);
      w_tile[r * 16 + 9] = tw_byte(w_tile_vec.z, 1u);
      w_tile[r * 16 + 10] = tw_byte(w_tile_vec.z, 2u);
      w_tile[r * 16 + 11] = tw_byte(w_tile_vec.z, 3u);
      w_tile[r * 16 + 12] = tw_byte(w_tile_vec.w, 0u);
      w_tile[r * 16 + 13] = tw_byte(w_tile_vec.w, 1u);
      w_tile[r * 16 + 14] = tw_byte(w_tile_vec.w, 2u);
      w_tile[r * 16 + 15] = tw_byte(w_tile_vec.w, 3u);
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      t_6[r] = x_tile[r];
      t_7[r] = w_tile[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      t_6[r] = 0;
      t_7[r] = 0;
    }
  }
  const bool more_1 = 64 < K;
  tw_f8e4m3 t_8[32];
  tw_f8e4m3 t_9[32];
  if (more_1) {
    const i32 left = K - 64;
    const bool x_in_1 = t_BK < left;
    tw_f8e4m3 x_tile_1[32];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 x_tile_1_vec = x_in_1 && (u32)(position + r * 32) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + 64ll + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      x_tile_1[r * 16] = tw_byte(x_tile_1_vec.x, 0u);
      x_tile_1[r * 16 + 1] = tw_byte(x_tile_1_vec.x, 1u);
      x_tile_1[r * 16 + 2] = tw_byte(x_tile_1_vec.x, 2u);
      x_tile_1[r * 16 + 3] = tw_byte(x_tile_1_vec.x, 3u);
      x_tile_1[r * 16 + 4] = tw_byte(x_tile_1_vec.y, 0u);
      x_tile_1[r * 16 + 5] = tw_byte(x_tile_1_vec.y, 1u);
      x_tile_1[r * 16 + 6] = tw_byte(x_tile_1_vec.y, 2u);
      x_tile_1[r * 16 + 7] = tw_byte(x_tile_1_vec.y, 3u);
      x_tile_1[r * 16 + 8] = tw_byte(x_tile_1_vec.z, 0u);
      x_tile_1[r * 16 + 9] = tw_byte(x_tile_1_vec.z, 1u);
      x_tile_1[r * 16 + 10] = tw_byte(x_tile_1_vec.z, 2u);
      x_tile_1[r * 16 + 11] = tw_byte(x_tile_1_vec.z, 3u);
      x_tile_1[r * 16 + 12] = tw_byte(x_tile_1_vec.w, 0u);
      x_tile_1[r * 16 + 13] = tw_byte(x_tile_1_vec.w, 1u);
      x_tile_1[r * 16 + 14] = tw_byte(x_tile_1_vec.w, 2u);
      x_tile_1[r * 16 + 15] = tw_byte(x_tile_1_vec.w, 3u);
    }
    tw_f8e4m3 w_tile_1[32];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 w_tile_1_vec = x_in_1 && (u32)(position_1 + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at + 64ll + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      w_tile_1[r * 16] = tw_byte(w_tile_1_vec.x, 0u);
      w_tile_1[r * 16 + 1] = tw_byte(w_tile_1_vec.x, 1u);
      w_tile_1[r * 16 + 2] = tw_byte(w_tile_1_vec.x, 2u);
      w_tile_1[r * 16 + 3] = tw_byte(w_tile_1_vec.x, 3u);
      w_tile_1[r * 16 + 4] = tw_byte(w_tile_1_vec.y, 0u);
      w_tile_1[r * 16 + 5] = tw_byte(w_tile_1_vec.y, 1u);
      w_tile_1[r * 16 + 6] = tw_byte(w_tile_1_vec.y, 2u);
      w_tile_1[r * 16 + 7] = tw_byte(w_tile_1_vec.y, 3u);
      w_tile_1[r * 16 + 8] = tw_byte(w_tile_1_vec.z, 0u);
      w_tile_1[r * 16 + 9] = tw_byte(w_tile_1_vec.z, 1u);
      w_tile_1[r * 16 + 10] = tw_byte(w_tile_1_vec.z, 2u);
      w_tile_1[r * 16 + 11] = tw_byte(w_tile_1_vec.z, 3u);
      w_tile_1[r * 16 + 12] = tw_byte(w_tile_1_vec.w, 0u);
      w_tile_1[r * 16 + 13] = tw_byte(w_tile_1_vec.w, 1u);
      w_tile_1[r * 16 + 14] = tw_byte(w_tile_1_vec.w, 2u);
      w_tile_1[r * 16 + 15] = tw_byte(w_tile_1_vec.w, 3u);
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      t_8[r] = x_tile_1[r];
      t_9[r] = w_tile_1[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      t_8[r] = 0;
      t_9[r] = 0;
    }
  }
  f32 acc[32];
  #pragma unroll
  for (i32 r = 0; r < 32; ++r) {
    acc[r] = 0.0f;
  }
  const i32 t39_shared_at = (lane & 3) * 16 + (thread >> 2) * 64;
  const i32 swizzled = t39_shared_at ^ ((t39_shared_at >> 4) & 28);
  const i32 swizzled_1 = t39_shared_at ^ ((t39_shared_at >> 6) & 28);
  const i32 t39_shared_at_1 = (lane >> 3) * 64;
  const i32 t40_shared_at = (lane & 7) * 256 + warp * 2048;
  const i32 swizzled_2 = t39_shared_at_1 ^ ((t39_shared_at_1 >> 4) & 28);
  const i32 swizzled_3 = t40_shared_at ^ ((t40_shared_at >> 6) & 28);
  for (i32 k = 0; k < K; k += 64) {
    const i32 k_1 = k + 128;
    const bool more_2 = k_1 < K;
    tw_f8e4m3 t_10[32];
    tw_f8e4m3 t_11[32];
    if (more_2) {
      const i32 left_1 = K - k_1;
      const i64 x_at_2 = x_at_1 + (i64)k_1;
      const bool x_in_2 = t_BK < left_1;
      tw_f8e4m3 x_tile_2[32];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 x_tile_2_vec = x_in_2 && (u32)(position + r * 32) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_2 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        x_tile_2[r * 16] = tw_byte(x_tile_2_vec.x, 0u);
        x_tile_2[r * 16 + 1] = tw_byte(x_tile_2_vec.x, 1u);
        x_tile_2[r * 16 + 2] = tw_byte(x_tile_2_vec.x, 2u);
        x_tile_2[r * 16 + 3] = tw_byte(x_tile_2_vec.x, 3u);
        x_tile_2[r * 16 + 4] = tw_byte(x_tile_2_vec.y, 0u);
        x_tile_2[r * 16 + 5] = tw_byte(x_tile_2_vec.y, 1u);
        x_tile_2[r * 16 + 6] = tw_byte(x_tile_2_vec.y, 2u);
        x_tile_2[r * 16 + 7] = tw_byte(x_tile_2_vec.y, 3u);
        x_tile_2[r * 16 + 8] = tw_byte(x_tile_2_vec.z, 0u);
        x_tile_2[r * 16 + 9] = tw_byte(x_tile_2_vec.z, 1u);
        x_tile_2[r * 16 + 10] = tw_byte(x_tile_2_vec.z, 2u);
        x_tile_2[r * 16 + 11] = tw_byte(x_tile_2_vec.z, 3u);
        x_tile_2[r * 16 + 12] = tw_byte(x_tile_2_vec.w, 0u);
        x_tile_2[r * 16 + 13] = tw_byte(x_tile_2_vec.w, 1u);
        x_tile_2[r * 16 + 14] = tw_byte(x_tile_2_vec.w, 2u);
        x_tile_2[r * 16 + 15] = tw_byte(x_tile_2_vec.w, 3u);
      }
      const i64 w_at_1 = w_at + (i64)k_1;
      tw_f8e4m3 w_tile_2[32];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 w_tile_2_vec = x_in_2 && (u32)(position_1 + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        w_tile_2[r * 16] = tw_byte(w_tile_2_vec.x, 0u);
        w_tile_2[r * 16 + 1] = tw_byte(w_tile_2_vec.x, 1u);
        w_tile_2[r * 16 + 2] = tw_byte(w_tile_2_vec.x, 2u);
        w_tile_2[r * 16 + 3] = tw_byte(w_tile_2_vec.x, 3u);
        w_tile_2[r * 16 + 4] = tw_byte(w_tile_2_vec.y, 0u);
        w_tile_2[r * 16 + 5] = tw_byte(w_tile_2_vec.y, 1u);
        w_tile_2[r * 16 + 6] = tw_byte(w_tile_2_vec.y, 2u);
        w_tile_2[r * 16 + 7] = tw_byte(w_tile_2_vec.y, 3u);
        w_tile_2[r * 16 + 8] = tw_byte(w_tile_2_vec.z, 0u);
        w_tile_2[r * 16 + 9] = tw_byte(w_tile_2_vec.z, 1u);
        w_tile_2[r * 16 + 10] = tw_byte(w_tile_2_vec.z, 2u);
        w_tile_2[r * 16 + 11] = tw_byte(w_tile_2_vec.z, 3u);
        w_tile_2[r * 16 + 12] = tw_byte(w_tile_2_vec.w, 0u);
        w_tile_2[r * 16 + 13] = tw_byte(w_tile_2_vec.w, 1u);
        w_tile_2[r * 16 + 14] = tw_byte(w_tile_2_vec.w, 2u);
        w_tile_2[r * 16 + 15] = tw_byte(w_tile_2_vec.w, 3u);
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        t_10[r] = x_tile_2[r];
        t_11[r] = w_tile_2[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        t_10[r] = 0;
        t_11[r] = 0;
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        f32 t39_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t39_shared_tile[j] = tw_f8e4m3_to_f32(t_6[r * 16 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(t39_shared + (u32)((swizzled ^ (i * 4)) + r * 2048) * 4u, tw_f32x4{
            t39_shared_tile[0], t39_shared_tile[1], t39_shared_tile[2], t39_shared_tile[3]});
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        f32 t40_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t40_shared_tile[j] = tw_f8e4m3_to_f32(t_7[r * 16 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(t40_shared + (u32)((swizzled_1 ^ (i * 4)) + r * 2048) * 4u, tw_f32x4{
            t40_shared_tile[0], t40_shared_tile[1], t40_shared_tile[2], t40_shared_tile[3]});
      }
    }
    tw_syncthreads();
    for (i32 r = 0; r < 16; ++r) {
      f32 t39_shared_1[32];
      f32 t40_shared_1[16];
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        const tw_f32x4 t39_shared_1_vec = tw_lds<tw_f32x4>(t39_shared + (u32)((swizzled_2 ^ (r * 4)) + i * 512) * 4u);
        t39_shared_1[i * 4] = t39_shared_1_vec.x; t39_shared_1[i * 4 + 1] = t39_shared_1_vec.y;
        t39_shared_1[i * 4 + 2] = t39_shared_1_vec.z; t39_shared_1[i * 4 + 3] = t39_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 t40_shared_1_vec = tw_lds<tw_f32x4>(t40_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 64) * 4u);
        t40_shared_1[i * 4] = t40_shared_1_vec.x; t40_shared_1[i * 4 + 1] = t40_shared_1_vec.y;
        t40_shared_1[i * 4 + 2] = t40_shared_1_vec.z; t40_shared_1[i * 4 + 3] = t40_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 8; ++j) {
          #pragma unroll
          for (i32 l = 0; l < 4; ++l) {
            acc[j * 4 + l] = tw_fma(
                t39_shared_1[j * 4 + i], t40_shared_1[l * 4 + i], acc[j * 4 + l]);
          }
        }
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      t_6[r] = t_8[r];
      t_7[r] = t_9[r];
      t_8[r] = t_10[r];
      t_9[r] = t_11[r];
    }
  }
  f32 xScale_tile;
  xScale_tile = tw_ldg_nc<f32>(xScale);
  f32 wScale_tile;
  wScale_tile = tw_ldg_nc<f32>(wScale);
  const f32 t_12 = xScale_tile * wScale_tile;
  const i32 t_BN = warp * 32 + (lane & 7) * 4;
  const i32 position_2 = t_5 + t_BN;
  const i64 bias_at = (i64)t_5 + (i64)t_BN;
  const bool bias_in = (u32)position_2 < (u32)N;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = bias_in ? tw_ldg_nc<tw_f32x4>(bias + bias_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  const i32 t_BM_1 = lane >> 3;
  const i32 y_at = t_BM_1 * N + t_BN;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const i32 position_3 = t_4 + t_BM_1;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    tw_bf16 y_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      y_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] * t_12 + bias_tile[i]);
    }
    if (bias_in && (u32)(position_3 + r * 8) < (u32)M) {
      tw_stg<tw_u32x2>(y + (y_at_1 + (i64)(r * 8 * N)), tw_u32x2{
          tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
    }
  }
}
