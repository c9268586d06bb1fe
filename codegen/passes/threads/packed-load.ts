/** [codegen/passes/threads] Loads from packed tensors: vectors of registers that are neighbours there, or single elements. Addresses live in packed-address.ts. */
import { invariant } from "../../../dsl/index.ts";
import type { SLoad } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import { spanSides, stepThrough } from "../../layout/derive-order.ts";
import type { PackedOrder } from "../../layout/packed-order.ts";
import type { LoweringContext } from "./context.ts";
import { maskPart, othersOf, registerIn } from "./global-access.ts";
import { blockAddress, elementAddress } from "./packed-address.ts";
import type { Place } from "./place.ts";

export function lowerPackedLoad(ctx: LoweringContext, op: SLoad): void {
  const order = ctx.kernel.orders?.[op.tensor];
  invariant(order !== undefined, () => `${op.tensor} has no order`);
  if (op.packed === "vectors") lowerVectors(ctx, op, order);
  else lowerElements(ctx, op, order);
}

function lowerVectors(ctx: LoweringContext, op: SLoad, order: PackedOrder): void {
  const { result, tensor, width, fill } = op;
  const { layout } = result;
  const sides = spanSides(op.at);
  const walk = sides && layout && stepThrough(layout, order, sides, width);
  invariant(walk?.width === width, () => `load of ${tensor}: width ${width} does not fit`);
  const address = blockAddress(ctx, op, order, walk);
  const storage = ctx.declare(result.name || `${tensor}_tile`, result.type.dtype, layout);
  ctx.w.nest(
    walk.reg.map((iter) => iter.extent),
    (digits) => {
      const place: Place = { iters: walk.reg, digits };
      emit(ctx, op, storage, place, address.offset(digits), address.mask(digits), fill);
    },
  );
  ctx.setStorage(result, storage);
}

function lowerElements(ctx: LoweringContext, op: SLoad, order: PackedOrder): void {
  const { result, tensor, at, fill } = op;
  const { layout } = result;
  const address = elementAddress(ctx, op, order, op.mask);
  const storage = ctx.declare(result.name || `${tensor}_tile`, result.type.dtype, layout);
  ctx.nestIters(layout?.reg ?? [], othersOf(ctx, at, op.mask), (place) => {
    emit(ctx, op, storage, place, address.offset(place), address.mask(place), fill);
  });
  ctx.setStorage(result, storage);
}

function emit(
  ctx: LoweringContext,
  op: SLoad,
  storage: Parameters<LoweringContext["slot"]>[0],
  place: Place,
  offset: Expr,
  mask: Expr | undefined,
  fill: number,
): void {
  const { tensor, width, result } = op;
  const to = ctx.slot(storage, registerIn(place, result.layout));
  ctx.w.emit({ kind: "load_global", to, tensor, offset, width, ...maskPart(mask), fill });
}
