/** [codegen/c-family] Packing of narrow integers and raw bits into registers; spelled alike by CUDA, HIP and the emulation. */

TW_DEV u32 tw_pack_u16x2(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }

TW_DEV u32 tw_u16x2_lo(u32 x) { return x & 0xffffu; }

TW_DEV u32 tw_u16x2_hi(u32 x) { return x >> 16; }

TW_DEV u32 tw_pack_u8x4(u32 a, u32 b, u32 c, u32 d) {
  return (a & 0xffu) | (b & 0xffu) << 8 | (c & 0xffu) << 16 | d << 24;
}

TW_DEV u32 tw_byte(u32 x, u32 index) { return x >> (8 * index) & 0xffu; }

TW_DEV i32 tw_sext_i8(u32 x) { return (i32)(x << 24) >> 24; }

TW_DEV u32 tw_zext_u8(u32 x) { return x & 0xffu; }

TW_DEV i32 tw_sext_i4(u32 x) { return (i32)(x << 28) >> 28; }

TW_DEV u32 tw_zext_u4(u32 x) { return x & 0xfu; }

// Four e4m3 codes as codes of half the value in the encoding of gfx942, which counts exponents from 8, has no
// infinities, and whose NaN is the code of -0.
TW_DEV u32 tw_fnuz_e4m3_(u32 x) {
  const u32 size = x & 0x7f7f7f7fu;
  const u32 nan = (size + 0x01010101u) & 0x80808080u;
  const u32 nonzero = (size + 0x7f7f7f7fu) & 0x80808080u;
  return (size & ~(nan - (nan >> 7))) | (x & nonzero) | nan;
}
