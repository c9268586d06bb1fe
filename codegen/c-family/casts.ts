/** [codegen/c-family] Conversions by value and by bits between register types, spelled for CUDA and HIP. */
import { DTYPES, InternalError } from "../../dsl/index.ts";
import type { RegType } from "../ir/thread.ts";
import { atom, call, type Fragment, infix, PRECEDENCE, ternary, wrap } from "../text/fragment.ts";

/** `(type)x`. */
export function convert(type: string, x: Fragment): Fragment {
  return { text: `(${type})${wrap(x, PRECEDENCE.unary)}`, precedence: PRECEDENCE.unary };
}

type Wide = "f32" | "i32" | "u32" | "i64" | "bool";

/** The computing type whose value a register of `type` has once widened. */
function wideOf(type: RegType): Wide {
  if (type === "i64" || type === "bool") return type;
  const { kind, signed } = DTYPES[type];
  return kind === "float" ? "f32" : signed ? "i32" : "u32";
}

/** Narrow floats as f32; narrow integers already have their value. */
function widen(x: Fragment, from: RegType): Fragment {
  if (from === "i64" || from === "f32" || DTYPES[from].kind !== "float") return x;
  return call(`tw_${from}_to_f32`, x);
}

const FLOAT_TO_INT_LIMITS: Partial<Readonly<Record<RegType, readonly [string, string]>>> = {
  i8: ["-128", "127"],
  u8: ["0u", "255u"],
  i4: ["-8", "7"],
  u4: ["0u", "15u"],
};

/** Truncates and saturates to the range of `to`; NaN gives 0. */
function floatToInt(x: Fragment, to: RegType): Fragment {
  const wide = wideOf(to) === "u32" ? "u32" : "i32";
  const whole = call(`tw_f32_to_${wide}`, x);
  const limits = FLOAT_TO_INT_LIMITS[to];
  if (limits === undefined) return to === "i64" ? convert("i64", whole) : whole;
  return call(`tw_min_${wide}`, call(`tw_max_${wide}`, whole, limits[0]), limits[1]);
}

const WRAP: Partial<Readonly<Record<RegType, string>>> = {
  i8: "tw_sext_i8",
  u8: "tw_zext_u8",
  i4: "tw_sext_i4",
  u4: "tw_zext_u4",
};

/** Integer to integer keeps the low bits. */
function intToInt(x: Fragment, from: Wide, to: RegType): Fragment {
  const narrow = WRAP[to];
  if (narrow !== undefined) return call(narrow, from === "u32" ? x : convert("u32", x));
  return from === to ? x : convert(to, x);
}

function intToFloat(x: Fragment, from: Wide): Fragment {
  if (from === "bool") return ternary(x, atom("1.0f"), atom("0.0f"));
  if (from === "i64") return convert("f32", x);
  return call(from === "u32" ? "tw_u32_to_f32" : "tw_i32_to_f32", x);
}

/** Conversion by value under the rules of the tile IR's cast. */
export function castFragment(x: Fragment, from: RegType, to: RegType): Fragment {
  if (from === to) return x;
  const wide = widen(x, from);
  const source = wideOf(from);
  const target = wideOf(to);
  if (to === "bool") {
    return infix("!=", wide, atom(source === "f32" ? "0.0f" : source === "u32" ? "0u" : "0"));
  }
  if (target === "f32") {
    const single = source === "f32" ? wide : intToFloat(wide, source);
    return to === "f32" ? single : call(`tw_f32_to_${to}`, single);
  }
  if (source === "f32") return floatToInt(wide, to);
  if (source === "bool") {
    const one = target === "u32" ? "1u" : "1";
    return ternary(wide, atom(one), atom(target === "u32" ? "0u" : "0"));
  }
  return intToInt(wide, source, to);
}

/** The same bits in a register type of the same width. */
export function bitcastFragment(x: Fragment, from: RegType, to: RegType): Fragment {
  if (from === to) return x;
  const sameWidth = from !== "i64" && to !== "i64" && DTYPES[from].bits === DTYPES[to].bits;
  if (!sameWidth) {
    throw new InternalError({ code: "TW9001", message: `no bitcast from ${from} to ${to}` });
  }
  if (from === "f32")
    return to === "u32" ? call("tw_f32_bits", x) : convert(to, call("tw_f32_bits", x));
  if (to === "f32") return call("tw_bits_f32", from === "u32" ? x : convert("u32", x));
  if (DTYPES[to].bits === 32) return convert(to, x);
  const signed = WRAP[to];
  return signed === undefined ? x : call(signed, convert("u32", x));
}
