// head_linear for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 TRANSPOSED=false DEPTH=0
// dims divisible: H%2 KX%16 WR%2 WC%16 N%2
// 64 threads in 1 warps of 64, 10240 bytes of shared memory
//       0 … 8192: b_shared f32[2048]
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
TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
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

TW_KERNEL(64) head_linear(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 H, i32 KX, i32 WR, i32 WC, i32 N,
    i32 first) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 a_shared = smem + 8192u;
  tw_label(a_shared, 2048u, "a_shared");
  const u32 b_shared = smem;
  tw_label(b_shared, 8192u, "b_shared");
  const i32 t = pid0 * 16;
  const i32 n0 = pid1 * 64;
  const i32 t_1 = first + n0;
  const i32 t_2 = first + N;
  const bool more = 0 < KX;
  tw_bf16 a[8];
  tw_bf16 b[32];
  const i32 stride = KX * H;
  const i32 t_BM = lane >> 2;
  const i32 left = M - t;
  const i32 t_BK = (lane & 3) * 8;
  const i32 x_at = t_BM * stride + t_BK;
  const i32 stride_1 = WC * WR;
  const i32 bound = tw_min_i32(t_2, WR);
  const i32 w_at = t_BM * WC + t_BK;
  const i32 position = t_1 + t_BM;
  const i32 bound_1 = tw_max_i32(bound, 0);
  if (more) {
    const i64 x_at_1 = (i64)pid2 * (i64)KX + (i64)t * (i64)stride + (i64)x_at;
    const bool x_in = t_BM < left && pid2 < H && t_BK < KX;
    tw_bf16 a_1[8];
    const tw_u32x4 a_1_vec = x_in ? tw_ldg_nc<tw_u32x4>(x + x_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    a_1[0] = tw_u16x2_lo(a_1_vec.x); a_1[1] = tw_u16x2_hi(a_1_vec.x);
    a_1[2] = tw_u16x2_lo(a_1_vec.y); a_1[3] = tw_u16x2_hi(a_1_vec.y);
    a_1[4] = tw_u16x2_lo(a_1_vec.z); a_1[5] = tw_u16x2_hi(a_1_vec.z);
    a_1[6] = tw_u16x2_lo(a_1_vec.w); a_1[7] = tw_u16x2_hi(a_1_vec.w);
    const i64 w_at_1 = (i64)t_1 * (i64)WC + (i64)pid2 * (i64)stride_1 + (i64)w_at;
    const bool w_in = pid2 < H && t_BK < WC;
    tw_bf16 b_1[32];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_u32x4 b_1_vec = w_in && (u32)(position + r * 16) < (u32)bound_1 ? tw_ldg_nc<tw_u32x4>(w + (w_at_1 + (i64)(r * 16 * WC))) : tw_u32x4{0u, 0u, 0u, 0u};
      b_1[r * 8] = tw_u16x2_lo(b_1_vec.x); b_1[r * 8 + 1] = tw_u16x2_hi(b_1_vec.x);
      b_1[r * 8 + 2] = tw_u16x2_lo(b_1_vec.y); b_1[r * 8 + 3] = tw_u16x2_hi(b_1_vec.y);
      b_1[r * 8 + 4] = tw_u16x2_lo(b_1_vec.z); b_1[r * 8 + 5] = tw_u16x2_hi(b_1_vec.z);
      b_1[r * 8 + 6] = tw_u16x2_lo(b_1_vec.w); b_1[r * 8 + 7] = tw_u16x2_hi(b_1_vec.w);
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      a[r] = a_1[r];
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      b[r] = b_1[r];
    }
  } else {
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      a[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      b[r] = 0;
    }
  }
  f32 acc[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    acc[r] = 0.0f;
  }
  const i64 x_at_2 = (i64)t * (i64)stride + (i64)pid2 * (i64)KX + (i64)x_at;
  const bool x_in_1 = t_BM < left && pid2 < H;
  const i64 w_at_2 = (i64)pid2 * (i64)stride_1 + (i64)t_1 * (i64)WC + (i64)w_at;
  const bool w_in_1 = pid2 < H;
  const i32 a_shared_at = (lane & 3) * 8 + (lane >> 2) * 32;
  const i32 swizzled = a_shared_at ^ ((a_shared_at >> 3) & 28);
  const i32 swizzled_1 = a_shared_at ^ ((a_shared_at >> 5) & 28);
  const i32 a_shared_at_1 = ((lane >> 3) & 3) * 32;
  const i32 b_shared_at = (lane & 7) * 128 + (lane >> 5) * 1024;
  const i32 swizzled_2 = a_shared_at_1 ^ ((a_shared_at_1 >> 3) & 28);
  const i32 swizzled_3 = b_shared_at ^ ((b_shared_at >> 5) & 28);
  for (i32 k = 0; k < KX; k += 32) {
    const i32 k_1 = k + 32;
    const bool more_1 = k_1 < KX;
    tw_bf16 a_2[8];
    tw_bf16 b_2[32];
    if (more_1) {
      const i32 left_1 = KX - k_1;
      const i64 x_at_3 = x_at_2 + (i64)k_1;
      const bool x_in_2 = x_in_1 && t_BK < left_1;
      tw_bf16 a_3[8];
      const tw_u32x4 a_3_vec = x_in_2 ? tw_ldg_nc<tw_u32x4>(x + x_at_3) : tw_u32x4{0u, 0u, 0u, 0u};
      a_3[0] = tw_u16x2_lo(a_3_vec.x); a_3[1] = tw_u16x2_hi(a_3_vec.x);
      a_3[2] = tw_u16x2_lo(a_3_vec.y); a_3[3] = tw_u16x2_hi(a_3_vec.y);
      a_3[4] = tw_u16x2_lo(a_3_vec.z); a_3[5] = tw_u16x2_hi(a_3_vec.z);
      a_3[6] = tw_u16x2_lo(a_3_vec.w); a_3[7] = tw_u16x2_hi(a_3_vec.w);
      const i32 left_2 = WC - k_1;
      const i64 w_at_3 = w_at_2 + (i64)k_1;
      const bool w_in_2 = w_in_1 && t_BK < left_2;
      tw_bf16 b_3[32];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const tw_u32x4 b_3_vec = w_in_2 && (u32)(position + r * 16) < (u32)bound_1 ? tw_ldg_nc<tw_u32x4>(w + (w_at_3 + (i64)(r * 16 * WC))) : tw_u32x4{0u, 0u, 0u, 0u};
        b_3[r * 8] = tw_u16x2_lo(b_3_vec.x); b_3[r * 8 + 1] = tw_u16x2_hi(b_3_vec.x);
        b_3[r * 8 + 2] = tw_u16x2_lo(b_3_vec.y); b_3[r * 8 + 3] = tw_u16x2_hi(b_3_vec.y);
        b_3[r * 8 + 4] = tw_u16x2_lo(b_3_vec.z); b_3[r * 8 + 5] = tw_u16x2_hi(b_3_vec.z);
        b_3[r * 8 + 6] = tw_u16x2_lo(b_3_vec.w); b_3[r * 8 + 7] = tw_u16x2_hi(b_3_vec.w);
      }
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        a_2[r] = a_3[r];
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        b_2[r] = b_3[r];
      }
    } else {
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        a_2[r] = 0;
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        b_2[r] = 0;
      }
    }
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
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        f32 b_4[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          b_4[j] = tw_bf16_to_f32(b[r * 8 + i * 4 + j]);
        }
        tw_sts<tw_f32x4>(
            b_shared + (u32)((swizzled_1 ^ (i * 4)) ^ ((r * 512) ^ (((r * 512) >> 5) & 28))) * 4u,
            tw_f32x4{b_4[0], b_4[1], b_4[2], b_4[3]});
      }
    }
    tw_syncthreads();
    for (i32 r = 0; r < 8; ++r) {
      f32 a_shared_1[16];
      f32 b_shared_1[16];
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 a_shared_1_vec = tw_lds<tw_f32x4>(a_shared + (u32)((swizzled_2 ^ (r * 4)) ^ ((i * 128) ^ (((i * 128) >> 3) & 28))) * 4u);
        a_shared_1[i * 4] = a_shared_1_vec.x; a_shared_1[i * 4 + 1] = a_shared_1_vec.y;
        a_shared_1[i * 4 + 2] = a_shared_1_vec.z; a_shared_1[i * 4 + 3] = a_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        const tw_f32x4 b_shared_1_vec = tw_lds<tw_f32x4>(b_shared + (u32)((swizzled_3 ^ (r * 4)) + i * 32) * 4u);
        b_shared_1[i * 4] = b_shared_1_vec.x; b_shared_1[i * 4 + 1] = b_shared_1_vec.y;
        b_shared_1[i * 4 + 2] = b_shared_1_vec.z; b_shared_1[i * 4 + 3] = b_shared_1_vec.w;
      }
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          #pragma unroll
          for (i32 l = 0; l < 4; ++l) {
            acc[j * 4 + l] = tw_fma(a_shared_1[j * 4 + i], b_shared_1[l * 4 + i], acc[j * 4 + l]);
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
      b[r] = b_2[r];
    }
  }
  const i32 stride_2 = N * H;
  const i32 t_BM_1 = (lane >> 3) & 3;
  const i32 t_BN = (lane >> 5) * 32 + (lane & 7) * 4;
  const i32 y_at = t_BM_1 * stride_2 + t_BN;
  const i64 y_at_1 = (i64)t * (i64)stride_2 + (i64)pid2 * (i64)N + (i64)n0 + (i64)y_at;
  const i32 left_3 = N - n0;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      tw_bf16 y_tile[2];
      #pragma unroll
      for (i32 j = 0; j < 2; ++j) {
        y_tile[j] = tw_f32_to_bf16(acc[r * 4 + i * 2 + j]);
      }
      if (w_in_1 && t_BM_1 + r * 4 < left && t_BN + i * 2 < left_3) {
        tw_stg<u32>(
            y + (y_at_1 + (i64)(r * 4 * stride_2 + i * 2)), tw_pack_u16x2(y_tile[0], y_tile[1]));
      }
    }
  }
}
