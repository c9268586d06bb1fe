// paged_decode_merge for wgsl, made by tilewright
// dtypes: T=bf16
// config: BN=16 BS=32 LEAST=3 GP=2 BJ=8 stages=1
// dims fixed: D=128
// dims divisible: P%4 HKV%2 G%4
// 256 threads, 4512 bytes of shared memory
//       0 … 4096: t128_parts f32[1024]
//    4096 … 4224: t38_parts i32[32]
//    4224 … 4352: t59_parts i32[32]
//    4352 … 4384: t114_parts f32[8]
//    4480 … 4512: t122_parts f32[8]

struct TwLaunch {
  programs: vec4<u32>,
  P: i32,
  HKV: i32,
  G: i32,
  S: i32,
  window: i32,
}
@group(0) @binding(0) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> lse: array<f32>;
@group(0) @binding(2) var<storage, read> lens: array<i32>;
@group(0) @binding(3) var<storage, read_write> o: array<vec2<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t128_parts: array<f32, 1024>;
var<workgroup> t38_parts: array<i32, 32>;
var<workgroup> t59_parts: array<i32, 32>;
var<workgroup> t114_parts: array<f32, 8>;
var<workgroup> t122_parts: array<f32, 8>;
var<workgroup> uniform_word: u32;

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

