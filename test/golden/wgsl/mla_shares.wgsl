// mla_shares for wgsl, made by tilewright
// config: BN=64 BS=256 LEAST=1 warps=4
// dims divisible: W%2
// 128 threads, 4608 bytes of shared memory
//       0 … 512: t17_parts i32[128]
//     512 … 1024: t66_parts i32[128]
//    1024 … 1536: t80_parts i32[128]
//    1536 … 2048: t84_parts i32[128]
//    2048 … 2560: t86_parts i32[128]
//    2560 … 3072: t103_parts i32[128]
//    3072 … 3584: t117_parts i32[128]
//    3584 … 4096: t121_parts i32[128]
//    4096 … 4608: t123_parts i32[128]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  W: i32,
}
@group(0) @binding(0) var<storage, read> lens: array<i32>;
@group(0) @binding(1) var<storage, read_write> line: array<i32>;
@group(0) @binding(2) var<uniform> launch: TwLaunch;
var<workgroup> t17_parts: array<i32, 128>;
var<workgroup> t66_parts: array<i32, 128>;
var<workgroup> t80_parts: array<i32, 128>;
var<workgroup> t84_parts: array<i32, 128>;
var<workgroup> t86_parts: array<i32, 128>;
var<workgroup> t103_parts: array<i32, 128>;
var<workgroup> t117_parts: array<i32, 128>;
var<workgroup> t121_parts: array<i32, 128>;
var<workgroup> t123_parts: array<i32, 128>;

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

// By a divisor above 0.
fn tw_floordiv_positive(a: i32, b: i32) -> i32 {
  let quotient = a / b;
  return quotient - select(0, 1, a - quotient * b < 0);
}

