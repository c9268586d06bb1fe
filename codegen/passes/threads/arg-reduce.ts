/** [codegen/passes/threads] Index of the first extreme element: pairs of value and index through registers, lanes and scratch. */
import { type ArgReduceFn, invariant } from "../../../dsl/index.ts";
import type { SArgReduce } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { add, binary, bitcast, compare, constant, mul, register, select } from "./expr.ts";
import { guarded } from "./guard.ts";
import {
  coordinateOf,
  type Lin,
  linCounter,
  linScale,
  type Place,
  placeIn,
  registerAt,
  ZERO,
} from "./place.ts";
import { type PartDigits, partDigits } from "./reduce.ts";
import { checkScratch, elementIndex } from "./scratch.ts";
import { areZero, laneMasks, partIndex, threadCoordinate } from "./thread-index.ts";

interface Pair {
  readonly value: Expr;
  readonly index: Expr;
}

interface PairStorage {
  readonly values: Storage;
  readonly indices: Storage;
}

function isNan(e: Expr): Expr {
  return compare("ne", e, e);
}

/** Whether `b` takes the place of `a`: more extreme, or as extreme and earlier; NaN loses against numbers. */
function wins(fn: ArgReduceFn, a: Pair, b: Pair): Expr {
  const extreme = compare(fn === "argmax" ? "gt" : "lt", b.value, a.value);
  const earlier = compare("lt", b.index, a.index);
  const tie = binary("and", compare("eq", b.value, a.value), earlier);
  const better = binary("or", extreme, tie);
  if (a.value.type !== "f32") return better;
  const isNumber = compare("eq", b.value, b.value);
  const beatsNan = binary("and", isNan(a.value), binary("or", isNumber, earlier));
  return binary("or", better, beatsNan);
}

/** Keeps the better of the stored pair and `b`. */
function keepBetter(
  ctx: LoweringContext,
  fn: ArgReduceFn,
  to: PairStorage,
  at: Lin,
  b: Pair,
): void {
  const { w } = ctx;
  const a: Pair = { value: ctx.readSlot(to.values, at), index: ctx.readSlot(to.indices, at) };
  const cond = w.bind(wins(fn, a, b), "is_better");
  w.assign(ctx.slot(to.values, at), select(cond, b.value, a.value));
  w.assign(ctx.slot(to.indices, at), select(cond, b.index, a.index));
}

function reduceRegisters(ctx: LoweringContext, op: SArgReduce): PairStorage {
  const { x, result, axis, fn } = op;
  const { layout, type } = ctx.value(x);
  invariant(layout !== undefined, () => `${fn} of the scalar ${x.name}`);
  const target = result.layout;
  const to: PairStorage = {
    values: ctx.declare(`${result.name || "best"}_value`, type, target),
    indices: ctx.declare(result.name || "best", "i32", target),
  };
  const thread = threadCoordinate(ctx.w, layout, axis, ctx.block);
  const inTarget = (place: Place): Lin =>
    target === undefined ? ZERO : registerAt(placeIn(place, target));
  const pairAt = (place: Place): Pair => ({
    value: ctx.read(x, place),
    index: add(thread, ctx.w.index(coordinateOf(place, axis))),
  });
  // Starts with the first element along the axis; taking it a second time changes nothing.
  const others = layout.reg.filter((iter) => iter.axis !== axis);
  ctx.nestIters(others, [layout.reg], (place) => {
    const at = inTarget(place);
    const first = pairAt(place);
    ctx.w.assign(ctx.slot(to.values, at), first.value);
    ctx.w.assign(ctx.slot(to.indices, at), first.index);
  });
  if (others.length === layout.reg.length) return to;
  ctx.nest(layout, [x], (place) => {
    keepBetter(ctx, fn, to, inTarget(place), pairAt(place));
  });
  return to;
}

