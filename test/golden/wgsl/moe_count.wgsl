// moe_count for wgsl, made by tilewright
// config: BS=32
// dims fixed: E=128
// dims divisible: S%8 C%2
// 256 threads, 4608 bytes of shared memory
//       0 … 4096: t23_parts i32[1024]
//    4096 … 4608: t23_convert i32[128]

struct TwLaunch {
  programs: vec4<u32>,
  S: i32,
  C: i32,
}
@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read_write> counts: array<i32>;
@group(0) @binding(2) var<uniform> launch: TwLaunch;
var<workgroup> t23_parts: array<i32, 1024>;
var<workgroup> t23_convert: array<i32, 128>;

fn tw_floordiv_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let quotient = a / b;
  let rest = a - quotient * b;
  return quotient - select(0, 1, rest != 0 && (rest ^ b) < 0);
}

@compute @workgroup_size(256)
fn moe_count(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread_index: u32,
) {
  let program = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
  if (program >= launch.programs.x * launch.programs.y * launch.programs.z) { return; }
  let pid0 = i32(program % launch.programs.x);
  let thread = i32(thread_index);
  let share: i32 = tw_floordiv_i32(launch.S + (launch.C - 1), launch.C);
  let t: i32 = pid0 * share;
  let end: i32 = min(t + share, launch.S);
  let t_E: i32 = (thread & 31) * 4;
  var found: i32 = 0;
  let t_BS: i32 = thread >> 5u;
  let bound: i32 = max(end, 0);
  let part_at: i32 = t_BS * 128 + t_E;
  let is_first: bool = thread < 32;
  let t23_convert_at: i32 = thread & 127;
  let s_start = t;
  let s_end = end;
  for (var s: i32 = s_start; s < s_end; s += 32) {
    let ids_at: i32 = t_BS + s;
    var id_0: i32; var id_1: i32; var id_2: i32; var id_3: i32;
    let position: i32 = s + t_BS;
    let id_in = u32(position) < u32(bound);
    id_0 = select(-1, ids[select(0, ids_at, id_in)], id_in);
    let id_in_1 = u32(position + 8) < u32(bound);
    id_1 = select(-1, ids[select(0, ids_at + 8, id_in_1)], id_in_1);
    let id_in_2 = u32(position + 16) < u32(bound);
    id_2 = select(-1, ids[select(0, ids_at + 16, id_in_2)], id_in_2);
    let id_in_3 = u32(position + 24) < u32(bound);
    id_3 = select(-1, ids[select(0, ids_at + 24, id_in_3)], id_in_3);
    var sum_0: i32; var sum_1: i32; var sum_2: i32; var sum_3: i32;
    sum_0 = 0; sum_1 = 0; sum_2 = 0; sum_3 = 0; sum_0 = sum_0 + select(0, 1, id_0 == t_E);
    sum_1 = sum_1 + select(0, 1, id_0 == t_E + 1); sum_2 = sum_2 + select(0, 1, id_0 == t_E + 2);
    sum_3 = sum_3 + select(0, 1, id_0 == t_E + 3); sum_0 = sum_0 + select(0, 1, id_1 == t_E);
    sum_1 = sum_1 + select(0, 1, id_1 == t_E + 1); sum_2 = sum_2 + select(0, 1, id_1 == t_E + 2);
    sum_3 = sum_3 + select(0, 1, id_1 == t_E + 3); sum_0 = sum_0 + select(0, 1, id_2 == t_E);
    sum_1 = sum_1 + select(0, 1, id_2 == t_E + 1); sum_2 = sum_2 + select(0, 1, id_2 == t_E + 2);
    sum_3 = sum_3 + select(0, 1, id_2 == t_E + 3); sum_0 = sum_0 + select(0, 1, id_3 == t_E);
    sum_1 = sum_1 + select(0, 1, id_3 == t_E + 1); sum_2 = sum_2 + select(0, 1, id_3 == t_E + 2);
    sum_3 = sum_3 + select(0, 1, id_3 == t_E + 3);
    t23_parts[part_at] = sum_0;
    t23_parts[part_at + 1] = sum_1;
    t23_parts[part_at + 2] = sum_2;
    t23_parts[part_at + 3] = sum_3;
    workgroupBarrier();
    sum_0 = t23_parts[t_E];
    var other: i32;
    other = t23_parts[t_E + 128];
    sum_0 = sum_0 + other;
    var other_1: i32;
    other_1 = t23_parts[t_E + 256];
    sum_0 = sum_0 + other_1;
    var other_2: i32;
    other_2 = t23_parts[t_E + 384];
    sum_0 = sum_0 + other_2;
    var other_3: i32;
    other_3 = t23_parts[t_E + 512];
    sum_0 = sum_0 + other_3;
    var other_4: i32;
    other_4 = t23_parts[t_E + 640];
    sum_0 = sum_0 + other_4;
    var other_5: i32;
    other_5 = t23_parts[t_E + 768];
    sum_0 = sum_0 + other_5;
    var other_6: i32;
    other_6 = t23_parts[t_E + 896];
    sum_0 = sum_0 + other_6;
    sum_1 = t23_parts[t_E + 1];
    var other_7: i32;
    other_7 = t23_parts[t_E + 129];
    sum_1 = sum_1 + other_7;
    var other_8: i32;
    other_8 = t23_parts[t_E + 257];
    sum_1 = sum_1 + other_8;
    var other_9: i32;
    other_9 = t23_parts[t_E + 385];
    sum_1 = sum_1 + other_9;
    var other_10: i32;
    other_10 = t23_parts[t_E + 513];
    sum_1 = sum_1 + other_10;
    var other_11: i32;
    other_11 = t23_parts[t_E + 641];
    sum_1 = sum_1 + other_11;
    var other_12: i32;
    other_12 = t23_parts[t_E + 769];
    sum_1 = sum_1 + other_12;
    var other_13: i32;
    other_13 = t23_parts[t_E + 897];
    sum_1 = sum_1 + other_13;
    sum_2 = t23_parts[t_E + 2];
    var other_14: i32;
    other_14 = t23_parts[t_E + 130];
    sum_2 = sum_2 + other_14;
    var other_15: i32;
    other_15 = t23_parts[t_E + 258];
    sum_2 = sum_2 + other_15;
    var other_16: i32;
    other_16 = t23_parts[t_E + 386];
    sum_2 = sum_2 + other_16;
    var other_17: i32;
    other_17 = t23_parts[t_E + 514];
    sum_2 = sum_2 + other_17;
    var other_18: i32;
    other_18 = t23_parts[t_E + 642];
    sum_2 = sum_2 + other_18;
    var other_19: i32;
    other_19 = t23_parts[t_E + 770];
    sum_2 = sum_2 + other_19;
    var other_20: i32;
    other_20 = t23_parts[t_E + 898];
    sum_2 = sum_2 + other_20;
    sum_3 = t23_parts[t_E + 3];
    var other_21: i32;
    other_21 = t23_parts[t_E + 131];
    sum_3 = sum_3 + other_21;
    var other_22: i32;
    other_22 = t23_parts[t_E + 259];
    sum_3 = sum_3 + other_22;
    var other_23: i32;
    other_23 = t23_parts[t_E + 387];
    sum_3 = sum_3 + other_23;
    var other_24: i32;
    other_24 = t23_parts[t_E + 515];
    sum_3 = sum_3 + other_24;
    var other_25: i32;
    other_25 = t23_parts[t_E + 643];
    sum_3 = sum_3 + other_25;
    var other_26: i32;
    other_26 = t23_parts[t_E + 771];
    sum_3 = sum_3 + other_26;
    var other_27: i32;
    other_27 = t23_parts[t_E + 899];
    sum_3 = sum_3 + other_27;
    if (is_first) {
      t23_convert[t_E] = sum_0;
      t23_convert[t_E + 1] = sum_1;
      t23_convert[t_E + 2] = sum_2;
      t23_convert[t_E + 3] = sum_3;
    }
    workgroupBarrier();
    var t_1: i32;
    t_1 = t23_convert[t23_convert_at];
    found = found + t_1;
  }
  let counts_at: i32 = pid0 * 128 + t23_convert_at;
  let counts_in: bool = pid0 < launch.C;
  let is_first_1: bool = thread < 128;
  if (is_first_1) {
    if (counts_in) {
      counts[counts_at] = found;
    }
  }
}
