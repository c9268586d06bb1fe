/** [codegen/targets/hip] Reinterpretation of registers. Packing is in c-family/prelude/bits.h. */

TW_DEV u32 tw_f32_bits(f32 x) { return __builtin_bit_cast(u32, x); }

TW_DEV f32 tw_bits_f32(u32 x) { return __builtin_bit_cast(f32, x); }
