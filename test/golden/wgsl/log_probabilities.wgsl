// log_probabilities for wgsl, made by tilewright
// config: BV=2048
// 256 threads, 3072 bytes of shared memory
//       0 … 1024: top_parts f32[256]
//    1024 … 2048: total_parts f32[256]
//    2048 … 3072: t47_parts i32[256]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  V: i32,
}
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read> target_1: array<i32>;
@group(0) @binding(2) var<storage, read_write> logprob: array<f32>;
@group(0) @binding(3) var<storage, read_write> rank: array<i32>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> top_parts: array<f32, 256>;
var<workgroup> total_parts: array<f32, 256>;
var<workgroup> t47_parts: array<i32, 256>;

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

@compute @workgroup_size(256)
fn log_probabilities(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  var chosen: i32;
  chosen = target_1[pid0];
  let t: bool = chosen < 0;
  let logprob_in: bool = pid0 < launch.R;
  let is_first: bool = thread == 0;
  if (t) {
    if (is_first) {
      let logprob_tile: f32 = 0.0f;
      if (logprob_in) {
        logprob[pid0] = logprob_tile;
      }
    }
    if (is_first) {
      let rank_tile: i32 = 0;
      if (logprob_in) {
        rank[pid0] = rank_tile;
      }
    }
  } else {
    let logits_at: i32 = pid0 * launch.V + chosen;
    var own: f32;
    own = logits[logits_at];
    var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32; var l_4: f32; var l_5: f32;
    var l_6: f32; var l_7: f32;
    var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32; var m_4: f32; var m_5: f32;
    var m_6: f32; var m_7: f32;
    var above_0: i32; var above_1: i32; var above_2: i32; var above_3: i32; var above_4: i32;
    var above_5: i32; var above_6: i32; var above_7: i32;
    l_0 = 0.0f; m_0 = -1e+30f; above_0 = 0; l_1 = 0.0f; m_1 = -1e+30f; above_1 = 0; l_2 = 0.0f;
    m_2 = -1e+30f; above_2 = 0; l_3 = 0.0f; m_3 = -1e+30f; above_3 = 0; l_4 = 0.0f; m_4 = -1e+30f;
    above_4 = 0; l_5 = 0.0f; m_5 = -1e+30f; above_5 = 0; l_6 = 0.0f; m_6 = -1e+30f; above_6 = 0;
    l_7 = 0.0f; m_7 = -1e+30f; above_7 = 0;
    let logits_at_1: i32 = pid0 * launch.V + thread;
    for (var v: i32 = 0; v < launch.V; v += 2048) {
      let logits_at_2: i32 = logits_at_1 + v;
      var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
      var x_6: f32; var x_7: f32;
      let left: i32 = launch.V - v;
      let x_in = logprob_in & (thread < left);
      x_0 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2, x_in)], x_in);
      let x_in_1 = logprob_in & (thread + 256 < left);
      x_1 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 256, x_in_1)], x_in_1);
      let x_in_2 = logprob_in & (thread + 512 < left);
      x_2 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 512, x_in_2)], x_in_2);
      let x_in_3 = logprob_in & (thread + 768 < left);
      x_3 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 768, x_in_3)], x_in_3);
      let x_in_4 = logprob_in & (thread + 1024 < left);
      x_4 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 1024, x_in_4)], x_in_4);
      let x_in_5 = logprob_in & (thread + 1280 < left);
      x_5 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 1280, x_in_5)], x_in_5);
      let x_in_6 = logprob_in & (thread + 1536 < left);
      x_6 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 1536, x_in_6)], x_in_6);
      let x_in_7 = logprob_in & (thread + 1792 < left);
      x_7 = select(tw_bits_f32(0xff800000u), logits[select(0, logits_at_2 + 1792, x_in_7)], x_in_7);
      let mNew: f32 = tw_max(m_0, x_0);
      l_0 = l_0 * tw_exp2((m_0 - mNew) * 1.442695f) + tw_exp2((x_0 - mNew) * 1.442695f); m_0 = mNew;
      above_0 = above_0 + select(0, 1, x_0 > own);
      let mNew_1: f32 = tw_max(m_1, x_1);
      l_1 = l_1 * tw_exp2((m_1 - mNew_1) * 1.442695f) + tw_exp2((x_1 - mNew_1) * 1.442695f);
      m_1 = mNew_1; above_1 = above_1 + select(0, 1, x_1 > own);
      let mNew_2: f32 = tw_max(m_2, x_2);
      l_2 = l_2 * tw_exp2((m_2 - mNew_2) * 1.442695f) + tw_exp2((x_2 - mNew_2) * 1.442695f);
      m_2 = mNew_2; above_2 = above_2 + select(0, 1, x_2 > own);
      let mNew_3: f32 = tw_max(m_3, x_3);
      l_3 = l_3 * tw_exp2((m_3 - mNew_3) * 1.442695f) + tw_exp2((x_3 - mNew_3) * 1.442695f);
      m_3 = mNew_3; above_3 = above_3 + select(0, 1, x_3 > own);
      let mNew_4: f32 = tw_max(m_4, x_4);
      l_4 = l_4 * tw_exp2((m_4 - mNew_4) * 1.442695f) + tw_exp2((x_4 - mNew_4) * 1.442695f);
      m_4 = mNew_4; above_4 = above_4 + select(0, 1, x_4 > own);
      let mNew_5: f32 = tw_max(m_5, x_5);
      l_5 = l_5 * tw_exp2((m_5 - mNew_5) * 1.442695f) + tw_exp2((x_5 - mNew_5) * 1.442695f);
      m_5 = mNew_5; above_5 = above_5 + select(0, 1, x_5 > own);
      let mNew_6: f32 = tw_max(m_6, x_6);
      l_6 = l_6 * tw_exp2((m_6 - mNew_6) * 1.442695f) + tw_exp2((x_6 - mNew_6) * 1.442695f);
      m_6 = mNew_6; above_6 = above_6 + select(0, 1, x_6 > own);
      let mNew_7: f32 = tw_max(m_7, x_7);
      l_7 = l_7 * tw_exp2((m_7 - mNew_7) * 1.442695f) + tw_exp2((x_7 - mNew_7) * 1.442695f);
      m_7 = mNew_7; above_7 = above_7 + select(0, 1, x_7 > own);
    }
    var top: f32 = tw_bits_f32(0xff800000u);
    top = tw_max(top, m_0);
    top = tw_max(top, m_1);
    top = tw_max(top, m_2);
    top = tw_max(top, m_3);
    top = tw_max(top, m_4);
    top = tw_max(top, m_5);
    top = tw_max(top, m_6);
    top = tw_max(top, m_7);
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
    var total: f32 = 0.0f;
    total = total + l_0 * tw_exp2((m_0 - top) * 1.442695f);
    total = total + l_1 * tw_exp2((m_1 - top) * 1.442695f);
    total = total + l_2 * tw_exp2((m_2 - top) * 1.442695f);
    total = total + l_3 * tw_exp2((m_3 - top) * 1.442695f);
    total = total + l_4 * tw_exp2((m_4 - top) * 1.442695f);
    total = total + l_5 * tw_exp2((m_5 - top) * 1.442695f);
    total = total + l_6 * tw_exp2((m_6 - top) * 1.442695f);
    total = total + l_7 * tw_exp2((m_7 - top) * 1.442695f);
    total_parts[thread] = total;
    workgroupBarrier();
    if (thread < 16) {
      total = total_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_1: f32;
        other_1 = total_parts[thread + r * 16];
        total = total + other_1;
      }
      total_parts[thread] = total;
    }
    workgroupBarrier();
    var parts_1_1_0: f32; var parts_1_1_1: f32; var parts_1_1_2: f32; var parts_1_1_3: f32;
    var parts_1_1_4: f32; var parts_1_1_5: f32; var parts_1_1_6: f32; var parts_1_1_7: f32;
    var parts_1_1_8: f32; var parts_1_1_9: f32; var parts_1_1_10: f32; var parts_1_1_11: f32;
    var parts_1_1_12: f32; var parts_1_1_13: f32; var parts_1_1_14: f32; var parts_1_1_15: f32;
    parts_1_1_0 = total_parts[0];
    parts_1_1_1 = total_parts[1];
    parts_1_1_2 = total_parts[2];
    parts_1_1_3 = total_parts[3];
    parts_1_1_4 = total_parts[4];
    parts_1_1_5 = total_parts[5];
    parts_1_1_6 = total_parts[6];
    parts_1_1_7 = total_parts[7];
    parts_1_1_8 = total_parts[8];
    parts_1_1_9 = total_parts[9];
    parts_1_1_10 = total_parts[10];
    parts_1_1_11 = total_parts[11];
    parts_1_1_12 = total_parts[12];
    parts_1_1_13 = total_parts[13];
    parts_1_1_14 = total_parts[14];
    parts_1_1_15 = total_parts[15];
    total = parts_1_1_0;
    total = total + parts_1_1_1;
    total = total + parts_1_1_2;
    total = total + parts_1_1_3;
    total = total + parts_1_1_4;
    total = total + parts_1_1_5;
    total = total + parts_1_1_6;
    total = total + parts_1_1_7;
    total = total + parts_1_1_8;
    total = total + parts_1_1_9;
    total = total + parts_1_1_10;
    total = total + parts_1_1_11;
    total = total + parts_1_1_12;
    total = total + parts_1_1_13;
    total = total + parts_1_1_14;
    total = total + parts_1_1_15;
    if (is_first) {
      let logprob_tile_1: f32 = own - top - tw_log(total);
      if (logprob_in) {
        logprob[pid0] = logprob_tile_1;
      }
    }
    var sum: i32 = 0;
    sum = sum + above_0;
    sum = sum + above_1;
    sum = sum + above_2;
    sum = sum + above_3;
    sum = sum + above_4;
    sum = sum + above_5;
    sum = sum + above_6;
    sum = sum + above_7;
    t47_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 16) {
      sum = t47_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_2: i32;
        other_2 = t47_parts[thread + r * 16];
        sum = sum + other_2;
      }
      t47_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_2_1_0: i32; var parts_2_1_1: i32; var parts_2_1_2: i32; var parts_2_1_3: i32;
    var parts_2_1_4: i32; var parts_2_1_5: i32; var parts_2_1_6: i32; var parts_2_1_7: i32;
    var parts_2_1_8: i32; var parts_2_1_9: i32; var parts_2_1_10: i32; var parts_2_1_11: i32;
    var parts_2_1_12: i32; var parts_2_1_13: i32; var parts_2_1_14: i32; var parts_2_1_15: i32;
    parts_2_1_0 = t47_parts[0];
    parts_2_1_1 = t47_parts[1];
    parts_2_1_2 = t47_parts[2];
    parts_2_1_3 = t47_parts[3];
    parts_2_1_4 = t47_parts[4];
    parts_2_1_5 = t47_parts[5];
    parts_2_1_6 = t47_parts[6];
    parts_2_1_7 = t47_parts[7];
    parts_2_1_8 = t47_parts[8];
    parts_2_1_9 = t47_parts[9];
    parts_2_1_10 = t47_parts[10];
    parts_2_1_11 = t47_parts[11];
    parts_2_1_12 = t47_parts[12];
    parts_2_1_13 = t47_parts[13];
    parts_2_1_14 = t47_parts[14];
    parts_2_1_15 = t47_parts[15];
    sum = parts_2_1_0;
    sum = sum + parts_2_1_1;
    sum = sum + parts_2_1_2;
    sum = sum + parts_2_1_3;
    sum = sum + parts_2_1_4;
    sum = sum + parts_2_1_5;
    sum = sum + parts_2_1_6;
    sum = sum + parts_2_1_7;
    sum = sum + parts_2_1_8;
    sum = sum + parts_2_1_9;
    sum = sum + parts_2_1_10;
    sum = sum + parts_2_1_11;
    sum = sum + parts_2_1_12;
    sum = sum + parts_2_1_13;
    sum = sum + parts_2_1_14;
    sum = sum + parts_2_1_15;
    if (is_first) {
      let rank_tile_1: i32 = sum + 1;
      if (logprob_in) {
        rank[pid0] = rank_tile_1;
      }
    }
  }
}
