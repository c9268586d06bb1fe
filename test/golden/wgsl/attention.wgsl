// attention for wgsl, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=16 stages=2 CAUSAL=1 heads=0
// dims fixed: D=80 DV=80
// dims divisible: L%4 LK%4
// 64 threads, 12944 bytes of shared memory
//       0 … 5360: kt_shared f32[1340]
//       0 … 5120: vt_shared f32[1280]
//    5376 … 10496: qt_shared f32[1280]
//   10496 … 11520: t99_shared f32[256]
//   11520 … 12032: t48_parts f32[128]
//   12032 … 12544: t75_parts f32[128]
//   12544 … 12608: t48_convert f32[16]
//   12672 … 12736: t69_convert f32[16]
//   12800 … 12864: t75_convert f32[16]
//   12928 … 12944: grew_parts i32[4]

struct TwLaunch {
  programs: vec4<u32>,
  B: i32,
  L: i32,
  HQ: i32,
  LK: i32,
  HKV: i32,
  scale: f32,
}
@group(0) @binding(0) var<storage, read> q: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> k: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> v: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> o: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> shared_kt_shared_vt_shared: array<f32, 1340>;
var<workgroup> qt_shared: array<vec4<f32>, 320>;
var<workgroup> t99_shared: array<vec2<f32>, 128>;
var<workgroup> t48_parts: array<f32, 128>;
var<workgroup> t75_parts: array<f32, 128>;
var<workgroup> t48_convert: array<f32, 16>;
var<workgroup> t69_convert: array<f32, 16>;
var<workgroup> t75_convert: array<f32, 16>;
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

