/** [dsl/ops] range: the counted loop of `for (const i of range(…))`; the loop itself is made by the front end. */
import { defineOp } from "./define-op.ts";

export interface RangeOptions {
  /** Loads in flight, for software pipelining. A hint: changes speed, never results. */
  readonly stages?: number;
  /** Copies of the body per trip. A hint. */
  readonly unroll?: number;
}

interface Face {
  (end: number, options?: RangeOptions): Iterable<number>;
  (start: number, end: number, step?: number, options?: RangeOptions): Iterable<number>;
}

/** start, start + step … below end; i32, step > 0. */
export const range = defineOp<Face>({
  name: "range",
  signature: "range(end, { stages?, unroll? }?) or range(start, end, step?, { stages?, unroll? }?)",
  doc: "A counted loop: for (const i of range(n)).",
  lower: (call) => {
    call.count(1, 4);
    const options = call.trailingOptions(["stages", "unroll"]);
    const bounds = call.integerArguments();
    const [first, second, third] = bounds;
    if (first === undefined || bounds.length > 3)
      return call.misuse("range(end), range(start, end) or range(start, end, step)");
    const step = third ?? call.number(1);
    call.positive(step, "the step of range()");
    return {
      kind: "range",
      lo: second === undefined ? call.number(0) : first,
      hi: second ?? first,
      step,
      hints: call.hints(options),
    };
  },
});
