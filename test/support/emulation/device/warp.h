/** [test/support] CPU meaning of the prelude's exchanges within a warp: shuffles, votes, matrix instructions. */
#pragma once
#include "calls.h"
#include "memory.h"

template <class T> inline T tw_shuffle_(T value, emu::Shuffle kind, i32 operand, const emu::At& at) {
  static_assert(sizeof(T) <= 4, "at most 4 bytes");
  tw_poison_(value, at);
  u32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = emu::shuffle(bits, kind, operand, at);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T> inline T tw_shfl_xor(T value, i32 mask, TW_AT) {
  return tw_shuffle_(value, emu::Shuffle::exclusiveOr, mask, TW_CALL("tw_shfl_xor"));
}
template <class T> inline T tw_shfl_idx(T value, i32 lane, TW_AT) {
  return tw_shuffle_(value, emu::Shuffle::index, lane, TW_CALL("tw_shfl_idx"));
}
template <class T> inline T tw_shfl_up(T value, i32 delta, TW_AT) {
  return tw_shuffle_(value, emu::Shuffle::up, delta, TW_CALL("tw_shfl_up"));
}
template <class T> inline T tw_shfl_down(T value, i32 delta, TW_AT) {
  return tw_shuffle_(value, emu::Shuffle::down, delta, TW_CALL("tw_shfl_down"));
}

inline bool tw_any(bool p, TW_AT) { return emu::ballot(p, TW_CALL("tw_any")) != 0; }
inline bool tw_all(bool p, TW_AT) { return emu::ballot(!p, TW_CALL("tw_all")) == 0; }
inline u64 tw_ballot(bool p, TW_AT) { return emu::ballot(p, TW_CALL("tw_ballot")); }

#define TW_LDMATRIX(count)                                                                         \
  inline void tw_ldmatrix_x##count(u32* r, u32 address, TW_AT) {                                   \
    emu::loadMatrix(count, false, r, address, TW_CALL("tw_ldmatrix_x" #count));                    \
  }                                                                                                \
  inline void tw_ldmatrix_x##count##_trans(u32* r, u32 address, TW_AT) {                           \
    emu::loadMatrix(count, true, r, address, TW_CALL("tw_ldmatrix_x" #count "_trans"));            \
  }
TW_LDMATRIX(1)
TW_LDMATRIX(2)
TW_LDMATRIX(4)
#undef TW_LDMATRIX

#define TW_STMATRIX(suffix, transpose)                                                             \
  inline void tw_stmatrix_x2##suffix(u32 address, u32 a, u32 b, TW_AT) {                           \
    const u32 r[] = {a, b};                                                                        \
    emu::storeMatrix(2, transpose, r, address, TW_CALL("tw_stmatrix_x2" #suffix));                 \
  }                                                                                                \
  inline void tw_stmatrix_x4##suffix(u32 address, u32 a, u32 b, u32 c, u32 d, TW_AT) {             \
    const u32 r[] = {a, b, c, d};                                                                  \
    emu::storeMatrix(4, transpose, r, address, TW_CALL("tw_stmatrix_x4" #suffix));                 \
  }
TW_STMATRIX(, false)
TW_STMATRIX(_trans, true)
#undef TW_STMATRIX

inline void tw_e4m3x2_low(u32* r, u32 x) {
  const tw_f16 first = tw_f32_to_f16(tw_f8e4m3_to_f32((tw_f8e4m3)x));
  const tw_f16 second = tw_f32_to_f16(tw_f8e4m3_to_f32((tw_f8e4m3)(x >> 8)));
  r[0] = (u32)first | (u32)second << 16;
}
inline void tw_e4m3x2_high(u32* r, u32 x) { tw_e4m3x2_low(r, x >> 16); }
inline u32 tw_swap_middle_bytes(u32 x) {
  return (x & 0xff0000ffu) | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u);
}

// Column by column: who has it, and at which byte of its two words.
inline void tw_trade_quads_e4m3(u32* r, const f32* x, TW_AT) {
  const emu::At at = TW_CALL("tw_trade_quads_e4m3");
  const i32 lane = tw_lane();
  u32 own[2] = {0, 0}, words[2][4];
  for (u32 i = 0; i < 8; i++) own[i / 4] |= (u32)tw_f32_to_f8e4m3(x[i]) << (8 * (i % 4));
  for (u32 half = 0; half < 2; half++)
    for (i32 q = 0; q < 4; q++) words[half][q] = emu::shuffle(own[half], emu::Shuffle::index, (lane & ~3) + q, at);
  for (u32 pair = 0; pair < 2; pair++) {
    const u32 column = lane % 4 * 4 + 2 * pair;
    r[lane % 4 < 2 ? pair : 1 - pair] = words[column / 8][column % 8 / 2];
  }
}
inline void tw_take_quads(u32* r, const u32* x) {
  const u32 early = x[tw_lane() % 4 < 2 ? 0 : 1], late = x[tw_lane() % 4 < 2 ? 1 : 0];
  r[0] = (early & 0xffffu) | late << 16;
  r[1] = early >> 16 | (late & 0xffff0000u);
}

#define TW_MMA(name, kind, T)                                                                      \
  inline void tw_mma_##name(T* d, const u32* a, const u32* b, TW_AT) {                             \
    emu::multiplyMatrix(emu::Mma::kind, d, a, b, TW_CALL("tw_mma_" #name));                        \
  }
TW_MMA(m16n8k16_f32_f16, f16, f32)
TW_MMA(m16n8k16_f32_bf16, bf16, f32)
TW_MMA(m16n8k8_f32_tf32, tf32, f32)
TW_MMA(m16n8k32_s32_s8, s8, i32)
#undef TW_MMA
