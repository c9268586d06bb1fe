/** [codegen/layout] Packed orders from register layouts and back: which order lets threads read their registers as vectors, and which layout reads a given order. */
import type { Axis } from "../../dsl/index.ts";
import { refineIters } from "../passes/threads/place.ts";
import { dealThreads, oddThreads, type ThreadShape } from "./blocked-layout.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { type OrderDigit, type PackedOrder, type Side, weightOf } from "./packed-order.ts";
import { canonicalLayout, powerOfTwoPart } from "./register-layout.ts";

/** The axes of a tile that walk the rows and the columns of its tensor; absent where an index takes one row alone. */
export interface TileSides {
  readonly row?: Axis;
  readonly column: Axis;
}

/** Sides of a tile whose last dims are walked by spans; undefined where the last is not. */
export function spanSides(
  at: readonly { readonly kind: string; readonly axis?: Axis }[],
): TileSides | undefined {
  const [row, column] = [at.at(-2)?.axis, at.at(-1)?.axis];
  if (column === undefined) return undefined;
  return row === undefined ? { column } : { row, column };
}

function axisOf(sides: TileSides, side: Side): Axis | undefined {
  return side === "row" ? sides.row : sides.column;
}

function sideOf(sides: TileSides, axis: string | null): Side | undefined {
  if (axis === null) return undefined;
  return axis === sides.column.name ? "column" : axis === sides.row?.name ? "row" : undefined;
}

const SIDES: readonly Side[] = ["column", "row"];

/** Threads that access memory together: lanes, or all of the block where a target has none. */
function neighbours({ lane, warp }: RegisterLayout): readonly Iter[] {
  return lane.some((iter) => iter.extent > 1) ? lane : warp;
}

/** How far along a side lanes reach: a block is at least so large. */
function laneEnd(layout: RegisterLayout, axis: string | undefined): number {
  const ends = neighbours(layout)
    .filter((iter) => iter.axis === axis && iter.extent > 1)
    .map((iter) => iter.stride * iter.extent);
  return Math.max(1, ...ends);
}

function digitOf(sides: TileSides, iter: Iter): OrderDigit | undefined {
  const side = sideOf(sides, iter.axis);
  return side === undefined ? undefined : { extent: iter.extent, side, stride: iter.stride };
}

/** Digits of the registers of one thread: those of a vector, those that are in the block besides, and where the block ends. */
interface RegisterDigits {
  readonly vector: readonly OrderDigit[];
  readonly more: readonly OrderDigit[];
  readonly ends: Readonly<Record<Side, number>>;
}

function product(digits: readonly OrderDigit[]): number {
  return digits.reduce((n, digit) => n * digit.extent, 1);
}

/** The first digits up to `most` elements; a digit that goes beyond is cut. */
function cutVector(digits: readonly OrderDigit[], most: number): [OrderDigit[], OrderDigit[]] {
  const vector: OrderDigit[] = [];
  const more: OrderDigit[] = [];
  let open = true;
  for (const digit of digits) {
    const part = open ? Math.min(powerOfTwoPart(digit.extent), most / product(vector)) : 1;
    if (part > 1) vector.push({ ...digit, extent: part });
    if (part < digit.extent) {
      more.push({ ...digit, extent: digit.extent / part, stride: digit.stride * part });
      open = false;
    }
  }
  return [vector, more];
}

/** Registers between the lanes of a block first, then those that follow it, columns first, until a vector is full. */
function registerDigits(layout: RegisterLayout, sides: TileSides, most: number): RegisterDigits {
  const ends = {
    column: laneEnd(layout, sides.column.name),
    row: laneEnd(layout, sides.row?.name),
  };
  const digits = layout.reg.flatMap((iter) => digitOf(sides, iter) ?? []);
  const inside = digits.filter(({ side, stride }) => stride < ends[side]);
  const [vector, more] = cutVector(inside, most);
  for (const side of SIDES) {
    for (;;) {
      const next = digits.find(
        (digit) =>
          digit.side === side &&
          digit.stride <= ends[side] &&
          ends[side] < digit.stride * digit.extent,
      );
      if (next === undefined) break;
      const left = (next.stride * next.extent) / ends[side];
      const part = Math.min(powerOfTwoPart(left), most / product(vector));
      if (part <= 1 || more.length > 0) break;
      vector.push({ extent: part, side, stride: ends[side] });
      ends[side] *= part;
    }
  }
  return { vector, more, ends };
}

