// shared_prefix_decode for wgsl, made by tilewright
// dtypes: T=bf16 C=bf16
// config: GP=64 BN=64 BS=256 LEAST=1 stages=2 SOFTCAP=0
// dims fixed: G=4 D=128 PAGE=16
// dims divisible: S%2 NB%2 MAXB%2 M%16 P%4 R%16
// 256 threads, 30880 bytes of shared memory
//       0 … 5104: kt_shared f32[1276]
//       0 … 4096: t165_parts f32[1024]
//       0 … 4096: t200_parts f32[1024]
//       0 … 16384: t226_shared f32[4096]
//       0 … 16384: t226_shared_part f32[4096]
//    5120 … 9216: qt_shared f32[1024]
//   16384 … 24576: vt_shared f32[2048]
//   24576 … 25600: t28_parts i32[256]
//   25600 … 26624: t77_parts i32[256]
//   26624 … 27648: t91_parts i32[256]
//   27648 … 28672: t95_parts i32[256]
//   28672 … 29696: t97_parts i32[256]
//   29696 … 29952: t165_convert f32[64]
//   29952 … 30208: alpha_convert f32[64]
//   30208 … 30464: t187_convert f32[64]
//   30464 … 30720: t200_convert f32[64]
//   30720 … 30784: pages_convert i32[16]
//   30848 … 30880: grew_parts i32[8]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  HKV: i32,
  NB: i32,
  MAXB: i32,
  B: i32,
  M: i32,
  P: i32,
  R: i32,
  scale: f32,
  vScale: f32,
}
@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> kCache: array<u32>;
@group(0) @binding(2) var<storage, read> vCache: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> table: array<i32>;
@group(0) @binding(4) var<storage, read> members: array<i32>;
@group(0) @binding(5) var<storage, read> tileLens: array<i32>;
@group(0) @binding(6) var<storage, read> shared_1: array<i32>;
@group(0) @binding(7) var<storage, read_write> partial: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> lse: array<f32>;
@group(0) @binding(9) var<uniform> launch: TwLaunch;
var<workgroup> shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared: array<f32, 4096>;
var<workgroup> vt_shared: array<vec4<f32>, 512>;
var<workgroup> t28_parts: array<i32, 256>;
var<workgroup> t77_parts: array<i32, 256>;
var<workgroup> t91_parts: array<i32, 256>;
var<workgroup> t95_parts: array<i32, 256>;
var<workgroup> t97_parts: array<i32, 256>;
var<workgroup> t165_convert: array<f32, 64>;
var<workgroup> alpha_convert: array<f32, 64>;
var<workgroup> t187_convert: array<f32, 64>;
var<workgroup> t200_convert: array<f32, 64>;
var<workgroup> pages_convert: array<i32, 16>;
var<workgroup> grew_parts: array<i32, 8>;
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

