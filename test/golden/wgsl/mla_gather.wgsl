// mla_gather for wgsl, made by tilewright
// dtypes: T=bf16
// config: BM=16
// dims fixed: R=64 DR=16 D=16 PAGE=32
// dims divisible: S%2 MAXB%4 B%2 C%2 H%2
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  NB: i32,
  S: i32,
  MAXB: i32,
  B: i32,
  C: i32,
  H: i32,
}
@group(0) @binding(0) var<storage, read> latents: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> ropes: array<u32>;
@group(0) @binding(2) var<storage, read> table: array<i32>;
@group(0) @binding(3) var<storage, read> copies: array<i32>;
@group(0) @binding(4) var<storage, read_write> x: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> k: array<u32>;
@group(0) @binding(6) var<uniform> launch: TwLaunch;

@compute @workgroup_size(128)
fn mla_gather(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let copies_at: i32 = pid0 * 4;
  var s: i32;
  s = copies[copies_at];
  var first: i32;
  first = copies[copies_at + 1];
  var len: i32;
  len = copies[copies_at + 2];
  var row: i32;
  row = copies[copies_at + 3];
  let t_BM: i32 = thread >> 3u;
  let position: i32 = first + t_BM;
  let place: i32 = select(-1, position >> 5u, position < len);
  let table_at: i32 = s * launch.MAXB + place;
  let table_in: bool = (u32(s) < u32(launch.S)) & (u32(place) < u32(launch.MAXB));
  var pages: i32;
  pages = select(-1, table[select(0, table_at, table_in)], table_in);
  let slot: i32 = position & 31;
  let t: i32 = row + len - first;
  let t_DR: i32 = (thread & 7) * 2;
  let ropes_at: i32 = pages * 512 + slot * 16 + t_DR;
  let ropes_in: bool = u32(pages) < u32(launch.NB);
  var rope_0: u32; var rope_1: u32;
  let rope_word = select(0u, ropes[select(0, ropes_at >> 1u, ropes_in)], ropes_in);
  rope_0 = rope_word & 0xffffu; rope_1 = rope_word >> 16u;
  let stride: i32 = launch.H * 16;
  let bound: i32 = min(t, launch.C);
  let position_1: i32 = row + t_BM;
  let bound_1: i32 = max(bound, 0);
  let k_at: i32 = t_BM * stride + t_DR;
  let k_at_1: i32 = row * stride + k_at;
  let k_in: bool = u32(position_1) < u32(bound_1);
  for (var h: i32 = 0; h < launch.H; h++) {
    let k_at_2: i32 = k_at_1 + h * 16;
    let k_in_1: bool = k_in & (h < launch.H);
    if (k_in_1) {
      k[k_at_2 >> 1u] = rope_0 | (rope_1 << 16u);
    }
  }
  let t_R: i32 = (thread & 7) * 8;
  let latents_at: i32 = pages * 2048 + slot * 64 + t_R;
  var latents_tile_0: u32; var latents_tile_1: u32; var latents_tile_2: u32;
  var latents_tile_3: u32; var latents_tile_4: u32; var latents_tile_5: u32;
  var latents_tile_6: u32; var latents_tile_7: u32;
  let latents_tile_word = select(
      vec4<u32>(0u), latents[select(0, latents_at >> 3u, ropes_in)], ropes_in);
  latents_tile_0 = latents_tile_word.x & 0xffffu; latents_tile_1 = latents_tile_word.x >> 16u;
  latents_tile_2 = latents_tile_word.y & 0xffffu; latents_tile_3 = latents_tile_word.y >> 16u;
  latents_tile_4 = latents_tile_word.z & 0xffffu; latents_tile_5 = latents_tile_word.z >> 16u;
  latents_tile_6 = latents_tile_word.w & 0xffffu; latents_tile_7 = latents_tile_word.w >> 16u;
  let x_at: i32 = t_BM * 64 + t_R;
  let x_at_1: i32 = row * 64 + x_at;
  if (k_in) {
    x[x_at_1 >> 3u] = vec4<u32>(
        latents_tile_0 | (latents_tile_1 << 16u), latents_tile_2 | (latents_tile_3 << 16u),
        latents_tile_4 | (latents_tile_5 << 16u), latents_tile_6 | (latents_tile_7 << 16u));
  }
}
