// head_linear for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 TRANSPOSED=false DEPTH=0
// dims divisible: H%2 KX%16 WR%2 WC%16 N%2
// 256 threads in 4 warps of 64, 5248 bytes of shared memory
//       0 … 4096: b bf16[2048]
//    4096 … 5248: a bf16[576]
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
template <class T> TW_DEV void tw_sts(u32 address, typename tw_same_<T>::type value) {
  *(TW_LDS typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address = value;
}
template <class T> TW_DEV T tw_lds(u32 address) {
  return *(TW_LDS const typename tw_alias_<T>::type*)(__UINTPTR_TYPE__)address;
}
struct alignas(8) tw_u32x2 { u32 x, y; };
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
TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
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

TW_KERNEL(256) head_linear(
    const tw_bf16* x, const tw_bf16* w, tw_bf16* y, i32 M, i32 H, i32 KX, i32 WR, i32 WC, i32 N,
    i32 first) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 a = smem + 4096u;
  tw_label(a, 1152u, "a");
  const u32 b = smem;
  tw_label(b, 4096u, "b");
  const i32 t = pid0 * 16;
  const i32 n0 = pid1 * 64;
  const i32 t_1 = first + n0;
  const i32 t_2 = first + N;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  const i32 stride = KX * H;
  const i32 t_BM = thread >> 4;
  const i32 left = M - t;
  const i32 t_BK = (lane & 15) * 2;
  const i32 x_at = t_BM * stride + t_BK;
  const i64 x_at_1 = (i64)t * (i64)stride + (i64)pid2 * (i64)KX + (i64)x_at;
  const bool x_in = t_BM < left && pid2 < H;
  const i32 a_at = (lane & 15) * 2 + (thread >> 4) * 36;
  const i32 stride_1 = WC * WR;
  const i32 t_BN = thread >> 2;
  const i32 bound = tw_min_i32(t_2, WR);
  const i32 position = t_1 + t_BN;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 t_BK_1 = (lane & 3) * 8;
  const i32 w_at = t_BN * WC + t_BK_1;
  const i64 w_at_1 = (i64)pid2 * (i64)stride_1 + (i64)t_1 * (i64)WC + (i64)w_at;
  const bool w_in = pid2 < H && (u32)position < (u32)bound_1;
  const i32 b_at = (lane & 3) * 8 + (thread >> 2) * 32;
  const i32 swizzled = b_at ^ ((b_at >> 3) & 24);
  const i32 a_at_1 = (lane & 15) * 36 + (lane >> 4) * 4;
  const i32 b_at_1 = (lane & 15) * 32 + (lane >> 4) * 4 + warp * 512;
  const i32 swizzled_1 = b_at_1 ^ ((b_at_1 >> 3) & 24);
  for (i32 k = 0; k < KX; k += 32) {
    tw_syncthreads();
    const i32 left_1 = KX - k;
    const i64 x_at_2 = x_at_1 + (i64)k;
    const bool x_in_1 = x_in && t_BK < left_1;
    tw_bf16 x_tile[2];
    const u32 x_tile_vec = x_in_1 ? tw_ldg_nc<u32>(x + x_at_2) : 0u;
    x_tile[0] = tw_u16x2_lo(x_tile_vec); x_tile[1] = tw_u16x2_hi(x_tile_vec);
    tw_sts<u32>(a + (u32)a_at * 2u, tw_pack_u16x2(x_tile[0], x_tile[1]));
    const i32 left_2 = WC - k;
    const i64 w_at_2 = w_at_1 + (i64)k;
    const bool w_in_1 = w_in && t_BK_1 < left_2;
    tw_bf16 w_tile[8];
    const tw_u32x4 w_tile_vec = w_in_1 ? tw_ldg_nc<tw_u32x4>(w + w_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[4] = tw_u16x2_lo(w_tile_vec.z); w_tile[5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[6] = tw_u16x2_lo(w_tile_vec.w); w_tile[7] = tw_u16x2_hi(w_tile_vec.w);
    tw_sts<tw_u32x4>(b + (u32)swizzled * 2u, tw_u32x4{
        tw_pack_u16x2(w_tile[0], w_tile[1]), tw_pack_u16x2(w_tile[2], w_tile[3]),
        tw_pack_u16x2(w_tile[4], w_tile[5]), tw_pack_u16x2(w_tile[6], w_tile[7])});
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      u32 a_1[2];
      u32 b_1[2];
      tw_lds_words<2>(&a_1[0], a + (u32)((a_at_1 + r * 16) * 2));
      tw_lds_words<2>(&b_1[0], b + (u32)((swizzled_1 ^ (r * 16)) * 2));
      tw_mfma_f32_16x16x16_bf16(&acc[0], &b_1[0], &a_1[0]);
    }
  }
  const i32 stride_2 = N * H;
  const i32 t_BM_1 = lane & 15;
  const i32 t_BN_1 = (thread >> 4) * 4;
  const i32 y_at = t_BM_1 * stride_2 + t_BN_1;
  const i64 y_at_1 = (i64)t * (i64)stride_2 + (i64)pid2 * (i64)N + (i64)n0 + (i64)y_at;
  const bool y_in = t_BM_1 < left && pid2 < H;
  const i32 left_3 = N - n0;
  #pragma unroll
  for (i32 r = 0; r < 2; ++r) {
    tw_bf16 y_tile[2];
    #pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      y_tile[i] = tw_f32_to_bf16(acc[r * 2 + i]);
    }
    if (y_in && t_BN_1 + r * 2 < left_3) {
      tw_stg<u32>(y + (y_at_1 + (i64)(r * 2)), tw_pack_u16x2(y_tile[0], y_tile[1]));
    }
  }
}
