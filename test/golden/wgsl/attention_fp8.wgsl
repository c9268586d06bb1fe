// attention_fp8 for wgsl, made by tilewright
// dtypes: O=bf16
// config: BM=16 BN=16 stages=2 CAUSAL=0 heads=0 schedule.fastSums=true
// dims fixed: D=32 DV=32
// dims divisible: L%2 HQ%2 LK%16 HKV%2
// 64 threads, 7056 bytes of shared memory
//       0 … 2288: qt_shared f32[572]
//       0 … 2544: vt_shared f32[636]
//    2304 … 4592: kt_shared f32[572]
//    4608 … 5632: t101_shared f32[256]
//    5632 … 6144: t49_parts f32[128]
//    6144 … 6656: t76_parts f32[128]
//    6656 … 6720: t49_convert f32[16]
//    6784 … 6848: t72_convert f32[16]
//    6912 … 6976: t76_convert f32[16]
//    7040 … 7056: grew_parts i32[4]

struct TwLaunch {
  programs: vec4<u32>,
  B: i32,
  L: i32,
  HQ: i32,
  LK: i32,
  HKV: i32,
  scale: f32,
}
@group(0) @binding(0) var<storage, read> q: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> k: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> v: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> qScale: array<f32>;
@group(0) @binding(4) var<storage, read> kScale: array<f32>;
@group(0) @binding(5) var<storage, read> vScale: array<f32>;
@group(0) @binding(6) var<storage, read_write> o: array<u32>;
@group(0) @binding(7) var<uniform> launch: TwLaunch;
var<workgroup> shared_qt_shared_vt_shared_kt_shared: array<vec4<f32>, 287>;
var<workgroup> t101_shared: array<vec2<f32>, 128>;
var<workgroup> t49_parts: array<f32, 128>;
var<workgroup> t76_parts: array<f32, 128>;
var<workgroup> t49_convert: array<f32, 16>;
var<workgroup> t72_convert: array<f32, 16>;
var<workgroup> t76_convert: array<f32, 16>;
var<workgroup> grew_parts: array<i32, 4>;

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

// Drops the low `shift` bits (1 … 25) of a number below 2^31, to nearest even.
fn tw_round_shift(x: u32, shift: u32) -> u32 {
  return (x + ((1u << (shift - 1u)) - 1u) + ((x >> shift) & 1u)) >> shift;
}

