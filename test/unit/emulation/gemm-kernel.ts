/** [test/unit/emulation] A GEMM as text, in the form the compiler emits: cp.async stages, ldmatrix, mma.sync, masks; with faults to plant. */

/** Mistakes that a compiler could make here. Each is one edit of the text. */
export const GEMM_FAULTS = [
  "none",
  "no-barrier",
  "no-wait",
  "wait-one-less",
  "no-commit",
  "stage-in-use",
  "stage-past-end",
  "no-prologue",
  "no-shared-base",
  "load-mask",
  "store-mask",
  "store-columns",
  "wrong-swizzle",
  "swapped-fragment",
  "wrong-row",
  "divergent-barrier",
  "copies-left",
  "misaligned",
] as const;

export type GemmFault = (typeof GEMM_FAULTS)[number];

/** Threads of a block, its tile of C, and its dynamic shared memory. */
export const GEMM = {
  threads: 128,
  tileM: 32,
  tileN: 32,
  tileK: 32,
  stages: 3,
  sharedBytes: 3 * 4096,
} as const;

const BODY = `
// C[M, N] = A[M, K] B[N, K]^T, f16 inputs, K a multiple of 8. Stage: A rows, then B rows, 64 bytes each, 16-byte chunks XORed by row / 2.
TW_DEV u32 chunk_at(u32 tile, i32 row, i32 chunk) { return tile + row * 64 + ((chunk ^ (row >> 1 & 3)) << 4); }
TW_DEV u32 chunk_read(u32 tile, i32 row, i32 chunk) {
#if FAULT_wrong_swizzle
  return tile + row * 64 + ((chunk ^ (row & 3)) << 4);
#else
  return chunk_at(tile, row, chunk);
#endif
}
TW_DEV void issue(u32 base, const tw_f16* a, const tw_f16* b, i32 m0, i32 n0, i32 k0, i32 stage, i32 M, i32 N, i32 K) {
  const u32 tile = base + stage * 4096;
  const i32 row = tw_tid() >> 2;
  const i32 chunk = tw_tid() & 3;
  const i32 k = k0 + chunk * 8;
#if FAULT_load_mask
  const bool in_a = m0 + row <= M && k < K;
#else
  const bool in_a = m0 + row < M && k < K;
#endif
  const bool in_b = n0 + row < N && k < K;
#if FAULT_misaligned
  tw_cp_async_16_zfill(chunk_at(tile, row, chunk), a + (m0 + row) * K + k + (in_a ? 1 : 0), in_a ? 16u : 0u);
#else
  tw_cp_async_16_zfill(chunk_at(tile, row, chunk), a + (m0 + row) * K + k, in_a ? 16u : 0u);
#endif
  tw_cp_async_16_zfill(chunk_at(tile + 2048, row, chunk), b + (n0 + row) * K + k, in_b ? 16u : 0u);
}
TW_KERNEL(128) gemm(const tw_f16* a, const tw_f16* b, f32* c, i32 M, i32 N, i32 K) {
  const i32 lane = tw_lane();
  const i32 m0 = tw_bid_y() * 32;
  const i32 n0 = tw_bid_x() * 32;
  const i32 warp_m = (tw_warp() >> 1) * 16;
  const i32 warp_n = (tw_warp() & 1) * 16;
#if FAULT_no_shared_base
  const u32 base = 0;
#else
  const u32 base = tw_smem_dyn();
#endif
  tw_label(base, 12288, "stages");
  f32 acc[2][4];
  #pragma unroll
  for (i32 j = 0; j < 2; j++) {
    #pragma unroll
    for (i32 r = 0; r < 4; r++) acc[j][r] = 0.0f;
  }
  const i32 steps = tw_floordiv_i32(K + 31, 32);
#if !FAULT_no_prologue
  for (i32 s = 0; s < 2; s++) {
    if (s < steps) issue(base, a, b, m0, n0, s * 32, s, M, N, K);
    tw_cp_async_commit();
  }
#endif
  for (i32 t = 0; t < steps; t++) {
#if FAULT_wait_one_less
    tw_cp_async_wait<2>();
#elif !FAULT_no_wait
    tw_cp_async_wait<1>();
#endif
#if FAULT_divergent_barrier
    if (tw_tid() < 64) tw_syncthreads();
#elif !FAULT_no_barrier
    tw_syncthreads();
#endif
#if FAULT_copies_left
    if (true)
#else
    if (t + 2 < steps)
#endif
#if FAULT_stage_in_use
      issue(base, a, b, m0, n0, (t + 2) * 32, t % 3, M, N, K);
#elif FAULT_stage_past_end
      issue(base, a, b, m0, n0, (t + 2) * 32, (t + 2) % 4, M, N, K);
#else
      issue(base, a, b, m0, n0, (t + 2) * 32, (t + 2) % 3, M, N, K);
#endif
#if !FAULT_no_commit
    tw_cp_async_commit();
#endif
    const u32 tile = base + (t % 3) * 4096;
    #pragma unroll
    for (i32 kk = 0; kk < 2; kk++) {
      u32 fa[4];
      u32 fb[4];
#if FAULT_wrong_row
      tw_ldmatrix_x4(fa, chunk_read(tile, warp_m + (lane & 7) + (lane >> 4) * 8, kk * 2 + (lane >> 3 & 1)));
#else
      tw_ldmatrix_x4(fa, chunk_read(tile, warp_m + (lane & 15), kk * 2 + (lane >> 4)));
#endif
      tw_ldmatrix_x4(fb, chunk_read(tile + 2048, warp_n + (lane & 7) + (lane >> 4) * 8, kk * 2 + (lane >> 3 & 1)));
#if FAULT_swapped_fragment
      const u32 swap = fb[0];
      fb[0] = fb[1];
      fb[1] = swap;
#endif
      #pragma unroll
      for (i32 j = 0; j < 2; j++) tw_mma_m16n8k16_f32_f16(acc[j], fa, &fb[2 * j]);
    }
  }
  #pragma unroll
  for (i32 j = 0; j < 2; j++) {
    #pragma unroll
    for (i32 r = 0; r < 4; r++) {
      const i32 row = m0 + warp_m + (lane >> 2) + (r >> 1) * 8;
      const i32 column = n0 + warp_n + j * 8 + (lane & 3) * 2 + (r & 1);
#if FAULT_store_mask
      if (row <= M && column < N) tw_stg<f32>(c + row * N + column, acc[j][r]);
#elif FAULT_store_columns
      if (row < M && column <= N) tw_stg<f32>(c + row * N + column, acc[j][r]);
#else
      if (row < M && column < N) tw_stg<f32>(c + row * N + column, acc[j][r]);
#endif
    }
  }
}
`;

/** The kernel's text with one mistake. Entry `gemm`; arguments a, b, c, M, N, K. */
export function gemmText(fault: GemmFault): string {
  const flags = GEMM_FAULTS.map((name) => `FAULT_${name.replaceAll("-", "_")}`);
  const planted = `FAULT_${fault.replaceAll("-", "_")}`;
  return [
    ...flags.map((flag) => `#define ${flag} ${flag === planted ? 1 : 0}`),
    BODY,
    ...flags.map((flag) => `#undef ${flag}`),
  ].join("\n");
}
