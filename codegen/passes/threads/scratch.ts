/** [codegen/passes/threads] Exchanges between threads through a scratch buffer: a whole tile, or the parts of a reduction. */
import { DTYPES, type DType, elementCount, invariant, type ValueType } from "../../../dsl/index.ts";
import type { Expr } from "../../ir/thread.ts";
import type { RegisterLayout } from "../../layout/layout.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { add, constant, mul } from "./expr.ts";
import { guarded } from "./guard.ts";
import { type Lin, type Place, placeIn, registerAt, ZERO } from "./place.ts";
import {
  makeSharedAddress,
  registerTerms,
  type StrideOf,
  stridesByPosition,
  threadTerms,
} from "./shared-address.ts";
import { firstReplica, threadCoordinate } from "./thread-index.ts";
import { vectorLoop } from "./vector.ts";

/** Widest vector, in elements, that keeps alignment and neighbours in a buffer along the axis of stride 1. */
export function sharedVector(
  ctx: LoweringContext,
  buffer: string,
  layout: RegisterLayout | undefined,
  strideOf: StrideOf,
): { readonly axis: string | undefined; readonly width: number } {
  const { layout: shared, dtype } = ctx.buffer(buffer);
  const first = layout?.reg[0];
  if (
    first === undefined ||
    first.axis === null ||
    strideOf(first.axis) !== 1 ||
    first.stride !== 1
  )
    return { axis: undefined, width: 1 };
  const own = first.axis;
  let width = Math.max(1, 128 / DTYPES[dtype].bits);
  const fits = (w: number): boolean => {
    if (first.extent % w !== 0 || shared.stageElements % w !== 0) return false;
    if (shared.swizzle !== undefined && 2 ** shared.swizzle.base % w !== 0) return false;
    const all = [...(layout?.reg ?? []), ...(layout?.lane ?? []), ...(layout?.warp ?? [])];
    return all.every(
      (iter) =>
        iter === first ||
        iter.axis === null ||
        iter.extent === 1 ||
        (iter.stride * strideOf(iter.axis)) % w === 0,
    );
  };
  while (width > 1 && !fits(width)) width /= 2;
  return { axis: own, width };
}

/** Registers of a tile to or from a whole tile in a buffer. */
export function accessTile(
  ctx: LoweringContext,
  how: "load" | "store",
  storage: Storage,
  layout: RegisterLayout | undefined,
  buffer: string,
): void {
  const strideOf = stridesByPosition(ctx.buffer(buffer), layout?.axes ?? []);
  const terms = layout === undefined ? [] : threadTerms(ctx, layout, strideOf);
  const address = makeSharedAddress(ctx, { buffer }, terms);
  const { axis, width } = sharedVector(ctx, buffer, layout, strideOf);
  const loop = vectorLoop(layout, axis, width);
  ctx.nestIters(loop.iters, [], (place) => {
    const own: Place = layout === undefined ? place : placeIn(place, layout);
    const slice = ctx.slot(storage, layout === undefined ? ZERO : registerAt(own));
    const offset = address.offset(registerTerms(place, strideOf));
    const access = { buffer, offset, width: loop.width };
    if (how === "load") ctx.w.emit({ kind: "load_shared", to: slice, ...access });
    else ctx.w.emit({ kind: "store_shared", from: slice, ...access });
  });
}

/** The registers of the first replica of each element reach all others. */
export function shareThroughScratch(
  ctx: LoweringContext,
  storage: Storage,
  layout: RegisterLayout | undefined,
  buffer: string,
): void {
  guarded(ctx, firstReplica(ctx.w, layout, ctx.block), () =>
    accessTile(ctx, "store", storage, layout, buffer),
  );
  ctx.barrier();
  accessTile(ctx, "load", storage, layout, buffer);
}

/** Row-major position of elements of a tile, as a thread part and a register part. */
export interface ElementIndex {
  readonly thread: Expr;
  readonly count: number;
  register(place: Place): Lin;
}

/** Row-major element index in a tile of `type`, whose registers and threads lie as in `layout`. */
export function elementIndex(
  ctx: LoweringContext,
  type: ValueType,
  layout: RegisterLayout | undefined,
): ElementIndex {
  const strides = new Map<string, number>();
  let stride = 1;
  for (const axis of [...type.axes].reverse()) {
    strides.set(axis.name, stride);
    stride *= axis.size;
  }
  const thread = type.axes.reduce<Expr>((sum, axis) => {
    if (layout === undefined) return sum;
    const at = threadCoordinate(ctx.w, layout, axis.name, ctx.block);
    return add(sum, mul(at, constant(strides.get(axis.name) ?? 0)));
  }, constant(0));
  return {
    thread: ctx.w.bind(thread, "element"),
    count: elementCount(type),
    register: (place) =>
      place.iters.reduce<Lin>((sum, iter, i) => {
        const step = iter.axis === null ? 0 : iter.stride * (strides.get(iter.axis) ?? 0);
        const digit = place.digits[i] ?? ZERO;
        const terms = new Map(sum.terms);
        for (const [name, k] of digit.terms) terms.set(name, (terms.get(name) ?? 0) + k * step);
        return { base: sum.base + digit.base * step, terms };
      }, ZERO),
  };
}

/** Fails where a scratch buffer is too small or of another dtype: the two halves of the code generator disagree. */
export function checkScratch(
  ctx: LoweringContext,
  buffer: string,
  dtype: DType,
  elements: number,
): void {
  const { layout, dtype: own } = ctx.buffer(buffer);
  invariant(
    own === dtype && layout.stageElements >= elements,
    () => `scratch ${buffer}: ${own} × ${layout.stageElements}, needed ${dtype} × ${elements}`,
  );
}
