// page_copy for wgsl, made by tilewright
// dtypes: T=bf16
// config: BH=8
// dims fixed: D=64 DV=64
// dims divisible: P%2 PAGE%16
// 64 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  P: i32,
  NB: i32,
  PAGE: i32,
  HKV: i32,
}
@group(0) @binding(0) var<storage, read> pairs: array<i32>;
@group(0) @binding(1) var<storage, read_write> kCache: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> vCache: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;

@compute @workgroup_size(64)
fn page_copy(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let pid2 = i32(program / (launch.programs.x * launch.programs.y));
  let thread = i32(thread_index);
  let pairs_at: i32 = pid0 * 2;
  var from_1: i32;
  from_1 = pairs[pairs_at];
  let t: bool = from_1 >= 0;
  if (t) {
    var to: i32;
    to = pairs[pairs_at + 1];
    let t_1: i32 = pid2 * 8;
    let stride: i32 = launch.HKV * 64 * launch.PAGE;
    let stride_1: i32 = launch.HKV * 64;
    let t_BH: i32 = thread >> 3u;
    let left: i32 = launch.HKV - t_1;
    let t_D: i32 = (thread & 7) * 8;
    let kCache_at: i32 = t_BH * 64 + t_D;
    let kCache_at_1: i32 = from_1 * stride + pid1 * stride_1 + t_1 * 64 + kCache_at;
    let kCache_in: bool = ((u32(from_1) < u32(launch.NB)) & (pid1 < launch.PAGE)) & (t_BH < left);
    var kCache_tile_0: u32; var kCache_tile_1: u32; var kCache_tile_2: u32; var kCache_tile_3: u32;
    var kCache_tile_4: u32; var kCache_tile_5: u32; var kCache_tile_6: u32; var kCache_tile_7: u32;
    let kCache_tile_word = select(
        vec4<u32>(0u), kCache[select(0, kCache_at_1 >> 3u, kCache_in)], kCache_in);
    kCache_tile_0 = kCache_tile_word.x & 0xffffu; kCache_tile_1 = kCache_tile_word.x >> 16u;
    kCache_tile_2 = kCache_tile_word.y & 0xffffu; kCache_tile_3 = kCache_tile_word.y >> 16u;
    kCache_tile_4 = kCache_tile_word.z & 0xffffu; kCache_tile_5 = kCache_tile_word.z >> 16u;
    kCache_tile_6 = kCache_tile_word.w & 0xffffu; kCache_tile_7 = kCache_tile_word.w >> 16u;
    storageBarrier();
    workgroupBarrier();
    let kCache_at_2: i32 = to * stride + pid1 * stride_1 + t_1 * 64 + kCache_at;
    let kCache_in_1: bool = ((u32(to) < u32(launch.NB)) & (pid1 < launch.PAGE)) & (t_BH < left);
    if (kCache_in_1) {
      kCache[kCache_at_2 >> 3u] = vec4<u32>(
          kCache_tile_0 | (kCache_tile_1 << 16u), kCache_tile_2 | (kCache_tile_3 << 16u),
          kCache_tile_4 | (kCache_tile_5 << 16u), kCache_tile_6 | (kCache_tile_7 << 16u));
    }
    var vCache_tile_0: u32; var vCache_tile_1: u32; var vCache_tile_2: u32; var vCache_tile_3: u32;
    var vCache_tile_4: u32; var vCache_tile_5: u32; var vCache_tile_6: u32; var vCache_tile_7: u32;
    let vCache_tile_word = select(
        vec4<u32>(0u), vCache[select(0, kCache_at_1 >> 3u, kCache_in)], kCache_in);
    vCache_tile_0 = vCache_tile_word.x & 0xffffu; vCache_tile_1 = vCache_tile_word.x >> 16u;
    vCache_tile_2 = vCache_tile_word.y & 0xffffu; vCache_tile_3 = vCache_tile_word.y >> 16u;
    vCache_tile_4 = vCache_tile_word.z & 0xffffu; vCache_tile_5 = vCache_tile_word.z >> 16u;
    vCache_tile_6 = vCache_tile_word.w & 0xffffu; vCache_tile_7 = vCache_tile_word.w >> 16u;
    storageBarrier();
    workgroupBarrier();
    if (kCache_in_1) {
      vCache[kCache_at_2 >> 3u] = vec4<u32>(
          vCache_tile_0 | (vCache_tile_1 << 16u), vCache_tile_2 | (vCache_tile_3 << 16u),
          vCache_tile_4 | (vCache_tile_5 << 16u), vCache_tile_6 | (vCache_tile_7 << 16u));
    }
  }
}
