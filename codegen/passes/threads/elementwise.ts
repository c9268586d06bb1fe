/** [codegen/passes/threads] Elementwise ops, constants, coordinates and broadcasts: expressions that their users read, no loops of their own. */
import type { SOp, SValue } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import { registerCount } from "../../layout/register-layout.ts";
import type { LoweringContext } from "./context.ts";
import {
  add,
  binary,
  bitcast,
  cast,
  compare,
  constant,
  mul,
  select,
  special,
  sub,
} from "./expr.ts";
import { coordinateOf, type Place } from "./place.ts";
import { threadCoordinate } from "./thread-index.ts";

export type ElementwiseOp = Extract<
  SOp,
  {
    readonly kind:
      | "const"
      | "dim"
      | "param"
      | "pid"
      | "num_programs"
      | "grid_size"
      | "cluster_rank"
      | "iota"
      | "unary"
      | "binary"
      | "compare"
      | "select"
      | "cast"
      | "bitcast"
      | "broadcast";
  }
>;

/** Nodes of a combination of values. */
function sizeOf(ctx: LoweringContext, operands: readonly SValue[]): number {
  return operands.reduce((sum, v) => sum + ctx.value(v).size, 1);
}

/** i32 arithmetic folds with constants; everything else stays as written. */
function combine(op: Extract<SOp, { readonly kind: "binary" }>, a: Expr, b: Expr): Expr {
  if (op.fn === "add") return add(a, b);
  if (op.fn === "sub") return sub(a, b);
  return op.fn === "mul" ? mul(a, b) : binary(op.fn, a, b);
}

function lowerIota(ctx: LoweringContext, result: SValue): void {
  const { layout } = result;
  const axis = result.type.axes[0]?.name;
  if (layout === undefined || axis === undefined) {
    ctx.define(result, 0, () => constant(0));
    return;
  }
  const thread = threadCoordinate(ctx.w, layout, axis, ctx.block);
  ctx.define(result, 0, (place) => add(thread, ctx.w.index(coordinateOf(place, axis))));
}

/** A value that more registers read than hold it is named first, so that nothing is computed twice. */
function lowerBroadcast(ctx: LoweringContext, result: SValue, x: SValue): void {
  const value = ctx.value(x);
  const before = value.layout === undefined ? 1 : registerCount(value.layout);
  const after = result.layout === undefined ? 1 : registerCount(result.layout);
  if (after > before || ctx.uses.countOf(result) > 1) ctx.settle(x);
  ctx.define(result, ctx.value(x).size, (place) => ctx.read(x, place));
}

function lower(ctx: LoweringContext, op: ElementwiseOp) {
  const { result } = op;
  const at = (v: SValue, place: Place): Expr => ctx.read(v, place);
  const { dtype } = result.type;
  switch (op.kind) {
    case "const":
      return ctx.define(result, 0, () => constant(op.value, dtype));
    case "dim": {
      const fixed = ctx.kernel.fixedDims[op.dim];
      const dim: Expr =
        fixed === undefined ? { kind: "dim", type: "i32", name: op.dim } : constant(fixed);
      return ctx.define(result, 0, () => dim);
    }
    case "param":
      return ctx.define(result, 0, () => ({ kind: "param", type: dtype, name: op.param }));
    case "pid":
      return ctx.define(result, 0, () => special(`pid${op.axis}`));
    case "num_programs":
      return ctx.define(result, 0, () => special(`programs${op.axis}`));
    case "cluster_rank":
      return ctx.define(result, 0, () => special("rank"));
    case "grid_size":
      return ctx.define(result, 0, () => special(`grid${op.axis}`));
    case "iota":
      return lowerIota(ctx, result);
    case "unary":
      return ctx.define(result, sizeOf(ctx, [op.x]), (p) => {
        const x = at(op.x, p);
        return { kind: "unary", type: x.type, fn: op.fn, x };
      });
    case "binary":
      return ctx.define(result, sizeOf(ctx, [op.a, op.b]), (p) =>
        combine(op, at(op.a, p), at(op.b, p)),
      );
    case "compare":
      return ctx.define(result, sizeOf(ctx, [op.a, op.b]), (p) =>
        compare(op.fn, at(op.a, p), at(op.b, p)),
      );
    case "select":
      return ctx.define(result, sizeOf(ctx, [op.cond, op.a, op.b]), (p) =>
        select(at(op.cond, p), at(op.a, p), at(op.b, p)),
      );
    case "cast":
      return ctx.define(result, sizeOf(ctx, [op.x]), (p) => cast(at(op.x, p), dtype));
    case "bitcast":
      return ctx.define(result, sizeOf(ctx, [op.x]), (p) => bitcast(at(op.x, p), dtype));
    case "broadcast":
      return lowerBroadcast(ctx, result, op.x);
    default:
      op satisfies never;
  }
}

/** Defines the result; emits statements only where an operand or the result needs a name. */
export function lowerElementwise(ctx: LoweringContext, op: ElementwiseOp): void {
  lower(ctx, op);
}
