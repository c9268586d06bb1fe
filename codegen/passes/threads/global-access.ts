/** [codegen/passes/threads] Loads, stores and atomics of tensors, in vectors and under masks. */
import type { SAtomic, SIndex, SLoad, SStore, SValue } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import { makeAddress } from "./address.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { constant } from "./expr.ts";
import { guarded } from "./guard.ts";
import { linConst, type Place, placeIn, registerAt } from "./place.ts";
import { shareThroughScratch } from "./scratch.ts";
import { firstReplica } from "./thread-index.ts";
import { vectorLoop } from "./vector.ts";

/** Axis whose neighbours are neighbours in memory: that of a span along the last dim. */
export function fastAxis(at: readonly SIndex[]): string | undefined {
  const last = at.at(-1);
  return last?.kind === "span" ? last.axis.name : undefined;
}

export function maskPart(mask: Expr | undefined): { readonly mask?: Expr } {
  return mask === undefined ? {} : { mask };
}

export function lowerLoad(ctx: LoweringContext, op: SLoad): void {
  const { result, tensor, at, fill } = op;
  const { layout } = result;
  const loop = vectorLoop(layout, fastAxis(at), op.width);
  const address = makeAddress(ctx, {
    tensor,
    at,
    iters: loop.iters,
    ...(op.mask === undefined ? {} : { mask: op.mask }),
    ...(layout === undefined ? { isTrusted: true } : { layout }),
  });
  const storage = ctx.declare(result.name || `${tensor}_tile`, result.type.dtype, layout);
  ctx.nestIters(loop.iters, othersOf(ctx, at, op.mask), (place) => {
    ctx.w.emit({
      kind: "load_global",
      to: ctx.slot(storage, registerIn(place, layout)),
      tensor,
      offset: address.offset(place),
      width: loop.width,
      ...maskPart(address.mask(place)),
      fill,
    });
  });
  ctx.setStorage(result, storage);
}

/** Register index at a place whose iters may be pieces of the layout's. */
export function registerIn(place: Place, layout: SValue["layout"]): ReturnType<typeof registerAt> {
  return layout === undefined ? linConst(0) : registerAt(placeIn(place, layout));
}

/** Iters of the index tiles and the mask, which the register loop must be able to address. */
export function othersOf(
  ctx: LoweringContext,
  at: readonly SIndex[],
  mask: SValue | undefined,
): readonly NonNullable<SValue["layout"]>["reg"][] {
  const values = at.flatMap((index) => (index.kind === "gather" ? [index.index] : []));
  if (mask !== undefined) values.push(mask);
  return values.flatMap((v) => {
    const reg = ctx.value(v).layout?.reg;
    return reg === undefined ? [] : [reg];
  });
}

/** Registers of one vector of `value`: its own where it has storage, else computed into fresh ones here. */
export function vectorOf(
  ctx: LoweringContext,
  value: SValue,
  place: Place,
  width: number,
  hint: string,
): ReturnType<LoweringContext["slot"]> {
  const { storage, layout, type } = ctx.value(value);
  const { w } = ctx;
  if (storage !== undefined) return ctx.slot(storage, registerIn(place, layout));
  const element = (k: Place): Expr => ctx.read(value, k);
  if (width === 1) {
    const name = w.fresh(value.name || hint);
    const init = element(place);
    w.emit({ kind: "let", reg: { name, type, length: 1 }, init, mutable: false });
    return { name };
  }
  const vector: Storage = { name: w.declare(value.name || hint, type, width), type, length: width };
  const axis = layout?.reg[0]?.axis ?? null;
  w.nest([width], ([k = linConst(0)]) => {
    const iters = [{ axis, stride: 1, extent: width }, ...place.iters];
    w.assign(ctx.slot(vector, k), element({ iters, digits: [k, ...place.digits] }));
  });
  return ctx.slot(vector, linConst(0));
}

/** A store whose every vector is stored or not as a whole. */
export function lowerStore(ctx: LoweringContext, op: SStore): void {
  const { tensor, at, value } = op;
  const { layout } = ctx.value(value);
  const loop = vectorLoop(layout, fastAxis(at), op.width);
  const address = makeAddress(ctx, {
    tensor,
    at,
    iters: loop.iters,
    ...(op.mask === undefined ? {} : { mask: op.mask }),
    ...(layout === undefined ? {} : { layout }),
  });
  const others = othersOf(ctx, at, op.mask);
  guarded(ctx, firstReplica(ctx.w, layout, ctx.block), () => {
    ctx.nestIters(loop.iters, others, (place) => {
      const from = vectorOf(ctx, value, place, loop.width, `${tensor}_tile`);
      const offset = address.offset(place);
      const mask = maskPart(address.mask(place));
      ctx.w.emit({ kind: "store_global", from, tensor, offset, width: loop.width, ...mask });
    });
  });
}

export function lowerAtomic(ctx: LoweringContext, op: SAtomic): void {
  const { tensor, at, value, fn, result } = op;
  const { layout, type } = ctx.value(value);
  const address = makeAddress(ctx, {
    tensor,
    at,
    iters: layout?.reg ?? [],
    ...(op.mask === undefined ? {} : { mask: op.mask }),
    ...(layout === undefined ? {} : { layout }),
  });
  const isUsed = ctx.uses.countOf(result) > 0;
  const old = isUsed ? ctx.declare(result.name, type, layout) : undefined;
  const others = othersOf(ctx, at, op.mask);
  if (old !== undefined)
    ctx.nestIters(layout?.reg ?? [], [], (place) =>
      ctx.w.assign(ctx.slot(old, registerIn(place, layout)), constant(0, type)),
    );
  guarded(ctx, firstReplica(ctx.w, layout, ctx.block), () => {
    ctx.nestIters(layout?.reg ?? [], others, (place) => {
      ctx.w.emit({
        kind: "atomic_global",
        fn,
        ...(old === undefined ? {} : { to: ctx.slot(old, registerIn(place, layout)) }),
        tensor,
        offset: address.offset(place),
        value: ctx.read(value, place),
        ...maskPart(address.mask(place)),
      });
    });
  });
  if (old === undefined) return;
  ctx.setStorage(result, old);
  if (op.scratch !== undefined) shareThroughScratch(ctx, old, layout, op.scratch);
}
