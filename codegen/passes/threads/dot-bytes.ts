/** [codegen/passes/threads] Fragments B of mma.sync from 8-bit floats in shared memory: pairs of bytes by ldmatrix, widened in registers. Products are in dot-mma.ts. */
import { invariant } from "../../../dsl/index.ts";
import type { DotOperand, SDot } from "../../ir/scheduled.ts";
import type { Expr, RegSlice } from "../../ir/thread.ts";
import type { LoweringContext, Storage } from "./context.ts";
import {
  type LoadFragments,
  laneTerm,
  type MmaShape,
  type TileRow,
  tileNumber,
  tileTerms,
  warpTerms,
} from "./dot-tiles.ts";
import { register } from "./expr.ts";
import { type Lin, linAdd, linConst, linScale, ZERO } from "./place.ts";
import { makeSharedAddress, stridesByPosition, type ThreadTerm } from "./shared-address.ts";

type SharedOperand = Extract<DotOperand, { readonly kind: "shared" }>;

/** Operand b where it lies in shared memory as bytes. */
export function byteColumns({ b }: SDot): SharedOperand | undefined {
  return b.kind === "shared" && b.dtype === "f8e4m3" ? b : undefined;
}

/** Whether bytes of the contraction are neighbours, so that a lane has four of a step's 16. */
export function hasFours(ctx: LoweringContext, op: SDot): boolean {
  const bytes = byteColumns(op);
  if (bytes === undefined) return false;
  return stridesByPosition(ctx.buffer(bytes.ref.buffer), bytes.axes)(op.axis) === 1;
}

/** Of a word: the even column and the odd one. */
const HALVES = ["low", "high"] as const;

/** Two of the four numbers of a word, as a register of a fragment. */
function widen(ctx: LoweringContext, half: "low" | "high", word: Expr, to: RegSlice): void {
  ctx.w.emit({
    kind: "call",
    fn: `e4m3x2_${half}`,
    args: [
      { kind: "registers", slice: to, count: 1 },
      { kind: "value", value: word },
    ],
  });
}

/** How a row of tiles is read: `count` matrices at once, `group` counting such reads. */
interface Reads {
  readonly count: 1 | 2 | 4;
  /** Digits of the reads: of the first iter what `count` leaves of it, then of the others. */
  readonly extents: readonly number[];
  readonly load: (digits: readonly Lin[], step: Lin, raw: Storage) => void;
}

function readsOf(
  ctx: LoweringContext,
  shape: MmaShape,
  operand: SharedOperand,
  row: TileRow,
  how: { readonly count: 1 | 2 | 4; readonly tiles: number; readonly transpose: boolean },
  lanes: (rowStride: number, kStride: number) => readonly ThreadTerm[],
): Reads {
  const buffer = ctx.buffer(operand.ref.buffer);
  const strideOf = stridesByPosition(buffer, operand.axes);
  const [rowStride, kStride] = [strideOf(shape.n.axis), strideOf(shape.k.name)];
  const warps = warpTerms(ctx, shape.layout, shape.n.axis, rowStride);
  const address = makeSharedAddress(ctx, operand.ref, [...lanes(rowStride, kStride), ...warps]);
  const [first, ...rest] = row.iters;
  const { count, tiles, transpose } = how;
  const extent = (first?.extent ?? 1) / tiles;
  const weight = tiles * (first?.stride ?? 0) * rowStride;
  return {
    count,
    extents: [extent, ...rest.map((iter) => iter.extent)],
    load: ([group = ZERO, ...digits], step, raw) =>
      ctx.w.emit({
        kind: "ldmatrix",
        to: ctx.slot(raw, ZERO),
        count,
        transpose,
        buffer: buffer.name,
        offset: address.offset([
          { digit: group, extent, weight },
          ...tileTerms({ ...row, iters: rest }, digits, rowStride),
          { digit: step, extent: shape.k.size / 16, weight: 16 * kStride },
        ]),
      }),
  };
}

