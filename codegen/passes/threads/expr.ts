/** [codegen/passes/threads] Constructors of thread IR expressions that fold what is constant on the way. No statements. */
import type { BinaryFn, CompareFn, DType } from "../../../dsl/index.ts";
import type { Expr, RegType } from "../../ir/thread.ts";
import { walkExpr } from "../../ir/visit-thread.ts";

export function constant(value: number, type: RegType = "i32"): Expr {
  return { kind: "const", type, value };
}

export const TRUE: Expr = constant(1, "bool");

export function special(
  name: "thread" | "lane" | "warp" | "rank" | `${"pid" | "programs" | "grid"}${0 | 1 | 2}`,
): Expr {
  return { kind: "special", type: "i32", name };
}

export function register(name: string, type: RegType, index?: Expr): Expr {
  return index === undefined ? { kind: "reg", type, name } : { kind: "reg", type, name, index };
}

function isConst(e: Expr, value: number): boolean {
  return e.kind === "const" && Object.is(e.value, value);
}

/** A folded sum: i32 wraps, as it does where the program runs. Offsets in i64 stay far below the reach of a double. */
function folded(value: number, type: RegType): Expr {
  return constant(type === "i32" ? value | 0 : value, type);
}

/** True for types whose arithmetic may be reassociated and folded in doubles. */
function isIndexType(type: RegType): boolean {
  return type === "i32" || type === "i64";
}

/** The i32 whose negative is none. */
const LEAST_I32 = -(2 ** 31);

export function binary(fn: BinaryFn, a: Expr, b: Expr): Expr {
  return { kind: "binary", type: a.type, fn, a, b };
}

/** a + b; constants gather on the right. */
export function add(a: Expr, b: Expr): Expr {
  if (!isIndexType(a.type)) return binary("add", a, b);
  if (isConst(a, 0)) return b;
  if (isConst(b, 0)) return a;
  if (a.kind === "const" && b.kind === "const") return folded(a.value + b.value, a.type);
  if (a.kind === "const") return add(b, a);
  if (b.kind === "const" && a.kind === "binary" && a.fn === "add" && a.b.kind === "const")
    return add(a.a, folded(a.b.value + b.value, a.type));
  if (b.kind === "const" && b.value < 0 && b.value > LEAST_I32)
    return binary("sub", a, constant(-b.value, b.type));
  if (b.kind === "binary" && b.fn === "add") return add(add(a, b.a), b.b);
  return binary("add", a, b);
}

export function sub(a: Expr, b: Expr): Expr {
  if (isIndexType(a.type)) {
    if (isConst(b, 0)) return a;
    if (a.kind === "const" && b.kind === "const") return folded(a.value - b.value, a.type);
  }
  return binary("sub", a, b);
}

export function mul(a: Expr, b: Expr): Expr {
  if (!isIndexType(a.type)) return binary("mul", a, b);
  if (isConst(a, 1)) return b;
  if (isConst(b, 1)) return a;
  if (isConst(a, 0) || isConst(b, 0)) return constant(0, a.type);
  const times = (x: number, y: number): Expr =>
    constant(a.type === "i32" ? Math.imul(x, y) : x * y, a.type);
  if (a.kind === "const" && b.kind === "const") return times(a.value, b.value);
  if (a.kind === "const") return mul(b, a);
  if (b.kind === "const" && a.kind === "binary" && a.fn === "mul" && a.b.kind === "const")
    return mul(a.a, times(a.b.value, b.value));
  return binary("mul", a, b);
}

/** x shifted right by a constant; x is not negative. */
export function shr(x: Expr, bits: number): Expr {
  return bits === 0 ? x : binary("shr", x, constant(bits, x.type));
}

export function maskBits(x: Expr, mask: number): Expr {
  return binary("and", x, constant(mask, x.type));
}

export function xor(a: Expr, b: Expr): Expr {
  if (isConst(b, 0)) return a;
  return isConst(a, 0) ? b : binary("xor", a, b);
}

export function compare(fn: CompareFn, a: Expr, b: Expr): Expr {
  return { kind: "compare", type: "bool", fn, a, b };
}

/** a ∧ b for bools, where undefined stands for true. */
export function both(a: Expr | undefined, b: Expr | undefined): Expr | undefined {
  if (a === undefined || isConst(a, 1)) return b;
  return b === undefined || isConst(b, 1) ? a : binary("and", a, b);
}

export function cast(x: Expr, type: RegType): Expr {
  if (x.type === type) return x;
  const isExact = isIndexType(x.type) && isIndexType(type);
  return x.kind === "const" && isExact ? constant(x.value, type) : { kind: "cast", type, x };
}

export function bitcast(x: Expr, type: RegType): Expr {
  return x.type === type ? x : { kind: "bitcast", type, x };
}

export function select(cond: Expr, a: Expr, b: Expr): Expr {
  return { kind: "select", type: a.type, cond, a, b };
}

/** 0 ≤ x < bound in one comparison; bound is not negative. */
export function isInside(x: Expr, bound: Expr): Expr {
  return compare("lt", cast(x, "u32"), cast(bound, "u32"));
}

/** True where naming an expression gains nothing. */
export function isTrivial(e: Expr): boolean {
  if (e.kind === "reg") return e.index === undefined;
  return e.kind === "const" || e.kind === "special" || e.kind === "dim" || e.kind === "param";
}

/** Number of nodes that compute something. */
export function exprSize(e: Expr): number {
  let size = 0;
  walkExpr(e, (x) => {
    if (!isTrivial(x)) size += 1;
  });
  return size;
}

/** Names of the registers that an expression reads. */
export function registersOf(e: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  walkExpr(e, (x) => {
    if (x.kind === "reg") names.add(x.name);
  });
  return names;
}

const LEAST: Readonly<Partial<Record<DType, number>>> = { i32: -(2 ** 31), u32: 0, bool: 0 };
const GREATEST: Readonly<Partial<Record<DType, number>>> = {
  i32: 2 ** 31 - 1,
  u32: 2 ** 32 - 1,
  bool: 1,
};

/** Least value of a dtype: minus infinity for floats. */
export function leastOf(dtype: DType): number {
  return LEAST[dtype] ?? Number.NEGATIVE_INFINITY;
}

export function greatestOf(dtype: DType): number {
  return GREATEST[dtype] ?? Number.POSITIVE_INFINITY;
}