// To a format of `fraction` fraction bits and exponent bias `bias`, without its sign; `size` are the bits of a finite magnitude.
fn tw_narrow(size: u32, fraction: u32, bias: u32) -> u32 {
  let exponent = size >> 23u;
  let cut = 23u - fraction;
  let normal = tw_round_shift(size, cut) - ((127u - bias) << fraction);
  // Below the smallest normal number the leading one moves into the fraction.
  let shift = min(cut + 128u - bias - min(exponent, 127u - bias), 25u);
  let subnormal = tw_round_shift((size & 0x7fffffu) | 0x800000u, shift);
  return select(subnormal, normal, exponent > 127u - bias);
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

// Saturates to 448.
fn tw_f32_to_f8e4m3(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let code = ((bits >> 24u) & 0x80u) | tw_narrow(min(size, 0x43e00000u), 3u, 7u);
  return select(code, 0x7fu, size > 0x7f800000u);
}

fn tw_f8e4m3_to_f32(x: u32) -> f32 {
  let size = x & 0x7fu;
  let normal = select((size << 20u) + 0x3c000000u, 0x7fc00000u, size == 0x7fu);
  let subnormal = bitcast<u32>(f32(size) * 0x1p-9f);
  return bitcast<f32>(select(normal, subnormal, size < 8u) | ((x & 0x80u) << 24u));
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

@compute @workgroup_size(64)
fn attention_fp8(
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
  let m0: i32 = (((launch.L + 15) >> 4u) - 1 - pid1) * 16;
  let kvHead: i32 = tw_floordiv_i32(pid0, tw_floordiv_i32(launch.HQ, launch.HKV));
  var qScale_tile: f32;
  qScale_tile = qScale[pid0];
  var kScale_tile: f32;
  kScale_tile = kScale[kvHead];
  let c: f32 = launch.scale * qScale_tile * kScale_tile * 1.442695f;
  let stride: i32 = launch.HQ * 32 * launch.L;
  let stride_1: i32 = launch.HQ * 32;
  let t_BM: i32 = thread >> 2u;
  let position: i32 = m0 + t_BM;
  let t_D: i32 = (thread & 3) * 8;
  let q_at: i32 = t_BM * stride_1 + t_D;
  let q_at_1: i32 = pid2 * stride + m0 * stride_1 + pid0 * 32 + q_at;
  let q_in: bool = ((pid2 < launch.B) & (u32(position) < u32(launch.L))) & (pid0 < launch.HQ);
  var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32; var qt_4: u32; var qt_5: u32;
  var qt_6: u32; var qt_7: u32;
  let qt_word = select(vec2<u32>(0u), q[select(0, q_at_1 >> 3u, q_in)], q_in);
  qt_0 = extractBits(qt_word.x, 0u, 8u); qt_1 = extractBits(qt_word.x, 8u, 8u);
  qt_2 = extractBits(qt_word.x, 16u, 8u); qt_3 = extractBits(qt_word.x, 24u, 8u);
  qt_4 = extractBits(qt_word.y, 0u, 8u); qt_5 = extractBits(qt_word.y, 8u, 8u);
  qt_6 = extractBits(qt_word.y, 16u, 8u); qt_7 = extractBits(qt_word.y, 24u, 8u);
  let end: i32 = max(launch.LK, 1);
  let t_BN: i32 = (thread & 7) * 2;
  let more: bool = 0 < end;
  var kt_0: u32; var kt_1: u32; var kt_2: u32; var kt_3: u32; var kt_4: u32; var kt_5: u32;
  var kt_6: u32; var kt_7: u32;
  var vt_0: u32; var vt_1: u32; var vt_2: u32; var vt_3: u32; var vt_4: u32; var vt_5: u32;
  var vt_6: u32; var vt_7: u32;
  let stride_2: i32 = launch.HKV * 32 * launch.LK;
  let stride_3: i32 = launch.HKV * 32;
  let stride_4: i32 = launch.LK * 32 * launch.HKV;
  let stride_5: i32 = launch.LK * 32;
  let t_DV: i32 = thread >> 1u;
  let t_BN_1: i32 = (thread & 1) * 8;
  let v_at: i32 = t_DV * launch.LK + t_BN_1;
  let v_at_1: i32 = pid2 * stride_4 + kvHead * stride_5 + v_at;
  if (more) {
    let k_at: i32 = t_D + t_BM * stride_3;
    let k_at_1: i32 = kvHead * 32 + pid2 * stride_2 + k_at;
    let k_in: bool = ((pid2 < launch.B) & (t_BM < launch.LK)) & (kvHead < launch.HKV);
    var kt_1_1_0: u32; var kt_1_1_1: u32; var kt_1_1_2: u32; var kt_1_1_3: u32; var kt_1_1_4: u32;
    var kt_1_1_5: u32; var kt_1_1_6: u32; var kt_1_1_7: u32;
    let kt_1_word = select(vec2<u32>(0u), k[select(0, k_at_1 >> 3u, k_in)], k_in);
    kt_1_1_0 = extractBits(kt_1_word.x, 0u, 8u); kt_1_1_1 = extractBits(kt_1_word.x, 8u, 8u);
    kt_1_1_2 = extractBits(kt_1_word.x, 16u, 8u); kt_1_1_3 = extractBits(kt_1_word.x, 24u, 8u);
    kt_1_1_4 = extractBits(kt_1_word.y, 0u, 8u); kt_1_1_5 = extractBits(kt_1_word.y, 8u, 8u);
    kt_1_1_6 = extractBits(kt_1_word.y, 16u, 8u); kt_1_1_7 = extractBits(kt_1_word.y, 24u, 8u);
    let v_in: bool = ((pid2 < launch.B) & (kvHead < launch.HKV)) & (t_BN_1 < launch.LK);
    var vt_1_1_0: u32; var vt_1_1_1: u32; var vt_1_1_2: u32; var vt_1_1_3: u32; var vt_1_1_4: u32;
    var vt_1_1_5: u32; var vt_1_1_6: u32; var vt_1_1_7: u32;
    let vt_1_word = select(vec2<u32>(0u), v[select(0, v_at_1 >> 3u, v_in)], v_in);
    vt_1_1_0 = extractBits(vt_1_word.x, 0u, 8u); vt_1_1_1 = extractBits(vt_1_word.x, 8u, 8u);
    vt_1_1_2 = extractBits(vt_1_word.x, 16u, 8u); vt_1_1_3 = extractBits(vt_1_word.x, 24u, 8u);
    vt_1_1_4 = extractBits(vt_1_word.y, 0u, 8u); vt_1_1_5 = extractBits(vt_1_word.y, 8u, 8u);
    vt_1_1_6 = extractBits(vt_1_word.y, 16u, 8u); vt_1_1_7 = extractBits(vt_1_word.y, 24u, 8u);
    kt_0 = kt_1_1_0; vt_0 = vt_1_1_0; kt_1 = kt_1_1_1; vt_1 = vt_1_1_1; kt_2 = kt_1_1_2;
    vt_2 = vt_1_1_2; kt_3 = kt_1_1_3; vt_3 = vt_1_1_3; kt_4 = kt_1_1_4; vt_4 = vt_1_1_4;
    kt_5 = kt_1_1_5; vt_5 = vt_1_1_5; kt_6 = kt_1_1_6; vt_6 = vt_1_1_6; kt_7 = kt_1_1_7;
    vt_7 = vt_1_1_7;
  } else {
    kt_0 = 0u; vt_0 = 0u; kt_1 = 0u; vt_1 = 0u; kt_2 = 0u; vt_2 = 0u; kt_3 = 0u; vt_3 = 0u;
    kt_4 = 0u; vt_4 = 0u; kt_5 = 0u; vt_5 = 0u; kt_6 = 0u; vt_6 = 0u; kt_7 = 0u; vt_7 = 0u;
  }
  var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32;
  var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32;
  m_0 = -1e+30f; l_0 = 0.0f; m_1 = -1e+30f; l_1 = 0.0f; m_2 = -1e+30f; l_2 = 0.0f; m_3 = -1e+30f;
  l_3 = 0.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f;
  let k_at_2: i32 = t_BM * stride_3 + t_D;
  let k_at_3: i32 = pid2 * stride_2 + kvHead * 32 + k_at_2;
  let k_in_1: bool = (pid2 < launch.B) & (kvHead < launch.HKV);
  let qt_shared_at: i32 = (thread & 3) * 8 + (thread >> 2u) * 36;
  let qt_shared_at_1: i32 = (thread >> 3u) * 36;
  let kt_shared_at: i32 = (thread & 7) * 72;
  let t_BM_1: i32 = thread >> 3u;
  let part: i32 = thread & 7;
  let part_at: i32 = part * 16 + t_BM_1;
  let is_first: bool = (thread & 7) == 0;
  let t49_convert_at: i32 = (thread >> 3u) & 3;
  let is_first_1: bool = ((thread & 7) == 0) & (thread < 32);
  let t101_shared_at: i32 = (thread & 7) * 2 + (thread >> 3u) * 16;
  let vt_shared_at: i32 = (thread & 1) * 8 + (thread >> 1u) * 20;
  let t101_shared_at_1: i32 = ((thread >> 3u) & 3) * 16;
  let vt_shared_at_1: i32 = (thread & 7) * 40 + (thread >> 5u) * 320;
  let n_end = end;
  for (var n: i32 = 0; n < n_end; n += 16) {
    let n_1: i32 = n + 16;
    let more_1: bool = n_1 < end;
    var kt_2_1_0: u32; var kt_2_1_1: u32; var kt_2_1_2: u32; var kt_2_1_3: u32; var kt_2_1_4: u32;
    var kt_2_1_5: u32; var kt_2_1_6: u32; var kt_2_1_7: u32;
    var vt_2_1_0: u32; var vt_2_1_1: u32; var vt_2_1_2: u32; var vt_2_1_3: u32; var vt_2_1_4: u32;
    var vt_2_1_5: u32; var vt_2_1_6: u32; var vt_2_1_7: u32;
    if (more_1) {
      let left: i32 = launch.LK - n_1;
      let k_at_4: i32 = k_at_3 + n_1 * stride_3;
      let k_in_2: bool = k_in_1 & (t_BM < left);
      var kt_3_1_0: u32; var kt_3_1_1: u32; var kt_3_1_2: u32; var kt_3_1_3: u32; var kt_3_1_4: u32;
      var kt_3_1_5: u32; var kt_3_1_6: u32; var kt_3_1_7: u32;
      let kt_3_word = select(vec2<u32>(0u), k[select(0, k_at_4 >> 3u, k_in_2)], k_in_2);
      kt_3_1_0 = extractBits(kt_3_word.x, 0u, 8u); kt_3_1_1 = extractBits(kt_3_word.x, 8u, 8u);
      kt_3_1_2 = extractBits(kt_3_word.x, 16u, 8u); kt_3_1_3 = extractBits(kt_3_word.x, 24u, 8u);
      kt_3_1_4 = extractBits(kt_3_word.y, 0u, 8u); kt_3_1_5 = extractBits(kt_3_word.y, 8u, 8u);
      kt_3_1_6 = extractBits(kt_3_word.y, 16u, 8u); kt_3_1_7 = extractBits(kt_3_word.y, 24u, 8u);
      let v_at_2: i32 = v_at_1 + n_1;
      let v_in_1: bool = k_in_1 & (t_BN_1 < left);
      var vt_3_1_0: u32; var vt_3_1_1: u32; var vt_3_1_2: u32; var vt_3_1_3: u32; var vt_3_1_4: u32;
      var vt_3_1_5: u32; var vt_3_1_6: u32; var vt_3_1_7: u32;
      let vt_3_word = select(vec2<u32>(0u), v[select(0, v_at_2 >> 3u, v_in_1)], v_in_1);
      vt_3_1_0 = extractBits(vt_3_word.x, 0u, 8u); vt_3_1_1 = extractBits(vt_3_word.x, 8u, 8u);
      vt_3_1_2 = extractBits(vt_3_word.x, 16u, 8u); vt_3_1_3 = extractBits(vt_3_word.x, 24u, 8u);
      vt_3_1_4 = extractBits(vt_3_word.y, 0u, 8u); vt_3_1_5 = extractBits(vt_3_word.y, 8u, 8u);
      vt_3_1_6 = extractBits(vt_3_word.y, 16u, 8u); vt_3_1_7 = extractBits(vt_3_word.y, 24u, 8u);
      kt_2_1_0 = kt_3_1_0; vt_2_1_0 = vt_3_1_0; kt_2_1_1 = kt_3_1_1; vt_2_1_1 = vt_3_1_1;
      kt_2_1_2 = kt_3_1_2; vt_2_1_2 = vt_3_1_2; kt_2_1_3 = kt_3_1_3; vt_2_1_3 = vt_3_1_3;
      kt_2_1_4 = kt_3_1_4; vt_2_1_4 = vt_3_1_4; kt_2_1_5 = kt_3_1_5; vt_2_1_5 = vt_3_1_5;
      kt_2_1_6 = kt_3_1_6; vt_2_1_6 = vt_3_1_6; kt_2_1_7 = kt_3_1_7; vt_2_1_7 = vt_3_1_7;
    } else {
      kt_2_1_0 = 0u; vt_2_1_0 = 0u; kt_2_1_1 = 0u; vt_2_1_1 = 0u; kt_2_1_2 = 0u; vt_2_1_2 = 0u;
      kt_2_1_3 = 0u; vt_2_1_3 = 0u; kt_2_1_4 = 0u; vt_2_1_4 = 0u; kt_2_1_5 = 0u; vt_2_1_5 = 0u;
      kt_2_1_6 = 0u; vt_2_1_6 = 0u; kt_2_1_7 = 0u; vt_2_1_7 = 0u;
    }
    workgroupBarrier();
    var qt_1_1_0: f32; var qt_1_1_1: f32; var qt_1_1_2: f32; var qt_1_1_3: f32;
    qt_1_1_0 = tw_f8e4m3_to_f32(qt_0); qt_1_1_1 = tw_f8e4m3_to_f32(qt_1);
    qt_1_1_2 = tw_f8e4m3_to_f32(qt_2); qt_1_1_3 = tw_f8e4m3_to_f32(qt_3);
    shared_qt_shared_vt_shared_kt_shared[qt_shared_at >> 2u] = vec4<f32>(qt_1_1_0, qt_1_1_1, qt_1_1_2, qt_1_1_3);
    var qt_2_1_0: f32; var qt_2_1_1: f32; var qt_2_1_2: f32; var qt_2_1_3: f32;
    qt_2_1_0 = tw_f8e4m3_to_f32(qt_4); qt_2_1_1 = tw_f8e4m3_to_f32(qt_5);
    qt_2_1_2 = tw_f8e4m3_to_f32(qt_6); qt_2_1_3 = tw_f8e4m3_to_f32(qt_7);
    shared_qt_shared_vt_shared_kt_shared[(qt_shared_at + 4) >> 2u] = vec4<f32>(qt_2_1_0, qt_2_1_1, qt_2_1_2, qt_2_1_3);
    var kt_4_1_0: f32; var kt_4_1_1: f32; var kt_4_1_2: f32; var kt_4_1_3: f32;
    kt_4_1_0 = tw_f8e4m3_to_f32(kt_0); kt_4_1_1 = tw_f8e4m3_to_f32(kt_1);
    kt_4_1_2 = tw_f8e4m3_to_f32(kt_2); kt_4_1_3 = tw_f8e4m3_to_f32(kt_3);
    shared_qt_shared_vt_shared_kt_shared[(qt_shared_at >> 2u) + 144] = vec4<f32>(kt_4_1_0, kt_4_1_1, kt_4_1_2, kt_4_1_3);
    var kt_5_1_0: f32; var kt_5_1_1: f32; var kt_5_1_2: f32; var kt_5_1_3: f32;
    kt_5_1_0 = tw_f8e4m3_to_f32(kt_4); kt_5_1_1 = tw_f8e4m3_to_f32(kt_5);
    kt_5_1_2 = tw_f8e4m3_to_f32(kt_6); kt_5_1_3 = tw_f8e4m3_to_f32(kt_7);
    shared_qt_shared_vt_shared_kt_shared[((qt_shared_at + 4) >> 2u) + 144] = vec4<f32>(kt_5_1_0, kt_5_1_1, kt_5_1_2, kt_5_1_3);
    workgroupBarrier();
    var scores_0: f32; var scores_1: f32; var scores_2: f32; var scores_3: f32;
    scores_0 = 0.0f; scores_1 = 0.0f; scores_2 = 0.0f; scores_3 = 0.0f;
    for (var r: i32 = 0; r < 8; r++) {
      var qt_shared_1_0: f32; var qt_shared_1_1: f32; var qt_shared_1_2: f32;
      var qt_shared_1_3: f32; var qt_shared_1_4: f32; var qt_shared_1_5: f32;
      var qt_shared_1_6: f32; var qt_shared_1_7: f32;
      var kt_shared_1_0: f32; var kt_shared_1_1: f32; var kt_shared_1_2: f32;
      var kt_shared_1_3: f32; var kt_shared_1_4: f32; var kt_shared_1_5: f32;
      var kt_shared_1_6: f32; var kt_shared_1_7: f32;
      let qt_shared_1_word = shared_qt_shared_vt_shared_kt_shared[(qt_shared_at_1 + r * 4) >> 2u];
      qt_shared_1_0 = qt_shared_1_word.x; qt_shared_1_1 = qt_shared_1_word.y;
      qt_shared_1_2 = qt_shared_1_word.z; qt_shared_1_3 = qt_shared_1_word.w;
      let qt_shared_1_word_1 = shared_qt_shared_vt_shared_kt_shared[(qt_shared_at_1 + 288 + r * 4) >> 2u];
      qt_shared_1_4 = qt_shared_1_word_1.x; qt_shared_1_5 = qt_shared_1_word_1.y;
      qt_shared_1_6 = qt_shared_1_word_1.z; qt_shared_1_7 = qt_shared_1_word_1.w;
      let kt_shared_1_word = shared_qt_shared_vt_shared_kt_shared[((kt_shared_at + r * 4) >> 2u) + 144];
      kt_shared_1_0 = kt_shared_1_word.x; kt_shared_1_1 = kt_shared_1_word.y;
      kt_shared_1_2 = kt_shared_1_word.z; kt_shared_1_3 = kt_shared_1_word.w;
      let kt_shared_1_word_1 = shared_qt_shared_vt_shared_kt_shared[((kt_shared_at + 36 + r * 4) >> 2u) + 144];
      kt_shared_1_4 = kt_shared_1_word_1.x; kt_shared_1_5 = kt_shared_1_word_1.y;
      kt_shared_1_6 = kt_shared_1_word_1.z; kt_shared_1_7 = kt_shared_1_word_1.w;
      scores_0 = fma(qt_shared_1_0, kt_shared_1_0, scores_0);
      scores_1 = fma(qt_shared_1_0, kt_shared_1_4, scores_1);
      scores_2 = fma(qt_shared_1_4, kt_shared_1_0, scores_2);
      scores_3 = fma(qt_shared_1_4, kt_shared_1_4, scores_3);
      scores_0 = fma(qt_shared_1_1, kt_shared_1_1, scores_0);
      scores_1 = fma(qt_shared_1_1, kt_shared_1_5, scores_1);
      scores_2 = fma(qt_shared_1_5, kt_shared_1_1, scores_2);
      scores_3 = fma(qt_shared_1_5, kt_shared_1_5, scores_3);
      scores_0 = fma(qt_shared_1_2, kt_shared_1_2, scores_0);
      scores_1 = fma(qt_shared_1_2, kt_shared_1_6, scores_1);
      scores_2 = fma(qt_shared_1_6, kt_shared_1_2, scores_2);
      scores_3 = fma(qt_shared_1_6, kt_shared_1_6, scores_3);
      scores_0 = fma(qt_shared_1_3, kt_shared_1_3, scores_0);
      scores_1 = fma(qt_shared_1_3, kt_shared_1_7, scores_1);
      scores_2 = fma(qt_shared_1_7, kt_shared_1_3, scores_2);
      scores_3 = fma(qt_shared_1_7, kt_shared_1_7, scores_3);
    }
    var seen_0: bool; var seen_1: bool;
    seen_0 = n + t_BN < launch.LK; seen_1 = n + t_BN + 1 < launch.LK;
    var s_0: f32; var s_1: f32; var s_2: f32; var s_3: f32;
    var most_0: f32; var most_1: f32;
    s_0 = select(tw_bits_f32(0xff800000u), scores_0, seen_0);
    s_1 = select(tw_bits_f32(0xff800000u), scores_1, seen_1);
    most_0 = tw_bits_f32(0xff800000u); most_0 = tw_max(most_0, s_0); most_0 = tw_max(most_0, s_1);
    t49_parts[part_at] = most_0;
    s_2 = select(tw_bits_f32(0xff800000u), scores_2, seen_0);
    s_3 = select(tw_bits_f32(0xff800000u), scores_3, seen_1);
    most_1 = tw_bits_f32(0xff800000u); most_1 = tw_max(most_1, s_2); most_1 = tw_max(most_1, s_3);
    t49_parts[part_at + 8] = most_1;
    workgroupBarrier();
    most_0 = t49_parts[t_BM_1];
    var other: f32;
    other = t49_parts[t_BM_1 + 16];
    most_0 = tw_max(most_0, other);
    var other_1: f32;
    other_1 = t49_parts[t_BM_1 + 32];
    most_0 = tw_max(most_0, other_1);
    var other_2: f32;
    other_2 = t49_parts[t_BM_1 + 48];
    most_0 = tw_max(most_0, other_2);
    var other_3: f32;
    other_3 = t49_parts[t_BM_1 + 64];
    most_0 = tw_max(most_0, other_3);
    var other_4: f32;
    other_4 = t49_parts[t_BM_1 + 80];
    most_0 = tw_max(most_0, other_4);
    var other_5: f32;
    other_5 = t49_parts[t_BM_1 + 96];
    most_0 = tw_max(most_0, other_5);
    var other_6: f32;
    other_6 = t49_parts[t_BM_1 + 112];
    most_0 = tw_max(most_0, other_6);
    most_1 = t49_parts[t_BM_1 + 8];
    var other_7: f32;
    other_7 = t49_parts[t_BM_1 + 24];
    most_1 = tw_max(most_1, other_7);
    var other_8: f32;
    other_8 = t49_parts[t_BM_1 + 40];
    most_1 = tw_max(most_1, other_8);
    var other_9: f32;
    other_9 = t49_parts[t_BM_1 + 56];
    most_1 = tw_max(most_1, other_9);
    var other_10: f32;
    other_10 = t49_parts[t_BM_1 + 72];
    most_1 = tw_max(most_1, other_10);
    var other_11: f32;
    other_11 = t49_parts[t_BM_1 + 88];
    most_1 = tw_max(most_1, other_11);
    var other_12: f32;
    other_12 = t49_parts[t_BM_1 + 104];
    most_1 = tw_max(most_1, other_12);
    var other_13: f32;
    other_13 = t49_parts[t_BM_1 + 120];
    most_1 = tw_max(most_1, other_13);
    if (is_first) {
      t49_convert[t_BM_1] = most_0;
      t49_convert[t_BM_1 + 8] = most_1;
    }
    workgroupBarrier();
    var t_0: f32; var t_1: f32; var t_2: f32; var t_3: f32;
    t_0 = t49_convert[t49_convert_at];
    t_1 = t49_convert[t49_convert_at + 4];
    t_2 = t49_convert[t49_convert_at + 8];
    t_3 = t49_convert[t49_convert_at + 12];
    var top_0: f32; var top_1: f32; var top_2: f32; var top_3: f32;
    var grew_0: bool; var grew_1: bool; var grew_2: bool; var grew_3: bool;
    top_0 = tw_max(m_0, t_0);
    grew_0 = (top_0 - m_0) * c > 4.0f;
    top_1 = tw_max(m_1, t_1);
    grew_1 = (top_1 - m_1) * c > 4.0f;
    top_2 = tw_max(m_2, t_2);
    grew_2 = (top_2 - m_2) * c > 4.0f;
    top_3 = tw_max(m_3, t_3);
    grew_3 = (top_3 - m_3) * c > 4.0f;
    var grew_1_1: i32 = -2147483648;
    grew_1_1 = max(grew_1_1, select(0, 1, grew_0));
    grew_1_1 = max(grew_1_1, select(0, 1, grew_1));
    grew_1_1 = max(grew_1_1, select(0, 1, grew_2));
    grew_1_1 = max(grew_1_1, select(0, 1, grew_3));
    if (is_first_1) {
      grew_parts[t49_convert_at] = grew_1_1;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32;
    parts_0 = grew_parts[0];
    parts_1 = grew_parts[1];
    parts_2 = grew_parts[2];
    parts_3 = grew_parts[3];
    grew_1_1 = parts_0;
    grew_1_1 = max(grew_1_1, parts_1);
    grew_1_1 = max(grew_1_1, parts_2);
    grew_1_1 = max(grew_1_1, parts_3);
    let grew_2_1: bool = grew_1_1 != 0;
    var t_1_1_0: f32; var t_1_1_1: f32; var t_1_1_2: f32; var t_1_1_3: f32;
    var t_2_1_0: f32; var t_2_1_1: f32; var t_2_1_2: f32; var t_2_1_3: f32;
    var t_3_1_0: f32; var t_3_1_1: f32; var t_3_1_2: f32; var t_3_1_3: f32; var t_3_1_4: f32;
    var t_3_1_5: f32; var t_3_1_6: f32; var t_3_1_7: f32;
    if (grew_2_1) {
      let next: f32 = select(m_0, top_0, grew_0);
      let alpha: f32 = tw_exp2((m_0 - next) * c);
      t_1_1_0 = next; t_2_1_0 = l_0 * alpha; t_3_1_0 = acc_0 * alpha; t_3_1_1 = acc_1 * alpha;
      let next_1: f32 = select(m_1, top_1, grew_1);
      let alpha_1: f32 = tw_exp2((m_1 - next_1) * c);
      t_1_1_1 = next_1; t_2_1_1 = l_1 * alpha_1; t_3_1_2 = acc_2 * alpha_1;
      t_3_1_3 = acc_3 * alpha_1;
      let next_2: f32 = select(m_2, top_2, grew_2);
      let alpha_2: f32 = tw_exp2((m_2 - next_2) * c);
      t_1_1_2 = next_2; t_2_1_2 = l_2 * alpha_2; t_3_1_4 = acc_4 * alpha_2;
      t_3_1_5 = acc_5 * alpha_2;
      let next_3: f32 = select(m_3, top_3, grew_3);
      let alpha_3: f32 = tw_exp2((m_3 - next_3) * c);
      t_1_1_3 = next_3; t_2_1_3 = l_3 * alpha_3; t_3_1_6 = acc_6 * alpha_3;
      t_3_1_7 = acc_7 * alpha_3;
    } else {
      t_1_1_0 = m_0; t_2_1_0 = l_0; t_1_1_1 = m_1; t_2_1_1 = l_1; t_1_1_2 = m_2; t_2_1_2 = l_2;
      t_1_1_3 = m_3; t_2_1_3 = l_3; t_3_1_0 = acc_0; t_3_1_1 = acc_1; t_3_1_2 = acc_2;
      t_3_1_3 = acc_3; t_3_1_4 = acc_4; t_3_1_5 = acc_5; t_3_1_6 = acc_6; t_3_1_7 = acc_7;
    }
    var t_4_0: f32; var t_4_1: f32; var t_4_2: f32; var t_4_3: f32;
    t_4_0 = t_1_1_0 * c - 4.0f; t_4_1 = t_1_1_1 * c - 4.0f; t_4_2 = t_1_1_2 * c - 4.0f;
    t_4_3 = t_1_1_3 * c - 4.0f;
    if (is_first_1) {
      t72_convert[t49_convert_at] = t_4_0;
      t72_convert[t49_convert_at + 4] = t_4_1;
      t72_convert[t49_convert_at + 8] = t_4_2;
      t72_convert[t49_convert_at + 12] = t_4_3;
    }
    workgroupBarrier();
    var t_5_0: f32; var t_5_1: f32;
    t_5_0 = t72_convert[t_BM_1];
    t_5_1 = t72_convert[t_BM_1 + 8];
    var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32;
    var sum_0: f32; var sum_1: f32;
    p_0 = tw_exp2(s_0 * c - t_5_0); p_1 = tw_exp2(s_1 * c - t_5_0);
    sum_0 = 0.0f; sum_0 = sum_0 + p_0; sum_0 = sum_0 + p_1;
    t76_parts[part_at] = sum_0;
    p_2 = tw_exp2(s_2 * c - t_5_1); p_3 = tw_exp2(s_3 * c - t_5_1);
    sum_1 = 0.0f; sum_1 = sum_1 + p_2; sum_1 = sum_1 + p_3;
    t76_parts[part_at + 8] = sum_1;
    workgroupBarrier();
    sum_0 = t76_parts[t_BM_1];
    var other_14: f32;
    other_14 = t76_parts[t_BM_1 + 16];
    sum_0 = sum_0 + other_14;
    var other_15: f32;
    other_15 = t76_parts[t_BM_1 + 32];
    sum_0 = sum_0 + other_15;
    var other_16: f32;
    other_16 = t76_parts[t_BM_1 + 48];
    sum_0 = sum_0 + other_16;
    var other_17: f32;
    other_17 = t76_parts[t_BM_1 + 64];
    sum_0 = sum_0 + other_17;
    var other_18: f32;
    other_18 = t76_parts[t_BM_1 + 80];
    sum_0 = sum_0 + other_18;
    var other_19: f32;
    other_19 = t76_parts[t_BM_1 + 96];
    sum_0 = sum_0 + other_19;
    var other_20: f32;
    other_20 = t76_parts[t_BM_1 + 112];
    sum_0 = sum_0 + other_20;
    sum_1 = t76_parts[t_BM_1 + 8];
    var other_21: f32;
    other_21 = t76_parts[t_BM_1 + 24];
    sum_1 = sum_1 + other_21;
    var other_22: f32;
    other_22 = t76_parts[t_BM_1 + 40];
    sum_1 = sum_1 + other_22;
    var other_23: f32;
    other_23 = t76_parts[t_BM_1 + 56];
    sum_1 = sum_1 + other_23;
    var other_24: f32;
    other_24 = t76_parts[t_BM_1 + 72];
    sum_1 = sum_1 + other_24;
    var other_25: f32;
    other_25 = t76_parts[t_BM_1 + 88];
    sum_1 = sum_1 + other_25;
    var other_26: f32;
    other_26 = t76_parts[t_BM_1 + 104];
    sum_1 = sum_1 + other_26;
    var other_27: f32;
    other_27 = t76_parts[t_BM_1 + 120];
    sum_1 = sum_1 + other_27;
    if (is_first) {
      t76_convert[t_BM_1] = sum_0;
      t76_convert[t_BM_1 + 8] = sum_1;
    }
    workgroupBarrier();
    var t_6_0: f32; var t_6_1: f32; var t_6_2: f32; var t_6_3: f32;
    t_6_0 = t76_convert[t49_convert_at];
    t_6_1 = t76_convert[t49_convert_at + 4];
    t_6_2 = t76_convert[t49_convert_at + 8];
    t_6_3 = t76_convert[t49_convert_at + 12];
    var t101_shared_tile_0: f32; var t101_shared_tile_1: f32;
    t101_shared_tile_0 = tw_f8e4m3_to_f32(tw_f32_to_f8e4m3(p_0));
    t101_shared_tile_1 = tw_f8e4m3_to_f32(tw_f32_to_f8e4m3(p_1));
    t101_shared[t101_shared_at >> 1u] = vec2<f32>(t101_shared_tile_0, t101_shared_tile_1);
    var t101_shared_tile_1_1_0: f32; var t101_shared_tile_1_1_1: f32;
    t101_shared_tile_1_1_0 = tw_f8e4m3_to_f32(tw_f32_to_f8e4m3(p_2));
    t101_shared_tile_1_1_1 = tw_f8e4m3_to_f32(tw_f32_to_f8e4m3(p_3));
    t101_shared[(t101_shared_at + 128) >> 1u] = vec2<f32>(t101_shared_tile_1_1_0, t101_shared_tile_1_1_1);
    var vt_4_1_0: f32; var vt_4_1_1: f32; var vt_4_1_2: f32; var vt_4_1_3: f32;
    vt_4_1_0 = tw_f8e4m3_to_f32(vt_0); vt_4_1_1 = tw_f8e4m3_to_f32(vt_1);
    vt_4_1_2 = tw_f8e4m3_to_f32(vt_2); vt_4_1_3 = tw_f8e4m3_to_f32(vt_3);
    shared_qt_shared_vt_shared_kt_shared[vt_shared_at >> 2u] = vec4<f32>(vt_4_1_0, vt_4_1_1, vt_4_1_2, vt_4_1_3);
    var vt_5_1_0: f32; var vt_5_1_1: f32; var vt_5_1_2: f32; var vt_5_1_3: f32;
    vt_5_1_0 = tw_f8e4m3_to_f32(vt_4); vt_5_1_1 = tw_f8e4m3_to_f32(vt_5);
    vt_5_1_2 = tw_f8e4m3_to_f32(vt_6); vt_5_1_3 = tw_f8e4m3_to_f32(vt_7);
    shared_qt_shared_vt_shared_kt_shared[(vt_shared_at + 4) >> 2u] = vec4<f32>(vt_5_1_0, vt_5_1_1, vt_5_1_2, vt_5_1_3);
    workgroupBarrier();
    for (var r: i32 = 0; r < 4; r++) {
      var t101_shared_1_0: f32; var t101_shared_1_1: f32; var t101_shared_1_2: f32;
      var t101_shared_1_3: f32; var t101_shared_1_4: f32; var t101_shared_1_5: f32;
      var t101_shared_1_6: f32; var t101_shared_1_7: f32; var t101_shared_1_8: f32;
      var t101_shared_1_9: f32; var t101_shared_1_10: f32; var t101_shared_1_11: f32;
      var t101_shared_1_12: f32; var t101_shared_1_13: f32; var t101_shared_1_14: f32;
      var t101_shared_1_15: f32;
      var vt_shared_1_0: f32; var vt_shared_1_1: f32; var vt_shared_1_2: f32;
      var vt_shared_1_3: f32; var vt_shared_1_4: f32; var vt_shared_1_5: f32;
      var vt_shared_1_6: f32; var vt_shared_1_7: f32;
      let t101_shared_1_at = t101_shared_at_1 + r * 4;
      let t101_shared_1_word = t101_shared[t101_shared_1_at >> 1u];
      t101_shared_1_0 = t101_shared_1_word.x; t101_shared_1_1 = t101_shared_1_word.y;
      let t101_shared_1_word_1 = t101_shared[(t101_shared_1_at >> 1u) + 1];
      t101_shared_1_2 = t101_shared_1_word_1.x; t101_shared_1_3 = t101_shared_1_word_1.y;
      let t101_shared_1_at_1 = t101_shared_at_1 + 64 + r * 4;
      let t101_shared_1_word_2 = t101_shared[t101_shared_1_at_1 >> 1u];
      t101_shared_1_4 = t101_shared_1_word_2.x; t101_shared_1_5 = t101_shared_1_word_2.y;
      let t101_shared_1_word_3 = t101_shared[(t101_shared_1_at_1 >> 1u) + 1];
      t101_shared_1_6 = t101_shared_1_word_3.x; t101_shared_1_7 = t101_shared_1_word_3.y;
      let t101_shared_1_at_2 = t101_shared_at_1 + 128 + r * 4;
      let t101_shared_1_word_4 = t101_shared[t101_shared_1_at_2 >> 1u];
      t101_shared_1_8 = t101_shared_1_word_4.x; t101_shared_1_9 = t101_shared_1_word_4.y;
      let t101_shared_1_word_5 = t101_shared[(t101_shared_1_at_2 >> 1u) + 1];
      t101_shared_1_10 = t101_shared_1_word_5.x; t101_shared_1_11 = t101_shared_1_word_5.y;
      let t101_shared_1_at_3 = t101_shared_at_1 + 192 + r * 4;
      let t101_shared_1_word_6 = t101_shared[t101_shared_1_at_3 >> 1u];
      t101_shared_1_12 = t101_shared_1_word_6.x; t101_shared_1_13 = t101_shared_1_word_6.y;
      let t101_shared_1_word_7 = t101_shared[(t101_shared_1_at_3 >> 1u) + 1];
      t101_shared_1_14 = t101_shared_1_word_7.x; t101_shared_1_15 = t101_shared_1_word_7.y;
      let vt_shared_1_word = shared_qt_shared_vt_shared_kt_shared[(vt_shared_at_1 + r * 4) >> 2u];
      vt_shared_1_0 = vt_shared_1_word.x; vt_shared_1_1 = vt_shared_1_word.y;
      vt_shared_1_2 = vt_shared_1_word.z; vt_shared_1_3 = vt_shared_1_word.w;
      let vt_shared_1_word_1 = shared_qt_shared_vt_shared_kt_shared[(vt_shared_at_1 + 20 + r * 4) >> 2u];
      vt_shared_1_4 = vt_shared_1_word_1.x; vt_shared_1_5 = vt_shared_1_word_1.y;
      vt_shared_1_6 = vt_shared_1_word_1.z; vt_shared_1_7 = vt_shared_1_word_1.w;
      t_3_1_0 = fma(t101_shared_1_0, vt_shared_1_0, t_3_1_0);
      t_3_1_1 = fma(t101_shared_1_0, vt_shared_1_4, t_3_1_1);
      t_3_1_2 = fma(t101_shared_1_4, vt_shared_1_0, t_3_1_2);
      t_3_1_3 = fma(t101_shared_1_4, vt_shared_1_4, t_3_1_3);
      t_3_1_4 = fma(t101_shared_1_8, vt_shared_1_0, t_3_1_4);
      t_3_1_5 = fma(t101_shared_1_8, vt_shared_1_4, t_3_1_5);
      t_3_1_6 = fma(t101_shared_1_12, vt_shared_1_0, t_3_1_6);
      t_3_1_7 = fma(t101_shared_1_12, vt_shared_1_4, t_3_1_7);
      t_3_1_0 = fma(t101_shared_1_1, vt_shared_1_1, t_3_1_0);
      t_3_1_1 = fma(t101_shared_1_1, vt_shared_1_5, t_3_1_1);
      t_3_1_2 = fma(t101_shared_1_5, vt_shared_1_1, t_3_1_2);
      t_3_1_3 = fma(t101_shared_1_5, vt_shared_1_5, t_3_1_3);
      t_3_1_4 = fma(t101_shared_1_9, vt_shared_1_1, t_3_1_4);
      t_3_1_5 = fma(t101_shared_1_9, vt_shared_1_5, t_3_1_5);
      t_3_1_6 = fma(t101_shared_1_13, vt_shared_1_1, t_3_1_6);
      t_3_1_7 = fma(t101_shared_1_13, vt_shared_1_5, t_3_1_7);
      t_3_1_0 = fma(t101_shared_1_2, vt_shared_1_2, t_3_1_0);
      t_3_1_1 = fma(t101_shared_1_2, vt_shared_1_6, t_3_1_1);
      t_3_1_2 = fma(t101_shared_1_6, vt_shared_1_2, t_3_1_2);
      t_3_1_3 = fma(t101_shared_1_6, vt_shared_1_6, t_3_1_3);
      t_3_1_4 = fma(t101_shared_1_10, vt_shared_1_2, t_3_1_4);
      t_3_1_5 = fma(t101_shared_1_10, vt_shared_1_6, t_3_1_5);
      t_3_1_6 = fma(t101_shared_1_14, vt_shared_1_2, t_3_1_6);
      t_3_1_7 = fma(t101_shared_1_14, vt_shared_1_6, t_3_1_7);
      t_3_1_0 = fma(t101_shared_1_3, vt_shared_1_3, t_3_1_0);
      t_3_1_1 = fma(t101_shared_1_3, vt_shared_1_7, t_3_1_1);
      t_3_1_2 = fma(t101_shared_1_7, vt_shared_1_3, t_3_1_2);
      t_3_1_3 = fma(t101_shared_1_7, vt_shared_1_7, t_3_1_3);
      t_3_1_4 = fma(t101_shared_1_11, vt_shared_1_3, t_3_1_4);
      t_3_1_5 = fma(t101_shared_1_11, vt_shared_1_7, t_3_1_5);
      t_3_1_6 = fma(t101_shared_1_15, vt_shared_1_3, t_3_1_6);
      t_3_1_7 = fma(t101_shared_1_15, vt_shared_1_7, t_3_1_7);
    }
    m_0 = t_1_1_0; l_0 = t_2_1_0 + t_6_0; m_1 = t_1_1_1; l_1 = t_2_1_1 + t_6_1; m_2 = t_1_1_2;
    l_2 = t_2_1_2 + t_6_2; m_3 = t_1_1_3; l_3 = t_2_1_3 + t_6_3; acc_0 = t_3_1_0; kt_0 = kt_2_1_0;
    vt_0 = vt_2_1_0; acc_1 = t_3_1_1; kt_1 = kt_2_1_1; vt_1 = vt_2_1_1; acc_2 = t_3_1_2;
    kt_2 = kt_2_1_2; vt_2 = vt_2_1_2; acc_3 = t_3_1_3; kt_3 = kt_2_1_3; vt_3 = vt_2_1_3;
    acc_4 = t_3_1_4; kt_4 = kt_2_1_4; vt_4 = vt_2_1_4; acc_5 = t_3_1_5; kt_5 = kt_2_1_5;
    vt_5 = vt_2_1_5; acc_6 = t_3_1_6; kt_6 = kt_2_1_6; vt_6 = vt_2_1_6; acc_7 = t_3_1_7;
    kt_7 = kt_2_1_7; vt_7 = vt_2_1_7;
  }
  var vScale_tile: f32;
  vScale_tile = vScale[kvHead];
  var unit_0: f32; var unit_1: f32; var unit_2: f32; var unit_3: f32;
  unit_0 = vScale_tile / tw_max(l_0, 1e-30f); unit_1 = vScale_tile / tw_max(l_1, 1e-30f);
  unit_2 = vScale_tile / tw_max(l_2, 1e-30f); unit_3 = vScale_tile / tw_max(l_3, 1e-30f);
  let t_DV_1: i32 = (thread >> 5u) * 16 + (thread & 7) * 2;
  let o_at: i32 = t49_convert_at * stride_1 + t_DV_1;
  let o_at_1: i32 = pid2 * stride + m0 * stride_1 + pid0 * 32 + o_at;
  let o_in: bool = (pid2 < launch.B) & (pid0 < launch.HQ);
  let position_1: i32 = m0 + t49_convert_at;
  var o_tile_0: u32; var o_tile_1: u32;
  o_tile_0 = tw_f32_to_bf16(acc_0 * unit_0); o_tile_1 = tw_f32_to_bf16(acc_1 * unit_0);
  if (o_in & (u32(position_1) < u32(launch.L))) {
    o[o_at_1 >> 1u] = o_tile_0 | (o_tile_1 << 16u);
  }
  var o_tile_1_1_0: u32; var o_tile_1_1_1: u32;
  o_tile_1_1_0 = tw_f32_to_bf16(acc_2 * unit_1); o_tile_1_1_1 = tw_f32_to_bf16(acc_3 * unit_1);
  if (o_in & (u32(position_1 + 4) < u32(launch.L))) {
    o[(o_at_1 + stride_1 * 4) >> 1u] = o_tile_1_1_0 | (o_tile_1_1_1 << 16u);
  }
  var o_tile_2_0: u32; var o_tile_2_1: u32;
  o_tile_2_0 = tw_f32_to_bf16(acc_4 * unit_2); o_tile_2_1 = tw_f32_to_bf16(acc_5 * unit_2);
  if (o_in & (u32(position_1 + 8) < u32(launch.L))) {
    o[(o_at_1 + stride_1 * 8) >> 1u] = o_tile_2_0 | (o_tile_2_1 << 16u);
  }
  var o_tile_3_0: u32; var o_tile_3_1: u32;
  o_tile_3_0 = tw_f32_to_bf16(acc_6 * unit_3); o_tile_3_1 = tw_f32_to_bf16(acc_7 * unit_3);
  if (o_in & (u32(position_1 + 12) < u32(launch.L))) {
    o[(o_at_1 + stride_1 * 12) >> 1u] = o_tile_3_0 | (o_tile_3_1 << 16u);
  }
}
