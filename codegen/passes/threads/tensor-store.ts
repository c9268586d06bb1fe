/** [codegen/passes/threads] Stores of accumulators by tensor maps: each warp writes panels of shared memory and hands them to the copy engine. */
import { invariant } from "../../../dsl/index.ts";
import type { SIndex, SStore } from "../../ir/scheduled.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { add, compare, constant, maskBits, mul, shr, special, xor } from "./expr.ts";
import { linConst, placeIn } from "./place.ts";
import { onlyThread, stageBytes, swizzleBytes, value } from "./roles.ts";

const ROWS = 64;
const WARP_ROWS = 16;
const CHUNK_BYTES = 16;

/** Start of the tile along the index, plus elements. */
function coordinate(ctx: LoweringContext, index: SIndex, more: Expr): Expr {
  invariant(index.kind !== "gather", () => "a tensor store scatters");
  const start = ctx.named(index.kind === "span" ? index.start : index.value);
  return index.kind === "span" ? add(start, more) : start;
}

/** Products of 64 rows that a warp has a part of. */
function productsOf(ctx: LoweringContext, op: SStore): number {
  return (op.value.type.axes[0]?.size ?? ROWS) / ROWS / (ctx.block.numWarps / 4);
}

interface Panels {
  readonly buffer: string;
  readonly width: number;
  readonly slots: number;
  readonly bytes: number;
  /** Panels that a warp stores for one program. */
  readonly count: number;
  readonly map: string;
  /** Byte of a slot where this lane's row begins, chunks permuted. */
  readonly lane: Expr;
}

function panelsOf(ctx: LoweringContext, op: SStore, name: string): Panels {
  const buffer = ctx.buffer(name);
  const width = buffer.axes.at(-1)?.size ?? 0;
  const rowBytes = swizzleBytes(ctx, name);
  const lane = special("lane");
  // Lanes 0-15 address the rows of the left chunk, 16-31 those of the right one.
  const at = ctx.w.bind(
    add(
      mul(maskBits(lane, WARP_ROWS - 1), constant(rowBytes)),
      mul(shr(lane, 4), constant(CHUNK_BYTES)),
    ),
    "row",
  );
  const chunks = (rowBytes / CHUNK_BYTES - 1) * CHUNK_BYTES;
  const swizzled = ctx.w.bind(xor(at, maskBits(shr(at, 3), chunks)), "chunk");
  const box: number[] = op.at.map((index) => (index.kind === "span" ? WARP_ROWS : 1));
  box[box.length - 1] = width;
  return {
    buffer: name,
    width,
    slots: buffer.stages / ctx.block.numWarps,
    bytes: stageBytes(ctx, name),
    count: (productsOf(ctx, op) * (op.value.type.axes[1]?.size ?? width)) / width,
    map: ctx.map({ tensor: op.tensor, box, swizzle: rowBytes }),
    lane: swizzled,
  };
}

/** Two neighbouring columns of the fragment: half 0 or 1 of the 16 rows, of tile `tile` of 8 columns, of product `product`. */
function pair(
  ctx: LoweringContext,
  op: SStore,
  half: number,
  tile: number,
  product: number,
): CallArg {
  const { layout } = op.value;
  invariant(layout !== undefined, () => "a scalar has no panels");
  const [m, n] = layout.axes.map((axis) => axis.name);
  const element = (e: number): Expr => {
    const iters = [
      { axis: n ?? null, stride: 1, extent: 2 },
      { axis: m ?? null, stride: 8, extent: 2 },
      { axis: n ?? null, stride: 8, extent: (layout.axes[1]?.size ?? 8) / 8 },
      { axis: m ?? null, stride: ROWS, extent: product + 1 },
    ];
    const digits = [e, half, tile, product].map(linConst);
    return ctx.value(op.value).read(placeIn({ iters, digits }, layout));
  };
  return value({ kind: "pack", type: "u32", lo: element(0), hi: element(1) });
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
  const { buffer, width, slots, bytes, map } = panels;
  const isFirst = compare("eq", special("lane"), constant(0));
  const own = mul(special("warp"), constant(slots * bytes));
  const slot = add(own, constant((at.turn % slots) * bytes));
  const pending = pendingBefore(at.turn, panels);
  onlyThread(ctx, isFirst, () =>
    w.emit({ kind: "call", fn: "tma_store_wait_read", template: pending, args: [] }),
  );
  w.emit({ kind: "call", fn: "syncwarp", args: [] });
  for (let q = 0; q < width / 16; q++) {
    const tile = (at.panel * width) / 8 + 2 * q;
    const chunk = xor(panels.lane, constant(q * 2 * CHUNK_BYTES));
    w.emit({
      kind: "call",
      fn: "stmatrix_x4",
      args: [
        { kind: "address", buffer, bytes: add(slot, chunk) },
        pair(ctx, op, 0, tile, at.product),
        pair(ctx, op, 1, tile, at.product),
        pair(ctx, op, 0, tile + 1, at.product),
        pair(ctx, op, 1, tile + 1, at.product),
      ],
    });
  }
  w.emit({ kind: "call", fn: "fence_proxy_async", args: [] });
  w.emit({ kind: "call", fn: "syncwarp", args: [] });
  const products = productsOf(ctx, op);
  const warp = special("warp");
  const group = mul(shr(warp, 2), constant(ROWS * products));
  const row = add(
    add(group, mul(maskBits(warp, 3), constant(WARP_ROWS))),
    constant(at.product * ROWS),
  );
  const spans = op.at.map((index) => index.kind === "span");
  const rowDim = spans.indexOf(true);
  const coordinates = op.at.map((index, dim) =>
    value(coordinate(ctx, index, dim === rowDim ? row : constant(at.panel * width))),
  );
  onlyThread(ctx, isFirst, () => {
    w.emit({
      kind: "call",
      fn: `tma_store_${op.at.length}d`,
      args: [
        { kind: "map", map },
        { kind: "address", buffer, bytes: slot },
        ...coordinates.reverse(),
      ],
    });
    w.emit({ kind: "call", fn: "tma_store_commit", args: [] });
  });
}

/** Panel after panel: a warp waits for the copy engine only where it fills a slot again. Bounds are clipped by the tensor map. */
export function lowerTensorStore(ctx: LoweringContext, op: SStore, name: string): void {
  const panels = panelsOf(ctx, op, name);
  const perProduct = panels.count / productsOf(ctx, op);
  for (let turn = 0; turn < panels.count; turn++) {
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
