// gelu_and_mul for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BR=1 BI=1024 EXACT=false
// dims divisible: R%2 I%16
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
struct alignas(16) tw_u32x4 { u32 x, y, z, w; };
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
extern "C" __device__ f32 __ocml_tanh_f32(f32);
TW_DEV f32 tw_tanh(f32 x) { return __ocml_tanh_f32(x); }
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
#endif

TW_KERNEL(128) gelu_and_mul(const tw_bf16* x, tw_bf16* y, i32 R, i32 I) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 stride = I * 2;
  const i32 left = R - pid0;
  const i32 t_BI = thread * 8;
  const i32 left_1 = I - t;
  const i64 x_at = (i64)pid0 * (i64)stride + (i64)t + (i64)t_BI;
  const bool x_in = 0 < left && t_BI < left_1;
  tw_bf16 x_tile[8];
  const tw_u32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at) : tw_u32x4{0u, 0u, 0u, 0u};
  x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
  x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
  x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
  x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
  f32 gate[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    gate[r] = tw_bf16_to_f32(x_tile[r]);
  }
  const i64 x_at_1 = (i64)pid0 * (i64)stride + (i64)I + (i64)t + (i64)t_BI;
  tw_bf16 x_tile_1[8];
  const tw_u32x4 x_tile_1_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
  x_tile_1[0] = tw_u16x2_lo(x_tile_1_vec.x); x_tile_1[1] = tw_u16x2_hi(x_tile_1_vec.x);
  x_tile_1[2] = tw_u16x2_lo(x_tile_1_vec.y); x_tile_1[3] = tw_u16x2_hi(x_tile_1_vec.y);
  x_tile_1[4] = tw_u16x2_lo(x_tile_1_vec.z); x_tile_1[5] = tw_u16x2_hi(x_tile_1_vec.z);
  x_tile_1[6] = tw_u16x2_lo(x_tile_1_vec.w); x_tile_1[7] = tw_u16x2_hi(x_tile_1_vec.w);
  f32 t_1[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    t_1[r] = gate[r] * 0.5f * (tw_tanh((gate[r] + gate[r] * gate[r] * (gate[r] * 0.044715f)) * 0.7978846f) + 1.0f) * tw_bf16_to_f32(x_tile_1[r]);
  }
  const i64 y_at = (i64)pid0 * (i64)I + (i64)t + (i64)t_BI;
  tw_bf16 y_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    y_tile[r] = tw_f32_to_bf16(t_1[r]);
  }
  if (x_in) {
    tw_stg<tw_u32x4>(y + y_at, tw_u32x4{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3]),
        tw_pack_u16x2(y_tile[4], y_tile[5]), tw_pack_u16x2(y_tile[6], y_tile[7])});
  }
}
