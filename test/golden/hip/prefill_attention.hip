// prefill_attention for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 BS=128 stages=2 SOFTCAP=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%2 NB%8 S%2
// 256 threads in 4 warps of 64, 5136 bytes of shared memory
//       0 … 2176: qt bf16[1088]
//    2176 … 4352: kt bf16[1088]
//    3072 … 5120: vt bf16[1024]
//    5120 … 5128: t27_parts i32[2]
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
struct alignas(8) tw_i32x2 { i32 x, y; };
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
TW_DEV void tw_lds_halves(u32* r, u32 a, u32 b) { r[0] = tw_lds<u16>(a) | (u32)tw_lds<u16>(b) << 16; }
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
TW_DEV f32 tw_exp2(f32 x) { return __builtin_elementwise_exp2(x); }
TW_DEV f32 tw_max(f32 a, f32 b) { return __builtin_fmaxf(a, b); }
TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }
TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }
TW_DEV i32 tw_floordiv_i32(i32 a, i32 b) {
  const i32 quotient = a / b;
  const i32 rest = a - quotient * b;
  return quotient - (rest != 0 && (rest ^ b) < 0 ? 1 : 0);
}
TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }
TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
TW_DEV u32 tw_pack_bf16x2(f32 lo, f32 hi) { return tw_f32_to_bf16(lo) | (u32)tw_f32_to_bf16(hi) << 16; }
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
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

