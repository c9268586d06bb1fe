// packed_weights for hip gfx90a, made by tilewright
// dtypes: W=u4 T=f16
// config: BM=16 BN=32 BK=64 GB=2
// dims divisible: K%16 N%16 KG%4
// 64 threads in 1 warps of 64, 12288 bytes of shared memory
//       0 … 8192: t40_shared f32[2048]
//    8192 … 12288: rows_shared f32[1024]
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
typedef u16 tw_f16;
struct alignas(16) tw_u32x4 { u32 x, y, z, w; };
struct alignas(8) tw_f32x2 { f32 x, y; };
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
TW_DEV tw_f16 tw_f32_to_f16(f32 x) { return __builtin_bit_cast(u16, (_Float16)x); }
TW_DEV f32 tw_f16_to_f32(tw_f16 x) { return (f32)__builtin_bit_cast(_Float16, x); }
TW_DEV f32 tw_u32_to_f32(u32 x) { return (f32)x; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
TW_DEV u32 tw_zext_u4(u32 x) { return x & 0xfu; }
#endif

TW_KERNEL(64) packed_weights(
    const tw_f16* x, const u8* w, const tw_f16* s, f32* y, i32 M, i32 K, i32 N, i32 KG) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 rows_shared = smem + 8192u;
  tw_label(rows_shared, 4096u, "rows_shared");
  const u32 t40_shared = smem;
  tw_label(t40_shared, 8192u, "t40_shared");
  const i32 t = (K + 63) >> 6;
  const i32 t_1 = pid1 * 32;
  const i32 t_2 = pid0 * 16;
  const bool more = 0 < t;
  u8 q[32];
  tw_f16 scales;
  tw_f16 rows[16];
  const i32 w_at = (lane & 1) * 32 + (lane >> 1) * 64;
  const i32 t_BN = lane >> 1;
  const i32 left = N - t_1;
  const i32 t_GB = lane & 1;
  const i32 s_at = t_BN * KG + t_GB;
  const i64 s_at_1 = (i64)t_1 * (i64)KG + (i64)s_at;
  const i32 t_BM = lane >> 3;
  const i32 t_BK = (lane & 7) * 8;
  const i32 x_at = t_BM * K + t_BK;
  const i64 x_at_1 = (i64)t_2 * (i64)K + (i64)x_at;
  const i32 left_1 = M - t_2;
  if (more) {
    const i64 w_at_1 = (i64)((t_1 >> 5) * t) * 2048ll + (i64)w_at;
    u8 q_1[32];
    const tw_u32x4 q_1_vec = t_1 < N && 0 < K ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
    q_1[0] = tw_zext_u4(q_1_vec.x); q_1[1] = tw_zext_u4(q_1_vec.x >> 4);
    q_1[2] = tw_zext_u4(q_1_vec.x >> 8); q_1[3] = tw_zext_u4(q_1_vec.x >> 12);
    q_1[4] = tw_zext_u4(q_1_vec.x >> 16); q_1[5] = tw_zext_u4(q_1_vec.x >> 20);
    q_1[6] = tw_zext_u4(q_1_vec.x >> 24); q_1[7] = tw_zext_u4(q_1_vec.x >> 28);
    q_1[8] = tw_zext_u4(q_1_vec.y); q_1[9] = tw_zext_u4(q_1_vec.y >> 4);
    q_1[10] = tw_zext_u4(q_1_vec.y >> 8); q_1[11] = tw_zext_u4(q_1_vec.y >> 12);
    q_1[12] = tw_zext_u4(q_1_vec.y >> 16); q_1[13] = tw_zext_u4(q_1_vec.y >> 20);
    q_1[14] = tw_zext_u4(q_1_vec.y >> 24); q_1[15] = tw_zext_u4(q_1_vec.y >> 28);
    q_1[16] = tw_zext_u4(q_1_vec.z); q_1[17] = tw_zext_u4(q_1_vec.z >> 4);
    q_1[18] = tw_zext_u4(q_1_vec.z >> 8); q_1[19] = tw_zext_u4(q_1_vec.z >> 12);
    q_1[20] = tw_zext_u4(q_1_vec.z >> 16); q_1[21] = tw_zext_u4(q_1_vec.z >> 20);
    q_1[22] = tw_zext_u4(q_1_vec.z >> 24); q_1[23] = tw_zext_u4(q_1_vec.z >> 28);
    q_1[24] = tw_zext_u4(q_1_vec.w); q_1[25] = tw_zext_u4(q_1_vec.w >> 4);
    q_1[26] = tw_zext_u4(q_1_vec.w >> 8); q_1[27] = tw_zext_u4(q_1_vec.w >> 12);
    q_1[28] = tw_zext_u4(q_1_vec.w >> 16); q_1[29] = tw_zext_u4(q_1_vec.w >> 20);
    q_1[30] = tw_zext_u4(q_1_vec.w >> 24); q_1[31] = tw_zext_u4(q_1_vec.w >> 28);
    const bool s_in = t_BN < left && t_GB < KG;
    tw_f16 scales_1;
    scales_1 = s_in ? tw_ldg_nc<u16>(s + s_at_1) : (u16)0;
    const bool x_in = t_BK < K;
    tw_f16 rows_1[16];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 rows_1_vec = x_in && t_BM + r * 8 < left_1 ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + (i64)(r * 8 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      rows_1[r * 8] = tw_u16x2_lo(rows_1_vec.x); rows_1[r * 8 + 1] = tw_u16x2_hi(rows_1_vec.x);
      rows_1[r * 8 + 2] = tw_u16x2_lo(rows_1_vec.y); rows_1[r * 8 + 3] = tw_u16x2_hi(rows_1_vec.y);
      rows_1[r * 8 + 4] = tw_u16x2_lo(rows_1_vec.z); rows_1[r * 8 + 5] = tw_u16x2_hi(rows_1_vec.z);
      rows_1[r * 8 + 6] = tw_u16x2_lo(rows_1_vec.w); rows_1[r * 8 + 7] = tw_u16x2_hi(rows_1_vec.w);
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      q[r] = q_1[r];
    }
    scales = scales_1;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      rows[r] = rows_1[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      q[r] = 0;
    }
    scales = 0;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      rows[r] = 0;
    }
  }
  const bool more_1 = 1 < t;
  u8 q_2[32];
  tw_f16 scales_2;
  tw_f16 rows_2[16];
  if (more_1) {
    const i64 w_at_2 = (i64)((t_1 >> 5) * t + 1) * 2048ll + (i64)w_at;
    u8 q_3[32];
    const tw_u32x4 q_3_vec = t_1 < N && 64 < K ? tw_ldg_nc<tw_u32x4>(w + (w_at_2 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
    q_3[0] = tw_zext_u4(q_3_vec.x); q_3[1] = tw_zext_u4(q_3_vec.x >> 4);
    q_3[2] = tw_zext_u4(q_3_vec.x >> 8); q_3[3] = tw_zext_u4(q_3_vec.x >> 12);
    q_3[4] = tw_zext_u4(q_3_vec.x >> 16); q_3[5] = tw_zext_u4(q_3_vec.x >> 20);
    q_3[6] = tw_zext_u4(q_3_vec.x >> 24); q_3[7] = tw_zext_u4(q_3_vec.x >> 28);
    q_3[8] = tw_zext_u4(q_3_vec.y); q_3[9] = tw_zext_u4(q_3_vec.y >> 4);
    q_3[10] = tw_zext_u4(q_3_vec.y >> 8); q_3[11] = tw_zext_u4(q_3_vec.y >> 12);
    q_3[12] = tw_zext_u4(q_3_vec.y >> 16); q_3[13] = tw_zext_u4(q_3_vec.y >> 20);
    q_3[14] = tw_zext_u4(q_3_vec.y >> 24); q_3[15] = tw_zext_u4(q_3_vec.y >> 28);
    q_3[16] = tw_zext_u4(q_3_vec.z); q_3[17] = tw_zext_u4(q_3_vec.z >> 4);
    q_3[18] = tw_zext_u4(q_3_vec.z >> 8); q_3[19] = tw_zext_u4(q_3_vec.z >> 12);
    q_3[20] = tw_zext_u4(q_3_vec.z >> 16); q_3[21] = tw_zext_u4(q_3_vec.z >> 20);
    q_3[22] = tw_zext_u4(q_3_vec.z >> 24); q_3[23] = tw_zext_u4(q_3_vec.z >> 28);
    q_3[24] = tw_zext_u4(q_3_vec.w); q_3[25] = tw_zext_u4(q_3_vec.w >> 4);
    q_3[26] = tw_zext_u4(q_3_vec.w >> 8); q_3[27] = tw_zext_u4(q_3_vec.w >> 12);
    q_3[28] = tw_zext_u4(q_3_vec.w >> 16); q_3[29] = tw_zext_u4(q_3_vec.w >> 20);
    q_3[30] = tw_zext_u4(q_3_vec.w >> 24); q_3[31] = tw_zext_u4(q_3_vec.w >> 28);
    const i32 left_2 = KG - 2;
    const bool s_in_1 = t_BN < left && t_GB < left_2;
    tw_f16 scales_3;
    scales_3 = s_in_1 ? tw_ldg_nc<u16>(s + (s_at_1 + 2ll)) : (u16)0;
    const i32 left_3 = K - 64;
    const bool x_in_1 = t_BK < left_3;
    tw_f16 rows_3[16];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_u32x4 rows_3_vec = x_in_1 && t_BM + r * 8 < left_1 ? tw_ldg_nc<tw_u32x4>(x + (x_at_1 + 64ll + (i64)(r * 8 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
      rows_3[r * 8] = tw_u16x2_lo(rows_3_vec.x); rows_3[r * 8 + 1] = tw_u16x2_hi(rows_3_vec.x);
      rows_3[r * 8 + 2] = tw_u16x2_lo(rows_3_vec.y); rows_3[r * 8 + 3] = tw_u16x2_hi(rows_3_vec.y);
      rows_3[r * 8 + 4] = tw_u16x2_lo(rows_3_vec.z); rows_3[r * 8 + 5] = tw_u16x2_hi(rows_3_vec.z);
      rows_3[r * 8 + 6] = tw_u16x2_lo(rows_3_vec.w); rows_3[r * 8 + 7] = tw_u16x2_hi(rows_3_vec.w);
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      q_2[r] = q_3[r];
    }
    scales_2 = scales_3;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      rows_2[r] = rows_3[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      q_2[r] = 0;
    }
    scales_2 = 0;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      rows_2[r] = 0;
    }
  }
  f32 acc[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    acc[r] = 0.0f;
  }
  tw_f16 scales_4 = scales;
  tw_f16 scales_5 = scales_2;
  const i64 w_at_3 = (i64)w_at;
  const bool s_in_2 = t_BN < left;
  const i32 rows_shared_at = (lane & 7) * 8 + (lane >> 3) * 64;
  const i32 swizzled = w_at ^ ((w_at >> 5) & 28);
  const i32 rows_shared_at_1 = ((lane >> 3) & 3) * 64;
  const i32 t40_shared_at = (lane & 7) * 128 + (lane >> 5) * 1024;
  const i32 swizzled_1 = t40_shared_at ^ ((t40_shared_at >> 5) & 28);
  for (i32 k = 0; k < t; ++k) {
    const i32 k_1 = k + 2;
    const bool more_2 = k_1 < t;
    u8 q_4[32];
    tw_f16 scales_6;
    tw_f16 rows_4[16];
    if (more_2) {
      const i32 t_3 = k_1 * 64;
      const i64 w_at_4 = w_at_3 + (i64)((t_1 >> 5) * t + (t_3 >> 6)) * 2048ll;
      u8 q_5[32];
      const tw_u32x4 q_5_vec = t_1 < N && t_3 < K ? tw_ldg_nc<tw_u32x4>(w + (w_at_4 >> 1)) : tw_u32x4{0u, 0u, 0u, 0u};
      q_5[0] = tw_zext_u4(q_5_vec.x); q_5[1] = tw_zext_u4(q_5_vec.x >> 4);
      q_5[2] = tw_zext_u4(q_5_vec.x >> 8); q_5[3] = tw_zext_u4(q_5_vec.x >> 12);
      q_5[4] = tw_zext_u4(q_5_vec.x >> 16); q_5[5] = tw_zext_u4(q_5_vec.x >> 20);
      q_5[6] = tw_zext_u4(q_5_vec.x >> 24); q_5[7] = tw_zext_u4(q_5_vec.x >> 28);
      q_5[8] = tw_zext_u4(q_5_vec.y); q_5[9] = tw_zext_u4(q_5_vec.y >> 4);
      q_5[10] = tw_zext_u4(q_5_vec.y >> 8); q_5[11] = tw_zext_u4(q_5_vec.y >> 12);
      q_5[12] = tw_zext_u4(q_5_vec.y >> 16); q_5[13] = tw_zext_u4(q_5_vec.y >> 20);
      q_5[14] = tw_zext_u4(q_5_vec.y >> 24); q_5[15] = tw_zext_u4(q_5_vec.y >> 28);
      q_5[16] = tw_zext_u4(q_5_vec.z); q_5[17] = tw_zext_u4(q_5_vec.z >> 4);
      q_5[18] = tw_zext_u4(q_5_vec.z >> 8); q_5[19] = tw_zext_u4(q_5_vec.z >> 12);
      q_5[20] = tw_zext_u4(q_5_vec.z >> 16); q_5[21] = tw_zext_u4(q_5_vec.z >> 20);
      q_5[22] = tw_zext_u4(q_5_vec.z >> 24); q_5[23] = tw_zext_u4(q_5_vec.z >> 28);
      q_5[24] = tw_zext_u4(q_5_vec.w); q_5[25] = tw_zext_u4(q_5_vec.w >> 4);
      q_5[26] = tw_zext_u4(q_5_vec.w >> 8); q_5[27] = tw_zext_u4(q_5_vec.w >> 12);
      q_5[28] = tw_zext_u4(q_5_vec.w >> 16); q_5[29] = tw_zext_u4(q_5_vec.w >> 20);
      q_5[30] = tw_zext_u4(q_5_vec.w >> 24); q_5[31] = tw_zext_u4(q_5_vec.w >> 28);
      const i32 t_4 = k_1 * 2;
      const i32 left_4 = KG - t_4;
      const i64 s_at_2 = s_at_1 + (i64)t_4;
      const bool s_in_3 = s_in_2 && t_GB < left_4;
      tw_f16 scales_7;
      scales_7 = s_in_3 ? tw_ldg_nc<u16>(s + s_at_2) : (u16)0;
      const i32 left_5 = K - t_3;
      const i64 x_at_2 = x_at_1 + (i64)t_3;
      const bool x_in_2 = t_BK < left_5;
      tw_f16 rows_5[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 rows_5_vec = x_in_2 && t_BM + r * 8 < left_1 ? tw_ldg_nc<tw_u32x4>(x + (x_at_2 + (i64)(r * 8 * K))) : tw_u32x4{0u, 0u, 0u, 0u};
        rows_5[r * 8] = tw_u16x2_lo(rows_5_vec.x); rows_5[r * 8 + 1] = tw_u16x2_hi(rows_5_vec.x);
        rows_5[r * 8 + 2] = tw_u16x2_lo(rows_5_vec.y);
        rows_5[r * 8 + 3] = tw_u16x2_hi(rows_5_vec.y);
        rows_5[r * 8 + 4] = tw_u16x2_lo(rows_5_vec.z);
        rows_5[r * 8 + 5] = tw_u16x2_hi(rows_5_vec.z);
        rows_5[r * 8 + 6] = tw_u16x2_lo(rows_5_vec.w);
        rows_5[r * 8 + 7] = tw_u16x2_hi(rows_5_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        q_4[r] = q_5[r];
      }
      scales_6 = scales_7;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        rows_4[r] = rows_5[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        q_4[r] = 0;
      }
      scales_6 = 0;
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        rows_4[r] = 0;
      }
    }
    const f32 t_5 = tw_f16_to_f32(scales_4);
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        f32 rows_6[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          rows_6[j] = tw_f16_to_f32(rows[r * 8 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(
            rows_shared + (u32)(rows_shared_at + r * 512 + i * 4) * 4u,
            tw_f32x4{rows_6[0], rows_6[1], rows_6[2], rows_6[3]});
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      f32 t40_shared_tile[4];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        t40_shared_tile[i] = tw_f16_to_f32(tw_f32_to_f16((tw_u32_to_f32(q[r * 4 + i]) - 4.0f) * t_5));
      }
      tw_sts<tw_f32x4>(t40_shared + (u32)(swizzled ^ (r * 4)) * 4u, tw_f32x4{
          t40_shared_tile[0], t40_shared_tile[1], t40_shared_tile[2], t40_shared_tile[3]});
    }
    tw_syncthreads();
    for (i32 r = 0; r < 16; ++r) {
      f32 rows_shared_1[16];
      f32 t40_shared_1[8];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 rows_shared_1_vec = tw_lds<tw_f32x4>(rows_shared + (u32)(rows_shared_at_1 + i * 256 + r * 4) * 4u);
        rows_shared_1[i * 4] = rows_shared_1_vec.x; rows_shared_1[i * 4 + 1] = rows_shared_1_vec.y;
        rows_shared_1[i * 4 + 2] = rows_shared_1_vec.z;
        rows_shared_1[i * 4 + 3] = rows_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        const tw_f32x4 t40_shared_1_vec = tw_lds<tw_f32x4>(t40_shared + (u32)((swizzled_1 ^ (r * 4)) + i * 64) * 4u);
        t40_shared_1[i * 4] = t40_shared_1_vec.x; t40_shared_1[i * 4 + 1] = t40_shared_1_vec.y;
        t40_shared_1[i * 4 + 2] = t40_shared_1_vec.z; t40_shared_1[i * 4 + 3] = t40_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          #pragma unroll
          for (i32 l = 0; l < 2; ++l) {
            acc[j * 2 + l] = tw_fma(
                rows_shared_1[j * 4 + i], t40_shared_1[l * 4 + i], acc[j * 2 + l]);
          }
        }
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      q[r] = q_2[r];
    }
    scales_4 = scales_5;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      rows[r] = rows_2[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      q_2[r] = q_4[r];
    }
    scales_5 = scales_6;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      rows_2[r] = rows_4[r];
    }
  }
  const i32 t_BM_1 = (lane >> 3) & 3;
  const i32 t_BN_1 = (lane >> 5) * 16 + (lane & 7) * 2;
  const i32 y_at = t_BM_1 * N + t_BN_1;
  const i64 y_at_1 = (i64)t_2 * (i64)N + (i64)t_1 + (i64)y_at;
  const bool y_in = t_BN_1 < left;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    if (y_in && t_BM_1 + r * 4 < left_1) {
      tw_stg<tw_f32x2>(y + (y_at_1 + (i64)(r * 4 * N)), tw_f32x2{acc[r * 2], acc[r * 2 + 1]});
    }
  }
}