@compute @workgroup_size(256)
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
  let g: i32 = pid0 * 2;
  var lens_tile: i32;
  lens_tile = lens[pid2];
  let t: bool = launch.window > 0;
  let blocks: i32 = ((lens_tile + 15) >> 4u) - (select(0, max(lens_tile - launch.window, 0), t) >> 4u);
  var length: i32 = 0;
  let t_BS: i32 = thread & 31;
  let is_first: bool = thread < 32;
  for (var i: i32 = 0; i < launch.S; i += 32) {
    let left: i32 = launch.S - i;
    let lens_at: i32 = t_BS + i;
    let lens_in: bool = t_BS < left;
    var lens_tile_1: i32;
    lens_tile_1 = select(0, lens[select(0, lens_at, lens_in)], lens_in);
    workgroupBarrier();
    var sum: i32 = ((lens_tile_1 + 15) >> 4u) - (select(0, max(lens_tile_1 - launch.window, 0), t) >> 4u);
    if (is_first) {
      t38_parts[t_BS] = sum;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum = t38_parts[t_BS];
      var other: i32;
      other = t38_parts[t_BS + 4];
      sum = sum + other;
      var other_1: i32;
      other_1 = t38_parts[t_BS + 8];
      sum = sum + other_1;
      var other_2: i32;
      other_2 = t38_parts[t_BS + 12];
      sum = sum + other_2;
      var other_3: i32;
      other_3 = t38_parts[t_BS + 16];
      sum = sum + other_3;
      var other_4: i32;
      other_4 = t38_parts[t_BS + 20];
      sum = sum + other_4;
      var other_5: i32;
      other_5 = t38_parts[t_BS + 24];
      sum = sum + other_5;
      var other_6: i32;
      other_6 = t38_parts[t_BS + 28];
      sum = sum + other_6;
      t38_parts[t_BS] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32;
    parts_0 = t38_parts[0];
    parts_1 = t38_parts[1];
    parts_2 = t38_parts[2];
    parts_3 = t38_parts[3];
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
    let lens_at_1: i32 = t_BS + i_1;
    let lens_in_1: bool = t_BS < left_1;
    var lens_tile_2: i32;
    lens_tile_2 = select(0, lens[select(0, lens_at_1, lens_in_1)], lens_in_1);
    workgroupBarrier();
    var sum_1: i32 = ((lens_tile_2 + 15) >> 4u) - (select(0, max(lens_tile_2 - launch.window, 0), t) >> 4u);
    if (is_first) {
      t59_parts[t_BS] = sum_1;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum_1 = t59_parts[t_BS];
      var other_7: i32;
      other_7 = t59_parts[t_BS + 4];
      sum_1 = sum_1 + other_7;
      var other_8: i32;
      other_8 = t59_parts[t_BS + 8];
      sum_1 = sum_1 + other_8;
      var other_9: i32;
      other_9 = t59_parts[t_BS + 12];
      sum_1 = sum_1 + other_9;
      var other_10: i32;
      other_10 = t59_parts[t_BS + 16];
      sum_1 = sum_1 + other_10;
      var other_11: i32;
      other_11 = t59_parts[t_BS + 20];
      sum_1 = sum_1 + other_11;
      var other_12: i32;
      other_12 = t59_parts[t_BS + 24];
      sum_1 = sum_1 + other_12;
      var other_13: i32;
      other_13 = t59_parts[t_BS + 28];
      sum_1 = sum_1 + other_13;
      t59_parts[t_BS] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    parts_1_0 = t59_parts[0];
    parts_1_1 = t59_parts[1];
    parts_1_2 = t59_parts[2];
    parts_1_3 = t59_parts[3];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    before = before + sum_1;
  }
  let shares: i32 = max(min(launch.P - launch.S, tw_floordiv_positive(length, 3)), 1);
  let each: i32 = tw_floordiv_i32(length, shares);
  let longer: i32 = length - each * shares;
  let t_1: i32 = each + 1;
  let edge: i32 = longer * t_1;
  let t_2: i32 = max(each, 1);
  let t_3: i32 = select(
      longer + tw_floordiv_i32(before - edge, t_2), tw_floordiv_i32(before, t_1), before < edge);
  let first: i32 = pid2 + t_3;
  let t_4: bool = blocks > 0;
  var end: i32;
  if (t_4) {
    let t_5: i32 = before + blocks - 1;
    let t_6: i32 = select(
        longer + tw_floordiv_i32(t_5 - edge, t_2), tw_floordiv_i32(t_5, t_1), t_5 < edge);
    end = pid2 + t_6 + 1;
  } else {
    end = first;
  }
  var l: f32 = 0.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f;
  var m: f32 = -1e+30f;
  let stride: i32 = launch.G * launch.HKV;
  let t_BJ: i32 = thread >> 6u;
  let bound_1: i32 = min(end, launch.P);
  let t_GP: i32 = (thread >> 5u) & 1;
  let left_2: i32 = launch.G - g;
  let lse_at: i32 = t_BJ * stride + t_GP;
  let lse_at_1: i32 = pid1 * launch.G + g + lse_at;
  let lse_in: bool = (pid1 < launch.HKV) & (t_GP < left_2);
  let bound_2: i32 = max(bound_1, 0);
  let stride_1: i32 = launch.G * 128 * launch.HKV;
  let stride_2: i32 = launch.G * 128;
  let t_D: i32 = (thread & 31) * 4;
  let partial_at: i32 = t_BJ * stride_1 + t_GP * 128 + t_D;
  let partial_at_1: i32 = pid1 * stride_2 + g * 128 + partial_at;
  let is_first_1: bool = (thread & 31) == 0;
  let part_at: i32 = t_BJ * 2 + t_GP;
  let element: i32 = t_GP * 128 + t_D;
  let part_at_1: i32 = t_BJ * 256 + element;
  if (thread == 0) { uniform_word = u32(first); }
  let j_start = i32(workgroupUniformLoad(&uniform_word));
  if (thread == 0) { uniform_word = u32(end); }
  let j_end = i32(workgroupUniformLoad(&uniform_word));
  for (var j: i32 = j_start; j < j_end; j += 8) {
    let lse_at_2: i32 = lse_at_1 + j * stride;
    var x_0: f32; var x_1: f32;
    let position: i32 = j + t_BJ;
    let x_in = lse_in & (u32(position) < u32(bound_2));
    x_0 = select(tw_bits_f32(0xff800000u), lse[select(0, lse_at_2, x_in)], x_in);
    let x_in_1 = lse_in & (u32(position + 4) < u32(bound_2));
    x_1 = select(tw_bits_f32(0xff800000u), lse[select(0, lse_at_2 + stride * 4, x_in_1)], x_in_1);
    let partial_at_2: i32 = partial_at_1 + j * stride_1;
    var part_0: f32; var part_1: f32; var part_2: f32; var part_3: f32; var part_4: f32;
    var part_5: f32; var part_6: f32; var part_7: f32;
    let part_in = lse_in & (u32(position) < u32(bound_2));
    let part_word = select(
        vec4<f32>(0.0f), partial[select(0, partial_at_2 >> 2u, part_in)], part_in);
    part_0 = part_word.x; part_1 = part_word.y; part_2 = part_word.z; part_3 = part_word.w;
    let part_in_1 = lse_in & (u32(position + 4) < u32(bound_2));
    let part_word_1 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_2 + stride_1 * 4) >> 2u, part_in_1)], part_in_1);
    part_4 = part_word_1.x; part_5 = part_word_1.y; part_6 = part_word_1.z; part_7 = part_word_1.w;
    var most: f32 = tw_bits_f32(0xff800000u);
    most = tw_max(most, x_0);
    most = tw_max(most, x_1);
    if (is_first_1) {
      t114_parts[part_at] = most;
    }
    workgroupBarrier();
    most = t114_parts[t_GP];
    var other_14: f32;
    other_14 = t114_parts[t_GP + 2];
    most = tw_max(most, other_14);
    var other_15: f32;
    other_15 = t114_parts[t_GP + 4];
    most = tw_max(most, other_15);
    var other_16: f32;
    other_16 = t114_parts[t_GP + 6];
    most = tw_max(most, other_16);
    let next: f32 = tw_max(m, most);
    var w_0: f32; var w_1: f32;
    w_0 = tw_exp2(x_0 - next); w_1 = tw_exp2(x_1 - next);
    let alpha: f32 = tw_exp2(m - next);
    var sum_2: f32 = 0.0f;
    sum_2 = sum_2 + w_0;
    sum_2 = sum_2 + w_1;
    if (is_first_1) {
      t122_parts[part_at] = sum_2;
    }
    workgroupBarrier();
    sum_2 = t122_parts[t_GP];
    var other_17: f32;
    other_17 = t122_parts[t_GP + 2];
    sum_2 = sum_2 + other_17;
    var other_18: f32;
    other_18 = t122_parts[t_GP + 4];
    sum_2 = sum_2 + other_18;
    var other_19: f32;
    other_19 = t122_parts[t_GP + 6];
    sum_2 = sum_2 + other_19;
    var sum_3_0: f32; var sum_3_1: f32; var sum_3_2: f32; var sum_3_3: f32;
    sum_3_0 = 0.0f; sum_3_1 = 0.0f; sum_3_2 = 0.0f; sum_3_3 = 0.0f;
    sum_3_0 = sum_3_0 + w_0 * part_0; sum_3_1 = sum_3_1 + w_0 * part_1;
    sum_3_2 = sum_3_2 + w_0 * part_2; sum_3_3 = sum_3_3 + w_0 * part_3;
    sum_3_0 = sum_3_0 + w_1 * part_4; sum_3_1 = sum_3_1 + w_1 * part_5;
    sum_3_2 = sum_3_2 + w_1 * part_6; sum_3_3 = sum_3_3 + w_1 * part_7;
    t128_parts[part_at_1] = sum_3_0;
    t128_parts[part_at_1 + 1] = sum_3_1;
    t128_parts[part_at_1 + 2] = sum_3_2;
    t128_parts[part_at_1 + 3] = sum_3_3;
    workgroupBarrier();
    sum_3_0 = t128_parts[element];
    var other_20: f32;
    other_20 = t128_parts[element + 256];
    sum_3_0 = sum_3_0 + other_20;
    var other_21: f32;
    other_21 = t128_parts[element + 512];
    sum_3_0 = sum_3_0 + other_21;
    var other_22: f32;
    other_22 = t128_parts[element + 768];
    sum_3_0 = sum_3_0 + other_22;
    sum_3_1 = t128_parts[element + 1];
    var other_23: f32;
    other_23 = t128_parts[element + 257];
    sum_3_1 = sum_3_1 + other_23;
    var other_24: f32;
    other_24 = t128_parts[element + 513];
    sum_3_1 = sum_3_1 + other_24;
    var other_25: f32;
    other_25 = t128_parts[element + 769];
    sum_3_1 = sum_3_1 + other_25;
    sum_3_2 = t128_parts[element + 2];
    var other_26: f32;
    other_26 = t128_parts[element + 258];
    sum_3_2 = sum_3_2 + other_26;
    var other_27: f32;
    other_27 = t128_parts[element + 514];
    sum_3_2 = sum_3_2 + other_27;
    var other_28: f32;
    other_28 = t128_parts[element + 770];
    sum_3_2 = sum_3_2 + other_28;
    sum_3_3 = t128_parts[element + 3];
    var other_29: f32;
    other_29 = t128_parts[element + 259];
    sum_3_3 = sum_3_3 + other_29;
    var other_30: f32;
    other_30 = t128_parts[element + 515];
    sum_3_3 = sum_3_3 + other_30;
    var other_31: f32;
    other_31 = t128_parts[element + 771];
    sum_3_3 = sum_3_3 + other_31;
    l = l * alpha + sum_2;
    acc_0 = acc_0 * alpha + sum_3_0; acc_1 = acc_1 * alpha + sum_3_1;
    acc_2 = acc_2 * alpha + sum_3_2; acc_3 = acc_3 * alpha + sum_3_3;
    m = next;
  }
  let t_7: f32 = tw_max(l, 1e-30f);
  let o_at: i32 = pid2 * stride_1 + pid1 * stride_2 + g * 128 + element;
  let o_in: bool = ((pid2 < launch.S) & (pid1 < launch.HKV)) & (t_GP < left_2);
  let is_first_2: bool = thread < 64;
  if (is_first_2) {
    var o_tile_0: u32; var o_tile_1: u32; var o_tile_2: u32; var o_tile_3: u32;
    o_tile_0 = tw_f32_to_bf16(acc_0 / t_7); o_tile_1 = tw_f32_to_bf16(acc_1 / t_7);
    o_tile_2 = tw_f32_to_bf16(acc_2 / t_7); o_tile_3 = tw_f32_to_bf16(acc_3 / t_7);
    if (o_in) {
      o[o_at >> 2u] = vec2<u32>(o_tile_0 | (o_tile_1 << 16u), o_tile_2 | (o_tile_3 << 16u));
    }
  }
}
