/** [codegen/targets/hip] Reads and writes of global memory, 1 to 16 bytes. Atomics are in atomics.h. */

template <class T> TW_DEV T tw_ldg(const void* p) { return *(const typename tw_alias_<T>::type*)p; }

template <class T> TW_DEV T tw_ldg_nc(const void* p) { return tw_ldg<T>(p); }

template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) {
  *(typename tw_alias_<T>::type*)p = value;
}

// On the word around the byte: allocations are whole words, and what is not meant keeps its bits.
TW_DEV void tw_stg_u4(void* p, u32 high, u32 value) {
  u32* word = (u32*)((u64)p & ~3ull);
  const u32 shift = 8 * (u32)((u64)p & 3) + 4 * high;
  __hip_atomic_fetch_and(word, ~(0xfu << shift), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_or(word, (value & 0xfu) << shift, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