TW_KERNEL(256) prefill_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* queryStart, const i32* lens, tw_bf16* o, i32 N, i32 HQ, i32 NB, i32 HKV, i32 S,
    i32 MAXB, i32 S1, f32 scale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 t27_parts = smem + 5120u;
  tw_label(t27_parts, 8u, "t27_parts");
  const u32 qt = smem;
  tw_label(qt, 2176u, "qt");
  const u32 kt = smem + 2176u;
  tw_label(kt, 2176u, "kt");
  const u32 vt = smem + 3072u;
  tw_label(vt, 2048u, "vt");
  const i32 t_BS = thread & 127;
  i32 begun = 0;
  const i32 bound = tw_min_i32(S, S1);
  const i64 queryStart_at = (i64)t_BS;
  const i32 part = warp & 1;
  const bool is_first = lane == 0 && thread < 128;
  for (i32 i = 0; i < S; i += 128) {
    const i32 left = bound - i;
    const i64 queryStart_at_1 = queryStart_at + (i64)i;
    const bool queryStart_in = t_BS < left;
    i32 start;
    start = queryStart_in ? tw_ldg_nc<i32>(queryStart + queryStart_at_1) : 0;
    tw_syncthreads();
    i32 sum = i + t_BS < S && (start >> 4) + i + t_BS <= pid1 ? 1 : 0;
    i32 other;
    other = tw_shfl_xor<i32>(sum, 1);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 2);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 4);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 8);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 16);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 32);
    sum = sum + other;
    if (is_first) {
      tw_sts<i32>(t27_parts + (u32)part * 4u, sum);
    }
    tw_syncthreads();
    i32 parts[2];
    const tw_i32x2 parts_vec = tw_lds<tw_i32x2>(t27_parts);
    parts[0] = parts_vec.x; parts[1] = parts_vec.y;
    sum = parts[0];
    sum = sum + parts[1];
    begun = begun + sum;
  }
  const bool t = begun > 0;
  if (t) {
    const i32 s = begun - 1;
    const i64 queryStart_at_2 = (i64)s;
    i32 rowStart;
    rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at_2);
    const i32 t_1 = s + 1;
    const i64 queryStart_at_3 = (i64)t_1;
    i32 rowEnd;
    rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_3);
    const i32 m0 = (pid1 - (rowStart >> 4) - s) * 16;
    const i32 t_2 = rowEnd - rowStart;
    const bool t_3 = m0 < t_2;
    if (t_3) {
      i32 len;
      len = tw_ldg_nc<i32>(lens + queryStart_at_2);
      const i32 kvHead = tw_floordiv_i32(pid0, tw_floordiv_i32(HQ, HKV));
      const i32 t_4 = rowStart + m0;
      const i32 p0 = len - t_2 + m0;
      const i32 reach = window > 0 ? window : 1073741824;
      const i32 low = tw_max_i32(p0 - reach + 1, 0);
      const i32 t_BM = lane & 15;
      const i32 qpos = p0 + t_BM;
      const i32 stride = HQ * 64;
      const i32 t_BM_1 = thread >> 4;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 position = t_4 + t_BM_1;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      const i32 t_D = (lane & 15) * 4;
      const i32 q_at = t_BM_1 * stride + t_D;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)q_at;
      const bool q_in = (u32)position < (u32)bound_2 && pid0 < HQ;
      const i32 qt_at = (lane & 15) * 4 + (thread >> 4) * 68;
      tw_bf16 q_tile[4];
      const tw_u32x2 q_tile_vec = q_in ? tw_ldg_nc<tw_u32x2>(q + q_at_1) : tw_u32x2{0u, 0u};
      q_tile[0] = tw_u16x2_lo(q_tile_vec.x); q_tile[1] = tw_u16x2_hi(q_tile_vec.x);
      q_tile[2] = tw_u16x2_lo(q_tile_vec.y); q_tile[3] = tw_u16x2_hi(q_tile_vec.y);
      tw_sts<tw_u32x2>(qt + (u32)qt_at * 2u, tw_u32x2{
          tw_pack_u16x2(q_tile[0], q_tile[1]), tw_pack_u16x2(q_tile[2], q_tile[3])});
      const i32 begin = (low >> 4) * 16;
      const i32 t_5 = tw_min_i32(len, p0 + 16);
      const i32 t_BN = (lane >> 4) * 4;
      const f32 t_6 = scale * 1.442695f;
      const i32 t_7 = qpos - reach;
      const bool more = begin < t_5;
      i32 pages;
      if (more) {
        const i32 kpos = begin + t_BM_1;
        const i32 t_8 = kpos >= low && kpos < len ? kpos >> 4 : -1;
        const i64 table_at = (i64)s * (i64)MAXB + (i64)t_8;
        const bool table_in = (u32)s < (u32)S && (u32)t_8 < (u32)MAXB;
        i32 pages_1;
        pages_1 = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
        pages = pages_1;
      } else {
        pages = -1;
      }
      f32 l = 0.0f;
      f32 acc[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        acc[r] = 0.0f;
      }
      f32 m = -1e+30f;
      i32 pages_2 = pages;
      const i64 table_at_1 = (i64)s * (i64)MAXB;
      const bool table_in_1 = (u32)s < (u32)S;
      const i32 stride_1 = HKV * 1024;
      const i32 stride_2 = HKV * 64;
      const i64 kCache_at = (i64)kvHead * 64ll + (i64)t_D;
      const bool kCache_in = kvHead < HKV;
      const i32 qt_at_1 = (lane & 15) * 68 + (lane >> 4) * 4;
      const i32 vt_at = (lane & 15) * 4 + (thread >> 4) * 64;
      const i32 swizzled = vt_at ^ ((vt_at >> 3) & 56);
      const i32 vt_at_1 = (lane & 15) + (lane >> 4) * 256 + warp * 16;
      const i32 swizzled_1 = vt_at_1 ^ ((vt_at_1 >> 3) & 56);
      for (i32 n = begin; n < t_5; n += 16) {
        const i32 n_1 = n + 16;
        const bool more_1 = n_1 < t_5;
        i32 pages_3;
        if (more_1) {
          const i32 kpos_1 = n_1 + t_BM_1;
          const i32 t_9 = kpos_1 >= low && kpos_1 < len ? kpos_1 >> 4 : -1;
          const i64 table_at_2 = table_at_1 + (i64)t_9;
          const bool table_in_2 = table_in_1 && (u32)t_9 < (u32)MAXB;
          i32 pages_4;
          pages_4 = table_in_2 ? tw_ldg_nc<i32>(table + table_at_2) : -1;
          pages_3 = pages_4;
        } else {
          pages_3 = -1;
        }
        const i32 slot = (n + t_BM_1) & 15;
        tw_syncthreads();
        const i64 kCache_at_1 = kCache_at + (i64)pages_2 * (i64)stride_1 + (i64)slot * (i64)stride_2;
        const bool kCache_in_1 = kCache_in && (u32)pages_2 < (u32)NB;
        tw_bf16 kCache_tile[4];
        const tw_u32x2 kCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x2>(kCache + kCache_at_1) : tw_u32x2{0u, 0u};
        kCache_tile[0] = tw_u16x2_lo(kCache_tile_vec.x);
        kCache_tile[1] = tw_u16x2_hi(kCache_tile_vec.x);
        kCache_tile[2] = tw_u16x2_lo(kCache_tile_vec.y);
        kCache_tile[3] = tw_u16x2_hi(kCache_tile_vec.y);
        tw_sts<tw_u32x2>(kt + (u32)qt_at * 2u, tw_u32x2{
            tw_pack_u16x2(kCache_tile[0], kCache_tile[1]),
            tw_pack_u16x2(kCache_tile[2], kCache_tile[3])});
        tw_syncthreads();
        f32 scores[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          scores[r] = 0.0f;
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          u32 a[2];
          u32 b[2];
          tw_lds_words<2>(&a[0], qt + (u32)((qt_at_1 + r * 16) * 2));
          tw_lds_words<2>(&b[0], kt + (u32)((qt_at_1 + r * 16) * 2));
          tw_mfma_f32_16x16x16_bf16(&scores[0], &b[0], &a[0]);
        }
        f32 masked[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          const i32 kpos_2 = n + t_BN + r;
          masked[r] = kpos_2 <= qpos && kpos_2 > t_7 ? scores[r] * t_6 : tw_bits_f32(0xff800000u);
        }
        f32 most = tw_bits_f32(0xff800000u);
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          most = tw_max(most, masked[r]);
        }
        f32 other_1;
        other_1 = tw_shfl_xor<f32>(most, 16);
        most = tw_max(most, other_1);
        other_1 = tw_shfl_xor<f32>(most, 32);
        most = tw_max(most, other_1);
        const f32 mNew = tw_max(m, most);
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          p[r] = tw_exp2(masked[r] - mNew);
        }
        const f32 alpha = tw_exp2(m - mNew);
        f32 sum_1 = 0.0f;
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          sum_1 = sum_1 + p[r];
        }
        f32 other_2;
        other_2 = tw_shfl_xor<f32>(sum_1, 16);
        sum_1 = sum_1 + other_2;
        other_2 = tw_shfl_xor<f32>(sum_1, 32);
        sum_1 = sum_1 + other_2;
        tw_syncthreads();
        tw_bf16 vCache_tile[4];
        const tw_u32x2 vCache_tile_vec = kCache_in_1 ? tw_ldg_nc<tw_u32x2>(vCache + kCache_at_1) : tw_u32x2{0u, 0u};
        vCache_tile[0] = tw_u16x2_lo(vCache_tile_vec.x);
        vCache_tile[1] = tw_u16x2_hi(vCache_tile_vec.x);
        vCache_tile[2] = tw_u16x2_lo(vCache_tile_vec.y);
        vCache_tile[3] = tw_u16x2_hi(vCache_tile_vec.y);
        tw_sts<tw_u32x2>(vt + (u32)swizzled * 2u, tw_u32x2{
            tw_pack_u16x2(vCache_tile[0], vCache_tile[1]),
            tw_pack_u16x2(vCache_tile[2], vCache_tile[3])});
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          acc[r] = acc[r] * alpha;
        }
        u32 a_1[2];
        u32 b_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          a_1[r] = tw_pack_bf16x2(p[r * 2], p[r * 2 + 1]);
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_lds_halves(
              &b_1[r], vt + (u32)((swizzled_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 56))) * 2),
              vt + (u32)(((swizzled_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 56))) ^ 72) * 2));
        }
        tw_mfma_f32_16x16x16_bf16(&acc[0], &b_1[0], &a_1[0]);
        l = l * alpha + sum_1;
        m = mNew;
        pages_2 = pages_3;
      }
      const f32 t_10 = tw_max(l, 1e-30f);
      const i32 position_1 = t_4 + t_BM;
      const i32 t_D_1 = (thread >> 4) * 4;
      const i32 o_at = t_BM * stride + t_D_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)o_at;
      const bool o_in = (u32)position_1 < (u32)bound_2 && pid0 < HQ;
      tw_bf16 o_tile[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        o_tile[r] = tw_f32_to_bf16(acc[r] / t_10);
      }
      if (o_in) {
        tw_stg<tw_u32x2>(o + o_at_1, tw_u32x2{
            tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
      }
    }
  }
}
