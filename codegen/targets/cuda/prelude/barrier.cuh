/** [codegen/targets/cuda] Barriers and fences of threads. Waits for asynchronous copies are in async-copy.cuh. */

// Volatile like the accesses of shared.cuh, so that the compiler keeps their order.
TW_DEV void tw_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }

TW_DEV void tw_syncwarp() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

TW_DEV void tw_bar_sync(u32 id, u32 threads) {
  asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

TW_DEV void tw_bar_arrive(u32 id, u32 threads) {
  asm volatile("bar.arrive %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

TW_DEV void tw_threadfence() { __threadfence(); }
