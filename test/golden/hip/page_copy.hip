// page_copy for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BH=8
// dims fixed: D=64 DV=64
// dims divisible: P%2 PAGE%16
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
TW_DEV void tw_syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
#endif

TW_KERNEL(64) page_copy(
    const i32* pairs, tw_bf16* kCache, tw_bf16* vCache, i32 P, i32 NB, i32 PAGE, i32 HKV) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const i64 pairs_at = (i64)pid0 * 2ll;
  i32 from;
  from = tw_ldg_nc<i32>(pairs + pairs_at);
  const bool t = from >= 0;
  if (t) {
    i32 to;
    to = tw_ldg_nc<i32>(pairs + (pairs_at + 1ll));
    const i32 t_1 = pid2 * 8;
    const i32 stride = HKV * 64 * PAGE;
    const i32 stride_1 = HKV * 64;
    const i32 t_BH = lane >> 3;
    const i32 left = HKV - t_1;
    const i32 t_D = (lane & 7) * 8;
    const i32 kCache_at = t_BH * 64 + t_D;
    const i64 kCache_at_1 = (i64)from * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)t_1 * 64ll + (i64)kCache_at;
    const bool kCache_in = (u32)from < (u32)NB && pid1 < PAGE && t_BH < left;
    tw_bf16 kCache_tile[8];
    const tw_u32x4 kCache_tile_vec = kCache_in ? tw_ldg<tw_u32x4>(kCache + kCache_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    kCache_tile[0] = tw_u16x2_lo(kCache_tile_vec.x);
    kCache_tile[1] = tw_u16x2_hi(kCache_tile_vec.x);
    kCache_tile[2] = tw_u16x2_lo(kCache_tile_vec.y);
    kCache_tile[3] = tw_u16x2_hi(kCache_tile_vec.y);
    kCache_tile[4] = tw_u16x2_lo(kCache_tile_vec.z);
    kCache_tile[5] = tw_u16x2_hi(kCache_tile_vec.z);
    kCache_tile[6] = tw_u16x2_lo(kCache_tile_vec.w);
    kCache_tile[7] = tw_u16x2_hi(kCache_tile_vec.w);
    tw_syncthreads();
    const i64 kCache_at_2 = (i64)to * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)t_1 * 64ll + (i64)kCache_at;
    const bool kCache_in_1 = (u32)to < (u32)NB && pid1 < PAGE && t_BH < left;
    if (kCache_in_1) {
      tw_stg<tw_u32x4>(kCache + kCache_at_2, tw_u32x4{
          tw_pack_u16x2(kCache_tile[0], kCache_tile[1]),
          tw_pack_u16x2(kCache_tile[2], kCache_tile[3]),
          tw_pack_u16x2(kCache_tile[4], kCache_tile[5]),
          tw_pack_u16x2(kCache_tile[6], kCache_tile[7])});
    }
    tw_bf16 vCache_tile[8];
    const tw_u32x4 vCache_tile_vec = kCache_in ? tw_ldg<tw_u32x4>(vCache + kCache_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    vCache_tile[0] = tw_u16x2_lo(vCache_tile_vec.x);
    vCache_tile[1] = tw_u16x2_hi(vCache_tile_vec.x);
    vCache_tile[2] = tw_u16x2_lo(vCache_tile_vec.y);
    vCache_tile[3] = tw_u16x2_hi(vCache_tile_vec.y);
    vCache_tile[4] = tw_u16x2_lo(vCache_tile_vec.z);
    vCache_tile[5] = tw_u16x2_hi(vCache_tile_vec.z);
    vCache_tile[6] = tw_u16x2_lo(vCache_tile_vec.w);
    vCache_tile[7] = tw_u16x2_hi(vCache_tile_vec.w);
    tw_syncthreads();
    if (kCache_in_1) {
      tw_stg<tw_u32x4>(vCache + kCache_at_2, tw_u32x4{
          tw_pack_u16x2(vCache_tile[0], vCache_tile[1]),
          tw_pack_u16x2(vCache_tile[2], vCache_tile[3]),
          tw_pack_u16x2(vCache_tile[4], vCache_tile[5]),
          tw_pack_u16x2(vCache_tile[6], vCache_tile[7])});
    }
  }
}
