/** [codegen/passes/threads] Stores of 4-bit elements that a bound may cut between the two of a byte: whole bytes where both are stored, else one half. */
import type { SStore } from "../../ir/scheduled.ts";
import type { Expr, RegSlice } from "../../ir/thread.ts";
import type { Iter } from "../../layout/layout.ts";
import { makeAddress } from "./address.ts";
import type { LoweringContext } from "./context.ts";
import { add, both, constant } from "./expr.ts";
import { exprKey } from "./expr-key.ts";
import { fastAxis, maskPart, othersOf, vectorOf } from "./global-access.ts";
import { guarded } from "./guard.ts";
import { linConst, type Place } from "./place.ts";
import { firstReplica } from "./thread-index.ts";
import { vectorLoop } from "./vector.ts";

function without(mask: Expr | undefined, other: Expr | undefined): Expr | undefined {
  if (mask === undefined) return undefined;
  return both(other, { kind: "unary", type: "bool", fn: "not", x: mask });
}

function nextOf(slice: RegSlice): RegSlice {
  return { name: slice.name, index: add(slice.index ?? constant(0), constant(1)) };
}

/** Both halves of a byte belong to one thread; the byte begins at an even element. */
export function lowerStorePairs(ctx: LoweringContext, op: SStore): void {
  const { tensor, at, value } = op;
  const { layout } = ctx.value(value);
  const loop = vectorLoop(layout, fastAxis(at), 2);
  const half: Iter = { axis: fastAxis(at) ?? null, stride: 1, extent: 2 };
  const address = makeAddress(ctx, {
    tensor,
    at,
    iters: [half, ...loop.iters],
    ...(op.mask === undefined ? {} : { mask: op.mask }),
    ...(layout === undefined ? {} : { layout }),
  });
  guarded(ctx, firstReplica(ctx.w, layout, ctx.block), () => {
    ctx.nestIters(loop.iters, othersOf(ctx, at, op.mask), (place) => {
      const element = (e: number): Place => ({
        iters: [half, ...place.iters],
        digits: [linConst(e), ...place.digits],
      });
      const from = vectorOf(ctx, value, place, 2, `${tensor}_tile`);
      const offset = address.offset(element(0));
      const [low, high] = [address.mask(element(0)), address.mask(element(1))];
      const store = (slice: RegSlice, to: Expr, width: number, mask: Expr | undefined): void =>
        ctx.w.emit({
          kind: "store_global",
          from: slice,
          tensor,
          offset: to,
          width,
          ...maskPart(mask),
        });
      store(from, offset, 2, both(low, high));
      if (low === undefined && high === undefined) return;
      if (low !== undefined && high !== undefined && exprKey(low) === exprKey(high)) return;
      // Where a half is always stored, the other one is never stored without it.
      if (high !== undefined) store(from, offset, 1, without(high, low));
      if (low !== undefined)
        store(nextOf(from), add(offset, constant(1, offset.type)), 1, without(low, high));
    });
  });
}
