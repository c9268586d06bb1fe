/** [codegen/passes] Turns register arrays of which a block only ever touches one element into plain registers, and declarations with a first assignment into one. Runs after fuse-register-loops. */
import type { Expr, RegSlice, Stmt, ThreadKernel } from "../ir/thread.ts";
import {
  mapExpr,
  mapStmt,
  readSlices,
  stmtBlocks,
  stmtExprs,
  walkExpr,
  walkStmts,
  writtenSlices,
} from "../ir/visit-thread.ts";
import { exprKey } from "./threads/expr-key.ts";

/** How the whole kernel uses one register. */
interface Usage {
  /** Keys of all indices; more than one key means more than one element. */
  readonly keys: Set<string>;
  writes: number;
  accesses: number;
  /** Used as a vector, or without an index though it is an array. */
  isWhole: boolean;
}

function usageOf(body: readonly Stmt[]): ReadonlyMap<string, Usage> {
  const usages = new Map<string, Usage>();
  const note = (name: string, index: Expr | undefined, count: number, writes: number): void => {
    const usage = usages.get(name) ?? { keys: new Set(), writes: 0, accesses: 0, isWhole: false };
    usages.set(name, usage);
    usage.keys.add(index === undefined ? "" : exprKey(index));
    usage.writes += writes;
    usage.accesses += 1;
    if (count !== 1) usage.isWhole = true;
  };
  walkStmts(body, (s) => {
    if (s.kind === "let" && s.init !== undefined) note(s.reg.name, undefined, 1, 1);
    if (s.kind !== "let")
      for (const { slice, count } of writtenSlices(s)) note(slice.name, slice.index, count, 1);
    for (const { slice, count } of readSlices(s)) note(slice.name, slice.index, count, 0);
    stmtExprs(s, (e) => {
      walkExpr(e, (x) => {
        if (x.kind === "reg") note(x.name, x.index, 1, 0);
      });
    });
  });
  return usages;
}

/** What is found out about arrays while blocks are searched for the place of their only element. */
interface Plan {
  /** Array → the statement that writes it first, in the block that holds all its accesses. */
  readonly first: Map<string, Stmt>;
}

function findPlans(
  body: readonly Stmt[],
  usages: ReadonlyMap<string, Usage>,
  arrays: ReadonlySet<string>,
  plan: Plan,
): void {
  const inside = usageOf(body);
  const seen = new Set<string>();
  for (const s of body) {
    if (s.kind === "assign" && s.to.index !== undefined && !seen.has(s.to.name)) {
      const { name } = s.to;
      const whole = usages.get(name);
      const here = inside.get(name);
      const readsItself = registersRead(s.value).has(name);
      if (
        arrays.has(name) &&
        whole !== undefined &&
        !whole.isWhole &&
        whole.keys.size === 1 &&
        here?.accesses === whole.accesses &&
        !readsItself
      )
        plan.first.set(name, s);
    }
    for (const name of touchedBy(s)) seen.add(name);
    for (const block of stmtBlocks(s)) findPlans(block, usages, arrays, plan);
  }
}

function registersRead(e: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  walkExpr(e, (x) => {
    if (x.kind === "reg") names.add(x.name);
  });
  return names;
}

function touchedBy(s: Stmt): ReadonlySet<string> {
  return new Set(usageOf([s]).keys());
}

function declaredArrays(body: readonly Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  walkStmts(body, (s) => {
    if (s.kind === "let" && s.reg.length > 1) names.add(s.reg.name);
  });
  return names;
}

function scalarize(kernel: ThreadKernel): ThreadKernel {
  const usages = usageOf(kernel.body);
  const plan: Plan = { first: new Map() };
  findPlans(kernel.body, usages, declaredArrays(kernel.body), plan);
  if (plan.first.size === 0) return kernel;
  const firsts = new Map([...plan.first].map(([name, s]) => [s, name]));
  const types = new Map<string, Extract<Stmt, { readonly kind: "let" }>["reg"]>();
  walkStmts(kernel.body, (s) => {
    if (s.kind === "let") types.set(s.reg.name, s.reg);
  });
  const expr = (e: Expr): Expr =>
    mapExpr(e, (x) =>
      x.kind === "reg" && plan.first.has(x.name) ? { kind: "reg", type: x.type, name: x.name } : x,
    );
  const plain = (slice: RegSlice): RegSlice =>
    plan.first.has(slice.name) ? { name: slice.name } : slice;
  const rewrite = (s: Stmt): Stmt => {
    const mapped = mapStmt(s, expr, block);
    if (mapped.kind === "assign") return { ...mapped, to: plain(mapped.to) };
    if ("from" in mapped && (mapped.kind === "store_global" || mapped.kind === "store_shared"))
      return { ...mapped, from: plain(mapped.from) };
    if ("to" in mapped && (mapped.kind === "load_global" || mapped.kind === "load_shared"))
      return { ...mapped, to: plain(mapped.to) };
    return mapped;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.flatMap((s): readonly Stmt[] => {
      if (s.kind === "let" && plan.first.has(s.reg.name)) return [];
      const name = firsts.get(s);
      const reg = name === undefined ? undefined : types.get(name);
      if (s.kind !== "assign" || reg === undefined) return [rewrite(s)];
      const mutable = (usages.get(reg.name)?.writes ?? 0) > 1;
      const at = s.loc === undefined ? {} : { loc: s.loc };
      return [{ kind: "let", reg: { ...reg, length: 1 }, init: expr(s.value), mutable, ...at }];
    });
  return { ...kernel, body: block(kernel.body) };
}

/** `var x` and the assignment that follows it become one statement; it is constant where nothing else writes it. */
function joinDeclarations(kernel: ThreadKernel): ThreadKernel {
  const usages = usageOf(kernel.body);
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => {
    const out: Stmt[] = [];
    for (const s of stmts) {
      const last = out.at(-1);
      if (
        s.kind === "assign" &&
        s.to.index === undefined &&
        last?.kind === "let" &&
        last.init === undefined &&
        last.reg.name === s.to.name &&
        !registersRead(s.value).has(s.to.name)
      ) {
        const mutable = (usages.get(s.to.name)?.writes ?? 0) > 1;
        out[out.length - 1] = { ...last, init: s.value, mutable };
      } else out.push(mapStmt(s, (e) => e, block));
    }
    return out;
  };
  return { ...kernel, body: block(kernel.body) };
}

export function scalarizeRegisters(kernel: ThreadKernel): ThreadKernel {
  return joinDeclarations(scalarize(kernel));
}
