/** [codegen/passes/threads] Copies of boxes by tensor maps into a slot of a ring: which boxes, where they come from and where they go. Rings and roles are in roles.ts. */
import { DTYPES, invariant } from "../../../dsl/index.ts";
import type { SCopy } from "../../ir/scheduled.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { add, constant, mul } from "./expr.ts";
import { BARRIER_BYTES, call, slotAddress, stageBytes, swizzleBytes, value } from "./roles.ts";

/** The boxes of one copy: all of one size, rows of at most the swizzle's width. */
interface Boxes {
  readonly op: SCopy;
  readonly map: string;
  readonly signal: CallArg;
  readonly slot: Expr;
  /** Dim of the slowest span, along which a cluster's two blocks halve the box. */
  readonly slow: number;
  /** Elements of a box along that dim and along the last. */
  readonly rows: number;
  readonly columns: number;
  /** Boxes along the last dim, which lie behind one another, and bytes of each with all its rows. */
  readonly panels: number;
  readonly panelBytes: number;
}

/** A box's share of the rows: the first of them, and its byte in the panel. */
interface Share {
  readonly row: Expr;
  readonly byte: Expr;
}

function boxesOf(ctx: LoweringContext, op: SCopy): Boxes {
  const { into, signal, tensor, at, halves } = op;
  invariant(signal !== undefined, () => `the copy of ${tensor} has no signal`);
  const swizzle = swizzleBytes(ctx, into.buffer);
  const { axes, dtype } = ctx.buffer(into.buffer);
  const columns = (swizzle * 8) / DTYPES[dtype].bits;
  const slow = at.findIndex((index) => index.kind === "span");
  const last = at.at(-1);
  const panels = last?.kind === "span" ? last.axis.size / columns : 1;
  const box = at.map((index, dim) => {
    if (index.kind !== "span") return 1;
    if (dim === at.length - 1) return columns;
    return dim === slow && halves !== undefined ? index.axis.size / 2 : index.axis.size;
  });
  const bytes = stageBytes(ctx, into.buffer);
  // Without what a slot is padded by.
  const filled = axes.reduce((count, { size }) => count * size, DTYPES[dtype].bits / 8);
  return {
    op,
    map: ctx.map({ tensor, box, swizzle }),
    signal: slotAddress(ctx, signal, BARRIER_BYTES),
    slot: into.slot === undefined ? constant(0) : mul(ctx.named(into.slot), constant(bytes)),
    slow,
    rows: box[slow] ?? 0,
    columns,
    panels,
    panelBytes: filled / panels,
  };
}

/** @source PTX ISA, "cp.async.bulk.tensor": coordinates stand fastest dim first */
function copyBoxes(ctx: LoweringContext, boxes: Boxes, share: Share, both: boolean): void {
  const { op, map, signal, slot, slow, columns, panels, panelBytes } = boxes;
  const isOnce = op.once === true && (op.at.length === 2 || op.at.length === 3);
  for (let panel = 0; panel < panels; panel++) {
    const coordinates = op.at.map((index, dim) => {
      invariant(index.kind !== "gather", () => `a tensor copy gathers from ${op.tensor}`);
      const start = ctx.named(index.kind === "span" ? index.start : index.value);
      const row = dim === slow ? add(start, share.row) : start;
      return value(dim === op.at.length - 1 ? add(row, constant(panel * columns)) : row);
    });
    const byte = add(share.byte, constant(panel * panelBytes));
    call(
      ctx,
      `tma_load_${op.at.length}d${both ? "_multicast" : isOnce ? "_once" : ""}`,
      { kind: "address", buffer: op.into.buffer, bytes: add(slot, byte) },
      { kind: "map", map },
      signal,
      ...coordinates.reverse(),
      ...(both ? [value(constant(3))] : []),
    );
  }
}

export function lowerTensorCopy(ctx: LoweringContext, op: SCopy): void {
  const boxes = boxesOf(ctx, op);
  const { rows, panelBytes } = boxes;
  const { halves } = op;
  if (halves === undefined) {
    copyBoxes(ctx, boxes, { row: constant(0), byte: constant(0) }, false);
    return;
  }
  const rank = ctx.named(halves.rank);
  const own = (by: number): Expr => ctx.w.bind(mul(rank, constant(by)), "half");
  const half = { byte: own(panelBytes / 2), row: own(rows) };
  const cond = ctx.named(halves.same);
  const then = ctx.w.nested(() => copyBoxes(ctx, boxes, half, true));
  const alone = ctx.w.nested(() => {
    for (let part = 0; part < 2; part++) {
      const share = { row: constant(part * rows), byte: constant((part * panelBytes) / 2) };
      copyBoxes(ctx, boxes, share, false);
    }
  });
  ctx.w.emit({ kind: "if", cond, uniform: false, then, else: alone });
}
