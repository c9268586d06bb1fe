/** [codegen/passes/threads] Reductions: registers first, then lanes by shuffles, then warps through scratch. Every replica ends with the same bits. */
import { type DType, invariant, isFloat, type ReduceFn } from "../../../dsl/index.ts";
import type { SReduce } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import type { RegisterLayout } from "../../layout/layout.ts";
import { powerOfTwoPart } from "../../layout/register-layout.ts";
import type { LoweringContext, Storage } from "./context.ts";
import {
  add,
  binary,
  compare,
  constant,
  greatestOf,
  leastOf,
  mul,
  register,
  select,
} from "./expr.ts";
import { guarded } from "./guard.ts";
import { linCounter, linScale, placeIn, registerAt, ZERO } from "./place.ts";
import { checkScratch, type ElementIndex, elementIndex } from "./scratch.ts";
import {
  areZero,
  laneDigits,
  laneMasks,
  partIndex,
  type ThreadDigit,
  warpDigits,
} from "./thread-index.ts";

/** What a reduction of no elements gives. */
export function identityOf(fn: ReduceFn, dtype: DType): Expr {
  switch (fn) {
    case "sum":
    case "any":
      return constant(0, dtype);
    case "all":
      return constant(1, dtype);
    case "max":
      return constant(leastOf(dtype), dtype);
    case "min":
      return constant(greatestOf(dtype), dtype);
    default:
      return fn satisfies never;
  }
}

/** Names for results that the source does not name. */
const HINTS = { sum: "sum", max: "most", min: "least", any: "any_of", all: "all_of" } as const;

const COMBINE = { sum: "add", max: "max", min: "min", any: "or", all: "and" } as const;

function combine(fn: ReduceFn, a: Expr, b: Expr): Expr {
  return fn === "sum" ? add(a, b) : binary(COMBINE[fn], a, b);
}

/** Most values that one thread reads in a row; more are combined in two rounds. */
const MOST_PARTS = 16;

/** Digits of threads that hold different parts of one result element, and those that hold copies. */
export interface PartDigits {
  readonly lanes: readonly ThreadDigit[];
  readonly warps: readonly ThreadDigit[];
  readonly copies: readonly ThreadDigit[];
}

export function partDigits(ctx: LoweringContext, layout: RegisterLayout, axis: string): PartDigits {
  const lane = laneDigits(layout, ctx.block);
  const warp = warpDigits(layout, ctx.block);
  return {
    lanes: lane.filter((digit) => digit.axis === axis),
    warps: warp.filter((digit) => digit.axis === axis),
    copies: [...lane, ...warp].filter((digit) => digit.axis === null),
  };
}

/** The result's registers with what each thread can combine alone. */
function reduceRegisters(ctx: LoweringContext, op: SReduce, layout: RegisterLayout): Storage {
  const { result, x, fn } = op;
  const { dtype } = result.type;
  const target = result.layout;
  const storage = ctx.declare(result.name || HINTS[fn], dtype, target);
  const slotAt = (place: Parameters<typeof placeIn>[0]): ReturnType<typeof registerAt> =>
    target === undefined ? ZERO : registerAt(placeIn(place, target));
  if (!layout.reg.some((iter) => iter.axis === op.axis)) {
    // NaN loses also where it meets nothing but NaN: an extreme starts from its identity.
    const ignoresNan = isFloat(dtype) && (fn === "max" || fn === "min");
    ctx.nest(layout, [x], (place) => {
      const own = ctx.read(x, place);
      const first = ignoresNan ? combine(fn, identityOf(fn, dtype), own) : own;
      ctx.w.assign(ctx.slot(storage, slotAt(place)), first);
    });
    return storage;
  }
  ctx.nest(target, [], (place) => {
    ctx.w.assign(ctx.slot(storage, slotAt(place)), identityOf(fn, dtype));
  });
  ctx.nest(layout, [x], (place) => {
    const at = slotAt(place);
    const sum = combine(fn, ctx.readSlot(storage, at), ctx.read(x, place));
    ctx.w.assign(ctx.slot(storage, at), sum);
  });
  return storage;
}

function reduceLanes(
  ctx: LoweringContext,
  fn: ReduceFn,
  storage: Storage,
  lanes: readonly ThreadDigit[],
): void {
  const { w } = ctx;
  const isBool = storage.type === "bool";
  const carried = isBool ? "u32" : storage.type;
  const masks = laneMasks(lanes);
  if (masks.length === 0) return;
  const other = w.declare("other", carried);
  const received = register(other, carried);
  w.nest([storage.length], ([k = ZERO]) => {
    for (const laneMask of masks) {
      const own = ctx.readSlot(storage, k);
      const value = isBool ? select(own, constant(1, "u32"), constant(0, "u32")) : own;
      w.emit({ kind: "shuffle_xor", to: { name: other }, value, laneMask });
      const theirs = isBool ? compare("ne", received, constant(0, "u32")) : received;
      w.assign(ctx.slot(storage, k), combine(fn, own, theirs));
    }
  });
}

interface Parts {
  readonly buffer: string;
  readonly count: number;
  readonly index: Expr;
  readonly elements: ElementIndex;
}

