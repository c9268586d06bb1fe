// explicit_gemm for cuda sm_90a, made by tilewright
// dtypes: T=bf16
// config: BM=128 BN=128 BK=64 stages=4 consumers=2 group=8
// dims divisible: M%16 K%16 N%16
// 384 threads in 12 warps of 32, 164000 bytes of shared memory
//       0 … 65536: xs bf16[32768]
//   65536 … 131072: ws bf16[32768]
//  131072 … 163840: y_panel bf16[16384]
//  163840 … 163872: full u32[8]
//  163968 … 164000: empty u32[8]

TW_KERNEL_PER_SM(384, 1) explicit_gemm(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 K, i32 N, i32 grid_x, i32 grid_y,
    i32 grid_z, TW_TENSOR_MAP map_x, TW_TENSOR_MAP map_w, TW_TENSOR_MAP map_y) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 programs0 = tw_nbid_x();
  const u32 smem = tw_smem_dyn();
  const u32 xs = smem;
  tw_label(xs, 65536u, "xs");
  const u32 ws = smem + 65536u;
  tw_label(ws, 65536u, "ws");
  const u32 full = smem + 163840u;
  tw_label(full, 32u, "full");
  const u32 empty = smem + 163968u;
  tw_label(empty, 32u, "empty");
  const u32 y_panel = smem + 131072u;
  tw_label(y_panel, 32768u, "y_panel");
  if (thread == 0) {
    tw_tma_prefetch(&map_x);
    tw_tma_prefetch(&map_w);
    tw_tma_prefetch(&map_y);
  }
  tw_launch_dependents();
  const i32 programs = grid_x * grid_y * grid_z;
  if (thread == 0) {
    tw_mbarrier_init(full, 1u);
    tw_mbarrier_init(full + 8u, 1u);
    tw_mbarrier_init(full + 16u, 1u);
    tw_mbarrier_init(full + 24u, 1u);
    tw_fence_mbarrier_init();
  }
  if (thread == 0) {
    tw_mbarrier_init(empty, 2u);
    tw_mbarrier_init(empty + 8u, 2u);
    tw_mbarrier_init(empty + 16u, 2u);
    tw_mbarrier_init(empty + 24u, 2u);
    tw_fence_mbarrier_init();
  }
  tw_syncthreads();
  if (warp < 8) {
    tw_setmaxnreg_inc<240>();
    tw_wait_previous();
    const i32 t_9 = M + 127;
    const i32 t_10 = N + 127;
    const bool t_11 = K > 0;
    i32 n_2 = 0;
    const i32 t_12 = (t_10 >> 7) * 8;
    i64 xs_desc;
    xs_desc = (i64)tw_wgmma_desc<128>(xs + (u32)((warp >> 2) * 8192), 16u, 1024u);
    i64 ws_desc;
    ws_desc = (i64)tw_wgmma_desc<128>(ws, 16u, 1024u);
    const i32 row = (lane & 15) * 128 + (lane >> 4) * 16;
    const i32 chunk = row ^ ((row >> 3) & 112);
    for (i32 p_1 = pid0; p_1 < programs; p_1 += programs0) {
      const i32 t_13 = tw_floordiv_i32(p_1, t_12) * 8;
      const i32 t_14 = tw_min_i32((t_9 >> 7) - t_13, 8);
      const i32 t_15 = tw_floormod_i32(p_1, t_12);
      f32 acc[64];
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        acc[r] = 0.0f;
      }
      i32 n_3 = n_2;
      for (i32 k_1 = 0; k_1 < K; k_1 += 64) {
        const i32 slot_2 = n_3 & 3;
        const i32 parity_1 = (n_3 >> 2) & 1;
        tw_mbarrier_wait(full + (u32)(slot_2 * 8), parity_1);
        const i64 xs_at = xs_desc + (i64)(slot_2 * 1024);
        const i64 ws_at = ws_desc + (i64)(slot_2 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], xs_at, ws_at, 1u);
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], xs_at + 2ll, ws_at + 2ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], xs_at + 4ll, ws_at + 4ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], xs_at + 6ll, ws_at + 6ll, 1u);
        tw_wgmma_commit();
        tw_wgmma_wait<1>();
        const bool t_16 = k_1 > 0;
        if (t_16) {
          const i32 slot_3 = (n_3 - 1) & 3;
          if ((thread & 127) == 0) {
            tw_mbarrier_arrive(empty + (u32)(slot_3 * 8));
          }
        }
        n_3 = n_3 + 1;
      }
      tw_wgmma_wait<0>();
      tw_wgmma_keep<64>(&acc[0]);
      if (t_11) {
        const i32 slot_4 = (n_3 - 1) & 3;
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(empty + (u32)(slot_4 * 8));
        }
      }
      if (lane == 0) {
        tw_tma_store_wait_read<1>();
      }
      tw_syncwarp();
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + chunk), tw_pack_bf16x2(acc[0], acc[1]),
          tw_pack_bf16x2(acc[2], acc[3]), tw_pack_bf16x2(acc[4], acc[5]),
          tw_pack_bf16x2(acc[6], acc[7]));
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + (chunk ^ 32)), tw_pack_bf16x2(acc[8], acc[9]),
          tw_pack_bf16x2(acc[10], acc[11]), tw_pack_bf16x2(acc[12], acc[13]),
          tw_pack_bf16x2(acc[14], acc[15]));
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + (chunk ^ 64)), tw_pack_bf16x2(acc[16], acc[17]),
          tw_pack_bf16x2(acc[18], acc[19]), tw_pack_bf16x2(acc[20], acc[21]),
          tw_pack_bf16x2(acc[22], acc[23]));
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + (chunk ^ 96)), tw_pack_bf16x2(acc[24], acc[25]),
          tw_pack_bf16x2(acc[26], acc[27]), tw_pack_bf16x2(acc[28], acc[29]),
          tw_pack_bf16x2(acc[30], acc[31]));
      tw_fence_proxy_async();
      tw_syncwarp();
      const i32 t_17 = (t_13 + tw_floormod_i32(t_15, t_14)) * 128;
      const i32 t_18 = tw_floordiv_i32(t_15, t_14) * 128;
      if (lane == 0) {
        tw_tma_store_2d(
            &map_y, y_panel + (u32)(warp * 4096), t_18, t_17 + (warp >> 2) * 64 + (warp & 3) * 16);
        tw_tma_store_commit();
      }
      if (lane == 0) {
        tw_tma_store_wait_read<1>();
      }
      tw_syncwarp();
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + 2048 + chunk), tw_pack_bf16x2(acc[32], acc[33]),
          tw_pack_bf16x2(acc[34], acc[35]), tw_pack_bf16x2(acc[36], acc[37]),
          tw_pack_bf16x2(acc[38], acc[39]));
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + 2048 + (chunk ^ 32)), tw_pack_bf16x2(acc[40], acc[41]),
          tw_pack_bf16x2(acc[42], acc[43]), tw_pack_bf16x2(acc[44], acc[45]),
          tw_pack_bf16x2(acc[46], acc[47]));
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + 2048 + (chunk ^ 64)), tw_pack_bf16x2(acc[48], acc[49]),
          tw_pack_bf16x2(acc[50], acc[51]), tw_pack_bf16x2(acc[52], acc[53]),
          tw_pack_bf16x2(acc[54], acc[55]));
      tw_stmatrix_x4(
          y_panel + (u32)(warp * 4096 + 2048 + (chunk ^ 96)), tw_pack_bf16x2(acc[56], acc[57]),
          tw_pack_bf16x2(acc[58], acc[59]), tw_pack_bf16x2(acc[60], acc[61]),
          tw_pack_bf16x2(acc[62], acc[63]));
      tw_fence_proxy_async();
      tw_syncwarp();
      if (lane == 0) {
        tw_tma_store_2d(
            &map_y, y_panel + (u32)(warp * 4096 + 2048), t_18 + 64,
            t_17 + (warp >> 2) * 64 + (warp & 3) * 16);
        tw_tma_store_commit();
      }
      n_2 = n_3;
    }
    if (lane == 0) {
      tw_tma_store_wait_read<0>();
    }
  } else {
    tw_setmaxnreg_dec<24>();
    if (warp == 8 && tw_elect_one()) {
      tw_wait_previous();
      const i32 t = M + 127;
      const i32 t_1 = N + 127;
      i32 n = 0;
      const i32 t_2 = (t_1 >> 7) * 8;
      for (i32 p = pid0; p < programs; p += programs0) {
        const i32 t_3 = tw_floordiv_i32(p, t_2) * 8;
        const i32 t_4 = tw_min_i32((t >> 7) - t_3, 8);
        const i32 t_5 = tw_floormod_i32(p, t_2);
        const i32 t_6 = (t_3 + tw_floormod_i32(t_5, t_4)) * 128;
        const i32 t_7 = tw_floordiv_i32(t_5, t_4) * 128;
        i32 n_1 = n;
        for (i32 k = 0; k < K; k += 64) {
          const i32 t_8 = n_1 - 4;
          const i32 slot = t_8 & 3;
          const i32 parity = (t_8 >> 2) & 1;
          tw_mbarrier_wait(empty + (u32)(slot * 8), parity);
          const i32 slot_1 = n_1 & 3;
          tw_mbarrier_expect_tx(full + (u32)(slot_1 * 8), 32768u);
          tw_tma_load_2d(xs + (u32)(slot_1 * 16384), &map_x, full + (u32)(slot_1 * 8), k, t_6);
          tw_tma_load_2d(ws + (u32)(slot_1 * 16384), &map_w, full + (u32)(slot_1 * 8), k, t_7);
          n_1 = n_1 + 1;
        }
        n = n_1;
      }
    }
  }
}
