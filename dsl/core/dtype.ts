/** [dsl/core] The element types: names, widths and kinds. Exact rounding lives in rounding.ts. */

/**
 * Every element type of the language. Sub-byte types pack two elements a byte, low nibble first. nf4, f4e2m1 and f8e8m0 only
 * store numbers: they are loaded, stored, moved, chosen and cast, all arithmetic is done after a cast or `dequant`.
 */
export type DType =
  | "f32"
  | "f16"
  | "bf16"
  | "f8e4m3"
  | "f8e5m2"
  | "f8e8m0"
  | "f4e2m1"
  | "nf4"
  | "i32"
  | "u32"
  | "i8"
  | "u8"
  | "i4"
  | "u4"
  | "bool";

export type DTypeKind = "float" | "int" | "bool";

export interface DTypeInfo {
  /** Storage width of one element in bits; a bool is stored in 8 bits, 0 or 1. */
  readonly bits: 4 | 8 | 16 | 32;
  readonly kind: DTypeKind;
  readonly signed: boolean;
  /** True where arithmetic is carried out in a wider type and rounded back after each op. */
  readonly narrow: boolean;
  /** True where no arithmetic exists, only conversion to and from other types. */
  readonly storage?: true;
}

export const DTYPES: Readonly<Record<DType, DTypeInfo>> = {
  f32: { bits: 32, kind: "float", signed: true, narrow: false },
  f16: { bits: 16, kind: "float", signed: true, narrow: true },
  bf16: { bits: 16, kind: "float", signed: true, narrow: true },
  f8e4m3: { bits: 8, kind: "float", signed: true, narrow: true },
  f8e5m2: { bits: 8, kind: "float", signed: true, narrow: true },
  f8e8m0: { bits: 8, kind: "float", signed: false, narrow: true, storage: true },
  f4e2m1: { bits: 4, kind: "float", signed: true, narrow: true, storage: true },
  nf4: { bits: 4, kind: "float", signed: true, narrow: true, storage: true },
  i32: { bits: 32, kind: "int", signed: true, narrow: false },
  u32: { bits: 32, kind: "int", signed: false, narrow: false },
  i8: { bits: 8, kind: "int", signed: true, narrow: true },
  u8: { bits: 8, kind: "int", signed: false, narrow: true },
  i4: { bits: 4, kind: "int", signed: true, narrow: true },
  u4: { bits: 4, kind: "int", signed: false, narrow: true },
  bool: { bits: 8, kind: "bool", signed: false, narrow: false },
};

export const DTYPE_NAMES = Object.keys(DTYPES) as readonly DType[];

/** How numpy, PyTorch and C spell them, in lower case. */
const OTHER_SPELLINGS: Readonly<Record<string, DType>> = {
  float: "f32",
  fp32: "f32",
  float32: "f32",
  half: "f16",
  fp16: "f16",
  float16: "f16",
  bfloat16: "bf16",
  fp8: "f8e4m3",
  e4m3: "f8e4m3",
  float8_e4m3fn: "f8e4m3",
  e5m2: "f8e5m2",
  float8_e5m2: "f8e5m2",
  int: "i32",
  int32: "i32",
  uint: "u32",
  uint32: "u32",
  int8: "i8",
  uint8: "u8",
  byte: "u8",
  int4: "i4",
  uint4: "u4",
  boolean: "bool",
};

/** The dtype that other libraries call so. */
export function dtypeSpelled(name: string): DType | undefined {
  const plain = name.toLowerCase();
  return Object.hasOwn(OTHER_SPELLINGS, plain) ? OTHER_SPELLINGS[plain] : undefined;
}

export function isDType(name: unknown): name is DType {
  return typeof name === "string" && Object.hasOwn(DTYPES, name);
}

export function isFloat(dtype: DType): boolean {
  return DTYPES[dtype].kind === "float";
}

export function isInt(dtype: DType): boolean {
  return DTYPES[dtype].kind === "int";
}

/** True for types without arithmetic: nf4, f4e2m1, f8e8m0. */
export function isStorage(dtype: DType): boolean {
  return DTYPES[dtype].storage === true;
}

/** The type that arithmetic on `dtype` is carried out in: f32 for narrow floats, i32 or u32 for narrow integers. */
export function computeDType(dtype: DType): DType {
  const info = DTYPES[dtype];
  if (!info.narrow) return dtype;
  if (info.kind === "float") return "f32";
  return info.signed ? "i32" : "u32";
}

/** Bytes that `count` elements take, rounded up to whole bytes. */
export function storageBytes(dtype: DType, count: number): number {
  return Math.ceil((DTYPES[dtype].bits * count) / 8);
}
