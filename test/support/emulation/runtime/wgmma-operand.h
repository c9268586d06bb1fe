/** [test/support] Where the elements of a wgmma operand lie in shared memory, by its descriptor. */
#pragma once
#include "tensor-map.h"

namespace emu {

/** What a 64-bit descriptor says, in bytes. @source results of an H200 for all four swizzles, K-major and transposed */
struct Operand {
  u32 start, leading, stride, swizzle, baseOffset;

  explicit Operand(u64 bits)
      : start((u32)(bits & 0x3fff) << 4),
        leading((u32)(bits >> 16 & 0x3fff) << 4),
        stride((u32)(bits >> 32 & 0x3fff) << 4),
        swizzle(MODES[bits >> 62]),
        baseOffset((u32)(bits >> 49 & 7)) {}

  /** Chunk `column` (16 bytes along k) of row `row` of a K-major operand. */
  u32 kMajor(u32 row, u32 column) const {
    const u32 within = swizzle ? row % 8 * swizzle + column * 16 : row % 8 * 16 + column * leading;
    return swizzled(start + row / 8 * stride + within, swizzle);
  }

  /** Eight rows from 8 * `group` on, at one k, of a transposed operand of 16-bit elements. */
  u32 transposed(u32 group, u32 k) const {
    if (!swizzle) return start + group * stride + k / 8 * leading + k % 8 * 16;
    const u32 groups = swizzle / 16;
    return swizzled(start + group / groups * leading + k / 8 * stride + k % 8 * swizzle + group % groups * 16, swizzle);
  }

 private:
  static constexpr u32 MODES[4] = {0, 128, 64, 32};
};

constexpr u32 K_BYTES = 32;

/** Calls visit(address, row, k): 16 bytes there hold elements from (row, k) on, along k or, where transposed, along rows. */
template <class F>
void eachOperandChunk(const Operand& operand, bool isTransposed, u32 firstRow, u32 rows, u32 perChunk, F visit) {
  if (isTransposed) {
    for (u32 row = firstRow; row < firstRow + rows; row += 8) {
      for (u32 k = 0; k < K_BYTES / 2; k++) visit(operand.transposed(row / 8, k), row, k);
    }
    return;
  }
  for (u32 row = firstRow; row < firstRow + rows; row++) {
    for (u32 column = 0; column < K_BYTES / 16; column++) {
      visit(operand.kMajor(row, column), row, column * perChunk);
    }
  }
}

}  // namespace emu
