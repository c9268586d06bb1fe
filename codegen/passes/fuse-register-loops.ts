/** [codegen/passes] Joins neighbouring unrolled loops over registers where each turn touches elements of its own only. Runs after fold-constants-thread, before scalarize-registers. */
import type { Expr, Stmt, ThreadKernel } from "../ir/thread.ts";
import {
  mapExpr,
  mapStmt,
  readSlices,
  stmtExprs,
  walkExpr,
  walkStmts,
  writtenSlices,
} from "../ir/visit-thread.ts";
import { affineOf } from "./threads/affine.ts";

type Loop = Extract<Stmt, { readonly kind: "loop" }>;

/** Elements [lo, hi] that turn r of a loop touches: `step` × r + [lo, hi]. */
interface Touch {
  readonly step: number;
  readonly lo: number;
  readonly hi: number;
}

interface Access {
  readonly name: string;
  readonly isWrite: boolean;
  /** Undefined where the index is not linear, or there is none. */
  readonly touch: Touch | undefined;
}

const PURE: ReadonlySet<Stmt["kind"]> = new Set(["assign", "let", "loop", "comment"]);
const STORES: ReadonlySet<Stmt["kind"]> = new Set([...PURE, "store_global", "store_shared"]);

function holdsOnly(loop: Loop, kinds: ReadonlySet<Stmt["kind"]>): boolean {
  let only = true;
  walkStmts(loop.body, (s) => {
    if (!kinds.has(s.kind) || (s.kind === "loop" && !s.unroll)) only = false;
  });
  return only;
}

/** Constant bounds of the loops inside, by counter. */
function innerRanges(loop: Loop): ReadonlyMap<string, readonly [number, number]> {
  const ranges = new Map<string, readonly [number, number]>();
  walkStmts(loop.body, (s) => {
    if (s.kind === "loop" && s.lo.kind === "const" && s.hi.kind === "const")
      ranges.set(s.name, [s.lo.value, s.hi.value - 1]);
  });
  return ranges;
}

function touchOf(
  index: Expr | undefined,
  count: number,
  counter: string,
  inner: ReadonlyMap<string, readonly [number, number]>,
): Touch | undefined {
  const lin = index === undefined ? undefined : affineOf(index);
  if (lin === undefined) return undefined;
  let [lo, hi] = [lin.base, lin.base + count - 1];
  let step = 0;
  for (const [name, k] of lin.terms) {
    if (name === counter) step = k;
    else {
      const range = inner.get(name);
      if (range === undefined) return undefined;
      lo += Math.min(k * range[0], k * range[1]);
      hi += Math.max(k * range[0], k * range[1]);
    }
  }
  return { step, lo, hi };
}

function accessesOf(loop: Loop): readonly Access[] {
  const inner = innerRanges(loop);
  const accesses: Access[] = [];
  const note = (name: string, index: Expr | undefined, count: number, isWrite: boolean): void => {
    accesses.push({ name, isWrite, touch: touchOf(index, count, loop.name, inner) });
  };
  walkStmts(loop.body, (s) => {
    for (const { slice, count } of writtenSlices(s)) note(slice.name, slice.index, count, true);
    for (const { slice, count } of readSlices(s)) note(slice.name, slice.index, count, false);
    stmtExprs(s, (e) => {
      walkExpr(e, (x) => {
        if (x.kind === "reg") note(x.name, x.index, 1, false);
      });
    });
  });
  return accesses;
}

/** Registers that a loop declares itself: nobody else sees them. */
function declaredIn(loop: Loop): ReadonlySet<string> {
  const names = new Set<string>();
  walkStmts(loop.body, (s) => {
    if (s.kind === "let") names.add(s.reg.name);
  });
  return names;
}

/** True where turn r of the second loop may run right after turn r of the first. */
function canJoin(first: Loop, second: Loop): boolean {
  const own = new Set([...declaredIn(first), ...declaredIn(second)]);
  const all = [...accessesOf(first), ...accessesOf(second)].filter((a) => !own.has(a.name));
  const written = new Set(all.filter((a) => a.isWrite).map((a) => a.name));
  for (const name of written) {
    const touches = all.filter((a) => a.name === name).map((a) => a.touch);
    const step = touches[0]?.step ?? 0;
    if (step <= 0 || touches.some((t) => t === undefined || t.step !== step)) return false;
    const lo = Math.min(...touches.map((t) => t?.lo ?? 0));
    const hi = Math.max(...touches.map((t) => t?.hi ?? 0));
    if (hi - lo >= step) return false;
  }
  return true;
}

function sameConst(a: Expr, b: Expr): boolean {
  return a.kind === "const" && b.kind === "const" && a.value === b.value;
}

function rename(body: readonly Stmt[], from: string, to: string): readonly Stmt[] {
  if (from === to) return body;
  const expr = (e: Expr): Expr =>
    mapExpr(e, (x) => (x.kind === "reg" && x.name === from ? { ...x, name: to } : x));
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((s) => mapStmt(s, expr, block));
  return block(body);
}

function usesCounter(loop: Loop, name: string): boolean {
  let used = false;
  walkStmts(loop.body, (s) => {
    if (s.kind === "loop" && s.name === name) used = true;
  });
  return used;
}

function join(first: Loop, second: Loop): Loop | undefined {
  const sameBounds =
    sameConst(first.lo, second.lo) &&
    sameConst(first.hi, second.hi) &&
    sameConst(first.step, second.step);
  if (!first.unroll || !second.unroll || !sameBounds) return undefined;
  if (!holdsOnly(first, PURE) || !holdsOnly(second, STORES)) return undefined;
  if (first.name !== second.name && usesCounter(second, first.name)) return undefined;
  const moved: Loop = {
    ...second,
    name: first.name,
    body: rename(second.body, second.name, first.name),
  };
  return canJoin(first, moved) ? { ...first, body: [...first.body, ...moved.body] } : undefined;
}

function isDeclaration(s: Stmt | undefined): boolean {
  return s?.kind === "let" && s.init === undefined;
}

function fuseBlock(body: readonly Stmt[]): readonly Stmt[] {
  const out: Stmt[] = [];
  for (const s of body) {
    // The last loop, with nothing but declarations after it, which may as well stand before it.
    let at = out.length - 1;
    while (isDeclaration(out[at])) at -= 1;
    const last = out[at];
    const joined = last?.kind === "loop" && s.kind === "loop" ? join(last, s) : undefined;
    if (joined === undefined) {
      out.push(s);
      continue;
    }
    out.splice(at, 1);
    out.push(joined);
  }
  return out.map((s) => mapStmt(s, (e) => e, fuseBlock));
}

export function fuseRegisterLoops(kernel: ThreadKernel): ThreadKernel {
  return { ...kernel, body: fuseBlock(kernel.body) };
}
