// decode_merge_sinks for wgsl, made by tilewright
// dtypes: T=bf16
// config: BS=4
// dims fixed: D=128
// dims divisible: G%2
// 64 threads, 1168 bytes of shared memory
//       0 … 1024: t32_parts f32[256]
//    1024 … 1032: t17_parts f32[2]
//    1152 … 1160: t25_parts f32[2]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  HKV: i32,
  SPLIT: i32,
  G: i32,
}
@group(0) @binding(0) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> lse: array<f32>;
@group(0) @binding(2) var<storage, read_write> o: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> sinks: array<u32>;
@group(0) @binding(4) var<uniform> launch: TwLaunch;
var<workgroup> t32_parts: array<f32, 256>;
var<workgroup> t17_parts: array<f32, 2>;
var<workgroup> t25_parts: array<f32, 2>;

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

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

fn tw_max(a: f32, b: f32) -> f32 { return select(select(max(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

// 2 to the x as a polynomial on half a unit around the nearest integer.
fn tw_exp2(x: f32) -> f32 {
  let bounded = clamp(x, -151.0f, 129.0f);
  let n = round(bounded);
  let f = bounded - n;
  var p = 0.000154531634f;
  p = p * f + 0.00133908633f;
  p = p * f + 0.00961808302f;
  p = p * f + 0.0555035695f;
  p = p * f + 0.240226507f;
  p = p * f + 0.693147182f;
  return select(tw_scale(p * f + 1.0f, i32(n)), x, tw_isnan(x));
}

@compute @workgroup_size(64)
fn decode_merge_sinks(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let pid2 = i32(program / (launch.programs.x * launch.programs.y));
  let thread = i32(thread_index);
  let sinks_at: i32 = pid1 * launch.G + pid0;
  var sinks_tile: u32;
  let sinks_tile_word = sinks[sinks_at >> 1u] >> ((u32(sinks_at) & 1u) * 16u);
  sinks_tile = sinks_tile_word & 0xffffu;
  var l: f32 = 1.0f;
  var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32;
  acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f;
  var m: f32 = tw_bf16_to_f32(sinks_tile) * 1.442695f;
  let stride: i32 = launch.G * launch.SPLIT * launch.HKV;
  let stride_1: i32 = launch.G * launch.SPLIT;
  let t_BS: i32 = thread >> 5u;
  let lse_at: i32 = t_BS * launch.G;
  let lse_at_1: i32 = pid2 * stride + pid1 * stride_1 + pid0 + lse_at;
  let lse_in: bool = ((pid2 < launch.S) & (pid1 < launch.HKV)) & (pid0 < launch.G);
  let is_first: bool = (thread & 31) == 0;
  let stride_2: i32 = launch.G * 128 * launch.SPLIT * launch.HKV;
  let stride_3: i32 = launch.G * 128 * launch.SPLIT;
  let stride_4: i32 = launch.G * 128;
  let t_D: i32 = (thread & 31) * 4;
  let partial_at: i32 = t_BS * stride_4 + t_D;
  let partial_at_1: i32 = pid2 * stride_2 + pid1 * stride_3 + pid0 * 128 + partial_at;
  let part_at: i32 = t_BS * 128 + t_D;
  for (var j: i32 = 0; j < launch.SPLIT; j += 4) {
    let lse_at_2: i32 = lse_at_1 + j * launch.G;
    var x_0: f32; var x_1: f32;
    let left: i32 = launch.SPLIT - j;
    let x_in = lse_in & (t_BS < left);
    x_0 = select(-1e+30f, lse[select(0, lse_at_2, x_in)], x_in);
    let x_in_1 = lse_in & (t_BS + 2 < left);
    x_1 = select(-1e+30f, lse[select(0, lse_at_2 + launch.G * 2, x_in_1)], x_in_1);
    var most: f32 = tw_bits_f32(0xff800000u);
    most = tw_max(most, x_0);
    most = tw_max(most, x_1);
    if (is_first) {
      t17_parts[t_BS] = most;
    }
    workgroupBarrier();
    var parts_0: f32; var parts_1: f32;
    parts_0 = t17_parts[0];
    parts_1 = t17_parts[1];
    most = parts_0;
    most = tw_max(most, parts_1);
    let mNew: f32 = tw_max(m, most);
    var w_0: f32; var w_1: f32;
    w_0 = tw_exp2(x_0 - mNew); w_1 = tw_exp2(x_1 - mNew);
    let alpha: f32 = tw_exp2(m - mNew);
    var sum: f32 = 0.0f;
    sum = sum + w_0;
    sum = sum + w_1;
    if (is_first) {
      t25_parts[t_BS] = sum;
    }
    workgroupBarrier();
    var parts_1_1_0: f32; var parts_1_1_1: f32;
    parts_1_1_0 = t25_parts[0];
    parts_1_1_1 = t25_parts[1];
    sum = parts_1_1_0;
    sum = sum + parts_1_1_1;
    let partial_at_2: i32 = partial_at_1 + j * stride_4;
    var partial_tile_0: f32; var partial_tile_1: f32; var partial_tile_2: f32;
    var partial_tile_3: f32; var partial_tile_4: f32; var partial_tile_5: f32;
    var partial_tile_6: f32; var partial_tile_7: f32;
    let partial_tile_in = lse_in & (t_BS < left);
    let partial_tile_word = select(
        vec4<f32>(0.0f), partial[select(0, partial_at_2 >> 2u, partial_tile_in)], partial_tile_in);
    partial_tile_0 = partial_tile_word.x; partial_tile_1 = partial_tile_word.y;
    partial_tile_2 = partial_tile_word.z; partial_tile_3 = partial_tile_word.w;
    let partial_tile_in_1 = lse_in & (t_BS + 2 < left);
    let partial_tile_word_1 = select(vec4<f32>(0.0f), partial[select(
        0, (partial_at_2 + stride_4 * 2) >> 2u, partial_tile_in_1)], partial_tile_in_1);
    partial_tile_4 = partial_tile_word_1.x; partial_tile_5 = partial_tile_word_1.y;
    partial_tile_6 = partial_tile_word_1.z; partial_tile_7 = partial_tile_word_1.w;
    var sum_1_0: f32; var sum_1_1: f32; var sum_1_2: f32; var sum_1_3: f32;
    sum_1_0 = 0.0f; sum_1_1 = 0.0f; sum_1_2 = 0.0f; sum_1_3 = 0.0f;
    sum_1_0 = sum_1_0 + w_0 * partial_tile_0; sum_1_1 = sum_1_1 + w_0 * partial_tile_1;
    sum_1_2 = sum_1_2 + w_0 * partial_tile_2; sum_1_3 = sum_1_3 + w_0 * partial_tile_3;
    sum_1_0 = sum_1_0 + w_1 * partial_tile_4; sum_1_1 = sum_1_1 + w_1 * partial_tile_5;
    sum_1_2 = sum_1_2 + w_1 * partial_tile_6; sum_1_3 = sum_1_3 + w_1 * partial_tile_7;
    t32_parts[part_at] = sum_1_0;
    t32_parts[part_at + 1] = sum_1_1;
    t32_parts[part_at + 2] = sum_1_2;
    t32_parts[part_at + 3] = sum_1_3;
    workgroupBarrier();
    sum_1_0 = t32_parts[t_D];
    var other: f32;
    other = t32_parts[t_D + 128];
    sum_1_0 = sum_1_0 + other;
    sum_1_1 = t32_parts[t_D + 1];
    var other_1: f32;
    other_1 = t32_parts[t_D + 129];
    sum_1_1 = sum_1_1 + other_1;
    sum_1_2 = t32_parts[t_D + 2];
    var other_2: f32;
    other_2 = t32_parts[t_D + 130];
    sum_1_2 = sum_1_2 + other_2;
    sum_1_3 = t32_parts[t_D + 3];
    var other_3: f32;
    other_3 = t32_parts[t_D + 131];
    sum_1_3 = sum_1_3 + other_3;
    l = l * alpha + sum;
    acc_0 = acc_0 * alpha + sum_1_0; acc_1 = acc_1 * alpha + sum_1_1;
    acc_2 = acc_2 * alpha + sum_1_2; acc_3 = acc_3 * alpha + sum_1_3;
    m = mNew;
  }
  let stride_5: i32 = launch.G * 128 * launch.HKV;
  let o_at: i32 = pid2 * stride_5 + pid1 * stride_4 + pid0 * 128 + t_D;
  let is_first_1: bool = thread < 32;
  if (is_first_1) {
    var o_tile_0: u32; var o_tile_1: u32; var o_tile_2: u32; var o_tile_3: u32;
    o_tile_0 = tw_f32_to_bf16(acc_0 / l); o_tile_1 = tw_f32_to_bf16(acc_1 / l);
    o_tile_2 = tw_f32_to_bf16(acc_2 / l); o_tile_3 = tw_f32_to_bf16(acc_3 / l);
    if (lse_in) {
      o[o_at >> 2u] = vec2<u32>(o_tile_0 | (o_tile_1 << 16u), o_tile_2 | (o_tile_3 << 16u));
    }
  }
}
