// moe_count for hip gfx90a, made by tilewright
// config: BS=32
// dims fixed: E=128
// dims divisible: S%8 C%2
// 256 threads in 4 warps of 64, 2560 bytes of shared memory
//       0 … 2048: t23_parts i32[512]
//    2048 … 2560: t23_convert i32[128]

TW_KERNEL(256) moe_count(const i32* ids, i32* counts, i32 S, i32 C) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t23_parts = smem;
  tw_label(t23_parts, 2048u, "t23_parts");
  const u32 t23_convert = smem + 2048u;
  tw_label(t23_convert, 512u, "t23_convert");
  const i32 share = tw_floordiv_i32(S + (C - 1), C);
  const i32 t = pid0 * share;
  const i32 end = tw_min_i32(t + share, S);
  const i32 t_E = (lane & 31) * 4;
  i32 found = 0;
  const i32 t_BS = thread >> 5;
  const i64 ids_at = (i64)t_BS;
  const i32 bound = tw_max_i32(end, 0);
  const bool is_first = (lane >> 5) == 0;
  const i32 part_at = warp * 128 + t_E;
  const bool is_first_1 = thread < 32;
  const i32 t23_convert_at = thread & 127;
  for (i32 s = t; s < end; s += 32) {
    const i64 ids_at_1 = ids_at + (i64)s;
    i32 id[4];
    const i32 position = s + t_BS;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      id[r] = (u32)(position + r * 8) < (u32)bound ? tw_ldg_nc<i32>(ids + (ids_at_1 + (i64)(r * 8))) : -1;
    }
    i32 sum[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum[r] = 0;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 i = 0; i < 4; ++i) {
        sum[i] = sum[i] + (id[r] == t_E + i ? 1 : 0);
      }
    }
    i32 other;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      other = tw_shfl_xor<i32>(sum[r], 32);
      sum[r] = sum[r] + other;
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<i32>(t23_parts + (u32)(part_at + r) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum[r] = tw_lds<i32>(t23_parts + (u32)(t_E + r) * 4u);
      #pragma unroll
      for (i32 i = 1; i < 4; ++i) {
        i32 other_1;
        other_1 = tw_lds<i32>(t23_parts + (u32)(t_E + r + i * 128) * 4u);
        sum[r] = sum[r] + other_1;
      }
    }
    if (is_first_1) {
      tw_sts<tw_i32x4>(t23_convert + (u32)t_E * 4u, tw_i32x4{sum[0], sum[1], sum[2], sum[3]});
    }
    tw_syncthreads();
    i32 t_1;
    t_1 = tw_lds<i32>(t23_convert + (u32)t23_convert_at * 4u);
    found = found + t_1;
  }
  const i64 counts_at = (i64)pid0 * 128ll + (i64)t23_convert_at;
  const bool counts_in = pid0 < C;
  const bool is_first_2 = thread < 128;
  if (is_first_2) {
    if (counts_in) {
      tw_stg<i32>(counts + counts_at, found);
    }
  }
}
