// mla_decode_halves for wgsl, made by tilewright
// dtypes: T=bf16
// config: GP=8 BN=8 stages=2 HALF=8
// dims fixed: R=16 DR=8 PAGE=16
// dims divisible: S%2 H%2 NB%2 MAXB%2 W%2 P%2
// 64 threads, 2720 bytes of shared memory
//       0 … 368: ropes_tile_shared f32[92]
//     384 … 752: latents_tile_shared f32[92]
//     768 … 1136: latents_tile_shared_2 f32[92]
//    1152 … 1408: qRope_tile_shared f32[64]
//    1408 … 1664: q_tile_shared f32[64]
//    1664 … 1920: q_tile_shared_2 f32[64]
//    1920 … 2176: t127_parts f32[64]
//    2176 … 2432: t154_parts f32[64]
//    2432 … 2688: t195_shared f32[64]
//    2688 … 2720: grew_parts i32[8]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  H: i32,
  NB: i32,
  MAXB: i32,
  W: i32,
  P: i32,
  scale: f32,
}
@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> qRope: array<u32>;
@group(0) @binding(2) var<storage, read> latents: array<u32>;
@group(0) @binding(3) var<storage, read> ropes: array<u32>;
@group(0) @binding(4) var<storage, read> table: array<i32>;
@group(0) @binding(5) var<storage, read> line: array<i32>;
@group(0) @binding(6) var<storage, read_write> partial: array<f32>;
@group(0) @binding(7) var<storage, read_write> lse: array<f32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> ropes_tile_shared: array<f32, 92>;
var<workgroup> latents_tile_shared: array<f32, 92>;
var<workgroup> latents_tile_shared_2: array<f32, 92>;
var<workgroup> qRope_tile_shared: array<f32, 64>;
var<workgroup> q_tile_shared: array<f32, 64>;
var<workgroup> q_tile_shared_2: array<f32, 64>;
var<workgroup> t127_parts: array<f32, 64>;
var<workgroup> t154_parts: array<f32, 64>;
var<workgroup> t195_shared: array<f32, 64>;
var<workgroup> grew_parts: array<i32, 8>;

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
fn mla_decode_halves(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let own: i32 = (pid0 & 1) * 8;
  let rest: i32 = 8 - own;
  let g: i32 = (pid0 >> 1u) * 8;
  let lengths: i32 = (launch.P - launch.S) * 5;
  let c: f32 = launch.scale * 1.442695f;
  let t: i32 = pid1 * 5;
  var first: i32;
  first = line[t];
  let t_1: i32 = t + 1;
  var last: i32;
  last = line[t_1];
  let t_2: i32 = t + 2;
  var start: i32;
  start = line[t_2];
  let t_3: i32 = t + 3;
  var lo: i32;
  lo = line[t_3];
  let t_4: i32 = t + 4;
  var hi: i32;
  hi = line[t_4];
  let t_BN: i32 = thread & 7;
  let t_5: bool = own > 0;
  var begin: i32 = start;
  let stride: i32 = launch.H * 8;
  let t_GP: i32 = thread >> 3u;
  let left: i32 = launch.H - g;
  let qRope_at: i32 = t_GP * 8 + t_BN;
  let qRope_at_1: i32 = g * 8 + qRope_at;
  let qRope_in: bool = t_GP < left;
  let stride_1: i32 = launch.H * 16;
  let q_at: i32 = t_GP * 16 + t_BN;
  let q_at_1: i32 = g * 16 + rest + q_at;
  let q_at_2: i32 = g * 16 + own + q_at;
  let latents_at: i32 = rest + q_at;
  let latents_at_1: i32 = own + q_at;
  let qRope_tile_shared_at: i32 = (thread & 7) + (thread >> 3u) * 8;
  let ropes_tile_shared_at: i32 = (thread & 7) + (thread >> 3u) * 12;
  let qRope_tile_shared_at_1: i32 = (thread >> 3u) * 8;
  let ropes_tile_shared_at_1: i32 = (thread & 7) * 12;
  let part_at: i32 = t_BN * 8 + t_GP;
  let is_first: bool = (thread & 7) == 0;
  let lse_at: i32 = g + t_GP;
  let s_start = first;
  let s_end = last;
  for (var s: i32 = s_start; s < s_end; s++) {
    let t_6: i32 = lengths + s;
    var len: i32;
    len = line[t_6];
    let blocks: i32 = (len + 7) >> 3u;
    let from_1: i32 = max(lo - begin, 0);
    let qRope_at_2: i32 = qRope_at_1 + s * stride;
    let qRope_in_1: bool = qRope_in & (u32(s) < u32(launch.S));
    var qRope_tile: u32;
    let qRope_tile_word = select(
        0u, qRope[select(0, qRope_at_2 >> 1u, qRope_in_1)], qRope_in_1) >> ((u32(qRope_at_2) & 1u) * 16u);
    qRope_tile = qRope_tile_word & 0xffffu;
    let q_at_3: i32 = q_at_1 + s * stride_1;
    var q_tile: u32;
    let q_tile_word = select(
        0u, q[select(0, q_at_3 >> 1u, qRope_in_1)], qRope_in_1) >> ((u32(q_at_3) & 1u) * 16u);
    q_tile = q_tile_word & 0xffffu;
    let q_at_4: i32 = q_at_2 + s * stride_1;
    var q_tile_1: u32;
    let q_tile_1_word = select(
        0u, q[select(0, q_at_4 >> 1u, qRope_in_1)], qRope_in_1) >> ((u32(q_at_4) & 1u) * 16u);
    q_tile_1 = q_tile_1_word & 0xffffu;
    let to: i32 = max(min(blocks, hi - begin), from_1 + 1);
    var m: f32 = -1e+30f;
    var l: f32 = 0.0f;
    var acc: f32 = 0.0f;
    let qRope_tile_1: f32 = tw_bf16_to_f32(qRope_tile);
    let q_tile_2: f32 = tw_bf16_to_f32(q_tile);
    let q_tile_3: f32 = tw_bf16_to_f32(q_tile_1);
    let b_start = from_1;
    let b_end = to;
    for (var b: i32 = b_start; b < b_end; b++) {
      let t_7: i32 = b * 8;
      let left_1: i32 = len - t_7;
      let t_8: bool = left_1 > 0;
      let row: i32 = select(first, s, t_8);
      let t_9: i32 = select(0, t_7 >> 4u, t_8);
      let table_at: i32 = row * launch.MAXB + t_9;
      var page: i32;
      page = table[table_at];
      let at: i32 = t_7 & 15;
      let t_10: i32 = at + left_1;
      let bound: i32 = min(t_10, 16);
      let left_2: i32 = bound - at;
      let ropes_at: i32 = qRope_at + page * 128 + at * 8;
      let ropes_in: bool = (u32(page) < u32(launch.NB)) & (t_GP < left_2);
      var ropes_tile: u32;
      let ropes_tile_word = select(
          0u, ropes[select(0, ropes_at >> 1u, ropes_in)], ropes_in) >> ((u32(ropes_at) & 1u) * 16u);
      ropes_tile = ropes_tile_word & 0xffffu;
      let latents_at_2: i32 = latents_at + page * 256 + at * 16;
      var latents_tile: u32;
      let latents_tile_word = select(
          0u, latents[select(0, latents_at_2 >> 1u, ropes_in)], ropes_in) >> ((u32(latents_at_2) & 1u) * 16u);
      latents_tile = latents_tile_word & 0xffffu;
      let latents_at_3: i32 = latents_at_1 + page * 256 + at * 16;
      var latents_tile_1: u32;
      let latents_tile_1_word = select(
          0u, latents[select(0, latents_at_3 >> 1u, ropes_in)], ropes_in) >> ((u32(latents_at_3) & 1u) * 16u);
      latents_tile_1 = latents_tile_1_word & 0xffffu;
      qRope_tile_shared[qRope_tile_shared_at] = qRope_tile_1;
      let ropes_tile_1: f32 = tw_bf16_to_f32(ropes_tile);
      ropes_tile_shared[ropes_tile_shared_at] = ropes_tile_1;
      workgroupBarrier();
      var rotated: f32 = 0.0f;
      for (var r: i32 = 0; r < 2; r++) {
        var qRope_tile_shared_1_0: f32; var qRope_tile_shared_1_1: f32;
        var qRope_tile_shared_1_2: f32; var qRope_tile_shared_1_3: f32;
        var ropes_tile_shared_1_0: f32; var ropes_tile_shared_1_1: f32;
        var ropes_tile_shared_1_2: f32; var ropes_tile_shared_1_3: f32;
        let qRope_tile_shared_1_at = qRope_tile_shared_at_1 + r * 4;
        qRope_tile_shared_1_0 = qRope_tile_shared[qRope_tile_shared_1_at];
        qRope_tile_shared_1_1 = qRope_tile_shared[qRope_tile_shared_1_at + 1];
        qRope_tile_shared_1_2 = qRope_tile_shared[qRope_tile_shared_1_at + 2];
        qRope_tile_shared_1_3 = qRope_tile_shared[qRope_tile_shared_1_at + 3];
        let ropes_tile_shared_1_at = ropes_tile_shared_at_1 + r * 4;
        ropes_tile_shared_1_0 = ropes_tile_shared[ropes_tile_shared_1_at];
        ropes_tile_shared_1_1 = ropes_tile_shared[ropes_tile_shared_1_at + 1];
        ropes_tile_shared_1_2 = ropes_tile_shared[ropes_tile_shared_1_at + 2];
        ropes_tile_shared_1_3 = ropes_tile_shared[ropes_tile_shared_1_at + 3];
        rotated = fma(qRope_tile_shared_1_0, ropes_tile_shared_1_0, rotated);
        rotated = fma(qRope_tile_shared_1_1, ropes_tile_shared_1_1, rotated);
        rotated = fma(qRope_tile_shared_1_2, ropes_tile_shared_1_2, rotated);
        rotated = fma(qRope_tile_shared_1_3, ropes_tile_shared_1_3, rotated);
      }
      q_tile_shared[qRope_tile_shared_at] = q_tile_2;
      let latents_tile_2: f32 = tw_bf16_to_f32(latents_tile);
      latents_tile_shared[ropes_tile_shared_at] = latents_tile_2;
      workgroupBarrier();
      var others: f32 = rotated;
      for (var r: i32 = 0; r < 2; r++) {
        var q_tile_shared_1_0: f32; var q_tile_shared_1_1: f32; var q_tile_shared_1_2: f32;
        var q_tile_shared_1_3: f32;
        var latents_tile_shared_1_0: f32; var latents_tile_shared_1_1: f32;
        var latents_tile_shared_1_2: f32; var latents_tile_shared_1_3: f32;
        let q_tile_shared_1_at = qRope_tile_shared_at_1 + r * 4;
        q_tile_shared_1_0 = q_tile_shared[q_tile_shared_1_at];
        q_tile_shared_1_1 = q_tile_shared[q_tile_shared_1_at + 1];
        q_tile_shared_1_2 = q_tile_shared[q_tile_shared_1_at + 2];
        q_tile_shared_1_3 = q_tile_shared[q_tile_shared_1_at + 3];
        let latents_tile_shared_1_at = ropes_tile_shared_at_1 + r * 4;
        latents_tile_shared_1_0 = latents_tile_shared[latents_tile_shared_1_at];
        latents_tile_shared_1_1 = latents_tile_shared[latents_tile_shared_1_at + 1];
        latents_tile_shared_1_2 = latents_tile_shared[latents_tile_shared_1_at + 2];
        latents_tile_shared_1_3 = latents_tile_shared[latents_tile_shared_1_at + 3];
        others = fma(q_tile_shared_1_0, latents_tile_shared_1_0, others);
        others = fma(q_tile_shared_1_1, latents_tile_shared_1_1, others);
        others = fma(q_tile_shared_1_2, latents_tile_shared_1_2, others);
        others = fma(q_tile_shared_1_3, latents_tile_shared_1_3, others);
      }
      q_tile_shared_2[qRope_tile_shared_at] = q_tile_3;
      let latents_tile_3: f32 = tw_bf16_to_f32(latents_tile_1);
      latents_tile_shared_2[ropes_tile_shared_at] = latents_tile_3;
      workgroupBarrier();
      var others_1: f32 = others;
      for (var r: i32 = 0; r < 2; r++) {
        var q_tile_shared_2_1_0: f32; var q_tile_shared_2_1_1: f32; var q_tile_shared_2_1_2: f32;
        var q_tile_shared_2_1_3: f32;
        var latents_tile_shared_2_1_0: f32; var latents_tile_shared_2_1_1: f32;
        var latents_tile_shared_2_1_2: f32; var latents_tile_shared_2_1_3: f32;
        let q_tile_shared_2_1_at = qRope_tile_shared_at_1 + r * 4;
        q_tile_shared_2_1_0 = q_tile_shared_2[q_tile_shared_2_1_at];
        q_tile_shared_2_1_1 = q_tile_shared_2[q_tile_shared_2_1_at + 1];
        q_tile_shared_2_1_2 = q_tile_shared_2[q_tile_shared_2_1_at + 2];
        q_tile_shared_2_1_3 = q_tile_shared_2[q_tile_shared_2_1_at + 3];
        let latents_tile_shared_2_1_at = ropes_tile_shared_at_1 + r * 4;
        latents_tile_shared_2_1_0 = latents_tile_shared_2[latents_tile_shared_2_1_at];
        latents_tile_shared_2_1_1 = latents_tile_shared_2[latents_tile_shared_2_1_at + 1];
        latents_tile_shared_2_1_2 = latents_tile_shared_2[latents_tile_shared_2_1_at + 2];
        latents_tile_shared_2_1_3 = latents_tile_shared_2[latents_tile_shared_2_1_at + 3];
        others_1 = fma(q_tile_shared_2_1_0, latents_tile_shared_2_1_0, others_1);
        others_1 = fma(q_tile_shared_2_1_1, latents_tile_shared_2_1_1, others_1);
        others_1 = fma(q_tile_shared_2_1_2, latents_tile_shared_2_1_2, others_1);
        others_1 = fma(q_tile_shared_2_1_3, latents_tile_shared_2_1_3, others_1);
      }
      let x: f32 = select(tw_bits_f32(0xff800000u), others_1, t_7 + t_BN < len);
      var most: f32 = tw_max(tw_bits_f32(0xff800000u), x);
      t127_parts[part_at] = most;
      workgroupBarrier();
      most = t127_parts[t_GP];
      var other: f32;
      other = t127_parts[t_GP + 8];
      most = tw_max(most, other);
      var other_1: f32;
      other_1 = t127_parts[t_GP + 16];
      most = tw_max(most, other_1);
      var other_2: f32;
      other_2 = t127_parts[t_GP + 24];
      most = tw_max(most, other_2);
      var other_3: f32;
      other_3 = t127_parts[t_GP + 32];
      most = tw_max(most, other_3);
      var other_4: f32;
      other_4 = t127_parts[t_GP + 40];
      most = tw_max(most, other_4);
      var other_5: f32;
      other_5 = t127_parts[t_GP + 48];
      most = tw_max(most, other_5);
      var other_6: f32;
      other_6 = t127_parts[t_GP + 56];
      most = tw_max(most, other_6);
      let top: f32 = tw_max(m, most);
      let grew: bool = (top - m) * c > 8.0f;
      var grew_1: i32 = select(0, 1, grew);
      if (is_first) {
        grew_parts[t_GP] = grew_1;
      }
      workgroupBarrier();
      var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
      var parts_5: i32; var parts_6: i32; var parts_7: i32;
      parts_0 = grew_parts[0];
      parts_1 = grew_parts[1];
      parts_2 = grew_parts[2];
      parts_3 = grew_parts[3];
      parts_4 = grew_parts[4];
      parts_5 = grew_parts[5];
      parts_6 = grew_parts[6];
      parts_7 = grew_parts[7];
      grew_1 = parts_0;
      grew_1 = max(grew_1, parts_1);
      grew_1 = max(grew_1, parts_2);
      grew_1 = max(grew_1, parts_3);
      grew_1 = max(grew_1, parts_4);
      grew_1 = max(grew_1, parts_5);
      grew_1 = max(grew_1, parts_6);
      grew_1 = max(grew_1, parts_7);
      let grew_2: bool = grew_1 != 0;
      var t_11: f32;
      var t_12: f32;
      var t_13: f32;
      if (grew_2) {
        let next: f32 = select(m, top, grew);
        let alpha: f32 = tw_exp2((m - next) * c);
        t_11 = next;
        t_12 = l * alpha;
        t_13 = acc * alpha;
      } else {
        t_11 = m;
        t_12 = l;
        t_13 = acc;
      }
      let p: f32 = tw_exp2(x * c - t_11 * c);
      var sum: f32 = p;
      t154_parts[part_at] = sum;
      workgroupBarrier();
      sum = t154_parts[t_GP];
      var other_7: f32;
      other_7 = t154_parts[t_GP + 8];
      sum = sum + other_7;
      var other_8: f32;
      other_8 = t154_parts[t_GP + 16];
      sum = sum + other_8;
      var other_9: f32;
      other_9 = t154_parts[t_GP + 24];
      sum = sum + other_9;
      var other_10: f32;
      other_10 = t154_parts[t_GP + 32];
      sum = sum + other_10;
      var other_11: f32;
      other_11 = t154_parts[t_GP + 40];
      sum = sum + other_11;
      var other_12: f32;
      other_12 = t154_parts[t_GP + 48];
      sum = sum + other_12;
      var other_13: f32;
      other_13 = t154_parts[t_GP + 56];
      sum = sum + other_13;
      let t195_shared_tile: f32 = tw_bf16_to_f32(tw_f32_to_bf16(p));
      t195_shared[qRope_tile_shared_at] = t195_shared_tile;
      workgroupBarrier();
      var acc_1: f32 = t_13;
      for (var r: i32 = 0; r < 2; r++) {
        var t195_shared_1_0: f32; var t195_shared_1_1: f32; var t195_shared_1_2: f32;
        var t195_shared_1_3: f32;
        var latents_tile_shared_2_2_0: f32; var latents_tile_shared_2_2_1: f32;
        var latents_tile_shared_2_2_2: f32; var latents_tile_shared_2_2_3: f32;
        let t195_shared_1_at = qRope_tile_shared_at_1 + r * 4;
        t195_shared_1_0 = t195_shared[t195_shared_1_at];
        t195_shared_1_1 = t195_shared[t195_shared_1_at + 1];
        t195_shared_1_2 = t195_shared[t195_shared_1_at + 2];
        t195_shared_1_3 = t195_shared[t195_shared_1_at + 3];
        latents_tile_shared_2_2_0 = latents_tile_shared_2[t_BN + r * 48];
        latents_tile_shared_2_2_1 = latents_tile_shared_2[t_BN + r * 48 + 12];
        latents_tile_shared_2_2_2 = latents_tile_shared_2[t_BN + r * 48 + 24];
        latents_tile_shared_2_2_3 = latents_tile_shared_2[t_BN + r * 48 + 36];
        acc_1 = fma(t195_shared_1_0, latents_tile_shared_2_2_0, acc_1);
        acc_1 = fma(t195_shared_1_1, latents_tile_shared_2_2_1, acc_1);
        acc_1 = fma(t195_shared_1_2, latents_tile_shared_2_2_2, acc_1);
        acc_1 = fma(t195_shared_1_3, latents_tile_shared_2_2_3, acc_1);
      }
      m = t_11;
      l = t_12 + sum;
      acc = acc_1;
    }
    let total: f32 = tw_max(l, 1e-30f);
    let end: i32 = select(0, launch.H, len > 0);
    let t_14: i32 = s + pid1;
    let bound_1: i32 = min(end, launch.H);
    let left_3: i32 = bound_1 - g;
    let partial_at: i32 = q_at_2 + t_14 * stride_1;
    let partial_in: bool = (u32(t_14) < u32(launch.P)) & (t_GP < left_3);
    let partial_tile: f32 = acc * (1.0f / total);
    if (partial_in) {
      partial[partial_at] = partial_tile;
    }
    workgroupBarrier();
    let once: i32 = select(end, 0, t_5);
    let bound_2: i32 = min(once, launch.H);
    let left_4: i32 = bound_2 - g;
    let lse_at_1: i32 = lse_at + t_14 * launch.H;
    let lse_in: bool = (u32(t_14) < u32(launch.P)) & (t_GP < left_4);
    if (is_first) {
      let lse_tile: f32 = m * c + tw_log2(total);
      if (lse_in) {
        lse[lse_at_1] = lse_tile;
      }
    }
    begin = begin + blocks;
  }
}
