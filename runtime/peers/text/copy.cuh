/** [runtime/peers/text] A plain copy of 16-byte words, to find the bandwidth of a device. */

struct __align__(16) Word {
  unsigned int x, y, z, w;
};

// Four words a thread, a block's words apart, so that each access of a warp is one line after the other.
extern "C" __global__ void __launch_bounds__(512) copy_words(const Word* from, Word* to, unsigned long long count) {
  const unsigned long long base = (unsigned long long)blockIdx.x * 2048 + threadIdx.x;
  Word held[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (base + 512 * i < count) held[i] = from[base + 512 * i];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (base + 512 * i < count) to[base + 512 * i] = held[i];
}