@compute @workgroup_size(256)
fn shared_prefix_decode(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let programs: i32 = launch.P - launch.B;
  let t: i32 = (launch.R + 63) >> 6u;
  let h: i32 = tw_floordiv_i32(pid0, t);
  let g: i32 = tw_floormod_i32(pid0, t) * 64;
  var length: i32 = 0;
  for (var i: i32 = 0; i < launch.B; i += 256) {
    let left: i32 = launch.B - i;
    let tileLens_at: i32 = thread + i;
    let tileLens_in: bool = thread < left;
    var tileLens_tile: i32;
    tileLens_tile = select(0, tileLens[select(0, tileLens_at, tileLens_in)], tileLens_in);
    workgroupBarrier();
    var sum: i32 = (tileLens_tile + 63) >> 6u;
    t28_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 16) {
      sum = t28_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other: i32;
        other = t28_parts[thread + r * 16];
        sum = sum + other;
      }
      t28_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
    var parts_5: i32; var parts_6: i32; var parts_7: i32; var parts_8: i32; var parts_9: i32;
    var parts_10: i32; var parts_11: i32; var parts_12: i32; var parts_13: i32; var parts_14: i32;
    var parts_15: i32;
    parts_0 = t28_parts[0];
    parts_1 = t28_parts[1];
    parts_2 = t28_parts[2];
    parts_3 = t28_parts[3];
    parts_4 = t28_parts[4];
    parts_5 = t28_parts[5];
    parts_6 = t28_parts[6];
    parts_7 = t28_parts[7];
    parts_8 = t28_parts[8];
    parts_9 = t28_parts[9];
    parts_10 = t28_parts[10];
    parts_11 = t28_parts[11];
    parts_12 = t28_parts[12];
    parts_13 = t28_parts[13];
    parts_14 = t28_parts[14];
    parts_15 = t28_parts[15];
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
  let t_1: bool = select(1, tw_floormod_i32(programs, max(launch.B, 1)), launch.B > 1) == 0;
  let isSpread: bool = (t_1 & (programs <= 2047)) & (length <= 1048576);
  let shares: i32 = max(min(programs, length), 1);
  let t_2: i32 = min(pid1, shares);
  let each: i32 = tw_floordiv_i32(length, shares);
  let t_3: i32 = length - each * shares;
  let lo: i32 = select(t_2 * each + min(t_2, t_3), tw_floordiv_i32(t_2 * length, shares), isSpread);
  let t_4: i32 = min(pid1 + 1, shares);
  let hi: i32 = select(t_4 * each + min(t_4, t_3), tw_floordiv_i32(t_4 * length, shares), isSpread);
  var sequence: i32 = 0;
  var begin: i32 = 0;
  var passed: i32 = 0;
  for (var i_1: i32 = 0; i_1 < launch.B; i_1 += 256) {
    let left_1: i32 = launch.B - i_1;
    let tileLens_at_1: i32 = thread + i_1;
    let tileLens_in_1: bool = thread < left_1;
    var tileLens_tile_1: i32;
    tileLens_tile_1 = select(0, tileLens[select(0, tileLens_at_1, tileLens_in_1)], tileLens_in_1);
    let t_5: i32 = (tileLens_tile_1 + 63) >> 6u;
    var scan_sum: i32 = t_5;
    t77_parts[thread] = scan_sum;
    workgroupBarrier();
    var before: i32 = 0;
    for (var r: i32 = 0; r < 256; r++) {
      var other_1: i32;
      other_1 = t77_parts[r];
      before = select(before, before + other_1, r < thread);
    }
    scan_sum = before + scan_sum;
    let ends: i32 = passed + scan_sum;
    let isBefore: bool = (i_1 + thread < launch.B) & (ends <= lo);
    var sum_1: i32 = select(0, 1, isBefore);
    t91_parts[thread] = sum_1;
    workgroupBarrier();
    if (thread < 16) {
      sum_1 = t91_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_2: i32;
        other_2 = t91_parts[thread + r * 16];
        sum_1 = sum_1 + other_2;
      }
      t91_parts[thread] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    var parts_1_4: i32; var parts_1_5: i32; var parts_1_6: i32; var parts_1_7: i32;
    var parts_1_8: i32; var parts_1_9: i32; var parts_1_10: i32; var parts_1_11: i32;
    var parts_1_12: i32; var parts_1_13: i32; var parts_1_14: i32; var parts_1_15: i32;
    parts_1_0 = t91_parts[0];
    parts_1_1 = t91_parts[1];
    parts_1_2 = t91_parts[2];
    parts_1_3 = t91_parts[3];
    parts_1_4 = t91_parts[4];
    parts_1_5 = t91_parts[5];
    parts_1_6 = t91_parts[6];
    parts_1_7 = t91_parts[7];
    parts_1_8 = t91_parts[8];
    parts_1_9 = t91_parts[9];
    parts_1_10 = t91_parts[10];
    parts_1_11 = t91_parts[11];
    parts_1_12 = t91_parts[12];
    parts_1_13 = t91_parts[13];
    parts_1_14 = t91_parts[14];
    parts_1_15 = t91_parts[15];
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
    var most: i32 = select(0, ends, isBefore);
    t95_parts[thread] = most;
    workgroupBarrier();
    if (thread < 16) {
      most = t95_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_3: i32;
        other_3 = t95_parts[thread + r * 16];
        most = max(most, other_3);
      }
      t95_parts[thread] = most;
    }
    workgroupBarrier();
    var parts_2_0: i32; var parts_2_1: i32; var parts_2_2: i32; var parts_2_3: i32;
    var parts_2_4: i32; var parts_2_5: i32; var parts_2_6: i32; var parts_2_7: i32;
    var parts_2_8: i32; var parts_2_9: i32; var parts_2_10: i32; var parts_2_11: i32;
    var parts_2_12: i32; var parts_2_13: i32; var parts_2_14: i32; var parts_2_15: i32;
    parts_2_0 = t95_parts[0];
    parts_2_1 = t95_parts[1];
    parts_2_2 = t95_parts[2];
    parts_2_3 = t95_parts[3];
    parts_2_4 = t95_parts[4];
    parts_2_5 = t95_parts[5];
    parts_2_6 = t95_parts[6];
    parts_2_7 = t95_parts[7];
    parts_2_8 = t95_parts[8];
    parts_2_9 = t95_parts[9];
    parts_2_10 = t95_parts[10];
    parts_2_11 = t95_parts[11];
    parts_2_12 = t95_parts[12];
    parts_2_13 = t95_parts[13];
    parts_2_14 = t95_parts[14];
    parts_2_15 = t95_parts[15];
    most = parts_2_0;
    most = max(most, parts_2_1);
    most = max(most, parts_2_2);
    most = max(most, parts_2_3);
    most = max(most, parts_2_4);
    most = max(most, parts_2_5);
    most = max(most, parts_2_6);
    most = max(most, parts_2_7);
    most = max(most, parts_2_8);
    most = max(most, parts_2_9);
    most = max(most, parts_2_10);
    most = max(most, parts_2_11);
    most = max(most, parts_2_12);
    most = max(most, parts_2_13);
    most = max(most, parts_2_14);
    most = max(most, parts_2_15);
    var sum_2: i32 = t_5;
    t97_parts[thread] = sum_2;
    workgroupBarrier();
    if (thread < 16) {
      sum_2 = t97_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_4: i32;
        other_4 = t97_parts[thread + r * 16];
        sum_2 = sum_2 + other_4;
      }
      t97_parts[thread] = sum_2;
    }
    workgroupBarrier();
    var parts_3_0: i32; var parts_3_1: i32; var parts_3_2: i32; var parts_3_3: i32;
    var parts_3_4: i32; var parts_3_5: i32; var parts_3_6: i32; var parts_3_7: i32;
    var parts_3_8: i32; var parts_3_9: i32; var parts_3_10: i32; var parts_3_11: i32;
    var parts_3_12: i32; var parts_3_13: i32; var parts_3_14: i32; var parts_3_15: i32;
    parts_3_0 = t97_parts[0];
    parts_3_1 = t97_parts[1];
    parts_3_2 = t97_parts[2];
    parts_3_3 = t97_parts[3];
    parts_3_4 = t97_parts[4];
    parts_3_5 = t97_parts[5];
    parts_3_6 = t97_parts[6];
    parts_3_7 = t97_parts[7];
    parts_3_8 = t97_parts[8];
    parts_3_9 = t97_parts[9];
    parts_3_10 = t97_parts[10];
    parts_3_11 = t97_parts[11];
    parts_3_12 = t97_parts[12];
    parts_3_13 = t97_parts[13];
    parts_3_14 = t97_parts[14];
    parts_3_15 = t97_parts[15];
    sum_2 = parts_3_0;
    sum_2 = sum_2 + parts_3_1;
    sum_2 = sum_2 + parts_3_2;
    sum_2 = sum_2 + parts_3_3;
    sum_2 = sum_2 + parts_3_4;
    sum_2 = sum_2 + parts_3_5;
    sum_2 = sum_2 + parts_3_6;
    sum_2 = sum_2 + parts_3_7;
    sum_2 = sum_2 + parts_3_8;
    sum_2 = sum_2 + parts_3_9;
    sum_2 = sum_2 + parts_3_10;
    sum_2 = sum_2 + parts_3_11;
    sum_2 = sum_2 + parts_3_12;
    sum_2 = sum_2 + parts_3_13;
    sum_2 = sum_2 + parts_3_14;
    sum_2 = sum_2 + parts_3_15;
    sequence = sequence + sum_1;
    begin = max(begin, most);
    passed = passed + sum_2;
  }
  var begin_1: i32 = select(hi, begin, lo < hi);
  var s: i32 = sequence;
  loop {
    let t_6: bool = begin_1 < hi;
    if (thread == 0) { uniform_word = u32(t_6); }
    let go_on = workgroupUniformLoad(&uniform_word) != 0u;
    if (!go_on) { break; }
    var len: i32;
    len = tileLens[s];
    let t_7: i32 = (len + 63) >> 6u;
    let t_8: i32 = max(lo - begin_1, 0) * 64;
    let t_9: i32 = min(t_7, hi - begin_1) * 64;
    let t_10: bool = t_8 < t_9;
    if (thread == 0) { uniform_word = u32(t_10); }
    let agreed = workgroupUniformLoad(&uniform_word) != 0u;
    if (agreed) {
      let t_GP: i32 = thread >> 4u;
      var row_0: i32; var row_1: i32; var row_2: i32; var row_3: i32;
      var t_11_0: i32; var t_11_1: i32; var t_11_2: i32; var t_11_3: i32;
      row_0 = g + t_GP;
      t_11_0 = select(-1, row_0 >> 2u, row_0 < launch.R);
      row_1 = g + t_GP + 16;
      t_11_1 = select(-1, row_1 >> 2u, row_1 < launch.R);
      row_2 = g + t_GP + 32;
      t_11_2 = select(-1, row_2 >> 2u, row_2 < launch.R);
      row_3 = g + t_GP + 48;
      t_11_3 = select(-1, row_3 >> 2u, row_3 < launch.R);
      let members_at: i32 = s * launch.M;
      let members_in: bool = u32(s) < u32(launch.B);
      var at_0: i32; var at_1: i32; var at_2: i32; var at_3: i32;
      let at_in = members_in & (u32(t_11_0) < u32(launch.M));
      at_0 = select(-1, members[select(0, members_at + t_11_0, at_in)], at_in);
      let at_in_1 = members_in & (u32(t_11_1) < u32(launch.M));
      at_1 = select(-1, members[select(0, members_at + t_11_1, at_in_1)], at_in_1);
      let at_in_2 = members_in & (u32(t_11_2) < u32(launch.M));
      at_2 = select(-1, members[select(0, members_at + t_11_2, at_in_2)], at_in_2);
      let at_in_3 = members_in & (u32(t_11_3) < u32(launch.M));
      at_3 = select(-1, members[select(0, members_at + t_11_3, at_in_3)], at_in_3);
      var t_12_0: i32; var t_12_1: i32; var t_12_2: i32; var t_12_3: i32;
      t_12_0 = row_0 & 3; t_12_1 = row_1 & 3; t_12_2 = row_2 & 3; t_12_3 = row_3 & 3;
      var s_1: i32;
      s_1 = members[members_at];
      let c: f32 = launch.scale * 1.442695f;
      var len_1: i32;
      len_1 = shared_1[s_1];
      let t_BN: i32 = (thread >> 7u) * 32 + (thread & 7) * 4;
      var pages_0: i32; var pages_1: i32; var pages_2: i32; var pages_3: i32;
      if (t_10) {
        var t_13_0: i32; var t_13_1: i32; var t_13_2: i32; var t_13_3: i32;
        let kpos: i32 = t_8 + t_GP;
        t_13_0 = select(-1, kpos >> 4u, (kpos < len_1) & (kpos >= 0));
        let kpos_1: i32 = t_8 + t_GP + 16;
        t_13_1 = select(-1, kpos_1 >> 4u, (kpos_1 < len_1) & (kpos_1 >= 0));
        let kpos_2: i32 = t_8 + t_GP + 32;
        t_13_2 = select(-1, kpos_2 >> 4u, (kpos_2 < len_1) & (kpos_2 >= 0));
        let kpos_3: i32 = t_8 + t_GP + 48;
        t_13_3 = select(-1, kpos_3 >> 4u, (kpos_3 < len_1) & (kpos_3 >= 0));
        let table_at: i32 = s_1 * launch.MAXB;
        let table_in: bool = u32(s_1) < u32(launch.S);
        var pages_1_1_0: i32; var pages_1_1_1: i32; var pages_1_1_2: i32; var pages_1_1_3: i32;
        let pages_1_in = table_in & (u32(t_13_0) < u32(launch.MAXB));
        pages_1_1_0 = select(-1, table[select(0, table_at + t_13_0, pages_1_in)], pages_1_in);
        let pages_1_in_1 = table_in & (u32(t_13_1) < u32(launch.MAXB));
        pages_1_1_1 = select(-1, table[select(0, table_at + t_13_1, pages_1_in_1)], pages_1_in_1);
        let pages_1_in_2 = table_in & (u32(t_13_2) < u32(launch.MAXB));
        pages_1_1_2 = select(-1, table[select(0, table_at + t_13_2, pages_1_in_2)], pages_1_in_2);
        let pages_1_in_3 = table_in & (u32(t_13_3) < u32(launch.MAXB));
        pages_1_1_3 = select(-1, table[select(0, table_at + t_13_3, pages_1_in_3)], pages_1_in_3);
        pages_0 = pages_1_1_0; pages_1 = pages_1_1_1; pages_2 = pages_1_1_2; pages_3 = pages_1_1_3;
      } else {
        pages_0 = -1; pages_1 = -1; pages_2 = -1; pages_3 = -1;
      }
      var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32; var m_4: f32; var m_5: f32;
      var m_6: f32; var m_7: f32;
      m_0 = -1e+30f; m_1 = -1e+30f; m_2 = -1e+30f; m_3 = -1e+30f; m_4 = -1e+30f; m_5 = -1e+30f;
      m_6 = -1e+30f; m_7 = -1e+30f;
      var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32; var l_4: f32; var l_5: f32;
      var l_6: f32; var l_7: f32; var l_8: f32; var l_9: f32; var l_10: f32; var l_11: f32;
      var l_12: f32; var l_13: f32; var l_14: f32; var l_15: f32;
      l_0 = 0.0f; l_1 = 0.0f; l_2 = 0.0f; l_3 = 0.0f; l_4 = 0.0f; l_5 = 0.0f; l_6 = 0.0f;
      l_7 = 0.0f; l_8 = 0.0f; l_9 = 0.0f; l_10 = 0.0f; l_11 = 0.0f; l_12 = 0.0f; l_13 = 0.0f;
      l_14 = 0.0f; l_15 = 0.0f;
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
      let table_at_1: i32 = s_1 * launch.MAXB;
      let table_in_1: bool = u32(s_1) < u32(launch.S);
      let stride: i32 = launch.HKV * 512;
      let t_D: i32 = thread & 15;
      let q_at: i32 = h * 512 + t_D;
      let q_in: bool = h < launch.HKV;
      let qt_shared_at: i32 = (thread & 15) + (thread >> 4u) * 16;
      let stride_1: i32 = launch.HKV * 2048;
      let stride_2: i32 = launch.HKV * 128;
      let kCache_at: i32 = h * 128 + t_D;
      let kt_shared_at: i32 = (thread & 15) + (thread >> 4u) * 20;
      let qt_shared_at_1: i32 = ((thread >> 3u) & 15) * 16;
      let kt_shared_at_1: i32 = (thread & 7) * 80 + (thread >> 7u) * 640;
      let t_GP_1: i32 = (thread >> 3u) & 15;
      let part: i32 = (thread >> 7u) * 8 + (thread & 7);
      let part_at: i32 = part * 64 + t_GP_1;
      let is_first: bool = ((thread & 7) == 0) & (thread < 128);
      let t165_convert_at: i32 = (thread >> 3u) & 7;
      let is_first_1: bool = ((thread & 7) == 0) & (thread < 64);
      let t226_shared_at: i32 = (thread & 7) * 4 + ((thread >> 3u) & 15) * 64 + (thread >> 7u) * 32;
      let is_first_2: bool = thread < 16;
      let t_D_1: i32 = (thread & 15) * 8;
      let vCache_at: i32 = h * 128 + t_D_1;
      let vt_shared_at: i32 = (thread & 15) * 8 + (thread >> 4u) * 128;
      let t226_shared_part_at: i32 = ((thread >> 3u) & 7) * 64;
      let vt_shared_at_1: i32 = (thread & 7) * 4 + (thread >> 6u) * 32;
      if (thread == 0) { uniform_word = u32(t_8); }
      let n_start = i32(workgroupUniformLoad(&uniform_word));
      if (thread == 0) { uniform_word = u32(t_9); }
      let n_end = i32(workgroupUniformLoad(&uniform_word));
      for (var n: i32 = n_start; n < n_end; n += 64) {
        let n_1: i32 = n + 64;
        let more: bool = n_1 < t_9;
        var pages_2_1_0: i32; var pages_2_1_1: i32; var pages_2_1_2: i32; var pages_2_1_3: i32;
        if (more) {
          var t_14_0: i32; var t_14_1: i32; var t_14_2: i32; var t_14_3: i32;
          let kpos_4: i32 = n_1 + t_GP;
          t_14_0 = select(-1, kpos_4 >> 4u, (kpos_4 < len_1) & (kpos_4 >= 0));
          let kpos_5: i32 = n_1 + t_GP + 16;
          t_14_1 = select(-1, kpos_5 >> 4u, (kpos_5 < len_1) & (kpos_5 >= 0));
          let kpos_6: i32 = n_1 + t_GP + 32;
          t_14_2 = select(-1, kpos_6 >> 4u, (kpos_6 < len_1) & (kpos_6 >= 0));
          let kpos_7: i32 = n_1 + t_GP + 48;
          t_14_3 = select(-1, kpos_7 >> 4u, (kpos_7 < len_1) & (kpos_7 >= 0));
          var pages_3_1_0: i32; var pages_3_1_1: i32; var pages_3_1_2: i32; var pages_3_1_3: i32;
          let pages_3_in = table_in_1 & (u32(t_14_0) < u32(launch.MAXB));
          pages_3_1_0 = select(-1, table[select(0, table_at_1 + t_14_0, pages_3_in)], pages_3_in);
          let pages_3_in_1 = table_in_1 & (u32(t_14_1) < u32(launch.MAXB));
          pages_3_1_1 = select(
              -1, table[select(0, table_at_1 + t_14_1, pages_3_in_1)], pages_3_in_1);
          let pages_3_in_2 = table_in_1 & (u32(t_14_2) < u32(launch.MAXB));
          pages_3_1_2 = select(
              -1, table[select(0, table_at_1 + t_14_2, pages_3_in_2)], pages_3_in_2);
          let pages_3_in_3 = table_in_1 & (u32(t_14_3) < u32(launch.MAXB));
          pages_3_1_3 = select(
              -1, table[select(0, table_at_1 + t_14_3, pages_3_in_3)], pages_3_in_3);
          pages_2_1_0 = pages_3_1_0; pages_2_1_1 = pages_3_1_1; pages_2_1_2 = pages_3_1_2;
          pages_2_1_3 = pages_3_1_3;
        } else {
          pages_2_1_0 = -1; pages_2_1_1 = -1; pages_2_1_2 = -1; pages_2_1_3 = -1;
        }
        var kpos_8_0: i32; var kpos_8_1: i32; var kpos_8_2: i32; var kpos_8_3: i32;
        var slot_0: i32; var slot_1: i32; var slot_2: i32; var slot_3: i32;
        kpos_8_0 = n + t_BN;
        slot_0 = (n + t_GP) & 15;
        kpos_8_1 = n + t_BN + 1;
        slot_1 = (n + t_GP + 16) & 15;
        kpos_8_2 = n + t_BN + 2;
        slot_2 = (n + t_GP + 32) & 15;
        kpos_8_3 = n + t_BN + 3;
        slot_3 = (n + t_GP + 48) & 15;
        var scores_0: f32; var scores_1: f32; var scores_2: f32; var scores_3: f32;
        var scores_4: f32; var scores_5: f32; var scores_6: f32; var scores_7: f32;
        var scores_8: f32; var scores_9: f32; var scores_10: f32; var scores_11: f32;
        var scores_12: f32; var scores_13: f32; var scores_14: f32; var scores_15: f32;
        scores_0 = 0.0f; scores_1 = 0.0f; scores_2 = 0.0f; scores_3 = 0.0f; scores_4 = 0.0f;
        scores_5 = 0.0f; scores_6 = 0.0f; scores_7 = 0.0f; scores_8 = 0.0f; scores_9 = 0.0f;
        scores_10 = 0.0f; scores_11 = 0.0f; scores_12 = 0.0f; scores_13 = 0.0f; scores_14 = 0.0f;
        scores_15 = 0.0f;
        for (var chunk: i32 = 0; chunk < 8; chunk++) {
          let base: i32 = chunk * 16;
          let q_at_1: i32 = q_at + base;
          var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32;
          let qt_in = q_in & (u32(at_0) < u32(launch.S));
          let qt_at = q_at_1 + at_0 * stride + t_12_0 * 128;
          let qt_word = select(0u, q[select(0, qt_at >> 1u, qt_in)], qt_in) >> ((u32(qt_at) & 1u) * 16u);
          qt_0 = qt_word & 0xffffu;
          let qt_in_1 = q_in & (u32(at_1) < u32(launch.S));
          let qt_at_1 = q_at_1 + at_1 * stride + t_12_1 * 128;
          let qt_word_1 = select(
              0u, q[select(0, qt_at_1 >> 1u, qt_in_1)], qt_in_1) >> ((u32(qt_at_1) & 1u) * 16u);
          qt_1 = qt_word_1 & 0xffffu;
          let qt_in_2 = q_in & (u32(at_2) < u32(launch.S));
          let qt_at_2 = q_at_1 + at_2 * stride + t_12_2 * 128;
          let qt_word_2 = select(
              0u, q[select(0, qt_at_2 >> 1u, qt_in_2)], qt_in_2) >> ((u32(qt_at_2) & 1u) * 16u);
          qt_2 = qt_word_2 & 0xffffu;
          let qt_in_3 = q_in & (u32(at_3) < u32(launch.S));
          let qt_at_3 = q_at_1 + at_3 * stride + t_12_3 * 128;
          let qt_word_3 = select(
              0u, q[select(0, qt_at_3 >> 1u, qt_in_3)], qt_in_3) >> ((u32(qt_at_3) & 1u) * 16u);
          qt_3 = qt_word_3 & 0xffffu;
          workgroupBarrier();
          let qt_1_1: f32 = tw_bf16_to_f32(qt_0);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_at + 1280] = qt_1_1;
          let qt_2_1: f32 = tw_bf16_to_f32(qt_1);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_at + 256 + 1280] = qt_2_1;
          let qt_3_1: f32 = tw_bf16_to_f32(qt_2);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_at + 512 + 1280] = qt_3_1;
          let qt_4: f32 = tw_bf16_to_f32(qt_3);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_at + 768 + 1280] = qt_4;
          let kCache_at_1: i32 = kCache_at + base;
          var kt_0: u32; var kt_1: u32; var kt_2: u32; var kt_3: u32;
          let kt_in = q_in & (u32(pages_0) < u32(launch.NB));
          let kt_at = kCache_at_1 + pages_0 * stride_1 + slot_0 * stride_2;
          let kt_word = select(
              0u, kCache[select(0, kt_at >> 1u, kt_in)], kt_in) >> ((u32(kt_at) & 1u) * 16u);
          kt_0 = kt_word & 0xffffu;
          let kt_in_1 = q_in & (u32(pages_1) < u32(launch.NB));
          let kt_at_1 = kCache_at_1 + pages_1 * stride_1 + slot_1 * stride_2;
          let kt_word_1 = select(
              0u, kCache[select(0, kt_at_1 >> 1u, kt_in_1)], kt_in_1) >> ((u32(kt_at_1) & 1u) * 16u);
          kt_1 = kt_word_1 & 0xffffu;
          let kt_in_2 = q_in & (u32(pages_2) < u32(launch.NB));
          let kt_at_2 = kCache_at_1 + pages_2 * stride_1 + slot_2 * stride_2;
          let kt_word_2 = select(
              0u, kCache[select(0, kt_at_2 >> 1u, kt_in_2)], kt_in_2) >> ((u32(kt_at_2) & 1u) * 16u);
          kt_2 = kt_word_2 & 0xffffu;
          let kt_in_3 = q_in & (u32(pages_3) < u32(launch.NB));
          let kt_at_3 = kCache_at_1 + pages_3 * stride_1 + slot_3 * stride_2;
          let kt_word_3 = select(
              0u, kCache[select(0, kt_at_3 >> 1u, kt_in_3)], kt_in_3) >> ((u32(kt_at_3) & 1u) * 16u);
          kt_3 = kt_word_3 & 0xffffu;
          let kt_1_1: f32 = tw_bf16_to_f32(kt_0);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_at] = kt_1_1;
          let kt_2_1: f32 = tw_bf16_to_f32(kt_1);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_at + 320] = kt_2_1;
          let kt_3_1: f32 = tw_bf16_to_f32(kt_2);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_at + 640] = kt_3_1;
          let kt_4: f32 = tw_bf16_to_f32(kt_3);
          shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_at + 960] = kt_4;
          workgroupBarrier();
          for (var r: i32 = 0; r < 4; r++) {
            var qt_shared_1_0: f32; var qt_shared_1_1: f32; var qt_shared_1_2: f32;
            var qt_shared_1_3: f32; var qt_shared_1_4: f32; var qt_shared_1_5: f32;
            var qt_shared_1_6: f32; var qt_shared_1_7: f32; var qt_shared_1_8: f32;
            var qt_shared_1_9: f32; var qt_shared_1_10: f32; var qt_shared_1_11: f32;
            var qt_shared_1_12: f32; var qt_shared_1_13: f32; var qt_shared_1_14: f32;
            var qt_shared_1_15: f32;
            var kt_shared_1_0: f32; var kt_shared_1_1: f32; var kt_shared_1_2: f32;
            var kt_shared_1_3: f32; var kt_shared_1_4: f32; var kt_shared_1_5: f32;
            var kt_shared_1_6: f32; var kt_shared_1_7: f32; var kt_shared_1_8: f32;
            var kt_shared_1_9: f32; var kt_shared_1_10: f32; var kt_shared_1_11: f32;
            var kt_shared_1_12: f32; var kt_shared_1_13: f32; var kt_shared_1_14: f32;
            var kt_shared_1_15: f32;
            let qt_shared_1_at = qt_shared_at_1 + r * 4;
            qt_shared_1_0 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at + 1280];
            qt_shared_1_1 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at + 1280 + 1];
            qt_shared_1_2 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at + 1280 + 2];
            qt_shared_1_3 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at + 1280 + 3];
            let qt_shared_1_at_1 = qt_shared_at_1 + 256 + r * 4;
            qt_shared_1_4 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_1 + 1280];
            qt_shared_1_5 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_1 + 1280 + 1];
            qt_shared_1_6 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_1 + 1280 + 2];
            qt_shared_1_7 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_1 + 1280 + 3];
            let qt_shared_1_at_2 = qt_shared_at_1 + 512 + r * 4;
            qt_shared_1_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_2 + 1280];
            qt_shared_1_9 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_2 + 1280 + 1];
            qt_shared_1_10 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_2 + 1280 + 2];
            qt_shared_1_11 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_2 + 1280 + 3];
            let qt_shared_1_at_3 = qt_shared_at_1 + 768 + r * 4;
            qt_shared_1_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_3 + 1280];
            qt_shared_1_13 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_3 + 1280 + 1];
            qt_shared_1_14 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_3 + 1280 + 2];
            qt_shared_1_15 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[qt_shared_1_at_3 + 1280 + 3];
            let kt_shared_1_at = kt_shared_at_1 + r * 4;
            kt_shared_1_0 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at];
            kt_shared_1_1 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at + 1];
            kt_shared_1_2 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at + 2];
            kt_shared_1_3 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at + 3];
            let kt_shared_1_at_1 = kt_shared_at_1 + 20 + r * 4;
            kt_shared_1_4 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_1];
            kt_shared_1_5 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_1 + 1];
            kt_shared_1_6 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_1 + 2];
            kt_shared_1_7 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_1 + 3];
            let kt_shared_1_at_2 = kt_shared_at_1 + 40 + r * 4;
            kt_shared_1_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_2];
            kt_shared_1_9 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_2 + 1];
            kt_shared_1_10 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_2 + 2];
            kt_shared_1_11 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_2 + 3];
            let kt_shared_1_at_3 = kt_shared_at_1 + 60 + r * 4;
            kt_shared_1_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_3];
            kt_shared_1_13 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_3 + 1];
            kt_shared_1_14 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_3 + 2];
            kt_shared_1_15 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[kt_shared_1_at_3 + 3];
            scores_0 = fma(qt_shared_1_0, kt_shared_1_0, scores_0);
            scores_1 = fma(qt_shared_1_0, kt_shared_1_4, scores_1);
            scores_2 = fma(qt_shared_1_0, kt_shared_1_8, scores_2);
            scores_3 = fma(qt_shared_1_0, kt_shared_1_12, scores_3);
            scores_4 = fma(qt_shared_1_4, kt_shared_1_0, scores_4);
            scores_5 = fma(qt_shared_1_4, kt_shared_1_4, scores_5);
            scores_6 = fma(qt_shared_1_4, kt_shared_1_8, scores_6);
            scores_7 = fma(qt_shared_1_4, kt_shared_1_12, scores_7);
            scores_8 = fma(qt_shared_1_8, kt_shared_1_0, scores_8);
            scores_9 = fma(qt_shared_1_8, kt_shared_1_4, scores_9);
            scores_10 = fma(qt_shared_1_8, kt_shared_1_8, scores_10);
            scores_11 = fma(qt_shared_1_8, kt_shared_1_12, scores_11);
            scores_12 = fma(qt_shared_1_12, kt_shared_1_0, scores_12);
            scores_13 = fma(qt_shared_1_12, kt_shared_1_4, scores_13);
            scores_14 = fma(qt_shared_1_12, kt_shared_1_8, scores_14);
            scores_15 = fma(qt_shared_1_12, kt_shared_1_12, scores_15);
            scores_0 = fma(qt_shared_1_1, kt_shared_1_1, scores_0);
            scores_1 = fma(qt_shared_1_1, kt_shared_1_5, scores_1);
            scores_2 = fma(qt_shared_1_1, kt_shared_1_9, scores_2);
            scores_3 = fma(qt_shared_1_1, kt_shared_1_13, scores_3);
            scores_4 = fma(qt_shared_1_5, kt_shared_1_1, scores_4);
            scores_5 = fma(qt_shared_1_5, kt_shared_1_5, scores_5);
            scores_6 = fma(qt_shared_1_5, kt_shared_1_9, scores_6);
            scores_7 = fma(qt_shared_1_5, kt_shared_1_13, scores_7);
            scores_8 = fma(qt_shared_1_9, kt_shared_1_1, scores_8);
            scores_9 = fma(qt_shared_1_9, kt_shared_1_5, scores_9);
            scores_10 = fma(qt_shared_1_9, kt_shared_1_9, scores_10);
            scores_11 = fma(qt_shared_1_9, kt_shared_1_13, scores_11);
            scores_12 = fma(qt_shared_1_13, kt_shared_1_1, scores_12);
            scores_13 = fma(qt_shared_1_13, kt_shared_1_5, scores_13);
            scores_14 = fma(qt_shared_1_13, kt_shared_1_9, scores_14);
            scores_15 = fma(qt_shared_1_13, kt_shared_1_13, scores_15);
            scores_0 = fma(qt_shared_1_2, kt_shared_1_2, scores_0);
            scores_1 = fma(qt_shared_1_2, kt_shared_1_6, scores_1);
            scores_2 = fma(qt_shared_1_2, kt_shared_1_10, scores_2);
            scores_3 = fma(qt_shared_1_2, kt_shared_1_14, scores_3);
            scores_4 = fma(qt_shared_1_6, kt_shared_1_2, scores_4);
            scores_5 = fma(qt_shared_1_6, kt_shared_1_6, scores_5);
            scores_6 = fma(qt_shared_1_6, kt_shared_1_10, scores_6);
            scores_7 = fma(qt_shared_1_6, kt_shared_1_14, scores_7);
            scores_8 = fma(qt_shared_1_10, kt_shared_1_2, scores_8);
            scores_9 = fma(qt_shared_1_10, kt_shared_1_6, scores_9);
            scores_10 = fma(qt_shared_1_10, kt_shared_1_10, scores_10);
            scores_11 = fma(qt_shared_1_10, kt_shared_1_14, scores_11);
            scores_12 = fma(qt_shared_1_14, kt_shared_1_2, scores_12);
            scores_13 = fma(qt_shared_1_14, kt_shared_1_6, scores_13);
            scores_14 = fma(qt_shared_1_14, kt_shared_1_10, scores_14);
            scores_15 = fma(qt_shared_1_14, kt_shared_1_14, scores_15);
            scores_0 = fma(qt_shared_1_3, kt_shared_1_3, scores_0);
            scores_1 = fma(qt_shared_1_3, kt_shared_1_7, scores_1);
            scores_2 = fma(qt_shared_1_3, kt_shared_1_11, scores_2);
            scores_3 = fma(qt_shared_1_3, kt_shared_1_15, scores_3);
            scores_4 = fma(qt_shared_1_7, kt_shared_1_3, scores_4);
            scores_5 = fma(qt_shared_1_7, kt_shared_1_7, scores_5);
            scores_6 = fma(qt_shared_1_7, kt_shared_1_11, scores_6);
            scores_7 = fma(qt_shared_1_7, kt_shared_1_15, scores_7);
            scores_8 = fma(qt_shared_1_11, kt_shared_1_3, scores_8);
            scores_9 = fma(qt_shared_1_11, kt_shared_1_7, scores_9);
            scores_10 = fma(qt_shared_1_11, kt_shared_1_11, scores_10);
            scores_11 = fma(qt_shared_1_11, kt_shared_1_15, scores_11);
            scores_12 = fma(qt_shared_1_15, kt_shared_1_3, scores_12);
            scores_13 = fma(qt_shared_1_15, kt_shared_1_7, scores_13);
            scores_14 = fma(qt_shared_1_15, kt_shared_1_11, scores_14);
            scores_15 = fma(qt_shared_1_15, kt_shared_1_15, scores_15);
          }
        }
        var seen_0: bool; var seen_1: bool; var seen_2: bool; var seen_3: bool;
        seen_0 = (kpos_8_0 < len_1) & (kpos_8_0 >= 0);
        seen_1 = (kpos_8_1 < len_1) & (kpos_8_1 >= 0);
        seen_2 = (kpos_8_2 < len_1) & (kpos_8_2 >= 0);
        seen_3 = (kpos_8_3 < len_1) & (kpos_8_3 >= 0);
        var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
        var x_6: f32; var x_7: f32; var x_8: f32; var x_9: f32; var x_10: f32; var x_11: f32;
        var x_12: f32; var x_13: f32; var x_14: f32; var x_15: f32;
        x_0 = select(tw_bits_f32(0xff800000u), scores_0, seen_0);
        x_1 = select(tw_bits_f32(0xff800000u), scores_1, seen_1);
        x_2 = select(tw_bits_f32(0xff800000u), scores_2, seen_2);
        x_3 = select(tw_bits_f32(0xff800000u), scores_3, seen_3);
        x_4 = select(tw_bits_f32(0xff800000u), scores_4, seen_0);
        x_5 = select(tw_bits_f32(0xff800000u), scores_5, seen_1);
        x_6 = select(tw_bits_f32(0xff800000u), scores_6, seen_2);
        x_7 = select(tw_bits_f32(0xff800000u), scores_7, seen_3);
        x_8 = select(tw_bits_f32(0xff800000u), scores_8, seen_0);
        x_9 = select(tw_bits_f32(0xff800000u), scores_9, seen_1);
        x_10 = select(tw_bits_f32(0xff800000u), scores_10, seen_2);
        x_11 = select(tw_bits_f32(0xff800000u), scores_11, seen_3);
        x_12 = select(tw_bits_f32(0xff800000u), scores_12, seen_0);
        x_13 = select(tw_bits_f32(0xff800000u), scores_13, seen_1);
        x_14 = select(tw_bits_f32(0xff800000u), scores_14, seen_2);
        x_15 = select(tw_bits_f32(0xff800000u), scores_15, seen_3);
        workgroupBarrier();
        var most_1_0: f32; var most_1_1: f32; var most_1_2: f32; var most_1_3: f32;
        most_1_0 = tw_bits_f32(0xff800000u); most_1_0 = tw_max(most_1_0, x_0);
        most_1_0 = tw_max(most_1_0, x_1); most_1_0 = tw_max(most_1_0, x_2);
        most_1_0 = tw_max(most_1_0, x_3);
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at] = most_1_0;
        most_1_1 = tw_bits_f32(0xff800000u); most_1_1 = tw_max(most_1_1, x_4);
        most_1_1 = tw_max(most_1_1, x_5); most_1_1 = tw_max(most_1_1, x_6);
        most_1_1 = tw_max(most_1_1, x_7);
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at + 16] = most_1_1;
        most_1_2 = tw_bits_f32(0xff800000u); most_1_2 = tw_max(most_1_2, x_8);
        most_1_2 = tw_max(most_1_2, x_9); most_1_2 = tw_max(most_1_2, x_10);
        most_1_2 = tw_max(most_1_2, x_11);
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at + 32] = most_1_2;
        most_1_3 = tw_bits_f32(0xff800000u); most_1_3 = tw_max(most_1_3, x_12);
        most_1_3 = tw_max(most_1_3, x_13); most_1_3 = tw_max(most_1_3, x_14);
        most_1_3 = tw_max(most_1_3, x_15);
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at + 48] = most_1_3;
        workgroupBarrier();
        most_1_0 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1];
        for (var j: i32 = 1; j < 16; j++) {
          var other_8: f32;
          other_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + j * 64];
          most_1_0 = tw_max(most_1_0, other_8);
        }
        most_1_1 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 16];
        for (var j: i32 = 1; j < 16; j++) {
          var other_8: f32;
          other_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 16 + j * 64];
          most_1_1 = tw_max(most_1_1, other_8);
        }
        most_1_2 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 32];
        for (var j: i32 = 1; j < 16; j++) {
          var other_8: f32;
          other_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 32 + j * 64];
          most_1_2 = tw_max(most_1_2, other_8);
        }
        most_1_3 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 48];
        for (var j: i32 = 1; j < 16; j++) {
          var other_8: f32;
          other_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 48 + j * 64];
          most_1_3 = tw_max(most_1_3, other_8);
        }
        if (is_first) {
          t165_convert[t_GP_1] = most_1_0;
          t165_convert[t_GP_1 + 16] = most_1_1;
          t165_convert[t_GP_1 + 32] = most_1_2;
          t165_convert[t_GP_1 + 48] = most_1_3;
        }
        workgroupBarrier();
        var t_15_0: f32; var t_15_1: f32; var t_15_2: f32; var t_15_3: f32; var t_15_4: f32;
        var t_15_5: f32; var t_15_6: f32; var t_15_7: f32;
        t_15_0 = t165_convert[t165_convert_at];
        t_15_1 = t165_convert[t165_convert_at + 8];
        t_15_2 = t165_convert[t165_convert_at + 16];
        t_15_3 = t165_convert[t165_convert_at + 24];
        t_15_4 = t165_convert[t165_convert_at + 32];
        t_15_5 = t165_convert[t165_convert_at + 40];
        t_15_6 = t165_convert[t165_convert_at + 48];
        t_15_7 = t165_convert[t165_convert_at + 56];
        var top_0: f32; var top_1: f32; var top_2: f32; var top_3: f32; var top_4: f32;
        var top_5: f32; var top_6: f32; var top_7: f32;
        var grew_0: bool; var grew_1: bool; var grew_2: bool; var grew_3: bool; var grew_4: bool;
        var grew_5: bool; var grew_6: bool; var grew_7: bool;
        top_0 = tw_max(m_0, t_15_0);
        grew_0 = (top_0 - m_0) * c > 8.0f;
        top_1 = tw_max(m_1, t_15_1);
        grew_1 = (top_1 - m_1) * c > 8.0f;
        top_2 = tw_max(m_2, t_15_2);
        grew_2 = (top_2 - m_2) * c > 8.0f;
        top_3 = tw_max(m_3, t_15_3);
        grew_3 = (top_3 - m_3) * c > 8.0f;
        top_4 = tw_max(m_4, t_15_4);
        grew_4 = (top_4 - m_4) * c > 8.0f;
        top_5 = tw_max(m_5, t_15_5);
        grew_5 = (top_5 - m_5) * c > 8.0f;
        top_6 = tw_max(m_6, t_15_6);
        grew_6 = (top_6 - m_6) * c > 8.0f;
        top_7 = tw_max(m_7, t_15_7);
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
          grew_parts[t165_convert_at] = grew_1_1;
        }
        workgroupBarrier();
        var parts_4_0: i32; var parts_4_1: i32; var parts_4_2: i32; var parts_4_3: i32;
        var parts_4_4: i32; var parts_4_5: i32; var parts_4_6: i32; var parts_4_7: i32;
        parts_4_0 = grew_parts[0];
        parts_4_1 = grew_parts[1];
        parts_4_2 = grew_parts[2];
        parts_4_3 = grew_parts[3];
        parts_4_4 = grew_parts[4];
        parts_4_5 = grew_parts[5];
        parts_4_6 = grew_parts[6];
        parts_4_7 = grew_parts[7];
        grew_1_1 = parts_4_0;
        grew_1_1 = max(grew_1_1, parts_4_1);
        grew_1_1 = max(grew_1_1, parts_4_2);
        grew_1_1 = max(grew_1_1, parts_4_3);
        grew_1_1 = max(grew_1_1, parts_4_4);
        grew_1_1 = max(grew_1_1, parts_4_5);
        grew_1_1 = max(grew_1_1, parts_4_6);
        grew_1_1 = max(grew_1_1, parts_4_7);
        let grew_2_1: bool = grew_1_1 != 0;
        var t_16_0: f32; var t_16_1: f32; var t_16_2: f32; var t_16_3: f32; var t_16_4: f32;
        var t_16_5: f32; var t_16_6: f32; var t_16_7: f32;
        var t_17_0: f32; var t_17_1: f32; var t_17_2: f32; var t_17_3: f32; var t_17_4: f32;
        var t_17_5: f32; var t_17_6: f32; var t_17_7: f32; var t_17_8: f32; var t_17_9: f32;
        var t_17_10: f32; var t_17_11: f32; var t_17_12: f32; var t_17_13: f32; var t_17_14: f32;
        var t_17_15: f32;
        var t_18_0: f32; var t_18_1: f32; var t_18_2: f32; var t_18_3: f32; var t_18_4: f32;
        var t_18_5: f32; var t_18_6: f32; var t_18_7: f32; var t_18_8: f32; var t_18_9: f32;
        var t_18_10: f32; var t_18_11: f32; var t_18_12: f32; var t_18_13: f32; var t_18_14: f32;
        var t_18_15: f32; var t_18_16: f32; var t_18_17: f32; var t_18_18: f32; var t_18_19: f32;
        var t_18_20: f32; var t_18_21: f32; var t_18_22: f32; var t_18_23: f32; var t_18_24: f32;
        var t_18_25: f32; var t_18_26: f32; var t_18_27: f32; var t_18_28: f32; var t_18_29: f32;
        var t_18_30: f32; var t_18_31: f32;
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
            alpha_convert[t165_convert_at] = alpha_0;
            alpha_convert[t165_convert_at + 8] = alpha_1;
            alpha_convert[t165_convert_at + 16] = alpha_2;
            alpha_convert[t165_convert_at + 24] = alpha_3;
            alpha_convert[t165_convert_at + 32] = alpha_4;
            alpha_convert[t165_convert_at + 40] = alpha_5;
            alpha_convert[t165_convert_at + 48] = alpha_6;
            alpha_convert[t165_convert_at + 56] = alpha_7;
          }
          workgroupBarrier();
          var alpha_1_1_0: f32; var alpha_1_1_1: f32; var alpha_1_1_2: f32; var alpha_1_1_3: f32;
          alpha_1_1_0 = alpha_convert[t_GP_1];
          alpha_1_1_1 = alpha_convert[t_GP_1 + 16];
          alpha_1_1_2 = alpha_convert[t_GP_1 + 32];
          alpha_1_1_3 = alpha_convert[t_GP_1 + 48];
          t_16_0 = next_0; t_16_1 = next_1; t_16_2 = next_2; t_16_3 = next_3; t_16_4 = next_4;
          t_16_5 = next_5; t_16_6 = next_6; t_16_7 = next_7; t_17_0 = l_0 * alpha_1_1_0;
          t_17_1 = l_1 * alpha_1_1_0; t_17_2 = l_2 * alpha_1_1_0; t_17_3 = l_3 * alpha_1_1_0;
          t_17_4 = l_4 * alpha_1_1_1; t_17_5 = l_5 * alpha_1_1_1; t_17_6 = l_6 * alpha_1_1_1;
          t_17_7 = l_7 * alpha_1_1_1; t_17_8 = l_8 * alpha_1_1_2; t_17_9 = l_9 * alpha_1_1_2;
          t_17_10 = l_10 * alpha_1_1_2; t_17_11 = l_11 * alpha_1_1_2; t_17_12 = l_12 * alpha_1_1_3;
          t_17_13 = l_13 * alpha_1_1_3; t_17_14 = l_14 * alpha_1_1_3; t_17_15 = l_15 * alpha_1_1_3;
          t_18_0 = acc_0 * alpha_0; t_18_1 = acc_1 * alpha_0; t_18_2 = acc_2 * alpha_0;
          t_18_3 = acc_3 * alpha_0; t_18_4 = acc_4 * alpha_1; t_18_5 = acc_5 * alpha_1;
          t_18_6 = acc_6 * alpha_1; t_18_7 = acc_7 * alpha_1; t_18_8 = acc_8 * alpha_2;
          t_18_9 = acc_9 * alpha_2; t_18_10 = acc_10 * alpha_2; t_18_11 = acc_11 * alpha_2;
          t_18_12 = acc_12 * alpha_3; t_18_13 = acc_13 * alpha_3; t_18_14 = acc_14 * alpha_3;
          t_18_15 = acc_15 * alpha_3; t_18_16 = acc_16 * alpha_4; t_18_17 = acc_17 * alpha_4;
          t_18_18 = acc_18 * alpha_4; t_18_19 = acc_19 * alpha_4; t_18_20 = acc_20 * alpha_5;
          t_18_21 = acc_21 * alpha_5; t_18_22 = acc_22 * alpha_5; t_18_23 = acc_23 * alpha_5;
          t_18_24 = acc_24 * alpha_6; t_18_25 = acc_25 * alpha_6; t_18_26 = acc_26 * alpha_6;
          t_18_27 = acc_27 * alpha_6; t_18_28 = acc_28 * alpha_7; t_18_29 = acc_29 * alpha_7;
          t_18_30 = acc_30 * alpha_7; t_18_31 = acc_31 * alpha_7;
        } else {
          t_16_0 = m_0; t_16_1 = m_1; t_16_2 = m_2; t_16_3 = m_3; t_16_4 = m_4; t_16_5 = m_5;
          t_16_6 = m_6; t_16_7 = m_7; t_17_0 = l_0; t_17_1 = l_1; t_17_2 = l_2; t_17_3 = l_3;
          t_17_4 = l_4; t_17_5 = l_5; t_17_6 = l_6; t_17_7 = l_7; t_17_8 = l_8; t_17_9 = l_9;
          t_17_10 = l_10; t_17_11 = l_11; t_17_12 = l_12; t_17_13 = l_13; t_17_14 = l_14;
          t_17_15 = l_15; t_18_0 = acc_0; t_18_1 = acc_1; t_18_2 = acc_2; t_18_3 = acc_3;
          t_18_4 = acc_4; t_18_5 = acc_5; t_18_6 = acc_6; t_18_7 = acc_7; t_18_8 = acc_8;
          t_18_9 = acc_9; t_18_10 = acc_10; t_18_11 = acc_11; t_18_12 = acc_12; t_18_13 = acc_13;
          t_18_14 = acc_14; t_18_15 = acc_15; t_18_16 = acc_16; t_18_17 = acc_17; t_18_18 = acc_18;
          t_18_19 = acc_19; t_18_20 = acc_20; t_18_21 = acc_21; t_18_22 = acc_22; t_18_23 = acc_23;
          t_18_24 = acc_24; t_18_25 = acc_25; t_18_26 = acc_26; t_18_27 = acc_27; t_18_28 = acc_28;
          t_18_29 = acc_29; t_18_30 = acc_30; t_18_31 = acc_31;
        }
        var t_19_0: f32; var t_19_1: f32; var t_19_2: f32; var t_19_3: f32; var t_19_4: f32;
        var t_19_5: f32; var t_19_6: f32; var t_19_7: f32;
        t_19_0 = t_16_0 * c; t_19_1 = t_16_1 * c; t_19_2 = t_16_2 * c; t_19_3 = t_16_3 * c;
        t_19_4 = t_16_4 * c; t_19_5 = t_16_5 * c; t_19_6 = t_16_6 * c; t_19_7 = t_16_7 * c;
        if (is_first_1) {
          t187_convert[t165_convert_at] = t_19_0;
          t187_convert[t165_convert_at + 8] = t_19_1;
          t187_convert[t165_convert_at + 16] = t_19_2;
          t187_convert[t165_convert_at + 24] = t_19_3;
          t187_convert[t165_convert_at + 32] = t_19_4;
          t187_convert[t165_convert_at + 40] = t_19_5;
          t187_convert[t165_convert_at + 48] = t_19_6;
          t187_convert[t165_convert_at + 56] = t_19_7;
        }
        workgroupBarrier();
        var t_20_0: f32; var t_20_1: f32; var t_20_2: f32; var t_20_3: f32;
        t_20_0 = t187_convert[t_GP_1];
        t_20_1 = t187_convert[t_GP_1 + 16];
        t_20_2 = t187_convert[t_GP_1 + 32];
        t_20_3 = t187_convert[t_GP_1 + 48];
        var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32; var p_4: f32; var p_5: f32;
        var p_6: f32; var p_7: f32; var p_8: f32; var p_9: f32; var p_10: f32; var p_11: f32;
        var p_12: f32; var p_13: f32; var p_14: f32; var p_15: f32;
        p_0 = tw_exp2(x_0 * c - t_20_0); p_1 = tw_exp2(x_1 * c - t_20_0);
        p_2 = tw_exp2(x_2 * c - t_20_0); p_3 = tw_exp2(x_3 * c - t_20_0);
        var t226_shared_tile_0: f32; var t226_shared_tile_1: f32; var t226_shared_tile_2: f32;
        var t226_shared_tile_3: f32;
        t226_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_0));
        t226_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_1));
        t226_shared_tile_2 = tw_bf16_to_f32(tw_f32_to_bf16(p_2));
        t226_shared_tile_3 = tw_bf16_to_f32(tw_f32_to_bf16(p_3));
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at] = t226_shared_tile_0;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 1] = t226_shared_tile_1;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 2] = t226_shared_tile_2;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 3] = t226_shared_tile_3;
        p_4 = tw_exp2(x_4 * c - t_20_1); p_5 = tw_exp2(x_5 * c - t_20_1);
        p_6 = tw_exp2(x_6 * c - t_20_1); p_7 = tw_exp2(x_7 * c - t_20_1);
        var t226_shared_tile_1_1_0: f32; var t226_shared_tile_1_1_1: f32;
        var t226_shared_tile_1_1_2: f32; var t226_shared_tile_1_1_3: f32;
        t226_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_4));
        t226_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_5));
        t226_shared_tile_1_1_2 = tw_bf16_to_f32(tw_f32_to_bf16(p_6));
        t226_shared_tile_1_1_3 = tw_bf16_to_f32(tw_f32_to_bf16(p_7));
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 1024] = t226_shared_tile_1_1_0;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 1024 + 1] = t226_shared_tile_1_1_1;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 1024 + 2] = t226_shared_tile_1_1_2;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 1024 + 3] = t226_shared_tile_1_1_3;
        p_8 = tw_exp2(x_8 * c - t_20_2); p_9 = tw_exp2(x_9 * c - t_20_2);
        p_10 = tw_exp2(x_10 * c - t_20_2); p_11 = tw_exp2(x_11 * c - t_20_2);
        var t226_shared_tile_2_1_0: f32; var t226_shared_tile_2_1_1: f32;
        var t226_shared_tile_2_1_2: f32; var t226_shared_tile_2_1_3: f32;
        t226_shared_tile_2_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_8));
        t226_shared_tile_2_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_9));
        t226_shared_tile_2_1_2 = tw_bf16_to_f32(tw_f32_to_bf16(p_10));
        t226_shared_tile_2_1_3 = tw_bf16_to_f32(tw_f32_to_bf16(p_11));
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 2048] = t226_shared_tile_2_1_0;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 2048 + 1] = t226_shared_tile_2_1_1;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 2048 + 2] = t226_shared_tile_2_1_2;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 2048 + 3] = t226_shared_tile_2_1_3;
        p_12 = tw_exp2(x_12 * c - t_20_3); p_13 = tw_exp2(x_13 * c - t_20_3);
        p_14 = tw_exp2(x_14 * c - t_20_3); p_15 = tw_exp2(x_15 * c - t_20_3);
        var t226_shared_tile_3_1_0: f32; var t226_shared_tile_3_1_1: f32;
        var t226_shared_tile_3_1_2: f32; var t226_shared_tile_3_1_3: f32;
        t226_shared_tile_3_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_12));
        t226_shared_tile_3_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_13));
        t226_shared_tile_3_1_2 = tw_bf16_to_f32(tw_f32_to_bf16(p_14));
        t226_shared_tile_3_1_3 = tw_bf16_to_f32(tw_f32_to_bf16(p_15));
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 3072] = t226_shared_tile_3_1_0;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 3072 + 1] = t226_shared_tile_3_1_1;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 3072 + 2] = t226_shared_tile_3_1_2;
        shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_at + 3072 + 3] = t226_shared_tile_3_1_3;
        for (var chunk_1: i32 = 0; chunk_1 < 4; chunk_1++) {
          let base_1: i32 = chunk_1 * 16;
          let kpos_9: i32 = n + t_D + base_1;
          let t_21: i32 = select(-1, kpos_9 >> 4u, (kpos_9 < len_1) & (kpos_9 >= 0));
          let table_at_2: i32 = table_at_1 + t_21;
          let table_in_2: bool = table_in_1 & (u32(t_21) < u32(launch.MAXB));
          var pages_4: i32;
          pages_4 = select(-1, table[select(0, table_at_2, table_in_2)], table_in_2);
          if (is_first_2) {
            pages_convert[t_D] = pages_4;
          }
          workgroupBarrier();
          var pages_5: i32;
          pages_5 = pages_convert[t_GP];
          let slot_1_1: i32 = (n + t_GP + base_1) & 15;
          let vCache_at_1: i32 = vCache_at + pages_5 * stride_1 + slot_1_1 * stride_2;
          let vCache_in: bool = q_in & (u32(pages_5) < u32(launch.NB));
          var vt_0: u32; var vt_1: u32; var vt_2: u32; var vt_3: u32; var vt_4: u32; var vt_5: u32;
          var vt_6: u32; var vt_7: u32;
          let vt_word = select(
              vec4<u32>(0u), vCache[select(0, vCache_at_1 >> 3u, vCache_in)], vCache_in);
          vt_0 = vt_word.x & 0xffffu; vt_1 = vt_word.x >> 16u; vt_2 = vt_word.y & 0xffffu;
          vt_3 = vt_word.y >> 16u; vt_4 = vt_word.z & 0xffffu; vt_5 = vt_word.z >> 16u;
          vt_6 = vt_word.w & 0xffffu; vt_7 = vt_word.w >> 16u;
          var vt_1_1_0: f32; var vt_1_1_1: f32; var vt_1_1_2: f32; var vt_1_1_3: f32;
          vt_1_1_0 = tw_bf16_to_f32(vt_0); vt_1_1_1 = tw_bf16_to_f32(vt_1);
          vt_1_1_2 = tw_bf16_to_f32(vt_2); vt_1_1_3 = tw_bf16_to_f32(vt_3);
          vt_shared[vt_shared_at >> 2u] = vec4<f32>(vt_1_1_0, vt_1_1_1, vt_1_1_2, vt_1_1_3);
          var vt_2_1_0: f32; var vt_2_1_1: f32; var vt_2_1_2: f32; var vt_2_1_3: f32;
          vt_2_1_0 = tw_bf16_to_f32(vt_4); vt_2_1_1 = tw_bf16_to_f32(vt_5);
          vt_2_1_2 = tw_bf16_to_f32(vt_6); vt_2_1_3 = tw_bf16_to_f32(vt_7);
          vt_shared[(vt_shared_at + 4) >> 2u] = vec4<f32>(vt_2_1_0, vt_2_1_1, vt_2_1_2, vt_2_1_3);
          workgroupBarrier();
          let t226_shared_part_at_1: i32 = t226_shared_part_at + base_1;
          for (var r: i32 = 0; r < 4; r++) {
            var t226_shared_part_1_0: f32; var t226_shared_part_1_1: f32;
            var t226_shared_part_1_2: f32; var t226_shared_part_1_3: f32;
            var t226_shared_part_1_4: f32; var t226_shared_part_1_5: f32;
            var t226_shared_part_1_6: f32; var t226_shared_part_1_7: f32;
            var t226_shared_part_1_8: f32; var t226_shared_part_1_9: f32;
            var t226_shared_part_1_10: f32; var t226_shared_part_1_11: f32;
            var t226_shared_part_1_12: f32; var t226_shared_part_1_13: f32;
            var t226_shared_part_1_14: f32; var t226_shared_part_1_15: f32;
            var t226_shared_part_1_16: f32; var t226_shared_part_1_17: f32;
            var t226_shared_part_1_18: f32; var t226_shared_part_1_19: f32;
            var t226_shared_part_1_20: f32; var t226_shared_part_1_21: f32;
            var t226_shared_part_1_22: f32; var t226_shared_part_1_23: f32;
            var t226_shared_part_1_24: f32; var t226_shared_part_1_25: f32;
            var t226_shared_part_1_26: f32; var t226_shared_part_1_27: f32;
            var t226_shared_part_1_28: f32; var t226_shared_part_1_29: f32;
            var t226_shared_part_1_30: f32; var t226_shared_part_1_31: f32;
            var vt_shared_1_0: f32; var vt_shared_1_1: f32; var vt_shared_1_2: f32;
            var vt_shared_1_3: f32; var vt_shared_1_4: f32; var vt_shared_1_5: f32;
            var vt_shared_1_6: f32; var vt_shared_1_7: f32; var vt_shared_1_8: f32;
            var vt_shared_1_9: f32; var vt_shared_1_10: f32; var vt_shared_1_11: f32;
            var vt_shared_1_12: f32; var vt_shared_1_13: f32; var vt_shared_1_14: f32;
            var vt_shared_1_15: f32;
            let t226_shared_part_1_at = t226_shared_part_at_1 + r * 4;
            t226_shared_part_1_0 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at];
            t226_shared_part_1_1 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at + 1];
            t226_shared_part_1_2 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at + 2];
            t226_shared_part_1_3 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at + 3];
            let t226_shared_part_1_at_1 = t226_shared_part_at_1 + 512 + r * 4;
            t226_shared_part_1_4 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_1];
            t226_shared_part_1_5 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_1 + 1];
            t226_shared_part_1_6 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_1 + 2];
            t226_shared_part_1_7 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_1 + 3];
            let t226_shared_part_1_at_2 = t226_shared_part_at_1 + 1024 + r * 4;
            t226_shared_part_1_8 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_2];
            t226_shared_part_1_9 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_2 + 1];
            t226_shared_part_1_10 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_2 + 2];
            t226_shared_part_1_11 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_2 + 3];
            let t226_shared_part_1_at_3 = t226_shared_part_at_1 + 1536 + r * 4;
            t226_shared_part_1_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_3];
            t226_shared_part_1_13 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_3 + 1];
            t226_shared_part_1_14 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_3 + 2];
            t226_shared_part_1_15 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_3 + 3];
            let t226_shared_part_1_at_4 = t226_shared_part_at_1 + 2048 + r * 4;
            t226_shared_part_1_16 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_4];
            t226_shared_part_1_17 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_4 + 1];
            t226_shared_part_1_18 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_4 + 2];
            t226_shared_part_1_19 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_4 + 3];
            let t226_shared_part_1_at_5 = t226_shared_part_at_1 + 2560 + r * 4;
            t226_shared_part_1_20 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_5];
            t226_shared_part_1_21 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_5 + 1];
            t226_shared_part_1_22 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_5 + 2];
            t226_shared_part_1_23 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_5 + 3];
            let t226_shared_part_1_at_6 = t226_shared_part_at_1 + 3072 + r * 4;
            t226_shared_part_1_24 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_6];
            t226_shared_part_1_25 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_6 + 1];
            t226_shared_part_1_26 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_6 + 2];
            t226_shared_part_1_27 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_6 + 3];
            let t226_shared_part_1_at_7 = t226_shared_part_at_1 + 3584 + r * 4;
            t226_shared_part_1_28 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_7];
            t226_shared_part_1_29 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_7 + 1];
            t226_shared_part_1_30 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_7 + 2];
            t226_shared_part_1_31 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t226_shared_part_1_at_7 + 3];
            let vt_shared_1_word = vt_shared[(vt_shared_at_1 + r * 512) >> 2u];
            vt_shared_1_0 = vt_shared_1_word.x; vt_shared_1_1 = vt_shared_1_word.y;
            vt_shared_1_2 = vt_shared_1_word.z; vt_shared_1_3 = vt_shared_1_word.w;
            let vt_shared_1_word_1 = vt_shared[(vt_shared_at_1 + r * 512 + 128) >> 2u];
            vt_shared_1_4 = vt_shared_1_word_1.x; vt_shared_1_5 = vt_shared_1_word_1.y;
            vt_shared_1_6 = vt_shared_1_word_1.z; vt_shared_1_7 = vt_shared_1_word_1.w;
            let vt_shared_1_word_2 = vt_shared[(vt_shared_at_1 + r * 512 + 256) >> 2u];
            vt_shared_1_8 = vt_shared_1_word_2.x; vt_shared_1_9 = vt_shared_1_word_2.y;
            vt_shared_1_10 = vt_shared_1_word_2.z; vt_shared_1_11 = vt_shared_1_word_2.w;
            let vt_shared_1_word_3 = vt_shared[(vt_shared_at_1 + r * 512 + 384) >> 2u];
            vt_shared_1_12 = vt_shared_1_word_3.x; vt_shared_1_13 = vt_shared_1_word_3.y;
            vt_shared_1_14 = vt_shared_1_word_3.z; vt_shared_1_15 = vt_shared_1_word_3.w;
            t_18_0 = fma(t226_shared_part_1_0, vt_shared_1_0, t_18_0);
            t_18_1 = fma(t226_shared_part_1_0, vt_shared_1_1, t_18_1);
            t_18_2 = fma(t226_shared_part_1_0, vt_shared_1_2, t_18_2);
            t_18_3 = fma(t226_shared_part_1_0, vt_shared_1_3, t_18_3);
            t_18_4 = fma(t226_shared_part_1_4, vt_shared_1_0, t_18_4);
            t_18_5 = fma(t226_shared_part_1_4, vt_shared_1_1, t_18_5);
            t_18_6 = fma(t226_shared_part_1_4, vt_shared_1_2, t_18_6);
            t_18_7 = fma(t226_shared_part_1_4, vt_shared_1_3, t_18_7);
            t_18_8 = fma(t226_shared_part_1_8, vt_shared_1_0, t_18_8);
            t_18_9 = fma(t226_shared_part_1_8, vt_shared_1_1, t_18_9);
            t_18_10 = fma(t226_shared_part_1_8, vt_shared_1_2, t_18_10);
            t_18_11 = fma(t226_shared_part_1_8, vt_shared_1_3, t_18_11);
            t_18_12 = fma(t226_shared_part_1_12, vt_shared_1_0, t_18_12);
            t_18_13 = fma(t226_shared_part_1_12, vt_shared_1_1, t_18_13);
            t_18_14 = fma(t226_shared_part_1_12, vt_shared_1_2, t_18_14);
            t_18_15 = fma(t226_shared_part_1_12, vt_shared_1_3, t_18_15);
            t_18_16 = fma(t226_shared_part_1_16, vt_shared_1_0, t_18_16);
            t_18_17 = fma(t226_shared_part_1_16, vt_shared_1_1, t_18_17);
            t_18_18 = fma(t226_shared_part_1_16, vt_shared_1_2, t_18_18);
            t_18_19 = fma(t226_shared_part_1_16, vt_shared_1_3, t_18_19);
            t_18_20 = fma(t226_shared_part_1_20, vt_shared_1_0, t_18_20);
            t_18_21 = fma(t226_shared_part_1_20, vt_shared_1_1, t_18_21);
            t_18_22 = fma(t226_shared_part_1_20, vt_shared_1_2, t_18_22);
            t_18_23 = fma(t226_shared_part_1_20, vt_shared_1_3, t_18_23);
            t_18_24 = fma(t226_shared_part_1_24, vt_shared_1_0, t_18_24);
            t_18_25 = fma(t226_shared_part_1_24, vt_shared_1_1, t_18_25);
            t_18_26 = fma(t226_shared_part_1_24, vt_shared_1_2, t_18_26);
            t_18_27 = fma(t226_shared_part_1_24, vt_shared_1_3, t_18_27);
            t_18_28 = fma(t226_shared_part_1_28, vt_shared_1_0, t_18_28);
            t_18_29 = fma(t226_shared_part_1_28, vt_shared_1_1, t_18_29);
            t_18_30 = fma(t226_shared_part_1_28, vt_shared_1_2, t_18_30);
            t_18_31 = fma(t226_shared_part_1_28, vt_shared_1_3, t_18_31);
            t_18_0 = fma(t226_shared_part_1_1, vt_shared_1_4, t_18_0);
            t_18_1 = fma(t226_shared_part_1_1, vt_shared_1_5, t_18_1);
            t_18_2 = fma(t226_shared_part_1_1, vt_shared_1_6, t_18_2);
            t_18_3 = fma(t226_shared_part_1_1, vt_shared_1_7, t_18_3);
            t_18_4 = fma(t226_shared_part_1_5, vt_shared_1_4, t_18_4);
            t_18_5 = fma(t226_shared_part_1_5, vt_shared_1_5, t_18_5);
            t_18_6 = fma(t226_shared_part_1_5, vt_shared_1_6, t_18_6);
            t_18_7 = fma(t226_shared_part_1_5, vt_shared_1_7, t_18_7);
            t_18_8 = fma(t226_shared_part_1_9, vt_shared_1_4, t_18_8);
            t_18_9 = fma(t226_shared_part_1_9, vt_shared_1_5, t_18_9);
            t_18_10 = fma(t226_shared_part_1_9, vt_shared_1_6, t_18_10);
            t_18_11 = fma(t226_shared_part_1_9, vt_shared_1_7, t_18_11);
            t_18_12 = fma(t226_shared_part_1_13, vt_shared_1_4, t_18_12);
            t_18_13 = fma(t226_shared_part_1_13, vt_shared_1_5, t_18_13);
            t_18_14 = fma(t226_shared_part_1_13, vt_shared_1_6, t_18_14);
            t_18_15 = fma(t226_shared_part_1_13, vt_shared_1_7, t_18_15);
            t_18_16 = fma(t226_shared_part_1_17, vt_shared_1_4, t_18_16);
            t_18_17 = fma(t226_shared_part_1_17, vt_shared_1_5, t_18_17);
            t_18_18 = fma(t226_shared_part_1_17, vt_shared_1_6, t_18_18);
            t_18_19 = fma(t226_shared_part_1_17, vt_shared_1_7, t_18_19);
            t_18_20 = fma(t226_shared_part_1_21, vt_shared_1_4, t_18_20);
            t_18_21 = fma(t226_shared_part_1_21, vt_shared_1_5, t_18_21);
            t_18_22 = fma(t226_shared_part_1_21, vt_shared_1_6, t_18_22);
            t_18_23 = fma(t226_shared_part_1_21, vt_shared_1_7, t_18_23);
            t_18_24 = fma(t226_shared_part_1_25, vt_shared_1_4, t_18_24);
            t_18_25 = fma(t226_shared_part_1_25, vt_shared_1_5, t_18_25);
            t_18_26 = fma(t226_shared_part_1_25, vt_shared_1_6, t_18_26);
            t_18_27 = fma(t226_shared_part_1_25, vt_shared_1_7, t_18_27);
            t_18_28 = fma(t226_shared_part_1_29, vt_shared_1_4, t_18_28);
            t_18_29 = fma(t226_shared_part_1_29, vt_shared_1_5, t_18_29);
            t_18_30 = fma(t226_shared_part_1_29, vt_shared_1_6, t_18_30);
            t_18_31 = fma(t226_shared_part_1_29, vt_shared_1_7, t_18_31);
            t_18_0 = fma(t226_shared_part_1_2, vt_shared_1_8, t_18_0);
            t_18_1 = fma(t226_shared_part_1_2, vt_shared_1_9, t_18_1);
            t_18_2 = fma(t226_shared_part_1_2, vt_shared_1_10, t_18_2);
            t_18_3 = fma(t226_shared_part_1_2, vt_shared_1_11, t_18_3);
            t_18_4 = fma(t226_shared_part_1_6, vt_shared_1_8, t_18_4);
            t_18_5 = fma(t226_shared_part_1_6, vt_shared_1_9, t_18_5);
            t_18_6 = fma(t226_shared_part_1_6, vt_shared_1_10, t_18_6);
            t_18_7 = fma(t226_shared_part_1_6, vt_shared_1_11, t_18_7);
            t_18_8 = fma(t226_shared_part_1_10, vt_shared_1_8, t_18_8);
            t_18_9 = fma(t226_shared_part_1_10, vt_shared_1_9, t_18_9);
            t_18_10 = fma(t226_shared_part_1_10, vt_shared_1_10, t_18_10);
            t_18_11 = fma(t226_shared_part_1_10, vt_shared_1_11, t_18_11);
            t_18_12 = fma(t226_shared_part_1_14, vt_shared_1_8, t_18_12);
            t_18_13 = fma(t226_shared_part_1_14, vt_shared_1_9, t_18_13);
            t_18_14 = fma(t226_shared_part_1_14, vt_shared_1_10, t_18_14);
            t_18_15 = fma(t226_shared_part_1_14, vt_shared_1_11, t_18_15);
            t_18_16 = fma(t226_shared_part_1_18, vt_shared_1_8, t_18_16);
            t_18_17 = fma(t226_shared_part_1_18, vt_shared_1_9, t_18_17);
            t_18_18 = fma(t226_shared_part_1_18, vt_shared_1_10, t_18_18);
            t_18_19 = fma(t226_shared_part_1_18, vt_shared_1_11, t_18_19);
            t_18_20 = fma(t226_shared_part_1_22, vt_shared_1_8, t_18_20);
            t_18_21 = fma(t226_shared_part_1_22, vt_shared_1_9, t_18_21);
            t_18_22 = fma(t226_shared_part_1_22, vt_shared_1_10, t_18_22);
            t_18_23 = fma(t226_shared_part_1_22, vt_shared_1_11, t_18_23);
            t_18_24 = fma(t226_shared_part_1_26, vt_shared_1_8, t_18_24);
            t_18_25 = fma(t226_shared_part_1_26, vt_shared_1_9, t_18_25);
            t_18_26 = fma(t226_shared_part_1_26, vt_shared_1_10, t_18_26);
            t_18_27 = fma(t226_shared_part_1_26, vt_shared_1_11, t_18_27);
            t_18_28 = fma(t226_shared_part_1_30, vt_shared_1_8, t_18_28);
            t_18_29 = fma(t226_shared_part_1_30, vt_shared_1_9, t_18_29);
            t_18_30 = fma(t226_shared_part_1_30, vt_shared_1_10, t_18_30);
            t_18_31 = fma(t226_shared_part_1_30, vt_shared_1_11, t_18_31);
            t_18_0 = fma(t226_shared_part_1_3, vt_shared_1_12, t_18_0);
            t_18_1 = fma(t226_shared_part_1_3, vt_shared_1_13, t_18_1);
            t_18_2 = fma(t226_shared_part_1_3, vt_shared_1_14, t_18_2);
            t_18_3 = fma(t226_shared_part_1_3, vt_shared_1_15, t_18_3);
            t_18_4 = fma(t226_shared_part_1_7, vt_shared_1_12, t_18_4);
            t_18_5 = fma(t226_shared_part_1_7, vt_shared_1_13, t_18_5);
            t_18_6 = fma(t226_shared_part_1_7, vt_shared_1_14, t_18_6);
            t_18_7 = fma(t226_shared_part_1_7, vt_shared_1_15, t_18_7);
            t_18_8 = fma(t226_shared_part_1_11, vt_shared_1_12, t_18_8);
            t_18_9 = fma(t226_shared_part_1_11, vt_shared_1_13, t_18_9);
            t_18_10 = fma(t226_shared_part_1_11, vt_shared_1_14, t_18_10);
            t_18_11 = fma(t226_shared_part_1_11, vt_shared_1_15, t_18_11);
            t_18_12 = fma(t226_shared_part_1_15, vt_shared_1_12, t_18_12);
            t_18_13 = fma(t226_shared_part_1_15, vt_shared_1_13, t_18_13);
            t_18_14 = fma(t226_shared_part_1_15, vt_shared_1_14, t_18_14);
            t_18_15 = fma(t226_shared_part_1_15, vt_shared_1_15, t_18_15);
            t_18_16 = fma(t226_shared_part_1_19, vt_shared_1_12, t_18_16);
            t_18_17 = fma(t226_shared_part_1_19, vt_shared_1_13, t_18_17);
            t_18_18 = fma(t226_shared_part_1_19, vt_shared_1_14, t_18_18);
            t_18_19 = fma(t226_shared_part_1_19, vt_shared_1_15, t_18_19);
            t_18_20 = fma(t226_shared_part_1_23, vt_shared_1_12, t_18_20);
            t_18_21 = fma(t226_shared_part_1_23, vt_shared_1_13, t_18_21);
            t_18_22 = fma(t226_shared_part_1_23, vt_shared_1_14, t_18_22);
            t_18_23 = fma(t226_shared_part_1_23, vt_shared_1_15, t_18_23);
            t_18_24 = fma(t226_shared_part_1_27, vt_shared_1_12, t_18_24);
            t_18_25 = fma(t226_shared_part_1_27, vt_shared_1_13, t_18_25);
            t_18_26 = fma(t226_shared_part_1_27, vt_shared_1_14, t_18_26);
            t_18_27 = fma(t226_shared_part_1_27, vt_shared_1_15, t_18_27);
            t_18_28 = fma(t226_shared_part_1_31, vt_shared_1_12, t_18_28);
            t_18_29 = fma(t226_shared_part_1_31, vt_shared_1_13, t_18_29);
            t_18_30 = fma(t226_shared_part_1_31, vt_shared_1_14, t_18_30);
            t_18_31 = fma(t226_shared_part_1_31, vt_shared_1_15, t_18_31);
          }
        }
        m_0 = t_16_0; m_1 = t_16_1; m_2 = t_16_2; m_3 = t_16_3; m_4 = t_16_4; m_5 = t_16_5;
        m_6 = t_16_6; m_7 = t_16_7; l_0 = t_17_0 + p_0; l_1 = t_17_1 + p_1; l_2 = t_17_2 + p_2;
        l_3 = t_17_3 + p_3; l_4 = t_17_4 + p_4; l_5 = t_17_5 + p_5; l_6 = t_17_6 + p_6;
        l_7 = t_17_7 + p_7; l_8 = t_17_8 + p_8; l_9 = t_17_9 + p_9; l_10 = t_17_10 + p_10;
        l_11 = t_17_11 + p_11; l_12 = t_17_12 + p_12; l_13 = t_17_13 + p_13; l_14 = t_17_14 + p_14;
        l_15 = t_17_15 + p_15; acc_0 = t_18_0; acc_1 = t_18_1; acc_2 = t_18_2; acc_3 = t_18_3;
        acc_4 = t_18_4; acc_5 = t_18_5; acc_6 = t_18_6; acc_7 = t_18_7; acc_8 = t_18_8;
        acc_9 = t_18_9; acc_10 = t_18_10; acc_11 = t_18_11; acc_12 = t_18_12; acc_13 = t_18_13;
        acc_14 = t_18_14; acc_15 = t_18_15; acc_16 = t_18_16; acc_17 = t_18_17; acc_18 = t_18_18;
        acc_19 = t_18_19; acc_20 = t_18_20; acc_21 = t_18_21; acc_22 = t_18_22; acc_23 = t_18_23;
        acc_24 = t_18_24; acc_25 = t_18_25; acc_26 = t_18_26; acc_27 = t_18_27; acc_28 = t_18_28;
        acc_29 = t_18_29; acc_30 = t_18_30; acc_31 = t_18_31; pages_0 = pages_2_1_0;
        pages_1 = pages_2_1_1; pages_2 = pages_2_1_2; pages_3 = pages_2_1_3;
      }
      workgroupBarrier();
      var sum_3_0: f32; var sum_3_1: f32; var sum_3_2: f32; var sum_3_3: f32;
      sum_3_0 = 0.0f; sum_3_0 = sum_3_0 + l_0; sum_3_0 = sum_3_0 + l_1; sum_3_0 = sum_3_0 + l_2;
      sum_3_0 = sum_3_0 + l_3;
      shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at] = sum_3_0;
      sum_3_1 = 0.0f; sum_3_1 = sum_3_1 + l_4; sum_3_1 = sum_3_1 + l_5; sum_3_1 = sum_3_1 + l_6;
      sum_3_1 = sum_3_1 + l_7;
      shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at + 16] = sum_3_1;
      sum_3_2 = 0.0f; sum_3_2 = sum_3_2 + l_8; sum_3_2 = sum_3_2 + l_9; sum_3_2 = sum_3_2 + l_10;
      sum_3_2 = sum_3_2 + l_11;
      shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at + 32] = sum_3_2;
      sum_3_3 = 0.0f; sum_3_3 = sum_3_3 + l_12; sum_3_3 = sum_3_3 + l_13; sum_3_3 = sum_3_3 + l_14;
      sum_3_3 = sum_3_3 + l_15;
      shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[part_at + 48] = sum_3_3;
      workgroupBarrier();
      sum_3_0 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1];
      for (var j: i32 = 1; j < 16; j++) {
        var other_12: f32;
        other_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + j * 64];
        sum_3_0 = sum_3_0 + other_12;
      }
      sum_3_1 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 16];
      for (var j: i32 = 1; j < 16; j++) {
        var other_12: f32;
        other_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 16 + j * 64];
        sum_3_1 = sum_3_1 + other_12;
      }
      sum_3_2 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 32];
      for (var j: i32 = 1; j < 16; j++) {
        var other_12: f32;
        other_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 32 + j * 64];
        sum_3_2 = sum_3_2 + other_12;
      }
      sum_3_3 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 48];
      for (var j: i32 = 1; j < 16; j++) {
        var other_12: f32;
        other_12 = shared_kt_shared_t165_parts_t200_parts_t226_shared_t226_shared_part_qt_shared[t_GP_1 + 48 + j * 64];
        sum_3_3 = sum_3_3 + other_12;
      }
      if (is_first) {
        t200_convert[t_GP_1] = sum_3_0;
        t200_convert[t_GP_1 + 16] = sum_3_1;
        t200_convert[t_GP_1 + 32] = sum_3_2;
        t200_convert[t_GP_1 + 48] = sum_3_3;
      }
      workgroupBarrier();
      var t_22_0: f32; var t_22_1: f32; var t_22_2: f32; var t_22_3: f32; var t_22_4: f32;
      var t_22_5: f32; var t_22_6: f32; var t_22_7: f32;
      t_22_0 = t200_convert[t165_convert_at];
      t_22_1 = t200_convert[t165_convert_at + 8];
      t_22_2 = t200_convert[t165_convert_at + 16];
      t_22_3 = t200_convert[t165_convert_at + 24];
      t_22_4 = t200_convert[t165_convert_at + 32];
      t_22_5 = t200_convert[t165_convert_at + 40];
      t_22_6 = t200_convert[t165_convert_at + 48];
      t_22_7 = t200_convert[t165_convert_at + 56];
      var total_0: f32; var total_1: f32; var total_2: f32; var total_3: f32; var total_4: f32;
      var total_5: f32; var total_6: f32; var total_7: f32;
      var t_23_0: f32; var t_23_1: f32; var t_23_2: f32; var t_23_3: f32; var t_23_4: f32;
      var t_23_5: f32; var t_23_6: f32; var t_23_7: f32;
      total_0 = tw_max(t_22_0, 1e-30f);
      t_23_0 = 1.0f / total_0;
      total_1 = tw_max(t_22_1, 1e-30f);
      t_23_1 = 1.0f / total_1;
      total_2 = tw_max(t_22_2, 1e-30f);
      t_23_2 = 1.0f / total_2;
      total_3 = tw_max(t_22_3, 1e-30f);
      t_23_3 = 1.0f / total_3;
      total_4 = tw_max(t_22_4, 1e-30f);
      t_23_4 = 1.0f / total_4;
      total_5 = tw_max(t_22_5, 1e-30f);
      t_23_5 = 1.0f / total_5;
      total_6 = tw_max(t_22_6, 1e-30f);
      t_23_6 = 1.0f / total_6;
      total_7 = tw_max(t_22_7, 1e-30f);
      t_23_7 = 1.0f / total_7;
      let t_24: i32 = s + pid1;
      let stride_3: i32 = launch.R * 128 * launch.HKV;
      let stride_4: i32 = launch.R * 128;
      let t_D_2: i32 = (thread >> 6u) * 32 + (thread & 7) * 4;
      let partial_at: i32 = t165_convert_at * 128 + t_D_2;
      let partial_at_1: i32 = g * 128 + t_24 * stride_3 + h * stride_4 + partial_at;
      let partial_in: bool = (u32(t_24) < u32(launch.P)) & (h < launch.HKV);
      let left_2: i32 = launch.R - g;
      var value_0: f32; var value_1: f32; var value_2: f32; var value_3: f32;
      value_0 = acc_0 * t_23_0; value_1 = acc_1 * t_23_0; value_2 = acc_2 * t_23_0;
      value_3 = acc_3 * t_23_0;
      if (partial_in & (t165_convert_at < left_2)) {
        partial[partial_at_1 >> 2u] = vec4<f32>(value_0, value_1, value_2, value_3);
      }
      var value_1_1_0: f32; var value_1_1_1: f32; var value_1_1_2: f32; var value_1_1_3: f32;
      value_1_1_0 = acc_4 * t_23_1; value_1_1_1 = acc_5 * t_23_1; value_1_1_2 = acc_6 * t_23_1;
      value_1_1_3 = acc_7 * t_23_1;
      if (partial_in & (t165_convert_at + 8 < left_2)) {
        partial[(partial_at_1 + 1024) >> 2u] = vec4<f32>(
            value_1_1_0, value_1_1_1, value_1_1_2, value_1_1_3);
      }
      var value_2_1_0: f32; var value_2_1_1: f32; var value_2_1_2: f32; var value_2_1_3: f32;
      value_2_1_0 = acc_8 * t_23_2; value_2_1_1 = acc_9 * t_23_2; value_2_1_2 = acc_10 * t_23_2;
      value_2_1_3 = acc_11 * t_23_2;
      if (partial_in & (t165_convert_at + 16 < left_2)) {
        partial[(partial_at_1 + 2048) >> 2u] = vec4<f32>(
            value_2_1_0, value_2_1_1, value_2_1_2, value_2_1_3);
      }
      var value_3_1_0: f32; var value_3_1_1: f32; var value_3_1_2: f32; var value_3_1_3: f32;
      value_3_1_0 = acc_12 * t_23_3; value_3_1_1 = acc_13 * t_23_3; value_3_1_2 = acc_14 * t_23_3;
      value_3_1_3 = acc_15 * t_23_3;
      if (partial_in & (t165_convert_at + 24 < left_2)) {
        partial[(partial_at_1 + 3072) >> 2u] = vec4<f32>(
            value_3_1_0, value_3_1_1, value_3_1_2, value_3_1_3);
      }
      var value_4_0: f32; var value_4_1: f32; var value_4_2: f32; var value_4_3: f32;
      value_4_0 = acc_16 * t_23_4; value_4_1 = acc_17 * t_23_4; value_4_2 = acc_18 * t_23_4;
      value_4_3 = acc_19 * t_23_4;
      if (partial_in & (t165_convert_at + 32 < left_2)) {
        partial[(partial_at_1 + 4096) >> 2u] = vec4<f32>(value_4_0, value_4_1, value_4_2, value_4_3);
      }
      var value_5_0: f32; var value_5_1: f32; var value_5_2: f32; var value_5_3: f32;
      value_5_0 = acc_20 * t_23_5; value_5_1 = acc_21 * t_23_5; value_5_2 = acc_22 * t_23_5;
      value_5_3 = acc_23 * t_23_5;
      if (partial_in & (t165_convert_at + 40 < left_2)) {
        partial[(partial_at_1 + 5120) >> 2u] = vec4<f32>(value_5_0, value_5_1, value_5_2, value_5_3);
      }
      var value_6_0: f32; var value_6_1: f32; var value_6_2: f32; var value_6_3: f32;
      value_6_0 = acc_24 * t_23_6; value_6_1 = acc_25 * t_23_6; value_6_2 = acc_26 * t_23_6;
      value_6_3 = acc_27 * t_23_6;
      if (partial_in & (t165_convert_at + 48 < left_2)) {
        partial[(partial_at_1 + 6144) >> 2u] = vec4<f32>(value_6_0, value_6_1, value_6_2, value_6_3);
      }
      var value_7_0: f32; var value_7_1: f32; var value_7_2: f32; var value_7_3: f32;
      value_7_0 = acc_28 * t_23_7; value_7_1 = acc_29 * t_23_7; value_7_2 = acc_30 * t_23_7;
      value_7_3 = acc_31 * t_23_7;
      if (partial_in & (t165_convert_at + 56 < left_2)) {
        partial[(partial_at_1 + 7168) >> 2u] = vec4<f32>(value_7_0, value_7_1, value_7_2, value_7_3);
      }
      let stride_5: i32 = launch.R * launch.HKV;
      let lse_at: i32 = h * launch.R + g + t_24 * stride_5 + t165_convert_at;
      if (is_first_1) {
        let logSum: f32 = m_0 * c + tw_log2(total_0);
        if (partial_in & (t165_convert_at < left_2)) {
          lse[lse_at] = logSum;
        }
        let logSum_1: f32 = m_1 * c + tw_log2(total_1);
        if (partial_in & (t165_convert_at + 8 < left_2)) {
          lse[lse_at + 8] = logSum_1;
        }
        let logSum_2: f32 = m_2 * c + tw_log2(total_2);
        if (partial_in & (t165_convert_at + 16 < left_2)) {
          lse[lse_at + 16] = logSum_2;
        }
        let logSum_3: f32 = m_3 * c + tw_log2(total_3);
        if (partial_in & (t165_convert_at + 24 < left_2)) {
          lse[lse_at + 24] = logSum_3;
        }
        let logSum_4: f32 = m_4 * c + tw_log2(total_4);
        if (partial_in & (t165_convert_at + 32 < left_2)) {
          lse[lse_at + 32] = logSum_4;
        }
        let logSum_5: f32 = m_5 * c + tw_log2(total_5);
        if (partial_in & (t165_convert_at + 40 < left_2)) {
          lse[lse_at + 40] = logSum_5;
        }
        let logSum_6: f32 = m_6 * c + tw_log2(total_6);
        if (partial_in & (t165_convert_at + 48 < left_2)) {
          lse[lse_at + 48] = logSum_6;
        }
        let logSum_7: f32 = m_7 * c + tw_log2(total_7);
        if (partial_in & (t165_convert_at + 56 < left_2)) {
          lse[lse_at + 56] = logSum_7;
        }
      }
    }
    begin_1 = begin_1 + t_7;
    s = s + 1;
  }
}
