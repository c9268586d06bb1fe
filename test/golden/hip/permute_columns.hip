// permute_columns for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=4 BK=256
// dims divisible: K%16
// 128 threads in 2 warps of 64, 0 bytes of shared memory
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
typedef u16 tw_bf16;
TW_DEV i32 tw_tid() { return (i32)__builtin_amdgcn_workitem_id_x(); }
TW_DEV i32 tw_bid_x() { return (i32)__builtin_amdgcn_workgroup_id_x(); }
TW_DEV i32 tw_bid_y() { return (i32)__builtin_amdgcn_workgroup_id_y(); }
// Memory holds whatever type the other side wrote.
template <class T> struct tw_alias_ { typedef T type __attribute__((may_alias)); };
template <class T> TW_DEV T tw_ldg(const void* p) { return *(const typename tw_alias_<T>::type*)p; }
template <class T> TW_DEV T tw_ldg_nc(const void* p) { return tw_ldg<T>(p); }
// Keeps a template argument from being guessed: the width of a store is always written out.
template <class T> struct tw_same_ { typedef T type; };
template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) {
  *(typename tw_alias_<T>::type*)p = value;
}
#endif

TW_KERNEL(128) permute_columns(const tw_bf16* x, const i32* order, tw_bf16* y, i32 M, i32 K) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 4;
  const i32 t_1 = pid0 * 256;
  const i64 order_at = (i64)t_1 + (i64)thread;
  i32 from[2];
  const i32 left = K - t_1;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    from[r] = thread + r * 128 < left ? tw_ldg_nc<i32>(order + (order_at + (i64)(r * 128))) : -1;
  }
  const i64 x_at = (i64)t * (i64)K;
  tw_bf16 x_tile[8];
  const i32 left_1 = M - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      x_tile[r * 2 + i] = r < left_1 && (u32)from[i] < (u32)K ? tw_ldg_nc<u16>(x + (x_at + (i64)from[i] + (i64)(r * K))) : (u16)0;
    }
  }
  const i64 y_at = (i64)t * (i64)K + (i64)t_1 + (i64)thread;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      if (r < left_1 && thread + i * 128 < left) {
        tw_stg<u16>(y + (y_at + (i64)(r * K + i * 128)), x_tile[r * 2 + i]);
      }
    }
  }
}
