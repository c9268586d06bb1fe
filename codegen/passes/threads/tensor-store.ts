/** [codegen/passes/threads] Stores of accumulators by tensor maps: each warp writes panels of shared memory and hands them to the copy engine. */
import { invariant } from "../../../dsl/index.ts";
import type { SIndex, SStore } from "../../ir/scheduled.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { add, compare, constant, maskBits, mul, shr, special, xor } from "./expr.ts";
import { linConst, placeIn } from "./place.ts";
import { type RaggedEnd, raggedCoordinates, raggedEnd } from "./ragged.ts";
import { onlyThread, stageBytes, swizzleBytes, value } from "./roles.ts";

const ROWS = 64;
const WARP_ROWS = 16;
const CHUNK_BYTES = 16;

/** Start of the tile along the index, plus elements. */
function coordinate(ctx: LoweringContext, index: SIndex, more: Expr): Expr {
  invariant(index.kind === "span" || index.kind === "at", () => "a tensor store scatters");
  const start = ctx.named(index.kind === "span" ? index.start : index.value);
  return index.kind === "span" ? add(start, more) : start;
}

/** Axes of the accumulator as the fragment has them: its pairs of neighbours lie along the columns. */
interface Fragment {
  readonly rows: string;
  readonly columns: string;
  /** The columns are the tensor's slow dim: the operands were swapped. */
  readonly isTransposed: boolean;
  /** Two columns are one word already. */
  readonly isPaired: boolean;
  /** Tiles of 8 columns, and products of 64 rows that a warp has a part of. */
  readonly tiles: number;
  readonly products: number;
}

function fragmentOf(ctx: LoweringContext, op: SStore): Fragment {
  const { layout } = op.value;
  invariant(layout !== undefined, () => "a scalar has no panels");
  const isTransposed = layout.lane[0]?.axis === layout.axes[0]?.name;
  const [slow, fast] = layout.axes;
  const [rows, columns] = isTransposed ? [fast, slow] : [slow, fast];
  invariant(rows !== undefined && columns !== undefined, () => "an accumulator of one axis");
  const products = rows.size / ROWS / (ctx.block.numWarps / 4);
  const isPaired = op.held !== undefined;
  const tiles = columns.size / (isPaired ? 4 : 8);
  return { rows: rows.name, columns: columns.name, isTransposed, isPaired, tiles, products };
}

interface Panels {
  readonly fragment: Fragment;
  readonly buffer: string;
  readonly width: number;
  readonly slots: number;
  readonly bytes: number;
  /** Panels that a warp stores for one program, and for one product. */
  readonly count: number;
  readonly perProduct: number;
  readonly map: string;
  /** Dim of the rows, and where they end if they do so before the tensor. */
  readonly rowDim: number;
  readonly ragged: RaggedEnd | undefined;
  /** Byte of a slot where this lane's row begins, chunks permuted. */
  readonly lane: Expr;
}

/**
 * The row and the chunk of 16 bytes that a lane addresses for stmatrix. Plain: lanes 0-15 the rows of the left chunk, 16-31 those of the
 * right one. Transposed: eight rows of the left chunk, the same of the right one, and both for the next eight rows.
 */
function laneAddress(isTransposed: boolean, rowBytes: number): Expr {
  const lane = special("lane");
  const low = maskBits(lane, isTransposed ? 7 : WARP_ROWS - 1);
  const row = isTransposed ? add(low, mul(shr(lane, 4), constant(8))) : low;
  const chunk = isTransposed ? maskBits(shr(lane, 3), 1) : shr(lane, 4);
  return add(mul(row, constant(rowBytes)), mul(chunk, constant(CHUNK_BYTES)));
}

function panelsOf(ctx: LoweringContext, op: SStore, name: string): Panels {
  const buffer = ctx.buffer(name);
  const [rows, width] = buffer.axes.map(({ size }) => size);
  invariant(rows !== undefined && width !== undefined, () => `${name} has no rows`);
  const rowBytes = swizzleBytes(ctx, name);
  const fragment = fragmentOf(ctx, op);
  const at = ctx.w.bind(laneAddress(fragment.isTransposed, rowBytes), "row");
  const chunks = (rowBytes / CHUNK_BYTES - 1) * CHUNK_BYTES;
  const swizzled = ctx.w.bind(xor(at, maskBits(shr(at, 3), chunks)), "chunk");
  const box: number[] = op.at.map((index) => (index.kind === "span" ? rows : 1));
  box[box.length - 1] = width;
  const rowDim = op.at.findIndex((index) => index.kind === "span");
  const rowSpan = op.at[rowDim];
  const end = rowSpan?.kind === "span" ? rowSpan.end : undefined;
  const ragged = end && raggedEnd(ctx, op.tensor, rowDim, ctx.named(end));
  const dims = ragged === undefined ? {} : { ragged: rowDim };
  const perProduct = fragment.isTransposed ? 1 : (fragment.tiles * 8) / width;
  return {
    fragment,
    buffer: name,
    width,
    slots: buffer.stages / ctx.block.numWarps,
    bytes: stageBytes(ctx, name),
    count: fragment.products * perProduct,
    perProduct,
    map: ctx.map({ tensor: op.tensor, box, swizzle: rowBytes, ...dims }),
    rowDim,
    ragged,
    lane: swizzled,
  };
}

