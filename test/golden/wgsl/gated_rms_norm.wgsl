// gated_rms_norm for wgsl, made by tilewright
// dtypes: T=bf16
// dims fixed: H=1536
// dims divisible: R%2 W%8
// 128 threads, 512 bytes of shared memory
//       0 … 512: t15_parts f32[128]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  W: i32,
  column: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> gate: array<u32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t15_parts: array<f32, 128>;

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
fn gated_rms_norm(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let gate_at: i32 = pid0 * launch.W + launch.column + thread;
  let gate_in: bool = pid0 < launch.R;
  var gate_tile_0: u32; var gate_tile_1: u32; var gate_tile_2: u32; var gate_tile_3: u32;
  var gate_tile_4: u32; var gate_tile_5: u32; var gate_tile_6: u32; var gate_tile_7: u32;
  var gate_tile_8: u32; var gate_tile_9: u32; var gate_tile_10: u32; var gate_tile_11: u32;
  let position: i32 = launch.column + thread;
  let gate_tile_in = gate_in & (u32(position) < u32(launch.W));
  let gate_tile_word = select(
      0u, gate[select(0, gate_at >> 1u, gate_tile_in)], gate_tile_in) >> ((u32(gate_at) & 1u) * 16u);
  gate_tile_0 = gate_tile_word & 0xffffu;
  let gate_tile_in_1 = gate_in & (u32(position + 128) < u32(launch.W));
  let gate_tile_word_1 = select(
      0u, gate[select(0, (gate_at + 128) >> 1u, gate_tile_in_1)], gate_tile_in_1) >> ((u32(gate_at + 128) & 1u) * 16u);
  gate_tile_1 = gate_tile_word_1 & 0xffffu;
  let gate_tile_in_2 = gate_in & (u32(position + 256) < u32(launch.W));
  let gate_tile_word_2 = select(
      0u, gate[select(0, (gate_at + 256) >> 1u, gate_tile_in_2)], gate_tile_in_2) >> ((u32(gate_at + 256) & 1u) * 16u);
  gate_tile_2 = gate_tile_word_2 & 0xffffu;
  let gate_tile_in_3 = gate_in & (u32(position + 384) < u32(launch.W));
  let gate_tile_word_3 = select(
      0u, gate[select(0, (gate_at + 384) >> 1u, gate_tile_in_3)], gate_tile_in_3) >> ((u32(gate_at + 384) & 1u) * 16u);
  gate_tile_3 = gate_tile_word_3 & 0xffffu;
  let gate_tile_in_4 = gate_in & (u32(position + 512) < u32(launch.W));
  let gate_tile_word_4 = select(
      0u, gate[select(0, (gate_at + 512) >> 1u, gate_tile_in_4)], gate_tile_in_4) >> ((u32(gate_at + 512) & 1u) * 16u);
  gate_tile_4 = gate_tile_word_4 & 0xffffu;
  let gate_tile_in_5 = gate_in & (u32(position + 640) < u32(launch.W));
  let gate_tile_word_5 = select(
      0u, gate[select(0, (gate_at + 640) >> 1u, gate_tile_in_5)], gate_tile_in_5) >> ((u32(gate_at + 640) & 1u) * 16u);
  gate_tile_5 = gate_tile_word_5 & 0xffffu;
  let gate_tile_in_6 = gate_in & (u32(position + 768) < u32(launch.W));
  let gate_tile_word_6 = select(
      0u, gate[select(0, (gate_at + 768) >> 1u, gate_tile_in_6)], gate_tile_in_6) >> ((u32(gate_at + 768) & 1u) * 16u);
  gate_tile_6 = gate_tile_word_6 & 0xffffu;
  let gate_tile_in_7 = gate_in & (u32(position + 896) < u32(launch.W));
  let gate_tile_word_7 = select(
      0u, gate[select(0, (gate_at + 896) >> 1u, gate_tile_in_7)], gate_tile_in_7) >> ((u32(gate_at + 896) & 1u) * 16u);
  gate_tile_7 = gate_tile_word_7 & 0xffffu;
  let gate_tile_in_8 = gate_in & (u32(position + 1024) < u32(launch.W));
  let gate_tile_word_8 = select(
      0u, gate[select(0, (gate_at + 1024) >> 1u, gate_tile_in_8)], gate_tile_in_8) >> ((u32(gate_at + 1024) & 1u) * 16u);
  gate_tile_8 = gate_tile_word_8 & 0xffffu;
  let gate_tile_in_9 = gate_in & (u32(position + 1152) < u32(launch.W));
  let gate_tile_word_9 = select(
      0u, gate[select(0, (gate_at + 1152) >> 1u, gate_tile_in_9)], gate_tile_in_9) >> ((u32(gate_at + 1152) & 1u) * 16u);
  gate_tile_9 = gate_tile_word_9 & 0xffffu;
  let gate_tile_in_10 = gate_in & (u32(position + 1280) < u32(launch.W));
  let gate_tile_word_10 = select(
      0u, gate[select(0, (gate_at + 1280) >> 1u, gate_tile_in_10)], gate_tile_in_10) >> ((u32(gate_at + 1280) & 1u) * 16u);
  gate_tile_10 = gate_tile_word_10 & 0xffffu;
  let gate_tile_in_11 = gate_in & (u32(position + 1408) < u32(launch.W));
  let gate_tile_word_11 = select(
      0u, gate[select(0, (gate_at + 1408) >> 1u, gate_tile_in_11)], gate_tile_in_11) >> ((u32(gate_at + 1408) & 1u) * 16u);
  gate_tile_11 = gate_tile_word_11 & 0xffffu;
  var t_0: f32; var t_1: f32; var t_2: f32; var t_3: f32; var t_4: f32; var t_5: f32; var t_6: f32;
  var t_7: f32; var t_8: f32; var t_9: f32; var t_10: f32; var t_11: f32;
  t_0 = tw_bf16_to_f32(gate_tile_0); t_1 = tw_bf16_to_f32(gate_tile_1);
  t_2 = tw_bf16_to_f32(gate_tile_2); t_3 = tw_bf16_to_f32(gate_tile_3);
  t_4 = tw_bf16_to_f32(gate_tile_4); t_5 = tw_bf16_to_f32(gate_tile_5);
  t_6 = tw_bf16_to_f32(gate_tile_6); t_7 = tw_bf16_to_f32(gate_tile_7);
  t_8 = tw_bf16_to_f32(gate_tile_8); t_9 = tw_bf16_to_f32(gate_tile_9);
  t_10 = tw_bf16_to_f32(gate_tile_10); t_11 = tw_bf16_to_f32(gate_tile_11);
  let x_at: i32 = pid0 * 1536 + thread;
  var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
  var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32; var x_tile_8: u32; var x_tile_9: u32;
  var x_tile_10: u32; var x_tile_11: u32;
  let x_tile_word = select(0u, x[select(0, x_at >> 1u, gate_in)], gate_in) >> ((u32(x_at) & 1u) * 16u);
  x_tile_0 = x_tile_word & 0xffffu;
  let x_tile_word_1 = select(
      0u, x[select(0, (x_at + 128) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 128) & 1u) * 16u);
  x_tile_1 = x_tile_word_1 & 0xffffu;
  let x_tile_word_2 = select(
      0u, x[select(0, (x_at + 256) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 256) & 1u) * 16u);
  x_tile_2 = x_tile_word_2 & 0xffffu;
  let x_tile_word_3 = select(
      0u, x[select(0, (x_at + 384) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 384) & 1u) * 16u);
  x_tile_3 = x_tile_word_3 & 0xffffu;
  let x_tile_word_4 = select(
      0u, x[select(0, (x_at + 512) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 512) & 1u) * 16u);
  x_tile_4 = x_tile_word_4 & 0xffffu;
  let x_tile_word_5 = select(
      0u, x[select(0, (x_at + 640) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 640) & 1u) * 16u);
  x_tile_5 = x_tile_word_5 & 0xffffu;
  let x_tile_word_6 = select(
      0u, x[select(0, (x_at + 768) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 768) & 1u) * 16u);
  x_tile_6 = x_tile_word_6 & 0xffffu;
  let x_tile_word_7 = select(
      0u, x[select(0, (x_at + 896) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 896) & 1u) * 16u);
  x_tile_7 = x_tile_word_7 & 0xffffu;
  let x_tile_word_8 = select(
      0u, x[select(0, (x_at + 1024) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 1024) & 1u) * 16u);
  x_tile_8 = x_tile_word_8 & 0xffffu;
  let x_tile_word_9 = select(
      0u, x[select(0, (x_at + 1152) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 1152) & 1u) * 16u);
  x_tile_9 = x_tile_word_9 & 0xffffu;
  let x_tile_word_10 = select(
      0u, x[select(0, (x_at + 1280) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 1280) & 1u) * 16u);
  x_tile_10 = x_tile_word_10 & 0xffffu;
  let x_tile_word_11 = select(
      0u, x[select(0, (x_at + 1408) >> 1u, gate_in)], gate_in) >> ((u32(x_at + 1408) & 1u) * 16u);
  x_tile_11 = x_tile_word_11 & 0xffffu;
  var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32; var v_4: f32; var v_5: f32; var v_6: f32;
  var v_7: f32; var v_8: f32; var v_9: f32; var v_10: f32; var v_11: f32;
  v_0 = tw_bf16_to_f32(x_tile_0) * (t_0 / (1.0f + tw_exp(-t_0)));
  v_1 = tw_bf16_to_f32(x_tile_1) * (t_1 / (1.0f + tw_exp(-t_1)));
  v_2 = tw_bf16_to_f32(x_tile_2) * (t_2 / (1.0f + tw_exp(-t_2)));
  v_3 = tw_bf16_to_f32(x_tile_3) * (t_3 / (1.0f + tw_exp(-t_3)));
  v_4 = tw_bf16_to_f32(x_tile_4) * (t_4 / (1.0f + tw_exp(-t_4)));
  v_5 = tw_bf16_to_f32(x_tile_5) * (t_5 / (1.0f + tw_exp(-t_5)));
  v_6 = tw_bf16_to_f32(x_tile_6) * (t_6 / (1.0f + tw_exp(-t_6)));
  v_7 = tw_bf16_to_f32(x_tile_7) * (t_7 / (1.0f + tw_exp(-t_7)));
  v_8 = tw_bf16_to_f32(x_tile_8) * (t_8 / (1.0f + tw_exp(-t_8)));
  v_9 = tw_bf16_to_f32(x_tile_9) * (t_9 / (1.0f + tw_exp(-t_9)));
  v_10 = tw_bf16_to_f32(x_tile_10) * (t_10 / (1.0f + tw_exp(-t_10)));
  v_11 = tw_bf16_to_f32(x_tile_11) * (t_11 / (1.0f + tw_exp(-t_11)));
  var sum: f32 = 0.0f;
  sum = sum + v_0 * v_0;
  sum = sum + v_1 * v_1;
  sum = sum + v_2 * v_2;
  sum = sum + v_3 * v_3;
  sum = sum + v_4 * v_4;
  sum = sum + v_5 * v_5;
  sum = sum + v_6 * v_6;
  sum = sum + v_7 * v_7;
  sum = sum + v_8 * v_8;
  sum = sum + v_9 * v_9;
  sum = sum + v_10 * v_10;
  sum = sum + v_11 * v_11;
  t15_parts[thread] = sum;
  workgroupBarrier();
  if (thread < 8) {
    sum = t15_parts[thread];
    for (var r: i32 = 1; r < 16; r++) {
      var other: f32;
      other = t15_parts[thread + r * 8];
      sum = sum + other;
    }
    t15_parts[thread] = sum;
  }
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32;
  parts_0 = t15_parts[0];
  parts_1 = t15_parts[1];
  parts_2 = t15_parts[2];
  parts_3 = t15_parts[3];
  parts_4 = t15_parts[4];
  parts_5 = t15_parts[5];
  parts_6 = t15_parts[6];
  parts_7 = t15_parts[7];
  sum = parts_0;
  sum = sum + parts_1;
  sum = sum + parts_2;
  sum = sum + parts_3;
  sum = sum + parts_4;
  sum = sum + parts_5;
  sum = sum + parts_6;
  sum = sum + parts_7;
  let scale: f32 = inverseSqrt(sum / 1536.0f + launch.eps);
  var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
  var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32; var w_tile_8: u32; var w_tile_9: u32;
  var w_tile_10: u32; var w_tile_11: u32;
  let w_tile_word = w[thread >> 1u] >> ((u32(thread) & 1u) * 16u);
  w_tile_0 = w_tile_word & 0xffffu;
  let w_tile_word_1 = w[(thread + 128) >> 1u] >> ((u32(thread + 128) & 1u) * 16u);
  w_tile_1 = w_tile_word_1 & 0xffffu;
  let w_tile_word_2 = w[(thread + 256) >> 1u] >> ((u32(thread + 256) & 1u) * 16u);
  w_tile_2 = w_tile_word_2 & 0xffffu;
  let w_tile_word_3 = w[(thread + 384) >> 1u] >> ((u32(thread + 384) & 1u) * 16u);
  w_tile_3 = w_tile_word_3 & 0xffffu;
  let w_tile_word_4 = w[(thread + 512) >> 1u] >> ((u32(thread + 512) & 1u) * 16u);
  w_tile_4 = w_tile_word_4 & 0xffffu;
  let w_tile_word_5 = w[(thread + 640) >> 1u] >> ((u32(thread + 640) & 1u) * 16u);
  w_tile_5 = w_tile_word_5 & 0xffffu;
  let w_tile_word_6 = w[(thread + 768) >> 1u] >> ((u32(thread + 768) & 1u) * 16u);
  w_tile_6 = w_tile_word_6 & 0xffffu;
  let w_tile_word_7 = w[(thread + 896) >> 1u] >> ((u32(thread + 896) & 1u) * 16u);
  w_tile_7 = w_tile_word_7 & 0xffffu;
  let w_tile_word_8 = w[(thread + 1024) >> 1u] >> ((u32(thread + 1024) & 1u) * 16u);
  w_tile_8 = w_tile_word_8 & 0xffffu;
  let w_tile_word_9 = w[(thread + 1152) >> 1u] >> ((u32(thread + 1152) & 1u) * 16u);
  w_tile_9 = w_tile_word_9 & 0xffffu;
  let w_tile_word_10 = w[(thread + 1280) >> 1u] >> ((u32(thread + 1280) & 1u) * 16u);
  w_tile_10 = w_tile_word_10 & 0xffffu;
  let w_tile_word_11 = w[(thread + 1408) >> 1u] >> ((u32(thread + 1408) & 1u) * 16u);
  w_tile_11 = w_tile_word_11 & 0xffffu;
  let y_tile: u32 = tw_f32_to_bf16(v_0 * scale * tw_bf16_to_f32(w_tile_0));
  if (gate_in) {
    let shift = (u32(x_at) & 1u) * 16u;
    atomicAnd(&y[x_at >> 1u], ~(0xffffu << shift));
    atomicOr(&y[x_at >> 1u], y_tile << shift);
  }
  let y_tile_1: u32 = tw_f32_to_bf16(v_1 * scale * tw_bf16_to_f32(w_tile_1));
  if (gate_in) {
    let shift = (u32(x_at + 128) & 1u) * 16u;
    atomicAnd(&y[(x_at + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 128) >> 1u], y_tile_1 << shift);
  }
  let y_tile_2: u32 = tw_f32_to_bf16(v_2 * scale * tw_bf16_to_f32(w_tile_2));
  if (gate_in) {
    let shift = (u32(x_at + 256) & 1u) * 16u;
    atomicAnd(&y[(x_at + 256) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 256) >> 1u], y_tile_2 << shift);
  }
  let y_tile_3: u32 = tw_f32_to_bf16(v_3 * scale * tw_bf16_to_f32(w_tile_3));
  if (gate_in) {
    let shift = (u32(x_at + 384) & 1u) * 16u;
    atomicAnd(&y[(x_at + 384) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 384) >> 1u], y_tile_3 << shift);
  }
  let y_tile_4: u32 = tw_f32_to_bf16(v_4 * scale * tw_bf16_to_f32(w_tile_4));
  if (gate_in) {
    let shift = (u32(x_at + 512) & 1u) * 16u;
    atomicAnd(&y[(x_at + 512) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 512) >> 1u], y_tile_4 << shift);
  }
  let y_tile_5: u32 = tw_f32_to_bf16(v_5 * scale * tw_bf16_to_f32(w_tile_5));
  if (gate_in) {
    let shift = (u32(x_at + 640) & 1u) * 16u;
    atomicAnd(&y[(x_at + 640) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 640) >> 1u], y_tile_5 << shift);
  }
  let y_tile_6: u32 = tw_f32_to_bf16(v_6 * scale * tw_bf16_to_f32(w_tile_6));
  if (gate_in) {
    let shift = (u32(x_at + 768) & 1u) * 16u;
    atomicAnd(&y[(x_at + 768) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 768) >> 1u], y_tile_6 << shift);
  }
  let y_tile_7: u32 = tw_f32_to_bf16(v_7 * scale * tw_bf16_to_f32(w_tile_7));
  if (gate_in) {
    let shift = (u32(x_at + 896) & 1u) * 16u;
    atomicAnd(&y[(x_at + 896) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 896) >> 1u], y_tile_7 << shift);
  }
  let y_tile_8: u32 = tw_f32_to_bf16(v_8 * scale * tw_bf16_to_f32(w_tile_8));
  if (gate_in) {
    let shift = (u32(x_at + 1024) & 1u) * 16u;
    atomicAnd(&y[(x_at + 1024) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 1024) >> 1u], y_tile_8 << shift);
  }
  let y_tile_9: u32 = tw_f32_to_bf16(v_9 * scale * tw_bf16_to_f32(w_tile_9));
  if (gate_in) {
    let shift = (u32(x_at + 1152) & 1u) * 16u;
    atomicAnd(&y[(x_at + 1152) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 1152) >> 1u], y_tile_9 << shift);
  }
  let y_tile_10: u32 = tw_f32_to_bf16(v_10 * scale * tw_bf16_to_f32(w_tile_10));
  if (gate_in) {
    let shift = (u32(x_at + 1280) & 1u) * 16u;
    atomicAnd(&y[(x_at + 1280) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 1280) >> 1u], y_tile_10 << shift);
  }
  let y_tile_11: u32 = tw_f32_to_bf16(v_11 * scale * tw_bf16_to_f32(w_tile_11));
  if (gate_in) {
    let shift = (u32(x_at + 1408) & 1u) * 16u;
    atomicAnd(&y[(x_at + 1408) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(x_at + 1408) >> 1u], y_tile_11 << shift);
  }
}
