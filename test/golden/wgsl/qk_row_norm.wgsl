// qk_row_norm for wgsl, made by tilewright
// dtypes: T=bf16
// dims fixed: Q=1024 K=256
// dims divisible: N%2 C%16
// 128 threads, 1024 bytes of shared memory
//       0 … 512: t8_parts f32[128]
//     512 … 1024: t23_parts f32[128]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  C: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read_write> qkv: array<u32>;
@group(0) @binding(1) var<storage, read> wq: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> wk: array<u32>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> t8_parts: array<f32, 128>;
var<workgroup> t23_parts: array<f32, 128>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(128)
fn qk_row_norm(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  let t: bool = pid1 == 0;
  if (t) {
    let t_Q: i32 = thread * 8;
    let qkv_at: i32 = pid0 * launch.C + t_Q;
    let qkv_in: bool = (pid0 < launch.N) & (t_Q < launch.C);
    var qkv_tile_0: u32; var qkv_tile_1: u32; var qkv_tile_2: u32; var qkv_tile_3: u32;
    var qkv_tile_4: u32; var qkv_tile_5: u32; var qkv_tile_6: u32; var qkv_tile_7: u32;
    let qkv_tile_word = select(0u, qkv[select(0, qkv_at >> 1u, qkv_in)], qkv_in);
    qkv_tile_0 = qkv_tile_word & 0xffffu; qkv_tile_1 = qkv_tile_word >> 16u;
    let qkv_tile_word_1 = select(0u, qkv[select(0, (qkv_at >> 1u) + 1, qkv_in)], qkv_in);
    qkv_tile_2 = qkv_tile_word_1 & 0xffffu; qkv_tile_3 = qkv_tile_word_1 >> 16u;
    let qkv_tile_word_2 = select(0u, qkv[select(0, (qkv_at >> 1u) + 2, qkv_in)], qkv_in);
    qkv_tile_4 = qkv_tile_word_2 & 0xffffu; qkv_tile_5 = qkv_tile_word_2 >> 16u;
    let qkv_tile_word_3 = select(0u, qkv[select(0, (qkv_at >> 1u) + 3, qkv_in)], qkv_in);
    qkv_tile_6 = qkv_tile_word_3 & 0xffffu; qkv_tile_7 = qkv_tile_word_3 >> 16u;
    var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32; var v_4: f32; var v_5: f32;
    var v_6: f32; var v_7: f32;
    v_0 = tw_bf16_to_f32(qkv_tile_0); v_1 = tw_bf16_to_f32(qkv_tile_1);
    v_2 = tw_bf16_to_f32(qkv_tile_2); v_3 = tw_bf16_to_f32(qkv_tile_3);
    v_4 = tw_bf16_to_f32(qkv_tile_4); v_5 = tw_bf16_to_f32(qkv_tile_5);
    v_6 = tw_bf16_to_f32(qkv_tile_6); v_7 = tw_bf16_to_f32(qkv_tile_7);
    var sum: f32 = 0.0f;
    sum = sum + v_0 * v_0;
    sum = sum + v_1 * v_1;
    sum = sum + v_2 * v_2;
    sum = sum + v_3 * v_3;
    sum = sum + v_4 * v_4;
    sum = sum + v_5 * v_5;
    sum = sum + v_6 * v_6;
    sum = sum + v_7 * v_7;
    t8_parts[thread] = sum;
    storageBarrier();
    workgroupBarrier();
    if (thread < 8) {
      sum = t8_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other: f32;
        other = t8_parts[thread + r * 8];
        sum = sum + other;
      }
      t8_parts[thread] = sum;
    }
    storageBarrier();
    workgroupBarrier();
    var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
    var parts_5: f32; var parts_6: f32; var parts_7: f32;
    parts_0 = t8_parts[0];
    parts_1 = t8_parts[1];
    parts_2 = t8_parts[2];
    parts_3 = t8_parts[3];
    parts_4 = t8_parts[4];
    parts_5 = t8_parts[5];
    parts_6 = t8_parts[6];
    parts_7 = t8_parts[7];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    let scale: f32 = inverseSqrt(sum / 1024.0f + launch.eps);
    var wq_tile_0: u32; var wq_tile_1: u32; var wq_tile_2: u32; var wq_tile_3: u32;
    var wq_tile_4: u32; var wq_tile_5: u32; var wq_tile_6: u32; var wq_tile_7: u32;
    let wq_tile_word = wq[t_Q >> 3u];
    wq_tile_0 = wq_tile_word.x & 0xffffu; wq_tile_1 = wq_tile_word.x >> 16u;
    wq_tile_2 = wq_tile_word.y & 0xffffu; wq_tile_3 = wq_tile_word.y >> 16u;
    wq_tile_4 = wq_tile_word.z & 0xffffu; wq_tile_5 = wq_tile_word.z >> 16u;
    wq_tile_6 = wq_tile_word.w & 0xffffu; wq_tile_7 = wq_tile_word.w >> 16u;
    var qkv_tile_1_1_0: u32; var qkv_tile_1_1_1: u32; var qkv_tile_1_1_2: u32;
    var qkv_tile_1_1_3: u32; var qkv_tile_1_1_4: u32; var qkv_tile_1_1_5: u32;
    var qkv_tile_1_1_6: u32; var qkv_tile_1_1_7: u32;
    qkv_tile_1_1_0 = tw_f32_to_bf16(v_0 * scale * tw_bf16_to_f32(wq_tile_0));
    qkv_tile_1_1_1 = tw_f32_to_bf16(v_1 * scale * tw_bf16_to_f32(wq_tile_1));
    qkv_tile_1_1_2 = tw_f32_to_bf16(v_2 * scale * tw_bf16_to_f32(wq_tile_2));
    qkv_tile_1_1_3 = tw_f32_to_bf16(v_3 * scale * tw_bf16_to_f32(wq_tile_3));
    qkv_tile_1_1_4 = tw_f32_to_bf16(v_4 * scale * tw_bf16_to_f32(wq_tile_4));
    qkv_tile_1_1_5 = tw_f32_to_bf16(v_5 * scale * tw_bf16_to_f32(wq_tile_5));
    qkv_tile_1_1_6 = tw_f32_to_bf16(v_6 * scale * tw_bf16_to_f32(wq_tile_6));
    qkv_tile_1_1_7 = tw_f32_to_bf16(v_7 * scale * tw_bf16_to_f32(wq_tile_7));
    if (qkv_in) {
      qkv[qkv_at >> 1u] = qkv_tile_1_1_0 | (qkv_tile_1_1_1 << 16u);
      qkv[(qkv_at >> 1u) + 1] = qkv_tile_1_1_2 | (qkv_tile_1_1_3 << 16u);
      qkv[(qkv_at >> 1u) + 2] = qkv_tile_1_1_4 | (qkv_tile_1_1_5 << 16u);
      qkv[(qkv_at >> 1u) + 3] = qkv_tile_1_1_6 | (qkv_tile_1_1_7 << 16u);
    }
  } else {
    let t_K: i32 = thread * 2;
    let left: i32 = launch.C - 1024;
    let qkv_at_1: i32 = pid0 * launch.C + t_K;
    let qkv_in_1: bool = (pid0 < launch.N) & (t_K < left);
    var qkv_tile_2_0: u32; var qkv_tile_2_1: u32;
    let qkv_tile_2_word = select(0u, qkv[select(0, (qkv_at_1 + 1024) >> 1u, qkv_in_1)], qkv_in_1);
    qkv_tile_2_0 = qkv_tile_2_word & 0xffffu; qkv_tile_2_1 = qkv_tile_2_word >> 16u;
    var v_1_0: f32; var v_1_1: f32;
    v_1_0 = tw_bf16_to_f32(qkv_tile_2_0); v_1_1 = tw_bf16_to_f32(qkv_tile_2_1);
    var sum_1: f32 = 0.0f;
    sum_1 = sum_1 + v_1_0 * v_1_0;
    sum_1 = sum_1 + v_1_1 * v_1_1;
    t23_parts[thread] = sum_1;
    storageBarrier();
    workgroupBarrier();
    if (thread < 8) {
      sum_1 = t23_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_1: f32;
        other_1 = t23_parts[thread + r * 8];
        sum_1 = sum_1 + other_1;
      }
      t23_parts[thread] = sum_1;
    }
    storageBarrier();
    workgroupBarrier();
    var parts_1_0: f32; var parts_1_1: f32; var parts_1_2: f32; var parts_1_3: f32;
    var parts_1_4: f32; var parts_1_5: f32; var parts_1_6: f32; var parts_1_7: f32;
    parts_1_0 = t23_parts[0];
    parts_1_1 = t23_parts[1];
    parts_1_2 = t23_parts[2];
    parts_1_3 = t23_parts[3];
    parts_1_4 = t23_parts[4];
    parts_1_5 = t23_parts[5];
    parts_1_6 = t23_parts[6];
    parts_1_7 = t23_parts[7];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    sum_1 = sum_1 + parts_1_4;
    sum_1 = sum_1 + parts_1_5;
    sum_1 = sum_1 + parts_1_6;
    sum_1 = sum_1 + parts_1_7;
    let scale_1: f32 = inverseSqrt(sum_1 / 256.0f + launch.eps);
    var wk_tile_0: u32; var wk_tile_1: u32;
    let wk_tile_word = wk[t_K >> 1u];
    wk_tile_0 = wk_tile_word & 0xffffu; wk_tile_1 = wk_tile_word >> 16u;
    var qkv_tile_3_0: u32; var qkv_tile_3_1: u32;
    qkv_tile_3_0 = tw_f32_to_bf16(v_1_0 * scale_1 * tw_bf16_to_f32(wk_tile_0));
    qkv_tile_3_1 = tw_f32_to_bf16(v_1_1 * scale_1 * tw_bf16_to_f32(wk_tile_1));
    if (qkv_in_1) {
      qkv[(qkv_at_1 + 1024) >> 1u] = qkv_tile_3_0 | (qkv_tile_3_1 << 16u);
    }
  }
}
