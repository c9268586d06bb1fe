/** [codegen/passes/threads] Element offsets in shared buffers. Swizzles are taken apart so that a register loop adds or XORs constants only. */
import type { SharedBuffer, SharedRef } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import type { Iter, RegisterLayout, Swizzle } from "../../layout/layout.ts";
import type { LoweringContext } from "./context.ts";
import { add, constant, maskBits, mul, shr, xor } from "./expr.ts";
import { type Lin, linAdd, linScale, type Place, ZERO } from "./place.ts";
import { digitExpr, threadDigits } from "./thread-index.ts";

/** A digit of the thread's index with the elements that one step of it moves. */
export interface ThreadTerm {
  readonly digit: Expr;
  readonly extent: number;
  readonly weight: number;
}

/** A digit of a register loop, likewise. */
export interface RegisterTerm {
  readonly digit: Lin;
  readonly extent: number;
  readonly weight: number;
}

export interface SharedAddress {
  offset(terms: readonly RegisterTerm[]): Expr;
}

interface Weighted {
  readonly extent: number;
  readonly weight: number;
}

/** Bits that a digit moves, where it moves whole bits; undefined otherwise. */
function bitsOf({ extent, weight }: Weighted): number | undefined {
  const isPower = (n: number): boolean => n > 0 && (n & (n - 1)) === 0;
  return isPower(extent) && isPower(weight) ? (extent - 1) * weight : undefined;
}

/** True where each term moves bits of its own, so that their sum is their XOR. */
function areDisjoint(terms: readonly Weighted[]): boolean {
  let taken = 0;
  for (const term of terms) {
    const bits = bitsOf(term);
    if (bits === undefined || (taken & bits) !== 0) return false;
    taken |= bits;
  }
  return true;
}

/** x with the swizzle applied. */
function applySwizzle(swizzle: Swizzle, x: Expr): Expr {
  const into = ((1 << swizzle.bits) - 1) << swizzle.base;
  return xor(x, maskBits(shr(x, swizzle.shift), into));
}

function linearOffset(ctx: LoweringContext, terms: readonly RegisterTerm[]): Expr {
  return ctx.w.index(
    terms.reduce((sum, term) => linAdd(sum, linScale(term.digit, term.weight)), ZERO),
  );
}

function swizzledOffset(
  ctx: LoweringContext,
  swizzle: Swizzle,
  thread: { readonly sum: Expr; readonly terms: readonly ThreadTerm[] },
  terms: readonly RegisterTerm[],
): Expr {
  const open = terms.filter((term) => term.extent > 1);
  if (!areDisjoint([...thread.terms, ...open]))
    return applySwizzle(swizzle, add(thread.sum, linearOffset(ctx, open)));
  const into = ((1 << swizzle.bits) - 1) << swizzle.base;
  const from = into << swizzle.shift;
  const hasSource = thread.terms.some((term) => ((bitsOf(term) ?? 0) & from) !== 0);
  let offset = hasSource ? ctx.w.bind(applySwizzle(swizzle, thread.sum), "swizzled") : thread.sum;
  for (const term of open) {
    const bits = bitsOf(term) ?? 0;
    const moved = linearOffset(ctx, [term]);
    if ((bits & from) !== 0) offset = xor(offset, applySwizzle(swizzle, moved));
    else if ((bits & into) !== 0) offset = xor(offset, moved);
  }
  const plain = open.filter((term) => ((bitsOf(term) ?? 0) & (from | into)) === 0);
  return add(offset, linearOffset(ctx, plain));
}

/**
 * Offsets from a thread's own position in a slot of a buffer.
 * @param terms digits of the thread; what register loops add comes with each offset
 */
export function makeSharedAddress(
  ctx: LoweringContext,
  ref: SharedRef,
  terms: readonly ThreadTerm[],
): SharedAddress {
  const { layout } = ctx.buffer(ref.buffer);
  const { w } = ctx;
  const sum = w.bind(
    terms.reduce((all, term) => add(all, mul(term.digit, constant(term.weight))), constant(0)),
    `${ref.buffer}_at`,
  );
  const slot =
    ref.slot === undefined
      ? constant(0)
      : w.bind(mul(ctx.named(ref.slot), constant(layout.stageElements)), `${ref.buffer}_slot`);
  const { swizzle } = layout;
  if (swizzle === undefined) {
    const start = w.bind(add(sum, slot), `${ref.buffer}_at`);
    return { offset: (more) => add(start, linearOffset(ctx, more)) };
  }
  return {
    offset: (more) => add(swizzledOffset(ctx, swizzle, { sum, terms }, more), slot),
  };
}

/** Stride of a tile axis in a buffer. The buffer's axes are matched by position: the tile may have renamed them. */
export type StrideOf = (axis: string) => number;

export function stridesByPosition(
  buffer: SharedBuffer,
  axes: readonly { readonly name: string }[],
): StrideOf {
  const byName = new Map(axes.map((axis, i) => [axis.name, buffer.layout.strides[i] ?? 0]));
  return (axis) => byName.get(axis) ?? 0;
}

/** Terms of the thread's index for a register layout over the buffer. */
export function threadTerms(
  ctx: LoweringContext,
  layout: RegisterLayout,
  strideOf: StrideOf,
): readonly ThreadTerm[] {
  return threadDigits(layout, ctx.block).flatMap((digit) => {
    const weight = digit.axis === null ? 0 : digit.stride * strideOf(digit.axis);
    if (weight === 0) return [];
    return [{ digit: digitExpr(digit, ctx.block), extent: digit.extent, weight }];
  });
}

/** Terms of a register loop's digits. */
export function registerTerms(place: Place, strideOf: StrideOf): readonly RegisterTerm[] {
  return place.iters.flatMap((iter: Iter, i) => {
    const weight = iter.axis === null ? 0 : iter.stride * strideOf(iter.axis);
    return weight === 0 ? [] : [{ digit: place.digits[i] ?? ZERO, extent: iter.extent, weight }];
  });
}
