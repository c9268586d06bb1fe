/** [test/support] The rounding of tensor-core sums. */
#include "tensor-core.h"
#include <cmath>
#include <cstring>

namespace emu {

static constexpr i32 NO_EXPONENT = -1000;
/** What exponentOf gives for infinities and NaN. */
static constexpr i32 NOT_FINITE = 128;

static i32 exponentOf(f32 x) {
  const u32 size = __builtin_bit_cast(u32, x) & 0x7fffffffu;
  return size ? (i32)(size >> 23) - 127 : NO_EXPONENT;
}

/**
 * The power of two as a double; exponents beyond its normal range are clamped, their terms vanish or are not
 * finite anyway.
 */
static double powerOfTwo(i32 exponent) {
  const i32 clamped = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
  return __builtin_bit_cast(double, (u64)(clamped + 1023) << 52);
}

static f32 cutToF32(double x, u32 fraction) {
  if (std::fabs(x) < 0x1p-126) return (f32)(std::trunc(x * 0x1p149) * 0x1p-149);
  return (f32)__builtin_bit_cast(double, __builtin_bit_cast(u64, x) & ~((1ull << (52 - fraction)) - 1));
}

static f32 plainSum(f32 sum, const f32* a, const f32* b, u32 columns, u32 depth) {
  for (u32 k = 0; k < depth; k++) sum += a[k] * b[k * columns];
  return sum;
}

static f32 accumulate(f32 sum, const f32* a, const i32* ea, const f32* b, u32 columns, u32 depth,
                      Precision precision) {
  i32 largest = exponentOf(sum);
  bool isFinite = largest < NOT_FINITE;
  for (u32 k = 0; k < depth; k++) {
    const i32 eb = exponentOf(b[k * columns]);
    largest = ea[k] + eb > largest ? ea[k] + eb : largest;
    isFinite = isFinite && ea[k] < NOT_FINITE && eb < NOT_FINITE;
  }
  if (!isFinite) return plainSum(sum, a, b, columns, depth);
  if (largest < -500) return sum;
  const double scale = powerOfTwo(precision.kept - largest);
  i64 total = (i64)((double)sum * scale);
  for (u32 k = 0; k < depth; k++) total += (i64)((double)a[k] * b[k * columns] * scale);
  return cutToF32((double)total * powerOfTwo(largest - precision.kept), precision.fraction);
}

void accumulateRow(f32* sums, const f32* a, const f32* b, u32 columns, u32 depth, Precision precision) {
  i32 ea[64];
  for (u32 k = 0; k < depth; k++) ea[k] = exponentOf(a[k]);
  for (u32 j = 0; j < columns; j++) sums[j] = accumulate(sums[j], a, ea, b + j, columns, depth, precision);
}

}  // namespace emu
