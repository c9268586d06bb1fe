/** [dsl/interpreter] JavaScript text of elementwise functions on one element, by dtype. Names in it come from library.ts. */
import { DTYPES, type DType, isFloat } from "../core/dtype.ts";
import { roundTo } from "../core/rounding.ts";
import type { BinaryFn, CompareFn, UnaryFn } from "../ir/primitives.ts";

/** Arguments of checked integer arithmetic: number of the op and of the element, as text; undefined without checks. */
export type Site = string | undefined;

/** Rounds a number in double precision to a float dtype. */
export function roundText(dtype: DType, text: string): string {
  switch (dtype) {
    case "f32":
      return `Math.fround(${text})`;
    case "f16":
      return `roundF16(${text})`;
    case "bf16":
      return `roundBf16(${text})`;
    case "f8e4m3":
      return `roundF8e4m3(${text})`;
    case "f8e5m2":
      return `roundF8e5m2(${text})`;
    case "f8e8m0":
      return `roundF8e8m0(${text})`;
    case "f4e2m1":
      return `roundF4e2m1(${text})`;
    case "nf4":
      return `roundNf4(${text})`;
    default:
      return text;
  }
}

/** Wraps an integer to an int dtype. */
export function wrapText(dtype: DType, text: string): string {
  switch (dtype) {
    case "i32":
      return `(${text} | 0)`;
    case "u32":
      return `(${text} >>> 0)`;
    case "i8":
      return `((${text}) << 24 >> 24)`;
    case "u8":
      return `((${text}) & 255)`;
    case "i4":
      return `((${text}) << 28 >> 28)`;
    case "u4":
      return `((${text}) & 15)`;
    default:
      return text;
  }
}

const FLOAT_UNARY: Readonly<
  Record<Exclude<UnaryFn, "neg" | "not" | "abs">, (x: string) => string>
> = {
  exp: (x) => `Math.exp(${x})`,
  exp2: (x) => `Math.exp(${x} * Math.LN2)`,
  log: (x) => `Math.log(${x})`,
  log2: (x) => `Math.log2(${x})`,
  sqrt: (x) => `Math.sqrt(${x})`,
  rsqrt: (x) => `(1 / Math.sqrt(${x}))`,
  sin: (x) => `Math.sin(${x})`,
  cos: (x) => `Math.cos(${x})`,
  tanh: (x) => `Math.tanh(${x})`,
  erf: (x) => `erf(${x})`,
  floor: (x) => `Math.floor(${x})`,
  ceil: (x) => `Math.ceil(${x})`,
  round: (x) => `roundEven(${x})`,
};

export function unaryText(fn: UnaryFn, dtype: DType, x: string, site: Site): string {
  if (fn === "neg") return negText(dtype, x, site);
  if (fn === "not") return dtype === "bool" ? `(${x} ^ 1)` : wrapText(dtype, `~${x}`);
  if (fn === "abs") {
    if (isFloat(dtype) || !DTYPES[dtype].signed) return `Math.abs(${x})`;
    if (dtype === "i32" && site !== undefined) return `checkedI32(Math.abs(${x}), ${site})`;
    return wrapText(dtype, `Math.abs(${x})`);
  }
  return roundText(dtype, FLOAT_UNARY[fn](x));
}

function negText(dtype: DType, x: string, site: Site): string {
  if (isFloat(dtype)) return `(-${x})`;
  if (dtype === "i32" && site !== undefined) return `checkedI32(0 - ${x}, ${site})`;
  return wrapText(dtype, `0 - ${x}`);
}

function floatBinary(fn: BinaryFn, dtype: DType, a: string, b: string): string {
  switch (fn) {
    case "add":
      return roundText(dtype, `${a} + ${b}`);
    case "sub":
      return roundText(dtype, `${a} - ${b}`);
    case "mul":
      return roundText(dtype, `${a} * ${b}`);
    case "div":
      return roundText(dtype, `${a} / ${b}`);
    case "min":
      return `floatMin(${a}, ${b})`;
    case "max":
      return `floatMax(${a}, ${b})`;
    default:
      return `unreachable("${fn} of ${dtype}")`;
  }
}

const CHECKED_OPERATORS: Readonly<Partial<Record<BinaryFn, string>>> = {
  add: "+",
  sub: "-",
  mul: "*",
};

/** A shift count modulo the width. JavaScript takes 32-bit counts so by itself. */
function countText(dtype: DType, count: string): string {
  const { bits } = DTYPES[dtype];
  return bits === 32 ? count : `(${count} & ${bits - 1})`;
}

