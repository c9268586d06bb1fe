// cap_logits for wgsl, made by tilewright
// config: BV=1024
// dims divisible: R%2 V%2
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  V: i32,
  scale: f32,
  cap: f32,
}
@group(0) @binding(0) var<storage, read_write> x: array<vec2<f32>>;
@group(0) @binding(1) var<uniform> launch: TwLaunch;

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// 2 to the k, -126 … 127.
fn tw_power_of_two(k: i32) -> f32 { return bitcast<f32>(u32(k + 127) << 23u); }

// x times 2 to the k, -252 … 254, with at most one rounding.
fn tw_scale(x: f32, k: i32) -> f32 {
  let half = k >> 1u;
  return x * tw_power_of_two(half) * tw_power_of_two(k - half);
}

// The argument loses n · ln 2 in two parts, the first of which is exact.
fn tw_exp(x: f32) -> f32 {
  let bounded = clamp(x, -105.0f, 89.5f);
  let n = round(bounded * 1.44269502f);
  let r = (bounded - n * 0.693145752f) - n * 0.00000142860677f;
  var p = 0.00139261817f;
  p = p * r + 0.008363178f;
  p = p * r + 0.0416665561f;
  p = p * r + 0.166665763f;
  p = p * r + 0.5f;
  return select(tw_scale(p * r * r + r + 1.0f, i32(n)), x, tw_isnan(x));
}

fn tw_tanh(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let size = abs(x);
  var value = 1.0f;
  if (size < 0.625f) {
    let z = x * x;
    var p = -0.00609671418f;
    p = p * z + 0.0209971797f;
    p = p * z - 0.0538509078f;
    p = p * z + 0.133327693f;
    p = p * z - 0.333333284f;
    value = p * z * size + size;
  } else if (size < 9.1f) {
    value = 1.0f - 2.0f / (tw_exp(2.0f * size) + 1.0f);
  }
  return bitcast<f32>(bitcast<u32>(value) | (bitcast<u32>(x) & 0x80000000u));
}

@compute @workgroup_size(128)
fn cap_logits(
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
  let t_BV: i32 = thread * 2;
  let x_at: i32 = pid0 * launch.V + t + t_BV;
  let x_in: bool = pid0 < launch.R;
  var x_tile_0: f32; var x_tile_1: f32; var x_tile_2: f32; var x_tile_3: f32; var x_tile_4: f32;
  var x_tile_5: f32; var x_tile_6: f32; var x_tile_7: f32;
  let left: i32 = launch.V - t;
  let x_tile_in = x_in & (t_BV < left);
  let x_tile_word = select(vec2<f32>(0.0f), x[select(0, x_at >> 1u, x_tile_in)], x_tile_in);
  x_tile_0 = x_tile_word.x; x_tile_1 = x_tile_word.y;
  let x_tile_in_1 = x_in & (t_BV + 256 < left);
  let x_tile_word_1 = select(
      vec2<f32>(0.0f), x[select(0, (x_at + 256) >> 1u, x_tile_in_1)], x_tile_in_1);
  x_tile_2 = x_tile_word_1.x; x_tile_3 = x_tile_word_1.y;
  let x_tile_in_2 = x_in & (t_BV + 512 < left);
  let x_tile_word_2 = select(
      vec2<f32>(0.0f), x[select(0, (x_at + 512) >> 1u, x_tile_in_2)], x_tile_in_2);
  x_tile_4 = x_tile_word_2.x; x_tile_5 = x_tile_word_2.y;
  let x_tile_in_3 = x_in & (t_BV + 768 < left);
  let x_tile_word_3 = select(
      vec2<f32>(0.0f), x[select(0, (x_at + 768) >> 1u, x_tile_in_3)], x_tile_in_3);
  x_tile_6 = x_tile_word_3.x; x_tile_7 = x_tile_word_3.y;
  var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32; var v_4: f32; var v_5: f32; var v_6: f32;
  var v_7: f32;
  v_0 = x_tile_0 * launch.scale; v_1 = x_tile_1 * launch.scale; v_2 = x_tile_2 * launch.scale;
  v_3 = x_tile_3 * launch.scale; v_4 = x_tile_4 * launch.scale; v_5 = x_tile_5 * launch.scale;
  v_6 = x_tile_6 * launch.scale; v_7 = x_tile_7 * launch.scale;
  let t_1: bool = launch.cap > 0.0f;
  let bound: f32 = select(1.0f, launch.cap, t_1);
  var x_tile_1_1_0: f32; var x_tile_1_1_1: f32;
  x_tile_1_1_0 = select(v_0, tw_tanh(v_0 / bound) * bound, t_1);
  x_tile_1_1_1 = select(v_1, tw_tanh(v_1 / bound) * bound, t_1);
  if (x_in & (t_BV < left)) {
    x[x_at >> 1u] = vec2<f32>(x_tile_1_1_0, x_tile_1_1_1);
  }
  var x_tile_2_1_0: f32; var x_tile_2_1_1: f32;
  x_tile_2_1_0 = select(v_2, tw_tanh(v_2 / bound) * bound, t_1);
  x_tile_2_1_1 = select(v_3, tw_tanh(v_3 / bound) * bound, t_1);
  if (x_in & (t_BV + 256 < left)) {
    x[(x_at + 256) >> 1u] = vec2<f32>(x_tile_2_1_0, x_tile_2_1_1);
  }
  var x_tile_3_1_0: f32; var x_tile_3_1_1: f32;
  x_tile_3_1_0 = select(v_4, tw_tanh(v_4 / bound) * bound, t_1);
  x_tile_3_1_1 = select(v_5, tw_tanh(v_5 / bound) * bound, t_1);
  if (x_in & (t_BV + 512 < left)) {
    x[(x_at + 512) >> 1u] = vec2<f32>(x_tile_3_1_0, x_tile_3_1_1);
  }
  var x_tile_4_1_0: f32; var x_tile_4_1_1: f32;
  x_tile_4_1_0 = select(v_6, tw_tanh(v_6 / bound) * bound, t_1);
  x_tile_4_1_1 = select(v_7, tw_tanh(v_7 / bound) * bound, t_1);
  if (x_in & (t_BV + 768 < left)) {
    x[(x_at + 768) >> 1u] = vec2<f32>(x_tile_4_1_0, x_tile_4_1_1);
  }
}
