// mla_prefill for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 BS=128 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: N%16 H%2 NB%8 S%2
// 64 threads in 1 warps of 64, 11584 bytes of shared memory
//       0 … 4096: qt_shared f32[1024]
//    4096 … 8192: lt_shared f32[1024]
//    8192 … 9216: qr_shared f32[256]
//    9216 … 10240: rt_shared f32[256]
//   10240 … 11264: t114_shared f32[256]
//   11264 … 11328: t87_convert f32[16]
//   11392 … 11456: mNew_convert f32[16]
//   11520 … 11584: t95_convert f32[16]
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

TW_KERNEL(64) mla_prefill(
    const tw_bf16* q, const tw_bf16* qRope, const tw_bf16* latents, const tw_bf16* ropes,
    const i32* table, const i32* queryStart, const i32* lens, tw_bf16* o, i32 N, i32 H, i32 NB,
    i32 S, i32 MAXB, i32 S1, f32 scale) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 qt_shared = smem;
  tw_label(qt_shared, 4096u, "qt_shared");
  const u32 lt_shared = smem + 4096u;
  tw_label(lt_shared, 4096u, "lt_shared");
  const u32 qr_shared = smem + 8192u;
  tw_label(qr_shared, 1024u, "qr_shared");
  const u32 rt_shared = smem + 9216u;
  tw_label(rt_shared, 1024u, "rt_shared");
  const u32 t87_convert = smem + 11264u;
  tw_label(t87_convert, 64u, "t87_convert");
  const u32 mNew_convert = smem + 11392u;
  tw_label(mNew_convert, 64u, "mNew_convert");
  const u32 t95_convert = smem + 11520u;
  tw_label(t95_convert, 64u, "t95_convert");
  const u32 t114_shared = smem + 10240u;
  tw_label(t114_shared, 1024u, "t114_shared");
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
      const i32 t_4 = rowStart + m0;
      const i32 p0 = len - t_2 + m0;
      const i32 t_BM = lane >> 3;
      i32 qpos[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        qpos[r] = p0 + t_BM + r * 8;
      }
      const i32 stride = H * 64;
      const i32 bound_1 = tw_min_i32(rowEnd, N);
      const i32 t_R = (lane & 7) * 8;
      const i32 q_at = t_BM * stride + t_R;
      const i64 q_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)q_at;
      const bool q_in = pid0 < H;
      tw_bf16 qt[16];
      const i32 position = t_4 + t_BM;
      const i32 bound_2 = tw_max_i32(bound_1, 0);
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 qt_vec = q_in && (u32)(position + r * 8) < (u32)bound_2 ? tw_ldg_nc<tw_u32x4>(q + (q_at_1 + (i64)(r * 8 * stride))) : tw_u32x4{0u, 0u, 0u, 0u};
        qt[r * 8] = tw_u16x2_lo(qt_vec.x); qt[r * 8 + 1] = tw_u16x2_hi(qt_vec.x);
        qt[r * 8 + 2] = tw_u16x2_lo(qt_vec.y); qt[r * 8 + 3] = tw_u16x2_hi(qt_vec.y);
        qt[r * 8 + 4] = tw_u16x2_lo(qt_vec.z); qt[r * 8 + 5] = tw_u16x2_hi(qt_vec.z);
        qt[r * 8 + 6] = tw_u16x2_lo(qt_vec.w); qt[r * 8 + 7] = tw_u16x2_hi(qt_vec.w);
      }
      const i32 stride_1 = H * 16;
      const i32 t_BM_1 = lane >> 2;
      const i32 position_1 = t_4 + t_BM_1;
      const i32 t_DR = (lane & 3) * 4;
      const i32 qRope_at = t_BM_1 * stride_1 + t_DR;
      const i64 qRope_at_1 = (i64)pid0 * 16ll + (i64)t_4 * (i64)stride_1 + (i64)qRope_at;
      const bool qRope_in = (u32)position_1 < (u32)bound_2 && pid0 < H;
      tw_bf16 qr[4];
      const tw_u32x2 qr_vec = qRope_in ? tw_ldg_nc<tw_u32x2>(qRope + qRope_at_1) : tw_u32x2{0u, 0u};
      qr[0] = tw_u16x2_lo(qr_vec.x); qr[1] = tw_u16x2_hi(qr_vec.x); qr[2] = tw_u16x2_lo(qr_vec.y);
      qr[3] = tw_u16x2_hi(qr_vec.y);
      const i32 t_BN = (lane & 7) * 2;
      const f32 t_5 = scale * 1.442695f;
      const i32 t_6 = tw_min_i32(len, p0 + 16);
      f32 l[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        l[r] = 0.0f;
      }
      f32 acc[16];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        acc[r] = 0.0f;
      }
      f32 m[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        m[r] = -1e+30f;
      }
      const i64 table_at = (i64)s * (i64)MAXB;
      const bool table_in = (u32)s < (u32)S;
      const i64 latents_at = (i64)t_R;
      const i64 ropes_at = (i64)t_DR;
      const i32 qt_shared_at = (lane & 7) * 8 + (lane >> 3) * 64;
      const i32 swizzled = qt_shared_at ^ ((qt_shared_at >> 5) & 28);
      const i32 qt_shared_at_1 = (lane >> 3) * 64;
      const i32 lt_shared_at = (lane & 7) * 128;
      const i32 swizzled_1 = lt_shared_at ^ ((lt_shared_at >> 5) & 28);
      const i32 qr_shared_at = (lane & 3) * 4 + (lane >> 2) * 16;
      const i32 swizzled_2 = qr_shared_at ^ ((qr_shared_at >> 3) & 12);
      const i32 qr_shared_at_1 = (lane >> 3) * 16;
      const i32 rt_shared_at = (lane & 7) * 32;
      const i32 swizzled_3 = rt_shared_at ^ ((rt_shared_at >> 3) & 12);
      const bool is_first = (lane & 7) == 0;
      const i32 t87_convert_at = (lane >> 3) & 3;
      const bool is_first_1 = (lane & 7) == 0 && thread < 32;
      const i32 t114_shared_at = (lane & 7) * 2 + (lane >> 3) * 16;
      const i32 t114_shared_at_1 = ((lane >> 3) & 3) * 16;
      const i32 lt_shared_at_1 = (lane & 7) * 4 + (lane >> 5) * 32;
      for (i32 n = 0; n < t_6; n += 16) {
        i32 kpos[2];
        i32 place[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          kpos[r] = n + t_BM + r * 8;
          place[r] = kpos[r] < len ? kpos[r] >> 4 : -1;
        }
        i32 pages[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          pages[r] = table_in && (u32)place[r] < (u32)MAXB ? tw_ldg_nc<i32>(table + (table_at + (i64)place[r])) : -1;
        }
        i32 slot[2];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          slot[r] = kpos[r] & 15;
        }
        tw_bf16 lt[16];
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          const tw_u32x4 lt_vec = (u32)pages[r] < (u32)NB ? tw_ldg_nc<tw_u32x4>(latents + (latents_at + (i64)pages[r] * 1024ll + (i64)slot[r] * 64ll)) : tw_u32x4{0u, 0u, 0u, 0u};
          lt[r * 8] = tw_u16x2_lo(lt_vec.x); lt[r * 8 + 1] = tw_u16x2_hi(lt_vec.x);
          lt[r * 8 + 2] = tw_u16x2_lo(lt_vec.y); lt[r * 8 + 3] = tw_u16x2_hi(lt_vec.y);
          lt[r * 8 + 4] = tw_u16x2_lo(lt_vec.z); lt[r * 8 + 5] = tw_u16x2_hi(lt_vec.z);
          lt[r * 8 + 6] = tw_u16x2_lo(lt_vec.w); lt[r * 8 + 7] = tw_u16x2_hi(lt_vec.w);
        }
        const i32 kpos_1 = n + t_BM_1;
        const i32 place_1 = kpos_1 < len ? kpos_1 >> 4 : -1;
        const i64 table_at_1 = table_at + (i64)place_1;
        const bool table_in_1 = table_in && (u32)place_1 < (u32)MAXB;
        i32 pages_1;
        pages_1 = table_in_1 ? tw_ldg_nc<i32>(table + table_at_1) : -1;
        const i32 slot_1 = kpos_1 & 15;
        const i64 ropes_at_1 = ropes_at + (i64)pages_1 * 256ll + (i64)slot_1 * 16ll;
        const bool ropes_in = (u32)pages_1 < (u32)NB;
        tw_bf16 rt[4];
        const tw_u32x2 rt_vec = ropes_in ? tw_ldg_nc<tw_u32x2>(ropes + ropes_at_1) : tw_u32x2{0u, 0u};
        rt[0] = tw_u16x2_lo(rt_vec.x); rt[1] = tw_u16x2_hi(rt_vec.x); rt[2] = tw_u16x2_lo(rt_vec.y);
        rt[3] = tw_u16x2_hi(rt_vec.y);
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
        tw_syncthreads();
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            f32 lt_1[4];
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              lt_1[k] = tw_bf16_to_f32(lt[r * 8 + j * 4 + k]);
            }
            tw_sts<tw_f32x4>(
                lt_shared + (u32)((swizzled ^ (j * 4)) ^ ((r * 512) ^ (((r * 512) >> 5) & 28))) * 4u,
                tw_f32x4{lt_1[0], lt_1[1], lt_1[2], lt_1[3]});
          }
        }
        tw_syncthreads();
        f32 acc_1[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          acc_1[r] = 0.0f;
        }
        for (i32 r = 0; r < 16; ++r) {
          f32 qt_shared_1[8];
          f32 lt_shared_1[8];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            const tw_f32x4 qt_shared_1_vec = tw_lds<tw_f32x4>(qt_shared + (u32)(qt_shared_at_1 + j * 512 + r * 4) * 4u);
            qt_shared_1[j * 4] = qt_shared_1_vec.x; qt_shared_1[j * 4 + 1] = qt_shared_1_vec.y;
            qt_shared_1[j * 4 + 2] = qt_shared_1_vec.z; qt_shared_1[j * 4 + 3] = qt_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            const tw_f32x4 lt_shared_1_vec = tw_lds<tw_f32x4>(lt_shared + (u32)((swizzled_1 ^ (r * 4)) + j * 64) * 4u);
            lt_shared_1[j * 4] = lt_shared_1_vec.x; lt_shared_1[j * 4 + 1] = lt_shared_1_vec.y;
            lt_shared_1[j * 4 + 2] = lt_shared_1_vec.z; lt_shared_1[j * 4 + 3] = lt_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              #pragma unroll
              for (i32 r_1 = 0; r_1 < 2; ++r_1) {
                acc_1[k * 2 + r_1] = tw_fma(
                    qt_shared_1[k * 4 + j], lt_shared_1[r_1 * 4 + j], acc_1[k * 2 + r_1]);
              }
            }
          }
        }
        f32 qr_1[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          qr_1[r] = tw_bf16_to_f32(qr[r]);
        }
        tw_sts<tw_f32x4>(
            qr_shared + (u32)qr_shared_at * 4u, tw_f32x4{qr_1[0], qr_1[1], qr_1[2], qr_1[3]});
        f32 rt_1[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          rt_1[r] = tw_bf16_to_f32(rt[r]);
        }
        tw_sts<tw_f32x4>(
            rt_shared + (u32)swizzled_2 * 4u, tw_f32x4{rt_1[0], rt_1[1], rt_1[2], rt_1[3]});
        tw_syncthreads();
        for (i32 r = 0; r < 4; ++r) {
          f32 qr_shared_1[8];
          f32 rt_shared_1[8];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            const tw_f32x4 qr_shared_1_vec = tw_lds<tw_f32x4>(qr_shared + (u32)(qr_shared_at_1 + j * 128 + r * 4) * 4u);
            qr_shared_1[j * 4] = qr_shared_1_vec.x; qr_shared_1[j * 4 + 1] = qr_shared_1_vec.y;
            qr_shared_1[j * 4 + 2] = qr_shared_1_vec.z; qr_shared_1[j * 4 + 3] = qr_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            const tw_f32x4 rt_shared_1_vec = tw_lds<tw_f32x4>(rt_shared + (u32)((swizzled_3 ^ (r * 4)) + j * 16) * 4u);
            rt_shared_1[j * 4] = rt_shared_1_vec.x; rt_shared_1[j * 4 + 1] = rt_shared_1_vec.y;
            rt_shared_1[j * 4 + 2] = rt_shared_1_vec.z; rt_shared_1[j * 4 + 3] = rt_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              #pragma unroll
              for (i32 r_2 = 0; r_2 < 2; ++r_2) {
                acc_1[k * 2 + r_2] = tw_fma(
                    qr_shared_1[k * 4 + j], rt_shared_1[r_2 * 4 + j], acc_1[k * 2 + r_2]);
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
            masked[r * 2 + j] = kpos_2[j] <= qpos[r] ? acc_1[r * 2 + j] * t_5 : tw_bits_f32(0xff800000u);
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
            tw_sts<f32>(t87_convert + (u32)(t_BM + r * 8) * 4u, most[r]);
          }
        }
        tw_syncthreads();
        f32 t_7[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_7[r] = tw_lds<f32>(t87_convert + (u32)(t87_convert_at + r * 4) * 4u);
        }
        f32 mNew[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          mNew[r] = tw_max(m[r], t_7[r]);
        }
        if (is_first_1) {
          #pragma unroll
          for (i32 r = 0; r < 4; ++r) {
            tw_sts<f32>(mNew_convert + (u32)(t87_convert_at + r * 4) * 4u, mNew[r]);
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
            tw_sts<f32>(t95_convert + (u32)(t_BM + r * 8) * 4u, sum_1[r]);
          }
        }
        tw_syncthreads();
        f32 t_8[4];
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          t_8[r] = tw_lds<f32>(t95_convert + (u32)(t87_convert_at + r * 4) * 4u);
        }
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          f32 t114_shared_tile[2];
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            t114_shared_tile[j] = tw_bf16_to_f32(tw_f32_to_bf16(p[r * 2 + j]));
          }
          tw_sts<tw_f32x2>(
              t114_shared + (u32)(t114_shared_at + r * 128) * 4u,
              tw_f32x2{t114_shared_tile[0], t114_shared_tile[1]});
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
          f32 t114_shared_1[16];
          f32 lt_shared_2[16];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            const tw_f32x4 t114_shared_1_vec = tw_lds<tw_f32x4>(t114_shared + (u32)(t114_shared_at_1 + j * 64 + r * 4) * 4u);
            t114_shared_1[j * 4] = t114_shared_1_vec.x;
            t114_shared_1[j * 4 + 1] = t114_shared_1_vec.y;
            t114_shared_1[j * 4 + 2] = t114_shared_1_vec.z;
            t114_shared_1[j * 4 + 3] = t114_shared_1_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            const tw_f32x4 lt_shared_2_vec = tw_lds<tw_f32x4>(lt_shared + (u32)((lt_shared_at_1 ^ ((r * 256) ^ (((r * 256) >> 5) & 28))) ^ ((j * 64) ^ (((j * 64) >> 5) & 28))) * 4u);
            lt_shared_2[j * 4] = lt_shared_2_vec.x; lt_shared_2[j * 4 + 1] = lt_shared_2_vec.y;
            lt_shared_2[j * 4 + 2] = lt_shared_2_vec.z; lt_shared_2[j * 4 + 3] = lt_shared_2_vec.w;
          }
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              #pragma unroll
              for (i32 r_3 = 0; r_3 < 4; ++r_3) {
                acc[k * 4 + r_3] = tw_fma(
                    t114_shared_1[k * 4 + j], lt_shared_2[j * 4 + r_3], acc[k * 4 + r_3]);
              }
            }
          }
        }
        #pragma unroll
        for (i32 r = 0; r < 4; ++r) {
          l[r] = l[r] * alpha[r] + t_8[r];
          m[r] = mNew[r];
        }
      }
      f32 t_9[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        t_9[r] = tw_max(l[r], 1e-30f);
      }
      const i32 t_R_1 = (lane >> 5) * 32 + (lane & 7) * 4;
      const i32 o_at = t87_convert_at * stride + t_R_1;
      const i64 o_at_1 = (i64)pid0 * 64ll + (i64)t_4 * (i64)stride + (i64)o_at;
      const i32 position_2 = t_4 + t87_convert_at;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_bf16 o_tile[4];
        #pragma unroll
        for (i32 j = 0; j < 4; ++j) {
          o_tile[j] = tw_f32_to_bf16(acc[r * 4 + j] / t_9[r]);
        }
        if (q_in && (u32)(position_2 + r * 4) < (u32)bound_2) {
          tw_stg<tw_u32x2>(o + (o_at_1 + (i64)(r * 4 * stride)), tw_u32x2{
              tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
        }
      }
    }
  }
}
