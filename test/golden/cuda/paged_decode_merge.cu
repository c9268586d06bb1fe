// paged_decode_merge for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BN=16 BS=32 LEAST=3 GP=4 BJ=4 stages=1 warps=1
// dims fixed: D=128
// dims divisible: P%4 HKV%2 G%4
// 32 threads in 1 warps of 32, 0 bytes of shared memory

TW_KERNEL(32) paged_decode_merge(
    const f32* partial, const f32* lse, const i32* lens, tw_bf16* o, i32 P, i32 HKV, i32 G, i32 S,
    i32 window) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const i32 programs = P - S;
  const i64 lens_at = (i64)pid2;
  i32 lens_tile;
  lens_tile = tw_ldg_nc<i32>(lens + lens_at);
  const bool t = window > 0;
  const i32 blocks = ((lens_tile + 15) >> 4) - ((t ? tw_max_i32(lens_tile - window, 0) : 0) >> 4);
  i32 length = 0;
  const i64 lens_at_1 = (i64)lane;
  for (i32 i = 0; i < S; i += 32) {
    const i32 left = S - i;
    const i64 lens_at_2 = lens_at_1 + (i64)i;
    const bool lens_in = lane < left;
    i32 lens_tile_1;
    lens_tile_1 = lens_in ? tw_ldg_nc<i32>(lens + lens_at_2) : 0;
    i32 sum = ((lens_tile_1 + 15) >> 4) - ((t ? tw_max_i32(lens_tile_1 - window, 0) : 0) >> 4);
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
    const i32 left_1 = bound - i_1;
    const i64 lens_at_3 = lens_at_1 + (i64)i_1;
    const bool lens_in_1 = lane < left_1;
    i32 lens_tile_2;
    lens_tile_2 = lens_in_1 ? tw_ldg_nc<i32>(lens + lens_at_3) : 0;
    i32 sum_1 = ((lens_tile_2 + 15) >> 4) - ((t ? tw_max_i32(lens_tile_2 - window, 0) : 0) >> 4);
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
  const bool t_1 = (S > 1 ? tw_floormod_i32(programs, tw_max_i32(S, 1)) : 1) == 0;
  const bool isSpread = t_1 && programs <= 2047 && length <= 1048576;
  const i32 shares = tw_max_i32(tw_min_i32(programs, tw_floordiv_i32(length, 3)), 1);
  const i32 each = tw_floordiv_i32(length, shares);
  const i32 longer = length - each * shares;
  const i32 t_2 = each + 1;
  const i32 edge = longer * t_2;
  const i32 t_3 = tw_max_i32(each, 1);
  const i32 first = before < edge ? tw_floordiv_i32(before, t_2) : longer + tw_floordiv_i32(before - edge, t_3);
  const i32 t_4 = tw_max_i32(length, 1);
  const i32 t_5 = isSpread ? tw_floordiv_i32((before + 1) * shares - 1, t_4) : first;
  const i32 first_1 = pid2 + t_5;
  const bool t_6 = blocks > 0;
  i32 end;
  if (t_6) {
    const i32 t_7 = before + blocks - 1;
    const i32 first_2 = t_7 < edge ? tw_floordiv_i32(t_7, t_2) : longer + tw_floordiv_i32(t_7 - edge, t_3);
    const i32 t_8 = isSpread ? tw_floordiv_i32((t_7 + 1) * shares - 1, t_4) : first_2;
    end = pid2 + t_8 + 1;
  } else {
    end = first_1;
  }
  const i32 g = pid0 * 4;
  f32 l[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    l[r] = 0.0f;
  }
  f32 acc[16];
  #pragma unroll
  for (i32 r = 0; r < 16; ++r) {
    acc[r] = 0.0f;
  }
  f32 m[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    m[r] = -1e+30f;
  }
  const i32 stride = G * HKV;
  const i32 bound_1 = tw_min_i32(end, P);
  const i32 left_2 = G - g;
  const i64 lse_at = (i64)pid1 * (i64)G + (i64)g;
  const bool lse_in = pid1 < HKV && 0 < left_2;
  const i32 bound_2 = tw_max_i32(bound_1, 0);
  const i32 stride_1 = G * 128 * HKV;
  const i32 stride_2 = G * 128;
  const i32 t_D = lane * 4;
  const i64 partial_at = (i64)pid1 * (i64)stride_2 + (i64)g * 128ll + (i64)t_D;
  const bool partial_in = pid1 < HKV;
  const i32 j_end = end;
  for (i32 j = first_1; j < j_end; j += 4) {
    const i64 lse_at_1 = lse_at + (i64)j * (i64)stride;
    f32 x[16];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      const tw_f32x4 x_vec = lse_in && (u32)(j + r) < (u32)bound_2 ? tw_ldg_nc<tw_f32x4>(lse + (lse_at_1 + (i64)(r * stride))) : tw_f32x4{tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u), tw_bits_f32(0xff800000u)};
      x[r * 4] = x_vec.x; x[r * 4 + 1] = x_vec.y; x[r * 4 + 2] = x_vec.z; x[r * 4 + 3] = x_vec.w;
    }
    const i64 partial_at_1 = partial_at + (i64)j * (i64)stride_1;
    f32 part[64];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        const tw_f32x4 part_vec = partial_in && (u32)(j + r) < (u32)bound_2 && k < left_2 ? tw_ldg_nc<tw_f32x4>(partial + (partial_at_1 + (i64)(r * stride_1 + k * 128))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
        part[r * 16 + k * 4] = part_vec.x; part[r * 16 + k * 4 + 1] = part_vec.y;
        part[r * 16 + k * 4 + 2] = part_vec.z; part[r * 16 + k * 4 + 3] = part_vec.w;
      }
    }
    f32 most[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      most[r] = tw_bits_f32(0xff800000u);
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        most[k] = tw_max(most[k], x[r * 4 + k]);
      }
    }
    f32 next[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      next[r] = tw_max(m[r], most[r]);
    }
    f32 w[16];
    f32 alpha[4];
    f32 sum_2[4];
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        w[r * 4 + k] = tw_exp2(x[r * 4 + k] - next[k]);
      }
      alpha[r] = tw_exp2(m[r] - next[r]);
      sum_2[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        sum_2[k] = sum_2[k] + w[r * 4 + k];
      }
    }
    f32 sum_3[16];
    #pragma unroll
    for (i32 r = 0; r < 16; ++r) {
      sum_3[r] = 0.0f;
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        #pragma unroll
        for (i32 n = 0; n < 4; ++n) {
          sum_3[k * 4 + n] = sum_3[k * 4 + n] + w[r * 4 + k] * part[r * 16 + k * 4 + n];
        }
      }
    }
    #pragma unroll
    for (i32 r = 0; r < 4; ++r) {
      l[r] = l[r] * alpha[r] + sum_2[r];
      #pragma unroll
      for (i32 k = 0; k < 4; ++k) {
        acc[r * 4 + k] = acc[r * 4 + k] * alpha[r] + sum_3[r * 4 + k];
      }
      m[r] = next[r];
    }
  }
  f32 t_9[4];
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    t_9[r] = tw_max(l[r], 1e-30f);
  }
  const i64 o_at = (i64)pid2 * (i64)stride_1 + (i64)pid1 * (i64)stride_2 + (i64)g * 128ll + (i64)t_D;
  const bool o_in = pid2 < S && pid1 < HKV;
  #pragma unroll
  for (i32 r = 0; r < 4; ++r) {
    tw_bf16 o_tile[4];
    #pragma unroll
    for (i32 k = 0; k < 4; ++k) {
      o_tile[k] = tw_f32_to_bf16(acc[r * 4 + k] / t_9[r]);
    }
    if (o_in && r < left_2) {
      tw_stg<tw_u32x2>(o + (o_at + (i64)(r * 128)), tw_u32x2{
          tw_pack_u16x2(o_tile[0], o_tile[1]), tw_pack_u16x2(o_tile[2], o_tile[3])});
    }
  }
}
