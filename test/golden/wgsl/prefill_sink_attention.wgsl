// prefill_sink_attention for wgsl, made by tilewright
// dtypes: T=bf16 C=bf16
// config: BM=16 BN=16 BS=128 stages=2 SOFTCAP=0
// dims fixed: D=64 PAGE=16
// dims divisible: N%16 HQ%4 NB%8 S%2
// 64 threads, 11072 bytes of shared memory
//       0 … 4336: kt_shared f32[1084]
//       0 … 4096: vt_shared f32[1024]
//    4352 … 8448: qt_shared f32[1024]
//    8448 … 9472: t138_shared f32[256]
//    9472 … 9984: t110_parts f32[128]
//    9984 … 10496: t118_parts f32[128]
//   10496 … 10752: t32_parts i32[64]
//   10752 … 10816: t110_convert f32[16]
//   10880 … 10944: mNew_convert f32[16]
//   11008 … 11072: t118_convert f32[16]

struct TwLaunch {
  programs: vec4<u32>,
  N: i32,
  HQ: i32,
  NB: i32,
  HKV: i32,
  S: i32,
  MAXB: i32,
  S1: i32,
  scale: f32,
  vScale: f32,
  window: i32,
}
@group(0) @binding(0) var<storage, read> q: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> kCache: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> vCache: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> table: array<i32>;
@group(0) @binding(4) var<storage, read> queryStart: array<i32>;
@group(0) @binding(5) var<storage, read> lens: array<i32>;
@group(0) @binding(6) var<storage, read_write> o: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> sinks: array<u32>;
@group(0) @binding(8) var<uniform> launch: TwLaunch;
var<workgroup> shared_kt_shared_vt_shared: array<vec4<f32>, 271>;
var<workgroup> qt_shared: array<vec4<f32>, 256>;
var<workgroup> t138_shared: array<vec2<f32>, 128>;
var<workgroup> t110_parts: array<f32, 128>;
var<workgroup> t118_parts: array<f32, 128>;
var<workgroup> t32_parts: array<i32, 64>;
var<workgroup> t110_convert: array<f32, 16>;
var<workgroup> mNew_convert: array<f32, 16>;
var<workgroup> t118_convert: array<f32, 16>;
var<workgroup> uniform_word: u32;

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

