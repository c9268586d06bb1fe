/** [test/support] ldmatrix, stmatrix and mma.sync: fragment layouts, shared-memory checks, and the products in the tensor core's rounding. */
#include <cstring>
#include "collective.h"
#include "tensor-core.h"

namespace emu {

struct MatrixLane {
  u32* registers;
  u32 address;
  bool isValid;
};

/**
 * Spreads an 8x8 matrix of 16-bit elements, whose row i lies at the address of lane 8 * which + i, over
 * register `which`.
 */
static void spreadMatrix(const Gathering& warp, u32 which, bool transpose) {
  const std::vector<u8>& memory = selfBlock().memory;
  for (u32 row = 0; row < 8; row++) {
    const MatrixLane* source = (MatrixLane*)warp.arguments[which * 8 + row];
    for (u32 column = 0; column < 8; column++) {
      u16 element = 0xffff;
      if (source->isValid) std::memcpy(&element, &memory[source->address + column * 2], 2);
      const u32 lane = transpose ? column * 4 + row / 2 : row * 4 + column / 2;
      const u32 shift = 16 * (transpose ? row & 1 : column & 1);
      u32& to = ((MatrixLane*)warp.arguments[lane])->registers[which];
      to = (to & ~(0xffffu << shift)) | (u32)element << shift;
    }
  }
}

static void countMatrixBanks(const Gathering& warp, u32 which, u32 site) {
  PartialAccess access;
  for (u32 row = 0; row < 8; row++) {
    const MatrixLane* source = (MatrixLane*)warp.arguments[which * 8 + row];
    if (!source->isValid) return;
    access.mask |= 1ull << row;
    access.address[row] = source->address;
  }
  countBankWarp(site, 16, access);
}

void loadMatrix(u32 count, bool transpose, u32* registers, u32 address, const At& at) {
  const u32 site = siteOf(at);
  if (launch->config.warp != 32 || selfBlock().threads.size() % 32) {
    report(Kind::misuse, site, 8, siteText(site) + " needs whole warps of 32 lanes");
    return;
  }
  MatrixLane own{registers, address, false};
  if (laneOf(self()) < 8 * count) {
    own.isValid = checkShared(address, 16, site);
    if (own.isValid && launch->config.check) {
      Shadow& shadow = selfBlock().shadow;
      checkRead(shadow, address, 16, site, accessEvent(shadow, EventKind::load, site));
    }
  }
  collective(at, site, &own, [&](Gathering& warp) {
    for (u32 which = 0; which < count; which++) {
      spreadMatrix(warp, which, transpose);
      if (launch->config.check) countMatrixBanks(warp, which, site);
    }
  });
}

/** The lane that gives a row's address is taken for its writer. */
static void gatherMatrix(const Gathering& warp, u32 which, bool transpose) {
  std::vector<u8>& memory = selfBlock().memory;
  for (u32 row = 0; row < 8; row++) {
    const MatrixLane* to = (MatrixLane*)warp.arguments[which * 8 + row];
    if (!to->isValid) continue;
    for (u32 column = 0; column < 8; column++) {
      const u32 lane = transpose ? column * 4 + row / 2 : row * 4 + column / 2;
      const u32 word = ((MatrixLane*)warp.arguments[lane])->registers[which];
      const u16 element = (u16)(word >> 16 * (transpose ? row & 1 : column & 1));
      std::memcpy(&memory[to->address + column * 2], &element, 2);
    }
  }
}

void storeMatrix(u32 count, bool transpose, const u32* registers, u32 address, const At& at) {
  const u32 site = siteOf(at);
  if (launch->config.warp != 32 || selfBlock().threads.size() % 32) {
    report(Kind::misuse, site, 8, siteText(site) + " needs whole warps of 32 lanes");
    return;
  }
  MatrixLane own{(u32*)registers, address, false};
  if (laneOf(self()) < 8 * count) {
    own.isValid = checkShared(address, 16, site);
    if (own.isValid && launch->config.check) {
      Shadow& shadow = selfBlock().shadow;
      checkWrite(shadow, address, 16, site, accessEvent(shadow, EventKind::store, site));
    }
  }
  collective(at, site, &own, [&](Gathering& warp) {
    for (u32 which = 0; which < count; which++) {
      gatherMatrix(warp, which, transpose);
      if (launch->config.check) countMatrixBanks(warp, which, site);
    }
  });
}

struct MmaLane {
  void* d;
  const u32* a;
  const u32* b;
};

/** The f32 value of element `index` of a register group. */
static f32 decode(Mma kind, const u32* registers, u32 index) {
  if (kind == Mma::tf32) return __builtin_bit_cast(f32, registers[index] & 0xffffe000u);
  const u16 half = (u16)(registers[index / 2] >> index % 2 * 16);
  return kind == Mma::f16 ? widenF16(half) : __builtin_bit_cast(f32, (u32)half << 16);
}

/**
 * Shapes m16n8k(4 * per * 2): `per` elements a register. With l the lane and e the element of a register r:
 * A row l/4 + 8(r%2), k per(l%4) + e + 4 per(r/2); B k per(l%4) + e + 4 per r, column l/4; D row l/4 +
 * 8(r/2), column 2(l%4) + r%2.
 */
template <class T, class Decode> struct Fragments {
  u32 per;
  Decode element;
  T a[16][32], b[32][8], d[16][8];

  void gather(const Gathering& warp) {
    for (u32 lane = 0; lane < 32; lane++) {
      const MmaLane* source = (MmaLane*)warp.arguments[lane];
      for (u32 i = 0; i < 4 * per; i++) {
        const u32 r = i / per;
        a[lane / 4 + r % 2 * 8][lane % 4 * per + i % per + r / 2 * 4 * per] = element(source->a, i);
      }
      for (u32 i = 0; i < 2 * per; i++) {
        b[lane % 4 * per + i % per + i / per * 4 * per][lane / 4] = element(source->b, i);
      }
      for (u32 r = 0; r < 4; r++) d[lane / 4 + r / 2 * 8][lane % 4 * 2 + r % 2] = ((const T*)source->d)[r];
    }
  }

  void scatter(const Gathering& warp) const {
    for (u32 lane = 0; lane < 32; lane++) {
      const MmaLane* to = (MmaLane*)warp.arguments[lane];
      for (u32 r = 0; r < 4; r++) ((T*)to->d)[r] = d[lane / 4 + r / 2 * 8][lane % 4 * 2 + r % 2];
    }
  }
};

static void multiplyFloats(const Gathering& warp, Mma kind) {
  const auto element = [kind](const u32* registers, u32 index) { return decode(kind, registers, index); };
  Fragments<f32, decltype(element)> f{kind == Mma::tf32 ? 1u : 2u, element, {}, {}, {}};
  f.gather(warp);
  const u32 depth = 8 * f.per;
  const Factors factors(&f.b[0][0], 8, depth);
  for (u32 row = 0; row < 16; row++) accumulateRow(f.d[row], f.a[row], factors, WIDE_SUMS);
  f.scatter(warp);
}

static void multiplyBytes(const Gathering& warp) {
  const auto element = [](const u32* registers, u32 index) { return (i32)((const i8*)registers)[index]; };
  Fragments<i32, decltype(element)> f{4, element, {}, {}, {}};
  f.gather(warp);
  for (u32 row = 0; row < 16; row++) {
    for (u32 k = 0; k < 32; k++) {
      for (u32 column = 0; column < 8; column++) {
        f.d[row][column] = (i32)((u32)f.d[row][column] + (u32)(f.a[row][k] * f.b[k][column]));
      }
    }
  }
  f.scatter(warp);
}

void multiplyMatrix(Mma kind, void* d, const u32* a, const u32* b, const At& at) {
  const u32 site = siteOf(at);
  if (launch->config.warp != 32 || selfBlock().threads.size() % 32) {
    report(Kind::misuse, site, 8, siteText(site) + " needs whole warps of 32 lanes");
    return;
  }
  MmaLane own{d, a, b};
  collective(at, site, &own, [&](Gathering& warp) {
    if (kind == Mma::s8) {
      multiplyBytes(warp);
    } else {
      multiplyFloats(warp, kind);
    }
  });
}

}  // namespace emu
