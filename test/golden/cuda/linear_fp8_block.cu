// linear_fp8_block for cuda sm_80, made by tilewright
// dtypes: O=bf16
// config: BM=64 BN=64 BK=128 stages=3 group=8
// dims divisible: K%16 N%8 KG%4
// 128 threads in 4 warps of 32, 65536 bytes of shared memory
//       0 … 32768: t56_shared f32[8192]
//   32768 … 65536: t57_shared f32[8192]

TW_KERNEL(128) linear_fp8_block(
    const tw_f8e4m3* x, const tw_f8e4m3* w, const f32* xScale, const f32* wScale, const f32* bias,
    tw_bf16* y, i32 M, i32 K, i32 N, i32 KG, i32 NG) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t56_shared = smem;
  tw_label(t56_shared, 32768u, "t56_shared");
  const u32 t57_shared = smem + 32768u;
  tw_label(t57_shared, 32768u, "t57_shared");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 63) >> 6) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const i32 first = t_5 >> 7;
  const bool more = 0 < K;
  tw_f8e4m3 t_6[64];
  tw_f8e4m3 t_7[64];
  f32 ofRows[8];
  const i32 t_BM = thread >> 3;
  const i32 t_BK = (lane & 7) * 16;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_4 * (i64)K + (i64)x_at;
  const i32 position = t_4 + t_BM;
  const i64 w_at = (i64)t_5 * (i64)K + (i64)x_at;
  const i32 position_1 = t_5 + t_BM;
  const i32 t_BM_1 = (thread >> 3) & 7;
  const i32 position_2 = t_4 + t_BM_1;
  if (more) {
    const bool x_in = t_BK < K;
    tw_f8e4m3 x_tile[64];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_u32x4 x_tile_vec = x_in && (u32)(position + r * 16) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
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
    tw_f8e4m3 w_tile[64];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_u32x4 w_tile_vec = x_in && (u32)(position_1 + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
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
    const i32 at = 0;
    const i64 xScale_at = (i64)t_4 + (i64)at * (i64)M + (i64)t_BM_1;
    const bool xScale_in = at < KG;
    f32 ofRows_1[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      ofRows_1[r] = xScale_in && (u32)(position_2 + r * 8) < (u32)M ? tw_ldg_nc<f32>(xScale + (xScale_at + (i64)(r * 8))) : 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      t_6[r] = x_tile[r];
      t_7[r] = w_tile[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      ofRows[r] = ofRows_1[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      t_6[r] = 0;
      t_7[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      ofRows[r] = 0.0f;
    }
  }
  f32 acc[32];
  #pragma unroll
  for (i32 r = 0; r < 32; ++r) {
    acc[r] = 0.0f;
  }
  const i64 xScale_at_1 = (i64)t_4 + (i64)t_BM_1;
  const i32 t56_shared_at = (lane & 7) * 16 + (thread >> 3) * 128;
  const i32 swizzled = t56_shared_at ^ ((t56_shared_at >> 7) & 28);
  const i32 t56_shared_at_1 = ((thread >> 3) & 7) * 128;
  const i32 t57_shared_at = (lane & 7) * 512 + (warp >> 1) * 4096;
  const i32 swizzled_1 = t57_shared_at ^ ((t57_shared_at >> 7) & 28);
  const i64 wScale_at = (i64)first * (i64)KG;
  for (i32 k = 0; k < K; k += 128) {
    const i32 k_1 = k + 128;
    const bool more_1 = k_1 < K;
    tw_f8e4m3 t_8[64];
    tw_f8e4m3 t_9[64];
    f32 ofRows_2[8];
    if (more_1) {
      const i32 left = K - k_1;
      const i64 x_at_2 = x_at_1 + (i64)k_1;
      const bool x_in_1 = t_BK < left;
      tw_f8e4m3 x_tile_1[64];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 x_tile_1_vec = x_in_1 && (u32)(position + r * 16) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_2 + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
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
      const i64 w_at_1 = w_at + (i64)k_1;
      tw_f8e4m3 w_tile_1[64];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 w_tile_1_vec = x_in_1 && (u32)(position_1 + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
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
      const i32 at_1 = k_1 >> 7;
      const i64 xScale_at_2 = xScale_at_1 + (i64)at_1 * (i64)M;
      const bool xScale_in_1 = at_1 < KG;
      f32 ofRows_3[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        ofRows_3[r] = xScale_in_1 && (u32)(position_2 + r * 8) < (u32)M ? tw_ldg_nc<f32>(xScale + (xScale_at_2 + (i64)(r * 8))) : 0.0f;
      }
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_8[r] = x_tile_1[r];
        t_9[r] = w_tile_1[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        ofRows_2[r] = ofRows_3[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_8[r] = 0;
        t_9[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        ofRows_2[r] = 0.0f;
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        f32 t56_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t56_shared_tile[j] = tw_f8e4m3_to_f32(t_6[r * 16 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(t56_shared + (u32)(t56_shared_at + r * 2048 + i * 4) * 4u, tw_f32x4{
            t56_shared_tile[0], t56_shared_tile[1], t56_shared_tile[2], t56_shared_tile[3]});
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        f32 t57_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t57_shared_tile[j] = tw_f8e4m3_to_f32(t_7[r * 16 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(
            t57_shared + (u32)((swizzled ^ (i * 4)) ^ ((r * 2048) ^ (((r * 2048) >> 7) & 28))) * 4u,
            tw_f32x4{t57_shared_tile[0], t57_shared_tile[1], t57_shared_tile[2], t57_shared_tile[3]});
      }
    }
    tw_syncthreads();
    f32 product[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      product[r] = 0.0f;
    }
    for (i32 r = 0; r < 32; ++r) {
      f32 t56_shared_1[32];
      f32 t57_shared_1[16];
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        const tw_f32x4 t56_shared_1_vec = tw_lds<tw_f32x4>(t56_shared + (u32)(t56_shared_at_1 + i * 1024 + r * 4) * 4u);
        t56_shared_1[i * 4] = t56_shared_1_vec.x; t56_shared_1[i * 4 + 1] = t56_shared_1_vec.y;
        t56_shared_1[i * 4 + 2] = t56_shared_1_vec.z; t56_shared_1[i * 4 + 3] = t56_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 t57_shared_1_vec = tw_lds<tw_f32x4>(t57_shared + (u32)((swizzled_1 ^ (r * 4)) + i * 128) * 4u);
        t57_shared_1[i * 4] = t57_shared_1_vec.x; t57_shared_1[i * 4 + 1] = t57_shared_1_vec.y;
        t57_shared_1[i * 4 + 2] = t57_shared_1_vec.z; t57_shared_1[i * 4 + 3] = t57_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 8; ++j) {
          #pragma unroll
          for (i32 l = 0; l < 4; ++l) {
            product[j * 4 + l] = tw_fma(
                t56_shared_1[j * 4 + i], t57_shared_1[l * 4 + i], product[j * 4 + l]);
          }
        }
      }
    }
    const i32 at_2 = k >> 7;
    const i64 wScale_at_1 = wScale_at + (i64)at_2;
    f32 ofFirst;
    ofFirst = tw_ldg_nc<f32>(wScale + wScale_at_1);
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const f32 t_10 = ofRows[r] * ofFirst;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        acc[r * 4 + i] = acc[r * 4 + i] + product[r * 4 + i] * t_10;
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      t_6[r] = t_8[r];
      t_7[r] = t_9[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      ofRows[r] = ofRows_2[r];
    }
  }
  const i32 t_BN = (warp >> 1) * 32 + (lane & 7) * 4;
  const i32 position_3 = t_5 + t_BN;
  const i64 bias_at = (i64)t_5 + (i64)t_BN;
  const bool bias_in = (u32)position_3 < (u32)N;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = bias_in ? tw_ldg_nc<tw_f32x4>(bias + bias_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  const i32 y_at = t_BM_1 * N + t_BN;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    tw_bf16 y_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      y_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] + bias_tile[i]);
    }
    if (bias_in && (u32)(position_2 + r * 8) < (u32)M) {
      tw_stg<tw_u32x2>(y + (y_at_1 + (i64)(r * 8 * N)), tw_u32x2{
          tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
    }
  }
}
