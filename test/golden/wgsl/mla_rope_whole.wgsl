// mla_rope_whole for wgsl, made by tilewright
// dtypes: T=bf16
// config: BH=8 INTERLEAVED=true
// dims fixed: DQ=128 D2=32
// dims divisible: P%2
// 64 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  H: i32,
  P: i32,
}
@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read> cosSin: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(64)
fn mla_rope_whole(
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
  let t_D2: i32 = thread & 31;
  let cosSin_at: i32 = position * 64 + t_D2;
  let cosSin_in: bool = u32(position) < u32(launch.P);
  var cos: f32;
  cos = select(0.0f, cosSin[select(0, cosSin_at, cosSin_in)], cosSin_in);
  var sin: f32;
  sin = select(0.0f, cosSin[select(0, cosSin_at + 32, cosSin_in)], cosSin_in);
  let t: i32 = pid1 * 8;
  let first: i32 = t_D2 * 2 + 64;
  let stride: i32 = launch.H * 128;
  let t_BH: i32 = thread >> 5u;
  let q_at: i32 = t_BH * 128;
  let q_at_1: i32 = pid0 * stride + t * 128 + first + q_at;
  let q_in: bool = pid0 < launch.N;
  var q_tile_0: u32; var q_tile_1: u32; var q_tile_2: u32; var q_tile_3: u32;
  let left: i32 = launch.H - t;
  let q_tile_in = q_in & (t_BH < left);
  let q_tile_word = select(
      0u, q[select(0, q_at_1 >> 1u, q_tile_in)], q_tile_in) >> ((u32(q_at_1) & 1u) * 16u);
  q_tile_0 = q_tile_word & 0xffffu;
  let q_tile_in_1 = q_in & (t_BH + 2 < left);
  let q_tile_word_1 = select(
      0u, q[select(0, (q_at_1 + 256) >> 1u, q_tile_in_1)], q_tile_in_1) >> ((u32(q_at_1 + 256) & 1u) * 16u);
  q_tile_1 = q_tile_word_1 & 0xffffu;
  let q_tile_in_2 = q_in & (t_BH + 4 < left);
  let q_tile_word_2 = select(
      0u, q[select(0, (q_at_1 + 512) >> 1u, q_tile_in_2)], q_tile_in_2) >> ((u32(q_at_1 + 512) & 1u) * 16u);
  q_tile_2 = q_tile_word_2 & 0xffffu;
  let q_tile_in_3 = q_in & (t_BH + 6 < left);
  let q_tile_word_3 = select(
      0u, q[select(0, (q_at_1 + 768) >> 1u, q_tile_in_3)], q_tile_in_3) >> ((u32(q_at_1 + 768) & 1u) * 16u);
  q_tile_3 = q_tile_word_3 & 0xffffu;
  var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32;
  x_0 = tw_bf16_to_f32(q_tile_0); x_1 = tw_bf16_to_f32(q_tile_1); x_2 = tw_bf16_to_f32(q_tile_2);
  x_3 = tw_bf16_to_f32(q_tile_3);
  let t_1: i32 = first + 1;
  let q_at_2: i32 = pid0 * stride + t * 128 + t_1 + q_at;
  var q_tile_1_1_0: u32; var q_tile_1_1_1: u32; var q_tile_1_1_2: u32; var q_tile_1_1_3: u32;
  let q_tile_1_in = q_in & (t_BH < left);
  let q_tile_1_word = select(
      0u, q[select(0, q_at_2 >> 1u, q_tile_1_in)], q_tile_1_in) >> ((u32(q_at_2) & 1u) * 16u);
  q_tile_1_1_0 = q_tile_1_word & 0xffffu;
  let q_tile_1_in_1 = q_in & (t_BH + 2 < left);
  let q_tile_1_word_1 = select(
      0u, q[select(0, (q_at_2 + 256) >> 1u, q_tile_1_in_1)], q_tile_1_in_1) >> ((u32(q_at_2 + 256) & 1u) * 16u);
  q_tile_1_1_1 = q_tile_1_word_1 & 0xffffu;
  let q_tile_1_in_2 = q_in & (t_BH + 4 < left);
  let q_tile_1_word_2 = select(
      0u, q[select(0, (q_at_2 + 512) >> 1u, q_tile_1_in_2)], q_tile_1_in_2) >> ((u32(q_at_2 + 512) & 1u) * 16u);
  q_tile_1_1_2 = q_tile_1_word_2 & 0xffffu;
  let q_tile_1_in_3 = q_in & (t_BH + 6 < left);
  let q_tile_1_word_3 = select(
      0u, q[select(0, (q_at_2 + 768) >> 1u, q_tile_1_in_3)], q_tile_1_in_3) >> ((u32(q_at_2 + 768) & 1u) * 16u);
  q_tile_1_1_3 = q_tile_1_word_3 & 0xffffu;
  var y_1_0: f32; var y_1_1: f32; var y_1_2: f32; var y_1_3: f32;
  y_1_0 = tw_bf16_to_f32(q_tile_1_1_0); y_1_1 = tw_bf16_to_f32(q_tile_1_1_1);
  y_1_2 = tw_bf16_to_f32(q_tile_1_1_2); y_1_3 = tw_bf16_to_f32(q_tile_1_1_3);
  let y_at: i32 = t_BH * 128 + t_D2;
  let y_at_1: i32 = pid0 * stride + t * 128 + y_at;
  let y_tile: u32 = tw_f32_to_bf16(x_0 * cos - y_1_0 * sin);
  if (q_in & (t_BH < left)) {
    let shift = (u32(y_at_1 + 64) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 64) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 64) >> 1u], y_tile << shift);
  }
  let y_tile_1: u32 = tw_f32_to_bf16(x_1 * cos - y_1_1 * sin);
  if (q_in & (t_BH + 2 < left)) {
    let shift = (u32(y_at_1 + 320) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 320) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 320) >> 1u], y_tile_1 << shift);
  }
  let y_tile_2: u32 = tw_f32_to_bf16(x_2 * cos - y_1_2 * sin);
  if (q_in & (t_BH + 4 < left)) {
    let shift = (u32(y_at_1 + 576) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 576) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 576) >> 1u], y_tile_2 << shift);
  }
  let y_tile_3: u32 = tw_f32_to_bf16(x_3 * cos - y_1_3 * sin);
  if (q_in & (t_BH + 6 < left)) {
    let shift = (u32(y_at_1 + 832) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 832) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 832) >> 1u], y_tile_3 << shift);
  }
  workgroupBarrier();
  let y_tile_4: u32 = tw_f32_to_bf16(y_1_0 * cos + x_0 * sin);
  if (q_in & (t_BH < left)) {
    let shift = (u32(y_at_1 + 96) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 96) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 96) >> 1u], y_tile_4 << shift);
  }
  let y_tile_5: u32 = tw_f32_to_bf16(y_1_1 * cos + x_1 * sin);
  if (q_in & (t_BH + 2 < left)) {
    let shift = (u32(y_at_1 + 352) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 352) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 352) >> 1u], y_tile_5 << shift);
  }
  let y_tile_6: u32 = tw_f32_to_bf16(y_1_2 * cos + x_2 * sin);
  if (q_in & (t_BH + 4 < left)) {
    let shift = (u32(y_at_1 + 608) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 608) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 608) >> 1u], y_tile_6 << shift);
  }
  let y_tile_7: u32 = tw_f32_to_bf16(y_1_3 * cos + x_3 * sin);
  if (q_in & (t_BH + 6 < left)) {
    let shift = (u32(y_at_1 + 864) & 1u) * 16u;
    atomicAnd(&y[(y_at_1 + 864) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at_1 + 864) >> 1u], y_tile_7 << shift);
  }
  let t_BH_1: i32 = thread >> 3u;
  let t_DP: i32 = (thread & 7) * 8;
  let q_at_3: i32 = t_BH_1 * 128 + t_DP;
  let q_at_4: i32 = pid0 * stride + t * 128 + q_at_3;
  let q_in_1: bool = (pid0 < launch.N) & (t_BH_1 < left);
  var q_tile_2_1_0: u32; var q_tile_2_1_1: u32; var q_tile_2_1_2: u32; var q_tile_2_1_3: u32;
  var q_tile_2_1_4: u32; var q_tile_2_1_5: u32; var q_tile_2_1_6: u32; var q_tile_2_1_7: u32;
  let q_tile_2_word = select(0u, q[select(0, q_at_4 >> 1u, q_in_1)], q_in_1);
  q_tile_2_1_0 = q_tile_2_word & 0xffffu; q_tile_2_1_1 = q_tile_2_word >> 16u;
  let q_tile_2_word_1 = select(0u, q[select(0, (q_at_4 >> 1u) + 1, q_in_1)], q_in_1);
  q_tile_2_1_2 = q_tile_2_word_1 & 0xffffu; q_tile_2_1_3 = q_tile_2_word_1 >> 16u;
  let q_tile_2_word_2 = select(0u, q[select(0, (q_at_4 >> 1u) + 2, q_in_1)], q_in_1);
  q_tile_2_1_4 = q_tile_2_word_2 & 0xffffu; q_tile_2_1_5 = q_tile_2_word_2 >> 16u;
  let q_tile_2_word_3 = select(0u, q[select(0, (q_at_4 >> 1u) + 3, q_in_1)], q_in_1);
  q_tile_2_1_6 = q_tile_2_word_3 & 0xffffu; q_tile_2_1_7 = q_tile_2_word_3 >> 16u;
  workgroupBarrier();
  if (q_in_1) {
    atomicStore(&y[q_at_4 >> 1u], q_tile_2_1_0 | (q_tile_2_1_1 << 16u));
    atomicStore(&y[(q_at_4 >> 1u) + 1], q_tile_2_1_2 | (q_tile_2_1_3 << 16u));
    atomicStore(&y[(q_at_4 >> 1u) + 2], q_tile_2_1_4 | (q_tile_2_1_5 << 16u));
    atomicStore(&y[(q_at_4 >> 1u) + 3], q_tile_2_1_6 | (q_tile_2_1_7 << 16u));
  }
}
