// linear_small for hip gfx90a, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=2 BN=16 BK=32 KL=8 KV=4 stages=1
// dims divisible: M%2 K%16 N%16
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
struct alignas(8) tw_u32x2 { u32 x, y; };
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
template <class T> TW_DEV T tw_shfl_idx(T value, i32 lane) {
  i32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __builtin_amdgcn_ds_bpermute((lane & (TW_WARP - 1)) << 2, bits);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T> TW_DEV T tw_shfl_xor(T value, i32 mask) { return tw_shfl_idx(value, tw_lane() ^ mask); }
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
#endif

TW_KERNEL(128) linear_small(const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 K, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 2;
  const i32 t_1 = pid0 * 16;
  f32 acc[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    acc[r] = 0.0f;
  }
  const i32 t_BK = (lane & 7) * 4;
  const i64 x_at = (i64)t * (i64)K + (i64)t_BK;
  const i32 left = M - t;
  const i32 t_BN = thread >> 3;
  const i32 left_1 = N - t_1;
  const i32 w_at = t_BN * K + t_BK;
  const i64 w_at_1 = (i64)t_1 * (i64)K + (i64)w_at;
  const bool w_in = t_BN < left_1;
  for (i32 k = 0; k < K; k += 32) {
    const i32 left_2 = K - k;
    const i64 x_at_1 = x_at + (i64)k;
    const bool x_in = t_BK < left_2;
    tw_bf16 x_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x2 x_tile_vec = x_in && r < left ? tw_ldg_nc<tw_u32x2>(x + (x_at_1 + (i64)(r * K))) : tw_u32x2{0u, 0u};
      x_tile[r * 4] = tw_u16x2_lo(x_tile_vec.x); x_tile[r * 4 + 1] = tw_u16x2_hi(x_tile_vec.x);
      x_tile[r * 4 + 2] = tw_u16x2_lo(x_tile_vec.y); x_tile[r * 4 + 3] = tw_u16x2_hi(x_tile_vec.y);
    }
    const i64 w_at_2 = w_at_1 + (i64)k;
    const bool w_in_1 = w_in && t_BK < left_2;
    tw_bf16 w_tile[4];
    const tw_u32x2 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x2>(w + w_at_2) : tw_u32x2{0u, 0u};
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    f32 b[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      b[r] = tw_bf16_to_f32(w_tile[r]);
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      f32 sum = 0.0f;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum = sum + tw_bf16_to_f32(x_tile[r * 4 + i]) * b[i];
      }
      acc[r] = acc[r] + sum;
    }
  }
  f32 sum_1[2];
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    sum_1[r] = acc[r];
  }
  f32 other;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    other = tw_shfl_xor<f32>(sum_1[r], 1);
    sum_1[r] = sum_1[r] + other;
    other = tw_shfl_xor<f32>(sum_1[r], 2);
    sum_1[r] = sum_1[r] + other;
    other = tw_shfl_xor<f32>(sum_1[r], 4);
    sum_1[r] = sum_1[r] + other;
  }
  const i64 y_at = (i64)t * (i64)N + (i64)t_1 + (i64)t_BN;
  const bool is_first = (lane & 7) == 0;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_bf16 y_tile = tw_f32_to_bf16(sum_1[r]);
      if (w_in && r < left) {
        tw_stg<u16>(y + (y_at + (i64)(r * N)), y_tile);
      }
    }
  }
}
