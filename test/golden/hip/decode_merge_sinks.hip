// decode_merge_sinks for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BS=4
// dims fixed: D=128
// dims divisible: G%2
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
TW_DEV i32 tw_bid_y() { return (i32)__builtin_amdgcn_workgroup_id_y(); }
TW_DEV i32 tw_bid_z() { return (i32)__builtin_amdgcn_workgroup_id_z(); }
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
TW_DEV f32 tw_exp2(f32 x) { return __builtin_elementwise_exp2(x); }
TW_DEV f32 tw_max(f32 a, f32 b) { return __builtin_fmaxf(a, b); }
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
#endif

TW_KERNEL(64) decode_merge_sinks(
    const f32* partial, const f32* lse, tw_bf16* o, const tw_bf16* sinks, i32 S, i32 HKV, i32 SPLIT,
    i32 G) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const i64 sinks_at = (i64)pid1 * (i64)G + (i64)pid0;
  tw_bf16 sinks_tile;
  sinks_tile = tw_ldg_nc<u16>(sinks + sinks_at);
  f32 l = 1.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = tw_bf16_to_f32(sinks_tile) * 1.442695f;
  const i32 stride = G * SPLIT * HKV;
  const i32 stride_1 = G * SPLIT;
  const i32 t_BS = lane >> 5;
  const i32 lse_at = t_BS * G;
  const i64 lse_at_1 = (i64)pid2 * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)pid0 + (i64)lse_at;
  const bool lse_in = pid2 < S && pid1 < HKV && pid0 < G;
  const i32 stride_2 = G * 128 * SPLIT * HKV;
  const i32 stride_3 = G * 128 * SPLIT;
  const i32 stride_4 = G * 128;
  const i32 t_D = (lane & 31) * 4;
  const i32 partial_at = t_BS * stride_4 + t_D;
  const i64 partial_at_1 = (i64)pid2 * (i64)stride_2 + (i64)pid1 * (i64)stride_3 + (i64)pid0 * 128ll + (i64)partial_at;
  for (i32 j = 0; j < SPLIT; j += 4) {
    const i64 lse_at_2 = lse_at_1 + (i64)j * (i64)G;
    f32 x[2];
    const i32 left = SPLIT - j;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      x[r] = lse_in && t_BS + r * 2 < left ? tw_ldg_nc<f32>(lse + (lse_at_2 + (i64)(r * 2 * G))) : -1e+30f;
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most = tw_max(most, x[r]);
    }
    f32 other;
    other = tw_shfl_xor<f32>(most, 32);
    most = tw_max(most, other);
    const f32 mNew = tw_max(m, most);
    f32 w[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      w[r] = tw_exp2(x[r] - mNew);
    }
    const f32 alpha = tw_exp2(m - mNew);
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum = sum + w[r];
    }
    f32 other_1;
    other_1 = tw_shfl_xor<f32>(sum, 32);
    sum = sum + other_1;
    const i64 partial_at_2 = partial_at_1 + (i64)j * (i64)stride_4;
    f32 partial_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 partial_tile_vec = lse_in && t_BS + r * 2 < left ? tw_ldg_nc<tw_f32x4>(partial + (partial_at_2 + (i64)(r * 2 * stride_4))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      partial_tile[r * 4] = partial_tile_vec.x; partial_tile[r * 4 + 1] = partial_tile_vec.y;
      partial_tile[r * 4 + 2] = partial_tile_vec.z; partial_tile[r * 4 + 3] = partial_tile_vec.w;
    }
    f32 sum_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum_1[i] = sum_1[i] + w[r] * partial_tile[r * 4 + i];
      }
    }
    f32 other_2;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      other_2 = tw_shfl_xor<f32>(sum_1[r], 32);
      sum_1[r] = sum_1[r] + other_2;
    }
    l = l * alpha + sum;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha + sum_1[r];
    }
    m = mNew;
  }
  const i32 stride_5 = G * 128 * HKV;
  const i64 o_at = (i64)pid2 * (i64)stride_5 + (i64)pid1 * (i64)stride_4 + (i64)pid0 * 128ll + (i64)t_D;
  const bool is_first = thread < 32;
  if (is_first) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      o_tile[r] = tw_f32_to_bf16(acc[r] / l);
    }
    if (lse_in) {
      tw_stg<tw_u32x2>(o + o_at, tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
