/** [codegen/schedule] Loads, stores, atomics and copies: addresses in the tile's layout, vector widths, the way of copying. */
import {
  type Axis,
  DTYPES,
  elementCount,
  type Index,
  isScalar,
  type Location,
  type Op,
  type Value,
} from "../../dsl/index.ts";
import { accessWidth, type WidthVerdict } from "../analysis/access-width.ts";
import { sectorWaste } from "../analysis/sector-waste.ts";
import type { SharedRef, SIndex, SValue } from "../ir/scheduled.ts";
import { sliceLayout } from "../layout/blocked-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import type { PackedOrder } from "../layout/packed-order.ts";
import { contiguousRegisters, extentOf, replicationOf } from "../layout/register-layout.ts";
import { boxShared, rowMajorShared } from "../layout/shared-layout.ts";
import { hasFeature } from "../passes/pass.ts";
import { encodeConstant } from "../text/constant-bits.ts";
import { memoryLayout } from "./assign-layouts.ts";
import { emitPages } from "./emit-pages.ts";
import { tensorStorePanels } from "./emit-tensor-store.ts";
import { valueIn } from "./emit-versions.ts";
import type { Emitter } from "./emitter.ts";
import { type PagedPlace, pagedPlace } from "./find-pages.ts";
import { packedWidth } from "./packed-loads.ts";

type LoadOp = Extract<Op, { kind: "load" }>;
type StoreOp = Extract<Op, { kind: "store" }>;
type AtomicOp = Extract<Op, { kind: "atomic" }>;

const PASS = "vectorize-access";

function slicedIn(
  emitter: Emitter,
  value: Value,
  layout: RegisterLayout | undefined,
  loc: Location,
): SValue {
  if (layout === undefined || isScalar(value.type)) return emitter.scalar(value);
  return valueIn(emitter, value, sliceLayout(layout, value.type.axes), loc);
}

/** An address with its gather indices in slices of the tile's layout. */
function emitPlace(
  emitter: Emitter,
  at: readonly Index[],
  layout: RegisterLayout | undefined,
  loc: Location,
): readonly SIndex[] {
  return at.map((index): SIndex => {
    switch (index.kind) {
      case "at":
        return { kind: "at", value: emitter.scalar(index.value) };
      case "span": {
        const end = index.end === undefined ? {} : { end: emitter.scalar(index.end) };
        return { kind: "span", axis: index.axis, start: emitter.scalar(index.start), ...end };
      }
      case "gather":
        return { kind: "gather", index: slicedIn(emitter, index.index, layout, loc) };
      default:
        return index satisfies never;
    }
  });
}

function maskIn(
  emitter: Emitter,
  op: LoadOp | StoreOp | AtomicOp,
  layout: RegisterLayout | undefined,
): { readonly mask?: SValue } {
  return op.mask === undefined ? {} : { mask: slicedIn(emitter, op.mask, layout, op.loc) };
}

function verdictOf(emitter: Emitter, op: LoadOp | StoreOp): WidthVerdict {
  const { facts, context } = emitter.plan;
  return accessWidth(emitter.tensor(op.tensor), op.at, op.mask, facts, context.divisibility);
}

/** The widest proven vector that is also a run of registers. */
function widthIn(verdict: WidthVerdict, layout: RegisterLayout | undefined): number {
  if (layout === undefined || verdict.axis === undefined) return 1;
  const run = contiguousRegisters(layout, verdict.axis);
  let { width } = verdict;
  while (width > 1 && run % width !== 0) width /= 2;
  return width;
}

function remarkWidth(
  emitter: Emitter,
  op: LoadOp | StoreOp,
  width: number,
  verdict: WidthVerdict,
  pairs = false,
): void {
  const { dtype } = emitter.tensor(op.tensor);
  const bytes = pairs ? 1 : (width * DTYPES[dtype].bits) / 8;
  const cut = pairs ? ", half of one at a bound" : "";
  const proven = width === verdict.width;
  const why = proven
    ? (verdict.why ?? "the widest there is")
    : "the layout holds no longer run of registers";
  emitter.remark(PASS, `${op.kind} ${op.tensor}: ${bytes} bytes a lane${cut}: ${why}`, op.loc);
}

/** Emits `op` so that its result is `result`, in the layout that it carries. */
export function emitLoadIn(emitter: Emitter, op: LoadOp, result: SValue): SValue {
  const { layout } = result;
  const order = emitter.plan.orders[op.tensor];
  if (order !== undefined) return emitPackedLoad(emitter, op, result, order);
  const verdict = verdictOf(emitter, op);
  const width = widthIn(verdict, layout);
  if (layout !== undefined) remarkWidth(emitter, op, width, verdict);
  const at = emitPlace(emitter, op.at, layout, op.loc);
  const { kind, tensor, fill, loc } = op;
  const hints = op.hints === undefined ? {} : { hints: op.hints };
  emitter.push({
    kind,
    result,
    tensor,
    at,
    ...maskIn(emitter, op, layout),
    fill,
    width,
    ...hints,
    loc,
  });
  return result;
}

