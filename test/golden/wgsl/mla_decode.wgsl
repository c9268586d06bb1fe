// mla_decode for wgsl, made by tilewright
// dtypes: T=bf16
// config: GP=16 BN=16 stages=1
// dims fixed: R=64 DR=16 PAGE=16
// dims divisible: S%2 H%16 MAXB%4 SPLIT%2
// 64 threads, 11840 bytes of shared memory
//       0 … 4336: lt_shared f32[1084]
//    4352 … 8448: qt_shared f32[1024]
//    4352 … 5616: rt_shared f32[316]
//    8448 … 9472: qr_shared f32[256]
//    9472 … 10496: t81_shared f32[256]
//   10496 … 11008: t53_parts f32[128]
//   11008 … 11520: t61_parts f32[128]
//   11520 … 11584: t53_convert f32[16]
//   11648 … 11712: mNew_convert f32[16]
//   11776 … 11840: t61_convert f32[16]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  H: i32,
  NB: i32,
  MAXB: i32,
  SPLIT: i32,
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
var<workgroup> t81_shared: array<vec2<f32>, 128>;
var<workgroup> t53_parts: array<f32, 128>;
var<workgroup> t61_parts: array<f32, 128>;
var<workgroup> t53_convert: array<f32, 16>;
var<workgroup> mNew_convert: array<f32, 16>;
var<workgroup> t61_convert: array<f32, 16>;

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
  let pid2 = i32(program / (launch.programs.x * launch.programs.y));
  let thread = i32(thread_index);
  let t: i32 = pid0 * 16;
  var len: i32;
  len = lens[pid2];
  let blocks: i32 = (len + 15) >> 4u;
  let share: i32 = tw_floordiv_i32(blocks + (launch.SPLIT - 1), launch.SPLIT);
  let lo: i32 = pid1 * share;
  let stride: i32 = launch.H * 64;
  let t_GP: i32 = thread >> 3u;
  let t_R: i32 = (thread & 7) * 8;
  let q_at: i32 = t_GP * 64 + t_R;
  let q_at_1: i32 = pid2 * stride + t * 64 + q_at;
  let q_in: bool = pid2 < launch.S;
  var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32; var qt_4: u32; var qt_5: u32;
  var qt_6: u32; var qt_7: u32; var qt_8: u32; var qt_9: u32; var qt_10: u32; var qt_11: u32;
  var qt_12: u32; var qt_13: u32; var qt_14: u32; var qt_15: u32;
  let left: i32 = launch.H - t;
  let qt_in = q_in & (t_GP < left);
  let qt_word = select(vec4<u32>(0u), q[select(0, q_at_1 >> 3u, qt_in)], qt_in);
  qt_0 = qt_word.x & 0xffffu; qt_1 = qt_word.x >> 16u; qt_2 = qt_word.y & 0xffffu;
  qt_3 = qt_word.y >> 16u; qt_4 = qt_word.z & 0xffffu; qt_5 = qt_word.z >> 16u;
  qt_6 = qt_word.w & 0xffffu; qt_7 = qt_word.w >> 16u;
  let qt_in_1 = q_in & (t_GP + 8 < left);
  let qt_word_1 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 512) >> 3u, qt_in_1)], qt_in_1);
  qt_8 = qt_word_1.x & 0xffffu; qt_9 = qt_word_1.x >> 16u; qt_10 = qt_word_1.y & 0xffffu;
  qt_11 = qt_word_1.y >> 16u; qt_12 = qt_word_1.z & 0xffffu; qt_13 = qt_word_1.z >> 16u;
  qt_14 = qt_word_1.w & 0xffffu; qt_15 = qt_word_1.w >> 16u;
  let stride_1: i32 = launch.H * 16;
  let t_GP_1: i32 = thread >> 2u;
  let t_DR: i32 = (thread & 3) * 4;
  let qRope_at: i32 = t_GP_1 * 16 + t_DR;
  let qRope_at_1: i32 = pid2 * stride_1 + t * 16 + qRope_at;
  let qRope_in: bool = (pid2 < launch.S) & (t_GP_1 < left);
  var qr_0: u32; var qr_1: u32; var qr_2: u32; var qr_3: u32;
  let qr_word = select(vec2<u32>(0u), qRope[select(0, qRope_at_1 >> 2u, qRope_in)], qRope_in);
  qr_0 = qr_word.x & 0xffffu; qr_1 = qr_word.x >> 16u; qr_2 = qr_word.y & 0xffffu;
  qr_3 = qr_word.y >> 16u;
  let t_BN: i32 = (thread & 7) * 2;
  let t_1: f32 = launch.scale * 1.442695f;
  let t_2: i32 = lo * 16;
  let t_3: i32 = min(lo + share, blocks) * 16;
  var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32;
  l_0 = 0.0f; l_1 = 0.0f; l_2 = 0.0f; l_3 = 0.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
  var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32;
  m_0 = -1e+30f; m_1 = -1e+30f; m_2 = -1e+30f; m_3 = -1e+30f;
  let table_at: i32 = pid2 * launch.MAXB;
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
  let is_first: bool = (thread & 7) == 0;
  let t53_convert_at: i32 = (thread >> 3u) & 3;
  let is_first_1: bool = ((thread & 7) == 0) & (thread < 32);
  let t81_shared_at: i32 = (thread & 7) * 2 + (thread >> 3u) * 16;
  let t81_shared_at_1: i32 = ((thread >> 3u) & 3) * 16;
  let lt_shared_at_2: i32 = (thread & 7) * 4 + (thread >> 5u) * 32;
  let n_start = t_2;
  let n_end = t_3;
  for (var n: i32 = n_start; n < n_end; n += 16) {
    var kpos_0: i32; var kpos_1: i32;
    var t_4_0: i32; var t_4_1: i32;
    kpos_0 = n + t_GP;
    t_4_0 = select(-1, kpos_0 >> 4u, kpos_0 < len);
    kpos_1 = n + t_GP + 8;
    t_4_1 = select(-1, kpos_1 >> 4u, kpos_1 < len);
    var pages_0: i32; var pages_1: i32;
    let pages_in = q_in & (u32(t_4_0) < u32(launch.MAXB));
    pages_0 = select(-1, table[select(0, table_at + t_4_0, pages_in)], pages_in);
    let pages_in_1 = q_in & (u32(t_4_1) < u32(launch.MAXB));
    pages_1 = select(-1, table[select(0, table_at + t_4_1, pages_in_1)], pages_in_1);
    var slot_0: i32; var slot_1: i32;
    slot_0 = kpos_0 & 15; slot_1 = kpos_1 & 15;
    var lt_0: u32; var lt_1: u32; var lt_2: u32; var lt_3: u32; var lt_4: u32; var lt_5: u32;
    var lt_6: u32; var lt_7: u32; var lt_8: u32; var lt_9: u32; var lt_10: u32; var lt_11: u32;
    var lt_12: u32; var lt_13: u32; var lt_14: u32; var lt_15: u32;
    let lt_in = u32(pages_0) < u32(launch.NB);
    let lt_word = select(vec4<u32>(0u), latents[select(
        0, (t_R + pages_0 * 1024 + slot_0 * 64) >> 3u, lt_in)], lt_in);
    lt_0 = lt_word.x & 0xffffu; lt_1 = lt_word.x >> 16u; lt_2 = lt_word.y & 0xffffu;
    lt_3 = lt_word.y >> 16u; lt_4 = lt_word.z & 0xffffu; lt_5 = lt_word.z >> 16u;
    lt_6 = lt_word.w & 0xffffu; lt_7 = lt_word.w >> 16u;
    let lt_in_1 = u32(pages_1) < u32(launch.NB);
    let lt_word_1 = select(vec4<u32>(0u), latents[select(
        0, (t_R + pages_1 * 1024 + slot_1 * 64) >> 3u, lt_in_1)], lt_in_1);
    lt_8 = lt_word_1.x & 0xffffu; lt_9 = lt_word_1.x >> 16u; lt_10 = lt_word_1.y & 0xffffu;
    lt_11 = lt_word_1.y >> 16u; lt_12 = lt_word_1.z & 0xffffu; lt_13 = lt_word_1.z >> 16u;
    lt_14 = lt_word_1.w & 0xffffu; lt_15 = lt_word_1.w >> 16u;
    let kpos_1_1: i32 = n + t_GP_1;
    let t_5: i32 = select(-1, kpos_1_1 >> 4u, kpos_1_1 < len);
    let table_at_1: i32 = table_at + t_5;
    let table_in: bool = q_in & (u32(t_5) < u32(launch.MAXB));
    var pages_1_1: i32;
    pages_1_1 = select(-1, table[select(0, table_at_1, table_in)], table_in);
    let slot_1_1: i32 = kpos_1_1 & 15;
    let ropes_at: i32 = t_DR + pages_1_1 * 256 + slot_1_1 * 16;
    let ropes_in: bool = u32(pages_1_1) < u32(launch.NB);
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
    var acc_1_1_0: f32; var acc_1_1_1: f32; var acc_1_1_2: f32; var acc_1_1_3: f32;
    acc_1_1_0 = 0.0f; acc_1_1_1 = 0.0f; acc_1_1_2 = 0.0f; acc_1_1_3 = 0.0f;
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
      acc_1_1_0 = fma(qt_shared_1_0, lt_shared_1_0, acc_1_1_0);
      acc_1_1_1 = fma(qt_shared_1_0, lt_shared_1_4, acc_1_1_1);
      acc_1_1_2 = fma(qt_shared_1_4, lt_shared_1_0, acc_1_1_2);
      acc_1_1_3 = fma(qt_shared_1_4, lt_shared_1_4, acc_1_1_3);
      acc_1_1_0 = fma(qt_shared_1_1, lt_shared_1_1, acc_1_1_0);
      acc_1_1_1 = fma(qt_shared_1_1, lt_shared_1_5, acc_1_1_1);
      acc_1_1_2 = fma(qt_shared_1_5, lt_shared_1_1, acc_1_1_2);
      acc_1_1_3 = fma(qt_shared_1_5, lt_shared_1_5, acc_1_1_3);
      acc_1_1_0 = fma(qt_shared_1_2, lt_shared_1_2, acc_1_1_0);
      acc_1_1_1 = fma(qt_shared_1_2, lt_shared_1_6, acc_1_1_1);
      acc_1_1_2 = fma(qt_shared_1_6, lt_shared_1_2, acc_1_1_2);
      acc_1_1_3 = fma(qt_shared_1_6, lt_shared_1_6, acc_1_1_3);
      acc_1_1_0 = fma(qt_shared_1_3, lt_shared_1_3, acc_1_1_0);
      acc_1_1_1 = fma(qt_shared_1_3, lt_shared_1_7, acc_1_1_1);
      acc_1_1_2 = fma(qt_shared_1_7, lt_shared_1_3, acc_1_1_2);
      acc_1_1_3 = fma(qt_shared_1_7, lt_shared_1_7, acc_1_1_3);
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
      acc_1_1_0 = fma(qr_shared_1_0, rt_shared_1_0, acc_1_1_0);
      acc_1_1_1 = fma(qr_shared_1_0, rt_shared_1_4, acc_1_1_1);
      acc_1_1_2 = fma(qr_shared_1_4, rt_shared_1_0, acc_1_1_2);
      acc_1_1_3 = fma(qr_shared_1_4, rt_shared_1_4, acc_1_1_3);
      acc_1_1_0 = fma(qr_shared_1_1, rt_shared_1_1, acc_1_1_0);
      acc_1_1_1 = fma(qr_shared_1_1, rt_shared_1_5, acc_1_1_1);
      acc_1_1_2 = fma(qr_shared_1_5, rt_shared_1_1, acc_1_1_2);
      acc_1_1_3 = fma(qr_shared_1_5, rt_shared_1_5, acc_1_1_3);
      acc_1_1_0 = fma(qr_shared_1_2, rt_shared_1_2, acc_1_1_0);
      acc_1_1_1 = fma(qr_shared_1_2, rt_shared_1_6, acc_1_1_1);
      acc_1_1_2 = fma(qr_shared_1_6, rt_shared_1_2, acc_1_1_2);
      acc_1_1_3 = fma(qr_shared_1_6, rt_shared_1_6, acc_1_1_3);
      acc_1_1_0 = fma(qr_shared_1_3, rt_shared_1_3, acc_1_1_0);
      acc_1_1_1 = fma(qr_shared_1_3, rt_shared_1_7, acc_1_1_1);
      acc_1_1_2 = fma(qr_shared_1_7, rt_shared_1_3, acc_1_1_2);
      acc_1_1_3 = fma(qr_shared_1_7, rt_shared_1_7, acc_1_1_3);
    }
    var seen_0: bool; var seen_1: bool;
    seen_0 = n + t_BN < len; seen_1 = n + t_BN + 1 < len;
    var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32;
    var most_0: f32; var most_1: f32;
    x_0 = select(tw_bits_f32(0xff800000u), acc_1_1_0 * t_1, seen_0);
    x_1 = select(tw_bits_f32(0xff800000u), acc_1_1_1 * t_1, seen_1);
    most_0 = tw_bits_f32(0xff800000u); most_0 = tw_max(most_0, x_0); most_0 = tw_max(most_0, x_1);
    t53_parts[part_at] = most_0;
    x_2 = select(tw_bits_f32(0xff800000u), acc_1_1_2 * t_1, seen_0);
    x_3 = select(tw_bits_f32(0xff800000u), acc_1_1_3 * t_1, seen_1);
    most_1 = tw_bits_f32(0xff800000u); most_1 = tw_max(most_1, x_2); most_1 = tw_max(most_1, x_3);
    t53_parts[part_at + 8] = most_1;
    workgroupBarrier();
    most_0 = t53_parts[t_GP];
    var other: f32;
    other = t53_parts[t_GP + 16];
    most_0 = tw_max(most_0, other);
    var other_1: f32;
    other_1 = t53_parts[t_GP + 32];
    most_0 = tw_max(most_0, other_1);
    var other_2: f32;
    other_2 = t53_parts[t_GP + 48];
    most_0 = tw_max(most_0, other_2);
    var other_3: f32;
    other_3 = t53_parts[t_GP + 64];
    most_0 = tw_max(most_0, other_3);
    var other_4: f32;
    other_4 = t53_parts[t_GP + 80];
    most_0 = tw_max(most_0, other_4);
    var other_5: f32;
    other_5 = t53_parts[t_GP + 96];
    most_0 = tw_max(most_0, other_5);
    var other_6: f32;
    other_6 = t53_parts[t_GP + 112];
    most_0 = tw_max(most_0, other_6);
    most_1 = t53_parts[t_GP + 8];
    var other_7: f32;
    other_7 = t53_parts[t_GP + 24];
    most_1 = tw_max(most_1, other_7);
    var other_8: f32;
    other_8 = t53_parts[t_GP + 40];
    most_1 = tw_max(most_1, other_8);
    var other_9: f32;
    other_9 = t53_parts[t_GP + 56];
    most_1 = tw_max(most_1, other_9);
    var other_10: f32;
    other_10 = t53_parts[t_GP + 72];
    most_1 = tw_max(most_1, other_10);
    var other_11: f32;
    other_11 = t53_parts[t_GP + 88];
    most_1 = tw_max(most_1, other_11);
    var other_12: f32;
    other_12 = t53_parts[t_GP + 104];
    most_1 = tw_max(most_1, other_12);
    var other_13: f32;
    other_13 = t53_parts[t_GP + 120];
    most_1 = tw_max(most_1, other_13);
    if (is_first) {
      t53_convert[t_GP] = most_0;
      t53_convert[t_GP + 8] = most_1;
    }
    workgroupBarrier();
    var t_6_0: f32; var t_6_1: f32; var t_6_2: f32; var t_6_3: f32;
    t_6_0 = t53_convert[t53_convert_at];
    t_6_1 = t53_convert[t53_convert_at + 4];
    t_6_2 = t53_convert[t53_convert_at + 8];
    t_6_3 = t53_convert[t53_convert_at + 12];
    var mNew_0: f32; var mNew_1: f32; var mNew_2: f32; var mNew_3: f32;
    mNew_0 = tw_max(m_0, t_6_0); mNew_1 = tw_max(m_1, t_6_1); mNew_2 = tw_max(m_2, t_6_2);
    mNew_3 = tw_max(m_3, t_6_3);
    if (is_first_1) {
      mNew_convert[t53_convert_at] = mNew_0;
      mNew_convert[t53_convert_at + 4] = mNew_1;
      mNew_convert[t53_convert_at + 8] = mNew_2;
      mNew_convert[t53_convert_at + 12] = mNew_3;
    }
    workgroupBarrier();
    var mNew_1_1_0: f32; var mNew_1_1_1: f32;
    mNew_1_1_0 = mNew_convert[t_GP];
    mNew_1_1_1 = mNew_convert[t_GP + 8];
    var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32;
    p_0 = tw_exp2(x_0 - mNew_1_1_0); p_1 = tw_exp2(x_1 - mNew_1_1_0);
    p_2 = tw_exp2(x_2 - mNew_1_1_1); p_3 = tw_exp2(x_3 - mNew_1_1_1);
    var alpha_0: f32; var alpha_1: f32; var alpha_2: f32; var alpha_3: f32;
    alpha_0 = tw_exp2(m_0 - mNew_0); alpha_1 = tw_exp2(m_1 - mNew_1);
    alpha_2 = tw_exp2(m_2 - mNew_2); alpha_3 = tw_exp2(m_3 - mNew_3);
    var sum_0: f32; var sum_1: f32;
    sum_0 = 0.0f; sum_0 = sum_0 + p_0; sum_0 = sum_0 + p_1;
    t61_parts[part_at] = sum_0;
    sum_1 = 0.0f; sum_1 = sum_1 + p_2; sum_1 = sum_1 + p_3;
    t61_parts[part_at + 8] = sum_1;
    workgroupBarrier();
    sum_0 = t61_parts[t_GP];
    var other_14: f32;
    other_14 = t61_parts[t_GP + 16];
    sum_0 = sum_0 + other_14;
    var other_15: f32;
    other_15 = t61_parts[t_GP + 32];
    sum_0 = sum_0 + other_15;
    var other_16: f32;
    other_16 = t61_parts[t_GP + 48];
    sum_0 = sum_0 + other_16;
    var other_17: f32;
    other_17 = t61_parts[t_GP + 64];
    sum_0 = sum_0 + other_17;
    var other_18: f32;
    other_18 = t61_parts[t_GP + 80];
    sum_0 = sum_0 + other_18;
    var other_19: f32;
    other_19 = t61_parts[t_GP + 96];
    sum_0 = sum_0 + other_19;
    var other_20: f32;
    other_20 = t61_parts[t_GP + 112];
    sum_0 = sum_0 + other_20;
    sum_1 = t61_parts[t_GP + 8];
    var other_21: f32;
    other_21 = t61_parts[t_GP + 24];
    sum_1 = sum_1 + other_21;
    var other_22: f32;
    other_22 = t61_parts[t_GP + 40];
    sum_1 = sum_1 + other_22;
    var other_23: f32;
    other_23 = t61_parts[t_GP + 56];
    sum_1 = sum_1 + other_23;
    var other_24: f32;
    other_24 = t61_parts[t_GP + 72];
    sum_1 = sum_1 + other_24;
    var other_25: f32;
    other_25 = t61_parts[t_GP + 88];
    sum_1 = sum_1 + other_25;
    var other_26: f32;
    other_26 = t61_parts[t_GP + 104];
    sum_1 = sum_1 + other_26;
    var other_27: f32;
    other_27 = t61_parts[t_GP + 120];
    sum_1 = sum_1 + other_27;
    if (is_first) {
      t61_convert[t_GP] = sum_0;
      t61_convert[t_GP + 8] = sum_1;
    }
    workgroupBarrier();
    var t_7_0: f32; var t_7_1: f32; var t_7_2: f32; var t_7_3: f32;
    t_7_0 = t61_convert[t53_convert_at];
    t_7_1 = t61_convert[t53_convert_at + 4];
    t_7_2 = t61_convert[t53_convert_at + 8];
    t_7_3 = t61_convert[t53_convert_at + 12];
    var t81_shared_tile_0: f32; var t81_shared_tile_1: f32;
    t81_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_0));
    t81_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_1));
    t81_shared[t81_shared_at >> 1u] = vec2<f32>(t81_shared_tile_0, t81_shared_tile_1);
    var t81_shared_tile_1_1_0: f32; var t81_shared_tile_1_1_1: f32;
    t81_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_2));
    t81_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_3));
    t81_shared[(t81_shared_at + 128) >> 1u] = vec2<f32>(t81_shared_tile_1_1_0, t81_shared_tile_1_1_1);
    workgroupBarrier();
    acc_0 = acc_0 * alpha_0; acc_1 = acc_1 * alpha_0; acc_2 = acc_2 * alpha_0;
    acc_3 = acc_3 * alpha_0; acc_4 = acc_4 * alpha_1; acc_5 = acc_5 * alpha_1;
    acc_6 = acc_6 * alpha_1; acc_7 = acc_7 * alpha_1; acc_8 = acc_8 * alpha_2;
    acc_9 = acc_9 * alpha_2; acc_10 = acc_10 * alpha_2; acc_11 = acc_11 * alpha_2;
    acc_12 = acc_12 * alpha_3; acc_13 = acc_13 * alpha_3; acc_14 = acc_14 * alpha_3;
    acc_15 = acc_15 * alpha_3;
    for (var r: i32 = 0; r < 4; r++) {
      var t81_shared_1_0: f32; var t81_shared_1_1: f32; var t81_shared_1_2: f32;
      var t81_shared_1_3: f32; var t81_shared_1_4: f32; var t81_shared_1_5: f32;
      var t81_shared_1_6: f32; var t81_shared_1_7: f32; var t81_shared_1_8: f32;
      var t81_shared_1_9: f32; var t81_shared_1_10: f32; var t81_shared_1_11: f32;
      var t81_shared_1_12: f32; var t81_shared_1_13: f32; var t81_shared_1_14: f32;
      var t81_shared_1_15: f32;
      var lt_shared_2_0: f32; var lt_shared_2_1: f32; var lt_shared_2_2: f32;
      var lt_shared_2_3: f32; var lt_shared_2_4: f32; var lt_shared_2_5: f32;
      var lt_shared_2_6: f32; var lt_shared_2_7: f32; var lt_shared_2_8: f32;
      var lt_shared_2_9: f32; var lt_shared_2_10: f32; var lt_shared_2_11: f32;
      var lt_shared_2_12: f32; var lt_shared_2_13: f32; var lt_shared_2_14: f32;
      var lt_shared_2_15: f32;
      let t81_shared_1_at = t81_shared_at_1 + r * 4;
      let t81_shared_1_word = t81_shared[t81_shared_1_at >> 1u];
      t81_shared_1_0 = t81_shared_1_word.x; t81_shared_1_1 = t81_shared_1_word.y;
      let t81_shared_1_word_1 = t81_shared[(t81_shared_1_at >> 1u) + 1];
      t81_shared_1_2 = t81_shared_1_word_1.x; t81_shared_1_3 = t81_shared_1_word_1.y;
      let t81_shared_1_at_1 = t81_shared_at_1 + 64 + r * 4;
      let t81_shared_1_word_2 = t81_shared[t81_shared_1_at_1 >> 1u];
      t81_shared_1_4 = t81_shared_1_word_2.x; t81_shared_1_5 = t81_shared_1_word_2.y;
      let t81_shared_1_word_3 = t81_shared[(t81_shared_1_at_1 >> 1u) + 1];
      t81_shared_1_6 = t81_shared_1_word_3.x; t81_shared_1_7 = t81_shared_1_word_3.y;
      let t81_shared_1_at_2 = t81_shared_at_1 + 128 + r * 4;
      let t81_shared_1_word_4 = t81_shared[t81_shared_1_at_2 >> 1u];
      t81_shared_1_8 = t81_shared_1_word_4.x; t81_shared_1_9 = t81_shared_1_word_4.y;
      let t81_shared_1_word_5 = t81_shared[(t81_shared_1_at_2 >> 1u) + 1];
      t81_shared_1_10 = t81_shared_1_word_5.x; t81_shared_1_11 = t81_shared_1_word_5.y;
      let t81_shared_1_at_3 = t81_shared_at_1 + 192 + r * 4;
      let t81_shared_1_word_6 = t81_shared[t81_shared_1_at_3 >> 1u];
      t81_shared_1_12 = t81_shared_1_word_6.x; t81_shared_1_13 = t81_shared_1_word_6.y;
      let t81_shared_1_word_7 = t81_shared[(t81_shared_1_at_3 >> 1u) + 1];
      t81_shared_1_14 = t81_shared_1_word_7.x; t81_shared_1_15 = t81_shared_1_word_7.y;
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
      acc_0 = fma(t81_shared_1_0, lt_shared_2_0, acc_0);
      acc_1 = fma(t81_shared_1_0, lt_shared_2_1, acc_1);
      acc_2 = fma(t81_shared_1_0, lt_shared_2_2, acc_2);
      acc_3 = fma(t81_shared_1_0, lt_shared_2_3, acc_3);
      acc_4 = fma(t81_shared_1_4, lt_shared_2_0, acc_4);
      acc_5 = fma(t81_shared_1_4, lt_shared_2_1, acc_5);
      acc_6 = fma(t81_shared_1_4, lt_shared_2_2, acc_6);
      acc_7 = fma(t81_shared_1_4, lt_shared_2_3, acc_7);
      acc_8 = fma(t81_shared_1_8, lt_shared_2_0, acc_8);
      acc_9 = fma(t81_shared_1_8, lt_shared_2_1, acc_9);
      acc_10 = fma(t81_shared_1_8, lt_shared_2_2, acc_10);
      acc_11 = fma(t81_shared_1_8, lt_shared_2_3, acc_11);
      acc_12 = fma(t81_shared_1_12, lt_shared_2_0, acc_12);
      acc_13 = fma(t81_shared_1_12, lt_shared_2_1, acc_13);
      acc_14 = fma(t81_shared_1_12, lt_shared_2_2, acc_14);
      acc_15 = fma(t81_shared_1_12, lt_shared_2_3, acc_15);
      acc_0 = fma(t81_shared_1_1, lt_shared_2_4, acc_0);
      acc_1 = fma(t81_shared_1_1, lt_shared_2_5, acc_1);
      acc_2 = fma(t81_shared_1_1, lt_shared_2_6, acc_2);
      acc_3 = fma(t81_shared_1_1, lt_shared_2_7, acc_3);
      acc_4 = fma(t81_shared_1_5, lt_shared_2_4, acc_4);
      acc_5 = fma(t81_shared_1_5, lt_shared_2_5, acc_5);
      acc_6 = fma(t81_shared_1_5, lt_shared_2_6, acc_6);
      acc_7 = fma(t81_shared_1_5, lt_shared_2_7, acc_7);
      acc_8 = fma(t81_shared_1_9, lt_shared_2_4, acc_8);
      acc_9 = fma(t81_shared_1_9, lt_shared_2_5, acc_9);
      acc_10 = fma(t81_shared_1_9, lt_shared_2_6, acc_10);
      acc_11 = fma(t81_shared_1_9, lt_shared_2_7, acc_11);
      acc_12 = fma(t81_shared_1_13, lt_shared_2_4, acc_12);
      acc_13 = fma(t81_shared_1_13, lt_shared_2_5, acc_13);
      acc_14 = fma(t81_shared_1_13, lt_shared_2_6, acc_14);
      acc_15 = fma(t81_shared_1_13, lt_shared_2_7, acc_15);
      acc_0 = fma(t81_shared_1_2, lt_shared_2_8, acc_0);
      acc_1 = fma(t81_shared_1_2, lt_shared_2_9, acc_1);
      acc_2 = fma(t81_shared_1_2, lt_shared_2_10, acc_2);
      acc_3 = fma(t81_shared_1_2, lt_shared_2_11, acc_3);
      acc_4 = fma(t81_shared_1_6, lt_shared_2_8, acc_4);
      acc_5 = fma(t81_shared_1_6, lt_shared_2_9, acc_5);
      acc_6 = fma(t81_shared_1_6, lt_shared_2_10, acc_6);
      acc_7 = fma(t81_shared_1_6, lt_shared_2_11, acc_7);
      acc_8 = fma(t81_shared_1_10, lt_shared_2_8, acc_8);
      acc_9 = fma(t81_shared_1_10, lt_shared_2_9, acc_9);
      acc_10 = fma(t81_shared_1_10, lt_shared_2_10, acc_10);
      acc_11 = fma(t81_shared_1_10, lt_shared_2_11, acc_11);
      acc_12 = fma(t81_shared_1_14, lt_shared_2_8, acc_12);
      acc_13 = fma(t81_shared_1_14, lt_shared_2_9, acc_13);
      acc_14 = fma(t81_shared_1_14, lt_shared_2_10, acc_14);
      acc_15 = fma(t81_shared_1_14, lt_shared_2_11, acc_15);
      acc_0 = fma(t81_shared_1_3, lt_shared_2_12, acc_0);
      acc_1 = fma(t81_shared_1_3, lt_shared_2_13, acc_1);
      acc_2 = fma(t81_shared_1_3, lt_shared_2_14, acc_2);
      acc_3 = fma(t81_shared_1_3, lt_shared_2_15, acc_3);
      acc_4 = fma(t81_shared_1_7, lt_shared_2_12, acc_4);
      acc_5 = fma(t81_shared_1_7, lt_shared_2_13, acc_5);
      acc_6 = fma(t81_shared_1_7, lt_shared_2_14, acc_6);
      acc_7 = fma(t81_shared_1_7, lt_shared_2_15, acc_7);
      acc_8 = fma(t81_shared_1_11, lt_shared_2_12, acc_8);
      acc_9 = fma(t81_shared_1_11, lt_shared_2_13, acc_9);
      acc_10 = fma(t81_shared_1_11, lt_shared_2_14, acc_10);
      acc_11 = fma(t81_shared_1_11, lt_shared_2_15, acc_11);
      acc_12 = fma(t81_shared_1_15, lt_shared_2_12, acc_12);
      acc_13 = fma(t81_shared_1_15, lt_shared_2_13, acc_13);
      acc_14 = fma(t81_shared_1_15, lt_shared_2_14, acc_14);
      acc_15 = fma(t81_shared_1_15, lt_shared_2_15, acc_15);
    }
    l_0 = l_0 * alpha_0 + t_7_0; m_0 = mNew_0; l_1 = l_1 * alpha_1 + t_7_1; m_1 = mNew_1;
    l_2 = l_2 * alpha_2 + t_7_2; m_2 = mNew_2; l_3 = l_3 * alpha_3 + t_7_3; m_3 = mNew_3;
  }
  var total_0: f32; var total_1: f32; var total_2: f32; var total_3: f32;
  total_0 = tw_max(l_0, 1e-30f); total_1 = tw_max(l_1, 1e-30f); total_2 = tw_max(l_2, 1e-30f);
  total_3 = tw_max(l_3, 1e-30f);
  let stride_2: i32 = launch.H * 64 * launch.SPLIT;
  let t_R_1: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
  let partial_at: i32 = t53_convert_at * 64 + t_R_1;
  let partial_at_1: i32 = pid2 * stride_2 + pid1 * stride + t * 64 + partial_at;
  let partial_in: bool = (pid2 < launch.S) & (pid1 < launch.SPLIT);
  var partial_tile_0: f32; var partial_tile_1: f32; var partial_tile_2: f32;
  var partial_tile_3: f32;
  partial_tile_0 = acc_0 / total_0; partial_tile_1 = acc_1 / total_0;
  partial_tile_2 = acc_2 / total_0; partial_tile_3 = acc_3 / total_0;
  if (partial_in & (t53_convert_at < left)) {
    partial[partial_at_1 >> 2u] = vec4<f32>(
        partial_tile_0, partial_tile_1, partial_tile_2, partial_tile_3);
  }
  var partial_tile_1_1_0: f32; var partial_tile_1_1_1: f32; var partial_tile_1_1_2: f32;
  var partial_tile_1_1_3: f32;
  partial_tile_1_1_0 = acc_4 / total_1; partial_tile_1_1_1 = acc_5 / total_1;
  partial_tile_1_1_2 = acc_6 / total_1; partial_tile_1_1_3 = acc_7 / total_1;
  if (partial_in & (t53_convert_at + 4 < left)) {
    partial[(partial_at_1 + 256) >> 2u] = vec4<f32>(
        partial_tile_1_1_0, partial_tile_1_1_1, partial_tile_1_1_2, partial_tile_1_1_3);
  }
  var partial_tile_2_1_0: f32; var partial_tile_2_1_1: f32; var partial_tile_2_1_2: f32;
  var partial_tile_2_1_3: f32;
  partial_tile_2_1_0 = acc_8 / total_2; partial_tile_2_1_1 = acc_9 / total_2;
  partial_tile_2_1_2 = acc_10 / total_2; partial_tile_2_1_3 = acc_11 / total_2;
  if (partial_in & (t53_convert_at + 8 < left)) {
    partial[(partial_at_1 + 512) >> 2u] = vec4<f32>(
        partial_tile_2_1_0, partial_tile_2_1_1, partial_tile_2_1_2, partial_tile_2_1_3);
  }
  var partial_tile_3_1_0: f32; var partial_tile_3_1_1: f32; var partial_tile_3_1_2: f32;
  var partial_tile_3_1_3: f32;
  partial_tile_3_1_0 = acc_12 / total_3; partial_tile_3_1_1 = acc_13 / total_3;
  partial_tile_3_1_2 = acc_14 / total_3; partial_tile_3_1_3 = acc_15 / total_3;
  if (partial_in & (t53_convert_at + 12 < left)) {
    partial[(partial_at_1 + 768) >> 2u] = vec4<f32>(
        partial_tile_3_1_0, partial_tile_3_1_1, partial_tile_3_1_2, partial_tile_3_1_3);
  }
  let stride_3: i32 = launch.H * launch.SPLIT;
  let lse_at: i32 = pid2 * stride_3 + pid1 * launch.H + t + t53_convert_at;
  if (is_first_1) {
    let lse_tile: f32 = m_0 + tw_log2(total_0);
    if (partial_in & (t53_convert_at < left)) {
      lse[lse_at] = lse_tile;
    }
    let lse_tile_1: f32 = m_1 + tw_log2(total_1);
    if (partial_in & (t53_convert_at + 4 < left)) {
      lse[lse_at + 4] = lse_tile_1;
    }
    let lse_tile_2: f32 = m_2 + tw_log2(total_2);
    if (partial_in & (t53_convert_at + 8 < left)) {
      lse[lse_at + 8] = lse_tile_2;
    }
    let lse_tile_3: f32 = m_3 + tw_log2(total_3);
    if (partial_in & (t53_convert_at + 12 < left)) {
      lse[lse_at + 12] = lse_tile_3;
    }
  }
}
