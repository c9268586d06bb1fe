/** [test/support] MFMA and WMMA by their documented layouts: operands and sums gathered from the lanes of a wave, multiplied, and dealt out again. */
#include <cstring>
#include "collective.h"

namespace emu {

static constexpr u32 AMD_SIDE = 32;
static constexpr u32 AMD_DEPTH = 64;

struct AmdLane {
  void* d;
  const u32* a;
  const u32* b;
};

static u32 sideOf(Sums sums) { return sums == Sums::mfma32 ? 32 : 16; }

static u32 waveOf(Sums sums) { return sums == Sums::mfma32 || sums == Sums::mfma16 ? 64 : 32; }

/** Element `index` of the words of a lane, as it counts in a product. */
static double elementAt(Element element, const u32* words, u32 index) {
  const u32 half = words[index / 2] >> 16 * (index % 2) & 0xffff;
  const u32 byte = words[index / 4] >> 8 * (index % 4) & 0xff;
  switch (element) {
    case Element::f16:
      return widenF16((u16)half);
    case Element::bf16:
      return __builtin_bit_cast(f32, half << 16);
    case Element::e4m3:
      return widenE4m3((u8)byte);
    case Element::e5m2:
      return widenE5m2((u8)byte);
    case Element::i8:
      return (signed char)byte;
  }
  return 0;
}

/** What element k of row (or column) `row` is, from the lane that holds it. */
static double operandAt(const Gathering& wave, const AmdForm& form, bool isA, u32 row, u32 k) {
  const u32 side = sideOf(form.sums);
  // Each lane of gfx11 holds all of k; elsewhere groups of lanes hold runs of it.
  const u32 run = form.sums == Sums::wmma11 ? form.k : form.k * side / waveOf(form.sums);
  const AmdLane* lane = (const AmdLane*)wave.arguments[row + side * (k / run)];
  return elementAt(form.element, isA ? lane->a : lane->b, k % run);
}

/** Row of the sum in register `i` of a lane; its column is lane % side. */
static u32 rowOf(Sums sums, u32 lane, u32 i) {
  switch (sums) {
    case Sums::mfma32:
      return 8 * (i / 4) + 4 * (lane / 32) + i % 4;
    case Sums::mfma16:
      return 4 * (lane / 16) + i;
    case Sums::wmma11:
      return 2 * i + lane / 16;
    case Sums::wmma12:
      return 8 * (lane / 16) + i;
  }
  return 0;
}

static void multiply(const Gathering& wave, const AmdForm& form) {
  const u32 side = sideOf(form.sums), width = waveOf(form.sums);
  static double a[AMD_SIDE][AMD_DEPTH], b[AMD_SIDE][AMD_DEPTH];
  for (u32 i = 0; i < side; i++) {
    for (u32 k = 0; k < form.k; k++) {
      a[i][k] = operandAt(wave, form, true, i, k);
      b[i][k] = operandAt(wave, form, false, i, k);
    }
  }
  for (u32 lane = 0; lane < width; lane++) {
    void* d = ((AmdLane*)wave.arguments[lane])->d;
    for (u32 i = 0; i < side * side / width; i++) {
      const double* left = a[rowOf(form.sums, lane, i)];
      const double* right = b[lane % side];
      double sum = 0;
      for (u32 k = 0; k < form.k; k++) sum += left[k] * right[k];
      if (form.element == Element::i8) {
        ((i32*)d)[i] = (i32)((u32)((i32*)d)[i] + (u32)(i32)sum);
      } else {
        // How the sum is rounded is not documented: once, here.
        ((f32*)d)[i] = (f32)(((f32*)d)[i] + sum);
      }
    }
  }
}

/** On gfx11 the second half of a wave must repeat the operands of the first. */
static bool repeats(const Gathering& wave, const AmdForm& form) {
  const u32 words = form.element == Element::i8 ? 4 : 8;
  for (u32 lane = 0; lane < 16; lane++) {
    const AmdLane* first = (const AmdLane*)wave.arguments[lane];
    const AmdLane* second = (const AmdLane*)wave.arguments[lane + 16];
    if (std::memcmp(first->a, second->a, 4 * words) || std::memcmp(first->b, second->b, 4 * words)) return false;
  }
  return true;
}

void multiplyAmd(const AmdForm& form, void* d, const u32* a, const u32* b, const At& at) {
  const u32 site = siteOf(at), width = waveOf(form.sums);
  if (launch->config.warp != width || selfBlock().threads.size() % width) {
    report(Kind::misuse, site, 8, siteText(site) + " needs whole waves of " + std::to_string(width) + " lanes");
    return;
  }
  AmdLane own{d, a, b};
  collective(at, site, &own, [&](Gathering& wave) {
    if (form.sums == Sums::wmma11 && !repeats(wave, form))
      report(Kind::misuse, site, 8, siteText(site) + ": lanes 16 to 31 do not repeat the operands of lanes 0 to 15");
    multiply(wave, form);
  });
}

}  // namespace emu
