/** [codegen/passes] Folds constants, powers of two, loops of one turn and known branches in thread IR. Runs after lower-to-threads. */
import type { Expr, Stmt, ThreadKernel } from "../ir/thread.ts";
import { mapExpr, mapStmt } from "../ir/visit-thread.ts";
import {
  foldBinary,
  foldBitcast,
  foldCast,
  foldCompare,
  foldUnary,
} from "./constant-arithmetic.ts";
import { add, constant, maskBits, mul, shr, sub } from "./threads/expr.ts";

function isConst(e: Expr, value: number): boolean {
  return e.kind === "const" && Object.is(e.value, value);
}

function isPowerOfTwo(n: number): boolean {
  return Number.isInteger(n) && n > 0 && 2 ** Math.round(Math.log2(n)) === n;
}

/** Integer division and remainder round down, so that a power of two shifts and masks, also below zero. */
function foldDivision(e: Extract<Expr, { readonly kind: "binary" }>): Expr {
  const { a, b } = e;
  if (b.kind !== "const" || !isPowerOfTwo(b.value) || e.type === "i64") return e;
  if (e.fn === "floordiv") return shr(a, Math.log2(b.value));
  return b.value === 1 ? constant(0, e.type) : maskBits(a, b.value - 1);
}

function foldIdentity(e: Extract<Expr, { readonly kind: "binary" }>): Expr {
  const { fn, a, b } = e;
  switch (fn) {
    case "floordiv":
    case "mod":
      return foldDivision(e);
    case "shl":
    case "shr":
      return isConst(b, 0) ? a : e;
    case "or":
    case "xor":
      if (isConst(a, 0)) return b;
      return isConst(b, 0) ? a : e;
    case "and":
      if (e.type !== "bool") return isConst(a, 0) || isConst(b, 0) ? constant(0, e.type) : e;
      if (isConst(a, 1)) return b;
      if (isConst(b, 1)) return a;
      return isConst(a, 0) || isConst(b, 0) ? constant(0, "bool") : e;
    default:
      return e;
  }
}

function foldBinaryExpr(e: Extract<Expr, { readonly kind: "binary" }>): Expr {
  const { fn, a, b, type } = e;
  if (type === "i64" || type === "i32") {
    if (fn === "add") return add(a, b);
    if (fn === "sub") return sub(a, b);
    if (fn === "mul") return mul(a, b);
  }
  if (type !== "i64" && a.kind === "const" && b.kind === "const") {
    const value = foldBinary(fn, a.value, b.value, type);
    if (value !== undefined) return constant(value, type);
  }
  return foldIdentity(e);
}

function foldNode(e: Expr): Expr {
  switch (e.kind) {
    case "binary":
      return foldBinaryExpr(e);
    case "unary": {
      if (e.x.kind !== "const" || e.type === "i64") return e;
      const value = foldUnary(e.fn, e.x.value, e.type);
      return value === undefined ? e : constant(value, e.type);
    }
    case "compare":
      if (e.a.kind !== "const" || e.b.kind !== "const") return e;
      return constant(foldCompare(e.fn, e.a.value, e.b.value), "bool");
    case "select":
      if (e.cond.kind !== "const") return e;
      return e.cond.value === 0 ? e.b : e.a;
    case "cast": {
      if (e.x.kind !== "const" || e.x.type === "i64") return e;
      if (e.type === "i64") return constant(e.x.value, "i64");
      const value = foldCast(e.x.value, e.x.type, e.type);
      return value === undefined ? e : constant(value, e.type);
    }
    case "bitcast": {
      if (e.x.kind !== "const" || e.x.type === "i64" || e.type === "i64") return e;
      const value = foldBitcast(e.x.value, e.x.type, e.type);
      return value === undefined ? e : constant(value, e.type);
    }
    default:
      return e;
  }
}

function foldExpr(e: Expr): Expr {
  return mapExpr(e, foldNode);
}

/** The value that a counter has in a loop of one turn. */
function replaceCounter(body: readonly Stmt[], name: string, value: Expr): readonly Stmt[] {
  const replace = (e: Expr): Expr =>
    mapExpr(e, (x) => (x.kind === "reg" && x.name === name && x.index === undefined ? value : x));
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((s) => mapStmt(s, (e) => foldExpr(replace(e)), block));
  return block(body);
}

function isConstRange(s: Extract<Stmt, { readonly kind: "loop" }>): number | undefined {
  const { lo, hi, step } = s;
  if (lo.kind !== "const" || hi.kind !== "const" || step.kind !== "const") return undefined;
  return Math.max(0, Math.ceil((hi.value - lo.value) / step.value));
}

function foldStmt(s: Stmt): readonly Stmt[] {
  const folded = mapStmt(s, foldExpr, foldBlock);
  if (folded.kind === "loop") {
    const trips = isConstRange(folded);
    if (trips === 0) return [];
    // Names are unique in a kernel, so that declarations may leave their block.
    if (trips === 1) return replaceCounter(folded.body, folded.name, folded.lo);
  }
  if (folded.kind === "if" && folded.cond.kind === "const") {
    return folded.cond.value === 0 ? folded.else : folded.then;
  }
  return [folded];
}

function foldBlock(body: readonly Stmt[]): readonly Stmt[] {
  return body.flatMap(foldStmt);
}

export function foldConstantsThread(kernel: ThreadKernel): ThreadKernel {
  return { ...kernel, body: foldBlock(kernel.body) };
}
