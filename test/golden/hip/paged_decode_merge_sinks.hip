// paged_decode_merge_sinks for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BN=16 BS=32 LEAST=3 GP=2 BJ=8 stages=1
// dims fixed: D=128
// dims divisible: P%4 HKV%2 G%4
// 256 threads in 4 warps of 64, 4256 bytes of shared memory
//       0 … 4096: t132_parts f32[1024]
//    4096 … 4128: t118_parts f32[8]
//    4224 … 4256: t126_parts f32[8]

TW_KERNEL(256) paged_decode_merge_sinks(
    const f32* partial, const f32* lse, const i32* lens, tw_bf16* o, const tw_bf16* sinks, i32 P,
    i32 HKV, i32 G, i32 S, i32 window) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 warp = tw_warp();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const u32 smem = tw_smem_dyn();
  const u32 t118_parts = smem + 4096u;
  tw_label(t118_parts, 32u, "t118_parts");
  const u32 t126_parts = smem + 4224u;
  tw_label(t126_parts, 32u, "t126_parts");
  const u32 t132_parts = smem;
  tw_label(t132_parts, 4096u, "t132_parts");
  const i32 t = pid0 * 2;
  const i32 t_GP = lane >> 5;
  const i32 left = G - t;
  const i64 sinks_at = (i64)pid1 * (i64)G + (i64)t + (i64)t_GP;
  const bool sinks_in = pid1 < HKV && t_GP < left;
  tw_bf16 sinks_tile;
  sinks_tile = sinks_in ? tw_ldg_nc<u16>(sinks + sinks_at) : (u16)0;
  const i64 lens_at = (i64)pid2;
  i32 lens_tile;
  lens_tile = tw_ldg_nc<i32>(lens + lens_at);
  const bool t_1 = window > 0;
  const i32 blocks = ((lens_tile + 15) >> 4) - ((t_1 ? tw_max_i32(lens_tile - window, 0) : 0) >> 4);
  i32 length = 0;
  const i32 t_BS = lane & 31;
  const i64 lens_at_1 = (i64)t_BS;
  for (i32 i = 0; i < S; i += 32) {
    const i32 left_1 = S - i;
    const i64 lens_at_2 = lens_at_1 + (i64)i;
    const bool lens_in = t_BS < left_1;
    i32 lens_tile_1;
    lens_tile_1 = lens_in ? tw_ldg_nc<i32>(lens + lens_at_2) : 0;
    i32 sum = ((lens_tile_1 + 15) >> 4) - ((t_1 ? tw_max_i32(lens_tile_1 - window, 0) : 0) >> 4);
    i32 other;
    other = tw_shfl_xor<i32>(sum, 1);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 2);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 4);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 8);
    sum = sum + other;
    other = tw_shfl_xor<i32>(sum, 16);
    sum = sum + other;
    length = length + sum;
  }
  i32 before = 0;
  const i32 bound = tw_min_i32(pid2, S);
  for (i32 i_1 = 0; i_1 < pid2; i_1 += 32) {
    const i32 left_2 = bound - i_1;
    const i64 lens_at_3 = lens_at_1 + (i64)i_1;
    const bool lens_in_1 = t_BS < left_2;
    i32 lens_tile_2;
    lens_tile_2 = lens_in_1 ? tw_ldg_nc<i32>(lens + lens_at_3) : 0;
    i32 sum_1 = ((lens_tile_2 + 15) >> 4) - ((t_1 ? tw_max_i32(lens_tile_2 - window, 0) : 0) >> 4);
    i32 other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 1);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 2);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 4);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 8);
    sum_1 = sum_1 + other_1;
    other_1 = tw_shfl_xor<i32>(sum_1, 16);
    sum_1 = sum_1 + other_1;
    before = before + sum_1;
  }
  const i32 shares = tw_max_i32(tw_min_i32(P - S, tw_floordiv_i32(length, 3)), 1);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 longer = length - each * shares;
  const i32 t_2 = each + 1;
  const i32 edge = longer * t_2;
  const i32 t_3 = tw_max_i32(each, 1);
  const i32 t_4 = before < edge ? tw_floordiv_i32(before, t_2) : longer + tw_floordiv_i32(before - edge, t_3);
  const i32 first = pid2 + t_4;
  const bool t_5 = blocks > 0;
  i32 end;
  if (t_5) {
    const i32 t_6 = before + blocks - 1;
    const i32 t_7 = t_6 < edge ? tw_floordiv_i32(t_6, t_2) : longer + tw_floordiv_i32(t_6 - edge, t_3);
    end = pid2 + t_7 + 1;
  } else {
    end = first;
  }
  f32 l = 1.0f;
  f32 acc[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    acc[r] = 0.0f;
  }
  f32 m = 0.0f + tw_bf16_to_f32(sinks_tile) * 1.442695f;
  const i32 stride = G * HKV;
  const i32 bound_1 = tw_min_i32(end, P);
  const i32 lse_at = warp * stride + t_GP;
  const i64 lse_at_1 = (i64)pid1 * (i64)G + (i64)t + (i64)lse_at;
  const i32 bound_2 = tw_max_i32(bound_1, 0);
  const i32 stride_1 = G * 128 * HKV;
  const i32 stride_2 = G * 128;
  const i32 t_D = (lane & 31) * 4;
  const i32 partial_at = warp * stride_1 + t_GP * 128 + t_D;
  const i64 partial_at_1 = (i64)pid1 * (i64)stride_2 + (i64)t * 128ll + (i64)partial_at;
  const bool is_first = (lane & 31) == 0;
  const i32 part_at = warp * 2 + t_GP;
  const i32 element = t_GP * 128 + t_D;
  const i32 part_at_1 = warp * 256 + element;
  const i32 j_end = end;
  for (i32 j = first; j < j_end; j += 8) {
    const i64 lse_at_2 = lse_at_1 + (i64)j * (i64)stride;
    f32 x[2];
    const i32 position = j + warp;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      x[r] = sinks_in && (u32)(position + r * 4) < (u32)bound_2 ? tw_ldg_nc<f32>(lse + (lse_at_2 + (i64)(r * 4 * stride))) : tw_bits_f32(0xff800000u);
    }
    const i64 partial_at_2 = partial_at_1 + (i64)j * (i64)stride_1;
    f32 part[8];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      const tw_f32x4 part_vec = sinks_in && (u32)(position + r * 4) < (u32)bound_2 ? tw_ldg_nc<tw_f32x4>(partial + (partial_at_2 + (i64)(r * 4 * stride_1))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      part[r * 4] = part_vec.x; part[r * 4 + 1] = part_vec.y; part[r * 4 + 2] = part_vec.z;
      part[r * 4 + 3] = part_vec.w;
    }
    f32 most = tw_bits_f32(0xff800000u);
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      most = tw_max(most, x[r]);
    }
    if (is_first) {
      tw_sts<f32>(t118_parts + (u32)part_at * 4u, most);
    }
    tw_syncthreads();
    most = tw_lds<f32>(t118_parts + (u32)t_GP * 4u);
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      f32 other_2;
      other_2 = tw_lds<f32>(t118_parts + (u32)(t_GP + r * 2) * 4u);
      most = tw_max(most, other_2);
    }
    const f32 next = tw_max(m, most);
    f32 w[2];
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      w[r] = tw_exp2(x[r] - next);
    }
    const f32 alpha = tw_exp2(m - next);
    f32 sum_2 = 0.0f;
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      sum_2 = sum_2 + w[r];
    }
    if (is_first) {
      tw_sts<f32>(t126_parts + (u32)part_at * 4u, sum_2);
    }
    tw_syncthreads();
    sum_2 = tw_lds<f32>(t126_parts + (u32)t_GP * 4u);
    #pragma unroll
    for (i32 r = 1; r < 4; ++r) {
      f32 other_3;
      other_3 = tw_lds<f32>(t126_parts + (u32)(t_GP + r * 2) * 4u);
      sum_2 = sum_2 + other_3;
    }
    f32 sum_3[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_3[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 2; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        sum_3[k] = sum_3[k] + w[r] * part[r * 4 + k];
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      tw_sts<f32>(t132_parts + (u32)(part_at_1 + r) * 4u, sum_3[r]);
    }
    tw_syncthreads();
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      sum_3[r] = tw_lds<f32>(t132_parts + (u32)(element + r) * 4u);
      #pragma unroll
      for (i32 k = 1; k < 4; ++k) {
        f32 other_4;
        other_4 = tw_lds<f32>(t132_parts + (u32)(element + r + k * 256) * 4u);
        sum_3[r] = sum_3[r] + other_4;
      }
    }
    l = l * alpha + sum_2;
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      acc[r] = acc[r] * alpha + sum_3[r];
    }
    m = next;
  }
  const f32 t_8 = tw_max(l, 1e-30f);
  const i64 o_at = (i64)pid2 * (i64)stride_1 + (i64)pid1 * (i64)stride_2 + (i64)t * 128ll + (i64)element;
  const bool o_in = pid2 < S && pid1 < HKV && t_GP < left;
  const bool is_first_1 = thread < 64;
  if (is_first_1) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      o_tile[r] = tw_f32_to_bf16(acc[r] / t_8);
    }
    if (o_in) {
      tw_stg<tw_u32x2>(o + o_at, tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
