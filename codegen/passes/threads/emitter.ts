/** [codegen/passes/threads] Where statements go while a kernel is lowered: open blocks, names, hoisting of invariant expressions, register loops. */
import type { Location } from "../../../dsl/index.ts";
import type { Expr, RegSlice, RegType, Stmt } from "../../ir/thread.ts";
import { walkExpr } from "../../ir/visit-thread.ts";
import { add, constant, isTrivial, mul, register } from "./expr.ts";
import { exprKey } from "./expr-key.ts";
import { type Lin, linCounter, ZERO } from "./place.ts";

interface Scope {
  readonly stmts: Stmt[];
  /** True for the body of a loop: what does not change in it is worth moving out. */
  readonly isLoop: boolean;
  /** Names of expressions that were bound here. */
  readonly bound: Map<string, Expr>;
}

/** A run of a nest's body whose statements are thrown away. */
interface Trial {
  readonly id: string;
  readonly depth: number;
  /** Names taken that do not outlive it. */
  readonly names: Set<string>;
  readonly seen: Lin[];
}

const COUNTERS = ["r", "i", "j", "k", "l", "m", "n", "o"];

/** Mutable while lowering: the statements of the kernel so far. */
export class StatementWriter {
  readonly #scopes: Scope[] = [{ stmts: [], isLoop: false, bound: new Map() }];
  readonly #names: Set<string>;
  readonly #counterNames = new Set<string>();
  readonly #activeCounters: string[] = [];
  /** Scope in which a register has its final value; absent for registers that still change. */
  readonly #settled = new Map<string, number>();
  readonly #trials: Trial[] = [];
  /** Counter of each digit of the nests so far; a digit that is fused counts through another one. */
  readonly #digits = new Map<string, string>();
  #nests = 0;
  loc: Location | undefined;

  constructor(reserved: readonly string[]) {
    this.#names = new Set(reserved);
  }

  get depth(): number {
    return this.#scopes.length - 1;
  }

  /** Statements of the outermost block. */
  finish(): readonly Stmt[] {
    return this.#scopes[0]?.stmts ?? [];
  }

  emit(stmt: Stmt, depth = this.depth): void {
    const located =
      this.loc === undefined || stmt.loc !== undefined ? stmt : { ...stmt, loc: this.loc };
    this.#scopes[depth]?.stmts.push(located);
  }

