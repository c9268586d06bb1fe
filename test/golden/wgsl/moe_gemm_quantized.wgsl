// moe_gemm_quantized for wgsl, made by tilewright
// dtypes: T=bf16 W=u4 SC=bf16 O=bf16
// config: BN=64 BK=32 stages=2 group=8
// dims fixed: K=128 KG=2 Z=0 G=2 B=0 BM=16
// dims divisible: E%4 N%8 S%2
// 64 threads, 11504 bytes of shared memory
//       0 … 9200: t68_shared f32[2300]
//       0 … 9200: t70_shared f32[2300]
//    9216 … 11504: a_shared f32[572]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  E: i32,
  N: i32,
  PB: i32,
  S: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> scale: array<u32>;
@group(0) @binding(3) var<storage, read> zero: array<u32>;
@group(0) @binding(4) var<storage, read> bias: array<u32>;
@group(0) @binding(5) var<storage, read> rows: array<i32>;
@group(0) @binding(6) var<storage, read> expertOf: array<i32>;
@group(0) @binding(7) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> shared_t68_shared_t70_shared: array<vec4<f32>, 575>;
var<workgroup> a_shared: array<vec4<f32>, 143>;

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

// The argument loses n · ln 2 in two parts, the first of which is exact.
fn tw_exp(x: f32) -> f32 {
  let bounded = clamp(x, -105.0f, 89.5f);
  let n = round(bounded * 1.44269502f);
  let r = (bounded - n * 0.693145752f) - n * 0.00000142860677f;
  var p = 0.00139261817f;
  p = p * r + 0.008363178f;
  p = p * r + 0.0416665561f;
  p = p * r + 0.166665763f;
  p = p * r + 0.5f;
  return select(tw_scale(p * r * r + r + 1.0f, i32(n)), x, tw_isnan(x));
}

