// rms_norm_add for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: OFFSET=0
// dims fixed: H=5120
// 256 threads in 4 warps of 64, 16 bytes of shared memory
//       0 … 8: t6_parts f32[2]
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
struct alignas(8) tw_f32x2 { f32 x, y; };
TW_DEV i32 tw_tid() { return (i32)__builtin_amdgcn_workitem_id_x(); }
#if defined(__AMDGCN_WAVEFRONT_SIZE) || defined(__AMDGCN_WAVEFRONT_SIZE__)
#define TW_WARP __AMDGCN_WAVEFRONT_SIZE
#elif defined(__GFX9__)
#define TW_WARP 64
#else
#define TW_WARP 32
#endif
TW_DEV i32 tw_lane() { return tw_tid() & (TW_WARP - 1); }
// readfirstlane tells the compiler that the value is the same for all lanes.
TW_DEV i32 tw_warp() { return __builtin_amdgcn_readfirstlane(tw_tid() / TW_WARP); }
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
#define TW_LDS __attribute__((address_space(3)))
extern __shared__ __attribute__((aligned(1024))) u8 tw_smem_[];
TW_DEV u32 tw_smem_dyn() { return (u32)(__UINTPTR_TYPE__)(TW_LDS u8*)tw_smem_; }
TW_DEV void tw_label(u32, u32, const char*) {}
template <class T> TW_DEV T tw_lds(u32 address) {
  return *(TW_LDS const typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address;
}
template <class T> TW_DEV void tw_sts(u32 address, typename tw_same_<T>::type value) {
  *(TW_LDS typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address = value;
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

TW_KERNEL(256) rms_norm_add(const tw_bf16* x, tw_bf16* residual, const tw_bf16* w, i32 R, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t6_parts = smem;
  tw_label(t6_parts, 8u, "t6_parts");
  const i32 t_H = (thread & 127) * 8;
  const i64 x_at = (i64)pid0 * 5120ll + (i64)t_H;
  const bool x_in = pid0 < R;
  tw_bf16 x_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + (x_at + (i64)(r * 1024))) : tw_u32x4{0u, 0u, 0u, 0u};
    x_tile[r * 8] = tw_u16x2_lo(x_tile_vec.x); x_tile[r * 8 + 1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[r * 8 + 2] = tw_u16x2_lo(x_tile_vec.y); x_tile[r * 8 + 3] = tw_u16x2_hi(x_tile_vec.y);
    x_tile[r * 8 + 4] = tw_u16x2_lo(x_tile_vec.z); x_tile[r * 8 + 5] = tw_u16x2_hi(x_tile_vec.z);
    x_tile[r * 8 + 6] = tw_u16x2_lo(x_tile_vec.w); x_tile[r * 8 + 7] = tw_u16x2_hi(x_tile_vec.w);
  }
  f32 v[40];
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    v[r] = tw_bf16_to_f32(x_tile[r]);
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 40; ++r) {
    sum = sum + v[r] * v[r];
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
  const i32 part = warp & 1;
  const bool is_first = lane == 0 && thread < 128;
  if (is_first) {
    tw_sts<f32>(t6_parts + (u32)part * 4u, sum);
  }
  tw_syncthreads();
  f32 parts[2];
  const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t6_parts);
  parts[0] = parts_vec.x; parts[1] = parts_vec.y;
  sum = parts[0];
  sum = sum + parts[1];
  tw_bf16 w_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 w_tile_vec = tw_ldg_nc<tw_u32x4>(w + (t_H + r * 1024));
    w_tile[r * 8] = tw_u16x2_lo(w_tile_vec.x); w_tile[r * 8 + 1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[r * 8 + 2] = tw_u16x2_lo(w_tile_vec.y); w_tile[r * 8 + 3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[r * 8 + 4] = tw_u16x2_lo(w_tile_vec.z); w_tile[r * 8 + 5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[r * 8 + 6] = tw_u16x2_lo(w_tile_vec.w); w_tile[r * 8 + 7] = tw_u16x2_hi(w_tile_vec.w);
  }
  const f32 scale = tw_rsqrt(sum / 5120.0f + eps);
  tw_bf16 residual_tile[40];
  #pragma unroll
  for (i32 r = 0; r < 5; ++r) {
    const tw_u32x4 residual_tile_vec = x_in ? tw_ldg<tw_u32x4>(residual + (x_at + (i64)(r * 1024))) : tw_u32x4{0u, 0u, 0u, 0u};
    residual_tile[r * 8] = tw_u16x2_lo(residual_tile_vec.x);
    residual_tile[r * 8 + 1] = tw_u16x2_hi(residual_tile_vec.x);
    residual_tile[r * 8 + 2] = tw_u16x2_lo(residual_tile_vec.y);
    residual_tile[r * 8 + 3] = tw_u16x2_hi(residual_tile_vec.y);
    residual_tile[r * 8 + 4] = tw_u16x2_lo(residual_tile_vec.z);
    residual_tile[r * 8 + 5] = tw_u16x2_hi(residual_tile_vec.z);
    residual_tile[r * 8 + 6] = tw_u16x2_lo(residual_tile_vec.w);
    residual_tile[r * 8 + 7] = tw_u16x2_hi(residual_tile_vec.w);
  }
  tw_syncthreads();
  const bool is_first_1 = thread < 128;
  if (is_first_1) {
    #pragma unroll
    for (i32 r = 0; r < 5; ++r) {
      tw_bf16 residual_tile_1[8];
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        residual_tile_1[i] = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + i]) + v[r * 8 + i] * scale * tw_bf16_to_f32(w_tile[r * 8 + i]));
      }
      if (x_in) {
        tw_stg<tw_u32x4>(residual + (x_at + (i64)(r * 1024)), tw_u32x4{
            tw_pack_u16x2(residual_tile_1[0], residual_tile_1[1]),
            tw_pack_u16x2(residual_tile_1[2], residual_tile_1[3]),
            tw_pack_u16x2(residual_tile_1[4], residual_tile_1[5]),
            tw_pack_u16x2(residual_tile_1[6], residual_tile_1[7])});
      }
    }
  }
}
