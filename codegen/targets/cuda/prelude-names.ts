/** [codegen/targets/cuda] The names that emitted CUDA and HIP bodies may call: arguments, results, meaning. Not their text. */

/** The prelude file, without its ending, that holds a name. */
export type PreludeSubject =
  | "indices"
  | "global"
  | "shared"
  | "async-copy"
  | "barrier"
  | "shuffle"
  | "matrix"
  | "atomics"
  | "math"
  | "integer"
  | "convert"
  | "bits";

export interface PreludeName {
  readonly subject: PreludeSubject;
  /** As written in C++, for example `u32 address`. */
  readonly params: readonly string[];
  /** C type of the result. `T` is the first template argument, always written out: `tw_lds<u16>(a)`. */
  readonly result: string;
  /** What stands between the angle brackets: a type, or a compile-time integer. */
  readonly template?: "T" | "N";
  readonly meaning: string;
  /** CUDA architectures from this compute capability on (80 where absent). */
  readonly minArch?: number;
  /** False: not in the HIP prelude. */
  readonly hip?: false;
}

type Row = readonly [
  signature: string,
  meaning: string,
  extra?: { readonly minArch?: number; readonly hip?: false },
];

const INDICES: readonly Row[] = [
  ["i32 tw_tid()", "thread in the block, 0 …; blocks are one-dimensional"],
  ["i32 tw_ntid()", "threads of the block"],
  ["i32 tw_lane()", "lane in the warp, 0 … TW_WARP - 1"],
  ["i32 tw_warp()", "warp in the block; the compiler knows it is the same for all lanes"],
  ["i32 tw_bid_x()", "block index along x"],
  ["i32 tw_bid_y()", "block index along y"],
  ["i32 tw_bid_z()", "block index along z"],
  ["i32 tw_nbid_x()", "blocks of the grid along x"],
  ["i32 tw_nbid_y()", "blocks of the grid along y"],
  ["i32 tw_nbid_z()", "blocks of the grid along z"],
];

const GLOBAL: readonly Row[] = [
  ["T tw_ldg<T>(const void* p)", "reads a T of 1, 2, 4, 8 or 16 bytes, aligned to its size"],
  [
    "T tw_ldg_nc<T>(const void* p)",
    "the same through the read-only path: nothing may write the tensor during the launch",
  ],
  ["void tw_stg<T>(void* p, T value)", "writes a T of 1, 2, 4, 8 or 16 bytes, aligned to its size"],
];

const SHARED: readonly Row[] = [
  ["u32 tw_smem_dyn()", "address of the block's dynamic shared memory, 1024-aligned"],
  ["T tw_lds<T>(u32 address)", "reads a T of 1, 2, 4, 8 or 16 bytes, aligned to its size"],
  [
    "void tw_sts<T>(u32 address, T value)",
    "writes a T of 1, 2, 4, 8 or 16 bytes, aligned to its size",
  ],
  [
    "void tw_label(u32 address, u32 bytes, const char* name)",
    "names an allocation in the emulation's reports; no code on a device",
  ],
];

const ASYNC_COPY: readonly Row[] = [
  [
    "void tw_cp_async_4(u32 dst, const void* src)",
    "starts a copy of 4 bytes from global to shared memory",
  ],
  ["void tw_cp_async_8(u32 dst, const void* src)", "starts a copy of 8 bytes"],
  ["void tw_cp_async_16(u32 dst, const void* src)", "starts a copy of 16 bytes, past the L1 cache"],
  [
    "void tw_cp_async_4_zfill(u32 dst, const void* src, u32 bytes)",
    "4 bytes: the first `bytes` (0 … 4) are read, the rest is zero",
  ],
  [
    "void tw_cp_async_8_zfill(u32 dst, const void* src, u32 bytes)",
    "8 bytes: the first `bytes` (0 … 8) are read, the rest is zero",
  ],
  [
    "void tw_cp_async_16_zfill(u32 dst, const void* src, u32 bytes)",
    "16 bytes: the first `bytes` (0 … 16) are read, the rest is zero",
  ],
  ["void tw_cp_async_commit()", "closes this thread's group of copies"],
  [
    "void tw_cp_async_wait<N>()",
    "waits until at most N of this thread's newest groups are unfinished; others need a barrier after it",
  ],
];