/** From a tensor with an order of its own: in vectors where the tile walks whole blocks, else element by element. */
function emitPackedLoad(emitter: Emitter, op: LoadOp, result: SValue, order: PackedOrder): SValue {
  const { layout } = result;
  const width = packedWidth(op, layout, order, emitter.plan.facts);
  const at = emitPlace(emitter, op.at, layout, op.loc);
  const { kind, tensor, fill, loc } = op;
  const mask = maskIn(emitter, op, layout);
  const access =
    typeof width === "string"
      ? ({ width: 1, packed: "elements" } as const)
      : ({ width, packed: "vectors" } as const);
  emitter.push({ kind, result, tensor, at, ...mask, fill, ...access, loc });
  return result;
}

/** Bytes of a tile from which on a detour through shared memory is worth whole sectors. */
const MIN_DETOUR_BYTES = 8192;
const MOST_WASTE = 1.5;

/** The layout in which a tile is stored: its own, unless that wastes much of what memory moves. */
function storeLayout(
  emitter: Emitter,
  op: StoreOp,
  verdict: WidthVerdict,
): RegisterLayout | undefined {
  const own = emitter.layoutOf(op.value);
  const { threads, facts, context } = emitter.plan;
  const { dtype } = op.value.type;
  const bytes = DTYPES[dtype].bits / 8;
  if (own === undefined || verdict.axis === undefined) return own;
  if (bytes < 1) return pairedLayout(emitter, op, verdict, own);
  const isSmall = elementCount(op.value.type) * bytes < MIN_DETOUR_BYTES;
  if (isSmall || emitter.isInLoop || context.target.target === "wgsl") return own;
  const waste = sectorWaste(own, verdict.axis, widthIn(verdict, own), bytes);
  if (waste < MOST_WASTE) return own;
  const { divisibility } = context;
  const tensor = emitter.tensor(op.tensor);
  const better = memoryLayout(tensor, op, op.value, { threads, facts, divisibility });
  const left = sectorWaste(better, verdict.axis, widthIn(verdict, better), bytes);
  return left < waste ? better : own;
}

/** Of 4-bit elements: a layout whose threads hold both halves of a byte, where bytes begin at even elements. */
function pairedLayout(
  emitter: Emitter,
  op: StoreOp,
  verdict: WidthVerdict,
  own: RegisterLayout,
): RegisterLayout {
  const { threads, facts, context } = emitter.plan;
  const { divisibility, target } = context;
  const isPaired = contiguousRegisters(own, verdict.axis ?? "") % 2 === 0;
  // WGSL writes all that is less than a word by atomics.
  if (isPaired || verdict.aligned < 2 || target.target === "wgsl") return own;
  return memoryLayout(emitter.tensor(op.tensor), op, op.value, { threads, facts, divisibility });
}

/** Whether a store of 4-bit elements goes two by two, with a bound that may cut between them. */
function storesPairs(
  emitter: Emitter,
  op: StoreOp,
  width: number,
  verdict: WidthVerdict,
  layout: RegisterLayout | undefined,
): boolean {
  const isHalf = DTYPES[op.value.type.dtype].bits === 4 && width === 1;
  if (!isHalf || emitter.plan.context.target.target === "wgsl") return false;
  const run = layout === undefined ? 1 : contiguousRegisters(layout, verdict.axis ?? "");
  if (verdict.aligned > 1 && run % 2 === 0) return true;
  const message = `store ${op.tensor}: half bytes, one by one: bytes do not begin at even elements`;
  emitter.remark(PASS, message, op.loc);
  return false;
}

export function emitStore(emitter: Emitter, op: StoreOp): void {
  const panels = tensorStorePanels(emitter, op);
  if (panels !== undefined) {
    const value = valueIn(emitter, op.value, emitter.layoutOf(op.value), op.loc);
    const at = emitPlace(emitter, op.at, value.layout, op.loc);
    emitter.push({ kind: "store", tensor: op.tensor, at, value, width: 1, panels, loc: op.loc });
    return;
  }
  const verdict = verdictOf(emitter, op);
  const layout = storeLayout(emitter, op, verdict);
  const value = valueIn(emitter, op.value, layout, op.loc);
  const width = widthIn(verdict, layout);
  const isPaired = storesPairs(emitter, op, width, verdict, layout);
  if (layout !== undefined) remarkWidth(emitter, op, width, verdict, isPaired);
  const at = emitPlace(emitter, op.at, layout, op.loc);
  const { kind, tensor, loc } = op;
  const pairs = isPaired ? { pairs: true as const } : {};
  emitter.push({ kind, tensor, at, value, ...maskIn(emitter, op, layout), width, ...pairs, loc });
}

