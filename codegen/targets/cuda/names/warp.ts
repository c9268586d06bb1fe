/** [codegen/targets/cuda] Names of the prelude that all lanes of a warp call together: shuffles and matrix instructions. Not their text. */
import { ONLY_SM_90A, type Row, SM_89, SM_90 } from "./row.ts";

export const SHUFFLE: readonly Row[] = [
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

export const MATRIX: readonly Row[] = [
  [
    "void tw_trade_quads_e4m3(u32* r, const f32* x)",
    "16 columns of two rows of accumulators as e4m3: x[i] is row i/2%2, column 8(i/4) + 2(lane%4) + i%2; r gets what two lanes have of columns 4(lane%4) … +3, two of row 0, then two of row 1, in the upper lanes of four the later columns first",
    ONLY_SM_90A,
  ],
  [
    "void tw_take_quads(u32* r, const u32* x)",
    "x as tw_trade_quads_e4m3 gives it: r[i] gets columns 4(lane%4) … +3 of row i",
    ONLY_SM_90A,
  ],
  [
    "void tw_e4m3x2_low(u32* r, u32 x)",
    "r[0]: the two e4m3 in the low half of x as two f16, the first in the low half; exact",
    SM_89,
  ],
  ["void tw_e4m3x2_high(u32* r, u32 x)", "those in the high half", SM_89],
  ["u32 tw_swap_middle_bytes(u32 x)", "bytes 0, 2, 1, 3 of x, lowest first", { hip: false }],
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
    "void tw_stmatrix_x2(u32 address, u32 a, u32 b)",
    "writes two matrices as tw_ldmatrix_x2 reads them: row i of matrix q to the address of lane 8q + i",
    SM_90,
  ],
  ["void tw_stmatrix_x4(u32 address, u32 a, u32 b, u32 c, u32 d)", "four matrices", SM_90],
  [
    "void tw_stmatrix_x2_trans(u32 address, u32 a, u32 b)",
    "two matrices, each transposed: column i to the address of lane 8q + i",
    SM_90,
  ],
  [
    "void tw_stmatrix_x4_trans(u32 address, u32 a, u32 b, u32 c, u32 d)",
    "four matrices, each transposed",
    SM_90,
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
