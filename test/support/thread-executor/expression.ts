/** [test/support] Thread IR expressions as JavaScript text over the value of one thread `t`. */

import type { Expr, RegType } from "../../../codegen/ir/thread.ts";
import type { BinaryFn, UnaryFn } from "../../../dsl/index.ts";

/** How the text names what an expression reads. */
export interface TextNames {
  /** A register's element for thread t; `index` is text. */
  register(name: string, index: string | undefined): string;
}

const UNARY_FLOAT: Readonly<Partial<Record<UnaryFn, string>>> = {
  exp: "Math.exp",
  exp2: "m.exp2",
  log: "Math.log",
  log2: "Math.log2",
  sqrt: "Math.sqrt",
  rsqrt: "m.rsqrt",
  sin: "Math.sin",
  cos: "Math.cos",
  tanh: "Math.tanh",
  erf: "m.erf",
  floor: "Math.floor",
  ceil: "Math.ceil",
  round: "m.roundEven",
};

/** Text of a number of a type, wrapped or rounded to it. */
function wrapTo(type: RegType, text: string): string {
  switch (type) {
    case "f32":
      return `Math.fround(${text})`;
    case "i32":
      return `((${text})|0)`;
    case "u32":
      return `((${text})>>>0)`;
    default:
      return `(${text})`;
  }
}

function unaryText(fn: UnaryFn, type: RegType, x: string): string {
  if (fn === "neg") return wrapTo(type, `-${x}`);
  if (fn === "abs") return wrapTo(type, `Math.abs(${x})`);
  if (fn === "not") return type === "bool" ? `(${x}^1)` : wrapTo(type, `~${x}`);
  return wrapTo(type, `${UNARY_FLOAT[fn]}(${x})`);
}

const INFIX: Readonly<Partial<Record<BinaryFn, string>>> = {
  add: "+",
  sub: "-",
  div: "/",
  and: "&",
  or: "|",
  xor: "^",
};

function binaryText(fn: BinaryFn, type: RegType, a: string, b: string): string {
  const infix = INFIX[fn];
  if (infix !== undefined) return wrapTo(type, `${a}${infix}${b}`);
  switch (fn) {
    case "mul":
      if (type === "i32") return `Math.imul(${a},${b})`;
      return type === "u32" ? `(Math.imul(${a},${b})>>>0)` : wrapTo(type, `${a}*${b}`);
    case "floordiv":
      return `m.floordiv(${a},${b})`;
    case "mod":
      return `m.mod(${a},${b})`;
    case "min":
    case "max":
      return type === "f32" ? `m.${fn}(${a},${b})` : `Math.${fn}(${a},${b})`;
    case "shl":
      return wrapTo(type, `${a}<<${b}`);
    case "shr":
      return type === "u32" ? `(${a}>>>${b})` : `(${a}>>${b})`;
    case "mulhi":
      return `m.mulhi(${a},${b})`;
    default:
      throw new Error(`executor: ${fn} on ${type}`);
  }
}

const COMPARE = { lt: "<", le: "<=", gt: ">", ge: ">=", eq: "===", ne: "!==" } as const;

export function constantText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "(-Infinity)";
  return Object.is(value, -0) ? "(-0)" : `(${value})`;
}

export function expressionText(e: Expr, names: TextNames): string {
  const text = (x: Expr): string => expressionText(x, names);
  switch (e.kind) {
    case "const":
      return e.type === "f32" ? constantText(Math.fround(e.value)) : constantText(e.value);
    case "reg":
      return names.register(e.name, e.index === undefined ? undefined : text(e.index));
    case "special":
      if (e.name === "thread") return "t";
      if (e.name === "lane") return "(t%W)";
      return e.name === "warp" ? "((t/W)|0)" : `m.${e.name}`;
    case "dim":
      return `m.dim(${JSON.stringify(e.name)})`;
    case "param":
      return `m.scalar(${JSON.stringify(e.name)})`;
    case "unary":
      return unaryText(e.fn, e.type, text(e.x));
    case "binary":
      return binaryText(e.fn, e.type, text(e.a), text(e.b));
    case "fma":
      return `Math.fround(${text(e.a)}*${text(e.b)}+${text(e.c)})`;
    case "compare":
      return `(${text(e.a)}${COMPARE[e.fn]}${text(e.b)}?1:0)`;
    case "select":
      return `(${text(e.cond)}?${text(e.a)}:${text(e.b)})`;
    case "cast":
      return e.type === "i64" || e.x.type === "i64"
        ? wrapTo(e.type, text(e.x))
        : `m.cast(${JSON.stringify(e.x.type)},${JSON.stringify(e.type)},${text(e.x)})`;
    case "bitcast":
      return `m.bitcast(${JSON.stringify(e.x.type)},${JSON.stringify(e.type)},${text(e.x)})`;
    case "pack":
      return `m.pack(${JSON.stringify(e.lo.type)},${text(e.lo)},${text(e.hi)})`;
    default:
      return e satisfies never;
  }
}
