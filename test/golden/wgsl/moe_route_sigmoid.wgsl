// moe_route_sigmoid for wgsl, made by tilewright
// config: BR=4 TG=1 GB=2 renormalize=true
// dims fixed: NG=4 EG=16 K=4
// dims divisible: R%2
// 32 threads, 2496 bytes of shared memory
//       0 … 512: t23_parts u32[128]
//     512 … 1024: t42_parts u32[128]
//    1024 … 1536: best_parts u32[128]
//    1536 … 1792: t30_parts f32[64]
//    1792 … 2048: t49_parts f32[64]
//    2048 … 2304: t115_parts f32[64]
//    2304 … 2432: t66_parts u32[32]
//    2432 … 2496: t134_convert i32[16]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  scaling: f32,
}
@group(0) @binding(0) var<storage, read> logits: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> ids: array<i32>;
@group(0) @binding(3) var<storage, read_write> weights: array<f32>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t23_parts: array<u32, 128>;
var<workgroup> t42_parts: array<u32, 128>;
var<workgroup> best_parts: array<u32, 128>;
var<workgroup> t30_parts: array<f32, 64>;
var<workgroup> t49_parts: array<f32, 64>;
var<workgroup> t115_parts: array<f32, 64>;
var<workgroup> t66_parts: array<u32, 32>;
var<workgroup> t134_convert: array<i32, 16>;

// A call is no constant expression, so that NaN and infinity pass.
fn tw_bits_f32(bits: u32) -> f32 { return bitcast<f32>(bits); }

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// 2 to the k, -126 … 127.
fn tw_power_of_two(k: i32) -> f32 { return bitcast<f32>(u32(k + 127) << 23u); }

// x times 2 to the k, -252 … 254, with at most one rounding.
fn tw_scale(x: f32, k: i32) -> f32 {
  let half = k >> 1u;
  return x * tw_power_of_two(half) * tw_power_of_two(k - half);
}