const BARRIER: readonly Row[] = [
  [
    "void tw_syncthreads()",
    "barrier of the whole block; orders shared and global memory within it",
  ],
  ["void tw_syncwarp()", "barrier of the warp; orders memory within it"],
  [
    "void tw_bar_sync(u32 id, u32 threads)",
    "named barrier 1 … 15 of `threads` threads (whole warps): arrive and wait; id a literal",
    { hip: false },
  ],
  ["void tw_bar_arrive(u32 id, u32 threads)", "the same, arrive without waiting", { hip: false }],
  ["void tw_threadfence()", "orders this thread's global accesses for the whole device"],
];

const SHUFFLE: readonly Row[] = [
  [
    "T tw_shfl_xor<T>(T value, i32 mask)",
    "value of lane `lane ^ mask`; whole warps only; T is f32, i32 or u32",
  ],
  ["T tw_shfl_idx<T>(T value, i32 lane)", "value of lane `lane` modulo the warp size"],
  [
    "T tw_shfl_up<T>(T value, i32 delta)",
    "value of lane `lane - delta`; the own value where that is negative",
  ],
  [
    "T tw_shfl_down<T>(T value, i32 delta)",
    "value of lane `lane + delta`; the own value past the warp",
  ],
  ["bool tw_any(bool p)", "true where p holds in any lane of the warp"],
  ["bool tw_all(bool p)", "true where p holds in every lane of the warp"],
  ["u64 tw_ballot(bool p)", "bit l: p of lane l"],
];

const MATRIX: readonly Row[] = [
  [
    "void tw_ldmatrix_x1(u32* r, u32 address)",
    "8x8 matrix of 16-bit elements; row i at the address of lane i; lane l gets row l/4, columns 2(l%4) and +1",
    { hip: false },
  ],
  [
    "void tw_ldmatrix_x2(u32* r, u32 address)",
    "two matrices: rows of matrix q at the addresses of lanes 8q … 8q+7, into r[q]",
    { hip: false },
  ],
  ["void tw_ldmatrix_x4(u32* r, u32 address)", "four matrices", { hip: false }],
  [
    "void tw_ldmatrix_x1_trans(u32* r, u32 address)",
    "transposed: lane l gets column l/4, rows 2(l%4) and +1",
    { hip: false },
  ],
  [
    "void tw_ldmatrix_x2_trans(u32* r, u32 address)",
    "two matrices, each transposed",
    { hip: false },
  ],
  [
    "void tw_ldmatrix_x4_trans(u32* r, u32 address)",
    "four matrices, each transposed",
    { hip: false },
  ],
  [
    "void tw_mma_m16n8k16_f32_f16(f32* d, const u32* a, const u32* b)",
    "d[4] += a[4] b[2]; with l the lane: a[r] half e is row l/4 + 8(r%2), k 2(l%4) + e + 8(r/2); b[r] half e is k 2(l%4) + e + 8r, column l/4; d[r] is row l/4 + 8(r/2), column 2(l%4) + r%2",
    { hip: false },
  ],
  [
    "void tw_mma_m16n8k16_f32_bf16(f32* d, const u32* a, const u32* b)",
    "the same with bf16 elements",
    { hip: false },
  ],
  [
    "void tw_mma_m16n8k8_f32_tf32(f32* d, const u32* a, const u32* b)",
    "a[r] is row l/4 + 8(r%2), k l%4 + 4(r/2); b[r] is k l%4 + 4r, column l/4; low 13 bits ignored",
    { hip: false },
  ],
  [
    "void tw_mma_m16n8k32_s32_s8(i32* d, const u32* a, const u32* b)",
    "i8 elements, four a register: a[r] byte e is row l/4 + 8(r%2), k 4(l%4) + e + 16(r/2); b[r] byte e is k 4(l%4) + e + 16r, column l/4",
    { hip: false },
  ],
];

const ATOMICS: readonly Row[] = [
  [
    "f32 tw_atom_add_f32(f32* p, f32 value)",
    "relaxed, device-wide, on global memory; result: the old value",
  ],
  ["i32 tw_atom_add_i32(i32* p, i32 value)", "wraps"],
  ["u32 tw_atom_add_u32(u32* p, u32 value)", "wraps"],
  ["f32 tw_atom_max_f32(f32* p, f32 value)", "keeps the other operand where one is NaN"],
  ["i32 tw_atom_max_i32(i32* p, i32 value)", "larger of old and value"],
  ["u32 tw_atom_max_u32(u32* p, u32 value)", "larger of old and value"],
  ["f32 tw_atom_min_f32(f32* p, f32 value)", "keeps the other operand where one is NaN"],
  ["i32 tw_atom_min_i32(i32* p, i32 value)", "smaller of old and value"],
  ["u32 tw_atom_min_u32(u32* p, u32 value)", "smaller of old and value"],
];

