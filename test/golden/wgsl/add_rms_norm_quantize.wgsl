// add_rms_norm_quantize for wgsl, made by tilewright
// dtypes: T=f32 Q=i8
// dims fixed: H=512 HG=1
// dims divisible: R%2
// 64 threads, 512 bytes of shared memory
//       0 … 256: t7_parts f32[64]
//     256 … 512: greatest_parts f32[64]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> q: array<u32>;
@group(0) @binding(4) var<storage, read_write> scale: array<f32>;
@group(0) @binding(5) var<uniform> launch: TwLaunch;
var<workgroup> t7_parts: array<f32, 64>;
var<workgroup> greatest_parts: array<f32, 64>;

// A call is no constant expression, so that NaN and infinity pass.
fn tw_bits_f32(bits: u32) -> f32 { return bitcast<f32>(bits); }

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// Truncates, saturates; NaN gives 0.
fn tw_f32_to_i32(x: f32) -> i32 {
  if (tw_isnan(x)) { return 0; }
  if (x >= 2147483648.0f) { return 2147483647; }
  if (x <= -2147483648.0f) { return -2147483647 - 1; }
  return i32(x);
}

fn tw_max(a: f32, b: f32) -> f32 { return select(select(max(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

@compute @workgroup_size(64)
fn add_rms_norm_quantize(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t_H: i32 = thread * 4;
  let x_at: i32 = pid0 * 512 + t_H;
  let x_in: bool = pid0 < launch.R;
  var x_tile_0: f32; var x_tile_1: f32; var x_tile_2: f32; var x_tile_3: f32; var x_tile_4: f32;
  var x_tile_5: f32; var x_tile_6: f32; var x_tile_7: f32;
  let x_tile_word = select(vec4<f32>(0.0f), x[select(0, x_at >> 2u, x_in)], x_in);
  x_tile_0 = x_tile_word.x; x_tile_1 = x_tile_word.y; x_tile_2 = x_tile_word.z;
  x_tile_3 = x_tile_word.w;
  let x_tile_word_1 = select(vec4<f32>(0.0f), x[select(0, (x_at + 256) >> 2u, x_in)], x_in);
  x_tile_4 = x_tile_word_1.x; x_tile_5 = x_tile_word_1.y; x_tile_6 = x_tile_word_1.z;
  x_tile_7 = x_tile_word_1.w;
  var residual_tile_0: f32; var residual_tile_1: f32; var residual_tile_2: f32;
  var residual_tile_3: f32; var residual_tile_4: f32; var residual_tile_5: f32;
  var residual_tile_6: f32; var residual_tile_7: f32;
  let residual_tile_word = select(vec4<f32>(0.0f), residual[select(0, x_at >> 2u, x_in)], x_in);
  residual_tile_0 = residual_tile_word.x; residual_tile_1 = residual_tile_word.y;
  residual_tile_2 = residual_tile_word.z; residual_tile_3 = residual_tile_word.w;
  let residual_tile_word_1 = select(
      vec4<f32>(0.0f), residual[select(0, (x_at + 256) >> 2u, x_in)], x_in);
  residual_tile_4 = residual_tile_word_1.x; residual_tile_5 = residual_tile_word_1.y;
  residual_tile_6 = residual_tile_word_1.z; residual_tile_7 = residual_tile_word_1.w;
  var added_0: f32; var added_1: f32; var added_2: f32; var added_3: f32; var added_4: f32;
  var added_5: f32; var added_6: f32; var added_7: f32;
  added_0 = x_tile_0 + residual_tile_0; added_1 = x_tile_1 + residual_tile_1;
  added_2 = x_tile_2 + residual_tile_2; added_3 = x_tile_3 + residual_tile_3;
  added_4 = x_tile_4 + residual_tile_4; added_5 = x_tile_5 + residual_tile_5;
  added_6 = x_tile_6 + residual_tile_6; added_7 = x_tile_7 + residual_tile_7;
  if (x_in) {
    residual[x_at >> 2u] = vec4<f32>(added_0, added_1, added_2, added_3);
  }
  if (x_in) {
    residual[(x_at + 256) >> 2u] = vec4<f32>(added_4, added_5, added_6, added_7);
  }
  var sum: f32 = 0.0f;
  sum = sum + added_0 * added_0;
  sum = sum + added_1 * added_1;
  sum = sum + added_2 * added_2;
  sum = sum + added_3 * added_3;
  sum = sum + added_4 * added_4;
  sum = sum + added_5 * added_5;
  sum = sum + added_6 * added_6;
  sum = sum + added_7 * added_7;
  t7_parts[thread] = sum;
  storageBarrier();
  workgroupBarrier();
  if (thread < 8) {
    sum = t7_parts[thread];
    var other: f32;
    other = t7_parts[thread + 8];
    sum = sum + other;
    var other_1: f32;
    other_1 = t7_parts[thread + 16];
    sum = sum + other_1;
    var other_2: f32;
    other_2 = t7_parts[thread + 24];
    sum = sum + other_2;
    var other_3: f32;
    other_3 = t7_parts[thread + 32];
    sum = sum + other_3;
    var other_4: f32;
    other_4 = t7_parts[thread + 40];
    sum = sum + other_4;
    var other_5: f32;
    other_5 = t7_parts[thread + 48];
    sum = sum + other_5;
    var other_6: f32;
    other_6 = t7_parts[thread + 56];
    sum = sum + other_6;
    t7_parts[thread] = sum;
  }
  storageBarrier();
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32;
  parts_0 = t7_parts[0];
  parts_1 = t7_parts[1];
  parts_2 = t7_parts[2];
  parts_3 = t7_parts[3];
  parts_4 = t7_parts[4];
  parts_5 = t7_parts[5];
  parts_6 = t7_parts[6];
  parts_7 = t7_parts[7];
  sum = parts_0;
  sum = sum + parts_1;
  sum = sum + parts_2;
  sum = sum + parts_3;
  sum = sum + parts_4;
  sum = sum + parts_5;
  sum = sum + parts_6;
  sum = sum + parts_7;
  let t: f32 = inverseSqrt(sum / 512.0f + launch.eps);
  var w_tile_0: f32; var w_tile_1: f32; var w_tile_2: f32; var w_tile_3: f32; var w_tile_4: f32;
  var w_tile_5: f32; var w_tile_6: f32; var w_tile_7: f32;
  let w_tile_word = w[t_H >> 2u];
  w_tile_0 = w_tile_word.x; w_tile_1 = w_tile_word.y; w_tile_2 = w_tile_word.z;
  w_tile_3 = w_tile_word.w;
  let w_tile_word_1 = w[(t_H + 256) >> 2u];
  w_tile_4 = w_tile_word_1.x; w_tile_5 = w_tile_word_1.y; w_tile_6 = w_tile_word_1.z;
  w_tile_7 = w_tile_word_1.w;
  var normal_0: f32; var normal_1: f32; var normal_2: f32; var normal_3: f32; var normal_4: f32;
  var normal_5: f32; var normal_6: f32; var normal_7: f32;
  normal_0 = added_0 * t * w_tile_0; normal_1 = added_1 * t * w_tile_1;
  normal_2 = added_2 * t * w_tile_2; normal_3 = added_3 * t * w_tile_3;
  normal_4 = added_4 * t * w_tile_4; normal_5 = added_5 * t * w_tile_5;
  normal_6 = added_6 * t * w_tile_6; normal_7 = added_7 * t * w_tile_7;
  var greatest: f32 = tw_bits_f32(0xff800000u);
  greatest = tw_max(greatest, abs(normal_0));
  greatest = tw_max(greatest, abs(normal_1));
  greatest = tw_max(greatest, abs(normal_2));
  greatest = tw_max(greatest, abs(normal_3));
  greatest = tw_max(greatest, abs(normal_4));
  greatest = tw_max(greatest, abs(normal_5));
  greatest = tw_max(greatest, abs(normal_6));
  greatest = tw_max(greatest, abs(normal_7));
  greatest_parts[thread] = greatest;
  storageBarrier();
  workgroupBarrier();
  if (thread < 8) {
    greatest = greatest_parts[thread];
    var other_7: f32;
    other_7 = greatest_parts[thread + 8];
    greatest = tw_max(greatest, other_7);
    var other_8: f32;
    other_8 = greatest_parts[thread + 16];
    greatest = tw_max(greatest, other_8);
    var other_9: f32;
    other_9 = greatest_parts[thread + 24];
    greatest = tw_max(greatest, other_9);
    var other_10: f32;
    other_10 = greatest_parts[thread + 32];
    greatest = tw_max(greatest, other_10);
    var other_11: f32;
    other_11 = greatest_parts[thread + 40];
    greatest = tw_max(greatest, other_11);
    var other_12: f32;
    other_12 = greatest_parts[thread + 48];
    greatest = tw_max(greatest, other_12);
    var other_13: f32;
    other_13 = greatest_parts[thread + 56];
    greatest = tw_max(greatest, other_13);
    greatest_parts[thread] = greatest;
  }
  storageBarrier();
  workgroupBarrier();
  var parts_1_1_0: f32; var parts_1_1_1: f32; var parts_1_1_2: f32; var parts_1_1_3: f32;
  var parts_1_1_4: f32; var parts_1_1_5: f32; var parts_1_1_6: f32; var parts_1_1_7: f32;
  parts_1_1_0 = greatest_parts[0];
  parts_1_1_1 = greatest_parts[1];
  parts_1_1_2 = greatest_parts[2];
  parts_1_1_3 = greatest_parts[3];
  parts_1_1_4 = greatest_parts[4];
  parts_1_1_5 = greatest_parts[5];
  parts_1_1_6 = greatest_parts[6];
  parts_1_1_7 = greatest_parts[7];
  greatest = parts_1_1_0;
  greatest = tw_max(greatest, parts_1_1_1);
  greatest = tw_max(greatest, parts_1_1_2);
  greatest = tw_max(greatest, parts_1_1_3);
  greatest = tw_max(greatest, parts_1_1_4);
  greatest = tw_max(greatest, parts_1_1_5);
  greatest = tw_max(greatest, parts_1_1_6);
  greatest = tw_max(greatest, parts_1_1_7);
  let isEmpty: bool = greatest < 1e-35f;
  let t_1: f32 = select(127.0f / greatest, 0.0f, isEmpty);
  var q_tile_0: i32; var q_tile_1: i32; var q_tile_2: i32; var q_tile_3: i32;
  q_tile_0 = clamp(tw_f32_to_i32(round(normal_0 * t_1)), -128, 127);
  q_tile_1 = clamp(tw_f32_to_i32(round(normal_1 * t_1)), -128, 127);
  q_tile_2 = clamp(tw_f32_to_i32(round(normal_2 * t_1)), -128, 127);
  q_tile_3 = clamp(tw_f32_to_i32(round(normal_3 * t_1)), -128, 127);
  if (x_in) {
    q[x_at >> 2u] = (u32(q_tile_0) & 255u) | ((u32(q_tile_1) & 255u) << 8u) | ((u32(q_tile_2) & 255u) << 16u) | ((u32(q_tile_3) & 255u) << 24u);
  }
  var q_tile_1_1_0: i32; var q_tile_1_1_1: i32; var q_tile_1_1_2: i32; var q_tile_1_1_3: i32;
  q_tile_1_1_0 = clamp(tw_f32_to_i32(round(normal_4 * t_1)), -128, 127);
  q_tile_1_1_1 = clamp(tw_f32_to_i32(round(normal_5 * t_1)), -128, 127);
  q_tile_1_1_2 = clamp(tw_f32_to_i32(round(normal_6 * t_1)), -128, 127);
  q_tile_1_1_3 = clamp(tw_f32_to_i32(round(normal_7 * t_1)), -128, 127);
  if (x_in) {
    q[(x_at + 256) >> 2u] = (u32(q_tile_1_1_0) & 255u) | ((u32(q_tile_1_1_1) & 255u) << 8u) | ((u32(q_tile_1_1_2) & 255u) << 16u) | ((u32(q_tile_1_1_3) & 255u) << 24u);
  }
  let is_first: bool = thread == 0;
  if (is_first) {
    let scale_1: f32 = select(greatest / 127.0f, 1.0f, isEmpty);
    if (x_in) {
      scale[pid0] = scale_1;
    }
  }
}
