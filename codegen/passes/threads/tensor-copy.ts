/** [codegen/passes/threads] Copies of boxes by tensor maps into a slot of a ring: which boxes, where they come from and where they go. Rings and roles are in roles.ts. */
import { DTYPES, invariant } from "../../../dsl/index.ts";
import type { SCopy, SPages } from "../../ir/scheduled.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import { GROUP_ROWS, GROUPED_AXES } from "../../layout/shared-layout.ts";
import { dimSize, findTensorParam } from "./address.ts";
import type { LoweringContext } from "./context.ts";
import { add, compare, constant, isInside, mul, select, sub } from "./expr.ts";
import { type RaggedEnd, raggedCoordinates, raggedEnd } from "./ragged.ts";
import { BARRIER_BYTES, call, slotAddress, stageBytes, swizzleBytes, value } from "./roles.ts";

const MOST_RANK = 5;

/** The boxes of one copy: all of one size, rows of at most the swizzle's width. */
interface Boxes {
  readonly op: SCopy;
  readonly map: string;
  /** Dim along which boxes end where the copy says. */
  readonly ragged: number | undefined;
  /** Where the last dim's part of the box begins in a map that has it and the dim before as one. */
  readonly folded: Expr | undefined;
  readonly signal: CallArg;
  readonly slot: Expr;
  /** Dim of the slowest span, along which a cluster's two blocks halve the box. */
  readonly slow: number;
  /** Elements of a box along that dim and along the last. */
  readonly rows: number;
  readonly columns: number;
  readonly rowBytes: number;
  /** Boxes along the last dim, which lie behind one another, and bytes of each with all its rows. */
  readonly panels: number;
  readonly panelBytes: number;
  /** Boxes along the rows of a page, and bytes from one to the next. */
  readonly groups: number;
  readonly groupBytes: number;
}

/** A box's share of the rows: the first of them, and its byte in the panel. */
interface Share {
  readonly row: Expr;
  readonly byte: Expr;
}

/** @param isWhole all elements lie before the limit of the pages */
function boxesOf(ctx: LoweringContext, op: SCopy, isWhole = false): Boxes {
  const { into, signal, tensor, at, halves } = op;
  invariant(signal !== undefined, () => `the copy of ${tensor} has no signal`);
  const swizzle = swizzleBytes(ctx, into.buffer);
  const { axes, dtype } = ctx.buffer(into.buffer);
  const last = at.at(-1);
  const row = last?.kind === "span" ? last.axis.size : 1;
  const columns = swizzle === 0 ? row : (swizzle * 8) / DTYPES[dtype].bits;
  const slow = at.findIndex((index) => index.kind === "span");
  const walked = at[slow];
  const slots = walked?.kind === "span" ? walked.axis.size : 1;
  const panels = row / columns;
  const isGrouped = axes.length === GROUPED_AXES;
  const box = at.map((index, dim) => {
    if (index.kind !== "span") return 1;
    if (dim === at.length - 1) return columns;
    if (dim === slow && isGrouped) return GROUP_ROWS;
    return dim === slow && halves !== undefined ? index.axis.size / 2 : index.axis.size;
  });
  const ragged = isWhole ? undefined : raggedDim(op);
  // A map has five dims, two of them for ends: a head and its numbers are one where there are more.
  const isFolded = ragged !== undefined && at.length + 2 > MOST_RANK;
  const bytes = stageBytes(ctx, into.buffer);
  // Without what a slot is padded by.
  const filled = axes.reduce((count, { size }) => count * size, DTYPES[dtype].bits / 8);
  return {
    op,
    map: ctx.map({
      tensor,
      box: isFolded ? box.toSpliced(-2, 1) : box,
      swizzle,
      ...(ragged === undefined ? {} : { ragged }),
      ...(isFolded ? { folded: 2 } : {}),
    }),
    ragged,
    folded: isFolded ? foldedStart(ctx, op) : undefined,
    signal: slotAddress(ctx, signal, BARRIER_BYTES),
    slot: into.slot === undefined ? constant(0) : mul(ctx.named(into.slot), constant(bytes)),
    slow,
    rows: box[slow] ?? 0,
    columns,
    rowBytes: swizzle === 0 ? (row * DTYPES[dtype].bits) / 8 : swizzle,
    panels,
    panelBytes: isGrouped ? GROUP_ROWS * swizzle : filled / panels,
    groups: isGrouped ? slots / GROUP_ROWS : 1,
    groupBytes: isGrouped ? GROUP_ROWS * swizzle * panels : 0,
  };
}

