// embedding_with_positions for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BN=1 BH=1024
// dims divisible: N%4 H%8
// 128 threads in 2 warps of 64, 0 bytes of shared memory
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

TW_KERNEL(128) embedding_with_positions(
    const i32* ids, const i32* positions, const tw_bf16* table, const tw_bf16* learned, tw_bf16* y,
    i32 N, i32 V, i32 H, i32 P) {
  const i32 thread = tw_tid();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 t = pid1 * 1024;
  const i32 left = N - pid0;
  const i64 ids_at = (i64)pid0;
  const bool ids_in = 0 < left;
  i32 id;
  id = ids_in ? tw_ldg_nc<i32>(ids + ids_at) : -1;
  i32 position;
  position = ids_in ? tw_ldg_nc<i32>(positions + ids_at) : -1;
  const i32 t_BH = thread * 8;
  const i32 left_1 = H - t;
  const i64 table_at = (i64)id * (i64)H + (i64)t + (i64)t_BH;
  const bool table_in = (u32)id < (u32)V && t_BH < left_1;
  tw_bf16 table_tile[8];
  const tw_u32x4 table_tile_vec = table_in ? tw_ldg_nc<tw_u32x4>(table + table_at) : tw_u32x4{0u, 0u, 0u, 0u};
  table_tile[0] = tw_u16x2_lo(table_tile_vec.x); table_tile[1] = tw_u16x2_hi(table_tile_vec.x);
  table_tile[2] = tw_u16x2_lo(table_tile_vec.y); table_tile[3] = tw_u16x2_hi(table_tile_vec.y);
  table_tile[4] = tw_u16x2_lo(table_tile_vec.z); table_tile[5] = tw_u16x2_hi(table_tile_vec.z);
  table_tile[6] = tw_u16x2_lo(table_tile_vec.w); table_tile[7] = tw_u16x2_hi(table_tile_vec.w);
  const i64 learned_at = (i64)position * (i64)H + (i64)t + (i64)t_BH;
  const bool learned_in = (u32)position < (u32)P && t_BH < left_1;
  tw_bf16 learned_tile[8];
  const tw_u32x4 learned_tile_vec = learned_in ? tw_ldg_nc<tw_u32x4>(learned + learned_at) : tw_u32x4{0u, 0u, 0u, 0u};
  learned_tile[0] = tw_u16x2_lo(learned_tile_vec.x);
  learned_tile[1] = tw_u16x2_hi(learned_tile_vec.x);
  learned_tile[2] = tw_u16x2_lo(learned_tile_vec.y);
  learned_tile[3] = tw_u16x2_hi(learned_tile_vec.y);
  learned_tile[4] = tw_u16x2_lo(learned_tile_vec.z);
  learned_tile[5] = tw_u16x2_hi(learned_tile_vec.z);
  learned_tile[6] = tw_u16x2_lo(learned_tile_vec.w);
  learned_tile[7] = tw_u16x2_hi(learned_tile_vec.w);
  const i64 y_at = (i64)pid0 * (i64)H + (i64)t + (i64)t_BH;
  const bool y_in = 0 < left && t_BH < left_1;
  tw_bf16 y_tile[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    y_tile[r] = tw_f32_to_bf16(tw_bf16_to_f32(table_tile[r]) + tw_bf16_to_f32(learned_tile[r]));
  }
  if (y_in) {
    tw_stg<tw_u32x4>(y + y_at, tw_u32x4{
        tw_pack_u16x2(y_tile[0], y_tile[1]), tw_pack_u16x2(y_tile[2], y_tile[3]),
        tw_pack_u16x2(y_tile[4], y_tile[5]), tw_pack_u16x2(y_tile[6], y_tile[7])});
  }
}