@compute @workgroup_size(64)
fn moe_gemm_quantized(
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
  let t_2: i32 = min(launch.PB - t_1, 8);
  let t_3: i32 = tw_floormod_i32(pid0, t);
  let t_4: i32 = t_1 + tw_floormod_i32(t_3, t_2);
  let t_5: i32 = tw_floordiv_i32(t_3, t_2);
  var e: i32;
  e = expertOf[t_4];
  let t_6: bool = e < 0;
  if (!t_6) {
    let t_BM: i32 = (thread >> 3u) & 3;
    let rows_at: i32 = t_4 * 16 + t_BM;
    let rows_in: bool = u32(t_4) < u32(launch.PB);
    var slots_0: i32; var slots_1: i32; var slots_2: i32; var slots_3: i32;
    slots_0 = select(0, rows[select(0, rows_at, rows_in)], rows_in);
    slots_1 = select(0, rows[select(0, rows_at + 4, rows_in)], rows_in);
    slots_2 = select(0, rows[select(0, rows_at + 8, rows_in)], rows_in);
    slots_3 = select(0, rows[select(0, rows_at + 12, rows_in)], rows_in);
    let t_7: i32 = t_5 * 64;
    let t_BM_1: i32 = thread >> 2u;
    let rows_at_1: i32 = t_4 * 16 + t_BM_1;
    var slots_1_1: i32;
    slots_1_1 = select(0, rows[select(0, rows_at_1, rows_in)], rows_in);
    let from_1: i32 = tw_floordiv_i32(slots_1_1, tw_floordiv_i32(launch.S, launch.R));
    let more: bool = true;
    var a_0: u32; var a_1: u32; var a_2: u32; var a_3: u32; var a_4: u32; var a_5: u32;
    var a_6: u32; var a_7: u32;
    var codes_0: u32; var codes_1: u32; var codes_2: u32; var codes_3: u32; var codes_4: u32;
    var codes_5: u32; var codes_6: u32; var codes_7: u32; var codes_8: u32; var codes_9: u32;
    var codes_10: u32; var codes_11: u32; var codes_12: u32; var codes_13: u32; var codes_14: u32;
    var codes_15: u32; var codes_16: u32; var codes_17: u32; var codes_18: u32; var codes_19: u32;
    var codes_20: u32; var codes_21: u32; var codes_22: u32; var codes_23: u32; var codes_24: u32;
    var codes_25: u32; var codes_26: u32; var codes_27: u32; var codes_28: u32; var codes_29: u32;
    var codes_30: u32; var codes_31: u32;
    var t_8: u32;
    var codes_1_1_0: u32; var codes_1_1_1: u32; var codes_1_1_2: u32; var codes_1_1_3: u32;
    var codes_1_1_4: u32; var codes_1_1_5: u32; var codes_1_1_6: u32; var codes_1_1_7: u32;
    var codes_1_1_8: u32; var codes_1_1_9: u32; var codes_1_1_10: u32; var codes_1_1_11: u32;
    var codes_1_1_12: u32; var codes_1_1_13: u32; var codes_1_1_14: u32; var codes_1_1_15: u32;
    var codes_1_1_16: u32; var codes_1_1_17: u32; var codes_1_1_18: u32; var codes_1_1_19: u32;
    var codes_1_1_20: u32; var codes_1_1_21: u32; var codes_1_1_22: u32; var codes_1_1_23: u32;
    var codes_1_1_24: u32; var codes_1_1_25: u32; var codes_1_1_26: u32; var codes_1_1_27: u32;
    var codes_1_1_28: u32; var codes_1_1_29: u32; var codes_1_1_30: u32; var codes_1_1_31: u32;
    var t_9: u32;
    let t_BK: i32 = (thread & 3) * 8;
    let x_at: i32 = from_1 * 128 + t_BK;
    let x_in: bool = u32(from_1) < u32(launch.R);
    let stride: i32 = launch.N * 256;
    let stride_1: i32 = launch.N * 128;
    let position: i32 = t_7 + thread;
    let w_at: i32 = thread * 128;
    let stride_2: i32 = launch.N * 4;
    let stride_3: i32 = launch.N * 2;
    if (more) {
      var a_1_1_0: u32; var a_1_1_1: u32; var a_1_1_2: u32; var a_1_1_3: u32; var a_1_1_4: u32;
      var a_1_1_5: u32; var a_1_1_6: u32; var a_1_1_7: u32;
      let a_1_word = select(vec4<u32>(0u), x[select(0, x_at >> 3u, x_in)], x_in);
      a_1_1_0 = a_1_word.x & 0xffffu; a_1_1_1 = a_1_word.x >> 16u; a_1_1_2 = a_1_word.y & 0xffffu;
      a_1_1_3 = a_1_word.y >> 16u; a_1_1_4 = a_1_word.z & 0xffffu; a_1_1_5 = a_1_word.z >> 16u;
      a_1_1_6 = a_1_word.w & 0xffffu; a_1_1_7 = a_1_word.w >> 16u;
      let w_at_1: i32 = t_7 * 128 + e * stride + w_at;
      let w_in: bool = (u32(e) < u32(launch.E)) & (u32(position) < u32(launch.N));
      var codes_2_1_0: u32; var codes_2_1_1: u32; var codes_2_1_2: u32; var codes_2_1_3: u32;
      var codes_2_1_4: u32; var codes_2_1_5: u32; var codes_2_1_6: u32; var codes_2_1_7: u32;
      var codes_2_1_8: u32; var codes_2_1_9: u32; var codes_2_1_10: u32; var codes_2_1_11: u32;
      var codes_2_1_12: u32; var codes_2_1_13: u32; var codes_2_1_14: u32; var codes_2_1_15: u32;
      var codes_2_1_16: u32; var codes_2_1_17: u32; var codes_2_1_18: u32; var codes_2_1_19: u32;
      var codes_2_1_20: u32; var codes_2_1_21: u32; var codes_2_1_22: u32; var codes_2_1_23: u32;
      var codes_2_1_24: u32; var codes_2_1_25: u32; var codes_2_1_26: u32; var codes_2_1_27: u32;
      var codes_2_1_28: u32; var codes_2_1_29: u32; var codes_2_1_30: u32; var codes_2_1_31: u32;
      let codes_2_word = select(vec4<u32>(0u), w[select(0, w_at_1 >> 5u, w_in)], w_in);
      codes_2_1_0 = extractBits(codes_2_word.x, 0u, 4u);
      codes_2_1_1 = extractBits(codes_2_word.x, 4u, 4u);
      codes_2_1_2 = extractBits(codes_2_word.x, 8u, 4u);
      codes_2_1_3 = extractBits(codes_2_word.x, 12u, 4u);
      codes_2_1_4 = extractBits(codes_2_word.x, 16u, 4u);
      codes_2_1_5 = extractBits(codes_2_word.x, 20u, 4u);
      codes_2_1_6 = extractBits(codes_2_word.x, 24u, 4u);
      codes_2_1_7 = extractBits(codes_2_word.x, 28u, 4u);
      codes_2_1_8 = extractBits(codes_2_word.y, 0u, 4u);
      codes_2_1_9 = extractBits(codes_2_word.y, 4u, 4u);
      codes_2_1_10 = extractBits(codes_2_word.y, 8u, 4u);
      codes_2_1_11 = extractBits(codes_2_word.y, 12u, 4u);
      codes_2_1_12 = extractBits(codes_2_word.y, 16u, 4u);
      codes_2_1_13 = extractBits(codes_2_word.y, 20u, 4u);
      codes_2_1_14 = extractBits(codes_2_word.y, 24u, 4u);
      codes_2_1_15 = extractBits(codes_2_word.y, 28u, 4u);
      codes_2_1_16 = extractBits(codes_2_word.z, 0u, 4u);
      codes_2_1_17 = extractBits(codes_2_word.z, 4u, 4u);
      codes_2_1_18 = extractBits(codes_2_word.z, 8u, 4u);
      codes_2_1_19 = extractBits(codes_2_word.z, 12u, 4u);
      codes_2_1_20 = extractBits(codes_2_word.z, 16u, 4u);
      codes_2_1_21 = extractBits(codes_2_word.z, 20u, 4u);
      codes_2_1_22 = extractBits(codes_2_word.z, 24u, 4u);
      codes_2_1_23 = extractBits(codes_2_word.z, 28u, 4u);
      codes_2_1_24 = extractBits(codes_2_word.w, 0u, 4u);
      codes_2_1_25 = extractBits(codes_2_word.w, 4u, 4u);
      codes_2_1_26 = extractBits(codes_2_word.w, 8u, 4u);
      codes_2_1_27 = extractBits(codes_2_word.w, 12u, 4u);
      codes_2_1_28 = extractBits(codes_2_word.w, 16u, 4u);
      codes_2_1_29 = extractBits(codes_2_word.w, 20u, 4u);
      codes_2_1_30 = extractBits(codes_2_word.w, 24u, 4u);
      codes_2_1_31 = extractBits(codes_2_word.w, 28u, 4u);
      let at: i32 = 0;
      let scale_at: i32 = thread + t_7 + e * stride_2 + at * stride_3;
      var scale_tile: u32;
      let scale_tile_word = select(
          0u, scale[select(0, scale_at >> 1u, w_in)], w_in) >> ((u32(scale_at) & 1u) * 16u);
      scale_tile = scale_tile_word & 0xffffu;
      let w_at_2: i32 = t_7 * 128 + e * stride + stride_1 + w_at;
      var codes_3_1_0: u32; var codes_3_1_1: u32; var codes_3_1_2: u32; var codes_3_1_3: u32;
      var codes_3_1_4: u32; var codes_3_1_5: u32; var codes_3_1_6: u32; var codes_3_1_7: u32;
      var codes_3_1_8: u32; var codes_3_1_9: u32; var codes_3_1_10: u32; var codes_3_1_11: u32;
      var codes_3_1_12: u32; var codes_3_1_13: u32; var codes_3_1_14: u32; var codes_3_1_15: u32;
      var codes_3_1_16: u32; var codes_3_1_17: u32; var codes_3_1_18: u32; var codes_3_1_19: u32;
      var codes_3_1_20: u32; var codes_3_1_21: u32; var codes_3_1_22: u32; var codes_3_1_23: u32;
      var codes_3_1_24: u32; var codes_3_1_25: u32; var codes_3_1_26: u32; var codes_3_1_27: u32;
      var codes_3_1_28: u32; var codes_3_1_29: u32; var codes_3_1_30: u32; var codes_3_1_31: u32;
      let codes_3_word = select(vec4<u32>(0u), w[select(0, w_at_2 >> 5u, w_in)], w_in);
      codes_3_1_0 = extractBits(codes_3_word.x, 0u, 4u);
      codes_3_1_1 = extractBits(codes_3_word.x, 4u, 4u);
      codes_3_1_2 = extractBits(codes_3_word.x, 8u, 4u);
      codes_3_1_3 = extractBits(codes_3_word.x, 12u, 4u);
      codes_3_1_4 = extractBits(codes_3_word.x, 16u, 4u);
      codes_3_1_5 = extractBits(codes_3_word.x, 20u, 4u);
      codes_3_1_6 = extractBits(codes_3_word.x, 24u, 4u);
      codes_3_1_7 = extractBits(codes_3_word.x, 28u, 4u);
      codes_3_1_8 = extractBits(codes_3_word.y, 0u, 4u);
      codes_3_1_9 = extractBits(codes_3_word.y, 4u, 4u);
      codes_3_1_10 = extractBits(codes_3_word.y, 8u, 4u);
      codes_3_1_11 = extractBits(codes_3_word.y, 12u, 4u);
      codes_3_1_12 = extractBits(codes_3_word.y, 16u, 4u);
      codes_3_1_13 = extractBits(codes_3_word.y, 20u, 4u);
      codes_3_1_14 = extractBits(codes_3_word.y, 24u, 4u);
      codes_3_1_15 = extractBits(codes_3_word.y, 28u, 4u);
      codes_3_1_16 = extractBits(codes_3_word.z, 0u, 4u);
      codes_3_1_17 = extractBits(codes_3_word.z, 4u, 4u);
      codes_3_1_18 = extractBits(codes_3_word.z, 8u, 4u);
      codes_3_1_19 = extractBits(codes_3_word.z, 12u, 4u);
      codes_3_1_20 = extractBits(codes_3_word.z, 16u, 4u);
      codes_3_1_21 = extractBits(codes_3_word.z, 20u, 4u);
      codes_3_1_22 = extractBits(codes_3_word.z, 24u, 4u);
      codes_3_1_23 = extractBits(codes_3_word.z, 28u, 4u);
      codes_3_1_24 = extractBits(codes_3_word.w, 0u, 4u);
      codes_3_1_25 = extractBits(codes_3_word.w, 4u, 4u);
      codes_3_1_26 = extractBits(codes_3_word.w, 8u, 4u);
      codes_3_1_27 = extractBits(codes_3_word.w, 12u, 4u);
      codes_3_1_28 = extractBits(codes_3_word.w, 16u, 4u);
      codes_3_1_29 = extractBits(codes_3_word.w, 20u, 4u);
      codes_3_1_30 = extractBits(codes_3_word.w, 24u, 4u);
      codes_3_1_31 = extractBits(codes_3_word.w, 28u, 4u);
      let scale_at_1: i32 = launch.N + thread + t_7 + e * stride_2 + at * stride_3;
      var scale_tile_1: u32;
      let scale_tile_1_word = select(
          0u, scale[select(0, scale_at_1 >> 1u, w_in)], w_in) >> ((u32(scale_at_1) & 1u) * 16u);
      scale_tile_1 = scale_tile_1_word & 0xffffu;
      a_0 = a_1_1_0; a_1 = a_1_1_1; a_2 = a_1_1_2; a_3 = a_1_1_3; a_4 = a_1_1_4; a_5 = a_1_1_5;
      a_6 = a_1_1_6; a_7 = a_1_1_7; codes_0 = codes_2_1_0; codes_1 = codes_2_1_1;
      codes_2 = codes_2_1_2; codes_3 = codes_2_1_3; codes_4 = codes_2_1_4; codes_5 = codes_2_1_5;
      codes_6 = codes_2_1_6; codes_7 = codes_2_1_7; codes_8 = codes_2_1_8; codes_9 = codes_2_1_9;
      codes_10 = codes_2_1_10; codes_11 = codes_2_1_11; codes_12 = codes_2_1_12;
      codes_13 = codes_2_1_13; codes_14 = codes_2_1_14; codes_15 = codes_2_1_15;
      codes_16 = codes_2_1_16; codes_17 = codes_2_1_17; codes_18 = codes_2_1_18;
      codes_19 = codes_2_1_19; codes_20 = codes_2_1_20; codes_21 = codes_2_1_21;
      codes_22 = codes_2_1_22; codes_23 = codes_2_1_23; codes_24 = codes_2_1_24;
      codes_25 = codes_2_1_25; codes_26 = codes_2_1_26; codes_27 = codes_2_1_27;
      codes_28 = codes_2_1_28; codes_29 = codes_2_1_29; codes_30 = codes_2_1_30;
      codes_31 = codes_2_1_31;
      t_8 = scale_tile;
      codes_1_1_0 = codes_3_1_0; codes_1_1_1 = codes_3_1_1; codes_1_1_2 = codes_3_1_2;
      codes_1_1_3 = codes_3_1_3; codes_1_1_4 = codes_3_1_4; codes_1_1_5 = codes_3_1_5;
      codes_1_1_6 = codes_3_1_6; codes_1_1_7 = codes_3_1_7; codes_1_1_8 = codes_3_1_8;
      codes_1_1_9 = codes_3_1_9; codes_1_1_10 = codes_3_1_10; codes_1_1_11 = codes_3_1_11;
      codes_1_1_12 = codes_3_1_12; codes_1_1_13 = codes_3_1_13; codes_1_1_14 = codes_3_1_14;
      codes_1_1_15 = codes_3_1_15; codes_1_1_16 = codes_3_1_16; codes_1_1_17 = codes_3_1_17;
      codes_1_1_18 = codes_3_1_18; codes_1_1_19 = codes_3_1_19; codes_1_1_20 = codes_3_1_20;
      codes_1_1_21 = codes_3_1_21; codes_1_1_22 = codes_3_1_22; codes_1_1_23 = codes_3_1_23;
      codes_1_1_24 = codes_3_1_24; codes_1_1_25 = codes_3_1_25; codes_1_1_26 = codes_3_1_26;
      codes_1_1_27 = codes_3_1_27; codes_1_1_28 = codes_3_1_28; codes_1_1_29 = codes_3_1_29;
      codes_1_1_30 = codes_3_1_30; codes_1_1_31 = codes_3_1_31;
      t_9 = scale_tile_1;
    } else {
      a_0 = 0u; a_1 = 0u; a_2 = 0u; a_3 = 0u; a_4 = 0u; a_5 = 0u; a_6 = 0u; a_7 = 0u; codes_0 = 0u;
      codes_1 = 0u; codes_2 = 0u; codes_3 = 0u; codes_4 = 0u; codes_5 = 0u; codes_6 = 0u;
      codes_7 = 0u; codes_8 = 0u; codes_9 = 0u; codes_10 = 0u; codes_11 = 0u; codes_12 = 0u;
      codes_13 = 0u; codes_14 = 0u; codes_15 = 0u; codes_16 = 0u; codes_17 = 0u; codes_18 = 0u;
      codes_19 = 0u; codes_20 = 0u; codes_21 = 0u; codes_22 = 0u; codes_23 = 0u; codes_24 = 0u;
      codes_25 = 0u; codes_26 = 0u; codes_27 = 0u; codes_28 = 0u; codes_29 = 0u; codes_30 = 0u;
      codes_31 = 0u;
      t_8 = 0u;
      codes_1_1_0 = 0u; codes_1_1_1 = 0u; codes_1_1_2 = 0u; codes_1_1_3 = 0u; codes_1_1_4 = 0u;
      codes_1_1_5 = 0u; codes_1_1_6 = 0u; codes_1_1_7 = 0u; codes_1_1_8 = 0u; codes_1_1_9 = 0u;
      codes_1_1_10 = 0u; codes_1_1_11 = 0u; codes_1_1_12 = 0u; codes_1_1_13 = 0u; codes_1_1_14 = 0u;
      codes_1_1_15 = 0u; codes_1_1_16 = 0u; codes_1_1_17 = 0u; codes_1_1_18 = 0u; codes_1_1_19 = 0u;
      codes_1_1_20 = 0u; codes_1_1_21 = 0u; codes_1_1_22 = 0u; codes_1_1_23 = 0u; codes_1_1_24 = 0u;
      codes_1_1_25 = 0u; codes_1_1_26 = 0u; codes_1_1_27 = 0u; codes_1_1_28 = 0u; codes_1_1_29 = 0u;
      codes_1_1_30 = 0u; codes_1_1_31 = 0u;
      t_9 = 0u;
    }
    var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
    var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32;
    var acc_11: f32; var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
    var up_0: f32; var up_1: f32; var up_2: f32; var up_3: f32; var up_4: f32; var up_5: f32;
    var up_6: f32; var up_7: f32; var up_8: f32; var up_9: f32; var up_10: f32; var up_11: f32;
    var up_12: f32; var up_13: f32; var up_14: f32; var up_15: f32;
    acc_0 = 0.0f; up_0 = 0.0f; acc_1 = 0.0f; up_1 = 0.0f; acc_2 = 0.0f; up_2 = 0.0f; acc_3 = 0.0f;
    up_3 = 0.0f; acc_4 = 0.0f; up_4 = 0.0f; acc_5 = 0.0f; up_5 = 0.0f; acc_6 = 0.0f; up_6 = 0.0f;
    acc_7 = 0.0f; up_7 = 0.0f; acc_8 = 0.0f; up_8 = 0.0f; acc_9 = 0.0f; up_9 = 0.0f; acc_10 = 0.0f;
    up_10 = 0.0f; acc_11 = 0.0f; up_11 = 0.0f; acc_12 = 0.0f; up_12 = 0.0f; acc_13 = 0.0f;
    up_13 = 0.0f; acc_14 = 0.0f; up_14 = 0.0f; acc_15 = 0.0f; up_15 = 0.0f;
    var t_10: u32 = t_8;
    var t_11: u32 = t_9;
    let w_at_3: i32 = e * stride + t_7 * 128 + w_at;
    let w_in_1: bool = (u32(e) < u32(launch.E)) & (u32(position) < u32(launch.N));
    let scale_at_2: i32 = thread + e * stride_2 + t_7;
    let w_at_4: i32 = e * stride + stride_1 + t_7 * 128 + w_at;
    let scale_at_3: i32 = launch.N + thread + e * stride_2 + t_7;
    let a_shared_at: i32 = (thread & 3) * 8 + (thread >> 2u) * 36;
    let t68_shared_at: i32 = thread * 36;
    let a_shared_at_1: i32 = ((thread >> 3u) & 3) * 36;
    let t68_shared_at_1: i32 = (thread & 7) * 144 + (thread >> 5u) * 1152;
    for (var k: i32 = 0; k < 128; k += 32) {
      let k_1: i32 = k + 32;
      let more_1: bool = k_1 < 128;
      var a_2_1_0: u32; var a_2_1_1: u32; var a_2_1_2: u32; var a_2_1_3: u32; var a_2_1_4: u32;
      var a_2_1_5: u32; var a_2_1_6: u32; var a_2_1_7: u32;
      var codes_4_1_0: u32; var codes_4_1_1: u32; var codes_4_1_2: u32; var codes_4_1_3: u32;
      var codes_4_1_4: u32; var codes_4_1_5: u32; var codes_4_1_6: u32; var codes_4_1_7: u32;
      var codes_4_1_8: u32; var codes_4_1_9: u32; var codes_4_1_10: u32; var codes_4_1_11: u32;
      var codes_4_1_12: u32; var codes_4_1_13: u32; var codes_4_1_14: u32; var codes_4_1_15: u32;
      var codes_4_1_16: u32; var codes_4_1_17: u32; var codes_4_1_18: u32; var codes_4_1_19: u32;
      var codes_4_1_20: u32; var codes_4_1_21: u32; var codes_4_1_22: u32; var codes_4_1_23: u32;
      var codes_4_1_24: u32; var codes_4_1_25: u32; var codes_4_1_26: u32; var codes_4_1_27: u32;
      var codes_4_1_28: u32; var codes_4_1_29: u32; var codes_4_1_30: u32; var codes_4_1_31: u32;
      var t_12: u32;
      var codes_5_1_0: u32; var codes_5_1_1: u32; var codes_5_1_2: u32; var codes_5_1_3: u32;
      var codes_5_1_4: u32; var codes_5_1_5: u32; var codes_5_1_6: u32; var codes_5_1_7: u32;
      var codes_5_1_8: u32; var codes_5_1_9: u32; var codes_5_1_10: u32; var codes_5_1_11: u32;
      var codes_5_1_12: u32; var codes_5_1_13: u32; var codes_5_1_14: u32; var codes_5_1_15: u32;
      var codes_5_1_16: u32; var codes_5_1_17: u32; var codes_5_1_18: u32; var codes_5_1_19: u32;
      var codes_5_1_20: u32; var codes_5_1_21: u32; var codes_5_1_22: u32; var codes_5_1_23: u32;
      var codes_5_1_24: u32; var codes_5_1_25: u32; var codes_5_1_26: u32; var codes_5_1_27: u32;
      var codes_5_1_28: u32; var codes_5_1_29: u32; var codes_5_1_30: u32; var codes_5_1_31: u32;
      var t_13: u32;
      if (more_1) {
        let left: i32 = 128 - k_1;
        let x_at_1: i32 = x_at + k_1;
        let x_in_1: bool = x_in & (t_BK < left);
        var a_3_1_0: u32; var a_3_1_1: u32; var a_3_1_2: u32; var a_3_1_3: u32; var a_3_1_4: u32;
        var a_3_1_5: u32; var a_3_1_6: u32; var a_3_1_7: u32;
        let a_3_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 3u, x_in_1)], x_in_1);
        a_3_1_0 = a_3_word.x & 0xffffu; a_3_1_1 = a_3_word.x >> 16u; a_3_1_2 = a_3_word.y & 0xffffu;
        a_3_1_3 = a_3_word.y >> 16u; a_3_1_4 = a_3_word.z & 0xffffu; a_3_1_5 = a_3_word.z >> 16u;
        a_3_1_6 = a_3_word.w & 0xffffu; a_3_1_7 = a_3_word.w >> 16u;
        let w_at_5: i32 = w_at_3 + k_1;
        let w_in_2: bool = w_in_1 & (0 < left);
        var codes_6_1_0: u32; var codes_6_1_1: u32; var codes_6_1_2: u32; var codes_6_1_3: u32;
        var codes_6_1_4: u32; var codes_6_1_5: u32; var codes_6_1_6: u32; var codes_6_1_7: u32;
        var codes_6_1_8: u32; var codes_6_1_9: u32; var codes_6_1_10: u32; var codes_6_1_11: u32;
        var codes_6_1_12: u32; var codes_6_1_13: u32; var codes_6_1_14: u32; var codes_6_1_15: u32;
        var codes_6_1_16: u32; var codes_6_1_17: u32; var codes_6_1_18: u32; var codes_6_1_19: u32;
        var codes_6_1_20: u32; var codes_6_1_21: u32; var codes_6_1_22: u32; var codes_6_1_23: u32;
        var codes_6_1_24: u32; var codes_6_1_25: u32; var codes_6_1_26: u32; var codes_6_1_27: u32;
        var codes_6_1_28: u32; var codes_6_1_29: u32; var codes_6_1_30: u32; var codes_6_1_31: u32;
        let codes_6_word = select(vec4<u32>(0u), w[select(0, w_at_5 >> 5u, w_in_2)], w_in_2);
        codes_6_1_0 = extractBits(codes_6_word.x, 0u, 4u);
        codes_6_1_1 = extractBits(codes_6_word.x, 4u, 4u);
        codes_6_1_2 = extractBits(codes_6_word.x, 8u, 4u);
        codes_6_1_3 = extractBits(codes_6_word.x, 12u, 4u);
        codes_6_1_4 = extractBits(codes_6_word.x, 16u, 4u);
        codes_6_1_5 = extractBits(codes_6_word.x, 20u, 4u);
        codes_6_1_6 = extractBits(codes_6_word.x, 24u, 4u);
        codes_6_1_7 = extractBits(codes_6_word.x, 28u, 4u);
        codes_6_1_8 = extractBits(codes_6_word.y, 0u, 4u);
        codes_6_1_9 = extractBits(codes_6_word.y, 4u, 4u);
        codes_6_1_10 = extractBits(codes_6_word.y, 8u, 4u);
        codes_6_1_11 = extractBits(codes_6_word.y, 12u, 4u);
        codes_6_1_12 = extractBits(codes_6_word.y, 16u, 4u);
        codes_6_1_13 = extractBits(codes_6_word.y, 20u, 4u);
        codes_6_1_14 = extractBits(codes_6_word.y, 24u, 4u);
        codes_6_1_15 = extractBits(codes_6_word.y, 28u, 4u);
        codes_6_1_16 = extractBits(codes_6_word.z, 0u, 4u);
        codes_6_1_17 = extractBits(codes_6_word.z, 4u, 4u);
        codes_6_1_18 = extractBits(codes_6_word.z, 8u, 4u);
        codes_6_1_19 = extractBits(codes_6_word.z, 12u, 4u);
        codes_6_1_20 = extractBits(codes_6_word.z, 16u, 4u);
        codes_6_1_21 = extractBits(codes_6_word.z, 20u, 4u);
        codes_6_1_22 = extractBits(codes_6_word.z, 24u, 4u);
        codes_6_1_23 = extractBits(codes_6_word.z, 28u, 4u);
        codes_6_1_24 = extractBits(codes_6_word.w, 0u, 4u);
        codes_6_1_25 = extractBits(codes_6_word.w, 4u, 4u);
        codes_6_1_26 = extractBits(codes_6_word.w, 8u, 4u);
        codes_6_1_27 = extractBits(codes_6_word.w, 12u, 4u);
        codes_6_1_28 = extractBits(codes_6_word.w, 16u, 4u);
        codes_6_1_29 = extractBits(codes_6_word.w, 20u, 4u);
        codes_6_1_30 = extractBits(codes_6_word.w, 24u, 4u);
        codes_6_1_31 = extractBits(codes_6_word.w, 28u, 4u);
        let at_1: i32 = k_1 >> 6u;
        let scale_at_4: i32 = scale_at_2 + at_1 * stride_3;
        let scale_in: bool = w_in_1 & (at_1 < 2);
        var scale_tile_2: u32;
        let scale_tile_2_word = select(
            0u, scale[select(0, scale_at_4 >> 1u, scale_in)], scale_in) >> ((u32(scale_at_4) & 1u) * 16u);
        scale_tile_2 = scale_tile_2_word & 0xffffu;
        let w_at_6: i32 = w_at_4 + k_1;
        var codes_7_1_0: u32; var codes_7_1_1: u32; var codes_7_1_2: u32; var codes_7_1_3: u32;
        var codes_7_1_4: u32; var codes_7_1_5: u32; var codes_7_1_6: u32; var codes_7_1_7: u32;
        var codes_7_1_8: u32; var codes_7_1_9: u32; var codes_7_1_10: u32; var codes_7_1_11: u32;
        var codes_7_1_12: u32; var codes_7_1_13: u32; var codes_7_1_14: u32; var codes_7_1_15: u32;
        var codes_7_1_16: u32; var codes_7_1_17: u32; var codes_7_1_18: u32; var codes_7_1_19: u32;
        var codes_7_1_20: u32; var codes_7_1_21: u32; var codes_7_1_22: u32; var codes_7_1_23: u32;
        var codes_7_1_24: u32; var codes_7_1_25: u32; var codes_7_1_26: u32; var codes_7_1_27: u32;
        var codes_7_1_28: u32; var codes_7_1_29: u32; var codes_7_1_30: u32; var codes_7_1_31: u32;
        let codes_7_word = select(vec4<u32>(0u), w[select(0, w_at_6 >> 5u, w_in_2)], w_in_2);
        codes_7_1_0 = extractBits(codes_7_word.x, 0u, 4u);
        codes_7_1_1 = extractBits(codes_7_word.x, 4u, 4u);
        codes_7_1_2 = extractBits(codes_7_word.x, 8u, 4u);
        codes_7_1_3 = extractBits(codes_7_word.x, 12u, 4u);
        codes_7_1_4 = extractBits(codes_7_word.x, 16u, 4u);
        codes_7_1_5 = extractBits(codes_7_word.x, 20u, 4u);
        codes_7_1_6 = extractBits(codes_7_word.x, 24u, 4u);
        codes_7_1_7 = extractBits(codes_7_word.x, 28u, 4u);
        codes_7_1_8 = extractBits(codes_7_word.y, 0u, 4u);
        codes_7_1_9 = extractBits(codes_7_word.y, 4u, 4u);
        codes_7_1_10 = extractBits(codes_7_word.y, 8u, 4u);
        codes_7_1_11 = extractBits(codes_7_word.y, 12u, 4u);
        codes_7_1_12 = extractBits(codes_7_word.y, 16u, 4u);
        codes_7_1_13 = extractBits(codes_7_word.y, 20u, 4u);
        codes_7_1_14 = extractBits(codes_7_word.y, 24u, 4u);
        codes_7_1_15 = extractBits(codes_7_word.y, 28u, 4u);
        codes_7_1_16 = extractBits(codes_7_word.z, 0u, 4u);
        codes_7_1_17 = extractBits(codes_7_word.z, 4u, 4u);
        codes_7_1_18 = extractBits(codes_7_word.z, 8u, 4u);
        codes_7_1_19 = extractBits(codes_7_word.z, 12u, 4u);
        codes_7_1_20 = extractBits(codes_7_word.z, 16u, 4u);
        codes_7_1_21 = extractBits(codes_7_word.z, 20u, 4u);
        codes_7_1_22 = extractBits(codes_7_word.z, 24u, 4u);
        codes_7_1_23 = extractBits(codes_7_word.z, 28u, 4u);
        codes_7_1_24 = extractBits(codes_7_word.w, 0u, 4u);
        codes_7_1_25 = extractBits(codes_7_word.w, 4u, 4u);
        codes_7_1_26 = extractBits(codes_7_word.w, 8u, 4u);
        codes_7_1_27 = extractBits(codes_7_word.w, 12u, 4u);
        codes_7_1_28 = extractBits(codes_7_word.w, 16u, 4u);
        codes_7_1_29 = extractBits(codes_7_word.w, 20u, 4u);
        codes_7_1_30 = extractBits(codes_7_word.w, 24u, 4u);
        codes_7_1_31 = extractBits(codes_7_word.w, 28u, 4u);
        let scale_at_5: i32 = scale_at_3 + at_1 * stride_3;
        var scale_tile_3: u32;
        let scale_tile_3_word = select(
            0u, scale[select(0, scale_at_5 >> 1u, scale_in)], scale_in) >> ((u32(scale_at_5) & 1u) * 16u);
        scale_tile_3 = scale_tile_3_word & 0xffffu;
        a_2_1_0 = a_3_1_0; a_2_1_1 = a_3_1_1; a_2_1_2 = a_3_1_2; a_2_1_3 = a_3_1_3;
        a_2_1_4 = a_3_1_4; a_2_1_5 = a_3_1_5; a_2_1_6 = a_3_1_6; a_2_1_7 = a_3_1_7;
        codes_4_1_0 = codes_6_1_0; codes_4_1_1 = codes_6_1_1; codes_4_1_2 = codes_6_1_2;
        codes_4_1_3 = codes_6_1_3; codes_4_1_4 = codes_6_1_4; codes_4_1_5 = codes_6_1_5;
        codes_4_1_6 = codes_6_1_6; codes_4_1_7 = codes_6_1_7; codes_4_1_8 = codes_6_1_8;
        codes_4_1_9 = codes_6_1_9; codes_4_1_10 = codes_6_1_10; codes_4_1_11 = codes_6_1_11;
        codes_4_1_12 = codes_6_1_12; codes_4_1_13 = codes_6_1_13; codes_4_1_14 = codes_6_1_14;
        codes_4_1_15 = codes_6_1_15; codes_4_1_16 = codes_6_1_16; codes_4_1_17 = codes_6_1_17;
        codes_4_1_18 = codes_6_1_18; codes_4_1_19 = codes_6_1_19; codes_4_1_20 = codes_6_1_20;
        codes_4_1_21 = codes_6_1_21; codes_4_1_22 = codes_6_1_22; codes_4_1_23 = codes_6_1_23;
        codes_4_1_24 = codes_6_1_24; codes_4_1_25 = codes_6_1_25; codes_4_1_26 = codes_6_1_26;
        codes_4_1_27 = codes_6_1_27; codes_4_1_28 = codes_6_1_28; codes_4_1_29 = codes_6_1_29;
        codes_4_1_30 = codes_6_1_30; codes_4_1_31 = codes_6_1_31;
        t_12 = scale_tile_2;
        codes_5_1_0 = codes_7_1_0; codes_5_1_1 = codes_7_1_1; codes_5_1_2 = codes_7_1_2;
        codes_5_1_3 = codes_7_1_3; codes_5_1_4 = codes_7_1_4; codes_5_1_5 = codes_7_1_5;
        codes_5_1_6 = codes_7_1_6; codes_5_1_7 = codes_7_1_7; codes_5_1_8 = codes_7_1_8;
        codes_5_1_9 = codes_7_1_9; codes_5_1_10 = codes_7_1_10; codes_5_1_11 = codes_7_1_11;
        codes_5_1_12 = codes_7_1_12; codes_5_1_13 = codes_7_1_13; codes_5_1_14 = codes_7_1_14;
        codes_5_1_15 = codes_7_1_15; codes_5_1_16 = codes_7_1_16; codes_5_1_17 = codes_7_1_17;
        codes_5_1_18 = codes_7_1_18; codes_5_1_19 = codes_7_1_19; codes_5_1_20 = codes_7_1_20;
        codes_5_1_21 = codes_7_1_21; codes_5_1_22 = codes_7_1_22; codes_5_1_23 = codes_7_1_23;
        codes_5_1_24 = codes_7_1_24; codes_5_1_25 = codes_7_1_25; codes_5_1_26 = codes_7_1_26;
        codes_5_1_27 = codes_7_1_27; codes_5_1_28 = codes_7_1_28; codes_5_1_29 = codes_7_1_29;
        codes_5_1_30 = codes_7_1_30; codes_5_1_31 = codes_7_1_31;
        t_13 = scale_tile_3;
      } else {
        a_2_1_0 = 0u; a_2_1_1 = 0u; a_2_1_2 = 0u; a_2_1_3 = 0u; a_2_1_4 = 0u; a_2_1_5 = 0u;
        a_2_1_6 = 0u; a_2_1_7 = 0u; codes_4_1_0 = 0u; codes_4_1_1 = 0u; codes_4_1_2 = 0u;
        codes_4_1_3 = 0u; codes_4_1_4 = 0u; codes_4_1_5 = 0u; codes_4_1_6 = 0u; codes_4_1_7 = 0u;
        codes_4_1_8 = 0u; codes_4_1_9 = 0u; codes_4_1_10 = 0u; codes_4_1_11 = 0u; codes_4_1_12 = 0u;
        codes_4_1_13 = 0u; codes_4_1_14 = 0u; codes_4_1_15 = 0u; codes_4_1_16 = 0u;
        codes_4_1_17 = 0u; codes_4_1_18 = 0u; codes_4_1_19 = 0u; codes_4_1_20 = 0u;
        codes_4_1_21 = 0u; codes_4_1_22 = 0u; codes_4_1_23 = 0u; codes_4_1_24 = 0u;
        codes_4_1_25 = 0u; codes_4_1_26 = 0u; codes_4_1_27 = 0u; codes_4_1_28 = 0u;
        codes_4_1_29 = 0u; codes_4_1_30 = 0u; codes_4_1_31 = 0u;
        t_12 = 0u;
        codes_5_1_0 = 0u; codes_5_1_1 = 0u; codes_5_1_2 = 0u; codes_5_1_3 = 0u; codes_5_1_4 = 0u;
        codes_5_1_5 = 0u; codes_5_1_6 = 0u; codes_5_1_7 = 0u; codes_5_1_8 = 0u; codes_5_1_9 = 0u;
        codes_5_1_10 = 0u; codes_5_1_11 = 0u; codes_5_1_12 = 0u; codes_5_1_13 = 0u;
        codes_5_1_14 = 0u; codes_5_1_15 = 0u; codes_5_1_16 = 0u; codes_5_1_17 = 0u;
        codes_5_1_18 = 0u; codes_5_1_19 = 0u; codes_5_1_20 = 0u; codes_5_1_21 = 0u;
        codes_5_1_22 = 0u; codes_5_1_23 = 0u; codes_5_1_24 = 0u; codes_5_1_25 = 0u;
        codes_5_1_26 = 0u; codes_5_1_27 = 0u; codes_5_1_28 = 0u; codes_5_1_29 = 0u;
        codes_5_1_30 = 0u; codes_5_1_31 = 0u;
        t_13 = 0u;
      }
      let t_14: f32 = tw_bf16_to_f32(t_10);
      workgroupBarrier();
      var a_4_1_0: f32; var a_4_1_1: f32; var a_4_1_2: f32; var a_4_1_3: f32;
      a_4_1_0 = tw_bf16_to_f32(a_0); a_4_1_1 = tw_bf16_to_f32(a_1); a_4_1_2 = tw_bf16_to_f32(a_2);
      a_4_1_3 = tw_bf16_to_f32(a_3);
      a_shared[a_shared_at >> 2u] = vec4<f32>(a_4_1_0, a_4_1_1, a_4_1_2, a_4_1_3);
      var a_5_1_0: f32; var a_5_1_1: f32; var a_5_1_2: f32; var a_5_1_3: f32;
      a_5_1_0 = tw_bf16_to_f32(a_4); a_5_1_1 = tw_bf16_to_f32(a_5); a_5_1_2 = tw_bf16_to_f32(a_6);
      a_5_1_3 = tw_bf16_to_f32(a_7);
      a_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(a_5_1_0, a_5_1_1, a_5_1_2, a_5_1_3);
      var t68_shared_tile_0: f32; var t68_shared_tile_1: f32; var t68_shared_tile_2: f32;
      var t68_shared_tile_3: f32;
      t68_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_0) - 8.0f) * t_14));
      t68_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1) - 8.0f) * t_14));
      t68_shared_tile_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_2) - 8.0f) * t_14));
      t68_shared_tile_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_3) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[t68_shared_at >> 2u] = vec4<f32>(
          t68_shared_tile_0, t68_shared_tile_1, t68_shared_tile_2, t68_shared_tile_3);
      var t68_shared_tile_1_1_0: f32; var t68_shared_tile_1_1_1: f32;
      var t68_shared_tile_1_1_2: f32; var t68_shared_tile_1_1_3: f32;
      t68_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_4) - 8.0f) * t_14));
      t68_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_5) - 8.0f) * t_14));
      t68_shared_tile_1_1_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_6) - 8.0f) * t_14));
      t68_shared_tile_1_1_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_7) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 4) >> 2u] = vec4<f32>(
          t68_shared_tile_1_1_0, t68_shared_tile_1_1_1, t68_shared_tile_1_1_2, t68_shared_tile_1_1_3);
      var t68_shared_tile_2_1_0: f32; var t68_shared_tile_2_1_1: f32;
      var t68_shared_tile_2_1_2: f32; var t68_shared_tile_2_1_3: f32;
      t68_shared_tile_2_1_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_8) - 8.0f) * t_14));
      t68_shared_tile_2_1_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_9) - 8.0f) * t_14));
      t68_shared_tile_2_1_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_10) - 8.0f) * t_14));
      t68_shared_tile_2_1_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_11) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 8) >> 2u] = vec4<f32>(
          t68_shared_tile_2_1_0, t68_shared_tile_2_1_1, t68_shared_tile_2_1_2, t68_shared_tile_2_1_3);
      var t68_shared_tile_3_1_0: f32; var t68_shared_tile_3_1_1: f32;
      var t68_shared_tile_3_1_2: f32; var t68_shared_tile_3_1_3: f32;
      t68_shared_tile_3_1_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_12) - 8.0f) * t_14));
      t68_shared_tile_3_1_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_13) - 8.0f) * t_14));
      t68_shared_tile_3_1_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_14) - 8.0f) * t_14));
      t68_shared_tile_3_1_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_15) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 12) >> 2u] = vec4<f32>(
          t68_shared_tile_3_1_0, t68_shared_tile_3_1_1, t68_shared_tile_3_1_2, t68_shared_tile_3_1_3);
      var t68_shared_tile_4_0: f32; var t68_shared_tile_4_1: f32; var t68_shared_tile_4_2: f32;
      var t68_shared_tile_4_3: f32;
      t68_shared_tile_4_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_16) - 8.0f) * t_14));
      t68_shared_tile_4_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_17) - 8.0f) * t_14));
      t68_shared_tile_4_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_18) - 8.0f) * t_14));
      t68_shared_tile_4_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_19) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 16) >> 2u] = vec4<f32>(
          t68_shared_tile_4_0, t68_shared_tile_4_1, t68_shared_tile_4_2, t68_shared_tile_4_3);
      var t68_shared_tile_5_0: f32; var t68_shared_tile_5_1: f32; var t68_shared_tile_5_2: f32;
      var t68_shared_tile_5_3: f32;
      t68_shared_tile_5_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_20) - 8.0f) * t_14));
      t68_shared_tile_5_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_21) - 8.0f) * t_14));
      t68_shared_tile_5_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_22) - 8.0f) * t_14));
      t68_shared_tile_5_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_23) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 20) >> 2u] = vec4<f32>(
          t68_shared_tile_5_0, t68_shared_tile_5_1, t68_shared_tile_5_2, t68_shared_tile_5_3);
      var t68_shared_tile_6_0: f32; var t68_shared_tile_6_1: f32; var t68_shared_tile_6_2: f32;
      var t68_shared_tile_6_3: f32;
      t68_shared_tile_6_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_24) - 8.0f) * t_14));
      t68_shared_tile_6_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_25) - 8.0f) * t_14));
      t68_shared_tile_6_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_26) - 8.0f) * t_14));
      t68_shared_tile_6_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_27) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 24) >> 2u] = vec4<f32>(
          t68_shared_tile_6_0, t68_shared_tile_6_1, t68_shared_tile_6_2, t68_shared_tile_6_3);
      var t68_shared_tile_7_0: f32; var t68_shared_tile_7_1: f32; var t68_shared_tile_7_2: f32;
      var t68_shared_tile_7_3: f32;
      t68_shared_tile_7_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_28) - 8.0f) * t_14));
      t68_shared_tile_7_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_29) - 8.0f) * t_14));
      t68_shared_tile_7_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_30) - 8.0f) * t_14));
      t68_shared_tile_7_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_31) - 8.0f) * t_14));
      shared_t68_shared_t70_shared[(t68_shared_at + 28) >> 2u] = vec4<f32>(
          t68_shared_tile_7_0, t68_shared_tile_7_1, t68_shared_tile_7_2, t68_shared_tile_7_3);
      workgroupBarrier();
      for (var r: i32 = 0; r < 8; r++) {
        var a_shared_1_0: f32; var a_shared_1_1: f32; var a_shared_1_2: f32; var a_shared_1_3: f32;
        var a_shared_1_4: f32; var a_shared_1_5: f32; var a_shared_1_6: f32; var a_shared_1_7: f32;
        var a_shared_1_8: f32; var a_shared_1_9: f32; var a_shared_1_10: f32;
        var a_shared_1_11: f32; var a_shared_1_12: f32; var a_shared_1_13: f32;
        var a_shared_1_14: f32; var a_shared_1_15: f32;
        var t68_shared_1_0: f32; var t68_shared_1_1: f32; var t68_shared_1_2: f32;
        var t68_shared_1_3: f32; var t68_shared_1_4: f32; var t68_shared_1_5: f32;
        var t68_shared_1_6: f32; var t68_shared_1_7: f32; var t68_shared_1_8: f32;
        var t68_shared_1_9: f32; var t68_shared_1_10: f32; var t68_shared_1_11: f32;
        var t68_shared_1_12: f32; var t68_shared_1_13: f32; var t68_shared_1_14: f32;
        var t68_shared_1_15: f32;
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
        let t68_shared_1_word = shared_t68_shared_t70_shared[(t68_shared_at_1 + r * 4) >> 2u];
        t68_shared_1_0 = t68_shared_1_word.x; t68_shared_1_1 = t68_shared_1_word.y;
        t68_shared_1_2 = t68_shared_1_word.z; t68_shared_1_3 = t68_shared_1_word.w;
        let t68_shared_1_word_1 = shared_t68_shared_t70_shared[(t68_shared_at_1 + 36 + r * 4) >> 2u];
        t68_shared_1_4 = t68_shared_1_word_1.x; t68_shared_1_5 = t68_shared_1_word_1.y;
        t68_shared_1_6 = t68_shared_1_word_1.z; t68_shared_1_7 = t68_shared_1_word_1.w;
        let t68_shared_1_word_2 = shared_t68_shared_t70_shared[(t68_shared_at_1 + 72 + r * 4) >> 2u];
        t68_shared_1_8 = t68_shared_1_word_2.x; t68_shared_1_9 = t68_shared_1_word_2.y;
        t68_shared_1_10 = t68_shared_1_word_2.z; t68_shared_1_11 = t68_shared_1_word_2.w;
        let t68_shared_1_word_3 = shared_t68_shared_t70_shared[(t68_shared_at_1 + 108 + r * 4) >> 2u];
        t68_shared_1_12 = t68_shared_1_word_3.x; t68_shared_1_13 = t68_shared_1_word_3.y;
        t68_shared_1_14 = t68_shared_1_word_3.z; t68_shared_1_15 = t68_shared_1_word_3.w;
        acc_0 = fma(a_shared_1_0, t68_shared_1_0, acc_0);
        acc_1 = fma(a_shared_1_0, t68_shared_1_4, acc_1);
        acc_2 = fma(a_shared_1_0, t68_shared_1_8, acc_2);
        acc_3 = fma(a_shared_1_0, t68_shared_1_12, acc_3);
        acc_4 = fma(a_shared_1_4, t68_shared_1_0, acc_4);
        acc_5 = fma(a_shared_1_4, t68_shared_1_4, acc_5);
        acc_6 = fma(a_shared_1_4, t68_shared_1_8, acc_6);
        acc_7 = fma(a_shared_1_4, t68_shared_1_12, acc_7);
        acc_8 = fma(a_shared_1_8, t68_shared_1_0, acc_8);
        acc_9 = fma(a_shared_1_8, t68_shared_1_4, acc_9);
        acc_10 = fma(a_shared_1_8, t68_shared_1_8, acc_10);
        acc_11 = fma(a_shared_1_8, t68_shared_1_12, acc_11);
        acc_12 = fma(a_shared_1_12, t68_shared_1_0, acc_12);
        acc_13 = fma(a_shared_1_12, t68_shared_1_4, acc_13);
        acc_14 = fma(a_shared_1_12, t68_shared_1_8, acc_14);
        acc_15 = fma(a_shared_1_12, t68_shared_1_12, acc_15);
        acc_0 = fma(a_shared_1_1, t68_shared_1_1, acc_0);
        acc_1 = fma(a_shared_1_1, t68_shared_1_5, acc_1);
        acc_2 = fma(a_shared_1_1, t68_shared_1_9, acc_2);
        acc_3 = fma(a_shared_1_1, t68_shared_1_13, acc_3);
        acc_4 = fma(a_shared_1_5, t68_shared_1_1, acc_4);
        acc_5 = fma(a_shared_1_5, t68_shared_1_5, acc_5);
        acc_6 = fma(a_shared_1_5, t68_shared_1_9, acc_6);
        acc_7 = fma(a_shared_1_5, t68_shared_1_13, acc_7);
        acc_8 = fma(a_shared_1_9, t68_shared_1_1, acc_8);
        acc_9 = fma(a_shared_1_9, t68_shared_1_5, acc_9);
        acc_10 = fma(a_shared_1_9, t68_shared_1_9, acc_10);
        acc_11 = fma(a_shared_1_9, t68_shared_1_13, acc_11);
        acc_12 = fma(a_shared_1_13, t68_shared_1_1, acc_12);
        acc_13 = fma(a_shared_1_13, t68_shared_1_5, acc_13);
        acc_14 = fma(a_shared_1_13, t68_shared_1_9, acc_14);
        acc_15 = fma(a_shared_1_13, t68_shared_1_13, acc_15);
        acc_0 = fma(a_shared_1_2, t68_shared_1_2, acc_0);
        acc_1 = fma(a_shared_1_2, t68_shared_1_6, acc_1);
        acc_2 = fma(a_shared_1_2, t68_shared_1_10, acc_2);
        acc_3 = fma(a_shared_1_2, t68_shared_1_14, acc_3);
        acc_4 = fma(a_shared_1_6, t68_shared_1_2, acc_4);
        acc_5 = fma(a_shared_1_6, t68_shared_1_6, acc_5);
        acc_6 = fma(a_shared_1_6, t68_shared_1_10, acc_6);
        acc_7 = fma(a_shared_1_6, t68_shared_1_14, acc_7);
        acc_8 = fma(a_shared_1_10, t68_shared_1_2, acc_8);
        acc_9 = fma(a_shared_1_10, t68_shared_1_6, acc_9);
        acc_10 = fma(a_shared_1_10, t68_shared_1_10, acc_10);
        acc_11 = fma(a_shared_1_10, t68_shared_1_14, acc_11);
        acc_12 = fma(a_shared_1_14, t68_shared_1_2, acc_12);
        acc_13 = fma(a_shared_1_14, t68_shared_1_6, acc_13);
        acc_14 = fma(a_shared_1_14, t68_shared_1_10, acc_14);
        acc_15 = fma(a_shared_1_14, t68_shared_1_14, acc_15);
        acc_0 = fma(a_shared_1_3, t68_shared_1_3, acc_0);
        acc_1 = fma(a_shared_1_3, t68_shared_1_7, acc_1);
        acc_2 = fma(a_shared_1_3, t68_shared_1_11, acc_2);
        acc_3 = fma(a_shared_1_3, t68_shared_1_15, acc_3);
        acc_4 = fma(a_shared_1_7, t68_shared_1_3, acc_4);
        acc_5 = fma(a_shared_1_7, t68_shared_1_7, acc_5);
        acc_6 = fma(a_shared_1_7, t68_shared_1_11, acc_6);
        acc_7 = fma(a_shared_1_7, t68_shared_1_15, acc_7);
        acc_8 = fma(a_shared_1_11, t68_shared_1_3, acc_8);
        acc_9 = fma(a_shared_1_11, t68_shared_1_7, acc_9);
        acc_10 = fma(a_shared_1_11, t68_shared_1_11, acc_10);
        acc_11 = fma(a_shared_1_11, t68_shared_1_15, acc_11);
        acc_12 = fma(a_shared_1_15, t68_shared_1_3, acc_12);
        acc_13 = fma(a_shared_1_15, t68_shared_1_7, acc_13);
        acc_14 = fma(a_shared_1_15, t68_shared_1_11, acc_14);
        acc_15 = fma(a_shared_1_15, t68_shared_1_15, acc_15);
      }
      let t_15: f32 = tw_bf16_to_f32(t_11);
      workgroupBarrier();
      var t70_shared_tile_0: f32; var t70_shared_tile_1: f32; var t70_shared_tile_2: f32;
      var t70_shared_tile_3: f32;
      t70_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_0) - 8.0f) * t_15));
      t70_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_1) - 8.0f) * t_15));
      t70_shared_tile_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_2) - 8.0f) * t_15));
      t70_shared_tile_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_3) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[t68_shared_at >> 2u] = vec4<f32>(
          t70_shared_tile_0, t70_shared_tile_1, t70_shared_tile_2, t70_shared_tile_3);
      var t70_shared_tile_1_1_0: f32; var t70_shared_tile_1_1_1: f32;
      var t70_shared_tile_1_1_2: f32; var t70_shared_tile_1_1_3: f32;
      t70_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_4) - 8.0f) * t_15));
      t70_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_5) - 8.0f) * t_15));
      t70_shared_tile_1_1_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_6) - 8.0f) * t_15));
      t70_shared_tile_1_1_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_7) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 4) >> 2u] = vec4<f32>(
          t70_shared_tile_1_1_0, t70_shared_tile_1_1_1, t70_shared_tile_1_1_2, t70_shared_tile_1_1_3);
      var t70_shared_tile_2_1_0: f32; var t70_shared_tile_2_1_1: f32;
      var t70_shared_tile_2_1_2: f32; var t70_shared_tile_2_1_3: f32;
      t70_shared_tile_2_1_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_8) - 8.0f) * t_15));
      t70_shared_tile_2_1_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_9) - 8.0f) * t_15));
      t70_shared_tile_2_1_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_10) - 8.0f) * t_15));
      t70_shared_tile_2_1_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_11) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 8) >> 2u] = vec4<f32>(
          t70_shared_tile_2_1_0, t70_shared_tile_2_1_1, t70_shared_tile_2_1_2, t70_shared_tile_2_1_3);
      var t70_shared_tile_3_1_0: f32; var t70_shared_tile_3_1_1: f32;
      var t70_shared_tile_3_1_2: f32; var t70_shared_tile_3_1_3: f32;
      t70_shared_tile_3_1_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_12) - 8.0f) * t_15));
      t70_shared_tile_3_1_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_13) - 8.0f) * t_15));
      t70_shared_tile_3_1_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_14) - 8.0f) * t_15));
      t70_shared_tile_3_1_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_15) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 12) >> 2u] = vec4<f32>(
          t70_shared_tile_3_1_0, t70_shared_tile_3_1_1, t70_shared_tile_3_1_2, t70_shared_tile_3_1_3);
      var t70_shared_tile_4_0: f32; var t70_shared_tile_4_1: f32; var t70_shared_tile_4_2: f32;
      var t70_shared_tile_4_3: f32;
      t70_shared_tile_4_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_16) - 8.0f) * t_15));
      t70_shared_tile_4_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_17) - 8.0f) * t_15));
      t70_shared_tile_4_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_18) - 8.0f) * t_15));
      t70_shared_tile_4_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_19) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 16) >> 2u] = vec4<f32>(
          t70_shared_tile_4_0, t70_shared_tile_4_1, t70_shared_tile_4_2, t70_shared_tile_4_3);
      var t70_shared_tile_5_0: f32; var t70_shared_tile_5_1: f32; var t70_shared_tile_5_2: f32;
      var t70_shared_tile_5_3: f32;
      t70_shared_tile_5_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_20) - 8.0f) * t_15));
      t70_shared_tile_5_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_21) - 8.0f) * t_15));
      t70_shared_tile_5_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_22) - 8.0f) * t_15));
      t70_shared_tile_5_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_23) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 20) >> 2u] = vec4<f32>(
          t70_shared_tile_5_0, t70_shared_tile_5_1, t70_shared_tile_5_2, t70_shared_tile_5_3);
      var t70_shared_tile_6_0: f32; var t70_shared_tile_6_1: f32; var t70_shared_tile_6_2: f32;
      var t70_shared_tile_6_3: f32;
      t70_shared_tile_6_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_24) - 8.0f) * t_15));
      t70_shared_tile_6_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_25) - 8.0f) * t_15));
      t70_shared_tile_6_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_26) - 8.0f) * t_15));
      t70_shared_tile_6_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_27) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 24) >> 2u] = vec4<f32>(
          t70_shared_tile_6_0, t70_shared_tile_6_1, t70_shared_tile_6_2, t70_shared_tile_6_3);
      var t70_shared_tile_7_0: f32; var t70_shared_tile_7_1: f32; var t70_shared_tile_7_2: f32;
      var t70_shared_tile_7_3: f32;
      t70_shared_tile_7_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_28) - 8.0f) * t_15));
      t70_shared_tile_7_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_29) - 8.0f) * t_15));
      t70_shared_tile_7_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_30) - 8.0f) * t_15));
      t70_shared_tile_7_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes_1_1_31) - 8.0f) * t_15));
      shared_t68_shared_t70_shared[(t68_shared_at + 28) >> 2u] = vec4<f32>(
          t70_shared_tile_7_0, t70_shared_tile_7_1, t70_shared_tile_7_2, t70_shared_tile_7_3);
      workgroupBarrier();
      for (var r: i32 = 0; r < 8; r++) {
        var a_shared_2_0: f32; var a_shared_2_1: f32; var a_shared_2_2: f32; var a_shared_2_3: f32;
        var a_shared_2_4: f32; var a_shared_2_5: f32; var a_shared_2_6: f32; var a_shared_2_7: f32;
        var a_shared_2_8: f32; var a_shared_2_9: f32; var a_shared_2_10: f32;
        var a_shared_2_11: f32; var a_shared_2_12: f32; var a_shared_2_13: f32;
        var a_shared_2_14: f32; var a_shared_2_15: f32;
        var t70_shared_1_0: f32; var t70_shared_1_1: f32; var t70_shared_1_2: f32;
        var t70_shared_1_3: f32; var t70_shared_1_4: f32; var t70_shared_1_5: f32;
        var t70_shared_1_6: f32; var t70_shared_1_7: f32; var t70_shared_1_8: f32;
        var t70_shared_1_9: f32; var t70_shared_1_10: f32; var t70_shared_1_11: f32;
        var t70_shared_1_12: f32; var t70_shared_1_13: f32; var t70_shared_1_14: f32;
        var t70_shared_1_15: f32;
        let a_shared_2_word = a_shared[(a_shared_at_1 + r * 4) >> 2u];
        a_shared_2_0 = a_shared_2_word.x; a_shared_2_1 = a_shared_2_word.y;
        a_shared_2_2 = a_shared_2_word.z; a_shared_2_3 = a_shared_2_word.w;
        let a_shared_2_word_1 = a_shared[(a_shared_at_1 + 144 + r * 4) >> 2u];
        a_shared_2_4 = a_shared_2_word_1.x; a_shared_2_5 = a_shared_2_word_1.y;
        a_shared_2_6 = a_shared_2_word_1.z; a_shared_2_7 = a_shared_2_word_1.w;
        let a_shared_2_word_2 = a_shared[(a_shared_at_1 + 288 + r * 4) >> 2u];
        a_shared_2_8 = a_shared_2_word_2.x; a_shared_2_9 = a_shared_2_word_2.y;
        a_shared_2_10 = a_shared_2_word_2.z; a_shared_2_11 = a_shared_2_word_2.w;
        let a_shared_2_word_3 = a_shared[(a_shared_at_1 + 432 + r * 4) >> 2u];
        a_shared_2_12 = a_shared_2_word_3.x; a_shared_2_13 = a_shared_2_word_3.y;
        a_shared_2_14 = a_shared_2_word_3.z; a_shared_2_15 = a_shared_2_word_3.w;
        let t70_shared_1_word = shared_t68_shared_t70_shared[(t68_shared_at_1 + r * 4) >> 2u];
        t70_shared_1_0 = t70_shared_1_word.x; t70_shared_1_1 = t70_shared_1_word.y;
        t70_shared_1_2 = t70_shared_1_word.z; t70_shared_1_3 = t70_shared_1_word.w;
        let t70_shared_1_word_1 = shared_t68_shared_t70_shared[(t68_shared_at_1 + 36 + r * 4) >> 2u];
        t70_shared_1_4 = t70_shared_1_word_1.x; t70_shared_1_5 = t70_shared_1_word_1.y;
        t70_shared_1_6 = t70_shared_1_word_1.z; t70_shared_1_7 = t70_shared_1_word_1.w;
        let t70_shared_1_word_2 = shared_t68_shared_t70_shared[(t68_shared_at_1 + 72 + r * 4) >> 2u];
        t70_shared_1_8 = t70_shared_1_word_2.x; t70_shared_1_9 = t70_shared_1_word_2.y;
        t70_shared_1_10 = t70_shared_1_word_2.z; t70_shared_1_11 = t70_shared_1_word_2.w;
        let t70_shared_1_word_3 = shared_t68_shared_t70_shared[(t68_shared_at_1 + 108 + r * 4) >> 2u];
        t70_shared_1_12 = t70_shared_1_word_3.x; t70_shared_1_13 = t70_shared_1_word_3.y;
        t70_shared_1_14 = t70_shared_1_word_3.z; t70_shared_1_15 = t70_shared_1_word_3.w;
        up_0 = fma(a_shared_2_0, t70_shared_1_0, up_0);
        up_1 = fma(a_shared_2_0, t70_shared_1_4, up_1);
        up_2 = fma(a_shared_2_0, t70_shared_1_8, up_2);
        up_3 = fma(a_shared_2_0, t70_shared_1_12, up_3);
        up_4 = fma(a_shared_2_4, t70_shared_1_0, up_4);
        up_5 = fma(a_shared_2_4, t70_shared_1_4, up_5);
        up_6 = fma(a_shared_2_4, t70_shared_1_8, up_6);
        up_7 = fma(a_shared_2_4, t70_shared_1_12, up_7);
        up_8 = fma(a_shared_2_8, t70_shared_1_0, up_8);
        up_9 = fma(a_shared_2_8, t70_shared_1_4, up_9);
        up_10 = fma(a_shared_2_8, t70_shared_1_8, up_10);
        up_11 = fma(a_shared_2_8, t70_shared_1_12, up_11);
        up_12 = fma(a_shared_2_12, t70_shared_1_0, up_12);
        up_13 = fma(a_shared_2_12, t70_shared_1_4, up_13);
        up_14 = fma(a_shared_2_12, t70_shared_1_8, up_14);
        up_15 = fma(a_shared_2_12, t70_shared_1_12, up_15);
        up_0 = fma(a_shared_2_1, t70_shared_1_1, up_0);
        up_1 = fma(a_shared_2_1, t70_shared_1_5, up_1);
        up_2 = fma(a_shared_2_1, t70_shared_1_9, up_2);
        up_3 = fma(a_shared_2_1, t70_shared_1_13, up_3);
        up_4 = fma(a_shared_2_5, t70_shared_1_1, up_4);
        up_5 = fma(a_shared_2_5, t70_shared_1_5, up_5);
        up_6 = fma(a_shared_2_5, t70_shared_1_9, up_6);
        up_7 = fma(a_shared_2_5, t70_shared_1_13, up_7);
        up_8 = fma(a_shared_2_9, t70_shared_1_1, up_8);
        up_9 = fma(a_shared_2_9, t70_shared_1_5, up_9);
        up_10 = fma(a_shared_2_9, t70_shared_1_9, up_10);
        up_11 = fma(a_shared_2_9, t70_shared_1_13, up_11);
        up_12 = fma(a_shared_2_13, t70_shared_1_1, up_12);
        up_13 = fma(a_shared_2_13, t70_shared_1_5, up_13);
        up_14 = fma(a_shared_2_13, t70_shared_1_9, up_14);
        up_15 = fma(a_shared_2_13, t70_shared_1_13, up_15);
        up_0 = fma(a_shared_2_2, t70_shared_1_2, up_0);
        up_1 = fma(a_shared_2_2, t70_shared_1_6, up_1);
        up_2 = fma(a_shared_2_2, t70_shared_1_10, up_2);
        up_3 = fma(a_shared_2_2, t70_shared_1_14, up_3);
        up_4 = fma(a_shared_2_6, t70_shared_1_2, up_4);
        up_5 = fma(a_shared_2_6, t70_shared_1_6, up_5);
        up_6 = fma(a_shared_2_6, t70_shared_1_10, up_6);
        up_7 = fma(a_shared_2_6, t70_shared_1_14, up_7);
        up_8 = fma(a_shared_2_10, t70_shared_1_2, up_8);
        up_9 = fma(a_shared_2_10, t70_shared_1_6, up_9);
        up_10 = fma(a_shared_2_10, t70_shared_1_10, up_10);
        up_11 = fma(a_shared_2_10, t70_shared_1_14, up_11);
        up_12 = fma(a_shared_2_14, t70_shared_1_2, up_12);
        up_13 = fma(a_shared_2_14, t70_shared_1_6, up_13);
        up_14 = fma(a_shared_2_14, t70_shared_1_10, up_14);
        up_15 = fma(a_shared_2_14, t70_shared_1_14, up_15);
        up_0 = fma(a_shared_2_3, t70_shared_1_3, up_0);
        up_1 = fma(a_shared_2_3, t70_shared_1_7, up_1);
        up_2 = fma(a_shared_2_3, t70_shared_1_11, up_2);
        up_3 = fma(a_shared_2_3, t70_shared_1_15, up_3);
        up_4 = fma(a_shared_2_7, t70_shared_1_3, up_4);
        up_5 = fma(a_shared_2_7, t70_shared_1_7, up_5);
        up_6 = fma(a_shared_2_7, t70_shared_1_11, up_6);
        up_7 = fma(a_shared_2_7, t70_shared_1_15, up_7);
        up_8 = fma(a_shared_2_11, t70_shared_1_3, up_8);
        up_9 = fma(a_shared_2_11, t70_shared_1_7, up_9);
        up_10 = fma(a_shared_2_11, t70_shared_1_11, up_10);
        up_11 = fma(a_shared_2_11, t70_shared_1_15, up_11);
        up_12 = fma(a_shared_2_15, t70_shared_1_3, up_12);
        up_13 = fma(a_shared_2_15, t70_shared_1_7, up_13);
        up_14 = fma(a_shared_2_15, t70_shared_1_11, up_14);
        up_15 = fma(a_shared_2_15, t70_shared_1_15, up_15);
      }
      a_0 = a_2_1_0; a_1 = a_2_1_1; a_2 = a_2_1_2; a_3 = a_2_1_3; a_4 = a_2_1_4; a_5 = a_2_1_5;
      a_6 = a_2_1_6; a_7 = a_2_1_7; codes_0 = codes_4_1_0; codes_1 = codes_4_1_1;
      codes_2 = codes_4_1_2; codes_3 = codes_4_1_3; codes_4 = codes_4_1_4; codes_5 = codes_4_1_5;
      codes_6 = codes_4_1_6; codes_7 = codes_4_1_7; codes_8 = codes_4_1_8; codes_9 = codes_4_1_9;
      codes_10 = codes_4_1_10; codes_11 = codes_4_1_11; codes_12 = codes_4_1_12;
      codes_13 = codes_4_1_13; codes_14 = codes_4_1_14; codes_15 = codes_4_1_15;
      codes_16 = codes_4_1_16; codes_17 = codes_4_1_17; codes_18 = codes_4_1_18;
      codes_19 = codes_4_1_19; codes_20 = codes_4_1_20; codes_21 = codes_4_1_21;
      codes_22 = codes_4_1_22; codes_23 = codes_4_1_23; codes_24 = codes_4_1_24;
      codes_25 = codes_4_1_25; codes_26 = codes_4_1_26; codes_27 = codes_4_1_27;
      codes_28 = codes_4_1_28; codes_29 = codes_4_1_29; codes_30 = codes_4_1_30;
      codes_31 = codes_4_1_31;
      t_10 = t_12;
      codes_1_1_0 = codes_5_1_0; codes_1_1_1 = codes_5_1_1; codes_1_1_2 = codes_5_1_2;
      codes_1_1_3 = codes_5_1_3; codes_1_1_4 = codes_5_1_4; codes_1_1_5 = codes_5_1_5;
      codes_1_1_6 = codes_5_1_6; codes_1_1_7 = codes_5_1_7; codes_1_1_8 = codes_5_1_8;
      codes_1_1_9 = codes_5_1_9; codes_1_1_10 = codes_5_1_10; codes_1_1_11 = codes_5_1_11;
      codes_1_1_12 = codes_5_1_12; codes_1_1_13 = codes_5_1_13; codes_1_1_14 = codes_5_1_14;
      codes_1_1_15 = codes_5_1_15; codes_1_1_16 = codes_5_1_16; codes_1_1_17 = codes_5_1_17;
      codes_1_1_18 = codes_5_1_18; codes_1_1_19 = codes_5_1_19; codes_1_1_20 = codes_5_1_20;
      codes_1_1_21 = codes_5_1_21; codes_1_1_22 = codes_5_1_22; codes_1_1_23 = codes_5_1_23;
      codes_1_1_24 = codes_5_1_24; codes_1_1_25 = codes_5_1_25; codes_1_1_26 = codes_5_1_26;
      codes_1_1_27 = codes_5_1_27; codes_1_1_28 = codes_5_1_28; codes_1_1_29 = codes_5_1_29;
      codes_1_1_30 = codes_5_1_30; codes_1_1_31 = codes_5_1_31;
      t_11 = t_13;
    }
    let t_BN: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
    let position_1: i32 = t_7 + t_BN;
    let y_in: bool = u32(position_1) < u32(launch.N);
    var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
    y_tile_0 = tw_f32_to_bf16(acc_0 / (1.0f + tw_exp(-acc_0)) * up_0);
    y_tile_1 = tw_f32_to_bf16(acc_1 / (1.0f + tw_exp(-acc_1)) * up_1);
    y_tile_2 = tw_f32_to_bf16(acc_2 / (1.0f + tw_exp(-acc_2)) * up_2);
    y_tile_3 = tw_f32_to_bf16(acc_3 / (1.0f + tw_exp(-acc_3)) * up_3);
    if (y_in & (u32(slots_0) < u32(launch.S))) {
      y[(position_1 + slots_0 * launch.N) >> 2u] = vec2<u32>(
          y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
    }
    var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
    y_tile_1_1_0 = tw_f32_to_bf16(acc_4 / (1.0f + tw_exp(-acc_4)) * up_4);
    y_tile_1_1_1 = tw_f32_to_bf16(acc_5 / (1.0f + tw_exp(-acc_5)) * up_5);
    y_tile_1_1_2 = tw_f32_to_bf16(acc_6 / (1.0f + tw_exp(-acc_6)) * up_6);
    y_tile_1_1_3 = tw_f32_to_bf16(acc_7 / (1.0f + tw_exp(-acc_7)) * up_7);
    if (y_in & (u32(slots_1) < u32(launch.S))) {
      y[(position_1 + slots_1 * launch.N) >> 2u] = vec2<u32>(
          y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u));
    }
    var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
    y_tile_2_1_0 = tw_f32_to_bf16(acc_8 / (1.0f + tw_exp(-acc_8)) * up_8);
    y_tile_2_1_1 = tw_f32_to_bf16(acc_9 / (1.0f + tw_exp(-acc_9)) * up_9);
    y_tile_2_1_2 = tw_f32_to_bf16(acc_10 / (1.0f + tw_exp(-acc_10)) * up_10);
    y_tile_2_1_3 = tw_f32_to_bf16(acc_11 / (1.0f + tw_exp(-acc_11)) * up_11);
    if (y_in & (u32(slots_2) < u32(launch.S))) {
      y[(position_1 + slots_2 * launch.N) >> 2u] = vec2<u32>(
          y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u));
    }
    var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
    y_tile_3_1_0 = tw_f32_to_bf16(acc_12 / (1.0f + tw_exp(-acc_12)) * up_12);
    y_tile_3_1_1 = tw_f32_to_bf16(acc_13 / (1.0f + tw_exp(-acc_13)) * up_13);
    y_tile_3_1_2 = tw_f32_to_bf16(acc_14 / (1.0f + tw_exp(-acc_14)) * up_14);
    y_tile_3_1_3 = tw_f32_to_bf16(acc_15 / (1.0f + tw_exp(-acc_15)) * up_15);
    if (y_in & (u32(slots_3) < u32(launch.S))) {
      y[(position_1 + slots_3 * launch.N) >> 2u] = vec2<u32>(
          y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u));
    }
  }
}
