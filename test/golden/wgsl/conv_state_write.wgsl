// conv_state_write for wgsl, made by tilewright
// dtypes: T=bf16
// config: BC=128
// dims fixed: K1=3
// dims divisible: NB%2 C%16 S%4 MAXB%2
// 16 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  W: i32,
  NB: i32,
  C: i32,
  S: i32,
  MAXB: i32,
  S1: i32,
  column: i32,
}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> table: array<i32>;
@group(0) @binding(3) var<storage, read> queryStart: array<i32>;
@group(0) @binding(4) var<storage, read> lens: array<i32>;
@group(0) @binding(5) var<uniform> launch: TwLaunch;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(16)
fn conv_state_write(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var rowStart: i32;
  rowStart = queryStart[pid1];
  let t: i32 = pid1 + 1;
  var rowEnd: i32;
  rowEnd = queryStart[t];
  let count: i32 = rowEnd - rowStart;
  let t_1: bool = count > 0;
  if (t_1) {
    var lens_tile: i32;
    lens_tile = lens[pid1];
    let past: i32 = lens_tile - count;
    let table_at: i32 = pid1 * launch.MAXB;
    var slot: i32;
    slot = table[table_at];
    let c0: i32 = pid0 * 128;
    let t_2: i32 = count - 3;
    let t_3: i32 = launch.column + c0;
    let t_4: i32 = launch.column + launch.C;
    let bound: i32 = min(t_4, launch.W);
    let x_at: i32 = thread + t_3;
    let position: i32 = t_3 + thread;
    let bound_1: i32 = max(bound, 0);
    let stride: i32 = launch.C * 3;
    let state_at: i32 = thread + slot * stride + c0;
    let state_in: bool = u32(slot) < u32(launch.NB);
    let left: i32 = launch.C - c0;
    for (var j: i32 = 0; j < 3; j++) {
      let t_5: i32 = t_2 + j;
      let isFresh: bool = t_5 >= 0;
      let isKept: bool = (t_5 < 0) & (past + t_5 >= 0);
      let t_6: i32 = select(0, rowStart + t_5, isFresh);
      let x_at_1: i32 = x_at + t_6 * launch.W;
      let x_in: bool = (u32(t_6) < u32(launch.N)) & isFresh;
      var fresh_0: u32; var fresh_1: u32; var fresh_2: u32; var fresh_3: u32; var fresh_4: u32;
      var fresh_5: u32; var fresh_6: u32; var fresh_7: u32;
      let fresh_in = x_in & (u32(position) < u32(bound_1));
      let fresh_word = select(
          0u, x[select(0, x_at_1 >> 1u, fresh_in)], fresh_in) >> ((u32(x_at_1) & 1u) * 16u);
      fresh_0 = fresh_word & 0xffffu;
      let fresh_in_1 = x_in & (u32(position + 16) < u32(bound_1));
      let fresh_word_1 = select(
          0u, x[select(0, (x_at_1 + 16) >> 1u, fresh_in_1)], fresh_in_1) >> ((u32(x_at_1 + 16) & 1u) * 16u);
      fresh_1 = fresh_word_1 & 0xffffu;
      let fresh_in_2 = x_in & (u32(position + 32) < u32(bound_1));
      let fresh_word_2 = select(
          0u, x[select(0, (x_at_1 + 32) >> 1u, fresh_in_2)], fresh_in_2) >> ((u32(x_at_1 + 32) & 1u) * 16u);
      fresh_2 = fresh_word_2 & 0xffffu;
      let fresh_in_3 = x_in & (u32(position + 48) < u32(bound_1));
      let fresh_word_3 = select(
          0u, x[select(0, (x_at_1 + 48) >> 1u, fresh_in_3)], fresh_in_3) >> ((u32(x_at_1 + 48) & 1u) * 16u);
      fresh_3 = fresh_word_3 & 0xffffu;
      let fresh_in_4 = x_in & (u32(position + 64) < u32(bound_1));
      let fresh_word_4 = select(
          0u, x[select(0, (x_at_1 + 64) >> 1u, fresh_in_4)], fresh_in_4) >> ((u32(x_at_1 + 64) & 1u) * 16u);
      fresh_4 = fresh_word_4 & 0xffffu;
      let fresh_in_5 = x_in & (u32(position + 80) < u32(bound_1));
      let fresh_word_5 = select(
          0u, x[select(0, (x_at_1 + 80) >> 1u, fresh_in_5)], fresh_in_5) >> ((u32(x_at_1 + 80) & 1u) * 16u);
      fresh_5 = fresh_word_5 & 0xffffu;
      let fresh_in_6 = x_in & (u32(position + 96) < u32(bound_1));
      let fresh_word_6 = select(
          0u, x[select(0, (x_at_1 + 96) >> 1u, fresh_in_6)], fresh_in_6) >> ((u32(x_at_1 + 96) & 1u) * 16u);
      fresh_6 = fresh_word_6 & 0xffffu;
      let fresh_in_7 = x_in & (u32(position + 112) < u32(bound_1));
      let fresh_word_7 = select(
          0u, x[select(0, (x_at_1 + 112) >> 1u, fresh_in_7)], fresh_in_7) >> ((u32(x_at_1 + 112) & 1u) * 16u);
      fresh_7 = fresh_word_7 & 0xffffu;
      storageBarrier();
      workgroupBarrier();
      let t_7: i32 = select(0, t_5 + 3, isKept);
      let state_at_1: i32 = state_at + t_7 * launch.C;
      let state_in_1: bool = (state_in & (u32(t_7) < 3u)) & isKept;
      var kept_0: u32; var kept_1: u32; var kept_2: u32; var kept_3: u32; var kept_4: u32;
      var kept_5: u32; var kept_6: u32; var kept_7: u32;
      let kept_in = state_in_1 & (thread < left);
      let kept_word = select(
          0u, atomicLoad(&state[select(0, state_at_1 >> 1u, kept_in)]), kept_in) >> ((u32(state_at_1) & 1u) * 16u);
      kept_0 = kept_word & 0xffffu;
      let kept_in_1 = state_in_1 & (thread + 16 < left);
      let kept_word_1 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 16) >> 1u, kept_in_1)]), kept_in_1) >> ((u32(state_at_1 + 16) & 1u) * 16u);
      kept_1 = kept_word_1 & 0xffffu;
      let kept_in_2 = state_in_1 & (thread + 32 < left);
      let kept_word_2 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 32) >> 1u, kept_in_2)]), kept_in_2) >> ((u32(state_at_1 + 32) & 1u) * 16u);
      kept_2 = kept_word_2 & 0xffffu;
      let kept_in_3 = state_in_1 & (thread + 48 < left);
      let kept_word_3 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 48) >> 1u, kept_in_3)]), kept_in_3) >> ((u32(state_at_1 + 48) & 1u) * 16u);
      kept_3 = kept_word_3 & 0xffffu;
      let kept_in_4 = state_in_1 & (thread + 64 < left);
      let kept_word_4 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 64) >> 1u, kept_in_4)]), kept_in_4) >> ((u32(state_at_1 + 64) & 1u) * 16u);
      kept_4 = kept_word_4 & 0xffffu;
      let kept_in_5 = state_in_1 & (thread + 80 < left);
      let kept_word_5 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 80) >> 1u, kept_in_5)]), kept_in_5) >> ((u32(state_at_1 + 80) & 1u) * 16u);
      kept_5 = kept_word_5 & 0xffffu;
      let kept_in_6 = state_in_1 & (thread + 96 < left);
      let kept_word_6 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 96) >> 1u, kept_in_6)]), kept_in_6) >> ((u32(state_at_1 + 96) & 1u) * 16u);
      kept_6 = kept_word_6 & 0xffffu;
      let kept_in_7 = state_in_1 & (thread + 112 < left);
      let kept_word_7 = select(
          0u, atomicLoad(&state[select(0, (state_at_1 + 112) >> 1u, kept_in_7)]), kept_in_7) >> ((u32(state_at_1 + 112) & 1u) * 16u);
      kept_7 = kept_word_7 & 0xffffu;
      storageBarrier();
      workgroupBarrier();
      let state_at_2: i32 = state_at + j * launch.C;
      let state_tile: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_0) + tw_bf16_to_f32(kept_0));
      if (state_in & (thread < left)) {
        let shift = (u32(state_at_2) & 1u) * 16u;
        atomicAnd(&state[state_at_2 >> 1u], ~(0xffffu << shift));
        atomicOr(&state[state_at_2 >> 1u], state_tile << shift);
      }
      let state_tile_1: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_1) + tw_bf16_to_f32(kept_1));
      if (state_in & (thread + 16 < left)) {
        let shift = (u32(state_at_2 + 16) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 16) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 16) >> 1u], state_tile_1 << shift);
      }
      let state_tile_2: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_2) + tw_bf16_to_f32(kept_2));
      if (state_in & (thread + 32 < left)) {
        let shift = (u32(state_at_2 + 32) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 32) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 32) >> 1u], state_tile_2 << shift);
      }
      let state_tile_3: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_3) + tw_bf16_to_f32(kept_3));
      if (state_in & (thread + 48 < left)) {
        let shift = (u32(state_at_2 + 48) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 48) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 48) >> 1u], state_tile_3 << shift);
      }
      let state_tile_4: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_4) + tw_bf16_to_f32(kept_4));
      if (state_in & (thread + 64 < left)) {
        let shift = (u32(state_at_2 + 64) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 64) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 64) >> 1u], state_tile_4 << shift);
      }
      let state_tile_5: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_5) + tw_bf16_to_f32(kept_5));
      if (state_in & (thread + 80 < left)) {
        let shift = (u32(state_at_2 + 80) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 80) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 80) >> 1u], state_tile_5 << shift);
      }
      let state_tile_6: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_6) + tw_bf16_to_f32(kept_6));
      if (state_in & (thread + 96 < left)) {
        let shift = (u32(state_at_2 + 96) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 96) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 96) >> 1u], state_tile_6 << shift);
      }
      let state_tile_7: u32 = tw_f32_to_bf16(tw_bf16_to_f32(fresh_7) + tw_bf16_to_f32(kept_7));
      if (state_in & (thread + 112 < left)) {
        let shift = (u32(state_at_2 + 112) & 1u) * 16u;
        atomicAnd(&state[(state_at_2 + 112) >> 1u], ~(0xffffu << shift));
        atomicOr(&state[(state_at_2 + 112) >> 1u], state_tile_7 << shift);
      }
    }
  }
}
