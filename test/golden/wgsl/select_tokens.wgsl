// select_tokens for wgsl, made by tilewright
// config: BN=128
// dims divisible: S%16
// 16 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  S: i32,
}
@group(0) @binding(0) var<storage, read> given: array<i32>;
@group(0) @binding(1) var<storage, read> source: array<i32>;
@group(0) @binding(2) var<storage, read> last: array<i32>;
@group(0) @binding(3) var<storage, read_write> tokens: array<i32>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;

@compute @workgroup_size(16)
fn select_tokens(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 128;
  let source_at: i32 = t + thread;
  var from_1_0: i32; var from_1_1: i32; var from_1_2: i32; var from_1_3: i32; var from_1_4: i32;
  var from_1_5: i32; var from_1_6: i32; var from_1_7: i32;
  let left: i32 = launch.N - t;
  let from_in = thread < left;
  from_1_0 = select(-1, source[select(0, source_at, from_in)], from_in);
  let from_in_1 = thread + 16 < left;
  from_1_1 = select(-1, source[select(0, source_at + 16, from_in_1)], from_in_1);
  let from_in_2 = thread + 32 < left;
  from_1_2 = select(-1, source[select(0, source_at + 32, from_in_2)], from_in_2);
  let from_in_3 = thread + 48 < left;
  from_1_3 = select(-1, source[select(0, source_at + 48, from_in_3)], from_in_3);
  let from_in_4 = thread + 64 < left;
  from_1_4 = select(-1, source[select(0, source_at + 64, from_in_4)], from_in_4);
  let from_in_5 = thread + 80 < left;
  from_1_5 = select(-1, source[select(0, source_at + 80, from_in_5)], from_in_5);
  let from_in_6 = thread + 96 < left;
  from_1_6 = select(-1, source[select(0, source_at + 96, from_in_6)], from_in_6);
  let from_in_7 = thread + 112 < left;
  from_1_7 = select(-1, source[select(0, source_at + 112, from_in_7)], from_in_7);
  var sampled_0: i32; var sampled_1: i32; var sampled_2: i32; var sampled_3: i32;
  var sampled_4: i32; var sampled_5: i32; var sampled_6: i32; var sampled_7: i32;
  let sampled_in = u32(from_1_0) < u32(launch.S);
  sampled_0 = select(0, last[select(0, from_1_0, sampled_in)], sampled_in);
  let sampled_in_1 = u32(from_1_1) < u32(launch.S);
  sampled_1 = select(0, last[select(0, from_1_1, sampled_in_1)], sampled_in_1);
  let sampled_in_2 = u32(from_1_2) < u32(launch.S);
  sampled_2 = select(0, last[select(0, from_1_2, sampled_in_2)], sampled_in_2);
  let sampled_in_3 = u32(from_1_3) < u32(launch.S);
  sampled_3 = select(0, last[select(0, from_1_3, sampled_in_3)], sampled_in_3);
  let sampled_in_4 = u32(from_1_4) < u32(launch.S);
  sampled_4 = select(0, last[select(0, from_1_4, sampled_in_4)], sampled_in_4);
  let sampled_in_5 = u32(from_1_5) < u32(launch.S);
  sampled_5 = select(0, last[select(0, from_1_5, sampled_in_5)], sampled_in_5);
  let sampled_in_6 = u32(from_1_6) < u32(launch.S);
  sampled_6 = select(0, last[select(0, from_1_6, sampled_in_6)], sampled_in_6);
  let sampled_in_7 = u32(from_1_7) < u32(launch.S);
  sampled_7 = select(0, last[select(0, from_1_7, sampled_in_7)], sampled_in_7);
  var given_tile_0: i32; var given_tile_1: i32; var given_tile_2: i32; var given_tile_3: i32;
  var given_tile_4: i32; var given_tile_5: i32; var given_tile_6: i32; var given_tile_7: i32;
  let given_tile_in = thread < left;
  given_tile_0 = select(0, given[select(0, source_at, given_tile_in)], given_tile_in);
  let given_tile_in_1 = thread + 16 < left;
  given_tile_1 = select(0, given[select(0, source_at + 16, given_tile_in_1)], given_tile_in_1);
  let given_tile_in_2 = thread + 32 < left;
  given_tile_2 = select(0, given[select(0, source_at + 32, given_tile_in_2)], given_tile_in_2);
  let given_tile_in_3 = thread + 48 < left;
  given_tile_3 = select(0, given[select(0, source_at + 48, given_tile_in_3)], given_tile_in_3);
  let given_tile_in_4 = thread + 64 < left;
  given_tile_4 = select(0, given[select(0, source_at + 64, given_tile_in_4)], given_tile_in_4);
  let given_tile_in_5 = thread + 80 < left;
  given_tile_5 = select(0, given[select(0, source_at + 80, given_tile_in_5)], given_tile_in_5);
  let given_tile_in_6 = thread + 96 < left;
  given_tile_6 = select(0, given[select(0, source_at + 96, given_tile_in_6)], given_tile_in_6);
  let given_tile_in_7 = thread + 112 < left;
  given_tile_7 = select(0, given[select(0, source_at + 112, given_tile_in_7)], given_tile_in_7);
  let tokens_tile: i32 = select(given_tile_0, sampled_0, from_1_0 >= 0);
  if (thread < left) {
    tokens[source_at] = tokens_tile;
  }
  let tokens_tile_1: i32 = select(given_tile_1, sampled_1, from_1_1 >= 0);
  if (thread + 16 < left) {
    tokens[source_at + 16] = tokens_tile_1;
  }
  let tokens_tile_2: i32 = select(given_tile_2, sampled_2, from_1_2 >= 0);
  if (thread + 32 < left) {
    tokens[source_at + 32] = tokens_tile_2;
  }
  let tokens_tile_3: i32 = select(given_tile_3, sampled_3, from_1_3 >= 0);
  if (thread + 48 < left) {
    tokens[source_at + 48] = tokens_tile_3;
  }
  let tokens_tile_4: i32 = select(given_tile_4, sampled_4, from_1_4 >= 0);
  if (thread + 64 < left) {
    tokens[source_at + 64] = tokens_tile_4;
  }
  let tokens_tile_5: i32 = select(given_tile_5, sampled_5, from_1_5 >= 0);
  if (thread + 80 < left) {
    tokens[source_at + 80] = tokens_tile_5;
  }
  let tokens_tile_6: i32 = select(given_tile_6, sampled_6, from_1_6 >= 0);
  if (thread + 96 < left) {
    tokens[source_at + 96] = tokens_tile_6;
  }
  let tokens_tile_7: i32 = select(given_tile_7, sampled_7, from_1_7 >= 0);
  if (thread + 112 < left) {
    tokens[source_at + 112] = tokens_tile_7;
  }
}
