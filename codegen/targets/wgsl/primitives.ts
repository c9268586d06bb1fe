/** [codegen/targets/wgsl] How WGSL spells each elementwise function, complete by type. Functions named `tw_…` are in the prelude. */
import type { AtomicFn, BinaryFn, CompareFn, UnaryFn } from "../../../dsl/index.ts";
import {
  atom,
  call,
  type Fragment,
  type InfixOperator,
  infix,
  prefix,
} from "../../text/fragment.ts";
import type { WgslType } from "./types.ts";

type Spelling<Emit> = Readonly<Partial<Record<WgslType, Emit>>>;
type UnaryEmit = (x: Fragment) => Fragment;
type BinaryEmit = (a: Fragment, b: Fragment) => Fragment;

const f1 =
  (name: string): UnaryEmit =>
  (x) =>
    call(name, x);
const f2 =
  (name: string): BinaryEmit =>
  (a, b) =>
    call(name, a, b);
const op =
  (operator: InfixOperator): BinaryEmit =>
  (a, b) =>
    infix(operator, a, b);
const negate: UnaryEmit = (x) => prefix("-", x);

const numbers = (emit: BinaryEmit): Spelling<BinaryEmit> => ({ f32: emit, i32: emit, u32: emit });
const POSITIVE = /^0*[1-9]\d*u?$/;

/** Division by a positive constant needs no test for 0: tests are branches, which are slow to compile where there are many. */
const division = (name: string, operator: InfixOperator): Spelling<BinaryEmit> => ({
  i32: (a, b) => call(POSITIVE.test(b.text) ? `${name}_positive` : `${name}_i32`, a, b),
  u32: (a, b) => (POSITIVE.test(b.text) ? infix(operator, a, b) : call(`${name}_u32`, a, b)),
});
/** `&` and `|` on bools do not branch, unlike `&&` and `||`. */
const bitwise = (operator: InfixOperator, logical: InfixOperator): Spelling<BinaryEmit> => ({
  i32: op(operator),
  u32: op(operator),
  bool: op(logical),
});

const DECIMAL_WORD = /^\d+u?$/;

/** WGSL takes a count modulo 32 where it is not constant, and refuses constant ones above 31. */
const shift =
  (operator: "<<" | ">>"): BinaryEmit =>
  (x, count) => {
    if (!DECIMAL_WORD.test(count.text)) return infix(operator, x, call("u32", count));
    return infix(operator, x, atom(`${Number.parseInt(count.text, 10) & 31}u`));
  };
const shifts = (operator: "<<" | ">>"): Spelling<BinaryEmit> => ({
  i32: shift(operator),
  u32: shift(operator),
});

export const UNARY: Readonly<Record<UnaryFn, Spelling<UnaryEmit>>> = {
  neg: { f32: negate, i32: negate, u32: (x) => infix("-", atom("0u"), x) },
  not: {
    bool: (x) => prefix("!", x),
    i32: (x) => prefix("~", x),
    u32: (x) => prefix("~", x),
  },
  abs: { f32: f1("abs"), i32: f1("abs"), u32: (x) => x },
  exp: { f32: f1("tw_exp") },
  exp2: { f32: f1("tw_exp2") },
  log: { f32: f1("tw_log") },
  log2: { f32: f1("tw_log2") },
  sqrt: { f32: f1("sqrt") },
  rsqrt: { f32: f1("inverseSqrt") },
  sin: { f32: f1("tw_sin") },
  cos: { f32: f1("tw_cos") },
  tanh: { f32: f1("tw_tanh") },
  erf: { f32: f1("tw_erf") },
  floor: { f32: f1("floor") },
  ceil: { f32: f1("ceil") },
  round: { f32: f1("round") },
};

export const BINARY: Readonly<Record<BinaryFn, Spelling<BinaryEmit>>> = {
  add: numbers(op("+")),
  sub: numbers(op("-")),
  mul: numbers(op("*")),
  div: { f32: op("/") },
  floordiv: division("tw_floordiv", "/"),
  mod: division("tw_floormod", "%"),
  min: { f32: f2("tw_min"), i32: f2("min"), u32: f2("min") },
  max: { f32: f2("tw_max"), i32: f2("max"), u32: f2("max") },
  and: bitwise("&", "&"),
  or: bitwise("|", "|"),
  xor: bitwise("^", "!="),
  shl: shifts("<<"),
  shr: shifts(">>"),
  mulhi: { u32: f2("tw_mulhi_u32") },
};

/** `ne` of floats is the opposite of `eq`, for some implementations give false for `x != x` with x a NaN. */
export const COMPARE: Readonly<Record<CompareFn, BinaryEmit>> = {
  lt: op("<"),
  le: op("<="),
  gt: op(">"),
  ge: op(">="),
  eq: op("=="),
  ne: op("!="),
};

/** The function for integers, and the new value for floats, which go through compare-and-exchange. Atomics order nothing between workgroups. */
export const ATOMIC: Readonly<
  Record<Exclude<AtomicFn, "arrive">, { readonly integer: string; readonly float: BinaryEmit }>
> = {
  add: { integer: "atomicAdd", float: op("+") },
  max: { integer: "atomicMax", float: f2("tw_max") },
  min: { integer: "atomicMin", float: f2("tw_min") },
};
