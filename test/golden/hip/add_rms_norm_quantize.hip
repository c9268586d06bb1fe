// add_rms_norm_quantize for hip gfx90a, made by tilewright
// dtypes: T=f32 Q=i8
// dims fixed: H=512 HG=1
// dims divisible: R%2
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
struct alignas(16) tw_f32x4 { f32 x, y, z, w; };
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
// Memory holds whatever type the other side wrote.
template <class T> struct tw_alias_ { typedef T type __attribute__((may_alias)); };
template <class T> TW_DEV T tw_ldg(const void* p) { return *(const typename tw_alias_<T>::type*)p; }
template <class T> TW_DEV T tw_ldg_nc(const void* p) { return tw_ldg<T>(p); }
// Keeps a template argument from being guessed: the width of a store is always written out.
template <class T> struct tw_same_ { typedef T type; };
template <class T> TW_DEV void tw_stg(void* p, typename tw_same_<T>::type value) {
  *(typename tw_alias_<T>::type*)p = value;
}
template <class T> TW_DEV T tw_shfl_idx(T value, i32 lane) {
  i32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __builtin_amdgcn_ds_bpermute((lane & (TW_WARP - 1)) << 2, bits);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T> TW_DEV T tw_shfl_xor(T value, i32 mask) { return tw_shfl_idx(value, tw_lane() ^ mask); }
TW_DEV f32 tw_sqrt(f32 x) { return __builtin_elementwise_sqrt(x); }
TW_DEV f32 tw_rsqrt(f32 x) { return 1.0f / tw_sqrt(x); }
TW_DEV f32 tw_round(f32 x) { return __builtin_elementwise_roundeven(x); }
TW_DEV f32 tw_abs(f32 x) { return __builtin_fabsf(x); }
TW_DEV f32 tw_max(f32 a, f32 b) { return __builtin_fmaxf(a, b); }
TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
TW_DEV i32 tw_f32_to_i32(f32 x) {
  if (x != x) return 0;
  if (x >= 2147483648.0f) return 0x7fffffff;
  if (x < -2147483648.0f) return -0x7fffffff - 1;
  return (i32)x;
}
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV u32 tw_pack_u8x4(u32 a, u32 b, u32 c, u32 d) {
  return (a & 0xffu) | (b & 0xffu) << 8 | (c & 0xffu) << 16 | d << 24;
}
#endif

TW_KERNEL(64) add_rms_norm_quantize(
    const f32* x, f32* residual, const f32* w, i8* q, f32* scale, i32 R, f32 eps) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 t_H = lane * 4;
  const i64 x_at = (i64)pid0 * 512ll + (i64)t_H;
  const bool x_in = pid0 < R;
  f32 x_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_f32x4>(x + (x_at + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    x_tile[r * 4] = x_tile_vec.x; x_tile[r * 4 + 1] = x_tile_vec.y;
    x_tile[r * 4 + 2] = x_tile_vec.z; x_tile[r * 4 + 3] = x_tile_vec.w;
  }
  f32 residual_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 residual_tile_vec = x_in ? tw_ldg<tw_f32x4>(residual + (x_at + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    residual_tile[r * 4] = residual_tile_vec.x; residual_tile[r * 4 + 1] = residual_tile_vec.y;
    residual_tile[r * 4 + 2] = residual_tile_vec.z; residual_tile[r * 4 + 3] = residual_tile_vec.w;
  }
  f32 added[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    added[r] = x_tile[r] + residual_tile[r];
  }
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    if (x_in) {
      tw_stg<tw_f32x4>(residual + (x_at + (i64)(r * 256)), tw_f32x4{
          added[r * 4], added[r * 4 + 1], added[r * 4 + 2], added[r * 4 + 3]});
    }
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    sum = sum + added[r] * added[r];
  }
  f32 other;
  other = tw_shfl_xor<f32>(sum, 1);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 2);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 4);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 8);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 16);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 32);
  sum = sum + other;
  const f32 t = tw_rsqrt(sum / 512.0f + eps);
  f32 w_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    const tw_f32x4 w_tile_vec = tw_ldg_nc<tw_f32x4>(w + (t_H + r * 256));
    w_tile[r * 4] = w_tile_vec.x; w_tile[r * 4 + 1] = w_tile_vec.y;
    w_tile[r * 4 + 2] = w_tile_vec.z; w_tile[r * 4 + 3] = w_tile_vec.w;
  }
  f32 normal[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    normal[r] = added[r] * t * w_tile[r];
  }
  f32 greatest = tw_bits_f32(0xff800000u);
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    greatest = tw_max(greatest, tw_abs(normal[r]));
  }
  f32 other_1;
  other_1 = tw_shfl_xor<f32>(greatest, 1);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 2);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 4);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 8);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 16);
  greatest = tw_max(greatest, other_1);
  other_1 = tw_shfl_xor<f32>(greatest, 32);
  greatest = tw_max(greatest, other_1);
  const bool isEmpty = greatest == 0.0f;
  const f32 t_1 = isEmpty ? 0.0f : 127.0f / greatest;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    i8 q_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      q_tile[i] = tw_min_i32(tw_max_i32(
          tw_f32_to_i32(tw_round(normal[r * 4 + i] * t_1)), -128), 127);
    }
    if (x_in) {
      tw_stg<u32>(
          q + (x_at + (i64)(r * 256)), tw_pack_u8x4(q_tile[0], q_tile[1], q_tile[2], q_tile[3]));
    }
  }
  const i64 scale_at = (i64)pid0;
  const bool is_first = lane == 0;
  if (is_first) {
    const f32 scale_1 = isEmpty ? 1.0f : greatest / 127.0f;
    if (x_in) {
      tw_stg<f32>(scale + scale_at, scale_1);
    }
  }
}
