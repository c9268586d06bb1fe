/** [codegen/passes/threads] Dots by multiply-add: each thread multiplies the rows and columns of its own accumulators, operands read from shared memory in vectors. */
import { DTYPES, type DType, invariant } from "../../../dsl/index.ts";
import type { DotOperand, SDot } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import { powerOfTwoPart } from "../../layout/register-layout.ts";
import { accumulatorFor } from "./accumulator.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { add, cast, constant, mul } from "./expr.ts";
import {
  type Lin,
  linAdd,
  linConst,
  linCounter,
  linScale,
  type Place,
  placeIn,
  registerAt,
  ZERO,
} from "./place.ts";
import {
  makeSharedAddress,
  registerTerms,
  type SharedAddress,
  type StrideOf,
  stridesByPosition,
  threadTerms,
} from "./shared-address.ts";

/** Steps along the contracted axis that one turn of the loop takes. */
const MOST_STEPS = 4;

type SharedOperand = Extract<DotOperand, { readonly kind: "shared" }>;

interface Operand {
  readonly source: SharedOperand;
  readonly address: SharedAddress;
  readonly strideOf: StrideOf;
  /** Iters of the accumulator along the operand's own axes. */
  readonly iters: readonly Iter[];
  /** Values of one turn, as loaded: own elements × steps, in the order of `isStepFast`. */
  readonly fragment: Storage;
  readonly isStepFast: boolean;
  readonly width: number;
  readonly steps: number;
}

function extentOf(iters: readonly Iter[]): number {
  return iters.reduce((n, iter) => n * iter.extent, 1);
}

/** Largest vector of elements that keeps 16 bytes and whose address every term keeps aligned. */
function alignedWidth(
  most: number,
  dtype: DType,
  weights: readonly number[],
  stage: number,
  swizzleBase: number | undefined,
): number {
  let width = Math.min(most, 128 / DTYPES[dtype].bits);
  const fits = (w: number): boolean =>
    weights.every((weight) => weight % w === 0) &&
    stage % w === 0 &&
    (swizzleBase === undefined || 2 ** swizzleBase % w === 0);
  while (width > 1 && !fits(width)) width /= 2;
  return width;
}

function planOperand(
  ctx: LoweringContext,
  op: SDot,
  source: DotOperand,
  layout: RegisterLayout,
  steps: number,
): Operand {
  invariant(source.kind === "shared", () => "an fma dot reads both operands from shared memory");
  const buffer = ctx.buffer(source.ref.buffer);
  const strideOf = stridesByPosition(buffer, source.axes);
  const own = new Set(source.axes.map((axis) => axis.name));
  const iters = layout.reg.filter((iter) => iter.axis !== null && own.has(iter.axis));
  const terms = threadTerms(ctx, layout, strideOf);
  const isStepFast = strideOf(op.axis) === 1;
  const [first, ...rest] = iters;
  const outer = rest.map((iter) => iter.stride * strideOf(iter.axis ?? ""));
  const { stageElements, swizzle } = buffer.layout;
  const weights = [...terms.map((t) => t.weight), ...outer];
  const firstWeight = first === undefined ? 0 : first.stride * strideOf(first.axis ?? "");
  const width = isStepFast
    ? alignedWidth(steps, source.dtype, [...weights, firstWeight], stageElements, swizzle?.base)
    : firstWeight === 1 && first !== undefined
      ? alignedWidth(
          powerOfTwoPart(first.extent),
          source.dtype,
          [...weights, strideOf(op.axis)],
          stageElements,
          swizzle?.base,
        )
      : 1;
  const length = extentOf(iters) * steps;
  const name = ctx.w.declare(source.ref.buffer, source.dtype, length);
  return {
    source,
    address: makeSharedAddress(ctx, source.ref, terms),
    strideOf,
    iters,
    fragment: { name, type: source.dtype, length },
    isStepFast,
    width,
    steps,
  };
}

/** Position of an element of a turn in the fragment. */
function fragmentAt(operand: Operand, element: Lin, step: Lin): Lin {
  return operand.isStepFast
    ? linAdd(linScale(element, operand.steps), step)
    : linAdd(element, linScale(step, extentOf(operand.iters)));
}