/** Slots `first, first + step … ` of an element, combined into the storage. */
function combineSlots(
  ctx: LoweringContext,
  op: SReduce,
  storage: Storage,
  parts: Parts,
  range: { readonly first: Expr; readonly step: number; readonly count: number },
): void {
  const { w } = ctx;
  const { elements, buffer } = parts;
  const target = op.result.layout;
  ctx.nest(target, [], (place) => {
    const at = target === undefined ? ZERO : registerAt(placeIn(place, target));
    const element = add(elements.thread, w.index(elements.register(place)));
    const start = add(mul(range.first, constant(elements.count)), element);
    const slot = ctx.slot(storage, at);
    w.emit({ kind: "load_shared", to: slot, buffer, offset: start, width: 1 });
    if (range.count === 1) return;
    const bounds = { lo: constant(1), hi: constant(range.count), step: constant(1) };
    w.loop({ ...bounds, unroll: range.count <= 8 }, (part) => {
      const other = w.declare("other", storage.type);
      const step = w.index(linScale(linCounter(part), range.step * elements.count));
      w.emit({
        kind: "load_shared",
        to: { name: other },
        buffer,
        offset: add(start, step),
        width: 1,
      });
      const sum = combine(op.fn, ctx.readSlot(storage, at), register(other, storage.type));
      w.assign(slot, sum);
    });
  });
}

/** One element a part: the parts lie in a row and are read in vectors. */
function combineRow(ctx: LoweringContext, op: SReduce, storage: Storage, parts: Parts): void {
  const { w } = ctx;
  const { count, buffer } = parts;
  const width = Math.min(powerOfTwoPart(count), 4);
  const row: Storage = {
    name: w.declare("parts", storage.type, count),
    type: storage.type,
    length: count,
  };
  w.nest([count / width], ([k = ZERO]) => {
    const at = linScale(k, width);
    w.emit({ kind: "load_shared", to: ctx.slot(row, at), buffer, offset: w.index(at), width });
  });
  w.assign(ctx.slot(storage, ZERO), ctx.readSlot(row, ZERO));
  const bounds = { lo: constant(1), hi: constant(count), step: constant(1) };
  w.loop({ ...bounds, unroll: true }, (part) => {
    const next = ctx.readSlot(row, linCounter(part));
    w.assign(ctx.slot(storage, ZERO), combine(op.fn, ctx.readSlot(storage, ZERO), next));
  });
}

function storeParts(
  ctx: LoweringContext,
  storage: Storage,
  layout: RegisterLayout | undefined,
  parts: Parts,
): void {
  const { w } = ctx;
  const { elements, buffer } = parts;
  const start = w.bind(add(mul(parts.index, constant(elements.count)), elements.thread), "part_at");
  ctx.nest(layout, [], (place) => {
    const at = layout === undefined ? ZERO : registerAt(placeIn(place, layout));
    const offset = add(start, w.index(elements.register(place)));
    w.emit({ kind: "store_shared", from: ctx.slot(storage, at), buffer, offset, width: 1 });
  });
}

function reduceWarps(
  ctx: LoweringContext,
  op: SReduce,
  storage: Storage,
  digits: PartDigits,
): void {
  const { w, block } = ctx;
  const { scratch } = op;
  invariant(scratch !== undefined, () => `reduce over ${op.axis} across warps has no scratch`);
  const { index, count } = partIndex(digits.warps, block);
  const elements = elementIndex(ctx, op.result.type, op.result.layout);
  checkScratch(ctx, scratch, op.result.type.dtype, count * elements.count);
  const parts: Parts = { buffer: scratch, count, index: w.bind(index, "part"), elements };
  const isFirst = areZero(w, [...digits.lanes, ...digits.copies], block);
  guarded(ctx, isFirst, () => storeParts(ctx, storage, op.result.layout, parts));
  ctx.barrier();
  let left = count;
  if (count > MOST_PARTS) {
    // The first threads take slots of their own stride: none reads what another one writes in this round.
    left = 2 ** Math.floor(Math.log2(count) / 2);
    const takesPart = compare("lt", parts.index, constant(left));
    const first = isFirst === undefined ? takesPart : binary("and", isFirst, takesPart);
    guarded(ctx, first, () => {
      const range = { first: parts.index, step: left, count: count / left };
      combineSlots(ctx, op, storage, parts, range);
      storeParts(ctx, storage, op.result.layout, parts);
    });
    ctx.barrier();
  }
  const isRow = elements.count === 1 && left >= 2 && left <= MOST_PARTS && storage.type !== "bool";
  if (isRow) combineRow(ctx, op, storage, { ...parts, count: left });
  else combineSlots(ctx, op, storage, parts, { first: constant(0), step: 1, count: left });
}

export function lowerReduce(ctx: LoweringContext, op: SReduce): void {
  const { x, result } = op;
  const { layout } = ctx.value(x);
  invariant(layout !== undefined, () => `reduce of the scalar ${x.name}`);
  const storage = reduceRegisters(ctx, op, layout);
  const digits = partDigits(ctx, layout, op.axis);
  reduceLanes(ctx, op.fn, storage, digits.lanes);
  if (digits.warps.length > 0) reduceWarps(ctx, op, storage, digits);
  ctx.setStorage(result, storage);
}
