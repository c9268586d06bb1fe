// packed_weights for wgsl, made by tilewright
// dtypes: W=u4 T=f16
// config: BM=16 BN=32 BK=64 GB=2
// dims divisible: K%16 N%16 KG%4
// 64 threads, 12800 bytes of shared memory
//       0 … 8688: t40_shared f32[2172]
//    8704 … 12800: rows_shared f32[1024]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  K: i32,
  N: i32,
  KG: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> s: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<vec2<f32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t40_shared: array<vec4<f32>, 543>;
var<workgroup> rows_shared: array<vec4<f32>, 256>;

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

fn tw_f32_to_f16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let code = min(tw_narrow(min(size, 0x47800000u), 10u, 15u), 0x7c00u);
  return select(code | ((bits >> 16u) & 0x8000u), 0x7e00u, size > 0x7f800000u);
}

fn tw_f16_to_f32(x: u32) -> f32 {
  let size = (x & 0x7fffu) << 13u;
  let exponent = size & 0x0f800000u;
  let normal = size + select(0x38000000u, 0x70000000u, exponent == 0x0f800000u);
  // A subnormal number counts units of 2 to the -24.
  let subnormal = bitcast<u32>(f32(x & 0x3ffu) * 0x1p-24f);
  return bitcast<f32>(select(normal, subnormal, exponent == 0u) | ((x & 0x8000u) << 16u));
}

