/** [codegen/passes/threads] Dots by mma.sync m16n8k16: fragments by ldmatrix or packed from registers, multiplied into the accumulators of a warp. */
import { type Axis, invariant } from "../../../dsl/index.ts";
import type { DotOperand, SDot, SValue } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import { coordinatesOf } from "../../layout/apply-layout.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import { registerCount } from "../../layout/register-layout.ts";
import { accumulatorFor } from "./accumulator.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { byteColumns, hasFours, loadBytes } from "./dot-bytes.ts";
import {
  axisOf,
  contractedAxis,
  type LoadFragments,
  laneTerm,
  type MmaShape,
  type TileRow,
  tileNumber,
  tileRow,
  tileTerms,
  warpTerms,
} from "./dot-tiles.ts";
import { add, constant } from "./expr.ts";
import { type Lin, linAdd, linConst, linScale, placeIn, registerAt, ZERO } from "./place.ts";
import {
  makeSharedAddress,
  type RegisterTerm,
  type SharedAddress,
  stridesByPosition,
} from "./shared-address.ts";

/** Nodes of an operand that are computed while packing; more are named first. */
const MOST_PACKED = 2;

/** Products of the even columns, then of the odd ones, for each 16. */
function tilesByTwos(layout: RegisterLayout, axis: string): TileRow {
  const iters = layout.reg.filter((iter) => iter.axis === axis && iter.stride !== 2);
  return { axis, iters, count: iters.reduce((n, iter) => n * iter.extent, 1) };
}

function shapeOf(ctx: LoweringContext, op: SDot): MmaShape {
  const isFours = hasFours(ctx, op);
  const { layout } = op.result;
  invariant(layout !== undefined, () => "a dot of scalars");
  const [mAxis, nAxis] = [axisOf(op.a, op.axis), axisOf(op.b, op.axis)];
  // Register 1 is the next column, register 2 eight rows down: fragment C.
  const at = (reg: number): string => {
    const all = coordinatesOf(layout, { reg, lane: 0, warp: 0 });
    const along = (name: string): number => all[layout.axes.findIndex((a) => a.name === name)] ?? 0;
    return `${along(mAxis)},${along(nAxis)}`;
  };
  // Columns of bytes come by twos, which go to two products.
  const next = byteColumns(op) !== undefined && !isFours ? 2 : 1;
  const isFragment = at(1) === `0,${next}` && at(2) === "8,0" && at(3) === `8,${next}`;
  invariant(isFragment, () => "the accumulator of an mma is not in fragment C");
  return {
    layout,
    m: tileRow(layout, mAxis, 16),
    n: next === 1 ? tileRow(layout, nAxis, 8) : tilesByTwos(layout, nAxis),
    k: contractedAxis(op),
  };
}

/** Pairs of neighbouring tiles, which are loaded at once. */
function pairsOf(row: TileRow): number {
  return Math.floor((row.iters[0]?.extent ?? 1) / 2);
}

/** How fragments of one operand are read by ldmatrix. */
interface MatrixSource {
  readonly buffer: string;
  readonly address: SharedAddress;
  readonly transpose: boolean;
  readonly rowStride: number;
  readonly kStride: number;
}

/**
 * Lane addresses for four 8×8 matrices. Operand A: rows 0-7 and 8-15 at k 0-7, then the same at k 8-15. Operand B: k 0-7 and
 * 8-15 of one n8 tile, then of the next one, `tileStep` columns on.
 * @source PTX ISA, "ldmatrix" and "Matrix Fragments for mma.m16n8k16"
 */
function matrixSource(
  ctx: LoweringContext,
  operand: Extract<DotOperand, { readonly kind: "shared" }>,
  row: TileRow,
  shape: MmaShape,
  which: "a" | "b",
): MatrixSource {
  const buffer = ctx.buffer(operand.ref.buffer);
  const strideOf = stridesByPosition(buffer, operand.axes);
  const [rowStride, kStride] = [strideOf(row.axis), strideOf(shape.k.name)];
  const transpose = kStride !== 1;
  invariant(kStride === 1 || rowStride === 1, () => `${buffer.name}: no axis is contiguous`);
  const tileStep = row.iters[0]?.stride ?? 8;
  const first = laneTerm(0, 3, transpose ? kStride : rowStride);
  const second = laneTerm(3, 1, which === "a" ? 8 * rowStride : 8 * kStride);
  // Two matrices are addressed by lanes 0-15 alone.
  const third =
    which === "a"
      ? [laneTerm(4, 1, 8 * kStride)]
      : pairsOf(row) > 0
        ? [laneTerm(4, 1, tileStep * rowStride)]
        : [];
  const warps = warpTerms(ctx, shape.layout, row.axis, rowStride);
  const address = makeSharedAddress(ctx, operand.ref, [first, second, ...third, ...warps]);
  return { buffer: buffer.name, address, transpose, rowStride, kStride };
}

