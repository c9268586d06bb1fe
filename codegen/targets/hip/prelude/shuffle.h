/** [codegen/targets/hip] Exchange of registers within a wave: shuffles and votes. All lanes take part. */

template <class T> TW_DEV T tw_shfl_idx(T value, i32 lane) {
  i32 bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __builtin_amdgcn_ds_bpermute((lane & (TW_WARP - 1)) << 2, bits);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T> TW_DEV T tw_shfl_xor(T value, i32 mask) { return tw_shfl_idx(value, tw_lane() ^ mask); }

template <class T> TW_DEV T tw_shfl_up(T value, i32 delta) {
  const i32 lane = tw_lane();
  return tw_shfl_idx(value, lane >= delta ? lane - delta : lane);
}

template <class T> TW_DEV T tw_shfl_down(T value, i32 delta) {
  const i32 lane = tw_lane();
  return tw_shfl_idx(value, lane + delta < TW_WARP ? lane + delta : lane);
}

TW_DEV u64 tw_ballot(bool p) {
#if __has_builtin(__builtin_amdgcn_ballot_w64)
  return __builtin_amdgcn_ballot_w64(p);
#else
  return __builtin_amdgcn_uicmp((u32)p, 0u, 33);  // 33: not equal
#endif
}

TW_DEV bool tw_any(bool p) { return tw_ballot(p) != 0; }

TW_DEV bool tw_all(bool p) { return tw_ballot(!p) == 0; }
