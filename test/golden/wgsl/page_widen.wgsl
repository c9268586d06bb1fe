// page_widen for wgsl, made by tilewright
// dtypes: T=bf16
// config: BS=4 BH=4
// dims fixed: D=16 PAGE=6
// dims divisible: NB%2 MAXB%2
// 32 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  NB: i32,
  HKV: i32,
  S: i32,
  MAXB: i32,
  P: i32,
  vScale: f32,
}
@group(0) @binding(0) var<storage, read> kCache: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read> vCache: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> table: array<i32>;
@group(0) @binding(3) var<storage, read> pages: array<i32>;
@group(0) @binding(4) var<storage, read_write> k: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> v: array<vec4<u32>>;
@group(0) @binding(6) var<uniform> launch: TwLaunch;

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

fn tw_f8e4m3_to_f32(x: u32) -> f32 {
  let size = x & 0x7fu;
  let normal = select((size << 20u) + 0x3c000000u, 0x7fc00000u, size == 0x7fu);
  let subnormal = bitcast<u32>(f32(size) * 0x1p-9f);
  return bitcast<f32>(select(normal, subnormal, size < 8u) | ((x & 0x80u) << 24u));
}

@compute @workgroup_size(32)
fn page_widen(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let pages_at: i32 = pid0 * 2;
  var pages_tile: i32;
  pages_tile = pages[pages_at];
  var pages_tile_1: i32;
  pages_tile_1 = pages[pages_at + 1];
  let table_at: i32 = pages_tile * launch.MAXB + pages_tile_1;
  var page: i32;
  page = table[table_at];
  let t: bool = page >= 0;
  if (t) {
    let t_1: i32 = (launch.HKV + 3) >> 2u;
    let t_2: i32 = tw_floordiv_i32(pid1, t_1) * 4;
    let t_3: i32 = tw_floormod_i32(pid1, t_1) * 4;
    let stride: i32 = launch.HKV * 96;
    let stride_1: i32 = launch.HKV * 16;
    let t_BS: i32 = thread >> 3u;
    let left: i32 = 6 - t_2;
    let t_BH: i32 = (thread >> 1u) & 3;
    let left_1: i32 = launch.HKV - t_3;
    let t_D: i32 = (thread & 1) * 8;
    let kCache_at: i32 = t_BS * stride_1 + t_BH * 16 + t_D;
    let kCache_at_1: i32 = page * stride + t_2 * stride_1 + t_3 * 16 + kCache_at;
    let kCache_in: bool = ((u32(page) < u32(launch.NB)) & (t_BS < left)) & (t_BH < left_1);
    var kCache_tile_0: u32; var kCache_tile_1: u32; var kCache_tile_2: u32; var kCache_tile_3: u32;
    var kCache_tile_4: u32; var kCache_tile_5: u32; var kCache_tile_6: u32; var kCache_tile_7: u32;
    let kCache_tile_word = select(
        vec2<u32>(0u), kCache[select(0, kCache_at_1 >> 3u, kCache_in)], kCache_in);
    kCache_tile_0 = extractBits(kCache_tile_word.x, 0u, 8u);
    kCache_tile_1 = extractBits(kCache_tile_word.x, 8u, 8u);
    kCache_tile_2 = extractBits(kCache_tile_word.x, 16u, 8u);
    kCache_tile_3 = extractBits(kCache_tile_word.x, 24u, 8u);
    kCache_tile_4 = extractBits(kCache_tile_word.y, 0u, 8u);
    kCache_tile_5 = extractBits(kCache_tile_word.y, 8u, 8u);
    kCache_tile_6 = extractBits(kCache_tile_word.y, 16u, 8u);
    kCache_tile_7 = extractBits(kCache_tile_word.y, 24u, 8u);
    let k_at: i32 = pid0 * stride + t_2 * stride_1 + t_3 * 16 + kCache_at;
    let k_in: bool = ((pid0 < launch.P) & (t_BS < left)) & (t_BH < left_1);
    var k_tile_0: u32; var k_tile_1: u32; var k_tile_2: u32; var k_tile_3: u32; var k_tile_4: u32;
    var k_tile_5: u32; var k_tile_6: u32; var k_tile_7: u32;
    k_tile_0 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_0));
    k_tile_1 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_1));
    k_tile_2 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_2));
    k_tile_3 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_3));
    k_tile_4 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_4));
    k_tile_5 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_5));
    k_tile_6 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_6));
    k_tile_7 = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile_7));
    if (k_in) {
      k[k_at >> 3u] = vec4<u32>(
          k_tile_0 | (k_tile_1 << 16u), k_tile_2 | (k_tile_3 << 16u), k_tile_4 | (k_tile_5 << 16u),
          k_tile_6 | (k_tile_7 << 16u));
    }
    var vCache_tile_0: u32; var vCache_tile_1: u32; var vCache_tile_2: u32; var vCache_tile_3: u32;
    var vCache_tile_4: u32; var vCache_tile_5: u32; var vCache_tile_6: u32; var vCache_tile_7: u32;
    let vCache_tile_word = select(
        vec2<u32>(0u), vCache[select(0, kCache_at_1 >> 3u, kCache_in)], kCache_in);
    vCache_tile_0 = extractBits(vCache_tile_word.x, 0u, 8u);
    vCache_tile_1 = extractBits(vCache_tile_word.x, 8u, 8u);
    vCache_tile_2 = extractBits(vCache_tile_word.x, 16u, 8u);
    vCache_tile_3 = extractBits(vCache_tile_word.x, 24u, 8u);
    vCache_tile_4 = extractBits(vCache_tile_word.y, 0u, 8u);
    vCache_tile_5 = extractBits(vCache_tile_word.y, 8u, 8u);
    vCache_tile_6 = extractBits(vCache_tile_word.y, 16u, 8u);
    vCache_tile_7 = extractBits(vCache_tile_word.y, 24u, 8u);
    var v_tile_0: u32; var v_tile_1: u32; var v_tile_2: u32; var v_tile_3: u32; var v_tile_4: u32;
    var v_tile_5: u32; var v_tile_6: u32; var v_tile_7: u32;
    v_tile_0 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_0) * launch.vScale);
    v_tile_1 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_1) * launch.vScale);
    v_tile_2 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_2) * launch.vScale);
    v_tile_3 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_3) * launch.vScale);
    v_tile_4 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_4) * launch.vScale);
    v_tile_5 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_5) * launch.vScale);
    v_tile_6 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_6) * launch.vScale);
    v_tile_7 = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile_7) * launch.vScale);
    if (k_in) {
      v[k_at >> 3u] = vec4<u32>(
          v_tile_0 | (v_tile_1 << 16u), v_tile_2 | (v_tile_3 << 16u), v_tile_4 | (v_tile_5 << 16u),
          v_tile_6 | (v_tile_7 << 16u));
    }
  }
}
