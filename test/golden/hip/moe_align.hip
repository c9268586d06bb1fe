// moe_align for hip gfx90a, made by tilewright
// config: BS=32 BC=16 BB=16 alone=false
// dims fixed: E=32 BM=16
// dims divisible: S%4 C%2 PB%4
// 128 threads in 2 warps of 64, 2240 bytes of shared memory
//       0 … 256: t9_parts i32[64]
//     256 … 512: t20_parts i32[64]
//     512 … 768: t58_parts i32[64]
//     768 … 1024: isOf_parts i32[64]
//    1024 … 1152: t9_convert i32[32]
//    1152 … 1280: t20_convert i32[32]
//    1280 … 1408: blocks_convert i32[32]
//    1408 … 1536: end_convert i32[32]
//    1536 … 1664: filled_parts i32[32]
//    1664 … 1792: isOf_parts_2 i32[32]
//    1792 … 1920: t111_parts i32[32]
//    1920 … 1984: isOf_convert i32[16]
//    2048 … 2112: t111_convert i32[16]
//    2176 … 2240: filled_convert i32[16]

TW_KERNEL(128) moe_align(
    const i32* ids, const i32* counts, i32* rows, i32* expertOf, i32 S, i32 C, i32 PB) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 programs0 = tw_nbid_x();
  const u32 smem = tw_smem_dyn();
  const u32 t9_parts = smem;
  tw_label(t9_parts, 256u, "t9_parts");
  const u32 t9_convert = smem + 1024u;
  tw_label(t9_convert, 128u, "t9_convert");
  const u32 t20_parts = smem + 256u;
  tw_label(t20_parts, 256u, "t20_parts");
  const u32 t20_convert = smem + 1152u;
  tw_label(t20_convert, 128u, "t20_convert");
  const u32 blocks_convert = smem + 1280u;
  tw_label(blocks_convert, 128u, "blocks_convert");
  const u32 end_convert = smem + 1408u;
  tw_label(end_convert, 128u, "end_convert");
  const u32 t58_parts = smem + 512u;
  tw_label(t58_parts, 256u, "t58_parts");
  const u32 isOf_parts = smem + 768u;
  tw_label(isOf_parts, 256u, "isOf_parts");
  const u32 filled_parts = smem + 1536u;
  tw_label(filled_parts, 128u, "filled_parts");
  const u32 isOf_parts_2 = smem + 1664u;
  tw_label(isOf_parts_2, 128u, "isOf_parts_2");
  const u32 isOf_convert = smem + 1920u;
  tw_label(isOf_convert, 64u, "isOf_convert");
  const u32 t111_parts = smem + 1792u;
  tw_label(t111_parts, 128u, "t111_parts");
  const u32 t111_convert = smem + 2048u;
  tw_label(t111_convert, 64u, "t111_convert");
  const u32 filled_convert = smem + 2176u;
  tw_label(filled_convert, 64u, "filled_convert");
  const i32 t_BC = thread >> 3;
  i32 total[8];
  i32 before[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    total[r] = 0;
    before[r] = 0;
  }
  const i32 t_E = (lane & 7) * 4;
  const i32 counts_at = t_BC * 32 + t_E;
  const i64 counts_at_1 = (i64)counts_at;
  const bool is_first = (lane >> 3) == 0;
  const i32 part_at = warp * 32 + t_E;
  const bool is_first_1 = thread < 8;
  const i32 t9_convert_at = thread >> 5;
  for (i32 c = 0; c < C; c += 16) {
    const i32 left = C - c;
    const i64 counts_at_2 = counts_at_1 + (i64)c * 32ll;
    const bool counts_in = t_BC < left;
    i32 part[4];
    const tw_i32x4 part_vec = counts_in ? tw_ldg_nc<tw_i32x4>(counts + counts_at_2) : tw_i32x4{0, 0, 0, 0};
    part[0] = part_vec.x; part[1] = part_vec.y; part[2] = part_vec.z; part[3] = part_vec.w;
    i32 sum[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum[r] = part[r];
    }
    i32 other;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      other = tw_shfl_xor<i32>(sum[r], 8);
      sum[r] = sum[r] + other;
      other = tw_shfl_xor<i32>(sum[r], 16);
      sum[r] = sum[r] + other;
      other = tw_shfl_xor<i32>(sum[r], 32);
      sum[r] = sum[r] + other;
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<i32>(t9_parts + (u32)(part_at + r) * 4u, sum[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum[r] = tw_lds<i32>(t9_parts + (u32)(t_E + r) * 4u);
      i32 other_1;
      other_1 = tw_lds<i32>(t9_parts + (u32)(t_E + r + 32) * 4u);
      sum[r] = sum[r] + other_1;
    }
    if (is_first_1) {
      tw_sts<tw_i32x4>(t9_convert + (u32)t_E * 4u, tw_i32x4{sum[0], sum[1], sum[2], sum[3]});
    }
    tw_syncthreads();
    i32 t[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t[r] = tw_lds<i32>(t9_convert + (u32)(t9_convert_at + r * 4) * 4u);
    }
    const bool t_1 = c + t_BC < pid0;
    i32 sum_1[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1[r] = t_1 ? part[r] : 0;
    }
    i32 other_2;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      other_2 = tw_shfl_xor<i32>(sum_1[r], 8);
      sum_1[r] = sum_1[r] + other_2;
      other_2 = tw_shfl_xor<i32>(sum_1[r], 16);
      sum_1[r] = sum_1[r] + other_2;
      other_2 = tw_shfl_xor<i32>(sum_1[r], 32);
      sum_1[r] = sum_1[r] + other_2;
    }
    if (is_first) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<i32>(t20_parts + (u32)(part_at + r) * 4u, sum_1[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_1[r] = tw_lds<i32>(t20_parts + (u32)(t_E + r) * 4u);
      i32 other_3;
      other_3 = tw_lds<i32>(t20_parts + (u32)(t_E + r + 32) * 4u);
      sum_1[r] = sum_1[r] + other_3;
    }
    if (is_first_1) {
      tw_sts<tw_i32x4>(
          t20_convert + (u32)t_E * 4u, tw_i32x4{sum_1[0], sum_1[1], sum_1[2], sum_1[3]});
    }
    tw_syncthreads();
    i32 t_2[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      t_2[r] = tw_lds<i32>(t20_convert + (u32)(t9_convert_at + r * 4) * 4u);
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      total[r] = total[r] + t[r];
      before[r] = before[r] + t_2[r];
    }
  }
  i32 blocks[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    blocks[r] = (total[r] + 15) >> 4;
  }
  const bool is_first_2 = (lane & 31) == 0;
  if (is_first_2) {
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      tw_sts<i32>(blocks_convert + (u32)(t9_convert_at + r * 4) * 4u, blocks[r]);
    }
  }
  tw_syncthreads();
  i32 blocks_1;
  const i32 blocks_convert_at = lane & 31;
  blocks_1 = tw_lds<i32>(blocks_convert + (u32)blocks_convert_at * 4u);
  i32 end = blocks_1;
  i32 before_1;
  i32 total_1;
  i32 other_4;
  total_1 = end;
  other_4 = tw_shfl_idx<i32>(total_1, blocks_convert_at >= 1 ? lane - 1 : lane);
  total_1 = blocks_convert_at >= 1 ? other_4 + total_1 : total_1;
  other_4 = tw_shfl_idx<i32>(total_1, blocks_convert_at >= 2 ? lane - 2 : lane);
  total_1 = blocks_convert_at >= 2 ? other_4 + total_1 : total_1;
  other_4 = tw_shfl_idx<i32>(total_1, blocks_convert_at >= 4 ? lane - 4 : lane);
  total_1 = blocks_convert_at >= 4 ? other_4 + total_1 : total_1;
  other_4 = tw_shfl_idx<i32>(total_1, blocks_convert_at >= 8 ? lane - 8 : lane);
  total_1 = blocks_convert_at >= 8 ? other_4 + total_1 : total_1;
  other_4 = tw_shfl_idx<i32>(total_1, blocks_convert_at >= 16 ? lane - 16 : lane);
  total_1 = blocks_convert_at >= 16 ? other_4 + total_1 : total_1;
  other_4 = tw_shfl_idx<i32>(total_1, blocks_convert_at >= 1 ? lane - 1 : lane);
  before_1 = blocks_convert_at == 0 ? 0 : other_4;
  end = before_1 + end;
  const bool is_first_3 = thread < 32;
  if (is_first_3) {
    tw_sts<i32>(end_convert + (u32)blocks_convert_at * 4u, end);
  }
  tw_syncthreads();
  i32 end_1[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    end_1[r] = tw_lds<i32>(end_convert + (u32)(t9_convert_at + r * 4) * 4u);
  }
  i32 start[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    start[r] = end_1[r] - blocks[r];
  }
  const i32 share = tw_floordiv_i32(S + (C - 1), C);
  const i32 t_3 = pid0 * share;
  const i32 last = tw_min_i32(t_3 + share, S);
  i32 next[8];
  #pragma unroll
  for (i32 r = 0; r < 8; ++r) {
    next[r] = start[r] * 16 + before[r];
  }
  const i32 bound = tw_max_i32(last, 0);
  const i64 ids_at = (i64)blocks_convert_at;
  const bool is_first_4 = (lane >> 5) == 0;
  const i32 part_at_1 = warp * 32 + blocks_convert_at;
  for (i32 s = t_3; s < last; s += 32) {
    const i32 position = s + blocks_convert_at;
    const i64 ids_at_1 = ids_at + (i64)s;
    const bool ids_in = (u32)position < (u32)bound;
    i32 id;
    id = ids_in ? tw_ldg_nc<i32>(ids + ids_at_1) : -1;
    bool isOf[8];
    i32 t_4[8];
    i32 rank[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      isOf[r] = id == t9_convert_at + r * 4;
      t_4[r] = isOf[r] ? 1 : 0;
      rank[r] = t_4[r];
    }
    i32 before_2[8];
    i32 total_2;
    i32 other_5;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      total_2 = rank[r];
      other_5 = tw_shfl_idx<i32>(total_2, blocks_convert_at >= 1 ? lane - 1 : lane);
      total_2 = blocks_convert_at >= 1 ? other_5 + total_2 : total_2;
      other_5 = tw_shfl_idx<i32>(total_2, blocks_convert_at >= 2 ? lane - 2 : lane);
      total_2 = blocks_convert_at >= 2 ? other_5 + total_2 : total_2;
      other_5 = tw_shfl_idx<i32>(total_2, blocks_convert_at >= 4 ? lane - 4 : lane);
      total_2 = blocks_convert_at >= 4 ? other_5 + total_2 : total_2;
      other_5 = tw_shfl_idx<i32>(total_2, blocks_convert_at >= 8 ? lane - 8 : lane);
      total_2 = blocks_convert_at >= 8 ? other_5 + total_2 : total_2;
      other_5 = tw_shfl_idx<i32>(total_2, blocks_convert_at >= 16 ? lane - 16 : lane);
      total_2 = blocks_convert_at >= 16 ? other_5 + total_2 : total_2;
      other_5 = tw_shfl_idx<i32>(total_2, blocks_convert_at >= 1 ? lane - 1 : lane);
      before_2[r] = blocks_convert_at == 0 ? 0 : other_5;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      rank[r] = before_2[r] + rank[r];
    }
    i32 sum_2 = 0;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum_2 = sum_2 + (isOf[r] ? next[r] + rank[r] : 0);
    }
    i32 other_6;
    other_6 = tw_shfl_xor<i32>(sum_2, 32);
    sum_2 = sum_2 + other_6;
    if (is_first_4) {
      tw_sts<i32>(t58_parts + (u32)part_at_1 * 4u, sum_2);
    }
    tw_syncthreads();
    sum_2 = tw_lds<i32>(t58_parts + (u32)blocks_convert_at * 4u);
    i32 other_7;
    other_7 = tw_lds<i32>(t58_parts + (u32)(blocks_convert_at + 32) * 4u);
    sum_2 = sum_2 + other_7;
    i32 isOf_1 = -2147483647 - 1;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      isOf_1 = tw_max_i32(isOf_1, t_4[r]);
    }
    i32 other_8;
    other_8 = tw_shfl_xor<i32>(isOf_1, 32);
    isOf_1 = tw_max_i32(isOf_1, other_8);
    if (is_first_4) {
      tw_sts<i32>(isOf_parts + (u32)part_at_1 * 4u, isOf_1);
    }
    tw_syncthreads();
    isOf_1 = tw_lds<i32>(isOf_parts + (u32)blocks_convert_at * 4u);
    i32 other_9;
    other_9 = tw_lds<i32>(isOf_parts + (u32)(blocks_convert_at + 32) * 4u);
    isOf_1 = tw_max_i32(isOf_1, other_9);
    const i32 at = isOf_1 != 0 ? sum_2 - 1 : -1;
    const i32 t_5 = at >> 4;
    const i32 t_6 = at < 0 ? -1 : at & 15;
    const i64 rows_at = (i64)t_5 * 16ll + (i64)t_6;
    const bool rows_in = (u32)t_5 < (u32)PB && (u32)t_6 < 16u;
    if (is_first_3) {
      if (rows_in) {
        tw_stg<i32>(rows + rows_at, position);
      }
    }
    i32 sum_3[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      sum_3[r] = t_4[r];
    }
    i32 other_10;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      other_10 = tw_shfl_xor<i32>(sum_3[r], 1);
      sum_3[r] = sum_3[r] + other_10;
      other_10 = tw_shfl_xor<i32>(sum_3[r], 2);
      sum_3[r] = sum_3[r] + other_10;
      other_10 = tw_shfl_xor<i32>(sum_3[r], 4);
      sum_3[r] = sum_3[r] + other_10;
      other_10 = tw_shfl_xor<i32>(sum_3[r], 8);
      sum_3[r] = sum_3[r] + other_10;
      other_10 = tw_shfl_xor<i32>(sum_3[r], 16);
      sum_3[r] = sum_3[r] + other_10;
    }
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      next[r] = next[r] + sum_3[r];
    }
  }
  const i32 t_BM = lane & 15;
  const i32 t_7 = pid0 * 16;
  const i32 t_8 = programs0 * 16;
  const bool is_first_5 = lane == 0;
  const i32 part_at_2 = warp * 16;
  const bool is_first_6 = thread == 0;
  const i64 expertOf_at = (i64)t_BM;
  const bool is_first_7 = thread < 16;
  const i32 filled_convert_at = thread >> 4;
  const i32 rows_at_1 = filled_convert_at * 16 + t_BM;
  const i64 rows_at_2 = (i64)rows_at_1;
  const i32 rows_tile = -1;
  for (i32 b = t_7; b < PB; b += t_8) {
    bool isOf_2[128];
    i32 filled[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      const i32 block = b + r;
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        isOf_2[r * 8 + i] = block >= start[i] && block < end_1[i];
      }
      filled[r] = 0;
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        filled[r] = filled[r] + (isOf_2[r * 8 + i] ? total[i] - (block - start[i]) * 16 : 0);
      }
    }
    i32 other_11;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      other_11 = tw_shfl_xor<i32>(filled[r], 32);
      filled[r] = filled[r] + other_11;
    }
    if (is_first_5) {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        tw_sts<i32>(filled_parts + (u32)(part_at_2 + r) * 4u, filled[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      filled[r] = tw_lds<i32>(filled_parts + (u32)r * 4u);
      i32 other_12;
      other_12 = tw_lds<i32>(filled_parts + (u32)(r + 16) * 4u);
      filled[r] = filled[r] + other_12;
    }
    i32 isOf_3[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      isOf_3[r] = -2147483647 - 1;
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        isOf_3[r] = tw_max_i32(isOf_3[r], isOf_2[r * 8 + i] ? 1 : 0);
      }
    }
    i32 other_13;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      other_13 = tw_shfl_xor<i32>(isOf_3[r], 32);
      isOf_3[r] = tw_max_i32(isOf_3[r], other_13);
    }
    if (is_first_5) {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        tw_sts<i32>(isOf_parts_2 + (u32)(part_at_2 + r) * 4u, isOf_3[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      isOf_3[r] = tw_lds<i32>(isOf_parts_2 + (u32)r * 4u);
      i32 other_14;
      other_14 = tw_lds<i32>(isOf_parts_2 + (u32)(r + 16) * 4u);
      isOf_3[r] = tw_max_i32(isOf_3[r], other_14);
    }
    if (is_first_6) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<tw_i32x4>(isOf_convert + (u32)(r * 4) * 4u, tw_i32x4{
            isOf_3[r * 4], isOf_3[r * 4 + 1], isOf_3[r * 4 + 2], isOf_3[r * 4 + 3]});
      }
    }
    tw_syncthreads();
    i32 isOf_4;
    isOf_4 = tw_lds<i32>(isOf_convert + (u32)t_BM * 4u);
    i32 sum_4[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      sum_4[r] = 0;
      #pragma unroll
      for (i32 i = 0; i < 8; ++i) {
        sum_4[r] = sum_4[r] + (isOf_2[r * 8 + i] ? t9_convert_at + i * 4 : 0);
      }
    }
    i32 other_15;
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      other_15 = tw_shfl_xor<i32>(sum_4[r], 32);
      sum_4[r] = sum_4[r] + other_15;
    }
    if (is_first_5) {
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        tw_sts<i32>(t111_parts + (u32)(part_at_2 + r) * 4u, sum_4[r]);
      }
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      sum_4[r] = tw_lds<i32>(t111_parts + (u32)r * 4u);
      i32 other_16;
      other_16 = tw_lds<i32>(t111_parts + (u32)(r + 16) * 4u);
      sum_4[r] = sum_4[r] + other_16;
    }
    if (is_first_6) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<tw_i32x4>(t111_convert + (u32)(r * 4) * 4u, tw_i32x4{
            sum_4[r * 4], sum_4[r * 4 + 1], sum_4[r * 4 + 2], sum_4[r * 4 + 3]});
      }
    }
    tw_syncthreads();
    i32 t_9;
    t_9 = tw_lds<i32>(t111_convert + (u32)t_BM * 4u);
    const i32 left_1 = PB - b;
    const i64 expertOf_at_1 = expertOf_at + (i64)b;
    const bool expertOf_in = t_BM < left_1;
    if (is_first_7) {
      const i32 expertOf_tile = isOf_4 != 0 ? t_9 : -1;
      if (expertOf_in) {
        tw_stg<i32>(expertOf + expertOf_at_1, expertOf_tile);
      }
    }
    if (is_first_6) {
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_sts<tw_i32x4>(filled_convert + (u32)(r * 4) * 4u, tw_i32x4{
            filled[r * 4], filled[r * 4 + 1], filled[r * 4 + 2], filled[r * 4 + 3]});
      }
    }
    tw_syncthreads();
    i32 filled_1[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      filled_1[r] = tw_lds<i32>(filled_convert + (u32)(filled_convert_at + r * 8) * 4u);
    }
    const i64 rows_at_3 = rows_at_2 + (i64)b * 16ll;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const bool mask = t_BM >= filled_1[r];
      if (filled_convert_at + r * 8 < left_1 && mask) {
        tw_stg<i32>(rows + (rows_at_3 + (i64)(r * 128)), rows_tile);
      }
    }
  }
}