@compute @workgroup_size(64)
fn attention(
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
  let c: f32 = launch.scale * 1.442695f;
  let last: i32 = launch.LK - launch.L + m0;
  let t_BM: i32 = thread >> 3u;
  var qpos_0: i32; var qpos_1: i32;
  qpos_0 = last + t_BM; qpos_1 = last + t_BM + 8;
  let stride: i32 = launch.HQ * 80 * launch.L;
  let stride_1: i32 = launch.HQ * 80;
  let t_BM_1: i32 = (thread >> 1u) & 15;
  let position: i32 = m0 + t_BM_1;
  let t_D: i32 = (thread & 1) * 8;
  let q_at: i32 = t_BM_1 * stride_1 + t_D;
  let q_at_1: i32 = pid2 * stride + m0 * stride_1 + pid0 * 80 + q_at;
  let q_in: bool = ((pid2 < launch.B) & (u32(position) < u32(launch.L))) & (pid0 < launch.HQ);
  var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32; var qt_4: u32; var qt_5: u32;
  var qt_6: u32; var qt_7: u32; var qt_8: u32; var qt_9: u32; var qt_10: u32; var qt_11: u32;
  var qt_12: u32; var qt_13: u32; var qt_14: u32; var qt_15: u32; var qt_16: u32; var qt_17: u32;
  var qt_18: u32; var qt_19: u32; var qt_20: u32; var qt_21: u32; var qt_22: u32; var qt_23: u32;
  var qt_24: u32; var qt_25: u32; var qt_26: u32; var qt_27: u32; var qt_28: u32; var qt_29: u32;
  var qt_30: u32; var qt_31: u32; var qt_32: u32; var qt_33: u32; var qt_34: u32; var qt_35: u32;
  var qt_36: u32; var qt_37: u32; var qt_38: u32; var qt_39: u32;
  let qt_word = select(vec4<u32>(0u), q[select(0, q_at_1 >> 3u, q_in)], q_in);
  qt_0 = qt_word.x & 0xffffu; qt_1 = qt_word.x >> 16u; qt_2 = qt_word.y & 0xffffu;
  qt_3 = qt_word.y >> 16u; qt_4 = qt_word.z & 0xffffu; qt_5 = qt_word.z >> 16u;
  qt_6 = qt_word.w & 0xffffu; qt_7 = qt_word.w >> 16u;
  let qt_word_1 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 16) >> 3u, q_in)], q_in);
  qt_8 = qt_word_1.x & 0xffffu; qt_9 = qt_word_1.x >> 16u; qt_10 = qt_word_1.y & 0xffffu;
  qt_11 = qt_word_1.y >> 16u; qt_12 = qt_word_1.z & 0xffffu; qt_13 = qt_word_1.z >> 16u;
  qt_14 = qt_word_1.w & 0xffffu; qt_15 = qt_word_1.w >> 16u;
  let qt_word_2 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 32) >> 3u, q_in)], q_in);
  qt_16 = qt_word_2.x & 0xffffu; qt_17 = qt_word_2.x >> 16u; qt_18 = qt_word_2.y & 0xffffu;
  qt_19 = qt_word_2.y >> 16u; qt_20 = qt_word_2.z & 0xffffu; qt_21 = qt_word_2.z >> 16u;
  qt_22 = qt_word_2.w & 0xffffu; qt_23 = qt_word_2.w >> 16u;
  let qt_word_3 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 48) >> 3u, q_in)], q_in);
  qt_24 = qt_word_3.x & 0xffffu; qt_25 = qt_word_3.x >> 16u; qt_26 = qt_word_3.y & 0xffffu;
  qt_27 = qt_word_3.y >> 16u; qt_28 = qt_word_3.z & 0xffffu; qt_29 = qt_word_3.z >> 16u;
  qt_30 = qt_word_3.w & 0xffffu; qt_31 = qt_word_3.w >> 16u;
  let qt_word_4 = select(vec4<u32>(0u), q[select(0, (q_at_1 + 64) >> 3u, q_in)], q_in);
  qt_32 = qt_word_4.x & 0xffffu; qt_33 = qt_word_4.x >> 16u; qt_34 = qt_word_4.y & 0xffffu;
  qt_35 = qt_word_4.y >> 16u; qt_36 = qt_word_4.z & 0xffffu; qt_37 = qt_word_4.z >> 16u;
  qt_38 = qt_word_4.w & 0xffffu; qt_39 = qt_word_4.w >> 16u;
  let end: i32 = max(min(launch.LK, last + 16), 1);
  let t_BN: i32 = (thread & 7) * 2;
  let more: bool = 0 < end;
  var kt_0: u32; var kt_1: u32; var kt_2: u32; var kt_3: u32; var kt_4: u32; var kt_5: u32;
  var kt_6: u32; var kt_7: u32; var kt_8: u32; var kt_9: u32; var kt_10: u32; var kt_11: u32;
  var kt_12: u32; var kt_13: u32; var kt_14: u32; var kt_15: u32; var kt_16: u32; var kt_17: u32;
  var kt_18: u32; var kt_19: u32; var kt_20: u32; var kt_21: u32; var kt_22: u32; var kt_23: u32;
  var kt_24: u32; var kt_25: u32; var kt_26: u32; var kt_27: u32; var kt_28: u32; var kt_29: u32;
  var kt_30: u32; var kt_31: u32; var kt_32: u32; var kt_33: u32; var kt_34: u32; var kt_35: u32;
  var kt_36: u32; var kt_37: u32; var kt_38: u32; var kt_39: u32;
  var vt_0: u32; var vt_1: u32; var vt_2: u32; var vt_3: u32; var vt_4: u32; var vt_5: u32;
  var vt_6: u32; var vt_7: u32; var vt_8: u32; var vt_9: u32; var vt_10: u32; var vt_11: u32;
  var vt_12: u32; var vt_13: u32; var vt_14: u32; var vt_15: u32; var vt_16: u32; var vt_17: u32;
  var vt_18: u32; var vt_19: u32; var vt_20: u32; var vt_21: u32; var vt_22: u32; var vt_23: u32;
  var vt_24: u32; var vt_25: u32; var vt_26: u32; var vt_27: u32; var vt_28: u32; var vt_29: u32;
  var vt_30: u32; var vt_31: u32; var vt_32: u32; var vt_33: u32; var vt_34: u32; var vt_35: u32;
  var vt_36: u32; var vt_37: u32; var vt_38: u32; var vt_39: u32;
  let stride_2: i32 = launch.HKV * 80 * launch.LK;
  let stride_3: i32 = launch.HKV * 80;
  if (more) {
    let k_at: i32 = t_D + t_BM_1 * stride_3;
    let k_at_1: i32 = kvHead * 80 + pid2 * stride_2 + k_at;
    let k_in: bool = ((pid2 < launch.B) & (t_BM_1 < launch.LK)) & (kvHead < launch.HKV);
    var kt_1_1_0: u32; var kt_1_1_1: u32; var kt_1_1_2: u32; var kt_1_1_3: u32; var kt_1_1_4: u32;
    var kt_1_1_5: u32; var kt_1_1_6: u32; var kt_1_1_7: u32; var kt_1_1_8: u32; var kt_1_1_9: u32;
    var kt_1_1_10: u32; var kt_1_1_11: u32; var kt_1_1_12: u32; var kt_1_1_13: u32;
    var kt_1_1_14: u32; var kt_1_1_15: u32; var kt_1_1_16: u32; var kt_1_1_17: u32;
    var kt_1_1_18: u32; var kt_1_1_19: u32; var kt_1_1_20: u32; var kt_1_1_21: u32;
    var kt_1_1_22: u32; var kt_1_1_23: u32; var kt_1_1_24: u32; var kt_1_1_25: u32;
    var kt_1_1_26: u32; var kt_1_1_27: u32; var kt_1_1_28: u32; var kt_1_1_29: u32;
    var kt_1_1_30: u32; var kt_1_1_31: u32; var kt_1_1_32: u32; var kt_1_1_33: u32;
    var kt_1_1_34: u32; var kt_1_1_35: u32; var kt_1_1_36: u32; var kt_1_1_37: u32;
    var kt_1_1_38: u32; var kt_1_1_39: u32;
    let kt_1_word = select(vec4<u32>(0u), k[select(0, k_at_1 >> 3u, k_in)], k_in);
    kt_1_1_0 = kt_1_word.x & 0xffffu; kt_1_1_1 = kt_1_word.x >> 16u;
    kt_1_1_2 = kt_1_word.y & 0xffffu; kt_1_1_3 = kt_1_word.y >> 16u;
    kt_1_1_4 = kt_1_word.z & 0xffffu; kt_1_1_5 = kt_1_word.z >> 16u;
    kt_1_1_6 = kt_1_word.w & 0xffffu; kt_1_1_7 = kt_1_word.w >> 16u;
    let kt_1_word_1 = select(vec4<u32>(0u), k[select(0, (k_at_1 + 16) >> 3u, k_in)], k_in);
    kt_1_1_8 = kt_1_word_1.x & 0xffffu; kt_1_1_9 = kt_1_word_1.x >> 16u;
    kt_1_1_10 = kt_1_word_1.y & 0xffffu; kt_1_1_11 = kt_1_word_1.y >> 16u;
    kt_1_1_12 = kt_1_word_1.z & 0xffffu; kt_1_1_13 = kt_1_word_1.z >> 16u;
    kt_1_1_14 = kt_1_word_1.w & 0xffffu; kt_1_1_15 = kt_1_word_1.w >> 16u;
    let kt_1_word_2 = select(vec4<u32>(0u), k[select(0, (k_at_1 + 32) >> 3u, k_in)], k_in);
    kt_1_1_16 = kt_1_word_2.x & 0xffffu; kt_1_1_17 = kt_1_word_2.x >> 16u;
    kt_1_1_18 = kt_1_word_2.y & 0xffffu; kt_1_1_19 = kt_1_word_2.y >> 16u;
    kt_1_1_20 = kt_1_word_2.z & 0xffffu; kt_1_1_21 = kt_1_word_2.z >> 16u;
    kt_1_1_22 = kt_1_word_2.w & 0xffffu; kt_1_1_23 = kt_1_word_2.w >> 16u;
    let kt_1_word_3 = select(vec4<u32>(0u), k[select(0, (k_at_1 + 48) >> 3u, k_in)], k_in);
    kt_1_1_24 = kt_1_word_3.x & 0xffffu; kt_1_1_25 = kt_1_word_3.x >> 16u;
    kt_1_1_26 = kt_1_word_3.y & 0xffffu; kt_1_1_27 = kt_1_word_3.y >> 16u;
    kt_1_1_28 = kt_1_word_3.z & 0xffffu; kt_1_1_29 = kt_1_word_3.z >> 16u;
    kt_1_1_30 = kt_1_word_3.w & 0xffffu; kt_1_1_31 = kt_1_word_3.w >> 16u;
    let kt_1_word_4 = select(vec4<u32>(0u), k[select(0, (k_at_1 + 64) >> 3u, k_in)], k_in);
    kt_1_1_32 = kt_1_word_4.x & 0xffffu; kt_1_1_33 = kt_1_word_4.x >> 16u;
    kt_1_1_34 = kt_1_word_4.y & 0xffffu; kt_1_1_35 = kt_1_word_4.y >> 16u;
    kt_1_1_36 = kt_1_word_4.z & 0xffffu; kt_1_1_37 = kt_1_word_4.z >> 16u;
    kt_1_1_38 = kt_1_word_4.w & 0xffffu; kt_1_1_39 = kt_1_word_4.w >> 16u;
    var vt_1_1_0: u32; var vt_1_1_1: u32; var vt_1_1_2: u32; var vt_1_1_3: u32; var vt_1_1_4: u32;
    var vt_1_1_5: u32; var vt_1_1_6: u32; var vt_1_1_7: u32; var vt_1_1_8: u32; var vt_1_1_9: u32;
    var vt_1_1_10: u32; var vt_1_1_11: u32; var vt_1_1_12: u32; var vt_1_1_13: u32;
    var vt_1_1_14: u32; var vt_1_1_15: u32; var vt_1_1_16: u32; var vt_1_1_17: u32;
    var vt_1_1_18: u32; var vt_1_1_19: u32; var vt_1_1_20: u32; var vt_1_1_21: u32;
    var vt_1_1_22: u32; var vt_1_1_23: u32; var vt_1_1_24: u32; var vt_1_1_25: u32;
    var vt_1_1_26: u32; var vt_1_1_27: u32; var vt_1_1_28: u32; var vt_1_1_29: u32;
    var vt_1_1_30: u32; var vt_1_1_31: u32; var vt_1_1_32: u32; var vt_1_1_33: u32;
    var vt_1_1_34: u32; var vt_1_1_35: u32; var vt_1_1_36: u32; var vt_1_1_37: u32;
    var vt_1_1_38: u32; var vt_1_1_39: u32;
    let vt_1_word = select(vec4<u32>(0u), v[select(0, k_at_1 >> 3u, k_in)], k_in);
    vt_1_1_0 = vt_1_word.x & 0xffffu; vt_1_1_1 = vt_1_word.x >> 16u;
    vt_1_1_2 = vt_1_word.y & 0xffffu; vt_1_1_3 = vt_1_word.y >> 16u;
    vt_1_1_4 = vt_1_word.z & 0xffffu; vt_1_1_5 = vt_1_word.z >> 16u;
    vt_1_1_6 = vt_1_word.w & 0xffffu; vt_1_1_7 = vt_1_word.w >> 16u;
    let vt_1_word_1 = select(vec4<u32>(0u), v[select(0, (k_at_1 + 16) >> 3u, k_in)], k_in);
    vt_1_1_8 = vt_1_word_1.x & 0xffffu; vt_1_1_9 = vt_1_word_1.x >> 16u;
    vt_1_1_10 = vt_1_word_1.y & 0xffffu; vt_1_1_11 = vt_1_word_1.y >> 16u;
    vt_1_1_12 = vt_1_word_1.z & 0xffffu; vt_1_1_13 = vt_1_word_1.z >> 16u;
    vt_1_1_14 = vt_1_word_1.w & 0xffffu; vt_1_1_15 = vt_1_word_1.w >> 16u;
    let vt_1_word_2 = select(vec4<u32>(0u), v[select(0, (k_at_1 + 32) >> 3u, k_in)], k_in);
    vt_1_1_16 = vt_1_word_2.x & 0xffffu; vt_1_1_17 = vt_1_word_2.x >> 16u;
    vt_1_1_18 = vt_1_word_2.y & 0xffffu; vt_1_1_19 = vt_1_word_2.y >> 16u;
    vt_1_1_20 = vt_1_word_2.z & 0xffffu; vt_1_1_21 = vt_1_word_2.z >> 16u;
    vt_1_1_22 = vt_1_word_2.w & 0xffffu; vt_1_1_23 = vt_1_word_2.w >> 16u;
    let vt_1_word_3 = select(vec4<u32>(0u), v[select(0, (k_at_1 + 48) >> 3u, k_in)], k_in);
    vt_1_1_24 = vt_1_word_3.x & 0xffffu; vt_1_1_25 = vt_1_word_3.x >> 16u;
    vt_1_1_26 = vt_1_word_3.y & 0xffffu; vt_1_1_27 = vt_1_word_3.y >> 16u;
    vt_1_1_28 = vt_1_word_3.z & 0xffffu; vt_1_1_29 = vt_1_word_3.z >> 16u;
    vt_1_1_30 = vt_1_word_3.w & 0xffffu; vt_1_1_31 = vt_1_word_3.w >> 16u;
    let vt_1_word_4 = select(vec4<u32>(0u), v[select(0, (k_at_1 + 64) >> 3u, k_in)], k_in);
    vt_1_1_32 = vt_1_word_4.x & 0xffffu; vt_1_1_33 = vt_1_word_4.x >> 16u;
    vt_1_1_34 = vt_1_word_4.y & 0xffffu; vt_1_1_35 = vt_1_word_4.y >> 16u;
    vt_1_1_36 = vt_1_word_4.z & 0xffffu; vt_1_1_37 = vt_1_word_4.z >> 16u;
    vt_1_1_38 = vt_1_word_4.w & 0xffffu; vt_1_1_39 = vt_1_word_4.w >> 16u;
    kt_0 = kt_1_1_0; vt_0 = vt_1_1_0; kt_1 = kt_1_1_1; vt_1 = vt_1_1_1; kt_2 = kt_1_1_2;
    vt_2 = vt_1_1_2; kt_3 = kt_1_1_3; vt_3 = vt_1_1_3; kt_4 = kt_1_1_4; vt_4 = vt_1_1_4;
    kt_5 = kt_1_1_5; vt_5 = vt_1_1_5; kt_6 = kt_1_1_6; vt_6 = vt_1_1_6; kt_7 = kt_1_1_7;
    vt_7 = vt_1_1_7; kt_8 = kt_1_1_8; vt_8 = vt_1_1_8; kt_9 = kt_1_1_9; vt_9 = vt_1_1_9;
    kt_10 = kt_1_1_10; vt_10 = vt_1_1_10; kt_11 = kt_1_1_11; vt_11 = vt_1_1_11; kt_12 = kt_1_1_12;
    vt_12 = vt_1_1_12; kt_13 = kt_1_1_13; vt_13 = vt_1_1_13; kt_14 = kt_1_1_14; vt_14 = vt_1_1_14;
    kt_15 = kt_1_1_15; vt_15 = vt_1_1_15; kt_16 = kt_1_1_16; vt_16 = vt_1_1_16; kt_17 = kt_1_1_17;
    vt_17 = vt_1_1_17; kt_18 = kt_1_1_18; vt_18 = vt_1_1_18; kt_19 = kt_1_1_19; vt_19 = vt_1_1_19;
    kt_20 = kt_1_1_20; vt_20 = vt_1_1_20; kt_21 = kt_1_1_21; vt_21 = vt_1_1_21; kt_22 = kt_1_1_22;
    vt_22 = vt_1_1_22; kt_23 = kt_1_1_23; vt_23 = vt_1_1_23; kt_24 = kt_1_1_24; vt_24 = vt_1_1_24;
    kt_25 = kt_1_1_25; vt_25 = vt_1_1_25; kt_26 = kt_1_1_26; vt_26 = vt_1_1_26; kt_27 = kt_1_1_27;
    vt_27 = vt_1_1_27; kt_28 = kt_1_1_28; vt_28 = vt_1_1_28; kt_29 = kt_1_1_29; vt_29 = vt_1_1_29;
    kt_30 = kt_1_1_30; vt_30 = vt_1_1_30; kt_31 = kt_1_1_31; vt_31 = vt_1_1_31; kt_32 = kt_1_1_32;
    vt_32 = vt_1_1_32; kt_33 = kt_1_1_33; vt_33 = vt_1_1_33; kt_34 = kt_1_1_34; vt_34 = vt_1_1_34;
    kt_35 = kt_1_1_35; vt_35 = vt_1_1_35; kt_36 = kt_1_1_36; vt_36 = vt_1_1_36; kt_37 = kt_1_1_37;
    vt_37 = vt_1_1_37; kt_38 = kt_1_1_38; vt_38 = vt_1_1_38; kt_39 = kt_1_1_39; vt_39 = vt_1_1_39;
  } else {
    kt_0 = 0u; vt_0 = 0u; kt_1 = 0u; vt_1 = 0u; kt_2 = 0u; vt_2 = 0u; kt_3 = 0u; vt_3 = 0u;
    kt_4 = 0u; vt_4 = 0u; kt_5 = 0u; vt_5 = 0u; kt_6 = 0u; vt_6 = 0u; kt_7 = 0u; vt_7 = 0u;
    kt_8 = 0u; vt_8 = 0u; kt_9 = 0u; vt_9 = 0u; kt_10 = 0u; vt_10 = 0u; kt_11 = 0u; vt_11 = 0u;
    kt_12 = 0u; vt_12 = 0u; kt_13 = 0u; vt_13 = 0u; kt_14 = 0u; vt_14 = 0u; kt_15 = 0u; vt_15 = 0u;
    kt_16 = 0u; vt_16 = 0u; kt_17 = 0u; vt_17 = 0u; kt_18 = 0u; vt_18 = 0u; kt_19 = 0u; vt_19 = 0u;
    kt_20 = 0u; vt_20 = 0u; kt_21 = 0u; vt_21 = 0u; kt_22 = 0u; vt_22 = 0u; kt_23 = 0u; vt_23 = 0u;
    kt_24 = 0u; vt_24 = 0u; kt_25 = 0u; vt_25 = 0u; kt_26 = 0u; vt_26 = 0u; kt_27 = 0u; vt_27 = 0u;
    kt_28 = 0u; vt_28 = 0u; kt_29 = 0u; vt_29 = 0u; kt_30 = 0u; vt_30 = 0u; kt_31 = 0u; vt_31 = 0u;
    kt_32 = 0u; vt_32 = 0u; kt_33 = 0u; vt_33 = 0u; kt_34 = 0u; vt_34 = 0u; kt_35 = 0u; vt_35 = 0u;
    kt_36 = 0u; vt_36 = 0u; kt_37 = 0u; vt_37 = 0u; kt_38 = 0u; vt_38 = 0u; kt_39 = 0u; vt_39 = 0u;
  }
  var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32;
  var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32;
  m_0 = -1e+30f; l_0 = 0.0f; m_1 = -1e+30f; l_1 = 0.0f; m_2 = -1e+30f; l_2 = 0.0f; m_3 = -1e+30f;
  l_3 = 0.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32; var acc_16: f32;
  var acc_17: f32; var acc_18: f32; var acc_19: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f; acc_16 = 0.0f; acc_17 = 0.0f; acc_18 = 0.0f;
  acc_19 = 0.0f;
  let k_at_2: i32 = t_BM_1 * stride_3 + t_D;
  let k_at_3: i32 = pid2 * stride_2 + kvHead * 80 + k_at_2;
  let k_in_1: bool = (pid2 < launch.B) & (kvHead < launch.HKV);
  let qt_shared_at: i32 = (thread & 1) * 8 + ((thread >> 1u) & 15) * 80;
  let is_first: bool = thread < 32;
  let kt_shared_at: i32 = (thread & 1) * 8 + ((thread >> 1u) & 15) * 84;
  let qt_shared_at_1: i32 = (thread >> 3u) * 80;
  let kt_shared_at_1: i32 = (thread & 7) * 168;
  let part: i32 = thread & 7;
  let part_at: i32 = part * 16 + t_BM;
  let is_first_1: bool = (thread & 7) == 0;
  let t48_convert_at: i32 = (thread >> 3u) & 3;
  let is_first_2: bool = ((thread & 7) == 0) & (thread < 32);
  let t99_shared_at: i32 = (thread & 7) * 2 + (thread >> 3u) * 16;
  let t99_shared_at_1: i32 = ((thread >> 3u) & 3) * 16;
  let vt_shared_at: i32 = (thread & 7) + (thread >> 5u) * 8;
  let n_end = end;
  for (var n: i32 = 0; n < n_end; n += 16) {
    let n_1: i32 = n + 16;
    let more_1: bool = n_1 < end;
    var kt_2_1_0: u32; var kt_2_1_1: u32; var kt_2_1_2: u32; var kt_2_1_3: u32; var kt_2_1_4: u32;
    var kt_2_1_5: u32; var kt_2_1_6: u32; var kt_2_1_7: u32; var kt_2_1_8: u32; var kt_2_1_9: u32;
    var kt_2_1_10: u32; var kt_2_1_11: u32; var kt_2_1_12: u32; var kt_2_1_13: u32;
    var kt_2_1_14: u32; var kt_2_1_15: u32; var kt_2_1_16: u32; var kt_2_1_17: u32;
    var kt_2_1_18: u32; var kt_2_1_19: u32; var kt_2_1_20: u32; var kt_2_1_21: u32;
    var kt_2_1_22: u32; var kt_2_1_23: u32; var kt_2_1_24: u32; var kt_2_1_25: u32;
    var kt_2_1_26: u32; var kt_2_1_27: u32; var kt_2_1_28: u32; var kt_2_1_29: u32;
    var kt_2_1_30: u32; var kt_2_1_31: u32; var kt_2_1_32: u32; var kt_2_1_33: u32;
    var kt_2_1_34: u32; var kt_2_1_35: u32; var kt_2_1_36: u32; var kt_2_1_37: u32;
    var kt_2_1_38: u32; var kt_2_1_39: u32;
    var vt_2_1_0: u32; var vt_2_1_1: u32; var vt_2_1_2: u32; var vt_2_1_3: u32; var vt_2_1_4: u32;
    var vt_2_1_5: u32; var vt_2_1_6: u32; var vt_2_1_7: u32; var vt_2_1_8: u32; var vt_2_1_9: u32;
    var vt_2_1_10: u32; var vt_2_1_11: u32; var vt_2_1_12: u32; var vt_2_1_13: u32;
    var vt_2_1_14: u32; var vt_2_1_15: u32; var vt_2_1_16: u32; var vt_2_1_17: u32;
    var vt_2_1_18: u32; var vt_2_1_19: u32; var vt_2_1_20: u32; var vt_2_1_21: u32;
    var vt_2_1_22: u32; var vt_2_1_23: u32; var vt_2_1_24: u32; var vt_2_1_25: u32;
    var vt_2_1_26: u32; var vt_2_1_27: u32; var vt_2_1_28: u32; var vt_2_1_29: u32;
    var vt_2_1_30: u32; var vt_2_1_31: u32; var vt_2_1_32: u32; var vt_2_1_33: u32;
    var vt_2_1_34: u32; var vt_2_1_35: u32; var vt_2_1_36: u32; var vt_2_1_37: u32;
    var vt_2_1_38: u32; var vt_2_1_39: u32;
    if (more_1) {
      let left: i32 = launch.LK - n_1;
      let k_at_4: i32 = k_at_3 + n_1 * stride_3;
      let k_in_2: bool = k_in_1 & (t_BM_1 < left);
      var kt_3_1_0: u32; var kt_3_1_1: u32; var kt_3_1_2: u32; var kt_3_1_3: u32; var kt_3_1_4: u32;
      var kt_3_1_5: u32; var kt_3_1_6: u32; var kt_3_1_7: u32; var kt_3_1_8: u32; var kt_3_1_9: u32;
      var kt_3_1_10: u32; var kt_3_1_11: u32; var kt_3_1_12: u32; var kt_3_1_13: u32;
      var kt_3_1_14: u32; var kt_3_1_15: u32; var kt_3_1_16: u32; var kt_3_1_17: u32;
      var kt_3_1_18: u32; var kt_3_1_19: u32; var kt_3_1_20: u32; var kt_3_1_21: u32;
      var kt_3_1_22: u32; var kt_3_1_23: u32; var kt_3_1_24: u32; var kt_3_1_25: u32;
      var kt_3_1_26: u32; var kt_3_1_27: u32; var kt_3_1_28: u32; var kt_3_1_29: u32;
      var kt_3_1_30: u32; var kt_3_1_31: u32; var kt_3_1_32: u32; var kt_3_1_33: u32;
      var kt_3_1_34: u32; var kt_3_1_35: u32; var kt_3_1_36: u32; var kt_3_1_37: u32;
      var kt_3_1_38: u32; var kt_3_1_39: u32;
      let kt_3_word = select(vec4<u32>(0u), k[select(0, k_at_4 >> 3u, k_in_2)], k_in_2);
      kt_3_1_0 = kt_3_word.x & 0xffffu; kt_3_1_1 = kt_3_word.x >> 16u;
      kt_3_1_2 = kt_3_word.y & 0xffffu; kt_3_1_3 = kt_3_word.y >> 16u;
      kt_3_1_4 = kt_3_word.z & 0xffffu; kt_3_1_5 = kt_3_word.z >> 16u;
      kt_3_1_6 = kt_3_word.w & 0xffffu; kt_3_1_7 = kt_3_word.w >> 16u;
      let kt_3_word_1 = select(vec4<u32>(0u), k[select(0, (k_at_4 + 16) >> 3u, k_in_2)], k_in_2);
      kt_3_1_8 = kt_3_word_1.x & 0xffffu; kt_3_1_9 = kt_3_word_1.x >> 16u;
      kt_3_1_10 = kt_3_word_1.y & 0xffffu; kt_3_1_11 = kt_3_word_1.y >> 16u;
      kt_3_1_12 = kt_3_word_1.z & 0xffffu; kt_3_1_13 = kt_3_word_1.z >> 16u;
      kt_3_1_14 = kt_3_word_1.w & 0xffffu; kt_3_1_15 = kt_3_word_1.w >> 16u;
      let kt_3_word_2 = select(vec4<u32>(0u), k[select(0, (k_at_4 + 32) >> 3u, k_in_2)], k_in_2);
      kt_3_1_16 = kt_3_word_2.x & 0xffffu; kt_3_1_17 = kt_3_word_2.x >> 16u;
      kt_3_1_18 = kt_3_word_2.y & 0xffffu; kt_3_1_19 = kt_3_word_2.y >> 16u;
      kt_3_1_20 = kt_3_word_2.z & 0xffffu; kt_3_1_21 = kt_3_word_2.z >> 16u;
      kt_3_1_22 = kt_3_word_2.w & 0xffffu; kt_3_1_23 = kt_3_word_2.w >> 16u;
      let kt_3_word_3 = select(vec4<u32>(0u), k[select(0, (k_at_4 + 48) >> 3u, k_in_2)], k_in_2);
      kt_3_1_24 = kt_3_word_3.x & 0xffffu; kt_3_1_25 = kt_3_word_3.x >> 16u;
      kt_3_1_26 = kt_3_word_3.y & 0xffffu; kt_3_1_27 = kt_3_word_3.y >> 16u;
      kt_3_1_28 = kt_3_word_3.z & 0xffffu; kt_3_1_29 = kt_3_word_3.z >> 16u;
      kt_3_1_30 = kt_3_word_3.w & 0xffffu; kt_3_1_31 = kt_3_word_3.w >> 16u;
      let kt_3_word_4 = select(vec4<u32>(0u), k[select(0, (k_at_4 + 64) >> 3u, k_in_2)], k_in_2);
      kt_3_1_32 = kt_3_word_4.x & 0xffffu; kt_3_1_33 = kt_3_word_4.x >> 16u;
      kt_3_1_34 = kt_3_word_4.y & 0xffffu; kt_3_1_35 = kt_3_word_4.y >> 16u;
      kt_3_1_36 = kt_3_word_4.z & 0xffffu; kt_3_1_37 = kt_3_word_4.z >> 16u;
      kt_3_1_38 = kt_3_word_4.w & 0xffffu; kt_3_1_39 = kt_3_word_4.w >> 16u;
      var vt_3_1_0: u32; var vt_3_1_1: u32; var vt_3_1_2: u32; var vt_3_1_3: u32; var vt_3_1_4: u32;
      var vt_3_1_5: u32; var vt_3_1_6: u32; var vt_3_1_7: u32; var vt_3_1_8: u32; var vt_3_1_9: u32;
      var vt_3_1_10: u32; var vt_3_1_11: u32; var vt_3_1_12: u32; var vt_3_1_13: u32;
      var vt_3_1_14: u32; var vt_3_1_15: u32; var vt_3_1_16: u32; var vt_3_1_17: u32;
      var vt_3_1_18: u32; var vt_3_1_19: u32; var vt_3_1_20: u32; var vt_3_1_21: u32;
      var vt_3_1_22: u32; var vt_3_1_23: u32; var vt_3_1_24: u32; var vt_3_1_25: u32;
      var vt_3_1_26: u32; var vt_3_1_27: u32; var vt_3_1_28: u32; var vt_3_1_29: u32;
      var vt_3_1_30: u32; var vt_3_1_31: u32; var vt_3_1_32: u32; var vt_3_1_33: u32;
      var vt_3_1_34: u32; var vt_3_1_35: u32; var vt_3_1_36: u32; var vt_3_1_37: u32;
      var vt_3_1_38: u32; var vt_3_1_39: u32;
      let vt_3_word = select(vec4<u32>(0u), v[select(0, k_at_4 >> 3u, k_in_2)], k_in_2);
      vt_3_1_0 = vt_3_word.x & 0xffffu; vt_3_1_1 = vt_3_word.x >> 16u;
      vt_3_1_2 = vt_3_word.y & 0xffffu; vt_3_1_3 = vt_3_word.y >> 16u;
      vt_3_1_4 = vt_3_word.z & 0xffffu; vt_3_1_5 = vt_3_word.z >> 16u;
      vt_3_1_6 = vt_3_word.w & 0xffffu; vt_3_1_7 = vt_3_word.w >> 16u;
      let vt_3_word_1 = select(vec4<u32>(0u), v[select(0, (k_at_4 + 16) >> 3u, k_in_2)], k_in_2);
      vt_3_1_8 = vt_3_word_1.x & 0xffffu; vt_3_1_9 = vt_3_word_1.x >> 16u;
      vt_3_1_10 = vt_3_word_1.y & 0xffffu; vt_3_1_11 = vt_3_word_1.y >> 16u;
      vt_3_1_12 = vt_3_word_1.z & 0xffffu; vt_3_1_13 = vt_3_word_1.z >> 16u;
      vt_3_1_14 = vt_3_word_1.w & 0xffffu; vt_3_1_15 = vt_3_word_1.w >> 16u;
      let vt_3_word_2 = select(vec4<u32>(0u), v[select(0, (k_at_4 + 32) >> 3u, k_in_2)], k_in_2);
      vt_3_1_16 = vt_3_word_2.x & 0xffffu; vt_3_1_17 = vt_3_word_2.x >> 16u;
      vt_3_1_18 = vt_3_word_2.y & 0xffffu; vt_3_1_19 = vt_3_word_2.y >> 16u;
      vt_3_1_20 = vt_3_word_2.z & 0xffffu; vt_3_1_21 = vt_3_word_2.z >> 16u;
      vt_3_1_22 = vt_3_word_2.w & 0xffffu; vt_3_1_23 = vt_3_word_2.w >> 16u;
      let vt_3_word_3 = select(vec4<u32>(0u), v[select(0, (k_at_4 + 48) >> 3u, k_in_2)], k_in_2);
      vt_3_1_24 = vt_3_word_3.x & 0xffffu; vt_3_1_25 = vt_3_word_3.x >> 16u;
      vt_3_1_26 = vt_3_word_3.y & 0xffffu; vt_3_1_27 = vt_3_word_3.y >> 16u;
      vt_3_1_28 = vt_3_word_3.z & 0xffffu; vt_3_1_29 = vt_3_word_3.z >> 16u;
      vt_3_1_30 = vt_3_word_3.w & 0xffffu; vt_3_1_31 = vt_3_word_3.w >> 16u;
      let vt_3_word_4 = select(vec4<u32>(0u), v[select(0, (k_at_4 + 64) >> 3u, k_in_2)], k_in_2);
      vt_3_1_32 = vt_3_word_4.x & 0xffffu; vt_3_1_33 = vt_3_word_4.x >> 16u;
      vt_3_1_34 = vt_3_word_4.y & 0xffffu; vt_3_1_35 = vt_3_word_4.y >> 16u;
      vt_3_1_36 = vt_3_word_4.z & 0xffffu; vt_3_1_37 = vt_3_word_4.z >> 16u;
      vt_3_1_38 = vt_3_word_4.w & 0xffffu; vt_3_1_39 = vt_3_word_4.w >> 16u;
      kt_2_1_0 = kt_3_1_0; vt_2_1_0 = vt_3_1_0; kt_2_1_1 = kt_3_1_1; vt_2_1_1 = vt_3_1_1;
      kt_2_1_2 = kt_3_1_2; vt_2_1_2 = vt_3_1_2; kt_2_1_3 = kt_3_1_3; vt_2_1_3 = vt_3_1_3;
      kt_2_1_4 = kt_3_1_4; vt_2_1_4 = vt_3_1_4; kt_2_1_5 = kt_3_1_5; vt_2_1_5 = vt_3_1_5;
      kt_2_1_6 = kt_3_1_6; vt_2_1_6 = vt_3_1_6; kt_2_1_7 = kt_3_1_7; vt_2_1_7 = vt_3_1_7;
      kt_2_1_8 = kt_3_1_8; vt_2_1_8 = vt_3_1_8; kt_2_1_9 = kt_3_1_9; vt_2_1_9 = vt_3_1_9;
      kt_2_1_10 = kt_3_1_10; vt_2_1_10 = vt_3_1_10; kt_2_1_11 = kt_3_1_11; vt_2_1_11 = vt_3_1_11;
      kt_2_1_12 = kt_3_1_12; vt_2_1_12 = vt_3_1_12; kt_2_1_13 = kt_3_1_13; vt_2_1_13 = vt_3_1_13;
      kt_2_1_14 = kt_3_1_14; vt_2_1_14 = vt_3_1_14; kt_2_1_15 = kt_3_1_15; vt_2_1_15 = vt_3_1_15;
      kt_2_1_16 = kt_3_1_16; vt_2_1_16 = vt_3_1_16; kt_2_1_17 = kt_3_1_17; vt_2_1_17 = vt_3_1_17;
      kt_2_1_18 = kt_3_1_18; vt_2_1_18 = vt_3_1_18; kt_2_1_19 = kt_3_1_19; vt_2_1_19 = vt_3_1_19;
      kt_2_1_20 = kt_3_1_20; vt_2_1_20 = vt_3_1_20; kt_2_1_21 = kt_3_1_21; vt_2_1_21 = vt_3_1_21;
      kt_2_1_22 = kt_3_1_22; vt_2_1_22 = vt_3_1_22; kt_2_1_23 = kt_3_1_23; vt_2_1_23 = vt_3_1_23;
      kt_2_1_24 = kt_3_1_24; vt_2_1_24 = vt_3_1_24; kt_2_1_25 = kt_3_1_25; vt_2_1_25 = vt_3_1_25;
      kt_2_1_26 = kt_3_1_26; vt_2_1_26 = vt_3_1_26; kt_2_1_27 = kt_3_1_27; vt_2_1_27 = vt_3_1_27;
      kt_2_1_28 = kt_3_1_28; vt_2_1_28 = vt_3_1_28; kt_2_1_29 = kt_3_1_29; vt_2_1_29 = vt_3_1_29;
      kt_2_1_30 = kt_3_1_30; vt_2_1_30 = vt_3_1_30; kt_2_1_31 = kt_3_1_31; vt_2_1_31 = vt_3_1_31;
      kt_2_1_32 = kt_3_1_32; vt_2_1_32 = vt_3_1_32; kt_2_1_33 = kt_3_1_33; vt_2_1_33 = vt_3_1_33;
      kt_2_1_34 = kt_3_1_34; vt_2_1_34 = vt_3_1_34; kt_2_1_35 = kt_3_1_35; vt_2_1_35 = vt_3_1_35;
      kt_2_1_36 = kt_3_1_36; vt_2_1_36 = vt_3_1_36; kt_2_1_37 = kt_3_1_37; vt_2_1_37 = vt_3_1_37;
      kt_2_1_38 = kt_3_1_38; vt_2_1_38 = vt_3_1_38; kt_2_1_39 = kt_3_1_39; vt_2_1_39 = vt_3_1_39;
    } else {
      kt_2_1_0 = 0u; vt_2_1_0 = 0u; kt_2_1_1 = 0u; vt_2_1_1 = 0u; kt_2_1_2 = 0u; vt_2_1_2 = 0u;
      kt_2_1_3 = 0u; vt_2_1_3 = 0u; kt_2_1_4 = 0u; vt_2_1_4 = 0u; kt_2_1_5 = 0u; vt_2_1_5 = 0u;
      kt_2_1_6 = 0u; vt_2_1_6 = 0u; kt_2_1_7 = 0u; vt_2_1_7 = 0u; kt_2_1_8 = 0u; vt_2_1_8 = 0u;
      kt_2_1_9 = 0u; vt_2_1_9 = 0u; kt_2_1_10 = 0u; vt_2_1_10 = 0u; kt_2_1_11 = 0u; vt_2_1_11 = 0u;
      kt_2_1_12 = 0u; vt_2_1_12 = 0u; kt_2_1_13 = 0u; vt_2_1_13 = 0u; kt_2_1_14 = 0u;
      vt_2_1_14 = 0u; kt_2_1_15 = 0u; vt_2_1_15 = 0u; kt_2_1_16 = 0u; vt_2_1_16 = 0u;
      kt_2_1_17 = 0u; vt_2_1_17 = 0u; kt_2_1_18 = 0u; vt_2_1_18 = 0u; kt_2_1_19 = 0u;
      vt_2_1_19 = 0u; kt_2_1_20 = 0u; vt_2_1_20 = 0u; kt_2_1_21 = 0u; vt_2_1_21 = 0u;
      kt_2_1_22 = 0u; vt_2_1_22 = 0u; kt_2_1_23 = 0u; vt_2_1_23 = 0u; kt_2_1_24 = 0u;
      vt_2_1_24 = 0u; kt_2_1_25 = 0u; vt_2_1_25 = 0u; kt_2_1_26 = 0u; vt_2_1_26 = 0u;
      kt_2_1_27 = 0u; vt_2_1_27 = 0u; kt_2_1_28 = 0u; vt_2_1_28 = 0u; kt_2_1_29 = 0u;
      vt_2_1_29 = 0u; kt_2_1_30 = 0u; vt_2_1_30 = 0u; kt_2_1_31 = 0u; vt_2_1_31 = 0u;
      kt_2_1_32 = 0u; vt_2_1_32 = 0u; kt_2_1_33 = 0u; vt_2_1_33 = 0u; kt_2_1_34 = 0u;
      vt_2_1_34 = 0u; kt_2_1_35 = 0u; vt_2_1_35 = 0u; kt_2_1_36 = 0u; vt_2_1_36 = 0u;
      kt_2_1_37 = 0u; vt_2_1_37 = 0u; kt_2_1_38 = 0u; vt_2_1_38 = 0u; kt_2_1_39 = 0u;
      vt_2_1_39 = 0u;
    }
    if (is_first) {
      var qt_1_1_0: f32; var qt_1_1_1: f32; var qt_1_1_2: f32; var qt_1_1_3: f32;
      qt_1_1_0 = tw_bf16_to_f32(qt_0); qt_1_1_1 = tw_bf16_to_f32(qt_1);
      qt_1_1_2 = tw_bf16_to_f32(qt_2); qt_1_1_3 = tw_bf16_to_f32(qt_3);
      qt_shared[qt_shared_at >> 2u] = vec4<f32>(qt_1_1_0, qt_1_1_1, qt_1_1_2, qt_1_1_3);
      var qt_2_1_0: f32; var qt_2_1_1: f32; var qt_2_1_2: f32; var qt_2_1_3: f32;
      qt_2_1_0 = tw_bf16_to_f32(qt_4); qt_2_1_1 = tw_bf16_to_f32(qt_5);
      qt_2_1_2 = tw_bf16_to_f32(qt_6); qt_2_1_3 = tw_bf16_to_f32(qt_7);
      qt_shared[(qt_shared_at + 4) >> 2u] = vec4<f32>(qt_2_1_0, qt_2_1_1, qt_2_1_2, qt_2_1_3);
      var qt_3_1_0: f32; var qt_3_1_1: f32; var qt_3_1_2: f32; var qt_3_1_3: f32;
      qt_3_1_0 = tw_bf16_to_f32(qt_8); qt_3_1_1 = tw_bf16_to_f32(qt_9);
      qt_3_1_2 = tw_bf16_to_f32(qt_10); qt_3_1_3 = tw_bf16_to_f32(qt_11);
      qt_shared[(qt_shared_at + 16) >> 2u] = vec4<f32>(qt_3_1_0, qt_3_1_1, qt_3_1_2, qt_3_1_3);
      var qt_4_1_0: f32; var qt_4_1_1: f32; var qt_4_1_2: f32; var qt_4_1_3: f32;
      qt_4_1_0 = tw_bf16_to_f32(qt_12); qt_4_1_1 = tw_bf16_to_f32(qt_13);
      qt_4_1_2 = tw_bf16_to_f32(qt_14); qt_4_1_3 = tw_bf16_to_f32(qt_15);
      qt_shared[(qt_shared_at + 20) >> 2u] = vec4<f32>(qt_4_1_0, qt_4_1_1, qt_4_1_2, qt_4_1_3);
      var qt_5_1_0: f32; var qt_5_1_1: f32; var qt_5_1_2: f32; var qt_5_1_3: f32;
      qt_5_1_0 = tw_bf16_to_f32(qt_16); qt_5_1_1 = tw_bf16_to_f32(qt_17);
      qt_5_1_2 = tw_bf16_to_f32(qt_18); qt_5_1_3 = tw_bf16_to_f32(qt_19);
      qt_shared[(qt_shared_at + 32) >> 2u] = vec4<f32>(qt_5_1_0, qt_5_1_1, qt_5_1_2, qt_5_1_3);
      var qt_6_1_0: f32; var qt_6_1_1: f32; var qt_6_1_2: f32; var qt_6_1_3: f32;
      qt_6_1_0 = tw_bf16_to_f32(qt_20); qt_6_1_1 = tw_bf16_to_f32(qt_21);
      qt_6_1_2 = tw_bf16_to_f32(qt_22); qt_6_1_3 = tw_bf16_to_f32(qt_23);
      qt_shared[(qt_shared_at + 36) >> 2u] = vec4<f32>(qt_6_1_0, qt_6_1_1, qt_6_1_2, qt_6_1_3);
      var qt_7_1_0: f32; var qt_7_1_1: f32; var qt_7_1_2: f32; var qt_7_1_3: f32;
      qt_7_1_0 = tw_bf16_to_f32(qt_24); qt_7_1_1 = tw_bf16_to_f32(qt_25);
      qt_7_1_2 = tw_bf16_to_f32(qt_26); qt_7_1_3 = tw_bf16_to_f32(qt_27);
      qt_shared[(qt_shared_at + 48) >> 2u] = vec4<f32>(qt_7_1_0, qt_7_1_1, qt_7_1_2, qt_7_1_3);
      var qt_8_1_0: f32; var qt_8_1_1: f32; var qt_8_1_2: f32; var qt_8_1_3: f32;
      qt_8_1_0 = tw_bf16_to_f32(qt_28); qt_8_1_1 = tw_bf16_to_f32(qt_29);
      qt_8_1_2 = tw_bf16_to_f32(qt_30); qt_8_1_3 = tw_bf16_to_f32(qt_31);
      qt_shared[(qt_shared_at + 52) >> 2u] = vec4<f32>(qt_8_1_0, qt_8_1_1, qt_8_1_2, qt_8_1_3);
      var qt_9_1_0: f32; var qt_9_1_1: f32; var qt_9_1_2: f32; var qt_9_1_3: f32;
      qt_9_1_0 = tw_bf16_to_f32(qt_32); qt_9_1_1 = tw_bf16_to_f32(qt_33);
      qt_9_1_2 = tw_bf16_to_f32(qt_34); qt_9_1_3 = tw_bf16_to_f32(qt_35);
      qt_shared[(qt_shared_at + 64) >> 2u] = vec4<f32>(qt_9_1_0, qt_9_1_1, qt_9_1_2, qt_9_1_3);
      var qt_10_1_0: f32; var qt_10_1_1: f32; var qt_10_1_2: f32; var qt_10_1_3: f32;
      qt_10_1_0 = tw_bf16_to_f32(qt_36); qt_10_1_1 = tw_bf16_to_f32(qt_37);
      qt_10_1_2 = tw_bf16_to_f32(qt_38); qt_10_1_3 = tw_bf16_to_f32(qt_39);
      qt_shared[(qt_shared_at + 68) >> 2u] = vec4<f32>(qt_10_1_0, qt_10_1_1, qt_10_1_2, qt_10_1_3);
    }
    workgroupBarrier();
    if (is_first) {
      var kt_4_1_0: f32; var kt_4_1_1: f32; var kt_4_1_2: f32; var kt_4_1_3: f32;
      kt_4_1_0 = tw_bf16_to_f32(kt_0); kt_4_1_1 = tw_bf16_to_f32(kt_1);
      kt_4_1_2 = tw_bf16_to_f32(kt_2); kt_4_1_3 = tw_bf16_to_f32(kt_3);
      shared_kt_shared_vt_shared[kt_shared_at] = kt_4_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 1] = kt_4_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 2] = kt_4_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 3] = kt_4_1_3;
      var kt_5_1_0: f32; var kt_5_1_1: f32; var kt_5_1_2: f32; var kt_5_1_3: f32;
      kt_5_1_0 = tw_bf16_to_f32(kt_4); kt_5_1_1 = tw_bf16_to_f32(kt_5);
      kt_5_1_2 = tw_bf16_to_f32(kt_6); kt_5_1_3 = tw_bf16_to_f32(kt_7);
      shared_kt_shared_vt_shared[kt_shared_at + 4] = kt_5_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 4 + 1] = kt_5_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 4 + 2] = kt_5_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 4 + 3] = kt_5_1_3;
      var kt_6_1_0: f32; var kt_6_1_1: f32; var kt_6_1_2: f32; var kt_6_1_3: f32;
      kt_6_1_0 = tw_bf16_to_f32(kt_8); kt_6_1_1 = tw_bf16_to_f32(kt_9);
      kt_6_1_2 = tw_bf16_to_f32(kt_10); kt_6_1_3 = tw_bf16_to_f32(kt_11);
      shared_kt_shared_vt_shared[kt_shared_at + 16] = kt_6_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 16 + 1] = kt_6_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 16 + 2] = kt_6_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 16 + 3] = kt_6_1_3;
      var kt_7_1_0: f32; var kt_7_1_1: f32; var kt_7_1_2: f32; var kt_7_1_3: f32;
      kt_7_1_0 = tw_bf16_to_f32(kt_12); kt_7_1_1 = tw_bf16_to_f32(kt_13);
      kt_7_1_2 = tw_bf16_to_f32(kt_14); kt_7_1_3 = tw_bf16_to_f32(kt_15);
      shared_kt_shared_vt_shared[kt_shared_at + 20] = kt_7_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 20 + 1] = kt_7_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 20 + 2] = kt_7_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 20 + 3] = kt_7_1_3;
      var kt_8_1_0: f32; var kt_8_1_1: f32; var kt_8_1_2: f32; var kt_8_1_3: f32;
      kt_8_1_0 = tw_bf16_to_f32(kt_16); kt_8_1_1 = tw_bf16_to_f32(kt_17);
      kt_8_1_2 = tw_bf16_to_f32(kt_18); kt_8_1_3 = tw_bf16_to_f32(kt_19);
      shared_kt_shared_vt_shared[kt_shared_at + 32] = kt_8_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 32 + 1] = kt_8_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 32 + 2] = kt_8_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 32 + 3] = kt_8_1_3;
      var kt_9_1_0: f32; var kt_9_1_1: f32; var kt_9_1_2: f32; var kt_9_1_3: f32;
      kt_9_1_0 = tw_bf16_to_f32(kt_20); kt_9_1_1 = tw_bf16_to_f32(kt_21);
      kt_9_1_2 = tw_bf16_to_f32(kt_22); kt_9_1_3 = tw_bf16_to_f32(kt_23);
      shared_kt_shared_vt_shared[kt_shared_at + 36] = kt_9_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 36 + 1] = kt_9_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 36 + 2] = kt_9_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 36 + 3] = kt_9_1_3;
      var kt_10_1_0: f32; var kt_10_1_1: f32; var kt_10_1_2: f32; var kt_10_1_3: f32;
      kt_10_1_0 = tw_bf16_to_f32(kt_24); kt_10_1_1 = tw_bf16_to_f32(kt_25);
      kt_10_1_2 = tw_bf16_to_f32(kt_26); kt_10_1_3 = tw_bf16_to_f32(kt_27);
      shared_kt_shared_vt_shared[kt_shared_at + 48] = kt_10_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 48 + 1] = kt_10_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 48 + 2] = kt_10_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 48 + 3] = kt_10_1_3;
      var kt_11_1_0: f32; var kt_11_1_1: f32; var kt_11_1_2: f32; var kt_11_1_3: f32;
      kt_11_1_0 = tw_bf16_to_f32(kt_28); kt_11_1_1 = tw_bf16_to_f32(kt_29);
      kt_11_1_2 = tw_bf16_to_f32(kt_30); kt_11_1_3 = tw_bf16_to_f32(kt_31);
      shared_kt_shared_vt_shared[kt_shared_at + 52] = kt_11_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 52 + 1] = kt_11_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 52 + 2] = kt_11_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 52 + 3] = kt_11_1_3;
      var kt_12_1_0: f32; var kt_12_1_1: f32; var kt_12_1_2: f32; var kt_12_1_3: f32;
      kt_12_1_0 = tw_bf16_to_f32(kt_32); kt_12_1_1 = tw_bf16_to_f32(kt_33);
      kt_12_1_2 = tw_bf16_to_f32(kt_34); kt_12_1_3 = tw_bf16_to_f32(kt_35);
      shared_kt_shared_vt_shared[kt_shared_at + 64] = kt_12_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 64 + 1] = kt_12_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 64 + 2] = kt_12_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 64 + 3] = kt_12_1_3;
      var kt_13_1_0: f32; var kt_13_1_1: f32; var kt_13_1_2: f32; var kt_13_1_3: f32;
      kt_13_1_0 = tw_bf16_to_f32(kt_36); kt_13_1_1 = tw_bf16_to_f32(kt_37);
      kt_13_1_2 = tw_bf16_to_f32(kt_38); kt_13_1_3 = tw_bf16_to_f32(kt_39);
      shared_kt_shared_vt_shared[kt_shared_at + 68] = kt_13_1_0;
      shared_kt_shared_vt_shared[kt_shared_at + 68 + 1] = kt_13_1_1;
      shared_kt_shared_vt_shared[kt_shared_at + 68 + 2] = kt_13_1_2;
      shared_kt_shared_vt_shared[kt_shared_at + 68 + 3] = kt_13_1_3;
    }
    workgroupBarrier();
    var scores_0: f32; var scores_1: f32; var scores_2: f32; var scores_3: f32;
    scores_0 = 0.0f; scores_1 = 0.0f; scores_2 = 0.0f; scores_3 = 0.0f;
    for (var r: i32 = 0; r < 20; r++) {
      var qt_shared_1_0: f32; var qt_shared_1_1: f32; var qt_shared_1_2: f32;
      var qt_shared_1_3: f32; var qt_shared_1_4: f32; var qt_shared_1_5: f32;
      var qt_shared_1_6: f32; var qt_shared_1_7: f32;
      var kt_shared_1_0: f32; var kt_shared_1_1: f32; var kt_shared_1_2: f32;
      var kt_shared_1_3: f32; var kt_shared_1_4: f32; var kt_shared_1_5: f32;
      var kt_shared_1_6: f32; var kt_shared_1_7: f32;
      let qt_shared_1_word = qt_shared[(qt_shared_at_1 + r * 4) >> 2u];
      qt_shared_1_0 = qt_shared_1_word.x; qt_shared_1_1 = qt_shared_1_word.y;
      qt_shared_1_2 = qt_shared_1_word.z; qt_shared_1_3 = qt_shared_1_word.w;
      let qt_shared_1_word_1 = qt_shared[(qt_shared_at_1 + 640 + r * 4) >> 2u];
      qt_shared_1_4 = qt_shared_1_word_1.x; qt_shared_1_5 = qt_shared_1_word_1.y;
      qt_shared_1_6 = qt_shared_1_word_1.z; qt_shared_1_7 = qt_shared_1_word_1.w;
      let kt_shared_1_at = kt_shared_at_1 + r * 4;
      kt_shared_1_0 = shared_kt_shared_vt_shared[kt_shared_1_at];
      kt_shared_1_1 = shared_kt_shared_vt_shared[kt_shared_1_at + 1];
      kt_shared_1_2 = shared_kt_shared_vt_shared[kt_shared_1_at + 2];
      kt_shared_1_3 = shared_kt_shared_vt_shared[kt_shared_1_at + 3];
      let kt_shared_1_at_1 = kt_shared_at_1 + 84 + r * 4;
      kt_shared_1_4 = shared_kt_shared_vt_shared[kt_shared_1_at_1];
      kt_shared_1_5 = shared_kt_shared_vt_shared[kt_shared_1_at_1 + 1];
      kt_shared_1_6 = shared_kt_shared_vt_shared[kt_shared_1_at_1 + 2];
      kt_shared_1_7 = shared_kt_shared_vt_shared[kt_shared_1_at_1 + 3];
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
    var kpos_0: i32; var kpos_1: i32;
    kpos_0 = n + t_BN; kpos_1 = n + t_BN + 1;
    var s_0: f32; var s_1: f32; var s_2: f32; var s_3: f32;
    var most_0: f32; var most_1: f32;
    s_0 = select(tw_bits_f32(0xff800000u), scores_0, kpos_0 <= qpos_0);
    s_1 = select(tw_bits_f32(0xff800000u), scores_1, kpos_1 <= qpos_0);
    most_0 = tw_bits_f32(0xff800000u); most_0 = tw_max(most_0, s_0); most_0 = tw_max(most_0, s_1);
    t48_parts[part_at] = most_0;
    s_2 = select(tw_bits_f32(0xff800000u), scores_2, kpos_0 <= qpos_1);
    s_3 = select(tw_bits_f32(0xff800000u), scores_3, kpos_1 <= qpos_1);
    most_1 = tw_bits_f32(0xff800000u); most_1 = tw_max(most_1, s_2); most_1 = tw_max(most_1, s_3);
    t48_parts[part_at + 8] = most_1;
    workgroupBarrier();
    most_0 = t48_parts[t_BM];
    var other: f32;
    other = t48_parts[t_BM + 16];
    most_0 = tw_max(most_0, other);
    var other_1: f32;
    other_1 = t48_parts[t_BM + 32];
    most_0 = tw_max(most_0, other_1);
    var other_2: f32;
    other_2 = t48_parts[t_BM + 48];
    most_0 = tw_max(most_0, other_2);
    var other_3: f32;
    other_3 = t48_parts[t_BM + 64];
    most_0 = tw_max(most_0, other_3);
    var other_4: f32;
    other_4 = t48_parts[t_BM + 80];
    most_0 = tw_max(most_0, other_4);
    var other_5: f32;
    other_5 = t48_parts[t_BM + 96];
    most_0 = tw_max(most_0, other_5);
    var other_6: f32;
    other_6 = t48_parts[t_BM + 112];
    most_0 = tw_max(most_0, other_6);
    most_1 = t48_parts[t_BM + 8];
    var other_7: f32;
    other_7 = t48_parts[t_BM + 24];
    most_1 = tw_max(most_1, other_7);
    var other_8: f32;
    other_8 = t48_parts[t_BM + 40];
    most_1 = tw_max(most_1, other_8);
    var other_9: f32;
    other_9 = t48_parts[t_BM + 56];
    most_1 = tw_max(most_1, other_9);
    var other_10: f32;
    other_10 = t48_parts[t_BM + 72];
    most_1 = tw_max(most_1, other_10);
    var other_11: f32;
    other_11 = t48_parts[t_BM + 88];
    most_1 = tw_max(most_1, other_11);
    var other_12: f32;
    other_12 = t48_parts[t_BM + 104];
    most_1 = tw_max(most_1, other_12);
    var other_13: f32;
    other_13 = t48_parts[t_BM + 120];
    most_1 = tw_max(most_1, other_13);
    if (is_first_1) {
      t48_convert[t_BM] = most_0;
      t48_convert[t_BM + 8] = most_1;
    }
    workgroupBarrier();
    var t_0: f32; var t_1: f32; var t_2: f32; var t_3: f32;
    t_0 = t48_convert[t48_convert_at];
    t_1 = t48_convert[t48_convert_at + 4];
    t_2 = t48_convert[t48_convert_at + 8];
    t_3 = t48_convert[t48_convert_at + 12];
    var top_0: f32; var top_1: f32; var top_2: f32; var top_3: f32;
    var grew_0: bool; var grew_1: bool; var grew_2: bool; var grew_3: bool;
    top_0 = tw_max(m_0, t_0);
    grew_0 = (top_0 - m_0) * c > 8.0f;
    top_1 = tw_max(m_1, t_1);
    grew_1 = (top_1 - m_1) * c > 8.0f;
    top_2 = tw_max(m_2, t_2);
    grew_2 = (top_2 - m_2) * c > 8.0f;
    top_3 = tw_max(m_3, t_3);
    grew_3 = (top_3 - m_3) * c > 8.0f;
    var grew_1_1: i32 = -2147483648;
    grew_1_1 = max(grew_1_1, select(0, 1, grew_0));
    grew_1_1 = max(grew_1_1, select(0, 1, grew_1));
    grew_1_1 = max(grew_1_1, select(0, 1, grew_2));
    grew_1_1 = max(grew_1_1, select(0, 1, grew_3));
    if (is_first_2) {
      grew_parts[t48_convert_at] = grew_1_1;
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
    var t_3_1_5: f32; var t_3_1_6: f32; var t_3_1_7: f32; var t_3_1_8: f32; var t_3_1_9: f32;
    var t_3_1_10: f32; var t_3_1_11: f32; var t_3_1_12: f32; var t_3_1_13: f32; var t_3_1_14: f32;
    var t_3_1_15: f32; var t_3_1_16: f32; var t_3_1_17: f32; var t_3_1_18: f32; var t_3_1_19: f32;
    if (grew_2_1) {
      let next: f32 = select(m_0, top_0, grew_0);
      let alpha: f32 = tw_exp2((m_0 - next) * c);
      t_1_1_0 = next; t_2_1_0 = l_0 * alpha; t_3_1_0 = acc_0 * alpha; t_3_1_1 = acc_1 * alpha;
      t_3_1_2 = acc_2 * alpha; t_3_1_3 = acc_3 * alpha; t_3_1_4 = acc_4 * alpha;
      let next_1: f32 = select(m_1, top_1, grew_1);
      let alpha_1: f32 = tw_exp2((m_1 - next_1) * c);
      t_1_1_1 = next_1; t_2_1_1 = l_1 * alpha_1; t_3_1_5 = acc_5 * alpha_1;
      t_3_1_6 = acc_6 * alpha_1; t_3_1_7 = acc_7 * alpha_1; t_3_1_8 = acc_8 * alpha_1;
      t_3_1_9 = acc_9 * alpha_1;
      let next_2: f32 = select(m_2, top_2, grew_2);
      let alpha_2: f32 = tw_exp2((m_2 - next_2) * c);
      t_1_1_2 = next_2; t_2_1_2 = l_2 * alpha_2; t_3_1_10 = acc_10 * alpha_2;
      t_3_1_11 = acc_11 * alpha_2; t_3_1_12 = acc_12 * alpha_2; t_3_1_13 = acc_13 * alpha_2;
      t_3_1_14 = acc_14 * alpha_2;
      let next_3: f32 = select(m_3, top_3, grew_3);
      let alpha_3: f32 = tw_exp2((m_3 - next_3) * c);
      t_1_1_3 = next_3; t_2_1_3 = l_3 * alpha_3; t_3_1_15 = acc_15 * alpha_3;
      t_3_1_16 = acc_16 * alpha_3; t_3_1_17 = acc_17 * alpha_3; t_3_1_18 = acc_18 * alpha_3;
      t_3_1_19 = acc_19 * alpha_3;
    } else {
      t_1_1_0 = m_0; t_2_1_0 = l_0; t_1_1_1 = m_1; t_2_1_1 = l_1; t_1_1_2 = m_2; t_2_1_2 = l_2;
      t_1_1_3 = m_3; t_2_1_3 = l_3; t_3_1_0 = acc_0; t_3_1_1 = acc_1; t_3_1_2 = acc_2;
      t_3_1_3 = acc_3; t_3_1_4 = acc_4; t_3_1_5 = acc_5; t_3_1_6 = acc_6; t_3_1_7 = acc_7;
      t_3_1_8 = acc_8; t_3_1_9 = acc_9; t_3_1_10 = acc_10; t_3_1_11 = acc_11; t_3_1_12 = acc_12;
      t_3_1_13 = acc_13; t_3_1_14 = acc_14; t_3_1_15 = acc_15; t_3_1_16 = acc_16; t_3_1_17 = acc_17;
      t_3_1_18 = acc_18; t_3_1_19 = acc_19;
    }
    var t_4_0: f32; var t_4_1: f32; var t_4_2: f32; var t_4_3: f32;
    t_4_0 = t_1_1_0 * c; t_4_1 = t_1_1_1 * c; t_4_2 = t_1_1_2 * c; t_4_3 = t_1_1_3 * c;
    if (is_first_2) {
      t69_convert[t48_convert_at] = t_4_0;
      t69_convert[t48_convert_at + 4] = t_4_1;
      t69_convert[t48_convert_at + 8] = t_4_2;
      t69_convert[t48_convert_at + 12] = t_4_3;
    }
    workgroupBarrier();
    var t_5_0: f32; var t_5_1: f32;
    t_5_0 = t69_convert[t_BM];
    t_5_1 = t69_convert[t_BM + 8];
    var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32;
    var sum_0: f32; var sum_1: f32;
    p_0 = tw_exp2(s_0 * c - t_5_0); p_1 = tw_exp2(s_1 * c - t_5_0);
    sum_0 = 0.0f; sum_0 = sum_0 + p_0; sum_0 = sum_0 + p_1;
    t75_parts[part_at] = sum_0;
    p_2 = tw_exp2(s_2 * c - t_5_1); p_3 = tw_exp2(s_3 * c - t_5_1);
    sum_1 = 0.0f; sum_1 = sum_1 + p_2; sum_1 = sum_1 + p_3;
    t75_parts[part_at + 8] = sum_1;
    workgroupBarrier();
    sum_0 = t75_parts[t_BM];
    var other_14: f32;
    other_14 = t75_parts[t_BM + 16];
    sum_0 = sum_0 + other_14;
    var other_15: f32;
    other_15 = t75_parts[t_BM + 32];
    sum_0 = sum_0 + other_15;
    var other_16: f32;
    other_16 = t75_parts[t_BM + 48];
    sum_0 = sum_0 + other_16;
    var other_17: f32;
    other_17 = t75_parts[t_BM + 64];
    sum_0 = sum_0 + other_17;
    var other_18: f32;
    other_18 = t75_parts[t_BM + 80];
    sum_0 = sum_0 + other_18;
    var other_19: f32;
    other_19 = t75_parts[t_BM + 96];
    sum_0 = sum_0 + other_19;
    var other_20: f32;
    other_20 = t75_parts[t_BM + 112];
    sum_0 = sum_0 + other_20;
    sum_1 = t75_parts[t_BM + 8];
    var other_21: f32;
    other_21 = t75_parts[t_BM + 24];
    sum_1 = sum_1 + other_21;
    var other_22: f32;
    other_22 = t75_parts[t_BM + 40];
    sum_1 = sum_1 + other_22;
    var other_23: f32;
    other_23 = t75_parts[t_BM + 56];
    sum_1 = sum_1 + other_23;
    var other_24: f32;
    other_24 = t75_parts[t_BM + 72];
    sum_1 = sum_1 + other_24;
    var other_25: f32;
    other_25 = t75_parts[t_BM + 88];
    sum_1 = sum_1 + other_25;
    var other_26: f32;
    other_26 = t75_parts[t_BM + 104];
    sum_1 = sum_1 + other_26;
    var other_27: f32;
    other_27 = t75_parts[t_BM + 120];
    sum_1 = sum_1 + other_27;
    if (is_first_1) {
      t75_convert[t_BM] = sum_0;
      t75_convert[t_BM + 8] = sum_1;
    }
    workgroupBarrier();
    var t_6_0: f32; var t_6_1: f32; var t_6_2: f32; var t_6_3: f32;
    t_6_0 = t75_convert[t48_convert_at];
    t_6_1 = t75_convert[t48_convert_at + 4];
    t_6_2 = t75_convert[t48_convert_at + 8];
    t_6_3 = t75_convert[t48_convert_at + 12];
    var t99_shared_tile_0: f32; var t99_shared_tile_1: f32;
    t99_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_0));
    t99_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_1));
    t99_shared[t99_shared_at >> 1u] = vec2<f32>(t99_shared_tile_0, t99_shared_tile_1);
    var t99_shared_tile_1_1_0: f32; var t99_shared_tile_1_1_1: f32;
    t99_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_2));
    t99_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_3));
    t99_shared[(t99_shared_at + 128) >> 1u] = vec2<f32>(t99_shared_tile_1_1_0, t99_shared_tile_1_1_1);
    if (is_first) {
      var vt_4_1_0: f32; var vt_4_1_1: f32; var vt_4_1_2: f32; var vt_4_1_3: f32;
      vt_4_1_0 = tw_bf16_to_f32(vt_0); vt_4_1_1 = tw_bf16_to_f32(vt_1);
      vt_4_1_2 = tw_bf16_to_f32(vt_2); vt_4_1_3 = tw_bf16_to_f32(vt_3);
      shared_kt_shared_vt_shared[qt_shared_at] = vt_4_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 1] = vt_4_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 2] = vt_4_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 3] = vt_4_1_3;
      var vt_5_1_0: f32; var vt_5_1_1: f32; var vt_5_1_2: f32; var vt_5_1_3: f32;
      vt_5_1_0 = tw_bf16_to_f32(vt_4); vt_5_1_1 = tw_bf16_to_f32(vt_5);
      vt_5_1_2 = tw_bf16_to_f32(vt_6); vt_5_1_3 = tw_bf16_to_f32(vt_7);
      shared_kt_shared_vt_shared[qt_shared_at + 4] = vt_5_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 4 + 1] = vt_5_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 4 + 2] = vt_5_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 4 + 3] = vt_5_1_3;
      var vt_6_1_0: f32; var vt_6_1_1: f32; var vt_6_1_2: f32; var vt_6_1_3: f32;
      vt_6_1_0 = tw_bf16_to_f32(vt_8); vt_6_1_1 = tw_bf16_to_f32(vt_9);
      vt_6_1_2 = tw_bf16_to_f32(vt_10); vt_6_1_3 = tw_bf16_to_f32(vt_11);
      shared_kt_shared_vt_shared[qt_shared_at + 16] = vt_6_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 16 + 1] = vt_6_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 16 + 2] = vt_6_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 16 + 3] = vt_6_1_3;
      var vt_7_1_0: f32; var vt_7_1_1: f32; var vt_7_1_2: f32; var vt_7_1_3: f32;
      vt_7_1_0 = tw_bf16_to_f32(vt_12); vt_7_1_1 = tw_bf16_to_f32(vt_13);
      vt_7_1_2 = tw_bf16_to_f32(vt_14); vt_7_1_3 = tw_bf16_to_f32(vt_15);
      shared_kt_shared_vt_shared[qt_shared_at + 20] = vt_7_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 20 + 1] = vt_7_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 20 + 2] = vt_7_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 20 + 3] = vt_7_1_3;
      var vt_8_1_0: f32; var vt_8_1_1: f32; var vt_8_1_2: f32; var vt_8_1_3: f32;
      vt_8_1_0 = tw_bf16_to_f32(vt_16); vt_8_1_1 = tw_bf16_to_f32(vt_17);
      vt_8_1_2 = tw_bf16_to_f32(vt_18); vt_8_1_3 = tw_bf16_to_f32(vt_19);
      shared_kt_shared_vt_shared[qt_shared_at + 32] = vt_8_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 32 + 1] = vt_8_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 32 + 2] = vt_8_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 32 + 3] = vt_8_1_3;
      var vt_9_1_0: f32; var vt_9_1_1: f32; var vt_9_1_2: f32; var vt_9_1_3: f32;
      vt_9_1_0 = tw_bf16_to_f32(vt_20); vt_9_1_1 = tw_bf16_to_f32(vt_21);
      vt_9_1_2 = tw_bf16_to_f32(vt_22); vt_9_1_3 = tw_bf16_to_f32(vt_23);
      shared_kt_shared_vt_shared[qt_shared_at + 36] = vt_9_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 36 + 1] = vt_9_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 36 + 2] = vt_9_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 36 + 3] = vt_9_1_3;
      var vt_10_1_0: f32; var vt_10_1_1: f32; var vt_10_1_2: f32; var vt_10_1_3: f32;
      vt_10_1_0 = tw_bf16_to_f32(vt_24); vt_10_1_1 = tw_bf16_to_f32(vt_25);
      vt_10_1_2 = tw_bf16_to_f32(vt_26); vt_10_1_3 = tw_bf16_to_f32(vt_27);
      shared_kt_shared_vt_shared[qt_shared_at + 48] = vt_10_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 48 + 1] = vt_10_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 48 + 2] = vt_10_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 48 + 3] = vt_10_1_3;
      var vt_11_1_0: f32; var vt_11_1_1: f32; var vt_11_1_2: f32; var vt_11_1_3: f32;
      vt_11_1_0 = tw_bf16_to_f32(vt_28); vt_11_1_1 = tw_bf16_to_f32(vt_29);
      vt_11_1_2 = tw_bf16_to_f32(vt_30); vt_11_1_3 = tw_bf16_to_f32(vt_31);
      shared_kt_shared_vt_shared[qt_shared_at + 52] = vt_11_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 52 + 1] = vt_11_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 52 + 2] = vt_11_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 52 + 3] = vt_11_1_3;
      var vt_12_1_0: f32; var vt_12_1_1: f32; var vt_12_1_2: f32; var vt_12_1_3: f32;
      vt_12_1_0 = tw_bf16_to_f32(vt_32); vt_12_1_1 = tw_bf16_to_f32(vt_33);
      vt_12_1_2 = tw_bf16_to_f32(vt_34); vt_12_1_3 = tw_bf16_to_f32(vt_35);
      shared_kt_shared_vt_shared[qt_shared_at + 64] = vt_12_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 64 + 1] = vt_12_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 64 + 2] = vt_12_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 64 + 3] = vt_12_1_3;
      var vt_13_1_0: f32; var vt_13_1_1: f32; var vt_13_1_2: f32; var vt_13_1_3: f32;
      vt_13_1_0 = tw_bf16_to_f32(vt_36); vt_13_1_1 = tw_bf16_to_f32(vt_37);
      vt_13_1_2 = tw_bf16_to_f32(vt_38); vt_13_1_3 = tw_bf16_to_f32(vt_39);
      shared_kt_shared_vt_shared[qt_shared_at + 68] = vt_13_1_0;
      shared_kt_shared_vt_shared[qt_shared_at + 68 + 1] = vt_13_1_1;
      shared_kt_shared_vt_shared[qt_shared_at + 68 + 2] = vt_13_1_2;
      shared_kt_shared_vt_shared[qt_shared_at + 68 + 3] = vt_13_1_3;
    }
    workgroupBarrier();
    for (var r: i32 = 0; r < 4; r++) {
      var t99_shared_1_0: f32; var t99_shared_1_1: f32; var t99_shared_1_2: f32;
      var t99_shared_1_3: f32; var t99_shared_1_4: f32; var t99_shared_1_5: f32;
      var t99_shared_1_6: f32; var t99_shared_1_7: f32; var t99_shared_1_8: f32;
      var t99_shared_1_9: f32; var t99_shared_1_10: f32; var t99_shared_1_11: f32;
      var t99_shared_1_12: f32; var t99_shared_1_13: f32; var t99_shared_1_14: f32;
      var t99_shared_1_15: f32;
      var vt_shared_1_0: f32; var vt_shared_1_1: f32; var vt_shared_1_2: f32;
      var vt_shared_1_3: f32; var vt_shared_1_4: f32; var vt_shared_1_5: f32;
      var vt_shared_1_6: f32; var vt_shared_1_7: f32; var vt_shared_1_8: f32;
      var vt_shared_1_9: f32; var vt_shared_1_10: f32; var vt_shared_1_11: f32;
      var vt_shared_1_12: f32; var vt_shared_1_13: f32; var vt_shared_1_14: f32;
      var vt_shared_1_15: f32; var vt_shared_1_16: f32; var vt_shared_1_17: f32;
      var vt_shared_1_18: f32; var vt_shared_1_19: f32;
      let t99_shared_1_at = t99_shared_at_1 + r * 4;
      let t99_shared_1_word = t99_shared[t99_shared_1_at >> 1u];
      t99_shared_1_0 = t99_shared_1_word.x; t99_shared_1_1 = t99_shared_1_word.y;
      let t99_shared_1_word_1 = t99_shared[(t99_shared_1_at >> 1u) + 1];
      t99_shared_1_2 = t99_shared_1_word_1.x; t99_shared_1_3 = t99_shared_1_word_1.y;
      let t99_shared_1_at_1 = t99_shared_at_1 + 64 + r * 4;
      let t99_shared_1_word_2 = t99_shared[t99_shared_1_at_1 >> 1u];
      t99_shared_1_4 = t99_shared_1_word_2.x; t99_shared_1_5 = t99_shared_1_word_2.y;
      let t99_shared_1_word_3 = t99_shared[(t99_shared_1_at_1 >> 1u) + 1];
      t99_shared_1_6 = t99_shared_1_word_3.x; t99_shared_1_7 = t99_shared_1_word_3.y;
      let t99_shared_1_at_2 = t99_shared_at_1 + 128 + r * 4;
      let t99_shared_1_word_4 = t99_shared[t99_shared_1_at_2 >> 1u];
      t99_shared_1_8 = t99_shared_1_word_4.x; t99_shared_1_9 = t99_shared_1_word_4.y;
      let t99_shared_1_word_5 = t99_shared[(t99_shared_1_at_2 >> 1u) + 1];
      t99_shared_1_10 = t99_shared_1_word_5.x; t99_shared_1_11 = t99_shared_1_word_5.y;
      let t99_shared_1_at_3 = t99_shared_at_1 + 192 + r * 4;
      let t99_shared_1_word_6 = t99_shared[t99_shared_1_at_3 >> 1u];
      t99_shared_1_12 = t99_shared_1_word_6.x; t99_shared_1_13 = t99_shared_1_word_6.y;
      let t99_shared_1_word_7 = t99_shared[(t99_shared_1_at_3 >> 1u) + 1];
      t99_shared_1_14 = t99_shared_1_word_7.x; t99_shared_1_15 = t99_shared_1_word_7.y;
      vt_shared_1_0 = shared_kt_shared_vt_shared[vt_shared_at + r * 320];
      vt_shared_1_5 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 80];
      vt_shared_1_10 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 160];
      vt_shared_1_15 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 240];
      vt_shared_1_1 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 16];
      vt_shared_1_6 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 96];
      vt_shared_1_11 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 176];
      vt_shared_1_16 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 256];
      vt_shared_1_2 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 32];
      vt_shared_1_7 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 112];
      vt_shared_1_12 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 192];
      vt_shared_1_17 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 272];
      vt_shared_1_3 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 48];
      vt_shared_1_8 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 128];
      vt_shared_1_13 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 208];
      vt_shared_1_18 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 288];
      vt_shared_1_4 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 64];
      vt_shared_1_9 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 144];
      vt_shared_1_14 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 224];
      vt_shared_1_19 = shared_kt_shared_vt_shared[vt_shared_at + r * 320 + 304];
      t_3_1_0 = fma(t99_shared_1_0, vt_shared_1_0, t_3_1_0);
      t_3_1_1 = fma(t99_shared_1_0, vt_shared_1_1, t_3_1_1);
      t_3_1_2 = fma(t99_shared_1_0, vt_shared_1_2, t_3_1_2);
      t_3_1_3 = fma(t99_shared_1_0, vt_shared_1_3, t_3_1_3);
      t_3_1_4 = fma(t99_shared_1_0, vt_shared_1_4, t_3_1_4);
      t_3_1_5 = fma(t99_shared_1_4, vt_shared_1_0, t_3_1_5);
      t_3_1_6 = fma(t99_shared_1_4, vt_shared_1_1, t_3_1_6);
      t_3_1_7 = fma(t99_shared_1_4, vt_shared_1_2, t_3_1_7);
      t_3_1_8 = fma(t99_shared_1_4, vt_shared_1_3, t_3_1_8);
      t_3_1_9 = fma(t99_shared_1_4, vt_shared_1_4, t_3_1_9);
      t_3_1_10 = fma(t99_shared_1_8, vt_shared_1_0, t_3_1_10);
      t_3_1_11 = fma(t99_shared_1_8, vt_shared_1_1, t_3_1_11);
      t_3_1_12 = fma(t99_shared_1_8, vt_shared_1_2, t_3_1_12);
      t_3_1_13 = fma(t99_shared_1_8, vt_shared_1_3, t_3_1_13);
      t_3_1_14 = fma(t99_shared_1_8, vt_shared_1_4, t_3_1_14);
      t_3_1_15 = fma(t99_shared_1_12, vt_shared_1_0, t_3_1_15);
      t_3_1_16 = fma(t99_shared_1_12, vt_shared_1_1, t_3_1_16);
      t_3_1_17 = fma(t99_shared_1_12, vt_shared_1_2, t_3_1_17);
      t_3_1_18 = fma(t99_shared_1_12, vt_shared_1_3, t_3_1_18);
      t_3_1_19 = fma(t99_shared_1_12, vt_shared_1_4, t_3_1_19);
      t_3_1_0 = fma(t99_shared_1_1, vt_shared_1_5, t_3_1_0);
      t_3_1_1 = fma(t99_shared_1_1, vt_shared_1_6, t_3_1_1);
      t_3_1_2 = fma(t99_shared_1_1, vt_shared_1_7, t_3_1_2);
      t_3_1_3 = fma(t99_shared_1_1, vt_shared_1_8, t_3_1_3);
      t_3_1_4 = fma(t99_shared_1_1, vt_shared_1_9, t_3_1_4);
      t_3_1_5 = fma(t99_shared_1_5, vt_shared_1_5, t_3_1_5);
      t_3_1_6 = fma(t99_shared_1_5, vt_shared_1_6, t_3_1_6);
      t_3_1_7 = fma(t99_shared_1_5, vt_shared_1_7, t_3_1_7);
      t_3_1_8 = fma(t99_shared_1_5, vt_shared_1_8, t_3_1_8);
      t_3_1_9 = fma(t99_shared_1_5, vt_shared_1_9, t_3_1_9);
      t_3_1_10 = fma(t99_shared_1_9, vt_shared_1_5, t_3_1_10);
      t_3_1_11 = fma(t99_shared_1_9, vt_shared_1_6, t_3_1_11);
      t_3_1_12 = fma(t99_shared_1_9, vt_shared_1_7, t_3_1_12);
      t_3_1_13 = fma(t99_shared_1_9, vt_shared_1_8, t_3_1_13);
      t_3_1_14 = fma(t99_shared_1_9, vt_shared_1_9, t_3_1_14);
      t_3_1_15 = fma(t99_shared_1_13, vt_shared_1_5, t_3_1_15);
      t_3_1_16 = fma(t99_shared_1_13, vt_shared_1_6, t_3_1_16);
      t_3_1_17 = fma(t99_shared_1_13, vt_shared_1_7, t_3_1_17);
      t_3_1_18 = fma(t99_shared_1_13, vt_shared_1_8, t_3_1_18);
      t_3_1_19 = fma(t99_shared_1_13, vt_shared_1_9, t_3_1_19);
      t_3_1_0 = fma(t99_shared_1_2, vt_shared_1_10, t_3_1_0);
      t_3_1_1 = fma(t99_shared_1_2, vt_shared_1_11, t_3_1_1);
      t_3_1_2 = fma(t99_shared_1_2, vt_shared_1_12, t_3_1_2);
      t_3_1_3 = fma(t99_shared_1_2, vt_shared_1_13, t_3_1_3);
      t_3_1_4 = fma(t99_shared_1_2, vt_shared_1_14, t_3_1_4);
      t_3_1_5 = fma(t99_shared_1_6, vt_shared_1_10, t_3_1_5);
      t_3_1_6 = fma(t99_shared_1_6, vt_shared_1_11, t_3_1_6);
      t_3_1_7 = fma(t99_shared_1_6, vt_shared_1_12, t_3_1_7);
      t_3_1_8 = fma(t99_shared_1_6, vt_shared_1_13, t_3_1_8);
      t_3_1_9 = fma(t99_shared_1_6, vt_shared_1_14, t_3_1_9);
      t_3_1_10 = fma(t99_shared_1_10, vt_shared_1_10, t_3_1_10);
      t_3_1_11 = fma(t99_shared_1_10, vt_shared_1_11, t_3_1_11);
      t_3_1_12 = fma(t99_shared_1_10, vt_shared_1_12, t_3_1_12);
      t_3_1_13 = fma(t99_shared_1_10, vt_shared_1_13, t_3_1_13);
      t_3_1_14 = fma(t99_shared_1_10, vt_shared_1_14, t_3_1_14);
      t_3_1_15 = fma(t99_shared_1_14, vt_shared_1_10, t_3_1_15);
      t_3_1_16 = fma(t99_shared_1_14, vt_shared_1_11, t_3_1_16);
      t_3_1_17 = fma(t99_shared_1_14, vt_shared_1_12, t_3_1_17);
      t_3_1_18 = fma(t99_shared_1_14, vt_shared_1_13, t_3_1_18);
      t_3_1_19 = fma(t99_shared_1_14, vt_shared_1_14, t_3_1_19);
      t_3_1_0 = fma(t99_shared_1_3, vt_shared_1_15, t_3_1_0);
      t_3_1_1 = fma(t99_shared_1_3, vt_shared_1_16, t_3_1_1);
      t_3_1_2 = fma(t99_shared_1_3, vt_shared_1_17, t_3_1_2);
      t_3_1_3 = fma(t99_shared_1_3, vt_shared_1_18, t_3_1_3);
      t_3_1_4 = fma(t99_shared_1_3, vt_shared_1_19, t_3_1_4);
      t_3_1_5 = fma(t99_shared_1_7, vt_shared_1_15, t_3_1_5);
      t_3_1_6 = fma(t99_shared_1_7, vt_shared_1_16, t_3_1_6);
      t_3_1_7 = fma(t99_shared_1_7, vt_shared_1_17, t_3_1_7);
      t_3_1_8 = fma(t99_shared_1_7, vt_shared_1_18, t_3_1_8);
      t_3_1_9 = fma(t99_shared_1_7, vt_shared_1_19, t_3_1_9);
      t_3_1_10 = fma(t99_shared_1_11, vt_shared_1_15, t_3_1_10);
      t_3_1_11 = fma(t99_shared_1_11, vt_shared_1_16, t_3_1_11);
      t_3_1_12 = fma(t99_shared_1_11, vt_shared_1_17, t_3_1_12);
      t_3_1_13 = fma(t99_shared_1_11, vt_shared_1_18, t_3_1_13);
      t_3_1_14 = fma(t99_shared_1_11, vt_shared_1_19, t_3_1_14);
      t_3_1_15 = fma(t99_shared_1_15, vt_shared_1_15, t_3_1_15);
      t_3_1_16 = fma(t99_shared_1_15, vt_shared_1_16, t_3_1_16);
      t_3_1_17 = fma(t99_shared_1_15, vt_shared_1_17, t_3_1_17);
      t_3_1_18 = fma(t99_shared_1_15, vt_shared_1_18, t_3_1_18);
      t_3_1_19 = fma(t99_shared_1_15, vt_shared_1_19, t_3_1_19);
    }
    m_0 = t_1_1_0; l_0 = t_2_1_0 + t_6_0; m_1 = t_1_1_1; l_1 = t_2_1_1 + t_6_1; m_2 = t_1_1_2;
    l_2 = t_2_1_2 + t_6_2; m_3 = t_1_1_3; l_3 = t_2_1_3 + t_6_3; acc_0 = t_3_1_0; acc_1 = t_3_1_1;
    acc_2 = t_3_1_2; acc_3 = t_3_1_3; acc_4 = t_3_1_4; acc_5 = t_3_1_5; acc_6 = t_3_1_6;
    acc_7 = t_3_1_7; acc_8 = t_3_1_8; acc_9 = t_3_1_9; acc_10 = t_3_1_10; acc_11 = t_3_1_11;
    acc_12 = t_3_1_12; acc_13 = t_3_1_13; acc_14 = t_3_1_14; acc_15 = t_3_1_15; acc_16 = t_3_1_16;
    acc_17 = t_3_1_17; acc_18 = t_3_1_18; acc_19 = t_3_1_19; kt_0 = kt_2_1_0; vt_0 = vt_2_1_0;
    kt_1 = kt_2_1_1; vt_1 = vt_2_1_1; kt_2 = kt_2_1_2; vt_2 = vt_2_1_2; kt_3 = kt_2_1_3;
    vt_3 = vt_2_1_3; kt_4 = kt_2_1_4; vt_4 = vt_2_1_4; kt_5 = kt_2_1_5; vt_5 = vt_2_1_5;
    kt_6 = kt_2_1_6; vt_6 = vt_2_1_6; kt_7 = kt_2_1_7; vt_7 = vt_2_1_7; kt_8 = kt_2_1_8;
    vt_8 = vt_2_1_8; kt_9 = kt_2_1_9; vt_9 = vt_2_1_9; kt_10 = kt_2_1_10; vt_10 = vt_2_1_10;
    kt_11 = kt_2_1_11; vt_11 = vt_2_1_11; kt_12 = kt_2_1_12; vt_12 = vt_2_1_12; kt_13 = kt_2_1_13;
    vt_13 = vt_2_1_13; kt_14 = kt_2_1_14; vt_14 = vt_2_1_14; kt_15 = kt_2_1_15; vt_15 = vt_2_1_15;
    kt_16 = kt_2_1_16; vt_16 = vt_2_1_16; kt_17 = kt_2_1_17; vt_17 = vt_2_1_17; kt_18 = kt_2_1_18;
    vt_18 = vt_2_1_18; kt_19 = kt_2_1_19; vt_19 = vt_2_1_19; kt_20 = kt_2_1_20; vt_20 = vt_2_1_20;
    kt_21 = kt_2_1_21; vt_21 = vt_2_1_21; kt_22 = kt_2_1_22; vt_22 = vt_2_1_22; kt_23 = kt_2_1_23;
    vt_23 = vt_2_1_23; kt_24 = kt_2_1_24; vt_24 = vt_2_1_24; kt_25 = kt_2_1_25; vt_25 = vt_2_1_25;
    kt_26 = kt_2_1_26; vt_26 = vt_2_1_26; kt_27 = kt_2_1_27; vt_27 = vt_2_1_27; kt_28 = kt_2_1_28;
    vt_28 = vt_2_1_28; kt_29 = kt_2_1_29; vt_29 = vt_2_1_29; kt_30 = kt_2_1_30; vt_30 = vt_2_1_30;
    kt_31 = kt_2_1_31; vt_31 = vt_2_1_31; kt_32 = kt_2_1_32; vt_32 = vt_2_1_32; kt_33 = kt_2_1_33;
    vt_33 = vt_2_1_33; kt_34 = kt_2_1_34; vt_34 = vt_2_1_34; kt_35 = kt_2_1_35; vt_35 = vt_2_1_35;
    kt_36 = kt_2_1_36; vt_36 = vt_2_1_36; kt_37 = kt_2_1_37; vt_37 = vt_2_1_37; kt_38 = kt_2_1_38;
    vt_38 = vt_2_1_38; kt_39 = kt_2_1_39; vt_39 = vt_2_1_39;
  }
  var t_7_0: f32; var t_7_1: f32; var t_7_2: f32; var t_7_3: f32;
  t_7_0 = 1.0f / tw_max(l_0, 1e-30f); t_7_1 = 1.0f / tw_max(l_1, 1e-30f);
  t_7_2 = 1.0f / tw_max(l_2, 1e-30f); t_7_3 = 1.0f / tw_max(l_3, 1e-30f);
  let t_DV: i32 = (thread >> 5u) * 8 + (thread & 7);
  let o_at: i32 = t48_convert_at * stride_1 + t_DV;
  let o_at_1: i32 = pid2 * stride + m0 * stride_1 + pid0 * 80 + o_at;
  let o_in: bool = (pid2 < launch.B) & (pid0 < launch.HQ);
  let position_1: i32 = m0 + t48_convert_at;
  let o_tile: u32 = tw_f32_to_bf16(acc_0 * t_7_0);
  if (o_in & (u32(position_1) < u32(launch.L))) {
    let shift = (u32(o_at_1) & 1u) * 16u;
    atomicAnd(&o[o_at_1 >> 1u], ~(0xffffu << shift));
    atomicOr(&o[o_at_1 >> 1u], o_tile << shift);
  }
  let o_tile_1: u32 = tw_f32_to_bf16(acc_1 * t_7_0);
  if (o_in & (u32(position_1) < u32(launch.L))) {
    let shift = (u32(o_at_1 + 16) & 1u) * 16u;
    atomicAnd(&o[(o_at_1 + 16) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_at_1 + 16) >> 1u], o_tile_1 << shift);
  }
  let o_tile_2: u32 = tw_f32_to_bf16(acc_2 * t_7_0);
  if (o_in & (u32(position_1) < u32(launch.L))) {
    let shift = (u32(o_at_1 + 32) & 1u) * 16u;
    atomicAnd(&o[(o_at_1 + 32) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_at_1 + 32) >> 1u], o_tile_2 << shift);
  }
  let o_tile_3: u32 = tw_f32_to_bf16(acc_3 * t_7_0);
  if (o_in & (u32(position_1) < u32(launch.L))) {
    let shift = (u32(o_at_1 + 48) & 1u) * 16u;
    atomicAnd(&o[(o_at_1 + 48) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_at_1 + 48) >> 1u], o_tile_3 << shift);
  }
  let o_tile_4: u32 = tw_f32_to_bf16(acc_4 * t_7_0);
  if (o_in & (u32(position_1) < u32(launch.L))) {
    let shift = (u32(o_at_1 + 64) & 1u) * 16u;
    atomicAnd(&o[(o_at_1 + 64) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_at_1 + 64) >> 1u], o_tile_4 << shift);
  }
  let o_tile_5: u32 = tw_f32_to_bf16(acc_5 * t_7_1);
  if (o_in & (u32(position_1 + 4) < u32(launch.L))) {
    let o_tile_5_at = o_at_1 + stride_1 * 4;
    let shift = (u32(o_tile_5_at) & 1u) * 16u;
    atomicAnd(&o[o_tile_5_at >> 1u], ~(0xffffu << shift));
    atomicOr(&o[o_tile_5_at >> 1u], o_tile_5 << shift);
  }
  let o_tile_6: u32 = tw_f32_to_bf16(acc_6 * t_7_1);
  if (o_in & (u32(position_1 + 4) < u32(launch.L))) {
    let o_tile_6_at = o_at_1 + stride_1 * 4;
    let shift = (u32(o_tile_6_at + 16) & 1u) * 16u;
    atomicAnd(&o[(o_tile_6_at + 16) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_6_at + 16) >> 1u], o_tile_6 << shift);
  }
  let o_tile_7: u32 = tw_f32_to_bf16(acc_7 * t_7_1);
  if (o_in & (u32(position_1 + 4) < u32(launch.L))) {
    let o_tile_7_at = o_at_1 + stride_1 * 4;
    let shift = (u32(o_tile_7_at + 32) & 1u) * 16u;
    atomicAnd(&o[(o_tile_7_at + 32) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_7_at + 32) >> 1u], o_tile_7 << shift);
  }
  let o_tile_8: u32 = tw_f32_to_bf16(acc_8 * t_7_1);
  if (o_in & (u32(position_1 + 4) < u32(launch.L))) {
    let o_tile_8_at = o_at_1 + stride_1 * 4;
    let shift = (u32(o_tile_8_at + 48) & 1u) * 16u;
    atomicAnd(&o[(o_tile_8_at + 48) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_8_at + 48) >> 1u], o_tile_8 << shift);
  }
  let o_tile_9: u32 = tw_f32_to_bf16(acc_9 * t_7_1);
  if (o_in & (u32(position_1 + 4) < u32(launch.L))) {
    let o_tile_9_at = o_at_1 + stride_1 * 4;
    let shift = (u32(o_tile_9_at + 64) & 1u) * 16u;
    atomicAnd(&o[(o_tile_9_at + 64) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_9_at + 64) >> 1u], o_tile_9 << shift);
  }
  let o_tile_10: u32 = tw_f32_to_bf16(acc_10 * t_7_2);
  if (o_in & (u32(position_1 + 8) < u32(launch.L))) {
    let o_tile_10_at = o_at_1 + stride_1 * 8;
    let shift = (u32(o_tile_10_at) & 1u) * 16u;
    atomicAnd(&o[o_tile_10_at >> 1u], ~(0xffffu << shift));
    atomicOr(&o[o_tile_10_at >> 1u], o_tile_10 << shift);
  }
  let o_tile_11: u32 = tw_f32_to_bf16(acc_11 * t_7_2);
  if (o_in & (u32(position_1 + 8) < u32(launch.L))) {
    let o_tile_11_at = o_at_1 + stride_1 * 8;
    let shift = (u32(o_tile_11_at + 16) & 1u) * 16u;
    atomicAnd(&o[(o_tile_11_at + 16) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_11_at + 16) >> 1u], o_tile_11 << shift);
  }
  let o_tile_12: u32 = tw_f32_to_bf16(acc_12 * t_7_2);
  if (o_in & (u32(position_1 + 8) < u32(launch.L))) {
    let o_tile_12_at = o_at_1 + stride_1 * 8;
    let shift = (u32(o_tile_12_at + 32) & 1u) * 16u;
    atomicAnd(&o[(o_tile_12_at + 32) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_12_at + 32) >> 1u], o_tile_12 << shift);
  }
  let o_tile_13: u32 = tw_f32_to_bf16(acc_13 * t_7_2);
  if (o_in & (u32(position_1 + 8) < u32(launch.L))) {
    let o_tile_13_at = o_at_1 + stride_1 * 8;
    let shift = (u32(o_tile_13_at + 48) & 1u) * 16u;
    atomicAnd(&o[(o_tile_13_at + 48) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_13_at + 48) >> 1u], o_tile_13 << shift);
  }
  let o_tile_14: u32 = tw_f32_to_bf16(acc_14 * t_7_2);
  if (o_in & (u32(position_1 + 8) < u32(launch.L))) {
    let o_tile_14_at = o_at_1 + stride_1 * 8;
    let shift = (u32(o_tile_14_at + 64) & 1u) * 16u;
    atomicAnd(&o[(o_tile_14_at + 64) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_14_at + 64) >> 1u], o_tile_14 << shift);
  }
  let o_tile_15: u32 = tw_f32_to_bf16(acc_15 * t_7_3);
  if (o_in & (u32(position_1 + 12) < u32(launch.L))) {
    let o_tile_15_at = o_at_1 + stride_1 * 12;
    let shift = (u32(o_tile_15_at) & 1u) * 16u;
    atomicAnd(&o[o_tile_15_at >> 1u], ~(0xffffu << shift));
    atomicOr(&o[o_tile_15_at >> 1u], o_tile_15 << shift);
  }
  let o_tile_16: u32 = tw_f32_to_bf16(acc_16 * t_7_3);
  if (o_in & (u32(position_1 + 12) < u32(launch.L))) {
    let o_tile_16_at = o_at_1 + stride_1 * 12;
    let shift = (u32(o_tile_16_at + 16) & 1u) * 16u;
    atomicAnd(&o[(o_tile_16_at + 16) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_16_at + 16) >> 1u], o_tile_16 << shift);
  }
  let o_tile_17: u32 = tw_f32_to_bf16(acc_17 * t_7_3);
  if (o_in & (u32(position_1 + 12) < u32(launch.L))) {
    let o_tile_17_at = o_at_1 + stride_1 * 12;
    let shift = (u32(o_tile_17_at + 32) & 1u) * 16u;
    atomicAnd(&o[(o_tile_17_at + 32) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_17_at + 32) >> 1u], o_tile_17 << shift);
  }
  let o_tile_18: u32 = tw_f32_to_bf16(acc_18 * t_7_3);
  if (o_in & (u32(position_1 + 12) < u32(launch.L))) {
    let o_tile_18_at = o_at_1 + stride_1 * 12;
    let shift = (u32(o_tile_18_at + 48) & 1u) * 16u;
    atomicAnd(&o[(o_tile_18_at + 48) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_18_at + 48) >> 1u], o_tile_18 << shift);
  }
  let o_tile_19: u32 = tw_f32_to_bf16(acc_19 * t_7_3);
  if (o_in & (u32(position_1 + 12) < u32(launch.L))) {
    let o_tile_19_at = o_at_1 + stride_1 * 12;
    let shift = (u32(o_tile_19_at + 64) & 1u) * 16u;
    atomicAnd(&o[(o_tile_19_at + 64) >> 1u], ~(0xffffu << shift));
    atomicOr(&o[(o_tile_19_at + 64) >> 1u], o_tile_19 << shift);
  }
}
