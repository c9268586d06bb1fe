/** [codegen/targets/hip] Shared memory (LDS) by 32-bit address: base, reads, writes, names for reports. */

extern __shared__ __attribute__((aligned(1024))) u8 tw_smem_[];

TW_DEV u32 tw_smem_dyn() { return (u32)(__UINTPTR_TYPE__)(TW_LDS u8*)tw_smem_; }

TW_DEV void tw_label(u32, u32, const char*) {}

template <class T> TW_DEV T tw_lds(u32 address) {
  typedef typename tw_raw_<sizeof(T)>::type raw;
  const raw bits = *(TW_LDS const raw*)(__UINTPTR_TYPE__)address;
  return __builtin_bit_cast(T, bits);
}

template <class T> TW_DEV void tw_sts(u32 address, typename tw_same_<T>::type value) {
  typedef typename tw_raw_<sizeof(T)>::type raw;
  *(TW_LDS raw*)(__UINTPTR_TYPE__)address = __builtin_bit_cast(raw, value);
}
