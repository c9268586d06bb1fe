/** [test/support] CPU meaning of the names that only HIP text calls: operands of matrix instructions, and the instructions. */
#pragma once
#include "calls.h"
#include "memory.h"

template <int N> inline void tw_lds_words(u32* r, u32 address, TW_AT) {
  static_assert(N == 1 || N == 2 || N == 4, "one access");
  emu::loadShared(address, r, 4 * N, TW_CALL("tw_lds_words"));
}
inline void tw_lds_halves(u32* r, u32 a, u32 b, TW_AT) {
  const u32 from[] = {a, b};
  u16 halves[2];
  for (u32 i = 0; i < 2; i++) emu::loadShared(from[i], &halves[i], 2, TW_CALL("tw_lds_halves"));
  __builtin_memcpy(r, halves, 4);
}
inline void tw_lds_bytes(u32* r, u32 a, u32 b, u32 c, u32 d, TW_AT) {
  const u32 from[] = {a, b, c, d};
  u8 bytes[4];
  for (u32 i = 0; i < 4; i++) emu::loadShared(from[i], &bytes[i], 1, TW_CALL("tw_lds_bytes"));
  __builtin_memcpy(r, bytes, 4);
}

#define TW_AMD(name, sums, element, k, T)                                                          \
  inline void tw_##name(T* d, const u32* a, const u32* b, TW_AT) {                                 \
    emu::multiplyAmd({emu::Sums::sums, emu::Element::element, k}, d, a, b, TW_CALL("tw_" #name));  \
  }
#define TW_MFMA(element, k, half, T)                                                               \
  TW_AMD(mfma_##T##_32x32x##half##_##element, mfma32, element, half, T)                            \
  TW_AMD(mfma_##T##_16x16x##k##_##element, mfma16, element, k, T)
TW_MFMA(f16, 16, 8, f32)
TW_MFMA(f16, 32, 16, f32)
TW_MFMA(bf16, 16, 8, f32)
TW_MFMA(bf16, 32, 16, f32)
TW_MFMA(e4m3, 32, 16, f32)
TW_MFMA(e5m2, 32, 16, f32)
TW_MFMA(i8, 16, 8, i32)
TW_MFMA(i8, 32, 16, i32)
TW_MFMA(i8, 64, 32, i32)
TW_AMD(wmma11_f32_16x16x16_f16, wmma11, f16, 16, f32)
TW_AMD(wmma11_f32_16x16x16_bf16, wmma11, bf16, 16, f32)
TW_AMD(wmma11_i32_16x16x16_i8, wmma11, i8, 16, i32)
TW_AMD(wmma12_f32_16x16x16_f16, wmma12, f16, 16, f32)
TW_AMD(wmma12_f32_16x16x16_bf16, wmma12, bf16, 16, f32)
TW_AMD(wmma12_f32_16x16x16_e4m3, wmma12, e4m3, 16, f32)
TW_AMD(wmma12_f32_16x16x16_e5m2, wmma12, e5m2, 16, f32)
TW_AMD(wmma12_i32_16x16x16_i8, wmma12, i8, 16, i32)
#undef TW_MFMA
#undef TW_AMD
