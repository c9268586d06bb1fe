/** [runtime/peers/text] Products in double precision by plain loops, and the comparison of whole outputs with them. Nothing tuned. */
// X_KIND, BIAS_KIND and Y_KIND: 0 f32, 1 f16, 2 bf16, 3 f8e4m3, 4 f8e5m2, 5 i8, 6 i32.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// Bits of a float with `exponent` and `mantissa` fields of the given widths, as a float; NaN and infinity are kept.
template <u32 EXPONENT, u32 MANTISSA, bool HAS_INFINITY>
__device__ __forceinline__ float widen(u32 bits) {
  const u32 sign = (bits >> (EXPONENT + MANTISSA)) << 31;
  const u32 exponent = (bits >> MANTISSA) & ((1u << EXPONENT) - 1), mantissa = bits & ((1u << MANTISSA) - 1);
  const u32 bias = (1u << (EXPONENT - 1)) - 1, top = (1u << EXPONENT) - 1;
  if (exponent == 0) {
    const float tiny = __uint_as_float((128 - bias - MANTISSA) << 23) * (float)mantissa;
    return sign ? -tiny : tiny;
  }
  const bool isSpecial = exponent == top && (HAS_INFINITY || mantissa == (1u << MANTISSA) - 1);
  const u32 wide = isSpecial ? 255 : exponent + 127 - bias;
  return __uint_as_float(sign | wide << 23 | mantissa << (23 - MANTISSA));
}

template <u32 KIND>
__device__ __forceinline__ double element(const void* data, i64 i) {
  if (KIND == 0) return ((const float*)data)[i];
  if (KIND == 1) return widen<5, 10, true>(((const u16*)data)[i]);
  if (KIND == 2) return __uint_as_float((u32)((const u16*)data)[i] << 16);
  if (KIND == 3) return widen<4, 3, false>(((const u8*)data)[i]);
  if (KIND == 4) return widen<5, 2, true>(((const u8*)data)[i]);
  if (KIND == 5) return ((const signed char*)data)[i];
  return ((const int*)data)[i];
}

// The scale of an element of an operand with `rows` rows. mode: 0 none, 1 one for all, 2 one a row, 3 [groups of 128 columns][rows],
// 4 [groups of 128 rows][groups of 128 columns].
__device__ __forceinline__ double scale_at(const float* scale, u32 mode, i64 row, i64 k, i64 rows, i64 columns) {
  if (mode == 0 || row >= rows || k >= columns) return 1;
  if (mode == 1) return scale[0];
  if (mode == 2) return scale[row];
  return scale[mode == 3 ? k / 128 * rows + row : row / 128 * ((columns + 127) / 128) + k / 128];
}

// y[m][n] = sum over k of x[m][k] * w[n][k], plus bias[n] where there is one. Blocks of 64 by 64, 256 threads, 4 by 4 sums each.
extern "C" __global__ void __launch_bounds__(256) reference_product(const void* x, const void* w, const void* bias, double* y, u32 M, u32 N, u32 K, const float* x_scale, u32 x_mode, const float* w_scale, u32 w_mode) {
  __shared__ double a[16][65], b[16][65];
  const u32 tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const i64 m0 = (i64)blockIdx.y * 64, n0 = (i64)blockIdx.x * 64;
  double sum[4][4] = {};
  for (u32 k0 = 0; k0 < K; k0 += 16) {
    for (u32 i = threadIdx.x; i < 1024; i += 256) {
      const u32 row = i / 16, k = i % 16;
      const bool inside = k0 + k < K;
      a[k][row] = inside && m0 + row < M ? element<X_KIND>(x, (m0 + row) * K + k0 + k) * scale_at(x_scale, x_mode, m0 + row, k0 + k, M, K) : 0.0;
      b[k][row] = inside && n0 + row < N ? element<X_KIND>(w, (n0 + row) * K + k0 + k) * scale_at(w_scale, w_mode, n0 + row, k0 + k, N, K) : 0.0;
    }
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < 16; ++k)
#pragma unroll
      for (u32 i = 0; i < 4; ++i)
#pragma unroll
        for (u32 j = 0; j < 4; ++j) sum[i][j] += a[k][ty + 16 * i] * b[k][tx + 16 * j];
    __syncthreads();
  }
  for (u32 i = 0; i < 4; ++i)
    for (u32 j = 0; j < 4; ++j) {
      const i64 m = m0 + ty + 16 * i, n = n0 + tx + 16 * j;
      if (m < M && n < N) y[m * N + n] = sum[i][j] + (bias ? element<BIAS_KIND>(bias, n) : 0.0);
    }
}

// largest[0] = the greatest Euclidean norm of a row, as the bits of a double. One block a row.
extern "C" __global__ void __launch_bounds__(256) largest_row_norm(const void* x, u32 columns, const float* scale, u32 mode, u64* largest) {
  __shared__ double partial[256];
  double sum = 0;
  for (u32 i = threadIdx.x; i < columns; i += 256) {
    const double v = element<X_KIND>(x, (i64)blockIdx.x * columns + i) * scale_at(scale, mode, blockIdx.x, i, gridDim.x, columns);
    sum += v * v;
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (u32 i = 1; i < 256; ++i) sum += partial[i];
  atomicMax(largest, (u64)__double_as_longlong(sqrt(sum)));
}

// found: mismatches, index of the first, greatest error over its bound (bits of a double), sums of squared errors and references (doubles).
extern "C" __global__ void __launch_bounds__(256) compare_output(const void* y, const double* want, i64 count, double relative, double absolute, u64* found) {
  double errors = 0, squares = 0, worst = 0;
  u64 mismatches = 0, first = ~0ull;
  for (i64 i = (i64)blockIdx.x * 256 + threadIdx.x; i < count; i += (i64)gridDim.x * 256) {
    const double expected = want[i], error = fabs(element<Y_KIND>(y, i) - expected), bound = relative * fabs(expected) + absolute;
    if (!(error <= bound)) {
      ++mismatches;
      if (first == ~0ull) first = i;
    }
    if (bound > 0 && error / bound > worst) worst = error / bound;
    errors += error * error;
    squares += expected * expected;
  }
  if (mismatches) {
    atomicAdd(&found[0], mismatches);
    atomicMin(&found[1], first);
  }
  atomicMax(&found[2], (u64)__double_as_longlong(worst));
  atomicAdd((double*)&found[3], errors);
  atomicAdd((double*)&found[4], squares);
}

// The same for values of a bias.
extern "C" __global__ void __launch_bounds__(256) largest_bias(const void* x, u32 count, u64* largest) {
  double most = 0;
  for (u32 i = threadIdx.x; i < count; i += 256) most = fmax(most, fabs(element<BIAS_KIND>(x, i)));
  atomicMax(largest, (u64)__double_as_longlong(most));
}
