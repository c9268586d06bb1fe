// qk_norm_rope_kv_write for wgsl, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BH=8 OFFSET=1
// dims fixed: D=24 D2=8 PAGE=4
// dims divisible: HT%8 P%2 HQ%4 HKV%2
// 16 threads, 192 bytes of shared memory
//       0 … 64: square_parts f32[16]
//     128 … 192: square_parts_2 f32[16]

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
  eps: f32,
}
@group(0) @binding(0) var<storage, read> qkv: array<u32>;
@group(0) @binding(1) var<storage, read> w: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> positions: array<i32>;
@group(0) @binding(3) var<storage, read> cosSin: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> slots: array<i32>;
@group(0) @binding(5) var<storage, read_write> q: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> kCache: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> vCache: array<vec4<u32>>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> square_parts: array<f32, 16>;
var<workgroup> square_parts_2: array<f32, 16>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(16)
fn qk_norm_rope_kv_write(
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
  let t_D2: i32 = (thread & 1) * 4;
  let cosSin_at: i32 = position * 16 + t_D2;
  let cosSin_in: bool = u32(position) < u32(launch.P);
  var cos_0: f32; var cos_1: f32; var cos_2: f32; var cos_3: f32;
  let cos_word = select(vec4<f32>(0.0f), cosSin[select(0, cosSin_at >> 2u, cosSin_in)], cosSin_in);
  cos_0 = cos_word.x; cos_1 = cos_word.y; cos_2 = cos_word.z; cos_3 = cos_word.w;
  var sin_0: f32; var sin_1: f32; var sin_2: f32; var sin_3: f32;
  let sin_word = select(
      vec4<f32>(0.0f), cosSin[select(0, (cosSin_at + 8) >> 2u, cosSin_in)], cosSin_in);
  sin_0 = sin_word.x; sin_1 = sin_word.y; sin_2 = sin_word.z; sin_3 = sin_word.w;
  let t: bool = pid1 < queryBlocks;
  let stride: i32 = launch.HT * 24;
  let part: i32 = thread & 1;
  if (t) {
    let t_1: i32 = pid1 * 8;
    let bound: i32 = min(launch.HQ, launch.HT);
    let qkv_at: i32 = t_D2 + pid0 * stride + t_1 * 24;
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
    let qkv_tile_word = select(0u, qkv[select(0, qkv_at >> 1u, qkv_tile_in)], qkv_tile_in);
    qkv_tile_0 = qkv_tile_word & 0xffffu; qkv_tile_1 = qkv_tile_word >> 16u;
    let qkv_tile_word_1 = select(0u, qkv[select(0, (qkv_at >> 1u) + 1, qkv_tile_in)], qkv_tile_in);
    qkv_tile_2 = qkv_tile_word_1 & 0xffffu; qkv_tile_3 = qkv_tile_word_1 >> 16u;
    let qkv_tile_in_1 = qkv_in & (1 < left);
    let qkv_tile_word_2 = select(
        0u, qkv[select(0, (qkv_at + 24) >> 1u, qkv_tile_in_1)], qkv_tile_in_1);
    qkv_tile_4 = qkv_tile_word_2 & 0xffffu; qkv_tile_5 = qkv_tile_word_2 >> 16u;
    let qkv_tile_word_3 = select(
        0u, qkv[select(0, ((qkv_at + 24) >> 1u) + 1, qkv_tile_in_1)], qkv_tile_in_1);
    qkv_tile_6 = qkv_tile_word_3 & 0xffffu; qkv_tile_7 = qkv_tile_word_3 >> 16u;
    let qkv_tile_in_2 = qkv_in & (2 < left);
    let qkv_tile_word_4 = select(
        0u, qkv[select(0, (qkv_at + 48) >> 1u, qkv_tile_in_2)], qkv_tile_in_2);
    qkv_tile_8 = qkv_tile_word_4 & 0xffffu; qkv_tile_9 = qkv_tile_word_4 >> 16u;
    let qkv_tile_word_5 = select(
        0u, qkv[select(0, ((qkv_at + 48) >> 1u) + 1, qkv_tile_in_2)], qkv_tile_in_2);
    qkv_tile_10 = qkv_tile_word_5 & 0xffffu; qkv_tile_11 = qkv_tile_word_5 >> 16u;
    let qkv_tile_in_3 = qkv_in & (3 < left);
    let qkv_tile_word_6 = select(
        0u, qkv[select(0, (qkv_at + 72) >> 1u, qkv_tile_in_3)], qkv_tile_in_3);
    qkv_tile_12 = qkv_tile_word_6 & 0xffffu; qkv_tile_13 = qkv_tile_word_6 >> 16u;
    let qkv_tile_word_7 = select(
        0u, qkv[select(0, ((qkv_at + 72) >> 1u) + 1, qkv_tile_in_3)], qkv_tile_in_3);
    qkv_tile_14 = qkv_tile_word_7 & 0xffffu; qkv_tile_15 = qkv_tile_word_7 >> 16u;
    let qkv_tile_in_4 = qkv_in & (4 < left);
    let qkv_tile_word_8 = select(
        0u, qkv[select(0, (qkv_at + 96) >> 1u, qkv_tile_in_4)], qkv_tile_in_4);
    qkv_tile_16 = qkv_tile_word_8 & 0xffffu; qkv_tile_17 = qkv_tile_word_8 >> 16u;
    let qkv_tile_word_9 = select(
        0u, qkv[select(0, ((qkv_at + 96) >> 1u) + 1, qkv_tile_in_4)], qkv_tile_in_4);
    qkv_tile_18 = qkv_tile_word_9 & 0xffffu; qkv_tile_19 = qkv_tile_word_9 >> 16u;
    let qkv_tile_in_5 = qkv_in & (5 < left);
    let qkv_tile_word_10 = select(
        0u, qkv[select(0, (qkv_at + 120) >> 1u, qkv_tile_in_5)], qkv_tile_in_5);
    qkv_tile_20 = qkv_tile_word_10 & 0xffffu; qkv_tile_21 = qkv_tile_word_10 >> 16u;
    let qkv_tile_word_11 = select(
        0u, qkv[select(0, ((qkv_at + 120) >> 1u) + 1, qkv_tile_in_5)], qkv_tile_in_5);
    qkv_tile_22 = qkv_tile_word_11 & 0xffffu; qkv_tile_23 = qkv_tile_word_11 >> 16u;
    let qkv_tile_in_6 = qkv_in & (6 < left);
    let qkv_tile_word_12 = select(
        0u, qkv[select(0, (qkv_at + 144) >> 1u, qkv_tile_in_6)], qkv_tile_in_6);
    qkv_tile_24 = qkv_tile_word_12 & 0xffffu; qkv_tile_25 = qkv_tile_word_12 >> 16u;
    let qkv_tile_word_13 = select(
        0u, qkv[select(0, ((qkv_at + 144) >> 1u) + 1, qkv_tile_in_6)], qkv_tile_in_6);
    qkv_tile_26 = qkv_tile_word_13 & 0xffffu; qkv_tile_27 = qkv_tile_word_13 >> 16u;
    let qkv_tile_in_7 = qkv_in & (7 < left);
    let qkv_tile_word_14 = select(
        0u, qkv[select(0, (qkv_at + 168) >> 1u, qkv_tile_in_7)], qkv_tile_in_7);
    qkv_tile_28 = qkv_tile_word_14 & 0xffffu; qkv_tile_29 = qkv_tile_word_14 >> 16u;
    let qkv_tile_word_15 = select(
        0u, qkv[select(0, ((qkv_at + 168) >> 1u) + 1, qkv_tile_in_7)], qkv_tile_in_7);
    qkv_tile_30 = qkv_tile_word_15 & 0xffffu; qkv_tile_31 = qkv_tile_word_15 >> 16u;
    var a_0: f32; var a_1: f32; var a_2: f32; var a_3: f32; var a_4: f32; var a_5: f32;
    var a_6: f32; var a_7: f32; var a_8: f32; var a_9: f32; var a_10: f32; var a_11: f32;
    var a_12: f32; var a_13: f32; var a_14: f32; var a_15: f32; var a_16: f32; var a_17: f32;
    var a_18: f32; var a_19: f32; var a_20: f32; var a_21: f32; var a_22: f32; var a_23: f32;
    var a_24: f32; var a_25: f32; var a_26: f32; var a_27: f32; var a_28: f32; var a_29: f32;
    var a_30: f32; var a_31: f32;
    a_0 = tw_bf16_to_f32(qkv_tile_0); a_1 = tw_bf16_to_f32(qkv_tile_1);
    a_2 = tw_bf16_to_f32(qkv_tile_2); a_3 = tw_bf16_to_f32(qkv_tile_3);
    a_4 = tw_bf16_to_f32(qkv_tile_4); a_5 = tw_bf16_to_f32(qkv_tile_5);
    a_6 = tw_bf16_to_f32(qkv_tile_6); a_7 = tw_bf16_to_f32(qkv_tile_7);
    a_8 = tw_bf16_to_f32(qkv_tile_8); a_9 = tw_bf16_to_f32(qkv_tile_9);
    a_10 = tw_bf16_to_f32(qkv_tile_10); a_11 = tw_bf16_to_f32(qkv_tile_11);
    a_12 = tw_bf16_to_f32(qkv_tile_12); a_13 = tw_bf16_to_f32(qkv_tile_13);
    a_14 = tw_bf16_to_f32(qkv_tile_14); a_15 = tw_bf16_to_f32(qkv_tile_15);
    a_16 = tw_bf16_to_f32(qkv_tile_16); a_17 = tw_bf16_to_f32(qkv_tile_17);
    a_18 = tw_bf16_to_f32(qkv_tile_18); a_19 = tw_bf16_to_f32(qkv_tile_19);
    a_20 = tw_bf16_to_f32(qkv_tile_20); a_21 = tw_bf16_to_f32(qkv_tile_21);
    a_22 = tw_bf16_to_f32(qkv_tile_22); a_23 = tw_bf16_to_f32(qkv_tile_23);
    a_24 = tw_bf16_to_f32(qkv_tile_24); a_25 = tw_bf16_to_f32(qkv_tile_25);
    a_26 = tw_bf16_to_f32(qkv_tile_26); a_27 = tw_bf16_to_f32(qkv_tile_27);
    a_28 = tw_bf16_to_f32(qkv_tile_28); a_29 = tw_bf16_to_f32(qkv_tile_29);
    a_30 = tw_bf16_to_f32(qkv_tile_30); a_31 = tw_bf16_to_f32(qkv_tile_31);
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
        0u, qkv[select(0, (qkv_at + 8) >> 1u, qkv_tile_1_in)], qkv_tile_1_in);
    qkv_tile_1_1_0 = qkv_tile_1_word & 0xffffu; qkv_tile_1_1_1 = qkv_tile_1_word >> 16u;
    let qkv_tile_1_word_1 = select(
        0u, qkv[select(0, ((qkv_at + 8) >> 1u) + 1, qkv_tile_1_in)], qkv_tile_1_in);
    qkv_tile_1_1_2 = qkv_tile_1_word_1 & 0xffffu; qkv_tile_1_1_3 = qkv_tile_1_word_1 >> 16u;
    let qkv_tile_1_in_1 = qkv_in & (1 < left);
    let qkv_tile_1_word_2 = select(
        0u, qkv[select(0, (qkv_at + 32) >> 1u, qkv_tile_1_in_1)], qkv_tile_1_in_1);
    qkv_tile_1_1_4 = qkv_tile_1_word_2 & 0xffffu; qkv_tile_1_1_5 = qkv_tile_1_word_2 >> 16u;
    let qkv_tile_1_word_3 = select(
        0u, qkv[select(0, ((qkv_at + 32) >> 1u) + 1, qkv_tile_1_in_1)], qkv_tile_1_in_1);
    qkv_tile_1_1_6 = qkv_tile_1_word_3 & 0xffffu; qkv_tile_1_1_7 = qkv_tile_1_word_3 >> 16u;
    let qkv_tile_1_in_2 = qkv_in & (2 < left);
    let qkv_tile_1_word_4 = select(
        0u, qkv[select(0, (qkv_at + 56) >> 1u, qkv_tile_1_in_2)], qkv_tile_1_in_2);
    qkv_tile_1_1_8 = qkv_tile_1_word_4 & 0xffffu; qkv_tile_1_1_9 = qkv_tile_1_word_4 >> 16u;
    let qkv_tile_1_word_5 = select(
        0u, qkv[select(0, ((qkv_at + 56) >> 1u) + 1, qkv_tile_1_in_2)], qkv_tile_1_in_2);
    qkv_tile_1_1_10 = qkv_tile_1_word_5 & 0xffffu; qkv_tile_1_1_11 = qkv_tile_1_word_5 >> 16u;
    let qkv_tile_1_in_3 = qkv_in & (3 < left);
    let qkv_tile_1_word_6 = select(
        0u, qkv[select(0, (qkv_at + 80) >> 1u, qkv_tile_1_in_3)], qkv_tile_1_in_3);
    qkv_tile_1_1_12 = qkv_tile_1_word_6 & 0xffffu; qkv_tile_1_1_13 = qkv_tile_1_word_6 >> 16u;
    let qkv_tile_1_word_7 = select(
        0u, qkv[select(0, ((qkv_at + 80) >> 1u) + 1, qkv_tile_1_in_3)], qkv_tile_1_in_3);
    qkv_tile_1_1_14 = qkv_tile_1_word_7 & 0xffffu; qkv_tile_1_1_15 = qkv_tile_1_word_7 >> 16u;
    let qkv_tile_1_in_4 = qkv_in & (4 < left);
    let qkv_tile_1_word_8 = select(
        0u, qkv[select(0, (qkv_at + 104) >> 1u, qkv_tile_1_in_4)], qkv_tile_1_in_4);
    qkv_tile_1_1_16 = qkv_tile_1_word_8 & 0xffffu; qkv_tile_1_1_17 = qkv_tile_1_word_8 >> 16u;
    let qkv_tile_1_word_9 = select(
        0u, qkv[select(0, ((qkv_at + 104) >> 1u) + 1, qkv_tile_1_in_4)], qkv_tile_1_in_4);
    qkv_tile_1_1_18 = qkv_tile_1_word_9 & 0xffffu; qkv_tile_1_1_19 = qkv_tile_1_word_9 >> 16u;
    let qkv_tile_1_in_5 = qkv_in & (5 < left);
    let qkv_tile_1_word_10 = select(
        0u, qkv[select(0, (qkv_at + 128) >> 1u, qkv_tile_1_in_5)], qkv_tile_1_in_5);
    qkv_tile_1_1_20 = qkv_tile_1_word_10 & 0xffffu; qkv_tile_1_1_21 = qkv_tile_1_word_10 >> 16u;
    let qkv_tile_1_word_11 = select(
        0u, qkv[select(0, ((qkv_at + 128) >> 1u) + 1, qkv_tile_1_in_5)], qkv_tile_1_in_5);
    qkv_tile_1_1_22 = qkv_tile_1_word_11 & 0xffffu; qkv_tile_1_1_23 = qkv_tile_1_word_11 >> 16u;
    let qkv_tile_1_in_6 = qkv_in & (6 < left);
    let qkv_tile_1_word_12 = select(
        0u, qkv[select(0, (qkv_at + 152) >> 1u, qkv_tile_1_in_6)], qkv_tile_1_in_6);
    qkv_tile_1_1_24 = qkv_tile_1_word_12 & 0xffffu; qkv_tile_1_1_25 = qkv_tile_1_word_12 >> 16u;
    let qkv_tile_1_word_13 = select(
        0u, qkv[select(0, ((qkv_at + 152) >> 1u) + 1, qkv_tile_1_in_6)], qkv_tile_1_in_6);
    qkv_tile_1_1_26 = qkv_tile_1_word_13 & 0xffffu; qkv_tile_1_1_27 = qkv_tile_1_word_13 >> 16u;
    let qkv_tile_1_in_7 = qkv_in & (7 < left);
    let qkv_tile_1_word_14 = select(
        0u, qkv[select(0, (qkv_at + 176) >> 1u, qkv_tile_1_in_7)], qkv_tile_1_in_7);
    qkv_tile_1_1_28 = qkv_tile_1_word_14 & 0xffffu; qkv_tile_1_1_29 = qkv_tile_1_word_14 >> 16u;
    let qkv_tile_1_word_15 = select(
        0u, qkv[select(0, ((qkv_at + 176) >> 1u) + 1, qkv_tile_1_in_7)], qkv_tile_1_in_7);
    qkv_tile_1_1_30 = qkv_tile_1_word_15 & 0xffffu; qkv_tile_1_1_31 = qkv_tile_1_word_15 >> 16u;
    var b_0: f32; var b_1: f32; var b_2: f32; var b_3: f32; var b_4: f32; var b_5: f32;
    var b_6: f32; var b_7: f32; var b_8: f32; var b_9: f32; var b_10: f32; var b_11: f32;
    var b_12: f32; var b_13: f32; var b_14: f32; var b_15: f32; var b_16: f32; var b_17: f32;
    var b_18: f32; var b_19: f32; var b_20: f32; var b_21: f32; var b_22: f32; var b_23: f32;
    var b_24: f32; var b_25: f32; var b_26: f32; var b_27: f32; var b_28: f32; var b_29: f32;
    var b_30: f32; var b_31: f32;
    b_0 = tw_bf16_to_f32(qkv_tile_1_1_0); b_1 = tw_bf16_to_f32(qkv_tile_1_1_1);
    b_2 = tw_bf16_to_f32(qkv_tile_1_1_2); b_3 = tw_bf16_to_f32(qkv_tile_1_1_3);
    b_4 = tw_bf16_to_f32(qkv_tile_1_1_4); b_5 = tw_bf16_to_f32(qkv_tile_1_1_5);
    b_6 = tw_bf16_to_f32(qkv_tile_1_1_6); b_7 = tw_bf16_to_f32(qkv_tile_1_1_7);
    b_8 = tw_bf16_to_f32(qkv_tile_1_1_8); b_9 = tw_bf16_to_f32(qkv_tile_1_1_9);
    b_10 = tw_bf16_to_f32(qkv_tile_1_1_10); b_11 = tw_bf16_to_f32(qkv_tile_1_1_11);
    b_12 = tw_bf16_to_f32(qkv_tile_1_1_12); b_13 = tw_bf16_to_f32(qkv_tile_1_1_13);
    b_14 = tw_bf16_to_f32(qkv_tile_1_1_14); b_15 = tw_bf16_to_f32(qkv_tile_1_1_15);
    b_16 = tw_bf16_to_f32(qkv_tile_1_1_16); b_17 = tw_bf16_to_f32(qkv_tile_1_1_17);
    b_18 = tw_bf16_to_f32(qkv_tile_1_1_18); b_19 = tw_bf16_to_f32(qkv_tile_1_1_19);
    b_20 = tw_bf16_to_f32(qkv_tile_1_1_20); b_21 = tw_bf16_to_f32(qkv_tile_1_1_21);
    b_22 = tw_bf16_to_f32(qkv_tile_1_1_22); b_23 = tw_bf16_to_f32(qkv_tile_1_1_23);
    b_24 = tw_bf16_to_f32(qkv_tile_1_1_24); b_25 = tw_bf16_to_f32(qkv_tile_1_1_25);
    b_26 = tw_bf16_to_f32(qkv_tile_1_1_26); b_27 = tw_bf16_to_f32(qkv_tile_1_1_27);
    b_28 = tw_bf16_to_f32(qkv_tile_1_1_28); b_29 = tw_bf16_to_f32(qkv_tile_1_1_29);
    b_30 = tw_bf16_to_f32(qkv_tile_1_1_30); b_31 = tw_bf16_to_f32(qkv_tile_1_1_31);
    var square_0: f32; var square_1: f32; var square_2: f32; var square_3: f32; var square_4: f32;
    var square_5: f32; var square_6: f32; var square_7: f32;
    square_0 = 0.0f; square_0 = square_0 + (a_0 * a_0 + b_0 * b_0);
    square_0 = square_0 + (a_1 * a_1 + b_1 * b_1); square_0 = square_0 + (a_2 * a_2 + b_2 * b_2);
    square_0 = square_0 + (a_3 * a_3 + b_3 * b_3); square_1 = 0.0f;
    square_1 = square_1 + (a_4 * a_4 + b_4 * b_4); square_1 = square_1 + (a_5 * a_5 + b_5 * b_5);
    square_1 = square_1 + (a_6 * a_6 + b_6 * b_6); square_1 = square_1 + (a_7 * a_7 + b_7 * b_7);
    square_2 = 0.0f; square_2 = square_2 + (a_8 * a_8 + b_8 * b_8);
    square_2 = square_2 + (a_9 * a_9 + b_9 * b_9);
    square_2 = square_2 + (a_10 * a_10 + b_10 * b_10);
    square_2 = square_2 + (a_11 * a_11 + b_11 * b_11); square_3 = 0.0f;
    square_3 = square_3 + (a_12 * a_12 + b_12 * b_12);
    square_3 = square_3 + (a_13 * a_13 + b_13 * b_13);
    square_3 = square_3 + (a_14 * a_14 + b_14 * b_14);
    square_3 = square_3 + (a_15 * a_15 + b_15 * b_15); square_4 = 0.0f;
    square_4 = square_4 + (a_16 * a_16 + b_16 * b_16);
    square_4 = square_4 + (a_17 * a_17 + b_17 * b_17);
    square_4 = square_4 + (a_18 * a_18 + b_18 * b_18);
    square_4 = square_4 + (a_19 * a_19 + b_19 * b_19); square_5 = 0.0f;
    square_5 = square_5 + (a_20 * a_20 + b_20 * b_20);
    square_5 = square_5 + (a_21 * a_21 + b_21 * b_21);
    square_5 = square_5 + (a_22 * a_22 + b_22 * b_22);
    square_5 = square_5 + (a_23 * a_23 + b_23 * b_23); square_6 = 0.0f;
    square_6 = square_6 + (a_24 * a_24 + b_24 * b_24);
    square_6 = square_6 + (a_25 * a_25 + b_25 * b_25);
    square_6 = square_6 + (a_26 * a_26 + b_26 * b_26);
    square_6 = square_6 + (a_27 * a_27 + b_27 * b_27); square_7 = 0.0f;
    square_7 = square_7 + (a_28 * a_28 + b_28 * b_28);
    square_7 = square_7 + (a_29 * a_29 + b_29 * b_29);
    square_7 = square_7 + (a_30 * a_30 + b_30 * b_30);
    square_7 = square_7 + (a_31 * a_31 + b_31 * b_31);
    let is_first: bool = thread < 2;
    if (is_first) {
      let part_at: i32 = part * 8;
      square_parts[part_at] = square_0;
      square_parts[part_at + 1] = square_1;
      square_parts[part_at + 2] = square_2;
      square_parts[part_at + 3] = square_3;
      square_parts[part_at + 4] = square_4;
      square_parts[part_at + 5] = square_5;
      square_parts[part_at + 6] = square_6;
      square_parts[part_at + 7] = square_7;
    }
    storageBarrier();
    workgroupBarrier();
    square_0 = square_parts[0];
    var other: f32;
    other = square_parts[8];
    square_0 = square_0 + other;
    square_1 = square_parts[1];
    var other_1: f32;
    other_1 = square_parts[9];
    square_1 = square_1 + other_1;
    square_2 = square_parts[2];
    var other_2: f32;
    other_2 = square_parts[10];
    square_2 = square_2 + other_2;
    square_3 = square_parts[3];
    var other_3: f32;
    other_3 = square_parts[11];
    square_3 = square_3 + other_3;
    square_4 = square_parts[4];
    var other_4: f32;
    other_4 = square_parts[12];
    square_4 = square_4 + other_4;
    square_5 = square_parts[5];
    var other_5: f32;
    other_5 = square_parts[13];
    square_5 = square_5 + other_5;
    square_6 = square_parts[6];
    var other_6: f32;
    other_6 = square_parts[14];
    square_6 = square_6 + other_6;
    square_7 = square_parts[7];
    var other_7: f32;
    other_7 = square_parts[15];
    square_7 = square_7 + other_7;
    let qkv_at_1: i32 = pid0 * stride + t_1 * 24;
    var qkv_tile_2_1_0: u32; var qkv_tile_2_1_1: u32; var qkv_tile_2_1_2: u32;
    var qkv_tile_2_1_3: u32; var qkv_tile_2_1_4: u32; var qkv_tile_2_1_5: u32;
    var qkv_tile_2_1_6: u32; var qkv_tile_2_1_7: u32; var qkv_tile_2_1_8: u32;
    var qkv_tile_2_1_9: u32; var qkv_tile_2_1_10: u32; var qkv_tile_2_1_11: u32;
    var qkv_tile_2_1_12: u32; var qkv_tile_2_1_13: u32; var qkv_tile_2_1_14: u32;
    var qkv_tile_2_1_15: u32; var qkv_tile_2_1_16: u32; var qkv_tile_2_1_17: u32;
    var qkv_tile_2_1_18: u32; var qkv_tile_2_1_19: u32; var qkv_tile_2_1_20: u32;
    var qkv_tile_2_1_21: u32; var qkv_tile_2_1_22: u32; var qkv_tile_2_1_23: u32;
    var qkv_tile_2_1_24: u32; var qkv_tile_2_1_25: u32; var qkv_tile_2_1_26: u32;
    var qkv_tile_2_1_27: u32; var qkv_tile_2_1_28: u32; var qkv_tile_2_1_29: u32;
    var qkv_tile_2_1_30: u32; var qkv_tile_2_1_31: u32; var qkv_tile_2_1_32: u32;
    var qkv_tile_2_1_33: u32; var qkv_tile_2_1_34: u32; var qkv_tile_2_1_35: u32;
    var qkv_tile_2_1_36: u32; var qkv_tile_2_1_37: u32; var qkv_tile_2_1_38: u32;
    var qkv_tile_2_1_39: u32; var qkv_tile_2_1_40: u32; var qkv_tile_2_1_41: u32;
    var qkv_tile_2_1_42: u32; var qkv_tile_2_1_43: u32; var qkv_tile_2_1_44: u32;
    var qkv_tile_2_1_45: u32; var qkv_tile_2_1_46: u32; var qkv_tile_2_1_47: u32;
    var qkv_tile_2_1_48: u32; var qkv_tile_2_1_49: u32; var qkv_tile_2_1_50: u32;
    var qkv_tile_2_1_51: u32; var qkv_tile_2_1_52: u32; var qkv_tile_2_1_53: u32;
    var qkv_tile_2_1_54: u32; var qkv_tile_2_1_55: u32; var qkv_tile_2_1_56: u32;
    var qkv_tile_2_1_57: u32; var qkv_tile_2_1_58: u32; var qkv_tile_2_1_59: u32;
    var qkv_tile_2_1_60: u32; var qkv_tile_2_1_61: u32; var qkv_tile_2_1_62: u32;
    var qkv_tile_2_1_63: u32;
    let qkv_tile_2_in = qkv_in & (0 < left);
    let qkv_tile_2_word = select(
        0u, qkv[select(0, (qkv_at_1 + 16) >> 1u, qkv_tile_2_in)], qkv_tile_2_in) >> ((u32(qkv_at_1 + 16) & 1u) * 16u);
    qkv_tile_2_1_0 = qkv_tile_2_word & 0xffffu;
    let qkv_tile_2_in_1 = qkv_in & (1 < left);
    let qkv_tile_2_word_1 = select(
        0u, qkv[select(0, (qkv_at_1 + 40) >> 1u, qkv_tile_2_in_1)], qkv_tile_2_in_1) >> ((u32(qkv_at_1 + 40) & 1u) * 16u);
    qkv_tile_2_1_1 = qkv_tile_2_word_1 & 0xffffu;
    let qkv_tile_2_in_2 = qkv_in & (2 < left);
    let qkv_tile_2_word_2 = select(
        0u, qkv[select(0, (qkv_at_1 + 64) >> 1u, qkv_tile_2_in_2)], qkv_tile_2_in_2) >> ((u32(qkv_at_1 + 64) & 1u) * 16u);
    qkv_tile_2_1_2 = qkv_tile_2_word_2 & 0xffffu;
    let qkv_tile_2_in_3 = qkv_in & (3 < left);
    let qkv_tile_2_word_3 = select(
        0u, qkv[select(0, (qkv_at_1 + 88) >> 1u, qkv_tile_2_in_3)], qkv_tile_2_in_3) >> ((u32(qkv_at_1 + 88) & 1u) * 16u);
    qkv_tile_2_1_3 = qkv_tile_2_word_3 & 0xffffu;
    let qkv_tile_2_in_4 = qkv_in & (4 < left);
    let qkv_tile_2_word_4 = select(
        0u, qkv[select(0, (qkv_at_1 + 112) >> 1u, qkv_tile_2_in_4)], qkv_tile_2_in_4) >> ((u32(qkv_at_1 + 112) & 1u) * 16u);
    qkv_tile_2_1_4 = qkv_tile_2_word_4 & 0xffffu;
    let qkv_tile_2_in_5 = qkv_in & (5 < left);
    let qkv_tile_2_word_5 = select(
        0u, qkv[select(0, (qkv_at_1 + 136) >> 1u, qkv_tile_2_in_5)], qkv_tile_2_in_5) >> ((u32(qkv_at_1 + 136) & 1u) * 16u);
    qkv_tile_2_1_5 = qkv_tile_2_word_5 & 0xffffu;
    let qkv_tile_2_in_6 = qkv_in & (6 < left);
    let qkv_tile_2_word_6 = select(
        0u, qkv[select(0, (qkv_at_1 + 160) >> 1u, qkv_tile_2_in_6)], qkv_tile_2_in_6) >> ((u32(qkv_at_1 + 160) & 1u) * 16u);
    qkv_tile_2_1_6 = qkv_tile_2_word_6 & 0xffffu;
    let qkv_tile_2_in_7 = qkv_in & (7 < left);
    let qkv_tile_2_word_7 = select(
        0u, qkv[select(0, (qkv_at_1 + 184) >> 1u, qkv_tile_2_in_7)], qkv_tile_2_in_7) >> ((u32(qkv_at_1 + 184) & 1u) * 16u);
    qkv_tile_2_1_7 = qkv_tile_2_word_7 & 0xffffu;
    let qkv_tile_2_in_8 = qkv_in & (0 < left);
    let qkv_tile_2_word_8 = select(
        0u, qkv[select(0, (qkv_at_1 + 17) >> 1u, qkv_tile_2_in_8)], qkv_tile_2_in_8) >> ((u32(qkv_at_1 + 17) & 1u) * 16u);
    qkv_tile_2_1_8 = qkv_tile_2_word_8 & 0xffffu;
    let qkv_tile_2_in_9 = qkv_in & (1 < left);
    let qkv_tile_2_word_9 = select(
        0u, qkv[select(0, (qkv_at_1 + 41) >> 1u, qkv_tile_2_in_9)], qkv_tile_2_in_9) >> ((u32(qkv_at_1 + 41) & 1u) * 16u);
    qkv_tile_2_1_9 = qkv_tile_2_word_9 & 0xffffu;
    let qkv_tile_2_in_10 = qkv_in & (2 < left);
    let qkv_tile_2_word_10 = select(
        0u, qkv[select(0, (qkv_at_1 + 65) >> 1u, qkv_tile_2_in_10)], qkv_tile_2_in_10) >> ((u32(qkv_at_1 + 65) & 1u) * 16u);
    qkv_tile_2_1_10 = qkv_tile_2_word_10 & 0xffffu;
    let qkv_tile_2_in_11 = qkv_in & (3 < left);
    let qkv_tile_2_word_11 = select(
        0u, qkv[select(0, (qkv_at_1 + 89) >> 1u, qkv_tile_2_in_11)], qkv_tile_2_in_11) >> ((u32(qkv_at_1 + 89) & 1u) * 16u);
    qkv_tile_2_1_11 = qkv_tile_2_word_11 & 0xffffu;
    let qkv_tile_2_in_12 = qkv_in & (4 < left);
    let qkv_tile_2_word_12 = select(
        0u, qkv[select(0, (qkv_at_1 + 113) >> 1u, qkv_tile_2_in_12)], qkv_tile_2_in_12) >> ((u32(qkv_at_1 + 113) & 1u) * 16u);
    qkv_tile_2_1_12 = qkv_tile_2_word_12 & 0xffffu;
    let qkv_tile_2_in_13 = qkv_in & (5 < left);
    let qkv_tile_2_word_13 = select(
        0u, qkv[select(0, (qkv_at_1 + 137) >> 1u, qkv_tile_2_in_13)], qkv_tile_2_in_13) >> ((u32(qkv_at_1 + 137) & 1u) * 16u);
    qkv_tile_2_1_13 = qkv_tile_2_word_13 & 0xffffu;
    let qkv_tile_2_in_14 = qkv_in & (6 < left);
    let qkv_tile_2_word_14 = select(
        0u, qkv[select(0, (qkv_at_1 + 161) >> 1u, qkv_tile_2_in_14)], qkv_tile_2_in_14) >> ((u32(qkv_at_1 + 161) & 1u) * 16u);
    qkv_tile_2_1_14 = qkv_tile_2_word_14 & 0xffffu;
    let qkv_tile_2_in_15 = qkv_in & (7 < left);
    let qkv_tile_2_word_15 = select(
        0u, qkv[select(0, (qkv_at_1 + 185) >> 1u, qkv_tile_2_in_15)], qkv_tile_2_in_15) >> ((u32(qkv_at_1 + 185) & 1u) * 16u);
    qkv_tile_2_1_15 = qkv_tile_2_word_15 & 0xffffu;
    let qkv_tile_2_in_16 = qkv_in & (0 < left);
    let qkv_tile_2_word_16 = select(
        0u, qkv[select(0, (qkv_at_1 + 18) >> 1u, qkv_tile_2_in_16)], qkv_tile_2_in_16) >> ((u32(qkv_at_1 + 18) & 1u) * 16u);
    qkv_tile_2_1_16 = qkv_tile_2_word_16 & 0xffffu;
    let qkv_tile_2_in_17 = qkv_in & (1 < left);
    let qkv_tile_2_word_17 = select(
        0u, qkv[select(0, (qkv_at_1 + 42) >> 1u, qkv_tile_2_in_17)], qkv_tile_2_in_17) >> ((u32(qkv_at_1 + 42) & 1u) * 16u);
    qkv_tile_2_1_17 = qkv_tile_2_word_17 & 0xffffu;
    let qkv_tile_2_in_18 = qkv_in & (2 < left);
    let qkv_tile_2_word_18 = select(
        0u, qkv[select(0, (qkv_at_1 + 66) >> 1u, qkv_tile_2_in_18)], qkv_tile_2_in_18) >> ((u32(qkv_at_1 + 66) & 1u) * 16u);
    qkv_tile_2_1_18 = qkv_tile_2_word_18 & 0xffffu;
    let qkv_tile_2_in_19 = qkv_in & (3 < left);
    let qkv_tile_2_word_19 = select(
        0u, qkv[select(0, (qkv_at_1 + 90) >> 1u, qkv_tile_2_in_19)], qkv_tile_2_in_19) >> ((u32(qkv_at_1 + 90) & 1u) * 16u);
    qkv_tile_2_1_19 = qkv_tile_2_word_19 & 0xffffu;
    let qkv_tile_2_in_20 = qkv_in & (4 < left);
    let qkv_tile_2_word_20 = select(
        0u, qkv[select(0, (qkv_at_1 + 114) >> 1u, qkv_tile_2_in_20)], qkv_tile_2_in_20) >> ((u32(qkv_at_1 + 114) & 1u) * 16u);
    qkv_tile_2_1_20 = qkv_tile_2_word_20 & 0xffffu;
    let qkv_tile_2_in_21 = qkv_in & (5 < left);
    let qkv_tile_2_word_21 = select(
        0u, qkv[select(0, (qkv_at_1 + 138) >> 1u, qkv_tile_2_in_21)], qkv_tile_2_in_21) >> ((u32(qkv_at_1 + 138) & 1u) * 16u);
    qkv_tile_2_1_21 = qkv_tile_2_word_21 & 0xffffu;
    let qkv_tile_2_in_22 = qkv_in & (6 < left);
    let qkv_tile_2_word_22 = select(
        0u, qkv[select(0, (qkv_at_1 + 162) >> 1u, qkv_tile_2_in_22)], qkv_tile_2_in_22) >> ((u32(qkv_at_1 + 162) & 1u) * 16u);
    qkv_tile_2_1_22 = qkv_tile_2_word_22 & 0xffffu;
    let qkv_tile_2_in_23 = qkv_in & (7 < left);
    let qkv_tile_2_word_23 = select(
        0u, qkv[select(0, (qkv_at_1 + 186) >> 1u, qkv_tile_2_in_23)], qkv_tile_2_in_23) >> ((u32(qkv_at_1 + 186) & 1u) * 16u);
    qkv_tile_2_1_23 = qkv_tile_2_word_23 & 0xffffu;
    let qkv_tile_2_in_24 = qkv_in & (0 < left);
    let qkv_tile_2_word_24 = select(
        0u, qkv[select(0, (qkv_at_1 + 19) >> 1u, qkv_tile_2_in_24)], qkv_tile_2_in_24) >> ((u32(qkv_at_1 + 19) & 1u) * 16u);
    qkv_tile_2_1_24 = qkv_tile_2_word_24 & 0xffffu;
    let qkv_tile_2_in_25 = qkv_in & (1 < left);
    let qkv_tile_2_word_25 = select(
        0u, qkv[select(0, (qkv_at_1 + 43) >> 1u, qkv_tile_2_in_25)], qkv_tile_2_in_25) >> ((u32(qkv_at_1 + 43) & 1u) * 16u);
    qkv_tile_2_1_25 = qkv_tile_2_word_25 & 0xffffu;
    let qkv_tile_2_in_26 = qkv_in & (2 < left);
    let qkv_tile_2_word_26 = select(
        0u, qkv[select(0, (qkv_at_1 + 67) >> 1u, qkv_tile_2_in_26)], qkv_tile_2_in_26) >> ((u32(qkv_at_1 + 67) & 1u) * 16u);
    qkv_tile_2_1_26 = qkv_tile_2_word_26 & 0xffffu;
    let qkv_tile_2_in_27 = qkv_in & (3 < left);
    let qkv_tile_2_word_27 = select(
        0u, qkv[select(0, (qkv_at_1 + 91) >> 1u, qkv_tile_2_in_27)], qkv_tile_2_in_27) >> ((u32(qkv_at_1 + 91) & 1u) * 16u);
    qkv_tile_2_1_27 = qkv_tile_2_word_27 & 0xffffu;
    let qkv_tile_2_in_28 = qkv_in & (4 < left);
    let qkv_tile_2_word_28 = select(
        0u, qkv[select(0, (qkv_at_1 + 115) >> 1u, qkv_tile_2_in_28)], qkv_tile_2_in_28) >> ((u32(qkv_at_1 + 115) & 1u) * 16u);
    qkv_tile_2_1_28 = qkv_tile_2_word_28 & 0xffffu;
    let qkv_tile_2_in_29 = qkv_in & (5 < left);
    let qkv_tile_2_word_29 = select(
        0u, qkv[select(0, (qkv_at_1 + 139) >> 1u, qkv_tile_2_in_29)], qkv_tile_2_in_29) >> ((u32(qkv_at_1 + 139) & 1u) * 16u);
    qkv_tile_2_1_29 = qkv_tile_2_word_29 & 0xffffu;
    let qkv_tile_2_in_30 = qkv_in & (6 < left);
    let qkv_tile_2_word_30 = select(
        0u, qkv[select(0, (qkv_at_1 + 163) >> 1u, qkv_tile_2_in_30)], qkv_tile_2_in_30) >> ((u32(qkv_at_1 + 163) & 1u) * 16u);
    qkv_tile_2_1_30 = qkv_tile_2_word_30 & 0xffffu;
    let qkv_tile_2_in_31 = qkv_in & (7 < left);
    let qkv_tile_2_word_31 = select(
        0u, qkv[select(0, (qkv_at_1 + 187) >> 1u, qkv_tile_2_in_31)], qkv_tile_2_in_31) >> ((u32(qkv_at_1 + 187) & 1u) * 16u);
    qkv_tile_2_1_31 = qkv_tile_2_word_31 & 0xffffu;
    let qkv_tile_2_in_32 = qkv_in & (0 < left);
    let qkv_tile_2_word_32 = select(
        0u, qkv[select(0, (qkv_at_1 + 20) >> 1u, qkv_tile_2_in_32)], qkv_tile_2_in_32) >> ((u32(qkv_at_1 + 20) & 1u) * 16u);
    qkv_tile_2_1_32 = qkv_tile_2_word_32 & 0xffffu;
    let qkv_tile_2_in_33 = qkv_in & (1 < left);
    let qkv_tile_2_word_33 = select(
        0u, qkv[select(0, (qkv_at_1 + 44) >> 1u, qkv_tile_2_in_33)], qkv_tile_2_in_33) >> ((u32(qkv_at_1 + 44) & 1u) * 16u);
    qkv_tile_2_1_33 = qkv_tile_2_word_33 & 0xffffu;
    let qkv_tile_2_in_34 = qkv_in & (2 < left);
    let qkv_tile_2_word_34 = select(
        0u, qkv[select(0, (qkv_at_1 + 68) >> 1u, qkv_tile_2_in_34)], qkv_tile_2_in_34) >> ((u32(qkv_at_1 + 68) & 1u) * 16u);
    qkv_tile_2_1_34 = qkv_tile_2_word_34 & 0xffffu;
    let qkv_tile_2_in_35 = qkv_in & (3 < left);
    let qkv_tile_2_word_35 = select(
        0u, qkv[select(0, (qkv_at_1 + 92) >> 1u, qkv_tile_2_in_35)], qkv_tile_2_in_35) >> ((u32(qkv_at_1 + 92) & 1u) * 16u);
    qkv_tile_2_1_35 = qkv_tile_2_word_35 & 0xffffu;
    let qkv_tile_2_in_36 = qkv_in & (4 < left);
    let qkv_tile_2_word_36 = select(
        0u, qkv[select(0, (qkv_at_1 + 116) >> 1u, qkv_tile_2_in_36)], qkv_tile_2_in_36) >> ((u32(qkv_at_1 + 116) & 1u) * 16u);
    qkv_tile_2_1_36 = qkv_tile_2_word_36 & 0xffffu;
    let qkv_tile_2_in_37 = qkv_in & (5 < left);
    let qkv_tile_2_word_37 = select(
        0u, qkv[select(0, (qkv_at_1 + 140) >> 1u, qkv_tile_2_in_37)], qkv_tile_2_in_37) >> ((u32(qkv_at_1 + 140) & 1u) * 16u);
    qkv_tile_2_1_37 = qkv_tile_2_word_37 & 0xffffu;
    let qkv_tile_2_in_38 = qkv_in & (6 < left);
    let qkv_tile_2_word_38 = select(
        0u, qkv[select(0, (qkv_at_1 + 164) >> 1u, qkv_tile_2_in_38)], qkv_tile_2_in_38) >> ((u32(qkv_at_1 + 164) & 1u) * 16u);
    qkv_tile_2_1_38 = qkv_tile_2_word_38 & 0xffffu;
    let qkv_tile_2_in_39 = qkv_in & (7 < left);
    let qkv_tile_2_word_39 = select(
        0u, qkv[select(0, (qkv_at_1 + 188) >> 1u, qkv_tile_2_in_39)], qkv_tile_2_in_39) >> ((u32(qkv_at_1 + 188) & 1u) * 16u);
    qkv_tile_2_1_39 = qkv_tile_2_word_39 & 0xffffu;
    let qkv_tile_2_in_40 = qkv_in & (0 < left);
    let qkv_tile_2_word_40 = select(
        0u, qkv[select(0, (qkv_at_1 + 21) >> 1u, qkv_tile_2_in_40)], qkv_tile_2_in_40) >> ((u32(qkv_at_1 + 21) & 1u) * 16u);
    qkv_tile_2_1_40 = qkv_tile_2_word_40 & 0xffffu;
    let qkv_tile_2_in_41 = qkv_in & (1 < left);
    let qkv_tile_2_word_41 = select(
        0u, qkv[select(0, (qkv_at_1 + 45) >> 1u, qkv_tile_2_in_41)], qkv_tile_2_in_41) >> ((u32(qkv_at_1 + 45) & 1u) * 16u);
    qkv_tile_2_1_41 = qkv_tile_2_word_41 & 0xffffu;
    let qkv_tile_2_in_42 = qkv_in & (2 < left);
    let qkv_tile_2_word_42 = select(
        0u, qkv[select(0, (qkv_at_1 + 69) >> 1u, qkv_tile_2_in_42)], qkv_tile_2_in_42) >> ((u32(qkv_at_1 + 69) & 1u) * 16u);
    qkv_tile_2_1_42 = qkv_tile_2_word_42 & 0xffffu;
    let qkv_tile_2_in_43 = qkv_in & (3 < left);
    let qkv_tile_2_word_43 = select(
        0u, qkv[select(0, (qkv_at_1 + 93) >> 1u, qkv_tile_2_in_43)], qkv_tile_2_in_43) >> ((u32(qkv_at_1 + 93) & 1u) * 16u);
    qkv_tile_2_1_43 = qkv_tile_2_word_43 & 0xffffu;
    let qkv_tile_2_in_44 = qkv_in & (4 < left);
    let qkv_tile_2_word_44 = select(
        0u, qkv[select(0, (qkv_at_1 + 117) >> 1u, qkv_tile_2_in_44)], qkv_tile_2_in_44) >> ((u32(qkv_at_1 + 117) & 1u) * 16u);
    qkv_tile_2_1_44 = qkv_tile_2_word_44 & 0xffffu;
    let qkv_tile_2_in_45 = qkv_in & (5 < left);
    let qkv_tile_2_word_45 = select(
        0u, qkv[select(0, (qkv_at_1 + 141) >> 1u, qkv_tile_2_in_45)], qkv_tile_2_in_45) >> ((u32(qkv_at_1 + 141) & 1u) * 16u);
    qkv_tile_2_1_45 = qkv_tile_2_word_45 & 0xffffu;
    let qkv_tile_2_in_46 = qkv_in & (6 < left);
    let qkv_tile_2_word_46 = select(
        0u, qkv[select(0, (qkv_at_1 + 165) >> 1u, qkv_tile_2_in_46)], qkv_tile_2_in_46) >> ((u32(qkv_at_1 + 165) & 1u) * 16u);
    qkv_tile_2_1_46 = qkv_tile_2_word_46 & 0xffffu;
    let qkv_tile_2_in_47 = qkv_in & (7 < left);
    let qkv_tile_2_word_47 = select(
        0u, qkv[select(0, (qkv_at_1 + 189) >> 1u, qkv_tile_2_in_47)], qkv_tile_2_in_47) >> ((u32(qkv_at_1 + 189) & 1u) * 16u);
    qkv_tile_2_1_47 = qkv_tile_2_word_47 & 0xffffu;
    let qkv_tile_2_in_48 = qkv_in & (0 < left);
    let qkv_tile_2_word_48 = select(
        0u, qkv[select(0, (qkv_at_1 + 22) >> 1u, qkv_tile_2_in_48)], qkv_tile_2_in_48) >> ((u32(qkv_at_1 + 22) & 1u) * 16u);
    qkv_tile_2_1_48 = qkv_tile_2_word_48 & 0xffffu;
    let qkv_tile_2_in_49 = qkv_in & (1 < left);
    let qkv_tile_2_word_49 = select(
        0u, qkv[select(0, (qkv_at_1 + 46) >> 1u, qkv_tile_2_in_49)], qkv_tile_2_in_49) >> ((u32(qkv_at_1 + 46) & 1u) * 16u);
    qkv_tile_2_1_49 = qkv_tile_2_word_49 & 0xffffu;
    let qkv_tile_2_in_50 = qkv_in & (2 < left);
    let qkv_tile_2_word_50 = select(
        0u, qkv[select(0, (qkv_at_1 + 70) >> 1u, qkv_tile_2_in_50)], qkv_tile_2_in_50) >> ((u32(qkv_at_1 + 70) & 1u) * 16u);
    qkv_tile_2_1_50 = qkv_tile_2_word_50 & 0xffffu;
    let qkv_tile_2_in_51 = qkv_in & (3 < left);
    let qkv_tile_2_word_51 = select(
        0u, qkv[select(0, (qkv_at_1 + 94) >> 1u, qkv_tile_2_in_51)], qkv_tile_2_in_51) >> ((u32(qkv_at_1 + 94) & 1u) * 16u);
    qkv_tile_2_1_51 = qkv_tile_2_word_51 & 0xffffu;
    let qkv_tile_2_in_52 = qkv_in & (4 < left);
    let qkv_tile_2_word_52 = select(
        0u, qkv[select(0, (qkv_at_1 + 118) >> 1u, qkv_tile_2_in_52)], qkv_tile_2_in_52) >> ((u32(qkv_at_1 + 118) & 1u) * 16u);
    qkv_tile_2_1_52 = qkv_tile_2_word_52 & 0xffffu;
    let qkv_tile_2_in_53 = qkv_in & (5 < left);
    let qkv_tile_2_word_53 = select(
        0u, qkv[select(0, (qkv_at_1 + 142) >> 1u, qkv_tile_2_in_53)], qkv_tile_2_in_53) >> ((u32(qkv_at_1 + 142) & 1u) * 16u);
    qkv_tile_2_1_53 = qkv_tile_2_word_53 & 0xffffu;
    let qkv_tile_2_in_54 = qkv_in & (6 < left);
    let qkv_tile_2_word_54 = select(
        0u, qkv[select(0, (qkv_at_1 + 166) >> 1u, qkv_tile_2_in_54)], qkv_tile_2_in_54) >> ((u32(qkv_at_1 + 166) & 1u) * 16u);
    qkv_tile_2_1_54 = qkv_tile_2_word_54 & 0xffffu;
    let qkv_tile_2_in_55 = qkv_in & (7 < left);
    let qkv_tile_2_word_55 = select(
        0u, qkv[select(0, (qkv_at_1 + 190) >> 1u, qkv_tile_2_in_55)], qkv_tile_2_in_55) >> ((u32(qkv_at_1 + 190) & 1u) * 16u);
    qkv_tile_2_1_55 = qkv_tile_2_word_55 & 0xffffu;
    let qkv_tile_2_in_56 = qkv_in & (0 < left);
    let qkv_tile_2_word_56 = select(
        0u, qkv[select(0, (qkv_at_1 + 23) >> 1u, qkv_tile_2_in_56)], qkv_tile_2_in_56) >> ((u32(qkv_at_1 + 23) & 1u) * 16u);
    qkv_tile_2_1_56 = qkv_tile_2_word_56 & 0xffffu;
    let qkv_tile_2_in_57 = qkv_in & (1 < left);
    let qkv_tile_2_word_57 = select(
        0u, qkv[select(0, (qkv_at_1 + 47) >> 1u, qkv_tile_2_in_57)], qkv_tile_2_in_57) >> ((u32(qkv_at_1 + 47) & 1u) * 16u);
    qkv_tile_2_1_57 = qkv_tile_2_word_57 & 0xffffu;
    let qkv_tile_2_in_58 = qkv_in & (2 < left);
    let qkv_tile_2_word_58 = select(
        0u, qkv[select(0, (qkv_at_1 + 71) >> 1u, qkv_tile_2_in_58)], qkv_tile_2_in_58) >> ((u32(qkv_at_1 + 71) & 1u) * 16u);
    qkv_tile_2_1_58 = qkv_tile_2_word_58 & 0xffffu;
    let qkv_tile_2_in_59 = qkv_in & (3 < left);
    let qkv_tile_2_word_59 = select(
        0u, qkv[select(0, (qkv_at_1 + 95) >> 1u, qkv_tile_2_in_59)], qkv_tile_2_in_59) >> ((u32(qkv_at_1 + 95) & 1u) * 16u);
    qkv_tile_2_1_59 = qkv_tile_2_word_59 & 0xffffu;
    let qkv_tile_2_in_60 = qkv_in & (4 < left);
    let qkv_tile_2_word_60 = select(
        0u, qkv[select(0, (qkv_at_1 + 119) >> 1u, qkv_tile_2_in_60)], qkv_tile_2_in_60) >> ((u32(qkv_at_1 + 119) & 1u) * 16u);
    qkv_tile_2_1_60 = qkv_tile_2_word_60 & 0xffffu;
    let qkv_tile_2_in_61 = qkv_in & (5 < left);
    let qkv_tile_2_word_61 = select(
        0u, qkv[select(0, (qkv_at_1 + 143) >> 1u, qkv_tile_2_in_61)], qkv_tile_2_in_61) >> ((u32(qkv_at_1 + 143) & 1u) * 16u);
    qkv_tile_2_1_61 = qkv_tile_2_word_61 & 0xffffu;
    let qkv_tile_2_in_62 = qkv_in & (6 < left);
    let qkv_tile_2_word_62 = select(
        0u, qkv[select(0, (qkv_at_1 + 167) >> 1u, qkv_tile_2_in_62)], qkv_tile_2_in_62) >> ((u32(qkv_at_1 + 167) & 1u) * 16u);
    qkv_tile_2_1_62 = qkv_tile_2_word_62 & 0xffffu;
    let qkv_tile_2_in_63 = qkv_in & (7 < left);
    let qkv_tile_2_word_63 = select(
        0u, qkv[select(0, (qkv_at_1 + 191) >> 1u, qkv_tile_2_in_63)], qkv_tile_2_in_63) >> ((u32(qkv_at_1 + 191) & 1u) * 16u);
    qkv_tile_2_1_63 = qkv_tile_2_word_63 & 0xffffu;
    var c: array<f32, 64>;
    c[0] = tw_bf16_to_f32(qkv_tile_2_1_0); c[1] = tw_bf16_to_f32(qkv_tile_2_1_1);
    c[2] = tw_bf16_to_f32(qkv_tile_2_1_2); c[3] = tw_bf16_to_f32(qkv_tile_2_1_3);
    c[4] = tw_bf16_to_f32(qkv_tile_2_1_4); c[5] = tw_bf16_to_f32(qkv_tile_2_1_5);
    c[6] = tw_bf16_to_f32(qkv_tile_2_1_6); c[7] = tw_bf16_to_f32(qkv_tile_2_1_7);
    c[8] = tw_bf16_to_f32(qkv_tile_2_1_8); c[9] = tw_bf16_to_f32(qkv_tile_2_1_9);
    c[10] = tw_bf16_to_f32(qkv_tile_2_1_10); c[11] = tw_bf16_to_f32(qkv_tile_2_1_11);
    c[12] = tw_bf16_to_f32(qkv_tile_2_1_12); c[13] = tw_bf16_to_f32(qkv_tile_2_1_13);
    c[14] = tw_bf16_to_f32(qkv_tile_2_1_14); c[15] = tw_bf16_to_f32(qkv_tile_2_1_15);
    c[16] = tw_bf16_to_f32(qkv_tile_2_1_16); c[17] = tw_bf16_to_f32(qkv_tile_2_1_17);
    c[18] = tw_bf16_to_f32(qkv_tile_2_1_18); c[19] = tw_bf16_to_f32(qkv_tile_2_1_19);
    c[20] = tw_bf16_to_f32(qkv_tile_2_1_20); c[21] = tw_bf16_to_f32(qkv_tile_2_1_21);
    c[22] = tw_bf16_to_f32(qkv_tile_2_1_22); c[23] = tw_bf16_to_f32(qkv_tile_2_1_23);
    c[24] = tw_bf16_to_f32(qkv_tile_2_1_24); c[25] = tw_bf16_to_f32(qkv_tile_2_1_25);
    c[26] = tw_bf16_to_f32(qkv_tile_2_1_26); c[27] = tw_bf16_to_f32(qkv_tile_2_1_27);
    c[28] = tw_bf16_to_f32(qkv_tile_2_1_28); c[29] = tw_bf16_to_f32(qkv_tile_2_1_29);
    c[30] = tw_bf16_to_f32(qkv_tile_2_1_30); c[31] = tw_bf16_to_f32(qkv_tile_2_1_31);
    c[32] = tw_bf16_to_f32(qkv_tile_2_1_32); c[33] = tw_bf16_to_f32(qkv_tile_2_1_33);
    c[34] = tw_bf16_to_f32(qkv_tile_2_1_34); c[35] = tw_bf16_to_f32(qkv_tile_2_1_35);
    c[36] = tw_bf16_to_f32(qkv_tile_2_1_36); c[37] = tw_bf16_to_f32(qkv_tile_2_1_37);
    c[38] = tw_bf16_to_f32(qkv_tile_2_1_38); c[39] = tw_bf16_to_f32(qkv_tile_2_1_39);
    c[40] = tw_bf16_to_f32(qkv_tile_2_1_40); c[41] = tw_bf16_to_f32(qkv_tile_2_1_41);
    c[42] = tw_bf16_to_f32(qkv_tile_2_1_42); c[43] = tw_bf16_to_f32(qkv_tile_2_1_43);
    c[44] = tw_bf16_to_f32(qkv_tile_2_1_44); c[45] = tw_bf16_to_f32(qkv_tile_2_1_45);
    c[46] = tw_bf16_to_f32(qkv_tile_2_1_46); c[47] = tw_bf16_to_f32(qkv_tile_2_1_47);
    c[48] = tw_bf16_to_f32(qkv_tile_2_1_48); c[49] = tw_bf16_to_f32(qkv_tile_2_1_49);
    c[50] = tw_bf16_to_f32(qkv_tile_2_1_50); c[51] = tw_bf16_to_f32(qkv_tile_2_1_51);
    c[52] = tw_bf16_to_f32(qkv_tile_2_1_52); c[53] = tw_bf16_to_f32(qkv_tile_2_1_53);
    c[54] = tw_bf16_to_f32(qkv_tile_2_1_54); c[55] = tw_bf16_to_f32(qkv_tile_2_1_55);
    c[56] = tw_bf16_to_f32(qkv_tile_2_1_56); c[57] = tw_bf16_to_f32(qkv_tile_2_1_57);
    c[58] = tw_bf16_to_f32(qkv_tile_2_1_58); c[59] = tw_bf16_to_f32(qkv_tile_2_1_59);
    c[60] = tw_bf16_to_f32(qkv_tile_2_1_60); c[61] = tw_bf16_to_f32(qkv_tile_2_1_61);
    c[62] = tw_bf16_to_f32(qkv_tile_2_1_62); c[63] = tw_bf16_to_f32(qkv_tile_2_1_63);
    var sum_0: f32; var sum_1: f32; var sum_2: f32; var sum_3: f32; var sum_4: f32; var sum_5: f32;
    var sum_6: f32; var sum_7: f32;
    sum_0 = 0.0f; sum_1 = 0.0f; sum_2 = 0.0f; sum_3 = 0.0f; sum_4 = 0.0f; sum_5 = 0.0f;
    sum_6 = 0.0f; sum_7 = 0.0f; sum_0 = sum_0 + c[0] * c[0]; sum_1 = sum_1 + c[1] * c[1];
    sum_2 = sum_2 + c[2] * c[2]; sum_3 = sum_3 + c[3] * c[3]; sum_4 = sum_4 + c[4] * c[4];
    sum_5 = sum_5 + c[5] * c[5]; sum_6 = sum_6 + c[6] * c[6]; sum_7 = sum_7 + c[7] * c[7];
    sum_0 = sum_0 + c[8] * c[8]; sum_1 = sum_1 + c[9] * c[9]; sum_2 = sum_2 + c[10] * c[10];
    sum_3 = sum_3 + c[11] * c[11]; sum_4 = sum_4 + c[12] * c[12]; sum_5 = sum_5 + c[13] * c[13];
    sum_6 = sum_6 + c[14] * c[14]; sum_7 = sum_7 + c[15] * c[15]; sum_0 = sum_0 + c[16] * c[16];
    sum_1 = sum_1 + c[17] * c[17]; sum_2 = sum_2 + c[18] * c[18]; sum_3 = sum_3 + c[19] * c[19];
    sum_4 = sum_4 + c[20] * c[20]; sum_5 = sum_5 + c[21] * c[21]; sum_6 = sum_6 + c[22] * c[22];
    sum_7 = sum_7 + c[23] * c[23]; sum_0 = sum_0 + c[24] * c[24]; sum_1 = sum_1 + c[25] * c[25];
    sum_2 = sum_2 + c[26] * c[26]; sum_3 = sum_3 + c[27] * c[27]; sum_4 = sum_4 + c[28] * c[28];
    sum_5 = sum_5 + c[29] * c[29]; sum_6 = sum_6 + c[30] * c[30]; sum_7 = sum_7 + c[31] * c[31];
    sum_0 = sum_0 + c[32] * c[32]; sum_1 = sum_1 + c[33] * c[33]; sum_2 = sum_2 + c[34] * c[34];
    sum_3 = sum_3 + c[35] * c[35]; sum_4 = sum_4 + c[36] * c[36]; sum_5 = sum_5 + c[37] * c[37];
    sum_6 = sum_6 + c[38] * c[38]; sum_7 = sum_7 + c[39] * c[39]; sum_0 = sum_0 + c[40] * c[40];
    sum_1 = sum_1 + c[41] * c[41]; sum_2 = sum_2 + c[42] * c[42]; sum_3 = sum_3 + c[43] * c[43];
    sum_4 = sum_4 + c[44] * c[44]; sum_5 = sum_5 + c[45] * c[45]; sum_6 = sum_6 + c[46] * c[46];
    sum_7 = sum_7 + c[47] * c[47]; sum_0 = sum_0 + c[48] * c[48]; sum_1 = sum_1 + c[49] * c[49];
    sum_2 = sum_2 + c[50] * c[50]; sum_3 = sum_3 + c[51] * c[51]; sum_4 = sum_4 + c[52] * c[52];
    sum_5 = sum_5 + c[53] * c[53]; sum_6 = sum_6 + c[54] * c[54]; sum_7 = sum_7 + c[55] * c[55];
    sum_0 = sum_0 + c[56] * c[56]; sum_1 = sum_1 + c[57] * c[57]; sum_2 = sum_2 + c[58] * c[58];
    sum_3 = sum_3 + c[59] * c[59]; sum_4 = sum_4 + c[60] * c[60]; sum_5 = sum_5 + c[61] * c[61];
    sum_6 = sum_6 + c[62] * c[62]; sum_7 = sum_7 + c[63] * c[63];
    var scale_0: f32; var scale_1: f32; var scale_2: f32; var scale_3: f32; var scale_4: f32;
    var scale_5: f32; var scale_6: f32; var scale_7: f32;
    scale_0 = inverseSqrt((square_0 + sum_0) / 24.0f + launch.eps);
    scale_1 = inverseSqrt((square_1 + sum_1) / 24.0f + launch.eps);
    scale_2 = inverseSqrt((square_2 + sum_2) / 24.0f + launch.eps);
    scale_3 = inverseSqrt((square_3 + sum_3) / 24.0f + launch.eps);
    scale_4 = inverseSqrt((square_4 + sum_4) / 24.0f + launch.eps);
    scale_5 = inverseSqrt((square_5 + sum_5) / 24.0f + launch.eps);
    scale_6 = inverseSqrt((square_6 + sum_6) / 24.0f + launch.eps);
    scale_7 = inverseSqrt((square_7 + sum_7) / 24.0f + launch.eps);
    var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32;
    let w_tile_word = w[t_D2 >> 2u];
    w_tile_0 = w_tile_word.x & 0xffffu; w_tile_1 = w_tile_word.x >> 16u;
    w_tile_2 = w_tile_word.y & 0xffffu; w_tile_3 = w_tile_word.y >> 16u;
    var t_2_0: f32; var t_2_1: f32; var t_2_2: f32; var t_2_3: f32;
    t_2_0 = tw_bf16_to_f32(w_tile_0) + 1.0f; t_2_1 = tw_bf16_to_f32(w_tile_1) + 1.0f;
    t_2_2 = tw_bf16_to_f32(w_tile_2) + 1.0f; t_2_3 = tw_bf16_to_f32(w_tile_3) + 1.0f;
    var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
    var x_6: f32; var x_7: f32; var x_8: f32; var x_9: f32; var x_10: f32; var x_11: f32;
    var x_12: f32; var x_13: f32; var x_14: f32; var x_15: f32; var x_16: f32; var x_17: f32;
    var x_18: f32; var x_19: f32; var x_20: f32; var x_21: f32; var x_22: f32; var x_23: f32;
    var x_24: f32; var x_25: f32; var x_26: f32; var x_27: f32; var x_28: f32; var x_29: f32;
    var x_30: f32; var x_31: f32;
    x_0 = a_0 * scale_0 * t_2_0; x_1 = a_1 * scale_0 * t_2_1; x_2 = a_2 * scale_0 * t_2_2;
    x_3 = a_3 * scale_0 * t_2_3; x_4 = a_4 * scale_1 * t_2_0; x_5 = a_5 * scale_1 * t_2_1;
    x_6 = a_6 * scale_1 * t_2_2; x_7 = a_7 * scale_1 * t_2_3; x_8 = a_8 * scale_2 * t_2_0;
    x_9 = a_9 * scale_2 * t_2_1; x_10 = a_10 * scale_2 * t_2_2; x_11 = a_11 * scale_2 * t_2_3;
    x_12 = a_12 * scale_3 * t_2_0; x_13 = a_13 * scale_3 * t_2_1; x_14 = a_14 * scale_3 * t_2_2;
    x_15 = a_15 * scale_3 * t_2_3; x_16 = a_16 * scale_4 * t_2_0; x_17 = a_17 * scale_4 * t_2_1;
    x_18 = a_18 * scale_4 * t_2_2; x_19 = a_19 * scale_4 * t_2_3; x_20 = a_20 * scale_5 * t_2_0;
    x_21 = a_21 * scale_5 * t_2_1; x_22 = a_22 * scale_5 * t_2_2; x_23 = a_23 * scale_5 * t_2_3;
    x_24 = a_24 * scale_6 * t_2_0; x_25 = a_25 * scale_6 * t_2_1; x_26 = a_26 * scale_6 * t_2_2;
    x_27 = a_27 * scale_6 * t_2_3; x_28 = a_28 * scale_7 * t_2_0; x_29 = a_29 * scale_7 * t_2_1;
    x_30 = a_30 * scale_7 * t_2_2; x_31 = a_31 * scale_7 * t_2_3;
    var w_tile_1_1_0: u32; var w_tile_1_1_1: u32; var w_tile_1_1_2: u32; var w_tile_1_1_3: u32;
    let w_tile_1_word = w[(t_D2 + 8) >> 2u];
    w_tile_1_1_0 = w_tile_1_word.x & 0xffffu; w_tile_1_1_1 = w_tile_1_word.x >> 16u;
    w_tile_1_1_2 = w_tile_1_word.y & 0xffffu; w_tile_1_1_3 = w_tile_1_word.y >> 16u;
    var t_3_0: f32; var t_3_1: f32; var t_3_2: f32; var t_3_3: f32;
    t_3_0 = tw_bf16_to_f32(w_tile_1_1_0) + 1.0f; t_3_1 = tw_bf16_to_f32(w_tile_1_1_1) + 1.0f;
    t_3_2 = tw_bf16_to_f32(w_tile_1_1_2) + 1.0f; t_3_3 = tw_bf16_to_f32(w_tile_1_1_3) + 1.0f;
    var y_0: f32; var y_1: f32; var y_2: f32; var y_3: f32; var y_4: f32; var y_5: f32;
    var y_6: f32; var y_7: f32; var y_8: f32; var y_9: f32; var y_10: f32; var y_11: f32;
    var y_12: f32; var y_13: f32; var y_14: f32; var y_15: f32; var y_16: f32; var y_17: f32;
    var y_18: f32; var y_19: f32; var y_20: f32; var y_21: f32; var y_22: f32; var y_23: f32;
    var y_24: f32; var y_25: f32; var y_26: f32; var y_27: f32; var y_28: f32; var y_29: f32;
    var y_30: f32; var y_31: f32;
    y_0 = b_0 * scale_0 * t_3_0; y_1 = b_1 * scale_0 * t_3_1; y_2 = b_2 * scale_0 * t_3_2;
    y_3 = b_3 * scale_0 * t_3_3; y_4 = b_4 * scale_1 * t_3_0; y_5 = b_5 * scale_1 * t_3_1;
    y_6 = b_6 * scale_1 * t_3_2; y_7 = b_7 * scale_1 * t_3_3; y_8 = b_8 * scale_2 * t_3_0;
    y_9 = b_9 * scale_2 * t_3_1; y_10 = b_10 * scale_2 * t_3_2; y_11 = b_11 * scale_2 * t_3_3;
    y_12 = b_12 * scale_3 * t_3_0; y_13 = b_13 * scale_3 * t_3_1; y_14 = b_14 * scale_3 * t_3_2;
    y_15 = b_15 * scale_3 * t_3_3; y_16 = b_16 * scale_4 * t_3_0; y_17 = b_17 * scale_4 * t_3_1;
    y_18 = b_18 * scale_4 * t_3_2; y_19 = b_19 * scale_4 * t_3_3; y_20 = b_20 * scale_5 * t_3_0;
    y_21 = b_21 * scale_5 * t_3_1; y_22 = b_22 * scale_5 * t_3_2; y_23 = b_23 * scale_5 * t_3_3;
    y_24 = b_24 * scale_6 * t_3_0; y_25 = b_25 * scale_6 * t_3_1; y_26 = b_26 * scale_6 * t_3_2;
    y_27 = b_27 * scale_6 * t_3_3; y_28 = b_28 * scale_7 * t_3_0; y_29 = b_29 * scale_7 * t_3_1;
    y_30 = b_30 * scale_7 * t_3_2; y_31 = b_31 * scale_7 * t_3_3;
    let stride_1: i32 = launch.HQ * 24;
    let q_at: i32 = t_D2 + pid0 * stride_1 + t_1 * 24;
    let left_1: i32 = launch.HQ - t_1;
    if (is_first) {
      var q_tile_0: u32; var q_tile_1: u32; var q_tile_2: u32; var q_tile_3: u32;
      q_tile_0 = tw_f32_to_bf16(x_0 * cos_0 - y_0 * sin_0);
      q_tile_1 = tw_f32_to_bf16(x_1 * cos_1 - y_1 * sin_1);
      q_tile_2 = tw_f32_to_bf16(x_2 * cos_2 - y_2 * sin_2);
      q_tile_3 = tw_f32_to_bf16(x_3 * cos_3 - y_3 * sin_3);
      if (qkv_in & (0 < left_1)) {
        atomicStore(&q[q_at >> 1u], q_tile_0 | (q_tile_1 << 16u));
        atomicStore(&q[(q_at >> 1u) + 1], q_tile_2 | (q_tile_3 << 16u));
      }
      var q_tile_1_1_0: u32; var q_tile_1_1_1: u32; var q_tile_1_1_2: u32; var q_tile_1_1_3: u32;
      q_tile_1_1_0 = tw_f32_to_bf16(x_4 * cos_0 - y_4 * sin_0);
      q_tile_1_1_1 = tw_f32_to_bf16(x_5 * cos_1 - y_5 * sin_1);
      q_tile_1_1_2 = tw_f32_to_bf16(x_6 * cos_2 - y_6 * sin_2);
      q_tile_1_1_3 = tw_f32_to_bf16(x_7 * cos_3 - y_7 * sin_3);
      if (qkv_in & (1 < left_1)) {
        atomicStore(&q[(q_at + 24) >> 1u], q_tile_1_1_0 | (q_tile_1_1_1 << 16u));
        atomicStore(&q[((q_at + 24) >> 1u) + 1], q_tile_1_1_2 | (q_tile_1_1_3 << 16u));
      }
      var q_tile_2_1_0: u32; var q_tile_2_1_1: u32; var q_tile_2_1_2: u32; var q_tile_2_1_3: u32;
      q_tile_2_1_0 = tw_f32_to_bf16(x_8 * cos_0 - y_8 * sin_0);
      q_tile_2_1_1 = tw_f32_to_bf16(x_9 * cos_1 - y_9 * sin_1);
      q_tile_2_1_2 = tw_f32_to_bf16(x_10 * cos_2 - y_10 * sin_2);
      q_tile_2_1_3 = tw_f32_to_bf16(x_11 * cos_3 - y_11 * sin_3);
      if (qkv_in & (2 < left_1)) {
        atomicStore(&q[(q_at + 48) >> 1u], q_tile_2_1_0 | (q_tile_2_1_1 << 16u));
        atomicStore(&q[((q_at + 48) >> 1u) + 1], q_tile_2_1_2 | (q_tile_2_1_3 << 16u));
      }
      var q_tile_3_1_0: u32; var q_tile_3_1_1: u32; var q_tile_3_1_2: u32; var q_tile_3_1_3: u32;
      q_tile_3_1_0 = tw_f32_to_bf16(x_12 * cos_0 - y_12 * sin_0);
      q_tile_3_1_1 = tw_f32_to_bf16(x_13 * cos_1 - y_13 * sin_1);
      q_tile_3_1_2 = tw_f32_to_bf16(x_14 * cos_2 - y_14 * sin_2);
      q_tile_3_1_3 = tw_f32_to_bf16(x_15 * cos_3 - y_15 * sin_3);
      if (qkv_in & (3 < left_1)) {
        atomicStore(&q[(q_at + 72) >> 1u], q_tile_3_1_0 | (q_tile_3_1_1 << 16u));
        atomicStore(&q[((q_at + 72) >> 1u) + 1], q_tile_3_1_2 | (q_tile_3_1_3 << 16u));
      }
      var q_tile_4_0: u32; var q_tile_4_1: u32; var q_tile_4_2: u32; var q_tile_4_3: u32;
      q_tile_4_0 = tw_f32_to_bf16(x_16 * cos_0 - y_16 * sin_0);
      q_tile_4_1 = tw_f32_to_bf16(x_17 * cos_1 - y_17 * sin_1);
      q_tile_4_2 = tw_f32_to_bf16(x_18 * cos_2 - y_18 * sin_2);
      q_tile_4_3 = tw_f32_to_bf16(x_19 * cos_3 - y_19 * sin_3);
      if (qkv_in & (4 < left_1)) {
        atomicStore(&q[(q_at + 96) >> 1u], q_tile_4_0 | (q_tile_4_1 << 16u));
        atomicStore(&q[((q_at + 96) >> 1u) + 1], q_tile_4_2 | (q_tile_4_3 << 16u));
      }
      var q_tile_5_0: u32; var q_tile_5_1: u32; var q_tile_5_2: u32; var q_tile_5_3: u32;
      q_tile_5_0 = tw_f32_to_bf16(x_20 * cos_0 - y_20 * sin_0);
      q_tile_5_1 = tw_f32_to_bf16(x_21 * cos_1 - y_21 * sin_1);
      q_tile_5_2 = tw_f32_to_bf16(x_22 * cos_2 - y_22 * sin_2);
      q_tile_5_3 = tw_f32_to_bf16(x_23 * cos_3 - y_23 * sin_3);
      if (qkv_in & (5 < left_1)) {
        atomicStore(&q[(q_at + 120) >> 1u], q_tile_5_0 | (q_tile_5_1 << 16u));
        atomicStore(&q[((q_at + 120) >> 1u) + 1], q_tile_5_2 | (q_tile_5_3 << 16u));
      }
      var q_tile_6_0: u32; var q_tile_6_1: u32; var q_tile_6_2: u32; var q_tile_6_3: u32;
      q_tile_6_0 = tw_f32_to_bf16(x_24 * cos_0 - y_24 * sin_0);
      q_tile_6_1 = tw_f32_to_bf16(x_25 * cos_1 - y_25 * sin_1);
      q_tile_6_2 = tw_f32_to_bf16(x_26 * cos_2 - y_26 * sin_2);
      q_tile_6_3 = tw_f32_to_bf16(x_27 * cos_3 - y_27 * sin_3);
      if (qkv_in & (6 < left_1)) {
        atomicStore(&q[(q_at + 144) >> 1u], q_tile_6_0 | (q_tile_6_1 << 16u));
        atomicStore(&q[((q_at + 144) >> 1u) + 1], q_tile_6_2 | (q_tile_6_3 << 16u));
      }
      var q_tile_7_0: u32; var q_tile_7_1: u32; var q_tile_7_2: u32; var q_tile_7_3: u32;
      q_tile_7_0 = tw_f32_to_bf16(x_28 * cos_0 - y_28 * sin_0);
      q_tile_7_1 = tw_f32_to_bf16(x_29 * cos_1 - y_29 * sin_1);
      q_tile_7_2 = tw_f32_to_bf16(x_30 * cos_2 - y_30 * sin_2);
      q_tile_7_3 = tw_f32_to_bf16(x_31 * cos_3 - y_31 * sin_3);
      if (qkv_in & (7 < left_1)) {
        atomicStore(&q[(q_at + 168) >> 1u], q_tile_7_0 | (q_tile_7_1 << 16u));
        atomicStore(&q[((q_at + 168) >> 1u) + 1], q_tile_7_2 | (q_tile_7_3 << 16u));
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
        atomicStore(&q[(q_at + 8) >> 1u], q_tile_8_0 | (q_tile_8_1 << 16u));
        atomicStore(&q[((q_at + 8) >> 1u) + 1], q_tile_8_2 | (q_tile_8_3 << 16u));
      }
      var q_tile_9_0: u32; var q_tile_9_1: u32; var q_tile_9_2: u32; var q_tile_9_3: u32;
      q_tile_9_0 = tw_f32_to_bf16(y_4 * cos_0 + x_4 * sin_0);
      q_tile_9_1 = tw_f32_to_bf16(y_5 * cos_1 + x_5 * sin_1);
      q_tile_9_2 = tw_f32_to_bf16(y_6 * cos_2 + x_6 * sin_2);
      q_tile_9_3 = tw_f32_to_bf16(y_7 * cos_3 + x_7 * sin_3);
      if (qkv_in & (1 < left_1)) {
        atomicStore(&q[(q_at + 32) >> 1u], q_tile_9_0 | (q_tile_9_1 << 16u));
        atomicStore(&q[((q_at + 32) >> 1u) + 1], q_tile_9_2 | (q_tile_9_3 << 16u));
      }
      var q_tile_10_0: u32; var q_tile_10_1: u32; var q_tile_10_2: u32; var q_tile_10_3: u32;
      q_tile_10_0 = tw_f32_to_bf16(y_8 * cos_0 + x_8 * sin_0);
      q_tile_10_1 = tw_f32_to_bf16(y_9 * cos_1 + x_9 * sin_1);
      q_tile_10_2 = tw_f32_to_bf16(y_10 * cos_2 + x_10 * sin_2);
      q_tile_10_3 = tw_f32_to_bf16(y_11 * cos_3 + x_11 * sin_3);
      if (qkv_in & (2 < left_1)) {
        atomicStore(&q[(q_at + 56) >> 1u], q_tile_10_0 | (q_tile_10_1 << 16u));
        atomicStore(&q[((q_at + 56) >> 1u) + 1], q_tile_10_2 | (q_tile_10_3 << 16u));
      }
      var q_tile_11_0: u32; var q_tile_11_1: u32; var q_tile_11_2: u32; var q_tile_11_3: u32;
      q_tile_11_0 = tw_f32_to_bf16(y_12 * cos_0 + x_12 * sin_0);
      q_tile_11_1 = tw_f32_to_bf16(y_13 * cos_1 + x_13 * sin_1);
      q_tile_11_2 = tw_f32_to_bf16(y_14 * cos_2 + x_14 * sin_2);
      q_tile_11_3 = tw_f32_to_bf16(y_15 * cos_3 + x_15 * sin_3);
      if (qkv_in & (3 < left_1)) {
        atomicStore(&q[(q_at + 80) >> 1u], q_tile_11_0 | (q_tile_11_1 << 16u));
        atomicStore(&q[((q_at + 80) >> 1u) + 1], q_tile_11_2 | (q_tile_11_3 << 16u));
      }
      var q_tile_12_0: u32; var q_tile_12_1: u32; var q_tile_12_2: u32; var q_tile_12_3: u32;
      q_tile_12_0 = tw_f32_to_bf16(y_16 * cos_0 + x_16 * sin_0);
      q_tile_12_1 = tw_f32_to_bf16(y_17 * cos_1 + x_17 * sin_1);
      q_tile_12_2 = tw_f32_to_bf16(y_18 * cos_2 + x_18 * sin_2);
      q_tile_12_3 = tw_f32_to_bf16(y_19 * cos_3 + x_19 * sin_3);
      if (qkv_in & (4 < left_1)) {
        atomicStore(&q[(q_at + 104) >> 1u], q_tile_12_0 | (q_tile_12_1 << 16u));
        atomicStore(&q[((q_at + 104) >> 1u) + 1], q_tile_12_2 | (q_tile_12_3 << 16u));
      }
      var q_tile_13_0: u32; var q_tile_13_1: u32; var q_tile_13_2: u32; var q_tile_13_3: u32;
      q_tile_13_0 = tw_f32_to_bf16(y_20 * cos_0 + x_20 * sin_0);
      q_tile_13_1 = tw_f32_to_bf16(y_21 * cos_1 + x_21 * sin_1);
      q_tile_13_2 = tw_f32_to_bf16(y_22 * cos_2 + x_22 * sin_2);
      q_tile_13_3 = tw_f32_to_bf16(y_23 * cos_3 + x_23 * sin_3);
      if (qkv_in & (5 < left_1)) {
        atomicStore(&q[(q_at + 128) >> 1u], q_tile_13_0 | (q_tile_13_1 << 16u));
        atomicStore(&q[((q_at + 128) >> 1u) + 1], q_tile_13_2 | (q_tile_13_3 << 16u));
      }
      var q_tile_14_0: u32; var q_tile_14_1: u32; var q_tile_14_2: u32; var q_tile_14_3: u32;
      q_tile_14_0 = tw_f32_to_bf16(y_24 * cos_0 + x_24 * sin_0);
      q_tile_14_1 = tw_f32_to_bf16(y_25 * cos_1 + x_25 * sin_1);
      q_tile_14_2 = tw_f32_to_bf16(y_26 * cos_2 + x_26 * sin_2);
      q_tile_14_3 = tw_f32_to_bf16(y_27 * cos_3 + x_27 * sin_3);
      if (qkv_in & (6 < left_1)) {
        atomicStore(&q[(q_at + 152) >> 1u], q_tile_14_0 | (q_tile_14_1 << 16u));
        atomicStore(&q[((q_at + 152) >> 1u) + 1], q_tile_14_2 | (q_tile_14_3 << 16u));
      }
      var q_tile_15_0: u32; var q_tile_15_1: u32; var q_tile_15_2: u32; var q_tile_15_3: u32;
      q_tile_15_0 = tw_f32_to_bf16(y_28 * cos_0 + x_28 * sin_0);
      q_tile_15_1 = tw_f32_to_bf16(y_29 * cos_1 + x_29 * sin_1);
      q_tile_15_2 = tw_f32_to_bf16(y_30 * cos_2 + x_30 * sin_2);
      q_tile_15_3 = tw_f32_to_bf16(y_31 * cos_3 + x_31 * sin_3);
      if (qkv_in & (7 < left_1)) {
        atomicStore(&q[(q_at + 176) >> 1u], q_tile_15_0 | (q_tile_15_1 << 16u));
        atomicStore(&q[((q_at + 176) >> 1u) + 1], q_tile_15_2 | (q_tile_15_3 << 16u));
      }
    }
    var w_tile_2_1_0: u32; var w_tile_2_1_1: u32; var w_tile_2_1_2: u32; var w_tile_2_1_3: u32;
    var w_tile_2_1_4: u32; var w_tile_2_1_5: u32; var w_tile_2_1_6: u32; var w_tile_2_1_7: u32;
    let w_tile_2_word = w[4];
    w_tile_2_1_0 = w_tile_2_word.x & 0xffffu; w_tile_2_1_1 = w_tile_2_word.x >> 16u;
    w_tile_2_1_2 = w_tile_2_word.y & 0xffffu; w_tile_2_1_3 = w_tile_2_word.y >> 16u;
    let w_tile_2_word_1 = w[5];
    w_tile_2_1_4 = w_tile_2_word_1.x & 0xffffu; w_tile_2_1_5 = w_tile_2_word_1.x >> 16u;
    w_tile_2_1_6 = w_tile_2_word_1.y & 0xffffu; w_tile_2_1_7 = w_tile_2_word_1.y >> 16u;
    var weight: array<f32, 8>;
    weight[0] = tw_bf16_to_f32(w_tile_2_1_0) + 1.0f;
    weight[1] = tw_bf16_to_f32(w_tile_2_1_1) + 1.0f;
    weight[2] = tw_bf16_to_f32(w_tile_2_1_2) + 1.0f;
    weight[3] = tw_bf16_to_f32(w_tile_2_1_3) + 1.0f;
    weight[4] = tw_bf16_to_f32(w_tile_2_1_4) + 1.0f;
    weight[5] = tw_bf16_to_f32(w_tile_2_1_5) + 1.0f;
    weight[6] = tw_bf16_to_f32(w_tile_2_1_6) + 1.0f;
    weight[7] = tw_bf16_to_f32(w_tile_2_1_7) + 1.0f;
    storageBarrier();
    workgroupBarrier();
    let q_at_1: i32 = pid0 * stride_1 + t_1 * 24;
    let is_first_1: bool = thread == 0;
    if (is_first_1) {
      for (var r: i32 = 0; r < 8; r++) {
        let q_tile_16: u32 = tw_f32_to_bf16(c[r * 8] * scale_0 * weight[r]);
        if (qkv_in & (0 < left_1)) {
          let q_tile_16_at = q_at_1 + 16 + r;
          let shift = (u32(q_tile_16_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_16_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_16_at >> 1u], q_tile_16 << shift);
        }
        let q_tile_17: u32 = tw_f32_to_bf16(c[r * 8 + 1] * scale_1 * weight[r]);
        if (qkv_in & (1 < left_1)) {
          let q_tile_17_at = q_at_1 + 40 + r;
          let shift = (u32(q_tile_17_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_17_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_17_at >> 1u], q_tile_17 << shift);
        }
        let q_tile_18: u32 = tw_f32_to_bf16(c[r * 8 + 2] * scale_2 * weight[r]);
        if (qkv_in & (2 < left_1)) {
          let q_tile_18_at = q_at_1 + 64 + r;
          let shift = (u32(q_tile_18_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_18_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_18_at >> 1u], q_tile_18 << shift);
        }
        let q_tile_19: u32 = tw_f32_to_bf16(c[r * 8 + 3] * scale_3 * weight[r]);
        if (qkv_in & (3 < left_1)) {
          let q_tile_19_at = q_at_1 + 88 + r;
          let shift = (u32(q_tile_19_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_19_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_19_at >> 1u], q_tile_19 << shift);
        }
        let q_tile_20: u32 = tw_f32_to_bf16(c[r * 8 + 4] * scale_4 * weight[r]);
        if (qkv_in & (4 < left_1)) {
          let q_tile_20_at = q_at_1 + 112 + r;
          let shift = (u32(q_tile_20_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_20_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_20_at >> 1u], q_tile_20 << shift);
        }
        let q_tile_21: u32 = tw_f32_to_bf16(c[r * 8 + 5] * scale_5 * weight[r]);
        if (qkv_in & (5 < left_1)) {
          let q_tile_21_at = q_at_1 + 136 + r;
          let shift = (u32(q_tile_21_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_21_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_21_at >> 1u], q_tile_21 << shift);
        }
        let q_tile_22: u32 = tw_f32_to_bf16(c[r * 8 + 6] * scale_6 * weight[r]);
        if (qkv_in & (6 < left_1)) {
          let q_tile_22_at = q_at_1 + 160 + r;
          let shift = (u32(q_tile_22_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_22_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_22_at >> 1u], q_tile_22 << shift);
        }
        let q_tile_23: u32 = tw_f32_to_bf16(c[r * 8 + 7] * scale_7 * weight[r]);
        if (qkv_in & (7 < left_1)) {
          let q_tile_23_at = q_at_1 + 184 + r;
          let shift = (u32(q_tile_23_at) & 1u) * 16u;
          atomicAnd(&q[q_tile_23_at >> 1u], ~(0xffffu << shift));
          atomicOr(&q[q_tile_23_at >> 1u], q_tile_23 << shift);
        }
      }
    }
  } else {
    var slot: i32;
    slot = slots[pid0];
    let t_4: bool = slot >= 0;
    if (t_4) {
      let head: i32 = (pid1 - queryBlocks) * 8;
      let page: i32 = slot >> 2u;
      let offset: i32 = slot & 3;
      let t_5: i32 = launch.HQ + head;
      let t_6: i32 = launch.HQ + launch.HKV;
      let t_BH: i32 = thread >> 1u;
      let bound_1: i32 = min(t_6, launch.HT);
      let position_1: i32 = t_5 + t_BH;
      let bound_2: i32 = max(bound_1, 0);
      let qkv_at_2: i32 = t_D2 + t_BH * 24;
      let qkv_at_3: i32 = pid0 * stride + t_5 * 24 + qkv_at_2;
      let qkv_in_1: bool = (pid0 < launch.N) & (u32(position_1) < u32(bound_2));
      var qkv_tile_3_0: u32; var qkv_tile_3_1: u32; var qkv_tile_3_2: u32; var qkv_tile_3_3: u32;
      let qkv_tile_3_word = select(0u, qkv[select(0, qkv_at_3 >> 1u, qkv_in_1)], qkv_in_1);
      qkv_tile_3_0 = qkv_tile_3_word & 0xffffu; qkv_tile_3_1 = qkv_tile_3_word >> 16u;
      let qkv_tile_3_word_1 = select(0u, qkv[select(0, (qkv_at_3 >> 1u) + 1, qkv_in_1)], qkv_in_1);
      qkv_tile_3_2 = qkv_tile_3_word_1 & 0xffffu; qkv_tile_3_3 = qkv_tile_3_word_1 >> 16u;
      var a_1_0: f32; var a_1_1: f32; var a_1_2: f32; var a_1_3: f32;
      a_1_0 = tw_bf16_to_f32(qkv_tile_3_0); a_1_1 = tw_bf16_to_f32(qkv_tile_3_1);
      a_1_2 = tw_bf16_to_f32(qkv_tile_3_2); a_1_3 = tw_bf16_to_f32(qkv_tile_3_3);
      var qkv_tile_4_0: u32; var qkv_tile_4_1: u32; var qkv_tile_4_2: u32; var qkv_tile_4_3: u32;
      let qkv_tile_4_word = select(0u, qkv[select(0, (qkv_at_3 + 8) >> 1u, qkv_in_1)], qkv_in_1);
      qkv_tile_4_0 = qkv_tile_4_word & 0xffffu; qkv_tile_4_1 = qkv_tile_4_word >> 16u;
      let qkv_tile_4_word_1 = select(
          0u, qkv[select(0, ((qkv_at_3 + 8) >> 1u) + 1, qkv_in_1)], qkv_in_1);
      qkv_tile_4_2 = qkv_tile_4_word_1 & 0xffffu; qkv_tile_4_3 = qkv_tile_4_word_1 >> 16u;
      var b_1_0: f32; var b_1_1: f32; var b_1_2: f32; var b_1_3: f32;
      b_1_0 = tw_bf16_to_f32(qkv_tile_4_0); b_1_1 = tw_bf16_to_f32(qkv_tile_4_1);
      b_1_2 = tw_bf16_to_f32(qkv_tile_4_2); b_1_3 = tw_bf16_to_f32(qkv_tile_4_3);
      var square_1: f32 = 0.0f;
      square_1 = square_1 + (a_1_0 * a_1_0 + b_1_0 * b_1_0);
      square_1 = square_1 + (a_1_1 * a_1_1 + b_1_1 * b_1_1);
      square_1 = square_1 + (a_1_2 * a_1_2 + b_1_2 * b_1_2);
      square_1 = square_1 + (a_1_3 * a_1_3 + b_1_3 * b_1_3);
      let part_at_1: i32 = part * 8 + t_BH;
      square_parts_2[part_at_1] = square_1;
      storageBarrier();
      workgroupBarrier();
      square_1 = square_parts_2[t_BH];
      var other_8: f32;
      other_8 = square_parts_2[t_BH + 8];
      square_1 = square_1 + other_8;
      let qkv_at_4: i32 = t_BH * 24;
      let qkv_at_5: i32 = pid0 * stride + t_5 * 24 + qkv_at_4;
      var qkv_tile_5_0: u32; var qkv_tile_5_1: u32; var qkv_tile_5_2: u32; var qkv_tile_5_3: u32;
      var qkv_tile_5_4: u32; var qkv_tile_5_5: u32; var qkv_tile_5_6: u32; var qkv_tile_5_7: u32;
      let qkv_tile_5_word = select(0u, qkv[select(0, (qkv_at_5 + 16) >> 1u, qkv_in_1)], qkv_in_1);
      qkv_tile_5_0 = qkv_tile_5_word & 0xffffu; qkv_tile_5_1 = qkv_tile_5_word >> 16u;
      let qkv_tile_5_word_1 = select(
          0u, qkv[select(0, ((qkv_at_5 + 16) >> 1u) + 1, qkv_in_1)], qkv_in_1);
      qkv_tile_5_2 = qkv_tile_5_word_1 & 0xffffu; qkv_tile_5_3 = qkv_tile_5_word_1 >> 16u;
      let qkv_tile_5_word_2 = select(
          0u, qkv[select(0, ((qkv_at_5 + 16) >> 1u) + 2, qkv_in_1)], qkv_in_1);
      qkv_tile_5_4 = qkv_tile_5_word_2 & 0xffffu; qkv_tile_5_5 = qkv_tile_5_word_2 >> 16u;
      let qkv_tile_5_word_3 = select(
          0u, qkv[select(0, ((qkv_at_5 + 16) >> 1u) + 3, qkv_in_1)], qkv_in_1);
      qkv_tile_5_6 = qkv_tile_5_word_3 & 0xffffu; qkv_tile_5_7 = qkv_tile_5_word_3 >> 16u;
      var c_1_0: f32; var c_1_1: f32; var c_1_2: f32; var c_1_3: f32; var c_1_4: f32;
      var c_1_5: f32; var c_1_6: f32; var c_1_7: f32;
      c_1_0 = tw_bf16_to_f32(qkv_tile_5_0); c_1_1 = tw_bf16_to_f32(qkv_tile_5_1);
      c_1_2 = tw_bf16_to_f32(qkv_tile_5_2); c_1_3 = tw_bf16_to_f32(qkv_tile_5_3);
      c_1_4 = tw_bf16_to_f32(qkv_tile_5_4); c_1_5 = tw_bf16_to_f32(qkv_tile_5_5);
      c_1_6 = tw_bf16_to_f32(qkv_tile_5_6); c_1_7 = tw_bf16_to_f32(qkv_tile_5_7);
      var sum_1: f32 = 0.0f;
      sum_1 = sum_1 + c_1_0 * c_1_0;
      sum_1 = sum_1 + c_1_1 * c_1_1;
      sum_1 = sum_1 + c_1_2 * c_1_2;
      sum_1 = sum_1 + c_1_3 * c_1_3;
      sum_1 = sum_1 + c_1_4 * c_1_4;
      sum_1 = sum_1 + c_1_5 * c_1_5;
      sum_1 = sum_1 + c_1_6 * c_1_6;
      sum_1 = sum_1 + c_1_7 * c_1_7;
      let scale_1: f32 = inverseSqrt((square_1 + sum_1) / 24.0f + launch.eps);
      var w_tile_3_0: u32; var w_tile_3_1: u32; var w_tile_3_2: u32; var w_tile_3_3: u32;
      let w_tile_3_word = w[(t_D2 + 24) >> 2u];
      w_tile_3_0 = w_tile_3_word.x & 0xffffu; w_tile_3_1 = w_tile_3_word.x >> 16u;
      w_tile_3_2 = w_tile_3_word.y & 0xffffu; w_tile_3_3 = w_tile_3_word.y >> 16u;
      var x_1_0: f32; var x_1_1: f32; var x_1_2: f32; var x_1_3: f32;
      x_1_0 = a_1_0 * scale_1 * (tw_bf16_to_f32(w_tile_3_0) + 1.0f);
      x_1_1 = a_1_1 * scale_1 * (tw_bf16_to_f32(w_tile_3_1) + 1.0f);
      x_1_2 = a_1_2 * scale_1 * (tw_bf16_to_f32(w_tile_3_2) + 1.0f);
      x_1_3 = a_1_3 * scale_1 * (tw_bf16_to_f32(w_tile_3_3) + 1.0f);
      var w_tile_4_0: u32; var w_tile_4_1: u32; var w_tile_4_2: u32; var w_tile_4_3: u32;
      let w_tile_4_word = w[(t_D2 + 32) >> 2u];
      w_tile_4_0 = w_tile_4_word.x & 0xffffu; w_tile_4_1 = w_tile_4_word.x >> 16u;
      w_tile_4_2 = w_tile_4_word.y & 0xffffu; w_tile_4_3 = w_tile_4_word.y >> 16u;
      var y_1_0: f32; var y_1_1: f32; var y_1_2: f32; var y_1_3: f32;
      y_1_0 = b_1_0 * scale_1 * (tw_bf16_to_f32(w_tile_4_0) + 1.0f);
      y_1_1 = b_1_1 * scale_1 * (tw_bf16_to_f32(w_tile_4_1) + 1.0f);
      y_1_2 = b_1_2 * scale_1 * (tw_bf16_to_f32(w_tile_4_2) + 1.0f);
      y_1_3 = b_1_3 * scale_1 * (tw_bf16_to_f32(w_tile_4_3) + 1.0f);
      let stride_2: i32 = launch.HKV * 96;
      let stride_3: i32 = launch.HKV * 24;
      let position_2: i32 = head + t_BH;
      let kCache_at: i32 = page * stride_2 + offset * stride_3 + head * 24 + qkv_at_2;
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
        kCache[(kCache_at + 8) >> 2u] = vec2<u32>(
            kCache_tile_1_1_0 | (kCache_tile_1_1_1 << 16u),
            kCache_tile_1_1_2 | (kCache_tile_1_1_3 << 16u));
      }
      var w_tile_5_0: u32; var w_tile_5_1: u32; var w_tile_5_2: u32; var w_tile_5_3: u32;
      var w_tile_5_4: u32; var w_tile_5_5: u32; var w_tile_5_6: u32; var w_tile_5_7: u32;
      let w_tile_5_word = w[10];
      w_tile_5_0 = w_tile_5_word.x & 0xffffu; w_tile_5_1 = w_tile_5_word.x >> 16u;
      w_tile_5_2 = w_tile_5_word.y & 0xffffu; w_tile_5_3 = w_tile_5_word.y >> 16u;
      let w_tile_5_word_1 = w[11];
      w_tile_5_4 = w_tile_5_word_1.x & 0xffffu; w_tile_5_5 = w_tile_5_word_1.x >> 16u;
      w_tile_5_6 = w_tile_5_word_1.y & 0xffffu; w_tile_5_7 = w_tile_5_word_1.y >> 16u;
      storageBarrier();
      workgroupBarrier();
      let kCache_at_1: i32 = page * stride_2 + offset * stride_3 + head * 24 + qkv_at_4;
      let is_first_2: bool = (thread & 1) == 0;
      if (is_first_2) {
        var kCache_tile_2_1_0: u32; var kCache_tile_2_1_1: u32; var kCache_tile_2_1_2: u32;
        var kCache_tile_2_1_3: u32; var kCache_tile_2_1_4: u32; var kCache_tile_2_1_5: u32;
        var kCache_tile_2_1_6: u32; var kCache_tile_2_1_7: u32;
        kCache_tile_2_1_0 = tw_f32_to_bf16(c_1_0 * scale_1 * (tw_bf16_to_f32(w_tile_5_0) + 1.0f));
        kCache_tile_2_1_1 = tw_f32_to_bf16(c_1_1 * scale_1 * (tw_bf16_to_f32(w_tile_5_1) + 1.0f));
        kCache_tile_2_1_2 = tw_f32_to_bf16(c_1_2 * scale_1 * (tw_bf16_to_f32(w_tile_5_2) + 1.0f));
        kCache_tile_2_1_3 = tw_f32_to_bf16(c_1_3 * scale_1 * (tw_bf16_to_f32(w_tile_5_3) + 1.0f));
        kCache_tile_2_1_4 = tw_f32_to_bf16(c_1_4 * scale_1 * (tw_bf16_to_f32(w_tile_5_4) + 1.0f));
        kCache_tile_2_1_5 = tw_f32_to_bf16(c_1_5 * scale_1 * (tw_bf16_to_f32(w_tile_5_5) + 1.0f));
        kCache_tile_2_1_6 = tw_f32_to_bf16(c_1_6 * scale_1 * (tw_bf16_to_f32(w_tile_5_6) + 1.0f));
        kCache_tile_2_1_7 = tw_f32_to_bf16(c_1_7 * scale_1 * (tw_bf16_to_f32(w_tile_5_7) + 1.0f));
        if (kCache_in) {
          kCache[(kCache_at_1 + 16) >> 2u] = vec2<u32>(
              kCache_tile_2_1_0 | (kCache_tile_2_1_1 << 16u),
              kCache_tile_2_1_2 | (kCache_tile_2_1_3 << 16u));
          kCache[((kCache_at_1 + 16) >> 2u) + 1] = vec2<u32>(
              kCache_tile_2_1_4 | (kCache_tile_2_1_5 << 16u),
              kCache_tile_2_1_6 | (kCache_tile_2_1_7 << 16u));
        }
      }
      let t_7: i32 = t_6 + head;
      let t_BH_1: i32 = thread & 7;
      let t_8: i32 = launch.HQ + launch.HKV * 2;
      let bound_3: i32 = min(t_8, launch.HT);
      let position_3: i32 = t_7 + t_BH_1;
      let bound_4: i32 = max(bound_3, 0);
      let qkv_at_6: i32 = t_BH_1 * 24;
      let qkv_at_7: i32 = pid0 * stride + t_7 * 24 + qkv_at_6;
      let qkv_in_2: bool = (pid0 < launch.N) & (u32(position_3) < u32(bound_4));
      var values_0: u32; var values_1: u32; var values_2: u32; var values_3: u32; var values_4: u32;
      var values_5: u32; var values_6: u32; var values_7: u32; var values_8: u32; var values_9: u32;
      var values_10: u32; var values_11: u32; var values_12: u32; var values_13: u32;
      var values_14: u32; var values_15: u32; var values_16: u32; var values_17: u32;
      var values_18: u32; var values_19: u32; var values_20: u32; var values_21: u32;
      var values_22: u32; var values_23: u32;
      let values_word = select(0u, qkv[select(0, qkv_at_7 >> 1u, qkv_in_2)], qkv_in_2);
      values_0 = values_word & 0xffffu; values_1 = values_word >> 16u;
      let values_word_1 = select(0u, qkv[select(0, (qkv_at_7 >> 1u) + 1, qkv_in_2)], qkv_in_2);
      values_2 = values_word_1 & 0xffffu; values_3 = values_word_1 >> 16u;
      let values_word_2 = select(0u, qkv[select(0, (qkv_at_7 >> 1u) + 2, qkv_in_2)], qkv_in_2);
      values_4 = values_word_2 & 0xffffu; values_5 = values_word_2 >> 16u;
      let values_word_3 = select(0u, qkv[select(0, (qkv_at_7 >> 1u) + 3, qkv_in_2)], qkv_in_2);
      values_6 = values_word_3 & 0xffffu; values_7 = values_word_3 >> 16u;
      let values_word_4 = select(0u, qkv[select(0, (qkv_at_7 + 8) >> 1u, qkv_in_2)], qkv_in_2);
      values_8 = values_word_4 & 0xffffu; values_9 = values_word_4 >> 16u;
      let values_word_5 = select(
          0u, qkv[select(0, ((qkv_at_7 + 8) >> 1u) + 1, qkv_in_2)], qkv_in_2);
      values_10 = values_word_5 & 0xffffu; values_11 = values_word_5 >> 16u;
      let values_word_6 = select(
          0u, qkv[select(0, ((qkv_at_7 + 8) >> 1u) + 2, qkv_in_2)], qkv_in_2);
      values_12 = values_word_6 & 0xffffu; values_13 = values_word_6 >> 16u;
      let values_word_7 = select(
          0u, qkv[select(0, ((qkv_at_7 + 8) >> 1u) + 3, qkv_in_2)], qkv_in_2);
      values_14 = values_word_7 & 0xffffu; values_15 = values_word_7 >> 16u;
      let values_word_8 = select(0u, qkv[select(0, (qkv_at_7 + 16) >> 1u, qkv_in_2)], qkv_in_2);
      values_16 = values_word_8 & 0xffffu; values_17 = values_word_8 >> 16u;
      let values_word_9 = select(
          0u, qkv[select(0, ((qkv_at_7 + 16) >> 1u) + 1, qkv_in_2)], qkv_in_2);
      values_18 = values_word_9 & 0xffffu; values_19 = values_word_9 >> 16u;
      let values_word_10 = select(
          0u, qkv[select(0, ((qkv_at_7 + 16) >> 1u) + 2, qkv_in_2)], qkv_in_2);
      values_20 = values_word_10 & 0xffffu; values_21 = values_word_10 >> 16u;
      let values_word_11 = select(
          0u, qkv[select(0, ((qkv_at_7 + 16) >> 1u) + 3, qkv_in_2)], qkv_in_2);
      values_22 = values_word_11 & 0xffffu; values_23 = values_word_11 >> 16u;
      let position_4: i32 = head + t_BH_1;
      let vCache_at: i32 = page * stride_2 + offset * stride_3 + head * 24 + qkv_at_6;
      let vCache_in: bool = (u32(page) < u32(launch.NB)) & (u32(position_4) < u32(launch.HKV));
      let is_first_3: bool = thread < 8;
      if (is_first_3) {
        if (vCache_in) {
          vCache[vCache_at >> 3u] = vec4<u32>(
              values_0 | (values_1 << 16u), values_2 | (values_3 << 16u),
              values_4 | (values_5 << 16u), values_6 | (values_7 << 16u));
        }
        if (vCache_in) {
          vCache[(vCache_at + 8) >> 3u] = vec4<u32>(
              values_8 | (values_9 << 16u), values_10 | (values_11 << 16u),
              values_12 | (values_13 << 16u), values_14 | (values_15 << 16u));
        }
        if (vCache_in) {
          vCache[(vCache_at + 16) >> 3u] = vec4<u32>(
              values_16 | (values_17 << 16u), values_18 | (values_19 << 16u),
              values_20 | (values_21 << 16u), values_22 | (values_23 << 16u));
        }
      }
    }
  }
}
