// embedding_with_positions for wgsl, made by tilewright
// dtypes: T=bf16
// config: BN=1 BH=1024
// dims divisible: N%4 H%8
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  V: i32,
  H: i32,
  P: i32,
}
@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> learned: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> launch: TwLaunch;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(128)
fn embedding_with_positions(
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
  var position: i32;
  position = select(-1, positions[select(0, pid0, ids_in)], ids_in);
  let t_BH: i32 = thread * 8;
  let left_1: i32 = launch.H - t;
  let table_at: i32 = id * launch.H + t + t_BH;
  let table_in: bool = (u32(id) < u32(launch.V)) & (t_BH < left_1);
  var table_tile_0: u32; var table_tile_1: u32; var table_tile_2: u32; var table_tile_3: u32;
  var table_tile_4: u32; var table_tile_5: u32; var table_tile_6: u32; var table_tile_7: u32;
  let table_tile_word = select(vec4<u32>(0u), table[select(0, table_at >> 3u, table_in)], table_in);
  table_tile_0 = table_tile_word.x & 0xffffu; table_tile_1 = table_tile_word.x >> 16u;
  table_tile_2 = table_tile_word.y & 0xffffu; table_tile_3 = table_tile_word.y >> 16u;
  table_tile_4 = table_tile_word.z & 0xffffu; table_tile_5 = table_tile_word.z >> 16u;
  table_tile_6 = table_tile_word.w & 0xffffu; table_tile_7 = table_tile_word.w >> 16u;
  let learned_at: i32 = position * launch.H + t + t_BH;
  let learned_in: bool = (u32(position) < u32(launch.P)) & (t_BH < left_1);
  var learned_tile_0: u32; var learned_tile_1: u32; var learned_tile_2: u32;
  var learned_tile_3: u32; var learned_tile_4: u32; var learned_tile_5: u32;
  var learned_tile_6: u32; var learned_tile_7: u32;
  let learned_tile_word = select(
      vec4<u32>(0u), learned[select(0, learned_at >> 3u, learned_in)], learned_in);
  learned_tile_0 = learned_tile_word.x & 0xffffu; learned_tile_1 = learned_tile_word.x >> 16u;
  learned_tile_2 = learned_tile_word.y & 0xffffu; learned_tile_3 = learned_tile_word.y >> 16u;
  learned_tile_4 = learned_tile_word.z & 0xffffu; learned_tile_5 = learned_tile_word.z >> 16u;
  learned_tile_6 = learned_tile_word.w & 0xffffu; learned_tile_7 = learned_tile_word.w >> 16u;
  let y_at: i32 = pid0 * launch.H + t + t_BH;
  let y_in: bool = (0 < left) & (t_BH < left_1);
  var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32; var y_tile_4: u32;
  var y_tile_5: u32; var y_tile_6: u32; var y_tile_7: u32;
  y_tile_0 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_0) + tw_bf16_to_f32(learned_tile_0));
  y_tile_1 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_1) + tw_bf16_to_f32(learned_tile_1));
  y_tile_2 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_2) + tw_bf16_to_f32(learned_tile_2));
  y_tile_3 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_3) + tw_bf16_to_f32(learned_tile_3));
  y_tile_4 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_4) + tw_bf16_to_f32(learned_tile_4));
  y_tile_5 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_5) + tw_bf16_to_f32(learned_tile_5));
  y_tile_6 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_6) + tw_bf16_to_f32(learned_tile_6));
  y_tile_7 = tw_f32_to_bf16(tw_bf16_to_f32(table_tile_7) + tw_bf16_to_f32(learned_tile_7));
  if (y_in) {
    y[y_at >> 3u] = vec4<u32>(
        y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u), y_tile_4 | (y_tile_5 << 16u),
        y_tile_6 | (y_tile_7 << 16u));
  }
}
