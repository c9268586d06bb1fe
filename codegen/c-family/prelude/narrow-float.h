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
  const u32 sign = (u32)(x & 0x80) << 24;
  if ((x & 0x7f) == 0x7f) return tw_bits_f32(sign | 0x7fc00000u);
  // The exponent field lands in that of an f32 with another bias; one exact product moves it, subnormal
  // numbers included.
  return tw_bits_f32(sign | (u32)(x & 0x7f) << 20) * 0x1p120f;
}

TW_DEV f32 tw_f8e5m2_to_f32(tw_f8e5m2 x) { return tw_f16_to_f32((tw_f16)((u32)x << 8)); }

TW_DEV f32 tw_f16x2_lo(u32 x) { return tw_f16_to_f32((tw_f16)x); }

TW_DEV f32 tw_f16x2_hi(u32 x) { return tw_f16_to_f32((tw_f16)(x >> 16)); }

TW_DEV f32 tw_bf16x2_lo(u32 x) { return tw_bits_f32(x << 16); }

TW_DEV f32 tw_bf16x2_hi(u32 x) { return tw_bits_f32(x & 0xffff0000u); }
