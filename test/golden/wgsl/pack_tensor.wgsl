// pack_tensor for wgsl, made by tilewright
// dtypes: T=bf16
// config: BR=16 BC=64 E0=2 DR0=0 DC0=1 E1=8 DR1=0 DC1=8 E2=2 DR2=8 DC2=0 E3=4 DR3=0 DC3=2 E4=8 DR4=1 DC4=0 E5=1 DR5=0 DC5=0 E6=1 DR6=0 DC6=0 E7=1 DR7=0 DC7=0 E8=1 DR8=0 DC8=0 E9=1 DR9=0 DC9=0 E10=1 DR10=0 DC10=0 E11=1 DR11=0 DC11=0 B=1024
// dims divisible: P%16
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  H: i32,
  R: i32,
  C: i32,
  P: i32,
  pad: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> launch: TwLaunch;

fn tw_floordiv_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let quotient = a / b;
  let rest = a - quotient * b;
  return quotient - select(0, 1, rest != 0 && (rest ^ b) < 0);
}

fn tw_floormod_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let rest = a % b;
  return select(rest, rest + b, rest != 0 && (rest ^ b) < 0);
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

@compute @workgroup_size(128)
fn pack_tensor(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 1024;
  var place_0: i32; var place_1: i32; var place_2: i32; var place_3: i32; var place_4: i32;
  var place_5: i32; var place_6: i32; var place_7: i32;
  place_0 = t + thread; place_1 = t + thread + 128; place_2 = t + thread + 256;
  place_3 = t + thread + 384; place_4 = t + thread + 512; place_5 = t + thread + 640;
  place_6 = t + thread + 768; place_7 = t + thread + 896;
  let across: i32 = (launch.C + 63) >> 6u;
  let down: i32 = (launch.R + 15) >> 4u;
  var block_0: i32; var block_1: i32; var block_2: i32; var block_3: i32; var block_4: i32;
  var block_5: i32; var block_6: i32; var block_7: i32;
  var column_0: i32; var column_1: i32; var column_2: i32; var column_3: i32; var column_4: i32;
  var column_5: i32; var column_6: i32; var column_7: i32;
  var row_0: i32; var row_1: i32; var row_2: i32; var row_3: i32; var row_4: i32; var row_5: i32;
  var row_6: i32; var row_7: i32;
  var inside_0: bool; var inside_1: bool; var inside_2: bool; var inside_3: bool;
  var inside_4: bool; var inside_5: bool; var inside_6: bool; var inside_7: bool;
  block_0 = place_0 >> 10u;
  let rest: i32 = place_0 & 1023;
  let rest_1: i32 = rest >> 1u;
  let rest_2: i32 = rest_1 >> 3u;
  let rest_3: i32 = rest_2 >> 1u;
  column_0 = tw_floormod_i32(block_0, across) * 64 + (rest & 1) + (rest_1 & 7) * 8 + (rest_3 & 3) * 2;
  row_0 = tw_floormod_i32(tw_floordiv_i32(block_0, across), down) * 16 + (rest_2 & 1) * 8 + (rest_3 >> 2u);
  inside_0 = ((place_0 < launch.P) & (row_0 < launch.R)) & (column_0 < launch.C);
  block_1 = place_1 >> 10u;
  let rest_4: i32 = place_1 & 1023;
  let rest_5: i32 = rest_4 >> 1u;
  let rest_6: i32 = rest_5 >> 3u;
  let rest_7: i32 = rest_6 >> 1u;
  column_1 = tw_floormod_i32(block_1, across) * 64 + (rest_4 & 1) + (rest_5 & 7) * 8 + (rest_7 & 3) * 2;
  row_1 = tw_floormod_i32(tw_floordiv_i32(block_1, across), down) * 16 + (rest_6 & 1) * 8 + (rest_7 >> 2u);
  inside_1 = ((place_1 < launch.P) & (row_1 < launch.R)) & (column_1 < launch.C);
  block_2 = place_2 >> 10u;
  let rest_8: i32 = place_2 & 1023;
  let rest_9: i32 = rest_8 >> 1u;
  let rest_10: i32 = rest_9 >> 3u;
  let rest_11: i32 = rest_10 >> 1u;
  column_2 = tw_floormod_i32(block_2, across) * 64 + (rest_8 & 1) + (rest_9 & 7) * 8 + (rest_11 & 3) * 2;
  row_2 = tw_floormod_i32(tw_floordiv_i32(block_2, across), down) * 16 + (rest_10 & 1) * 8 + (rest_11 >> 2u);
  inside_2 = ((place_2 < launch.P) & (row_2 < launch.R)) & (column_2 < launch.C);
  block_3 = place_3 >> 10u;
  let rest_12: i32 = place_3 & 1023;
  let rest_13: i32 = rest_12 >> 1u;
  let rest_14: i32 = rest_13 >> 3u;
  let rest_15: i32 = rest_14 >> 1u;
  column_3 = tw_floormod_i32(block_3, across) * 64 + (rest_12 & 1) + (rest_13 & 7) * 8 + (rest_15 & 3) * 2;
  row_3 = tw_floormod_i32(tw_floordiv_i32(block_3, across), down) * 16 + (rest_14 & 1) * 8 + (rest_15 >> 2u);
  inside_3 = ((place_3 < launch.P) & (row_3 < launch.R)) & (column_3 < launch.C);
  block_4 = place_4 >> 10u;
  let rest_16: i32 = place_4 & 1023;
  let rest_17: i32 = rest_16 >> 1u;
  let rest_18: i32 = rest_17 >> 3u;
  let rest_19: i32 = rest_18 >> 1u;
  column_4 = tw_floormod_i32(block_4, across) * 64 + (rest_16 & 1) + (rest_17 & 7) * 8 + (rest_19 & 3) * 2;
  row_4 = tw_floormod_i32(tw_floordiv_i32(block_4, across), down) * 16 + (rest_18 & 1) * 8 + (rest_19 >> 2u);
  inside_4 = ((place_4 < launch.P) & (row_4 < launch.R)) & (column_4 < launch.C);
  block_5 = place_5 >> 10u;
  let rest_20: i32 = place_5 & 1023;
  let rest_21: i32 = rest_20 >> 1u;
  let rest_22: i32 = rest_21 >> 3u;
  let rest_23: i32 = rest_22 >> 1u;
  column_5 = tw_floormod_i32(block_5, across) * 64 + (rest_20 & 1) + (rest_21 & 7) * 8 + (rest_23 & 3) * 2;
  row_5 = tw_floormod_i32(tw_floordiv_i32(block_5, across), down) * 16 + (rest_22 & 1) * 8 + (rest_23 >> 2u);
  inside_5 = ((place_5 < launch.P) & (row_5 < launch.R)) & (column_5 < launch.C);
  block_6 = place_6 >> 10u;
  let rest_24: i32 = place_6 & 1023;
  let rest_25: i32 = rest_24 >> 1u;
  let rest_26: i32 = rest_25 >> 3u;
  let rest_27: i32 = rest_26 >> 1u;
  column_6 = tw_floormod_i32(block_6, across) * 64 + (rest_24 & 1) + (rest_25 & 7) * 8 + (rest_27 & 3) * 2;
  row_6 = tw_floormod_i32(tw_floordiv_i32(block_6, across), down) * 16 + (rest_26 & 1) * 8 + (rest_27 >> 2u);
  inside_6 = ((place_6 < launch.P) & (row_6 < launch.R)) & (column_6 < launch.C);
  block_7 = place_7 >> 10u;
  let rest_28: i32 = place_7 & 1023;
  let rest_29: i32 = rest_28 >> 1u;
  let rest_30: i32 = rest_29 >> 3u;
  let rest_31: i32 = rest_30 >> 1u;
  column_7 = tw_floormod_i32(block_7, across) * 64 + (rest_28 & 1) + (rest_29 & 7) * 8 + (rest_31 & 3) * 2;
  row_7 = tw_floormod_i32(tw_floordiv_i32(block_7, across), down) * 16 + (rest_30 & 1) * 8 + (rest_31 >> 2u);
  inside_7 = ((place_7 < launch.P) & (row_7 < launch.R)) & (column_7 < launch.C);
  let t_1: i32 = across * down;
  let stride: i32 = launch.C * launch.R;
  var matrix_0: i32; var matrix_1: i32; var matrix_2: i32; var matrix_3: i32; var matrix_4: i32;
  var matrix_5: i32; var matrix_6: i32; var matrix_7: i32;
  var t_2_0: i32; var t_2_1: i32; var t_2_2: i32; var t_2_3: i32; var t_2_4: i32; var t_2_5: i32;
  var t_2_6: i32; var t_2_7: i32;
  var t_3_0: i32; var t_3_1: i32; var t_3_2: i32; var t_3_3: i32; var t_3_4: i32; var t_3_5: i32;
  var t_3_6: i32; var t_3_7: i32;
  matrix_0 = select(-1, tw_floordiv_i32(block_0, t_1), inside_0);
  t_2_0 = select(-1, row_0, inside_0); t_3_0 = select(-1, column_0, inside_0);
  matrix_1 = select(-1, tw_floordiv_i32(block_1, t_1), inside_1);
  t_2_1 = select(-1, row_1, inside_1); t_3_1 = select(-1, column_1, inside_1);
  matrix_2 = select(-1, tw_floordiv_i32(block_2, t_1), inside_2);
  t_2_2 = select(-1, row_2, inside_2); t_3_2 = select(-1, column_2, inside_2);
  matrix_3 = select(-1, tw_floordiv_i32(block_3, t_1), inside_3);
  t_2_3 = select(-1, row_3, inside_3); t_3_3 = select(-1, column_3, inside_3);
  matrix_4 = select(-1, tw_floordiv_i32(block_4, t_1), inside_4);
  t_2_4 = select(-1, row_4, inside_4); t_3_4 = select(-1, column_4, inside_4);
  matrix_5 = select(-1, tw_floordiv_i32(block_5, t_1), inside_5);
  t_2_5 = select(-1, row_5, inside_5); t_3_5 = select(-1, column_5, inside_5);
  matrix_6 = select(-1, tw_floordiv_i32(block_6, t_1), inside_6);
  t_2_6 = select(-1, row_6, inside_6); t_3_6 = select(-1, column_6, inside_6);
  matrix_7 = select(-1, tw_floordiv_i32(block_7, t_1), inside_7);
  t_2_7 = select(-1, row_7, inside_7); t_3_7 = select(-1, column_7, inside_7);
  var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
  var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32;
  let x_tile_in = ((u32(matrix_0) < u32(launch.H)) & (u32(t_2_0) < u32(launch.R))) & (u32(t_3_0) < u32(launch.C));
  let x_tile_at = matrix_0 * stride + t_2_0 * launch.C + t_3_0;
  let x_tile_word = select(
      0u, x[select(0, x_tile_at >> 1u, x_tile_in)], x_tile_in) >> ((u32(x_tile_at) & 1u) * 16u);
  x_tile_0 = x_tile_word & 0xffffu;
  let x_tile_in_1 = ((u32(matrix_1) < u32(launch.H)) & (u32(t_2_1) < u32(launch.R))) & (u32(t_3_1) < u32(launch.C));
  let x_tile_at_1 = matrix_1 * stride + t_2_1 * launch.C + t_3_1;
  let x_tile_word_1 = select(
      0u, x[select(0, x_tile_at_1 >> 1u, x_tile_in_1)], x_tile_in_1) >> ((u32(x_tile_at_1) & 1u) * 16u);
  x_tile_1 = x_tile_word_1 & 0xffffu;
  let x_tile_in_2 = ((u32(matrix_2) < u32(launch.H)) & (u32(t_2_2) < u32(launch.R))) & (u32(t_3_2) < u32(launch.C));
  let x_tile_at_2 = matrix_2 * stride + t_2_2 * launch.C + t_3_2;
  let x_tile_word_2 = select(
      0u, x[select(0, x_tile_at_2 >> 1u, x_tile_in_2)], x_tile_in_2) >> ((u32(x_tile_at_2) & 1u) * 16u);
  x_tile_2 = x_tile_word_2 & 0xffffu;
  let x_tile_in_3 = ((u32(matrix_3) < u32(launch.H)) & (u32(t_2_3) < u32(launch.R))) & (u32(t_3_3) < u32(launch.C));
  let x_tile_at_3 = matrix_3 * stride + t_2_3 * launch.C + t_3_3;
  let x_tile_word_3 = select(
      0u, x[select(0, x_tile_at_3 >> 1u, x_tile_in_3)], x_tile_in_3) >> ((u32(x_tile_at_3) & 1u) * 16u);
  x_tile_3 = x_tile_word_3 & 0xffffu;
  let x_tile_in_4 = ((u32(matrix_4) < u32(launch.H)) & (u32(t_2_4) < u32(launch.R))) & (u32(t_3_4) < u32(launch.C));
  let x_tile_at_4 = matrix_4 * stride + t_2_4 * launch.C + t_3_4;
  let x_tile_word_4 = select(
      0u, x[select(0, x_tile_at_4 >> 1u, x_tile_in_4)], x_tile_in_4) >> ((u32(x_tile_at_4) & 1u) * 16u);
  x_tile_4 = x_tile_word_4 & 0xffffu;
  let x_tile_in_5 = ((u32(matrix_5) < u32(launch.H)) & (u32(t_2_5) < u32(launch.R))) & (u32(t_3_5) < u32(launch.C));
  let x_tile_at_5 = matrix_5 * stride + t_2_5 * launch.C + t_3_5;
  let x_tile_word_5 = select(
      0u, x[select(0, x_tile_at_5 >> 1u, x_tile_in_5)], x_tile_in_5) >> ((u32(x_tile_at_5) & 1u) * 16u);
  x_tile_5 = x_tile_word_5 & 0xffffu;
  let x_tile_in_6 = ((u32(matrix_6) < u32(launch.H)) & (u32(t_2_6) < u32(launch.R))) & (u32(t_3_6) < u32(launch.C));
  let x_tile_at_6 = matrix_6 * stride + t_2_6 * launch.C + t_3_6;
  let x_tile_word_6 = select(
      0u, x[select(0, x_tile_at_6 >> 1u, x_tile_in_6)], x_tile_in_6) >> ((u32(x_tile_at_6) & 1u) * 16u);
  x_tile_6 = x_tile_word_6 & 0xffffu;
  let x_tile_in_7 = ((u32(matrix_7) < u32(launch.H)) & (u32(t_2_7) < u32(launch.R))) & (u32(t_3_7) < u32(launch.C));
  let x_tile_at_7 = matrix_7 * stride + t_2_7 * launch.C + t_3_7;
  let x_tile_word_7 = select(
      0u, x[select(0, x_tile_at_7 >> 1u, x_tile_in_7)], x_tile_in_7) >> ((u32(x_tile_at_7) & 1u) * 16u);
  x_tile_7 = x_tile_word_7 & 0xffffu;
  let t_4: u32 = tw_f32_to_bf16(f32(launch.pad));
  let y_at: i32 = t + thread;
  let left: i32 = launch.P - t;
  let y_tile: u32 = select(t_4, x_tile_0, inside_0);
  if (thread < left) {
    let shift = (u32(y_at) & 1u) * 16u;
    atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
    atomicOr(&y[y_at >> 1u], y_tile << shift);
  }
  let y_tile_1: u32 = select(t_4, x_tile_1, inside_1);
  if (thread + 128 < left) {
    let shift = (u32(y_at + 128) & 1u) * 16u;
    atomicAnd(&y[(y_at + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 128) >> 1u], y_tile_1 << shift);
  }
  let y_tile_2: u32 = select(t_4, x_tile_2, inside_2);
  if (thread + 256 < left) {
    let shift = (u32(y_at + 256) & 1u) * 16u;
    atomicAnd(&y[(y_at + 256) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 256) >> 1u], y_tile_2 << shift);
  }
  let y_tile_3: u32 = select(t_4, x_tile_3, inside_3);
  if (thread + 384 < left) {
    let shift = (u32(y_at + 384) & 1u) * 16u;
    atomicAnd(&y[(y_at + 384) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 384) >> 1u], y_tile_3 << shift);
  }
  let y_tile_4: u32 = select(t_4, x_tile_4, inside_4);
  if (thread + 512 < left) {
    let shift = (u32(y_at + 512) & 1u) * 16u;
    atomicAnd(&y[(y_at + 512) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 512) >> 1u], y_tile_4 << shift);
  }
  let y_tile_5: u32 = select(t_4, x_tile_5, inside_5);
  if (thread + 640 < left) {
    let shift = (u32(y_at + 640) & 1u) * 16u;
    atomicAnd(&y[(y_at + 640) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 640) >> 1u], y_tile_5 << shift);
  }
  let y_tile_6: u32 = select(t_4, x_tile_6, inside_6);
  if (thread + 768 < left) {
    let shift = (u32(y_at + 768) & 1u) * 16u;
    atomicAnd(&y[(y_at + 768) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 768) >> 1u], y_tile_6 << shift);
  }
  let y_tile_7: u32 = select(t_4, x_tile_7, inside_7);
  if (thread + 896 < left) {
    let shift = (u32(y_at + 896) & 1u) * 16u;
    atomicAnd(&y[(y_at + 896) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 896) >> 1u], y_tile_7 << shift);
  }
}
