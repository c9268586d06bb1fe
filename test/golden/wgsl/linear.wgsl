// linear for wgsl, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=64 BN=64 BK=32 stages=3 group=8
// dims divisible: M%2 K%8 N%8
// 128 threads, 18416 bytes of shared memory
//       0 … 9200: a_shared f32[2300]
//    9216 … 18416: b_shared f32[2300]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  K: i32,
  N: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> a_shared: array<vec4<f32>, 575>;
var<workgroup> b_shared: array<vec4<f32>, 575>;

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

@compute @workgroup_size(128)
fn linear(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = ((launch.N + 63) >> 6u) * 8;
  let t_1: i32 = tw_floordiv_i32(pid0, t) * 8;
  let t_2: i32 = min(((launch.M + 63) >> 6u) - t_1, 8);
  let t_3: i32 = tw_floormod_i32(pid0, t);
  let t_4: i32 = (t_1 + tw_floormod_i32(t_3, t_2)) * 64;
  let t_5: i32 = tw_floordiv_i32(t_3, t_2) * 64;
  let more: bool = 0 < launch.K;
  var a_0: u32; var a_1: u32; var a_2: u32; var a_3: u32; var a_4: u32; var a_5: u32; var a_6: u32;
  var a_7: u32; var a_8: u32; var a_9: u32; var a_10: u32; var a_11: u32; var a_12: u32;
  var a_13: u32; var a_14: u32; var a_15: u32;
  var b_0: u32; var b_1: u32; var b_2: u32; var b_3: u32; var b_4: u32; var b_5: u32; var b_6: u32;
  var b_7: u32; var b_8: u32; var b_9: u32; var b_10: u32; var b_11: u32; var b_12: u32;
  var b_13: u32; var b_14: u32; var b_15: u32;
  let t_BM: i32 = thread >> 2u;
  let t_BK: i32 = (thread & 3) * 8;
  let x_at: i32 = t_BM * launch.K + t_BK;
  let x_at_1: i32 = t_4 * launch.K + x_at;
  let position: i32 = t_4 + t_BM;
  let w_at: i32 = t_5 * launch.K + x_at;
  let position_1: i32 = t_5 + t_BM;
  if (more) {
    let x_in: bool = t_BK < launch.K;
    var a_1_1_0: u32; var a_1_1_1: u32; var a_1_1_2: u32; var a_1_1_3: u32; var a_1_1_4: u32;
    var a_1_1_5: u32; var a_1_1_6: u32; var a_1_1_7: u32; var a_1_1_8: u32; var a_1_1_9: u32;
    var a_1_1_10: u32; var a_1_1_11: u32; var a_1_1_12: u32; var a_1_1_13: u32; var a_1_1_14: u32;
    var a_1_1_15: u32;
    let a_1_in = x_in & (u32(position) < u32(launch.M));
    let a_1_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 3u, a_1_in)], a_1_in);
    a_1_1_0 = a_1_word.x & 0xffffu; a_1_1_1 = a_1_word.x >> 16u; a_1_1_2 = a_1_word.y & 0xffffu;
    a_1_1_3 = a_1_word.y >> 16u; a_1_1_4 = a_1_word.z & 0xffffu; a_1_1_5 = a_1_word.z >> 16u;
    a_1_1_6 = a_1_word.w & 0xffffu; a_1_1_7 = a_1_word.w >> 16u;
    let a_1_in_1 = x_in & (u32(position + 32) < u32(launch.M));
    let a_1_word_1 = select(
        vec4<u32>(0u), x[select(0, (x_at_1 + launch.K * 32) >> 3u, a_1_in_1)], a_1_in_1);
    a_1_1_8 = a_1_word_1.x & 0xffffu; a_1_1_9 = a_1_word_1.x >> 16u;
    a_1_1_10 = a_1_word_1.y & 0xffffu; a_1_1_11 = a_1_word_1.y >> 16u;
    a_1_1_12 = a_1_word_1.z & 0xffffu; a_1_1_13 = a_1_word_1.z >> 16u;
    a_1_1_14 = a_1_word_1.w & 0xffffu; a_1_1_15 = a_1_word_1.w >> 16u;
    var b_1_1_0: u32; var b_1_1_1: u32; var b_1_1_2: u32; var b_1_1_3: u32; var b_1_1_4: u32;
    var b_1_1_5: u32; var b_1_1_6: u32; var b_1_1_7: u32; var b_1_1_8: u32; var b_1_1_9: u32;
    var b_1_1_10: u32; var b_1_1_11: u32; var b_1_1_12: u32; var b_1_1_13: u32; var b_1_1_14: u32;
    var b_1_1_15: u32;
    let b_1_in = x_in & (u32(position_1) < u32(launch.N));
    let b_1_word = select(vec4<u32>(0u), w[select(0, w_at >> 3u, b_1_in)], b_1_in);
    b_1_1_0 = b_1_word.x & 0xffffu; b_1_1_1 = b_1_word.x >> 16u; b_1_1_2 = b_1_word.y & 0xffffu;
    b_1_1_3 = b_1_word.y >> 16u; b_1_1_4 = b_1_word.z & 0xffffu; b_1_1_5 = b_1_word.z >> 16u;
    b_1_1_6 = b_1_word.w & 0xffffu; b_1_1_7 = b_1_word.w >> 16u;
    let b_1_in_1 = x_in & (u32(position_1 + 32) < u32(launch.N));
    let b_1_word_1 = select(
        vec4<u32>(0u), w[select(0, (w_at + launch.K * 32) >> 3u, b_1_in_1)], b_1_in_1);
    b_1_1_8 = b_1_word_1.x & 0xffffu; b_1_1_9 = b_1_word_1.x >> 16u;
    b_1_1_10 = b_1_word_1.y & 0xffffu; b_1_1_11 = b_1_word_1.y >> 16u;
    b_1_1_12 = b_1_word_1.z & 0xffffu; b_1_1_13 = b_1_word_1.z >> 16u;
    b_1_1_14 = b_1_word_1.w & 0xffffu; b_1_1_15 = b_1_word_1.w >> 16u;
    a_0 = a_1_1_0; b_0 = b_1_1_0; a_1 = a_1_1_1; b_1 = b_1_1_1; a_2 = a_1_1_2; b_2 = b_1_1_2;
    a_3 = a_1_1_3; b_3 = b_1_1_3; a_4 = a_1_1_4; b_4 = b_1_1_4; a_5 = a_1_1_5; b_5 = b_1_1_5;
    a_6 = a_1_1_6; b_6 = b_1_1_6; a_7 = a_1_1_7; b_7 = b_1_1_7; a_8 = a_1_1_8; b_8 = b_1_1_8;
    a_9 = a_1_1_9; b_9 = b_1_1_9; a_10 = a_1_1_10; b_10 = b_1_1_10; a_11 = a_1_1_11;
    b_11 = b_1_1_11; a_12 = a_1_1_12; b_12 = b_1_1_12; a_13 = a_1_1_13; b_13 = b_1_1_13;
    a_14 = a_1_1_14; b_14 = b_1_1_14; a_15 = a_1_1_15; b_15 = b_1_1_15;
  } else {
    a_0 = 0u; b_0 = 0u; a_1 = 0u; b_1 = 0u; a_2 = 0u; b_2 = 0u; a_3 = 0u; b_3 = 0u; a_4 = 0u;
    b_4 = 0u; a_5 = 0u; b_5 = 0u; a_6 = 0u; b_6 = 0u; a_7 = 0u; b_7 = 0u; a_8 = 0u; b_8 = 0u;
    a_9 = 0u; b_9 = 0u; a_10 = 0u; b_10 = 0u; a_11 = 0u; b_11 = 0u; a_12 = 0u; b_12 = 0u; a_13 = 0u;
    b_13 = 0u; a_14 = 0u; b_14 = 0u; a_15 = 0u; b_15 = 0u;
  }
  let more_1: bool = 32 < launch.K;
  var a_2_1_0: u32; var a_2_1_1: u32; var a_2_1_2: u32; var a_2_1_3: u32; var a_2_1_4: u32;
  var a_2_1_5: u32; var a_2_1_6: u32; var a_2_1_7: u32; var a_2_1_8: u32; var a_2_1_9: u32;
  var a_2_1_10: u32; var a_2_1_11: u32; var a_2_1_12: u32; var a_2_1_13: u32; var a_2_1_14: u32;
  var a_2_1_15: u32;
  var b_2_1_0: u32; var b_2_1_1: u32; var b_2_1_2: u32; var b_2_1_3: u32; var b_2_1_4: u32;
  var b_2_1_5: u32; var b_2_1_6: u32; var b_2_1_7: u32; var b_2_1_8: u32; var b_2_1_9: u32;
  var b_2_1_10: u32; var b_2_1_11: u32; var b_2_1_12: u32; var b_2_1_13: u32; var b_2_1_14: u32;
  var b_2_1_15: u32;
  if (more_1) {
    let left: i32 = launch.K - 32;
    let x_in_1: bool = t_BK < left;
    var a_3_1_0: u32; var a_3_1_1: u32; var a_3_1_2: u32; var a_3_1_3: u32; var a_3_1_4: u32;
    var a_3_1_5: u32; var a_3_1_6: u32; var a_3_1_7: u32; var a_3_1_8: u32; var a_3_1_9: u32;
    var a_3_1_10: u32; var a_3_1_11: u32; var a_3_1_12: u32; var a_3_1_13: u32; var a_3_1_14: u32;
    var a_3_1_15: u32;
    let a_3_in = x_in_1 & (u32(position) < u32(launch.M));
    let a_3_word = select(vec4<u32>(0u), x[select(0, (x_at_1 + 32) >> 3u, a_3_in)], a_3_in);
    a_3_1_0 = a_3_word.x & 0xffffu; a_3_1_1 = a_3_word.x >> 16u; a_3_1_2 = a_3_word.y & 0xffffu;
    a_3_1_3 = a_3_word.y >> 16u; a_3_1_4 = a_3_word.z & 0xffffu; a_3_1_5 = a_3_word.z >> 16u;
    a_3_1_6 = a_3_word.w & 0xffffu; a_3_1_7 = a_3_word.w >> 16u;
    let a_3_in_1 = x_in_1 & (u32(position + 32) < u32(launch.M));
    let a_3_word_1 = select(vec4<u32>(0u), x[select(
        0, (x_at_1 + 32 + launch.K * 32) >> 3u, a_3_in_1)], a_3_in_1);
    a_3_1_8 = a_3_word_1.x & 0xffffu; a_3_1_9 = a_3_word_1.x >> 16u;
    a_3_1_10 = a_3_word_1.y & 0xffffu; a_3_1_11 = a_3_word_1.y >> 16u;
    a_3_1_12 = a_3_word_1.z & 0xffffu; a_3_1_13 = a_3_word_1.z >> 16u;
    a_3_1_14 = a_3_word_1.w & 0xffffu; a_3_1_15 = a_3_word_1.w >> 16u;
    var b_3_1_0: u32; var b_3_1_1: u32; var b_3_1_2: u32; var b_3_1_3: u32; var b_3_1_4: u32;
    var b_3_1_5: u32; var b_3_1_6: u32; var b_3_1_7: u32; var b_3_1_8: u32; var b_3_1_9: u32;
    var b_3_1_10: u32; var b_3_1_11: u32; var b_3_1_12: u32; var b_3_1_13: u32; var b_3_1_14: u32;
    var b_3_1_15: u32;
    let b_3_in = x_in_1 & (u32(position_1) < u32(launch.N));
    let b_3_word = select(vec4<u32>(0u), w[select(0, (w_at + 32) >> 3u, b_3_in)], b_3_in);
    b_3_1_0 = b_3_word.x & 0xffffu; b_3_1_1 = b_3_word.x >> 16u; b_3_1_2 = b_3_word.y & 0xffffu;
    b_3_1_3 = b_3_word.y >> 16u; b_3_1_4 = b_3_word.z & 0xffffu; b_3_1_5 = b_3_word.z >> 16u;
    b_3_1_6 = b_3_word.w & 0xffffu; b_3_1_7 = b_3_word.w >> 16u;
    let b_3_in_1 = x_in_1 & (u32(position_1 + 32) < u32(launch.N));
    let b_3_word_1 = select(
        vec4<u32>(0u), w[select(0, (w_at + 32 + launch.K * 32) >> 3u, b_3_in_1)], b_3_in_1);
    b_3_1_8 = b_3_word_1.x & 0xffffu; b_3_1_9 = b_3_word_1.x >> 16u;
    b_3_1_10 = b_3_word_1.y & 0xffffu; b_3_1_11 = b_3_word_1.y >> 16u;
    b_3_1_12 = b_3_word_1.z & 0xffffu; b_3_1_13 = b_3_word_1.z >> 16u;
    b_3_1_14 = b_3_word_1.w & 0xffffu; b_3_1_15 = b_3_word_1.w >> 16u;
    a_2_1_0 = a_3_1_0; b_2_1_0 = b_3_1_0; a_2_1_1 = a_3_1_1; b_2_1_1 = b_3_1_1; a_2_1_2 = a_3_1_2;
    b_2_1_2 = b_3_1_2; a_2_1_3 = a_3_1_3; b_2_1_3 = b_3_1_3; a_2_1_4 = a_3_1_4; b_2_1_4 = b_3_1_4;
    a_2_1_5 = a_3_1_5; b_2_1_5 = b_3_1_5; a_2_1_6 = a_3_1_6; b_2_1_6 = b_3_1_6; a_2_1_7 = a_3_1_7;
    b_2_1_7 = b_3_1_7; a_2_1_8 = a_3_1_8; b_2_1_8 = b_3_1_8; a_2_1_9 = a_3_1_9; b_2_1_9 = b_3_1_9;
    a_2_1_10 = a_3_1_10; b_2_1_10 = b_3_1_10; a_2_1_11 = a_3_1_11; b_2_1_11 = b_3_1_11;
    a_2_1_12 = a_3_1_12; b_2_1_12 = b_3_1_12; a_2_1_13 = a_3_1_13; b_2_1_13 = b_3_1_13;
    a_2_1_14 = a_3_1_14; b_2_1_14 = b_3_1_14; a_2_1_15 = a_3_1_15; b_2_1_15 = b_3_1_15;
  } else {
    a_2_1_0 = 0u; b_2_1_0 = 0u; a_2_1_1 = 0u; b_2_1_1 = 0u; a_2_1_2 = 0u; b_2_1_2 = 0u;
    a_2_1_3 = 0u; b_2_1_3 = 0u; a_2_1_4 = 0u; b_2_1_4 = 0u; a_2_1_5 = 0u; b_2_1_5 = 0u;
    a_2_1_6 = 0u; b_2_1_6 = 0u; a_2_1_7 = 0u; b_2_1_7 = 0u; a_2_1_8 = 0u; b_2_1_8 = 0u;
    a_2_1_9 = 0u; b_2_1_9 = 0u; a_2_1_10 = 0u; b_2_1_10 = 0u; a_2_1_11 = 0u; b_2_1_11 = 0u;
    a_2_1_12 = 0u; b_2_1_12 = 0u; a_2_1_13 = 0u; b_2_1_13 = 0u; a_2_1_14 = 0u; b_2_1_14 = 0u;
    a_2_1_15 = 0u; b_2_1_15 = 0u;
  }
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32; var acc_16: f32;
  var acc_17: f32; var acc_18: f32; var acc_19: f32; var acc_20: f32; var acc_21: f32;
  var acc_22: f32; var acc_23: f32; var acc_24: f32; var acc_25: f32; var acc_26: f32;
  var acc_27: f32; var acc_28: f32; var acc_29: f32; var acc_30: f32; var acc_31: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f; acc_16 = 0.0f; acc_17 = 0.0f; acc_18 = 0.0f;
  acc_19 = 0.0f; acc_20 = 0.0f; acc_21 = 0.0f; acc_22 = 0.0f; acc_23 = 0.0f; acc_24 = 0.0f;
  acc_25 = 0.0f; acc_26 = 0.0f; acc_27 = 0.0f; acc_28 = 0.0f; acc_29 = 0.0f; acc_30 = 0.0f;
  acc_31 = 0.0f;
  let a_shared_at: i32 = (thread & 3) * 8 + (thread >> 2u) * 36;
  let a_shared_at_1: i32 = ((thread >> 3u) & 7) * 36;
  let b_shared_at: i32 = (thread & 7) * 144 + (thread >> 6u) * 1152;
  for (var k: i32 = 0; k < launch.K; k += 32) {
    let k_1: i32 = k + 64;
    let more_2: bool = k_1 < launch.K;
    var a_4_1_0: u32; var a_4_1_1: u32; var a_4_1_2: u32; var a_4_1_3: u32; var a_4_1_4: u32;
    var a_4_1_5: u32; var a_4_1_6: u32; var a_4_1_7: u32; var a_4_1_8: u32; var a_4_1_9: u32;
    var a_4_1_10: u32; var a_4_1_11: u32; var a_4_1_12: u32; var a_4_1_13: u32; var a_4_1_14: u32;
    var a_4_1_15: u32;
    var b_4_1_0: u32; var b_4_1_1: u32; var b_4_1_2: u32; var b_4_1_3: u32; var b_4_1_4: u32;
    var b_4_1_5: u32; var b_4_1_6: u32; var b_4_1_7: u32; var b_4_1_8: u32; var b_4_1_9: u32;
    var b_4_1_10: u32; var b_4_1_11: u32; var b_4_1_12: u32; var b_4_1_13: u32; var b_4_1_14: u32;
    var b_4_1_15: u32;
    if (more_2) {
      let left_1: i32 = launch.K - k_1;
      let x_at_2: i32 = x_at_1 + k_1;
      let x_in_2: bool = t_BK < left_1;
      var a_5_1_0: u32; var a_5_1_1: u32; var a_5_1_2: u32; var a_5_1_3: u32; var a_5_1_4: u32;
      var a_5_1_5: u32; var a_5_1_6: u32; var a_5_1_7: u32; var a_5_1_8: u32; var a_5_1_9: u32;
      var a_5_1_10: u32; var a_5_1_11: u32; var a_5_1_12: u32; var a_5_1_13: u32; var a_5_1_14: u32;
      var a_5_1_15: u32;
      let a_5_in = x_in_2 & (u32(position) < u32(launch.M));
      let a_5_word = select(vec4<u32>(0u), x[select(0, x_at_2 >> 3u, a_5_in)], a_5_in);
      a_5_1_0 = a_5_word.x & 0xffffu; a_5_1_1 = a_5_word.x >> 16u; a_5_1_2 = a_5_word.y & 0xffffu;
      a_5_1_3 = a_5_word.y >> 16u; a_5_1_4 = a_5_word.z & 0xffffu; a_5_1_5 = a_5_word.z >> 16u;
      a_5_1_6 = a_5_word.w & 0xffffu; a_5_1_7 = a_5_word.w >> 16u;
      let a_5_in_1 = x_in_2 & (u32(position + 32) < u32(launch.M));
      let a_5_word_1 = select(
          vec4<u32>(0u), x[select(0, (x_at_2 + launch.K * 32) >> 3u, a_5_in_1)], a_5_in_1);
      a_5_1_8 = a_5_word_1.x & 0xffffu; a_5_1_9 = a_5_word_1.x >> 16u;
      a_5_1_10 = a_5_word_1.y & 0xffffu; a_5_1_11 = a_5_word_1.y >> 16u;
      a_5_1_12 = a_5_word_1.z & 0xffffu; a_5_1_13 = a_5_word_1.z >> 16u;
      a_5_1_14 = a_5_word_1.w & 0xffffu; a_5_1_15 = a_5_word_1.w >> 16u;
      let w_at_1: i32 = w_at + k_1;
      var b_5_1_0: u32; var b_5_1_1: u32; var b_5_1_2: u32; var b_5_1_3: u32; var b_5_1_4: u32;
      var b_5_1_5: u32; var b_5_1_6: u32; var b_5_1_7: u32; var b_5_1_8: u32; var b_5_1_9: u32;
      var b_5_1_10: u32; var b_5_1_11: u32; var b_5_1_12: u32; var b_5_1_13: u32; var b_5_1_14: u32;
      var b_5_1_15: u32;
      let b_5_in = x_in_2 & (u32(position_1) < u32(launch.N));
      let b_5_word = select(vec4<u32>(0u), w[select(0, w_at_1 >> 3u, b_5_in)], b_5_in);
      b_5_1_0 = b_5_word.x & 0xffffu; b_5_1_1 = b_5_word.x >> 16u; b_5_1_2 = b_5_word.y & 0xffffu;
      b_5_1_3 = b_5_word.y >> 16u; b_5_1_4 = b_5_word.z & 0xffffu; b_5_1_5 = b_5_word.z >> 16u;
      b_5_1_6 = b_5_word.w & 0xffffu; b_5_1_7 = b_5_word.w >> 16u;
      let b_5_in_1 = x_in_2 & (u32(position_1 + 32) < u32(launch.N));
      let b_5_word_1 = select(
          vec4<u32>(0u), w[select(0, (w_at_1 + launch.K * 32) >> 3u, b_5_in_1)], b_5_in_1);
      b_5_1_8 = b_5_word_1.x & 0xffffu; b_5_1_9 = b_5_word_1.x >> 16u;
      b_5_1_10 = b_5_word_1.y & 0xffffu; b_5_1_11 = b_5_word_1.y >> 16u;
      b_5_1_12 = b_5_word_1.z & 0xffffu; b_5_1_13 = b_5_word_1.z >> 16u;
      b_5_1_14 = b_5_word_1.w & 0xffffu; b_5_1_15 = b_5_word_1.w >> 16u;
      a_4_1_0 = a_5_1_0; b_4_1_0 = b_5_1_0; a_4_1_1 = a_5_1_1; b_4_1_1 = b_5_1_1; a_4_1_2 = a_5_1_2;
      b_4_1_2 = b_5_1_2; a_4_1_3 = a_5_1_3; b_4_1_3 = b_5_1_3; a_4_1_4 = a_5_1_4; b_4_1_4 = b_5_1_4;
      a_4_1_5 = a_5_1_5; b_4_1_5 = b_5_1_5; a_4_1_6 = a_5_1_6; b_4_1_6 = b_5_1_6; a_4_1_7 = a_5_1_7;
      b_4_1_7 = b_5_1_7; a_4_1_8 = a_5_1_8; b_4_1_8 = b_5_1_8; a_4_1_9 = a_5_1_9; b_4_1_9 = b_5_1_9;
      a_4_1_10 = a_5_1_10; b_4_1_10 = b_5_1_10; a_4_1_11 = a_5_1_11; b_4_1_11 = b_5_1_11;
      a_4_1_12 = a_5_1_12; b_4_1_12 = b_5_1_12; a_4_1_13 = a_5_1_13; b_4_1_13 = b_5_1_13;
      a_4_1_14 = a_5_1_14; b_4_1_14 = b_5_1_14; a_4_1_15 = a_5_1_15; b_4_1_15 = b_5_1_15;
    } else {
      a_4_1_0 = 0u; b_4_1_0 = 0u; a_4_1_1 = 0u; b_4_1_1 = 0u; a_4_1_2 = 0u; b_4_1_2 = 0u;
      a_4_1_3 = 0u; b_4_1_3 = 0u; a_4_1_4 = 0u; b_4_1_4 = 0u; a_4_1_5 = 0u; b_4_1_5 = 0u;
      a_4_1_6 = 0u; b_4_1_6 = 0u; a_4_1_7 = 0u; b_4_1_7 = 0u; a_4_1_8 = 0u; b_4_1_8 = 0u;
      a_4_1_9 = 0u; b_4_1_9 = 0u; a_4_1_10 = 0u; b_4_1_10 = 0u; a_4_1_11 = 0u; b_4_1_11 = 0u;
      a_4_1_12 = 0u; b_4_1_12 = 0u; a_4_1_13 = 0u; b_4_1_13 = 0u; a_4_1_14 = 0u; b_4_1_14 = 0u;
      a_4_1_15 = 0u; b_4_1_15 = 0u;
    }
    workgroupBarrier();
    var a_6_1_0: f32; var a_6_1_1: f32; var a_6_1_2: f32; var a_6_1_3: f32;
    a_6_1_0 = tw_bf16_to_f32(a_0); a_6_1_1 = tw_bf16_to_f32(a_1); a_6_1_2 = tw_bf16_to_f32(a_2);
    a_6_1_3 = tw_bf16_to_f32(a_3);
    a_shared[a_shared_at >> 2u] = vec4<f32>(a_6_1_0, a_6_1_1, a_6_1_2, a_6_1_3);
    var a_7_1_0: f32; var a_7_1_1: f32; var a_7_1_2: f32; var a_7_1_3: f32;
    a_7_1_0 = tw_bf16_to_f32(a_4); a_7_1_1 = tw_bf16_to_f32(a_5); a_7_1_2 = tw_bf16_to_f32(a_6);
    a_7_1_3 = tw_bf16_to_f32(a_7);
    a_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(a_7_1_0, a_7_1_1, a_7_1_2, a_7_1_3);
    var a_8_1_0: f32; var a_8_1_1: f32; var a_8_1_2: f32; var a_8_1_3: f32;
    a_8_1_0 = tw_bf16_to_f32(a_8); a_8_1_1 = tw_bf16_to_f32(a_9); a_8_1_2 = tw_bf16_to_f32(a_10);
    a_8_1_3 = tw_bf16_to_f32(a_11);
    a_shared[(a_shared_at + 1152) >> 2u] = vec4<f32>(a_8_1_0, a_8_1_1, a_8_1_2, a_8_1_3);
    var a_9_1_0: f32; var a_9_1_1: f32; var a_9_1_2: f32; var a_9_1_3: f32;
    a_9_1_0 = tw_bf16_to_f32(a_12); a_9_1_1 = tw_bf16_to_f32(a_13); a_9_1_2 = tw_bf16_to_f32(a_14);
    a_9_1_3 = tw_bf16_to_f32(a_15);
    a_shared[(a_shared_at + 1156) >> 2u] = vec4<f32>(a_9_1_0, a_9_1_1, a_9_1_2, a_9_1_3);
    var b_6_1_0: f32; var b_6_1_1: f32; var b_6_1_2: f32; var b_6_1_3: f32;
    b_6_1_0 = tw_bf16_to_f32(b_0); b_6_1_1 = tw_bf16_to_f32(b_1); b_6_1_2 = tw_bf16_to_f32(b_2);
    b_6_1_3 = tw_bf16_to_f32(b_3);
    b_shared[a_shared_at >> 2u] = vec4<f32>(b_6_1_0, b_6_1_1, b_6_1_2, b_6_1_3);
    var b_7_1_0: f32; var b_7_1_1: f32; var b_7_1_2: f32; var b_7_1_3: f32;
    b_7_1_0 = tw_bf16_to_f32(b_4); b_7_1_1 = tw_bf16_to_f32(b_5); b_7_1_2 = tw_bf16_to_f32(b_6);
    b_7_1_3 = tw_bf16_to_f32(b_7);
    b_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(b_7_1_0, b_7_1_1, b_7_1_2, b_7_1_3);
    var b_8_1_0: f32; var b_8_1_1: f32; var b_8_1_2: f32; var b_8_1_3: f32;
    b_8_1_0 = tw_bf16_to_f32(b_8); b_8_1_1 = tw_bf16_to_f32(b_9); b_8_1_2 = tw_bf16_to_f32(b_10);
    b_8_1_3 = tw_bf16_to_f32(b_11);
    b_shared[(a_shared_at + 1152) >> 2u] = vec4<f32>(b_8_1_0, b_8_1_1, b_8_1_2, b_8_1_3);
    var b_9_1_0: f32; var b_9_1_1: f32; var b_9_1_2: f32; var b_9_1_3: f32;
    b_9_1_0 = tw_bf16_to_f32(b_12); b_9_1_1 = tw_bf16_to_f32(b_13); b_9_1_2 = tw_bf16_to_f32(b_14);
    b_9_1_3 = tw_bf16_to_f32(b_15);
    b_shared[(a_shared_at + 1156) >> 2u] = vec4<f32>(b_9_1_0, b_9_1_1, b_9_1_2, b_9_1_3);
    workgroupBarrier();
    for (var r: i32 = 0; r < 8; r++) {
      var a_shared_1_0: f32; var a_shared_1_1: f32; var a_shared_1_2: f32; var a_shared_1_3: f32;
      var a_shared_1_4: f32; var a_shared_1_5: f32; var a_shared_1_6: f32; var a_shared_1_7: f32;
      var a_shared_1_8: f32; var a_shared_1_9: f32; var a_shared_1_10: f32; var a_shared_1_11: f32;
      var a_shared_1_12: f32; var a_shared_1_13: f32; var a_shared_1_14: f32;
      var a_shared_1_15: f32; var a_shared_1_16: f32; var a_shared_1_17: f32;
      var a_shared_1_18: f32; var a_shared_1_19: f32; var a_shared_1_20: f32;
      var a_shared_1_21: f32; var a_shared_1_22: f32; var a_shared_1_23: f32;
      var a_shared_1_24: f32; var a_shared_1_25: f32; var a_shared_1_26: f32;
      var a_shared_1_27: f32; var a_shared_1_28: f32; var a_shared_1_29: f32;
      var a_shared_1_30: f32; var a_shared_1_31: f32;
      var b_shared_1_0: f32; var b_shared_1_1: f32; var b_shared_1_2: f32; var b_shared_1_3: f32;
      var b_shared_1_4: f32; var b_shared_1_5: f32; var b_shared_1_6: f32; var b_shared_1_7: f32;
      var b_shared_1_8: f32; var b_shared_1_9: f32; var b_shared_1_10: f32; var b_shared_1_11: f32;
      var b_shared_1_12: f32; var b_shared_1_13: f32; var b_shared_1_14: f32;
      var b_shared_1_15: f32;
      let a_shared_1_word = a_shared[(a_shared_at_1 + r * 4) >> 2u];
      a_shared_1_0 = a_shared_1_word.x; a_shared_1_1 = a_shared_1_word.y;
      a_shared_1_2 = a_shared_1_word.z; a_shared_1_3 = a_shared_1_word.w;
      let a_shared_1_word_1 = a_shared[(a_shared_at_1 + 288 + r * 4) >> 2u];
      a_shared_1_4 = a_shared_1_word_1.x; a_shared_1_5 = a_shared_1_word_1.y;
      a_shared_1_6 = a_shared_1_word_1.z; a_shared_1_7 = a_shared_1_word_1.w;
      let a_shared_1_word_2 = a_shared[(a_shared_at_1 + 576 + r * 4) >> 2u];
      a_shared_1_8 = a_shared_1_word_2.x; a_shared_1_9 = a_shared_1_word_2.y;
      a_shared_1_10 = a_shared_1_word_2.z; a_shared_1_11 = a_shared_1_word_2.w;
      let a_shared_1_word_3 = a_shared[(a_shared_at_1 + 864 + r * 4) >> 2u];
      a_shared_1_12 = a_shared_1_word_3.x; a_shared_1_13 = a_shared_1_word_3.y;
      a_shared_1_14 = a_shared_1_word_3.z; a_shared_1_15 = a_shared_1_word_3.w;
      let a_shared_1_word_4 = a_shared[(a_shared_at_1 + 1152 + r * 4) >> 2u];
      a_shared_1_16 = a_shared_1_word_4.x; a_shared_1_17 = a_shared_1_word_4.y;
      a_shared_1_18 = a_shared_1_word_4.z; a_shared_1_19 = a_shared_1_word_4.w;
      let a_shared_1_word_5 = a_shared[(a_shared_at_1 + 1440 + r * 4) >> 2u];
      a_shared_1_20 = a_shared_1_word_5.x; a_shared_1_21 = a_shared_1_word_5.y;
      a_shared_1_22 = a_shared_1_word_5.z; a_shared_1_23 = a_shared_1_word_5.w;
      let a_shared_1_word_6 = a_shared[(a_shared_at_1 + 1728 + r * 4) >> 2u];
      a_shared_1_24 = a_shared_1_word_6.x; a_shared_1_25 = a_shared_1_word_6.y;
      a_shared_1_26 = a_shared_1_word_6.z; a_shared_1_27 = a_shared_1_word_6.w;
      let a_shared_1_word_7 = a_shared[(a_shared_at_1 + 2016 + r * 4) >> 2u];
      a_shared_1_28 = a_shared_1_word_7.x; a_shared_1_29 = a_shared_1_word_7.y;
      a_shared_1_30 = a_shared_1_word_7.z; a_shared_1_31 = a_shared_1_word_7.w;
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
      acc_16 = fma(a_shared_1_16, b_shared_1_0, acc_16);
      acc_17 = fma(a_shared_1_16, b_shared_1_4, acc_17);
      acc_18 = fma(a_shared_1_16, b_shared_1_8, acc_18);
      acc_19 = fma(a_shared_1_16, b_shared_1_12, acc_19);
      acc_20 = fma(a_shared_1_20, b_shared_1_0, acc_20);
      acc_21 = fma(a_shared_1_20, b_shared_1_4, acc_21);
      acc_22 = fma(a_shared_1_20, b_shared_1_8, acc_22);
      acc_23 = fma(a_shared_1_20, b_shared_1_12, acc_23);
      acc_24 = fma(a_shared_1_24, b_shared_1_0, acc_24);
      acc_25 = fma(a_shared_1_24, b_shared_1_4, acc_25);
      acc_26 = fma(a_shared_1_24, b_shared_1_8, acc_26);
      acc_27 = fma(a_shared_1_24, b_shared_1_12, acc_27);
      acc_28 = fma(a_shared_1_28, b_shared_1_0, acc_28);
      acc_29 = fma(a_shared_1_28, b_shared_1_4, acc_29);
      acc_30 = fma(a_shared_1_28, b_shared_1_8, acc_30);
      acc_31 = fma(a_shared_1_28, b_shared_1_12, acc_31);
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
      acc_16 = fma(a_shared_1_17, b_shared_1_1, acc_16);
      acc_17 = fma(a_shared_1_17, b_shared_1_5, acc_17);
      acc_18 = fma(a_shared_1_17, b_shared_1_9, acc_18);
      acc_19 = fma(a_shared_1_17, b_shared_1_13, acc_19);
      acc_20 = fma(a_shared_1_21, b_shared_1_1, acc_20);
      acc_21 = fma(a_shared_1_21, b_shared_1_5, acc_21);
      acc_22 = fma(a_shared_1_21, b_shared_1_9, acc_22);
      acc_23 = fma(a_shared_1_21, b_shared_1_13, acc_23);
      acc_24 = fma(a_shared_1_25, b_shared_1_1, acc_24);
      acc_25 = fma(a_shared_1_25, b_shared_1_5, acc_25);
      acc_26 = fma(a_shared_1_25, b_shared_1_9, acc_26);
      acc_27 = fma(a_shared_1_25, b_shared_1_13, acc_27);
      acc_28 = fma(a_shared_1_29, b_shared_1_1, acc_28);
      acc_29 = fma(a_shared_1_29, b_shared_1_5, acc_29);
      acc_30 = fma(a_shared_1_29, b_shared_1_9, acc_30);
      acc_31 = fma(a_shared_1_29, b_shared_1_13, acc_31);
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
      acc_16 = fma(a_shared_1_18, b_shared_1_2, acc_16);
      acc_17 = fma(a_shared_1_18, b_shared_1_6, acc_17);
      acc_18 = fma(a_shared_1_18, b_shared_1_10, acc_18);
      acc_19 = fma(a_shared_1_18, b_shared_1_14, acc_19);
      acc_20 = fma(a_shared_1_22, b_shared_1_2, acc_20);
      acc_21 = fma(a_shared_1_22, b_shared_1_6, acc_21);
      acc_22 = fma(a_shared_1_22, b_shared_1_10, acc_22);
      acc_23 = fma(a_shared_1_22, b_shared_1_14, acc_23);
      acc_24 = fma(a_shared_1_26, b_shared_1_2, acc_24);
      acc_25 = fma(a_shared_1_26, b_shared_1_6, acc_25);
      acc_26 = fma(a_shared_1_26, b_shared_1_10, acc_26);
      acc_27 = fma(a_shared_1_26, b_shared_1_14, acc_27);
      acc_28 = fma(a_shared_1_30, b_shared_1_2, acc_28);
      acc_29 = fma(a_shared_1_30, b_shared_1_6, acc_29);
      acc_30 = fma(a_shared_1_30, b_shared_1_10, acc_30);
      acc_31 = fma(a_shared_1_30, b_shared_1_14, acc_31);
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
      acc_16 = fma(a_shared_1_19, b_shared_1_3, acc_16);
      acc_17 = fma(a_shared_1_19, b_shared_1_7, acc_17);
      acc_18 = fma(a_shared_1_19, b_shared_1_11, acc_18);
      acc_19 = fma(a_shared_1_19, b_shared_1_15, acc_19);
      acc_20 = fma(a_shared_1_23, b_shared_1_3, acc_20);
      acc_21 = fma(a_shared_1_23, b_shared_1_7, acc_21);
      acc_22 = fma(a_shared_1_23, b_shared_1_11, acc_22);
      acc_23 = fma(a_shared_1_23, b_shared_1_15, acc_23);
      acc_24 = fma(a_shared_1_27, b_shared_1_3, acc_24);
      acc_25 = fma(a_shared_1_27, b_shared_1_7, acc_25);
      acc_26 = fma(a_shared_1_27, b_shared_1_11, acc_26);
      acc_27 = fma(a_shared_1_27, b_shared_1_15, acc_27);
      acc_28 = fma(a_shared_1_31, b_shared_1_3, acc_28);
      acc_29 = fma(a_shared_1_31, b_shared_1_7, acc_29);
      acc_30 = fma(a_shared_1_31, b_shared_1_11, acc_30);
      acc_31 = fma(a_shared_1_31, b_shared_1_15, acc_31);
    }
    a_0 = a_2_1_0; b_0 = b_2_1_0; a_2_1_0 = a_4_1_0; b_2_1_0 = b_4_1_0; a_1 = a_2_1_1;
    b_1 = b_2_1_1; a_2_1_1 = a_4_1_1; b_2_1_1 = b_4_1_1; a_2 = a_2_1_2; b_2 = b_2_1_2;
    a_2_1_2 = a_4_1_2; b_2_1_2 = b_4_1_2; a_3 = a_2_1_3; b_3 = b_2_1_3; a_2_1_3 = a_4_1_3;
    b_2_1_3 = b_4_1_3; a_4 = a_2_1_4; b_4 = b_2_1_4; a_2_1_4 = a_4_1_4; b_2_1_4 = b_4_1_4;
    a_5 = a_2_1_5; b_5 = b_2_1_5; a_2_1_5 = a_4_1_5; b_2_1_5 = b_4_1_5; a_6 = a_2_1_6;
    b_6 = b_2_1_6; a_2_1_6 = a_4_1_6; b_2_1_6 = b_4_1_6; a_7 = a_2_1_7; b_7 = b_2_1_7;
    a_2_1_7 = a_4_1_7; b_2_1_7 = b_4_1_7; a_8 = a_2_1_8; b_8 = b_2_1_8; a_2_1_8 = a_4_1_8;
    b_2_1_8 = b_4_1_8; a_9 = a_2_1_9; b_9 = b_2_1_9; a_2_1_9 = a_4_1_9; b_2_1_9 = b_4_1_9;
    a_10 = a_2_1_10; b_10 = b_2_1_10; a_2_1_10 = a_4_1_10; b_2_1_10 = b_4_1_10; a_11 = a_2_1_11;
    b_11 = b_2_1_11; a_2_1_11 = a_4_1_11; b_2_1_11 = b_4_1_11; a_12 = a_2_1_12; b_12 = b_2_1_12;
    a_2_1_12 = a_4_1_12; b_2_1_12 = b_4_1_12; a_13 = a_2_1_13; b_13 = b_2_1_13; a_2_1_13 = a_4_1_13;
    b_2_1_13 = b_4_1_13; a_14 = a_2_1_14; b_14 = b_2_1_14; a_2_1_14 = a_4_1_14; b_2_1_14 = b_4_1_14;
    a_15 = a_2_1_15; b_15 = b_2_1_15; a_2_1_15 = a_4_1_15; b_2_1_15 = b_4_1_15;
  }
  let t_BM_1: i32 = (thread >> 3u) & 7;
  let t_BN: i32 = (thread >> 6u) * 32 + (thread & 7) * 4;
  let position_2: i32 = t_5 + t_BN;
  let y_at: i32 = t_BM_1 * launch.N + t_BN;
  let y_at_1: i32 = t_4 * launch.N + t_5 + y_at;
  let y_in: bool = u32(position_2) < u32(launch.N);
  let position_3: i32 = t_4 + t_BM_1;
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
  y_tile_0 = tw_f32_to_bf16(acc_0); y_tile_1 = tw_f32_to_bf16(acc_1);
  y_tile_2 = tw_f32_to_bf16(acc_2); y_tile_3 = tw_f32_to_bf16(acc_3);
  if (y_in & (u32(position_3) < u32(launch.M))) {
    y[y_at_1 >> 2u] = vec2<u32>(y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
  }
  var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
  y_tile_1_1_0 = tw_f32_to_bf16(acc_4); y_tile_1_1_1 = tw_f32_to_bf16(acc_5);
  y_tile_1_1_2 = tw_f32_to_bf16(acc_6); y_tile_1_1_3 = tw_f32_to_bf16(acc_7);
  if (y_in & (u32(position_3 + 8) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 8) >> 2u] = vec2<u32>(
        y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u));
  }
  var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
  y_tile_2_1_0 = tw_f32_to_bf16(acc_8); y_tile_2_1_1 = tw_f32_to_bf16(acc_9);
  y_tile_2_1_2 = tw_f32_to_bf16(acc_10); y_tile_2_1_3 = tw_f32_to_bf16(acc_11);
  if (y_in & (u32(position_3 + 16) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 16) >> 2u] = vec2<u32>(
        y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u));
  }
  var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
  y_tile_3_1_0 = tw_f32_to_bf16(acc_12); y_tile_3_1_1 = tw_f32_to_bf16(acc_13);
  y_tile_3_1_2 = tw_f32_to_bf16(acc_14); y_tile_3_1_3 = tw_f32_to_bf16(acc_15);
  if (y_in & (u32(position_3 + 24) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 24) >> 2u] = vec2<u32>(
        y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u));
  }
  var y_tile_4_0: u32; var y_tile_4_1: u32; var y_tile_4_2: u32; var y_tile_4_3: u32;
  y_tile_4_0 = tw_f32_to_bf16(acc_16); y_tile_4_1 = tw_f32_to_bf16(acc_17);
  y_tile_4_2 = tw_f32_to_bf16(acc_18); y_tile_4_3 = tw_f32_to_bf16(acc_19);
  if (y_in & (u32(position_3 + 32) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 32) >> 2u] = vec2<u32>(
        y_tile_4_0 | (y_tile_4_1 << 16u), y_tile_4_2 | (y_tile_4_3 << 16u));
  }
  var y_tile_5_0: u32; var y_tile_5_1: u32; var y_tile_5_2: u32; var y_tile_5_3: u32;
  y_tile_5_0 = tw_f32_to_bf16(acc_20); y_tile_5_1 = tw_f32_to_bf16(acc_21);
  y_tile_5_2 = tw_f32_to_bf16(acc_22); y_tile_5_3 = tw_f32_to_bf16(acc_23);
  if (y_in & (u32(position_3 + 40) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 40) >> 2u] = vec2<u32>(
        y_tile_5_0 | (y_tile_5_1 << 16u), y_tile_5_2 | (y_tile_5_3 << 16u));
  }
  var y_tile_6_0: u32; var y_tile_6_1: u32; var y_tile_6_2: u32; var y_tile_6_3: u32;
  y_tile_6_0 = tw_f32_to_bf16(acc_24); y_tile_6_1 = tw_f32_to_bf16(acc_25);
  y_tile_6_2 = tw_f32_to_bf16(acc_26); y_tile_6_3 = tw_f32_to_bf16(acc_27);
  if (y_in & (u32(position_3 + 48) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 48) >> 2u] = vec2<u32>(
        y_tile_6_0 | (y_tile_6_1 << 16u), y_tile_6_2 | (y_tile_6_3 << 16u));
  }
  var y_tile_7_0: u32; var y_tile_7_1: u32; var y_tile_7_2: u32; var y_tile_7_3: u32;
  y_tile_7_0 = tw_f32_to_bf16(acc_28); y_tile_7_1 = tw_f32_to_bf16(acc_29);
  y_tile_7_2 = tw_f32_to_bf16(acc_30); y_tile_7_3 = tw_f32_to_bf16(acc_31);
  if (y_in & (u32(position_3 + 56) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 56) >> 2u] = vec2<u32>(
        y_tile_7_0 | (y_tile_7_1 << 16u), y_tile_7_2 | (y_tile_7_3 << 16u));
  }
}
