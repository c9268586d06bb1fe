// mla_expand for wgsl, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 WIDTH=64
// dims divisible: R%16 WR%16 NY%16
// 64 threads, 11504 bytes of shared memory
//       0 … 9200: b_shared f32[2300]
//    9216 … 11504: a_shared f32[572]

struct TwLaunch {
  programs: vec4<u32>,
  C: i32,
  R: i32,
  HW: i32,
  WR: i32,
  H: i32,
  NY: i32,
  firstHead: i32,
  first: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> b_shared: array<vec4<f32>, 575>;
var<workgroup> a_shared: array<vec4<f32>, 143>;

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

@compute @workgroup_size(64)
fn mla_expand(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let h: i32 = tw_floormod_i32(pid0, launch.H);
  let n0: i32 = tw_floordiv_i32(pid0, launch.H) * 64;
  let t: i32 = pid1 * 16;
  let t_1: i32 = launch.firstHead + h;
  let t_2: i32 = launch.first + n0;
  let more: bool = 0 < launch.R;
  var a_0: u32; var a_1: u32; var a_2: u32; var a_3: u32; var a_4: u32; var a_5: u32; var a_6: u32;
  var a_7: u32;
  var b_0: u32; var b_1: u32; var b_2: u32; var b_3: u32; var b_4: u32; var b_5: u32; var b_6: u32;
  var b_7: u32; var b_8: u32; var b_9: u32; var b_10: u32; var b_11: u32; var b_12: u32;
  var b_13: u32; var b_14: u32; var b_15: u32; var b_16: u32; var b_17: u32; var b_18: u32;
  var b_19: u32; var b_20: u32; var b_21: u32; var b_22: u32; var b_23: u32; var b_24: u32;
  var b_25: u32; var b_26: u32; var b_27: u32; var b_28: u32; var b_29: u32; var b_30: u32;
  var b_31: u32;
  let t_BM: i32 = thread >> 2u;
  let left: i32 = launch.C - t;
  let t_BK: i32 = (thread & 3) * 8;
  let x_at: i32 = t_BM * launch.R + t_BK;
  let x_at_1: i32 = t * launch.R + x_at;
  let stride: i32 = launch.R * launch.WR;
  let position: i32 = t_2 + t_BM;
  if (more) {
    let x_in: bool = (t_BM < left) & (t_BK < launch.R);
    var a_1_1_0: u32; var a_1_1_1: u32; var a_1_1_2: u32; var a_1_1_3: u32; var a_1_1_4: u32;
    var a_1_1_5: u32; var a_1_1_6: u32; var a_1_1_7: u32;
    let a_1_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 3u, x_in)], x_in);
    a_1_1_0 = a_1_word.x & 0xffffu; a_1_1_1 = a_1_word.x >> 16u; a_1_1_2 = a_1_word.y & 0xffffu;
    a_1_1_3 = a_1_word.y >> 16u; a_1_1_4 = a_1_word.z & 0xffffu; a_1_1_5 = a_1_word.z >> 16u;
    a_1_1_6 = a_1_word.w & 0xffffu; a_1_1_7 = a_1_word.w >> 16u;
    let w_at: i32 = t_2 * launch.R + t_1 * stride + x_at;
    let w_in: bool = (u32(t_1) < u32(launch.HW)) & (t_BK < launch.R);
    var b_1_1_0: u32; var b_1_1_1: u32; var b_1_1_2: u32; var b_1_1_3: u32; var b_1_1_4: u32;
    var b_1_1_5: u32; var b_1_1_6: u32; var b_1_1_7: u32; var b_1_1_8: u32; var b_1_1_9: u32;
    var b_1_1_10: u32; var b_1_1_11: u32; var b_1_1_12: u32; var b_1_1_13: u32; var b_1_1_14: u32;
    var b_1_1_15: u32; var b_1_1_16: u32; var b_1_1_17: u32; var b_1_1_18: u32; var b_1_1_19: u32;
    var b_1_1_20: u32; var b_1_1_21: u32; var b_1_1_22: u32; var b_1_1_23: u32; var b_1_1_24: u32;
    var b_1_1_25: u32; var b_1_1_26: u32; var b_1_1_27: u32; var b_1_1_28: u32; var b_1_1_29: u32;
    var b_1_1_30: u32; var b_1_1_31: u32;
    let b_1_in = w_in & (u32(position) < u32(launch.WR));
    let b_1_word = select(vec4<u32>(0u), w[select(0, w_at >> 3u, b_1_in)], b_1_in);
    b_1_1_0 = b_1_word.x & 0xffffu; b_1_1_1 = b_1_word.x >> 16u; b_1_1_2 = b_1_word.y & 0xffffu;
    b_1_1_3 = b_1_word.y >> 16u; b_1_1_4 = b_1_word.z & 0xffffu; b_1_1_5 = b_1_word.z >> 16u;
    b_1_1_6 = b_1_word.w & 0xffffu; b_1_1_7 = b_1_word.w >> 16u;
    let b_1_in_1 = w_in & (u32(position + 16) < u32(launch.WR));
    let b_1_word_1 = select(
        vec4<u32>(0u), w[select(0, (w_at + launch.R * 16) >> 3u, b_1_in_1)], b_1_in_1);
    b_1_1_8 = b_1_word_1.x & 0xffffu; b_1_1_9 = b_1_word_1.x >> 16u;
    b_1_1_10 = b_1_word_1.y & 0xffffu; b_1_1_11 = b_1_word_1.y >> 16u;
    b_1_1_12 = b_1_word_1.z & 0xffffu; b_1_1_13 = b_1_word_1.z >> 16u;
    b_1_1_14 = b_1_word_1.w & 0xffffu; b_1_1_15 = b_1_word_1.w >> 16u;
    let b_1_in_2 = w_in & (u32(position + 32) < u32(launch.WR));
    let b_1_word_2 = select(
        vec4<u32>(0u), w[select(0, (w_at + launch.R * 32) >> 3u, b_1_in_2)], b_1_in_2);
    b_1_1_16 = b_1_word_2.x & 0xffffu; b_1_1_17 = b_1_word_2.x >> 16u;
    b_1_1_18 = b_1_word_2.y & 0xffffu; b_1_1_19 = b_1_word_2.y >> 16u;
    b_1_1_20 = b_1_word_2.z & 0xffffu; b_1_1_21 = b_1_word_2.z >> 16u;
    b_1_1_22 = b_1_word_2.w & 0xffffu; b_1_1_23 = b_1_word_2.w >> 16u;
    let b_1_in_3 = w_in & (u32(position + 48) < u32(launch.WR));
    let b_1_word_3 = select(
        vec4<u32>(0u), w[select(0, (w_at + launch.R * 48) >> 3u, b_1_in_3)], b_1_in_3);
    b_1_1_24 = b_1_word_3.x & 0xffffu; b_1_1_25 = b_1_word_3.x >> 16u;
    b_1_1_26 = b_1_word_3.y & 0xffffu; b_1_1_27 = b_1_word_3.y >> 16u;
    b_1_1_28 = b_1_word_3.z & 0xffffu; b_1_1_29 = b_1_word_3.z >> 16u;
    b_1_1_30 = b_1_word_3.w & 0xffffu; b_1_1_31 = b_1_word_3.w >> 16u;
    a_0 = a_1_1_0; a_1 = a_1_1_1; a_2 = a_1_1_2; a_3 = a_1_1_3; a_4 = a_1_1_4; a_5 = a_1_1_5;
    a_6 = a_1_1_6; a_7 = a_1_1_7; b_0 = b_1_1_0; b_1 = b_1_1_1; b_2 = b_1_1_2; b_3 = b_1_1_3;
    b_4 = b_1_1_4; b_5 = b_1_1_5; b_6 = b_1_1_6; b_7 = b_1_1_7; b_8 = b_1_1_8; b_9 = b_1_1_9;
    b_10 = b_1_1_10; b_11 = b_1_1_11; b_12 = b_1_1_12; b_13 = b_1_1_13; b_14 = b_1_1_14;
    b_15 = b_1_1_15; b_16 = b_1_1_16; b_17 = b_1_1_17; b_18 = b_1_1_18; b_19 = b_1_1_19;
    b_20 = b_1_1_20; b_21 = b_1_1_21; b_22 = b_1_1_22; b_23 = b_1_1_23; b_24 = b_1_1_24;
    b_25 = b_1_1_25; b_26 = b_1_1_26; b_27 = b_1_1_27; b_28 = b_1_1_28; b_29 = b_1_1_29;
    b_30 = b_1_1_30; b_31 = b_1_1_31;
  } else {
    a_0 = 0u; a_1 = 0u; a_2 = 0u; a_3 = 0u; a_4 = 0u; a_5 = 0u; a_6 = 0u; a_7 = 0u; b_0 = 0u;
    b_1 = 0u; b_2 = 0u; b_3 = 0u; b_4 = 0u; b_5 = 0u; b_6 = 0u; b_7 = 0u; b_8 = 0u; b_9 = 0u;
    b_10 = 0u; b_11 = 0u; b_12 = 0u; b_13 = 0u; b_14 = 0u; b_15 = 0u; b_16 = 0u; b_17 = 0u;
    b_18 = 0u; b_19 = 0u; b_20 = 0u; b_21 = 0u; b_22 = 0u; b_23 = 0u; b_24 = 0u; b_25 = 0u;
    b_26 = 0u; b_27 = 0u; b_28 = 0u; b_29 = 0u; b_30 = 0u; b_31 = 0u;
  }
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
  let x_in_1: bool = t_BM < left;
  let w_at_1: i32 = t_1 * stride + t_2 * launch.R + x_at;
  let w_in_1: bool = u32(t_1) < u32(launch.HW);
  let a_shared_at: i32 = (thread & 3) * 8 + (thread >> 2u) * 36;
  let a_shared_at_1: i32 = ((thread >> 3u) & 3) * 36;
  let b_shared_at: i32 = (thread & 7) * 144 + (thread >> 5u) * 1152;
  for (var r_1: i32 = 0; r_1 < launch.R; r_1 += 32) {
    let r_2: i32 = r_1 + 32;
    let more_1: bool = r_2 < launch.R;
    var a_2_1_0: u32; var a_2_1_1: u32; var a_2_1_2: u32; var a_2_1_3: u32; var a_2_1_4: u32;
    var a_2_1_5: u32; var a_2_1_6: u32; var a_2_1_7: u32;
    var b_2_1_0: u32; var b_2_1_1: u32; var b_2_1_2: u32; var b_2_1_3: u32; var b_2_1_4: u32;
    var b_2_1_5: u32; var b_2_1_6: u32; var b_2_1_7: u32; var b_2_1_8: u32; var b_2_1_9: u32;
    var b_2_1_10: u32; var b_2_1_11: u32; var b_2_1_12: u32; var b_2_1_13: u32; var b_2_1_14: u32;
    var b_2_1_15: u32; var b_2_1_16: u32; var b_2_1_17: u32; var b_2_1_18: u32; var b_2_1_19: u32;
    var b_2_1_20: u32; var b_2_1_21: u32; var b_2_1_22: u32; var b_2_1_23: u32; var b_2_1_24: u32;
    var b_2_1_25: u32; var b_2_1_26: u32; var b_2_1_27: u32; var b_2_1_28: u32; var b_2_1_29: u32;
    var b_2_1_30: u32; var b_2_1_31: u32;
    if (more_1) {
      let left_1: i32 = launch.R - r_2;
      let x_at_2: i32 = x_at_1 + r_2;
      let x_in_2: bool = x_in_1 & (t_BK < left_1);
      var a_3_1_0: u32; var a_3_1_1: u32; var a_3_1_2: u32; var a_3_1_3: u32; var a_3_1_4: u32;
      var a_3_1_5: u32; var a_3_1_6: u32; var a_3_1_7: u32;
      let a_3_word = select(vec4<u32>(0u), x[select(0, x_at_2 >> 3u, x_in_2)], x_in_2);
      a_3_1_0 = a_3_word.x & 0xffffu; a_3_1_1 = a_3_word.x >> 16u; a_3_1_2 = a_3_word.y & 0xffffu;
      a_3_1_3 = a_3_word.y >> 16u; a_3_1_4 = a_3_word.z & 0xffffu; a_3_1_5 = a_3_word.z >> 16u;
      a_3_1_6 = a_3_word.w & 0xffffu; a_3_1_7 = a_3_word.w >> 16u;
      let w_at_2: i32 = w_at_1 + r_2;
      let w_in_2: bool = w_in_1 & (t_BK < left_1);
      var b_3_1_0: u32; var b_3_1_1: u32; var b_3_1_2: u32; var b_3_1_3: u32; var b_3_1_4: u32;
      var b_3_1_5: u32; var b_3_1_6: u32; var b_3_1_7: u32; var b_3_1_8: u32; var b_3_1_9: u32;
      var b_3_1_10: u32; var b_3_1_11: u32; var b_3_1_12: u32; var b_3_1_13: u32; var b_3_1_14: u32;
      var b_3_1_15: u32; var b_3_1_16: u32; var b_3_1_17: u32; var b_3_1_18: u32; var b_3_1_19: u32;
      var b_3_1_20: u32; var b_3_1_21: u32; var b_3_1_22: u32; var b_3_1_23: u32; var b_3_1_24: u32;
      var b_3_1_25: u32; var b_3_1_26: u32; var b_3_1_27: u32; var b_3_1_28: u32; var b_3_1_29: u32;
      var b_3_1_30: u32; var b_3_1_31: u32;
      let b_3_in = w_in_2 & (u32(position) < u32(launch.WR));
      let b_3_word = select(vec4<u32>(0u), w[select(0, w_at_2 >> 3u, b_3_in)], b_3_in);
      b_3_1_0 = b_3_word.x & 0xffffu; b_3_1_1 = b_3_word.x >> 16u; b_3_1_2 = b_3_word.y & 0xffffu;
      b_3_1_3 = b_3_word.y >> 16u; b_3_1_4 = b_3_word.z & 0xffffu; b_3_1_5 = b_3_word.z >> 16u;
      b_3_1_6 = b_3_word.w & 0xffffu; b_3_1_7 = b_3_word.w >> 16u;
      let b_3_in_1 = w_in_2 & (u32(position + 16) < u32(launch.WR));
      let b_3_word_1 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + launch.R * 16) >> 3u, b_3_in_1)], b_3_in_1);
      b_3_1_8 = b_3_word_1.x & 0xffffu; b_3_1_9 = b_3_word_1.x >> 16u;
      b_3_1_10 = b_3_word_1.y & 0xffffu; b_3_1_11 = b_3_word_1.y >> 16u;
      b_3_1_12 = b_3_word_1.z & 0xffffu; b_3_1_13 = b_3_word_1.z >> 16u;
      b_3_1_14 = b_3_word_1.w & 0xffffu; b_3_1_15 = b_3_word_1.w >> 16u;
      let b_3_in_2 = w_in_2 & (u32(position + 32) < u32(launch.WR));
      let b_3_word_2 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + launch.R * 32) >> 3u, b_3_in_2)], b_3_in_2);
      b_3_1_16 = b_3_word_2.x & 0xffffu; b_3_1_17 = b_3_word_2.x >> 16u;
      b_3_1_18 = b_3_word_2.y & 0xffffu; b_3_1_19 = b_3_word_2.y >> 16u;
      b_3_1_20 = b_3_word_2.z & 0xffffu; b_3_1_21 = b_3_word_2.z >> 16u;
      b_3_1_22 = b_3_word_2.w & 0xffffu; b_3_1_23 = b_3_word_2.w >> 16u;
      let b_3_in_3 = w_in_2 & (u32(position + 48) < u32(launch.WR));
      let b_3_word_3 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + launch.R * 48) >> 3u, b_3_in_3)], b_3_in_3);
      b_3_1_24 = b_3_word_3.x & 0xffffu; b_3_1_25 = b_3_word_3.x >> 16u;
      b_3_1_26 = b_3_word_3.y & 0xffffu; b_3_1_27 = b_3_word_3.y >> 16u;
      b_3_1_28 = b_3_word_3.z & 0xffffu; b_3_1_29 = b_3_word_3.z >> 16u;
      b_3_1_30 = b_3_word_3.w & 0xffffu; b_3_1_31 = b_3_word_3.w >> 16u;
      a_2_1_0 = a_3_1_0; a_2_1_1 = a_3_1_1; a_2_1_2 = a_3_1_2; a_2_1_3 = a_3_1_3; a_2_1_4 = a_3_1_4;
      a_2_1_5 = a_3_1_5; a_2_1_6 = a_3_1_6; a_2_1_7 = a_3_1_7; b_2_1_0 = b_3_1_0; b_2_1_1 = b_3_1_1;
      b_2_1_2 = b_3_1_2; b_2_1_3 = b_3_1_3; b_2_1_4 = b_3_1_4; b_2_1_5 = b_3_1_5; b_2_1_6 = b_3_1_6;
      b_2_1_7 = b_3_1_7; b_2_1_8 = b_3_1_8; b_2_1_9 = b_3_1_9; b_2_1_10 = b_3_1_10;
      b_2_1_11 = b_3_1_11; b_2_1_12 = b_3_1_12; b_2_1_13 = b_3_1_13; b_2_1_14 = b_3_1_14;
      b_2_1_15 = b_3_1_15; b_2_1_16 = b_3_1_16; b_2_1_17 = b_3_1_17; b_2_1_18 = b_3_1_18;
      b_2_1_19 = b_3_1_19; b_2_1_20 = b_3_1_20; b_2_1_21 = b_3_1_21; b_2_1_22 = b_3_1_22;
      b_2_1_23 = b_3_1_23; b_2_1_24 = b_3_1_24; b_2_1_25 = b_3_1_25; b_2_1_26 = b_3_1_26;
      b_2_1_27 = b_3_1_27; b_2_1_28 = b_3_1_28; b_2_1_29 = b_3_1_29; b_2_1_30 = b_3_1_30;
      b_2_1_31 = b_3_1_31;
    } else {
      a_2_1_0 = 0u; a_2_1_1 = 0u; a_2_1_2 = 0u; a_2_1_3 = 0u; a_2_1_4 = 0u; a_2_1_5 = 0u;
      a_2_1_6 = 0u; a_2_1_7 = 0u; b_2_1_0 = 0u; b_2_1_1 = 0u; b_2_1_2 = 0u; b_2_1_3 = 0u;
      b_2_1_4 = 0u; b_2_1_5 = 0u; b_2_1_6 = 0u; b_2_1_7 = 0u; b_2_1_8 = 0u; b_2_1_9 = 0u;
      b_2_1_10 = 0u; b_2_1_11 = 0u; b_2_1_12 = 0u; b_2_1_13 = 0u; b_2_1_14 = 0u; b_2_1_15 = 0u;
      b_2_1_16 = 0u; b_2_1_17 = 0u; b_2_1_18 = 0u; b_2_1_19 = 0u; b_2_1_20 = 0u; b_2_1_21 = 0u;
      b_2_1_22 = 0u; b_2_1_23 = 0u; b_2_1_24 = 0u; b_2_1_25 = 0u; b_2_1_26 = 0u; b_2_1_27 = 0u;
      b_2_1_28 = 0u; b_2_1_29 = 0u; b_2_1_30 = 0u; b_2_1_31 = 0u;
    }
    workgroupBarrier();
    var a_4_1_0: f32; var a_4_1_1: f32; var a_4_1_2: f32; var a_4_1_3: f32;
    a_4_1_0 = tw_bf16_to_f32(a_0); a_4_1_1 = tw_bf16_to_f32(a_1); a_4_1_2 = tw_bf16_to_f32(a_2);
    a_4_1_3 = tw_bf16_to_f32(a_3);
    a_shared[a_shared_at >> 2u] = vec4<f32>(a_4_1_0, a_4_1_1, a_4_1_2, a_4_1_3);
    var a_5_1_0: f32; var a_5_1_1: f32; var a_5_1_2: f32; var a_5_1_3: f32;
    a_5_1_0 = tw_bf16_to_f32(a_4); a_5_1_1 = tw_bf16_to_f32(a_5); a_5_1_2 = tw_bf16_to_f32(a_6);
    a_5_1_3 = tw_bf16_to_f32(a_7);
    a_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(a_5_1_0, a_5_1_1, a_5_1_2, a_5_1_3);
    var b_4_1_0: f32; var b_4_1_1: f32; var b_4_1_2: f32; var b_4_1_3: f32;
    b_4_1_0 = tw_bf16_to_f32(b_0); b_4_1_1 = tw_bf16_to_f32(b_1); b_4_1_2 = tw_bf16_to_f32(b_2);
    b_4_1_3 = tw_bf16_to_f32(b_3);
    b_shared[a_shared_at >> 2u] = vec4<f32>(b_4_1_0, b_4_1_1, b_4_1_2, b_4_1_3);
    var b_5_1_0: f32; var b_5_1_1: f32; var b_5_1_2: f32; var b_5_1_3: f32;
    b_5_1_0 = tw_bf16_to_f32(b_4); b_5_1_1 = tw_bf16_to_f32(b_5); b_5_1_2 = tw_bf16_to_f32(b_6);
    b_5_1_3 = tw_bf16_to_f32(b_7);
    b_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(b_5_1_0, b_5_1_1, b_5_1_2, b_5_1_3);
    var b_6_1_0: f32; var b_6_1_1: f32; var b_6_1_2: f32; var b_6_1_3: f32;
    b_6_1_0 = tw_bf16_to_f32(b_8); b_6_1_1 = tw_bf16_to_f32(b_9); b_6_1_2 = tw_bf16_to_f32(b_10);
    b_6_1_3 = tw_bf16_to_f32(b_11);
    b_shared[(a_shared_at + 576) >> 2u] = vec4<f32>(b_6_1_0, b_6_1_1, b_6_1_2, b_6_1_3);
    var b_7_1_0: f32; var b_7_1_1: f32; var b_7_1_2: f32; var b_7_1_3: f32;
    b_7_1_0 = tw_bf16_to_f32(b_12); b_7_1_1 = tw_bf16_to_f32(b_13); b_7_1_2 = tw_bf16_to_f32(b_14);
    b_7_1_3 = tw_bf16_to_f32(b_15);
    b_shared[(a_shared_at + 580) >> 2u] = vec4<f32>(b_7_1_0, b_7_1_1, b_7_1_2, b_7_1_3);
    var b_8_1_0: f32; var b_8_1_1: f32; var b_8_1_2: f32; var b_8_1_3: f32;
    b_8_1_0 = tw_bf16_to_f32(b_16); b_8_1_1 = tw_bf16_to_f32(b_17); b_8_1_2 = tw_bf16_to_f32(b_18);
    b_8_1_3 = tw_bf16_to_f32(b_19);
    b_shared[(a_shared_at + 1152) >> 2u] = vec4<f32>(b_8_1_0, b_8_1_1, b_8_1_2, b_8_1_3);
    var b_9_1_0: f32; var b_9_1_1: f32; var b_9_1_2: f32; var b_9_1_3: f32;
    b_9_1_0 = tw_bf16_to_f32(b_20); b_9_1_1 = tw_bf16_to_f32(b_21); b_9_1_2 = tw_bf16_to_f32(b_22);
    b_9_1_3 = tw_bf16_to_f32(b_23);
    b_shared[(a_shared_at + 1156) >> 2u] = vec4<f32>(b_9_1_0, b_9_1_1, b_9_1_2, b_9_1_3);
    var b_10_1_0: f32; var b_10_1_1: f32; var b_10_1_2: f32; var b_10_1_3: f32;
    b_10_1_0 = tw_bf16_to_f32(b_24); b_10_1_1 = tw_bf16_to_f32(b_25);
    b_10_1_2 = tw_bf16_to_f32(b_26); b_10_1_3 = tw_bf16_to_f32(b_27);
    b_shared[(a_shared_at + 1728) >> 2u] = vec4<f32>(b_10_1_0, b_10_1_1, b_10_1_2, b_10_1_3);
    var b_11_1_0: f32; var b_11_1_1: f32; var b_11_1_2: f32; var b_11_1_3: f32;
    b_11_1_0 = tw_bf16_to_f32(b_28); b_11_1_1 = tw_bf16_to_f32(b_29);
    b_11_1_2 = tw_bf16_to_f32(b_30); b_11_1_3 = tw_bf16_to_f32(b_31);
    b_shared[(a_shared_at + 1732) >> 2u] = vec4<f32>(b_11_1_0, b_11_1_1, b_11_1_2, b_11_1_3);
    workgroupBarrier();
    for (var r: i32 = 0; r < 8; r++) {
      var a_shared_1_0: f32; var a_shared_1_1: f32; var a_shared_1_2: f32; var a_shared_1_3: f32;
      var a_shared_1_4: f32; var a_shared_1_5: f32; var a_shared_1_6: f32; var a_shared_1_7: f32;
      var a_shared_1_8: f32; var a_shared_1_9: f32; var a_shared_1_10: f32; var a_shared_1_11: f32;
      var a_shared_1_12: f32; var a_shared_1_13: f32; var a_shared_1_14: f32;
      var a_shared_1_15: f32;
      var b_shared_1_0: f32; var b_shared_1_1: f32; var b_shared_1_2: f32; var b_shared_1_3: f32;
      var b_shared_1_4: f32; var b_shared_1_5: f32; var b_shared_1_6: f32; var b_shared_1_7: f32;
      var b_shared_1_8: f32; var b_shared_1_9: f32; var b_shared_1_10: f32; var b_shared_1_11: f32;
      var b_shared_1_12: f32; var b_shared_1_13: f32; var b_shared_1_14: f32;
      var b_shared_1_15: f32;
      let a_shared_1_word = a_shared[(a_shared_at_1 + r * 4) >> 2u];
      a_shared_1_0 = a_shared_1_word.x; a_shared_1_1 = a_shared_1_word.y;
      a_shared_1_2 = a_shared_1_word.z; a_shared_1_3 = a_shared_1_word.w;
      let a_shared_1_word_1 = a_shared[(a_shared_at_1 + 144 + r * 4) >> 2u];
      a_shared_1_4 = a_shared_1_word_1.x; a_shared_1_5 = a_shared_1_word_1.y;
      a_shared_1_6 = a_shared_1_word_1.z; a_shared_1_7 = a_shared_1_word_1.w;
      let a_shared_1_word_2 = a_shared[(a_shared_at_1 + 288 + r * 4) >> 2u];
      a_shared_1_8 = a_shared_1_word_2.x; a_shared_1_9 = a_shared_1_word_2.y;
      a_shared_1_10 = a_shared_1_word_2.z; a_shared_1_11 = a_shared_1_word_2.w;
      let a_shared_1_word_3 = a_shared[(a_shared_at_1 + 432 + r * 4) >> 2u];
      a_shared_1_12 = a_shared_1_word_3.x; a_shared_1_13 = a_shared_1_word_3.y;
      a_shared_1_14 = a_shared_1_word_3.z; a_shared_1_15 = a_shared_1_word_3.w;
      let b_shared_1_word = b_shared[(b_shared_at + r * 4) >> 2u];
      b_shared_1_0 = b_shared_1_word.x; b_shared_1_1 = b_shared_1_word.y;
      b_shared_1_2 = b_shared_1_word.z; b_shared_1_3 = b_shared_1_word.w;
      let b_shared_1_word_1 = b_shared[(b_shared_at + 36 + r * 4) >> 2u];
      b_shared_1_4 = b_shared_1_word_1.x; b_shared_1_5 = b_shared_1_word_1.y;
      b_shared_1_6 = b_shared_1_word_1.z; b_shared_1_7 = b_shared_1_word_1.w;
      let b_shared_1_word_2 = b_shared[(b_shared_at + 72 + r * 4) >> 2u];
      b_shared_1_8 = b_shared_1_word_2.x; b_shared_1_9 = b_shared_1_word_2.y;
      b_shared_1_10 = b_shared_1_word_2.z; b_shared_1_11 = b_shared_1_word_2.w;
      let b_shared_1_word_3 = b_shared[(b_shared_at + 108 + r * 4) >> 2u];
      b_shared_1_12 = b_shared_1_word_3.x; b_shared_1_13 = b_shared_1_word_3.y;
      b_shared_1_14 = b_shared_1_word_3.z; b_shared_1_15 = b_shared_1_word_3.w;
      acc_0 = fma(a_shared_1_0, b_shared_1_0, acc_0);
      acc_1 = fma(a_shared_1_0, b_shared_1_4, acc_1);
      acc_2 = fma(a_shared_1_0, b_shared_1_8, acc_2);
      acc_3 = fma(a_shared_1_0, b_shared_1_12, acc_3);
      acc_4 = fma(a_shared_1_4, b_shared_1_0, acc_4);
      acc_5 = fma(a_shared_1_4, b_shared_1_4, acc_5);
      acc_6 = fma(a_shared_1_4, b_shared_1_8, acc_6);
      acc_7 = fma(a_shared_1_4, b_shared_1_12, acc_7);
      acc_8 = fma(a_shared_1_8, b_shared_1_0, acc_8);
      acc_9 = fma(a_shared_1_8, b_shared_1_4, acc_9);
      acc_10 = fma(a_shared_1_8, b_shared_1_8, acc_10);
      acc_11 = fma(a_shared_1_8, b_shared_1_12, acc_11);
      acc_12 = fma(a_shared_1_12, b_shared_1_0, acc_12);
      acc_13 = fma(a_shared_1_12, b_shared_1_4, acc_13);
      acc_14 = fma(a_shared_1_12, b_shared_1_8, acc_14);
      acc_15 = fma(a_shared_1_12, b_shared_1_12, acc_15);
      acc_0 = fma(a_shared_1_1, b_shared_1_1, acc_0);
      acc_1 = fma(a_shared_1_1, b_shared_1_5, acc_1);
      acc_2 = fma(a_shared_1_1, b_shared_1_9, acc_2);
      acc_3 = fma(a_shared_1_1, b_shared_1_13, acc_3);
      acc_4 = fma(a_shared_1_5, b_shared_1_1, acc_4);
      acc_5 = fma(a_shared_1_5, b_shared_1_5, acc_5);
      acc_6 = fma(a_shared_1_5, b_shared_1_9, acc_6);
      acc_7 = fma(a_shared_1_5, b_shared_1_13, acc_7);
      acc_8 = fma(a_shared_1_9, b_shared_1_1, acc_8);
      acc_9 = fma(a_shared_1_9, b_shared_1_5, acc_9);
      acc_10 = fma(a_shared_1_9, b_shared_1_9, acc_10);
      acc_11 = fma(a_shared_1_9, b_shared_1_13, acc_11);
      acc_12 = fma(a_shared_1_13, b_shared_1_1, acc_12);
      acc_13 = fma(a_shared_1_13, b_shared_1_5, acc_13);
      acc_14 = fma(a_shared_1_13, b_shared_1_9, acc_14);
      acc_15 = fma(a_shared_1_13, b_shared_1_13, acc_15);
      acc_0 = fma(a_shared_1_2, b_shared_1_2, acc_0);
      acc_1 = fma(a_shared_1_2, b_shared_1_6, acc_1);
      acc_2 = fma(a_shared_1_2, b_shared_1_10, acc_2);
      acc_3 = fma(a_shared_1_2, b_shared_1_14, acc_3);
      acc_4 = fma(a_shared_1_6, b_shared_1_2, acc_4);
      acc_5 = fma(a_shared_1_6, b_shared_1_6, acc_5);
      acc_6 = fma(a_shared_1_6, b_shared_1_10, acc_6);
      acc_7 = fma(a_shared_1_6, b_shared_1_14, acc_7);
      acc_8 = fma(a_shared_1_10, b_shared_1_2, acc_8);
      acc_9 = fma(a_shared_1_10, b_shared_1_6, acc_9);
      acc_10 = fma(a_shared_1_10, b_shared_1_10, acc_10);
      acc_11 = fma(a_shared_1_10, b_shared_1_14, acc_11);
      acc_12 = fma(a_shared_1_14, b_shared_1_2, acc_12);
      acc_13 = fma(a_shared_1_14, b_shared_1_6, acc_13);
      acc_14 = fma(a_shared_1_14, b_shared_1_10, acc_14);
      acc_15 = fma(a_shared_1_14, b_shared_1_14, acc_15);
      acc_0 = fma(a_shared_1_3, b_shared_1_3, acc_0);
      acc_1 = fma(a_shared_1_3, b_shared_1_7, acc_1);
      acc_2 = fma(a_shared_1_3, b_shared_1_11, acc_2);
      acc_3 = fma(a_shared_1_3, b_shared_1_15, acc_3);
      acc_4 = fma(a_shared_1_7, b_shared_1_3, acc_4);
      acc_5 = fma(a_shared_1_7, b_shared_1_7, acc_5);
      acc_6 = fma(a_shared_1_7, b_shared_1_11, acc_6);
      acc_7 = fma(a_shared_1_7, b_shared_1_15, acc_7);
      acc_8 = fma(a_shared_1_11, b_shared_1_3, acc_8);
      acc_9 = fma(a_shared_1_11, b_shared_1_7, acc_9);
      acc_10 = fma(a_shared_1_11, b_shared_1_11, acc_10);
      acc_11 = fma(a_shared_1_11, b_shared_1_15, acc_11);
      acc_12 = fma(a_shared_1_15, b_shared_1_3, acc_12);
      acc_13 = fma(a_shared_1_15, b_shared_1_7, acc_13);
      acc_14 = fma(a_shared_1_15, b_shared_1_11, acc_14);
      acc_15 = fma(a_shared_1_15, b_shared_1_15, acc_15);
    }
    a_0 = a_2_1_0; a_1 = a_2_1_1; a_2 = a_2_1_2; a_3 = a_2_1_3; a_4 = a_2_1_4; a_5 = a_2_1_5;
    a_6 = a_2_1_6; a_7 = a_2_1_7; b_0 = b_2_1_0; b_1 = b_2_1_1; b_2 = b_2_1_2; b_3 = b_2_1_3;
    b_4 = b_2_1_4; b_5 = b_2_1_5; b_6 = b_2_1_6; b_7 = b_2_1_7; b_8 = b_2_1_8; b_9 = b_2_1_9;
    b_10 = b_2_1_10; b_11 = b_2_1_11; b_12 = b_2_1_12; b_13 = b_2_1_13; b_14 = b_2_1_14;
    b_15 = b_2_1_15; b_16 = b_2_1_16; b_17 = b_2_1_17; b_18 = b_2_1_18; b_19 = b_2_1_19;
    b_20 = b_2_1_20; b_21 = b_2_1_21; b_22 = b_2_1_22; b_23 = b_2_1_23; b_24 = b_2_1_24;
    b_25 = b_2_1_25; b_26 = b_2_1_26; b_27 = b_2_1_27; b_28 = b_2_1_28; b_29 = b_2_1_29;
    b_30 = b_2_1_30; b_31 = b_2_1_31;
  }
  let stride_1: i32 = launch.NY * launch.H;
  let t_BM_1: i32 = (thread >> 3u) & 3;
  let t_BN: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
  let left_2: i32 = launch.NY - n0;
  let y_at: i32 = t_BM_1 * stride_1 + t_BN;
  let y_at_1: i32 = t * stride_1 + h * launch.NY + n0 + y_at;
  let y_in: bool = (h < launch.H) & (t_BN < left_2);
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
  y_tile_0 = tw_f32_to_bf16(acc_0); y_tile_1 = tw_f32_to_bf16(acc_1);
  y_tile_2 = tw_f32_to_bf16(acc_2); y_tile_3 = tw_f32_to_bf16(acc_3);
  if (y_in & (t_BM_1 < left)) {
    y[y_at_1 >> 2u] = vec2<u32>(y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
  }
  var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
  y_tile_1_1_0 = tw_f32_to_bf16(acc_4); y_tile_1_1_1 = tw_f32_to_bf16(acc_5);
  y_tile_1_1_2 = tw_f32_to_bf16(acc_6); y_tile_1_1_3 = tw_f32_to_bf16(acc_7);
  if (y_in & (t_BM_1 + 4 < left)) {
    y[(y_at_1 + stride_1 * 4) >> 2u] = vec2<u32>(
        y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u));
  }
  var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
  y_tile_2_1_0 = tw_f32_to_bf16(acc_8); y_tile_2_1_1 = tw_f32_to_bf16(acc_9);
  y_tile_2_1_2 = tw_f32_to_bf16(acc_10); y_tile_2_1_3 = tw_f32_to_bf16(acc_11);
  if (y_in & (t_BM_1 + 8 < left)) {
    y[(y_at_1 + stride_1 * 8) >> 2u] = vec2<u32>(
        y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u));
  }
  var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
  y_tile_3_1_0 = tw_f32_to_bf16(acc_12); y_tile_3_1_1 = tw_f32_to_bf16(acc_13);
  y_tile_3_1_2 = tw_f32_to_bf16(acc_14); y_tile_3_1_3 = tw_f32_to_bf16(acc_15);
  if (y_in & (t_BM_1 + 12 < left)) {
    y[(y_at_1 + stride_1 * 12) >> 2u] = vec2<u32>(
        y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u));
  }
}
