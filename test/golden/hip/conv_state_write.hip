// conv_state_write for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BC=128
// dims fixed: K1=3
// dims divisible: NB%2 C%16 S%4 MAXB%2
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
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
#endif

TW_KERNEL(64) conv_state_write(
    const tw_bf16* x, tw_bf16* state, const i32* table, const i32* queryStart, const i32* lens,
    i32 N, i32 W, i32 NB, i32 C, i32 S, i32 MAXB, i32 S1, i32 column) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 queryStart_at = (i64)pid1;
  i32 rowStart;
  rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at);
  const i32 t = pid1 + 1;
  const i64 queryStart_at_1 = (i64)t;
  i32 rowEnd;
  rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_1);
  const i32 count = rowEnd - rowStart;
  const bool t_1 = count > 0;
  if (t_1) {
    i32 lens_tile;
    lens_tile = tw_ldg_nc<i32>(lens + queryStart_at);
    const i32 past = lens_tile - count;
    const i64 table_at = (i64)pid1 * (i64)MAXB;
    i32 slot;
    slot = tw_ldg_nc<i32>(table + table_at);
    const i32 c0 = pid0 * 128;
    const i32 t_2 = count - 3;
    const i32 t_3 = column + c0;
    const i32 t_4 = column + C;
    const i32 bound = tw_min_i32(t_4, W);
    const i64 x_at = (i64)lane + (i64)t_3;
    const i32 position = t_3 + lane;
    const i32 bound_1 = tw_max_i32(bound, 0);
    const i32 stride = C * 3;
    const i64 state_at = (i64)lane + (i64)slot * (i64)stride + (i64)c0;
    const bool state_in = (u32)slot < (u32)NB;
    const i32 left = C - c0;
    for (i32 j = 0; j < 3; ++j) {
      const i32 t_5 = t_2 + j;
      const bool isFresh = t_5 >= 0;
      const bool isKept = t_5 < 0 && past + t_5 >= 0;
      const i32 t_6 = isFresh ? rowStart + t_5 : 0;
      const i64 x_at_1 = x_at + (i64)t_6 * (i64)W;
      const bool x_in = (u32)t_6 < (u32)N && isFresh;
      tw_bf16 fresh[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        fresh[r] = x_in && (u32)(position + r * 64) < (u32)bound_1 ? tw_ldg_nc<u16>(x + (x_at_1 + (i64)(r * 64))) : (u16)0;
      }
      tw_syncthreads();
      const i32 t_7 = isKept ? t_5 + 3 : 0;
      const i64 state_at_1 = state_at + (i64)t_7 * (i64)C;
      const bool state_in_1 = state_in && (u32)t_7 < 3u && isKept;
      tw_bf16 kept[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        kept[r] = state_in_1 && lane + r * 64 < left ? tw_ldg<u16>(state + (state_at_1 + (i64)(r * 64))) : (u16)0;
      }
      tw_syncthreads();
      const i64 state_at_2 = state_at + (i64)j * (i64)C;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_bf16 state_tile = tw_f32_to_bf16(tw_bf16_to_f32(fresh[r]) + tw_bf16_to_f32(kept[r]));
        if (state_in && lane + r * 64 < left) {
          tw_stg<u16>(state + (state_at_2 + (i64)(r * 64)), state_tile);
        }
      }
    }
  }
}
