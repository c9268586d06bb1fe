// sample for wgsl, made by tilewright
// config: BV=2048
// dims divisible: S%2 V%8
// 256 threads, 9216 bytes of shared memory
//       0 … 1024: top_parts f32[256]
//    1024 … 2048: largest_parts i32[256]
//    2048 … 3072: count_parts i32[256]
//    3072 … 4096: t117_parts f32[256]
//    4096 … 5120: countLo_parts i32[256]
//    5120 … 6144: count_parts_2 i32[256]
//    6144 … 7168: t175_parts f32[256]
//    7168 … 8192: winner_parts f32[256]
//    8192 … 9216: t279_parts i32[256]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  V: i32,
}
@group(0) @binding(0) var<storage, read> logits: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> temperature: array<f32>;
@group(0) @binding(2) var<storage, read> topK: array<i32>;
@group(0) @binding(3) var<storage, read> topP: array<f32>;
@group(0) @binding(4) var<storage, read> minP: array<f32>;
@group(0) @binding(5) var<storage, read> seed: array<i32>;
@group(0) @binding(6) var<storage, read> position: array<i32>;
@group(0) @binding(7) var<storage, read_write> token: array<i32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> top_parts: array<f32, 256>;
var<workgroup> largest_parts: array<i32, 256>;
var<workgroup> count_parts: array<i32, 256>;
var<workgroup> t117_parts: array<f32, 256>;
var<workgroup> countLo_parts: array<i32, 256>;
var<workgroup> count_parts_2: array<i32, 256>;
var<workgroup> t175_parts: array<f32, 256>;
var<workgroup> winner_parts: array<f32, 256>;
var<workgroup> t279_parts: array<i32, 256>;
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

// Upper 32 bits of the product, from products of halves.
fn tw_mulhi_u32(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let middle = a1 * b0 + ((a0 * b0) >> 16u);
  let low = a0 * b1 + (middle & 0xffffu);
  return a1 * b1 + (middle >> 16u) + (low >> 16u);
}

// Both halves are exact, so that the sum is the only rounding; SwiftShader's own conversion rounds twice.
fn tw_u32_to_f32(x: u32) -> f32 { return f32(x >> 16u) * 65536.0f + f32(x & 0xffffu); }

