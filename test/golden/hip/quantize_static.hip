// quantize_static for hip gfx90a, made by tilewright
// dtypes: T=f32 Q=i8
// config: B=1024
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
TW_DEV i32 tw_tid() { return (i32)__builtin_amdgcn_workitem_id_x(); }
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
TW_DEV f32 tw_round(f32 x) { return __builtin_elementwise_roundeven(x); }
TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
TW_DEV i32 tw_f32_to_i32(f32 x) {
  if (x != x) return 0;
  if (x >= 2147483648.0f) return 0x7fffffff;
  if (x < -2147483648.0f) return -0x7fffffff - 1;
  return (i32)x;
}
#endif

TW_KERNEL(128) quantize_static(const f32* x, const f32* scale, i8* q, i32 E) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 1024;
  const i64 x_at = (i64)t + (i64)thread;
  f32 x_tile[8];
  const i32 left = E - t;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    x_tile[r] = thread + r * 128 < left ? tw_ldg_nc<f32>(x + (x_at + (i64)(r * 128))) : 0.0f;
  }
  f32 scale_tile;
  scale_tile = tw_ldg_nc<f32>(scale);
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    const i8 q_tile = tw_min_i32(tw_max_i32(
        tw_f32_to_i32(tw_round(x_tile[r] / scale_tile)), -128), 127);
    if (thread + r * 128 < left) {
      tw_stg<u8>(q + (x_at + (i64)(r * 128)), (u8)q_tile);
    }
  }
}
