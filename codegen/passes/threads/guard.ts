/** [codegen/passes/threads] Statements under a condition that may differ between threads. */
import type { Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";

/** Runs `body`, inside an `if` where there is a condition. */
export function guarded(ctx: LoweringContext, cond: Expr | undefined, body: () => void): void {
  if (cond === undefined) {
    body();
    return;
  }
  const then = ctx.w.nested(body);
  ctx.w.emit({ kind: "if", cond, uniform: false, then, else: [] });
}
