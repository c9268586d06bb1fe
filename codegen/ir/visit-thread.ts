/** [codegen/ir] Reading and rebuilding thread IR generically: expressions, the registers a statement reads and writes, walks. */
import { instructionOf, isWritten } from "./instructions.ts";
import type { CallArg, Expr, RegSlice, Stmt } from "./thread.ts";

/**
 * Calls `visit` for the direct operands of an expression. What it needs is handed through as `context`: these walks are the inner loops of every
 * pass, and a closure or an array for each node is most of their time.
 */
export function eachOperand<C>(e: Expr, visit: (x: Expr, context: C) => void, context: C): void {
  switch (e.kind) {
    case "const":
    case "special":
    case "dim":
    case "param":
      return;
    case "reg":
      if (e.index !== undefined) visit(e.index, context);
      return;
    case "unary":
    case "cast":
    case "bitcast":
      visit(e.x, context);
      return;
    case "binary":
    case "compare":
      visit(e.a, context);
      visit(e.b, context);
      return;
    case "fma":
      visit(e.a, context);
      visit(e.b, context);
      visit(e.c, context);
      return;
    case "select":
      visit(e.cond, context);
      visit(e.a, context);
      visit(e.b, context);
      return;
    case "pack":
      visit(e.lo, context);
      visit(e.hi, context);
      return;
    default:
      e satisfies never;
  }
}

/** Calls `visit` for an expression and everything inside it, outside first. */
export function walkExpr(e: Expr, visit: (e: Expr) => void): void {
  visit(e);
  eachOperand(e, walkExpr, visit);
}

/** An expression whose direct operands are rebuilt; the same object when none changed. */
function mapInside(e: Expr, f: (e: Expr) => Expr): Expr {
  switch (e.kind) {
    case "const":
    case "special":
    case "dim":
    case "param":
      return e;
    case "reg": {
      if (e.index === undefined) return e;
      const index = mapExpr(e.index, f);
      return index === e.index ? e : { ...e, index };
    }
    case "unary":
    case "cast":
    case "bitcast": {
      const x = mapExpr(e.x, f);
      return x === e.x ? e : { ...e, x };
    }
    case "binary":
    case "compare": {
      const a = mapExpr(e.a, f);
      const b = mapExpr(e.b, f);
      return a === e.a && b === e.b ? e : { ...e, a, b };
    }
    case "fma": {
      const a = mapExpr(e.a, f);
      const b = mapExpr(e.b, f);
      const c = mapExpr(e.c, f);
      return a === e.a && b === e.b && c === e.c ? e : { ...e, a, b, c };
    }
    case "select": {
      const cond = mapExpr(e.cond, f);
      const a = mapExpr(e.a, f);
      const b = mapExpr(e.b, f);
      return cond === e.cond && a === e.a && b === e.b ? e : { ...e, cond, a, b };
    }
    case "pack": {
      const lo = mapExpr(e.lo, f);
      const hi = mapExpr(e.hi, f);
      return lo === e.lo && hi === e.hi ? e : { ...e, lo, hi };
    }
    default:
      return e satisfies never;
  }
}

/** Rebuilds an expression from the leaves up. */
export function mapExpr(e: Expr, f: (e: Expr) => Expr): Expr {
  return f(mapInside(e, f));
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
      const written = s.args.flatMap((arg, i) =>
        arg.kind === "registers" && isWritten(s, i) ? [{ slice: arg.slice, count: arg.count }] : [],
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
      return s.args.flatMap((arg, i) =>
        arg.kind === "registers" && instructionOf(s.fn)?.args[i] !== "out"
          ? [{ slice: arg.slice, count: arg.count }]
          : [],
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

function mapArg(arg: CallArg, expr: (e: Expr) => Expr): CallArg {
  switch (arg.kind) {
    case "value":
      return { ...arg, value: expr(arg.value) };
    case "address":
      return { ...arg, bytes: expr(arg.bytes) };
    case "registers":
      return { ...arg, slice: mapSlice(arg.slice, expr) };
    case "map":
    case "counter":
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
    case "counter":
      return [];
    default:
      return arg satisfies never;
  }
}

function mapSlice(r: RegSlice, expr: (e: Expr) => Expr): RegSlice {
  if (r.index === undefined) return r;
  const index = expr(r.index);
  return index === r.index ? r : { ...r, index };
}

function mapMaybe(e: Expr | undefined, expr: (e: Expr) => Expr): Expr | undefined {
  return e === undefined ? undefined : expr(e);
}

/** What is not there stays away, as the types ask. */
function withMask<S extends { readonly mask?: Expr }>(s: S, mask: Expr | undefined): S {
  return mask === undefined ? s : { ...s, mask };
}

/** Rewrites the expressions of one statement (indices of slices included) and leaves its blocks to `block`; the same object when none changed. */
export function mapStmt(
  s: Stmt,
  expr: (e: Expr) => Expr,
  block: (body: readonly Stmt[]) => readonly Stmt[],
): Stmt {
  switch (s.kind) {
    case "let": {
      const init = mapMaybe(s.init, expr);
      return init === undefined || init === s.init ? s : { ...s, init };
    }
    case "assign": {
      const to = mapSlice(s.to, expr);
      const value = expr(s.value);
      return to === s.to && value === s.value ? s : { ...s, to, value };
    }
    case "loop":
      return { ...s, lo: expr(s.lo), hi: expr(s.hi), step: expr(s.step), body: block(s.body) };
    case "while": {
      const head = block(s.head);
      return { ...s, head, cond: expr(s.cond), body: block(s.body) };
    }
    case "if":
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      return { ...s, cond: expr(s.cond), then: block(s.then), else: block(s.else) };
    case "load_global": {
      const to = mapSlice(s.to, expr);
      const offset = expr(s.offset);
      const mask = mapMaybe(s.mask, expr);
      const isSame = to === s.to && offset === s.offset && mask === s.mask;
      return isSame ? s : withMask({ ...s, to, offset }, mask);
    }
    case "store_global":
    case "store_shared": {
      const from = mapSlice(s.from, expr);
      const offset = expr(s.offset);
      const mask = mapMaybe(s.mask, expr);
      const isSame = from === s.from && offset === s.offset && mask === s.mask;
      return isSame ? s : withMask({ ...s, from, offset }, mask);
    }
    case "atomic_global": {
      const to = s.to === undefined ? {} : { to: mapSlice(s.to, expr) };
      const moved = { ...s, ...to, offset: expr(s.offset), value: expr(s.value) };
      return withMask(moved, mapMaybe(s.mask, expr));
    }
    case "load_shared":
    case "ldmatrix": {
      const to = mapSlice(s.to, expr);
      const offset = expr(s.offset);
      return to === s.to && offset === s.offset ? s : { ...s, to, offset };
    }
    case "copy_async":
      return withMask({ ...s, to: expr(s.to), from: expr(s.from) }, mapMaybe(s.mask, expr));
    case "shuffle_xor":
      return { ...s, to: mapSlice(s.to, expr), value: expr(s.value) };
    case "shuffle":
      return { ...s, to: mapSlice(s.to, expr), value: expr(s.value), lane: expr(s.lane) };
    case "mma": {
      const acc = mapSlice(s.acc, expr);
      const a = mapSlice(s.a, expr);
      const b = mapSlice(s.b, expr);
      return acc === s.acc && a === s.a && b === s.b ? s : { ...s, acc, a, b };
    }
    case "call": {
      const to = s.to === undefined ? {} : { to: mapSlice(s.to, expr) };
      return { ...s, args: s.args.map((arg) => mapArg(arg, expr)), ...to };
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