fn tw_floordiv_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let quotient = a / b;
  let rest = a - quotient * b;
  return quotient - select(0, 1, rest != 0 && (rest ^ b) < 0);
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
fn prefill_sink_attention(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let pid1 = i32(program / launch.programs.x % launch.programs.y);
  let thread = i32(thread_index);
  var sinks_tile: u32;
  let sinks_tile_word = sinks[pid0 >> 1u] >> ((u32(pid0) & 1u) * 16u);
  sinks_tile = sinks_tile_word & 0xffffu;
  let t: f32 = tw_bf16_to_f32(sinks_tile) * 1.442695f;
  var begun: i32 = 0;
  let bound: i32 = min(launch.S, launch.S1);
  for (var i: i32 = 0; i < launch.S; i += 128) {
    let queryStart_at: i32 = thread + i;
    var start_0: i32; var start_1: i32;
    let left: i32 = bound - i;
    let start_in = thread < left;
    start_0 = select(0, queryStart[select(0, queryStart_at, start_in)], start_in);
    let start_in_1 = thread + 64 < left;
    start_1 = select(0, queryStart[select(0, queryStart_at + 64, start_in_1)], start_in_1);
    workgroupBarrier();
    var sum: i32 = 0;
    sum = sum + select(0, 1, (i + thread < launch.S) & ((start_0 >> 4u) + i + thread <= pid1));
    sum = sum + select(
        0, 1, (i + thread + 64 < launch.S) & ((start_1 >> 4u) + i + thread + 64 <= pid1));
    t32_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 8) {
      sum = t32_parts[thread];
      var other: i32;
      other = t32_parts[thread + 8];
      sum = sum + other;
      var other_1: i32;
      other_1 = t32_parts[thread + 16];
      sum = sum + other_1;
      var other_2: i32;
      other_2 = t32_parts[thread + 24];
      sum = sum + other_2;
      var other_3: i32;
      other_3 = t32_parts[thread + 32];
      sum = sum + other_3;
      var other_4: i32;
      other_4 = t32_parts[thread + 40];
      sum = sum + other_4;
      var other_5: i32;
      other_5 = t32_parts[thread + 48];
      sum = sum + other_5;
      var other_6: i32;
      other_6 = t32_parts[thread + 56];
      sum = sum + other_6;
      t32_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
    var parts_5: i32; var parts_6: i32; var parts_7: i32;
    parts_0 = t32_parts[0];
    parts_1 = t32_parts[1];
    parts_2 = t32_parts[2];
    parts_3 = t32_parts[3];
    parts_4 = t32_parts[4];
    parts_5 = t32_parts[5];
    parts_6 = t32_parts[6];
    parts_7 = t32_parts[7];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    begun = begun + sum;
  }
  let t_1: bool = begun > 0;
  if (thread == 0) { uniform_word = u32(t_1); }
  let agreed = workgroupUniformLoad(&uniform_word) != 0u;
  if (agreed) {
    let s: i32 = begun - 1;
    var rowStart: i32;
    rowStart = queryStart[s];
    let t_2: i32 = s + 1;
    var rowEnd: i32;
    rowEnd = queryStart[t_2];
    let m0: i32 = (pid1 - (rowStart >> 4u) - s) * 16;
    let t_3: i32 = rowEnd - rowStart;
    let t_4: bool = m0 < t_3;
    if (thread == 0) { uniform_word = u32(t_4); }
    let agreed_1 = workgroupUniformLoad(&uniform_word) != 0u;
    if (agreed_1) {
      var len: i32;
      len = lens[s];
      let kvHead: i32 = tw_floordiv_i32(pid0, tw_floordiv_i32(launch.HQ, launch.HKV));
      let t_5: i32 = rowStart + m0;
      let p0: i32 = len - t_3 + m0;
      let reach: i32 = select(1073741824, launch.window, launch.window > 0);
      let low: i32 = max(p0 - reach + 1, 0);
      let t_BM: i32 = thread >> 3u;
      var qpos_0: i32; var qpos_1: i32;
      qpos_0 = p0 + t_BM; qpos_1 = p0 + t_BM + 8;
      let stride: i32 = launch.HQ * 64;
      let bound_1: i32 = min(rowEnd, launch.N);
      let t_D: i32 = (thread & 7) * 8;
      let q_at: i32 = t_BM * stride + t_D;
      let q_at_1: i32 = pid0 * 64 + t_5 * stride + q_at;
      let q_in: bool = pid0 < launch.HQ;
      var qt_0: u32; var qt_1: u32; var qt_2: u32; var qt_3: u32; var qt_4: u32; var qt_5: u32;
      var qt_6: u32; var qt_7: u32; var qt_8: u32; var qt_9: u32; var qt_10: u32; var qt_11: u32;
      var qt_12: u32; var qt_13: u32; var qt_14: u32; var qt_15: u32;
      let position: i32 = t_5 + t_BM;
      let bound_2: i32 = max(bound_1, 0);
      let qt_in = q_in & (u32(position) < u32(bound_2));
      let qt_word = select(vec4<u32>(0u), q[select(0, q_at_1 >> 3u, qt_in)], qt_in);
      qt_0 = qt_word.x & 0xffffu; qt_1 = qt_word.x >> 16u; qt_2 = qt_word.y & 0xffffu;
      qt_3 = qt_word.y >> 16u; qt_4 = qt_word.z & 0xffffu; qt_5 = qt_word.z >> 16u;
      qt_6 = qt_word.w & 0xffffu; qt_7 = qt_word.w >> 16u;
      let qt_in_1 = q_in & (u32(position + 8) < u32(bound_2));
      let qt_word_1 = select(
          vec4<u32>(0u), q[select(0, (q_at_1 + stride * 8) >> 3u, qt_in_1)], qt_in_1);
      qt_8 = qt_word_1.x & 0xffffu; qt_9 = qt_word_1.x >> 16u; qt_10 = qt_word_1.y & 0xffffu;
      qt_11 = qt_word_1.y >> 16u; qt_12 = qt_word_1.z & 0xffffu; qt_13 = qt_word_1.z >> 16u;
      qt_14 = qt_word_1.w & 0xffffu; qt_15 = qt_word_1.w >> 16u;
      let factor: f32 = launch.scale * 1.442695f;
      let begin: i32 = (low >> 4u) * 16;
      let t_6: i32 = min(len, p0 + 16);
      let t_BN: i32 = (thread & 7) * 2;
      var t_7_0: i32; var t_7_1: i32;
      t_7_0 = qpos_0 - reach; t_7_1 = qpos_1 - reach;
      let more: bool = begin < t_6;
      var pages_0: i32; var pages_1: i32;
      let table_at: i32 = s * launch.MAXB;
      let table_in: bool = u32(s) < u32(launch.S);
      if (more) {
        var t_8_0: i32; var t_8_1: i32;
        let kpos: i32 = begin + t_BM;
        t_8_0 = select(-1, kpos >> 4u, (kpos >= low) & (kpos < len));
        let kpos_1: i32 = begin + t_BM + 8;
        t_8_1 = select(-1, kpos_1 >> 4u, (kpos_1 >= low) & (kpos_1 < len));
        var pages_1_1_0: i32; var pages_1_1_1: i32;
        let pages_1_in = table_in & (u32(t_8_0) < u32(launch.MAXB));
        pages_1_1_0 = select(-1, table[select(0, table_at + t_8_0, pages_1_in)], pages_1_in);
        let pages_1_in_1 = table_in & (u32(t_8_1) < u32(launch.MAXB));
        pages_1_1_1 = select(-1, table[select(0, table_at + t_8_1, pages_1_in_1)], pages_1_in_1);
        pages_0 = pages_1_1_0; pages_1 = pages_1_1_1;
      } else {
        pages_0 = -1; pages_1 = -1;
      }
      var l_0: f32; var l_1: f32; var l_2: f32; var l_3: f32;
      l_0 = 1.0f; l_1 = 1.0f; l_2 = 1.0f; l_3 = 1.0f;
      var acc_0: f32; var acc_1: f32; var acc_2: f32; var acc_3: f32; var acc_4: f32;
      var acc_5: f32; var acc_6: f32; var acc_7: f32; var acc_8: f32; var acc_9: f32;
      var acc_10: f32; var acc_11: f32; var acc_12: f32; var acc_13: f32; var acc_14: f32;
      var acc_15: f32;
      acc_0 = 0.0f; acc_1 = 0.0f; acc_2 = 0.0f; acc_3 = 0.0f; acc_4 = 0.0f; acc_5 = 0.0f;
      acc_6 = 0.0f; acc_7 = 0.0f; acc_8 = 0.0f; acc_9 = 0.0f; acc_10 = 0.0f; acc_11 = 0.0f;
      acc_12 = 0.0f; acc_13 = 0.0f; acc_14 = 0.0f; acc_15 = 0.0f;
      var m_0: f32; var m_1: f32; var m_2: f32; var m_3: f32;
      m_0 = t; m_1 = t; m_2 = t; m_3 = t;
      let stride_1: i32 = launch.HKV * 1024;
      let stride_2: i32 = launch.HKV * 64;
      let kCache_at: i32 = kvHead * 64 + t_D;
      let kCache_in: bool = kvHead < launch.HKV;
      let qt_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 64;
      let kt_shared_at: i32 = (thread & 7) * 8 + (thread >> 3u) * 68;
      let qt_shared_at_1: i32 = (thread >> 3u) * 64;
      let kt_shared_at_1: i32 = (thread & 7) * 136;
      let part: i32 = thread & 7;
      let part_at: i32 = part * 16 + t_BM;
      let is_first: bool = (thread & 7) == 0;
      let t110_convert_at: i32 = (thread >> 3u) & 3;
      let is_first_1: bool = ((thread & 7) == 0) & (thread < 32);
      let t138_shared_at: i32 = (thread & 7) * 2 + (thread >> 3u) * 16;
      let t138_shared_at_1: i32 = ((thread >> 3u) & 3) * 16;
      let vt_shared_at: i32 = (thread & 7) * 4 + (thread >> 5u) * 32;
      if (thread == 0) { uniform_word = u32(begin); }
      let n_start = i32(workgroupUniformLoad(&uniform_word));
      if (thread == 0) { uniform_word = u32(t_6); }
      let n_end = i32(workgroupUniformLoad(&uniform_word));
      for (var n: i32 = n_start; n < n_end; n += 16) {
        let n_1: i32 = n + 16;
        let more_1: bool = n_1 < t_6;
        var pages_2_0: i32; var pages_2_1: i32;
        if (more_1) {
          var t_9_0: i32; var t_9_1: i32;
          let kpos_2: i32 = n_1 + t_BM;
          t_9_0 = select(-1, kpos_2 >> 4u, (kpos_2 >= low) & (kpos_2 < len));
          let kpos_3: i32 = n_1 + t_BM + 8;
          t_9_1 = select(-1, kpos_3 >> 4u, (kpos_3 >= low) & (kpos_3 < len));
          var pages_3_0: i32; var pages_3_1: i32;
          let pages_3_in = table_in & (u32(t_9_0) < u32(launch.MAXB));
          pages_3_0 = select(-1, table[select(0, table_at + t_9_0, pages_3_in)], pages_3_in);
          let pages_3_in_1 = table_in & (u32(t_9_1) < u32(launch.MAXB));
          pages_3_1 = select(-1, table[select(0, table_at + t_9_1, pages_3_in_1)], pages_3_in_1);
          pages_2_0 = pages_3_0; pages_2_1 = pages_3_1;
        } else {
          pages_2_0 = -1; pages_2_1 = -1;
        }
        var slot_0: i32; var slot_1: i32;
        slot_0 = (n + t_BM) & 15; slot_1 = (n + t_BM + 8) & 15;
        var kt_0: u32; var kt_1: u32; var kt_2: u32; var kt_3: u32; var kt_4: u32; var kt_5: u32;
        var kt_6: u32; var kt_7: u32; var kt_8: u32; var kt_9: u32; var kt_10: u32; var kt_11: u32;
        var kt_12: u32; var kt_13: u32; var kt_14: u32; var kt_15: u32;
        let kt_in = kCache_in & (u32(pages_0) < u32(launch.NB));
        let kt_word = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_0 * stride_1 + slot_0 * stride_2) >> 3u, kt_in)], kt_in);
        kt_0 = kt_word.x & 0xffffu; kt_1 = kt_word.x >> 16u; kt_2 = kt_word.y & 0xffffu;
        kt_3 = kt_word.y >> 16u; kt_4 = kt_word.z & 0xffffu; kt_5 = kt_word.z >> 16u;
        kt_6 = kt_word.w & 0xffffu; kt_7 = kt_word.w >> 16u;
        let kt_in_1 = kCache_in & (u32(pages_1) < u32(launch.NB));
        let kt_word_1 = select(vec4<u32>(0u), kCache[select(
            0, (kCache_at + pages_1 * stride_1 + slot_1 * stride_2) >> 3u, kt_in_1)], kt_in_1);
        kt_8 = kt_word_1.x & 0xffffu; kt_9 = kt_word_1.x >> 16u; kt_10 = kt_word_1.y & 0xffffu;
        kt_11 = kt_word_1.y >> 16u; kt_12 = kt_word_1.z & 0xffffu; kt_13 = kt_word_1.z >> 16u;
        kt_14 = kt_word_1.w & 0xffffu; kt_15 = kt_word_1.w >> 16u;
        var qt_1_1_0: f32; var qt_1_1_1: f32; var qt_1_1_2: f32; var qt_1_1_3: f32;
        qt_1_1_0 = tw_bf16_to_f32(qt_0); qt_1_1_1 = tw_bf16_to_f32(qt_1);
        qt_1_1_2 = tw_bf16_to_f32(qt_2); qt_1_1_3 = tw_bf16_to_f32(qt_3);
        qt_shared[qt_shared_at >> 2u] = vec4<f32>(qt_1_1_0, qt_1_1_1, qt_1_1_2, qt_1_1_3);
        var qt_2_1_0: f32; var qt_2_1_1: f32; var qt_2_1_2: f32; var qt_2_1_3: f32;
        qt_2_1_0 = tw_bf16_to_f32(qt_4); qt_2_1_1 = tw_bf16_to_f32(qt_5);
        qt_2_1_2 = tw_bf16_to_f32(qt_6); qt_2_1_3 = tw_bf16_to_f32(qt_7);
        qt_shared[(qt_shared_at + 4) >> 2u] = vec4<f32>(qt_2_1_0, qt_2_1_1, qt_2_1_2, qt_2_1_3);
        var qt_3_1_0: f32; var qt_3_1_1: f32; var qt_3_1_2: f32; var qt_3_1_3: f32;
        qt_3_1_0 = tw_bf16_to_f32(qt_8); qt_3_1_1 = tw_bf16_to_f32(qt_9);
        qt_3_1_2 = tw_bf16_to_f32(qt_10); qt_3_1_3 = tw_bf16_to_f32(qt_11);
        qt_shared[(qt_shared_at + 512) >> 2u] = vec4<f32>(qt_3_1_0, qt_3_1_1, qt_3_1_2, qt_3_1_3);
        var qt_4_1_0: f32; var qt_4_1_1: f32; var qt_4_1_2: f32; var qt_4_1_3: f32;
        qt_4_1_0 = tw_bf16_to_f32(qt_12); qt_4_1_1 = tw_bf16_to_f32(qt_13);
        qt_4_1_2 = tw_bf16_to_f32(qt_14); qt_4_1_3 = tw_bf16_to_f32(qt_15);
        qt_shared[(qt_shared_at + 516) >> 2u] = vec4<f32>(qt_4_1_0, qt_4_1_1, qt_4_1_2, qt_4_1_3);
        workgroupBarrier();
        var kt_1_1_0: f32; var kt_1_1_1: f32; var kt_1_1_2: f32; var kt_1_1_3: f32;
        kt_1_1_0 = tw_bf16_to_f32(kt_0); kt_1_1_1 = tw_bf16_to_f32(kt_1);
        kt_1_1_2 = tw_bf16_to_f32(kt_2); kt_1_1_3 = tw_bf16_to_f32(kt_3);
        shared_kt_shared_vt_shared[kt_shared_at >> 2u] = vec4<f32>(kt_1_1_0, kt_1_1_1, kt_1_1_2, kt_1_1_3);
        var kt_2_1_0: f32; var kt_2_1_1: f32; var kt_2_1_2: f32; var kt_2_1_3: f32;
        kt_2_1_0 = tw_bf16_to_f32(kt_4); kt_2_1_1 = tw_bf16_to_f32(kt_5);
        kt_2_1_2 = tw_bf16_to_f32(kt_6); kt_2_1_3 = tw_bf16_to_f32(kt_7);
        shared_kt_shared_vt_shared[(kt_shared_at + 4) >> 2u] = vec4<f32>(kt_2_1_0, kt_2_1_1, kt_2_1_2, kt_2_1_3);
        var kt_3_1_0: f32; var kt_3_1_1: f32; var kt_3_1_2: f32; var kt_3_1_3: f32;
        kt_3_1_0 = tw_bf16_to_f32(kt_8); kt_3_1_1 = tw_bf16_to_f32(kt_9);
        kt_3_1_2 = tw_bf16_to_f32(kt_10); kt_3_1_3 = tw_bf16_to_f32(kt_11);
        shared_kt_shared_vt_shared[(kt_shared_at + 544) >> 2u] = vec4<f32>(kt_3_1_0, kt_3_1_1, kt_3_1_2, kt_3_1_3);
        var kt_4_1_0: f32; var kt_4_1_1: f32; var kt_4_1_2: f32; var kt_4_1_3: f32;
        kt_4_1_0 = tw_bf16_to_f32(kt_12); kt_4_1_1 = tw_bf16_to_f32(kt_13);
        kt_4_1_2 = tw_bf16_to_f32(kt_14); kt_4_1_3 = tw_bf16_to_f32(kt_15);
        shared_kt_shared_vt_shared[(kt_shared_at + 548) >> 2u] = vec4<f32>(kt_4_1_0, kt_4_1_1, kt_4_1_2, kt_4_1_3);
        workgroupBarrier();
        var scores_0: f32; var scores_1: f32; var scores_2: f32; var scores_3: f32;
        scores_0 = 0.0f; scores_1 = 0.0f; scores_2 = 0.0f; scores_3 = 0.0f;
        for (var r: i32 = 0; r < 16; r++) {
          var qt_shared_1_0: f32; var qt_shared_1_1: f32; var qt_shared_1_2: f32;
          var qt_shared_1_3: f32; var qt_shared_1_4: f32; var qt_shared_1_5: f32;
          var qt_shared_1_6: f32; var qt_shared_1_7: f32;
          var kt_shared_1_0: f32; var kt_shared_1_1: f32; var kt_shared_1_2: f32;
          var kt_shared_1_3: f32; var kt_shared_1_4: f32; var kt_shared_1_5: f32;
          var kt_shared_1_6: f32; var kt_shared_1_7: f32;
          let qt_shared_1_word = qt_shared[(qt_shared_at_1 + r * 4) >> 2u];
          qt_shared_1_0 = qt_shared_1_word.x; qt_shared_1_1 = qt_shared_1_word.y;
          qt_shared_1_2 = qt_shared_1_word.z; qt_shared_1_3 = qt_shared_1_word.w;
          let qt_shared_1_word_1 = qt_shared[(qt_shared_at_1 + 512 + r * 4) >> 2u];
          qt_shared_1_4 = qt_shared_1_word_1.x; qt_shared_1_5 = qt_shared_1_word_1.y;
          qt_shared_1_6 = qt_shared_1_word_1.z; qt_shared_1_7 = qt_shared_1_word_1.w;
          let kt_shared_1_word = shared_kt_shared_vt_shared[(kt_shared_at_1 + r * 4) >> 2u];
          kt_shared_1_0 = kt_shared_1_word.x; kt_shared_1_1 = kt_shared_1_word.y;
          kt_shared_1_2 = kt_shared_1_word.z; kt_shared_1_3 = kt_shared_1_word.w;
          let kt_shared_1_word_1 = shared_kt_shared_vt_shared[(kt_shared_at_1 + 68 + r * 4) >> 2u];
          kt_shared_1_4 = kt_shared_1_word_1.x; kt_shared_1_5 = kt_shared_1_word_1.y;
          kt_shared_1_6 = kt_shared_1_word_1.z; kt_shared_1_7 = kt_shared_1_word_1.w;
          scores_0 = fma(qt_shared_1_0, kt_shared_1_0, scores_0);
          scores_1 = fma(qt_shared_1_0, kt_shared_1_4, scores_1);
          scores_2 = fma(qt_shared_1_4, kt_shared_1_0, scores_2);
          scores_3 = fma(qt_shared_1_4, kt_shared_1_4, scores_3);
          scores_0 = fma(qt_shared_1_1, kt_shared_1_1, scores_0);
          scores_1 = fma(qt_shared_1_1, kt_shared_1_5, scores_1);
          scores_2 = fma(qt_shared_1_5, kt_shared_1_1, scores_2);
          scores_3 = fma(qt_shared_1_5, kt_shared_1_5, scores_3);
          scores_0 = fma(qt_shared_1_2, kt_shared_1_2, scores_0);
          scores_1 = fma(qt_shared_1_2, kt_shared_1_6, scores_1);
          scores_2 = fma(qt_shared_1_6, kt_shared_1_2, scores_2);
          scores_3 = fma(qt_shared_1_6, kt_shared_1_6, scores_3);
          scores_0 = fma(qt_shared_1_3, kt_shared_1_3, scores_0);
          scores_1 = fma(qt_shared_1_3, kt_shared_1_7, scores_1);
          scores_2 = fma(qt_shared_1_7, kt_shared_1_3, scores_2);
          scores_3 = fma(qt_shared_1_7, kt_shared_1_7, scores_3);
        }
        var kpos_4_0: i32; var kpos_4_1: i32;
        kpos_4_0 = n + t_BN; kpos_4_1 = n + t_BN + 1;
        var masked_0: f32; var masked_1: f32; var masked_2: f32; var masked_3: f32;
        var most_0: f32; var most_1: f32;
        masked_0 = select(
            tw_bits_f32(0xff800000u), scores_0 * factor, (kpos_4_0 <= qpos_0) & (kpos_4_0 > t_7_0));
        masked_1 = select(
            tw_bits_f32(0xff800000u), scores_1 * factor, (kpos_4_1 <= qpos_0) & (kpos_4_1 > t_7_0));
        most_0 = tw_bits_f32(0xff800000u); most_0 = tw_max(most_0, masked_0);
        most_0 = tw_max(most_0, masked_1);
        t110_parts[part_at] = most_0;
        masked_2 = select(
            tw_bits_f32(0xff800000u), scores_2 * factor, (kpos_4_0 <= qpos_1) & (kpos_4_0 > t_7_1));
        masked_3 = select(
            tw_bits_f32(0xff800000u), scores_3 * factor, (kpos_4_1 <= qpos_1) & (kpos_4_1 > t_7_1));
        most_1 = tw_bits_f32(0xff800000u); most_1 = tw_max(most_1, masked_2);
        most_1 = tw_max(most_1, masked_3);
        t110_parts[part_at + 8] = most_1;
        workgroupBarrier();
        most_0 = t110_parts[t_BM];
        var other_7: f32;
        other_7 = t110_parts[t_BM + 16];
        most_0 = tw_max(most_0, other_7);
        var other_8: f32;
        other_8 = t110_parts[t_BM + 32];
        most_0 = tw_max(most_0, other_8);
        var other_9: f32;
        other_9 = t110_parts[t_BM + 48];
        most_0 = tw_max(most_0, other_9);
        var other_10: f32;
        other_10 = t110_parts[t_BM + 64];
        most_0 = tw_max(most_0, other_10);
        var other_11: f32;
        other_11 = t110_parts[t_BM + 80];
        most_0 = tw_max(most_0, other_11);
        var other_12: f32;
        other_12 = t110_parts[t_BM + 96];
        most_0 = tw_max(most_0, other_12);
        var other_13: f32;
        other_13 = t110_parts[t_BM + 112];
        most_0 = tw_max(most_0, other_13);
        most_1 = t110_parts[t_BM + 8];
        var other_14: f32;
        other_14 = t110_parts[t_BM + 24];
        most_1 = tw_max(most_1, other_14);
        var other_15: f32;
        other_15 = t110_parts[t_BM + 40];
        most_1 = tw_max(most_1, other_15);
        var other_16: f32;
        other_16 = t110_parts[t_BM + 56];
        most_1 = tw_max(most_1, other_16);
        var other_17: f32;
        other_17 = t110_parts[t_BM + 72];
        most_1 = tw_max(most_1, other_17);
        var other_18: f32;
        other_18 = t110_parts[t_BM + 88];
        most_1 = tw_max(most_1, other_18);
        var other_19: f32;
        other_19 = t110_parts[t_BM + 104];
        most_1 = tw_max(most_1, other_19);
        var other_20: f32;
        other_20 = t110_parts[t_BM + 120];
        most_1 = tw_max(most_1, other_20);
        if (is_first) {
          t110_convert[t_BM] = most_0;
          t110_convert[t_BM + 8] = most_1;
        }
        workgroupBarrier();
        var t_10_0: f32; var t_10_1: f32; var t_10_2: f32; var t_10_3: f32;
        t_10_0 = t110_convert[t110_convert_at];
        t_10_1 = t110_convert[t110_convert_at + 4];
        t_10_2 = t110_convert[t110_convert_at + 8];
        t_10_3 = t110_convert[t110_convert_at + 12];
        var mNew_0: f32; var mNew_1: f32; var mNew_2: f32; var mNew_3: f32;
        mNew_0 = tw_max(m_0, t_10_0); mNew_1 = tw_max(m_1, t_10_1); mNew_2 = tw_max(m_2, t_10_2);
        mNew_3 = tw_max(m_3, t_10_3);
        if (is_first_1) {
          mNew_convert[t110_convert_at] = mNew_0;
          mNew_convert[t110_convert_at + 4] = mNew_1;
          mNew_convert[t110_convert_at + 8] = mNew_2;
          mNew_convert[t110_convert_at + 12] = mNew_3;
        }
        workgroupBarrier();
        var mNew_1_1_0: f32; var mNew_1_1_1: f32;
        mNew_1_1_0 = mNew_convert[t_BM];
        mNew_1_1_1 = mNew_convert[t_BM + 8];
        var p_0: f32; var p_1: f32; var p_2: f32; var p_3: f32;
        p_0 = tw_exp2(masked_0 - mNew_1_1_0); p_1 = tw_exp2(masked_1 - mNew_1_1_0);
        p_2 = tw_exp2(masked_2 - mNew_1_1_1); p_3 = tw_exp2(masked_3 - mNew_1_1_1);
        var alpha_0: f32; var alpha_1: f32; var alpha_2: f32; var alpha_3: f32;
        alpha_0 = tw_exp2(m_0 - mNew_0); alpha_1 = tw_exp2(m_1 - mNew_1);
        alpha_2 = tw_exp2(m_2 - mNew_2); alpha_3 = tw_exp2(m_3 - mNew_3);
        var sum_1_0: f32; var sum_1_1: f32;
        sum_1_0 = 0.0f; sum_1_0 = sum_1_0 + p_0; sum_1_0 = sum_1_0 + p_1;
        t118_parts[part_at] = sum_1_0;
        sum_1_1 = 0.0f; sum_1_1 = sum_1_1 + p_2; sum_1_1 = sum_1_1 + p_3;
        t118_parts[part_at + 8] = sum_1_1;
        workgroupBarrier();
        sum_1_0 = t118_parts[t_BM];
        var other_21: f32;
        other_21 = t118_parts[t_BM + 16];
        sum_1_0 = sum_1_0 + other_21;
        var other_22: f32;
        other_22 = t118_parts[t_BM + 32];
        sum_1_0 = sum_1_0 + other_22;
        var other_23: f32;
        other_23 = t118_parts[t_BM + 48];
        sum_1_0 = sum_1_0 + other_23;
        var other_24: f32;
        other_24 = t118_parts[t_BM + 64];
        sum_1_0 = sum_1_0 + other_24;
        var other_25: f32;
        other_25 = t118_parts[t_BM + 80];
        sum_1_0 = sum_1_0 + other_25;
        var other_26: f32;
        other_26 = t118_parts[t_BM + 96];
        sum_1_0 = sum_1_0 + other_26;
        var other_27: f32;
        other_27 = t118_parts[t_BM + 112];
        sum_1_0 = sum_1_0 + other_27;
        sum_1_1 = t118_parts[t_BM + 8];
        var other_28: f32;
        other_28 = t118_parts[t_BM + 24];
        sum_1_1 = sum_1_1 + other_28;
        var other_29: f32;
        other_29 = t118_parts[t_BM + 40];
        sum_1_1 = sum_1_1 + other_29;
        var other_30: f32;
        other_30 = t118_parts[t_BM + 56];
        sum_1_1 = sum_1_1 + other_30;
        var other_31: f32;
        other_31 = t118_parts[t_BM + 72];
        sum_1_1 = sum_1_1 + other_31;
        var other_32: f32;
        other_32 = t118_parts[t_BM + 88];
        sum_1_1 = sum_1_1 + other_32;
        var other_33: f32;
        other_33 = t118_parts[t_BM + 104];
        sum_1_1 = sum_1_1 + other_33;
        var other_34: f32;
        other_34 = t118_parts[t_BM + 120];
        sum_1_1 = sum_1_1 + other_34;
        if (is_first) {
          t118_convert[t_BM] = sum_1_0;
          t118_convert[t_BM + 8] = sum_1_1;
        }
        workgroupBarrier();
        var t_11_0: f32; var t_11_1: f32; var t_11_2: f32; var t_11_3: f32;
        t_11_0 = t118_convert[t110_convert_at];
        t_11_1 = t118_convert[t110_convert_at + 4];
        t_11_2 = t118_convert[t110_convert_at + 8];
        t_11_3 = t118_convert[t110_convert_at + 12];
        var vt_0: u32; var vt_1: u32; var vt_2: u32; var vt_3: u32; var vt_4: u32; var vt_5: u32;
        var vt_6: u32; var vt_7: u32; var vt_8: u32; var vt_9: u32; var vt_10: u32; var vt_11: u32;
        var vt_12: u32; var vt_13: u32; var vt_14: u32; var vt_15: u32;
        let vt_in = kCache_in & (u32(pages_0) < u32(launch.NB));
        let vt_word = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_0 * stride_1 + slot_0 * stride_2) >> 3u, vt_in)], vt_in);
        vt_0 = vt_word.x & 0xffffu; vt_1 = vt_word.x >> 16u; vt_2 = vt_word.y & 0xffffu;
        vt_3 = vt_word.y >> 16u; vt_4 = vt_word.z & 0xffffu; vt_5 = vt_word.z >> 16u;
        vt_6 = vt_word.w & 0xffffu; vt_7 = vt_word.w >> 16u;
        let vt_in_1 = kCache_in & (u32(pages_1) < u32(launch.NB));
        let vt_word_1 = select(vec4<u32>(0u), vCache[select(
            0, (kCache_at + pages_1 * stride_1 + slot_1 * stride_2) >> 3u, vt_in_1)], vt_in_1);
        vt_8 = vt_word_1.x & 0xffffu; vt_9 = vt_word_1.x >> 16u; vt_10 = vt_word_1.y & 0xffffu;
        vt_11 = vt_word_1.y >> 16u; vt_12 = vt_word_1.z & 0xffffu; vt_13 = vt_word_1.z >> 16u;
        vt_14 = vt_word_1.w & 0xffffu; vt_15 = vt_word_1.w >> 16u;
        var t138_shared_tile_0: f32; var t138_shared_tile_1: f32;
        t138_shared_tile_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_0));
        t138_shared_tile_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_1));
        t138_shared[t138_shared_at >> 1u] = vec2<f32>(t138_shared_tile_0, t138_shared_tile_1);
        var t138_shared_tile_1_1_0: f32; var t138_shared_tile_1_1_1: f32;
        t138_shared_tile_1_1_0 = tw_bf16_to_f32(tw_f32_to_bf16(p_2));
        t138_shared_tile_1_1_1 = tw_bf16_to_f32(tw_f32_to_bf16(p_3));
        t138_shared[(t138_shared_at + 128) >> 1u] = vec2<f32>(
            t138_shared_tile_1_1_0, t138_shared_tile_1_1_1);
        var vt_1_1_0: f32; var vt_1_1_1: f32; var vt_1_1_2: f32; var vt_1_1_3: f32;
        vt_1_1_0 = tw_bf16_to_f32(vt_0); vt_1_1_1 = tw_bf16_to_f32(vt_1);
        vt_1_1_2 = tw_bf16_to_f32(vt_2); vt_1_1_3 = tw_bf16_to_f32(vt_3);
        shared_kt_shared_vt_shared[qt_shared_at >> 2u] = vec4<f32>(vt_1_1_0, vt_1_1_1, vt_1_1_2, vt_1_1_3);
        var vt_2_1_0: f32; var vt_2_1_1: f32; var vt_2_1_2: f32; var vt_2_1_3: f32;
        vt_2_1_0 = tw_bf16_to_f32(vt_4); vt_2_1_1 = tw_bf16_to_f32(vt_5);
        vt_2_1_2 = tw_bf16_to_f32(vt_6); vt_2_1_3 = tw_bf16_to_f32(vt_7);
        shared_kt_shared_vt_shared[(qt_shared_at + 4) >> 2u] = vec4<f32>(vt_2_1_0, vt_2_1_1, vt_2_1_2, vt_2_1_3);
        var vt_3_1_0: f32; var vt_3_1_1: f32; var vt_3_1_2: f32; var vt_3_1_3: f32;
        vt_3_1_0 = tw_bf16_to_f32(vt_8); vt_3_1_1 = tw_bf16_to_f32(vt_9);
        vt_3_1_2 = tw_bf16_to_f32(vt_10); vt_3_1_3 = tw_bf16_to_f32(vt_11);
        shared_kt_shared_vt_shared[(qt_shared_at + 512) >> 2u] = vec4<f32>(vt_3_1_0, vt_3_1_1, vt_3_1_2, vt_3_1_3);
        var vt_4_1_0: f32; var vt_4_1_1: f32; var vt_4_1_2: f32; var vt_4_1_3: f32;
        vt_4_1_0 = tw_bf16_to_f32(vt_12); vt_4_1_1 = tw_bf16_to_f32(vt_13);
        vt_4_1_2 = tw_bf16_to_f32(vt_14); vt_4_1_3 = tw_bf16_to_f32(vt_15);
        shared_kt_shared_vt_shared[(qt_shared_at + 516) >> 2u] = vec4<f32>(vt_4_1_0, vt_4_1_1, vt_4_1_2, vt_4_1_3);
        workgroupBarrier();
        acc_0 = acc_0 * alpha_0; acc_1 = acc_1 * alpha_0; acc_2 = acc_2 * alpha_0;
        acc_3 = acc_3 * alpha_0; acc_4 = acc_4 * alpha_1; acc_5 = acc_5 * alpha_1;
        acc_6 = acc_6 * alpha_1; acc_7 = acc_7 * alpha_1; acc_8 = acc_8 * alpha_2;
        acc_9 = acc_9 * alpha_2; acc_10 = acc_10 * alpha_2; acc_11 = acc_11 * alpha_2;
        acc_12 = acc_12 * alpha_3; acc_13 = acc_13 * alpha_3; acc_14 = acc_14 * alpha_3;
        acc_15 = acc_15 * alpha_3;
        for (var r: i32 = 0; r < 4; r++) {
          var t138_shared_1_0: f32; var t138_shared_1_1: f32; var t138_shared_1_2: f32;
          var t138_shared_1_3: f32; var t138_shared_1_4: f32; var t138_shared_1_5: f32;
          var t138_shared_1_6: f32; var t138_shared_1_7: f32; var t138_shared_1_8: f32;
          var t138_shared_1_9: f32; var t138_shared_1_10: f32; var t138_shared_1_11: f32;
          var t138_shared_1_12: f32; var t138_shared_1_13: f32; var t138_shared_1_14: f32;
          var t138_shared_1_15: f32;
          var vt_shared_1_0: f32; var vt_shared_1_1: f32; var vt_shared_1_2: f32;
          var vt_shared_1_3: f32; var vt_shared_1_4: f32; var vt_shared_1_5: f32;
          var vt_shared_1_6: f32; var vt_shared_1_7: f32; var vt_shared_1_8: f32;
          var vt_shared_1_9: f32; var vt_shared_1_10: f32; var vt_shared_1_11: f32;
          var vt_shared_1_12: f32; var vt_shared_1_13: f32; var vt_shared_1_14: f32;
          var vt_shared_1_15: f32;
          let t138_shared_1_at = t138_shared_at_1 + r * 4;
          let t138_shared_1_word = t138_shared[t138_shared_1_at >> 1u];
          t138_shared_1_0 = t138_shared_1_word.x; t138_shared_1_1 = t138_shared_1_word.y;
          let t138_shared_1_word_1 = t138_shared[(t138_shared_1_at >> 1u) + 1];
          t138_shared_1_2 = t138_shared_1_word_1.x; t138_shared_1_3 = t138_shared_1_word_1.y;
          let t138_shared_1_at_1 = t138_shared_at_1 + 64 + r * 4;
          let t138_shared_1_word_2 = t138_shared[t138_shared_1_at_1 >> 1u];
          t138_shared_1_4 = t138_shared_1_word_2.x; t138_shared_1_5 = t138_shared_1_word_2.y;
          let t138_shared_1_word_3 = t138_shared[(t138_shared_1_at_1 >> 1u) + 1];
          t138_shared_1_6 = t138_shared_1_word_3.x; t138_shared_1_7 = t138_shared_1_word_3.y;
          let t138_shared_1_at_2 = t138_shared_at_1 + 128 + r * 4;
          let t138_shared_1_word_4 = t138_shared[t138_shared_1_at_2 >> 1u];
          t138_shared_1_8 = t138_shared_1_word_4.x; t138_shared_1_9 = t138_shared_1_word_4.y;
          let t138_shared_1_word_5 = t138_shared[(t138_shared_1_at_2 >> 1u) + 1];
          t138_shared_1_10 = t138_shared_1_word_5.x; t138_shared_1_11 = t138_shared_1_word_5.y;
          let t138_shared_1_at_3 = t138_shared_at_1 + 192 + r * 4;
          let t138_shared_1_word_6 = t138_shared[t138_shared_1_at_3 >> 1u];
          t138_shared_1_12 = t138_shared_1_word_6.x; t138_shared_1_13 = t138_shared_1_word_6.y;
          let t138_shared_1_word_7 = t138_shared[(t138_shared_1_at_3 >> 1u) + 1];
          t138_shared_1_14 = t138_shared_1_word_7.x; t138_shared_1_15 = t138_shared_1_word_7.y;
          let vt_shared_1_word = shared_kt_shared_vt_shared[(vt_shared_at + r * 256) >> 2u];
          vt_shared_1_0 = vt_shared_1_word.x; vt_shared_1_1 = vt_shared_1_word.y;
          vt_shared_1_2 = vt_shared_1_word.z; vt_shared_1_3 = vt_shared_1_word.w;
          let vt_shared_1_word_1 = shared_kt_shared_vt_shared[(vt_shared_at + r * 256 + 64) >> 2u];
          vt_shared_1_4 = vt_shared_1_word_1.x; vt_shared_1_5 = vt_shared_1_word_1.y;
          vt_shared_1_6 = vt_shared_1_word_1.z; vt_shared_1_7 = vt_shared_1_word_1.w;
          let vt_shared_1_word_2 = shared_kt_shared_vt_shared[(vt_shared_at + r * 256 + 128) >> 2u];
          vt_shared_1_8 = vt_shared_1_word_2.x; vt_shared_1_9 = vt_shared_1_word_2.y;
          vt_shared_1_10 = vt_shared_1_word_2.z; vt_shared_1_11 = vt_shared_1_word_2.w;
          let vt_shared_1_word_3 = shared_kt_shared_vt_shared[(vt_shared_at + r * 256 + 192) >> 2u];
          vt_shared_1_12 = vt_shared_1_word_3.x; vt_shared_1_13 = vt_shared_1_word_3.y;
          vt_shared_1_14 = vt_shared_1_word_3.z; vt_shared_1_15 = vt_shared_1_word_3.w;
          acc_0 = fma(t138_shared_1_0, vt_shared_1_0, acc_0);
          acc_1 = fma(t138_shared_1_0, vt_shared_1_1, acc_1);
          acc_2 = fma(t138_shared_1_0, vt_shared_1_2, acc_2);
          acc_3 = fma(t138_shared_1_0, vt_shared_1_3, acc_3);
          acc_4 = fma(t138_shared_1_4, vt_shared_1_0, acc_4);
          acc_5 = fma(t138_shared_1_4, vt_shared_1_1, acc_5);
          acc_6 = fma(t138_shared_1_4, vt_shared_1_2, acc_6);
          acc_7 = fma(t138_shared_1_4, vt_shared_1_3, acc_7);
          acc_8 = fma(t138_shared_1_8, vt_shared_1_0, acc_8);
          acc_9 = fma(t138_shared_1_8, vt_shared_1_1, acc_9);
          acc_10 = fma(t138_shared_1_8, vt_shared_1_2, acc_10);
          acc_11 = fma(t138_shared_1_8, vt_shared_1_3, acc_11);
          acc_12 = fma(t138_shared_1_12, vt_shared_1_0, acc_12);
          acc_13 = fma(t138_shared_1_12, vt_shared_1_1, acc_13);
          acc_14 = fma(t138_shared_1_12, vt_shared_1_2, acc_14);
          acc_15 = fma(t138_shared_1_12, vt_shared_1_3, acc_15);
          acc_0 = fma(t138_shared_1_1, vt_shared_1_4, acc_0);
          acc_1 = fma(t138_shared_1_1, vt_shared_1_5, acc_1);
          acc_2 = fma(t138_shared_1_1, vt_shared_1_6, acc_2);
          acc_3 = fma(t138_shared_1_1, vt_shared_1_7, acc_3);
          acc_4 = fma(t138_shared_1_5, vt_shared_1_4, acc_4);
          acc_5 = fma(t138_shared_1_5, vt_shared_1_5, acc_5);
          acc_6 = fma(t138_shared_1_5, vt_shared_1_6, acc_6);
          acc_7 = fma(t138_shared_1_5, vt_shared_1_7, acc_7);
          acc_8 = fma(t138_shared_1_9, vt_shared_1_4, acc_8);
          acc_9 = fma(t138_shared_1_9, vt_shared_1_5, acc_9);
          acc_10 = fma(t138_shared_1_9, vt_shared_1_6, acc_10);
          acc_11 = fma(t138_shared_1_9, vt_shared_1_7, acc_11);
          acc_12 = fma(t138_shared_1_13, vt_shared_1_4, acc_12);
          acc_13 = fma(t138_shared_1_13, vt_shared_1_5, acc_13);
          acc_14 = fma(t138_shared_1_13, vt_shared_1_6, acc_14);
          acc_15 = fma(t138_shared_1_13, vt_shared_1_7, acc_15);
          acc_0 = fma(t138_shared_1_2, vt_shared_1_8, acc_0);
          acc_1 = fma(t138_shared_1_2, vt_shared_1_9, acc_1);
          acc_2 = fma(t138_shared_1_2, vt_shared_1_10, acc_2);
          acc_3 = fma(t138_shared_1_2, vt_shared_1_11, acc_3);
          acc_4 = fma(t138_shared_1_6, vt_shared_1_8, acc_4);
          acc_5 = fma(t138_shared_1_6, vt_shared_1_9, acc_5);
          acc_6 = fma(t138_shared_1_6, vt_shared_1_10, acc_6);
          acc_7 = fma(t138_shared_1_6, vt_shared_1_11, acc_7);
          acc_8 = fma(t138_shared_1_10, vt_shared_1_8, acc_8);
          acc_9 = fma(t138_shared_1_10, vt_shared_1_9, acc_9);
          acc_10 = fma(t138_shared_1_10, vt_shared_1_10, acc_10);
          acc_11 = fma(t138_shared_1_10, vt_shared_1_11, acc_11);
          acc_12 = fma(t138_shared_1_14, vt_shared_1_8, acc_12);
          acc_13 = fma(t138_shared_1_14, vt_shared_1_9, acc_13);
          acc_14 = fma(t138_shared_1_14, vt_shared_1_10, acc_14);
          acc_15 = fma(t138_shared_1_14, vt_shared_1_11, acc_15);
          acc_0 = fma(t138_shared_1_3, vt_shared_1_12, acc_0);
          acc_1 = fma(t138_shared_1_3, vt_shared_1_13, acc_1);
          acc_2 = fma(t138_shared_1_3, vt_shared_1_14, acc_2);
          acc_3 = fma(t138_shared_1_3, vt_shared_1_15, acc_3);
          acc_4 = fma(t138_shared_1_7, vt_shared_1_12, acc_4);
          acc_5 = fma(t138_shared_1_7, vt_shared_1_13, acc_5);
          acc_6 = fma(t138_shared_1_7, vt_shared_1_14, acc_6);
          acc_7 = fma(t138_shared_1_7, vt_shared_1_15, acc_7);
          acc_8 = fma(t138_shared_1_11, vt_shared_1_12, acc_8);
          acc_9 = fma(t138_shared_1_11, vt_shared_1_13, acc_9);
          acc_10 = fma(t138_shared_1_11, vt_shared_1_14, acc_10);
          acc_11 = fma(t138_shared_1_11, vt_shared_1_15, acc_11);
          acc_12 = fma(t138_shared_1_15, vt_shared_1_12, acc_12);
          acc_13 = fma(t138_shared_1_15, vt_shared_1_13, acc_13);
          acc_14 = fma(t138_shared_1_15, vt_shared_1_14, acc_14);
          acc_15 = fma(t138_shared_1_15, vt_shared_1_15, acc_15);
        }
        l_0 = l_0 * alpha_0 + t_11_0; m_0 = mNew_0; l_1 = l_1 * alpha_1 + t_11_1; m_1 = mNew_1;
        l_2 = l_2 * alpha_2 + t_11_2; m_2 = mNew_2; l_3 = l_3 * alpha_3 + t_11_3; m_3 = mNew_3;
        pages_0 = pages_2_0; pages_1 = pages_2_1;
      }
      var t_12_0: f32; var t_12_1: f32; var t_12_2: f32; var t_12_3: f32;
      t_12_0 = 1.0f / tw_max(l_0, 1e-30f); t_12_1 = 1.0f / tw_max(l_1, 1e-30f);
      t_12_2 = 1.0f / tw_max(l_2, 1e-30f); t_12_3 = 1.0f / tw_max(l_3, 1e-30f);
      let t_D_1: i32 = (thread >> 5u) * 32 + (thread & 7) * 4;
      let o_at: i32 = t110_convert_at * stride + t_D_1;
      let o_at_1: i32 = pid0 * 64 + t_5 * stride + o_at;
      let position_1: i32 = t_5 + t110_convert_at;
      var o_tile_0: u32; var o_tile_1: u32; var o_tile_2: u32; var o_tile_3: u32;
      o_tile_0 = tw_f32_to_bf16(acc_0 * t_12_0); o_tile_1 = tw_f32_to_bf16(acc_1 * t_12_0);
      o_tile_2 = tw_f32_to_bf16(acc_2 * t_12_0); o_tile_3 = tw_f32_to_bf16(acc_3 * t_12_0);
      if (q_in & (u32(position_1) < u32(bound_2))) {
        o[o_at_1 >> 2u] = vec2<u32>(o_tile_0 | (o_tile_1 << 16u), o_tile_2 | (o_tile_3 << 16u));
      }
      var o_tile_1_1_0: u32; var o_tile_1_1_1: u32; var o_tile_1_1_2: u32; var o_tile_1_1_3: u32;
      o_tile_1_1_0 = tw_f32_to_bf16(acc_4 * t_12_1); o_tile_1_1_1 = tw_f32_to_bf16(acc_5 * t_12_1);
      o_tile_1_1_2 = tw_f32_to_bf16(acc_6 * t_12_1); o_tile_1_1_3 = tw_f32_to_bf16(acc_7 * t_12_1);
      if (q_in & (u32(position_1 + 4) < u32(bound_2))) {
        o[(o_at_1 + stride * 4) >> 2u] = vec2<u32>(
            o_tile_1_1_0 | (o_tile_1_1_1 << 16u), o_tile_1_1_2 | (o_tile_1_1_3 << 16u));
      }
      var o_tile_2_1_0: u32; var o_tile_2_1_1: u32; var o_tile_2_1_2: u32; var o_tile_2_1_3: u32;
      o_tile_2_1_0 = tw_f32_to_bf16(acc_8 * t_12_2); o_tile_2_1_1 = tw_f32_to_bf16(acc_9 * t_12_2);
      o_tile_2_1_2 = tw_f32_to_bf16(acc_10 * t_12_2);
      o_tile_2_1_3 = tw_f32_to_bf16(acc_11 * t_12_2);
      if (q_in & (u32(position_1 + 8) < u32(bound_2))) {
        o[(o_at_1 + stride * 8) >> 2u] = vec2<u32>(
            o_tile_2_1_0 | (o_tile_2_1_1 << 16u), o_tile_2_1_2 | (o_tile_2_1_3 << 16u));
      }
      var o_tile_3_1_0: u32; var o_tile_3_1_1: u32; var o_tile_3_1_2: u32; var o_tile_3_1_3: u32;
      o_tile_3_1_0 = tw_f32_to_bf16(acc_12 * t_12_3);
      o_tile_3_1_1 = tw_f32_to_bf16(acc_13 * t_12_3);
      o_tile_3_1_2 = tw_f32_to_bf16(acc_14 * t_12_3);
      o_tile_3_1_3 = tw_f32_to_bf16(acc_15 * t_12_3);
      if (q_in & (u32(position_1 + 12) < u32(bound_2))) {
        o[(o_at_1 + stride * 12) >> 2u] = vec2<u32>(
            o_tile_3_1_0 | (o_tile_3_1_1 << 16u), o_tile_3_1_2 | (o_tile_3_1_3 << 16u));
      }
    }
  }
}