@compute @workgroup_size(64)
fn packed_weights(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let t: i32 = (launch.K + 63) >> 6u;
  let t_1: i32 = pid1 * 32;
  let t_2: i32 = pid0 * 16;
  let more: bool = 0 < t;
  var q: array<u32, 32>;
  var scales: u32;
  var rows_0: u32; var rows_1: u32; var rows_2: u32; var rows_3: u32; var rows_4: u32;
  var rows_5: u32; var rows_6: u32; var rows_7: u32; var rows_8: u32; var rows_9: u32;
  var rows_10: u32; var rows_11: u32; var rows_12: u32; var rows_13: u32; var rows_14: u32;
  var rows_15: u32;
  let w_at: i32 = (thread & 1) * 32 + (thread >> 1u) * 64;
  let t_BN: i32 = thread >> 1u;
  let left: i32 = launch.N - t_1;
  let t_GB: i32 = thread & 1;
  let s_at: i32 = t_BN * launch.KG + t_GB;
  let s_at_1: i32 = t_1 * launch.KG + s_at;
  let t_BM: i32 = thread >> 3u;
  let t_BK: i32 = (thread & 7) * 8;
  let x_at: i32 = t_BM * launch.K + t_BK;
  let x_at_1: i32 = t_2 * launch.K + x_at;
  let left_1: i32 = launch.M - t_2;
  if (more) {
    let w_at_1: i32 = (t_1 >> 5u) * t * 2048 + w_at;
    var q_1_0: u32; var q_1_1: u32; var q_1_2: u32; var q_1_3: u32; var q_1_4: u32; var q_1_5: u32;
    var q_1_6: u32; var q_1_7: u32; var q_1_8: u32; var q_1_9: u32; var q_1_10: u32;
    var q_1_11: u32; var q_1_12: u32; var q_1_13: u32; var q_1_14: u32; var q_1_15: u32;
    var q_1_16: u32; var q_1_17: u32; var q_1_18: u32; var q_1_19: u32; var q_1_20: u32;
    var q_1_21: u32; var q_1_22: u32; var q_1_23: u32; var q_1_24: u32; var q_1_25: u32;
    var q_1_26: u32; var q_1_27: u32; var q_1_28: u32; var q_1_29: u32; var q_1_30: u32;
    var q_1_31: u32;
    let q_1_in = (t_1 < launch.N) & (0 < launch.K);
    let q_1_word = select(vec4<u32>(0u), w[select(0, w_at_1 >> 5u, q_1_in)], q_1_in);
    q_1_0 = extractBits(q_1_word.x, 0u, 4u); q_1_1 = extractBits(q_1_word.x, 4u, 4u);
    q_1_2 = extractBits(q_1_word.x, 8u, 4u); q_1_3 = extractBits(q_1_word.x, 12u, 4u);
    q_1_4 = extractBits(q_1_word.x, 16u, 4u); q_1_5 = extractBits(q_1_word.x, 20u, 4u);
    q_1_6 = extractBits(q_1_word.x, 24u, 4u); q_1_7 = extractBits(q_1_word.x, 28u, 4u);
    q_1_8 = extractBits(q_1_word.y, 0u, 4u); q_1_9 = extractBits(q_1_word.y, 4u, 4u);
    q_1_10 = extractBits(q_1_word.y, 8u, 4u); q_1_11 = extractBits(q_1_word.y, 12u, 4u);
    q_1_12 = extractBits(q_1_word.y, 16u, 4u); q_1_13 = extractBits(q_1_word.y, 20u, 4u);
    q_1_14 = extractBits(q_1_word.y, 24u, 4u); q_1_15 = extractBits(q_1_word.y, 28u, 4u);
    q_1_16 = extractBits(q_1_word.z, 0u, 4u); q_1_17 = extractBits(q_1_word.z, 4u, 4u);
    q_1_18 = extractBits(q_1_word.z, 8u, 4u); q_1_19 = extractBits(q_1_word.z, 12u, 4u);
    q_1_20 = extractBits(q_1_word.z, 16u, 4u); q_1_21 = extractBits(q_1_word.z, 20u, 4u);
    q_1_22 = extractBits(q_1_word.z, 24u, 4u); q_1_23 = extractBits(q_1_word.z, 28u, 4u);
    q_1_24 = extractBits(q_1_word.w, 0u, 4u); q_1_25 = extractBits(q_1_word.w, 4u, 4u);
    q_1_26 = extractBits(q_1_word.w, 8u, 4u); q_1_27 = extractBits(q_1_word.w, 12u, 4u);
    q_1_28 = extractBits(q_1_word.w, 16u, 4u); q_1_29 = extractBits(q_1_word.w, 20u, 4u);
    q_1_30 = extractBits(q_1_word.w, 24u, 4u); q_1_31 = extractBits(q_1_word.w, 28u, 4u);
    let s_in: bool = (t_BN < left) & (t_GB < launch.KG);
    var scales_1: u32;
    let scales_1_word = select(0u, s[select(0, s_at_1 >> 1u, s_in)], s_in) >> ((u32(s_at_1) & 1u) * 16u);
    scales_1 = scales_1_word & 0xffffu;
    let x_in: bool = t_BK < launch.K;
    var rows_1_1_0: u32; var rows_1_1_1: u32; var rows_1_1_2: u32; var rows_1_1_3: u32;
    var rows_1_1_4: u32; var rows_1_1_5: u32; var rows_1_1_6: u32; var rows_1_1_7: u32;
    var rows_1_1_8: u32; var rows_1_1_9: u32; var rows_1_1_10: u32; var rows_1_1_11: u32;
    var rows_1_1_12: u32; var rows_1_1_13: u32; var rows_1_1_14: u32; var rows_1_1_15: u32;
    let rows_1_in = x_in & (t_BM < left_1);
    let rows_1_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 3u, rows_1_in)], rows_1_in);
    rows_1_1_0 = rows_1_word.x & 0xffffu; rows_1_1_1 = rows_1_word.x >> 16u;
    rows_1_1_2 = rows_1_word.y & 0xffffu; rows_1_1_3 = rows_1_word.y >> 16u;
    rows_1_1_4 = rows_1_word.z & 0xffffu; rows_1_1_5 = rows_1_word.z >> 16u;
    rows_1_1_6 = rows_1_word.w & 0xffffu; rows_1_1_7 = rows_1_word.w >> 16u;
    let rows_1_in_1 = x_in & (t_BM + 8 < left_1);
    let rows_1_word_1 = select(
        vec4<u32>(0u), x[select(0, (x_at_1 + launch.K * 8) >> 3u, rows_1_in_1)], rows_1_in_1);
    rows_1_1_8 = rows_1_word_1.x & 0xffffu; rows_1_1_9 = rows_1_word_1.x >> 16u;
    rows_1_1_10 = rows_1_word_1.y & 0xffffu; rows_1_1_11 = rows_1_word_1.y >> 16u;
    rows_1_1_12 = rows_1_word_1.z & 0xffffu; rows_1_1_13 = rows_1_word_1.z >> 16u;
    rows_1_1_14 = rows_1_word_1.w & 0xffffu; rows_1_1_15 = rows_1_word_1.w >> 16u;
    q[0] = q_1_0; q[1] = q_1_1; q[2] = q_1_2; q[3] = q_1_3; q[4] = q_1_4; q[5] = q_1_5;
    q[6] = q_1_6; q[7] = q_1_7; q[8] = q_1_8; q[9] = q_1_9; q[10] = q_1_10; q[11] = q_1_11;
    q[12] = q_1_12; q[13] = q_1_13; q[14] = q_1_14; q[15] = q_1_15; q[16] = q_1_16; q[17] = q_1_17;
    q[18] = q_1_18; q[19] = q_1_19; q[20] = q_1_20; q[21] = q_1_21; q[22] = q_1_22; q[23] = q_1_23;
    q[24] = q_1_24; q[25] = q_1_25; q[26] = q_1_26; q[27] = q_1_27; q[28] = q_1_28; q[29] = q_1_29;
    q[30] = q_1_30; q[31] = q_1_31;
    scales = scales_1;
    rows_0 = rows_1_1_0; rows_1 = rows_1_1_1; rows_2 = rows_1_1_2; rows_3 = rows_1_1_3;
    rows_4 = rows_1_1_4; rows_5 = rows_1_1_5; rows_6 = rows_1_1_6; rows_7 = rows_1_1_7;
    rows_8 = rows_1_1_8; rows_9 = rows_1_1_9; rows_10 = rows_1_1_10; rows_11 = rows_1_1_11;
    rows_12 = rows_1_1_12; rows_13 = rows_1_1_13; rows_14 = rows_1_1_14; rows_15 = rows_1_1_15;
  } else {
    q[0] = 0u; q[1] = 0u; q[2] = 0u; q[3] = 0u; q[4] = 0u; q[5] = 0u; q[6] = 0u; q[7] = 0u;
    q[8] = 0u; q[9] = 0u; q[10] = 0u; q[11] = 0u; q[12] = 0u; q[13] = 0u; q[14] = 0u; q[15] = 0u;
    q[16] = 0u; q[17] = 0u; q[18] = 0u; q[19] = 0u; q[20] = 0u; q[21] = 0u; q[22] = 0u; q[23] = 0u;
    q[24] = 0u; q[25] = 0u; q[26] = 0u; q[27] = 0u; q[28] = 0u; q[29] = 0u; q[30] = 0u; q[31] = 0u;
    scales = 0u;
    rows_0 = 0u; rows_1 = 0u; rows_2 = 0u; rows_3 = 0u; rows_4 = 0u; rows_5 = 0u; rows_6 = 0u;
    rows_7 = 0u; rows_8 = 0u; rows_9 = 0u; rows_10 = 0u; rows_11 = 0u; rows_12 = 0u; rows_13 = 0u;
    rows_14 = 0u; rows_15 = 0u;
  }
  let more_1: bool = 1 < t;
  var q_2_0: u32; var q_2_1: u32; var q_2_2: u32; var q_2_3: u32; var q_2_4: u32; var q_2_5: u32;
  var q_2_6: u32; var q_2_7: u32; var q_2_8: u32; var q_2_9: u32; var q_2_10: u32; var q_2_11: u32;
  var q_2_12: u32; var q_2_13: u32; var q_2_14: u32; var q_2_15: u32; var q_2_16: u32;
  var q_2_17: u32; var q_2_18: u32; var q_2_19: u32; var q_2_20: u32; var q_2_21: u32;
  var q_2_22: u32; var q_2_23: u32; var q_2_24: u32; var q_2_25: u32; var q_2_26: u32;
  var q_2_27: u32; var q_2_28: u32; var q_2_29: u32; var q_2_30: u32; var q_2_31: u32;
  var scales_2: u32;
  var rows_2_1_0: u32; var rows_2_1_1: u32; var rows_2_1_2: u32; var rows_2_1_3: u32;
  var rows_2_1_4: u32; var rows_2_1_5: u32; var rows_2_1_6: u32; var rows_2_1_7: u32;
  var rows_2_1_8: u32; var rows_2_1_9: u32; var rows_2_1_10: u32; var rows_2_1_11: u32;
  var rows_2_1_12: u32; var rows_2_1_13: u32; var rows_2_1_14: u32; var rows_2_1_15: u32;
  if (more_1) {
    let w_at_2: i32 = ((t_1 >> 5u) * t + 1) * 2048 + w_at;
    var q_3_0: u32; var q_3_1: u32; var q_3_2: u32; var q_3_3: u32; var q_3_4: u32; var q_3_5: u32;
    var q_3_6: u32; var q_3_7: u32; var q_3_8: u32; var q_3_9: u32; var q_3_10: u32;
    var q_3_11: u32; var q_3_12: u32; var q_3_13: u32; var q_3_14: u32; var q_3_15: u32;
    var q_3_16: u32; var q_3_17: u32; var q_3_18: u32; var q_3_19: u32; var q_3_20: u32;
    var q_3_21: u32; var q_3_22: u32; var q_3_23: u32; var q_3_24: u32; var q_3_25: u32;
    var q_3_26: u32; var q_3_27: u32; var q_3_28: u32; var q_3_29: u32; var q_3_30: u32;
    var q_3_31: u32;
    let q_3_in = (t_1 < launch.N) & (64 < launch.K);
    let q_3_word = select(vec4<u32>(0u), w[select(0, w_at_2 >> 5u, q_3_in)], q_3_in);
    q_3_0 = extractBits(q_3_word.x, 0u, 4u); q_3_1 = extractBits(q_3_word.x, 4u, 4u);
    q_3_2 = extractBits(q_3_word.x, 8u, 4u); q_3_3 = extractBits(q_3_word.x, 12u, 4u);
    q_3_4 = extractBits(q_3_word.x, 16u, 4u); q_3_5 = extractBits(q_3_word.x, 20u, 4u);
    q_3_6 = extractBits(q_3_word.x, 24u, 4u); q_3_7 = extractBits(q_3_word.x, 28u, 4u);
    q_3_8 = extractBits(q_3_word.y, 0u, 4u); q_3_9 = extractBits(q_3_word.y, 4u, 4u);
    q_3_10 = extractBits(q_3_word.y, 8u, 4u); q_3_11 = extractBits(q_3_word.y, 12u, 4u);
    q_3_12 = extractBits(q_3_word.y, 16u, 4u); q_3_13 = extractBits(q_3_word.y, 20u, 4u);
    q_3_14 = extractBits(q_3_word.y, 24u, 4u); q_3_15 = extractBits(q_3_word.y, 28u, 4u);
    q_3_16 = extractBits(q_3_word.z, 0u, 4u); q_3_17 = extractBits(q_3_word.z, 4u, 4u);
    q_3_18 = extractBits(q_3_word.z, 8u, 4u); q_3_19 = extractBits(q_3_word.z, 12u, 4u);
    q_3_20 = extractBits(q_3_word.z, 16u, 4u); q_3_21 = extractBits(q_3_word.z, 20u, 4u);
    q_3_22 = extractBits(q_3_word.z, 24u, 4u); q_3_23 = extractBits(q_3_word.z, 28u, 4u);
    q_3_24 = extractBits(q_3_word.w, 0u, 4u); q_3_25 = extractBits(q_3_word.w, 4u, 4u);
    q_3_26 = extractBits(q_3_word.w, 8u, 4u); q_3_27 = extractBits(q_3_word.w, 12u, 4u);
    q_3_28 = extractBits(q_3_word.w, 16u, 4u); q_3_29 = extractBits(q_3_word.w, 20u, 4u);
    q_3_30 = extractBits(q_3_word.w, 24u, 4u); q_3_31 = extractBits(q_3_word.w, 28u, 4u);
    let left_2: i32 = launch.KG - 2;
    let s_in_1: bool = (t_BN < left) & (t_GB < left_2);
    var scales_3: u32;
    let scales_3_word = select(
        0u, s[select(0, (s_at_1 + 2) >> 1u, s_in_1)], s_in_1) >> ((u32(s_at_1 + 2) & 1u) * 16u);
    scales_3 = scales_3_word & 0xffffu;
    let left_3: i32 = launch.K - 64;
    let x_in_1: bool = t_BK < left_3;
    var rows_3_1_0: u32; var rows_3_1_1: u32; var rows_3_1_2: u32; var rows_3_1_3: u32;
    var rows_3_1_4: u32; var rows_3_1_5: u32; var rows_3_1_6: u32; var rows_3_1_7: u32;
    var rows_3_1_8: u32; var rows_3_1_9: u32; var rows_3_1_10: u32; var rows_3_1_11: u32;
    var rows_3_1_12: u32; var rows_3_1_13: u32; var rows_3_1_14: u32; var rows_3_1_15: u32;
    let rows_3_in = x_in_1 & (t_BM < left_1);
    let rows_3_word = select(
        vec4<u32>(0u), x[select(0, (x_at_1 + 64) >> 3u, rows_3_in)], rows_3_in);
    rows_3_1_0 = rows_3_word.x & 0xffffu; rows_3_1_1 = rows_3_word.x >> 16u;
    rows_3_1_2 = rows_3_word.y & 0xffffu; rows_3_1_3 = rows_3_word.y >> 16u;
    rows_3_1_4 = rows_3_word.z & 0xffffu; rows_3_1_5 = rows_3_word.z >> 16u;
    rows_3_1_6 = rows_3_word.w & 0xffffu; rows_3_1_7 = rows_3_word.w >> 16u;
    let rows_3_in_1 = x_in_1 & (t_BM + 8 < left_1);
    let rows_3_word_1 = select(vec4<u32>(0u), x[select(
        0, (x_at_1 + 64 + launch.K * 8) >> 3u, rows_3_in_1)], rows_3_in_1);
    rows_3_1_8 = rows_3_word_1.x & 0xffffu; rows_3_1_9 = rows_3_word_1.x >> 16u;
    rows_3_1_10 = rows_3_word_1.y & 0xffffu; rows_3_1_11 = rows_3_word_1.y >> 16u;
    rows_3_1_12 = rows_3_word_1.z & 0xffffu; rows_3_1_13 = rows_3_word_1.z >> 16u;
    rows_3_1_14 = rows_3_word_1.w & 0xffffu; rows_3_1_15 = rows_3_word_1.w >> 16u;
    q_2_0 = q_3_0; q_2_1 = q_3_1; q_2_2 = q_3_2; q_2_3 = q_3_3; q_2_4 = q_3_4; q_2_5 = q_3_5;
    q_2_6 = q_3_6; q_2_7 = q_3_7; q_2_8 = q_3_8; q_2_9 = q_3_9; q_2_10 = q_3_10; q_2_11 = q_3_11;
    q_2_12 = q_3_12; q_2_13 = q_3_13; q_2_14 = q_3_14; q_2_15 = q_3_15; q_2_16 = q_3_16;
    q_2_17 = q_3_17; q_2_18 = q_3_18; q_2_19 = q_3_19; q_2_20 = q_3_20; q_2_21 = q_3_21;
    q_2_22 = q_3_22; q_2_23 = q_3_23; q_2_24 = q_3_24; q_2_25 = q_3_25; q_2_26 = q_3_26;
    q_2_27 = q_3_27; q_2_28 = q_3_28; q_2_29 = q_3_29; q_2_30 = q_3_30; q_2_31 = q_3_31;
    scales_2 = scales_3;
    rows_2_1_0 = rows_3_1_0; rows_2_1_1 = rows_3_1_1; rows_2_1_2 = rows_3_1_2;
    rows_2_1_3 = rows_3_1_3; rows_2_1_4 = rows_3_1_4; rows_2_1_5 = rows_3_1_5;
    rows_2_1_6 = rows_3_1_6; rows_2_1_7 = rows_3_1_7; rows_2_1_8 = rows_3_1_8;
    rows_2_1_9 = rows_3_1_9; rows_2_1_10 = rows_3_1_10; rows_2_1_11 = rows_3_1_11;
    rows_2_1_12 = rows_3_1_12; rows_2_1_13 = rows_3_1_13; rows_2_1_14 = rows_3_1_14;
    rows_2_1_15 = rows_3_1_15;
  } else {
    q_2_0 = 0u; q_2_1 = 0u; q_2_2 = 0u; q_2_3 = 0u; q_2_4 = 0u; q_2_5 = 0u; q_2_6 = 0u; q_2_7 = 0u;
    q_2_8 = 0u; q_2_9 = 0u; q_2_10 = 0u; q_2_11 = 0u; q_2_12 = 0u; q_2_13 = 0u; q_2_14 = 0u;
    q_2_15 = 0u; q_2_16 = 0u; q_2_17 = 0u; q_2_18 = 0u; q_2_19 = 0u; q_2_20 = 0u; q_2_21 = 0u;
    q_2_22 = 0u; q_2_23 = 0u; q_2_24 = 0u; q_2_25 = 0u; q_2_26 = 0u; q_2_27 = 0u; q_2_28 = 0u;
    q_2_29 = 0u; q_2_30 = 0u; q_2_31 = 0u;
    scales_2 = 0u;
    rows_2_1_0 = 0u; rows_2_1_1 = 0u; rows_2_1_2 = 0u; rows_2_1_3 = 0u; rows_2_1_4 = 0u;
    rows_2_1_5 = 0u; rows_2_1_6 = 0u; rows_2_1_7 = 0u; rows_2_1_8 = 0u; rows_2_1_9 = 0u;
    rows_2_1_10 = 0u; rows_2_1_11 = 0u; rows_2_1_12 = 0u; rows_2_1_13 = 0u; rows_2_1_14 = 0u;
    rows_2_1_15 = 0u;
  }
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f;
  var scales_4: u32 = scales;
  var scales_5: u32 = scales_2;
  let s_in_2: bool = t_BN < left;
  let rows_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 64;
  let t40_shared_at: i32 = (thread & 1) * 32 + (thread >> 1u) * 68;
  let rows_shared_at_1: i32 = ((thread >> 3u) & 3) * 64;
  let t40_shared_at_1: i32 = (thread & 7) * 136 + (thread >> 5u) * 1088;
  let k_end = t;
  for (var k: i32 = 0; k < k_end; k++) {
    let k_1: i32 = k + 2;
    let more_2: bool = k_1 < t;
    var q_4_0: u32; var q_4_1: u32; var q_4_2: u32; var q_4_3: u32; var q_4_4: u32; var q_4_5: u32;
    var q_4_6: u32; var q_4_7: u32; var q_4_8: u32; var q_4_9: u32; var q_4_10: u32;
    var q_4_11: u32; var q_4_12: u32; var q_4_13: u32; var q_4_14: u32; var q_4_15: u32;
    var q_4_16: u32; var q_4_17: u32; var q_4_18: u32; var q_4_19: u32; var q_4_20: u32;
    var q_4_21: u32; var q_4_22: u32; var q_4_23: u32; var q_4_24: u32; var q_4_25: u32;
    var q_4_26: u32; var q_4_27: u32; var q_4_28: u32; var q_4_29: u32; var q_4_30: u32;
    var q_4_31: u32;
    var scales_6: u32;
    var rows_4_1_0: u32; var rows_4_1_1: u32; var rows_4_1_2: u32; var rows_4_1_3: u32;
    var rows_4_1_4: u32; var rows_4_1_5: u32; var rows_4_1_6: u32; var rows_4_1_7: u32;
    var rows_4_1_8: u32; var rows_4_1_9: u32; var rows_4_1_10: u32; var rows_4_1_11: u32;
    var rows_4_1_12: u32; var rows_4_1_13: u32; var rows_4_1_14: u32; var rows_4_1_15: u32;
    if (more_2) {
      let t_3: i32 = k_1 * 64;
      let w_at_3: i32 = w_at + ((t_1 >> 5u) * t + (t_3 >> 6u)) * 2048;
      var q_5_0: u32; var q_5_1: u32; var q_5_2: u32; var q_5_3: u32; var q_5_4: u32;
      var q_5_5: u32; var q_5_6: u32; var q_5_7: u32; var q_5_8: u32; var q_5_9: u32;
      var q_5_10: u32; var q_5_11: u32; var q_5_12: u32; var q_5_13: u32; var q_5_14: u32;
      var q_5_15: u32; var q_5_16: u32; var q_5_17: u32; var q_5_18: u32; var q_5_19: u32;
      var q_5_20: u32; var q_5_21: u32; var q_5_22: u32; var q_5_23: u32; var q_5_24: u32;
      var q_5_25: u32; var q_5_26: u32; var q_5_27: u32; var q_5_28: u32; var q_5_29: u32;
      var q_5_30: u32; var q_5_31: u32;
      let q_5_in = (t_1 < launch.N) & (t_3 < launch.K);
      let q_5_word = select(vec4<u32>(0u), w[select(0, w_at_3 >> 5u, q_5_in)], q_5_in);
      q_5_0 = extractBits(q_5_word.x, 0u, 4u); q_5_1 = extractBits(q_5_word.x, 4u, 4u);
      q_5_2 = extractBits(q_5_word.x, 8u, 4u); q_5_3 = extractBits(q_5_word.x, 12u, 4u);
      q_5_4 = extractBits(q_5_word.x, 16u, 4u); q_5_5 = extractBits(q_5_word.x, 20u, 4u);
      q_5_6 = extractBits(q_5_word.x, 24u, 4u); q_5_7 = extractBits(q_5_word.x, 28u, 4u);
      q_5_8 = extractBits(q_5_word.y, 0u, 4u); q_5_9 = extractBits(q_5_word.y, 4u, 4u);
      q_5_10 = extractBits(q_5_word.y, 8u, 4u); q_5_11 = extractBits(q_5_word.y, 12u, 4u);
      q_5_12 = extractBits(q_5_word.y, 16u, 4u); q_5_13 = extractBits(q_5_word.y, 20u, 4u);
      q_5_14 = extractBits(q_5_word.y, 24u, 4u); q_5_15 = extractBits(q_5_word.y, 28u, 4u);
      q_5_16 = extractBits(q_5_word.z, 0u, 4u); q_5_17 = extractBits(q_5_word.z, 4u, 4u);
      q_5_18 = extractBits(q_5_word.z, 8u, 4u); q_5_19 = extractBits(q_5_word.z, 12u, 4u);
      q_5_20 = extractBits(q_5_word.z, 16u, 4u); q_5_21 = extractBits(q_5_word.z, 20u, 4u);
      q_5_22 = extractBits(q_5_word.z, 24u, 4u); q_5_23 = extractBits(q_5_word.z, 28u, 4u);
      q_5_24 = extractBits(q_5_word.w, 0u, 4u); q_5_25 = extractBits(q_5_word.w, 4u, 4u);
      q_5_26 = extractBits(q_5_word.w, 8u, 4u); q_5_27 = extractBits(q_5_word.w, 12u, 4u);
      q_5_28 = extractBits(q_5_word.w, 16u, 4u); q_5_29 = extractBits(q_5_word.w, 20u, 4u);
      q_5_30 = extractBits(q_5_word.w, 24u, 4u); q_5_31 = extractBits(q_5_word.w, 28u, 4u);
      let t_4: i32 = k_1 * 2;
      let left_4: i32 = launch.KG - t_4;
      let s_at_2: i32 = s_at_1 + t_4;
      let s_in_3: bool = s_in_2 & (t_GB < left_4);
      var scales_7: u32;
      let scales_7_word = select(0u, s[select(0, s_at_2 >> 1u, s_in_3)], s_in_3) >> ((u32(s_at_2) & 1u) * 16u);
      scales_7 = scales_7_word & 0xffffu;
      let left_5: i32 = launch.K - t_3;
      let x_at_2: i32 = x_at_1 + t_3;
      let x_in_2: bool = t_BK < left_5;
      var rows_5_1_0: u32; var rows_5_1_1: u32; var rows_5_1_2: u32; var rows_5_1_3: u32;
      var rows_5_1_4: u32; var rows_5_1_5: u32; var rows_5_1_6: u32; var rows_5_1_7: u32;
      var rows_5_1_8: u32; var rows_5_1_9: u32; var rows_5_1_10: u32; var rows_5_1_11: u32;
      var rows_5_1_12: u32; var rows_5_1_13: u32; var rows_5_1_14: u32; var rows_5_1_15: u32;
      let rows_5_in = x_in_2 & (t_BM < left_1);
      let rows_5_word = select(vec4<u32>(0u), x[select(0, x_at_2 >> 3u, rows_5_in)], rows_5_in);
      rows_5_1_0 = rows_5_word.x & 0xffffu; rows_5_1_1 = rows_5_word.x >> 16u;
      rows_5_1_2 = rows_5_word.y & 0xffffu; rows_5_1_3 = rows_5_word.y >> 16u;
      rows_5_1_4 = rows_5_word.z & 0xffffu; rows_5_1_5 = rows_5_word.z >> 16u;
      rows_5_1_6 = rows_5_word.w & 0xffffu; rows_5_1_7 = rows_5_word.w >> 16u;
      let rows_5_in_1 = x_in_2 & (t_BM + 8 < left_1);
      let rows_5_word_1 = select(
          vec4<u32>(0u), x[select(0, (x_at_2 + launch.K * 8) >> 3u, rows_5_in_1)], rows_5_in_1);
      rows_5_1_8 = rows_5_word_1.x & 0xffffu; rows_5_1_9 = rows_5_word_1.x >> 16u;
      rows_5_1_10 = rows_5_word_1.y & 0xffffu; rows_5_1_11 = rows_5_word_1.y >> 16u;
      rows_5_1_12 = rows_5_word_1.z & 0xffffu; rows_5_1_13 = rows_5_word_1.z >> 16u;
      rows_5_1_14 = rows_5_word_1.w & 0xffffu; rows_5_1_15 = rows_5_word_1.w >> 16u;
      q_4_0 = q_5_0; q_4_1 = q_5_1; q_4_2 = q_5_2; q_4_3 = q_5_3; q_4_4 = q_5_4; q_4_5 = q_5_5;
      q_4_6 = q_5_6; q_4_7 = q_5_7; q_4_8 = q_5_8; q_4_9 = q_5_9; q_4_10 = q_5_10; q_4_11 = q_5_11;
      q_4_12 = q_5_12; q_4_13 = q_5_13; q_4_14 = q_5_14; q_4_15 = q_5_15; q_4_16 = q_5_16;
      q_4_17 = q_5_17; q_4_18 = q_5_18; q_4_19 = q_5_19; q_4_20 = q_5_20; q_4_21 = q_5_21;
      q_4_22 = q_5_22; q_4_23 = q_5_23; q_4_24 = q_5_24; q_4_25 = q_5_25; q_4_26 = q_5_26;
      q_4_27 = q_5_27; q_4_28 = q_5_28; q_4_29 = q_5_29; q_4_30 = q_5_30; q_4_31 = q_5_31;
      scales_6 = scales_7;
      rows_4_1_0 = rows_5_1_0; rows_4_1_1 = rows_5_1_1; rows_4_1_2 = rows_5_1_2;
      rows_4_1_3 = rows_5_1_3; rows_4_1_4 = rows_5_1_4; rows_4_1_5 = rows_5_1_5;
      rows_4_1_6 = rows_5_1_6; rows_4_1_7 = rows_5_1_7; rows_4_1_8 = rows_5_1_8;
      rows_4_1_9 = rows_5_1_9; rows_4_1_10 = rows_5_1_10; rows_4_1_11 = rows_5_1_11;
      rows_4_1_12 = rows_5_1_12; rows_4_1_13 = rows_5_1_13; rows_4_1_14 = rows_5_1_14;
      rows_4_1_15 = rows_5_1_15;
    } else {
      q_4_0 = 0u; q_4_1 = 0u; q_4_2 = 0u; q_4_3 = 0u; q_4_4 = 0u; q_4_5 = 0u; q_4_6 = 0u;
      q_4_7 = 0u; q_4_8 = 0u; q_4_9 = 0u; q_4_10 = 0u; q_4_11 = 0u; q_4_12 = 0u; q_4_13 = 0u;
      q_4_14 = 0u; q_4_15 = 0u; q_4_16 = 0u; q_4_17 = 0u; q_4_18 = 0u; q_4_19 = 0u; q_4_20 = 0u;
      q_4_21 = 0u; q_4_22 = 0u; q_4_23 = 0u; q_4_24 = 0u; q_4_25 = 0u; q_4_26 = 0u; q_4_27 = 0u;
      q_4_28 = 0u; q_4_29 = 0u; q_4_30 = 0u; q_4_31 = 0u;
      scales_6 = 0u;
      rows_4_1_0 = 0u; rows_4_1_1 = 0u; rows_4_1_2 = 0u; rows_4_1_3 = 0u; rows_4_1_4 = 0u;
      rows_4_1_5 = 0u; rows_4_1_6 = 0u; rows_4_1_7 = 0u; rows_4_1_8 = 0u; rows_4_1_9 = 0u;
      rows_4_1_10 = 0u; rows_4_1_11 = 0u; rows_4_1_12 = 0u; rows_4_1_13 = 0u; rows_4_1_14 = 0u;
      rows_4_1_15 = 0u;
    }
    let t_5: f32 = tw_f16_to_f32(scales_4);
    workgroupBarrier();
    var rows_6_1_0: f32; var rows_6_1_1: f32; var rows_6_1_2: f32; var rows_6_1_3: f32;
    rows_6_1_0 = tw_f16_to_f32(rows_0); rows_6_1_1 = tw_f16_to_f32(rows_1);
    rows_6_1_2 = tw_f16_to_f32(rows_2); rows_6_1_3 = tw_f16_to_f32(rows_3);
    rows_shared[rows_shared_at >> 2u] = vec4<f32>(rows_6_1_0, rows_6_1_1, rows_6_1_2, rows_6_1_3);
    var rows_7_1_0: f32; var rows_7_1_1: f32; var rows_7_1_2: f32; var rows_7_1_3: f32;
    rows_7_1_0 = tw_f16_to_f32(rows_4); rows_7_1_1 = tw_f16_to_f32(rows_5);
    rows_7_1_2 = tw_f16_to_f32(rows_6); rows_7_1_3 = tw_f16_to_f32(rows_7);
    rows_shared[(rows_shared_at + 4) >> 2u] = vec4<f32>(rows_7_1_0, rows_7_1_1, rows_7_1_2, rows_7_1_3);
    var rows_8_1_0: f32; var rows_8_1_1: f32; var rows_8_1_2: f32; var rows_8_1_3: f32;
    rows_8_1_0 = tw_f16_to_f32(rows_8); rows_8_1_1 = tw_f16_to_f32(rows_9);
    rows_8_1_2 = tw_f16_to_f32(rows_10); rows_8_1_3 = tw_f16_to_f32(rows_11);
    rows_shared[(rows_shared_at + 512) >> 2u] = vec4<f32>(rows_8_1_0, rows_8_1_1, rows_8_1_2, rows_8_1_3);
    var rows_9_1_0: f32; var rows_9_1_1: f32; var rows_9_1_2: f32; var rows_9_1_3: f32;
    rows_9_1_0 = tw_f16_to_f32(rows_12); rows_9_1_1 = tw_f16_to_f32(rows_13);
    rows_9_1_2 = tw_f16_to_f32(rows_14); rows_9_1_3 = tw_f16_to_f32(rows_15);
    rows_shared[(rows_shared_at + 516) >> 2u] = vec4<f32>(rows_9_1_0, rows_9_1_1, rows_9_1_2, rows_9_1_3);
    for (var r: i32 = 0; r < 8; r++) {
      var t40_shared_tile_0: f32; var t40_shared_tile_1: f32; var t40_shared_tile_2: f32;
      var t40_shared_tile_3: f32;
      t40_shared_tile_0 = tw_f16_to_f32(tw_f32_to_f16((f32(q[r * 4]) - 4.0f) * t_5));
      t40_shared_tile_1 = tw_f16_to_f32(tw_f32_to_f16((f32(q[r * 4 + 1]) - 4.0f) * t_5));
      t40_shared_tile_2 = tw_f16_to_f32(tw_f32_to_f16((f32(q[r * 4 + 2]) - 4.0f) * t_5));
      t40_shared_tile_3 = tw_f16_to_f32(tw_f32_to_f16((f32(q[r * 4 + 3]) - 4.0f) * t_5));
      t40_shared[(t40_shared_at + r * 4) >> 2u] = vec4<f32>(
          t40_shared_tile_0, t40_shared_tile_1, t40_shared_tile_2, t40_shared_tile_3);
    }
    workgroupBarrier();
    for (var r: i32 = 0; r < 16; r++) {
      var rows_shared_1_0: f32; var rows_shared_1_1: f32; var rows_shared_1_2: f32;
      var rows_shared_1_3: f32; var rows_shared_1_4: f32; var rows_shared_1_5: f32;
      var rows_shared_1_6: f32; var rows_shared_1_7: f32; var rows_shared_1_8: f32;
      var rows_shared_1_9: f32; var rows_shared_1_10: f32; var rows_shared_1_11: f32;
      var rows_shared_1_12: f32; var rows_shared_1_13: f32; var rows_shared_1_14: f32;
      var rows_shared_1_15: f32;
      var t40_shared_1_0: f32; var t40_shared_1_1: f32; var t40_shared_1_2: f32;
      var t40_shared_1_3: f32; var t40_shared_1_4: f32; var t40_shared_1_5: f32;
      var t40_shared_1_6: f32; var t40_shared_1_7: f32;
      let rows_shared_1_word = rows_shared[(rows_shared_at_1 + r * 4) >> 2u];
      rows_shared_1_0 = rows_shared_1_word.x; rows_shared_1_1 = rows_shared_1_word.y;
      rows_shared_1_2 = rows_shared_1_word.z; rows_shared_1_3 = rows_shared_1_word.w;
      let rows_shared_1_word_1 = rows_shared[(rows_shared_at_1 + 256 + r * 4) >> 2u];
      rows_shared_1_4 = rows_shared_1_word_1.x; rows_shared_1_5 = rows_shared_1_word_1.y;
      rows_shared_1_6 = rows_shared_1_word_1.z; rows_shared_1_7 = rows_shared_1_word_1.w;
      let rows_shared_1_word_2 = rows_shared[(rows_shared_at_1 + 512 + r * 4) >> 2u];
      rows_shared_1_8 = rows_shared_1_word_2.x; rows_shared_1_9 = rows_shared_1_word_2.y;
      rows_shared_1_10 = rows_shared_1_word_2.z; rows_shared_1_11 = rows_shared_1_word_2.w;
      let rows_shared_1_word_3 = rows_shared[(rows_shared_at_1 + 768 + r * 4) >> 2u];
      rows_shared_1_12 = rows_shared_1_word_3.x; rows_shared_1_13 = rows_shared_1_word_3.y;
      rows_shared_1_14 = rows_shared_1_word_3.z; rows_shared_1_15 = rows_shared_1_word_3.w;
      let t40_shared_1_word = t40_shared[(t40_shared_at_1 + r * 4) >> 2u];
      t40_shared_1_0 = t40_shared_1_word.x; t40_shared_1_1 = t40_shared_1_word.y;
      t40_shared_1_2 = t40_shared_1_word.z; t40_shared_1_3 = t40_shared_1_word.w;
      let t40_shared_1_word_1 = t40_shared[(t40_shared_at_1 + 68 + r * 4) >> 2u];
      t40_shared_1_4 = t40_shared_1_word_1.x; t40_shared_1_5 = t40_shared_1_word_1.y;
      t40_shared_1_6 = t40_shared_1_word_1.z; t40_shared_1_7 = t40_shared_1_word_1.w;
      acc_0 = fma(rows_shared_1_0, t40_shared_1_0, acc_0);
      acc_1 = fma(rows_shared_1_0, t40_shared_1_4, acc_1);
      acc_2 = fma(rows_shared_1_4, t40_shared_1_0, acc_2);
      acc_3 = fma(rows_shared_1_4, t40_shared_1_4, acc_3);
      acc_4 = fma(rows_shared_1_8, t40_shared_1_0, acc_4);
      acc_5 = fma(rows_shared_1_8, t40_shared_1_4, acc_5);
      acc_6 = fma(rows_shared_1_12, t40_shared_1_0, acc_6);
      acc_7 = fma(rows_shared_1_12, t40_shared_1_4, acc_7);
      acc_0 = fma(rows_shared_1_1, t40_shared_1_1, acc_0);
      acc_1 = fma(rows_shared_1_1, t40_shared_1_5, acc_1);
      acc_2 = fma(rows_shared_1_5, t40_shared_1_1, acc_2);
      acc_3 = fma(rows_shared_1_5, t40_shared_1_5, acc_3);
      acc_4 = fma(rows_shared_1_9, t40_shared_1_1, acc_4);
      acc_5 = fma(rows_shared_1_9, t40_shared_1_5, acc_5);
      acc_6 = fma(rows_shared_1_13, t40_shared_1_1, acc_6);
      acc_7 = fma(rows_shared_1_13, t40_shared_1_5, acc_7);
      acc_0 = fma(rows_shared_1_2, t40_shared_1_2, acc_0);
      acc_1 = fma(rows_shared_1_2, t40_shared_1_6, acc_1);
      acc_2 = fma(rows_shared_1_6, t40_shared_1_2, acc_2);
      acc_3 = fma(rows_shared_1_6, t40_shared_1_6, acc_3);
      acc_4 = fma(rows_shared_1_10, t40_shared_1_2, acc_4);
      acc_5 = fma(rows_shared_1_10, t40_shared_1_6, acc_5);
      acc_6 = fma(rows_shared_1_14, t40_shared_1_2, acc_6);
      acc_7 = fma(rows_shared_1_14, t40_shared_1_6, acc_7);
      acc_0 = fma(rows_shared_1_3, t40_shared_1_3, acc_0);
      acc_1 = fma(rows_shared_1_3, t40_shared_1_7, acc_1);
      acc_2 = fma(rows_shared_1_7, t40_shared_1_3, acc_2);
      acc_3 = fma(rows_shared_1_7, t40_shared_1_7, acc_3);
      acc_4 = fma(rows_shared_1_11, t40_shared_1_3, acc_4);
      acc_5 = fma(rows_shared_1_11, t40_shared_1_7, acc_5);
      acc_6 = fma(rows_shared_1_15, t40_shared_1_3, acc_6);
      acc_7 = fma(rows_shared_1_15, t40_shared_1_7, acc_7);
    }
    q[0] = q_2_0; q[1] = q_2_1; q[2] = q_2_2; q[3] = q_2_3; q[4] = q_2_4; q[5] = q_2_5;
    q[6] = q_2_6; q[7] = q_2_7; q[8] = q_2_8; q[9] = q_2_9; q[10] = q_2_10; q[11] = q_2_11;
    q[12] = q_2_12; q[13] = q_2_13; q[14] = q_2_14; q[15] = q_2_15; q[16] = q_2_16; q[17] = q_2_17;
    q[18] = q_2_18; q[19] = q_2_19; q[20] = q_2_20; q[21] = q_2_21; q[22] = q_2_22; q[23] = q_2_23;
    q[24] = q_2_24; q[25] = q_2_25; q[26] = q_2_26; q[27] = q_2_27; q[28] = q_2_28; q[29] = q_2_29;
    q[30] = q_2_30; q[31] = q_2_31;
    scales_4 = scales_5;
    rows_0 = rows_2_1_0; rows_1 = rows_2_1_1; rows_2 = rows_2_1_2; rows_3 = rows_2_1_3;
    rows_4 = rows_2_1_4; rows_5 = rows_2_1_5; rows_6 = rows_2_1_6; rows_7 = rows_2_1_7;
    rows_8 = rows_2_1_8; rows_9 = rows_2_1_9; rows_10 = rows_2_1_10; rows_11 = rows_2_1_11;
    rows_12 = rows_2_1_12; rows_13 = rows_2_1_13; rows_14 = rows_2_1_14; rows_15 = rows_2_1_15;
    q_2_0 = q_4_0; q_2_1 = q_4_1; q_2_2 = q_4_2; q_2_3 = q_4_3; q_2_4 = q_4_4; q_2_5 = q_4_5;
    q_2_6 = q_4_6; q_2_7 = q_4_7; q_2_8 = q_4_8; q_2_9 = q_4_9; q_2_10 = q_4_10; q_2_11 = q_4_11;
    q_2_12 = q_4_12; q_2_13 = q_4_13; q_2_14 = q_4_14; q_2_15 = q_4_15; q_2_16 = q_4_16;
    q_2_17 = q_4_17; q_2_18 = q_4_18; q_2_19 = q_4_19; q_2_20 = q_4_20; q_2_21 = q_4_21;
    q_2_22 = q_4_22; q_2_23 = q_4_23; q_2_24 = q_4_24; q_2_25 = q_4_25; q_2_26 = q_4_26;
    q_2_27 = q_4_27; q_2_28 = q_4_28; q_2_29 = q_4_29; q_2_30 = q_4_30; q_2_31 = q_4_31;
    scales_5 = scales_6;
    rows_2_1_0 = rows_4_1_0; rows_2_1_1 = rows_4_1_1; rows_2_1_2 = rows_4_1_2;
    rows_2_1_3 = rows_4_1_3; rows_2_1_4 = rows_4_1_4; rows_2_1_5 = rows_4_1_5;
    rows_2_1_6 = rows_4_1_6; rows_2_1_7 = rows_4_1_7; rows_2_1_8 = rows_4_1_8;
    rows_2_1_9 = rows_4_1_9; rows_2_1_10 = rows_4_1_10; rows_2_1_11 = rows_4_1_11;
    rows_2_1_12 = rows_4_1_12; rows_2_1_13 = rows_4_1_13; rows_2_1_14 = rows_4_1_14;
    rows_2_1_15 = rows_4_1_15;
  }
  let t_BM_1: i32 = (thread >> 3u) & 3;
  let t_BN_1: i32 = (thread >> 5u) * 16 + (thread & 7) * 2;
  let y_at: i32 = t_BM_1 * launch.N + t_BN_1;
  let y_at_1: i32 = t_2 * launch.N + t_1 + y_at;
  let y_in: bool = t_BN_1 < left;
  if (y_in & (t_BM_1 < left_1)) {
    y[y_at_1 >> 1u] = vec2<f32>(acc_0, acc_1);
  }
  if (y_in & (t_BM_1 + 4 < left_1)) {
    y[(y_at_1 + launch.N * 4) >> 1u] = vec2<f32>(acc_2, acc_3);
  }
  if (y_in & (t_BM_1 + 8 < left_1)) {
    y[(y_at_1 + launch.N * 8) >> 1u] = vec2<f32>(acc_4, acc_5);
  }
  if (y_in & (t_BM_1 + 12 < left_1)) {
    y[(y_at_1 + launch.N * 12) >> 1u] = vec2<f32>(acc_6, acc_7);
  }
}
