/** [codegen/passes/threads] What the thread's own index means in a layout: its coordinate along an axis, its part among others, whether it is the first replica. */

import { invariant } from "../../../dsl/index.ts";
import type { Expr } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import type { StatementWriter } from "./emitter.ts";
import { add, both, compare, constant, maskBits, mul, shr, special } from "./expr.ts";

/** Sizes of a block. */
export interface BlockShape {
  readonly numWarps: number;
  readonly warpSize: number;
}

/**
 * The thread's index from bit `shift` on, modulo `extent`, moving `stride` elements along `axis`. Extents are powers of two, but for the
 * slowest digit of a block, which is all that is left of the index.
 */
export interface ThreadDigit {
  readonly shift: number;
  readonly extent: number;
  readonly axis: string | null;
  readonly stride: number;
}

function digitsOf(iters: readonly Iter[], from: number, size: number): ThreadDigit[] {
  const digits: ThreadDigit[] = [];
  let covered = 1;
  const push = ({ extent, axis, stride }: Iter): void => {
    const shift = from + Math.log2(covered);
    invariant(Number.isInteger(shift), () => `a digit stands behind ${covered} threads`);
    digits.push({ shift, extent, axis, stride });
    covered *= extent;
  };
  for (const iter of iters) if (iter.extent > 1) push(iter);
  // Threads that a layout does not name hold what the first ones hold.
  if (covered < size) push({ extent: size / covered, axis: null, stride: 0 });
  return digits;
}

/** Threads up to which a digit counts. */
function endOf({ shift, extent }: ThreadDigit): number {
  return 2 ** shift * extent;
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
      (last.axis === null || last.stride * last.extent === digit.stride);
    if (continues) out[out.length - 1] = { ...last, extent: last.extent * digit.extent };
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

/** Lanes apart by one bit of digits that lie among the lanes: partners of shuffles. */
export function laneMasks(digits: readonly ThreadDigit[]): readonly number[] {
  return digits.flatMap(({ shift, extent }) =>
    Array.from({ length: Math.log2(extent) }, (_, bit) => 1 << (shift + bit)),
  );
}

/** The digit's value, from the special index that gives it most cheaply. */
export function digitExpr(digit: ThreadDigit, block: BlockShape): Expr {
  const { warpSize, numWarps } = block;
  const laneBits = Math.log2(warpSize);
  const threads = warpSize * numWarps;
  const end = endOf(digit);
  const [source, from, to] =
    laneBits > 0 && end <= warpSize
      ? [special("lane"), 0, warpSize]
      : laneBits > 0 && digit.shift >= laneBits
        ? [special("warp"), laneBits, threads]
        : [special("thread"), 0, threads];
  const shifted = shr(source, digit.shift - from);
  return end === to ? shifted : maskBits(shifted, digit.extent - 1);
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
  const threads = block.warpSize * block.numWarps;
  const merged: ThreadDigit[] = [];
  for (const digit of [...digits].sort((a, b) => a.shift - b.shift)) {
    const last = merged.at(-1);
    if (last !== undefined && endOf(last) === 2 ** digit.shift)
      merged[merged.length - 1] = { ...last, extent: last.extent * digit.extent };
    else merged.push(digit);
  }
  const conditions = merged.map((digit) =>
    endOf(digit) === threads && digit.shift > 0
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
    count *= digit.extent;
  }
  return { index, count };
}
