// linear_fp8_block for wgsl, made by tilewright
// dtypes: O=bf16
// config: BM=64 BN=64 BK=128 stages=3 group=8
// dims divisible: K%16 N%8 KG%4
// 128 threads, 17408 bytes of shared memory
//       0 … 9200: t67_shared f32[2300]
//    9216 … 17408: t64_shared f32[2048]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  K: i32,
  N: i32,
  KG: i32,
  NG: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> w: array<u32>;
@group(0) @binding(2) var<storage, read> xScale: array<f32>;
@group(0) @binding(3) var<storage, read> wScale: array<f32>;
@group(0) @binding(4) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(6) var<uniform> launch: TwLaunch;
var<workgroup> t67_shared: array<f32, 2300>;
var<workgroup> t64_shared: array<f32, 2048>;

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

fn tw_f8e4m3_to_f32(x: u32) -> f32 {
  let size = x & 0x7fu;
  let normal = select((size << 20u) + 0x3c000000u, 0x7fc00000u, size == 0x7fu);
  let subnormal = bitcast<u32>(f32(size) * 0x1p-9f);
  return bitcast<f32>(select(normal, subnormal, size < 8u) | ((x & 0x80u) << 24u));
}

@compute @workgroup_size(128)
fn linear_fp8_block(
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
  let first: i32 = t_5 >> 7u;
  let more: bool = 0 < launch.K;
  var ofRows_0: f32; var ofRows_1: f32; var ofRows_2: f32; var ofRows_3: f32; var ofRows_4: f32;
  var ofRows_5: f32; var ofRows_6: f32; var ofRows_7: f32;
  let t_BM: i32 = (thread >> 3u) & 7;
  let position: i32 = t_4 + t_BM;
  if (more) {
    let at: i32 = 0;
    let xScale_at: i32 = t_4 + at * launch.M + t_BM;
    let xScale_in: bool = at < launch.KG;
    var ofRows_1_1_0: f32; var ofRows_1_1_1: f32; var ofRows_1_1_2: f32; var ofRows_1_1_3: f32;
    var ofRows_1_1_4: f32; var ofRows_1_1_5: f32; var ofRows_1_1_6: f32; var ofRows_1_1_7: f32;
    let ofRows_1_in = xScale_in & (u32(position) < u32(launch.M));
    ofRows_1_1_0 = select(0.0f, xScale[select(0, xScale_at, ofRows_1_in)], ofRows_1_in);
    let ofRows_1_in_1 = xScale_in & (u32(position + 8) < u32(launch.M));
    ofRows_1_1_1 = select(0.0f, xScale[select(0, xScale_at + 8, ofRows_1_in_1)], ofRows_1_in_1);
    let ofRows_1_in_2 = xScale_in & (u32(position + 16) < u32(launch.M));
    ofRows_1_1_2 = select(0.0f, xScale[select(0, xScale_at + 16, ofRows_1_in_2)], ofRows_1_in_2);
    let ofRows_1_in_3 = xScale_in & (u32(position + 24) < u32(launch.M));
    ofRows_1_1_3 = select(0.0f, xScale[select(0, xScale_at + 24, ofRows_1_in_3)], ofRows_1_in_3);
    let ofRows_1_in_4 = xScale_in & (u32(position + 32) < u32(launch.M));
    ofRows_1_1_4 = select(0.0f, xScale[select(0, xScale_at + 32, ofRows_1_in_4)], ofRows_1_in_4);
    let ofRows_1_in_5 = xScale_in & (u32(position + 40) < u32(launch.M));
    ofRows_1_1_5 = select(0.0f, xScale[select(0, xScale_at + 40, ofRows_1_in_5)], ofRows_1_in_5);
    let ofRows_1_in_6 = xScale_in & (u32(position + 48) < u32(launch.M));
    ofRows_1_1_6 = select(0.0f, xScale[select(0, xScale_at + 48, ofRows_1_in_6)], ofRows_1_in_6);
    let ofRows_1_in_7 = xScale_in & (u32(position + 56) < u32(launch.M));
    ofRows_1_1_7 = select(0.0f, xScale[select(0, xScale_at + 56, ofRows_1_in_7)], ofRows_1_in_7);
    ofRows_0 = ofRows_1_1_0; ofRows_1 = ofRows_1_1_1; ofRows_2 = ofRows_1_1_2;
    ofRows_3 = ofRows_1_1_3; ofRows_4 = ofRows_1_1_4; ofRows_5 = ofRows_1_1_5;
    ofRows_6 = ofRows_1_1_6; ofRows_7 = ofRows_1_1_7;
  } else {
    ofRows_0 = 0.0f; ofRows_1 = 0.0f; ofRows_2 = 0.0f; ofRows_3 = 0.0f; ofRows_4 = 0.0f;
    ofRows_5 = 0.0f; ofRows_6 = 0.0f; ofRows_7 = 0.0f;
  }
  let more_1: bool = 128 < launch.K;
  var ofRows_2_1_0: f32; var ofRows_2_1_1: f32; var ofRows_2_1_2: f32; var ofRows_2_1_3: f32;
  var ofRows_2_1_4: f32; var ofRows_2_1_5: f32; var ofRows_2_1_6: f32; var ofRows_2_1_7: f32;
  if (more_1) {
    let at_1: i32 = 1;
    let xScale_at_1: i32 = t_4 + at_1 * launch.M + t_BM;
    let xScale_in_1: bool = at_1 < launch.KG;
    var ofRows_3_1_0: f32; var ofRows_3_1_1: f32; var ofRows_3_1_2: f32; var ofRows_3_1_3: f32;
    var ofRows_3_1_4: f32; var ofRows_3_1_5: f32; var ofRows_3_1_6: f32; var ofRows_3_1_7: f32;
    let ofRows_3_in = xScale_in_1 & (u32(position) < u32(launch.M));
    ofRows_3_1_0 = select(0.0f, xScale[select(0, xScale_at_1, ofRows_3_in)], ofRows_3_in);
    let ofRows_3_in_1 = xScale_in_1 & (u32(position + 8) < u32(launch.M));
    ofRows_3_1_1 = select(0.0f, xScale[select(0, xScale_at_1 + 8, ofRows_3_in_1)], ofRows_3_in_1);
    let ofRows_3_in_2 = xScale_in_1 & (u32(position + 16) < u32(launch.M));
    ofRows_3_1_2 = select(0.0f, xScale[select(0, xScale_at_1 + 16, ofRows_3_in_2)], ofRows_3_in_2);
    let ofRows_3_in_3 = xScale_in_1 & (u32(position + 24) < u32(launch.M));
    ofRows_3_1_3 = select(0.0f, xScale[select(0, xScale_at_1 + 24, ofRows_3_in_3)], ofRows_3_in_3);
    let ofRows_3_in_4 = xScale_in_1 & (u32(position + 32) < u32(launch.M));
    ofRows_3_1_4 = select(0.0f, xScale[select(0, xScale_at_1 + 32, ofRows_3_in_4)], ofRows_3_in_4);
    let ofRows_3_in_5 = xScale_in_1 & (u32(position + 40) < u32(launch.M));
    ofRows_3_1_5 = select(0.0f, xScale[select(0, xScale_at_1 + 40, ofRows_3_in_5)], ofRows_3_in_5);
    let ofRows_3_in_6 = xScale_in_1 & (u32(position + 48) < u32(launch.M));
    ofRows_3_1_6 = select(0.0f, xScale[select(0, xScale_at_1 + 48, ofRows_3_in_6)], ofRows_3_in_6);
    let ofRows_3_in_7 = xScale_in_1 & (u32(position + 56) < u32(launch.M));
    ofRows_3_1_7 = select(0.0f, xScale[select(0, xScale_at_1 + 56, ofRows_3_in_7)], ofRows_3_in_7);
    ofRows_2_1_0 = ofRows_3_1_0; ofRows_2_1_1 = ofRows_3_1_1; ofRows_2_1_2 = ofRows_3_1_2;
    ofRows_2_1_3 = ofRows_3_1_3; ofRows_2_1_4 = ofRows_3_1_4; ofRows_2_1_5 = ofRows_3_1_5;
    ofRows_2_1_6 = ofRows_3_1_6; ofRows_2_1_7 = ofRows_3_1_7;
  } else {
    ofRows_2_1_0 = 0.0f; ofRows_2_1_1 = 0.0f; ofRows_2_1_2 = 0.0f; ofRows_2_1_3 = 0.0f;
    ofRows_2_1_4 = 0.0f; ofRows_2_1_5 = 0.0f; ofRows_2_1_6 = 0.0f; ofRows_2_1_7 = 0.0f;
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
  let t_BM_1: i32 = thread >> 5u;
  let t_BK: i32 = thread & 31;
  let x_at: i32 = t_BM_1 * launch.K + t_BK;
  let x_at_1: i32 = t_4 * launch.K + x_at;
  let position_1: i32 = t_4 + t_BM_1;
  let t64_shared_at: i32 = (thread & 31) + (thread >> 5u) * 32;
  let w_at: i32 = t_5 * launch.K + x_at;
  let position_2: i32 = t_5 + t_BM_1;
  let t67_shared_at: i32 = (thread & 31) + (thread >> 5u) * 36;
  let t64_shared_at_1: i32 = ((thread >> 3u) & 7) * 32;
  let t67_shared_at_1: i32 = (thread & 7) * 144 + (thread >> 6u) * 1152;
  let wScale_at: i32 = first * launch.KG;
  for (var k: i32 = 0; k < launch.K; k += 128) {
    let k_1: i32 = k + 256;
    let more_2: bool = k_1 < launch.K;
    var ofRows_4_1_0: f32; var ofRows_4_1_1: f32; var ofRows_4_1_2: f32; var ofRows_4_1_3: f32;
    var ofRows_4_1_4: f32; var ofRows_4_1_5: f32; var ofRows_4_1_6: f32; var ofRows_4_1_7: f32;
    if (more_2) {
      let at_2: i32 = k_1 >> 7u;
      let xScale_at_2: i32 = position + at_2 * launch.M;
      let xScale_in_2: bool = at_2 < launch.KG;
      var ofRows_5_1_0: f32; var ofRows_5_1_1: f32; var ofRows_5_1_2: f32; var ofRows_5_1_3: f32;
      var ofRows_5_1_4: f32; var ofRows_5_1_5: f32; var ofRows_5_1_6: f32; var ofRows_5_1_7: f32;
      let ofRows_5_in = xScale_in_2 & (u32(position) < u32(launch.M));
      ofRows_5_1_0 = select(0.0f, xScale[select(0, xScale_at_2, ofRows_5_in)], ofRows_5_in);
      let ofRows_5_in_1 = xScale_in_2 & (u32(position + 8) < u32(launch.M));
      ofRows_5_1_1 = select(0.0f, xScale[select(0, xScale_at_2 + 8, ofRows_5_in_1)], ofRows_5_in_1);
      let ofRows_5_in_2 = xScale_in_2 & (u32(position + 16) < u32(launch.M));
      ofRows_5_1_2 = select(
          0.0f, xScale[select(0, xScale_at_2 + 16, ofRows_5_in_2)], ofRows_5_in_2);
      let ofRows_5_in_3 = xScale_in_2 & (u32(position + 24) < u32(launch.M));
      ofRows_5_1_3 = select(
          0.0f, xScale[select(0, xScale_at_2 + 24, ofRows_5_in_3)], ofRows_5_in_3);
      let ofRows_5_in_4 = xScale_in_2 & (u32(position + 32) < u32(launch.M));
      ofRows_5_1_4 = select(
          0.0f, xScale[select(0, xScale_at_2 + 32, ofRows_5_in_4)], ofRows_5_in_4);
      let ofRows_5_in_5 = xScale_in_2 & (u32(position + 40) < u32(launch.M));
      ofRows_5_1_5 = select(
          0.0f, xScale[select(0, xScale_at_2 + 40, ofRows_5_in_5)], ofRows_5_in_5);
      let ofRows_5_in_6 = xScale_in_2 & (u32(position + 48) < u32(launch.M));
      ofRows_5_1_6 = select(
          0.0f, xScale[select(0, xScale_at_2 + 48, ofRows_5_in_6)], ofRows_5_in_6);
      let ofRows_5_in_7 = xScale_in_2 & (u32(position + 56) < u32(launch.M));
      ofRows_5_1_7 = select(
          0.0f, xScale[select(0, xScale_at_2 + 56, ofRows_5_in_7)], ofRows_5_in_7);
      ofRows_4_1_0 = ofRows_5_1_0; ofRows_4_1_1 = ofRows_5_1_1; ofRows_4_1_2 = ofRows_5_1_2;
      ofRows_4_1_3 = ofRows_5_1_3; ofRows_4_1_4 = ofRows_5_1_4; ofRows_4_1_5 = ofRows_5_1_5;
      ofRows_4_1_6 = ofRows_5_1_6; ofRows_4_1_7 = ofRows_5_1_7;
    } else {
      ofRows_4_1_0 = 0.0f; ofRows_4_1_1 = 0.0f; ofRows_4_1_2 = 0.0f; ofRows_4_1_3 = 0.0f;
      ofRows_4_1_4 = 0.0f; ofRows_4_1_5 = 0.0f; ofRows_4_1_6 = 0.0f; ofRows_4_1_7 = 0.0f;
    }
    var product_0: f32; var product_1: f32; var product_2: f32; var product_3: f32;
    var product_4: f32; var product_5: f32; var product_6: f32; var product_7: f32;
    var product_8: f32; var product_9: f32; var product_10: f32; var product_11: f32;
    var product_12: f32; var product_13: f32; var product_14: f32; var product_15: f32;
    var product_16: f32; var product_17: f32; var product_18: f32; var product_19: f32;
    var product_20: f32; var product_21: f32; var product_22: f32; var product_23: f32;
    var product_24: f32; var product_25: f32; var product_26: f32; var product_27: f32;
    var product_28: f32; var product_29: f32; var product_30: f32; var product_31: f32;
    product_0 = 0.0f; product_1 = 0.0f; product_2 = 0.0f; product_3 = 0.0f; product_4 = 0.0f;
    product_5 = 0.0f; product_6 = 0.0f; product_7 = 0.0f; product_8 = 0.0f; product_9 = 0.0f;
    product_10 = 0.0f; product_11 = 0.0f; product_12 = 0.0f; product_13 = 0.0f; product_14 = 0.0f;
    product_15 = 0.0f; product_16 = 0.0f; product_17 = 0.0f; product_18 = 0.0f; product_19 = 0.0f;
    product_20 = 0.0f; product_21 = 0.0f; product_22 = 0.0f; product_23 = 0.0f; product_24 = 0.0f;
    product_25 = 0.0f; product_26 = 0.0f; product_27 = 0.0f; product_28 = 0.0f; product_29 = 0.0f;
    product_30 = 0.0f; product_31 = 0.0f;
    for (var chunk: i32 = 0; chunk < 4; chunk++) {
      let base: i32 = chunk * 32;
      let k_2: i32 = k + base;
      let left: i32 = launch.K - k_2;
      let x_at_2: i32 = x_at_1 + k_2;
      let x_in: bool = t_BK < left;
      var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
      var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32; var x_tile_8: u32; var x_tile_9: u32;
      var x_tile_10: u32; var x_tile_11: u32; var x_tile_12: u32; var x_tile_13: u32;
      var x_tile_14: u32; var x_tile_15: u32;
      let x_tile_in = x_in & (u32(position_1) < u32(launch.M));
      let x_tile_word = select(
          0u, x[select(0, x_at_2 >> 2u, x_tile_in)], x_tile_in) >> ((u32(x_at_2) & 3u) * 8u);
      x_tile_0 = extractBits(x_tile_word, 0u, 8u);
      let x_tile_in_1 = x_in & (u32(position_1 + 4) < u32(launch.M));
      let x_tile_at = x_at_2 + launch.K * 4;
      let x_tile_word_1 = select(
          0u, x[select(0, x_tile_at >> 2u, x_tile_in_1)], x_tile_in_1) >> ((u32(x_tile_at) & 3u) * 8u);
      x_tile_1 = extractBits(x_tile_word_1, 0u, 8u);
      let x_tile_in_2 = x_in & (u32(position_1 + 8) < u32(launch.M));
      let x_tile_at_1 = x_at_2 + launch.K * 8;
      let x_tile_word_2 = select(
          0u, x[select(0, x_tile_at_1 >> 2u, x_tile_in_2)], x_tile_in_2) >> ((u32(x_tile_at_1) & 3u) * 8u);
      x_tile_2 = extractBits(x_tile_word_2, 0u, 8u);
      let x_tile_in_3 = x_in & (u32(position_1 + 12) < u32(launch.M));
      let x_tile_at_2 = x_at_2 + launch.K * 12;
      let x_tile_word_3 = select(
          0u, x[select(0, x_tile_at_2 >> 2u, x_tile_in_3)], x_tile_in_3) >> ((u32(x_tile_at_2) & 3u) * 8u);
      x_tile_3 = extractBits(x_tile_word_3, 0u, 8u);
      let x_tile_in_4 = x_in & (u32(position_1 + 16) < u32(launch.M));
      let x_tile_at_3 = x_at_2 + launch.K * 16;
      let x_tile_word_4 = select(
          0u, x[select(0, x_tile_at_3 >> 2u, x_tile_in_4)], x_tile_in_4) >> ((u32(x_tile_at_3) & 3u) * 8u);
      x_tile_4 = extractBits(x_tile_word_4, 0u, 8u);
      let x_tile_in_5 = x_in & (u32(position_1 + 20) < u32(launch.M));
      let x_tile_at_4 = x_at_2 + launch.K * 20;
      let x_tile_word_5 = select(
          0u, x[select(0, x_tile_at_4 >> 2u, x_tile_in_5)], x_tile_in_5) >> ((u32(x_tile_at_4) & 3u) * 8u);
      x_tile_5 = extractBits(x_tile_word_5, 0u, 8u);
      let x_tile_in_6 = x_in & (u32(position_1 + 24) < u32(launch.M));
      let x_tile_at_5 = x_at_2 + launch.K * 24;
      let x_tile_word_6 = select(
          0u, x[select(0, x_tile_at_5 >> 2u, x_tile_in_6)], x_tile_in_6) >> ((u32(x_tile_at_5) & 3u) * 8u);
      x_tile_6 = extractBits(x_tile_word_6, 0u, 8u);
      let x_tile_in_7 = x_in & (u32(position_1 + 28) < u32(launch.M));
      let x_tile_at_6 = x_at_2 + launch.K * 28;
      let x_tile_word_7 = select(
          0u, x[select(0, x_tile_at_6 >> 2u, x_tile_in_7)], x_tile_in_7) >> ((u32(x_tile_at_6) & 3u) * 8u);
      x_tile_7 = extractBits(x_tile_word_7, 0u, 8u);
      let x_tile_in_8 = x_in & (u32(position_1 + 32) < u32(launch.M));
      let x_tile_at_7 = x_at_2 + launch.K * 32;
      let x_tile_word_8 = select(
          0u, x[select(0, x_tile_at_7 >> 2u, x_tile_in_8)], x_tile_in_8) >> ((u32(x_tile_at_7) & 3u) * 8u);
      x_tile_8 = extractBits(x_tile_word_8, 0u, 8u);
      let x_tile_in_9 = x_in & (u32(position_1 + 36) < u32(launch.M));
      let x_tile_at_8 = x_at_2 + launch.K * 36;
      let x_tile_word_9 = select(
          0u, x[select(0, x_tile_at_8 >> 2u, x_tile_in_9)], x_tile_in_9) >> ((u32(x_tile_at_8) & 3u) * 8u);
      x_tile_9 = extractBits(x_tile_word_9, 0u, 8u);
      let x_tile_in_10 = x_in & (u32(position_1 + 40) < u32(launch.M));
      let x_tile_at_9 = x_at_2 + launch.K * 40;
      let x_tile_word_10 = select(
          0u, x[select(0, x_tile_at_9 >> 2u, x_tile_in_10)], x_tile_in_10) >> ((u32(x_tile_at_9) & 3u) * 8u);
      x_tile_10 = extractBits(x_tile_word_10, 0u, 8u);
      let x_tile_in_11 = x_in & (u32(position_1 + 44) < u32(launch.M));
      let x_tile_at_10 = x_at_2 + launch.K * 44;
      let x_tile_word_11 = select(
          0u, x[select(0, x_tile_at_10 >> 2u, x_tile_in_11)], x_tile_in_11) >> ((u32(x_tile_at_10) & 3u) * 8u);
      x_tile_11 = extractBits(x_tile_word_11, 0u, 8u);
      let x_tile_in_12 = x_in & (u32(position_1 + 48) < u32(launch.M));
      let x_tile_at_11 = x_at_2 + launch.K * 48;
      let x_tile_word_12 = select(
          0u, x[select(0, x_tile_at_11 >> 2u, x_tile_in_12)], x_tile_in_12) >> ((u32(x_tile_at_11) & 3u) * 8u);
      x_tile_12 = extractBits(x_tile_word_12, 0u, 8u);
      let x_tile_in_13 = x_in & (u32(position_1 + 52) < u32(launch.M));
      let x_tile_at_12 = x_at_2 + launch.K * 52;
      let x_tile_word_13 = select(
          0u, x[select(0, x_tile_at_12 >> 2u, x_tile_in_13)], x_tile_in_13) >> ((u32(x_tile_at_12) & 3u) * 8u);
      x_tile_13 = extractBits(x_tile_word_13, 0u, 8u);
      let x_tile_in_14 = x_in & (u32(position_1 + 56) < u32(launch.M));
      let x_tile_at_13 = x_at_2 + launch.K * 56;
      let x_tile_word_14 = select(
          0u, x[select(0, x_tile_at_13 >> 2u, x_tile_in_14)], x_tile_in_14) >> ((u32(x_tile_at_13) & 3u) * 8u);
      x_tile_14 = extractBits(x_tile_word_14, 0u, 8u);
      let x_tile_in_15 = x_in & (u32(position_1 + 60) < u32(launch.M));
      let x_tile_at_14 = x_at_2 + launch.K * 60;
      let x_tile_word_15 = select(
          0u, x[select(0, x_tile_at_14 >> 2u, x_tile_in_15)], x_tile_in_15) >> ((u32(x_tile_at_14) & 3u) * 8u);
      x_tile_15 = extractBits(x_tile_word_15, 0u, 8u);
      workgroupBarrier();
      let t64_shared_tile: f32 = tw_f8e4m3_to_f32(x_tile_0);
      t64_shared[t64_shared_at] = t64_shared_tile;
      let t64_shared_tile_1: f32 = tw_f8e4m3_to_f32(x_tile_1);
      t64_shared[t64_shared_at + 128] = t64_shared_tile_1;
      let t64_shared_tile_2: f32 = tw_f8e4m3_to_f32(x_tile_2);
      t64_shared[t64_shared_at + 256] = t64_shared_tile_2;
      let t64_shared_tile_3: f32 = tw_f8e4m3_to_f32(x_tile_3);
      t64_shared[t64_shared_at + 384] = t64_shared_tile_3;
      let t64_shared_tile_4: f32 = tw_f8e4m3_to_f32(x_tile_4);
      t64_shared[t64_shared_at + 512] = t64_shared_tile_4;
      let t64_shared_tile_5: f32 = tw_f8e4m3_to_f32(x_tile_5);
      t64_shared[t64_shared_at + 640] = t64_shared_tile_5;
      let t64_shared_tile_6: f32 = tw_f8e4m3_to_f32(x_tile_6);
      t64_shared[t64_shared_at + 768] = t64_shared_tile_6;
      let t64_shared_tile_7: f32 = tw_f8e4m3_to_f32(x_tile_7);
      t64_shared[t64_shared_at + 896] = t64_shared_tile_7;
      let t64_shared_tile_8: f32 = tw_f8e4m3_to_f32(x_tile_8);
      t64_shared[t64_shared_at + 1024] = t64_shared_tile_8;
      let t64_shared_tile_9: f32 = tw_f8e4m3_to_f32(x_tile_9);
      t64_shared[t64_shared_at + 1152] = t64_shared_tile_9;
      let t64_shared_tile_10: f32 = tw_f8e4m3_to_f32(x_tile_10);
      t64_shared[t64_shared_at + 1280] = t64_shared_tile_10;
      let t64_shared_tile_11: f32 = tw_f8e4m3_to_f32(x_tile_11);
      t64_shared[t64_shared_at + 1408] = t64_shared_tile_11;
      let t64_shared_tile_12: f32 = tw_f8e4m3_to_f32(x_tile_12);
      t64_shared[t64_shared_at + 1536] = t64_shared_tile_12;
      let t64_shared_tile_13: f32 = tw_f8e4m3_to_f32(x_tile_13);
      t64_shared[t64_shared_at + 1664] = t64_shared_tile_13;
      let t64_shared_tile_14: f32 = tw_f8e4m3_to_f32(x_tile_14);
      t64_shared[t64_shared_at + 1792] = t64_shared_tile_14;
      let t64_shared_tile_15: f32 = tw_f8e4m3_to_f32(x_tile_15);
      t64_shared[t64_shared_at + 1920] = t64_shared_tile_15;
      let w_at_1: i32 = w_at + k_2;
      var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
      var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32; var w_tile_8: u32; var w_tile_9: u32;
      var w_tile_10: u32; var w_tile_11: u32; var w_tile_12: u32; var w_tile_13: u32;
      var w_tile_14: u32; var w_tile_15: u32;
      let w_tile_in = x_in & (u32(position_2) < u32(launch.N));
      let w_tile_word = select(
          0u, w[select(0, w_at_1 >> 2u, w_tile_in)], w_tile_in) >> ((u32(w_at_1) & 3u) * 8u);
      w_tile_0 = extractBits(w_tile_word, 0u, 8u);
      let w_tile_in_1 = x_in & (u32(position_2 + 4) < u32(launch.N));
      let w_tile_at = w_at_1 + launch.K * 4;
      let w_tile_word_1 = select(
          0u, w[select(0, w_tile_at >> 2u, w_tile_in_1)], w_tile_in_1) >> ((u32(w_tile_at) & 3u) * 8u);
      w_tile_1 = extractBits(w_tile_word_1, 0u, 8u);
      let w_tile_in_2 = x_in & (u32(position_2 + 8) < u32(launch.N));
      let w_tile_at_1 = w_at_1 + launch.K * 8;
      let w_tile_word_2 = select(
          0u, w[select(0, w_tile_at_1 >> 2u, w_tile_in_2)], w_tile_in_2) >> ((u32(w_tile_at_1) & 3u) * 8u);
      w_tile_2 = extractBits(w_tile_word_2, 0u, 8u);
      let w_tile_in_3 = x_in & (u32(position_2 + 12) < u32(launch.N));
      let w_tile_at_2 = w_at_1 + launch.K * 12;
      let w_tile_word_3 = select(
          0u, w[select(0, w_tile_at_2 >> 2u, w_tile_in_3)], w_tile_in_3) >> ((u32(w_tile_at_2) & 3u) * 8u);
      w_tile_3 = extractBits(w_tile_word_3, 0u, 8u);
      let w_tile_in_4 = x_in & (u32(position_2 + 16) < u32(launch.N));
      let w_tile_at_3 = w_at_1 + launch.K * 16;
      let w_tile_word_4 = select(
          0u, w[select(0, w_tile_at_3 >> 2u, w_tile_in_4)], w_tile_in_4) >> ((u32(w_tile_at_3) & 3u) * 8u);
      w_tile_4 = extractBits(w_tile_word_4, 0u, 8u);
      let w_tile_in_5 = x_in & (u32(position_2 + 20) < u32(launch.N));
      let w_tile_at_4 = w_at_1 + launch.K * 20;
      let w_tile_word_5 = select(
          0u, w[select(0, w_tile_at_4 >> 2u, w_tile_in_5)], w_tile_in_5) >> ((u32(w_tile_at_4) & 3u) * 8u);
      w_tile_5 = extractBits(w_tile_word_5, 0u, 8u);
      let w_tile_in_6 = x_in & (u32(position_2 + 24) < u32(launch.N));
      let w_tile_at_5 = w_at_1 + launch.K * 24;
      let w_tile_word_6 = select(
          0u, w[select(0, w_tile_at_5 >> 2u, w_tile_in_6)], w_tile_in_6) >> ((u32(w_tile_at_5) & 3u) * 8u);
      w_tile_6 = extractBits(w_tile_word_6, 0u, 8u);
      let w_tile_in_7 = x_in & (u32(position_2 + 28) < u32(launch.N));
      let w_tile_at_6 = w_at_1 + launch.K * 28;
      let w_tile_word_7 = select(
          0u, w[select(0, w_tile_at_6 >> 2u, w_tile_in_7)], w_tile_in_7) >> ((u32(w_tile_at_6) & 3u) * 8u);
      w_tile_7 = extractBits(w_tile_word_7, 0u, 8u);
      let w_tile_in_8 = x_in & (u32(position_2 + 32) < u32(launch.N));
      let w_tile_at_7 = w_at_1 + launch.K * 32;
      let w_tile_word_8 = select(
          0u, w[select(0, w_tile_at_7 >> 2u, w_tile_in_8)], w_tile_in_8) >> ((u32(w_tile_at_7) & 3u) * 8u);
      w_tile_8 = extractBits(w_tile_word_8, 0u, 8u);
      let w_tile_in_9 = x_in & (u32(position_2 + 36) < u32(launch.N));
      let w_tile_at_8 = w_at_1 + launch.K * 36;
      let w_tile_word_9 = select(
          0u, w[select(0, w_tile_at_8 >> 2u, w_tile_in_9)], w_tile_in_9) >> ((u32(w_tile_at_8) & 3u) * 8u);
      w_tile_9 = extractBits(w_tile_word_9, 0u, 8u);
      let w_tile_in_10 = x_in & (u32(position_2 + 40) < u32(launch.N));
      let w_tile_at_9 = w_at_1 + launch.K * 40;
      let w_tile_word_10 = select(
          0u, w[select(0, w_tile_at_9 >> 2u, w_tile_in_10)], w_tile_in_10) >> ((u32(w_tile_at_9) & 3u) * 8u);
      w_tile_10 = extractBits(w_tile_word_10, 0u, 8u);
      let w_tile_in_11 = x_in & (u32(position_2 + 44) < u32(launch.N));
      let w_tile_at_10 = w_at_1 + launch.K * 44;
      let w_tile_word_11 = select(
          0u, w[select(0, w_tile_at_10 >> 2u, w_tile_in_11)], w_tile_in_11) >> ((u32(w_tile_at_10) & 3u) * 8u);
      w_tile_11 = extractBits(w_tile_word_11, 0u, 8u);
      let w_tile_in_12 = x_in & (u32(position_2 + 48) < u32(launch.N));
      let w_tile_at_11 = w_at_1 + launch.K * 48;
      let w_tile_word_12 = select(
          0u, w[select(0, w_tile_at_11 >> 2u, w_tile_in_12)], w_tile_in_12) >> ((u32(w_tile_at_11) & 3u) * 8u);
      w_tile_12 = extractBits(w_tile_word_12, 0u, 8u);
      let w_tile_in_13 = x_in & (u32(position_2 + 52) < u32(launch.N));
      let w_tile_at_12 = w_at_1 + launch.K * 52;
      let w_tile_word_13 = select(
          0u, w[select(0, w_tile_at_12 >> 2u, w_tile_in_13)], w_tile_in_13) >> ((u32(w_tile_at_12) & 3u) * 8u);
      w_tile_13 = extractBits(w_tile_word_13, 0u, 8u);
      let w_tile_in_14 = x_in & (u32(position_2 + 56) < u32(launch.N));
      let w_tile_at_13 = w_at_1 + launch.K * 56;
      let w_tile_word_14 = select(
          0u, w[select(0, w_tile_at_13 >> 2u, w_tile_in_14)], w_tile_in_14) >> ((u32(w_tile_at_13) & 3u) * 8u);
      w_tile_14 = extractBits(w_tile_word_14, 0u, 8u);
      let w_tile_in_15 = x_in & (u32(position_2 + 60) < u32(launch.N));
      let w_tile_at_14 = w_at_1 + launch.K * 60;
      let w_tile_word_15 = select(
          0u, w[select(0, w_tile_at_14 >> 2u, w_tile_in_15)], w_tile_in_15) >> ((u32(w_tile_at_14) & 3u) * 8u);
      w_tile_15 = extractBits(w_tile_word_15, 0u, 8u);
      let t67_shared_tile: f32 = tw_f8e4m3_to_f32(w_tile_0);
      t67_shared[t67_shared_at] = t67_shared_tile;
      let t67_shared_tile_1: f32 = tw_f8e4m3_to_f32(w_tile_1);
      t67_shared[t67_shared_at + 144] = t67_shared_tile_1;
      let t67_shared_tile_2: f32 = tw_f8e4m3_to_f32(w_tile_2);
      t67_shared[t67_shared_at + 288] = t67_shared_tile_2;
      let t67_shared_tile_3: f32 = tw_f8e4m3_to_f32(w_tile_3);
      t67_shared[t67_shared_at + 432] = t67_shared_tile_3;
      let t67_shared_tile_4: f32 = tw_f8e4m3_to_f32(w_tile_4);
      t67_shared[t67_shared_at + 576] = t67_shared_tile_4;
      let t67_shared_tile_5: f32 = tw_f8e4m3_to_f32(w_tile_5);
      t67_shared[t67_shared_at + 720] = t67_shared_tile_5;
      let t67_shared_tile_6: f32 = tw_f8e4m3_to_f32(w_tile_6);
      t67_shared[t67_shared_at + 864] = t67_shared_tile_6;
      let t67_shared_tile_7: f32 = tw_f8e4m3_to_f32(w_tile_7);
      t67_shared[t67_shared_at + 1008] = t67_shared_tile_7;
      let t67_shared_tile_8: f32 = tw_f8e4m3_to_f32(w_tile_8);
      t67_shared[t67_shared_at + 1152] = t67_shared_tile_8;
      let t67_shared_tile_9: f32 = tw_f8e4m3_to_f32(w_tile_9);
      t67_shared[t67_shared_at + 1296] = t67_shared_tile_9;
      let t67_shared_tile_10: f32 = tw_f8e4m3_to_f32(w_tile_10);
      t67_shared[t67_shared_at + 1440] = t67_shared_tile_10;
      let t67_shared_tile_11: f32 = tw_f8e4m3_to_f32(w_tile_11);
      t67_shared[t67_shared_at + 1584] = t67_shared_tile_11;
      let t67_shared_tile_12: f32 = tw_f8e4m3_to_f32(w_tile_12);
      t67_shared[t67_shared_at + 1728] = t67_shared_tile_12;
      let t67_shared_tile_13: f32 = tw_f8e4m3_to_f32(w_tile_13);
      t67_shared[t67_shared_at + 1872] = t67_shared_tile_13;
      let t67_shared_tile_14: f32 = tw_f8e4m3_to_f32(w_tile_14);
      t67_shared[t67_shared_at + 2016] = t67_shared_tile_14;
      let t67_shared_tile_15: f32 = tw_f8e4m3_to_f32(w_tile_15);
      t67_shared[t67_shared_at + 2160] = t67_shared_tile_15;
      workgroupBarrier();
      for (var r: i32 = 0; r < 8; r++) {
        var t64_shared_1_0: f32; var t64_shared_1_1: f32; var t64_shared_1_2: f32;
        var t64_shared_1_3: f32; var t64_shared_1_4: f32; var t64_shared_1_5: f32;
        var t64_shared_1_6: f32; var t64_shared_1_7: f32; var t64_shared_1_8: f32;
        var t64_shared_1_9: f32; var t64_shared_1_10: f32; var t64_shared_1_11: f32;
        var t64_shared_1_12: f32; var t64_shared_1_13: f32; var t64_shared_1_14: f32;
        var t64_shared_1_15: f32; var t64_shared_1_16: f32; var t64_shared_1_17: f32;
        var t64_shared_1_18: f32; var t64_shared_1_19: f32; var t64_shared_1_20: f32;
        var t64_shared_1_21: f32; var t64_shared_1_22: f32; var t64_shared_1_23: f32;
        var t64_shared_1_24: f32; var t64_shared_1_25: f32; var t64_shared_1_26: f32;
        var t64_shared_1_27: f32; var t64_shared_1_28: f32; var t64_shared_1_29: f32;
        var t64_shared_1_30: f32; var t64_shared_1_31: f32;
        var t67_shared_1_0: f32; var t67_shared_1_1: f32; var t67_shared_1_2: f32;
        var t67_shared_1_3: f32; var t67_shared_1_4: f32; var t67_shared_1_5: f32;
        var t67_shared_1_6: f32; var t67_shared_1_7: f32; var t67_shared_1_8: f32;
        var t67_shared_1_9: f32; var t67_shared_1_10: f32; var t67_shared_1_11: f32;
        var t67_shared_1_12: f32; var t67_shared_1_13: f32; var t67_shared_1_14: f32;
        var t67_shared_1_15: f32;
        let t64_shared_1_at = t64_shared_at_1 + r * 4;
        t64_shared_1_0 = t64_shared[t64_shared_1_at];
        t64_shared_1_1 = t64_shared[t64_shared_1_at + 1];
        t64_shared_1_2 = t64_shared[t64_shared_1_at + 2];
        t64_shared_1_3 = t64_shared[t64_shared_1_at + 3];
        let t64_shared_1_at_1 = t64_shared_at_1 + 256 + r * 4;
        t64_shared_1_4 = t64_shared[t64_shared_1_at_1];
        t64_shared_1_5 = t64_shared[t64_shared_1_at_1 + 1];
        t64_shared_1_6 = t64_shared[t64_shared_1_at_1 + 2];
        t64_shared_1_7 = t64_shared[t64_shared_1_at_1 + 3];
        let t64_shared_1_at_2 = t64_shared_at_1 + 512 + r * 4;
        t64_shared_1_8 = t64_shared[t64_shared_1_at_2];
        t64_shared_1_9 = t64_shared[t64_shared_1_at_2 + 1];
        t64_shared_1_10 = t64_shared[t64_shared_1_at_2 + 2];
        t64_shared_1_11 = t64_shared[t64_shared_1_at_2 + 3];
        let t64_shared_1_at_3 = t64_shared_at_1 + 768 + r * 4;
        t64_shared_1_12 = t64_shared[t64_shared_1_at_3];
        t64_shared_1_13 = t64_shared[t64_shared_1_at_3 + 1];
        t64_shared_1_14 = t64_shared[t64_shared_1_at_3 + 2];
        t64_shared_1_15 = t64_shared[t64_shared_1_at_3 + 3];
        let t64_shared_1_at_4 = t64_shared_at_1 + 1024 + r * 4;
        t64_shared_1_16 = t64_shared[t64_shared_1_at_4];
        t64_shared_1_17 = t64_shared[t64_shared_1_at_4 + 1];
        t64_shared_1_18 = t64_shared[t64_shared_1_at_4 + 2];
        t64_shared_1_19 = t64_shared[t64_shared_1_at_4 + 3];
        let t64_shared_1_at_5 = t64_shared_at_1 + 1280 + r * 4;
        t64_shared_1_20 = t64_shared[t64_shared_1_at_5];
        t64_shared_1_21 = t64_shared[t64_shared_1_at_5 + 1];
        t64_shared_1_22 = t64_shared[t64_shared_1_at_5 + 2];
        t64_shared_1_23 = t64_shared[t64_shared_1_at_5 + 3];
        let t64_shared_1_at_6 = t64_shared_at_1 + 1536 + r * 4;
        t64_shared_1_24 = t64_shared[t64_shared_1_at_6];
        t64_shared_1_25 = t64_shared[t64_shared_1_at_6 + 1];
        t64_shared_1_26 = t64_shared[t64_shared_1_at_6 + 2];
        t64_shared_1_27 = t64_shared[t64_shared_1_at_6 + 3];
        let t64_shared_1_at_7 = t64_shared_at_1 + 1792 + r * 4;
        t64_shared_1_28 = t64_shared[t64_shared_1_at_7];
        t64_shared_1_29 = t64_shared[t64_shared_1_at_7 + 1];
        t64_shared_1_30 = t64_shared[t64_shared_1_at_7 + 2];
        t64_shared_1_31 = t64_shared[t64_shared_1_at_7 + 3];
        let t67_shared_1_at = t67_shared_at_1 + r * 4;
        t67_shared_1_0 = t67_shared[t67_shared_1_at];
        t67_shared_1_1 = t67_shared[t67_shared_1_at + 1];
        t67_shared_1_2 = t67_shared[t67_shared_1_at + 2];
        t67_shared_1_3 = t67_shared[t67_shared_1_at + 3];
        let t67_shared_1_at_1 = t67_shared_at_1 + 36 + r * 4;
        t67_shared_1_4 = t67_shared[t67_shared_1_at_1];
        t67_shared_1_5 = t67_shared[t67_shared_1_at_1 + 1];
        t67_shared_1_6 = t67_shared[t67_shared_1_at_1 + 2];
        t67_shared_1_7 = t67_shared[t67_shared_1_at_1 + 3];
        let t67_shared_1_at_2 = t67_shared_at_1 + 72 + r * 4;
        t67_shared_1_8 = t67_shared[t67_shared_1_at_2];
        t67_shared_1_9 = t67_shared[t67_shared_1_at_2 + 1];
        t67_shared_1_10 = t67_shared[t67_shared_1_at_2 + 2];
        t67_shared_1_11 = t67_shared[t67_shared_1_at_2 + 3];
        let t67_shared_1_at_3 = t67_shared_at_1 + 108 + r * 4;
        t67_shared_1_12 = t67_shared[t67_shared_1_at_3];
        t67_shared_1_13 = t67_shared[t67_shared_1_at_3 + 1];
        t67_shared_1_14 = t67_shared[t67_shared_1_at_3 + 2];
        t67_shared_1_15 = t67_shared[t67_shared_1_at_3 + 3];
        product_0 = fma(t64_shared_1_0, t67_shared_1_0, product_0);
        product_1 = fma(t64_shared_1_0, t67_shared_1_4, product_1);
        product_2 = fma(t64_shared_1_0, t67_shared_1_8, product_2);
        product_3 = fma(t64_shared_1_0, t67_shared_1_12, product_3);
        product_4 = fma(t64_shared_1_4, t67_shared_1_0, product_4);
        product_5 = fma(t64_shared_1_4, t67_shared_1_4, product_5);
        product_6 = fma(t64_shared_1_4, t67_shared_1_8, product_6);
        product_7 = fma(t64_shared_1_4, t67_shared_1_12, product_7);
        product_8 = fma(t64_shared_1_8, t67_shared_1_0, product_8);
        product_9 = fma(t64_shared_1_8, t67_shared_1_4, product_9);
        product_10 = fma(t64_shared_1_8, t67_shared_1_8, product_10);
        product_11 = fma(t64_shared_1_8, t67_shared_1_12, product_11);
        product_12 = fma(t64_shared_1_12, t67_shared_1_0, product_12);
        product_13 = fma(t64_shared_1_12, t67_shared_1_4, product_13);
        product_14 = fma(t64_shared_1_12, t67_shared_1_8, product_14);
        product_15 = fma(t64_shared_1_12, t67_shared_1_12, product_15);
        product_16 = fma(t64_shared_1_16, t67_shared_1_0, product_16);
        product_17 = fma(t64_shared_1_16, t67_shared_1_4, product_17);
        product_18 = fma(t64_shared_1_16, t67_shared_1_8, product_18);
        product_19 = fma(t64_shared_1_16, t67_shared_1_12, product_19);
        product_20 = fma(t64_shared_1_20, t67_shared_1_0, product_20);
        product_21 = fma(t64_shared_1_20, t67_shared_1_4, product_21);
        product_22 = fma(t64_shared_1_20, t67_shared_1_8, product_22);
        product_23 = fma(t64_shared_1_20, t67_shared_1_12, product_23);
        product_24 = fma(t64_shared_1_24, t67_shared_1_0, product_24);
        product_25 = fma(t64_shared_1_24, t67_shared_1_4, product_25);
        product_26 = fma(t64_shared_1_24, t67_shared_1_8, product_26);
        product_27 = fma(t64_shared_1_24, t67_shared_1_12, product_27);
        product_28 = fma(t64_shared_1_28, t67_shared_1_0, product_28);
        product_29 = fma(t64_shared_1_28, t67_shared_1_4, product_29);
        product_30 = fma(t64_shared_1_28, t67_shared_1_8, product_30);
        product_31 = fma(t64_shared_1_28, t67_shared_1_12, product_31);
        product_0 = fma(t64_shared_1_1, t67_shared_1_1, product_0);
        product_1 = fma(t64_shared_1_1, t67_shared_1_5, product_1);
        product_2 = fma(t64_shared_1_1, t67_shared_1_9, product_2);
        product_3 = fma(t64_shared_1_1, t67_shared_1_13, product_3);
        product_4 = fma(t64_shared_1_5, t67_shared_1_1, product_4);
        product_5 = fma(t64_shared_1_5, t67_shared_1_5, product_5);
        product_6 = fma(t64_shared_1_5, t67_shared_1_9, product_6);
        product_7 = fma(t64_shared_1_5, t67_shared_1_13, product_7);
        product_8 = fma(t64_shared_1_9, t67_shared_1_1, product_8);
        product_9 = fma(t64_shared_1_9, t67_shared_1_5, product_9);
        product_10 = fma(t64_shared_1_9, t67_shared_1_9, product_10);
        product_11 = fma(t64_shared_1_9, t67_shared_1_13, product_11);
        product_12 = fma(t64_shared_1_13, t67_shared_1_1, product_12);
        product_13 = fma(t64_shared_1_13, t67_shared_1_5, product_13);
        product_14 = fma(t64_shared_1_13, t67_shared_1_9, product_14);
        product_15 = fma(t64_shared_1_13, t67_shared_1_13, product_15);
        product_16 = fma(t64_shared_1_17, t67_shared_1_1, product_16);
        product_17 = fma(t64_shared_1_17, t67_shared_1_5, product_17);
        product_18 = fma(t64_shared_1_17, t67_shared_1_9, product_18);
        product_19 = fma(t64_shared_1_17, t67_shared_1_13, product_19);
        product_20 = fma(t64_shared_1_21, t67_shared_1_1, product_20);
        product_21 = fma(t64_shared_1_21, t67_shared_1_5, product_21);
        product_22 = fma(t64_shared_1_21, t67_shared_1_9, product_22);
        product_23 = fma(t64_shared_1_21, t67_shared_1_13, product_23);
        product_24 = fma(t64_shared_1_25, t67_shared_1_1, product_24);
        product_25 = fma(t64_shared_1_25, t67_shared_1_5, product_25);
        product_26 = fma(t64_shared_1_25, t67_shared_1_9, product_26);
        product_27 = fma(t64_shared_1_25, t67_shared_1_13, product_27);
        product_28 = fma(t64_shared_1_29, t67_shared_1_1, product_28);
        product_29 = fma(t64_shared_1_29, t67_shared_1_5, product_29);
        product_30 = fma(t64_shared_1_29, t67_shared_1_9, product_30);
        product_31 = fma(t64_shared_1_29, t67_shared_1_13, product_31);
        product_0 = fma(t64_shared_1_2, t67_shared_1_2, product_0);
        product_1 = fma(t64_shared_1_2, t67_shared_1_6, product_1);
        product_2 = fma(t64_shared_1_2, t67_shared_1_10, product_2);
        product_3 = fma(t64_shared_1_2, t67_shared_1_14, product_3);
        product_4 = fma(t64_shared_1_6, t67_shared_1_2, product_4);
        product_5 = fma(t64_shared_1_6, t67_shared_1_6, product_5);
        product_6 = fma(t64_shared_1_6, t67_shared_1_10, product_6);
        product_7 = fma(t64_shared_1_6, t67_shared_1_14, product_7);
        product_8 = fma(t64_shared_1_10, t67_shared_1_2, product_8);
        product_9 = fma(t64_shared_1_10, t67_shared_1_6, product_9);
        product_10 = fma(t64_shared_1_10, t67_shared_1_10, product_10);
        product_11 = fma(t64_shared_1_10, t67_shared_1_14, product_11);
        product_12 = fma(t64_shared_1_14, t67_shared_1_2, product_12);
        product_13 = fma(t64_shared_1_14, t67_shared_1_6, product_13);
        product_14 = fma(t64_shared_1_14, t67_shared_1_10, product_14);
        product_15 = fma(t64_shared_1_14, t67_shared_1_14, product_15);
        product_16 = fma(t64_shared_1_18, t67_shared_1_2, product_16);
        product_17 = fma(t64_shared_1_18, t67_shared_1_6, product_17);
        product_18 = fma(t64_shared_1_18, t67_shared_1_10, product_18);
        product_19 = fma(t64_shared_1_18, t67_shared_1_14, product_19);
        product_20 = fma(t64_shared_1_22, t67_shared_1_2, product_20);
        product_21 = fma(t64_shared_1_22, t67_shared_1_6, product_21);
        product_22 = fma(t64_shared_1_22, t67_shared_1_10, product_22);
        product_23 = fma(t64_shared_1_22, t67_shared_1_14, product_23);
        product_24 = fma(t64_shared_1_26, t67_shared_1_2, product_24);
        product_25 = fma(t64_shared_1_26, t67_shared_1_6, product_25);
        product_26 = fma(t64_shared_1_26, t67_shared_1_10, product_26);
        product_27 = fma(t64_shared_1_26, t67_shared_1_14, product_27);
        product_28 = fma(t64_shared_1_30, t67_shared_1_2, product_28);
        product_29 = fma(t64_shared_1_30, t67_shared_1_6, product_29);
        product_30 = fma(t64_shared_1_30, t67_shared_1_10, product_30);
        product_31 = fma(t64_shared_1_30, t67_shared_1_14, product_31);
        product_0 = fma(t64_shared_1_3, t67_shared_1_3, product_0);
        product_1 = fma(t64_shared_1_3, t67_shared_1_7, product_1);
        product_2 = fma(t64_shared_1_3, t67_shared_1_11, product_2);
        product_3 = fma(t64_shared_1_3, t67_shared_1_15, product_3);
        product_4 = fma(t64_shared_1_7, t67_shared_1_3, product_4);
        product_5 = fma(t64_shared_1_7, t67_shared_1_7, product_5);
        product_6 = fma(t64_shared_1_7, t67_shared_1_11, product_6);
        product_7 = fma(t64_shared_1_7, t67_shared_1_15, product_7);
        product_8 = fma(t64_shared_1_11, t67_shared_1_3, product_8);
        product_9 = fma(t64_shared_1_11, t67_shared_1_7, product_9);
        product_10 = fma(t64_shared_1_11, t67_shared_1_11, product_10);
        product_11 = fma(t64_shared_1_11, t67_shared_1_15, product_11);
        product_12 = fma(t64_shared_1_15, t67_shared_1_3, product_12);
        product_13 = fma(t64_shared_1_15, t67_shared_1_7, product_13);
        product_14 = fma(t64_shared_1_15, t67_shared_1_11, product_14);
        product_15 = fma(t64_shared_1_15, t67_shared_1_15, product_15);
        product_16 = fma(t64_shared_1_19, t67_shared_1_3, product_16);
        product_17 = fma(t64_shared_1_19, t67_shared_1_7, product_17);
        product_18 = fma(t64_shared_1_19, t67_shared_1_11, product_18);
        product_19 = fma(t64_shared_1_19, t67_shared_1_15, product_19);
        product_20 = fma(t64_shared_1_23, t67_shared_1_3, product_20);
        product_21 = fma(t64_shared_1_23, t67_shared_1_7, product_21);
        product_22 = fma(t64_shared_1_23, t67_shared_1_11, product_22);
        product_23 = fma(t64_shared_1_23, t67_shared_1_15, product_23);
        product_24 = fma(t64_shared_1_27, t67_shared_1_3, product_24);
        product_25 = fma(t64_shared_1_27, t67_shared_1_7, product_25);
        product_26 = fma(t64_shared_1_27, t67_shared_1_11, product_26);
        product_27 = fma(t64_shared_1_27, t67_shared_1_15, product_27);
        product_28 = fma(t64_shared_1_31, t67_shared_1_3, product_28);
        product_29 = fma(t64_shared_1_31, t67_shared_1_7, product_29);
        product_30 = fma(t64_shared_1_31, t67_shared_1_11, product_30);
        product_31 = fma(t64_shared_1_31, t67_shared_1_15, product_31);
      }
    }
    let at_3: i32 = k >> 7u;
    let wScale_at_1: i32 = wScale_at + at_3;
    var ofFirst: f32;
    ofFirst = wScale[wScale_at_1];
    let t_6: f32 = ofRows_0 * ofFirst;
    acc_0 = acc_0 + product_0 * t_6; acc_1 = acc_1 + product_1 * t_6;
    acc_2 = acc_2 + product_2 * t_6; acc_3 = acc_3 + product_3 * t_6; ofRows_0 = ofRows_2_1_0;
    ofRows_2_1_0 = ofRows_4_1_0;
    let t_7: f32 = ofRows_1 * ofFirst;
    acc_4 = acc_4 + product_4 * t_7; acc_5 = acc_5 + product_5 * t_7;
    acc_6 = acc_6 + product_6 * t_7; acc_7 = acc_7 + product_7 * t_7; ofRows_1 = ofRows_2_1_1;
    ofRows_2_1_1 = ofRows_4_1_1;
    let t_8: f32 = ofRows_2 * ofFirst;
    acc_8 = acc_8 + product_8 * t_8; acc_9 = acc_9 + product_9 * t_8;
    acc_10 = acc_10 + product_10 * t_8; acc_11 = acc_11 + product_11 * t_8; ofRows_2 = ofRows_2_1_2;
    ofRows_2_1_2 = ofRows_4_1_2;
    let t_9: f32 = ofRows_3 * ofFirst;
    acc_12 = acc_12 + product_12 * t_9; acc_13 = acc_13 + product_13 * t_9;
    acc_14 = acc_14 + product_14 * t_9; acc_15 = acc_15 + product_15 * t_9; ofRows_3 = ofRows_2_1_3;
    ofRows_2_1_3 = ofRows_4_1_3;
    let t_10: f32 = ofRows_4 * ofFirst;
    acc_16 = acc_16 + product_16 * t_10; acc_17 = acc_17 + product_17 * t_10;
    acc_18 = acc_18 + product_18 * t_10; acc_19 = acc_19 + product_19 * t_10;
    ofRows_4 = ofRows_2_1_4; ofRows_2_1_4 = ofRows_4_1_4;
    let t_11: f32 = ofRows_5 * ofFirst;
    acc_20 = acc_20 + product_20 * t_11; acc_21 = acc_21 + product_21 * t_11;
    acc_22 = acc_22 + product_22 * t_11; acc_23 = acc_23 + product_23 * t_11;
    ofRows_5 = ofRows_2_1_5; ofRows_2_1_5 = ofRows_4_1_5;
    let t_12: f32 = ofRows_6 * ofFirst;
    acc_24 = acc_24 + product_24 * t_12; acc_25 = acc_25 + product_25 * t_12;
    acc_26 = acc_26 + product_26 * t_12; acc_27 = acc_27 + product_27 * t_12;
    ofRows_6 = ofRows_2_1_6; ofRows_2_1_6 = ofRows_4_1_6;
    let t_13: f32 = ofRows_7 * ofFirst;
    acc_28 = acc_28 + product_28 * t_13; acc_29 = acc_29 + product_29 * t_13;
    acc_30 = acc_30 + product_30 * t_13; acc_31 = acc_31 + product_31 * t_13;
    ofRows_7 = ofRows_2_1_7; ofRows_2_1_7 = ofRows_4_1_7;
  }
  let t_BN: i32 = (thread >> 6u) * 32 + (thread & 7) * 4;
  let position_3: i32 = t_5 + t_BN;
  let bias_in: bool = u32(position_3) < u32(launch.N);
  var bias_tile_0: f32; var bias_tile_1: f32; var bias_tile_2: f32; var bias_tile_3: f32;
  let bias_tile_word = select(vec4<f32>(0.0f), bias[select(0, position_3 >> 2u, bias_in)], bias_in);
  bias_tile_0 = bias_tile_word.x; bias_tile_1 = bias_tile_word.y; bias_tile_2 = bias_tile_word.z;
  bias_tile_3 = bias_tile_word.w;
  let y_at: i32 = t_BM * launch.N + t_BN;
  let y_at_1: i32 = t_4 * launch.N + t_5 + y_at;
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
  y_tile_0 = tw_f32_to_bf16(acc_0 + bias_tile_0); y_tile_1 = tw_f32_to_bf16(acc_1 + bias_tile_1);
  y_tile_2 = tw_f32_to_bf16(acc_2 + bias_tile_2); y_tile_3 = tw_f32_to_bf16(acc_3 + bias_tile_3);
  if (bias_in & (u32(position) < u32(launch.M))) {
    y[y_at_1 >> 2u] = vec2<u32>(y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
  }
  var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
  y_tile_1_1_0 = tw_f32_to_bf16(acc_4 + bias_tile_0);
  y_tile_1_1_1 = tw_f32_to_bf16(acc_5 + bias_tile_1);
  y_tile_1_1_2 = tw_f32_to_bf16(acc_6 + bias_tile_2);
  y_tile_1_1_3 = tw_f32_to_bf16(acc_7 + bias_tile_3);
  if (bias_in & (u32(position + 8) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 8) >> 2u] = vec2<u32>(
        y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u));
  }
  var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
  y_tile_2_1_0 = tw_f32_to_bf16(acc_8 + bias_tile_0);
  y_tile_2_1_1 = tw_f32_to_bf16(acc_9 + bias_tile_1);
  y_tile_2_1_2 = tw_f32_to_bf16(acc_10 + bias_tile_2);
  y_tile_2_1_3 = tw_f32_to_bf16(acc_11 + bias_tile_3);
  if (bias_in & (u32(position + 16) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 16) >> 2u] = vec2<u32>(
        y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u));
  }
  var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
  y_tile_3_1_0 = tw_f32_to_bf16(acc_12 + bias_tile_0);
  y_tile_3_1_1 = tw_f32_to_bf16(acc_13 + bias_tile_1);
  y_tile_3_1_2 = tw_f32_to_bf16(acc_14 + bias_tile_2);
  y_tile_3_1_3 = tw_f32_to_bf16(acc_15 + bias_tile_3);
  if (bias_in & (u32(position + 24) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 24) >> 2u] = vec2<u32>(
        y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u));
  }
  var y_tile_4_0: u32; var y_tile_4_1: u32; var y_tile_4_2: u32; var y_tile_4_3: u32;
  y_tile_4_0 = tw_f32_to_bf16(acc_16 + bias_tile_0);
  y_tile_4_1 = tw_f32_to_bf16(acc_17 + bias_tile_1);
  y_tile_4_2 = tw_f32_to_bf16(acc_18 + bias_tile_2);
  y_tile_4_3 = tw_f32_to_bf16(acc_19 + bias_tile_3);
  if (bias_in & (u32(position + 32) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 32) >> 2u] = vec2<u32>(
        y_tile_4_0 | (y_tile_4_1 << 16u), y_tile_4_2 | (y_tile_4_3 << 16u));
  }
  var y_tile_5_0: u32; var y_tile_5_1: u32; var y_tile_5_2: u32; var y_tile_5_3: u32;
  y_tile_5_0 = tw_f32_to_bf16(acc_20 + bias_tile_0);
  y_tile_5_1 = tw_f32_to_bf16(acc_21 + bias_tile_1);
  y_tile_5_2 = tw_f32_to_bf16(acc_22 + bias_tile_2);
  y_tile_5_3 = tw_f32_to_bf16(acc_23 + bias_tile_3);
  if (bias_in & (u32(position + 40) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 40) >> 2u] = vec2<u32>(
        y_tile_5_0 | (y_tile_5_1 << 16u), y_tile_5_2 | (y_tile_5_3 << 16u));
  }
  var y_tile_6_0: u32; var y_tile_6_1: u32; var y_tile_6_2: u32; var y_tile_6_3: u32;
  y_tile_6_0 = tw_f32_to_bf16(acc_24 + bias_tile_0);
  y_tile_6_1 = tw_f32_to_bf16(acc_25 + bias_tile_1);
  y_tile_6_2 = tw_f32_to_bf16(acc_26 + bias_tile_2);
  y_tile_6_3 = tw_f32_to_bf16(acc_27 + bias_tile_3);
  if (bias_in & (u32(position + 48) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 48) >> 2u] = vec2<u32>(
        y_tile_6_0 | (y_tile_6_1 << 16u), y_tile_6_2 | (y_tile_6_3 << 16u));
  }
  var y_tile_7_0: u32; var y_tile_7_1: u32; var y_tile_7_2: u32; var y_tile_7_3: u32;
  y_tile_7_0 = tw_f32_to_bf16(acc_28 + bias_tile_0);
  y_tile_7_1 = tw_f32_to_bf16(acc_29 + bias_tile_1);
  y_tile_7_2 = tw_f32_to_bf16(acc_30 + bias_tile_2);
  y_tile_7_3 = tw_f32_to_bf16(acc_31 + bias_tile_3);
  if (bias_in & (u32(position + 56) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 56) >> 2u] = vec2<u32>(
        y_tile_7_0 | (y_tile_7_1 << 16u), y_tile_7_2 | (y_tile_7_3 << 16u));
  }
}
