// quantize_static for wgsl, made by tilewright
// dtypes: T=f32 Q=i8
// config: B=1024
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  E: i32,
}
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> scale: array<f32>;
@group(0) @binding(2) var<storage, read_write> q: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// Truncates, saturates; NaN gives 0.
fn tw_f32_to_i32(x: f32) -> i32 {
  if (tw_isnan(x)) { return 0; }
  if (x >= 2147483648.0f) { return 2147483647; }
  if (x <= -2147483648.0f) { return -2147483647 - 1; }
  return i32(x);
}

@compute @workgroup_size(128)
fn quantize_static(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 1024;
  let x_at: i32 = t + thread;
  var x_tile_0: f32; var x_tile_1: f32; var x_tile_2: f32; var x_tile_3: f32; var x_tile_4: f32;
  var x_tile_5: f32; var x_tile_6: f32; var x_tile_7: f32;
  let left: i32 = launch.E - t;
  let x_tile_in = thread < left;
  x_tile_0 = select(0.0f, x[select(0, x_at, x_tile_in)], x_tile_in);
  let x_tile_in_1 = thread + 128 < left;
  x_tile_1 = select(0.0f, x[select(0, x_at + 128, x_tile_in_1)], x_tile_in_1);
  let x_tile_in_2 = thread + 256 < left;
  x_tile_2 = select(0.0f, x[select(0, x_at + 256, x_tile_in_2)], x_tile_in_2);
  let x_tile_in_3 = thread + 384 < left;
  x_tile_3 = select(0.0f, x[select(0, x_at + 384, x_tile_in_3)], x_tile_in_3);
  let x_tile_in_4 = thread + 512 < left;
  x_tile_4 = select(0.0f, x[select(0, x_at + 512, x_tile_in_4)], x_tile_in_4);
  let x_tile_in_5 = thread + 640 < left;
  x_tile_5 = select(0.0f, x[select(0, x_at + 640, x_tile_in_5)], x_tile_in_5);
  let x_tile_in_6 = thread + 768 < left;
  x_tile_6 = select(0.0f, x[select(0, x_at + 768, x_tile_in_6)], x_tile_in_6);
  let x_tile_in_7 = thread + 896 < left;
  x_tile_7 = select(0.0f, x[select(0, x_at + 896, x_tile_in_7)], x_tile_in_7);
  var scale_tile: f32;
  scale_tile = scale[0];
  let q_tile: i32 = clamp(tw_f32_to_i32(round(x_tile_0 / scale_tile)), -128, 127);
  if (thread < left) {
    let shift = (u32(x_at) & 3u) * 8u;
    atomicAnd(&q[x_at >> 2u], ~(0xffu << shift));
    atomicOr(&q[x_at >> 2u], (u32(q_tile) & 255u) << shift);
  }
  let q_tile_1: i32 = clamp(tw_f32_to_i32(round(x_tile_1 / scale_tile)), -128, 127);
  if (thread + 128 < left) {
    let shift = (u32(x_at + 128) & 3u) * 8u;
    atomicAnd(&q[(x_at + 128) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 128) >> 2u], (u32(q_tile_1) & 255u) << shift);
  }
  let q_tile_2: i32 = clamp(tw_f32_to_i32(round(x_tile_2 / scale_tile)), -128, 127);
  if (thread + 256 < left) {
    let shift = (u32(x_at + 256) & 3u) * 8u;
    atomicAnd(&q[(x_at + 256) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 256) >> 2u], (u32(q_tile_2) & 255u) << shift);
  }
  let q_tile_3: i32 = clamp(tw_f32_to_i32(round(x_tile_3 / scale_tile)), -128, 127);
  if (thread + 384 < left) {
    let shift = (u32(x_at + 384) & 3u) * 8u;
    atomicAnd(&q[(x_at + 384) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 384) >> 2u], (u32(q_tile_3) & 255u) << shift);
  }
  let q_tile_4: i32 = clamp(tw_f32_to_i32(round(x_tile_4 / scale_tile)), -128, 127);
  if (thread + 512 < left) {
    let shift = (u32(x_at + 512) & 3u) * 8u;
    atomicAnd(&q[(x_at + 512) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 512) >> 2u], (u32(q_tile_4) & 255u) << shift);
  }
  let q_tile_5: i32 = clamp(tw_f32_to_i32(round(x_tile_5 / scale_tile)), -128, 127);
  if (thread + 640 < left) {
    let shift = (u32(x_at + 640) & 3u) * 8u;
    atomicAnd(&q[(x_at + 640) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 640) >> 2u], (u32(q_tile_5) & 255u) << shift);
  }
  let q_tile_6: i32 = clamp(tw_f32_to_i32(round(x_tile_6 / scale_tile)), -128, 127);
  if (thread + 768 < left) {
    let shift = (u32(x_at + 768) & 3u) * 8u;
    atomicAnd(&q[(x_at + 768) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 768) >> 2u], (u32(q_tile_6) & 255u) << shift);
  }
  let q_tile_7: i32 = clamp(tw_f32_to_i32(round(x_tile_7 / scale_tile)), -128, 127);
  if (thread + 896 < left) {
    let shift = (u32(x_at + 896) & 3u) * 8u;
    atomicAnd(&q[(x_at + 896) >> 2u], ~(0xffu << shift));
    atomicOr(&q[(x_at + 896) >> 2u], (u32(q_tile_7) & 255u) << shift);
  }
}
