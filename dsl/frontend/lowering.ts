/** [dsl/frontend] State of lowering one kernel: builder, errors, variables, and where in the source we are. */
import type { ErrorCode } from "../core/errors.ts";
import type { Location } from "../core/location.ts";
import { Builder } from "../ir/build.ts";
import { type AbstractValue, ERROR, type FunctionValue, type Place } from "./abstract-value.ts";
import type { HirExpr, HirPattern, HirSpan, HirStatement } from "./hir.ts";
import { type Complaint, type Problems, Unwind } from "./problems.ts";
import type { Cell, Scope } from "./scope.ts";
import { sourceSpan } from "./syntax.ts";

/** The function that is being lowered: its file and the calls that led to it, innermost first. */
export interface Frame {
  readonly file: string;
  readonly chain: NonNullable<Location["chain"]>;
  /** What to call the value that is returned. */
  readonly hint?: string;
  /** Functions on the way here, to catch recursion. */
  readonly active: readonly FunctionValue["fn"][];
}

/** How a run of statements ended. */
export type Flow =
  | { readonly kind: "end" }
  | {
      readonly kind: "return";
      readonly value: AbstractValue;
      /** Of the statement, or of the first of several that may return. */
      readonly span: HirSpan;
    };
export const END: Flow = { kind: "end" };

/** The parts of the lowering that call each other across files; wired together in lower-kernel.ts. */
export interface Steps {
  readonly expression: (lw: Lowering, scope: Scope, e: HirExpr, hint?: string) => AbstractValue;
  readonly statements: (lw: Lowering, scope: Scope, body: readonly HirStatement[]) => Flow;
  readonly bind: (
    lw: Lowering,
    scope: Scope,
    target: HirPattern,
    value: AbstractValue,
    mutable: boolean,
  ) => void;
  readonly call: (
    lw: Lowering,
    fn: FunctionValue,
    args: readonly AbstractValue[],
    place: Place,
  ) => AbstractValue;
}

export class Lowering {
  readonly builder = new Builder();
  readonly problems: Problems;
  readonly steps: Steps;
  frame: Frame;
  /** Values of mutable variables; branches work on copies. */
  store: Map<Cell, AbstractValue> = new Map();
  /** Name of the variable that takes what the op being lowered gives. */
  wish: string | undefined;
  /** The role that is being lowered. */
  role: "producer" | "consumer" | undefined;
  /** A program has arrived at a counter. */
  arrives = false;
  /** How blocks take the programs that programs() gives, once it was asked. */
  taking: "counted" | "in turn" | undefined;
  /** Values that a variable was read for; merge() with a limit needs a load that nobody else can see. */
  readonly named = new Set<number>();

  constructor(problems: Problems, steps: Steps, frame: Frame) {
    this.problems = problems;
    this.steps = steps;
    this.frame = frame;
  }

  location(span: HirSpan): Location {
    const at = sourceSpan(this.frame.file, span);
    return this.frame.chain.length === 0 ? { span: at } : { span: at, chain: this.frame.chain };
  }

  fail(code: ErrorCode, loc: Location, complaint: Complaint): never {
    return this.problems.fail(code, complaint, loc);
  }

  /** Gives up on the statement without a message: one was given where the value came from. */
  unwind(): never {
    throw new Unwind();
  }

  /** The value, or an unwinding when an error stands in its place. */
  good(value: AbstractValue): Exclude<AbstractValue, { kind: "error" }> {
    return value.kind === "error" ? this.unwind() : value;
  }

  read(cell: Cell): AbstractValue {
    return cell.value ?? this.store.get(cell) ?? ERROR;
  }

  /** Runs `step` with another frame. */
  within<T>(frame: Frame, step: () => T): T {
    const outer = this.frame;
    this.frame = frame;
    try {
      return step();
    } finally {
      this.frame = outer;
    }
  }

  /** Runs `step` with a copy of the variables; gives the copy as it was left, and puts the old one back. */
  isolated<T>(step: () => T): { readonly result: T; readonly store: Map<Cell, AbstractValue> } {
    const outer = this.store;
    this.store = new Map(outer);
    try {
      const result = step();
      return { result, store: this.store };
    } finally {
      this.store = outer;
    }
  }
}
