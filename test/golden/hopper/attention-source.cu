// attention for cuda sm_90a, made by tilewright
// dtypes: T=bf16
// config: BM=128 BN=128 stages=2 CAUSAL=1 heads=0
// dims fixed: D=64 DV=64
// 384 threads in 12 warps of 32, 115472 bytes of shared memory
//       0 … 49152: kt bf16[24576]
//   49152 … 81920: vt bf16[16384]
//   81920 … 98304: qt bf16[8192]
//   98304 … 114688: o_panel bf16[8192]
//  114688 … 114712: kt_full u32[6]
//  114816 … 114840: kt_empty u32[6]
//  114944 … 114960: vt_full u32[4]
//  115072 … 115088: vt_empty u32[4]
//  115200 … 115216: program i32[4]
//  115328 … 115336: qt_full u32[2]
//  115456 … 115464: qt_empty u32[2]

TW_KERNEL_PER_SM(384, 1) attention(
    const tw_bf16* q, const tw_bf16* k, const tw_bf16* v, tw_bf16* o, i32 B, i32 L, i32 HQ, i32 LK,
    i32 HKV, f32 scale, i32 grid_x, i32 grid_y, i32 grid_z, u32* counter, TW_TENSOR_MAP map_q,
    TW_TENSOR_MAP map_k, TW_TENSOR_MAP map_v, TW_TENSOR_MAP map_o) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 programs0 = tw_nbid_x();
  const u32 smem = tw_smem_dyn();
  const u32 qt = smem + 81920u;
  tw_label(qt, 16384u, "qt");
  const u32 kt = smem;
  tw_label(kt, 49152u, "kt");
  const u32 vt = smem + 49152u;
  tw_label(vt, 32768u, "vt");
  const u32 o_panel = smem + 98304u;
  tw_label(o_panel, 16384u, "o_panel");
  const u32 qt_full = smem + 115328u;
  tw_label(qt_full, 8u, "qt_full");
  const u32 qt_empty = smem + 115456u;
  tw_label(qt_empty, 8u, "qt_empty");
  const u32 kt_full = smem + 114688u;
  tw_label(kt_full, 24u, "kt_full");
  const u32 kt_empty = smem + 114816u;
  tw_label(kt_empty, 24u, "kt_empty");
  const u32 vt_full = smem + 114944u;
  tw_label(vt_full, 16u, "vt_full");
  const u32 vt_empty = smem + 115072u;
  tw_label(vt_empty, 16u, "vt_empty");
  const u32 program = smem + 115200u;
  tw_label(program, 16u, "program");
  if (thread == 0) {
    tw_tma_prefetch(&map_q);
    tw_tma_prefetch(&map_k);
    tw_tma_prefetch(&map_v);
    tw_tma_prefetch(&map_o);
  }
  tw_launch_dependents();
  if (thread == 0) {
    tw_mbarrier_init(qt_full, 1u);
    tw_fence_mbarrier_init();
  }
  if (thread == 0) {
    tw_mbarrier_init(qt_empty, 8u);
    tw_fence_mbarrier_init();
  }
  if (thread == 0) {
    tw_mbarrier_init(kt_full, 1u);
    tw_mbarrier_init(kt_full + 8u, 1u);
    tw_mbarrier_init(kt_full + 16u, 1u);
    tw_fence_mbarrier_init();
  }
  if (thread == 0) {
    tw_mbarrier_init(kt_empty, 2u);
    tw_mbarrier_init(kt_empty + 8u, 2u);
    tw_mbarrier_init(kt_empty + 16u, 2u);
    tw_fence_mbarrier_init();
  }
  if (thread == 0) {
    tw_mbarrier_init(vt_full, 1u);
    tw_mbarrier_init(vt_full + 8u, 1u);
    tw_fence_mbarrier_init();
  }
  if (thread == 0) {
    tw_mbarrier_init(vt_empty, 2u);
    tw_mbarrier_init(vt_empty + 8u, 2u);
    tw_fence_mbarrier_init();
  }
  tw_syncthreads();
  const i32 programs = grid_x * grid_y * grid_z;
  if (warp < 8) {
    tw_setmaxnreg_inc<232>();
    tw_wait_previous();
    const i32 t = ((L + 127) >> 7) - 1;
    const f32 c = scale * 1.442695f;
    const i32 t_1 = LK - L;
    const i32 t_BM = warp * 16 + (lane >> 2);
    const i32 t_BN = (lane & 3) * 2;
    const bool some_1 = pid0 < programs;
    f32 t_2[2];
    f32 l[2];
    f32 t_3[32];
    u32 pairs[32];
    i32 slot_7;
    i32 parity_3;
    i32 slot_8;
    i32 parity_4;
    u32 row_pairs[16];
    i32 slot_9;
    i32 parity_5;
    i32 next_1;
    i32 pid0_1;
    i32 pid2_1;
    i32 m0_1;
    i32 qpos[2];
    i32 end_1;
    i64 kt_desc;
    kt_desc = (i64)tw_wgmma_desc<128>(kt, 16u, 1024u);
    if (some_1) {
      tw_mbarrier_wait(qt_full, 0u);
      i32 next_2;
      i32 next_3 = 0;
      if (lane == 0) {
        next_3 = tw_lds<i32>(program);
      }
      next_2 = tw_shfl_idx<i32>(next_3, 0);
      i32 pid0_2;
      i32 pid0_3 = 0;
      if (lane == 0) {
        pid0_3 = tw_lds<i32>(program + 4u);
      }
      pid0_2 = tw_shfl_idx<i32>(pid0_3, 0);
      i32 pid1_1;
      i32 pid1_2 = 0;
      if (lane == 0) {
        pid1_2 = tw_lds<i32>(program + 8u);
      }
      pid1_1 = tw_shfl_idx<i32>(pid1_2, 0);
      i32 pid2_2;
      i32 pid2_3 = 0;
      if (lane == 0) {
        pid2_3 = tw_lds<i32>(program + 12u);
      }
      pid2_2 = tw_shfl_idx<i32>(pid2_3, 0);
      const i32 qt_at = (lane & 3) * 2 + (lane >> 2) * 64 + warp * 1024;
      tw_bf16 rows[32];
      const i32 swizzled = qt_at ^ ((qt_at >> 3) & 56);
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          const u32 rows_vec = tw_lds<u32>(qt + (u32)((swizzled ^ (r * 8)) + i * 512) * 2u);
          rows[r * 4 + i * 2] = tw_u16x2_lo(rows_vec);
          rows[r * 4 + i * 2 + 1] = tw_u16x2_hi(rows_vec);
        }
      }
      u32 row_pairs_1[16];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        row_pairs_1[r] = tw_pack_u16x2(rows[r * 2], rows[r * 2 + 1]);
      }
      tw_syncwarp();
      if (lane == 0) {
        tw_mbarrier_arrive(qt_empty);
      }
      const i32 m0_2 = (t - pid1_1) * 128;
      const i32 last = t_1 + m0_2;
      i32 qpos_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos_1[r] = last + t_BM + r * 8;
      }
      tw_mbarrier_wait(kt_full, 0u);
      f32 scores[64];
      tw_wgmma_fence();
      tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores[0], &row_pairs_1[0], kt_desc, 0u);
      tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores[0], &row_pairs_1[4], kt_desc + 2ll, 1u);
      tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores[0], &row_pairs_1[8], kt_desc + 4ll, 1u);
      tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores[0], &row_pairs_1[12], kt_desc + 6ll, 1u);
      tw_wgmma_commit();
      tw_wgmma_wait<0>();
      tw_wgmma_keep<64>(&scores[0]);
      if ((thread & 127) == 0) {
        tw_mbarrier_arrive(kt_empty);
      }
      const bool wraps_4 = false;
      i32 kpos[32];
      bool t_4[64];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          kpos[r * 2 + i] = t_BN + r * 8 + i;
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t_4[r * 4 + i * 2 + j] = kpos[r * 2 + j] <= qpos_1[i];
          }
        }
      }
      const bool below = 0 <= LK - 127 - L + m0_2;
      f32 s[64];
      if (below) {
        #pragma unroll
        for (i32 r = 0; r < 64; ++r) {
          s[r] = scores[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 64; ++r) {
          s[r] = t_4[r] ? scores[r] : tw_bits_f32(0xff800000u);
        }
      }
      f32 most[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        most[r] = tw_bits_f32(0xff800000u);
      }
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            most[i] = tw_max(most[i], s[r * 4 + i * 2 + j]);
          }
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
      f32 top[2];
      bool grew[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        top[r] = tw_max(-1e+30f, most[r]);
        grew[r] = (top[r] - -1e+30f) * c > 8.0f;
      }
      bool vote = false;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        vote = vote || grew[r];
      }
      bool any_row;
      any_row = (bool)tw_any(vote);
      f32 t_5[2];
      f32 t_6[2];
      f32 alpha[2];
      if (any_row) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const f32 next_4 = grew[r] ? top[r] : -1e+30f;
          const f32 alpha_1 = tw_exp2((-1e+30f - next_4) * c);
          t_5[r] = next_4;
          t_6[r] = 0.0f * alpha_1;
          alpha[r] = alpha_1;
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_5[r] = -1e+30f;
          t_6[r] = 0.0f;
          alpha[r] = 0.0f;
        }
      }
      f32 t_7[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_7[r] = t_5[r] * c;
      }
      f32 p[64];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            p[r * 4 + i * 2 + j] = tw_exp2(s[r * 4 + i * 2 + j] * c - t_7[i]);
          }
        }
      }
      f32 sum[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        sum[r] = 0.0f;
      }
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            sum[i] = sum[i] + p[r * 4 + i * 2 + j];
          }
        }
      }
      f32 other_1;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        other_1 = tw_shfl_xor<f32>(sum[r], 1);
        sum[r] = sum[r] + other_1;
        other_1 = tw_shfl_xor<f32>(sum[r], 2);
        sum[r] = sum[r] + other_1;
      }
      u32 pairs_1[32];
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        pairs_1[r] = tw_pack_bf16x2(p[r * 2], p[r * 2 + 1]);
      }
      f32 t_8[32];
      if (any_row) {
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t_8[r * 4 + i * 2 + j] = 0.0f * alpha[i];
            }
          }
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          t_8[r] = 0.0f;
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_2[r] = t_5[r];
        l[r] = t_6[r] + sum[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        t_3[r] = t_8[r];
        pairs[r] = pairs_1[r];
      }
      slot_7 = wraps_4 ? 0 : 1;
      parity_3 = wraps_4 ? 1 : 0;
      slot_8 = 0;
      parity_4 = 0;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        row_pairs[r] = row_pairs_1[r];
      }
      slot_9 = 0;
      parity_5 = 1;
      next_1 = next_2;
      pid0_1 = pid0_2;
      pid2_1 = pid2_2;
      m0_1 = m0_2;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = qpos_1[r];
      }
      end_1 = tw_max_i32(tw_min_i32(LK, last + 128), 1);
    } else {
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_2[r] = 0.0f;
        l[r] = 0.0f;
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        t_3[r] = 0.0f;
        pairs[r] = 0u;
      }
      slot_7 = 0;
      parity_3 = 0;
      slot_8 = 0;
      parity_4 = 0;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        row_pairs[r] = 0u;
      }
      slot_9 = 0;
      parity_5 = 0;
      next_1 = 0;
      pid0_1 = 0;
      pid2_1 = 0;
      m0_1 = 0;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = 0;
      }
      end_1 = 0;
    }
    i32 program_2 = pid0;
    i32 slot_10 = slot_7;
    i32 parity_6 = parity_3;
    i32 slot_11 = slot_8;
    i32 parity_7 = parity_4;
    i32 slot_12 = slot_9;
    i32 parity_8 = parity_5;
    i32 next_5 = next_1;
    i32 pid0_4 = pid0_1;
    i32 pid2_4 = pid2_1;
    i32 m0_3 = m0_1;
    i32 end_2 = end_1;
    i64 vt_desc;
    vt_desc = (i64)tw_wgmma_desc<128>(vt, 16384u, 1024u);
    while (true) {
      const bool more_1 = program_2 < programs;
      if (!more_1) break;
      const i32 edge = tw_min_i32(LK - 127 - L + m0_3 + 1, end_2);
      const i32 trips = tw_max_i32((edge - 128 + 128 - 1) >> 7, 0);
      i32 slot_13 = slot_10;
      i32 parity_9 = parity_6;
      i32 slot_14 = slot_11;
      i32 parity_10 = parity_7;
      for (i32 n_1 = 128; n_1 < edge; n_1 += 128) {
        tw_mbarrier_wait(kt_full + (u32)(slot_13 * 8), parity_9);
        f32 scores_1[64];
        const i64 kt_at = kt_desc + (i64)(slot_13 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_1[0], &row_pairs[0], kt_at, 0u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_1[0], &row_pairs[4], kt_at + 2ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_1[0], &row_pairs[8], kt_at + 4ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_1[0], &row_pairs[12], kt_at + 6ll, 1u);
        tw_wgmma_commit();
        tw_mbarrier_wait(vt_full + (u32)(slot_14 * 8), parity_10);
        const i64 vt_at = vt_desc + (i64)(slot_14 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[0], vt_at, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[4], vt_at + 128ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[8], vt_at + 256ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[12], vt_at + 384ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[16], vt_at + 512ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[20], vt_at + 640ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[24], vt_at + 768ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_3[0], &pairs[28], vt_at + 896ll, 1u);
        tw_wgmma_commit();
        tw_wgmma_wait<1>();
        tw_wgmma_keep<64>(&scores_1[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(kt_empty + (u32)(slot_13 * 8));
        }
        const i32 slot_15 = slot_13 + 1;
        const bool wraps_5 = slot_15 == 3;
        f32 most_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_1[r] = tw_bits_f32(0xff800000u);
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              most_1[i] = tw_max(most_1[i], scores_1[r * 4 + i * 2 + j]);
            }
          }
        }
        f32 other_2;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_2 = tw_shfl_xor<f32>(most_1[r], 1);
          most_1[r] = tw_max(most_1[r], other_2);
          other_2 = tw_shfl_xor<f32>(most_1[r], 2);
          most_1[r] = tw_max(most_1[r], other_2);
        }
        f32 top_1[2];
        bool grew_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          top_1[r] = tw_max(t_2[r], most_1[r]);
          grew_1[r] = (top_1[r] - t_2[r]) * c > 8.0f;
        }
        bool vote_1 = false;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          vote_1 = vote_1 || grew_1[r];
        }
        bool any_row_1;
        any_row_1 = (bool)tw_any(vote_1);
        f32 t_9[2];
        f32 t_10[2];
        f32 alpha_2[2];
        if (any_row_1) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next_6 = grew_1[r] ? top_1[r] : t_2[r];
            const f32 alpha_3 = tw_exp2((t_2[r] - next_6) * c);
            t_9[r] = next_6;
            t_10[r] = l[r] * alpha_3;
            alpha_2[r] = alpha_3;
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_9[r] = t_2[r];
            t_10[r] = l[r];
            alpha_2[r] = 0.0f;
          }
        }
        f32 t_11[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_11[r] = t_9[r] * c;
        }
        f32 p_1[64];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              p_1[r * 4 + i * 2 + j] = tw_exp2(scores_1[r * 4 + i * 2 + j] * c - t_11[i]);
            }
          }
        }
        f32 sum_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_1[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              sum_1[i] = sum_1[i] + p_1[r * 4 + i * 2 + j];
            }
          }
        }
        f32 other_3;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_3 = tw_shfl_xor<f32>(sum_1[r], 1);
          sum_1[r] = sum_1[r] + other_3;
          other_3 = tw_shfl_xor<f32>(sum_1[r], 2);
          sum_1[r] = sum_1[r] + other_3;
        }
        tw_wgmma_wait<0>();
        tw_wgmma_keep<32>(&t_3[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(vt_empty + (u32)(slot_14 * 8));
        }
        const i32 slot_16 = slot_14 + 1;
        const bool wraps_6 = slot_16 == 2;
        u32 pairs_2[32];
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          pairs_2[r] = tw_pack_bf16x2(p_1[r * 2], p_1[r * 2 + 1]);
        }
        f32 t_12[32];
        if (any_row_1) {
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            #pragma unroll
            for (i32 i = 0; i < 2; ++i) {
              #pragma unroll
              for (i32 j = 0; j < 2; ++j) {
                t_12[r * 4 + i * 2 + j] = t_3[r * 4 + i * 2 + j] * alpha_2[i];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_12[r] = t_3[r];
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_2[r] = t_9[r];
          l[r] = t_10[r] + sum_1[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          t_3[r] = t_12[r];
          pairs[r] = pairs_2[r];
        }
        slot_13 = wraps_5 ? 0 : slot_15;
        parity_9 = wraps_5 ? parity_9 ^ 1 : parity_9;
        slot_14 = wraps_6 ? 0 : slot_16;
        parity_10 = wraps_6 ? parity_10 ^ 1 : parity_10;
      }
      const i32 edge_1 = trips * 128 + 128;
      f32 t_13[32];
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        t_13[r] = t_3[r];
      }
      i32 slot_17 = slot_13;
      i32 parity_11 = parity_9;
      i32 slot_18 = slot_14;
      i32 parity_12 = parity_10;
      const i32 n_2_end = end_2;
      for (i32 n_2 = edge_1; n_2 < n_2_end; n_2 += 128) {
        tw_mbarrier_wait(kt_full + (u32)(slot_17 * 8), parity_11);
        f32 scores_2[64];
        const i64 kt_at_1 = kt_desc + (i64)(slot_17 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_2[0], &row_pairs[0], kt_at_1, 0u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_2[0], &row_pairs[4], kt_at_1 + 2ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_2[0], &row_pairs[8], kt_at_1 + 4ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_2[0], &row_pairs[12], kt_at_1 + 6ll, 1u);
        tw_wgmma_commit();
        tw_mbarrier_wait(vt_full + (u32)(slot_18 * 8), parity_12);
        const i64 vt_at_1 = vt_desc + (i64)(slot_18 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[0], vt_at_1, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[4], vt_at_1 + 128ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[8], vt_at_1 + 256ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[12], vt_at_1 + 384ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[16], vt_at_1 + 512ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[20], vt_at_1 + 640ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[24], vt_at_1 + 768ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&t_13[0], &pairs[28], vt_at_1 + 896ll, 1u);
        tw_wgmma_commit();
        tw_wgmma_wait<1>();
        tw_wgmma_keep<64>(&scores_2[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(kt_empty + (u32)(slot_17 * 8));
        }
        const i32 slot_19 = slot_17 + 1;
        const bool wraps_7 = slot_19 == 3;
        i32 kpos_1[32];
        f32 s_1[64];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            kpos_1[r * 2 + i] = n_2 + t_BN + r * 8 + i;
          }
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              s_1[r * 4 + i * 2 + j] = kpos_1[r * 2 + j] <= qpos[i] ? scores_2[r * 4 + i * 2 + j] : tw_bits_f32(0xff800000u);
            }
          }
        }
        f32 most_2[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_2[r] = tw_bits_f32(0xff800000u);
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              most_2[i] = tw_max(most_2[i], s_1[r * 4 + i * 2 + j]);
            }
          }
        }
        f32 other_4;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_4 = tw_shfl_xor<f32>(most_2[r], 1);
          most_2[r] = tw_max(most_2[r], other_4);
          other_4 = tw_shfl_xor<f32>(most_2[r], 2);
          most_2[r] = tw_max(most_2[r], other_4);
        }
        f32 top_2[2];
        bool grew_2[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          top_2[r] = tw_max(t_2[r], most_2[r]);
          grew_2[r] = (top_2[r] - t_2[r]) * c > 8.0f;
        }
        bool vote_2 = false;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          vote_2 = vote_2 || grew_2[r];
        }
        bool any_row_2;
        any_row_2 = (bool)tw_any(vote_2);
        f32 t_14[2];
        f32 t_15[2];
        f32 alpha_4[2];
        if (any_row_2) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next_7 = grew_2[r] ? top_2[r] : t_2[r];
            const f32 alpha_5 = tw_exp2((t_2[r] - next_7) * c);
            t_14[r] = next_7;
            t_15[r] = l[r] * alpha_5;
            alpha_4[r] = alpha_5;
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_14[r] = t_2[r];
            t_15[r] = l[r];
            alpha_4[r] = 0.0f;
          }
        }
        f32 t_16[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_16[r] = t_14[r] * c;
        }
        f32 p_2[64];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              p_2[r * 4 + i * 2 + j] = tw_exp2(s_1[r * 4 + i * 2 + j] * c - t_16[i]);
            }
          }
        }
        f32 sum_2[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_2[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              sum_2[i] = sum_2[i] + p_2[r * 4 + i * 2 + j];
            }
          }
        }
        f32 other_5;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_5 = tw_shfl_xor<f32>(sum_2[r], 1);
          sum_2[r] = sum_2[r] + other_5;
          other_5 = tw_shfl_xor<f32>(sum_2[r], 2);
          sum_2[r] = sum_2[r] + other_5;
        }
        tw_wgmma_wait<0>();
        tw_wgmma_keep<32>(&t_13[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(vt_empty + (u32)(slot_18 * 8));
        }
        const i32 slot_20 = slot_18 + 1;
        const bool wraps_8 = slot_20 == 2;
        u32 pairs_3[32];
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          pairs_3[r] = tw_pack_bf16x2(p_2[r * 2], p_2[r * 2 + 1]);
        }
        f32 t_17[32];
        if (any_row_2) {
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            #pragma unroll
            for (i32 i = 0; i < 2; ++i) {
              #pragma unroll
              for (i32 j = 0; j < 2; ++j) {
                t_17[r * 4 + i * 2 + j] = t_13[r * 4 + i * 2 + j] * alpha_4[i];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_17[r] = t_13[r];
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_2[r] = t_14[r];
          l[r] = t_15[r] + sum_2[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          t_13[r] = t_17[r];
          pairs[r] = pairs_3[r];
        }
        slot_17 = wraps_7 ? 0 : slot_19;
        parity_11 = wraps_7 ? parity_11 ^ 1 : parity_11;
        slot_18 = wraps_8 ? 0 : slot_20;
        parity_12 = wraps_8 ? parity_12 ^ 1 : parity_12;
      }
      const bool more_2 = next_5 < programs;
      f32 t_18[2];
      f32 l_1[2];
      f32 t_19[32];
      u32 pairs_4[32];
      i32 slot_21;
      i32 parity_13;
      i32 slot_22;
      i32 parity_14;
      u32 row_pairs_2[16];
      i32 slot_23;
      i32 parity_15;
      i32 next_8;
      i32 pid0_5;
      i32 pid2_5;
      i32 m0_4;
      i32 qpos_2[2];
      i32 end_3;
      if (more_2) {
        tw_mbarrier_wait(qt_full + (u32)(slot_12 * 8), parity_8);
        i32 next_9;
        i32 next_10 = 0;
        if (lane == 0) {
          next_10 = tw_lds<i32>(program);
        }
        next_9 = tw_shfl_idx<i32>(next_10, 0);
        i32 pid0_6;
        i32 pid0_7 = 0;
        if (lane == 0) {
          pid0_7 = tw_lds<i32>(program + 4u);
        }
        pid0_6 = tw_shfl_idx<i32>(pid0_7, 0);
        i32 pid1_3;
        i32 pid1_4 = 0;
        if (lane == 0) {
          pid1_4 = tw_lds<i32>(program + 8u);
        }
        pid1_3 = tw_shfl_idx<i32>(pid1_4, 0);
        i32 pid2_6;
        i32 pid2_7 = 0;
        if (lane == 0) {
          pid2_7 = tw_lds<i32>(program + 12u);
        }
        pid2_6 = tw_shfl_idx<i32>(pid2_7, 0);
        const i32 qt_at_1 = (lane & 3) * 2 + (lane >> 2) * 64 + warp * 1024;
        tw_bf16 rows_1[32];
        const i32 swizzled_1 = qt_at_1 ^ ((qt_at_1 >> 3) & 56);
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            const u32 rows_1_vec = tw_lds<u32>(qt + (u32)((swizzled_1 ^ (r * 8)) + i * 512) * 2u);
            rows_1[r * 4 + i * 2] = tw_u16x2_lo(rows_1_vec);
            rows_1[r * 4 + i * 2 + 1] = tw_u16x2_hi(rows_1_vec);
          }
        }
        u32 row_pairs_3[16];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          row_pairs_3[r] = tw_pack_u16x2(rows_1[r * 2], rows_1[r * 2 + 1]);
        }
        tw_syncwarp();
        if (lane == 0) {
          tw_mbarrier_arrive(qt_empty + (u32)(slot_12 * 8));
        }
        const i32 m0_5 = (t - pid1_3) * 128;
        const i32 last_1 = t_1 + m0_5;
        i32 qpos_3[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          qpos_3[r] = last_1 + t_BM + r * 8;
        }
        tw_mbarrier_wait(kt_full + (u32)(slot_17 * 8), parity_11);
        f32 scores_3[64];
        const i64 kt_at_2 = kt_desc + (i64)(slot_17 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_3[0], &row_pairs_3[0], kt_at_2, 0u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_3[0], &row_pairs_3[4], kt_at_2 + 2ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_3[0], &row_pairs_3[8], kt_at_2 + 4ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16_ra<0>(&scores_3[0], &row_pairs_3[12], kt_at_2 + 6ll, 1u);
        tw_wgmma_commit();
        tw_mbarrier_wait(vt_full + (u32)(slot_18 * 8), parity_12);
        f32 acc[32];
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          acc[r] = t_13[r];
        }
        const i64 vt_at_2 = vt_desc + (i64)(slot_18 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[0], vt_at_2, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[4], vt_at_2 + 128ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[8], vt_at_2 + 256ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[12], vt_at_2 + 384ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[16], vt_at_2 + 512ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[20], vt_at_2 + 640ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[24], vt_at_2 + 768ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc[0], &pairs[28], vt_at_2 + 896ll, 1u);
        tw_wgmma_commit();
        tw_wgmma_wait<1>();
        tw_wgmma_keep<64>(&scores_3[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(kt_empty + (u32)(slot_17 * 8));
        }
        const i32 slot_24 = slot_17 + 1;
        const bool wraps_9 = slot_24 == 3;
        i32 kpos_2[32];
        bool t_20[64];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            kpos_2[r * 2 + i] = t_BN + r * 8 + i;
          }
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              t_20[r * 4 + i * 2 + j] = kpos_2[r * 2 + j] <= qpos_3[i];
            }
          }
        }
        const bool below_1 = 0 <= LK - 127 - L + m0_5;
        f32 s_2[64];
        if (below_1) {
          #pragma unroll
          for (i32 r = 0; r < 64; ++r) {
            s_2[r] = scores_3[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 64; ++r) {
            s_2[r] = t_20[r] ? scores_3[r] : tw_bits_f32(0xff800000u);
          }
        }
        f32 most_3[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          most_3[r] = tw_bits_f32(0xff800000u);
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              most_3[i] = tw_max(most_3[i], s_2[r * 4 + i * 2 + j]);
            }
          }
        }
        f32 other_6;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_6 = tw_shfl_xor<f32>(most_3[r], 1);
          most_3[r] = tw_max(most_3[r], other_6);
          other_6 = tw_shfl_xor<f32>(most_3[r], 2);
          most_3[r] = tw_max(most_3[r], other_6);
        }
        f32 top_3[2];
        bool grew_3[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          top_3[r] = tw_max(-1e+30f, most_3[r]);
          grew_3[r] = (top_3[r] - -1e+30f) * c > 8.0f;
        }
        bool vote_3 = false;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          vote_3 = vote_3 || grew_3[r];
        }
        bool any_row_3;
        any_row_3 = (bool)tw_any(vote_3);
        f32 t_21[2];
        f32 t_22[2];
        f32 alpha_6[2];
        if (any_row_3) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const f32 next_11 = grew_3[r] ? top_3[r] : -1e+30f;
            const f32 alpha_7 = tw_exp2((-1e+30f - next_11) * c);
            t_21[r] = next_11;
            t_22[r] = 0.0f * alpha_7;
            alpha_6[r] = alpha_7;
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            t_21[r] = -1e+30f;
            t_22[r] = 0.0f;
            alpha_6[r] = 0.0f;
          }
        }
        f32 t_23[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_23[r] = t_21[r] * c;
        }
        f32 p_3[64];
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              p_3[r * 4 + i * 2 + j] = tw_exp2(s_2[r * 4 + i * 2 + j] * c - t_23[i]);
            }
          }
        }
        f32 sum_3[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_3[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          #pragma unroll
          for (i32 i = 0; i < 2; ++i) {
            #pragma unroll
            for (i32 j = 0; j < 2; ++j) {
              sum_3[i] = sum_3[i] + p_3[r * 4 + i * 2 + j];
            }
          }
        }
        f32 other_7;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_7 = tw_shfl_xor<f32>(sum_3[r], 1);
          sum_3[r] = sum_3[r] + other_7;
          other_7 = tw_shfl_xor<f32>(sum_3[r], 2);
          sum_3[r] = sum_3[r] + other_7;
        }
        tw_wgmma_wait<0>();
        tw_wgmma_keep<32>(&acc[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(vt_empty + (u32)(slot_18 * 8));
        }
        const i32 slot_25 = slot_18 + 1;
        const bool wraps_10 = slot_25 == 2;
        u32 pairs_5[32];
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          pairs_5[r] = tw_pack_bf16x2(p_3[r * 2], p_3[r * 2 + 1]);
        }
        f32 t_24[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_24[r] = 1.0f / tw_max(l[r], 1e-30f);
        }
        const i32 row = (lane & 15) * 128 + (lane >> 4) * 16;
        const i32 chunk = row ^ ((row >> 3) & 112);
        if (lane == 0) {
          tw_tma_store_wait_read<0>();
        }
        tw_syncwarp();
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + chunk),
            tw_pack_bf16x2(acc[0] * t_24[0], acc[1] * t_24[0]),
            tw_pack_bf16x2(acc[2] * t_24[1], acc[3] * t_24[1]),
            tw_pack_bf16x2(acc[4] * t_24[0], acc[5] * t_24[0]),
            tw_pack_bf16x2(acc[6] * t_24[1], acc[7] * t_24[1]));
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + (chunk ^ 32)),
            tw_pack_bf16x2(acc[8] * t_24[0], acc[9] * t_24[0]),
            tw_pack_bf16x2(acc[10] * t_24[1], acc[11] * t_24[1]),
            tw_pack_bf16x2(acc[12] * t_24[0], acc[13] * t_24[0]),
            tw_pack_bf16x2(acc[14] * t_24[1], acc[15] * t_24[1]));
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + (chunk ^ 64)),
            tw_pack_bf16x2(acc[16] * t_24[0], acc[17] * t_24[0]),
            tw_pack_bf16x2(acc[18] * t_24[1], acc[19] * t_24[1]),
            tw_pack_bf16x2(acc[20] * t_24[0], acc[21] * t_24[0]),
            tw_pack_bf16x2(acc[22] * t_24[1], acc[23] * t_24[1]));
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + (chunk ^ 96)),
            tw_pack_bf16x2(acc[24] * t_24[0], acc[25] * t_24[0]),
            tw_pack_bf16x2(acc[26] * t_24[1], acc[27] * t_24[1]),
            tw_pack_bf16x2(acc[28] * t_24[0], acc[29] * t_24[0]),
            tw_pack_bf16x2(acc[30] * t_24[1], acc[31] * t_24[1]));
        tw_fence_proxy_async();
        tw_syncwarp();
        if (lane == 0) {
          tw_tma_store_4d(
              &map_o, o_panel + (u32)(warp * 2048), 0u, pid0_4,
              m0_3 + (warp >> 2) * 64 + (warp & 3) * 16, pid2_4);
          tw_tma_store_commit();
        }
        f32 t_25[32];
        if (any_row_3) {
          #pragma unroll
          for (i32 r = 0; r < 8; ++r) {
            #pragma unroll
            for (i32 i = 0; i < 2; ++i) {
              #pragma unroll
              for (i32 j = 0; j < 2; ++j) {
                t_25[r * 4 + i * 2 + j] = 0.0f * alpha_6[i];
              }
            }
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 32; ++r) {
            t_25[r] = 0.0f;
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_18[r] = t_21[r];
          l_1[r] = t_22[r] + sum_3[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          t_19[r] = t_25[r];
          pairs_4[r] = pairs_5[r];
        }
        slot_21 = wraps_9 ? 0 : slot_24;
        parity_13 = wraps_9 ? parity_11 ^ 1 : parity_11;
        slot_22 = wraps_10 ? 0 : slot_25;
        parity_14 = wraps_10 ? parity_12 ^ 1 : parity_12;
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          row_pairs_2[r] = row_pairs_3[r];
        }
        slot_23 = slot_12;
        parity_15 = parity_8 ^ 1;
        next_8 = next_9;
        pid0_5 = pid0_6;
        pid2_5 = pid2_6;
        m0_4 = m0_5;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          qpos_2[r] = qpos_3[r];
        }
        end_3 = tw_max_i32(tw_min_i32(LK, last_1 + 128), 1);
      } else {
        tw_mbarrier_wait(vt_full + (u32)(slot_18 * 8), parity_12);
        f32 acc_1[32];
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          acc_1[r] = t_13[r];
        }
        const i64 vt_at_3 = vt_desc + (i64)(slot_18 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[0], vt_at_3, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[4], vt_at_3 + 128ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[8], vt_at_3 + 256ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[12], vt_at_3 + 384ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[16], vt_at_3 + 512ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[20], vt_at_3 + 640ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[24], vt_at_3 + 768ll, 1u);
        tw_wgmma_m64n64k16_f32_bf16_ra<2>(&acc_1[0], &pairs[28], vt_at_3 + 896ll, 1u);
        tw_wgmma_commit();
        tw_wgmma_wait<0>();
        tw_wgmma_keep<32>(&acc_1[0]);
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(vt_empty + (u32)(slot_18 * 8));
        }
        f32 t_26[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_26[r] = 1.0f / tw_max(l[r], 1e-30f);
        }
        const i32 row_1 = (lane & 15) * 128 + (lane >> 4) * 16;
        const i32 chunk_1 = row_1 ^ ((row_1 >> 3) & 112);
        if (lane == 0) {
          tw_tma_store_wait_read<0>();
        }
        tw_syncwarp();
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + chunk_1),
            tw_pack_bf16x2(acc_1[0] * t_26[0], acc_1[1] * t_26[0]),
            tw_pack_bf16x2(acc_1[2] * t_26[1], acc_1[3] * t_26[1]),
            tw_pack_bf16x2(acc_1[4] * t_26[0], acc_1[5] * t_26[0]),
            tw_pack_bf16x2(acc_1[6] * t_26[1], acc_1[7] * t_26[1]));
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + (chunk_1 ^ 32)),
            tw_pack_bf16x2(acc_1[8] * t_26[0], acc_1[9] * t_26[0]),
            tw_pack_bf16x2(acc_1[10] * t_26[1], acc_1[11] * t_26[1]),
            tw_pack_bf16x2(acc_1[12] * t_26[0], acc_1[13] * t_26[0]),
            tw_pack_bf16x2(acc_1[14] * t_26[1], acc_1[15] * t_26[1]));
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + (chunk_1 ^ 64)),
            tw_pack_bf16x2(acc_1[16] * t_26[0], acc_1[17] * t_26[0]),
            tw_pack_bf16x2(acc_1[18] * t_26[1], acc_1[19] * t_26[1]),
            tw_pack_bf16x2(acc_1[20] * t_26[0], acc_1[21] * t_26[0]),
            tw_pack_bf16x2(acc_1[22] * t_26[1], acc_1[23] * t_26[1]));
        tw_stmatrix_x4(
            o_panel + (u32)(warp * 2048 + (chunk_1 ^ 96)),
            tw_pack_bf16x2(acc_1[24] * t_26[0], acc_1[25] * t_26[0]),
            tw_pack_bf16x2(acc_1[26] * t_26[1], acc_1[27] * t_26[1]),
            tw_pack_bf16x2(acc_1[28] * t_26[0], acc_1[29] * t_26[0]),
            tw_pack_bf16x2(acc_1[30] * t_26[1], acc_1[31] * t_26[1]));
        tw_fence_proxy_async();
        tw_syncwarp();
        if (lane == 0) {
          tw_tma_store_4d(
              &map_o, o_panel + (u32)(warp * 2048), 0u, pid0_4,
              m0_3 + (warp >> 2) * 64 + (warp & 3) * 16, pid2_4);
          tw_tma_store_commit();
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          t_18[r] = 0.0f;
          l_1[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          t_19[r] = 0.0f;
          pairs_4[r] = 0u;
        }
        slot_21 = 0;
        parity_13 = 0;
        slot_22 = 0;
        parity_14 = 0;
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          row_pairs_2[r] = 0u;
        }
        slot_23 = 0;
        parity_15 = 0;
        next_8 = next_5;
        pid0_5 = 0;
        pid2_5 = 0;
        m0_4 = 0;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          qpos_2[r] = 0;
        }
        end_3 = 0;
      }
      program_2 = next_5;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_2[r] = t_18[r];
        l[r] = l_1[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        t_3[r] = t_19[r];
        pairs[r] = pairs_4[r];
      }
      slot_10 = slot_21;
      parity_6 = parity_13;
      slot_11 = slot_22;
      parity_7 = parity_14;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        row_pairs[r] = row_pairs_2[r];
      }
      slot_12 = slot_23;
      parity_8 = parity_15;
      next_5 = next_8;
      pid0_4 = pid0_5;
      pid2_4 = pid2_5;
      m0_3 = m0_4;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = qpos_2[r];
      }
      end_2 = end_3;
    }
    if (lane == 0) {
      tw_tma_store_wait_read<0>();
    }
  } else {
    tw_setmaxnreg_dec<40>();
    if (warp == 8 && tw_elect_one()) {
      tw_wait_previous();
      const i32 counted = programs0 + programs0;
      i32 program_1 = pid0;
      i32 next = pid0 + programs0;
      i32 zero = 0;
      i32 zero_1 = 0;
      i32 zero_2 = 0;
      i32 zero_3 = 0;
      i32 zero_4 = 0;
      i32 zero_5 = 0;
      i32 zero_6 = 0;
      i32 zero_7 = 0;
      i32 zero_8 = 0;
      while (true) {
        const bool more = program_1 < programs;
        if (!more) break;
        i32 asked;
        asked = (i32)tw_next_program(counter, counted);
        const i32 pid0_1 = tw_floormod_i32(program_1, grid_x);
        const i32 pid1 = tw_floormod_i32(tw_floordiv_i32(program_1, grid_x), grid_y);
        const i32 pid2 = tw_floordiv_i32(program_1, grid_x * grid_y);
        const i32 m0 = (((L + 127) >> 7) - 1 - pid1) * 128;
        const i32 kvHead = tw_floordiv_i32(pid0_1, tw_floordiv_i32(HQ, HKV));
        const i32 end = tw_max_i32(tw_min_i32(LK, LK - L + m0 + 128), 1);
        const i32 free = zero_1 ^ 1;
        tw_mbarrier_wait(qt_empty + (u32)(zero * 8), free);
        const i32 posted = next;
        tw_sts<i32>(program, posted);
        const i32 posted_1 = pid0_1;
        tw_sts<i32>(program + 4u, posted_1);
        const i32 posted_2 = pid1;
        tw_sts<i32>(program + 8u, posted_2);
        const i32 posted_3 = pid2;
        tw_sts<i32>(program + 12u, posted_3);
        tw_mbarrier_expect_tx(qt_full + (u32)(zero * 8), 16384u);
        tw_tma_load_4d(
            qt + (u32)(zero * 16384), &map_q, qt_full + (u32)(zero * 8), 0u, pid0_1, m0, pid2);
        const i32 free_1 = zero_3 ^ 1;
        tw_mbarrier_wait(kt_empty + (u32)(zero_2 * 8), free_1);
        tw_mbarrier_expect_tx(kt_full + (u32)(zero_2 * 8), 16384u);
        tw_tma_load_4d(
            kt + (u32)(zero_2 * 16384), &map_k, kt_full + (u32)(zero_2 * 8), 0u, kvHead, 0u, pid2);
        const i32 slot = zero_2 + 1;
        const bool wraps = slot == 3;
        const bool later = program_1 != pid0;
        i32 slot_1;
        i32 parity;
        if (later) {
          const i32 free_2 = zero_5 ^ 1;
          tw_mbarrier_wait(vt_empty + (u32)(zero_4 * 8), free_2);
          tw_mbarrier_expect_tx(vt_full + (u32)(zero_4 * 8), 16384u);
          tw_tma_load_4d(
              vt + (u32)(zero_4 * 16384), &map_v, vt_full + (u32)(zero_4 * 8), 0u, zero_8, zero_7,
              zero_6);
          const i32 slot_2 = zero_4 + 1;
          const bool wraps_1 = slot_2 == 2;
          slot_1 = wraps_1 ? 0 : slot_2;
          parity = wraps_1 ? zero_5 ^ 1 : zero_5;
        } else {
          slot_1 = zero_4;
          parity = zero_5;
        }
        i32 slot_3 = wraps ? 0 : slot;
        i32 parity_1 = wraps ? zero_3 ^ 1 : zero_3;
        i32 slot_4 = slot_1;
        i32 parity_2 = parity;
        i32 before = 0;
        for (i32 n = 128; n < end; n += 128) {
          const i32 free_3 = parity_1 ^ 1;
          tw_mbarrier_wait(kt_empty + (u32)(slot_3 * 8), free_3);
          tw_mbarrier_expect_tx(kt_full + (u32)(slot_3 * 8), 16384u);
          tw_tma_load_4d(
              kt + (u32)(slot_3 * 16384), &map_k, kt_full + (u32)(slot_3 * 8), 0u, kvHead, n, pid2);
          const i32 slot_5 = slot_3 + 1;
          const bool wraps_2 = slot_5 == 3;
          const i32 free_4 = parity_2 ^ 1;
          tw_mbarrier_wait(vt_empty + (u32)(slot_4 * 8), free_4);
          tw_mbarrier_expect_tx(vt_full + (u32)(slot_4 * 8), 16384u);
          tw_tma_load_4d(
              vt + (u32)(slot_4 * 16384), &map_v, vt_full + (u32)(slot_4 * 8), 0u, kvHead, before,
              pid2);
          const i32 slot_6 = slot_4 + 1;
          const bool wraps_3 = slot_6 == 2;
          slot_3 = wraps_2 ? 0 : slot_5;
          parity_1 = wraps_2 ? parity_1 ^ 1 : parity_1;
          slot_4 = wraps_3 ? 0 : slot_6;
          parity_2 = wraps_3 ? parity_2 ^ 1 : parity_2;
          before = n;
        }
        program_1 = next;
        next = asked;
        zero_1 = zero_1 ^ 1;
        zero_2 = slot_3;
        zero_3 = parity_1;
        zero_4 = slot_4;
        zero_5 = parity_2;
        zero_6 = pid2;
        zero_7 = before;
        zero_8 = kvHead;
      }
      const bool some = pid0 < programs;
      if (some) {
        const i32 free_5 = zero_5 ^ 1;
        tw_mbarrier_wait(vt_empty + (u32)(zero_4 * 8), free_5);
        tw_mbarrier_expect_tx(vt_full + (u32)(zero_4 * 8), 16384u);
        tw_tma_load_4d(
            vt + (u32)(zero_4 * 16384), &map_v, vt_full + (u32)(zero_4 * 8), 0u, zero_8, zero_7,
            zero_6);
      }
      tw_programs_done(counter, programs0);
    }
  }
}
