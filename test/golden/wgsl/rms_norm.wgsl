// rms_norm for wgsl, made by tilewright
// dtypes: T=bf16
// config: OFFSET=0
// dims fixed: H=5120
// 256 threads, 512 bytes of shared memory
//       0 … 512: t6_parts f32[128]

struct TwLaunch {
  programs: vec4<u32>,
  R: i32,
  eps: f32,
}
@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> launch: TwLaunch;
var<workgroup> t6_parts: array<f32, 128>;

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

@compute @workgroup_size(256)
fn rms_norm(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let t_H: i32 = (thread & 127) * 8;
  let x_at: i32 = pid0 * 5120 + t_H;
  let x_in: bool = pid0 < launch.R;
  var x_tile_0: u32; var x_tile_1: u32; var x_tile_2: u32; var x_tile_3: u32; var x_tile_4: u32;
  var x_tile_5: u32; var x_tile_6: u32; var x_tile_7: u32; var x_tile_8: u32; var x_tile_9: u32;
  var x_tile_10: u32; var x_tile_11: u32; var x_tile_12: u32; var x_tile_13: u32;
  var x_tile_14: u32; var x_tile_15: u32; var x_tile_16: u32; var x_tile_17: u32;
  var x_tile_18: u32; var x_tile_19: u32; var x_tile_20: u32; var x_tile_21: u32;
  var x_tile_22: u32; var x_tile_23: u32; var x_tile_24: u32; var x_tile_25: u32;
  var x_tile_26: u32; var x_tile_27: u32; var x_tile_28: u32; var x_tile_29: u32;
  var x_tile_30: u32; var x_tile_31: u32; var x_tile_32: u32; var x_tile_33: u32;
  var x_tile_34: u32; var x_tile_35: u32; var x_tile_36: u32; var x_tile_37: u32;
  var x_tile_38: u32; var x_tile_39: u32;
  let x_tile_word = select(vec4<u32>(0u), x[select(0, x_at >> 3u, x_in)], x_in);
  x_tile_0 = x_tile_word.x & 0xffffu; x_tile_1 = x_tile_word.x >> 16u;
  x_tile_2 = x_tile_word.y & 0xffffu; x_tile_3 = x_tile_word.y >> 16u;
  x_tile_4 = x_tile_word.z & 0xffffu; x_tile_5 = x_tile_word.z >> 16u;
  x_tile_6 = x_tile_word.w & 0xffffu; x_tile_7 = x_tile_word.w >> 16u;
  let x_tile_word_1 = select(vec4<u32>(0u), x[select(0, (x_at + 1024) >> 3u, x_in)], x_in);
  x_tile_8 = x_tile_word_1.x & 0xffffu; x_tile_9 = x_tile_word_1.x >> 16u;
  x_tile_10 = x_tile_word_1.y & 0xffffu; x_tile_11 = x_tile_word_1.y >> 16u;
  x_tile_12 = x_tile_word_1.z & 0xffffu; x_tile_13 = x_tile_word_1.z >> 16u;
  x_tile_14 = x_tile_word_1.w & 0xffffu; x_tile_15 = x_tile_word_1.w >> 16u;
  let x_tile_word_2 = select(vec4<u32>(0u), x[select(0, (x_at + 2048) >> 3u, x_in)], x_in);
  x_tile_16 = x_tile_word_2.x & 0xffffu; x_tile_17 = x_tile_word_2.x >> 16u;
  x_tile_18 = x_tile_word_2.y & 0xffffu; x_tile_19 = x_tile_word_2.y >> 16u;
  x_tile_20 = x_tile_word_2.z & 0xffffu; x_tile_21 = x_tile_word_2.z >> 16u;
  x_tile_22 = x_tile_word_2.w & 0xffffu; x_tile_23 = x_tile_word_2.w >> 16u;
  let x_tile_word_3 = select(vec4<u32>(0u), x[select(0, (x_at + 3072) >> 3u, x_in)], x_in);
  x_tile_24 = x_tile_word_3.x & 0xffffu; x_tile_25 = x_tile_word_3.x >> 16u;
  x_tile_26 = x_tile_word_3.y & 0xffffu; x_tile_27 = x_tile_word_3.y >> 16u;
  x_tile_28 = x_tile_word_3.z & 0xffffu; x_tile_29 = x_tile_word_3.z >> 16u;
  x_tile_30 = x_tile_word_3.w & 0xffffu; x_tile_31 = x_tile_word_3.w >> 16u;
  let x_tile_word_4 = select(vec4<u32>(0u), x[select(0, (x_at + 4096) >> 3u, x_in)], x_in);
  x_tile_32 = x_tile_word_4.x & 0xffffu; x_tile_33 = x_tile_word_4.x >> 16u;
  x_tile_34 = x_tile_word_4.y & 0xffffu; x_tile_35 = x_tile_word_4.y >> 16u;
  x_tile_36 = x_tile_word_4.z & 0xffffu; x_tile_37 = x_tile_word_4.z >> 16u;
  x_tile_38 = x_tile_word_4.w & 0xffffu; x_tile_39 = x_tile_word_4.w >> 16u;
  var v_0: f32; var v_1: f32; var v_2: f32; var v_3: f32; var v_4: f32; var v_5: f32; var v_6: f32;
  var v_7: f32; var v_8: f32; var v_9: f32; var v_10: f32; var v_11: f32; var v_12: f32;
  var v_13: f32; var v_14: f32; var v_15: f32; var v_16: f32; var v_17: f32; var v_18: f32;
  var v_19: f32; var v_20: f32; var v_21: f32; var v_22: f32; var v_23: f32; var v_24: f32;
  var v_25: f32; var v_26: f32; var v_27: f32; var v_28: f32; var v_29: f32; var v_30: f32;
  var v_31: f32; var v_32: f32; var v_33: f32; var v_34: f32; var v_35: f32; var v_36: f32;
  var v_37: f32; var v_38: f32; var v_39: f32;
  v_0 = tw_bf16_to_f32(x_tile_0); v_1 = tw_bf16_to_f32(x_tile_1); v_2 = tw_bf16_to_f32(x_tile_2);
  v_3 = tw_bf16_to_f32(x_tile_3); v_4 = tw_bf16_to_f32(x_tile_4); v_5 = tw_bf16_to_f32(x_tile_5);
  v_6 = tw_bf16_to_f32(x_tile_6); v_7 = tw_bf16_to_f32(x_tile_7); v_8 = tw_bf16_to_f32(x_tile_8);
  v_9 = tw_bf16_to_f32(x_tile_9); v_10 = tw_bf16_to_f32(x_tile_10);
  v_11 = tw_bf16_to_f32(x_tile_11); v_12 = tw_bf16_to_f32(x_tile_12);
  v_13 = tw_bf16_to_f32(x_tile_13); v_14 = tw_bf16_to_f32(x_tile_14);
  v_15 = tw_bf16_to_f32(x_tile_15); v_16 = tw_bf16_to_f32(x_tile_16);
  v_17 = tw_bf16_to_f32(x_tile_17); v_18 = tw_bf16_to_f32(x_tile_18);
  v_19 = tw_bf16_to_f32(x_tile_19); v_20 = tw_bf16_to_f32(x_tile_20);
  v_21 = tw_bf16_to_f32(x_tile_21); v_22 = tw_bf16_to_f32(x_tile_22);
  v_23 = tw_bf16_to_f32(x_tile_23); v_24 = tw_bf16_to_f32(x_tile_24);
  v_25 = tw_bf16_to_f32(x_tile_25); v_26 = tw_bf16_to_f32(x_tile_26);
  v_27 = tw_bf16_to_f32(x_tile_27); v_28 = tw_bf16_to_f32(x_tile_28);
  v_29 = tw_bf16_to_f32(x_tile_29); v_30 = tw_bf16_to_f32(x_tile_30);
  v_31 = tw_bf16_to_f32(x_tile_31); v_32 = tw_bf16_to_f32(x_tile_32);
  v_33 = tw_bf16_to_f32(x_tile_33); v_34 = tw_bf16_to_f32(x_tile_34);
  v_35 = tw_bf16_to_f32(x_tile_35); v_36 = tw_bf16_to_f32(x_tile_36);
  v_37 = tw_bf16_to_f32(x_tile_37); v_38 = tw_bf16_to_f32(x_tile_38);
  v_39 = tw_bf16_to_f32(x_tile_39);
  var sum: f32 = 0.0f;
  sum = sum + v_0 * v_0;
  sum = sum + v_1 * v_1;
  sum = sum + v_2 * v_2;
  sum = sum + v_3 * v_3;
  sum = sum + v_4 * v_4;
  sum = sum + v_5 * v_5;
  sum = sum + v_6 * v_6;
  sum = sum + v_7 * v_7;
  sum = sum + v_8 * v_8;
  sum = sum + v_9 * v_9;
  sum = sum + v_10 * v_10;
  sum = sum + v_11 * v_11;
  sum = sum + v_12 * v_12;
  sum = sum + v_13 * v_13;
  sum = sum + v_14 * v_14;
  sum = sum + v_15 * v_15;
  sum = sum + v_16 * v_16;
  sum = sum + v_17 * v_17;
  sum = sum + v_18 * v_18;
  sum = sum + v_19 * v_19;
  sum = sum + v_20 * v_20;
  sum = sum + v_21 * v_21;
  sum = sum + v_22 * v_22;
  sum = sum + v_23 * v_23;
  sum = sum + v_24 * v_24;
  sum = sum + v_25 * v_25;
  sum = sum + v_26 * v_26;
  sum = sum + v_27 * v_27;
  sum = sum + v_28 * v_28;
  sum = sum + v_29 * v_29;
  sum = sum + v_30 * v_30;
  sum = sum + v_31 * v_31;
  sum = sum + v_32 * v_32;
  sum = sum + v_33 * v_33;
  sum = sum + v_34 * v_34;
  sum = sum + v_35 * v_35;
  sum = sum + v_36 * v_36;
  sum = sum + v_37 * v_37;
  sum = sum + v_38 * v_38;
  sum = sum + v_39 * v_39;
  let part: i32 = thread & 127;
  let is_first: bool = thread < 128;
  if (is_first) {
    t6_parts[part] = sum;
  }
  workgroupBarrier();
  if (is_first & (part < 8)) {
    sum = t6_parts[part];
    for (var r: i32 = 1; r < 16; r++) {
      var other: f32;
      other = t6_parts[part + r * 8];
      sum = sum + other;
    }
    t6_parts[part] = sum;
  }
  workgroupBarrier();
  var parts_0: f32; var parts_1: f32; var parts_2: f32; var parts_3: f32; var parts_4: f32;
  var parts_5: f32; var parts_6: f32; var parts_7: f32;
  parts_0 = t6_parts[0];
  parts_1 = t6_parts[1];
  parts_2 = t6_parts[2];
  parts_3 = t6_parts[3];
  parts_4 = t6_parts[4];
  parts_5 = t6_parts[5];
  parts_6 = t6_parts[6];
  parts_7 = t6_parts[7];
  sum = parts_0;
  sum = sum + parts_1;
  sum = sum + parts_2;
  sum = sum + parts_3;
  sum = sum + parts_4;
  sum = sum + parts_5;
  sum = sum + parts_6;
  sum = sum + parts_7;
  var w_tile_0: u32; var w_tile_1: u32; var w_tile_2: u32; var w_tile_3: u32; var w_tile_4: u32;
  var w_tile_5: u32; var w_tile_6: u32; var w_tile_7: u32; var w_tile_8: u32; var w_tile_9: u32;
  var w_tile_10: u32; var w_tile_11: u32; var w_tile_12: u32; var w_tile_13: u32;
  var w_tile_14: u32; var w_tile_15: u32; var w_tile_16: u32; var w_tile_17: u32;
  var w_tile_18: u32; var w_tile_19: u32; var w_tile_20: u32; var w_tile_21: u32;
  var w_tile_22: u32; var w_tile_23: u32; var w_tile_24: u32; var w_tile_25: u32;
  var w_tile_26: u32; var w_tile_27: u32; var w_tile_28: u32; var w_tile_29: u32;
  var w_tile_30: u32; var w_tile_31: u32; var w_tile_32: u32; var w_tile_33: u32;
  var w_tile_34: u32; var w_tile_35: u32; var w_tile_36: u32; var w_tile_37: u32;
  var w_tile_38: u32; var w_tile_39: u32;
  let w_tile_word = w[t_H >> 3u];
  w_tile_0 = w_tile_word.x & 0xffffu; w_tile_1 = w_tile_word.x >> 16u;
  w_tile_2 = w_tile_word.y & 0xffffu; w_tile_3 = w_tile_word.y >> 16u;
  w_tile_4 = w_tile_word.z & 0xffffu; w_tile_5 = w_tile_word.z >> 16u;
  w_tile_6 = w_tile_word.w & 0xffffu; w_tile_7 = w_tile_word.w >> 16u;
  let w_tile_word_1 = w[(t_H + 1024) >> 3u];
  w_tile_8 = w_tile_word_1.x & 0xffffu; w_tile_9 = w_tile_word_1.x >> 16u;
  w_tile_10 = w_tile_word_1.y & 0xffffu; w_tile_11 = w_tile_word_1.y >> 16u;
  w_tile_12 = w_tile_word_1.z & 0xffffu; w_tile_13 = w_tile_word_1.z >> 16u;
  w_tile_14 = w_tile_word_1.w & 0xffffu; w_tile_15 = w_tile_word_1.w >> 16u;
  let w_tile_word_2 = w[(t_H + 2048) >> 3u];
  w_tile_16 = w_tile_word_2.x & 0xffffu; w_tile_17 = w_tile_word_2.x >> 16u;
  w_tile_18 = w_tile_word_2.y & 0xffffu; w_tile_19 = w_tile_word_2.y >> 16u;
  w_tile_20 = w_tile_word_2.z & 0xffffu; w_tile_21 = w_tile_word_2.z >> 16u;
  w_tile_22 = w_tile_word_2.w & 0xffffu; w_tile_23 = w_tile_word_2.w >> 16u;
  let w_tile_word_3 = w[(t_H + 3072) >> 3u];
  w_tile_24 = w_tile_word_3.x & 0xffffu; w_tile_25 = w_tile_word_3.x >> 16u;
  w_tile_26 = w_tile_word_3.y & 0xffffu; w_tile_27 = w_tile_word_3.y >> 16u;
  w_tile_28 = w_tile_word_3.z & 0xffffu; w_tile_29 = w_tile_word_3.z >> 16u;
  w_tile_30 = w_tile_word_3.w & 0xffffu; w_tile_31 = w_tile_word_3.w >> 16u;
  let w_tile_word_4 = w[(t_H + 4096) >> 3u];
  w_tile_32 = w_tile_word_4.x & 0xffffu; w_tile_33 = w_tile_word_4.x >> 16u;
  w_tile_34 = w_tile_word_4.y & 0xffffu; w_tile_35 = w_tile_word_4.y >> 16u;
  w_tile_36 = w_tile_word_4.z & 0xffffu; w_tile_37 = w_tile_word_4.z >> 16u;
  w_tile_38 = w_tile_word_4.w & 0xffffu; w_tile_39 = w_tile_word_4.w >> 16u;
  let scale: f32 = inverseSqrt(sum / 5120.0f + launch.eps);
  if (is_first) {
    var y_tile_0: u32; var y_tile_1: u32; var y_tile_2: u32; var y_tile_3: u32; var y_tile_4: u32;
    var y_tile_5: u32; var y_tile_6: u32; var y_tile_7: u32;
    y_tile_0 = tw_f32_to_bf16(v_0 * scale * tw_bf16_to_f32(w_tile_0));
    y_tile_1 = tw_f32_to_bf16(v_1 * scale * tw_bf16_to_f32(w_tile_1));
    y_tile_2 = tw_f32_to_bf16(v_2 * scale * tw_bf16_to_f32(w_tile_2));
    y_tile_3 = tw_f32_to_bf16(v_3 * scale * tw_bf16_to_f32(w_tile_3));
    y_tile_4 = tw_f32_to_bf16(v_4 * scale * tw_bf16_to_f32(w_tile_4));
    y_tile_5 = tw_f32_to_bf16(v_5 * scale * tw_bf16_to_f32(w_tile_5));
    y_tile_6 = tw_f32_to_bf16(v_6 * scale * tw_bf16_to_f32(w_tile_6));
    y_tile_7 = tw_f32_to_bf16(v_7 * scale * tw_bf16_to_f32(w_tile_7));
    if (x_in) {
      y[x_at >> 3u] = vec4<u32>(
          y_tile_0 | (y_tile_1 << 16u), y_tile_2 | (y_tile_3 << 16u), y_tile_4 | (y_tile_5 << 16u),
          y_tile_6 | (y_tile_7 << 16u));
    }
    var y_tile_1_1_0: u32; var y_tile_1_1_1: u32; var y_tile_1_1_2: u32; var y_tile_1_1_3: u32;
    var y_tile_1_1_4: u32; var y_tile_1_1_5: u32; var y_tile_1_1_6: u32; var y_tile_1_1_7: u32;
    y_tile_1_1_0 = tw_f32_to_bf16(v_8 * scale * tw_bf16_to_f32(w_tile_8));
    y_tile_1_1_1 = tw_f32_to_bf16(v_9 * scale * tw_bf16_to_f32(w_tile_9));
    y_tile_1_1_2 = tw_f32_to_bf16(v_10 * scale * tw_bf16_to_f32(w_tile_10));
    y_tile_1_1_3 = tw_f32_to_bf16(v_11 * scale * tw_bf16_to_f32(w_tile_11));
    y_tile_1_1_4 = tw_f32_to_bf16(v_12 * scale * tw_bf16_to_f32(w_tile_12));
    y_tile_1_1_5 = tw_f32_to_bf16(v_13 * scale * tw_bf16_to_f32(w_tile_13));
    y_tile_1_1_6 = tw_f32_to_bf16(v_14 * scale * tw_bf16_to_f32(w_tile_14));
    y_tile_1_1_7 = tw_f32_to_bf16(v_15 * scale * tw_bf16_to_f32(w_tile_15));
    if (x_in) {
      y[(x_at + 1024) >> 3u] = vec4<u32>(
          y_tile_1_1_0 | (y_tile_1_1_1 << 16u), y_tile_1_1_2 | (y_tile_1_1_3 << 16u),
          y_tile_1_1_4 | (y_tile_1_1_5 << 16u), y_tile_1_1_6 | (y_tile_1_1_7 << 16u));
    }
    var y_tile_2_1_0: u32; var y_tile_2_1_1: u32; var y_tile_2_1_2: u32; var y_tile_2_1_3: u32;
    var y_tile_2_1_4: u32; var y_tile_2_1_5: u32; var y_tile_2_1_6: u32; var y_tile_2_1_7: u32;
    y_tile_2_1_0 = tw_f32_to_bf16(v_16 * scale * tw_bf16_to_f32(w_tile_16));
    y_tile_2_1_1 = tw_f32_to_bf16(v_17 * scale * tw_bf16_to_f32(w_tile_17));
    y_tile_2_1_2 = tw_f32_to_bf16(v_18 * scale * tw_bf16_to_f32(w_tile_18));
    y_tile_2_1_3 = tw_f32_to_bf16(v_19 * scale * tw_bf16_to_f32(w_tile_19));
    y_tile_2_1_4 = tw_f32_to_bf16(v_20 * scale * tw_bf16_to_f32(w_tile_20));
    y_tile_2_1_5 = tw_f32_to_bf16(v_21 * scale * tw_bf16_to_f32(w_tile_21));
    y_tile_2_1_6 = tw_f32_to_bf16(v_22 * scale * tw_bf16_to_f32(w_tile_22));
    y_tile_2_1_7 = tw_f32_to_bf16(v_23 * scale * tw_bf16_to_f32(w_tile_23));
    if (x_in) {
      y[(x_at + 2048) >> 3u] = vec4<u32>(
          y_tile_2_1_0 | (y_tile_2_1_1 << 16u), y_tile_2_1_2 | (y_tile_2_1_3 << 16u),
          y_tile_2_1_4 | (y_tile_2_1_5 << 16u), y_tile_2_1_6 | (y_tile_2_1_7 << 16u));
    }
    var y_tile_3_1_0: u32; var y_tile_3_1_1: u32; var y_tile_3_1_2: u32; var y_tile_3_1_3: u32;
    var y_tile_3_1_4: u32; var y_tile_3_1_5: u32; var y_tile_3_1_6: u32; var y_tile_3_1_7: u32;
    y_tile_3_1_0 = tw_f32_to_bf16(v_24 * scale * tw_bf16_to_f32(w_tile_24));
    y_tile_3_1_1 = tw_f32_to_bf16(v_25 * scale * tw_bf16_to_f32(w_tile_25));
    y_tile_3_1_2 = tw_f32_to_bf16(v_26 * scale * tw_bf16_to_f32(w_tile_26));
    y_tile_3_1_3 = tw_f32_to_bf16(v_27 * scale * tw_bf16_to_f32(w_tile_27));
    y_tile_3_1_4 = tw_f32_to_bf16(v_28 * scale * tw_bf16_to_f32(w_tile_28));
    y_tile_3_1_5 = tw_f32_to_bf16(v_29 * scale * tw_bf16_to_f32(w_tile_29));
    y_tile_3_1_6 = tw_f32_to_bf16(v_30 * scale * tw_bf16_to_f32(w_tile_30));
    y_tile_3_1_7 = tw_f32_to_bf16(v_31 * scale * tw_bf16_to_f32(w_tile_31));
    if (x_in) {
      y[(x_at + 3072) >> 3u] = vec4<u32>(
          y_tile_3_1_0 | (y_tile_3_1_1 << 16u), y_tile_3_1_2 | (y_tile_3_1_3 << 16u),
          y_tile_3_1_4 | (y_tile_3_1_5 << 16u), y_tile_3_1_6 | (y_tile_3_1_7 << 16u));
    }
    var y_tile_4_1_0: u32; var y_tile_4_1_1: u32; var y_tile_4_1_2: u32; var y_tile_4_1_3: u32;
    var y_tile_4_1_4: u32; var y_tile_4_1_5: u32; var y_tile_4_1_6: u32; var y_tile_4_1_7: u32;
    y_tile_4_1_0 = tw_f32_to_bf16(v_32 * scale * tw_bf16_to_f32(w_tile_32));
    y_tile_4_1_1 = tw_f32_to_bf16(v_33 * scale * tw_bf16_to_f32(w_tile_33));
    y_tile_4_1_2 = tw_f32_to_bf16(v_34 * scale * tw_bf16_to_f32(w_tile_34));
    y_tile_4_1_3 = tw_f32_to_bf16(v_35 * scale * tw_bf16_to_f32(w_tile_35));
    y_tile_4_1_4 = tw_f32_to_bf16(v_36 * scale * tw_bf16_to_f32(w_tile_36));
    y_tile_4_1_5 = tw_f32_to_bf16(v_37 * scale * tw_bf16_to_f32(w_tile_37));
    y_tile_4_1_6 = tw_f32_to_bf16(v_38 * scale * tw_bf16_to_f32(w_tile_38));
    y_tile_4_1_7 = tw_f32_to_bf16(v_39 * scale * tw_bf16_to_f32(w_tile_39));
    if (x_in) {
      y[(x_at + 4096) >> 3u] = vec4<u32>(
          y_tile_4_1_0 | (y_tile_4_1_1 << 16u), y_tile_4_1_2 | (y_tile_4_1_3 << 16u),
          y_tile_4_1_4 | (y_tile_4_1_5 << 16u), y_tile_4_1_6 | (y_tile_4_1_7 << 16u));
    }
  }
}
