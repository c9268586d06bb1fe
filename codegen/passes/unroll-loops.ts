/** [codegen/passes] Writes out loops marked `unroll`, for targets whose compilers do it badly. Reads and writes thread IR; runs last, after all other passes over thread IR. */
import type { UnaryFn } from "../../dsl/index.ts";
import type { Expr, RegType, Stmt, ThreadKernel } from "../ir/thread.ts";
import { mapStmt, stmtExprs, walkExpr, walkStmts } from "../ir/visit-thread.ts";
import { substitute } from "./threads/substitute.ts";

type Loop = Extract<Stmt, { readonly kind: "loop" }>;

/** Instructions that an expression takes, roughly: functions that a prelude spells out weigh more than operators. */
function exprCost(expr: Expr): number {
  let cost = 0;
  walkExpr(expr, (e) => {
    if (e.kind === "unary") cost += LIGHT.has(e.fn) ? 1 : 25;
    else if (e.kind === "cast") cost += castCost(e.x.type, e.type);
    else if (e.kind === "binary") cost += e.fn === "floordiv" || e.fn === "mod" ? 8 : 1;
    else if (e.kind === "compare" || e.kind === "select" || e.kind === "fma") cost += 1;
  });
  return cost;
}

const LIGHT: ReadonlySet<UnaryFn> = new Set([
  "neg",
  "not",
  "abs",
  "floor",
  "ceil",
  "round",
  "sqrt",
  "rsqrt",
]);
const SMALL_FLOATS: ReadonlySet<RegType> = new Set(["f16", "f8e4m3", "f8e5m2"]);

function castCost(from: RegType, to: RegType): number {
  if (SMALL_FLOATS.has(to)) return 25;
  if (SMALL_FLOATS.has(from)) return 12;
  return to === "bf16" ? 8 : 1;
}

/** Roughly the instructions of a body, each loop in it counted once. */
function costOf(body: readonly Stmt[]): number {
  let cost = 0;
  walkStmts(body, (s) => {
    cost += "width" in s ? 1 + s.width : s.kind === "if" ? 30 : 1;
    stmtExprs(s, (e) => {
      cost += exprCost(e);
    });
  });
  return cost;
}

/** Values of the loop variable; undefined where a bound is not constant. */
function valuesOf({ lo, hi, step }: Loop): readonly number[] | undefined {
  if (lo.kind !== "const" || hi.kind !== "const" || step.kind !== "const") return undefined;
  const count = Math.max(0, Math.ceil((hi.value - lo.value) / step.value));
  return Array.from({ length: count }, (_, i) => lo.value + i * step.value);
}

class Unroller {
  readonly #most: number;
  readonly #taken = new Set<string>();

  constructor(kernel: ThreadKernel, most: number) {
    this.#most = most;
    walkStmts(kernel.body, (s) => {
      if (s.kind === "let") this.#taken.add(s.reg.name);
      if (s.kind === "loop") this.#taken.add(s.name);
    });
  }

  block(body: readonly Stmt[]): readonly Stmt[] {
    return body.flatMap((s) => this.#stmt(s));
  }

  #fresh(name: string): string {
    const hint = name.replace(/(?:_\d+)+$/, "");
    let n = 1;
    while (this.#taken.has(`${hint}_${n}`)) n++;
    const fresh = `${hint}_${n}`;
    this.#taken.add(fresh);
    return fresh;
  }

  /** One turn of the body; registers that it declares get names of their own, for the turns share a scope now. */
  #turn({ name, body }: Loop, value: number): readonly Stmt[] {
    const by = new Map<string, number | string>([[name, value]]);
    for (const s of body) if (s.kind === "let") by.set(s.reg.name, this.#fresh(s.reg.name));
    return substitute(body, by);
  }

  #stmt(s: Stmt): readonly Stmt[] {
    const inner = mapStmt(
      s,
      (e) => e,
      (body) => this.block(body),
    );
    if (inner.kind !== "loop") return [inner];
    const values = inner.unroll ? valuesOf(inner) : undefined;
    if (values === undefined || values.length * costOf(inner.body) > this.#most) return [inner];
    return values.flatMap((value) => this.#turn(inner, value));
  }
}

/**
 * Inner loops first; a loop that would be more than about `most` instructions written out stays a loop.
 * Index arithmetic of the loop variable becomes constant on the way.
 */
export function unrollLoops(kernel: ThreadKernel, most: number): ThreadKernel {
  return { ...kernel, body: new Unroller(kernel, most).block(kernel.body) };
}
