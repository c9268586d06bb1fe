// moe_gemm for hip gfx90a, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BN=64 BK=32 stages=3 group=8
// dims fixed: G=2 B=0 BM=64
// dims divisible: K%16 E%4 N%8 PB%4 S%2
// 128 threads in 2 warps of 64, 16384 bytes of shared memory
//       0 … 8192: a_shared f32[2048]
//    8192 … 16384: t50_shared f32[2048]
//    8192 … 16384: t52_shared f32[2048]
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
struct alignas(16) tw_u32x4 { u32 x, y, z, w; };
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
TW_DEV f32 tw_exp(f32 x) { return __builtin_elementwise_exp(x); }
TW_DEV f32 tw_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
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
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
#endif

TW_KERNEL(128) moe_gemm(
    const tw_bf16* x, const tw_bf16* w, const tw_bf16* bias, const i32* rows, const i32* expertOf,
    tw_bf16* y, i32 R, i32 K, i32 E, i32 N, i32 PB, i32 S) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a_shared = smem;
  tw_label(a_shared, 8192u, "a_shared");
  const u32 t50_shared = smem + 8192u;
  tw_label(t50_shared, 8192u, "t50_shared");
  const u32 t52_shared = smem + 8192u;
  tw_label(t52_shared, 8192u, "t52_shared");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(PB - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = t_1 + tw_floormod_i32(t_3, t_2);
  const i32 t_5 = tw_floordiv_i32(t_3, t_2);
  const i64 expertOf_at = (i64)t_4;
  i32 e;
  e = tw_ldg_nc<i32>(expertOf + expertOf_at);
  const bool t_6 = e < 0;
  if (!t_6) {
    const i32 t_BM = lane >> 3;
    const i64 rows_at = (i64)t_4 * 64ll + (i64)t_BM;
    const bool rows_in = (u32)t_4 < (u32)PB;
    i32 slots[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      slots[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at + (i64)(r * 8))) : 0;
    }
    const i32 t_7 = t_5 * 64;
    const i32 t_BM_1 = thread >> 2;
    const i64 rows_at_1 = (i64)t_4 * 64ll + (i64)t_BM_1;
    i32 slots_1[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      slots_1[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at_1 + (i64)(r * 32))) : 0;
    }
    const i32 t_8 = tw_floordiv_i32(S, R);
    i32 from[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      from[r] = tw_floordiv_i32(slots_1[r], t_8);
    }
    const bool more = 0 < K;
    tw_bf16 a[16];
    tw_bf16 t_9[16];
    tw_bf16 t_10[16];
    const i32 t_BK = (lane & 3) * 8;
    const i64 x_at = (i64)t_BK;
    const i32 stride = K * N * 2;
    const i32 stride_1 = K * N;
    const i32 w_at = t_BM_1 * K + t_BK;
    const i32 position = t_7 + t_BM_1;
    if (more) {
      const bool x_in = t_BK < K;
      tw_bf16 a_1[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 a_1_vec = x_in && (u32)from[r] < (u32)R ? tw_ldg_nc<tw_u32x4>(x + (x_at + (i64)from[r] * (i64)K)) : tw_u32x4{0u, 0u, 0u, 0u};
        a_1[r * 8] = tw_u16x2_lo(a_1_vec.x); a_1[r * 8 + 1] = tw_u16x2_hi(a_1_vec.x);
        a_1[r * 8 + 2] = tw_u16x2_lo(a_1_vec.y); a_1[r * 8 + 3] = tw_u16x2_hi(a_1_vec.y);
        a_1[r * 8 + 4] = tw_u16x2_lo(a_1_vec.z); a_1[r * 8 + 5] = tw_u16x2_hi(a_1_vec.z);
        a_1[r * 8 + 6] = tw_u16x2_lo(a_1_vec.w); a_1[r * 8 + 7] = tw_u16x2_hi(a_1_vec.w);
      }
      const i64 w_at_1 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in = (u32)e < (u32)E && t_BK < K;
      tw_bf16 w_tile[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 w_tile_vec = w_in && (u32)(position + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        w_tile[r * 8] = tw_u16x2_lo(w_tile_vec.x); w_tile[r * 8 + 1] = tw_u16x2_hi(w_tile_vec.x);
        w_tile[r * 8 + 2] = tw_u16x2_lo(w_tile_vec.y);
        w_tile[r * 8 + 3] = tw_u16x2_hi(w_tile_vec.y);
        w_tile[r * 8 + 4] = tw_u16x2_lo(w_tile_vec.z);
        w_tile[r * 8 + 5] = tw_u16x2_hi(w_tile_vec.z);
        w_tile[r * 8 + 6] = tw_u16x2_lo(w_tile_vec.w);
        w_tile[r * 8 + 7] = tw_u16x2_hi(w_tile_vec.w);
      }
      const i64 w_at_2 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      tw_bf16 w_tile_1[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 w_tile_1_vec = w_in && (u32)(position + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_2 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        w_tile_1[r * 8] = tw_u16x2_lo(w_tile_1_vec.x);
        w_tile_1[r * 8 + 1] = tw_u16x2_hi(w_tile_1_vec.x);
        w_tile_1[r * 8 + 2] = tw_u16x2_lo(w_tile_1_vec.y);
        w_tile_1[r * 8 + 3] = tw_u16x2_hi(w_tile_1_vec.y);
        w_tile_1[r * 8 + 4] = tw_u16x2_lo(w_tile_1_vec.z);
        w_tile_1[r * 8 + 5] = tw_u16x2_hi(w_tile_1_vec.z);
        w_tile_1[r * 8 + 6] = tw_u16x2_lo(w_tile_1_vec.w);
        w_tile_1[r * 8 + 7] = tw_u16x2_hi(w_tile_1_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a[r] = a_1[r];
        t_9[r] = w_tile[r];
        t_10[r] = w_tile_1[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a[r] = 0;
        t_9[r] = 0;
        t_10[r] = 0;
      }
    }
    const bool more_1 = 32 < K;
    tw_bf16 a_2[16];
    tw_bf16 t_11[16];
    tw_bf16 t_12[16];
    if (more_1) {
      const i32 left = K - 32;
      const bool x_in_1 = t_BK < left;
      tw_bf16 a_3[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 a_3_vec = x_in_1 && (u32)from[r] < (u32)R ? tw_ldg_nc<tw_u32x4>(x + (x_at + 32ll + (i64)from[r] * (i64)K)) : tw_u32x4{0u, 0u, 0u, 0u};
        a_3[r * 8] = tw_u16x2_lo(a_3_vec.x); a_3[r * 8 + 1] = tw_u16x2_hi(a_3_vec.x);
        a_3[r * 8 + 2] = tw_u16x2_lo(a_3_vec.y); a_3[r * 8 + 3] = tw_u16x2_hi(a_3_vec.y);
        a_3[r * 8 + 4] = tw_u16x2_lo(a_3_vec.z); a_3[r * 8 + 5] = tw_u16x2_hi(a_3_vec.z);
        a_3[r * 8 + 6] = tw_u16x2_lo(a_3_vec.w); a_3[r * 8 + 7] = tw_u16x2_hi(a_3_vec.w);
      }
      const i64 w_at_3 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in_1 = (u32)e < (u32)E && t_BK < left;
      tw_bf16 w_tile_2[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 w_tile_2_vec = w_in_1 && (u32)(position + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_3 + 32ll + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        w_tile_2[r * 8] = tw_u16x2_lo(w_tile_2_vec.x);
        w_tile_2[r * 8 + 1] = tw_u16x2_hi(w_tile_2_vec.x);
        w_tile_2[r * 8 + 2] = tw_u16x2_lo(w_tile_2_vec.y);
        w_tile_2[r * 8 + 3] = tw_u16x2_hi(w_tile_2_vec.y);
        w_tile_2[r * 8 + 4] = tw_u16x2_lo(w_tile_2_vec.z);
        w_tile_2[r * 8 + 5] = tw_u16x2_hi(w_tile_2_vec.z);
        w_tile_2[r * 8 + 6] = tw_u16x2_lo(w_tile_2_vec.w);
        w_tile_2[r * 8 + 7] = tw_u16x2_hi(w_tile_2_vec.w);
      }
      const i64 w_at_4 = (i64)t_7 * (i64)K + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      tw_bf16 w_tile_3[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 w_tile_3_vec = w_in_1 && (u32)(position + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_4 + 32ll + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        w_tile_3[r * 8] = tw_u16x2_lo(w_tile_3_vec.x);
        w_tile_3[r * 8 + 1] = tw_u16x2_hi(w_tile_3_vec.x);
        w_tile_3[r * 8 + 2] = tw_u16x2_lo(w_tile_3_vec.y);
        w_tile_3[r * 8 + 3] = tw_u16x2_hi(w_tile_3_vec.y);
        w_tile_3[r * 8 + 4] = tw_u16x2_lo(w_tile_3_vec.z);
        w_tile_3[r * 8 + 5] = tw_u16x2_hi(w_tile_3_vec.z);
        w_tile_3[r * 8 + 6] = tw_u16x2_lo(w_tile_3_vec.w);
        w_tile_3[r * 8 + 7] = tw_u16x2_hi(w_tile_3_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a_2[r] = a_3[r];
        t_11[r] = w_tile_2[r];
        t_12[r] = w_tile_3[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a_2[r] = 0;
        t_11[r] = 0;
        t_12[r] = 0;
      }
    }
    f32 acc[32];
    f32 up[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      acc[r] = 0.0f;
      up[r] = 0.0f;
    }
    const i64 w_at_5 = (i64)e * (i64)stride + (i64)t_7 * (i64)K + (i64)w_at;
    const bool w_in_2 = (u32)e < (u32)E;
    const i64 w_at_6 = (i64)e * (i64)stride + (i64)stride_1 + (i64)t_7 * (i64)K + (i64)w_at;
    const i32 a_shared_at = (lane & 3) * 8 + (thread >> 2) * 32;
    const i32 swizzled = a_shared_at ^ ((a_shared_at >> 3) & 28);
    const i32 swizzled_1 = a_shared_at ^ ((a_shared_at >> 5) & 28);
    const i32 a_shared_at_1 = (lane >> 3) * 32;
    const i32 t50_shared_at = (lane & 7) * 128 + warp * 1024;
    const i32 swizzled_2 = a_shared_at_1 ^ ((a_shared_at_1 >> 3) & 28);
    const i32 swizzled_3 = t50_shared_at ^ ((t50_shared_at >> 5) & 28);
    for (i32 k = 0; k < K; k += 32) {
      const i32 k_1 = k + 64;
      const bool more_2 = k_1 < K;
      tw_bf16 a_4[16];
      tw_bf16 t_13[16];
      tw_bf16 t_14[16];
      if (more_2) {
        const i32 left_1 = K - k_1;
        const i64 x_at_1 = x_at + (i64)k_1;
        const bool x_in_2 = t_BK < left_1;
        tw_bf16 a_5[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 a_5_vec = x_in_2 && (u32)from[r] < (u32)R ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + (i64)from[r] * (i64)K)) : tw_u32x4{0u, 0u, 0u, 0u};
          a_5[r * 8] = tw_u16x2_lo(a_5_vec.x); a_5[r * 8 + 1] = tw_u16x2_hi(a_5_vec.x);
          a_5[r * 8 + 2] = tw_u16x2_lo(a_5_vec.y); a_5[r * 8 + 3] = tw_u16x2_hi(a_5_vec.y);
          a_5[r * 8 + 4] = tw_u16x2_lo(a_5_vec.z); a_5[r * 8 + 5] = tw_u16x2_hi(a_5_vec.z);
          a_5[r * 8 + 6] = tw_u16x2_lo(a_5_vec.w); a_5[r * 8 + 7] = tw_u16x2_hi(a_5_vec.w);
        }
        const i64 w_at_7 = w_at_5 + (i64)k_1;
        const bool w_in_3 = w_in_2 && t_BK < left_1;
        tw_bf16 w_tile_4[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 w_tile_4_vec = w_in_3 && (u32)(position + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_7 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
          w_tile_4[r * 8] = tw_u16x2_lo(w_tile_4_vec.x);
          w_tile_4[r * 8 + 1] = tw_u16x2_hi(w_tile_4_vec.x);
          w_tile_4[r * 8 + 2] = tw_u16x2_lo(w_tile_4_vec.y);
          w_tile_4[r * 8 + 3] = tw_u16x2_hi(w_tile_4_vec.y);
          w_tile_4[r * 8 + 4] = tw_u16x2_lo(w_tile_4_vec.z);
          w_tile_4[r * 8 + 5] = tw_u16x2_hi(w_tile_4_vec.z);
          w_tile_4[r * 8 + 6] = tw_u16x2_lo(w_tile_4_vec.w);
          w_tile_4[r * 8 + 7] = tw_u16x2_hi(w_tile_4_vec.w);
        }
        const i64 w_at_8 = w_at_6 + (i64)k_1;
        tw_bf16 w_tile_5[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 w_tile_5_vec = w_in_3 && (u32)(position + r * 32) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_8 + (i64)(r * 32 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
          w_tile_5[r * 8] = tw_u16x2_lo(w_tile_5_vec.x);
          w_tile_5[r * 8 + 1] = tw_u16x2_hi(w_tile_5_vec.x);
          w_tile_5[r * 8 + 2] = tw_u16x2_lo(w_tile_5_vec.y);
          w_tile_5[r * 8 + 3] = tw_u16x2_hi(w_tile_5_vec.y);
          w_tile_5[r * 8 + 4] = tw_u16x2_lo(w_tile_5_vec.z);
          w_tile_5[r * 8 + 5] = tw_u16x2_hi(w_tile_5_vec.z);
          w_tile_5[r * 8 + 6] = tw_u16x2_lo(w_tile_5_vec.w);
          w_tile_5[r * 8 + 7] = tw_u16x2_hi(w_tile_5_vec.w);
        }
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          a_4[r] = a_5[r];
          t_13[r] = w_tile_4[r];
          t_14[r] = w_tile_5[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 16; ++r) {
          a_4[r] = 0;
          t_13[r] = 0;
          t_14[r] = 0;
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          f32 a_6[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            a_6[j] = tw_bf16_to_f32(a[r * 8 + i * 4 + j]);
          }
          tw_sts<tw_f32x4>(
              a_shared + (u32)((swizzled ^ (i * 4)) + r * 1024) * 4u,
              tw_f32x4{a_6[0], a_6[1], a_6[2], a_6[3]});
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          f32 t50_shared_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            t50_shared_tile[j] = tw_bf16_to_f32(t_9[r * 8 + i * 4 + j]);
          }
          tw_sts<tw_f32x4>(t50_shared + (u32)((swizzled_1 ^ (i * 4)) + r * 1024) * 4u, tw_f32x4{
              t50_shared_tile[0], t50_shared_tile[1], t50_shared_tile[2], t50_shared_tile[3]});
        }
      }
      tw_syncthreads();
      for (i32 r = 0; r < 8; ++r) {
        f32 a_shared_1[32];
        f32 t50_shared_1[16];
        #pragma unroll
        for (i32 i = 0; i < 8; ++i) {
          const tw_f32x4 a_shared_1_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) + i * 256) * 4u);
          a_shared_1[i * 4] = a_shared_1_vec.x; a_shared_1[i * 4 + 1] = a_shared_1_vec.y;
          a_shared_1[i * 4 + 2] = a_shared_1_vec.z; a_shared_1[i * 4 + 3] = a_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t50_shared_1_vec = tw_lds<tw_f32x4>(t50_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 32) * 4u);
          t50_shared_1[i * 4] = t50_shared_1_vec.x; t50_shared_1[i * 4 + 1] = t50_shared_1_vec.y;
          t50_shared_1[i * 4 + 2] = t50_shared_1_vec.z;
          t50_shared_1[i * 4 + 3] = t50_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            #pragma unroll
            for (i32 l = 0; l < 4; ++l) {
              acc[j * 4 + l] = tw_fma(
                  a_shared_1[j * 4 + i], t50_shared_1[l * 4 + i], acc[j * 4 + l]);
            }
          }
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          f32 t52_shared_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            t52_shared_tile[j] = tw_bf16_to_f32(t_10[r * 8 + i * 4 + j]);
          }
          tw_sts<tw_f32x4>(t52_shared + (u32)((swizzled_1 ^ (i * 4)) + r * 1024) * 4u, tw_f32x4{
              t52_shared_tile[0], t52_shared_tile[1], t52_shared_tile[2], t52_shared_tile[3]});
        }
      }
      tw_syncthreads();
      for (i32 r = 0; r < 8; ++r) {
        f32 a_shared_2[32];
        f32 t52_shared_1[16];
        #pragma unroll
        for (i32 i = 0; i < 8; ++i) {
          const tw_f32x4 a_shared_2_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) + i * 256) * 4u);
          a_shared_2[i * 4] = a_shared_2_vec.x; a_shared_2[i * 4 + 1] = a_shared_2_vec.y;
          a_shared_2[i * 4 + 2] = a_shared_2_vec.z; a_shared_2[i * 4 + 3] = a_shared_2_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t52_shared_1_vec = tw_lds<tw_f32x4>(t52_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 32) * 4u);
          t52_shared_1[i * 4] = t52_shared_1_vec.x; t52_shared_1[i * 4 + 1] = t52_shared_1_vec.y;
          t52_shared_1[i * 4 + 2] = t52_shared_1_vec.z;
          t52_shared_1[i * 4 + 3] = t52_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            #pragma unroll
            for (i32 l = 0; l < 4; ++l) {
              up[j * 4 + l] = tw_fma(a_shared_2[j * 4 + i], t52_shared_1[l * 4 + i], up[j * 4 + l]);
            }
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        a[r] = a_2[r];
        t_9[r] = t_11[r];
        t_10[r] = t_12[r];
        a_2[r] = a_4[r];
        t_11[r] = t_13[r];
        t_12[r] = t_14[r];
      }
    }
    const i32 t_BN = warp * 32 + (lane & 7) * 4;
    const i32 position_1 = t_7 + t_BN;
    const i64 y_at = (i64)t_7 + (i64)t_BN;
    const bool y_in = (u32)position_1 < (u32)N;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      tw_bf16 y_tile[4];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        y_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] / (1.0f + tw_exp(-acc[r * 4 + i])) * up[r * 4 + i]);
      }
      if (y_in && (u32)slots[r] < (u32)S) {
        tw_stg<tw_u32x2>(y + (y_at + (i64)slots[r] * (i64)N), tw_u32x2{
            tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
      }
    }
  }
}
