/** [codegen/passes/threads] What the thread's own index means in a layout: its coordinate along an axis, its part among others, whether it is the first replica. */

import type { Expr } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import type { StatementWriter } from "./emitter.ts";
import { add, both, compare, constant, maskBits, mul, shr, special } from "./expr.ts";

/** Sizes of a block. */
export interface BlockShape {
  readonly numWarps: number;
  readonly warpSize: number;
}

/** Bits [shift, shift + bits) of the thread's index, moving `stride` elements along `axis`. */
export interface ThreadDigit {
  readonly shift: number;
  readonly bits: number;
  readonly axis: string | null;
  readonly stride: number;
}

function digitsOf(iters: readonly Iter[], from: number, size: number): ThreadDigit[] {
  const digits: ThreadDigit[] = [];
  let shift = from;
  for (const { extent, axis, stride } of iters) {
    const bits = Math.log2(extent);
    if (bits > 0) digits.push({ shift, bits, axis, stride });
    shift += bits;
  }
  const rest = from + Math.log2(size) - shift;
  // Threads that a layout does not name hold what the first ones hold.
  if (rest > 0) digits.push({ shift, bits: rest, axis: null, stride: 0 });
  return digits;
}

/** Digits of the thread index from the least bit on; neighbours that continue each other are one digit. */
export function threadDigits(layout: RegisterLayout, block: BlockShape): readonly ThreadDigit[] {
  const all = [
    ...digitsOf(layout.lane, 0, block.warpSize),
    ...digitsOf(layout.warp, Math.log2(block.warpSize), block.numWarps),
  ];
  const out: ThreadDigit[] = [];
  for (const digit of all) {
    const last = out.at(-1);
    const continues =
      last !== undefined &&
      last.axis === digit.axis &&
      (last.axis === null || last.stride * 2 ** last.bits === digit.stride);
    if (continues) out[out.length - 1] = { ...last, bits: last.bits + digit.bits };
    else out.push(digit);
  }
  return out;
}

/** Digits of lanes and warps apart, for reductions. */
export function laneDigits(layout: RegisterLayout, block: BlockShape): readonly ThreadDigit[] {
  return digitsOf(layout.lane, 0, block.warpSize);
}
export function warpDigits(layout: RegisterLayout, block: BlockShape): readonly ThreadDigit[] {
  return digitsOf(layout.warp, Math.log2(block.warpSize), block.numWarps);
}

/** The digit's value, from the special index that gives it most cheaply. */
export function digitExpr(digit: ThreadDigit, block: BlockShape): Expr {
  const laneBits = Math.log2(block.warpSize);
  const allBits = laneBits + Math.log2(block.numWarps);
  const end = digit.shift + digit.bits;
  const [source, from, to] =
    laneBits > 0 && end <= laneBits
      ? [special("lane"), 0, laneBits]
      : laneBits > 0 && digit.shift >= laneBits
        ? [special("warp"), laneBits, allBits]
        : [special("thread"), 0, allBits];
  const shifted = shr(source, digit.shift - from);
  return end === to ? shifted : maskBits(shifted, 2 ** digit.bits - 1);
}

/** Coordinate along `axis` that the thread contributes, named once. */
export function threadCoordinate(
  w: StatementWriter,
  layout: RegisterLayout,
  axis: string,
  block: BlockShape,
): Expr {
  const terms = threadDigits(layout, block)
    .filter((digit) => digit.axis === axis)
    .map((digit) => mul(digitExpr(digit, block), constant(digit.stride)));
  const sum = terms.reverse().reduce((a, b) => add(a, b), constant(0));
  return w.bind(sum, `t_${axis}`);
}

/** Condition that all these digits are 0; undefined where there are none. */
export function areZero(
  w: StatementWriter,
  digits: readonly ThreadDigit[],
  block: BlockShape,
): Expr | undefined {
  const allBits = Math.log2(block.warpSize * block.numWarps);
  const merged: ThreadDigit[] = [];
  for (const digit of [...digits].sort((a, b) => a.shift - b.shift)) {
    const last = merged.at(-1);
    if (last !== undefined && last.shift + last.bits === digit.shift)
      merged[merged.length - 1] = { ...last, bits: last.bits + digit.bits };
    else merged.push(digit);
  }
  const conditions = merged.map((digit) =>
    digit.shift + digit.bits === allBits && digit.shift > 0
      ? compare("lt", special("thread"), constant(2 ** digit.shift))
      : compare("eq", digitExpr(digit, block), constant(0)),
  );
  const all = conditions.reduce<Expr | undefined>((a, b) => both(a, b), undefined);
  return all === undefined ? undefined : w.bind(all, "is_first");
}

/** True for the one thread among the holders of each element that acts for all; undefined where every thread is alone. */
export function firstReplica(
  w: StatementWriter,
  layout: RegisterLayout | undefined,
  block: BlockShape,
): Expr | undefined {
  const none: RegisterLayout = { kind: "register", axes: [], reg: [], lane: [], warp: [] };
  const digits = threadDigits(layout ?? none, block).filter((digit) => digit.axis === null);
  return areZero(w, digits, block);
}

/** Mixed-radix number of some digits, first fastest, and how many values it takes. */
export function partIndex(
  digits: readonly ThreadDigit[],
  block: BlockShape,
): { readonly index: Expr; readonly count: number } {
  let index = constant(0);
  let count = 1;
  for (const digit of digits) {
    index = add(mul(digitExpr(digit, block), constant(count)), index);
    count *= 2 ** digit.bits;
  }
  return { index, count };
}
