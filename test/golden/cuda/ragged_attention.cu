// ragged_attention for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=24 stages=2 heads=0
// dims fixed: D=96 DV=64
// dims divisible: N%16 HQ%2
// 128 threads in 4 warps of 32, 26624 bytes of shared memory
//       0 … 13280: kt bf16[6640]
//   13312 … 21504: vt bf16[4096]
//   21504 … 24816: qt bf16[1656]
//   24832 … 25088: t52_parts f32[64]
//   25088 … 25344: t79_parts f32[64]
//   25600 … 26624: t125_shared bf16[512]

TW_KERNEL(128) ragged_attention(
    const tw_bf16* q, const tw_bf16* k, const tw_bf16* v, const i32* blocks, tw_bf16* o, i32 N,
    i32 HQ, i32 C, i32 H, i32 B, f32 scale, i32 firstHead) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 21504u;
  tw_label(qt, 3312u, "qt");
  const u32 kt = smem;
  tw_label(kt, 13280u, "kt");
  const u32 t52_parts = smem + 24832u;
  tw_label(t52_parts, 256u, "t52_parts");
  const u32 t79_parts = smem + 25088u;
  tw_label(t79_parts, 256u, "t79_parts");
  const u32 t125_shared = smem + 25600u;
  tw_label(t125_shared, 1024u, "t125_shared");
  const u32 vt = smem + 13312u;
  tw_label(vt, 8192u, "vt");
  const i64 blocks_at = (i64)pid1 * 6ll;
  i32 start;
  start = tw_ldg_nc<i32>(blocks + blocks_at);
  i32 row;
  row = tw_ldg_nc<i32>(blocks + (blocks_at + 1ll));
  i32 rowEnd;
  rowEnd = tw_ldg_nc<i32>(blocks + (blocks_at + 2ll));
  i32 p0;
  p0 = tw_ldg_nc<i32>(blocks + (blocks_at + 3ll));
  i32 len;
  len = tw_ldg_nc<i32>(blocks + (blocks_at + 4ll));
  i32 blocks_tile;
  blocks_tile = tw_ldg_nc<i32>(blocks + (blocks_at + 5ll));
  const i32 h = tw_min_i32(blocks_tile + pid0, H - 1);
  const f32 c = scale * 1.442695f;
  const i32 t_BM = lane >> 2;
  i32 qpos[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    qpos[r] = p0 + t_BM + r * 8;
  }
  const i32 t = firstHead + h;
  const i32 stride = HQ * 96;
  const i32 t_BM_1 = (thread >> 2) & 15;
  const i32 bound = tw_min_i32(rowEnd, N);
  const i32 position = row + t_BM_1;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 t_D = (lane & 3) * 8;
  const i32 q_at = t_BM_1 * stride + t_D;
  const i64 q_at_1 = (i64)row * (i64)stride + (i64)t * 96ll + (i64)q_at;
  const bool q_in = (u32)position < (u32)bound_1 && (u32)t < (u32)HQ;
  const i32 qt_at = (lane & 3) * 8 + ((thread >> 2) & 15) * 104;
  const bool is_first = thread < 64;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 3; ++r) {
      tw_cp_async_16_zfill(
          qt + (u32)(qt_at + r * 32) * 2u, q + (q_at_1 + (i64)(r * 32)), q_in ? 16u : 0u);
    }
  }
  const i32 t_1 = tw_max_i32(tw_min_i32(len, p0 + 16), 1);
  const i32 t_2 = start + len;
  const i32 t_BN = warp * 8 + (lane & 3) * 2;
  bool inside[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    inside[r] = t_BN + r < 24;
  }
  const bool more = 0 < t_1;
  const i32 stride_1 = H * 96;
  const i32 t_BN_1 = thread >> 2;
  const bool v_in = (u32)h < (u32)H;
  const i32 kt_at = (lane & 3) * 8 + (thread >> 2) * 104;
  const i32 stride_2 = H * 64;
  const i32 t_BN_2 = thread >> 3;
  const i32 t_DV = (lane & 7) * 8;
  const i32 v_at = t_BN_2 * stride_2 + t_DV;
  const i32 vt_at = (lane & 7) * 8 + (thread >> 3) * 64;
  const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
  if (more) {
    const i32 end = tw_min_i32(t_2, start + 24);
    const i32 bound_2 = tw_min_i32(end, C);
    const i32 position_1 = start + t_BN_1;
    const i32 bound_3 = tw_max_i32(bound_2, 0);
    const i32 k_at = t_D + t_BN_1 * stride_1;
    const i64 k_at_1 = (i64)h * 96ll + (i64)start * (i64)stride_1 + (i64)k_at;
    const bool k_in = (u32)position_1 < (u32)bound_3 && (u32)h < (u32)H;
    #pragma unroll
    for (i32 r = 0; r < 3; ++r) {
      tw_cp_async_16_zfill(
          kt + (u32)(kt_at + r * 32) * 2u, k + (k_at_1 + (i64)(r * 32)), k_in ? 16u : 0u);
    }
    const i64 v_at_1 = (i64)h * 64ll + (i64)start * (i64)stride_2 + (i64)v_at;
    const i32 position_2 = start + t_BN_2;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_cp_async_16_zfill(
          vt + (u32)(swizzled + r * 1024) * 2u, v + (v_at_1 + (i64)(r * 16 * stride_2)),
          v_in && (u32)(position_2 + r * 16) < (u32)bound_3 ? 16u : 0u);
    }
  }
  tw_cp_async_commit();
  f32 m[2];
  f32 l[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    m[r] = -1e+30f;
    l[r] = 0.0f;
  }
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  i32 slot = 0;
  i32 fill = 1;
  const i32 k_at_2 = t_BN_1 * stride_1 + t_D;
  const i64 k_at_3 = (i64)h * 96ll + (i64)k_at_2;
  const i64 v_at_2 = (i64)h * 64ll + (i64)v_at;
  const i32 qt_at_1 = (lane & 7) * 104 + ((lane >> 3) & 1) * 832 + (lane >> 4) * 8;
  const i32 kt_at_1 = (lane & 7) * 104 + ((lane >> 3) & 1) * 8 + warp * 832;
  const bool is_first_1 = (lane & 3) == 0;
  const i32 part_at = warp * 16 + t_BM;
  const i32 t125_shared_at = (lane & 3) * 2 + (lane >> 2) * 32 + warp * 8;
  const i32 swizzled_1 = t125_shared_at ^ ((t125_shared_at >> 3) & 24);
  const i32 t125_shared_at_1 = (lane & 7) * 32 + ((lane >> 3) & 1) * 256 + (lane >> 4) * 8;
  const i32 vt_at_1 = (lane & 7) * 64 + ((lane >> 3) & 1) * 512 + (lane >> 4) * 8 + warp * 16;
  const i32 swizzled_2 = t125_shared_at_1 ^ ((t125_shared_at_1 >> 3) & 24);
  const i32 swizzled_3 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
  for (i32 n = 0; n < t_1; n += 24) {
    tw_cp_async_wait<0>();
    tw_syncthreads();
    const i32 n_1 = n + 24;
    const bool more_1 = n_1 < t_1;
    if (more_1) {
      const i32 t_3 = start + n_1;
      const i32 end_1 = tw_min_i32(t_2, t_3 + 24);
      const i32 bound_4 = tw_min_i32(end_1, C);
      const i32 position_3 = t_3 + t_BN_1;
      const i32 bound_5 = tw_max_i32(bound_4, 0);
      const i64 k_at_4 = k_at_3 + (i64)t_3 * (i64)stride_1;
      const bool k_in_1 = v_in && (u32)position_3 < (u32)bound_5;
      const i32 kt_slot = fill * 3320;
      const i32 kt_at_2 = kt_at + kt_slot;
      #pragma unroll
      for (i32 r = 0; r < 3; ++r) {
        tw_cp_async_16_zfill(
            kt + (u32)(kt_at_2 + r * 32) * 2u, k + (k_at_4 + (i64)(r * 32)), k_in_1 ? 16u : 0u);
      }
      const i64 v_at_3 = v_at_2 + (i64)t_3 * (i64)stride_2;
      const i32 vt_slot = fill * 2048;
      const i32 position_4 = t_3 + t_BN_2;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_cp_async_16_zfill(
            vt + (u32)(swizzled + r * 1024 + vt_slot) * 2u, v + (v_at_3 + (i64)(r * 16 * stride_2)),
            v_in && (u32)(position_4 + r * 16) < (u32)bound_5 ? 16u : 0u);
      }
    }
    tw_cp_async_commit();
    f32 scores[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      scores[r] = 0.0f;
    }
    const i32 kt_slot_1 = slot * 3320;
    const i32 kt_at_3 = kt_at_1 + kt_slot_1;
    #pragma unroll
    for (i32 r = 0; r < 6; ++r) {
      u32 a[4];
      u32 b[2];
      tw_ldmatrix_x4(&a[0], qt + (u32)(qt_at_1 + r * 16) * 2u);
      tw_ldmatrix_x2(&b[0], kt + (u32)(kt_at_3 + r * 16) * 2u);
      tw_mma_m16n8k16_f32_bf16(&scores[0], &a[0], &b[0]);
    }
    i32 kpos[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      kpos[r] = n + t_BN + r;
    }
    f32 masked[4];
    f32 most[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        masked[r * 2 + i] = kpos[i] <= qpos[r] ? scores[r * 2 + i] : tw_bits_f32(0xff800000u);
      }
      most[r] = tw_bits_f32(0xff800000u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        most[r] = tw_max(most[r], inside[i] ? masked[r * 2 + i] : tw_bits_f32(0xff800000u));
      }
    }
    f32 other;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other = tw_shfl_xor<f32>(most[r], 1);
      most[r] = tw_max(most[r], other);
      other = tw_shfl_xor<f32>(most[r], 2);
      most[r] = tw_max(most[r], other);
    }
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t52_parts + (u32)(part_at + r * 8) * 4u, most[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most[r] = tw_lds<f32>(t52_parts + (u32)(t_BM + r * 8) * 4u);
      #pragma unroll
      for (i32 i = 1; i < 4; ++i) {
        f32 other_1;
        other_1 = tw_lds<f32>(t52_parts + (u32)(t_BM + r * 8 + i * 16) * 4u);
        most[r] = tw_max(most[r], other_1);
      }
    }
    f32 top[2];
    bool grew[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      top[r] = tw_max(m[r], most[r]);
      grew[r] = (top[r] - m[r]) * c > 8.0f;
    }
    i32 grew_1 = -2147483647 - 1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      grew_1 = tw_max_i32(grew_1, grew[r] ? 1 : 0);
    }
    i32 other_2;
    other_2 = tw_shfl_xor<i32>(grew_1, 4);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 8);
    grew_1 = tw_max_i32(grew_1, other_2);
    other_2 = tw_shfl_xor<i32>(grew_1, 16);
    grew_1 = tw_max_i32(grew_1, other_2);
    const bool grew_2 = grew_1 != 0;
    f32 t_4[2];
    f32 t_5[2];
    f32 t_6[8];
    if (grew_2) {
      f32 alpha[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 next = grew[r] ? top[r] : m[r];
        alpha[r] = tw_exp2((m[r] - next) * c);
        t_4[r] = next;
        t_5[r] = l[r] * alpha[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t_6[r * 4 + i * 2 + j] = acc[r * 4 + i * 2 + j] * alpha[i];
          }
        }
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_4[r] = m[r];
        t_5[r] = l[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_6[r] = acc[r];
      }
    }
    f32 p[4];
    f32 sum[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const f32 t_7 = t_4[r] * c;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        p[r * 2 + i] = tw_exp2(masked[r * 2 + i] * c - t_7);
      }
      sum[r] = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        sum[r] = sum[r] + (inside[i] ? p[r * 2 + i] : 0.0f);
      }
    }
    f32 other_3;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      other_3 = tw_shfl_xor<f32>(sum[r], 1);
      sum[r] = sum[r] + other_3;
      other_3 = tw_shfl_xor<f32>(sum[r], 2);
      sum[r] = sum[r] + other_3;
    }
    if (is_first_1) {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<f32>(t79_parts + (u32)(part_at + r * 8) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum[r] = tw_lds<f32>(t79_parts + (u32)(t_BM + r * 8) * 4u);
      #pragma unroll
      for (i32 i = 1; i < 4; ++i) {
        f32 other_4;
        other_4 = tw_lds<f32>(t79_parts + (u32)(t_BM + r * 8 + i * 16) * 4u);
        sum[r] = sum[r] + other_4;
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      tw_bf16 t125_shared_tile[2];
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        t125_shared_tile[i] = inside[i] ? tw_f32_to_bf16(p[r * 2 + i]) : 0;
      }
      tw_sts<u32>(
          t125_shared + (u32)(swizzled_1 + r * 256) * 2u,
          tw_pack_u16x2(t125_shared_tile[0], t125_shared_tile[1]));
    }
    tw_syncthreads();
    const i32 vt_slot_1 = slot * 2048;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[4];
      u32 b_1[4];
      tw_ldmatrix_x4(&a_1[0], t125_shared + (u32)(swizzled_2 ^ (r * 16)) * 2u);
      tw_ldmatrix_x4_trans(&b_1[0], vt + (u32)(swizzled_3 + r * 1024 + vt_slot_1) * 2u);
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        tw_mma_m16n8k16_f32_bf16(&t_6[i * 4], &a_1[0], &b_1[i * 2]);
      }
    }
    const i32 slot_1 = slot + 1;
    const i32 fill_1 = fill + 1;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      m[r] = t_4[r];
      l[r] = t_5[r] + sum[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      acc[r] = t_6[r];
    }
    slot = slot_1 == 2 ? 0 : slot_1;
    fill = fill_1 == 2 ? 0 : fill_1;
  }
  f32 t_8[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    t_8[r] = 1.0f / tw_max(l[r], 1e-30f);
  }
  const i32 stride_3 = HQ * 64;
  const i32 t_DV_1 = warp * 16 + (lane & 3) * 2;
  const i32 o_at = t_BM * stride_3 + t_DV_1;
  const i64 o_at_1 = (i64)row * (i64)stride_3 + (i64)t * 64ll + (i64)o_at;
  const bool o_in = (u32)t < (u32)HQ;
  const i32 position_5 = row + t_BM;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 o_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        o_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j] * t_8[i]);
      }
      if (o_in && (u32)(position_5 + i * 8) < (u32)bound_1) {
        tw_stg<u32>(
            o + (o_at_1 + (i64)(i * 8 * stride_3 + r * 8)), tw_pack_u16x2(o_tile[0], o_tile[1]));
      }
    }
  }
  tw_cp_async_commit();
  tw_cp_async_wait<0>();
}
