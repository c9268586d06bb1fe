// shared_prefix_merge for wgsl, made by tilewright
// dtypes: T=bf16
// config: BN=32 BS=256 LEAST=1 GP=4 BJ=4 stages=1 SN=64
// dims fixed: G=4 D=128
// dims divisible: PB%4 R%16 S%2
// 256 threads, 8480 bytes of shared memory
//       0 … 4096: t136_parts f32[1024]
//       0 … 4096: t252_parts f32[1024]
//    4096 … 5120: t30_parts i32[256]
//    5120 … 6144: t42_parts i32[256]
//    6144 … 7168: t159_parts i32[256]
//    7168 … 8192: t171_parts i32[256]
//    8192 … 8256: w_convert f32[16]
//    8320 … 8352: t122_parts f32[8]
//    8448 … 8480: t130_parts f32[8]

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
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> shared_t136_parts_t252_parts: array<f32, 1024>;
var<workgroup> t30_parts: array<i32, 256>;
var<workgroup> t42_parts: array<i32, 256>;
var<workgroup> t159_parts: array<i32, 256>;
var<workgroup> t171_parts: array<i32, 256>;
var<workgroup> w_convert: array<f32, 16>;
var<workgroup> t122_parts: array<f32, 8>;
var<workgroup> t130_parts: array<f32, 8>;
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
fn shared_prefix_merge(
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
  var at: i32;
  at = place[pid2];
  let most: i32 = launch.R >> 2u;
  let t_1: i32 = max(at, 0);
  let tile: i32 = tw_floordiv_i32(t_1, most);
  let programs: i32 = launch.PB - launch.B;
  var tileLens_tile: i32;
  tileLens_tile = tileLens[tile];
  let t_2: i32 = (tileLens_tile + 63) >> 6u;
  var length: i32 = 0;
  for (var i: i32 = 0; i < launch.B; i += 256) {
    let left: i32 = launch.B - i;
    let tileLens_at: i32 = thread + i;
    let tileLens_in: bool = thread < left;
    var tileLens_tile_1: i32;
    tileLens_tile_1 = select(0, tileLens[select(0, tileLens_at, tileLens_in)], tileLens_in);
    workgroupBarrier();
    var sum: i32 = (tileLens_tile_1 + 63) >> 6u;
    t30_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 16) {
      sum = t30_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other: i32;
        other = t30_parts[thread + r * 16];
        sum = sum + other;
      }
      t30_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
    var parts_5: i32; var parts_6: i32; var parts_7: i32; var parts_8: i32; var parts_9: i32;
    var parts_10: i32; var parts_11: i32; var parts_12: i32; var parts_13: i32; var parts_14: i32;
    var parts_15: i32;
    parts_0 = t30_parts[0];
    parts_1 = t30_parts[1];
    parts_2 = t30_parts[2];
    parts_3 = t30_parts[3];
    parts_4 = t30_parts[4];
    parts_5 = t30_parts[5];
    parts_6 = t30_parts[6];
    parts_7 = t30_parts[7];
    parts_8 = t30_parts[8];
    parts_9 = t30_parts[9];
    parts_10 = t30_parts[10];
    parts_11 = t30_parts[11];
    parts_12 = t30_parts[12];
    parts_13 = t30_parts[13];
    parts_14 = t30_parts[14];
    parts_15 = t30_parts[15];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    sum = sum + parts_8;
    sum = sum + parts_9;
    sum = sum + parts_10;
    sum = sum + parts_11;
    sum = sum + parts_12;
    sum = sum + parts_13;
    sum = sum + parts_14;
    sum = sum + parts_15;
    length = length + sum;
  }
  var before: i32 = 0;
  let bound: i32 = min(tile, launch.B);
  let i_1_end = tile;
  for (var i_1: i32 = 0; i_1 < i_1_end; i_1 += 256) {
    let left_1: i32 = bound - i_1;
    let tileLens_at_1: i32 = thread + i_1;
    let tileLens_in_1: bool = thread < left_1;
    var tileLens_tile_2: i32;
    tileLens_tile_2 = select(0, tileLens[select(0, tileLens_at_1, tileLens_in_1)], tileLens_in_1);
    workgroupBarrier();
    var sum_1: i32 = (tileLens_tile_2 + 63) >> 6u;
    t42_parts[thread] = sum_1;
    workgroupBarrier();
    if (thread < 16) {
      sum_1 = t42_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_1: i32;
        other_1 = t42_parts[thread + r * 16];
        sum_1 = sum_1 + other_1;
      }
      t42_parts[thread] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    var parts_1_4: i32; var parts_1_5: i32; var parts_1_6: i32; var parts_1_7: i32;
    var parts_1_8: i32; var parts_1_9: i32; var parts_1_10: i32; var parts_1_11: i32;
    var parts_1_12: i32; var parts_1_13: i32; var parts_1_14: i32; var parts_1_15: i32;
    parts_1_0 = t42_parts[0];
    parts_1_1 = t42_parts[1];
    parts_1_2 = t42_parts[2];
    parts_1_3 = t42_parts[3];
    parts_1_4 = t42_parts[4];
    parts_1_5 = t42_parts[5];
    parts_1_6 = t42_parts[6];
    parts_1_7 = t42_parts[7];
    parts_1_8 = t42_parts[8];
    parts_1_9 = t42_parts[9];
    parts_1_10 = t42_parts[10];
    parts_1_11 = t42_parts[11];
    parts_1_12 = t42_parts[12];
    parts_1_13 = t42_parts[13];
    parts_1_14 = t42_parts[14];
    parts_1_15 = t42_parts[15];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    sum_1 = sum_1 + parts_1_4;
    sum_1 = sum_1 + parts_1_5;
    sum_1 = sum_1 + parts_1_6;
    sum_1 = sum_1 + parts_1_7;
    sum_1 = sum_1 + parts_1_8;
    sum_1 = sum_1 + parts_1_9;
    sum_1 = sum_1 + parts_1_10;
    sum_1 = sum_1 + parts_1_11;
    sum_1 = sum_1 + parts_1_12;
    sum_1 = sum_1 + parts_1_13;
    sum_1 = sum_1 + parts_1_14;
    sum_1 = sum_1 + parts_1_15;
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
  let row: i32 = tw_floormod_i32(t_1, most) * 4;
  let t_11: i32 = row + t;
  let t_12: i32 = row + 4;
  let end_1: i32 = select(end, first_1, at < 0);
  var l: f32 = 0.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f;
  var m: f32 = -1e+30f;
  let stride: i32 = launch.R * launch.HKV;
  let t_BJ: i32 = thread >> 7u;
  let bound_1: i32 = min(end_1, launch.PB);
  let t_GP: i32 = (thread >> 5u) & 3;
  let bound_2: i32 = min(t_12, launch.R);
  let left_2: i32 = bound_2 - t_11;
  let prefixLse_at: i32 = t_BJ * stride + t_GP;
  let prefixLse_at_1: i32 = pid1 * launch.R + t_11 + prefixLse_at;
  let prefixLse_in: bool = (pid1 < launch.HKV) & (t_GP < left_2);
  let bound_3: i32 = max(bound_1, 0);
  let stride_1: i32 = launch.R * 128 * launch.HKV;
  let stride_2: i32 = launch.R * 128;
  let t_D: i32 = (thread & 31) * 4;
  let prefix_at: i32 = t_BJ * stride_1 + t_GP * 128 + t_D;
  let prefix_at_1: i32 = pid1 * stride_2 + t_11 * 128 + prefix_at;
  let is_first: bool = (thread & 31) == 0;
  let part_at: i32 = t_BJ * 4 + t_GP;
  let element: i32 = t_GP * 128 + t_D;
  let part_at_1: i32 = t_BJ * 512 + element;
  if (thread == 0) { uniform_word = u32(first_1); }
  let j_start = i32(workgroupUniformLoad(&uniform_word));
  if (thread == 0) { uniform_word = u32(end_1); }
  let j_end = i32(workgroupUniformLoad(&uniform_word));
  for (var j: i32 = j_start; j < j_end; j += 4) {
    let prefixLse_at_2: i32 = prefixLse_at_1 + j * stride;
    var x_0: f32; var x_1: f32;
    let position: i32 = j + t_BJ;
    let x_in = prefixLse_in & (u32(position) < u32(bound_3));
    x_0 = select(tw_bits_f32(0xff800000u), prefixLse[select(0, prefixLse_at_2, x_in)], x_in);
    let x_in_1 = prefixLse_in & (u32(position + 2) < u32(bound_3));
    x_1 = select(
        tw_bits_f32(0xff800000u), prefixLse[select(0, prefixLse_at_2 + stride * 2, x_in_1)], x_in_1);
    let prefix_at_2: i32 = prefix_at_1 + j * stride_1;
    var part_0: f32; var part_1: f32; var part_2: f32; var part_3: f32; var part_4: f32;
    var part_5: f32; var part_6: f32; var part_7: f32;
    let part_in = prefixLse_in & (u32(position) < u32(bound_3));
    let part_word = select(vec4<f32>(0.0f), prefix[select(0, prefix_at_2 >> 2u, part_in)], part_in);
    part_0 = part_word.x; part_1 = part_word.y; part_2 = part_word.z; part_3 = part_word.w;
    let part_in_1 = prefixLse_in & (u32(position + 2) < u32(bound_3));
    let part_word_1 = select(vec4<f32>(0.0f), prefix[select(
        0, (prefix_at_2 + stride_1 * 2) >> 2u, part_in_1)], part_in_1);
    part_4 = part_word_1.x; part_5 = part_word_1.y; part_6 = part_word_1.z; part_7 = part_word_1.w;
    var most_1: f32 = tw_bits_f32(0xff800000u);
    most_1 = tw_max(most_1, x_0);
    most_1 = tw_max(most_1, x_1);
    if (is_first) {
      t122_parts[part_at] = most_1;
    }
    workgroupBarrier();
    most_1 = t122_parts[t_GP];
    var other_2: f32;
    other_2 = t122_parts[t_GP + 4];
    most_1 = tw_max(most_1, other_2);
    let next: f32 = tw_max(m, most_1);
    var w_0: f32; var w_1: f32;
    w_0 = tw_exp2(x_0 - next); w_1 = tw_exp2(x_1 - next);
    let alpha: f32 = tw_exp2(m - next);
    var sum_2: f32 = 0.0f;
    sum_2 = sum_2 + w_0;
    sum_2 = sum_2 + w_1;
    if (is_first) {
      t130_parts[part_at] = sum_2;
    }
    workgroupBarrier();
    sum_2 = t130_parts[t_GP];
    var other_3: f32;
    other_3 = t130_parts[t_GP + 4];
    sum_2 = sum_2 + other_3;
    var sum_3_0: f32; var sum_3_1: f32; var sum_3_2: f32; var sum_3_3: f32;
    sum_3_0 = 0.0f; sum_3_1 = 0.0f; sum_3_2 = 0.0f; sum_3_3 = 0.0f;
    sum_3_0 = sum_3_0 + w_0 * part_0; sum_3_1 = sum_3_1 + w_0 * part_1;
    sum_3_2 = sum_3_2 + w_0 * part_2; sum_3_3 = sum_3_3 + w_0 * part_3;
    sum_3_0 = sum_3_0 + w_1 * part_4; sum_3_1 = sum_3_1 + w_1 * part_5;
    sum_3_2 = sum_3_2 + w_1 * part_6; sum_3_3 = sum_3_3 + w_1 * part_7;
    shared_t136_parts_t252_parts[part_at_1] = sum_3_0;
    shared_t136_parts_t252_parts[part_at_1 + 1] = sum_3_1;
    shared_t136_parts_t252_parts[part_at_1 + 2] = sum_3_2;
    shared_t136_parts_t252_parts[part_at_1 + 3] = sum_3_3;
    workgroupBarrier();
    sum_3_0 = shared_t136_parts_t252_parts[element];
    var other_4: f32;
    other_4 = shared_t136_parts_t252_parts[element + 512];
    sum_3_0 = sum_3_0 + other_4;
    sum_3_1 = shared_t136_parts_t252_parts[element + 1];
    var other_5: f32;
    other_5 = shared_t136_parts_t252_parts[element + 513];
    sum_3_1 = sum_3_1 + other_5;
    sum_3_2 = shared_t136_parts_t252_parts[element + 2];
    var other_6: f32;
    other_6 = shared_t136_parts_t252_parts[element + 514];
    sum_3_2 = sum_3_2 + other_6;
    sum_3_3 = shared_t136_parts_t252_parts[element + 3];
    var other_7: f32;
    other_7 = shared_t136_parts_t252_parts[element + 515];
    sum_3_3 = sum_3_3 + other_7;
    l = l * alpha + sum_2;
    acc_0 = acc_0 * alpha + sum_3_0; acc_1 = acc_1 * alpha + sum_3_1;
    acc_2 = acc_2 * alpha + sum_3_2; acc_3 = acc_3 * alpha + sum_3_3;
    m = next;
  }
  let programs_1: i32 = launch.P - launch.S;
  var own_tile: i32;
  own_tile = own[pid2];
  let t_13: i32 = (own_tile + 31) >> 5u;
  var length_1: i32 = 0;
  for (var i_2: i32 = 0; i_2 < launch.S; i_2 += 256) {
    let left_3: i32 = launch.S - i_2;
    let own_at: i32 = thread + i_2;
    let own_in: bool = thread < left_3;
    var own_tile_1: i32;
    own_tile_1 = select(0, own[select(0, own_at, own_in)], own_in);
    workgroupBarrier();
    var sum_4: i32 = (own_tile_1 + 31) >> 5u;
    t159_parts[thread] = sum_4;
    workgroupBarrier();
    if (thread < 16) {
      sum_4 = t159_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_8: i32;
        other_8 = t159_parts[thread + r * 16];
        sum_4 = sum_4 + other_8;
      }
      t159_parts[thread] = sum_4;
    }
    workgroupBarrier();
    var parts_2_0: i32; var parts_2_1: i32; var parts_2_2: i32; var parts_2_3: i32;
    var parts_2_4: i32; var parts_2_5: i32; var parts_2_6: i32; var parts_2_7: i32;
    var parts_2_8: i32; var parts_2_9: i32; var parts_2_10: i32; var parts_2_11: i32;
    var parts_2_12: i32; var parts_2_13: i32; var parts_2_14: i32; var parts_2_15: i32;
    parts_2_0 = t159_parts[0];
    parts_2_1 = t159_parts[1];
    parts_2_2 = t159_parts[2];
    parts_2_3 = t159_parts[3];
    parts_2_4 = t159_parts[4];
    parts_2_5 = t159_parts[5];
    parts_2_6 = t159_parts[6];
    parts_2_7 = t159_parts[7];
    parts_2_8 = t159_parts[8];
    parts_2_9 = t159_parts[9];
    parts_2_10 = t159_parts[10];
    parts_2_11 = t159_parts[11];
    parts_2_12 = t159_parts[12];
    parts_2_13 = t159_parts[13];
    parts_2_14 = t159_parts[14];
    parts_2_15 = t159_parts[15];
    sum_4 = parts_2_0;
    sum_4 = sum_4 + parts_2_1;
    sum_4 = sum_4 + parts_2_2;
    sum_4 = sum_4 + parts_2_3;
    sum_4 = sum_4 + parts_2_4;
    sum_4 = sum_4 + parts_2_5;
    sum_4 = sum_4 + parts_2_6;
    sum_4 = sum_4 + parts_2_7;
    sum_4 = sum_4 + parts_2_8;
    sum_4 = sum_4 + parts_2_9;
    sum_4 = sum_4 + parts_2_10;
    sum_4 = sum_4 + parts_2_11;
    sum_4 = sum_4 + parts_2_12;
    sum_4 = sum_4 + parts_2_13;
    sum_4 = sum_4 + parts_2_14;
    sum_4 = sum_4 + parts_2_15;
    length_1 = length_1 + sum_4;
  }
  var before_1: i32 = 0;
  let bound_4: i32 = min(pid2, launch.S);
  for (var i_3: i32 = 0; i_3 < pid2; i_3 += 256) {
    let left_4: i32 = bound_4 - i_3;
    let own_at_1: i32 = thread + i_3;
    let own_in_1: bool = thread < left_4;
    var own_tile_2: i32;
    own_tile_2 = select(0, own[select(0, own_at_1, own_in_1)], own_in_1);
    workgroupBarrier();
    var sum_5: i32 = (own_tile_2 + 31) >> 5u;
    t171_parts[thread] = sum_5;
    workgroupBarrier();
    if (thread < 16) {
      sum_5 = t171_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_9: i32;
        other_9 = t171_parts[thread + r * 16];
        sum_5 = sum_5 + other_9;
      }
      t171_parts[thread] = sum_5;
    }
    workgroupBarrier();
    var parts_3_0: i32; var parts_3_1: i32; var parts_3_2: i32; var parts_3_3: i32;
    var parts_3_4: i32; var parts_3_5: i32; var parts_3_6: i32; var parts_3_7: i32;
    var parts_3_8: i32; var parts_3_9: i32; var parts_3_10: i32; var parts_3_11: i32;
    var parts_3_12: i32; var parts_3_13: i32; var parts_3_14: i32; var parts_3_15: i32;
    parts_3_0 = t171_parts[0];
    parts_3_1 = t171_parts[1];
    parts_3_2 = t171_parts[2];
    parts_3_3 = t171_parts[3];
    parts_3_4 = t171_parts[4];
    parts_3_5 = t171_parts[5];
    parts_3_6 = t171_parts[6];
    parts_3_7 = t171_parts[7];
    parts_3_8 = t171_parts[8];
    parts_3_9 = t171_parts[9];
    parts_3_10 = t171_parts[10];
    parts_3_11 = t171_parts[11];
    parts_3_12 = t171_parts[12];
    parts_3_13 = t171_parts[13];
    parts_3_14 = t171_parts[14];
    parts_3_15 = t171_parts[15];
    sum_5 = parts_3_0;
    sum_5 = sum_5 + parts_3_1;
    sum_5 = sum_5 + parts_3_2;
    sum_5 = sum_5 + parts_3_3;
    sum_5 = sum_5 + parts_3_4;
    sum_5 = sum_5 + parts_3_5;
    sum_5 = sum_5 + parts_3_6;
    sum_5 = sum_5 + parts_3_7;
    sum_5 = sum_5 + parts_3_8;
    sum_5 = sum_5 + parts_3_9;
    sum_5 = sum_5 + parts_3_10;
    sum_5 = sum_5 + parts_3_11;
    sum_5 = sum_5 + parts_3_12;
    sum_5 = sum_5 + parts_3_13;
    sum_5 = sum_5 + parts_3_14;
    sum_5 = sum_5 + parts_3_15;
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
  let stride_3: i32 = launch.HKV * 4;
  let bound_5: i32 = min(end_2, launch.P);
  let left_5: i32 = 4 - t;
  let lse_at: i32 = pid1 * 4 + t + t_GP;
  let lse_in: bool = (pid1 < launch.HKV) & (t_GP < left_5);
  let bound_6: i32 = max(bound_5, 0);
  let stride_4: i32 = launch.HKV * 512;
  let partial_at: i32 = t_BJ * stride_4 + t_GP * 128 + t_D;
  let partial_at_1: i32 = pid1 * 512 + t * 128 + partial_at;
  let is_first_1: bool = ((thread & 31) == 0) & (thread < 128);
  let w_convert_at: i32 = ((thread >> 5u) & 3) * 4;
  let w_convert_at_1: i32 = ((thread >> 5u) & 3) * 4 + (thread >> 7u);
  if (thread == 0) { uniform_word = u32(first_4); }
  let j_1_start = i32(workgroupUniformLoad(&uniform_word));
  if (thread == 0) { uniform_word = u32(end_2); }
  let j_1_end = i32(workgroupUniformLoad(&uniform_word));
  for (var j_1: i32 = j_1_start; j_1 < j_1_end; j_1 += 4) {
    let lse_at_1: i32 = lse_at + j_1 * stride_3;
    var x_1_0: f32; var x_1_1: f32; var x_1_2: f32; var x_1_3: f32;
    let x_1_in = lse_in & (u32(j_1) < u32(bound_6));
    x_1_0 = select(tw_bits_f32(0xff800000u), lse[select(0, lse_at_1, x_1_in)], x_1_in);
    let x_1_in_1 = lse_in & (u32(j_1 + 1) < u32(bound_6));
    x_1_1 = select(
        tw_bits_f32(0xff800000u), lse[select(0, lse_at_1 + stride_3, x_1_in_1)], x_1_in_1);
    let x_1_in_2 = lse_in & (u32(j_1 + 2) < u32(bound_6));
    x_1_2 = select(
        tw_bits_f32(0xff800000u), lse[select(0, lse_at_1 + stride_3 * 2, x_1_in_2)], x_1_in_2);
    let x_1_in_3 = lse_in & (u32(j_1 + 3) < u32(bound_6));
    x_1_3 = select(
        tw_bits_f32(0xff800000u), lse[select(0, lse_at_1 + stride_3 * 3, x_1_in_3)], x_1_in_3);
    let partial_at_2: i32 = partial_at_1 + j_1 * stride_4;
    var part_1_0: f32; var part_1_1: f32; var part_1_2: f32; var part_1_3: f32; var part_1_4: f32;
    var part_1_5: f32; var part_1_6: f32; var part_1_7: f32;
    let position_1: i32 = j_1 + t_BJ;
    let part_1_in = lse_in & (u32(position_1) < u32(bound_6));
    let part_1_word = select(
        vec4<f32>(0.0f), partial[select(0, partial_at_2 >> 2u, part_1_in)], part_1_in);
    part_1_0 = part_1_word.x; part_1_1 = part_1_word.y; part_1_2 = part_1_word.z;
    part_1_3 = part_1_word.w;
    let part_1_in_1 = lse_in & (u32(position_1 + 2) < u32(bound_6));
    let part_1_word_1 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_2 + stride_4 * 2) >> 2u, part_1_in_1)], part_1_in_1);
    part_1_4 = part_1_word_1.x; part_1_5 = part_1_word_1.y; part_1_6 = part_1_word_1.z;
    part_1_7 = part_1_word_1.w;
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
    if (is_first_1) {
      w_convert[w_convert_at] = w_1_0;
      w_convert[w_convert_at + 1] = w_1_1;
      w_convert[w_convert_at + 2] = w_1_2;
      w_convert[w_convert_at + 3] = w_1_3;
    }
    workgroupBarrier();
    var w_2_0: f32; var w_2_1: f32;
    w_2_0 = w_convert[w_convert_at_1];
    w_2_1 = w_convert[w_convert_at_1 + 2];
    var sum_7_0: f32; var sum_7_1: f32; var sum_7_2: f32; var sum_7_3: f32;
    sum_7_0 = 0.0f; sum_7_1 = 0.0f; sum_7_2 = 0.0f; sum_7_3 = 0.0f;
    sum_7_0 = sum_7_0 + w_2_0 * part_1_0; sum_7_1 = sum_7_1 + w_2_0 * part_1_1;
    sum_7_2 = sum_7_2 + w_2_0 * part_1_2; sum_7_3 = sum_7_3 + w_2_0 * part_1_3;
    sum_7_0 = sum_7_0 + w_2_1 * part_1_4; sum_7_1 = sum_7_1 + w_2_1 * part_1_5;
    sum_7_2 = sum_7_2 + w_2_1 * part_1_6; sum_7_3 = sum_7_3 + w_2_1 * part_1_7;
    shared_t136_parts_t252_parts[part_at_1] = sum_7_0;
    shared_t136_parts_t252_parts[part_at_1 + 1] = sum_7_1;
    shared_t136_parts_t252_parts[part_at_1 + 2] = sum_7_2;
    shared_t136_parts_t252_parts[part_at_1 + 3] = sum_7_3;
    workgroupBarrier();
    sum_7_0 = shared_t136_parts_t252_parts[element];
    var other_10: f32;
    other_10 = shared_t136_parts_t252_parts[element + 512];
    sum_7_0 = sum_7_0 + other_10;
    sum_7_1 = shared_t136_parts_t252_parts[element + 1];
    var other_11: f32;
    other_11 = shared_t136_parts_t252_parts[element + 513];
    sum_7_1 = sum_7_1 + other_11;
    sum_7_2 = shared_t136_parts_t252_parts[element + 2];
    var other_12: f32;
    other_12 = shared_t136_parts_t252_parts[element + 514];
    sum_7_2 = sum_7_2 + other_12;
    sum_7_3 = shared_t136_parts_t252_parts[element + 3];
    var other_13: f32;
    other_13 = shared_t136_parts_t252_parts[element + 515];
    sum_7_3 = sum_7_3 + other_13;
    l_1 = l_1 * alpha_1 + sum_6;
    acc_0 = acc_0 * alpha_1 + sum_7_0; acc_1 = acc_1 * alpha_1 + sum_7_1;
    acc_2 = acc_2 * alpha_1 + sum_7_2; acc_3 = acc_3 * alpha_1 + sum_7_3;
    m_1 = next_1;
  }
  let t_22: f32 = tw_max(l_1, 1e-30f);
  let o_at: i32 = pid2 * stride_4 + pid1 * 512 + t * 128 + element;
  let o_in: bool = ((pid2 < launch.S) & (pid1 < launch.HKV)) & (t_GP < left_5);
  let is_first_2: bool = thread < 128;
  if (is_first_2) {
    var o_tile_0: u32; var o_tile_1: u32; var o_tile_2: u32; var o_tile_3: u32;
    o_tile_0 = tw_f32_to_bf16(acc_0 / t_22); o_tile_1 = tw_f32_to_bf16(acc_1 / t_22);
    o_tile_2 = tw_f32_to_bf16(acc_2 / t_22); o_tile_3 = tw_f32_to_bf16(acc_3 / t_22);
    if (o_in) {
      o[o_at >> 2u] = vec2<u32>(o_tile_0 | (o_tile_1 << 16u), o_tile_2 | (o_tile_3 << 16u));
    }
  }
}