function intBinary(fn: BinaryFn, dtype: DType, a: string, b: string, site: Site): string {
  const operator = CHECKED_OPERATORS[fn];
  if (site !== undefined && dtype === "i32" && operator !== undefined) {
    return `checkedI32(${a} ${operator} ${b}, ${site})`;
  }
  const suffix = site === undefined ? ")" : `, ${site})`;
  const checked = site === undefined ? "" : "Checked";
  switch (fn) {
    case "add":
      return wrapText(dtype, `(${a} + ${b})`);
    case "sub":
      return wrapText(dtype, `(${a} - ${b})`);
    case "mul":
      return wrapText(dtype, `Math.imul(${a}, ${b})`);
    case "floordiv":
      return wrapText(dtype, `floordiv${checked}(${a}, ${b}${suffix}`);
    case "mod":
      return wrapText(dtype, `floormod${checked}(${a}, ${b}${suffix}`);
    case "min":
      return `Math.min(${a}, ${b})`;
    case "max":
      return `Math.max(${a}, ${b})`;
    case "and":
      return wrapText(dtype, `(${a} & ${b})`);
    case "or":
      return wrapText(dtype, `(${a} | ${b})`);
    case "xor":
      return wrapText(dtype, `(${a} ^ ${b})`);
    case "shl":
      return wrapText(dtype, `(${a} << ${countText(dtype, b)})`);
    case "shr": {
      const shifted = DTYPES[dtype].signed ? ">>" : ">>>";
      return wrapText(dtype, `(${a} ${shifted} ${countText(dtype, b)})`);
    }
    case "mulhi":
      return `mulhi(${a}, ${b})`;
    case "div":
      return `unreachable("div of ${dtype}")`;
    default:
      return fn satisfies never;
  }
}

/** Operands must be atoms or parenthesised. */
export function binaryText(fn: BinaryFn, dtype: DType, a: string, b: string, site: Site): string {
  if (isFloat(dtype)) return floatBinary(fn, dtype, a, b);
  return intBinary(fn, dtype, a, b, site);
}

const COMPARE_OPERATORS: Readonly<Record<CompareFn, string>> = {
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  eq: "===",
  ne: "!==",
};

export function compareText(fn: CompareFn, a: string, b: string): string {
  return `(${a} ${COMPARE_OPERATORS[fn]} ${b} ? 1 : 0)`;
}

/** Least and greatest value of an int dtype. */
export function intRange(dtype: DType): readonly [number, number] {
  const { bits, signed } = DTYPES[dtype];
  return signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

/** Conversion by value. Ints reach narrow floats through f32. */
export function castText(from: DType, to: DType, x: string): string {
  if (from === to) return x;
  if (to === "bool") return `(${x} !== 0 ? 1 : 0)`;
  if (from === "bool") return x;
  if (isFloat(to)) return isFloat(from) && to === "f32" ? x : roundText(to, x);
  if (!isFloat(from)) return wrapText(to, x);
  const [low, high] = intRange(to);
  return `saturate(${x}, ${low}, ${high})`;
}

export function bitcastText(from: DType, to: DType, x: string): string {
  if (from === to) return x;
  if (from === "f32") return to === "i32" ? `bitsOfF32(${x})` : `(bitsOfF32(${x}) >>> 0)`;
  return to === "f32" ? `f32OfBits(${x})` : wrapText(to, x);
}

/** A number, rounded to the dtype, as a literal that can stand anywhere in an expression. */
export function literalText(dtype: DType, value: number): string {
  const exact = roundTo(dtype, value);
  const text = Object.is(exact, -0) ? "-0" : String(exact);
  return text.startsWith("-") ? `(${text})` : text;
}

/** Value of the stored element number `at` of the typed array `data`. */
export function decodeText(dtype: DType, data: string, at: string): string {
  switch (dtype) {
    case "f16":
      return `F16[${data}[${at}]]`;
    case "bf16":
      return `bf16Value(${data}[${at}])`;
    case "f8e4m3":
      return `F8E4M3[${data}[${at}]]`;
    case "f8e5m2":
      return `F8E5M2[${data}[${at}]]`;
    case "f8e8m0":
      return `F8E8M0[${data}[${at}]]`;
    case "f4e2m1":
      return `f4e2m1Value(loadU4(${data}, ${at}))`;
    case "nf4":
      return `nf4Value(loadU4(${data}, ${at}))`;
    case "i4":
      return `loadI4(${data}, ${at})`;
    case "u4":
      return `loadU4(${data}, ${at})`;
    case "f32":
    case "i32":
    case "u32":
    case "i8":
    case "u8":
    case "bool":
      return `${data}[${at}]`;
    default:
      return dtype satisfies never;
  }
}

/** Statement that stores `value`, already of the dtype, as element number `at` of `data`. */
export function encodeText(dtype: DType, data: string, at: string, value: string): string {
  switch (dtype) {
    case "f16":
      return `${data}[${at}] = f16Bits(${value});`;
    case "bf16":
      return `${data}[${at}] = bf16Bits(${value});`;
    case "f8e4m3":
      return `${data}[${at}] = f8e4m3Bits(${value});`;
    case "f8e5m2":
      return `${data}[${at}] = f8e5m2Bits(${value});`;
    case "f8e8m0":
      return `${data}[${at}] = f8e8m0Bits(${value});`;
    case "f4e2m1":
      return `storeNibble(${data}, ${at}, f4e2m1Bits(${value}));`;
    case "nf4":
      return `storeNibble(${data}, ${at}, nf4Bits(${value}));`;
    case "i4":
    case "u4":
      return `storeNibble(${data}, ${at}, ${value});`;
    case "f32":
    case "i32":
    case "u32":
    case "i8":
    case "u8":
    case "bool":
      return `${data}[${at}] = ${value};`;
    default:
      return dtype satisfies never;
  }
}
