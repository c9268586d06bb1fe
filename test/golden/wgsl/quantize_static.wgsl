// quantize_static for wgsl, made by tilewright
// dtypes: T=f32 Q=i8
// config: BR=1 BH=1024
// dims divisible: R%2 H%4
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  H: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> scale: array<f32>;
@group(0) @binding(2) var<storage, read_write> q: array<u32>;
@group(0) @binding(3) var<storage, read_write> rowScale: array<f32>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;

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
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let t: i32 = pid1 * 1024;
  var by: f32;
  by = scale[0];
  let left: i32 = launch.R - pid0;
  let t_BH: i32 = thread * 4;
  let x_at: i32 = pid0 * launch.H + t + t_BH;
  let x_in: bool = 0 < left;
  var x_tile_0: f32; var x_tile_1: f32; var x_tile_2: f32; var x_tile_3: f32; var x_tile_4: f32;
  var x_tile_5: f32; var x_tile_6: f32; var x_tile_7: f32;
  let left_1: i32 = launch.H - t;
  let x_tile_in = x_in & (t_BH < left_1);
  let x_tile_word = select(vec4<f32>(0.0f), x[select(0, x_at >> 2u, x_tile_in)], x_tile_in);
  x_tile_0 = x_tile_word.x; x_tile_1 = x_tile_word.y; x_tile_2 = x_tile_word.z;
  x_tile_3 = x_tile_word.w;
  let x_tile_in_1 = x_in & (t_BH + 512 < left_1);
  let x_tile_word_1 = select(
      vec4<f32>(0.0f), x[select(0, (x_at + 512) >> 2u, x_tile_in_1)], x_tile_in_1);
  x_tile_4 = x_tile_word_1.x; x_tile_5 = x_tile_word_1.y; x_tile_6 = x_tile_word_1.z;
  x_tile_7 = x_tile_word_1.w;
  var q_tile_0: i32; var q_tile_1: i32; var q_tile_2: i32; var q_tile_3: i32;
  q_tile_0 = clamp(tw_f32_to_i32(round(x_tile_0 / by)), -128, 127);
  q_tile_1 = clamp(tw_f32_to_i32(round(x_tile_1 / by)), -128, 127);
  q_tile_2 = clamp(tw_f32_to_i32(round(x_tile_2 / by)), -128, 127);
  q_tile_3 = clamp(tw_f32_to_i32(round(x_tile_3 / by)), -128, 127);
  if (x_in & (t_BH < left_1)) {
    q[x_at >> 2u] = (u32(q_tile_0) & 255u) | ((u32(q_tile_1) & 255u) << 8u) | ((u32(q_tile_2) & 255u) << 16u) | ((u32(q_tile_3) & 255u) << 24u);
  }
  var q_tile_1_1_0: i32; var q_tile_1_1_1: i32; var q_tile_1_1_2: i32; var q_tile_1_1_3: i32;
  q_tile_1_1_0 = clamp(tw_f32_to_i32(round(x_tile_4 / by)), -128, 127);
  q_tile_1_1_1 = clamp(tw_f32_to_i32(round(x_tile_5 / by)), -128, 127);
  q_tile_1_1_2 = clamp(tw_f32_to_i32(round(x_tile_6 / by)), -128, 127);
  q_tile_1_1_3 = clamp(tw_f32_to_i32(round(x_tile_7 / by)), -128, 127);
  if (x_in & (t_BH + 512 < left_1)) {
    q[(x_at + 512) >> 2u] = (u32(q_tile_1_1_0) & 255u) | ((u32(q_tile_1_1_1) & 255u) << 8u) | ((u32(q_tile_1_1_2) & 255u) << 16u) | ((u32(q_tile_1_1_3) & 255u) << 24u);
  }
  let t_1: bool = pid1 == 0;
  if (t_1) {
    let is_first: bool = thread == 0;
    if (is_first) {
      let rowScale_tile: f32 = by;
      if (x_in) {
        rowScale[pid0] = rowScale_tile;
      }
    }
  }
}
