// shared_suffix_decode for wgsl, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=16 BN=32 BS=256 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 NB%2 MAXB%2
// 64 threads, 28944 bytes of shared memory
//       0 … 16880: kt_shared f32[4220]
//       0 … 16384: vt_shared f32[4096]
//   16384 … 18432: t215_shared f32[512]
//   16896 … 25088: qt_shared f32[2048]
//   25088 … 26112: t154_parts f32[256]
//   26112 … 27136: t189_parts f32[256]
//   27136 … 27392: t22_parts i32[64]
//   27392 … 27648: t70_parts i32[64]
//   27648 … 27904: t84_parts i32[64]
//   27904 … 28160: t88_parts i32[64]
//   28160 … 28416: t90_parts i32[64]
//   28416 … 28480: t154_convert f32[16]
//   28544 … 28608: alpha_convert f32[16]
//   28672 … 28736: t176_convert f32[16]
//   28800 … 28864: t189_convert f32[16]
//   28928 … 28936: grew_parts i32[2]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  HKV: i32,
  NB: i32,
  MAXB: i32,
  P: i32,
  scale: f32,
  vScale: f32,
}
@group(0) @binding(0) var<storage, read> q: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> kCache: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> vCache: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> table: array<i32>;
@group(0) @binding(4) var<storage, read> lens: array<i32>;
@group(0) @binding(5) var<storage, read> own: array<i32>;
@group(0) @binding(6) var<storage, read_write> partial: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> lse: array<f32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> shared_kt_shared_vt_shared_t215_shared_qt_shared: array<vec2<f32>, 3136>;
var<workgroup> t154_parts: array<f32, 256>;
var<workgroup> t189_parts: array<f32, 256>;
var<workgroup> t22_parts: array<i32, 64>;
var<workgroup> t70_parts: array<i32, 64>;
var<workgroup> t84_parts: array<i32, 64>;
var<workgroup> t88_parts: array<i32, 64>;
var<workgroup> t90_parts: array<i32, 64>;
var<workgroup> t154_convert: array<f32, 16>;
var<workgroup> alpha_convert: array<f32, 16>;
var<workgroup> t176_convert: array<f32, 16>;
var<workgroup> t189_convert: array<f32, 16>;
var<workgroup> grew_parts: array<i32, 2>;
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

fn tw_log2(x: f32) -> f32 {
  if (bitcast<u32>(x) - 1u >= 0x7f7fffffu) { return tw_log_edge(x); }
  let parts = tw_split_log(x);
  let f = parts.x;
  var q = -0.110707246f;
  q = q * f + 0.183549374f;
  q = q * f - 0.1893906f;
  q = q * f + 0.204932749f;
  q = q * f - 0.239871785f;
  q = q * f + 0.288556814f;
  q = q * f - 0.360685021f;
  q = q * f + 0.480898291f;
  q = q * f - 0.721347511f;
  // The factor 1.4427 of f is 1 + 0.4427, so that the largest term is exact.
  return parts.y + (f + (q * f * f + f * 0.442695051f));
}

