/** [codegen/passes/threads] The registers that a dot adds into: the accumulator's own where nothing else reads them. */
import type { SDot } from "../../ir/scheduled.ts";
import type { LoweringContext, Storage } from "./context.ts";

/**
 * Registers that hold the accumulator's values and become the result. Written in place where the accumulator is used only here;
 * else copied.
 */
export function accumulatorFor(ctx: LoweringContext, op: SDot): Storage {
  const own = ctx.ownStorage(op.acc);
  if (own !== undefined) {
    ctx.moveStorage(op.acc, op.result, own); // a dot that adds to the result may go on in place, too
    return own;
  }
  const target = ctx.carriedTarget(op.result, op.acc);
  if (target !== undefined) return ctx.copy(op.acc, target);
  const { layout, type } = ctx.value(op.acc);
  return ctx.copy(op.acc, ctx.declare(op.result.name || op.acc.name || "acc", type, layout));
}
