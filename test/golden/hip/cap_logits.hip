// cap_logits for hip gfx90a, made by tilewright
// config: BV=1024
// dims divisible: R%2 V%2
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
struct alignas(8) tw_f32x2 { f32 x, y; };
TW_DEV i32 tw_tid() { return (i32)__builtin_amdgcn_workitem_id_x(); }
TW_DEV i32 tw_bid_x() { return (i32)__builtin_amdgcn_workgroup_id_x(); }
TW_DEV i32 tw_bid_y() { return (i32)__builtin_amdgcn_workgroup_id_y(); }
// Memory holds whatever type the other side wrote.
template <class T> struct tw_alias_ { typedef T type __attribute__((may_alias)); };
template <class T> TW_DEV T tw_ldg(const void* p) { return *(const typename tw_alias_<T>::type*)p; }
// Keeps a template argument from being guessed: the width of a store is always written out.
template <class T> struct tw_same_ { typedef T type; };
template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) {
  *(typename tw_alias_<T>::type*)p = value;
}
extern "C" __device__ f32 __ocml_tanh_f32(f32);
TW_DEV f32 tw_tanh(f32 x) { return __ocml_tanh_f32(x); }
#endif

TW_KERNEL(128) cap_logits(f32* x, i32 R, i32 V, f32 scale, f32 cap) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 t_BV = thread * 2;
  const i64 x_at = (i64)pid0 * (i64)V + (i64)t + (i64)t_BV;
  const bool x_in = pid0 < R;
  f32 x_tile[8];
  const i32 left = V - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_f32x2 x_tile_vec = x_in && t_BV + r * 256 < left ? tw_ldg<tw_f32x2>(x + (x_at + (i64)(r * 256))) : tw_f32x2{0.0f, 0.0f};
    x_tile[r * 2] = x_tile_vec.x; x_tile[r * 2 + 1] = x_tile_vec.y;
  }
  f32 v[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    v[r] = x_tile[r] * scale;
  }
  const bool t_1 = cap > 0.0f;
  const f32 bound = t_1 ? cap : 1.0f;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    f32 x_tile_1[2];
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      x_tile_1[i] = t_1 ? tw_tanh(v[r * 2 + i] / bound) * bound : v[r * 2 + i];
    }
    if (x_in && t_BV + r * 256 < left) {
      tw_stg<tw_f32x2>(x + (x_at + (i64)(r * 256)), tw_f32x2{x_tile_1[0], x_tile_1[1]});
    }
  }
}
