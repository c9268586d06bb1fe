// moe_gemm_quantized for hip gfx90a, made by tilewright
// dtypes: T=bf16 W=u4 SC=bf16 O=bf16
// config: BN=64 BK=32 stages=2 group=8
// dims fixed: K=128 KG=2 Z=0 G=2 B=0 BM=16
// dims divisible: E%4 N%8 S%2
// 64 threads in 1 warps of 64, 10240 bytes of shared memory
//       0 … 8192: t68_shared f32[2048]
//       0 … 8192: t70_shared f32[2048]
//    8192 … 10240: a_shared f32[512]
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
TW_DEV f32 tw_u32_to_f32(u32 x) { return (f32)x; }
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
TW_DEV u32 tw_zext_u4(u32 x) { return x & 0xfu; }
#endif

TW_KERNEL(64) moe_gemm_quantized(
    const tw_bf16* x, const u8* w, const tw_bf16* scale, const u8* zero, const tw_bf16* bias,
    const i32* rows, const i32* expertOf, tw_bf16* y, i32 R, i32 E, i32 N, i32 PB, i32 S) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 a_shared = smem + 8192u;
  tw_label(a_shared, 2048u, "a_shared");
  const u32 t68_shared = smem;
  tw_label(t68_shared, 8192u, "t68_shared");
  const u32 t70_shared = smem;
  tw_label(t70_shared, 8192u, "t70_shared");
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
    const i32 t_BM = (lane >> 3) & 3;
    const i64 rows_at = (i64)t_4 * 16ll + (i64)t_BM;
    const bool rows_in = (u32)t_4 < (u32)PB;
    i32 slots[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      slots[r] = rows_in ? tw_ldg_nc<i32>(rows + (rows_at + (i64)(r * 4))) : 0;
    }
    const i32 t_7 = t_5 * 64;
    const i32 t_BM_1 = lane >> 2;
    const i64 rows_at_1 = (i64)t_4 * 16ll + (i64)t_BM_1;
    i32 slots_1;
    slots_1 = rows_in ? tw_ldg_nc<i32>(rows + rows_at_1) : 0;
    const i32 from = tw_floordiv_i32(slots_1, tw_floordiv_i32(S, R));
    const bool more = true;
    tw_bf16 a[8];
    u8 codes[32];
    tw_bf16 t_8;
    u8 codes_1[32];
    tw_bf16 t_9;
    const i32 t_BK = (lane & 3) * 8;
    const i64 x_at = (i64)from * 128ll + (i64)t_BK;
    const bool x_in = (u32)from < (u32)R;
    const i32 stride = N * 256;
    const i32 stride_1 = N * 128;
    const i32 position = t_7 + lane;
    const i32 w_at = lane * 128;
    const i32 stride_2 = N * 4;
    const i32 stride_3 = N * 2;
    if (more) {
      tw_bf16 a_1[8];
      const tw_u32x4 a_1_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at) : tw_u32x4{0u, 0u, 0u, 0u};
      a_1[0] = tw_u16x2_lo(a_1_vec.x); a_1[1] = tw_u16x2_hi(a_1_vec.x);
      a_1[2] = tw_u16x2_lo(a_1_vec.y); a_1[3] = tw_u16x2_hi(a_1_vec.y);
      a_1[4] = tw_u16x2_lo(a_1_vec.z); a_1[5] = tw_u16x2_hi(a_1_vec.z);
      a_1[6] = tw_u16x2_lo(a_1_vec.w); a_1[7] = tw_u16x2_hi(a_1_vec.w);
      const i64 w_at_1 = (i64)t_7 * 128ll + (i64)e * (i64)stride + (i64)w_at;
      const bool w_in = (u32)e < (u32)E && (u32)position < (u32)N;
      u8 codes_2[32];
      const tw_u32x4 codes_2_vec = w_in ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
      codes_2[0] = tw_zext_u4(codes_2_vec.x); codes_2[1] = tw_zext_u4(codes_2_vec.x >> 4);
      codes_2[2] = tw_zext_u4(codes_2_vec.x >> 8); codes_2[3] = tw_zext_u4(codes_2_vec.x >> 12);
      codes_2[4] = tw_zext_u4(codes_2_vec.x >> 16); codes_2[5] = tw_zext_u4(codes_2_vec.x >> 20);
      codes_2[6] = tw_zext_u4(codes_2_vec.x >> 24); codes_2[7] = tw_zext_u4(codes_2_vec.x >> 28);
      codes_2[8] = tw_zext_u4(codes_2_vec.y); codes_2[9] = tw_zext_u4(codes_2_vec.y >> 4);
      codes_2[10] = tw_zext_u4(codes_2_vec.y >> 8); codes_2[11] = tw_zext_u4(codes_2_vec.y >> 12);
      codes_2[12] = tw_zext_u4(codes_2_vec.y >> 16); codes_2[13] = tw_zext_u4(codes_2_vec.y >> 20);
      codes_2[14] = tw_zext_u4(codes_2_vec.y >> 24); codes_2[15] = tw_zext_u4(codes_2_vec.y >> 28);
      codes_2[16] = tw_zext_u4(codes_2_vec.z); codes_2[17] = tw_zext_u4(codes_2_vec.z >> 4);
      codes_2[18] = tw_zext_u4(codes_2_vec.z >> 8); codes_2[19] = tw_zext_u4(codes_2_vec.z >> 12);
      codes_2[20] = tw_zext_u4(codes_2_vec.z >> 16); codes_2[21] = tw_zext_u4(codes_2_vec.z >> 20);
      codes_2[22] = tw_zext_u4(codes_2_vec.z >> 24); codes_2[23] = tw_zext_u4(codes_2_vec.z >> 28);
      codes_2[24] = tw_zext_u4(codes_2_vec.w); codes_2[25] = tw_zext_u4(codes_2_vec.w >> 4);
      codes_2[26] = tw_zext_u4(codes_2_vec.w >> 8); codes_2[27] = tw_zext_u4(codes_2_vec.w >> 12);
      codes_2[28] = tw_zext_u4(codes_2_vec.w >> 16); codes_2[29] = tw_zext_u4(codes_2_vec.w >> 20);
      codes_2[30] = tw_zext_u4(codes_2_vec.w >> 24); codes_2[31] = tw_zext_u4(codes_2_vec.w >> 28);
      const i32 at = 0;
      const i64 scale_at = (i64)lane + (i64)t_7 + (i64)e * (i64)stride_2 + (i64)at * (i64)stride_3;
      tw_bf16 scale_tile;
      scale_tile = w_in ? tw_ldg_nc<u16>(scale + scale_at) : (u16)0;
      const i64 w_at_2 = (i64)t_7 * 128ll + (i64)e * (i64)stride + (i64)stride_1 + (i64)w_at;
      u8 codes_3[32];
      const tw_u32x4 codes_3_vec = w_in ? tw_ldg_nc<tw_u32x4>(w + (w_at_2 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
      codes_3[0] = tw_zext_u4(codes_3_vec.x); codes_3[1] = tw_zext_u4(codes_3_vec.x >> 4);
      codes_3[2] = tw_zext_u4(codes_3_vec.x >> 8); codes_3[3] = tw_zext_u4(codes_3_vec.x >> 12);
      codes_3[4] = tw_zext_u4(codes_3_vec.x >> 16); codes_3[5] = tw_zext_u4(codes_3_vec.x >> 20);
      codes_3[6] = tw_zext_u4(codes_3_vec.x >> 24); codes_3[7] = tw_zext_u4(codes_3_vec.x >> 28);
      codes_3[8] = tw_zext_u4(codes_3_vec.y); codes_3[9] = tw_zext_u4(codes_3_vec.y >> 4);
      codes_3[10] = tw_zext_u4(codes_3_vec.y >> 8); codes_3[11] = tw_zext_u4(codes_3_vec.y >> 12);
      codes_3[12] = tw_zext_u4(codes_3_vec.y >> 16); codes_3[13] = tw_zext_u4(codes_3_vec.y >> 20);
      codes_3[14] = tw_zext_u4(codes_3_vec.y >> 24); codes_3[15] = tw_zext_u4(codes_3_vec.y >> 28);
      codes_3[16] = tw_zext_u4(codes_3_vec.z); codes_3[17] = tw_zext_u4(codes_3_vec.z >> 4);
      codes_3[18] = tw_zext_u4(codes_3_vec.z >> 8); codes_3[19] = tw_zext_u4(codes_3_vec.z >> 12);
      codes_3[20] = tw_zext_u4(codes_3_vec.z >> 16); codes_3[21] = tw_zext_u4(codes_3_vec.z >> 20);
      codes_3[22] = tw_zext_u4(codes_3_vec.z >> 24); codes_3[23] = tw_zext_u4(codes_3_vec.z >> 28);
      codes_3[24] = tw_zext_u4(codes_3_vec.w); codes_3[25] = tw_zext_u4(codes_3_vec.w >> 4);
      codes_3[26] = tw_zext_u4(codes_3_vec.w >> 8); codes_3[27] = tw_zext_u4(codes_3_vec.w >> 12);
      codes_3[28] = tw_zext_u4(codes_3_vec.w >> 16); codes_3[29] = tw_zext_u4(codes_3_vec.w >> 20);
      codes_3[30] = tw_zext_u4(codes_3_vec.w >> 24); codes_3[31] = tw_zext_u4(codes_3_vec.w >> 28);
      const i64 scale_at_1 = (i64)N + (i64)lane + (i64)t_7 + (i64)e * (i64)stride_2 + (i64)at * (i64)stride_3;
      tw_bf16 scale_tile_1;
      scale_tile_1 = w_in ? tw_ldg_nc<u16>(scale + scale_at_1) : (u16)0;
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        a[r] = a_1[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes[r] = codes_2[r];
      }
      t_8 = scale_tile;
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes_1[r] = codes_3[r];
      }
      t_9 = scale_tile_1;
    } else {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        a[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes[r] = 0;
      }
      t_8 = 0;
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes_1[r] = 0;
      }
      t_9 = 0;
    }
    f32 acc[16];
    f32 up[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      acc[r] = 0.0f;
      up[r] = 0.0f;
    }
    tw_bf16 t_10 = t_8;
    tw_bf16 t_11 = t_9;
    const i64 w_at_3 = (i64)e * (i64)stride + (i64)t_7 * 128ll + (i64)w_at;
    const bool w_in_1 = (u32)e < (u32)E && (u32)position < (u32)N;
    const i64 scale_at_2 = (i64)lane + (i64)e * (i64)stride_2 + (i64)t_7;
    const i64 w_at_4 = (i64)e * (i64)stride + (i64)stride_1 + (i64)t_7 * 128ll + (i64)w_at;
    const i64 scale_at_3 = (i64)N + (i64)lane + (i64)e * (i64)stride_2 + (i64)t_7;
    const i32 a_shared_at = (lane & 3) * 8 + (lane >> 2) * 32;
    const i32 swizzled = a_shared_at ^ ((a_shared_at >> 3) & 28);
    const i32 t68_shared_at = lane * 32;
    const i32 swizzled_1 = t68_shared_at ^ ((t68_shared_at >> 5) & 28);
    const i32 a_shared_at_1 = ((lane >> 3) & 3) * 32;
    const i32 t68_shared_at_1 = (lane & 7) * 128 + (lane >> 5) * 1024;
    const i32 swizzled_2 = a_shared_at_1 ^ ((a_shared_at_1 >> 3) & 28);
    const i32 swizzled_3 = t68_shared_at_1 ^ ((t68_shared_at_1 >> 5) & 28);
    for (i32 k = 0; k < 128; k += 32) {
      const i32 k_1 = k + 32;
      const bool more_1 = k_1 < 128;
      tw_bf16 a_2[8];
      u8 codes_4[32];
      tw_bf16 t_12;
      u8 codes_5[32];
      tw_bf16 t_13;
      if (more_1) {
        const i32 left = 128 - k_1;
        const i64 x_at_1 = x_at + (i64)k_1;
        const bool x_in_1 = x_in && t_BK < left;
        tw_bf16 a_3[8];
        const tw_u32x4 a_3_vec = x_in_1 ? tw_ldg_nc<tw_u32x4>(x + x_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
        a_3[0] = tw_u16x2_lo(a_3_vec.x); a_3[1] = tw_u16x2_hi(a_3_vec.x);
        a_3[2] = tw_u16x2_lo(a_3_vec.y); a_3[3] = tw_u16x2_hi(a_3_vec.y);
        a_3[4] = tw_u16x2_lo(a_3_vec.z); a_3[5] = tw_u16x2_hi(a_3_vec.z);
        a_3[6] = tw_u16x2_lo(a_3_vec.w); a_3[7] = tw_u16x2_hi(a_3_vec.w);
        const i64 w_at_5 = w_at_3 + (i64)k_1;
        const bool w_in_2 = w_in_1 && 0 < left;
        u8 codes_6[32];
        const tw_u32x4 codes_6_vec = w_in_2 ? tw_ldg_nc<tw_u32x4>(w + (w_at_5 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
        codes_6[0] = tw_zext_u4(codes_6_vec.x); codes_6[1] = tw_zext_u4(codes_6_vec.x >> 4);
        codes_6[2] = tw_zext_u4(codes_6_vec.x >> 8); codes_6[3] = tw_zext_u4(codes_6_vec.x >> 12);
        codes_6[4] = tw_zext_u4(codes_6_vec.x >> 16); codes_6[5] = tw_zext_u4(codes_6_vec.x >> 20);
        codes_6[6] = tw_zext_u4(codes_6_vec.x >> 24); codes_6[7] = tw_zext_u4(codes_6_vec.x >> 28);
        codes_6[8] = tw_zext_u4(codes_6_vec.y); codes_6[9] = tw_zext_u4(codes_6_vec.y >> 4);
        codes_6[10] = tw_zext_u4(codes_6_vec.y >> 8); codes_6[11] = tw_zext_u4(codes_6_vec.y >> 12);
        codes_6[12] = tw_zext_u4(codes_6_vec.y >> 16);
        codes_6[13] = tw_zext_u4(codes_6_vec.y >> 20);
        codes_6[14] = tw_zext_u4(codes_6_vec.y >> 24);
        codes_6[15] = tw_zext_u4(codes_6_vec.y >> 28); codes_6[16] = tw_zext_u4(codes_6_vec.z);
        codes_6[17] = tw_zext_u4(codes_6_vec.z >> 4); codes_6[18] = tw_zext_u4(codes_6_vec.z >> 8);
        codes_6[19] = tw_zext_u4(codes_6_vec.z >> 12);
        codes_6[20] = tw_zext_u4(codes_6_vec.z >> 16);
        codes_6[21] = tw_zext_u4(codes_6_vec.z >> 20);
        codes_6[22] = tw_zext_u4(codes_6_vec.z >> 24);
        codes_6[23] = tw_zext_u4(codes_6_vec.z >> 28); codes_6[24] = tw_zext_u4(codes_6_vec.w);
        codes_6[25] = tw_zext_u4(codes_6_vec.w >> 4); codes_6[26] = tw_zext_u4(codes_6_vec.w >> 8);
        codes_6[27] = tw_zext_u4(codes_6_vec.w >> 12);
        codes_6[28] = tw_zext_u4(codes_6_vec.w >> 16);
        codes_6[29] = tw_zext_u4(codes_6_vec.w >> 20);
        codes_6[30] = tw_zext_u4(codes_6_vec.w >> 24);
        codes_6[31] = tw_zext_u4(codes_6_vec.w >> 28);
        const i32 at_1 = k_1 >> 6;
        const i64 scale_at_4 = scale_at_2 + (i64)at_1 * (i64)stride_3;
        const bool scale_in = w_in_1 && at_1 < 2;
        tw_bf16 scale_tile_2;
        scale_tile_2 = scale_in ? tw_ldg_nc<u16>(scale + scale_at_4) : (u16)0;
        const i64 w_at_6 = w_at_4 + (i64)k_1;
        u8 codes_7[32];
        const tw_u32x4 codes_7_vec = w_in_2 ? tw_ldg_nc<tw_u32x4>(w + (w_at_6 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
        codes_7[0] = tw_zext_u4(codes_7_vec.x); codes_7[1] = tw_zext_u4(codes_7_vec.x >> 4);
        codes_7[2] = tw_zext_u4(codes_7_vec.x >> 8); codes_7[3] = tw_zext_u4(codes_7_vec.x >> 12);
        codes_7[4] = tw_zext_u4(codes_7_vec.x >> 16); codes_7[5] = tw_zext_u4(codes_7_vec.x >> 20);
        codes_7[6] = tw_zext_u4(codes_7_vec.x >> 24); codes_7[7] = tw_zext_u4(codes_7_vec.x >> 28);
        codes_7[8] = tw_zext_u4(codes_7_vec.y); codes_7[9] = tw_zext_u4(codes_7_vec.y >> 4);
        codes_7[10] = tw_zext_u4(codes_7_vec.y >> 8); codes_7[11] = tw_zext_u4(codes_7_vec.y >> 12);
        codes_7[12] = tw_zext_u4(codes_7_vec.y >> 16);
        codes_7[13] = tw_zext_u4(codes_7_vec.y >> 20);
        codes_7[14] = tw_zext_u4(codes_7_vec.y >> 24);
        codes_7[15] = tw_zext_u4(codes_7_vec.y >> 28); codes_7[16] = tw_zext_u4(codes_7_vec.z);
        codes_7[17] = tw_zext_u4(codes_7_vec.z >> 4); codes_7[18] = tw_zext_u4(codes_7_vec.z >> 8);
        codes_7[19] = tw_zext_u4(codes_7_vec.z >> 12);
        codes_7[20] = tw_zext_u4(codes_7_vec.z >> 16);
        codes_7[21] = tw_zext_u4(codes_7_vec.z >> 20);
        codes_7[22] = tw_zext_u4(codes_7_vec.z >> 24);
        codes_7[23] = tw_zext_u4(codes_7_vec.z >> 28); codes_7[24] = tw_zext_u4(codes_7_vec.w);
        codes_7[25] = tw_zext_u4(codes_7_vec.w >> 4); codes_7[26] = tw_zext_u4(codes_7_vec.w >> 8);
        codes_7[27] = tw_zext_u4(codes_7_vec.w >> 12);
        codes_7[28] = tw_zext_u4(codes_7_vec.w >> 16);
        codes_7[29] = tw_zext_u4(codes_7_vec.w >> 20);
        codes_7[30] = tw_zext_u4(codes_7_vec.w >> 24);
        codes_7[31] = tw_zext_u4(codes_7_vec.w >> 28);
        const i64 scale_at_5 = scale_at_3 + (i64)at_1 * (i64)stride_3;
        tw_bf16 scale_tile_3;
        scale_tile_3 = scale_in ? tw_ldg_nc<u16>(scale + scale_at_5) : (u16)0;
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          a_2[r] = a_3[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          codes_4[r] = codes_6[r];
        }
        t_12 = scale_tile_2;
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          codes_5[r] = codes_7[r];
        }
        t_13 = scale_tile_3;
      } else {
        #pragma unroll
        for (i32 r = 0; r < 8; ++r) {
          a_2[r] = 0;
        }
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          codes_4[r] = 0;
        }
        t_12 = 0;
        #pragma unroll
        for (i32 r = 0; r < 32; ++r) {
          codes_5[r] = 0;
        }
        t_13 = 0;
      }
      const f32 t_14 = tw_bf16_to_f32(t_10);
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        f32 a_4[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          a_4[i] = tw_bf16_to_f32(a[r * 4 + i]);
        }
        tw_sts<tw_f32x4>(
            a_shared + (u32)(swizzled ^ (r * 4)) * 4u, tw_f32x4{a_4[0], a_4[1], a_4[2], a_4[3]});
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        f32 t68_shared_tile[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          t68_shared_tile[i] = tw_bf16_to_f32(tw_f32_to_bf16((tw_u32_to_f32(codes[r * 4 + i]) - 8.0f) * t_14));
        }
        tw_sts<tw_f32x4>(t68_shared + (u32)(swizzled_1 ^ (r * 4)) * 4u, tw_f32x4{
            t68_shared_tile[0], t68_shared_tile[1], t68_shared_tile[2], t68_shared_tile[3]});
      }
      tw_syncthreads();
      for (i32 r = 0; r < 8; ++r) {
        f32 a_shared_1[16];
        f32 t68_shared_1[16];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 a_shared_1_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) ^ ((i * 128) ^ (((i * 128) >> 3) & 28))) * 4u);
          a_shared_1[i * 4] = a_shared_1_vec.x; a_shared_1[i * 4 + 1] = a_shared_1_vec.y;
          a_shared_1[i * 4 + 2] = a_shared_1_vec.z; a_shared_1[i * 4 + 3] = a_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t68_shared_1_vec = tw_lds<tw_f32x4>(t68_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 32) * 4u);
          t68_shared_1[i * 4] = t68_shared_1_vec.x; t68_shared_1[i * 4 + 1] = t68_shared_1_vec.y;
          t68_shared_1[i * 4 + 2] = t68_shared_1_vec.z;
          t68_shared_1[i * 4 + 3] = t68_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 l = 0; l < 4; ++l) {
              acc[j * 4 + l] = tw_fma(
                  a_shared_1[j * 4 + i], t68_shared_1[l * 4 + i], acc[j * 4 + l]);
            }
          }
        }
      }
      const f32 t_15 = tw_bf16_to_f32(t_11);
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        f32 t70_shared_tile[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          t70_shared_tile[i] = tw_bf16_to_f32(tw_f32_to_bf16((tw_u32_to_f32(codes_1[r * 4 + i]) - 8.0f) * t_15));
        }
        tw_sts<tw_f32x4>(t70_shared + (u32)(swizzled_1 ^ (r * 4)) * 4u, tw_f32x4{
            t70_shared_tile[0], t70_shared_tile[1], t70_shared_tile[2], t70_shared_tile[3]});
      }
      tw_syncthreads();
      for (i32 r = 0; r < 8; ++r) {
        f32 a_shared_2[16];
        f32 t70_shared_1[16];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 a_shared_2_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) ^ ((i * 128) ^ (((i * 128) >> 3) & 28))) * 4u);
          a_shared_2[i * 4] = a_shared_2_vec.x; a_shared_2[i * 4 + 1] = a_shared_2_vec.y;
          a_shared_2[i * 4 + 2] = a_shared_2_vec.z; a_shared_2[i * 4 + 3] = a_shared_2_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t70_shared_1_vec = tw_lds<tw_f32x4>(t70_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 32) * 4u);
          t70_shared_1[i * 4] = t70_shared_1_vec.x; t70_shared_1[i * 4 + 1] = t70_shared_1_vec.y;
          t70_shared_1[i * 4 + 2] = t70_shared_1_vec.z;
          t70_shared_1[i * 4 + 3] = t70_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 l = 0; l < 4; ++l) {
              up[j * 4 + l] = tw_fma(a_shared_2[j * 4 + i], t70_shared_1[l * 4 + i], up[j * 4 + l]);
            }
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        a[r] = a_2[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes[r] = codes_4[r];
      }
      t_10 = t_12;
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        codes_1[r] = codes_5[r];
      }
      t_11 = t_13;
    }
    const i32 t_BN = (lane >> 5) * 32 + (lane & 7) * 4;
    const i32 position_1 = t_7 + t_BN;
    const i64 y_at = (i64)t_7 + (i64)t_BN;
    const bool y_in = (u32)position_1 < (u32)N;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
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
