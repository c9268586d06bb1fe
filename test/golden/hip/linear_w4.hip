// linear_w4 for hip gfx90a, made by tilewright
// dtypes: T=bf16 W=u4 S=bf16 O=bf16
// config: BM=16 BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=3
// dims divisible: M%2 N%8
// 64 threads in 1 warps of 64, 20480 bytes of shared memory
//       0 … 16384: plain_shared f32[4096]
//   16384 … 20480: t45_shared f32[1024]
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
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
TW_DEV f32 tw_u32_to_f32(u32 x) { return (f32)x; }
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
TW_DEV u32 tw_zext_u4(u32 x) { return x & 0xfu; }
#endif

TW_KERNEL(64) linear_w4(
    const tw_bf16* x, const u8* w, const tw_bf16* scale, const f32* bias, tw_bf16* y, i32 M, i32 N) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t45_shared = smem + 16384u;
  tw_label(t45_shared, 4096u, "t45_shared");
  const u32 plain_shared = smem;
  tw_label(plain_shared, 16384u, "plain_shared");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 15) >> 4) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 16;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = true;
  u8 codes[64];
  tw_bf16 t_6;
  tw_bf16 t_7[16];
  const i32 w_at = lane * 32;
  const i32 position = t_5 + lane;
  const bool scale_in = (u32)position < (u32)N;
  const i32 t_BM = lane >> 3;
  const i32 t_BK = (lane & 7) * 8;
  const i32 x_at = t_BM * 192 + t_BK;
  const i64 x_at_1 = (i64)t_4 * 192ll + (i64)x_at;
  const i32 position_1 = t_4 + t_BM;
  if (more) {
    const i64 w_at_1 = (i64)((t_5 >> 6) * 6) * 2048ll + (i64)w_at;
    u8 codes_1[64];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 codes_1_vec = (u32)t_5 < (u32)N ? tw_ldg_nc<tw_u32x4>(w + ((w_at_1 + (i64)(r * 2048)) >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
      codes_1[r * 32] = tw_zext_u4(codes_1_vec.x);
      codes_1[r * 32 + 1] = tw_zext_u4(codes_1_vec.x >> 4);
      codes_1[r * 32 + 2] = tw_zext_u4(codes_1_vec.x >> 8);
      codes_1[r * 32 + 3] = tw_zext_u4(codes_1_vec.x >> 12);
      codes_1[r * 32 + 4] = tw_zext_u4(codes_1_vec.x >> 16);
      codes_1[r * 32 + 5] = tw_zext_u4(codes_1_vec.x >> 20);
      codes_1[r * 32 + 6] = tw_zext_u4(codes_1_vec.x >> 24);
      codes_1[r * 32 + 7] = tw_zext_u4(codes_1_vec.x >> 28);
      codes_1[r * 32 + 8] = tw_zext_u4(codes_1_vec.y);
      codes_1[r * 32 + 9] = tw_zext_u4(codes_1_vec.y >> 4);
      codes_1[r * 32 + 10] = tw_zext_u4(codes_1_vec.y >> 8);
      codes_1[r * 32 + 11] = tw_zext_u4(codes_1_vec.y >> 12);
      codes_1[r * 32 + 12] = tw_zext_u4(codes_1_vec.y >> 16);
      codes_1[r * 32 + 13] = tw_zext_u4(codes_1_vec.y >> 20);
      codes_1[r * 32 + 14] = tw_zext_u4(codes_1_vec.y >> 24);
      codes_1[r * 32 + 15] = tw_zext_u4(codes_1_vec.y >> 28);
      codes_1[r * 32 + 16] = tw_zext_u4(codes_1_vec.z);
      codes_1[r * 32 + 17] = tw_zext_u4(codes_1_vec.z >> 4);
      codes_1[r * 32 + 18] = tw_zext_u4(codes_1_vec.z >> 8);
      codes_1[r * 32 + 19] = tw_zext_u4(codes_1_vec.z >> 12);
      codes_1[r * 32 + 20] = tw_zext_u4(codes_1_vec.z >> 16);
      codes_1[r * 32 + 21] = tw_zext_u4(codes_1_vec.z >> 20);
      codes_1[r * 32 + 22] = tw_zext_u4(codes_1_vec.z >> 24);
      codes_1[r * 32 + 23] = tw_zext_u4(codes_1_vec.z >> 28);
      codes_1[r * 32 + 24] = tw_zext_u4(codes_1_vec.w);
      codes_1[r * 32 + 25] = tw_zext_u4(codes_1_vec.w >> 4);
      codes_1[r * 32 + 26] = tw_zext_u4(codes_1_vec.w >> 8);
      codes_1[r * 32 + 27] = tw_zext_u4(codes_1_vec.w >> 12);
      codes_1[r * 32 + 28] = tw_zext_u4(codes_1_vec.w >> 16);
      codes_1[r * 32 + 29] = tw_zext_u4(codes_1_vec.w >> 20);
      codes_1[r * 32 + 30] = tw_zext_u4(codes_1_vec.w >> 24);
      codes_1[r * 32 + 31] = tw_zext_u4(codes_1_vec.w >> 28);
    }
    const i32 at = 0;
    const i64 scale_at = (i64)t_5 + (i64)lane + (i64)at * (i64)N;
    tw_bf16 scale_tile;
    scale_tile = scale_in ? tw_ldg_nc<u16>(scale + scale_at) : (u16)0;
    tw_bf16 x_tile[16];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 x_tile_vec = (u32)(position_1 + r * 8) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + (i64)(r * 1536))) : tw_u32x4{0u, 0u, 0u, 0u};
      x_tile[r * 8] = tw_u16x2_lo(x_tile_vec.x); x_tile[r * 8 + 1] = tw_u16x2_hi(x_tile_vec.x);
      x_tile[r * 8 + 2] = tw_u16x2_lo(x_tile_vec.y); x_tile[r * 8 + 3] = tw_u16x2_hi(x_tile_vec.y);
      x_tile[r * 8 + 4] = tw_u16x2_lo(x_tile_vec.z); x_tile[r * 8 + 5] = tw_u16x2_hi(x_tile_vec.z);
      x_tile[r * 8 + 6] = tw_u16x2_lo(x_tile_vec.w); x_tile[r * 8 + 7] = tw_u16x2_hi(x_tile_vec.w);
    }
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      codes[r] = codes_1[r];
    }
    t_6 = scale_tile;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      t_7[r] = x_tile[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      codes[r] = 0;
    }
    t_6 = 0;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      t_7[r] = 0;
    }
  }
  f32 acc[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    acc[r] = 0.0f;
  }
  tw_bf16 t_8 = t_6;
  const i64 w_at_2 = (i64)w_at;
  const i64 scale_at_1 = (i64)t_5 + (i64)lane;
  const i32 t45_shared_at = (lane & 7) * 8 + (lane >> 3) * 64;
  const i32 plain_shared_at = lane * 64;
  const i32 swizzled = plain_shared_at ^ ((plain_shared_at >> 6) & 28);
  const i32 t45_shared_at_1 = ((lane >> 3) & 3) * 64;
  const i32 plain_shared_at_1 = (lane & 7) * 256 + (lane >> 5) * 2048;
  const i32 swizzled_1 = plain_shared_at_1 ^ ((plain_shared_at_1 >> 6) & 28);
  for (i32 k = 0; k < 192; k += 64) {
    const i32 k_1 = k + 64;
    const bool more_1 = k_1 < 192;
    u8 codes_2[64];
    tw_bf16 t_9;
    tw_bf16 t_10[16];
    if (more_1) {
      const i64 w_at_3 = w_at_2 + (i64)((t_5 >> 6) * 6 + (k_1 >> 5)) * 2048ll;
      u8 codes_3[64];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 codes_3_vec = (u32)t_5 < (u32)N && k_1 + r * 32 < 192 ? tw_ldg_nc<tw_u32x4>(w + ((w_at_3 + (i64)(r * 2048)) >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
        codes_3[r * 32] = tw_zext_u4(codes_3_vec.x);
        codes_3[r * 32 + 1] = tw_zext_u4(codes_3_vec.x >> 4);
        codes_3[r * 32 + 2] = tw_zext_u4(codes_3_vec.x >> 8);
        codes_3[r * 32 + 3] = tw_zext_u4(codes_3_vec.x >> 12);
        codes_3[r * 32 + 4] = tw_zext_u4(codes_3_vec.x >> 16);
        codes_3[r * 32 + 5] = tw_zext_u4(codes_3_vec.x >> 20);
        codes_3[r * 32 + 6] = tw_zext_u4(codes_3_vec.x >> 24);
        codes_3[r * 32 + 7] = tw_zext_u4(codes_3_vec.x >> 28);
        codes_3[r * 32 + 8] = tw_zext_u4(codes_3_vec.y);
        codes_3[r * 32 + 9] = tw_zext_u4(codes_3_vec.y >> 4);
        codes_3[r * 32 + 10] = tw_zext_u4(codes_3_vec.y >> 8);
        codes_3[r * 32 + 11] = tw_zext_u4(codes_3_vec.y >> 12);
        codes_3[r * 32 + 12] = tw_zext_u4(codes_3_vec.y >> 16);
        codes_3[r * 32 + 13] = tw_zext_u4(codes_3_vec.y >> 20);
        codes_3[r * 32 + 14] = tw_zext_u4(codes_3_vec.y >> 24);
        codes_3[r * 32 + 15] = tw_zext_u4(codes_3_vec.y >> 28);
        codes_3[r * 32 + 16] = tw_zext_u4(codes_3_vec.z);
        codes_3[r * 32 + 17] = tw_zext_u4(codes_3_vec.z >> 4);
        codes_3[r * 32 + 18] = tw_zext_u4(codes_3_vec.z >> 8);
        codes_3[r * 32 + 19] = tw_zext_u4(codes_3_vec.z >> 12);
        codes_3[r * 32 + 20] = tw_zext_u4(codes_3_vec.z >> 16);
        codes_3[r * 32 + 21] = tw_zext_u4(codes_3_vec.z >> 20);
        codes_3[r * 32 + 22] = tw_zext_u4(codes_3_vec.z >> 24);
        codes_3[r * 32 + 23] = tw_zext_u4(codes_3_vec.z >> 28);
        codes_3[r * 32 + 24] = tw_zext_u4(codes_3_vec.w);
        codes_3[r * 32 + 25] = tw_zext_u4(codes_3_vec.w >> 4);
        codes_3[r * 32 + 26] = tw_zext_u4(codes_3_vec.w >> 8);
        codes_3[r * 32 + 27] = tw_zext_u4(codes_3_vec.w >> 12);
        codes_3[r * 32 + 28] = tw_zext_u4(codes_3_vec.w >> 16);
        codes_3[r * 32 + 29] = tw_zext_u4(codes_3_vec.w >> 20);
        codes_3[r * 32 + 30] = tw_zext_u4(codes_3_vec.w >> 24);
        codes_3[r * 32 + 31] = tw_zext_u4(codes_3_vec.w >> 28);
      }
      const i32 at_1 = k_1 >> 6;
      const i64 scale_at_2 = scale_at_1 + (i64)at_1 * (i64)N;
      const bool scale_in_1 = scale_in && at_1 < 3;
      tw_bf16 scale_tile_1;
      scale_tile_1 = scale_in_1 ? tw_ldg_nc<u16>(scale + scale_at_2) : (u16)0;
      const i32 left = 192 - k_1;
      const i64 x_at_2 = x_at_1 + (i64)k_1;
      const bool x_in = t_BK < left;
      tw_bf16 x_tile_1[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 x_tile_1_vec = x_in && (u32)(position_1 + r * 8) < (u32)M ? tw_ldg_nc<tw_u32x4>(x + (x_at_2 + (i64)(r * 1536))) : tw_u32x4{0u, 0u, 0u, 0u};
        x_tile_1[r * 8] = tw_u16x2_lo(x_tile_1_vec.x);
        x_tile_1[r * 8 + 1] = tw_u16x2_hi(x_tile_1_vec.x);
        x_tile_1[r * 8 + 2] = tw_u16x2_lo(x_tile_1_vec.y);
        x_tile_1[r * 8 + 3] = tw_u16x2_hi(x_tile_1_vec.y);
        x_tile_1[r * 8 + 4] = tw_u16x2_lo(x_tile_1_vec.z);
        x_tile_1[r * 8 + 5] = tw_u16x2_hi(x_tile_1_vec.z);
        x_tile_1[r * 8 + 6] = tw_u16x2_lo(x_tile_1_vec.w);
        x_tile_1[r * 8 + 7] = tw_u16x2_hi(x_tile_1_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        codes_2[r] = codes_3[r];
      }
      t_9 = scale_tile_1;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        t_10[r] = x_tile_1[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 64; ++r) {
        codes_2[r] = 0;
      }
      t_9 = 0;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        t_10[r] = 0;
      }
    }
    const f32 t_11 = tw_bf16_to_f32(t_8);
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        f32 t45_shared_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          t45_shared_tile[j] = tw_bf16_to_f32(t_7[r * 8 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(t45_shared + (u32)(t45_shared_at + r * 512 + i * 4) * 4u, tw_f32x4{
            t45_shared_tile[0], t45_shared_tile[1], t45_shared_tile[2], t45_shared_tile[3]});
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      f32 plain[4];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        plain[i] = tw_bf16_to_f32(tw_f32_to_bf16((tw_u32_to_f32(codes[r * 4 + i]) - 8.0f) * t_11));
      }
      tw_sts<tw_f32x4>(
          plain_shared + (u32)(swizzled ^ (r * 4)) * 4u,
          tw_f32x4{plain[0], plain[1], plain[2], plain[3]});
    }
    tw_syncthreads();
    for (i32 r = 0; r < 16; ++r) {
      f32 t45_shared_1[16];
      f32 plain_shared_1[16];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 t45_shared_1_vec = tw_lds<tw_f32x4>(t45_shared + (u32)(t45_shared_at_1 + i * 256 + r * 4) * 4u);
        t45_shared_1[i * 4] = t45_shared_1_vec.x; t45_shared_1[i * 4 + 1] = t45_shared_1_vec.y;
        t45_shared_1[i * 4 + 2] = t45_shared_1_vec.z; t45_shared_1[i * 4 + 3] = t45_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 plain_shared_1_vec = tw_lds<tw_f32x4>(plain_shared + (u32)((swizzled_1 ^ (r * 4)) + i * 64) * 4u);
        plain_shared_1[i * 4] = plain_shared_1_vec.x;
        plain_shared_1[i * 4 + 1] = plain_shared_1_vec.y;
        plain_shared_1[i * 4 + 2] = plain_shared_1_vec.z;
        plain_shared_1[i * 4 + 3] = plain_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          #pragma unroll
          for (i32 l = 0; l < 4; ++l) {
            acc[j * 4 + l] = tw_fma(
                t45_shared_1[j * 4 + i], plain_shared_1[l * 4 + i], acc[j * 4 + l]);
          }
        }
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 64; ++r) {
      codes[r] = codes_2[r];
    }
    t_8 = t_9;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      t_7[r] = t_10[r];
    }
  }
  const i32 t_BN = (lane >> 5) * 32 + (lane & 7) * 4;
  const i32 position_2 = t_5 + t_BN;
  const i64 bias_at = (i64)t_5 + (i64)t_BN;
  const bool bias_in = (u32)position_2 < (u32)N;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = bias_in ? tw_ldg_nc<tw_f32x4>(bias + bias_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  const i32 t_BM_1 = (lane >> 3) & 3;
  const i32 y_at = t_BM_1 * N + t_BN;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const i32 position_3 = t_4 + t_BM_1;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    tw_bf16 y_tile[4];
    #pragma unroll
    for (i32 i = 0; i < 4; ++i) {
      y_tile[i] = tw_f32_to_bf16(acc[r * 4 + i] + bias_tile[i]);
    }
    if (bias_in && (u32)(position_3 + r * 4) < (u32)M) {
      tw_stg<tw_u32x2>(y + (y_at_1 + (i64)(r * 4 * N)), tw_u32x2{
          tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
    }
  }
}
