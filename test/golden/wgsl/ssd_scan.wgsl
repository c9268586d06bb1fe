// ssd_scan for wgsl, made by tilewright
// dtypes: T=bf16
// config: BT=16
// dims fixed: P=32 NS=64
// dims divisible: N%8 C%16 W%8 H%2 NB%4 S%2 MAXB%2
// 64 threads, 18848 bytes of shared memory
//       0 … 4096: c_shared f32[1024]
//       0 … 8688: carried_shared f32[2172]
//       0 … 2288: inputs_shared f32[572]
//       0 … 2288: t143_shared f32[572]
//    8704 … 13040: b_shared f32[1084]
//   13056 … 17152: t124_shared f32[1024]
//   17152 … 18176: t120_shared f32[256]
//   18176 … 18240: logTake_convert f32[16]
//   18304 … 18368: t93_parts f32[16]
//   18432 … 18496: t93_convert f32[16]
//   18560 … 18624: weight_convert f32[16]
//   18688 … 18720: t94_parts f32[8]
//   18816 … 18848: whole_parts f32[8]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  C: i32,
  W: i32,
  H: i32,
  NB: i32,
  S: i32,
  MAXB: i32,
  S1: i32,
  dtColumn: i32,
  dtMin: f32,
  dtMax: f32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> proj: array<u32>;
@group(0) @binding(2) var<storage, read> heads: array<f32>;
@group(0) @binding(3) var<storage, read_write> state: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> table: array<i32>;
@group(0) @binding(5) var<storage, read> queryStart: array<i32>;
@group(0) @binding(6) var<storage, read> lens: array<i32>;
@group(0) @binding(7) var<storage, read_write> y: array<u32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> shared_c_shared_carried_shared_inputs_shared_t143_shared: array<f32, 2172>;
var<workgroup> b_shared: array<vec4<f32>, 271>;
var<workgroup> t124_shared: array<vec4<f32>, 256>;
var<workgroup> t120_shared: array<vec2<f32>, 128>;
var<workgroup> logTake_convert: array<f32, 16>;
var<workgroup> t93_parts: array<f32, 16>;
var<workgroup> t93_convert: array<f32, 16>;
var<workgroup> weight_convert: array<f32, 16>;
var<workgroup> t94_parts: array<f32, 8>;
var<workgroup> whole_parts: array<f32, 8>;

// A call is no constant expression, so that NaN and infinity pass.
fn tw_bits_f32(bits: u32) -> f32 { return bitcast<f32>(bits); }

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// 2 to the k, -126 … 127.
fn tw_power_of_two(k: i32) -> f32 { return bitcast<f32>(u32(k + 127) << 23u); }

// x times 2 to the k, -252 … 254, with at most one rounding.
fn tw_scale(x: f32, k: i32) -> f32 {
  let half = k >> 1u;
  return x * tw_power_of_two(half) * tw_power_of_two(k - half);
}

fn tw_floordiv_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let quotient = a / b;
  let rest = a - quotient * b;
  return quotient - select(0, 1, rest != 0 && (rest ^ b) < 0);
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

