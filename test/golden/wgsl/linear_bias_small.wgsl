// linear_bias_small for wgsl, made by tilewright
// dtypes: T=bf16 O=bf16
// config: BM=2 BN=16 BK=32 KL=8 KV=4 stages=1
// dims divisible: M%2 K%16 N%16
// 128 threads, 1024 bytes of shared memory
//       0 … 1024: t25_parts f32[256]

struct TwLaunch {
  programs: vec4<u32>,
  M: i32,
  K: i32,
  N: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> bias: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t25_parts: array<f32, 256>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(128)
fn linear_bias_small(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let t: i32 = pid1 * 2;
  let t_1: i32 = pid0 * 16;
  var acc_0: f32; var acc_1: f32;
  acc_0 = 0.0f; acc_1 = 0.0f;
  let t_BK: i32 = (thread & 7) * 4;
  let x_at: i32 = t * launch.K + t_BK;
  let left: i32 = launch.M - t;
  let t_BN: i32 = thread >> 3u;
  let left_1: i32 = launch.N - t_1;
  let w_at: i32 = t_BN * launch.K + t_BK;
  let w_at_1: i32 = t_1 * launch.K + w_at;
  let w_in: bool = t_BN < left_1;
  for (var k: i32 = 0; k < launch.K; k += 32) {
    let left_2: i32 = launch.K - k;
    let x_at_1: i32 = x_at + k;
    let x_in: bool = t_BK < left_2;
    var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
    var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
    let x_tile_in = x_in & (0 < left);
    let x_tile_word = select(vec2<u32>(0u), x[select(0, x_at_1 >> 2u, x_tile_in)], x_tile_in);
    x_tile_0 = x_tile_word.x & 0xffffu; x_tile_1 = x_tile_word.x >> 16u;
    x_tile_2 = x_tile_word.y & 0xffffu; x_tile_3 = x_tile_word.y >> 16u;
    let x_tile_in_1 = x_in & (1 < left);
    let x_tile_word_1 = select(
        vec2<u32>(0u), x[select(0, (x_at_1 + launch.K) >> 2u, x_tile_in_1)], x_tile_in_1);
    x_tile_4 = x_tile_word_1.x & 0xffffu; x_tile_5 = x_tile_word_1.x >> 16u;
    x_tile_6 = x_tile_word_1.y & 0xffffu; x_tile_7 = x_tile_word_1.y >> 16u;
    let w_at_2: i32 = w_at_1 + k;
    let w_in_1: bool = w_in & (t_BK < left_2);
    var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32;
    let w_tile_word = select(vec2<u32>(0u), w[select(0, w_at_2 >> 2u, w_in_1)], w_in_1);
    w_tile_0 = w_tile_word.x & 0xffffu; w_tile_1 = w_tile_word.x >> 16u;
    w_tile_2 = w_tile_word.y & 0xffffu; w_tile_3 = w_tile_word.y >> 16u;
    var b_0: f32; var b_1: f32; var b_2: f32; var b_3: f32;
    b_0 = tw_bf16_to_f32(w_tile_0); b_1 = tw_bf16_to_f32(w_tile_1); b_2 = tw_bf16_to_f32(w_tile_2);
    b_3 = tw_bf16_to_f32(w_tile_3);
    var sum: f32 = 0.0f;
    sum = sum + tw_bf16_to_f32(x_tile_0) * b_0;
    sum = sum + tw_bf16_to_f32(x_tile_1) * b_1;
    sum = sum + tw_bf16_to_f32(x_tile_2) * b_2;
    sum = sum + tw_bf16_to_f32(x_tile_3) * b_3;
    acc_0 = acc_0 + sum;
    var sum_1: f32 = 0.0f;
    sum_1 = sum_1 + tw_bf16_to_f32(x_tile_4) * b_0;
    sum_1 = sum_1 + tw_bf16_to_f32(x_tile_5) * b_1;
    sum_1 = sum_1 + tw_bf16_to_f32(x_tile_6) * b_2;
    sum_1 = sum_1 + tw_bf16_to_f32(x_tile_7) * b_3;
    acc_1 = acc_1 + sum_1;
  }
  var sum_2_0: f32; var sum_2_1: f32;
  sum_2_0 = acc_0; sum_2_1 = acc_1;
  let part: i32 = thread & 7;
  let part_at: i32 = part * 32 + t_BN;
  t25_parts[part_at] = sum_2_0;
  t25_parts[part_at + 16] = sum_2_1;
  workgroupBarrier();
  sum_2_0 = t25_parts[t_BN];
  var other: f32;
  other = t25_parts[t_BN + 32];
  sum_2_0 = sum_2_0 + other;
  var other_1: f32;
  other_1 = t25_parts[t_BN + 64];
  sum_2_0 = sum_2_0 + other_1;
  var other_2: f32;
  other_2 = t25_parts[t_BN + 96];
  sum_2_0 = sum_2_0 + other_2;
  var other_3: f32;
  other_3 = t25_parts[t_BN + 128];
  sum_2_0 = sum_2_0 + other_3;
  var other_4: f32;
  other_4 = t25_parts[t_BN + 160];
  sum_2_0 = sum_2_0 + other_4;
  var other_5: f32;
  other_5 = t25_parts[t_BN + 192];
  sum_2_0 = sum_2_0 + other_5;
  var other_6: f32;
  other_6 = t25_parts[t_BN + 224];
  sum_2_0 = sum_2_0 + other_6;
  sum_2_1 = t25_parts[t_BN + 16];
  var other_7: f32;
  other_7 = t25_parts[t_BN + 48];
  sum_2_1 = sum_2_1 + other_7;
  var other_8: f32;
  other_8 = t25_parts[t_BN + 80];
  sum_2_1 = sum_2_1 + other_8;
  var other_9: f32;
  other_9 = t25_parts[t_BN + 112];
  sum_2_1 = sum_2_1 + other_9;
  var other_10: f32;
  other_10 = t25_parts[t_BN + 144];
  sum_2_1 = sum_2_1 + other_10;
  var other_11: f32;
  other_11 = t25_parts[t_BN + 176];
  sum_2_1 = sum_2_1 + other_11;
  var other_12: f32;
  other_12 = t25_parts[t_BN + 208];
  sum_2_1 = sum_2_1 + other_12;
  var other_13: f32;
  other_13 = t25_parts[t_BN + 240];
  sum_2_1 = sum_2_1 + other_13;
  let bias_at: i32 = t_1 + t_BN;
  var bias_tile: u32;
  let bias_tile_word = select(0u, bias[select(0, bias_at >> 1u, w_in)], w_in) >> ((u32(bias_at) & 1u) * 16u);
  bias_tile = bias_tile_word & 0xffffu;
  let t_2: f32 = tw_bf16_to_f32(bias_tile);
  let y_at: i32 = t * launch.N + t_1 + t_BN;
  let is_first: bool = (thread & 7) == 0;
  if (is_first) {
    let y_tile: u32 = tw_f32_to_bf16(sum_2_0 + t_2);
    if (w_in & (0 < left)) {
      let shift = (u32(y_at) & 1u) * 16u;
      atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
      atomicOr(&y[y_at >> 1u], y_tile << shift);
    }
    let y_tile_1: u32 = tw_f32_to_bf16(sum_2_1 + t_2);
    if (w_in & (1 < left)) {
      let y_tile_1_at = y_at + launch.N;
      let shift = (u32(y_tile_1_at) & 1u) * 16u;
      atomicAnd(&y[y_tile_1_at >> 1u], ~(0xffffu << shift));
      atomicOr(&y[y_tile_1_at >> 1u], y_tile_1 << shift);
    }
  }
}
