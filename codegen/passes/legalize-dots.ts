/** [codegen/passes] Gives every dot two-axis operands and an accumulator, the short side as columns; vector dots become sums of products. Runs before pad-axes. */
import {
  type Axis,
  type Block,
  mapRegions,
  type Op,
  sameAxes,
  type TileKernel,
  type Value,
  ValueSource,
} from "../../dsl/index.ts";
import { dotStep, mmaObstacle } from "../schedule/dot-forms.ts";
import { findRoleLoop } from "../schedule/find-role-loop.ts";
import type { RoleLoop } from "../schedule/role-loop.ts";
import type { PassContext } from "./pass.ts";
import { TileBuilder } from "./tile-builder.ts";

type DotOp = Extract<Op, { kind: "dot" }>;

function without(value: Value, axis: string): readonly Axis[] {
  return value.type.axes.filter((candidate) => candidate.name !== axis);
}

/** An operand with one of its sides missing: multiply and sum, in the result's dtype. */
function expandVector(op: DotOp, source: ValueSource): readonly Op[] {
  const builder = new TileBuilder(source, op.loc);
  const { dtype } = op.result.type;
  const k = op.a.type.axes.filter((axis) => axis.name === op.axis);
  const axes = [...without(op.a, op.axis), ...without(op.b, op.axis), ...k];
  const a = builder.broadcast(builder.cast(op.a, dtype), axes);
  const b = builder.broadcast(builder.cast(op.b, dtype), axes);
  const sum = builder.reduce("sum", builder.binary("mul", a, b), op.axis);
  const last: Op =
    op.acc === undefined
      ? { kind: "rename", result: op.result, x: sum, loc: op.loc }
      : { kind: "binary", fn: "add", result: op.result, a: op.acc, b: sum, loc: op.loc };
  return [...builder.ops, last];
}

/** An operand with its free axes merged into one. */
function flatten(
  builder: TileBuilder,
  value: Value,
  axis: string,
): { readonly flat: Value; readonly free: Axis } {
  const free = without(value, axis);
  const [only] = free;
  if (free.length === 1 && only !== undefined) return { flat: value, free: only };
  const k = value.type.axes.filter((candidate) => candidate.name === axis);
  const name = free.map((part) => part.name).join("_");
  const ordered = builder.broadcast(value, [...free, ...k]);
  const flat = builder.merge(
    ordered,
    free.map((part) => part.name),
    name,
  );
  const size = free.reduce((n, part) => n * part.size, 1);
  return { flat, free: { name, size } };
}

/** Splits a merged axis again, where there was more than one. */
function unflatten(builder: TileBuilder, x: Value, merged: Axis, parts: readonly Axis[]): Value {
  return parts.length === 1 ? x : builder.split(x, merged.name, parts);
}

function legalizeDot(
  op: DotOp,
  source: ValueSource,
  context: PassContext,
  roles: RoleLoop | undefined,
): readonly Op[] {
  const aFree = without(op.a, op.axis);
  const bFree = without(op.b, op.axis);
  if (aFree.length === 0 || bFree.length === 0) return expandVector(op, source);
  const builder = new TileBuilder(source, op.loc);
  const a = flatten(builder, op.a, op.axis);
  const b = flatten(builder, op.b, op.axis);
  // m16n8k16 has fewer columns than rows: few rows are better columns. Dots by roles see to that themselves.
  const step = dotStep(op, context);
  const swap =
    mmaObstacle(op, context) === undefined &&
    step.n < step.m &&
    a.free.size <= step.n &&
    b.free.size > a.free.size &&
    roles?.dots.every(({ dot }) => dot.result.id !== op.result.id) !== false;
  const [rows, columns] = swap ? [b, a] : [a, b];
  const axes = [rows.free, columns.free];
  const { dtype } = op.result.type;
  let acc = op.acc;
  if (acc === undefined) acc = builder.constant(0, dtype, axes, op.result.name);
  else {
    if (aFree.length > 1)
      acc = builder.merge(
        acc,
        aFree.map((x) => x.name),
        a.free.name,
      );
    if (bFree.length > 1)
      acc = builder.merge(
        acc,
        bFree.map((x) => x.name),
        b.free.name,
      );
    acc = builder.broadcast(acc, axes);
  }
  const plain = sameAxes(axes, op.result.type.axes);
  const result = plain ? op.result : builder.value(op.result.name, dtype, axes);
  builder.ops.push({ ...op, result, a: rows.flat, b: columns.flat, acc });
  if (plain) return builder.ops;
  const ordered = builder.broadcast(result, [a.free, b.free]);
  const half = unflatten(builder, ordered, a.free, aFree);
  const whole = unflatten(builder, half, b.free, bFree);
  builder.ops.push({ kind: "rename", result: op.result, x: whole, loc: op.loc });
  return builder.ops;
}

export function legalizeDots(kernel: TileKernel, context: PassContext): TileKernel {
  const source = new ValueSource(kernel);
  const roles = findRoleLoop(kernel, { ...context, remark: () => {} });
  const enter = (block: Block): Block => ({
    ...block,
    ops: block.ops.flatMap((original) => {
      const op = mapRegions(original, enter);
      return op.kind === "dot" ? legalizeDot(op, source, context, roles) : [op];
    }),
  });
  return { ...kernel, body: enter(kernel.body) };
}
