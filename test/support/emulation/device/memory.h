/** [test/support] CPU meaning of the prelude's accesses: global, shared, asynchronous copies, atomics. */
#pragma once
#include "calls.h"

/** Reports a value that is an accumulator of a running wgmma. */
template <class T> inline void tw_poison_(const T& value, const emu::At& at) {
  if constexpr (sizeof(T) % 4 == 0) {
    u32 words[sizeof(T) / 4];
    __builtin_memcpy(words, &value, sizeof(T));
    for (u32 word : words) {
      if (__builtin_expect((word & 0x7fffffffu) == emu::WGMMA_POISON, 0)) emu::reportPoison(at);
    }
  }
}

template <class T> inline T tw_ldg(const void* p, TW_AT) {
  T value{};
  if (emu::checkGlobal(p, sizeof(T), emu::Access::read, TW_CALL("tw_ldg"))) {
    __builtin_memcpy(&value, p, sizeof(T));
  }
  return value;
}

template <class T> inline T tw_ldg_nc(const void* p, TW_AT) {
  T value{};
  if (emu::checkGlobal(p, sizeof(T), emu::Access::readOnly, TW_CALL("tw_ldg_nc"))) {
    __builtin_memcpy(&value, p, sizeof(T));
  }
  return value;
}

template <class T> inline void tw_stg(void* p, typename tw_same_<T>::type value, TW_AT) {
  tw_poison_(value, TW_CALL("tw_stg"));
  if (emu::checkGlobal(p, sizeof(T), emu::Access::write, TW_CALL("tw_stg"))) {
    __builtin_memcpy(p, &value, sizeof(T));
  }
}

inline void tw_stg_u4(void* p, u32 high, u32 value, TW_AT) {
  if (!emu::checkGlobal(p, 1, emu::Access::atomic, TW_CALL("tw_stg_u4"))) return;
  u8& byte = *(u8*)p;
  byte = (u8)(high ? (byte & 0x0f) | value << 4 : (byte & 0xf0) | (value & 0x0f));
}

inline u32 tw_smem_dyn() { return emu::sharedBase(); }
inline void tw_label(u32 address, u32 bytes, const char* name) { emu::labelShared(address, bytes, name); }

template <class T> inline T tw_lds(u32 address, TW_AT) {
  T value;
  emu::loadShared(address, &value, sizeof(T), TW_CALL("tw_lds"));
  return value;
}

template <class T> inline void tw_sts(u32 address, typename tw_same_<T>::type value, TW_AT) {
  tw_poison_(value, TW_CALL("tw_sts"));
  emu::storeShared(address, &value, sizeof(T), TW_CALL("tw_sts"));
}

#define TW_COPY(bytes)                                                                             \
  inline void tw_cp_async_##bytes(u32 dst, const void* src, TW_AT) {                               \
    emu::copyAsync(dst, src, bytes, bytes, TW_CALL("tw_cp_async_" #bytes));                        \
  }                                                                                                \
  inline void tw_cp_async_##bytes##_zfill(u32 dst, const void* src, u32 count, TW_AT) {            \
    emu::copyAsync(dst, src, bytes, count, TW_CALL("tw_cp_async_" #bytes "_zfill"));               \
  }
TW_COPY(4)
TW_COPY(8)
TW_COPY(16)
#undef TW_COPY
inline void tw_cp_async_commit() { emu::commitCopies(); }
template <int N> inline void tw_cp_async_wait() { emu::waitCopies(N); }

#define TW_ATOMIC(fn, T, next)                                                                     \
  inline T tw_atom_##fn##_##T(T* p, T value, TW_AT) {                                              \
    if (!emu::beginAtomic(p, TW_CALL("tw_atom_" #fn "_" #T))) return 0;                            \
    const T before = *p;                                                                           \
    *p = next;                                                                                     \
    return before;                                                                                 \
  }
TW_ATOMIC(add, f32, before + value)
TW_ATOMIC(add, i32, (i32)((u32)before + (u32)value))
TW_ATOMIC(add, u32, before + value)
TW_ATOMIC(max, f32, __builtin_fmaxf(before, value))
TW_ATOMIC(max, i32, before > value ? before : value)
TW_ATOMIC(max, u32, before > value ? before : value)
TW_ATOMIC(min, f32, __builtin_fminf(before, value))
TW_ATOMIC(min, i32, before < value ? before : value)
TW_ATOMIC(min, u32, before < value ? before : value)
#undef TW_ATOMIC

inline i32 tw_last_arrival(i32* p, i32 expected, TW_AT) {
  return emu::arriveAtCounter(p, expected, TW_CALL("tw_last_arrival"));
}
