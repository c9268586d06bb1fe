// pack_tensor for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=16 BC=64 E0=2 DR0=0 DC0=1 E1=8 DR1=0 DC1=8 E2=2 DR2=8 DC2=0 E3=4 DR3=0 DC3=2 E4=8 DR4=1 DC4=0 E5=1 DR5=0 DC5=0 E6=1 DR6=0 DC6=0 E7=1 DR7=0 DC7=0 E8=1 DR8=0 DC8=0 E9=1 DR9=0 DC9=0 E10=1 DR10=0 DC10=0 E11=1 DR11=0 DC11=0 B=1024
// dims divisible: P%16
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
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV f32 tw_i32_to_f32(i32 x) { return (f32)x; }
#endif

TW_KERNEL(128) pack_tensor(const tw_bf16* x, tw_bf16* y, i32 H, i32 R, i32 C, i32 P, i32 pad) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 t = pid0 * 1024;
  i32 place[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    place[r] = t + thread + r * 128;
  }
  const i32 across = (C + 63) >> 6;
  const i32 down = (R + 15) >> 4;
  i32 block[8];
  i32 column[8];
  i32 row[8];
  bool inside[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    block[r] = place[r] >> 10;
    const i32 rest = place[r] & 1023;
    const i32 rest_1 = rest >> 1;
    const i32 rest_2 = rest_1 >> 3;
    const i32 rest_3 = rest_2 >> 1;
    column[r] = tw_floormod_i32(block[r], across) * 64 + (rest & 1) + (rest_1 & 7) * 8 + (rest_3 & 3) * 2;
    row[r] = tw_floormod_i32(tw_floordiv_i32(block[r], across), down) * 16 + (rest_2 & 1) * 8 + (rest_3 >> 2);
    inside[r] = place[r] < P && row[r] < R && column[r] < C;
  }
  const i32 t_1 = across * down;
  const i32 stride = C * R;
  i32 matrix[8];
  i32 t_2[8];
  i32 t_3[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    matrix[r] = inside[r] ? tw_floordiv_i32(block[r], t_1) : -1;
    t_2[r] = inside[r] ? row[r] : -1;
    t_3[r] = inside[r] ? column[r] : -1;
  }
  tw_bf16 x_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    x_tile[r] = (u32)matrix[r] < (u32)H && (u32)t_2[r] < (u32)R && (u32)t_3[r] < (u32)C ? tw_ldg_nc<u16>(x + ((i64)matrix[r] * (i64)stride + (i64)t_2[r] * (i64)C + (i64)t_3[r])) : (u16)0;
  }
  const tw_bf16 t_4 = tw_f32_to_bf16(tw_i32_to_f32(pad));
  const i64 y_at = (i64)t + (i64)thread;
  const i32 left = P - t;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    const tw_bf16 y_tile = inside[r] ? x_tile[r] : t_4;
    if (thread + r * 128 < left) {
      tw_stg<u16>(y + (y_at + (i64)(r * 128)), y_tile);
    }
  }
}
