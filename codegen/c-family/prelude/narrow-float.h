/** [codegen/c-family] Narrow floats by integer arithmetic, for CUDA and HIP alike. Conversions with an instruction are in the target. */

// Rounds to nearest even with `fraction` fraction bits (3: e4m3, 2: e5m2); `most` is the largest finite
// value, NaN gives 0x7f.
TW_DEV u8 tw_round_f8_(f32 x, u32 fraction, f32 most) {
  const u32 bits = tw_f32_bits(x);
  const u32 sign = bits >> 24 & 0x80u;
  if (x != x) return 0x7f;
  f32 size = tw_bits_f32(bits & 0x7fffffffu);
  size = size < most ? size : most;
  const u32 cut = 23 - fraction;
  const u32 bias = (1u << (6 - fraction)) - 1;  // 7 for e4m3, 15 for e5m2
  const f32 least = tw_bits_f32((128 - bias) << 23);  // smallest normal number
  if (size < least) {
    // Adding 2^23 units of the smallest subnormal leaves the count of units, rounded, in the low bits.
    const f32 magic = tw_bits_f32((151 - bias - fraction) << 23);
    return (u8)(sign | (tw_f32_bits(size + magic) & 0x7fu));
  }
  u32 code = tw_f32_bits(size);
  code += (1u << (cut - 1)) - 1 + (code >> cut & 1);
  return (u8)(sign | ((code >> cut) - ((127 - bias) << fraction)));
}

TW_DEV f32 tw_f8e4m3_to_f32(tw_f8e4m3 x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  u32 pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((u16)x));
  return tw_f16_to_f32((tw_f16)(pair & 0xffffu));
#else
  const u32 sign = (u32)(x & 0x80) << 24;
  if ((x & 0x7f) == 0x7f) return tw_bits_f32(sign | 0x7fc00000u);
  // The exponent field lands in that of an f32 with another bias; one exact product moves it, subnormal
  // numbers included.
  return tw_bits_f32(sign | (u32)(x & 0x7f) << 20) * 0x1p120f;
#endif
}

TW_DEV f32 tw_f8e5m2_to_f32(tw_f8e5m2 x) { return tw_f16_to_f32((tw_f16)((u32)x << 8)); }

TW_DEV tw_f8e8m0 tw_f32_to_f8e8m0(f32 x) {
  const u32 size = tw_f32_bits(x) & 0x7fffffffu;
  if (size > 0x7f800000u) return 0xff;
  return (u8)(size < 0x7f000000u ? size >> 23 : 0xfeu);
}

TW_DEV f32 tw_f8e8m0_to_f32(tw_f8e8m0 x) {
  if (x == 0xff) return tw_bits_f32(0x7fc00000u);
  return tw_bits_f32(x == 0 ? 0x00400000u : (u32)x << 23);
}

// The code is the number of middles between neighbours that lie below; ties go to the even code.
TW_DEV tw_f4e2m1 tw_f32_to_f4e2m1(f32 x) {
  if (x != x) return 7;
  const u32 bits = tw_f32_bits(x);
  const f32 size = tw_bits_f32(bits & 0x7fffffffu);
  const u32 code = (size > 0.25f) + (size >= 0.75f) + (size > 1.25f) + (size >= 1.75f) + (size > 2.5f) +
                   (size >= 3.5f) + (size > 5.0f);
  return (u8)((bits >> 28 & 8) | code);
}

TW_DEV f32 tw_f4e2m1_to_f32(tw_f4e2m1 x) {
  // As with e4m3: the exponent field lands in that of an f32, one exact product moves its bias.
  return tw_bits_f32((u32)(x & 8) << 28 | (u32)(x & 7) << 22) * 0x1p126f;
}

// The code is the number of bounds that x lies above; a NaN lies above all of them.
TW_DEV tw_nf4 tw_f32_to_nf4(f32 x) {
  return (u8)(!(x <= -0.8480964f) + !(x <= -0.6106329f) + !(x <= -0.45999527f) +
              !(x <= -0.33967942f) + !(x <= -0.2346074f) + !(x <= -0.13791174f) +
              !(x <= -0.045525018f) + !(x <= 0.03979015f) + !(x <= 0.12025525f) +
              !(x <= 0.20352125f) + !(x <= 0.29201376f) + !(x <= 0.38931254f) + !(x <= 0.50166345f) +
              !(x <= 0.6427869f) + !(x <= 0.86147845f));
}

TW_DEV f32 tw_nf4_to_f32(tw_nf4 x) {
  const f32 a = x & 2 ? (x & 1 ? -0.3949175f : -0.52507305f) : x & 1 ? -0.6961928f : -1.0f;
  const f32 b = x & 2 ? (x & 1 ? 0.0f : -0.091050036f) : x & 1 ? -0.18477343f : -0.28444138f;
  const f32 c = x & 2 ? (x & 1 ? 0.33791524f : 0.2461123f) : x & 1 ? 0.1609302f : 0.0795803f;
  const f32 d = x & 2 ? (x & 1 ? 1.0f : 0.72295684f) : x & 1 ? 0.562617f : 0.44070983f;
  return x & 8 ? (x & 4 ? d : c) : x & 4 ? b : a;
}

TW_DEV f32 tw_f16x2_lo(u32 x) { return tw_f16_to_f32((tw_f16)x); }

TW_DEV f32 tw_f16x2_hi(u32 x) { return tw_f16_to_f32((tw_f16)(x >> 16)); }

TW_DEV f32 tw_bf16x2_lo(u32 x) { return tw_bits_f32(x << 16); }

TW_DEV f32 tw_bf16x2_hi(u32 x) { return tw_bits_f32(x & 0xffff0000u); }
