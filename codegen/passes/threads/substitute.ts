/** [codegen/passes/threads] Puts constants and new names for registers into thread IR, and folds what becomes constant. */
import type { Expr, RegSlice, Stmt } from "../../ir/thread.ts";
import { mapExpr, mapStmt } from "../../ir/visit-thread.ts";
import { foldBinary, foldCompare } from "../constant-arithmetic.ts";
import { add, constant, mul } from "./expr.ts";

/** What stands for a register of this name: a constant, or a register of another name. */
export type Substitution = ReadonlyMap<string, number | string>;

/** One node whose operands are folded already. */
function foldNode(e: Expr): Expr {
  if (e.kind === "select" && e.cond.kind === "const") return e.cond.value === 0 ? e.b : e.a;
  if (e.kind !== "binary" && e.kind !== "compare") return e;
  const { a, b } = e;
  if (a.kind === "const" && b.kind === "const" && a.type !== "i64") {
    const value =
      e.kind === "compare"
        ? foldCompare(e.fn, a.value, b.value)
        : foldBinary(e.fn, a.value, b.value, a.type);
    if (value !== undefined) return constant(value, e.type);
  }
  if (e.kind === "binary" && e.fn === "add") return add(a, b);
  if (e.kind === "binary" && e.fn === "mul") return mul(a, b);
  return e;
}

/** An expression with the substitution made. */
export function substituteExpr(expr: Expr, by: Substitution): Expr {
  return mapExpr(expr, (e) => {
    if (e.kind !== "reg") return foldNode(e);
    const to = by.get(e.name);
    if (to === undefined) return e;
    return typeof to === "number" ? constant(to, e.type) : { ...e, name: to };
  });
}

function renameSlice(slice: RegSlice, by: Substitution): RegSlice {
  const to = by.get(slice.name);
  return typeof to === "string" ? { ...slice, name: to } : slice;
}

/** The registers that a statement names itself, renamed. Expressions are left alone. */
function renameSlices(s: Stmt, by: Substitution): Stmt {
  switch (s.kind) {
    case "let": {
      const { name } = renameSlice({ name: s.reg.name }, by);
      return { ...s, reg: { ...s.reg, name } };
    }
    case "assign":
    case "load_global":
    case "load_shared":
    case "shuffle":
    case "shuffle_xor":
    case "ldmatrix":
      return { ...s, to: renameSlice(s.to, by) };
    case "store_global":
    case "store_shared":
      return { ...s, from: renameSlice(s.from, by) };
    case "atomic_global":
      return s.to === undefined ? s : { ...s, to: renameSlice(s.to, by) };
    case "mma": {
      const [acc, a, b] = [renameSlice(s.acc, by), renameSlice(s.a, by), renameSlice(s.b, by)];
      return { ...s, acc, a, b };
    }
    default:
      return s;
  }
}

/** Statements with the substitution made, in their blocks too. A substituted name must not be declared again inside. */
export function substitute(body: readonly Stmt[], by: Substitution): readonly Stmt[] {
  const expr = (e: Expr): Expr => substituteExpr(e, by);
  const block = (inner: readonly Stmt[]): readonly Stmt[] => substitute(inner, by);
  return body.map((s) => renameSlices(mapStmt(s, expr, block), by));
}
