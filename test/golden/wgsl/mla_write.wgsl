// mla_write for wgsl, made by tilewright
// dtypes: T=bf16
// config: INTERLEAVED=true
// dims fixed: R=512 D2=32 PAGE=4
// dims divisible: KW%16 P%2 DR%16
// 64 threads, 256 bytes of shared memory
//       0 … 256: t35_parts f32[64]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  KW: i32,
  P: i32,
  NB: i32,
  DR: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> kv: array<u32>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> positions: array<i32>;
@group(0) @binding(3) var<storage, read> cosSin: array<f32>;
@group(0) @binding(4) var<storage, read> slots: array<i32>;
@group(0) @binding(5) var<storage, read_write> latents: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> ropes: array<atomic<u32>>;
@group(0) @binding(7) var<uniform> launch: TwLaunch;
var<workgroup> t35_parts: array<f32, 64>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(64)
fn mla_write(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  var slot: i32;
  slot = slots[pid0];
  let t: bool = slot >= 0;
  if (t) {
    let page: i32 = slot >> 2u;
    let offset: i32 = slot & 3;
    var position: i32;
    position = positions[pid0];
    let t_D2: i32 = thread & 31;
    let cosSin_at: i32 = position * 64 + t_D2;
    let cosSin_in: bool = u32(position) < u32(launch.P);
    var cos: f32;
    cos = select(0.0f, cosSin[select(0, cosSin_at, cosSin_in)], cosSin_in);
    var sin: f32;
    sin = select(0.0f, cosSin[select(0, cosSin_at + 32, cosSin_in)], cosSin_in);
    let first: i32 = t_D2 * 2 + 512;
    let kv_at: i32 = pid0 * launch.KW + first;
    let kv_in: bool = (pid0 < launch.N) & (u32(first) < u32(launch.KW));
    var kv_tile: u32;
    let kv_tile_word = select(0u, kv[select(0, kv_at >> 1u, kv_in)], kv_in) >> ((u32(kv_at) & 1u) * 16u);
    kv_tile = kv_tile_word & 0xffffu;
    let x: f32 = tw_bf16_to_f32(kv_tile);
    let t_1: i32 = first + 1;
    let kv_at_1: i32 = pid0 * launch.KW + t_1;
    let kv_in_1: bool = (pid0 < launch.N) & (u32(t_1) < u32(launch.KW));
    var kv_tile_1: u32;
    let kv_tile_1_word = select(
        0u, kv[select(0, kv_at_1 >> 1u, kv_in_1)], kv_in_1) >> ((u32(kv_at_1) & 1u) * 16u);
    kv_tile_1 = kv_tile_1_word & 0xffffu;
    let y: f32 = tw_bf16_to_f32(kv_tile_1);
    let stride: i32 = launch.DR * 4;
    let ropes_at: i32 = page * stride + offset * launch.DR + t_D2;
    let ropes_in: bool = (u32(page) < u32(launch.NB)) & (t_D2 < launch.DR);
    let is_first: bool = thread < 32;
    if (is_first) {
      let ropes_tile: u32 = tw_f32_to_bf16(x * cos - y * sin);
      if (ropes_in) {
        let shift = (u32(ropes_at) & 1u) * 16u;
        atomicAnd(&ropes[ropes_at >> 1u], ~(0xffffu << shift));
        atomicOr(&ropes[ropes_at >> 1u], ropes_tile << shift);
      }
    }
    storageBarrier();
    workgroupBarrier();
    let left: i32 = launch.DR - 32;
    let ropes_in_1: bool = (u32(page) < u32(launch.NB)) & (t_D2 < left);
    if (is_first) {
      let ropes_tile_1: u32 = tw_f32_to_bf16(y * cos + x * sin);
      if (ropes_in_1) {
        let shift = (u32(ropes_at + 32) & 1u) * 16u;
        atomicAnd(&ropes[(ropes_at + 32) >> 1u], ~(0xffffu << shift));
        atomicOr(&ropes[(ropes_at + 32) >> 1u], ropes_tile_1 << shift);
      }
    }
    let t_R: i32 = thread * 8;
    let kv_at_2: i32 = pid0 * launch.KW + t_R;
    let kv_in_2: bool = (pid0 < launch.N) & (t_R < launch.KW);
    var kv_tile_2_0: u32; var kv_tile_2_1: u32; var kv_tile_2_2: u32; var kv_tile_2_3: u32;
    var kv_tile_2_4: u32; var kv_tile_2_5: u32; var kv_tile_2_6: u32; var kv_tile_2_7: u32;
    let kv_tile_2_word = select(0u, kv[select(0, kv_at_2 >> 1u, kv_in_2)], kv_in_2);
    kv_tile_2_0 = kv_tile_2_word & 0xffffu; kv_tile_2_1 = kv_tile_2_word >> 16u;
    let kv_tile_2_word_1 = select(0u, kv[select(0, (kv_at_2 >> 1u) + 1, kv_in_2)], kv_in_2);
    kv_tile_2_2 = kv_tile_2_word_1 & 0xffffu; kv_tile_2_3 = kv_tile_2_word_1 >> 16u;
    let kv_tile_2_word_2 = select(0u, kv[select(0, (kv_at_2 >> 1u) + 2, kv_in_2)], kv_in_2);
    kv_tile_2_4 = kv_tile_2_word_2 & 0xffffu; kv_tile_2_5 = kv_tile_2_word_2 >> 16u;
    let kv_tile_2_word_3 = select(0u, kv[select(0, (kv_at_2 >> 1u) + 3, kv_in_2)], kv_in_2);
    kv_tile_2_6 = kv_tile_2_word_3 & 0xffffu; kv_tile_2_7 = kv_tile_2_word_3 >> 16u;
    var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32; var v_4: f32; var v_5: f32;
    var v_6: f32; var v_7: f32;
    v_0 = tw_bf16_to_f32(kv_tile_2_0); v_1 = tw_bf16_to_f32(kv_tile_2_1);
    v_2 = tw_bf16_to_f32(kv_tile_2_2); v_3 = tw_bf16_to_f32(kv_tile_2_3);
    v_4 = tw_bf16_to_f32(kv_tile_2_4); v_5 = tw_bf16_to_f32(kv_tile_2_5);
    v_6 = tw_bf16_to_f32(kv_tile_2_6); v_7 = tw_bf16_to_f32(kv_tile_2_7);
    var sum: f32 = 0.0f;
    sum = sum + v_0 * v_0;
    sum = sum + v_1 * v_1;
    sum = sum + v_2 * v_2;
    sum = sum + v_3 * v_3;
    sum = sum + v_4 * v_4;
    sum = sum + v_5 * v_5;
    sum = sum + v_6 * v_6;
    sum = sum + v_7 * v_7;
    t35_parts[thread] = sum;
    storageBarrier();
    workgroupBarrier();
    if (thread < 8) {
      sum = t35_parts[thread];
      var other: f32;
      other = t35_parts[thread + 8];
      sum = sum + other;
      var other_1: f32;
      other_1 = t35_parts[thread + 16];
      sum = sum + other_1;
      var other_2: f32;
      other_2 = t35_parts[thread + 24];
      sum = sum + other_2;
      var other_3: f32;
      other_3 = t35_parts[thread + 32];
      sum = sum + other_3;
      var other_4: f32;
      other_4 = t35_parts[thread + 40];
      sum = sum + other_4;
      var other_5: f32;
      other_5 = t35_parts[thread + 48];
      sum = sum + other_5;
      var other_6: f32;
      other_6 = t35_parts[thread + 56];
      sum = sum + other_6;
      t35_parts[thread] = sum;
    }
    storageBarrier();
    workgroupBarrier();
    var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
    var parts_5: f32; var parts_6: f32; var parts_7: f32;
    parts_0 = t35_parts[0];
    parts_1 = t35_parts[1];
    parts_2 = t35_parts[2];
    parts_3 = t35_parts[3];
    parts_4 = t35_parts[4];
    parts_5 = t35_parts[5];
    parts_6 = t35_parts[6];
    parts_7 = t35_parts[7];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    let scale: f32 = inverseSqrt(sum / 512.0f + launch.eps);
    var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
    var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32;
    let w_tile_word = w[t_R >> 3u];
    w_tile_0 = w_tile_word.x & 0xffffu; w_tile_1 = w_tile_word.x >> 16u;
    w_tile_2 = w_tile_word.y & 0xffffu; w_tile_3 = w_tile_word.y >> 16u;
    w_tile_4 = w_tile_word.z & 0xffffu; w_tile_5 = w_tile_word.z >> 16u;
    w_tile_6 = w_tile_word.w & 0xffffu; w_tile_7 = w_tile_word.w >> 16u;
    let latents_at: i32 = page * 2048 + offset * 512 + t_R;
    let latents_in: bool = u32(page) < u32(launch.NB);
    var latents_tile_0: u32; var latents_tile_1: u32; var latents_tile_2: u32;
    var latents_tile_3: u32; var latents_tile_4: u32; var latents_tile_5: u32;
    var latents_tile_6: u32; var latents_tile_7: u32;
    latents_tile_0 = tw_f32_to_bf16(v_0 * scale * tw_bf16_to_f32(w_tile_0));
    latents_tile_1 = tw_f32_to_bf16(v_1 * scale * tw_bf16_to_f32(w_tile_1));
    latents_tile_2 = tw_f32_to_bf16(v_2 * scale * tw_bf16_to_f32(w_tile_2));
    latents_tile_3 = tw_f32_to_bf16(v_3 * scale * tw_bf16_to_f32(w_tile_3));
    latents_tile_4 = tw_f32_to_bf16(v_4 * scale * tw_bf16_to_f32(w_tile_4));
    latents_tile_5 = tw_f32_to_bf16(v_5 * scale * tw_bf16_to_f32(w_tile_5));
    latents_tile_6 = tw_f32_to_bf16(v_6 * scale * tw_bf16_to_f32(w_tile_6));
    latents_tile_7 = tw_f32_to_bf16(v_7 * scale * tw_bf16_to_f32(w_tile_7));
    if (latents_in) {
      latents[latents_at >> 3u] = vec4<u32>(
          latents_tile_0 | (latents_tile_1 << 16u), latents_tile_2 | (latents_tile_3 << 16u),
          latents_tile_4 | (latents_tile_5 << 16u), latents_tile_6 | (latents_tile_7 << 16u));
    }
  }
}
