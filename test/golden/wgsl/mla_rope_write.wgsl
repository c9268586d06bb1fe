// mla_rope_write for wgsl, made by tilewright
// dtypes: T=bf16
// config: BH=8 INTERLEAVED=true
// dims fixed: DQ=128 R=128 D2=32 PAGE=4
// dims divisible: KW%16 P%2 DR%16
// 32 threads, 128 bytes of shared memory
//       0 … 128: t68_parts f32[32]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  H: i32,
  KW: i32,
  P: i32,
  DR: i32,
  NB: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> kv: array<u32>;
@group(0) @binding(2) var<storage, read> w: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> positions: array<i32>;
@group(0) @binding(4) var<storage, read> cosSin: array<f32>;
@group(0) @binding(5) var<storage, read> slots: array<i32>;
@group(0) @binding(6) var<storage, read_write> qRope: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> latents: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read_write> ropes: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> launch: TwLaunch;
var<workgroup> t68_parts: array<f32, 32>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(32)
fn mla_rope_write(
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
  let first: i32 = thread * 2;
  let second: i32 = first + 1;
  let t: bool = pid1 < ((launch.H + 7) >> 3u);
  let left: i32 = launch.DR - 32;
  if (t) {
    let t_1: i32 = pid1 * 8;
    let stride: i32 = launch.H * 128;
    let t_2: i32 = first + 64;
    let q_at: i32 = pid0 * stride + t_1 * 128 + t_2;
    let q_in: bool = pid0 < launch.N;
    var q_tile_0: u32; var q_tile_1: u32; var q_tile_2: u32; var q_tile_3: u32; var q_tile_4: u32;
    var q_tile_5: u32; var q_tile_6: u32; var q_tile_7: u32;
    let left_1: i32 = launch.H - t_1;
    let q_tile_in = q_in & (0 < left_1);
    let q_tile_word = select(
        0u, q[select(0, q_at >> 1u, q_tile_in)], q_tile_in) >> ((u32(q_at) & 1u) * 16u);
    q_tile_0 = q_tile_word & 0xffffu;
    let q_tile_in_1 = q_in & (1 < left_1);
    let q_tile_word_1 = select(
        0u, q[select(0, (q_at + 128) >> 1u, q_tile_in_1)], q_tile_in_1) >> ((u32(q_at + 128) & 1u) * 16u);
    q_tile_1 = q_tile_word_1 & 0xffffu;
    let q_tile_in_2 = q_in & (2 < left_1);
    let q_tile_word_2 = select(
        0u, q[select(0, (q_at + 256) >> 1u, q_tile_in_2)], q_tile_in_2) >> ((u32(q_at + 256) & 1u) * 16u);
    q_tile_2 = q_tile_word_2 & 0xffffu;
    let q_tile_in_3 = q_in & (3 < left_1);
    let q_tile_word_3 = select(
        0u, q[select(0, (q_at + 384) >> 1u, q_tile_in_3)], q_tile_in_3) >> ((u32(q_at + 384) & 1u) * 16u);
    q_tile_3 = q_tile_word_3 & 0xffffu;
    let q_tile_in_4 = q_in & (4 < left_1);
    let q_tile_word_4 = select(
        0u, q[select(0, (q_at + 512) >> 1u, q_tile_in_4)], q_tile_in_4) >> ((u32(q_at + 512) & 1u) * 16u);
    q_tile_4 = q_tile_word_4 & 0xffffu;
    let q_tile_in_5 = q_in & (5 < left_1);
    let q_tile_word_5 = select(
        0u, q[select(0, (q_at + 640) >> 1u, q_tile_in_5)], q_tile_in_5) >> ((u32(q_at + 640) & 1u) * 16u);
    q_tile_5 = q_tile_word_5 & 0xffffu;
    let q_tile_in_6 = q_in & (6 < left_1);
    let q_tile_word_6 = select(
        0u, q[select(0, (q_at + 768) >> 1u, q_tile_in_6)], q_tile_in_6) >> ((u32(q_at + 768) & 1u) * 16u);
    q_tile_6 = q_tile_word_6 & 0xffffu;
    let q_tile_in_7 = q_in & (7 < left_1);
    let q_tile_word_7 = select(
        0u, q[select(0, (q_at + 896) >> 1u, q_tile_in_7)], q_tile_in_7) >> ((u32(q_at + 896) & 1u) * 16u);
    q_tile_7 = q_tile_word_7 & 0xffffu;
    var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32;
    var x_6: f32; var x_7: f32;
    x_0 = tw_bf16_to_f32(q_tile_0); x_1 = tw_bf16_to_f32(q_tile_1); x_2 = tw_bf16_to_f32(q_tile_2);
    x_3 = tw_bf16_to_f32(q_tile_3); x_4 = tw_bf16_to_f32(q_tile_4); x_5 = tw_bf16_to_f32(q_tile_5);
    x_6 = tw_bf16_to_f32(q_tile_6); x_7 = tw_bf16_to_f32(q_tile_7);
    let t_3: i32 = second + 64;
    let q_at_1: i32 = pid0 * stride + t_1 * 128 + t_3;
    var q_tile_1_1_0: u32; var q_tile_1_1_1: u32; var q_tile_1_1_2: u32; var q_tile_1_1_3: u32;
    var q_tile_1_1_4: u32; var q_tile_1_1_5: u32; var q_tile_1_1_6: u32; var q_tile_1_1_7: u32;
    let q_tile_1_in = q_in & (0 < left_1);
    let q_tile_1_word = select(
        0u, q[select(0, q_at_1 >> 1u, q_tile_1_in)], q_tile_1_in) >> ((u32(q_at_1) & 1u) * 16u);
    q_tile_1_1_0 = q_tile_1_word & 0xffffu;
    let q_tile_1_in_1 = q_in & (1 < left_1);
    let q_tile_1_word_1 = select(
        0u, q[select(0, (q_at_1 + 128) >> 1u, q_tile_1_in_1)], q_tile_1_in_1) >> ((u32(q_at_1 + 128) & 1u) * 16u);
    q_tile_1_1_1 = q_tile_1_word_1 & 0xffffu;
    let q_tile_1_in_2 = q_in & (2 < left_1);
    let q_tile_1_word_2 = select(
        0u, q[select(0, (q_at_1 + 256) >> 1u, q_tile_1_in_2)], q_tile_1_in_2) >> ((u32(q_at_1 + 256) & 1u) * 16u);
    q_tile_1_1_2 = q_tile_1_word_2 & 0xffffu;
    let q_tile_1_in_3 = q_in & (3 < left_1);
    let q_tile_1_word_3 = select(
        0u, q[select(0, (q_at_1 + 384) >> 1u, q_tile_1_in_3)], q_tile_1_in_3) >> ((u32(q_at_1 + 384) & 1u) * 16u);
    q_tile_1_1_3 = q_tile_1_word_3 & 0xffffu;
    let q_tile_1_in_4 = q_in & (4 < left_1);
    let q_tile_1_word_4 = select(
        0u, q[select(0, (q_at_1 + 512) >> 1u, q_tile_1_in_4)], q_tile_1_in_4) >> ((u32(q_at_1 + 512) & 1u) * 16u);
    q_tile_1_1_4 = q_tile_1_word_4 & 0xffffu;
    let q_tile_1_in_5 = q_in & (5 < left_1);
    let q_tile_1_word_5 = select(
        0u, q[select(0, (q_at_1 + 640) >> 1u, q_tile_1_in_5)], q_tile_1_in_5) >> ((u32(q_at_1 + 640) & 1u) * 16u);
    q_tile_1_1_5 = q_tile_1_word_5 & 0xffffu;
    let q_tile_1_in_6 = q_in & (6 < left_1);
    let q_tile_1_word_6 = select(
        0u, q[select(0, (q_at_1 + 768) >> 1u, q_tile_1_in_6)], q_tile_1_in_6) >> ((u32(q_at_1 + 768) & 1u) * 16u);
    q_tile_1_1_6 = q_tile_1_word_6 & 0xffffu;
    let q_tile_1_in_7 = q_in & (7 < left_1);
    let q_tile_1_word_7 = select(
        0u, q[select(0, (q_at_1 + 896) >> 1u, q_tile_1_in_7)], q_tile_1_in_7) >> ((u32(q_at_1 + 896) & 1u) * 16u);
    q_tile_1_1_7 = q_tile_1_word_7 & 0xffffu;
    var y_0: f32; var y_1: f32; var y_2: f32; var y_3: f32; var y_4: f32; var y_5: f32;
    var y_6: f32; var y_7: f32;
    y_0 = tw_bf16_to_f32(q_tile_1_1_0); y_1 = tw_bf16_to_f32(q_tile_1_1_1);
    y_2 = tw_bf16_to_f32(q_tile_1_1_2); y_3 = tw_bf16_to_f32(q_tile_1_1_3);
    y_4 = tw_bf16_to_f32(q_tile_1_1_4); y_5 = tw_bf16_to_f32(q_tile_1_1_5);
    y_6 = tw_bf16_to_f32(q_tile_1_1_6); y_7 = tw_bf16_to_f32(q_tile_1_1_7);
    let stride_1: i32 = launch.DR * launch.H;
    let qRope_at: i32 = thread + pid0 * stride_1 + t_1 * launch.DR;
    let qRope_in: bool = (pid0 < launch.N) & (thread < launch.DR);
    let qRope_tile: u32 = tw_f32_to_bf16(x_0 * cos - y_0 * sin);
    if (qRope_in & (0 < left_1)) {
      let shift = (u32(qRope_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_at >> 1u], qRope_tile << shift);
    }
    let qRope_tile_1: u32 = tw_f32_to_bf16(x_1 * cos - y_1 * sin);
    if (qRope_in & (1 < left_1)) {
      let qRope_tile_1_at = qRope_at + launch.DR;
      let shift = (u32(qRope_tile_1_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_1_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_1_at >> 1u], qRope_tile_1 << shift);
    }
    let qRope_tile_2: u32 = tw_f32_to_bf16(x_2 * cos - y_2 * sin);
    if (qRope_in & (2 < left_1)) {
      let qRope_tile_2_at = qRope_at + launch.DR * 2;
      let shift = (u32(qRope_tile_2_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_2_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_2_at >> 1u], qRope_tile_2 << shift);
    }
    let qRope_tile_3: u32 = tw_f32_to_bf16(x_3 * cos - y_3 * sin);
    if (qRope_in & (3 < left_1)) {
      let qRope_tile_3_at = qRope_at + launch.DR * 3;
      let shift = (u32(qRope_tile_3_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_3_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_3_at >> 1u], qRope_tile_3 << shift);
    }
    let qRope_tile_4: u32 = tw_f32_to_bf16(x_4 * cos - y_4 * sin);
    if (qRope_in & (4 < left_1)) {
      let qRope_tile_4_at = qRope_at + launch.DR * 4;
      let shift = (u32(qRope_tile_4_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_4_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_4_at >> 1u], qRope_tile_4 << shift);
    }
    let qRope_tile_5: u32 = tw_f32_to_bf16(x_5 * cos - y_5 * sin);
    if (qRope_in & (5 < left_1)) {
      let qRope_tile_5_at = qRope_at + launch.DR * 5;
      let shift = (u32(qRope_tile_5_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_5_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_5_at >> 1u], qRope_tile_5 << shift);
    }
    let qRope_tile_6: u32 = tw_f32_to_bf16(x_6 * cos - y_6 * sin);
    if (qRope_in & (6 < left_1)) {
      let qRope_tile_6_at = qRope_at + launch.DR * 6;
      let shift = (u32(qRope_tile_6_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_6_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_6_at >> 1u], qRope_tile_6 << shift);
    }
    let qRope_tile_7: u32 = tw_f32_to_bf16(x_7 * cos - y_7 * sin);
    if (qRope_in & (7 < left_1)) {
      let qRope_tile_7_at = qRope_at + launch.DR * 7;
      let shift = (u32(qRope_tile_7_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_7_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_7_at >> 1u], qRope_tile_7 << shift);
    }
    storageBarrier();
    workgroupBarrier();
    let qRope_in_1: bool = (pid0 < launch.N) & (thread < left);
    let qRope_tile_8: u32 = tw_f32_to_bf16(y_0 * cos + x_0 * sin);
    if (qRope_in_1 & (0 < left_1)) {
      let shift = (u32(qRope_at + 32) & 1u) * 16u;
      atomicAnd(&qRope[(qRope_at + 32) >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[(qRope_at + 32) >> 1u], qRope_tile_8 << shift);
    }
    let qRope_tile_9: u32 = tw_f32_to_bf16(y_1 * cos + x_1 * sin);
    if (qRope_in_1 & (1 < left_1)) {
      let qRope_tile_9_at = qRope_at + 32 + launch.DR;
      let shift = (u32(qRope_tile_9_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_9_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_9_at >> 1u], qRope_tile_9 << shift);
    }
    let qRope_tile_10: u32 = tw_f32_to_bf16(y_2 * cos + x_2 * sin);
    if (qRope_in_1 & (2 < left_1)) {
      let qRope_tile_10_at = qRope_at + 32 + launch.DR * 2;
      let shift = (u32(qRope_tile_10_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_10_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_10_at >> 1u], qRope_tile_10 << shift);
    }
    let qRope_tile_11: u32 = tw_f32_to_bf16(y_3 * cos + x_3 * sin);
    if (qRope_in_1 & (3 < left_1)) {
      let qRope_tile_11_at = qRope_at + 32 + launch.DR * 3;
      let shift = (u32(qRope_tile_11_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_11_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_11_at >> 1u], qRope_tile_11 << shift);
    }
    let qRope_tile_12: u32 = tw_f32_to_bf16(y_4 * cos + x_4 * sin);
    if (qRope_in_1 & (4 < left_1)) {
      let qRope_tile_12_at = qRope_at + 32 + launch.DR * 4;
      let shift = (u32(qRope_tile_12_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_12_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_12_at >> 1u], qRope_tile_12 << shift);
    }
    let qRope_tile_13: u32 = tw_f32_to_bf16(y_5 * cos + x_5 * sin);
    if (qRope_in_1 & (5 < left_1)) {
      let qRope_tile_13_at = qRope_at + 32 + launch.DR * 5;
      let shift = (u32(qRope_tile_13_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_13_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_13_at >> 1u], qRope_tile_13 << shift);
    }
    let qRope_tile_14: u32 = tw_f32_to_bf16(y_6 * cos + x_6 * sin);
    if (qRope_in_1 & (6 < left_1)) {
      let qRope_tile_14_at = qRope_at + 32 + launch.DR * 6;
      let shift = (u32(qRope_tile_14_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_14_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_14_at >> 1u], qRope_tile_14 << shift);
    }
    let qRope_tile_15: u32 = tw_f32_to_bf16(y_7 * cos + x_7 * sin);
    if (qRope_in_1 & (7 < left_1)) {
      let qRope_tile_15_at = qRope_at + 32 + launch.DR * 7;
      let shift = (u32(qRope_tile_15_at) & 1u) * 16u;
      atomicAnd(&qRope[qRope_tile_15_at >> 1u], ~(0xffffu << shift));
      atomicOr(&qRope[qRope_tile_15_at >> 1u], qRope_tile_15 << shift);
    }
  } else {
    var slot: i32;
    slot = slots[pid0];
    let t_4: bool = slot >= 0;
    if (t_4) {
      let page: i32 = slot >> 2u;
      let offset: i32 = slot & 3;
      let t_5: i32 = first + 128;
      let kv_at: i32 = pid0 * launch.KW + t_5;
      let kv_in: bool = (pid0 < launch.N) & (u32(t_5) < u32(launch.KW));
      var kv_tile: u32;
      let kv_tile_word = select(0u, kv[select(0, kv_at >> 1u, kv_in)], kv_in) >> ((u32(kv_at) & 1u) * 16u);
      kv_tile = kv_tile_word & 0xffffu;
      let x_1: f32 = tw_bf16_to_f32(kv_tile);
      let t_6: i32 = second + 128;
      let kv_at_1: i32 = pid0 * launch.KW + t_6;
      let kv_in_1: bool = (pid0 < launch.N) & (u32(t_6) < u32(launch.KW));
      var kv_tile_1: u32;
      let kv_tile_1_word = select(
          0u, kv[select(0, kv_at_1 >> 1u, kv_in_1)], kv_in_1) >> ((u32(kv_at_1) & 1u) * 16u);
      kv_tile_1 = kv_tile_1_word & 0xffffu;
      let y_1: f32 = tw_bf16_to_f32(kv_tile_1);
      let stride_2: i32 = launch.DR * 4;
      let ropes_at: i32 = thread + page * stride_2 + offset * launch.DR;
      let ropes_in: bool = (u32(page) < u32(launch.NB)) & (thread < launch.DR);
      let ropes_tile: u32 = tw_f32_to_bf16(x_1 * cos - y_1 * sin);
      if (ropes_in) {
        let shift = (u32(ropes_at) & 1u) * 16u;
        atomicAnd(&ropes[ropes_at >> 1u], ~(0xffffu << shift));
        atomicOr(&ropes[ropes_at >> 1u], ropes_tile << shift);
      }
      storageBarrier();
      workgroupBarrier();
      let ropes_in_1: bool = (u32(page) < u32(launch.NB)) & (thread < left);
      let ropes_tile_1: u32 = tw_f32_to_bf16(y_1 * cos + x_1 * sin);
      if (ropes_in_1) {
        let shift = (u32(ropes_at + 32) & 1u) * 16u;
        atomicAnd(&ropes[(ropes_at + 32) >> 1u], ~(0xffffu << shift));
        atomicOr(&ropes[(ropes_at + 32) >> 1u], ropes_tile_1 << shift);
      }
      let t_R: i32 = thread * 4;
      let kv_at_2: i32 = pid0 * launch.KW + t_R;
      let kv_in_2: bool = (pid0 < launch.N) & (t_R < launch.KW);
      var kv_tile_2_0: u32; var kv_tile_2_1: u32; var kv_tile_2_2: u32; var kv_tile_2_3: u32;
      let kv_tile_2_word = select(0u, kv[select(0, kv_at_2 >> 1u, kv_in_2)], kv_in_2);
      kv_tile_2_0 = kv_tile_2_word & 0xffffu; kv_tile_2_1 = kv_tile_2_word >> 16u;
      let kv_tile_2_word_1 = select(0u, kv[select(0, (kv_at_2 >> 1u) + 1, kv_in_2)], kv_in_2);
      kv_tile_2_2 = kv_tile_2_word_1 & 0xffffu; kv_tile_2_3 = kv_tile_2_word_1 >> 16u;
      var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32;
      v_0 = tw_bf16_to_f32(kv_tile_2_0); v_1 = tw_bf16_to_f32(kv_tile_2_1);
      v_2 = tw_bf16_to_f32(kv_tile_2_2); v_3 = tw_bf16_to_f32(kv_tile_2_3);
      var sum: f32 = 0.0f;
      sum = sum + v_0 * v_0;
      sum = sum + v_1 * v_1;
      sum = sum + v_2 * v_2;
      sum = sum + v_3 * v_3;
      t68_parts[thread] = sum;
      storageBarrier();
      workgroupBarrier();
      if (thread < 4) {
        sum = t68_parts[thread];
        var other: f32;
        other = t68_parts[thread + 4];
        sum = sum + other;
        var other_1: f32;
        other_1 = t68_parts[thread + 8];
        sum = sum + other_1;
        var other_2: f32;
        other_2 = t68_parts[thread + 12];
        sum = sum + other_2;
        var other_3: f32;
        other_3 = t68_parts[thread + 16];
        sum = sum + other_3;
        var other_4: f32;
        other_4 = t68_parts[thread + 20];
        sum = sum + other_4;
        var other_5: f32;
        other_5 = t68_parts[thread + 24];
        sum = sum + other_5;
        var other_6: f32;
        other_6 = t68_parts[thread + 28];
        sum = sum + other_6;
        t68_parts[thread] = sum;
      }
      storageBarrier();
      workgroupBarrier();
      var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32;
      parts_0 = t68_parts[0];
      parts_1 = t68_parts[1];
      parts_2 = t68_parts[2];
      parts_3 = t68_parts[3];
      sum = parts_0;
      sum = sum + parts_1;
      sum = sum + parts_2;
      sum = sum + parts_3;
      let scale: f32 = inverseSqrt(sum / 128.0f + launch.eps);
      var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32;
      let w_tile_word = w[t_R >> 2u];
      w_tile_0 = w_tile_word.x & 0xffffu; w_tile_1 = w_tile_word.x >> 16u;
      w_tile_2 = w_tile_word.y & 0xffffu; w_tile_3 = w_tile_word.y >> 16u;
      let latents_at: i32 = page * 512 + offset * 128 + t_R;
      let latents_in: bool = u32(page) < u32(launch.NB);
      var latents_tile_0: u32; var latents_tile_1: u32; var latents_tile_2: u32;
      var latents_tile_3: u32;
      latents_tile_0 = tw_f32_to_bf16(v_0 * scale * tw_bf16_to_f32(w_tile_0));
      latents_tile_1 = tw_f32_to_bf16(v_1 * scale * tw_bf16_to_f32(w_tile_1));
      latents_tile_2 = tw_f32_to_bf16(v_2 * scale * tw_bf16_to_f32(w_tile_2));
      latents_tile_3 = tw_f32_to_bf16(v_3 * scale * tw_bf16_to_f32(w_tile_3));
      if (latents_in) {
        latents[latents_at >> 2u] = vec2<u32>(
            latents_tile_0 | (latents_tile_1 << 16u), latents_tile_2 | (latents_tile_3 << 16u));
      }
    }
  }
}
