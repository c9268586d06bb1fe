// moe_route for wgsl, made by tilewright
// config: BR=4 TG=1 renormalize=true
// dims fixed: NG=1 EG=128 K=8
// dims divisible: R%2
// 64 threads, 2048 bytes of shared memory
//       0 … 1024: best_parts u32[256]
//    1024 … 1536: t31_parts f32[128]
//    1536 … 2048: top_parts f32[128]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  scaling: f32,
}
@group(0) @binding(0) var<storage, read> logits: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> ids: array<i32>;
@group(0) @binding(2) var<storage, read_write> weights: array<f32>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> best_parts: array<u32, 256>;
var<workgroup> t31_parts: array<f32, 128>;
var<workgroup> top_parts: array<f32, 128>;

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

@compute @workgroup_size(64)
fn moe_route(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = pid0 * 4;
  let t_BR: i32 = thread >> 5u;
  let t_EG: i32 = (thread & 31) * 4;
  let logits_at: i32 = t_BR * 128 + t_EG;
  let logits_at_1: i32 = t * 128 + logits_at;
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
      vec4<f32>(0.0f), logits[select(0, (logits_at_1 + 256) >> 2u, logits_tile_in_1)],
      logits_tile_in_1);
  logits_tile_4 = logits_tile_word_1.x; logits_tile_5 = logits_tile_word_1.y;
  logits_tile_6 = logits_tile_word_1.z; logits_tile_7 = logits_tile_word_1.w;
  var x_0: f32; var x_1: f32; var x_2: f32; var x_3: f32; var x_4: f32; var x_5: f32; var x_6: f32;
  var x_7: f32;
  x_0 = tw_max(logits_tile_0, tw_bits_f32(0xff800000u));
  x_1 = tw_max(logits_tile_1, tw_bits_f32(0xff800000u));
  x_2 = tw_max(logits_tile_2, tw_bits_f32(0xff800000u));
  x_3 = tw_max(logits_tile_3, tw_bits_f32(0xff800000u));
  x_4 = tw_max(logits_tile_4, tw_bits_f32(0xff800000u));
  x_5 = tw_max(logits_tile_5, tw_bits_f32(0xff800000u));
  x_6 = tw_max(logits_tile_6, tw_bits_f32(0xff800000u));
  x_7 = tw_max(logits_tile_7, tw_bits_f32(0xff800000u));
  var ids_1_0: i32; var ids_1_1: i32; var ids_1_2: i32; var ids_1_3: i32; var ids_1_4: i32;
  var ids_1_5: i32; var ids_1_6: i32; var ids_1_7: i32; var ids_1_8: i32; var ids_1_9: i32;
  var ids_1_10: i32; var ids_1_11: i32; var ids_1_12: i32; var ids_1_13: i32; var ids_1_14: i32;
  var ids_1_15: i32;
  var values_0: f32; var values_1: f32; var values_2: f32; var values_3: f32; var values_4: f32;
  var values_5: f32; var values_6: f32; var values_7: f32; var values_8: f32; var values_9: f32;
  var values_10: f32; var values_11: f32; var values_12: f32; var values_13: f32;
  var values_14: f32; var values_15: f32;
  ids_1_0 = 0; values_0 = 0.0f; ids_1_1 = 0; values_1 = 0.0f; ids_1_2 = 0; values_2 = 0.0f;
  ids_1_3 = 0; values_3 = 0.0f; ids_1_4 = 0; values_4 = 0.0f; ids_1_5 = 0; values_5 = 0.0f;
  ids_1_6 = 0; values_6 = 0.0f; ids_1_7 = 0; values_7 = 0.0f; ids_1_8 = 0; values_8 = 0.0f;
  ids_1_9 = 0; values_9 = 0.0f; ids_1_10 = 0; values_10 = 0.0f; ids_1_11 = 0; values_11 = 0.0f;
  ids_1_12 = 0; values_12 = 0.0f; ids_1_13 = 0; values_13 = 0.0f; ids_1_14 = 0; values_14 = 0.0f;
  ids_1_15 = 0; values_15 = 0.0f;
  var left_1_0: f32; var left_1_1: f32; var left_1_2: f32; var left_1_3: f32; var left_1_4: f32;
  var left_1_5: f32; var left_1_6: f32; var left_1_7: f32;
  left_1_0 = x_0; left_1_1 = x_1; left_1_2 = x_2; left_1_3 = x_3; left_1_4 = x_4; left_1_5 = x_5;
  left_1_6 = x_6; left_1_7 = x_7;
  let part_at: i32 = (thread & 31) * 4 + t_BR;
  let part: i32 = thread & 31;
  let part_at_1: i32 = part * 4 + t_BR;
  for (var k: i32 = 0; k < 8; k++) {
    var best_value_0: f32; var best_value_1: f32;
    var best_0: i32; var best_1: i32;
    best_value_0 = left_1_0; best_0 = t_EG;
    let is_better: bool = ((left_1_0 > best_value_0) | ((left_1_0 == best_value_0) & (t_EG < best_0))) | (!(best_value_0 == best_value_0) & ((left_1_0 == left_1_0) | (t_EG < best_0)));
    best_value_0 = select(best_value_0, left_1_0, is_better);
    best_0 = select(best_0, t_EG, is_better);
    let is_better_1: bool = ((left_1_1 > best_value_0) | ((left_1_1 == best_value_0) & (t_EG + 1 < best_0))) | (!(best_value_0 == best_value_0) & ((left_1_1 == left_1_1) | (t_EG + 1 < best_0)));
    best_value_0 = select(best_value_0, left_1_1, is_better_1);
    best_0 = select(best_0, t_EG + 1, is_better_1);
    let is_better_2: bool = ((left_1_2 > best_value_0) | ((left_1_2 == best_value_0) & (t_EG + 2 < best_0))) | (!(best_value_0 == best_value_0) & ((left_1_2 == left_1_2) | (t_EG + 2 < best_0)));
    best_value_0 = select(best_value_0, left_1_2, is_better_2);
    best_0 = select(best_0, t_EG + 2, is_better_2);
    let is_better_3: bool = ((left_1_3 > best_value_0) | ((left_1_3 == best_value_0) & (t_EG + 3 < best_0))) | (!(best_value_0 == best_value_0) & ((left_1_3 == left_1_3) | (t_EG + 3 < best_0)));
    best_value_0 = select(best_value_0, left_1_3, is_better_3);
    best_0 = select(best_0, t_EG + 3, is_better_3);
    let bits: u32 = bitcast<u32>(best_value_0);
    best_parts[part_at] = bits;
    let bits_1: u32 = bitcast<u32>(best_0);
    best_parts[part_at + 128] = bits_1;
    best_value_1 = left_1_4; best_1 = t_EG;
    let is_better_4: bool = ((left_1_4 > best_value_1) | ((left_1_4 == best_value_1) & (t_EG < best_1))) | (!(best_value_1 == best_value_1) & ((left_1_4 == left_1_4) | (t_EG < best_1)));
    best_value_1 = select(best_value_1, left_1_4, is_better_4);
    best_1 = select(best_1, t_EG, is_better_4);
    let is_better_5: bool = ((left_1_5 > best_value_1) | ((left_1_5 == best_value_1) & (t_EG + 1 < best_1))) | (!(best_value_1 == best_value_1) & ((left_1_5 == left_1_5) | (t_EG + 1 < best_1)));
    best_value_1 = select(best_value_1, left_1_5, is_better_5);
    best_1 = select(best_1, t_EG + 1, is_better_5);
    let is_better_6: bool = ((left_1_6 > best_value_1) | ((left_1_6 == best_value_1) & (t_EG + 2 < best_1))) | (!(best_value_1 == best_value_1) & ((left_1_6 == left_1_6) | (t_EG + 2 < best_1)));
    best_value_1 = select(best_value_1, left_1_6, is_better_6);
    best_1 = select(best_1, t_EG + 2, is_better_6);
    let is_better_7: bool = ((left_1_7 > best_value_1) | ((left_1_7 == best_value_1) & (t_EG + 3 < best_1))) | (!(best_value_1 == best_value_1) & ((left_1_7 == left_1_7) | (t_EG + 3 < best_1)));
    best_value_1 = select(best_value_1, left_1_7, is_better_7);
    best_1 = select(best_1, t_EG + 3, is_better_7);
    let bits_2: u32 = bitcast<u32>(best_value_1);
    best_parts[part_at + 2] = bits_2;
    let bits_3: u32 = bitcast<u32>(best_1);
    best_parts[part_at + 130] = bits_3;
    workgroupBarrier();
    for (var i: i32 = 0; i < 32; i++) {
      var other_value_1: u32;
      var other_1: u32;
      other_value_1 = best_parts[t_BR + i * 4];
      other_1 = best_parts[t_BR + i * 4 + 128];
      let is_better_9: bool = ((bitcast<f32>(other_value_1) > best_value_0) | ((bitcast<f32>(other_value_1) == best_value_0) & (bitcast<i32>(other_1) < best_0))) | (!(best_value_0 == best_value_0) & ((bitcast<f32>(other_value_1) == bitcast<f32>(other_value_1)) | (bitcast<i32>(other_1) < best_0)));
      best_value_0 = select(best_value_0, bitcast<f32>(other_value_1), is_better_9);
      best_0 = select(best_0, bitcast<i32>(other_1), is_better_9);
    }
    for (var i: i32 = 0; i < 32; i++) {
      var other_value_1: u32;
      var other_1: u32;
      other_value_1 = best_parts[t_BR + 2 + i * 4];
      other_1 = best_parts[t_BR + 2 + i * 4 + 128];
      let is_better_9: bool = ((bitcast<f32>(other_value_1) > best_value_1) | ((bitcast<f32>(other_value_1) == best_value_1) & (bitcast<i32>(other_1) < best_1))) | (!(best_value_1 == best_value_1) & ((bitcast<f32>(other_value_1) == bitcast<f32>(other_value_1)) | (bitcast<i32>(other_1) < best_1)));
      best_value_1 = select(best_value_1, bitcast<f32>(other_value_1), is_better_9);
      best_1 = select(best_1, bitcast<i32>(other_1), is_better_9);
    }
    var isBest_0: bool; var isBest_1: bool; var isBest_2: bool; var isBest_3: bool;
    var isBest_4: bool; var isBest_5: bool; var isBest_6: bool; var isBest_7: bool;
    isBest_0 = best_0 == t_EG; isBest_1 = best_0 == t_EG + 1; isBest_2 = best_0 == t_EG + 2;
    isBest_3 = best_0 == t_EG + 3; isBest_4 = best_1 == t_EG; isBest_5 = best_1 == t_EG + 1;
    isBest_6 = best_1 == t_EG + 2; isBest_7 = best_1 == t_EG + 3;
    var isPlace_0: bool; var isPlace_1: bool; var isPlace_2: bool; var isPlace_3: bool;
    var isPlace_4: bool; var isPlace_5: bool; var isPlace_6: bool; var isPlace_7: bool;
    isPlace_0 = 0 == k; isPlace_1 = 1 == k; isPlace_2 = 2 == k; isPlace_3 = 3 == k;
    isPlace_4 = 4 == k; isPlace_5 = 5 == k; isPlace_6 = 6 == k; isPlace_7 = 7 == k;
    var most_0: f32; var most_1: f32;
    most_0 = tw_bits_f32(0xff800000u);
    most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), x_0, isBest_0));
    most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), x_1, isBest_1));
    most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), x_2, isBest_2));
    most_0 = tw_max(most_0, select(tw_bits_f32(0xff800000u), x_3, isBest_3));
    t31_parts[part_at_1] = most_0;
    most_1 = tw_bits_f32(0xff800000u);
    most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), x_4, isBest_4));
    most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), x_5, isBest_5));
    most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), x_6, isBest_6));
    most_1 = tw_max(most_1, select(tw_bits_f32(0xff800000u), x_7, isBest_7));
    t31_parts[part_at_1 + 2] = most_1;
    workgroupBarrier();
    if (part < 4) {
      most_0 = t31_parts[part * 4 + t_BR];
      var other_2: f32;
      other_2 = t31_parts[part * 4 + t_BR + 16];
      most_0 = tw_max(most_0, other_2);
      var other_3: f32;
      other_3 = t31_parts[part * 4 + t_BR + 32];
      most_0 = tw_max(most_0, other_3);
      var other_4: f32;
      other_4 = t31_parts[part * 4 + t_BR + 48];
      most_0 = tw_max(most_0, other_4);
      var other_5: f32;
      other_5 = t31_parts[part * 4 + t_BR + 64];
      most_0 = tw_max(most_0, other_5);
      var other_6: f32;
      other_6 = t31_parts[part * 4 + t_BR + 80];
      most_0 = tw_max(most_0, other_6);
      var other_7: f32;
      other_7 = t31_parts[part * 4 + t_BR + 96];
      most_0 = tw_max(most_0, other_7);
      var other_8: f32;
      other_8 = t31_parts[part * 4 + t_BR + 112];
      most_0 = tw_max(most_0, other_8);
      most_1 = t31_parts[part * 4 + t_BR + 2];
      var other_9: f32;
      other_9 = t31_parts[part * 4 + t_BR + 18];
      most_1 = tw_max(most_1, other_9);
      var other_10: f32;
      other_10 = t31_parts[part * 4 + t_BR + 34];
      most_1 = tw_max(most_1, other_10);
      var other_11: f32;
      other_11 = t31_parts[part * 4 + t_BR + 50];
      most_1 = tw_max(most_1, other_11);
      var other_12: f32;
      other_12 = t31_parts[part * 4 + t_BR + 66];
      most_1 = tw_max(most_1, other_12);
      var other_13: f32;
      other_13 = t31_parts[part * 4 + t_BR + 82];
      most_1 = tw_max(most_1, other_13);
      var other_14: f32;
      other_14 = t31_parts[part * 4 + t_BR + 98];
      most_1 = tw_max(most_1, other_14);
      var other_15: f32;
      other_15 = t31_parts[part * 4 + t_BR + 114];
      most_1 = tw_max(most_1, other_15);
      t31_parts[part_at_1] = most_0;
      t31_parts[part_at_1 + 2] = most_1;
    }
    workgroupBarrier();
    most_0 = t31_parts[t_BR];
    var other_16: f32;
    other_16 = t31_parts[t_BR + 4];
    most_0 = tw_max(most_0, other_16);
    var other_17: f32;
    other_17 = t31_parts[t_BR + 8];
    most_0 = tw_max(most_0, other_17);
    var other_18: f32;
    other_18 = t31_parts[t_BR + 12];
    most_0 = tw_max(most_0, other_18);
    most_1 = t31_parts[t_BR + 2];
    var other_19: f32;
    other_19 = t31_parts[t_BR + 6];
    most_1 = tw_max(most_1, other_19);
    var other_20: f32;
    other_20 = t31_parts[t_BR + 10];
    most_1 = tw_max(most_1, other_20);
    var other_21: f32;
    other_21 = t31_parts[t_BR + 14];
    most_1 = tw_max(most_1, other_21);
    ids_1_0 = select(ids_1_0, best_0, isPlace_0); ids_1_1 = select(ids_1_1, best_1, isPlace_0);
    values_0 = select(values_0, most_0, isPlace_0); values_1 = select(values_1, most_1, isPlace_0);
    left_1_0 = select(left_1_0, tw_bits_f32(0xffc00000u), isBest_0);
    ids_1_2 = select(ids_1_2, best_0, isPlace_1); ids_1_3 = select(ids_1_3, best_1, isPlace_1);
    values_2 = select(values_2, most_0, isPlace_1); values_3 = select(values_3, most_1, isPlace_1);
    left_1_1 = select(left_1_1, tw_bits_f32(0xffc00000u), isBest_1);
    ids_1_4 = select(ids_1_4, best_0, isPlace_2); ids_1_5 = select(ids_1_5, best_1, isPlace_2);
    values_4 = select(values_4, most_0, isPlace_2); values_5 = select(values_5, most_1, isPlace_2);
    left_1_2 = select(left_1_2, tw_bits_f32(0xffc00000u), isBest_2);
    ids_1_6 = select(ids_1_6, best_0, isPlace_3); ids_1_7 = select(ids_1_7, best_1, isPlace_3);
    values_6 = select(values_6, most_0, isPlace_3); values_7 = select(values_7, most_1, isPlace_3);
    left_1_3 = select(left_1_3, tw_bits_f32(0xffc00000u), isBest_3);
    ids_1_8 = select(ids_1_8, best_0, isPlace_4); ids_1_9 = select(ids_1_9, best_1, isPlace_4);
    values_8 = select(values_8, most_0, isPlace_4); values_9 = select(values_9, most_1, isPlace_4);
    left_1_4 = select(left_1_4, tw_bits_f32(0xffc00000u), isBest_4);
    ids_1_10 = select(ids_1_10, best_0, isPlace_5); ids_1_11 = select(ids_1_11, best_1, isPlace_5);
    values_10 = select(values_10, most_0, isPlace_5);
    values_11 = select(values_11, most_1, isPlace_5);
    left_1_5 = select(left_1_5, tw_bits_f32(0xffc00000u), isBest_5);
    ids_1_12 = select(ids_1_12, best_0, isPlace_6); ids_1_13 = select(ids_1_13, best_1, isPlace_6);
    values_12 = select(values_12, most_0, isPlace_6);
    values_13 = select(values_13, most_1, isPlace_6);
    left_1_6 = select(left_1_6, tw_bits_f32(0xffc00000u), isBest_6);
    ids_1_14 = select(ids_1_14, best_0, isPlace_7); ids_1_15 = select(ids_1_15, best_1, isPlace_7);
    values_14 = select(values_14, most_0, isPlace_7);
    values_15 = select(values_15, most_1, isPlace_7);
    left_1_7 = select(left_1_7, tw_bits_f32(0xffc00000u), isBest_7);
  }
  var top_0: f32; var top_1: f32;
  top_0 = tw_bits_f32(0xff800000u); top_0 = tw_max(top_0, x_0); top_0 = tw_max(top_0, x_1);
  top_0 = tw_max(top_0, x_2); top_0 = tw_max(top_0, x_3);
  top_parts[part_at_1] = top_0;
  top_1 = tw_bits_f32(0xff800000u); top_1 = tw_max(top_1, x_4); top_1 = tw_max(top_1, x_5);
  top_1 = tw_max(top_1, x_6); top_1 = tw_max(top_1, x_7);
  top_parts[part_at_1 + 2] = top_1;
  workgroupBarrier();
  if (part < 4) {
    top_0 = top_parts[part * 4 + t_BR];
    var other_22: f32;
    other_22 = top_parts[part * 4 + t_BR + 16];
    top_0 = tw_max(top_0, other_22);
    var other_23: f32;
    other_23 = top_parts[part * 4 + t_BR + 32];
    top_0 = tw_max(top_0, other_23);
    var other_24: f32;
    other_24 = top_parts[part * 4 + t_BR + 48];
    top_0 = tw_max(top_0, other_24);
    var other_25: f32;
    other_25 = top_parts[part * 4 + t_BR + 64];
    top_0 = tw_max(top_0, other_25);
    var other_26: f32;
    other_26 = top_parts[part * 4 + t_BR + 80];
    top_0 = tw_max(top_0, other_26);
    var other_27: f32;
    other_27 = top_parts[part * 4 + t_BR + 96];
    top_0 = tw_max(top_0, other_27);
    var other_28: f32;
    other_28 = top_parts[part * 4 + t_BR + 112];
    top_0 = tw_max(top_0, other_28);
    top_1 = top_parts[part * 4 + t_BR + 2];
    var other_29: f32;
    other_29 = top_parts[part * 4 + t_BR + 18];
    top_1 = tw_max(top_1, other_29);
    var other_30: f32;
    other_30 = top_parts[part * 4 + t_BR + 34];
    top_1 = tw_max(top_1, other_30);
    var other_31: f32;
    other_31 = top_parts[part * 4 + t_BR + 50];
    top_1 = tw_max(top_1, other_31);
    var other_32: f32;
    other_32 = top_parts[part * 4 + t_BR + 66];
    top_1 = tw_max(top_1, other_32);
    var other_33: f32;
    other_33 = top_parts[part * 4 + t_BR + 82];
    top_1 = tw_max(top_1, other_33);
    var other_34: f32;
    other_34 = top_parts[part * 4 + t_BR + 98];
    top_1 = tw_max(top_1, other_34);
    var other_35: f32;
    other_35 = top_parts[part * 4 + t_BR + 114];
    top_1 = tw_max(top_1, other_35);
    top_parts[part_at_1] = top_0;
    top_parts[part_at_1 + 2] = top_1;
  }
  workgroupBarrier();
  top_0 = top_parts[t_BR];
  var other_36: f32;
  other_36 = top_parts[t_BR + 4];
  top_0 = tw_max(top_0, other_36);
  var other_37: f32;
  other_37 = top_parts[t_BR + 8];
  top_0 = tw_max(top_0, other_37);
  var other_38: f32;
  other_38 = top_parts[t_BR + 12];
  top_0 = tw_max(top_0, other_38);
  top_1 = top_parts[t_BR + 2];
  var other_39: f32;
  other_39 = top_parts[t_BR + 6];
  top_1 = tw_max(top_1, other_39);
  var other_40: f32;
  other_40 = top_parts[t_BR + 10];
  top_1 = tw_max(top_1, other_40);
  var other_41: f32;
  other_41 = top_parts[t_BR + 14];
  top_1 = tw_max(top_1, other_41);
  var terms_0: f32; var terms_1: f32; var terms_2: f32; var terms_3: f32; var terms_4: f32;
  var terms_5: f32; var terms_6: f32; var terms_7: f32; var terms_8: f32; var terms_9: f32;
  var terms_10: f32; var terms_11: f32; var terms_12: f32; var terms_13: f32; var terms_14: f32;
  var terms_15: f32;
  terms_0 = tw_exp(values_0 - top_0); terms_1 = tw_exp(values_1 - top_1);
  terms_2 = tw_exp(values_2 - top_0); terms_3 = tw_exp(values_3 - top_1);
  terms_4 = tw_exp(values_4 - top_0); terms_5 = tw_exp(values_5 - top_1);
  terms_6 = tw_exp(values_6 - top_0); terms_7 = tw_exp(values_7 - top_1);
  terms_8 = tw_exp(values_8 - top_0); terms_9 = tw_exp(values_9 - top_1);
  terms_10 = tw_exp(values_10 - top_0); terms_11 = tw_exp(values_11 - top_1);
  terms_12 = tw_exp(values_12 - top_0); terms_13 = tw_exp(values_13 - top_1);
  terms_14 = tw_exp(values_14 - top_0); terms_15 = tw_exp(values_15 - top_1);
  var total_0: f32; var total_1: f32;
  total_0 = 0.0f; total_1 = 0.0f; total_0 = total_0 + terms_0; total_1 = total_1 + terms_1;
  total_0 = total_0 + terms_2; total_1 = total_1 + terms_3; total_0 = total_0 + terms_4;
  total_1 = total_1 + terms_5; total_0 = total_0 + terms_6; total_1 = total_1 + terms_7;
  total_0 = total_0 + terms_8; total_1 = total_1 + terms_9; total_0 = total_0 + terms_10;
  total_1 = total_1 + terms_11; total_0 = total_0 + terms_12; total_1 = total_1 + terms_13;
  total_0 = total_0 + terms_14; total_1 = total_1 + terms_15;
  let ids_at: i32 = t_BR * 8;
  let ids_at_1: i32 = t * 8 + ids_at;
  let is_first: bool = (thread & 31) == 0;
  if (is_first) {
    if (t_BR < left) {
      ids[ids_at_1] = ids_1_0;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 16] = ids_1_1;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 1] = ids_1_2;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 17] = ids_1_3;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 2] = ids_1_4;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 18] = ids_1_5;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 3] = ids_1_6;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 19] = ids_1_7;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 4] = ids_1_8;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 20] = ids_1_9;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 5] = ids_1_10;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 21] = ids_1_11;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 6] = ids_1_12;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 22] = ids_1_13;
    }
    if (t_BR < left) {
      ids[ids_at_1 + 7] = ids_1_14;
    }
    if (t_BR + 2 < left) {
      ids[ids_at_1 + 23] = ids_1_15;
    }
  }
  if (is_first) {
    let weights_tile: f32 = terms_0 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1] = weights_tile;
    }
    let weights_tile_1: f32 = terms_1 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 16] = weights_tile_1;
    }
    let weights_tile_2: f32 = terms_2 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 1] = weights_tile_2;
    }
    let weights_tile_3: f32 = terms_3 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 17] = weights_tile_3;
    }
    let weights_tile_4: f32 = terms_4 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 2] = weights_tile_4;
    }
    let weights_tile_5: f32 = terms_5 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 18] = weights_tile_5;
    }
    let weights_tile_6: f32 = terms_6 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 3] = weights_tile_6;
    }
    let weights_tile_7: f32 = terms_7 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 19] = weights_tile_7;
    }
    let weights_tile_8: f32 = terms_8 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 4] = weights_tile_8;
    }
    let weights_tile_9: f32 = terms_9 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 20] = weights_tile_9;
    }
    let weights_tile_10: f32 = terms_10 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 5] = weights_tile_10;
    }
    let weights_tile_11: f32 = terms_11 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 21] = weights_tile_11;
    }
    let weights_tile_12: f32 = terms_12 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 6] = weights_tile_12;
    }
    let weights_tile_13: f32 = terms_13 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 22] = weights_tile_13;
    }
    let weights_tile_14: f32 = terms_14 / total_0 * launch.scaling;
    if (t_BR < left) {
      weights[ids_at_1 + 7] = weights_tile_14;
    }
    let weights_tile_15: f32 = terms_15 / total_1 * launch.scaling;
    if (t_BR + 2 < left) {
      weights[ids_at_1 + 23] = weights_tile_15;
    }
  }
}
