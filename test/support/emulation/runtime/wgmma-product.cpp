/** [test/support] The multiplication of one wgmma: operands gathered by descriptor or fragment, sums in the tensor core's rounding. */
#include "wgmma-product.h"
#include <cstring>
#include "tensor-core.h"
#include "wgmma-operand.h"

namespace emu {

static constexpr u32 ROWS = 64;

static f32 floatOf(Wgmma kind, const u8* from) {
  u16 half;
  switch (kind) {
    case Wgmma::bf16:
      std::memcpy(&half, from, 2);
      return __builtin_bit_cast(f32, (u32)half << 16);
    case Wgmma::f16:
      std::memcpy(&half, from, 2);
      return widenF16(half);
    case Wgmma::e4m3:
      return widenE4m3(*from);
    case Wgmma::e5m2:
      return widenE5m2(*from);
    case Wgmma::s8:
      return (f32)(i8)*from;
  }
  return 0;
}

/** Operands as numbers: a by rows, b by k. Integers of 8 bits are exact as f32. */
struct Operands {
  u32 n, depth;
  std::vector<f32> a, b;
};

/** Calls place(row, k, element) for the elements of a shared operand; what lies outside of shared memory reads as NaN. */
template <class F>
static void eachElement(const std::vector<u8>& memory, const WgmmaForm& form, u64 descriptor, bool isTransposed, u32 rows,
                        F place) {
  const u32 size = isHalf(form.kind) ? 2 : 1;
  eachOperandChunk(Operand(descriptor), isTransposed, 0, rows, 16 / size, [&](u32 address, u32 row, u32 k) {
    u8 chunk[16];
    std::memset(chunk, 0xff, 16);
    if (address >= SHARED_BASE && address + 16 <= memory.size()) std::memcpy(chunk, &memory[address], 16);
    for (u32 i = 0; i < 16 / size; i++) {
      place(isTransposed ? row + i : row, isTransposed ? k : k + i, floatOf(form.kind, chunk + i * size));
    }
  });
}

/** Fragments of a: as those of mma.sync, each warp 16 rows. */
static void gatherA(const WgmmaOperation& operation, Operands& to) {
  const u32 size = isHalf(operation.form.kind) ? 2 : 1, per = 4 / size;
  for (u32 thread = 0; thread < 128; thread++) {
    const u32 lane = thread % 32;
    for (u32 r = 0; r < 4; r++) {
      const u32 row = thread / 32 * 16 + lane / 4 + r % 2 * 8, k = lane % 4 * per + r / 2 * (to.depth / 2);
      const u8* from = (const u8*)&operation.aRegisters[thread][r];
      for (u32 i = 0; i < per; i++) to.a[row * to.depth + k + i] = floatOf(operation.form.kind, from + i * size);
    }
  }
}

static Operands gather(const std::vector<u8>& memory, const WgmmaOperation& operation) {
  const WgmmaForm& form = operation.form;
  Operands to;
  to.n = form.n;
  to.depth = isHalf(form.kind) ? 16 : 32;
  to.a.resize(ROWS * to.depth);
  to.b.resize(to.depth * to.n);
  if (form.aFromRegisters) {
    gatherA(operation, to);
  } else {
    eachElement(memory, form, operation.a, form.transposed & 1, ROWS,
                [&](u32 row, u32 k, f32 x) { to.a[row * to.depth + k] = x; });
  }
  eachElement(memory, form, operation.b, form.transposed & 2, to.n,
              [&](u32 column, u32 k, f32 x) { to.b[k * to.n + column] = x; });
  return to;
}

/** The register and thread that hold d[row, column]. */
static u32& resultAt(const WgmmaOperation& operation, u32 row, u32 column) {
  const u32 thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
  return operation.accumulators[thread]->bits[column / 8 * 4 + row % 16 / 8 * 2 + column % 2];
}

static void addIntegers(const WgmmaOperation& operation, const Operands& from, u32 row) {
  for (u32 column = 0; column < from.n; column++) {
    u32& result = resultAt(operation, row, column);
    u32 sum = operation.accumulate ? result : 0;
    for (u32 k = 0; k < from.depth; k++) {
      sum += (u32)((i32)from.a[row * from.depth + k] * (i32)from.b[k * from.n + column]);
    }
    result = sum;
  }
}

static void addFloats(const WgmmaOperation& operation, const Operands& from, const Factors& factors, u32 row) {
  f32 sums[256];
  for (u32 column = 0; column < from.n; column++) {
    sums[column] = operation.accumulate ? __builtin_bit_cast(f32, resultAt(operation, row, column)) : 0.0f;
  }
  const Precision precision = isHalf(operation.form.kind) ? WIDE_SUMS : NARROW_SUMS;
  accumulateRow(sums, &from.a[row * from.depth], factors, precision);
  for (u32 column = 0; column < from.n; column++) {
    resultAt(operation, row, column) = __builtin_bit_cast(u32, sums[column]);
  }
}

void multiplyWarpgroup(const std::vector<u8>& memory, const WgmmaOperation& operation) {
  const Operands from = gather(memory, operation);
  const Factors factors(from.b.data(), from.n, from.depth);
  for (u32 row = 0; row < ROWS; row++) {
    if (operation.form.kind == Wgmma::s8) {
      addIntegers(operation, from, row);
    } else {
      addFloats(operation, from, factors, row);
    }
  }
}

}  // namespace emu
