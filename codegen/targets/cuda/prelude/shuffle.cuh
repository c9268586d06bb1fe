/** [codegen/targets/cuda] Exchange of registers within a warp: shuffles and votes. All 32 lanes take part. */

template <class T> TW_DEV T tw_shfl_xor(T value, i32 mask) {
  return (T)__shfl_xor_sync(0xffffffffu, value, mask);
}

template <class T> TW_DEV T tw_shfl_idx(T value, i32 lane) {
  return (T)__shfl_sync(0xffffffffu, value, lane);
}

template <class T> TW_DEV T tw_shfl_up(T value, i32 delta) {
  return (T)__shfl_up_sync(0xffffffffu, value, (u32)delta);
}

template <class T> TW_DEV T tw_shfl_down(T value, i32 delta) {
  return (T)__shfl_down_sync(0xffffffffu, value, (u32)delta);
}

TW_DEV bool tw_any(bool p) { return __any_sync(0xffffffffu, p) != 0; }

TW_DEV bool tw_all(bool p) { return __all_sync(0xffffffffu, p) != 0; }

TW_DEV u64 tw_ballot(bool p) { return __ballot_sync(0xffffffffu, p); }
