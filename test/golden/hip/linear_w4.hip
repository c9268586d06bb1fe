// linear_w4 for hip gfx90a, made by tilewright
// dtypes: T=bf16 W=u4 S=bf16 O=bf16
// config: BM=16 BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=3
// dims divisible: M%2 N%8
// 256 threads in 4 warps of 64, 2176 bytes of shared memory
//       0 … 2176: t38 bf16[1088]
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
template <class T> TW_DEV void tw_sts(u32 address, typename tw_same_<T>::type value) {
  *(TW_LDS typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address = value;
}
template <class T> TW_DEV T tw_lds(u32 address) {
  return *(TW_LDS const typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address;
}
struct alignas(16) tw_u32x4 { u32 x, y, z, w; };
template <int N> TW_DEV void tw_lds_words(u32* r, u32 address) {
  static_assert(N == 1 || N == 2 || N == 4, "one access");
  if constexpr (N == 1) {
    r[0] = tw_lds<u32>(address);
  } else if constexpr (N == 2) {
    const tw_u32x2 words = tw_lds<tw_u32x2>(address);
    r[0] = words.x, r[1] = words.y;
  } else {
    const tw_u32x4 words = tw_lds<tw_u32x4>(address);
    r[0] = words.x, r[1] = words.y, r[2] = words.z, r[3] = words.w;
  }
}
TW_DEV void tw_syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
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
TW_DEV void tw_mfma_f32_16x16x16_bf16(f32* d, const u32* a, const u32* b) {
  typedef f32 sums_type __attribute__((ext_vector_type(4)));
  typedef short operand_type __attribute__((ext_vector_type(4)));
  sums_type sums;
  operand_type x, y;
  for (i32 i = 0; i < 4; i++) sums[i] = d[i];
  __builtin_memcpy(&x, a, 8);
  __builtin_memcpy(&y, b, 8);
  sums = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, sums, 0, 0, 0);
  for (i32 i = 0; i < 4; i++) d[i] = sums[i];
}
#endif

TW_KERNEL(256) linear_w4(
    const tw_bf16* x, const u8* w, const tw_bf16* scale, const f32* bias, tw_bf16* y, i32 M, i32 N) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t38 = smem;
  tw_label(t38, 2176u, "t38");
  const i32 t = ((N + 63) >> 6) * 8;
  const i32 t_1 = tw_floordiv_i32(pid0, t) * 8;
  const i32 t_2 = tw_min_i32(((M + 15) >> 4) - t_1, 8);
  const i32 t_3 = tw_floormod_i32(pid0, t);
  const i32 t_4 = (t_1 + tw_floormod_i32(t_3, t_2)) * 16;
  const i32 t_5 = tw_floordiv_i32(t_3, t_2) * 64;
  const bool more = true;
  u8 codes[16];
  tw_bf16 t_6;
  const i32 w_at = (lane & 15) * 16 + (lane >> 4) * 256 + warp * 3072;
  const i32 t_BN = warp * 16 + (lane & 15);
  const i32 position = t_5 + t_BN;
  const bool scale_in = (u32)position < (u32)N;
  if (more) {
    const i64 w_at_1 = (i64)((t_5 >> 4) * 3) * 1024ll + (i64)w_at;
    u8 codes_1[16];
    const tw_u32x2 codes_1_vec = (u32)(t_5 + warp * 16) < (u32)N ? tw_ldg_nc<tw_u32x2>(w + (w_at_1 >> 1)) : tw_u32x2{0u, 0u};
    codes_1[0] = tw_zext_u4(codes_1_vec.x); codes_1[1] = tw_zext_u4(codes_1_vec.x >> 4);
    codes_1[2] = tw_zext_u4(codes_1_vec.x >> 8); codes_1[3] = tw_zext_u4(codes_1_vec.x >> 12);
    codes_1[4] = tw_zext_u4(codes_1_vec.x >> 16); codes_1[5] = tw_zext_u4(codes_1_vec.x >> 20);
    codes_1[6] = tw_zext_u4(codes_1_vec.x >> 24); codes_1[7] = tw_zext_u4(codes_1_vec.x >> 28);
    codes_1[8] = tw_zext_u4(codes_1_vec.y); codes_1[9] = tw_zext_u4(codes_1_vec.y >> 4);
    codes_1[10] = tw_zext_u4(codes_1_vec.y >> 8); codes_1[11] = tw_zext_u4(codes_1_vec.y >> 12);
    codes_1[12] = tw_zext_u4(codes_1_vec.y >> 16); codes_1[13] = tw_zext_u4(codes_1_vec.y >> 20);
    codes_1[14] = tw_zext_u4(codes_1_vec.y >> 24); codes_1[15] = tw_zext_u4(codes_1_vec.y >> 28);
    const i32 at = 0;
    const i64 scale_at = (i64)t_5 + (i64)at * (i64)N + (i64)t_BN;
    tw_bf16 scale_tile;
    scale_tile = scale_in ? tw_ldg_nc<u16>(scale + scale_at) : (u16)0;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      codes[r] = codes_1[r];
    }
    t_6 = scale_tile;
  } else {
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      codes[r] = 0;
    }
    t_6 = 0;
  }
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  tw_bf16 t_7 = t_6;
  const i64 w_at_2 = (i64)w_at;
  const i64 scale_at_1 = (i64)t_5 + (i64)t_BN;
  const i32 t_BM = thread >> 4;
  const i32 position_1 = t_4 + t_BM;
  const i32 t_BK = (lane & 15) * 4;
  const i32 x_at = t_BM * 192 + t_BK;
  const i64 x_at_1 = (i64)t_4 * 192ll + (i64)x_at;
  const bool x_in = (u32)position_1 < (u32)M;
  const i32 t38_at = (lane & 15) * 4 + (thread >> 4) * 68;
  const i32 t38_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
  for (i32 k = 0; k < 192; k += 64) {
    const i32 k_1 = k + 64;
    const bool more_1 = k_1 < 192;
    u8 codes_2[16];
    tw_bf16 t_8;
    if (more_1) {
      const i64 w_at_3 = w_at_2 + (i64)((t_5 >> 4) * 3 + (k_1 >> 6)) * 1024ll;
      u8 codes_3[16];
      const tw_u32x2 codes_3_vec = (u32)(t_5 + warp * 16) < (u32)N && k_1 < 192 ? tw_ldg_nc<tw_u32x2>(w + (w_at_3 >> 1)) : tw_u32x2{0u, 0u};
      codes_3[0] = tw_zext_u4(codes_3_vec.x); codes_3[1] = tw_zext_u4(codes_3_vec.x >> 4);
      codes_3[2] = tw_zext_u4(codes_3_vec.x >> 8); codes_3[3] = tw_zext_u4(codes_3_vec.x >> 12);
      codes_3[4] = tw_zext_u4(codes_3_vec.x >> 16); codes_3[5] = tw_zext_u4(codes_3_vec.x >> 20);
      codes_3[6] = tw_zext_u4(codes_3_vec.x >> 24); codes_3[7] = tw_zext_u4(codes_3_vec.x >> 28);
      codes_3[8] = tw_zext_u4(codes_3_vec.y); codes_3[9] = tw_zext_u4(codes_3_vec.y >> 4);
      codes_3[10] = tw_zext_u4(codes_3_vec.y >> 8); codes_3[11] = tw_zext_u4(codes_3_vec.y >> 12);
      codes_3[12] = tw_zext_u4(codes_3_vec.y >> 16); codes_3[13] = tw_zext_u4(codes_3_vec.y >> 20);
      codes_3[14] = tw_zext_u4(codes_3_vec.y >> 24); codes_3[15] = tw_zext_u4(codes_3_vec.y >> 28);
      const i32 at_1 = k_1 >> 6;
      const i64 scale_at_2 = scale_at_1 + (i64)at_1 * (i64)N;
      const bool scale_in_1 = scale_in && at_1 < 3;
      tw_bf16 scale_tile_1;
      scale_tile_1 = scale_in_1 ? tw_ldg_nc<u16>(scale + scale_at_2) : (u16)0;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        codes_2[r] = codes_3[r];
      }
      t_8 = scale_tile_1;
    } else {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        codes_2[r] = 0;
      }
      t_8 = 0;
    }
    const f32 t_9 = tw_bf16_to_f32(t_7);
    tw_syncthreads();
    const i64 x_at_2 = x_at_1 + (i64)k;
    tw_bf16 x_tile[4];
    const tw_u32x2 x_tile_vec = x_in ? tw_ldg_nc<tw_u32x2>(x + x_at_2) : tw_u32x2{0u, 0u};
    x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
    x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
    tw_sts<tw_u32x2>(t38 + (u32)t38_at * 2u, tw_u32x2{
        tw_pack_u16x2(x_tile[0], x_tile[1]), tw_pack_u16x2(x_tile[2], x_tile[3])});
    tw_syncthreads();
    tw_bf16 plain[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      plain[r] = tw_f32_to_bf16((tw_u32_to_f32(codes[r]) - 8.0f) * t_9);
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      u32 a[2];
      u32 b[2];
      tw_lds_words<2>(&a[0], t38 + (u32)((t38_at_1 + r * 16) * 2));
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        b[i] = tw_pack_u16x2(plain[r * 4 + i * 2], plain[r * 4 + i * 2 + 1]);
      }
      tw_mfma_f32_16x16x16_bf16(&acc[0], &b[0], &a[0]);
    }
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      codes[r] = codes_2[r];
    }
    t_7 = t_8;
  }
  const i32 t_BN_1 = (thread >> 4) * 4;
  const i32 position_2 = t_5 + t_BN_1;
  const i64 bias_at = (i64)t_5 + (i64)t_BN_1;
  const bool bias_in = (u32)position_2 < (u32)N;
  f32 bias_tile[4];
  const tw_f32x4 bias_tile_vec = bias_in ? tw_ldg_nc<tw_f32x4>(bias + bias_at) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
  bias_tile[0] = bias_tile_vec.x; bias_tile[1] = bias_tile_vec.y; bias_tile[2] = bias_tile_vec.z;
  bias_tile[3] = bias_tile_vec.w;
  const i32 t_BM_1 = lane & 15;
  const i32 position_3 = t_4 + t_BM_1;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_4 * (i64)N + (i64)t_5 + (i64)y_at;
  const bool y_in = (u32)position_3 < (u32)M && (u32)position_2 < (u32)N;
  tw_bf16 y_tile[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    y_tile[r] = tw_f32_to_bf16(acc[r] + bias_tile[r]);
  }
  if (y_in) {
    tw_stg<tw_u32x2>(y + y_at_1, tw_u32x2{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3])});
  }
}
