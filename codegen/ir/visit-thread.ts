/** [codegen/ir] Reading and rebuilding thread IR generically: expressions, the registers a statement reads and writes, walks. */
import { instructionOf } from "./instructions.ts";
import type { CallArg, Expr, RegSlice, Stmt } from "./thread.ts";

/** The direct operands of an expression. */
export function exprOperands(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "const":
    case "special":
    case "dim":
    case "param":
      return [];
    case "reg":
      return e.index === undefined ? [] : [e.index];
    case "unary":
    case "cast":
    case "bitcast":
      return [e.x];
    case "binary":
    case "compare":
      return [e.a, e.b];
    case "fma":
      return [e.a, e.b, e.c];
    case "select":
      return [e.cond, e.a, e.b];
    case "pack":
      return [e.lo, e.hi];
    default:
      return e satisfies never;
  }
}

/** Calls `visit` for an expression and everything inside it, outside first. */
export function walkExpr(e: Expr, visit: (e: Expr) => void): void {
  visit(e);
  for (const x of exprOperands(e)) walkExpr(x, visit);
}

/** An expression with its direct operands replaced; the same object when none changed. */
export function mapOperands(e: Expr, f: (e: Expr) => Expr): Expr {
  switch (e.kind) {
    case "const":
    case "special":
    case "dim":
    case "param":
      return e;
    case "reg": {
      if (e.index === undefined) return e;
      const index = f(e.index);
      return index === e.index ? e : { ...e, index };
    }
    case "unary":
    case "cast":
    case "bitcast": {
      const x = f(e.x);
      return x === e.x ? e : { ...e, x };
    }
    case "binary":
    case "compare": {
      const a = f(e.a);
      const b = f(e.b);
      return a === e.a && b === e.b ? e : { ...e, a, b };
    }
    case "fma": {
      const [a, b, c] = [f(e.a), f(e.b), f(e.c)];
      return a === e.a && b === e.b && c === e.c ? e : { ...e, a, b, c };
    }
    case "select": {
      const [cond, a, b] = [f(e.cond), f(e.a), f(e.b)];
      return cond === e.cond && a === e.a && b === e.b ? e : { ...e, cond, a, b };
    }
    case "pack": {
      const [lo, hi] = [f(e.lo), f(e.hi)];
      return lo === e.lo && hi === e.hi ? e : { ...e, lo, hi };
    }
    default:
      return e satisfies never;
  }
}

/** Rebuilds an expression from the leaves up. */
export function mapExpr(e: Expr, f: (e: Expr) => Expr): Expr {
  return f(mapOperands(e, (x) => mapExpr(x, f)));
}

/** Registers that a statement writes itself (not in its blocks). `count` is the number of elements from the index on. */
export function writtenSlices(s: Stmt): readonly { slice: RegSlice; count: number }[] {
  switch (s.kind) {
    case "let":
      return s.init === undefined ? [] : [{ slice: { name: s.reg.name }, count: 1 }];
    case "assign":
      return [{ slice: s.to, count: 1 }];
    case "load_global":
    case "load_shared":
      return [{ slice: s.to, count: s.width }];
    case "atomic_global":
      return s.to === undefined ? [] : [{ slice: s.to, count: 1 }];
    case "shuffle_xor":
    case "shuffle":
      return [{ slice: s.to, count: 1 }];
    case "ldmatrix":
      return [{ slice: s.to, count: s.count }];
    case "mma":
      return [{ slice: s.acc, count: 4 }];
    case "call": {
      const kinds = instructionOf(s.fn)?.args ?? [];
      const written = s.args.flatMap((arg, i) =>
        arg.kind === "registers" && kinds[i] === "inout"
          ? [{ slice: arg.slice, count: arg.count }]
          : [],
      );
      return s.to === undefined ? written : [...written, { slice: s.to, count: 1 }];
    }
    default:
      return [];
  }
}

/** Register slices that a statement reads as a whole (not through an expression). */
export function readSlices(s: Stmt): readonly { slice: RegSlice; count: number }[] {
  switch (s.kind) {
    case "store_global":
    case "store_shared":
      return [{ slice: s.from, count: s.width }];
    case "mma":
      return [
        { slice: s.acc, count: 4 },
        { slice: s.a, count: 4 },
        { slice: s.b, count: 2 },
      ];
    case "call":
      return s.args.flatMap((arg) =>
        arg.kind === "registers" ? [{ slice: arg.slice, count: arg.count }] : [],
      );
    default:
      return [];
  }
}

/** The blocks that a statement owns. */
export function stmtBlocks(s: Stmt): readonly (readonly Stmt[])[] {
  switch (s.kind) {
    case "loop":
      return [s.body];
    case "while":
      return [s.head, s.body];
    case "if":
      return [s.then, s.else];
    case "roles":
      return [s.producer, s.consumer];
    default:
      return [];
  }
}

/** Calls `visit` for every statement, owners before what they own. */
export function walkStmts(body: readonly Stmt[], visit: (s: Stmt) => void): void {
  for (const s of body) {
    visit(s);
    for (const block of stmtBlocks(s)) walkStmts(block, visit);
  }
}

