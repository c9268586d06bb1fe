// top_log_probabilities for wgsl, made by tilewright
// config: BV=2048
// dims divisible: R%2 V%4
// 256 threads, 4096 bytes of shared memory
//       0 … 1024: top_parts f32[256]
//    1024 … 2048: t30_parts f32[256]
//    2048 … 3072: last_parts f32[256]
//    3072 … 4096: lastId_parts i32[256]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  V: i32,
  K: i32,
}
@group(0) @binding(0) var<storage, read> logits: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> ids: array<i32>;
@group(0) @binding(2) var<storage, read_write> logprobs: array<f32>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> top_parts: array<f32, 256>;
var<workgroup> t30_parts: array<f32, 256>;
var<workgroup> last_parts: array<f32, 256>;
var<workgroup> lastId_parts: array<i32, 256>;

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
fn top_log_probabilities(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32; var l_4: f32; var l_5: f32; var l_6: f32;
  var l_7: f32;
  var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32; var m_4: f32; var m_5: f32; var m_6: f32;
  var m_7: f32;
  l_0 = 0.0f; m_0 = -1e+30f; l_1 = 0.0f; m_1 = -1e+30f; l_2 = 0.0f; m_2 = -1e+30f; l_3 = 0.0f;
  m_3 = -1e+30f; l_4 = 0.0f; m_4 = -1e+30f; l_5 = 0.0f; m_5 = -1e+30f; l_6 = 0.0f; m_6 = -1e+30f;
  l_7 = 0.0f; m_7 = -1e+30f;
  let t_BV: i32 = thread * 4;
  let logits_at: i32 = pid0 * launch.V + t_BV;
  let logits_in: bool = pid0 < launch.R;
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
    let mNew: f32 = tw_max(m_0, x_0);
    l_0 = l_0 * tw_exp2((m_0 - mNew) * 1.442695f) + tw_exp2((x_0 - mNew) * 1.442695f); m_0 = mNew;
    let mNew_1: f32 = tw_max(m_1, x_1);
    l_1 = l_1 * tw_exp2((m_1 - mNew_1) * 1.442695f) + tw_exp2((x_1 - mNew_1) * 1.442695f);
    m_1 = mNew_1;
    let mNew_2: f32 = tw_max(m_2, x_2);
    l_2 = l_2 * tw_exp2((m_2 - mNew_2) * 1.442695f) + tw_exp2((x_2 - mNew_2) * 1.442695f);
    m_2 = mNew_2;
    let mNew_3: f32 = tw_max(m_3, x_3);
    l_3 = l_3 * tw_exp2((m_3 - mNew_3) * 1.442695f) + tw_exp2((x_3 - mNew_3) * 1.442695f);
    m_3 = mNew_3;
    let mNew_4: f32 = tw_max(m_4, x_4);
    l_4 = l_4 * tw_exp2((m_4 - mNew_4) * 1.442695f) + tw_exp2((x_4 - mNew_4) * 1.442695f);
    m_4 = mNew_4;
    let mNew_5: f32 = tw_max(m_5, x_5);
    l_5 = l_5 * tw_exp2((m_5 - mNew_5) * 1.442695f) + tw_exp2((x_5 - mNew_5) * 1.442695f);
    m_5 = mNew_5;
    let mNew_6: f32 = tw_max(m_6, x_6);
    l_6 = l_6 * tw_exp2((m_6 - mNew_6) * 1.442695f) + tw_exp2((x_6 - mNew_6) * 1.442695f);
    m_6 = mNew_6;
    let mNew_7: f32 = tw_max(m_7, x_7);
    l_7 = l_7 * tw_exp2((m_7 - mNew_7) * 1.442695f) + tw_exp2((x_7 - mNew_7) * 1.442695f);
    m_7 = mNew_7;
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
  var sum: f32 = 0.0f;
  sum = sum + l_0 * tw_exp2((m_0 - top) * 1.442695f);
  sum = sum + l_1 * tw_exp2((m_1 - top) * 1.442695f);
  sum = sum + l_2 * tw_exp2((m_2 - top) * 1.442695f);
  sum = sum + l_3 * tw_exp2((m_3 - top) * 1.442695f);
  sum = sum + l_4 * tw_exp2((m_4 - top) * 1.442695f);
  sum = sum + l_5 * tw_exp2((m_5 - top) * 1.442695f);
  sum = sum + l_6 * tw_exp2((m_6 - top) * 1.442695f);
  sum = sum + l_7 * tw_exp2((m_7 - top) * 1.442695f);
  t30_parts[thread] = sum;
  workgroupBarrier();
  if (thread < 16) {
    sum = t30_parts[thread];
    for (var r: i32 = 1; r < 16; r++) {
      var other_1: f32;
      other_1 = t30_parts[thread + r * 16];
      sum = sum + other_1;
    }
    t30_parts[thread] = sum;
  }
  workgroupBarrier();
  var parts_1_1_0: f32; var parts_1_1_1: f32; var parts_1_1_2: f32; var parts_1_1_3: f32;
  var parts_1_1_4: f32; var parts_1_1_5: f32; var parts_1_1_6: f32; var parts_1_1_7: f32;
  var parts_1_1_8: f32; var parts_1_1_9: f32; var parts_1_1_10: f32; var parts_1_1_11: f32;
  var parts_1_1_12: f32; var parts_1_1_13: f32; var parts_1_1_14: f32; var parts_1_1_15: f32;
  parts_1_1_0 = t30_parts[0];
  parts_1_1_1 = t30_parts[1];
  parts_1_1_2 = t30_parts[2];
  parts_1_1_3 = t30_parts[3];
  parts_1_1_4 = t30_parts[4];
  parts_1_1_5 = t30_parts[5];
  parts_1_1_6 = t30_parts[6];
  parts_1_1_7 = t30_parts[7];
  parts_1_1_8 = t30_parts[8];
  parts_1_1_9 = t30_parts[9];
  parts_1_1_10 = t30_parts[10];
  parts_1_1_11 = t30_parts[11];
  parts_1_1_12 = t30_parts[12];
  parts_1_1_13 = t30_parts[13];
  parts_1_1_14 = t30_parts[14];
  parts_1_1_15 = t30_parts[15];
  sum = parts_1_1_0;
  sum = sum + parts_1_1_1;
  sum = sum + parts_1_1_2;
  sum = sum + parts_1_1_3;
  sum = sum + parts_1_1_4;
  sum = sum + parts_1_1_5;
  sum = sum + parts_1_1_6;
  sum = sum + parts_1_1_7;
  sum = sum + parts_1_1_8;
  sum = sum + parts_1_1_9;
  sum = sum + parts_1_1_10;
  sum = sum + parts_1_1_11;
  sum = sum + parts_1_1_12;
  sum = sum + parts_1_1_13;
  sum = sum + parts_1_1_14;
  sum = sum + parts_1_1_15;
  let logTotal: f32 = top + tw_log(sum);
  var last: f32 = tw_bits_f32(0x7f800000u);
  var lastId: i32 = -1;
  let ids_at: i32 = pid0 * launch.K;
  let is_first: bool = thread == 0;
  for (var i: i32 = 0; i < launch.K; i++) {
    var best_0: f32; var best_1: f32; var best_2: f32; var best_3: f32; var best_4: f32;
    var best_5: f32; var best_6: f32; var best_7: f32;
    var bestId_0: i32; var bestId_1: i32; var bestId_2: i32; var bestId_3: i32; var bestId_4: i32;
    var bestId_5: i32; var bestId_6: i32; var bestId_7: i32;
    best_0 = tw_bits_f32(0xff800000u); bestId_0 = 2147483647; best_1 = tw_bits_f32(0xff800000u);
    bestId_1 = 2147483647; best_2 = tw_bits_f32(0xff800000u); bestId_2 = 2147483647;
    best_3 = tw_bits_f32(0xff800000u); bestId_3 = 2147483647; best_4 = tw_bits_f32(0xff800000u);
    bestId_4 = 2147483647; best_5 = tw_bits_f32(0xff800000u); bestId_5 = 2147483647;
    best_6 = tw_bits_f32(0xff800000u); bestId_6 = 2147483647; best_7 = tw_bits_f32(0xff800000u);
    bestId_7 = 2147483647;
    for (var v_1: i32 = 0; v_1 < launch.V; v_1 += 2048) {
      let logits_at_2: i32 = logits_at + v_1;
      var x_1_0: f32; var x_1_1: f32; var x_1_2: f32; var x_1_3: f32; var x_1_4: f32;
      var x_1_5: f32; var x_1_6: f32; var x_1_7: f32;
      let left_1: i32 = launch.V - v_1;
      let x_1_in = logits_in & (t_BV < left_1);
      let x_1_word = select(
          vec4<f32>(tw_bits_f32(0xff800000u)), logits[select(0, logits_at_2 >> 2u, x_1_in)], x_1_in);
      x_1_0 = x_1_word.x; x_1_1 = x_1_word.y; x_1_2 = x_1_word.z; x_1_3 = x_1_word.w;
      let x_1_in_1 = logits_in & (t_BV + 1024 < left_1);
      let x_1_word_1 = select(
          vec4<f32>(tw_bits_f32(0xff800000u)),
          logits[select(0, (logits_at_2 + 1024) >> 2u, x_1_in_1)], x_1_in_1);
      x_1_4 = x_1_word_1.x; x_1_5 = x_1_word_1.y; x_1_6 = x_1_word_1.z; x_1_7 = x_1_word_1.w;
      var id_0: i32; var id_1: i32; var id_2: i32; var id_3: i32; var id_4: i32; var id_5: i32;
      var id_6: i32; var id_7: i32;
      id_0 = v_1 + t_BV; id_1 = v_1 + t_BV + 1; id_2 = v_1 + t_BV + 2; id_3 = v_1 + t_BV + 3;
      id_4 = v_1 + t_BV + 1024; id_5 = v_1 + t_BV + 1025; id_6 = v_1 + t_BV + 1026;
      id_7 = v_1 + t_BV + 1027;
      let better: bool = (((id_0 < launch.V) & (x_1_0 <= last)) & ((x_1_0 < last) | (id_0 > lastId))) & ((x_1_0 > best_0) | (bestId_0 == 2147483647));
      best_0 = select(best_0, x_1_0, better); bestId_0 = select(bestId_0, id_0, better);
      let better_1: bool = (((id_1 < launch.V) & (x_1_1 <= last)) & ((x_1_1 < last) | (id_1 > lastId))) & ((x_1_1 > best_1) | (bestId_1 == 2147483647));
      best_1 = select(best_1, x_1_1, better_1); bestId_1 = select(bestId_1, id_1, better_1);
      let better_2: bool = (((id_2 < launch.V) & (x_1_2 <= last)) & ((x_1_2 < last) | (id_2 > lastId))) & ((x_1_2 > best_2) | (bestId_2 == 2147483647));
      best_2 = select(best_2, x_1_2, better_2); bestId_2 = select(bestId_2, id_2, better_2);
      let better_3: bool = (((id_3 < launch.V) & (x_1_3 <= last)) & ((x_1_3 < last) | (id_3 > lastId))) & ((x_1_3 > best_3) | (bestId_3 == 2147483647));
      best_3 = select(best_3, x_1_3, better_3); bestId_3 = select(bestId_3, id_3, better_3);
      let better_4: bool = (((id_4 < launch.V) & (x_1_4 <= last)) & ((x_1_4 < last) | (id_4 > lastId))) & ((x_1_4 > best_4) | (bestId_4 == 2147483647));
      best_4 = select(best_4, x_1_4, better_4); bestId_4 = select(bestId_4, id_4, better_4);
      let better_5: bool = (((id_5 < launch.V) & (x_1_5 <= last)) & ((x_1_5 < last) | (id_5 > lastId))) & ((x_1_5 > best_5) | (bestId_5 == 2147483647));
      best_5 = select(best_5, x_1_5, better_5); bestId_5 = select(bestId_5, id_5, better_5);
      let better_6: bool = (((id_6 < launch.V) & (x_1_6 <= last)) & ((x_1_6 < last) | (id_6 > lastId))) & ((x_1_6 > best_6) | (bestId_6 == 2147483647));
      best_6 = select(best_6, x_1_6, better_6); bestId_6 = select(bestId_6, id_6, better_6);
      let better_7: bool = (((id_7 < launch.V) & (x_1_7 <= last)) & ((x_1_7 < last) | (id_7 > lastId))) & ((x_1_7 > best_7) | (bestId_7 == 2147483647));
      best_7 = select(best_7, x_1_7, better_7); bestId_7 = select(bestId_7, id_7, better_7);
    }
    var last_1: f32 = tw_bits_f32(0xff800000u);
    last_1 = tw_max(last_1, best_0);
    last_1 = tw_max(last_1, best_1);
    last_1 = tw_max(last_1, best_2);
    last_1 = tw_max(last_1, best_3);
    last_1 = tw_max(last_1, best_4);
    last_1 = tw_max(last_1, best_5);
    last_1 = tw_max(last_1, best_6);
    last_1 = tw_max(last_1, best_7);
    last_parts[thread] = last_1;
    workgroupBarrier();
    if (thread < 16) {
      last_1 = last_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_2: f32;
        other_2 = last_parts[thread + r * 16];
        last_1 = tw_max(last_1, other_2);
      }
      last_parts[thread] = last_1;
    }
    workgroupBarrier();
    var parts_2_1_0: f32; var parts_2_1_1: f32; var parts_2_1_2: f32; var parts_2_1_3: f32;
    var parts_2_1_4: f32; var parts_2_1_5: f32; var parts_2_1_6: f32; var parts_2_1_7: f32;
    var parts_2_1_8: f32; var parts_2_1_9: f32; var parts_2_1_10: f32; var parts_2_1_11: f32;
    var parts_2_1_12: f32; var parts_2_1_13: f32; var parts_2_1_14: f32; var parts_2_1_15: f32;
    parts_2_1_0 = last_parts[0];
    parts_2_1_1 = last_parts[1];
    parts_2_1_2 = last_parts[2];
    parts_2_1_3 = last_parts[3];
    parts_2_1_4 = last_parts[4];
    parts_2_1_5 = last_parts[5];
    parts_2_1_6 = last_parts[6];
    parts_2_1_7 = last_parts[7];
    parts_2_1_8 = last_parts[8];
    parts_2_1_9 = last_parts[9];
    parts_2_1_10 = last_parts[10];
    parts_2_1_11 = last_parts[11];
    parts_2_1_12 = last_parts[12];
    parts_2_1_13 = last_parts[13];
    parts_2_1_14 = last_parts[14];
    parts_2_1_15 = last_parts[15];
    last_1 = parts_2_1_0;
    last_1 = tw_max(last_1, parts_2_1_1);
    last_1 = tw_max(last_1, parts_2_1_2);
    last_1 = tw_max(last_1, parts_2_1_3);
    last_1 = tw_max(last_1, parts_2_1_4);
    last_1 = tw_max(last_1, parts_2_1_5);
    last_1 = tw_max(last_1, parts_2_1_6);
    last_1 = tw_max(last_1, parts_2_1_7);
    last_1 = tw_max(last_1, parts_2_1_8);
    last_1 = tw_max(last_1, parts_2_1_9);
    last_1 = tw_max(last_1, parts_2_1_10);
    last_1 = tw_max(last_1, parts_2_1_11);
    last_1 = tw_max(last_1, parts_2_1_12);
    last_1 = tw_max(last_1, parts_2_1_13);
    last_1 = tw_max(last_1, parts_2_1_14);
    last_1 = tw_max(last_1, parts_2_1_15);
    var lastId_1: i32 = 2147483647;
    lastId_1 = min(lastId_1, select(2147483647, bestId_0, best_0 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_1, best_1 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_2, best_2 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_3, best_3 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_4, best_4 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_5, best_5 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_6, best_6 >= last_1));
    lastId_1 = min(lastId_1, select(2147483647, bestId_7, best_7 >= last_1));
    lastId_parts[thread] = lastId_1;
    workgroupBarrier();
    if (thread < 16) {
      lastId_1 = lastId_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_3: i32;
        other_3 = lastId_parts[thread + r * 16];
        lastId_1 = min(lastId_1, other_3);
      }
      lastId_parts[thread] = lastId_1;
    }
    workgroupBarrier();
    var parts_3_1_0: i32; var parts_3_1_1: i32; var parts_3_1_2: i32; var parts_3_1_3: i32;
    var parts_3_1_4: i32; var parts_3_1_5: i32; var parts_3_1_6: i32; var parts_3_1_7: i32;
    var parts_3_1_8: i32; var parts_3_1_9: i32; var parts_3_1_10: i32; var parts_3_1_11: i32;
    var parts_3_1_12: i32; var parts_3_1_13: i32; var parts_3_1_14: i32; var parts_3_1_15: i32;
    parts_3_1_0 = lastId_parts[0];
    parts_3_1_1 = lastId_parts[1];
    parts_3_1_2 = lastId_parts[2];
    parts_3_1_3 = lastId_parts[3];
    parts_3_1_4 = lastId_parts[4];
    parts_3_1_5 = lastId_parts[5];
    parts_3_1_6 = lastId_parts[6];
    parts_3_1_7 = lastId_parts[7];
    parts_3_1_8 = lastId_parts[8];
    parts_3_1_9 = lastId_parts[9];
    parts_3_1_10 = lastId_parts[10];
    parts_3_1_11 = lastId_parts[11];
    parts_3_1_12 = lastId_parts[12];
    parts_3_1_13 = lastId_parts[13];
    parts_3_1_14 = lastId_parts[14];
    parts_3_1_15 = lastId_parts[15];
    lastId_1 = parts_3_1_0;
    lastId_1 = min(lastId_1, parts_3_1_1);
    lastId_1 = min(lastId_1, parts_3_1_2);
    lastId_1 = min(lastId_1, parts_3_1_3);
    lastId_1 = min(lastId_1, parts_3_1_4);
    lastId_1 = min(lastId_1, parts_3_1_5);
    lastId_1 = min(lastId_1, parts_3_1_6);
    lastId_1 = min(lastId_1, parts_3_1_7);
    lastId_1 = min(lastId_1, parts_3_1_8);
    lastId_1 = min(lastId_1, parts_3_1_9);
    lastId_1 = min(lastId_1, parts_3_1_10);
    lastId_1 = min(lastId_1, parts_3_1_11);
    lastId_1 = min(lastId_1, parts_3_1_12);
    lastId_1 = min(lastId_1, parts_3_1_13);
    lastId_1 = min(lastId_1, parts_3_1_14);
    lastId_1 = min(lastId_1, parts_3_1_15);
    let ids_at_1: i32 = ids_at + i;
    let ids_in: bool = logits_in & (i < launch.K);
    if (is_first) {
      let ids_tile: i32 = select(lastId_1, -1, lastId_1 == 2147483647);
      if (ids_in) {
        ids[ids_at_1] = ids_tile;
      }
    }
    if (is_first) {
      let logprobs_tile: f32 = last_1 - logTotal;
      if (ids_in) {
        logprobs[ids_at_1] = logprobs_tile;
      }
    }
    last = last_1;
    lastId = lastId_1;
  }
}
