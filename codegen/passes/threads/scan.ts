/** [codegen/passes/threads] Inclusive prefix scans: runs in registers, then lanes by shuffles, then warps through scratch. */
import { invariant, isFloat, type ScanFn } from "../../../dsl/index.ts";
import type { SScan } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import type { LoweringContext, Storage } from "./context.ts";
import {
  add,
  binary,
  compare,
  constant,
  maskBits,
  mul,
  register,
  select,
  shr,
  special,
} from "./expr.ts";
import { guarded } from "./guard.ts";
import {
  type Lin,
  linConst,
  linCounter,
  linScale,
  type Place,
  placeIn,
  registerAt,
  ZERO,
} from "./place.ts";
import { identityOf, partDigits } from "./reduce.ts";
import { checkScratch, elementIndex } from "./scratch.ts";
import { areZero, partIndex, type ThreadDigit } from "./thread-index.ts";

function combine(fn: ScanFn, a: Expr, b: Expr): Expr {
  return fn === "sum" ? add(a, b) : binary("max", a, b);
}

/** Registers along the axis and across it; the run of a thread is one iter, strides grow from registers to lanes to warps. */
interface ScanShape {
  readonly layout: RegisterLayout;
  readonly run: Iter;
  readonly across: readonly Iter[];
}

function shapeOf(layout: RegisterLayout, axis: string): ScanShape {
  const along = layout.reg.filter((iter) => iter.axis === axis);
  invariant(along.length <= 1, () => `scan over ${axis}: a thread holds more than one run`);
  const run = along[0] ?? { axis, stride: 1, extent: 1 };
  invariant(run.stride === 1, () => `scan over ${axis}: runs are not contiguous`);
  return { layout, run, across: layout.reg.filter((iter) => iter.axis !== axis) };
}

/** Visits the lines across the axis; `at(j)` is the register of the line's element j. */
function forEachLine(
  ctx: LoweringContext,
  shape: ScanShape,
  body: (at: (j: Lin) => Lin, place: Place) => void,
): void {
  ctx.nestIters(shape.across, [], (place) => {
    const iters = [...place.iters, shape.run];
    const at = (j: Lin): Lin =>
      registerAt(placeIn({ iters, digits: [...place.digits, j] }, shape.layout));
    body(at, place);
  });
}

/** Prefix inside each thread's own run. */
function scanRuns(ctx: LoweringContext, fn: ScanFn, to: Storage, shape: ScanShape): void {
  if (shape.run.extent === 1) return;
  const bounds = { lo: constant(1), hi: constant(shape.run.extent), step: constant(1) };
  forEachLine(ctx, shape, (at) => {
    ctx.w.loop({ ...bounds, unroll: true }, (j) => {
      const here = at(linCounter(j));
      const before = { ...linCounter(j), base: -1 };
      const sum = combine(fn, ctx.readSlot(to, at(before)), ctx.readSlot(to, here));
      ctx.w.assign(ctx.slot(to, here), sum);
    });
  });
}

/** Adds what stands before this thread's run to all of it. */
function addBefore(
  ctx: LoweringContext,
  op: SScan,
  to: Storage,
  shape: ScanShape,
  before: (place: Place) => Lin,
  storage: Storage,
): void {
  forEachLine(ctx, shape, (at, place) => {
    const earlier = ctx.readSlot(storage, before(place));
    ctx.w.nest([shape.run.extent], ([j = ZERO]) => {
      const here = at(j);
      ctx.w.assign(ctx.slot(to, here), combine(op.fn, earlier, ctx.readSlot(to, here)));
    });
  });
}

/** Index of a line among those that a thread holds. */
function lineAt(place: Place): Lin {
  return registerAt(place);
}

function lineCount(shape: ScanShape): number {
  return shape.across.reduce((n, iter) => n * iter.extent, 1);
}

/**
 * Over the lanes of one digit: each lane gets the combination of the totals of the lanes before it.
 * @source Hillis and Steele, Data parallel algorithms (1986): inclusive scan in log2 steps, shifted by one lane at the end
 */
function scanLanes(
  ctx: LoweringContext,
  op: SScan,
  to: Storage,
  shape: ScanShape,
  digit: ThreadDigit,
): void {
  const { w } = ctx;
  const { type } = to;
  const lines = lineCount(shape);
  const before: Storage = { name: w.declare("before", type, lines), type, length: lines };
  const total = w.declare("total", type);
  const other = w.declare("other", type);
  const position = w.bind(
    maskBits(shr(special("lane"), digit.shift), digit.extent - 1),
    "position",
  );
  const from = (delta: number): Expr =>
    binary("sub", special("lane"), constant(delta * 2 ** digit.shift));
  forEachLine(ctx, shape, (at, place) => {
    w.assign({ name: total }, ctx.readSlot(to, at(linConst(shape.run.extent - 1))));
    for (let delta = 1; delta < digit.extent; delta *= 2) {
      const value = register(total, type);
      w.emit({
        kind: "shuffle",
        to: { name: other },
        value,
        lane: laneOrOwn(position, from(delta), delta),
      });
      const sum = combine(op.fn, register(other, type), value);
      w.assign({ name: total }, select(compare("ge", position, constant(delta)), sum, value));
    }
    const value = register(total, type);
    w.emit({ kind: "shuffle", to: { name: other }, value, lane: laneOrOwn(position, from(1), 1) });
    const none = identityOf(op.fn, op.result.type.dtype);
    const isFirst = compare("eq", position, constant(0));
    w.assign(ctx.slot(before, lineAt(place)), select(isFirst, none, register(other, type)));
  });
  addBefore(ctx, op, to, shape, lineAt, before);
}

