/** [test/support] The rounding of tensor-core sums of f16, bf16 and tf32 products. */
#pragma once
#include "../device/types.h"

namespace emu {

/**
 * sums[j] += sum over k of a[k] b[k * columns + j], as one tensor-core step rounds it.
 * The addend and all products, exact, are cut towards zero to 25 bits below the largest exponent among them
 * (that of a product is the
 * sum of its factors' exponents), added exactly, and the sum is cut towards zero to an f32.
 * @source fitted to mma.sync and wgmma results of an H200: 143,000 sums, every one equal
 */
void accumulateRow(f32* sums, const f32* a, const f32* b, u32 columns, u32 depth);

}  // namespace emu