function reduceLanes(
  ctx: LoweringContext,
  fn: ArgReduceFn,
  to: PairStorage,
  digits: PartDigits,
): void {
  const { w } = ctx;
  const masks = laneMasks(digits.lanes);
  if (masks.length === 0) return;
  const value = w.declare("other_value", to.values.type);
  const index = w.declare("other", "i32");
  w.nest([to.values.length], ([k = ZERO]) => {
    for (const laneMask of masks) {
      const own = ctx.readSlot(to.values, k);
      w.emit({ kind: "shuffle_xor", to: { name: value }, value: own, laneMask });
      const at = ctx.readSlot(to.indices, k);
      w.emit({ kind: "shuffle_xor", to: { name: index }, value: at, laneMask });
      keepBetter(ctx, fn, to, k, {
        value: register(value, to.values.type),
        index: register(index, "i32"),
      });
    }
  });
}

function reduceWarps(
  ctx: LoweringContext,
  op: SArgReduce,
  to: PairStorage,
  digits: PartDigits,
): void {
  const { w, block } = ctx;
  const { scratch: buffer, result } = op;
  invariant(buffer !== undefined, () => `${op.fn} over ${op.axis} across warps has no scratch`);
  const { index, count } = partIndex(digits.warps, block);
  const elements = elementIndex(ctx, result.type, result.layout);
  const half = count * elements.count;
  checkScratch(ctx, buffer, "u32", 2 * half);
  const target = result.layout;
  const inTarget = (place: Place): Lin =>
    target === undefined ? ZERO : registerAt(placeIn(place, target));
  const start = w.bind(add(mul(index, constant(elements.count)), elements.thread), "part_at");
  const word = (e: Expr): string => {
    const name = w.fresh("bits");
    const init = bitcast(e, "u32");
    w.emit({ kind: "let", reg: { name, type: "u32", length: 1 }, init, mutable: false });
    return name;
  };
  const isFirst = areZero(w, [...digits.lanes, ...digits.copies], block);
  guarded(ctx, isFirst, () => {
    ctx.nest(target, [], (place) => {
      const at = inTarget(place);
      const offset = add(start, w.index(elements.register(place)));
      const value = word(ctx.readSlot(to.values, at));
      w.emit({ kind: "store_shared", from: { name: value }, buffer, offset, width: 1 });
      const second = add(offset, constant(half));
      const position = word(ctx.readSlot(to.indices, at));
      w.emit({ kind: "store_shared", from: { name: position }, buffer, offset: second, width: 1 });
    });
  });
  ctx.barrier();
  ctx.nest(target, [], (place) => {
    const at = inTarget(place);
    const element = add(elements.thread, w.index(elements.register(place)));
    const bounds = { lo: constant(0), hi: constant(count), step: constant(1) };
    w.loop({ ...bounds, unroll: count <= 8 }, (part) => {
      const value = w.declare("other_value", "u32");
      const position = w.declare("other", "u32");
      const offset = add(element, w.index(linScale(linCounter(part), elements.count)));
      const second = add(offset, constant(half));
      w.emit({ kind: "load_shared", to: { name: value }, buffer, offset, width: 1 });
      w.emit({ kind: "load_shared", to: { name: position }, buffer, offset: second, width: 1 });
      keepBetter(ctx, op.fn, to, at, {
        value: bitcast(register(value, "u32"), to.values.type),
        index: bitcast(register(position, "u32"), "i32"),
      });
    });
  });
}

export function lowerArgReduce(ctx: LoweringContext, op: SArgReduce): void {
  const { layout } = ctx.value(op.x);
  invariant(layout !== undefined, () => `${op.fn} of the scalar ${op.x.name}`);
  const to = reduceRegisters(ctx, op);
  const digits = partDigits(ctx, layout, op.axis);
  reduceLanes(ctx, op.fn, to, digits);
  if (digits.warps.length > 0) reduceWarps(ctx, op, to, digits);
  ctx.setStorage(op.result, to.indices);
}
