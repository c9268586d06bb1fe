/** [examples/10-javascript] Thread IR expressions as JavaScript text. Pure: no statement is written here. */
import {
  type BinaryFn,
  type CompareFn,
  type Expr,
  type RegSlice,
  type RegType,
  type ThreadKernel,
  type UnaryFn,
  UnsupportedError,
} from "../../index.ts";

/** What the target computes with: numbers, and `true` and `false` for bool. */
export type Held = "f32" | "i32" | "u32" | "bool";

/** @throws UnsupportedError TW2301 for dtypes that this target leaves to others */
export function held(type: RegType): Held {
  if (type === "f32" || type === "i32" || type === "u32" || type === "bool") return type;
  throw unsupported(type);
}

export function unsupported(what: string): UnsupportedError {
  return new UnsupportedError({
    code: "TW2301",
    message: `the JavaScript target has no ${what}`,
    expected: "tensors and tiles of f32, i32, u32 and bool, and no warps",
    remedy: "choose other dtypes, or compile for another target",
  });
}

/** Names of the IR may hold what JavaScript forbids, or be words of it. */
export function nameOf(register: string): string {
  return `$${register.replace(/\W/g, (c) => `$${c.charCodeAt(0)}`)}`;
}

const UNARY: Readonly<Record<Exclude<UnaryFn, "neg" | "not">, string>> = {
  abs: "Math.abs",
  exp: "Math.exp",
  exp2: "tw.exp2",
  log: "Math.log",
  log2: "Math.log2",
  sqrt: "Math.sqrt",
  rsqrt: "tw.rsqrt",
  sin: "Math.sin",
  cos: "Math.cos",
  tanh: "Math.tanh",
  erf: "tw.erf",
  floor: "Math.floor",
  ceil: "Math.ceil",
  round: "tw.round",
};

const INFIX: Readonly<Partial<Record<BinaryFn, string>>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  shr: ">>",
};

const COMPARE: Readonly<Record<CompareFn, string>> = {
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  eq: "===",
  ne: "!==",
};

/** A double or an int of any width as a value of the type: rounded once, or its low 32 bits. */
function as(type: Held, text: string): string {
  switch (type) {
    case "f32":
      return `Math.fround(${text})`;
    case "i32":
      return `(${text} | 0)`;
    case "u32":
      return `(${text} >>> 0)`;
    case "bool":
      return `Boolean(${text})`;
    default:
      return type satisfies never;
  }
}

function unary(fn: UnaryFn, type: Held, x: string): string {
  if (fn === "neg") return as(type, `-${x}`);
  if (fn === "not") return type === "bool" ? `!${x}` : as(type, `~${x}`);
  return as(type, `${UNARY[fn]}(${x})`);
}

function binary(fn: BinaryFn, type: Held, a: string, b: string): string {
  const isInt = type === "i32" || type === "u32";
  if (fn === "mul" && isInt) return as(type, `Math.imul(${a}, ${b})`);
  if (fn === "shr" && type === "u32") return `(${a} >>> ${b})`;
  const infix = INFIX[fn];
  return as(type, infix === undefined ? `tw.${fn}(${a}, ${b})` : `(${a} ${infix} ${b})`);
}

/** By value, as the tile IR's cast: floats to integers saturate, integers wrap. */
function cast(from: Held, to: Held, x: string): string {
  if (from === to) return x;
  if (to === "bool") return `(${x} !== 0)`;
  if (from === "f32") return `tw.to${to.toUpperCase()}(${x})`;
  return from === "bool" ? `Number(${x})` : as(to, x);
}

function bitcast(from: Held, to: Held, x: string): string {
  if (from === to) return x;
  if (to === "f32") return `tw.floatOf(${x})`;
  return from === "f32" ? as(to, `tw.bitsOf(${x})`) : as(to, x);
}

function literal(value: number, type: Held): string {
  if (type === "bool") return String(value !== 0);
  if (Object.is(value, -0)) return "(-0)";
  const rounded = type === "f32" ? Math.fround(value) : value;
  return rounded < 0 ? `(${rounded})` : String(rounded);
}

/** `name` or `name[index + offset]`. */
export function slot(slice: RegSlice, length: number, offset: number, kernel: ThreadKernel) {
  if (length === 1) return nameOf(slice.name);
  const index = slice.index === undefined ? "0" : expression(slice.index, kernel);
  return `${nameOf(slice.name)}[${offset === 0 ? index : `${index} + ${offset}`}]`;
}

/** `pid0`, `programs2`: counts of the launch, in the block that the driver hands over. */
function special(name: string): string {
  const [, list, axis] = /^(pid|programs)([012])$/.exec(name) ?? [];
  if (list !== undefined) return `block.${list}[${axis}]`;
  // Warps are of one lane here, so that a lane is always the first.
  if (name === "thread" || name === "warp") return "thread";
  if (name === "lane") return "0";
  throw unsupported(`special register ${name}`);
}

export function expression(e: Expr, kernel: ThreadKernel): string {
  const text = (x: Expr): string => expression(x, kernel);
  switch (e.kind) {
    case "const":
      return literal(e.value, held(e.type));
    case "reg":
      return e.index === undefined ? nameOf(e.name) : `${nameOf(e.name)}[${text(e.index)}]`;
    case "special":
      return special(e.name);
    case "dim":
      return kernel.fixedDims[e.name]?.toString() ?? `dim_${e.name}`;
    case "param":
      return cast(scalarType(e.name, kernel), held(e.type), `scalar_${e.name}`);
    case "unary":
      return unary(e.fn, held(e.type), text(e.x));
    case "binary":
      return binary(e.fn, held(e.type), text(e.a), text(e.b));
    case "fma":
      return `Math.fround(${text(e.a)} * ${text(e.b)} + ${text(e.c)})`;
    case "compare":
      return `(${text(e.a)} ${COMPARE[e.fn]} ${text(e.b)})`;
    case "select":
      return `(${text(e.cond)} ? ${text(e.a)} : ${text(e.b)})`;
    case "cast":
      return cast(held(e.x.type), held(e.type), text(e.x));
    case "bitcast":
      return bitcast(held(e.x.type), held(e.type), text(e.x));
    case "pack":
      throw unsupported("pairs of 16-bit values");
    default:
      return e satisfies never;
  }
}

/** The type of the word in which a scalar is passed. */
export function scalarType(name: string, kernel: ThreadKernel): Held {
  const found = kernel.params.find((param) => param.name === name);
  return held(found?.dtype ?? "f32");
}
