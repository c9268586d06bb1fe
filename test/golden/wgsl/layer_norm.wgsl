// layer_norm for wgsl, made by tilewright
// dtypes: T=bf16
// dims fixed: H=5120
// 256 threads, 1024 bytes of shared memory
//       0 … 512: t5_parts f32[128]
//     512 … 1024: t11_parts f32[128]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t5_parts: array<f32, 128>;
var<workgroup> t11_parts: array<f32, 128>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(256)
fn layer_norm(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t_H: i32 = (thread & 127) * 8;
  let x_at: i32 = pid0 * 5120 + t_H;
  let x_in: bool = pid0 < launch.R;
  var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
  var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32; var x_tile_8: u32; var x_tile_9: u32;
  var x_tile_10: u32; var x_tile_11: u32; var x_tile_12: u32; var x_tile_13: u32;
  var x_tile_14: u32; var x_tile_15: u32; var x_tile_16: u32; var x_tile_17: u32;
  var x_tile_18: u32; var x_tile_19: u32; var x_tile_20: u32; var x_tile_21: u32;
  var x_tile_22: u32; var x_tile_23: u32; var x_tile_24: u32; var x_tile_25: u32;
  var x_tile_26: u32; var x_tile_27: u32; var x_tile_28: u32; var x_tile_29: u32;
  var x_tile_30: u32; var x_tile_31: u32; var x_tile_32: u32; var x_tile_33: u32;
  var x_tile_34: u32; var x_tile_35: u32; var x_tile_36: u32; var x_tile_37: u32;
  var x_tile_38: u32; var x_tile_39: u32;
  let x_tile_word = select(vec4<u32>(0u), x[select(0, x_at >> 3u, x_in)], x_in);
  x_tile_0 = x_tile_word.x & 0xffffu; x_tile_1 = x_tile_word.x >> 16u;
  x_tile_2 = x_tile_word.y & 0xffffu; x_tile_3 = x_tile_word.y >> 16u;
  x_tile_4 = x_tile_word.z & 0xffffu; x_tile_5 = x_tile_word.z >> 16u;
  x_tile_6 = x_tile_word.w & 0xffffu; x_tile_7 = x_tile_word.w >> 16u;
  let x_tile_word_1 = select(vec4<u32>(0u), x[select(0, (x_at + 1024) >> 3u, x_in)], x_in);
  x_tile_8 = x_tile_word_1.x & 0xffffu; x_tile_9 = x_tile_word_1.x >> 16u;
  x_tile_10 = x_tile_word_1.y & 0xffffu; x_tile_11 = x_tile_word_1.y >> 16u;
  x_tile_12 = x_tile_word_1.z & 0xffffu; x_tile_13 = x_tile_word_1.z >> 16u;
  x_tile_14 = x_tile_word_1.w & 0xffffu; x_tile_15 = x_tile_word_1.w >> 16u;
  let x_tile_word_2 = select(vec4<u32>(0u), x[select(0, (x_at + 2048) >> 3u, x_in)], x_in);
  x_tile_16 = x_tile_word_2.x & 0xffffu; x_tile_17 = x_tile_word_2.x >> 16u;
  x_tile_18 = x_tile_word_2.y & 0xffffu; x_tile_19 = x_tile_word_2.y >> 16u;
  x_tile_20 = x_tile_word_2.z & 0xffffu; x_tile_21 = x_tile_word_2.z >> 16u;
  x_tile_22 = x_tile_word_2.w & 0xffffu; x_tile_23 = x_tile_word_2.w >> 16u;
  let x_tile_word_3 = select(vec4<u32>(0u), x[select(0, (x_at + 3072) >> 3u, x_in)], x_in);
  x_tile_24 = x_tile_word_3.x & 0xffffu; x_tile_25 = x_tile_word_3.x >> 16u;
  x_tile_26 = x_tile_word_3.y & 0xffffu; x_tile_27 = x_tile_word_3.y >> 16u;
  x_tile_28 = x_tile_word_3.z & 0xffffu; x_tile_29 = x_tile_word_3.z >> 16u;
  x_tile_30 = x_tile_word_3.w & 0xffffu; x_tile_31 = x_tile_word_3.w >> 16u;
  let x_tile_word_4 = select(vec4<u32>(0u), x[select(0, (x_at + 4096) >> 3u, x_in)], x_in);
  x_tile_32 = x_tile_word_4.x & 0xffffu; x_tile_33 = x_tile_word_4.x >> 16u;
  x_tile_34 = x_tile_word_4.y & 0xffffu; x_tile_35 = x_tile_word_4.y >> 16u;
  x_tile_36 = x_tile_word_4.z & 0xffffu; x_tile_37 = x_tile_word_4.z >> 16u;
  x_tile_38 = x_tile_word_4.w & 0xffffu; x_tile_39 = x_tile_word_4.w >> 16u;
  var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32; var v_4: f32; var v_5: f32; var v_6: f32;
  var v_7: f32; var v_8: f32; var v_9: f32; var v_10: f32; var v_11: f32; var v_12: f32;
  var v_13: f32; var v_14: f32; var v_15: f32; var v_16: f32; var v_17: f32; var v_18: f32;
  var v_19: f32; var v_20: f32; var v_21: f32; var v_22: f32; var v_23: f32; var v_24: f32;
  var v_25: f32; var v_26: f32; var v_27: f32; var v_28: f32; var v_29: f32; var v_30: f32;
  var v_31: f32; var v_32: f32; var v_33: f32; var v_34: f32; var v_35: f32; var v_36: f32;
  var v_37: f32; var v_38: f32; var v_39: f32;
  v_0 = tw_bf16_to_f32(x_tile_0); v_1 = tw_bf16_to_f32(x_tile_1); v_2 = tw_bf16_to_f32(x_tile_2);
  v_3 = tw_bf16_to_f32(x_tile_3); v_4 = tw_bf16_to_f32(x_tile_4); v_5 = tw_bf16_to_f32(x_tile_5);
  v_6 = tw_bf16_to_f32(x_tile_6); v_7 = tw_bf16_to_f32(x_tile_7); v_8 = tw_bf16_to_f32(x_tile_8);
  v_9 = tw_bf16_to_f32(x_tile_9); v_10 = tw_bf16_to_f32(x_tile_10);
  v_11 = tw_bf16_to_f32(x_tile_11); v_12 = tw_bf16_to_f32(x_tile_12);
  v_13 = tw_bf16_to_f32(x_tile_13); v_14 = tw_bf16_to_f32(x_tile_14);
  v_15 = tw_bf16_to_f32(x_tile_15); v_16 = tw_bf16_to_f32(x_tile_16);
  v_17 = tw_bf16_to_f32(x_tile_17); v_18 = tw_bf16_to_f32(x_tile_18);
  v_19 = tw_bf16_to_f32(x_tile_19); v_20 = tw_bf16_to_f32(x_tile_20);
  v_21 = tw_bf16_to_f32(x_tile_21); v_22 = tw_bf16_to_f32(x_tile_22);
  v_23 = tw_bf16_to_f32(x_tile_23); v_24 = tw_bf16_to_f32(x_tile_24);
  v_25 = tw_bf16_to_f32(x_tile_25); v_26 = tw_bf16_to_f32(x_tile_26);
  v_27 = tw_bf16_to_f32(x_tile_27); v_28 = tw_bf16_to_f32(x_tile_28);
  v_29 = tw_bf16_to_f32(x_tile_29); v_30 = tw_bf16_to_f32(x_tile_30);
  v_31 = tw_bf16_to_f32(x_tile_31); v_32 = tw_bf16_to_f32(x_tile_32);
  v_33 = tw_bf16_to_f32(x_tile_33); v_34 = tw_bf16_to_f32(x_tile_34);
  v_35 = tw_bf16_to_f32(x_tile_35); v_36 = tw_bf16_to_f32(x_tile_36);
  v_37 = tw_bf16_to_f32(x_tile_37); v_38 = tw_bf16_to_f32(x_tile_38);
  v_39 = tw_bf16_to_f32(x_tile_39);
  var sum: f32 = 0.0f;
  sum = sum + v_0;
  sum = sum + v_1;
  sum = sum + v_2;
  sum = sum + v_3;
  sum = sum + v_4;
  sum = sum + v_5;
  sum = sum + v_6;
  sum = sum + v_7;
  sum = sum + v_8;
  sum = sum + v_9;
  sum = sum + v_10;
  sum = sum + v_11;
  sum = sum + v_12;
  sum = sum + v_13;
  sum = sum + v_14;
  sum = sum + v_15;
  sum = sum + v_16;
  sum = sum + v_17;
  sum = sum + v_18;
  sum = sum + v_19;
  sum = sum + v_20;
  sum = sum + v_21;
  sum = sum + v_22;
  sum = sum + v_23;
  sum = sum + v_24;
  sum = sum + v_25;
  sum = sum + v_26;
  sum = sum + v_27;
  sum = sum + v_28;
  sum = sum + v_29;
  sum = sum + v_30;
  sum = sum + v_31;
  sum = sum + v_32;
  sum = sum + v_33;
  sum = sum + v_34;
  sum = sum + v_35;
  sum = sum + v_36;
  sum = sum + v_37;
  sum = sum + v_38;
  sum = sum + v_39;
  let part: i32 = thread & 127;
  let is_first: bool = thread < 128;
  if (is_first) {
    t5_parts[part] = sum;
  }
  workgroupBarrier();
  if (is_first & (part < 8)) {
    sum = t5_parts[part];
    for (var r: i32 = 1; r < 16; r++) {
      var other: f32;
      other = t5_parts[part + r * 8];
      sum = sum + other;
    }
    t5_parts[part] = sum;
  }
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32;
  parts_0 = t5_parts[0];
  parts_1 = t5_parts[1];
  parts_2 = t5_parts[2];
  parts_3 = t5_parts[3];
  parts_4 = t5_parts[4];
  parts_5 = t5_parts[5];
  parts_6 = t5_parts[6];
  parts_7 = t5_parts[7];
  sum = parts_0;
  sum = sum + parts_1;
  sum = sum + parts_2;
  sum = sum + parts_3;
  sum = sum + parts_4;
  sum = sum + parts_5;
  sum = sum + parts_6;
  sum = sum + parts_7;
  let t: f32 = sum / 5120.0f;
  var centred: array<f32, 40>;
  centred[0] = v_0 - t; centred[1] = v_1 - t; centred[2] = v_2 - t; centred[3] = v_3 - t;
  centred[4] = v_4 - t; centred[5] = v_5 - t; centred[6] = v_6 - t; centred[7] = v_7 - t;
  centred[8] = v_8 - t; centred[9] = v_9 - t; centred[10] = v_10 - t; centred[11] = v_11 - t;
  centred[12] = v_12 - t; centred[13] = v_13 - t; centred[14] = v_14 - t; centred[15] = v_15 - t;
  centred[16] = v_16 - t; centred[17] = v_17 - t; centred[18] = v_18 - t; centred[19] = v_19 - t;
  centred[20] = v_20 - t; centred[21] = v_21 - t; centred[22] = v_22 - t; centred[23] = v_23 - t;
  centred[24] = v_24 - t; centred[25] = v_25 - t; centred[26] = v_26 - t; centred[27] = v_27 - t;
  centred[28] = v_28 - t; centred[29] = v_29 - t; centred[30] = v_30 - t; centred[31] = v_31 - t;
  centred[32] = v_32 - t; centred[33] = v_33 - t; centred[34] = v_34 - t; centred[35] = v_35 - t;
  centred[36] = v_36 - t; centred[37] = v_37 - t; centred[38] = v_38 - t; centred[39] = v_39 - t;
  var sum_1: f32 = 0.0f;
  sum_1 = sum_1 + centred[0] * centred[0];
  sum_1 = sum_1 + centred[1] * centred[1];
  sum_1 = sum_1 + centred[2] * centred[2];
  sum_1 = sum_1 + centred[3] * centred[3];
  sum_1 = sum_1 + centred[4] * centred[4];
  sum_1 = sum_1 + centred[5] * centred[5];
  sum_1 = sum_1 + centred[6] * centred[6];
  sum_1 = sum_1 + centred[7] * centred[7];
  sum_1 = sum_1 + centred[8] * centred[8];
  sum_1 = sum_1 + centred[9] * centred[9];
  sum_1 = sum_1 + centred[10] * centred[10];
  sum_1 = sum_1 + centred[11] * centred[11];
  sum_1 = sum_1 + centred[12] * centred[12];
  sum_1 = sum_1 + centred[13] * centred[13];
  sum_1 = sum_1 + centred[14] * centred[14];
  sum_1 = sum_1 + centred[15] * centred[15];
  sum_1 = sum_1 + centred[16] * centred[16];
  sum_1 = sum_1 + centred[17] * centred[17];
  sum_1 = sum_1 + centred[18] * centred[18];
  sum_1 = sum_1 + centred[19] * centred[19];
  sum_1 = sum_1 + centred[20] * centred[20];
  sum_1 = sum_1 + centred[21] * centred[21];
  sum_1 = sum_1 + centred[22] * centred[22];
  sum_1 = sum_1 + centred[23] * centred[23];
  sum_1 = sum_1 + centred[24] * centred[24];
  sum_1 = sum_1 + centred[25] * centred[25];
  sum_1 = sum_1 + centred[26] * centred[26];
  sum_1 = sum_1 + centred[27] * centred[27];
  sum_1 = sum_1 + centred[28] * centred[28];
  sum_1 = sum_1 + centred[29] * centred[29];
  sum_1 = sum_1 + centred[30] * centred[30];
  sum_1 = sum_1 + centred[31] * centred[31];
  sum_1 = sum_1 + centred[32] * centred[32];
  sum_1 = sum_1 + centred[33] * centred[33];
  sum_1 = sum_1 + centred[34] * centred[34];
  sum_1 = sum_1 + centred[35] * centred[35];
  sum_1 = sum_1 + centred[36] * centred[36];
  sum_1 = sum_1 + centred[37] * centred[37];
  sum_1 = sum_1 + centred[38] * centred[38];
  sum_1 = sum_1 + centred[39] * centred[39];
  if (is_first) {
    t11_parts[part] = sum_1;
  }
  workgroupBarrier();
  if (is_first & (part < 8)) {
    sum_1 = t11_parts[part];
    for (var r: i32 = 1; r < 16; r++) {
      var other_1: f32;
      other_1 = t11_parts[part + r * 8];
      sum_1 = sum_1 + other_1;
    }
    t11_parts[part] = sum_1;
  }
  workgroupBarrier();
  var parts_1_1_0: f32; var parts_1_1_1: f32; var parts_1_1_2: f32; var parts_1_1_3: f32;
  var parts_1_1_4: f32; var parts_1_1_5: f32; var parts_1_1_6: f32; var parts_1_1_7: f32;
  parts_1_1_0 = t11_parts[0];
  parts_1_1_1 = t11_parts[1];
  parts_1_1_2 = t11_parts[2];
  parts_1_1_3 = t11_parts[3];
  parts_1_1_4 = t11_parts[4];
  parts_1_1_5 = t11_parts[5];
  parts_1_1_6 = t11_parts[6];
  parts_1_1_7 = t11_parts[7];
  sum_1 = parts_1_1_0;
  sum_1 = sum_1 + parts_1_1_1;
  sum_1 = sum_1 + parts_1_1_2;
  sum_1 = sum_1 + parts_1_1_3;
  sum_1 = sum_1 + parts_1_1_4;
  sum_1 = sum_1 + parts_1_1_5;
  sum_1 = sum_1 + parts_1_1_6;
  sum_1 = sum_1 + parts_1_1_7;
  var w_tile: array<u32, 40>;
  let w_tile_word = w[t_H >> 3u];
  w_tile[0] = w_tile_word.x & 0xffffu; w_tile[1] = w_tile_word.x >> 16u;
  w_tile[2] = w_tile_word.y & 0xffffu; w_tile[3] = w_tile_word.y >> 16u;
  w_tile[4] = w_tile_word.z & 0xffffu; w_tile[5] = w_tile_word.z >> 16u;
  w_tile[6] = w_tile_word.w & 0xffffu; w_tile[7] = w_tile_word.w >> 16u;
  let w_tile_word_1 = w[(t_H + 1024) >> 3u];
  w_tile[8] = w_tile_word_1.x & 0xffffu; w_tile[9] = w_tile_word_1.x >> 16u;
  w_tile[10] = w_tile_word_1.y & 0xffffu; w_tile[11] = w_tile_word_1.y >> 16u;
  w_tile[12] = w_tile_word_1.z & 0xffffu; w_tile[13] = w_tile_word_1.z >> 16u;
  w_tile[14] = w_tile_word_1.w & 0xffffu; w_tile[15] = w_tile_word_1.w >> 16u;
  let w_tile_word_2 = w[(t_H + 2048) >> 3u];
  w_tile[16] = w_tile_word_2.x & 0xffffu; w_tile[17] = w_tile_word_2.x >> 16u;
  w_tile[18] = w_tile_word_2.y & 0xffffu; w_tile[19] = w_tile_word_2.y >> 16u;
  w_tile[20] = w_tile_word_2.z & 0xffffu; w_tile[21] = w_tile_word_2.z >> 16u;
  w_tile[22] = w_tile_word_2.w & 0xffffu; w_tile[23] = w_tile_word_2.w >> 16u;
  let w_tile_word_3 = w[(t_H + 3072) >> 3u];
  w_tile[24] = w_tile_word_3.x & 0xffffu; w_tile[25] = w_tile_word_3.x >> 16u;
  w_tile[26] = w_tile_word_3.y & 0xffffu; w_tile[27] = w_tile_word_3.y >> 16u;
  w_tile[28] = w_tile_word_3.z & 0xffffu; w_tile[29] = w_tile_word_3.z >> 16u;
  w_tile[30] = w_tile_word_3.w & 0xffffu; w_tile[31] = w_tile_word_3.w >> 16u;
  let w_tile_word_4 = w[(t_H + 4096) >> 3u];
  w_tile[32] = w_tile_word_4.x & 0xffffu; w_tile[33] = w_tile_word_4.x >> 16u;
  w_tile[34] = w_tile_word_4.y & 0xffffu; w_tile[35] = w_tile_word_4.y >> 16u;
  w_tile[36] = w_tile_word_4.z & 0xffffu; w_tile[37] = w_tile_word_4.z >> 16u;
  w_tile[38] = w_tile_word_4.w & 0xffffu; w_tile[39] = w_tile_word_4.w >> 16u;
  var b_tile: array<u32, 40>;
  let b_tile_word = b[t_H >> 3u];
  b_tile[0] = b_tile_word.x & 0xffffu; b_tile[1] = b_tile_word.x >> 16u;
  b_tile[2] = b_tile_word.y & 0xffffu; b_tile[3] = b_tile_word.y >> 16u;
  b_tile[4] = b_tile_word.z & 0xffffu; b_tile[5] = b_tile_word.z >> 16u;
  b_tile[6] = b_tile_word.w & 0xffffu; b_tile[7] = b_tile_word.w >> 16u;
  let b_tile_word_1 = b[(t_H + 1024) >> 3u];
  b_tile[8] = b_tile_word_1.x & 0xffffu; b_tile[9] = b_tile_word_1.x >> 16u;
  b_tile[10] = b_tile_word_1.y & 0xffffu; b_tile[11] = b_tile_word_1.y >> 16u;
  b_tile[12] = b_tile_word_1.z & 0xffffu; b_tile[13] = b_tile_word_1.z >> 16u;
  b_tile[14] = b_tile_word_1.w & 0xffffu; b_tile[15] = b_tile_word_1.w >> 16u;
  let b_tile_word_2 = b[(t_H + 2048) >> 3u];
  b_tile[16] = b_tile_word_2.x & 0xffffu; b_tile[17] = b_tile_word_2.x >> 16u;
  b_tile[18] = b_tile_word_2.y & 0xffffu; b_tile[19] = b_tile_word_2.y >> 16u;
  b_tile[20] = b_tile_word_2.z & 0xffffu; b_tile[21] = b_tile_word_2.z >> 16u;
  b_tile[22] = b_tile_word_2.w & 0xffffu; b_tile[23] = b_tile_word_2.w >> 16u;
  let b_tile_word_3 = b[(t_H + 3072) >> 3u];
  b_tile[24] = b_tile_word_3.x & 0xffffu; b_tile[25] = b_tile_word_3.x >> 16u;
  b_tile[26] = b_tile_word_3.y & 0xffffu; b_tile[27] = b_tile_word_3.y >> 16u;
  b_tile[28] = b_tile_word_3.z & 0xffffu; b_tile[29] = b_tile_word_3.z >> 16u;
  b_tile[30] = b_tile_word_3.w & 0xffffu; b_tile[31] = b_tile_word_3.w >> 16u;
  let b_tile_word_4 = b[(t_H + 4096) >> 3u];
  b_tile[32] = b_tile_word_4.x & 0xffffu; b_tile[33] = b_tile_word_4.x >> 16u;
  b_tile[34] = b_tile_word_4.y & 0xffffu; b_tile[35] = b_tile_word_4.y >> 16u;
  b_tile[36] = b_tile_word_4.z & 0xffffu; b_tile[37] = b_tile_word_4.z >> 16u;
  b_tile[38] = b_tile_word_4.w & 0xffffu; b_tile[39] = b_tile_word_4.w >> 16u;
  let scale: f32 = inverseSqrt(sum_1 / 5120.0f + launch.eps);
  if (is_first) {
    for (var r: i32 = 0; r < 5; r++) {
      var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32; var y_tile_4: u32;
      var y_tile_5: u32; var y_tile_6: u32; var y_tile_7: u32;
      y_tile_0 = tw_f32_to_bf16(centred[r * 8] * scale * tw_bf16_to_f32(w_tile[r * 8]) + tw_bf16_to_f32(b_tile[r * 8]));
      y_tile_1 = tw_f32_to_bf16(centred[r * 8 + 1] * scale * tw_bf16_to_f32(w_tile[r * 8 + 1]) + tw_bf16_to_f32(b_tile[r * 8 + 1]));
      y_tile_2 = tw_f32_to_bf16(centred[r * 8 + 2] * scale * tw_bf16_to_f32(w_tile[r * 8 + 2]) + tw_bf16_to_f32(b_tile[r * 8 + 2]));
      y_tile_3 = tw_f32_to_bf16(centred[r * 8 + 3] * scale * tw_bf16_to_f32(w_tile[r * 8 + 3]) + tw_bf16_to_f32(b_tile[r * 8 + 3]));
      y_tile_4 = tw_f32_to_bf16(centred[r * 8 + 4] * scale * tw_bf16_to_f32(w_tile[r * 8 + 4]) + tw_bf16_to_f32(b_tile[r * 8 + 4]));
      y_tile_5 = tw_f32_to_bf16(centred[r * 8 + 5] * scale * tw_bf16_to_f32(w_tile[r * 8 + 5]) + tw_bf16_to_f32(b_tile[r * 8 + 5]));
      y_tile_6 = tw_f32_to_bf16(centred[r * 8 + 6] * scale * tw_bf16_to_f32(w_tile[r * 8 + 6]) + tw_bf16_to_f32(b_tile[r * 8 + 6]));
      y_tile_7 = tw_f32_to_bf16(centred[r * 8 + 7] * scale * tw_bf16_to_f32(w_tile[r * 8 + 7]) + tw_bf16_to_f32(b_tile[r * 8 + 7]));
      if (x_in) {
        y[(x_at + r * 1024) >> 3u] = vec4<u32>(
            y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u),
            y_tile_4 | (y_tile_5 << 16u), y_tile_6 | (y_tile_7 << 16u));
      }
    }
  }
}
