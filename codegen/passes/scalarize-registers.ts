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

/** The blocks around a statement, outermost first. */
type Path = readonly (readonly Stmt[])[];

/** How the whole kernel uses one register. */
interface Usage {
  /** Key of the index of all accesses; undefined once two differ, or one takes more than one element. */
  key: string | undefined;
  writes: number;
  /** Blocks that hold all accesses. */
  path: Path;
  /** The statement of the first access, and the blocks around it. */
  readonly first: Stmt;
  readonly firstPath: Path;
}

function commonPath(a: Path, b: Path): Path {
  const end = a.findIndex((block, i) => block !== b[i]);
  return end < 0 ? a : a.slice(0, end);
}

function usageOf(body: readonly Stmt[]): ReadonlyMap<string, Usage> {
  const finder = new UsageFinder();
  finder.block(body, []);
  return finder.usages;
}

/** Walks all statements; where it stands is state, so that the walk makes no function for each of them. */
class UsageFinder {
  readonly usages = new Map<string, Usage>();
  #at: Stmt | undefined;
  #path: Path = [];

  block(block: readonly Stmt[], outer: Path): void {
    const path = [...outer, block];
    for (const s of block) {
      this.#at = s;
      this.#path = path;
      this.#stmt(s);
      for (const inner of stmtBlocks(s)) this.block(inner, path);
    }
  }

  #stmt(s: Stmt): void {
    if (s.kind === "let") {
      if (s.init !== undefined) this.#note(s.reg.name, undefined, 1, 1);
    } else {
      for (const { slice, count } of writtenSlices(s))
        this.#note(slice.name, slice.index, count, 1);
    }
    for (const { slice, count } of readSlices(s)) this.#note(slice.name, slice.index, count, 0);
    stmtExprs(s, this.#expr);
  }

  readonly #expr = (e: Expr): void => walkExpr(e, this.#leaf);
  readonly #leaf = (x: Expr): void => {
    if (x.kind === "reg") this.#note(x.name, x.index, 1, 0);
  };

  #note(name: string, index: Expr | undefined, count: number, writes: number): void {
    const key = count !== 1 ? undefined : index === undefined ? "" : exprKey(index);
    const path = this.#path;
    const usage = this.usages.get(name);
    if (usage === undefined) {
      if (this.#at !== undefined)
        this.usages.set(name, { key, writes, path, first: this.#at, firstPath: path });
      return;
    }
    if (usage.key !== key) usage.key = undefined;
    usage.writes += writes;
    if (usage.path !== path) usage.path = commonPath(usage.path, path);
  }
}

function registersRead(e: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  walkExpr(e, (x) => {
    if (x.kind === "reg") names.add(x.name);
  });
  return names;
}

/** Arrays of which one element is enough, with the statement that writes it first: it stands in the block that holds all accesses. */
function findFirsts(
  usages: ReadonlyMap<string, Usage>,
  arrays: ReadonlySet<string>,
): ReadonlyMap<string, Stmt> {
  const firsts = new Map<string, Stmt>();
  for (const name of arrays) {
    const usage = usages.get(name);
    if (usage?.key === undefined || usage.first.kind !== "assign") continue;
    const { first, firstPath, path } = usage;
    const writesFirst = first.to.name === name && !registersRead(first.value).has(name);
    if (writesFirst && firstPath.length === path.length) firsts.set(name, first);
  }
  return firsts;
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
  const scalars = findFirsts(usages, declaredArrays(kernel.body));
  if (scalars.size === 0) return kernel;
  const firsts = new Map([...scalars].map(([name, s]) => [s, name]));
  const types = new Map<string, Extract<Stmt, { readonly kind: "let" }>["reg"]>();
  walkStmts(kernel.body, (s) => {
    if (s.kind === "let") types.set(s.reg.name, s.reg);
  });
  const expr = (e: Expr): Expr =>
    mapExpr(e, (x) =>
      x.kind === "reg" && scalars.has(x.name) ? { kind: "reg", type: x.type, name: x.name } : x,
    );
  const plain = (slice: RegSlice): RegSlice =>
    scalars.has(slice.name) ? { name: slice.name } : slice;
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
      if (s.kind === "let" && scalars.has(s.reg.name)) return [];
      const name = firsts.get(s);
      const reg = name === undefined ? undefined : types.get(name);
      if (s.kind !== "assign" || reg === undefined) return [rewrite(s)];
      const mutable = (usages.get(reg.name)?.writes ?? 0) > 1;
      const at = s.loc === undefined ? {} : { loc: s.loc };
      return [{ kind: "let", reg: { ...reg, length: 1 }, init: expr(s.value), mutable, ...at }];
    });
  return { ...kernel, body: block(kernel.body) };
}

function itself(e: Expr): Expr {
  return e;
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
      } else out.push(stmtBlocks(s).length === 0 ? s : mapStmt(s, itself, block));
    }
    return out;
  };
  return { ...kernel, body: block(kernel.body) };
}

export function scalarizeRegisters(kernel: ThreadKernel): ThreadKernel {
  return joinDeclarations(scalarize(kernel));
}
