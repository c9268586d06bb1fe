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