function stepTerm(shape: MmaShape, step: Lin, kStride: number): RegisterTerm {
  return { digit: step, extent: shape.k.size / 16, weight: 16 * kStride };
}

/** From the pair of a fragment's register to the pair of the one further along k; where lanes have fours, of those. */
const FAR = 8;
const NEAR = 2;

/** Register iters inside a fragment, k pairs apart: rows 8 further, then k a step further; operand B has a single n8. */
function fragmentIters(row: TileRow, k: Axis, which: "a" | "b", step: number): readonly Iter[] {
  const far: Iter = { axis: k.name, stride: step, extent: 2 };
  return which === "b" ? [far] : [{ axis: row.axis, stride: 8, extent: 2 }, far];
}

function loadA(ctx: LoweringContext, op: SDot, shape: MmaShape): LoadFragments {
  const { a } = op;
  if (a.kind === "register")
    return packFragments(ctx, a.value, shape.m, shape.k, "a", hasFours(ctx, op) ? NEAR : FAR);
  const source = matrixSource(ctx, a, shape.m, shape, "a");
  return (step, into) => {
    ctx.w.nest(
      shape.m.iters.map((iter) => iter.extent),
      (digits) => {
        ctx.w.emit({
          kind: "ldmatrix",
          to: ctx.slot(into, linScale(tileNumber(shape.m, digits), 4)),
          count: 4,
          transpose: source.transpose,
          buffer: source.buffer,
          offset: source.address.offset([
            ...tileTerms(shape.m, digits, source.rowStride),
            stepTerm(shape, step, source.kStride),
          ]),
        });
      },
    );
  };
}

/** Fragments from registers of the same warp layout: pairs along k are packed. */
function packFragments(
  ctx: LoweringContext,
  value: SValue,
  row: TileRow,
  k: Axis,
  which: "a" | "b",
  far: number,
): LoadFragments {
  const { layout } = ctx.value(value);
  invariant(layout !== undefined, () => "an mma operand is a scalar");
  const inside = fragmentIters(row, k, which, far);
  const registers = 2 ** inside.length;
  return (step, into) => {
    ctx.w.nest(
      [...inside, ...row.iters].map((iter) => iter.extent),
      (digits) => {
        const element = (e: number): Expr => {
          const iters: readonly Iter[] = [
            { axis: k.name, stride: 1, extent: 2 },
            ...inside,
            ...row.iters,
            { axis: k.name, stride: 16, extent: k.size / 16 },
          ];
          const place = { iters, digits: [linConst(e), ...digits, step] };
          return ctx.value(value).read(placeIn(place, layout));
        };
        const own = registerAt({ iters: inside, digits: digits.slice(0, inside.length) });
        const at = linScale(tileNumber(row, digits.slice(inside.length)), registers);
        ctx.w.assign(ctx.slot(into, linAdd(at, own)), {
          kind: "pack",
          type: "u32",
          lo: element(0),
          hi: element(1),
        });
      },
    );
  };
}

/** Fragment B: pairs of n8 tiles by ldmatrix x4, the last of an odd number by x2. */
function loadB(ctx: LoweringContext, op: SDot, shape: MmaShape): LoadFragments {
  const { b } = op;
  if (b.kind === "register") return packFragments(ctx, b.value, shape.n, shape.k, "b", FAR);
  const bytes = byteColumns(op);
  if (bytes !== undefined) return loadBytes(ctx, op, shape, bytes);
  const { n } = shape;
  const source = matrixSource(ctx, b, n, shape, "b");
  const [first, ...rest] = n.iters;
  const pairs = pairsOf(n);
  const isOdd = (first?.extent ?? 1) % 2 === 1;
  // The last of an odd number stands one pair further on.
  const extent = isOdd ? 2 ** Math.ceil(Math.log2(pairs + 1)) : pairs;
  const load = (
    count: 2 | 4,
    pair: Lin,
    digits: readonly Lin[],
    step: Lin,
    into: Storage,
  ): void => {
    const tile = first === undefined ? digits : [linScale(pair, 2), ...digits];
    const stride = 2 * (first?.stride ?? 0) * source.rowStride;
    ctx.w.emit({
      kind: "ldmatrix",
      to: ctx.slot(into, linScale(tileNumber(n, tile), 2)),
      count,
      transpose: source.transpose,
      buffer: source.buffer,
      offset: source.address.offset([
        { digit: pair, extent, weight: stride },
        ...tileTerms({ ...n, iters: rest }, digits, source.rowStride),
        stepTerm(shape, step, source.kStride),
      ]),
    });
  };
  const extents = rest.map((iter) => iter.extent);
  return (step, into) => {
    if (pairs > 0)
      ctx.w.nest([pairs, ...extents], ([pair = ZERO, ...digits]) => {
        load(4, pair, digits, step, into);
      });
    if (isOdd)
      ctx.w.nest(extents, (digits) => {
        load(2, linConst(pairs), digits, step, into);
      });
  };
}