// The other operand where one is NaN.
fn tw_min(a: f32, b: f32) -> f32 { return select(select(min(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

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
fn sample(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  var t: f32;
  t = temperature[pid0];
  let t_BV: i32 = thread * 4;
  var best_0: f32; var best_1: f32; var best_2: f32; var best_3: f32; var best_4: f32;
  var best_5: f32; var best_6: f32; var best_7: f32;
  best_0 = tw_bits_f32(0xff800000u); best_1 = tw_bits_f32(0xff800000u);
  best_2 = tw_bits_f32(0xff800000u); best_3 = tw_bits_f32(0xff800000u);
  best_4 = tw_bits_f32(0xff800000u); best_5 = tw_bits_f32(0xff800000u);
  best_6 = tw_bits_f32(0xff800000u); best_7 = tw_bits_f32(0xff800000u);
  var bestAt_0: i32; var bestAt_1: i32; var bestAt_2: i32; var bestAt_3: i32; var bestAt_4: i32;
  var bestAt_5: i32; var bestAt_6: i32; var bestAt_7: i32;
  bestAt_0 = t_BV; bestAt_1 = t_BV + 1; bestAt_2 = t_BV + 2; bestAt_3 = t_BV + 3;
  bestAt_4 = t_BV + 1024; bestAt_5 = t_BV + 1025; bestAt_6 = t_BV + 1026; bestAt_7 = t_BV + 1027;
  let logits_at: i32 = pid0 * launch.V + t_BV;
  let logits_in: bool = pid0 < launch.S;
  for (var v: i32 = 0; v < launch.V; v += 2048) {
    let logits_at_1: i32 = logits_at + v;
    var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
    var x_6: f32; var x_7: f32;
    let left: i32 = launch.V - v;
    let x_in = logits_in & (t_BV < left);
    let x_word = select(
        vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, logits_at_1 >> 2u, x_in)], x_in);
    x_0 = x_word.x; x_1 = x_word.y; x_2 = x_word.z; x_3 = x_word.w;
    let x_in_1 = logits_in & (t_BV + 1024 < left);
    let x_word_1 = select(
        vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, (logits_at_1 + 1024) >> 2u, x_in_1)],
        x_in_1);
    x_4 = x_word_1.x; x_5 = x_word_1.y; x_6 = x_word_1.z; x_7 = x_word_1.w;
    var better_0: bool; var better_1: bool; var better_2: bool; var better_3: bool;
    var better_4: bool; var better_5: bool; var better_6: bool; var better_7: bool;
    better_0 = x_0 > best_0;
    best_0 = select(best_0, x_0, better_0);
    better_1 = x_1 > best_1;
    best_1 = select(best_1, x_1, better_1);
    better_2 = x_2 > best_2;
    best_2 = select(best_2, x_2, better_2);
    better_3 = x_3 > best_3;
    best_3 = select(best_3, x_3, better_3);
    better_4 = x_4 > best_4;
    best_4 = select(best_4, x_4, better_4);
    better_5 = x_5 > best_5;
    best_5 = select(best_5, x_5, better_5);
    better_6 = x_6 > best_6;
    best_6 = select(best_6, x_6, better_6);
    better_7 = x_7 > best_7;
    best_7 = select(best_7, x_7, better_7); bestAt_0 = select(bestAt_0, v + t_BV, better_0);
    bestAt_1 = select(bestAt_1, v + t_BV + 1, better_1);
    bestAt_2 = select(bestAt_2, v + t_BV + 2, better_2);
    bestAt_3 = select(bestAt_3, v + t_BV + 3, better_3);
    bestAt_4 = select(bestAt_4, v + t_BV + 1024, better_4);
    bestAt_5 = select(bestAt_5, v + t_BV + 1025, better_5);
    bestAt_6 = select(bestAt_6, v + t_BV + 1026, better_6);
    bestAt_7 = select(bestAt_7, v + t_BV + 1027, better_7);
  }
  var top: f32 = tw_bits_f32(0xff800000u);
  top = tw_max(top, best_0);
  top = tw_max(top, best_1);
  top = tw_max(top, best_2);
  top = tw_max(top, best_3);
  top = tw_max(top, best_4);
  top = tw_max(top, best_5);
  top = tw_max(top, best_6);
  top = tw_max(top, best_7);
  top_parts[thread] = top;
  workgroupBarrier();
  if (thread < 16) {
    top = top_parts[thread];
    for (var r: i32 = 1; r < 16; r++) {
      var other: f32;
      other = top_parts[thread + r * 16];
      top = tw_max(top, other);
    }
    top_parts[thread] = top;
  }
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32; var parts_8: f32; var parts_9: f32;
  var parts_10: f32; var parts_11: f32; var parts_12: f32; var parts_13: f32; var parts_14: f32;
  var parts_15: f32;
  parts_0 = top_parts[0];
  parts_1 = top_parts[1];
  parts_2 = top_parts[2];
  parts_3 = top_parts[3];
  parts_4 = top_parts[4];
  parts_5 = top_parts[5];
  parts_6 = top_parts[6];
  parts_7 = top_parts[7];
  parts_8 = top_parts[8];
  parts_9 = top_parts[9];
  parts_10 = top_parts[10];
  parts_11 = top_parts[11];
  parts_12 = top_parts[12];
  parts_13 = top_parts[13];
  parts_14 = top_parts[14];
  parts_15 = top_parts[15];
  top = parts_0;
  top = tw_max(top, parts_1);
  top = tw_max(top, parts_2);
  top = tw_max(top, parts_3);
  top = tw_max(top, parts_4);
  top = tw_max(top, parts_5);
  top = tw_max(top, parts_6);
  top = tw_max(top, parts_7);
  top = tw_max(top, parts_8);
  top = tw_max(top, parts_9);
  top = tw_max(top, parts_10);
  top = tw_max(top, parts_11);
  top = tw_max(top, parts_12);
  top = tw_max(top, parts_13);
  top = tw_max(top, parts_14);
  top = tw_max(top, parts_15);
  var largest: i32 = 2147483647;
  largest = min(largest, select(2147483647, bestAt_0, best_0 >= top));
  largest = min(largest, select(2147483647, bestAt_1, best_1 >= top));
  largest = min(largest, select(2147483647, bestAt_2, best_2 >= top));
  largest = min(largest, select(2147483647, bestAt_3, best_3 >= top));
  largest = min(largest, select(2147483647, bestAt_4, best_4 >= top));
  largest = min(largest, select(2147483647, bestAt_5, best_5 >= top));
  largest = min(largest, select(2147483647, bestAt_6, best_6 >= top));
  largest = min(largest, select(2147483647, bestAt_7, best_7 >= top));
  largest_parts[thread] = largest;
  workgroupBarrier();
  if (thread < 16) {
    largest = largest_parts[thread];
    for (var r: i32 = 1; r < 16; r++) {
      var other_1: i32;
      other_1 = largest_parts[thread + r * 16];
      largest = min(largest, other_1);
    }
    largest_parts[thread] = largest;
  }
  workgroupBarrier();
  var parts_1_1_0: i32; var parts_1_1_1: i32; var parts_1_1_2: i32; var parts_1_1_3: i32;
  var parts_1_1_4: i32; var parts_1_1_5: i32; var parts_1_1_6: i32; var parts_1_1_7: i32;
  var parts_1_1_8: i32; var parts_1_1_9: i32; var parts_1_1_10: i32; var parts_1_1_11: i32;
  var parts_1_1_12: i32; var parts_1_1_13: i32; var parts_1_1_14: i32; var parts_1_1_15: i32;
  parts_1_1_0 = largest_parts[0];
  parts_1_1_1 = largest_parts[1];
  parts_1_1_2 = largest_parts[2];
  parts_1_1_3 = largest_parts[3];
  parts_1_1_4 = largest_parts[4];
  parts_1_1_5 = largest_parts[5];
  parts_1_1_6 = largest_parts[6];
  parts_1_1_7 = largest_parts[7];
  parts_1_1_8 = largest_parts[8];
  parts_1_1_9 = largest_parts[9];
  parts_1_1_10 = largest_parts[10];
  parts_1_1_11 = largest_parts[11];
  parts_1_1_12 = largest_parts[12];
  parts_1_1_13 = largest_parts[13];
  parts_1_1_14 = largest_parts[14];
  parts_1_1_15 = largest_parts[15];
  largest = parts_1_1_0;
  largest = min(largest, parts_1_1_1);
  largest = min(largest, parts_1_1_2);
  largest = min(largest, parts_1_1_3);
  largest = min(largest, parts_1_1_4);
  largest = min(largest, parts_1_1_5);
  largest = min(largest, parts_1_1_6);
  largest = min(largest, parts_1_1_7);
  largest = min(largest, parts_1_1_8);
  largest = min(largest, parts_1_1_9);
  largest = min(largest, parts_1_1_10);
  largest = min(largest, parts_1_1_11);
  largest = min(largest, parts_1_1_12);
  largest = min(largest, parts_1_1_13);
  largest = min(largest, parts_1_1_14);
  largest = min(largest, parts_1_1_15);
  let t_1: bool = top == tw_bits_f32(0xff800000u);
  let is_first: bool = thread == 0;
  if (thread == 0) { uniform_word = u32(t_1); }
  let agreed = workgroupUniformLoad(&uniform_word) != 0u;
  if (agreed) {
    if (is_first) {
      let token_tile: i32 = -1;
      if (logits_in) {
        token[pid0] = token_tile;
      }
    }
  } else {
    let t_2: bool = t < 0.00001f;
    if (t_2) {
      if (is_first) {
        if (logits_in) {
          token[pid0] = largest;
        }
      }
    } else {
      let c: f32 = 1.442695f / t;
      var pMin: f32;
      pMin = minP[pid0];
      let lowest: f32 = select(tw_bits_f32(0xff800000u), tw_log2(pMin), pMin > 0.0f);
      var k: i32;
      k = topK[pid0];
      var p: f32;
      p = topP[pid0];
      let t_3: bool = (k > 0) & (k < launch.V);
      var cut: f32;
      if (t_3) {
        let bits: i32 = bitcast<i32>(top);
        var hi: i32 = select(bits ^ 2147483647, bits, bits >= 0) + 1;
        var lo: i32 = -2139095041;
        loop {
          let t_4: bool = lo + 1 < hi;
          if (thread == 0) { uniform_word = u32(t_4); }
          let go_on = workgroupUniformLoad(&uniform_word) != 0u;
          if (!go_on) { break; }
          let mid: i32 = (lo & hi) + ((lo ^ hi) >> 1u);
          let pivot: f32 = bitcast<f32>(select(mid ^ 2147483647, mid, mid >= 0));
          var above_0: i32; var above_1: i32; var above_2: i32; var above_3: i32; var above_4: i32;
          var above_5: i32; var above_6: i32; var above_7: i32;
          above_0 = 0; above_1 = 0; above_2 = 0; above_3 = 0; above_4 = 0; above_5 = 0; above_6 = 0;
          above_7 = 0;
          for (var v_1: i32 = 0; v_1 < launch.V; v_1 += 2048) {
            let logits_at_2: i32 = logits_at + v_1;
            var x_1_0: f32; var x_1_1: f32; var x_1_2: f32; var x_1_3: f32; var x_1_4: f32;
            var x_1_5: f32; var x_1_6: f32; var x_1_7: f32;
            let left_1: i32 = launch.V - v_1;
            let x_1_in = logits_in & (t_BV < left_1);
            let x_1_word = select(
                vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, logits_at_2 >> 2u, x_1_in)],
                x_1_in);
            x_1_0 = x_1_word.x; x_1_1 = x_1_word.y; x_1_2 = x_1_word.z; x_1_3 = x_1_word.w;
            let x_1_in_1 = logits_in & (t_BV + 1024 < left_1);
            let x_1_word_1 = select(
                vec4<f32>(tw_bits_f32(0xff800000u)),
                logits[select(0, (logits_at_2 + 1024) >> 2u, x_1_in_1)], x_1_in_1);
            x_1_4 = x_1_word_1.x; x_1_5 = x_1_word_1.y; x_1_6 = x_1_word_1.z; x_1_7 = x_1_word_1.w;
            above_0 = above_0 + select(0, 1, x_1_0 >= pivot);
            above_1 = above_1 + select(0, 1, x_1_1 >= pivot);
            above_2 = above_2 + select(0, 1, x_1_2 >= pivot);
            above_3 = above_3 + select(0, 1, x_1_3 >= pivot);
            above_4 = above_4 + select(0, 1, x_1_4 >= pivot);
            above_5 = above_5 + select(0, 1, x_1_5 >= pivot);
            above_6 = above_6 + select(0, 1, x_1_6 >= pivot);
            above_7 = above_7 + select(0, 1, x_1_7 >= pivot);
          }
          workgroupBarrier();
          var count: i32 = 0;
          count = count + above_0;
          count = count + above_1;
          count = count + above_2;
          count = count + above_3;
          count = count + above_4;
          count = count + above_5;
          count = count + above_6;
          count = count + above_7;
          count_parts[thread] = count;
          workgroupBarrier();
          if (thread < 16) {
            count = count_parts[thread];
            for (var r: i32 = 1; r < 16; r++) {
              var other_2: i32;
              other_2 = count_parts[thread + r * 16];
              count = count + other_2;
            }
            count_parts[thread] = count;
          }
          workgroupBarrier();
          var parts_2_1_0: i32; var parts_2_1_1: i32; var parts_2_1_2: i32; var parts_2_1_3: i32;
          var parts_2_1_4: i32; var parts_2_1_5: i32; var parts_2_1_6: i32; var parts_2_1_7: i32;
          var parts_2_1_8: i32; var parts_2_1_9: i32; var parts_2_1_10: i32; var parts_2_1_11: i32;
          var parts_2_1_12: i32; var parts_2_1_13: i32; var parts_2_1_14: i32;
          var parts_2_1_15: i32;
          parts_2_1_0 = count_parts[0];
          parts_2_1_1 = count_parts[1];
          parts_2_1_2 = count_parts[2];
          parts_2_1_3 = count_parts[3];
          parts_2_1_4 = count_parts[4];
          parts_2_1_5 = count_parts[5];
          parts_2_1_6 = count_parts[6];
          parts_2_1_7 = count_parts[7];
          parts_2_1_8 = count_parts[8];
          parts_2_1_9 = count_parts[9];
          parts_2_1_10 = count_parts[10];
          parts_2_1_11 = count_parts[11];
          parts_2_1_12 = count_parts[12];
          parts_2_1_13 = count_parts[13];
          parts_2_1_14 = count_parts[14];
          parts_2_1_15 = count_parts[15];
          count = parts_2_1_0;
          count = count + parts_2_1_1;
          count = count + parts_2_1_2;
          count = count + parts_2_1_3;
          count = count + parts_2_1_4;
          count = count + parts_2_1_5;
          count = count + parts_2_1_6;
          count = count + parts_2_1_7;
          count = count + parts_2_1_8;
          count = count + parts_2_1_9;
          count = count + parts_2_1_10;
          count = count + parts_2_1_11;
          count = count + parts_2_1_12;
          count = count + parts_2_1_13;
          count = count + parts_2_1_14;
          count = count + parts_2_1_15;
          hi = select(hi, mid, count <= k);
          lo = select(lo, mid, count >= k);
        }
        cut = bitcast<f32>(select(lo ^ 2147483647, lo, lo >= 0));
      } else {
        cut = tw_bits_f32(0xff800000u);
      }
      let t_5: bool = p < 1.0f;
      var cut_1: f32;
      if (t_5) {
        var mass_0: f32; var mass_1: f32; var mass_2: f32; var mass_3: f32; var mass_4: f32;
        var mass_5: f32; var mass_6: f32; var mass_7: f32;
        var kept_0: i32; var kept_1: i32; var kept_2: i32; var kept_3: i32; var kept_4: i32;
        var kept_5: i32; var kept_6: i32; var kept_7: i32;
        mass_0 = 0.0f; kept_0 = 0; mass_1 = 0.0f; kept_1 = 0; mass_2 = 0.0f; kept_2 = 0;
        mass_3 = 0.0f; kept_3 = 0; mass_4 = 0.0f; kept_4 = 0; mass_5 = 0.0f; kept_5 = 0;
        mass_6 = 0.0f; kept_6 = 0; mass_7 = 0.0f; kept_7 = 0;
        for (var v_2: i32 = 0; v_2 < launch.V; v_2 += 2048) {
          let logits_at_3: i32 = logits_at + v_2;
          var x_2_0: f32; var x_2_1: f32; var x_2_2: f32; var x_2_3: f32; var x_2_4: f32;
          var x_2_5: f32; var x_2_6: f32; var x_2_7: f32;
          let left_2: i32 = launch.V - v_2;
          let x_2_in = logits_in & (t_BV < left_2);
          let x_2_word = select(
              vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, logits_at_3 >> 2u, x_2_in)],
              x_2_in);
          x_2_0 = x_2_word.x; x_2_1 = x_2_word.y; x_2_2 = x_2_word.z; x_2_3 = x_2_word.w;
          let x_2_in_1 = logits_in & (t_BV + 1024 < left_2);
          let x_2_word_1 = select(
              vec4<f32>(tw_bits_f32(0xff800000u)),
              logits[select(0, (logits_at_3 + 1024) >> 2u, x_2_in_1)], x_2_in_1);
          x_2_4 = x_2_word_1.x; x_2_5 = x_2_word_1.y; x_2_6 = x_2_word_1.z; x_2_7 = x_2_word_1.w;
          let z: f32 = (x_2_0 - top) * c;
          let keep: bool = ((x_2_0 >= cut) & (z >= lowest)) & (x_2_0 > tw_bits_f32(0xff800000u));
          mass_0 = mass_0 + select(0.0f, tw_exp2(z), keep); kept_0 = kept_0 + select(0, 1, keep);
          let z_1: f32 = (x_2_1 - top) * c;
          let keep_1: bool = ((x_2_1 >= cut) & (z_1 >= lowest)) & (x_2_1 > tw_bits_f32(0xff800000u));
          mass_1 = mass_1 + select(0.0f, tw_exp2(z_1), keep_1);
          kept_1 = kept_1 + select(0, 1, keep_1);
          let z_2: f32 = (x_2_2 - top) * c;
          let keep_2: bool = ((x_2_2 >= cut) & (z_2 >= lowest)) & (x_2_2 > tw_bits_f32(0xff800000u));
          mass_2 = mass_2 + select(0.0f, tw_exp2(z_2), keep_2);
          kept_2 = kept_2 + select(0, 1, keep_2);
          let z_3: f32 = (x_2_3 - top) * c;
          let keep_3: bool = ((x_2_3 >= cut) & (z_3 >= lowest)) & (x_2_3 > tw_bits_f32(0xff800000u));
          mass_3 = mass_3 + select(0.0f, tw_exp2(z_3), keep_3);
          kept_3 = kept_3 + select(0, 1, keep_3);
          let z_4: f32 = (x_2_4 - top) * c;
          let keep_4: bool = ((x_2_4 >= cut) & (z_4 >= lowest)) & (x_2_4 > tw_bits_f32(0xff800000u));
          mass_4 = mass_4 + select(0.0f, tw_exp2(z_4), keep_4);
          kept_4 = kept_4 + select(0, 1, keep_4);
          let z_5: f32 = (x_2_5 - top) * c;
          let keep_5: bool = ((x_2_5 >= cut) & (z_5 >= lowest)) & (x_2_5 > tw_bits_f32(0xff800000u));
          mass_5 = mass_5 + select(0.0f, tw_exp2(z_5), keep_5);
          kept_5 = kept_5 + select(0, 1, keep_5);
          let z_6: f32 = (x_2_6 - top) * c;
          let keep_6: bool = ((x_2_6 >= cut) & (z_6 >= lowest)) & (x_2_6 > tw_bits_f32(0xff800000u));
          mass_6 = mass_6 + select(0.0f, tw_exp2(z_6), keep_6);
          kept_6 = kept_6 + select(0, 1, keep_6);
          let z_7: f32 = (x_2_7 - top) * c;
          let keep_7: bool = ((x_2_7 >= cut) & (z_7 >= lowest)) & (x_2_7 > tw_bits_f32(0xff800000u));
          mass_7 = mass_7 + select(0.0f, tw_exp2(z_7), keep_7);
          kept_7 = kept_7 + select(0, 1, keep_7);
        }
        var sum: f32 = 0.0f;
        sum = sum + mass_0;
        sum = sum + mass_1;
        sum = sum + mass_2;
        sum = sum + mass_3;
        sum = sum + mass_4;
        sum = sum + mass_5;
        sum = sum + mass_6;
        sum = sum + mass_7;
        t117_parts[thread] = sum;
        workgroupBarrier();
        if (thread < 16) {
          sum = t117_parts[thread];
          for (var r: i32 = 1; r < 16; r++) {
            var other_3: f32;
            other_3 = t117_parts[thread + r * 16];
            sum = sum + other_3;
          }
          t117_parts[thread] = sum;
        }
        workgroupBarrier();
        var parts_3_1_0: f32; var parts_3_1_1: f32; var parts_3_1_2: f32; var parts_3_1_3: f32;
        var parts_3_1_4: f32; var parts_3_1_5: f32; var parts_3_1_6: f32; var parts_3_1_7: f32;
        var parts_3_1_8: f32; var parts_3_1_9: f32; var parts_3_1_10: f32; var parts_3_1_11: f32;
        var parts_3_1_12: f32; var parts_3_1_13: f32; var parts_3_1_14: f32; var parts_3_1_15: f32;
        parts_3_1_0 = t117_parts[0];
        parts_3_1_1 = t117_parts[1];
        parts_3_1_2 = t117_parts[2];
        parts_3_1_3 = t117_parts[3];
        parts_3_1_4 = t117_parts[4];
        parts_3_1_5 = t117_parts[5];
        parts_3_1_6 = t117_parts[6];
        parts_3_1_7 = t117_parts[7];
        parts_3_1_8 = t117_parts[8];
        parts_3_1_9 = t117_parts[9];
        parts_3_1_10 = t117_parts[10];
        parts_3_1_11 = t117_parts[11];
        parts_3_1_12 = t117_parts[12];
        parts_3_1_13 = t117_parts[13];
        parts_3_1_14 = t117_parts[14];
        parts_3_1_15 = t117_parts[15];
        sum = parts_3_1_0;
        sum = sum + parts_3_1_1;
        sum = sum + parts_3_1_2;
        sum = sum + parts_3_1_3;
        sum = sum + parts_3_1_4;
        sum = sum + parts_3_1_5;
        sum = sum + parts_3_1_6;
        sum = sum + parts_3_1_7;
        sum = sum + parts_3_1_8;
        sum = sum + parts_3_1_9;
        sum = sum + parts_3_1_10;
        sum = sum + parts_3_1_11;
        sum = sum + parts_3_1_12;
        sum = sum + parts_3_1_13;
        sum = sum + parts_3_1_14;
        sum = sum + parts_3_1_15;
        let target_1: f32 = p * sum;
        let bits_1: i32 = bitcast<i32>(cut);
        let bits_2: i32 = bitcast<i32>(top);
        var countLo: i32 = 0;
        countLo = countLo + kept_0;
        countLo = countLo + kept_1;
        countLo = countLo + kept_2;
        countLo = countLo + kept_3;
        countLo = countLo + kept_4;
        countLo = countLo + kept_5;
        countLo = countLo + kept_6;
        countLo = countLo + kept_7;
        countLo_parts[thread] = countLo;
        workgroupBarrier();
        if (thread < 16) {
          countLo = countLo_parts[thread];
          for (var r: i32 = 1; r < 16; r++) {
            var other_4: i32;
            other_4 = countLo_parts[thread + r * 16];
            countLo = countLo + other_4;
          }
          countLo_parts[thread] = countLo;
        }
        workgroupBarrier();
        var parts_4_1_0: i32; var parts_4_1_1: i32; var parts_4_1_2: i32; var parts_4_1_3: i32;
        var parts_4_1_4: i32; var parts_4_1_5: i32; var parts_4_1_6: i32; var parts_4_1_7: i32;
        var parts_4_1_8: i32; var parts_4_1_9: i32; var parts_4_1_10: i32; var parts_4_1_11: i32;
        var parts_4_1_12: i32; var parts_4_1_13: i32; var parts_4_1_14: i32; var parts_4_1_15: i32;
        parts_4_1_0 = countLo_parts[0];
        parts_4_1_1 = countLo_parts[1];
        parts_4_1_2 = countLo_parts[2];
        parts_4_1_3 = countLo_parts[3];
        parts_4_1_4 = countLo_parts[4];
        parts_4_1_5 = countLo_parts[5];
        parts_4_1_6 = countLo_parts[6];
        parts_4_1_7 = countLo_parts[7];
        parts_4_1_8 = countLo_parts[8];
        parts_4_1_9 = countLo_parts[9];
        parts_4_1_10 = countLo_parts[10];
        parts_4_1_11 = countLo_parts[11];
        parts_4_1_12 = countLo_parts[12];
        parts_4_1_13 = countLo_parts[13];
        parts_4_1_14 = countLo_parts[14];
        parts_4_1_15 = countLo_parts[15];
        countLo = parts_4_1_0;
        countLo = countLo + parts_4_1_1;
        countLo = countLo + parts_4_1_2;
        countLo = countLo + parts_4_1_3;
        countLo = countLo + parts_4_1_4;
        countLo = countLo + parts_4_1_5;
        countLo = countLo + parts_4_1_6;
        countLo = countLo + parts_4_1_7;
        countLo = countLo + parts_4_1_8;
        countLo = countLo + parts_4_1_9;
        countLo = countLo + parts_4_1_10;
        countLo = countLo + parts_4_1_11;
        countLo = countLo + parts_4_1_12;
        countLo = countLo + parts_4_1_13;
        countLo = countLo + parts_4_1_14;
        countLo = countLo + parts_4_1_15;
        var lo_1: i32 = select(bits_1 ^ 2147483647, bits_1, bits_1 >= 0);
        var countLo_1: i32 = countLo;
        var hi_1: i32 = select(bits_2 ^ 2147483647, bits_2, bits_2 >= 0) + 1;
        var countHi: i32 = 0;
        loop {
          let t_6: bool = (lo_1 + 1 < hi_1) & (countLo_1 > countHi + 1);
          if (thread == 0) { uniform_word = u32(t_6); }
          let go_on = workgroupUniformLoad(&uniform_word) != 0u;
          if (!go_on) { break; }
          let mid_1: i32 = (lo_1 & hi_1) + ((lo_1 ^ hi_1) >> 1u);
          let pivot_1: f32 = bitcast<f32>(select(mid_1 ^ 2147483647, mid_1, mid_1 >= 0));
          var massAbove_0: f32; var massAbove_1: f32; var massAbove_2: f32; var massAbove_3: f32;
          var massAbove_4: f32; var massAbove_5: f32; var massAbove_6: f32; var massAbove_7: f32;
          var above_1_0: i32; var above_1_1: i32; var above_1_2: i32; var above_1_3: i32;
          var above_1_4: i32; var above_1_5: i32; var above_1_6: i32; var above_1_7: i32;
          massAbove_0 = 0.0f; above_1_0 = 0; massAbove_1 = 0.0f; above_1_1 = 0; massAbove_2 = 0.0f;
          above_1_2 = 0; massAbove_3 = 0.0f; above_1_3 = 0; massAbove_4 = 0.0f; above_1_4 = 0;
          massAbove_5 = 0.0f; above_1_5 = 0; massAbove_6 = 0.0f; above_1_6 = 0; massAbove_7 = 0.0f;
          above_1_7 = 0;
          for (var v_3: i32 = 0; v_3 < launch.V; v_3 += 2048) {
            let logits_at_4: i32 = logits_at + v_3;
            var x_3_0: f32; var x_3_1: f32; var x_3_2: f32; var x_3_3: f32; var x_3_4: f32;
            var x_3_5: f32; var x_3_6: f32; var x_3_7: f32;
            let left_3: i32 = launch.V - v_3;
            let x_3_in = logits_in & (t_BV < left_3);
            let x_3_word = select(
                vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, logits_at_4 >> 2u, x_3_in)],
                x_3_in);
            x_3_0 = x_3_word.x; x_3_1 = x_3_word.y; x_3_2 = x_3_word.z; x_3_3 = x_3_word.w;
            let x_3_in_1 = logits_in & (t_BV + 1024 < left_3);
            let x_3_word_1 = select(
                vec4<f32>(tw_bits_f32(0xff800000u)),
                logits[select(0, (logits_at_4 + 1024) >> 2u, x_3_in_1)], x_3_in_1);
            x_3_4 = x_3_word_1.x; x_3_5 = x_3_word_1.y; x_3_6 = x_3_word_1.z; x_3_7 = x_3_word_1.w;
            let isAbove: bool = x_3_0 >= pivot_1;
            massAbove_0 = massAbove_0 + select(0.0f, tw_exp2((x_3_0 - top) * c), isAbove);
            above_1_0 = above_1_0 + select(0, 1, isAbove);
            let isAbove_1: bool = x_3_1 >= pivot_1;
            massAbove_1 = massAbove_1 + select(0.0f, tw_exp2((x_3_1 - top) * c), isAbove_1);
            above_1_1 = above_1_1 + select(0, 1, isAbove_1);
            let isAbove_2: bool = x_3_2 >= pivot_1;
            massAbove_2 = massAbove_2 + select(0.0f, tw_exp2((x_3_2 - top) * c), isAbove_2);
            above_1_2 = above_1_2 + select(0, 1, isAbove_2);
            let isAbove_3: bool = x_3_3 >= pivot_1;
            massAbove_3 = massAbove_3 + select(0.0f, tw_exp2((x_3_3 - top) * c), isAbove_3);
            above_1_3 = above_1_3 + select(0, 1, isAbove_3);
            let isAbove_4: bool = x_3_4 >= pivot_1;
            massAbove_4 = massAbove_4 + select(0.0f, tw_exp2((x_3_4 - top) * c), isAbove_4);
            above_1_4 = above_1_4 + select(0, 1, isAbove_4);
            let isAbove_5: bool = x_3_5 >= pivot_1;
            massAbove_5 = massAbove_5 + select(0.0f, tw_exp2((x_3_5 - top) * c), isAbove_5);
            above_1_5 = above_1_5 + select(0, 1, isAbove_5);
            let isAbove_6: bool = x_3_6 >= pivot_1;
            massAbove_6 = massAbove_6 + select(0.0f, tw_exp2((x_3_6 - top) * c), isAbove_6);
            above_1_6 = above_1_6 + select(0, 1, isAbove_6);
            let isAbove_7: bool = x_3_7 >= pivot_1;
            massAbove_7 = massAbove_7 + select(0.0f, tw_exp2((x_3_7 - top) * c), isAbove_7);
            above_1_7 = above_1_7 + select(0, 1, isAbove_7);
          }
          var count_1: i32 = 0;
          count_1 = count_1 + above_1_0;
          count_1 = count_1 + above_1_1;
          count_1 = count_1 + above_1_2;
          count_1 = count_1 + above_1_3;
          count_1 = count_1 + above_1_4;
          count_1 = count_1 + above_1_5;
          count_1 = count_1 + above_1_6;
          count_1 = count_1 + above_1_7;
          count_parts_2[thread] = count_1;
          workgroupBarrier();
          if (thread < 16) {
            count_1 = count_parts_2[thread];
            for (var r: i32 = 1; r < 16; r++) {
              var other_5: i32;
              other_5 = count_parts_2[thread + r * 16];
              count_1 = count_1 + other_5;
            }
            count_parts_2[thread] = count_1;
          }
          workgroupBarrier();
          var parts_5_1_0: i32; var parts_5_1_1: i32; var parts_5_1_2: i32; var parts_5_1_3: i32;
          var parts_5_1_4: i32; var parts_5_1_5: i32; var parts_5_1_6: i32; var parts_5_1_7: i32;
          var parts_5_1_8: i32; var parts_5_1_9: i32; var parts_5_1_10: i32; var parts_5_1_11: i32;
          var parts_5_1_12: i32; var parts_5_1_13: i32; var parts_5_1_14: i32;
          var parts_5_1_15: i32;
          parts_5_1_0 = count_parts_2[0];
          parts_5_1_1 = count_parts_2[1];
          parts_5_1_2 = count_parts_2[2];
          parts_5_1_3 = count_parts_2[3];
          parts_5_1_4 = count_parts_2[4];
          parts_5_1_5 = count_parts_2[5];
          parts_5_1_6 = count_parts_2[6];
          parts_5_1_7 = count_parts_2[7];
          parts_5_1_8 = count_parts_2[8];
          parts_5_1_9 = count_parts_2[9];
          parts_5_1_10 = count_parts_2[10];
          parts_5_1_11 = count_parts_2[11];
          parts_5_1_12 = count_parts_2[12];
          parts_5_1_13 = count_parts_2[13];
          parts_5_1_14 = count_parts_2[14];
          parts_5_1_15 = count_parts_2[15];
          count_1 = parts_5_1_0;
          count_1 = count_1 + parts_5_1_1;
          count_1 = count_1 + parts_5_1_2;
          count_1 = count_1 + parts_5_1_3;
          count_1 = count_1 + parts_5_1_4;
          count_1 = count_1 + parts_5_1_5;
          count_1 = count_1 + parts_5_1_6;
          count_1 = count_1 + parts_5_1_7;
          count_1 = count_1 + parts_5_1_8;
          count_1 = count_1 + parts_5_1_9;
          count_1 = count_1 + parts_5_1_10;
          count_1 = count_1 + parts_5_1_11;
          count_1 = count_1 + parts_5_1_12;
          count_1 = count_1 + parts_5_1_13;
          count_1 = count_1 + parts_5_1_14;
          count_1 = count_1 + parts_5_1_15;
          var sum_1: f32 = 0.0f;
          sum_1 = sum_1 + massAbove_0;
          sum_1 = sum_1 + massAbove_1;
          sum_1 = sum_1 + massAbove_2;
          sum_1 = sum_1 + massAbove_3;
          sum_1 = sum_1 + massAbove_4;
          sum_1 = sum_1 + massAbove_5;
          sum_1 = sum_1 + massAbove_6;
          sum_1 = sum_1 + massAbove_7;
          t175_parts[thread] = sum_1;
          workgroupBarrier();
          if (thread < 16) {
            sum_1 = t175_parts[thread];
            for (var r: i32 = 1; r < 16; r++) {
              var other_6: f32;
              other_6 = t175_parts[thread + r * 16];
              sum_1 = sum_1 + other_6;
            }
            t175_parts[thread] = sum_1;
          }
          workgroupBarrier();
          var parts_6_1_0: f32; var parts_6_1_1: f32; var parts_6_1_2: f32; var parts_6_1_3: f32;
          var parts_6_1_4: f32; var parts_6_1_5: f32; var parts_6_1_6: f32; var parts_6_1_7: f32;
          var parts_6_1_8: f32; var parts_6_1_9: f32; var parts_6_1_10: f32; var parts_6_1_11: f32;
          var parts_6_1_12: f32; var parts_6_1_13: f32; var parts_6_1_14: f32;
          var parts_6_1_15: f32;
          parts_6_1_0 = t175_parts[0];
          parts_6_1_1 = t175_parts[1];
          parts_6_1_2 = t175_parts[2];
          parts_6_1_3 = t175_parts[3];
          parts_6_1_4 = t175_parts[4];
          parts_6_1_5 = t175_parts[5];
          parts_6_1_6 = t175_parts[6];
          parts_6_1_7 = t175_parts[7];
          parts_6_1_8 = t175_parts[8];
          parts_6_1_9 = t175_parts[9];
          parts_6_1_10 = t175_parts[10];
          parts_6_1_11 = t175_parts[11];
          parts_6_1_12 = t175_parts[12];
          parts_6_1_13 = t175_parts[13];
          parts_6_1_14 = t175_parts[14];
          parts_6_1_15 = t175_parts[15];
          sum_1 = parts_6_1_0;
          sum_1 = sum_1 + parts_6_1_1;
          sum_1 = sum_1 + parts_6_1_2;
          sum_1 = sum_1 + parts_6_1_3;
          sum_1 = sum_1 + parts_6_1_4;
          sum_1 = sum_1 + parts_6_1_5;
          sum_1 = sum_1 + parts_6_1_6;
          sum_1 = sum_1 + parts_6_1_7;
          sum_1 = sum_1 + parts_6_1_8;
          sum_1 = sum_1 + parts_6_1_9;
          sum_1 = sum_1 + parts_6_1_10;
          sum_1 = sum_1 + parts_6_1_11;
          sum_1 = sum_1 + parts_6_1_12;
          sum_1 = sum_1 + parts_6_1_13;
          sum_1 = sum_1 + parts_6_1_14;
          sum_1 = sum_1 + parts_6_1_15;
          let reaches: bool = sum_1 >= target_1;
          lo_1 = select(lo_1, mid_1, reaches);
          countLo_1 = select(countLo_1, count_1, reaches);
          hi_1 = select(mid_1, hi_1, reaches);
          countHi = select(count_1, countHi, reaches);
        }
        let cut_2: f32 = tw_max(cut, bitcast<f32>(select(lo_1 ^ 2147483647, lo_1, lo_1 >= 0)));
        cut_1 = cut_2;
      } else {
        cut_1 = cut;
      }
      var position_tile: i32;
      position_tile = position[pid0];
      var seed_tile: i32;
      seed_tile = seed[pid0];
      let key: u32 = bitcast<u32>(seed_tile);
      let place: u32 = bitcast<u32>(position_tile);
      let key_1: u32 = key + 2654435769u;
      var bestScore_0: f32; var bestScore_1: f32; var bestScore_2: f32; var bestScore_3: f32;
      var bestScore_4: f32; var bestScore_5: f32; var bestScore_6: f32; var bestScore_7: f32;
      bestScore_0 = tw_bits_f32(0xff800000u); bestScore_1 = tw_bits_f32(0xff800000u);
      bestScore_2 = tw_bits_f32(0xff800000u); bestScore_3 = tw_bits_f32(0xff800000u);
      bestScore_4 = tw_bits_f32(0xff800000u); bestScore_5 = tw_bits_f32(0xff800000u);
      bestScore_6 = tw_bits_f32(0xff800000u); bestScore_7 = tw_bits_f32(0xff800000u);
      var scoreAt_0: i32; var scoreAt_1: i32; var scoreAt_2: i32; var scoreAt_3: i32;
      var scoreAt_4: i32; var scoreAt_5: i32; var scoreAt_6: i32; var scoreAt_7: i32;
      scoreAt_0 = t_BV; scoreAt_1 = t_BV + 1; scoreAt_2 = t_BV + 2; scoreAt_3 = t_BV + 3;
      scoreAt_4 = t_BV + 1024; scoreAt_5 = t_BV + 1025; scoreAt_6 = t_BV + 1026;
      scoreAt_7 = t_BV + 1027;
      for (var v_4: i32 = 0; v_4 < launch.V; v_4 += 2048) {
        let logits_at_5: i32 = logits_at + v_4;
        var x_4_0: f32; var x_4_1: f32; var x_4_2: f32; var x_4_3: f32; var x_4_4: f32;
        var x_4_5: f32; var x_4_6: f32; var x_4_7: f32;
        let left_4: i32 = launch.V - v_4;
        let x_4_in = logits_in & (t_BV < left_4);
        let x_4_word = select(
            vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, logits_at_5 >> 2u, x_4_in)],
            x_4_in);
        x_4_0 = x_4_word.x; x_4_1 = x_4_word.y; x_4_2 = x_4_word.z; x_4_3 = x_4_word.w;
        let x_4_in_1 = logits_in & (t_BV + 1024 < left_4);
        let x_4_word_1 = select(
            vec4<f32>(tw_bits_f32(0xff800000u)),
            logits[select(0, (logits_at_5 + 1024) >> 2u, x_4_in_1)], x_4_in_1);
        x_4_4 = x_4_word_1.x; x_4_5 = x_4_word_1.y; x_4_6 = x_4_word_1.z; x_4_7 = x_4_word_1.w;
        var z_8_0: f32; var z_8_1: f32; var z_8_2: f32; var z_8_3: f32; var z_8_4: f32;
        var z_8_5: f32; var z_8_6: f32; var z_8_7: f32;
        z_8_0 = (x_4_0 - top) * c; z_8_1 = (x_4_1 - top) * c; z_8_2 = (x_4_2 - top) * c;
        z_8_3 = (x_4_3 - top) * c; z_8_4 = (x_4_4 - top) * c; z_8_5 = (x_4_5 - top) * c;
        z_8_6 = (x_4_6 - top) * c; z_8_7 = (x_4_7 - top) * c;
        var index_0: i32; var index_1: i32; var index_2: i32; var index_3: i32; var index_4: i32;
        var index_5: i32; var index_6: i32; var index_7: i32;
        index_0 = v_4 + t_BV; index_1 = v_4 + t_BV + 1; index_2 = v_4 + t_BV + 2;
        index_3 = v_4 + t_BV + 3; index_4 = v_4 + t_BV + 1024; index_5 = v_4 + t_BV + 1025;
        index_6 = v_4 + t_BV + 1026; index_7 = v_4 + t_BV + 1027;
        var low_0: u32; var low_1: u32; var low_2: u32; var low_3: u32; var low_4: u32;
        var low_5: u32; var low_6: u32; var low_7: u32;
        var high_0: u32; var high_1: u32; var high_2: u32; var high_3: u32; var high_4: u32;
        var high_5: u32; var high_6: u32; var high_7: u32;
        let t_7: u32 = u32(index_0);
        low_0 = (tw_mulhi_u32(t_7, 3528905107u) ^ key) ^ place; high_0 = t_7 * 3528905107u;
        let t_8: u32 = u32(index_1);
        low_1 = (tw_mulhi_u32(t_8, 3528905107u) ^ key) ^ place; high_1 = t_8 * 3528905107u;
        let t_9: u32 = u32(index_2);
        low_2 = (tw_mulhi_u32(t_9, 3528905107u) ^ key) ^ place; high_2 = t_9 * 3528905107u;
        let t_10: u32 = u32(index_3);
        low_3 = (tw_mulhi_u32(t_10, 3528905107u) ^ key) ^ place; high_3 = t_10 * 3528905107u;
        let t_11: u32 = u32(index_4);
        low_4 = (tw_mulhi_u32(t_11, 3528905107u) ^ key) ^ place; high_4 = t_11 * 3528905107u;
        let t_12: u32 = u32(index_5);
        low_5 = (tw_mulhi_u32(t_12, 3528905107u) ^ key) ^ place; high_5 = t_12 * 3528905107u;
        let t_13: u32 = u32(index_6);
        low_6 = (tw_mulhi_u32(t_13, 3528905107u) ^ key) ^ place; high_6 = t_13 * 3528905107u;
        let t_14: u32 = u32(index_7);
        low_7 = (tw_mulhi_u32(t_14, 3528905107u) ^ key) ^ place; high_7 = t_14 * 3528905107u;
        var key_2: u32 = key_1;
        let low_1_1: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_1_1;
        let low_2_1: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_2_1;
        let low_3_1: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_3_1;
        let low_4_1: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_4_1;
        let low_5_1: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_5_1;
        let low_6_1: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_6_1;
        let low_7_1: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_7_1;
        let low_8: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_8;
        key_2 = key_2 + 2654435769u;
        let low_9: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_9;
        let low_10: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_10;
        let low_11: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_11;
        let low_12: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_12;
        let low_13: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_13;
        let low_14: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_14;
        let low_15: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_15;
        let low_16: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_16;
        key_2 = key_2 + 2654435769u;
        let low_17: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_17;
        let low_18: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_18;
        let low_19: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_19;
        let low_20: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_20;
        let low_21: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_21;
        let low_22: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_22;
        let low_23: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_23;
        let low_24: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_24;
        key_2 = key_2 + 2654435769u;
        let low_25: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_25;
        let low_26: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_26;
        let low_27: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_27;
        let low_28: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_28;
        let low_29: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_29;
        let low_30: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_30;
        let low_31: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_31;
        let low_32: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_32;
        key_2 = key_2 + 2654435769u;
        let low_33: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_33;
        let low_34: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_34;
        let low_35: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_35;
        let low_36: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_36;
        let low_37: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_37;
        let low_38: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_38;
        let low_39: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_39;
        let low_40: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_40;
        key_2 = key_2 + 2654435769u;
        let low_41: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_41;
        let low_42: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_42;
        let low_43: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_43;
        let low_44: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_44;
        let low_45: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_45;
        let low_46: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_46;
        let low_47: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_47;
        let low_48: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_48;
        key_2 = key_2 + 2654435769u;
        let low_49: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_49;
        let low_50: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_50;
        let low_51: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_51;
        let low_52: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_52;
        let low_53: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_53;
        let low_54: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_54;
        let low_55: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_55;
        let low_56: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_56;
        key_2 = key_2 + 2654435769u;
        let low_57: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_57;
        let low_58: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_58;
        let low_59: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_59;
        let low_60: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_60;
        let low_61: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_61;
        let low_62: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_62;
        let low_63: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_63;
        let low_64: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_64;
        key_2 = key_2 + 2654435769u;
        let low_65: u32 = (tw_mulhi_u32(low_0, 3528905107u) ^ key_2) ^ high_0;
        high_0 = low_0 * 3528905107u; low_0 = low_65;
        let low_66: u32 = (tw_mulhi_u32(low_1, 3528905107u) ^ key_2) ^ high_1;
        high_1 = low_1 * 3528905107u; low_1 = low_66;
        let low_67: u32 = (tw_mulhi_u32(low_2, 3528905107u) ^ key_2) ^ high_2;
        high_2 = low_2 * 3528905107u; low_2 = low_67;
        let low_68: u32 = (tw_mulhi_u32(low_3, 3528905107u) ^ key_2) ^ high_3;
        high_3 = low_3 * 3528905107u; low_3 = low_68;
        let low_69: u32 = (tw_mulhi_u32(low_4, 3528905107u) ^ key_2) ^ high_4;
        high_4 = low_4 * 3528905107u; low_4 = low_69;
        let low_70: u32 = (tw_mulhi_u32(low_5, 3528905107u) ^ key_2) ^ high_5;
        high_5 = low_5 * 3528905107u; low_5 = low_70;
        let low_71: u32 = (tw_mulhi_u32(low_6, 3528905107u) ^ key_2) ^ high_6;
        high_6 = low_6 * 3528905107u; low_6 = low_71;
        let low_72: u32 = (tw_mulhi_u32(low_7, 3528905107u) ^ key_2) ^ high_7;
        high_7 = low_7 * 3528905107u; low_7 = low_72;
        key_2 = key_2 + 2654435769u;
        let v_5: f32 = tw_min((tw_u32_to_f32(low_0) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_15: f32 = select(
            -tw_log(1.0f - v_5), v_5 * (1.0f + v_5 * (0.5f + v_5 * (0.33333334f + v_5 * 0.25f))),
            v_5 < 0.015625f);
        let score: f32 = z_8_0 - tw_log2(t_15);
        let better_1: bool = ((x_4_0 >= cut_1) & (z_8_0 >= lowest)) & (score > bestScore_0);
        bestScore_0 = select(bestScore_0, score, better_1);
        scoreAt_0 = select(scoreAt_0, index_0, better_1);
        let v_6: f32 = tw_min((tw_u32_to_f32(low_1) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_16: f32 = select(
            -tw_log(1.0f - v_6), v_6 * (1.0f + v_6 * (0.5f + v_6 * (0.33333334f + v_6 * 0.25f))),
            v_6 < 0.015625f);
        let score_1: f32 = z_8_1 - tw_log2(t_16);
        let better_2: bool = ((x_4_1 >= cut_1) & (z_8_1 >= lowest)) & (score_1 > bestScore_1);
        bestScore_1 = select(bestScore_1, score_1, better_2);
        scoreAt_1 = select(scoreAt_1, index_1, better_2);
        let v_7: f32 = tw_min((tw_u32_to_f32(low_2) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_17: f32 = select(
            -tw_log(1.0f - v_7), v_7 * (1.0f + v_7 * (0.5f + v_7 * (0.33333334f + v_7 * 0.25f))),
            v_7 < 0.015625f);
        let score_2: f32 = z_8_2 - tw_log2(t_17);
        let better_3: bool = ((x_4_2 >= cut_1) & (z_8_2 >= lowest)) & (score_2 > bestScore_2);
        bestScore_2 = select(bestScore_2, score_2, better_3);
        scoreAt_2 = select(scoreAt_2, index_2, better_3);
        let v_8: f32 = tw_min((tw_u32_to_f32(low_3) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_18: f32 = select(
            -tw_log(1.0f - v_8), v_8 * (1.0f + v_8 * (0.5f + v_8 * (0.33333334f + v_8 * 0.25f))),
            v_8 < 0.015625f);
        let score_3: f32 = z_8_3 - tw_log2(t_18);
        let better_4: bool = ((x_4_3 >= cut_1) & (z_8_3 >= lowest)) & (score_3 > bestScore_3);
        bestScore_3 = select(bestScore_3, score_3, better_4);
        scoreAt_3 = select(scoreAt_3, index_3, better_4);
        let v_9: f32 = tw_min((tw_u32_to_f32(low_4) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_19: f32 = select(
            -tw_log(1.0f - v_9), v_9 * (1.0f + v_9 * (0.5f + v_9 * (0.33333334f + v_9 * 0.25f))),
            v_9 < 0.015625f);
        let score_4: f32 = z_8_4 - tw_log2(t_19);
        let better_5: bool = ((x_4_4 >= cut_1) & (z_8_4 >= lowest)) & (score_4 > bestScore_4);
        bestScore_4 = select(bestScore_4, score_4, better_5);
        scoreAt_4 = select(scoreAt_4, index_4, better_5);
        let v_10: f32 = tw_min((tw_u32_to_f32(low_5) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_20: f32 = select(
            -tw_log(1.0f - v_10),
            v_10 * (1.0f + v_10 * (0.5f + v_10 * (0.33333334f + v_10 * 0.25f))), v_10 < 0.015625f);
        let score_5: f32 = z_8_5 - tw_log2(t_20);
        let better_6: bool = ((x_4_5 >= cut_1) & (z_8_5 >= lowest)) & (score_5 > bestScore_5);
        bestScore_5 = select(bestScore_5, score_5, better_6);
        scoreAt_5 = select(scoreAt_5, index_5, better_6);
        let v_11: f32 = tw_min((tw_u32_to_f32(low_6) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_21: f32 = select(
            -tw_log(1.0f - v_11),
            v_11 * (1.0f + v_11 * (0.5f + v_11 * (0.33333334f + v_11 * 0.25f))), v_11 < 0.015625f);
        let score_6: f32 = z_8_6 - tw_log2(t_21);
        let better_7: bool = ((x_4_6 >= cut_1) & (z_8_6 >= lowest)) & (score_6 > bestScore_6);
        bestScore_6 = select(bestScore_6, score_6, better_7);
        scoreAt_6 = select(scoreAt_6, index_6, better_7);
        let v_12: f32 = tw_min((tw_u32_to_f32(low_7) + 0.5f) * 2.3283064e-10f, 0.99999994f);
        let t_22: f32 = select(
            -tw_log(1.0f - v_12),
            v_12 * (1.0f + v_12 * (0.5f + v_12 * (0.33333334f + v_12 * 0.25f))), v_12 < 0.015625f);
        let score_7: f32 = z_8_7 - tw_log2(t_22);
        let better_8: bool = ((x_4_7 >= cut_1) & (z_8_7 >= lowest)) & (score_7 > bestScore_7);
        bestScore_7 = select(bestScore_7, score_7, better_8);
        scoreAt_7 = select(scoreAt_7, index_7, better_8);
      }
      var winner: f32 = tw_bits_f32(0xff800000u);
      winner = tw_max(winner, bestScore_0);
      winner = tw_max(winner, bestScore_1);
      winner = tw_max(winner, bestScore_2);
      winner = tw_max(winner, bestScore_3);
      winner = tw_max(winner, bestScore_4);
      winner = tw_max(winner, bestScore_5);
      winner = tw_max(winner, bestScore_6);
      winner = tw_max(winner, bestScore_7);
      winner_parts[thread] = winner;
      workgroupBarrier();
      if (thread < 16) {
        winner = winner_parts[thread];
        for (var r: i32 = 1; r < 16; r++) {
          var other_7: f32;
          other_7 = winner_parts[thread + r * 16];
          winner = tw_max(winner, other_7);
        }
        winner_parts[thread] = winner;
      }
      workgroupBarrier();
      var parts_7_1_0: f32; var parts_7_1_1: f32; var parts_7_1_2: f32; var parts_7_1_3: f32;
      var parts_7_1_4: f32; var parts_7_1_5: f32; var parts_7_1_6: f32; var parts_7_1_7: f32;
      var parts_7_1_8: f32; var parts_7_1_9: f32; var parts_7_1_10: f32; var parts_7_1_11: f32;
      var parts_7_1_12: f32; var parts_7_1_13: f32; var parts_7_1_14: f32; var parts_7_1_15: f32;
      parts_7_1_0 = winner_parts[0];
      parts_7_1_1 = winner_parts[1];
      parts_7_1_2 = winner_parts[2];
      parts_7_1_3 = winner_parts[3];
      parts_7_1_4 = winner_parts[4];
      parts_7_1_5 = winner_parts[5];
      parts_7_1_6 = winner_parts[6];
      parts_7_1_7 = winner_parts[7];
      parts_7_1_8 = winner_parts[8];
      parts_7_1_9 = winner_parts[9];
      parts_7_1_10 = winner_parts[10];
      parts_7_1_11 = winner_parts[11];
      parts_7_1_12 = winner_parts[12];
      parts_7_1_13 = winner_parts[13];
      parts_7_1_14 = winner_parts[14];
      parts_7_1_15 = winner_parts[15];
      winner = parts_7_1_0;
      winner = tw_max(winner, parts_7_1_1);
      winner = tw_max(winner, parts_7_1_2);
      winner = tw_max(winner, parts_7_1_3);
      winner = tw_max(winner, parts_7_1_4);
      winner = tw_max(winner, parts_7_1_5);
      winner = tw_max(winner, parts_7_1_6);
      winner = tw_max(winner, parts_7_1_7);
      winner = tw_max(winner, parts_7_1_8);
      winner = tw_max(winner, parts_7_1_9);
      winner = tw_max(winner, parts_7_1_10);
      winner = tw_max(winner, parts_7_1_11);
      winner = tw_max(winner, parts_7_1_12);
      winner = tw_max(winner, parts_7_1_13);
      winner = tw_max(winner, parts_7_1_14);
      winner = tw_max(winner, parts_7_1_15);
      var least: i32 = 2147483647;
      least = min(least, select(2147483647, scoreAt_0, bestScore_0 >= winner));
      least = min(least, select(2147483647, scoreAt_1, bestScore_1 >= winner));
      least = min(least, select(2147483647, scoreAt_2, bestScore_2 >= winner));
      least = min(least, select(2147483647, scoreAt_3, bestScore_3 >= winner));
      least = min(least, select(2147483647, scoreAt_4, bestScore_4 >= winner));
      least = min(least, select(2147483647, scoreAt_5, bestScore_5 >= winner));
      least = min(least, select(2147483647, scoreAt_6, bestScore_6 >= winner));
      least = min(least, select(2147483647, scoreAt_7, bestScore_7 >= winner));
      t279_parts[thread] = least;
      workgroupBarrier();
      if (thread < 16) {
        least = t279_parts[thread];
        for (var r: i32 = 1; r < 16; r++) {
          var other_8: i32;
          other_8 = t279_parts[thread + r * 16];
          least = min(least, other_8);
        }
        t279_parts[thread] = least;
      }
      workgroupBarrier();
      var parts_8_1_0: i32; var parts_8_1_1: i32; var parts_8_1_2: i32; var parts_8_1_3: i32;
      var parts_8_1_4: i32; var parts_8_1_5: i32; var parts_8_1_6: i32; var parts_8_1_7: i32;
      var parts_8_1_8: i32; var parts_8_1_9: i32; var parts_8_1_10: i32; var parts_8_1_11: i32;
      var parts_8_1_12: i32; var parts_8_1_13: i32; var parts_8_1_14: i32; var parts_8_1_15: i32;
      parts_8_1_0 = t279_parts[0];
      parts_8_1_1 = t279_parts[1];
      parts_8_1_2 = t279_parts[2];
      parts_8_1_3 = t279_parts[3];
      parts_8_1_4 = t279_parts[4];
      parts_8_1_5 = t279_parts[5];
      parts_8_1_6 = t279_parts[6];
      parts_8_1_7 = t279_parts[7];
      parts_8_1_8 = t279_parts[8];
      parts_8_1_9 = t279_parts[9];
      parts_8_1_10 = t279_parts[10];
      parts_8_1_11 = t279_parts[11];
      parts_8_1_12 = t279_parts[12];
      parts_8_1_13 = t279_parts[13];
      parts_8_1_14 = t279_parts[14];
      parts_8_1_15 = t279_parts[15];
      least = parts_8_1_0;
      least = min(least, parts_8_1_1);
      least = min(least, parts_8_1_2);
      least = min(least, parts_8_1_3);
      least = min(least, parts_8_1_4);
      least = min(least, parts_8_1_5);
      least = min(least, parts_8_1_6);
      least = min(least, parts_8_1_7);
      least = min(least, parts_8_1_8);
      least = min(least, parts_8_1_9);
      least = min(least, parts_8_1_10);
      least = min(least, parts_8_1_11);
      least = min(least, parts_8_1_12);
      least = min(least, parts_8_1_13);
      least = min(least, parts_8_1_14);
      least = min(least, parts_8_1_15);
      if (is_first) {
        if (logits_in) {
          token[pid0] = least;
        }
      }
    }
  }
}
