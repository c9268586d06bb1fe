// mla_write for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: INTERLEAVED=true
// dims fixed: R=512 D2=32 PAGE=4
// dims divisible: KW%16 P%2 DR%16
// 64 threads in 1 warps of 64, 0 bytes of shared memory
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

TW_KERNEL(64) mla_write(
    const tw_bf16* kv, const tw_bf16* w, const i32* positions, const f32* cosSin, const i32* slots,
    tw_bf16* latents, tw_bf16* ropes, i32 N, i32 KW, i32 P, i32 NB, i32 DR, f32 eps) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i64 slots_at = (i64)pid0;
  i32 slot;
  slot = tw_ldg_nc<i32>(slots + slots_at);
  const bool t = slot >= 0;
  if (t) {
    const i32 page = slot >> 2;
    const i32 offset = slot & 3;
    i32 position;
    position = tw_ldg_nc<i32>(positions + slots_at);
    const i32 t_D2 = lane & 31;
    const i64 cosSin_at = (i64)position * 64ll + (i64)t_D2;
    const bool cosSin_in = (u32)position < (u32)P;
    f32 cos;
    cos = cosSin_in ? tw_ldg_nc<f32>(cosSin + cosSin_at) : 0.0f;
    f32 sin;
    sin = cosSin_in ? tw_ldg_nc<f32>(cosSin + (cosSin_at + 32ll)) : 0.0f;
    const i32 first = t_D2 * 2 + 512;
    const i64 kv_at = (i64)pid0 * (i64)KW + (i64)first;
    const bool kv_in = pid0 < N && (u32)first < (u32)KW;
    tw_bf16 kv_tile;
    kv_tile = kv_in ? tw_ldg_nc<u16>(kv + kv_at) : (u16)0;
    const f32 x = tw_bf16_to_f32(kv_tile);
    const i32 t_1 = first + 1;
    const i64 kv_at_1 = (i64)pid0 * (i64)KW + (i64)t_1;
    const bool kv_in_1 = pid0 < N && (u32)t_1 < (u32)KW;
    tw_bf16 kv_tile_1;
    kv_tile_1 = kv_in_1 ? tw_ldg_nc<u16>(kv + kv_at_1) : (u16)0;
    const f32 y = tw_bf16_to_f32(kv_tile_1);
    const i32 stride = DR * 4;
    const i64 ropes_at = (i64)page * (i64)stride + (i64)offset * (i64)DR + (i64)t_D2;
    const bool ropes_in = (u32)page < (u32)NB && t_D2 < DR;
    const bool is_first = thread < 32;
    if (is_first) {
      const tw_bf16 ropes_tile = tw_f32_to_bf16(x * cos - y * sin);
      if (ropes_in) {
        tw_stg<u16>(ropes + ropes_at, ropes_tile);
      }
    }
    tw_syncthreads();
    const i32 left = DR - 32;
    const bool ropes_in_1 = (u32)page < (u32)NB && t_D2 < left;
    if (is_first) {
      const tw_bf16 ropes_tile_1 = tw_f32_to_bf16(y * cos + x * sin);
      if (ropes_in_1) {
        tw_stg<u16>(ropes + (ropes_at + 32ll), ropes_tile_1);
      }
    }
    const i32 t_R = lane * 8;
    const i64 kv_at_2 = (i64)pid0 * (i64)KW + (i64)t_R;
    const bool kv_in_2 = pid0 < N && t_R < KW;
    tw_bf16 kv_tile_2[8];
    const tw_u32x4 kv_tile_2_vec = kv_in_2 ? tw_ldg_nc<tw_u32x4>(kv + kv_at_2) : tw_u32x4{0u, 0u, 0u, 0u};
    kv_tile_2[0] = tw_u16x2_lo(kv_tile_2_vec.x); kv_tile_2[1] = tw_u16x2_hi(kv_tile_2_vec.x);
    kv_tile_2[2] = tw_u16x2_lo(kv_tile_2_vec.y); kv_tile_2[3] = tw_u16x2_hi(kv_tile_2_vec.y);
    kv_tile_2[4] = tw_u16x2_lo(kv_tile_2_vec.z); kv_tile_2[5] = tw_u16x2_hi(kv_tile_2_vec.z);
    kv_tile_2[6] = tw_u16x2_lo(kv_tile_2_vec.w); kv_tile_2[7] = tw_u16x2_hi(kv_tile_2_vec.w);
    f32 v[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      v[r] = tw_bf16_to_f32(kv_tile_2[r]);
    }
    f32 sum = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
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
    const f32 scale = tw_rsqrt(sum / 512.0f + eps);
    tw_bf16 w_tile[8];
    const tw_u32x4 w_tile_vec = tw_ldg_nc<tw_u32x4>(w + t_R);
    w_tile[0] = tw_u16x2_lo(w_tile_vec.x); w_tile[1] = tw_u16x2_hi(w_tile_vec.x);
    w_tile[2] = tw_u16x2_lo(w_tile_vec.y); w_tile[3] = tw_u16x2_hi(w_tile_vec.y);
    w_tile[4] = tw_u16x2_lo(w_tile_vec.z); w_tile[5] = tw_u16x2_hi(w_tile_vec.z);
    w_tile[6] = tw_u16x2_lo(w_tile_vec.w); w_tile[7] = tw_u16x2_hi(w_tile_vec.w);
    const i64 latents_at = (i64)page * 2048ll + (i64)offset * 512ll + (i64)t_R;
    const bool latents_in = (u32)page < (u32)NB;
    tw_bf16 latents_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      latents_tile[r] = tw_f32_to_bf16(v[r] * scale * tw_bf16_to_f32(w_tile[r]));
    }
    if (latents_in) {
      tw_stg<tw_u32x4>(latents + latents_at, tw_u32x4{
          tw_pack_u16x2(latents_tile[0], latents_tile[1]),
          tw_pack_u16x2(latents_tile[2], latents_tile[3]),
          tw_pack_u16x2(latents_tile[4], latents_tile[5]),
          tw_pack_u16x2(latents_tile[6], latents_tile[7])});
    }
  }
}
