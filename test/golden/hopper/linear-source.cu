// linear for cuda sm_90a, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=128 BN=128 BK=64 stages=4 group=8
// dims divisible: M%16 K%16 N%16
// 384 threads in 12 warps of 32, 164000 bytes of shared memory
//       0 … 65536: a bf16[32768]
//   65536 … 131072: b bf16[32768]
//  131072 … 163840: y_panel bf16[16384]
//  163840 … 163872: full u32[8]
//  163968 … 164000: empty u32[8]

TW_KERNEL_PER_SM(384, 1) linear(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 K, i32 N, i32 grid_x, i32 grid_y,
    i32 grid_z, TW_TENSOR_MAP map_w, TW_TENSOR_MAP map_x, TW_TENSOR_MAP map_y) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 programs0 = tw_nbid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem;
  tw_label(a, 65536u, "a");
  const u32 b = smem + 65536u;
  tw_label(b, 65536u, "b");
  const u32 y_panel = smem + 131072u;
  tw_label(y_panel, 32768u, "y_panel");
  const u32 full = smem + 163840u;
  tw_label(full, 32u, "full");
  const u32 empty = smem + 163968u;
  tw_label(empty, 32u, "empty");
  if (thread == 0) {
    tw_tma_prefetch(&map_w);
    tw_tma_prefetch(&map_x);
    tw_tma_prefetch(&map_y);
  }
  tw_launch_dependents();
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
  const i32 programs = grid_x * grid_y * grid_z;
  if (warp < 8) {
    tw_setmaxnreg_inc<240>();
    tw_wait_previous();
    i32 slot_4 = 0;
    i32 parity_2 = 0;
    const i32 t_8 = ((N + 127) >> 7) * 8;
    i64 a_desc;
    a_desc = (i64)tw_wgmma_desc<128>(a + (u32)((warp >> 2) * 8192), 16u, 1024u);
    i64 b_desc;
    b_desc = (i64)tw_wgmma_desc<128>(b, 16u, 1024u);
    const bool any = 0 < K;
    const i32 row = (lane & 15) * 128 + (lane >> 4) * 16;
    const i32 chunk = row ^ ((row >> 3) & 112);
    for (i32 program_1 = pid0; program_1 < programs; program_1 += programs0) {
      const i32 pid0_2 = tw_floormod_i32(program_1, grid_x);
      const i32 t_9 = tw_floordiv_i32(pid0_2, t_8) * 8;
      const i32 t_10 = tw_min_i32(((M + 127) >> 7) - t_9, 8);
      const i32 t_11 = tw_floormod_i32(pid0_2, t_8);
      f32 acc[64];
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        acc[r] = 0.0f;
      }
      i32 slot_5 = slot_4;
      i32 parity_3 = parity_2;
      i32 last = 0;
      for (i32 k_3 = 0; k_3 < K; k_3 += 64) {
        tw_mbarrier_wait(full + (u32)(slot_5 * 8), parity_3);
        const i64 a_at = a_desc + (i64)(slot_5 * 1024);
        const i64 b_at = b_desc + (i64)(slot_5 * 1024);
        tw_wgmma_fence();
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], a_at, b_at, 1u);
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], a_at + 2ll, b_at + 2ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], a_at + 4ll, b_at + 4ll, 1u);
        tw_wgmma_m64n128k16_f32_bf16<0>(&acc[0], a_at + 6ll, b_at + 6ll, 1u);
        tw_wgmma_commit();
        tw_wgmma_wait<1>();
        const bool later = k_3 > 0;
        if (later) {
          if ((thread & 127) == 0) {
            tw_mbarrier_arrive(empty + (u32)(last * 8));
          }
        }
        const i32 slot_6 = slot_5 + 1;
        const bool wraps_1 = slot_6 == 4;
        parity_3 = wraps_1 ? parity_3 ^ 1 : parity_3;
        last = slot_5;
        slot_5 = wraps_1 ? 0 : slot_6;
      }
      tw_wgmma_wait<0>();
      tw_wgmma_keep<64>(&acc[0]);
      if (any) {
        if ((thread & 127) == 0) {
          tw_mbarrier_arrive(empty + (u32)(last * 8));
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
      const i32 t_12 = (t_9 + tw_floormod_i32(t_11, t_10)) * 128;
      const i32 t_13 = tw_floordiv_i32(t_11, t_10) * 128;
      if (lane == 0) {
        tw_tma_store_2d(
            &map_y, y_panel + (u32)(warp * 4096), t_13, t_12 + (warp >> 2) * 64 + (warp & 3) * 16);
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
            &map_y, y_panel + (u32)(warp * 4096 + 2048), t_13 + 64,
            t_12 + (warp >> 2) * 64 + (warp & 3) * 16);
        tw_tma_store_commit();
      }
      slot_4 = slot_5;
      parity_2 = parity_3;
    }
    if (lane == 0) {
      tw_tma_store_wait_read<0>();
    }
  } else {
    tw_setmaxnreg_dec<24>();
    if (warp == 8 && tw_elect_one()) {
      const i32 pid0_1 = tw_floormod_i32(pid0, grid_x);
      const i32 t = ((N + 127) >> 7) * 8;
      const i32 t_1 = ((M + 127) >> 7) - tw_floordiv_i32(pid0_1, t) * 8;
      const i32 t_2 = tw_floordiv_i32(tw_floormod_i32(pid0_1, t), tw_min_i32(t_1, 8)) * 128;
      const i32 ahead = pid0 < programs ? tw_min_i32(K, 256) : 0;
      i32 slot = 0;
      for (i32 k = 0; k < ahead; k += 64) {
        tw_mbarrier_expect_tx(full + (u32)(slot * 8), 32768u);
        tw_tma_load_2d(b + (u32)(slot * 16384), &map_w, full + (u32)(slot * 8), k, t_2);
        slot = slot + 1;
      }
      tw_wait_previous();
      i32 slot_1 = 0;
      i32 parity = 0;
      const i32 ends = ((K - 1) >> 6) * 64;
      for (i32 program = pid0; program < programs; program += programs0) {
        const i32 pid0_1_1 = tw_floormod_i32(program, grid_x);
        const i32 t_3 = tw_floordiv_i32(pid0_1_1, t) * 8;
        const i32 t_4 = tw_min_i32(((M + 127) >> 7) - t_3, 8);
        const i32 t_5 = tw_floormod_i32(pid0_1_1, t);
        const i32 t_6 = (t_3 + tw_floormod_i32(t_5, t_4)) * 128;
        const i32 t_7 = tw_floordiv_i32(t_5, t_4) * 128;
        const i32 ahead_1 = program == pid0 ? tw_min_i32(K, 256) : 0;
        const bool is_back = (tw_floordiv_i32(program - pid0, programs0) & 1) == 1;
        i32 slot_2 = slot_1;
        i32 parity_1 = parity;
        for (i32 k_1 = 0; k_1 < K; k_1 += 64) {
          const i32 k_2 = is_back ? ends - k_1 : k_1;
          const i32 free = parity_1 ^ 1;
          const bool late = k_1 >= ahead_1;
          if (late) {
            tw_mbarrier_wait(empty + (u32)(slot_2 * 8), free);
            tw_mbarrier_expect_tx(full + (u32)(slot_2 * 8), 32768u);
            tw_tma_load_2d(b + (u32)(slot_2 * 16384), &map_w, full + (u32)(slot_2 * 8), k_2, t_7);
          }
          tw_tma_load_2d(a + (u32)(slot_2 * 16384), &map_x, full + (u32)(slot_2 * 8), k_2, t_6);
          const i32 slot_3 = slot_2 + 1;
          const bool wraps = slot_3 == 4;
          slot_2 = wraps ? 0 : slot_3;
          parity_1 = wraps ? parity_1 ^ 1 : parity_1;
        }
        slot_1 = slot_2;
        parity = parity_1;
      }
    }
  }
}
