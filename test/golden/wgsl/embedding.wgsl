// embedding for wgsl, made by tilewright
// dtypes: T=bf16
// config: BN=1 BH=1024 SCALE=1
// dims divisible: N%4 H%8
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  V: i32,
  H: i32,
}
@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;

@compute @workgroup_size(128)
fn embedding(
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
  let left: i32 = launch.N - pid0;
  let ids_in: bool = 0 < left;
  var id: i32;
  id = select(-1, ids[select(0, pid0, ids_in)], ids_in);
  let t_BH: i32 = thread * 8;
  let left_1: i32 = launch.H - t;
  let table_at: i32 = id * launch.H + t + t_BH;
  let table_in: bool = (u32(id) < u32(launch.V)) & (t_BH < left_1);
  var row_0: u32; var row_1: u32; var row_2: u32; var row_3: u32; var row_4: u32; var row_5: u32;
  var row_6: u32; var row_7: u32;
  let row_word = select(vec4<u32>(0u), table[select(0, table_at >> 3u, table_in)], table_in);
  row_0 = row_word.x & 0xffffu; row_1 = row_word.x >> 16u; row_2 = row_word.y & 0xffffu;
  row_3 = row_word.y >> 16u; row_4 = row_word.z & 0xffffu; row_5 = row_word.z >> 16u;
  row_6 = row_word.w & 0xffffu; row_7 = row_word.w >> 16u;
  let y_at: i32 = pid0 * launch.H + t + t_BH;
  let y_in: bool = (0 < left) & (t_BH < left_1);
  if (y_in) {
    y[y_at >> 3u] = vec4<u32>(
        row_0 | (row_1 << 16u), row_2 | (row_3 << 16u), row_4 | (row_5 << 16u),
        row_6 | (row_7 << 16u));
  }
}