fn tw_max(a: f32, b: f32) -> f32 { return select(select(max(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

// The argument loses n · ln 2 in two parts, the first of which is exact.
fn tw_exp(x: f32) -> f32 {
  let bounded = clamp(x, -105.0f, 89.5f);
  let n = round(bounded * 1.44269502f);
  let r = (bounded - n * 0.693145752f) - n * 0.00000142860677f;
  var p = 0.00139261817f;
  p = p * r + 0.008363178f;
  p = p * r + 0.0416665561f;
  p = p * r + 0.166665763f;
  p = p * r + 0.5f;
  return select(tw_scale(p * r * r + r + 1.0f, i32(n)), x, tw_isnan(x));
}

@compute @workgroup_size(32)
fn moe_route_sigmoid(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 4;
  let t_BR: i32 = thread >> 4u;
  let t_NG: i32 = (thread >> 2u) & 3;
  let t_EG: i32 = (thread & 3) * 4;
  let logits_at: i32 = t_BR * 64 + t_NG * 16 + t_EG;
  let logits_at_1: i32 = t * 64 + logits_at;
  var logits_tile_0: f32; var logits_tile_1: f32; var logits_tile_2: f32; var logits_tile_3: f32;
  var logits_tile_4: f32; var logits_tile_5: f32; var logits_tile_6: f32; var logits_tile_7: f32;
  let left: i32 = launch.R - t;
  let logits_tile_in = t_BR < left;
  let logits_tile_word = select(
      vec4<f32>(0.0f), logits[select(0, logits_at_1 >> 2u, logits_tile_in)], logits_tile_in);
  logits_tile_0 = logits_tile_word.x; logits_tile_1 = logits_tile_word.y;
  logits_tile_2 = logits_tile_word.z; logits_tile_3 = logits_tile_word.w;
  let logits_tile_in_1 = t_BR + 2 < left;
  let logits_tile_word_1 = select(
      vec4<f32>(0.0f), logits[select(0, (logits_at_1 + 128) >> 2u, logits_tile_in_1)],
      logits_tile_in_1);
  logits_tile_4 = logits_tile_word_1.x; logits_tile_5 = logits_tile_word_1.y;
  logits_tile_6 = logits_tile_word_1.z; logits_tile_7 = logits_tile_word_1.w;
  var scores_0: f32; var scores_1: f32; var scores_2: f32; var scores_3: f32; var scores_4: f32;
  var scores_5: f32; var scores_6: f32; var scores_7: f32;
  scores_0 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_0, tw_bits_f32(0xff800000u))));
  scores_1 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_1, tw_bits_f32(0xff800000u))));
  scores_2 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_2, tw_bits_f32(0xff800000u))));
  scores_3 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_3, tw_bits_f32(0xff800000u))));
  scores_4 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_4, tw_bits_f32(0xff800000u))));
  scores_5 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_5, tw_bits_f32(0xff800000u))));
  scores_6 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_6, tw_bits_f32(0xff800000u))));
  scores_7 = 1.0f / (1.0f + tw_exp(-tw_max(logits_tile_7, tw_bits_f32(0xff800000u))));
  let bias_at: i32 = t_NG * 16 + t_EG;
  var bias_tile_0: f32; var bias_tile_1: f32; var bias_tile_2: f32; var bias_tile_3: f32;
  let bias_tile_word = bias[bias_at >> 2u];
  bias_tile_0 = bias_tile_word.x; bias_tile_1 = bias_tile_word.y; bias_tile_2 = bias_tile_word.z;
  bias_tile_3 = bias_tile_word.w;
  var biased_0: f32; var biased_1: f32; var biased_2: f32; var biased_3: f32; var biased_4: f32;
  var biased_5: f32; var biased_6: f32; var biased_7: f32;
  var best_value_0: f32; var best_value_1: f32;
  var best_0: i32; var best_1: i32;
  biased_0 = tw_max(scores_0 + bias_tile_0, tw_bits_f32(0xff800000u));
  biased_1 = tw_max(scores_1 + bias_tile_1, tw_bits_f32(0xff800000u));
  biased_2 = tw_max(scores_2 + bias_tile_2, tw_bits_f32(0xff800000u));
  biased_3 = tw_max(scores_3 + bias_tile_3, tw_bits_f32(0xff800000u));
  best_value_0 = biased_0; best_0 = t_EG;
  let is_better: bool = ((biased_0 > best_value_0) | ((biased_0 == best_value_0) & (t_EG < best_0))) | (!(best_value_0 == best_value_0) & ((biased_0 == biased_0) | (t_EG < best_0)));
  best_value_0 = select(best_value_0, biased_0, is_better);
  best_0 = select(best_0, t_EG, is_better);
  let is_better_1: bool = ((biased_1 > best_value_0) | ((biased_1 == best_value_0) & (t_EG + 1 < best_0))) | (!(best_value_0 == best_value_0) & ((biased_1 == biased_1) | (t_EG + 1 < best_0)));
  best_value_0 = select(best_value_0, biased_1, is_better_1);
  best_0 = select(best_0, t_EG + 1, is_better_1);
  let is_better_2: bool = ((biased_2 > best_value_0) | ((biased_2 == best_value_0) & (t_EG + 2 < best_0))) | (!(best_value_0 == best_value_0) & ((biased_2 == biased_2) | (t_EG + 2 < best_0)));
  best_value_0 = select(best_value_0, biased_2, is_better_2);
  best_0 = select(best_0, t_EG + 2, is_better_2);
  let is_better_3: bool = ((biased_3 > best_value_0) | ((biased_3 == best_value_0) & (t_EG + 3 < best_0))) | (!(best_value_0 == best_value_0) & ((biased_3 == biased_3) | (t_EG + 3 < best_0)));
  best_value_0 = select(best_value_0, biased_3, is_better_3);
  best_0 = select(best_0, t_EG + 3, is_better_3);
  biased_4 = tw_max(scores_4 + bias_tile_0, tw_bits_f32(0xff800000u));
  biased_5 = tw_max(scores_5 + bias_tile_1, tw_bits_f32(0xff800000u));
  biased_6 = tw_max(scores_6 + bias_tile_2, tw_bits_f32(0xff800000u));
  biased_7 = tw_max(scores_7 + bias_tile_3, tw_bits_f32(0xff800000u));
  best_value_1 = biased_4; best_1 = t_EG;
  let is_better_4: bool = ((biased_4 > best_value_1) | ((biased_4 == best_value_1) & (t_EG < best_1))) | (!(best_value_1 == best_value_1) & ((biased_4 == biased_4) | (t_EG < best_1)));
  best_value_1 = select(best_value_1, biased_4, is_better_4);
  best_1 = select(best_1, t_EG, is_better_4);
  let is_better_5: bool = ((biased_5 > best_value_1) | ((biased_5 == best_value_1) & (t_EG + 1 < best_1))) | (!(best_value_1 == best_value_1) & ((biased_5 == biased_5) | (t_EG + 1 < best_1)));
  best_value_1 = select(best_value_1, biased_5, is_better_5);
  best_1 = select(best_1, t_EG + 1, is_better_5);
  let is_better_6: bool = ((biased_6 > best_value_1) | ((biased_6 == best_value_1) & (t_EG + 2 < best_1))) | (!(best_value_1 == best_value_1) & ((biased_6 == biased_6) | (t_EG + 2 < best_1)));
  best_value_1 = select(best_value_1, biased_6, is_better_6);
  best_1 = select(best_1, t_EG + 2, is_better_6);
  let is_better_7: bool = ((biased_7 > best_value_1) | ((biased_7 == best_value_1) & (t_EG + 3 < best_1))) | (!(best_value_1 == best_value_1) & ((biased_7 == biased_7) | (t_EG + 3 < best_1)));
  best_value_1 = select(best_value_1, biased_7, is_better_7);
  best_1 = select(best_1, t_EG + 3, is_better_7);
  let element: i32 = t_BR * 4 + t_NG;
  let part_at: i32 = (thread & 3) * 16 + element;
  let bits: u32 = bitcast<u32>(best_value_0);
  t23_parts[part_at] = bits;
  let bits_1: u32 = bitcast<u32>(best_0);
  t23_parts[part_at + 64] = bits_1;
  let bits_2: u32 = bitcast<u32>(best_value_1);
  t23_parts[part_at + 8] = bits_2;
  let bits_3: u32 = bitcast<u32>(best_1);
  t23_parts[part_at + 72] = bits_3;
  workgroupBarrier();
  var other_value: u32;
  var other: u32;
  other_value = t23_parts[element];
  other = t23_parts[element + 64];
  let is_better_8: bool = ((bitcast<f32>(other_value) > best_value_0) | ((bitcast<f32>(other_value) == best_value_0) & (bitcast<i32>(other) < best_0))) | (!(best_value_0 == best_value_0) & ((bitcast<f32>(other_value) == bitcast<f32>(other_value)) | (bitcast<i32>(other) < best_0)));
  best_value_0 = select(best_value_0, bitcast<f32>(other_value), is_better_8);
  best_0 = select(best_0, bitcast<i32>(other), is_better_8);
  var other_value_1: u32;
  var other_1: u32;
  other_value_1 = t23_parts[element + 16];
  other_1 = t23_parts[element + 80];
  let is_better_9: bool = ((bitcast<f32>(other_value_1) > best_value_0) | ((bitcast<f32>(other_value_1) == best_value_0) & (bitcast<i32>(other_1) < best_0))) | (!(best_value_0 == best_value_0) & ((bitcast<f32>(other_value_1) == bitcast<f32>(other_value_1)) | (bitcast<i32>(other_1) < best_0)));
  best_value_0 = select(best_value_0, bitcast<f32>(other_value_1), is_better_9);
  best_0 = select(best_0, bitcast<i32>(other_1), is_better_9);
  var other_value_2: u32;
  var other_2: u32;
  other_value_2 = t23_parts[element + 32];
  other_2 = t23_parts[element + 96];
  let is_better_10: bool = ((bitcast<f32>(other_value_2) > best_value_0) | ((bitcast<f32>(other_value_2) == best_value_0) & (bitcast<i32>(other_2) < best_0))) | (!(best_value_0 == best_value_0) & ((bitcast<f32>(other_value_2) == bitcast<f32>(other_value_2)) | (bitcast<i32>(other_2) < best_0)));
  best_value_0 = select(best_value_0, bitcast<f32>(other_value_2), is_better_10);
  best_0 = select(best_0, bitcast<i32>(other_2), is_better_10);
  var other_value_3: u32;
  var other_3: u32;
  other_value_3 = t23_parts[element + 48];
  other_3 = t23_parts[element + 112];
  let is_better_11: bool = ((bitcast<f32>(other_value_3) > best_value_0) | ((bitcast<f32>(other_value_3) == best_value_0) & (bitcast<i32>(other_3) < best_0))) | (!(best_value_0 == best_value_0) & ((bitcast<f32>(other_value_3) == bitcast<f32>(other_value_3)) | (bitcast<i32>(other_3) < best_0)));
  best_value_0 = select(best_value_0, bitcast<f32>(other_value_3), is_better_11);
  best_0 = select(best_0, bitcast<i32>(other_3), is_better_11);
  var other_value_4: u32;
  var other_4: u32;
  other_value_4 = t23_parts[element + 8];
  other_4 = t23_parts[element + 72];
  let is_better_12: bool = ((bitcast<f32>(other_value_4) > best_value_1) | ((bitcast<f32>(other_value_4) == best_value_1) & (bitcast<i32>(other_4) < best_1))) | (!(best_value_1 == best_value_1) & ((bitcast<f32>(other_value_4) == bitcast<f32>(other_value_4)) | (bitcast<i32>(other_4) < best_1)));
  best_value_1 = select(best_value_1, bitcast<f32>(other_value_4), is_better_12);
  best_1 = select(best_1, bitcast<i32>(other_4), is_better_12);
  var other_value_5: u32;
  var other_5: u32;
  other_value_5 = t23_parts[element + 24];
  other_5 = t23_parts[element + 88];
  let is_better_13: bool = ((bitcast<f32>(other_value_5) > best_value_1) | ((bitcast<f32>(other_value_5) == best_value_1) & (bitcast<i32>(other_5) < best_1))) | (!(best_value_1 == best_value_1) & ((bitcast<f32>(other_value_5) == bitcast<f32>(other_value_5)) | (bitcast<i32>(other_5) < best_1)));
  best_value_1 = select(best_value_1, bitcast<f32>(other_value_5), is_better_13);
  best_1 = select(best_1, bitcast<i32>(other_5), is_better_13);
  var other_value_6: u32;
  var other_6: u32;
  other_value_6 = t23_parts[element + 40];
  other_6 = t23_parts[element + 104];
  let is_better_14: bool = ((bitcast<f32>(other_value_6) > best_value_1) | ((bitcast<f32>(other_value_6) == best_value_1) & (bitcast<i32>(other_6) < best_1))) | (!(best_value_1 == best_value_1) & ((bitcast<f32>(other_value_6) == bitcast<f32>(other_value_6)) | (bitcast<i32>(other_6) < best_1)));
  best_value_1 = select(best_value_1, bitcast<f32>(other_value_6), is_better_14);
  best_1 = select(best_1, bitcast<i32>(other_6), is_better_14);
  var other_value_7: u32;
  var other_7: u32;
  other_value_7 = t23_parts[element + 56];
  other_7 = t23_parts[element + 120];
  let is_better_15: bool = ((bitcast<f32>(other_value_7) > best_value_1) | ((bitcast<f32>(other_value_7) == best_value_1) & (bitcast<i32>(other_7) < best_1))) | (!(best_value_1 == best_value_1) & ((bitcast<f32>(other_value_7) == bitcast<f32>(other_value_7)) | (bitcast<i32>(other_7) < best_1)));
  best_value_1 = select(best_value_1, bitcast<f32>(other_value_7), is_better_15);
  best_1 = select(best_1, bitcast<i32>(other_7), is_better_15);
  var t_1_0: bool; var t_1_1: bool; var t_1_2: bool; var t_1_3: bool; var t_1_4: bool;
  var t_1_5: bool; var t_1_6: bool; var t_1_7: bool;
  var most_0: f32; var most_1: f32;
  t_1_0 = t_EG == best_0; t_1_1 = t_EG + 1 == best_0; t_1_2 = t_EG + 2 == best_0;
  t_1_3 = t_EG + 3 == best_0; most_0 = tw_bits_f32(0xff800000u);
  most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), biased_0, t_1_0));
  most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), biased_1, t_1_1));
  most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), biased_2, t_1_2));
  most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), biased_3, t_1_3));
  t_1_4 = t_EG == best_1; t_1_5 = t_EG + 1 == best_1; t_1_6 = t_EG + 2 == best_1;
  t_1_7 = t_EG + 3 == best_1; most_1 = tw_bits_f32(0xff800000u);
  most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), biased_4, t_1_4));
  most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), biased_5, t_1_5));
  most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), biased_6, t_1_6));
  most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), biased_7, t_1_7));
  let part: i32 = thread & 3;
  let part_at_1: i32 = part * 16 + element;
  t30_parts[part_at_1] = most_0;
  t30_parts[part_at_1 + 8] = most_1;
  workgroupBarrier();
  most_0 = t30_parts[element];
  var other_8: f32;
  other_8 = t30_parts[element + 16];
  most_0 = tw_max(most_0, other_8);
  var other_9: f32;
  other_9 = t30_parts[element + 32];
  most_0 = tw_max(most_0, other_9);
  var other_10: f32;
  other_10 = t30_parts[element + 48];
  most_0 = tw_max(most_0, other_10);
  most_1 = t30_parts[element + 8];
  var other_11: f32;
  other_11 = t30_parts[element + 24];
  most_1 = tw_max(most_1, other_11);
  var other_12: f32;
  other_12 = t30_parts[element + 40];
  most_1 = tw_max(most_1, other_12);
  var other_13: f32;
  other_13 = t30_parts[element + 56];
  most_1 = tw_max(most_1, other_13);
  var t_2_0: bool; var t_2_1: bool;
  var best_value_1_1_0: f32; var best_value_1_1_1: f32;
  var best_1_1_0: i32; var best_1_1_1: i32;
  t_2_0 = true; best_value_1_1_0 = select(biased_0, tw_bits_f32(0x7fc00000u), t_1_0);
  best_1_1_0 = t_EG;
  let is_better_16: bool = ((select(biased_0, tw_bits_f32(0x7fc00000u), t_1_0) > best_value_1_1_0) | ((select(biased_0, tw_bits_f32(0x7fc00000u), t_1_0) == best_value_1_1_0) & (t_EG < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((select(biased_0, tw_bits_f32(0x7fc00000u), t_1_0) == select(biased_0, tw_bits_f32(0x7fc00000u), t_1_0)) | (t_EG < best_1_1_0)));
  best_value_1_1_0 = select(
      best_value_1_1_0, select(biased_0, tw_bits_f32(0x7fc00000u), t_1_0), is_better_16);
  best_1_1_0 = select(best_1_1_0, t_EG, is_better_16);
  let is_better_17: bool = ((select(biased_1, tw_bits_f32(0x7fc00000u), t_1_1) > best_value_1_1_0) | ((select(biased_1, tw_bits_f32(0x7fc00000u), t_1_1) == best_value_1_1_0) & (t_EG + 1 < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((select(biased_1, tw_bits_f32(0x7fc00000u), t_1_1) == select(biased_1, tw_bits_f32(0x7fc00000u), t_1_1)) | (t_EG + 1 < best_1_1_0)));
  best_value_1_1_0 = select(
      best_value_1_1_0, select(biased_1, tw_bits_f32(0x7fc00000u), t_1_1), is_better_17);
  best_1_1_0 = select(best_1_1_0, t_EG + 1, is_better_17);
  let is_better_18: bool = ((select(biased_2, tw_bits_f32(0x7fc00000u), t_1_2) > best_value_1_1_0) | ((select(biased_2, tw_bits_f32(0x7fc00000u), t_1_2) == best_value_1_1_0) & (t_EG + 2 < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((select(biased_2, tw_bits_f32(0x7fc00000u), t_1_2) == select(biased_2, tw_bits_f32(0x7fc00000u), t_1_2)) | (t_EG + 2 < best_1_1_0)));
  best_value_1_1_0 = select(
      best_value_1_1_0, select(biased_2, tw_bits_f32(0x7fc00000u), t_1_2), is_better_18);
  best_1_1_0 = select(best_1_1_0, t_EG + 2, is_better_18);
  let is_better_19: bool = ((select(biased_3, tw_bits_f32(0x7fc00000u), t_1_3) > best_value_1_1_0) | ((select(biased_3, tw_bits_f32(0x7fc00000u), t_1_3) == best_value_1_1_0) & (t_EG + 3 < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((select(biased_3, tw_bits_f32(0x7fc00000u), t_1_3) == select(biased_3, tw_bits_f32(0x7fc00000u), t_1_3)) | (t_EG + 3 < best_1_1_0)));
  best_value_1_1_0 = select(
      best_value_1_1_0, select(biased_3, tw_bits_f32(0x7fc00000u), t_1_3), is_better_19);
  best_1_1_0 = select(best_1_1_0, t_EG + 3, is_better_19);
  let bits_4: u32 = bitcast<u32>(best_value_1_1_0);
  t42_parts[part_at] = bits_4;
  let bits_5: u32 = bitcast<u32>(best_1_1_0);
  t42_parts[part_at + 64] = bits_5;
  t_2_1 = false; best_value_1_1_1 = select(biased_4, tw_bits_f32(0x7fc00000u), t_1_4);
  best_1_1_1 = t_EG;
  let is_better_20: bool = ((select(biased_4, tw_bits_f32(0x7fc00000u), t_1_4) > best_value_1_1_1) | ((select(biased_4, tw_bits_f32(0x7fc00000u), t_1_4) == best_value_1_1_1) & (t_EG < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((select(biased_4, tw_bits_f32(0x7fc00000u), t_1_4) == select(biased_4, tw_bits_f32(0x7fc00000u), t_1_4)) | (t_EG < best_1_1_1)));
  best_value_1_1_1 = select(
      best_value_1_1_1, select(biased_4, tw_bits_f32(0x7fc00000u), t_1_4), is_better_20);
  best_1_1_1 = select(best_1_1_1, t_EG, is_better_20);
  let is_better_21: bool = ((select(biased_5, tw_bits_f32(0x7fc00000u), t_1_5) > best_value_1_1_1) | ((select(biased_5, tw_bits_f32(0x7fc00000u), t_1_5) == best_value_1_1_1) & (t_EG + 1 < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((select(biased_5, tw_bits_f32(0x7fc00000u), t_1_5) == select(biased_5, tw_bits_f32(0x7fc00000u), t_1_5)) | (t_EG + 1 < best_1_1_1)));
  best_value_1_1_1 = select(
      best_value_1_1_1, select(biased_5, tw_bits_f32(0x7fc00000u), t_1_5), is_better_21);
  best_1_1_1 = select(best_1_1_1, t_EG + 1, is_better_21);
  let is_better_22: bool = ((select(biased_6, tw_bits_f32(0x7fc00000u), t_1_6) > best_value_1_1_1) | ((select(biased_6, tw_bits_f32(0x7fc00000u), t_1_6) == best_value_1_1_1) & (t_EG + 2 < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((select(biased_6, tw_bits_f32(0x7fc00000u), t_1_6) == select(biased_6, tw_bits_f32(0x7fc00000u), t_1_6)) | (t_EG + 2 < best_1_1_1)));
  best_value_1_1_1 = select(
      best_value_1_1_1, select(biased_6, tw_bits_f32(0x7fc00000u), t_1_6), is_better_22);
  best_1_1_1 = select(best_1_1_1, t_EG + 2, is_better_22);
  let is_better_23: bool = ((select(biased_7, tw_bits_f32(0x7fc00000u), t_1_7) > best_value_1_1_1) | ((select(biased_7, tw_bits_f32(0x7fc00000u), t_1_7) == best_value_1_1_1) & (t_EG + 3 < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((select(biased_7, tw_bits_f32(0x7fc00000u), t_1_7) == select(biased_7, tw_bits_f32(0x7fc00000u), t_1_7)) | (t_EG + 3 < best_1_1_1)));
  best_value_1_1_1 = select(
      best_value_1_1_1, select(biased_7, tw_bits_f32(0x7fc00000u), t_1_7), is_better_23);
  best_1_1_1 = select(best_1_1_1, t_EG + 3, is_better_23);
  let bits_6: u32 = bitcast<u32>(best_value_1_1_1);
  t42_parts[part_at + 8] = bits_6;
  let bits_7: u32 = bitcast<u32>(best_1_1_1);
  t42_parts[part_at + 72] = bits_7;
  workgroupBarrier();
  var other_value_8: u32;
  var other_14: u32;
  other_value_8 = t42_parts[element];
  other_14 = t42_parts[element + 64];
  let is_better_24: bool = ((bitcast<f32>(other_value_8) > best_value_1_1_0) | ((bitcast<f32>(other_value_8) == best_value_1_1_0) & (bitcast<i32>(other_14) < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((bitcast<f32>(other_value_8) == bitcast<f32>(other_value_8)) | (bitcast<i32>(other_14) < best_1_1_0)));
  best_value_1_1_0 = select(best_value_1_1_0, bitcast<f32>(other_value_8), is_better_24);
  best_1_1_0 = select(best_1_1_0, bitcast<i32>(other_14), is_better_24);
  var other_value_9: u32;
  var other_15: u32;
  other_value_9 = t42_parts[element + 16];
  other_15 = t42_parts[element + 80];
  let is_better_25: bool = ((bitcast<f32>(other_value_9) > best_value_1_1_0) | ((bitcast<f32>(other_value_9) == best_value_1_1_0) & (bitcast<i32>(other_15) < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((bitcast<f32>(other_value_9) == bitcast<f32>(other_value_9)) | (bitcast<i32>(other_15) < best_1_1_0)));
  best_value_1_1_0 = select(best_value_1_1_0, bitcast<f32>(other_value_9), is_better_25);
  best_1_1_0 = select(best_1_1_0, bitcast<i32>(other_15), is_better_25);
  var other_value_10: u32;
  var other_16: u32;
  other_value_10 = t42_parts[element + 32];
  other_16 = t42_parts[element + 96];
  let is_better_26: bool = ((bitcast<f32>(other_value_10) > best_value_1_1_0) | ((bitcast<f32>(other_value_10) == best_value_1_1_0) & (bitcast<i32>(other_16) < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((bitcast<f32>(other_value_10) == bitcast<f32>(other_value_10)) | (bitcast<i32>(other_16) < best_1_1_0)));
  best_value_1_1_0 = select(best_value_1_1_0, bitcast<f32>(other_value_10), is_better_26);
  best_1_1_0 = select(best_1_1_0, bitcast<i32>(other_16), is_better_26);
  var other_value_11: u32;
  var other_17: u32;
  other_value_11 = t42_parts[element + 48];
  other_17 = t42_parts[element + 112];
  let is_better_27: bool = ((bitcast<f32>(other_value_11) > best_value_1_1_0) | ((bitcast<f32>(other_value_11) == best_value_1_1_0) & (bitcast<i32>(other_17) < best_1_1_0))) | (!(best_value_1_1_0 == best_value_1_1_0) & ((bitcast<f32>(other_value_11) == bitcast<f32>(other_value_11)) | (bitcast<i32>(other_17) < best_1_1_0)));
  best_value_1_1_0 = select(best_value_1_1_0, bitcast<f32>(other_value_11), is_better_27);
  best_1_1_0 = select(best_1_1_0, bitcast<i32>(other_17), is_better_27);
  var other_value_12: u32;
  var other_18: u32;
  other_value_12 = t42_parts[element + 8];
  other_18 = t42_parts[element + 72];
  let is_better_28: bool = ((bitcast<f32>(other_value_12) > best_value_1_1_1) | ((bitcast<f32>(other_value_12) == best_value_1_1_1) & (bitcast<i32>(other_18) < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((bitcast<f32>(other_value_12) == bitcast<f32>(other_value_12)) | (bitcast<i32>(other_18) < best_1_1_1)));
  best_value_1_1_1 = select(best_value_1_1_1, bitcast<f32>(other_value_12), is_better_28);
  best_1_1_1 = select(best_1_1_1, bitcast<i32>(other_18), is_better_28);
  var other_value_13: u32;
  var other_19: u32;
  other_value_13 = t42_parts[element + 24];
  other_19 = t42_parts[element + 88];
  let is_better_29: bool = ((bitcast<f32>(other_value_13) > best_value_1_1_1) | ((bitcast<f32>(other_value_13) == best_value_1_1_1) & (bitcast<i32>(other_19) < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((bitcast<f32>(other_value_13) == bitcast<f32>(other_value_13)) | (bitcast<i32>(other_19) < best_1_1_1)));
  best_value_1_1_1 = select(best_value_1_1_1, bitcast<f32>(other_value_13), is_better_29);
  best_1_1_1 = select(best_1_1_1, bitcast<i32>(other_19), is_better_29);
  var other_value_14: u32;
  var other_20: u32;
  other_value_14 = t42_parts[element + 40];
  other_20 = t42_parts[element + 104];
  let is_better_30: bool = ((bitcast<f32>(other_value_14) > best_value_1_1_1) | ((bitcast<f32>(other_value_14) == best_value_1_1_1) & (bitcast<i32>(other_20) < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((bitcast<f32>(other_value_14) == bitcast<f32>(other_value_14)) | (bitcast<i32>(other_20) < best_1_1_1)));
  best_value_1_1_1 = select(best_value_1_1_1, bitcast<f32>(other_value_14), is_better_30);
  best_1_1_1 = select(best_1_1_1, bitcast<i32>(other_20), is_better_30);
  var other_value_15: u32;
  var other_21: u32;
  other_value_15 = t42_parts[element + 56];
  other_21 = t42_parts[element + 120];
  let is_better_31: bool = ((bitcast<f32>(other_value_15) > best_value_1_1_1) | ((bitcast<f32>(other_value_15) == best_value_1_1_1) & (bitcast<i32>(other_21) < best_1_1_1))) | (!(best_value_1_1_1 == best_value_1_1_1) & ((bitcast<f32>(other_value_15) == bitcast<f32>(other_value_15)) | (bitcast<i32>(other_21) < best_1_1_1)));
  best_value_1_1_1 = select(best_value_1_1_1, bitcast<f32>(other_value_15), is_better_31);
  best_1_1_1 = select(best_1_1_1, bitcast<i32>(other_21), is_better_31);
  var most_1_1_0: f32; var most_1_1_1: f32;
  most_1_1_0 = tw_bits_f32(0xff800000u);
  most_1_1_0 = tw_max(most_1_1_0, select(tw_bits_f32(0xff800000u), biased_0, t_EG == best_1_1_0));
  most_1_1_0 = tw_max(most_1_1_0, select(
      tw_bits_f32(0xff800000u), biased_1, t_EG + 1 == best_1_1_0));
  most_1_1_0 = tw_max(most_1_1_0, select(
      tw_bits_f32(0xff800000u), biased_2, t_EG + 2 == best_1_1_0));
  most_1_1_0 = tw_max(most_1_1_0, select(
      tw_bits_f32(0xff800000u), biased_3, t_EG + 3 == best_1_1_0));
  t49_parts[part_at_1] = most_1_1_0;
  most_1_1_1 = tw_bits_f32(0xff800000u);
  most_1_1_1 = tw_max(most_1_1_1, select(tw_bits_f32(0xff800000u), biased_4, t_EG == best_1_1_1));
  most_1_1_1 = tw_max(most_1_1_1, select(
      tw_bits_f32(0xff800000u), biased_5, t_EG + 1 == best_1_1_1));
  most_1_1_1 = tw_max(most_1_1_1, select(
      tw_bits_f32(0xff800000u), biased_6, t_EG + 2 == best_1_1_1));
  most_1_1_1 = tw_max(most_1_1_1, select(
      tw_bits_f32(0xff800000u), biased_7, t_EG + 3 == best_1_1_1));
  t49_parts[part_at_1 + 8] = most_1_1_1;
  workgroupBarrier();
  most_1_1_0 = t49_parts[element];
  var other_22: f32;
  other_22 = t49_parts[element + 16];
  most_1_1_0 = tw_max(most_1_1_0, other_22);
  var other_23: f32;
  other_23 = t49_parts[element + 32];
  most_1_1_0 = tw_max(most_1_1_0, other_23);
  var other_24: f32;
  other_24 = t49_parts[element + 48];
  most_1_1_0 = tw_max(most_1_1_0, other_24);
  most_1_1_1 = t49_parts[element + 8];
  var other_25: f32;
  other_25 = t49_parts[element + 24];
  most_1_1_1 = tw_max(most_1_1_1, other_25);
  var other_26: f32;
  other_26 = t49_parts[element + 40];
  most_1_1_1 = tw_max(most_1_1_1, other_26);
  var other_27: f32;
  other_27 = t49_parts[element + 56];
  most_1_1_1 = tw_max(most_1_1_1, other_27);
  var t_3_0: bool; var t_3_1: bool;
  var best_2_0: f32; var best_2_1: f32;
  t_3_0 = false; best_2_0 = 0.0f; t_3_1 = true; best_2_1 = 0.0f;
  best_2_0 = best_2_0 + select(select(0.0f, most_0, t_2_0), most_1_1_0, t_3_0);
  best_2_1 = best_2_1 + select(select(0.0f, most_1, t_2_0), most_1_1_1, t_3_0);
  best_2_0 = best_2_0 + select(select(0.0f, most_0, t_2_1), most_1_1_0, t_3_1);
  best_2_1 = best_2_1 + select(select(0.0f, most_1, t_2_1), most_1_1_1, t_3_1);
  var best_value_2_0: f32; var best_value_2_1: f32;
  var best_3_0: i32; var best_3_1: i32;
  best_value_2_0 = best_2_0; best_3_0 = t_NG; best_value_2_1 = best_2_1; best_3_1 = t_NG;
  let part_at_2: i32 = ((thread >> 2u) & 3) * 4 + t_BR;
  let is_first: bool = (thread & 3) == 0;
  if (is_first) {
    let bits_8: u32 = bitcast<u32>(best_value_2_0);
    t66_parts[part_at_2] = bits_8;
    let bits_9: u32 = bitcast<u32>(best_3_0);
    t66_parts[part_at_2 + 16] = bits_9;
    let bits_10: u32 = bitcast<u32>(best_value_2_1);
    t66_parts[part_at_2 + 2] = bits_10;
    let bits_11: u32 = bitcast<u32>(best_3_1);
    t66_parts[part_at_2 + 18] = bits_11;
  }
  workgroupBarrier();
  var other_value_16: u32;
  var other_28: u32;
  other_value_16 = t66_parts[t_BR];
  other_28 = t66_parts[t_BR + 16];
  let is_better_32: bool = ((bitcast<f32>(other_value_16) > best_value_2_0) | ((bitcast<f32>(other_value_16) == best_value_2_0) & (bitcast<i32>(other_28) < best_3_0))) | (!(best_value_2_0 == best_value_2_0) & ((bitcast<f32>(other_value_16) == bitcast<f32>(other_value_16)) | (bitcast<i32>(other_28) < best_3_0)));
  best_value_2_0 = select(best_value_2_0, bitcast<f32>(other_value_16), is_better_32);
  best_3_0 = select(best_3_0, bitcast<i32>(other_28), is_better_32);
  var other_value_17: u32;
  var other_29: u32;
  other_value_17 = t66_parts[t_BR + 4];
  other_29 = t66_parts[t_BR + 20];
  let is_better_33: bool = ((bitcast<f32>(other_value_17) > best_value_2_0) | ((bitcast<f32>(other_value_17) == best_value_2_0) & (bitcast<i32>(other_29) < best_3_0))) | (!(best_value_2_0 == best_value_2_0) & ((bitcast<f32>(other_value_17) == bitcast<f32>(other_value_17)) | (bitcast<i32>(other_29) < best_3_0)));
  best_value_2_0 = select(best_value_2_0, bitcast<f32>(other_value_17), is_better_33);
  best_3_0 = select(best_3_0, bitcast<i32>(other_29), is_better_33);
  var other_value_18: u32;
  var other_30: u32;
  other_value_18 = t66_parts[t_BR + 8];
  other_30 = t66_parts[t_BR + 24];
  let is_better_34: bool = ((bitcast<f32>(other_value_18) > best_value_2_0) | ((bitcast<f32>(other_value_18) == best_value_2_0) & (bitcast<i32>(other_30) < best_3_0))) | (!(best_value_2_0 == best_value_2_0) & ((bitcast<f32>(other_value_18) == bitcast<f32>(other_value_18)) | (bitcast<i32>(other_30) < best_3_0)));
  best_value_2_0 = select(best_value_2_0, bitcast<f32>(other_value_18), is_better_34);
  best_3_0 = select(best_3_0, bitcast<i32>(other_30), is_better_34);
  var other_value_19: u32;
  var other_31: u32;
  other_value_19 = t66_parts[t_BR + 12];
  other_31 = t66_parts[t_BR + 28];
  let is_better_35: bool = ((bitcast<f32>(other_value_19) > best_value_2_0) | ((bitcast<f32>(other_value_19) == best_value_2_0) & (bitcast<i32>(other_31) < best_3_0))) | (!(best_value_2_0 == best_value_2_0) & ((bitcast<f32>(other_value_19) == bitcast<f32>(other_value_19)) | (bitcast<i32>(other_31) < best_3_0)));
  best_value_2_0 = select(best_value_2_0, bitcast<f32>(other_value_19), is_better_35);
  best_3_0 = select(best_3_0, bitcast<i32>(other_31), is_better_35);
  var other_value_20: u32;
  var other_32: u32;
  other_value_20 = t66_parts[t_BR + 2];
  other_32 = t66_parts[t_BR + 18];
  let is_better_36: bool = ((bitcast<f32>(other_value_20) > best_value_2_1) | ((bitcast<f32>(other_value_20) == best_value_2_1) & (bitcast<i32>(other_32) < best_3_1))) | (!(best_value_2_1 == best_value_2_1) & ((bitcast<f32>(other_value_20) == bitcast<f32>(other_value_20)) | (bitcast<i32>(other_32) < best_3_1)));
  best_value_2_1 = select(best_value_2_1, bitcast<f32>(other_value_20), is_better_36);
  best_3_1 = select(best_3_1, bitcast<i32>(other_32), is_better_36);
  var other_value_21: u32;
  var other_33: u32;
  other_value_21 = t66_parts[t_BR + 6];
  other_33 = t66_parts[t_BR + 22];
  let is_better_37: bool = ((bitcast<f32>(other_value_21) > best_value_2_1) | ((bitcast<f32>(other_value_21) == best_value_2_1) & (bitcast<i32>(other_33) < best_3_1))) | (!(best_value_2_1 == best_value_2_1) & ((bitcast<f32>(other_value_21) == bitcast<f32>(other_value_21)) | (bitcast<i32>(other_33) < best_3_1)));
  best_value_2_1 = select(best_value_2_1, bitcast<f32>(other_value_21), is_better_37);
  best_3_1 = select(best_3_1, bitcast<i32>(other_33), is_better_37);
  var other_value_22: u32;
  var other_34: u32;
  other_value_22 = t66_parts[t_BR + 10];
  other_34 = t66_parts[t_BR + 26];
  let is_better_38: bool = ((bitcast<f32>(other_value_22) > best_value_2_1) | ((bitcast<f32>(other_value_22) == best_value_2_1) & (bitcast<i32>(other_34) < best_3_1))) | (!(best_value_2_1 == best_value_2_1) & ((bitcast<f32>(other_value_22) == bitcast<f32>(other_value_22)) | (bitcast<i32>(other_34) < best_3_1)));
  best_value_2_1 = select(best_value_2_1, bitcast<f32>(other_value_22), is_better_38);
  best_3_1 = select(best_3_1, bitcast<i32>(other_34), is_better_38);
  var other_value_23: u32;
  var other_35: u32;
  other_value_23 = t66_parts[t_BR + 14];
  other_35 = t66_parts[t_BR + 30];
  let is_better_39: bool = ((bitcast<f32>(other_value_23) > best_value_2_1) | ((bitcast<f32>(other_value_23) == best_value_2_1) & (bitcast<i32>(other_35) < best_3_1))) | (!(best_value_2_1 == best_value_2_1) & ((bitcast<f32>(other_value_23) == bitcast<f32>(other_value_23)) | (bitcast<i32>(other_35) < best_3_1)));
  best_value_2_1 = select(best_value_2_1, bitcast<f32>(other_value_23), is_better_39);
  best_3_1 = select(best_3_1, bitcast<i32>(other_35), is_better_39);
  let t_4: bool = true;
  var t_5_0: i32; var t_5_1: i32;
  t_5_0 = select(0, best_3_0, t_4); t_5_1 = select(0, best_3_1, t_4);
  var most_2_0: i32; var most_2_1: i32; var most_2_2: i32; var most_2_3: i32; var most_2_4: i32;
  var most_2_5: i32; var most_2_6: i32; var most_2_7: i32;
  most_2_0 = select(0, 1, t_5_0 == 0); most_2_1 = select(0, 1, t_5_1 == 0);
  most_2_2 = select(0, 1, t_5_0 == 1); most_2_3 = select(0, 1, t_5_1 == 1);
  most_2_4 = select(0, 1, t_5_0 == 2); most_2_5 = select(0, 1, t_5_1 == 2);
  most_2_6 = select(0, 1, t_5_0 == 3); most_2_7 = select(0, 1, t_5_1 == 3);
  let is_first_1: bool = (thread & 15) == 0;
  if (is_first_1) {
    let t134_convert_at: i32 = (thread >> 4u) * 4;
    t134_convert[t134_convert_at] = most_2_0;
    t134_convert[t134_convert_at + 8] = most_2_1;
    t134_convert[t134_convert_at + 1] = most_2_2;
    t134_convert[t134_convert_at + 9] = most_2_3;
    t134_convert[t134_convert_at + 2] = most_2_4;
    t134_convert[t134_convert_at + 10] = most_2_5;
    t134_convert[t134_convert_at + 3] = most_2_6;
    t134_convert[t134_convert_at + 11] = most_2_7;
  }
  workgroupBarrier();
  var t_6_0: i32; var t_6_1: i32;
  let t134_convert_at_1: i32 = ((thread >> 2u) & 3) + (thread >> 4u) * 4;
  t_6_0 = t134_convert[t134_convert_at_1];
  t_6_1 = t134_convert[t134_convert_at_1 + 8];
  var t_7_0: bool; var t_7_1: bool;
  t_7_0 = t_6_0 != 0; t_7_1 = t_6_1 != 0;
  let t_E: i32 = (thread & 15) * 4;
  var ids_1_0: i32; var ids_1_1: i32; var ids_1_2: i32; var ids_1_3: i32; var ids_1_4: i32;
  var ids_1_5: i32; var ids_1_6: i32; var ids_1_7: i32;
  var values_0: f32; var values_1: f32; var values_2: f32; var values_3: f32; var values_4: f32;
  var values_5: f32; var values_6: f32; var values_7: f32;
  ids_1_0 = 0; values_0 = 0.0f; ids_1_1 = 0; values_1 = 0.0f; ids_1_2 = 0; values_2 = 0.0f;
  ids_1_3 = 0; values_3 = 0.0f; ids_1_4 = 0; values_4 = 0.0f; ids_1_5 = 0; values_5 = 0.0f;
  ids_1_6 = 0; values_6 = 0.0f; ids_1_7 = 0; values_7 = 0.0f;
  var left_1_0: f32; var left_1_1: f32; var left_1_2: f32; var left_1_3: f32; var left_1_4: f32;
  var left_1_5: f32; var left_1_6: f32; var left_1_7: f32;
  left_1_0 = select(tw_bits_f32(0xff800000u), biased_0, t_7_0);
  left_1_1 = select(tw_bits_f32(0xff800000u), biased_1, t_7_0);
  left_1_2 = select(tw_bits_f32(0xff800000u), biased_2, t_7_0);
  left_1_3 = select(tw_bits_f32(0xff800000u), biased_3, t_7_0);
  left_1_4 = select(tw_bits_f32(0xff800000u), biased_4, t_7_1);
  left_1_5 = select(tw_bits_f32(0xff800000u), biased_5, t_7_1);
  left_1_6 = select(tw_bits_f32(0xff800000u), biased_6, t_7_1);
  left_1_7 = select(tw_bits_f32(0xff800000u), biased_7, t_7_1);
  let part_at_3: i32 = (thread & 15) * 4 + t_BR;
  let part_1: i32 = thread & 15;
  let part_at_4: i32 = part_1 * 4 + t_BR;
  for (var k: i32 = 0; k < 4; k++) {
    var best_value_3_0: f32; var best_value_3_1: f32;
    var best_4_0: i32; var best_4_1: i32;
    best_value_3_0 = left_1_0; best_4_0 = t_E;
    let is_better_40: bool = ((left_1_0 > best_value_3_0) | ((left_1_0 == best_value_3_0) & (t_E < best_4_0))) | (!(best_value_3_0 == best_value_3_0) & ((left_1_0 == left_1_0) | (t_E < best_4_0)));
    best_value_3_0 = select(best_value_3_0, left_1_0, is_better_40);
    best_4_0 = select(best_4_0, t_E, is_better_40);
    let is_better_41: bool = ((left_1_1 > best_value_3_0) | ((left_1_1 == best_value_3_0) & (t_E + 1 < best_4_0))) | (!(best_value_3_0 == best_value_3_0) & ((left_1_1 == left_1_1) | (t_E + 1 < best_4_0)));
    best_value_3_0 = select(best_value_3_0, left_1_1, is_better_41);
    best_4_0 = select(best_4_0, t_E + 1, is_better_41);
    let is_better_42: bool = ((left_1_2 > best_value_3_0) | ((left_1_2 == best_value_3_0) & (t_E + 2 < best_4_0))) | (!(best_value_3_0 == best_value_3_0) & ((left_1_2 == left_1_2) | (t_E + 2 < best_4_0)));
    best_value_3_0 = select(best_value_3_0, left_1_2, is_better_42);
    best_4_0 = select(best_4_0, t_E + 2, is_better_42);
    let is_better_43: bool = ((left_1_3 > best_value_3_0) | ((left_1_3 == best_value_3_0) & (t_E + 3 < best_4_0))) | (!(best_value_3_0 == best_value_3_0) & ((left_1_3 == left_1_3) | (t_E + 3 < best_4_0)));
    best_value_3_0 = select(best_value_3_0, left_1_3, is_better_43);
    best_4_0 = select(best_4_0, t_E + 3, is_better_43);
    let bits_12: u32 = bitcast<u32>(best_value_3_0);
    best_parts[part_at_3] = bits_12;
    let bits_13: u32 = bitcast<u32>(best_4_0);
    best_parts[part_at_3 + 64] = bits_13;
    best_value_3_1 = left_1_4; best_4_1 = t_E;
    let is_better_44: bool = ((left_1_4 > best_value_3_1) | ((left_1_4 == best_value_3_1) & (t_E < best_4_1))) | (!(best_value_3_1 == best_value_3_1) & ((left_1_4 == left_1_4) | (t_E < best_4_1)));
    best_value_3_1 = select(best_value_3_1, left_1_4, is_better_44);
    best_4_1 = select(best_4_1, t_E, is_better_44);
    let is_better_45: bool = ((left_1_5 > best_value_3_1) | ((left_1_5 == best_value_3_1) & (t_E + 1 < best_4_1))) | (!(best_value_3_1 == best_value_3_1) & ((left_1_5 == left_1_5) | (t_E + 1 < best_4_1)));
    best_value_3_1 = select(best_value_3_1, left_1_5, is_better_45);
    best_4_1 = select(best_4_1, t_E + 1, is_better_45);
    let is_better_46: bool = ((left_1_6 > best_value_3_1) | ((left_1_6 == best_value_3_1) & (t_E + 2 < best_4_1))) | (!(best_value_3_1 == best_value_3_1) & ((left_1_6 == left_1_6) | (t_E + 2 < best_4_1)));
    best_value_3_1 = select(best_value_3_1, left_1_6, is_better_46);
    best_4_1 = select(best_4_1, t_E + 2, is_better_46);
    let is_better_47: bool = ((left_1_7 > best_value_3_1) | ((left_1_7 == best_value_3_1) & (t_E + 3 < best_4_1))) | (!(best_value_3_1 == best_value_3_1) & ((left_1_7 == left_1_7) | (t_E + 3 < best_4_1)));
    best_value_3_1 = select(best_value_3_1, left_1_7, is_better_47);
    best_4_1 = select(best_4_1, t_E + 3, is_better_47);
    let bits_14: u32 = bitcast<u32>(best_value_3_1);
    best_parts[part_at_3 + 2] = bits_14;
    let bits_15: u32 = bitcast<u32>(best_4_1);
    best_parts[part_at_3 + 66] = bits_15;
    workgroupBarrier();
    for (var i: i32 = 0; i < 16; i++) {
      var other_value_25: u32;
      var other_37: u32;
      other_value_25 = best_parts[t_BR + i * 4];
      other_37 = best_parts[t_BR + i * 4 + 64];
      let is_better_49: bool = ((bitcast<f32>(other_value_25) > best_value_3_0) | ((bitcast<f32>(other_value_25) == best_value_3_0) & (bitcast<i32>(other_37) < best_4_0))) | (!(best_value_3_0 == best_value_3_0) & ((bitcast<f32>(other_value_25) == bitcast<f32>(other_value_25)) | (bitcast<i32>(other_37) < best_4_0)));
      best_value_3_0 = select(best_value_3_0, bitcast<f32>(other_value_25), is_better_49);
      best_4_0 = select(best_4_0, bitcast<i32>(other_37), is_better_49);
    }
    for (var i: i32 = 0; i < 16; i++) {
      var other_value_25: u32;
      var other_37: u32;
      other_value_25 = best_parts[t_BR + 2 + i * 4];
      other_37 = best_parts[t_BR + 2 + i * 4 + 64];
      let is_better_49: bool = ((bitcast<f32>(other_value_25) > best_value_3_1) | ((bitcast<f32>(other_value_25) == best_value_3_1) & (bitcast<i32>(other_37) < best_4_1))) | (!(best_value_3_1 == best_value_3_1) & ((bitcast<f32>(other_value_25) == bitcast<f32>(other_value_25)) | (bitcast<i32>(other_37) < best_4_1)));
      best_value_3_1 = select(best_value_3_1, bitcast<f32>(other_value_25), is_better_49);
      best_4_1 = select(best_4_1, bitcast<i32>(other_37), is_better_49);
    }
    var isBest_0: bool; var isBest_1: bool; var isBest_2: bool; var isBest_3: bool;
    var isBest_4: bool; var isBest_5: bool; var isBest_6: bool; var isBest_7: bool;
    isBest_0 = best_4_0 == t_E; isBest_1 = best_4_0 == t_E + 1; isBest_2 = best_4_0 == t_E + 2;
    isBest_3 = best_4_0 == t_E + 3; isBest_4 = best_4_1 == t_E; isBest_5 = best_4_1 == t_E + 1;
    isBest_6 = best_4_1 == t_E + 2; isBest_7 = best_4_1 == t_E + 3;
    var isPlace_0: bool; var isPlace_1: bool; var isPlace_2: bool; var isPlace_3: bool;
    isPlace_0 = 0 == k; isPlace_1 = 1 == k; isPlace_2 = 2 == k; isPlace_3 = 3 == k;
    var most_3_0: f32; var most_3_1: f32;
    most_3_0 = tw_bits_f32(0xff800000u);
    most_3_0 = tw_max(most_3_0, select(tw_bits_f32(0xff800000u), scores_0, isBest_0));
    most_3_0 = tw_max(most_3_0, select(tw_bits_f32(0xff800000u), scores_1, isBest_1));
    most_3_0 = tw_max(most_3_0, select(tw_bits_f32(0xff800000u), scores_2, isBest_2));
    most_3_0 = tw_max(most_3_0, select(tw_bits_f32(0xff800000u), scores_3, isBest_3));
    t115_parts[part_at_4] = most_3_0;
    most_3_1 = tw_bits_f32(0xff800000u);
    most_3_1 = tw_max(most_3_1, select(tw_bits_f32(0xff800000u), scores_4, isBest_4));
    most_3_1 = tw_max(most_3_1, select(tw_bits_f32(0xff800000u), scores_5, isBest_5));
    most_3_1 = tw_max(most_3_1, select(tw_bits_f32(0xff800000u), scores_6, isBest_6));
    most_3_1 = tw_max(most_3_1, select(tw_bits_f32(0xff800000u), scores_7, isBest_7));
    t115_parts[part_at_4 + 2] = most_3_1;
    workgroupBarrier();
    most_3_0 = t115_parts[t_BR];
    for (var i: i32 = 1; i < 16; i++) {
      var other_39: f32;
      other_39 = t115_parts[t_BR + i * 4];
      most_3_0 = tw_max(most_3_0, other_39);
    }
    most_3_1 = t115_parts[t_BR + 2];
    for (var i: i32 = 1; i < 16; i++) {
      var other_39: f32;
      other_39 = t115_parts[t_BR + 2 + i * 4];
      most_3_1 = tw_max(most_3_1, other_39);
    }
    ids_1_0 = select(ids_1_0, best_4_0, isPlace_0); ids_1_1 = select(ids_1_1, best_4_1, isPlace_0);
    values_0 = select(values_0, most_3_0, isPlace_0);
    values_1 = select(values_1, most_3_1, isPlace_0);
    ids_1_2 = select(ids_1_2, best_4_0, isPlace_1); ids_1_3 = select(ids_1_3, best_4_1, isPlace_1);
    values_2 = select(values_2, most_3_0, isPlace_1);
    values_3 = select(values_3, most_3_1, isPlace_1);
    ids_1_4 = select(ids_1_4, best_4_0, isPlace_2); ids_1_5 = select(ids_1_5, best_4_1, isPlace_2);
    values_4 = select(values_4, most_3_0, isPlace_2);
    values_5 = select(values_5, most_3_1, isPlace_2);
    ids_1_6 = select(ids_1_6, best_4_0, isPlace_3); ids_1_7 = select(ids_1_7, best_4_1, isPlace_3);
    values_6 = select(values_6, most_3_0, isPlace_3);
    values_7 = select(values_7, most_3_1, isPlace_3);
    left_1_0 = select(left_1_0, tw_bits_f32(0xffc00000u), isBest_0);
    left_1_1 = select(left_1_1, tw_bits_f32(0xffc00000u), isBest_1);
    left_1_2 = select(left_1_2, tw_bits_f32(0xffc00000u), isBest_2);
    left_1_3 = select(left_1_3, tw_bits_f32(0xffc00000u), isBest_3);
    left_1_4 = select(left_1_4, tw_bits_f32(0xffc00000u), isBest_4);
    left_1_5 = select(left_1_5, tw_bits_f32(0xffc00000u), isBest_5);
    left_1_6 = select(left_1_6, tw_bits_f32(0xffc00000u), isBest_6);
    left_1_7 = select(left_1_7, tw_bits_f32(0xffc00000u), isBest_7);
  }
  var sum_0: f32; var sum_1: f32;
  sum_0 = 0.0f; sum_1 = 0.0f; sum_0 = sum_0 + values_0; sum_1 = sum_1 + values_1;
  sum_0 = sum_0 + values_2; sum_1 = sum_1 + values_3; sum_0 = sum_0 + values_4;
  sum_1 = sum_1 + values_5; sum_0 = sum_0 + values_6; sum_1 = sum_1 + values_7;
  let ids_at: i32 = t_BR * 4;
  let ids_at_1: i32 = t * 4 + ids_at;
  if (is_first_1) {
    if (t_BR < left) {
      ids[ids_at_1] = ids_1_0;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 8] = ids_1_1;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 1] = ids_1_2;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 9] = ids_1_3;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 2] = ids_1_4;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 10] = ids_1_5;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 3] = ids_1_6;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 11] = ids_1_7;
    }
  }
  var total_0: f32; var total_1: f32;
  total_0 = sum_0 + 1e-20f; total_1 = sum_1 + 1e-20f;
  if (is_first_1) {
    let weights_tile: f32 = values_0 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1] = weights_tile;
    }
    let weights_tile_1: f32 = values_1 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 8] = weights_tile_1;
    }
    let weights_tile_2: f32 = values_2 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 1] = weights_tile_2;
    }
    let weights_tile_3: f32 = values_3 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 9] = weights_tile_3;
    }
    let weights_tile_4: f32 = values_4 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 2] = weights_tile_4;
    }
    let weights_tile_5: f32 = values_5 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 10] = weights_tile_5;
    }
    let weights_tile_6: f32 = values_6 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 3] = weights_tile_6;
    }
    let weights_tile_7: f32 = values_7 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 11] = weights_tile_7;
    }
  }
}
