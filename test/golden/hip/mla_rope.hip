// mla_rope for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BH=8 INTERLEAVED=true
// dims fixed: DQ=128 D2=32
// dims divisible: P%2 DR%16
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
TW_DEV void tw_syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
#endif

TW_KERNEL(64) mla_rope(
    const tw_bf16* q, const i32* positions, const f32* cosSin, tw_bf16* qRope, i32 N, i32 H, i32 P,
    i32 DR) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 positions_at = (i64)pid0;
  i32 position;
  position = tw_ldg_nc<i32>(positions + positions_at);
  const i32 t_D2 = lane & 31;
  const i64 cosSin_at = (i64)position * 64ll + (i64)t_D2;
  const bool cosSin_in = (u32)position < (u32)P;
  f32 cos;
  cos = cosSin_in ? tw_ldg_nc<f32>(cosSin + cosSin_at) : 0.0f;
  f32 sin;
  sin = cosSin_in ? tw_ldg_nc<f32>(cosSin + (cosSin_at + 32ll)) : 0.0f;
  const i32 t = pid1 * 8;
  const i32 first = t_D2 * 2 + 64;
  const i32 stride = H * 128;
  const i32 t_BH = lane >> 5;
  const i32 q_at = t_BH * 128;
  const i64 q_at_1 = (i64)pid0 * (i64)stride + (i64)t * 128ll + (i64)first + (i64)q_at;
  const bool q_in = pid0 < N;
  tw_bf16 q_tile[4];
  const i32 left = H - t;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    q_tile[r] = q_in && t_BH + r * 2 < left ? tw_ldg_nc<u16>(q + (q_at_1 + (i64)(r * 256))) : (u16)0;
  }
  f32 x[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    x[r] = tw_bf16_to_f32(q_tile[r]);
  }
  const i32 t_1 = first + 1;
  const i64 q_at_2 = (i64)pid0 * (i64)stride + (i64)t * 128ll + (i64)t_1 + (i64)q_at;
  tw_bf16 q_tile_1[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    q_tile_1[r] = q_in && t_BH + r * 2 < left ? tw_ldg_nc<u16>(q + (q_at_2 + (i64)(r * 256))) : (u16)0;
  }
  f32 y[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    y[r] = tw_bf16_to_f32(q_tile_1[r]);
  }
  const i32 stride_1 = DR * H;
  const i32 qRope_at = t_BH * DR + t_D2;
  const i64 qRope_at_1 = (i64)pid0 * (i64)stride_1 + (i64)t * (i64)DR + (i64)qRope_at;
  const bool qRope_in = pid0 < N && t_D2 < DR;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_bf16 qRope_tile = tw_f32_to_bf16(x[r] * cos - y[r] * sin);
    if (qRope_in && t_BH + r * 2 < left) {
      tw_stg<u16>(qRope + (qRope_at_1 + (i64)(r * 2 * DR)), qRope_tile);
    }
  }
  tw_syncthreads();
  const i32 left_1 = DR - 32;
  const bool qRope_in_1 = pid0 < N && t_D2 < left_1;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    const tw_bf16 qRope_tile_1 = tw_f32_to_bf16(y[r] * cos + x[r] * sin);
    if (qRope_in_1 && t_BH + r * 2 < left) {
      tw_stg<u16>(qRope + (qRope_at_1 + 32ll + (i64)(r * 2 * DR)), qRope_tile_1);
    }
  }
}
