/** [codegen/targets/hip] Conversions between f32, narrow floats and integers. Narrow floats are raw bits. */

TW_DEV tw_f16 tw_f32_to_f16(f32 x) { return __builtin_bit_cast(u16, (_Float16)x); }

TW_DEV f32 tw_f16_to_f32(tw_f16 x) { return (f32)__builtin_bit_cast(_Float16, x); }

TW_DEV tw_bf16 tw_f32_to_bf16(f32 x) {
  const u32 bits = tw_f32_bits(x);
  if (x != x) return 0x7fff;
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

TW_DEV f32 tw_bf16_to_f32(tw_bf16 x) { return tw_bits_f32((u32)x << 16); }

// The OCP encodings, in software: gfx942 has instructions for another encoding only.
TW_DEV tw_f8e4m3 tw_f32_to_f8e4m3(f32 x) { return tw_round_f8_(x, 3, 448.0f); }

TW_DEV tw_f8e5m2 tw_f32_to_f8e5m2(f32 x) { return tw_round_f8_(x, 2, 57344.0f); }

TW_DEV i32 tw_f32_to_i32(f32 x) {
  if (x != x) return 0;
  if (x >= 2147483648.0f) return 0x7fffffff;
  if (x < -2147483648.0f) return -0x7fffffff - 1;
  return (i32)x;
}

TW_DEV u32 tw_f32_to_u32(f32 x) {
  if (!(x > 0.0f)) return 0;
  if (x >= 4294967296.0f) return 0xffffffffu;
  return (u32)x;
}

TW_DEV f32 tw_i32_to_f32(i32 x) { return (f32)x; }

TW_DEV f32 tw_u32_to_f32(u32 x) { return (f32)x; }

TW_DEV u32 tw_pack_f16x2(f32 lo, f32 hi) { return tw_f32_to_f16(lo) | (u32)tw_f32_to_f16(hi) << 16; }

TW_DEV u32 tw_pack_bf16x2(f32 lo, f32 hi) { return tw_f32_to_bf16(lo) | (u32)tw_f32_to_bf16(hi) << 16; }
