// linear_w4_zeros for wgsl, made by tilewright
// dtypes: T=bf16 S=bf16 O=bf16
// config: BM=16 BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=3
// dims divisible: M%2 N%8
// 64 threads, 21504 bytes of shared memory
//       0 … 17392: plain_shared f32[4348]
//   17408 … 21504: t47_shared f32[1024]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  N: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> scale: array<u32>;
@group(0) @binding(3) var<storage, read> zero: array<u32>;
@group(0) @binding(4) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(6) var<uniform> launch: TwLaunch;
var<workgroup> plain_shared: array<vec4<f32>, 1087>;
var<workgroup> t47_shared: array<vec4<f32>, 256>;

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
fn linear_w4_zeros(
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
  let t_2: i32 = min(((launch.M + 15) >> 4u) - t_1, 8);
  let t_3: i32 = tw_floormod_i32(pid0, t);
  let t_4: i32 = (t_1 + tw_floormod_i32(t_3, t_2)) * 16;
  let t_5: i32 = tw_floordiv_i32(t_3, t_2) * 64;
  let more: bool = true;
  var codes: array<u32, 64>;
  var t_6: u32;
  var zero_1: u32;
  var t_7_0: u32; var t_7_1: u32; var t_7_2: u32; var t_7_3: u32; var t_7_4: u32; var t_7_5: u32;
  var t_7_6: u32; var t_7_7: u32; var t_7_8: u32; var t_7_9: u32; var t_7_10: u32; var t_7_11: u32;
  var t_7_12: u32; var t_7_13: u32; var t_7_14: u32; var t_7_15: u32;
  let w_at: i32 = thread * 32;
  let position: i32 = t_5 + thread;
  let scale_in: bool = u32(position) < u32(launch.N);
  let t_BM: i32 = thread >> 3u;
  let t_BK: i32 = (thread & 7) * 8;
  let x_at: i32 = t_BM * 192 + t_BK;
  let x_at_1: i32 = t_4 * 192 + x_at;
  let position_1: i32 = t_4 + t_BM;
  if (more) {
    let w_at_1: i32 = (t_5 >> 6u) * 12288 + w_at;
    var codes_1_0: u32; var codes_1_1: u32; var codes_1_2: u32; var codes_1_3: u32;
    var codes_1_4: u32; var codes_1_5: u32; var codes_1_6: u32; var codes_1_7: u32;
    var codes_1_8: u32; var codes_1_9: u32; var codes_1_10: u32; var codes_1_11: u32;
    var codes_1_12: u32; var codes_1_13: u32; var codes_1_14: u32; var codes_1_15: u32;
    var codes_1_16: u32; var codes_1_17: u32; var codes_1_18: u32; var codes_1_19: u32;
    var codes_1_20: u32; var codes_1_21: u32; var codes_1_22: u32; var codes_1_23: u32;
    var codes_1_24: u32; var codes_1_25: u32; var codes_1_26: u32; var codes_1_27: u32;
    var codes_1_28: u32; var codes_1_29: u32; var codes_1_30: u32; var codes_1_31: u32;
    var codes_1_32: u32; var codes_1_33: u32; var codes_1_34: u32; var codes_1_35: u32;
    var codes_1_36: u32; var codes_1_37: u32; var codes_1_38: u32; var codes_1_39: u32;
    var codes_1_40: u32; var codes_1_41: u32; var codes_1_42: u32; var codes_1_43: u32;
    var codes_1_44: u32; var codes_1_45: u32; var codes_1_46: u32; var codes_1_47: u32;
    var codes_1_48: u32; var codes_1_49: u32; var codes_1_50: u32; var codes_1_51: u32;
    var codes_1_52: u32; var codes_1_53: u32; var codes_1_54: u32; var codes_1_55: u32;
    var codes_1_56: u32; var codes_1_57: u32; var codes_1_58: u32; var codes_1_59: u32;
    var codes_1_60: u32; var codes_1_61: u32; var codes_1_62: u32; var codes_1_63: u32;
    let codes_1_in = u32(t_5) < u32(launch.N);
    let codes_1_word = select(vec4<u32>(0u), w[select(0, w_at_1 >> 5u, codes_1_in)], codes_1_in);
    codes_1_0 = extractBits(codes_1_word.x, 0u, 4u);
    codes_1_1 = extractBits(codes_1_word.x, 4u, 4u);
    codes_1_2 = extractBits(codes_1_word.x, 8u, 4u);
    codes_1_3 = extractBits(codes_1_word.x, 12u, 4u);
    codes_1_4 = extractBits(codes_1_word.x, 16u, 4u);
    codes_1_5 = extractBits(codes_1_word.x, 20u, 4u);
    codes_1_6 = extractBits(codes_1_word.x, 24u, 4u);
    codes_1_7 = extractBits(codes_1_word.x, 28u, 4u);
    codes_1_8 = extractBits(codes_1_word.y, 0u, 4u);
    codes_1_9 = extractBits(codes_1_word.y, 4u, 4u);
    codes_1_10 = extractBits(codes_1_word.y, 8u, 4u);
    codes_1_11 = extractBits(codes_1_word.y, 12u, 4u);
    codes_1_12 = extractBits(codes_1_word.y, 16u, 4u);
    codes_1_13 = extractBits(codes_1_word.y, 20u, 4u);
    codes_1_14 = extractBits(codes_1_word.y, 24u, 4u);
    codes_1_15 = extractBits(codes_1_word.y, 28u, 4u);
    codes_1_16 = extractBits(codes_1_word.z, 0u, 4u);
    codes_1_17 = extractBits(codes_1_word.z, 4u, 4u);
    codes_1_18 = extractBits(codes_1_word.z, 8u, 4u);
    codes_1_19 = extractBits(codes_1_word.z, 12u, 4u);
    codes_1_20 = extractBits(codes_1_word.z, 16u, 4u);
    codes_1_21 = extractBits(codes_1_word.z, 20u, 4u);
    codes_1_22 = extractBits(codes_1_word.z, 24u, 4u);
    codes_1_23 = extractBits(codes_1_word.z, 28u, 4u);
    codes_1_24 = extractBits(codes_1_word.w, 0u, 4u);
    codes_1_25 = extractBits(codes_1_word.w, 4u, 4u);
    codes_1_26 = extractBits(codes_1_word.w, 8u, 4u);
    codes_1_27 = extractBits(codes_1_word.w, 12u, 4u);
    codes_1_28 = extractBits(codes_1_word.w, 16u, 4u);
    codes_1_29 = extractBits(codes_1_word.w, 20u, 4u);
    codes_1_30 = extractBits(codes_1_word.w, 24u, 4u);
    codes_1_31 = extractBits(codes_1_word.w, 28u, 4u);
    let codes_1_in_1 = u32(t_5) < u32(launch.N);
    let codes_1_word_1 = select(
        vec4<u32>(0u), w[select(0, (w_at_1 + 2048) >> 5u, codes_1_in_1)], codes_1_in_1);
    codes_1_32 = extractBits(codes_1_word_1.x, 0u, 4u);
    codes_1_33 = extractBits(codes_1_word_1.x, 4u, 4u);
    codes_1_34 = extractBits(codes_1_word_1.x, 8u, 4u);
    codes_1_35 = extractBits(codes_1_word_1.x, 12u, 4u);
    codes_1_36 = extractBits(codes_1_word_1.x, 16u, 4u);
    codes_1_37 = extractBits(codes_1_word_1.x, 20u, 4u);
    codes_1_38 = extractBits(codes_1_word_1.x, 24u, 4u);
    codes_1_39 = extractBits(codes_1_word_1.x, 28u, 4u);
    codes_1_40 = extractBits(codes_1_word_1.y, 0u, 4u);
    codes_1_41 = extractBits(codes_1_word_1.y, 4u, 4u);
    codes_1_42 = extractBits(codes_1_word_1.y, 8u, 4u);
    codes_1_43 = extractBits(codes_1_word_1.y, 12u, 4u);
    codes_1_44 = extractBits(codes_1_word_1.y, 16u, 4u);
    codes_1_45 = extractBits(codes_1_word_1.y, 20u, 4u);
    codes_1_46 = extractBits(codes_1_word_1.y, 24u, 4u);
    codes_1_47 = extractBits(codes_1_word_1.y, 28u, 4u);
    codes_1_48 = extractBits(codes_1_word_1.z, 0u, 4u);
    codes_1_49 = extractBits(codes_1_word_1.z, 4u, 4u);
    codes_1_50 = extractBits(codes_1_word_1.z, 8u, 4u);
    codes_1_51 = extractBits(codes_1_word_1.z, 12u, 4u);
    codes_1_52 = extractBits(codes_1_word_1.z, 16u, 4u);
    codes_1_53 = extractBits(codes_1_word_1.z, 20u, 4u);
    codes_1_54 = extractBits(codes_1_word_1.z, 24u, 4u);
    codes_1_55 = extractBits(codes_1_word_1.z, 28u, 4u);
    codes_1_56 = extractBits(codes_1_word_1.w, 0u, 4u);
    codes_1_57 = extractBits(codes_1_word_1.w, 4u, 4u);
    codes_1_58 = extractBits(codes_1_word_1.w, 8u, 4u);
    codes_1_59 = extractBits(codes_1_word_1.w, 12u, 4u);
    codes_1_60 = extractBits(codes_1_word_1.w, 16u, 4u);
    codes_1_61 = extractBits(codes_1_word_1.w, 20u, 4u);
    codes_1_62 = extractBits(codes_1_word_1.w, 24u, 4u);
    codes_1_63 = extractBits(codes_1_word_1.w, 28u, 4u);
    let at: i32 = 0;
    let scale_at: i32 = t_5 + thread + at * launch.N;
    var scale_tile: u32;
    let scale_tile_word = select(
        0u, scale[select(0, scale_at >> 1u, scale_in)], scale_in) >> ((u32(scale_at) & 1u) * 16u);
    scale_tile = scale_tile_word & 0xffffu;
    var zero_2: u32;
    let zero_2_word = select(
        0u, zero[select(0, scale_at >> 3u, scale_in)], scale_in) >> ((u32(scale_at) & 7u) * 4u);
    zero_2 = extractBits(zero_2_word, 0u, 4u);
    var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
    var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32; var x_tile_8: u32; var x_tile_9: u32;
    var x_tile_10: u32; var x_tile_11: u32; var x_tile_12: u32; var x_tile_13: u32;
    var x_tile_14: u32; var x_tile_15: u32;
    let x_tile_in = u32(position_1) < u32(launch.M);
    let x_tile_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 3u, x_tile_in)], x_tile_in);
    x_tile_0 = x_tile_word.x & 0xffffu; x_tile_1 = x_tile_word.x >> 16u;
    x_tile_2 = x_tile_word.y & 0xffffu; x_tile_3 = x_tile_word.y >> 16u;
    x_tile_4 = x_tile_word.z & 0xffffu; x_tile_5 = x_tile_word.z >> 16u;
    x_tile_6 = x_tile_word.w & 0xffffu; x_tile_7 = x_tile_word.w >> 16u;
    let x_tile_in_1 = u32(position_1 + 8) < u32(launch.M);
    let x_tile_word_1 = select(
        vec4<u32>(0u), x[select(0, (x_at_1 + 1536) >> 3u, x_tile_in_1)], x_tile_in_1);
    x_tile_8 = x_tile_word_1.x & 0xffffu; x_tile_9 = x_tile_word_1.x >> 16u;
    x_tile_10 = x_tile_word_1.y & 0xffffu; x_tile_11 = x_tile_word_1.y >> 16u;
    x_tile_12 = x_tile_word_1.z & 0xffffu; x_tile_13 = x_tile_word_1.z >> 16u;
    x_tile_14 = x_tile_word_1.w & 0xffffu; x_tile_15 = x_tile_word_1.w >> 16u;
    codes[0] = codes_1_0; codes[1] = codes_1_1; codes[2] = codes_1_2; codes[3] = codes_1_3;
    codes[4] = codes_1_4; codes[5] = codes_1_5; codes[6] = codes_1_6; codes[7] = codes_1_7;
    codes[8] = codes_1_8; codes[9] = codes_1_9; codes[10] = codes_1_10; codes[11] = codes_1_11;
    codes[12] = codes_1_12; codes[13] = codes_1_13; codes[14] = codes_1_14; codes[15] = codes_1_15;
    codes[16] = codes_1_16; codes[17] = codes_1_17; codes[18] = codes_1_18; codes[19] = codes_1_19;
    codes[20] = codes_1_20; codes[21] = codes_1_21; codes[22] = codes_1_22; codes[23] = codes_1_23;
    codes[24] = codes_1_24; codes[25] = codes_1_25; codes[26] = codes_1_26; codes[27] = codes_1_27;
    codes[28] = codes_1_28; codes[29] = codes_1_29; codes[30] = codes_1_30; codes[31] = codes_1_31;
    codes[32] = codes_1_32; codes[33] = codes_1_33; codes[34] = codes_1_34; codes[35] = codes_1_35;
    codes[36] = codes_1_36; codes[37] = codes_1_37; codes[38] = codes_1_38; codes[39] = codes_1_39;
    codes[40] = codes_1_40; codes[41] = codes_1_41; codes[42] = codes_1_42; codes[43] = codes_1_43;
    codes[44] = codes_1_44; codes[45] = codes_1_45; codes[46] = codes_1_46; codes[47] = codes_1_47;
    codes[48] = codes_1_48; codes[49] = codes_1_49; codes[50] = codes_1_50; codes[51] = codes_1_51;
    codes[52] = codes_1_52; codes[53] = codes_1_53; codes[54] = codes_1_54; codes[55] = codes_1_55;
    codes[56] = codes_1_56; codes[57] = codes_1_57; codes[58] = codes_1_58; codes[59] = codes_1_59;
    codes[60] = codes_1_60; codes[61] = codes_1_61; codes[62] = codes_1_62; codes[63] = codes_1_63;
    t_6 = scale_tile;
    zero_1 = zero_2;
    t_7_0 = x_tile_0; t_7_1 = x_tile_1; t_7_2 = x_tile_2; t_7_3 = x_tile_3; t_7_4 = x_tile_4;
    t_7_5 = x_tile_5; t_7_6 = x_tile_6; t_7_7 = x_tile_7; t_7_8 = x_tile_8; t_7_9 = x_tile_9;
    t_7_10 = x_tile_10; t_7_11 = x_tile_11; t_7_12 = x_tile_12; t_7_13 = x_tile_13;
    t_7_14 = x_tile_14; t_7_15 = x_tile_15;
  } else {
    codes[0] = 0u; codes[1] = 0u; codes[2] = 0u; codes[3] = 0u; codes[4] = 0u; codes[5] = 0u;
    codes[6] = 0u; codes[7] = 0u; codes[8] = 0u; codes[9] = 0u; codes[10] = 0u; codes[11] = 0u;
    codes[12] = 0u; codes[13] = 0u; codes[14] = 0u; codes[15] = 0u; codes[16] = 0u; codes[17] = 0u;
    codes[18] = 0u; codes[19] = 0u; codes[20] = 0u; codes[21] = 0u; codes[22] = 0u; codes[23] = 0u;
    codes[24] = 0u; codes[25] = 0u; codes[26] = 0u; codes[27] = 0u; codes[28] = 0u; codes[29] = 0u;
    codes[30] = 0u; codes[31] = 0u; codes[32] = 0u; codes[33] = 0u; codes[34] = 0u; codes[35] = 0u;
    codes[36] = 0u; codes[37] = 0u; codes[38] = 0u; codes[39] = 0u; codes[40] = 0u; codes[41] = 0u;
    codes[42] = 0u; codes[43] = 0u; codes[44] = 0u; codes[45] = 0u; codes[46] = 0u; codes[47] = 0u;
    codes[48] = 0u; codes[49] = 0u; codes[50] = 0u; codes[51] = 0u; codes[52] = 0u; codes[53] = 0u;
    codes[54] = 0u; codes[55] = 0u; codes[56] = 0u; codes[57] = 0u; codes[58] = 0u; codes[59] = 0u;
    codes[60] = 0u; codes[61] = 0u; codes[62] = 0u; codes[63] = 0u;
    t_6 = 0u;
    zero_1 = 0u;
    t_7_0 = 0u; t_7_1 = 0u; t_7_2 = 0u; t_7_3 = 0u; t_7_4 = 0u; t_7_5 = 0u; t_7_6 = 0u; t_7_7 = 0u;
    t_7_8 = 0u; t_7_9 = 0u; t_7_10 = 0u; t_7_11 = 0u; t_7_12 = 0u; t_7_13 = 0u; t_7_14 = 0u;
    t_7_15 = 0u;
  }
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
  var t_8: u32 = t_6;
  var zero_3: u32 = zero_1;
  let t47_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 64;
  let plain_shared_at: i32 = thread * 68;
  let t47_shared_at_1: i32 = ((thread >> 3u) & 3) * 64;
  let plain_shared_at_1: i32 = (thread & 7) * 272 + (thread >> 5u) * 2176;
  for (var k: i32 = 0; k < 192; k += 64) {
    let k_1: i32 = k + 64;
    let more_1: bool = k_1 < 192;
    var codes_2_0: u32; var codes_2_1: u32; var codes_2_2: u32; var codes_2_3: u32;
    var codes_2_4: u32; var codes_2_5: u32; var codes_2_6: u32; var codes_2_7: u32;
    var codes_2_8: u32; var codes_2_9: u32; var codes_2_10: u32; var codes_2_11: u32;
    var codes_2_12: u32; var codes_2_13: u32; var codes_2_14: u32; var codes_2_15: u32;
    var codes_2_16: u32; var codes_2_17: u32; var codes_2_18: u32; var codes_2_19: u32;
    var codes_2_20: u32; var codes_2_21: u32; var codes_2_22: u32; var codes_2_23: u32;
    var codes_2_24: u32; var codes_2_25: u32; var codes_2_26: u32; var codes_2_27: u32;
    var codes_2_28: u32; var codes_2_29: u32; var codes_2_30: u32; var codes_2_31: u32;
    var codes_2_32: u32; var codes_2_33: u32; var codes_2_34: u32; var codes_2_35: u32;
    var codes_2_36: u32; var codes_2_37: u32; var codes_2_38: u32; var codes_2_39: u32;
    var codes_2_40: u32; var codes_2_41: u32; var codes_2_42: u32; var codes_2_43: u32;
    var codes_2_44: u32; var codes_2_45: u32; var codes_2_46: u32; var codes_2_47: u32;
    var codes_2_48: u32; var codes_2_49: u32; var codes_2_50: u32; var codes_2_51: u32;
    var codes_2_52: u32; var codes_2_53: u32; var codes_2_54: u32; var codes_2_55: u32;
    var codes_2_56: u32; var codes_2_57: u32; var codes_2_58: u32; var codes_2_59: u32;
    var codes_2_60: u32; var codes_2_61: u32; var codes_2_62: u32; var codes_2_63: u32;
    var t_9: u32;
    var zero_4: u32;
    var t_10_0: u32; var t_10_1: u32; var t_10_2: u32; var t_10_3: u32; var t_10_4: u32;
    var t_10_5: u32; var t_10_6: u32; var t_10_7: u32; var t_10_8: u32; var t_10_9: u32;
    var t_10_10: u32; var t_10_11: u32; var t_10_12: u32; var t_10_13: u32; var t_10_14: u32;
    var t_10_15: u32;
    if (more_1) {
      let w_at_2: i32 = w_at + ((t_5 >> 6u) * 6 + (k_1 >> 5u)) * 2048;
      var codes_3_0: u32; var codes_3_1: u32; var codes_3_2: u32; var codes_3_3: u32;
      var codes_3_4: u32; var codes_3_5: u32; var codes_3_6: u32; var codes_3_7: u32;
      var codes_3_8: u32; var codes_3_9: u32; var codes_3_10: u32; var codes_3_11: u32;
      var codes_3_12: u32; var codes_3_13: u32; var codes_3_14: u32; var codes_3_15: u32;
      var codes_3_16: u32; var codes_3_17: u32; var codes_3_18: u32; var codes_3_19: u32;
      var codes_3_20: u32; var codes_3_21: u32; var codes_3_22: u32; var codes_3_23: u32;
      var codes_3_24: u32; var codes_3_25: u32; var codes_3_26: u32; var codes_3_27: u32;
      var codes_3_28: u32; var codes_3_29: u32; var codes_3_30: u32; var codes_3_31: u32;
      var codes_3_32: u32; var codes_3_33: u32; var codes_3_34: u32; var codes_3_35: u32;
      var codes_3_36: u32; var codes_3_37: u32; var codes_3_38: u32; var codes_3_39: u32;
      var codes_3_40: u32; var codes_3_41: u32; var codes_3_42: u32; var codes_3_43: u32;
      var codes_3_44: u32; var codes_3_45: u32; var codes_3_46: u32; var codes_3_47: u32;
      var codes_3_48: u32; var codes_3_49: u32; var codes_3_50: u32; var codes_3_51: u32;
      var codes_3_52: u32; var codes_3_53: u32; var codes_3_54: u32; var codes_3_55: u32;
      var codes_3_56: u32; var codes_3_57: u32; var codes_3_58: u32; var codes_3_59: u32;
      var codes_3_60: u32; var codes_3_61: u32; var codes_3_62: u32; var codes_3_63: u32;
      let codes_3_in = (u32(t_5) < u32(launch.N)) & (k_1 < 192);
      let codes_3_word = select(vec4<u32>(0u), w[select(0, w_at_2 >> 5u, codes_3_in)], codes_3_in);
      codes_3_0 = extractBits(codes_3_word.x, 0u, 4u);
      codes_3_1 = extractBits(codes_3_word.x, 4u, 4u);
      codes_3_2 = extractBits(codes_3_word.x, 8u, 4u);
      codes_3_3 = extractBits(codes_3_word.x, 12u, 4u);
      codes_3_4 = extractBits(codes_3_word.x, 16u, 4u);
      codes_3_5 = extractBits(codes_3_word.x, 20u, 4u);
      codes_3_6 = extractBits(codes_3_word.x, 24u, 4u);
      codes_3_7 = extractBits(codes_3_word.x, 28u, 4u);
      codes_3_8 = extractBits(codes_3_word.y, 0u, 4u);
      codes_3_9 = extractBits(codes_3_word.y, 4u, 4u);
      codes_3_10 = extractBits(codes_3_word.y, 8u, 4u);
      codes_3_11 = extractBits(codes_3_word.y, 12u, 4u);
      codes_3_12 = extractBits(codes_3_word.y, 16u, 4u);
      codes_3_13 = extractBits(codes_3_word.y, 20u, 4u);
      codes_3_14 = extractBits(codes_3_word.y, 24u, 4u);
      codes_3_15 = extractBits(codes_3_word.y, 28u, 4u);
      codes_3_16 = extractBits(codes_3_word.z, 0u, 4u);
      codes_3_17 = extractBits(codes_3_word.z, 4u, 4u);
      codes_3_18 = extractBits(codes_3_word.z, 8u, 4u);
      codes_3_19 = extractBits(codes_3_word.z, 12u, 4u);
      codes_3_20 = extractBits(codes_3_word.z, 16u, 4u);
      codes_3_21 = extractBits(codes_3_word.z, 20u, 4u);
      codes_3_22 = extractBits(codes_3_word.z, 24u, 4u);
      codes_3_23 = extractBits(codes_3_word.z, 28u, 4u);
      codes_3_24 = extractBits(codes_3_word.w, 0u, 4u);
      codes_3_25 = extractBits(codes_3_word.w, 4u, 4u);
      codes_3_26 = extractBits(codes_3_word.w, 8u, 4u);
      codes_3_27 = extractBits(codes_3_word.w, 12u, 4u);
      codes_3_28 = extractBits(codes_3_word.w, 16u, 4u);
      codes_3_29 = extractBits(codes_3_word.w, 20u, 4u);
      codes_3_30 = extractBits(codes_3_word.w, 24u, 4u);
      codes_3_31 = extractBits(codes_3_word.w, 28u, 4u);
      let codes_3_in_1 = (u32(t_5) < u32(launch.N)) & (k_1 + 32 < 192);
      let codes_3_word_1 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + 2048) >> 5u, codes_3_in_1)], codes_3_in_1);
      codes_3_32 = extractBits(codes_3_word_1.x, 0u, 4u);
      codes_3_33 = extractBits(codes_3_word_1.x, 4u, 4u);
      codes_3_34 = extractBits(codes_3_word_1.x, 8u, 4u);
      codes_3_35 = extractBits(codes_3_word_1.x, 12u, 4u);
      codes_3_36 = extractBits(codes_3_word_1.x, 16u, 4u);
      codes_3_37 = extractBits(codes_3_word_1.x, 20u, 4u);
      codes_3_38 = extractBits(codes_3_word_1.x, 24u, 4u);
      codes_3_39 = extractBits(codes_3_word_1.x, 28u, 4u);
      codes_3_40 = extractBits(codes_3_word_1.y, 0u, 4u);
      codes_3_41 = extractBits(codes_3_word_1.y, 4u, 4u);
      codes_3_42 = extractBits(codes_3_word_1.y, 8u, 4u);
      codes_3_43 = extractBits(codes_3_word_1.y, 12u, 4u);
      codes_3_44 = extractBits(codes_3_word_1.y, 16u, 4u);
      codes_3_45 = extractBits(codes_3_word_1.y, 20u, 4u);
      codes_3_46 = extractBits(codes_3_word_1.y, 24u, 4u);
      codes_3_47 = extractBits(codes_3_word_1.y, 28u, 4u);
      codes_3_48 = extractBits(codes_3_word_1.z, 0u, 4u);
      codes_3_49 = extractBits(codes_3_word_1.z, 4u, 4u);
      codes_3_50 = extractBits(codes_3_word_1.z, 8u, 4u);
      codes_3_51 = extractBits(codes_3_word_1.z, 12u, 4u);
      codes_3_52 = extractBits(codes_3_word_1.z, 16u, 4u);
      codes_3_53 = extractBits(codes_3_word_1.z, 20u, 4u);
      codes_3_54 = extractBits(codes_3_word_1.z, 24u, 4u);
      codes_3_55 = extractBits(codes_3_word_1.z, 28u, 4u);
      codes_3_56 = extractBits(codes_3_word_1.w, 0u, 4u);
      codes_3_57 = extractBits(codes_3_word_1.w, 4u, 4u);
      codes_3_58 = extractBits(codes_3_word_1.w, 8u, 4u);
      codes_3_59 = extractBits(codes_3_word_1.w, 12u, 4u);
      codes_3_60 = extractBits(codes_3_word_1.w, 16u, 4u);
      codes_3_61 = extractBits(codes_3_word_1.w, 20u, 4u);
      codes_3_62 = extractBits(codes_3_word_1.w, 24u, 4u);
      codes_3_63 = extractBits(codes_3_word_1.w, 28u, 4u);
      let at_1: i32 = k_1 >> 6u;
      let scale_at_1: i32 = position + at_1 * launch.N;
      let scale_in_1: bool = scale_in & (at_1 < 3);
      var scale_tile_1: u32;
      let scale_tile_1_word = select(
          0u, scale[select(0, scale_at_1 >> 1u, scale_in_1)], scale_in_1) >> ((u32(scale_at_1) & 1u) * 16u);
      scale_tile_1 = scale_tile_1_word & 0xffffu;
      var zero_5: u32;
      let zero_5_word = select(
          0u, zero[select(0, scale_at_1 >> 3u, scale_in_1)], scale_in_1) >> ((u32(scale_at_1) & 7u) * 4u);
      zero_5 = extractBits(zero_5_word, 0u, 4u);
      let left: i32 = 192 - k_1;
      let x_at_2: i32 = x_at_1 + k_1;
      let x_in: bool = t_BK < left;
      var x_tile_1_0: u32; var x_tile_1_1: u32; var x_tile_1_2: u32; var x_tile_1_3: u32;
      var x_tile_1_4: u32; var x_tile_1_5: u32; var x_tile_1_6: u32; var x_tile_1_7: u32;
      var x_tile_1_8: u32; var x_tile_1_9: u32; var x_tile_1_10: u32; var x_tile_1_11: u32;
      var x_tile_1_12: u32; var x_tile_1_13: u32; var x_tile_1_14: u32; var x_tile_1_15: u32;
      let x_tile_1_in = x_in & (u32(position_1) < u32(launch.M));
      let x_tile_1_word = select(
          vec4<u32>(0u), x[select(0, x_at_2 >> 3u, x_tile_1_in)], x_tile_1_in);
      x_tile_1_0 = x_tile_1_word.x & 0xffffu; x_tile_1_1 = x_tile_1_word.x >> 16u;
      x_tile_1_2 = x_tile_1_word.y & 0xffffu; x_tile_1_3 = x_tile_1_word.y >> 16u;
      x_tile_1_4 = x_tile_1_word.z & 0xffffu; x_tile_1_5 = x_tile_1_word.z >> 16u;
      x_tile_1_6 = x_tile_1_word.w & 0xffffu; x_tile_1_7 = x_tile_1_word.w >> 16u;
      let x_tile_1_in_1 = x_in & (u32(position_1 + 8) < u32(launch.M));
      let x_tile_1_word_1 = select(
          vec4<u32>(0u), x[select(0, (x_at_2 + 1536) >> 3u, x_tile_1_in_1)], x_tile_1_in_1);
      x_tile_1_8 = x_tile_1_word_1.x & 0xffffu; x_tile_1_9 = x_tile_1_word_1.x >> 16u;
      x_tile_1_10 = x_tile_1_word_1.y & 0xffffu; x_tile_1_11 = x_tile_1_word_1.y >> 16u;
      x_tile_1_12 = x_tile_1_word_1.z & 0xffffu; x_tile_1_13 = x_tile_1_word_1.z >> 16u;
      x_tile_1_14 = x_tile_1_word_1.w & 0xffffu; x_tile_1_15 = x_tile_1_word_1.w >> 16u;
      codes_2_0 = codes_3_0; codes_2_1 = codes_3_1; codes_2_2 = codes_3_2; codes_2_3 = codes_3_3;
      codes_2_4 = codes_3_4; codes_2_5 = codes_3_5; codes_2_6 = codes_3_6; codes_2_7 = codes_3_7;
      codes_2_8 = codes_3_8; codes_2_9 = codes_3_9; codes_2_10 = codes_3_10;
      codes_2_11 = codes_3_11; codes_2_12 = codes_3_12; codes_2_13 = codes_3_13;
      codes_2_14 = codes_3_14; codes_2_15 = codes_3_15; codes_2_16 = codes_3_16;
      codes_2_17 = codes_3_17; codes_2_18 = codes_3_18; codes_2_19 = codes_3_19;
      codes_2_20 = codes_3_20; codes_2_21 = codes_3_21; codes_2_22 = codes_3_22;
      codes_2_23 = codes_3_23; codes_2_24 = codes_3_24; codes_2_25 = codes_3_25;
      codes_2_26 = codes_3_26; codes_2_27 = codes_3_27; codes_2_28 = codes_3_28;
      codes_2_29 = codes_3_29; codes_2_30 = codes_3_30; codes_2_31 = codes_3_31;
      codes_2_32 = codes_3_32; codes_2_33 = codes_3_33; codes_2_34 = codes_3_34;
      codes_2_35 = codes_3_35; codes_2_36 = codes_3_36; codes_2_37 = codes_3_37;
      codes_2_38 = codes_3_38; codes_2_39 = codes_3_39; codes_2_40 = codes_3_40;
      codes_2_41 = codes_3_41; codes_2_42 = codes_3_42; codes_2_43 = codes_3_43;
      codes_2_44 = codes_3_44; codes_2_45 = codes_3_45; codes_2_46 = codes_3_46;
      codes_2_47 = codes_3_47; codes_2_48 = codes_3_48; codes_2_49 = codes_3_49;
      codes_2_50 = codes_3_50; codes_2_51 = codes_3_51; codes_2_52 = codes_3_52;
      codes_2_53 = codes_3_53; codes_2_54 = codes_3_54; codes_2_55 = codes_3_55;
      codes_2_56 = codes_3_56; codes_2_57 = codes_3_57; codes_2_58 = codes_3_58;
      codes_2_59 = codes_3_59; codes_2_60 = codes_3_60; codes_2_61 = codes_3_61;
      codes_2_62 = codes_3_62; codes_2_63 = codes_3_63;
      t_9 = scale_tile_1;
      zero_4 = zero_5;
      t_10_0 = x_tile_1_0; t_10_1 = x_tile_1_1; t_10_2 = x_tile_1_2; t_10_3 = x_tile_1_3;
      t_10_4 = x_tile_1_4; t_10_5 = x_tile_1_5; t_10_6 = x_tile_1_6; t_10_7 = x_tile_1_7;
      t_10_8 = x_tile_1_8; t_10_9 = x_tile_1_9; t_10_10 = x_tile_1_10; t_10_11 = x_tile_1_11;
      t_10_12 = x_tile_1_12; t_10_13 = x_tile_1_13; t_10_14 = x_tile_1_14; t_10_15 = x_tile_1_15;
    } else {
      codes_2_0 = 0u; codes_2_1 = 0u; codes_2_2 = 0u; codes_2_3 = 0u; codes_2_4 = 0u;
      codes_2_5 = 0u; codes_2_6 = 0u; codes_2_7 = 0u; codes_2_8 = 0u; codes_2_9 = 0u;
      codes_2_10 = 0u; codes_2_11 = 0u; codes_2_12 = 0u; codes_2_13 = 0u; codes_2_14 = 0u;
      codes_2_15 = 0u; codes_2_16 = 0u; codes_2_17 = 0u; codes_2_18 = 0u; codes_2_19 = 0u;
      codes_2_20 = 0u; codes_2_21 = 0u; codes_2_22 = 0u; codes_2_23 = 0u; codes_2_24 = 0u;
      codes_2_25 = 0u; codes_2_26 = 0u; codes_2_27 = 0u; codes_2_28 = 0u; codes_2_29 = 0u;
      codes_2_30 = 0u; codes_2_31 = 0u; codes_2_32 = 0u; codes_2_33 = 0u; codes_2_34 = 0u;
      codes_2_35 = 0u; codes_2_36 = 0u; codes_2_37 = 0u; codes_2_38 = 0u; codes_2_39 = 0u;
      codes_2_40 = 0u; codes_2_41 = 0u; codes_2_42 = 0u; codes_2_43 = 0u; codes_2_44 = 0u;
      codes_2_45 = 0u; codes_2_46 = 0u; codes_2_47 = 0u; codes_2_48 = 0u; codes_2_49 = 0u;
      codes_2_50 = 0u; codes_2_51 = 0u; codes_2_52 = 0u; codes_2_53 = 0u; codes_2_54 = 0u;
      codes_2_55 = 0u; codes_2_56 = 0u; codes_2_57 = 0u; codes_2_58 = 0u; codes_2_59 = 0u;
      codes_2_60 = 0u; codes_2_61 = 0u; codes_2_62 = 0u; codes_2_63 = 0u;
      t_9 = 0u;
      zero_4 = 0u;
      t_10_0 = 0u; t_10_1 = 0u; t_10_2 = 0u; t_10_3 = 0u; t_10_4 = 0u; t_10_5 = 0u; t_10_6 = 0u;
      t_10_7 = 0u; t_10_8 = 0u; t_10_9 = 0u; t_10_10 = 0u; t_10_11 = 0u; t_10_12 = 0u; t_10_13 = 0u;
      t_10_14 = 0u; t_10_15 = 0u;
    }
    let t_11: f32 = f32(zero_3);
    let t_12: f32 = tw_bf16_to_f32(t_8);
    workgroupBarrier();
    var t47_shared_tile_0: f32; var t47_shared_tile_1: f32; var t47_shared_tile_2: f32;
    var t47_shared_tile_3: f32;
    t47_shared_tile_0 = tw_bf16_to_f32(t_7_0); t47_shared_tile_1 = tw_bf16_to_f32(t_7_1);
    t47_shared_tile_2 = tw_bf16_to_f32(t_7_2); t47_shared_tile_3 = tw_bf16_to_f32(t_7_3);
    t47_shared[t47_shared_at >> 2u] = vec4<f32>(
        t47_shared_tile_0, t47_shared_tile_1, t47_shared_tile_2, t47_shared_tile_3);
    var t47_shared_tile_1_1_0: f32; var t47_shared_tile_1_1_1: f32; var t47_shared_tile_1_1_2: f32;
    var t47_shared_tile_1_1_3: f32;
    t47_shared_tile_1_1_0 = tw_bf16_to_f32(t_7_4); t47_shared_tile_1_1_1 = tw_bf16_to_f32(t_7_5);
    t47_shared_tile_1_1_2 = tw_bf16_to_f32(t_7_6); t47_shared_tile_1_1_3 = tw_bf16_to_f32(t_7_7);
    t47_shared[(t47_shared_at + 4) >> 2u] = vec4<f32>(
        t47_shared_tile_1_1_0, t47_shared_tile_1_1_1, t47_shared_tile_1_1_2, t47_shared_tile_1_1_3);
    var t47_shared_tile_2_1_0: f32; var t47_shared_tile_2_1_1: f32; var t47_shared_tile_2_1_2: f32;
    var t47_shared_tile_2_1_3: f32;
    t47_shared_tile_2_1_0 = tw_bf16_to_f32(t_7_8); t47_shared_tile_2_1_1 = tw_bf16_to_f32(t_7_9);
    t47_shared_tile_2_1_2 = tw_bf16_to_f32(t_7_10); t47_shared_tile_2_1_3 = tw_bf16_to_f32(t_7_11);
    t47_shared[(t47_shared_at + 512) >> 2u] = vec4<f32>(
        t47_shared_tile_2_1_0, t47_shared_tile_2_1_1, t47_shared_tile_2_1_2, t47_shared_tile_2_1_3);
    var t47_shared_tile_3_1_0: f32; var t47_shared_tile_3_1_1: f32; var t47_shared_tile_3_1_2: f32;
    var t47_shared_tile_3_1_3: f32;
    t47_shared_tile_3_1_0 = tw_bf16_to_f32(t_7_12); t47_shared_tile_3_1_1 = tw_bf16_to_f32(t_7_13);
    t47_shared_tile_3_1_2 = tw_bf16_to_f32(t_7_14); t47_shared_tile_3_1_3 = tw_bf16_to_f32(t_7_15);
    t47_shared[(t47_shared_at + 516) >> 2u] = vec4<f32>(
        t47_shared_tile_3_1_0, t47_shared_tile_3_1_1, t47_shared_tile_3_1_2, t47_shared_tile_3_1_3);
    for (var r: i32 = 0; r < 16; r++) {
      var plain_0: f32; var plain_1: f32; var plain_2: f32; var plain_3: f32;
      plain_0 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes[r * 4]) - t_11) * t_12));
      plain_1 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes[r * 4 + 1]) - t_11) * t_12));
      plain_2 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes[r * 4 + 2]) - t_11) * t_12));
      plain_3 = tw_bf16_to_f32(tw_f32_to_bf16((f32(codes[r * 4 + 3]) - t_11) * t_12));
      plain_shared[(plain_shared_at + r * 4) >> 2u] = vec4<f32>(plain_0, plain_1, plain_2, plain_3);
    }
    workgroupBarrier();
    for (var r: i32 = 0; r < 16; r++) {
      var t47_shared_1_0: f32; var t47_shared_1_1: f32; var t47_shared_1_2: f32;
      var t47_shared_1_3: f32; var t47_shared_1_4: f32; var t47_shared_1_5: f32;
      var t47_shared_1_6: f32; var t47_shared_1_7: f32; var t47_shared_1_8: f32;
      var t47_shared_1_9: f32; var t47_shared_1_10: f32; var t47_shared_1_11: f32;
      var t47_shared_1_12: f32; var t47_shared_1_13: f32; var t47_shared_1_14: f32;
      var t47_shared_1_15: f32;
      var plain_shared_1_0: f32; var plain_shared_1_1: f32; var plain_shared_1_2: f32;
      var plain_shared_1_3: f32; var plain_shared_1_4: f32; var plain_shared_1_5: f32;
      var plain_shared_1_6: f32; var plain_shared_1_7: f32; var plain_shared_1_8: f32;
      var plain_shared_1_9: f32; var plain_shared_1_10: f32; var plain_shared_1_11: f32;
      var plain_shared_1_12: f32; var plain_shared_1_13: f32; var plain_shared_1_14: f32;
      var plain_shared_1_15: f32;
      let t47_shared_1_word = t47_shared[(t47_shared_at_1 + r * 4) >> 2u];
      t47_shared_1_0 = t47_shared_1_word.x; t47_shared_1_1 = t47_shared_1_word.y;
      t47_shared_1_2 = t47_shared_1_word.z; t47_shared_1_3 = t47_shared_1_word.w;
      let t47_shared_1_word_1 = t47_shared[(t47_shared_at_1 + 256 + r * 4) >> 2u];
      t47_shared_1_4 = t47_shared_1_word_1.x; t47_shared_1_5 = t47_shared_1_word_1.y;
      t47_shared_1_6 = t47_shared_1_word_1.z; t47_shared_1_7 = t47_shared_1_word_1.w;
      let t47_shared_1_word_2 = t47_shared[(t47_shared_at_1 + 512 + r * 4) >> 2u];
      t47_shared_1_8 = t47_shared_1_word_2.x; t47_shared_1_9 = t47_shared_1_word_2.y;
      t47_shared_1_10 = t47_shared_1_word_2.z; t47_shared_1_11 = t47_shared_1_word_2.w;
      let t47_shared_1_word_3 = t47_shared[(t47_shared_at_1 + 768 + r * 4) >> 2u];
      t47_shared_1_12 = t47_shared_1_word_3.x; t47_shared_1_13 = t47_shared_1_word_3.y;
      t47_shared_1_14 = t47_shared_1_word_3.z; t47_shared_1_15 = t47_shared_1_word_3.w;
      let plain_shared_1_word = plain_shared[(plain_shared_at_1 + r * 4) >> 2u];
      plain_shared_1_0 = plain_shared_1_word.x; plain_shared_1_1 = plain_shared_1_word.y;
      plain_shared_1_2 = plain_shared_1_word.z; plain_shared_1_3 = plain_shared_1_word.w;
      let plain_shared_1_word_1 = plain_shared[(plain_shared_at_1 + 68 + r * 4) >> 2u];
      plain_shared_1_4 = plain_shared_1_word_1.x; plain_shared_1_5 = plain_shared_1_word_1.y;
      plain_shared_1_6 = plain_shared_1_word_1.z; plain_shared_1_7 = plain_shared_1_word_1.w;
      let plain_shared_1_word_2 = plain_shared[(plain_shared_at_1 + 136 + r * 4) >> 2u];
      plain_shared_1_8 = plain_shared_1_word_2.x; plain_shared_1_9 = plain_shared_1_word_2.y;
      plain_shared_1_10 = plain_shared_1_word_2.z; plain_shared_1_11 = plain_shared_1_word_2.w;
      let plain_shared_1_word_3 = plain_shared[(plain_shared_at_1 + 204 + r * 4) >> 2u];
      plain_shared_1_12 = plain_shared_1_word_3.x; plain_shared_1_13 = plain_shared_1_word_3.y;
      plain_shared_1_14 = plain_shared_1_word_3.z; plain_shared_1_15 = plain_shared_1_word_3.w;
      acc_0 = fma(t47_shared_1_0, plain_shared_1_0, acc_0);
      acc_1 = fma(t47_shared_1_0, plain_shared_1_4, acc_1);
      acc_2 = fma(t47_shared_1_0, plain_shared_1_8, acc_2);
      acc_3 = fma(t47_shared_1_0, plain_shared_1_12, acc_3);
      acc_4 = fma(t47_shared_1_4, plain_shared_1_0, acc_4);
      acc_5 = fma(t47_shared_1_4, plain_shared_1_4, acc_5);
      acc_6 = fma(t47_shared_1_4, plain_shared_1_8, acc_6);
      acc_7 = fma(t47_shared_1_4, plain_shared_1_12, acc_7);
      acc_8 = fma(t47_shared_1_8, plain_shared_1_0, acc_8);
      acc_9 = fma(t47_shared_1_8, plain_shared_1_4, acc_9);
      acc_10 = fma(t47_shared_1_8, plain_shared_1_8, acc_10);
      acc_11 = fma(t47_shared_1_8, plain_shared_1_12, acc_11);
      acc_12 = fma(t47_shared_1_12, plain_shared_1_0, acc_12);
      acc_13 = fma(t47_shared_1_12, plain_shared_1_4, acc_13);
      acc_14 = fma(t47_shared_1_12, plain_shared_1_8, acc_14);
      acc_15 = fma(t47_shared_1_12, plain_shared_1_12, acc_15);
      acc_0 = fma(t47_shared_1_1, plain_shared_1_1, acc_0);
      acc_1 = fma(t47_shared_1_1, plain_shared_1_5, acc_1);
      acc_2 = fma(t47_shared_1_1, plain_shared_1_9, acc_2);
      acc_3 = fma(t47_shared_1_1, plain_shared_1_13, acc_3);
      acc_4 = fma(t47_shared_1_5, plain_shared_1_1, acc_4);
      acc_5 = fma(t47_shared_1_5, plain_shared_1_5, acc_5);
      acc_6 = fma(t47_shared_1_5, plain_shared_1_9, acc_6);
      acc_7 = fma(t47_shared_1_5, plain_shared_1_13, acc_7);
      acc_8 = fma(t47_shared_1_9, plain_shared_1_1, acc_8);
      acc_9 = fma(t47_shared_1_9, plain_shared_1_5, acc_9);
      acc_10 = fma(t47_shared_1_9, plain_shared_1_9, acc_10);
      acc_11 = fma(t47_shared_1_9, plain_shared_1_13, acc_11);
      acc_12 = fma(t47_shared_1_13, plain_shared_1_1, acc_12);
      acc_13 = fma(t47_shared_1_13, plain_shared_1_5, acc_13);
      acc_14 = fma(t47_shared_1_13, plain_shared_1_9, acc_14);
      acc_15 = fma(t47_shared_1_13, plain_shared_1_13, acc_15);
      acc_0 = fma(t47_shared_1_2, plain_shared_1_2, acc_0);
      acc_1 = fma(t47_shared_1_2, plain_shared_1_6, acc_1);
      acc_2 = fma(t47_shared_1_2, plain_shared_1_10, acc_2);
      acc_3 = fma(t47_shared_1_2, plain_shared_1_14, acc_3);
      acc_4 = fma(t47_shared_1_6, plain_shared_1_2, acc_4);
      acc_5 = fma(t47_shared_1_6, plain_shared_1_6, acc_5);
      acc_6 = fma(t47_shared_1_6, plain_shared_1_10, acc_6);
      acc_7 = fma(t47_shared_1_6, plain_shared_1_14, acc_7);
      acc_8 = fma(t47_shared_1_10, plain_shared_1_2, acc_8);
      acc_9 = fma(t47_shared_1_10, plain_shared_1_6, acc_9);
      acc_10 = fma(t47_shared_1_10, plain_shared_1_10, acc_10);
      acc_11 = fma(t47_shared_1_10, plain_shared_1_14, acc_11);
      acc_12 = fma(t47_shared_1_14, plain_shared_1_2, acc_12);
      acc_13 = fma(t47_shared_1_14, plain_shared_1_6, acc_13);
      acc_14 = fma(t47_shared_1_14, plain_shared_1_10, acc_14);
      acc_15 = fma(t47_shared_1_14, plain_shared_1_14, acc_15);
      acc_0 = fma(t47_shared_1_3, plain_shared_1_3, acc_0);
      acc_1 = fma(t47_shared_1_3, plain_shared_1_7, acc_1);
      acc_2 = fma(t47_shared_1_3, plain_shared_1_11, acc_2);
      acc_3 = fma(t47_shared_1_3, plain_shared_1_15, acc_3);
      acc_4 = fma(t47_shared_1_7, plain_shared_1_3, acc_4);
      acc_5 = fma(t47_shared_1_7, plain_shared_1_7, acc_5);
      acc_6 = fma(t47_shared_1_7, plain_shared_1_11, acc_6);
      acc_7 = fma(t47_shared_1_7, plain_shared_1_15, acc_7);
      acc_8 = fma(t47_shared_1_11, plain_shared_1_3, acc_8);
      acc_9 = fma(t47_shared_1_11, plain_shared_1_7, acc_9);
      acc_10 = fma(t47_shared_1_11, plain_shared_1_11, acc_10);
      acc_11 = fma(t47_shared_1_11, plain_shared_1_15, acc_11);
      acc_12 = fma(t47_shared_1_15, plain_shared_1_3, acc_12);
      acc_13 = fma(t47_shared_1_15, plain_shared_1_7, acc_13);
      acc_14 = fma(t47_shared_1_15, plain_shared_1_11, acc_14);
      acc_15 = fma(t47_shared_1_15, plain_shared_1_15, acc_15);
    }
    codes[0] = codes_2_0; codes[1] = codes_2_1; codes[2] = codes_2_2; codes[3] = codes_2_3;
    codes[4] = codes_2_4; codes[5] = codes_2_5; codes[6] = codes_2_6; codes[7] = codes_2_7;
    codes[8] = codes_2_8; codes[9] = codes_2_9; codes[10] = codes_2_10; codes[11] = codes_2_11;
    codes[12] = codes_2_12; codes[13] = codes_2_13; codes[14] = codes_2_14; codes[15] = codes_2_15;
    codes[16] = codes_2_16; codes[17] = codes_2_17; codes[18] = codes_2_18; codes[19] = codes_2_19;
    codes[20] = codes_2_20; codes[21] = codes_2_21; codes[22] = codes_2_22; codes[23] = codes_2_23;
    codes[24] = codes_2_24; codes[25] = codes_2_25; codes[26] = codes_2_26; codes[27] = codes_2_27;
    codes[28] = codes_2_28; codes[29] = codes_2_29; codes[30] = codes_2_30; codes[31] = codes_2_31;
    codes[32] = codes_2_32; codes[33] = codes_2_33; codes[34] = codes_2_34; codes[35] = codes_2_35;
    codes[36] = codes_2_36; codes[37] = codes_2_37; codes[38] = codes_2_38; codes[39] = codes_2_39;
    codes[40] = codes_2_40; codes[41] = codes_2_41; codes[42] = codes_2_42; codes[43] = codes_2_43;
    codes[44] = codes_2_44; codes[45] = codes_2_45; codes[46] = codes_2_46; codes[47] = codes_2_47;
    codes[48] = codes_2_48; codes[49] = codes_2_49; codes[50] = codes_2_50; codes[51] = codes_2_51;
    codes[52] = codes_2_52; codes[53] = codes_2_53; codes[54] = codes_2_54; codes[55] = codes_2_55;
    codes[56] = codes_2_56; codes[57] = codes_2_57; codes[58] = codes_2_58; codes[59] = codes_2_59;
    codes[60] = codes_2_60; codes[61] = codes_2_61; codes[62] = codes_2_62; codes[63] = codes_2_63;
    t_8 = t_9;
    zero_3 = zero_4;
    t_7_0 = t_10_0; t_7_1 = t_10_1; t_7_2 = t_10_2; t_7_3 = t_10_3; t_7_4 = t_10_4; t_7_5 = t_10_5;
    t_7_6 = t_10_6; t_7_7 = t_10_7; t_7_8 = t_10_8; t_7_9 = t_10_9; t_7_10 = t_10_10;
    t_7_11 = t_10_11; t_7_12 = t_10_12; t_7_13 = t_10_13; t_7_14 = t_10_14; t_7_15 = t_10_15;
  }
  let t_BN: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
  let position_2: i32 = t_5 + t_BN;
  let bias_in: bool = u32(position_2) < u32(launch.N);
  var bias_tile_0: f32; var bias_tile_1: f32; var bias_tile_2: f32; var bias_tile_3: f32;
  let bias_tile_word = select(vec4<f32>(0.0f), bias[select(0, position_2 >> 2u, bias_in)], bias_in);
  bias_tile_0 = bias_tile_word.x; bias_tile_1 = bias_tile_word.y; bias_tile_2 = bias_tile_word.z;
  bias_tile_3 = bias_tile_word.w;
  let t_BM_1: i32 = (thread >> 3u) & 3;
  let y_at: i32 = t_BM_1 * launch.N + t_BN;
  let y_at_1: i32 = t_4 * launch.N + t_5 + y_at;
  let position_3: i32 = t_4 + t_BM_1;
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
  y_tile_0 = tw_f32_to_bf16(acc_0 + bias_tile_0); y_tile_1 = tw_f32_to_bf16(acc_1 + bias_tile_1);
  y_tile_2 = tw_f32_to_bf16(acc_2 + bias_tile_2); y_tile_3 = tw_f32_to_bf16(acc_3 + bias_tile_3);
  if (bias_in & (u32(position_3) < u32(launch.M))) {
    y[y_at_1 >> 2u] = vec2<u32>(y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
  }
  var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
  y_tile_1_1_0 = tw_f32_to_bf16(acc_4 + bias_tile_0);
  y_tile_1_1_1 = tw_f32_to_bf16(acc_5 + bias_tile_1);
  y_tile_1_1_2 = tw_f32_to_bf16(acc_6 + bias_tile_2);
  y_tile_1_1_3 = tw_f32_to_bf16(acc_7 + bias_tile_3);
  if (bias_in & (u32(position_3 + 4) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 4) >> 2u] = vec2<u32>(
        y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u));
  }
  var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
  y_tile_2_1_0 = tw_f32_to_bf16(acc_8 + bias_tile_0);
  y_tile_2_1_1 = tw_f32_to_bf16(acc_9 + bias_tile_1);
  y_tile_2_1_2 = tw_f32_to_bf16(acc_10 + bias_tile_2);
  y_tile_2_1_3 = tw_f32_to_bf16(acc_11 + bias_tile_3);
  if (bias_in & (u32(position_3 + 8) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 8) >> 2u] = vec2<u32>(
        y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u));
  }
  var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
  y_tile_3_1_0 = tw_f32_to_bf16(acc_12 + bias_tile_0);
  y_tile_3_1_1 = tw_f32_to_bf16(acc_13 + bias_tile_1);
  y_tile_3_1_2 = tw_f32_to_bf16(acc_14 + bias_tile_2);
  y_tile_3_1_3 = tw_f32_to_bf16(acc_15 + bias_tile_3);
  if (bias_in & (u32(position_3 + 12) < u32(launch.M))) {
    y[(y_at_1 + launch.N * 12) >> 2u] = vec2<u32>(
        y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u));
  }
}
