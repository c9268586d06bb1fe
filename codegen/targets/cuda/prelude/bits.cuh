/** [codegen/targets/cuda] Reinterpretation of registers. Packing is in c-family/prelude/bits.h. */

TW_DEV u32 tw_f32_bits(f32 x) { return __float_as_uint(x); }

TW_DEV f32 tw_bits_f32(u32 x) { return __uint_as_float(x); }
