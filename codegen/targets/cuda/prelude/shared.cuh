/** [codegen/targets/cuda] Shared memory by 32-bit address: base, reads, writes, names for reports. */

TW_DEV u32 tw_smem_dyn() {
  extern __shared__ __align__(1024) u8 tw_smem_[];
  return (u32)__cvta_generic_to_shared(tw_smem_);
}

TW_DEV void tw_label(u32, u32, const char*) {}

template <class T> TW_DEV T tw_lds(u32 address) {
  union { T value; u32 word[(sizeof(T) + 3) / 4]; u16 half; } u;
  if constexpr (sizeof(T) == 16) {
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(u.word[0]), "=r"(u.word[1]), "=r"(u.word[2]), "=r"(u.word[3]) : "r"(address));
  } else if constexpr (sizeof(T) == 8) {
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(u.word[0]), "=r"(u.word[1]) : "r"(address));
  } else if constexpr (sizeof(T) == 4) {
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(u.word[0]) : "r"(address));
  } else if constexpr (sizeof(T) == 2) {
    asm volatile("ld.shared.b16 %0, [%1];" : "=h"(u.half) : "r"(address));
  } else {
    static_assert(sizeof(T) == 1, "1, 2, 4, 8 or 16 bytes");
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(u.word[0]) : "r"(address));
  }
  return u.value;
}

template <class T> TW_DEV void tw_sts(u32 address, typename tw_same_<T>::type value) {
  union { T value; u32 word[(sizeof(T) + 3) / 4]; u16 half; u8 byte; } u;
  u.value = value;
  if constexpr (sizeof(T) == 16) {
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};"
                 :: "r"(address), "r"(u.word[0]), "r"(u.word[1]), "r"(u.word[2]), "r"(u.word[3]) : "memory");
  } else if constexpr (sizeof(T) == 8) {
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" :: "r"(address), "r"(u.word[0]), "r"(u.word[1]) : "memory");
  } else if constexpr (sizeof(T) == 4) {
    asm volatile("st.shared.b32 [%0], %1;" :: "r"(address), "r"(u.word[0]) : "memory");
  } else if constexpr (sizeof(T) == 2) {
    asm volatile("st.shared.b16 [%0], %1;" :: "r"(address), "h"(u.half) : "memory");
  } else {
    static_assert(sizeof(T) == 1, "1, 2, 4, 8 or 16 bytes");
    asm volatile("st.shared.u8 [%0], %1;" :: "r"(address), "r"((u32)u.byte) : "memory");
  }
}
