// moe_gemm_scaled for cuda sm_80, made by tilewright
// dtypes: Q=f8e4m3 O=bf16
// config: BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=1 G=2 B=0 BM=16
// dims divisible: E%4 N%8 S%2
// 64 threads in 2 warps of 32, 20480 bytes of shared memory
//       0 … 16384: t62_shared f32[4096]
//       0 … 16384: t64_shared f32[4096]
//   16384 … 20480: a_shared f32[1024]

TW_KERNEL(64) moe_gemm_scaled(
    const tw_f8e4m3* x, const f32* xScale, const tw_f8e4m3* w, const f32* scale,
    const tw_bf16* bias, const i32* rows, const i32* expertOf, tw_bf16* y, i32 R, i32 E, i32 N,
    i32 PB, i32 S) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a_shared = smem + 16384u;
  tw_label(a_shared, 4096u, "a_shared");
  const u32 t62_shared = smem;
  tw_label(t62_shared, 16384u, "t62_shared");
  const u32 t64_shared = smem;
  tw_label(t64_shared, 16384u, "t64_shared");
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
    const i32 t_BM = lane >> 3;
    const i64 rows_at = (i64)t_4 * 16ll + (i64)t_BM;
    const bool rows_in = (u32)t_4 < (u32)PB;
    i32 slots[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      slots[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at + (i64)(r * 4))) : 0;
    }
    const i32 t_7 = tw_floordiv_i32(S, R);
    const i32 t_8 = t_5 * 64;
    const i32 t_BM_1 = thread >> 2;
    const i64 rows_at_1 = (i64)t_4 * 16ll + (i64)t_BM_1;
    i32 slots_1;
    slots_1 = rows_in ? tw_ldg_nc<i32>(rows + rows_at_1) : 0;
    const i32 from = tw_floordiv_i32(slots_1, t_7);
    const bool more = true;
    tw_f8e4m3 a[16];
    tw_f8e4m3 t_9[64];
    tw_f8e4m3 t_10[64];
    const i32 t_BK = (lane & 3) * 16;
    const i64 x_at = (i64)from * 192ll + (i64)t_BK;
    const bool x_in = (u32)from < (u32)R;
    const i32 stride = N * 384;
    const i32 stride_1 = N * 192;
    const i32 w_at = t_BM_1 * 192 + t_BK;
    const i32 position = t_8 + t_BM_1;
    if (more) {
      tw_f8e4m3 a_1[16];
      const tw_u32x4 a_1_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at) : tw_u32x4{0u, 0u, 0u, 0u};
      a_1[0] = tw_byte(a_1_vec.x, 0u); a_1[1] = tw_byte(a_1_vec.x, 1u);
      a_1[2] = tw_byte(a_1_vec.x, 2u); a_1[3] = tw_byte(a_1_vec.x, 3u);
      a_1[4] = tw_byte(a_1_vec.y, 0u); a_1[5] = tw_byte(a_1_vec.y, 1u);
      a_1[6] = tw_byte(a_1_vec.y, 2u); a_1[7] = tw_byte(a_1_vec.y, 3u);
      a_1[8] = tw_byte(a_1_vec.z, 0u); a_1[9] = tw_byte(a_1_vec.z, 1u);
      a_1[10] = tw_byte(a_1_vec.z, 2u); a_1[11] = tw_byte(a_1_vec.z, 3u);
      a_1[12] = tw_byte(a_1_vec.w, 0u); a_1[13] = tw_byte(a_1_vec.w, 1u);
      a_1[14] = tw_byte(a_1_vec.w, 2u); a_1[15] = tw_byte(a_1_vec.w, 3u);
      const i64 w_at_1 = (i64)t_8 * 192ll + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in = (u32)e < (u32)E;
      tw_f8e4m3 w_tile[64];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 w_tile_vec = w_in && (u32)(position + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 + (i64)(r * 3072))) : tw_u32x4{0u, 0u, 0u, 0u};
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
      const i64 w_at_2 = (i64)t_8 * 192ll + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      tw_f8e4m3 w_tile_1[64];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 w_tile_1_vec = w_in && (u32)(position + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_2 + (i64)(r * 3072))) : tw_u32x4{0u, 0u, 0u, 0u};
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
      for (i32 r = 0; r < 16; ++r) {
        a[r] = a_1[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_9[r] = w_tile[r];
        t_10[r] = w_tile_1[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_9[r] = 0;
        t_10[r] = 0;
      }
    }
    f32 acc[16];
    f32 up[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      acc[r] = 0.0f;
      up[r] = 0.0f;
    }
    const i64 w_at_3 = (i64)e * (i64)stride + (i64)t_8 * 192ll + (i64)w_at;
    const bool w_in_1 = (u32)e < (u32)E;
    const i64 w_at_4 = (i64)e * (i64)stride + (i64)stride_1 + (i64)t_8 * 192ll + (i64)w_at;
    const i32 a_shared_at = (lane & 3) * 16 + (thread >> 2) * 64;
    const i32 swizzled = a_shared_at ^ ((a_shared_at >> 4) & 28);
    const i32 swizzled_1 = a_shared_at ^ ((a_shared_at >> 6) & 28);
    const i32 a_shared_at_1 = (lane >> 3) * 64;
    const i32 t62_shared_at = (lane & 7) * 256 + warp * 2048;
    const i32 swizzled_2 = a_shared_at_1 ^ ((a_shared_at_1 >> 4) & 28);
    const i32 swizzled_3 = t62_shared_at ^ ((t62_shared_at >> 6) & 28);
    for (i32 k = 0; k < 192; k += 64) {
      const i32 k_1 = k + 64;
      const bool more_1 = k_1 < 192;
      tw_f8e4m3 a_2[16];
      tw_f8e4m3 t_11[64];
      tw_f8e4m3 t_12[64];
      if (more_1) {
        const i32 left = 192 - k_1;
        const i64 x_at_1 = x_at + (i64)k_1;
        const bool x_in_1 = x_in && t_BK < left;
        tw_f8e4m3 a_3[16];
        const tw_u32x4 a_3_vec = x_in_1 ? tw_ldg_nc<tw_u32x4>(x + x_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
        a_3[0] = tw_byte(a_3_vec.x, 0u); a_3[1] = tw_byte(a_3_vec.x, 1u);
        a_3[2] = tw_byte(a_3_vec.x, 2u); a_3[3] = tw_byte(a_3_vec.x, 3u);
        a_3[4] = tw_byte(a_3_vec.y, 0u); a_3[5] = tw_byte(a_3_vec.y, 1u);
        a_3[6] = tw_byte(a_3_vec.y, 2u); a_3[7] = tw_byte(a_3_vec.y, 3u);
        a_3[8] = tw_byte(a_3_vec.z, 0u); a_3[9] = tw_byte(a_3_vec.z, 1u);
        a_3[10] = tw_byte(a_3_vec.z, 2u); a_3[11] = tw_byte(a_3_vec.z, 3u);
        a_3[12] = tw_byte(a_3_vec.w, 0u); a_3[13] = tw_byte(a_3_vec.w, 1u);
        a_3[14] = tw_byte(a_3_vec.w, 2u); a_3[15] = tw_byte(a_3_vec.w, 3u);
        const i64 w_at_5 = w_at_3 + (i64)k_1;
        const bool w_in_2 = w_in_1 && t_BK < left;
        tw_f8e4m3 w_tile_2[64];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          const tw_u32x4 w_tile_2_vec = w_in_2 && (u32)(position + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_5 + (i64)(r * 3072))) : tw_u32x4{0u, 0u, 0u, 0u};
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
        const i64 w_at_6 = w_at_4 + (i64)k_1;
        tw_f8e4m3 w_tile_3[64];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          const tw_u32x4 w_tile_3_vec = w_in_2 && (u32)(position + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_6 + (i64)(r * 3072))) : tw_u32x4{0u, 0u, 0u, 0u};
          w_tile_3[r * 16] = tw_byte(w_tile_3_vec.x, 0u);
          w_tile_3[r * 16 + 1] = tw_byte(w_tile_3_vec.x, 1u);
          w_tile_3[r * 16 + 2] = tw_byte(w_tile_3_vec.x, 2u);
          w_tile_3[r * 16 + 3] = tw_byte(w_tile_3_vec.x, 3u);
          w_tile_3[r * 16 + 4] = tw_byte(w_tile_3_vec.y, 0u);
          w_tile_3[r * 16 + 5] = tw_byte(w_tile_3_vec.y, 1u);
          w_tile_3[r * 16 + 6] = tw_byte(w_tile_3_vec.y, 2u);
          w_tile_3[r * 16 + 7] = tw_byte(w_tile_3_vec.y, 3u);
          w_tile_3[r * 16 + 8] = tw_byte(w_tile_3_vec.z, 0u);
          w_tile_3[r * 16 + 9] = tw_byte(w_tile_3_vec.z, 1u);
          w_tile_3[r * 16 + 10] = tw_byte(w_tile_3_vec.z, 2u);
          w_tile_3[r * 16 + 11] = tw_byte(w_tile_3_vec.z, 3u);
          w_tile_3[r * 16 + 12] = tw_byte(w_tile_3_vec.w, 0u);
          w_tile_3[r * 16 + 13] = tw_byte(w_tile_3_vec.w, 1u);
          w_tile_3[r * 16 + 14] = tw_byte(w_tile_3_vec.w, 2u);
          w_tile_3[r * 16 + 15] = tw_byte(w_tile_3_vec.w, 3u);
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          a_2[r] = a_3[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 64; ++r) {
          t_11[r] = w_tile_2[r];
          t_12[r] = w_tile_3[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          a_2[r] = 0;
        }
        #pragma unroll
        for (i32 r = 0; r < 64; ++r) {
          t_11[r] = 0;
          t_12[r] = 0;
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        f32 a_4[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          a_4[i] = tw_f8e4m3_to_f32(a[r * 4 + i]);
        }
        tw_sts<tw_f32x4>(
            a_shared + (u32)(swizzled ^ (r * 4)) * 4u, tw_f32x4{a_4[0], a_4[1], a_4[2], a_4[3]});
      }
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          f32 t62_shared_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            t62_shared_tile[j] = tw_f8e4m3_to_f32(t_9[r * 16 + i * 4 + j]);
          }
          tw_sts<tw_f32x4>(
              t62_shared + (u32)((swizzled_1 ^ (i * 4)) ^ ((r * 1024) ^ (((r * 1024) >> 6) & 28))) * 4u,
              tw_f32x4{t62_shared_tile[0], t62_shared_tile[1], t62_shared_tile[2], t62_shared_tile[3]});
        }
      }
      tw_syncthreads();
      for (i32 r = 0; r < 16; ++r) {
        f32 a_shared_1[16];
        f32 t62_shared_1[16];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 a_shared_1_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) ^ ((i * 256) ^ (((i * 256) >> 4) & 28))) * 4u);
          a_shared_1[i * 4] = a_shared_1_vec.x; a_shared_1[i * 4 + 1] = a_shared_1_vec.y;
          a_shared_1[i * 4 + 2] = a_shared_1_vec.z; a_shared_1[i * 4 + 3] = a_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t62_shared_1_vec = tw_lds<tw_f32x4>(t62_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 64) * 4u);
          t62_shared_1[i * 4] = t62_shared_1_vec.x; t62_shared_1[i * 4 + 1] = t62_shared_1_vec.y;
          t62_shared_1[i * 4 + 2] = t62_shared_1_vec.z;
          t62_shared_1[i * 4 + 3] = t62_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 l = 0; l < 4; ++l) {
              acc[j * 4 + l] = tw_fma(
                  a_shared_1[j * 4 + i], t62_shared_1[l * 4 + i], acc[j * 4 + l]);
            }
          }
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          f32 t64_shared_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            t64_shared_tile[j] = tw_f8e4m3_to_f32(t_10[r * 16 + i * 4 + j]);
          }
          tw_sts<tw_f32x4>(
              t64_shared + (u32)((swizzled_1 ^ (i * 4)) ^ ((r * 1024) ^ (((r * 1024) >> 6) & 28))) * 4u,
              tw_f32x4{t64_shared_tile[0], t64_shared_tile[1], t64_shared_tile[2], t64_shared_tile[3]});
        }
      }
      tw_syncthreads();
      for (i32 r = 0; r < 16; ++r) {
        f32 a_shared_2[16];
        f32 t64_shared_1[16];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 a_shared_2_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) ^ ((i * 256) ^ (((i * 256) >> 4) & 28))) * 4u);
          a_shared_2[i * 4] = a_shared_2_vec.x; a_shared_2[i * 4 + 1] = a_shared_2_vec.y;
          a_shared_2[i * 4 + 2] = a_shared_2_vec.z; a_shared_2[i * 4 + 3] = a_shared_2_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t64_shared_1_vec = tw_lds<tw_f32x4>(t64_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 64) * 4u);
          t64_shared_1[i * 4] = t64_shared_1_vec.x; t64_shared_1[i * 4 + 1] = t64_shared_1_vec.y;
          t64_shared_1[i * 4 + 2] = t64_shared_1_vec.z;
          t64_shared_1[i * 4 + 3] = t64_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 l = 0; l < 4; ++l) {
              up[j * 4 + l] = tw_fma(a_shared_2[j * 4 + i], t64_shared_1[l * 4 + i], up[j * 4 + l]);
            }
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a[r] = a_2[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_9[r] = t_11[r];
        t_10[r] = t_12[r];
      }
    }
    i32 from_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      from_1[r] = tw_floordiv_i32(slots[r], t_7);
    }
    f32 xScale_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      xScale_tile[r] = (u32)from_1[r] < (u32)R ? tw_ldg_nc<f32>(xScale + (i64)from_1[r]) : 0.0f;
    }
    const i32 stride_2 = N * 2;
    const i32 t_BN = warp * 32 + (lane & 7) * 4;
    const i32 position_1 = t_8 + t_BN;
    const i64 scale_at = (i64)e * (i64)stride_2 + (i64)t_8 + (i64)t_BN;
    const bool scale_in = (u32)e < (u32)E && (u32)position_1 < (u32)N;
    f32 scale_tile[4];
    const tw_f32x4 scale_tile_vec = scale_in ? tw_ldg_nc<tw_f32x4>(scale + scale_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    scale_tile[0] = scale_tile_vec.x; scale_tile[1] = scale_tile_vec.y;
    scale_tile[2] = scale_tile_vec.z; scale_tile[3] = scale_tile_vec.w;
    f32 t_13[16];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        t_13[r * 4 + i] = acc[r * 4 + i] * xScale_tile[r] * scale_tile[i];
      }
    }
    const i64 scale_at_1 = (i64)N + (i64)e * (i64)stride_2 + (i64)t_8 + (i64)t_BN;
    f32 scale_tile_1[4];
    const tw_f32x4 scale_tile_1_vec = scale_in ? tw_ldg_nc<tw_f32x4>(scale + scale_at_1) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    scale_tile_1[0] = scale_tile_1_vec.x; scale_tile_1[1] = scale_tile_1_vec.y;
    scale_tile_1[2] = scale_tile_1_vec.z; scale_tile_1[3] = scale_tile_1_vec.w;
    const i64 y_at = (i64)t_8 + (i64)t_BN;
    const bool y_in = (u32)position_1 < (u32)N;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_bf16 y_tile[4];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        y_tile[i] = tw_f32_to_bf16(t_13[r * 4 + i] / (1.0f + tw_exp(-t_13[r * 4 + i])) * (up[r * 4 + i] * xScale_tile[r] * scale_tile_1[i]));
      }
      if (y_in && (u32)slots[r] < (u32)S) {
        tw_stg<tw_u32x2>(y + (y_at + (i64)slots[r] * (i64)N), tw_u32x2{
            tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
      }
    }
  }
}
