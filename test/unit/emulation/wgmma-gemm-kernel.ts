/** [test/unit/emulation] A GEMM for Hopper as text, in the form the compiler emits: TMA ring, producer warp, wgmma, TMA store; with faults to plant. */

/** Mistakes that a compiler could make here. Each is one edit of the text. */
export const WGMMA_FAULTS = [
  "none",
  "expect-too-few",
  "expect-too-many",
  "no-full-wait",
  "full-parity",
  "no-empty-wait",
  "empty-parity",
  "empty-count",
  "early-free",
  "never-free",
  "no-init-fence",
  "no-init-barrier",
  "no-wgmma-fence",
  "no-wgmma-commit",
  "no-wgmma-wait",
  "no-proxy-fence",
  "late-proxy-fence",
  "no-panel-sync",
  "no-read-wait",
  "no-store-commit",
  "swapped-fragment",
  "panel-swizzle",
  "descriptor-swizzle",
  "descriptor-stride",
  "k-step",
  "wrong-stage",
] as const;

export type WgmmaFault = (typeof WGMMA_FAULTS)[number];

/** Threads of a block (a warpgroup that multiplies, a warp that loads), its tile of C, and its dynamic shared memory. */
export const WGMMA_GEMM = {
  threads: 160,
  tile: 64,
  stages: 3,
  sharedBytes: 3 * 16384 + 8192 + 48,
} as const;

