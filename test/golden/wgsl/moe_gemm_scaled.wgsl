// moe_gemm_scaled for wgsl, made by tilewright
// dtypes: Q=f8e4m3 O=bf16
// config: BN=64 BK=64 stages=2 group=8
// dims fixed: K=192 KG=1 G=2 B=0 BM=16
// dims divisible: E%4 N%8 S%2
// 64 threads, 21744 bytes of shared memory
//       0 … 17392: t62_shared f32[4348]
//       0 … 17392: t64_shared f32[4348]
//   17408 … 21744: a_shared f32[1084]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  E: i32,
  N: i32,
  PB: i32,
  S: i32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> xScale: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> scale: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> bias: array<u32>;
@group(0) @binding(5) var<storage, read> rows: array<i32>;
@group(0) @binding(6) var<storage, read> expertOf: array<i32>;
@group(0) @binding(7) var<storage, read_write> y: array<vec2<u32>>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> shared_t62_shared_t64_shared: array<vec4<f32>, 1087>;
var<workgroup> a_shared: array<vec4<f32>, 271>;

// Some implementations take `x != x` for false.
fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// 2 to the k, -126 … 127.
fn tw_power_of_two(k: i32) -> f32 { return bitcast<f32>(u32(k + 127) << 23u); }

// x times 2 to the k, -252 … 254, with at most one rounding.
fn tw_scale(x: f32, k: i32) -> f32 {
  let half = k >> 1u;
  return x * tw_power_of_two(half) * tw_power_of_two(k - half);
}

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
fn moe_gemm_scaled(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t: i32 = ((launch.N + 63) >> 6u) * 8;
  let t_1: i32 = tw_floordiv_i32(pid0, t) * 8;
  let t_2: i32 = min(launch.PB - t_1, 8);
  let t_3: i32 = tw_floormod_i32(pid0, t);
  let t_4: i32 = t_1 + tw_floormod_i32(t_3, t_2);
  let t_5: i32 = tw_floordiv_i32(t_3, t_2);
  var e: i32;
  e = expertOf[t_4];
  let t_6: bool = e < 0;
  if (!t_6) {
    let t_BM: i32 = (thread >> 3u) & 3;
    let rows_at: i32 = t_4 * 16 + t_BM;
    let rows_in: bool = u32(t_4) < u32(launch.PB);
    var slots: array<i32, 4>;
    slots[0] = select(0, rows[select(0, rows_at, rows_in)], rows_in);
    slots[1] = select(0, rows[select(0, rows_at + 4, rows_in)], rows_in);
    slots[2] = select(0, rows[select(0, rows_at + 8, rows_in)], rows_in);
    slots[3] = select(0, rows[select(0, rows_at + 12, rows_in)], rows_in);
    let t_7: i32 = tw_floordiv_i32(launch.S, launch.R);
    let t_8: i32 = t_5 * 64;
    let t_BM_1: i32 = thread >> 2u;
    let rows_at_1: i32 = t_4 * 16 + t_BM_1;
    var slots_1: i32;
    slots_1 = select(0, rows[select(0, rows_at_1, rows_in)], rows_in);
    let from_1: i32 = tw_floordiv_i32(slots_1, t_7);
    let more: bool = true;
    var a_0: u32; var a_1: u32; var a_2: u32; var a_3: u32; var a_4: u32; var a_5: u32;
    var a_6: u32; var a_7: u32; var a_8: u32; var a_9: u32; var a_10: u32; var a_11: u32;
    var a_12: u32; var a_13: u32; var a_14: u32; var a_15: u32;
    var t_9: array<u32, 64>;
    var t_10: array<u32, 64>;
    let t_BK: i32 = (thread & 3) * 16;
    let x_at: i32 = from_1 * 192 + t_BK;
    let x_in: bool = u32(from_1) < u32(launch.R);
    let stride: i32 = launch.N * 384;
    let stride_1: i32 = launch.N * 192;
    let w_at: i32 = t_BM_1 * 192 + t_BK;
    let position: i32 = t_8 + t_BM_1;
    if (more) {
      var a_1_1_0: u32; var a_1_1_1: u32; var a_1_1_2: u32; var a_1_1_3: u32; var a_1_1_4: u32;
      var a_1_1_5: u32; var a_1_1_6: u32; var a_1_1_7: u32; var a_1_1_8: u32; var a_1_1_9: u32;
      var a_1_1_10: u32; var a_1_1_11: u32; var a_1_1_12: u32; var a_1_1_13: u32; var a_1_1_14: u32;
      var a_1_1_15: u32;
      let a_1_word = select(vec4<u32>(0u), x[select(0, x_at >> 4u, x_in)], x_in);
      a_1_1_0 = extractBits(a_1_word.x, 0u, 8u); a_1_1_1 = extractBits(a_1_word.x, 8u, 8u);
      a_1_1_2 = extractBits(a_1_word.x, 16u, 8u); a_1_1_3 = extractBits(a_1_word.x, 24u, 8u);
      a_1_1_4 = extractBits(a_1_word.y, 0u, 8u); a_1_1_5 = extractBits(a_1_word.y, 8u, 8u);
      a_1_1_6 = extractBits(a_1_word.y, 16u, 8u); a_1_1_7 = extractBits(a_1_word.y, 24u, 8u);
      a_1_1_8 = extractBits(a_1_word.z, 0u, 8u); a_1_1_9 = extractBits(a_1_word.z, 8u, 8u);
      a_1_1_10 = extractBits(a_1_word.z, 16u, 8u); a_1_1_11 = extractBits(a_1_word.z, 24u, 8u);
      a_1_1_12 = extractBits(a_1_word.w, 0u, 8u); a_1_1_13 = extractBits(a_1_word.w, 8u, 8u);
      a_1_1_14 = extractBits(a_1_word.w, 16u, 8u); a_1_1_15 = extractBits(a_1_word.w, 24u, 8u);
      let w_at_1: i32 = t_8 * 192 + e * stride + w_at;
      let w_in: bool = u32(e) < u32(launch.E);
      var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
      var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32; var w_tile_8: u32; var w_tile_9: u32;
      var w_tile_10: u32; var w_tile_11: u32; var w_tile_12: u32; var w_tile_13: u32;
      var w_tile_14: u32; var w_tile_15: u32; var w_tile_16: u32; var w_tile_17: u32;
      var w_tile_18: u32; var w_tile_19: u32; var w_tile_20: u32; var w_tile_21: u32;
      var w_tile_22: u32; var w_tile_23: u32; var w_tile_24: u32; var w_tile_25: u32;
      var w_tile_26: u32; var w_tile_27: u32; var w_tile_28: u32; var w_tile_29: u32;
      var w_tile_30: u32; var w_tile_31: u32; var w_tile_32: u32; var w_tile_33: u32;
      var w_tile_34: u32; var w_tile_35: u32; var w_tile_36: u32; var w_tile_37: u32;
      var w_tile_38: u32; var w_tile_39: u32; var w_tile_40: u32; var w_tile_41: u32;
      var w_tile_42: u32; var w_tile_43: u32; var w_tile_44: u32; var w_tile_45: u32;
      var w_tile_46: u32; var w_tile_47: u32; var w_tile_48: u32; var w_tile_49: u32;
      var w_tile_50: u32; var w_tile_51: u32; var w_tile_52: u32; var w_tile_53: u32;
      var w_tile_54: u32; var w_tile_55: u32; var w_tile_56: u32; var w_tile_57: u32;
      var w_tile_58: u32; var w_tile_59: u32; var w_tile_60: u32; var w_tile_61: u32;
      var w_tile_62: u32; var w_tile_63: u32;
      let w_tile_in = w_in & (u32(position) < u32(launch.N));
      let w_tile_word = select(vec4<u32>(0u), w[select(0, w_at_1 >> 4u, w_tile_in)], w_tile_in);
      w_tile_0 = extractBits(w_tile_word.x, 0u, 8u); w_tile_1 = extractBits(w_tile_word.x, 8u, 8u);
      w_tile_2 = extractBits(w_tile_word.x, 16u, 8u);
      w_tile_3 = extractBits(w_tile_word.x, 24u, 8u); w_tile_4 = extractBits(w_tile_word.y, 0u, 8u);
      w_tile_5 = extractBits(w_tile_word.y, 8u, 8u); w_tile_6 = extractBits(w_tile_word.y, 16u, 8u);
      w_tile_7 = extractBits(w_tile_word.y, 24u, 8u); w_tile_8 = extractBits(w_tile_word.z, 0u, 8u);
      w_tile_9 = extractBits(w_tile_word.z, 8u, 8u);
      w_tile_10 = extractBits(w_tile_word.z, 16u, 8u);
      w_tile_11 = extractBits(w_tile_word.z, 24u, 8u);
      w_tile_12 = extractBits(w_tile_word.w, 0u, 8u);
      w_tile_13 = extractBits(w_tile_word.w, 8u, 8u);
      w_tile_14 = extractBits(w_tile_word.w, 16u, 8u);
      w_tile_15 = extractBits(w_tile_word.w, 24u, 8u);
      let w_tile_in_1 = w_in & (u32(position + 16) < u32(launch.N));
      let w_tile_word_1 = select(
          vec4<u32>(0u), w[select(0, (w_at_1 + 3072) >> 4u, w_tile_in_1)], w_tile_in_1);
      w_tile_16 = extractBits(w_tile_word_1.x, 0u, 8u);
      w_tile_17 = extractBits(w_tile_word_1.x, 8u, 8u);
      w_tile_18 = extractBits(w_tile_word_1.x, 16u, 8u);
      w_tile_19 = extractBits(w_tile_word_1.x, 24u, 8u);
      w_tile_20 = extractBits(w_tile_word_1.y, 0u, 8u);
      w_tile_21 = extractBits(w_tile_word_1.y, 8u, 8u);
      w_tile_22 = extractBits(w_tile_word_1.y, 16u, 8u);
      w_tile_23 = extractBits(w_tile_word_1.y, 24u, 8u);
      w_tile_24 = extractBits(w_tile_word_1.z, 0u, 8u);
      w_tile_25 = extractBits(w_tile_word_1.z, 8u, 8u);
      w_tile_26 = extractBits(w_tile_word_1.z, 16u, 8u);
      w_tile_27 = extractBits(w_tile_word_1.z, 24u, 8u);
      w_tile_28 = extractBits(w_tile_word_1.w, 0u, 8u);
      w_tile_29 = extractBits(w_tile_word_1.w, 8u, 8u);
      w_tile_30 = extractBits(w_tile_word_1.w, 16u, 8u);
      w_tile_31 = extractBits(w_tile_word_1.w, 24u, 8u);
      let w_tile_in_2 = w_in & (u32(position + 32) < u32(launch.N));
      let w_tile_word_2 = select(
          vec4<u32>(0u), w[select(0, (w_at_1 + 6144) >> 4u, w_tile_in_2)], w_tile_in_2);
      w_tile_32 = extractBits(w_tile_word_2.x, 0u, 8u);
      w_tile_33 = extractBits(w_tile_word_2.x, 8u, 8u);
      w_tile_34 = extractBits(w_tile_word_2.x, 16u, 8u);
      w_tile_35 = extractBits(w_tile_word_2.x, 24u, 8u);
      w_tile_36 = extractBits(w_tile_word_2.y, 0u, 8u);
      w_tile_37 = extractBits(w_tile_word_2.y, 8u, 8u);
      w_tile_38 = extractBits(w_tile_word_2.y, 16u, 8u);
      w_tile_39 = extractBits(w_tile_word_2.y, 24u, 8u);
      w_tile_40 = extractBits(w_tile_word_2.z, 0u, 8u);
      w_tile_41 = extractBits(w_tile_word_2.z, 8u, 8u);
      w_tile_42 = extractBits(w_tile_word_2.z, 16u, 8u);
      w_tile_43 = extractBits(w_tile_word_2.z, 24u, 8u);
      w_tile_44 = extractBits(w_tile_word_2.w, 0u, 8u);
      w_tile_45 = extractBits(w_tile_word_2.w, 8u, 8u);
      w_tile_46 = extractBits(w_tile_word_2.w, 16u, 8u);
      w_tile_47 = extractBits(w_tile_word_2.w, 24u, 8u);
      let w_tile_in_3 = w_in & (u32(position + 48) < u32(launch.N));
      let w_tile_word_3 = select(
          vec4<u32>(0u), w[select(0, (w_at_1 + 9216) >> 4u, w_tile_in_3)], w_tile_in_3);
      w_tile_48 = extractBits(w_tile_word_3.x, 0u, 8u);
      w_tile_49 = extractBits(w_tile_word_3.x, 8u, 8u);
      w_tile_50 = extractBits(w_tile_word_3.x, 16u, 8u);
      w_tile_51 = extractBits(w_tile_word_3.x, 24u, 8u);
      w_tile_52 = extractBits(w_tile_word_3.y, 0u, 8u);
      w_tile_53 = extractBits(w_tile_word_3.y, 8u, 8u);
      w_tile_54 = extractBits(w_tile_word_3.y, 16u, 8u);
      w_tile_55 = extractBits(w_tile_word_3.y, 24u, 8u);
      w_tile_56 = extractBits(w_tile_word_3.z, 0u, 8u);
      w_tile_57 = extractBits(w_tile_word_3.z, 8u, 8u);
      w_tile_58 = extractBits(w_tile_word_3.z, 16u, 8u);
      w_tile_59 = extractBits(w_tile_word_3.z, 24u, 8u);
      w_tile_60 = extractBits(w_tile_word_3.w, 0u, 8u);
      w_tile_61 = extractBits(w_tile_word_3.w, 8u, 8u);
      w_tile_62 = extractBits(w_tile_word_3.w, 16u, 8u);
      w_tile_63 = extractBits(w_tile_word_3.w, 24u, 8u);
      let w_at_2: i32 = t_8 * 192 + e * stride + stride_1 + w_at;
      var w_tile_1_1_0: u32; var w_tile_1_1_1: u32; var w_tile_1_1_2: u32; var w_tile_1_1_3: u32;
      var w_tile_1_1_4: u32; var w_tile_1_1_5: u32; var w_tile_1_1_6: u32; var w_tile_1_1_7: u32;
      var w_tile_1_1_8: u32; var w_tile_1_1_9: u32; var w_tile_1_1_10: u32; var w_tile_1_1_11: u32;
      var w_tile_1_1_12: u32; var w_tile_1_1_13: u32; var w_tile_1_1_14: u32;
      var w_tile_1_1_15: u32; var w_tile_1_1_16: u32; var w_tile_1_1_17: u32;
      var w_tile_1_1_18: u32; var w_tile_1_1_19: u32; var w_tile_1_1_20: u32;
      var w_tile_1_1_21: u32; var w_tile_1_1_22: u32; var w_tile_1_1_23: u32;
      var w_tile_1_1_24: u32; var w_tile_1_1_25: u32; var w_tile_1_1_26: u32;
      var w_tile_1_1_27: u32; var w_tile_1_1_28: u32; var w_tile_1_1_29: u32;
      var w_tile_1_1_30: u32; var w_tile_1_1_31: u32; var w_tile_1_1_32: u32;
      var w_tile_1_1_33: u32; var w_tile_1_1_34: u32; var w_tile_1_1_35: u32;
      var w_tile_1_1_36: u32; var w_tile_1_1_37: u32; var w_tile_1_1_38: u32;
      var w_tile_1_1_39: u32; var w_tile_1_1_40: u32; var w_tile_1_1_41: u32;
      var w_tile_1_1_42: u32; var w_tile_1_1_43: u32; var w_tile_1_1_44: u32;
      var w_tile_1_1_45: u32; var w_tile_1_1_46: u32; var w_tile_1_1_47: u32;
      var w_tile_1_1_48: u32; var w_tile_1_1_49: u32; var w_tile_1_1_50: u32;
      var w_tile_1_1_51: u32; var w_tile_1_1_52: u32; var w_tile_1_1_53: u32;
      var w_tile_1_1_54: u32; var w_tile_1_1_55: u32; var w_tile_1_1_56: u32;
      var w_tile_1_1_57: u32; var w_tile_1_1_58: u32; var w_tile_1_1_59: u32;
      var w_tile_1_1_60: u32; var w_tile_1_1_61: u32; var w_tile_1_1_62: u32;
      var w_tile_1_1_63: u32;
      let w_tile_1_in = w_in & (u32(position) < u32(launch.N));
      let w_tile_1_word = select(
          vec4<u32>(0u), w[select(0, w_at_2 >> 4u, w_tile_1_in)], w_tile_1_in);
      w_tile_1_1_0 = extractBits(w_tile_1_word.x, 0u, 8u);
      w_tile_1_1_1 = extractBits(w_tile_1_word.x, 8u, 8u);
      w_tile_1_1_2 = extractBits(w_tile_1_word.x, 16u, 8u);
      w_tile_1_1_3 = extractBits(w_tile_1_word.x, 24u, 8u);
      w_tile_1_1_4 = extractBits(w_tile_1_word.y, 0u, 8u);
      w_tile_1_1_5 = extractBits(w_tile_1_word.y, 8u, 8u);
      w_tile_1_1_6 = extractBits(w_tile_1_word.y, 16u, 8u);
      w_tile_1_1_7 = extractBits(w_tile_1_word.y, 24u, 8u);
      w_tile_1_1_8 = extractBits(w_tile_1_word.z, 0u, 8u);
      w_tile_1_1_9 = extractBits(w_tile_1_word.z, 8u, 8u);
      w_tile_1_1_10 = extractBits(w_tile_1_word.z, 16u, 8u);
      w_tile_1_1_11 = extractBits(w_tile_1_word.z, 24u, 8u);
      w_tile_1_1_12 = extractBits(w_tile_1_word.w, 0u, 8u);
      w_tile_1_1_13 = extractBits(w_tile_1_word.w, 8u, 8u);
      w_tile_1_1_14 = extractBits(w_tile_1_word.w, 16u, 8u);
      w_tile_1_1_15 = extractBits(w_tile_1_word.w, 24u, 8u);
      let w_tile_1_in_1 = w_in & (u32(position + 16) < u32(launch.N));
      let w_tile_1_word_1 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + 3072) >> 4u, w_tile_1_in_1)], w_tile_1_in_1);
      w_tile_1_1_16 = extractBits(w_tile_1_word_1.x, 0u, 8u);
      w_tile_1_1_17 = extractBits(w_tile_1_word_1.x, 8u, 8u);
      w_tile_1_1_18 = extractBits(w_tile_1_word_1.x, 16u, 8u);
      w_tile_1_1_19 = extractBits(w_tile_1_word_1.x, 24u, 8u);
      w_tile_1_1_20 = extractBits(w_tile_1_word_1.y, 0u, 8u);
      w_tile_1_1_21 = extractBits(w_tile_1_word_1.y, 8u, 8u);
      w_tile_1_1_22 = extractBits(w_tile_1_word_1.y, 16u, 8u);
      w_tile_1_1_23 = extractBits(w_tile_1_word_1.y, 24u, 8u);
      w_tile_1_1_24 = extractBits(w_tile_1_word_1.z, 0u, 8u);
      w_tile_1_1_25 = extractBits(w_tile_1_word_1.z, 8u, 8u);
      w_tile_1_1_26 = extractBits(w_tile_1_word_1.z, 16u, 8u);
      w_tile_1_1_27 = extractBits(w_tile_1_word_1.z, 24u, 8u);
      w_tile_1_1_28 = extractBits(w_tile_1_word_1.w, 0u, 8u);
      w_tile_1_1_29 = extractBits(w_tile_1_word_1.w, 8u, 8u);
      w_tile_1_1_30 = extractBits(w_tile_1_word_1.w, 16u, 8u);
      w_tile_1_1_31 = extractBits(w_tile_1_word_1.w, 24u, 8u);
      let w_tile_1_in_2 = w_in & (u32(position + 32) < u32(launch.N));
      let w_tile_1_word_2 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + 6144) >> 4u, w_tile_1_in_2)], w_tile_1_in_2);
      w_tile_1_1_32 = extractBits(w_tile_1_word_2.x, 0u, 8u);
      w_tile_1_1_33 = extractBits(w_tile_1_word_2.x, 8u, 8u);
      w_tile_1_1_34 = extractBits(w_tile_1_word_2.x, 16u, 8u);
      w_tile_1_1_35 = extractBits(w_tile_1_word_2.x, 24u, 8u);
      w_tile_1_1_36 = extractBits(w_tile_1_word_2.y, 0u, 8u);
      w_tile_1_1_37 = extractBits(w_tile_1_word_2.y, 8u, 8u);
      w_tile_1_1_38 = extractBits(w_tile_1_word_2.y, 16u, 8u);
      w_tile_1_1_39 = extractBits(w_tile_1_word_2.y, 24u, 8u);
      w_tile_1_1_40 = extractBits(w_tile_1_word_2.z, 0u, 8u);
      w_tile_1_1_41 = extractBits(w_tile_1_word_2.z, 8u, 8u);
      w_tile_1_1_42 = extractBits(w_tile_1_word_2.z, 16u, 8u);
      w_tile_1_1_43 = extractBits(w_tile_1_word_2.z, 24u, 8u);
      w_tile_1_1_44 = extractBits(w_tile_1_word_2.w, 0u, 8u);
      w_tile_1_1_45 = extractBits(w_tile_1_word_2.w, 8u, 8u);
      w_tile_1_1_46 = extractBits(w_tile_1_word_2.w, 16u, 8u);
      w_tile_1_1_47 = extractBits(w_tile_1_word_2.w, 24u, 8u);
      let w_tile_1_in_3 = w_in & (u32(position + 48) < u32(launch.N));
      let w_tile_1_word_3 = select(
          vec4<u32>(0u), w[select(0, (w_at_2 + 9216) >> 4u, w_tile_1_in_3)], w_tile_1_in_3);
      w_tile_1_1_48 = extractBits(w_tile_1_word_3.x, 0u, 8u);
      w_tile_1_1_49 = extractBits(w_tile_1_word_3.x, 8u, 8u);
      w_tile_1_1_50 = extractBits(w_tile_1_word_3.x, 16u, 8u);
      w_tile_1_1_51 = extractBits(w_tile_1_word_3.x, 24u, 8u);
      w_tile_1_1_52 = extractBits(w_tile_1_word_3.y, 0u, 8u);
      w_tile_1_1_53 = extractBits(w_tile_1_word_3.y, 8u, 8u);
      w_tile_1_1_54 = extractBits(w_tile_1_word_3.y, 16u, 8u);
      w_tile_1_1_55 = extractBits(w_tile_1_word_3.y, 24u, 8u);
      w_tile_1_1_56 = extractBits(w_tile_1_word_3.z, 0u, 8u);
      w_tile_1_1_57 = extractBits(w_tile_1_word_3.z, 8u, 8u);
      w_tile_1_1_58 = extractBits(w_tile_1_word_3.z, 16u, 8u);
      w_tile_1_1_59 = extractBits(w_tile_1_word_3.z, 24u, 8u);
      w_tile_1_1_60 = extractBits(w_tile_1_word_3.w, 0u, 8u);
      w_tile_1_1_61 = extractBits(w_tile_1_word_3.w, 8u, 8u);
      w_tile_1_1_62 = extractBits(w_tile_1_word_3.w, 16u, 8u);
      w_tile_1_1_63 = extractBits(w_tile_1_word_3.w, 24u, 8u);
      a_0 = a_1_1_0; a_1 = a_1_1_1; a_2 = a_1_1_2; a_3 = a_1_1_3; a_4 = a_1_1_4; a_5 = a_1_1_5;
      a_6 = a_1_1_6; a_7 = a_1_1_7; a_8 = a_1_1_8; a_9 = a_1_1_9; a_10 = a_1_1_10; a_11 = a_1_1_11;
      a_12 = a_1_1_12; a_13 = a_1_1_13; a_14 = a_1_1_14; a_15 = a_1_1_15; t_9[0] = w_tile_0;
      t_10[0] = w_tile_1_1_0; t_9[1] = w_tile_1; t_10[1] = w_tile_1_1_1; t_9[2] = w_tile_2;
      t_10[2] = w_tile_1_1_2; t_9[3] = w_tile_3; t_10[3] = w_tile_1_1_3; t_9[4] = w_tile_4;
      t_10[4] = w_tile_1_1_4; t_9[5] = w_tile_5; t_10[5] = w_tile_1_1_5; t_9[6] = w_tile_6;
      t_10[6] = w_tile_1_1_6; t_9[7] = w_tile_7; t_10[7] = w_tile_1_1_7; t_9[8] = w_tile_8;
      t_10[8] = w_tile_1_1_8; t_9[9] = w_tile_9; t_10[9] = w_tile_1_1_9; t_9[10] = w_tile_10;
      t_10[10] = w_tile_1_1_10; t_9[11] = w_tile_11; t_10[11] = w_tile_1_1_11; t_9[12] = w_tile_12;
      t_10[12] = w_tile_1_1_12; t_9[13] = w_tile_13; t_10[13] = w_tile_1_1_13; t_9[14] = w_tile_14;
      t_10[14] = w_tile_1_1_14; t_9[15] = w_tile_15; t_10[15] = w_tile_1_1_15; t_9[16] = w_tile_16;
      t_10[16] = w_tile_1_1_16; t_9[17] = w_tile_17; t_10[17] = w_tile_1_1_17; t_9[18] = w_tile_18;
      t_10[18] = w_tile_1_1_18; t_9[19] = w_tile_19; t_10[19] = w_tile_1_1_19; t_9[20] = w_tile_20;
      t_10[20] = w_tile_1_1_20; t_9[21] = w_tile_21; t_10[21] = w_tile_1_1_21; t_9[22] = w_tile_22;
      t_10[22] = w_tile_1_1_22; t_9[23] = w_tile_23; t_10[23] = w_tile_1_1_23; t_9[24] = w_tile_24;
      t_10[24] = w_tile_1_1_24; t_9[25] = w_tile_25; t_10[25] = w_tile_1_1_25; t_9[26] = w_tile_26;
      t_10[26] = w_tile_1_1_26; t_9[27] = w_tile_27; t_10[27] = w_tile_1_1_27; t_9[28] = w_tile_28;
      t_10[28] = w_tile_1_1_28; t_9[29] = w_tile_29; t_10[29] = w_tile_1_1_29; t_9[30] = w_tile_30;
      t_10[30] = w_tile_1_1_30; t_9[31] = w_tile_31; t_10[31] = w_tile_1_1_31; t_9[32] = w_tile_32;
      t_10[32] = w_tile_1_1_32; t_9[33] = w_tile_33; t_10[33] = w_tile_1_1_33; t_9[34] = w_tile_34;
      t_10[34] = w_tile_1_1_34; t_9[35] = w_tile_35; t_10[35] = w_tile_1_1_35; t_9[36] = w_tile_36;
      t_10[36] = w_tile_1_1_36; t_9[37] = w_tile_37; t_10[37] = w_tile_1_1_37; t_9[38] = w_tile_38;
      t_10[38] = w_tile_1_1_38; t_9[39] = w_tile_39; t_10[39] = w_tile_1_1_39; t_9[40] = w_tile_40;
      t_10[40] = w_tile_1_1_40; t_9[41] = w_tile_41; t_10[41] = w_tile_1_1_41; t_9[42] = w_tile_42;
      t_10[42] = w_tile_1_1_42; t_9[43] = w_tile_43; t_10[43] = w_tile_1_1_43; t_9[44] = w_tile_44;
      t_10[44] = w_tile_1_1_44; t_9[45] = w_tile_45; t_10[45] = w_tile_1_1_45; t_9[46] = w_tile_46;
      t_10[46] = w_tile_1_1_46; t_9[47] = w_tile_47; t_10[47] = w_tile_1_1_47; t_9[48] = w_tile_48;
      t_10[48] = w_tile_1_1_48; t_9[49] = w_tile_49; t_10[49] = w_tile_1_1_49; t_9[50] = w_tile_50;
      t_10[50] = w_tile_1_1_50; t_9[51] = w_tile_51; t_10[51] = w_tile_1_1_51; t_9[52] = w_tile_52;
      t_10[52] = w_tile_1_1_52; t_9[53] = w_tile_53; t_10[53] = w_tile_1_1_53; t_9[54] = w_tile_54;
      t_10[54] = w_tile_1_1_54; t_9[55] = w_tile_55; t_10[55] = w_tile_1_1_55; t_9[56] = w_tile_56;
      t_10[56] = w_tile_1_1_56; t_9[57] = w_tile_57; t_10[57] = w_tile_1_1_57; t_9[58] = w_tile_58;
      t_10[58] = w_tile_1_1_58; t_9[59] = w_tile_59; t_10[59] = w_tile_1_1_59; t_9[60] = w_tile_60;
      t_10[60] = w_tile_1_1_60; t_9[61] = w_tile_61; t_10[61] = w_tile_1_1_61; t_9[62] = w_tile_62;
      t_10[62] = w_tile_1_1_62; t_9[63] = w_tile_63; t_10[63] = w_tile_1_1_63;
    } else {
      a_0 = 0u; a_1 = 0u; a_2 = 0u; a_3 = 0u; a_4 = 0u; a_5 = 0u; a_6 = 0u; a_7 = 0u; a_8 = 0u;
      a_9 = 0u; a_10 = 0u; a_11 = 0u; a_12 = 0u; a_13 = 0u; a_14 = 0u; a_15 = 0u; t_9[0] = 0u;
      t_10[0] = 0u; t_9[1] = 0u; t_10[1] = 0u; t_9[2] = 0u; t_10[2] = 0u; t_9[3] = 0u; t_10[3] = 0u;
      t_9[4] = 0u; t_10[4] = 0u; t_9[5] = 0u; t_10[5] = 0u; t_9[6] = 0u; t_10[6] = 0u; t_9[7] = 0u;
      t_10[7] = 0u; t_9[8] = 0u; t_10[8] = 0u; t_9[9] = 0u; t_10[9] = 0u; t_9[10] = 0u;
      t_10[10] = 0u; t_9[11] = 0u; t_10[11] = 0u; t_9[12] = 0u; t_10[12] = 0u; t_9[13] = 0u;
      t_10[13] = 0u; t_9[14] = 0u; t_10[14] = 0u; t_9[15] = 0u; t_10[15] = 0u; t_9[16] = 0u;
      t_10[16] = 0u; t_9[17] = 0u; t_10[17] = 0u; t_9[18] = 0u; t_10[18] = 0u; t_9[19] = 0u;
      t_10[19] = 0u; t_9[20] = 0u; t_10[20] = 0u; t_9[21] = 0u; t_10[21] = 0u; t_9[22] = 0u;
      t_10[22] = 0u; t_9[23] = 0u; t_10[23] = 0u; t_9[24] = 0u; t_10[24] = 0u; t_9[25] = 0u;
      t_10[25] = 0u; t_9[26] = 0u; t_10[26] = 0u; t_9[27] = 0u; t_10[27] = 0u; t_9[28] = 0u;
      t_10[28] = 0u; t_9[29] = 0u; t_10[29] = 0u; t_9[30] = 0u; t_10[30] = 0u; t_9[31] = 0u;
      t_10[31] = 0u; t_9[32] = 0u; t_10[32] = 0u; t_9[33] = 0u; t_10[33] = 0u; t_9[34] = 0u;
      t_10[34] = 0u; t_9[35] = 0u; t_10[35] = 0u; t_9[36] = 0u; t_10[36] = 0u; t_9[37] = 0u;
      t_10[37] = 0u; t_9[38] = 0u; t_10[38] = 0u; t_9[39] = 0u; t_10[39] = 0u; t_9[40] = 0u;
      t_10[40] = 0u; t_9[41] = 0u; t_10[41] = 0u; t_9[42] = 0u; t_10[42] = 0u; t_9[43] = 0u;
      t_10[43] = 0u; t_9[44] = 0u; t_10[44] = 0u; t_9[45] = 0u; t_10[45] = 0u; t_9[46] = 0u;
      t_10[46] = 0u; t_9[47] = 0u; t_10[47] = 0u; t_9[48] = 0u; t_10[48] = 0u; t_9[49] = 0u;
      t_10[49] = 0u; t_9[50] = 0u; t_10[50] = 0u; t_9[51] = 0u; t_10[51] = 0u; t_9[52] = 0u;
      t_10[52] = 0u; t_9[53] = 0u; t_10[53] = 0u; t_9[54] = 0u; t_10[54] = 0u; t_9[55] = 0u;
      t_10[55] = 0u; t_9[56] = 0u; t_10[56] = 0u; t_9[57] = 0u; t_10[57] = 0u; t_9[58] = 0u;
      t_10[58] = 0u; t_9[59] = 0u; t_10[59] = 0u; t_9[60] = 0u; t_10[60] = 0u; t_9[61] = 0u;
      t_10[61] = 0u; t_9[62] = 0u; t_10[62] = 0u; t_9[63] = 0u; t_10[63] = 0u;
    }
    var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32; var acc_5: f32;
    var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32; var acc_10: f32;
    var acc_11: f32; var acc_12: f32; var acc_13: f32; var acc_14: f32; var acc_15: f32;
    var up: array<f32, 16>;
    acc_0 = 0.0f; up[0] = 0.0f; acc_1 = 0.0f; up[1] = 0.0f; acc_2 = 0.0f; up[2] = 0.0f;
    acc_3 = 0.0f; up[3] = 0.0f; acc_4 = 0.0f; up[4] = 0.0f; acc_5 = 0.0f; up[5] = 0.0f;
    acc_6 = 0.0f; up[6] = 0.0f; acc_7 = 0.0f; up[7] = 0.0f; acc_8 = 0.0f; up[8] = 0.0f;
    acc_9 = 0.0f; up[9] = 0.0f; acc_10 = 0.0f; up[10] = 0.0f; acc_11 = 0.0f; up[11] = 0.0f;
    acc_12 = 0.0f; up[12] = 0.0f; acc_13 = 0.0f; up[13] = 0.0f; acc_14 = 0.0f; up[14] = 0.0f;
    acc_15 = 0.0f; up[15] = 0.0f;
    let w_at_3: i32 = e * stride + t_8 * 192 + w_at;
    let w_in_1: bool = u32(e) < u32(launch.E);
    let w_at_4: i32 = e * stride + stride_1 + t_8 * 192 + w_at;
    let a_shared_at: i32 = (thread & 3) * 16 + (thread >> 2u) * 68;
    let a_shared_at_1: i32 = ((thread >> 3u) & 3) * 68;
    let t62_shared_at: i32 = (thread & 7) * 272 + (thread >> 5u) * 2176;
    for (var k: i32 = 0; k < 192; k += 64) {
      let k_1: i32 = k + 64;
      let more_1: bool = k_1 < 192;
      var a_2_1_0: u32; var a_2_1_1: u32; var a_2_1_2: u32; var a_2_1_3: u32; var a_2_1_4: u32;
      var a_2_1_5: u32; var a_2_1_6: u32; var a_2_1_7: u32; var a_2_1_8: u32; var a_2_1_9: u32;
      var a_2_1_10: u32; var a_2_1_11: u32; var a_2_1_12: u32; var a_2_1_13: u32; var a_2_1_14: u32;
      var a_2_1_15: u32;
      var t_11_0: u32; var t_11_1: u32; var t_11_2: u32; var t_11_3: u32; var t_11_4: u32;
      var t_11_5: u32; var t_11_6: u32; var t_11_7: u32; var t_11_8: u32; var t_11_9: u32;
      var t_11_10: u32; var t_11_11: u32; var t_11_12: u32; var t_11_13: u32; var t_11_14: u32;
      var t_11_15: u32; var t_11_16: u32; var t_11_17: u32; var t_11_18: u32; var t_11_19: u32;
      var t_11_20: u32; var t_11_21: u32; var t_11_22: u32; var t_11_23: u32; var t_11_24: u32;
      var t_11_25: u32; var t_11_26: u32; var t_11_27: u32; var t_11_28: u32; var t_11_29: u32;
      var t_11_30: u32; var t_11_31: u32; var t_11_32: u32; var t_11_33: u32; var t_11_34: u32;
      var t_11_35: u32; var t_11_36: u32; var t_11_37: u32; var t_11_38: u32; var t_11_39: u32;
      var t_11_40: u32; var t_11_41: u32; var t_11_42: u32; var t_11_43: u32; var t_11_44: u32;
      var t_11_45: u32; var t_11_46: u32; var t_11_47: u32; var t_11_48: u32; var t_11_49: u32;
      var t_11_50: u32; var t_11_51: u32; var t_11_52: u32; var t_11_53: u32; var t_11_54: u32;
      var t_11_55: u32; var t_11_56: u32; var t_11_57: u32; var t_11_58: u32; var t_11_59: u32;
      var t_11_60: u32; var t_11_61: u32; var t_11_62: u32; var t_11_63: u32;
      var t_12_0: u32; var t_12_1: u32; var t_12_2: u32; var t_12_3: u32; var t_12_4: u32;
      var t_12_5: u32; var t_12_6: u32; var t_12_7: u32; var t_12_8: u32; var t_12_9: u32;
      var t_12_10: u32; var t_12_11: u32; var t_12_12: u32; var t_12_13: u32; var t_12_14: u32;
      var t_12_15: u32; var t_12_16: u32; var t_12_17: u32; var t_12_18: u32; var t_12_19: u32;
      var t_12_20: u32; var t_12_21: u32; var t_12_22: u32; var t_12_23: u32; var t_12_24: u32;
      var t_12_25: u32; var t_12_26: u32; var t_12_27: u32; var t_12_28: u32; var t_12_29: u32;
      var t_12_30: u32; var t_12_31: u32; var t_12_32: u32; var t_12_33: u32; var t_12_34: u32;
      var t_12_35: u32; var t_12_36: u32; var t_12_37: u32; var t_12_38: u32; var t_12_39: u32;
      var t_12_40: u32; var t_12_41: u32; var t_12_42: u32; var t_12_43: u32; var t_12_44: u32;
      var t_12_45: u32; var t_12_46: u32; var t_12_47: u32; var t_12_48: u32; var t_12_49: u32;
      var t_12_50: u32; var t_12_51: u32; var t_12_52: u32; var t_12_53: u32; var t_12_54: u32;
      var t_12_55: u32; var t_12_56: u32; var t_12_57: u32; var t_12_58: u32; var t_12_59: u32;
      var t_12_60: u32; var t_12_61: u32; var t_12_62: u32; var t_12_63: u32;
      if (more_1) {
        let left: i32 = 192 - k_1;
        let x_at_1: i32 = x_at + k_1;
        let x_in_1: bool = x_in & (t_BK < left);
        var a_3_1_0: u32; var a_3_1_1: u32; var a_3_1_2: u32; var a_3_1_3: u32; var a_3_1_4: u32;
        var a_3_1_5: u32; var a_3_1_6: u32; var a_3_1_7: u32; var a_3_1_8: u32; var a_3_1_9: u32;
        var a_3_1_10: u32; var a_3_1_11: u32; var a_3_1_12: u32; var a_3_1_13: u32;
        var a_3_1_14: u32; var a_3_1_15: u32;
        let a_3_word = select(vec4<u32>(0u), x[select(0, x_at_1 >> 4u, x_in_1)], x_in_1);
        a_3_1_0 = extractBits(a_3_word.x, 0u, 8u); a_3_1_1 = extractBits(a_3_word.x, 8u, 8u);
        a_3_1_2 = extractBits(a_3_word.x, 16u, 8u); a_3_1_3 = extractBits(a_3_word.x, 24u, 8u);
        a_3_1_4 = extractBits(a_3_word.y, 0u, 8u); a_3_1_5 = extractBits(a_3_word.y, 8u, 8u);
        a_3_1_6 = extractBits(a_3_word.y, 16u, 8u); a_3_1_7 = extractBits(a_3_word.y, 24u, 8u);
        a_3_1_8 = extractBits(a_3_word.z, 0u, 8u); a_3_1_9 = extractBits(a_3_word.z, 8u, 8u);
        a_3_1_10 = extractBits(a_3_word.z, 16u, 8u); a_3_1_11 = extractBits(a_3_word.z, 24u, 8u);
        a_3_1_12 = extractBits(a_3_word.w, 0u, 8u); a_3_1_13 = extractBits(a_3_word.w, 8u, 8u);
        a_3_1_14 = extractBits(a_3_word.w, 16u, 8u); a_3_1_15 = extractBits(a_3_word.w, 24u, 8u);
        let w_at_5: i32 = w_at_3 + k_1;
        let w_in_2: bool = w_in_1 & (t_BK < left);
        var w_tile_2_0: u32; var w_tile_2_1: u32; var w_tile_2_2: u32; var w_tile_2_3: u32;
        var w_tile_2_4: u32; var w_tile_2_5: u32; var w_tile_2_6: u32; var w_tile_2_7: u32;
        var w_tile_2_8: u32; var w_tile_2_9: u32; var w_tile_2_10: u32; var w_tile_2_11: u32;
        var w_tile_2_12: u32; var w_tile_2_13: u32; var w_tile_2_14: u32; var w_tile_2_15: u32;
        var w_tile_2_16: u32; var w_tile_2_17: u32; var w_tile_2_18: u32; var w_tile_2_19: u32;
        var w_tile_2_20: u32; var w_tile_2_21: u32; var w_tile_2_22: u32; var w_tile_2_23: u32;
        var w_tile_2_24: u32; var w_tile_2_25: u32; var w_tile_2_26: u32; var w_tile_2_27: u32;
        var w_tile_2_28: u32; var w_tile_2_29: u32; var w_tile_2_30: u32; var w_tile_2_31: u32;
        var w_tile_2_32: u32; var w_tile_2_33: u32; var w_tile_2_34: u32; var w_tile_2_35: u32;
        var w_tile_2_36: u32; var w_tile_2_37: u32; var w_tile_2_38: u32; var w_tile_2_39: u32;
        var w_tile_2_40: u32; var w_tile_2_41: u32; var w_tile_2_42: u32; var w_tile_2_43: u32;
        var w_tile_2_44: u32; var w_tile_2_45: u32; var w_tile_2_46: u32; var w_tile_2_47: u32;
        var w_tile_2_48: u32; var w_tile_2_49: u32; var w_tile_2_50: u32; var w_tile_2_51: u32;
        var w_tile_2_52: u32; var w_tile_2_53: u32; var w_tile_2_54: u32; var w_tile_2_55: u32;
        var w_tile_2_56: u32; var w_tile_2_57: u32; var w_tile_2_58: u32; var w_tile_2_59: u32;
        var w_tile_2_60: u32; var w_tile_2_61: u32; var w_tile_2_62: u32; var w_tile_2_63: u32;
        let w_tile_2_in = w_in_2 & (u32(position) < u32(launch.N));
        let w_tile_2_word = select(
            vec4<u32>(0u), w[select(0, w_at_5 >> 4u, w_tile_2_in)], w_tile_2_in);
        w_tile_2_0 = extractBits(w_tile_2_word.x, 0u, 8u);
        w_tile_2_1 = extractBits(w_tile_2_word.x, 8u, 8u);
        w_tile_2_2 = extractBits(w_tile_2_word.x, 16u, 8u);
        w_tile_2_3 = extractBits(w_tile_2_word.x, 24u, 8u);
        w_tile_2_4 = extractBits(w_tile_2_word.y, 0u, 8u);
        w_tile_2_5 = extractBits(w_tile_2_word.y, 8u, 8u);
        w_tile_2_6 = extractBits(w_tile_2_word.y, 16u, 8u);
        w_tile_2_7 = extractBits(w_tile_2_word.y, 24u, 8u);
        w_tile_2_8 = extractBits(w_tile_2_word.z, 0u, 8u);
        w_tile_2_9 = extractBits(w_tile_2_word.z, 8u, 8u);
        w_tile_2_10 = extractBits(w_tile_2_word.z, 16u, 8u);
        w_tile_2_11 = extractBits(w_tile_2_word.z, 24u, 8u);
        w_tile_2_12 = extractBits(w_tile_2_word.w, 0u, 8u);
        w_tile_2_13 = extractBits(w_tile_2_word.w, 8u, 8u);
        w_tile_2_14 = extractBits(w_tile_2_word.w, 16u, 8u);
        w_tile_2_15 = extractBits(w_tile_2_word.w, 24u, 8u);
        let w_tile_2_in_1 = w_in_2 & (u32(position + 16) < u32(launch.N));
        let w_tile_2_word_1 = select(
            vec4<u32>(0u), w[select(0, (w_at_5 + 3072) >> 4u, w_tile_2_in_1)], w_tile_2_in_1);
        w_tile_2_16 = extractBits(w_tile_2_word_1.x, 0u, 8u);
        w_tile_2_17 = extractBits(w_tile_2_word_1.x, 8u, 8u);
        w_tile_2_18 = extractBits(w_tile_2_word_1.x, 16u, 8u);
        w_tile_2_19 = extractBits(w_tile_2_word_1.x, 24u, 8u);
        w_tile_2_20 = extractBits(w_tile_2_word_1.y, 0u, 8u);
        w_tile_2_21 = extractBits(w_tile_2_word_1.y, 8u, 8u);
        w_tile_2_22 = extractBits(w_tile_2_word_1.y, 16u, 8u);
        w_tile_2_23 = extractBits(w_tile_2_word_1.y, 24u, 8u);
        w_tile_2_24 = extractBits(w_tile_2_word_1.z, 0u, 8u);
        w_tile_2_25 = extractBits(w_tile_2_word_1.z, 8u, 8u);
        w_tile_2_26 = extractBits(w_tile_2_word_1.z, 16u, 8u);
        w_tile_2_27 = extractBits(w_tile_2_word_1.z, 24u, 8u);
        w_tile_2_28 = extractBits(w_tile_2_word_1.w, 0u, 8u);
        w_tile_2_29 = extractBits(w_tile_2_word_1.w, 8u, 8u);
        w_tile_2_30 = extractBits(w_tile_2_word_1.w, 16u, 8u);
        w_tile_2_31 = extractBits(w_tile_2_word_1.w, 24u, 8u);
        let w_tile_2_in_2 = w_in_2 & (u32(position + 32) < u32(launch.N));
        let w_tile_2_word_2 = select(
            vec4<u32>(0u), w[select(0, (w_at_5 + 6144) >> 4u, w_tile_2_in_2)], w_tile_2_in_2);
        w_tile_2_32 = extractBits(w_tile_2_word_2.x, 0u, 8u);
        w_tile_2_33 = extractBits(w_tile_2_word_2.x, 8u, 8u);
        w_tile_2_34 = extractBits(w_tile_2_word_2.x, 16u, 8u);
        w_tile_2_35 = extractBits(w_tile_2_word_2.x, 24u, 8u);
        w_tile_2_36 = extractBits(w_tile_2_word_2.y, 0u, 8u);
        w_tile_2_37 = extractBits(w_tile_2_word_2.y, 8u, 8u);
        w_tile_2_38 = extractBits(w_tile_2_word_2.y, 16u, 8u);
        w_tile_2_39 = extractBits(w_tile_2_word_2.y, 24u, 8u);
        w_tile_2_40 = extractBits(w_tile_2_word_2.z, 0u, 8u);
        w_tile_2_41 = extractBits(w_tile_2_word_2.z, 8u, 8u);
        w_tile_2_42 = extractBits(w_tile_2_word_2.z, 16u, 8u);
        w_tile_2_43 = extractBits(w_tile_2_word_2.z, 24u, 8u);
        w_tile_2_44 = extractBits(w_tile_2_word_2.w, 0u, 8u);
        w_tile_2_45 = extractBits(w_tile_2_word_2.w, 8u, 8u);
        w_tile_2_46 = extractBits(w_tile_2_word_2.w, 16u, 8u);
        w_tile_2_47 = extractBits(w_tile_2_word_2.w, 24u, 8u);
        let w_tile_2_in_3 = w_in_2 & (u32(position + 48) < u32(launch.N));
        let w_tile_2_word_3 = select(
            vec4<u32>(0u), w[select(0, (w_at_5 + 9216) >> 4u, w_tile_2_in_3)], w_tile_2_in_3);
        w_tile_2_48 = extractBits(w_tile_2_word_3.x, 0u, 8u);
        w_tile_2_49 = extractBits(w_tile_2_word_3.x, 8u, 8u);
        w_tile_2_50 = extractBits(w_tile_2_word_3.x, 16u, 8u);
        w_tile_2_51 = extractBits(w_tile_2_word_3.x, 24u, 8u);
        w_tile_2_52 = extractBits(w_tile_2_word_3.y, 0u, 8u);
        w_tile_2_53 = extractBits(w_tile_2_word_3.y, 8u, 8u);
        w_tile_2_54 = extractBits(w_tile_2_word_3.y, 16u, 8u);
        w_tile_2_55 = extractBits(w_tile_2_word_3.y, 24u, 8u);
        w_tile_2_56 = extractBits(w_tile_2_word_3.z, 0u, 8u);
        w_tile_2_57 = extractBits(w_tile_2_word_3.z, 8u, 8u);
        w_tile_2_58 = extractBits(w_tile_2_word_3.z, 16u, 8u);
        w_tile_2_59 = extractBits(w_tile_2_word_3.z, 24u, 8u);
        w_tile_2_60 = extractBits(w_tile_2_word_3.w, 0u, 8u);
        w_tile_2_61 = extractBits(w_tile_2_word_3.w, 8u, 8u);
        w_tile_2_62 = extractBits(w_tile_2_word_3.w, 16u, 8u);
        w_tile_2_63 = extractBits(w_tile_2_word_3.w, 24u, 8u);
        let w_at_6: i32 = w_at_4 + k_1;
        var w_tile_3_0: u32; var w_tile_3_1: u32; var w_tile_3_2: u32; var w_tile_3_3: u32;
        var w_tile_3_4: u32; var w_tile_3_5: u32; var w_tile_3_6: u32; var w_tile_3_7: u32;
        var w_tile_3_8: u32; var w_tile_3_9: u32; var w_tile_3_10: u32; var w_tile_3_11: u32;
        var w_tile_3_12: u32; var w_tile_3_13: u32; var w_tile_3_14: u32; var w_tile_3_15: u32;
        var w_tile_3_16: u32; var w_tile_3_17: u32; var w_tile_3_18: u32; var w_tile_3_19: u32;
        var w_tile_3_20: u32; var w_tile_3_21: u32; var w_tile_3_22: u32; var w_tile_3_23: u32;
        var w_tile_3_24: u32; var w_tile_3_25: u32; var w_tile_3_26: u32; var w_tile_3_27: u32;
        var w_tile_3_28: u32; var w_tile_3_29: u32; var w_tile_3_30: u32; var w_tile_3_31: u32;
        var w_tile_3_32: u32; var w_tile_3_33: u32; var w_tile_3_34: u32; var w_tile_3_35: u32;
        var w_tile_3_36: u32; var w_tile_3_37: u32; var w_tile_3_38: u32; var w_tile_3_39: u32;
        var w_tile_3_40: u32; var w_tile_3_41: u32; var w_tile_3_42: u32; var w_tile_3_43: u32;
        var w_tile_3_44: u32; var w_tile_3_45: u32; var w_tile_3_46: u32; var w_tile_3_47: u32;
        var w_tile_3_48: u32; var w_tile_3_49: u32; var w_tile_3_50: u32; var w_tile_3_51: u32;
        var w_tile_3_52: u32; var w_tile_3_53: u32; var w_tile_3_54: u32; var w_tile_3_55: u32;
        var w_tile_3_56: u32; var w_tile_3_57: u32; var w_tile_3_58: u32; var w_tile_3_59: u32;
        var w_tile_3_60: u32; var w_tile_3_61: u32; var w_tile_3_62: u32; var w_tile_3_63: u32;
        let w_tile_3_in = w_in_2 & (u32(position) < u32(launch.N));
        let w_tile_3_word = select(
            vec4<u32>(0u), w[select(0, w_at_6 >> 4u, w_tile_3_in)], w_tile_3_in);
        w_tile_3_0 = extractBits(w_tile_3_word.x, 0u, 8u);
        w_tile_3_1 = extractBits(w_tile_3_word.x, 8u, 8u);
        w_tile_3_2 = extractBits(w_tile_3_word.x, 16u, 8u);
        w_tile_3_3 = extractBits(w_tile_3_word.x, 24u, 8u);
        w_tile_3_4 = extractBits(w_tile_3_word.y, 0u, 8u);
        w_tile_3_5 = extractBits(w_tile_3_word.y, 8u, 8u);
        w_tile_3_6 = extractBits(w_tile_3_word.y, 16u, 8u);
        w_tile_3_7 = extractBits(w_tile_3_word.y, 24u, 8u);
        w_tile_3_8 = extractBits(w_tile_3_word.z, 0u, 8u);
        w_tile_3_9 = extractBits(w_tile_3_word.z, 8u, 8u);
        w_tile_3_10 = extractBits(w_tile_3_word.z, 16u, 8u);
        w_tile_3_11 = extractBits(w_tile_3_word.z, 24u, 8u);
        w_tile_3_12 = extractBits(w_tile_3_word.w, 0u, 8u);
        w_tile_3_13 = extractBits(w_tile_3_word.w, 8u, 8u);
        w_tile_3_14 = extractBits(w_tile_3_word.w, 16u, 8u);
        w_tile_3_15 = extractBits(w_tile_3_word.w, 24u, 8u);
        let w_tile_3_in_1 = w_in_2 & (u32(position + 16) < u32(launch.N));
        let w_tile_3_word_1 = select(
            vec4<u32>(0u), w[select(0, (w_at_6 + 3072) >> 4u, w_tile_3_in_1)], w_tile_3_in_1);
        w_tile_3_16 = extractBits(w_tile_3_word_1.x, 0u, 8u);
        w_tile_3_17 = extractBits(w_tile_3_word_1.x, 8u, 8u);
        w_tile_3_18 = extractBits(w_tile_3_word_1.x, 16u, 8u);
        w_tile_3_19 = extractBits(w_tile_3_word_1.x, 24u, 8u);
        w_tile_3_20 = extractBits(w_tile_3_word_1.y, 0u, 8u);
        w_tile_3_21 = extractBits(w_tile_3_word_1.y, 8u, 8u);
        w_tile_3_22 = extractBits(w_tile_3_word_1.y, 16u, 8u);
        w_tile_3_23 = extractBits(w_tile_3_word_1.y, 24u, 8u);
        w_tile_3_24 = extractBits(w_tile_3_word_1.z, 0u, 8u);
        w_tile_3_25 = extractBits(w_tile_3_word_1.z, 8u, 8u);
        w_tile_3_26 = extractBits(w_tile_3_word_1.z, 16u, 8u);
        w_tile_3_27 = extractBits(w_tile_3_word_1.z, 24u, 8u);
        w_tile_3_28 = extractBits(w_tile_3_word_1.w, 0u, 8u);
        w_tile_3_29 = extractBits(w_tile_3_word_1.w, 8u, 8u);
        w_tile_3_30 = extractBits(w_tile_3_word_1.w, 16u, 8u);
        w_tile_3_31 = extractBits(w_tile_3_word_1.w, 24u, 8u);
        let w_tile_3_in_2 = w_in_2 & (u32(position + 32) < u32(launch.N));
        let w_tile_3_word_2 = select(
            vec4<u32>(0u), w[select(0, (w_at_6 + 6144) >> 4u, w_tile_3_in_2)], w_tile_3_in_2);
        w_tile_3_32 = extractBits(w_tile_3_word_2.x, 0u, 8u);
        w_tile_3_33 = extractBits(w_tile_3_word_2.x, 8u, 8u);
        w_tile_3_34 = extractBits(w_tile_3_word_2.x, 16u, 8u);
        w_tile_3_35 = extractBits(w_tile_3_word_2.x, 24u, 8u);
        w_tile_3_36 = extractBits(w_tile_3_word_2.y, 0u, 8u);
        w_tile_3_37 = extractBits(w_tile_3_word_2.y, 8u, 8u);
        w_tile_3_38 = extractBits(w_tile_3_word_2.y, 16u, 8u);
        w_tile_3_39 = extractBits(w_tile_3_word_2.y, 24u, 8u);
        w_tile_3_40 = extractBits(w_tile_3_word_2.z, 0u, 8u);
        w_tile_3_41 = extractBits(w_tile_3_word_2.z, 8u, 8u);
        w_tile_3_42 = extractBits(w_tile_3_word_2.z, 16u, 8u);
        w_tile_3_43 = extractBits(w_tile_3_word_2.z, 24u, 8u);
        w_tile_3_44 = extractBits(w_tile_3_word_2.w, 0u, 8u);
        w_tile_3_45 = extractBits(w_tile_3_word_2.w, 8u, 8u);
        w_tile_3_46 = extractBits(w_tile_3_word_2.w, 16u, 8u);
        w_tile_3_47 = extractBits(w_tile_3_word_2.w, 24u, 8u);
        let w_tile_3_in_3 = w_in_2 & (u32(position + 48) < u32(launch.N));
        let w_tile_3_word_3 = select(
            vec4<u32>(0u), w[select(0, (w_at_6 + 9216) >> 4u, w_tile_3_in_3)], w_tile_3_in_3);
        w_tile_3_48 = extractBits(w_tile_3_word_3.x, 0u, 8u);
        w_tile_3_49 = extractBits(w_tile_3_word_3.x, 8u, 8u);
        w_tile_3_50 = extractBits(w_tile_3_word_3.x, 16u, 8u);
        w_tile_3_51 = extractBits(w_tile_3_word_3.x, 24u, 8u);
        w_tile_3_52 = extractBits(w_tile_3_word_3.y, 0u, 8u);
        w_tile_3_53 = extractBits(w_tile_3_word_3.y, 8u, 8u);
        w_tile_3_54 = extractBits(w_tile_3_word_3.y, 16u, 8u);
        w_tile_3_55 = extractBits(w_tile_3_word_3.y, 24u, 8u);
        w_tile_3_56 = extractBits(w_tile_3_word_3.z, 0u, 8u);
        w_tile_3_57 = extractBits(w_tile_3_word_3.z, 8u, 8u);
        w_tile_3_58 = extractBits(w_tile_3_word_3.z, 16u, 8u);
        w_tile_3_59 = extractBits(w_tile_3_word_3.z, 24u, 8u);
        w_tile_3_60 = extractBits(w_tile_3_word_3.w, 0u, 8u);
        w_tile_3_61 = extractBits(w_tile_3_word_3.w, 8u, 8u);
        w_tile_3_62 = extractBits(w_tile_3_word_3.w, 16u, 8u);
        w_tile_3_63 = extractBits(w_tile_3_word_3.w, 24u, 8u);
        a_2_1_0 = a_3_1_0; a_2_1_1 = a_3_1_1; a_2_1_2 = a_3_1_2; a_2_1_3 = a_3_1_3;
        a_2_1_4 = a_3_1_4; a_2_1_5 = a_3_1_5; a_2_1_6 = a_3_1_6; a_2_1_7 = a_3_1_7;
        a_2_1_8 = a_3_1_8; a_2_1_9 = a_3_1_9; a_2_1_10 = a_3_1_10; a_2_1_11 = a_3_1_11;
        a_2_1_12 = a_3_1_12; a_2_1_13 = a_3_1_13; a_2_1_14 = a_3_1_14; a_2_1_15 = a_3_1_15;
        t_11_0 = w_tile_2_0; t_12_0 = w_tile_3_0; t_11_1 = w_tile_2_1; t_12_1 = w_tile_3_1;
        t_11_2 = w_tile_2_2; t_12_2 = w_tile_3_2; t_11_3 = w_tile_2_3; t_12_3 = w_tile_3_3;
        t_11_4 = w_tile_2_4; t_12_4 = w_tile_3_4; t_11_5 = w_tile_2_5; t_12_5 = w_tile_3_5;
        t_11_6 = w_tile_2_6; t_12_6 = w_tile_3_6; t_11_7 = w_tile_2_7; t_12_7 = w_tile_3_7;
        t_11_8 = w_tile_2_8; t_12_8 = w_tile_3_8; t_11_9 = w_tile_2_9; t_12_9 = w_tile_3_9;
        t_11_10 = w_tile_2_10; t_12_10 = w_tile_3_10; t_11_11 = w_tile_2_11; t_12_11 = w_tile_3_11;
        t_11_12 = w_tile_2_12; t_12_12 = w_tile_3_12; t_11_13 = w_tile_2_13; t_12_13 = w_tile_3_13;
        t_11_14 = w_tile_2_14; t_12_14 = w_tile_3_14; t_11_15 = w_tile_2_15; t_12_15 = w_tile_3_15;
        t_11_16 = w_tile_2_16; t_12_16 = w_tile_3_16; t_11_17 = w_tile_2_17; t_12_17 = w_tile_3_17;
        t_11_18 = w_tile_2_18; t_12_18 = w_tile_3_18; t_11_19 = w_tile_2_19; t_12_19 = w_tile_3_19;
        t_11_20 = w_tile_2_20; t_12_20 = w_tile_3_20; t_11_21 = w_tile_2_21; t_12_21 = w_tile_3_21;
        t_11_22 = w_tile_2_22; t_12_22 = w_tile_3_22; t_11_23 = w_tile_2_23; t_12_23 = w_tile_3_23;
        t_11_24 = w_tile_2_24; t_12_24 = w_tile_3_24; t_11_25 = w_tile_2_25; t_12_25 = w_tile_3_25;
        t_11_26 = w_tile_2_26; t_12_26 = w_tile_3_26; t_11_27 = w_tile_2_27; t_12_27 = w_tile_3_27;
        t_11_28 = w_tile_2_28; t_12_28 = w_tile_3_28; t_11_29 = w_tile_2_29; t_12_29 = w_tile_3_29;
        t_11_30 = w_tile_2_30; t_12_30 = w_tile_3_30; t_11_31 = w_tile_2_31; t_12_31 = w_tile_3_31;
        t_11_32 = w_tile_2_32; t_12_32 = w_tile_3_32; t_11_33 = w_tile_2_33; t_12_33 = w_tile_3_33;
        t_11_34 = w_tile_2_34; t_12_34 = w_tile_3_34; t_11_35 = w_tile_2_35; t_12_35 = w_tile_3_35;
        t_11_36 = w_tile_2_36; t_12_36 = w_tile_3_36; t_11_37 = w_tile_2_37; t_12_37 = w_tile_3_37;
        t_11_38 = w_tile_2_38; t_12_38 = w_tile_3_38; t_11_39 = w_tile_2_39; t_12_39 = w_tile_3_39;
        t_11_40 = w_tile_2_40; t_12_40 = w_tile_3_40; t_11_41 = w_tile_2_41; t_12_41 = w_tile_3_41;
        t_11_42 = w_tile_2_42; t_12_42 = w_tile_3_42; t_11_43 = w_tile_2_43; t_12_43 = w_tile_3_43;
        t_11_44 = w_tile_2_44; t_12_44 = w_tile_3_44; t_11_45 = w_tile_2_45; t_12_45 = w_tile_3_45;
        t_11_46 = w_tile_2_46; t_12_46 = w_tile_3_46; t_11_47 = w_tile_2_47; t_12_47 = w_tile_3_47;
        t_11_48 = w_tile_2_48; t_12_48 = w_tile_3_48; t_11_49 = w_tile_2_49; t_12_49 = w_tile_3_49;
        t_11_50 = w_tile_2_50; t_12_50 = w_tile_3_50; t_11_51 = w_tile_2_51; t_12_51 = w_tile_3_51;
        t_11_52 = w_tile_2_52; t_12_52 = w_tile_3_52; t_11_53 = w_tile_2_53; t_12_53 = w_tile_3_53;
        t_11_54 = w_tile_2_54; t_12_54 = w_tile_3_54; t_11_55 = w_tile_2_55; t_12_55 = w_tile_3_55;
        t_11_56 = w_tile_2_56; t_12_56 = w_tile_3_56; t_11_57 = w_tile_2_57; t_12_57 = w_tile_3_57;
        t_11_58 = w_tile_2_58; t_12_58 = w_tile_3_58; t_11_59 = w_tile_2_59; t_12_59 = w_tile_3_59;
        t_11_60 = w_tile_2_60; t_12_60 = w_tile_3_60; t_11_61 = w_tile_2_61; t_12_61 = w_tile_3_61;
        t_11_62 = w_tile_2_62; t_12_62 = w_tile_3_62; t_11_63 = w_tile_2_63; t_12_63 = w_tile_3_63;
      } else {
        a_2_1_0 = 0u; a_2_1_1 = 0u; a_2_1_2 = 0u; a_2_1_3 = 0u; a_2_1_4 = 0u; a_2_1_5 = 0u;
        a_2_1_6 = 0u; a_2_1_7 = 0u; a_2_1_8 = 0u; a_2_1_9 = 0u; a_2_1_10 = 0u; a_2_1_11 = 0u;
        a_2_1_12 = 0u; a_2_1_13 = 0u; a_2_1_14 = 0u; a_2_1_15 = 0u; t_11_0 = 0u; t_12_0 = 0u;
        t_11_1 = 0u; t_12_1 = 0u; t_11_2 = 0u; t_12_2 = 0u; t_11_3 = 0u; t_12_3 = 0u; t_11_4 = 0u;
        t_12_4 = 0u; t_11_5 = 0u; t_12_5 = 0u; t_11_6 = 0u; t_12_6 = 0u; t_11_7 = 0u; t_12_7 = 0u;
        t_11_8 = 0u; t_12_8 = 0u; t_11_9 = 0u; t_12_9 = 0u; t_11_10 = 0u; t_12_10 = 0u;
        t_11_11 = 0u; t_12_11 = 0u; t_11_12 = 0u; t_12_12 = 0u; t_11_13 = 0u; t_12_13 = 0u;
        t_11_14 = 0u; t_12_14 = 0u; t_11_15 = 0u; t_12_15 = 0u; t_11_16 = 0u; t_12_16 = 0u;
        t_11_17 = 0u; t_12_17 = 0u; t_11_18 = 0u; t_12_18 = 0u; t_11_19 = 0u; t_12_19 = 0u;
        t_11_20 = 0u; t_12_20 = 0u; t_11_21 = 0u; t_12_21 = 0u; t_11_22 = 0u; t_12_22 = 0u;
        t_11_23 = 0u; t_12_23 = 0u; t_11_24 = 0u; t_12_24 = 0u; t_11_25 = 0u; t_12_25 = 0u;
        t_11_26 = 0u; t_12_26 = 0u; t_11_27 = 0u; t_12_27 = 0u; t_11_28 = 0u; t_12_28 = 0u;
        t_11_29 = 0u; t_12_29 = 0u; t_11_30 = 0u; t_12_30 = 0u; t_11_31 = 0u; t_12_31 = 0u;
        t_11_32 = 0u; t_12_32 = 0u; t_11_33 = 0u; t_12_33 = 0u; t_11_34 = 0u; t_12_34 = 0u;
        t_11_35 = 0u; t_12_35 = 0u; t_11_36 = 0u; t_12_36 = 0u; t_11_37 = 0u; t_12_37 = 0u;
        t_11_38 = 0u; t_12_38 = 0u; t_11_39 = 0u; t_12_39 = 0u; t_11_40 = 0u; t_12_40 = 0u;
        t_11_41 = 0u; t_12_41 = 0u; t_11_42 = 0u; t_12_42 = 0u; t_11_43 = 0u; t_12_43 = 0u;
        t_11_44 = 0u; t_12_44 = 0u; t_11_45 = 0u; t_12_45 = 0u; t_11_46 = 0u; t_12_46 = 0u;
        t_11_47 = 0u; t_12_47 = 0u; t_11_48 = 0u; t_12_48 = 0u; t_11_49 = 0u; t_12_49 = 0u;
        t_11_50 = 0u; t_12_50 = 0u; t_11_51 = 0u; t_12_51 = 0u; t_11_52 = 0u; t_12_52 = 0u;
        t_11_53 = 0u; t_12_53 = 0u; t_11_54 = 0u; t_12_54 = 0u; t_11_55 = 0u; t_12_55 = 0u;
        t_11_56 = 0u; t_12_56 = 0u; t_11_57 = 0u; t_12_57 = 0u; t_11_58 = 0u; t_12_58 = 0u;
        t_11_59 = 0u; t_12_59 = 0u; t_11_60 = 0u; t_12_60 = 0u; t_11_61 = 0u; t_12_61 = 0u;
        t_11_62 = 0u; t_12_62 = 0u; t_11_63 = 0u; t_12_63 = 0u;
      }
      workgroupBarrier();
      var a_4_1_0: f32; var a_4_1_1: f32; var a_4_1_2: f32; var a_4_1_3: f32;
      a_4_1_0 = tw_f8e4m3_to_f32(a_0); a_4_1_1 = tw_f8e4m3_to_f32(a_1);
      a_4_1_2 = tw_f8e4m3_to_f32(a_2); a_4_1_3 = tw_f8e4m3_to_f32(a_3);
      a_shared[a_shared_at >> 2u] = vec4<f32>(a_4_1_0, a_4_1_1, a_4_1_2, a_4_1_3);
      var a_5_1_0: f32; var a_5_1_1: f32; var a_5_1_2: f32; var a_5_1_3: f32;
      a_5_1_0 = tw_f8e4m3_to_f32(a_4); a_5_1_1 = tw_f8e4m3_to_f32(a_5);
      a_5_1_2 = tw_f8e4m3_to_f32(a_6); a_5_1_3 = tw_f8e4m3_to_f32(a_7);
      a_shared[(a_shared_at + 4) >> 2u] = vec4<f32>(a_5_1_0, a_5_1_1, a_5_1_2, a_5_1_3);
      var a_6_1_0: f32; var a_6_1_1: f32; var a_6_1_2: f32; var a_6_1_3: f32;
      a_6_1_0 = tw_f8e4m3_to_f32(a_8); a_6_1_1 = tw_f8e4m3_to_f32(a_9);
      a_6_1_2 = tw_f8e4m3_to_f32(a_10); a_6_1_3 = tw_f8e4m3_to_f32(a_11);
      a_shared[(a_shared_at + 8) >> 2u] = vec4<f32>(a_6_1_0, a_6_1_1, a_6_1_2, a_6_1_3);
      var a_7_1_0: f32; var a_7_1_1: f32; var a_7_1_2: f32; var a_7_1_3: f32;
      a_7_1_0 = tw_f8e4m3_to_f32(a_12); a_7_1_1 = tw_f8e4m3_to_f32(a_13);
      a_7_1_2 = tw_f8e4m3_to_f32(a_14); a_7_1_3 = tw_f8e4m3_to_f32(a_15);
      a_shared[(a_shared_at + 12) >> 2u] = vec4<f32>(a_7_1_0, a_7_1_1, a_7_1_2, a_7_1_3);
      for (var r: i32 = 0; r < 4; r++) {
        var t62_shared_tile_0: f32; var t62_shared_tile_1: f32; var t62_shared_tile_2: f32;
        var t62_shared_tile_3: f32;
        t62_shared_tile_0 = tw_f8e4m3_to_f32(t_9[r * 16]);
        t62_shared_tile_1 = tw_f8e4m3_to_f32(t_9[r * 16 + 1]);
        t62_shared_tile_2 = tw_f8e4m3_to_f32(t_9[r * 16 + 2]);
        t62_shared_tile_3 = tw_f8e4m3_to_f32(t_9[r * 16 + 3]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088) >> 2u] = vec4<f32>(
            t62_shared_tile_0, t62_shared_tile_1, t62_shared_tile_2, t62_shared_tile_3);
        var t62_shared_tile_1_1_0: f32; var t62_shared_tile_1_1_1: f32;
        var t62_shared_tile_1_1_2: f32; var t62_shared_tile_1_1_3: f32;
        t62_shared_tile_1_1_0 = tw_f8e4m3_to_f32(t_9[r * 16 + 4]);
        t62_shared_tile_1_1_1 = tw_f8e4m3_to_f32(t_9[r * 16 + 5]);
        t62_shared_tile_1_1_2 = tw_f8e4m3_to_f32(t_9[r * 16 + 6]);
        t62_shared_tile_1_1_3 = tw_f8e4m3_to_f32(t_9[r * 16 + 7]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088 + 4) >> 2u] = vec4<f32>(
            t62_shared_tile_1_1_0, t62_shared_tile_1_1_1, t62_shared_tile_1_1_2,
            t62_shared_tile_1_1_3);
        var t62_shared_tile_2_1_0: f32; var t62_shared_tile_2_1_1: f32;
        var t62_shared_tile_2_1_2: f32; var t62_shared_tile_2_1_3: f32;
        t62_shared_tile_2_1_0 = tw_f8e4m3_to_f32(t_9[r * 16 + 8]);
        t62_shared_tile_2_1_1 = tw_f8e4m3_to_f32(t_9[r * 16 + 9]);
        t62_shared_tile_2_1_2 = tw_f8e4m3_to_f32(t_9[r * 16 + 10]);
        t62_shared_tile_2_1_3 = tw_f8e4m3_to_f32(t_9[r * 16 + 11]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088 + 8) >> 2u] = vec4<f32>(
            t62_shared_tile_2_1_0, t62_shared_tile_2_1_1, t62_shared_tile_2_1_2,
            t62_shared_tile_2_1_3);
        var t62_shared_tile_3_1_0: f32; var t62_shared_tile_3_1_1: f32;
        var t62_shared_tile_3_1_2: f32; var t62_shared_tile_3_1_3: f32;
        t62_shared_tile_3_1_0 = tw_f8e4m3_to_f32(t_9[r * 16 + 12]);
        t62_shared_tile_3_1_1 = tw_f8e4m3_to_f32(t_9[r * 16 + 13]);
        t62_shared_tile_3_1_2 = tw_f8e4m3_to_f32(t_9[r * 16 + 14]);
        t62_shared_tile_3_1_3 = tw_f8e4m3_to_f32(t_9[r * 16 + 15]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088 + 12) >> 2u] = vec4<f32>(
            t62_shared_tile_3_1_0, t62_shared_tile_3_1_1, t62_shared_tile_3_1_2,
            t62_shared_tile_3_1_3);
      }
      workgroupBarrier();
      for (var r: i32 = 0; r < 16; r++) {
        var a_shared_1_0: f32; var a_shared_1_1: f32; var a_shared_1_2: f32; var a_shared_1_3: f32;
        var a_shared_1_4: f32; var a_shared_1_5: f32; var a_shared_1_6: f32; var a_shared_1_7: f32;
        var a_shared_1_8: f32; var a_shared_1_9: f32; var a_shared_1_10: f32;
        var a_shared_1_11: f32; var a_shared_1_12: f32; var a_shared_1_13: f32;
        var a_shared_1_14: f32; var a_shared_1_15: f32;
        var t62_shared_1_0: f32; var t62_shared_1_1: f32; var t62_shared_1_2: f32;
        var t62_shared_1_3: f32; var t62_shared_1_4: f32; var t62_shared_1_5: f32;
        var t62_shared_1_6: f32; var t62_shared_1_7: f32; var t62_shared_1_8: f32;
        var t62_shared_1_9: f32; var t62_shared_1_10: f32; var t62_shared_1_11: f32;
        var t62_shared_1_12: f32; var t62_shared_1_13: f32; var t62_shared_1_14: f32;
        var t62_shared_1_15: f32;
        let a_shared_1_word = a_shared[(a_shared_at_1 + r * 4) >> 2u];
        a_shared_1_0 = a_shared_1_word.x; a_shared_1_1 = a_shared_1_word.y;
        a_shared_1_2 = a_shared_1_word.z; a_shared_1_3 = a_shared_1_word.w;
        let a_shared_1_word_1 = a_shared[(a_shared_at_1 + 272 + r * 4) >> 2u];
        a_shared_1_4 = a_shared_1_word_1.x; a_shared_1_5 = a_shared_1_word_1.y;
        a_shared_1_6 = a_shared_1_word_1.z; a_shared_1_7 = a_shared_1_word_1.w;
        let a_shared_1_word_2 = a_shared[(a_shared_at_1 + 544 + r * 4) >> 2u];
        a_shared_1_8 = a_shared_1_word_2.x; a_shared_1_9 = a_shared_1_word_2.y;
        a_shared_1_10 = a_shared_1_word_2.z; a_shared_1_11 = a_shared_1_word_2.w;
        let a_shared_1_word_3 = a_shared[(a_shared_at_1 + 816 + r * 4) >> 2u];
        a_shared_1_12 = a_shared_1_word_3.x; a_shared_1_13 = a_shared_1_word_3.y;
        a_shared_1_14 = a_shared_1_word_3.z; a_shared_1_15 = a_shared_1_word_3.w;
        let t62_shared_1_word = shared_t62_shared_t64_shared[(t62_shared_at + r * 4) >> 2u];
        t62_shared_1_0 = t62_shared_1_word.x; t62_shared_1_1 = t62_shared_1_word.y;
        t62_shared_1_2 = t62_shared_1_word.z; t62_shared_1_3 = t62_shared_1_word.w;
        let t62_shared_1_word_1 = shared_t62_shared_t64_shared[(t62_shared_at + 68 + r * 4) >> 2u];
        t62_shared_1_4 = t62_shared_1_word_1.x; t62_shared_1_5 = t62_shared_1_word_1.y;
        t62_shared_1_6 = t62_shared_1_word_1.z; t62_shared_1_7 = t62_shared_1_word_1.w;
        let t62_shared_1_word_2 = shared_t62_shared_t64_shared[(t62_shared_at + 136 + r * 4) >> 2u];
        t62_shared_1_8 = t62_shared_1_word_2.x; t62_shared_1_9 = t62_shared_1_word_2.y;
        t62_shared_1_10 = t62_shared_1_word_2.z; t62_shared_1_11 = t62_shared_1_word_2.w;
        let t62_shared_1_word_3 = shared_t62_shared_t64_shared[(t62_shared_at + 204 + r * 4) >> 2u];
        t62_shared_1_12 = t62_shared_1_word_3.x; t62_shared_1_13 = t62_shared_1_word_3.y;
        t62_shared_1_14 = t62_shared_1_word_3.z; t62_shared_1_15 = t62_shared_1_word_3.w;
        acc_0 = fma(a_shared_1_0, t62_shared_1_0, acc_0);
        acc_1 = fma(a_shared_1_0, t62_shared_1_4, acc_1);
        acc_2 = fma(a_shared_1_0, t62_shared_1_8, acc_2);
        acc_3 = fma(a_shared_1_0, t62_shared_1_12, acc_3);
        acc_4 = fma(a_shared_1_4, t62_shared_1_0, acc_4);
        acc_5 = fma(a_shared_1_4, t62_shared_1_4, acc_5);
        acc_6 = fma(a_shared_1_4, t62_shared_1_8, acc_6);
        acc_7 = fma(a_shared_1_4, t62_shared_1_12, acc_7);
        acc_8 = fma(a_shared_1_8, t62_shared_1_0, acc_8);
        acc_9 = fma(a_shared_1_8, t62_shared_1_4, acc_9);
        acc_10 = fma(a_shared_1_8, t62_shared_1_8, acc_10);
        acc_11 = fma(a_shared_1_8, t62_shared_1_12, acc_11);
        acc_12 = fma(a_shared_1_12, t62_shared_1_0, acc_12);
        acc_13 = fma(a_shared_1_12, t62_shared_1_4, acc_13);
        acc_14 = fma(a_shared_1_12, t62_shared_1_8, acc_14);
        acc_15 = fma(a_shared_1_12, t62_shared_1_12, acc_15);
        acc_0 = fma(a_shared_1_1, t62_shared_1_1, acc_0);
        acc_1 = fma(a_shared_1_1, t62_shared_1_5, acc_1);
        acc_2 = fma(a_shared_1_1, t62_shared_1_9, acc_2);
        acc_3 = fma(a_shared_1_1, t62_shared_1_13, acc_3);
        acc_4 = fma(a_shared_1_5, t62_shared_1_1, acc_4);
        acc_5 = fma(a_shared_1_5, t62_shared_1_5, acc_5);
        acc_6 = fma(a_shared_1_5, t62_shared_1_9, acc_6);
        acc_7 = fma(a_shared_1_5, t62_shared_1_13, acc_7);
        acc_8 = fma(a_shared_1_9, t62_shared_1_1, acc_8);
        acc_9 = fma(a_shared_1_9, t62_shared_1_5, acc_9);
        acc_10 = fma(a_shared_1_9, t62_shared_1_9, acc_10);
        acc_11 = fma(a_shared_1_9, t62_shared_1_13, acc_11);
        acc_12 = fma(a_shared_1_13, t62_shared_1_1, acc_12);
        acc_13 = fma(a_shared_1_13, t62_shared_1_5, acc_13);
        acc_14 = fma(a_shared_1_13, t62_shared_1_9, acc_14);
        acc_15 = fma(a_shared_1_13, t62_shared_1_13, acc_15);
        acc_0 = fma(a_shared_1_2, t62_shared_1_2, acc_0);
        acc_1 = fma(a_shared_1_2, t62_shared_1_6, acc_1);
        acc_2 = fma(a_shared_1_2, t62_shared_1_10, acc_2);
        acc_3 = fma(a_shared_1_2, t62_shared_1_14, acc_3);
        acc_4 = fma(a_shared_1_6, t62_shared_1_2, acc_4);
        acc_5 = fma(a_shared_1_6, t62_shared_1_6, acc_5);
        acc_6 = fma(a_shared_1_6, t62_shared_1_10, acc_6);
        acc_7 = fma(a_shared_1_6, t62_shared_1_14, acc_7);
        acc_8 = fma(a_shared_1_10, t62_shared_1_2, acc_8);
        acc_9 = fma(a_shared_1_10, t62_shared_1_6, acc_9);
        acc_10 = fma(a_shared_1_10, t62_shared_1_10, acc_10);
        acc_11 = fma(a_shared_1_10, t62_shared_1_14, acc_11);
        acc_12 = fma(a_shared_1_14, t62_shared_1_2, acc_12);
        acc_13 = fma(a_shared_1_14, t62_shared_1_6, acc_13);
        acc_14 = fma(a_shared_1_14, t62_shared_1_10, acc_14);
        acc_15 = fma(a_shared_1_14, t62_shared_1_14, acc_15);
        acc_0 = fma(a_shared_1_3, t62_shared_1_3, acc_0);
        acc_1 = fma(a_shared_1_3, t62_shared_1_7, acc_1);
        acc_2 = fma(a_shared_1_3, t62_shared_1_11, acc_2);
        acc_3 = fma(a_shared_1_3, t62_shared_1_15, acc_3);
        acc_4 = fma(a_shared_1_7, t62_shared_1_3, acc_4);
        acc_5 = fma(a_shared_1_7, t62_shared_1_7, acc_5);
        acc_6 = fma(a_shared_1_7, t62_shared_1_11, acc_6);
        acc_7 = fma(a_shared_1_7, t62_shared_1_15, acc_7);
        acc_8 = fma(a_shared_1_11, t62_shared_1_3, acc_8);
        acc_9 = fma(a_shared_1_11, t62_shared_1_7, acc_9);
        acc_10 = fma(a_shared_1_11, t62_shared_1_11, acc_10);
        acc_11 = fma(a_shared_1_11, t62_shared_1_15, acc_11);
        acc_12 = fma(a_shared_1_15, t62_shared_1_3, acc_12);
        acc_13 = fma(a_shared_1_15, t62_shared_1_7, acc_13);
        acc_14 = fma(a_shared_1_15, t62_shared_1_11, acc_14);
        acc_15 = fma(a_shared_1_15, t62_shared_1_15, acc_15);
      }
      workgroupBarrier();
      for (var r: i32 = 0; r < 4; r++) {
        var t64_shared_tile_0: f32; var t64_shared_tile_1: f32; var t64_shared_tile_2: f32;
        var t64_shared_tile_3: f32;
        t64_shared_tile_0 = tw_f8e4m3_to_f32(t_10[r * 16]);
        t64_shared_tile_1 = tw_f8e4m3_to_f32(t_10[r * 16 + 1]);
        t64_shared_tile_2 = tw_f8e4m3_to_f32(t_10[r * 16 + 2]);
        t64_shared_tile_3 = tw_f8e4m3_to_f32(t_10[r * 16 + 3]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088) >> 2u] = vec4<f32>(
            t64_shared_tile_0, t64_shared_tile_1, t64_shared_tile_2, t64_shared_tile_3);
        var t64_shared_tile_1_1_0: f32; var t64_shared_tile_1_1_1: f32;
        var t64_shared_tile_1_1_2: f32; var t64_shared_tile_1_1_3: f32;
        t64_shared_tile_1_1_0 = tw_f8e4m3_to_f32(t_10[r * 16 + 4]);
        t64_shared_tile_1_1_1 = tw_f8e4m3_to_f32(t_10[r * 16 + 5]);
        t64_shared_tile_1_1_2 = tw_f8e4m3_to_f32(t_10[r * 16 + 6]);
        t64_shared_tile_1_1_3 = tw_f8e4m3_to_f32(t_10[r * 16 + 7]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088 + 4) >> 2u] = vec4<f32>(
            t64_shared_tile_1_1_0, t64_shared_tile_1_1_1, t64_shared_tile_1_1_2,
            t64_shared_tile_1_1_3);
        var t64_shared_tile_2_1_0: f32; var t64_shared_tile_2_1_1: f32;
        var t64_shared_tile_2_1_2: f32; var t64_shared_tile_2_1_3: f32;
        t64_shared_tile_2_1_0 = tw_f8e4m3_to_f32(t_10[r * 16 + 8]);
        t64_shared_tile_2_1_1 = tw_f8e4m3_to_f32(t_10[r * 16 + 9]);
        t64_shared_tile_2_1_2 = tw_f8e4m3_to_f32(t_10[r * 16 + 10]);
        t64_shared_tile_2_1_3 = tw_f8e4m3_to_f32(t_10[r * 16 + 11]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088 + 8) >> 2u] = vec4<f32>(
            t64_shared_tile_2_1_0, t64_shared_tile_2_1_1, t64_shared_tile_2_1_2,
            t64_shared_tile_2_1_3);
        var t64_shared_tile_3_1_0: f32; var t64_shared_tile_3_1_1: f32;
        var t64_shared_tile_3_1_2: f32; var t64_shared_tile_3_1_3: f32;
        t64_shared_tile_3_1_0 = tw_f8e4m3_to_f32(t_10[r * 16 + 12]);
        t64_shared_tile_3_1_1 = tw_f8e4m3_to_f32(t_10[r * 16 + 13]);
        t64_shared_tile_3_1_2 = tw_f8e4m3_to_f32(t_10[r * 16 + 14]);
        t64_shared_tile_3_1_3 = tw_f8e4m3_to_f32(t_10[r * 16 + 15]);
        shared_t62_shared_t64_shared[(a_shared_at + r * 1088 + 12) >> 2u] = vec4<f32>(
            t64_shared_tile_3_1_0, t64_shared_tile_3_1_1, t64_shared_tile_3_1_2,
            t64_shared_tile_3_1_3);
      }
      workgroupBarrier();
      for (var r: i32 = 0; r < 16; r++) {
        var a_shared_2_0: f32; var a_shared_2_1: f32; var a_shared_2_2: f32; var a_shared_2_3: f32;
        var a_shared_2_4: f32; var a_shared_2_5: f32; var a_shared_2_6: f32; var a_shared_2_7: f32;
        var a_shared_2_8: f32; var a_shared_2_9: f32; var a_shared_2_10: f32;
        var a_shared_2_11: f32; var a_shared_2_12: f32; var a_shared_2_13: f32;
        var a_shared_2_14: f32; var a_shared_2_15: f32;
        var t64_shared_1_0: f32; var t64_shared_1_1: f32; var t64_shared_1_2: f32;
        var t64_shared_1_3: f32; var t64_shared_1_4: f32; var t64_shared_1_5: f32;
        var t64_shared_1_6: f32; var t64_shared_1_7: f32; var t64_shared_1_8: f32;
        var t64_shared_1_9: f32; var t64_shared_1_10: f32; var t64_shared_1_11: f32;
        var t64_shared_1_12: f32; var t64_shared_1_13: f32; var t64_shared_1_14: f32;
        var t64_shared_1_15: f32;
        let a_shared_2_word = a_shared[(a_shared_at_1 + r * 4) >> 2u];
        a_shared_2_0 = a_shared_2_word.x; a_shared_2_1 = a_shared_2_word.y;
        a_shared_2_2 = a_shared_2_word.z; a_shared_2_3 = a_shared_2_word.w;
        let a_shared_2_word_1 = a_shared[(a_shared_at_1 + 272 + r * 4) >> 2u];
        a_shared_2_4 = a_shared_2_word_1.x; a_shared_2_5 = a_shared_2_word_1.y;
        a_shared_2_6 = a_shared_2_word_1.z; a_shared_2_7 = a_shared_2_word_1.w;
        let a_shared_2_word_2 = a_shared[(a_shared_at_1 + 544 + r * 4) >> 2u];
        a_shared_2_8 = a_shared_2_word_2.x; a_shared_2_9 = a_shared_2_word_2.y;
        a_shared_2_10 = a_shared_2_word_2.z; a_shared_2_11 = a_shared_2_word_2.w;
        let a_shared_2_word_3 = a_shared[(a_shared_at_1 + 816 + r * 4) >> 2u];
        a_shared_2_12 = a_shared_2_word_3.x; a_shared_2_13 = a_shared_2_word_3.y;
        a_shared_2_14 = a_shared_2_word_3.z; a_shared_2_15 = a_shared_2_word_3.w;
        let t64_shared_1_word = shared_t62_shared_t64_shared[(t62_shared_at + r * 4) >> 2u];
        t64_shared_1_0 = t64_shared_1_word.x; t64_shared_1_1 = t64_shared_1_word.y;
        t64_shared_1_2 = t64_shared_1_word.z; t64_shared_1_3 = t64_shared_1_word.w;
        let t64_shared_1_word_1 = shared_t62_shared_t64_shared[(t62_shared_at + 68 + r * 4) >> 2u];
        t64_shared_1_4 = t64_shared_1_word_1.x; t64_shared_1_5 = t64_shared_1_word_1.y;
        t64_shared_1_6 = t64_shared_1_word_1.z; t64_shared_1_7 = t64_shared_1_word_1.w;
        let t64_shared_1_word_2 = shared_t62_shared_t64_shared[(t62_shared_at + 136 + r * 4) >> 2u];
        t64_shared_1_8 = t64_shared_1_word_2.x; t64_shared_1_9 = t64_shared_1_word_2.y;
        t64_shared_1_10 = t64_shared_1_word_2.z; t64_shared_1_11 = t64_shared_1_word_2.w;
        let t64_shared_1_word_3 = shared_t62_shared_t64_shared[(t62_shared_at + 204 + r * 4) >> 2u];
        t64_shared_1_12 = t64_shared_1_word_3.x; t64_shared_1_13 = t64_shared_1_word_3.y;
        t64_shared_1_14 = t64_shared_1_word_3.z; t64_shared_1_15 = t64_shared_1_word_3.w;
        up[0] = fma(a_shared_2_0, t64_shared_1_0, up[0]);
        up[1] = fma(a_shared_2_0, t64_shared_1_4, up[1]);
        up[2] = fma(a_shared_2_0, t64_shared_1_8, up[2]);
        up[3] = fma(a_shared_2_0, t64_shared_1_12, up[3]);
        up[4] = fma(a_shared_2_4, t64_shared_1_0, up[4]);
        up[5] = fma(a_shared_2_4, t64_shared_1_4, up[5]);
        up[6] = fma(a_shared_2_4, t64_shared_1_8, up[6]);
        up[7] = fma(a_shared_2_4, t64_shared_1_12, up[7]);
        up[8] = fma(a_shared_2_8, t64_shared_1_0, up[8]);
        up[9] = fma(a_shared_2_8, t64_shared_1_4, up[9]);
        up[10] = fma(a_shared_2_8, t64_shared_1_8, up[10]);
        up[11] = fma(a_shared_2_8, t64_shared_1_12, up[11]);
        up[12] = fma(a_shared_2_12, t64_shared_1_0, up[12]);
        up[13] = fma(a_shared_2_12, t64_shared_1_4, up[13]);
        up[14] = fma(a_shared_2_12, t64_shared_1_8, up[14]);
        up[15] = fma(a_shared_2_12, t64_shared_1_12, up[15]);
        up[0] = fma(a_shared_2_1, t64_shared_1_1, up[0]);
        up[1] = fma(a_shared_2_1, t64_shared_1_5, up[1]);
        up[2] = fma(a_shared_2_1, t64_shared_1_9, up[2]);
        up[3] = fma(a_shared_2_1, t64_shared_1_13, up[3]);
        up[4] = fma(a_shared_2_5, t64_shared_1_1, up[4]);
        up[5] = fma(a_shared_2_5, t64_shared_1_5, up[5]);
        up[6] = fma(a_shared_2_5, t64_shared_1_9, up[6]);
        up[7] = fma(a_shared_2_5, t64_shared_1_13, up[7]);
        up[8] = fma(a_shared_2_9, t64_shared_1_1, up[8]);
        up[9] = fma(a_shared_2_9, t64_shared_1_5, up[9]);
        up[10] = fma(a_shared_2_9, t64_shared_1_9, up[10]);
        up[11] = fma(a_shared_2_9, t64_shared_1_13, up[11]);
        up[12] = fma(a_shared_2_13, t64_shared_1_1, up[12]);
        up[13] = fma(a_shared_2_13, t64_shared_1_5, up[13]);
        up[14] = fma(a_shared_2_13, t64_shared_1_9, up[14]);
        up[15] = fma(a_shared_2_13, t64_shared_1_13, up[15]);
        up[0] = fma(a_shared_2_2, t64_shared_1_2, up[0]);
        up[1] = fma(a_shared_2_2, t64_shared_1_6, up[1]);
        up[2] = fma(a_shared_2_2, t64_shared_1_10, up[2]);
        up[3] = fma(a_shared_2_2, t64_shared_1_14, up[3]);
        up[4] = fma(a_shared_2_6, t64_shared_1_2, up[4]);
        up[5] = fma(a_shared_2_6, t64_shared_1_6, up[5]);
        up[6] = fma(a_shared_2_6, t64_shared_1_10, up[6]);
        up[7] = fma(a_shared_2_6, t64_shared_1_14, up[7]);
        up[8] = fma(a_shared_2_10, t64_shared_1_2, up[8]);
        up[9] = fma(a_shared_2_10, t64_shared_1_6, up[9]);
        up[10] = fma(a_shared_2_10, t64_shared_1_10, up[10]);
        up[11] = fma(a_shared_2_10, t64_shared_1_14, up[11]);
        up[12] = fma(a_shared_2_14, t64_shared_1_2, up[12]);
        up[13] = fma(a_shared_2_14, t64_shared_1_6, up[13]);
        up[14] = fma(a_shared_2_14, t64_shared_1_10, up[14]);
        up[15] = fma(a_shared_2_14, t64_shared_1_14, up[15]);
        up[0] = fma(a_shared_2_3, t64_shared_1_3, up[0]);
        up[1] = fma(a_shared_2_3, t64_shared_1_7, up[1]);
        up[2] = fma(a_shared_2_3, t64_shared_1_11, up[2]);
        up[3] = fma(a_shared_2_3, t64_shared_1_15, up[3]);
        up[4] = fma(a_shared_2_7, t64_shared_1_3, up[4]);
        up[5] = fma(a_shared_2_7, t64_shared_1_7, up[5]);
        up[6] = fma(a_shared_2_7, t64_shared_1_11, up[6]);
        up[7] = fma(a_shared_2_7, t64_shared_1_15, up[7]);
        up[8] = fma(a_shared_2_11, t64_shared_1_3, up[8]);
        up[9] = fma(a_shared_2_11, t64_shared_1_7, up[9]);
        up[10] = fma(a_shared_2_11, t64_shared_1_11, up[10]);
        up[11] = fma(a_shared_2_11, t64_shared_1_15, up[11]);
        up[12] = fma(a_shared_2_15, t64_shared_1_3, up[12]);
        up[13] = fma(a_shared_2_15, t64_shared_1_7, up[13]);
        up[14] = fma(a_shared_2_15, t64_shared_1_11, up[14]);
        up[15] = fma(a_shared_2_15, t64_shared_1_15, up[15]);
      }
      a_0 = a_2_1_0; a_1 = a_2_1_1; a_2 = a_2_1_2; a_3 = a_2_1_3; a_4 = a_2_1_4; a_5 = a_2_1_5;
      a_6 = a_2_1_6; a_7 = a_2_1_7; a_8 = a_2_1_8; a_9 = a_2_1_9; a_10 = a_2_1_10; a_11 = a_2_1_11;
      a_12 = a_2_1_12; a_13 = a_2_1_13; a_14 = a_2_1_14; a_15 = a_2_1_15; t_9[0] = t_11_0;
      t_10[0] = t_12_0; t_9[1] = t_11_1; t_10[1] = t_12_1; t_9[2] = t_11_2; t_10[2] = t_12_2;
      t_9[3] = t_11_3; t_10[3] = t_12_3; t_9[4] = t_11_4; t_10[4] = t_12_4; t_9[5] = t_11_5;
      t_10[5] = t_12_5; t_9[6] = t_11_6; t_10[6] = t_12_6; t_9[7] = t_11_7; t_10[7] = t_12_7;
      t_9[8] = t_11_8; t_10[8] = t_12_8; t_9[9] = t_11_9; t_10[9] = t_12_9; t_9[10] = t_11_10;
      t_10[10] = t_12_10; t_9[11] = t_11_11; t_10[11] = t_12_11; t_9[12] = t_11_12;
      t_10[12] = t_12_12; t_9[13] = t_11_13; t_10[13] = t_12_13; t_9[14] = t_11_14;
      t_10[14] = t_12_14; t_9[15] = t_11_15; t_10[15] = t_12_15; t_9[16] = t_11_16;
      t_10[16] = t_12_16; t_9[17] = t_11_17; t_10[17] = t_12_17; t_9[18] = t_11_18;
      t_10[18] = t_12_18; t_9[19] = t_11_19; t_10[19] = t_12_19; t_9[20] = t_11_20;
      t_10[20] = t_12_20; t_9[21] = t_11_21; t_10[21] = t_12_21; t_9[22] = t_11_22;
      t_10[22] = t_12_22; t_9[23] = t_11_23; t_10[23] = t_12_23; t_9[24] = t_11_24;
      t_10[24] = t_12_24; t_9[25] = t_11_25; t_10[25] = t_12_25; t_9[26] = t_11_26;
      t_10[26] = t_12_26; t_9[27] = t_11_27; t_10[27] = t_12_27; t_9[28] = t_11_28;
      t_10[28] = t_12_28; t_9[29] = t_11_29; t_10[29] = t_12_29; t_9[30] = t_11_30;
      t_10[30] = t_12_30; t_9[31] = t_11_31; t_10[31] = t_12_31; t_9[32] = t_11_32;
      t_10[32] = t_12_32; t_9[33] = t_11_33; t_10[33] = t_12_33; t_9[34] = t_11_34;
      t_10[34] = t_12_34; t_9[35] = t_11_35; t_10[35] = t_12_35; t_9[36] = t_11_36;
      t_10[36] = t_12_36; t_9[37] = t_11_37; t_10[37] = t_12_37; t_9[38] = t_11_38;
      t_10[38] = t_12_38; t_9[39] = t_11_39; t_10[39] = t_12_39; t_9[40] = t_11_40;
      t_10[40] = t_12_40; t_9[41] = t_11_41; t_10[41] = t_12_41; t_9[42] = t_11_42;
      t_10[42] = t_12_42; t_9[43] = t_11_43; t_10[43] = t_12_43; t_9[44] = t_11_44;
      t_10[44] = t_12_44; t_9[45] = t_11_45; t_10[45] = t_12_45; t_9[46] = t_11_46;
      t_10[46] = t_12_46; t_9[47] = t_11_47; t_10[47] = t_12_47; t_9[48] = t_11_48;
      t_10[48] = t_12_48; t_9[49] = t_11_49; t_10[49] = t_12_49; t_9[50] = t_11_50;
      t_10[50] = t_12_50; t_9[51] = t_11_51; t_10[51] = t_12_51; t_9[52] = t_11_52;
      t_10[52] = t_12_52; t_9[53] = t_11_53; t_10[53] = t_12_53; t_9[54] = t_11_54;
      t_10[54] = t_12_54; t_9[55] = t_11_55; t_10[55] = t_12_55; t_9[56] = t_11_56;
      t_10[56] = t_12_56; t_9[57] = t_11_57; t_10[57] = t_12_57; t_9[58] = t_11_58;
      t_10[58] = t_12_58; t_9[59] = t_11_59; t_10[59] = t_12_59; t_9[60] = t_11_60;
      t_10[60] = t_12_60; t_9[61] = t_11_61; t_10[61] = t_12_61; t_9[62] = t_11_62;
      t_10[62] = t_12_62; t_9[63] = t_11_63; t_10[63] = t_12_63;
    }
    var from_1_1_0: i32; var from_1_1_1: i32; var from_1_1_2: i32; var from_1_1_3: i32;
    from_1_1_0 = tw_floordiv_i32(slots[0], t_7); from_1_1_1 = tw_floordiv_i32(slots[1], t_7);
    from_1_1_2 = tw_floordiv_i32(slots[2], t_7); from_1_1_3 = tw_floordiv_i32(slots[3], t_7);
    var xScale_tile: array<f32, 4>;
    let xScale_tile_in = u32(from_1_1_0) < u32(launch.R);
    xScale_tile[0] = select(0.0f, xScale[select(0, from_1_1_0, xScale_tile_in)], xScale_tile_in);
    let xScale_tile_in_1 = u32(from_1_1_1) < u32(launch.R);
    xScale_tile[1] = select(
        0.0f, xScale[select(0, from_1_1_1, xScale_tile_in_1)], xScale_tile_in_1);
    let xScale_tile_in_2 = u32(from_1_1_2) < u32(launch.R);
    xScale_tile[2] = select(
        0.0f, xScale[select(0, from_1_1_2, xScale_tile_in_2)], xScale_tile_in_2);
    let xScale_tile_in_3 = u32(from_1_1_3) < u32(launch.R);
    xScale_tile[3] = select(
        0.0f, xScale[select(0, from_1_1_3, xScale_tile_in_3)], xScale_tile_in_3);
    let stride_2: i32 = launch.N * 2;
    let t_BN: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
    let position_1: i32 = t_8 + t_BN;
    let scale_at: i32 = e * stride_2 + t_8 + t_BN;
    let scale_in: bool = (u32(e) < u32(launch.E)) & (u32(position_1) < u32(launch.N));
    var scale_tile_0: f32; var scale_tile_1: f32; var scale_tile_2: f32; var scale_tile_3: f32;
    let scale_tile_word = select(
        vec4<f32>(0.0f), scale[select(0, scale_at >> 2u, scale_in)], scale_in);
    scale_tile_0 = scale_tile_word.x; scale_tile_1 = scale_tile_word.y;
    scale_tile_2 = scale_tile_word.z; scale_tile_3 = scale_tile_word.w;
    var t_13: array<f32, 16>;
    t_13[0] = acc_0 * xScale_tile[0] * scale_tile_0;
    t_13[1] = acc_1 * xScale_tile[0] * scale_tile_1;
    t_13[2] = acc_2 * xScale_tile[0] * scale_tile_2;
    t_13[3] = acc_3 * xScale_tile[0] * scale_tile_3;
    t_13[4] = acc_4 * xScale_tile[1] * scale_tile_0;
    t_13[5] = acc_5 * xScale_tile[1] * scale_tile_1;
    t_13[6] = acc_6 * xScale_tile[1] * scale_tile_2;
    t_13[7] = acc_7 * xScale_tile[1] * scale_tile_3;
    t_13[8] = acc_8 * xScale_tile[2] * scale_tile_0;
    t_13[9] = acc_9 * xScale_tile[2] * scale_tile_1;
    t_13[10] = acc_10 * xScale_tile[2] * scale_tile_2;
    t_13[11] = acc_11 * xScale_tile[2] * scale_tile_3;
    t_13[12] = acc_12 * xScale_tile[3] * scale_tile_0;
    t_13[13] = acc_13 * xScale_tile[3] * scale_tile_1;
    t_13[14] = acc_14 * xScale_tile[3] * scale_tile_2;
    t_13[15] = acc_15 * xScale_tile[3] * scale_tile_3;
    let scale_at_1: i32 = launch.N + e * stride_2 + t_8 + t_BN;
    var scale_tile_1_1_0: f32; var scale_tile_1_1_1: f32; var scale_tile_1_1_2: f32;
    var scale_tile_1_1_3: f32;
    let scale_tile_1_word = select(
        vec4<f32>(0.0f), scale[select(0, scale_at_1 >> 2u, scale_in)], scale_in);
    scale_tile_1_1_0 = scale_tile_1_word.x; scale_tile_1_1_1 = scale_tile_1_word.y;
    scale_tile_1_1_2 = scale_tile_1_word.z; scale_tile_1_1_3 = scale_tile_1_word.w;
    let y_in: bool = u32(position_1) < u32(launch.N);
    for (var r: i32 = 0; r < 4; r++) {
      var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32;
      y_tile_0 = tw_f32_to_bf16(t_13[r * 4] / (1.0f + tw_exp(-t_13[r * 4])) * (up[r * 4] * xScale_tile[r] * scale_tile_1_1_0));
      y_tile_1 = tw_f32_to_bf16(t_13[r * 4 + 1] / (1.0f + tw_exp(-t_13[r * 4 + 1])) * (up[r * 4 + 1] * xScale_tile[r] * scale_tile_1_1_1));
      y_tile_2 = tw_f32_to_bf16(t_13[r * 4 + 2] / (1.0f + tw_exp(-t_13[r * 4 + 2])) * (up[r * 4 + 2] * xScale_tile[r] * scale_tile_1_1_2));
      y_tile_3 = tw_f32_to_bf16(t_13[r * 4 + 3] / (1.0f + tw_exp(-t_13[r * 4 + 3])) * (up[r * 4 + 3] * xScale_tile[r] * scale_tile_1_1_3));
      if (y_in & (u32(slots[r]) < u32(launch.S))) {
        y[(position_1 + slots[r] * launch.N) >> 2u] = vec2<u32>(
            y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u));
      }
    }
  }
}
