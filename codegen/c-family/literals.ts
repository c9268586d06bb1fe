/** [codegen/c-family] Constants as C text. The value is exact: what is printed reads back as the same bits. */
import { DTYPES } from "../../dsl/index.ts";
import type { RegType } from "../ir/thread.ts";
import { encodeConstant } from "../text/constant-bits.ts";
import { shortestFloat } from "../text/float-literal.ts";
import { atom, call, type Fragment, PRECEDENCE } from "../text/fragment.ts";

export function hex(bits: number, digits: number): string {
  return `0x${(bits >>> 0).toString(16).padStart(digits, "0")}`;
}

function floatLiteral(value: number): Fragment {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) {
    return call("tw_bits_f32", `${hex(encodeConstant(single, "f32"), 8)}u`);
  }
  const text = `${shortestFloat(single)}f`;
  return { text, precedence: text.startsWith("-") ? PRECEDENCE.unary : PRECEDENCE.atom };
}

function integerLiteral(value: number, type: "i32" | "i64"): Fragment {
  const suffix = type === "i64" ? "ll" : "";
  // The most negative i32 has no literal of its own: the minus is an operator.
  if (type === "i32" && value === -2147483648) {
    return { text: "-2147483647 - 1", precedence: PRECEDENCE.sum };
  }
  const text = `${value}${suffix}`;
  return { text, precedence: value < 0 ? PRECEDENCE.unary : PRECEDENCE.atom };
}

/** A constant of register type `type`; narrow floats become their bits. */
export function literal(value: number, type: RegType): Fragment {
  if (type === "f32") return floatLiteral(value);
  if (type === "bool") return atom(value !== 0 ? "true" : "false");
  if (type === "i64") return integerLiteral(value, "i64");
  if (type === "u32") return atom(`${value >>> 0}u`);
  if (DTYPES[type].kind === "float") {
    const bits = encodeConstant(value, type); // of nf4's 0 it is 7
    return atom(bits === 0 ? "0" : hex(bits, DTYPES[type].bits / 4));
  }
  return integerLiteral(value, "i32");
}