function threadDigits(
  iters: readonly Iter[],
  sides: TileSides,
  ends: RegisterDigits["ends"],
): readonly OrderDigit[] {
  return iters.flatMap((iter) => {
    const digit = digitOf(sides, iter);
    return digit !== undefined && iter.extent > 1 && digit.stride < ends[digit.side] ? [digit] : [];
  });
}

/** A layout whose registers stand in the order's vectors first. */
function vectorsFirst(
  layout: RegisterLayout,
  sides: TileSides,
  order: PackedOrder,
): RegisterLayout {
  const reg = cutByOrder(layout.reg, order, sides);
  const weight = (iter: Iter): number => {
    const side = sideOf(sides, iter.axis);
    return (side === undefined ? undefined : weightOf(order, side, iter.stride)) ?? Infinity;
  };
  const sorted = reg
    .map((iter, i) => ({ iter, i, weight: weight(iter) }))
    .sort((a, b) => (a.weight === b.weight ? a.i - b.i : a.weight - b.weight));
  return canonicalLayout({ ...layout, reg: sorted.map(({ iter }) => iter) });
}

/** An order, and the layout (the given one with its registers in another sequence) that reads it in vectors. */
export interface DerivedOrder {
  readonly order: PackedOrder;
  readonly layout: RegisterLayout;
}

/**
 * The order in which the elements that a lane holds are neighbours, `vector` of them at a time, and the vectors of neighbouring lanes
 * too. Its block is the smallest that all lanes of a warp need, so that it does not depend on the number of warps or the size of the tile
 * beyond it.
 * @param vector elements of 16 bytes; fewer where a thread holds fewer
 * @returns undefined where lanes walk an axis that is neither side
 */
export function deriveOrder(
  layout: RegisterLayout,
  sides: TileSides,
  vector: number,
): DerivedOrder | undefined {
  const strange = [...layout.lane, ...layout.warp, ...layout.reg].some(
    (iter) => iter.axis !== null && iter.extent > 1 && sideOf(sides, iter.axis) === undefined,
  );
  if (strange) return undefined;
  const { vector: first, more, ends } = registerDigits(layout, sides, vector);
  const digits = [
    ...first,
    ...threadDigits(layout.lane, sides, ends),
    ...threadDigits(layout.warp, sides, ends),
    ...more,
  ];
  const order: PackedOrder = { block: [ends.row, ends.column], digits };
  return { order, layout: vectorsFirst(layout, sides, order) };
}

/** Iters cut where digits of the order or its blocks begin and end. */
function cutByOrder(iters: readonly Iter[], order: PackedOrder, sides: TileSides): readonly Iter[] {
  const borders = order.digits.map(({ extent, side, stride }): Iter => {
    return { extent, axis: axisOf(sides, side)?.name ?? null, stride };
  });
  return iters.flatMap((iter) => (iter.axis === null ? [iter] : refineIters([iter], [borders])));
}

/** What one step of an iter moves: places in a block, or whole blocks along a side. */
export type OrderStep =
  | { readonly kind: "places"; readonly count: number }
  | { readonly kind: "blocks"; readonly side: Side; readonly count: number };

function stepOf(iter: Iter, order: PackedOrder, sides: TileSides): OrderStep | undefined {
  const side = sideOf(sides, iter.axis);
  if (side === undefined || iter.extent === 1) return { kind: "places", count: 0 };
  const size = order.block[side === "row" ? 0 : 1];
  if (iter.stride % size === 0) return { kind: "blocks", side, count: iter.stride / size };
  const count = weightOf(order, side, iter.stride);
  return count === undefined ? undefined : { kind: "places", count };
}

export interface SteppedIter extends Iter {
  readonly step: OrderStep;
}