/** First number of a row in a map of rows of whole heads; past the row where there is no such head. */
function foldedStart(ctx: LoweringContext, { tensor, at }: SCopy): Expr {
  const head = at.at(-2);
  invariant(head?.kind === "at", () => `two dims of ${tensor} are walked, which no map has as one`);
  const [heads, size] = findTensorParam(ctx, tensor)
    .shape.slice(-2)
    .map((dim) => dimSize(ctx, dim));
  invariant(heads !== undefined && size !== undefined, () => `${tensor} has no two dims`);
  const index = ctx.named(head.value);
  const isThere = isInside(index, heads);
  return ctx.w.bind(mul(select(isThere, index, heads), size), "row");
}

function pagesOf(op: SCopy): SPages | undefined {
  return op.at.find((index) => index.kind === "pages");
}

/** The dim along which boxes have an end of their own. */
function raggedDim({ at }: SCopy): number | undefined {
  const dim = at.findIndex((index, d) => {
    if (index.kind !== "span") return false;
    const before = at[d - 1];
    return index.end !== undefined || (before?.kind === "pages" && before.limit !== undefined);
  });
  return dim < 0 ? undefined : dim;
}

/** Where the boxes of one page, or of a copy without pages, end along the ragged dim. */
function endOf(ctx: LoweringContext, { op, ragged }: Boxes, page: number): RaggedEnd | undefined {
  if (ragged === undefined) return undefined;
  const span = op.at[ragged];
  invariant(span?.kind === "span", () => "an end without a span");
  const limit = pagesOf(op)?.limit;
  const end =
    limit === undefined
      ? span.end && ctx.named(span.end)
      : sub(add(ctx.named(span.start), ctx.named(limit)), constant(page * span.axis.size));
  invariant(end !== undefined, () => "a ragged dim without an end");
  return raggedEnd(ctx, op.tensor, ragged, end);
}

/** Positions along all dims, outermost first, of a panel of one page. */
function positions(
  ctx: LoweringContext,
  { op, slow, columns, folded }: Boxes,
  { page, panel, row }: { readonly page: number; readonly panel: number; readonly row: Expr },
): readonly Expr[] {
  const at = op.at.map((index, dim) => {
    invariant(index.kind !== "gather", () => `a tensor copy gathers from ${op.tensor}`);
    if (index.kind === "pages") {
      const entry = index.entries[page];
      invariant(entry !== undefined, () => "a page without an entry");
      return ctx.named(entry);
    }
    const start = ctx.named(index.kind === "span" ? index.start : index.value);
    const first = dim === slow ? add(start, row) : start;
    return dim === op.at.length - 1 ? add(first, constant(panel * columns)) : first;
  });
  return folded === undefined ? at : [...at.slice(0, -2), add(folded, at.at(-1) ?? constant(0))];
}

/** Whole pages, one box each, out of a map in groups and panels. */
function copyGrouped(ctx: LoweringContext, op: SCopy): void {
  const { tensor, at, into, signal } = op;
  invariant(signal !== undefined, () => `the copy of ${tensor} has no signal`);
  const { axes } = ctx.buffer(into.buffer);
  const [groups, panels, rows, columns] = axes.map(({ size }) => size);
  const entries = pagesOf(op)?.entries ?? [];
  const head = at.at(-2);
  invariant(
    groups !== undefined && panels !== undefined && rows !== undefined && columns !== undefined,
    () => `${into.buffer} has no groups`,
  );
  invariant(head?.kind === "at", () => `${tensor} has no one head`);
  const box = [1, groups / entries.length, panels, rows, columns];
  const swizzle = swizzleBytes(ctx, into.buffer);
  const map = ctx.map({ tensor, box, swizzle, grouped: true });
  const bytes = stageBytes(ctx, into.buffer);
  const slot = into.slot === undefined ? constant(0) : mul(ctx.named(into.slot), constant(bytes));
  const panel = ctx.w.bind(mul(ctx.named(head.value), constant(panels)), "panel");
  entries.forEach((entry, page) => {
    const place = add(slot, constant((page * bytes) / entries.length));
    call(
      ctx,
      "tma_load_5d",
      { kind: "address", buffer: into.buffer, bytes: place },
      { kind: "map", map },
      slotAddress(ctx, signal, BARRIER_BYTES),
      ...[constant(0), constant(0), panel, constant(0), ctx.named(entry)].map(value),
    );
  });
}

