/** [test/support] CPU meaning of the prelude's arithmetic: functions of f32, integers, conversions, bits. */
#pragma once
#include "calls.h"
#include "memory.h"

#define TW_FLOAT(name, builtin) \
  inline f32 tw_##name(f32 x) { return __builtin_##builtin(x); }
TW_FLOAT(exp, expf)
TW_FLOAT(exp2, exp2f)
TW_FLOAT(log, logf)
TW_FLOAT(log2, log2f)
TW_FLOAT(sqrt, sqrtf)
TW_FLOAT(sin, sinf)
TW_FLOAT(cos, cosf)
TW_FLOAT(tanh, tanhf)
TW_FLOAT(erf, erff)
TW_FLOAT(floor, floorf)
TW_FLOAT(ceil, ceilf)
TW_FLOAT(round, rintf)
TW_FLOAT(abs, fabsf)
#undef TW_FLOAT
inline f32 tw_rsqrt(f32 x) { return (f32)(1.0 / __builtin_sqrt((double)x)); }
inline f32 tw_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline bool tw_isnan(f32 x) { return x != x; }
// Libraries differ in the sign of the smaller zero; the devices order -0 below +0.
inline f32 tw_min(f32 a, f32 b) {
  return a == 0 && b == 0 ? (__builtin_signbit(a) ? a : b) : __builtin_fminf(a, b);
}
inline f32 tw_max(f32 a, f32 b) {
  return a == 0 && b == 0 ? (__builtin_signbit(a) ? b : a) : __builtin_fmaxf(a, b);
}

inline i32 tw_abs_i32(i32 x) { return x < 0 ? (i32)(0u - (u32)x) : x; }
inline i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
inline i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
inline u32 tw_min_u32(u32 a, u32 b) { return a < b ? a : b; }
inline u32 tw_max_u32(u32 a, u32 b) { return a > b ? a : b; }

inline i64 tw_floordiv_(i64 a, i64 b, const emu::At& at) {
  if (b == 0) {
    emu::reportDivision(at);
    return 0;
  }
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}
inline i32 tw_floordiv_i32(i32 a, i32 b, TW_AT) {
  return (i32)tw_floordiv_(a, b, TW_CALL("tw_floordiv_i32"));
}
inline i32 tw_floormod_i32(i32 a, i32 b, TW_AT) {
  if (b != 0) return (i32)(a - tw_floordiv_(a, b, {}) * b);
  emu::reportDivision(TW_CALL("tw_floormod_i32"));
  return 0;
}
inline u32 tw_floordiv_u32(u32 a, u32 b, TW_AT) {
  return (u32)tw_floordiv_(a, b, TW_CALL("tw_floordiv_u32"));
}
inline u32 tw_floormod_u32(u32 a, u32 b, TW_AT) {
  if (b != 0) return a % b;
  emu::reportDivision(TW_CALL("tw_floormod_u32"));
  return 0;
}
inline u32 tw_mulhi_u32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
inline i32 tw_shl_i32(i32 x, i32 count) { return (i32)((u32)x << (count & 31)); }
inline u32 tw_shl_u32(u32 x, u32 count) { return x << (count & 31); }
inline i32 tw_shr_i32(i32 x, i32 count) { return x >> (count & 31); }
inline u32 tw_shr_u32(u32 x, u32 count) { return x >> (count & 31); }
inline i32 tw_add_i32(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }
inline i32 tw_sub_i32(i32 a, i32 b) { return (i32)((u32)a - (u32)b); }
inline i32 tw_mul_i32(i32 a, i32 b) { return (i32)((u32)a * (u32)b); }

inline u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
inline f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
#include "../../../../codegen/c-family/prelude/bits.h"

inline tw_f16 tw_f32_to_f16(f32 x, TW_AT) {
  tw_poison_(x, TW_CALL("tw_f32_to_f16"));
  return emu::roundF16(x);
}
inline f32 tw_f16_to_f32(tw_f16 x) { return emu::widenF16(x); }
inline tw_bf16 tw_f32_to_bf16(f32 x, TW_AT) {
  tw_poison_(x, TW_CALL("tw_f32_to_bf16"));
  return emu::roundBf16(x);
}
inline f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
inline tw_f8e4m3 tw_f32_to_f8e4m3(f32 x, TW_AT) {
  tw_poison_(x, TW_CALL("tw_f32_to_f8e4m3"));
  return emu::roundE4m3(x);
}
inline f32 tw_f8e4m3_to_f32(tw_f8e4m3 x) { return emu::widenE4m3(x); }
inline tw_f8e5m2 tw_f32_to_f8e5m2(f32 x, TW_AT) {
  tw_poison_(x, TW_CALL("tw_f32_to_f8e5m2"));
  return emu::roundE5m2(x);
}
inline f32 tw_f8e5m2_to_f32(tw_f8e5m2 x) { return emu::widenE5m2(x); }
inline tw_f8e8m0 tw_f32_to_f8e8m0(f32 x) { return emu::roundE8m0(x); }
inline f32 tw_f8e8m0_to_f32(tw_f8e8m0 x) { return emu::widenE8m0(x); }
inline tw_f4e2m1 tw_f32_to_f4e2m1(f32 x) { return emu::roundE2m1(x); }
inline f32 tw_f4e2m1_to_f32(tw_f4e2m1 x) { return emu::widenE2m1(x); }
inline tw_nf4 tw_f32_to_nf4(f32 x) { return emu::roundNf4(x); }
inline f32 tw_nf4_to_f32(tw_nf4 x) { return emu::widenNf4(x); }
inline i32 tw_f32_to_i32(f32 x) {
  if (x != x) return 0;
  if (x >= 0x1p31f) return 0x7fffffff;
  return x < -0x1p31f ? -0x7fffffff - 1 : (i32)x;
}
inline u32 tw_f32_to_u32(f32 x) {
  if (!(x > 0)) return 0;
  return x >= 0x1p32f ? 0xffffffffu : (u32)x;
}
inline f32 tw_i32_to_f32(i32 x) { return (f32)x; }
inline f32 tw_u32_to_f32(u32 x) { return (f32)x; }
inline u32 tw_pack_f16x2(f32 lo, f32 hi, TW_AT) {
  tw_poison_(lo, TW_CALL("tw_pack_f16x2"));
  tw_poison_(hi, TW_CALL("tw_pack_f16x2"));
  return emu::roundF16(lo) | (u32)emu::roundF16(hi) << 16;
}
inline u32 tw_pack_bf16x2(f32 lo, f32 hi, TW_AT) {
  tw_poison_(lo, TW_CALL("tw_pack_bf16x2"));
  tw_poison_(hi, TW_CALL("tw_pack_bf16x2"));
  return emu::roundBf16(lo) | (u32)emu::roundBf16(hi) << 16;
}
inline f32 tw_f16x2_lo(u32 x) { return emu::widenF16((u16)x); }
inline f32 tw_f16x2_hi(u32 x) { return emu::widenF16((u16)(x >> 16)); }
inline f32 tw_bf16x2_lo(u32 x) { return tw_bits_f32(x << 16); }
inline f32 tw_bf16x2_hi(u32 x) { return tw_bits_f32(x & 0xffff0000u); }
inline u32 tw_cvt_tf32(f32 x) { return x != x ? 0x7fffffffu : (tw_f32_bits(x) + 0x1000u) & 0xffffe000u; }
