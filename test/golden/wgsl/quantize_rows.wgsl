// quantize_rows for wgsl, made by tilewright
// dtypes: T=f32 Q=i8
// dims fixed: H=512 HG=1
// dims divisible: R%2
// 64 threads, 256 bytes of shared memory
//       0 … 256: greatest_parts f32[64]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> q: array<u32>;
@group(0) @binding(2) var<storage, read_write> scale: array<f32>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
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
fn quantize_rows(
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
  var greatest: f32 = tw_bits_f32(0xff800000u);
  greatest = tw_max(greatest, abs(x_tile_0));
  greatest = tw_max(greatest, abs(x_tile_1));
  greatest = tw_max(greatest, abs(x_tile_2));
  greatest = tw_max(greatest, abs(x_tile_3));
  greatest = tw_max(greatest, abs(x_tile_4));
  greatest = tw_max(greatest, abs(x_tile_5));
  greatest = tw_max(greatest, abs(x_tile_6));
  greatest = tw_max(greatest, abs(x_tile_7));
  greatest_parts[thread] = greatest;
  workgroupBarrier();
  if (thread < 8) {
    greatest = greatest_parts[thread];
    var other: f32;
    other = greatest_parts[thread + 8];
    greatest = tw_max(greatest, other);
    var other_1: f32;
    other_1 = greatest_parts[thread + 16];
    greatest = tw_max(greatest, other_1);
    var other_2: f32;
    other_2 = greatest_parts[thread + 24];
    greatest = tw_max(greatest, other_2);
    var other_3: f32;
    other_3 = greatest_parts[thread + 32];
    greatest = tw_max(greatest, other_3);
    var other_4: f32;
    other_4 = greatest_parts[thread + 40];
    greatest = tw_max(greatest, other_4);
    var other_5: f32;
    other_5 = greatest_parts[thread + 48];
    greatest = tw_max(greatest, other_5);
    var other_6: f32;
    other_6 = greatest_parts[thread + 56];
    greatest = tw_max(greatest, other_6);
    greatest_parts[thread] = greatest;
  }
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32;
  parts_0 = greatest_parts[0];
  parts_1 = greatest_parts[1];
  parts_2 = greatest_parts[2];
  parts_3 = greatest_parts[3];
  parts_4 = greatest_parts[4];
  parts_5 = greatest_parts[5];
  parts_6 = greatest_parts[6];
  parts_7 = greatest_parts[7];
  greatest = parts_0;
  greatest = tw_max(greatest, parts_1);
  greatest = tw_max(greatest, parts_2);
  greatest = tw_max(greatest, parts_3);
  greatest = tw_max(greatest, parts_4);
  greatest = tw_max(greatest, parts_5);
  greatest = tw_max(greatest, parts_6);
  greatest = tw_max(greatest, parts_7);
  let isEmpty: bool = greatest < 1e-35f;
  let t: f32 = select(127.0f / greatest, 0.0f, isEmpty);
  var q_tile_0: i32; var q_tile_1: i32; var q_tile_2: i32; var q_tile_3: i32;
  q_tile_0 = clamp(tw_f32_to_i32(round(x_tile_0 * t)), -128, 127);
  q_tile_1 = clamp(tw_f32_to_i32(round(x_tile_1 * t)), -128, 127);
  q_tile_2 = clamp(tw_f32_to_i32(round(x_tile_2 * t)), -128, 127);
  q_tile_3 = clamp(tw_f32_to_i32(round(x_tile_3 * t)), -128, 127);
  if (x_in) {
    q[x_at >> 2u] = (u32(q_tile_0) & 255u) | ((u32(q_tile_1) & 255u) << 8u) | ((u32(q_tile_2) & 255u) << 16u) | ((u32(q_tile_3) & 255u) << 24u);
  }
  var q_tile_1_1_0: i32; var q_tile_1_1_1: i32; var q_tile_1_1_2: i32; var q_tile_1_1_3: i32;
  q_tile_1_1_0 = clamp(tw_f32_to_i32(round(x_tile_4 * t)), -128, 127);
  q_tile_1_1_1 = clamp(tw_f32_to_i32(round(x_tile_5 * t)), -128, 127);
  q_tile_1_1_2 = clamp(tw_f32_to_i32(round(x_tile_6 * t)), -128, 127);
  q_tile_1_1_3 = clamp(tw_f32_to_i32(round(x_tile_7 * t)), -128, 127);
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
