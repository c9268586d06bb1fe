// mla_decode for wgsl, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 BS=32 LEAST=1 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: S%2 H%16 MAXB%4 P%4
// 64 threads, 12688 bytes of shared memory
//       0 … 4336: lt_shared f32[1084]
//    4352 … 8448: qt_shared f32[1024]
//    4352 … 5616: rt_shared f32[316]
//    8448 … 9472: qr_shared f32[256]
//    9472 … 10496: t238_shared f32[256]
//   10496 … 11008: t160_parts f32[128]
//   11008 … 11520: t194_parts f32[128]
//   11520 … 11648: t17_parts i32[32]
//   11648 … 11776: t68_parts i32[32]
//   11776 … 11904: t82_parts i32[32]
//   11904 … 12032: t86_parts i32[32]
//   12032 … 12160: t88_parts i32[32]
//   12160 … 12224: t160_convert f32[16]
//   12288 … 12352: alpha_convert f32[16]
//   12416 … 12480: t182_convert f32[16]
//   12544 … 12608: t194_convert f32[16]
//   12672 … 12688: grew_parts i32[4]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  H: i32,
  NB: i32,
  MAXB: i32,
  P: i32,
  scale: f32,
}
@group(0) @binding(0) var<storage, read> q: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> qRope: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> latents: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> ropes: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> table: array<i32>;
@group(0) @binding(5) var<storage, read> lens: array<i32>;
@group(0) @binding(6) var<storage, read_write> partial: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> lse: array<f32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> lt_shared: array<vec4<f32>, 271>;
var<workgroup> shared_qt_shared_rt_shared: array<vec4<f32>, 256>;
var<workgroup> qr_shared: array<vec4<f32>, 64>;
var<workgroup> t238_shared: array<vec2<f32>, 128>;
var<workgroup> t160_parts: array<f32, 128>;
var<workgroup> t194_parts: array<f32, 128>;
var<workgroup> t17_parts: array<i32, 32>;
var<workgroup> t68_parts: array<i32, 32>;
var<workgroup> t82_parts: array<i32, 32>;
var<workgroup> t86_parts: array<i32, 32>;
var<workgroup> t88_parts: array<i32, 32>;
var<workgroup> t160_convert: array<f32, 16>;
var<workgroup> alpha_convert: array<f32, 16>;
var<workgroup> t182_convert: array<f32, 16>;
var<workgroup> t194_convert: array<f32, 16>;
var<workgroup> grew_parts: array<i32, 4>;
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
fn mla_decode(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 16;
  var length: i32 = 0;
  let t_BS: i32 = thread & 31;
  let is_first: bool = thread < 32;
  for (var i: i32 = 0; i < launch.S; i += 32) {
    let left: i32 = launch.S - i;
    let lens_at: i32 = t_BS + i;
    let lens_in: bool = t_BS < left;
    var lens_tile: i32;
    lens_tile = select(0, lens[select(0, lens_at, lens_in)], lens_in);
    workgroupBarrier();
    var sum: i32 = (lens_tile + 15) >> 4u;
    if (is_first) {
      t17_parts[t_BS] = sum;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum = t17_parts[t_BS];
      var other: i32;
      other = t17_parts[t_BS + 4];
      sum = sum + other;
      var other_1: i32;
      other_1 = t17_parts[t_BS + 8];
      sum = sum + other_1;
      var other_2: i32;
      other_2 = t17_parts[t_BS + 12];
      sum = sum + other_2;
      var other_3: i32;
      other_3 = t17_parts[t_BS + 16];
      sum = sum + other_3;
      var other_4: i32;
      other_4 = t17_parts[t_BS + 20];
      sum = sum + other_4;
      var other_5: i32;
      other_5 = t17_parts[t_BS + 24];
      sum = sum + other_5;
      var other_6: i32;
      other_6 = t17_parts[t_BS + 28];
      sum = sum + other_6;
      t17_parts[t_BS] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32;
    parts_0 = t17_parts[0];
    parts_1 = t17_parts[1];
    parts_2 = t17_parts[2];
    parts_3 = t17_parts[3];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    length = length + sum;
  }
  let t_1: i32 = launch.P - launch.S;
  let t_2: bool = select(1, tw_floormod_i32(t_1, max(launch.S, 1)), launch.S > 1) == 0;
  let isSpread: bool = (t_2 & (t_1 <= 2047)) & (length <= 1048576);
  let shares: i32 = max(min(t_1, length), 1);
  let each: i32 = tw_floordiv_i32(length, shares);
  let t_3: i32 = length - each * shares;
  let lo: i32 = select(
      pid1 * each + min(pid1, t_3), tw_floordiv_i32(pid1 * length, shares), isSpread);
  let t_4: bool = pid1 < shares;
  var hi: i32;
  if (t_4) {
    let t_5: i32 = pid1 + 1;
    let t_6: i32 = select(
        t_5 * each + min(t_5, t_3), tw_floordiv_i32(t_5 * length, shares), isSpread);
    hi = t_6;
  } else {
    hi = lo;
  }
  var sequence: i32 = 0;
  var begin: i32 = 0;
  var passed: i32 = 0;
  for (var i_1: i32 = 0; i_1 < launch.S; i_1 += 32) {
    let left_1: i32 = launch.S - i_1;
    let lens_at_1: i32 = t_BS + i_1;
    let lens_in_1: bool = t_BS < left_1;
    var lens_tile_1: i32;
    lens_tile_1 = select(0, lens[select(0, lens_at_1, lens_in_1)], lens_in_1);
    let t_7: i32 = (lens_tile_1 + 15) >> 4u;
    var scan_sum: i32 = t_7;
    if (is_first) {
      t68_parts[t_BS] = scan_sum;
    }
    workgroupBarrier();
    var before: i32 = 0;
    for (var r: i32 = 0; r < 32; r++) {
      var other_7: i32;
      other_7 = t68_parts[r];
      before = select(before, before + other_7, r < t_BS);
    }
    scan_sum = before + scan_sum;
    let ends: i32 = passed + scan_sum;
    let isBefore: bool = (i_1 + t_BS < launch.S) & (ends <= lo);
    var sum_1: i32 = select(0, 1, isBefore);
    if (is_first) {
      t82_parts[t_BS] = sum_1;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum_1 = t82_parts[t_BS];
      var other_8: i32;
      other_8 = t82_parts[t_BS + 4];
      sum_1 = sum_1 + other_8;
      var other_9: i32;
      other_9 = t82_parts[t_BS + 8];
      sum_1 = sum_1 + other_9;
      var other_10: i32;
      other_10 = t82_parts[t_BS + 12];
      sum_1 = sum_1 + other_10;
      var other_11: i32;
      other_11 = t82_parts[t_BS + 16];
      sum_1 = sum_1 + other_11;
      var other_12: i32;
      other_12 = t82_parts[t_BS + 20];
      sum_1 = sum_1 + other_12;
      var other_13: i32;
      other_13 = t82_parts[t_BS + 24];
      sum_1 = sum_1 + other_13;
      var other_14: i32;
      other_14 = t82_parts[t_BS + 28];
      sum_1 = sum_1 + other_14;
      t82_parts[t_BS] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    parts_1_0 = t82_parts[0];
    parts_1_1 = t82_parts[1];
    parts_1_2 = t82_parts[2];
    parts_1_3 = t82_parts[3];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    var most: i32 = select(0, ends, isBefore);
    if (is_first) {
      t86_parts[t_BS] = most;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      most = t86_parts[t_BS];
      var other_15: i32;
      other_15 = t86_parts[t_BS + 4];
      most = max(most, other_15);
      var other_16: i32;
      other_16 = t86_parts[t_BS + 8];
      most = max(most, other_16);
      var other_17: i32;
      other_17 = t86_parts[t_BS + 12];
      most = max(most, other_17);
      var other_18: i32;
      other_18 = t86_parts[t_BS + 16];
      most = max(most, other_18);
      var other_19: i32;
      other_19 = t86_parts[t_BS + 20];
      most = max(most, other_19);
      var other_20: i32;
      other_20 = t86_parts[t_BS + 24];
      most = max(most, other_20);
      var other_21: i32;
      other_21 = t86_parts[t_BS + 28];
      most = max(most, other_21);
      t86_parts[t_BS] = most;
    }
    workgroupBarrier();
    var parts_2_0: i32; var parts_2_1: i32; var parts_2_2: i32; var parts_2_3: i32;
    parts_2_0 = t86_parts[0];
    parts_2_1 = t86_parts[1];
    parts_2_2 = t86_parts[2];
    parts_2_3 = t86_parts[3];
    most = parts_2_0;
    most = max(most, parts_2_1);
    most = max(most, parts_2_2);
    most = max(most, parts_2_3);
    var sum_2: i32 = t_7;
    if (is_first) {
      t88_parts[t_BS] = sum_2;
    }
    workgroupBarrier();
    if (is_first & (t_BS < 4)) {
      sum_2 = t88_parts[t_BS];
      var other_22: i32;
      other_22 = t88_parts[t_BS + 4];
      sum_2 = sum_2 + other_22;
      var other_23: i32;
      other_23 = t88_parts[t_BS + 8];
      sum_2 = sum_2 + other_23;
      var other_24: i32;
      other_24 = t88_parts[t_BS + 12];
      sum_2 = sum_2 + other_24;
      var other_25: i32;
      other_25 = t88_parts[t_BS + 16];
      sum_2 = sum_2 + other_25;
      var other_26: i32;
      other_26 = t88_parts[t_BS + 20];
      sum_2 = sum_2 + other_26;
      var other_27: i32;
      other_27 = t88_parts[t_BS + 24];
      sum_2 = sum_2 + other_27;
      var other_28: i32;
      other_28 = t88_parts[t_BS + 28];
      sum_2 = sum_2 + other_28;
      t88_parts[t_BS] = sum_2;
    }
    workgroupBarrier();
    var parts_3_0: i32; var parts_3_1: i32; var parts_3_2: i32; var parts_3_3: i32;
    parts_3_0 = t88_parts[0];
    parts_3_1 = t88_parts[1];
    parts_3_2 = t88_parts[2];
    parts_3_3 = t88_parts[3];
    sum_2 = parts_3_0;
    sum_2 = sum_2 + parts_3_1;
    sum_2 = sum_2 + parts_3_2;
    sum_2 = sum_2 + parts_3_3;
    sequence = sequence + sum_1;
    begin = max(begin, most);
    passed = passed + sum_2;
  }
  let t_8: bool = lo == hi;
  if (thread == 0) { uniform_word = u32(t_8); }
  let agreed = workgroupUniformLoad(&uniform_word) != 0u;
  if (!agreed) {
    let c: f32 = launch.scale * 1.442695f;
    var begin_1: i32 = begin;
    var s: i32 = sequence;
    loop {
      let t_9: bool = begin_1 < hi;
      if (thread == 0) { uniform_word = u32(t_9); }
      let go_on = workgroupUniformLoad(&uniform_word) != 0u;
      if (!go_on) { break; }
      var len: i32;
      len = lens[s];
      let blocks: i32 = (len + 15) >> 4u;
      let from_1: i32 = max(lo - begin_1, 0) * 16;
      let to: i32 = min(blocks, hi - begin_1) * 16;
      let t_10: bool = from_1 < to;
      if (thread == 0) { uniform_word = u32(t_10); }
      let agreed_1 = workgroupUniformLoad(&uniform_word) != 0u;
      if (agreed_1) {
        let stride: i32 = launch.H * 64;
        let t_GP: i32 = thread >> 3u;
        let t_R: i32 = (thread & 7) * 8;
        let q_at: i32 = t_GP * 64 + t_R;
        let q_at_1: i32 = t * 64 + s * stride + q_at;
        let q_in: bool = u32(s) < u32(launch.S);
        var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32; var qt_4: u32; var qt_5: u32;
        var qt_6: u32; var qt_7: u32; var qt_8: u32; var qt_9: u32; var qt_10: u32; var qt_11: u32;
        var qt_12: u32; var qt_13: u32; var qt_14: u32; var qt_15: u32;
        let left_2: i32 = launch.H - t;
        let qt_in = q_in & (t_GP < left_2);
        let qt_word = select(vec4<u32>(0u), q[select(0, q_at_1 >> 3u, qt_in)], qt_in);
        qt_0 = qt_word.x & 0xffffu; qt_1 = qt_word.x >> 16u; qt_2 = qt_word.y & 0xffffu;
        qt_3 = qt_word.y >> 16u; qt_4 = qt_word.z & 0xffffu; qt_5 = qt_word.z >> 16u;
        qt_6 = qt_word.w & 0xffffu; qt_7 = qt_word.w >> 16u;
        let qt_in_1 = q_in & (t_GP + 8 < left_2);
        let qt_word_1 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 512) >> 3u, qt_in_1)], qt_in_1);
        qt_8 = qt_word_1.x & 0xffffu; qt_9 = qt_word_1.x >> 16u; qt_10 = qt_word_1.y & 0xffffu;
        qt_11 = qt_word_1.y >> 16u; qt_12 = qt_word_1.z & 0xffffu; qt_13 = qt_word_1.z >> 16u;
        qt_14 = qt_word_1.w & 0xffffu; qt_15 = qt_word_1.w >> 16u;
        let stride_1: i32 = launch.H * 16;
        let t_GP_1: i32 = thread >> 2u;
        let t_DR: i32 = (thread & 3) * 4;
        let qRope_at: i32 = t_GP_1 * 16 + t_DR;
        let qRope_at_1: i32 = t * 16 + s * stride_1 + qRope_at;
        let qRope_in: bool = (u32(s) < u32(launch.S)) & (t_GP_1 < left_2);
        var qr_0: u32; var qr_1: u32; var qr_2: u32; var qr_3: u32;
        let qr_word = select(vec2<u32>(0u), qRope[select(0, qRope_at_1 >> 2u, qRope_in)], qRope_in);
        qr_0 = qr_word.x & 0xffffu; qr_1 = qr_word.x >> 16u; qr_2 = qr_word.y & 0xffffu;
        qr_3 = qr_word.y >> 16u;
        let t_BN: i32 = (thread & 7) * 2;
        var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32;
        var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32;
        m_0 = -1e+30f; l_0 = 0.0f; m_1 = -1e+30f; l_1 = 0.0f; m_2 = -1e+30f; l_2 = 0.0f;
        m_3 = -1e+30f; l_3 = 0.0f;
        var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32;
        var acc_5: f32; var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32;
        var acc_10: f32; var acc_11: f32; var acc_12: f32; var acc_13: f32; var acc_14: f32;
        var acc_15: f32;
        acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f;
        acc_6 = 0.0f; acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f;
        acc_12 = 0.0f; acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
        let bound: i32 = min(blocks, launch.MAXB);
        let table_at: i32 = s * launch.MAXB;
        let qt_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 64;
        let lt_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 68;
        let qt_shared_at_1: i32 = (thread >> 3u) * 64;
        let lt_shared_at_1: i32 = (thread & 7) * 136;
        let qr_shared_at: i32 = (thread & 3) * 4 + (thread >> 2u) * 16;
        let rt_shared_at: i32 = (thread & 3) * 4 + (thread >> 2u) * 20;
        let qr_shared_at_1: i32 = (thread >> 3u) * 16;
        let rt_shared_at_1: i32 = (thread & 7) * 40;
        let part: i32 = thread & 7;
        let part_at: i32 = part * 16 + t_GP;
        let is_first_1: bool = (thread & 7) == 0;
        let t160_convert_at: i32 = (thread >> 3u) & 3;
        let is_first_2: bool = ((thread & 7) == 0) & (thread < 32);
        let t238_shared_at: i32 = (thread & 7) * 2 + (thread >> 3u) * 16;
        let t238_shared_at_1: i32 = ((thread >> 3u) & 3) * 16;
        let lt_shared_at_2: i32 = (thread & 7) * 4 + (thread >> 5u) * 32;
        if (thread == 0) { uniform_word = u32(from_1); }
        let n_start = i32(workgroupUniformLoad(&uniform_word));
        if (thread == 0) { uniform_word = u32(to); }
        let n_end = i32(workgroupUniformLoad(&uniform_word));
        for (var n: i32 = n_start; n < n_end; n += 16) {
          let t_11: i32 = n >> 4u;
          let left_3: i32 = bound - t_11;
          let table_at_1: i32 = table_at + t_11;
          let table_in: bool = q_in & (0 < left_3);
          var pages: i32;
          pages = select(-1, table[select(0, table_at_1, table_in)], table_in);
          let limit: i32 = len - n;
          var t_12_0: bool; var t_12_1: bool;
          t_12_0 = t_GP < limit; t_12_1 = t_GP + 8 < limit;
          var lt_0: u32; var lt_1: u32; var lt_2: u32; var lt_3: u32; var lt_4: u32; var lt_5: u32;
          var lt_6: u32; var lt_7: u32; var lt_8: u32; var lt_9: u32; var lt_10: u32;
          var lt_11: u32; var lt_12: u32; var lt_13: u32; var lt_14: u32; var lt_15: u32;
          let lt_in = (u32(pages) < u32(launch.NB)) & t_12_0;
          let lt_word = select(vec4<u32>(0u), latents[select(
              0, (t_R + pages * 1024 + t_GP * 64) >> 3u, lt_in)], lt_in);
          lt_0 = lt_word.x & 0xffffu; lt_1 = lt_word.x >> 16u; lt_2 = lt_word.y & 0xffffu;
          lt_3 = lt_word.y >> 16u; lt_4 = lt_word.z & 0xffffu; lt_5 = lt_word.z >> 16u;
          lt_6 = lt_word.w & 0xffffu; lt_7 = lt_word.w >> 16u;
          let lt_in_1 = (u32(pages) < u32(launch.NB)) & t_12_1;
          let lt_word_1 = select(vec4<u32>(0u), latents[select(
              0, (t_R + pages * 1024 + (t_GP + 8) * 64) >> 3u, lt_in_1)], lt_in_1);
          lt_8 = lt_word_1.x & 0xffffu; lt_9 = lt_word_1.x >> 16u; lt_10 = lt_word_1.y & 0xffffu;
          lt_11 = lt_word_1.y >> 16u; lt_12 = lt_word_1.z & 0xffffu; lt_13 = lt_word_1.z >> 16u;
          lt_14 = lt_word_1.w & 0xffffu; lt_15 = lt_word_1.w >> 16u;
          let ropes_at: i32 = qRope_at + pages * 256;
          let t_13: bool = t_GP_1 < limit;
          let ropes_in: bool = (u32(pages) < u32(launch.NB)) & t_13;
          var rt_0: u32; var rt_1: u32; var rt_2: u32; var rt_3: u32;
          let rt_word = select(vec2<u32>(0u), ropes[select(0, ropes_at >> 2u, ropes_in)], ropes_in);
          rt_0 = rt_word.x & 0xffffu; rt_1 = rt_word.x >> 16u; rt_2 = rt_word.y & 0xffffu;
          rt_3 = rt_word.y >> 16u;
          var qt_1_1_0: f32; var qt_1_1_1: f32; var qt_1_1_2: f32; var qt_1_1_3: f32;
          qt_1_1_0 = tw_bf16_to_f32(qt_0); qt_1_1_1 = tw_bf16_to_f32(qt_1);
          qt_1_1_2 = tw_bf16_to_f32(qt_2); qt_1_1_3 = tw_bf16_to_f32(qt_3);
          shared_qt_shared_rt_shared[qt_shared_at >> 2u] = vec4<f32>(qt_1_1_0, qt_1_1_1, qt_1_1_2, qt_1_1_3);
          var qt_2_1_0: f32; var qt_2_1_1: f32; var qt_2_1_2: f32; var qt_2_1_3: f32;
          qt_2_1_0 = tw_bf16_to_f32(qt_4); qt_2_1_1 = tw_bf16_to_f32(qt_5);
          qt_2_1_2 = tw_bf16_to_f32(qt_6); qt_2_1_3 = tw_bf16_to_f32(qt_7);
          shared_qt_shared_rt_shared[(qt_shared_at + 4) >> 2u] = vec4<f32>(qt_2_1_0, qt_2_1_1, qt_2_1_2, qt_2_1_3);
          var qt_3_1_0: f32; var qt_3_1_1: f32; var qt_3_1_2: f32; var qt_3_1_3: f32;
          qt_3_1_0 = tw_bf16_to_f32(qt_8); qt_3_1_1 = tw_bf16_to_f32(qt_9);
          qt_3_1_2 = tw_bf16_to_f32(qt_10); qt_3_1_3 = tw_bf16_to_f32(qt_11);
          shared_qt_shared_rt_shared[(qt_shared_at + 512) >> 2u] = vec4<f32>(qt_3_1_0, qt_3_1_1, qt_3_1_2, qt_3_1_3);
          var qt_4_1_0: f32; var qt_4_1_1: f32; var qt_4_1_2: f32; var qt_4_1_3: f32;
          qt_4_1_0 = tw_bf16_to_f32(qt_12); qt_4_1_1 = tw_bf16_to_f32(qt_13);
          qt_4_1_2 = tw_bf16_to_f32(qt_14); qt_4_1_3 = tw_bf16_to_f32(qt_15);
          shared_qt_shared_rt_shared[(qt_shared_at + 516) >> 2u] = vec4<f32>(qt_4_1_0, qt_4_1_1, qt_4_1_2, qt_4_1_3);
          workgroupBarrier();
          var lt_1_1_0: f32; var lt_1_1_1: f32; var lt_1_1_2: f32; var lt_1_1_3: f32;
          lt_1_1_0 = tw_bf16_to_f32(lt_0); lt_1_1_1 = tw_bf16_to_f32(lt_1);
          lt_1_1_2 = tw_bf16_to_f32(lt_2); lt_1_1_3 = tw_bf16_to_f32(lt_3);
          lt_shared[lt_shared_at >> 2u] = vec4<f32>(lt_1_1_0, lt_1_1_1, lt_1_1_2, lt_1_1_3);
          var lt_2_1_0: f32; var lt_2_1_1: f32; var lt_2_1_2: f32; var lt_2_1_3: f32;
          lt_2_1_0 = tw_bf16_to_f32(lt_4); lt_2_1_1 = tw_bf16_to_f32(lt_5);
          lt_2_1_2 = tw_bf16_to_f32(lt_6); lt_2_1_3 = tw_bf16_to_f32(lt_7);
          lt_shared[(lt_shared_at + 4) >> 2u] = vec4<f32>(lt_2_1_0, lt_2_1_1, lt_2_1_2, lt_2_1_3);
          var lt_3_1_0: f32; var lt_3_1_1: f32; var lt_3_1_2: f32; var lt_3_1_3: f32;
          lt_3_1_0 = tw_bf16_to_f32(lt_8); lt_3_1_1 = tw_bf16_to_f32(lt_9);
          lt_3_1_2 = tw_bf16_to_f32(lt_10); lt_3_1_3 = tw_bf16_to_f32(lt_11);
          lt_shared[(lt_shared_at + 544) >> 2u] = vec4<f32>(lt_3_1_0, lt_3_1_1, lt_3_1_2, lt_3_1_3);
          var lt_4_1_0: f32; var lt_4_1_1: f32; var lt_4_1_2: f32; var lt_4_1_3: f32;
          lt_4_1_0 = tw_bf16_to_f32(lt_12); lt_4_1_1 = tw_bf16_to_f32(lt_13);
          lt_4_1_2 = tw_bf16_to_f32(lt_14); lt_4_1_3 = tw_bf16_to_f32(lt_15);
          lt_shared[(lt_shared_at + 548) >> 2u] = vec4<f32>(lt_4_1_0, lt_4_1_1, lt_4_1_2, lt_4_1_3);
          workgroupBarrier();
          var l_1_1_0: f32; var l_1_1_1: f32; var l_1_1_2: f32; var l_1_1_3: f32;
          l_1_1_0 = 0.0f; l_1_1_1 = 0.0f; l_1_1_2 = 0.0f; l_1_1_3 = 0.0f;
          for (var r: i32 = 0; r < 16; r++) {
            var qt_shared_1_0: f32; var qt_shared_1_1: f32; var qt_shared_1_2: f32;
            var qt_shared_1_3: f32; var qt_shared_1_4: f32; var qt_shared_1_5: f32;
            var qt_shared_1_6: f32; var qt_shared_1_7: f32;
            var lt_shared_1_0: f32; var lt_shared_1_1: f32; var lt_shared_1_2: f32;
            var lt_shared_1_3: f32; var lt_shared_1_4: f32; var lt_shared_1_5: f32;
            var lt_shared_1_6: f32; var lt_shared_1_7: f32;
            let qt_shared_1_word = shared_qt_shared_rt_shared[(qt_shared_at_1 + r * 4) >> 2u];
            qt_shared_1_0 = qt_shared_1_word.x; qt_shared_1_1 = qt_shared_1_word.y;
            qt_shared_1_2 = qt_shared_1_word.z; qt_shared_1_3 = qt_shared_1_word.w;
            let qt_shared_1_word_1 = shared_qt_shared_rt_shared[(qt_shared_at_1 + 512 + r * 4) >> 2u];
            qt_shared_1_4 = qt_shared_1_word_1.x; qt_shared_1_5 = qt_shared_1_word_1.y;
            qt_shared_1_6 = qt_shared_1_word_1.z; qt_shared_1_7 = qt_shared_1_word_1.w;
            let lt_shared_1_word = lt_shared[(lt_shared_at_1 + r * 4) >> 2u];
            lt_shared_1_0 = lt_shared_1_word.x; lt_shared_1_1 = lt_shared_1_word.y;
            lt_shared_1_2 = lt_shared_1_word.z; lt_shared_1_3 = lt_shared_1_word.w;
            let lt_shared_1_word_1 = lt_shared[(lt_shared_at_1 + 68 + r * 4) >> 2u];
            lt_shared_1_4 = lt_shared_1_word_1.x; lt_shared_1_5 = lt_shared_1_word_1.y;
            lt_shared_1_6 = lt_shared_1_word_1.z; lt_shared_1_7 = lt_shared_1_word_1.w;
            l_1_1_0 = fma(qt_shared_1_0, lt_shared_1_0, l_1_1_0);
            l_1_1_1 = fma(qt_shared_1_0, lt_shared_1_4, l_1_1_1);
            l_1_1_2 = fma(qt_shared_1_4, lt_shared_1_0, l_1_1_2);
            l_1_1_3 = fma(qt_shared_1_4, lt_shared_1_4, l_1_1_3);
            l_1_1_0 = fma(qt_shared_1_1, lt_shared_1_1, l_1_1_0);
            l_1_1_1 = fma(qt_shared_1_1, lt_shared_1_5, l_1_1_1);
            l_1_1_2 = fma(qt_shared_1_5, lt_shared_1_1, l_1_1_2);
            l_1_1_3 = fma(qt_shared_1_5, lt_shared_1_5, l_1_1_3);
            l_1_1_0 = fma(qt_shared_1_2, lt_shared_1_2, l_1_1_0);
            l_1_1_1 = fma(qt_shared_1_2, lt_shared_1_6, l_1_1_1);
            l_1_1_2 = fma(qt_shared_1_6, lt_shared_1_2, l_1_1_2);
            l_1_1_3 = fma(qt_shared_1_6, lt_shared_1_6, l_1_1_3);
            l_1_1_0 = fma(qt_shared_1_3, lt_shared_1_3, l_1_1_0);
            l_1_1_1 = fma(qt_shared_1_3, lt_shared_1_7, l_1_1_1);
            l_1_1_2 = fma(qt_shared_1_7, lt_shared_1_3, l_1_1_2);
            l_1_1_3 = fma(qt_shared_1_7, lt_shared_1_7, l_1_1_3);
          }
          var qr_1_1_0: f32; var qr_1_1_1: f32; var qr_1_1_2: f32; var qr_1_1_3: f32;
          qr_1_1_0 = tw_bf16_to_f32(qr_0); qr_1_1_1 = tw_bf16_to_f32(qr_1);
          qr_1_1_2 = tw_bf16_to_f32(qr_2); qr_1_1_3 = tw_bf16_to_f32(qr_3);
          qr_shared[qr_shared_at >> 2u] = vec4<f32>(qr_1_1_0, qr_1_1_1, qr_1_1_2, qr_1_1_3);
          workgroupBarrier();
          var rt_1_1_0: f32; var rt_1_1_1: f32; var rt_1_1_2: f32; var rt_1_1_3: f32;
          rt_1_1_0 = tw_bf16_to_f32(rt_0); rt_1_1_1 = tw_bf16_to_f32(rt_1);
          rt_1_1_2 = tw_bf16_to_f32(rt_2); rt_1_1_3 = tw_bf16_to_f32(rt_3);
          shared_qt_shared_rt_shared[rt_shared_at >> 2u] = vec4<f32>(rt_1_1_0, rt_1_1_1, rt_1_1_2, rt_1_1_3);
          workgroupBarrier();
          for (var r: i32 = 0; r < 4; r++) {
            var qr_shared_1_0: f32; var qr_shared_1_1: f32; var qr_shared_1_2: f32;
            var qr_shared_1_3: f32; var qr_shared_1_4: f32; var qr_shared_1_5: f32;
            var qr_shared_1_6: f32; var qr_shared_1_7: f32;
            var rt_shared_1_0: f32; var rt_shared_1_1: f32; var rt_shared_1_2: f32;
            var rt_shared_1_3: f32; var rt_shared_1_4: f32; var rt_shared_1_5: f32;
            var rt_shared_1_6: f32; var rt_shared_1_7: f32;
            let qr_shared_1_word = qr_shared[(qr_shared_at_1 + r * 4) >> 2u];
            qr_shared_1_0 = qr_shared_1_word.x; qr_shared_1_1 = qr_shared_1_word.y;
            qr_shared_1_2 = qr_shared_1_word.z; qr_shared_1_3 = qr_shared_1_word.w;
            let qr_shared_1_word_1 = qr_shared[(qr_shared_at_1 + 128 + r * 4) >> 2u];
            qr_shared_1_4 = qr_shared_1_word_1.x; qr_shared_1_5 = qr_shared_1_word_1.y;
            qr_shared_1_6 = qr_shared_1_word_1.z; qr_shared_1_7 = qr_shared_1_word_1.w;
            let rt_shared_1_word = shared_qt_shared_rt_shared[(rt_shared_at_1 + r * 4) >> 2u];
            rt_shared_1_0 = rt_shared_1_word.x; rt_shared_1_1 = rt_shared_1_word.y;
            rt_shared_1_2 = rt_shared_1_word.z; rt_shared_1_3 = rt_shared_1_word.w;
            let rt_shared_1_word_1 = shared_qt_shared_rt_shared[(rt_shared_at_1 + 20 + r * 4) >> 2u];
            rt_shared_1_4 = rt_shared_1_word_1.x; rt_shared_1_5 = rt_shared_1_word_1.y;
            rt_shared_1_6 = rt_shared_1_word_1.z; rt_shared_1_7 = rt_shared_1_word_1.w;
            l_1_1_0 = fma(qr_shared_1_0, rt_shared_1_0, l_1_1_0);
            l_1_1_1 = fma(qr_shared_1_0, rt_shared_1_4, l_1_1_1);
            l_1_1_2 = fma(qr_shared_1_4, rt_shared_1_0, l_1_1_2);
            l_1_1_3 = fma(qr_shared_1_4, rt_shared_1_4, l_1_1_3);
            l_1_1_0 = fma(qr_shared_1_1, rt_shared_1_1, l_1_1_0);
            l_1_1_1 = fma(qr_shared_1_1, rt_shared_1_5, l_1_1_1);
            l_1_1_2 = fma(qr_shared_1_5, rt_shared_1_1, l_1_1_2);
            l_1_1_3 = fma(qr_shared_1_5, rt_shared_1_5, l_1_1_3);
            l_1_1_0 = fma(qr_shared_1_2, rt_shared_1_2, l_1_1_0);
            l_1_1_1 = fma(qr_shared_1_2, rt_shared_1_6, l_1_1_1);
            l_1_1_2 = fma(qr_shared_1_6, rt_shared_1_2, l_1_1_2);
            l_1_1_3 = fma(qr_shared_1_6, rt_shared_1_6, l_1_1_3);
            l_1_1_0 = fma(qr_shared_1_3, rt_shared_1_3, l_1_1_0);
            l_1_1_1 = fma(qr_shared_1_3, rt_shared_1_7, l_1_1_1);
            l_1_1_2 = fma(qr_shared_1_7, rt_shared_1_3, l_1_1_2);
            l_1_1_3 = fma(qr_shared_1_7, rt_shared_1_7, l_1_1_3);
          }
          var t_14_0: bool; var t_14_1: bool;
          t_14_0 = n + t_BN < len; t_14_1 = n + t_BN + 1 < len;
          var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32;
          var most_1_0: f32; var most_1_1: f32;
          x_0 = select(tw_bits_f32(0xff800000u), l_1_1_0, t_14_0);
          x_1 = select(tw_bits_f32(0xff800000u), l_1_1_1, t_14_1);
          most_1_0 = tw_bits_f32(0xff800000u); most_1_0 = tw_max(most_1_0, x_0);
          most_1_0 = tw_max(most_1_0, x_1);
          t160_parts[part_at] = most_1_0;
          x_2 = select(tw_bits_f32(0xff800000u), l_1_1_2, t_14_0);
          x_3 = select(tw_bits_f32(0xff800000u), l_1_1_3, t_14_1);
          most_1_1 = tw_bits_f32(0xff800000u); most_1_1 = tw_max(most_1_1, x_2);
          most_1_1 = tw_max(most_1_1, x_3);
          t160_parts[part_at + 8] = most_1_1;
          workgroupBarrier();
          most_1_0 = t160_parts[t_GP];
          var other_29: f32;
          other_29 = t160_parts[t_GP + 16];
          most_1_0 = tw_max(most_1_0, other_29);
          var other_30: f32;
          other_30 = t160_parts[t_GP + 32];
          most_1_0 = tw_max(most_1_0, other_30);
          var other_31: f32;
          other_31 = t160_parts[t_GP + 48];
          most_1_0 = tw_max(most_1_0, other_31);
          var other_32: f32;
          other_32 = t160_parts[t_GP + 64];
          most_1_0 = tw_max(most_1_0, other_32);
          var other_33: f32;
          other_33 = t160_parts[t_GP + 80];
          most_1_0 = tw_max(most_1_0, other_33);
          var other_34: f32;
          other_34 = t160_parts[t_GP + 96];
          most_1_0 = tw_max(most_1_0, other_34);
          var other_35: f32;
          other_35 = t160_parts[t_GP + 112];
          most_1_0 = tw_max(most_1_0, other_35);
          most_1_1 = t160_parts[t_GP + 8];
          var other_36: f32;
          other_36 = t160_parts[t_GP + 24];
          most_1_1 = tw_max(most_1_1, other_36);
          var other_37: f32;
          other_37 = t160_parts[t_GP + 40];
          most_1_1 = tw_max(most_1_1, other_37);
          var other_38: f32;
          other_38 = t160_parts[t_GP + 56];
          most_1_1 = tw_max(most_1_1, other_38);
          var other_39: f32;
          other_39 = t160_parts[t_GP + 72];
          most_1_1 = tw_max(most_1_1, other_39);
          var other_40: f32;
          other_40 = t160_parts[t_GP + 88];
          most_1_1 = tw_max(most_1_1, other_40);
          var other_41: f32;
          other_41 = t160_parts[t_GP + 104];
          most_1_1 = tw_max(most_1_1, other_41);
          var other_42: f32;
          other_42 = t160_parts[t_GP + 120];
          most_1_1 = tw_max(most_1_1, other_42);
          if (is_first_1) {
            t160_convert[t_GP] = most_1_0;
            t160_convert[t_GP + 8] = most_1_1;
          }
          workgroupBarrier();
          var t_15_0: f32; var t_15_1: f32; var t_15_2: f32; var t_15_3: f32;
          t_15_0 = t160_convert[t160_convert_at];
          t_15_1 = t160_convert[t160_convert_at + 4];
          t_15_2 = t160_convert[t160_convert_at + 8];
          t_15_3 = t160_convert[t160_convert_at + 12];
          var top_0: f32; var top_1: f32; var top_2: f32; var top_3: f32;
          var grew_0: bool; var grew_1: bool; var grew_2: bool; var grew_3: bool;
          top_0 = tw_max(m_0, t_15_0);
          grew_0 = (top_0 - m_0) * c > 8.0f;
          top_1 = tw_max(m_1, t_15_1);
          grew_1 = (top_1 - m_1) * c > 8.0f;
          top_2 = tw_max(m_2, t_15_2);
          grew_2 = (top_2 - m_2) * c > 8.0f;
          top_3 = tw_max(m_3, t_15_3);
          grew_3 = (top_3 - m_3) * c > 8.0f;
          var grew_1_1: i32 = -2147483648;
          grew_1_1 = max(grew_1_1, select(0, 1, grew_0));
          grew_1_1 = max(grew_1_1, select(0, 1, grew_1));
          grew_1_1 = max(grew_1_1, select(0, 1, grew_2));
          grew_1_1 = max(grew_1_1, select(0, 1, grew_3));
          if (is_first_2) {
            grew_parts[t160_convert_at] = grew_1_1;
          }
          workgroupBarrier();
          var parts_4_0: i32; var parts_4_1: i32; var parts_4_2: i32; var parts_4_3: i32;
          parts_4_0 = grew_parts[0];
          parts_4_1 = grew_parts[1];
          parts_4_2 = grew_parts[2];
          parts_4_3 = grew_parts[3];
          grew_1_1 = parts_4_0;
          grew_1_1 = max(grew_1_1, parts_4_1);
          grew_1_1 = max(grew_1_1, parts_4_2);
          grew_1_1 = max(grew_1_1, parts_4_3);
          let grew_2_1: bool = grew_1_1 != 0;
          var t_16_0: f32; var t_16_1: f32; var t_16_2: f32; var t_16_3: f32;
          var t_17_0: f32; var t_17_1: f32; var t_17_2: f32; var t_17_3: f32;
          var t_18_0: f32; var t_18_1: f32; var t_18_2: f32; var t_18_3: f32; var t_18_4: f32;
          var t_18_5: f32; var t_18_6: f32; var t_18_7: f32; var t_18_8: f32; var t_18_9: f32;
          var t_18_10: f32; var t_18_11: f32; var t_18_12: f32; var t_18_13: f32; var t_18_14: f32;
          var t_18_15: f32;
          if (thread == 0) { uniform_word = u32(grew_2_1); }
          let agreed_2 = workgroupUniformLoad(&uniform_word) != 0u;
          if (agreed_2) {
            var next_0: f32; var next_1: f32; var next_2: f32; var next_3: f32;
            var alpha_0: f32; var alpha_1: f32; var alpha_2: f32; var alpha_3: f32;
            next_0 = select(m_0, top_0, grew_0);
            alpha_0 = tw_exp2((m_0 - next_0) * c);
            next_1 = select(m_1, top_1, grew_1);
            alpha_1 = tw_exp2((m_1 - next_1) * c);
            next_2 = select(m_2, top_2, grew_2);
            alpha_2 = tw_exp2((m_2 - next_2) * c);
            next_3 = select(m_3, top_3, grew_3);
            alpha_3 = tw_exp2((m_3 - next_3) * c);
            if (is_first_2) {
              alpha_convert[t160_convert_at] = alpha_0;
              alpha_convert[t160_convert_at + 4] = alpha_1;
              alpha_convert[t160_convert_at + 8] = alpha_2;
              alpha_convert[t160_convert_at + 12] = alpha_3;
            }
            workgroupBarrier();
            var alpha_1_1_0: f32; var alpha_1_1_1: f32;
            alpha_1_1_0 = alpha_convert[t_GP];
            alpha_1_1_1 = alpha_convert[t_GP + 8];
            t_16_0 = next_0; t_16_1 = next_1; t_16_2 = next_2; t_16_3 = next_3;
            t_17_0 = l_0 * alpha_1_1_0; t_17_1 = l_1 * alpha_1_1_0; t_17_2 = l_2 * alpha_1_1_1;
            t_17_3 = l_3 * alpha_1_1_1; t_18_0 = acc_0 * alpha_0; t_18_1 = acc_1 * alpha_0;
            t_18_2 = acc_2 * alpha_0; t_18_3 = acc_3 * alpha_0; t_18_4 = acc_4 * alpha_1;
            t_18_5 = acc_5 * alpha_1; t_18_6 = acc_6 * alpha_1; t_18_7 = acc_7 * alpha_1;
            t_18_8 = acc_8 * alpha_2; t_18_9 = acc_9 * alpha_2; t_18_10 = acc_10 * alpha_2;
            t_18_11 = acc_11 * alpha_2; t_18_12 = acc_12 * alpha_3; t_18_13 = acc_13 * alpha_3;
            t_18_14 = acc_14 * alpha_3; t_18_15 = acc_15 * alpha_3;
          } else {
            t_16_0 = m_0; t_17_0 = l_0; t_16_1 = m_1; t_17_1 = l_1; t_16_2 = m_2; t_17_2 = l_2;
            t_16_3 = m_3; t_17_3 = l_3; t_18_0 = acc_0; t_18_1 = acc_1; t_18_2 = acc_2;
            t_18_3 = acc_3; t_18_4 = acc_4; t_18_5 = acc_5; t_18_6 = acc_6; t_18_7 = acc_7;
            t_18_8 = acc_8; t_18_9 = acc_9; t_18_10 = acc_10; t_18_11 = acc_11; t_18_12 = acc_12;
            t_18_13 = acc_13; t_18_14 = acc_14; t_18_15 = acc_15;
          }
          var t_19_0: f32; var t_19_1: f32; var t_19_2: f32; var t_19_3: f32;
          t_19_0 = t_16_0 * c; t_19_1 = t_16_1 * c; t_19_2 = t_16_2 * c; t_19_3 = t_16_3 * c;
          if (is_first_2) {
            t182_convert[t160_convert_at] = t_19_0;
            t182_convert[t160_convert_at + 4] = t_19_1;
            t182_convert[t160_convert_at + 8] = t_19_2;
            t182_convert[t160_convert_at + 12] = t_19_3;
          }
          workgroupBarrier();
          var t_20_0: f32; var t_20_1: f32;
          t_20_0 = t182_convert[t_GP];
          t_20_1 = t182_convert[t_GP + 8];
          var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32;
          p_0 = tw_exp2(x_0 * c - t_20_0); p_1 = tw_exp2(x_1 * c - t_20_0);
          var t238_shared_tile_0: f32; var t238_shared_tile_1: f32;
          t238_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_0));
          t238_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_1));
          t238_shared[t238_shared_at >> 1u] = vec2<f32>(t238_shared_tile_0, t238_shared_tile_1);
          p_2 = tw_exp2(x_2 * c - t_20_1); p_3 = tw_exp2(x_3 * c - t_20_1);
          var t238_shared_tile_1_1_0: f32; var t238_shared_tile_1_1_1: f32;
          t238_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_2));
          t238_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_3));
          t238_shared[(t238_shared_at + 128) >> 1u] = vec2<f32>(
              t238_shared_tile_1_1_0, t238_shared_tile_1_1_1);
          workgroupBarrier();
          for (var r: i32 = 0; r < 4; r++) {
            var t238_shared_1_0: f32; var t238_shared_1_1: f32; var t238_shared_1_2: f32;
            var t238_shared_1_3: f32; var t238_shared_1_4: f32; var t238_shared_1_5: f32;
            var t238_shared_1_6: f32; var t238_shared_1_7: f32; var t238_shared_1_8: f32;
            var t238_shared_1_9: f32; var t238_shared_1_10: f32; var t238_shared_1_11: f32;
            var t238_shared_1_12: f32; var t238_shared_1_13: f32; var t238_shared_1_14: f32;
            var t238_shared_1_15: f32;
            var lt_shared_2_0: f32; var lt_shared_2_1: f32; var lt_shared_2_2: f32;
            var lt_shared_2_3: f32; var lt_shared_2_4: f32; var lt_shared_2_5: f32;
            var lt_shared_2_6: f32; var lt_shared_2_7: f32; var lt_shared_2_8: f32;
            var lt_shared_2_9: f32; var lt_shared_2_10: f32; var lt_shared_2_11: f32;
            var lt_shared_2_12: f32; var lt_shared_2_13: f32; var lt_shared_2_14: f32;
            var lt_shared_2_15: f32;
            let t238_shared_1_at = t238_shared_at_1 + r * 4;
            let t238_shared_1_word = t238_shared[t238_shared_1_at >> 1u];
            t238_shared_1_0 = t238_shared_1_word.x; t238_shared_1_1 = t238_shared_1_word.y;
            let t238_shared_1_word_1 = t238_shared[(t238_shared_1_at >> 1u) + 1];
            t238_shared_1_2 = t238_shared_1_word_1.x; t238_shared_1_3 = t238_shared_1_word_1.y;
            let t238_shared_1_at_1 = t238_shared_at_1 + 64 + r * 4;
            let t238_shared_1_word_2 = t238_shared[t238_shared_1_at_1 >> 1u];
            t238_shared_1_4 = t238_shared_1_word_2.x; t238_shared_1_5 = t238_shared_1_word_2.y;
            let t238_shared_1_word_3 = t238_shared[(t238_shared_1_at_1 >> 1u) + 1];
            t238_shared_1_6 = t238_shared_1_word_3.x; t238_shared_1_7 = t238_shared_1_word_3.y;
            let t238_shared_1_at_2 = t238_shared_at_1 + 128 + r * 4;
            let t238_shared_1_word_4 = t238_shared[t238_shared_1_at_2 >> 1u];
            t238_shared_1_8 = t238_shared_1_word_4.x; t238_shared_1_9 = t238_shared_1_word_4.y;
            let t238_shared_1_word_5 = t238_shared[(t238_shared_1_at_2 >> 1u) + 1];
            t238_shared_1_10 = t238_shared_1_word_5.x; t238_shared_1_11 = t238_shared_1_word_5.y;
            let t238_shared_1_at_3 = t238_shared_at_1 + 192 + r * 4;
            let t238_shared_1_word_6 = t238_shared[t238_shared_1_at_3 >> 1u];
            t238_shared_1_12 = t238_shared_1_word_6.x; t238_shared_1_13 = t238_shared_1_word_6.y;
            let t238_shared_1_word_7 = t238_shared[(t238_shared_1_at_3 >> 1u) + 1];
            t238_shared_1_14 = t238_shared_1_word_7.x; t238_shared_1_15 = t238_shared_1_word_7.y;
            let lt_shared_2_word = lt_shared[(lt_shared_at_2 + r * 272) >> 2u];
            lt_shared_2_0 = lt_shared_2_word.x; lt_shared_2_1 = lt_shared_2_word.y;
            lt_shared_2_2 = lt_shared_2_word.z; lt_shared_2_3 = lt_shared_2_word.w;
            let lt_shared_2_word_1 = lt_shared[(lt_shared_at_2 + r * 272 + 68) >> 2u];
            lt_shared_2_4 = lt_shared_2_word_1.x; lt_shared_2_5 = lt_shared_2_word_1.y;
            lt_shared_2_6 = lt_shared_2_word_1.z; lt_shared_2_7 = lt_shared_2_word_1.w;
            let lt_shared_2_word_2 = lt_shared[(lt_shared_at_2 + r * 272 + 136) >> 2u];
            lt_shared_2_8 = lt_shared_2_word_2.x; lt_shared_2_9 = lt_shared_2_word_2.y;
            lt_shared_2_10 = lt_shared_2_word_2.z; lt_shared_2_11 = lt_shared_2_word_2.w;
            let lt_shared_2_word_3 = lt_shared[(lt_shared_at_2 + r * 272 + 204) >> 2u];
            lt_shared_2_12 = lt_shared_2_word_3.x; lt_shared_2_13 = lt_shared_2_word_3.y;
            lt_shared_2_14 = lt_shared_2_word_3.z; lt_shared_2_15 = lt_shared_2_word_3.w;
            t_18_0 = fma(t238_shared_1_0, lt_shared_2_0, t_18_0);
            t_18_1 = fma(t238_shared_1_0, lt_shared_2_1, t_18_1);
            t_18_2 = fma(t238_shared_1_0, lt_shared_2_2, t_18_2);
            t_18_3 = fma(t238_shared_1_0, lt_shared_2_3, t_18_3);
            t_18_4 = fma(t238_shared_1_4, lt_shared_2_0, t_18_4);
            t_18_5 = fma(t238_shared_1_4, lt_shared_2_1, t_18_5);
            t_18_6 = fma(t238_shared_1_4, lt_shared_2_2, t_18_6);
            t_18_7 = fma(t238_shared_1_4, lt_shared_2_3, t_18_7);
            t_18_8 = fma(t238_shared_1_8, lt_shared_2_0, t_18_8);
            t_18_9 = fma(t238_shared_1_8, lt_shared_2_1, t_18_9);
            t_18_10 = fma(t238_shared_1_8, lt_shared_2_2, t_18_10);
            t_18_11 = fma(t238_shared_1_8, lt_shared_2_3, t_18_11);
            t_18_12 = fma(t238_shared_1_12, lt_shared_2_0, t_18_12);
            t_18_13 = fma(t238_shared_1_12, lt_shared_2_1, t_18_13);
            t_18_14 = fma(t238_shared_1_12, lt_shared_2_2, t_18_14);
            t_18_15 = fma(t238_shared_1_12, lt_shared_2_3, t_18_15);
            t_18_0 = fma(t238_shared_1_1, lt_shared_2_4, t_18_0);
            t_18_1 = fma(t238_shared_1_1, lt_shared_2_5, t_18_1);
            t_18_2 = fma(t238_shared_1_1, lt_shared_2_6, t_18_2);
            t_18_3 = fma(t238_shared_1_1, lt_shared_2_7, t_18_3);
            t_18_4 = fma(t238_shared_1_5, lt_shared_2_4, t_18_4);
            t_18_5 = fma(t238_shared_1_5, lt_shared_2_5, t_18_5);
            t_18_6 = fma(t238_shared_1_5, lt_shared_2_6, t_18_6);
            t_18_7 = fma(t238_shared_1_5, lt_shared_2_7, t_18_7);
            t_18_8 = fma(t238_shared_1_9, lt_shared_2_4, t_18_8);
            t_18_9 = fma(t238_shared_1_9, lt_shared_2_5, t_18_9);
            t_18_10 = fma(t238_shared_1_9, lt_shared_2_6, t_18_10);
            t_18_11 = fma(t238_shared_1_9, lt_shared_2_7, t_18_11);
            t_18_12 = fma(t238_shared_1_13, lt_shared_2_4, t_18_12);
            t_18_13 = fma(t238_shared_1_13, lt_shared_2_5, t_18_13);
            t_18_14 = fma(t238_shared_1_13, lt_shared_2_6, t_18_14);
            t_18_15 = fma(t238_shared_1_13, lt_shared_2_7, t_18_15);
            t_18_0 = fma(t238_shared_1_2, lt_shared_2_8, t_18_0);
            t_18_1 = fma(t238_shared_1_2, lt_shared_2_9, t_18_1);
            t_18_2 = fma(t238_shared_1_2, lt_shared_2_10, t_18_2);
            t_18_3 = fma(t238_shared_1_2, lt_shared_2_11, t_18_3);
            t_18_4 = fma(t238_shared_1_6, lt_shared_2_8, t_18_4);
            t_18_5 = fma(t238_shared_1_6, lt_shared_2_9, t_18_5);
            t_18_6 = fma(t238_shared_1_6, lt_shared_2_10, t_18_6);
            t_18_7 = fma(t238_shared_1_6, lt_shared_2_11, t_18_7);
            t_18_8 = fma(t238_shared_1_10, lt_shared_2_8, t_18_8);
            t_18_9 = fma(t238_shared_1_10, lt_shared_2_9, t_18_9);
            t_18_10 = fma(t238_shared_1_10, lt_shared_2_10, t_18_10);
            t_18_11 = fma(t238_shared_1_10, lt_shared_2_11, t_18_11);
            t_18_12 = fma(t238_shared_1_14, lt_shared_2_8, t_18_12);
            t_18_13 = fma(t238_shared_1_14, lt_shared_2_9, t_18_13);
            t_18_14 = fma(t238_shared_1_14, lt_shared_2_10, t_18_14);
            t_18_15 = fma(t238_shared_1_14, lt_shared_2_11, t_18_15);
            t_18_0 = fma(t238_shared_1_3, lt_shared_2_12, t_18_0);
            t_18_1 = fma(t238_shared_1_3, lt_shared_2_13, t_18_1);
            t_18_2 = fma(t238_shared_1_3, lt_shared_2_14, t_18_2);
            t_18_3 = fma(t238_shared_1_3, lt_shared_2_15, t_18_3);
            t_18_4 = fma(t238_shared_1_7, lt_shared_2_12, t_18_4);
            t_18_5 = fma(t238_shared_1_7, lt_shared_2_13, t_18_5);
            t_18_6 = fma(t238_shared_1_7, lt_shared_2_14, t_18_6);
            t_18_7 = fma(t238_shared_1_7, lt_shared_2_15, t_18_7);
            t_18_8 = fma(t238_shared_1_11, lt_shared_2_12, t_18_8);
            t_18_9 = fma(t238_shared_1_11, lt_shared_2_13, t_18_9);
            t_18_10 = fma(t238_shared_1_11, lt_shared_2_14, t_18_10);
            t_18_11 = fma(t238_shared_1_11, lt_shared_2_15, t_18_11);
            t_18_12 = fma(t238_shared_1_15, lt_shared_2_12, t_18_12);
            t_18_13 = fma(t238_shared_1_15, lt_shared_2_13, t_18_13);
            t_18_14 = fma(t238_shared_1_15, lt_shared_2_14, t_18_14);
            t_18_15 = fma(t238_shared_1_15, lt_shared_2_15, t_18_15);
          }
          m_0 = t_16_0; l_0 = t_17_0 + p_0; m_1 = t_16_1; l_1 = t_17_1 + p_1; m_2 = t_16_2;
          l_2 = t_17_2 + p_2; m_3 = t_16_3; l_3 = t_17_3 + p_3; acc_0 = t_18_0; acc_1 = t_18_1;
          acc_2 = t_18_2; acc_3 = t_18_3; acc_4 = t_18_4; acc_5 = t_18_5; acc_6 = t_18_6;
          acc_7 = t_18_7; acc_8 = t_18_8; acc_9 = t_18_9; acc_10 = t_18_10; acc_11 = t_18_11;
          acc_12 = t_18_12; acc_13 = t_18_13; acc_14 = t_18_14; acc_15 = t_18_15;
        }
        var sum_3_0: f32; var sum_3_1: f32;
        sum_3_0 = 0.0f; sum_3_0 = sum_3_0 + l_0; sum_3_0 = sum_3_0 + l_1;
        t194_parts[part_at] = sum_3_0;
        sum_3_1 = 0.0f; sum_3_1 = sum_3_1 + l_2; sum_3_1 = sum_3_1 + l_3;
        t194_parts[part_at + 8] = sum_3_1;
        workgroupBarrier();
        sum_3_0 = t194_parts[t_GP];
        var other_43: f32;
        other_43 = t194_parts[t_GP + 16];
        sum_3_0 = sum_3_0 + other_43;
        var other_44: f32;
        other_44 = t194_parts[t_GP + 32];
        sum_3_0 = sum_3_0 + other_44;
        var other_45: f32;
        other_45 = t194_parts[t_GP + 48];
        sum_3_0 = sum_3_0 + other_45;
        var other_46: f32;
        other_46 = t194_parts[t_GP + 64];
        sum_3_0 = sum_3_0 + other_46;
        var other_47: f32;
        other_47 = t194_parts[t_GP + 80];
        sum_3_0 = sum_3_0 + other_47;
        var other_48: f32;
        other_48 = t194_parts[t_GP + 96];
        sum_3_0 = sum_3_0 + other_48;
        var other_49: f32;
        other_49 = t194_parts[t_GP + 112];
        sum_3_0 = sum_3_0 + other_49;
        sum_3_1 = t194_parts[t_GP + 8];
        var other_50: f32;
        other_50 = t194_parts[t_GP + 24];
        sum_3_1 = sum_3_1 + other_50;
        var other_51: f32;
        other_51 = t194_parts[t_GP + 40];
        sum_3_1 = sum_3_1 + other_51;
        var other_52: f32;
        other_52 = t194_parts[t_GP + 56];
        sum_3_1 = sum_3_1 + other_52;
        var other_53: f32;
        other_53 = t194_parts[t_GP + 72];
        sum_3_1 = sum_3_1 + other_53;
        var other_54: f32;
        other_54 = t194_parts[t_GP + 88];
        sum_3_1 = sum_3_1 + other_54;
        var other_55: f32;
        other_55 = t194_parts[t_GP + 104];
        sum_3_1 = sum_3_1 + other_55;
        var other_56: f32;
        other_56 = t194_parts[t_GP + 120];
        sum_3_1 = sum_3_1 + other_56;
        if (is_first_1) {
          t194_convert[t_GP] = sum_3_0;
          t194_convert[t_GP + 8] = sum_3_1;
        }
        workgroupBarrier();
        var t_21_0: f32; var t_21_1: f32; var t_21_2: f32; var t_21_3: f32;
        t_21_0 = t194_convert[t160_convert_at];
        t_21_1 = t194_convert[t160_convert_at + 4];
        t_21_2 = t194_convert[t160_convert_at + 8];
        t_21_3 = t194_convert[t160_convert_at + 12];
        var total_0: f32; var total_1: f32; var total_2: f32; var total_3: f32;
        total_0 = tw_max(t_21_0, 1e-30f); total_1 = tw_max(t_21_1, 1e-30f);
        total_2 = tw_max(t_21_2, 1e-30f); total_3 = tw_max(t_21_3, 1e-30f);
        let t_22: i32 = s + pid1;
        var t_23_0: f32; var t_23_1: f32; var t_23_2: f32; var t_23_3: f32;
        t_23_0 = 1.0f / total_0; t_23_1 = 1.0f / total_1; t_23_2 = 1.0f / total_2;
        t_23_3 = 1.0f / total_3;
        let t_R_1: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
        let partial_at: i32 = t160_convert_at * 64 + t_R_1;
        let partial_at_1: i32 = t * 64 + t_22 * stride + partial_at;
        let partial_in: bool = u32(t_22) < u32(launch.P);
        var partial_tile_0: f32; var partial_tile_1: f32; var partial_tile_2: f32;
        var partial_tile_3: f32;
        partial_tile_0 = acc_0 * t_23_0; partial_tile_1 = acc_1 * t_23_0;
        partial_tile_2 = acc_2 * t_23_0; partial_tile_3 = acc_3 * t_23_0;
        if (partial_in & (t160_convert_at < left_2)) {
          partial[partial_at_1 >> 2u] = vec4<f32>(
              partial_tile_0, partial_tile_1, partial_tile_2, partial_tile_3);
        }
        var partial_tile_1_1_0: f32; var partial_tile_1_1_1: f32; var partial_tile_1_1_2: f32;
        var partial_tile_1_1_3: f32;
        partial_tile_1_1_0 = acc_4 * t_23_1; partial_tile_1_1_1 = acc_5 * t_23_1;
        partial_tile_1_1_2 = acc_6 * t_23_1; partial_tile_1_1_3 = acc_7 * t_23_1;
        if (partial_in & (t160_convert_at + 4 < left_2)) {
          partial[(partial_at_1 + 256) >> 2u] = vec4<f32>(
              partial_tile_1_1_0, partial_tile_1_1_1, partial_tile_1_1_2, partial_tile_1_1_3);
        }
        var partial_tile_2_1_0: f32; var partial_tile_2_1_1: f32; var partial_tile_2_1_2: f32;
        var partial_tile_2_1_3: f32;
        partial_tile_2_1_0 = acc_8 * t_23_2; partial_tile_2_1_1 = acc_9 * t_23_2;
        partial_tile_2_1_2 = acc_10 * t_23_2; partial_tile_2_1_3 = acc_11 * t_23_2;
        if (partial_in & (t160_convert_at + 8 < left_2)) {
          partial[(partial_at_1 + 512) >> 2u] = vec4<f32>(
              partial_tile_2_1_0, partial_tile_2_1_1, partial_tile_2_1_2, partial_tile_2_1_3);
        }
        var partial_tile_3_1_0: f32; var partial_tile_3_1_1: f32; var partial_tile_3_1_2: f32;
        var partial_tile_3_1_3: f32;
        partial_tile_3_1_0 = acc_12 * t_23_3; partial_tile_3_1_1 = acc_13 * t_23_3;
        partial_tile_3_1_2 = acc_14 * t_23_3; partial_tile_3_1_3 = acc_15 * t_23_3;
        if (partial_in & (t160_convert_at + 12 < left_2)) {
          partial[(partial_at_1 + 768) >> 2u] = vec4<f32>(
              partial_tile_3_1_0, partial_tile_3_1_1, partial_tile_3_1_2, partial_tile_3_1_3);
        }
        let lse_at: i32 = t + t_22 * launch.H + t160_convert_at;
        if (is_first_2) {
          let lse_tile: f32 = m_0 * c + tw_log2(total_0);
          if (partial_in & (t160_convert_at < left_2)) {
            lse[lse_at] = lse_tile;
          }
          let lse_tile_1: f32 = m_1 * c + tw_log2(total_1);
          if (partial_in & (t160_convert_at + 4 < left_2)) {
            lse[lse_at + 4] = lse_tile_1;
          }
          let lse_tile_2: f32 = m_2 * c + tw_log2(total_2);
          if (partial_in & (t160_convert_at + 8 < left_2)) {
            lse[lse_at + 8] = lse_tile_2;
          }
          let lse_tile_3: f32 = m_3 * c + tw_log2(total_3);
          if (partial_in & (t160_convert_at + 12 < left_2)) {
            lse[lse_at + 12] = lse_tile_3;
          }
        }
      }
      begin_1 = begin_1 + blocks;
      s = s + 1;
    }
  }
}