export function emitAtomic(emitter: Emitter, op: AtomicOp, resultUsed: boolean): SValue {
  const layout = emitter.layoutOf(op.value);
  const value = valueIn(emitter, op.value, layout, op.loc);
  const result = emitter.primary(op.result, layout);
  const { numWarps, warpSize } = emitter.plan.threads;
  const replicas = layout === undefined ? numWarps * warpSize : replicationOf(layout);
  const { axes, dtype } = op.result.type;
  const scratch =
    resultUsed && replicas > 1
      ? { scratch: emitter.buffer(`${op.tensor}_old`, dtype, axes, rowMajorShared(axes)) }
      : {};
  const at = emitPlace(emitter, op.at, layout, op.loc);
  const { kind, fn, tensor, loc } = op;
  emitter.push({
    kind,
    result,
    fn,
    tensor,
    at,
    value,
    ...maskIn(emitter, op, layout),
    ...scratch,
    loc,
  });
  return result;
}

/** Why a copy cannot be asynchronous, or undefined where it can. */
function asyncObstacle(emitter: Emitter, op: LoadOp, width: number): string | undefined {
  const { context } = emitter.plan;
  const bytes = (width * DTYPES[op.result.type.dtype].bits) / 8;
  if (!hasFeature(context, "cp.async")) return `${context.target.target} has no cp.async here`;
  if (op.hints?.via === "ldg") return "the load asks for ldg";
  if (encodeConstant(op.fill, op.result.type.dtype) !== 0)
    return `elements outside are filled with ${op.fill}, cp.async fills with zero bits`;
  return bytes >= 4 ? undefined : `only ${bytes} bytes are aligned, cp.async moves 4, 8 or 16`;
}

/** The boxes of a load as a remark names them. */
function boxesOf({ result }: LoadOp, bytes: number): string {
  const own = result.type.axes;
  // A row of words is one box, which nothing swizzles.
  const axes = own.length === 1 ? own : boxShared(own, bytes).axes;
  const sizes = (list: readonly Axis[]): string => list.map(({ size }) => size).join("×");
  const more = axes.length > result.type.axes.length;
  return more ? `${axes[0]?.size} boxes of ${sizes(axes.slice(1))}` : `a box of ${sizes(axes)}`;
}

/** A place by pages: what is neither page nor slot is as it was. */
function pagedIndices(emitter: Emitter, op: LoadOp, pages: PagedPlace): readonly SIndex[] {
  const { dim } = pages;
  const [before, after] = [op.at.slice(0, dim), op.at.slice(dim + 2)];
  return [
    ...emitPlace(emitter, before, undefined, op.loc),
    ...emitPages(emitter, pages, op.loc),
    ...emitPlace(emitter, after, undefined, op.loc),
  ];
}

/** Copies what `op` loads into a shared buffer, coalesced and in vectors; `signal` counts the bytes of boxes. */
export function emitCopy(emitter: Emitter, op: LoadOp, into: SharedRef, signal?: SharedRef): void {
  const tensor = emitter.tensor(op.tensor);
  const { threads, facts, context } = emitter.plan;
  const { divisibility } = context;
  const layout = memoryLayout(tensor, op, op.result, { threads, facts, divisibility });
  const verdict = verdictOf(emitter, op);
  const width = widthIn(verdict, layout);
  const reads = emitter.plan.boxed.get(op.result.id);
  const boxed = reads !== undefined;
  const obstacle = boxed ? undefined : asyncObstacle(emitter, op, width);
  const via = boxed ? "tma" : obstacle === undefined ? "cp.async" : "ldg";
  const bytes = (width * DTYPES[tensor.dtype].bits) / 8;
  const why = [
    ...(obstacle === undefined ? [] : [`not cp.async: ${obstacle}`]),
    ...(verdict.why === undefined ? [] : [verdict.why]),
  ].join("; ");
  const tail = why === "" ? "" : `; ${why}`;
  const message = boxed
    ? `load ${op.tensor}: tma, ${boxesOf(op, DTYPES[tensor.dtype].bits / 8)}${reads === "once" ? ", first to leave the cache" : ""}`
    : `load ${op.tensor}: ${via}, ${bytes} bytes a lane${tail}`;
  emitter.remark("stage-operands", message, op.loc);
  const pages = boxed ? pagedPlace(emitter.plan.kernel, op) : undefined;
  const at =
    pages === undefined
      ? emitPlace(emitter, op.at, layout, op.loc)
      : pagedIndices(emitter, op, pages);
  const mask = pages === undefined ? maskIn(emitter, op, layout) : {};
  const { fill, loc } = op;
  emitter.push({
    kind: "copy",
    into,
    tensor: op.tensor,
    at,
    ...mask,
    fill,
    layout,
    width,
    via,
    ...(signal === undefined ? {} : { signal }),
    ...(reads === "once" ? { once: true } : {}),
    loc,
  });
}

/** Distinct values that warps (and lanes, which shuffle for free) take along an axis: what an exchange through scratch must hold. */
export function warpParts(layout: RegisterLayout | undefined, axis: string): number {
  if (layout === undefined) return 1;
  return extentOf(layout.warp.filter((iter) => iter.axis === axis));
}
