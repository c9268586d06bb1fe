/** [codegen/passes] Arithmetic on narrow dtypes → cast up, compute, cast down; bool reductions → integer ones. After it narrow values are only moved, selected and cast. */
import {
  type Block,
  computeDType,
  DTYPES,
  mapRegions,
  type Op,
  type TileKernel,
  type Value,
  ValueSource,
} from "../../dsl/index.ts";
import { TileBuilder } from "./tile-builder.ts";

function isNarrow(value: Value): boolean {
  return DTYPES[value.type.dtype].narrow;
}

/** The op on wide operands, and a cast of its result down to the narrow dtype. */
function widen(
  op: Extract<Op, { kind: "unary" | "binary" | "reduce" | "scan" }>,
  source: ValueSource,
): readonly Op[] {
  const builder = new TileBuilder(source, op.loc);
  const dtype = computeDType(op.result.type.dtype);
  const wide = builder.value(op.result.name, dtype, op.result.type.axes);
  const computed: Op =
    op.kind === "binary"
      ? { ...op, result: wide, a: builder.cast(op.a, dtype), b: builder.cast(op.b, dtype) }
      : { ...op, result: wide, x: builder.cast(op.x, dtype) };
  const { result, loc } = op;
  return [...builder.ops, computed, { kind: "cast", result, x: wide, loc }];
}

function widenCompare(
  op: Extract<Op, { kind: "compare" | "arg_reduce" }>,
  source: ValueSource,
): readonly Op[] {
  const builder = new TileBuilder(source, op.loc);
  if (op.kind === "arg_reduce") {
    const x = builder.cast(op.x, computeDType(op.x.type.dtype));
    return [...builder.ops, { ...op, x }];
  }
  const dtype = computeDType(op.a.type.dtype);
  const [a, b] = [builder.cast(op.a, dtype), builder.cast(op.b, dtype)];
  return [...builder.ops, { ...op, a, b }];
}

/** any = (max of 0 and 1) ≠ 0, all = (min of 0 and 1) ≠ 0: bools never go through shuffles or shared memory. */
function reduceBool(op: Extract<Op, { kind: "reduce" }>, source: ValueSource): readonly Op[] {
  const builder = new TileBuilder(source, op.loc);
  const { axes } = op.x.type;
  const one = builder.constant(1, "i32", axes);
  const zero = builder.constant(0, "i32", axes);
  const bits = builder.select(op.x, one, zero, op.x.name);
  const reduced = builder.reduce(op.fn === "any" ? "max" : "min", bits, op.axis);
  const none = builder.constant(0, "i32", op.result.type.axes);
  const { result, loc } = op;
  return [...builder.ops, { kind: "compare", fn: "ne", result, a: reduced, b: none, loc }];
}

function legalizeOp(op: Op, source: ValueSource): readonly Op[] {
  switch (op.kind) {
    case "unary":
    case "binary":
    case "scan":
      return isNarrow(op.result) ? widen(op, source) : [op];
    case "reduce":
      if (op.fn === "any" || op.fn === "all") return reduceBool(op, source);
      return isNarrow(op.result) ? widen(op, source) : [op];
    case "compare":
      return isNarrow(op.a) ? widenCompare(op, source) : [op];
    case "arg_reduce":
      return isNarrow(op.x) ? widenCompare(op, source) : [op];
    default:
      return [op];
  }
}

export function legalizeNarrow(kernel: TileKernel): TileKernel {
  const source = new ValueSource(kernel);
  const enter = (block: Block): Block => ({
    ...block,
    ops: block.ops.flatMap((op) => legalizeOp(mapRegions(op, enter), source)),
  });
  return { ...kernel, body: enter(kernel.body) };
}