/** Two neighbouring columns of the fragment: half 0 or 1 of the 16 rows, of tile `tile` of 8 columns, of product `product`. */
function pair(
  ctx: LoweringContext,
  op: SStore,
  { rows, columns, tiles, isPaired }: Fragment,
  [half, tile, product]: readonly [number, number, number],
): CallArg {
  const { layout } = op.value;
  invariant(layout !== undefined, () => "a scalar has no panels");
  if (isPaired) {
    const iters = [
      { axis: rows, stride: 8, extent: 2 },
      { axis: columns, stride: 4, extent: tiles },
      { axis: rows, stride: ROWS, extent: product + 1 },
    ];
    const digits = [half, tile, product].map(linConst);
    return value(ctx.value(op.value).read(placeIn({ iters, digits }, layout)));
  }
  const element = (e: number): Expr => {
    const iters = [
      { axis: columns, stride: 1, extent: 2 },
      { axis: rows, stride: 8, extent: 2 },
      { axis: columns, stride: 8, extent: tiles },
      { axis: rows, stride: ROWS, extent: product + 1 },
    ];
    const digits = [e, half, tile, product].map(linConst);
    return ctx.value(op.value).read(placeIn({ iters, digits }, layout));
  };
  return value({ kind: "pack", type: "u32", lo: element(0), hi: element(1) });
}

/** Tiles of the fragment, two by two, into a panel; where the operands were swapped, columns become rows. */
function fillPanel(
  ctx: LoweringContext,
  op: SStore,
  panels: Panels,
  slot: Expr,
  at: { readonly panel: number; readonly product: number },
): void {
  const { fragment, buffer, width, lane } = panels;
  const { isTransposed, tiles } = fragment;
  const count = isTransposed ? tiles : width / 8;
  for (let first = 0; first < count; first += 2) {
    const tile = at.panel * (width / 8) + first;
    const beside = isTransposed
      ? add(lane, constant(first * 8 * WARP_ROWS * 2))
      : xor(lane, constant(first * CHUNK_BYTES));
    const isWhole = first + 1 < count;
    const of = (half: number, more: number): CallArg =>
      pair(ctx, op, fragment, [half, tile + more, at.product]);
    ctx.w.emit({
      kind: "call",
      fn: `stmatrix_x${isWhole ? 4 : 2}${isTransposed ? "_trans" : ""}`,
      args: [
        { kind: "address", buffer, bytes: add(slot, beside) },
        of(0, 0),
        of(1, 0),
        ...(isWhole ? [of(0, 1), of(1, 1)] : []),
      ],
    });
  }
}

/**
 * Stores of a warp that may still read when panel `turn` of a program is written: those newer than the last one from the same slot, which
 * may be the program's before, since programs begin with slot 0 again.
 */
function pendingBefore(turn: number, { slots, count }: Panels): number {
  if (turn >= slots) return slots - 1;
  const last = Math.floor((count - 1 - turn) / slots) * slots + turn;
  return count - 1 - last + turn;
}

function emitPanel(
  ctx: LoweringContext,
  op: SStore,
  panels: Panels,
  at: { readonly panel: number; readonly product: number; readonly turn: number },
): void {
  const { w } = ctx;
  const { buffer, slots, bytes, map } = panels;
  const isFirst = compare("eq", special("lane"), constant(0));
  const own = mul(special("warp"), constant(slots * bytes));
  const slot = add(own, constant((at.turn % slots) * bytes));
  const pending = pendingBefore(at.turn, panels);
  onlyThread(ctx, isFirst, () =>
    w.emit({ kind: "call", fn: "tma_store_wait_read", template: pending, args: [] }),
  );
  w.emit({ kind: "call", fn: "syncwarp", args: [] });
  fillPanel(ctx, op, panels, slot, at);
  w.emit({ kind: "call", fn: "fence_proxy_async", args: [] });
  w.emit({ kind: "call", fn: "syncwarp", args: [] });
  const { isTransposed, products } = panels.fragment;
  const warp = special("warp");
  const group = mul(shr(warp, 2), constant(ROWS * products));
  const held = add(
    add(group, mul(maskBits(warp, 3), constant(WARP_ROWS))),
    constant(at.product * ROWS),
  );
  // A warp has 16 rows of each product, which are columns where the operands were swapped.
  const [row, column] = isTransposed
    ? [constant(0), held]
    : [held, constant(at.panel * panels.width)];
  const { rowDim, ragged } = panels;
  const starts = op.at.map((index, dim) => coordinate(ctx, index, dim === rowDim ? row : column));
  const coordinates = ragged === undefined ? starts : raggedCoordinates(starts, rowDim, ragged);
  onlyThread(ctx, isFirst, () => {
    w.emit({
      kind: "call",
      fn: `tma_store_${coordinates.length}d`,
      args: [
        { kind: "map", map },
        { kind: "address", buffer, bytes: slot },
        ...[...coordinates].reverse().map(value),
      ],
    });
    w.emit({ kind: "call", fn: "tma_store_commit", args: [] });
  });
}

/** Panel after panel: a warp waits for the copy engine only where it fills a slot again. Bounds are clipped by the tensor map. */
export function lowerTensorStore(ctx: LoweringContext, op: SStore, name: string): void {
  const panels = panelsOf(ctx, op, name);
  const { perProduct } = panels;
  const { first, count } = op.held ?? { first: 0, count: panels.count };
  for (let turn = first; turn < first + count; turn++) {
    const product = Math.floor(turn / perProduct);
    emitPanel(ctx, op, panels, { panel: turn % perProduct, product, turn });
  }
  ctx.storesByMap = true;
}

/** Before shared memory goes away: the copy engine has read what this warp wrote. */
export function drainTensorStores(ctx: LoweringContext): void {
  if (!ctx.storesByMap) return;
  onlyThread(ctx, compare("eq", special("lane"), constant(0)), () =>
    ctx.w.emit({ kind: "call", fn: "tma_store_wait_read", template: 0, args: [] }),
  );
}
