// permute_slots for wgsl, made by tilewright
// dtypes: T=bf16
// config: BK=256
// dims divisible: R%2 K%16 S%4
// 32 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  K: i32,
  S: i32,
  E: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> ids: array<i32>;
@group(0) @binding(2) var<storage, read> order: array<i32>;
@group(0) @binding(3) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;

fn tw_floordiv_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let quotient = a / b;
  let rest = a - quotient * b;
  return quotient - select(0, 1, rest != 0 && (rest ^ b) < 0);
}

@compute @workgroup_size(32)
fn permute_slots(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var e: i32;
  e = ids[pid0];
  let t: bool = e < 0;
  if (!t) {
    let t_1: bool = e >= launch.E;
    if (!t_1) {
      let t_2: i32 = pid1 * 256;
      let order_at: i32 = e * launch.K + thread + t_2;
      let order_in: bool = u32(e) < u32(launch.E);
      var from_1_0: i32; var from_1_1: i32; var from_1_2: i32; var from_1_3: i32; var from_1_4: i32;
      var from_1_5: i32; var from_1_6: i32; var from_1_7: i32;
      let left: i32 = launch.K - t_2;
      let from_in = order_in & (thread < left);
      from_1_0 = select(-1, order[select(0, order_at, from_in)], from_in);
      let from_in_1 = order_in & (thread + 32 < left);
      from_1_1 = select(-1, order[select(0, order_at + 32, from_in_1)], from_in_1);
      let from_in_2 = order_in & (thread + 64 < left);
      from_1_2 = select(-1, order[select(0, order_at + 64, from_in_2)], from_in_2);
      let from_in_3 = order_in & (thread + 96 < left);
      from_1_3 = select(-1, order[select(0, order_at + 96, from_in_3)], from_in_3);
      let from_in_4 = order_in & (thread + 128 < left);
      from_1_4 = select(-1, order[select(0, order_at + 128, from_in_4)], from_in_4);
      let from_in_5 = order_in & (thread + 160 < left);
      from_1_5 = select(-1, order[select(0, order_at + 160, from_in_5)], from_in_5);
      let from_in_6 = order_in & (thread + 192 < left);
      from_1_6 = select(-1, order[select(0, order_at + 192, from_in_6)], from_in_6);
      let from_in_7 = order_in & (thread + 224 < left);
      from_1_7 = select(-1, order[select(0, order_at + 224, from_in_7)], from_in_7);
      let t_3: i32 = tw_floordiv_i32(pid0, tw_floordiv_i32(launch.S, launch.R));
      let x_at: i32 = t_3 * launch.K;
      let x_in: bool = t_3 < launch.R;
      var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
      var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
      let x_tile_in = x_in & (u32(from_1_0) < u32(launch.K));
      let x_tile_at = x_at + from_1_0;
      let x_tile_word = select(
          0u, x[select(0, x_tile_at >> 1u, x_tile_in)], x_tile_in) >> ((u32(x_tile_at) & 1u) * 16u);
      x_tile_0 = x_tile_word & 0xffffu;
      let x_tile_in_1 = x_in & (u32(from_1_1) < u32(launch.K));
      let x_tile_at_1 = x_at + from_1_1;
      let x_tile_word_1 = select(
          0u, x[select(0, x_tile_at_1 >> 1u, x_tile_in_1)], x_tile_in_1) >> ((u32(x_tile_at_1) & 1u) * 16u);
      x_tile_1 = x_tile_word_1 & 0xffffu;
      let x_tile_in_2 = x_in & (u32(from_1_2) < u32(launch.K));
      let x_tile_at_2 = x_at + from_1_2;
      let x_tile_word_2 = select(
          0u, x[select(0, x_tile_at_2 >> 1u, x_tile_in_2)], x_tile_in_2) >> ((u32(x_tile_at_2) & 1u) * 16u);
      x_tile_2 = x_tile_word_2 & 0xffffu;
      let x_tile_in_3 = x_in & (u32(from_1_3) < u32(launch.K));
      let x_tile_at_3 = x_at + from_1_3;
      let x_tile_word_3 = select(
          0u, x[select(0, x_tile_at_3 >> 1u, x_tile_in_3)], x_tile_in_3) >> ((u32(x_tile_at_3) & 1u) * 16u);
      x_tile_3 = x_tile_word_3 & 0xffffu;
      let x_tile_in_4 = x_in & (u32(from_1_4) < u32(launch.K));
      let x_tile_at_4 = x_at + from_1_4;
      let x_tile_word_4 = select(
          0u, x[select(0, x_tile_at_4 >> 1u, x_tile_in_4)], x_tile_in_4) >> ((u32(x_tile_at_4) & 1u) * 16u);
      x_tile_4 = x_tile_word_4 & 0xffffu;
      let x_tile_in_5 = x_in & (u32(from_1_5) < u32(launch.K));
      let x_tile_at_5 = x_at + from_1_5;
      let x_tile_word_5 = select(
          0u, x[select(0, x_tile_at_5 >> 1u, x_tile_in_5)], x_tile_in_5) >> ((u32(x_tile_at_5) & 1u) * 16u);
      x_tile_5 = x_tile_word_5 & 0xffffu;
      let x_tile_in_6 = x_in & (u32(from_1_6) < u32(launch.K));
      let x_tile_at_6 = x_at + from_1_6;
      let x_tile_word_6 = select(
          0u, x[select(0, x_tile_at_6 >> 1u, x_tile_in_6)], x_tile_in_6) >> ((u32(x_tile_at_6) & 1u) * 16u);
      x_tile_6 = x_tile_word_6 & 0xffffu;
      let x_tile_in_7 = x_in & (u32(from_1_7) < u32(launch.K));
      let x_tile_at_7 = x_at + from_1_7;
      let x_tile_word_7 = select(
          0u, x[select(0, x_tile_at_7 >> 1u, x_tile_in_7)], x_tile_in_7) >> ((u32(x_tile_at_7) & 1u) * 16u);
      x_tile_7 = x_tile_word_7 & 0xffffu;
      let y_at: i32 = pid0 * launch.K + thread + t_2;
      let y_in: bool = pid0 < launch.S;
      if (y_in & (thread < left)) {
        let shift = (u32(y_at) & 1u) * 16u;
        atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
        atomicOr(&y[y_at >> 1u], x_tile_0 << shift);
      }
      if (y_in & (thread + 32 < left)) {
        let shift = (u32(y_at + 32) & 1u) * 16u;
        atomicAnd(&y[(y_at + 32) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 32) >> 1u], x_tile_1 << shift);
      }
      if (y_in & (thread + 64 < left)) {
        let shift = (u32(y_at + 64) & 1u) * 16u;
        atomicAnd(&y[(y_at + 64) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 64) >> 1u], x_tile_2 << shift);
      }
      if (y_in & (thread + 96 < left)) {
        let shift = (u32(y_at + 96) & 1u) * 16u;
        atomicAnd(&y[(y_at + 96) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 96) >> 1u], x_tile_3 << shift);
      }
      if (y_in & (thread + 128 < left)) {
        let shift = (u32(y_at + 128) & 1u) * 16u;
        atomicAnd(&y[(y_at + 128) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 128) >> 1u], x_tile_4 << shift);
      }
      if (y_in & (thread + 160 < left)) {
        let shift = (u32(y_at + 160) & 1u) * 16u;
        atomicAnd(&y[(y_at + 160) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 160) >> 1u], x_tile_5 << shift);
      }
      if (y_in & (thread + 192 < left)) {
        let shift = (u32(y_at + 192) & 1u) * 16u;
        atomicAnd(&y[(y_at + 192) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 192) >> 1u], x_tile_6 << shift);
      }
      if (y_in & (thread + 224 < left)) {
        let shift = (u32(y_at + 224) & 1u) * 16u;
        atomicAnd(&y[(y_at + 224) >> 1u], ~(0xffffu << shift));
        atomicOr(&y[(y_at + 224) >> 1u], x_tile_7 << shift);
      }
    }
  }
}
