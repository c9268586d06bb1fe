// mla_rope for wgsl, made by tilewright
// dtypes: T=bf16
// config: BH=8 INTERLEAVED=true
// dims fixed: DQ=128 D2=32
// dims divisible: P%2 DR%16
// 32 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  H: i32,
  P: i32,
  DR: i32,
}
@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read> cosSin: array<f32>;
@group(0) @binding(3) var<storage, read_write> qRope: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(32)
fn mla_rope(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var position: i32;
  position = positions[pid0];
  let cosSin_at: i32 = position * 64 + thread;
  let cosSin_in: bool = u32(position) < u32(launch.P);
  var cos: f32;
  cos = select(0.0f, cosSin[select(0, cosSin_at, cosSin_in)], cosSin_in);
  var sin: f32;
  sin = select(0.0f, cosSin[select(0, cosSin_at + 32, cosSin_in)], cosSin_in);
  let t: i32 = pid1 * 8;
  let first: i32 = thread * 2 + 64;
  let stride: i32 = launch.H * 128;
  let q_at: i32 = pid0 * stride + t * 128 + first;
  let q_in: bool = pid0 < launch.N;
  var q_tile_0: u32; var q_tile_1: u32; var q_tile_2: u32; var q_tile_3: u32; var q_tile_4: u32;
  var q_tile_5: u32; var q_tile_6: u32; var q_tile_7: u32;
  let left: i32 = launch.H - t;
  let q_tile_in = q_in & (0 < left);
  let q_tile_word = select(
      0u, q[select(0, q_at >> 1u, q_tile_in)], q_tile_in) >> ((u32(q_at) & 1u) * 16u);
  q_tile_0 = q_tile_word & 0xffffu;
  let q_tile_in_1 = q_in & (1 < left);
  let q_tile_word_1 = select(
      0u, q[select(0, (q_at + 128) >> 1u, q_tile_in_1)], q_tile_in_1) >> ((u32(q_at + 128) & 1u) * 16u);
  q_tile_1 = q_tile_word_1 & 0xffffu;
  let q_tile_in_2 = q_in & (2 < left);
  let q_tile_word_2 = select(
      0u, q[select(0, (q_at + 256) >> 1u, q_tile_in_2)], q_tile_in_2) >> ((u32(q_at + 256) & 1u) * 16u);
  q_tile_2 = q_tile_word_2 & 0xffffu;
  let q_tile_in_3 = q_in & (3 < left);
  let q_tile_word_3 = select(
      0u, q[select(0, (q_at + 384) >> 1u, q_tile_in_3)], q_tile_in_3) >> ((u32(q_at + 384) & 1u) * 16u);
  q_tile_3 = q_tile_word_3 & 0xffffu;
  let q_tile_in_4 = q_in & (4 < left);
  let q_tile_word_4 = select(
      0u, q[select(0, (q_at + 512) >> 1u, q_tile_in_4)], q_tile_in_4) >> ((u32(q_at + 512) & 1u) * 16u);
  q_tile_4 = q_tile_word_4 & 0xffffu;
  let q_tile_in_5 = q_in & (5 < left);
  let q_tile_word_5 = select(
      0u, q[select(0, (q_at + 640) >> 1u, q_tile_in_5)], q_tile_in_5) >> ((u32(q_at + 640) & 1u) * 16u);
  q_tile_5 = q_tile_word_5 & 0xffffu;
  let q_tile_in_6 = q_in & (6 < left);
  let q_tile_word_6 = select(
      0u, q[select(0, (q_at + 768) >> 1u, q_tile_in_6)], q_tile_in_6) >> ((u32(q_at + 768) & 1u) * 16u);
  q_tile_6 = q_tile_word_6 & 0xffffu;
  let q_tile_in_7 = q_in & (7 < left);
  let q_tile_word_7 = select(
      0u, q[select(0, (q_at + 896) >> 1u, q_tile_in_7)], q_tile_in_7) >> ((u32(q_at + 896) & 1u) * 16u);
  q_tile_7 = q_tile_word_7 & 0xffffu;
  var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32; var x_6: f32;
  var x_7: f32;
  x_0 = tw_bf16_to_f32(q_tile_0); x_1 = tw_bf16_to_f32(q_tile_1); x_2 = tw_bf16_to_f32(q_tile_2);
  x_3 = tw_bf16_to_f32(q_tile_3); x_4 = tw_bf16_to_f32(q_tile_4); x_5 = tw_bf16_to_f32(q_tile_5);
  x_6 = tw_bf16_to_f32(q_tile_6); x_7 = tw_bf16_to_f32(q_tile_7);
  let t_1: i32 = first + 1;
  let q_at_1: i32 = pid0 * stride + t * 128 + t_1;
  var q_tile_1_1_0: u32; var q_tile_1_1_1: u32; var q_tile_1_1_2: u32; var q_tile_1_1_3: u32;
  var q_tile_1_1_4: u32; var q_tile_1_1_5: u32; var q_tile_1_1_6: u32; var q_tile_1_1_7: u32;
  let q_tile_1_in = q_in & (0 < left);
  let q_tile_1_word = select(
      0u, q[select(0, q_at_1 >> 1u, q_tile_1_in)], q_tile_1_in) >> ((u32(q_at_1) & 1u) * 16u);
  q_tile_1_1_0 = q_tile_1_word & 0xffffu;
  let q_tile_1_in_1 = q_in & (1 < left);
  let q_tile_1_word_1 = select(
      0u, q[select(0, (q_at_1 + 128) >> 1u, q_tile_1_in_1)], q_tile_1_in_1) >> ((u32(q_at_1 + 128) & 1u) * 16u);
  q_tile_1_1_1 = q_tile_1_word_1 & 0xffffu;
  let q_tile_1_in_2 = q_in & (2 < left);
  let q_tile_1_word_2 = select(
      0u, q[select(0, (q_at_1 + 256) >> 1u, q_tile_1_in_2)], q_tile_1_in_2) >> ((u32(q_at_1 + 256) & 1u) * 16u);
  q_tile_1_1_2 = q_tile_1_word_2 & 0xffffu;
  let q_tile_1_in_3 = q_in & (3 < left);
  let q_tile_1_word_3 = select(
      0u, q[select(0, (q_at_1 + 384) >> 1u, q_tile_1_in_3)], q_tile_1_in_3) >> ((u32(q_at_1 + 384) & 1u) * 16u);
  q_tile_1_1_3 = q_tile_1_word_3 & 0xffffu;
  let q_tile_1_in_4 = q_in & (4 < left);
  let q_tile_1_word_4 = select(
      0u, q[select(0, (q_at_1 + 512) >> 1u, q_tile_1_in_4)], q_tile_1_in_4) >> ((u32(q_at_1 + 512) & 1u) * 16u);
  q_tile_1_1_4 = q_tile_1_word_4 & 0xffffu;
  let q_tile_1_in_5 = q_in & (5 < left);
  let q_tile_1_word_5 = select(
      0u, q[select(0, (q_at_1 + 640) >> 1u, q_tile_1_in_5)], q_tile_1_in_5) >> ((u32(q_at_1 + 640) & 1u) * 16u);
  q_tile_1_1_5 = q_tile_1_word_5 & 0xffffu;
  let q_tile_1_in_6 = q_in & (6 < left);
  let q_tile_1_word_6 = select(
      0u, q[select(0, (q_at_1 + 768) >> 1u, q_tile_1_in_6)], q_tile_1_in_6) >> ((u32(q_at_1 + 768) & 1u) * 16u);
  q_tile_1_1_6 = q_tile_1_word_6 & 0xffffu;
  let q_tile_1_in_7 = q_in & (7 < left);
  let q_tile_1_word_7 = select(
      0u, q[select(0, (q_at_1 + 896) >> 1u, q_tile_1_in_7)], q_tile_1_in_7) >> ((u32(q_at_1 + 896) & 1u) * 16u);
  q_tile_1_1_7 = q_tile_1_word_7 & 0xffffu;
  var y_0: f32; var y_1: f32; var y_2: f32; var y_3: f32; var y_4: f32; var y_5: f32; var y_6: f32;
  var y_7: f32;
  y_0 = tw_bf16_to_f32(q_tile_1_1_0); y_1 = tw_bf16_to_f32(q_tile_1_1_1);
  y_2 = tw_bf16_to_f32(q_tile_1_1_2); y_3 = tw_bf16_to_f32(q_tile_1_1_3);
  y_4 = tw_bf16_to_f32(q_tile_1_1_4); y_5 = tw_bf16_to_f32(q_tile_1_1_5);
  y_6 = tw_bf16_to_f32(q_tile_1_1_6); y_7 = tw_bf16_to_f32(q_tile_1_1_7);
  let stride_1: i32 = launch.DR * launch.H;
  let qRope_at: i32 = pid0 * stride_1 + t * launch.DR + thread;
  let qRope_in: bool = (pid0 < launch.N) & (thread < launch.DR);
  let qRope_tile: u32 = tw_f32_to_bf16(x_0 * cos - y_0 * sin);
  if (qRope_in & (0 < left)) {
    let shift = (u32(qRope_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_at >> 1u], qRope_tile << shift);
  }
  let qRope_tile_1: u32 = tw_f32_to_bf16(x_1 * cos - y_1 * sin);
  if (qRope_in & (1 < left)) {
    let qRope_tile_1_at = qRope_at + launch.DR;
    let shift = (u32(qRope_tile_1_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_1_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_1_at >> 1u], qRope_tile_1 << shift);
  }
  let qRope_tile_2: u32 = tw_f32_to_bf16(x_2 * cos - y_2 * sin);
  if (qRope_in & (2 < left)) {
    let qRope_tile_2_at = qRope_at + launch.DR * 2;
    let shift = (u32(qRope_tile_2_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_2_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_2_at >> 1u], qRope_tile_2 << shift);
  }
  let qRope_tile_3: u32 = tw_f32_to_bf16(x_3 * cos - y_3 * sin);
  if (qRope_in & (3 < left)) {
    let qRope_tile_3_at = qRope_at + launch.DR * 3;
    let shift = (u32(qRope_tile_3_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_3_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_3_at >> 1u], qRope_tile_3 << shift);
  }
  let qRope_tile_4: u32 = tw_f32_to_bf16(x_4 * cos - y_4 * sin);
  if (qRope_in & (4 < left)) {
    let qRope_tile_4_at = qRope_at + launch.DR * 4;
    let shift = (u32(qRope_tile_4_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_4_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_4_at >> 1u], qRope_tile_4 << shift);
  }
  let qRope_tile_5: u32 = tw_f32_to_bf16(x_5 * cos - y_5 * sin);
  if (qRope_in & (5 < left)) {
    let qRope_tile_5_at = qRope_at + launch.DR * 5;
    let shift = (u32(qRope_tile_5_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_5_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_5_at >> 1u], qRope_tile_5 << shift);
  }
  let qRope_tile_6: u32 = tw_f32_to_bf16(x_6 * cos - y_6 * sin);
  if (qRope_in & (6 < left)) {
    let qRope_tile_6_at = qRope_at + launch.DR * 6;
    let shift = (u32(qRope_tile_6_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_6_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_6_at >> 1u], qRope_tile_6 << shift);
  }
  let qRope_tile_7: u32 = tw_f32_to_bf16(x_7 * cos - y_7 * sin);
  if (qRope_in & (7 < left)) {
    let qRope_tile_7_at = qRope_at + launch.DR * 7;
    let shift = (u32(qRope_tile_7_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_7_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_7_at >> 1u], qRope_tile_7 << shift);
  }
  workgroupBarrier();
  let left_1: i32 = launch.DR - 32;
  let qRope_in_1: bool = (pid0 < launch.N) & (thread < left_1);
  let qRope_tile_8: u32 = tw_f32_to_bf16(y_0 * cos + x_0 * sin);
  if (qRope_in_1 & (0 < left)) {
    let shift = (u32(qRope_at + 32) & 1u) * 16u;
    atomicAnd(&qRope[(qRope_at + 32) >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[(qRope_at + 32) >> 1u], qRope_tile_8 << shift);
  }
  let qRope_tile_9: u32 = tw_f32_to_bf16(y_1 * cos + x_1 * sin);
  if (qRope_in_1 & (1 < left)) {
    let qRope_tile_9_at = qRope_at + 32 + launch.DR;
    let shift = (u32(qRope_tile_9_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_9_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_9_at >> 1u], qRope_tile_9 << shift);
  }
  let qRope_tile_10: u32 = tw_f32_to_bf16(y_2 * cos + x_2 * sin);
  if (qRope_in_1 & (2 < left)) {
    let qRope_tile_10_at = qRope_at + 32 + launch.DR * 2;
    let shift = (u32(qRope_tile_10_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_10_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_10_at >> 1u], qRope_tile_10 << shift);
  }
  let qRope_tile_11: u32 = tw_f32_to_bf16(y_3 * cos + x_3 * sin);
  if (qRope_in_1 & (3 < left)) {
    let qRope_tile_11_at = qRope_at + 32 + launch.DR * 3;
    let shift = (u32(qRope_tile_11_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_11_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_11_at >> 1u], qRope_tile_11 << shift);
  }
  let qRope_tile_12: u32 = tw_f32_to_bf16(y_4 * cos + x_4 * sin);
  if (qRope_in_1 & (4 < left)) {
    let qRope_tile_12_at = qRope_at + 32 + launch.DR * 4;
    let shift = (u32(qRope_tile_12_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_12_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_12_at >> 1u], qRope_tile_12 << shift);
  }
  let qRope_tile_13: u32 = tw_f32_to_bf16(y_5 * cos + x_5 * sin);
  if (qRope_in_1 & (5 < left)) {
    let qRope_tile_13_at = qRope_at + 32 + launch.DR * 5;
    let shift = (u32(qRope_tile_13_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_13_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_13_at >> 1u], qRope_tile_13 << shift);
  }
  let qRope_tile_14: u32 = tw_f32_to_bf16(y_6 * cos + x_6 * sin);
  if (qRope_in_1 & (6 < left)) {
    let qRope_tile_14_at = qRope_at + 32 + launch.DR * 6;
    let shift = (u32(qRope_tile_14_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_14_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_14_at >> 1u], qRope_tile_14 << shift);
  }
  let qRope_tile_15: u32 = tw_f32_to_bf16(y_7 * cos + x_7 * sin);
  if (qRope_in_1 & (7 < left)) {
    let qRope_tile_15_at = qRope_at + 32 + launch.DR * 7;
    let shift = (u32(qRope_tile_15_at) & 1u) * 16u;
    atomicAnd(&qRope[qRope_tile_15_at >> 1u], ~(0xffffu << shift));
    atomicOr(&qRope[qRope_tile_15_at >> 1u], qRope_tile_15 << shift);
  }
}
