/** [codegen/passes] Moves constant registers whose value does not change in a loop in front of it. Runs after scalarize-registers, before eliminate-dead-registers. */
import type { Expr, Stmt, ThreadKernel } from "../ir/thread.ts";
import { mapStmt, stmtBlocks, walkExpr, walkStmts, writtenSlices } from "../ir/visit-thread.ts";

/** Names that a loop gives a value: counters, declarations, everything written. */
function changedIn(body: readonly Stmt[], counter: string | undefined): Set<string> {
  const names = new Set<string>();
  if (counter !== undefined) names.add(counter);
  walkStmts(body, (s) => {
    if (s.kind === "loop") names.add(s.name);
    if (s.kind === "let") names.add(s.reg.name);
    for (const { slice } of writtenSlices(s)) names.add(slice.name);
  });
  return names;
}

/** Division by an unknown is not moved: a loop of no turns never did it. */
function mayFault(e: Expr): boolean {
  let faults = false;
  walkExpr(e, (x) => {
    const divides = x.kind === "binary" && (x.fn === "floordiv" || x.fn === "mod");
    if (divides && !(x.b.kind === "const" && x.b.value !== 0)) faults = true;
  });
  return faults;
}

function readsAny(e: Expr, names: ReadonlySet<string>): boolean {
  let reads = false;
  walkExpr(e, (x) => {
    if (x.kind === "reg" && names.has(x.name)) reads = true;
  });
  return reads;
}

function hoistFrom(s: Stmt): readonly Stmt[] {
  const inner = mapStmt(s, (e) => e, hoistBlock);
  if (inner.kind !== "loop") return [inner];
  const changed = changedIn(inner.body, inner.name);
  const moved: Stmt[] = [];
  const body = inner.body.filter((one) => {
    if (one.kind !== "let" || one.mutable || one.init === undefined) return true;
    if (readsAny(one.init, changed) || mayFault(one.init)) return true;
    moved.push(one);
    changed.delete(one.reg.name);
    return false;
  });
  return [...moved, { ...inner, body }];
}

function hoistBlock(body: readonly Stmt[]): readonly Stmt[] {
  return body.flatMap((s) => (stmtBlocks(s).length === 0 ? [s] : hoistFrom(s)));
}

export function hoistInvariantThread(kernel: ThreadKernel): ThreadKernel {
  return { ...kernel, body: hoistBlock(kernel.body) };
}
