// permute_columns for wgsl, made by tilewright
// dtypes: T=bf16
// config: BM=4 BK=256
// dims divisible: K%16
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  K: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> order: array<i32>;
@group(0) @binding(2) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;

@compute @workgroup_size(128)
fn permute_columns(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let t: i32 = pid1 * 4;
  let t_1: i32 = pid0 * 256;
  let order_at: i32 = t_1 + thread;
  var from_1_0: i32; var from_1_1: i32;
  let left: i32 = launch.K - t_1;
  let from_in = thread < left;
  from_1_0 = select(-1, order[select(0, order_at, from_in)], from_in);
  let from_in_1 = thread + 128 < left;
  from_1_1 = select(-1, order[select(0, order_at + 128, from_in_1)], from_in_1);
  let x_at: i32 = t * launch.K;
  var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
  var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
  let left_1: i32 = launch.M - t;
  let x_tile_in = (0 < left_1) & (u32(from_1_0) < u32(launch.K));
  let x_tile_at = x_at + from_1_0;
  let x_tile_word = select(
      0u, x[select(0, x_tile_at >> 1u, x_tile_in)], x_tile_in) >> ((u32(x_tile_at) & 1u) * 16u);
  x_tile_0 = x_tile_word & 0xffffu;
  let x_tile_in_1 = (0 < left_1) & (u32(from_1_1) < u32(launch.K));
  let x_tile_at_1 = x_at + from_1_1;
  let x_tile_word_1 = select(
      0u, x[select(0, x_tile_at_1 >> 1u, x_tile_in_1)], x_tile_in_1) >> ((u32(x_tile_at_1) & 1u) * 16u);
  x_tile_1 = x_tile_word_1 & 0xffffu;
  let x_tile_in_2 = (1 < left_1) & (u32(from_1_0) < u32(launch.K));
  let x_tile_at_2 = x_at + launch.K + from_1_0;
  let x_tile_word_2 = select(
      0u, x[select(0, x_tile_at_2 >> 1u, x_tile_in_2)], x_tile_in_2) >> ((u32(x_tile_at_2) & 1u) * 16u);
  x_tile_2 = x_tile_word_2 & 0xffffu;
  let x_tile_in_3 = (1 < left_1) & (u32(from_1_1) < u32(launch.K));
  let x_tile_at_3 = x_at + launch.K + from_1_1;
  let x_tile_word_3 = select(
      0u, x[select(0, x_tile_at_3 >> 1u, x_tile_in_3)], x_tile_in_3) >> ((u32(x_tile_at_3) & 1u) * 16u);
  x_tile_3 = x_tile_word_3 & 0xffffu;
  let x_tile_in_4 = (2 < left_1) & (u32(from_1_0) < u32(launch.K));
  let x_tile_at_4 = x_at + launch.K * 2 + from_1_0;
  let x_tile_word_4 = select(
      0u, x[select(0, x_tile_at_4 >> 1u, x_tile_in_4)], x_tile_in_4) >> ((u32(x_tile_at_4) & 1u) * 16u);
  x_tile_4 = x_tile_word_4 & 0xffffu;
  let x_tile_in_5 = (2 < left_1) & (u32(from_1_1) < u32(launch.K));
  let x_tile_at_5 = x_at + launch.K * 2 + from_1_1;
  let x_tile_word_5 = select(
      0u, x[select(0, x_tile_at_5 >> 1u, x_tile_in_5)], x_tile_in_5) >> ((u32(x_tile_at_5) & 1u) * 16u);
  x_tile_5 = x_tile_word_5 & 0xffffu;
  let x_tile_in_6 = (3 < left_1) & (u32(from_1_0) < u32(launch.K));
  let x_tile_at_6 = x_at + launch.K * 3 + from_1_0;
  let x_tile_word_6 = select(
      0u, x[select(0, x_tile_at_6 >> 1u, x_tile_in_6)], x_tile_in_6) >> ((u32(x_tile_at_6) & 1u) * 16u);
  x_tile_6 = x_tile_word_6 & 0xffffu;
  let x_tile_in_7 = (3 < left_1) & (u32(from_1_1) < u32(launch.K));
  let x_tile_at_7 = x_at + launch.K * 3 + from_1_1;
  let x_tile_word_7 = select(
      0u, x[select(0, x_tile_at_7 >> 1u, x_tile_in_7)], x_tile_in_7) >> ((u32(x_tile_at_7) & 1u) * 16u);
  x_tile_7 = x_tile_word_7 & 0xffffu;
  let y_at: i32 = t * launch.K + t_1 + thread;
  if ((0 < left_1) & (thread < left)) {
    let shift = (u32(y_at) & 1u) * 16u;
    atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
    atomicOr(&y[y_at >> 1u], x_tile_0 << shift);
  }
  if ((0 < left_1) & (thread + 128 < left)) {
    let shift = (u32(y_at + 128) & 1u) * 16u;
    atomicAnd(&y[(y_at + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 128) >> 1u], x_tile_1 << shift);
  }
  if ((1 < left_1) & (thread < left)) {
    let x_tile_at_8 = y_at + launch.K;
    let shift = (u32(x_tile_at_8) & 1u) * 16u;
    atomicAnd(&y[x_tile_at_8 >> 1u], ~(0xffffu << shift));
    atomicOr(&y[x_tile_at_8 >> 1u], x_tile_2 << shift);
  }
  if ((1 < left_1) & (thread + 128 < left)) {
    let x_tile_at_8 = y_at + launch.K;
    let shift = (u32(x_tile_at_8 + 128) & 1u) * 16u;
    atomicAnd(&y[(x_tile_at_8 + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_tile_at_8 + 128) >> 1u], x_tile_3 << shift);
  }
  if ((2 < left_1) & (thread < left)) {
    let x_tile_at_8 = y_at + launch.K * 2;
    let shift = (u32(x_tile_at_8) & 1u) * 16u;
    atomicAnd(&y[x_tile_at_8 >> 1u], ~(0xffffu << shift));
    atomicOr(&y[x_tile_at_8 >> 1u], x_tile_4 << shift);
  }
  if ((2 < left_1) & (thread + 128 < left)) {
    let x_tile_at_8 = y_at + launch.K * 2;
    let shift = (u32(x_tile_at_8 + 128) & 1u) * 16u;
    atomicAnd(&y[(x_tile_at_8 + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_tile_at_8 + 128) >> 1u], x_tile_5 << shift);
  }
  if ((3 < left_1) & (thread < left)) {
    let x_tile_at_8 = y_at + launch.K * 3;
    let shift = (u32(x_tile_at_8) & 1u) * 16u;
    atomicAnd(&y[x_tile_at_8 >> 1u], ~(0xffffu << shift));
    atomicOr(&y[x_tile_at_8 >> 1u], x_tile_6 << shift);
  }
  if ((3 < left_1) & (thread + 128 < left)) {
    let x_tile_at_8 = y_at + launch.K * 3;
    let shift = (u32(x_tile_at_8 + 128) & 1u) * 16u;
    atomicAnd(&y[(x_tile_at_8 + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_tile_at_8 + 128) >> 1u], x_tile_7 << shift);
  }
}
