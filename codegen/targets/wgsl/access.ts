/** [codegen/targets/wgsl] Reads and writes of word arrays: from element offsets to words, from words to elements. */
import { DTYPES, type DType } from "../../../dsl/index.ts";
import { encodeConstant } from "../../text/constant-bits.ts";
import { atom, call, type Fragment, infix, PRECEDENCE, wrap } from "../../text/fragment.ts";
import type { NamedArray } from "./context.ts";
import { hexWord, literal } from "./types.ts";

const MEMBERS = ["x", "y", "z", "w"] as const;

/** An element offset whose parts can be folded while they are constants. */
export interface Offset {
  /** i32 text, without `constant`; undefined where the offset is constant. */
  readonly varying: Fragment | undefined;
  readonly constant: number;
}

/** `(varying + constant) / 2^log + base`, all of it i32; the division is exact or drops the rest. */
function scaled(offset: Offset, log: number, base: number): Fragment {
  const { varying, constant } = offset;
  if (varying === undefined) return atom(String((constant >> log) + base));
  const sum = constant === 0 ? varying : infix("+", varying, atom(String(constant)));
  const index = log === 0 ? sum : infix(">>", sum, atom(`${log}u`));
  return base === 0 ? index : infix("+", index, atom(String(base)));
}

/** Position of an access: the first array element, and for less than a word the bits to shift by. */
export interface Place {
  readonly index: Fragment;
  /** u32; undefined where the access starts a word. */
  readonly shift: Fragment | undefined;
}

/**
 * @param base array element where the memory begins
 * @param width elements of the access
 */
export function placeOf(
  { array }: NamedArray,
  dtype: DType,
  offset: Offset,
  base: number,
  width: number,
): Place {
  const { bits } = DTYPES[dtype];
  const perWord = 32 / bits;
  const index = scaled(offset, Math.log2(perWord * array.unit), base);
  if ((width * bits) % 32 === 0) return { index, shift: undefined };
  const { varying, constant } = offset;
  if (varying === undefined) {
    return { index, shift: atom(`${(constant & (perWord - 1)) * bits}u`) };
  }
  const sum = constant === 0 ? varying : infix("+", varying, atom(String(constant)));
  const within = infix("&", call("u32", sum), atom(`${perWord - 1}u`));
  return { index, shift: infix("*", within, atom(`${bits}u`)) };
}

function plus(index: Fragment, count: number): Fragment {
  if (count === 0) return index;
  if (/^\d+$/.test(index.text)) return atom(String(Number(index.text) + count));
  return infix("+", index, atom(String(count)));
}

/** Where `mask` is false nothing but the first element is read, and `fill` (a value of the dtype) is given. */
export interface Guard {
  readonly mask: Fragment;
  readonly fill: number;
}

/** Every word of an array that holds `value` in all its elements, as a value of one array element. */
function fillText({ array }: NamedArray, dtype: DType, value: number): Fragment {
  const { bits } = DTYPES[dtype];
  const isOwn =
    bits === 32 && array.scalar === (dtype === "f32" || dtype === "i32" ? dtype : "u32");
  let word = isOwn ? literal(value, dtype) : undefined;
  if (word === undefined) {
    const code = BigInt(encodeConstant(value, dtype));
    let packed = 0n;
    for (let at = 0; at < 32; at += bits) packed |= code << BigInt(at);
    word = atom(packed === 0n ? "0u" : hexWord(Number(packed)));
  }
  return array.unit === 1 ? word : call(`vec${array.unit}<${array.scalar}>`, word);
}

/**
 * The array element at `index + nth`. Guarded reads do not branch: a row of branches is slow to compile (on SwiftShader exponentially so
 * inside a loop) and keeps loads from overlapping.
 */
export function elementText(
  named: NamedArray,
  dtype: DType,
  index: Fragment,
  nth: number,
  guard: Guard | undefined,
): Fragment {
  const plain = plus(index, nth);
  const at = guard === undefined ? plain : call("select", "0", plain, guard.mask);
  const element = `${named.text}[${at.text}]`;
  const read = atom(named.array.atomic ? `atomicLoad(&${element})` : element);
  if (guard === undefined) return read;
  return call("select", fillText(named, dtype, guard.fill), read, guard.mask);
}

/** The words of one array element that a name holds. */
export function wordsOf(named: NamedArray, vector: Fragment): readonly Fragment[] {
  const { unit } = named.array;
  return unit === 1 ? [vector] : MEMBERS.slice(0, unit).map((m) => atom(`${vector.text}.${m}`));
}

/** Element number `nth` of a word, as the register type of `dtype` holds it. */
export function unpackElement(
  named: NamedArray,
  dtype: DType,
  word: Fragment,
  nth: number,
): Fragment {
  const { bits, kind, signed } = DTYPES[dtype];
  const { scalar } = named.array;
  if (bits === 32) {
    const type = dtype === "f32" || dtype === "i32" ? dtype : "u32";
    return type === scalar ? word : call(`bitcast<${type}>`, word);
  }
  if (bits === 16) {
    return nth === 0 ? infix("&", word, atom("0xffffu")) : infix(">>", word, atom("16u"));
  }
  const source = kind === "int" && signed ? call("i32", word) : word;
  const value = call("extractBits", source, `${nth * bits}u`, `${bits}u`);
  return kind === "bool" ? infix("!=", value, atom("0u")) : value;
}

/** The bits of one element, at the bottom of a u32. */
function elementBits(dtype: DType, element: Fragment): Fragment {
  const { bits, kind } = DTYPES[dtype];
  if (kind === "bool") return call("u32", element);
  if (kind === "float" || bits === 32) return element;
  const word = dtype === "u8" || dtype === "u4" ? element : call("u32", element);
  return infix("&", word, atom(`${2 ** bits - 1}u`));
}

/** Elements put together from bit 0 on, as a word of the array. */
export function packWord(named: NamedArray, dtype: DType, elements: readonly Fragment[]): Fragment {
  const { bits } = DTYPES[dtype];
  const [first, ...rest] = elements;
  if (first === undefined) return atom("0u");
  if (bits === 32) {
    const type = dtype === "f32" || dtype === "i32" ? dtype : "u32";
    return type === named.array.scalar ? first : call(`bitcast<${named.array.scalar}>`, first);
  }
  if (rest.length === 0) return elementBits(dtype, first);
  const moved = rest.map((element, i) =>
    infix("<<", elementBits(dtype, element), atom(`${(i + 1) * bits}u`)),
  );
  // WGSL chains one bit operator without parentheses, its operands are unary.
  const parts = [elementBits(dtype, first), ...moved].map((part) => wrap(part, PRECEDENCE.unary));
  return { text: parts.join(" | "), precedence: PRECEDENCE.bits };
}

/** One array element from its words. */
export function vectorText(named: NamedArray, words: readonly Fragment[]): Fragment {
  const { unit, scalar } = named.array;
  const [only] = words;
  if (unit === 1 && only !== undefined) return only;
  return call(`vec${unit}<${scalar}>`, ...words);
}

/** The statement that stores a whole array element. */
export function storeText(
  named: NamedArray,
  index: Fragment,
  nth: number,
  value: Fragment,
): string {
  const element = `${named.text}[${plus(index, nth).text}]`;
  return named.array.atomic
    ? `atomicStore(&${element}, ${value.text});`
    : `${element} = ${value.text};`;
}
