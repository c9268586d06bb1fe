// clear_counts for wgsl, made by tilewright
// config: BV=1024
// dims divisible: N%4 V%2 R%4
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  V: i32,
  R: i32,
}
@group(0) @binding(0) var<storage, read_write> counts: array<vec2<i32>>;
@group(0) @binding(1) var<storage, read> row: array<i32>;
@group(0) @binding(2) var<uniform> launch: TwLaunch;

@compute @workgroup_size(128)
fn clear_counts(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var r: i32;
  r = row[pid0];
  let t: bool = r >= 0;
  if (t) {
    let t_1: i32 = pid1 * 1024;
    let t_BV: i32 = thread * 2;
    let counts_at: i32 = r * launch.V + t_1 + t_BV;
    let counts_in: bool = u32(r) < u32(launch.N);
    let left: i32 = launch.V - t_1;
    var counts_tile_0: i32; var counts_tile_1: i32;
    counts_tile_0 = 0; counts_tile_1 = 0;
    if (counts_in & (t_BV < left)) {
      counts[counts_at >> 1u] = vec2<i32>(counts_tile_0, counts_tile_1);
    }
    var counts_tile_1_1_0: i32; var counts_tile_1_1_1: i32;
    counts_tile_1_1_0 = 0; counts_tile_1_1_1 = 0;
    if (counts_in & (t_BV + 256 < left)) {
      counts[(counts_at + 256) >> 1u] = vec2<i32>(counts_tile_1_1_0, counts_tile_1_1_1);
    }
    var counts_tile_2_0: i32; var counts_tile_2_1: i32;
    counts_tile_2_0 = 0; counts_tile_2_1 = 0;
    if (counts_in & (t_BV + 512 < left)) {
      counts[(counts_at + 512) >> 1u] = vec2<i32>(counts_tile_2_0, counts_tile_2_1);
    }
    var counts_tile_3_0: i32; var counts_tile_3_1: i32;
    counts_tile_3_0 = 0; counts_tile_3_1 = 0;
    if (counts_in & (t_BV + 768 < left)) {
      counts[(counts_at + 768) >> 1u] = vec2<i32>(counts_tile_3_0, counts_tile_3_1);
    }
  }
}
