// ssd_step for wgsl, made by tilewright
// dtypes: T=bf16
// dims fixed: P=64 NS=128
// dims divisible: S%2 C%16 W%8 H%2 NB%4 MAXB%2
// 256 threads, 8192 bytes of shared memory
//       0 … 8192: t67_parts f32[2048]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  C: i32,
  W: i32,
  H: i32,
  NB: i32,
  MAXB: i32,
  dtColumn: i32,
  dtMin: f32,
  dtMax: f32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> proj: array<u32>;
@group(0) @binding(2) var<storage, read> heads: array<f32>;
@group(0) @binding(3) var<storage, read_write> state: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> table: array<i32>;
@group(0) @binding(5) var<storage, read> lens: array<i32>;
@group(0) @binding(6) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(7) var<uniform> launch: TwLaunch;
var<workgroup> t67_parts: array<f32, 2048>;

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

@compute @workgroup_size(256)
fn ssd_step(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var len: i32;
  len = lens[pid1];
  let t: bool = len > 0;
  if (t) {
    let table_at: i32 = pid1 * launch.MAXB;
    var slot: i32;
    slot = table[table_at];
    let t_1: i32 = launch.H * 64;
    let groups: i32 = (launch.C - t_1) >> 8u;
    let bAt: i32 = t_1 + tw_floordiv_i32(pid0, tw_floordiv_i32(launch.H, groups)) * 128;
    let t_2: i32 = launch.dtColumn + pid0;
    let proj_at: i32 = pid1 * launch.W + t_2;
    var proj_tile: u32;
    let proj_tile_word = proj[proj_at >> 1u] >> ((u32(proj_at) & 1u) * 16u);
    proj_tile = proj_tile_word & 0xffffu;
    let heads_at: i32 = launch.H * 2 + pid0;
    var heads_tile: f32;
    heads_tile = heads[heads_at];
    let v: f32 = tw_bf16_to_f32(proj_tile) + heads_tile;
    let soft: f32 = select(tw_log(1.0f + tw_exp(tw_min(v, 20.0f))), v, v > 20.0f);
    let dt: f32 = tw_min(tw_max(soft, launch.dtMin), launch.dtMax);
    var heads_tile_1: f32;
    heads_tile_1 = heads[pid0];
    let stride: i32 = launch.H * 8192;
    let t_P: i32 = thread >> 5u;
    let t_NS: i32 = (thread & 31) * 4;
    let state_at: i32 = t_P * 128 + t_NS;
    let state_at_1: i32 = pid0 * 8192 + slot * stride + state_at;
    let mask: bool = len > 1;
    let state_in: bool = ((u32(slot) < u32(launch.NB)) & (pid0 < launch.H)) & mask;
    var place_0: f32; var place_1: f32; var place_2: f32; var place_3: f32; var place_4: f32;
    var place_5: f32; var place_6: f32; var place_7: f32; var place_8: f32; var place_9: f32;
    var place_10: f32; var place_11: f32; var place_12: f32; var place_13: f32; var place_14: f32;
    var place_15: f32; var place_16: f32; var place_17: f32; var place_18: f32; var place_19: f32;
    var place_20: f32; var place_21: f32; var place_22: f32; var place_23: f32; var place_24: f32;
    var place_25: f32; var place_26: f32; var place_27: f32; var place_28: f32; var place_29: f32;
    var place_30: f32; var place_31: f32;
    let place_word = select(
        vec4<f32>(0.0f), state[select(0, state_at_1 >> 2u, state_in)], state_in);
    place_0 = place_word.x; place_1 = place_word.y; place_2 = place_word.z; place_3 = place_word.w;
    let place_word_1 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 1024) >> 2u, state_in)], state_in);
    place_4 = place_word_1.x; place_5 = place_word_1.y; place_6 = place_word_1.z;
    place_7 = place_word_1.w;
    let place_word_2 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 2048) >> 2u, state_in)], state_in);
    place_8 = place_word_2.x; place_9 = place_word_2.y; place_10 = place_word_2.z;
    place_11 = place_word_2.w;
    let place_word_3 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 3072) >> 2u, state_in)], state_in);
    place_12 = place_word_3.x; place_13 = place_word_3.y; place_14 = place_word_3.z;
    place_15 = place_word_3.w;
    let place_word_4 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 4096) >> 2u, state_in)], state_in);
    place_16 = place_word_4.x; place_17 = place_word_4.y; place_18 = place_word_4.z;
    place_19 = place_word_4.w;
    let place_word_5 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 5120) >> 2u, state_in)], state_in);
    place_20 = place_word_5.x; place_21 = place_word_5.y; place_22 = place_word_5.z;
    place_23 = place_word_5.w;
    let place_word_6 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 6144) >> 2u, state_in)], state_in);
    place_24 = place_word_6.x; place_25 = place_word_6.y; place_26 = place_word_6.z;
    place_27 = place_word_6.w;
    let place_word_7 = select(
        vec4<f32>(0.0f), state[select(0, (state_at_1 + 7168) >> 2u, state_in)], state_in);
    place_28 = place_word_7.x; place_29 = place_word_7.y; place_30 = place_word_7.z;
    place_31 = place_word_7.w;
    let t_3: i32 = pid0 * 64;
    let x_at: i32 = pid1 * launch.C + t_3 + t_P;
    let x_in: bool = pid1 < launch.S;
    var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
    var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
    let left: i32 = launch.C - t_3;
    let x_tile_in = x_in & (t_P < left);
    let x_tile_word = select(
        0u, x[select(0, x_at >> 1u, x_tile_in)], x_tile_in) >> ((u32(x_at) & 1u) * 16u);
    x_tile_0 = x_tile_word & 0xffffu;
    let x_tile_in_1 = x_in & (t_P + 8 < left);
    let x_tile_word_1 = select(
        0u, x[select(0, (x_at + 8) >> 1u, x_tile_in_1)], x_tile_in_1) >> ((u32(x_at + 8) & 1u) * 16u);
    x_tile_1 = x_tile_word_1 & 0xffffu;
    let x_tile_in_2 = x_in & (t_P + 16 < left);
    let x_tile_word_2 = select(
        0u, x[select(0, (x_at + 16) >> 1u, x_tile_in_2)], x_tile_in_2) >> ((u32(x_at + 16) & 1u) * 16u);
    x_tile_2 = x_tile_word_2 & 0xffffu;
    let x_tile_in_3 = x_in & (t_P + 24 < left);
    let x_tile_word_3 = select(
        0u, x[select(0, (x_at + 24) >> 1u, x_tile_in_3)], x_tile_in_3) >> ((u32(x_at + 24) & 1u) * 16u);
    x_tile_3 = x_tile_word_3 & 0xffffu;
    let x_tile_in_4 = x_in & (t_P + 32 < left);
    let x_tile_word_4 = select(
        0u, x[select(0, (x_at + 32) >> 1u, x_tile_in_4)], x_tile_in_4) >> ((u32(x_at + 32) & 1u) * 16u);
    x_tile_4 = x_tile_word_4 & 0xffffu;
    let x_tile_in_5 = x_in & (t_P + 40 < left);
    let x_tile_word_5 = select(
        0u, x[select(0, (x_at + 40) >> 1u, x_tile_in_5)], x_tile_in_5) >> ((u32(x_at + 40) & 1u) * 16u);
    x_tile_5 = x_tile_word_5 & 0xffffu;
    let x_tile_in_6 = x_in & (t_P + 48 < left);
    let x_tile_word_6 = select(
        0u, x[select(0, (x_at + 48) >> 1u, x_tile_in_6)], x_tile_in_6) >> ((u32(x_at + 48) & 1u) * 16u);
    x_tile_6 = x_tile_word_6 & 0xffffu;
    let x_tile_in_7 = x_in & (t_P + 56 < left);
    let x_tile_word_7 = select(
        0u, x[select(0, (x_at + 56) >> 1u, x_tile_in_7)], x_tile_in_7) >> ((u32(x_at + 56) & 1u) * 16u);
    x_tile_7 = x_tile_word_7 & 0xffffu;
    var input_0: f32; var input_1: f32; var input_2: f32; var input_3: f32; var input_4: f32;
    var input_5: f32; var input_6: f32; var input_7: f32;
    input_0 = tw_bf16_to_f32(x_tile_0); input_1 = tw_bf16_to_f32(x_tile_1);
    input_2 = tw_bf16_to_f32(x_tile_2); input_3 = tw_bf16_to_f32(x_tile_3);
    input_4 = tw_bf16_to_f32(x_tile_4); input_5 = tw_bf16_to_f32(x_tile_5);
    input_6 = tw_bf16_to_f32(x_tile_6); input_7 = tw_bf16_to_f32(x_tile_7);
    let position: i32 = bAt + t_NS;
    let x_at_1: i32 = pid1 * launch.C + bAt + t_NS;
    let x_in_1: bool = (pid1 < launch.S) & (u32(position) < u32(launch.C));
    var x_tile_1_1_0: u32; var x_tile_1_1_1: u32; var x_tile_1_1_2: u32; var x_tile_1_1_3: u32;
    let x_tile_1_word = select(0u, x[select(0, x_at_1 >> 1u, x_in_1)], x_in_1);
    x_tile_1_1_0 = x_tile_1_word & 0xffffu; x_tile_1_1_1 = x_tile_1_word >> 16u;
    let x_tile_1_word_1 = select(0u, x[select(0, (x_at_1 >> 1u) + 1, x_in_1)], x_in_1);
    x_tile_1_1_2 = x_tile_1_word_1 & 0xffffu; x_tile_1_1_3 = x_tile_1_word_1 >> 16u;
    let t_4: i32 = bAt + groups * 128;
    let position_1: i32 = t_4 + t_NS;
    let x_at_2: i32 = pid1 * launch.C + t_4 + t_NS;
    let x_in_2: bool = (pid1 < launch.S) & (u32(position_1) < u32(launch.C));
    var x_tile_2_1_0: u32; var x_tile_2_1_1: u32; var x_tile_2_1_2: u32; var x_tile_2_1_3: u32;
    let x_tile_2_word = select(0u, x[select(0, x_at_2 >> 1u, x_in_2)], x_in_2);
    x_tile_2_1_0 = x_tile_2_word & 0xffffu; x_tile_2_1_1 = x_tile_2_word >> 16u;
    let x_tile_2_word_1 = select(0u, x[select(0, (x_at_2 >> 1u) + 1, x_in_2)], x_in_2);
    x_tile_2_1_2 = x_tile_2_word_1 & 0xffffu; x_tile_2_1_3 = x_tile_2_word_1 >> 16u;
    let decay: f32 = tw_exp(-dt * tw_exp(heads_tile_1));
    var t_5_0: f32; var t_5_1: f32; var t_5_2: f32; var t_5_3: f32; var t_5_4: f32; var t_5_5: f32;
    var t_5_6: f32; var t_5_7: f32;
    t_5_0 = input_0 * dt; t_5_1 = input_1 * dt; t_5_2 = input_2 * dt; t_5_3 = input_3 * dt;
    t_5_4 = input_4 * dt; t_5_5 = input_5 * dt; t_5_6 = input_6 * dt; t_5_7 = input_7 * dt;
    var b_0: f32; var b_1: f32; var b_2: f32; var b_3: f32;
    b_0 = tw_bf16_to_f32(x_tile_1_1_0); b_1 = tw_bf16_to_f32(x_tile_1_1_1);
    b_2 = tw_bf16_to_f32(x_tile_1_1_2); b_3 = tw_bf16_to_f32(x_tile_1_1_3);
    var next_0: f32; var next_1: f32; var next_2: f32; var next_3: f32; var next_4: f32;
    var next_5: f32; var next_6: f32; var next_7: f32; var next_8: f32; var next_9: f32;
    var next_10: f32; var next_11: f32; var next_12: f32; var next_13: f32; var next_14: f32;
    var next_15: f32; var next_16: f32; var next_17: f32; var next_18: f32; var next_19: f32;
    var next_20: f32; var next_21: f32; var next_22: f32; var next_23: f32; var next_24: f32;
    var next_25: f32; var next_26: f32; var next_27: f32; var next_28: f32; var next_29: f32;
    var next_30: f32; var next_31: f32;
    next_0 = 0.0f + place_0 * decay + t_5_0 * b_0; next_1 = 0.0f + place_1 * decay + t_5_0 * b_1;
    next_2 = 0.0f + place_2 * decay + t_5_0 * b_2; next_3 = 0.0f + place_3 * decay + t_5_0 * b_3;
    next_4 = 0.0f + place_4 * decay + t_5_1 * b_0; next_5 = 0.0f + place_5 * decay + t_5_1 * b_1;
    next_6 = 0.0f + place_6 * decay + t_5_1 * b_2; next_7 = 0.0f + place_7 * decay + t_5_1 * b_3;
    next_8 = 0.0f + place_8 * decay + t_5_2 * b_0; next_9 = 0.0f + place_9 * decay + t_5_2 * b_1;
    next_10 = 0.0f + place_10 * decay + t_5_2 * b_2;
    next_11 = 0.0f + place_11 * decay + t_5_2 * b_3;
    next_12 = 0.0f + place_12 * decay + t_5_3 * b_0;
    next_13 = 0.0f + place_13 * decay + t_5_3 * b_1;
    next_14 = 0.0f + place_14 * decay + t_5_3 * b_2;
    next_15 = 0.0f + place_15 * decay + t_5_3 * b_3;
    next_16 = 0.0f + place_16 * decay + t_5_4 * b_0;
    next_17 = 0.0f + place_17 * decay + t_5_4 * b_1;
    next_18 = 0.0f + place_18 * decay + t_5_4 * b_2;
    next_19 = 0.0f + place_19 * decay + t_5_4 * b_3;
    next_20 = 0.0f + place_20 * decay + t_5_5 * b_0;
    next_21 = 0.0f + place_21 * decay + t_5_5 * b_1;
    next_22 = 0.0f + place_22 * decay + t_5_5 * b_2;
    next_23 = 0.0f + place_23 * decay + t_5_5 * b_3;
    next_24 = 0.0f + place_24 * decay + t_5_6 * b_0;
    next_25 = 0.0f + place_25 * decay + t_5_6 * b_1;
    next_26 = 0.0f + place_26 * decay + t_5_6 * b_2;
    next_27 = 0.0f + place_27 * decay + t_5_6 * b_3;
    next_28 = 0.0f + place_28 * decay + t_5_7 * b_0;
    next_29 = 0.0f + place_29 * decay + t_5_7 * b_1;
    next_30 = 0.0f + place_30 * decay + t_5_7 * b_2;
    next_31 = 0.0f + place_31 * decay + t_5_7 * b_3;
    let state_in_1: bool = (u32(slot) < u32(launch.NB)) & (pid0 < launch.H);
    if (state_in_1) {
      state[state_at_1 >> 2u] = vec4<f32>(next_0, next_1, next_2, next_3);
    }
    if (state_in_1) {
      state[(state_at_1 + 1024) >> 2u] = vec4<f32>(next_4, next_5, next_6, next_7);
    }
    if (state_in_1) {
      state[(state_at_1 + 2048) >> 2u] = vec4<f32>(next_8, next_9, next_10, next_11);
    }
    if (state_in_1) {
      state[(state_at_1 + 3072) >> 2u] = vec4<f32>(next_12, next_13, next_14, next_15);
    }
    if (state_in_1) {
      state[(state_at_1 + 4096) >> 2u] = vec4<f32>(next_16, next_17, next_18, next_19);
    }
    if (state_in_1) {
      state[(state_at_1 + 5120) >> 2u] = vec4<f32>(next_20, next_21, next_22, next_23);
    }
    if (state_in_1) {
      state[(state_at_1 + 6144) >> 2u] = vec4<f32>(next_24, next_25, next_26, next_27);
    }
    if (state_in_1) {
      state[(state_at_1 + 7168) >> 2u] = vec4<f32>(next_28, next_29, next_30, next_31);
    }
    var c_0: f32; var c_1: f32; var c_2: f32; var c_3: f32;
    c_0 = tw_bf16_to_f32(x_tile_2_1_0); c_1 = tw_bf16_to_f32(x_tile_2_1_1);
    c_2 = tw_bf16_to_f32(x_tile_2_1_2); c_3 = tw_bf16_to_f32(x_tile_2_1_3);
    var sum_0: f32; var sum_1: f32; var sum_2: f32; var sum_3: f32; var sum_4: f32; var sum_5: f32;
    var sum_6: f32; var sum_7: f32;
    sum_0 = 0.0f; sum_0 = sum_0 + next_0 * c_0; sum_0 = sum_0 + next_1 * c_1;
    sum_0 = sum_0 + next_2 * c_2; sum_0 = sum_0 + next_3 * c_3; sum_1 = 0.0f;
    sum_1 = sum_1 + next_4 * c_0; sum_1 = sum_1 + next_5 * c_1; sum_1 = sum_1 + next_6 * c_2;
    sum_1 = sum_1 + next_7 * c_3; sum_2 = 0.0f; sum_2 = sum_2 + next_8 * c_0;
    sum_2 = sum_2 + next_9 * c_1; sum_2 = sum_2 + next_10 * c_2; sum_2 = sum_2 + next_11 * c_3;
    sum_3 = 0.0f; sum_3 = sum_3 + next_12 * c_0; sum_3 = sum_3 + next_13 * c_1;
    sum_3 = sum_3 + next_14 * c_2; sum_3 = sum_3 + next_15 * c_3; sum_4 = 0.0f;
    sum_4 = sum_4 + next_16 * c_0; sum_4 = sum_4 + next_17 * c_1; sum_4 = sum_4 + next_18 * c_2;
    sum_4 = sum_4 + next_19 * c_3; sum_5 = 0.0f; sum_5 = sum_5 + next_20 * c_0;
    sum_5 = sum_5 + next_21 * c_1; sum_5 = sum_5 + next_22 * c_2; sum_5 = sum_5 + next_23 * c_3;
    sum_6 = 0.0f; sum_6 = sum_6 + next_24 * c_0; sum_6 = sum_6 + next_25 * c_1;
    sum_6 = sum_6 + next_26 * c_2; sum_6 = sum_6 + next_27 * c_3; sum_7 = 0.0f;
    sum_7 = sum_7 + next_28 * c_0; sum_7 = sum_7 + next_29 * c_1; sum_7 = sum_7 + next_30 * c_2;
    sum_7 = sum_7 + next_31 * c_3;
    let part: i32 = thread & 31;
    let part_at: i32 = part * 64 + t_P;
    t67_parts[part_at] = sum_0;
    t67_parts[part_at + 8] = sum_1;
    t67_parts[part_at + 16] = sum_2;
    t67_parts[part_at + 24] = sum_3;
    t67_parts[part_at + 32] = sum_4;
    t67_parts[part_at + 40] = sum_5;
    t67_parts[part_at + 48] = sum_6;
    t67_parts[part_at + 56] = sum_7;
    storageBarrier();
    workgroupBarrier();
    if (part < 4) {
      sum_0 = t67_parts[part * 64 + t_P];
      var other: f32;
      other = t67_parts[part * 64 + t_P + 256];
      sum_0 = sum_0 + other;
      var other_1: f32;
      other_1 = t67_parts[part * 64 + t_P + 512];
      sum_0 = sum_0 + other_1;
      var other_2: f32;
      other_2 = t67_parts[part * 64 + t_P + 768];
      sum_0 = sum_0 + other_2;
      var other_3: f32;
      other_3 = t67_parts[part * 64 + t_P + 1024];
      sum_0 = sum_0 + other_3;
      var other_4: f32;
      other_4 = t67_parts[part * 64 + t_P + 1280];
      sum_0 = sum_0 + other_4;
      var other_5: f32;
      other_5 = t67_parts[part * 64 + t_P + 1536];
      sum_0 = sum_0 + other_5;
      var other_6: f32;
      other_6 = t67_parts[part * 64 + t_P + 1792];
      sum_0 = sum_0 + other_6;
      sum_1 = t67_parts[part * 64 + t_P + 8];
      var other_7: f32;
      other_7 = t67_parts[part * 64 + t_P + 264];
      sum_1 = sum_1 + other_7;
      var other_8: f32;
      other_8 = t67_parts[part * 64 + t_P + 520];
      sum_1 = sum_1 + other_8;
      var other_9: f32;
      other_9 = t67_parts[part * 64 + t_P + 776];
      sum_1 = sum_1 + other_9;
      var other_10: f32;
      other_10 = t67_parts[part * 64 + t_P + 1032];
      sum_1 = sum_1 + other_10;
      var other_11: f32;
      other_11 = t67_parts[part * 64 + t_P + 1288];
      sum_1 = sum_1 + other_11;
      var other_12: f32;
      other_12 = t67_parts[part * 64 + t_P + 1544];
      sum_1 = sum_1 + other_12;
      var other_13: f32;
      other_13 = t67_parts[part * 64 + t_P + 1800];
      sum_1 = sum_1 + other_13;
      sum_2 = t67_parts[part * 64 + t_P + 16];
      var other_14: f32;
      other_14 = t67_parts[part * 64 + t_P + 272];
      sum_2 = sum_2 + other_14;
      var other_15: f32;
      other_15 = t67_parts[part * 64 + t_P + 528];
      sum_2 = sum_2 + other_15;
      var other_16: f32;
      other_16 = t67_parts[part * 64 + t_P + 784];
      sum_2 = sum_2 + other_16;
      var other_17: f32;
      other_17 = t67_parts[part * 64 + t_P + 1040];
      sum_2 = sum_2 + other_17;
      var other_18: f32;
      other_18 = t67_parts[part * 64 + t_P + 1296];
      sum_2 = sum_2 + other_18;
      var other_19: f32;
      other_19 = t67_parts[part * 64 + t_P + 1552];
      sum_2 = sum_2 + other_19;
      var other_20: f32;
      other_20 = t67_parts[part * 64 + t_P + 1808];
      sum_2 = sum_2 + other_20;
      sum_3 = t67_parts[part * 64 + t_P + 24];
      var other_21: f32;
      other_21 = t67_parts[part * 64 + t_P + 280];
      sum_3 = sum_3 + other_21;
      var other_22: f32;
      other_22 = t67_parts[part * 64 + t_P + 536];
      sum_3 = sum_3 + other_22;
      var other_23: f32;
      other_23 = t67_parts[part * 64 + t_P + 792];
      sum_3 = sum_3 + other_23;
      var other_24: f32;
      other_24 = t67_parts[part * 64 + t_P + 1048];
      sum_3 = sum_3 + other_24;
      var other_25: f32;
      other_25 = t67_parts[part * 64 + t_P + 1304];
      sum_3 = sum_3 + other_25;
      var other_26: f32;
      other_26 = t67_parts[part * 64 + t_P + 1560];
      sum_3 = sum_3 + other_26;
      var other_27: f32;
      other_27 = t67_parts[part * 64 + t_P + 1816];
      sum_3 = sum_3 + other_27;
      sum_4 = t67_parts[part * 64 + t_P + 32];
      var other_28: f32;
      other_28 = t67_parts[part * 64 + t_P + 288];
      sum_4 = sum_4 + other_28;
      var other_29: f32;
      other_29 = t67_parts[part * 64 + t_P + 544];
      sum_4 = sum_4 + other_29;
      var other_30: f32;
      other_30 = t67_parts[part * 64 + t_P + 800];
      sum_4 = sum_4 + other_30;
      var other_31: f32;
      other_31 = t67_parts[part * 64 + t_P + 1056];
      sum_4 = sum_4 + other_31;
      var other_32: f32;
      other_32 = t67_parts[part * 64 + t_P + 1312];
      sum_4 = sum_4 + other_32;
      var other_33: f32;
      other_33 = t67_parts[part * 64 + t_P + 1568];
      sum_4 = sum_4 + other_33;
      var other_34: f32;
      other_34 = t67_parts[part * 64 + t_P + 1824];
      sum_4 = sum_4 + other_34;
      sum_5 = t67_parts[part * 64 + t_P + 40];
      var other_35: f32;
      other_35 = t67_parts[part * 64 + t_P + 296];
      sum_5 = sum_5 + other_35;
      var other_36: f32;
      other_36 = t67_parts[part * 64 + t_P + 552];
      sum_5 = sum_5 + other_36;
      var other_37: f32;
      other_37 = t67_parts[part * 64 + t_P + 808];
      sum_5 = sum_5 + other_37;
      var other_38: f32;
      other_38 = t67_parts[part * 64 + t_P + 1064];
      sum_5 = sum_5 + other_38;
      var other_39: f32;
      other_39 = t67_parts[part * 64 + t_P + 1320];
      sum_5 = sum_5 + other_39;
      var other_40: f32;
      other_40 = t67_parts[part * 64 + t_P + 1576];
      sum_5 = sum_5 + other_40;
      var other_41: f32;
      other_41 = t67_parts[part * 64 + t_P + 1832];
      sum_5 = sum_5 + other_41;
      sum_6 = t67_parts[part * 64 + t_P + 48];
      var other_42: f32;
      other_42 = t67_parts[part * 64 + t_P + 304];
      sum_6 = sum_6 + other_42;
      var other_43: f32;
      other_43 = t67_parts[part * 64 + t_P + 560];
      sum_6 = sum_6 + other_43;
      var other_44: f32;
      other_44 = t67_parts[part * 64 + t_P + 816];
      sum_6 = sum_6 + other_44;
      var other_45: f32;
      other_45 = t67_parts[part * 64 + t_P + 1072];
      sum_6 = sum_6 + other_45;
      var other_46: f32;
      other_46 = t67_parts[part * 64 + t_P + 1328];
      sum_6 = sum_6 + other_46;
      var other_47: f32;
      other_47 = t67_parts[part * 64 + t_P + 1584];
      sum_6 = sum_6 + other_47;
      var other_48: f32;
      other_48 = t67_parts[part * 64 + t_P + 1840];
      sum_6 = sum_6 + other_48;
      sum_7 = t67_parts[part * 64 + t_P + 56];
      var other_49: f32;
      other_49 = t67_parts[part * 64 + t_P + 312];
      sum_7 = sum_7 + other_49;
      var other_50: f32;
      other_50 = t67_parts[part * 64 + t_P + 568];
      sum_7 = sum_7 + other_50;
      var other_51: f32;
      other_51 = t67_parts[part * 64 + t_P + 824];
      sum_7 = sum_7 + other_51;
      var other_52: f32;
      other_52 = t67_parts[part * 64 + t_P + 1080];
      sum_7 = sum_7 + other_52;
      var other_53: f32;
      other_53 = t67_parts[part * 64 + t_P + 1336];
      sum_7 = sum_7 + other_53;
      var other_54: f32;
      other_54 = t67_parts[part * 64 + t_P + 1592];
      sum_7 = sum_7 + other_54;
      var other_55: f32;
      other_55 = t67_parts[part * 64 + t_P + 1848];
      sum_7 = sum_7 + other_55;
      t67_parts[part_at] = sum_0;
      t67_parts[part_at + 8] = sum_1;
      t67_parts[part_at + 16] = sum_2;
      t67_parts[part_at + 24] = sum_3;
      t67_parts[part_at + 32] = sum_4;
      t67_parts[part_at + 40] = sum_5;
      t67_parts[part_at + 48] = sum_6;
      t67_parts[part_at + 56] = sum_7;
    }
    storageBarrier();
    workgroupBarrier();
    sum_0 = t67_parts[t_P];
    var other_56: f32;
    other_56 = t67_parts[t_P + 64];
    sum_0 = sum_0 + other_56;
    var other_57: f32;
    other_57 = t67_parts[t_P + 128];
    sum_0 = sum_0 + other_57;
    var other_58: f32;
    other_58 = t67_parts[t_P + 192];
    sum_0 = sum_0 + other_58;
    sum_1 = t67_parts[t_P + 8];
    var other_59: f32;
    other_59 = t67_parts[t_P + 72];
    sum_1 = sum_1 + other_59;
    var other_60: f32;
    other_60 = t67_parts[t_P + 136];
    sum_1 = sum_1 + other_60;
    var other_61: f32;
    other_61 = t67_parts[t_P + 200];
    sum_1 = sum_1 + other_61;
    sum_2 = t67_parts[t_P + 16];
    var other_62: f32;
    other_62 = t67_parts[t_P + 80];
    sum_2 = sum_2 + other_62;
    var other_63: f32;
    other_63 = t67_parts[t_P + 144];
    sum_2 = sum_2 + other_63;
    var other_64: f32;
    other_64 = t67_parts[t_P + 208];
    sum_2 = sum_2 + other_64;
    sum_3 = t67_parts[t_P + 24];
    var other_65: f32;
    other_65 = t67_parts[t_P + 88];
    sum_3 = sum_3 + other_65;
    var other_66: f32;
    other_66 = t67_parts[t_P + 152];
    sum_3 = sum_3 + other_66;
    var other_67: f32;
    other_67 = t67_parts[t_P + 216];
    sum_3 = sum_3 + other_67;
    sum_4 = t67_parts[t_P + 32];
    var other_68: f32;
    other_68 = t67_parts[t_P + 96];
    sum_4 = sum_4 + other_68;
    var other_69: f32;
    other_69 = t67_parts[t_P + 160];
    sum_4 = sum_4 + other_69;
    var other_70: f32;
    other_70 = t67_parts[t_P + 224];
    sum_4 = sum_4 + other_70;
    sum_5 = t67_parts[t_P + 40];
    var other_71: f32;
    other_71 = t67_parts[t_P + 104];
    sum_5 = sum_5 + other_71;
    var other_72: f32;
    other_72 = t67_parts[t_P + 168];
    sum_5 = sum_5 + other_72;
    var other_73: f32;
    other_73 = t67_parts[t_P + 232];
    sum_5 = sum_5 + other_73;
    sum_6 = t67_parts[t_P + 48];
    var other_74: f32;
    other_74 = t67_parts[t_P + 112];
    sum_6 = sum_6 + other_74;
    var other_75: f32;
    other_75 = t67_parts[t_P + 176];
    sum_6 = sum_6 + other_75;
    var other_76: f32;
    other_76 = t67_parts[t_P + 240];
    sum_6 = sum_6 + other_76;
    sum_7 = t67_parts[t_P + 56];
    var other_77: f32;
    other_77 = t67_parts[t_P + 120];
    sum_7 = sum_7 + other_77;
    var other_78: f32;
    other_78 = t67_parts[t_P + 184];
    sum_7 = sum_7 + other_78;
    var other_79: f32;
    other_79 = t67_parts[t_P + 248];
    sum_7 = sum_7 + other_79;
    let heads_at_1: i32 = launch.H + pid0;
    var heads_tile_2: f32;
    heads_tile_2 = heads[heads_at_1];
    let y_at: i32 = pid0 * 64 + pid1 * t_1 + t_P;
    let y_in: bool = (pid1 < launch.S) & (pid0 < launch.H);
    let is_first: bool = (thread & 31) == 0;
    if (is_first) {
      let y_tile: u32 = tw_f32_to_bf16(sum_0 + heads_tile_2 * input_0);
      if (y_in) {
        let shift = (u32(y_at) & 1u) * 16u;
        atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_at >> 1u], y_tile << shift);
      }
      let y_tile_1: u32 = tw_f32_to_bf16(sum_1 + heads_tile_2 * input_1);
      if (y_in) {
        let shift = (u32(y_at + 8) & 1u) * 16u;
        atomicAnd(&y[(y_at + 8) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 8) >> 1u], y_tile_1 << shift);
      }
      let y_tile_2: u32 = tw_f32_to_bf16(sum_2 + heads_tile_2 * input_2);
      if (y_in) {
        let shift = (u32(y_at + 16) & 1u) * 16u;
        atomicAnd(&y[(y_at + 16) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 16) >> 1u], y_tile_2 << shift);
      }
      let y_tile_3: u32 = tw_f32_to_bf16(sum_3 + heads_tile_2 * input_3);
      if (y_in) {
        let shift = (u32(y_at + 24) & 1u) * 16u;
        atomicAnd(&y[(y_at + 24) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 24) >> 1u], y_tile_3 << shift);
      }
      let y_tile_4: u32 = tw_f32_to_bf16(sum_4 + heads_tile_2 * input_4);
      if (y_in) {
        let shift = (u32(y_at + 32) & 1u) * 16u;
        atomicAnd(&y[(y_at + 32) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 32) >> 1u], y_tile_4 << shift);
      }
      let y_tile_5: u32 = tw_f32_to_bf16(sum_5 + heads_tile_2 * input_5);
      if (y_in) {
        let shift = (u32(y_at + 40) & 1u) * 16u;
        atomicAnd(&y[(y_at + 40) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 40) >> 1u], y_tile_5 << shift);
      }
      let y_tile_6: u32 = tw_f32_to_bf16(sum_6 + heads_tile_2 * input_6);
      if (y_in) {
        let shift = (u32(y_at + 48) & 1u) * 16u;
        atomicAnd(&y[(y_at + 48) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 48) >> 1u], y_tile_6 << shift);
      }
      let y_tile_7: u32 = tw_f32_to_bf16(sum_7 + heads_tile_2 * input_7);
      if (y_in) {
        let shift = (u32(y_at + 56) & 1u) * 16u;
        atomicAnd(&y[(y_at + 56) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 56) >> 1u], y_tile_7 << shift);
      }
    }
  }
}
