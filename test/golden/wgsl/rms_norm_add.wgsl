// rms_norm_add for wgsl, made by tilewright
// dtypes: T=bf16
// config: OFFSET=0
// dims fixed: H=5120
// 256 threads, 512 bytes of shared memory
//       0 … 512: t6_parts f32[128]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> residual: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> t6_parts: array<f32, 128>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(256)
fn rms_norm_add(
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
  var v: array<f32, 40>;
  v[0] = tw_bf16_to_f32(x_tile_0); v[1] = tw_bf16_to_f32(x_tile_1); v[2] = tw_bf16_to_f32(x_tile_2);
  v[3] = tw_bf16_to_f32(x_tile_3); v[4] = tw_bf16_to_f32(x_tile_4); v[5] = tw_bf16_to_f32(x_tile_5);
  v[6] = tw_bf16_to_f32(x_tile_6); v[7] = tw_bf16_to_f32(x_tile_7); v[8] = tw_bf16_to_f32(x_tile_8);
  v[9] = tw_bf16_to_f32(x_tile_9); v[10] = tw_bf16_to_f32(x_tile_10);
  v[11] = tw_bf16_to_f32(x_tile_11); v[12] = tw_bf16_to_f32(x_tile_12);
  v[13] = tw_bf16_to_f32(x_tile_13); v[14] = tw_bf16_to_f32(x_tile_14);
  v[15] = tw_bf16_to_f32(x_tile_15); v[16] = tw_bf16_to_f32(x_tile_16);
  v[17] = tw_bf16_to_f32(x_tile_17); v[18] = tw_bf16_to_f32(x_tile_18);
  v[19] = tw_bf16_to_f32(x_tile_19); v[20] = tw_bf16_to_f32(x_tile_20);
  v[21] = tw_bf16_to_f32(x_tile_21); v[22] = tw_bf16_to_f32(x_tile_22);
  v[23] = tw_bf16_to_f32(x_tile_23); v[24] = tw_bf16_to_f32(x_tile_24);
  v[25] = tw_bf16_to_f32(x_tile_25); v[26] = tw_bf16_to_f32(x_tile_26);
  v[27] = tw_bf16_to_f32(x_tile_27); v[28] = tw_bf16_to_f32(x_tile_28);
  v[29] = tw_bf16_to_f32(x_tile_29); v[30] = tw_bf16_to_f32(x_tile_30);
  v[31] = tw_bf16_to_f32(x_tile_31); v[32] = tw_bf16_to_f32(x_tile_32);
  v[33] = tw_bf16_to_f32(x_tile_33); v[34] = tw_bf16_to_f32(x_tile_34);
  v[35] = tw_bf16_to_f32(x_tile_35); v[36] = tw_bf16_to_f32(x_tile_36);
  v[37] = tw_bf16_to_f32(x_tile_37); v[38] = tw_bf16_to_f32(x_tile_38);
  v[39] = tw_bf16_to_f32(x_tile_39);
  var sum: f32 = 0.0f;
  sum = sum + v[0] * v[0];
  sum = sum + v[1] * v[1];
  sum = sum + v[2] * v[2];
  sum = sum + v[3] * v[3];
  sum = sum + v[4] * v[4];
  sum = sum + v[5] * v[5];
  sum = sum + v[6] * v[6];
  sum = sum + v[7] * v[7];
  sum = sum + v[8] * v[8];
  sum = sum + v[9] * v[9];
  sum = sum + v[10] * v[10];
  sum = sum + v[11] * v[11];
  sum = sum + v[12] * v[12];
  sum = sum + v[13] * v[13];
  sum = sum + v[14] * v[14];
  sum = sum + v[15] * v[15];
  sum = sum + v[16] * v[16];
  sum = sum + v[17] * v[17];
  sum = sum + v[18] * v[18];
  sum = sum + v[19] * v[19];
  sum = sum + v[20] * v[20];
  sum = sum + v[21] * v[21];
  sum = sum + v[22] * v[22];
  sum = sum + v[23] * v[23];
  sum = sum + v[24] * v[24];
  sum = sum + v[25] * v[25];
  sum = sum + v[26] * v[26];
  sum = sum + v[27] * v[27];
  sum = sum + v[28] * v[28];
  sum = sum + v[29] * v[29];
  sum = sum + v[30] * v[30];
  sum = sum + v[31] * v[31];
  sum = sum + v[32] * v[32];
  sum = sum + v[33] * v[33];
  sum = sum + v[34] * v[34];
  sum = sum + v[35] * v[35];
  sum = sum + v[36] * v[36];
  sum = sum + v[37] * v[37];
  sum = sum + v[38] * v[38];
  sum = sum + v[39] * v[39];
  let part: i32 = thread & 127;
  let is_first: bool = thread < 128;
  if (is_first) {
    t6_parts[part] = sum;
  }
  storageBarrier();
  workgroupBarrier();
  if (is_first & (part < 8)) {
    sum = t6_parts[part];
    for (var r: i32 = 1; r < 16; r++) {
      var other: f32;
      other = t6_parts[part + r * 8];
      sum = sum + other;
    }
    t6_parts[part] = sum;
  }
  storageBarrier();
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32;
  parts_0 = t6_parts[0];
  parts_1 = t6_parts[1];
  parts_2 = t6_parts[2];
  parts_3 = t6_parts[3];
  parts_4 = t6_parts[4];
  parts_5 = t6_parts[5];
  parts_6 = t6_parts[6];
  parts_7 = t6_parts[7];
  sum = parts_0;
  sum = sum + parts_1;
  sum = sum + parts_2;
  sum = sum + parts_3;
  sum = sum + parts_4;
  sum = sum + parts_5;
  sum = sum + parts_6;
  sum = sum + parts_7;
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
  let scale: f32 = inverseSqrt(sum / 5120.0f + launch.eps);
  var residual_tile: array<u32, 40>;
  let residual_tile_word = select(vec4<u32>(0u), residual[select(0, x_at >> 3u, x_in)], x_in);
  residual_tile[0] = residual_tile_word.x & 0xffffu; residual_tile[1] = residual_tile_word.x >> 16u;
  residual_tile[2] = residual_tile_word.y & 0xffffu; residual_tile[3] = residual_tile_word.y >> 16u;
  residual_tile[4] = residual_tile_word.z & 0xffffu; residual_tile[5] = residual_tile_word.z >> 16u;
  residual_tile[6] = residual_tile_word.w & 0xffffu; residual_tile[7] = residual_tile_word.w >> 16u;
  let residual_tile_word_1 = select(
      vec4<u32>(0u), residual[select(0, (x_at + 1024) >> 3u, x_in)], x_in);
  residual_tile[8] = residual_tile_word_1.x & 0xffffu;
  residual_tile[9] = residual_tile_word_1.x >> 16u;
  residual_tile[10] = residual_tile_word_1.y & 0xffffu;
  residual_tile[11] = residual_tile_word_1.y >> 16u;
  residual_tile[12] = residual_tile_word_1.z & 0xffffu;
  residual_tile[13] = residual_tile_word_1.z >> 16u;
  residual_tile[14] = residual_tile_word_1.w & 0xffffu;
  residual_tile[15] = residual_tile_word_1.w >> 16u;
  let residual_tile_word_2 = select(
      vec4<u32>(0u), residual[select(0, (x_at + 2048) >> 3u, x_in)], x_in);
  residual_tile[16] = residual_tile_word_2.x & 0xffffu;
  residual_tile[17] = residual_tile_word_2.x >> 16u;
  residual_tile[18] = residual_tile_word_2.y & 0xffffu;
  residual_tile[19] = residual_tile_word_2.y >> 16u;
  residual_tile[20] = residual_tile_word_2.z & 0xffffu;
  residual_tile[21] = residual_tile_word_2.z >> 16u;
  residual_tile[22] = residual_tile_word_2.w & 0xffffu;
  residual_tile[23] = residual_tile_word_2.w >> 16u;
  let residual_tile_word_3 = select(
      vec4<u32>(0u), residual[select(0, (x_at + 3072) >> 3u, x_in)], x_in);
  residual_tile[24] = residual_tile_word_3.x & 0xffffu;
  residual_tile[25] = residual_tile_word_3.x >> 16u;
  residual_tile[26] = residual_tile_word_3.y & 0xffffu;
  residual_tile[27] = residual_tile_word_3.y >> 16u;
  residual_tile[28] = residual_tile_word_3.z & 0xffffu;
  residual_tile[29] = residual_tile_word_3.z >> 16u;
  residual_tile[30] = residual_tile_word_3.w & 0xffffu;
  residual_tile[31] = residual_tile_word_3.w >> 16u;
  let residual_tile_word_4 = select(
      vec4<u32>(0u), residual[select(0, (x_at + 4096) >> 3u, x_in)], x_in);
  residual_tile[32] = residual_tile_word_4.x & 0xffffu;
  residual_tile[33] = residual_tile_word_4.x >> 16u;
  residual_tile[34] = residual_tile_word_4.y & 0xffffu;
  residual_tile[35] = residual_tile_word_4.y >> 16u;
  residual_tile[36] = residual_tile_word_4.z & 0xffffu;
  residual_tile[37] = residual_tile_word_4.z >> 16u;
  residual_tile[38] = residual_tile_word_4.w & 0xffffu;
  residual_tile[39] = residual_tile_word_4.w >> 16u;
  storageBarrier();
  workgroupBarrier();
  if (is_first) {
    for (var r: i32 = 0; r < 5; r++) {
      var residual_tile_1_0: u32; var residual_tile_1_1: u32; var residual_tile_1_2: u32;
      var residual_tile_1_3: u32; var residual_tile_1_4: u32; var residual_tile_1_5: u32;
      var residual_tile_1_6: u32; var residual_tile_1_7: u32;
      residual_tile_1_0 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8]) + v[r * 8] * scale * tw_bf16_to_f32(w_tile[r * 8]));
      residual_tile_1_1 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 1]) + v[r * 8 + 1] * scale * tw_bf16_to_f32(w_tile[r * 8 + 1]));
      residual_tile_1_2 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 2]) + v[r * 8 + 2] * scale * tw_bf16_to_f32(w_tile[r * 8 + 2]));
      residual_tile_1_3 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 3]) + v[r * 8 + 3] * scale * tw_bf16_to_f32(w_tile[r * 8 + 3]));
      residual_tile_1_4 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 4]) + v[r * 8 + 4] * scale * tw_bf16_to_f32(w_tile[r * 8 + 4]));
      residual_tile_1_5 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 5]) + v[r * 8 + 5] * scale * tw_bf16_to_f32(w_tile[r * 8 + 5]));
      residual_tile_1_6 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 6]) + v[r * 8 + 6] * scale * tw_bf16_to_f32(w_tile[r * 8 + 6]));
      residual_tile_1_7 = tw_f32_to_bf16(tw_bf16_to_f32(residual_tile[r * 8 + 7]) + v[r * 8 + 7] * scale * tw_bf16_to_f32(w_tile[r * 8 + 7]));
      if (x_in) {
        residual[(x_at + r * 1024) >> 3u] = vec4<u32>(
            residual_tile_1_0 | (residual_tile_1_1 << 16u),
            residual_tile_1_2 | (residual_tile_1_3 << 16u),
            residual_tile_1_4 | (residual_tile_1_5 << 16u),
            residual_tile_1_6 | (residual_tile_1_7 << 16u));
      }
    }
  }
}
