/** [dsl/frontend] One call of an op: its arguments, and the primitives that its lowering may emit. */
import type { DType } from "../core/dtype.ts";
import type { LoadHints, TensorParam } from "../ir/nodes.ts";
import type {
  ArgReduceFn,
  AtomicFn,
  BinaryFn,
  ReduceFn,
  ScanFn,
  UnaryFn,
} from "../ir/primitives.ts";
import type { Axis, Value } from "../ir/types.ts";
import { type AbstractValue, constant, knownValue, runtime, UNDEFINED } from "./abstract-value.ts";
import type { Options } from "./arguments.ts";
import * as arith from "./arith.ts";
import { materializeAny, materializeBool } from "./coerce.ts";
import { topK } from "./compose.ts";
import { dequant } from "./dequant.ts";
import * as memory from "./emit-memory.ts";
import * as tiles from "./emit-tile.ts";
import { ExplicitCall } from "./explicit-call.ts";
import { lastArrival } from "./last-arrival.ts";
import { ifAny } from "./lower-branch.ts";
import { NamedArguments } from "./named-arguments.ts";

export class Call extends ExplicitCall {
  number(value: number): AbstractValue {
    return constant(value);
  }
  unary(fn: UnaryFn, x: AbstractValue): AbstractValue {
    return arith.unary(this.lw, fn, x, this.place);
  }
  binary(fn: BinaryFn, a: AbstractValue, b: AbstractValue): AbstractValue {
    return arith.binary(this.lw, fn, a, b, this.place);
  }
  select(cond: AbstractValue, a: AbstractValue, b: AbstractValue): AbstractValue {
    return arith.select(this.lw, cond, a, b, this.place);
  }
  cast(x: AbstractValue, dtype: DType): AbstractValue {
    return arith.cast(this.lw, x, dtype, this.place);
  }
  bitcast(x: AbstractValue, dtype: DType): AbstractValue {
    return tiles.bitcast(this.lw, materializeAny(this.lw, x, this.place), dtype, this.place);
  }
  reduce(fn: ReduceFn, x: Value, axis: string): AbstractValue {
    return tiles.reduce(this.lw, fn, x, axis, this.place);
  }
  argReduce(fn: ArgReduceFn, x: Value, axis: string): AbstractValue {
    return tiles.argReduce(this.lw, fn, x, axis, this.place);
  }
  scan(fn: ScanFn, x: Value, axis: string): AbstractValue {
    return tiles.scan(this.lw, fn, x, axis, this.place);
  }
  dot(a: Value, b: Value, acc: AbstractValue | undefined): AbstractValue {
    return tiles.dot(this.lw, a, b, acc, this.place);
  }
  rename(x: Value, from: string, to: Axis): AbstractValue {
    return tiles.rename(this.lw, x, from, to, this.place);
  }
  split(x: Value, axis: string, into: readonly Axis[]): AbstractValue {
    return runtime(tiles.split(this.lw, x, axis, into, this.place));
  }
  broadcast(x: AbstractValue, axes: readonly Axis[]): AbstractValue {
    tiles.requireDistinct(this.lw, axes, this.place.loc);
    return tiles.broadcast(this.lw, x, axes, this.place);
  }
  merge(x: Value, into: Axis, options: Options): AbstractValue {
    const axes = options["axes"];
    const names =
      axes === undefined ? x.type.axes.slice(0, 2).map((axis) => axis.name) : this.axisList(axes);
    const limit = options["limit"];
    const limited =
      limit === undefined ? x : memory.limitLoad(this.lw, x, names, limit.value, this.place.loc);
    return runtime(tiles.merge(this.lw, limited, names, into, this.place));
  }
  iota(axis: Axis): AbstractValue {
    return runtime(
      this.lw.builder.op("iota", { dtype: "i32", axes: [axis] }, this.place.hint ?? "", {
        loc: this.place.loc,
      }),
    );
  }
  gridValue(kind: "pid" | "num_programs", axis: number): AbstractValue {
    const loc = this.place.loc;
    if (kind === "pid" && this.lw.builder.has("walk")) this.mixedPrograms();
    const index = axis === 0 ? 0 : axis === 1 ? 1 : 2;
    return runtime(
      this.lw.builder.once(kind, "i32", `${kind === "pid" ? "pid" : "programs"}${axis}`, {
        axis: index,
        loc,
      }),
    );
  }
  filled(dtype: DType, value: AbstractValue, axes: readonly Axis[]): AbstractValue {
    return memory.filled(this.lw, dtype, value, axes, this.place);
  }
  load(tensor: TensorParam, target: memory.Addressed, options: Options): AbstractValue {
    const hints: LoadHints = {
      ...this.choice(options, "via", ["auto", "tma", "cp.async", "ldg"] as const),
      ...this.choice(options, "evict", ["first", "last"] as const),
      ...this.choice(options, "when", ["early"] as const),
    };
    const value = (name: string): AbstractValue | undefined => options[name]?.value;
    const given = { fill: value("fill"), limit: value("limit"), mask: value("mask"), hints };
    return memory.load(this.lw, { ...target, tensor }, given, this.place);
  }
  store(tensor: TensorParam, target: memory.Addressed, options: Options): AbstractValue {
    const given = { limit: options["limit"]?.value, mask: options["mask"]?.value };
    memory.store(this.lw, { ...target, tensor }, this.given(2, "value"), given, this.place.loc);
    return UNDEFINED;
  }
  atomic(
    fn: AtomicFn,
    tensor: TensorParam,
    target: memory.Addressed,
    options: Options,
  ): AbstractValue {
    const given = { limit: options["limit"]?.value, mask: options["mask"]?.value };
    return memory.atomic(
      this.lw,
      fn,
      { ...target, tensor },
      this.given(2, "value"),
      given,
      this.place,
    );
  }
  lastArrival(
    tensor: TensorParam,
    target: memory.Addressed,
    expected: AbstractValue,
  ): AbstractValue {
    return lastArrival(this.lw, { ...target, tensor }, expected, this.place);
  }
  ifAny(cond: Value, axis: string, body: AbstractValue, otherwise: AbstractValue): AbstractValue {
    if (body.kind !== "function")
      return this.wrong(2, "body", "a function literal without arguments", "write () => [a, b]");
    return ifAny(this.lw, { cond, axis, body, otherwise }, this.place);
  }
  dequant(w: Value, scale: Value, options: Options): AbstractValue {
    const to = options["to"];
    if (to === undefined) return this.misuse("dequant(w, scale, { to: dtype })");
    const target = new NamedArguments(this.lw, this.op, [to], this.place).dtype(0);
    const axis = options["axis"];
    const args = {
      w,
      scale,
      to: target,
      group: options["group"]?.value,
      axes: axis === undefined ? undefined : this.axisList(axis, "axis"),
      zero: options["zero"]?.value,
    };
    return dequant(this.lw, args, this.place);
  }
  topK(x: Value, axis: string, k: Axis): AbstractValue {
    return topK(this.lw, x, axis, k, this.place);
  }
  print(label: string, x: AbstractValue): AbstractValue {
    const loc = this.place.loc;
    this.lw.builder.effect("print", { label, x: materializeAny(this.lw, x, { loc }), loc });
    return UNDEFINED;
  }
  assert(cond: AbstractValue, message: string): AbstractValue {
    const loc = this.place.loc;
    const known = knownValue(cond);
    if (known === true) return UNDEFINED;
    if (known === false) {
      return this.fail("TW1210", {
        message: `assert failed at compile time: ${message}`,
        seen: "a condition that is false for this config and these dims",
        expected: "a condition that holds",
        remedy: "choose other config values, or exclude them with when()",
      });
    }
    this.lw.builder.effect("assert", {
      cond: materializeBool(this.lw, cond, "the condition", loc),
      message,
      loc,
    });
    return UNDEFINED;
  }
}
