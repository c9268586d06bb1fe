/** [codegen/targets/cuda] Order of wgmma, its descriptors, and registers by warpgroup. The multiplications are made by wgmma-text.ts. */

// 18-bit addresses in units of 16 bytes; the swizzle as 0 none, 1 128 bytes, 2 64, 3 32.
template <int N> TW_DEV u64 tw_wgmma_desc(u32 address, u32 leading, u32 stride) {
  static_assert(N == 0 || N == 32 || N == 64 || N == 128, "bytes of a swizzle");
  constexpr u64 mode = N == 128 ? 1 : N == 64 ? 2 : N == 32 ? 3 : 0;
  return (u64)((address & 0x3ffffu) >> 4) | (u64)((leading & 0x3ffffu) >> 4) << 16 |
         (u64)((stride & 0x3ffffu) >> 4) << 32 | mode << 62;
}

TW_DEV void tw_wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

TW_DEV void tw_wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

template <int N> TW_DEV void tw_wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory");
}

// ptxas moves a wait ahead of what stands before it, but not out of a branch. The texts differ, so that the two ways stay two.
template <int N> TW_DEV void tw_wgmma_wait_behind(bool either) {
  if (either) asm volatile("// either\nwgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory");
  else asm volatile("// or\nwgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory");
}

template <int N> TW_DEV void tw_wgmma_keep(f32* d) {
#pragma unroll
  for (i32 i = 0; i < N; i++) asm volatile("" : "+f"(d[i]) :: "memory");
}

template <int N> TW_DEV void tw_wgmma_keep_s32(i32* d) {
#pragma unroll
  for (i32 i = 0; i < N; i++) asm volatile("" : "+r"(d[i]) :: "memory");
}

// With the number of blocks that an SM shall hold, ptxas knows the registers at entry and takes setmaxnreg.
#define TW_KERNEL_PER_SM(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)

template <int N> TW_DEV void tw_setmaxnreg_inc() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(N));
}

template <int N> TW_DEV void tw_setmaxnreg_dec() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(N));
}
