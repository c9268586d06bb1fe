/** [codegen/passes] Pads axes whose sizes suit neither layouts nor mma: masked at loads and stores, neutral in reductions and contractions. Runs after legalize-dots and fold-merge. */
import {
  type Axis,
  type Block,
  type Definition,
  DTYPES,
  type DType,
  definitions,
  findAxis,
  findTensor,
  type Index,
  mapOperands,
  mapRegions,
  mapResults,
  type Op,
  type TensorDim,
  type TileKernel,
  type Value,
  ValueSource,
} from "../../dsl/index.ts";
import { paddedSizes } from "./padded-sizes.ts";
import type { PassContext } from "./pass.ts";
import { TileBuilder } from "./tile-builder.ts";

const PASS = "pad-axes";

/** The element that does not change a sum, maximum or minimum. */
function neutral(fn: "sum" | "max" | "min", dtype: DType): number {
  if (fn === "sum") return 0;
  const { kind, bits, signed } = DTYPES[dtype];
  if (kind === "float") return fn === "max" ? -Infinity : Infinity;
  const least = signed ? -(2 ** (bits - 1)) : 0;
  return fn === "max" ? least : 2 ** (signed ? bits - 1 : bits) - 1;
}

/** The element that an argmax or argmin never picks before a real one. */
function unpicked(fn: "argmax" | "argmin", dtype: DType): number {
  return DTYPES[dtype].kind === "float"
    ? Number.NaN
    : neutral(fn === "argmax" ? "max" : "min", dtype);
}

class Padder {
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #kernel: TileKernel;
  readonly #source: ValueSource;
  readonly #definitions: ReadonlyMap<number, Definition>;
  readonly #values = new Map<number, Value>();

  constructor(kernel: TileKernel, sizes: ReadonlyMap<string, number>) {
    this.#kernel = kernel;
    this.#sizes = sizes;
    this.#source = new ValueSource(kernel);
    this.#definitions = definitions(kernel.body);
  }

  #axis(axis: Axis): Axis {
    const size = this.#sizes.get(`${axis.name}=${axis.size}`);
    return size === undefined ? axis : { name: axis.name, size };
  }

  readonly #value = (value: Value): Value => {
    const known = this.#values.get(value.id);
    if (known !== undefined) return known;
    const axes = value.type.axes.map((axis) => this.#axis(axis));
    const padded = { ...value, type: { ...value.type, axes } };
    this.#values.set(value.id, padded);
    return padded;
  };

  #isPadded(axis: Axis): boolean {
    return this.#sizes.has(`${axis.name}=${axis.size}`);
  }

  readonly block = (block: Block): Block => ({
    params: block.params.map(this.#value),
    ops: block.ops.flatMap((op) => this.#op(op)),
    yields: block.yields.map(this.#value),
  });

  /** `x` (already padded) where the coordinate along `axis` is real, `fill` elsewhere. */
  #inside(builder: TileBuilder, x: Value, axis: Axis, fill: number): Value {
    const { dtype, axes } = x.type;
    const inside = builder.broadcast(builder.below(this.#axis(axis), axis.size), axes);
    return builder.select(inside, x, builder.constant(fill, dtype, axes), x.name);
  }

  #index(builder: TileBuilder, index: Index, dim: TensorDim | undefined): Index {
    switch (index.kind) {
      case "at":
        return index;
      case "span": {
        if (!this.#isPadded(index.axis)) return index;
        const axis = this.#axis(index.axis);
        const start = this.#definitions.get(index.start.id);
        const atZero = start?.kind === "op" && start.op.kind === "const" && start.op.value === 0;
        if (atZero && dim?.size !== undefined && dim.size <= index.axis.size)
          return { ...index, axis };
        const size = builder.constant(index.axis.size, "i32");
        const own = builder.binary("add", index.start, size, "end");
        const end = index.end === undefined ? own : builder.binary("min", index.end, own, "end");
        return { ...index, axis, end };
      }
      case "gather": {
        let value = this.#value(index.index);
        for (const axis of index.index.type.axes)
          if (this.#isPadded(axis)) value = this.#inside(builder, value, axis, -1);
        return { kind: "gather", index: value };
      }
      default:
        return index satisfies never;
    }
  }

  #place(builder: TileBuilder, tensor: string, at: readonly Index[]): readonly Index[] {
    const shape = findTensor(this.#kernel, tensor)?.shape ?? [];
    return at.map((index, i) => this.#index(builder, index, shape[i]));
  }

  /** Whether the padding of a tile is zero without further ado. */
  #isZeroPadded(value: Value): boolean {
    const definition = this.#definitions.get(value.id);
    if (definition?.kind !== "op") return false;
    const { op } = definition;
    if (op.kind === "load") return op.fill === 0;
    if (op.kind === "const") return op.value === 0;
    if (op.kind === "binary")
      return op.fn === "mul" && this.#isZeroPadded(op.a) && this.#isZeroPadded(op.b);
    return (op.kind === "cast" || op.kind === "rename") && this.#isZeroPadded(op.x);
  }

  #contracted(builder: TileBuilder, value: Value, axis: Axis): Value {
    const padded = this.#value(value);
    return this.#isZeroPadded(value) ? padded : this.#inside(builder, padded, axis, 0);
  }

  #op(op: Op): readonly Op[] {
    const builder = new TileBuilder(this.#source, op.loc);
    const retyped = mapResults(mapRegions(mapOperands(op, this.#value), this.block), this.#value);
    return this.#fix(op, retyped, builder);
  }

  #fix(op: Op, retyped: Op, builder: TileBuilder): readonly Op[] {
    switch (retyped.kind) {
      case "load":
      case "store":
      case "atomic": {
        const at = "at" in op ? this.#place(builder, retyped.tensor, op.at) : retyped.at;
        return [...builder.ops, { ...retyped, at }];
      }
      case "reduce":
      case "arg_reduce": {
        const axis = "x" in op ? findAxis(op.x.type, retyped.axis) : undefined;
        if (axis === undefined || !this.#isPadded(axis)) return [retyped];
        const { dtype } = retyped.x.type;
        const fill = fillOf(retyped, dtype);
        if (fill === 0 && "x" in op && this.#isZeroPadded(op.x)) return [retyped];
        const x = this.#inside(builder, retyped.x, axis, fill);
        return [...builder.ops, { ...retyped, x }];
      }
      case "dot": {
        if (op.kind !== "dot") return [retyped];
        const axis = findAxis(op.a.type, op.axis);
        if (axis === undefined || !this.#isPadded(axis)) return [retyped];
        const a = this.#contracted(builder, op.a, axis);
        const b = this.#contracted(builder, op.b, axis);
        return [...builder.ops, { ...retyped, a, b }];
      }
      default:
        return [retyped];
    }
  }
}

function fillOf(op: Extract<Op, { kind: "reduce" | "arg_reduce" }>, dtype: DType): number {
  if (op.kind === "arg_reduce") return unpicked(op.fn, dtype);
  switch (op.fn) {
    case "any":
      return 0;
    case "all":
      return 1;
    default:
      return neutral(op.fn, dtype);
  }
}

export function padAxes(kernel: TileKernel, context: PassContext): TileKernel {
  const sizes = paddedSizes(kernel, context);
  if (sizes.size === 0) return kernel;
  const padder = new Padder(kernel, sizes);
  const body = padder.block(kernel.body);
  const loc = kernel.body.ops[0]?.loc;
  if (loc !== undefined) {
    for (const [axis, size] of sizes)
      context.remark(PASS, `axis ${axis} is padded to ${size}`, loc);
  }
  return { ...kernel, body };
}