const BODY = `
// C[M, N] = A[M, K] B[N, K]^T, all bf16, N and K multiples of 8. Blocks walk tiles of 64 x 64; a stage holds 64 k of A, then of B.
TW_KERNEL_PER_SM(160, 1) gemm(const tw_bf16* a, const tw_bf16* b, tw_bf16* c, i32 M, i32 N, i32 K, TW_TENSOR_MAP map_a,
                              TW_TENSOR_MAP map_b, TW_TENSOR_MAP map_c) {
  const i32 warp = tw_warp();
  const i32 lane = tw_lane();
  const u32 base = tw_smem_dyn();
  const u32 panel = base + 49152 + 2048 * (warp & 3);
  const u32 full = base + 57344;
  const u32 empty = full + 24;
  tw_label(base, 49152, "stages");
  tw_label(base + 49152, 8192, "panels");
  tw_label(full, 24, "full");
  tw_label(empty, 24, "empty");
  const i32 columns = (N + 63) / 64;
  const i32 tiles = columns * ((M + 63) / 64);
  const i32 steps = (K + 63) / 64;
  if (tw_tid() == 0) {
    for (i32 s = 0; s < 3; s++) {
      tw_mbarrier_init(full + 8 * s, 1);
#if FAULT_empty_count
      tw_mbarrier_init(empty + 8 * s, 5);
#else
      tw_mbarrier_init(empty + 8 * s, 4);
#endif
    }
#if !FAULT_no_init_fence
    tw_fence_mbarrier_init();
#endif
  }
#if !FAULT_no_init_barrier
  tw_syncthreads();
#endif
  u32 stage = 0;
  u32 phase = 0;
  if (warp == 4) {
    tw_setmaxnreg_dec<40>();
    if (lane == 0) {
      tw_tma_prefetch(&map_c);
      for (i32 tile = tw_bid_x(); tile < tiles; tile += tw_nbid_x()) {
        const i32 m0 = tile / columns * 64;
        const i32 n0 = tile % columns * 64;
        for (i32 k = 0; k < steps; k++) {
#if FAULT_empty_parity
          tw_mbarrier_wait(empty + 8 * stage, phase);
#elif !FAULT_no_empty_wait
          tw_mbarrier_wait(empty + 8 * stage, phase ^ 1);
#endif
#if FAULT_expect_too_few
          tw_mbarrier_expect_tx(full + 8 * stage, 8192);
#elif FAULT_expect_too_many
          tw_mbarrier_expect_tx(full + 8 * stage, 16400);
#else
          tw_mbarrier_expect_tx(full + 8 * stage, 16384);
#endif
          tw_tma_load_2d(base + 16384 * stage, &map_a, full + 8 * stage, k * 64, m0);
          tw_tma_load_2d(base + 16384 * stage + 8192, &map_b, full + 8 * stage, k * 64, n0);
          if (++stage == 3) {
            stage = 0;
            phase ^= 1;
          }
        }
      }
    }
  } else {
    tw_setmaxnreg_inc<232>();
    f32 acc[32];
    for (i32 tile = tw_bid_x(); tile < tiles; tile += tw_nbid_x()) {
      const i32 m0 = tile / columns * 64;
      const i32 n0 = tile % columns * 64;
      u32 last = 0;
      for (i32 k = 0; k < steps; k++) {
#if FAULT_full_parity
        tw_mbarrier_wait(full + 8 * stage, phase ^ 1);
#elif !FAULT_no_full_wait
        tw_mbarrier_wait(full + 8 * stage, phase);
#endif
#if FAULT_wrong_stage
        const u32 from = base + 16384 * (stage == 2 ? 0 : stage);
#else
        const u32 from = base + 16384 * stage;
#endif
#if FAULT_descriptor_swizzle
        const u64 da = tw_wgmma_desc<64>(from, 16, 1024);
#else
        const u64 da = tw_wgmma_desc<128>(from, 16, 1024);
#endif
#if FAULT_descriptor_stride
        const u64 db = tw_wgmma_desc<128>(from + 8192, 16, 512);
#else
        const u64 db = tw_wgmma_desc<128>(from + 8192, 16, 1024);
#endif
#if !FAULT_no_wgmma_fence
        tw_wgmma_fence();
#endif
        #pragma unroll
        for (i32 j = 0; j < 4; j++) {
#if FAULT_k_step
          tw_wgmma_m64n64k16_f32_bf16<0>(acc, da + 2 * j, db + 2 * (j ^ 1), (k | j) != 0);
#else
          tw_wgmma_m64n64k16_f32_bf16<0>(acc, da + 2 * j, db + 2 * j, (k | j) != 0);
#endif
        }
#if !FAULT_no_wgmma_commit
        tw_wgmma_commit();
#endif
#if FAULT_early_free
        if (lane == 0) tw_mbarrier_arrive(empty + 8 * stage);
        tw_wgmma_wait<1>();
#else
        tw_wgmma_wait<1>();
#if !FAULT_never_free
        if (k > 0 && lane == 0) tw_mbarrier_arrive(empty + 8 * last);
#endif
#endif
        last = stage;
        if (++stage == 3) {
          stage = 0;
          phase ^= 1;
        }
      }
#if !FAULT_no_wgmma_wait
      tw_wgmma_wait<0>();
#endif
#if !FAULT_early_free && !FAULT_never_free
      if (steps > 0 && lane == 0) tw_mbarrier_arrive(empty + 8 * last);
#endif
#if !FAULT_no_wgmma_wait
      tw_wgmma_keep<32>(acc);
#endif
#if !FAULT_no_read_wait
      if (lane == 0) tw_tma_store_wait_read<0>();
#endif
      tw_syncwarp();
      #pragma unroll
      for (i32 q = 0; q < 4; q++) {
        u32 out[4];
        #pragma unroll
        for (i32 r = 0; r < 4; r++) {
#if FAULT_swapped_fragment
          out[r] = tw_pack_bf16x2(acc[8 * q + 2 * r + 1], acc[8 * q + 2 * r]);
#else
          out[r] = tw_pack_bf16x2(acc[8 * q + 2 * r], acc[8 * q + 2 * r + 1]);
#endif
        }
#if FAULT_panel_swizzle
        const i32 chunk = 2 * q + (lane >> 4);
#else
        const i32 chunk = (2 * q + (lane >> 4)) ^ (lane & 7);
#endif
        tw_stmatrix_x4(panel + 128 * (lane & 15) + 16 * chunk, out[0], out[1], out[2], out[3]);
      }
#if !FAULT_no_proxy_fence && !FAULT_late_proxy_fence
      tw_fence_proxy_async();
#endif
#if !FAULT_no_panel_sync
      tw_syncwarp();
#endif
#if FAULT_late_proxy_fence
      tw_fence_proxy_async();
#endif
      if (lane == 0) {
        tw_tma_store_2d(&map_c, panel, n0, m0 + 16 * warp);
#if !FAULT_no_store_commit
        tw_tma_store_commit();
#endif
      }
    }
    if (lane == 0) tw_tma_store_wait_read<0>();
  }
}
`;

/** The kernel's text with one mistake. Entry `gemm`; arguments a, b, c, M, N, K, maps of a, b (64 x 64) and c (16 x 64). */
export function wgmmaGemmText(fault: WgmmaFault): string {
  const flags = WGMMA_FAULTS.map((name) => `FAULT_${name.replaceAll("-", "_")}`);
  const planted = `FAULT_${fault.replaceAll("-", "_")}`;
  return [
    ...flags.map((flag) => `#define ${flag} ${flag === planted ? 1 : 0}`),
    BODY,
    ...flags.map((flag) => `#undef ${flag}`),
  ].join("\n");
}
