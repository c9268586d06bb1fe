/** [codegen/ir] Reads expressions of the thread IR's text. Types follow from the leaves, so the text spells only those of constants. */
import {
  BINARY_FNS,
  type BinaryFn,
  COMPARE_FNS,
  type CompareFn,
  DTYPE_NAMES,
  type DType,
  UNARY_FNS,
} from "../../dsl/index.ts";
import { INFIX } from "./print-thread.ts";
import type { Expr, RegType } from "./thread.ts";
import type { ThreadTokens } from "./thread-tokens.ts";

/** Types of what expressions name. */
export interface ThreadNames {
  readonly regs: Map<string, RegType>;
  readonly params: ReadonlyMap<string, DType>;
}

export const REG_TYPES: readonly RegType[] = [...DTYPE_NAMES, "i64"];

const SPECIALS = [
  "thread",
  "lane",
  "warp",
  "pid0",
  "pid1",
  "pid2",
  "programs0",
  "programs1",
  "programs2",
  "grid0",
  "grid1",
  "grid2",
  "rank",
] as const;

const INFIX_OPS = (
  Object.entries(INFIX) as [BinaryFn | CompareFn, readonly [string, number]][]
).map(([fn, [op, strength]]) => ({ fn, op, strength }));

function isCompare(fn: BinaryFn | CompareFn): fn is CompareFn {
  return (COMPARE_FNS as readonly string[]).includes(fn);
}

function combine(fn: BinaryFn | CompareFn, a: Expr, b: Expr): Expr {
  return isCompare(fn)
    ? { kind: "compare", type: "bool", fn, a, b }
    : { kind: "binary", type: a.type, fn, a, b };
}

/** `12`, `1.5`, `inf`, `3:u32`; the sign was taken already. */
function readConst(t: ThreadTokens, negative: boolean): Expr {
  const isWord = t.isNext("inf") || t.isNext("nan");
  if (!isWord && !t.isNumber()) return t.fail("a number");
  const text = t.take();
  const size =
    text === "inf" ? Number.POSITIVE_INFINITY : text === "nan" ? Number.NaN : Number(text);
  const value = negative ? -size : size;
  if (t.accept(":")) return { kind: "const", type: t.oneOf(REG_TYPES, "a type"), value };
  const type = isWord || /[.e]/.test(text) ? "f32" : "i32";
  return { kind: "const", type, value };
}

function readArgs(t: ThreadTokens, names: ThreadNames, count: number): Expr[] {
  t.expect("(");
  const args = t.list(")", () => readExpr(t, names));
  return args.length === count ? args : t.fail(`${count} arguments`);
}

function readCall(t: ThreadTokens, names: ThreadNames): Expr {
  const word = t.take();
  const cast = REG_TYPES.find((type) => type === word);
  const bits = REG_TYPES.find((type) => `bits_${type}` === word);
  const unary = UNARY_FNS.find((fn) => fn === word);
  const binary = [...BINARY_FNS, ...COMPARE_FNS].find((fn) => fn === word);
  const count = word === "fma" || word === "select" ? 3 : binary || word === "pack" ? 2 : 1;
  const [a, b, c] = readArgs(t, names, count);
  if (a === undefined) return t.fail("an argument");
  if (cast !== undefined) return { kind: "cast", type: cast, x: a };
  if (bits !== undefined) return { kind: "bitcast", type: bits, x: a };
  if (unary !== undefined) return { kind: "unary", type: a.type, fn: unary, x: a };
  if (b === undefined) return t.fail(`a known function, not ${word}`);
  if (binary !== undefined) return combine(binary, a, b);
  if (word === "pack") return { kind: "pack", type: "u32", lo: a, hi: b };
  if (c === undefined) return t.fail(`a known function, not ${word}`);
  return word === "fma"
    ? { kind: "fma", type: "f32", a, b, c }
    : { kind: "select", type: b.type, cond: a, a: b, b: c };
}

function readReg(t: ThreadTokens, names: ThreadNames): Expr {
  const name = t.name();
  const type = names.regs.get(name);
  if (type === undefined) return t.fail("a declared register", 1);
  if (!t.accept("[")) return { kind: "reg", type, name };
  const index = readExpr(t, names);
  t.expect("]");
  return { kind: "reg", type, name, index };
}

function readOperand(t: ThreadTokens, names: ThreadNames): Expr {
  if (t.accept("(")) {
    const inner = readExpr(t, names);
    t.expect(")");
    return inner;
  }
  if (t.accept("-")) return readConst(t, true);
  if (t.isNumber() || t.isNext("inf") || t.isNext("nan")) return readConst(t, false);
  if (t.accept("true")) return { kind: "const", type: "bool", value: 1 };
  if (t.accept("false")) return { kind: "const", type: "bool", value: 0 };
  if (t.accept("@")) return { kind: "special", type: "i32", name: t.oneOf(SPECIALS, "an index") };
  if (t.accept("#")) return { kind: "dim", type: "i32", name: t.name() };
  if (t.accept("$")) {
    const name = t.name();
    const type = names.params.get(name);
    return type === undefined ? t.fail("a scalar parameter") : { kind: "param", type, name };
  }
  return t.isWord() && t.isAfterNext("(") ? readCall(t, names) : readReg(t, names);
}

/** An expression whose outermost operator binds at least as strong as `strength`. */
export function readExpr(t: ThreadTokens, names: ThreadNames, strength = 0): Expr {
  let left = readOperand(t, names);
  for (;;) {
    const op = t.peekOp();
    const infix = INFIX_OPS.find((row) => row.op === op);
    if (infix === undefined || infix.strength < strength) return left;
    t.take();
    left = combine(infix.fn, left, readExpr(t, names, infix.strength + 1));
  }
}
