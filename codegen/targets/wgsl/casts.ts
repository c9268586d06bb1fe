/** [codegen/targets/wgsl] Conversions by value and by bits between register types as WGSL text. */
import { DTYPES, InternalError } from "../../../dsl/index.ts";
import type { RegType } from "../../ir/thread.ts";
import { atom, call, type Fragment, infix, prefix } from "../../text/fragment.ts";
import { registerType, type WgslType } from "./types.ts";

function bitsOf(type: RegType): number {
  return type === "i64" ? 64 : DTYPES[type].bits;
}

function isFloatType(type: RegType): boolean {
  return type !== "i64" && DTYPES[type].kind === "float";
}

/** Narrow floats as f32; everything else holds its value already. */
function widen(x: Fragment, from: RegType): Fragment {
  return from !== "f32" && isFloatType(from) ? call(`tw_${from}_to_f32`, x) : x;
}

/** Truncates and saturates to the range of `to`; NaN gives 0. */
function floatToInt(x: Fragment, to: RegType, held: WgslType): Fragment {
  const whole = call(`tw_f32_to_${held}`, x);
  const bits = bitsOf(to);
  if (bits === 32) return whole;
  if (held === "u32") return call("min", whole, `${2 ** bits - 1}u`);
  const most = 2 ** (bits - 1);
  return call("clamp", whole, `${-most}`, `${most - 1}`);
}

/** A negative number without a type has no place in u32; of one with a type the bits are taken. */
function typedInteger(x: Fragment): Fragment {
  return /^-\d+$/.test(x.text) ? call("i32", x) : x;
}

/** Keeps the low bits, extended as `to` wants. */
function wrapInt(x: Fragment, to: RegType, held: WgslType): Fragment {
  const word = call(held, typedInteger(x));
  const bits = bitsOf(to);
  return bits === 32 ? word : call("extractBits", word, "0u", `${bits}u`);
}

/** Conversion by value under the rules of the tile IR's cast. */
export function castFragment(x: Fragment, from: RegType, to: RegType): Fragment {
  if (from === to) return x;
  const wide = widen(x, from);
  const held = registerType(to);
  const fromFloat = isFloatType(from);
  if (to === "bool") {
    // SwiftShader takes `x != 0.0` for false where x is a NaN.
    if (fromFloat) return prefix("!", infix("==", wide, atom("0.0f")));
    return infix("!=", wide, atom(registerType(from) === "u32" ? "0u" : "0"));
  }
  if (isFloatType(to)) {
    const single = fromFloat ? wide : call(from === "u32" ? "tw_u32_to_f32" : "f32", wide);
    return to === "f32" ? single : call(`tw_f32_to_${to}`, single);
  }
  if (fromFloat) return floatToInt(wide, to, held);
  if (from === "bool") return call(held, wide);
  const fits = bitsOf(from) <= bitsOf(to) && registerType(from) === held;
  return fits ? wide : wrapInt(wide, to, held);
}

/** The same bits in a register type of the same width. */
export function bitcastFragment(x: Fragment, from: RegType, to: RegType): Fragment {
  if (from === to) return x;
  if (bitsOf(from) !== bitsOf(to)) {
    throw new InternalError({ code: "TW9001", message: `no bitcast from ${from} to ${to}` });
  }
  const source = registerType(from);
  const target = registerType(to);
  if (bitsOf(to) < 32) {
    if (source === target) return x;
    return target === "i32"
      ? call("extractBits", call("i32", x), "0u", `${bitsOf(to)}u`)
      : wrapInt(x, to, "u32");
  }
  if (target === "f32" && /^\d|^-|^0x/.test(x.text))
    return call("tw_bits_f32", call("u32", typedInteger(x)));
  return call(`bitcast<${target}>`, x);
}
