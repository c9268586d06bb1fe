// shared_prefix_merge_sinks for wgsl, made by tilewright
// dtypes: T=bf16
// config: BN=16 BS=32 LEAST=1 GP=4 BJ=4 stages=1 SN=16
// dims fixed: G=7 D=80
// dims divisible: B%2 S%2
// 128 threads, 5952 bytes of shared memory
//       0 … 5120: t141_parts f32[1280]
//       0 … 5120: t255_parts f32[1280]
//    5120 … 5248: t36_parts i32[32]
//    5248 … 5376: t48_parts i32[32]
//    5376 … 5504: t162_parts i32[32]
//    5504 … 5632: t174_parts i32[32]
//    5632 … 5696: t127_parts f32[16]
//    5760 … 5824: t135_parts f32[16]
//    5888 … 5952: w_convert f32[16]

struct TwLaunch {
  programs: vec4<u32>,
  PB: i32,
  HKV: i32,
  R: i32,
  B: i32,
  P: i32,
  S: i32,
}
@group(0) @binding(0) var<storage, read> prefix: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> prefixLse: array<f32>;
@group(0) @binding(2) var<storage, read> tileLens: array<i32>;
@group(0) @binding(3) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> lse: array<f32>;
@group(0) @binding(5) var<storage, read> own: array<i32>;
@group(0) @binding(6) var<storage, read> place: array<i32>;
@group(0) @binding(7) var<storage, read_write> o: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read> sinks: array<u32>;
@group(0) @binding(9) var<uniform> launch: TwLaunch;
var<workgroup> shared_t141_parts_t255_parts: array<f32, 1280>;
var<workgroup> t36_parts: array<i32, 32>;
var<workgroup> t48_parts: array<i32, 32>;
var<workgroup> t162_parts: array<i32, 32>;
var<workgroup> t174_parts: array<i32, 32>;
var<workgroup> t127_parts: array<f32, 16>;
var<workgroup> t135_parts: array<f32, 16>;
var<workgroup> w_convert: array<f32, 16>;
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

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

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

