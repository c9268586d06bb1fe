/** [test/support] CPU meaning of the prelude's wgmma and of what orders it. */
#pragma once
#include "calls.h"

template <int N> inline u64 tw_wgmma_desc(u32 address, u32 leading, u32 stride) {
  static_assert(N == 0 || N == 32 || N == 64 || N == 128, "bytes of a swizzle");
  constexpr u64 mode = N == 128 ? 1 : N == 64 ? 2 : N == 32 ? 3 : 0;
  return (u64)((address & 0x3ffffu) >> 4) | (u64)((leading & 0x3ffffu) >> 4) << 16 |
         (u64)((stride & 0x3ffffu) >> 4) << 32 | mode << 62;
}
inline void tw_wgmma_fence() { emu::fenceWgmma(); }
inline void tw_wgmma_commit() { emu::commitWgmma(); }
template <int N> inline void tw_wgmma_wait(TW_AT) { emu::waitWgmma(N, TW_CALL("tw_wgmma_wait")); }
template <int N> inline void tw_wgmma_wait_behind(bool, TW_AT) {
  emu::waitWgmma(N, TW_CALL("tw_wgmma_wait_behind"));
}
template <int N> inline void tw_wgmma_keep(f32* d, TW_AT) { emu::keepWgmma(d, N, TW_CALL("tw_wgmma_keep")); }
template <int N> inline void tw_wgmma_keep_s32(i32* d, TW_AT) {
  emu::keepWgmma(d, N, TW_CALL("tw_wgmma_keep_s32"));
}
template <int N> inline void tw_setmaxnreg_inc() {}
template <int N> inline void tw_setmaxnreg_dec() {}

#define TW_HALF(n, kind)                                                                           \
  template <int N>                                                                                 \
  inline void tw_wgmma_m64n##n##k16_f32_##kind(f32* d, u64 a, u64 b, u32 accumulate, TW_AT) {      \
    emu::startWgmma({emu::Wgmma::kind, n, false, N}, d, a, nullptr, b, accumulate,                 \
                    TW_CALL("tw_wgmma_m64n" #n "k16_f32_" #kind));                                 \
  }                                                                                                \
  template <int N>                                                                                 \
  inline void tw_wgmma_m64n##n##k16_f32_##kind##_ra(f32* d, const u32* a, u64 b, u32 accumulate,   \
                                                    TW_AT) {                                       \
    emu::startWgmma({emu::Wgmma::kind, n, true, N & 2}, d, 0, a, b, accumulate,                    \
                    TW_CALL("tw_wgmma_m64n" #n "k16_f32_" #kind "_ra"));                           \
  }
#define TW_BYTE(n, T, result, kind)                                                                \
  inline void tw_wgmma_m64n##n##k32_##result##_##kind(T* d, u64 a, u64 b, u32 accumulate, TW_AT) { \
    emu::startWgmma({emu::Wgmma::kind, n, false, 0}, d, a, nullptr, b, accumulate,                 \
                    TW_CALL("tw_wgmma_m64n" #n "k32_" #result "_" #kind));                         \
  }
#define TW_BYTE_RA(n, kind)                                                                        \
  inline void tw_wgmma_m64n##n##k32_f32_##kind##_ra(f32* d, const u32* a, u64 b, u32 accumulate,   \
                                                    TW_AT) {                                       \
    emu::startWgmma({emu::Wgmma::kind, n, true, 0}, d, 0, a, b, accumulate,                        \
                    TW_CALL("tw_wgmma_m64n" #n "k32_f32_" #kind "_ra"));                           \
  }
#define TW_FLOATS(n) TW_HALF(n, bf16) TW_HALF(n, f16) TW_BYTE(n, f32, f32, e4m3) TW_BYTE(n, f32, f32, e5m2) TW_BYTE_RA(n, e4m3)
#define TW_ALL(n) TW_FLOATS(n) TW_BYTE(n, i32, s32, s8)
TW_ALL(8) TW_ALL(16) TW_ALL(24) TW_ALL(32) TW_ALL(48) TW_ALL(64) TW_ALL(80) TW_ALL(96) TW_ALL(112)
TW_ALL(128) TW_ALL(144) TW_ALL(160) TW_ALL(176) TW_ALL(192) TW_ALL(208) TW_ALL(224) TW_ALL(240) TW_ALL(256)
TW_FLOATS(40) TW_FLOATS(56) TW_FLOATS(72) TW_FLOATS(88) TW_FLOATS(104) TW_FLOATS(120) TW_FLOATS(136)
TW_FLOATS(152) TW_FLOATS(168) TW_FLOATS(184) TW_FLOATS(200) TW_FLOATS(216) TW_FLOATS(232) TW_FLOATS(248)
#undef TW_ALL
#undef TW_FLOATS
#undef TW_BYTE
#undef TW_BYTE_RA
#undef TW_HALF
