// gated_rms_norm for hip gfx90a, made by tilewright
// dtypes: T=bf16
// dims fixed: H=1536
// dims divisible: R%2 W%8
// 128 threads in 2 warps of 64, 16 bytes of shared memory
//       0 … 8: t15_parts f32[2]
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
TW_DEV f32 tw_exp(f32 x) { return __builtin_elementwise_exp(x); }
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
#endif

TW_KERNEL(128) gated_rms_norm(
    const tw_bf16* x, const tw_bf16* gate, const tw_bf16* w, tw_bf16* y, i32 R, i32 W, i32 column,
    f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t15_parts = smem;
  tw_label(t15_parts, 8u, "t15_parts");
  const i64 gate_at = (i64)pid0 * (i64)W + (i64)column + (i64)thread;
  const bool gate_in = pid0 < R;
  tw_bf16 gate_tile[12];
  const i32 position = column + thread;
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    gate_tile[r] = gate_in && (u32)(position + r * 128) < (u32)W ? tw_ldg_nc<u16>(gate + (gate_at + (i64)(r * 128))) : (u16)0;
  }
  f32 t[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    t[r] = tw_bf16_to_f32(gate_tile[r]);
  }
  const i64 x_at = (i64)pid0 * 1536ll + (i64)thread;
  tw_bf16 x_tile[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    x_tile[r] = gate_in ? tw_ldg_nc<u16>(x + (x_at + (i64)(r * 128))) : (u16)0;
  }
  f32 v[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    v[r] = tw_bf16_to_f32(x_tile[r]) * (t[r] / (1.0f + tw_exp(-t[r])));
  }
  f32 sum = 0.0f;
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
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
  const bool is_first = lane == 0;
  if (is_first) {
    tw_sts<f32>(t15_parts + (u32)warp * 4u, sum);
  }
  tw_syncthreads();
  f32 parts[2];
  const tw_f32x2 parts_vec = tw_lds<tw_f32x2>(t15_parts);
  parts[0] = parts_vec.x; parts[1] = parts_vec.y;
  sum = parts[0];
  sum = sum + parts[1];
  const f32 scale = tw_rsqrt(sum / 1536.0f + eps);
  tw_bf16 w_tile[12];
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    w_tile[r] = tw_ldg_nc<u16>(w + (thread + r * 128));
  }
  #pragma unroll
  for (i32 r = 0; r < 12; ++r) {
    const tw_bf16 y_tile = tw_f32_to_bf16(v[r] * scale * tw_bf16_to_f32(w_tile[r]));
    if (gate_in) {
      tw_stg<u16>(y + (x_at + (i64)(r * 128)), y_tile);
    }
  }
}
