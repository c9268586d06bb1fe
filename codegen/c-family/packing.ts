/** [codegen/c-family] How elements lie in the words of a vector access: taking them out, putting them together. Pure text. */
import { DTYPES, type DType } from "../../dsl/index.ts";
import { encodeConstant } from "../text/constant-bits.ts";
import { atom, call, type Fragment, infix } from "../text/fragment.ts";
import { convert } from "./casts.ts";
import { hex, literal } from "./literals.ts";
import { type AccessBytes, accessType, MEMBERS } from "./types.ts";

/** Number of words of an access, and the bits of each. */
function wordsOf(bytes: AccessBytes): { readonly count: number; readonly bits: number } {
  return bytes >= 4 ? { count: bytes / 4, bits: 32 } : { count: 1, bits: bytes * 8 };
}

function shifted(word: Fragment, bits: number): Fragment {
  return bits === 0 ? word : infix(">>", word, atom(String(bits)));
}

/** Name of the function that takes the low 4 bits of a word as an element. */
export function nibbleOf(dtype: DType): string {
  return dtype === "i4" ? "tw_sext_i4" : "tw_zext_u4";
}

/** Element at bit `shift` of a word of `wordBits` bits. */
function unpackElement(dtype: DType, word: Fragment, shift: number, wordBits: number): Fragment {
  const { bits, kind } = DTYPES[dtype];
  if (bits === 32) return word;
  if (bits === 4) return call(nibbleOf(dtype), shifted(word, shift));
  if (kind === "bool") {
    const byte = wordBits === 8 ? word : call("tw_byte", word, `${shift / 8}u`);
    return infix("!=", byte, atom(wordBits === 8 ? "0" : "0u"));
  }
  if (bits === wordBits) {
    return dtype === "i8" ? convert("i8", word) : word;
  }
  if (bits === 16) return call(shift === 0 ? "tw_u16x2_lo" : "tw_u16x2_hi", word);
  if (dtype === "i8") return call("tw_sext_i8", shifted(word, shift));
  return call("tw_byte", word, `${shift / 8}u`);
}

/**
 * Elements of one access, in order.
 * @param vector the value of type `accessType(dtype, bytes)`
 */
export function unpack(dtype: DType, bytes: AccessBytes, vector: Fragment): readonly Fragment[] {
  const { count, bits } = wordsOf(bytes);
  const perWord = bits / DTYPES[dtype].bits;
  return Array.from({ length: count * perWord }, (_, i) => {
    const member = MEMBERS[Math.floor(i / perWord)] ?? "x";
    const word = count === 1 ? vector : atom(`${vector.text}.${member}`);
    return unpackElement(dtype, word, (i % perWord) * DTYPES[dtype].bits, bits);
  });
}

/** A byte from one 8-bit element or two 4-bit ones, as a u32 expression. */
function packByte(dtype: DType, elements: readonly Fragment[]): Fragment {
  const [low, high] = elements;
  if (low === undefined) return atom("0u");
  if (DTYPES[dtype].bits === 8 || high === undefined) return low;
  const nibble = (x: Fragment): Fragment => call("tw_zext_u4", x);
  return infix("|", nibble(low), infix("<<", nibble(high), atom("4")));
}

function packWord(dtype: DType, elements: readonly Fragment[], wordBits: number): Fragment {
  const { bits } = DTYPES[dtype];
  const [first, second] = elements;
  if (first === undefined) return atom("0u");
  if (bits === 32) return first;
  if (bits === 16) {
    return second === undefined ? first : call("tw_pack_u16x2", first, second);
  }
  const perByte = 8 / bits;
  const bytes = Array.from({ length: wordBits / 8 }, (_, i) =>
    packByte(dtype, elements.slice(i * perByte, (i + 1) * perByte)),
  );
  if (wordBits === 8) return convert("u8", bytes[0] ?? atom("0u"));
  const [a, b, c, d] = bytes;
  if (a === undefined || b === undefined) return atom("0u");
  const packed = call("tw_pack_u8x4", a, b, c ?? atom("0u"), d ?? atom("0u"));
  return wordBits === 16 ? convert("u16", packed) : packed;
}

/** One value of type `accessType(dtype, bytes)` that holds the elements. */
export function pack(dtype: DType, bytes: AccessBytes, elements: readonly Fragment[]): Fragment {
  const { count, bits } = wordsOf(bytes);
  const perWord = bits / DTYPES[dtype].bits;
  const words = Array.from({ length: count }, (_, i) =>
    packWord(dtype, elements.slice(i * perWord, (i + 1) * perWord), bits),
  );
  const [only] = words;
  if (count === 1 && only !== undefined) return only;
  return atom(`${accessType(dtype, bytes)}{${words.map((word) => word.text).join(", ")}}`);
}

/** `pack` of one constant in every element. */
export function packConstant(dtype: DType, bytes: AccessBytes, value: number): Fragment {
  const { bits } = DTYPES[dtype];
  const { count, bits: wordBits } = wordsOf(bytes);
  const element = bits === 32 ? literal(value, dtype) : undefined;
  if (element !== undefined) {
    const values = Array.from({ length: count }, () => element.text).join(", ");
    return count === 1 ? element : atom(`${accessType(dtype, bytes)}{${values}}`);
  }
  const code = BigInt(encodeConstant(value, dtype));
  let word = 0n;
  for (let shift = 0; shift < wordBits; shift += bits) word |= code << BigInt(shift);
  const digits = word === 0n ? "0" : hex(Number(word), wordBits / 4);
  const text = `${digits}${wordBits === 32 ? "u" : ""}`;
  if (count === 1)
    return wordBits === 32 ? atom(text) : convert(accessType(dtype, bytes), atom(text));
  const values = Array.from({ length: count }, () => text).join(", ");
  return atom(`${accessType(dtype, bytes)}{${values}}`);
}