const MATH: readonly Row[] = [
  ["f32 tw_exp(f32 x)", "e to the x, within 2 ulp"],
  ["f32 tw_exp2(f32 x)", "2 to the x, within 2 ulp, denormal results kept"],
  ["f32 tw_log(f32 x)", "natural logarithm, within 1 ulp"],
  ["f32 tw_log2(f32 x)", "logarithm to base 2, within 1 ulp"],
  ["f32 tw_sqrt(f32 x)", "square root, correctly rounded"],
  ["f32 tw_rsqrt(f32 x)", "1 / sqrt(x), within 2 ulp"],
  ["f32 tw_sin(f32 x)", "sine, x in radians of any size, within 2 ulp"],
  ["f32 tw_cos(f32 x)", "cosine, x in radians of any size, within 2 ulp"],
  ["f32 tw_tanh(f32 x)", "hyperbolic tangent, within 2 ulp"],
  ["f32 tw_erf(f32 x)", "error function, within 2 ulp"],
  ["f32 tw_floor(f32 x)", "largest integer not above x"],
  ["f32 tw_ceil(f32 x)", "smallest integer not below x"],
  ["f32 tw_round(f32 x)", "nearest integer, halves to even"],
  ["f32 tw_fma(f32 a, f32 b, f32 c)", "a * b + c, rounded once"],
  ["f32 tw_abs(f32 x)", "magnitude"],
  ["f32 tw_min(f32 a, f32 b)", "smaller; the other operand where one is NaN; -0 is below +0"],
  ["f32 tw_max(f32 a, f32 b)", "larger; the other operand where one is NaN; -0 is below +0"],
  ["bool tw_isnan(f32 x)", "true for a NaN"],
];

const INTEGER: readonly Row[] = [
  ["i32 tw_abs_i32(i32 x)", "magnitude; the least i32 stays"],
  ["i32 tw_min_i32(i32 a, i32 b)", "smaller"],
  ["i32 tw_max_i32(i32 a, i32 b)", "larger"],
  ["u32 tw_min_u32(u32 a, u32 b)", "smaller"],
  ["u32 tw_max_u32(u32 a, u32 b)", "larger"],
  [
    "i32 tw_floordiv_i32(i32 a, i32 b)",
    "quotient rounded towards minus infinity; b = 0 is undefined on a device, a finding in the emulation",
  ],
  ["i32 tw_floormod_i32(i32 a, i32 b)", "remainder with the sign of b; b = 0 likewise"],
  ["u32 tw_floordiv_u32(u32 a, u32 b)", "quotient; b = 0 likewise"],
  ["u32 tw_floormod_u32(u32 a, u32 b)", "remainder; b = 0 likewise"],
  ["u32 tw_mulhi_u32(u32 a, u32 b)", "upper 32 bits of the product"],
  ["i32 tw_shl_i32(i32 x, i32 count)", "shift left, count modulo 32"],
  ["u32 tw_shl_u32(u32 x, u32 count)", "shift left, count modulo 32"],
  ["i32 tw_shr_i32(i32 x, i32 count)", "shift right keeping the sign, count modulo 32"],
  ["u32 tw_shr_u32(u32 x, u32 count)", "shift right, count modulo 32"],
  ["i32 tw_add_i32(i32 a, i32 b)", "sum that wraps (plain `+` on i32 must not overflow)"],
  ["i32 tw_sub_i32(i32 a, i32 b)", "difference that wraps"],
  ["i32 tw_mul_i32(i32 a, i32 b)", "product that wraps"],
];

