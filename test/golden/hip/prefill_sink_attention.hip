// prefill_sink_attention for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 BS=128 stages=2 SOFTCAP=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%4 NB%8 S%2
// 64 threads in 1 warps of 64, 9536 bytes of shared memory
//       0 … 4096: qt_shared f32[1024]
//       0 … 4096: vt_shared f32[1024]
//    4096 … 8192: kt_shared f32[1024]
//    8192 … 9216: t135_shared f32[256]
//    9216 … 9280: t109_convert f32[16]
//    9344 … 9408: mNew_convert f32[16]
//    9472 … 9536: t117_convert f32[16]
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
template <class T> TW_DEV T tw_shfl_idx(T value, i32 lane) {
  i32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __builtin_amdgcn_ds_bpermute((lane & (TW_WARP - 1)) << 2, bits);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T> TW_DEV T tw_shfl_xor(T value, i32 mask) { return tw_shfl_idx(value, tw_lane() ^ mask); }
TW_DEV f32 tw_exp2(f32 x) { return __builtin_elementwise_exp2(x); }
TW_DEV f32 tw_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
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
TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }
TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }
TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }
TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }
#endif

TW_KERNEL(64) prefill_sink_attention(
    const tw_bf16* q, const tw_bf16* kCache, const tw_bf16* vCache, const i32* table,
    const i32* queryStart, const i32* lens, tw_bf16* o, const tw_bf16* sinks, i32 N, i32 HQ, i32 NB,
    i32 HKV, i32 S, i32 MAXB, i32 S1, f32 scale, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt_shared = smem;
  tw_label(qt_shared, 4096u, "qt_shared");
  const u32 kt_shared = smem + 4096u;
  tw_label(kt_shared, 4096u, "kt_shared");
  const u32 t109_convert = smem + 9216u;
  tw_label(t109_convert, 64u, "t109_convert");
  const u32 mNew_convert = smem + 9344u;
  tw_label(mNew_convert, 64u, "mNew_convert");
  const u32 t117_convert = smem + 9472u;
  tw_label(t117_convert, 64u, "t117_convert");
  const u32 t135_shared = smem + 8192u;
  tw_label(t135_shared, 1024u, "t135_shared");
  const u32 vt_shared = smem;
  tw_label(vt_shared, 4096u, "vt_shared");
  const i64 sinks_at = (i64)pid0;
  tw_bf16 sinks_tile;
  sinks_tile = tw_ldg_nc<u16>(sinks + sinks_at);
  const f32 t = tw_bf16_to_f32(sinks_tile) * 1.442695f;
  i32 begun = 0;
  const i32 bound = tw_min_i32(S, S1);
  const i64 queryStart_at = (i64)lane;
  for (i32 i = 0; i < S; i += 128) {
    const i64 queryStart_at_1 = queryStart_at + (i64)i;
    i32 start[2];
    const i32 left = bound - i;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      start[r] = lane + r * 64 < left ? tw_ldg_nc<i32>(queryStart + (queryStart_at_1 + (i64)(r * 64))) : 0;
    }
    i32 sum = 0;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum = sum + (i + lane + r * 64 < S && (start[r] >> 4) + i + lane + r * 64 <= pid1 ? 1 : 0);
    }
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
    begun = begun + sum;
  }
  const bool t_1 = begun > 0;
  if (t_1) {
    const i32 s = begun - 1;
    const i64 queryStart_at_2 = (i64)s;
    i32 rowStart;
    rowStart = tw_ldg_nc<i32>(queryStart + queryStart_at_2);
    const i32 t_2 = s + 1;
    const i64 queryStart_at_3 = (i64)t_2;
    i32 rowEnd;
    rowEnd = tw_ldg_nc<i32>(queryStart + queryStart_at_3);
    const i32 m0 = (pid1 - (rowStart >> 4) - s) * 16;
    const i32 t_3 = rowEnd - rowStart;
    const bool t_4 = m0 < t_3;
    if (t_4) {
      i32 len;
      len = tw_ldg_nc<i32>(lens + queryStart_at_2);
      const i32 kvHead = tw_floordiv_i32(pid0, tw_floordiv_i32(HQ, HKV));
      const i32 t_5 = rowStart + m0;
      const i32 p0 = len - t_3 + m0;
      const i32 reach = window > 0 ? window : 1073741824;
      const i32 low = tw_max_i32(p0 - reach + 1, 0);
      const i32 t_BM = lane >> 3;
      i32 qpos[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = p0 + t_BM + r * 8;
      }
      const i32 stride = HQ * 64;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 t_D = (lane & 7) * 8;
      const i32 q_at = t_BM * stride + t_D;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_5 * (i64)stride + (i64)q_at;
      const bool q_in = pid0 < HQ;
      tw_bf16 qt[16];
      const i32 position = t_5 + t_BM;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 qt_vec = q_in && (u32)(position + r * 8) < (u32)bound_2 ? tw_ldg_nc<tw_u32x4>(q + (q_at_1 + (i64)(r * 8 * stride))) : tw_u32x4{0u, 0u, 0u, 0u};
        qt[r * 8] = tw_u16x2_lo(qt_vec.x); qt[r * 8 + 1] = tw_u16x2_hi(qt_vec.x);
        qt[r * 8 + 2] = tw_u16x2_lo(qt_vec.y); qt[r * 8 + 3] = tw_u16x2_hi(qt_vec.y);
        qt[r * 8 + 4] = tw_u16x2_lo(qt_vec.z); qt[r * 8 + 5] = tw_u16x2_hi(qt_vec.z);
        qt[r * 8 + 6] = tw_u16x2_lo(qt_vec.w); qt[r * 8 + 7] = tw_u16x2_hi(qt_vec.w);
      }
      const i32 begin = (low >> 4) * 16;
      const i32 t_6 = tw_min_i32(len, p0 + 16);
      const i32 t_BN = (lane & 7) * 2;
      const f32 t_7 = scale * 1.442695f;
      i32 t_8[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_8[r] = qpos[r] - reach;
      }
      const bool more = begin < t_6;
      i32 pages[2];
      const i64 table_at = (i64)s * (i64)MAXB;
      const bool table_in = (u32)s < (u32)S;
      if (more) {
        i32 t_9[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const i32 kpos = begin + t_BM + r * 8;
          t_9[r] = kpos >= low && kpos < len ? kpos >> 4 : -1;
        }
        i32 pages_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages_1[r] = table_in && (u32)t_9[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_9[r])) : -1;
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = pages_1[r];
        }
      } else {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = -1;
        }
      }
      f32 l[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        l[r] = 1.0f;
      }
      f32 acc[16];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        acc[r] = 0.0f;
      }
      f32 m[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        m[r] = t;
      }
      const i32 stride_1 = HKV * 1024;
      const i32 stride_2 = HKV * 64;
      const i64 kCache_at = (i64)kvHead * 64ll + (i64)t_D;
      const bool kCache_in = kvHead < HKV;
      const i32 qt_shared_at = (lane & 7) * 8 + (lane >> 3) * 64;
      const i32 swizzled = qt_shared_at ^ ((qt_shared_at >> 5) & 28);
      const i32 qt_shared_at_1 = (lane >> 3) * 64;
      const i32 kt_shared_at = (lane & 7) * 128;
      const i32 swizzled_1 = kt_shared_at ^ ((kt_shared_at >> 5) & 28);
      const bool is_first = (lane & 7) == 0;
      const i32 t109_convert_at = (lane >> 3) & 3;
      const bool is_first_1 = (lane & 7) == 0 && thread < 32;
      const i32 t135_shared_at = (lane & 7) * 2 + (lane >> 3) * 16;
      const i32 t135_shared_at_1 = ((lane >> 3) & 3) * 16;
      const i32 vt_shared_at = (lane & 7) * 4 + (lane >> 5) * 32;
      for (i32 n = begin; n < t_6; n += 16) {
        const i32 n_1 = n + 16;
        const bool more_1 = n_1 < t_6;
        i32 pages_2[2];
        if (more_1) {
          i32 t_10[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            const i32 kpos_1 = n_1 + t_BM + r * 8;
            t_10[r] = kpos_1 >= low && kpos_1 < len ? kpos_1 >> 4 : -1;
          }
          i32 pages_3[2];
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            pages_3[r] = table_in && (u32)t_10[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)t_10[r])) : -1;
          }
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            pages_2[r] = pages_3[r];
          }
        } else {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            pages_2[r] = -1;
          }
        }
        i32 slot[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          slot[r] = (n + t_BM + r * 8) & 15;
        }
        tw_bf16 kt[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 kt_vec = kCache_in && (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(kCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2)) : tw_u32x4{0u, 0u, 0u, 0u};
          kt[r * 8] = tw_u16x2_lo(kt_vec.x); kt[r * 8 + 1] = tw_u16x2_hi(kt_vec.x);
          kt[r * 8 + 2] = tw_u16x2_lo(kt_vec.y); kt[r * 8 + 3] = tw_u16x2_hi(kt_vec.y);
          kt[r * 8 + 4] = tw_u16x2_lo(kt_vec.z); kt[r * 8 + 5] = tw_u16x2_hi(kt_vec.z);
          kt[r * 8 + 6] = tw_u16x2_lo(kt_vec.w); kt[r * 8 + 7] = tw_u16x2_hi(kt_vec.w);
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            f32 qt_1[4];
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              qt_1[k] = tw_bf16_to_f32(qt[r * 8 + j * 4 + k]);
            }
            tw_sts<tw_f32x4>(
                qt_shared + (u32)(qt_shared_at + r * 512 + j * 4) * 4u,
                tw_f32x4{qt_1[0], qt_1[1], qt_1[2], qt_1[3]});
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            f32 kt_1[4];
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              kt_1[k] = tw_bf16_to_f32(kt[r * 8 + j * 4 + k]);
            }
            tw_sts<tw_f32x4>(
                kt_shared + (u32)((swizzled ^ (j * 4)) ^ ((r * 512) ^ (((r * 512) >> 5) & 28))) * 4u,
                tw_f32x4{kt_1[0], kt_1[1], kt_1[2], kt_1[3]});
          }
        }
        tw_syncthreads();
        f32 scores[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          scores[r] = 0.0f;
        }
        for (i32 r = 0; r < 16; ++r) {
          f32 qt_shared_1[8];
          f32 kt_shared_1[8];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            const tw_f32x4 qt_shared_1_vec = tw_lds<tw_f32x4>(qt_shared + (u32)(qt_shared_at_1 + j * 512 + r * 4) * 4u);
            qt_shared_1[j * 4] = qt_shared_1_vec.x; qt_shared_1[j * 4 + 1] = qt_shared_1_vec.y;
            qt_shared_1[j * 4 + 2] = qt_shared_1_vec.z; qt_shared_1[j * 4 + 3] = qt_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            const tw_f32x4 kt_shared_1_vec = tw_lds<tw_f32x4>(kt_shared + (u32)((swizzled_1 ^ (r * 4)) + j * 64) * 4u);
            kt_shared_1[j * 4] = kt_shared_1_vec.x; kt_shared_1[j * 4 + 1] = kt_shared_1_vec.y;
            kt_shared_1[j * 4 + 2] = kt_shared_1_vec.z; kt_shared_1[j * 4 + 3] = kt_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              #pragma unroll
              for (i32 r_1 = 0; r_1 < 2; ++r_1) {
                scores[k * 2 + r_1] = tw_fma(
                    qt_shared_1[k * 4 + j], kt_shared_1[r_1 * 4 + j], scores[k * 2 + r_1]);
              }
            }
          }
        }
        i32 kpos_2[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          kpos_2[r] = n + t_BN + r;
        }
        f32 masked[4];
        f32 most[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            masked[r * 2 + j] = kpos_2[j] <= qpos[r] && kpos_2[j] > t_8[r] ? scores[r * 2 + j] * t_7 : tw_bits_f32(0xff800000u);
          }
          most[r] = tw_bits_f32(0xff800000u);
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            most[r] = tw_max(most[r], masked[r * 2 + j]);
          }
        }
        f32 other_1;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_1 = tw_shfl_xor<f32>(most[r], 1);
          most[r] = tw_max(most[r], other_1);
          other_1 = tw_shfl_xor<f32>(most[r], 2);
          most[r] = tw_max(most[r], other_1);
          other_1 = tw_shfl_xor<f32>(most[r], 4);
          most[r] = tw_max(most[r], other_1);
        }
        if (is_first) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_sts<f32>(t109_convert + (u32)(t_BM + r * 8) * 4u, most[r]);
          }
        }
        tw_syncthreads();
        f32 t_11[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_11[r] = tw_lds<f32>(t109_convert + (u32)(t109_convert_at + r * 4) * 4u);
        }
        f32 mNew[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          mNew[r] = tw_max(m[r], t_11[r]);
        }
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            tw_sts<f32>(mNew_convert + (u32)(t109_convert_at + r * 4) * 4u, mNew[r]);
          }
        }
        tw_syncthreads();
        f32 mNew_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          mNew_1[r] = tw_lds<f32>(mNew_convert + (u32)(t_BM + r * 8) * 4u);
        }
        f32 p[4];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            p[r * 2 + j] = tw_exp2(masked[r * 2 + j] - mNew_1[r]);
          }
        }
        f32 alpha[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          alpha[r] = tw_exp2(m[r] - mNew[r]);
        }
        f32 sum_1[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          sum_1[r] = 0.0f;
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            sum_1[r] = sum_1[r] + p[r * 2 + j];
          }
        }
        f32 other_2;
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          other_2 = tw_shfl_xor<f32>(sum_1[r], 1);
          sum_1[r] = sum_1[r] + other_2;
          other_2 = tw_shfl_xor<f32>(sum_1[r], 2);
          sum_1[r] = sum_1[r] + other_2;
          other_2 = tw_shfl_xor<f32>(sum_1[r], 4);
          sum_1[r] = sum_1[r] + other_2;
        }
        if (is_first) {
          #pragma unroll
          for (i32 r = 0; r < 2; ++r) {
            tw_sts<f32>(t117_convert + (u32)(t_BM + r * 8) * 4u, sum_1[r]);
          }
        }
        tw_syncthreads();
        f32 t_12[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_12[r] = tw_lds<f32>(t117_convert + (u32)(t109_convert_at + r * 4) * 4u);
        }
        tw_bf16 vt[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 vt_vec = kCache_in && (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(vCache + (kCache_at + (i64)pages[r] * (i64)stride_1 + (i64)slot[r] * (i64)stride_2)) : tw_u32x4{0u, 0u, 0u, 0u};
          vt[r * 8] = tw_u16x2_lo(vt_vec.x); vt[r * 8 + 1] = tw_u16x2_hi(vt_vec.x);
          vt[r * 8 + 2] = tw_u16x2_lo(vt_vec.y); vt[r * 8 + 3] = tw_u16x2_hi(vt_vec.y);
          vt[r * 8 + 4] = tw_u16x2_lo(vt_vec.z); vt[r * 8 + 5] = tw_u16x2_hi(vt_vec.z);
          vt[r * 8 + 6] = tw_u16x2_lo(vt_vec.w); vt[r * 8 + 7] = tw_u16x2_hi(vt_vec.w);
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          f32 t135_shared_tile[2];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t135_shared_tile[j] = tw_bf16_to_f32(tw_f32_to_bf16(p[r * 2 + j]));
          }
          tw_sts<tw_f32x2>(
              t135_shared + (u32)(t135_shared_at + r * 128) * 4u,
              tw_f32x2{t135_shared_tile[0], t135_shared_tile[1]});
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            f32 vt_1[4];
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              vt_1[k] = tw_bf16_to_f32(vt[r * 8 + j * 4 + k]);
            }
            tw_sts<tw_f32x4>(
                vt_shared + (u32)(qt_shared_at + r * 512 + j * 4) * 4u,
                tw_f32x4{vt_1[0], vt_1[1], vt_1[2], vt_1[3]});
          }
        }
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            acc[r * 4 + j] = acc[r * 4 + j] * alpha[r];
          }
        }
        for (i32 r = 0; r < 4; ++r) {
          f32 t135_shared_1[16];
          f32 vt_shared_1[16];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            const tw_f32x4 t135_shared_1_vec = tw_lds<tw_f32x4>(t135_shared + (u32)(t135_shared_at_1 + j * 64 + r * 4) * 4u);
            t135_shared_1[j * 4] = t135_shared_1_vec.x;
            t135_shared_1[j * 4 + 1] = t135_shared_1_vec.y;
            t135_shared_1[j * 4 + 2] = t135_shared_1_vec.z;
            t135_shared_1[j * 4 + 3] = t135_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            const tw_f32x4 vt_shared_1_vec = tw_lds<tw_f32x4>(vt_shared + (u32)(vt_shared_at + r * 256 + j * 64) * 4u);
            vt_shared_1[j * 4] = vt_shared_1_vec.x; vt_shared_1[j * 4 + 1] = vt_shared_1_vec.y;
            vt_shared_1[j * 4 + 2] = vt_shared_1_vec.z; vt_shared_1[j * 4 + 3] = vt_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              #pragma unroll
              for (i32 r_2 = 0; r_2 < 4; ++r_2) {
                acc[k * 4 + r_2] = tw_fma(
                    t135_shared_1[k * 4 + j], vt_shared_1[j * 4 + r_2], acc[k * 4 + r_2]);
              }
            }
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = l[r] * alpha[r] + t_12[r];
          m[r] = mNew[r];
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = pages_2[r];
        }
      }
      f32 t_13[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_13[r] = tw_max(l[r], 1e-30f);
      }
      const i32 t_D_1 = (lane >> 5) * 32 + (lane & 7) * 4;
      const i32 o_at = t109_convert_at * stride + t_D_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_5 * (i64)stride + (i64)o_at;
      const i32 position_1 = t_5 + t109_convert_at;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_bf16 o_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          o_tile[j] = tw_f32_to_bf16(acc[r * 4 + j] / t_13[r]);
        }
        if (q_in && (u32)(position_1 + r * 4) < (u32)bound_2) {
          tw_stg<tw_u32x2>(o + (o_at_1 + (i64)(r * 4 * stride)), tw_u32x2{
              tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
        }
      }
    }
  }
}
