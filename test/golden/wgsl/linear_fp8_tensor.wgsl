// linear_fp8_tensor for wgsl, made by tilewright
// dtypes: O=bf16
// config: BM=64 BN=64 BK=64 stages=3 group=8
// dims divisible: M%2 K%16 N%8
// 128 threads, 32768 bytes of shared memory
//       0 … 16384: t39_shared f32[4096]
//   16384 … 32768: t40_shared f32[4096]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  K: i32,
  N: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> xScale: array<f32>;
@group(0) @binding(3) var<storage, read> wScale: array<f32>;
@group(0) @binding(4) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(6) var<uniform> launch: TwLaunch;
var<workgroup> t39_shared: array<vec4<f32>, 1024>;
var<workgroup> t40_shared: array<vec4<f32>, 1024>;

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
fn linear_fp8_tensor(
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
  var t_6_0: u32; var t_6_1: u32; var t_6_2: u32; var t_6_3: u32; var t_6_4: u32; var t_6_5: u32;
  var t_6_6: u32; var t_6_7: u32; var t_6_8: u32; var t_6_9: u32; var t_6_10: u32; var t_6_11: u32;
  var t_6_12: u32; var t_6_13: u32; var t_6_14: u32; var t_6_15: u32; var t_6_16: u32;
  var t_6_17: u32; var t_6_18: u32; var t_6_19: u32; var t_6_20: u32; var t_6_21: u32;
  var t_6_22: u32; var t_6_23: u32; var t_6_24: u32; var t_6_25: u32; var t_6_26: u32;
  var t_6_27: u32; var t_6_28: u32; var t_6_29: u32; var t_6_30: u32; var t_6_31: u32;
  var t_7_0: u32; var t_7_1: u32; var t_7_2: u32; var t_7_3: u32; var t_7_4: u32; var t_7_5: u32;
  var t_7_6: u32; var t_7_7: u32; var t_7_8: u32; var t_7_9: u32; var t_7_10: u32; var t_7_11: u32;
  var t_7_12: u32; var t_7_13: u32; var t_7_14: u32; var t_7_15: u32; var t_7_16: u32;
  var t_7_17: u32; var t_7_18: u32; var t_7_19: u32; var t_7_20: u32; var t_7_21: u32;
  var t_7_22: u32; var t_7_23: u32; var t_7_24: u32; var t_7_25: u32; var t_7_26: u32;
  var t_7_27: u32; var t_7_28: u32; var t_7_29: u32; var t_7_30: u32; var t_7_31: u32;
  let t_BM: i32 = thread >> 2u;
  let t_BK: i32 = (thread & 3) * 16;
  let x_at: i32 = t_BM * launch.K + t_BK;
  let x_at_1: i32 = t_4 * launch.K + x_at;
  let position: i32 = t_4 + t_BM;
  let w_at: i32 = t_5 * launch.K + x_at;
  let position_1: i32 = t_5 + t_BM;
  if (more) {
    let x_in: bool = t_BK < launch.K;
    var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
    var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32; var x_tile_8: u32; var x_tile_9: u32;
    var x_tile_10: u32; var x_tile_11: u32; var x_tile_12: u32; var x_tile_13: u32;
    var x_tile_14: u32; var x_tile_15: u32; var x_tile_16: u32; var x_tile_17: u32;
    var x_tile_18: u32; var x_tile_19: u32; var x_tile_20: u32; var x_tile_21: u32;
    var x_tile_22: u32; var x_tile_23: u32; var x_tile_24: u32; var x_tile_25: u32;
    var x_tile_26: u32; var x_tile_27: u32; var x_tile_28: u32; var x_tile_29: u32;
    var x_tile_30: u32; var x_tile_31: u32;
    let x_tile_in = x_in & (u32(position) < u32(launch.M));
    let x_tile_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 4u, x_tile_in)], x_tile_in);
    x_tile_0 = extractBits(x_tile_word.x, 0u, 8u); x_tile_1 = extractBits(x_tile_word.x, 8u, 8u);
    x_tile_2 = extractBits(x_tile_word.x, 16u, 8u); x_tile_3 = extractBits(x_tile_word.x, 24u, 8u);
    x_tile_4 = extractBits(x_tile_word.y, 0u, 8u); x_tile_5 = extractBits(x_tile_word.y, 8u, 8u);
    x_tile_6 = extractBits(x_tile_word.y, 16u, 8u); x_tile_7 = extractBits(x_tile_word.y, 24u, 8u);
    x_tile_8 = extractBits(x_tile_word.z, 0u, 8u); x_tile_9 = extractBits(x_tile_word.z, 8u, 8u);
    x_tile_10 = extractBits(x_tile_word.z, 16u, 8u);
    x_tile_11 = extractBits(x_tile_word.z, 24u, 8u); x_tile_12 = extractBits(x_tile_word.w, 0u, 8u);
    x_tile_13 = extractBits(x_tile_word.w, 8u, 8u); x_tile_14 = extractBits(x_tile_word.w, 16u, 8u);
    x_tile_15 = extractBits(x_tile_word.w, 24u, 8u);
    let x_tile_in_1 = x_in & (u32(position + 32) < u32(launch.M));
    let x_tile_word_1 = select(
        vec4<u32>(0u), x[select(0, (x_at_1 + launch.K * 32) >> 4u, x_tile_in_1)], x_tile_in_1);
    x_tile_16 = extractBits(x_tile_word_1.x, 0u, 8u);
    x_tile_17 = extractBits(x_tile_word_1.x, 8u, 8u);
    x_tile_18 = extractBits(x_tile_word_1.x, 16u, 8u);
    x_tile_19 = extractBits(x_tile_word_1.x, 24u, 8u);
    x_tile_20 = extractBits(x_tile_word_1.y, 0u, 8u);
    x_tile_21 = extractBits(x_tile_word_1.y, 8u, 8u);
    x_tile_22 = extractBits(x_tile_word_1.y, 16u, 8u);
    x_tile_23 = extractBits(x_tile_word_1.y, 24u, 8u);
    x_tile_24 = extractBits(x_tile_word_1.z, 0u, 8u);
    x_tile_25 = extractBits(x_tile_word_1.z, 8u, 8u);
    x_tile_26 = extractBits(x_tile_word_1.z, 16u, 8u);
    x_tile_27 = extractBits(x_tile_word_1.z, 24u, 8u);
    x_tile_28 = extractBits(x_tile_word_1.w, 0u, 8u);
    x_tile_29 = extractBits(x_tile_word_1.w, 8u, 8u);
    x_tile_30 = extractBits(x_tile_word_1.w, 16u, 8u);
    x_tile_31 = extractBits(x_tile_word_1.w, 24u, 8u);
    var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
    var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32; var w_tile_8: u32; var w_tile_9: u32;
    var w_tile_10: u32; var w_tile_11: u32; var w_tile_12: u32; var w_tile_13: u32;
    var w_tile_14: u32; var w_tile_15: u32; var w_tile_16: u32; var w_tile_17: u32;
    var w_tile_18: u32; var w_tile_19: u32; var w_tile_20: u32; var w_tile_21: u32;
    var w_tile_22: u32; var w_tile_23: u32; var w_tile_24: u32; var w_tile_25: u32;
    var w_tile_26: u32; var w_tile_27: u32; var w_tile_28: u32; var w_tile_29: u32;
    var w_tile_30: u32; var w_tile_31: u32;
    let w_tile_in = x_in & (u32(position_1) < u32(launch.N));
    let w_tile_word = select(vec4<u32>(0u), w[select(0, w_at >> 4u, w_tile_in)], w_tile_in);
    w_tile_0 = extractBits(w_tile_word.x, 0u, 8u); w_tile_1 = extractBits(w_tile_word.x, 8u, 8u);
    w_tile_2 = extractBits(w_tile_word.x, 16u, 8u); w_tile_3 = extractBits(w_tile_word.x, 24u, 8u);
    w_tile_4 = extractBits(w_tile_word.y, 0u, 8u); w_tile_5 = extractBits(w_tile_word.y, 8u, 8u);
    w_tile_6 = extractBits(w_tile_word.y, 16u, 8u); w_tile_7 = extractBits(w_tile_word.y, 24u, 8u);
    w_tile_8 = extractBits(w_tile_word.z, 0u, 8u); w_tile_9 = extractBits(w_tile_word.z, 8u, 8u);
    w_tile_10 = extractBits(w_tile_word.z, 16u, 8u);
    w_tile_11 = extractBits(w_tile_word.z, 24u, 8u); w_tile_12 = extractBits(w_tile_word.w, 0u, 8u);
    w_tile_13 = extractBits(w_tile_word.w, 8u, 8u); w_tile_14 = extractBits(w_tile_word.w, 16u, 8u);
    w_tile_15 = extractBits(w_tile_word.w, 24u, 8u);
    let w_tile_in_1 = x_in & (u32(position_1 + 32) < u32(launch.N));
    let w_tile_word_1 = select(
        vec4<u32>(0u), w[select(0, (w_at + launch.K * 32) >> 4u, w_tile_in_1)], w_tile_in_1);
    w_tile_16 = extractBits(w_tile_word_1.x, 0u, 8u);
    w_tile_17 = extractBits(w_tile_word_1.x, 8u, 8u);
    w_tile_18 = extractBits(w_tile_word_1.x, 16u, 8u);
    w_tile_19 = extractBits(w_tile_word_1.x, 24u, 8u);
    w_tile_20 = extractBits(w_tile_word_1.y, 0u, 8u);
    w_tile_21 = extractBits(w_tile_word_1.y, 8u, 8u);
    w_tile_22 = extractBits(w_tile_word_1.y, 16u, 8u);
    w_tile_23 = extractBits(w_tile_word_1.y, 24u, 8u);
    w_tile_24 = extractBits(w_tile_word_1.z, 0u, 8u);
    w_tile_25 = extractBits(w_tile_word_1.z, 8u, 8u);
    w_tile_26 = extractBits(w_tile_word_1.z, 16u, 8u);
    w_tile_27 = extractBits(w_tile_word_1.z, 24u, 8u);
    w_tile_28 = extractBits(w_tile_word_1.w, 0u, 8u);
    w_tile_29 = extractBits(w_tile_word_1.w, 8u, 8u);
    w_tile_30 = extractBits(w_tile_word_1.w, 16u, 8u);
    w_tile_31 = extractBits(w_tile_word_1.w, 24u, 8u);
    t_6_0 = x_tile_0; t_7_0 = w_tile_0; t_6_1 = x_tile_1; t_7_1 = w_tile_1; t_6_2 = x_tile_2;
    t_7_2 = w_tile_2; t_6_3 = x_tile_3; t_7_3 = w_tile_3; t_6_4 = x_tile_4; t_7_4 = w_tile_4;
    t_6_5 = x_tile_5; t_7_5 = w_tile_5; t_6_6 = x_tile_6; t_7_6 = w_tile_6; t_6_7 = x_tile_7;
    t_7_7 = w_tile_7; t_6_8 = x_tile_8; t_7_8 = w_tile_8; t_6_9 = x_tile_9; t_7_9 = w_tile_9;
    t_6_10 = x_tile_10; t_7_10 = w_tile_10; t_6_11 = x_tile_11; t_7_11 = w_tile_11;
    t_6_12 = x_tile_12; t_7_12 = w_tile_12; t_6_13 = x_tile_13; t_7_13 = w_tile_13;
    t_6_14 = x_tile_14; t_7_14 = w_tile_14; t_6_15 = x_tile_15; t_7_15 = w_tile_15;
    t_6_16 = x_tile_16; t_7_16 = w_tile_16; t_6_17 = x_tile_17; t_7_17 = w_tile_17;
    t_6_18 = x_tile_18; t_7_18 = w_tile_18; t_6_19 = x_tile_19; t_7_19 = w_tile_19;
    t_6_20 = x_tile_20; t_7_20 = w_tile_20; t_6_21 = x_tile_21; t_7_21 = w_tile_21;
    t_6_22 = x_tile_22; t_7_22 = w_tile_22; t_6_23 = x_tile_23; t_7_23 = w_tile_23;
    t_6_24 = x_tile_24; t_7_24 = w_tile_24; t_6_25 = x_tile_25; t_7_25 = w_tile_25;
    t_6_26 = x_tile_26; t_7_26 = w_tile_26; t_6_27 = x_tile_27; t_7_27 = w_tile_27;
    t_6_28 = x_tile_28; t_7_28 = w_tile_28; t_6_29 = x_tile_29; t_7_29 = w_tile_29;
    t_6_30 = x_tile_30; t_7_30 = w_tile_30; t_6_31 = x_tile_31; t_7_31 = w_tile_31;
  } else {
    t_6_0 = 0u; t_7_0 = 0u; t_6_1 = 0u; t_7_1 = 0u; t_6_2 = 0u; t_7_2 = 0u; t_6_3 = 0u; t_7_3 = 0u;
    t_6_4 = 0u; t_7_4 = 0u; t_6_5 = 0u; t_7_5 = 0u; t_6_6 = 0u; t_7_6 = 0u; t_6_7 = 0u; t_7_7 = 0u;
    t_6_8 = 0u; t_7_8 = 0u; t_6_9 = 0u; t_7_9 = 0u; t_6_10 = 0u; t_7_10 = 0u; t_6_11 = 0u;
    t_7_11 = 0u; t_6_12 = 0u; t_7_12 = 0u; t_6_13 = 0u; t_7_13 = 0u; t_6_14 = 0u; t_7_14 = 0u;
    t_6_15 = 0u; t_7_15 = 0u; t_6_16 = 0u; t_7_16 = 0u; t_6_17 = 0u; t_7_17 = 0u; t_6_18 = 0u;
    t_7_18 = 0u; t_6_19 = 0u; t_7_19 = 0u; t_6_20 = 0u; t_7_20 = 0u; t_6_21 = 0u; t_7_21 = 0u;
    t_6_22 = 0u; t_7_22 = 0u; t_6_23 = 0u; t_7_23 = 0u; t_6_24 = 0u; t_7_24 = 0u; t_6_25 = 0u;
    t_7_25 = 0u; t_6_26 = 0u; t_7_26 = 0u; t_6_27 = 0u; t_7_27 = 0u; t_6_28 = 0u; t_7_28 = 0u;
    t_6_29 = 0u; t_7_29 = 0u; t_6_30 = 0u; t_7_30 = 0u; t_6_31 = 0u; t_7_31 = 0u;
  }
  let more_1: bool = 64 < launch.K;
  var t_8_0: u32; var t_8_1: u32; var t_8_2: u32; var t_8_3: u32; var t_8_4: u32; var t_8_5: u32;
  var t_8_6: u32; var t_8_7: u32; var t_8_8: u32; var t_8_9: u32; var t_8_10: u32; var t_8_11: u32;
  var t_8_12: u32; var t_8_13: u32; var t_8_14: u32; var t_8_15: u32; var t_8_16: u32;
  var t_8_17: u32; var t_8_18: u32; var t_8_19: u32; var t_8_20: u32; var t_8_21: u32;
  var t_8_22: u32; var t_8_23: u32; var t_8_24: u32; var t_8_25: u32; var t_8_26: u32;
  var t_8_27: u32; var t_8_28: u32; var t_8_29: u32; var t_8_30: u32; var t_8_31: u32;
  var t_9_0: u32; var t_9_1: u32; var t_9_2: u32; var t_9_3: u32; var t_9_4: u32; var t_9_5: u32;
  var t_9_6: u32; var t_9_7: u32; var t_9_8: u32; var t_9_9: u32; var t_9_10: u32; var t_9_11: u32;
  var t_9_12: u32; var t_9_13: u32; var t_9_14: u32; var t_9_15: u32; var t_9_16: u32;
  var t_9_17: u32; var t_9_18: u32; var t_9_19: u32; var t_9_20: u32; var t_9_21: u32;
  var t_9_22: u32; var t_9_23: u32; var t_9_24: u32; var t_9_25: u32; var t_9_26: u32;
  var t_9_27: u32; var t_9_28: u32; var t_9_29: u32; var t_9_30: u32; var t_9_31: u32;
  if (more_1) {
    let left: i32 = launch.K - 64;
    let x_in_1: bool = t_BK < left;
    var x_tile_1_0: u32; var x_tile_1_1: u32; var x_tile_1_2: u32; var x_tile_1_3: u32;
    var x_tile_1_4: u32; var x_tile_1_5: u32; var x_tile_1_6: u32; var x_tile_1_7: u32;
    var x_tile_1_8: u32; var x_tile_1_9: u32; var x_tile_1_10: u32; var x_tile_1_11: u32;
    var x_tile_1_12: u32; var x_tile_1_13: u32; var x_tile_1_14: u32; var x_tile_1_15: u32;
    var x_tile_1_16: u32; var x_tile_1_17: u32; var x_tile_1_18: u32; var x_tile_1_19: u32;
    var x_tile_1_20: u32; var x_tile_1_21: u32; var x_tile_1_22: u32; var x_tile_1_23: u32;
    var x_tile_1_24: u32; var x_tile_1_25: u32; var x_tile_1_26: u32; var x_tile_1_27: u32;
    var x_tile_1_28: u32; var x_tile_1_29: u32; var x_tile_1_30: u32; var x_tile_1_31: u32;
    let x_tile_1_in = x_in_1 & (u32(position) < u32(launch.M));
    let x_tile_1_word = select(
        vec4<u32>(0u), x[select(0, (x_at_1 + 64) >> 4u, x_tile_1_in)], x_tile_1_in);
    x_tile_1_0 = extractBits(x_tile_1_word.x, 0u, 8u);
    x_tile_1_1 = extractBits(x_tile_1_word.x, 8u, 8u);
    x_tile_1_2 = extractBits(x_tile_1_word.x, 16u, 8u);
    x_tile_1_3 = extractBits(x_tile_1_word.x, 24u, 8u);
    x_tile_1_4 = extractBits(x_tile_1_word.y, 0u, 8u);
    x_tile_1_5 = extractBits(x_tile_1_word.y, 8u, 8u);
    x_tile_1_6 = extractBits(x_tile_1_word.y, 16u, 8u);
    x_tile_1_7 = extractBits(x_tile_1_word.y, 24u, 8u);
    x_tile_1_8 = extractBits(x_tile_1_word.z, 0u, 8u);
    x_tile_1_9 = extractBits(x_tile_1_word.z, 8u, 8u);
    x_tile_1_10 = extractBits(x_tile_1_word.z, 16u, 8u);
    x_tile_1_11 = extractBits(x_tile_1_word.z, 24u, 8u);
    x_tile_1_12 = extractBits(x_tile_1_word.w, 0u, 8u);
    x_tile_1_13 = extractBits(x_tile_1_word.w, 8u, 8u);
    x_tile_1_14 = extractBits(x_tile_1_word.w, 16u, 8u);
    x_tile_1_15 = extractBits(x_tile_1_word.w, 24u, 8u);
    let x_tile_1_in_1 = x_in_1 & (u32(position + 32) < u32(launch.M));
    let x_tile_1_word_1 = select(vec4<u32>(0u), x[select(
        0, (x_at_1 + 64 + launch.K * 32) >> 4u, x_tile_1_in_1)], x_tile_1_in_1);
    x_tile_1_16 = extractBits(x_tile_1_word_1.x, 0u, 8u);
    x_tile_1_17 = extractBits(x_tile_1_word_1.x, 8u, 8u);
    x_tile_1_18 = extractBits(x_tile_1_word_1.x, 16u, 8u);
    x_tile_1_19 = extractBits(x_tile_1_word_1.x, 24u, 8u);
    x_tile_1_20 = extractBits(x_tile_1_word_1.y, 0u, 8u);
    x_tile_1_21 = extractBits(x_tile_1_word_1.y, 8u, 8u);
    x_tile_1_22 = extractBits(x_tile_1_word_1.y, 16u, 8u);
    x_tile_1_23 = extractBits(x_tile_1_word_1.y, 24u, 8u);
    x_tile_1_24 = extractBits(x_tile_1_word_1.z, 0u, 8u);
    x_tile_1_25 = extractBits(x_tile_1_word_1.z, 8u, 8u);
    x_tile_1_26 = extractBits(x_tile_1_word_1.z, 16u, 8u);
    x_tile_1_27 = extractBits(x_tile_1_word_1.z, 24u, 8u);
    x_tile_1_28 = extractBits(x_tile_1_word_1.w, 0u, 8u);
    x_tile_1_29 = extractBits(x_tile_1_word_1.w, 8u, 8u);
    x_tile_1_30 = extractBits(x_tile_1_word_1.w, 16u, 8u);
    x_tile_1_31 = extractBits(x_tile_1_word_1.w, 24u, 8u);
    var w_tile_1_0: u32; var w_tile_1_1: u32; var w_tile_1_2: u32; var w_tile_1_3: u32;
    var w_tile_1_4: u32; var w_tile_1_5: u32; var w_tile_1_6: u32; var w_tile_1_7: u32;
    var w_tile_1_8: u32; var w_tile_1_9: u32; var w_tile_1_10: u32; var w_tile_1_11: u32;
    var w_tile_1_12: u32; var w_tile_1_13: u32; var w_tile_1_14: u32; var w_tile_1_15: u32;
    var w_tile_1_16: u32; var w_tile_1_17: u32; var w_tile_1_18: u32; var w_tile_1_19: u32;
    var w_tile_1_20: u32; var w_tile_1_21: u32; var w_tile_1_22: u32; var w_tile_1_23: u32;
    var w_tile_1_24: u32; var w_tile_1_25: u32; var w_tile_1_26: u32; var w_tile_1_27: u32;
    var w_tile_1_28: u32; var w_tile_1_29: u32; var w_tile_1_30: u32; var w_tile_1_31: u32;
    let w_tile_1_in = x_in_1 & (u32(position_1) < u32(launch.N));
    let w_tile_1_word = select(
        vec4<u32>(0u), w[select(0, (w_at + 64) >> 4u, w_tile_1_in)], w_tile_1_in);
    w_tile_1_0 = extractBits(w_tile_1_word.x, 0u, 8u);
    w_tile_1_1 = extractBits(w_tile_1_word.x, 8u, 8u);
    w_tile_1_2 = extractBits(w_tile_1_word.x, 16u, 8u);
    w_tile_1_3 = extractBits(w_tile_1_word.x, 24u, 8u);
    w_tile_1_4 = extractBits(w_tile_1_word.y, 0u, 8u);
    w_tile_1_5 = extractBits(w_tile_1_word.y, 8u, 8u);
    w_tile_1_6 = extractBits(w_tile_1_word.y, 16u, 8u);
    w_tile_1_7 = extractBits(w_tile_1_word.y, 24u, 8u);
    w_tile_1_8 = extractBits(w_tile_1_word.z, 0u, 8u);
    w_tile_1_9 = extractBits(w_tile_1_word.z, 8u, 8u);
    w_tile_1_10 = extractBits(w_tile_1_word.z, 16u, 8u);
    w_tile_1_11 = extractBits(w_tile_1_word.z, 24u, 8u);
    w_tile_1_12 = extractBits(w_tile_1_word.w, 0u, 8u);
    w_tile_1_13 = extractBits(w_tile_1_word.w, 8u, 8u);
    w_tile_1_14 = extractBits(w_tile_1_word.w, 16u, 8u);
    w_tile_1_15 = extractBits(w_tile_1_word.w, 24u, 8u);
    let w_tile_1_in_1 = x_in_1 & (u32(position_1 + 32) < u32(launch.N));
    let w_tile_1_word_1 = select(vec4<u32>(0u), w[select(
        0, (w_at + 64 + launch.K * 32) >> 4u, w_tile_1_in_1)], w_tile_1_in_1);
    w_tile_1_16 = extractBits(w_tile_1_word_1.x, 0u, 8u);
    w_tile_1_17 = extractBits(w_tile_1_word_1.x, 8u, 8u);
    w_tile_1_18 = extractBits(w_tile_1_word_1.x, 16u, 8u);
    w_tile_1_19 = extractBits(w_tile_1_word_1.x, 24u, 8u);
    w_tile_1_20 = extractBits(w_tile_1_word_1.y, 0u, 8u);
    w_tile_1_21 = extractBits(w_tile_1_word_1.y, 8u, 8u);
    w_tile_1_22 = extractBits(w_tile_1_word_1.y, 16u, 8u);
    w_tile_1_23 = extractBits(w_tile_1_word_1.y, 24u, 8u);
    w_tile_1_24 = extractBits(w_tile_1_word_1.z, 0u, 8u);
    w_tile_1_25 = extractBits(w_tile_1_word_1.z, 8u, 8u);
    w_tile_1_26 = extractBits(w_tile_1_word_1.z, 16u, 8u);
    w_tile_1_27 = extractBits(w_tile_1_word_1.z, 24u, 8u);
    w_tile_1_28 = extractBits(w_tile_1_word_1.w, 0u, 8u);
    w_tile_1_29 = extractBits(w_tile_1_word_1.w, 8u, 8u);
    w_tile_1_30 = extractBits(w_tile_1_word_1.w, 16u, 8u);
    w_tile_1_31 = extractBits(w_tile_1_word_1.w, 24u, 8u);
    t_8_0 = x_tile_1_0; t_9_0 = w_tile_1_0; t_8_1 = x_tile_1_1; t_9_1 = w_tile_1_1;
    t_8_2 = x_tile_1_2; t_9_2 = w_tile_1_2; t_8_3 = x_tile_1_3; t_9_3 = w_tile_1_3;
    t_8_4 = x_tile_1_4; t_9_4 = w_tile_1_4; t_8_5 = x_tile_1_5; t_9_5 = w_tile_1_5;
    t_8_6 = x_tile_1_6; t_9_6 = w_tile_1_6; t_8_7 = x_tile_1_7; t_9_7 = w_tile_1_7;
    t_8_8 = x_tile_1_8; t_9_8 = w_tile_1_8; t_8_9 = x_tile_1_9; t_9_9 = w_tile_1_9;
    t_8_10 = x_tile_1_10; t_9_10 = w_tile_1_10; t_8_11 = x_tile_1_11; t_9_11 = w_tile_1_11;
    t_8_12 = x_tile_1_12; t_9_12 = w_tile_1_12; t_8_13 = x_tile_1_13; t_9_13 = w_tile_1_13;
    t_8_14 = x_tile_1_14; t_9_14 = w_tile_1_14; t_8_15 = x_tile_1_15; t_9_15 = w_tile_1_15;
    t_8_16 = x_tile_1_16; t_9_16 = w_tile_1_16; t_8_17 = x_tile_1_17; t_9_17 = w_tile_1_17;
    t_8_18 = x_tile_1_18; t_9_18 = w_tile_1_18; t_8_19 = x_tile_1_19; t_9_19 = w_tile_1_19;
    t_8_20 = x_tile_1_20; t_9_20 = w_tile_1_20; t_8_21 = x_tile_1_21; t_9_21 = w_tile_1_21;
    t_8_22 = x_tile_1_22; t_9_22 = w_tile_1_22; t_8_23 = x_tile_1_23; t_9_23 = w_tile_1_23;
    t_8_24 = x_tile_1_24; t_9_24 = w_tile_1_24; t_8_25 = x_tile_1_25; t_9_25 = w_tile_1_25;
    t_8_26 = x_tile_1_26; t_9_26 = w_tile_1_26; t_8_27 = x_tile_1_27; t_9_27 = w_tile_1_27;
    t_8_28 = x_tile_1_28; t_9_28 = w_tile_1_28; t_8_29 = x_tile_1_29; t_9_29 = w_tile_1_29;
    t_8_30 = x_tile_1_30; t_9_30 = w_tile_1_30; t_8_31 = x_tile_1_31; t_9_31 = w_tile_1_31;
  } else {
    t_8_0 = 0u; t_9_0 = 0u; t_8_1 = 0u; t_9_1 = 0u; t_8_2 = 0u; t_9_2 = 0u; t_8_3 = 0u; t_9_3 = 0u;
    t_8_4 = 0u; t_9_4 = 0u; t_8_5 = 0u; t_9_5 = 0u; t_8_6 = 0u; t_9_6 = 0u; t_8_7 = 0u; t_9_7 = 0u;
    t_8_8 = 0u; t_9_8 = 0u; t_8_9 = 0u; t_9_9 = 0u; t_8_10 = 0u; t_9_10 = 0u; t_8_11 = 0u;
    t_9_11 = 0u; t_8_12 = 0u; t_9_12 = 0u; t_8_13 = 0u; t_9_13 = 0u; t_8_14 = 0u; t_9_14 = 0u;
    t_8_15 = 0u; t_9_15 = 0u; t_8_16 = 0u; t_9_16 = 0u; t_8_17 = 0u; t_9_17 = 0u; t_8_18 = 0u;
    t_9_18 = 0u; t_8_19 = 0u; t_9_19 = 0u; t_8_20 = 0u; t_9_20 = 0u; t_8_21 = 0u; t_9_21 = 0u;
    t_8_22 = 0u; t_9_22 = 0u; t_8_23 = 0u; t_9_23 = 0u; t_8_24 = 0u; t_9_24 = 0u; t_8_25 = 0u;
    t_9_25 = 0u; t_8_26 = 0u; t_9_26 = 0u; t_8_27 = 0u; t_9_27 = 0u; t_8_28 = 0u; t_9_28 = 0u;
    t_8_29 = 0u; t_9_29 = 0u; t_8_30 = 0u; t_9_30 = 0u; t_8_31 = 0u; t_9_31 = 0u;
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
  let t39_shared_at: i32 = (thread & 3) * 16 + (thread >> 2u) * 64;
  let t39_shared_at_1: i32 = ((thread >> 3u) & 7) * 64;
  let t40_shared_at: i32 = (thread & 7) * 256 + (thread >> 6u) * 2048;
  for (var k: i32 = 0; k < launch.K; k += 64) {
    let k_1: i32 = k + 128;
    let more_2: bool = k_1 < launch.K;
    var t_10_0: u32; var t_10_1: u32; var t_10_2: u32; var t_10_3: u32; var t_10_4: u32;
    var t_10_5: u32; var t_10_6: u32; var t_10_7: u32; var t_10_8: u32; var t_10_9: u32;
    var t_10_10: u32; var t_10_11: u32; var t_10_12: u32; var t_10_13: u32; var t_10_14: u32;
    var t_10_15: u32; var t_10_16: u32; var t_10_17: u32; var t_10_18: u32; var t_10_19: u32;
    var t_10_20: u32; var t_10_21: u32; var t_10_22: u32; var t_10_23: u32; var t_10_24: u32;
    var t_10_25: u32; var t_10_26: u32; var t_10_27: u32; var t_10_28: u32; var t_10_29: u32;
    var t_10_30: u32; var t_10_31: u32;
    var t_11_0: u32; var t_11_1: u32; var t_11_2: u32; var t_11_3: u32; var t_11_4: u32;
    var t_11_5: u32; var t_11_6: u32; var t_11_7: u32; var t_11_8: u32; var t_11_9: u32;
    var t_11_10: u32; var t_11_11: u32; var t_11_12: u32; var t_11_13: u32; var t_11_14: u32;
    var t_11_15: u32; var t_11_16: u32; var t_11_17: u32; var t_11_18: u32; var t_11_19: u32;
    var t_11_20: u32; var t_11_21: u32; var t_11_22: u32; var t_11_23: u32; var t_11_24: u32;
    var t_11_25: u32; var t_11_26: u32; var t_11_27: u32; var t_11_28: u32; var t_11_29: u32;
    var t_11_30: u32; var t_11_31: u32;
    if (more_2) {
      let left_1: i32 = launch.K - k_1;
      let x_at_2: i32 = x_at_1 + k_1;
      let x_in_2: bool = t_BK < left_1;
      var x_tile_2_0: u32; var x_tile_2_1: u32; var x_tile_2_2: u32; var x_tile_2_3: u32;
      var x_tile_2_4: u32; var x_tile_2_5: u32; var x_tile_2_6: u32; var x_tile_2_7: u32;
      var x_tile_2_8: u32; var x_tile_2_9: u32; var x_tile_2_10: u32; var x_tile_2_11: u32;
      var x_tile_2_12: u32; var x_tile_2_13: u32; var x_tile_2_14: u32; var x_tile_2_15: u32;
      var x_tile_2_16: u32; var x_tile_2_17: u32; var x_tile_2_18: u32; var x_tile_2_19: u32;
      var x_tile_2_20: u32; var x_tile_2_21: u32; var x_tile_2_22: u32; var x_tile_2_23: u32;
      var x_tile_2_24: u32; var x_tile_2_25: u32; var x_tile_2_26: u32; var x_tile_2_27: u32;
      var x_tile_2_28: u32; var x_tile_2_29: u32; var x_tile_2_30: u32; var x_tile_2_31: u32;
      let x_tile_2_in = x_in_2 & (u32(position) < u32(launch.M));
      let x_tile_2_word = select(
          vec4<u32>(0u), x[select(0, x_at_2 >> 4u, x_tile_2_in)], x_tile_2_in);
      x_tile_2_0 = extractBits(x_tile_2_word.x, 0u, 8u);
      x_tile_2_1 = extractBits(x_tile_2_word.x, 8u, 8u);
      x_tile_2_2 = extractBits(x_tile_2_word.x, 16u, 8u);
      x_tile_2_3 = extractBits(x_tile_2_word.x, 24u, 8u);
      x_tile_2_4 = extractBits(x_tile_2_word.y, 0u, 8u);
      x_tile_2_5 = extractBits(x_tile_2_word.y, 8u, 8u);
      x_tile_2_6 = extractBits(x_tile_2_word.y, 16u, 8u);
      x_tile_2_7 = extractBits(x_tile_2_word.y, 24u, 8u);
      x_tile_2_8 = extractBits(x_tile_2_word.z, 0u, 8u);
      x_tile_2_9 = extractBits(x_tile_2_word.z, 8u, 8u);
      x_tile_2_10 = extractBits(x_tile_2_word.z, 16u, 8u);
      x_tile_2_11 = extractBits(x_tile_2_word.z, 24u, 8u);
      x_tile_2_12 = extractBits(x_tile_2_word.w, 0u, 8u);
      x_tile_2_13 = extractBits(x_tile_2_word.w, 8u, 8u);
      x_tile_2_14 = extractBits(x_tile_2_word.w, 16u, 8u);
      x_tile_2_15 = extractBits(x_tile_2_word.w, 24u, 8u);
      let x_tile_2_in_1 = x_in_2 & (u32(position + 32) < u32(launch.M));
      let x_tile_2_word_1 = select(vec4<u32>(0u), x[select(
          0, (x_at_2 + launch.K * 32) >> 4u, x_tile_2_in_1)], x_tile_2_in_1);
      x_tile_2_16 = extractBits(x_tile_2_word_1.x, 0u, 8u);
      x_tile_2_17 = extractBits(x_tile_2_word_1.x, 8u, 8u);
      x_tile_2_18 = extractBits(x_tile_2_word_1.x, 16u, 8u);
      x_tile_2_19 = extractBits(x_tile_2_word_1.x, 24u, 8u);
      x_tile_2_20 = extractBits(x_tile_2_word_1.y, 0u, 8u);
      x_tile_2_21 = extractBits(x_tile_2_word_1.y, 8u, 8u);
      x_tile_2_22 = extractBits(x_tile_2_word_1.y, 16u, 8u);
      x_tile_2_23 = extractBits(x_tile_2_word_1.y, 24u, 8u);
      x_tile_2_24 = extractBits(x_tile_2_word_1.z, 0u, 8u);
      x_tile_2_25 = extractBits(x_tile_2_word_1.z, 8u, 8u);
      x_tile_2_26 = extractBits(x_tile_2_word_1.z, 16u, 8u);
      x_tile_2_27 = extractBits(x_tile_2_word_1.z, 24u, 8u);
      x_tile_2_28 = extractBits(x_tile_2_word_1.w, 0u, 8u);
      x_tile_2_29 = extractBits(x_tile_2_word_1.w, 8u, 8u);
      x_tile_2_30 = extractBits(x_tile_2_word_1.w, 16u, 8u);
      x_tile_2_31 = extractBits(x_tile_2_word_1.w, 24u, 8u);
      let w_at_1: i32 = w_at + k_1;
      var w_tile_2_0: u32; var w_tile_2_1: u32; var w_tile_2_2: u32; var w_tile_2_3: u32;
      var w_tile_2_4: u32; var w_tile_2_5: u32; var w_tile_2_6: u32; var w_tile_2_7: u32;
      var w_tile_2_8: u32; var w_tile_2_9: u32; var w_tile_2_10: u32; var w_tile_2_11: u32;
      var w_tile_2_12: u32; var w_tile_2_13: u32; var w_tile_2_14: u32; var w_tile_2_15: u32;
      var w_tile_2_16: u32; var w_tile_2_17: u32; var w_tile_2_18: u32; var w_tile_2_19: u32;
      var w_tile_2_20: u32; var w_tile_2_21: u32; var w_tile_2_22: u32; var w_tile_2_23: u32;
      var w_tile_2_24: u32; var w_tile_2_25: u32; var w_tile_2_26: u32; var w_tile_2_27: u32;
      var w_tile_2_28: u32; var w_tile_2_29: u32; var w_tile_2_30: u32; var w_tile_2_31: u32;
      let w_tile_2_in = x_in_2 & (u32(position_1) < u32(launch.N));
      let w_tile_2_word = select(
          vec4<u32>(0u), w[select(0, w_at_1 >> 4u, w_tile_2_in)], w_tile_2_in);
      w_tile_2_0 = extractBits(w_tile_2_word.x, 0u, 8u);
      w_tile_2_1 = extractBits(w_tile_2_word.x, 8u, 8u);
      w_tile_2_2 = extractBits(w_tile_2_word.x, 16u, 8u);
      w_tile_2_3 = extractBits(w_tile_2_word.x, 24u, 8u);
      w_tile_2_4 = extractBits(w_tile_2_word.y, 0u, 8u);
      w_tile_2_5 = extractBits(w_tile_2_word.y, 8u, 8u);
      w_tile_2_6 = extractBits(w_tile_2_word.y, 16u, 8u);
      w_tile_2_7 = extractBits(w_tile_2_word.y, 24u, 8u);
      w_tile_2_8 = extractBits(w_tile_2_word.z, 0u, 8u);
      w_tile_2_9 = extractBits(w_tile_2_word.z, 8u, 8u);
      w_tile_2_10 = extractBits(w_tile_2_word.z, 16u, 8u);
      w_tile_2_11 = extractBits(w_tile_2_word.z, 24u, 8u);
      w_tile_2_12 = extractBits(w_tile_2_word.w, 0u, 8u);
      w_tile_2_13 = extractBits(w_tile_2_word.w, 8u, 8u);
      w_tile_2_14 = extractBits(w_tile_2_word.w, 16u, 8u);
      w_tile_2_15 = extractBits(w_tile_2_word.w, 24u, 8u);
      let w_tile_2_in_1 = x_in_2 & (u32(position_1 + 32) < u32(launch.N));
      let w_tile_2_word_1 = select(vec4<u32>(0u), w[select(
          0, (w_at_1 + launch.K * 32) >> 4u, w_tile_2_in_1)], w_tile_2_in_1);
      w_tile_2_16 = extractBits(w_tile_2_word_1.x, 0u, 8u);
      w_tile_2_17 = extractBits(w_tile_2_word_1.x, 8u, 8u);
      w_tile_2_18 = extractBits(w_tile_2_word_1.x, 16u, 8u);
      w_tile_2_19 = extractBits(w_tile_2_word_1.x, 24u, 8u);
      w_tile_2_20 = extractBits(w_tile_2_word_1.y, 0u, 8u);
      w_tile_2_21 = extractBits(w_tile_2_word_1.y, 8u, 8u);
      w_tile_2_22 = extractBits(w_tile_2_word_1.y, 16u, 8u);
      w_tile_2_23 = extractBits(w_tile_2_word_1.y, 24u, 8u);
      w_tile_2_24 = extractBits(w_tile_2_word_1.z, 0u, 8u);
      w_tile_2_25 = extractBits(w_tile_2_word_1.z, 8u, 8u);
      w_tile_2_26 = extractBits(w_tile_2_word_1.z, 16u, 8u);
      w_tile_2_27 = extractBits(w_tile_2_word_1.z, 24u, 8u);
      w_tile_2_28 = extractBits(w_tile_2_word_1.w, 0u, 8u);
      w_tile_2_29 = extractBits(w_tile_2_word_1.w, 8u, 8u);
      w_tile_2_30 = extractBits(w_tile_2_word_1.w, 16u, 8u);
      w_tile_2_31 = extractBits(w_tile_2_word_1.w, 24u, 8u);
      t_10_0 = x_tile_2_0; t_11_0 = w_tile_2_0; t_10_1 = x_tile_2_1; t_11_1 = w_tile_2_1;
      t_10_2 = x_tile_2_2; t_11_2 = w_tile_2_2; t_10_3 = x_tile_2_3; t_11_3 = w_tile_2_3;
      t_10_4 = x_tile_2_4; t_11_4 = w_tile_2_4; t_10_5 = x_tile_2_5; t_11_5 = w_tile_2_5;
      t_10_6 = x_tile_2_6; t_11_6 = w_tile_2_6; t_10_7 = x_tile_2_7; t_11_7 = w_tile_2_7;
      t_10_8 = x_tile_2_8; t_11_8 = w_tile_2_8; t_10_9 = x_tile_2_9; t_11_9 = w_tile_2_9;
      t_10_10 = x_tile_2_10; t_11_10 = w_tile_2_10; t_10_11 = x_tile_2_11; t_11_11 = w_tile_2_11;
      t_10_12 = x_tile_2_12; t_11_12 = w_tile_2_12; t_10_13 = x_tile_2_13; t_11_13 = w_tile_2_13;
      t_10_14 = x_tile_2_14; t_11_14 = w_tile_2_14; t_10_15 = x_tile_2_15; t_11_15 = w_tile_2_15;
      t_10_16 = x_tile_2_16; t_11_16 = w_tile_2_16; t_10_17 = x_tile_2_17; t_11_17 = w_tile_2_17;
      t_10_18 = x_tile_2_18; t_11_18 = w_tile_2_18; t_10_19 = x_tile_2_19; t_11_19 = w_tile_2_19;
      t_10_20 = x_tile_2_20; t_11_20 = w_tile_2_20; t_10_21 = x_tile_2_21; t_11_21 = w_tile_2_21;
      t_10_22 = x_tile_2_22; t_11_22 = w_tile_2_22; t_10_23 = x_tile_2_23; t_11_23 = w_tile_2_23;
      t_10_24 = x_tile_2_24; t_11_24 = w_tile_2_24; t_10_25 = x_tile_2_25; t_11_25 = w_tile_2_25;
      t_10_26 = x_tile_2_26; t_11_26 = w_tile_2_26; t_10_27 = x_tile_2_27; t_11_27 = w_tile_2_27;
      t_10_28 = x_tile_2_28; t_11_28 = w_tile_2_28; t_10_29 = x_tile_2_29; t_11_29 = w_tile_2_29;
      t_10_30 = x_tile_2_30; t_11_30 = w_tile_2_30; t_10_31 = x_tile_2_31; t_11_31 = w_tile_2_31;
    } else {
      t_10_0 = 0u; t_11_0 = 0u; t_10_1 = 0u; t_11_1 = 0u; t_10_2 = 0u; t_11_2 = 0u; t_10_3 = 0u;
      t_11_3 = 0u; t_10_4 = 0u; t_11_4 = 0u; t_10_5 = 0u; t_11_5 = 0u; t_10_6 = 0u; t_11_6 = 0u;
      t_10_7 = 0u; t_11_7 = 0u; t_10_8 = 0u; t_11_8 = 0u; t_10_9 = 0u; t_11_9 = 0u; t_10_10 = 0u;
      t_11_10 = 0u; t_10_11 = 0u; t_11_11 = 0u; t_10_12 = 0u; t_11_12 = 0u; t_10_13 = 0u;
      t_11_13 = 0u; t_10_14 = 0u; t_11_14 = 0u; t_10_15 = 0u; t_11_15 = 0u; t_10_16 = 0u;
      t_11_16 = 0u; t_10_17 = 0u; t_11_17 = 0u; t_10_18 = 0u; t_11_18 = 0u; t_10_19 = 0u;
      t_11_19 = 0u; t_10_20 = 0u; t_11_20 = 0u; t_10_21 = 0u; t_11_21 = 0u; t_10_22 = 0u;
      t_11_22 = 0u; t_10_23 = 0u; t_11_23 = 0u; t_10_24 = 0u; t_11_24 = 0u; t_10_25 = 0u;
      t_11_25 = 0u; t_10_26 = 0u; t_11_26 = 0u; t_10_27 = 0u; t_11_27 = 0u; t_10_28 = 0u;
      t_11_28 = 0u; t_10_29 = 0u; t_11_29 = 0u; t_10_30 = 0u; t_11_30 = 0u; t_10_31 = 0u;
      t_11_31 = 0u;
    }
    workgroupBarrier();
    var t39_shared_tile_0: f32; var t39_shared_tile_1: f32; var t39_shared_tile_2: f32;
    var t39_shared_tile_3: f32;
    t39_shared_tile_0 = tw_f8e4m3_to_f32(t_6_0); t39_shared_tile_1 = tw_f8e4m3_to_f32(t_6_1);
    t39_shared_tile_2 = tw_f8e4m3_to_f32(t_6_2); t39_shared_tile_3 = tw_f8e4m3_to_f32(t_6_3);
    t39_shared[t39_shared_at >> 2u] = vec4<f32>(
        t39_shared_tile_0, t39_shared_tile_1, t39_shared_tile_2, t39_shared_tile_3);
    var t39_shared_tile_1_1_0: f32; var t39_shared_tile_1_1_1: f32; var t39_shared_tile_1_1_2: f32;
    var t39_shared_tile_1_1_3: f32;
    t39_shared_tile_1_1_0 = tw_f8e4m3_to_f32(t_6_4);
    t39_shared_tile_1_1_1 = tw_f8e4m3_to_f32(t_6_5);
    t39_shared_tile_1_1_2 = tw_f8e4m3_to_f32(t_6_6);
    t39_shared_tile_1_1_3 = tw_f8e4m3_to_f32(t_6_7);
    t39_shared[(t39_shared_at + 4) >> 2u] = vec4<f32>(
        t39_shared_tile_1_1_0, t39_shared_tile_1_1_1, t39_shared_tile_1_1_2, t39_shared_tile_1_1_3);
    var t39_shared_tile_2_1_0: f32; var t39_shared_tile_2_1_1: f32; var t39_shared_tile_2_1_2: f32;
    var t39_shared_tile_2_1_3: f32;
    t39_shared_tile_2_1_0 = tw_f8e4m3_to_f32(t_6_8);
    t39_shared_tile_2_1_1 = tw_f8e4m3_to_f32(t_6_9);
    t39_shared_tile_2_1_2 = tw_f8e4m3_to_f32(t_6_10);
    t39_shared_tile_2_1_3 = tw_f8e4m3_to_f32(t_6_11);
    t39_shared[(t39_shared_at + 8) >> 2u] = vec4<f32>(
        t39_shared_tile_2_1_0, t39_shared_tile_2_1_1, t39_shared_tile_2_1_2, t39_shared_tile_2_1_3);
    var t39_shared_tile_3_1_0: f32; var t39_shared_tile_3_1_1: f32; var t39_shared_tile_3_1_2: f32;
    var t39_shared_tile_3_1_3: f32;
    t39_shared_tile_3_1_0 = tw_f8e4m3_to_f32(t_6_12);
    t39_shared_tile_3_1_1 = tw_f8e4m3_to_f32(t_6_13);
    t39_shared_tile_3_1_2 = tw_f8e4m3_to_f32(t_6_14);
    t39_shared_tile_3_1_3 = tw_f8e4m3_to_f32(t_6_15);
    t39_shared[(t39_shared_at + 12) >> 2u] = vec4<f32>(
        t39_shared_tile_3_1_0, t39_shared_tile_3_1_1, t39_shared_tile_3_1_2, t39_shared_tile_3_1_3);
    var t39_shared_tile_4_0: f32; var t39_shared_tile_4_1: f32; var t39_shared_tile_4_2: f32;
    var t39_shared_tile_4_3: f32;
    t39_shared_tile_4_0 = tw_f8e4m3_to_f32(t_6_16); t39_shared_tile_4_1 = tw_f8e4m3_to_f32(t_6_17);
    t39_shared_tile_4_2 = tw_f8e4m3_to_f32(t_6_18); t39_shared_tile_4_3 = tw_f8e4m3_to_f32(t_6_19);
    t39_shared[(t39_shared_at + 2048) >> 2u] = vec4<f32>(
        t39_shared_tile_4_0, t39_shared_tile_4_1, t39_shared_tile_4_2, t39_shared_tile_4_3);
    var t39_shared_tile_5_0: f32; var t39_shared_tile_5_1: f32; var t39_shared_tile_5_2: f32;
    var t39_shared_tile_5_3: f32;
    t39_shared_tile_5_0 = tw_f8e4m3_to_f32(t_6_20); t39_shared_tile_5_1 = tw_f8e4m3_to_f32(t_6_21);
    t39_shared_tile_5_2 = tw_f8e4m3_to_f32(t_6_22); t39_shared_tile_5_3 = tw_f8e4m3_to_f32(t_6_23);
    t39_shared[(t39_shared_at + 2052) >> 2u] = vec4<f32>(
        t39_shared_tile_5_0, t39_shared_tile_5_1, t39_shared_tile_5_2, t39_shared_tile_5_3);
    var t39_shared_tile_6_0: f32; var t39_shared_tile_6_1: f32; var t39_shared_tile_6_2: f32;
    var t39_shared_tile_6_3: f32;
    t39_shared_tile_6_0 = tw_f8e4m3_to_f32(t_6_24); t39_shared_tile_6_1 = tw_f8e4m3_to_f32(t_6_25);
    t39_shared_tile_6_2 = tw_f8e4m3_to_f32(t_6_26); t39_shared_tile_6_3 = tw_f8e4m3_to_f32(t_6_27);
    t39_shared[(t39_shared_at + 2056) >> 2u] = vec4<f32>(
        t39_shared_tile_6_0, t39_shared_tile_6_1, t39_shared_tile_6_2, t39_shared_tile_6_3);
    var t39_shared_tile_7_0: f32; var t39_shared_tile_7_1: f32; var t39_shared_tile_7_2: f32;
    var t39_shared_tile_7_3: f32;
    t39_shared_tile_7_0 = tw_f8e4m3_to_f32(t_6_28); t39_shared_tile_7_1 = tw_f8e4m3_to_f32(t_6_29);
    t39_shared_tile_7_2 = tw_f8e4m3_to_f32(t_6_30); t39_shared_tile_7_3 = tw_f8e4m3_to_f32(t_6_31);
    t39_shared[(t39_shared_at + 2060) >> 2u] = vec4<f32>(
        t39_shared_tile_7_0, t39_shared_tile_7_1, t39_shared_tile_7_2, t39_shared_tile_7_3);
    var t40_shared_tile_0: f32; var t40_shared_tile_1: f32; var t40_shared_tile_2: f32;
    var t40_shared_tile_3: f32;
    t40_shared_tile_0 = tw_f8e4m3_to_f32(t_7_0); t40_shared_tile_1 = tw_f8e4m3_to_f32(t_7_1);
    t40_shared_tile_2 = tw_f8e4m3_to_f32(t_7_2); t40_shared_tile_3 = tw_f8e4m3_to_f32(t_7_3);
    t40_shared[t39_shared_at >> 2u] = vec4<f32>(
        t40_shared_tile_0, t40_shared_tile_1, t40_shared_tile_2, t40_shared_tile_3);
    var t40_shared_tile_1_1_0: f32; var t40_shared_tile_1_1_1: f32; var t40_shared_tile_1_1_2: f32;
    var t40_shared_tile_1_1_3: f32;
    t40_shared_tile_1_1_0 = tw_f8e4m3_to_f32(t_7_4);
    t40_shared_tile_1_1_1 = tw_f8e4m3_to_f32(t_7_5);
    t40_shared_tile_1_1_2 = tw_f8e4m3_to_f32(t_7_6);
    t40_shared_tile_1_1_3 = tw_f8e4m3_to_f32(t_7_7);
    t40_shared[(t39_shared_at + 4) >> 2u] = vec4<f32>(
        t40_shared_tile_1_1_0, t40_shared_tile_1_1_1, t40_shared_tile_1_1_2, t40_shared_tile_1_1_3);
    var t40_shared_tile_2_1_0: f32; var t40_shared_tile_2_1_1: f32; var t40_shared_tile_2_1_2: f32;
    var t40_shared_tile_2_1_3: f32;
    t40_shared_tile_2_1_0 = tw_f8e4m3_to_f32(t_7_8);
    t40_shared_tile_2_1_1 = tw_f8e4m3_to_f32(t_7_9);
    t40_shared_tile_2_1_2 = tw_f8e4m3_to_f32(t_7_10);
    t40_shared_tile_2_1_3 = tw_f8e4m3_to_f32(t_7_11);
    t40_shared[(t39_shared_at + 8) >> 2u] = vec4<f32>(
        t40_shared_tile_2_1_0, t40_shared_tile_2_1_1, t40_shared_tile_2_1_2, t40_shared_tile_2_1_3);
    var t40_shared_tile_3_1_0: f32; var t40_shared_tile_3_1_1: f32; var t40_shared_tile_3_1_2: f32;
    var t40_shared_tile_3_1_3: f32;
    t40_shared_tile_3_1_0 = tw_f8e4m3_to_f32(t_7_12);
    t40_shared_tile_3_1_1 = tw_f8e4m3_to_f32(t_7_13);
    t40_shared_tile_3_1_2 = tw_f8e4m3_to_f32(t_7_14);
    t40_shared_tile_3_1_3 = tw_f8e4m3_to_f32(t_7_15);
    t40_shared[(t39_shared_at + 12) >> 2u] = vec4<f32>(
        t40_shared_tile_3_1_0, t40_shared_tile_3_1_1, t40_shared_tile_3_1_2, t40_shared_tile_3_1_3);
    var t40_shared_tile_4_0: f32; var t40_shared_tile_4_1: f32; var t40_shared_tile_4_2: f32;
    var t40_shared_tile_4_3: f32;
    t40_shared_tile_4_0 = tw_f8e4m3_to_f32(t_7_16); t40_shared_tile_4_1 = tw_f8e4m3_to_f32(t_7_17);
    t40_shared_tile_4_2 = tw_f8e4m3_to_f32(t_7_18); t40_shared_tile_4_3 = tw_f8e4m3_to_f32(t_7_19);
    t40_shared[(t39_shared_at + 2048) >> 2u] = vec4<f32>(
        t40_shared_tile_4_0, t40_shared_tile_4_1, t40_shared_tile_4_2, t40_shared_tile_4_3);
    var t40_shared_tile_5_0: f32; var t40_shared_tile_5_1: f32; var t40_shared_tile_5_2: f32;
    var t40_shared_tile_5_3: f32;
    t40_shared_tile_5_0 = tw_f8e4m3_to_f32(t_7_20); t40_shared_tile_5_1 = tw_f8e4m3_to_f32(t_7_21);
    t40_shared_tile_5_2 = tw_f8e4m3_to_f32(t_7_22); t40_shared_tile_5_3 = tw_f8e4m3_to_f32(t_7_23);
    t40_shared[(t39_shared_at + 2052) >> 2u] = vec4<f32>(
        t40_shared_tile_5_0, t40_shared_tile_5_1, t40_shared_tile_5_2, t40_shared_tile_5_3);
    var t40_shared_tile_6_0: f32; var t40_shared_tile_6_1: f32; var t40_shared_tile_6_2: f32;
    var t40_shared_tile_6_3: f32;
    t40_shared_tile_6_0 = tw_f8e4m3_to_f32(t_7_24); t40_shared_tile_6_1 = tw_f8e4m3_to_f32(t_7_25);
    t40_shared_tile_6_2 = tw_f8e4m3_to_f32(t_7_26); t40_shared_tile_6_3 = tw_f8e4m3_to_f32(t_7_27);
    t40_shared[(t39_shared_at + 2056) >> 2u] = vec4<f32>(
        t40_shared_tile_6_0, t40_shared_tile_6_1, t40_shared_tile_6_2, t40_shared_tile_6_3);
    var t40_shared_tile_7_0: f32; var t40_shared_tile_7_1: f32; var t40_shared_tile_7_2: f32;
    var t40_shared_tile_7_3: f32;
    t40_shared_tile_7_0 = tw_f8e4m3_to_f32(t_7_28); t40_shared_tile_7_1 = tw_f8e4m3_to_f32(t_7_29);
    t40_shared_tile_7_2 = tw_f8e4m3_to_f32(t_7_30); t40_shared_tile_7_3 = tw_f8e4m3_to_f32(t_7_31);
    t40_shared[(t39_shared_at + 2060) >> 2u] = vec4<f32>(
        t40_shared_tile_7_0, t40_shared_tile_7_1, t40_shared_tile_7_2, t40_shared_tile_7_3);
    workgroupBarrier();
    for (var r: i32 = 0; r < 16; r++) {
      var t39_shared_1_0: f32; var t39_shared_1_1: f32; var t39_shared_1_2: f32;
      var t39_shared_1_3: f32; var t39_shared_1_4: f32; var t39_shared_1_5: f32;
      var t39_shared_1_6: f32; var t39_shared_1_7: f32; var t39_shared_1_8: f32;
      var t39_shared_1_9: f32; var t39_shared_1_10: f32; var t39_shared_1_11: f32;
      var t39_shared_1_12: f32; var t39_shared_1_13: f32; var t39_shared_1_14: f32;
      var t39_shared_1_15: f32; var t39_shared_1_16: f32; var t39_shared_1_17: f32;
      var t39_shared_1_18: f32; var t39_shared_1_19: f32; var t39_shared_1_20: f32;
      var t39_shared_1_21: f32; var t39_shared_1_22: f32; var t39_shared_1_23: f32;
      var t39_shared_1_24: f32; var t39_shared_1_25: f32; var t39_shared_1_26: f32;
      var t39_shared_1_27: f32; var t39_shared_1_28: f32; var t39_shared_1_29: f32;
      var t39_shared_1_30: f32; var t39_shared_1_31: f32;
      var t40_shared_1_0: f32; var t40_shared_1_1: f32; var t40_shared_1_2: f32;
      var t40_shared_1_3: f32; var t40_shared_1_4: f32; var t40_shared_1_5: f32;
      var t40_shared_1_6: f32; var t40_shared_1_7: f32; var t40_shared_1_8: f32;
      var t40_shared_1_9: f32; var t40_shared_1_10: f32; var t40_shared_1_11: f32;
      var t40_shared_1_12: f32; var t40_shared_1_13: f32; var t40_shared_1_14: f32;
      var t40_shared_1_15: f32;
      let t39_shared_1_word = t39_shared[(t39_shared_at_1 + r * 4) >> 2u];
      t39_shared_1_0 = t39_shared_1_word.x; t39_shared_1_1 = t39_shared_1_word.y;
      t39_shared_1_2 = t39_shared_1_word.z; t39_shared_1_3 = t39_shared_1_word.w;
      let t39_shared_1_word_1 = t39_shared[(t39_shared_at_1 + 512 + r * 4) >> 2u];
      t39_shared_1_4 = t39_shared_1_word_1.x; t39_shared_1_5 = t39_shared_1_word_1.y;
      t39_shared_1_6 = t39_shared_1_word_1.z; t39_shared_1_7 = t39_shared_1_word_1.w;
      let t39_shared_1_word_2 = t39_shared[(t39_shared_at_1 + 1024 + r * 4) >> 2u];
      t39_shared_1_8 = t39_shared_1_word_2.x; t39_shared_1_9 = t39_shared_1_word_2.y;
      t39_shared_1_10 = t39_shared_1_word_2.z; t39_shared_1_11 = t39_shared_1_word_2.w;
      let t39_shared_1_word_3 = t39_shared[(t39_shared_at_1 + 1536 + r * 4) >> 2u];
      t39_shared_1_12 = t39_shared_1_word_3.x; t39_shared_1_13 = t39_shared_1_word_3.y;
      t39_shared_1_14 = t39_shared_1_word_3.z; t39_shared_1_15 = t39_shared_1_word_3.w;
      let t39_shared_1_word_4 = t39_shared[(t39_shared_at_1 + 2048 + r * 4) >> 2u];
      t39_shared_1_16 = t39_shared_1_word_4.x; t39_shared_1_17 = t39_shared_1_word_4.y;
      t39_shared_1_18 = t39_shared_1_word_4.z; t39_shared_1_19 = t39_shared_1_word_4.w;
      let t39_shared_1_word_5 = t39_shared[(t39_shared_at_1 + 2560 + r * 4) >> 2u];
      t39_shared_1_20 = t39_shared_1_word_5.x; t39_shared_1_21 = t39_shared_1_word_5.y;
      t39_shared_1_22 = t39_shared_1_word_5.z; t39_shared_1_23 = t39_shared_1_word_5.w;
      let t39_shared_1_word_6 = t39_shared[(t39_shared_at_1 + 3072 + r * 4) >> 2u];
      t39_shared_1_24 = t39_shared_1_word_6.x; t39_shared_1_25 = t39_shared_1_word_6.y;
      t39_shared_1_26 = t39_shared_1_word_6.z; t39_shared_1_27 = t39_shared_1_word_6.w;
      let t39_shared_1_word_7 = t39_shared[(t39_shared_at_1 + 3584 + r * 4) >> 2u];
      t39_shared_1_28 = t39_shared_1_word_7.x; t39_shared_1_29 = t39_shared_1_word_7.y;
      t39_shared_1_30 = t39_shared_1_word_7.z; t39_shared_1_31 = t39_shared_1_word_7.w;
      let t40_shared_1_word = t40_shared[(t40_shared_at + r * 4) >> 2u];
      t40_shared_1_0 = t40_shared_1_word.x; t40_shared_1_1 = t40_shared_1_word.y;
      t40_shared_1_2 = t40_shared_1_word.z; t40_shared_1_3 = t40_shared_1_word.w;
      let t40_shared_1_word_1 = t40_shared[(t40_shared_at + 64 + r * 4) >> 2u];
      t40_shared_1_4 = t40_shared_1_word_1.x; t40_shared_1_5 = t40_shared_1_word_1.y;
      t40_shared_1_6 = t40_shared_1_word_1.z; t40_shared_1_7 = t40_shared_1_word_1.w;
      let t40_shared_1_word_2 = t40_shared[(t40_shared_at + 128 + r * 4) >> 2u];
      t40_shared_1_8 = t40_shared_1_word_2.x; t40_shared_1_9 = t40_shared_1_word_2.y;
      t40_shared_1_10 = t40_shared_1_word_2.z; t40_shared_1_11 = t40_shared_1_word_2.w;
      let t40_shared_1_word_3 = t40_shared[(t40_shared_at + 192 + r * 4) >> 2u];
      t40_shared_1_12 = t40_shared_1_word_3.x; t40_shared_1_13 = t40_shared_1_word_3.y;
      t40_shared_1_14 = t40_shared_1_word_3.z; t40_shared_1_15 = t40_shared_1_word_3.w;
      acc_0 = fma(t39_shared_1_0, t40_shared_1_0, acc_0);
      acc_1 = fma(t39_shared_1_0, t40_shared_1_4, acc_1);
      acc_2 = fma(t39_shared_1_0, t40_shared_1_8, acc_2);
      acc_3 = fma(t39_shared_1_0, t40_shared_1_12, acc_3);
      acc_4 = fma(t39_shared_1_4, t40_shared_1_0, acc_4);
      acc_5 = fma(t39_shared_1_4, t40_shared_1_4, acc_5);
      acc_6 = fma(t39_shared_1_4, t40_shared_1_8, acc_6);
      acc_7 = fma(t39_shared_1_4, t40_shared_1_12, acc_7);
      acc_8 = fma(t39_shared_1_8, t40_shared_1_0, acc_8);
      acc_9 = fma(t39_shared_1_8, t40_shared_1_4, acc_9);
      acc_10 = fma(t39_shared_1_8, t40_shared_1_8, acc_10);
      acc_11 = fma(t39_shared_1_8, t40_shared_1_12, acc_11);
      acc_12 = fma(t39_shared_1_12, t40_shared_1_0, acc_12);
      acc_13 = fma(t39_shared_1_12, t40_shared_1_4, acc_13);
      acc_14 = fma(t39_shared_1_12, t40_shared_1_8, acc_14);
      acc_15 = fma(t39_shared_1_12, t40_shared_1_12, acc_15);
      acc_16 = fma(t39_shared_1_16, t40_shared_1_0, acc_16);
      acc_17 = fma(t39_shared_1_16, t40_shared_1_4, acc_17);
      acc_18 = fma(t39_shared_1_16, t40_shared_1_8, acc_18);
      acc_19 = fma(t39_shared_1_16, t40_shared_1_12, acc_19);
      acc_20 = fma(t39_shared_1_20, t40_shared_1_0, acc_20);
      acc_21 = fma(t39_shared_1_20, t40_shared_1_4, acc_21);
      acc_22 = fma(t39_shared_1_20, t40_shared_1_8, acc_22);
      acc_23 = fma(t39_shared_1_20, t40_shared_1_12, acc_23);
      acc_24 = fma(t39_shared_1_24, t40_shared_1_0, acc_24);
      acc_25 = fma(t39_shared_1_24, t40_shared_1_4, acc_25);
      acc_26 = fma(t39_shared_1_24, t40_shared_1_8, acc_26);
      acc_27 = fma(t39_shared_1_24, t40_shared_1_12, acc_27);
      acc_28 = fma(t39_shared_1_28, t40_shared_1_0, acc_28);
      acc_29 = fma(t39_shared_1_28, t40_shared_1_4, acc_29);
      acc_30 = fma(t39_shared_1_28, t40_shared_1_8, acc_30);
      acc_31 = fma(t39_shared_1_28, t40_shared_1_12, acc_31);
      acc_0 = fma(t39_shared_1_1, t40_shared_1_1, acc_0);
      acc_1 = fma(t39_shared_1_1, t40_shared_1_5, acc_1);
      acc_2 = fma(t39_shared_1_1, t40_shared_1_9, acc_2);
      acc_3 = fma(t39_shared_1_1, t40_shared_1_13, acc_3);
      acc_4 = fma(t39_shared_1_5, t40_shared_1_1, acc_4);
      acc_5 = fma(t39_shared_1_5, t40_shared_1_5, acc_5);
      acc_6 = fma(t39_shared_1_5, t40_shared_1_9, acc_6);
      acc_7 = fma(t39_shared_1_5, t40_shared_1_13, acc_7);
      acc_8 = fma(t39_shared_1_9, t40_shared_1_1, acc_8);
      acc_9 = fma(t39_shared_1_9, t40_shared_1_5, acc_9);
      acc_10 = fma(t39_shared_1_9, t40_shared_1_9, acc_10);
      acc_11 = fma(t39_shared_1_9, t40_shared_1_13, acc_11);
      acc_12 = fma(t39_shared_1_13, t40_shared_1_1, acc_12);
      acc_13 = fma(t39_shared_1_13, t40_shared_1_5, acc_13);
      acc_14 = fma(t39_shared_1_13, t40_shared_1_9, acc_14);
      acc_15 = fma(t39_shared_1_13, t40_shared_1_13, acc_15);
      acc_16 = fma(t39_shared_1_17, t40_shared_1_1, acc_16);
      acc_17 = fma(t39_shared_1_17, t40_shared_1_5, acc_17);
      acc_18 = fma(t39_shared_1_17, t40_shared_1_9, acc_18);
      acc_19 = fma(t39_shared_1_17, t40_shared_1_13, acc_19);
      acc_20 = fma(t39_shared_1_21, t40_shared_1_1, acc_20);
      acc_21 = fma(t39_shared_1_21, t40_shared_1_5, acc_21);
      acc_22 = fma(t39_shared_1_21, t40_shared_1_9, acc_22);
      acc_23 = fma(t39_shared_1_21, t40_shared_1_13, acc_23);
      acc_24 = fma(t39_shared_1_25, t40_shared_1_1, acc_24);
      acc_25 = fma(t39_shared_1_25, t40_shared_1_5, acc_25);
      acc_26 = fma(t39_shared_1_25, t40_shared_1_9, acc_26);
      acc_27 = fma(t39_shared_1_25, t40_shared_1_13, acc_27);
      acc_28 = fma(t39_shared_1_29, t40_shared_1_1, acc_28);
      acc_29 = fma(t39_shared_1_29, t40_shared_1_5, acc_29);
      acc_30 = fma(t39_shared_1_29, t40_shared_1_9, acc_30);
      acc_31 = fma(t39_shared_1_29, t40_shared_1_13, acc_31);
      acc_0 = fma(t39_shared_1_2, t40_shared_1_2, acc_0);
      acc_1 = fma(t39_shared_1_2, t40_shared_1_6, acc_1);
      acc_2 = fma(t39_shared_1_2, t40_shared_1_10, acc_2);
      acc_3 = fma(t39_shared_1_2, t40_shared_1_14, acc_3);
      acc_4 = fma(t39_shared_1_6, t40_shared_1_2, acc_4);
      acc_5 = fma(t39_shared_1_6, t40_shared_1_6, acc_5);
      acc_6 = fma(t39_shared_1_6, t40_shared_1_10, acc_6);
      acc_7 = fma(t39_shared_1_6, t40_shared_1_14, acc_7);
      acc_8 = fma(t39_shared_1_10, t40_shared_1_2, acc_8);
      acc_9 = fma(t39_shared_1_10, t40_shared_1_6, acc_9);
      acc_10 = fma(t39_shared_1_10, t40_shared_1_10, acc_10);
      acc_11 = fma(t39_shared_1_10, t40_shared_1_14, acc_11);
      acc_12 = fma(t39_shared_1_14, t40_shared_1_2, acc_12);
      acc_13 = fma(t39_shared_1_14, t40_shared_1_6, acc_13);
      acc_14 = fma(t39_shared_1_14, t40_shared_1_10, acc_14);
      acc_15 = fma(t39_shared_1_14, t40_shared_1_14, acc_15);
      acc_16 = fma(t39_shared_1_18, t40_shared_1_2, acc_16);
      acc_17 = fma(t39_shared_1_18, t40_shared_1_6, acc_17);
      acc_18 = fma(t39_shared_1_18, t40_shared_1_10, acc_18);
      acc_19 = fma(t39_shared_1_18, t40_shared_1_14, acc_19);
      acc_20 = fma(t39_shared_1_22, t40_shared_1_2, acc_20);
      acc_21 = fma(t39_shared_1_22, t40_shared_1_6, acc_21);
      acc_22 = fma(t39_shared_1_22, t40_shared_1_10, acc_22);
      acc_23 = fma(t39_shared_1_22, t40_shared_1_14, acc_23);
      acc_24 = fma(t39_shared_1_26, t40_shared_1_2, acc_24);
      acc_25 = fma(t39_shared_1_26, t40_shared_1_6, acc_25);
      acc_26 = fma(t39_shared_1_26, t40_shared_1_10, acc_26);
      acc_27 = fma(t39_shared_1_26, t40_shared_1_14, acc_27);
      acc_28 = fma(t39_shared_1_30, t40_shared_1_2, acc_28);
      acc_29 = fma(t39_shared_1_30, t40_shared_1_6, acc_29);
      acc_30 = fma(t39_shared_1_30, t40_shared_1_10, acc_30);
      acc_31 = fma(t39_shared_1_30, t40_shared_1_14, acc_31);
      acc_0 = fma(t39_shared_1_3, t40_shared_1_3, acc_0);
      acc_1 = fma(t39_shared_1_3, t40_shared_1_7, acc_1);
      acc_2 = fma(t39_shared_1_3, t40_shared_1_11, acc_2);
      acc_3 = fma(t39_shared_1_3, t40_shared_1_15, acc_3);
      acc_4 = fma(t39_shared_1_7, t40_shared_1_3, acc_4);
      acc_5 = fma(t39_shared_1_7, t40_shared_1_7, acc_5);
      acc_6 = fma(t39_shared_1_7, t40_shared_1_11, acc_6);
      acc_7 = fma(t39_shared_1_7, t40_shared_1_15, acc_7);
      acc_8 = fma(t39_shared_1_11, t40_shared_1_3, acc_8);
      acc_9 = fma(t39_shared_1_11, t40_shared_1_7, acc_9);
      acc_10 = fma(t39_shared_1_11, t40_shared_1_11, acc_10);
      acc_11 = fma(t39_shared_1_11, t40_shared_1_15, acc_11);
      acc_12 = fma(t39_shared_1_15, t40_shared_1_3, acc_12);
      acc_13 = fma(t39_shared_1_15, t40_shared_1_7, acc_13);
      acc_14 = fma(t39_shared_1_15, t40_shared_1_11, acc_14);
      acc_15 = fma(t39_shared_1_15, t40_shared_1_15, acc_15);
      acc_16 = fma(t39_shared_1_19, t40_shared_1_3, acc_16);
      acc_17 = fma(t39_shared_1_19, t40_shared_1_7, acc_17);
      acc_18 = fma(t39_shared_1_19, t40_shared_1_11, acc_18);
      acc_19 = fma(t39_shared_1_19, t40_shared_1_15, acc_19);
      acc_20 = fma(t39_shared_1_23, t40_shared_1_3, acc_20);
      acc_21 = fma(t39_shared_1_23, t40_shared_1_7, acc_21);
      acc_22 = fma(t39_shared_1_23, t40_shared_1_11, acc_22);
      acc_23 = fma(t39_shared_1_23, t40_shared_1_15, acc_23);
      acc_24 = fma(t39_shared_1_27, t40_shared_1_3, acc_24);
      acc_25 = fma(t39_shared_1_27, t40_shared_1_7, acc_25);
      acc_26 = fma(t39_shared_1_27, t40_shared_1_11, acc_26);
      acc_27 = fma(t39_shared_1_27, t40_shared_1_15, acc_27);
      acc_28 = fma(t39_shared_1_31, t40_shared_1_3, acc_28);
      acc_29 = fma(t39_shared_1_31, t40_shared_1_7, acc_29);
      acc_30 = fma(t39_shared_1_31, t40_shared_1_11, acc_30);
      acc_31 = fma(t39_shared_1_31, t40_shared_1_15, acc_31);
    }
    t_6_0 = t_8_0; t_7_0 = t_9_0; t_8_0 = t_10_0; t_9_0 = t_11_0; t_6_1 = t_8_1; t_7_1 = t_9_1;
    t_8_1 = t_10_1; t_9_1 = t_11_1; t_6_2 = t_8_2; t_7_2 = t_9_2; t_8_2 = t_10_2; t_9_2 = t_11_2;
    t_6_3 = t_8_3; t_7_3 = t_9_3; t_8_3 = t_10_3; t_9_3 = t_11_3; t_6_4 = t_8_4; t_7_4 = t_9_4;
    t_8_4 = t_10_4; t_9_4 = t_11_4; t_6_5 = t_8_5; t_7_5 = t_9_5; t_8_5 = t_10_5; t_9_5 = t_11_5;
    t_6_6 = t_8_6; t_7_6 = t_9_6; t_8_6 = t_10_6; t_9_6 = t_11_6; t_6_7 = t_8_7; t_7_7 = t_9_7;
    t_8_7 = t_10_7; t_9_7 = t_11_7; t_6_8 = t_8_8; t_7_8 = t_9_8; t_8_8 = t_10_8; t_9_8 = t_11_8;
    t_6_9 = t_8_9; t_7_9 = t_9_9; t_8_9 = t_10_9; t_9_9 = t_11_9; t_6_10 = t_8_10; t_7_10 = t_9_10;
    t_8_10 = t_10_10; t_9_10 = t_11_10; t_6_11 = t_8_11; t_7_11 = t_9_11; t_8_11 = t_10_11;
    t_9_11 = t_11_11; t_6_12 = t_8_12; t_7_12 = t_9_12; t_8_12 = t_10_12; t_9_12 = t_11_12;
    t_6_13 = t_8_13; t_7_13 = t_9_13; t_8_13 = t_10_13; t_9_13 = t_11_13; t_6_14 = t_8_14;
    t_7_14 = t_9_14; t_8_14 = t_10_14; t_9_14 = t_11_14; t_6_15 = t_8_15; t_7_15 = t_9_15;
    t_8_15 = t_10_15; t_9_15 = t_11_15; t_6_16 = t_8_16; t_7_16 = t_9_16; t_8_16 = t_10_16;
    t_9_16 = t_11_16; t_6_17 = t_8_17; t_7_17 = t_9_17; t_8_17 = t_10_17; t_9_17 = t_11_17;
    t_6_18 = t_8_18; t_7_18 = t_9_18; t_8_18 = t_10_18; t_9_18 = t_11_18; t_6_19 = t_8_19;
    t_7_19 = t_9_19; t_8_19 = t_10_19; t_9_19 = t_11_19; t_6_20 = t_8_20; t_7_20 = t_9_20;
    t_8_20 = t_10_20; t_9_20 = t_11_20; t_6_21 = t_8_21; t_7_21 = t_9_21; t_8_21 = t_10_21;
    t_9_21 = t_11_21; t_6_22 = t_8_22; t_7_22 = t_9_22; t_8_22 = t_10_22; t_9_22 = t_11_22;
    t_6_23 = t_8_23; t_7_23 = t_9_23; t_8_23 = t_10_23; t_9_23 = t_11_23; t_6_24 = t_8_24;
    t_7_24 = t_9_24; t_8_24 = t_10_24; t_9_24 = t_11_24; t_6_25 = t_8_25; t_7_25 = t_9_25;
    t_8_25 = t_10_25; t_9_25 = t_11_25; t_6_26 = t_8_26; t_7_26 = t_9_26; t_8_26 = t_10_26;
    t_9_26 = t_11_26; t_6_27 = t_8_27; t_7_27 = t_9_27; t_8_27 = t_10_27; t_9_27 = t_11_27;
    t_6_28 = t_8_28; t_7_28 = t_9_28; t_8_28 = t_10_28; t_9_28 = t_11_28; t_6_29 = t_8_29;
    t_7_29 = t_9_29; t_8_29 = t_10_29; t_9_29 = t_11_29; t_6_30 = t_8_30; t_7_30 = t_9_30;
    t_8_30 = t_10_30; t_9_30 = t_11_30; t_6_31 = t_8_31; t_7_31 = t_9_31; t_8_31 = t_10_31;
    t_9_31 = t_11_31;
  }
  var xScale_tile: f32;
  xScale_tile = xScale[0];
  var wScale_tile: f32;
  wScale_tile = wScale[0];
  let t_12: f32 = xScale_tile * wScale_tile;
  let t_BN: i32 = (thread >> 6u) * 32 + (thread & 7) * 4;
  let position_2: i32 = t_5 + t_BN;
  let bias_in: bool = u32(position_2) < u32(launch.N);
  var bias_tile_0: f32; var bias_tile_1: f32; var bias_tile_2: f32; var bias_tile_3: f32;
  let bias_tile_word = select(vec4<f32>(0.0f), bias[select(0, position_2 >> 2u, bias_in)], bias_in);
  bias_tile_0 = bias_tile_word.x; bias_tile_1 = bias_tile_word.y; bias_tile_2 = bias_tile_word.z;
  bias_tile_3 = bias_tile_word.w;
  let t_BM_1: i32 = (thread >> 3u) & 7;
  let y_at: i32 = t_BM_1 * launch.N + t_BN;
  let y_at_1: i32 = t_4 * launch.N + t_5 + y_at;
  let position_3: i32 = t_4 + t_BM_1;
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
  y_tile_0 = tw_f32_to_bf16(acc_0 * t_12 + bias_tile_0);
  y_tile_1 = tw_f32_to_bf16(acc_1 * t_12 + bias_tile_1);
  y_tile_2 = tw_f32_to_bf16(acc_2 * t_12 + bias_tile_2);
  y_tile_3 = tw_f32_to_bf16(acc_3 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3) < u32(launch.M))) {
    y[y_at_1 >> 2u] = vec2<u32>(y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
  }
  var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
  y_tile_1_1_0 = tw_f32_to_bf16(acc_4 * t_12 + bias_tile_0);
  y_tile_1_1_1 = tw_f32_to_bf16(acc_5 * t_12 + bias_tile_1);
  y_tile_1_1_2 = tw_f32_to_bf16(acc_6 * t_12 + bias_tile_2);
  y_tile_1_1_3 = tw_f32_to_bf16(acc_7 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 8) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 8) >> 2u] = vec2<u32>(
        y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u));
  }
  var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
  y_tile_2_1_0 = tw_f32_to_bf16(acc_8 * t_12 + bias_tile_0);
  y_tile_2_1_1 = tw_f32_to_bf16(acc_9 * t_12 + bias_tile_1);
  y_tile_2_1_2 = tw_f32_to_bf16(acc_10 * t_12 + bias_tile_2);
  y_tile_2_1_3 = tw_f32_to_bf16(acc_11 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 16) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 16) >> 2u] = vec2<u32>(
        y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u));
  }
  var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
  y_tile_3_1_0 = tw_f32_to_bf16(acc_12 * t_12 + bias_tile_0);
  y_tile_3_1_1 = tw_f32_to_bf16(acc_13 * t_12 + bias_tile_1);
  y_tile_3_1_2 = tw_f32_to_bf16(acc_14 * t_12 + bias_tile_2);
  y_tile_3_1_3 = tw_f32_to_bf16(acc_15 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 24) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 24) >> 2u] = vec2<u32>(
        y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u));
  }
  var y_tile_4_0: u32; var y_tile_4_1: u32; var y_tile_4_2: u32; var y_tile_4_3: u32;
  y_tile_4_0 = tw_f32_to_bf16(acc_16 * t_12 + bias_tile_0);
  y_tile_4_1 = tw_f32_to_bf16(acc_17 * t_12 + bias_tile_1);
  y_tile_4_2 = tw_f32_to_bf16(acc_18 * t_12 + bias_tile_2);
  y_tile_4_3 = tw_f32_to_bf16(acc_19 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 32) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 32) >> 2u] = vec2<u32>(
        y_tile_4_0 | (y_tile_4_1 << 16u), y_tile_4_2 | (y_tile_4_3 << 16u));
  }
  var y_tile_5_0: u32; var y_tile_5_1: u32; var y_tile_5_2: u32; var y_tile_5_3: u32;
  y_tile_5_0 = tw_f32_to_bf16(acc_20 * t_12 + bias_tile_0);
  y_tile_5_1 = tw_f32_to_bf16(acc_21 * t_12 + bias_tile_1);
  y_tile_5_2 = tw_f32_to_bf16(acc_22 * t_12 + bias_tile_2);
  y_tile_5_3 = tw_f32_to_bf16(acc_23 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 40) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 40) >> 2u] = vec2<u32>(
        y_tile_5_0 | (y_tile_5_1 << 16u), y_tile_5_2 | (y_tile_5_3 << 16u));
  }
  var y_tile_6_0: u32; var y_tile_6_1: u32; var y_tile_6_2: u32; var y_tile_6_3: u32;
  y_tile_6_0 = tw_f32_to_bf16(acc_24 * t_12 + bias_tile_0);
  y_tile_6_1 = tw_f32_to_bf16(acc_25 * t_12 + bias_tile_1);
  y_tile_6_2 = tw_f32_to_bf16(acc_26 * t_12 + bias_tile_2);
  y_tile_6_3 = tw_f32_to_bf16(acc_27 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 48) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 48) >> 2u] = vec2<u32>(
        y_tile_6_0 | (y_tile_6_1 << 16u), y_tile_6_2 | (y_tile_6_3 << 16u));
  }
  var y_tile_7_0: u32; var y_tile_7_1: u32; var y_tile_7_2: u32; var y_tile_7_3: u32;
  y_tile_7_0 = tw_f32_to_bf16(acc_28 * t_12 + bias_tile_0);
  y_tile_7_1 = tw_f32_to_bf16(acc_29 * t_12 + bias_tile_1);
  y_tile_7_2 = tw_f32_to_bf16(acc_30 * t_12 + bias_tile_2);
  y_tile_7_3 = tw_f32_to_bf16(acc_31 * t_12 + bias_tile_3);
  if (bias_in & (u32(position_3 + 56) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 56) >> 2u] = vec2<u32>(
        y_tile_7_0 | (y_tile_7_1 << 16u), y_tile_7_2 | (y_tile_7_3 << 16u));
  }
}
