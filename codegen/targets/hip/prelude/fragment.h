/** [codegen/targets/hip] Operands of matrix instructions from shared memory, as words of a lane. The instructions are made in matrix-text.ts. */

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

TW_DEV void tw_lds_bytes(u32* r, u32 a, u32 b, u32 c, u32 d) {
  r[0] = tw_lds<u8>(a) | (u32)tw_lds<u8>(b) << 8 | (u32)tw_lds<u8>(c) << 16 | (u32)tw_lds<u8>(d) << 24;
}
