// moe_combine for wgsl, made by tilewright
// dtypes: T=bf16
// config: BR=1 BH=1024
// dims fixed: K=8 NS=1 NG=1
// dims divisible: H%8
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  H: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read> shared_1: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> gates: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> launch: TwLaunch;

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// 2 to the k, -126 … 127.
fn tw_power_of_two(k: i32) -> f32 { return bitcast<f32>(u32(k + 127) << 23u); }

// x times 2 to the k, -252 … 254, with at most one rounding.
fn tw_scale(x: f32, k: i32) -> f32 {
  let half = k >> 1u;
  return x * tw_power_of_two(half) * tw_power_of_two(k - half);
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

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

@compute @workgroup_size(128)
fn moe_combine(
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
  var total_0: f32; var total_1: f32; var total_2: f32; var total_3: f32; var total_4: f32;
  var total_5: f32; var total_6: f32; var total_7: f32;
  total_0 = 0.0f; total_1 = 0.0f; total_2 = 0.0f; total_3 = 0.0f; total_4 = 0.0f; total_5 = 0.0f;
  total_6 = 0.0f; total_7 = 0.0f;
  let left: i32 = launch.R - pid0;
  let weights_at: i32 = pid0 * 8;
  let weights_in: bool = 0 < left;
  let stride: i32 = launch.H * 8;
  let t_BH: i32 = thread * 8;
  let left_1: i32 = launch.H - t;
  let x_at: i32 = pid0 * stride + t + t_BH;
  let x_in: bool = (0 < left) & (t_BH < left_1);
  for (var k: i32 = 0; k < 8; k++) {
    let weights_at_1: i32 = weights_at + k;
    var weights_tile: f32;
    weights_tile = select(0.0f, weights[select(0, weights_at_1, weights_in)], weights_in);
    let x_at_1: i32 = x_at + k * launch.H;
    var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
    var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
    let x_tile_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 3u, x_in)], x_in);
    x_tile_0 = x_tile_word.x & 0xffffu; x_tile_1 = x_tile_word.x >> 16u;
    x_tile_2 = x_tile_word.y & 0xffffu; x_tile_3 = x_tile_word.y >> 16u;
    x_tile_4 = x_tile_word.z & 0xffffu; x_tile_5 = x_tile_word.z >> 16u;
    x_tile_6 = x_tile_word.w & 0xffffu; x_tile_7 = x_tile_word.w >> 16u;
    total_0 = total_0 + weights_tile * tw_bf16_to_f32(x_tile_0);
    total_1 = total_1 + weights_tile * tw_bf16_to_f32(x_tile_1);
    total_2 = total_2 + weights_tile * tw_bf16_to_f32(x_tile_2);
    total_3 = total_3 + weights_tile * tw_bf16_to_f32(x_tile_3);
    total_4 = total_4 + weights_tile * tw_bf16_to_f32(x_tile_4);
    total_5 = total_5 + weights_tile * tw_bf16_to_f32(x_tile_5);
    total_6 = total_6 + weights_tile * tw_bf16_to_f32(x_tile_6);
    total_7 = total_7 + weights_tile * tw_bf16_to_f32(x_tile_7);
  }
  let shared_at: i32 = pid0 * launch.H + t + t_BH;
  let shared_at_1: i32 = shared_at;
  var shared_tile_0: u32; var shared_tile_1: u32; var shared_tile_2: u32; var shared_tile_3: u32;
  var shared_tile_4: u32; var shared_tile_5: u32; var shared_tile_6: u32; var shared_tile_7: u32;
  let shared_tile_word = select(vec4<u32>(0u), shared_1[select(0, shared_at_1 >> 3u, x_in)], x_in);
  shared_tile_0 = shared_tile_word.x & 0xffffu; shared_tile_1 = shared_tile_word.x >> 16u;
  shared_tile_2 = shared_tile_word.y & 0xffffu; shared_tile_3 = shared_tile_word.y >> 16u;
  shared_tile_4 = shared_tile_word.z & 0xffffu; shared_tile_5 = shared_tile_word.z >> 16u;
  shared_tile_6 = shared_tile_word.w & 0xffffu; shared_tile_7 = shared_tile_word.w >> 16u;
  let gates_at: i32 = pid0;
  var gates_tile: f32;
  gates_tile = select(0.0f, gates[select(0, gates_at, weights_in)], weights_in);
  let t_1: f32 = 1.0f / (1.0f + tw_exp(-gates_tile));
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32; var y_tile_4: u32;
  var y_tile_5: u32; var y_tile_6: u32; var y_tile_7: u32;
  total_0 = total_0 + t_1 * tw_bf16_to_f32(shared_tile_0);
  y_tile_0 = tw_f32_to_bf16(total_0);
  total_1 = total_1 + t_1 * tw_bf16_to_f32(shared_tile_1);
  y_tile_1 = tw_f32_to_bf16(total_1);
  total_2 = total_2 + t_1 * tw_bf16_to_f32(shared_tile_2);
  y_tile_2 = tw_f32_to_bf16(total_2);
  total_3 = total_3 + t_1 * tw_bf16_to_f32(shared_tile_3);
  y_tile_3 = tw_f32_to_bf16(total_3);
  total_4 = total_4 + t_1 * tw_bf16_to_f32(shared_tile_4);
  y_tile_4 = tw_f32_to_bf16(total_4);
  total_5 = total_5 + t_1 * tw_bf16_to_f32(shared_tile_5);
  y_tile_5 = tw_f32_to_bf16(total_5);
  total_6 = total_6 + t_1 * tw_bf16_to_f32(shared_tile_6);
  y_tile_6 = tw_f32_to_bf16(total_6);
  total_7 = total_7 + t_1 * tw_bf16_to_f32(shared_tile_7);
  y_tile_7 = tw_f32_to_bf16(total_7);
  if (x_in) {
    y[shared_at >> 3u] = vec4<u32>(
        y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u), y_tile_4 | (y_tile_5 << 16u),
        y_tile_6 | (y_tile_7 << 16u));
  }
}
