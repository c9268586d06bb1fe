// paged_decode_merge for wgsl, made by tilewright
// dtypes: T=bf16
// config: BN=16 BS=32 LEAST=3 GP=4 BJ=4 stages=1 warps=1
// dims fixed: D=128
// dims divisible: P%4 HKV%2 G%4
// 32 threads, 256 bytes of shared memory
//       0 … 128: t36_parts i32[32]
//     128 … 256: t57_parts i32[32]

struct TwLaunch {
  programs: vec4<u32>,
  P: i32,
  HKV: i32,
  G: i32,
  S: i32,
  window: i32,
}
@group(0) @binding(0) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> lse: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> lens: array<i32>;
@group(0) @binding(3) var<storage, read_write> o: array<vec2<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t36_parts: array<i32, 32>;
var<workgroup> t57_parts: array<i32, 32>;

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

fn tw_floormod_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let rest = a % b;
  return select(rest, rest + b, rest != 0 && (rest ^ b) < 0);
}

// By a divisor above 0.
fn tw_floordiv_positive(a: i32, b: i32) -> i32 {
  let quotient = a / b;
  return quotient - select(0, 1, a - quotient * b < 0);
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_max(a: f32, b: f32) -> f32 { return select(select(max(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

// 2 to the x as a polynomial on half a unit around the nearest integer.
fn tw_exp2(x: f32) -> f32 {
  let bounded = clamp(x, -151.0f, 129.0f);
  let n = round(bounded);
  let f = bounded - n;
  var p = 0.000154531634f;
  p = p * f + 0.00133908633f;
  p = p * f + 0.00961808302f;
  p = p * f + 0.0555035695f;
  p = p * f + 0.240226507f;
  p = p * f + 0.693147182f;
  return select(tw_scale(p * f + 1.0f, i32(n)), x, tw_isnan(x));
}

@compute @workgroup_size(32)
fn paged_decode_merge(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let pid2 = i32(program / (launch.programs.x * launch.programs.y));
  let thread = i32(thread_index);
  let programs: i32 = launch.P - launch.S;
  var lens_tile: i32;
  lens_tile = lens[pid2];
  let t: bool = launch.window > 0;
  let blocks: i32 = ((lens_tile + 15) >> 4u) - (select(0, max(lens_tile - launch.window, 0), t) >> 4u);
  var length: i32 = 0;
  for (var i: i32 = 0; i < launch.S; i += 32) {
    let left: i32 = launch.S - i;
    let lens_at: i32 = thread + i;
    let lens_in: bool = thread < left;
    var lens_tile_1: i32;
    lens_tile_1 = select(0, lens[select(0, lens_at, lens_in)], lens_in);
    workgroupBarrier();
    var sum: i32 = ((lens_tile_1 + 15) >> 4u) - (select(0, max(lens_tile_1 - launch.window, 0), t) >> 4u);
    t36_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 4) {
      sum = t36_parts[thread];
      var other: i32;
      other = t36_parts[thread + 4];
      sum = sum + other;
      var other_1: i32;
      other_1 = t36_parts[thread + 8];
      sum = sum + other_1;
      var other_2: i32;
      other_2 = t36_parts[thread + 12];
      sum = sum + other_2;
      var other_3: i32;
      other_3 = t36_parts[thread + 16];
      sum = sum + other_3;
      var other_4: i32;
      other_4 = t36_parts[thread + 20];
      sum = sum + other_4;
      var other_5: i32;
      other_5 = t36_parts[thread + 24];
      sum = sum + other_5;
      var other_6: i32;
      other_6 = t36_parts[thread + 28];
      sum = sum + other_6;
      t36_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32;
    parts_0 = t36_parts[0];
    parts_1 = t36_parts[1];
    parts_2 = t36_parts[2];
    parts_3 = t36_parts[3];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    length = length + sum;
  }
  var before: i32 = 0;
  let bound: i32 = min(pid2, launch.S);
  for (var i_1: i32 = 0; i_1 < pid2; i_1 += 32) {
    let left_1: i32 = bound - i_1;
    let lens_at_1: i32 = thread + i_1;
    let lens_in_1: bool = thread < left_1;
    var lens_tile_2: i32;
    lens_tile_2 = select(0, lens[select(0, lens_at_1, lens_in_1)], lens_in_1);
    workgroupBarrier();
    var sum_1: i32 = ((lens_tile_2 + 15) >> 4u) - (select(0, max(lens_tile_2 - launch.window, 0), t) >> 4u);
    t57_parts[thread] = sum_1;
    workgroupBarrier();
    if (thread < 4) {
      sum_1 = t57_parts[thread];
      var other_7: i32;
      other_7 = t57_parts[thread + 4];
      sum_1 = sum_1 + other_7;
      var other_8: i32;
      other_8 = t57_parts[thread + 8];
      sum_1 = sum_1 + other_8;
      var other_9: i32;
      other_9 = t57_parts[thread + 12];
      sum_1 = sum_1 + other_9;
      var other_10: i32;
      other_10 = t57_parts[thread + 16];
      sum_1 = sum_1 + other_10;
      var other_11: i32;
      other_11 = t57_parts[thread + 20];
      sum_1 = sum_1 + other_11;
      var other_12: i32;
      other_12 = t57_parts[thread + 24];
      sum_1 = sum_1 + other_12;
      var other_13: i32;
      other_13 = t57_parts[thread + 28];
      sum_1 = sum_1 + other_13;
      t57_parts[thread] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    parts_1_0 = t57_parts[0];
    parts_1_1 = t57_parts[1];
    parts_1_2 = t57_parts[2];
    parts_1_3 = t57_parts[3];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    before = before + sum_1;
  }
  let t_1: bool = select(1, tw_floormod_i32(programs, max(launch.S, 1)), launch.S > 1) == 0;
  let isSpread: bool = (t_1 & (programs <= 2047)) & (length <= 1048576);
  let shares: i32 = max(min(programs, tw_floordiv_positive(length, 3)), 1);
  let each: i32 = tw_floordiv_i32(length, shares);
  let longer: i32 = length - each * shares;
  let t_2: i32 = each + 1;
  let edge: i32 = longer * t_2;
  let t_3: i32 = max(each, 1);
  let first: i32 = select(
      longer + tw_floordiv_i32(before - edge, t_3), tw_floordiv_i32(before, t_2), before < edge);
  let t_4: i32 = max(length, 1);
  let t_5: i32 = select(first, tw_floordiv_i32((before + 1) * shares - 1, t_4), isSpread);
  let first_1: i32 = pid2 + t_5;
  let t_6: bool = blocks > 0;
  var end: i32;
  if (t_6) {
    let t_7: i32 = before + blocks - 1;
    let first_2: i32 = select(
        longer + tw_floordiv_i32(t_7 - edge, t_3), tw_floordiv_i32(t_7, t_2), t_7 < edge);
    let t_8: i32 = select(first_2, tw_floordiv_i32((t_7 + 1) * shares - 1, t_4), isSpread);
    end = pid2 + t_8 + 1;
  } else {
    end = first_1;
  }
  let g: i32 = pid0 * 4;
  var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32;
  l_0 = 0.0f; l_1 = 0.0f; l_2 = 0.0f; l_3 = 0.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
  var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32;
  m_0 = -1e+30f; m_1 = -1e+30f; m_2 = -1e+30f; m_3 = -1e+30f;
  let stride: i32 = launch.G * launch.HKV;
  let bound_1: i32 = min(end, launch.P);
  let left_2: i32 = launch.G - g;
  let lse_at: i32 = pid1 * launch.G + g;
  let lse_in: bool = (pid1 < launch.HKV) & (0 < left_2);
  let bound_2: i32 = max(bound_1, 0);
  let stride_1: i32 = launch.G * 128 * launch.HKV;
  let stride_2: i32 = launch.G * 128;
  let t_D: i32 = thread * 4;
  let partial_at: i32 = pid1 * stride_2 + g * 128 + t_D;
  let partial_in: bool = pid1 < launch.HKV;
  let j_start = first_1;
  let j_end = end;
  for (var j: i32 = j_start; j < j_end; j += 4) {
    let lse_at_1: i32 = lse_at + j * stride;
    var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
    var x_6: f32; var x_7: f32; var x_8: f32; var x_9: f32; var x_10: f32; var x_11: f32;
    var x_12: f32; var x_13: f32; var x_14: f32; var x_15: f32;
    let x_in = lse_in & (u32(j) < u32(bound_2));
    let x_word = select(
        vec4<f32>(tw_bits_f32(0xff800000u)), lse[select(0, lse_at_1 >> 2u, x_in)], x_in);
    x_0 = x_word.x; x_1 = x_word.y; x_2 = x_word.z; x_3 = x_word.w;
    let x_in_1 = lse_in & (u32(j + 1) < u32(bound_2));
    let x_word_1 = select(
        vec4<f32>(tw_bits_f32(0xff800000u)), lse[select(0, (lse_at_1 + stride) >> 2u, x_in_1)],
        x_in_1);
    x_4 = x_word_1.x; x_5 = x_word_1.y; x_6 = x_word_1.z; x_7 = x_word_1.w;
    let x_in_2 = lse_in & (u32(j + 2) < u32(bound_2));
    let x_word_2 = select(
        vec4<f32>(tw_bits_f32(0xff800000u)), lse[select(0, (lse_at_1 + stride * 2) >> 2u, x_in_2)],
        x_in_2);
    x_8 = x_word_2.x; x_9 = x_word_2.y; x_10 = x_word_2.z; x_11 = x_word_2.w;
    let x_in_3 = lse_in & (u32(j + 3) < u32(bound_2));
    let x_word_3 = select(
        vec4<f32>(tw_bits_f32(0xff800000u)), lse[select(0, (lse_at_1 + stride * 3) >> 2u, x_in_3)],
        x_in_3);
    x_12 = x_word_3.x; x_13 = x_word_3.y; x_14 = x_word_3.z; x_15 = x_word_3.w;
    let partial_at_1: i32 = partial_at + j * stride_1;
    var part_0: f32; var part_1: f32; var part_2: f32; var part_3: f32; var part_4: f32;
    var part_5: f32; var part_6: f32; var part_7: f32; var part_8: f32; var part_9: f32;
    var part_10: f32; var part_11: f32; var part_12: f32; var part_13: f32; var part_14: f32;
    var part_15: f32; var part_16: f32; var part_17: f32; var part_18: f32; var part_19: f32;
    var part_20: f32; var part_21: f32; var part_22: f32; var part_23: f32; var part_24: f32;
    var part_25: f32; var part_26: f32; var part_27: f32; var part_28: f32; var part_29: f32;
    var part_30: f32; var part_31: f32; var part_32: f32; var part_33: f32; var part_34: f32;
    var part_35: f32; var part_36: f32; var part_37: f32; var part_38: f32; var part_39: f32;
    var part_40: f32; var part_41: f32; var part_42: f32; var part_43: f32; var part_44: f32;
    var part_45: f32; var part_46: f32; var part_47: f32; var part_48: f32; var part_49: f32;
    var part_50: f32; var part_51: f32; var part_52: f32; var part_53: f32; var part_54: f32;
    var part_55: f32; var part_56: f32; var part_57: f32; var part_58: f32; var part_59: f32;
    var part_60: f32; var part_61: f32; var part_62: f32; var part_63: f32;
    let part_in = (partial_in & (u32(j) < u32(bound_2))) & (0 < left_2);
    let part_word = select(
        vec4<f32>(0.0f), partial[select(0, partial_at_1 >> 2u, part_in)], part_in);
    part_0 = part_word.x; part_1 = part_word.y; part_2 = part_word.z; part_3 = part_word.w;
    let part_in_1 = (partial_in & (u32(j) < u32(bound_2))) & (1 < left_2);
    let part_word_1 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_1 + 128) >> 2u, part_in_1)], part_in_1);
    part_4 = part_word_1.x; part_5 = part_word_1.y; part_6 = part_word_1.z; part_7 = part_word_1.w;
    let part_in_2 = (partial_in & (u32(j) < u32(bound_2))) & (2 < left_2);
    let part_word_2 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_1 + 256) >> 2u, part_in_2)], part_in_2);
    part_8 = part_word_2.x; part_9 = part_word_2.y; part_10 = part_word_2.z;
    part_11 = part_word_2.w;
    let part_in_3 = (partial_in & (u32(j) < u32(bound_2))) & (3 < left_2);
    let part_word_3 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_1 + 384) >> 2u, part_in_3)], part_in_3);
    part_12 = part_word_3.x; part_13 = part_word_3.y; part_14 = part_word_3.z;
    part_15 = part_word_3.w;
    let part_in_4 = (partial_in & (u32(j + 1) < u32(bound_2))) & (0 < left_2);
    let part_word_4 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_1 + stride_1) >> 2u, part_in_4)], part_in_4);
    part_16 = part_word_4.x; part_17 = part_word_4.y; part_18 = part_word_4.z;
    part_19 = part_word_4.w;
    let part_in_5 = (partial_in & (u32(j + 1) < u32(bound_2))) & (1 < left_2);
    let part_word_5 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 + 128) >> 2u, part_in_5)], part_in_5);
    part_20 = part_word_5.x; part_21 = part_word_5.y; part_22 = part_word_5.z;
    part_23 = part_word_5.w;
    let part_in_6 = (partial_in & (u32(j + 1) < u32(bound_2))) & (2 < left_2);
    let part_word_6 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 + 256) >> 2u, part_in_6)], part_in_6);
    part_24 = part_word_6.x; part_25 = part_word_6.y; part_26 = part_word_6.z;
    part_27 = part_word_6.w;
    let part_in_7 = (partial_in & (u32(j + 1) < u32(bound_2))) & (3 < left_2);
    let part_word_7 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 + 384) >> 2u, part_in_7)], part_in_7);
    part_28 = part_word_7.x; part_29 = part_word_7.y; part_30 = part_word_7.z;
    part_31 = part_word_7.w;
    let part_in_8 = (partial_in & (u32(j + 2) < u32(bound_2))) & (0 < left_2);
    let part_word_8 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 2) >> 2u, part_in_8)], part_in_8);
    part_32 = part_word_8.x; part_33 = part_word_8.y; part_34 = part_word_8.z;
    part_35 = part_word_8.w;
    let part_in_9 = (partial_in & (u32(j + 2) < u32(bound_2))) & (1 < left_2);
    let part_word_9 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 2 + 128) >> 2u, part_in_9)], part_in_9);
    part_36 = part_word_9.x; part_37 = part_word_9.y; part_38 = part_word_9.z;
    part_39 = part_word_9.w;
    let part_in_10 = (partial_in & (u32(j + 2) < u32(bound_2))) & (2 < left_2);
    let part_word_10 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 2 + 256) >> 2u, part_in_10)], part_in_10);
    part_40 = part_word_10.x; part_41 = part_word_10.y; part_42 = part_word_10.z;
    part_43 = part_word_10.w;
    let part_in_11 = (partial_in & (u32(j + 2) < u32(bound_2))) & (3 < left_2);
    let part_word_11 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 2 + 384) >> 2u, part_in_11)], part_in_11);
    part_44 = part_word_11.x; part_45 = part_word_11.y; part_46 = part_word_11.z;
    part_47 = part_word_11.w;
    let part_in_12 = (partial_in & (u32(j + 3) < u32(bound_2))) & (0 < left_2);
    let part_word_12 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 3) >> 2u, part_in_12)], part_in_12);
    part_48 = part_word_12.x; part_49 = part_word_12.y; part_50 = part_word_12.z;
    part_51 = part_word_12.w;
    let part_in_13 = (partial_in & (u32(j + 3) < u32(bound_2))) & (1 < left_2);
    let part_word_13 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 3 + 128) >> 2u, part_in_13)], part_in_13);
    part_52 = part_word_13.x; part_53 = part_word_13.y; part_54 = part_word_13.z;
    part_55 = part_word_13.w;
    let part_in_14 = (partial_in & (u32(j + 3) < u32(bound_2))) & (2 < left_2);
    let part_word_14 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 3 + 256) >> 2u, part_in_14)], part_in_14);
    part_56 = part_word_14.x; part_57 = part_word_14.y; part_58 = part_word_14.z;
    part_59 = part_word_14.w;
    let part_in_15 = (partial_in & (u32(j + 3) < u32(bound_2))) & (3 < left_2);
    let part_word_15 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_1 + stride_1 * 3 + 384) >> 2u, part_in_15)], part_in_15);
    part_60 = part_word_15.x; part_61 = part_word_15.y; part_62 = part_word_15.z;
    part_63 = part_word_15.w;
    var most_0: f32; var most_1: f32; var most_2: f32; var most_3: f32;
    most_0 = tw_bits_f32(0xff800000u); most_1 = tw_bits_f32(0xff800000u);
    most_2 = tw_bits_f32(0xff800000u); most_3 = tw_bits_f32(0xff800000u);
    most_0 = tw_max(most_0, x_0); most_1 = tw_max(most_1, x_1); most_2 = tw_max(most_2, x_2);
    most_3 = tw_max(most_3, x_3); most_0 = tw_max(most_0, x_4); most_1 = tw_max(most_1, x_5);
    most_2 = tw_max(most_2, x_6); most_3 = tw_max(most_3, x_7); most_0 = tw_max(most_0, x_8);
    most_1 = tw_max(most_1, x_9); most_2 = tw_max(most_2, x_10); most_3 = tw_max(most_3, x_11);
    most_0 = tw_max(most_0, x_12); most_1 = tw_max(most_1, x_13); most_2 = tw_max(most_2, x_14);
    most_3 = tw_max(most_3, x_15);
    var next_0: f32; var next_1: f32; var next_2: f32; var next_3: f32;
    next_0 = tw_max(m_0, most_0); next_1 = tw_max(m_1, most_1); next_2 = tw_max(m_2, most_2);
    next_3 = tw_max(m_3, most_3);
    var w_0: f32; var w_1: f32; var w_2: f32; var w_3: f32; var w_4: f32; var w_5: f32;
    var w_6: f32; var w_7: f32; var w_8: f32; var w_9: f32; var w_10: f32; var w_11: f32;
    var w_12: f32; var w_13: f32; var w_14: f32; var w_15: f32;
    var alpha_0: f32; var alpha_1: f32; var alpha_2: f32; var alpha_3: f32;
    var sum_2_0: f32; var sum_2_1: f32; var sum_2_2: f32; var sum_2_3: f32;
    w_0 = tw_exp2(x_0 - next_0); w_1 = tw_exp2(x_1 - next_1); w_2 = tw_exp2(x_2 - next_2);
    w_3 = tw_exp2(x_3 - next_3);
    alpha_0 = tw_exp2(m_0 - next_0);
    sum_2_0 = 0.0f;
    w_4 = tw_exp2(x_4 - next_0); w_5 = tw_exp2(x_5 - next_1); w_6 = tw_exp2(x_6 - next_2);
    w_7 = tw_exp2(x_7 - next_3);
    alpha_1 = tw_exp2(m_1 - next_1);
    sum_2_1 = 0.0f;
    w_8 = tw_exp2(x_8 - next_0); w_9 = tw_exp2(x_9 - next_1); w_10 = tw_exp2(x_10 - next_2);
    w_11 = tw_exp2(x_11 - next_3);
    alpha_2 = tw_exp2(m_2 - next_2);
    sum_2_2 = 0.0f;
    w_12 = tw_exp2(x_12 - next_0); w_13 = tw_exp2(x_13 - next_1); w_14 = tw_exp2(x_14 - next_2);
    w_15 = tw_exp2(x_15 - next_3);
    alpha_3 = tw_exp2(m_3 - next_3);
    sum_2_3 = 0.0f; sum_2_0 = sum_2_0 + w_0; sum_2_1 = sum_2_1 + w_1; sum_2_2 = sum_2_2 + w_2;
    sum_2_3 = sum_2_3 + w_3; sum_2_0 = sum_2_0 + w_4; sum_2_1 = sum_2_1 + w_5;
    sum_2_2 = sum_2_2 + w_6; sum_2_3 = sum_2_3 + w_7; sum_2_0 = sum_2_0 + w_8;
    sum_2_1 = sum_2_1 + w_9; sum_2_2 = sum_2_2 + w_10; sum_2_3 = sum_2_3 + w_11;
    sum_2_0 = sum_2_0 + w_12; sum_2_1 = sum_2_1 + w_13; sum_2_2 = sum_2_2 + w_14;
    sum_2_3 = sum_2_3 + w_15;
    var sum_3_0: f32; var sum_3_1: f32; var sum_3_2: f32; var sum_3_3: f32; var sum_3_4: f32;
    var sum_3_5: f32; var sum_3_6: f32; var sum_3_7: f32; var sum_3_8: f32; var sum_3_9: f32;
    var sum_3_10: f32; var sum_3_11: f32; var sum_3_12: f32; var sum_3_13: f32; var sum_3_14: f32;
    var sum_3_15: f32;
    sum_3_0 = 0.0f; sum_3_1 = 0.0f; sum_3_2 = 0.0f; sum_3_3 = 0.0f; sum_3_4 = 0.0f; sum_3_5 = 0.0f;
    sum_3_6 = 0.0f; sum_3_7 = 0.0f; sum_3_8 = 0.0f; sum_3_9 = 0.0f; sum_3_10 = 0.0f;
    sum_3_11 = 0.0f; sum_3_12 = 0.0f; sum_3_13 = 0.0f; sum_3_14 = 0.0f; sum_3_15 = 0.0f;
    sum_3_0 = sum_3_0 + w_0 * part_0; sum_3_1 = sum_3_1 + w_0 * part_1;
    sum_3_2 = sum_3_2 + w_0 * part_2; sum_3_3 = sum_3_3 + w_0 * part_3;
    sum_3_4 = sum_3_4 + w_1 * part_4; sum_3_5 = sum_3_5 + w_1 * part_5;
    sum_3_6 = sum_3_6 + w_1 * part_6; sum_3_7 = sum_3_7 + w_1 * part_7;
    sum_3_8 = sum_3_8 + w_2 * part_8; sum_3_9 = sum_3_9 + w_2 * part_9;
    sum_3_10 = sum_3_10 + w_2 * part_10; sum_3_11 = sum_3_11 + w_2 * part_11;
    sum_3_12 = sum_3_12 + w_3 * part_12; sum_3_13 = sum_3_13 + w_3 * part_13;
    sum_3_14 = sum_3_14 + w_3 * part_14; sum_3_15 = sum_3_15 + w_3 * part_15;
    sum_3_0 = sum_3_0 + w_4 * part_16; sum_3_1 = sum_3_1 + w_4 * part_17;
    sum_3_2 = sum_3_2 + w_4 * part_18; sum_3_3 = sum_3_3 + w_4 * part_19;
    sum_3_4 = sum_3_4 + w_5 * part_20; sum_3_5 = sum_3_5 + w_5 * part_21;
    sum_3_6 = sum_3_6 + w_5 * part_22; sum_3_7 = sum_3_7 + w_5 * part_23;
    sum_3_8 = sum_3_8 + w_6 * part_24; sum_3_9 = sum_3_9 + w_6 * part_25;
    sum_3_10 = sum_3_10 + w_6 * part_26; sum_3_11 = sum_3_11 + w_6 * part_27;
    sum_3_12 = sum_3_12 + w_7 * part_28; sum_3_13 = sum_3_13 + w_7 * part_29;
    sum_3_14 = sum_3_14 + w_7 * part_30; sum_3_15 = sum_3_15 + w_7 * part_31;
    sum_3_0 = sum_3_0 + w_8 * part_32; sum_3_1 = sum_3_1 + w_8 * part_33;
    sum_3_2 = sum_3_2 + w_8 * part_34; sum_3_3 = sum_3_3 + w_8 * part_35;
    sum_3_4 = sum_3_4 + w_9 * part_36; sum_3_5 = sum_3_5 + w_9 * part_37;
    sum_3_6 = sum_3_6 + w_9 * part_38; sum_3_7 = sum_3_7 + w_9 * part_39;
    sum_3_8 = sum_3_8 + w_10 * part_40; sum_3_9 = sum_3_9 + w_10 * part_41;
    sum_3_10 = sum_3_10 + w_10 * part_42; sum_3_11 = sum_3_11 + w_10 * part_43;
    sum_3_12 = sum_3_12 + w_11 * part_44; sum_3_13 = sum_3_13 + w_11 * part_45;
    sum_3_14 = sum_3_14 + w_11 * part_46; sum_3_15 = sum_3_15 + w_11 * part_47;
    sum_3_0 = sum_3_0 + w_12 * part_48; sum_3_1 = sum_3_1 + w_12 * part_49;
    sum_3_2 = sum_3_2 + w_12 * part_50; sum_3_3 = sum_3_3 + w_12 * part_51;
    sum_3_4 = sum_3_4 + w_13 * part_52; sum_3_5 = sum_3_5 + w_13 * part_53;
    sum_3_6 = sum_3_6 + w_13 * part_54; sum_3_7 = sum_3_7 + w_13 * part_55;
    sum_3_8 = sum_3_8 + w_14 * part_56; sum_3_9 = sum_3_9 + w_14 * part_57;
    sum_3_10 = sum_3_10 + w_14 * part_58; sum_3_11 = sum_3_11 + w_14 * part_59;
    sum_3_12 = sum_3_12 + w_15 * part_60; sum_3_13 = sum_3_13 + w_15 * part_61;
    sum_3_14 = sum_3_14 + w_15 * part_62; sum_3_15 = sum_3_15 + w_15 * part_63;
    l_0 = l_0 * alpha_0 + sum_2_0; acc_0 = acc_0 * alpha_0 + sum_3_0;
    acc_1 = acc_1 * alpha_0 + sum_3_1; acc_2 = acc_2 * alpha_0 + sum_3_2;
    acc_3 = acc_3 * alpha_0 + sum_3_3; m_0 = next_0; l_1 = l_1 * alpha_1 + sum_2_1;
    acc_4 = acc_4 * alpha_1 + sum_3_4; acc_5 = acc_5 * alpha_1 + sum_3_5;
    acc_6 = acc_6 * alpha_1 + sum_3_6; acc_7 = acc_7 * alpha_1 + sum_3_7; m_1 = next_1;
    l_2 = l_2 * alpha_2 + sum_2_2; acc_8 = acc_8 * alpha_2 + sum_3_8;
    acc_9 = acc_9 * alpha_2 + sum_3_9; acc_10 = acc_10 * alpha_2 + sum_3_10;
    acc_11 = acc_11 * alpha_2 + sum_3_11; m_2 = next_2; l_3 = l_3 * alpha_3 + sum_2_3;
    acc_12 = acc_12 * alpha_3 + sum_3_12; acc_13 = acc_13 * alpha_3 + sum_3_13;
    acc_14 = acc_14 * alpha_3 + sum_3_14; acc_15 = acc_15 * alpha_3 + sum_3_15; m_3 = next_3;
  }
  var t_9_0: f32; var t_9_1: f32; var t_9_2: f32; var t_9_3: f32;
  t_9_0 = tw_max(l_0, 1e-30f); t_9_1 = tw_max(l_1, 1e-30f); t_9_2 = tw_max(l_2, 1e-30f);
  t_9_3 = tw_max(l_3, 1e-30f);
  let o_at: i32 = pid2 * stride_1 + pid1 * stride_2 + g * 128 + t_D;
  let o_in: bool = (pid2 < launch.S) & (pid1 < launch.HKV);
  var o_tile_0: u32; var o_tile_1: u32; var o_tile_2: u32; var o_tile_3: u32;
  o_tile_0 = tw_f32_to_bf16(acc_0 / t_9_0); o_tile_1 = tw_f32_to_bf16(acc_1 / t_9_0);
  o_tile_2 = tw_f32_to_bf16(acc_2 / t_9_0); o_tile_3 = tw_f32_to_bf16(acc_3 / t_9_0);
  if (o_in & (0 < left_2)) {
    o[o_at >> 2u] = vec2<u32>(o_tile_0 | (o_tile_1 << 16u), o_tile_2 | (o_tile_3 << 16u));
  }
  var o_tile_1_1_0: u32; var o_tile_1_1_1: u32; var o_tile_1_1_2: u32; var o_tile_1_1_3: u32;
  o_tile_1_1_0 = tw_f32_to_bf16(acc_4 / t_9_1); o_tile_1_1_1 = tw_f32_to_bf16(acc_5 / t_9_1);
  o_tile_1_1_2 = tw_f32_to_bf16(acc_6 / t_9_1); o_tile_1_1_3 = tw_f32_to_bf16(acc_7 / t_9_1);
  if (o_in & (1 < left_2)) {
    o[(o_at + 128) >> 2u] = vec2<u32>(
        o_tile_1_1_0 | (o_tile_1_1_1 << 16u), o_tile_1_1_2 | (o_tile_1_1_3 << 16u));
  }
  var o_tile_2_1_0: u32; var o_tile_2_1_1: u32; var o_tile_2_1_2: u32; var o_tile_2_1_3: u32;
  o_tile_2_1_0 = tw_f32_to_bf16(acc_8 / t_9_2); o_tile_2_1_1 = tw_f32_to_bf16(acc_9 / t_9_2);
  o_tile_2_1_2 = tw_f32_to_bf16(acc_10 / t_9_2); o_tile_2_1_3 = tw_f32_to_bf16(acc_11 / t_9_2);
  if (o_in & (2 < left_2)) {
    o[(o_at + 256) >> 2u] = vec2<u32>(
        o_tile_2_1_0 | (o_tile_2_1_1 << 16u), o_tile_2_1_2 | (o_tile_2_1_3 << 16u));
  }
  var o_tile_3_1_0: u32; var o_tile_3_1_1: u32; var o_tile_3_1_2: u32; var o_tile_3_1_3: u32;
  o_tile_3_1_0 = tw_f32_to_bf16(acc_12 / t_9_3); o_tile_3_1_1 = tw_f32_to_bf16(acc_13 / t_9_3);
  o_tile_3_1_2 = tw_f32_to_bf16(acc_14 / t_9_3); o_tile_3_1_3 = tw_f32_to_bf16(acc_15 / t_9_3);
  if (o_in & (3 < left_2)) {
    o[(o_at + 384) >> 2u] = vec2<u32>(
        o_tile_3_1_0 | (o_tile_3_1_1 << 16u), o_tile_3_1_2 | (o_tile_3_1_3 << 16u));
  }
}
