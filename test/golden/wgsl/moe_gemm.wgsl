// moe_gemm for wgsl, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BN=64 BK=32 stages=3 group=8
// dims fixed: G=2 B=0 BM=64
// dims divisible: K%16 E%4 N%8 PB%4 S%2
// 128 threads, 18416 bytes of shared memory
//       0 … 9200: a_shared f32[2300]
//    9216 … 18416: t50_shared f32[2300]
//    9216 … 18416: t52_shared f32[2300]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  K: i32,
  E: i32,
  N: i32,
  PB: i32,
  S: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> bias: array<u32>;
@group(0) @binding(3) var<storage, read> rows: array<i32>;
@group(0) @binding(4) var<storage, read> expertOf: array<i32>;
@group(0) @binding(5) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(6) var<uniform> launch: TwLaunch;
var<workgroup> a_shared: array<vec4<f32>, 575>;
var<workgroup> shared_t50_shared_t52_shared: array<vec4<f32>, 575>;

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

@compute @workgroup_size(128)
fn moe_gemm(
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
    let t_BM: i32 = (thread >> 3u) & 7;
    let rows_at: i32 = t_4 * 64 + t_BM;
    let rows_in: bool = u32(t_4) < u32(launch.PB);
    var slots: array<i32, 8>;
    slots[0] = select(0, rows[select(0, rows_at, rows_in)], rows_in);
    slots[1] = select(0, rows[select(0, rows_at + 8, rows_in)], rows_in);
    slots[2] = select(0, rows[select(0, rows_at + 16, rows_in)], rows_in);
    slots[3] = select(0, rows[select(0, rows_at + 24, rows_in)], rows_in);
    slots[4] = select(0, rows[select(0, rows_at + 32, rows_in)], rows_in);
    slots[5] = select(0, rows[select(0, rows_at + 40, rows_in)], rows_in);
    slots[6] = select(0, rows[select(0, rows_at + 48, rows_in)], rows_in);
    slots[7] = select(0, rows[select(0, rows_at + 56, rows_in)], rows_in);
    let t_7: i32 = t_5 * 64;
    let t_BM_1: i32 = thread >> 2u;
    let rows_at_1: i32 = t_4 * 64 + t_BM_1;
    var slots_1_0: i32; var slots_1_1: i32;
    slots_1_0 = select(0, rows[select(0, rows_at_1, rows_in)], rows_in);
    slots_1_1 = select(0, rows[select(0, rows_at_1 + 32, rows_in)], rows_in);
    let t_8: i32 = tw_floordiv_i32(launch.S, launch.R);
    var from_1_0: i32; var from_1_1: i32;
    from_1_0 = tw_floordiv_i32(slots_1_0, t_8); from_1_1 = tw_floordiv_i32(slots_1_1, t_8);
    let more: bool = 0 < launch.K;
    var a_0: u32; var a_1: u32; var a_2: u32; var a_3: u32; var a_4: u32; var a_5: u32;
    var a_6: u32; var a_7: u32; var a_8: u32; var a_9: u32; var a_10: u32; var a_11: u32;
    var a_12: u32; var a_13: u32; var a_14: u32; var a_15: u32;
    var t_9_0: u32; var t_9_1: u32; var t_9_2: u32; var t_9_3: u32; var t_9_4: u32; var t_9_5: u32;
    var t_9_6: u32; var t_9_7: u32; var t_9_8: u32; var t_9_9: u32; var t_9_10: u32;
    var t_9_11: u32; var t_9_12: u32; var t_9_13: u32; var t_9_14: u32; var t_9_15: u32;
    var t_10_0: u32; var t_10_1: u32; var t_10_2: u32; var t_10_3: u32; var t_10_4: u32;
    var t_10_5: u32; var t_10_6: u32; var t_10_7: u32; var t_10_8: u32; var t_10_9: u32;
    var t_10_10: u32; var t_10_11: u32; var t_10_12: u32; var t_10_13: u32; var t_10_14: u32;
    var t_10_15: u32;
    let t_BK: i32 = (thread & 3) * 8;
    let stride: i32 = launch.K * launch.N * 2;
    let stride_1: i32 = launch.K * launch.N;
    let w_at: i32 = t_BM_1 * launch.K + t_BK;
    let position: i32 = t_7 + t_BM_1;
    if (more) {
      let x_in: bool = t_BK < launch.K;
      var a_1_1_0: u32; var a_1_1_1: u32; var a_1_1_2: u32; var a_1_1_3: u32; var a_1_1_4: u32;
      var a_1_1_5: u32; var a_1_1_6: u32; var a_1_1_7: u32; var a_1_1_8: u32; var a_1_1_9: u32;
      var a_1_1_10: u32; var a_1_1_11: u32; var a_1_1_12: u32; var a_1_1_13: u32; var a_1_1_14: u32;
      var a_1_1_15: u32;
      let a_1_in = x_in & (u32(from_1_0) < u32(launch.R));
      let a_1_word = select(
          vec4<u32>(0u), x[select(0, (t_BK + from_1_0 * launch.K) >> 3u, a_1_in)], a_1_in);
      a_1_1_0 = a_1_word.x & 0xffffu; a_1_1_1 = a_1_word.x >> 16u; a_1_1_2 = a_1_word.y & 0xffffu;
      a_1_1_3 = a_1_word.y >> 16u; a_1_1_4 = a_1_word.z & 0xffffu; a_1_1_5 = a_1_word.z >> 16u;
      a_1_1_6 = a_1_word.w & 0xffffu; a_1_1_7 = a_1_word.w >> 16u;
      let a_1_in_1 = x_in & (u32(from_1_1) < u32(launch.R));
      let a_1_word_1 = select(vec4<u32>(0u), x[select(
          0, (t_BK + from_1_1 * launch.K) >> 3u, a_1_in_1)], a_1_in_1);
      a_1_1_8 = a_1_word_1.x & 0xffffu; a_1_1_9 = a_1_word_1.x >> 16u;
      a_1_1_10 = a_1_word_1.y & 0xffffu; a_1_1_11 = a_1_word_1.y >> 16u;
      a_1_1_12 = a_1_word_1.z & 0xffffu; a_1_1_13 = a_1_word_1.z >> 16u;
      a_1_1_14 = a_1_word_1.w & 0xffffu; a_1_1_15 = a_1_word_1.w >> 16u;
      let w_at_1: i32 = t_7 * launch.K + e * stride + w_at;
      let w_in: bool = (u32(e) < u32(launch.E)) & (t_BK < launch.K);
      var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
      var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32; var w_tile_8: u32; var w_tile_9: u32;
      var w_tile_10: u32; var w_tile_11: u32; var w_tile_12: u32; var w_tile_13: u32;
      var w_tile_14: u32; var w_tile_15: u32;
      let w_tile_in = w_in & (u32(position) < u32(launch.N));
      let w_tile_word = select(vec4<u32>(0u), w[select(0, w_at_1 >> 3u, w_tile_in)], w_tile_in);
      w_tile_0 = w_tile_word.x & 0xffffu; w_tile_1 = w_tile_word.x >> 16u;
      w_tile_2 = w_tile_word.y & 0xffffu; w_tile_3 = w_tile_word.y >> 16u;
      w_tile_4 = w_tile_word.z & 0xffffu; w_tile_5 = w_tile_word.z >> 16u;
      w_tile_6 = w_tile_word.w & 0xffffu; w_tile_7 = w_tile_word.w >> 16u;
      let w_tile_in_1 = w_in & (u32(position + 32) < u32(launch.N));
      let w_tile_word_1 = select(
          vec4<u32>(0u), w[select(0, (w_at_1 + launch.K * 32) >> 3u, w_tile_in_1)], w_tile_in_1);
      w_tile_8 = w_tile_word_1.x & 0xffffu; w_tile_9 = w_tile_word_1.x >> 16u;
      w_tile_10 = w_tile_word_1.y & 0xffffu; w_tile_11 = w_tile_word_1.y >> 16u;
      w_tile_12 = w_tile_word_1.z & 0xffffu; w_tile_13 = w_tile_word_1.z >> 16u;
      w_tile_14 = w_tile_word_1.w & 0xffffu; w_tile_15 = w_tile_word_1.w >> 16u;
      let w_at_2: i32 = t_7 * launch.K + e * stride + stride_1 + w_at;
      var w_tile_1_1_0: u32; var w_tile_1_1_1: u32; var w_tile_1_1_2: u32; var w_tile_1_1_3: u32;
      var w_tile_1_1_4: u32; var w_tile_1_1_5: u32; var w_tile_1_1_6: u32; var w_tile_1_1_7: u32;
      var w_tile_1_1_8: u32; var w_tile_1_1_9: u32; var w_tile_1_1_10: u32; var w_tile_1_1_11: u32;
      var w_tile_1_1_12: u32; var w_tile_1_1_13: u32; var w_tile_1_1_14: u32;
      var w_tile_1_1_15: u32;
      let w_tile_1_in = w_in & (u32(position) < u32(launch.N));
      let w_tile_1_word = select(
          vec4<u32>(0u), w[select(0, w_at_2 >> 3u, w_tile_1_in)], w_tile_1_in);
      w_tile_1_1_0 = w_tile_1_word.x & 0xffffu; w_tile_1_1_1 = w_tile_1_word.x >> 16u;
      w_tile_1_1_2 = w_tile_1_word.y & 0xffffu; w_tile_1_1_3 = w_tile_1_word.y >> 16u;
      w_tile_1_1_4 = w_tile_1_word.z & 0xffffu; w_tile_1_1_5 = w_tile_1_word.z >> 16u;
      w_tile_1_1_6 = w_tile_1_word.w & 0xffffu; w_tile_1_1_7 = w_tile_1_word.w >> 16u;
      let w_tile_1_in_1 = w_in & (u32(position + 32) < u32(launch.N));
      let w_tile_1_word_1 = select(vec4<u32>(0u), w[select(
          0, (w_at_2 + launch.K * 32) >> 3u, w_tile_1_in_1)], w_tile_1_in_1);
      w_tile_1_1_8 = w_tile_1_word_1.x & 0xffffu; w_tile_1_1_9 = w_tile_1_word_1.x >> 16u;
      w_tile_1_1_10 = w_tile_1_word_1.y & 0xffffu; w_tile_1_1_11 = w_tile_1_word_1.y >> 16u;
      w_tile_1_1_12 = w_tile_1_word_1.z & 0xffffu; w_tile_1_1_13 = w_tile_1_word_1.z >> 16u;
      w_tile_1_1_14 = w_tile_1_word_1.w & 0xffffu; w_tile_1_1_15 = w_tile_1_word_1.w >> 16u;
      a_0 = a_1_1_0; t_9_0 = w_tile_0; t_10_0 = w_tile_1_1_0; a_1 = a_1_1_1; t_9_1 = w_tile_1;
      t_10_1 = w_tile_1_1_1; a_2 = a_1_1_2; t_9_2 = w_tile_2; t_10_2 = w_tile_1_1_2; a_3 = a_1_1_3;
      t_9_3 = w_tile_3; t_10_3 = w_tile_1_1_3; a_4 = a_1_1_4; t_9_4 = w_tile_4;
      t_10_4 = w_tile_1_1_4; a_5 = a_1_1_5; t_9_5 = w_tile_5; t_10_5 = w_tile_1_1_5; a_6 = a_1_1_6;
      t_9_6 = w_tile_6; t_10_6 = w_tile_1_1_6; a_7 = a_1_1_7; t_9_7 = w_tile_7;
      t_10_7 = w_tile_1_1_7; a_8 = a_1_1_8; t_9_8 = w_tile_8; t_10_8 = w_tile_1_1_8; a_9 = a_1_1_9;
      t_9_9 = w_tile_9; t_10_9 = w_tile_1_1_9; a_10 = a_1_1_10; t_9_10 = w_tile_10;
      t_10_10 = w_tile_1_1_10; a_11 = a_1_1_11; t_9_11 = w_tile_11; t_10_11 = w_tile_1_1_11;
      a_12 = a_1_1_12; t_9_12 = w_tile_12; t_10_12 = w_tile_1_1_12; a_13 = a_1_1_13;
      t_9_13 = w_tile_13; t_10_13 = w_tile_1_1_13; a_14 = a_1_1_14; t_9_14 = w_tile_14;
      t_10_14 = w_tile_1_1_14; a_15 = a_1_1_15; t_9_15 = w_tile_15; t_10_15 = w_tile_1_1_15;
    } else {
      a_0 = 0u; t_9_0 = 0u; t_10_0 = 0u; a_1 = 0u; t_9_1 = 0u; t_10_1 = 0u; a_2 = 0u; t_9_2 = 0u;
      t_10_2 = 0u; a_3 = 0u; t_9_3 = 0u; t_10_3 = 0u; a_4 = 0u; t_9_4 = 0u; t_10_4 = 0u; a_5 = 0u;
      t_9_5 = 0u; t_10_5 = 0u; a_6 = 0u; t_9_6 = 0u; t_10_6 = 0u; a_7 = 0u; t_9_7 = 0u; t_10_7 = 0u;
      a_8 = 0u; t_9_8 = 0u; t_10_8 = 0u; a_9 = 0u; t_9_9 = 0u; t_10_9 = 0u; a_10 = 0u; t_9_10 = 0u;
      t_10_10 = 0u; a_11 = 0u; t_9_11 = 0u; t_10_11 = 0u; a_12 = 0u; t_9_12 = 0u; t_10_12 = 0u;
      a_13 = 0u; t_9_13 = 0u; t_10_13 = 0u; a_14 = 0u; t_9_14 = 0u; t_10_14 = 0u; a_15 = 0u;
      t_9_15 = 0u; t_10_15 = 0u;
    }
    let more_1: bool = 32 < launch.K;
    var a_2_1_0: u32; var a_2_1_1: u32; var a_2_1_2: u32; var a_2_1_3: u32; var a_2_1_4: u32;
    var a_2_1_5: u32; var a_2_1_6: u32; var a_2_1_7: u32; var a_2_1_8: u32; var a_2_1_9: u32;
    var a_2_1_10: u32; var a_2_1_11: u32; var a_2_1_12: u32; var a_2_1_13: u32; var a_2_1_14: u32;
    var a_2_1_15: u32;
    var t_11_0: u32; var t_11_1: u32; var t_11_2: u32; var t_11_3: u32; var t_11_4: u32;
    var t_11_5: u32; var t_11_6: u32; var t_11_7: u32; var t_11_8: u32; var t_11_9: u32;
    var t_11_10: u32; var t_11_11: u32; var t_11_12: u32; var t_11_13: u32; var t_11_14: u32;
    var t_11_15: u32;
    var t_12_0: u32; var t_12_1: u32; var t_12_2: u32; var t_12_3: u32; var t_12_4: u32;
    var t_12_5: u32; var t_12_6: u32; var t_12_7: u32; var t_12_8: u32; var t_12_9: u32;
    var t_12_10: u32; var t_12_11: u32; var t_12_12: u32; var t_12_13: u32; var t_12_14: u32;
    var t_12_15: u32;
    if (more_1) {
      let left: i32 = launch.K - 32;
      let x_in_1: bool = t_BK < left;
      var a_3_1_0: u32; var a_3_1_1: u32; var a_3_1_2: u32; var a_3_1_3: u32; var a_3_1_4: u32;
      var a_3_1_5: u32; var a_3_1_6: u32; var a_3_1_7: u32; var a_3_1_8: u32; var a_3_1_9: u32;
      var a_3_1_10: u32; var a_3_1_11: u32; var a_3_1_12: u32; var a_3_1_13: u32; var a_3_1_14: u32;
      var a_3_1_15: u32;
      let a_3_in = x_in_1 & (u32(from_1_0) < u32(launch.R));
      let a_3_word = select(vec4<u32>(0u), x[select(
          0, (t_BK + 32 + from_1_0 * launch.K) >> 3u, a_3_in)], a_3_in);
      a_3_1_0 = a_3_word.x & 0xffffu; a_3_1_1 = a_3_word.x >> 16u; a_3_1_2 = a_3_word.y & 0xffffu;
      a_3_1_3 = a_3_word.y >> 16u; a_3_1_4 = a_3_word.z & 0xffffu; a_3_1_5 = a_3_word.z >> 16u;
      a_3_1_6 = a_3_word.w & 0xffffu; a_3_1_7 = a_3_word.w >> 16u;
      let a_3_in_1 = x_in_1 & (u32(from_1_1) < u32(launch.R));
      let a_3_word_1 = select(vec4<u32>(0u), x[select(
          0, (t_BK + 32 + from_1_1 * launch.K) >> 3u, a_3_in_1)], a_3_in_1);
      a_3_1_8 = a_3_word_1.x & 0xffffu; a_3_1_9 = a_3_word_1.x >> 16u;
      a_3_1_10 = a_3_word_1.y & 0xffffu; a_3_1_11 = a_3_word_1.y >> 16u;
      a_3_1_12 = a_3_word_1.z & 0xffffu; a_3_1_13 = a_3_word_1.z >> 16u;
      a_3_1_14 = a_3_word_1.w & 0xffffu; a_3_1_15 = a_3_word_1.w >> 16u;
      let w_at_3: i32 = t_7 * launch.K + e * stride + w_at;
      let w_in_1: bool = (u32(e) < u32(launch.E)) & (t_BK < left);
      var w_tile_2_0: u32; var w_tile_2_1: u32; var w_tile_2_2: u32; var w_tile_2_3: u32;
      var w_tile_2_4: u32; var w_tile_2_5: u32; var w_tile_2_6: u32; var w_tile_2_7: u32;
      var w_tile_2_8: u32; var w_tile_2_9: u32; var w_tile_2_10: u32; var w_tile_2_11: u32;
      var w_tile_2_12: u32; var w_tile_2_13: u32; var w_tile_2_14: u32; var w_tile_2_15: u32;
      let w_tile_2_in = w_in_1 & (u32(position) < u32(launch.N));
      let w_tile_2_word = select(
          vec4<u32>(0u), w[select(0, (w_at_3 + 32) >> 3u, w_tile_2_in)], w_tile_2_in);
      w_tile_2_0 = w_tile_2_word.x & 0xffffu; w_tile_2_1 = w_tile_2_word.x >> 16u;
      w_tile_2_2 = w_tile_2_word.y & 0xffffu; w_tile_2_3 = w_tile_2_word.y >> 16u;
      w_tile_2_4 = w_tile_2_word.z & 0xffffu; w_tile_2_5 = w_tile_2_word.z >> 16u;
      w_tile_2_6 = w_tile_2_word.w & 0xffffu; w_tile_2_7 = w_tile_2_word.w >> 16u;
      let w_tile_2_in_1 = w_in_1 & (u32(position + 32) < u32(launch.N));
      let w_tile_2_word_1 = select(vec4<u32>(0u), w[select(
          0, (w_at_3 + 32 + launch.K * 32) >> 3u, w_tile_2_in_1)], w_tile_2_in_1);
      w_tile_2_8 = w_tile_2_word_1.x & 0xffffu; w_tile_2_9 = w_tile_2_word_1.x >> 16u;
      w_tile_2_10 = w_tile_2_word_1.y & 0xffffu; w_tile_2_11 = w_tile_2_word_1.y >> 16u;
      w_tile_2_12 = w_tile_2_word_1.z & 0xffffu; w_tile_2_13 = w_tile_2_word_1.z >> 16u;
      w_tile_2_14 = w_tile_2_word_1.w & 0xffffu; w_tile_2_15 = w_tile_2_word_1.w >> 16u;
      let w_at_4: i32 = t_7 * launch.K + e * stride + stride_1 + w_at;
      var w_tile_3_0: u32; var w_tile_3_1: u32; var w_tile_3_2: u32; var w_tile_3_3: u32;
      var w_tile_3_4: u32; var w_tile_3_5: u32; var w_tile_3_6: u32; var w_tile_3_7: u32;
      var w_tile_3_8: u32; var w_tile_3_9: u32; var w_tile_3_10: u32; var w_tile_3_11: u32;
      var w_tile_3_12: u32; var w_tile_3_13: u32; var w_tile_3_14: u32; var w_tile_3_15: u32;
      let w_tile_3_in = w_in_1 & (u32(position) < u32(launch.N));
      let w_tile_3_word = select(
          vec4<u32>(0u), w[select(0, (w_at_4 + 32) >> 3u, w_tile_3_in)], w_tile_3_in);
      w_tile_3_0 = w_tile_3_word.x & 0xffffu; w_tile_3_1 = w_tile_3_word.x >> 16u;
      w_tile_3_2 = w_tile_3_word.y & 0xffffu; w_tile_3_3 = w_tile_3_word.y >> 16u;
      w_tile_3_4 = w_tile_3_word.z & 0xffffu; w_tile_3_5 = w_tile_3_word.z >> 16u;
      w_tile_3_6 = w_tile_3_word.w & 0xffffu; w_tile_3_7 = w_tile_3_word.w >> 16u;
      let w_tile_3_in_1 = w_in_1 & (u32(position + 32) < u32(launch.N));
      let w_tile_3_word_1 = select(vec4<u32>(0u), w[select(
          0, (w_at_4 + 32 + launch.K * 32) >> 3u, w_tile_3_in_1)], w_tile_3_in_1);
      w_tile_3_8 = w_tile_3_word_1.x & 0xffffu; w_tile_3_9 = w_tile_3_word_1.x >> 16u;
      w_tile_3_10 = w_tile_3_word_1.y & 0xffffu; w_tile_3_11 = w_tile_3_word_1.y >> 16u;
      w_tile_3_12 = w_tile_3_word_1.z & 0xffffu; w_tile_3_13 = w_tile_3_word_1.z >> 16u;
      w_tile_3_14 = w_tile_3_word_1.w & 0xffffu; w_tile_3_15 = w_tile_3_word_1.w >> 16u;
      a_2_1_0 = a_3_1_0; t_11_0 = w_tile_2_0; t_12_0 = w_tile_3_0; a_2_1_1 = a_3_1_1;
      t_11_1 = w_tile_2_1; t_12_1 = w_tile_3_1; a_2_1_2 = a_3_1_2; t_11_2 = w_tile_2_2;
      t_12_2 = w_tile_3_2; a_2_1_3 = a_3_1_3; t_11_3 = w_tile_2_3; t_12_3 = w_tile_3_3;
      a_2_1_4 = a_3_1_4; t_11_4 = w_tile_2_4; t_12_4 = w_tile_3_4; a_2_1_5 = a_3_1_5;
      t_11_5 = w_tile_2_5; t_12_5 = w_tile_3_5; a_2_1_6 = a_3_1_6; t_11_6 = w_tile_2_6;
      t_12_6 = w_tile_3_6; a_2_1_7 = a_3_1_7; t_11_7 = w_tile_2_7; t_12_7 = w_tile_3_7;
      a_2_1_8 = a_3_1_8; t_11_8 = w_tile_2_8; t_12_8 = w_tile_3_8; a_2_1_9 = a_3_1_9;
      t_11_9 = w_tile_2_9; t_12_9 = w_tile_3_9; a_2_1_10 = a_3_1_10; t_11_10 = w_tile_2_10;
      t_12_10 = w_tile_3_10; a_2_1_11 = a_3_1_11; t_11_11 = w_tile_2_11; t_12_11 = w_tile_3_11;
      a_2_1_12 = a_3_1_12; t_11_12 = w_tile_2_12; t_12_12 = w_tile_3_12; a_2_1_13 = a_3_1_13;
      t_11_13 = w_tile_2_13; t_12_13 = w_tile_3_13; a_2_1_14 = a_3_1_14; t_11_14 = w_tile_2_14;
      t_12_14 = w_tile_3_14; a_2_1_15 = a_3_1_15; t_11_15 = w_tile_2_15; t_12_15 = w_tile_3_15;
    } else {
      a_2_1_0 = 0u; t_11_0 = 0u; t_12_0 = 0u; a_2_1_1 = 0u; t_11_1 = 0u; t_12_1 = 0u; a_2_1_2 = 0u;
      t_11_2 = 0u; t_12_2 = 0u; a_2_1_3 = 0u; t_11_3 = 0u; t_12_3 = 0u; a_2_1_4 = 0u; t_11_4 = 0u;
      t_12_4 = 0u; a_2_1_5 = 0u; t_11_5 = 0u; t_12_5 = 0u; a_2_1_6 = 0u; t_11_6 = 0u; t_12_6 = 0u;
      a_2_1_7 = 0u; t_11_7 = 0u; t_12_7 = 0u; a_2_1_8 = 0u; t_11_8 = 0u; t_12_8 = 0u; a_2_1_9 = 0u;
      t_11_9 = 0u; t_12_9 = 0u; a_2_1_10 = 0u; t_11_10 = 0u; t_12_10 = 0u; a_2_1_11 = 0u;
      t_11_11 = 0u; t_12_11 = 0u; a_2_1_12 = 0u; t_11_12 = 0u; t_12_12 = 0u; a_2_1_13 = 0u;
      t_11_13 = 0u; t_12_13 = 0u; a_2_1_14 = 0u; t_11_14 = 0u; t_12_14 = 0u; a_2_1_15 = 0u;
      t_11_15 = 0u; t_12_15 = 0u;
    }
    var acc: array<f32, 32>;
    var up: array<f32, 32>;
    acc[0] = 0.0f; up[0] = 0.0f; acc[1] = 0.0f; up[1] = 0.0f; acc[2] = 0.0f; up[2] = 0.0f;
    acc[3] = 0.0f; up[3] = 0.0f; acc[4] = 0.0f; up[4] = 0.0f; acc[5] = 0.0f; up[5] = 0.0f;
    acc[6] = 0.0f; up[6] = 0.0f; acc[7] = 0.0f; up[7] = 0.0f; acc[8] = 0.0f; up[8] = 0.0f;
    acc[9] = 0.0f; up[9] = 0.0f; acc[10] = 0.0f; up[10] = 0.0f; acc[11] = 0.0f; up[11] = 0.0f;
    acc[12] = 0.0f; up[12] = 0.0f; acc[13] = 0.0f; up[13] = 0.0f; acc[14] = 0.0f; up[14] = 0.0f;
    acc[15] = 0.0f; up[15] = 0.0f; acc[16] = 0.0f; up[16] = 0.0f; acc[17] = 0.0f; up[17] = 0.0f;
    acc[18] = 0.0f; up[18] = 0.0f; acc[19] = 0.0f; up[19] = 0.0f; acc[20] = 0.0f; up[20] = 0.0f;
    acc[21] = 0.0f; up[21] = 0.0f; acc[22] = 0.0f; up[22] = 0.0f; acc[23] = 0.0f; up[23] = 0.0f;
    acc[24] = 0.0f; up[24] = 0.0f; acc[25] = 0.0f; up[25] = 0.0f; acc[26] = 0.0f; up[26] = 0.0f;
    acc[27] = 0.0f; up[27] = 0.0f; acc[28] = 0.0f; up[28] = 0.0f; acc[29] = 0.0f; up[29] = 0.0f;
    acc[30] = 0.0f; up[30] = 0.0f; acc[31] = 0.0f; up[31] = 0.0f;
    let w_at_5: i32 = e * stride + t_7 * launch.K + w_at;
    let w_in_2: bool = u32(e) < u32(launch.E);
    let w_at_6: i32 = e * stride + stride_1 + t_7 * launch.K + w_at;
    let a_shared_at: i32 = (thread & 3) * 8 + (thread >> 2u) * 36;
    let a_shared_at_1: i32 = ((thread >> 3u) & 7) * 36;
    let t50_shared_at: i32 = (thread & 7) * 144 + (thread >> 6u) * 1152;
    for (var k: i32 = 0; k < launch.K; k += 32) {
      let k_1: i32 = k + 64;
      let more_2: bool = k_1 < launch.K;
      var a_4_1_0: u32; var a_4_1_1: u32; var a_4_1_2: u32; var a_4_1_3: u32; var a_4_1_4: u32;
      var a_4_1_5: u32; var a_4_1_6: u32; var a_4_1_7: u32; var a_4_1_8: u32; var a_4_1_9: u32;
      var a_4_1_10: u32; var a_4_1_11: u32; var a_4_1_12: u32; var a_4_1_13: u32; var a_4_1_14: u32;
      var a_4_1_15: u32;
      var t_13_0: u32; var t_13_1: u32; var t_13_2: u32; var t_13_3: u32; var t_13_4: u32;
      var t_13_5: u32; var t_13_6: u32; var t_13_7: u32; var t_13_8: u32; var t_13_9: u32;
      var t_13_10: u32; var t_13_11: u32; var t_13_12: u32; var t_13_13: u32; var t_13_14: u32;
      var t_13_15: u32;
      var t_14_0: u32; var t_14_1: u32; var t_14_2: u32; var t_14_3: u32; var t_14_4: u32;
      var t_14_5: u32; var t_14_6: u32; var t_14_7: u32; var t_14_8: u32; var t_14_9: u32;
      var t_14_10: u32; var t_14_11: u32; var t_14_12: u32; var t_14_13: u32; var t_14_14: u32;
      var t_14_15: u32;
      if (more_2) {
        let left_1: i32 = launch.K - k_1;
        let x_at: i32 = t_BK + k_1;
        let x_in_2: bool = t_BK < left_1;
        var a_5_1_0: u32; var a_5_1_1: u32; var a_5_1_2: u32; var a_5_1_3: u32; var a_5_1_4: u32;
        var a_5_1_5: u32; var a_5_1_6: u32; var a_5_1_7: u32; var a_5_1_8: u32; var a_5_1_9: u32;
        var a_5_1_10: u32; var a_5_1_11: u32; var a_5_1_12: u32; var a_5_1_13: u32;
        var a_5_1_14: u32; var a_5_1_15: u32;
        let a_5_in = x_in_2 & (u32(from_1_0) < u32(launch.R));
        let a_5_word = select(
            vec4<u32>(0u), x[select(0, (x_at + from_1_0 * launch.K) >> 3u, a_5_in)], a_5_in);
        a_5_1_0 = a_5_word.x & 0xffffu; a_5_1_1 = a_5_word.x >> 16u; a_5_1_2 = a_5_word.y & 0xffffu;
        a_5_1_3 = a_5_word.y >> 16u; a_5_1_4 = a_5_word.z & 0xffffu; a_5_1_5 = a_5_word.z >> 16u;
        a_5_1_6 = a_5_word.w & 0xffffu; a_5_1_7 = a_5_word.w >> 16u;
        let a_5_in_1 = x_in_2 & (u32(from_1_1) < u32(launch.R));
        let a_5_word_1 = select(vec4<u32>(0u), x[select(
            0, (x_at + from_1_1 * launch.K) >> 3u, a_5_in_1)], a_5_in_1);
        a_5_1_8 = a_5_word_1.x & 0xffffu; a_5_1_9 = a_5_word_1.x >> 16u;
        a_5_1_10 = a_5_word_1.y & 0xffffu; a_5_1_11 = a_5_word_1.y >> 16u;
        a_5_1_12 = a_5_word_1.z & 0xffffu; a_5_1_13 = a_5_word_1.z >> 16u;
        a_5_1_14 = a_5_word_1.w & 0xffffu; a_5_1_15 = a_5_word_1.w >> 16u;
        let w_at_7: i32 = w_at_5 + k_1;
        let w_in_3: bool = w_in_2 & (t_BK < left_1);
        var w_tile_4_0: u32; var w_tile_4_1: u32; var w_tile_4_2: u32; var w_tile_4_3: u32;
        var w_tile_4_4: u32; var w_tile_4_5: u32; var w_tile_4_6: u32; var w_tile_4_7: u32;
        var w_tile_4_8: u32; var w_tile_4_9: u32; var w_tile_4_10: u32; var w_tile_4_11: u32;
        var w_tile_4_12: u32; var w_tile_4_13: u32; var w_tile_4_14: u32; var w_tile_4_15: u32;
        let w_tile_4_in = w_in_3 & (u32(position) < u32(launch.N));
        let w_tile_4_word = select(
            vec4<u32>(0u), w[select(0, w_at_7 >> 3u, w_tile_4_in)], w_tile_4_in);
        w_tile_4_0 = w_tile_4_word.x & 0xffffu; w_tile_4_1 = w_tile_4_word.x >> 16u;
        w_tile_4_2 = w_tile_4_word.y & 0xffffu; w_tile_4_3 = w_tile_4_word.y >> 16u;
        w_tile_4_4 = w_tile_4_word.z & 0xffffu; w_tile_4_5 = w_tile_4_word.z >> 16u;
        w_tile_4_6 = w_tile_4_word.w & 0xffffu; w_tile_4_7 = w_tile_4_word.w >> 16u;
        let w_tile_4_in_1 = w_in_3 & (u32(position + 32) < u32(launch.N));
        let w_tile_4_word_1 = select(vec4<u32>(0u), w[select(
            0, (w_at_7 + launch.K * 32) >> 3u, w_tile_4_in_1)], w_tile_4_in_1);
        w_tile_4_8 = w_tile_4_word_1.x & 0xffffu; w_tile_4_9 = w_tile_4_word_1.x >> 16u;
        w_tile_4_10 = w_tile_4_word_1.y & 0xffffu; w_tile_4_11 = w_tile_4_word_1.y >> 16u;
        w_tile_4_12 = w_tile_4_word_1.z & 0xffffu; w_tile_4_13 = w_tile_4_word_1.z >> 16u;
        w_tile_4_14 = w_tile_4_word_1.w & 0xffffu; w_tile_4_15 = w_tile_4_word_1.w >> 16u;
        let w_at_8: i32 = w_at_6 + k_1;
        var w_tile_5_0: u32; var w_tile_5_1: u32; var w_tile_5_2: u32; var w_tile_5_3: u32;
        var w_tile_5_4: u32; var w_tile_5_5: u32; var w_tile_5_6: u32; var w_tile_5_7: u32;
        var w_tile_5_8: u32; var w_tile_5_9: u32; var w_tile_5_10: u32; var w_tile_5_11: u32;
        var w_tile_5_12: u32; var w_tile_5_13: u32; var w_tile_5_14: u32; var w_tile_5_15: u32;
        let w_tile_5_in = w_in_3 & (u32(position) < u32(launch.N));
        let w_tile_5_word = select(
            vec4<u32>(0u), w[select(0, w_at_8 >> 3u, w_tile_5_in)], w_tile_5_in);
        w_tile_5_0 = w_tile_5_word.x & 0xffffu; w_tile_5_1 = w_tile_5_word.x >> 16u;
        w_tile_5_2 = w_tile_5_word.y & 0xffffu; w_tile_5_3 = w_tile_5_word.y >> 16u;
        w_tile_5_4 = w_tile_5_word.z & 0xffffu; w_tile_5_5 = w_tile_5_word.z >> 16u;
        w_tile_5_6 = w_tile_5_word.w & 0xffffu; w_tile_5_7 = w_tile_5_word.w >> 16u;
        let w_tile_5_in_1 = w_in_3 & (u32(position + 32) < u32(launch.N));
        let w_tile_5_word_1 = select(vec4<u32>(0u), w[select(
            0, (w_at_8 + launch.K * 32) >> 3u, w_tile_5_in_1)], w_tile_5_in_1);
        w_tile_5_8 = w_tile_5_word_1.x & 0xffffu; w_tile_5_9 = w_tile_5_word_1.x >> 16u;
        w_tile_5_10 = w_tile_5_word_1.y & 0xffffu; w_tile_5_11 = w_tile_5_word_1.y >> 16u;
        w_tile_5_12 = w_tile_5_word_1.z & 0xffffu; w_tile_5_13 = w_tile_5_word_1.z >> 16u;
        w_tile_5_14 = w_tile_5_word_1.w & 0xffffu; w_tile_5_15 = w_tile_5_word_1.w >> 16u;
        a_4_1_0 = a_5_1_0; t_13_0 = w_tile_4_0; t_14_0 = w_tile_5_0; a_4_1_1 = a_5_1_1;
        t_13_1 = w_tile_4_1; t_14_1 = w_tile_5_1; a_4_1_2 = a_5_1_2; t_13_2 = w_tile_4_2;
        t_14_2 = w_tile_5_2; a_4_1_3 = a_5_1_3; t_13_3 = w_tile_4_3; t_14_3 = w_tile_5_3;
        a_4_1_4 = a_5_1_4; t_13_4 = w_tile_4_4; t_14_4 = w_tile_5_4; a_4_1_5 = a_5_1_5;
        t_13_5 = w_tile_4_5; t_14_5 = w_tile_5_5; a_4_1_6 = a_5_1_6; t_13_6 = w_tile_4_6;
        t_14_6 = w_tile_5_6; a_4_1_7 = a_5_1_7; t_13_7 = w_tile_4_7; t_14_7 = w_tile_5_7;
        a_4_1_8 = a_5_1_8; t_13_8 = w_tile_4_8; t_14_8 = w_tile_5_8; a_4_1_9 = a_5_1_9;
        t_13_9 = w_tile_4_9; t_14_9 = w_tile_5_9; a_4_1_10 = a_5_1_10; t_13_10 = w_tile_4_10;
        t_14_10 = w_tile_5_10; a_4_1_11 = a_5_1_11; t_13_11 = w_tile_4_11; t_14_11 = w_tile_5_11;
        a_4_1_12 = a_5_1_12; t_13_12 = w_tile_4_12; t_14_12 = w_tile_5_12; a_4_1_13 = a_5_1_13;
        t_13_13 = w_tile_4_13; t_14_13 = w_tile_5_13; a_4_1_14 = a_5_1_14; t_13_14 = w_tile_4_14;
        t_14_14 = w_tile_5_14; a_4_1_15 = a_5_1_15; t_13_15 = w_tile_4_15; t_14_15 = w_tile_5_15;
      } else {
        a_4_1_0 = 0u; t_13_0 = 0u; t_14_0 = 0u; a_4_1_1 = 0u; t_13_1 = 0u; t_14_1 = 0u;
        a_4_1_2 = 0u; t_13_2 = 0u; t_14_2 = 0u; a_4_1_3 = 0u; t_13_3 = 0u; t_14_3 = 0u;
        a_4_1_4 = 0u; t_13_4 = 0u; t_14_4 = 0u; a_4_1_5 = 0u; t_13_5 = 0u; t_14_5 = 0u;
        a_4_1_6 = 0u; t_13_6 = 0u; t_14_6 = 0u; a_4_1_7 = 0u; t_13_7 = 0u; t_14_7 = 0u;
        a_4_1_8 = 0u; t_13_8 = 0u; t_14_8 = 0u; a_4_1_9 = 0u; t_13_9 = 0u; t_14_9 = 0u;
        a_4_1_10 = 0u; t_13_10 = 0u; t_14_10 = 0u; a_4_1_11 = 0u; t_13_11 = 0u; t_14_11 = 0u;
        a_4_1_12 = 0u; t_13_12 = 0u; t_14_12 = 0u; a_4_1_13 = 0u; t_13_13 = 0u; t_14_13 = 0u;
        a_4_1_14 = 0u; t_13_14 = 0u; t_14_14 = 0u; a_4_1_15 = 0u; t_13_15 = 0u; t_14_15 = 0u;
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
      a_9_1_0 = tw_bf16_to_f32(a_12); a_9_1_1 = tw_bf16_to_f32(a_13);
      a_9_1_2 = tw_bf16_to_f32(a_14); a_9_1_3 = tw_bf16_to_f32(a_15);
      a_shared[(a_shared_at + 1156) >> 2u] = vec4<f32>(a_9_1_0, a_9_1_1, a_9_1_2, a_9_1_3);
      var t50_shared_tile_0: f32; var t50_shared_tile_1: f32; var t50_shared_tile_2: f32;
      var t50_shared_tile_3: f32;
      t50_shared_tile_0 = tw_bf16_to_f32(t_9_0); t50_shared_tile_1 = tw_bf16_to_f32(t_9_1);
      t50_shared_tile_2 = tw_bf16_to_f32(t_9_2); t50_shared_tile_3 = tw_bf16_to_f32(t_9_3);
      shared_t50_shared_t52_shared[a_shared_at >> 2u] = vec4<f32>(
          t50_shared_tile_0, t50_shared_tile_1, t50_shared_tile_2, t50_shared_tile_3);
      var t50_shared_tile_1_1_0: f32; var t50_shared_tile_1_1_1: f32;
      var t50_shared_tile_1_1_2: f32; var t50_shared_tile_1_1_3: f32;
      t50_shared_tile_1_1_0 = tw_bf16_to_f32(t_9_4); t50_shared_tile_1_1_1 = tw_bf16_to_f32(t_9_5);
      t50_shared_tile_1_1_2 = tw_bf16_to_f32(t_9_6); t50_shared_tile_1_1_3 = tw_bf16_to_f32(t_9_7);
      shared_t50_shared_t52_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(
          t50_shared_tile_1_1_0, t50_shared_tile_1_1_1, t50_shared_tile_1_1_2, t50_shared_tile_1_1_3);
      var t50_shared_tile_2_1_0: f32; var t50_shared_tile_2_1_1: f32;
      var t50_shared_tile_2_1_2: f32; var t50_shared_tile_2_1_3: f32;
      t50_shared_tile_2_1_0 = tw_bf16_to_f32(t_9_8); t50_shared_tile_2_1_1 = tw_bf16_to_f32(t_9_9);
      t50_shared_tile_2_1_2 = tw_bf16_to_f32(t_9_10);
      t50_shared_tile_2_1_3 = tw_bf16_to_f32(t_9_11);
      shared_t50_shared_t52_shared[(a_shared_at + 1152) >> 2u] = vec4<f32>(
          t50_shared_tile_2_1_0, t50_shared_tile_2_1_1, t50_shared_tile_2_1_2, t50_shared_tile_2_1_3);
      var t50_shared_tile_3_1_0: f32; var t50_shared_tile_3_1_1: f32;
      var t50_shared_tile_3_1_2: f32; var t50_shared_tile_3_1_3: f32;
      t50_shared_tile_3_1_0 = tw_bf16_to_f32(t_9_12);
      t50_shared_tile_3_1_1 = tw_bf16_to_f32(t_9_13);
      t50_shared_tile_3_1_2 = tw_bf16_to_f32(t_9_14);
      t50_shared_tile_3_1_3 = tw_bf16_to_f32(t_9_15);
      shared_t50_shared_t52_shared[(a_shared_at + 1156) >> 2u] = vec4<f32>(
          t50_shared_tile_3_1_0, t50_shared_tile_3_1_1, t50_shared_tile_3_1_2, t50_shared_tile_3_1_3);
      workgroupBarrier();
      for (var r: i32 = 0; r < 8; r++) {
        var a_shared_1_0: f32; var a_shared_1_1: f32; var a_shared_1_2: f32; var a_shared_1_3: f32;
        var a_shared_1_4: f32; var a_shared_1_5: f32; var a_shared_1_6: f32; var a_shared_1_7: f32;
        var a_shared_1_8: f32; var a_shared_1_9: f32; var a_shared_1_10: f32;
        var a_shared_1_11: f32; var a_shared_1_12: f32; var a_shared_1_13: f32;
        var a_shared_1_14: f32; var a_shared_1_15: f32; var a_shared_1_16: f32;
        var a_shared_1_17: f32; var a_shared_1_18: f32; var a_shared_1_19: f32;
        var a_shared_1_20: f32; var a_shared_1_21: f32; var a_shared_1_22: f32;
        var a_shared_1_23: f32; var a_shared_1_24: f32; var a_shared_1_25: f32;
        var a_shared_1_26: f32; var a_shared_1_27: f32; var a_shared_1_28: f32;
        var a_shared_1_29: f32; var a_shared_1_30: f32; var a_shared_1_31: f32;
        var t50_shared_1_0: f32; var t50_shared_1_1: f32; var t50_shared_1_2: f32;
        var t50_shared_1_3: f32; var t50_shared_1_4: f32; var t50_shared_1_5: f32;
        var t50_shared_1_6: f32; var t50_shared_1_7: f32; var t50_shared_1_8: f32;
        var t50_shared_1_9: f32; var t50_shared_1_10: f32; var t50_shared_1_11: f32;
        var t50_shared_1_12: f32; var t50_shared_1_13: f32; var t50_shared_1_14: f32;
        var t50_shared_1_15: f32;
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
        let t50_shared_1_word = shared_t50_shared_t52_shared[(t50_shared_at + r * 4) >> 2u];
        t50_shared_1_0 = t50_shared_1_word.x; t50_shared_1_1 = t50_shared_1_word.y;
        t50_shared_1_2 = t50_shared_1_word.z; t50_shared_1_3 = t50_shared_1_word.w;
        let t50_shared_1_word_1 = shared_t50_shared_t52_shared[(t50_shared_at + 36 + r * 4) >> 2u];
        t50_shared_1_4 = t50_shared_1_word_1.x; t50_shared_1_5 = t50_shared_1_word_1.y;
        t50_shared_1_6 = t50_shared_1_word_1.z; t50_shared_1_7 = t50_shared_1_word_1.w;
        let t50_shared_1_word_2 = shared_t50_shared_t52_shared[(t50_shared_at + 72 + r * 4) >> 2u];
        t50_shared_1_8 = t50_shared_1_word_2.x; t50_shared_1_9 = t50_shared_1_word_2.y;
        t50_shared_1_10 = t50_shared_1_word_2.z; t50_shared_1_11 = t50_shared_1_word_2.w;
        let t50_shared_1_word_3 = shared_t50_shared_t52_shared[(t50_shared_at + 108 + r * 4) >> 2u];
        t50_shared_1_12 = t50_shared_1_word_3.x; t50_shared_1_13 = t50_shared_1_word_3.y;
        t50_shared_1_14 = t50_shared_1_word_3.z; t50_shared_1_15 = t50_shared_1_word_3.w;
        acc[0] = fma(a_shared_1_0, t50_shared_1_0, acc[0]);
        acc[1] = fma(a_shared_1_0, t50_shared_1_4, acc[1]);
        acc[2] = fma(a_shared_1_0, t50_shared_1_8, acc[2]);
        acc[3] = fma(a_shared_1_0, t50_shared_1_12, acc[3]);
        acc[4] = fma(a_shared_1_4, t50_shared_1_0, acc[4]);
        acc[5] = fma(a_shared_1_4, t50_shared_1_4, acc[5]);
        acc[6] = fma(a_shared_1_4, t50_shared_1_8, acc[6]);
        acc[7] = fma(a_shared_1_4, t50_shared_1_12, acc[7]);
        acc[8] = fma(a_shared_1_8, t50_shared_1_0, acc[8]);
        acc[9] = fma(a_shared_1_8, t50_shared_1_4, acc[9]);
        acc[10] = fma(a_shared_1_8, t50_shared_1_8, acc[10]);
        acc[11] = fma(a_shared_1_8, t50_shared_1_12, acc[11]);
        acc[12] = fma(a_shared_1_12, t50_shared_1_0, acc[12]);
        acc[13] = fma(a_shared_1_12, t50_shared_1_4, acc[13]);
        acc[14] = fma(a_shared_1_12, t50_shared_1_8, acc[14]);
        acc[15] = fma(a_shared_1_12, t50_shared_1_12, acc[15]);
        acc[16] = fma(a_shared_1_16, t50_shared_1_0, acc[16]);
        acc[17] = fma(a_shared_1_16, t50_shared_1_4, acc[17]);
        acc[18] = fma(a_shared_1_16, t50_shared_1_8, acc[18]);
        acc[19] = fma(a_shared_1_16, t50_shared_1_12, acc[19]);
        acc[20] = fma(a_shared_1_20, t50_shared_1_0, acc[20]);
        acc[21] = fma(a_shared_1_20, t50_shared_1_4, acc[21]);
        acc[22] = fma(a_shared_1_20, t50_shared_1_8, acc[22]);
        acc[23] = fma(a_shared_1_20, t50_shared_1_12, acc[23]);
        acc[24] = fma(a_shared_1_24, t50_shared_1_0, acc[24]);
        acc[25] = fma(a_shared_1_24, t50_shared_1_4, acc[25]);
        acc[26] = fma(a_shared_1_24, t50_shared_1_8, acc[26]);
        acc[27] = fma(a_shared_1_24, t50_shared_1_12, acc[27]);
        acc[28] = fma(a_shared_1_28, t50_shared_1_0, acc[28]);
        acc[29] = fma(a_shared_1_28, t50_shared_1_4, acc[29]);
        acc[30] = fma(a_shared_1_28, t50_shared_1_8, acc[30]);
        acc[31] = fma(a_shared_1_28, t50_shared_1_12, acc[31]);
        acc[0] = fma(a_shared_1_1, t50_shared_1_1, acc[0]);
        acc[1] = fma(a_shared_1_1, t50_shared_1_5, acc[1]);
        acc[2] = fma(a_shared_1_1, t50_shared_1_9, acc[2]);
        acc[3] = fma(a_shared_1_1, t50_shared_1_13, acc[3]);
        acc[4] = fma(a_shared_1_5, t50_shared_1_1, acc[4]);
        acc[5] = fma(a_shared_1_5, t50_shared_1_5, acc[5]);
        acc[6] = fma(a_shared_1_5, t50_shared_1_9, acc[6]);
        acc[7] = fma(a_shared_1_5, t50_shared_1_13, acc[7]);
        acc[8] = fma(a_shared_1_9, t50_shared_1_1, acc[8]);
        acc[9] = fma(a_shared_1_9, t50_shared_1_5, acc[9]);
        acc[10] = fma(a_shared_1_9, t50_shared_1_9, acc[10]);
        acc[11] = fma(a_shared_1_9, t50_shared_1_13, acc[11]);
        acc[12] = fma(a_shared_1_13, t50_shared_1_1, acc[12]);
        acc[13] = fma(a_shared_1_13, t50_shared_1_5, acc[13]);
        acc[14] = fma(a_shared_1_13, t50_shared_1_9, acc[14]);
        acc[15] = fma(a_shared_1_13, t50_shared_1_13, acc[15]);
        acc[16] = fma(a_shared_1_17, t50_shared_1_1, acc[16]);
        acc[17] = fma(a_shared_1_17, t50_shared_1_5, acc[17]);
        acc[18] = fma(a_shared_1_17, t50_shared_1_9, acc[18]);
        acc[19] = fma(a_shared_1_17, t50_shared_1_13, acc[19]);
        acc[20] = fma(a_shared_1_21, t50_shared_1_1, acc[20]);
        acc[21] = fma(a_shared_1_21, t50_shared_1_5, acc[21]);
        acc[22] = fma(a_shared_1_21, t50_shared_1_9, acc[22]);
        acc[23] = fma(a_shared_1_21, t50_shared_1_13, acc[23]);
        acc[24] = fma(a_shared_1_25, t50_shared_1_1, acc[24]);
        acc[25] = fma(a_shared_1_25, t50_shared_1_5, acc[25]);
        acc[26] = fma(a_shared_1_25, t50_shared_1_9, acc[26]);
        acc[27] = fma(a_shared_1_25, t50_shared_1_13, acc[27]);
        acc[28] = fma(a_shared_1_29, t50_shared_1_1, acc[28]);
        acc[29] = fma(a_shared_1_29, t50_shared_1_5, acc[29]);
        acc[30] = fma(a_shared_1_29, t50_shared_1_9, acc[30]);
        acc[31] = fma(a_shared_1_29, t50_shared_1_13, acc[31]);
        acc[0] = fma(a_shared_1_2, t50_shared_1_2, acc[0]);
        acc[1] = fma(a_shared_1_2, t50_shared_1_6, acc[1]);
        acc[2] = fma(a_shared_1_2, t50_shared_1_10, acc[2]);
        acc[3] = fma(a_shared_1_2, t50_shared_1_14, acc[3]);
        acc[4] = fma(a_shared_1_6, t50_shared_1_2, acc[4]);
        acc[5] = fma(a_shared_1_6, t50_shared_1_6, acc[5]);
        acc[6] = fma(a_shared_1_6, t50_shared_1_10, acc[6]);
        acc[7] = fma(a_shared_1_6, t50_shared_1_14, acc[7]);
        acc[8] = fma(a_shared_1_10, t50_shared_1_2, acc[8]);
        acc[9] = fma(a_shared_1_10, t50_shared_1_6, acc[9]);
        acc[10] = fma(a_shared_1_10, t50_shared_1_10, acc[10]);
        acc[11] = fma(a_shared_1_10, t50_shared_1_14, acc[11]);
        acc[12] = fma(a_shared_1_14, t50_shared_1_2, acc[12]);
        acc[13] = fma(a_shared_1_14, t50_shared_1_6, acc[13]);
        acc[14] = fma(a_shared_1_14, t50_shared_1_10, acc[14]);
        acc[15] = fma(a_shared_1_14, t50_shared_1_14, acc[15]);
        acc[16] = fma(a_shared_1_18, t50_shared_1_2, acc[16]);
        acc[17] = fma(a_shared_1_18, t50_shared_1_6, acc[17]);
        acc[18] = fma(a_shared_1_18, t50_shared_1_10, acc[18]);
        acc[19] = fma(a_shared_1_18, t50_shared_1_14, acc[19]);
        acc[20] = fma(a_shared_1_22, t50_shared_1_2, acc[20]);
        acc[21] = fma(a_shared_1_22, t50_shared_1_6, acc[21]);
        acc[22] = fma(a_shared_1_22, t50_shared_1_10, acc[22]);
        acc[23] = fma(a_shared_1_22, t50_shared_1_14, acc[23]);
        acc[24] = fma(a_shared_1_26, t50_shared_1_2, acc[24]);
        acc[25] = fma(a_shared_1_26, t50_shared_1_6, acc[25]);
        acc[26] = fma(a_shared_1_26, t50_shared_1_10, acc[26]);
        acc[27] = fma(a_shared_1_26, t50_shared_1_14, acc[27]);
        acc[28] = fma(a_shared_1_30, t50_shared_1_2, acc[28]);
        acc[29] = fma(a_shared_1_30, t50_shared_1_6, acc[29]);
        acc[30] = fma(a_shared_1_30, t50_shared_1_10, acc[30]);
        acc[31] = fma(a_shared_1_30, t50_shared_1_14, acc[31]);
        acc[0] = fma(a_shared_1_3, t50_shared_1_3, acc[0]);
        acc[1] = fma(a_shared_1_3, t50_shared_1_7, acc[1]);
        acc[2] = fma(a_shared_1_3, t50_shared_1_11, acc[2]);
        acc[3] = fma(a_shared_1_3, t50_shared_1_15, acc[3]);
        acc[4] = fma(a_shared_1_7, t50_shared_1_3, acc[4]);
        acc[5] = fma(a_shared_1_7, t50_shared_1_7, acc[5]);
        acc[6] = fma(a_shared_1_7, t50_shared_1_11, acc[6]);
        acc[7] = fma(a_shared_1_7, t50_shared_1_15, acc[7]);
        acc[8] = fma(a_shared_1_11, t50_shared_1_3, acc[8]);
        acc[9] = fma(a_shared_1_11, t50_shared_1_7, acc[9]);
        acc[10] = fma(a_shared_1_11, t50_shared_1_11, acc[10]);
        acc[11] = fma(a_shared_1_11, t50_shared_1_15, acc[11]);
        acc[12] = fma(a_shared_1_15, t50_shared_1_3, acc[12]);
        acc[13] = fma(a_shared_1_15, t50_shared_1_7, acc[13]);
        acc[14] = fma(a_shared_1_15, t50_shared_1_11, acc[14]);
        acc[15] = fma(a_shared_1_15, t50_shared_1_15, acc[15]);
        acc[16] = fma(a_shared_1_19, t50_shared_1_3, acc[16]);
        acc[17] = fma(a_shared_1_19, t50_shared_1_7, acc[17]);
        acc[18] = fma(a_shared_1_19, t50_shared_1_11, acc[18]);
        acc[19] = fma(a_shared_1_19, t50_shared_1_15, acc[19]);
        acc[20] = fma(a_shared_1_23, t50_shared_1_3, acc[20]);
        acc[21] = fma(a_shared_1_23, t50_shared_1_7, acc[21]);
        acc[22] = fma(a_shared_1_23, t50_shared_1_11, acc[22]);
        acc[23] = fma(a_shared_1_23, t50_shared_1_15, acc[23]);
        acc[24] = fma(a_shared_1_27, t50_shared_1_3, acc[24]);
        acc[25] = fma(a_shared_1_27, t50_shared_1_7, acc[25]);
        acc[26] = fma(a_shared_1_27, t50_shared_1_11, acc[26]);
        acc[27] = fma(a_shared_1_27, t50_shared_1_15, acc[27]);
        acc[28] = fma(a_shared_1_31, t50_shared_1_3, acc[28]);
        acc[29] = fma(a_shared_1_31, t50_shared_1_7, acc[29]);
        acc[30] = fma(a_shared_1_31, t50_shared_1_11, acc[30]);
        acc[31] = fma(a_shared_1_31, t50_shared_1_15, acc[31]);
      }
      workgroupBarrier();
      var t52_shared_tile_0: f32; var t52_shared_tile_1: f32; var t52_shared_tile_2: f32;
      var t52_shared_tile_3: f32;
      t52_shared_tile_0 = tw_bf16_to_f32(t_10_0); t52_shared_tile_1 = tw_bf16_to_f32(t_10_1);
      t52_shared_tile_2 = tw_bf16_to_f32(t_10_2); t52_shared_tile_3 = tw_bf16_to_f32(t_10_3);
      shared_t50_shared_t52_shared[a_shared_at >> 2u] = vec4<f32>(
          t52_shared_tile_0, t52_shared_tile_1, t52_shared_tile_2, t52_shared_tile_3);
      var t52_shared_tile_1_1_0: f32; var t52_shared_tile_1_1_1: f32;
      var t52_shared_tile_1_1_2: f32; var t52_shared_tile_1_1_3: f32;
      t52_shared_tile_1_1_0 = tw_bf16_to_f32(t_10_4);
      t52_shared_tile_1_1_1 = tw_bf16_to_f32(t_10_5);
      t52_shared_tile_1_1_2 = tw_bf16_to_f32(t_10_6);
      t52_shared_tile_1_1_3 = tw_bf16_to_f32(t_10_7);
      shared_t50_shared_t52_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(
          t52_shared_tile_1_1_0, t52_shared_tile_1_1_1, t52_shared_tile_1_1_2, t52_shared_tile_1_1_3);
      var t52_shared_tile_2_1_0: f32; var t52_shared_tile_2_1_1: f32;
      var t52_shared_tile_2_1_2: f32; var t52_shared_tile_2_1_3: f32;
      t52_shared_tile_2_1_0 = tw_bf16_to_f32(t_10_8);
      t52_shared_tile_2_1_1 = tw_bf16_to_f32(t_10_9);
      t52_shared_tile_2_1_2 = tw_bf16_to_f32(t_10_10);
      t52_shared_tile_2_1_3 = tw_bf16_to_f32(t_10_11);
      shared_t50_shared_t52_shared[(a_shared_at + 1152) >> 2u] = vec4<f32>(
          t52_shared_tile_2_1_0, t52_shared_tile_2_1_1, t52_shared_tile_2_1_2, t52_shared_tile_2_1_3);
      var t52_shared_tile_3_1_0: f32; var t52_shared_tile_3_1_1: f32;
      var t52_shared_tile_3_1_2: f32; var t52_shared_tile_3_1_3: f32;
      t52_shared_tile_3_1_0 = tw_bf16_to_f32(t_10_12);
      t52_shared_tile_3_1_1 = tw_bf16_to_f32(t_10_13);
      t52_shared_tile_3_1_2 = tw_bf16_to_f32(t_10_14);
      t52_shared_tile_3_1_3 = tw_bf16_to_f32(t_10_15);
      shared_t50_shared_t52_shared[(a_shared_at + 1156) >> 2u] = vec4<f32>(
          t52_shared_tile_3_1_0, t52_shared_tile_3_1_1, t52_shared_tile_3_1_2, t52_shared_tile_3_1_3);
      workgroupBarrier();
      for (var r: i32 = 0; r < 8; r++) {
        var a_shared_2_0: f32; var a_shared_2_1: f32; var a_shared_2_2: f32; var a_shared_2_3: f32;
        var a_shared_2_4: f32; var a_shared_2_5: f32; var a_shared_2_6: f32; var a_shared_2_7: f32;
        var a_shared_2_8: f32; var a_shared_2_9: f32; var a_shared_2_10: f32;
        var a_shared_2_11: f32; var a_shared_2_12: f32; var a_shared_2_13: f32;
        var a_shared_2_14: f32; var a_shared_2_15: f32; var a_shared_2_16: f32;
        var a_shared_2_17: f32; var a_shared_2_18: f32; var a_shared_2_19: f32;
        var a_shared_2_20: f32; var a_shared_2_21: f32; var a_shared_2_22: f32;
        var a_shared_2_23: f32; var a_shared_2_24: f32; var a_shared_2_25: f32;
        var a_shared_2_26: f32; var a_shared_2_27: f32; var a_shared_2_28: f32;
        var a_shared_2_29: f32; var a_shared_2_30: f32; var a_shared_2_31: f32;
        var t52_shared_1_0: f32; var t52_shared_1_1: f32; var t52_shared_1_2: f32;
        var t52_shared_1_3: f32; var t52_shared_1_4: f32; var t52_shared_1_5: f32;
        var t52_shared_1_6: f32; var t52_shared_1_7: f32; var t52_shared_1_8: f32;
        var t52_shared_1_9: f32; var t52_shared_1_10: f32; var t52_shared_1_11: f32;
        var t52_shared_1_12: f32; var t52_shared_1_13: f32; var t52_shared_1_14: f32;
        var t52_shared_1_15: f32;
        let a_shared_2_word = a_shared[(a_shared_at_1 + r * 4) >> 2u];
        a_shared_2_0 = a_shared_2_word.x; a_shared_2_1 = a_shared_2_word.y;
        a_shared_2_2 = a_shared_2_word.z; a_shared_2_3 = a_shared_2_word.w;
        let a_shared_2_word_1 = a_shared[(a_shared_at_1 + 288 + r * 4) >> 2u];
        a_shared_2_4 = a_shared_2_word_1.x; a_shared_2_5 = a_shared_2_word_1.y;
        a_shared_2_6 = a_shared_2_word_1.z; a_shared_2_7 = a_shared_2_word_1.w;
        let a_shared_2_word_2 = a_shared[(a_shared_at_1 + 576 + r * 4) >> 2u];
        a_shared_2_8 = a_shared_2_word_2.x; a_shared_2_9 = a_shared_2_word_2.y;
        a_shared_2_10 = a_shared_2_word_2.z; a_shared_2_11 = a_shared_2_word_2.w;
        let a_shared_2_word_3 = a_shared[(a_shared_at_1 + 864 + r * 4) >> 2u];
        a_shared_2_12 = a_shared_2_word_3.x; a_shared_2_13 = a_shared_2_word_3.y;
        a_shared_2_14 = a_shared_2_word_3.z; a_shared_2_15 = a_shared_2_word_3.w;
        let a_shared_2_word_4 = a_shared[(a_shared_at_1 + 1152 + r * 4) >> 2u];
        a_shared_2_16 = a_shared_2_word_4.x; a_shared_2_17 = a_shared_2_word_4.y;
        a_shared_2_18 = a_shared_2_word_4.z; a_shared_2_19 = a_shared_2_word_4.w;
        let a_shared_2_word_5 = a_shared[(a_shared_at_1 + 1440 + r * 4) >> 2u];
        a_shared_2_20 = a_shared_2_word_5.x; a_shared_2_21 = a_shared_2_word_5.y;
        a_shared_2_22 = a_shared_2_word_5.z; a_shared_2_23 = a_shared_2_word_5.w;
        let a_shared_2_word_6 = a_shared[(a_shared_at_1 + 1728 + r * 4) >> 2u];
        a_shared_2_24 = a_shared_2_word_6.x; a_shared_2_25 = a_shared_2_word_6.y;
        a_shared_2_26 = a_shared_2_word_6.z; a_shared_2_27 = a_shared_2_word_6.w;
        let a_shared_2_word_7 = a_shared[(a_shared_at_1 + 2016 + r * 4) >> 2u];
        a_shared_2_28 = a_shared_2_word_7.x; a_shared_2_29 = a_shared_2_word_7.y;
        a_shared_2_30 = a_shared_2_word_7.z; a_shared_2_31 = a_shared_2_word_7.w;
        let t52_shared_1_word = shared_t50_shared_t52_shared[(t50_shared_at + r * 4) >> 2u];
        t52_shared_1_0 = t52_shared_1_word.x; t52_shared_1_1 = t52_shared_1_word.y;
        t52_shared_1_2 = t52_shared_1_word.z; t52_shared_1_3 = t52_shared_1_word.w;
        let t52_shared_1_word_1 = shared_t50_shared_t52_shared[(t50_shared_at + 36 + r * 4) >> 2u];
        t52_shared_1_4 = t52_shared_1_word_1.x; t52_shared_1_5 = t52_shared_1_word_1.y;
        t52_shared_1_6 = t52_shared_1_word_1.z; t52_shared_1_7 = t52_shared_1_word_1.w;
        let t52_shared_1_word_2 = shared_t50_shared_t52_shared[(t50_shared_at + 72 + r * 4) >> 2u];
        t52_shared_1_8 = t52_shared_1_word_2.x; t52_shared_1_9 = t52_shared_1_word_2.y;
        t52_shared_1_10 = t52_shared_1_word_2.z; t52_shared_1_11 = t52_shared_1_word_2.w;
        let t52_shared_1_word_3 = shared_t50_shared_t52_shared[(t50_shared_at + 108 + r * 4) >> 2u];
        t52_shared_1_12 = t52_shared_1_word_3.x; t52_shared_1_13 = t52_shared_1_word_3.y;
        t52_shared_1_14 = t52_shared_1_word_3.z; t52_shared_1_15 = t52_shared_1_word_3.w;
        up[0] = fma(a_shared_2_0, t52_shared_1_0, up[0]);
        up[1] = fma(a_shared_2_0, t52_shared_1_4, up[1]);
        up[2] = fma(a_shared_2_0, t52_shared_1_8, up[2]);
        up[3] = fma(a_shared_2_0, t52_shared_1_12, up[3]);
        up[4] = fma(a_shared_2_4, t52_shared_1_0, up[4]);
        up[5] = fma(a_shared_2_4, t52_shared_1_4, up[5]);
        up[6] = fma(a_shared_2_4, t52_shared_1_8, up[6]);
        up[7] = fma(a_shared_2_4, t52_shared_1_12, up[7]);
        up[8] = fma(a_shared_2_8, t52_shared_1_0, up[8]);
        up[9] = fma(a_shared_2_8, t52_shared_1_4, up[9]);
        up[10] = fma(a_shared_2_8, t52_shared_1_8, up[10]);
        up[11] = fma(a_shared_2_8, t52_shared_1_12, up[11]);
        up[12] = fma(a_shared_2_12, t52_shared_1_0, up[12]);
        up[13] = fma(a_shared_2_12, t52_shared_1_4, up[13]);
        up[14] = fma(a_shared_2_12, t52_shared_1_8, up[14]);
        up[15] = fma(a_shared_2_12, t52_shared_1_12, up[15]);
        up[16] = fma(a_shared_2_16, t52_shared_1_0, up[16]);
        up[17] = fma(a_shared_2_16, t52_shared_1_4, up[17]);
        up[18] = fma(a_shared_2_16, t52_shared_1_8, up[18]);
        up[19] = fma(a_shared_2_16, t52_shared_1_12, up[19]);
        up[20] = fma(a_shared_2_20, t52_shared_1_0, up[20]);
        up[21] = fma(a_shared_2_20, t52_shared_1_4, up[21]);
        up[22] = fma(a_shared_2_20, t52_shared_1_8, up[22]);
        up[23] = fma(a_shared_2_20, t52_shared_1_12, up[23]);
        up[24] = fma(a_shared_2_24, t52_shared_1_0, up[24]);
        up[25] = fma(a_shared_2_24, t52_shared_1_4, up[25]);
        up[26] = fma(a_shared_2_24, t52_shared_1_8, up[26]);
        up[27] = fma(a_shared_2_24, t52_shared_1_12, up[27]);
        up[28] = fma(a_shared_2_28, t52_shared_1_0, up[28]);
        up[29] = fma(a_shared_2_28, t52_shared_1_4, up[29]);
        up[30] = fma(a_shared_2_28, t52_shared_1_8, up[30]);
        up[31] = fma(a_shared_2_28, t52_shared_1_12, up[31]);
        up[0] = fma(a_shared_2_1, t52_shared_1_1, up[0]);
        up[1] = fma(a_shared_2_1, t52_shared_1_5, up[1]);
        up[2] = fma(a_shared_2_1, t52_shared_1_9, up[2]);
        up[3] = fma(a_shared_2_1, t52_shared_1_13, up[3]);
        up[4] = fma(a_shared_2_5, t52_shared_1_1, up[4]);
        up[5] = fma(a_shared_2_5, t52_shared_1_5, up[5]);
        up[6] = fma(a_shared_2_5, t52_shared_1_9, up[6]);
        up[7] = fma(a_shared_2_5, t52_shared_1_13, up[7]);
        up[8] = fma(a_shared_2_9, t52_shared_1_1, up[8]);
        up[9] = fma(a_shared_2_9, t52_shared_1_5, up[9]);
        up[10] = fma(a_shared_2_9, t52_shared_1_9, up[10]);
        up[11] = fma(a_shared_2_9, t52_shared_1_13, up[11]);
        up[12] = fma(a_shared_2_13, t52_shared_1_1, up[12]);
        up[13] = fma(a_shared_2_13, t52_shared_1_5, up[13]);
        up[14] = fma(a_shared_2_13, t52_shared_1_9, up[14]);
        up[15] = fma(a_shared_2_13, t52_shared_1_13, up[15]);
        up[16] = fma(a_shared_2_17, t52_shared_1_1, up[16]);
        up[17] = fma(a_shared_2_17, t52_shared_1_5, up[17]);
        up[18] = fma(a_shared_2_17, t52_shared_1_9, up[18]);
        up[19] = fma(a_shared_2_17, t52_shared_1_13, up[19]);
        up[20] = fma(a_shared_2_21, t52_shared_1_1, up[20]);
        up[21] = fma(a_shared_2_21, t52_shared_1_5, up[21]);
        up[22] = fma(a_shared_2_21, t52_shared_1_9, up[22]);
        up[23] = fma(a_shared_2_21, t52_shared_1_13, up[23]);
        up[24] = fma(a_shared_2_25, t52_shared_1_1, up[24]);
        up[25] = fma(a_shared_2_25, t52_shared_1_5, up[25]);
        up[26] = fma(a_shared_2_25, t52_shared_1_9, up[26]);
        up[27] = fma(a_shared_2_25, t52_shared_1_13, up[27]);
        up[28] = fma(a_shared_2_29, t52_shared_1_1, up[28]);
        up[29] = fma(a_shared_2_29, t52_shared_1_5, up[29]);
        up[30] = fma(a_shared_2_29, t52_shared_1_9, up[30]);
        up[31] = fma(a_shared_2_29, t52_shared_1_13, up[31]);
        up[0] = fma(a_shared_2_2, t52_shared_1_2, up[0]);
        up[1] = fma(a_shared_2_2, t52_shared_1_6, up[1]);
        up[2] = fma(a_shared_2_2, t52_shared_1_10, up[2]);
        up[3] = fma(a_shared_2_2, t52_shared_1_14, up[3]);
        up[4] = fma(a_shared_2_6, t52_shared_1_2, up[4]);
        up[5] = fma(a_shared_2_6, t52_shared_1_6, up[5]);
        up[6] = fma(a_shared_2_6, t52_shared_1_10, up[6]);
        up[7] = fma(a_shared_2_6, t52_shared_1_14, up[7]);
        up[8] = fma(a_shared_2_10, t52_shared_1_2, up[8]);
        up[9] = fma(a_shared_2_10, t52_shared_1_6, up[9]);
        up[10] = fma(a_shared_2_10, t52_shared_1_10, up[10]);
        up[11] = fma(a_shared_2_10, t52_shared_1_14, up[11]);
        up[12] = fma(a_shared_2_14, t52_shared_1_2, up[12]);
        up[13] = fma(a_shared_2_14, t52_shared_1_6, up[13]);
        up[14] = fma(a_shared_2_14, t52_shared_1_10, up[14]);
        up[15] = fma(a_shared_2_14, t52_shared_1_14, up[15]);
        up[16] = fma(a_shared_2_18, t52_shared_1_2, up[16]);
        up[17] = fma(a_shared_2_18, t52_shared_1_6, up[17]);
        up[18] = fma(a_shared_2_18, t52_shared_1_10, up[18]);
        up[19] = fma(a_shared_2_18, t52_shared_1_14, up[19]);
        up[20] = fma(a_shared_2_22, t52_shared_1_2, up[20]);
        up[21] = fma(a_shared_2_22, t52_shared_1_6, up[21]);
        up[22] = fma(a_shared_2_22, t52_shared_1_10, up[22]);
        up[23] = fma(a_shared_2_22, t52_shared_1_14, up[23]);
        up[24] = fma(a_shared_2_26, t52_shared_1_2, up[24]);
        up[25] = fma(a_shared_2_26, t52_shared_1_6, up[25]);
        up[26] = fma(a_shared_2_26, t52_shared_1_10, up[26]);
        up[27] = fma(a_shared_2_26, t52_shared_1_14, up[27]);
        up[28] = fma(a_shared_2_30, t52_shared_1_2, up[28]);
        up[29] = fma(a_shared_2_30, t52_shared_1_6, up[29]);
        up[30] = fma(a_shared_2_30, t52_shared_1_10, up[30]);
        up[31] = fma(a_shared_2_30, t52_shared_1_14, up[31]);
        up[0] = fma(a_shared_2_3, t52_shared_1_3, up[0]);
        up[1] = fma(a_shared_2_3, t52_shared_1_7, up[1]);
        up[2] = fma(a_shared_2_3, t52_shared_1_11, up[2]);
        up[3] = fma(a_shared_2_3, t52_shared_1_15, up[3]);
        up[4] = fma(a_shared_2_7, t52_shared_1_3, up[4]);
        up[5] = fma(a_shared_2_7, t52_shared_1_7, up[5]);
        up[6] = fma(a_shared_2_7, t52_shared_1_11, up[6]);
        up[7] = fma(a_shared_2_7, t52_shared_1_15, up[7]);
        up[8] = fma(a_shared_2_11, t52_shared_1_3, up[8]);
        up[9] = fma(a_shared_2_11, t52_shared_1_7, up[9]);
        up[10] = fma(a_shared_2_11, t52_shared_1_11, up[10]);
        up[11] = fma(a_shared_2_11, t52_shared_1_15, up[11]);
        up[12] = fma(a_shared_2_15, t52_shared_1_3, up[12]);
        up[13] = fma(a_shared_2_15, t52_shared_1_7, up[13]);
        up[14] = fma(a_shared_2_15, t52_shared_1_11, up[14]);
        up[15] = fma(a_shared_2_15, t52_shared_1_15, up[15]);
        up[16] = fma(a_shared_2_19, t52_shared_1_3, up[16]);
        up[17] = fma(a_shared_2_19, t52_shared_1_7, up[17]);
        up[18] = fma(a_shared_2_19, t52_shared_1_11, up[18]);
        up[19] = fma(a_shared_2_19, t52_shared_1_15, up[19]);
        up[20] = fma(a_shared_2_23, t52_shared_1_3, up[20]);
        up[21] = fma(a_shared_2_23, t52_shared_1_7, up[21]);
        up[22] = fma(a_shared_2_23, t52_shared_1_11, up[22]);
        up[23] = fma(a_shared_2_23, t52_shared_1_15, up[23]);
        up[24] = fma(a_shared_2_27, t52_shared_1_3, up[24]);
        up[25] = fma(a_shared_2_27, t52_shared_1_7, up[25]);
        up[26] = fma(a_shared_2_27, t52_shared_1_11, up[26]);
        up[27] = fma(a_shared_2_27, t52_shared_1_15, up[27]);
        up[28] = fma(a_shared_2_31, t52_shared_1_3, up[28]);
        up[29] = fma(a_shared_2_31, t52_shared_1_7, up[29]);
        up[30] = fma(a_shared_2_31, t52_shared_1_11, up[30]);
        up[31] = fma(a_shared_2_31, t52_shared_1_15, up[31]);
      }
      a_0 = a_2_1_0; t_9_0 = t_11_0; t_10_0 = t_12_0; a_2_1_0 = a_4_1_0; t_11_0 = t_13_0;
      t_12_0 = t_14_0; a_1 = a_2_1_1; t_9_1 = t_11_1; t_10_1 = t_12_1; a_2_1_1 = a_4_1_1;
      t_11_1 = t_13_1; t_12_1 = t_14_1; a_2 = a_2_1_2; t_9_2 = t_11_2; t_10_2 = t_12_2;
      a_2_1_2 = a_4_1_2; t_11_2 = t_13_2; t_12_2 = t_14_2; a_3 = a_2_1_3; t_9_3 = t_11_3;
      t_10_3 = t_12_3; a_2_1_3 = a_4_1_3; t_11_3 = t_13_3; t_12_3 = t_14_3; a_4 = a_2_1_4;
      t_9_4 = t_11_4; t_10_4 = t_12_4; a_2_1_4 = a_4_1_4; t_11_4 = t_13_4; t_12_4 = t_14_4;
      a_5 = a_2_1_5; t_9_5 = t_11_5; t_10_5 = t_12_5; a_2_1_5 = a_4_1_5; t_11_5 = t_13_5;
      t_12_5 = t_14_5; a_6 = a_2_1_6; t_9_6 = t_11_6; t_10_6 = t_12_6; a_2_1_6 = a_4_1_6;
      t_11_6 = t_13_6; t_12_6 = t_14_6; a_7 = a_2_1_7; t_9_7 = t_11_7; t_10_7 = t_12_7;
      a_2_1_7 = a_4_1_7; t_11_7 = t_13_7; t_12_7 = t_14_7; a_8 = a_2_1_8; t_9_8 = t_11_8;
      t_10_8 = t_12_8; a_2_1_8 = a_4_1_8; t_11_8 = t_13_8; t_12_8 = t_14_8; a_9 = a_2_1_9;
      t_9_9 = t_11_9; t_10_9 = t_12_9; a_2_1_9 = a_4_1_9; t_11_9 = t_13_9; t_12_9 = t_14_9;
      a_10 = a_2_1_10; t_9_10 = t_11_10; t_10_10 = t_12_10; a_2_1_10 = a_4_1_10; t_11_10 = t_13_10;
      t_12_10 = t_14_10; a_11 = a_2_1_11; t_9_11 = t_11_11; t_10_11 = t_12_11; a_2_1_11 = a_4_1_11;
      t_11_11 = t_13_11; t_12_11 = t_14_11; a_12 = a_2_1_12; t_9_12 = t_11_12; t_10_12 = t_12_12;
      a_2_1_12 = a_4_1_12; t_11_12 = t_13_12; t_12_12 = t_14_12; a_13 = a_2_1_13; t_9_13 = t_11_13;
      t_10_13 = t_12_13; a_2_1_13 = a_4_1_13; t_11_13 = t_13_13; t_12_13 = t_14_13; a_14 = a_2_1_14;
      t_9_14 = t_11_14; t_10_14 = t_12_14; a_2_1_14 = a_4_1_14; t_11_14 = t_13_14;
      t_12_14 = t_14_14; a_15 = a_2_1_15; t_9_15 = t_11_15; t_10_15 = t_12_15; a_2_1_15 = a_4_1_15;
      t_11_15 = t_13_15; t_12_15 = t_14_15;
    }
    let t_BN: i32 = (thread >> 6u) * 32 + (thread & 7) * 4;
    let position_1: i32 = t_7 + t_BN;
    let y_in: bool = u32(position_1) < u32(launch.N);
    for (var r: i32 = 0; r < 8; r++) {
      var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
      y_tile_0 = tw_f32_to_bf16(acc[r * 4] / (1.0f + tw_exp(-acc[r * 4])) * up[r * 4]);
      y_tile_1 = tw_f32_to_bf16(acc[r * 4 + 1] / (1.0f + tw_exp(-acc[r * 4 + 1])) * up[r * 4 + 1]);
      y_tile_2 = tw_f32_to_bf16(acc[r * 4 + 2] / (1.0f + tw_exp(-acc[r * 4 + 2])) * up[r * 4 + 2]);
      y_tile_3 = tw_f32_to_bf16(acc[r * 4 + 3] / (1.0f + tw_exp(-acc[r * 4 + 3])) * up[r * 4 + 3]);
      if (y_in & (u32(slots[r]) < u32(launch.S))) {
        y[(position_1 + slots[r] * launch.N) >> 2u] = vec2<u32>(
            y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
      }
    }
  }
}
