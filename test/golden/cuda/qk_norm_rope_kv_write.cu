// qk_norm_rope_kv_write for cuda sm_80, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BH=8 OFFSET=1
// dims fixed: D=24 D2=8 PAGE=4
// dims divisible: HT%8 P%2 HQ%4 HKV%2
// 32 threads in 1 warps of 32, 0 bytes of shared memory

TW_KERNEL(32) qk_norm_rope_kv_write(
    const tw_bf16* qkv, const tw_bf16* w, const i32* positions, const f32* cosSin, const i32* slots,
    tw_bf16* q, tw_bf16* kCache, tw_bf16* vCache, i32 N, i32 HT, i32 P, i32 HQ, i32 NB, i32 HKV,
    f32 kScale, f32 vScale, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 queryBlocks = (HQ + 7) >> 3;
  const i64 positions_at = (i64)pid0;
  i32 position;
  position = tw_ldg_nc<i32>(positions + positions_at);
  const i32 t_D2 = (lane & 3) * 2;
  const i64 cosSin_at = (i64)position * 16ll + (i64)t_D2;
  const bool cosSin_in = (u32)position < (u32)P;
  f32 cos[2];
  const tw_f32x2 cos_vec = cosSin_in ? tw_ldg_nc<tw_f32x2>(cosSin + cosSin_at) : tw_f32x2{0.0f, 0.0f};
  cos[0] = cos_vec.x; cos[1] = cos_vec.y;
  f32 sin[2];
  const tw_f32x2 sin_vec = cosSin_in ? tw_ldg_nc<tw_f32x2>(cosSin + (cosSin_at + 8ll)) : tw_f32x2{0.0f, 0.0f};
  sin[0] = sin_vec.x; sin[1] = sin_vec.y;
  const bool t = pid1 < queryBlocks;
  const i32 stride = HT * 24;
  if (t) {
    const i32 t_1 = pid1 * 8;
    const i32 bound = tw_min_i32(HQ, HT);
    const i64 qkv_at = (i64)t_D2 + (i64)pid0 * (i64)stride + (i64)t_1 * 24ll;
    const bool qkv_in = pid0 < N;
    tw_bf16 qkv_tile[16];
    const i32 left = bound - t_1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const u32 qkv_tile_vec = qkv_in && r < left ? tw_ldg_nc<u32>(qkv + (qkv_at + (i64)(r * 24))) : 0u;
      qkv_tile[r * 2] = tw_u16x2_lo(qkv_tile_vec); qkv_tile[r * 2 + 1] = tw_u16x2_hi(qkv_tile_vec);
    }
    f32 a[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      a[r] = tw_bf16_to_f32(qkv_tile[r]);
    }
    tw_bf16 qkv_tile_1[16];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const u32 qkv_tile_1_vec = qkv_in && r < left ? tw_ldg_nc<u32>(qkv + (qkv_at + 8ll + (i64)(r * 24))) : 0u;
      qkv_tile_1[r * 2] = tw_u16x2_lo(qkv_tile_1_vec);
      qkv_tile_1[r * 2 + 1] = tw_u16x2_hi(qkv_tile_1_vec);
    }
    f32 b[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      b[r] = tw_bf16_to_f32(qkv_tile_1[r]);
    }
    f32 square[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      square[r] = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        square[r] = square[r] + (a[r * 2 + i] * a[r * 2 + i] + b[r * 2 + i] * b[r * 2 + i]);
      }
    }
    f32 other;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      other = tw_shfl_xor<f32>(square[r], 1);
      square[r] = square[r] + other;
      other = tw_shfl_xor<f32>(square[r], 2);
      square[r] = square[r] + other;
    }
    const i64 qkv_at_1 = (i64)pid0 * (i64)stride + (i64)t_1 * 24ll;
    tw_bf16 qkv_tile_2[64];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        qkv_tile_2[r * 8 + i] = qkv_in && i < left ? tw_ldg_nc<u16>(qkv + (qkv_at_1 + 16ll + (i64)(i * 24 + r))) : (u16)0;
      }
    }
    f32 c[64];
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      c[r] = tw_bf16_to_f32(qkv_tile_2[r]);
    }
    f32 sum[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        sum[i] = sum[i] + c[r * 8 + i] * c[r * 8 + i];
      }
    }
    f32 scale[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      scale[r] = tw_rsqrt((square[r] + sum[r]) / 24.0f + eps);
    }
    tw_bf16 w_tile[2];
    const u32 w_tile_vec = tw_ldg_nc<u32>(w + t_D2);
    w_tile[0] = tw_u16x2_lo(w_tile_vec); w_tile[1] = tw_u16x2_hi(w_tile_vec);
    f32 t_2[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      t_2[r] = tw_bf16_to_f32(w_tile[r]) + 1.0f;
    }
    f32 x[16];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        x[r * 2 + i] = a[r * 2 + i] * scale[r] * t_2[i];
      }
    }
    tw_bf16 w_tile_1[2];
    const u32 w_tile_1_vec = tw_ldg_nc<u32>(w + (t_D2 + 8));
    w_tile_1[0] = tw_u16x2_lo(w_tile_1_vec); w_tile_1[1] = tw_u16x2_hi(w_tile_1_vec);
    f32 t_3[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      t_3[r] = tw_bf16_to_f32(w_tile_1[r]) + 1.0f;
    }
    f32 y[16];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        y[r * 2 + i] = b[r * 2 + i] * scale[r] * t_3[i];
      }
    }
    const i32 stride_1 = HQ * 24;
    const i64 q_at = (i64)t_D2 + (i64)pid0 * (i64)stride_1 + (i64)t_1 * 24ll;
    const bool is_first = thread < 4;
    const i32 left_1 = HQ - t_1;
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_bf16 q_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          q_tile[i] = tw_f32_to_bf16(x[r * 2 + i] * cos[i] - y[r * 2 + i] * sin[i]);
        }
        if (qkv_in && r < left_1) {
          tw_stg<u32>(q + (q_at + (i64)(r * 24)), tw_pack_u16x2(q_tile[0], q_tile[1]));
        }
      }
    }
    tw_syncthreads();
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_bf16 q_tile_1[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          q_tile_1[i] = tw_f32_to_bf16(y[r * 2 + i] * cos[i] + x[r * 2 + i] * sin[i]);
        }
        if (qkv_in && r < left_1) {
          tw_stg<u32>(q + (q_at + 8ll + (i64)(r * 24)), tw_pack_u16x2(q_tile_1[0], q_tile_1[1]));
        }
      }
    }
    tw_bf16 w_tile_2[8];
    const tw_u32x4 w_tile_2_vec = tw_ldg_nc<tw_u32x4>(w + 16);
    w_tile_2[0] = tw_u16x2_lo(w_tile_2_vec.x); w_tile_2[1] = tw_u16x2_hi(w_tile_2_vec.x);
    w_tile_2[2] = tw_u16x2_lo(w_tile_2_vec.y); w_tile_2[3] = tw_u16x2_hi(w_tile_2_vec.y);
    w_tile_2[4] = tw_u16x2_lo(w_tile_2_vec.z); w_tile_2[5] = tw_u16x2_hi(w_tile_2_vec.z);
    w_tile_2[6] = tw_u16x2_lo(w_tile_2_vec.w); w_tile_2[7] = tw_u16x2_hi(w_tile_2_vec.w);
    f32 weight[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      weight[r] = tw_bf16_to_f32(w_tile_2[r]) + 1.0f;
    }
    tw_syncthreads();
    const i64 q_at_1 = (i64)pid0 * (i64)stride_1 + (i64)t_1 * 24ll;
    const bool is_first_1 = lane == 0;
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 8; ++i) {
          const tw_bf16 q_tile_2 = tw_f32_to_bf16(c[r * 8 + i] * scale[i] * weight[r]);
          if (qkv_in && i < left_1) {
            tw_stg<u16>(q + (q_at_1 + 16ll + (i64)(i * 24 + r)), q_tile_2);
          }
        }
      }
    }
  } else {
    i32 slot;
    slot = tw_ldg_nc<i32>(slots + positions_at);
    const bool t_4 = slot >= 0;
    if (t_4) {
      const i32 head = (pid1 - queryBlocks) * 8;
      const i32 page = slot >> 2;
      const i32 offset = slot & 3;
      const i32 t_5 = HQ + head;
      const i32 t_6 = HQ + HKV;
      const i32 t_BH = lane >> 2;
      const i32 bound_1 = tw_min_i32(t_6, HT);
      const i32 position_1 = t_5 + t_BH;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 qkv_at_2 = t_D2 + t_BH * 24;
      const i64 qkv_at_3 = (i64)pid0 * (i64)stride + (i64)t_5 * 24ll + (i64)qkv_at_2;
      const bool qkv_in_1 = pid0 < N && (u32)position_1 < (u32)bound_2;
      tw_bf16 qkv_tile_3[2];
      const u32 qkv_tile_3_vec = qkv_in_1 ? tw_ldg_nc<u32>(qkv + qkv_at_3) : 0u;
      qkv_tile_3[0] = tw_u16x2_lo(qkv_tile_3_vec); qkv_tile_3[1] = tw_u16x2_hi(qkv_tile_3_vec);
      f32 a_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        a_1[r] = tw_bf16_to_f32(qkv_tile_3[r]);
      }
      tw_bf16 qkv_tile_4[2];
      const u32 qkv_tile_4_vec = qkv_in_1 ? tw_ldg_nc<u32>(qkv + (qkv_at_3 + 8ll)) : 0u;
      qkv_tile_4[0] = tw_u16x2_lo(qkv_tile_4_vec); qkv_tile_4[1] = tw_u16x2_hi(qkv_tile_4_vec);
      f32 b_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        b_1[r] = tw_bf16_to_f32(qkv_tile_4[r]);
      }
      f32 square_1 = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        square_1 = square_1 + (a_1[r] * a_1[r] + b_1[r] * b_1[r]);
      }
      f32 other_1;
      other_1 = tw_shfl_xor<f32>(square_1, 1);
      square_1 = square_1 + other_1;
      other_1 = tw_shfl_xor<f32>(square_1, 2);
      square_1 = square_1 + other_1;
      const i32 qkv_at_4 = t_BH * 24;
      const i64 qkv_at_5 = (i64)pid0 * (i64)stride + (i64)t_5 * 24ll + (i64)qkv_at_4;
      tw_bf16 qkv_tile_5[8];
      const tw_u32x4 qkv_tile_5_vec = qkv_in_1 ? tw_ldg_nc<tw_u32x4>(qkv + (qkv_at_5 + 16ll)) : tw_u32x4{0u, 0u, 0u, 0u};
      qkv_tile_5[0] = tw_u16x2_lo(qkv_tile_5_vec.x); qkv_tile_5[1] = tw_u16x2_hi(qkv_tile_5_vec.x);
      qkv_tile_5[2] = tw_u16x2_lo(qkv_tile_5_vec.y); qkv_tile_5[3] = tw_u16x2_hi(qkv_tile_5_vec.y);
      qkv_tile_5[4] = tw_u16x2_lo(qkv_tile_5_vec.z); qkv_tile_5[5] = tw_u16x2_hi(qkv_tile_5_vec.z);
      qkv_tile_5[6] = tw_u16x2_lo(qkv_tile_5_vec.w); qkv_tile_5[7] = tw_u16x2_hi(qkv_tile_5_vec.w);
      f32 c_1[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        c_1[r] = tw_bf16_to_f32(qkv_tile_5[r]);
      }
      f32 sum_1 = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        sum_1 = sum_1 + c_1[r] * c_1[r];
      }
      const f32 scale_1 = tw_rsqrt((square_1 + sum_1) / 24.0f + eps);
      tw_bf16 w_tile_3[2];
      const u32 w_tile_3_vec = tw_ldg_nc<u32>(w + (t_D2 + 24));
      w_tile_3[0] = tw_u16x2_lo(w_tile_3_vec); w_tile_3[1] = tw_u16x2_hi(w_tile_3_vec);
      f32 x_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        x_1[r] = a_1[r] * scale_1 * (tw_bf16_to_f32(w_tile_3[r]) + 1.0f);
      }
      tw_bf16 w_tile_4[2];
      const u32 w_tile_4_vec = tw_ldg_nc<u32>(w + (t_D2 + 32));
      w_tile_4[0] = tw_u16x2_lo(w_tile_4_vec); w_tile_4[1] = tw_u16x2_hi(w_tile_4_vec);
      f32 y_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        y_1[r] = b_1[r] * scale_1 * (tw_bf16_to_f32(w_tile_4[r]) + 1.0f);
      }
      const i32 stride_2 = HKV * 96;
      const i32 stride_3 = HKV * 24;
      const i32 position_2 = head + t_BH;
      const i64 kCache_at = (i64)page * (i64)stride_2 + (i64)offset * (i64)stride_3 + (i64)head * 24ll + (i64)qkv_at_2;
      const bool kCache_in = (u32)page < (u32)NB && (u32)position_2 < (u32)HKV;
      tw_bf16 kCache_tile[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        kCache_tile[r] = tw_f32_to_bf16(x_1[r] * cos[r] - y_1[r] * sin[r]);
      }
      if (kCache_in) {
        tw_stg<u32>(kCache + kCache_at, tw_pack_u16x2(kCache_tile[0], kCache_tile[1]));
      }
      tw_syncthreads();
      tw_bf16 kCache_tile_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        kCache_tile_1[r] = tw_f32_to_bf16(y_1[r] * cos[r] + x_1[r] * sin[r]);
      }
      if (kCache_in) {
        tw_stg<u32>(kCache + (kCache_at + 8ll), tw_pack_u16x2(kCache_tile_1[0], kCache_tile_1[1]));
      }
      tw_bf16 w_tile_5[8];
      const tw_u32x4 w_tile_5_vec = tw_ldg_nc<tw_u32x4>(w + 40);
      w_tile_5[0] = tw_u16x2_lo(w_tile_5_vec.x); w_tile_5[1] = tw_u16x2_hi(w_tile_5_vec.x);
      w_tile_5[2] = tw_u16x2_lo(w_tile_5_vec.y); w_tile_5[3] = tw_u16x2_hi(w_tile_5_vec.y);
      w_tile_5[4] = tw_u16x2_lo(w_tile_5_vec.z); w_tile_5[5] = tw_u16x2_hi(w_tile_5_vec.z);
      w_tile_5[6] = tw_u16x2_lo(w_tile_5_vec.w); w_tile_5[7] = tw_u16x2_hi(w_tile_5_vec.w);
      tw_syncthreads();
      const i64 kCache_at_1 = (i64)page * (i64)stride_2 + (i64)offset * (i64)stride_3 + (i64)head * 24ll + (i64)qkv_at_4;
      const bool is_first_2 = (lane & 3) == 0;
      if (is_first_2) {
        tw_bf16 kCache_tile_2[8];
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          kCache_tile_2[r] = tw_f32_to_bf16(c_1[r] * scale_1 * (tw_bf16_to_f32(w_tile_5[r]) + 1.0f));
        }
        if (kCache_in) {
          tw_stg<tw_u32x4>(kCache + (kCache_at_1 + 16ll), tw_u32x4{
              tw_pack_u16x2(kCache_tile_2[0], kCache_tile_2[1]),
              tw_pack_u16x2(kCache_tile_2[2], kCache_tile_2[3]),
              tw_pack_u16x2(kCache_tile_2[4], kCache_tile_2[5]),
              tw_pack_u16x2(kCache_tile_2[6], kCache_tile_2[7])});
        }
      }
      const i32 t_7 = t_6 + head;
      const i32 t_BH_1 = (lane >> 1) & 7;
      const i32 t_8 = HQ + HKV * 2;
      const i32 bound_3 = tw_min_i32(t_8, HT);
      const i32 position_3 = t_7 + t_BH_1;
      const i32 bound_4 = tw_max_i32(bound_3, 0);
      const i32 t_D = (lane & 1) * 4;
      const i32 qkv_at_6 = t_BH_1 * 24 + t_D;
      const i64 qkv_at_7 = (i64)pid0 * (i64)stride + (i64)t_7 * 24ll + (i64)qkv_at_6;
      const bool qkv_in_2 = pid0 < N && (u32)position_3 < (u32)bound_4;
      tw_bf16 values[12];
      #pragma unroll
      for (i32 r = 0; r < 3; ++r) {
        const tw_u32x2 values_vec = qkv_in_2 ? tw_ldg_nc<tw_u32x2>(qkv + (qkv_at_7 + (i64)(r * 8))) : tw_u32x2{0u, 0u};
        values[r * 4] = tw_u16x2_lo(values_vec.x); values[r * 4 + 1] = tw_u16x2_hi(values_vec.x);
        values[r * 4 + 2] = tw_u16x2_lo(values_vec.y);
        values[r * 4 + 3] = tw_u16x2_hi(values_vec.y);
      }
      const i32 position_4 = head + t_BH_1;
      const i64 vCache_at = (i64)page * (i64)stride_2 + (i64)offset * (i64)stride_3 + (i64)head * 24ll + (i64)qkv_at_6;
      const bool vCache_in = (u32)page < (u32)NB && (u32)position_4 < (u32)HKV;
      const bool is_first_3 = thread < 16;
      if (is_first_3) {
        #pragma unroll
        for (i32 r = 0; r < 3; ++r) {
          if (vCache_in) {
            tw_stg<tw_u32x2>(vCache + (vCache_at + (i64)(r * 8)), tw_u32x2{
                tw_pack_u16x2(values[r * 4], values[r * 4 + 1]),
                tw_pack_u16x2(values[r * 4 + 2], values[r * 4 + 3])});
          }
        }
      }
    }
  }
}