function mapArg(arg: CallArg, expr: (e: Expr) => Expr, slice: (r: RegSlice) => RegSlice): CallArg {
  switch (arg.kind) {
    case "value":
      return { ...arg, value: expr(arg.value) };
    case "address":
      return { ...arg, bytes: expr(arg.bytes) };
    case "registers":
      return { ...arg, slice: slice(arg.slice) };
    case "map":
      return arg;
    default:
      return arg satisfies never;
  }
}

function argExprs(arg: CallArg): readonly (Expr | undefined)[] {
  switch (arg.kind) {
    case "value":
      return [arg.value];
    case "address":
      return [arg.bytes];
    case "registers":
      return [arg.slice.index];
    case "map":
      return [];
    default:
      return arg satisfies never;
  }
}

/** Rewrites the expressions of one statement (indices of slices included) and leaves its blocks to `block`. */
export function mapStmt(
  s: Stmt,
  expr: (e: Expr) => Expr,
  block: (body: readonly Stmt[]) => readonly Stmt[],
): Stmt {
  const slice = (r: RegSlice): RegSlice =>
    r.index === undefined ? r : { ...r, index: expr(r.index) };
  const mask = (m: Expr | undefined): { readonly mask?: Expr } =>
    m === undefined ? {} : { mask: expr(m) };
  switch (s.kind) {
    case "let":
      return s.init === undefined ? s : { ...s, init: expr(s.init) };
    case "assign":
      return { ...s, to: slice(s.to), value: expr(s.value) };
    case "loop":
      return { ...s, lo: expr(s.lo), hi: expr(s.hi), step: expr(s.step), body: block(s.body) };
    case "while": {
      const head = block(s.head);
      return { ...s, head, cond: expr(s.cond), body: block(s.body) };
    }
    case "if":
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      return { ...s, cond: expr(s.cond), then: block(s.then), else: block(s.else) };
    case "load_global":
      return { ...s, to: slice(s.to), offset: expr(s.offset), ...mask(s.mask) };
    case "store_global":
    case "store_shared":
      return { ...s, from: slice(s.from), offset: expr(s.offset), ...mask(s.mask) };
    case "atomic_global": {
      const to = s.to === undefined ? {} : { to: slice(s.to) };
      return { ...s, ...to, offset: expr(s.offset), value: expr(s.value), ...mask(s.mask) };
    }
    case "load_shared":
    case "ldmatrix":
      return { ...s, to: slice(s.to), offset: expr(s.offset) };
    case "copy_async":
      return { ...s, to: expr(s.to), from: expr(s.from), ...mask(s.mask) };
    case "shuffle_xor":
      return { ...s, to: slice(s.to), value: expr(s.value) };
    case "shuffle":
      return { ...s, to: slice(s.to), value: expr(s.value), lane: expr(s.lane) };
    case "mma":
      return { ...s, acc: slice(s.acc), a: slice(s.a), b: slice(s.b) };
    case "call": {
      const to = s.to === undefined ? {} : { to: slice(s.to) };
      return { ...s, args: s.args.map((arg) => mapArg(arg, expr, slice)), ...to };
    }
    case "roles":
      return { ...s, producer: block(s.producer), consumer: block(s.consumer) };
    case "commit_async":
    case "wait_async":
    case "barrier":
    case "comment":
      return s;
    default:
      return s satisfies never;
  }
}

function sliceIndex(slice: RegSlice | undefined): readonly (Expr | undefined)[] {
  return [slice?.index];
}

/** Expressions that a statement holds itself; undefined ones are left out by the caller. */
function ownExprs(s: Stmt): readonly (Expr | undefined)[] {
  switch (s.kind) {
    case "let":
      return [s.init];
    case "assign":
      return [s.to.index, s.value];
    case "loop":
      return [s.lo, s.hi, s.step];
    case "while":
    case "if":
      return [s.cond];
    case "load_global":
      return [s.to.index, s.offset, s.mask];
    case "store_global":
    case "store_shared":
      return [s.from.index, s.offset, s.mask];
    case "atomic_global":
      return [...sliceIndex(s.to), s.offset, s.value, s.mask];
    case "load_shared":
    case "ldmatrix":
      return [s.to.index, s.offset];
    case "copy_async":
      return [s.to, s.from, s.mask];
    case "shuffle_xor":
      return [s.to.index, s.value];
    case "shuffle":
      return [s.to.index, s.value, s.lane];
    case "mma":
      return [s.acc.index, s.a.index, s.b.index];
    case "call":
      return [...s.args.flatMap(argExprs), ...sliceIndex(s.to)];
    case "roles":
      return [];
    case "commit_async":
    case "wait_async":
    case "barrier":
    case "comment":
      return [];
    default:
      return s satisfies never;
  }
}

/** Calls `visit` for each expression that a statement holds itself: operands, offsets, masks, indices of slices. */
export function stmtExprs(s: Stmt, visit: (e: Expr) => void): void {
  for (const e of ownExprs(s)) if (e !== undefined) visit(e);
}
