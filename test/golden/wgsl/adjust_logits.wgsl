// adjust_logits for wgsl, made by tilewright
// config: BV=1024
// dims divisible: W%2 E%2 N%4
// 128 threads, 0 bytes of shared memory

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  V: i32,
  M: i32,
  W: i32,
  E: i32,
  N: i32,
}
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<i32>;
@group(0) @binding(2) var<storage, read> mask: array<i32>;
@group(0) @binding(3) var<storage, read> biasToken: array<i32>;
@group(0) @binding(4) var<storage, read> biasValue: array<f32>;
@group(0) @binding(5) var<storage, read> counts: array<i32>;
@group(0) @binding(6) var<storage, read> penalties: array<f32>;
@group(0) @binding(7) var<storage, read_write> adjusted: array<f32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;

// A call is no constant expression, so that NaN and infinity pass.
fn tw_bits_f32(bits: u32) -> f32 { return bitcast<f32>(bits); }

@compute @workgroup_size(128)
fn adjust_logits(
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
  var token_0: i32; var token_1: i32; var token_2: i32; var token_3: i32; var token_4: i32;
  var token_5: i32; var token_6: i32; var token_7: i32;
  token_0 = t + thread; token_1 = t + thread + 128; token_2 = t + thread + 256;
  token_3 = t + thread + 384; token_4 = t + thread + 512; token_5 = t + thread + 640;
  token_6 = t + thread + 768; token_7 = t + thread + 896;
  let logits_at: i32 = pid0 * launch.V + t + thread;
  let logits_in: bool = pid0 < launch.S;
  var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32; var x_6: f32;
  var x_7: f32;
  let left: i32 = launch.V - t;
  let x_in = logits_in & (thread < left);
  x_0 = select(0.0f, logits[select(0, logits_at, x_in)], x_in);
  let x_in_1 = logits_in & (thread + 128 < left);
  x_1 = select(0.0f, logits[select(0, logits_at + 128, x_in_1)], x_in_1);
  let x_in_2 = logits_in & (thread + 256 < left);
  x_2 = select(0.0f, logits[select(0, logits_at + 256, x_in_2)], x_in_2);
  let x_in_3 = logits_in & (thread + 384 < left);
  x_3 = select(0.0f, logits[select(0, logits_at + 384, x_in_3)], x_in_3);
  let x_in_4 = logits_in & (thread + 512 < left);
  x_4 = select(0.0f, logits[select(0, logits_at + 512, x_in_4)], x_in_4);
  let x_in_5 = logits_in & (thread + 640 < left);
  x_5 = select(0.0f, logits[select(0, logits_at + 640, x_in_5)], x_in_5);
  let x_in_6 = logits_in & (thread + 768 < left);
  x_6 = select(0.0f, logits[select(0, logits_at + 768, x_in_6)], x_in_6);
  let x_in_7 = logits_in & (thread + 896 < left);
  x_7 = select(0.0f, logits[select(0, logits_at + 896, x_in_7)], x_in_7);
  let rows_at: i32 = pid0 * 4;
  var m: i32;
  m = rows[rows_at];
  let t_1: bool = m >= 0;
  var x_1_1_0: f32; var x_1_1_1: f32; var x_1_1_2: f32; var x_1_1_3: f32; var x_1_1_4: f32;
  var x_1_1_5: f32; var x_1_1_6: f32; var x_1_1_7: f32;
  if (t_1) {
    var t_2_0: i32; var t_2_1: i32; var t_2_2: i32; var t_2_3: i32; var t_2_4: i32; var t_2_5: i32;
    var t_2_6: i32; var t_2_7: i32;
    t_2_0 = select(-1, token_0 >> 5u, token_0 < launch.V);
    t_2_1 = select(-1, token_1 >> 5u, token_1 < launch.V);
    t_2_2 = select(-1, token_2 >> 5u, token_2 < launch.V);
    t_2_3 = select(-1, token_3 >> 5u, token_3 < launch.V);
    t_2_4 = select(-1, token_4 >> 5u, token_4 < launch.V);
    t_2_5 = select(-1, token_5 >> 5u, token_5 < launch.V);
    t_2_6 = select(-1, token_6 >> 5u, token_6 < launch.V);
    t_2_7 = select(-1, token_7 >> 5u, token_7 < launch.V);
    let mask_at: i32 = m * launch.W;
    let mask_in: bool = u32(m) < u32(launch.M);
    var words_0: i32; var words_1: i32; var words_2: i32; var words_3: i32; var words_4: i32;
    var words_5: i32; var words_6: i32; var words_7: i32;
    let words_in = mask_in & (u32(t_2_0) < u32(launch.W));
    words_0 = select(0, mask[select(0, mask_at + t_2_0, words_in)], words_in);
    let words_in_1 = mask_in & (u32(t_2_1) < u32(launch.W));
    words_1 = select(0, mask[select(0, mask_at + t_2_1, words_in_1)], words_in_1);
    let words_in_2 = mask_in & (u32(t_2_2) < u32(launch.W));
    words_2 = select(0, mask[select(0, mask_at + t_2_2, words_in_2)], words_in_2);
    let words_in_3 = mask_in & (u32(t_2_3) < u32(launch.W));
    words_3 = select(0, mask[select(0, mask_at + t_2_3, words_in_3)], words_in_3);
    let words_in_4 = mask_in & (u32(t_2_4) < u32(launch.W));
    words_4 = select(0, mask[select(0, mask_at + t_2_4, words_in_4)], words_in_4);
    let words_in_5 = mask_in & (u32(t_2_5) < u32(launch.W));
    words_5 = select(0, mask[select(0, mask_at + t_2_5, words_in_5)], words_in_5);
    let words_in_6 = mask_in & (u32(t_2_6) < u32(launch.W));
    words_6 = select(0, mask[select(0, mask_at + t_2_6, words_in_6)], words_in_6);
    let words_in_7 = mask_in & (u32(t_2_7) < u32(launch.W));
    words_7 = select(0, mask[select(0, mask_at + t_2_7, words_in_7)], words_in_7);
    x_1_1_0 = select(tw_bits_f32(0xff800000u), x_0, ((words_0 >> u32(token_0 & 31)) & 1) == 1);
    x_1_1_1 = select(tw_bits_f32(0xff800000u), x_1, ((words_1 >> u32(token_1 & 31)) & 1) == 1);
    x_1_1_2 = select(tw_bits_f32(0xff800000u), x_2, ((words_2 >> u32(token_2 & 31)) & 1) == 1);
    x_1_1_3 = select(tw_bits_f32(0xff800000u), x_3, ((words_3 >> u32(token_3 & 31)) & 1) == 1);
    x_1_1_4 = select(tw_bits_f32(0xff800000u), x_4, ((words_4 >> u32(token_4 & 31)) & 1) == 1);
    x_1_1_5 = select(tw_bits_f32(0xff800000u), x_5, ((words_5 >> u32(token_5 & 31)) & 1) == 1);
    x_1_1_6 = select(tw_bits_f32(0xff800000u), x_6, ((words_6 >> u32(token_6 & 31)) & 1) == 1);
    x_1_1_7 = select(tw_bits_f32(0xff800000u), x_7, ((words_7 >> u32(token_7 & 31)) & 1) == 1);
  } else {
    x_1_1_0 = x_0; x_1_1_1 = x_1; x_1_1_2 = x_2; x_1_1_3 = x_3; x_1_1_4 = x_4; x_1_1_5 = x_5;
    x_1_1_6 = x_6; x_1_1_7 = x_7;
  }
  var rows_tile: i32;
  rows_tile = rows[rows_at + 2];
  var rows_tile_1: i32;
  rows_tile_1 = rows[rows_at + 3];
  let e_start = rows_tile;
  let e_end = rows_tile_1;
  for (var e: i32 = e_start; e < e_end; e++) {
    var biasToken_tile: i32;
    biasToken_tile = biasToken[e];
    var biasValue_tile: f32;
    biasValue_tile = biasValue[e];
    x_1_1_0 = select(x_1_1_0, x_1_1_0 + biasValue_tile, token_0 == biasToken_tile);
    x_1_1_1 = select(x_1_1_1, x_1_1_1 + biasValue_tile, token_1 == biasToken_tile);
    x_1_1_2 = select(x_1_1_2, x_1_1_2 + biasValue_tile, token_2 == biasToken_tile);
    x_1_1_3 = select(x_1_1_3, x_1_1_3 + biasValue_tile, token_3 == biasToken_tile);
    x_1_1_4 = select(x_1_1_4, x_1_1_4 + biasValue_tile, token_4 == biasToken_tile);
    x_1_1_5 = select(x_1_1_5, x_1_1_5 + biasValue_tile, token_5 == biasToken_tile);
    x_1_1_6 = select(x_1_1_6, x_1_1_6 + biasValue_tile, token_6 == biasToken_tile);
    x_1_1_7 = select(x_1_1_7, x_1_1_7 + biasValue_tile, token_7 == biasToken_tile);
  }
  var row: i32;
  row = rows[rows_at + 1];
  let t_3: bool = row >= 0;
  var x_2_1_0: f32; var x_2_1_1: f32; var x_2_1_2: f32; var x_2_1_3: f32; var x_2_1_4: f32;
  var x_2_1_5: f32; var x_2_1_6: f32; var x_2_1_7: f32;
  if (t_3) {
    let counts_at: i32 = row * launch.V + t + thread;
    let counts_in: bool = u32(row) < u32(launch.N);
    var count_0: i32; var count_1: i32; var count_2: i32; var count_3: i32; var count_4: i32;
    var count_5: i32; var count_6: i32; var count_7: i32;
    let count_in = counts_in & (thread < left);
    count_0 = select(0, counts[select(0, counts_at, count_in)], count_in);
    let count_in_1 = counts_in & (thread + 128 < left);
    count_1 = select(0, counts[select(0, counts_at + 128, count_in_1)], count_in_1);
    let count_in_2 = counts_in & (thread + 256 < left);
    count_2 = select(0, counts[select(0, counts_at + 256, count_in_2)], count_in_2);
    let count_in_3 = counts_in & (thread + 384 < left);
    count_3 = select(0, counts[select(0, counts_at + 384, count_in_3)], count_in_3);
    let count_in_4 = counts_in & (thread + 512 < left);
    count_4 = select(0, counts[select(0, counts_at + 512, count_in_4)], count_in_4);
    let count_in_5 = counts_in & (thread + 640 < left);
    count_5 = select(0, counts[select(0, counts_at + 640, count_in_5)], count_in_5);
    let count_in_6 = counts_in & (thread + 768 < left);
    count_6 = select(0, counts[select(0, counts_at + 768, count_in_6)], count_in_6);
    let count_in_7 = counts_in & (thread + 896 < left);
    count_7 = select(0, counts[select(0, counts_at + 896, count_in_7)], count_in_7);
    let penalties_at: i32 = pid0 * 3;
    var factor: f32;
    factor = penalties[penalties_at];
    var times_0: i32; var times_1: i32; var times_2: i32; var times_3: i32; var times_4: i32;
    var times_5: i32; var times_6: i32; var times_7: i32;
    times_0 = count_0 & 1073741823; times_1 = count_1 & 1073741823; times_2 = count_2 & 1073741823;
    times_3 = count_3 & 1073741823; times_4 = count_4 & 1073741823; times_5 = count_5 & 1073741823;
    times_6 = count_6 & 1073741823; times_7 = count_7 & 1073741823;
    var penalties_tile: f32;
    penalties_tile = penalties[penalties_at + 1];
    var x_3_1_0: f32; var x_3_1_1: f32; var x_3_1_2: f32; var x_3_1_3: f32; var x_3_1_4: f32;
    var x_3_1_5: f32; var x_3_1_6: f32; var x_3_1_7: f32;
    x_3_1_0 = select(x_1_1_0, select(
        x_1_1_0 * factor, x_1_1_0 / factor, x_1_1_0 > 0.0f), count_0 > 0) - penalties_tile * f32(times_0);
    x_3_1_1 = select(x_1_1_1, select(
        x_1_1_1 * factor, x_1_1_1 / factor, x_1_1_1 > 0.0f), count_1 > 0) - penalties_tile * f32(times_1);
    x_3_1_2 = select(x_1_1_2, select(
        x_1_1_2 * factor, x_1_1_2 / factor, x_1_1_2 > 0.0f), count_2 > 0) - penalties_tile * f32(times_2);
    x_3_1_3 = select(x_1_1_3, select(
        x_1_1_3 * factor, x_1_1_3 / factor, x_1_1_3 > 0.0f), count_3 > 0) - penalties_tile * f32(times_3);
    x_3_1_4 = select(x_1_1_4, select(
        x_1_1_4 * factor, x_1_1_4 / factor, x_1_1_4 > 0.0f), count_4 > 0) - penalties_tile * f32(times_4);
    x_3_1_5 = select(x_1_1_5, select(
        x_1_1_5 * factor, x_1_1_5 / factor, x_1_1_5 > 0.0f), count_5 > 0) - penalties_tile * f32(times_5);
    x_3_1_6 = select(x_1_1_6, select(
        x_1_1_6 * factor, x_1_1_6 / factor, x_1_1_6 > 0.0f), count_6 > 0) - penalties_tile * f32(times_6);
    x_3_1_7 = select(x_1_1_7, select(
        x_1_1_7 * factor, x_1_1_7 / factor, x_1_1_7 > 0.0f), count_7 > 0) - penalties_tile * f32(times_7);
    var penalties_tile_1: f32;
    penalties_tile_1 = penalties[penalties_at + 2];
    x_2_1_0 = select(x_3_1_0, x_3_1_0 - penalties_tile_1, times_0 > 0);
    x_2_1_1 = select(x_3_1_1, x_3_1_1 - penalties_tile_1, times_1 > 0);
    x_2_1_2 = select(x_3_1_2, x_3_1_2 - penalties_tile_1, times_2 > 0);
    x_2_1_3 = select(x_3_1_3, x_3_1_3 - penalties_tile_1, times_3 > 0);
    x_2_1_4 = select(x_3_1_4, x_3_1_4 - penalties_tile_1, times_4 > 0);
    x_2_1_5 = select(x_3_1_5, x_3_1_5 - penalties_tile_1, times_5 > 0);
    x_2_1_6 = select(x_3_1_6, x_3_1_6 - penalties_tile_1, times_6 > 0);
    x_2_1_7 = select(x_3_1_7, x_3_1_7 - penalties_tile_1, times_7 > 0);
  } else {
    x_2_1_0 = x_1_1_0; x_2_1_1 = x_1_1_1; x_2_1_2 = x_1_1_2; x_2_1_3 = x_1_1_3; x_2_1_4 = x_1_1_4;
    x_2_1_5 = x_1_1_5; x_2_1_6 = x_1_1_6; x_2_1_7 = x_1_1_7;
  }
  if (logits_in & (thread < left)) {
    adjusted[logits_at] = x_2_1_0;
  }
  if (logits_in & (thread + 128 < left)) {
    adjusted[logits_at + 128] = x_2_1_1;
  }
  if (logits_in & (thread + 256 < left)) {
    adjusted[logits_at + 256] = x_2_1_2;
  }
  if (logits_in & (thread + 384 < left)) {
    adjusted[logits_at + 384] = x_2_1_3;
  }
  if (logits_in & (thread + 512 < left)) {
    adjusted[logits_at + 512] = x_2_1_4;
  }
  if (logits_in & (thread + 640 < left)) {
    adjusted[logits_at + 640] = x_2_1_5;
  }
  if (logits_in & (thread + 768 < left)) {
    adjusted[logits_at + 768] = x_2_1_6;
  }
  if (logits_in & (thread + 896 < left)) {
    adjusted[logits_at + 896] = x_2_1_7;
  }
}
