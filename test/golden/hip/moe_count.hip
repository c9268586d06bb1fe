// moe_count for hip gfx90a, made by tilewright
// config: BS=32
// dims fixed: E=128
// dims divisible: S%8 C%2
// 256 threads in 4 warps of 64, 2560 bytes of shared memory
//       0 … 2048: t23_parts i32[512]
//    2048 … 2560: t23_convert i32[128]
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
#define TW_KERNEL(threads) extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define TW_DEV static inline __device__ __attribute__((always_inline))
struct alignas(16) tw_i32x4 { i32 x, y, z, w; };
TW_DEV i32 tw_tid() { return (i32)__builtin_amdgcn_workitem_id_x(); }
#if defined(__AMDGCN_WAVEFRONT_SIZE) || defined(__AMDGCN_WAVEFRONT_SIZE__)
#define TW_WARP __AMDGCN_WAVEFRONT_SIZE
#elif defined(__GFX9__)
#define TW_WARP 64
#else
#define TW_WARP 32
#endif
TW_DEV i32 tw_lane() { return tw_tid() & (TW_WARP - 1); }
// readfirstlane tells the compiler that the value is the same for all lanes.
TW_DEV i32 tw_warp() { return __builtin_amdgcn_readfirstlane(tw_tid() / TW_WARP); }
TW_DEV i32 tw_bid_x() { return (i32)__builtin_amdgcn_workgroup_id_x(); }
// Memory holds whatever type the other side wrote.
template <class T> struct tw_alias_ { typedef T type __attribute__((may_alias)); };
template <class T> TW_DEV T tw_ldg(const void* p) { return *(const typename tw_alias_<T>::type*)p; }
template <class T> TW_DEV T tw_ldg_nc(const void* p) { return tw_ldg<T>(p); }
// Keeps a template argument from being guessed: the width of a store is always written out.
template <class T> struct tw_same_ { typedef T type; };
template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) {
  *(typename tw_alias_<T>::type*)p = value;
}
#define TW_LDS __attribute__((address_space(3)))
extern __shared__ __attribute__((aligned(1024))) u8 tw_smem_[];
TW_DEV u32 tw_smem_dyn() { return (u32)(__UINTPTR_TYPE__)(TW_LDS u8*)tw_smem_; }
TW_DEV void tw_label(u32, u32, const char*) {}
template <class T> TW_DEV T tw_lds(u32 address) {
  return *(TW_LDS const typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address;
}
template <class T> TW_DEV void tw_sts(u32 address, typename tw_same_<T>::type value) {
  *(TW_LDS typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address = value;
}
TW_DEV void tw_syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
template <class T> TW_DEV T tw_shfl_idx(T value, i32 lane) {
  i32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __builtin_amdgcn_ds_bpermute((lane & (TW_WARP - 1)) << 2, bits);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T> TW_DEV T tw_shfl_xor(T value, i32 mask) { return tw_shfl_idx(value, tw_lane() ^ mask); }
TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
TW_DEV i32 tw_floordiv_i32(i32 a, i32 b) {
  const i32 quotient = a / b;
  const i32 rest = a - quotient * b;
  return quotient - (rest != 0 && (rest ^ b) < 0 ? 1 : 0);
}
#endif

TW_KERNEL(256) moe_count(const i32* ids, i32* counts, i32 S, i32 C) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t23_parts = smem;
  tw_label(t23_parts, 2048u, "t23_parts");
  const u32 t23_convert = smem + 2048u;
  tw_label(t23_convert, 512u, "t23_convert");
  const i32 share = tw_floordiv_i32(S + (C - 1), C);
  const i32 t = pid0 * share;
  const i32 end = tw_min_i32(t + share, S);
  const i32 t_E = (lane & 31) * 4;
  i32 found = 0;
  const i32 t_BS = thread >> 5;
  const i64 ids_at = (i64)t_BS;
  const i32 bound = tw_max_i32(end, 0);
  const bool is_first = (lane >> 5) == 0;
  const i32 part_at = warp * 128 + t_E;
  const bool is_first_1 = thread < 32;
  const i32 t23_convert_at = thread & 127;
  for (i32 s = t; s < end; s += 32) {
    const i64 ids_at_1 = ids_at + (i64)s;
    i32 id[4];
    const i32 position = s + t_BS;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      id[r] = (u32)(position + r * 8) < (u32)bound ? tw_ldg_nc<i32>(ids + (ids_at_1 + (i64)(r * 8))) : -1;
    }
    i32 sum[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum[i] = sum[i] + (id[r] == t_E + i ? 1 : 0);
      }
    }
    i32 other;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      other = tw_shfl_xor<i32>(sum[r], 32);
      sum[r] = sum[r] + other;
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<i32>(t23_parts + (u32)(part_at + r) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum[r] = tw_lds<i32>(t23_parts + (u32)(t_E + r) * 4u);
      #pragma unroll
      for (i32 i = 1; i < 4; ++i) {
        i32 other_1;
        other_1 = tw_lds<i32>(t23_parts + (u32)(t_E + r + i * 128) * 4u);
        sum[r] = sum[r] + other_1;
      }
    }
    if (is_first_1) {
      tw_sts<tw_i32x4>(t23_convert + (u32)t_E * 4u, tw_i32x4{sum[0], sum[1], sum[2], sum[3]});
    }
    tw_syncthreads();
    i32 t_1;
    t_1 = tw_lds<i32>(t23_convert + (u32)t23_convert_at * 4u);
    found = found + t_1;
  }
  const i64 counts_at = (i64)pid0 * 128ll + (i64)t23_convert_at;
  const bool counts_in = pid0 < C;
  const bool is_first_2 = thread < 128;
  if (is_first_2) {
    if (counts_in) {
      tw_stg<i32>(counts + counts_at, found);
    }
  }
}