/** A layout over a packed tensor, iters cut so that each steps evenly through the order. */
export interface SteppedLayout {
  /** Elements of one access: the first registers are as many neighbours. */
  readonly width: number;
  /** Registers after those of a vector. */
  readonly reg: readonly SteppedIter[];
  readonly lane: readonly SteppedIter[];
  readonly warp: readonly SteppedIter[];
}

function stepped(
  iters: readonly Iter[],
  order: PackedOrder,
  sides: TileSides,
): readonly SteppedIter[] | undefined {
  const out = cutByOrder(iters, order, sides).map((iter) => {
    const step = stepOf(iter, order, sides);
    return step === undefined ? undefined : { ...iter, step };
  });
  return out.every((iter) => iter !== undefined) ? out : undefined;
}

/**
 * How a tile that begins at whole blocks is walked in a layout.
 * @param most elements of the widest access
 * @returns undefined where a digit of the layout is no sum of digits of the order
 */
export function stepThrough(
  layout: RegisterLayout,
  order: PackedOrder,
  sides: TileSides,
  most: number,
): SteppedLayout | undefined {
  const [reg, lane, warp] = [layout.reg, layout.lane, layout.warp].map((iters) =>
    stepped(iters, order, sides),
  );
  if (reg === undefined || lane === undefined || warp === undefined) return undefined;
  let width = 1;
  const rest: SteppedIter[] = [];
  for (const iter of reg) {
    const isNext = rest.length === 0 && iter.step.kind === "places" && iter.step.count === width;
    const part = isNext ? Math.min(powerOfTwoPart(iter.extent), most / width) : 1;
    width *= part;
    if (part === iter.extent && iter.extent > 1) continue;
    if (iter.extent === 1) continue;
    const stride = iter.stride * part;
    const { step } = iter;
    rest.push({
      ...iter,
      extent: iter.extent / part,
      stride,
      step: { ...step, count: step.count * part },
    });
  }
  return { width, reg: rest, lane, warp };
}

/**
 * The layout in which a tile of whole blocks reads a given order: vectors in registers, the digits after them over lanes and warps,
 * then the blocks.
 * @returns undefined where the tile is not made of whole blocks
 */
export function orderLayout(
  order: PackedOrder,
  sides: TileSides,
  axes: readonly Axis[],
  vector: number,
  threads: ThreadShape,
): RegisterLayout | undefined {
  const [rows, columns] = order.block;
  const height = sides.row?.size ?? 1;
  if (height % rows !== 0 || sides.column.size % columns !== 0) return undefined;
  const all = order.digits.flatMap(({ extent, side, stride }): readonly Iter[] => {
    const axis = axisOf(sides, side);
    return axis === undefined ? [] : [{ extent, axis: axis.name, stride }];
  });
  if (sides.row === undefined && rows > 1) return undefined;
  const blocks: readonly Iter[] = [
    { extent: sides.column.size / columns, axis: sides.column.name, stride: columns },
    ...(sides.row === undefined
      ? []
      : [{ extent: height / rows, axis: sides.row.name, stride: rows }]),
  ];
  const reg: Iter[] = [];
  const digits: Iter[] = [];
  const later: Iter[] = [];
  let width = 1;
  let left = (threads.warpSize * threads.numWarps) / oddThreads(threads);
  for (const iter of [...all, ...blocks]) {
    const inVector = digits.length > 0 ? 1 : Math.min(powerOfTwoPart(iter.extent), vector / width);
    width *= inVector;
    if (inVector > 1) reg.push({ ...iter, extent: inVector });
    const extent = iter.extent / inVector;
    const stride = iter.stride * inVector;
    const dealt = Math.min(powerOfTwoPart(extent), left);
    left /= dealt;
    if (dealt > 1) digits.push({ ...iter, extent: dealt, stride });
    if (dealt < extent) later.push({ ...iter, extent: extent / dealt, stride: stride * dealt });
  }
  const dealt = dealThreads(digits, threads);
  return canonicalLayout({ kind: "register", axes, reg: [...reg, ...later], ...dealt });
}
