// causal_conv for wgsl, made by tilewright
// dtypes: T=bf16
// config: BM=8 BC=128 BS=128
// dims fixed: KW=4
// dims divisible: NB%2 C%16 S%4 MAXB%2
// 128 threads, 512 bytes of shared memory
//       0 … 512: t25_parts i32[128]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  W: i32,
  NB: i32,
  K1: i32,
  C: i32,
  S: i32,
  MAXB: i32,
  S1: i32,
  column: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> state: array<u32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> table: array<i32>;
@group(0) @binding(5) var<storage, read> queryStart: array<i32>;
@group(0) @binding(6) var<storage, read> lens: array<i32>;
@group(0) @binding(7) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> t25_parts: array<i32, 128>;

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// 2 to the k, -126 … 127.
fn tw_power_of_two(k: i32) -> f32 { return bitcast<f32>(u32(k + 127) << 23u); }

// x times 2 to the k, -252 … 254, with at most one rounding.
fn tw_scale(x: f32, k: i32) -> f32 {
  let half = k >> 1u;
  return x * tw_power_of_two(half) * tw_power_of_two(k - half);
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

// The argument loses n · ln 2 in two parts, the first of which is exact.
fn tw_exp(x: f32) -> f32 {
  let bounded = clamp(x, -105.0f, 89.5f);
  let n = round(bounded * 1.44269502f);
  let r = (bounded - n * 0.693145752f) - n * 0.00000142860677f;
  var p = 0.00139261817f;
  p = p * r + 0.008363178f;
  p = p * r + 0.0416665561f;
  p = p * r + 0.166665763f;
  p = p * r + 0.5f;
  return select(tw_scale(p * r * r + r + 1.0f, i32(n)), x, tw_isnan(x));
}

@compute @workgroup_size(128)
fn causal_conv(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var begun: i32 = 0;
  let bound: i32 = min(launch.S, launch.S1);
  for (var i: i32 = 0; i < launch.S; i += 128) {
    let left: i32 = bound - i;
    let queryStart_at: i32 = thread + i;
    let queryStart_in: bool = thread < left;
    var start: i32;
    start = select(0, queryStart[select(0, queryStart_at, queryStart_in)], queryStart_in);
    workgroupBarrier();
    var sum: i32 = select(0, 1, (i + thread < launch.S) & ((start >> 3u) + i + thread <= pid1));
    t25_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 8) {
      sum = t25_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other: i32;
        other = t25_parts[thread + r * 8];
        sum = sum + other;
      }
      t25_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
    var parts_5: i32; var parts_6: i32; var parts_7: i32;
    parts_0 = t25_parts[0];
    parts_1 = t25_parts[1];
    parts_2 = t25_parts[2];
    parts_3 = t25_parts[3];
    parts_4 = t25_parts[4];
    parts_5 = t25_parts[5];
    parts_6 = t25_parts[6];
    parts_7 = t25_parts[7];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    begun = begun + sum;
  }
  let t: bool = begun > 0;
  if (t) {
    let s: i32 = begun - 1;
    var rowStart: i32;
    rowStart = queryStart[s];
    let t_1: i32 = s + 1;
    var rowEnd: i32;
    rowEnd = queryStart[t_1];
    let m0: i32 = (pid1 - (rowStart >> 3u) - s) * 8;
    let t_2: i32 = rowEnd - rowStart;
    let t_3: bool = m0 < t_2;
    if (t_3) {
      var lens_tile: i32;
      lens_tile = lens[s];
      let table_at: i32 = s * launch.MAXB;
      var slot: i32;
      slot = table[table_at];
      let c0: i32 = pid0 * 128;
      let t_4: i32 = launch.column + c0;
      let t_5: i32 = launch.column + launch.C;
      let left_1: i32 = launch.C - c0;
      let bias_at: i32 = thread + c0;
      let bias_in: bool = thread < left_1;
      var bias_tile: f32;
      bias_tile = select(0.0f, bias[select(0, bias_at, bias_in)], bias_in);
      var t_6_0: i32; var t_6_1: i32; var t_6_2: i32; var t_6_3: i32; var t_6_4: i32;
      var t_6_5: i32; var t_6_6: i32; var t_6_7: i32;
      t_6_0 = m0; t_6_1 = m0 + 1; t_6_2 = m0 + 2; t_6_3 = m0 + 3; t_6_4 = m0 + 4; t_6_5 = m0 + 5;
      t_6_6 = m0 + 6; t_6_7 = m0 + 7;
      let past: i32 = lens_tile - t_2;
      var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32;
      var acc_5: f32; var acc_6: f32; var acc_7: f32;
      acc_0 = 0.0f + bias_tile; acc_1 = 0.0f + bias_tile; acc_2 = 0.0f + bias_tile;
      acc_3 = 0.0f + bias_tile; acc_4 = 0.0f + bias_tile; acc_5 = 0.0f + bias_tile;
      acc_6 = 0.0f + bias_tile; acc_7 = 0.0f + bias_tile;
      let bound_1: i32 = min(t_5, launch.W);
      let position: i32 = t_4 + thread;
      let bound_2: i32 = max(bound_1, 0);
      let x_at: i32 = thread + t_4;
      let x_in: bool = u32(position) < u32(bound_2);
      let stride: i32 = launch.C * launch.K1;
      let state_at: i32 = thread + slot * stride + c0;
      let state_in: bool = (u32(slot) < u32(launch.NB)) & (thread < left_1);
      let w_at: i32 = thread * 4;
      let w_at_1: i32 = c0 * 4 + w_at;
      for (var j: i32 = 0; j < 4; j++) {
        var t_7_0: i32; var t_7_1: i32; var t_7_2: i32; var t_7_3: i32; var t_7_4: i32;
        var t_7_5: i32; var t_7_6: i32; var t_7_7: i32;
        var t_8_0: i32; var t_8_1: i32; var t_8_2: i32; var t_8_3: i32; var t_8_4: i32;
        var t_8_5: i32; var t_8_6: i32; var t_8_7: i32;
        t_7_0 = t_6_0 + j - 3;
        let t_9: i32 = rowStart + t_7_0;
        t_8_0 = select(-1, t_9, (t_7_0 >= 0) & (t_9 < rowEnd));
        t_7_1 = t_6_1 + j - 3;
        let t_10: i32 = rowStart + t_7_1;
        t_8_1 = select(-1, t_10, (t_7_1 >= 0) & (t_10 < rowEnd));
        t_7_2 = t_6_2 + j - 3;
        let t_11: i32 = rowStart + t_7_2;
        t_8_2 = select(-1, t_11, (t_7_2 >= 0) & (t_11 < rowEnd));
        t_7_3 = t_6_3 + j - 3;
        let t_12: i32 = rowStart + t_7_3;
        t_8_3 = select(-1, t_12, (t_7_3 >= 0) & (t_12 < rowEnd));
        t_7_4 = t_6_4 + j - 3;
        let t_13: i32 = rowStart + t_7_4;
        t_8_4 = select(-1, t_13, (t_7_4 >= 0) & (t_13 < rowEnd));
        t_7_5 = t_6_5 + j - 3;
        let t_14: i32 = rowStart + t_7_5;
        t_8_5 = select(-1, t_14, (t_7_5 >= 0) & (t_14 < rowEnd));
        t_7_6 = t_6_6 + j - 3;
        let t_15: i32 = rowStart + t_7_6;
        t_8_6 = select(-1, t_15, (t_7_6 >= 0) & (t_15 < rowEnd));
        t_7_7 = t_6_7 + j - 3;
        let t_16: i32 = rowStart + t_7_7;
        t_8_7 = select(-1, t_16, (t_7_7 >= 0) & (t_16 < rowEnd));
        var fresh_0: u32; var fresh_1: u32; var fresh_2: u32; var fresh_3: u32; var fresh_4: u32;
        var fresh_5: u32; var fresh_6: u32; var fresh_7: u32;
        let fresh_in = x_in & (u32(t_8_0) < u32(launch.N));
        let fresh_at = x_at + t_8_0 * launch.W;
        let fresh_word = select(
            0u, x[select(0, fresh_at >> 1u, fresh_in)], fresh_in) >> ((u32(fresh_at) & 1u) * 16u);
        fresh_0 = fresh_word & 0xffffu;
        let fresh_in_1 = x_in & (u32(t_8_1) < u32(launch.N));
        let fresh_at_1 = x_at + t_8_1 * launch.W;
        let fresh_word_1 = select(
            0u, x[select(0, fresh_at_1 >> 1u, fresh_in_1)], fresh_in_1) >> ((u32(fresh_at_1) & 1u) * 16u);
        fresh_1 = fresh_word_1 & 0xffffu;
        let fresh_in_2 = x_in & (u32(t_8_2) < u32(launch.N));
        let fresh_at_2 = x_at + t_8_2 * launch.W;
        let fresh_word_2 = select(
            0u, x[select(0, fresh_at_2 >> 1u, fresh_in_2)], fresh_in_2) >> ((u32(fresh_at_2) & 1u) * 16u);
        fresh_2 = fresh_word_2 & 0xffffu;
        let fresh_in_3 = x_in & (u32(t_8_3) < u32(launch.N));
        let fresh_at_3 = x_at + t_8_3 * launch.W;
        let fresh_word_3 = select(
            0u, x[select(0, fresh_at_3 >> 1u, fresh_in_3)], fresh_in_3) >> ((u32(fresh_at_3) & 1u) * 16u);
        fresh_3 = fresh_word_3 & 0xffffu;
        let fresh_in_4 = x_in & (u32(t_8_4) < u32(launch.N));
        let fresh_at_4 = x_at + t_8_4 * launch.W;
        let fresh_word_4 = select(
            0u, x[select(0, fresh_at_4 >> 1u, fresh_in_4)], fresh_in_4) >> ((u32(fresh_at_4) & 1u) * 16u);
        fresh_4 = fresh_word_4 & 0xffffu;
        let fresh_in_5 = x_in & (u32(t_8_5) < u32(launch.N));
        let fresh_at_5 = x_at + t_8_5 * launch.W;
        let fresh_word_5 = select(
            0u, x[select(0, fresh_at_5 >> 1u, fresh_in_5)], fresh_in_5) >> ((u32(fresh_at_5) & 1u) * 16u);
        fresh_5 = fresh_word_5 & 0xffffu;
        let fresh_in_6 = x_in & (u32(t_8_6) < u32(launch.N));
        let fresh_at_6 = x_at + t_8_6 * launch.W;
        let fresh_word_6 = select(
            0u, x[select(0, fresh_at_6 >> 1u, fresh_in_6)], fresh_in_6) >> ((u32(fresh_at_6) & 1u) * 16u);
        fresh_6 = fresh_word_6 & 0xffffu;
        let fresh_in_7 = x_in & (u32(t_8_7) < u32(launch.N));
        let fresh_at_7 = x_at + t_8_7 * launch.W;
        let fresh_word_7 = select(
            0u, x[select(0, fresh_at_7 >> 1u, fresh_in_7)], fresh_in_7) >> ((u32(fresh_at_7) & 1u) * 16u);
        fresh_7 = fresh_word_7 & 0xffffu;
        var t_17_0: i32; var t_17_1: i32; var t_17_2: i32; var t_17_3: i32; var t_17_4: i32;
        var t_17_5: i32; var t_17_6: i32; var t_17_7: i32;
        t_17_0 = select(-1, t_7_0 + 3, (t_7_0 < 0) & (past + t_7_0 >= 0));
        t_17_1 = select(-1, t_7_1 + 3, (t_7_1 < 0) & (past + t_7_1 >= 0));
        t_17_2 = select(-1, t_7_2 + 3, (t_7_2 < 0) & (past + t_7_2 >= 0));
        t_17_3 = select(-1, t_7_3 + 3, (t_7_3 < 0) & (past + t_7_3 >= 0));
        t_17_4 = select(-1, t_7_4 + 3, (t_7_4 < 0) & (past + t_7_4 >= 0));
        t_17_5 = select(-1, t_7_5 + 3, (t_7_5 < 0) & (past + t_7_5 >= 0));
        t_17_6 = select(-1, t_7_6 + 3, (t_7_6 < 0) & (past + t_7_6 >= 0));
        t_17_7 = select(-1, t_7_7 + 3, (t_7_7 < 0) & (past + t_7_7 >= 0));
        var kept_0: u32; var kept_1: u32; var kept_2: u32; var kept_3: u32; var kept_4: u32;
        var kept_5: u32; var kept_6: u32; var kept_7: u32;
        let kept_in = state_in & (u32(t_17_0) < u32(launch.K1));
        let kept_at = state_at + t_17_0 * launch.C;
        let kept_word = select(
            0u, state[select(0, kept_at >> 1u, kept_in)], kept_in) >> ((u32(kept_at) & 1u) * 16u);
        kept_0 = kept_word & 0xffffu;
        let kept_in_1 = state_in & (u32(t_17_1) < u32(launch.K1));
        let kept_at_1 = state_at + t_17_1 * launch.C;
        let kept_word_1 = select(
            0u, state[select(0, kept_at_1 >> 1u, kept_in_1)], kept_in_1) >> ((u32(kept_at_1) & 1u) * 16u);
        kept_1 = kept_word_1 & 0xffffu;
        let kept_in_2 = state_in & (u32(t_17_2) < u32(launch.K1));
        let kept_at_2 = state_at + t_17_2 * launch.C;
        let kept_word_2 = select(
            0u, state[select(0, kept_at_2 >> 1u, kept_in_2)], kept_in_2) >> ((u32(kept_at_2) & 1u) * 16u);
        kept_2 = kept_word_2 & 0xffffu;
        let kept_in_3 = state_in & (u32(t_17_3) < u32(launch.K1));
        let kept_at_3 = state_at + t_17_3 * launch.C;
        let kept_word_3 = select(
            0u, state[select(0, kept_at_3 >> 1u, kept_in_3)], kept_in_3) >> ((u32(kept_at_3) & 1u) * 16u);
        kept_3 = kept_word_3 & 0xffffu;
        let kept_in_4 = state_in & (u32(t_17_4) < u32(launch.K1));
        let kept_at_4 = state_at + t_17_4 * launch.C;
        let kept_word_4 = select(
            0u, state[select(0, kept_at_4 >> 1u, kept_in_4)], kept_in_4) >> ((u32(kept_at_4) & 1u) * 16u);
        kept_4 = kept_word_4 & 0xffffu;
        let kept_in_5 = state_in & (u32(t_17_5) < u32(launch.K1));
        let kept_at_5 = state_at + t_17_5 * launch.C;
        let kept_word_5 = select(
            0u, state[select(0, kept_at_5 >> 1u, kept_in_5)], kept_in_5) >> ((u32(kept_at_5) & 1u) * 16u);
        kept_5 = kept_word_5 & 0xffffu;
        let kept_in_6 = state_in & (u32(t_17_6) < u32(launch.K1));
        let kept_at_6 = state_at + t_17_6 * launch.C;
        let kept_word_6 = select(
            0u, state[select(0, kept_at_6 >> 1u, kept_in_6)], kept_in_6) >> ((u32(kept_at_6) & 1u) * 16u);
        kept_6 = kept_word_6 & 0xffffu;
        let kept_in_7 = state_in & (u32(t_17_7) < u32(launch.K1));
        let kept_at_7 = state_at + t_17_7 * launch.C;
        let kept_word_7 = select(
            0u, state[select(0, kept_at_7 >> 1u, kept_in_7)], kept_in_7) >> ((u32(kept_at_7) & 1u) * 16u);
        kept_7 = kept_word_7 & 0xffffu;
        let w_at_2: i32 = w_at_1 + j;
        var w_tile: f32;
        w_tile = select(0.0f, w[select(0, w_at_2, bias_in)], bias_in);
        acc_0 = acc_0 + w_tile * (tw_bf16_to_f32(fresh_0) + tw_bf16_to_f32(kept_0));
        acc_1 = acc_1 + w_tile * (tw_bf16_to_f32(fresh_1) + tw_bf16_to_f32(kept_1));
        acc_2 = acc_2 + w_tile * (tw_bf16_to_f32(fresh_2) + tw_bf16_to_f32(kept_2));
        acc_3 = acc_3 + w_tile * (tw_bf16_to_f32(fresh_3) + tw_bf16_to_f32(kept_3));
        acc_4 = acc_4 + w_tile * (tw_bf16_to_f32(fresh_4) + tw_bf16_to_f32(kept_4));
        acc_5 = acc_5 + w_tile * (tw_bf16_to_f32(fresh_5) + tw_bf16_to_f32(kept_5));
        acc_6 = acc_6 + w_tile * (tw_bf16_to_f32(fresh_6) + tw_bf16_to_f32(kept_6));
        acc_7 = acc_7 + w_tile * (tw_bf16_to_f32(fresh_7) + tw_bf16_to_f32(kept_7));
      }
      let t_18: i32 = rowStart + m0;
      let bound_3: i32 = min(rowEnd, launch.N);
      let y_at: i32 = thread + t_18 * launch.C + c0;
      let bound_4: i32 = max(bound_3, 0);
      let y_tile: u32 = tw_f32_to_bf16(acc_0 / (1.0f + tw_exp(-acc_0)));
      if (bias_in & (u32(t_18) < u32(bound_4))) {
        let shift = (u32(y_at) & 1u) * 16u;
        atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_at >> 1u], y_tile << shift);
      }
      let y_tile_1: u32 = tw_f32_to_bf16(acc_1 / (1.0f + tw_exp(-acc_1)));
      if (bias_in & (u32(t_18 + 1) < u32(bound_4))) {
        let y_tile_1_at = y_at + launch.C;
        let shift = (u32(y_tile_1_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_1_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_1_at >> 1u], y_tile_1 << shift);
      }
      let y_tile_2: u32 = tw_f32_to_bf16(acc_2 / (1.0f + tw_exp(-acc_2)));
      if (bias_in & (u32(t_18 + 2) < u32(bound_4))) {
        let y_tile_2_at = y_at + launch.C * 2;
        let shift = (u32(y_tile_2_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_2_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_2_at >> 1u], y_tile_2 << shift);
      }
      let y_tile_3: u32 = tw_f32_to_bf16(acc_3 / (1.0f + tw_exp(-acc_3)));
      if (bias_in & (u32(t_18 + 3) < u32(bound_4))) {
        let y_tile_3_at = y_at + launch.C * 3;
        let shift = (u32(y_tile_3_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_3_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_3_at >> 1u], y_tile_3 << shift);
      }
      let y_tile_4: u32 = tw_f32_to_bf16(acc_4 / (1.0f + tw_exp(-acc_4)));
      if (bias_in & (u32(t_18 + 4) < u32(bound_4))) {
        let y_tile_4_at = y_at + launch.C * 4;
        let shift = (u32(y_tile_4_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_4_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_4_at >> 1u], y_tile_4 << shift);
      }
      let y_tile_5: u32 = tw_f32_to_bf16(acc_5 / (1.0f + tw_exp(-acc_5)));
      if (bias_in & (u32(t_18 + 5) < u32(bound_4))) {
        let y_tile_5_at = y_at + launch.C * 5;
        let shift = (u32(y_tile_5_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_5_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_5_at >> 1u], y_tile_5 << shift);
      }
      let y_tile_6: u32 = tw_f32_to_bf16(acc_6 / (1.0f + tw_exp(-acc_6)));
      if (bias_in & (u32(t_18 + 6) < u32(bound_4))) {
        let y_tile_6_at = y_at + launch.C * 6;
        let shift = (u32(y_tile_6_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_6_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_6_at >> 1u], y_tile_6 << shift);
      }
      let y_tile_7: u32 = tw_f32_to_bf16(acc_7 / (1.0f + tw_exp(-acc_7)));
      if (bias_in & (u32(t_18 + 7) < u32(bound_4))) {
        let y_tile_7_at = y_at + launch.C * 7;
        let shift = (u32(y_tile_7_at) & 1u) * 16u;
        atomicAnd(&y[y_tile_7_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_tile_7_at >> 1u], y_tile_7 << shift);
      }
    }
  }
}
