/** [codegen/targets/wgsl] WGSL types of registers, and constants as WGSL text. */
import { DTYPES, type DType, InternalError } from "../../../dsl/index.ts";
import type { RegType } from "../../ir/thread.ts";
import { encodeConstant } from "../../text/constant-bits.ts";
import { shortestFloat } from "../../text/float-literal.ts";
import { atom, call, type Fragment, PRECEDENCE } from "../../text/fragment.ts";

/** The types that WGSL computes with. */
export type WgslType = "f32" | "i32" | "u32" | "bool";

/** Narrow floats are raw bits in a u32, zero-extended; narrow integers hold their value. */
const REGISTER_TYPES: Readonly<Record<DType, WgslType>> = {
  f32: "f32",
  f16: "u32",
  bf16: "u32",
  f8e4m3: "u32",
  f8e5m2: "u32",
  f8e8m0: "u32",
  f4e2m1: "u32",
  nf4: "u32",
  i32: "i32",
  u32: "u32",
  i8: "i32",
  u8: "u32",
  i4: "i32",
  u4: "u32",
  bool: "bool",
};

/** @throws InternalError for i64, which WGSL lacks; passes for wgsl make none */
export function registerType(type: RegType): WgslType {
  if (type === "i64") {
    throw new InternalError({
      code: "TW9001",
      message: "thread IR for wgsl holds an i64",
      expected: "offsets in i32",
    });
  }
  return REGISTER_TYPES[type];
}

export function hexWord(bits: number): string {
  return `0x${(bits >>> 0).toString(16).padStart(8, "0")}u`;
}

/** A number that is no constant expression: a call hides the bits from constant evaluation, which refuses infinities and NaNs. */
export function hiddenFloat(value: number): Fragment {
  return call("tw_bits_f32", hexWord(encodeConstant(Math.fround(value), "f32")));
}

function floatLiteral(value: number): Fragment {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return hiddenFloat(single);
  const text = `${shortestFloat(single)}f`;
  return { text, precedence: text.startsWith("-") ? PRECEDENCE.unary : PRECEDENCE.atom };
}

/** A constant of register type `type`; narrow floats become their bits. */
export function literal(value: number, type: RegType): Fragment {
  const held = registerType(type);
  if (held === "f32") return floatLiteral(value);
  if (held === "bool") return atom(value !== 0 ? "true" : "false");
  if (held === "u32") {
    const isBits = type !== "i64" && DTYPES[type].kind === "float" && !Object.is(value, 0);
    return isBits ? atom(hexWord(encodeConstant(value, type))) : atom(`${value >>> 0}u`);
  }
  return { text: String(value), precedence: value < 0 ? PRECEDENCE.unary : PRECEDENCE.atom };
}