/** Register of the accumulator where a tile begins. */
function accumulatorAt(shape: MmaShape, m: readonly Lin[], n: readonly Lin[]): Lin {
  const iters: readonly Iter[] = [...shape.n.iters, ...shape.m.iters];
  const place = { iters, digits: [...n, ...m] };
  return registerAt(placeIn(place, shape.layout));
}

/** dtype that mma.sync multiplies. */
function operandType(op: SDot): "f16" | "bf16" {
  const { a } = op;
  const dtype = a.kind === "shared" ? a.dtype : a.value.type.dtype;
  invariant(dtype === "f16" || dtype === "bf16", () => `mma.sync of ${dtype}`);
  return dtype;
}

/** Sums of a warp from which the tensor core always finds one that does not wait for its last product. */
const BUSY_SUMS = 4;
/** Steps along k from which waiting is longer than what adding up costs. */
const LONG_STEPS = 16;

/** Sums that the steps along k take in turn, for each of the accumulator's: a product waits for the one before it in the same sum. */
function sumsInTurn({ m, n, k }: MmaShape): number {
  const steps = k.size / 16;
  if (steps < LONG_STEPS) return 1;
  const wanted = Math.ceil(BUSY_SUMS / (m.count * n.count));
  return steps % wanted === 0 ? wanted : 1;
}

/** Registers for sums of their own, 0 at first. */
function declareTurns(ctx: LoweringContext, acc: Storage, turns: number): Storage {
  const { w } = ctx;
  const length = turns * acc.length;
  const sums: Storage = { name: w.declare("sums", acc.type, length), type: acc.type, length };
  w.nest([length], ([r = ZERO]) => {
    w.assign(ctx.slot(sums, r), constant(0, acc.type));
  });
  return sums;
}

function addTurns(ctx: LoweringContext, acc: Storage, sums: Storage): void {
  ctx.w.nest([acc.length], ([r = ZERO]) => {
    const parts = Array.from({ length: sums.length / acc.length }, (_, turn) =>
      ctx.readSlot(sums, linAdd(r, linConst(turn * acc.length))),
    );
    ctx.w.assign(ctx.slot(acc, r), parts.reduce(add, ctx.readSlot(acc, r)));
  });
}

export function lowerMmaDot(ctx: LoweringContext, op: SDot): void {
  const { w } = ctx;
  const shape = shapeOf(ctx, op);
  for (const x of [op.a, op.b])
    if (x.kind === "register" && ctx.value(x.value).size > MOST_PACKED) ctx.settle(x.value);
  const acc = accumulatorFor(ctx, op);
  invariant(acc.length === registerCount(shape.layout), () => "accumulator registers");
  const [readA, readB] = [loadA(ctx, op, shape), loadB(ctx, op, shape)];
  const { m, n, k } = shape;
  const turns = sumsInTurn(shape);
  const sums = turns === 1 ? acc : declareTurns(ctx, acc, turns);
  w.nest([turns, k.size / 16 / turns], ([turn = ZERO, round = ZERO]) => {
    const step = linAdd(linScale(round, turns), turn);
    const a: Storage = {
      name: w.declare("a", "u32", 4 * m.count),
      type: "u32",
      length: 4 * m.count,
    };
    const b: Storage = {
      name: w.declare("b", "u32", 2 * n.count),
      type: "u32",
      length: 2 * n.count,
    };
    readA(step, a);
    readB(step, b);
    const extents = [...n.iters, ...m.iters].map((iter) => iter.extent);
    w.nest(extents, (digits) => {
      const nDigits = digits.slice(0, n.iters.length);
      const mDigits = digits.slice(n.iters.length);
      w.emit({
        kind: "mma",
        dtype: operandType(op),
        acc: ctx.slot(
          sums,
          linAdd(accumulatorAt(shape, mDigits, nDigits), linScale(turn, acc.length)),
        ),
        a: ctx.slot(a, linScale(tileNumber(m, mDigits), 4)),
        b: ctx.slot(b, linScale(tileNumber(n, nDigits), 2)),
      });
    });
  });
  if (sums !== acc) addTurns(ctx, acc, sums);
  ctx.setStorage(op.result, acc);
}
