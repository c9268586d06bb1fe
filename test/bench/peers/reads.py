"""[test/bench/peers] The fastest plain reads of two tensors that we know of, as a roof for kernels that read each byte once; they compute nothing."""
import torch
from attention import SMS, compile_text, pointer, word

SLOTS, CHUNK = 6, 32768
VECTORS, THREADS = 8, 512

SOURCE = r"""
typedef unsigned int u32;
typedef unsigned long long u64;
// Every thread has VECTORS loads of 16 bytes on their way; neighbours read neighbours.
extern "C" __global__ void __launch_bounds__(THREADS) read_vectors(const uint4* k, const uint4* v, u32* sink, int n) {
  const int step = gridDim.x * THREADS;
  u32 x = 0;
  for (int half = 0; half < 2; ++half) {
    const uint4* p = half ? v : k;
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (; i + (VECTORS - 1) * step < n; i += VECTORS * step) {
      uint4 t[VECTORS];
#pragma unroll
      for (int j = 0; j < VECTORS; ++j)
        asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(t[j].x), "=r"(t[j].y), "=r"(t[j].z), "=r"(t[j].w) : "l"(p + i + j * step));
#pragma unroll
      for (int j = 0; j < VECTORS; ++j) x ^= t[j].x ^ t[j].y ^ t[j].z ^ t[j].w;
    }
    for (; i < n; i += step) x ^= p[i].x ^ p[i].y ^ p[i].z ^ p[i].w;
  }
  if (x == 0x9e3779b9u) *sink = x;
}
// One thread a block keeps SLOTS bulk copies of CHUNK bytes on their way; blocks take chunks in turn.
extern "C" __global__ void read_bulk(const char* k, const char* v, u32* sink, int chunks) {
  extern __shared__ __align__(128) char ring[];
  __shared__ __align__(8) u64 full[SLOTS];
  if (threadIdx.x != 0) return;
  const u32 base = (u32)__cvta_generic_to_shared(ring), bars = (u32)__cvta_generic_to_shared(full);
  for (int s = 0; s < SLOTS; ++s) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(bars + s * 8) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  const int own = (2 * chunks - (int)blockIdx.x + (int)gridDim.x - 1) / (int)gridDim.x;
  for (int i = 0; i < own + SLOTS; ++i) {
    const u32 slot = i % SLOTS, bar = bars + slot * 8;
    if (i >= SLOTS && i - SLOTS < own) {
      u32 done = 0;
      while (!done)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(bar), "r"((u32)((i / SLOTS - 1) & 1)) : "memory");
    }
    if (i >= own) continue;
    const int c = blockIdx.x + i * gridDim.x;
    const char* from = c < chunks ? k + (u64)c * CHUNK : v + (u64)(c - chunks) * CHUNK;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(bar), "r"(CHUNK) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(base + slot * CHUNK), "l"(from), "r"(CHUNK), "r"(bar) : "memory");
  }
}
"""


def readers(launcher, k, v, size):
    """Launches that read `size` bytes, one half of `k` and one of `v`, by name. launcher: as peers/decode.py has it."""
    sink = torch.zeros(1, dtype=torch.int32, device="cuda")
    tensors = [pointer(t) for t in (k, v, sink)]
    defines = [f"SLOTS={SLOTS}", f"CHUNK={CHUNK}", f"VECTORS={VECTORS}", f"THREADS={THREADS}"]
    vectors = compile_text(SOURCE, "read_vectors", 0, defines)
    bulk = compile_text(SOURCE, "read_bulk", SLOTS * CHUNK, defines)
    of = lambda function, blocks, threads, shared, n: launcher(function, (blocks, 1, 1), threads, shared, [*tensors, word(n)])
    runs = {f"read by {blocks} x {THREADS} threads": of(vectors, SMS * blocks, THREADS, 0, size // 32) for blocks in (1, 2, 4)}
    return {**runs, "read by bulk copies": of(bulk, SMS, 32, SLOTS * CHUNK, size // 2 // CHUNK)}
