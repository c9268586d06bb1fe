/** [codegen/targets/cuda] Reads and writes of global memory, 1 to 16 bytes. Atomics are in atomics.cuh. */

template <class T> TW_DEV T tw_ldg(const void* p) { return *(const T*)p; }

template <class T> TW_DEV T tw_ldg_nc(const void* p) {
  if constexpr (sizeof(T) == 16) {
    union { uint4 bits; T value; } u = {__ldg((const uint4*)p)};
    return u.value;
  } else if constexpr (sizeof(T) == 8) {
    union { uint2 bits; T value; } u = {__ldg((const uint2*)p)};
    return u.value;
  } else {
    return __ldg((const T*)p);
  }
}

template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) { *(T*)p = value; }

// On the word around the byte: allocations are whole words, and what is not meant keeps its bits.
TW_DEV void tw_stg_u4(void* p, u32 high, u32 value) {
  u32* word = (u32*)((u64)p & ~3ull);
  const u32 shift = 8 * (u32)((u64)p & 3) + 4 * high;
  atomicAnd(word, ~(0xfu << shift));
  atomicOr(word, (value & 0xfu) << shift);
}
