/** [test/support] The rounding of tensor-core sums: a short way for exponents of usual size, in vectors, and one for all others. */
#include "tensor-core.h"
#include <cmath>
#include <cstring>

namespace emu {

static constexpr i32 NO_EXPONENT = -1000;
/** What exponentOf gives for infinities and NaN. */
static constexpr i32 NOT_FINITE = 128;
static constexpr u32 MOST_COLUMNS = 256;
static constexpr u32 MOST_DEPTH = 32;

static i32 exponentOf(f32 x) {
  const u32 size = __builtin_bit_cast(u32, x) & 0x7fffffffu;
  return size ? (i32)(size >> 23) - 127 : NO_EXPONENT;
}

static bool isZeroOrWithin(i32 exponent, i32 low, i32 high) {
  return exponent == NO_EXPONENT || (exponent > low && exponent < high);
}

Factors::Factors(const f32* values, u32 columnCount, u32 depthCount)
    : b(values), columns(columnCount), depth(depthCount), exponents(columnCount * depthCount), isModest(true) {
  for (u32 i = 0; i < columns * depth; i++) {
    exponents[i] = exponentOf(b[i]);
    isModest = isModest && isZeroOrWithin(exponents[i], -45, 48);
  }
}

/**
 * The power of two as a double; exponents beyond its normal range are clamped, their terms vanish or are not
 * finite anyway.
 */
static double powerOfTwo(i32 exponent) {
  const i32 clamped = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
  return __builtin_bit_cast(double, (u64)(clamped + 1023) << 52);
}

static double cutFraction(double x, u32 fraction) {
  return __builtin_bit_cast(double, __builtin_bit_cast(u64, x) & ~((1ull << (52 - fraction)) - 1));
}

static f32 cutToF32(double x, u32 fraction) {
  if (std::fabs(x) < 0x1p-126) return (f32)(std::trunc(x * 0x1p149) * 0x1p-149);
  return (f32)cutFraction(x, fraction);
}

static f32 plainSum(f32 sum, const f32* a, const Factors& factors, u32 column) {
  for (u32 k = 0; k < factors.depth; k++) sum += a[k] * factors.b[k * factors.columns + column];
  return sum;
}

/** One sum, of any numbers. */
static f32 accumulate(f32 sum, const f32* a, const i32* ea, const Factors& factors, u32 column, Precision precision) {
  i32 largest = exponentOf(sum);
  bool isFinite = largest < NOT_FINITE;
  for (u32 k = 0; k < factors.depth; k++) {
    const i32 eb = factors.exponents[k * factors.columns + column];
    largest = ea[k] + eb > largest ? ea[k] + eb : largest;
    isFinite = isFinite && ea[k] < NOT_FINITE && eb < NOT_FINITE;
  }
  if (!isFinite) return plainSum(sum, a, factors, column);
  if (largest < -500) return sum;
  const double scale = powerOfTwo(precision.kept - largest);
  i64 total = (i64)((double)sum * scale);
  for (u32 k = 0; k < factors.depth; k++) {
    total += (i64)((double)a[k] * factors.b[k * factors.columns + column] * scale);
  }
  return cutToF32((double)total * powerOfTwo(largest - precision.kept), precision.fraction);
}

/** Sums of one row where products of f32 and their scaling are exact; two totals, for 17 terms of 27 bits take 32. */
__attribute__((target_clones("avx2", "default"), optimize("O3"))) static void accumulateModest(
    f32* __restrict sums, const f32* __restrict a, const i32* __restrict ea, const f32* __restrict b,
    const i32* __restrict eb, u32 columns, u32 depth, i32 kept, u32 fraction) {
  alignas(64) i32 largest[MOST_COLUMNS], totals[2][MOST_COLUMNS];
  alignas(64) f32 scale[MOST_COLUMNS];
  for (u32 j = 0; j < columns; j++) {
    const u32 size = __builtin_bit_cast(u32, sums[j]) & 0x7fffffffu;
    largest[j] = size ? (i32)(size >> 23) - 127 : NO_EXPONENT;
  }
  for (u32 k = 0; k < depth; k++) {
    const i32 e = ea[k];
    for (u32 j = 0; j < columns; j++) {
      const i32 product = e + eb[k * columns + j];
      largest[j] = product > largest[j] ? product : largest[j];
    }
  }
  for (u32 j = 0; j < columns; j++) {
    largest[j] = largest[j] < -500 ? -100 : largest[j];
    scale[j] = __builtin_bit_cast(f32, (u32)(kept - largest[j] + 127) << 23);
    totals[0][j] = (i32)(sums[j] * scale[j]);
    totals[1][j] = 0;
  }
  for (u32 k = 0; k < depth; k++) {
    const f32 x = a[k];
    i32* __restrict total = totals[k & 1];
    for (u32 j = 0; j < columns; j++) total[j] += (i32)(x * b[k * columns + j] * scale[j]);
  }
  const u64 mask = ~((1ull << (52 - fraction)) - 1);
  for (u32 j = 0; j < columns; j++) {
    const double back = __builtin_bit_cast(double, (u64)(largest[j] - kept + 1023) << 52);
    const double total = ((double)totals[0][j] + (double)totals[1][j]) * back;
    sums[j] = (f32)__builtin_bit_cast(double, __builtin_bit_cast(u64, total) & mask);
  }
}

void accumulateRow(f32* sums, const f32* a, const Factors& factors, Precision precision) {
  i32 ea[MOST_DEPTH];
  bool isModest = factors.isModest;
  for (u32 k = 0; k < factors.depth; k++) {
    ea[k] = exponentOf(a[k]);
    isModest = isModest && isZeroOrWithin(ea[k], -45, 48);
  }
  for (u32 j = 0; j < factors.columns; j++) isModest = isModest && isZeroOrWithin(exponentOf(sums[j]), -90, 97);
  if (isModest) {
    accumulateModest(sums, a, ea, factors.b, factors.exponents.data(), factors.columns, factors.depth, precision.kept,
                     precision.fraction);
    return;
  }
  for (u32 j = 0; j < factors.columns; j++) sums[j] = accumulate(sums[j], a, ea, factors, j, precision);
}

}  // namespace emu
