/** [codegen/passes] Makes tile-IR ops with new values, for passes that expand an op into several. */
import {
  type Axis,
  type BinaryFn,
  type CompareFn,
  type DType,
  type Location,
  type Op,
  type ReduceFn,
  sameAxes,
  type Value,
  type ValueSource,
  type ValueType,
} from "../../dsl/index.ts";

/** Collects ops at one place of the text; `ops` is what it made so far. */
export class TileBuilder {
  readonly ops: Op[] = [];
  readonly #source: ValueSource;
  readonly #loc: Location;

  constructor(source: ValueSource, loc: Location) {
    this.#source = source;
    this.#loc = loc;
  }

  value(name: string, dtype: DType, axes: readonly Axis[]): Value {
    const type: ValueType = { dtype, axes };
    return this.#source.fresh({ name, type });
  }

  constant(value: number, dtype: DType, axes: readonly Axis[] = [], name = "c"): Value {
    const result = this.value(name, dtype, axes);
    this.ops.push({ kind: "const", result, value, loc: this.#loc });
    return result;
  }

  iota(axis: Axis): Value {
    const result = this.value(axis.name.toLowerCase(), "i32", [axis]);
    this.ops.push({ kind: "iota", result, loc: this.#loc });
    return result;
  }

  binary(fn: BinaryFn, a: Value, b: Value, name = a.name): Value {
    const result = this.value(name, a.type.dtype, a.type.axes);
    this.ops.push({ kind: "binary", result, fn, a, b, loc: this.#loc });
    return result;
  }

  compare(fn: CompareFn, a: Value, b: Value, name = "is"): Value {
    const result = this.value(name, "bool", a.type.axes);
    this.ops.push({ kind: "compare", result, fn, a, b, loc: this.#loc });
    return result;
  }

  select(cond: Value, a: Value, b: Value, name = a.name): Value {
    const result = this.value(name, a.type.dtype, a.type.axes);
    this.ops.push({ kind: "select", result, cond, a, b, loc: this.#loc });
    return result;
  }

  cast(x: Value, dtype: DType): Value {
    if (x.type.dtype === dtype) return x;
    const result = this.value(x.name, dtype, x.type.axes);
    this.ops.push({ kind: "cast", result, x, loc: this.#loc });
    return result;
  }

  broadcast(x: Value, axes: readonly Axis[]): Value {
    if (sameAxes(x.type.axes, axes)) return x;
    const result = this.value(x.name, x.type.dtype, axes);
    this.ops.push({ kind: "broadcast", result, x, loc: this.#loc });
    return result;
  }

  reduce(fn: ReduceFn, x: Value, axis: string): Value {
    const axes = x.type.axes.filter((candidate) => candidate.name !== axis);
    const result = this.value(x.name, x.type.dtype, axes);
    this.ops.push({ kind: "reduce", result, fn, x, axis, loc: this.#loc });
    return result;
  }

  merge(x: Value, axes: readonly string[], into: string): Value {
    const first = x.type.axes.findIndex((axis) => axis.name === axes[0]);
    const fused = x.type.axes.slice(first, first + axes.length);
    const size = fused.reduce((n, axis) => n * axis.size, 1);
    const rest = x.type.axes.slice(first + axes.length);
    const result = this.value(x.name, x.type.dtype, [
      ...x.type.axes.slice(0, first),
      { name: into, size },
      ...rest,
    ]);
    this.ops.push({ kind: "merge", result, x, axes, into, loc: this.#loc });
    return result;
  }

  split(x: Value, axis: string, into: readonly Axis[]): Value {
    const axes = x.type.axes.flatMap((a) => (a.name === axis ? into : [a]));
    const result = this.value(x.name, x.type.dtype, axes);
    const names = into.map((part) => part.name);
    this.ops.push({ kind: "split", result, x, axis, into: names, loc: this.#loc });
    return result;
  }

  rename(x: Value, axes: readonly Axis[]): Value {
    const result = this.value(x.name, x.type.dtype, axes);
    this.ops.push({ kind: "rename", result, x, loc: this.#loc });
    return result;
  }

  /** `coordinate along axis < size`, a bool tile of that axis alone. */
  below(axis: Axis, size: number): Value {
    return this.compare("lt", this.iota(axis), this.constant(size, "i32", [axis]), "inside");
  }
}
