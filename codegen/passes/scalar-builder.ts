/** [codegen/passes] Makes scheduled ops on scalars, with ids that the kernel does not have. Knows no pass. */
import { type BinaryFn, type CompareFn, type Location, scalarType } from "../../dsl/index.ts";
import type { ScheduledKernel, SOp, SValue } from "../ir/scheduled.ts";
import { nextScheduledId } from "../ir/visit-scheduled.ts";

export class ScalarBuilder {
  /** Where the next ops come from. */
  loc: Location;
  #nextId: number;

  constructor(kernel: ScheduledKernel, loc: Location) {
    this.#nextId = nextScheduledId(kernel);
    this.loc = loc;
  }

  /** A value that no op defines yet. */
  scalar(name: string, dtype: "i32" | "bool" = "i32"): SValue {
    return { id: this.#nextId++, name, type: scalarType(dtype) };
  }

  like(value: SValue): SValue {
    return { ...value, id: this.#nextId++ };
  }

  constant(ops: SOp[], value: number, name: string): SValue {
    const result = this.scalar(name);
    ops.push({ kind: "const", result, value, loc: this.loc });
    return result;
  }

  binary(ops: SOp[], fn: BinaryFn, a: SValue, b: SValue, name: string): SValue {
    const result = this.scalar(name);
    ops.push({ kind: "binary", fn, result, a, b, loc: this.loc });
    return result;
  }

  compare(ops: SOp[], fn: CompareFn, a: SValue, b: SValue, name: string): SValue {
    const result = this.scalar(name, "bool");
    ops.push({ kind: "compare", fn, result, a, b, loc: this.loc });
    return result;
  }

  select(ops: SOp[], cond: SValue, a: SValue, b: SValue, name: string): SValue {
    const result = this.scalar(name);
    ops.push({ kind: "select", result, cond, a, b, loc: this.loc });
    return result;
  }
}