function copyBoxes(ctx: LoweringContext, boxes: Boxes, share: Share, both: boolean): void {
  const { op, groups, panels } = boxes;
  const pages = pagesOf(op)?.entries.length ?? 1;
  for (let page = 0; page < pages; page++) {
    const end = endOf(ctx, boxes, page);
    for (let group = 0; group < groups; group++)
      for (let panel = 0; panel < panels; panel++)
        copyBox(ctx, boxes, { page, group, panel, end, share, both });
  }
}

/** Which of the boxes, and where they end. */
interface OneBox {
  readonly page: number;
  readonly group: number;
  readonly panel: number;
  readonly end: RaggedEnd | undefined;
  readonly share: Share;
  readonly both: boolean;
}

/** @source PTX ISA, "cp.async.bulk.tensor": coordinates stand fastest dim first */
function copyBox(ctx: LoweringContext, boxes: Boxes, one: OneBox): void {
  const { op, map, ragged, signal, slot, panelBytes, groups, groupBytes, rows, rowBytes } = boxes;
  const { page, group, panel, end, share, both } = one;
  const row = group === 0 ? share.row : add(share.row, constant(group * rows));
  const at = positions(ctx, boxes, { page, panel, row });
  const coordinates =
    ragged === undefined || end === undefined ? at : raggedCoordinates(at, ragged, end);
  const rank = coordinates.length;
  const isOnce = op.once === true && (rank === 2 || rank === 3);
  const pageBytes = groupBytes === 0 ? rows * rowBytes : groups * groupBytes;
  const inside = panel * panelBytes + group * groupBytes + page * pageBytes;
  call(
    ctx,
    `tma_load_${rank}d${both ? "_multicast" : isOnce ? "_once" : ""}`,
    {
      kind: "address",
      buffer: op.into.buffer,
      bytes: add(slot, add(share.byte, constant(inside))),
    },
    { kind: "map", map },
    signal,
    ...[...coordinates].reverse().map(value),
    ...(both ? [value(constant(3))] : []),
  );
}

/** All of the boxes by one thread; those of pages that no limit cuts are simpler. */
function copyAll(ctx: LoweringContext, op: SCopy): void {
  const all = { row: constant(0), byte: constant(0) };
  const pages = pagesOf(op);
  const isGrouped = ctx.buffer(op.into.buffer).axes.length === GROUPED_AXES;
  if (pages?.limit === undefined) {
    if (isGrouped) copyGrouped(ctx, op);
    else copyBoxes(ctx, boxesOf(ctx, op), all, false);
    return;
  }
  const cond = compare("ge", ctx.named(pages.limit), constant(pages.axis.size));
  const then = ctx.w.nested(() =>
    isGrouped ? copyGrouped(ctx, op) : copyBoxes(ctx, boxesOf(ctx, op, true), all, false),
  );
  const cut = ctx.w.nested(() => copyBoxes(ctx, boxesOf(ctx, op), all, false));
  ctx.w.emit({ kind: "if", cond, uniform: false, then, else: cut });
}

export function lowerTensorCopy(ctx: LoweringContext, op: SCopy): void {
  const { halves } = op;
  if (halves === undefined) {
    copyAll(ctx, op);
    return;
  }
  const boxes = boxesOf(ctx, op);
  const { rows, panelBytes } = boxes;
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
