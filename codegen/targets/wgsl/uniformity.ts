/** [codegen/targets/wgsl] Proves which registers and conditions are the same for all threads of a workgroup, as WGSL's own analysis sees it. */
import type { Expr, Stmt, ThreadKernel } from "../../ir/thread.ts";
import { stmtBlocks, walkExpr, writtenSlices } from "../../ir/visit-thread.ts";

/** Answers for one kernel. What it calls uniform, WGSL's analysis does too: it follows no values through memory that is written. */
export interface Uniformity {
  readonly isUniform: (expr: Expr) => boolean;
  /** True where a barrier stands inside, so that the way into the statement must be uniform. */
  readonly hasBarrier: (stmt: Stmt) => boolean;
}

function containsBarrier(stmt: Stmt, known: Map<Stmt, boolean>): boolean {
  const found = known.get(stmt);
  if (found !== undefined) return found;
  let inside = stmt.kind === "barrier";
  for (const block of stmtBlocks(stmt)) {
    for (const child of block) inside = containsBarrier(child, known) || inside;
  }
  known.set(stmt, inside);
  return inside;
}

class Analysis {
  readonly #readOnly: ReadonlySet<string>;
  readonly #varying = new Set<string>();
  readonly #barriers = new Map<Stmt, boolean>();
  #changed = false;

  constructor(kernel: ThreadKernel) {
    this.#readOnly = new Set(
      kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
    );
    do {
      this.#changed = false;
      this.#block(kernel.body, true);
    } while (this.#changed);
  }

  isUniform(expr: Expr): boolean {
    let uniform = true;
    walkExpr(expr, (e) => {
      if (e.kind === "reg" && this.#varying.has(e.name)) uniform = false;
      if (e.kind === "special" && (e.name === "thread" || e.name === "lane" || e.name === "warp")) {
        uniform = false;
      }
    });
    return uniform;
  }

  hasBarrier(stmt: Stmt): boolean {
    return containsBarrier(stmt, this.#barriers);
  }

  #vary(name: string): void {
    if (this.#varying.has(name)) return;
    this.#varying.add(name);
    this.#changed = true;
  }

  #block(body: readonly Stmt[], flow: boolean): void {
    for (const stmt of body) this.#stmt(stmt, flow);
  }

  /** Whether the value that a statement writes is uniform, apart from the flow. */
  #writesUniform(stmt: Stmt): boolean {
    switch (stmt.kind) {
      case "let":
        return stmt.init === undefined || this.isUniform(stmt.init);
      case "assign":
        return (
          this.isUniform(stmt.value) &&
          (stmt.to.index === undefined || this.isUniform(stmt.to.index))
        );
      case "load_global":
        return (
          this.#readOnly.has(stmt.tensor) &&
          this.isUniform(stmt.offset) &&
          (stmt.mask === undefined || this.isUniform(stmt.mask))
        );
      default:
        return false;
    }
  }

  #stmt(stmt: Stmt, flow: boolean): void {
    const uniform = flow && this.#writesUniform(stmt);
    // A declaration without a value is the same zero for all.
    const declares = stmt.kind === "let" && stmt.init === undefined;
    if (!uniform && !declares) {
      for (const { slice } of writtenSlices(stmt)) this.#vary(slice.name);
    }
    const forced = this.hasBarrier(stmt);
    if (stmt.kind === "loop") {
      const bounds = [stmt.lo, stmt.hi, stmt.step].every((bound) => this.isUniform(bound));
      const inside = flow && (bounds || forced);
      if (!inside) this.#vary(stmt.name);
      this.#block(stmt.body, inside);
    } else if (stmt.kind === "while") {
      const inside = flow && (this.isUniform(stmt.cond) || forced);
      this.#block(stmt.head, inside);
      this.#block(stmt.body, inside);
    } else if (stmt.kind === "if") {
      const inside = flow && (this.isUniform(stmt.cond) || forced);
      this.#block(stmt.then, inside);
      this.#block(stmt.else, inside);
    }
  }
}

/**
 * Analyses a kernel. A register is uniform where every write to it is; conditions of statements with barriers inside count as
 * uniform, since the emission makes them so.
 */
export function analyseUniformity(kernel: ThreadKernel): Uniformity {
  const analysis = new Analysis(kernel);
  return {
    isUniform: (expr) => analysis.isUniform(expr),
    hasBarrier: (stmt) => analysis.hasBarrier(stmt),
  };
}
