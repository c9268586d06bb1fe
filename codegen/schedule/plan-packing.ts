/** [codegen/schedule] In which order each packed tensor lies, and the layouts in which its tiles are read. Without packed tensors it gives the layouts alone. */
import { DTYPES, elementCount, type Op, type TileKernel, walkOps } from "../../dsl/index.ts";
import { widestVector } from "../analysis/access-width.ts";
import { type DerivedOrder, deriveOrder, orderLayout } from "../layout/derive-order.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { formatOrder, type PackedOrder, sameOrder } from "../layout/packed-order.ts";
import type { PassContext } from "../passes/pass.ts";
import { assignLayouts, type LayoutRequest } from "./assign-layouts.ts";
import { packedWidth, startsAtBlock, tileSides } from "./packed-loads.ts";
import { packedNames } from "./packed-names.ts";

type LoadOp = Extract<Op, { kind: "load" }>;

const PASS = "pack-tensors";

export interface Packing {
  readonly layouts: ReadonlyMap<number, RegisterLayout>;
  /** By name; a packed tensor that is not here lies row-major. */
  readonly orders: Readonly<Record<string, PackedOrder>>;
}

interface PackedLoad {
  readonly op: LoadOp;
  /** Bytes that it moves, more inside loops. */
  readonly weight: number;
}

function loadsOf(kernel: TileKernel, tensor: string): readonly PackedLoad[] {
  const loads: PackedLoad[] = [];
  walkOps(kernel.body, (op, depth) => {
    if (op.kind === "load" && op.tensor === tensor)
      loads.push({ op, weight: elementCount(op.result.type) * 8 ** depth });
  });
  return loads.sort((a, b) => b.weight - a.weight);
}

/** The order that the heaviest load would like best, or why there is none for all loads. */
function preferred(
  loads: readonly PackedLoad[],
  layouts: ReadonlyMap<number, RegisterLayout>,
  request: LayoutRequest,
): DerivedOrder | string {
  const [first] = loads;
  if (first === undefined) return "nothing is loaded from it";
  const derive = (op: LoadOp): DerivedOrder | string => {
    const sides = tileSides(op);
    if (typeof sides === "string") return sides;
    const layout = layouts.get(op.result.id);
    const vector = widestVector(op.result.type.dtype);
    const derived = layout === undefined ? undefined : deriveOrder(layout, sides, vector);
    return derived ?? "threads walk another axis than rows and columns";
  };
  const best = derive(first.op);
  if (typeof best === "string") return best;
  for (const { op } of loads) {
    const other = derive(op);
    if (typeof other === "string") return other;
    if (!sameOrder(other.order, best.order)) return "its loads have layouts that differ";
    const width = packedWidth(op, other.layout, best.order, request.facts);
    if (typeof width === "string") return width;
  }
  return best;
}

/** Layouts for the loads of a tensor whose order is given and not what they would like best. */
function givenLayouts(
  loads: readonly PackedLoad[],
  order: PackedOrder,
  request: LayoutRequest,
): ReadonlyMap<number, RegisterLayout> {
  const found = new Map<number, RegisterLayout>();
  for (const { op } of loads) {
    const sides = tileSides(op);
    if (typeof sides === "string" || !startsAtBlock(op, order, request.facts)) continue;
    const { axes, dtype } = op.result.type;
    const layout = orderLayout(order, sides, axes, widestVector(dtype), request.threads);
    if (layout !== undefined) found.set(op.result.id, layout);
  }
  return found;
}

function bytesText(op: LoadOp, width: number): string {
  const bytes = (width * DTYPES[op.result.type.dtype].bits) / 8;
  return `a lane reads ${bytes} bytes at once, ${width} elements of its registers in their sequence`;
}

/** Notes the order of a tensor and what it is good for. */
function remarkOrder(
  name: string,
  order: PackedOrder,
  loads: readonly PackedLoad[],
  packing: Packing,
  request: LayoutRequest,
  context: PassContext,
  isGiven: boolean,
): void {
  for (const { op } of loads) {
    const width = packedWidth(op, packing.layouts.get(op.result.id), order, request.facts);
    const how =
      typeof width === "string" ? `one element at a time: ${width}` : bytesText(op, width);
    const whose = isGiven ? "as given" : "chosen";
    context.remark(PASS, `${name}: ${formatOrder(order)}, ${whose}: ${how}`, op.loc);
  }
}

/**
 * Assigns layouts, and orders to packed tensors: as given with the request, else the one in which the registers of the heaviest load
 * are neighbours.
 * @returns names of tensors for which no order fits, with the reason; they are then asked for row-major
 */
export function planPacking(
  request: LayoutRequest,
  context: PassContext,
): Packing | { readonly refused: ReadonlyMap<string, string> } {
  const { kernel } = request;
  const names = packedNames(kernel, context.orders);
  if (names.size === 0) return { layouts: assignLayouts(request), orders: {} };
  const layouts = new Map(assignLayouts({ ...request, free: names }));
  const orders: Record<string, PackedOrder> = {};
  const refused = new Map<string, string>();
  const anchored = new Map<number, RegisterLayout>();
  for (const name of names) {
    const loads = loadsOf(kernel, name);
    const given = context.orders[name];
    const best = preferred(loads, layouts, request);
    if (given === undefined || given === "rows") {
      if (typeof best === "string") refused.set(name, best);
      else orders[name] = best.order;
      continue;
    }
    orders[name] = given;
    if (typeof best !== "string" && sameOrder(best.order, given)) continue;
    for (const [id, layout] of givenLayouts(loads, given, request)) anchored.set(id, layout);
  }
  if (refused.size > 0) return { refused };
  const final =
    anchored.size === 0 ? layouts : new Map(assignLayouts({ ...request, free: names, anchored }));
  const packing: Packing = { layouts: final, orders };
  for (const [name, order] of Object.entries(orders)) {
    const loads = loadsOf(kernel, name);
    for (const { op } of loads) useVectors(op, order, final);
    const isGiven = context.orders[name] !== undefined;
    remarkOrder(name, order, loads, packing, request, context, isGiven);
  }
  return packing;
}

/** A load's registers in the sequence of the order, where its layout steps through it. */
function useVectors(op: LoadOp, order: PackedOrder, layouts: Map<number, RegisterLayout>): void {
  const layout = layouts.get(op.result.id);
  const sides = tileSides(op);
  if (layout === undefined || typeof sides === "string") return;
  const vector = widestVector(op.result.type.dtype);
  const derived = deriveOrder(layout, sides, vector);
  if (derived !== undefined && sameOrder(derived.order, order))
    layouts.set(op.result.id, derived.layout);
}