/** The lane `delta` before, or the own one where there is none: shuffles never name a lane outside the warp. */
function laneOrOwn(position: Expr, lane: Expr, delta: number): Expr {
  return select(compare("ge", position, constant(delta)), lane, special("lane"));
}

/** Over warps: totals of all warps through scratch; each thread combines those before its own. */
function scanWarps(ctx: LoweringContext, op: SScan, to: Storage, shape: ScanShape): void {
  const { w, block } = ctx;
  const { scratch: buffer, result } = op;
  invariant(buffer !== undefined, () => `scan over ${op.axis} across warps has no scratch`);
  const digits = partDigits(ctx, shape.layout, op.axis);
  const { index, count } = partIndex(digits.warps, block);
  const own = w.bind(index, "part");
  const rest = { ...result.type, axes: result.type.axes.filter((a) => a.name !== op.axis) };
  const elements = elementIndex(ctx, rest, { ...shape.layout, axes: rest.axes });
  checkScratch(ctx, buffer, result.type.dtype, count * elements.count);
  const last = digits.lanes.reduce<Expr | undefined>(
    (all, digit) => {
      const end = digit.extent - 1;
      const isLast = compare("eq", maskBits(shr(special("lane"), digit.shift), end), constant(end));
      return all === undefined ? isLast : binary("and", all, isLast);
    },
    areZero(w, digits.copies, block),
  );
  guarded(ctx, last, () => {
    forEachLine(ctx, shape, (at, place) => {
      const from = ctx.slot(to, at(linConst(shape.run.extent - 1)));
      const start = add(mul(own, constant(elements.count)), elements.thread);
      const offset = add(start, w.index(elements.register(place)));
      w.emit({ kind: "store_shared", from, buffer, offset, width: 1 });
    });
  });
  ctx.barrier();
  const lines = lineCount(shape);
  const { type } = to;
  const before: Storage = { name: w.declare("before", type, lines), type, length: lines };
  const none = identityOf(op.fn, result.type.dtype);
  forEachLine(ctx, shape, (_at, place) => {
    w.assign(ctx.slot(before, lineAt(place)), none);
    const element = add(elements.thread, w.index(elements.register(place)));
    const bounds = { lo: constant(0), hi: constant(count), step: constant(1) };
    w.loop({ ...bounds, unroll: count <= 8 }, (part) => {
      const other = w.declare("other", type);
      const offset = add(element, w.index(linScale(linCounter(part), elements.count)));
      w.emit({ kind: "load_shared", to: { name: other }, buffer, offset, width: 1 });
      const sofar = ctx.readSlot(before, lineAt(place));
      const sum = combine(op.fn, sofar, register(other, type));
      const isBefore = compare("lt", register(part, "i32"), own);
      w.assign(ctx.slot(before, lineAt(place)), select(isBefore, sum, sofar));
    });
  });
  addBefore(ctx, op, to, shape, lineAt, before);
}

export function lowerScan(ctx: LoweringContext, op: SScan): void {
  const { x, result, axis } = op;
  const { layout } = ctx.value(x);
  invariant(layout !== undefined, () => `scan of the scalar ${x.name}`);
  const to = ctx.declare(result.name || `scan_${op.fn}`, result.type.dtype, layout);
  // NaN loses also where it meets nothing but NaN: the greatest of a run starts from its identity.
  const ignoresNan = isFloat(result.type.dtype) && op.fn === "max";
  ctx.nest(layout, [x], (place) => {
    const own = ctx.read(x, place);
    const first = ignoresNan ? combine(op.fn, identityOf(op.fn, result.type.dtype), own) : own;
    ctx.w.assign(ctx.slot(to, registerAt(placeIn(place, layout))), first);
  });
  const shape = shapeOf(layout, axis);
  scanRuns(ctx, op.fn, to, shape);
  const digits = partDigits(ctx, layout, axis);
  invariant(digits.lanes.length <= 1, () => `scan over ${axis}: lanes along it are not neighbours`);
  for (const digit of digits.lanes) scanLanes(ctx, op, to, shape, digit);
  if (digits.warps.length > 0) scanWarps(ctx, op, to, shape);
  ctx.setStorage(result, to);
}
