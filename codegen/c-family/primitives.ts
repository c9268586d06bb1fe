/** [codegen/c-family] How CUDA and HIP spell each elementwise function: plain data that a target spreads and overrides. */
import type { AtomicFn, BinaryFn, CompareFn, UnaryFn } from "../../dsl/index.ts";
import {
  call,
  type Fragment,
  type InfixOperator,
  infix,
  prefix,
  ternary,
} from "../text/fragment.ts";

/** The types that values are computed in. */
export type ComputeType = "f32" | "i32" | "u32" | "i64" | "bool";

/** Spelling by type; a type that is absent has no such function. */
export type Spelling<Emit> = Readonly<Partial<Record<ComputeType, Emit>>>;
export type UnaryEmit = (x: Fragment) => Fragment;
export type BinaryEmit = (a: Fragment, b: Fragment) => Fragment;

export interface PrimitiveTable {
  readonly unary: Readonly<Record<UnaryFn, Spelling<UnaryEmit>>>;
  readonly binary: Readonly<Record<BinaryFn, Spelling<BinaryEmit>>>;
  readonly compare: Readonly<Record<CompareFn, InfixOperator>>;
  readonly atomic: Readonly<Record<AtomicFn, Spelling<string>>>;
}

const calls =
  (name: string): UnaryEmit =>
  (x) =>
    call(name, x);
const calls2 =
  (name: string): BinaryEmit =>
  (a, b) =>
    call(name, a, b);
const operator =
  (op: InfixOperator): BinaryEmit =>
  (a, b) =>
    infix(op, a, b);
const negate: UnaryEmit = (x) => prefix("-", x);
const same: UnaryEmit = (x) => x;

/** All number types by one operator. Plain `+` on i32 must not overflow, as everywhere in the language. */
const arithmetic = (op: InfixOperator): Spelling<BinaryEmit> => ({
  f32: operator(op),
  i32: operator(op),
  u32: operator(op),
  i64: operator(op),
});
const bitwise = (op: InfixOperator, logical: InfixOperator): Spelling<BinaryEmit> => ({
  i32: operator(op),
  u32: operator(op),
  i64: operator(op),
  bool: operator(logical),
});
const perInteger = (name: string): Spelling<BinaryEmit> => ({
  i32: calls2(`${name}_i32`),
  u32: calls2(`${name}_u32`),
});

const SMALL_COUNT = /^(?:[12]?\d|3[01])u?$/;

/** Plain operators where the count is a constant below 32; otherwise a function takes it modulo 32. */
const shift = (op: "<<" | ">>", name: string): Spelling<BinaryEmit> => {
  const by =
    (call: BinaryEmit): BinaryEmit =>
    (x, count) =>
      SMALL_COUNT.test(count.text) ? infix(op, x, count) : call(x, count);
  return { i32: by(calls2(`${name}_i32`)), u32: by(calls2(`${name}_u32`)) };
};

export const C_PRIMITIVES: PrimitiveTable = {
  unary: {
    neg: { f32: negate, i32: negate, u32: negate, i64: negate },
    not: {
      bool: (x) => prefix("!", x),
      i32: (x) => prefix("~", x),
      u32: (x) => prefix("~", x),
    },
    abs: { f32: calls("tw_abs"), i32: calls("tw_abs_i32"), u32: same },
    exp: { f32: calls("tw_exp") },
    exp2: { f32: calls("tw_exp2") },
    log: { f32: calls("tw_log") },
    log2: { f32: calls("tw_log2") },
    sqrt: { f32: calls("tw_sqrt") },
    rsqrt: { f32: calls("tw_rsqrt") },
    sin: { f32: calls("tw_sin") },
    cos: { f32: calls("tw_cos") },
    tanh: { f32: calls("tw_tanh") },
    erf: { f32: calls("tw_erf") },
    floor: { f32: calls("tw_floor") },
    ceil: { f32: calls("tw_ceil") },
    round: { f32: calls("tw_round") },
  },
  binary: {
    add: arithmetic("+"),
    sub: arithmetic("-"),
    mul: arithmetic("*"),
    div: { f32: operator("/") },
    floordiv: perInteger("tw_floordiv"),
    mod: perInteger("tw_floormod"),
    min: {
      f32: calls2("tw_min"),
      ...perInteger("tw_min"),
      i64: (a, b) => ternary(infix("<", a, b), a, b),
    },
    max: {
      f32: calls2("tw_max"),
      ...perInteger("tw_max"),
      i64: (a, b) => ternary(infix(">", a, b), a, b),
    },
    and: bitwise("&", "&&"),
    or: bitwise("|", "||"),
    xor: bitwise("^", "!="),
    shl: shift("<<", "tw_shl"),
    shr: shift(">>", "tw_shr"),
    mulhi: { u32: calls2("tw_mulhi_u32") },
  },
  compare: { lt: "<", le: "<=", gt: ">", ge: ">=", eq: "==", ne: "!=" },
  atomic: {
    add: { f32: "tw_atom_add_f32", i32: "tw_atom_add_i32", u32: "tw_atom_add_u32" },
    max: { f32: "tw_atom_max_f32", i32: "tw_atom_max_i32", u32: "tw_atom_max_u32" },
    min: { f32: "tw_atom_min_f32", i32: "tw_atom_min_i32", u32: "tw_atom_min_u32" },
    arrive: { i32: "tw_last_arrival" },
  },
};
