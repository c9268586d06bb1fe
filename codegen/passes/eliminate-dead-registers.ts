/** [codegen/passes] Removes registers that nothing reads, with the statements that only write them. Runs last on thread IR. */
import type { Expr, Stmt, ThreadKernel } from "../ir/thread.ts";
import {
  readSlices,
  stmtBlocks,
  stmtExprs,
  walkExpr,
  walkStmts,
  writtenSlices,
} from "../ir/visit-thread.ts";

/** Statements that do nothing but write registers. */
const WRITES_ONLY: ReadonlySet<Stmt["kind"]> = new Set([
  "let",
  "assign",
  "load_global",
  "load_shared",
  "ldmatrix",
  "mma",
  "shuffle",
  "shuffle_xor",
]);

/** Registers that a statement needs for its own effect: all it reads, but for what it writes to a register alone. */
function readBy(s: Stmt): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (e: Expr): void => {
    if (e.kind === "reg") names.add(e.name);
  };
  stmtExprs(s, (e) => {
    walkExpr(e, visit);
  });
  for (const { slice } of readSlices(s)) names.add(slice.name);
  return names;
}

/** Registers on which something outside of registers depends, directly or through others. */
function liveRegisters(kernel: ThreadKernel): ReadonlySet<string> {
  const sources = new Map<string, Set<string>>();
  const live = new Set<string>();
  const open: string[] = [];
  const need = (name: string): void => {
    if (live.has(name)) return;
    live.add(name);
    open.push(name);
  };
  walkStmts(kernel.body, (s) => {
    const read = readBy(s);
    if (!WRITES_ONLY.has(s.kind)) {
      for (const name of read) need(name);
      return;
    }
    for (const { slice } of writtenSlices(s)) {
      const from = sources.get(slice.name) ?? new Set();
      sources.set(slice.name, from);
      for (const name of read) from.add(name);
    }
  });
  for (let name = open.pop(); name !== undefined; name = open.pop())
    for (const source of sources.get(name) ?? []) need(source);
  return live;
}

function isDead(s: Stmt, live: ReadonlySet<string>): boolean {
  if (s.kind === "let") return !live.has(s.reg.name);
  if (!WRITES_ONLY.has(s.kind)) return false;
  return writtenSlices(s).every(({ slice }) => !live.has(slice.name));
}

function isEmptyLoop(s: Stmt): boolean {
  if (s.kind === "loop") return s.body.length === 0;
  return s.kind === "if" && s.then.length === 0 && s.else.length === 0;
}

export function eliminateDeadRegisters(kernel: ThreadKernel): ThreadKernel {
  const live = liveRegisters(kernel);
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.flatMap((s): readonly Stmt[] => {
      if (isDead(s, live)) return [];
      if (stmtBlocks(s).length === 0) return [s];
      const kept = keepBlocks(s, block);
      return isEmptyLoop(kept) ? [] : [kept];
    });
  return { ...kernel, body: block(kernel.body) };
}

function keepBlocks(s: Stmt, block: (stmts: readonly Stmt[]) => readonly Stmt[]): Stmt {
  switch (s.kind) {
    case "loop":
      return { ...s, body: block(s.body) };
    case "while":
      return { ...s, head: block(s.head), body: block(s.body) };
    case "if": {
      const [then, other] = [block(s.then), block(s.else)];
      return { ...s, then, else: other };
    }
    default:
      return s;
  }
}
