// gelu_rows for wgsl, made by tilewright
// dtypes: T=bf16
// config: BR=1 BI=1024 EXACT=false
// dims divisible: R%2 I%16
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  I: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> launch: TwLaunch;

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
fn gelu_rows(
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
  let left: i32 = launch.R - pid0;
  let t_BI: i32 = thread * 8;
  let left_1: i32 = launch.I - t;
  let x_at: i32 = pid0 * launch.I + t + t_BI;
  let x_in: bool = (0 < left) & (t_BI < left_1);
  var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
  var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
  let x_tile_word = select(vec4<u32>(0u), x[select(0, x_at >> 3u, x_in)], x_in);
  x_tile_0 = x_tile_word.x & 0xffffu; x_tile_1 = x_tile_word.x >> 16u;
  x_tile_2 = x_tile_word.y & 0xffffu; x_tile_3 = x_tile_word.y >> 16u;
  x_tile_4 = x_tile_word.z & 0xffffu; x_tile_5 = x_tile_word.z >> 16u;
  x_tile_6 = x_tile_word.w & 0xffffu; x_tile_7 = x_tile_word.w >> 16u;
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32; var y_tile_4: u32;
  var y_tile_5: u32; var y_tile_6: u32; var y_tile_7: u32;
  let v: f32 = tw_bf16_to_f32(x_tile_0);
  y_tile_0 = tw_f32_to_bf16(v * 0.5f * (tw_tanh((v + v * v * (v * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_1: f32 = tw_bf16_to_f32(x_tile_1);
  y_tile_1 = tw_f32_to_bf16(v_1 * 0.5f * (tw_tanh((v_1 + v_1 * v_1 * (v_1 * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_2: f32 = tw_bf16_to_f32(x_tile_2);
  y_tile_2 = tw_f32_to_bf16(v_2 * 0.5f * (tw_tanh((v_2 + v_2 * v_2 * (v_2 * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_3: f32 = tw_bf16_to_f32(x_tile_3);
  y_tile_3 = tw_f32_to_bf16(v_3 * 0.5f * (tw_tanh((v_3 + v_3 * v_3 * (v_3 * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_4: f32 = tw_bf16_to_f32(x_tile_4);
  y_tile_4 = tw_f32_to_bf16(v_4 * 0.5f * (tw_tanh((v_4 + v_4 * v_4 * (v_4 * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_5: f32 = tw_bf16_to_f32(x_tile_5);
  y_tile_5 = tw_f32_to_bf16(v_5 * 0.5f * (tw_tanh((v_5 + v_5 * v_5 * (v_5 * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_6: f32 = tw_bf16_to_f32(x_tile_6);
  y_tile_6 = tw_f32_to_bf16(v_6 * 0.5f * (tw_tanh((v_6 + v_6 * v_6 * (v_6 * 0.044715f)) * 0.7978846f) + 1.0f));
  let v_7: f32 = tw_bf16_to_f32(x_tile_7);
  y_tile_7 = tw_f32_to_bf16(v_7 * 0.5f * (tw_tanh((v_7 + v_7 * v_7 * (v_7 * 0.044715f)) * 0.7978846f) + 1.0f));
  if (x_in) {
    y[x_at >> 3u] = vec4<u32>(
        y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u), y_tile_4 | (y_tile_5 << 16u),
        y_tile_6 | (y_tile_7 << 16u));
  }
}