@compute @workgroup_size(64)
fn shared_suffix_decode(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let programs: i32 = launch.P - launch.S;
  let g: i32 = 0;
  var length: i32 = 0;
  let t_BS: i32 = thread * 4;
  for (var i: i32 = 0; i < launch.S; i += 256) {
    let own_at: i32 = t_BS + i;
    var own_tile_0: i32; var own_tile_1: i32; var own_tile_2: i32; var own_tile_3: i32;
    let left: i32 = launch.S - i;
    let own_tile_in = t_BS < left;
    own_tile_0 = select(0, own[select(0, own_at, own_tile_in)], own_tile_in);
    own_tile_1 = select(0, own[select(0, own_at + 1, own_tile_in)], own_tile_in);
    let own_tile_in_1 = t_BS + 2 < left;
    own_tile_2 = select(0, own[select(0, own_at + 2, own_tile_in_1)], own_tile_in_1);
    own_tile_3 = select(0, own[select(0, own_at + 2 + 1, own_tile_in_1)], own_tile_in_1);
    workgroupBarrier();
    var sum: i32 = 0;
    sum = sum + ((own_tile_0 + 31) >> 5u);
    sum = sum + ((own_tile_1 + 31) >> 5u);
    sum = sum + ((own_tile_2 + 31) >> 5u);
    sum = sum + ((own_tile_3 + 31) >> 5u);
    t22_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 8) {
      sum = t22_parts[thread];
      var other: i32;
      other = t22_parts[thread + 8];
      sum = sum + other;
      var other_1: i32;
      other_1 = t22_parts[thread + 16];
      sum = sum + other_1;
      var other_2: i32;
      other_2 = t22_parts[thread + 24];
      sum = sum + other_2;
      var other_3: i32;
      other_3 = t22_parts[thread + 32];
      sum = sum + other_3;
      var other_4: i32;
      other_4 = t22_parts[thread + 40];
      sum = sum + other_4;
      var other_5: i32;
      other_5 = t22_parts[thread + 48];
      sum = sum + other_5;
      var other_6: i32;
      other_6 = t22_parts[thread + 56];
      sum = sum + other_6;
      t22_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
    var parts_5: i32; var parts_6: i32; var parts_7: i32;
    parts_0 = t22_parts[0];
    parts_1 = t22_parts[1];
    parts_2 = t22_parts[2];
    parts_3 = t22_parts[3];
    parts_4 = t22_parts[4];
    parts_5 = t22_parts[5];
    parts_6 = t22_parts[6];
    parts_7 = t22_parts[7];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    length = length + sum;
  }
  let t: bool = select(1, tw_floormod_i32(programs, max(launch.S, 1)), launch.S > 1) == 0;
  let isSpread: bool = (t & (programs <= 2047)) & (length <= 1048576);
  let shares: i32 = max(min(programs, length), 1);
  let t_1: i32 = min(pid1, shares);
  let each: i32 = tw_floordiv_i32(length, shares);
  let t_2: i32 = length - each * shares;
  let lo: i32 = select(t_1 * each + min(t_1, t_2), tw_floordiv_i32(t_1 * length, shares), isSpread);
  let t_3: i32 = min(pid1 + 1, shares);
  let hi: i32 = select(t_3 * each + min(t_3, t_2), tw_floordiv_i32(t_3 * length, shares), isSpread);
  var sequence: i32 = 0;
  var begin: i32 = 0;
  var passed: i32 = 0;
  for (var i_1: i32 = 0; i_1 < launch.S; i_1 += 256) {
    let own_at_1: i32 = t_BS + i_1;
    var own_tile_1_0: i32; var own_tile_1_1: i32; var own_tile_1_2: i32; var own_tile_1_3: i32;
    let left_1: i32 = launch.S - i_1;
    let own_tile_1_in = t_BS < left_1;
    own_tile_1_0 = select(0, own[select(0, own_at_1, own_tile_1_in)], own_tile_1_in);
    own_tile_1_1 = select(0, own[select(0, own_at_1 + 1, own_tile_1_in)], own_tile_1_in);
    let own_tile_1_in_1 = t_BS + 2 < left_1;
    own_tile_1_2 = select(0, own[select(0, own_at_1 + 2, own_tile_1_in_1)], own_tile_1_in_1);
    own_tile_1_3 = select(0, own[select(0, own_at_1 + 2 + 1, own_tile_1_in_1)], own_tile_1_in_1);
    var t_4_0: i32; var t_4_1: i32; var t_4_2: i32; var t_4_3: i32;
    var scan_sum_0: i32; var scan_sum_1: i32; var scan_sum_2: i32; var scan_sum_3: i32;
    t_4_0 = (own_tile_1_0 + 31) >> 5u;
    scan_sum_0 = t_4_0;
    t_4_1 = (own_tile_1_1 + 31) >> 5u;
    scan_sum_1 = t_4_1;
    t_4_2 = (own_tile_1_2 + 31) >> 5u;
    scan_sum_2 = t_4_2;
    t_4_3 = (own_tile_1_3 + 31) >> 5u;
    scan_sum_3 = t_4_3; scan_sum_1 = scan_sum_0 + scan_sum_1; scan_sum_2 = scan_sum_1 + scan_sum_2;
    scan_sum_3 = scan_sum_2 + scan_sum_3;
    t70_parts[thread] = scan_sum_3;
    workgroupBarrier();
    var before: i32 = 0;
    for (var r: i32 = 0; r < 64; r++) {
      var other_7: i32;
      other_7 = t70_parts[r];
      before = select(before, before + other_7, r < thread);
    }
    var ends_0: i32; var ends_1: i32; var ends_2: i32; var ends_3: i32;
    var isBefore_0: bool; var isBefore_1: bool; var isBefore_2: bool; var isBefore_3: bool;
    scan_sum_0 = before + scan_sum_0; ends_0 = passed + scan_sum_0;
    isBefore_0 = (i_1 + t_BS < launch.S) & (ends_0 <= lo);
    scan_sum_1 = before + scan_sum_1; ends_1 = passed + scan_sum_1;
    isBefore_1 = (i_1 + t_BS + 1 < launch.S) & (ends_1 <= lo);
    scan_sum_2 = before + scan_sum_2; ends_2 = passed + scan_sum_2;
    isBefore_2 = (i_1 + t_BS + 2 < launch.S) & (ends_2 <= lo);
    scan_sum_3 = before + scan_sum_3; ends_3 = passed + scan_sum_3;
    isBefore_3 = (i_1 + t_BS + 3 < launch.S) & (ends_3 <= lo);
    var sum_1: i32 = 0;
    sum_1 = sum_1 + select(0, 1, isBefore_0);
    sum_1 = sum_1 + select(0, 1, isBefore_1);
    sum_1 = sum_1 + select(0, 1, isBefore_2);
    sum_1 = sum_1 + select(0, 1, isBefore_3);
    t84_parts[thread] = sum_1;
    workgroupBarrier();
    if (thread < 8) {
      sum_1 = t84_parts[thread];
      var other_8: i32;
      other_8 = t84_parts[thread + 8];
      sum_1 = sum_1 + other_8;
      var other_9: i32;
      other_9 = t84_parts[thread + 16];
      sum_1 = sum_1 + other_9;
      var other_10: i32;
      other_10 = t84_parts[thread + 24];
      sum_1 = sum_1 + other_10;
      var other_11: i32;
      other_11 = t84_parts[thread + 32];
      sum_1 = sum_1 + other_11;
      var other_12: i32;
      other_12 = t84_parts[thread + 40];
      sum_1 = sum_1 + other_12;
      var other_13: i32;
      other_13 = t84_parts[thread + 48];
      sum_1 = sum_1 + other_13;
      var other_14: i32;
      other_14 = t84_parts[thread + 56];
      sum_1 = sum_1 + other_14;
      t84_parts[thread] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    var parts_1_4: i32; var parts_1_5: i32; var parts_1_6: i32; var parts_1_7: i32;
    parts_1_0 = t84_parts[0];
    parts_1_1 = t84_parts[1];
    parts_1_2 = t84_parts[2];
    parts_1_3 = t84_parts[3];
    parts_1_4 = t84_parts[4];
    parts_1_5 = t84_parts[5];
    parts_1_6 = t84_parts[6];
    parts_1_7 = t84_parts[7];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    sum_1 = sum_1 + parts_1_4;
    sum_1 = sum_1 + parts_1_5;
    sum_1 = sum_1 + parts_1_6;
    sum_1 = sum_1 + parts_1_7;
    var most: i32 = -2147483648;
    most = max(most, select(0, ends_0, isBefore_0));
    most = max(most, select(0, ends_1, isBefore_1));
    most = max(most, select(0, ends_2, isBefore_2));
    most = max(most, select(0, ends_3, isBefore_3));
    t88_parts[thread] = most;
    workgroupBarrier();
    if (thread < 8) {
      most = t88_parts[thread];
      var other_15: i32;
      other_15 = t88_parts[thread + 8];
      most = max(most, other_15);
      var other_16: i32;
      other_16 = t88_parts[thread + 16];
      most = max(most, other_16);
      var other_17: i32;
      other_17 = t88_parts[thread + 24];
      most = max(most, other_17);
      var other_18: i32;
      other_18 = t88_parts[thread + 32];
      most = max(most, other_18);
      var other_19: i32;
      other_19 = t88_parts[thread + 40];
      most = max(most, other_19);
      var other_20: i32;
      other_20 = t88_parts[thread + 48];
      most = max(most, other_20);
      var other_21: i32;
      other_21 = t88_parts[thread + 56];
      most = max(most, other_21);
      t88_parts[thread] = most;
    }
    workgroupBarrier();
    var parts_2_0: i32; var parts_2_1: i32; var parts_2_2: i32; var parts_2_3: i32;
    var parts_2_4: i32; var parts_2_5: i32; var parts_2_6: i32; var parts_2_7: i32;
    parts_2_0 = t88_parts[0];
    parts_2_1 = t88_parts[1];
    parts_2_2 = t88_parts[2];
    parts_2_3 = t88_parts[3];
    parts_2_4 = t88_parts[4];
    parts_2_5 = t88_parts[5];
    parts_2_6 = t88_parts[6];
    parts_2_7 = t88_parts[7];
    most = parts_2_0;
    most = max(most, parts_2_1);
    most = max(most, parts_2_2);
    most = max(most, parts_2_3);
    most = max(most, parts_2_4);
    most = max(most, parts_2_5);
    most = max(most, parts_2_6);
    most = max(most, parts_2_7);
    var sum_2: i32 = 0;
    sum_2 = sum_2 + t_4_0;
    sum_2 = sum_2 + t_4_1;
    sum_2 = sum_2 + t_4_2;
    sum_2 = sum_2 + t_4_3;
    t90_parts[thread] = sum_2;
    workgroupBarrier();
    if (thread < 8) {
      sum_2 = t90_parts[thread];
      var other_22: i32;
      other_22 = t90_parts[thread + 8];
      sum_2 = sum_2 + other_22;
      var other_23: i32;
      other_23 = t90_parts[thread + 16];
      sum_2 = sum_2 + other_23;
      var other_24: i32;
      other_24 = t90_parts[thread + 24];
      sum_2 = sum_2 + other_24;
      var other_25: i32;
      other_25 = t90_parts[thread + 32];
      sum_2 = sum_2 + other_25;
      var other_26: i32;
      other_26 = t90_parts[thread + 40];
      sum_2 = sum_2 + other_26;
      var other_27: i32;
      other_27 = t90_parts[thread + 48];
      sum_2 = sum_2 + other_27;
      var other_28: i32;
      other_28 = t90_parts[thread + 56];
      sum_2 = sum_2 + other_28;
      t90_parts[thread] = sum_2;
    }
    workgroupBarrier();
    var parts_3_0: i32; var parts_3_1: i32; var parts_3_2: i32; var parts_3_3: i32;
    var parts_3_4: i32; var parts_3_5: i32; var parts_3_6: i32; var parts_3_7: i32;
    parts_3_0 = t90_parts[0];
    parts_3_1 = t90_parts[1];
    parts_3_2 = t90_parts[2];
    parts_3_3 = t90_parts[3];
    parts_3_4 = t90_parts[4];
    parts_3_5 = t90_parts[5];
    parts_3_6 = t90_parts[6];
    parts_3_7 = t90_parts[7];
    sum_2 = parts_3_0;
    sum_2 = sum_2 + parts_3_1;
    sum_2 = sum_2 + parts_3_2;
    sum_2 = sum_2 + parts_3_3;
    sum_2 = sum_2 + parts_3_4;
    sum_2 = sum_2 + parts_3_5;
    sum_2 = sum_2 + parts_3_6;
    sum_2 = sum_2 + parts_3_7;
    sequence = sequence + sum_1;
    begin = max(begin, most);
    passed = passed + sum_2;
  }
  var begin_1: i32 = select(hi, begin, lo < hi);
  var s: i32 = sequence;
  loop {
    let t_5: bool = begin_1 < hi;
    if (thread == 0) { uniform_word = u32(t_5); }
    let go_on = workgroupUniformLoad(&uniform_word) != 0u;
    if (!go_on) { break; }
    var len: i32;
    len = own[s];
    let t_6: i32 = (len + 31) >> 5u;
    let t_7: i32 = max(lo - begin_1, 0) * 32;
    let t_8: i32 = min(t_6, hi - begin_1) * 32;
    let t_9: bool = t_7 < t_8;
    if (thread == 0) { uniform_word = u32(t_9); }
    let agreed = workgroupUniformLoad(&uniform_word) != 0u;
    if (agreed) {
      var lens_tile: i32;
      lens_tile = lens[s];
      let skip: i32 = lens_tile - len;
      let from_1: i32 = t_7 + skip;
      let to: i32 = t_8 + skip;
      let stride: i32 = launch.HKV * 512;
      let t_GP: i32 = thread >> 4u;
      let t_D: i32 = (thread & 15) * 8;
      let q_at: i32 = t_GP * 128 + t_D;
      let q_at_1: i32 = pid0 * 512 + g * 128 + s * stride + q_at;
      let q_in: bool = (u32(s) < u32(launch.S)) & (pid0 < launch.HKV);
      var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32; var qt_4: u32; var qt_5: u32;
      var qt_6: u32; var qt_7: u32; var qt_8: u32; var qt_9: u32; var qt_10: u32; var qt_11: u32;
      var qt_12: u32; var qt_13: u32; var qt_14: u32; var qt_15: u32; var qt_16: u32;
      var qt_17: u32; var qt_18: u32; var qt_19: u32; var qt_20: u32; var qt_21: u32;
      var qt_22: u32; var qt_23: u32; var qt_24: u32; var qt_25: u32; var qt_26: u32;
      var qt_27: u32; var qt_28: u32; var qt_29: u32; var qt_30: u32; var qt_31: u32;
      let left_2: i32 = 4 - g;
      let qt_in = q_in & (t_GP < left_2);
      let qt_word = select(vec4<u32>(0u), q[select(0, q_at_1 >> 3u, qt_in)], qt_in);
      qt_0 = qt_word.x & 0xffffu; qt_1 = qt_word.x >> 16u; qt_2 = qt_word.y & 0xffffu;
      qt_3 = qt_word.y >> 16u; qt_4 = qt_word.z & 0xffffu; qt_5 = qt_word.z >> 16u;
      qt_6 = qt_word.w & 0xffffu; qt_7 = qt_word.w >> 16u;
      let qt_in_1 = q_in & (t_GP + 4 < left_2);
      let qt_word_1 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 512) >> 3u, qt_in_1)], qt_in_1);
      qt_8 = qt_word_1.x & 0xffffu; qt_9 = qt_word_1.x >> 16u; qt_10 = qt_word_1.y & 0xffffu;
      qt_11 = qt_word_1.y >> 16u; qt_12 = qt_word_1.z & 0xffffu; qt_13 = qt_word_1.z >> 16u;
      qt_14 = qt_word_1.w & 0xffffu; qt_15 = qt_word_1.w >> 16u;
      let qt_in_2 = q_in & (t_GP + 8 < left_2);
      let qt_word_2 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 1024) >> 3u, qt_in_2)], qt_in_2);
      qt_16 = qt_word_2.x & 0xffffu; qt_17 = qt_word_2.x >> 16u; qt_18 = qt_word_2.y & 0xffffu;
      qt_19 = qt_word_2.y >> 16u; qt_20 = qt_word_2.z & 0xffffu; qt_21 = qt_word_2.z >> 16u;
      qt_22 = qt_word_2.w & 0xffffu; qt_23 = qt_word_2.w >> 16u;
      let qt_in_3 = q_in & (t_GP + 12 < left_2);
      let qt_word_3 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 1536) >> 3u, qt_in_3)], qt_in_3);
      qt_24 = qt_word_3.x & 0xffffu; qt_25 = qt_word_3.x >> 16u; qt_26 = qt_word_3.y & 0xffffu;
      qt_27 = qt_word_3.y >> 16u; qt_28 = qt_word_3.z & 0xffffu; qt_29 = qt_word_3.z >> 16u;
      qt_30 = qt_word_3.w & 0xffffu; qt_31 = qt_word_3.w >> 16u;
      let c: f32 = launch.scale * 1.442695f;
      let t_BN: i32 = (thread >> 5u) * 16 + (thread & 7) * 2;
      let more: bool = from_1 < to;
      var pages_0: i32; var pages_1: i32; var pages_2: i32; var pages_3: i32; var pages_4: i32;
      var pages_5: i32; var pages_6: i32; var pages_7: i32;
      if (more) {
        var t_10_0: i32; var t_10_1: i32; var t_10_2: i32; var t_10_3: i32; var t_10_4: i32;
        var t_10_5: i32; var t_10_6: i32; var t_10_7: i32;
        let kpos: i32 = from_1 + t_GP;
        t_10_0 = select(-1, kpos >> 4u, (kpos < lens_tile) & (kpos >= 0));
        let kpos_1: i32 = from_1 + t_GP + 4;
        t_10_1 = select(-1, kpos_1 >> 4u, (kpos_1 < lens_tile) & (kpos_1 >= 0));
        let kpos_2: i32 = from_1 + t_GP + 8;
        t_10_2 = select(-1, kpos_2 >> 4u, (kpos_2 < lens_tile) & (kpos_2 >= 0));
        let kpos_3: i32 = from_1 + t_GP + 12;
        t_10_3 = select(-1, kpos_3 >> 4u, (kpos_3 < lens_tile) & (kpos_3 >= 0));
        let kpos_4: i32 = from_1 + t_GP + 16;
        t_10_4 = select(-1, kpos_4 >> 4u, (kpos_4 < lens_tile) & (kpos_4 >= 0));
        let kpos_5: i32 = from_1 + t_GP + 20;
        t_10_5 = select(-1, kpos_5 >> 4u, (kpos_5 < lens_tile) & (kpos_5 >= 0));
        let kpos_6: i32 = from_1 + t_GP + 24;
        t_10_6 = select(-1, kpos_6 >> 4u, (kpos_6 < lens_tile) & (kpos_6 >= 0));
        let kpos_7: i32 = from_1 + t_GP + 28;
        t_10_7 = select(-1, kpos_7 >> 4u, (kpos_7 < lens_tile) & (kpos_7 >= 0));
        let table_at: i32 = s * launch.MAXB;
        let table_in: bool = u32(s) < u32(launch.S);
        var pages_1_1_0: i32; var pages_1_1_1: i32; var pages_1_1_2: i32; var pages_1_1_3: i32;
        var pages_1_1_4: i32; var pages_1_1_5: i32; var pages_1_1_6: i32; var pages_1_1_7: i32;
        let pages_1_in = table_in & (u32(t_10_0) < u32(launch.MAXB));
        pages_1_1_0 = select(-1, table[select(0, table_at + t_10_0, pages_1_in)], pages_1_in);
        let pages_1_in_1 = table_in & (u32(t_10_1) < u32(launch.MAXB));
        pages_1_1_1 = select(-1, table[select(0, table_at + t_10_1, pages_1_in_1)], pages_1_in_1);
        let pages_1_in_2 = table_in & (u32(t_10_2) < u32(launch.MAXB));
        pages_1_1_2 = select(-1, table[select(0, table_at + t_10_2, pages_1_in_2)], pages_1_in_2);
        let pages_1_in_3 = table_in & (u32(t_10_3) < u32(launch.MAXB));
        pages_1_1_3 = select(-1, table[select(0, table_at + t_10_3, pages_1_in_3)], pages_1_in_3);
        let pages_1_in_4 = table_in & (u32(t_10_4) < u32(launch.MAXB));
        pages_1_1_4 = select(-1, table[select(0, table_at + t_10_4, pages_1_in_4)], pages_1_in_4);
        let pages_1_in_5 = table_in & (u32(t_10_5) < u32(launch.MAXB));
        pages_1_1_5 = select(-1, table[select(0, table_at + t_10_5, pages_1_in_5)], pages_1_in_5);
        let pages_1_in_6 = table_in & (u32(t_10_6) < u32(launch.MAXB));
        pages_1_1_6 = select(-1, table[select(0, table_at + t_10_6, pages_1_in_6)], pages_1_in_6);
        let pages_1_in_7 = table_in & (u32(t_10_7) < u32(launch.MAXB));
        pages_1_1_7 = select(-1, table[select(0, table_at + t_10_7, pages_1_in_7)], pages_1_in_7);
        pages_0 = pages_1_1_0; pages_1 = pages_1_1_1; pages_2 = pages_1_1_2; pages_3 = pages_1_1_3;
        pages_4 = pages_1_1_4; pages_5 = pages_1_1_5; pages_6 = pages_1_1_6; pages_7 = pages_1_1_7;
      } else {
        pages_0 = -1; pages_1 = -1; pages_2 = -1; pages_3 = -1; pages_4 = -1; pages_5 = -1;
        pages_6 = -1; pages_7 = -1;
      }
      var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32; var m_4: f32; var m_5: f32;
      var m_6: f32; var m_7: f32;
      var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32; var l_4: f32; var l_5: f32;
      var l_6: f32; var l_7: f32;
      m_0 = -1e+30f; l_0 = 0.0f; m_1 = -1e+30f; l_1 = 0.0f; m_2 = -1e+30f; l_2 = 0.0f;
      m_3 = -1e+30f; l_3 = 0.0f; m_4 = -1e+30f; l_4 = 0.0f; m_5 = -1e+30f; l_5 = 0.0f;
      m_6 = -1e+30f; l_6 = 0.0f; m_7 = -1e+30f; l_7 = 0.0f;
      var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32;
      var acc_5: f32; var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32;
      var acc_10: f32; var acc_11: f32; var acc_12: f32; var acc_13: f32; var acc_14: f32;
      var acc_15: f32; var acc_16: f32; var acc_17: f32; var acc_18: f32; var acc_19: f32;
      var acc_20: f32; var acc_21: f32; var acc_22: f32; var acc_23: f32; var acc_24: f32;
      var acc_25: f32; var acc_26: f32; var acc_27: f32; var acc_28: f32; var acc_29: f32;
      var acc_30: f32; var acc_31: f32;
      acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f;
      acc_6 = 0.0f; acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f;
      acc_12 = 0.0f; acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f; acc_16 = 0.0f; acc_17 = 0.0f;
      acc_18 = 0.0f; acc_19 = 0.0f; acc_20 = 0.0f; acc_21 = 0.0f; acc_22 = 0.0f; acc_23 = 0.0f;
      acc_24 = 0.0f; acc_25 = 0.0f; acc_26 = 0.0f; acc_27 = 0.0f; acc_28 = 0.0f; acc_29 = 0.0f;
      acc_30 = 0.0f; acc_31 = 0.0f;
      let table_at_1: i32 = s * launch.MAXB;
      let table_in_1: bool = u32(s) < u32(launch.S);
      let stride_1: i32 = launch.HKV * 2048;
      let stride_2: i32 = launch.HKV * 128;
      let kCache_at: i32 = pid0 * 128 + t_D;
      let kCache_in: bool = pid0 < launch.HKV;
      let qt_shared_at: i32 = (thread & 15) * 8 + (thread >> 4u) * 128;
      let kt_shared_at: i32 = (thread & 15) * 8 + (thread >> 4u) * 132;
      let qt_shared_at_1: i32 = ((thread >> 3u) & 3) * 128;
      let kt_shared_at_1: i32 = (thread & 7) * 264 + (thread >> 5u) * 2112;
      let t_GP_1: i32 = (thread >> 3u) & 3;
      let part: i32 = (thread >> 5u) * 8 + (thread & 7);
      let part_at: i32 = part * 16 + t_GP_1;
      let is_first: bool = ((thread & 7) == 0) & (thread < 32);
      let t154_convert_at: i32 = (thread >> 3u) & 1;
      let is_first_1: bool = ((thread & 7) == 0) & (thread < 16);
      let t215_shared_at: i32 = (thread & 7) * 2 + ((thread >> 3u) & 3) * 32 + (thread >> 5u) * 16;
      let t215_shared_at_1: i32 = ((thread >> 3u) & 1) * 32;
      let vt_shared_at: i32 = (thread & 7) * 4 + (thread >> 4u) * 32;
      if (thread == 0) { uniform_word = u32(from_1); }
      let n_start = i32(workgroupUniformLoad(&uniform_word));
      if (thread == 0) { uniform_word = u32(to); }
      let n_end = i32(workgroupUniformLoad(&uniform_word));
      for (var n: i32 = n_start; n < n_end; n += 32) {
        let n_1: i32 = n + 32;
        let more_1: bool = n_1 < to;
        var pages_2_1_0: i32; var pages_2_1_1: i32; var pages_2_1_2: i32; var pages_2_1_3: i32;
        var pages_2_1_4: i32; var pages_2_1_5: i32; var pages_2_1_6: i32; var pages_2_1_7: i32;
        if (more_1) {
          var t_11_0: i32; var t_11_1: i32; var t_11_2: i32; var t_11_3: i32; var t_11_4: i32;
          var t_11_5: i32; var t_11_6: i32; var t_11_7: i32;
          let kpos_8: i32 = n_1 + t_GP;
          t_11_0 = select(-1, kpos_8 >> 4u, (kpos_8 < lens_tile) & (kpos_8 >= 0));
          let kpos_9: i32 = n_1 + t_GP + 4;
          t_11_1 = select(-1, kpos_9 >> 4u, (kpos_9 < lens_tile) & (kpos_9 >= 0));
          let kpos_10: i32 = n_1 + t_GP + 8;
          t_11_2 = select(-1, kpos_10 >> 4u, (kpos_10 < lens_tile) & (kpos_10 >= 0));
          let kpos_11: i32 = n_1 + t_GP + 12;
          t_11_3 = select(-1, kpos_11 >> 4u, (kpos_11 < lens_tile) & (kpos_11 >= 0));
          let kpos_12: i32 = n_1 + t_GP + 16;
          t_11_4 = select(-1, kpos_12 >> 4u, (kpos_12 < lens_tile) & (kpos_12 >= 0));
          let kpos_13: i32 = n_1 + t_GP + 20;
          t_11_5 = select(-1, kpos_13 >> 4u, (kpos_13 < lens_tile) & (kpos_13 >= 0));
          let kpos_14: i32 = n_1 + t_GP + 24;
          t_11_6 = select(-1, kpos_14 >> 4u, (kpos_14 < lens_tile) & (kpos_14 >= 0));
          let kpos_15: i32 = n_1 + t_GP + 28;
          t_11_7 = select(-1, kpos_15 >> 4u, (kpos_15 < lens_tile) & (kpos_15 >= 0));
          var pages_3_1_0: i32; var pages_3_1_1: i32; var pages_3_1_2: i32; var pages_3_1_3: i32;
          var pages_3_1_4: i32; var pages_3_1_5: i32; var pages_3_1_6: i32; var pages_3_1_7: i32;
          let pages_3_in = table_in_1 & (u32(t_11_0) < u32(launch.MAXB));
          pages_3_1_0 = select(-1, table[select(0, table_at_1 + t_11_0, pages_3_in)], pages_3_in);
          let pages_3_in_1 = table_in_1 & (u32(t_11_1) < u32(launch.MAXB));
          pages_3_1_1 = select(
              -1, table[select(0, table_at_1 + t_11_1, pages_3_in_1)], pages_3_in_1);
          let pages_3_in_2 = table_in_1 & (u32(t_11_2) < u32(launch.MAXB));
          pages_3_1_2 = select(
              -1, table[select(0, table_at_1 + t_11_2, pages_3_in_2)], pages_3_in_2);
          let pages_3_in_3 = table_in_1 & (u32(t_11_3) < u32(launch.MAXB));
          pages_3_1_3 = select(
              -1, table[select(0, table_at_1 + t_11_3, pages_3_in_3)], pages_3_in_3);
          let pages_3_in_4 = table_in_1 & (u32(t_11_4) < u32(launch.MAXB));
          pages_3_1_4 = select(
              -1, table[select(0, table_at_1 + t_11_4, pages_3_in_4)], pages_3_in_4);
          let pages_3_in_5 = table_in_1 & (u32(t_11_5) < u32(launch.MAXB));
          pages_3_1_5 = select(
              -1, table[select(0, table_at_1 + t_11_5, pages_3_in_5)], pages_3_in_5);
          let pages_3_in_6 = table_in_1 & (u32(t_11_6) < u32(launch.MAXB));
          pages_3_1_6 = select(
              -1, table[select(0, table_at_1 + t_11_6, pages_3_in_6)], pages_3_in_6);
          let pages_3_in_7 = table_in_1 & (u32(t_11_7) < u32(launch.MAXB));
          pages_3_1_7 = select(
              -1, table[select(0, table_at_1 + t_11_7, pages_3_in_7)], pages_3_in_7);
          pages_2_1_0 = pages_3_1_0; pages_2_1_1 = pages_3_1_1; pages_2_1_2 = pages_3_1_2;
          pages_2_1_3 = pages_3_1_3; pages_2_1_4 = pages_3_1_4; pages_2_1_5 = pages_3_1_5;
          pages_2_1_6 = pages_3_1_6; pages_2_1_7 = pages_3_1_7;
        } else {
          pages_2_1_0 = -1; pages_2_1_1 = -1; pages_2_1_2 = -1; pages_2_1_3 = -1; pages_2_1_4 = -1;
          pages_2_1_5 = -1; pages_2_1_6 = -1; pages_2_1_7 = -1;
        }
        var kpos_16_0: i32; var kpos_16_1: i32;
        kpos_16_0 = n + t_BN; kpos_16_1 = n + t_BN + 1;
        var slot_0: i32; var slot_1: i32; var slot_2: i32; var slot_3: i32; var slot_4: i32;
        var slot_5: i32; var slot_6: i32; var slot_7: i32;
        slot_0 = (n + t_GP) & 15; slot_1 = (n + t_GP + 4) & 15; slot_2 = (n + t_GP + 8) & 15;
        slot_3 = (n + t_GP + 12) & 15; slot_4 = (n + t_GP + 16) & 15; slot_5 = (n + t_GP + 20) & 15;
        slot_6 = (n + t_GP + 24) & 15; slot_7 = (n + t_GP + 28) & 15;
        var kt_0: u32; var kt_1: u32; var kt_2: u32; var kt_3: u32; var kt_4: u32; var kt_5: u32;
        var kt_6: u32; var kt_7: u32; var kt_8: u32; var kt_9: u32; var kt_10: u32; var kt_11: u32;
        var kt_12: u32; var kt_13: u32; var kt_14: u32; var kt_15: u32; var kt_16: u32;
        var kt_17: u32; var kt_18: u32; var kt_19: u32; var kt_20: u32; var kt_21: u32;
        var kt_22: u32; var kt_23: u32; var kt_24: u32; var kt_25: u32; var kt_26: u32;
        var kt_27: u32; var kt_28: u32; var kt_29: u32; var kt_30: u32; var kt_31: u32;
        var kt_32: u32; var kt_33: u32; var kt_34: u32; var kt_35: u32; var kt_36: u32;
        var kt_37: u32; var kt_38: u32; var kt_39: u32; var kt_40: u32; var kt_41: u32;
        var kt_42: u32; var kt_43: u32; var kt_44: u32; var kt_45: u32; var kt_46: u32;
        var kt_47: u32; var kt_48: u32; var kt_49: u32; var kt_50: u32; var kt_51: u32;
        var kt_52: u32; var kt_53: u32; var kt_54: u32; var kt_55: u32; var kt_56: u32;
        var kt_57: u32; var kt_58: u32; var kt_59: u32; var kt_60: u32; var kt_61: u32;
        var kt_62: u32; var kt_63: u32;
        let kt_in = kCache_in & (u32(pages_0) < u32(launch.NB));
        let kt_word = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_0 * stride_1 + slot_0 * stride_2) >> 3u, kt_in)], kt_in);
        kt_0 = kt_word.x & 0xffffu; kt_1 = kt_word.x >> 16u; kt_2 = kt_word.y & 0xffffu;
        kt_3 = kt_word.y >> 16u; kt_4 = kt_word.z & 0xffffu; kt_5 = kt_word.z >> 16u;
        kt_6 = kt_word.w & 0xffffu; kt_7 = kt_word.w >> 16u;
        let kt_in_1 = kCache_in & (u32(pages_1) < u32(launch.NB));
        let kt_word_1 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_1 * stride_1 + slot_1 * stride_2) >> 3u, kt_in_1)], kt_in_1);
        kt_8 = kt_word_1.x & 0xffffu; kt_9 = kt_word_1.x >> 16u; kt_10 = kt_word_1.y & 0xffffu;
        kt_11 = kt_word_1.y >> 16u; kt_12 = kt_word_1.z & 0xffffu; kt_13 = kt_word_1.z >> 16u;
        kt_14 = kt_word_1.w & 0xffffu; kt_15 = kt_word_1.w >> 16u;
        let kt_in_2 = kCache_in & (u32(pages_2) < u32(launch.NB));
        let kt_word_2 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_2 * stride_1 + slot_2 * stride_2) >> 3u, kt_in_2)], kt_in_2);
        kt_16 = kt_word_2.x & 0xffffu; kt_17 = kt_word_2.x >> 16u; kt_18 = kt_word_2.y & 0xffffu;
        kt_19 = kt_word_2.y >> 16u; kt_20 = kt_word_2.z & 0xffffu; kt_21 = kt_word_2.z >> 16u;
        kt_22 = kt_word_2.w & 0xffffu; kt_23 = kt_word_2.w >> 16u;
        let kt_in_3 = kCache_in & (u32(pages_3) < u32(launch.NB));
        let kt_word_3 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_3 * stride_1 + slot_3 * stride_2) >> 3u, kt_in_3)], kt_in_3);
        kt_24 = kt_word_3.x & 0xffffu; kt_25 = kt_word_3.x >> 16u; kt_26 = kt_word_3.y & 0xffffu;
        kt_27 = kt_word_3.y >> 16u; kt_28 = kt_word_3.z & 0xffffu; kt_29 = kt_word_3.z >> 16u;
        kt_30 = kt_word_3.w & 0xffffu; kt_31 = kt_word_3.w >> 16u;
        let kt_in_4 = kCache_in & (u32(pages_4) < u32(launch.NB));
        let kt_word_4 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_4 * stride_1 + slot_4 * stride_2) >> 3u, kt_in_4)], kt_in_4);
        kt_32 = kt_word_4.x & 0xffffu; kt_33 = kt_word_4.x >> 16u; kt_34 = kt_word_4.y & 0xffffu;
        kt_35 = kt_word_4.y >> 16u; kt_36 = kt_word_4.z & 0xffffu; kt_37 = kt_word_4.z >> 16u;
        kt_38 = kt_word_4.w & 0xffffu; kt_39 = kt_word_4.w >> 16u;
        let kt_in_5 = kCache_in & (u32(pages_5) < u32(launch.NB));
        let kt_word_5 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_5 * stride_1 + slot_5 * stride_2) >> 3u, kt_in_5)], kt_in_5);
        kt_40 = kt_word_5.x & 0xffffu; kt_41 = kt_word_5.x >> 16u; kt_42 = kt_word_5.y & 0xffffu;
        kt_43 = kt_word_5.y >> 16u; kt_44 = kt_word_5.z & 0xffffu; kt_45 = kt_word_5.z >> 16u;
        kt_46 = kt_word_5.w & 0xffffu; kt_47 = kt_word_5.w >> 16u;
        let kt_in_6 = kCache_in & (u32(pages_6) < u32(launch.NB));
        let kt_word_6 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_6 * stride_1 + slot_6 * stride_2) >> 3u, kt_in_6)], kt_in_6);
        kt_48 = kt_word_6.x & 0xffffu; kt_49 = kt_word_6.x >> 16u; kt_50 = kt_word_6.y & 0xffffu;
        kt_51 = kt_word_6.y >> 16u; kt_52 = kt_word_6.z & 0xffffu; kt_53 = kt_word_6.z >> 16u;
        kt_54 = kt_word_6.w & 0xffffu; kt_55 = kt_word_6.w >> 16u;
        let kt_in_7 = kCache_in & (u32(pages_7) < u32(launch.NB));
        let kt_word_7 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_7 * stride_1 + slot_7 * stride_2) >> 3u, kt_in_7)], kt_in_7);
        kt_56 = kt_word_7.x & 0xffffu; kt_57 = kt_word_7.x >> 16u; kt_58 = kt_word_7.y & 0xffffu;
        kt_59 = kt_word_7.y >> 16u; kt_60 = kt_word_7.z & 0xffffu; kt_61 = kt_word_7.z >> 16u;
        kt_62 = kt_word_7.w & 0xffffu; kt_63 = kt_word_7.w >> 16u;
        workgroupBarrier();
        var qt_1_1_0: f32; var qt_1_1_1: f32; var qt_1_1_2: f32; var qt_1_1_3: f32;
        qt_1_1_0 = tw_bf16_to_f32(qt_0); qt_1_1_1 = tw_bf16_to_f32(qt_1);
        qt_1_1_2 = tw_bf16_to_f32(qt_2); qt_1_1_3 = tw_bf16_to_f32(qt_3);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at >> 1u) + 2112] = vec2<f32>(qt_1_1_0, qt_1_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at >> 1u) + 2112 + 1] = vec2<f32>(qt_1_1_2, qt_1_1_3);
        var qt_2_1_0: f32; var qt_2_1_1: f32; var qt_2_1_2: f32; var qt_2_1_3: f32;
        qt_2_1_0 = tw_bf16_to_f32(qt_4); qt_2_1_1 = tw_bf16_to_f32(qt_5);
        qt_2_1_2 = tw_bf16_to_f32(qt_6); qt_2_1_3 = tw_bf16_to_f32(qt_7);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 4) >> 1u) + 2112] = vec2<f32>(qt_2_1_0, qt_2_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 4) >> 1u) + 2112 + 1] = vec2<f32>(qt_2_1_2, qt_2_1_3);
        var qt_3_1_0: f32; var qt_3_1_1: f32; var qt_3_1_2: f32; var qt_3_1_3: f32;
        qt_3_1_0 = tw_bf16_to_f32(qt_8); qt_3_1_1 = tw_bf16_to_f32(qt_9);
        qt_3_1_2 = tw_bf16_to_f32(qt_10); qt_3_1_3 = tw_bf16_to_f32(qt_11);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 512) >> 1u) + 2112] = vec2<f32>(qt_3_1_0, qt_3_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 512) >> 1u) + 2112 + 1] = vec2<f32>(qt_3_1_2, qt_3_1_3);
        var qt_4_1_0: f32; var qt_4_1_1: f32; var qt_4_1_2: f32; var qt_4_1_3: f32;
        qt_4_1_0 = tw_bf16_to_f32(qt_12); qt_4_1_1 = tw_bf16_to_f32(qt_13);
        qt_4_1_2 = tw_bf16_to_f32(qt_14); qt_4_1_3 = tw_bf16_to_f32(qt_15);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 516) >> 1u) + 2112] = vec2<f32>(qt_4_1_0, qt_4_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 516) >> 1u) + 2112 + 1] = vec2<f32>(qt_4_1_2, qt_4_1_3);
        var qt_5_1_0: f32; var qt_5_1_1: f32; var qt_5_1_2: f32; var qt_5_1_3: f32;
        qt_5_1_0 = tw_bf16_to_f32(qt_16); qt_5_1_1 = tw_bf16_to_f32(qt_17);
        qt_5_1_2 = tw_bf16_to_f32(qt_18); qt_5_1_3 = tw_bf16_to_f32(qt_19);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1024) >> 1u) + 2112] = vec2<f32>(qt_5_1_0, qt_5_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1024) >> 1u) + 2112 + 1] = vec2<f32>(qt_5_1_2, qt_5_1_3);
        var qt_6_1_0: f32; var qt_6_1_1: f32; var qt_6_1_2: f32; var qt_6_1_3: f32;
        qt_6_1_0 = tw_bf16_to_f32(qt_20); qt_6_1_1 = tw_bf16_to_f32(qt_21);
        qt_6_1_2 = tw_bf16_to_f32(qt_22); qt_6_1_3 = tw_bf16_to_f32(qt_23);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1028) >> 1u) + 2112] = vec2<f32>(qt_6_1_0, qt_6_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1028) >> 1u) + 2112 + 1] = vec2<f32>(qt_6_1_2, qt_6_1_3);
        var qt_7_1_0: f32; var qt_7_1_1: f32; var qt_7_1_2: f32; var qt_7_1_3: f32;
        qt_7_1_0 = tw_bf16_to_f32(qt_24); qt_7_1_1 = tw_bf16_to_f32(qt_25);
        qt_7_1_2 = tw_bf16_to_f32(qt_26); qt_7_1_3 = tw_bf16_to_f32(qt_27);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1536) >> 1u) + 2112] = vec2<f32>(qt_7_1_0, qt_7_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1536) >> 1u) + 2112 + 1] = vec2<f32>(qt_7_1_2, qt_7_1_3);
        var qt_8_1_0: f32; var qt_8_1_1: f32; var qt_8_1_2: f32; var qt_8_1_3: f32;
        qt_8_1_0 = tw_bf16_to_f32(qt_28); qt_8_1_1 = tw_bf16_to_f32(qt_29);
        qt_8_1_2 = tw_bf16_to_f32(qt_30); qt_8_1_3 = tw_bf16_to_f32(qt_31);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1540) >> 1u) + 2112] = vec2<f32>(qt_8_1_0, qt_8_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1540) >> 1u) + 2112 + 1] = vec2<f32>(qt_8_1_2, qt_8_1_3);
        var kt_1_1_0: f32; var kt_1_1_1: f32; var kt_1_1_2: f32; var kt_1_1_3: f32;
        kt_1_1_0 = tw_bf16_to_f32(kt_0); kt_1_1_1 = tw_bf16_to_f32(kt_1);
        kt_1_1_2 = tw_bf16_to_f32(kt_2); kt_1_1_3 = tw_bf16_to_f32(kt_3);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[kt_shared_at >> 1u] = vec2<f32>(kt_1_1_0, kt_1_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at >> 1u) + 1] = vec2<f32>(kt_1_1_2, kt_1_1_3);
        var kt_2_1_0: f32; var kt_2_1_1: f32; var kt_2_1_2: f32; var kt_2_1_3: f32;
        kt_2_1_0 = tw_bf16_to_f32(kt_4); kt_2_1_1 = tw_bf16_to_f32(kt_5);
        kt_2_1_2 = tw_bf16_to_f32(kt_6); kt_2_1_3 = tw_bf16_to_f32(kt_7);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 4) >> 1u] = vec2<f32>(kt_2_1_0, kt_2_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 4) >> 1u) + 1] = vec2<f32>(kt_2_1_2, kt_2_1_3);
        var kt_3_1_0: f32; var kt_3_1_1: f32; var kt_3_1_2: f32; var kt_3_1_3: f32;
        kt_3_1_0 = tw_bf16_to_f32(kt_8); kt_3_1_1 = tw_bf16_to_f32(kt_9);
        kt_3_1_2 = tw_bf16_to_f32(kt_10); kt_3_1_3 = tw_bf16_to_f32(kt_11);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 528) >> 1u] = vec2<f32>(kt_3_1_0, kt_3_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 528) >> 1u) + 1] = vec2<f32>(kt_3_1_2, kt_3_1_3);
        var kt_4_1_0: f32; var kt_4_1_1: f32; var kt_4_1_2: f32; var kt_4_1_3: f32;
        kt_4_1_0 = tw_bf16_to_f32(kt_12); kt_4_1_1 = tw_bf16_to_f32(kt_13);
        kt_4_1_2 = tw_bf16_to_f32(kt_14); kt_4_1_3 = tw_bf16_to_f32(kt_15);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 532) >> 1u] = vec2<f32>(kt_4_1_0, kt_4_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 532) >> 1u) + 1] = vec2<f32>(kt_4_1_2, kt_4_1_3);
        var kt_5_1_0: f32; var kt_5_1_1: f32; var kt_5_1_2: f32; var kt_5_1_3: f32;
        kt_5_1_0 = tw_bf16_to_f32(kt_16); kt_5_1_1 = tw_bf16_to_f32(kt_17);
        kt_5_1_2 = tw_bf16_to_f32(kt_18); kt_5_1_3 = tw_bf16_to_f32(kt_19);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 1056) >> 1u] = vec2<f32>(kt_5_1_0, kt_5_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 1056) >> 1u) + 1] = vec2<f32>(kt_5_1_2, kt_5_1_3);
        var kt_6_1_0: f32; var kt_6_1_1: f32; var kt_6_1_2: f32; var kt_6_1_3: f32;
        kt_6_1_0 = tw_bf16_to_f32(kt_20); kt_6_1_1 = tw_bf16_to_f32(kt_21);
        kt_6_1_2 = tw_bf16_to_f32(kt_22); kt_6_1_3 = tw_bf16_to_f32(kt_23);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 1060) >> 1u] = vec2<f32>(kt_6_1_0, kt_6_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 1060) >> 1u) + 1] = vec2<f32>(kt_6_1_2, kt_6_1_3);
        var kt_7_1_0: f32; var kt_7_1_1: f32; var kt_7_1_2: f32; var kt_7_1_3: f32;
        kt_7_1_0 = tw_bf16_to_f32(kt_24); kt_7_1_1 = tw_bf16_to_f32(kt_25);
        kt_7_1_2 = tw_bf16_to_f32(kt_26); kt_7_1_3 = tw_bf16_to_f32(kt_27);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 1584) >> 1u] = vec2<f32>(kt_7_1_0, kt_7_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 1584) >> 1u) + 1] = vec2<f32>(kt_7_1_2, kt_7_1_3);
        var kt_8_1_0: f32; var kt_8_1_1: f32; var kt_8_1_2: f32; var kt_8_1_3: f32;
        kt_8_1_0 = tw_bf16_to_f32(kt_28); kt_8_1_1 = tw_bf16_to_f32(kt_29);
        kt_8_1_2 = tw_bf16_to_f32(kt_30); kt_8_1_3 = tw_bf16_to_f32(kt_31);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 1588) >> 1u] = vec2<f32>(kt_8_1_0, kt_8_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 1588) >> 1u) + 1] = vec2<f32>(kt_8_1_2, kt_8_1_3);
        var kt_9_1_0: f32; var kt_9_1_1: f32; var kt_9_1_2: f32; var kt_9_1_3: f32;
        kt_9_1_0 = tw_bf16_to_f32(kt_32); kt_9_1_1 = tw_bf16_to_f32(kt_33);
        kt_9_1_2 = tw_bf16_to_f32(kt_34); kt_9_1_3 = tw_bf16_to_f32(kt_35);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 2112) >> 1u] = vec2<f32>(kt_9_1_0, kt_9_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 2112) >> 1u) + 1] = vec2<f32>(kt_9_1_2, kt_9_1_3);
        var kt_10_1_0: f32; var kt_10_1_1: f32; var kt_10_1_2: f32; var kt_10_1_3: f32;
        kt_10_1_0 = tw_bf16_to_f32(kt_36); kt_10_1_1 = tw_bf16_to_f32(kt_37);
        kt_10_1_2 = tw_bf16_to_f32(kt_38); kt_10_1_3 = tw_bf16_to_f32(kt_39);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 2116) >> 1u] = vec2<f32>(kt_10_1_0, kt_10_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 2116) >> 1u) + 1] = vec2<f32>(kt_10_1_2, kt_10_1_3);
        var kt_11_1_0: f32; var kt_11_1_1: f32; var kt_11_1_2: f32; var kt_11_1_3: f32;
        kt_11_1_0 = tw_bf16_to_f32(kt_40); kt_11_1_1 = tw_bf16_to_f32(kt_41);
        kt_11_1_2 = tw_bf16_to_f32(kt_42); kt_11_1_3 = tw_bf16_to_f32(kt_43);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 2640) >> 1u] = vec2<f32>(kt_11_1_0, kt_11_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 2640) >> 1u) + 1] = vec2<f32>(kt_11_1_2, kt_11_1_3);
        var kt_12_1_0: f32; var kt_12_1_1: f32; var kt_12_1_2: f32; var kt_12_1_3: f32;
        kt_12_1_0 = tw_bf16_to_f32(kt_44); kt_12_1_1 = tw_bf16_to_f32(kt_45);
        kt_12_1_2 = tw_bf16_to_f32(kt_46); kt_12_1_3 = tw_bf16_to_f32(kt_47);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 2644) >> 1u] = vec2<f32>(kt_12_1_0, kt_12_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 2644) >> 1u) + 1] = vec2<f32>(kt_12_1_2, kt_12_1_3);
        var kt_13_1_0: f32; var kt_13_1_1: f32; var kt_13_1_2: f32; var kt_13_1_3: f32;
        kt_13_1_0 = tw_bf16_to_f32(kt_48); kt_13_1_1 = tw_bf16_to_f32(kt_49);
        kt_13_1_2 = tw_bf16_to_f32(kt_50); kt_13_1_3 = tw_bf16_to_f32(kt_51);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 3168) >> 1u] = vec2<f32>(kt_13_1_0, kt_13_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 3168) >> 1u) + 1] = vec2<f32>(kt_13_1_2, kt_13_1_3);
        var kt_14_1_0: f32; var kt_14_1_1: f32; var kt_14_1_2: f32; var kt_14_1_3: f32;
        kt_14_1_0 = tw_bf16_to_f32(kt_52); kt_14_1_1 = tw_bf16_to_f32(kt_53);
        kt_14_1_2 = tw_bf16_to_f32(kt_54); kt_14_1_3 = tw_bf16_to_f32(kt_55);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 3172) >> 1u] = vec2<f32>(kt_14_1_0, kt_14_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 3172) >> 1u) + 1] = vec2<f32>(kt_14_1_2, kt_14_1_3);
        var kt_15_1_0: f32; var kt_15_1_1: f32; var kt_15_1_2: f32; var kt_15_1_3: f32;
        kt_15_1_0 = tw_bf16_to_f32(kt_56); kt_15_1_1 = tw_bf16_to_f32(kt_57);
        kt_15_1_2 = tw_bf16_to_f32(kt_58); kt_15_1_3 = tw_bf16_to_f32(kt_59);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 3696) >> 1u] = vec2<f32>(kt_15_1_0, kt_15_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 3696) >> 1u) + 1] = vec2<f32>(kt_15_1_2, kt_15_1_3);
        var kt_16_1_0: f32; var kt_16_1_1: f32; var kt_16_1_2: f32; var kt_16_1_3: f32;
        kt_16_1_0 = tw_bf16_to_f32(kt_60); kt_16_1_1 = tw_bf16_to_f32(kt_61);
        kt_16_1_2 = tw_bf16_to_f32(kt_62); kt_16_1_3 = tw_bf16_to_f32(kt_63);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_at + 3700) >> 1u] = vec2<f32>(kt_16_1_0, kt_16_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((kt_shared_at + 3700) >> 1u) + 1] = vec2<f32>(kt_16_1_2, kt_16_1_3);
        workgroupBarrier();
        var scores_0: f32; var scores_1: f32; var scores_2: f32; var scores_3: f32;
        var scores_4: f32; var scores_5: f32; var scores_6: f32; var scores_7: f32;
        scores_0 = 0.0f; scores_1 = 0.0f; scores_2 = 0.0f; scores_3 = 0.0f; scores_4 = 0.0f;
        scores_5 = 0.0f; scores_6 = 0.0f; scores_7 = 0.0f;
        for (var r: i32 = 0; r < 32; r++) {
          var qt_shared_1_0: f32; var qt_shared_1_1: f32; var qt_shared_1_2: f32;
          var qt_shared_1_3: f32; var qt_shared_1_4: f32; var qt_shared_1_5: f32;
          var qt_shared_1_6: f32; var qt_shared_1_7: f32; var qt_shared_1_8: f32;
          var qt_shared_1_9: f32; var qt_shared_1_10: f32; var qt_shared_1_11: f32;
          var qt_shared_1_12: f32; var qt_shared_1_13: f32; var qt_shared_1_14: f32;
          var qt_shared_1_15: f32;
          var kt_shared_1_0: f32; var kt_shared_1_1: f32; var kt_shared_1_2: f32;
          var kt_shared_1_3: f32; var kt_shared_1_4: f32; var kt_shared_1_5: f32;
          var kt_shared_1_6: f32; var kt_shared_1_7: f32;
          let qt_shared_1_at = qt_shared_at_1 + r * 4;
          let qt_shared_1_word = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at >> 1u) + 2112];
          qt_shared_1_0 = qt_shared_1_word.x; qt_shared_1_1 = qt_shared_1_word.y;
          let qt_shared_1_word_1 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at >> 1u) + 2112 + 1];
          qt_shared_1_2 = qt_shared_1_word_1.x; qt_shared_1_3 = qt_shared_1_word_1.y;
          let qt_shared_1_at_1 = qt_shared_at_1 + 512 + r * 4;
          let qt_shared_1_word_2 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at_1 >> 1u) + 2112];
          qt_shared_1_4 = qt_shared_1_word_2.x; qt_shared_1_5 = qt_shared_1_word_2.y;
          let qt_shared_1_word_3 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at_1 >> 1u) + 2112 + 1];
          qt_shared_1_6 = qt_shared_1_word_3.x; qt_shared_1_7 = qt_shared_1_word_3.y;
          let qt_shared_1_at_2 = qt_shared_at_1 + 1024 + r * 4;
          let qt_shared_1_word_4 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at_2 >> 1u) + 2112];
          qt_shared_1_8 = qt_shared_1_word_4.x; qt_shared_1_9 = qt_shared_1_word_4.y;
          let qt_shared_1_word_5 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at_2 >> 1u) + 2112 + 1];
          qt_shared_1_10 = qt_shared_1_word_5.x; qt_shared_1_11 = qt_shared_1_word_5.y;
          let qt_shared_1_at_3 = qt_shared_at_1 + 1536 + r * 4;
          let qt_shared_1_word_6 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at_3 >> 1u) + 2112];
          qt_shared_1_12 = qt_shared_1_word_6.x; qt_shared_1_13 = qt_shared_1_word_6.y;
          let qt_shared_1_word_7 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_1_at_3 >> 1u) + 2112 + 1];
          qt_shared_1_14 = qt_shared_1_word_7.x; qt_shared_1_15 = qt_shared_1_word_7.y;
          let kt_shared_1_at = kt_shared_at_1 + r * 4;
          let kt_shared_1_word = shared_kt_shared_vt_shared_t215_shared_qt_shared[kt_shared_1_at >> 1u];
          kt_shared_1_0 = kt_shared_1_word.x; kt_shared_1_1 = kt_shared_1_word.y;
          let kt_shared_1_word_1 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_1_at >> 1u) + 1];
          kt_shared_1_2 = kt_shared_1_word_1.x; kt_shared_1_3 = kt_shared_1_word_1.y;
          let kt_shared_1_at_1 = kt_shared_at_1 + 132 + r * 4;
          let kt_shared_1_word_2 = shared_kt_shared_vt_shared_t215_shared_qt_shared[kt_shared_1_at_1 >> 1u];
          kt_shared_1_4 = kt_shared_1_word_2.x; kt_shared_1_5 = kt_shared_1_word_2.y;
          let kt_shared_1_word_3 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(kt_shared_1_at_1 >> 1u) + 1];
          kt_shared_1_6 = kt_shared_1_word_3.x; kt_shared_1_7 = kt_shared_1_word_3.y;
          scores_0 = fma(qt_shared_1_0, kt_shared_1_0, scores_0);
          scores_1 = fma(qt_shared_1_0, kt_shared_1_4, scores_1);
          scores_2 = fma(qt_shared_1_4, kt_shared_1_0, scores_2);
          scores_3 = fma(qt_shared_1_4, kt_shared_1_4, scores_3);
          scores_4 = fma(qt_shared_1_8, kt_shared_1_0, scores_4);
          scores_5 = fma(qt_shared_1_8, kt_shared_1_4, scores_5);
          scores_6 = fma(qt_shared_1_12, kt_shared_1_0, scores_6);
          scores_7 = fma(qt_shared_1_12, kt_shared_1_4, scores_7);
          scores_0 = fma(qt_shared_1_1, kt_shared_1_1, scores_0);
          scores_1 = fma(qt_shared_1_1, kt_shared_1_5, scores_1);
          scores_2 = fma(qt_shared_1_5, kt_shared_1_1, scores_2);
          scores_3 = fma(qt_shared_1_5, kt_shared_1_5, scores_3);
          scores_4 = fma(qt_shared_1_9, kt_shared_1_1, scores_4);
          scores_5 = fma(qt_shared_1_9, kt_shared_1_5, scores_5);
          scores_6 = fma(qt_shared_1_13, kt_shared_1_1, scores_6);
          scores_7 = fma(qt_shared_1_13, kt_shared_1_5, scores_7);
          scores_0 = fma(qt_shared_1_2, kt_shared_1_2, scores_0);
          scores_1 = fma(qt_shared_1_2, kt_shared_1_6, scores_1);
          scores_2 = fma(qt_shared_1_6, kt_shared_1_2, scores_2);
          scores_3 = fma(qt_shared_1_6, kt_shared_1_6, scores_3);
          scores_4 = fma(qt_shared_1_10, kt_shared_1_2, scores_4);
          scores_5 = fma(qt_shared_1_10, kt_shared_1_6, scores_5);
          scores_6 = fma(qt_shared_1_14, kt_shared_1_2, scores_6);
          scores_7 = fma(qt_shared_1_14, kt_shared_1_6, scores_7);
          scores_0 = fma(qt_shared_1_3, kt_shared_1_3, scores_0);
          scores_1 = fma(qt_shared_1_3, kt_shared_1_7, scores_1);
          scores_2 = fma(qt_shared_1_7, kt_shared_1_3, scores_2);
          scores_3 = fma(qt_shared_1_7, kt_shared_1_7, scores_3);
          scores_4 = fma(qt_shared_1_11, kt_shared_1_3, scores_4);
          scores_5 = fma(qt_shared_1_11, kt_shared_1_7, scores_5);
          scores_6 = fma(qt_shared_1_15, kt_shared_1_3, scores_6);
          scores_7 = fma(qt_shared_1_15, kt_shared_1_7, scores_7);
        }
        var seen_0: bool; var seen_1: bool;
        seen_0 = (kpos_16_0 < lens_tile) & (kpos_16_0 >= 0);
        seen_1 = (kpos_16_1 < lens_tile) & (kpos_16_1 >= 0);
        var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
        var x_6: f32; var x_7: f32;
        var most_1_0: f32; var most_1_1: f32; var most_1_2: f32; var most_1_3: f32;
        x_0 = select(tw_bits_f32(0xff800000u), scores_0, seen_0);
        x_1 = select(tw_bits_f32(0xff800000u), scores_1, seen_1);
        most_1_0 = tw_bits_f32(0xff800000u); most_1_0 = tw_max(most_1_0, x_0);
        most_1_0 = tw_max(most_1_0, x_1);
        t154_parts[part_at] = most_1_0;
        x_2 = select(tw_bits_f32(0xff800000u), scores_2, seen_0);
        x_3 = select(tw_bits_f32(0xff800000u), scores_3, seen_1);
        most_1_1 = tw_bits_f32(0xff800000u); most_1_1 = tw_max(most_1_1, x_2);
        most_1_1 = tw_max(most_1_1, x_3);
        t154_parts[part_at + 4] = most_1_1;
        x_4 = select(tw_bits_f32(0xff800000u), scores_4, seen_0);
        x_5 = select(tw_bits_f32(0xff800000u), scores_5, seen_1);
        most_1_2 = tw_bits_f32(0xff800000u); most_1_2 = tw_max(most_1_2, x_4);
        most_1_2 = tw_max(most_1_2, x_5);
        t154_parts[part_at + 8] = most_1_2;
        x_6 = select(tw_bits_f32(0xff800000u), scores_6, seen_0);
        x_7 = select(tw_bits_f32(0xff800000u), scores_7, seen_1);
        most_1_3 = tw_bits_f32(0xff800000u); most_1_3 = tw_max(most_1_3, x_6);
        most_1_3 = tw_max(most_1_3, x_7);
        t154_parts[part_at + 12] = most_1_3;
        workgroupBarrier();
        most_1_0 = t154_parts[t_GP_1];
        for (var j: i32 = 1; j < 16; j++) {
          var other_32: f32;
          other_32 = t154_parts[t_GP_1 + j * 16];
          most_1_0 = tw_max(most_1_0, other_32);
        }
        most_1_1 = t154_parts[t_GP_1 + 4];
        for (var j: i32 = 1; j < 16; j++) {
          var other_32: f32;
          other_32 = t154_parts[t_GP_1 + 4 + j * 16];
          most_1_1 = tw_max(most_1_1, other_32);
        }
        most_1_2 = t154_parts[t_GP_1 + 8];
        for (var j: i32 = 1; j < 16; j++) {
          var other_32: f32;
          other_32 = t154_parts[t_GP_1 + 8 + j * 16];
          most_1_2 = tw_max(most_1_2, other_32);
        }
        most_1_3 = t154_parts[t_GP_1 + 12];
        for (var j: i32 = 1; j < 16; j++) {
          var other_32: f32;
          other_32 = t154_parts[t_GP_1 + 12 + j * 16];
          most_1_3 = tw_max(most_1_3, other_32);
        }
        if (is_first) {
          t154_convert[t_GP_1] = most_1_0;
          t154_convert[t_GP_1 + 4] = most_1_1;
          t154_convert[t_GP_1 + 8] = most_1_2;
          t154_convert[t_GP_1 + 12] = most_1_3;
        }
        workgroupBarrier();
        var t_12_0: f32; var t_12_1: f32; var t_12_2: f32; var t_12_3: f32; var t_12_4: f32;
        var t_12_5: f32; var t_12_6: f32; var t_12_7: f32;
        t_12_0 = t154_convert[t154_convert_at];
        t_12_1 = t154_convert[t154_convert_at + 2];
        t_12_2 = t154_convert[t154_convert_at + 4];
        t_12_3 = t154_convert[t154_convert_at + 6];
        t_12_4 = t154_convert[t154_convert_at + 8];
        t_12_5 = t154_convert[t154_convert_at + 10];
        t_12_6 = t154_convert[t154_convert_at + 12];
        t_12_7 = t154_convert[t154_convert_at + 14];
        var top_0: f32; var top_1: f32; var top_2: f32; var top_3: f32; var top_4: f32;
        var top_5: f32; var top_6: f32; var top_7: f32;
        var grew_0: bool; var grew_1: bool; var grew_2: bool; var grew_3: bool; var grew_4: bool;
        var grew_5: bool; var grew_6: bool; var grew_7: bool;
        top_0 = tw_max(m_0, t_12_0);
        grew_0 = (top_0 - m_0) * c > 8.0f;
        top_1 = tw_max(m_1, t_12_1);
        grew_1 = (top_1 - m_1) * c > 8.0f;
        top_2 = tw_max(m_2, t_12_2);
        grew_2 = (top_2 - m_2) * c > 8.0f;
        top_3 = tw_max(m_3, t_12_3);
        grew_3 = (top_3 - m_3) * c > 8.0f;
        top_4 = tw_max(m_4, t_12_4);
        grew_4 = (top_4 - m_4) * c > 8.0f;
        top_5 = tw_max(m_5, t_12_5);
        grew_5 = (top_5 - m_5) * c > 8.0f;
        top_6 = tw_max(m_6, t_12_6);
        grew_6 = (top_6 - m_6) * c > 8.0f;
        top_7 = tw_max(m_7, t_12_7);
        grew_7 = (top_7 - m_7) * c > 8.0f;
        var grew_1_1: i32 = -2147483648;
        grew_1_1 = max(grew_1_1, select(0, 1, grew_0));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_1));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_2));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_3));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_4));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_5));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_6));
        grew_1_1 = max(grew_1_1, select(0, 1, grew_7));
        if (is_first_1) {
          grew_parts[t154_convert_at] = grew_1_1;
        }
        workgroupBarrier();
        var parts_4_0: i32; var parts_4_1: i32;
        parts_4_0 = grew_parts[0];
        parts_4_1 = grew_parts[1];
        grew_1_1 = parts_4_0;
        grew_1_1 = max(grew_1_1, parts_4_1);
        let grew_2_1: bool = grew_1_1 != 0;
        var t_13_0: f32; var t_13_1: f32; var t_13_2: f32; var t_13_3: f32; var t_13_4: f32;
        var t_13_5: f32; var t_13_6: f32; var t_13_7: f32;
        var t_14_0: f32; var t_14_1: f32; var t_14_2: f32; var t_14_3: f32; var t_14_4: f32;
        var t_14_5: f32; var t_14_6: f32; var t_14_7: f32;
        var t_15_0: f32; var t_15_1: f32; var t_15_2: f32; var t_15_3: f32; var t_15_4: f32;
        var t_15_5: f32; var t_15_6: f32; var t_15_7: f32; var t_15_8: f32; var t_15_9: f32;
        var t_15_10: f32; var t_15_11: f32; var t_15_12: f32; var t_15_13: f32; var t_15_14: f32;
        var t_15_15: f32; var t_15_16: f32; var t_15_17: f32; var t_15_18: f32; var t_15_19: f32;
        var t_15_20: f32; var t_15_21: f32; var t_15_22: f32; var t_15_23: f32; var t_15_24: f32;
        var t_15_25: f32; var t_15_26: f32; var t_15_27: f32; var t_15_28: f32; var t_15_29: f32;
        var t_15_30: f32; var t_15_31: f32;
        if (thread == 0) { uniform_word = u32(grew_2_1); }
        let agreed_1 = workgroupUniformLoad(&uniform_word) != 0u;
        if (agreed_1) {
          var next_0: f32; var next_1: f32; var next_2: f32; var next_3: f32; var next_4: f32;
          var next_5: f32; var next_6: f32; var next_7: f32;
          var alpha_0: f32; var alpha_1: f32; var alpha_2: f32; var alpha_3: f32; var alpha_4: f32;
          var alpha_5: f32; var alpha_6: f32; var alpha_7: f32;
          next_0 = select(m_0, top_0, grew_0);
          alpha_0 = tw_exp2((m_0 - next_0) * c);
          next_1 = select(m_1, top_1, grew_1);
          alpha_1 = tw_exp2((m_1 - next_1) * c);
          next_2 = select(m_2, top_2, grew_2);
          alpha_2 = tw_exp2((m_2 - next_2) * c);
          next_3 = select(m_3, top_3, grew_3);
          alpha_3 = tw_exp2((m_3 - next_3) * c);
          next_4 = select(m_4, top_4, grew_4);
          alpha_4 = tw_exp2((m_4 - next_4) * c);
          next_5 = select(m_5, top_5, grew_5);
          alpha_5 = tw_exp2((m_5 - next_5) * c);
          next_6 = select(m_6, top_6, grew_6);
          alpha_6 = tw_exp2((m_6 - next_6) * c);
          next_7 = select(m_7, top_7, grew_7);
          alpha_7 = tw_exp2((m_7 - next_7) * c);
          if (is_first_1) {
            alpha_convert[t154_convert_at] = alpha_0;
            alpha_convert[t154_convert_at + 2] = alpha_1;
            alpha_convert[t154_convert_at + 4] = alpha_2;
            alpha_convert[t154_convert_at + 6] = alpha_3;
            alpha_convert[t154_convert_at + 8] = alpha_4;
            alpha_convert[t154_convert_at + 10] = alpha_5;
            alpha_convert[t154_convert_at + 12] = alpha_6;
            alpha_convert[t154_convert_at + 14] = alpha_7;
          }
          workgroupBarrier();
          var alpha_1_1_0: f32; var alpha_1_1_1: f32; var alpha_1_1_2: f32; var alpha_1_1_3: f32;
          alpha_1_1_0 = alpha_convert[t_GP_1];
          alpha_1_1_1 = alpha_convert[t_GP_1 + 4];
          alpha_1_1_2 = alpha_convert[t_GP_1 + 8];
          alpha_1_1_3 = alpha_convert[t_GP_1 + 12];
          t_13_0 = next_0; t_13_1 = next_1; t_13_2 = next_2; t_13_3 = next_3; t_13_4 = next_4;
          t_13_5 = next_5; t_13_6 = next_6; t_13_7 = next_7; t_14_0 = l_0 * alpha_1_1_0;
          t_14_1 = l_1 * alpha_1_1_0; t_14_2 = l_2 * alpha_1_1_1; t_14_3 = l_3 * alpha_1_1_1;
          t_14_4 = l_4 * alpha_1_1_2; t_14_5 = l_5 * alpha_1_1_2; t_14_6 = l_6 * alpha_1_1_3;
          t_14_7 = l_7 * alpha_1_1_3; t_15_0 = acc_0 * alpha_0; t_15_1 = acc_1 * alpha_0;
          t_15_2 = acc_2 * alpha_0; t_15_3 = acc_3 * alpha_0; t_15_4 = acc_4 * alpha_1;
          t_15_5 = acc_5 * alpha_1; t_15_6 = acc_6 * alpha_1; t_15_7 = acc_7 * alpha_1;
          t_15_8 = acc_8 * alpha_2; t_15_9 = acc_9 * alpha_2; t_15_10 = acc_10 * alpha_2;
          t_15_11 = acc_11 * alpha_2; t_15_12 = acc_12 * alpha_3; t_15_13 = acc_13 * alpha_3;
          t_15_14 = acc_14 * alpha_3; t_15_15 = acc_15 * alpha_3; t_15_16 = acc_16 * alpha_4;
          t_15_17 = acc_17 * alpha_4; t_15_18 = acc_18 * alpha_4; t_15_19 = acc_19 * alpha_4;
          t_15_20 = acc_20 * alpha_5; t_15_21 = acc_21 * alpha_5; t_15_22 = acc_22 * alpha_5;
          t_15_23 = acc_23 * alpha_5; t_15_24 = acc_24 * alpha_6; t_15_25 = acc_25 * alpha_6;
          t_15_26 = acc_26 * alpha_6; t_15_27 = acc_27 * alpha_6; t_15_28 = acc_28 * alpha_7;
          t_15_29 = acc_29 * alpha_7; t_15_30 = acc_30 * alpha_7; t_15_31 = acc_31 * alpha_7;
        } else {
          t_13_0 = m_0; t_14_0 = l_0; t_13_1 = m_1; t_14_1 = l_1; t_13_2 = m_2; t_14_2 = l_2;
          t_13_3 = m_3; t_14_3 = l_3; t_13_4 = m_4; t_14_4 = l_4; t_13_5 = m_5; t_14_5 = l_5;
          t_13_6 = m_6; t_14_6 = l_6; t_13_7 = m_7; t_14_7 = l_7; t_15_0 = acc_0; t_15_1 = acc_1;
          t_15_2 = acc_2; t_15_3 = acc_3; t_15_4 = acc_4; t_15_5 = acc_5; t_15_6 = acc_6;
          t_15_7 = acc_7; t_15_8 = acc_8; t_15_9 = acc_9; t_15_10 = acc_10; t_15_11 = acc_11;
          t_15_12 = acc_12; t_15_13 = acc_13; t_15_14 = acc_14; t_15_15 = acc_15; t_15_16 = acc_16;
          t_15_17 = acc_17; t_15_18 = acc_18; t_15_19 = acc_19; t_15_20 = acc_20; t_15_21 = acc_21;
          t_15_22 = acc_22; t_15_23 = acc_23; t_15_24 = acc_24; t_15_25 = acc_25; t_15_26 = acc_26;
          t_15_27 = acc_27; t_15_28 = acc_28; t_15_29 = acc_29; t_15_30 = acc_30; t_15_31 = acc_31;
        }
        var t_16_0: f32; var t_16_1: f32; var t_16_2: f32; var t_16_3: f32; var t_16_4: f32;
        var t_16_5: f32; var t_16_6: f32; var t_16_7: f32;
        t_16_0 = t_13_0 * c; t_16_1 = t_13_1 * c; t_16_2 = t_13_2 * c; t_16_3 = t_13_3 * c;
        t_16_4 = t_13_4 * c; t_16_5 = t_13_5 * c; t_16_6 = t_13_6 * c; t_16_7 = t_13_7 * c;
        if (is_first_1) {
          t176_convert[t154_convert_at] = t_16_0;
          t176_convert[t154_convert_at + 2] = t_16_1;
          t176_convert[t154_convert_at + 4] = t_16_2;
          t176_convert[t154_convert_at + 6] = t_16_3;
          t176_convert[t154_convert_at + 8] = t_16_4;
          t176_convert[t154_convert_at + 10] = t_16_5;
          t176_convert[t154_convert_at + 12] = t_16_6;
          t176_convert[t154_convert_at + 14] = t_16_7;
        }
        workgroupBarrier();
        var t_17_0: f32; var t_17_1: f32; var t_17_2: f32; var t_17_3: f32;
        t_17_0 = t176_convert[t_GP_1];
        t_17_1 = t176_convert[t_GP_1 + 4];
        t_17_2 = t176_convert[t_GP_1 + 8];
        t_17_3 = t176_convert[t_GP_1 + 12];
        var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32; var p_4: f32; var p_5: f32;
        var p_6: f32; var p_7: f32;
        p_0 = tw_exp2(x_0 * c - t_17_0); p_1 = tw_exp2(x_1 * c - t_17_0);
        p_2 = tw_exp2(x_2 * c - t_17_1); p_3 = tw_exp2(x_3 * c - t_17_1);
        p_4 = tw_exp2(x_4 * c - t_17_2); p_5 = tw_exp2(x_5 * c - t_17_2);
        p_6 = tw_exp2(x_6 * c - t_17_3); p_7 = tw_exp2(x_7 * c - t_17_3);
        var vt_0: u32; var vt_1: u32; var vt_2: u32; var vt_3: u32; var vt_4: u32; var vt_5: u32;
        var vt_6: u32; var vt_7: u32; var vt_8: u32; var vt_9: u32; var vt_10: u32; var vt_11: u32;
        var vt_12: u32; var vt_13: u32; var vt_14: u32; var vt_15: u32; var vt_16: u32;
        var vt_17: u32; var vt_18: u32; var vt_19: u32; var vt_20: u32; var vt_21: u32;
        var vt_22: u32; var vt_23: u32; var vt_24: u32; var vt_25: u32; var vt_26: u32;
        var vt_27: u32; var vt_28: u32; var vt_29: u32; var vt_30: u32; var vt_31: u32;
        var vt_32: u32; var vt_33: u32; var vt_34: u32; var vt_35: u32; var vt_36: u32;
        var vt_37: u32; var vt_38: u32; var vt_39: u32; var vt_40: u32; var vt_41: u32;
        var vt_42: u32; var vt_43: u32; var vt_44: u32; var vt_45: u32; var vt_46: u32;
        var vt_47: u32; var vt_48: u32; var vt_49: u32; var vt_50: u32; var vt_51: u32;
        var vt_52: u32; var vt_53: u32; var vt_54: u32; var vt_55: u32; var vt_56: u32;
        var vt_57: u32; var vt_58: u32; var vt_59: u32; var vt_60: u32; var vt_61: u32;
        var vt_62: u32; var vt_63: u32;
        let vt_in = kCache_in & (u32(pages_0) < u32(launch.NB));
        let vt_word = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_0 * stride_1 + slot_0 * stride_2) >> 3u, vt_in)], vt_in);
        vt_0 = vt_word.x & 0xffffu; vt_1 = vt_word.x >> 16u; vt_2 = vt_word.y & 0xffffu;
        vt_3 = vt_word.y >> 16u; vt_4 = vt_word.z & 0xffffu; vt_5 = vt_word.z >> 16u;
        vt_6 = vt_word.w & 0xffffu; vt_7 = vt_word.w >> 16u;
        let vt_in_1 = kCache_in & (u32(pages_1) < u32(launch.NB));
        let vt_word_1 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_1 * stride_1 + slot_1 * stride_2) >> 3u, vt_in_1)], vt_in_1);
        vt_8 = vt_word_1.x & 0xffffu; vt_9 = vt_word_1.x >> 16u; vt_10 = vt_word_1.y & 0xffffu;
        vt_11 = vt_word_1.y >> 16u; vt_12 = vt_word_1.z & 0xffffu; vt_13 = vt_word_1.z >> 16u;
        vt_14 = vt_word_1.w & 0xffffu; vt_15 = vt_word_1.w >> 16u;
        let vt_in_2 = kCache_in & (u32(pages_2) < u32(launch.NB));
        let vt_word_2 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_2 * stride_1 + slot_2 * stride_2) >> 3u, vt_in_2)], vt_in_2);
        vt_16 = vt_word_2.x & 0xffffu; vt_17 = vt_word_2.x >> 16u; vt_18 = vt_word_2.y & 0xffffu;
        vt_19 = vt_word_2.y >> 16u; vt_20 = vt_word_2.z & 0xffffu; vt_21 = vt_word_2.z >> 16u;
        vt_22 = vt_word_2.w & 0xffffu; vt_23 = vt_word_2.w >> 16u;
        let vt_in_3 = kCache_in & (u32(pages_3) < u32(launch.NB));
        let vt_word_3 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_3 * stride_1 + slot_3 * stride_2) >> 3u, vt_in_3)], vt_in_3);
        vt_24 = vt_word_3.x & 0xffffu; vt_25 = vt_word_3.x >> 16u; vt_26 = vt_word_3.y & 0xffffu;
        vt_27 = vt_word_3.y >> 16u; vt_28 = vt_word_3.z & 0xffffu; vt_29 = vt_word_3.z >> 16u;
        vt_30 = vt_word_3.w & 0xffffu; vt_31 = vt_word_3.w >> 16u;
        let vt_in_4 = kCache_in & (u32(pages_4) < u32(launch.NB));
        let vt_word_4 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_4 * stride_1 + slot_4 * stride_2) >> 3u, vt_in_4)], vt_in_4);
        vt_32 = vt_word_4.x & 0xffffu; vt_33 = vt_word_4.x >> 16u; vt_34 = vt_word_4.y & 0xffffu;
        vt_35 = vt_word_4.y >> 16u; vt_36 = vt_word_4.z & 0xffffu; vt_37 = vt_word_4.z >> 16u;
        vt_38 = vt_word_4.w & 0xffffu; vt_39 = vt_word_4.w >> 16u;
        let vt_in_5 = kCache_in & (u32(pages_5) < u32(launch.NB));
        let vt_word_5 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_5 * stride_1 + slot_5 * stride_2) >> 3u, vt_in_5)], vt_in_5);
        vt_40 = vt_word_5.x & 0xffffu; vt_41 = vt_word_5.x >> 16u; vt_42 = vt_word_5.y & 0xffffu;
        vt_43 = vt_word_5.y >> 16u; vt_44 = vt_word_5.z & 0xffffu; vt_45 = vt_word_5.z >> 16u;
        vt_46 = vt_word_5.w & 0xffffu; vt_47 = vt_word_5.w >> 16u;
        let vt_in_6 = kCache_in & (u32(pages_6) < u32(launch.NB));
        let vt_word_6 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_6 * stride_1 + slot_6 * stride_2) >> 3u, vt_in_6)], vt_in_6);
        vt_48 = vt_word_6.x & 0xffffu; vt_49 = vt_word_6.x >> 16u; vt_50 = vt_word_6.y & 0xffffu;
        vt_51 = vt_word_6.y >> 16u; vt_52 = vt_word_6.z & 0xffffu; vt_53 = vt_word_6.z >> 16u;
        vt_54 = vt_word_6.w & 0xffffu; vt_55 = vt_word_6.w >> 16u;
        let vt_in_7 = kCache_in & (u32(pages_7) < u32(launch.NB));
        let vt_word_7 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_7 * stride_1 + slot_7 * stride_2) >> 3u, vt_in_7)], vt_in_7);
        vt_56 = vt_word_7.x & 0xffffu; vt_57 = vt_word_7.x >> 16u; vt_58 = vt_word_7.y & 0xffffu;
        vt_59 = vt_word_7.y >> 16u; vt_60 = vt_word_7.z & 0xffffu; vt_61 = vt_word_7.z >> 16u;
        vt_62 = vt_word_7.w & 0xffffu; vt_63 = vt_word_7.w >> 16u;
        var t215_shared_tile_0: f32; var t215_shared_tile_1: f32;
        t215_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_0));
        t215_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_1));
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_at >> 1u) + 2048] = vec2<f32>(t215_shared_tile_0, t215_shared_tile_1);
        var t215_shared_tile_1_1_0: f32; var t215_shared_tile_1_1_1: f32;
        t215_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_2));
        t215_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_3));
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((t215_shared_at + 128) >> 1u) + 2048] = vec2<f32>(t215_shared_tile_1_1_0, t215_shared_tile_1_1_1);
        var t215_shared_tile_2_0: f32; var t215_shared_tile_2_1: f32;
        t215_shared_tile_2_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_4));
        t215_shared_tile_2_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_5));
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((t215_shared_at + 256) >> 1u) + 2048] = vec2<f32>(t215_shared_tile_2_0, t215_shared_tile_2_1);
        var t215_shared_tile_3_0: f32; var t215_shared_tile_3_1: f32;
        t215_shared_tile_3_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_6));
        t215_shared_tile_3_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_7));
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((t215_shared_at + 384) >> 1u) + 2048] = vec2<f32>(t215_shared_tile_3_0, t215_shared_tile_3_1);
        var vt_1_1_0: f32; var vt_1_1_1: f32; var vt_1_1_2: f32; var vt_1_1_3: f32;
        vt_1_1_0 = tw_bf16_to_f32(vt_0); vt_1_1_1 = tw_bf16_to_f32(vt_1);
        vt_1_1_2 = tw_bf16_to_f32(vt_2); vt_1_1_3 = tw_bf16_to_f32(vt_3);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[qt_shared_at >> 1u] = vec2<f32>(vt_1_1_0, vt_1_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at >> 1u) + 1] = vec2<f32>(vt_1_1_2, vt_1_1_3);
        var vt_2_1_0: f32; var vt_2_1_1: f32; var vt_2_1_2: f32; var vt_2_1_3: f32;
        vt_2_1_0 = tw_bf16_to_f32(vt_4); vt_2_1_1 = tw_bf16_to_f32(vt_5);
        vt_2_1_2 = tw_bf16_to_f32(vt_6); vt_2_1_3 = tw_bf16_to_f32(vt_7);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 4) >> 1u] = vec2<f32>(vt_2_1_0, vt_2_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 4) >> 1u) + 1] = vec2<f32>(vt_2_1_2, vt_2_1_3);
        var vt_3_1_0: f32; var vt_3_1_1: f32; var vt_3_1_2: f32; var vt_3_1_3: f32;
        vt_3_1_0 = tw_bf16_to_f32(vt_8); vt_3_1_1 = tw_bf16_to_f32(vt_9);
        vt_3_1_2 = tw_bf16_to_f32(vt_10); vt_3_1_3 = tw_bf16_to_f32(vt_11);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 512) >> 1u] = vec2<f32>(vt_3_1_0, vt_3_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 512) >> 1u) + 1] = vec2<f32>(vt_3_1_2, vt_3_1_3);
        var vt_4_1_0: f32; var vt_4_1_1: f32; var vt_4_1_2: f32; var vt_4_1_3: f32;
        vt_4_1_0 = tw_bf16_to_f32(vt_12); vt_4_1_1 = tw_bf16_to_f32(vt_13);
        vt_4_1_2 = tw_bf16_to_f32(vt_14); vt_4_1_3 = tw_bf16_to_f32(vt_15);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 516) >> 1u] = vec2<f32>(vt_4_1_0, vt_4_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 516) >> 1u) + 1] = vec2<f32>(vt_4_1_2, vt_4_1_3);
        var vt_5_1_0: f32; var vt_5_1_1: f32; var vt_5_1_2: f32; var vt_5_1_3: f32;
        vt_5_1_0 = tw_bf16_to_f32(vt_16); vt_5_1_1 = tw_bf16_to_f32(vt_17);
        vt_5_1_2 = tw_bf16_to_f32(vt_18); vt_5_1_3 = tw_bf16_to_f32(vt_19);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 1024) >> 1u] = vec2<f32>(vt_5_1_0, vt_5_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1024) >> 1u) + 1] = vec2<f32>(vt_5_1_2, vt_5_1_3);
        var vt_6_1_0: f32; var vt_6_1_1: f32; var vt_6_1_2: f32; var vt_6_1_3: f32;
        vt_6_1_0 = tw_bf16_to_f32(vt_20); vt_6_1_1 = tw_bf16_to_f32(vt_21);
        vt_6_1_2 = tw_bf16_to_f32(vt_22); vt_6_1_3 = tw_bf16_to_f32(vt_23);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 1028) >> 1u] = vec2<f32>(vt_6_1_0, vt_6_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1028) >> 1u) + 1] = vec2<f32>(vt_6_1_2, vt_6_1_3);
        var vt_7_1_0: f32; var vt_7_1_1: f32; var vt_7_1_2: f32; var vt_7_1_3: f32;
        vt_7_1_0 = tw_bf16_to_f32(vt_24); vt_7_1_1 = tw_bf16_to_f32(vt_25);
        vt_7_1_2 = tw_bf16_to_f32(vt_26); vt_7_1_3 = tw_bf16_to_f32(vt_27);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 1536) >> 1u] = vec2<f32>(vt_7_1_0, vt_7_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1536) >> 1u) + 1] = vec2<f32>(vt_7_1_2, vt_7_1_3);
        var vt_8_1_0: f32; var vt_8_1_1: f32; var vt_8_1_2: f32; var vt_8_1_3: f32;
        vt_8_1_0 = tw_bf16_to_f32(vt_28); vt_8_1_1 = tw_bf16_to_f32(vt_29);
        vt_8_1_2 = tw_bf16_to_f32(vt_30); vt_8_1_3 = tw_bf16_to_f32(vt_31);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 1540) >> 1u] = vec2<f32>(vt_8_1_0, vt_8_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 1540) >> 1u) + 1] = vec2<f32>(vt_8_1_2, vt_8_1_3);
        var vt_9_1_0: f32; var vt_9_1_1: f32; var vt_9_1_2: f32; var vt_9_1_3: f32;
        vt_9_1_0 = tw_bf16_to_f32(vt_32); vt_9_1_1 = tw_bf16_to_f32(vt_33);
        vt_9_1_2 = tw_bf16_to_f32(vt_34); vt_9_1_3 = tw_bf16_to_f32(vt_35);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 2048) >> 1u] = vec2<f32>(vt_9_1_0, vt_9_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 2048) >> 1u) + 1] = vec2<f32>(vt_9_1_2, vt_9_1_3);
        var vt_10_1_0: f32; var vt_10_1_1: f32; var vt_10_1_2: f32; var vt_10_1_3: f32;
        vt_10_1_0 = tw_bf16_to_f32(vt_36); vt_10_1_1 = tw_bf16_to_f32(vt_37);
        vt_10_1_2 = tw_bf16_to_f32(vt_38); vt_10_1_3 = tw_bf16_to_f32(vt_39);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 2052) >> 1u] = vec2<f32>(vt_10_1_0, vt_10_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 2052) >> 1u) + 1] = vec2<f32>(vt_10_1_2, vt_10_1_3);
        var vt_11_1_0: f32; var vt_11_1_1: f32; var vt_11_1_2: f32; var vt_11_1_3: f32;
        vt_11_1_0 = tw_bf16_to_f32(vt_40); vt_11_1_1 = tw_bf16_to_f32(vt_41);
        vt_11_1_2 = tw_bf16_to_f32(vt_42); vt_11_1_3 = tw_bf16_to_f32(vt_43);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 2560) >> 1u] = vec2<f32>(vt_11_1_0, vt_11_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 2560) >> 1u) + 1] = vec2<f32>(vt_11_1_2, vt_11_1_3);
        var vt_12_1_0: f32; var vt_12_1_1: f32; var vt_12_1_2: f32; var vt_12_1_3: f32;
        vt_12_1_0 = tw_bf16_to_f32(vt_44); vt_12_1_1 = tw_bf16_to_f32(vt_45);
        vt_12_1_2 = tw_bf16_to_f32(vt_46); vt_12_1_3 = tw_bf16_to_f32(vt_47);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 2564) >> 1u] = vec2<f32>(vt_12_1_0, vt_12_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 2564) >> 1u) + 1] = vec2<f32>(vt_12_1_2, vt_12_1_3);
        var vt_13_1_0: f32; var vt_13_1_1: f32; var vt_13_1_2: f32; var vt_13_1_3: f32;
        vt_13_1_0 = tw_bf16_to_f32(vt_48); vt_13_1_1 = tw_bf16_to_f32(vt_49);
        vt_13_1_2 = tw_bf16_to_f32(vt_50); vt_13_1_3 = tw_bf16_to_f32(vt_51);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 3072) >> 1u] = vec2<f32>(vt_13_1_0, vt_13_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 3072) >> 1u) + 1] = vec2<f32>(vt_13_1_2, vt_13_1_3);
        var vt_14_1_0: f32; var vt_14_1_1: f32; var vt_14_1_2: f32; var vt_14_1_3: f32;
        vt_14_1_0 = tw_bf16_to_f32(vt_52); vt_14_1_1 = tw_bf16_to_f32(vt_53);
        vt_14_1_2 = tw_bf16_to_f32(vt_54); vt_14_1_3 = tw_bf16_to_f32(vt_55);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 3076) >> 1u] = vec2<f32>(vt_14_1_0, vt_14_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 3076) >> 1u) + 1] = vec2<f32>(vt_14_1_2, vt_14_1_3);
        var vt_15_1_0: f32; var vt_15_1_1: f32; var vt_15_1_2: f32; var vt_15_1_3: f32;
        vt_15_1_0 = tw_bf16_to_f32(vt_56); vt_15_1_1 = tw_bf16_to_f32(vt_57);
        vt_15_1_2 = tw_bf16_to_f32(vt_58); vt_15_1_3 = tw_bf16_to_f32(vt_59);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 3584) >> 1u] = vec2<f32>(vt_15_1_0, vt_15_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 3584) >> 1u) + 1] = vec2<f32>(vt_15_1_2, vt_15_1_3);
        var vt_16_1_0: f32; var vt_16_1_1: f32; var vt_16_1_2: f32; var vt_16_1_3: f32;
        vt_16_1_0 = tw_bf16_to_f32(vt_60); vt_16_1_1 = tw_bf16_to_f32(vt_61);
        vt_16_1_2 = tw_bf16_to_f32(vt_62); vt_16_1_3 = tw_bf16_to_f32(vt_63);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[(qt_shared_at + 3588) >> 1u] = vec2<f32>(vt_16_1_0, vt_16_1_1);
        shared_kt_shared_vt_shared_t215_shared_qt_shared[((qt_shared_at + 3588) >> 1u) + 1] = vec2<f32>(vt_16_1_2, vt_16_1_3);
        workgroupBarrier();
        for (var r: i32 = 0; r < 8; r++) {
          var t215_shared_1_0: f32; var t215_shared_1_1: f32; var t215_shared_1_2: f32;
          var t215_shared_1_3: f32; var t215_shared_1_4: f32; var t215_shared_1_5: f32;
          var t215_shared_1_6: f32; var t215_shared_1_7: f32; var t215_shared_1_8: f32;
          var t215_shared_1_9: f32; var t215_shared_1_10: f32; var t215_shared_1_11: f32;
          var t215_shared_1_12: f32; var t215_shared_1_13: f32; var t215_shared_1_14: f32;
          var t215_shared_1_15: f32; var t215_shared_1_16: f32; var t215_shared_1_17: f32;
          var t215_shared_1_18: f32; var t215_shared_1_19: f32; var t215_shared_1_20: f32;
          var t215_shared_1_21: f32; var t215_shared_1_22: f32; var t215_shared_1_23: f32;
          var t215_shared_1_24: f32; var t215_shared_1_25: f32; var t215_shared_1_26: f32;
          var t215_shared_1_27: f32; var t215_shared_1_28: f32; var t215_shared_1_29: f32;
          var t215_shared_1_30: f32; var t215_shared_1_31: f32;
          var vt_shared_1_0: f32; var vt_shared_1_1: f32; var vt_shared_1_2: f32;
          var vt_shared_1_3: f32; var vt_shared_1_4: f32; var vt_shared_1_5: f32;
          var vt_shared_1_6: f32; var vt_shared_1_7: f32; var vt_shared_1_8: f32;
          var vt_shared_1_9: f32; var vt_shared_1_10: f32; var vt_shared_1_11: f32;
          var vt_shared_1_12: f32; var vt_shared_1_13: f32; var vt_shared_1_14: f32;
          var vt_shared_1_15: f32;
          let t215_shared_1_at = t215_shared_at_1 + r * 4;
          let t215_shared_1_word = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at >> 1u) + 2048];
          t215_shared_1_0 = t215_shared_1_word.x; t215_shared_1_1 = t215_shared_1_word.y;
          let t215_shared_1_word_1 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at >> 1u) + 2048 + 1];
          t215_shared_1_2 = t215_shared_1_word_1.x; t215_shared_1_3 = t215_shared_1_word_1.y;
          let t215_shared_1_at_1 = t215_shared_at_1 + 64 + r * 4;
          let t215_shared_1_word_2 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_1 >> 1u) + 2048];
          t215_shared_1_4 = t215_shared_1_word_2.x; t215_shared_1_5 = t215_shared_1_word_2.y;
          let t215_shared_1_word_3 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_1 >> 1u) + 2048 + 1];
          t215_shared_1_6 = t215_shared_1_word_3.x; t215_shared_1_7 = t215_shared_1_word_3.y;
          let t215_shared_1_at_2 = t215_shared_at_1 + 128 + r * 4;
          let t215_shared_1_word_4 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_2 >> 1u) + 2048];
          t215_shared_1_8 = t215_shared_1_word_4.x; t215_shared_1_9 = t215_shared_1_word_4.y;
          let t215_shared_1_word_5 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_2 >> 1u) + 2048 + 1];
          t215_shared_1_10 = t215_shared_1_word_5.x; t215_shared_1_11 = t215_shared_1_word_5.y;
          let t215_shared_1_at_3 = t215_shared_at_1 + 192 + r * 4;
          let t215_shared_1_word_6 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_3 >> 1u) + 2048];
          t215_shared_1_12 = t215_shared_1_word_6.x; t215_shared_1_13 = t215_shared_1_word_6.y;
          let t215_shared_1_word_7 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_3 >> 1u) + 2048 + 1];
          t215_shared_1_14 = t215_shared_1_word_7.x; t215_shared_1_15 = t215_shared_1_word_7.y;
          let t215_shared_1_at_4 = t215_shared_at_1 + 256 + r * 4;
          let t215_shared_1_word_8 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_4 >> 1u) + 2048];
          t215_shared_1_16 = t215_shared_1_word_8.x; t215_shared_1_17 = t215_shared_1_word_8.y;
          let t215_shared_1_word_9 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_4 >> 1u) + 2048 + 1];
          t215_shared_1_18 = t215_shared_1_word_9.x; t215_shared_1_19 = t215_shared_1_word_9.y;
          let t215_shared_1_at_5 = t215_shared_at_1 + 320 + r * 4;
          let t215_shared_1_word_10 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_5 >> 1u) + 2048];
          t215_shared_1_20 = t215_shared_1_word_10.x; t215_shared_1_21 = t215_shared_1_word_10.y;
          let t215_shared_1_word_11 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_5 >> 1u) + 2048 + 1];
          t215_shared_1_22 = t215_shared_1_word_11.x; t215_shared_1_23 = t215_shared_1_word_11.y;
          let t215_shared_1_at_6 = t215_shared_at_1 + 384 + r * 4;
          let t215_shared_1_word_12 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_6 >> 1u) + 2048];
          t215_shared_1_24 = t215_shared_1_word_12.x; t215_shared_1_25 = t215_shared_1_word_12.y;
          let t215_shared_1_word_13 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_6 >> 1u) + 2048 + 1];
          t215_shared_1_26 = t215_shared_1_word_13.x; t215_shared_1_27 = t215_shared_1_word_13.y;
          let t215_shared_1_at_7 = t215_shared_at_1 + 448 + r * 4;
          let t215_shared_1_word_14 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_7 >> 1u) + 2048];
          t215_shared_1_28 = t215_shared_1_word_14.x; t215_shared_1_29 = t215_shared_1_word_14.y;
          let t215_shared_1_word_15 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(t215_shared_1_at_7 >> 1u) + 2048 + 1];
          t215_shared_1_30 = t215_shared_1_word_15.x; t215_shared_1_31 = t215_shared_1_word_15.y;
          let vt_shared_1_at = vt_shared_at + r * 512;
          let vt_shared_1_word = shared_kt_shared_vt_shared_t215_shared_qt_shared[vt_shared_1_at >> 1u];
          vt_shared_1_0 = vt_shared_1_word.x; vt_shared_1_1 = vt_shared_1_word.y;
          let vt_shared_1_word_1 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(vt_shared_1_at >> 1u) + 1];
          vt_shared_1_2 = vt_shared_1_word_1.x; vt_shared_1_3 = vt_shared_1_word_1.y;
          let vt_shared_1_at_1 = vt_shared_at + r * 512;
          let vt_shared_1_word_2 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(vt_shared_1_at_1 + 128) >> 1u];
          vt_shared_1_4 = vt_shared_1_word_2.x; vt_shared_1_5 = vt_shared_1_word_2.y;
          let vt_shared_1_word_3 = shared_kt_shared_vt_shared_t215_shared_qt_shared[((vt_shared_1_at_1 + 128) >> 1u) + 1];
          vt_shared_1_6 = vt_shared_1_word_3.x; vt_shared_1_7 = vt_shared_1_word_3.y;
          let vt_shared_1_at_2 = vt_shared_at + r * 512;
          let vt_shared_1_word_4 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(vt_shared_1_at_2 + 256) >> 1u];
          vt_shared_1_8 = vt_shared_1_word_4.x; vt_shared_1_9 = vt_shared_1_word_4.y;
          let vt_shared_1_word_5 = shared_kt_shared_vt_shared_t215_shared_qt_shared[((vt_shared_1_at_2 + 256) >> 1u) + 1];
          vt_shared_1_10 = vt_shared_1_word_5.x; vt_shared_1_11 = vt_shared_1_word_5.y;
          let vt_shared_1_at_3 = vt_shared_at + r * 512;
          let vt_shared_1_word_6 = shared_kt_shared_vt_shared_t215_shared_qt_shared[(vt_shared_1_at_3 + 384) >> 1u];
          vt_shared_1_12 = vt_shared_1_word_6.x; vt_shared_1_13 = vt_shared_1_word_6.y;
          let vt_shared_1_word_7 = shared_kt_shared_vt_shared_t215_shared_qt_shared[((vt_shared_1_at_3 + 384) >> 1u) + 1];
          vt_shared_1_14 = vt_shared_1_word_7.x; vt_shared_1_15 = vt_shared_1_word_7.y;
          t_15_0 = fma(t215_shared_1_0, vt_shared_1_0, t_15_0);
          t_15_1 = fma(t215_shared_1_0, vt_shared_1_1, t_15_1);
          t_15_2 = fma(t215_shared_1_0, vt_shared_1_2, t_15_2);
          t_15_3 = fma(t215_shared_1_0, vt_shared_1_3, t_15_3);
          t_15_4 = fma(t215_shared_1_4, vt_shared_1_0, t_15_4);
          t_15_5 = fma(t215_shared_1_4, vt_shared_1_1, t_15_5);
          t_15_6 = fma(t215_shared_1_4, vt_shared_1_2, t_15_6);
          t_15_7 = fma(t215_shared_1_4, vt_shared_1_3, t_15_7);
          t_15_8 = fma(t215_shared_1_8, vt_shared_1_0, t_15_8);
          t_15_9 = fma(t215_shared_1_8, vt_shared_1_1, t_15_9);
          t_15_10 = fma(t215_shared_1_8, vt_shared_1_2, t_15_10);
          t_15_11 = fma(t215_shared_1_8, vt_shared_1_3, t_15_11);
          t_15_12 = fma(t215_shared_1_12, vt_shared_1_0, t_15_12);
          t_15_13 = fma(t215_shared_1_12, vt_shared_1_1, t_15_13);
          t_15_14 = fma(t215_shared_1_12, vt_shared_1_2, t_15_14);
          t_15_15 = fma(t215_shared_1_12, vt_shared_1_3, t_15_15);
          t_15_16 = fma(t215_shared_1_16, vt_shared_1_0, t_15_16);
          t_15_17 = fma(t215_shared_1_16, vt_shared_1_1, t_15_17);
          t_15_18 = fma(t215_shared_1_16, vt_shared_1_2, t_15_18);
          t_15_19 = fma(t215_shared_1_16, vt_shared_1_3, t_15_19);
          t_15_20 = fma(t215_shared_1_20, vt_shared_1_0, t_15_20);
          t_15_21 = fma(t215_shared_1_20, vt_shared_1_1, t_15_21);
          t_15_22 = fma(t215_shared_1_20, vt_shared_1_2, t_15_22);
          t_15_23 = fma(t215_shared_1_20, vt_shared_1_3, t_15_23);
          t_15_24 = fma(t215_shared_1_24, vt_shared_1_0, t_15_24);
          t_15_25 = fma(t215_shared_1_24, vt_shared_1_1, t_15_25);
          t_15_26 = fma(t215_shared_1_24, vt_shared_1_2, t_15_26);
          t_15_27 = fma(t215_shared_1_24, vt_shared_1_3, t_15_27);
          t_15_28 = fma(t215_shared_1_28, vt_shared_1_0, t_15_28);
          t_15_29 = fma(t215_shared_1_28, vt_shared_1_1, t_15_29);
          t_15_30 = fma(t215_shared_1_28, vt_shared_1_2, t_15_30);
          t_15_31 = fma(t215_shared_1_28, vt_shared_1_3, t_15_31);
          t_15_0 = fma(t215_shared_1_1, vt_shared_1_4, t_15_0);
          t_15_1 = fma(t215_shared_1_1, vt_shared_1_5, t_15_1);
          t_15_2 = fma(t215_shared_1_1, vt_shared_1_6, t_15_2);
          t_15_3 = fma(t215_shared_1_1, vt_shared_1_7, t_15_3);
          t_15_4 = fma(t215_shared_1_5, vt_shared_1_4, t_15_4);
          t_15_5 = fma(t215_shared_1_5, vt_shared_1_5, t_15_5);
          t_15_6 = fma(t215_shared_1_5, vt_shared_1_6, t_15_6);
          t_15_7 = fma(t215_shared_1_5, vt_shared_1_7, t_15_7);
          t_15_8 = fma(t215_shared_1_9, vt_shared_1_4, t_15_8);
          t_15_9 = fma(t215_shared_1_9, vt_shared_1_5, t_15_9);
          t_15_10 = fma(t215_shared_1_9, vt_shared_1_6, t_15_10);
          t_15_11 = fma(t215_shared_1_9, vt_shared_1_7, t_15_11);
          t_15_12 = fma(t215_shared_1_13, vt_shared_1_4, t_15_12);
          t_15_13 = fma(t215_shared_1_13, vt_shared_1_5, t_15_13);
          t_15_14 = fma(t215_shared_1_13, vt_shared_1_6, t_15_14);
          t_15_15 = fma(t215_shared_1_13, vt_shared_1_7, t_15_15);
          t_15_16 = fma(t215_shared_1_17, vt_shared_1_4, t_15_16);
          t_15_17 = fma(t215_shared_1_17, vt_shared_1_5, t_15_17);
          t_15_18 = fma(t215_shared_1_17, vt_shared_1_6, t_15_18);
          t_15_19 = fma(t215_shared_1_17, vt_shared_1_7, t_15_19);
          t_15_20 = fma(t215_shared_1_21, vt_shared_1_4, t_15_20);
          t_15_21 = fma(t215_shared_1_21, vt_shared_1_5, t_15_21);
          t_15_22 = fma(t215_shared_1_21, vt_shared_1_6, t_15_22);
          t_15_23 = fma(t215_shared_1_21, vt_shared_1_7, t_15_23);
          t_15_24 = fma(t215_shared_1_25, vt_shared_1_4, t_15_24);
          t_15_25 = fma(t215_shared_1_25, vt_shared_1_5, t_15_25);
          t_15_26 = fma(t215_shared_1_25, vt_shared_1_6, t_15_26);
          t_15_27 = fma(t215_shared_1_25, vt_shared_1_7, t_15_27);
          t_15_28 = fma(t215_shared_1_29, vt_shared_1_4, t_15_28);
          t_15_29 = fma(t215_shared_1_29, vt_shared_1_5, t_15_29);
          t_15_30 = fma(t215_shared_1_29, vt_shared_1_6, t_15_30);
          t_15_31 = fma(t215_shared_1_29, vt_shared_1_7, t_15_31);
          t_15_0 = fma(t215_shared_1_2, vt_shared_1_8, t_15_0);
          t_15_1 = fma(t215_shared_1_2, vt_shared_1_9, t_15_1);
          t_15_2 = fma(t215_shared_1_2, vt_shared_1_10, t_15_2);
          t_15_3 = fma(t215_shared_1_2, vt_shared_1_11, t_15_3);
          t_15_4 = fma(t215_shared_1_6, vt_shared_1_8, t_15_4);
          t_15_5 = fma(t215_shared_1_6, vt_shared_1_9, t_15_5);
          t_15_6 = fma(t215_shared_1_6, vt_shared_1_10, t_15_6);
          t_15_7 = fma(t215_shared_1_6, vt_shared_1_11, t_15_7);
          t_15_8 = fma(t215_shared_1_10, vt_shared_1_8, t_15_8);
          t_15_9 = fma(t215_shared_1_10, vt_shared_1_9, t_15_9);
          t_15_10 = fma(t215_shared_1_10, vt_shared_1_10, t_15_10);
          t_15_11 = fma(t215_shared_1_10, vt_shared_1_11, t_15_11);
          t_15_12 = fma(t215_shared_1_14, vt_shared_1_8, t_15_12);
          t_15_13 = fma(t215_shared_1_14, vt_shared_1_9, t_15_13);
          t_15_14 = fma(t215_shared_1_14, vt_shared_1_10, t_15_14);
          t_15_15 = fma(t215_shared_1_14, vt_shared_1_11, t_15_15);
          t_15_16 = fma(t215_shared_1_18, vt_shared_1_8, t_15_16);
          t_15_17 = fma(t215_shared_1_18, vt_shared_1_9, t_15_17);
          t_15_18 = fma(t215_shared_1_18, vt_shared_1_10, t_15_18);
          t_15_19 = fma(t215_shared_1_18, vt_shared_1_11, t_15_19);
          t_15_20 = fma(t215_shared_1_22, vt_shared_1_8, t_15_20);
          t_15_21 = fma(t215_shared_1_22, vt_shared_1_9, t_15_21);
          t_15_22 = fma(t215_shared_1_22, vt_shared_1_10, t_15_22);
          t_15_23 = fma(t215_shared_1_22, vt_shared_1_11, t_15_23);
          t_15_24 = fma(t215_shared_1_26, vt_shared_1_8, t_15_24);
          t_15_25 = fma(t215_shared_1_26, vt_shared_1_9, t_15_25);
          t_15_26 = fma(t215_shared_1_26, vt_shared_1_10, t_15_26);
          t_15_27 = fma(t215_shared_1_26, vt_shared_1_11, t_15_27);
          t_15_28 = fma(t215_shared_1_30, vt_shared_1_8, t_15_28);
          t_15_29 = fma(t215_shared_1_30, vt_shared_1_9, t_15_29);
          t_15_30 = fma(t215_shared_1_30, vt_shared_1_10, t_15_30);
          t_15_31 = fma(t215_shared_1_30, vt_shared_1_11, t_15_31);
          t_15_0 = fma(t215_shared_1_3, vt_shared_1_12, t_15_0);
          t_15_1 = fma(t215_shared_1_3, vt_shared_1_13, t_15_1);
          t_15_2 = fma(t215_shared_1_3, vt_shared_1_14, t_15_2);
          t_15_3 = fma(t215_shared_1_3, vt_shared_1_15, t_15_3);
          t_15_4 = fma(t215_shared_1_7, vt_shared_1_12, t_15_4);
          t_15_5 = fma(t215_shared_1_7, vt_shared_1_13, t_15_5);
          t_15_6 = fma(t215_shared_1_7, vt_shared_1_14, t_15_6);
          t_15_7 = fma(t215_shared_1_7, vt_shared_1_15, t_15_7);
          t_15_8 = fma(t215_shared_1_11, vt_shared_1_12, t_15_8);
          t_15_9 = fma(t215_shared_1_11, vt_shared_1_13, t_15_9);
          t_15_10 = fma(t215_shared_1_11, vt_shared_1_14, t_15_10);
          t_15_11 = fma(t215_shared_1_11, vt_shared_1_15, t_15_11);
          t_15_12 = fma(t215_shared_1_15, vt_shared_1_12, t_15_12);
          t_15_13 = fma(t215_shared_1_15, vt_shared_1_13, t_15_13);
          t_15_14 = fma(t215_shared_1_15, vt_shared_1_14, t_15_14);
          t_15_15 = fma(t215_shared_1_15, vt_shared_1_15, t_15_15);
          t_15_16 = fma(t215_shared_1_19, vt_shared_1_12, t_15_16);
          t_15_17 = fma(t215_shared_1_19, vt_shared_1_13, t_15_17);
          t_15_18 = fma(t215_shared_1_19, vt_shared_1_14, t_15_18);
          t_15_19 = fma(t215_shared_1_19, vt_shared_1_15, t_15_19);
          t_15_20 = fma(t215_shared_1_23, vt_shared_1_12, t_15_20);
          t_15_21 = fma(t215_shared_1_23, vt_shared_1_13, t_15_21);
          t_15_22 = fma(t215_shared_1_23, vt_shared_1_14, t_15_22);
          t_15_23 = fma(t215_shared_1_23, vt_shared_1_15, t_15_23);
          t_15_24 = fma(t215_shared_1_27, vt_shared_1_12, t_15_24);
          t_15_25 = fma(t215_shared_1_27, vt_shared_1_13, t_15_25);
          t_15_26 = fma(t215_shared_1_27, vt_shared_1_14, t_15_26);
          t_15_27 = fma(t215_shared_1_27, vt_shared_1_15, t_15_27);
          t_15_28 = fma(t215_shared_1_31, vt_shared_1_12, t_15_28);
          t_15_29 = fma(t215_shared_1_31, vt_shared_1_13, t_15_29);
          t_15_30 = fma(t215_shared_1_31, vt_shared_1_14, t_15_30);
          t_15_31 = fma(t215_shared_1_31, vt_shared_1_15, t_15_31);
        }
        m_0 = t_13_0; l_0 = t_14_0 + p_0; m_1 = t_13_1; l_1 = t_14_1 + p_1; m_2 = t_13_2;
        l_2 = t_14_2 + p_2; m_3 = t_13_3; l_3 = t_14_3 + p_3; m_4 = t_13_4; l_4 = t_14_4 + p_4;
        m_5 = t_13_5; l_5 = t_14_5 + p_5; m_6 = t_13_6; l_6 = t_14_6 + p_6; m_7 = t_13_7;
        l_7 = t_14_7 + p_7; acc_0 = t_15_0; acc_1 = t_15_1; acc_2 = t_15_2; acc_3 = t_15_3;
        acc_4 = t_15_4; acc_5 = t_15_5; acc_6 = t_15_6; acc_7 = t_15_7; acc_8 = t_15_8;
        acc_9 = t_15_9; acc_10 = t_15_10; acc_11 = t_15_11; acc_12 = t_15_12; acc_13 = t_15_13;
        acc_14 = t_15_14; acc_15 = t_15_15; acc_16 = t_15_16; acc_17 = t_15_17; acc_18 = t_15_18;
        acc_19 = t_15_19; acc_20 = t_15_20; acc_21 = t_15_21; acc_22 = t_15_22; acc_23 = t_15_23;
        acc_24 = t_15_24; acc_25 = t_15_25; acc_26 = t_15_26; acc_27 = t_15_27; acc_28 = t_15_28;
        acc_29 = t_15_29; acc_30 = t_15_30; acc_31 = t_15_31; pages_0 = pages_2_1_0;
        pages_1 = pages_2_1_1; pages_2 = pages_2_1_2; pages_3 = pages_2_1_3; pages_4 = pages_2_1_4;
        pages_5 = pages_2_1_5; pages_6 = pages_2_1_6; pages_7 = pages_2_1_7;
      }
      var sum_3_0: f32; var sum_3_1: f32; var sum_3_2: f32; var sum_3_3: f32;
      sum_3_0 = 0.0f; sum_3_0 = sum_3_0 + l_0; sum_3_0 = sum_3_0 + l_1;
      t189_parts[part_at] = sum_3_0;
      sum_3_1 = 0.0f; sum_3_1 = sum_3_1 + l_2; sum_3_1 = sum_3_1 + l_3;
      t189_parts[part_at + 4] = sum_3_1;
      sum_3_2 = 0.0f; sum_3_2 = sum_3_2 + l_4; sum_3_2 = sum_3_2 + l_5;
      t189_parts[part_at + 8] = sum_3_2;
      sum_3_3 = 0.0f; sum_3_3 = sum_3_3 + l_6; sum_3_3 = sum_3_3 + l_7;
      t189_parts[part_at + 12] = sum_3_3;
      workgroupBarrier();
      sum_3_0 = t189_parts[t_GP_1];
      for (var j: i32 = 1; j < 16; j++) {
        var other_36: f32;
        other_36 = t189_parts[t_GP_1 + j * 16];
        sum_3_0 = sum_3_0 + other_36;
      }
      sum_3_1 = t189_parts[t_GP_1 + 4];
      for (var j: i32 = 1; j < 16; j++) {
        var other_36: f32;
        other_36 = t189_parts[t_GP_1 + 4 + j * 16];
        sum_3_1 = sum_3_1 + other_36;
      }
      sum_3_2 = t189_parts[t_GP_1 + 8];
      for (var j: i32 = 1; j < 16; j++) {
        var other_36: f32;
        other_36 = t189_parts[t_GP_1 + 8 + j * 16];
        sum_3_2 = sum_3_2 + other_36;
      }
      sum_3_3 = t189_parts[t_GP_1 + 12];
      for (var j: i32 = 1; j < 16; j++) {
        var other_36: f32;
        other_36 = t189_parts[t_GP_1 + 12 + j * 16];
        sum_3_3 = sum_3_3 + other_36;
      }
      if (is_first) {
        t189_convert[t_GP_1] = sum_3_0;
        t189_convert[t_GP_1 + 4] = sum_3_1;
        t189_convert[t_GP_1 + 8] = sum_3_2;
        t189_convert[t_GP_1 + 12] = sum_3_3;
      }
      workgroupBarrier();
      var t_18_0: f32; var t_18_1: f32; var t_18_2: f32; var t_18_3: f32; var t_18_4: f32;
      var t_18_5: f32; var t_18_6: f32; var t_18_7: f32;
      t_18_0 = t189_convert[t154_convert_at];
      t_18_1 = t189_convert[t154_convert_at + 2];
      t_18_2 = t189_convert[t154_convert_at + 4];
      t_18_3 = t189_convert[t154_convert_at + 6];
      t_18_4 = t189_convert[t154_convert_at + 8];
      t_18_5 = t189_convert[t154_convert_at + 10];
      t_18_6 = t189_convert[t154_convert_at + 12];
      t_18_7 = t189_convert[t154_convert_at + 14];
      var total_0: f32; var total_1: f32; var total_2: f32; var total_3: f32; var total_4: f32;
      var total_5: f32; var total_6: f32; var total_7: f32;
      var t_19_0: f32; var t_19_1: f32; var t_19_2: f32; var t_19_3: f32; var t_19_4: f32;
      var t_19_5: f32; var t_19_6: f32; var t_19_7: f32;
      total_0 = tw_max(t_18_0, 1e-30f);
      t_19_0 = 1.0f / total_0;
      total_1 = tw_max(t_18_1, 1e-30f);
      t_19_1 = 1.0f / total_1;
      total_2 = tw_max(t_18_2, 1e-30f);
      t_19_2 = 1.0f / total_2;
      total_3 = tw_max(t_18_3, 1e-30f);
      t_19_3 = 1.0f / total_3;
      total_4 = tw_max(t_18_4, 1e-30f);
      t_19_4 = 1.0f / total_4;
      total_5 = tw_max(t_18_5, 1e-30f);
      t_19_5 = 1.0f / total_5;
      total_6 = tw_max(t_18_6, 1e-30f);
      t_19_6 = 1.0f / total_6;
      total_7 = tw_max(t_18_7, 1e-30f);
      t_19_7 = 1.0f / total_7;
      let t_20: i32 = s + pid1;
      let t_D_1: i32 = (thread >> 4u) * 32 + (thread & 7) * 4;
      let partial_at: i32 = t154_convert_at * 128 + t_D_1;
      let partial_at_1: i32 = pid0 * 512 + g * 128 + t_20 * stride + partial_at;
      let partial_in: bool = (u32(t_20) < u32(launch.P)) & (pid0 < launch.HKV);
      var value_0: f32; var value_1: f32; var value_2: f32; var value_3: f32;
      value_0 = acc_0 * t_19_0; value_1 = acc_1 * t_19_0; value_2 = acc_2 * t_19_0;
      value_3 = acc_3 * t_19_0;
      if (partial_in & (t154_convert_at < left_2)) {
        partial[partial_at_1 >> 2u] = vec4<f32>(value_0, value_1, value_2, value_3);
      }
      var value_1_1_0: f32; var value_1_1_1: f32; var value_1_1_2: f32; var value_1_1_3: f32;
      value_1_1_0 = acc_4 * t_19_1; value_1_1_1 = acc_5 * t_19_1; value_1_1_2 = acc_6 * t_19_1;
      value_1_1_3 = acc_7 * t_19_1;
      if (partial_in & (t154_convert_at + 2 < left_2)) {
        partial[(partial_at_1 + 256) >> 2u] = vec4<f32>(
            value_1_1_0, value_1_1_1, value_1_1_2, value_1_1_3);
      }
      var value_2_1_0: f32; var value_2_1_1: f32; var value_2_1_2: f32; var value_2_1_3: f32;
      value_2_1_0 = acc_8 * t_19_2; value_2_1_1 = acc_9 * t_19_2; value_2_1_2 = acc_10 * t_19_2;
      value_2_1_3 = acc_11 * t_19_2;
      if (partial_in & (t154_convert_at + 4 < left_2)) {
        partial[(partial_at_1 + 512) >> 2u] = vec4<f32>(
            value_2_1_0, value_2_1_1, value_2_1_2, value_2_1_3);
      }
      var value_3_1_0: f32; var value_3_1_1: f32; var value_3_1_2: f32; var value_3_1_3: f32;
      value_3_1_0 = acc_12 * t_19_3; value_3_1_1 = acc_13 * t_19_3; value_3_1_2 = acc_14 * t_19_3;
      value_3_1_3 = acc_15 * t_19_3;
      if (partial_in & (t154_convert_at + 6 < left_2)) {
        partial[(partial_at_1 + 768) >> 2u] = vec4<f32>(
            value_3_1_0, value_3_1_1, value_3_1_2, value_3_1_3);
      }
      var value_4_0: f32; var value_4_1: f32; var value_4_2: f32; var value_4_3: f32;
      value_4_0 = acc_16 * t_19_4; value_4_1 = acc_17 * t_19_4; value_4_2 = acc_18 * t_19_4;
      value_4_3 = acc_19 * t_19_4;
      if (partial_in & (t154_convert_at + 8 < left_2)) {
        partial[(partial_at_1 + 1024) >> 2u] = vec4<f32>(value_4_0, value_4_1, value_4_2, value_4_3);
      }
      var value_5_0: f32; var value_5_1: f32; var value_5_2: f32; var value_5_3: f32;
      value_5_0 = acc_20 * t_19_5; value_5_1 = acc_21 * t_19_5; value_5_2 = acc_22 * t_19_5;
      value_5_3 = acc_23 * t_19_5;
      if (partial_in & (t154_convert_at + 10 < left_2)) {
        partial[(partial_at_1 + 1280) >> 2u] = vec4<f32>(value_5_0, value_5_1, value_5_2, value_5_3);
      }
      var value_6_0: f32; var value_6_1: f32; var value_6_2: f32; var value_6_3: f32;
      value_6_0 = acc_24 * t_19_6; value_6_1 = acc_25 * t_19_6; value_6_2 = acc_26 * t_19_6;
      value_6_3 = acc_27 * t_19_6;
      if (partial_in & (t154_convert_at + 12 < left_2)) {
        partial[(partial_at_1 + 1536) >> 2u] = vec4<f32>(value_6_0, value_6_1, value_6_2, value_6_3);
      }
      var value_7_0: f32; var value_7_1: f32; var value_7_2: f32; var value_7_3: f32;
      value_7_0 = acc_28 * t_19_7; value_7_1 = acc_29 * t_19_7; value_7_2 = acc_30 * t_19_7;
      value_7_3 = acc_31 * t_19_7;
      if (partial_in & (t154_convert_at + 14 < left_2)) {
        partial[(partial_at_1 + 1792) >> 2u] = vec4<f32>(value_7_0, value_7_1, value_7_2, value_7_3);
      }
      let stride_3: i32 = launch.HKV * 4;
      let lse_at: i32 = pid0 * 4 + g + t_20 * stride_3 + t154_convert_at;
      if (is_first_1) {
        let logSum: f32 = m_0 * c + tw_log2(total_0);
        if (partial_in & (t154_convert_at < left_2)) {
          lse[lse_at] = logSum;
        }
        let logSum_1: f32 = m_1 * c + tw_log2(total_1);
        if (partial_in & (t154_convert_at + 2 < left_2)) {
          lse[lse_at + 2] = logSum_1;
        }
        let logSum_2: f32 = m_2 * c + tw_log2(total_2);
        if (partial_in & (t154_convert_at + 4 < left_2)) {
          lse[lse_at + 4] = logSum_2;
        }
        let logSum_3: f32 = m_3 * c + tw_log2(total_3);
        if (partial_in & (t154_convert_at + 6 < left_2)) {
          lse[lse_at + 6] = logSum_3;
        }
        let logSum_4: f32 = m_4 * c + tw_log2(total_4);
        if (partial_in & (t154_convert_at + 8 < left_2)) {
          lse[lse_at + 8] = logSum_4;
        }
        let logSum_5: f32 = m_5 * c + tw_log2(total_5);
        if (partial_in & (t154_convert_at + 10 < left_2)) {
          lse[lse_at + 10] = logSum_5;
        }
        let logSum_6: f32 = m_6 * c + tw_log2(total_6);
        if (partial_in & (t154_convert_at + 12 < left_2)) {
          lse[lse_at + 12] = logSum_6;
        }
        let logSum_7: f32 = m_7 * c + tw_log2(total_7);
        if (partial_in & (t154_convert_at + 14 < left_2)) {
          lse[lse_at + 14] = logSum_7;
        }
      }
    }
    begin_1 = begin_1 + t_6;
    s = s + 1;
  }
}