@compute @workgroup_size(128)
fn shared_prefix_merge_sinks(
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
  let t: i32 = pid0 * 4;
  let t_GP: i32 = (thread >> 2u) & 3;
  let left: i32 = 7 - t;
  let sinks_at: i32 = pid1 * 7 + t + t_GP;
  let sinks_in: bool = (pid1 < launch.HKV) & (t_GP < left);
  var sinks_tile: u32;
  let sinks_tile_word = select(
      0u, sinks[select(0, sinks_at >> 1u, sinks_in)], sinks_in) >> ((u32(sinks_at) & 1u) * 16u);
  sinks_tile = sinks_tile_word & 0xffffu;
  var at: i32;
  at = place[pid2];
  let most: i32 = tw_floordiv_positive(launch.R, 7);
  let t_1: i32 = max(at, 0);
  let tile: i32 = tw_floordiv_i32(t_1, most);
  let programs: i32 = launch.PB - launch.B;
  var tileLens_tile: i32;
  tileLens_tile = tileLens[tile];
  let t_2: i32 = (tileLens_tile + 15) >> 4u;
  var length: i32 = 0;
  let t_BS: i32 = thread & 31;
  let is_first: bool = thread < 32;
  for (var i: i32 = 0; i < launch.B; i += 32) {
    let left_1: i32 = launch.B - i;
    let tileLens_at: i32 = t_BS + i;
    let tileLens_in: bool = t_BS < left_1;
    var tileLens_tile_1: i32;
    tileLens_tile_1 = select(0, tileLens[select(0, tileLens_at, tileLens_in)], tileLens_in);
    workgroupBarrier();
    var sum: i32 = (tileLens_tile_1 + 15) >> 4u;
    if (is_first) {
      t36_parts[t_BS] = sum;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum = t36_parts[t_BS];
      var other: i32;
      other = t36_parts[t_BS + 4];
      sum = sum + other;
      var other_1: i32;
      other_1 = t36_parts[t_BS + 8];
      sum = sum + other_1;
      var other_2: i32;
      other_2 = t36_parts[t_BS + 12];
      sum = sum + other_2;
      var other_3: i32;
      other_3 = t36_parts[t_BS + 16];
      sum = sum + other_3;
      var other_4: i32;
      other_4 = t36_parts[t_BS + 20];
      sum = sum + other_4;
      var other_5: i32;
      other_5 = t36_parts[t_BS + 24];
      sum = sum + other_5;
      var other_6: i32;
      other_6 = t36_parts[t_BS + 28];
      sum = sum + other_6;
      t36_parts[t_BS] = sum;
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
  let bound: i32 = min(tile, launch.B);
  let i_1_end = tile;
  for (var i_1: i32 = 0; i_1 < i_1_end; i_1 += 32) {
    let left_2: i32 = bound - i_1;
    let tileLens_at_1: i32 = t_BS + i_1;
    let tileLens_in_1: bool = t_BS < left_2;
    var tileLens_tile_2: i32;
    tileLens_tile_2 = select(0, tileLens[select(0, tileLens_at_1, tileLens_in_1)], tileLens_in_1);
    workgroupBarrier();
    var sum_1: i32 = (tileLens_tile_2 + 15) >> 4u;
    if (is_first) {
      t48_parts[t_BS] = sum_1;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum_1 = t48_parts[t_BS];
      var other_7: i32;
      other_7 = t48_parts[t_BS + 4];
      sum_1 = sum_1 + other_7;
      var other_8: i32;
      other_8 = t48_parts[t_BS + 8];
      sum_1 = sum_1 + other_8;
      var other_9: i32;
      other_9 = t48_parts[t_BS + 12];
      sum_1 = sum_1 + other_9;
      var other_10: i32;
      other_10 = t48_parts[t_BS + 16];
      sum_1 = sum_1 + other_10;
      var other_11: i32;
      other_11 = t48_parts[t_BS + 20];
      sum_1 = sum_1 + other_11;
      var other_12: i32;
      other_12 = t48_parts[t_BS + 24];
      sum_1 = sum_1 + other_12;
      var other_13: i32;
      other_13 = t48_parts[t_BS + 28];
      sum_1 = sum_1 + other_13;
      t48_parts[t_BS] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    parts_1_0 = t48_parts[0];
    parts_1_1 = t48_parts[1];
    parts_1_2 = t48_parts[2];
    parts_1_3 = t48_parts[3];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    before = before + sum_1;
  }
  let t_3: bool = select(1, tw_floormod_i32(programs, max(launch.B, 1)), launch.B > 1) == 0;
  let isSpread: bool = (t_3 & (programs <= 2047)) & (length <= 1048576);
  let shares: i32 = max(min(programs, length), 1);
  let each: i32 = tw_floordiv_i32(length, shares);
  let longer: i32 = length - each * shares;
  let t_4: i32 = each + 1;
  let edge: i32 = longer * t_4;
  let t_5: i32 = max(each, 1);
  let first: i32 = select(
      longer + tw_floordiv_i32(before - edge, t_5), tw_floordiv_i32(before, t_4), before < edge);
  let t_6: i32 = max(length, 1);
  let t_7: i32 = select(first, tw_floordiv_i32((before + 1) * shares - 1, t_6), isSpread);
  let first_1: i32 = tile + t_7;
  let t_8: bool = t_2 > 0;
  var end: i32;
  if (t_8) {
    let t_9: i32 = before + t_2 - 1;
    let first_2: i32 = select(
        longer + tw_floordiv_i32(t_9 - edge, t_5), tw_floordiv_i32(t_9, t_4), t_9 < edge);
    let t_10: i32 = select(first_2, tw_floordiv_i32((t_9 + 1) * shares - 1, t_6), isSpread);
    end = tile + t_10 + 1;
  } else {
    end = first_1;
  }
  let row: i32 = tw_floormod_i32(t_1, most) * 7;
  let t_11: i32 = row + t;
  let t_12: i32 = row + 7;
  let end_1: i32 = select(end, first_1, at < 0);
  var l: f32 = 1.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32; var acc_16: f32;
  var acc_17: f32; var acc_18: f32; var acc_19: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f; acc_16 = 0.0f; acc_17 = 0.0f; acc_18 = 0.0f;
  acc_19 = 0.0f;
  var m: f32 = 0.0f + tw_bf16_to_f32(sinks_tile) * 1.442695f;
  let stride: i32 = launch.R * launch.HKV;
  let t_BJ: i32 = (thread >> 4u) & 3;
  let bound_1: i32 = min(end_1, launch.PB);
  let bound_2: i32 = max(bound_1, 0);
  let bound_3: i32 = min(t_12, launch.R);
  let left_3: i32 = bound_3 - t_11;
  let prefixLse_at: i32 = t_BJ * stride + t_GP;
  let prefixLse_at_1: i32 = pid1 * launch.R + t_11 + prefixLse_at;
  let prefixLse_in: bool = (pid1 < launch.HKV) & (t_GP < left_3);
  let stride_1: i32 = launch.R * 80 * launch.HKV;
  let stride_2: i32 = launch.R * 80;
  let t_D: i32 = (thread & 3) * 4;
  let prefix_at: i32 = t_BJ * stride_1 + t_GP * 80 + t_D;
  let prefix_at_1: i32 = pid1 * stride_2 + t_11 * 80 + prefix_at;
  let is_first_1: bool = ((thread & 3) == 0) & (thread < 64);
  let part_at: i32 = t_BJ * 4 + t_GP;
  let element: i32 = t_GP * 80 + t_D;
  let is_first_2: bool = thread < 64;
  let part_at_1: i32 = t_BJ * 320 + element;
  if (thread == 0) { uniform_word = u32(first_1); }
  let j_start = i32(workgroupUniformLoad(&uniform_word));
  if (thread == 0) { uniform_word = u32(end_1); }
  let j_end = i32(workgroupUniformLoad(&uniform_word));
  for (var j: i32 = j_start; j < j_end; j += 4) {
    let position: i32 = j + t_BJ;
    let prefixLse_at_2: i32 = prefixLse_at_1 + j * stride;
    let prefixLse_in_1: bool = prefixLse_in & (u32(position) < u32(bound_2));
    var x: f32;
    x = select(
        tw_bits_f32(0xff800000u), prefixLse[select(0, prefixLse_at_2, prefixLse_in_1)],
        prefixLse_in_1);
    let prefix_at_2: i32 = prefix_at_1 + j * stride_1;
    var part_0: f32; var part_1: f32; var part_2: f32; var part_3: f32; var part_4: f32;
    var part_5: f32; var part_6: f32; var part_7: f32; var part_8: f32; var part_9: f32;
    var part_10: f32; var part_11: f32; var part_12: f32; var part_13: f32; var part_14: f32;
    var part_15: f32; var part_16: f32; var part_17: f32; var part_18: f32; var part_19: f32;
    let part_word = select(
        vec4<f32>(0.0f), prefix[select(0, prefix_at_2 >> 2u, prefixLse_in_1)], prefixLse_in_1);
    part_0 = part_word.x; part_1 = part_word.y; part_2 = part_word.z; part_3 = part_word.w;
    let part_word_1 = select(
        vec4<f32>(0.0f), prefix[select(0, (prefix_at_2 + 16) >> 2u, prefixLse_in_1)], prefixLse_in_1);
    part_4 = part_word_1.x; part_5 = part_word_1.y; part_6 = part_word_1.z; part_7 = part_word_1.w;
    let part_word_2 = select(
        vec4<f32>(0.0f), prefix[select(0, (prefix_at_2 + 32) >> 2u, prefixLse_in_1)], prefixLse_in_1);
    part_8 = part_word_2.x; part_9 = part_word_2.y; part_10 = part_word_2.z;
    part_11 = part_word_2.w;
    let part_word_3 = select(
        vec4<f32>(0.0f), prefix[select(0, (prefix_at_2 + 48) >> 2u, prefixLse_in_1)], prefixLse_in_1);
    part_12 = part_word_3.x; part_13 = part_word_3.y; part_14 = part_word_3.z;
    part_15 = part_word_3.w;
    let part_word_4 = select(
        vec4<f32>(0.0f), prefix[select(0, (prefix_at_2 + 64) >> 2u, prefixLse_in_1)], prefixLse_in_1);
    part_16 = part_word_4.x; part_17 = part_word_4.y; part_18 = part_word_4.z;
    part_19 = part_word_4.w;
    var most_1: f32 = tw_max(tw_bits_f32(0xff800000u), x);
    if (is_first_1) {
      t127_parts[part_at] = most_1;
    }
    workgroupBarrier();
    most_1 = t127_parts[t_GP];
    var other_14: f32;
    other_14 = t127_parts[t_GP + 4];
    most_1 = tw_max(most_1, other_14);
    var other_15: f32;
    other_15 = t127_parts[t_GP + 8];
    most_1 = tw_max(most_1, other_15);
    var other_16: f32;
    other_16 = t127_parts[t_GP + 12];
    most_1 = tw_max(most_1, other_16);
    let next: f32 = tw_max(m, most_1);
    let w: f32 = tw_exp2(x - next);
    let alpha: f32 = tw_exp2(m - next);
    var sum_2: f32 = w;
    if (is_first_1) {
      t135_parts[part_at] = sum_2;
    }
    workgroupBarrier();
    sum_2 = t135_parts[t_GP];
    var other_17: f32;
    other_17 = t135_parts[t_GP + 4];
    sum_2 = sum_2 + other_17;
    var other_18: f32;
    other_18 = t135_parts[t_GP + 8];
    sum_2 = sum_2 + other_18;
    var other_19: f32;
    other_19 = t135_parts[t_GP + 12];
    sum_2 = sum_2 + other_19;
    var sum_3: array<f32, 20>;
    sum_3[0] = w * part_0; sum_3[1] = w * part_1; sum_3[2] = w * part_2; sum_3[3] = w * part_3;
    sum_3[4] = w * part_4; sum_3[5] = w * part_5; sum_3[6] = w * part_6; sum_3[7] = w * part_7;
    sum_3[8] = w * part_8; sum_3[9] = w * part_9; sum_3[10] = w * part_10; sum_3[11] = w * part_11;
    sum_3[12] = w * part_12; sum_3[13] = w * part_13; sum_3[14] = w * part_14;
    sum_3[15] = w * part_15; sum_3[16] = w * part_16; sum_3[17] = w * part_17;
    sum_3[18] = w * part_18; sum_3[19] = w * part_19;
    if (is_first_2) {
      shared_t141_parts_t255_parts[part_at_1] = sum_3[0];
      shared_t141_parts_t255_parts[part_at_1 + 1] = sum_3[1];
      shared_t141_parts_t255_parts[part_at_1 + 2] = sum_3[2];
      shared_t141_parts_t255_parts[part_at_1 + 3] = sum_3[3];
      shared_t141_parts_t255_parts[part_at_1 + 16] = sum_3[4];
      shared_t141_parts_t255_parts[part_at_1 + 17] = sum_3[5];
      shared_t141_parts_t255_parts[part_at_1 + 18] = sum_3[6];
      shared_t141_parts_t255_parts[part_at_1 + 19] = sum_3[7];
      shared_t141_parts_t255_parts[part_at_1 + 32] = sum_3[8];
      shared_t141_parts_t255_parts[part_at_1 + 33] = sum_3[9];
      shared_t141_parts_t255_parts[part_at_1 + 34] = sum_3[10];
      shared_t141_parts_t255_parts[part_at_1 + 35] = sum_3[11];
      shared_t141_parts_t255_parts[part_at_1 + 48] = sum_3[12];
      shared_t141_parts_t255_parts[part_at_1 + 49] = sum_3[13];
      shared_t141_parts_t255_parts[part_at_1 + 50] = sum_3[14];
      shared_t141_parts_t255_parts[part_at_1 + 51] = sum_3[15];
      shared_t141_parts_t255_parts[part_at_1 + 64] = sum_3[16];
      shared_t141_parts_t255_parts[part_at_1 + 65] = sum_3[17];
      shared_t141_parts_t255_parts[part_at_1 + 66] = sum_3[18];
      shared_t141_parts_t255_parts[part_at_1 + 67] = sum_3[19];
    }
    workgroupBarrier();
    for (var r: i32 = 0; r < 5; r++) {
      sum_3[r * 4] = shared_t141_parts_t255_parts[element + r * 16];
      var other_20: f32;
      other_20 = shared_t141_parts_t255_parts[element + r * 16 + 320];
      sum_3[r * 4] = sum_3[r * 4] + other_20;
      var other_21: f32;
      other_21 = shared_t141_parts_t255_parts[element + r * 16 + 640];
      sum_3[r * 4] = sum_3[r * 4] + other_21;
      var other_22: f32;
      other_22 = shared_t141_parts_t255_parts[element + r * 16 + 960];
      sum_3[r * 4] = sum_3[r * 4] + other_22;
      sum_3[r * 4 + 1] = shared_t141_parts_t255_parts[element + r * 16 + 1];
      var other_23: f32;
      other_23 = shared_t141_parts_t255_parts[element + r * 16 + 321];
      sum_3[r * 4 + 1] = sum_3[r * 4 + 1] + other_23;
      var other_24: f32;
      other_24 = shared_t141_parts_t255_parts[element + r * 16 + 641];
      sum_3[r * 4 + 1] = sum_3[r * 4 + 1] + other_24;
      var other_25: f32;
      other_25 = shared_t141_parts_t255_parts[element + r * 16 + 961];
      sum_3[r * 4 + 1] = sum_3[r * 4 + 1] + other_25;
      sum_3[r * 4 + 2] = shared_t141_parts_t255_parts[element + r * 16 + 2];
      var other_26: f32;
      other_26 = shared_t141_parts_t255_parts[element + r * 16 + 322];
      sum_3[r * 4 + 2] = sum_3[r * 4 + 2] + other_26;
      var other_27: f32;
      other_27 = shared_t141_parts_t255_parts[element + r * 16 + 642];
      sum_3[r * 4 + 2] = sum_3[r * 4 + 2] + other_27;
      var other_28: f32;
      other_28 = shared_t141_parts_t255_parts[element + r * 16 + 962];
      sum_3[r * 4 + 2] = sum_3[r * 4 + 2] + other_28;
      sum_3[r * 4 + 3] = shared_t141_parts_t255_parts[element + r * 16 + 3];
      var other_29: f32;
      other_29 = shared_t141_parts_t255_parts[element + r * 16 + 323];
      sum_3[r * 4 + 3] = sum_3[r * 4 + 3] + other_29;
      var other_30: f32;
      other_30 = shared_t141_parts_t255_parts[element + r * 16 + 643];
      sum_3[r * 4 + 3] = sum_3[r * 4 + 3] + other_30;
      var other_31: f32;
      other_31 = shared_t141_parts_t255_parts[element + r * 16 + 963];
      sum_3[r * 4 + 3] = sum_3[r * 4 + 3] + other_31;
    }
    l = l * alpha + sum_2;
    acc_0 = acc_0 * alpha + sum_3[0]; acc_1 = acc_1 * alpha + sum_3[1];
    acc_2 = acc_2 * alpha + sum_3[2]; acc_3 = acc_3 * alpha + sum_3[3];
    acc_4 = acc_4 * alpha + sum_3[4]; acc_5 = acc_5 * alpha + sum_3[5];
    acc_6 = acc_6 * alpha + sum_3[6]; acc_7 = acc_7 * alpha + sum_3[7];
    acc_8 = acc_8 * alpha + sum_3[8]; acc_9 = acc_9 * alpha + sum_3[9];
    acc_10 = acc_10 * alpha + sum_3[10]; acc_11 = acc_11 * alpha + sum_3[11];
    acc_12 = acc_12 * alpha + sum_3[12]; acc_13 = acc_13 * alpha + sum_3[13];
    acc_14 = acc_14 * alpha + sum_3[14]; acc_15 = acc_15 * alpha + sum_3[15];
    acc_16 = acc_16 * alpha + sum_3[16]; acc_17 = acc_17 * alpha + sum_3[17];
    acc_18 = acc_18 * alpha + sum_3[18]; acc_19 = acc_19 * alpha + sum_3[19];
    m = next;
  }
  let programs_1: i32 = launch.P - launch.S;
  var own_tile: i32;
  own_tile = own[pid2];
  let t_13: i32 = (own_tile + 15) >> 4u;
  var length_1: i32 = 0;
  for (var i_2: i32 = 0; i_2 < launch.S; i_2 += 32) {
    let left_4: i32 = launch.S - i_2;
    let own_at: i32 = t_BS + i_2;
    let own_in: bool = t_BS < left_4;
    var own_tile_1: i32;
    own_tile_1 = select(0, own[select(0, own_at, own_in)], own_in);
    workgroupBarrier();
    var sum_4: i32 = (own_tile_1 + 15) >> 4u;
    if (is_first) {
      t162_parts[t_BS] = sum_4;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum_4 = t162_parts[t_BS];
      var other_32: i32;
      other_32 = t162_parts[t_BS + 4];
      sum_4 = sum_4 + other_32;
      var other_33: i32;
      other_33 = t162_parts[t_BS + 8];
      sum_4 = sum_4 + other_33;
      var other_34: i32;
      other_34 = t162_parts[t_BS + 12];
      sum_4 = sum_4 + other_34;
      var other_35: i32;
      other_35 = t162_parts[t_BS + 16];
      sum_4 = sum_4 + other_35;
      var other_36: i32;
      other_36 = t162_parts[t_BS + 20];
      sum_4 = sum_4 + other_36;
      var other_37: i32;
      other_37 = t162_parts[t_BS + 24];
      sum_4 = sum_4 + other_37;
      var other_38: i32;
      other_38 = t162_parts[t_BS + 28];
      sum_4 = sum_4 + other_38;
      t162_parts[t_BS] = sum_4;
    }
    workgroupBarrier();
    var parts_2_0: i32; var parts_2_1: i32; var parts_2_2: i32; var parts_2_3: i32;
    parts_2_0 = t162_parts[0];
    parts_2_1 = t162_parts[1];
    parts_2_2 = t162_parts[2];
    parts_2_3 = t162_parts[3];
    sum_4 = parts_2_0;
    sum_4 = sum_4 + parts_2_1;
    sum_4 = sum_4 + parts_2_2;
    sum_4 = sum_4 + parts_2_3;
    length_1 = length_1 + sum_4;
  }
  var before_1: i32 = 0;
  let bound_4: i32 = min(pid2, launch.S);
  for (var i_3: i32 = 0; i_3 < pid2; i_3 += 32) {
    let left_5: i32 = bound_4 - i_3;
    let own_at_1: i32 = t_BS + i_3;
    let own_in_1: bool = t_BS < left_5;
    var own_tile_2: i32;
    own_tile_2 = select(0, own[select(0, own_at_1, own_in_1)], own_in_1);
    workgroupBarrier();
    var sum_5: i32 = (own_tile_2 + 15) >> 4u;
    if (is_first) {
      t174_parts[t_BS] = sum_5;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum_5 = t174_parts[t_BS];
      var other_39: i32;
      other_39 = t174_parts[t_BS + 4];
      sum_5 = sum_5 + other_39;
      var other_40: i32;
      other_40 = t174_parts[t_BS + 8];
      sum_5 = sum_5 + other_40;
      var other_41: i32;
      other_41 = t174_parts[t_BS + 12];
      sum_5 = sum_5 + other_41;
      var other_42: i32;
      other_42 = t174_parts[t_BS + 16];
      sum_5 = sum_5 + other_42;
      var other_43: i32;
      other_43 = t174_parts[t_BS + 20];
      sum_5 = sum_5 + other_43;
      var other_44: i32;
      other_44 = t174_parts[t_BS + 24];
      sum_5 = sum_5 + other_44;
      var other_45: i32;
      other_45 = t174_parts[t_BS + 28];
      sum_5 = sum_5 + other_45;
      t174_parts[t_BS] = sum_5;
    }
    workgroupBarrier();
    var parts_3_0: i32; var parts_3_1: i32; var parts_3_2: i32; var parts_3_3: i32;
    parts_3_0 = t174_parts[0];
    parts_3_1 = t174_parts[1];
    parts_3_2 = t174_parts[2];
    parts_3_3 = t174_parts[3];
    sum_5 = parts_3_0;
    sum_5 = sum_5 + parts_3_1;
    sum_5 = sum_5 + parts_3_2;
    sum_5 = sum_5 + parts_3_3;
    before_1 = before_1 + sum_5;
  }
  let t_14: bool = select(1, tw_floormod_i32(programs_1, max(launch.S, 1)), launch.S > 1) == 0;
  let isSpread_1: bool = (t_14 & (programs_1 <= 2047)) & (length_1 <= 1048576);
  let shares_1: i32 = max(min(programs_1, length_1), 1);
  let each_1: i32 = tw_floordiv_i32(length_1, shares_1);
  let longer_1: i32 = length_1 - each_1 * shares_1;
  let t_15: i32 = each_1 + 1;
  let edge_1: i32 = longer_1 * t_15;
  let t_16: i32 = max(each_1, 1);
  let first_3: i32 = select(
      longer_1 + tw_floordiv_i32(before_1 - edge_1, t_16), tw_floordiv_i32(before_1, t_15),
      before_1 < edge_1);
  let t_17: i32 = max(length_1, 1);
  let t_18: i32 = select(first_3, tw_floordiv_i32((before_1 + 1) * shares_1 - 1, t_17), isSpread_1);
  let first_4: i32 = pid2 + t_18;
  let t_19: bool = t_13 > 0;
  var end_2: i32;
  if (t_19) {
    let t_20: i32 = before_1 + t_13 - 1;
    let first_5: i32 = select(
        longer_1 + tw_floordiv_i32(t_20 - edge_1, t_16), tw_floordiv_i32(t_20, t_15), t_20 < edge_1);
    let t_21: i32 = select(first_5, tw_floordiv_i32((t_20 + 1) * shares_1 - 1, t_17), isSpread_1);
    end_2 = pid2 + t_21 + 1;
  } else {
    end_2 = first_4;
  }
  var l_1: f32 = l;
  var m_1: f32 = m;
  let stride_3: i32 = launch.HKV * 7;
  let bound_5: i32 = min(end_2, launch.P);
  let bound_6: i32 = max(bound_5, 0);
  let stride_4: i32 = launch.HKV * 560;
  let partial_at: i32 = t_BJ * stride_4 + t_GP * 80 + t_D;
  let partial_at_1: i32 = pid1 * 560 + t * 80 + partial_at;
  let is_first_3: bool = ((thread & 3) == 0) & (thread < 16);
  let w_convert_at: i32 = ((thread >> 2u) & 3) * 4;
  let w_convert_at_1: i32 = ((thread >> 2u) & 3) * 4 + ((thread >> 4u) & 3);
  if (thread == 0) { uniform_word = u32(first_4); }
  let j_1_start = i32(workgroupUniformLoad(&uniform_word));
  if (thread == 0) { uniform_word = u32(end_2); }
  let j_1_end = i32(workgroupUniformLoad(&uniform_word));
  for (var j_1: i32 = j_1_start; j_1 < j_1_end; j_1 += 4) {
    let lse_at: i32 = sinks_at + j_1 * stride_3;
    var x_1_0: f32; var x_1_1: f32; var x_1_2: f32; var x_1_3: f32;
    let x_1_in = sinks_in & (u32(j_1) < u32(bound_6));
    x_1_0 = select(tw_bits_f32(0xff800000u), lse[select(0, lse_at, x_1_in)], x_1_in);
    let x_1_in_1 = sinks_in & (u32(j_1 + 1) < u32(bound_6));
    x_1_1 = select(tw_bits_f32(0xff800000u), lse[select(0, lse_at + stride_3, x_1_in_1)], x_1_in_1);
    let x_1_in_2 = sinks_in & (u32(j_1 + 2) < u32(bound_6));
    x_1_2 = select(
        tw_bits_f32(0xff800000u), lse[select(0, lse_at + stride_3 * 2, x_1_in_2)], x_1_in_2);
    let x_1_in_3 = sinks_in & (u32(j_1 + 3) < u32(bound_6));
    x_1_3 = select(
        tw_bits_f32(0xff800000u), lse[select(0, lse_at + stride_3 * 3, x_1_in_3)], x_1_in_3);
    let position_1: i32 = j_1 + t_BJ;
    let partial_at_2: i32 = partial_at_1 + j_1 * stride_4;
    let partial_in: bool = sinks_in & (u32(position_1) < u32(bound_6));
    var part_1_0: f32; var part_1_1: f32; var part_1_2: f32; var part_1_3: f32; var part_1_4: f32;
    var part_1_5: f32; var part_1_6: f32; var part_1_7: f32; var part_1_8: f32; var part_1_9: f32;
    var part_1_10: f32; var part_1_11: f32; var part_1_12: f32; var part_1_13: f32;
    var part_1_14: f32; var part_1_15: f32; var part_1_16: f32; var part_1_17: f32;
    var part_1_18: f32; var part_1_19: f32;
    let part_1_word = select(
        vec4<f32>(0.0f), partial[select(0, partial_at_2 >> 2u, partial_in)], partial_in);
    part_1_0 = part_1_word.x; part_1_1 = part_1_word.y; part_1_2 = part_1_word.z;
    part_1_3 = part_1_word.w;
    let part_1_word_1 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_2 + 16) >> 2u, partial_in)], partial_in);
    part_1_4 = part_1_word_1.x; part_1_5 = part_1_word_1.y; part_1_6 = part_1_word_1.z;
    part_1_7 = part_1_word_1.w;
    let part_1_word_2 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_2 + 32) >> 2u, partial_in)], partial_in);
    part_1_8 = part_1_word_2.x; part_1_9 = part_1_word_2.y; part_1_10 = part_1_word_2.z;
    part_1_11 = part_1_word_2.w;
    let part_1_word_3 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_2 + 48) >> 2u, partial_in)], partial_in);
    part_1_12 = part_1_word_3.x; part_1_13 = part_1_word_3.y; part_1_14 = part_1_word_3.z;
    part_1_15 = part_1_word_3.w;
    let part_1_word_4 = select(
        vec4<f32>(0.0f), partial[select(0, (partial_at_2 + 64) >> 2u, partial_in)], partial_in);
    part_1_16 = part_1_word_4.x; part_1_17 = part_1_word_4.y; part_1_18 = part_1_word_4.z;
    part_1_19 = part_1_word_4.w;
    var most_2: f32 = tw_bits_f32(0xff800000u);
    most_2 = tw_max(most_2, x_1_0);
    most_2 = tw_max(most_2, x_1_1);
    most_2 = tw_max(most_2, x_1_2);
    most_2 = tw_max(most_2, x_1_3);
    let next_1: f32 = tw_max(m_1, most_2);
    var w_1_0: f32; var w_1_1: f32; var w_1_2: f32; var w_1_3: f32;
    w_1_0 = tw_exp2(x_1_0 - next_1); w_1_1 = tw_exp2(x_1_1 - next_1);
    w_1_2 = tw_exp2(x_1_2 - next_1); w_1_3 = tw_exp2(x_1_3 - next_1);
    let alpha_1: f32 = tw_exp2(m_1 - next_1);
    var sum_6: f32 = 0.0f;
    sum_6 = sum_6 + w_1_0;
    sum_6 = sum_6 + w_1_1;
    sum_6 = sum_6 + w_1_2;
    sum_6 = sum_6 + w_1_3;
    if (is_first_3) {
      w_convert[w_convert_at] = w_1_0;
      w_convert[w_convert_at + 1] = w_1_1;
      w_convert[w_convert_at + 2] = w_1_2;
      w_convert[w_convert_at + 3] = w_1_3;
    }
    workgroupBarrier();
    var w_2: f32;
    w_2 = w_convert[w_convert_at_1];
    var sum_7: array<f32, 20>;
    sum_7[0] = w_2 * part_1_0; sum_7[1] = w_2 * part_1_1; sum_7[2] = w_2 * part_1_2;
    sum_7[3] = w_2 * part_1_3; sum_7[4] = w_2 * part_1_4; sum_7[5] = w_2 * part_1_5;
    sum_7[6] = w_2 * part_1_6; sum_7[7] = w_2 * part_1_7; sum_7[8] = w_2 * part_1_8;
    sum_7[9] = w_2 * part_1_9; sum_7[10] = w_2 * part_1_10; sum_7[11] = w_2 * part_1_11;
    sum_7[12] = w_2 * part_1_12; sum_7[13] = w_2 * part_1_13; sum_7[14] = w_2 * part_1_14;
    sum_7[15] = w_2 * part_1_15; sum_7[16] = w_2 * part_1_16; sum_7[17] = w_2 * part_1_17;
    sum_7[18] = w_2 * part_1_18; sum_7[19] = w_2 * part_1_19;
    if (is_first_2) {
      shared_t141_parts_t255_parts[part_at_1] = sum_7[0];
      shared_t141_parts_t255_parts[part_at_1 + 1] = sum_7[1];
      shared_t141_parts_t255_parts[part_at_1 + 2] = sum_7[2];
      shared_t141_parts_t255_parts[part_at_1 + 3] = sum_7[3];
      shared_t141_parts_t255_parts[part_at_1 + 16] = sum_7[4];
      shared_t141_parts_t255_parts[part_at_1 + 17] = sum_7[5];
      shared_t141_parts_t255_parts[part_at_1 + 18] = sum_7[6];
      shared_t141_parts_t255_parts[part_at_1 + 19] = sum_7[7];
      shared_t141_parts_t255_parts[part_at_1 + 32] = sum_7[8];
      shared_t141_parts_t255_parts[part_at_1 + 33] = sum_7[9];
      shared_t141_parts_t255_parts[part_at_1 + 34] = sum_7[10];
      shared_t141_parts_t255_parts[part_at_1 + 35] = sum_7[11];
      shared_t141_parts_t255_parts[part_at_1 + 48] = sum_7[12];
      shared_t141_parts_t255_parts[part_at_1 + 49] = sum_7[13];
      shared_t141_parts_t255_parts[part_at_1 + 50] = sum_7[14];
      shared_t141_parts_t255_parts[part_at_1 + 51] = sum_7[15];
      shared_t141_parts_t255_parts[part_at_1 + 64] = sum_7[16];
      shared_t141_parts_t255_parts[part_at_1 + 65] = sum_7[17];
      shared_t141_parts_t255_parts[part_at_1 + 66] = sum_7[18];
      shared_t141_parts_t255_parts[part_at_1 + 67] = sum_7[19];
    }
    workgroupBarrier();
    for (var r: i32 = 0; r < 5; r++) {
      sum_7[r * 4] = shared_t141_parts_t255_parts[element + r * 16];
      var other_46: f32;
      other_46 = shared_t141_parts_t255_parts[element + r * 16 + 320];
      sum_7[r * 4] = sum_7[r * 4] + other_46;
      var other_47: f32;
      other_47 = shared_t141_parts_t255_parts[element + r * 16 + 640];
      sum_7[r * 4] = sum_7[r * 4] + other_47;
      var other_48: f32;
      other_48 = shared_t141_parts_t255_parts[element + r * 16 + 960];
      sum_7[r * 4] = sum_7[r * 4] + other_48;
      sum_7[r * 4 + 1] = shared_t141_parts_t255_parts[element + r * 16 + 1];
      var other_49: f32;
      other_49 = shared_t141_parts_t255_parts[element + r * 16 + 321];
      sum_7[r * 4 + 1] = sum_7[r * 4 + 1] + other_49;
      var other_50: f32;
      other_50 = shared_t141_parts_t255_parts[element + r * 16 + 641];
      sum_7[r * 4 + 1] = sum_7[r * 4 + 1] + other_50;
      var other_51: f32;
      other_51 = shared_t141_parts_t255_parts[element + r * 16 + 961];
      sum_7[r * 4 + 1] = sum_7[r * 4 + 1] + other_51;
      sum_7[r * 4 + 2] = shared_t141_parts_t255_parts[element + r * 16 + 2];
      var other_52: f32;
      other_52 = shared_t141_parts_t255_parts[element + r * 16 + 322];
      sum_7[r * 4 + 2] = sum_7[r * 4 + 2] + other_52;
      var other_53: f32;
      other_53 = shared_t141_parts_t255_parts[element + r * 16 + 642];
      sum_7[r * 4 + 2] = sum_7[r * 4 + 2] + other_53;
      var other_54: f32;
      other_54 = shared_t141_parts_t255_parts[element + r * 16 + 962];
      sum_7[r * 4 + 2] = sum_7[r * 4 + 2] + other_54;
      sum_7[r * 4 + 3] = shared_t141_parts_t255_parts[element + r * 16 + 3];
      var other_55: f32;
      other_55 = shared_t141_parts_t255_parts[element + r * 16 + 323];
      sum_7[r * 4 + 3] = sum_7[r * 4 + 3] + other_55;
      var other_56: f32;
      other_56 = shared_t141_parts_t255_parts[element + r * 16 + 643];
      sum_7[r * 4 + 3] = sum_7[r * 4 + 3] + other_56;
      var other_57: f32;
      other_57 = shared_t141_parts_t255_parts[element + r * 16 + 963];
      sum_7[r * 4 + 3] = sum_7[r * 4 + 3] + other_57;
    }
    l_1 = l_1 * alpha_1 + sum_6;
    acc_0 = acc_0 * alpha_1 + sum_7[0]; acc_1 = acc_1 * alpha_1 + sum_7[1];
    acc_2 = acc_2 * alpha_1 + sum_7[2]; acc_3 = acc_3 * alpha_1 + sum_7[3];
    acc_4 = acc_4 * alpha_1 + sum_7[4]; acc_5 = acc_5 * alpha_1 + sum_7[5];
    acc_6 = acc_6 * alpha_1 + sum_7[6]; acc_7 = acc_7 * alpha_1 + sum_7[7];
    acc_8 = acc_8 * alpha_1 + sum_7[8]; acc_9 = acc_9 * alpha_1 + sum_7[9];
    acc_10 = acc_10 * alpha_1 + sum_7[10]; acc_11 = acc_11 * alpha_1 + sum_7[11];
    acc_12 = acc_12 * alpha_1 + sum_7[12]; acc_13 = acc_13 * alpha_1 + sum_7[13];
    acc_14 = acc_14 * alpha_1 + sum_7[14]; acc_15 = acc_15 * alpha_1 + sum_7[15];
    acc_16 = acc_16 * alpha_1 + sum_7[16]; acc_17 = acc_17 * alpha_1 + sum_7[17];
    acc_18 = acc_18 * alpha_1 + sum_7[18]; acc_19 = acc_19 * alpha_1 + sum_7[19];
    m_1 = next_1;
  }
  let t_22: f32 = tw_max(l_1, 1e-30f);
  let o_at: i32 = pid2 * stride_4 + pid1 * 560 + t * 80 + element;
  let o_in: bool = ((pid2 < launch.S) & (pid1 < launch.HKV)) & (t_GP < left);
  let is_first_4: bool = thread < 16;
  if (is_first_4) {
    var o_tile_0: u32; var o_tile_1: u32; var o_tile_2: u32; var o_tile_3: u32;
    o_tile_0 = tw_f32_to_bf16(acc_0 / t_22); o_tile_1 = tw_f32_to_bf16(acc_1 / t_22);
    o_tile_2 = tw_f32_to_bf16(acc_2 / t_22); o_tile_3 = tw_f32_to_bf16(acc_3 / t_22);
    if (o_in) {
      o[o_at >> 2u] = vec2<u32>(o_tile_0 | (o_tile_1 << 16u), o_tile_2 | (o_tile_3 << 16u));
    }
    var o_tile_1_1_0: u32; var o_tile_1_1_1: u32; var o_tile_1_1_2: u32; var o_tile_1_1_3: u32;
    o_tile_1_1_0 = tw_f32_to_bf16(acc_4 / t_22); o_tile_1_1_1 = tw_f32_to_bf16(acc_5 / t_22);
    o_tile_1_1_2 = tw_f32_to_bf16(acc_6 / t_22); o_tile_1_1_3 = tw_f32_to_bf16(acc_7 / t_22);
    if (o_in) {
      o[(o_at + 16) >> 2u] = vec2<u32>(
          o_tile_1_1_0 | (o_tile_1_1_1 << 16u), o_tile_1_1_2 | (o_tile_1_1_3 << 16u));
    }
    var o_tile_2_1_0: u32; var o_tile_2_1_1: u32; var o_tile_2_1_2: u32; var o_tile_2_1_3: u32;
    o_tile_2_1_0 = tw_f32_to_bf16(acc_8 / t_22); o_tile_2_1_1 = tw_f32_to_bf16(acc_9 / t_22);
    o_tile_2_1_2 = tw_f32_to_bf16(acc_10 / t_22); o_tile_2_1_3 = tw_f32_to_bf16(acc_11 / t_22);
    if (o_in) {
      o[(o_at + 32) >> 2u] = vec2<u32>(
          o_tile_2_1_0 | (o_tile_2_1_1 << 16u), o_tile_2_1_2 | (o_tile_2_1_3 << 16u));
    }
    var o_tile_3_1_0: u32; var o_tile_3_1_1: u32; var o_tile_3_1_2: u32; var o_tile_3_1_3: u32;
    o_tile_3_1_0 = tw_f32_to_bf16(acc_12 / t_22); o_tile_3_1_1 = tw_f32_to_bf16(acc_13 / t_22);
    o_tile_3_1_2 = tw_f32_to_bf16(acc_14 / t_22); o_tile_3_1_3 = tw_f32_to_bf16(acc_15 / t_22);
    if (o_in) {
      o[(o_at + 48) >> 2u] = vec2<u32>(
          o_tile_3_1_0 | (o_tile_3_1_1 << 16u), o_tile_3_1_2 | (o_tile_3_1_3 << 16u));
    }
    var o_tile_4_0: u32; var o_tile_4_1: u32; var o_tile_4_2: u32; var o_tile_4_3: u32;
    o_tile_4_0 = tw_f32_to_bf16(acc_16 / t_22); o_tile_4_1 = tw_f32_to_bf16(acc_17 / t_22);
    o_tile_4_2 = tw_f32_to_bf16(acc_18 / t_22); o_tile_4_3 = tw_f32_to_bf16(acc_19 / t_22);
    if (o_in) {
      o[(o_at + 64) >> 2u] = vec2<u32>(
          o_tile_4_0 | (o_tile_4_1 << 16u), o_tile_4_2 | (o_tile_4_3 << 16u));
    }
  }
}
