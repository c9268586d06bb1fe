/** [codegen/c-family] C types of registers and of vector accesses, for CUDA and HIP alike. Plain data and look-ups. */
import { DTYPES, type DType } from "../../dsl/index.ts";
import type { RegType } from "../ir/thread.ts";

/** The C type of a register. Narrow floats are raw bits, one of less than a byte the low ones; i4 and u4 hold one value, extended to a byte. */
export const REGISTER_TYPES: Readonly<Record<RegType, string>> = {
  f32: "f32",
  f16: "tw_f16",
  bf16: "tw_bf16",
  f8e4m3: "tw_f8e4m3",
  f8e5m2: "tw_f8e5m2",
  f8e8m0: "tw_f8e8m0",
  f4e2m1: "tw_f4e2m1",
  nf4: "tw_nf4",
  i32: "i32",
  u32: "u32",
  i64: "i64",
  i8: "i8",
  u8: "u8",
  i4: "i8",
  u4: "u8",
  bool: "bool",
};

/** Bytes of one access that a single instruction can make. */
export type AccessBytes = 1 | 2 | 4 | 8 | 16;

const RAW: Readonly<Record<AccessBytes, string>> = {
  1: "u8",
  2: "u16",
  4: "u32",
  8: "tw_u32x2",
  16: "tw_u32x4",
};
const WIDE: Partial<Readonly<Record<DType, Readonly<Partial<Record<AccessBytes, string>>>>>> = {
  f32: { 4: "f32", 8: "tw_f32x2", 16: "tw_f32x4" },
  i32: { 4: "i32", 8: "tw_i32x2", 16: "tw_i32x4" },
};

/** The C type that `bytes` of `dtype` elements are moved as. */
export function accessType(dtype: DType, bytes: AccessBytes): string {
  return WIDE[dtype]?.[bytes] ?? RAW[bytes];
}

/** Cuts an access of `width` elements into equal ones that an instruction can make; undefined for less than a byte. */
export function accessBytes(dtype: DType, width: number): AccessBytes | undefined {
  const bytes = (DTYPES[dtype].bits * width) / 8;
  if (!Number.isInteger(bytes)) return undefined;
  const choices: readonly AccessBytes[] = [16, 8, 4, 2, 1];
  return choices.find((choice) => bytes % choice === 0);
}

/** Members of a vector type, in order. */
export const MEMBERS = ["x", "y", "z", "w"] as const;
