// qk_norm for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BH=4 OFFSET=0
// dims fixed: D=80
// dims divisible: N%2
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
TW_DEV f32 tw_sqrt(f32 x) { return __builtin_elementwise_sqrt(x); }
TW_DEV f32 tw_rsqrt(f32 x) { return 1.0f / tw_sqrt(x); }
TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
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

TW_KERNEL(64) qk_norm(
    tw_bf16* qkv, const tw_bf16* wq, const tw_bf16* wk, i32 N, i32 HT, i32 numQ, i32 numK, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 first = pid1 * 4;
  const i32 t = numQ + numK;
  const i32 stride = HT * 80;
  const i32 t_BH = (lane >> 2) & 3;
  const i32 bound = tw_min_i32(t, HT);
  const i32 left = bound - first;
  const i32 t_D = (lane & 3) * 4;
  const i32 qkv_at = t_BH * 80 + t_D;
  const i64 qkv_at_1 = (i64)pid0 * (i64)stride + (i64)first * 80ll + (i64)qkv_at;
  const bool qkv_in = pid0 < N && t_BH < left;
  tw_bf16 qkv_tile[20];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x2 qkv_tile_vec = qkv_in ? tw_ldg<tw_u32x2>(qkv + (qkv_at_1 + (i64)(r * 16))) : tw_u32x2{0u, 0u};
    qkv_tile[r * 4] = tw_u16x2_lo(qkv_tile_vec.x);
    qkv_tile[r * 4 + 1] = tw_u16x2_hi(qkv_tile_vec.x);
    qkv_tile[r * 4 + 2] = tw_u16x2_lo(qkv_tile_vec.y);
    qkv_tile[r * 4 + 3] = tw_u16x2_hi(qkv_tile_vec.y);
  }
  f32 v[20];
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    v[r] = tw_bf16_to_f32(qkv_tile[r]);
  }
  tw_bf16 wq_tile[20];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x2 wq_tile_vec = tw_ldg_nc<tw_u32x2>(wq + (t_D + r * 16));
    wq_tile[r * 4] = tw_u16x2_lo(wq_tile_vec.x); wq_tile[r * 4 + 1] = tw_u16x2_hi(wq_tile_vec.x);
    wq_tile[r * 4 + 2] = tw_u16x2_lo(wq_tile_vec.y);
    wq_tile[r * 4 + 3] = tw_u16x2_hi(wq_tile_vec.y);
  }
  tw_bf16 wk_tile[20];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x2 wk_tile_vec = tw_ldg_nc<tw_u32x2>(wk + (t_D + r * 16));
    wk_tile[r * 4] = tw_u16x2_lo(wk_tile_vec.x); wk_tile[r * 4 + 1] = tw_u16x2_hi(wk_tile_vec.x);
    wk_tile[r * 4 + 2] = tw_u16x2_lo(wk_tile_vec.y);
    wk_tile[r * 4 + 3] = tw_u16x2_hi(wk_tile_vec.y);
  }
  const bool t_1 = first + t_BH < numQ;
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 20; ++r) {
    sum = sum + v[r] * v[r];
  }
  f32 other;
  other = tw_shfl_xor<f32>(sum, 1);
  sum = sum + other;
  other = tw_shfl_xor<f32>(sum, 2);
  sum = sum + other;
  const f32 t_2 = tw_rsqrt(sum / 80.0f + eps);
  tw_syncthreads();
  const bool is_first = thread < 16;
  if (is_first) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_bf16 qkv_tile_1[4];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        qkv_tile_1[i] = tw_f32_to_bf16(v[r * 4 + i] * t_2 * (t_1 ? tw_bf16_to_f32(wq_tile[r * 4 + i]) : tw_bf16_to_f32(wk_tile[r * 4 + i])));
      }
      if (qkv_in) {
        tw_stg<tw_u32x2>(qkv + (qkv_at_1 + (i64)(r * 16)), tw_u32x2{
            tw_pack_u16x2(qkv_tile_1[0], qkv_tile_1[1]), tw_pack_u16x2(qkv_tile_1[2], qkv_tile_1[3])});
      }
    }
  }
}
