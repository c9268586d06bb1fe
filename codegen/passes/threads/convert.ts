/** [codegen/passes/threads] Relabels and conversions of layouts: the same registers, a permutation of them, or a tile through scratch. */
import { invariant } from "../../../dsl/index.ts";
import type { SConvert, SRelabel } from "../../ir/scheduled.ts";
import { planConversion } from "../../layout/convert-layout.ts";
import type { RegisterLayout } from "../../layout/layout.ts";
import type { LoweringContext } from "./context.ts";
import { guarded } from "./guard.ts";
import { linScale, type Place, placeIn, registerAt, ZERO } from "./place.ts";
import { accessTile } from "./scratch.ts";
import { firstReplica } from "./thread-index.ts";

/** The digits of one layout for the same register of another, where each iter of `to` is one iter of `from` or a part of one. */
function sameRegister(place: Place, to: RegisterLayout): Place | undefined {
  let weight = 1;
  const digits = to.reg.map((iter) => {
    const end = weight * iter.extent;
    let fromWeight = 1;
    let covered = 1;
    let digit = ZERO;
    place.iters.forEach((part, i) => {
      const partEnd = fromWeight * part.extent;
      if (part.extent > 1 && fromWeight >= weight && partEnd <= end) {
        const scaled = linScale(place.digits[i] ?? ZERO, fromWeight / weight);
        digit = {
          base: digit.base + scaled.base,
          terms: new Map([...digit.terms, ...scaled.terms]),
        };
        covered *= part.extent;
      }
      fromWeight = partEnd;
    });
    weight = end;
    return covered === iter.extent ? digit : undefined;
  });
  return digits.every((digit) => digit !== undefined) ? { iters: to.reg, digits } : undefined;
}

/** Register r of the result is register r of the operand: an array keeps its name, an expression is read at the same register. */
export function lowerRelabel(ctx: LoweringContext, op: SRelabel): void {
  const { x, result } = op;
  const value = ctx.value(x);
  const { layout } = value;
  if (layout === undefined || result.layout === undefined) {
    ctx.define(result, value.size, () => ctx.scalar(x));
    return;
  }
  const origin = { iters: result.layout.reg, digits: result.layout.reg.map(() => ZERO) };
  const isAligned = sameRegister(origin, layout) !== undefined;
  if (value.storage === undefined && isAligned) {
    if (ctx.uses.countOf(result) > 1) ctx.settle(x);
    ctx.define(result, ctx.value(x).size, (place) => {
      const there = sameRegister(place, layout);
      invariant(there !== undefined, () => `relabel of ${x.name}: registers do not line up`);
      return ctx.value(x).read(there);
    });
    return;
  }
  ctx.setStorage(result, ctx.store(x));
}

export function lowerConvert(ctx: LoweringContext, op: SConvert): void {
  const { x, result } = op;
  const from = ctx.value(x).layout;
  const to = result.layout;
  if (from === undefined || to === undefined) {
    ctx.define(result, ctx.value(x).size, () => ctx.scalar(x));
    return;
  }
  const plan = planConversion(from, to);
  if (plan.kind === "none") {
    if (ctx.uses.countOf(result) > 1) ctx.settle(x);
    ctx.define(result, ctx.value(x).size, (place) => ctx.read(x, place));
    return;
  }
  if (op.via === "registers") {
    invariant(plan.kind === "registers", () => `conversion of ${x.name} crosses threads`);
    const storage = ctx.declare(result.name, result.type.dtype, to);
    ctx.nest(to, [x], (place) => {
      ctx.w.assign(ctx.slot(storage, registerAt(placeIn(place, to))), ctx.read(x, place));
    });
    ctx.setStorage(result, storage);
    return;
  }
  const { scratch } = op;
  invariant(scratch !== undefined, () => `conversion of ${x.name} has no scratch`);
  const stored = ctx.store(x);
  guarded(ctx, firstReplica(ctx.w, from, ctx.block), () =>
    accessTile(ctx, "store", stored, from, scratch),
  );
  ctx.barrier();
  const storage = ctx.declare(result.name, result.type.dtype, to);
  accessTile(ctx, "load", storage, to, scratch);
  ctx.setStorage(result, storage);
}
