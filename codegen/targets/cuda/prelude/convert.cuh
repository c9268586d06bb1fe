/** [codegen/targets/cuda] Conversions between f32, narrow floats and integers. Narrow floats are raw bits. */

TW_DEV tw_f16 tw_f32_to_f16(f32 x) {
  u16 y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}

TW_DEV f32 tw_f16_to_f32(tw_f16 x) {
  f32 y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}

TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
#if __CUDA_ARCH__ >= 800
  u16 y;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
#else
  const u32 bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (u16)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
#endif
}

TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return __uint_as_float((u32)x << 16); }

TW_DEV tw_f8e4m3 tw_f32_to_f8e4m3(f32 x) {
#if __CUDA_ARCH__ >= 890
  u16 y;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(0.0f), "f"(x));
  return (u8)y;
#else
  return tw_round_f8_(x, 3, 448.0f);
#endif
}

TW_DEV tw_f8e5m2 tw_f32_to_f8e5m2(f32 x) {
#if __CUDA_ARCH__ >= 890
  u16 y;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(y) : "f"(0.0f), "f"(x));
  return (u8)y;
#else
  return tw_round_f8_(x, 2, 57344.0f);
#endif
}

TW_DEV i32 tw_f32_to_i32(f32 x) { return __float2int_rz(x); }

TW_DEV u32 tw_f32_to_u32(f32 x) { return __float2uint_rz(x); }

TW_DEV f32 tw_i32_to_f32(i32 x) { return __int2float_rn(x); }

TW_DEV f32 tw_u32_to_f32(u32 x) { return __uint2float_rn(x); }

TW_DEV u32 tw_pack_f16x2(f32 lo, f32 hi) {
  u32 y;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(hi), "f"(lo));
  return y;
}

TW_DEV u32 tw_pack_bf16x2(f32 lo, f32 hi) {
#if __CUDA_ARCH__ >= 800
  u32 y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(hi), "f"(lo));
  return y;
#else
  return (u32)tw_f32_to_bf16(lo) | ((u32)tw_f32_to_bf16(hi) << 16);
#endif
}

TW_DEV u32 tw_cvt_tf32(f32 x) {
  u32 y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
