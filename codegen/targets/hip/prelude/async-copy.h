/** [codegen/targets/hip] The names of cp.async, carried out at once: these chips have no such copy from every address. */

TW_DEV void tw_cp_async_4(u32 dst, const void* src) { tw_sts<u32>(dst, tw_ldg<u32>(src)); }

TW_DEV void tw_cp_async_8(u32 dst, const void* src) { tw_sts<tw_u32x2>(dst, tw_ldg<tw_u32x2>(src)); }

TW_DEV void tw_cp_async_16(u32 dst, const void* src) { tw_sts<tw_u32x4>(dst, tw_ldg<tw_u32x4>(src)); }

// Copies `bytes` bytes and clears the rest of `size`; all or nothing is the usual case and costs one access
// each way.
template <class T> TW_DEV void tw_copy_fill_(u32 dst, const void* src, u32 bytes) {
  T value = {};
  if (bytes == sizeof(T)) {
    value = tw_ldg<T>(src);
  } else {
    for (u32 i = 0; i < bytes; i++) ((u8*)&value)[i] = ((const u8*)src)[i];
  }
  tw_sts<T>(dst, value);
}

TW_DEV void tw_cp_async_4_zfill(u32 dst, const void* src, u32 bytes) { tw_copy_fill_<u32>(dst, src, bytes); }

TW_DEV void tw_cp_async_8_zfill(u32 dst, const void* src, u32 bytes) {
  tw_copy_fill_<tw_u32x2>(dst, src, bytes);
}

TW_DEV void tw_cp_async_16_zfill(u32 dst, const void* src, u32 bytes) {
  tw_copy_fill_<tw_u32x4>(dst, src, bytes);
}

TW_DEV void tw_cp_async_commit() {}

template <int N> TW_DEV void tw_cp_async_wait() {}
