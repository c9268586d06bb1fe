// unpack_tensor for wgsl, made by tilewright
// dtypes: T=bf16
// config: BR=16 BC=64 E0=2 DR0=0 DC0=1 E1=8 DR1=0 DC1=8 E2=2 DR2=8 DC2=0 E3=4 DR3=0 DC3=2 E4=8 DR4=1 DC4=0 E5=1 DR5=0 DC5=0 E6=1 DR6=0 DC6=0 E7=1 DR7=0 DC7=0 E8=1 DR8=0 DC8=0 E9=1 DR9=0 DC9=0 E10=1 DR10=0 DC10=0 E11=1 DR11=0 DC11=0 B=256
// dims divisible: P%16
// 32 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  P: i32,
  H: i32,
  R: i32,
  C: i32,
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

@compute @workgroup_size(32)
fn unpack_tensor(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let across: i32 = (launch.C + 255) >> 8u;
  let row: i32 = tw_floordiv_i32(pid0, across);
  let t: i32 = tw_floormod_i32(pid0, across) * 256;
  var column_0: i32; var column_1: i32; var column_2: i32; var column_3: i32; var column_4: i32;
  var column_5: i32; var column_6: i32; var column_7: i32;
  column_0 = t + thread; column_1 = t + thread + 32; column_2 = t + thread + 64;
  column_3 = t + thread + 96; column_4 = t + thread + 128; column_5 = t + thread + 160;
  column_6 = t + thread + 192; column_7 = t + thread + 224;
  let blockRow: i32 = pid1 * ((launch.R + 15) >> 4u) + (row >> 4u);
  let t_1: i32 = blockRow * ((launch.C + 63) >> 6u);
  let inRow: i32 = row & 15;
  var inColumn_0: i32; var inColumn_1: i32; var inColumn_2: i32; var inColumn_3: i32;
  var inColumn_4: i32; var inColumn_5: i32; var inColumn_6: i32; var inColumn_7: i32;
  inColumn_0 = column_0 & 63; inColumn_1 = column_1 & 63; inColumn_2 = column_2 & 63;
  inColumn_3 = column_3 & 63; inColumn_4 = column_4 & 63; inColumn_5 = column_5 & 63;
  inColumn_6 = column_6 & 63; inColumn_7 = column_7 & 63;
  let t_2: i32 = (inRow >> 3u) * 16;
  var place_0: i32; var place_1: i32; var place_2: i32; var place_3: i32; var place_4: i32;
  var place_5: i32; var place_6: i32; var place_7: i32;
  place_0 = (t_1 + (column_0 >> 6u)) * 1024 + (inColumn_0 & 1) + (inColumn_0 >> 3u) * 2 + t_2 + ((inColumn_0 >> 1u) & 3) * 32;
  place_1 = (t_1 + (column_1 >> 6u)) * 1024 + (inColumn_1 & 1) + (inColumn_1 >> 3u) * 2 + t_2 + ((inColumn_1 >> 1u) & 3) * 32;
  place_2 = (t_1 + (column_2 >> 6u)) * 1024 + (inColumn_2 & 1) + (inColumn_2 >> 3u) * 2 + t_2 + ((inColumn_2 >> 1u) & 3) * 32;
  place_3 = (t_1 + (column_3 >> 6u)) * 1024 + (inColumn_3 & 1) + (inColumn_3 >> 3u) * 2 + t_2 + ((inColumn_3 >> 1u) & 3) * 32;
  place_4 = (t_1 + (column_4 >> 6u)) * 1024 + (inColumn_4 & 1) + (inColumn_4 >> 3u) * 2 + t_2 + ((inColumn_4 >> 1u) & 3) * 32;
  place_5 = (t_1 + (column_5 >> 6u)) * 1024 + (inColumn_5 & 1) + (inColumn_5 >> 3u) * 2 + t_2 + ((inColumn_5 >> 1u) & 3) * 32;
  place_6 = (t_1 + (column_6 >> 6u)) * 1024 + (inColumn_6 & 1) + (inColumn_6 >> 3u) * 2 + t_2 + ((inColumn_6 >> 1u) & 3) * 32;
  place_7 = (t_1 + (column_7 >> 6u)) * 1024 + (inColumn_7 & 1) + (inColumn_7 >> 3u) * 2 + t_2 + ((inColumn_7 >> 1u) & 3) * 32;
  let t_3: i32 = (inRow & 7) * 128;
  var t_4_0: i32; var t_4_1: i32; var t_4_2: i32; var t_4_3: i32; var t_4_4: i32; var t_4_5: i32;
  var t_4_6: i32; var t_4_7: i32;
  t_4_0 = select(-1, place_0 + t_3, column_0 < launch.C);
  t_4_1 = select(-1, place_1 + t_3, column_1 < launch.C);
  t_4_2 = select(-1, place_2 + t_3, column_2 < launch.C);
  t_4_3 = select(-1, place_3 + t_3, column_3 < launch.C);
  t_4_4 = select(-1, place_4 + t_3, column_4 < launch.C);
  t_4_5 = select(-1, place_5 + t_3, column_5 < launch.C);
  t_4_6 = select(-1, place_6 + t_3, column_6 < launch.C);
  t_4_7 = select(-1, place_7 + t_3, column_7 < launch.C);
  var value_0: u32; var value_1: u32; var value_2: u32; var value_3: u32; var value_4: u32;
  var value_5: u32; var value_6: u32; var value_7: u32;
  let value_in = u32(t_4_0) < u32(launch.P);
  let value_at = t_4_0;
  let value_word = select(
      0u, x[select(0, value_at >> 1u, value_in)], value_in) >> ((u32(value_at) & 1u) * 16u);
  value_0 = value_word & 0xffffu;
  let value_in_1 = u32(t_4_1) < u32(launch.P);
  let value_at_1 = t_4_1;
  let value_word_1 = select(
      0u, x[select(0, value_at_1 >> 1u, value_in_1)], value_in_1) >> ((u32(value_at_1) & 1u) * 16u);
  value_1 = value_word_1 & 0xffffu;
  let value_in_2 = u32(t_4_2) < u32(launch.P);
  let value_at_2 = t_4_2;
  let value_word_2 = select(
      0u, x[select(0, value_at_2 >> 1u, value_in_2)], value_in_2) >> ((u32(value_at_2) & 1u) * 16u);
  value_2 = value_word_2 & 0xffffu;
  let value_in_3 = u32(t_4_3) < u32(launch.P);
  let value_at_3 = t_4_3;
  let value_word_3 = select(
      0u, x[select(0, value_at_3 >> 1u, value_in_3)], value_in_3) >> ((u32(value_at_3) & 1u) * 16u);
  value_3 = value_word_3 & 0xffffu;
  let value_in_4 = u32(t_4_4) < u32(launch.P);
  let value_at_4 = t_4_4;
  let value_word_4 = select(
      0u, x[select(0, value_at_4 >> 1u, value_in_4)], value_in_4) >> ((u32(value_at_4) & 1u) * 16u);
  value_4 = value_word_4 & 0xffffu;
  let value_in_5 = u32(t_4_5) < u32(launch.P);
  let value_at_5 = t_4_5;
  let value_word_5 = select(
      0u, x[select(0, value_at_5 >> 1u, value_in_5)], value_in_5) >> ((u32(value_at_5) & 1u) * 16u);
  value_5 = value_word_5 & 0xffffu;
  let value_in_6 = u32(t_4_6) < u32(launch.P);
  let value_at_6 = t_4_6;
  let value_word_6 = select(
      0u, x[select(0, value_at_6 >> 1u, value_in_6)], value_in_6) >> ((u32(value_at_6) & 1u) * 16u);
  value_6 = value_word_6 & 0xffffu;
  let value_in_7 = u32(t_4_7) < u32(launch.P);
  let value_at_7 = t_4_7;
  let value_word_7 = select(
      0u, x[select(0, value_at_7 >> 1u, value_in_7)], value_in_7) >> ((u32(value_at_7) & 1u) * 16u);
  value_7 = value_word_7 & 0xffffu;
  let stride: i32 = launch.C * launch.R;
  let y_at: i32 = pid1 * stride + row * launch.C + t + thread;
  let y_in: bool = (pid1 < launch.H) & (row < launch.R);
  let left: i32 = launch.C - t;
  if (y_in & (thread < left)) {
    let shift = (u32(y_at) & 1u) * 16u;
    atomicAnd(&y[y_at >> 1u], ~(0xffffu << shift));
    atomicOr(&y[y_at >> 1u], value_0 << shift);
  }
  if (y_in & (thread + 32 < left)) {
    let shift = (u32(y_at + 32) & 1u) * 16u;
    atomicAnd(&y[(y_at + 32) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 32) >> 1u], value_1 << shift);
  }
  if (y_in & (thread + 64 < left)) {
    let shift = (u32(y_at + 64) & 1u) * 16u;
    atomicAnd(&y[(y_at + 64) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 64) >> 1u], value_2 << shift);
  }
  if (y_in & (thread + 96 < left)) {
    let shift = (u32(y_at + 96) & 1u) * 16u;
    atomicAnd(&y[(y_at + 96) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 96) >> 1u], value_3 << shift);
  }
  if (y_in & (thread + 128 < left)) {
    let shift = (u32(y_at + 128) & 1u) * 16u;
    atomicAnd(&y[(y_at + 128) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 128) >> 1u], value_4 << shift);
  }
  if (y_in & (thread + 160 < left)) {
    let shift = (u32(y_at + 160) & 1u) * 16u;
    atomicAnd(&y[(y_at + 160) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 160) >> 1u], value_5 << shift);
  }
  if (y_in & (thread + 192 < left)) {
    let shift = (u32(y_at + 192) & 1u) * 16u;
    atomicAnd(&y[(y_at + 192) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 192) >> 1u], value_6 << shift);
  }
  if (y_in & (thread + 224 < left)) {
    let shift = (u32(y_at + 224) & 1u) * 16u;
    atomicAnd(&y[(y_at + 224) >> 1u], ~(0xffffu << shift));
    atomicOr(&y[(y_at + 224) >> 1u], value_7 << shift);
  }
}
