/** [test/support] The rounding of tensor-core sums. */
#pragma once
#include <vector>
#include "../device/types.h"

namespace emu {

/** Bits below the largest exponent that terms keep, and fraction bits that the sum keeps. */
struct Precision {
  i32 kept;
  u32 fraction;
};
/** f16, bf16 and tf32. @source fitted to mma.sync and wgmma results of an H200: 143,000 sums, every one equal */
constexpr Precision WIDE_SUMS = {25, 23};
/** wgmma of 8-bit floats. @source fitted to results of an H200, every one equal */
constexpr Precision NARROW_SUMS = {13, 13};

/** The second factor of some sums, b[k * columns + j], at most 32 x 256, with what is computed from it once. */
struct Factors {
  const f32* b;
  u32 columns;
  u32 depth;
  std::vector<i32> exponents;
  /** All exponents lie where products and their scaling are exact in f32. */
  bool isModest;

  Factors(const f32* b, u32 columns, u32 depth);
};

/**
 * sums[j] += sum over k of a[k] b[k * columns + j], as one tensor-core step rounds it.
 * The addend and all products, exact, are cut towards zero to some bits below the largest exponent among them (that of a product is the
 * sum of its factors' exponents), added exactly, and the sum is cut towards zero.
 */
void accumulateRow(f32* sums, const f32* a, const Factors& factors, Precision precision);

}  // namespace emu
