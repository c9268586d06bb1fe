/** [runtime/peers/text] Attention in double precision by plain loops, for the check of whole outputs. Stands behind check.cuh. Nothing tuned. */
// D: head dim. ROWS queries of a head and KEYS keys a time; 256 threads, those of a row side by side. q, k, v are of X_KIND.

#define LEAST __longlong_as_double((i64)0xfff0000000000000ull)

constexpr u32 ACROSS = 256 / ROWS, SUMS = (D + ACROSS - 1) / ACROSS;

// o[b][l][hq][d] = softmax over the keys that a query sees of scale * q . k, times v. Grid: blocks of queries, heads of q, batches.
extern "C" __global__ void __launch_bounds__(256) reference_attention(const void* q, const void* k, const void* v, double* o, u32 L, u32 LK, u32 HQ, u32 HKV, u32 causal, double scale) {
  __shared__ float query[ROWS][D + 1], key[KEYS][D + 1], value[KEYS][D + 1];
  __shared__ double weight[ROWS][KEYS + 1];
  const u32 head = blockIdx.y, shared = head / (HQ / HKV), row = threadIdx.x / ACROSS, lane = threadIdx.x % ACROSS;
  const i64 first = (i64)blockIdx.x * ROWS, batch = blockIdx.z, position = first + row + (i64)LK - L;
  for (u32 i = threadIdx.x; i < ROWS * D; i += 256) {
    const i64 at = first + i / D;
    query[i / D][i % D] = at < L ? (float)element<X_KIND>(q, ((batch * L + at) * HQ + head) * D + i % D) : 0.0f;
  }
  double most = LEAST, total = 0, sums[SUMS] = {};
  const i64 seen = causal ? first + ROWS + (i64)LK - L : LK, end = seen < LK ? seen : LK;
  for (i64 n = 0; n < end; n += KEYS) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < KEYS * D; i += 256) {
      const i64 at = n + i / D, from = ((batch * LK + at) * HKV + shared) * D + i % D;
      key[i / D][i % D] = at < LK ? (float)element<X_KIND>(k, from) : 0.0f;
      value[i / D][i % D] = at < LK ? (float)element<X_KIND>(v, from) : 0.0f;
    }
    __syncthreads();
    for (u32 j = lane; j < KEYS; j += ACROSS) {
      double sum = 0;
      for (u32 c = 0; c < D; ++c) sum += (double)query[row][c] * key[j][c];
      weight[row][j] = n + j < LK && (!causal || n + j <= position) ? sum * scale : LEAST;
    }
    __syncthreads();
    double top = most;
    for (u32 j = 0; j < KEYS; ++j) top = fmax(top, weight[row][j]);
    const double kept = most == top ? 1.0 : exp(most - top);
    double trip = 0;
    for (u32 i = 0; i < SUMS; ++i) sums[i] *= kept;
    for (u32 j = 0; j < KEYS && top > LEAST; ++j) {
      const double p = exp(weight[row][j] - top);
      trip += p;
#pragma unroll
      for (u32 i = 0; i < SUMS; ++i)
        if (lane + i * ACROSS < D) sums[i] += p * value[j][lane + i * ACROSS];
    }
    total = total * kept + trip;
    most = top;
  }
  if (first + row >= L) return;
  for (u32 i = 0; i < SUMS; ++i)
    if (lane + i * ACROSS < D) o[((batch * L + first + row) * HQ + head) * D + lane + i * ACROSS] = total > 0 ? sums[i] / total : 0.0;
}
