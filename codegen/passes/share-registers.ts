/** [codegen/passes] Gives equal constant registers of one block and of the branches inside it one name, in front of their first use. Runs after hoist-invariant-thread. */
import type { Expr, RegSlice, Stmt, ThreadKernel } from "../ir/thread.ts";
import { mapExpr, mapStmt, walkExpr, walkStmts } from "../ir/visit-thread.ts";
import { exprKey } from "./threads/expr-key.ts";

type Let = Extract<Stmt, { readonly kind: "let" }>;

/** A branch on the way to a register, and the statement that it belongs to. */
interface Step {
  readonly statement: Stmt;
  readonly branch: readonly Stmt[];
}

/** Where a register stands in a block: the branches around it, outermost first; none for the block itself. */
type Position = readonly Step[];

const IN_BLOCK: Position = [];

/** A register that later ones of the same value are replaced by. */
interface Known {
  readonly source: Let;
  readonly position: Position;
}

/** How many branches two positions share from the outside. */
function sharedSteps(a: Position, b: Position): number {
  const end = a.findIndex((step, i) => step.branch !== b[i]?.branch);
  return end < 0 ? a.length : end;
}

/** True where what stands at `a` is declared in every block around `b`. */
function isVisible(a: Position, b: Position): boolean {
  return sharedSteps(a, b) === a.length;
}

class Sharing {
  readonly renamed = new Map<string, string>();
  /** Statement of a block → registers that move in front of it. */
  readonly moved = new Map<Stmt, Let[]>();
  readonly removed = new Set<Let>();
  readonly #mutable: ReadonlySet<string>;

  constructor(mutable: ReadonlySet<string>) {
    this.#mutable = mutable;
  }

  readonly #named = (x: Expr): Expr => {
    const name = x.kind === "reg" ? this.renamed.get(x.name) : undefined;
    return x.kind !== "reg" || name === undefined ? x : { ...x, name };
  };

  rename(e: Expr): Expr {
    return this.renamed.size === 0 ? e : mapExpr(e, this.#named);
  }

  /** Key of a register that may be shared. */
  #keyOf(s: Let): string | undefined {
    if (s.mutable || s.init === undefined) return undefined;
    let fixed = true;
    walkExpr(s.init, (x) => {
      if (x.kind === "reg" && this.#mutable.has(x.name)) fixed = false;
    });
    return fixed ? `${s.reg.type} ${exprKey(this.rename(s.init))}` : undefined;
  }

  /** Division by an unknown stays in its branch: the other way may have been taken just because of it. */
  #mayMove(s: Let): boolean {
    let may = s.init !== undefined;
    if (s.init === undefined) return false;
    walkExpr(s.init, (x) => {
      const divides = x.kind === "binary" && (x.fn === "floordiv" || x.fn === "mod");
      if (divides && x.b.kind !== "const") may = false;
    });
    return may;
  }

  see(s: Let, known: Map<string, Known>, position: Position): void {
    const key = this.#keyOf(s);
    if (key === undefined) return;
    const before = known.get(key);
    if (before === undefined) {
      if (position.length === 0 || this.#mayMove(s)) known.set(key, { source: s, position });
      return;
    }
    this.renamed.set(s.reg.name, before.source.reg.name);
    this.removed.add(s);
    // In front of the innermost statement that holds both: all that it is made of is declared there, since both read it.
    const common = sharedSteps(before.position, position);
    const step = before.position[common];
    if (step === undefined) return;
    this.moved.set(step.statement, [...(this.moved.get(step.statement) ?? []), before.source]);
    this.removed.add(before.source);
    known.set(key, { source: before.source, position: position.slice(0, common) });
  }
}

/** Finds what can be shared in a block; loops are blocks of their own, branches belong to the block around them. */
function findShared(body: readonly Stmt[], sharing: Sharing, outer: Map<string, Known>): void {
  const known = new Map(outer);
  const visit = (s: Stmt, position: Position): void => {
    if (s.kind === "let") sharing.see(s, known, position);
    if (s.kind === "if") {
      for (const branch of [s.then, s.else]) {
        const inner = [...position, { statement: s, branch }];
        for (const one of branch) visit(one, inner);
      }
    }
    if (s.kind === "loop") findShared(s.body, sharing, visibleAt(known, position));
    if (s.kind === "while") findShared([...s.head, ...s.body], sharing, visibleAt(known, position));
  };
  for (const s of body) visit(s, IN_BLOCK);
}

/** What a loop at a position may use, for the loop all of it outside. */
function visibleAt(known: ReadonlyMap<string, Known>, position: Position): Map<string, Known> {
  const visible = [...known].filter(([, one]) => isVisible(one.position, position));
  return new Map(visible.map(([key, one]) => [key, { ...one, position: IN_BLOCK }]));
}

function mutableRegisters(body: readonly Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  walkStmts(body, (s) => {
    if (s.kind === "let" && s.mutable) names.add(s.reg.name);
  });
  return names;
}

export function shareRegisters(kernel: ThreadKernel): ThreadKernel {
  const sharing = new Sharing(mutableRegisters(kernel.body));
  findShared(kernel.body, sharing, new Map());
  if (sharing.removed.size === 0) return kernel;
  const expr = (e: Expr): Expr => sharing.rename(e);
  const slice = (r: RegSlice): RegSlice => {
    const name = sharing.renamed.get(r.name);
    return name === undefined ? r : { ...r, name };
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.flatMap((s): readonly Stmt[] => {
      const before = (sharing.moved.get(s) ?? []).map((one) => mapStmt(one, expr, block));
      if (s.kind === "let" && sharing.removed.has(s)) return before;
      const mapped = mapStmt(s, expr, block);
      if (mapped.kind === "store_global" || mapped.kind === "store_shared")
        return [...before, { ...mapped, from: slice(mapped.from) }];
      return [...before, mapped];
    });
  return { ...kernel, body: block(kernel.body) };
}
