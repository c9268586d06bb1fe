/** [test/support] Narrow floats on the CPU: rounding to nearest even and exact widening, by tables of all codes. */
#include <cmath>
#include <cstring>
#include "../device/calls.h"

namespace emu {

static u32 bitsOf(f32 x) { return __builtin_bit_cast(u32, x); }

/** Value of a code with `exponent` and `fraction` bits below its sign, all exponents taken as finite. */
static f32 finiteValue(u32 code, u32 exponent, u32 fraction) {
  const i32 bias = (1 << (exponent - 1)) - 1;
  const i32 field = (i32)(code >> fraction & ((1u << exponent) - 1));
  const u32 rest = code & ((1u << fraction) - 1);
  const f32 size = field ? std::ldexp((f32)((1u << fraction) + rest), field - bias - (i32)fraction)
                         : std::ldexp((f32)rest, 1 - bias - (i32)fraction);
  return code >> (exponent + fraction) & 1 ? -size : size;
}

struct F16Table {
  f32 value[65536];
  F16Table() {
    for (u32 code = 0; code < 65536; code++) {
      value[code] = finiteValue(code, 5, 10);
      if ((code & 0x7c00) == 0x7c00) value[code] = code & 0x3ff ? NAN : code & 0x8000 ? -INFINITY : INFINITY;
    }
  }
};

f32 widenF16(u16 bits) {
  static const F16Table table;
  return table.value[bits];
}

u16 roundF16(f32 x) {
  const u32 bits = bitsOf(x);
  const u16 sign = (u16)(bits >> 16 & 0x8000);
  if (x != x) return 0x7fff;
  const f32 size = std::fabs(x);
  if (size >= 65520.0f) return sign | 0x7c00;
  if (size < 0x1p-14f) return sign | (u16)std::nearbyint(size * 0x1p24f);
  const u32 code = (bits & 0x7fffffffu) + 0xfff + (bits >> 13 & 1);
  return sign | (u16)((code >> 13) - (112 << 10));
}

u16 roundBf16(f32 x) {
  const u32 bits = bitsOf(x);
  return x != x ? 0x7fff : (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/** An 8-bit float: every code's value; the finite codes 0 to `most` rise. */
struct F8Table {
  f32 value[256];
  u8 most;
  F8Table(u32 exponent, u32 fraction, u8 largest) : most(largest) {
    for (u32 code = 0; code < 256; code++) value[code] = finiteValue(code, exponent, fraction);
    for (u32 code = most + 1u; code < 128; code++) value[code] = value[code | 128] = NAN;
  }

  /** Nearest, halves to the even code, beyond the largest to the largest. */
  u8 round(f32 x) const {
    if (x != x) return 0x7f;
    const u8 sign = std::signbit(x) ? 0x80 : 0;
    const f32 size = std::fabs(x);
    if (size >= value[most]) return sign | most;
    u8 low = 0, high = most;
    while (low + 1 < high) {
      const u8 middle = (u8)((low + high) / 2);
      (value[middle] <= size ? low : high) = middle;
    }
    const f32 below = size - value[low], above = value[high] - size;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
  }
};

static const F8Table& e4m3() {
  static const F8Table table(4, 3, 0x7e);
  return table;
}

static const F8Table& e5m2() {
  static const F8Table table = [] {
    F8Table made(5, 2, 0x7b);
    made.value[0x7c] = INFINITY;
    made.value[0xfc] = -INFINITY;
    return made;
  }();
  return table;
}

u8 roundE4m3(f32 x) { return e4m3().round(x); }
f32 widenE4m3(u8 bits) { return e4m3().value[bits]; }
u8 roundE5m2(f32 x) { return e5m2().round(x); }
f32 widenE5m2(u8 bits) { return e5m2().value[bits]; }

u8 roundE8m0(f32 x) {
  if (x != x) return 0xff;
  if (x == 0) return 0;
  const i32 exponent = std::isinf(x) ? 127 : std::ilogb(x);
  return (u8)((exponent < -127 ? -127 : exponent) + 127);
}

f32 widenE8m0(u8 bits) { return bits == 0xff ? NAN : std::ldexp(1.0f, (i32)bits - 127); }

f32 widenE2m1(u8 bits) {
  const f32 size = (bits & 7) < 2 ? 0.5f * (bits & 7) : std::ldexp(1.0f + 0.5f * (bits & 1), (bits >> 1 & 3) - 1);
  return bits & 8 ? -size : size;
}

u8 roundE2m1(f32 x) {
  if (x != x) return 7;
  const f32 size = std::fabs(x);
  u8 best = 0;
  for (u8 code = 1; code < 8; code++) {
    const f32 gain = std::fabs(widenE2m1(best) - size) - std::fabs(widenE2m1(code) - size);
    if (size >= 6 || gain > 0 || (gain == 0 && code % 2 == 0)) best = code;
  }
  return (std::signbit(x) ? 8 : 0) | best;
}

static constexpr f32 NF4[16] = {-1.0f, -0.6961928009986877f, -0.5250730514526367f, -0.39491748809814453f,
                                -0.28444138169288635f, -0.18477343022823334f, -0.09105003625154495f, 0.0f,
                                0.07958029955625534f, 0.16093020141124725f, 0.24611230194568634f, 0.33791524171829224f,
                                0.44070982933044434f, 0.5626170039176941f, 0.7229568362236023f, 1.0f};

f32 widenNf4(u8 bits) { return NF4[bits & 15]; }

u8 roundNf4(f32 x) {
  u8 code = 15;
  while (code > 0 && x <= (f32)(((double)NF4[code - 1] + (double)NF4[code]) / 2)) code--;
  return code;
}

}  // namespace emu