// The other operand where one is NaN.
fn tw_min(a: f32, b: f32) -> f32 { return select(select(min(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

fn tw_max(a: f32, b: f32) -> f32 { return select(select(max(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

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

// x as m · 2 to the k with m in [√½, √2): m - 1 and k. For positive finite x, subnormal ones included.
fn tw_split_log(x: f32) -> vec2<f32> {
  var bits = bitcast<u32>(x);
  var k = -127;
  if (bits < 0x00800000u) {
    let up = countLeadingZeros(bits) - 8u;
    bits = bits << up;
    k = k - i32(up);
  }
  let shifted = bits + 0x004afb0du;
  k = k + i32(shifted >> 23u);
  let m = bitcast<f32>((shifted & 0x7fffffu) + 0x3f3504f3u);
  return vec2<f32>(m - 1.0f, f32(k));
}

// What a logarithm gives for zero, negative numbers, infinity and NaN.
fn tw_log_edge(x: f32) -> f32 {
  if ((bitcast<u32>(x) & 0x7fffffffu) == 0u) { return tw_bits_f32(0xff800000u); }
  if (bitcast<u32>(x) == 0x7f800000u) { return x; }
  return tw_bits_f32(0x7fc00000u);
}

fn tw_log(x: f32) -> f32 {
  if (bitcast<u32>(x) - 1u >= 0x7f7fffffu) { return tw_log_edge(x); }
  let parts = tw_split_log(x);
  let f = parts.x;
  var q = -0.0767364129f;
  q = q * f + 0.127226725f;
  q = q * f - 0.13127555f;
  q = q * f + 0.142048553f;
  q = q * f - 0.166266456f;
  q = q * f + 0.200012341f;
  q = q * f - 0.250007808f;
  q = q * f + 0.333333313f;
  q = q * f - 0.5f;
  return parts.y * 0.693145752f + (f + (q * f * f + parts.y * 0.00000142860677f));
}

@compute @workgroup_size(64)
fn ssd_scan(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var start: i32;
  start = queryStart[pid1];
  let t: i32 = pid1 + 1;
  var end: i32;
  end = queryStart[t];
  let t_1: bool = start < end;
  if (t_1) {
    let table_at: i32 = pid1 * launch.MAXB;
    var slot: i32;
    slot = table[table_at];
    var lens_tile: i32;
    lens_tile = lens[pid1];
    var heads_tile: f32;
    heads_tile = heads[pid0];
    let a: f32 = -tw_exp(heads_tile);
    let heads_at: i32 = launch.H * 2 + pid0;
    var bias: f32;
    bias = heads[heads_at];
    let t_2: i32 = launch.H * 32;
    let groups: i32 = (launch.C - t_2) >> 7u;
    let bAt: i32 = t_2 + tw_floordiv_i32(pid0, tw_floordiv_i32(launch.H, groups)) * 64;
    let stride: i32 = launch.H * 2048;
    let t_P: i32 = (thread >> 3u) & 3;
    let t_NS: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
    let state_at: i32 = t_P * 64 + t_NS;
    let state_at_1: i32 = pid0 * 2048 + slot * stride + state_at;
    let hasPast: bool = lens_tile > end - start;
    let state_in: bool = ((u32(slot) < u32(launch.NB)) & (pid0 < launch.H)) & hasPast;
    var state_tile_0: f32; var state_tile_1: f32; var state_tile_2: f32; var state_tile_3: f32;
    var state_tile_4: f32; var state_tile_5: f32; var state_tile_6: f32; var state_tile_7: f32;
    var state_tile_8: f32; var state_tile_9: f32; var state_tile_10: f32; var state_tile_11: f32;
    var state_tile_12: f32; var state_tile_13: f32; var state_tile_14: f32; var state_tile_15: f32;
    var state_tile_16: f32; var state_tile_17: f32; var state_tile_18: f32; var state_tile_19: f32;
    var state_tile_20: f32; var state_tile_21: f32; var state_tile_22: f32; var state_tile_23: f32;
    var state_tile_24: f32; var state_tile_25: f32; var state_tile_26: f32; var state_tile_27: f32;
    var state_tile_28: f32; var state_tile_29: f32; var state_tile_30: f32; var state_tile_31: f32;
    let state_tile_word = select(
        vec4<f32>(0.0f), state[select(0, state_at_1 >> 2u, state_in)], state_in);
    state_tile_0 = state_tile_word.x; state_tile_1 = state_tile_word.y;
    state_tile_2 = state_tile_word.z; state_tile_3 = state_tile_word.w;
    let state_tile_word_1 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 256) >> 2u, state_in)], state_in);
    state_tile_4 = state_tile_word_1.x; state_tile_5 = state_tile_word_1.y;
    state_tile_6 = state_tile_word_1.z; state_tile_7 = state_tile_word_1.w;
    let state_tile_word_2 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 512) >> 2u, state_in)], state_in);
    state_tile_8 = state_tile_word_2.x; state_tile_9 = state_tile_word_2.y;
    state_tile_10 = state_tile_word_2.z; state_tile_11 = state_tile_word_2.w;
    let state_tile_word_3 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 768) >> 2u, state_in)], state_in);
    state_tile_12 = state_tile_word_3.x; state_tile_13 = state_tile_word_3.y;
    state_tile_14 = state_tile_word_3.z; state_tile_15 = state_tile_word_3.w;
    let state_tile_word_4 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 1024) >> 2u, state_in)], state_in);
    state_tile_16 = state_tile_word_4.x; state_tile_17 = state_tile_word_4.y;
    state_tile_18 = state_tile_word_4.z; state_tile_19 = state_tile_word_4.w;
    let state_tile_word_5 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 1280) >> 2u, state_in)], state_in);
    state_tile_20 = state_tile_word_5.x; state_tile_21 = state_tile_word_5.y;
    state_tile_22 = state_tile_word_5.z; state_tile_23 = state_tile_word_5.w;
    let state_tile_word_6 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 1536) >> 2u, state_in)], state_in);
    state_tile_24 = state_tile_word_6.x; state_tile_25 = state_tile_word_6.y;
    state_tile_26 = state_tile_word_6.z; state_tile_27 = state_tile_word_6.w;
    let state_tile_word_7 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 1792) >> 2u, state_in)], state_in);
    state_tile_28 = state_tile_word_7.x; state_tile_29 = state_tile_word_7.y;
    state_tile_30 = state_tile_word_7.z; state_tile_31 = state_tile_word_7.w;
    let t_3: i32 = launch.dtColumn + pid0;
    let t_BT: i32 = thread >> 3u;
    let t_J: i32 = (thread & 7) * 2;
    let t_4: i32 = pid0 * 32;
    let t_5: i32 = bAt + groups * 64;
    var carried_0: f32; var carried_1: f32; var carried_2: f32; var carried_3: f32;
    var carried_4: f32; var carried_5: f32; var carried_6: f32; var carried_7: f32;
    var carried_8: f32; var carried_9: f32; var carried_10: f32; var carried_11: f32;
    var carried_12: f32; var carried_13: f32; var carried_14: f32; var carried_15: f32;
    var carried_16: f32; var carried_17: f32; var carried_18: f32; var carried_19: f32;
    var carried_20: f32; var carried_21: f32; var carried_22: f32; var carried_23: f32;
    var carried_24: f32; var carried_25: f32; var carried_26: f32; var carried_27: f32;
    var carried_28: f32; var carried_29: f32; var carried_30: f32; var carried_31: f32;
    carried_0 = 0.0f + state_tile_0; carried_1 = 0.0f + state_tile_1;
    carried_2 = 0.0f + state_tile_2; carried_3 = 0.0f + state_tile_3;
    carried_4 = 0.0f + state_tile_4; carried_5 = 0.0f + state_tile_5;
    carried_6 = 0.0f + state_tile_6; carried_7 = 0.0f + state_tile_7;
    carried_8 = 0.0f + state_tile_8; carried_9 = 0.0f + state_tile_9;
    carried_10 = 0.0f + state_tile_10; carried_11 = 0.0f + state_tile_11;
    carried_12 = 0.0f + state_tile_12; carried_13 = 0.0f + state_tile_13;
    carried_14 = 0.0f + state_tile_14; carried_15 = 0.0f + state_tile_15;
    carried_16 = 0.0f + state_tile_16; carried_17 = 0.0f + state_tile_17;
    carried_18 = 0.0f + state_tile_18; carried_19 = 0.0f + state_tile_19;
    carried_20 = 0.0f + state_tile_20; carried_21 = 0.0f + state_tile_21;
    carried_22 = 0.0f + state_tile_22; carried_23 = 0.0f + state_tile_23;
    carried_24 = 0.0f + state_tile_24; carried_25 = 0.0f + state_tile_25;
    carried_26 = 0.0f + state_tile_26; carried_27 = 0.0f + state_tile_27;
    carried_28 = 0.0f + state_tile_28; carried_29 = 0.0f + state_tile_29;
    carried_30 = 0.0f + state_tile_30; carried_31 = 0.0f + state_tile_31;
    let bound: i32 = min(end, launch.N);
    let proj_at: i32 = t_BT * launch.W;
    let proj_at_1: i32 = t_3 + proj_at;
    let proj_in: bool = u32(t_3) < u32(launch.W);
    let bound_1: i32 = max(bound, 0);
    let proj_at_2: i32 = t_J * launch.W;
    let proj_at_3: i32 = t_3 + proj_at_2;
    let is_first: bool = (thread & 7) == 0;
    let logTake_convert_at: i32 = thread & 15;
    let is_first_1: bool = thread < 16;
    let part: i32 = thread & 7;
    let is_first_2: bool = thread < 8;
    let t_J_1: i32 = thread >> 2u;
    let t_P_1: i32 = (thread & 3) * 8;
    let left: i32 = launch.C - t_4;
    let x_at: i32 = t_J_1 * launch.C + t_P_1;
    let x_at_1: i32 = t_4 + x_at;
    let x_in: bool = t_P_1 < left;
    let t_NS_1: i32 = (thread & 7) * 8;
    let position: i32 = bAt + t_NS_1;
    let x_at_2: i32 = t_BT * launch.C + t_NS_1;
    let x_at_3: i32 = bAt + x_at_2;
    let x_in_1: bool = u32(position) < u32(launch.C);
    let position_1: i32 = t_5 + t_NS_1;
    let x_at_4: i32 = t_5 + x_at_2;
    let x_in_2: bool = u32(position_1) < u32(launch.C);
    let c_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 64;
    let b_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 68;
    let c_shared_at_1: i32 = (thread >> 3u) * 64;
    let b_shared_at_1: i32 = (thread & 7) * 136;
    let t120_shared_at: i32 = (thread & 7) * 2 + (thread >> 3u) * 16;
    let inputs_shared_at: i32 = (thread & 3) * 8 + (thread >> 2u) * 36;
    let t120_shared_at_1: i32 = ((thread >> 3u) & 3) * 16;
    let inputs_shared_at_1: i32 = (thread & 7) * 2 + (thread >> 5u) * 16;
    let carried_shared_at: i32 = (thread & 7) * 4 + ((thread >> 3u) & 3) * 68 + (thread >> 5u) * 32;
    let t124_shared_at: i32 = ((thread >> 3u) & 3) * 64;
    let carried_shared_at_1: i32 = (thread & 7) * 136 + (thread >> 5u) * 1088;
    let t_P_2: i32 = (thread >> 5u) * 16 + (thread & 7) * 2;
    let x_at_5: i32 = t_P * launch.C + t_P_2;
    let x_at_6: i32 = t_4 + x_at_5;
    let x_in_3: bool = t_P_2 < left;
    let heads_at_1: i32 = launch.H + pid0;
    let y_at: i32 = t_P * t_2 + t_P_2;
    let y_at_1: i32 = pid0 * 32 + y_at;
    let y_in: bool = pid0 < launch.H;
    let b_shared_at_2: i32 = (thread & 7) * 4 + (thread >> 5u) * 32;
    let t0_start = start;
    let t0_end = end;
    for (var t0: i32 = t0_start; t0 < t0_end; t0 += 16) {
      let proj_at_4: i32 = proj_at_1 + t0 * launch.W;
      var proj_tile_0: u32; var proj_tile_1: u32;
      let position_2: i32 = t0 + t_BT;
      let proj_tile_in = proj_in & (u32(position_2) < u32(bound_1));
      let proj_tile_word = select(
          0u, proj[select(0, proj_at_4 >> 1u, proj_tile_in)], proj_tile_in) >> ((u32(proj_at_4) & 1u) * 16u);
      proj_tile_0 = proj_tile_word & 0xffffu;
      let proj_tile_in_1 = proj_in & (u32(position_2 + 8) < u32(bound_1));
      let proj_tile_at = proj_at_4 + launch.W * 8;
      let proj_tile_word_1 = select(
          0u, proj[select(0, proj_tile_at >> 1u, proj_tile_in_1)], proj_tile_in_1) >> ((u32(proj_tile_at) & 1u) * 16u);
      proj_tile_1 = proj_tile_word_1 & 0xffffu;
      var v_0: f32; var v_1: f32;
      v_0 = tw_bf16_to_f32(proj_tile_0) + bias; v_1 = tw_bf16_to_f32(proj_tile_1) + bias;
      let proj_at_5: i32 = proj_at_3 + t0 * launch.W;
      var proj_tile_1_1_0: u32; var proj_tile_1_1_1: u32;
      let position_3: i32 = t0 + t_J;
      let proj_tile_1_in = proj_in & (u32(position_3) < u32(bound_1));
      let proj_tile_1_word = select(
          0u, proj[select(0, proj_at_5 >> 1u, proj_tile_1_in)], proj_tile_1_in) >> ((u32(proj_at_5) & 1u) * 16u);
      proj_tile_1_1_0 = proj_tile_1_word & 0xffffu;
      let proj_tile_1_in_1 = proj_in & (u32(position_3 + 1) < u32(bound_1));
      let proj_tile_1_at = proj_at_5 + launch.W;
      let proj_tile_1_word_1 = select(
          0u, proj[select(0, proj_tile_1_at >> 1u, proj_tile_1_in_1)], proj_tile_1_in_1) >> ((u32(proj_tile_1_at) & 1u) * 16u);
      proj_tile_1_1_1 = proj_tile_1_word_1 & 0xffffu;
      var dtGive_0: f32; var dtGive_1: f32;
      var logTake_0: f32; var logTake_1: f32;
      let v_1_1: f32 = tw_bf16_to_f32(proj_tile_1_1_0) + bias;
      dtGive_0 = tw_min(tw_max(select(
          tw_log(1.0f + tw_exp(tw_min(v_1_1, 20.0f))), v_1_1, v_1_1 > 20.0f), launch.dtMin), launch.dtMax);
      logTake_0 = select(0.0f, tw_min(tw_max(select(
          tw_log(1.0f + tw_exp(tw_min(v_0, 20.0f))), v_0, v_0 > 20.0f), launch.dtMin), launch.dtMax) * a, t0 + t_BT < end);
      let v_2: f32 = tw_bf16_to_f32(proj_tile_1_1_1) + bias;
      dtGive_1 = tw_min(tw_max(select(
          tw_log(1.0f + tw_exp(tw_min(v_2, 20.0f))), v_2, v_2 > 20.0f), launch.dtMin), launch.dtMax);
      logTake_1 = select(0.0f, tw_min(tw_max(select(
          tw_log(1.0f + tw_exp(tw_min(v_1, 20.0f))), v_1, v_1 > 20.0f), launch.dtMin), launch.dtMax) * a, t0 + t_BT + 8 < end);
      if (is_first) {
        logTake_convert[t_BT] = logTake_0;
        logTake_convert[t_BT + 8] = logTake_1;
      }
      storageBarrier();
      workgroupBarrier();
      var logTake_1_1: f32;
      logTake_1_1 = logTake_convert[logTake_convert_at];
      var scan_sum: f32 = logTake_1_1;
      if (is_first_1) {
        t93_parts[logTake_convert_at] = scan_sum;
      }
      storageBarrier();
      workgroupBarrier();
      var before: f32 = 0.0f;
      for (var r: i32 = 0; r < 16; r++) {
        var other: f32;
        other = t93_parts[r];
        before = select(before, before + other, r < logTake_convert_at);
      }
      scan_sum = before + scan_sum;
      var scan_sum_1_0: f32; var scan_sum_1_1: f32;
      scan_sum_1_0 = select(0.0f, dtGive_0 * a, t0 + t_J < end);
      scan_sum_1_1 = select(0.0f, dtGive_1 * a, t0 + t_J + 1 < end);
      scan_sum_1_1 = scan_sum_1_0 + scan_sum_1_1;
      if (is_first_2) {
        t94_parts[part] = scan_sum_1_1;
      }
      storageBarrier();
      workgroupBarrier();
      var before_1: f32 = 0.0f;
      var other_1: f32;
      other_1 = t94_parts[0];
      before_1 = select(before_1, before_1 + other_1, 0 < part);
      var other_2: f32;
      other_2 = t94_parts[1];
      before_1 = select(before_1, before_1 + other_2, 1 < part);
      var other_3: f32;
      other_3 = t94_parts[2];
      before_1 = select(before_1, before_1 + other_3, 2 < part);
      var other_4: f32;
      other_4 = t94_parts[3];
      before_1 = select(before_1, before_1 + other_4, 3 < part);
      var other_5: f32;
      other_5 = t94_parts[4];
      before_1 = select(before_1, before_1 + other_5, 4 < part);
      var other_6: f32;
      other_6 = t94_parts[5];
      before_1 = select(before_1, before_1 + other_6, 5 < part);
      var other_7: f32;
      other_7 = t94_parts[6];
      before_1 = select(before_1, before_1 + other_7, 6 < part);
      var other_8: f32;
      other_8 = t94_parts[7];
      before_1 = select(before_1, before_1 + other_8, 7 < part);
      scan_sum_1_0 = before_1 + scan_sum_1_0; scan_sum_1_1 = before_1 + scan_sum_1_1;
      var whole: f32 = 0.0f;
      whole = whole + logTake_0;
      whole = whole + logTake_1;
      if (is_first) {
        whole_parts[t_BT] = whole;
      }
      storageBarrier();
      workgroupBarrier();
      var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
      var parts_5: f32; var parts_6: f32; var parts_7: f32;
      parts_0 = whole_parts[0];
      parts_1 = whole_parts[1];
      parts_2 = whole_parts[2];
      parts_3 = whole_parts[3];
      parts_4 = whole_parts[4];
      parts_5 = whole_parts[5];
      parts_6 = whole_parts[6];
      parts_7 = whole_parts[7];
      whole = parts_0;
      whole = whole + parts_1;
      whole = whole + parts_2;
      whole = whole + parts_3;
      whole = whole + parts_4;
      whole = whole + parts_5;
      whole = whole + parts_6;
      whole = whole + parts_7;
      let position_4: i32 = t0 + t_J_1;
      let x_at_7: i32 = x_at_1 + t0 * launch.C;
      let x_in_4: bool = x_in & (u32(position_4) < u32(bound_1));
      var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
      var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
      let x_tile_word = select(0u, x[select(0, x_at_7 >> 1u, x_in_4)], x_in_4);
      x_tile_0 = x_tile_word & 0xffffu; x_tile_1 = x_tile_word >> 16u;
      let x_tile_word_1 = select(0u, x[select(0, (x_at_7 >> 1u) + 1, x_in_4)], x_in_4);
      x_tile_2 = x_tile_word_1 & 0xffffu; x_tile_3 = x_tile_word_1 >> 16u;
      let x_tile_word_2 = select(0u, x[select(0, (x_at_7 >> 1u) + 2, x_in_4)], x_in_4);
      x_tile_4 = x_tile_word_2 & 0xffffu; x_tile_5 = x_tile_word_2 >> 16u;
      let x_tile_word_3 = select(0u, x[select(0, (x_at_7 >> 1u) + 3, x_in_4)], x_in_4);
      x_tile_6 = x_tile_word_3 & 0xffffu; x_tile_7 = x_tile_word_3 >> 16u;
      var inputs_0: f32; var inputs_1: f32; var inputs_2: f32; var inputs_3: f32; var inputs_4: f32;
      var inputs_5: f32; var inputs_6: f32; var inputs_7: f32;
      inputs_0 = tw_bf16_to_f32(x_tile_0); inputs_1 = tw_bf16_to_f32(x_tile_1);
      inputs_2 = tw_bf16_to_f32(x_tile_2); inputs_3 = tw_bf16_to_f32(x_tile_3);
      inputs_4 = tw_bf16_to_f32(x_tile_4); inputs_5 = tw_bf16_to_f32(x_tile_5);
      inputs_6 = tw_bf16_to_f32(x_tile_6); inputs_7 = tw_bf16_to_f32(x_tile_7);
      let x_at_8: i32 = x_at_3 + t0 * launch.C;
      var x_tile_1_1_0: u32; var x_tile_1_1_1: u32; var x_tile_1_1_2: u32; var x_tile_1_1_3: u32;
      var x_tile_1_1_4: u32; var x_tile_1_1_5: u32; var x_tile_1_1_6: u32; var x_tile_1_1_7: u32;
      var x_tile_1_1_8: u32; var x_tile_1_1_9: u32; var x_tile_1_1_10: u32; var x_tile_1_1_11: u32;
      var x_tile_1_1_12: u32; var x_tile_1_1_13: u32; var x_tile_1_1_14: u32;
      var x_tile_1_1_15: u32;
      let x_tile_1_in = x_in_1 & (u32(position_2) < u32(bound_1));
      let x_tile_1_word = select(0u, x[select(0, x_at_8 >> 1u, x_tile_1_in)], x_tile_1_in);
      x_tile_1_1_0 = x_tile_1_word & 0xffffu; x_tile_1_1_1 = x_tile_1_word >> 16u;
      let x_tile_1_word_1 = select(0u, x[select(0, (x_at_8 >> 1u) + 1, x_tile_1_in)], x_tile_1_in);
      x_tile_1_1_2 = x_tile_1_word_1 & 0xffffu; x_tile_1_1_3 = x_tile_1_word_1 >> 16u;
      let x_tile_1_word_2 = select(0u, x[select(0, (x_at_8 >> 1u) + 2, x_tile_1_in)], x_tile_1_in);
      x_tile_1_1_4 = x_tile_1_word_2 & 0xffffu; x_tile_1_1_5 = x_tile_1_word_2 >> 16u;
      let x_tile_1_word_3 = select(0u, x[select(0, (x_at_8 >> 1u) + 3, x_tile_1_in)], x_tile_1_in);
      x_tile_1_1_6 = x_tile_1_word_3 & 0xffffu; x_tile_1_1_7 = x_tile_1_word_3 >> 16u;
      let x_tile_1_in_1 = x_in_1 & (u32(position_2 + 8) < u32(bound_1));
      let x_tile_1_at = x_at_8 + launch.C * 8;
      let x_tile_1_word_4 = select(
          0u, x[select(0, x_tile_1_at >> 1u, x_tile_1_in_1)], x_tile_1_in_1);
      x_tile_1_1_8 = x_tile_1_word_4 & 0xffffu; x_tile_1_1_9 = x_tile_1_word_4 >> 16u;
      let x_tile_1_word_5 = select(
          0u, x[select(0, (x_tile_1_at >> 1u) + 1, x_tile_1_in_1)], x_tile_1_in_1);
      x_tile_1_1_10 = x_tile_1_word_5 & 0xffffu; x_tile_1_1_11 = x_tile_1_word_5 >> 16u;
      let x_tile_1_word_6 = select(
          0u, x[select(0, (x_tile_1_at >> 1u) + 2, x_tile_1_in_1)], x_tile_1_in_1);
      x_tile_1_1_12 = x_tile_1_word_6 & 0xffffu; x_tile_1_1_13 = x_tile_1_word_6 >> 16u;
      let x_tile_1_word_7 = select(
          0u, x[select(0, (x_tile_1_at >> 1u) + 3, x_tile_1_in_1)], x_tile_1_in_1);
      x_tile_1_1_14 = x_tile_1_word_7 & 0xffffu; x_tile_1_1_15 = x_tile_1_word_7 >> 16u;
      let x_at_9: i32 = x_at_4 + t0 * launch.C;
      var x_tile_2_1_0: u32; var x_tile_2_1_1: u32; var x_tile_2_1_2: u32; var x_tile_2_1_3: u32;
      var x_tile_2_1_4: u32; var x_tile_2_1_5: u32; var x_tile_2_1_6: u32; var x_tile_2_1_7: u32;
      var x_tile_2_1_8: u32; var x_tile_2_1_9: u32; var x_tile_2_1_10: u32; var x_tile_2_1_11: u32;
      var x_tile_2_1_12: u32; var x_tile_2_1_13: u32; var x_tile_2_1_14: u32;
      var x_tile_2_1_15: u32;
      let x_tile_2_in = x_in_2 & (u32(position_2) < u32(bound_1));
      let x_tile_2_word = select(0u, x[select(0, x_at_9 >> 1u, x_tile_2_in)], x_tile_2_in);
      x_tile_2_1_0 = x_tile_2_word & 0xffffu; x_tile_2_1_1 = x_tile_2_word >> 16u;
      let x_tile_2_word_1 = select(0u, x[select(0, (x_at_9 >> 1u) + 1, x_tile_2_in)], x_tile_2_in);
      x_tile_2_1_2 = x_tile_2_word_1 & 0xffffu; x_tile_2_1_3 = x_tile_2_word_1 >> 16u;
      let x_tile_2_word_2 = select(0u, x[select(0, (x_at_9 >> 1u) + 2, x_tile_2_in)], x_tile_2_in);
      x_tile_2_1_4 = x_tile_2_word_2 & 0xffffu; x_tile_2_1_5 = x_tile_2_word_2 >> 16u;
      let x_tile_2_word_3 = select(0u, x[select(0, (x_at_9 >> 1u) + 3, x_tile_2_in)], x_tile_2_in);
      x_tile_2_1_6 = x_tile_2_word_3 & 0xffffu; x_tile_2_1_7 = x_tile_2_word_3 >> 16u;
      let x_tile_2_in_1 = x_in_2 & (u32(position_2 + 8) < u32(bound_1));
      let x_tile_2_at = x_at_9 + launch.C * 8;
      let x_tile_2_word_4 = select(
          0u, x[select(0, x_tile_2_at >> 1u, x_tile_2_in_1)], x_tile_2_in_1);
      x_tile_2_1_8 = x_tile_2_word_4 & 0xffffu; x_tile_2_1_9 = x_tile_2_word_4 >> 16u;
      let x_tile_2_word_5 = select(
          0u, x[select(0, (x_tile_2_at >> 1u) + 1, x_tile_2_in_1)], x_tile_2_in_1);
      x_tile_2_1_10 = x_tile_2_word_5 & 0xffffu; x_tile_2_1_11 = x_tile_2_word_5 >> 16u;
      let x_tile_2_word_6 = select(
          0u, x[select(0, (x_tile_2_at >> 1u) + 2, x_tile_2_in_1)], x_tile_2_in_1);
      x_tile_2_1_12 = x_tile_2_word_6 & 0xffffu; x_tile_2_1_13 = x_tile_2_word_6 >> 16u;
      let x_tile_2_word_7 = select(
          0u, x[select(0, (x_tile_2_at >> 1u) + 3, x_tile_2_in_1)], x_tile_2_in_1);
      x_tile_2_1_14 = x_tile_2_word_7 & 0xffffu; x_tile_2_1_15 = x_tile_2_word_7 >> 16u;
      var c_0: f32; var c_1: f32; var c_2: f32; var c_3: f32; var c_4: f32; var c_5: f32;
      var c_6: f32; var c_7: f32; var c_8: f32; var c_9: f32; var c_10: f32; var c_11: f32;
      var c_12: f32; var c_13: f32; var c_14: f32; var c_15: f32;
      c_0 = tw_bf16_to_f32(x_tile_2_1_0); c_1 = tw_bf16_to_f32(x_tile_2_1_1);
      c_2 = tw_bf16_to_f32(x_tile_2_1_2); c_3 = tw_bf16_to_f32(x_tile_2_1_3);
      c_4 = tw_bf16_to_f32(x_tile_2_1_4); c_5 = tw_bf16_to_f32(x_tile_2_1_5);
      c_6 = tw_bf16_to_f32(x_tile_2_1_6); c_7 = tw_bf16_to_f32(x_tile_2_1_7);
      c_8 = tw_bf16_to_f32(x_tile_2_1_8); c_9 = tw_bf16_to_f32(x_tile_2_1_9);
      c_10 = tw_bf16_to_f32(x_tile_2_1_10); c_11 = tw_bf16_to_f32(x_tile_2_1_11);
      c_12 = tw_bf16_to_f32(x_tile_2_1_12); c_13 = tw_bf16_to_f32(x_tile_2_1_13);
      c_14 = tw_bf16_to_f32(x_tile_2_1_14); c_15 = tw_bf16_to_f32(x_tile_2_1_15);
      if (is_first_1) {
        t93_convert[logTake_convert_at] = scan_sum;
      }
      storageBarrier();
      workgroupBarrier();
      var t_6_0: f32; var t_6_1: f32;
      t_6_0 = t93_convert[t_BT];
      t_6_1 = t93_convert[t_BT + 8];
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at] = c_0;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 1] = c_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 2] = c_2;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 3] = c_3;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 4] = c_4;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 4 + 1] = c_5;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 4 + 2] = c_6;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 4 + 3] = c_7;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 512] = c_8;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 512 + 1] = c_9;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 512 + 2] = c_10;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 512 + 3] = c_11;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 516] = c_12;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 516 + 1] = c_13;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 516 + 2] = c_14;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_at + 516 + 3] = c_15;
      var b_0: f32; var b_1: f32; var b_2: f32; var b_3: f32;
      b_0 = tw_bf16_to_f32(x_tile_1_1_0); b_1 = tw_bf16_to_f32(x_tile_1_1_1);
      b_2 = tw_bf16_to_f32(x_tile_1_1_2); b_3 = tw_bf16_to_f32(x_tile_1_1_3);
      b_shared[b_shared_at >> 2u] = vec4<f32>(b_0, b_1, b_2, b_3);
      var b_1_1_0: f32; var b_1_1_1: f32; var b_1_1_2: f32; var b_1_1_3: f32;
      b_1_1_0 = tw_bf16_to_f32(x_tile_1_1_4); b_1_1_1 = tw_bf16_to_f32(x_tile_1_1_5);
      b_1_1_2 = tw_bf16_to_f32(x_tile_1_1_6); b_1_1_3 = tw_bf16_to_f32(x_tile_1_1_7);
      b_shared[(b_shared_at + 4) >> 2u] = vec4<f32>(b_1_1_0, b_1_1_1, b_1_1_2, b_1_1_3);
      var b_2_1_0: f32; var b_2_1_1: f32; var b_2_1_2: f32; var b_2_1_3: f32;
      b_2_1_0 = tw_bf16_to_f32(x_tile_1_1_8); b_2_1_1 = tw_bf16_to_f32(x_tile_1_1_9);
      b_2_1_2 = tw_bf16_to_f32(x_tile_1_1_10); b_2_1_3 = tw_bf16_to_f32(x_tile_1_1_11);
      b_shared[(b_shared_at + 544) >> 2u] = vec4<f32>(b_2_1_0, b_2_1_1, b_2_1_2, b_2_1_3);
      var b_3_1_0: f32; var b_3_1_1: f32; var b_3_1_2: f32; var b_3_1_3: f32;
      b_3_1_0 = tw_bf16_to_f32(x_tile_1_1_12); b_3_1_1 = tw_bf16_to_f32(x_tile_1_1_13);
      b_3_1_2 = tw_bf16_to_f32(x_tile_1_1_14); b_3_1_3 = tw_bf16_to_f32(x_tile_1_1_15);
      b_shared[(b_shared_at + 548) >> 2u] = vec4<f32>(b_3_1_0, b_3_1_1, b_3_1_2, b_3_1_3);
      storageBarrier();
      workgroupBarrier();
      var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32;
      acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f;
      for (var r: i32 = 0; r < 16; r++) {
        var c_shared_1_0: f32; var c_shared_1_1: f32; var c_shared_1_2: f32; var c_shared_1_3: f32;
        var c_shared_1_4: f32; var c_shared_1_5: f32; var c_shared_1_6: f32; var c_shared_1_7: f32;
        var b_shared_1_0: f32; var b_shared_1_1: f32; var b_shared_1_2: f32; var b_shared_1_3: f32;
        var b_shared_1_4: f32; var b_shared_1_5: f32; var b_shared_1_6: f32; var b_shared_1_7: f32;
        let c_shared_1_at = c_shared_at_1 + r * 4;
        c_shared_1_0 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at];
        c_shared_1_1 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at + 1];
        c_shared_1_2 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at + 2];
        c_shared_1_3 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at + 3];
        let c_shared_1_at_1 = c_shared_at_1 + 512 + r * 4;
        c_shared_1_4 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at_1];
        c_shared_1_5 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at_1 + 1];
        c_shared_1_6 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at_1 + 2];
        c_shared_1_7 = shared_c_shared_carried_shared_inputs_shared_t143_shared[c_shared_1_at_1 + 3];
        let b_shared_1_word = b_shared[(b_shared_at_1 + r * 4) >> 2u];
        b_shared_1_0 = b_shared_1_word.x; b_shared_1_1 = b_shared_1_word.y;
        b_shared_1_2 = b_shared_1_word.z; b_shared_1_3 = b_shared_1_word.w;
        let b_shared_1_word_1 = b_shared[(b_shared_at_1 + 68 + r * 4) >> 2u];
        b_shared_1_4 = b_shared_1_word_1.x; b_shared_1_5 = b_shared_1_word_1.y;
        b_shared_1_6 = b_shared_1_word_1.z; b_shared_1_7 = b_shared_1_word_1.w;
        acc_0 = fma(c_shared_1_0, b_shared_1_0, acc_0);
        acc_1 = fma(c_shared_1_0, b_shared_1_4, acc_1);
        acc_2 = fma(c_shared_1_4, b_shared_1_0, acc_2);
        acc_3 = fma(c_shared_1_4, b_shared_1_4, acc_3);
        acc_0 = fma(c_shared_1_1, b_shared_1_1, acc_0);
        acc_1 = fma(c_shared_1_1, b_shared_1_5, acc_1);
        acc_2 = fma(c_shared_1_5, b_shared_1_1, acc_2);
        acc_3 = fma(c_shared_1_5, b_shared_1_5, acc_3);
        acc_0 = fma(c_shared_1_2, b_shared_1_2, acc_0);
        acc_1 = fma(c_shared_1_2, b_shared_1_6, acc_1);
        acc_2 = fma(c_shared_1_6, b_shared_1_2, acc_2);
        acc_3 = fma(c_shared_1_6, b_shared_1_6, acc_3);
        acc_0 = fma(c_shared_1_3, b_shared_1_3, acc_0);
        acc_1 = fma(c_shared_1_3, b_shared_1_7, acc_1);
        acc_2 = fma(c_shared_1_7, b_shared_1_3, acc_2);
        acc_3 = fma(c_shared_1_7, b_shared_1_7, acc_3);
      }
      var t120_shared_tile_0: f32; var t120_shared_tile_1: f32;
      t120_shared_tile_0 = acc_0 * tw_exp(select(
          tw_bits_f32(0xff800000u), t_6_0 - scan_sum_1_0, t_J <= t_BT)) * dtGive_0;
      t120_shared_tile_1 = acc_1 * tw_exp(select(
          tw_bits_f32(0xff800000u), t_6_0 - scan_sum_1_1, t_J + 1 <= t_BT)) * dtGive_1;
      t120_shared[t120_shared_at >> 1u] = vec2<f32>(t120_shared_tile_0, t120_shared_tile_1);
      var t120_shared_tile_1_1_0: f32; var t120_shared_tile_1_1_1: f32;
      t120_shared_tile_1_1_0 = acc_2 * tw_exp(select(
          tw_bits_f32(0xff800000u), t_6_1 - scan_sum_1_0, t_J <= t_BT + 8)) * dtGive_0;
      t120_shared_tile_1_1_1 = acc_3 * tw_exp(select(
          tw_bits_f32(0xff800000u), t_6_1 - scan_sum_1_1, t_J + 1 <= t_BT + 8)) * dtGive_1;
      t120_shared[(t120_shared_at + 128) >> 1u] = vec2<f32>(t120_shared_tile_1_1_0, t120_shared_tile_1_1_1);
      storageBarrier();
      workgroupBarrier();
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at] = inputs_0;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 1] = inputs_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 2] = inputs_2;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 3] = inputs_3;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4] = inputs_4;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4 + 1] = inputs_5;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4 + 2] = inputs_6;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4 + 3] = inputs_7;
      storageBarrier();
      workgroupBarrier();
      var within_0: f32; var within_1: f32; var within_2: f32; var within_3: f32; var within_4: f32;
      var within_5: f32; var within_6: f32; var within_7: f32;
      within_0 = 0.0f; within_1 = 0.0f; within_2 = 0.0f; within_3 = 0.0f; within_4 = 0.0f;
      within_5 = 0.0f; within_6 = 0.0f; within_7 = 0.0f;
      for (var r: i32 = 0; r < 4; r++) {
        var t120_shared_1_0: f32; var t120_shared_1_1: f32; var t120_shared_1_2: f32;
        var t120_shared_1_3: f32; var t120_shared_1_4: f32; var t120_shared_1_5: f32;
        var t120_shared_1_6: f32; var t120_shared_1_7: f32; var t120_shared_1_8: f32;
        var t120_shared_1_9: f32; var t120_shared_1_10: f32; var t120_shared_1_11: f32;
        var t120_shared_1_12: f32; var t120_shared_1_13: f32; var t120_shared_1_14: f32;
        var t120_shared_1_15: f32;
        var inputs_shared_1_0: f32; var inputs_shared_1_1: f32; var inputs_shared_1_2: f32;
        var inputs_shared_1_3: f32; var inputs_shared_1_4: f32; var inputs_shared_1_5: f32;
        var inputs_shared_1_6: f32; var inputs_shared_1_7: f32;
        let t120_shared_1_at = t120_shared_at_1 + r * 4;
        let t120_shared_1_word = t120_shared[t120_shared_1_at >> 1u];
        t120_shared_1_0 = t120_shared_1_word.x; t120_shared_1_1 = t120_shared_1_word.y;
        let t120_shared_1_word_1 = t120_shared[(t120_shared_1_at >> 1u) + 1];
        t120_shared_1_2 = t120_shared_1_word_1.x; t120_shared_1_3 = t120_shared_1_word_1.y;
        let t120_shared_1_at_1 = t120_shared_at_1 + 64 + r * 4;
        let t120_shared_1_word_2 = t120_shared[t120_shared_1_at_1 >> 1u];
        t120_shared_1_4 = t120_shared_1_word_2.x; t120_shared_1_5 = t120_shared_1_word_2.y;
        let t120_shared_1_word_3 = t120_shared[(t120_shared_1_at_1 >> 1u) + 1];
        t120_shared_1_6 = t120_shared_1_word_3.x; t120_shared_1_7 = t120_shared_1_word_3.y;
        let t120_shared_1_at_2 = t120_shared_at_1 + 128 + r * 4;
        let t120_shared_1_word_4 = t120_shared[t120_shared_1_at_2 >> 1u];
        t120_shared_1_8 = t120_shared_1_word_4.x; t120_shared_1_9 = t120_shared_1_word_4.y;
        let t120_shared_1_word_5 = t120_shared[(t120_shared_1_at_2 >> 1u) + 1];
        t120_shared_1_10 = t120_shared_1_word_5.x; t120_shared_1_11 = t120_shared_1_word_5.y;
        let t120_shared_1_at_3 = t120_shared_at_1 + 192 + r * 4;
        let t120_shared_1_word_6 = t120_shared[t120_shared_1_at_3 >> 1u];
        t120_shared_1_12 = t120_shared_1_word_6.x; t120_shared_1_13 = t120_shared_1_word_6.y;
        let t120_shared_1_word_7 = t120_shared[(t120_shared_1_at_3 >> 1u) + 1];
        t120_shared_1_14 = t120_shared_1_word_7.x; t120_shared_1_15 = t120_shared_1_word_7.y;
        let inputs_shared_1_at = inputs_shared_at_1 + r * 144;
        inputs_shared_1_0 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at];
        inputs_shared_1_1 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at + 1];
        let inputs_shared_1_at_1 = inputs_shared_at_1 + r * 144;
        inputs_shared_1_2 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at_1 + 36];
        inputs_shared_1_3 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at_1 + 36 + 1];
        let inputs_shared_1_at_2 = inputs_shared_at_1 + r * 144;
        inputs_shared_1_4 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at_2 + 72];
        inputs_shared_1_5 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at_2 + 72 + 1];
        let inputs_shared_1_at_3 = inputs_shared_at_1 + r * 144;
        inputs_shared_1_6 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at_3 + 108];
        inputs_shared_1_7 = shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_1_at_3 + 108 + 1];
        within_0 = fma(t120_shared_1_0, inputs_shared_1_0, within_0);
        within_1 = fma(t120_shared_1_0, inputs_shared_1_1, within_1);
        within_2 = fma(t120_shared_1_4, inputs_shared_1_0, within_2);
        within_3 = fma(t120_shared_1_4, inputs_shared_1_1, within_3);
        within_4 = fma(t120_shared_1_8, inputs_shared_1_0, within_4);
        within_5 = fma(t120_shared_1_8, inputs_shared_1_1, within_5);
        within_6 = fma(t120_shared_1_12, inputs_shared_1_0, within_6);
        within_7 = fma(t120_shared_1_12, inputs_shared_1_1, within_7);
        within_0 = fma(t120_shared_1_1, inputs_shared_1_2, within_0);
        within_1 = fma(t120_shared_1_1, inputs_shared_1_3, within_1);
        within_2 = fma(t120_shared_1_5, inputs_shared_1_2, within_2);
        within_3 = fma(t120_shared_1_5, inputs_shared_1_3, within_3);
        within_4 = fma(t120_shared_1_9, inputs_shared_1_2, within_4);
        within_5 = fma(t120_shared_1_9, inputs_shared_1_3, within_5);
        within_6 = fma(t120_shared_1_13, inputs_shared_1_2, within_6);
        within_7 = fma(t120_shared_1_13, inputs_shared_1_3, within_7);
        within_0 = fma(t120_shared_1_2, inputs_shared_1_4, within_0);
        within_1 = fma(t120_shared_1_2, inputs_shared_1_5, within_1);
        within_2 = fma(t120_shared_1_6, inputs_shared_1_4, within_2);
        within_3 = fma(t120_shared_1_6, inputs_shared_1_5, within_3);
        within_4 = fma(t120_shared_1_10, inputs_shared_1_4, within_4);
        within_5 = fma(t120_shared_1_10, inputs_shared_1_5, within_5);
        within_6 = fma(t120_shared_1_14, inputs_shared_1_4, within_6);
        within_7 = fma(t120_shared_1_14, inputs_shared_1_5, within_7);
        within_0 = fma(t120_shared_1_3, inputs_shared_1_6, within_0);
        within_1 = fma(t120_shared_1_3, inputs_shared_1_7, within_1);
        within_2 = fma(t120_shared_1_7, inputs_shared_1_6, within_2);
        within_3 = fma(t120_shared_1_7, inputs_shared_1_7, within_3);
        within_4 = fma(t120_shared_1_11, inputs_shared_1_6, within_4);
        within_5 = fma(t120_shared_1_11, inputs_shared_1_7, within_5);
        within_6 = fma(t120_shared_1_15, inputs_shared_1_6, within_6);
        within_7 = fma(t120_shared_1_15, inputs_shared_1_7, within_7);
      }
      let t_7: f32 = tw_exp(t_6_0);
      var t124_shared_tile_0: f32; var t124_shared_tile_1: f32; var t124_shared_tile_2: f32;
      var t124_shared_tile_3: f32;
      t124_shared_tile_0 = c_0 * t_7; t124_shared_tile_1 = c_1 * t_7;
      t124_shared_tile_2 = c_2 * t_7; t124_shared_tile_3 = c_3 * t_7;
      t124_shared[c_shared_at >> 2u] = vec4<f32>(
          t124_shared_tile_0, t124_shared_tile_1, t124_shared_tile_2, t124_shared_tile_3);
      var t124_shared_tile_1_1_0: f32; var t124_shared_tile_1_1_1: f32;
      var t124_shared_tile_1_1_2: f32; var t124_shared_tile_1_1_3: f32;
      t124_shared_tile_1_1_0 = c_4 * t_7; t124_shared_tile_1_1_1 = c_5 * t_7;
      t124_shared_tile_1_1_2 = c_6 * t_7; t124_shared_tile_1_1_3 = c_7 * t_7;
      t124_shared[(c_shared_at + 4) >> 2u] = vec4<f32>(
          t124_shared_tile_1_1_0, t124_shared_tile_1_1_1, t124_shared_tile_1_1_2,
          t124_shared_tile_1_1_3);
      let t_8: f32 = tw_exp(t_6_1);
      var t124_shared_tile_2_1_0: f32; var t124_shared_tile_2_1_1: f32;
      var t124_shared_tile_2_1_2: f32; var t124_shared_tile_2_1_3: f32;
      t124_shared_tile_2_1_0 = c_8 * t_8; t124_shared_tile_2_1_1 = c_9 * t_8;
      t124_shared_tile_2_1_2 = c_10 * t_8; t124_shared_tile_2_1_3 = c_11 * t_8;
      t124_shared[(c_shared_at + 512) >> 2u] = vec4<f32>(
          t124_shared_tile_2_1_0, t124_shared_tile_2_1_1, t124_shared_tile_2_1_2,
          t124_shared_tile_2_1_3);
      var t124_shared_tile_3_1_0: f32; var t124_shared_tile_3_1_1: f32;
      var t124_shared_tile_3_1_2: f32; var t124_shared_tile_3_1_3: f32;
      t124_shared_tile_3_1_0 = c_12 * t_8; t124_shared_tile_3_1_1 = c_13 * t_8;
      t124_shared_tile_3_1_2 = c_14 * t_8; t124_shared_tile_3_1_3 = c_15 * t_8;
      t124_shared[(c_shared_at + 516) >> 2u] = vec4<f32>(
          t124_shared_tile_3_1_0, t124_shared_tile_3_1_1, t124_shared_tile_3_1_2,
          t124_shared_tile_3_1_3);
      storageBarrier();
      workgroupBarrier();
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at] = carried_0;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1] = carried_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 2] = carried_2;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 3] = carried_3;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 272] = carried_4;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 272 + 1] = carried_5;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 272 + 2] = carried_6;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 272 + 3] = carried_7;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 544] = carried_8;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 544 + 1] = carried_9;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 544 + 2] = carried_10;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 544 + 3] = carried_11;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 816] = carried_12;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 816 + 1] = carried_13;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 816 + 2] = carried_14;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 816 + 3] = carried_15;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1088] = carried_16;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1088 + 1] = carried_17;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1088 + 2] = carried_18;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1088 + 3] = carried_19;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1360] = carried_20;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1360 + 1] = carried_21;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1360 + 2] = carried_22;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1360 + 3] = carried_23;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1632] = carried_24;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1632 + 1] = carried_25;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1632 + 2] = carried_26;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1632 + 3] = carried_27;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1904] = carried_28;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1904 + 1] = carried_29;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1904 + 2] = carried_30;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_at + 1904 + 3] = carried_31;
      storageBarrier();
      workgroupBarrier();
      var before_2_0: f32; var before_2_1: f32; var before_2_2: f32; var before_2_3: f32;
      var before_2_4: f32; var before_2_5: f32; var before_2_6: f32; var before_2_7: f32;
      before_2_0 = 0.0f; before_2_1 = 0.0f; before_2_2 = 0.0f; before_2_3 = 0.0f; before_2_4 = 0.0f;
      before_2_5 = 0.0f; before_2_6 = 0.0f; before_2_7 = 0.0f;
      for (var r: i32 = 0; r < 16; r++) {
        var t124_shared_1_0: f32; var t124_shared_1_1: f32; var t124_shared_1_2: f32;
        var t124_shared_1_3: f32; var t124_shared_1_4: f32; var t124_shared_1_5: f32;
        var t124_shared_1_6: f32; var t124_shared_1_7: f32; var t124_shared_1_8: f32;
        var t124_shared_1_9: f32; var t124_shared_1_10: f32; var t124_shared_1_11: f32;
        var t124_shared_1_12: f32; var t124_shared_1_13: f32; var t124_shared_1_14: f32;
        var t124_shared_1_15: f32;
        var carried_shared_1_0: f32; var carried_shared_1_1: f32; var carried_shared_1_2: f32;
        var carried_shared_1_3: f32; var carried_shared_1_4: f32; var carried_shared_1_5: f32;
        var carried_shared_1_6: f32; var carried_shared_1_7: f32;
        let t124_shared_1_word = t124_shared[(t124_shared_at + r * 4) >> 2u];
        t124_shared_1_0 = t124_shared_1_word.x; t124_shared_1_1 = t124_shared_1_word.y;
        t124_shared_1_2 = t124_shared_1_word.z; t124_shared_1_3 = t124_shared_1_word.w;
        let t124_shared_1_word_1 = t124_shared[(t124_shared_at + 256 + r * 4) >> 2u];
        t124_shared_1_4 = t124_shared_1_word_1.x; t124_shared_1_5 = t124_shared_1_word_1.y;
        t124_shared_1_6 = t124_shared_1_word_1.z; t124_shared_1_7 = t124_shared_1_word_1.w;
        let t124_shared_1_word_2 = t124_shared[(t124_shared_at + 512 + r * 4) >> 2u];
        t124_shared_1_8 = t124_shared_1_word_2.x; t124_shared_1_9 = t124_shared_1_word_2.y;
        t124_shared_1_10 = t124_shared_1_word_2.z; t124_shared_1_11 = t124_shared_1_word_2.w;
        let t124_shared_1_word_3 = t124_shared[(t124_shared_at + 768 + r * 4) >> 2u];
        t124_shared_1_12 = t124_shared_1_word_3.x; t124_shared_1_13 = t124_shared_1_word_3.y;
        t124_shared_1_14 = t124_shared_1_word_3.z; t124_shared_1_15 = t124_shared_1_word_3.w;
        let carried_shared_1_at = carried_shared_at_1 + r * 4;
        carried_shared_1_0 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at];
        carried_shared_1_1 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at + 1];
        carried_shared_1_2 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at + 2];
        carried_shared_1_3 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at + 3];
        let carried_shared_1_at_1 = carried_shared_at_1 + 68 + r * 4;
        carried_shared_1_4 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at_1];
        carried_shared_1_5 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at_1 + 1];
        carried_shared_1_6 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at_1 + 2];
        carried_shared_1_7 = shared_c_shared_carried_shared_inputs_shared_t143_shared[carried_shared_1_at_1 + 3];
        before_2_0 = fma(t124_shared_1_0, carried_shared_1_0, before_2_0);
        before_2_1 = fma(t124_shared_1_0, carried_shared_1_4, before_2_1);
        before_2_2 = fma(t124_shared_1_4, carried_shared_1_0, before_2_2);
        before_2_3 = fma(t124_shared_1_4, carried_shared_1_4, before_2_3);
        before_2_4 = fma(t124_shared_1_8, carried_shared_1_0, before_2_4);
        before_2_5 = fma(t124_shared_1_8, carried_shared_1_4, before_2_5);
        before_2_6 = fma(t124_shared_1_12, carried_shared_1_0, before_2_6);
        before_2_7 = fma(t124_shared_1_12, carried_shared_1_4, before_2_7);
        before_2_0 = fma(t124_shared_1_1, carried_shared_1_1, before_2_0);
        before_2_1 = fma(t124_shared_1_1, carried_shared_1_5, before_2_1);
        before_2_2 = fma(t124_shared_1_5, carried_shared_1_1, before_2_2);
        before_2_3 = fma(t124_shared_1_5, carried_shared_1_5, before_2_3);
        before_2_4 = fma(t124_shared_1_9, carried_shared_1_1, before_2_4);
        before_2_5 = fma(t124_shared_1_9, carried_shared_1_5, before_2_5);
        before_2_6 = fma(t124_shared_1_13, carried_shared_1_1, before_2_6);
        before_2_7 = fma(t124_shared_1_13, carried_shared_1_5, before_2_7);
        before_2_0 = fma(t124_shared_1_2, carried_shared_1_2, before_2_0);
        before_2_1 = fma(t124_shared_1_2, carried_shared_1_6, before_2_1);
        before_2_2 = fma(t124_shared_1_6, carried_shared_1_2, before_2_2);
        before_2_3 = fma(t124_shared_1_6, carried_shared_1_6, before_2_3);
        before_2_4 = fma(t124_shared_1_10, carried_shared_1_2, before_2_4);
        before_2_5 = fma(t124_shared_1_10, carried_shared_1_6, before_2_5);
        before_2_6 = fma(t124_shared_1_14, carried_shared_1_2, before_2_6);
        before_2_7 = fma(t124_shared_1_14, carried_shared_1_6, before_2_7);
        before_2_0 = fma(t124_shared_1_3, carried_shared_1_3, before_2_0);
        before_2_1 = fma(t124_shared_1_3, carried_shared_1_7, before_2_1);
        before_2_2 = fma(t124_shared_1_7, carried_shared_1_3, before_2_2);
        before_2_3 = fma(t124_shared_1_7, carried_shared_1_7, before_2_3);
        before_2_4 = fma(t124_shared_1_11, carried_shared_1_3, before_2_4);
        before_2_5 = fma(t124_shared_1_11, carried_shared_1_7, before_2_5);
        before_2_6 = fma(t124_shared_1_15, carried_shared_1_3, before_2_6);
        before_2_7 = fma(t124_shared_1_15, carried_shared_1_7, before_2_7);
      }
      let x_at_10: i32 = x_at_6 + t0 * launch.C;
      var x_tile_3_1_0: u32; var x_tile_3_1_1: u32; var x_tile_3_1_2: u32; var x_tile_3_1_3: u32;
      var x_tile_3_1_4: u32; var x_tile_3_1_5: u32; var x_tile_3_1_6: u32; var x_tile_3_1_7: u32;
      let position_5: i32 = t0 + t_P;
      let x_tile_3_in = x_in_3 & (u32(position_5) < u32(bound_1));
      let x_tile_3_word = select(0u, x[select(0, x_at_10 >> 1u, x_tile_3_in)], x_tile_3_in);
      x_tile_3_1_0 = x_tile_3_word & 0xffffu; x_tile_3_1_1 = x_tile_3_word >> 16u;
      let x_tile_3_in_1 = x_in_3 & (u32(position_5 + 4) < u32(bound_1));
      let x_tile_3_word_1 = select(0u, x[select(
          0, (x_at_10 + launch.C * 4) >> 1u, x_tile_3_in_1)], x_tile_3_in_1);
      x_tile_3_1_2 = x_tile_3_word_1 & 0xffffu; x_tile_3_1_3 = x_tile_3_word_1 >> 16u;
      let x_tile_3_in_2 = x_in_3 & (u32(position_5 + 8) < u32(bound_1));
      let x_tile_3_word_2 = select(0u, x[select(
          0, (x_at_10 + launch.C * 8) >> 1u, x_tile_3_in_2)], x_tile_3_in_2);
      x_tile_3_1_4 = x_tile_3_word_2 & 0xffffu; x_tile_3_1_5 = x_tile_3_word_2 >> 16u;
      let x_tile_3_in_3 = x_in_3 & (u32(position_5 + 12) < u32(bound_1));
      let x_tile_3_word_3 = select(0u, x[select(
          0, (x_at_10 + launch.C * 12) >> 1u, x_tile_3_in_3)], x_tile_3_in_3);
      x_tile_3_1_6 = x_tile_3_word_3 & 0xffffu; x_tile_3_1_7 = x_tile_3_word_3 >> 16u;
      var heads_tile_1: f32;
      heads_tile_1 = heads[heads_at_1];
      let y_at_2: i32 = y_at_1 + t0 * t_2;
      var y_tile_0: u32; var y_tile_1: u32;
      y_tile_0 = tw_f32_to_bf16(within_0 + before_2_0 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_0));
      y_tile_1 = tw_f32_to_bf16(within_1 + before_2_1 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_1));
      if (y_in & (u32(position_5) < u32(bound_1))) {
        y[y_at_2 >> 1u] = y_tile_0 | (y_tile_1 << 16u);
      }
      var y_tile_1_1_0: u32; var y_tile_1_1_1: u32;
      y_tile_1_1_0 = tw_f32_to_bf16(within_2 + before_2_2 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_2));
      y_tile_1_1_1 = tw_f32_to_bf16(within_3 + before_2_3 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_3));
      if (y_in & (u32(position_5 + 4) < u32(bound_1))) {
        y[(y_at_2 + t_2 * 4) >> 1u] = y_tile_1_1_0 | (y_tile_1_1_1 << 16u);
      }
      var y_tile_2_0: u32; var y_tile_2_1: u32;
      y_tile_2_0 = tw_f32_to_bf16(within_4 + before_2_4 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_4));
      y_tile_2_1 = tw_f32_to_bf16(within_5 + before_2_5 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_5));
      if (y_in & (u32(position_5 + 8) < u32(bound_1))) {
        y[(y_at_2 + t_2 * 8) >> 1u] = y_tile_2_0 | (y_tile_2_1 << 16u);
      }
      var y_tile_3_0: u32; var y_tile_3_1: u32;
      y_tile_3_0 = tw_f32_to_bf16(within_6 + before_2_6 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_6));
      y_tile_3_1 = tw_f32_to_bf16(within_7 + before_2_7 + heads_tile_1 * tw_bf16_to_f32(x_tile_3_1_7));
      if (y_in & (u32(position_5 + 12) < u32(bound_1))) {
        y[(y_at_2 + t_2 * 12) >> 1u] = y_tile_3_0 | (y_tile_3_1 << 16u);
      }
      let t_9: f32 = tw_exp(whole);
      var weight_0: f32; var weight_1: f32;
      weight_0 = dtGive_0 * tw_exp(whole - scan_sum_1_0);
      weight_1 = dtGive_1 * tw_exp(whole - scan_sum_1_1);
      if (is_first_2) {
        weight_convert[t_J] = weight_0;
        weight_convert[t_J + 1] = weight_1;
      }
      storageBarrier();
      workgroupBarrier();
      var weight_1_1: f32;
      weight_1_1 = weight_convert[t_J_1];
      var t143_shared_tile_0: f32; var t143_shared_tile_1: f32; var t143_shared_tile_2: f32;
      var t143_shared_tile_3: f32;
      t143_shared_tile_0 = inputs_0 * weight_1_1; t143_shared_tile_1 = inputs_1 * weight_1_1;
      t143_shared_tile_2 = inputs_2 * weight_1_1; t143_shared_tile_3 = inputs_3 * weight_1_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at] = t143_shared_tile_0;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 1] = t143_shared_tile_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 2] = t143_shared_tile_2;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 3] = t143_shared_tile_3;
      var t143_shared_tile_1_1_0: f32; var t143_shared_tile_1_1_1: f32;
      var t143_shared_tile_1_1_2: f32; var t143_shared_tile_1_1_3: f32;
      t143_shared_tile_1_1_0 = inputs_4 * weight_1_1;
      t143_shared_tile_1_1_1 = inputs_5 * weight_1_1;
      t143_shared_tile_1_1_2 = inputs_6 * weight_1_1;
      t143_shared_tile_1_1_3 = inputs_7 * weight_1_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4] = t143_shared_tile_1_1_0;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4 + 1] = t143_shared_tile_1_1_1;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4 + 2] = t143_shared_tile_1_1_2;
      shared_c_shared_carried_shared_inputs_shared_t143_shared[inputs_shared_at + 4 + 3] = t143_shared_tile_1_1_3;
      storageBarrier();
      workgroupBarrier();
      var acc_1_1_0: f32; var acc_1_1_1: f32; var acc_1_1_2: f32; var acc_1_1_3: f32;
      var acc_1_1_4: f32; var acc_1_1_5: f32; var acc_1_1_6: f32; var acc_1_1_7: f32;
      var acc_1_1_8: f32; var acc_1_1_9: f32; var acc_1_1_10: f32; var acc_1_1_11: f32;
      var acc_1_1_12: f32; var acc_1_1_13: f32; var acc_1_1_14: f32; var acc_1_1_15: f32;
      var acc_1_1_16: f32; var acc_1_1_17: f32; var acc_1_1_18: f32; var acc_1_1_19: f32;
      var acc_1_1_20: f32; var acc_1_1_21: f32; var acc_1_1_22: f32; var acc_1_1_23: f32;
      var acc_1_1_24: f32; var acc_1_1_25: f32; var acc_1_1_26: f32; var acc_1_1_27: f32;
      var acc_1_1_28: f32; var acc_1_1_29: f32; var acc_1_1_30: f32; var acc_1_1_31: f32;
      acc_1_1_0 = 0.0f; acc_1_1_1 = 0.0f; acc_1_1_2 = 0.0f; acc_1_1_3 = 0.0f; acc_1_1_4 = 0.0f;
      acc_1_1_5 = 0.0f; acc_1_1_6 = 0.0f; acc_1_1_7 = 0.0f; acc_1_1_8 = 0.0f; acc_1_1_9 = 0.0f;
      acc_1_1_10 = 0.0f; acc_1_1_11 = 0.0f; acc_1_1_12 = 0.0f; acc_1_1_13 = 0.0f; acc_1_1_14 = 0.0f;
      acc_1_1_15 = 0.0f; acc_1_1_16 = 0.0f; acc_1_1_17 = 0.0f; acc_1_1_18 = 0.0f; acc_1_1_19 = 0.0f;
      acc_1_1_20 = 0.0f; acc_1_1_21 = 0.0f; acc_1_1_22 = 0.0f; acc_1_1_23 = 0.0f; acc_1_1_24 = 0.0f;
      acc_1_1_25 = 0.0f; acc_1_1_26 = 0.0f; acc_1_1_27 = 0.0f; acc_1_1_28 = 0.0f; acc_1_1_29 = 0.0f;
      acc_1_1_30 = 0.0f; acc_1_1_31 = 0.0f;
      for (var r: i32 = 0; r < 4; r++) {
        var t143_shared_1_0: f32; var t143_shared_1_1: f32; var t143_shared_1_2: f32;
        var t143_shared_1_3: f32; var t143_shared_1_4: f32; var t143_shared_1_5: f32;
        var t143_shared_1_6: f32; var t143_shared_1_7: f32; var t143_shared_1_8: f32;
        var t143_shared_1_9: f32; var t143_shared_1_10: f32; var t143_shared_1_11: f32;
        var t143_shared_1_12: f32; var t143_shared_1_13: f32; var t143_shared_1_14: f32;
        var t143_shared_1_15: f32; var t143_shared_1_16: f32; var t143_shared_1_17: f32;
        var t143_shared_1_18: f32; var t143_shared_1_19: f32; var t143_shared_1_20: f32;
        var t143_shared_1_21: f32; var t143_shared_1_22: f32; var t143_shared_1_23: f32;
        var t143_shared_1_24: f32; var t143_shared_1_25: f32; var t143_shared_1_26: f32;
        var t143_shared_1_27: f32; var t143_shared_1_28: f32; var t143_shared_1_29: f32;
        var t143_shared_1_30: f32; var t143_shared_1_31: f32;
        var b_shared_2_0: f32; var b_shared_2_1: f32; var b_shared_2_2: f32; var b_shared_2_3: f32;
        var b_shared_2_4: f32; var b_shared_2_5: f32; var b_shared_2_6: f32; var b_shared_2_7: f32;
        var b_shared_2_8: f32; var b_shared_2_9: f32; var b_shared_2_10: f32;
        var b_shared_2_11: f32; var b_shared_2_12: f32; var b_shared_2_13: f32;
        var b_shared_2_14: f32; var b_shared_2_15: f32;
        t143_shared_1_0 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144];
        t143_shared_1_8 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 36];
        t143_shared_1_16 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 72];
        t143_shared_1_24 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 108];
        t143_shared_1_1 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 4];
        t143_shared_1_9 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 40];
        t143_shared_1_17 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 76];
        t143_shared_1_25 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 112];
        t143_shared_1_2 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 8];
        t143_shared_1_10 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 44];
        t143_shared_1_18 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 80];
        t143_shared_1_26 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 116];
        t143_shared_1_3 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 12];
        t143_shared_1_11 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 48];
        t143_shared_1_19 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 84];
        t143_shared_1_27 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 120];
        t143_shared_1_4 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 16];
        t143_shared_1_12 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 52];
        t143_shared_1_20 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 88];
        t143_shared_1_28 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 124];
        t143_shared_1_5 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 20];
        t143_shared_1_13 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 56];
        t143_shared_1_21 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 92];
        t143_shared_1_29 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 128];
        t143_shared_1_6 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 24];
        t143_shared_1_14 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 60];
        t143_shared_1_22 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 96];
        t143_shared_1_30 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 132];
        t143_shared_1_7 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 28];
        t143_shared_1_15 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 64];
        t143_shared_1_23 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 100];
        t143_shared_1_31 = shared_c_shared_carried_shared_inputs_shared_t143_shared[t_P + r * 144 + 136];
        let b_shared_2_word = b_shared[(b_shared_at_2 + r * 272) >> 2u];
        b_shared_2_0 = b_shared_2_word.x; b_shared_2_1 = b_shared_2_word.y;
        b_shared_2_2 = b_shared_2_word.z; b_shared_2_3 = b_shared_2_word.w;
        let b_shared_2_word_1 = b_shared[(b_shared_at_2 + r * 272 + 68) >> 2u];
        b_shared_2_4 = b_shared_2_word_1.x; b_shared_2_5 = b_shared_2_word_1.y;
        b_shared_2_6 = b_shared_2_word_1.z; b_shared_2_7 = b_shared_2_word_1.w;
        let b_shared_2_word_2 = b_shared[(b_shared_at_2 + r * 272 + 136) >> 2u];
        b_shared_2_8 = b_shared_2_word_2.x; b_shared_2_9 = b_shared_2_word_2.y;
        b_shared_2_10 = b_shared_2_word_2.z; b_shared_2_11 = b_shared_2_word_2.w;
        let b_shared_2_word_3 = b_shared[(b_shared_at_2 + r * 272 + 204) >> 2u];
        b_shared_2_12 = b_shared_2_word_3.x; b_shared_2_13 = b_shared_2_word_3.y;
        b_shared_2_14 = b_shared_2_word_3.z; b_shared_2_15 = b_shared_2_word_3.w;
        acc_1_1_0 = fma(t143_shared_1_0, b_shared_2_0, acc_1_1_0);
        acc_1_1_1 = fma(t143_shared_1_0, b_shared_2_1, acc_1_1_1);
        acc_1_1_2 = fma(t143_shared_1_0, b_shared_2_2, acc_1_1_2);
        acc_1_1_3 = fma(t143_shared_1_0, b_shared_2_3, acc_1_1_3);
        acc_1_1_4 = fma(t143_shared_1_1, b_shared_2_0, acc_1_1_4);
        acc_1_1_5 = fma(t143_shared_1_1, b_shared_2_1, acc_1_1_5);
        acc_1_1_6 = fma(t143_shared_1_1, b_shared_2_2, acc_1_1_6);
        acc_1_1_7 = fma(t143_shared_1_1, b_shared_2_3, acc_1_1_7);
        acc_1_1_8 = fma(t143_shared_1_2, b_shared_2_0, acc_1_1_8);
        acc_1_1_9 = fma(t143_shared_1_2, b_shared_2_1, acc_1_1_9);
        acc_1_1_10 = fma(t143_shared_1_2, b_shared_2_2, acc_1_1_10);
        acc_1_1_11 = fma(t143_shared_1_2, b_shared_2_3, acc_1_1_11);
        acc_1_1_12 = fma(t143_shared_1_3, b_shared_2_0, acc_1_1_12);
        acc_1_1_13 = fma(t143_shared_1_3, b_shared_2_1, acc_1_1_13);
        acc_1_1_14 = fma(t143_shared_1_3, b_shared_2_2, acc_1_1_14);
        acc_1_1_15 = fma(t143_shared_1_3, b_shared_2_3, acc_1_1_15);
        acc_1_1_16 = fma(t143_shared_1_4, b_shared_2_0, acc_1_1_16);
        acc_1_1_17 = fma(t143_shared_1_4, b_shared_2_1, acc_1_1_17);
        acc_1_1_18 = fma(t143_shared_1_4, b_shared_2_2, acc_1_1_18);
        acc_1_1_19 = fma(t143_shared_1_4, b_shared_2_3, acc_1_1_19);
        acc_1_1_20 = fma(t143_shared_1_5, b_shared_2_0, acc_1_1_20);
        acc_1_1_21 = fma(t143_shared_1_5, b_shared_2_1, acc_1_1_21);
        acc_1_1_22 = fma(t143_shared_1_5, b_shared_2_2, acc_1_1_22);
        acc_1_1_23 = fma(t143_shared_1_5, b_shared_2_3, acc_1_1_23);
        acc_1_1_24 = fma(t143_shared_1_6, b_shared_2_0, acc_1_1_24);
        acc_1_1_25 = fma(t143_shared_1_6, b_shared_2_1, acc_1_1_25);
        acc_1_1_26 = fma(t143_shared_1_6, b_shared_2_2, acc_1_1_26);
        acc_1_1_27 = fma(t143_shared_1_6, b_shared_2_3, acc_1_1_27);
        acc_1_1_28 = fma(t143_shared_1_7, b_shared_2_0, acc_1_1_28);
        acc_1_1_29 = fma(t143_shared_1_7, b_shared_2_1, acc_1_1_29);
        acc_1_1_30 = fma(t143_shared_1_7, b_shared_2_2, acc_1_1_30);
        acc_1_1_31 = fma(t143_shared_1_7, b_shared_2_3, acc_1_1_31);
        acc_1_1_0 = fma(t143_shared_1_8, b_shared_2_4, acc_1_1_0);
        acc_1_1_1 = fma(t143_shared_1_8, b_shared_2_5, acc_1_1_1);
        acc_1_1_2 = fma(t143_shared_1_8, b_shared_2_6, acc_1_1_2);
        acc_1_1_3 = fma(t143_shared_1_8, b_shared_2_7, acc_1_1_3);
        acc_1_1_4 = fma(t143_shared_1_9, b_shared_2_4, acc_1_1_4);
        acc_1_1_5 = fma(t143_shared_1_9, b_shared_2_5, acc_1_1_5);
        acc_1_1_6 = fma(t143_shared_1_9, b_shared_2_6, acc_1_1_6);
        acc_1_1_7 = fma(t143_shared_1_9, b_shared_2_7, acc_1_1_7);
        acc_1_1_8 = fma(t143_shared_1_10, b_shared_2_4, acc_1_1_8);
        acc_1_1_9 = fma(t143_shared_1_10, b_shared_2_5, acc_1_1_9);
        acc_1_1_10 = fma(t143_shared_1_10, b_shared_2_6, acc_1_1_10);
        acc_1_1_11 = fma(t143_shared_1_10, b_shared_2_7, acc_1_1_11);
        acc_1_1_12 = fma(t143_shared_1_11, b_shared_2_4, acc_1_1_12);
        acc_1_1_13 = fma(t143_shared_1_11, b_shared_2_5, acc_1_1_13);
        acc_1_1_14 = fma(t143_shared_1_11, b_shared_2_6, acc_1_1_14);
        acc_1_1_15 = fma(t143_shared_1_11, b_shared_2_7, acc_1_1_15);
        acc_1_1_16 = fma(t143_shared_1_12, b_shared_2_4, acc_1_1_16);
        acc_1_1_17 = fma(t143_shared_1_12, b_shared_2_5, acc_1_1_17);
        acc_1_1_18 = fma(t143_shared_1_12, b_shared_2_6, acc_1_1_18);
        acc_1_1_19 = fma(t143_shared_1_12, b_shared_2_7, acc_1_1_19);
        acc_1_1_20 = fma(t143_shared_1_13, b_shared_2_4, acc_1_1_20);
        acc_1_1_21 = fma(t143_shared_1_13, b_shared_2_5, acc_1_1_21);
        acc_1_1_22 = fma(t143_shared_1_13, b_shared_2_6, acc_1_1_22);
        acc_1_1_23 = fma(t143_shared_1_13, b_shared_2_7, acc_1_1_23);
        acc_1_1_24 = fma(t143_shared_1_14, b_shared_2_4, acc_1_1_24);
        acc_1_1_25 = fma(t143_shared_1_14, b_shared_2_5, acc_1_1_25);
        acc_1_1_26 = fma(t143_shared_1_14, b_shared_2_6, acc_1_1_26);
        acc_1_1_27 = fma(t143_shared_1_14, b_shared_2_7, acc_1_1_27);
        acc_1_1_28 = fma(t143_shared_1_15, b_shared_2_4, acc_1_1_28);
        acc_1_1_29 = fma(t143_shared_1_15, b_shared_2_5, acc_1_1_29);
        acc_1_1_30 = fma(t143_shared_1_15, b_shared_2_6, acc_1_1_30);
        acc_1_1_31 = fma(t143_shared_1_15, b_shared_2_7, acc_1_1_31);
        acc_1_1_0 = fma(t143_shared_1_16, b_shared_2_8, acc_1_1_0);
        acc_1_1_1 = fma(t143_shared_1_16, b_shared_2_9, acc_1_1_1);
        acc_1_1_2 = fma(t143_shared_1_16, b_shared_2_10, acc_1_1_2);
        acc_1_1_3 = fma(t143_shared_1_16, b_shared_2_11, acc_1_1_3);
        acc_1_1_4 = fma(t143_shared_1_17, b_shared_2_8, acc_1_1_4);
        acc_1_1_5 = fma(t143_shared_1_17, b_shared_2_9, acc_1_1_5);
        acc_1_1_6 = fma(t143_shared_1_17, b_shared_2_10, acc_1_1_6);
        acc_1_1_7 = fma(t143_shared_1_17, b_shared_2_11, acc_1_1_7);
        acc_1_1_8 = fma(t143_shared_1_18, b_shared_2_8, acc_1_1_8);
        acc_1_1_9 = fma(t143_shared_1_18, b_shared_2_9, acc_1_1_9);
        acc_1_1_10 = fma(t143_shared_1_18, b_shared_2_10, acc_1_1_10);
        acc_1_1_11 = fma(t143_shared_1_18, b_shared_2_11, acc_1_1_11);
        acc_1_1_12 = fma(t143_shared_1_19, b_shared_2_8, acc_1_1_12);
        acc_1_1_13 = fma(t143_shared_1_19, b_shared_2_9, acc_1_1_13);
        acc_1_1_14 = fma(t143_shared_1_19, b_shared_2_10, acc_1_1_14);
        acc_1_1_15 = fma(t143_shared_1_19, b_shared_2_11, acc_1_1_15);
        acc_1_1_16 = fma(t143_shared_1_20, b_shared_2_8, acc_1_1_16);
        acc_1_1_17 = fma(t143_shared_1_20, b_shared_2_9, acc_1_1_17);
        acc_1_1_18 = fma(t143_shared_1_20, b_shared_2_10, acc_1_1_18);
        acc_1_1_19 = fma(t143_shared_1_20, b_shared_2_11, acc_1_1_19);
        acc_1_1_20 = fma(t143_shared_1_21, b_shared_2_8, acc_1_1_20);
        acc_1_1_21 = fma(t143_shared_1_21, b_shared_2_9, acc_1_1_21);
        acc_1_1_22 = fma(t143_shared_1_21, b_shared_2_10, acc_1_1_22);
        acc_1_1_23 = fma(t143_shared_1_21, b_shared_2_11, acc_1_1_23);
        acc_1_1_24 = fma(t143_shared_1_22, b_shared_2_8, acc_1_1_24);
        acc_1_1_25 = fma(t143_shared_1_22, b_shared_2_9, acc_1_1_25);
        acc_1_1_26 = fma(t143_shared_1_22, b_shared_2_10, acc_1_1_26);
        acc_1_1_27 = fma(t143_shared_1_22, b_shared_2_11, acc_1_1_27);
        acc_1_1_28 = fma(t143_shared_1_23, b_shared_2_8, acc_1_1_28);
        acc_1_1_29 = fma(t143_shared_1_23, b_shared_2_9, acc_1_1_29);
        acc_1_1_30 = fma(t143_shared_1_23, b_shared_2_10, acc_1_1_30);
        acc_1_1_31 = fma(t143_shared_1_23, b_shared_2_11, acc_1_1_31);
        acc_1_1_0 = fma(t143_shared_1_24, b_shared_2_12, acc_1_1_0);
        acc_1_1_1 = fma(t143_shared_1_24, b_shared_2_13, acc_1_1_1);
        acc_1_1_2 = fma(t143_shared_1_24, b_shared_2_14, acc_1_1_2);
        acc_1_1_3 = fma(t143_shared_1_24, b_shared_2_15, acc_1_1_3);
        acc_1_1_4 = fma(t143_shared_1_25, b_shared_2_12, acc_1_1_4);
        acc_1_1_5 = fma(t143_shared_1_25, b_shared_2_13, acc_1_1_5);
        acc_1_1_6 = fma(t143_shared_1_25, b_shared_2_14, acc_1_1_6);
        acc_1_1_7 = fma(t143_shared_1_25, b_shared_2_15, acc_1_1_7);
        acc_1_1_8 = fma(t143_shared_1_26, b_shared_2_12, acc_1_1_8);
        acc_1_1_9 = fma(t143_shared_1_26, b_shared_2_13, acc_1_1_9);
        acc_1_1_10 = fma(t143_shared_1_26, b_shared_2_14, acc_1_1_10);
        acc_1_1_11 = fma(t143_shared_1_26, b_shared_2_15, acc_1_1_11);
        acc_1_1_12 = fma(t143_shared_1_27, b_shared_2_12, acc_1_1_12);
        acc_1_1_13 = fma(t143_shared_1_27, b_shared_2_13, acc_1_1_13);
        acc_1_1_14 = fma(t143_shared_1_27, b_shared_2_14, acc_1_1_14);
        acc_1_1_15 = fma(t143_shared_1_27, b_shared_2_15, acc_1_1_15);
        acc_1_1_16 = fma(t143_shared_1_28, b_shared_2_12, acc_1_1_16);
        acc_1_1_17 = fma(t143_shared_1_28, b_shared_2_13, acc_1_1_17);
        acc_1_1_18 = fma(t143_shared_1_28, b_shared_2_14, acc_1_1_18);
        acc_1_1_19 = fma(t143_shared_1_28, b_shared_2_15, acc_1_1_19);
        acc_1_1_20 = fma(t143_shared_1_29, b_shared_2_12, acc_1_1_20);
        acc_1_1_21 = fma(t143_shared_1_29, b_shared_2_13, acc_1_1_21);
        acc_1_1_22 = fma(t143_shared_1_29, b_shared_2_14, acc_1_1_22);
        acc_1_1_23 = fma(t143_shared_1_29, b_shared_2_15, acc_1_1_23);
        acc_1_1_24 = fma(t143_shared_1_30, b_shared_2_12, acc_1_1_24);
        acc_1_1_25 = fma(t143_shared_1_30, b_shared_2_13, acc_1_1_25);
        acc_1_1_26 = fma(t143_shared_1_30, b_shared_2_14, acc_1_1_26);
        acc_1_1_27 = fma(t143_shared_1_30, b_shared_2_15, acc_1_1_27);
        acc_1_1_28 = fma(t143_shared_1_31, b_shared_2_12, acc_1_1_28);
        acc_1_1_29 = fma(t143_shared_1_31, b_shared_2_13, acc_1_1_29);
        acc_1_1_30 = fma(t143_shared_1_31, b_shared_2_14, acc_1_1_30);
        acc_1_1_31 = fma(t143_shared_1_31, b_shared_2_15, acc_1_1_31);
      }
      carried_0 = carried_0 * t_9 + acc_1_1_0; carried_1 = carried_1 * t_9 + acc_1_1_1;
      carried_2 = carried_2 * t_9 + acc_1_1_2; carried_3 = carried_3 * t_9 + acc_1_1_3;
      carried_4 = carried_4 * t_9 + acc_1_1_4; carried_5 = carried_5 * t_9 + acc_1_1_5;
      carried_6 = carried_6 * t_9 + acc_1_1_6; carried_7 = carried_7 * t_9 + acc_1_1_7;
      carried_8 = carried_8 * t_9 + acc_1_1_8; carried_9 = carried_9 * t_9 + acc_1_1_9;
      carried_10 = carried_10 * t_9 + acc_1_1_10; carried_11 = carried_11 * t_9 + acc_1_1_11;
      carried_12 = carried_12 * t_9 + acc_1_1_12; carried_13 = carried_13 * t_9 + acc_1_1_13;
      carried_14 = carried_14 * t_9 + acc_1_1_14; carried_15 = carried_15 * t_9 + acc_1_1_15;
      carried_16 = carried_16 * t_9 + acc_1_1_16; carried_17 = carried_17 * t_9 + acc_1_1_17;
      carried_18 = carried_18 * t_9 + acc_1_1_18; carried_19 = carried_19 * t_9 + acc_1_1_19;
      carried_20 = carried_20 * t_9 + acc_1_1_20; carried_21 = carried_21 * t_9 + acc_1_1_21;
      carried_22 = carried_22 * t_9 + acc_1_1_22; carried_23 = carried_23 * t_9 + acc_1_1_23;
      carried_24 = carried_24 * t_9 + acc_1_1_24; carried_25 = carried_25 * t_9 + acc_1_1_25;
      carried_26 = carried_26 * t_9 + acc_1_1_26; carried_27 = carried_27 * t_9 + acc_1_1_27;
      carried_28 = carried_28 * t_9 + acc_1_1_28; carried_29 = carried_29 * t_9 + acc_1_1_29;
      carried_30 = carried_30 * t_9 + acc_1_1_30; carried_31 = carried_31 * t_9 + acc_1_1_31;
    }
    let state_in_1: bool = (u32(slot) < u32(launch.NB)) & (pid0 < launch.H);
    if (state_in_1) {
      state[state_at_1 >> 2u] = vec4<f32>(carried_0, carried_1, carried_2, carried_3);
    }
    if (state_in_1) {
      state[(state_at_1 + 256) >> 2u] = vec4<f32>(carried_4, carried_5, carried_6, carried_7);
    }
    if (state_in_1) {
      state[(state_at_1 + 512) >> 2u] = vec4<f32>(carried_8, carried_9, carried_10, carried_11);
    }
    if (state_in_1) {
      state[(state_at_1 + 768) >> 2u] = vec4<f32>(carried_12, carried_13, carried_14, carried_15);
    }
    if (state_in_1) {
      state[(state_at_1 + 1024) >> 2u] = vec4<f32>(carried_16, carried_17, carried_18, carried_19);
    }
    if (state_in_1) {
      state[(state_at_1 + 1280) >> 2u] = vec4<f32>(carried_20, carried_21, carried_22, carried_23);
    }
    if (state_in_1) {
      state[(state_at_1 + 1536) >> 2u] = vec4<f32>(carried_24, carried_25, carried_26, carried_27);
    }
    if (state_in_1) {
      state[(state_at_1 + 1792) >> 2u] = vec4<f32>(carried_28, carried_29, carried_30, carried_31);
    }
  }
}
