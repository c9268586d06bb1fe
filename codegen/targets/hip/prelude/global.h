/** [codegen/targets/hip] Reads and writes of global memory, 1 to 16 bytes. Atomics are in atomics.h. */

template <class T> TW_DEV T tw_ldg(const void* p) { return *(const typename tw_alias_<T>::type*)p; }

template <class T> TW_DEV T tw_ldg_nc(const void* p) { return tw_ldg<T>(p); }

template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) {
  *(typename tw_alias_<T>::type*)p = value;
}