const CONVERT: readonly Row[] = [
  ["tw_f16 tw_f32_to_f16(f32 x)", "to nearest even, overflow to infinity"],
  ["f32 tw_f16_to_f32(tw_f16 x)", "exact"],
  ["tw_bf16 tw_f32_to_bf16(f32 x)", "to nearest even, overflow to infinity"],
  ["f32 tw_bf16_to_f32(tw_bf16 x)", "exact"],
  ["tw_f8e4m3 tw_f32_to_f8e4m3(f32 x)", "to nearest even, saturating to ±448, NaN stays NaN"],
  ["f32 tw_f8e4m3_to_f32(tw_f8e4m3 x)", "exact"],
  ["tw_f8e5m2 tw_f32_to_f8e5m2(f32 x)", "to nearest even, saturating to ±57344, NaN stays NaN"],
  ["f32 tw_f8e5m2_to_f32(tw_f8e5m2 x)", "exact"],
  ["i32 tw_f32_to_i32(f32 x)", "truncates, saturates, NaN gives 0"],
  ["u32 tw_f32_to_u32(f32 x)", "truncates, saturates (negative to 0), NaN gives 0"],
  ["f32 tw_i32_to_f32(i32 x)", "to nearest even"],
  ["f32 tw_u32_to_f32(u32 x)", "to nearest even"],
  ["u32 tw_pack_f16x2(f32 lo, f32 hi)", "two f32 to f16, lo in the low half"],
  ["u32 tw_pack_bf16x2(f32 lo, f32 hi)", "two f32 to bf16, lo in the low half"],
  ["f32 tw_f16x2_lo(u32 x)", "low half, an f16, as f32"],
  ["f32 tw_f16x2_hi(u32 x)", "high half, an f16, as f32"],
  ["f32 tw_bf16x2_lo(u32 x)", "low half, a bf16, as f32"],
  ["f32 tw_bf16x2_hi(u32 x)", "high half, a bf16, as f32"],
  [
    "u32 tw_cvt_tf32(f32 x)",
    "to nearest with 10 fraction bits, halves away from zero, as f32 bits",
    { hip: false },
  ],
];

const BITS: readonly Row[] = [
  ["u32 tw_f32_bits(f32 x)", "the bits"],
  ["f32 tw_bits_f32(u32 x)", "the float with these bits"],
  ["u32 tw_pack_u16x2(u32 lo, u32 hi)", "low 16 bits of lo, low 16 bits of hi above them"],
  ["u32 tw_u16x2_lo(u32 x)", "low half"],
  ["u32 tw_u16x2_hi(u32 x)", "high half"],
  ["u32 tw_pack_u8x4(u32 a, u32 b, u32 c, u32 d)", "low 8 bits of each, a lowest"],
  ["u32 tw_byte(u32 x, u32 index)", "byte `index` (0 lowest), zero-extended"],
  ["i32 tw_sext_i8(u32 x)", "low 8 bits, sign-extended"],
  ["u32 tw_zext_u8(u32 x)", "low 8 bits, zero-extended"],
  ["i32 tw_sext_i4(u32 x)", "low 4 bits, sign-extended"],
  ["u32 tw_zext_u4(u32 x)", "low 4 bits, zero-extended"],
];

const SUBJECTS: Readonly<Record<PreludeSubject, readonly Row[]>> = {
  indices: INDICES,
  global: GLOBAL,
  shared: SHARED,
  "async-copy": ASYNC_COPY,
  barrier: BARRIER,
  shuffle: SHUFFLE,
  matrix: MATRIX,
  atomics: ATOMICS,
  math: MATH,
  integer: INTEGER,
  convert: CONVERT,
  bits: BITS,
};

const SIGNATURE = /^(\S+) (tw_\w+)(?:<([TN])>)?\((.*)\)$/;

function parseRow(subject: PreludeSubject, row: Row): readonly [string, PreludeName] {
  const [signature, meaning, extra] = row;
  const match = SIGNATURE.exec(signature);
  const [, result, name, template, params] = match ?? [];
  if (result === undefined || name === undefined || params === undefined) {
    throw new Error(`prelude table: not a signature: ${signature}`);
  }
  return [
    name,
    {
      subject,
      result,
      params: params === "" ? [] : params.split(", "),
      ...(template === "T" || template === "N" ? { template } : {}),
      meaning,
      ...extra,
    },
  ];
}

/** Every name of the prelude, in the order of its files. */
export const PRELUDE_NAMES: ReadonlyMap<string, PreludeName> = new Map(
  (Object.keys(SUBJECTS) as PreludeSubject[]).flatMap((subject) =>
    SUBJECTS[subject].map((row) => parseRow(subject, row)),
  ),
);

/** True for a name that emitted text may call. */
export function isPreludeName(name: string): boolean {
  return PRELUDE_NAMES.has(name);
}