function rawOf(ctx: LoweringContext, length: number): Storage {
  return { name: ctx.w.declare("raw", "u32", length), type: "u32", length };
}

/** Neighbours along the contraction: a matrix is 8 columns by 16 steps, a word of it both registers of a fragment. */
function loadFours(ctx: LoweringContext, shape: MmaShape, operand: SharedOperand): LoadFragments {
  const { n } = shape;
  const [first] = n.iters;
  const most = first?.extent ?? 1;
  const count = most % 4 === 0 ? 4 : most % 2 === 0 ? 2 : 1;
  const how = { count, tiles: count, transpose: false } as const;
  const reads = readsOf(ctx, shape, operand, n, how, (rowStride) => [
    laneTerm(0, 3, rowStride),
    ...(count === 1 ? [] : [laneTerm(3, count / 2, (first?.stride ?? 0) * rowStride)]),
  ]);
  return (step, into) =>
    ctx.w.nest(reads.extents, ([group = ZERO, ...digits]) => {
      const raw = rawOf(ctx, count);
      reads.load([group, ...digits], step, raw);
      ctx.w.nest([count], ([j = ZERO]) => {
        const tile = first === undefined ? [] : [linAdd(linScale(group, count), j), ...digits];
        const at = linScale(tileNumber(n, tile), 2);
        const word = ctx.readSlot(raw, j);
        widen(ctx, "low", word, ctx.slot(into, at));
        widen(ctx, "high", word, ctx.slot(into, linAdd(at, linConst(1))));
      });
    });
}

/** Neighbours along the columns: a matrix is 8 steps by 16 columns, whose even and odd ones go to two fragments. */
function loadTwos(ctx: LoweringContext, shape: MmaShape, operand: SharedOperand): LoadFragments {
  const { n } = shape;
  const [odd, ...iters] = n.iters;
  invariant(odd?.extent === 2 && odd.stride === 1, () => "columns of bytes are not by twos");
  const row = { ...n, iters };
  const [first] = iters;
  const tiles = (first?.extent ?? 1) % 2 === 0 ? 2 : 1;
  const how = { count: tiles === 2 ? 4 : 2, tiles, transpose: true } as const;
  const reads = readsOf(ctx, shape, operand, row, how, (rowStride, kStride) => [
    laneTerm(0, 3, kStride),
    laneTerm(3, 1, 8 * kStride),
    ...(tiles === 1 ? [] : [laneTerm(4, 1, (first?.stride ?? 0) * rowStride)]),
  ]);
  return (step, into) =>
    ctx.w.nest(reads.extents, ([group = ZERO, ...digits]) => {
      const raw = rawOf(ctx, how.count);
      reads.load([group, ...digits], step, raw);
      ctx.w.nest([tiles, 2], ([j = ZERO, half = ZERO]) => {
        const far = first === undefined ? [] : [linAdd(linScale(group, tiles), j), ...digits];
        const pairs = ctx.w.declare("pairs", "u32", 1);
        const word = ctx.readSlot(raw, linAdd(linScale(j, 2), half));
        ctx.w.emit({
          kind: "call",
          fn: "swap_middle_bytes",
          args: [{ kind: "value", value: word }],
          to: { name: pairs },
        });
        for (const [digit, part] of HALVES.entries()) {
          const tile = linScale(tileNumber(n, [linConst(digit), ...far]), 2);
          widen(ctx, part, register(pairs, "u32"), ctx.slot(into, linAdd(tile, half)));
        }
      });
    });
}

/** Fragment B of bytes. */
export function loadBytes(
  ctx: LoweringContext,
  op: SDot,
  shape: MmaShape,
  operand: SharedOperand,
): LoadFragments {
  return hasFours(ctx, op) ? loadFours(ctx, shape, operand) : loadTwos(ctx, shape, operand);
}
