// rope_kv_write for wgsl, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BH=8
// dims fixed: D=128 D2=64 PAGE=4
// dims divisible: P%2
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  HT: i32,
  P: i32,
  HQ: i32,
  NB: i32,
  HKV: i32,
  kScale: f32,
  vScale: f32,
}
@group(0) @binding(0) var<storage, read> qkv: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read> cosSin: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> slots: array<i32>;
@group(0) @binding(4) var<storage, read_write> q: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> kCache: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> vCache: array<vec4<u32>>;
@group(0) @binding(7) var<uniform> launch: TwLaunch;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(128)
fn rope_kv_write(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let queryBlocks: i32 = (launch.HQ + 7) >> 3u;
  var position: i32;
  position = positions[pid0];
  let t_D2: i32 = (thread & 15) * 4;
  let cosSin_at: i32 = position * 128 + t_D2;
  let cosSin_in: bool = u32(position) < u32(launch.P);
  var cos_0: f32; var cos_1: f32; var cos_2: f32; var cos_3: f32;
  let cos_word = select(vec4<f32>(0.0f), cosSin[select(0, cosSin_at >> 2u, cosSin_in)], cosSin_in);
  cos_0 = cos_word.x; cos_1 = cos_word.y; cos_2 = cos_word.z; cos_3 = cos_word.w;
  var sin_0: f32; var sin_1: f32; var sin_2: f32; var sin_3: f32;
  let sin_word = select(
      vec4<f32>(0.0f), cosSin[select(0, (cosSin_at + 64) >> 2u, cosSin_in)], cosSin_in);
  sin_0 = sin_word.x; sin_1 = sin_word.y; sin_2 = sin_word.z; sin_3 = sin_word.w;
  let t: bool = pid1 < queryBlocks;
  let stride: i32 = launch.HT * 128;
  if (t) {
    let t_1: i32 = pid1 * 8;
    let bound: i32 = min(launch.HQ, launch.HT);
    let qkv_at: i32 = t_D2 + pid0 * stride + t_1 * 128;
    let qkv_in: bool = pid0 < launch.N;
    var qkv_tile_0: u32; var qkv_tile_1: u32; var qkv_tile_2: u32; var qkv_tile_3: u32;
    var qkv_tile_4: u32; var qkv_tile_5: u32; var qkv_tile_6: u32; var qkv_tile_7: u32;
    var qkv_tile_8: u32; var qkv_tile_9: u32; var qkv_tile_10: u32; var qkv_tile_11: u32;
    var qkv_tile_12: u32; var qkv_tile_13: u32; var qkv_tile_14: u32; var qkv_tile_15: u32;
    var qkv_tile_16: u32; var qkv_tile_17: u32; var qkv_tile_18: u32; var qkv_tile_19: u32;
    var qkv_tile_20: u32; var qkv_tile_21: u32; var qkv_tile_22: u32; var qkv_tile_23: u32;
    var qkv_tile_24: u32; var qkv_tile_25: u32; var qkv_tile_26: u32; var qkv_tile_27: u32;
    var qkv_tile_28: u32; var qkv_tile_29: u32; var qkv_tile_30: u32; var qkv_tile_31: u32;
    let left: i32 = bound - t_1;
    let qkv_tile_in = qkv_in & (0 < left);
    let qkv_tile_word = select(
        vec2<u32>(0u), qkv[select(0, qkv_at >> 2u, qkv_tile_in)], qkv_tile_in);
    qkv_tile_0 = qkv_tile_word.x & 0xffffu; qkv_tile_1 = qkv_tile_word.x >> 16u;
    qkv_tile_2 = qkv_tile_word.y & 0xffffu; qkv_tile_3 = qkv_tile_word.y >> 16u;
    let qkv_tile_in_1 = qkv_in & (1 < left);
    let qkv_tile_word_1 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 128) >> 2u, qkv_tile_in_1)], qkv_tile_in_1);
    qkv_tile_4 = qkv_tile_word_1.x & 0xffffu; qkv_tile_5 = qkv_tile_word_1.x >> 16u;
    qkv_tile_6 = qkv_tile_word_1.y & 0xffffu; qkv_tile_7 = qkv_tile_word_1.y >> 16u;
    let qkv_tile_in_2 = qkv_in & (2 < left);
    let qkv_tile_word_2 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 256) >> 2u, qkv_tile_in_2)], qkv_tile_in_2);
    qkv_tile_8 = qkv_tile_word_2.x & 0xffffu; qkv_tile_9 = qkv_tile_word_2.x >> 16u;
    qkv_tile_10 = qkv_tile_word_2.y & 0xffffu; qkv_tile_11 = qkv_tile_word_2.y >> 16u;
    let qkv_tile_in_3 = qkv_in & (3 < left);
    let qkv_tile_word_3 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 384) >> 2u, qkv_tile_in_3)], qkv_tile_in_3);
    qkv_tile_12 = qkv_tile_word_3.x & 0xffffu; qkv_tile_13 = qkv_tile_word_3.x >> 16u;
    qkv_tile_14 = qkv_tile_word_3.y & 0xffffu; qkv_tile_15 = qkv_tile_word_3.y >> 16u;
    let qkv_tile_in_4 = qkv_in & (4 < left);
    let qkv_tile_word_4 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 512) >> 2u, qkv_tile_in_4)], qkv_tile_in_4);
    qkv_tile_16 = qkv_tile_word_4.x & 0xffffu; qkv_tile_17 = qkv_tile_word_4.x >> 16u;
    qkv_tile_18 = qkv_tile_word_4.y & 0xffffu; qkv_tile_19 = qkv_tile_word_4.y >> 16u;
    let qkv_tile_in_5 = qkv_in & (5 < left);
    let qkv_tile_word_5 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 640) >> 2u, qkv_tile_in_5)], qkv_tile_in_5);
    qkv_tile_20 = qkv_tile_word_5.x & 0xffffu; qkv_tile_21 = qkv_tile_word_5.x >> 16u;
    qkv_tile_22 = qkv_tile_word_5.y & 0xffffu; qkv_tile_23 = qkv_tile_word_5.y >> 16u;
    let qkv_tile_in_6 = qkv_in & (6 < left);
    let qkv_tile_word_6 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 768) >> 2u, qkv_tile_in_6)], qkv_tile_in_6);
    qkv_tile_24 = qkv_tile_word_6.x & 0xffffu; qkv_tile_25 = qkv_tile_word_6.x >> 16u;
    qkv_tile_26 = qkv_tile_word_6.y & 0xffffu; qkv_tile_27 = qkv_tile_word_6.y >> 16u;
    let qkv_tile_in_7 = qkv_in & (7 < left);
    let qkv_tile_word_7 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 896) >> 2u, qkv_tile_in_7)], qkv_tile_in_7);
    qkv_tile_28 = qkv_tile_word_7.x & 0xffffu; qkv_tile_29 = qkv_tile_word_7.x >> 16u;
    qkv_tile_30 = qkv_tile_word_7.y & 0xffffu; qkv_tile_31 = qkv_tile_word_7.y >> 16u;
    var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
    var x_6: f32; var x_7: f32; var x_8: f32; var x_9: f32; var x_10: f32; var x_11: f32;
    var x_12: f32; var x_13: f32; var x_14: f32; var x_15: f32; var x_16: f32; var x_17: f32;
    var x_18: f32; var x_19: f32; var x_20: f32; var x_21: f32; var x_22: f32; var x_23: f32;
    var x_24: f32; var x_25: f32; var x_26: f32; var x_27: f32; var x_28: f32; var x_29: f32;
    var x_30: f32; var x_31: f32;
    x_0 = tw_bf16_to_f32(qkv_tile_0); x_1 = tw_bf16_to_f32(qkv_tile_1);
    x_2 = tw_bf16_to_f32(qkv_tile_2); x_3 = tw_bf16_to_f32(qkv_tile_3);
    x_4 = tw_bf16_to_f32(qkv_tile_4); x_5 = tw_bf16_to_f32(qkv_tile_5);
    x_6 = tw_bf16_to_f32(qkv_tile_6); x_7 = tw_bf16_to_f32(qkv_tile_7);
    x_8 = tw_bf16_to_f32(qkv_tile_8); x_9 = tw_bf16_to_f32(qkv_tile_9);
    x_10 = tw_bf16_to_f32(qkv_tile_10); x_11 = tw_bf16_to_f32(qkv_tile_11);
    x_12 = tw_bf16_to_f32(qkv_tile_12); x_13 = tw_bf16_to_f32(qkv_tile_13);
    x_14 = tw_bf16_to_f32(qkv_tile_14); x_15 = tw_bf16_to_f32(qkv_tile_15);
    x_16 = tw_bf16_to_f32(qkv_tile_16); x_17 = tw_bf16_to_f32(qkv_tile_17);
    x_18 = tw_bf16_to_f32(qkv_tile_18); x_19 = tw_bf16_to_f32(qkv_tile_19);
    x_20 = tw_bf16_to_f32(qkv_tile_20); x_21 = tw_bf16_to_f32(qkv_tile_21);
    x_22 = tw_bf16_to_f32(qkv_tile_22); x_23 = tw_bf16_to_f32(qkv_tile_23);
    x_24 = tw_bf16_to_f32(qkv_tile_24); x_25 = tw_bf16_to_f32(qkv_tile_25);
    x_26 = tw_bf16_to_f32(qkv_tile_26); x_27 = tw_bf16_to_f32(qkv_tile_27);
    x_28 = tw_bf16_to_f32(qkv_tile_28); x_29 = tw_bf16_to_f32(qkv_tile_29);
    x_30 = tw_bf16_to_f32(qkv_tile_30); x_31 = tw_bf16_to_f32(qkv_tile_31);
    var qkv_tile_1_1_0: u32; var qkv_tile_1_1_1: u32; var qkv_tile_1_1_2: u32;
    var qkv_tile_1_1_3: u32; var qkv_tile_1_1_4: u32; var qkv_tile_1_1_5: u32;
    var qkv_tile_1_1_6: u32; var qkv_tile_1_1_7: u32; var qkv_tile_1_1_8: u32;
    var qkv_tile_1_1_9: u32; var qkv_tile_1_1_10: u32; var qkv_tile_1_1_11: u32;
    var qkv_tile_1_1_12: u32; var qkv_tile_1_1_13: u32; var qkv_tile_1_1_14: u32;
    var qkv_tile_1_1_15: u32; var qkv_tile_1_1_16: u32; var qkv_tile_1_1_17: u32;
    var qkv_tile_1_1_18: u32; var qkv_tile_1_1_19: u32; var qkv_tile_1_1_20: u32;
    var qkv_tile_1_1_21: u32; var qkv_tile_1_1_22: u32; var qkv_tile_1_1_23: u32;
    var qkv_tile_1_1_24: u32; var qkv_tile_1_1_25: u32; var qkv_tile_1_1_26: u32;
    var qkv_tile_1_1_27: u32; var qkv_tile_1_1_28: u32; var qkv_tile_1_1_29: u32;
    var qkv_tile_1_1_30: u32; var qkv_tile_1_1_31: u32;
    let qkv_tile_1_in = qkv_in & (0 < left);
    let qkv_tile_1_word = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 64) >> 2u, qkv_tile_1_in)], qkv_tile_1_in);
    qkv_tile_1_1_0 = qkv_tile_1_word.x & 0xffffu; qkv_tile_1_1_1 = qkv_tile_1_word.x >> 16u;
    qkv_tile_1_1_2 = qkv_tile_1_word.y & 0xffffu; qkv_tile_1_1_3 = qkv_tile_1_word.y >> 16u;
    let qkv_tile_1_in_1 = qkv_in & (1 < left);
    let qkv_tile_1_word_1 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 192) >> 2u, qkv_tile_1_in_1)], qkv_tile_1_in_1);
    qkv_tile_1_1_4 = qkv_tile_1_word_1.x & 0xffffu; qkv_tile_1_1_5 = qkv_tile_1_word_1.x >> 16u;
    qkv_tile_1_1_6 = qkv_tile_1_word_1.y & 0xffffu; qkv_tile_1_1_7 = qkv_tile_1_word_1.y >> 16u;
    let qkv_tile_1_in_2 = qkv_in & (2 < left);
    let qkv_tile_1_word_2 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 320) >> 2u, qkv_tile_1_in_2)], qkv_tile_1_in_2);
    qkv_tile_1_1_8 = qkv_tile_1_word_2.x & 0xffffu; qkv_tile_1_1_9 = qkv_tile_1_word_2.x >> 16u;
    qkv_tile_1_1_10 = qkv_tile_1_word_2.y & 0xffffu; qkv_tile_1_1_11 = qkv_tile_1_word_2.y >> 16u;
    let qkv_tile_1_in_3 = qkv_in & (3 < left);
    let qkv_tile_1_word_3 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 448) >> 2u, qkv_tile_1_in_3)], qkv_tile_1_in_3);
    qkv_tile_1_1_12 = qkv_tile_1_word_3.x & 0xffffu; qkv_tile_1_1_13 = qkv_tile_1_word_3.x >> 16u;
    qkv_tile_1_1_14 = qkv_tile_1_word_3.y & 0xffffu; qkv_tile_1_1_15 = qkv_tile_1_word_3.y >> 16u;
    let qkv_tile_1_in_4 = qkv_in & (4 < left);
    let qkv_tile_1_word_4 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 576) >> 2u, qkv_tile_1_in_4)], qkv_tile_1_in_4);
    qkv_tile_1_1_16 = qkv_tile_1_word_4.x & 0xffffu; qkv_tile_1_1_17 = qkv_tile_1_word_4.x >> 16u;
    qkv_tile_1_1_18 = qkv_tile_1_word_4.y & 0xffffu; qkv_tile_1_1_19 = qkv_tile_1_word_4.y >> 16u;
    let qkv_tile_1_in_5 = qkv_in & (5 < left);
    let qkv_tile_1_word_5 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 704) >> 2u, qkv_tile_1_in_5)], qkv_tile_1_in_5);
    qkv_tile_1_1_20 = qkv_tile_1_word_5.x & 0xffffu; qkv_tile_1_1_21 = qkv_tile_1_word_5.x >> 16u;
    qkv_tile_1_1_22 = qkv_tile_1_word_5.y & 0xffffu; qkv_tile_1_1_23 = qkv_tile_1_word_5.y >> 16u;
    let qkv_tile_1_in_6 = qkv_in & (6 < left);
    let qkv_tile_1_word_6 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 832) >> 2u, qkv_tile_1_in_6)], qkv_tile_1_in_6);
    qkv_tile_1_1_24 = qkv_tile_1_word_6.x & 0xffffu; qkv_tile_1_1_25 = qkv_tile_1_word_6.x >> 16u;
    qkv_tile_1_1_26 = qkv_tile_1_word_6.y & 0xffffu; qkv_tile_1_1_27 = qkv_tile_1_word_6.y >> 16u;
    let qkv_tile_1_in_7 = qkv_in & (7 < left);
    let qkv_tile_1_word_7 = select(
        vec2<u32>(0u), qkv[select(0, (qkv_at + 960) >> 2u, qkv_tile_1_in_7)], qkv_tile_1_in_7);
    qkv_tile_1_1_28 = qkv_tile_1_word_7.x & 0xffffu; qkv_tile_1_1_29 = qkv_tile_1_word_7.x >> 16u;
    qkv_tile_1_1_30 = qkv_tile_1_word_7.y & 0xffffu; qkv_tile_1_1_31 = qkv_tile_1_word_7.y >> 16u;
    var y_0: f32; var y_1: f32; var y_2: f32; var y_3: f32; var y_4: f32; var y_5: f32;
    var y_6: f32; var y_7: f32; var y_8: f32; var y_9: f32; var y_10: f32; var y_11: f32;
    var y_12: f32; var y_13: f32; var y_14: f32; var y_15: f32; var y_16: f32; var y_17: f32;
    var y_18: f32; var y_19: f32; var y_20: f32; var y_21: f32; var y_22: f32; var y_23: f32;
    var y_24: f32; var y_25: f32; var y_26: f32; var y_27: f32; var y_28: f32; var y_29: f32;
    var y_30: f32; var y_31: f32;
    y_0 = tw_bf16_to_f32(qkv_tile_1_1_0); y_1 = tw_bf16_to_f32(qkv_tile_1_1_1);
    y_2 = tw_bf16_to_f32(qkv_tile_1_1_2); y_3 = tw_bf16_to_f32(qkv_tile_1_1_3);
    y_4 = tw_bf16_to_f32(qkv_tile_1_1_4); y_5 = tw_bf16_to_f32(qkv_tile_1_1_5);
    y_6 = tw_bf16_to_f32(qkv_tile_1_1_6); y_7 = tw_bf16_to_f32(qkv_tile_1_1_7);
    y_8 = tw_bf16_to_f32(qkv_tile_1_1_8); y_9 = tw_bf16_to_f32(qkv_tile_1_1_9);
    y_10 = tw_bf16_to_f32(qkv_tile_1_1_10); y_11 = tw_bf16_to_f32(qkv_tile_1_1_11);
    y_12 = tw_bf16_to_f32(qkv_tile_1_1_12); y_13 = tw_bf16_to_f32(qkv_tile_1_1_13);
    y_14 = tw_bf16_to_f32(qkv_tile_1_1_14); y_15 = tw_bf16_to_f32(qkv_tile_1_1_15);
    y_16 = tw_bf16_to_f32(qkv_tile_1_1_16); y_17 = tw_bf16_to_f32(qkv_tile_1_1_17);
    y_18 = tw_bf16_to_f32(qkv_tile_1_1_18); y_19 = tw_bf16_to_f32(qkv_tile_1_1_19);
    y_20 = tw_bf16_to_f32(qkv_tile_1_1_20); y_21 = tw_bf16_to_f32(qkv_tile_1_1_21);
    y_22 = tw_bf16_to_f32(qkv_tile_1_1_22); y_23 = tw_bf16_to_f32(qkv_tile_1_1_23);
    y_24 = tw_bf16_to_f32(qkv_tile_1_1_24); y_25 = tw_bf16_to_f32(qkv_tile_1_1_25);
    y_26 = tw_bf16_to_f32(qkv_tile_1_1_26); y_27 = tw_bf16_to_f32(qkv_tile_1_1_27);
    y_28 = tw_bf16_to_f32(qkv_tile_1_1_28); y_29 = tw_bf16_to_f32(qkv_tile_1_1_29);
    y_30 = tw_bf16_to_f32(qkv_tile_1_1_30); y_31 = tw_bf16_to_f32(qkv_tile_1_1_31);
    let stride_1: i32 = launch.HQ * 128;
    let q_at: i32 = t_D2 + pid0 * stride_1 + t_1 * 128;
    let is_first: bool = thread < 16;
    let left_1: i32 = launch.HQ - t_1;
    if (is_first) {
      var q_tile_0: u32; var q_tile_1: u32; var q_tile_2: u32; var q_tile_3: u32;
      q_tile_0 = tw_f32_to_bf16(x_0 * cos_0 - y_0 * sin_0);
      q_tile_1 = tw_f32_to_bf16(x_1 * cos_1 - y_1 * sin_1);
      q_tile_2 = tw_f32_to_bf16(x_2 * cos_2 - y_2 * sin_2);
      q_tile_3 = tw_f32_to_bf16(x_3 * cos_3 - y_3 * sin_3);
      if (qkv_in & (0 < left_1)) {
        q[q_at >> 2u] = vec2<u32>(q_tile_0 | (q_tile_1 << 16u), q_tile_2 | (q_tile_3 << 16u));
      }
      var q_tile_1_1_0: u32; var q_tile_1_1_1: u32; var q_tile_1_1_2: u32; var q_tile_1_1_3: u32;
      q_tile_1_1_0 = tw_f32_to_bf16(x_4 * cos_0 - y_4 * sin_0);
      q_tile_1_1_1 = tw_f32_to_bf16(x_5 * cos_1 - y_5 * sin_1);
      q_tile_1_1_2 = tw_f32_to_bf16(x_6 * cos_2 - y_6 * sin_2);
      q_tile_1_1_3 = tw_f32_to_bf16(x_7 * cos_3 - y_7 * sin_3);
      if (qkv_in & (1 < left_1)) {
        q[(q_at + 128) >> 2u] = vec2<u32>(
            q_tile_1_1_0 | (q_tile_1_1_1 << 16u), q_tile_1_1_2 | (q_tile_1_1_3 << 16u));
      }
      var q_tile_2_1_0: u32; var q_tile_2_1_1: u32; var q_tile_2_1_2: u32; var q_tile_2_1_3: u32;
      q_tile_2_1_0 = tw_f32_to_bf16(x_8 * cos_0 - y_8 * sin_0);
      q_tile_2_1_1 = tw_f32_to_bf16(x_9 * cos_1 - y_9 * sin_1);
      q_tile_2_1_2 = tw_f32_to_bf16(x_10 * cos_2 - y_10 * sin_2);
      q_tile_2_1_3 = tw_f32_to_bf16(x_11 * cos_3 - y_11 * sin_3);
      if (qkv_in & (2 < left_1)) {
        q[(q_at + 256) >> 2u] = vec2<u32>(
            q_tile_2_1_0 | (q_tile_2_1_1 << 16u), q_tile_2_1_2 | (q_tile_2_1_3 << 16u));
      }
      var q_tile_3_1_0: u32; var q_tile_3_1_1: u32; var q_tile_3_1_2: u32; var q_tile_3_1_3: u32;
      q_tile_3_1_0 = tw_f32_to_bf16(x_12 * cos_0 - y_12 * sin_0);
      q_tile_3_1_1 = tw_f32_to_bf16(x_13 * cos_1 - y_13 * sin_1);
      q_tile_3_1_2 = tw_f32_to_bf16(x_14 * cos_2 - y_14 * sin_2);
      q_tile_3_1_3 = tw_f32_to_bf16(x_15 * cos_3 - y_15 * sin_3);
      if (qkv_in & (3 < left_1)) {
        q[(q_at + 384) >> 2u] = vec2<u32>(
            q_tile_3_1_0 | (q_tile_3_1_1 << 16u), q_tile_3_1_2 | (q_tile_3_1_3 << 16u));
      }
      var q_tile_4_0: u32; var q_tile_4_1: u32; var q_tile_4_2: u32; var q_tile_4_3: u32;
      q_tile_4_0 = tw_f32_to_bf16(x_16 * cos_0 - y_16 * sin_0);
      q_tile_4_1 = tw_f32_to_bf16(x_17 * cos_1 - y_17 * sin_1);
      q_tile_4_2 = tw_f32_to_bf16(x_18 * cos_2 - y_18 * sin_2);
      q_tile_4_3 = tw_f32_to_bf16(x_19 * cos_3 - y_19 * sin_3);
      if (qkv_in & (4 < left_1)) {
        q[(q_at + 512) >> 2u] = vec2<u32>(
            q_tile_4_0 | (q_tile_4_1 << 16u), q_tile_4_2 | (q_tile_4_3 << 16u));
      }
      var q_tile_5_0: u32; var q_tile_5_1: u32; var q_tile_5_2: u32; var q_tile_5_3: u32;
      q_tile_5_0 = tw_f32_to_bf16(x_20 * cos_0 - y_20 * sin_0);
      q_tile_5_1 = tw_f32_to_bf16(x_21 * cos_1 - y_21 * sin_1);
      q_tile_5_2 = tw_f32_to_bf16(x_22 * cos_2 - y_22 * sin_2);
      q_tile_5_3 = tw_f32_to_bf16(x_23 * cos_3 - y_23 * sin_3);
      if (qkv_in & (5 < left_1)) {
        q[(q_at + 640) >> 2u] = vec2<u32>(
            q_tile_5_0 | (q_tile_5_1 << 16u), q_tile_5_2 | (q_tile_5_3 << 16u));
      }
      var q_tile_6_0: u32; var q_tile_6_1: u32; var q_tile_6_2: u32; var q_tile_6_3: u32;
      q_tile_6_0 = tw_f32_to_bf16(x_24 * cos_0 - y_24 * sin_0);
      q_tile_6_1 = tw_f32_to_bf16(x_25 * cos_1 - y_25 * sin_1);
      q_tile_6_2 = tw_f32_to_bf16(x_26 * cos_2 - y_26 * sin_2);
      q_tile_6_3 = tw_f32_to_bf16(x_27 * cos_3 - y_27 * sin_3);
      if (qkv_in & (6 < left_1)) {
        q[(q_at + 768) >> 2u] = vec2<u32>(
            q_tile_6_0 | (q_tile_6_1 << 16u), q_tile_6_2 | (q_tile_6_3 << 16u));
      }
      var q_tile_7_0: u32; var q_tile_7_1: u32; var q_tile_7_2: u32; var q_tile_7_3: u32;
      q_tile_7_0 = tw_f32_to_bf16(x_28 * cos_0 - y_28 * sin_0);
      q_tile_7_1 = tw_f32_to_bf16(x_29 * cos_1 - y_29 * sin_1);
      q_tile_7_2 = tw_f32_to_bf16(x_30 * cos_2 - y_30 * sin_2);
      q_tile_7_3 = tw_f32_to_bf16(x_31 * cos_3 - y_31 * sin_3);
      if (qkv_in & (7 < left_1)) {
        q[(q_at + 896) >> 2u] = vec2<u32>(
            q_tile_7_0 | (q_tile_7_1 << 16u), q_tile_7_2 | (q_tile_7_3 << 16u));
      }
    }
    storageBarrier();
    workgroupBarrier();
    if (is_first) {
      var q_tile_8_0: u32; var q_tile_8_1: u32; var q_tile_8_2: u32; var q_tile_8_3: u32;
      q_tile_8_0 = tw_f32_to_bf16(y_0 * cos_0 + x_0 * sin_0);
      q_tile_8_1 = tw_f32_to_bf16(y_1 * cos_1 + x_1 * sin_1);
      q_tile_8_2 = tw_f32_to_bf16(y_2 * cos_2 + x_2 * sin_2);
      q_tile_8_3 = tw_f32_to_bf16(y_3 * cos_3 + x_3 * sin_3);
      if (qkv_in & (0 < left_1)) {
        q[(q_at + 64) >> 2u] = vec2<u32>(
            q_tile_8_0 | (q_tile_8_1 << 16u), q_tile_8_2 | (q_tile_8_3 << 16u));
      }
      var q_tile_9_0: u32; var q_tile_9_1: u32; var q_tile_9_2: u32; var q_tile_9_3: u32;
      q_tile_9_0 = tw_f32_to_bf16(y_4 * cos_0 + x_4 * sin_0);
      q_tile_9_1 = tw_f32_to_bf16(y_5 * cos_1 + x_5 * sin_1);
      q_tile_9_2 = tw_f32_to_bf16(y_6 * cos_2 + x_6 * sin_2);
      q_tile_9_3 = tw_f32_to_bf16(y_7 * cos_3 + x_7 * sin_3);
      if (qkv_in & (1 < left_1)) {
        q[(q_at + 192) >> 2u] = vec2<u32>(
            q_tile_9_0 | (q_tile_9_1 << 16u), q_tile_9_2 | (q_tile_9_3 << 16u));
      }
      var q_tile_10_0: u32; var q_tile_10_1: u32; var q_tile_10_2: u32; var q_tile_10_3: u32;
      q_tile_10_0 = tw_f32_to_bf16(y_8 * cos_0 + x_8 * sin_0);
      q_tile_10_1 = tw_f32_to_bf16(y_9 * cos_1 + x_9 * sin_1);
      q_tile_10_2 = tw_f32_to_bf16(y_10 * cos_2 + x_10 * sin_2);
      q_tile_10_3 = tw_f32_to_bf16(y_11 * cos_3 + x_11 * sin_3);
      if (qkv_in & (2 < left_1)) {
        q[(q_at + 320) >> 2u] = vec2<u32>(
            q_tile_10_0 | (q_tile_10_1 << 16u), q_tile_10_2 | (q_tile_10_3 << 16u));
      }
      var q_tile_11_0: u32; var q_tile_11_1: u32; var q_tile_11_2: u32; var q_tile_11_3: u32;
      q_tile_11_0 = tw_f32_to_bf16(y_12 * cos_0 + x_12 * sin_0);
      q_tile_11_1 = tw_f32_to_bf16(y_13 * cos_1 + x_13 * sin_1);
      q_tile_11_2 = tw_f32_to_bf16(y_14 * cos_2 + x_14 * sin_2);
      q_tile_11_3 = tw_f32_to_bf16(y_15 * cos_3 + x_15 * sin_3);
      if (qkv_in & (3 < left_1)) {
        q[(q_at + 448) >> 2u] = vec2<u32>(
            q_tile_11_0 | (q_tile_11_1 << 16u), q_tile_11_2 | (q_tile_11_3 << 16u));
      }
      var q_tile_12_0: u32; var q_tile_12_1: u32; var q_tile_12_2: u32; var q_tile_12_3: u32;
      q_tile_12_0 = tw_f32_to_bf16(y_16 * cos_0 + x_16 * sin_0);
      q_tile_12_1 = tw_f32_to_bf16(y_17 * cos_1 + x_17 * sin_1);
      q_tile_12_2 = tw_f32_to_bf16(y_18 * cos_2 + x_18 * sin_2);
      q_tile_12_3 = tw_f32_to_bf16(y_19 * cos_3 + x_19 * sin_3);
      if (qkv_in & (4 < left_1)) {
        q[(q_at + 576) >> 2u] = vec2<u32>(
            q_tile_12_0 | (q_tile_12_1 << 16u), q_tile_12_2 | (q_tile_12_3 << 16u));
      }
      var q_tile_13_0: u32; var q_tile_13_1: u32; var q_tile_13_2: u32; var q_tile_13_3: u32;
      q_tile_13_0 = tw_f32_to_bf16(y_20 * cos_0 + x_20 * sin_0);
      q_tile_13_1 = tw_f32_to_bf16(y_21 * cos_1 + x_21 * sin_1);
      q_tile_13_2 = tw_f32_to_bf16(y_22 * cos_2 + x_22 * sin_2);
      q_tile_13_3 = tw_f32_to_bf16(y_23 * cos_3 + x_23 * sin_3);
      if (qkv_in & (5 < left_1)) {
        q[(q_at + 704) >> 2u] = vec2<u32>(
            q_tile_13_0 | (q_tile_13_1 << 16u), q_tile_13_2 | (q_tile_13_3 << 16u));
      }
      var q_tile_14_0: u32; var q_tile_14_1: u32; var q_tile_14_2: u32; var q_tile_14_3: u32;
      q_tile_14_0 = tw_f32_to_bf16(y_24 * cos_0 + x_24 * sin_0);
      q_tile_14_1 = tw_f32_to_bf16(y_25 * cos_1 + x_25 * sin_1);
      q_tile_14_2 = tw_f32_to_bf16(y_26 * cos_2 + x_26 * sin_2);
      q_tile_14_3 = tw_f32_to_bf16(y_27 * cos_3 + x_27 * sin_3);
      if (qkv_in & (6 < left_1)) {
        q[(q_at + 832) >> 2u] = vec2<u32>(
            q_tile_14_0 | (q_tile_14_1 << 16u), q_tile_14_2 | (q_tile_14_3 << 16u));
      }
      var q_tile_15_0: u32; var q_tile_15_1: u32; var q_tile_15_2: u32; var q_tile_15_3: u32;
      q_tile_15_0 = tw_f32_to_bf16(y_28 * cos_0 + x_28 * sin_0);
      q_tile_15_1 = tw_f32_to_bf16(y_29 * cos_1 + x_29 * sin_1);
      q_tile_15_2 = tw_f32_to_bf16(y_30 * cos_2 + x_30 * sin_2);
      q_tile_15_3 = tw_f32_to_bf16(y_31 * cos_3 + x_31 * sin_3);
      if (qkv_in & (7 < left_1)) {
        q[(q_at + 960) >> 2u] = vec2<u32>(
            q_tile_15_0 | (q_tile_15_1 << 16u), q_tile_15_2 | (q_tile_15_3 << 16u));
      }
    }
  } else {
    var slot: i32;
    slot = slots[pid0];
    let t_2: bool = slot >= 0;
    if (t_2) {
      let head: i32 = (pid1 - queryBlocks) * 8;
      let page: i32 = slot >> 2u;
      let offset: i32 = slot & 3;
      let t_3: i32 = launch.HQ + head;
      let t_4: i32 = launch.HQ + launch.HKV;
      let t_BH: i32 = thread >> 4u;
      let bound_1: i32 = min(t_4, launch.HT);
      let position_1: i32 = t_3 + t_BH;
      let bound_2: i32 = max(bound_1, 0);
      let qkv_at_1: i32 = t_D2 + t_BH * 128;
      let qkv_at_2: i32 = pid0 * stride + t_3 * 128 + qkv_at_1;
      let qkv_in_1: bool = (pid0 < launch.N) & (u32(position_1) < u32(bound_2));
      var qkv_tile_2_0: u32; var qkv_tile_2_1: u32; var qkv_tile_2_2: u32; var qkv_tile_2_3: u32;
      let qkv_tile_2_word = select(
          vec2<u32>(0u), qkv[select(0, qkv_at_2 >> 2u, qkv_in_1)], qkv_in_1);
      qkv_tile_2_0 = qkv_tile_2_word.x & 0xffffu; qkv_tile_2_1 = qkv_tile_2_word.x >> 16u;
      qkv_tile_2_2 = qkv_tile_2_word.y & 0xffffu; qkv_tile_2_3 = qkv_tile_2_word.y >> 16u;
      var x_1_0: f32; var x_1_1: f32; var x_1_2: f32; var x_1_3: f32;
      x_1_0 = tw_bf16_to_f32(qkv_tile_2_0); x_1_1 = tw_bf16_to_f32(qkv_tile_2_1);
      x_1_2 = tw_bf16_to_f32(qkv_tile_2_2); x_1_3 = tw_bf16_to_f32(qkv_tile_2_3);
      var qkv_tile_3_0: u32; var qkv_tile_3_1: u32; var qkv_tile_3_2: u32; var qkv_tile_3_3: u32;
      let qkv_tile_3_word = select(
          vec2<u32>(0u), qkv[select(0, (qkv_at_2 + 64) >> 2u, qkv_in_1)], qkv_in_1);
      qkv_tile_3_0 = qkv_tile_3_word.x & 0xffffu; qkv_tile_3_1 = qkv_tile_3_word.x >> 16u;
      qkv_tile_3_2 = qkv_tile_3_word.y & 0xffffu; qkv_tile_3_3 = qkv_tile_3_word.y >> 16u;
      var y_1_0: f32; var y_1_1: f32; var y_1_2: f32; var y_1_3: f32;
      y_1_0 = tw_bf16_to_f32(qkv_tile_3_0); y_1_1 = tw_bf16_to_f32(qkv_tile_3_1);
      y_1_2 = tw_bf16_to_f32(qkv_tile_3_2); y_1_3 = tw_bf16_to_f32(qkv_tile_3_3);
      let stride_2: i32 = launch.HKV * 512;
      let stride_3: i32 = launch.HKV * 128;
      let position_2: i32 = head + t_BH;
      let kCache_at: i32 = page * stride_2 + offset * stride_3 + head * 128 + qkv_at_1;
      let kCache_in: bool = (u32(page) < u32(launch.NB)) & (u32(position_2) < u32(launch.HKV));
      var kCache_tile_0: u32; var kCache_tile_1: u32; var kCache_tile_2: u32;
      var kCache_tile_3: u32;
      kCache_tile_0 = tw_f32_to_bf16(x_1_0 * cos_0 - y_1_0 * sin_0);
      kCache_tile_1 = tw_f32_to_bf16(x_1_1 * cos_1 - y_1_1 * sin_1);
      kCache_tile_2 = tw_f32_to_bf16(x_1_2 * cos_2 - y_1_2 * sin_2);
      kCache_tile_3 = tw_f32_to_bf16(x_1_3 * cos_3 - y_1_3 * sin_3);
      if (kCache_in) {
        kCache[kCache_at >> 2u] = vec2<u32>(
            kCache_tile_0 | (kCache_tile_1 << 16u), kCache_tile_2 | (kCache_tile_3 << 16u));
      }
      storageBarrier();
      workgroupBarrier();
      var kCache_tile_1_1_0: u32; var kCache_tile_1_1_1: u32; var kCache_tile_1_1_2: u32;
      var kCache_tile_1_1_3: u32;
      kCache_tile_1_1_0 = tw_f32_to_bf16(y_1_0 * cos_0 + x_1_0 * sin_0);
      kCache_tile_1_1_1 = tw_f32_to_bf16(y_1_1 * cos_1 + x_1_1 * sin_1);
      kCache_tile_1_1_2 = tw_f32_to_bf16(y_1_2 * cos_2 + x_1_2 * sin_2);
      kCache_tile_1_1_3 = tw_f32_to_bf16(y_1_3 * cos_3 + x_1_3 * sin_3);
      if (kCache_in) {
        kCache[(kCache_at + 64) >> 2u] = vec2<u32>(
            kCache_tile_1_1_0 | (kCache_tile_1_1_1 << 16u),
            kCache_tile_1_1_2 | (kCache_tile_1_1_3 << 16u));
      }
      let t_5: i32 = t_4 + head;
      let t_6: i32 = launch.HQ + launch.HKV * 2;
      let bound_3: i32 = min(t_6, launch.HT);
      let position_3: i32 = t_5 + t_BH;
      let bound_4: i32 = max(bound_3, 0);
      let t_D: i32 = (thread & 15) * 8;
      let qkv_at_3: i32 = t_BH * 128 + t_D;
      let qkv_at_4: i32 = pid0 * stride + t_5 * 128 + qkv_at_3;
      let qkv_in_2: bool = (pid0 < launch.N) & (u32(position_3) < u32(bound_4));
      var values_0: u32; var values_1: u32; var values_2: u32; var values_3: u32; var values_4: u32;
      var values_5: u32; var values_6: u32; var values_7: u32;
      let values_word = select(vec2<u32>(0u), qkv[select(0, qkv_at_4 >> 2u, qkv_in_2)], qkv_in_2);
      values_0 = values_word.x & 0xffffu; values_1 = values_word.x >> 16u;
      values_2 = values_word.y & 0xffffu; values_3 = values_word.y >> 16u;
      let values_word_1 = select(
          vec2<u32>(0u), qkv[select(0, (qkv_at_4 >> 2u) + 1, qkv_in_2)], qkv_in_2);
      values_4 = values_word_1.x & 0xffffu; values_5 = values_word_1.x >> 16u;
      values_6 = values_word_1.y & 0xffffu; values_7 = values_word_1.y >> 16u;
      let vCache_at: i32 = page * stride_2 + offset * stride_3 + head * 128 + qkv_at_3;
      if (kCache_in) {
        vCache[vCache_at >> 3u] = vec4<u32>(
            values_0 | (values_1 << 16u), values_2 | (values_3 << 16u),
            values_4 | (values_5 << 16u), values_6 | (values_7 << 16u));
      }
    }
  }
}