@compute @workgroup_size(128)
fn mla_shares(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let programs: i32 = tw_floordiv_positive(launch.W - launch.S, 5);
  var length: i32 = 0;
  let t_BS: i32 = thread * 2;
  for (var i: i32 = 0; i < launch.S; i += 256) {
    let lens_at: i32 = t_BS + i;
    var lens_tile_0: i32; var lens_tile_1: i32;
    let left: i32 = launch.S - i;
    let lens_tile_in = t_BS < left;
    lens_tile_0 = select(0, lens[select(0, lens_at, lens_tile_in)], lens_tile_in);
    let lens_tile_in_1 = t_BS + 1 < left;
    lens_tile_1 = select(0, lens[select(0, lens_at + 1, lens_tile_in_1)], lens_tile_in_1);
    workgroupBarrier();
    var sum: i32 = 0;
    sum = sum + ((lens_tile_0 + 63) >> 6u);
    sum = sum + ((lens_tile_1 + 63) >> 6u);
    t17_parts[thread] = sum;
    workgroupBarrier();
    if (thread < 8) {
      sum = t17_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other: i32;
        other = t17_parts[thread + r * 8];
        sum = sum + other;
      }
      t17_parts[thread] = sum;
    }
    workgroupBarrier();
    var parts_0: i32; var parts_1: i32; var parts_2: i32; var parts_3: i32; var parts_4: i32;
    var parts_5: i32; var parts_6: i32; var parts_7: i32;
    parts_0 = t17_parts[0];
    parts_1 = t17_parts[1];
    parts_2 = t17_parts[2];
    parts_3 = t17_parts[3];
    parts_4 = t17_parts[4];
    parts_5 = t17_parts[5];
    parts_6 = t17_parts[6];
    parts_7 = t17_parts[7];
    sum = parts_0;
    sum = sum + parts_1;
    sum = sum + parts_2;
    sum = sum + parts_3;
    sum = sum + parts_4;
    sum = sum + parts_5;
    sum = sum + parts_6;
    sum = sum + parts_7;
    length = length + sum;
  }
  let t: bool = select(1, tw_floormod_i32(programs, max(launch.S, 1)), launch.S > 1) == 0;
  let isSpread: bool = (t & (programs <= 2047)) & (length <= 1048576);
  let shares: i32 = max(min(programs, length), 1);
  let each: i32 = tw_floordiv_i32(length, shares);
  let t_1: i32 = length - each * shares;
  let lo: i32 = select(
      pid0 * each + min(pid0, t_1), tw_floordiv_i32(pid0 * length, shares), isSpread);
  let t_2: bool = pid0 < shares;
  var hi: i32;
  if (t_2) {
    let t_3: i32 = pid0 + 1;
    let t_4: i32 = select(
        t_3 * each + min(t_3, t_1), tw_floordiv_i32(t_3 * length, shares), isSpread);
    hi = t_4;
  } else {
    hi = lo;
  }
  var sequence: i32 = 0;
  var begin: i32 = 0;
  var passed: i32 = 0;
  for (var i_1: i32 = 0; i_1 < launch.S; i_1 += 256) {
    let lens_at_1: i32 = t_BS + i_1;
    var lens_tile_1_0: i32; var lens_tile_1_1: i32;
    let left_1: i32 = launch.S - i_1;
    let lens_tile_1_in = t_BS < left_1;
    lens_tile_1_0 = select(0, lens[select(0, lens_at_1, lens_tile_1_in)], lens_tile_1_in);
    let lens_tile_1_in_1 = t_BS + 1 < left_1;
    lens_tile_1_1 = select(0, lens[select(0, lens_at_1 + 1, lens_tile_1_in_1)], lens_tile_1_in_1);
    var t_5_0: i32; var t_5_1: i32;
    var scan_sum_0: i32; var scan_sum_1: i32;
    t_5_0 = (lens_tile_1_0 + 63) >> 6u;
    scan_sum_0 = t_5_0;
    t_5_1 = (lens_tile_1_1 + 63) >> 6u;
    scan_sum_1 = t_5_1; scan_sum_1 = scan_sum_0 + scan_sum_1;
    t66_parts[thread] = scan_sum_1;
    workgroupBarrier();
    var before: i32 = 0;
    for (var r: i32 = 0; r < 128; r++) {
      var other_1: i32;
      other_1 = t66_parts[r];
      before = select(before, before + other_1, r < thread);
    }
    var ends_0: i32; var ends_1: i32;
    var isBefore_0: bool; var isBefore_1: bool;
    scan_sum_0 = before + scan_sum_0; ends_0 = passed + scan_sum_0;
    isBefore_0 = (i_1 + t_BS < launch.S) & (ends_0 <= lo);
    scan_sum_1 = before + scan_sum_1; ends_1 = passed + scan_sum_1;
    isBefore_1 = (i_1 + t_BS + 1 < launch.S) & (ends_1 <= lo);
    var sum_1: i32 = 0;
    sum_1 = sum_1 + select(0, 1, isBefore_0);
    sum_1 = sum_1 + select(0, 1, isBefore_1);
    t80_parts[thread] = sum_1;
    workgroupBarrier();
    if (thread < 8) {
      sum_1 = t80_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_2: i32;
        other_2 = t80_parts[thread + r * 8];
        sum_1 = sum_1 + other_2;
      }
      t80_parts[thread] = sum_1;
    }
    workgroupBarrier();
    var parts_1_0: i32; var parts_1_1: i32; var parts_1_2: i32; var parts_1_3: i32;
    var parts_1_4: i32; var parts_1_5: i32; var parts_1_6: i32; var parts_1_7: i32;
    parts_1_0 = t80_parts[0];
    parts_1_1 = t80_parts[1];
    parts_1_2 = t80_parts[2];
    parts_1_3 = t80_parts[3];
    parts_1_4 = t80_parts[4];
    parts_1_5 = t80_parts[5];
    parts_1_6 = t80_parts[6];
    parts_1_7 = t80_parts[7];
    sum_1 = parts_1_0;
    sum_1 = sum_1 + parts_1_1;
    sum_1 = sum_1 + parts_1_2;
    sum_1 = sum_1 + parts_1_3;
    sum_1 = sum_1 + parts_1_4;
    sum_1 = sum_1 + parts_1_5;
    sum_1 = sum_1 + parts_1_6;
    sum_1 = sum_1 + parts_1_7;
    var most: i32 = -2147483648;
    most = max(most, select(0, ends_0, isBefore_0));
    most = max(most, select(0, ends_1, isBefore_1));
    t84_parts[thread] = most;
    workgroupBarrier();
    if (thread < 8) {
      most = t84_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_3: i32;
        other_3 = t84_parts[thread + r * 8];
        most = max(most, other_3);
      }
      t84_parts[thread] = most;
    }
    workgroupBarrier();
    var parts_2_0: i32; var parts_2_1: i32; var parts_2_2: i32; var parts_2_3: i32;
    var parts_2_4: i32; var parts_2_5: i32; var parts_2_6: i32; var parts_2_7: i32;
    parts_2_0 = t84_parts[0];
    parts_2_1 = t84_parts[1];
    parts_2_2 = t84_parts[2];
    parts_2_3 = t84_parts[3];
    parts_2_4 = t84_parts[4];
    parts_2_5 = t84_parts[5];
    parts_2_6 = t84_parts[6];
    parts_2_7 = t84_parts[7];
    most = parts_2_0;
    most = max(most, parts_2_1);
    most = max(most, parts_2_2);
    most = max(most, parts_2_3);
    most = max(most, parts_2_4);
    most = max(most, parts_2_5);
    most = max(most, parts_2_6);
    most = max(most, parts_2_7);
    var sum_2: i32 = 0;
    sum_2 = sum_2 + t_5_0;
    sum_2 = sum_2 + t_5_1;
    t86_parts[thread] = sum_2;
    workgroupBarrier();
    if (thread < 8) {
      sum_2 = t86_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_4: i32;
        other_4 = t86_parts[thread + r * 8];
        sum_2 = sum_2 + other_4;
      }
      t86_parts[thread] = sum_2;
    }
    workgroupBarrier();
    var parts_3_0: i32; var parts_3_1: i32; var parts_3_2: i32; var parts_3_3: i32;
    var parts_3_4: i32; var parts_3_5: i32; var parts_3_6: i32; var parts_3_7: i32;
    parts_3_0 = t86_parts[0];
    parts_3_1 = t86_parts[1];
    parts_3_2 = t86_parts[2];
    parts_3_3 = t86_parts[3];
    parts_3_4 = t86_parts[4];
    parts_3_5 = t86_parts[5];
    parts_3_6 = t86_parts[6];
    parts_3_7 = t86_parts[7];
    sum_2 = parts_3_0;
    sum_2 = sum_2 + parts_3_1;
    sum_2 = sum_2 + parts_3_2;
    sum_2 = sum_2 + parts_3_3;
    sum_2 = sum_2 + parts_3_4;
    sum_2 = sum_2 + parts_3_5;
    sum_2 = sum_2 + parts_3_6;
    sum_2 = sum_2 + parts_3_7;
    sequence = sequence + sum_1;
    begin = max(begin, most);
    passed = passed + sum_2;
  }
  let t_6: i32 = hi - 1;
  var sequence_1: i32 = 0;
  var passed_1: i32 = 0;
  for (var i_2: i32 = 0; i_2 < launch.S; i_2 += 256) {
    let lens_at_2: i32 = t_BS + i_2;
    var lens_tile_2_0: i32; var lens_tile_2_1: i32;
    let left_2: i32 = launch.S - i_2;
    let lens_tile_2_in = t_BS < left_2;
    lens_tile_2_0 = select(0, lens[select(0, lens_at_2, lens_tile_2_in)], lens_tile_2_in);
    let lens_tile_2_in_1 = t_BS + 1 < left_2;
    lens_tile_2_1 = select(0, lens[select(0, lens_at_2 + 1, lens_tile_2_in_1)], lens_tile_2_in_1);
    var t_7_0: i32; var t_7_1: i32;
    var scan_sum_1_0: i32; var scan_sum_1_1: i32;
    t_7_0 = (lens_tile_2_0 + 63) >> 6u;
    scan_sum_1_0 = t_7_0;
    t_7_1 = (lens_tile_2_1 + 63) >> 6u;
    scan_sum_1_1 = t_7_1; scan_sum_1_1 = scan_sum_1_0 + scan_sum_1_1;
    t103_parts[thread] = scan_sum_1_1;
    workgroupBarrier();
    var before_1: i32 = 0;
    for (var r: i32 = 0; r < 128; r++) {
      var other_5: i32;
      other_5 = t103_parts[r];
      before_1 = select(before_1, before_1 + other_5, r < thread);
    }
    var ends_1_0: i32; var ends_1_1: i32;
    var isBefore_1_0: bool; var isBefore_1_1: bool;
    scan_sum_1_0 = before_1 + scan_sum_1_0; ends_1_0 = passed_1 + scan_sum_1_0;
    isBefore_1_0 = (i_2 + t_BS < launch.S) & (ends_1_0 <= t_6);
    scan_sum_1_1 = before_1 + scan_sum_1_1; ends_1_1 = passed_1 + scan_sum_1_1;
    isBefore_1_1 = (i_2 + t_BS + 1 < launch.S) & (ends_1_1 <= t_6);
    var sum_3: i32 = 0;
    sum_3 = sum_3 + select(0, 1, isBefore_1_0);
    sum_3 = sum_3 + select(0, 1, isBefore_1_1);
    t117_parts[thread] = sum_3;
    workgroupBarrier();
    if (thread < 8) {
      sum_3 = t117_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_6: i32;
        other_6 = t117_parts[thread + r * 8];
        sum_3 = sum_3 + other_6;
      }
      t117_parts[thread] = sum_3;
    }
    workgroupBarrier();
    var parts_4_0: i32; var parts_4_1: i32; var parts_4_2: i32; var parts_4_3: i32;
    var parts_4_4: i32; var parts_4_5: i32; var parts_4_6: i32; var parts_4_7: i32;
    parts_4_0 = t117_parts[0];
    parts_4_1 = t117_parts[1];
    parts_4_2 = t117_parts[2];
    parts_4_3 = t117_parts[3];
    parts_4_4 = t117_parts[4];
    parts_4_5 = t117_parts[5];
    parts_4_6 = t117_parts[6];
    parts_4_7 = t117_parts[7];
    sum_3 = parts_4_0;
    sum_3 = sum_3 + parts_4_1;
    sum_3 = sum_3 + parts_4_2;
    sum_3 = sum_3 + parts_4_3;
    sum_3 = sum_3 + parts_4_4;
    sum_3 = sum_3 + parts_4_5;
    sum_3 = sum_3 + parts_4_6;
    sum_3 = sum_3 + parts_4_7;
    var most_1: i32 = -2147483648;
    most_1 = max(most_1, select(0, ends_1_0, isBefore_1_0));
    most_1 = max(most_1, select(0, ends_1_1, isBefore_1_1));
    t121_parts[thread] = most_1;
    workgroupBarrier();
    if (thread < 8) {
      most_1 = t121_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_7: i32;
        other_7 = t121_parts[thread + r * 8];
        most_1 = max(most_1, other_7);
      }
      t121_parts[thread] = most_1;
    }
    workgroupBarrier();
    var parts_5_0: i32; var parts_5_1: i32; var parts_5_2: i32; var parts_5_3: i32;
    var parts_5_4: i32; var parts_5_5: i32; var parts_5_6: i32; var parts_5_7: i32;
    parts_5_0 = t121_parts[0];
    parts_5_1 = t121_parts[1];
    parts_5_2 = t121_parts[2];
    parts_5_3 = t121_parts[3];
    parts_5_4 = t121_parts[4];
    parts_5_5 = t121_parts[5];
    parts_5_6 = t121_parts[6];
    parts_5_7 = t121_parts[7];
    most_1 = parts_5_0;
    most_1 = max(most_1, parts_5_1);
    most_1 = max(most_1, parts_5_2);
    most_1 = max(most_1, parts_5_3);
    most_1 = max(most_1, parts_5_4);
    most_1 = max(most_1, parts_5_5);
    most_1 = max(most_1, parts_5_6);
    most_1 = max(most_1, parts_5_7);
    var sum_4: i32 = 0;
    sum_4 = sum_4 + t_7_0;
    sum_4 = sum_4 + t_7_1;
    t123_parts[thread] = sum_4;
    workgroupBarrier();
    if (thread < 8) {
      sum_4 = t123_parts[thread];
      for (var r: i32 = 1; r < 16; r++) {
        var other_8: i32;
        other_8 = t123_parts[thread + r * 8];
        sum_4 = sum_4 + other_8;
      }
      t123_parts[thread] = sum_4;
    }
    workgroupBarrier();
    var parts_6_0: i32; var parts_6_1: i32; var parts_6_2: i32; var parts_6_3: i32;
    var parts_6_4: i32; var parts_6_5: i32; var parts_6_6: i32; var parts_6_7: i32;
    parts_6_0 = t123_parts[0];
    parts_6_1 = t123_parts[1];
    parts_6_2 = t123_parts[2];
    parts_6_3 = t123_parts[3];
    parts_6_4 = t123_parts[4];
    parts_6_5 = t123_parts[5];
    parts_6_6 = t123_parts[6];
    parts_6_7 = t123_parts[7];
    sum_4 = parts_6_0;
    sum_4 = sum_4 + parts_6_1;
    sum_4 = sum_4 + parts_6_2;
    sum_4 = sum_4 + parts_6_3;
    sum_4 = sum_4 + parts_6_4;
    sum_4 = sum_4 + parts_6_5;
    sum_4 = sum_4 + parts_6_6;
    sum_4 = sum_4 + parts_6_7;
    sequence_1 = sequence_1 + sum_3;
    passed_1 = passed_1 + sum_4;
  }
  let isEmpty: bool = hi <= lo;
  let t_8: i32 = programs * 5;
  let t_9: i32 = pid0 * 256;
  let t_10: i32 = programs * 256;
  let step: i32 = max(t_10, 1);
  let i_3_start = t_9;
  let i_3_step = step;
  for (var i_3: i32 = i_3_start; i_3 < launch.S; i_3 += i_3_step) {
    let lens_at_3: i32 = thread + i_3;
    var lens_tile_3_0: i32; var lens_tile_3_1: i32;
    let position: i32 = i_3 + thread;
    let lens_tile_3_in = u32(position) < u32(launch.S);
    lens_tile_3_0 = select(0, lens[select(0, lens_at_3, lens_tile_3_in)], lens_tile_3_in);
    let lens_tile_3_in_1 = u32(position + 128) < u32(launch.S);
    lens_tile_3_1 = select(0, lens[select(0, lens_at_3 + 128, lens_tile_3_in_1)], lens_tile_3_in_1);
    let t_11: i32 = t_8 + i_3;
    let line_at: i32 = thread + t_11;
    let position_1: i32 = t_11 + thread;
    if (u32(position_1) < u32(launch.W)) {
      line[line_at] = lens_tile_3_0;
    }
    if (u32(position_1 + 128) < u32(launch.W)) {
      line[line_at + 128] = lens_tile_3_1;
    }
  }
  let t_12: i32 = pid0 * 5;
  workgroupBarrier();
  let line_in: bool = t_12 < launch.W;
  let is_first: bool = thread == 0;
  if (is_first) {
    let line_tile: i32 = select(sequence, 0, isEmpty);
    if (line_in) {
      line[t_12] = line_tile;
    }
  }
  workgroupBarrier();
  let t_13: i32 = t_12 + 1;
  let line_in_1: bool = t_13 < launch.W;
  if (is_first) {
    let line_tile_1: i32 = select(sequence_1 + 1, 0, isEmpty);
    if (line_in_1) {
      line[t_13] = line_tile_1;
    }
  }
  workgroupBarrier();
  let t_14: i32 = t_12 + 2;
  let line_in_2: bool = t_14 < launch.W;
  if (is_first) {
    let line_tile_2: i32 = select(begin, 0, isEmpty);
    if (line_in_2) {
      line[t_14] = line_tile_2;
    }
  }
  workgroupBarrier();
  let t_15: i32 = t_12 + 3;
  let line_in_3: bool = t_15 < launch.W;
  if (is_first) {
    let line_tile_3: i32 = select(lo, 0, isEmpty);
    if (line_in_3) {
      line[t_15] = line_tile_3;
    }
  }
  workgroupBarrier();
  let t_16: i32 = t_12 + 4;
  let line_in_4: bool = t_16 < launch.W;
  if (is_first) {
    let line_tile_4: i32 = select(hi, 0, isEmpty);
    if (line_in_4) {
      line[t_16] = line_tile_4;
    }
  }
}
