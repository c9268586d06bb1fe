// linear_fp8_block for hip gfx90a, made by tilewright
// dtypes: O=bf16
// config: BM=64 BN=64 BK=128 stages=3 group=8
// dims divisible: K%16 N%8 KG%4
// 128 threads in 2 warps of 64, 65536 bytes of shared memory
//       0 … 32768: t46_shared f32[8192]
//   32768 … 65536: t47_shared f32[8192]
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
typedef u8 tw_f8e4m3;
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
TW_DEV f32 tw_f8e4m3_to_f32(tw_f8e4m3 x) {
  const u32 sign = (u32)(x & 0x80) << 24;
  if ((x & 0x7f) == 0x7f) return tw_bits_f32(sign | 0x7fc00000u);
  // The exponent field lands in that of an f32 with another bias; one exact product moves it, subnormal
  // numbers included.
  return tw_bits_f32(sign | (u32)(x & 0x7f) << 20) * 0x1p120f;
}
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_byte(u32 x, u32 index) { return x >> (8 * index) & 0xffu; }
#endif

TW_KERNEL(128) linear_fp8_block(
    const tw_f8e4m3* x, const tw_f8e4m3* w, const f32* xScale, const f32* wScale, const f32* bias,
    tw_bf16* y, i32 M, i32 K, i32 N, i32 KG, i32 NG) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t46_shared = smem;
  tw_label(t46_shared, 32768u, "t46_shared");
  const u32 t47_shared = smem + 32768u;
  tw_label(t47_shared, 32768u, "t47_shared");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 63) >> 6) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = 0 < K;
  tw_f8e4m3 t_6[64];
  tw_f8e4m3 t_7[64];
  f32 t_8[8];
  const i32 t_BM = thread >> 3;
  const i32 t_BK = (lane & 7) * 16;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_4 * (i64)K + (i64)x_at;
  const i32 position = t_4 + t_BM;
  const i64 w_at = (i64)t_5 * (i64)K + (i64)x_at;
  const i32 position_1 = t_5 + t_BM;
  const i32 t_BM_1 = lane >> 3;
  const i32 position_2 = t_4 + t_BM_1;
  if (more) {
    const bool x_in = t_BK < K;
    tw_f8e4m3 x_tile[64];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_u32x4 x_tile_vec = x_in && (u32)(position + r * 16) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      x_tile[r * 16] = tw_byte(x_tile_vec.x, 0u); x_tile[r * 16 + 1] = tw_byte(x_tile_vec.x, 1u);
      x_tile[r * 16 + 2] = tw_byte(x_tile_vec.x, 2u);
      x_tile[r * 16 + 3] = tw_byte(x_tile_vec.x, 3u);
      x_tile[r * 16 + 4] = tw_byte(x_tile_vec.y, 0u);
      x_tile[r * 16 + 5] = tw_byte(x_tile_vec.y, 1u);
      x_tile[r * 16 + 6] = tw_byte(x_tile_vec.y, 2u);
      x_tile[r * 16 + 7] = tw_byte(x_tile_vec.y, 3u);
      x_tile[r * 16 + 8] = tw_byte(x_tile_vec.z, 0u);
      x_tile[r * 16 + 9] = tw_byte(x_tile_vec.z, 1u);
      x_tile[r * 16 + 10] = tw_byte(x_tile_vec.z, 2u);
      x_tile[r * 16 + 11] = tw_byte(x_tile_vec.z, 3u);
      x_tile[r * 16 + 12] = tw_byte(x_tile_vec.w, 0u);
      x_tile[r * 16 + 13] = tw_byte(x_tile_vec.w, 1u);
      x_tile[r * 16 + 14] = tw_byte(x_tile_vec.w, 2u);
      x_tile[r * 16 + 15] = tw_byte(x_tile_vec.w, 3u);
    }
    tw_f8e4m3 w_tile[64];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_u32x4 w_tile_vec = x_in && (u32)(position_1 + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      w_tile[r * 16] = tw_byte(w_tile_vec.x, 0u); w_tile[r * 16 + 1] = tw_byte(w_tile_vec.x, 1u);
      w_tile[r * 16 + 2] = tw_byte(w_tile_vec.x, 2u);
      w_tile[r * 16 + 3] = tw_byte(w_tile_vec.x, 3u);
      w_tile[r * 16 + 4] = tw_byte(w_tile_vec.y, 0u);
      w_tile[r * 16 + 5] = tw_byte(w_tile_vec.y, 1u);
      w_tile[r * 16 + 6] = tw_byte(w_tile_vec.y, 2u);
      w_tile[r * 16 + 7] = tw_byte(w_tile_vec.y, 3u);
      w_tile[r * 16 + 8] = tw_byte(w_tile_vec.z, 0u);
      w_tile[r * 16 + 9] = tw_byte(w_tile_vec.z, 1u);
      w_tile[r * 16 + 10] = tw_byte(w_tile_vec.z, 2u);
      w_tile[r * 16 + 11] = tw_byte(w_tile_vec.z, 3u);
      w_tile[r * 16 + 12] = tw_byte(w_tile_vec.w, 0u);
      w_tile[r * 16 + 13] = tw_byte(w_tile_vec.w, 1u);
      w_tile[r * 16 + 14] = tw_byte(w_tile_vec.w, 2u);
      w_tile[r * 16 + 15] = tw_byte(w_tile_vec.w, 3u);
    }
    const i32 at = 0;
    const i64 xScale_at = (i64)t_4 + (i64)at * (i64)M + (i64)t_BM_1;
    const bool xScale_in = at < KG;
    f32 xScale_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      xScale_tile[r] = xScale_in && (u32)(position_2 + r * 8) < (u32)M ? tw_ldg_nc<f32>(xScale + (xScale_at + (i64)(r * 8))) : 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      t_6[r] = x_tile[r];
      t_7[r] = w_tile[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_8[r] = xScale_tile[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      t_6[r] = 0;
      t_7[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_8[r] = 0.0f;
    }
  }
  f32 acc[32];
  #pragma unroll
  for (i32 r = 0; r < 32; ++r) {
    acc[r] = 0.0f;
  }
  const i64 xScale_at_1 = (i64)t_4 + (i64)t_BM_1;
  const i32 t46_shared_at = (lane & 7) * 16 + (thread >> 3) * 128;
  const i32 swizzled = t46_shared_at ^ ((t46_shared_at >> 7) & 28);
  const i32 t46_shared_at_1 = (lane >> 3) * 128;
  const i32 t47_shared_at = (lane & 7) * 512 + warp * 4096;
  const i32 swizzled_1 = t47_shared_at ^ ((t47_shared_at >> 7) & 28);
  const i32 t_9 = t_5 >> 7;
  const i64 wScale_at = (i64)t_9 * (i64)KG;
  for (i32 k = 0; k < K; k += 128) {
    const i32 k_1 = k + 128;
    const bool more_1 = k_1 < K;
    tw_f8e4m3 t_10[64];
    tw_f8e4m3 t_11[64];
    f32 t_12[8];
    if (more_1) {
      const i32 left = K - k_1;
      const i64 x_at_2 = x_at_1 + (i64)k_1;
      const bool x_in_1 = t_BK < left;
      tw_f8e4m3 x_tile_1[64];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 x_tile_1_vec = x_in_1 && (u32)(position + r * 16) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_2 + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        x_tile_1[r * 16] = tw_byte(x_tile_1_vec.x, 0u);
        x_tile_1[r * 16 + 1] = tw_byte(x_tile_1_vec.x, 1u);
        x_tile_1[r * 16 + 2] = tw_byte(x_tile_1_vec.x, 2u);
        x_tile_1[r * 16 + 3] = tw_byte(x_tile_1_vec.x, 3u);
        x_tile_1[r * 16 + 4] = tw_byte(x_tile_1_vec.y, 0u);
        x_tile_1[r * 16 + 5] = tw_byte(x_tile_1_vec.y, 1u);
        x_tile_1[r * 16 + 6] = tw_byte(x_tile_1_vec.y, 2u);
        x_tile_1[r * 16 + 7] = tw_byte(x_tile_1_vec.y, 3u);
        x_tile_1[r * 16 + 8] = tw_byte(x_tile_1_vec.z, 0u);
        x_tile_1[r * 16 + 9] = tw_byte(x_tile_1_vec.z, 1u);
        x_tile_1[r * 16 + 10] = tw_byte(x_tile_1_vec.z, 2u);
        x_tile_1[r * 16 + 11] = tw_byte(x_tile_1_vec.z, 3u);
        x_tile_1[r * 16 + 12] = tw_byte(x_tile_1_vec.w, 0u);
        x_tile_1[r * 16 + 13] = tw_byte(x_tile_1_vec.w, 1u);
        x_tile_1[r * 16 + 14] = tw_byte(x_tile_1_vec.w, 2u);
        x_tile_1[r * 16 + 15] = tw_byte(x_tile_1_vec.w, 3u);
      }
      const i64 w_at_1 = w_at + (i64)k_1;
      tw_f8e4m3 w_tile_1[64];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 w_tile_1_vec = x_in_1 && (u32)(position_1 + r * 16) < (u32)N ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 + (i64)(r * 16 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        w_tile_1[r * 16] = tw_byte(w_tile_1_vec.x, 0u);
        w_tile_1[r * 16 + 1] = tw_byte(w_tile_1_vec.x, 1u);
        w_tile_1[r * 16 + 2] = tw_byte(w_tile_1_vec.x, 2u);
        w_tile_1[r * 16 + 3] = tw_byte(w_tile_1_vec.x, 3u);
        w_tile_1[r * 16 + 4] = tw_byte(w_tile_1_vec.y, 0u);
        w_tile_1[r * 16 + 5] = tw_byte(w_tile_1_vec.y, 1u);
        w_tile_1[r * 16 + 6] = tw_byte(w_tile_1_vec.y, 2u);
        w_tile_1[r * 16 + 7] = tw_byte(w_tile_1_vec.y, 3u);
        w_tile_1[r * 16 + 8] = tw_byte(w_tile_1_vec.z, 0u);
        w_tile_1[r * 16 + 9] = tw_byte(w_tile_1_vec.z, 1u);
        w_tile_1[r * 16 + 10] = tw_byte(w_tile_1_vec.z, 2u);
        w_tile_1[r * 16 + 11] = tw_byte(w_tile_1_vec.z, 3u);
        w_tile_1[r * 16 + 12] = tw_byte(w_tile_1_vec.w, 0u);
        w_tile_1[r * 16 + 13] = tw_byte(w_tile_1_vec.w, 1u);
        w_tile_1[r * 16 + 14] = tw_byte(w_tile_1_vec.w, 2u);
        w_tile_1[r * 16 + 15] = tw_byte(w_tile_1_vec.w, 3u);
      }
      const i32 at_1 = k_1 >> 7;
      const i64 xScale_at_2 = xScale_at_1 + (i64)at_1 * (i64)M;
      const bool xScale_in_1 = at_1 < KG;
      f32 xScale_tile_1[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        xScale_tile_1[r] = xScale_in_1 && (u32)(position_2 + r * 8) < (u32)M ? tw_ldg_nc<f32>(xScale + (xScale_at_2 + (i64)(r * 8))) : 0.0f;
      }
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_10[r] = x_tile_1[r];
        t_11[r] = w_tile_1[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_12[r] = xScale_tile_1[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        t_10[r] = 0;
        t_11[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        t_12[r] = 0.0f;
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        f32 t46_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t46_shared_tile[j] = tw_f8e4m3_to_f32(t_6[r * 16 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(t46_shared + (u32)(t46_shared_at + r * 2048 + i * 4) * 4u, tw_f32x4{
            t46_shared_tile[0], t46_shared_tile[1], t46_shared_tile[2], t46_shared_tile[3]});
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        f32 t47_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t47_shared_tile[j] = tw_f8e4m3_to_f32(t_7[r * 16 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(
            t47_shared + (u32)((swizzled ^ (i * 4)) ^ ((r * 2048) ^ (((r * 2048) >> 7) & 28))) * 4u,
            tw_f32x4{t47_shared_tile[0], t47_shared_tile[1], t47_shared_tile[2], t47_shared_tile[3]});
      }
    }
    tw_syncthreads();
    f32 product[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      product[r] = 0.0f;
    }
    for (i32 r = 0; r < 32; ++r) {
      f32 t46_shared_1[32];
      f32 t47_shared_1[16];
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        const tw_f32x4 t46_shared_1_vec = tw_lds<tw_f32x4>(t46_shared + (u32)(t46_shared_at_1 + i * 1024 + r * 4) * 4u);
        t46_shared_1[i * 4] = t46_shared_1_vec.x; t46_shared_1[i * 4 + 1] = t46_shared_1_vec.y;
        t46_shared_1[i * 4 + 2] = t46_shared_1_vec.z; t46_shared_1[i * 4 + 3] = t46_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 t47_shared_1_vec = tw_lds<tw_f32x4>(t47_shared + (u32)((swizzled_1 ^ (r * 4)) + i * 128) * 4u);
        t47_shared_1[i * 4] = t47_shared_1_vec.x; t47_shared_1[i * 4 + 1] = t47_shared_1_vec.y;
        t47_shared_1[i * 4 + 2] = t47_shared_1_vec.z; t47_shared_1[i * 4 + 3] = t47_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 8; ++j) {
          #pragma unroll
          for (i32 l = 0; l < 4; ++l) {
            product[j * 4 + l] = tw_fma(
                t46_shared_1[j * 4 + i], t47_shared_1[l * 4 + i], product[j * 4 + l]);
          }
        }
      }
    }
    const i32 at_2 = k >> 7;
    const i64 wScale_at_1 = wScale_at + (i64)at_2;
    f32 wScale_tile;
    wScale_tile = tw_ldg_nc<f32>(wScale + wScale_at_1);
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const f32 t_13 = t_8[r] * wScale_tile;
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        acc[r * 4 + i] = acc[r * 4 + i] + product[r * 4 + i] * t_13;
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      t_6[r] = t_10[r];
      t_7[r] = t_11[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_8[r] = t_12[r];
    }
  }
  const i32 t_BN = warp * 32 + (lane & 7) * 4;
  const i32 position_3 = t_5 + t_BN;
  const i64 bias_at = (i64)t_5 + (i64)t_BN;
  const bool bias_in = (u32)position_3 < (u32)N;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = bias_in ? tw_ldg_nc<tw_f32x4>(bias + bias_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  const i32 y_at = t_BM_1 * N + t_BN;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    tw_bf16 y_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      y_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] + bias_tile[i]);
    }
    if (bias_in && (u32)(position_2 + r * 8) < (u32)M) {
      tw_stg<tw_u32x2>(y + (y_at_1 + (i64)(r * 8 * N)), tw_u32x2{
          tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
    }
  }
}
