// count_tokens for wgsl, made by tilewright
// config: BT=128
// 16 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  V: i32,
  T: i32,
}
@group(0) @binding(0) var<storage, read_write> counts: array<atomic<i32>>;
@group(0) @binding(1) var<storage, read> row: array<i32>;
@group(0) @binding(2) var<storage, read> token: array<i32>;
@group(0) @binding(3) var<storage, read> amount: array<i32>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;

@compute @workgroup_size(16)
fn count_tokens(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 128;
  let row_at: i32 = t + thread;
  var r_0: i32; var r_1: i32; var r_2: i32; var r_3: i32; var r_4: i32; var r_5: i32; var r_6: i32;
  var r_7: i32;
  let left: i32 = launch.T - t;
  let r_in = thread < left;
  r_0 = select(-1, row[select(0, row_at, r_in)], r_in);
  let r_in_1 = thread + 16 < left;
  r_1 = select(-1, row[select(0, row_at + 16, r_in_1)], r_in_1);
  let r_in_2 = thread + 32 < left;
  r_2 = select(-1, row[select(0, row_at + 32, r_in_2)], r_in_2);
  let r_in_3 = thread + 48 < left;
  r_3 = select(-1, row[select(0, row_at + 48, r_in_3)], r_in_3);
  let r_in_4 = thread + 64 < left;
  r_4 = select(-1, row[select(0, row_at + 64, r_in_4)], r_in_4);
  let r_in_5 = thread + 80 < left;
  r_5 = select(-1, row[select(0, row_at + 80, r_in_5)], r_in_5);
  let r_in_6 = thread + 96 < left;
  r_6 = select(-1, row[select(0, row_at + 96, r_in_6)], r_in_6);
  let r_in_7 = thread + 112 < left;
  r_7 = select(-1, row[select(0, row_at + 112, r_in_7)], r_in_7);
  var t_1_0: i32; var t_1_1: i32; var t_1_2: i32; var t_1_3: i32; var t_1_4: i32; var t_1_5: i32;
  var t_1_6: i32; var t_1_7: i32;
  let t_1_in = thread < left;
  t_1_0 = select(-1, token[select(0, row_at, t_1_in)], t_1_in);
  let t_1_in_1 = thread + 16 < left;
  t_1_1 = select(-1, token[select(0, row_at + 16, t_1_in_1)], t_1_in_1);
  let t_1_in_2 = thread + 32 < left;
  t_1_2 = select(-1, token[select(0, row_at + 32, t_1_in_2)], t_1_in_2);
  let t_1_in_3 = thread + 48 < left;
  t_1_3 = select(-1, token[select(0, row_at + 48, t_1_in_3)], t_1_in_3);
  let t_1_in_4 = thread + 64 < left;
  t_1_4 = select(-1, token[select(0, row_at + 64, t_1_in_4)], t_1_in_4);
  let t_1_in_5 = thread + 80 < left;
  t_1_5 = select(-1, token[select(0, row_at + 80, t_1_in_5)], t_1_in_5);
  let t_1_in_6 = thread + 96 < left;
  t_1_6 = select(-1, token[select(0, row_at + 96, t_1_in_6)], t_1_in_6);
  let t_1_in_7 = thread + 112 < left;
  t_1_7 = select(-1, token[select(0, row_at + 112, t_1_in_7)], t_1_in_7);
  var isCounted_0: bool; var isCounted_1: bool; var isCounted_2: bool; var isCounted_3: bool;
  var isCounted_4: bool; var isCounted_5: bool; var isCounted_6: bool; var isCounted_7: bool;
  isCounted_0 = (r_0 >= 0) & (t_1_0 >= 0); isCounted_1 = (r_1 >= 0) & (t_1_1 >= 0);
  isCounted_2 = (r_2 >= 0) & (t_1_2 >= 0); isCounted_3 = (r_3 >= 0) & (t_1_3 >= 0);
  isCounted_4 = (r_4 >= 0) & (t_1_4 >= 0); isCounted_5 = (r_5 >= 0) & (t_1_5 >= 0);
  isCounted_6 = (r_6 >= 0) & (t_1_6 >= 0); isCounted_7 = (r_7 >= 0) & (t_1_7 >= 0);
  var amount_tile_0: i32; var amount_tile_1: i32; var amount_tile_2: i32; var amount_tile_3: i32;
  var amount_tile_4: i32; var amount_tile_5: i32; var amount_tile_6: i32; var amount_tile_7: i32;
  let amount_tile_in = thread < left;
  amount_tile_0 = select(0, amount[select(0, row_at, amount_tile_in)], amount_tile_in);
  let amount_tile_in_1 = thread + 16 < left;
  amount_tile_1 = select(0, amount[select(0, row_at + 16, amount_tile_in_1)], amount_tile_in_1);
  let amount_tile_in_2 = thread + 32 < left;
  amount_tile_2 = select(0, amount[select(0, row_at + 32, amount_tile_in_2)], amount_tile_in_2);
  let amount_tile_in_3 = thread + 48 < left;
  amount_tile_3 = select(0, amount[select(0, row_at + 48, amount_tile_in_3)], amount_tile_in_3);
  let amount_tile_in_4 = thread + 64 < left;
  amount_tile_4 = select(0, amount[select(0, row_at + 64, amount_tile_in_4)], amount_tile_in_4);
  let amount_tile_in_5 = thread + 80 < left;
  amount_tile_5 = select(0, amount[select(0, row_at + 80, amount_tile_in_5)], amount_tile_in_5);
  let amount_tile_in_6 = thread + 96 < left;
  amount_tile_6 = select(0, amount[select(0, row_at + 96, amount_tile_in_6)], amount_tile_in_6);
  let amount_tile_in_7 = thread + 112 < left;
  amount_tile_7 = select(0, amount[select(0, row_at + 112, amount_tile_in_7)], amount_tile_in_7);
  var t_2_0: i32; var t_2_1: i32; var t_2_2: i32; var t_2_3: i32; var t_2_4: i32; var t_2_5: i32;
  var t_2_6: i32; var t_2_7: i32;
  var t_3_0: i32; var t_3_1: i32; var t_3_2: i32; var t_3_3: i32; var t_3_4: i32; var t_3_5: i32;
  var t_3_6: i32; var t_3_7: i32;
  t_2_0 = select(-1, r_0, isCounted_0); t_3_0 = select(-1, t_1_0, isCounted_0);
  t_2_1 = select(-1, r_1, isCounted_1); t_3_1 = select(-1, t_1_1, isCounted_1);
  t_2_2 = select(-1, r_2, isCounted_2); t_3_2 = select(-1, t_1_2, isCounted_2);
  t_2_3 = select(-1, r_3, isCounted_3); t_3_3 = select(-1, t_1_3, isCounted_3);
  t_2_4 = select(-1, r_4, isCounted_4); t_3_4 = select(-1, t_1_4, isCounted_4);
  t_2_5 = select(-1, r_5, isCounted_5); t_3_5 = select(-1, t_1_5, isCounted_5);
  t_2_6 = select(-1, r_6, isCounted_6); t_3_6 = select(-1, t_1_6, isCounted_6);
  t_2_7 = select(-1, r_7, isCounted_7); t_3_7 = select(-1, t_1_7, isCounted_7);
  if ((u32(t_2_0) < u32(launch.N)) & (u32(t_3_0) < u32(launch.V))) {
    atomicAdd(&counts[t_2_0 * launch.V + t_3_0], amount_tile_0);
  }
  if ((u32(t_2_1) < u32(launch.N)) & (u32(t_3_1) < u32(launch.V))) {
    atomicAdd(&counts[t_2_1 * launch.V + t_3_1], amount_tile_1);
  }
  if ((u32(t_2_2) < u32(launch.N)) & (u32(t_3_2) < u32(launch.V))) {
    atomicAdd(&counts[t_2_2 * launch.V + t_3_2], amount_tile_2);
  }
  if ((u32(t_2_3) < u32(launch.N)) & (u32(t_3_3) < u32(launch.V))) {
    atomicAdd(&counts[t_2_3 * launch.V + t_3_3], amount_tile_3);
  }
  if ((u32(t_2_4) < u32(launch.N)) & (u32(t_3_4) < u32(launch.V))) {
    atomicAdd(&counts[t_2_4 * launch.V + t_3_4], amount_tile_4);
  }
  if ((u32(t_2_5) < u32(launch.N)) & (u32(t_3_5) < u32(launch.V))) {
    atomicAdd(&counts[t_2_5 * launch.V + t_3_5], amount_tile_5);
  }
  if ((u32(t_2_6) < u32(launch.N)) & (u32(t_3_6) < u32(launch.V))) {
    atomicAdd(&counts[t_2_6 * launch.V + t_3_6], amount_tile_6);
  }
  if ((u32(t_2_7) < u32(launch.N)) & (u32(t_3_7) < u32(launch.V))) {
    atomicAdd(&counts[t_2_7 * launch.V + t_3_7], amount_tile_7);
  }
}
