// qk_norm for wgsl, made by tilewright
// dtypes: T=bf16
// config: BH=4 OFFSET=0
// dims fixed: D=80
// dims divisible: N%2
// 32 threads, 32 bytes of shared memory
//       0 … 32: t25_parts f32[8]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  HT: i32,
  numQ: i32,
  numK: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read_write> qkv: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> wq: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> wk: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> t25_parts: array<f32, 8>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(32)
fn qk_norm(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let first: i32 = pid1 * 4;
  let t: i32 = launch.numQ + launch.numK;
  let stride: i32 = launch.HT * 80;
  let t_BH: i32 = (thread >> 1u) & 3;
  let bound: i32 = min(t, launch.HT);
  let left: i32 = bound - first;
  let t_D: i32 = (thread & 1) * 8;
  let qkv_at: i32 = t_BH * 80 + t_D;
  let qkv_at_1: i32 = pid0 * stride + first * 80 + qkv_at;
  let qkv_in: bool = (pid0 < launch.N) & (t_BH < left);
  var qkv_tile_0: u32; var qkv_tile_1: u32; var qkv_tile_2: u32; var qkv_tile_3: u32;
  var qkv_tile_4: u32; var qkv_tile_5: u32; var qkv_tile_6: u32; var qkv_tile_7: u32;
  var qkv_tile_8: u32; var qkv_tile_9: u32; var qkv_tile_10: u32; var qkv_tile_11: u32;
  var qkv_tile_12: u32; var qkv_tile_13: u32; var qkv_tile_14: u32; var qkv_tile_15: u32;
  var qkv_tile_16: u32; var qkv_tile_17: u32; var qkv_tile_18: u32; var qkv_tile_19: u32;
  var qkv_tile_20: u32; var qkv_tile_21: u32; var qkv_tile_22: u32; var qkv_tile_23: u32;
  var qkv_tile_24: u32; var qkv_tile_25: u32; var qkv_tile_26: u32; var qkv_tile_27: u32;
  var qkv_tile_28: u32; var qkv_tile_29: u32; var qkv_tile_30: u32; var qkv_tile_31: u32;
  var qkv_tile_32: u32; var qkv_tile_33: u32; var qkv_tile_34: u32; var qkv_tile_35: u32;
  var qkv_tile_36: u32; var qkv_tile_37: u32; var qkv_tile_38: u32; var qkv_tile_39: u32;
  let qkv_tile_word = select(vec4<u32>(0u), qkv[select(0, qkv_at_1 >> 3u, qkv_in)], qkv_in);
  qkv_tile_0 = qkv_tile_word.x & 0xffffu; qkv_tile_1 = qkv_tile_word.x >> 16u;
  qkv_tile_2 = qkv_tile_word.y & 0xffffu; qkv_tile_3 = qkv_tile_word.y >> 16u;
  qkv_tile_4 = qkv_tile_word.z & 0xffffu; qkv_tile_5 = qkv_tile_word.z >> 16u;
  qkv_tile_6 = qkv_tile_word.w & 0xffffu; qkv_tile_7 = qkv_tile_word.w >> 16u;
  let qkv_tile_word_1 = select(
      vec4<u32>(0u), qkv[select(0, (qkv_at_1 + 16) >> 3u, qkv_in)], qkv_in);
  qkv_tile_8 = qkv_tile_word_1.x & 0xffffu; qkv_tile_9 = qkv_tile_word_1.x >> 16u;
  qkv_tile_10 = qkv_tile_word_1.y & 0xffffu; qkv_tile_11 = qkv_tile_word_1.y >> 16u;
  qkv_tile_12 = qkv_tile_word_1.z & 0xffffu; qkv_tile_13 = qkv_tile_word_1.z >> 16u;
  qkv_tile_14 = qkv_tile_word_1.w & 0xffffu; qkv_tile_15 = qkv_tile_word_1.w >> 16u;
  let qkv_tile_word_2 = select(
      vec4<u32>(0u), qkv[select(0, (qkv_at_1 + 32) >> 3u, qkv_in)], qkv_in);
  qkv_tile_16 = qkv_tile_word_2.x & 0xffffu; qkv_tile_17 = qkv_tile_word_2.x >> 16u;
  qkv_tile_18 = qkv_tile_word_2.y & 0xffffu; qkv_tile_19 = qkv_tile_word_2.y >> 16u;
  qkv_tile_20 = qkv_tile_word_2.z & 0xffffu; qkv_tile_21 = qkv_tile_word_2.z >> 16u;
  qkv_tile_22 = qkv_tile_word_2.w & 0xffffu; qkv_tile_23 = qkv_tile_word_2.w >> 16u;
  let qkv_tile_word_3 = select(
      vec4<u32>(0u), qkv[select(0, (qkv_at_1 + 48) >> 3u, qkv_in)], qkv_in);
  qkv_tile_24 = qkv_tile_word_3.x & 0xffffu; qkv_tile_25 = qkv_tile_word_3.x >> 16u;
  qkv_tile_26 = qkv_tile_word_3.y & 0xffffu; qkv_tile_27 = qkv_tile_word_3.y >> 16u;
  qkv_tile_28 = qkv_tile_word_3.z & 0xffffu; qkv_tile_29 = qkv_tile_word_3.z >> 16u;
  qkv_tile_30 = qkv_tile_word_3.w & 0xffffu; qkv_tile_31 = qkv_tile_word_3.w >> 16u;
  let qkv_tile_word_4 = select(
      vec4<u32>(0u), qkv[select(0, (qkv_at_1 + 64) >> 3u, qkv_in)], qkv_in);
  qkv_tile_32 = qkv_tile_word_4.x & 0xffffu; qkv_tile_33 = qkv_tile_word_4.x >> 16u;
  qkv_tile_34 = qkv_tile_word_4.y & 0xffffu; qkv_tile_35 = qkv_tile_word_4.y >> 16u;
  qkv_tile_36 = qkv_tile_word_4.z & 0xffffu; qkv_tile_37 = qkv_tile_word_4.z >> 16u;
  qkv_tile_38 = qkv_tile_word_4.w & 0xffffu; qkv_tile_39 = qkv_tile_word_4.w >> 16u;
  var v: array<f32, 40>;
  v[0] = tw_bf16_to_f32(qkv_tile_0); v[1] = tw_bf16_to_f32(qkv_tile_1);
  v[2] = tw_bf16_to_f32(qkv_tile_2); v[3] = tw_bf16_to_f32(qkv_tile_3);
  v[4] = tw_bf16_to_f32(qkv_tile_4); v[5] = tw_bf16_to_f32(qkv_tile_5);
  v[6] = tw_bf16_to_f32(qkv_tile_6); v[7] = tw_bf16_to_f32(qkv_tile_7);
  v[8] = tw_bf16_to_f32(qkv_tile_8); v[9] = tw_bf16_to_f32(qkv_tile_9);
  v[10] = tw_bf16_to_f32(qkv_tile_10); v[11] = tw_bf16_to_f32(qkv_tile_11);
  v[12] = tw_bf16_to_f32(qkv_tile_12); v[13] = tw_bf16_to_f32(qkv_tile_13);
  v[14] = tw_bf16_to_f32(qkv_tile_14); v[15] = tw_bf16_to_f32(qkv_tile_15);
  v[16] = tw_bf16_to_f32(qkv_tile_16); v[17] = tw_bf16_to_f32(qkv_tile_17);
  v[18] = tw_bf16_to_f32(qkv_tile_18); v[19] = tw_bf16_to_f32(qkv_tile_19);
  v[20] = tw_bf16_to_f32(qkv_tile_20); v[21] = tw_bf16_to_f32(qkv_tile_21);
  v[22] = tw_bf16_to_f32(qkv_tile_22); v[23] = tw_bf16_to_f32(qkv_tile_23);
  v[24] = tw_bf16_to_f32(qkv_tile_24); v[25] = tw_bf16_to_f32(qkv_tile_25);
  v[26] = tw_bf16_to_f32(qkv_tile_26); v[27] = tw_bf16_to_f32(qkv_tile_27);
  v[28] = tw_bf16_to_f32(qkv_tile_28); v[29] = tw_bf16_to_f32(qkv_tile_29);
  v[30] = tw_bf16_to_f32(qkv_tile_30); v[31] = tw_bf16_to_f32(qkv_tile_31);
  v[32] = tw_bf16_to_f32(qkv_tile_32); v[33] = tw_bf16_to_f32(qkv_tile_33);
  v[34] = tw_bf16_to_f32(qkv_tile_34); v[35] = tw_bf16_to_f32(qkv_tile_35);
  v[36] = tw_bf16_to_f32(qkv_tile_36); v[37] = tw_bf16_to_f32(qkv_tile_37);
  v[38] = tw_bf16_to_f32(qkv_tile_38); v[39] = tw_bf16_to_f32(qkv_tile_39);
  var wq_tile: array<u32, 40>;
  let wq_tile_word = wq[t_D >> 3u];
  wq_tile[0] = wq_tile_word.x & 0xffffu; wq_tile[1] = wq_tile_word.x >> 16u;
  wq_tile[2] = wq_tile_word.y & 0xffffu; wq_tile[3] = wq_tile_word.y >> 16u;
  wq_tile[4] = wq_tile_word.z & 0xffffu; wq_tile[5] = wq_tile_word.z >> 16u;
  wq_tile[6] = wq_tile_word.w & 0xffffu; wq_tile[7] = wq_tile_word.w >> 16u;
  let wq_tile_word_1 = wq[(t_D + 16) >> 3u];
  wq_tile[8] = wq_tile_word_1.x & 0xffffu; wq_tile[9] = wq_tile_word_1.x >> 16u;
  wq_tile[10] = wq_tile_word_1.y & 0xffffu; wq_tile[11] = wq_tile_word_1.y >> 16u;
  wq_tile[12] = wq_tile_word_1.z & 0xffffu; wq_tile[13] = wq_tile_word_1.z >> 16u;
  wq_tile[14] = wq_tile_word_1.w & 0xffffu; wq_tile[15] = wq_tile_word_1.w >> 16u;
  let wq_tile_word_2 = wq[(t_D + 32) >> 3u];
  wq_tile[16] = wq_tile_word_2.x & 0xffffu; wq_tile[17] = wq_tile_word_2.x >> 16u;
  wq_tile[18] = wq_tile_word_2.y & 0xffffu; wq_tile[19] = wq_tile_word_2.y >> 16u;
  wq_tile[20] = wq_tile_word_2.z & 0xffffu; wq_tile[21] = wq_tile_word_2.z >> 16u;
  wq_tile[22] = wq_tile_word_2.w & 0xffffu; wq_tile[23] = wq_tile_word_2.w >> 16u;
  let wq_tile_word_3 = wq[(t_D + 48) >> 3u];
  wq_tile[24] = wq_tile_word_3.x & 0xffffu; wq_tile[25] = wq_tile_word_3.x >> 16u;
  wq_tile[26] = wq_tile_word_3.y & 0xffffu; wq_tile[27] = wq_tile_word_3.y >> 16u;
  wq_tile[28] = wq_tile_word_3.z & 0xffffu; wq_tile[29] = wq_tile_word_3.z >> 16u;
  wq_tile[30] = wq_tile_word_3.w & 0xffffu; wq_tile[31] = wq_tile_word_3.w >> 16u;
  let wq_tile_word_4 = wq[(t_D + 64) >> 3u];
  wq_tile[32] = wq_tile_word_4.x & 0xffffu; wq_tile[33] = wq_tile_word_4.x >> 16u;
  wq_tile[34] = wq_tile_word_4.y & 0xffffu; wq_tile[35] = wq_tile_word_4.y >> 16u;
  wq_tile[36] = wq_tile_word_4.z & 0xffffu; wq_tile[37] = wq_tile_word_4.z >> 16u;
  wq_tile[38] = wq_tile_word_4.w & 0xffffu; wq_tile[39] = wq_tile_word_4.w >> 16u;
  var wk_tile: array<u32, 40>;
  let wk_tile_word = wk[t_D >> 3u];
  wk_tile[0] = wk_tile_word.x & 0xffffu; wk_tile[1] = wk_tile_word.x >> 16u;
  wk_tile[2] = wk_tile_word.y & 0xffffu; wk_tile[3] = wk_tile_word.y >> 16u;
  wk_tile[4] = wk_tile_word.z & 0xffffu; wk_tile[5] = wk_tile_word.z >> 16u;
  wk_tile[6] = wk_tile_word.w & 0xffffu; wk_tile[7] = wk_tile_word.w >> 16u;
  let wk_tile_word_1 = wk[(t_D + 16) >> 3u];
  wk_tile[8] = wk_tile_word_1.x & 0xffffu; wk_tile[9] = wk_tile_word_1.x >> 16u;
  wk_tile[10] = wk_tile_word_1.y & 0xffffu; wk_tile[11] = wk_tile_word_1.y >> 16u;
  wk_tile[12] = wk_tile_word_1.z & 0xffffu; wk_tile[13] = wk_tile_word_1.z >> 16u;
  wk_tile[14] = wk_tile_word_1.w & 0xffffu; wk_tile[15] = wk_tile_word_1.w >> 16u;
  let wk_tile_word_2 = wk[(t_D + 32) >> 3u];
  wk_tile[16] = wk_tile_word_2.x & 0xffffu; wk_tile[17] = wk_tile_word_2.x >> 16u;
  wk_tile[18] = wk_tile_word_2.y & 0xffffu; wk_tile[19] = wk_tile_word_2.y >> 16u;
  wk_tile[20] = wk_tile_word_2.z & 0xffffu; wk_tile[21] = wk_tile_word_2.z >> 16u;
  wk_tile[22] = wk_tile_word_2.w & 0xffffu; wk_tile[23] = wk_tile_word_2.w >> 16u;
  let wk_tile_word_3 = wk[(t_D + 48) >> 3u];
  wk_tile[24] = wk_tile_word_3.x & 0xffffu; wk_tile[25] = wk_tile_word_3.x >> 16u;
  wk_tile[26] = wk_tile_word_3.y & 0xffffu; wk_tile[27] = wk_tile_word_3.y >> 16u;
  wk_tile[28] = wk_tile_word_3.z & 0xffffu; wk_tile[29] = wk_tile_word_3.z >> 16u;
  wk_tile[30] = wk_tile_word_3.w & 0xffffu; wk_tile[31] = wk_tile_word_3.w >> 16u;
  let wk_tile_word_4 = wk[(t_D + 64) >> 3u];
  wk_tile[32] = wk_tile_word_4.x & 0xffffu; wk_tile[33] = wk_tile_word_4.x >> 16u;
  wk_tile[34] = wk_tile_word_4.y & 0xffffu; wk_tile[35] = wk_tile_word_4.y >> 16u;
  wk_tile[36] = wk_tile_word_4.z & 0xffffu; wk_tile[37] = wk_tile_word_4.z >> 16u;
  wk_tile[38] = wk_tile_word_4.w & 0xffffu; wk_tile[39] = wk_tile_word_4.w >> 16u;
  let t_1: bool = first + t_BH < launch.numQ;
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
  let part: i32 = thread & 1;
  let is_first: bool = thread < 8;
  if (is_first) {
    let part_at: i32 = part * 4 + t_BH;
    t25_parts[part_at] = sum;
  }
  storageBarrier();
  workgroupBarrier();
  sum = t25_parts[t_BH];
  var other: f32;
  other = t25_parts[t_BH + 4];
  sum = sum + other;
  let t_2: f32 = inverseSqrt(sum / 80.0f + launch.eps);
  if (is_first) {
    for (var r: i32 = 0; r < 5; r++) {
      var qkv_tile_1_1_0: u32; var qkv_tile_1_1_1: u32; var qkv_tile_1_1_2: u32;
      var qkv_tile_1_1_3: u32; var qkv_tile_1_1_4: u32; var qkv_tile_1_1_5: u32;
      var qkv_tile_1_1_6: u32; var qkv_tile_1_1_7: u32;
      qkv_tile_1_1_0 = tw_f32_to_bf16(v[r * 8] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8]), tw_bf16_to_f32(wq_tile[r * 8]), t_1));
      qkv_tile_1_1_1 = tw_f32_to_bf16(v[r * 8 + 1] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 1]), tw_bf16_to_f32(wq_tile[r * 8 + 1]), t_1));
      qkv_tile_1_1_2 = tw_f32_to_bf16(v[r * 8 + 2] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 2]), tw_bf16_to_f32(wq_tile[r * 8 + 2]), t_1));
      qkv_tile_1_1_3 = tw_f32_to_bf16(v[r * 8 + 3] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 3]), tw_bf16_to_f32(wq_tile[r * 8 + 3]), t_1));
      qkv_tile_1_1_4 = tw_f32_to_bf16(v[r * 8 + 4] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 4]), tw_bf16_to_f32(wq_tile[r * 8 + 4]), t_1));
      qkv_tile_1_1_5 = tw_f32_to_bf16(v[r * 8 + 5] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 5]), tw_bf16_to_f32(wq_tile[r * 8 + 5]), t_1));
      qkv_tile_1_1_6 = tw_f32_to_bf16(v[r * 8 + 6] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 6]), tw_bf16_to_f32(wq_tile[r * 8 + 6]), t_1));
      qkv_tile_1_1_7 = tw_f32_to_bf16(v[r * 8 + 7] * t_2 * select(
          tw_bf16_to_f32(wk_tile[r * 8 + 7]), tw_bf16_to_f32(wq_tile[r * 8 + 7]), t_1));
      if (qkv_in) {
        qkv[(qkv_at_1 + r * 16) >> 3u] = vec4<u32>(
            qkv_tile_1_1_0 | (qkv_tile_1_1_1 << 16u), qkv_tile_1_1_2 | (qkv_tile_1_1_3 << 16u),
            qkv_tile_1_1_4 | (qkv_tile_1_1_5 << 16u), qkv_tile_1_1_6 | (qkv_tile_1_1_7 << 16u));
      }
    }
  }
}
