// head_linear for wgsl, made by tilewright
// dtypes: T=bf16
// config: BM=16 BN=64 BK=32 stages=2 TRANSPOSED=false
// dims divisible: H%2 KX%16 WR%2 WC%16 N%2
// 64 threads, 11264 bytes of shared memory
//       0 … 9200: b_shared f32[2300]
//    9216 … 11264: a_shared f32[512]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  H: i32,
  KX: i32,
  WR: i32,
  WC: i32,
  N: i32,
  first: i32,
  depth: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> w: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<u32>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> b_shared: array<f32, 2300>;
var<workgroup> a_shared: array<f32, 512>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(64)
fn head_linear(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let pid2 = i32(program / (launch.programs.x * launch.programs.y));
  let thread = i32(thread_index);
  let t: i32 = pid0 * 16;
  let n0: i32 = pid1 * 64;
  let t_1: i32 = launch.first + n0;
  let t_2: i32 = launch.first + launch.N;
  let more: bool = 0 < launch.depth;
  var a_0: u32; var a_1: u32; var a_2: u32; var a_3: u32; var a_4: u32; var a_5: u32; var a_6: u32;
  var a_7: u32;
  var b_0: u32; var b_1: u32; var b_2: u32; var b_3: u32; var b_4: u32; var b_5: u32; var b_6: u32;
  var b_7: u32; var b_8: u32; var b_9: u32; var b_10: u32; var b_11: u32; var b_12: u32;
  var b_13: u32; var b_14: u32; var b_15: u32; var b_16: u32; var b_17: u32; var b_18: u32;
  var b_19: u32; var b_20: u32; var b_21: u32; var b_22: u32; var b_23: u32; var b_24: u32;
  var b_25: u32; var b_26: u32; var b_27: u32; var b_28: u32; var b_29: u32; var b_30: u32;
  var b_31: u32;
  let stride: i32 = launch.KX * launch.H;
  let t_BM: i32 = thread >> 5u;
  let t_BK: i32 = thread & 31;
  let bound: i32 = min(launch.depth, launch.KX);
  let x_at: i32 = t_BM * stride + t_BK;
  let left: i32 = launch.M - t;
  let stride_1: i32 = launch.WC * launch.WR;
  let bound_1: i32 = min(t_2, launch.WR);
  let bound_2: i32 = min(launch.depth, launch.WC);
  let w_at: i32 = t_BM * launch.WC + t_BK;
  let position: i32 = t_1 + t_BM;
  let bound_3: i32 = max(bound_1, 0);
  if (more) {
    let x_at_1: i32 = pid2 * launch.KX + t * stride + x_at;
    let x_in: bool = (pid2 < launch.H) & (t_BK < bound);
    var a_1_1_0: u32; var a_1_1_1: u32; var a_1_1_2: u32; var a_1_1_3: u32; var a_1_1_4: u32;
    var a_1_1_5: u32; var a_1_1_6: u32; var a_1_1_7: u32;
    let a_1_in = x_in & (t_BM < left);
    let a_1_word = select(0u, x[select(0, x_at_1 >> 1u, a_1_in)], a_1_in) >> ((u32(x_at_1) & 1u) * 16u);
    a_1_1_0 = a_1_word & 0xffffu;
    let a_1_in_1 = x_in & (t_BM + 2 < left);
    let a_1_at = x_at_1 + stride * 2;
    let a_1_word_1 = select(
        0u, x[select(0, a_1_at >> 1u, a_1_in_1)], a_1_in_1) >> ((u32(a_1_at) & 1u) * 16u);
    a_1_1_1 = a_1_word_1 & 0xffffu;
    let a_1_in_2 = x_in & (t_BM + 4 < left);
    let a_1_at_1 = x_at_1 + stride * 4;
    let a_1_word_2 = select(
        0u, x[select(0, a_1_at_1 >> 1u, a_1_in_2)], a_1_in_2) >> ((u32(a_1_at_1) & 1u) * 16u);
    a_1_1_2 = a_1_word_2 & 0xffffu;
    let a_1_in_3 = x_in & (t_BM + 6 < left);
    let a_1_at_2 = x_at_1 + stride * 6;
    let a_1_word_3 = select(
        0u, x[select(0, a_1_at_2 >> 1u, a_1_in_3)], a_1_in_3) >> ((u32(a_1_at_2) & 1u) * 16u);
    a_1_1_3 = a_1_word_3 & 0xffffu;
    let a_1_in_4 = x_in & (t_BM + 8 < left);
    let a_1_at_3 = x_at_1 + stride * 8;
    let a_1_word_4 = select(
        0u, x[select(0, a_1_at_3 >> 1u, a_1_in_4)], a_1_in_4) >> ((u32(a_1_at_3) & 1u) * 16u);
    a_1_1_4 = a_1_word_4 & 0xffffu;
    let a_1_in_5 = x_in & (t_BM + 10 < left);
    let a_1_at_4 = x_at_1 + stride * 10;
    let a_1_word_5 = select(
        0u, x[select(0, a_1_at_4 >> 1u, a_1_in_5)], a_1_in_5) >> ((u32(a_1_at_4) & 1u) * 16u);
    a_1_1_5 = a_1_word_5 & 0xffffu;
    let a_1_in_6 = x_in & (t_BM + 12 < left);
    let a_1_at_5 = x_at_1 + stride * 12;
    let a_1_word_6 = select(
        0u, x[select(0, a_1_at_5 >> 1u, a_1_in_6)], a_1_in_6) >> ((u32(a_1_at_5) & 1u) * 16u);
    a_1_1_6 = a_1_word_6 & 0xffffu;
    let a_1_in_7 = x_in & (t_BM + 14 < left);
    let a_1_at_6 = x_at_1 + stride * 14;
    let a_1_word_7 = select(
        0u, x[select(0, a_1_at_6 >> 1u, a_1_in_7)], a_1_in_7) >> ((u32(a_1_at_6) & 1u) * 16u);
    a_1_1_7 = a_1_word_7 & 0xffffu;
    let w_at_1: i32 = t_1 * launch.WC + pid2 * stride_1 + w_at;
    let w_in: bool = (pid2 < launch.H) & (t_BK < bound_2);
    var b_1_1_0: u32; var b_1_1_1: u32; var b_1_1_2: u32; var b_1_1_3: u32; var b_1_1_4: u32;
    var b_1_1_5: u32; var b_1_1_6: u32; var b_1_1_7: u32; var b_1_1_8: u32; var b_1_1_9: u32;
    var b_1_1_10: u32; var b_1_1_11: u32; var b_1_1_12: u32; var b_1_1_13: u32; var b_1_1_14: u32;
    var b_1_1_15: u32; var b_1_1_16: u32; var b_1_1_17: u32; var b_1_1_18: u32; var b_1_1_19: u32;
    var b_1_1_20: u32; var b_1_1_21: u32; var b_1_1_22: u32; var b_1_1_23: u32; var b_1_1_24: u32;
    var b_1_1_25: u32; var b_1_1_26: u32; var b_1_1_27: u32; var b_1_1_28: u32; var b_1_1_29: u32;
    var b_1_1_30: u32; var b_1_1_31: u32;
    let b_1_in = w_in & (u32(position) < u32(bound_3));
    let b_1_word = select(0u, w[select(0, w_at_1 >> 1u, b_1_in)], b_1_in) >> ((u32(w_at_1) & 1u) * 16u);
    b_1_1_0 = b_1_word & 0xffffu;
    let b_1_in_1 = w_in & (u32(position + 2) < u32(bound_3));
    let b_1_at = w_at_1 + launch.WC * 2;
    let b_1_word_1 = select(
        0u, w[select(0, b_1_at >> 1u, b_1_in_1)], b_1_in_1) >> ((u32(b_1_at) & 1u) * 16u);
    b_1_1_1 = b_1_word_1 & 0xffffu;
    let b_1_in_2 = w_in & (u32(position + 4) < u32(bound_3));
    let b_1_at_1 = w_at_1 + launch.WC * 4;
    let b_1_word_2 = select(
        0u, w[select(0, b_1_at_1 >> 1u, b_1_in_2)], b_1_in_2) >> ((u32(b_1_at_1) & 1u) * 16u);
    b_1_1_2 = b_1_word_2 & 0xffffu;
    let b_1_in_3 = w_in & (u32(position + 6) < u32(bound_3));
    let b_1_at_2 = w_at_1 + launch.WC * 6;
    let b_1_word_3 = select(
        0u, w[select(0, b_1_at_2 >> 1u, b_1_in_3)], b_1_in_3) >> ((u32(b_1_at_2) & 1u) * 16u);
    b_1_1_3 = b_1_word_3 & 0xffffu;
    let b_1_in_4 = w_in & (u32(position + 8) < u32(bound_3));
    let b_1_at_3 = w_at_1 + launch.WC * 8;
    let b_1_word_4 = select(
        0u, w[select(0, b_1_at_3 >> 1u, b_1_in_4)], b_1_in_4) >> ((u32(b_1_at_3) & 1u) * 16u);
    b_1_1_4 = b_1_word_4 & 0xffffu;
    let b_1_in_5 = w_in & (u32(position + 10) < u32(bound_3));
    let b_1_at_4 = w_at_1 + launch.WC * 10;
    let b_1_word_5 = select(
        0u, w[select(0, b_1_at_4 >> 1u, b_1_in_5)], b_1_in_5) >> ((u32(b_1_at_4) & 1u) * 16u);
    b_1_1_5 = b_1_word_5 & 0xffffu;
    let b_1_in_6 = w_in & (u32(position + 12) < u32(bound_3));
    let b_1_at_5 = w_at_1 + launch.WC * 12;
    let b_1_word_6 = select(
        0u, w[select(0, b_1_at_5 >> 1u, b_1_in_6)], b_1_in_6) >> ((u32(b_1_at_5) & 1u) * 16u);
    b_1_1_6 = b_1_word_6 & 0xffffu;
    let b_1_in_7 = w_in & (u32(position + 14) < u32(bound_3));
    let b_1_at_6 = w_at_1 + launch.WC * 14;
    let b_1_word_7 = select(
        0u, w[select(0, b_1_at_6 >> 1u, b_1_in_7)], b_1_in_7) >> ((u32(b_1_at_6) & 1u) * 16u);
    b_1_1_7 = b_1_word_7 & 0xffffu;
    let b_1_in_8 = w_in & (u32(position + 16) < u32(bound_3));
    let b_1_at_7 = w_at_1 + launch.WC * 16;
    let b_1_word_8 = select(
        0u, w[select(0, b_1_at_7 >> 1u, b_1_in_8)], b_1_in_8) >> ((u32(b_1_at_7) & 1u) * 16u);
    b_1_1_8 = b_1_word_8 & 0xffffu;
    let b_1_in_9 = w_in & (u32(position + 18) < u32(bound_3));
    let b_1_at_8 = w_at_1 + launch.WC * 18;
    let b_1_word_9 = select(
        0u, w[select(0, b_1_at_8 >> 1u, b_1_in_9)], b_1_in_9) >> ((u32(b_1_at_8) & 1u) * 16u);
    b_1_1_9 = b_1_word_9 & 0xffffu;
    let b_1_in_10 = w_in & (u32(position + 20) < u32(bound_3));
    let b_1_at_9 = w_at_1 + launch.WC * 20;
    let b_1_word_10 = select(
        0u, w[select(0, b_1_at_9 >> 1u, b_1_in_10)], b_1_in_10) >> ((u32(b_1_at_9) & 1u) * 16u);
    b_1_1_10 = b_1_word_10 & 0xffffu;
    let b_1_in_11 = w_in & (u32(position + 22) < u32(bound_3));
    let b_1_at_10 = w_at_1 + launch.WC * 22;
    let b_1_word_11 = select(
        0u, w[select(0, b_1_at_10 >> 1u, b_1_in_11)], b_1_in_11) >> ((u32(b_1_at_10) & 1u) * 16u);
    b_1_1_11 = b_1_word_11 & 0xffffu;
    let b_1_in_12 = w_in & (u32(position + 24) < u32(bound_3));
    let b_1_at_11 = w_at_1 + launch.WC * 24;
    let b_1_word_12 = select(
        0u, w[select(0, b_1_at_11 >> 1u, b_1_in_12)], b_1_in_12) >> ((u32(b_1_at_11) & 1u) * 16u);
    b_1_1_12 = b_1_word_12 & 0xffffu;
    let b_1_in_13 = w_in & (u32(position + 26) < u32(bound_3));
    let b_1_at_12 = w_at_1 + launch.WC * 26;
    let b_1_word_13 = select(
        0u, w[select(0, b_1_at_12 >> 1u, b_1_in_13)], b_1_in_13) >> ((u32(b_1_at_12) & 1u) * 16u);
    b_1_1_13 = b_1_word_13 & 0xffffu;
    let b_1_in_14 = w_in & (u32(position + 28) < u32(bound_3));
    let b_1_at_13 = w_at_1 + launch.WC * 28;
    let b_1_word_14 = select(
        0u, w[select(0, b_1_at_13 >> 1u, b_1_in_14)], b_1_in_14) >> ((u32(b_1_at_13) & 1u) * 16u);
    b_1_1_14 = b_1_word_14 & 0xffffu;
    let b_1_in_15 = w_in & (u32(position + 30) < u32(bound_3));
    let b_1_at_14 = w_at_1 + launch.WC * 30;
    let b_1_word_15 = select(
        0u, w[select(0, b_1_at_14 >> 1u, b_1_in_15)], b_1_in_15) >> ((u32(b_1_at_14) & 1u) * 16u);
    b_1_1_15 = b_1_word_15 & 0xffffu;
    let b_1_in_16 = w_in & (u32(position + 32) < u32(bound_3));
    let b_1_at_15 = w_at_1 + launch.WC * 32;
    let b_1_word_16 = select(
        0u, w[select(0, b_1_at_15 >> 1u, b_1_in_16)], b_1_in_16) >> ((u32(b_1_at_15) & 1u) * 16u);
    b_1_1_16 = b_1_word_16 & 0xffffu;
    let b_1_in_17 = w_in & (u32(position + 34) < u32(bound_3));
    let b_1_at_16 = w_at_1 + launch.WC * 34;
    let b_1_word_17 = select(
        0u, w[select(0, b_1_at_16 >> 1u, b_1_in_17)], b_1_in_17) >> ((u32(b_1_at_16) & 1u) * 16u);
    b_1_1_17 = b_1_word_17 & 0xffffu;
    let b_1_in_18 = w_in & (u32(position + 36) < u32(bound_3));
    let b_1_at_17 = w_at_1 + launch.WC * 36;
    let b_1_word_18 = select(
        0u, w[select(0, b_1_at_17 >> 1u, b_1_in_18)], b_1_in_18) >> ((u32(b_1_at_17) & 1u) * 16u);
    b_1_1_18 = b_1_word_18 & 0xffffu;
    let b_1_in_19 = w_in & (u32(position + 38) < u32(bound_3));
    let b_1_at_18 = w_at_1 + launch.WC * 38;
    let b_1_word_19 = select(
        0u, w[select(0, b_1_at_18 >> 1u, b_1_in_19)], b_1_in_19) >> ((u32(b_1_at_18) & 1u) * 16u);
    b_1_1_19 = b_1_word_19 & 0xffffu;
    let b_1_in_20 = w_in & (u32(position + 40) < u32(bound_3));
    let b_1_at_19 = w_at_1 + launch.WC * 40;
    let b_1_word_20 = select(
        0u, w[select(0, b_1_at_19 >> 1u, b_1_in_20)], b_1_in_20) >> ((u32(b_1_at_19) & 1u) * 16u);
    b_1_1_20 = b_1_word_20 & 0xffffu;
    let b_1_in_21 = w_in & (u32(position + 42) < u32(bound_3));
    let b_1_at_20 = w_at_1 + launch.WC * 42;
    let b_1_word_21 = select(
        0u, w[select(0, b_1_at_20 >> 1u, b_1_in_21)], b_1_in_21) >> ((u32(b_1_at_20) & 1u) * 16u);
    b_1_1_21 = b_1_word_21 & 0xffffu;
    let b_1_in_22 = w_in & (u32(position + 44) < u32(bound_3));
    let b_1_at_21 = w_at_1 + launch.WC * 44;
    let b_1_word_22 = select(
        0u, w[select(0, b_1_at_21 >> 1u, b_1_in_22)], b_1_in_22) >> ((u32(b_1_at_21) & 1u) * 16u);
    b_1_1_22 = b_1_word_22 & 0xffffu;
    let b_1_in_23 = w_in & (u32(position + 46) < u32(bound_3));
    let b_1_at_22 = w_at_1 + launch.WC * 46;
    let b_1_word_23 = select(
        0u, w[select(0, b_1_at_22 >> 1u, b_1_in_23)], b_1_in_23) >> ((u32(b_1_at_22) & 1u) * 16u);
    b_1_1_23 = b_1_word_23 & 0xffffu;
    let b_1_in_24 = w_in & (u32(position + 48) < u32(bound_3));
    let b_1_at_23 = w_at_1 + launch.WC * 48;
    let b_1_word_24 = select(
        0u, w[select(0, b_1_at_23 >> 1u, b_1_in_24)], b_1_in_24) >> ((u32(b_1_at_23) & 1u) * 16u);
    b_1_1_24 = b_1_word_24 & 0xffffu;
    let b_1_in_25 = w_in & (u32(position + 50) < u32(bound_3));
    let b_1_at_24 = w_at_1 + launch.WC * 50;
    let b_1_word_25 = select(
        0u, w[select(0, b_1_at_24 >> 1u, b_1_in_25)], b_1_in_25) >> ((u32(b_1_at_24) & 1u) * 16u);
    b_1_1_25 = b_1_word_25 & 0xffffu;
    let b_1_in_26 = w_in & (u32(position + 52) < u32(bound_3));
    let b_1_at_25 = w_at_1 + launch.WC * 52;
    let b_1_word_26 = select(
        0u, w[select(0, b_1_at_25 >> 1u, b_1_in_26)], b_1_in_26) >> ((u32(b_1_at_25) & 1u) * 16u);
    b_1_1_26 = b_1_word_26 & 0xffffu;
    let b_1_in_27 = w_in & (u32(position + 54) < u32(bound_3));
    let b_1_at_26 = w_at_1 + launch.WC * 54;
    let b_1_word_27 = select(
        0u, w[select(0, b_1_at_26 >> 1u, b_1_in_27)], b_1_in_27) >> ((u32(b_1_at_26) & 1u) * 16u);
    b_1_1_27 = b_1_word_27 & 0xffffu;
    let b_1_in_28 = w_in & (u32(position + 56) < u32(bound_3));
    let b_1_at_27 = w_at_1 + launch.WC * 56;
    let b_1_word_28 = select(
        0u, w[select(0, b_1_at_27 >> 1u, b_1_in_28)], b_1_in_28) >> ((u32(b_1_at_27) & 1u) * 16u);
    b_1_1_28 = b_1_word_28 & 0xffffu;
    let b_1_in_29 = w_in & (u32(position + 58) < u32(bound_3));
    let b_1_at_28 = w_at_1 + launch.WC * 58;
    let b_1_word_29 = select(
        0u, w[select(0, b_1_at_28 >> 1u, b_1_in_29)], b_1_in_29) >> ((u32(b_1_at_28) & 1u) * 16u);
    b_1_1_29 = b_1_word_29 & 0xffffu;
    let b_1_in_30 = w_in & (u32(position + 60) < u32(bound_3));
    let b_1_at_29 = w_at_1 + launch.WC * 60;
    let b_1_word_30 = select(
        0u, w[select(0, b_1_at_29 >> 1u, b_1_in_30)], b_1_in_30) >> ((u32(b_1_at_29) & 1u) * 16u);
    b_1_1_30 = b_1_word_30 & 0xffffu;
    let b_1_in_31 = w_in & (u32(position + 62) < u32(bound_3));
    let b_1_at_30 = w_at_1 + launch.WC * 62;
    let b_1_word_31 = select(
        0u, w[select(0, b_1_at_30 >> 1u, b_1_in_31)], b_1_in_31) >> ((u32(b_1_at_30) & 1u) * 16u);
    b_1_1_31 = b_1_word_31 & 0xffffu;
    a_0 = a_1_1_0; a_1 = a_1_1_1; a_2 = a_1_1_2; a_3 = a_1_1_3; a_4 = a_1_1_4; a_5 = a_1_1_5;
    a_6 = a_1_1_6; a_7 = a_1_1_7; b_0 = b_1_1_0; b_1 = b_1_1_1; b_2 = b_1_1_2; b_3 = b_1_1_3;
    b_4 = b_1_1_4; b_5 = b_1_1_5; b_6 = b_1_1_6; b_7 = b_1_1_7; b_8 = b_1_1_8; b_9 = b_1_1_9;
    b_10 = b_1_1_10; b_11 = b_1_1_11; b_12 = b_1_1_12; b_13 = b_1_1_13; b_14 = b_1_1_14;
    b_15 = b_1_1_15; b_16 = b_1_1_16; b_17 = b_1_1_17; b_18 = b_1_1_18; b_19 = b_1_1_19;
    b_20 = b_1_1_20; b_21 = b_1_1_21; b_22 = b_1_1_22; b_23 = b_1_1_23; b_24 = b_1_1_24;
    b_25 = b_1_1_25; b_26 = b_1_1_26; b_27 = b_1_1_27; b_28 = b_1_1_28; b_29 = b_1_1_29;
    b_30 = b_1_1_30; b_31 = b_1_1_31;
  } else {
    a_0 = 0u; a_1 = 0u; a_2 = 0u; a_3 = 0u; a_4 = 0u; a_5 = 0u; a_6 = 0u; a_7 = 0u; b_0 = 0u;
    b_1 = 0u; b_2 = 0u; b_3 = 0u; b_4 = 0u; b_5 = 0u; b_6 = 0u; b_7 = 0u; b_8 = 0u; b_9 = 0u;
    b_10 = 0u; b_11 = 0u; b_12 = 0u; b_13 = 0u; b_14 = 0u; b_15 = 0u; b_16 = 0u; b_17 = 0u;
    b_18 = 0u; b_19 = 0u; b_20 = 0u; b_21 = 0u; b_22 = 0u; b_23 = 0u; b_24 = 0u; b_25 = 0u;
    b_26 = 0u; b_27 = 0u; b_28 = 0u; b_29 = 0u; b_30 = 0u; b_31 = 0u;
  }
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
  var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32; var acc_11: f32;
  var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f; acc_6 = 0.0f;
  acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f; acc_12 = 0.0f;
  acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
  let x_at_2: i32 = t * stride + pid2 * launch.KX + x_at;
  let x_in_1: bool = pid2 < launch.H;
  let w_at_2: i32 = pid2 * stride_1 + t_1 * launch.WC + w_at;
  let a_shared_at: i32 = (thread & 31) + (thread >> 5u) * 32;
  let b_shared_at: i32 = (thread & 31) + (thread >> 5u) * 36;
  let a_shared_at_1: i32 = ((thread >> 3u) & 3) * 32;
  let b_shared_at_1: i32 = (thread & 7) * 144 + (thread >> 5u) * 1152;
  let k_end = launch.depth;
  for (var k: i32 = 0; k < k_end; k += 32) {
    let k_1: i32 = k + 32;
    let more_1: bool = k_1 < launch.depth;
    var a_2_1_0: u32; var a_2_1_1: u32; var a_2_1_2: u32; var a_2_1_3: u32; var a_2_1_4: u32;
    var a_2_1_5: u32; var a_2_1_6: u32; var a_2_1_7: u32;
    var b_2_1_0: u32; var b_2_1_1: u32; var b_2_1_2: u32; var b_2_1_3: u32; var b_2_1_4: u32;
    var b_2_1_5: u32; var b_2_1_6: u32; var b_2_1_7: u32; var b_2_1_8: u32; var b_2_1_9: u32;
    var b_2_1_10: u32; var b_2_1_11: u32; var b_2_1_12: u32; var b_2_1_13: u32; var b_2_1_14: u32;
    var b_2_1_15: u32; var b_2_1_16: u32; var b_2_1_17: u32; var b_2_1_18: u32; var b_2_1_19: u32;
    var b_2_1_20: u32; var b_2_1_21: u32; var b_2_1_22: u32; var b_2_1_23: u32; var b_2_1_24: u32;
    var b_2_1_25: u32; var b_2_1_26: u32; var b_2_1_27: u32; var b_2_1_28: u32; var b_2_1_29: u32;
    var b_2_1_30: u32; var b_2_1_31: u32;
    if (more_1) {
      let left_1: i32 = bound - k_1;
      let x_at_3: i32 = x_at_2 + k_1;
      let x_in_2: bool = x_in_1 & (t_BK < left_1);
      var a_3_1_0: u32; var a_3_1_1: u32; var a_3_1_2: u32; var a_3_1_3: u32; var a_3_1_4: u32;
      var a_3_1_5: u32; var a_3_1_6: u32; var a_3_1_7: u32;
      let a_3_in = x_in_2 & (t_BM < left);
      let a_3_word = select(0u, x[select(0, x_at_3 >> 1u, a_3_in)], a_3_in) >> ((u32(x_at_3) & 1u) * 16u);
      a_3_1_0 = a_3_word & 0xffffu;
      let a_3_in_1 = x_in_2 & (t_BM + 2 < left);
      let a_3_at = x_at_3 + stride * 2;
      let a_3_word_1 = select(
          0u, x[select(0, a_3_at >> 1u, a_3_in_1)], a_3_in_1) >> ((u32(a_3_at) & 1u) * 16u);
      a_3_1_1 = a_3_word_1 & 0xffffu;
      let a_3_in_2 = x_in_2 & (t_BM + 4 < left);
      let a_3_at_1 = x_at_3 + stride * 4;
      let a_3_word_2 = select(
          0u, x[select(0, a_3_at_1 >> 1u, a_3_in_2)], a_3_in_2) >> ((u32(a_3_at_1) & 1u) * 16u);
      a_3_1_2 = a_3_word_2 & 0xffffu;
      let a_3_in_3 = x_in_2 & (t_BM + 6 < left);
      let a_3_at_2 = x_at_3 + stride * 6;
      let a_3_word_3 = select(
          0u, x[select(0, a_3_at_2 >> 1u, a_3_in_3)], a_3_in_3) >> ((u32(a_3_at_2) & 1u) * 16u);
      a_3_1_3 = a_3_word_3 & 0xffffu;
      let a_3_in_4 = x_in_2 & (t_BM + 8 < left);
      let a_3_at_3 = x_at_3 + stride * 8;
      let a_3_word_4 = select(
          0u, x[select(0, a_3_at_3 >> 1u, a_3_in_4)], a_3_in_4) >> ((u32(a_3_at_3) & 1u) * 16u);
      a_3_1_4 = a_3_word_4 & 0xffffu;
      let a_3_in_5 = x_in_2 & (t_BM + 10 < left);
      let a_3_at_4 = x_at_3 + stride * 10;
      let a_3_word_5 = select(
          0u, x[select(0, a_3_at_4 >> 1u, a_3_in_5)], a_3_in_5) >> ((u32(a_3_at_4) & 1u) * 16u);
      a_3_1_5 = a_3_word_5 & 0xffffu;
      let a_3_in_6 = x_in_2 & (t_BM + 12 < left);
      let a_3_at_5 = x_at_3 + stride * 12;
      let a_3_word_6 = select(
          0u, x[select(0, a_3_at_5 >> 1u, a_3_in_6)], a_3_in_6) >> ((u32(a_3_at_5) & 1u) * 16u);
      a_3_1_6 = a_3_word_6 & 0xffffu;
      let a_3_in_7 = x_in_2 & (t_BM + 14 < left);
      let a_3_at_6 = x_at_3 + stride * 14;
      let a_3_word_7 = select(
          0u, x[select(0, a_3_at_6 >> 1u, a_3_in_7)], a_3_in_7) >> ((u32(a_3_at_6) & 1u) * 16u);
      a_3_1_7 = a_3_word_7 & 0xffffu;
      let left_2: i32 = bound_2 - k_1;
      let w_at_3: i32 = w_at_2 + k_1;
      let w_in_1: bool = x_in_1 & (t_BK < left_2);
      var b_3_1_0: u32; var b_3_1_1: u32; var b_3_1_2: u32; var b_3_1_3: u32; var b_3_1_4: u32;
      var b_3_1_5: u32; var b_3_1_6: u32; var b_3_1_7: u32; var b_3_1_8: u32; var b_3_1_9: u32;
      var b_3_1_10: u32; var b_3_1_11: u32; var b_3_1_12: u32; var b_3_1_13: u32; var b_3_1_14: u32;
      var b_3_1_15: u32; var b_3_1_16: u32; var b_3_1_17: u32; var b_3_1_18: u32; var b_3_1_19: u32;
      var b_3_1_20: u32; var b_3_1_21: u32; var b_3_1_22: u32; var b_3_1_23: u32; var b_3_1_24: u32;
      var b_3_1_25: u32; var b_3_1_26: u32; var b_3_1_27: u32; var b_3_1_28: u32; var b_3_1_29: u32;
      var b_3_1_30: u32; var b_3_1_31: u32;
      let b_3_in = w_in_1 & (u32(position) < u32(bound_3));
      let b_3_word = select(0u, w[select(0, w_at_3 >> 1u, b_3_in)], b_3_in) >> ((u32(w_at_3) & 1u) * 16u);
      b_3_1_0 = b_3_word & 0xffffu;
      let b_3_in_1 = w_in_1 & (u32(position + 2) < u32(bound_3));
      let b_3_at = w_at_3 + launch.WC * 2;
      let b_3_word_1 = select(
          0u, w[select(0, b_3_at >> 1u, b_3_in_1)], b_3_in_1) >> ((u32(b_3_at) & 1u) * 16u);
      b_3_1_1 = b_3_word_1 & 0xffffu;
      let b_3_in_2 = w_in_1 & (u32(position + 4) < u32(bound_3));
      let b_3_at_1 = w_at_3 + launch.WC * 4;
      let b_3_word_2 = select(
          0u, w[select(0, b_3_at_1 >> 1u, b_3_in_2)], b_3_in_2) >> ((u32(b_3_at_1) & 1u) * 16u);
      b_3_1_2 = b_3_word_2 & 0xffffu;
      let b_3_in_3 = w_in_1 & (u32(position + 6) < u32(bound_3));
      let b_3_at_2 = w_at_3 + launch.WC * 6;
      let b_3_word_3 = select(
          0u, w[select(0, b_3_at_2 >> 1u, b_3_in_3)], b_3_in_3) >> ((u32(b_3_at_2) & 1u) * 16u);
      b_3_1_3 = b_3_word_3 & 0xffffu;
      let b_3_in_4 = w_in_1 & (u32(position + 8) < u32(bound_3));
      let b_3_at_3 = w_at_3 + launch.WC * 8;
      let b_3_word_4 = select(
          0u, w[select(0, b_3_at_3 >> 1u, b_3_in_4)], b_3_in_4) >> ((u32(b_3_at_3) & 1u) * 16u);
      b_3_1_4 = b_3_word_4 & 0xffffu;
      let b_3_in_5 = w_in_1 & (u32(position + 10) < u32(bound_3));
      let b_3_at_4 = w_at_3 + launch.WC * 10;
      let b_3_word_5 = select(
          0u, w[select(0, b_3_at_4 >> 1u, b_3_in_5)], b_3_in_5) >> ((u32(b_3_at_4) & 1u) * 16u);
      b_3_1_5 = b_3_word_5 & 0xffffu;
      let b_3_in_6 = w_in_1 & (u32(position + 12) < u32(bound_3));
      let b_3_at_5 = w_at_3 + launch.WC * 12;
      let b_3_word_6 = select(
          0u, w[select(0, b_3_at_5 >> 1u, b_3_in_6)], b_3_in_6) >> ((u32(b_3_at_5) & 1u) * 16u);
      b_3_1_6 = b_3_word_6 & 0xffffu;
      let b_3_in_7 = w_in_1 & (u32(position + 14) < u32(bound_3));
      let b_3_at_6 = w_at_3 + launch.WC * 14;
      let b_3_word_7 = select(
          0u, w[select(0, b_3_at_6 >> 1u, b_3_in_7)], b_3_in_7) >> ((u32(b_3_at_6) & 1u) * 16u);
      b_3_1_7 = b_3_word_7 & 0xffffu;
      let b_3_in_8 = w_in_1 & (u32(position + 16) < u32(bound_3));
      let b_3_at_7 = w_at_3 + launch.WC * 16;
      let b_3_word_8 = select(
          0u, w[select(0, b_3_at_7 >> 1u, b_3_in_8)], b_3_in_8) >> ((u32(b_3_at_7) & 1u) * 16u);
      b_3_1_8 = b_3_word_8 & 0xffffu;
      let b_3_in_9 = w_in_1 & (u32(position + 18) < u32(bound_3));
      let b_3_at_8 = w_at_3 + launch.WC * 18;
      let b_3_word_9 = select(
          0u, w[select(0, b_3_at_8 >> 1u, b_3_in_9)], b_3_in_9) >> ((u32(b_3_at_8) & 1u) * 16u);
      b_3_1_9 = b_3_word_9 & 0xffffu;
      let b_3_in_10 = w_in_1 & (u32(position + 20) < u32(bound_3));
      let b_3_at_9 = w_at_3 + launch.WC * 20;
      let b_3_word_10 = select(
          0u, w[select(0, b_3_at_9 >> 1u, b_3_in_10)], b_3_in_10) >> ((u32(b_3_at_9) & 1u) * 16u);
      b_3_1_10 = b_3_word_10 & 0xffffu;
      let b_3_in_11 = w_in_1 & (u32(position + 22) < u32(bound_3));
      let b_3_at_10 = w_at_3 + launch.WC * 22;
      let b_3_word_11 = select(
          0u, w[select(0, b_3_at_10 >> 1u, b_3_in_11)], b_3_in_11) >> ((u32(b_3_at_10) & 1u) * 16u);
      b_3_1_11 = b_3_word_11 & 0xffffu;
      let b_3_in_12 = w_in_1 & (u32(position + 24) < u32(bound_3));
      let b_3_at_11 = w_at_3 + launch.WC * 24;
      let b_3_word_12 = select(
          0u, w[select(0, b_3_at_11 >> 1u, b_3_in_12)], b_3_in_12) >> ((u32(b_3_at_11) & 1u) * 16u);
      b_3_1_12 = b_3_word_12 & 0xffffu;
      let b_3_in_13 = w_in_1 & (u32(position + 26) < u32(bound_3));
      let b_3_at_12 = w_at_3 + launch.WC * 26;
      let b_3_word_13 = select(
          0u, w[select(0, b_3_at_12 >> 1u, b_3_in_13)], b_3_in_13) >> ((u32(b_3_at_12) & 1u) * 16u);
      b_3_1_13 = b_3_word_13 & 0xffffu;
      let b_3_in_14 = w_in_1 & (u32(position + 28) < u32(bound_3));
      let b_3_at_13 = w_at_3 + launch.WC * 28;
      let b_3_word_14 = select(
          0u, w[select(0, b_3_at_13 >> 1u, b_3_in_14)], b_3_in_14) >> ((u32(b_3_at_13) & 1u) * 16u);
      b_3_1_14 = b_3_word_14 & 0xffffu;
      let b_3_in_15 = w_in_1 & (u32(position + 30) < u32(bound_3));
      let b_3_at_14 = w_at_3 + launch.WC * 30;
      let b_3_word_15 = select(
          0u, w[select(0, b_3_at_14 >> 1u, b_3_in_15)], b_3_in_15) >> ((u32(b_3_at_14) & 1u) * 16u);
      b_3_1_15 = b_3_word_15 & 0xffffu;
      let b_3_in_16 = w_in_1 & (u32(position + 32) < u32(bound_3));
      let b_3_at_15 = w_at_3 + launch.WC * 32;
      let b_3_word_16 = select(
          0u, w[select(0, b_3_at_15 >> 1u, b_3_in_16)], b_3_in_16) >> ((u32(b_3_at_15) & 1u) * 16u);
      b_3_1_16 = b_3_word_16 & 0xffffu;
      let b_3_in_17 = w_in_1 & (u32(position + 34) < u32(bound_3));
      let b_3_at_16 = w_at_3 + launch.WC * 34;
      let b_3_word_17 = select(
          0u, w[select(0, b_3_at_16 >> 1u, b_3_in_17)], b_3_in_17) >> ((u32(b_3_at_16) & 1u) * 16u);
      b_3_1_17 = b_3_word_17 & 0xffffu;
      let b_3_in_18 = w_in_1 & (u32(position + 36) < u32(bound_3));
      let b_3_at_17 = w_at_3 + launch.WC * 36;
      let b_3_word_18 = select(
          0u, w[select(0, b_3_at_17 >> 1u, b_3_in_18)], b_3_in_18) >> ((u32(b_3_at_17) & 1u) * 16u);
      b_3_1_18 = b_3_word_18 & 0xffffu;
      let b_3_in_19 = w_in_1 & (u32(position + 38) < u32(bound_3));
      let b_3_at_18 = w_at_3 + launch.WC * 38;
      let b_3_word_19 = select(
          0u, w[select(0, b_3_at_18 >> 1u, b_3_in_19)], b_3_in_19) >> ((u32(b_3_at_18) & 1u) * 16u);
      b_3_1_19 = b_3_word_19 & 0xffffu;
      let b_3_in_20 = w_in_1 & (u32(position + 40) < u32(bound_3));
      let b_3_at_19 = w_at_3 + launch.WC * 40;
      let b_3_word_20 = select(
          0u, w[select(0, b_3_at_19 >> 1u, b_3_in_20)], b_3_in_20) >> ((u32(b_3_at_19) & 1u) * 16u);
      b_3_1_20 = b_3_word_20 & 0xffffu;
      let b_3_in_21 = w_in_1 & (u32(position + 42) < u32(bound_3));
      let b_3_at_20 = w_at_3 + launch.WC * 42;
      let b_3_word_21 = select(
          0u, w[select(0, b_3_at_20 >> 1u, b_3_in_21)], b_3_in_21) >> ((u32(b_3_at_20) & 1u) * 16u);
      b_3_1_21 = b_3_word_21 & 0xffffu;
      let b_3_in_22 = w_in_1 & (u32(position + 44) < u32(bound_3));
      let b_3_at_21 = w_at_3 + launch.WC * 44;
      let b_3_word_22 = select(
          0u, w[select(0, b_3_at_21 >> 1u, b_3_in_22)], b_3_in_22) >> ((u32(b_3_at_21) & 1u) * 16u);
      b_3_1_22 = b_3_word_22 & 0xffffu;
      let b_3_in_23 = w_in_1 & (u32(position + 46) < u32(bound_3));
      let b_3_at_22 = w_at_3 + launch.WC * 46;
      let b_3_word_23 = select(
          0u, w[select(0, b_3_at_22 >> 1u, b_3_in_23)], b_3_in_23) >> ((u32(b_3_at_22) & 1u) * 16u);
      b_3_1_23 = b_3_word_23 & 0xffffu;
      let b_3_in_24 = w_in_1 & (u32(position + 48) < u32(bound_3));
      let b_3_at_23 = w_at_3 + launch.WC * 48;
      let b_3_word_24 = select(
          0u, w[select(0, b_3_at_23 >> 1u, b_3_in_24)], b_3_in_24) >> ((u32(b_3_at_23) & 1u) * 16u);
      b_3_1_24 = b_3_word_24 & 0xffffu;
      let b_3_in_25 = w_in_1 & (u32(position + 50) < u32(bound_3));
      let b_3_at_24 = w_at_3 + launch.WC * 50;
      let b_3_word_25 = select(
          0u, w[select(0, b_3_at_24 >> 1u, b_3_in_25)], b_3_in_25) >> ((u32(b_3_at_24) & 1u) * 16u);
      b_3_1_25 = b_3_word_25 & 0xffffu;
      let b_3_in_26 = w_in_1 & (u32(position + 52) < u32(bound_3));
      let b_3_at_25 = w_at_3 + launch.WC * 52;
      let b_3_word_26 = select(
          0u, w[select(0, b_3_at_25 >> 1u, b_3_in_26)], b_3_in_26) >> ((u32(b_3_at_25) & 1u) * 16u);
      b_3_1_26 = b_3_word_26 & 0xffffu;
      let b_3_in_27 = w_in_1 & (u32(position + 54) < u32(bound_3));
      let b_3_at_26 = w_at_3 + launch.WC * 54;
      let b_3_word_27 = select(
          0u, w[select(0, b_3_at_26 >> 1u, b_3_in_27)], b_3_in_27) >> ((u32(b_3_at_26) & 1u) * 16u);
      b_3_1_27 = b_3_word_27 & 0xffffu;
      let b_3_in_28 = w_in_1 & (u32(position + 56) < u32(bound_3));
      let b_3_at_27 = w_at_3 + launch.WC * 56;
      let b_3_word_28 = select(
          0u, w[select(0, b_3_at_27 >> 1u, b_3_in_28)], b_3_in_28) >> ((u32(b_3_at_27) & 1u) * 16u);
      b_3_1_28 = b_3_word_28 & 0xffffu;
      let b_3_in_29 = w_in_1 & (u32(position + 58) < u32(bound_3));
      let b_3_at_28 = w_at_3 + launch.WC * 58;
      let b_3_word_29 = select(
          0u, w[select(0, b_3_at_28 >> 1u, b_3_in_29)], b_3_in_29) >> ((u32(b_3_at_28) & 1u) * 16u);
      b_3_1_29 = b_3_word_29 & 0xffffu;
      let b_3_in_30 = w_in_1 & (u32(position + 60) < u32(bound_3));
      let b_3_at_29 = w_at_3 + launch.WC * 60;
      let b_3_word_30 = select(
          0u, w[select(0, b_3_at_29 >> 1u, b_3_in_30)], b_3_in_30) >> ((u32(b_3_at_29) & 1u) * 16u);
      b_3_1_30 = b_3_word_30 & 0xffffu;
      let b_3_in_31 = w_in_1 & (u32(position + 62) < u32(bound_3));
      let b_3_at_30 = w_at_3 + launch.WC * 62;
      let b_3_word_31 = select(
          0u, w[select(0, b_3_at_30 >> 1u, b_3_in_31)], b_3_in_31) >> ((u32(b_3_at_30) & 1u) * 16u);
      b_3_1_31 = b_3_word_31 & 0xffffu;
      a_2_1_0 = a_3_1_0; a_2_1_1 = a_3_1_1; a_2_1_2 = a_3_1_2; a_2_1_3 = a_3_1_3; a_2_1_4 = a_3_1_4;
      a_2_1_5 = a_3_1_5; a_2_1_6 = a_3_1_6; a_2_1_7 = a_3_1_7; b_2_1_0 = b_3_1_0; b_2_1_1 = b_3_1_1;
      b_2_1_2 = b_3_1_2; b_2_1_3 = b_3_1_3; b_2_1_4 = b_3_1_4; b_2_1_5 = b_3_1_5; b_2_1_6 = b_3_1_6;
      b_2_1_7 = b_3_1_7; b_2_1_8 = b_3_1_8; b_2_1_9 = b_3_1_9; b_2_1_10 = b_3_1_10;
      b_2_1_11 = b_3_1_11; b_2_1_12 = b_3_1_12; b_2_1_13 = b_3_1_13; b_2_1_14 = b_3_1_14;
      b_2_1_15 = b_3_1_15; b_2_1_16 = b_3_1_16; b_2_1_17 = b_3_1_17; b_2_1_18 = b_3_1_18;
      b_2_1_19 = b_3_1_19; b_2_1_20 = b_3_1_20; b_2_1_21 = b_3_1_21; b_2_1_22 = b_3_1_22;
      b_2_1_23 = b_3_1_23; b_2_1_24 = b_3_1_24; b_2_1_25 = b_3_1_25; b_2_1_26 = b_3_1_26;
      b_2_1_27 = b_3_1_27; b_2_1_28 = b_3_1_28; b_2_1_29 = b_3_1_29; b_2_1_30 = b_3_1_30;
      b_2_1_31 = b_3_1_31;
    } else {
      a_2_1_0 = 0u; a_2_1_1 = 0u; a_2_1_2 = 0u; a_2_1_3 = 0u; a_2_1_4 = 0u; a_2_1_5 = 0u;
      a_2_1_6 = 0u; a_2_1_7 = 0u; b_2_1_0 = 0u; b_2_1_1 = 0u; b_2_1_2 = 0u; b_2_1_3 = 0u;
      b_2_1_4 = 0u; b_2_1_5 = 0u; b_2_1_6 = 0u; b_2_1_7 = 0u; b_2_1_8 = 0u; b_2_1_9 = 0u;
      b_2_1_10 = 0u; b_2_1_11 = 0u; b_2_1_12 = 0u; b_2_1_13 = 0u; b_2_1_14 = 0u; b_2_1_15 = 0u;
      b_2_1_16 = 0u; b_2_1_17 = 0u; b_2_1_18 = 0u; b_2_1_19 = 0u; b_2_1_20 = 0u; b_2_1_21 = 0u;
      b_2_1_22 = 0u; b_2_1_23 = 0u; b_2_1_24 = 0u; b_2_1_25 = 0u; b_2_1_26 = 0u; b_2_1_27 = 0u;
      b_2_1_28 = 0u; b_2_1_29 = 0u; b_2_1_30 = 0u; b_2_1_31 = 0u;
    }
    workgroupBarrier();
    let a_4_1: f32 = tw_bf16_to_f32(a_0);
    a_shared[a_shared_at] = a_4_1;
    let a_5_1: f32 = tw_bf16_to_f32(a_1);
    a_shared[a_shared_at + 64] = a_5_1;
    let a_6_1: f32 = tw_bf16_to_f32(a_2);
    a_shared[a_shared_at + 128] = a_6_1;
    let a_7_1: f32 = tw_bf16_to_f32(a_3);
    a_shared[a_shared_at + 192] = a_7_1;
    let a_8: f32 = tw_bf16_to_f32(a_4);
    a_shared[a_shared_at + 256] = a_8;
    let a_9: f32 = tw_bf16_to_f32(a_5);
    a_shared[a_shared_at + 320] = a_9;
    let a_10: f32 = tw_bf16_to_f32(a_6);
    a_shared[a_shared_at + 384] = a_10;
    let a_11: f32 = tw_bf16_to_f32(a_7);
    a_shared[a_shared_at + 448] = a_11;
    let b_4_1: f32 = tw_bf16_to_f32(b_0);
    b_shared[b_shared_at] = b_4_1;
    let b_5_1: f32 = tw_bf16_to_f32(b_1);
    b_shared[b_shared_at + 72] = b_5_1;
    let b_6_1: f32 = tw_bf16_to_f32(b_2);
    b_shared[b_shared_at + 144] = b_6_1;
    let b_7_1: f32 = tw_bf16_to_f32(b_3);
    b_shared[b_shared_at + 216] = b_7_1;
    let b_8_1: f32 = tw_bf16_to_f32(b_4);
    b_shared[b_shared_at + 288] = b_8_1;
    let b_9_1: f32 = tw_bf16_to_f32(b_5);
    b_shared[b_shared_at + 360] = b_9_1;
    let b_10_1: f32 = tw_bf16_to_f32(b_6);
    b_shared[b_shared_at + 432] = b_10_1;
    let b_11_1: f32 = tw_bf16_to_f32(b_7);
    b_shared[b_shared_at + 504] = b_11_1;
    let b_12_1: f32 = tw_bf16_to_f32(b_8);
    b_shared[b_shared_at + 576] = b_12_1;
    let b_13_1: f32 = tw_bf16_to_f32(b_9);
    b_shared[b_shared_at + 648] = b_13_1;
    let b_14_1: f32 = tw_bf16_to_f32(b_10);
    b_shared[b_shared_at + 720] = b_14_1;
    let b_15_1: f32 = tw_bf16_to_f32(b_11);
    b_shared[b_shared_at + 792] = b_15_1;
    let b_16_1: f32 = tw_bf16_to_f32(b_12);
    b_shared[b_shared_at + 864] = b_16_1;
    let b_17_1: f32 = tw_bf16_to_f32(b_13);
    b_shared[b_shared_at + 936] = b_17_1;
    let b_18_1: f32 = tw_bf16_to_f32(b_14);
    b_shared[b_shared_at + 1008] = b_18_1;
    let b_19_1: f32 = tw_bf16_to_f32(b_15);
    b_shared[b_shared_at + 1080] = b_19_1;
    let b_20_1: f32 = tw_bf16_to_f32(b_16);
    b_shared[b_shared_at + 1152] = b_20_1;
    let b_21_1: f32 = tw_bf16_to_f32(b_17);
    b_shared[b_shared_at + 1224] = b_21_1;
    let b_22_1: f32 = tw_bf16_to_f32(b_18);
    b_shared[b_shared_at + 1296] = b_22_1;
    let b_23_1: f32 = tw_bf16_to_f32(b_19);
    b_shared[b_shared_at + 1368] = b_23_1;
    let b_24_1: f32 = tw_bf16_to_f32(b_20);
    b_shared[b_shared_at + 1440] = b_24_1;
    let b_25_1: f32 = tw_bf16_to_f32(b_21);
    b_shared[b_shared_at + 1512] = b_25_1;
    let b_26_1: f32 = tw_bf16_to_f32(b_22);
    b_shared[b_shared_at + 1584] = b_26_1;
    let b_27_1: f32 = tw_bf16_to_f32(b_23);
    b_shared[b_shared_at + 1656] = b_27_1;
    let b_28_1: f32 = tw_bf16_to_f32(b_24);
    b_shared[b_shared_at + 1728] = b_28_1;
    let b_29_1: f32 = tw_bf16_to_f32(b_25);
    b_shared[b_shared_at + 1800] = b_29_1;
    let b_30_1: f32 = tw_bf16_to_f32(b_26);
    b_shared[b_shared_at + 1872] = b_30_1;
    let b_31_1: f32 = tw_bf16_to_f32(b_27);
    b_shared[b_shared_at + 1944] = b_31_1;
    let b_32: f32 = tw_bf16_to_f32(b_28);
    b_shared[b_shared_at + 2016] = b_32;
    let b_33: f32 = tw_bf16_to_f32(b_29);
    b_shared[b_shared_at + 2088] = b_33;
    let b_34: f32 = tw_bf16_to_f32(b_30);
    b_shared[b_shared_at + 2160] = b_34;
    let b_35: f32 = tw_bf16_to_f32(b_31);
    b_shared[b_shared_at + 2232] = b_35;
    workgroupBarrier();
    for (var r: i32 = 0; r < 8; r++) {
      var a_shared_1_0: f32; var a_shared_1_1: f32; var a_shared_1_2: f32; var a_shared_1_3: f32;
      var a_shared_1_4: f32; var a_shared_1_5: f32; var a_shared_1_6: f32; var a_shared_1_7: f32;
      var a_shared_1_8: f32; var a_shared_1_9: f32; var a_shared_1_10: f32; var a_shared_1_11: f32;
      var a_shared_1_12: f32; var a_shared_1_13: f32; var a_shared_1_14: f32;
      var a_shared_1_15: f32;
      var b_shared_1_0: f32; var b_shared_1_1: f32; var b_shared_1_2: f32; var b_shared_1_3: f32;
      var b_shared_1_4: f32; var b_shared_1_5: f32; var b_shared_1_6: f32; var b_shared_1_7: f32;
      var b_shared_1_8: f32; var b_shared_1_9: f32; var b_shared_1_10: f32; var b_shared_1_11: f32;
      var b_shared_1_12: f32; var b_shared_1_13: f32; var b_shared_1_14: f32;
      var b_shared_1_15: f32;
      let a_shared_1_at = a_shared_at_1 + r * 4;
      a_shared_1_0 = a_shared[a_shared_1_at];
      a_shared_1_1 = a_shared[a_shared_1_at + 1];
      a_shared_1_2 = a_shared[a_shared_1_at + 2];
      a_shared_1_3 = a_shared[a_shared_1_at + 3];
      let a_shared_1_at_1 = a_shared_at_1 + 128 + r * 4;
      a_shared_1_4 = a_shared[a_shared_1_at_1];
      a_shared_1_5 = a_shared[a_shared_1_at_1 + 1];
      a_shared_1_6 = a_shared[a_shared_1_at_1 + 2];
      a_shared_1_7 = a_shared[a_shared_1_at_1 + 3];
      let a_shared_1_at_2 = a_shared_at_1 + 256 + r * 4;
      a_shared_1_8 = a_shared[a_shared_1_at_2];
      a_shared_1_9 = a_shared[a_shared_1_at_2 + 1];
      a_shared_1_10 = a_shared[a_shared_1_at_2 + 2];
      a_shared_1_11 = a_shared[a_shared_1_at_2 + 3];
      let a_shared_1_at_3 = a_shared_at_1 + 384 + r * 4;
      a_shared_1_12 = a_shared[a_shared_1_at_3];
      a_shared_1_13 = a_shared[a_shared_1_at_3 + 1];
      a_shared_1_14 = a_shared[a_shared_1_at_3 + 2];
      a_shared_1_15 = a_shared[a_shared_1_at_3 + 3];
      let b_shared_1_at = b_shared_at_1 + r * 4;
      b_shared_1_0 = b_shared[b_shared_1_at];
      b_shared_1_1 = b_shared[b_shared_1_at + 1];
      b_shared_1_2 = b_shared[b_shared_1_at + 2];
      b_shared_1_3 = b_shared[b_shared_1_at + 3];
      let b_shared_1_at_1 = b_shared_at_1 + 36 + r * 4;
      b_shared_1_4 = b_shared[b_shared_1_at_1];
      b_shared_1_5 = b_shared[b_shared_1_at_1 + 1];
      b_shared_1_6 = b_shared[b_shared_1_at_1 + 2];
      b_shared_1_7 = b_shared[b_shared_1_at_1 + 3];
      let b_shared_1_at_2 = b_shared_at_1 + 72 + r * 4;
      b_shared_1_8 = b_shared[b_shared_1_at_2];
      b_shared_1_9 = b_shared[b_shared_1_at_2 + 1];
      b_shared_1_10 = b_shared[b_shared_1_at_2 + 2];
      b_shared_1_11 = b_shared[b_shared_1_at_2 + 3];
      let b_shared_1_at_3 = b_shared_at_1 + 108 + r * 4;
      b_shared_1_12 = b_shared[b_shared_1_at_3];
      b_shared_1_13 = b_shared[b_shared_1_at_3 + 1];
      b_shared_1_14 = b_shared[b_shared_1_at_3 + 2];
      b_shared_1_15 = b_shared[b_shared_1_at_3 + 3];
      acc_0 = fma(a_shared_1_0, b_shared_1_0, acc_0);
      acc_1 = fma(a_shared_1_0, b_shared_1_4, acc_1);
      acc_2 = fma(a_shared_1_0, b_shared_1_8, acc_2);
      acc_3 = fma(a_shared_1_0, b_shared_1_12, acc_3);
      acc_4 = fma(a_shared_1_4, b_shared_1_0, acc_4);
      acc_5 = fma(a_shared_1_4, b_shared_1_4, acc_5);
      acc_6 = fma(a_shared_1_4, b_shared_1_8, acc_6);
      acc_7 = fma(a_shared_1_4, b_shared_1_12, acc_7);
      acc_8 = fma(a_shared_1_8, b_shared_1_0, acc_8);
      acc_9 = fma(a_shared_1_8, b_shared_1_4, acc_9);
      acc_10 = fma(a_shared_1_8, b_shared_1_8, acc_10);
      acc_11 = fma(a_shared_1_8, b_shared_1_12, acc_11);
      acc_12 = fma(a_shared_1_12, b_shared_1_0, acc_12);
      acc_13 = fma(a_shared_1_12, b_shared_1_4, acc_13);
      acc_14 = fma(a_shared_1_12, b_shared_1_8, acc_14);
      acc_15 = fma(a_shared_1_12, b_shared_1_12, acc_15);
      acc_0 = fma(a_shared_1_1, b_shared_1_1, acc_0);
      acc_1 = fma(a_shared_1_1, b_shared_1_5, acc_1);
      acc_2 = fma(a_shared_1_1, b_shared_1_9, acc_2);
      acc_3 = fma(a_shared_1_1, b_shared_1_13, acc_3);
      acc_4 = fma(a_shared_1_5, b_shared_1_1, acc_4);
      acc_5 = fma(a_shared_1_5, b_shared_1_5, acc_5);
      acc_6 = fma(a_shared_1_5, b_shared_1_9, acc_6);
      acc_7 = fma(a_shared_1_5, b_shared_1_13, acc_7);
      acc_8 = fma(a_shared_1_9, b_shared_1_1, acc_8);
      acc_9 = fma(a_shared_1_9, b_shared_1_5, acc_9);
      acc_10 = fma(a_shared_1_9, b_shared_1_9, acc_10);
      acc_11 = fma(a_shared_1_9, b_shared_1_13, acc_11);
      acc_12 = fma(a_shared_1_13, b_shared_1_1, acc_12);
      acc_13 = fma(a_shared_1_13, b_shared_1_5, acc_13);
      acc_14 = fma(a_shared_1_13, b_shared_1_9, acc_14);
      acc_15 = fma(a_shared_1_13, b_shared_1_13, acc_15);
      acc_0 = fma(a_shared_1_2, b_shared_1_2, acc_0);
      acc_1 = fma(a_shared_1_2, b_shared_1_6, acc_1);
      acc_2 = fma(a_shared_1_2, b_shared_1_10, acc_2);
      acc_3 = fma(a_shared_1_2, b_shared_1_14, acc_3);
      acc_4 = fma(a_shared_1_6, b_shared_1_2, acc_4);
      acc_5 = fma(a_shared_1_6, b_shared_1_6, acc_5);
      acc_6 = fma(a_shared_1_6, b_shared_1_10, acc_6);
      acc_7 = fma(a_shared_1_6, b_shared_1_14, acc_7);
      acc_8 = fma(a_shared_1_10, b_shared_1_2, acc_8);
      acc_9 = fma(a_shared_1_10, b_shared_1_6, acc_9);
      acc_10 = fma(a_shared_1_10, b_shared_1_10, acc_10);
      acc_11 = fma(a_shared_1_10, b_shared_1_14, acc_11);
      acc_12 = fma(a_shared_1_14, b_shared_1_2, acc_12);
      acc_13 = fma(a_shared_1_14, b_shared_1_6, acc_13);
      acc_14 = fma(a_shared_1_14, b_shared_1_10, acc_14);
      acc_15 = fma(a_shared_1_14, b_shared_1_14, acc_15);
      acc_0 = fma(a_shared_1_3, b_shared_1_3, acc_0);
      acc_1 = fma(a_shared_1_3, b_shared_1_7, acc_1);
      acc_2 = fma(a_shared_1_3, b_shared_1_11, acc_2);
      acc_3 = fma(a_shared_1_3, b_shared_1_15, acc_3);
      acc_4 = fma(a_shared_1_7, b_shared_1_3, acc_4);
      acc_5 = fma(a_shared_1_7, b_shared_1_7, acc_5);
      acc_6 = fma(a_shared_1_7, b_shared_1_11, acc_6);
      acc_7 = fma(a_shared_1_7, b_shared_1_15, acc_7);
      acc_8 = fma(a_shared_1_11, b_shared_1_3, acc_8);
      acc_9 = fma(a_shared_1_11, b_shared_1_7, acc_9);
      acc_10 = fma(a_shared_1_11, b_shared_1_11, acc_10);
      acc_11 = fma(a_shared_1_11, b_shared_1_15, acc_11);
      acc_12 = fma(a_shared_1_15, b_shared_1_3, acc_12);
      acc_13 = fma(a_shared_1_15, b_shared_1_7, acc_13);
      acc_14 = fma(a_shared_1_15, b_shared_1_11, acc_14);
      acc_15 = fma(a_shared_1_15, b_shared_1_15, acc_15);
    }
    a_0 = a_2_1_0; a_1 = a_2_1_1; a_2 = a_2_1_2; a_3 = a_2_1_3; a_4 = a_2_1_4; a_5 = a_2_1_5;
    a_6 = a_2_1_6; a_7 = a_2_1_7; b_0 = b_2_1_0; b_1 = b_2_1_1; b_2 = b_2_1_2; b_3 = b_2_1_3;
    b_4 = b_2_1_4; b_5 = b_2_1_5; b_6 = b_2_1_6; b_7 = b_2_1_7; b_8 = b_2_1_8; b_9 = b_2_1_9;
    b_10 = b_2_1_10; b_11 = b_2_1_11; b_12 = b_2_1_12; b_13 = b_2_1_13; b_14 = b_2_1_14;
    b_15 = b_2_1_15; b_16 = b_2_1_16; b_17 = b_2_1_17; b_18 = b_2_1_18; b_19 = b_2_1_19;
    b_20 = b_2_1_20; b_21 = b_2_1_21; b_22 = b_2_1_22; b_23 = b_2_1_23; b_24 = b_2_1_24;
    b_25 = b_2_1_25; b_26 = b_2_1_26; b_27 = b_2_1_27; b_28 = b_2_1_28; b_29 = b_2_1_29;
    b_30 = b_2_1_30; b_31 = b_2_1_31;
  }
  let stride_2: i32 = launch.N * launch.H;
  let t_BM_1: i32 = (thread >> 3u) & 3;
  let t_BN: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
  let y_at: i32 = t_BM_1 * stride_2 + t_BN;
  let y_at_1: i32 = t * stride_2 + pid2 * launch.N + n0 + y_at;
  let left_3: i32 = launch.N - n0;
  var y_tile_0: u32; var y_tile_1: u32;
  y_tile_0 = tw_f32_to_bf16(acc_0); y_tile_1 = tw_f32_to_bf16(acc_1);
  if ((x_in_1 & (t_BM_1 < left)) & (t_BN < left_3)) {
    y[y_at_1 >> 1u] = y_tile_0 | (y_tile_1 << 16u);
  }
  var y_tile_1_1_0: u32; var y_tile_1_1_1: u32;
  y_tile_1_1_0 = tw_f32_to_bf16(acc_2); y_tile_1_1_1 = tw_f32_to_bf16(acc_3);
  if ((x_in_1 & (t_BM_1 < left)) & (t_BN + 2 < left_3)) {
    y[(y_at_1 + 2) >> 1u] = y_tile_1_1_0 | (y_tile_1_1_1 << 16u);
  }
  var y_tile_2_0: u32; var y_tile_2_1: u32;
  y_tile_2_0 = tw_f32_to_bf16(acc_4); y_tile_2_1 = tw_f32_to_bf16(acc_5);
  if ((x_in_1 & (t_BM_1 + 4 < left)) & (t_BN < left_3)) {
    y[(y_at_1 + stride_2 * 4) >> 1u] = y_tile_2_0 | (y_tile_2_1 << 16u);
  }
  var y_tile_3_0: u32; var y_tile_3_1: u32;
  y_tile_3_0 = tw_f32_to_bf16(acc_6); y_tile_3_1 = tw_f32_to_bf16(acc_7);
  if ((x_in_1 & (t_BM_1 + 4 < left)) & (t_BN + 2 < left_3)) {
    y[(y_at_1 + stride_2 * 4 + 2) >> 1u] = y_tile_3_0 | (y_tile_3_1 << 16u);
  }
  var y_tile_4_0: u32; var y_tile_4_1: u32;
  y_tile_4_0 = tw_f32_to_bf16(acc_8); y_tile_4_1 = tw_f32_to_bf16(acc_9);
  if ((x_in_1 & (t_BM_1 + 8 < left)) & (t_BN < left_3)) {
    y[(y_at_1 + stride_2 * 8) >> 1u] = y_tile_4_0 | (y_tile_4_1 << 16u);
  }
  var y_tile_5_0: u32; var y_tile_5_1: u32;
  y_tile_5_0 = tw_f32_to_bf16(acc_10); y_tile_5_1 = tw_f32_to_bf16(acc_11);
  if ((x_in_1 & (t_BM_1 + 8 < left)) & (t_BN + 2 < left_3)) {
    y[(y_at_1 + stride_2 * 8 + 2) >> 1u] = y_tile_5_0 | (y_tile_5_1 << 16u);
  }
  var y_tile_6_0: u32; var y_tile_6_1: u32;
  y_tile_6_0 = tw_f32_to_bf16(acc_12); y_tile_6_1 = tw_f32_to_bf16(acc_13);
  if ((x_in_1 & (t_BM_1 + 12 < left)) & (t_BN < left_3)) {
    y[(y_at_1 + stride_2 * 12) >> 1u] = y_tile_6_0 | (y_tile_6_1 << 16u);
  }
  var y_tile_7_0: u32; var y_tile_7_1: u32;
  y_tile_7_0 = tw_f32_to_bf16(acc_14); y_tile_7_1 = tw_f32_to_bf16(acc_15);
  if ((x_in_1 & (t_BM_1 + 12 < left)) & (t_BN + 2 < left_3)) {
    y[(y_at_1 + stride_2 * 12 + 2) >> 1u] = y_tile_7_0 | (y_tile_7_1 << 16u);
  }
}