/** Loads what one of `turns` turns multiplies. */
function loadFragment(
  ctx: LoweringContext,
  op: SDot,
  operand: Operand,
  turn: Lin,
  turns: number,
): void {
  const { w } = ctx;
  const { iters, width, steps, address, strideOf, fragment, source } = operand;
  const first = iters[0];
  const isRowVector = !operand.isStepFast && width > 1 && first !== undefined;
  const loop: readonly Iter[] = isRowVector
    ? [
        { axis: first.axis, stride: width * first.stride, extent: first.extent / width },
        ...iters.slice(1),
      ]
    : iters;
  const stepWidth = operand.isStepFast ? width : 1;
  const stepCount = steps / stepWidth;
  w.nest([stepCount, ...loop.map((iter) => iter.extent)], ([vector = ZERO, ...digits]) => {
    const step = linScale(vector, stepWidth);
    const place: Place = { iters: loop, digits };
    const element = inIters(place, iters);
    const weight = strideOf(op.axis);
    const offset = address.offset([
      { digit: turn, extent: turns, weight: steps * weight },
      { digit: step, extent: steps, weight },
      ...registerTerms(place, strideOf),
    ]);
    w.emit({
      kind: "load_shared",
      to: ctx.slot(fragment, fragmentAt(operand, element, step)),
      buffer: source.ref.buffer,
      offset,
      width,
    });
  });
}

/** The fragment in the accumulator's type. */
function widen(ctx: LoweringContext, fragment: Storage, type: Storage["type"]): Storage {
  if (fragment.type === type) return fragment;
  const name = ctx.w.declare(`${fragment.name}_${type}`, type, fragment.length);
  const wide: Storage = { name, type, length: fragment.length };
  ctx.w.nest([fragment.length], ([r = ZERO]) => {
    ctx.w.assign(ctx.slot(wide, r), cast(ctx.readSlot(fragment, r), type));
  });
  return wide;
}

function multiplyAdd(a: Expr, b: Expr, c: Expr): Expr {
  return c.type === "f32" ? { kind: "fma", type: "f32", a, b, c } : add(mul(a, b), c);
}

function inIters(place: Place, iters: readonly Iter[]): Lin {
  return registerAt(placeIn(place, { kind: "register", axes: [], reg: iters, lane: [], warp: [] }));
}

export function lowerFmaDot(ctx: LoweringContext, op: SDot): void {
  const { w } = ctx;
  const { layout } = op.result;
  invariant(layout !== undefined, () => "a dot of scalars");
  const acc = accumulatorFor(ctx, op);
  const size = [op.a, op.b]
    .flatMap((operand) => (operand.kind === "shared" ? operand.axes : []))
    .find((axis) => axis.name === op.axis)?.size;
  invariant(size !== undefined, () => `dot without its axis ${op.axis}`);
  const steps = Math.min(MOST_STEPS, powerOfTwoPart(size));
  const turn = (k: Lin): void => {
    const a = planOperand(ctx, op, op.a, layout, steps);
    const b = planOperand(ctx, op, op.b, layout, steps);
    for (const operand of [a, b]) loadFragment(ctx, op, operand, k, size / steps);
    const wideA = widen(ctx, a.fragment, acc.type);
    const wideB = widen(ctx, b.fragment, acc.type);
    w.nest([...layout.reg.map((iter) => iter.extent), steps], (digits) => {
      const place: Place = { iters: layout.reg, digits: digits.slice(0, -1) };
      const step = digits.at(-1) ?? ZERO;
      const x = ctx.readSlot(wideA, fragmentAt(a, inIters(place, a.iters), step));
      const y = ctx.readSlot(wideB, fragmentAt(b, inIters(place, b.iters), step));
      const at = registerAt(place);
      w.assign(ctx.slot(acc, at), multiplyAdd(x, y, ctx.readSlot(acc, at)));
    });
  };
  if (size === steps) turn(linConst(0));
  else {
    const bounds = { lo: constant(0), hi: constant(size / steps), step: constant(1) };
    w.loop({ ...bounds, unroll: false }, (k) => turn(linCounter(k)));
  }
  ctx.setStorage(op.result, acc);
}