  /** A name that nothing has yet, close to `hint`. */
  fresh(hint: string): string {
    const base = hint.replace(/\W/g, "_").replace(/^(?=\d)/, "_") || "t";
    let name = base;
    for (let n = 1; this.#names.has(name); n++) name = `${base}_${n}`;
    this.#names.add(name);
    for (const trial of this.#trials) trial.names.add(name);
    return name;
  }

  /** Declares a register that is assigned later. */
  declare(hint: string, type: RegType, length = 1, depth = this.depth): string {
    const name = this.fresh(hint);
    this.emit({ kind: "let", reg: { name, type, length }, mutable: true }, depth);
    return name;
  }

  /** Declares a register of one element with a value that may change. */
  declareWith(hint: string, init: Expr): string {
    const name = this.fresh(hint);
    this.emit({ kind: "let", reg: { name, type: init.type, length: 1 }, init, mutable: true });
    return name;
  }

  /** From here on, in this block and those inside it, the register does not change. */
  settle(name: string, depth = this.depth): void {
    this.#settled.set(name, depth);
  }

  unsettle(name: string): void {
    this.#settled.delete(name);
  }

  assign(to: RegSlice, value: Expr): void {
    this.emit({ kind: "assign", to, value });
  }

  /** Innermost block whose registers an expression reads; the current one where a register still changes. */
  depthOf(e: Expr): number {
    let depth = 0;
    walkExpr(e, (x) => {
      if (x.kind === "reg") depth = Math.max(depth, this.#settled.get(x.name) ?? this.depth);
    });
    return depth;
  }

  #isStable(e: Expr): boolean {
    let stable = true;
    walkExpr(e, (x) => {
      if (x.kind === "reg" && !this.#settled.has(x.name)) stable = false;
    });
    return stable;
  }

  /** Block in front of the outermost loop that an expression of some depth does not change in. */
  #home(depth: number): number {
    const loop = this.#scopes.findIndex((scope, i) => i > depth && scope.isLoop);
    return loop < 0 ? this.depth : loop - 1;
  }

  /** Depth of the block that `bind` names an expression in. */
  homeOf(e: Expr): number {
    return this.#isStable(e) ? this.#home(this.depthOf(e)) : this.depth;
  }

  #known(key: string, depth: number): Expr | undefined {
    for (const scope of this.#scopes.slice(depth)) {
      const known = scope.bound.get(key);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  /** Names an expression in front of the loops that it does not change in, once; trivial ones stay as they are. */
  bind(e: Expr, hint: string): Expr {
    if (isTrivial(e)) return e;
    const stable = this.#isStable(e);
    const depth = this.depthOf(e);
    const key = exprKey(e);
    const known = stable ? this.#known(key, depth) : undefined;
    if (known !== undefined) return known;
    const name = this.fresh(hint);
    const home = this.homeOf(e);
    this.emit(
      { kind: "let", reg: { name, type: e.type, length: 1 }, init: e, mutable: false },
      home,
    );
    this.#settled.set(name, home);
    const named = register(name, e.type);
    if (stable) this.#scopes[home]?.bound.set(key, named);
    for (const trial of this.#trials) if (home < trial.depth) trial.names.delete(name);
    return named;
  }

  /** Sum of terms of one type; the part that is invariant in an outer block is named there. */
  bindSum(terms: readonly Expr[], type: RegType, hint: string): Expr {
    const [first, ...rest] = [...terms].sort((a, b) => this.depthOf(a) - this.depthOf(b));
    if (first === undefined) return constant(0, type);
    const sum = rest.reduce((acc, term) => {
      const known = this.homeOf(acc) < this.homeOf(term) ? this.bind(acc, hint) : acc;
      return add(known, term);
    }, first);
    return this.bind(sum, hint);
  }

  /** Statements that `body` emits, as a block of their own. */
  nested(body: () => void, isLoop = false): readonly Stmt[] {
    this.#scopes.push({ stmts: [], isLoop, bound: new Map() });
    body();
    return this.#scopes.pop()?.stmts ?? [];
  }

  #counter(): string {
    const free = COUNTERS.find(
      (name) =>
        !this.#activeCounters.includes(name) &&
        (!this.#names.has(name) || this.#counterNames.has(name)),
    );
    const name = free ?? this.fresh("r");
    this.#names.add(name);
    this.#counterNames.add(name);
    return name;
  }

  /** A counted loop; `body` gets the counter. */
  loop(
    range: {
      readonly lo: Expr;
      readonly hi: Expr;
      readonly step: Expr;
      readonly unroll: boolean;
      readonly name?: string;
    },
    body: (counter: string) => void,
  ): void {
    const name = range.name ?? this.#counter();
    this.#activeCounters.push(name);
    this.#settled.set(name, this.depth + 1);
    const { loc } = this;
    const inner = this.nested(() => body(name), true);
    this.loc = loc;
    this.#activeCounters.pop();
    const { lo, hi, step, unroll } = range;
    this.emit({ kind: "loop", name, lo, hi, step, unroll, body: inner });
  }

  /** Index expression of a linear form over counters and digits of open nests. */
  index(lin: Lin): Expr {
    const terms: { readonly name: string; readonly k: number }[] = [];
    for (const [key, k] of lin.terms) {
      const digit = this.#digits.get(key);
      if (k === 0 || digit === "fused") continue;
      for (const trial of this.#trials) if (trial.id === digitOwner(key)) trial.seen.push(lin);
      terms.push({ name: digit ?? key, k });
    }
    terms.sort((a, b) => b.k - a.k);
    const sum = terms.reduce<Expr>(
      (all, { name, k }) => add(all, mul(register(name, "i32"), constant(k))),
      constant(0),
    );
    return add(sum, constant(lin.base));
  }

  /** Runs `body` without keeping its statements, to see which index forms of the nest it asks for. */
  #try(id: string, digits: readonly string[], body: () => void): readonly Lin[] {
    const trial: Trial = { id, depth: this.depth + 1, names: new Set(), seen: [] };
    this.#trials.push(trial);
    this.nested(() => {
      for (const digit of digits) {
        this.#digits.delete(digit);
        this.#settled.set(digit, this.depth);
      }
      body();
    }, true);
    this.#trials.pop();
    for (const name of trial.names) this.#names.delete(name);
    return trial.seen;
  }

  /**
   * Nested unrolled loops over digits, the first fastest; neighbouring digits become one loop where every index allows it.
   * `body` may run twice, the first time in vain, and must make index expressions of digits by `index` alone.
   */
  nest(extents: readonly number[], body: (digits: readonly Lin[]) => void): void {
    this.#nests += 1;
    const id = `#${this.#nests}`;
    const keys = extents.map((_, i) => `${id}.${i}`);
    const digits = extents.map((extent, i) => (extent === 1 ? ZERO : linCounter(keys[i] ?? "")));
    const open = extents.flatMap((extent, i) => (extent === 1 ? [] : [i]));
    if (open.length === 0) {
      body(digits);
      return;
    }
    // A single digit has nothing to be fused with.
    const seen = open.length === 1 ? [] : this.#try(id, keys, () => body(digits));
    const groups = fuseDigits(open, extents, (lin, i) => lin.terms.get(keys[i] ?? "") ?? 0, seen);
    for (const key of keys) this.#digits.set(key, "fused");
    this.#openNest(
      groups,
      (i) => keys[i] ?? "",
      () => body(digits),
    );
  }

  #openNest(
    groups: readonly DigitGroup[],
    keyOf: (digit: number) => string,
    body: () => void,
  ): void {
    const group = groups.at(-1);
    if (group === undefined) {
      body();
      return;
    }
    const bounds = { lo: constant(0), hi: constant(group.extent), step: constant(1) };
    this.loop({ ...bounds, unroll: true }, (name) => {
      this.#digits.set(keyOf(group.first), name);
      this.#openNest(groups.slice(0, -1), keyOf, body);
    });
  }
}

/** Neighbouring digits that one counter can stand for. */
interface DigitGroup {
  readonly first: number;
  readonly extent: number;
}

function fuseDigits(
  open: readonly number[],
  extents: readonly number[],
  factor: (lin: Lin, digit: number) => number,
  seen: readonly Lin[],
): readonly DigitGroup[] {
  const groups: DigitGroup[] = [];
  let previous = -1;
  for (const i of open) {
    const group = groups.at(-1);
    const extent = extents[i] ?? 1;
    const step = extents[previous] ?? 1;
    const continues = seen.every((lin) => factor(lin, i) === factor(lin, previous) * step);
    if (group !== undefined && continues)
      groups[groups.length - 1] = { first: group.first, extent: group.extent * extent };
    else groups.push({ first: i, extent });
    previous = i;
  }
  return groups;
}

/** `#3` of the digit `#3.1`. */
function digitOwner(key: string): string {
  return key.slice(0, key.indexOf("."));
}
