// ssd_scan for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BT=16
// dims fixed: P=32 NS=64
// dims divisible: N%8 C%16 W%8 H%2 NB%4 S%2 MAXB%2
// 64 threads in 1 warps of 64, 17728 bytes of shared memory
//       0 … 4096: c_shared f32[1024]
//       0 … 8192: carried_shared f32[2048]
//       0 … 2048: inputs_shared f32[512]
//       0 … 2048: t143_shared f32[512]
//    8192 … 12288: b_shared f32[1024]
//   12288 … 16384: t124_shared f32[1024]
//   16384 … 17408: t120_shared f32[256]
//   17408 … 17472: logTake_convert f32[16]
//   17536 … 17600: t93_convert f32[16]
//   17664 … 17728: weight_convert f32[16]

TW_KERNEL(64) ssd_scan(
    const tw_bf16* x, const tw_bf16* proj, const f32* heads, f32* state, const i32* table,
    const i32* queryStart, const i32* lens, tw_bf16* y, i32 N, i32 C, i32 W, i32 H, i32 NB, i32 S,
    i32 MAXB, i32 S1, i32 dtColumn, f32 dtMin, f32 dtMax) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const u32 smem = tw_smem_dyn();
  const u32 logTake_convert = smem + 17408u;
  tw_label(logTake_convert, 64u, "logTake_convert");
  const u32 t93_convert = smem + 17536u;
  tw_label(t93_convert, 64u, "t93_convert");
  const u32 c_shared = smem;
  tw_label(c_shared, 4096u, "c_shared");
  const u32 b_shared = smem + 8192u;
  tw_label(b_shared, 4096u, "b_shared");
  const u32 t120_shared = smem + 16384u;
  tw_label(t120_shared, 1024u, "t120_shared");
  const u32 inputs_shared = smem;
  tw_label(inputs_shared, 2048u, "inputs_shared");
  const u32 t124_shared = smem + 12288u;
  tw_label(t124_shared, 4096u, "t124_shared");
  const u32 carried_shared = smem;
  tw_label(carried_shared, 8192u, "carried_shared");
  const u32 weight_convert = smem + 17664u;
  tw_label(weight_convert, 64u, "weight_convert");
  const u32 t143_shared = smem;
  tw_label(t143_shared, 2048u, "t143_shared");
  const i64 queryStart_at = (i64)pid1;
  i32 start;
  start = tw_ldg_nc<i32>(queryStart + queryStart_at);
  const i32 t = pid1 + 1;
  const i64 queryStart_at_1 = (i64)t;
  i32 end;
  end = tw_ldg_nc<i32>(queryStart + queryStart_at_1);
  const bool t_1 = start < end;
  if (t_1) {
    const i64 table_at = (i64)pid1 * (i64)MAXB;
    i32 slot;
    slot = tw_ldg_nc<i32>(table + table_at);
    i32 lens_tile;
    lens_tile = tw_ldg_nc<i32>(lens + queryStart_at);
    const i64 heads_at = (i64)pid0;
    f32 heads_tile;
    heads_tile = tw_ldg_nc<f32>(heads + heads_at);
    const f32 a = -tw_exp(heads_tile);
    const i64 heads_at_1 = (i64)H * 2ll + (i64)pid0;
    f32 bias;
    bias = tw_ldg_nc<f32>(heads + heads_at_1);
    const i32 t_2 = H * 32;
    const i32 groups = (C - t_2) >> 7;
    const i32 bAt = t_2 + tw_floordiv_i32(pid0, tw_floordiv_i32(H, groups)) * 64;
    const i32 stride = H * 2048;
    const i32 t_P = (lane >> 3) & 3;
    const i32 t_NS = (lane >> 5) * 32 + (lane & 7) * 4;
    const i32 state_at = t_P * 64 + t_NS;
    const i64 state_at_1 = (i64)pid0 * 2048ll + (i64)slot * (i64)stride + (i64)state_at;
    const bool hasPast = lens_tile > end - start;
    const bool state_in = (u32)slot < (u32)NB && pid0 < H && hasPast;
    f32 state_tile[32];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      const tw_f32x4 state_tile_vec = state_in ? tw_ldg<tw_f32x4>(state + (state_at_1 + (i64)(r * 256))) : tw_f32x4{0.0f, 0.0f, 0.0f, 0.0f};
      state_tile[r * 4] = state_tile_vec.x; state_tile[r * 4 + 1] = state_tile_vec.y;
      state_tile[r * 4 + 2] = state_tile_vec.z; state_tile[r * 4 + 3] = state_tile_vec.w;
    }
    const i32 t_3 = dtColumn + pid0;
    const i32 t_BT = lane >> 3;
    const i32 t_J = (lane & 7) * 2;
    const i32 t_4 = pid0 * 32;
    const i32 t_5 = bAt + groups * 64;
    f32 carried[32];
    #pragma unroll
    for (i32 r = 0; r < 32; ++r) {
      carried[r] = 0.0f + state_tile[r];
    }
    const i32 bound = tw_min_i32(end, N);
    const i32 proj_at = t_BT * W;
    const i64 proj_at_1 = (i64)t_3 + (i64)proj_at;
    const bool proj_in = (u32)t_3 < (u32)W;
    const i32 bound_1 = tw_max_i32(bound, 0);
    const i32 proj_at_2 = t_J * W;
    const i64 proj_at_3 = (i64)t_3 + (i64)proj_at_2;
    const bool is_first = (lane & 7) == 0;
    const i32 logTake_convert_at = lane & 15;
    const i32 position = lane & 7;
    const i32 t_J_1 = lane >> 2;
    const i32 t_P_1 = (lane & 3) * 8;
    const i32 left = C - t_4;
    const i32 x_at = t_J_1 * C + t_P_1;
    const i64 x_at_1 = (i64)t_4 + (i64)x_at;
    const bool x_in = t_P_1 < left;
    const i32 t_NS_1 = (lane & 7) * 8;
    const i32 position_1 = bAt + t_NS_1;
    const i32 x_at_2 = t_BT * C + t_NS_1;
    const i64 x_at_3 = (i64)bAt + (i64)x_at_2;
    const bool x_in_1 = (u32)position_1 < (u32)C;
    const i32 position_2 = t_5 + t_NS_1;
    const i64 x_at_4 = (i64)t_5 + (i64)x_at_2;
    const bool x_in_2 = (u32)position_2 < (u32)C;
    const bool is_first_1 = thread < 16;
    const i32 c_shared_at = (lane & 7) * 8 + (lane >> 3) * 64;
    const i32 swizzled = c_shared_at ^ ((c_shared_at >> 5) & 28);
    const i32 c_shared_at_1 = (lane >> 3) * 64;
    const i32 b_shared_at = (lane & 7) * 128;
    const i32 swizzled_1 = b_shared_at ^ ((b_shared_at >> 5) & 28);
    const i32 t120_shared_at = (lane & 7) * 2 + (lane >> 3) * 16;
    const i32 inputs_shared_at = (lane & 3) * 8 + (lane >> 2) * 32;
    const i32 swizzled_2 = inputs_shared_at ^ ((inputs_shared_at >> 3) & 28);
    const i32 t120_shared_at_1 = ((lane >> 3) & 3) * 16;
    const i32 inputs_shared_at_1 = (lane & 7) * 2 + (lane >> 5) * 16;
    const i32 carried_shared_at = (lane & 7) * 4 + ((lane >> 3) & 3) * 64 + (lane >> 5) * 32;
    const i32 swizzled_3 = carried_shared_at ^ ((carried_shared_at >> 5) & 28);
    const i32 t124_shared_at = ((lane >> 3) & 3) * 64;
    const i32 carried_shared_at_1 = (lane & 7) * 128 + (lane >> 5) * 1024;
    const i32 swizzled_4 = carried_shared_at_1 ^ ((carried_shared_at_1 >> 5) & 28);
    const i32 t_P_2 = (lane >> 5) * 16 + (lane & 7) * 2;
    const i32 x_at_5 = t_P * C + t_P_2;
    const i64 x_at_6 = (i64)t_4 + (i64)x_at_5;
    const bool x_in_3 = t_P_2 < left;
    const i64 heads_at_2 = (i64)H + (i64)pid0;
    const i32 y_at = t_P * t_2 + t_P_2;
    const i64 y_at_1 = (i64)pid0 * 32ll + (i64)y_at;
    const bool y_in = pid0 < H;
    const bool is_first_2 = thread < 8;
    const i32 b_shared_at_1 = (lane & 7) * 4 + (lane >> 5) * 32;
    const i32 t0_end = end;
    for (i32 t0 = start; t0 < t0_end; t0 += 16) {
      const i64 proj_at_4 = proj_at_1 + (i64)t0 * (i64)W;
      tw_bf16 proj_tile[2];
      const i32 position_3 = t0 + t_BT;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        proj_tile[r] = proj_in && (u32)(position_3 + r * 8) < (u32)bound_1 ? tw_ldg_nc<u16>(proj + (proj_at_4 + (i64)(r * 8 * W))) : (u16)0;
      }
      f32 v[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        v[r] = tw_bf16_to_f32(proj_tile[r]) + bias;
      }
      const i64 proj_at_5 = proj_at_3 + (i64)t0 * (i64)W;
      tw_bf16 proj_tile_1[2];
      const i32 position_4 = t0 + t_J;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        proj_tile_1[r] = proj_in && (u32)(position_4 + r) < (u32)bound_1 ? tw_ldg_nc<u16>(proj + (proj_at_5 + (i64)(r * W))) : (u16)0;
      }
      f32 dtGive[2];
      f32 logTake[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 v_1 = tw_bf16_to_f32(proj_tile_1[r]) + bias;
        dtGive[r] = tw_min(tw_max(
            v_1 > 20.0f ? v_1 : tw_log(1.0f + tw_exp(tw_min(v_1, 20.0f))), dtMin), dtMax);
        logTake[r] = t0 + t_BT + r * 8 < end ? tw_min(tw_max(
            v[r] > 20.0f ? v[r] : tw_log(1.0f + tw_exp(tw_min(v[r], 20.0f))), dtMin), dtMax) * a : 0.0f;
      }
      if (is_first) {
        #pragma unroll
        for (i32 r = 0; r < 2; ++r) {
          tw_sts<f32>(logTake_convert + (u32)(t_BT + r * 8) * 4u, logTake[r]);
        }
      }
      tw_syncthreads();
      f32 logTake_1;
      logTake_1 = tw_lds<f32>(logTake_convert + (u32)logTake_convert_at * 4u);
      f32 scan_sum = logTake_1;
      f32 before;
      f32 total;
      f32 other;
      total = scan_sum;
      other = tw_shfl_idx<f32>(total, logTake_convert_at >= 1 ? lane - 1 : lane);
      total = logTake_convert_at >= 1 ? other + total : total;
      other = tw_shfl_idx<f32>(total, logTake_convert_at >= 2 ? lane - 2 : lane);
      total = logTake_convert_at >= 2 ? other + total : total;
      other = tw_shfl_idx<f32>(total, logTake_convert_at >= 4 ? lane - 4 : lane);
      total = logTake_convert_at >= 4 ? other + total : total;
      other = tw_shfl_idx<f32>(total, logTake_convert_at >= 8 ? lane - 8 : lane);
      total = logTake_convert_at >= 8 ? other + total : total;
      other = tw_shfl_idx<f32>(total, logTake_convert_at >= 1 ? lane - 1 : lane);
      before = logTake_convert_at == 0 ? 0.0f : other;
      scan_sum = before + scan_sum;
      f32 scan_sum_1[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        scan_sum_1[r] = t0 + t_J + r < end ? dtGive[r] * a : 0.0f;
      }
      scan_sum_1[1] = scan_sum_1[0] + scan_sum_1[1];
      f32 before_1;
      f32 total_1;
      f32 other_1;
      total_1 = scan_sum_1[1];
      other_1 = tw_shfl_idx<f32>(total_1, position >= 1 ? lane - 1 : lane);
      total_1 = position >= 1 ? other_1 + total_1 : total_1;
      other_1 = tw_shfl_idx<f32>(total_1, position >= 2 ? lane - 2 : lane);
      total_1 = position >= 2 ? other_1 + total_1 : total_1;
      other_1 = tw_shfl_idx<f32>(total_1, position >= 4 ? lane - 4 : lane);
      total_1 = position >= 4 ? other_1 + total_1 : total_1;
      other_1 = tw_shfl_idx<f32>(total_1, position >= 1 ? lane - 1 : lane);
      before_1 = position == 0 ? 0.0f : other_1;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        scan_sum_1[r] = before_1 + scan_sum_1[r];
      }
      f32 whole = 0.0f;
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        whole = whole + logTake[r];
      }
      f32 other_2;
      other_2 = tw_shfl_xor<f32>(whole, 8);
      whole = whole + other_2;
      other_2 = tw_shfl_xor<f32>(whole, 16);
      whole = whole + other_2;
      other_2 = tw_shfl_xor<f32>(whole, 32);
      whole = whole + other_2;
      const i32 position_5 = t0 + t_J_1;
      const i64 x_at_7 = x_at_1 + (i64)t0 * (i64)C;
      const bool x_in_4 = x_in && (u32)position_5 < (u32)bound_1;
      tw_bf16 x_tile[8];
      const tw_u32x4 x_tile_vec = x_in_4 ? tw_ldg_nc<tw_u32x4>(x + x_at_7) : tw_u32x4{0u, 0u, 0u, 0u};
      x_tile[0] = tw_u16x2_lo(x_tile_vec.x); x_tile[1] = tw_u16x2_hi(x_tile_vec.x);
      x_tile[2] = tw_u16x2_lo(x_tile_vec.y); x_tile[3] = tw_u16x2_hi(x_tile_vec.y);
      x_tile[4] = tw_u16x2_lo(x_tile_vec.z); x_tile[5] = tw_u16x2_hi(x_tile_vec.z);
      x_tile[6] = tw_u16x2_lo(x_tile_vec.w); x_tile[7] = tw_u16x2_hi(x_tile_vec.w);
      f32 inputs[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        inputs[r] = tw_bf16_to_f32(x_tile[r]);
      }
      const i64 x_at_8 = x_at_3 + (i64)t0 * (i64)C;
      tw_bf16 x_tile_1[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 x_tile_1_vec = x_in_1 && (u32)(position_3 + r * 8) < (u32)bound_1 ? tw_ldg_nc<tw_u32x4>(x + (x_at_8 + (i64)(r * 8 * C))) : tw_u32x4{0u, 0u, 0u, 0u};
        x_tile_1[r * 8] = tw_u16x2_lo(x_tile_1_vec.x);
        x_tile_1[r * 8 + 1] = tw_u16x2_hi(x_tile_1_vec.x);
        x_tile_1[r * 8 + 2] = tw_u16x2_lo(x_tile_1_vec.y);
        x_tile_1[r * 8 + 3] = tw_u16x2_hi(x_tile_1_vec.y);
        x_tile_1[r * 8 + 4] = tw_u16x2_lo(x_tile_1_vec.z);
        x_tile_1[r * 8 + 5] = tw_u16x2_hi(x_tile_1_vec.z);
        x_tile_1[r * 8 + 6] = tw_u16x2_lo(x_tile_1_vec.w);
        x_tile_1[r * 8 + 7] = tw_u16x2_hi(x_tile_1_vec.w);
      }
      const i64 x_at_9 = x_at_4 + (i64)t0 * (i64)C;
      tw_bf16 x_tile_2[16];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const tw_u32x4 x_tile_2_vec = x_in_2 && (u32)(position_3 + r * 8) < (u32)bound_1 ? tw_ldg_nc<tw_u32x4>(x + (x_at_9 + (i64)(r * 8 * C))) : tw_u32x4{0u, 0u, 0u, 0u};
        x_tile_2[r * 8] = tw_u16x2_lo(x_tile_2_vec.x);
        x_tile_2[r * 8 + 1] = tw_u16x2_hi(x_tile_2_vec.x);
        x_tile_2[r * 8 + 2] = tw_u16x2_lo(x_tile_2_vec.y);
        x_tile_2[r * 8 + 3] = tw_u16x2_hi(x_tile_2_vec.y);
        x_tile_2[r * 8 + 4] = tw_u16x2_lo(x_tile_2_vec.z);
        x_tile_2[r * 8 + 5] = tw_u16x2_hi(x_tile_2_vec.z);
        x_tile_2[r * 8 + 6] = tw_u16x2_lo(x_tile_2_vec.w);
        x_tile_2[r * 8 + 7] = tw_u16x2_hi(x_tile_2_vec.w);
      }
      f32 c[16];
      #pragma unroll
      for (i32 r = 0; r < 16; ++r) {
        c[r] = tw_bf16_to_f32(x_tile_2[r]);
      }
      if (is_first_1) {
        tw_sts<f32>(t93_convert + (u32)logTake_convert_at * 4u, scan_sum);
      }
      tw_syncthreads();
      f32 t_6[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        t_6[r] = tw_lds<f32>(t93_convert + (u32)(t_BT + r * 8) * 4u);
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          tw_sts<tw_f32x4>(c_shared + (u32)(c_shared_at + r * 512 + i * 4) * 4u, tw_f32x4{
              c[r * 8 + i * 4], c[r * 8 + i * 4 + 1], c[r * 8 + i * 4 + 2], c[r * 8 + i * 4 + 3]});
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          f32 b[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            b[j] = tw_bf16_to_f32(x_tile_1[r * 8 + i * 4 + j]);
          }
          tw_sts<tw_f32x4>(
              b_shared + (u32)((swizzled ^ (i * 4)) ^ ((r * 512) ^ (((r * 512) >> 5) & 28))) * 4u,
              tw_f32x4{b[0], b[1], b[2], b[3]});
        }
      }
      tw_syncthreads();
      f32 acc[4];
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        acc[r] = 0.0f;
      }
      for (i32 r = 0; r < 16; ++r) {
        f32 c_shared_1[8];
        f32 b_shared_1[8];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          const tw_f32x4 c_shared_1_vec = tw_lds<tw_f32x4>(c_shared + (u32)(c_shared_at_1 + i * 512 + r * 4) * 4u);
          c_shared_1[i * 4] = c_shared_1_vec.x; c_shared_1[i * 4 + 1] = c_shared_1_vec.y;
          c_shared_1[i * 4 + 2] = c_shared_1_vec.z; c_shared_1[i * 4 + 3] = c_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          const tw_f32x4 b_shared_1_vec = tw_lds<tw_f32x4>(b_shared + (u32)((swizzled_1 ^ (r * 4)) + i * 64) * 4u);
          b_shared_1[i * 4] = b_shared_1_vec.x; b_shared_1[i * 4 + 1] = b_shared_1_vec.y;
          b_shared_1[i * 4 + 2] = b_shared_1_vec.z; b_shared_1[i * 4 + 3] = b_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 2; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              acc[j * 2 + k] = tw_fma(c_shared_1[j * 4 + i], b_shared_1[k * 4 + i], acc[j * 2 + k]);
            }
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        f32 t120_shared_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          t120_shared_tile[i] = acc[r * 2 + i] * tw_exp(t_J + i <= t_BT + r * 8 ? t_6[r] - scan_sum_1[i] : tw_bits_f32(0xff800000u)) * dtGive[i];
        }
        tw_sts<tw_f32x2>(
            t120_shared + (u32)(t120_shared_at + r * 128) * 4u,
            tw_f32x2{t120_shared_tile[0], t120_shared_tile[1]});
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        tw_sts<tw_f32x4>(inputs_shared + (u32)(swizzled_2 ^ (r * 4)) * 4u, tw_f32x4{
            inputs[r * 4], inputs[r * 4 + 1], inputs[r * 4 + 2], inputs[r * 4 + 3]});
      }
      tw_syncthreads();
      f32 within[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        within[r] = 0.0f;
      }
      for (i32 r = 0; r < 4; ++r) {
        f32 t120_shared_1[16];
        f32 inputs_shared_1[8];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t120_shared_1_vec = tw_lds<tw_f32x4>(t120_shared + (u32)(t120_shared_at_1 + i * 64 + r * 4) * 4u);
          t120_shared_1[i * 4] = t120_shared_1_vec.x;
          t120_shared_1[i * 4 + 1] = t120_shared_1_vec.y;
          t120_shared_1[i * 4 + 2] = t120_shared_1_vec.z;
          t120_shared_1[i * 4 + 3] = t120_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x2 inputs_shared_1_vec = tw_lds<tw_f32x2>(inputs_shared + (u32)((inputs_shared_at_1 ^ ((r * 128) ^ (((r * 128) >> 3) & 28))) ^ ((i * 32) ^ (((i * 32) >> 3) & 28))) * 4u);
          inputs_shared_1[i * 2] = inputs_shared_1_vec.x;
          inputs_shared_1[i * 2 + 1] = inputs_shared_1_vec.y;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              within[j * 2 + k] = tw_fma(
                  t120_shared_1[j * 4 + i], inputs_shared_1[i * 2 + k], within[j * 2 + k]);
            }
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        const f32 t_7 = tw_exp(t_6[r]);
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          f32 t124_shared_tile[4];
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            t124_shared_tile[j] = c[r * 8 + i * 4 + j] * t_7;
          }
          tw_sts<tw_f32x4>(t124_shared + (u32)(c_shared_at + r * 512 + i * 4) * 4u, tw_f32x4{
              t124_shared_tile[0], t124_shared_tile[1], t124_shared_tile[2], t124_shared_tile[3]});
        }
      }
      tw_syncthreads();
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        tw_sts<tw_f32x4>(
            carried_shared + (u32)(swizzled_3 ^ ((r * 256) ^ (((r * 256) >> 5) & 28))) * 4u,
            tw_f32x4{carried[r * 4], carried[r * 4 + 1], carried[r * 4 + 2], carried[r * 4 + 3]});
      }
      tw_syncthreads();
      f32 before_2[8];
      #pragma unroll
      for (i32 r = 0; r < 8; ++r) {
        before_2[r] = 0.0f;
      }
      for (i32 r = 0; r < 16; ++r) {
        f32 t124_shared_1[16];
        f32 carried_shared_1[8];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 t124_shared_1_vec = tw_lds<tw_f32x4>(t124_shared + (u32)(t124_shared_at + i * 256 + r * 4) * 4u);
          t124_shared_1[i * 4] = t124_shared_1_vec.x;
          t124_shared_1[i * 4 + 1] = t124_shared_1_vec.y;
          t124_shared_1[i * 4 + 2] = t124_shared_1_vec.z;
          t124_shared_1[i * 4 + 3] = t124_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          const tw_f32x4 carried_shared_1_vec = tw_lds<tw_f32x4>(carried_shared + (u32)((swizzled_4 ^ (r * 4)) + i * 64) * 4u);
          carried_shared_1[i * 4] = carried_shared_1_vec.x;
          carried_shared_1[i * 4 + 1] = carried_shared_1_vec.y;
          carried_shared_1[i * 4 + 2] = carried_shared_1_vec.z;
          carried_shared_1[i * 4 + 3] = carried_shared_1_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 2; ++k) {
              before_2[j * 2 + k] = tw_fma(
                  t124_shared_1[j * 4 + i], carried_shared_1[k * 4 + i], before_2[j * 2 + k]);
            }
          }
        }
      }
      const i64 x_at_10 = x_at_6 + (i64)t0 * (i64)C;
      tw_bf16 x_tile_3[8];
      const i32 position_6 = t0 + t_P;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        const u32 x_tile_3_vec = x_in_3 && (u32)(position_6 + r * 4) < (u32)bound_1 ? tw_ldg_nc<u32>(x + (x_at_10 + (i64)(r * 4 * C))) : 0u;
        x_tile_3[r * 2] = tw_u16x2_lo(x_tile_3_vec);
        x_tile_3[r * 2 + 1] = tw_u16x2_hi(x_tile_3_vec);
      }
      f32 heads_tile_1;
      heads_tile_1 = tw_ldg_nc<f32>(heads + heads_at_2);
      const i64 y_at_2 = y_at_1 + (i64)t0 * (i64)t_2;
      #pragma unroll
      for (i32 r = 0; r < 4; ++r) {
        tw_bf16 y_tile[2];
        #pragma unroll
        for (i32 i = 0; i < 2; ++i) {
          y_tile[i] = tw_f32_to_bf16(within[r * 2 + i] + before_2[r * 2 + i] + heads_tile_1 * tw_bf16_to_f32(x_tile_3[r * 2 + i]));
        }
        if (y_in && (u32)(position_6 + r * 4) < (u32)bound_1) {
          tw_stg<u32>(y + (y_at_2 + (i64)(r * 4 * t_2)), tw_pack_u16x2(y_tile[0], y_tile[1]));
        }
      }
      const f32 t_8 = tw_exp(whole);
      f32 weight[2];
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        weight[r] = dtGive[r] * tw_exp(whole - scan_sum_1[r]);
      }
      if (is_first_2) {
        tw_sts<tw_f32x2>(weight_convert + (u32)t_J * 4u, tw_f32x2{weight[0], weight[1]});
      }
      tw_syncthreads();
      f32 weight_1;
      weight_1 = tw_lds<f32>(weight_convert + (u32)t_J_1 * 4u);
      #pragma unroll
      for (i32 r = 0; r < 2; ++r) {
        f32 t143_shared_tile[4];
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          t143_shared_tile[i] = inputs[r * 4 + i] * weight_1;
        }
        tw_sts<tw_f32x4>(t143_shared + (u32)(swizzled_2 ^ (r * 4)) * 4u, tw_f32x4{
            t143_shared_tile[0], t143_shared_tile[1], t143_shared_tile[2], t143_shared_tile[3]});
      }
      tw_syncthreads();
      f32 acc_1[32];
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        acc_1[r] = 0.0f;
      }
      for (i32 r = 0; r < 4; ++r) {
        f32 t143_shared_1[32];
        f32 b_shared_2[16];
        #pragma unroll
        for (i32 i = 0; i < 8; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 4; ++j) {
            t143_shared_1[j * 8 + i] = tw_lds<f32>(t143_shared + (u32)(((t_P ^ ((r * 128) ^ (((r * 128) >> 3) & 28))) ^ ((j * 32) ^ (((j * 32) >> 3) & 28))) ^ (i * 4)) * 4u);
          }
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          const tw_f32x4 b_shared_2_vec = tw_lds<tw_f32x4>(b_shared + (u32)((b_shared_at_1 ^ ((r * 256) ^ (((r * 256) >> 5) & 28))) ^ ((i * 64) ^ (((i * 64) >> 5) & 28))) * 4u);
          b_shared_2[i * 4] = b_shared_2_vec.x; b_shared_2[i * 4 + 1] = b_shared_2_vec.y;
          b_shared_2[i * 4 + 2] = b_shared_2_vec.z; b_shared_2[i * 4 + 3] = b_shared_2_vec.w;
        }
        #pragma unroll
        for (i32 i = 0; i < 4; ++i) {
          #pragma unroll
          for (i32 j = 0; j < 8; ++j) {
            #pragma unroll
            for (i32 k = 0; k < 4; ++k) {
              acc_1[j * 4 + k] = tw_fma(
                  t143_shared_1[i * 8 + j], b_shared_2[i * 4 + k], acc_1[j * 4 + k]);
            }
          }
        }
      }
      #pragma unroll
      for (i32 r = 0; r < 32; ++r) {
        carried[r] = carried[r] * t_8 + acc_1[r];
      }
    }
    const bool state_in_1 = (u32)slot < (u32)NB && pid0 < H;
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      if (state_in_1) {
        tw_stg<tw_f32x4>(state + (state_at_1 + (i64)(r * 256)), tw_f32x4{
            carried[r * 4], carried[r * 4 + 1], carried[r * 4 + 2], carried[r * 4 + 3]});
      }
    }
  }
}
