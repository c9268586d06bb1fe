/** [dsl/ops] What an op is: one record with its name, signature, doc, typed face and lowering. The ops themselves have a file each. */
import { KernelSourceError } from "../core/errors.ts";
import type { AbstractValue } from "../frontend/abstract-value.ts";
import type { Call } from "../frontend/call.ts";
import type { AxisOk, FloatOk, Like, Reduced } from "../typing.ts";

/** An op as the front end sees it. */
export interface OpRecord {
  readonly name: string;
  /** How it is called, for messages and the reference table; `?` marks what may be left out. */
  readonly signature: string;
  /** One sentence for the reference table. */
  readonly doc: string;
  /** Checks the arguments, infers the result's type and emits tile IR. */
  readonly lower: (call: Call) => AbstractValue;
}

/** What an op's callable face carries besides being callable. */
export interface OpFace {
  readonly op: OpRecord;
}

export interface OpDefinition<F> extends OpRecord {
  /** Computes on host numbers, for ops that `grid` functions use too. */
  readonly native?: F;
}

/**
 * Makes an op from its record.
 * @returns the callable face; outside of a kernel it throws TW1009 unless the record has `native`
 */
export function defineOp<F extends (...args: never[]) => unknown>(
  definition: OpDefinition<F>,
): F & OpFace {
  const { native, ...op } = definition;
  const face = (...args: never[]): unknown => {
    if (native !== undefined) return native(...args);
    throw new KernelSourceError({
      code: "TW1009",
      message: `${op.name}() was called outside of a kernel`,
      seen: `a call of ${op.name}() while the program runs`,
      expected: "a call inside the body of kernel(), which is parsed and never run",
      remedy:
        "move the call into a kernel's body, or into a function that kernels call; to run a kernel on the CPU use the interpreter",
    });
  };
  Object.defineProperty(face, "name", { value: op.name });
  return Object.freeze(Object.assign(face, { op: Object.freeze(op) })) as unknown as F & OpFace;
}

/** The record behind an op's face, if `value` is one. */
export function opOf(value: unknown): OpRecord | undefined {
  return typeof value === "function" && "op" in value ? (value as unknown as OpFace).op : undefined;
}

/** Elementwise on floats. */
export type FloatFace<W extends string> = <X extends number>(x: X & FloatOk<W, X>) => Like<X>;
/** Elementwise on floats and ints. */
export type NumberFace = <X extends number>(x: X) => Like<X>;
/** Two operands; broadcasts by axis name. */
export type PairFace = (a: number, b: number) => number;
/** Removes one axis. */
export type ReduceFace<W extends string> = <X extends number, const A extends string>(
  x: X,
  axis: A & AxisOk<W, X, A>,
) => Reduced<X, A>;
