// unpack_tensor for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=16 BC=64 E0=2 DR0=0 DC0=1 E1=8 DR1=0 DC1=8 E2=2 DR2=8 DC2=0 E3=4 DR3=0 DC3=2 E4=8 DR4=1 DC4=0 E5=1 DR5=0 DC5=0 E6=1 DR6=0 DC6=0 E7=1 DR7=0 DC7=0 E8=1 DR8=0 DC8=0 E9=1 DR9=0 DC9=0 E10=1 DR10=0 DC10=0 E11=1 DR11=0 DC11=0 B=256
// dims divisible: P%16
// 64 threads in 1 warps of 64, 0 bytes of shared memory
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
#if defined(__AMDGCN_WAVEFRONT_SIZE) || defined(__AMDGCN_WAVEFRONT_SIZE__)
#define TW_WARP __AMDGCN_WAVEFRONT_SIZE
#elif defined(__GFX9__)
#define TW_WARP 64
#else
#define TW_WARP 32
#endif
TW_DEV i32 tw_lane() { return tw_tid() & (TW_WARP - 1); }
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
TW_DEV i32 tw_floordiv_i32(i32 a, i32 b) {
  const i32 quotient = a / b;
  const i32 rest = a - quotient * b;
  return quotient - (rest != 0 && (rest ^ b) < 0 ? 1 : 0);
}
TW_DEV i32 tw_floormod_i32(i32 a, i32 b) {
  const i32 rest = a % b;
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}
#endif

TW_KERNEL(64) unpack_tensor(const tw_bf16* x, tw_bf16* y, i32 P, i32 H, i32 R, i32 C) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 across = (C + 255) >> 8;
  const i32 row = tw_floordiv_i32(pid0, across);
  const i32 t = tw_floormod_i32(pid0, across) * 256;
  i32 column[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    column[r] = t + lane + r * 64;
  }
  const i32 blockRow = pid1 * ((R + 15) >> 4) + (row >> 4);
  const i32 t_1 = blockRow * ((C + 63) >> 6);
  const i32 inRow = row & 15;
  i32 inColumn[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    inColumn[r] = column[r] & 63;
  }
  const i32 t_2 = (inRow >> 3) * 16;
  i32 place[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    place[r] = (t_1 + (column[r] >> 6)) * 1024 + (inColumn[r] & 1) + (inColumn[r] >> 3) * 2 + t_2 + ((inColumn[r] >> 1) & 3) * 32;
  }
  const i32 t_3 = (inRow & 7) * 128;
  i32 t_4[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    t_4[r] = column[r] < C ? place[r] + t_3 : -1;
  }
  tw_bf16 value[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    value[r] = (u32)t_4[r] < (u32)P ? tw_ldg_nc<u16>(x + (i64)t_4[r]) : (u16)0;
  }
  const i32 stride = C * R;
  const i64 y_at = (i64)pid1 * (i64)stride + (i64)row * (i64)C + (i64)t + (i64)lane;
  const bool y_in = pid1 < H && row < R;
  const i32 left = C - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    if (y_in && lane + r * 64 < left) {
      tw_stg<u16>(y + (y_at + (i64)(r * 64)), value[r]);
    }
  }
}
