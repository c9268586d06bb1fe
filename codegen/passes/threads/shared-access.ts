/** [codegen/passes/threads] Loads and stores of shared buffers, and copies of tiles from tensors into them. */
import { invariant } from "../../../dsl/index.ts";
import type { SCopy, SSharedLoad, SSharedStore } from "../../ir/scheduled.ts";
import type { RegisterLayout } from "../../layout/layout.ts";
import { makeAddress, type TensorAddress } from "./address.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { fastAxis, maskPart, othersOf, registerIn, vectorOf } from "./global-access.ts";
import { guarded } from "./guard.ts";
import type { Place } from "./place.ts";
import { sharedVector } from "./scratch.ts";
import {
  makeSharedAddress,
  registerTerms,
  type SharedAddress,
  type StrideOf,
  stridesByPosition,
  threadTerms,
} from "./shared-address.ts";
import { firstReplica } from "./thread-index.ts";
import { type VectorLoop, vectorLoop } from "./vector.ts";

/** Vectors of a tile in a buffer: at most `width` elements, fewer where the registers or the layout do not allow it. */
function sharedLoop(
  ctx: LoweringContext,
  buffer: string,
  layout: RegisterLayout | undefined,
  strideOf: StrideOf,
  width: number,
): VectorLoop {
  const most = sharedVector(ctx, buffer, layout, strideOf);
  return vectorLoop(layout, most.axis, Math.min(width, most.width));
}

export function lowerSharedLoad(ctx: LoweringContext, op: SSharedLoad): void {
  const { result, from } = op;
  const { layout } = result;
  const strideOf = stridesByPosition(ctx.buffer(from.buffer), result.type.axes);
  const terms = layout === undefined ? [] : threadTerms(ctx, layout, strideOf);
  const address = makeSharedAddress(ctx, from, terms);
  const storage = ctx.declare(result.name || `${from.buffer}_tile`, result.type.dtype, layout);
  const loop = sharedLoop(ctx, from.buffer, layout, strideOf, op.width);
  ctx.nestIters(loop.iters, [], (place) => {
    ctx.w.emit({
      kind: "load_shared",
      to: ctx.slot(storage, registerIn(place, layout)),
      buffer: from.buffer,
      offset: address.offset(registerTerms(place, strideOf)),
      width: loop.width,
    });
  });
  ctx.setStorage(result, storage);
}

export function lowerSharedStore(ctx: LoweringContext, op: SSharedStore): void {
  const { into, value } = op;
  const { layout } = ctx.value(value);
  const strideOf = stridesByPosition(ctx.buffer(into.buffer), value.type.axes);
  const terms = layout === undefined ? [] : threadTerms(ctx, layout, strideOf);
  const address = makeSharedAddress(ctx, into, terms);
  const loop = sharedLoop(ctx, into.buffer, layout, strideOf, op.width);
  guarded(ctx, firstReplica(ctx.w, layout, ctx.block), () => {
    ctx.nestIters(loop.iters, [], (place) => {
      const from = vectorOf(ctx, value, place, loop.width, `${into.buffer}_tile`);
      const offset = address.offset(registerTerms(place, strideOf));
      ctx.w.emit({ kind: "store_shared", from, buffer: into.buffer, offset, width: loop.width });
    });
  });
}

interface CopyParts {
  readonly loop: VectorLoop;
  readonly from: TensorAddress;
  readonly to: SharedAddress;
  readonly strideOf: StrideOf;
}

function copyAsync(ctx: LoweringContext, op: SCopy, parts: CopyParts): void {
  const { loop, from, to, strideOf } = parts;
  invariant(loop.width === op.width, () => `copy of ${op.tensor}: width ${op.width} does not fit`);
  ctx.nestIters(loop.iters, othersOf(ctx, op.at, op.mask), (place) => {
    ctx.w.emit({
      kind: "copy_async",
      buffer: op.into.buffer,
      to: to.offset(registerTerms(place, strideOf)),
      tensor: op.tensor,
      from: from.offset(place),
      width: loop.width,
      ...maskPart(from.mask(place)),
    });
  });
}

/** All loads first, so that they are in flight together; then the stores. */
function copyThroughRegisters(ctx: LoweringContext, op: SCopy, parts: CopyParts): void {
  const { loop, from, to, strideOf } = parts;
  const { dtype } = ctx.buffer(op.into.buffer);
  const storage: Storage = ctx.declare(`${op.tensor}_tile`, dtype, op.layout);
  const slotAt = (place: Place): ReturnType<LoweringContext["slot"]> =>
    ctx.slot(storage, registerIn(place, op.layout));
  const others = othersOf(ctx, op.at, op.mask);
  ctx.nestIters(loop.iters, others, (place) => {
    ctx.w.emit({
      kind: "load_global",
      to: slotAt(place),
      tensor: op.tensor,
      offset: from.offset(place),
      width: loop.width,
      ...maskPart(from.mask(place)),
      fill: op.fill,
    });
  });
  ctx.nestIters(loop.iters, [], (place) => {
    const offset = to.offset(registerTerms(place, strideOf));
    const { buffer } = op.into;
    ctx.w.emit({ kind: "store_shared", from: slotAt(place), buffer, offset, width: loop.width });
  });
}

export function lowerCopy(ctx: LoweringContext, op: SCopy): void {
  const { layout, into } = op;
  const buffer = ctx.buffer(into.buffer);
  const strideOf = stridesByPosition(buffer, layout.axes);
  const most = sharedVector(ctx, into.buffer, layout, strideOf);
  const axis = fastAxis(op.at);
  const width = axis === most.axis ? Math.min(op.width, most.width) : 1;
  const loop = vectorLoop(layout, axis, width);
  const from = makeAddress(ctx, {
    tensor: op.tensor,
    at: op.at,
    layout,
    iters: loop.iters,
    ...(op.mask === undefined ? {} : { mask: op.mask }),
  });
  const to = makeSharedAddress(ctx, into, threadTerms(ctx, layout, strideOf));
  const parts: CopyParts = { loop, from, to, strideOf };
  guarded(ctx, firstReplica(ctx.w, layout, ctx.block), () => {
    if (op.via === "cp.async") copyAsync(ctx, op, parts);
    else copyThroughRegisters(ctx, op, parts);
  });
}
