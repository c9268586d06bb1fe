/** [codegen/schedule] Stores of wgmma accumulators through tensor maps: when they are possible, and the panels in shared memory that they go through. */
import { DTYPES, elementCount, type Op, walkOps } from "../../dsl/index.ts";
import { sameLayout } from "../layout/register-layout.ts";
import { boxShared } from "../layout/shared-layout.ts";
import type { DotPlan } from "./choose-dots.ts";
import type { Emitter } from "./emitter.ts";
import { strideObstacle } from "./find-boxes.ts";

type StoreOp = Extract<Op, { kind: "store" }>;

/** Rows that a warp holds of one product, and slots of its own that it fills in turn. */
const ROWS = 16;
const SLOTS = 2;
/** A map of five dims gives two of them to ends along another. */
const MOST_RAGGED = 3;
/** Columns of a panel, widest first: rows of 128, 64 or 32 bytes of 16-bit elements. */
const WIDTHS: readonly number[] = [64, 32, 16];

/** Ops of the kernel that touch a tensor. */
function accesses(emitter: Emitter, name: string): number {
  let count = 0;
  walkOps(emitter.plan.kernel.body, (op) => {
    if ("tensor" in op && op.tensor === name) count++;
  });
  return count;
}

/** The dot whose accumulator has the tile's axes. */
function planOf(emitter: Emitter, { value }: StoreOp): DotPlan | undefined {
  const names = value.type.axes.map(({ name }) => name);
  const plans = [...emitter.plan.dots.values()];
  return plans.find(({ m, n }) => names.includes(m.name) && names.includes(n.name)) ?? plans[0];
}

/** Why a store is not made of boxes, or undefined where it may be. */
function obstacle(emitter: Emitter, op: StoreOp): string | undefined {
  const { dtype, axes } = op.value.type;
  const { context } = emitter.plan;
  const plan = planOf(emitter, op);
  const layout = emitter.layoutOf(op.value);
  if (plan === undefined || layout === undefined || !sameLayout(layout, plan.accumulator))
    return "the tile is not laid out as the accumulator";
  if (dtype !== "f16" && dtype !== "bf16") return `elements are ${dtype}, not 16 bits wide`;
  if (op.mask !== undefined) return "the store has a mask";
  const spans = op.at.flatMap((index) => (index.kind === "span" ? [index] : []));
  if (op.at.some((index) => index.kind === "gather")) return `${op.tensor} is scattered to`;
  if (spans.at(-1)?.end !== undefined) return "the last dim has a limit";
  if (spans[0]?.end !== undefined && op.at.length > MOST_RAGGED)
    return `${op.tensor} has ${op.at.length} dims and a limit, more than ${MOST_RAGGED}`;
  const [m, n] = spans.map((span) => span.axis.name);
  const [rows, columns] = plan.swapped === true ? [plan.n, plan.m] : [plan.m, plan.n];
  if (spans.length !== 2 || axes.length !== 2 || m !== rows.name || n !== columns.name)
    return `rows and columns are not dims of ${op.tensor} in this order`;
  const last = op.at.at(-1);
  if (last?.kind !== "span") return `the last dim of ${op.tensor} is not walked by a span`;
  if (accesses(emitter, op.tensor) > 1)
    return `${op.tensor} is accessed elsewhere too, in an order that the copy engine does not keep`;
  return strideObstacle(emitter.tensor(op.tensor), context);
}

/** Rows and columns of a panel: what a warp holds of a product, or of several side by side; all the rows where the operands are swapped. */
function panelSize(emitter: Emitter, op: StoreOp): readonly [number, number] | undefined {
  const [rows, columns] = op.value.type.axes.map(({ size }) => size);
  const plan = planOf(emitter, op);
  if (plan?.swapped === true) return [rows ?? 0, ROWS];
  const width = WIDTHS.find((candidate) => (columns ?? 0) % candidate === 0);
  return width === undefined ? undefined : [ROWS, width];
}

/**
 * Name of the panels for a store by tensor maps, made anew: slots of 16 rows by 64, 32 or 16 columns, a few for each warp; of all rows by
 * 16 columns where the operands of the dot are swapped.
 * @returns undefined where the store cannot be made of boxes; a remark says why
 */
export function tensorStorePanels(emitter: Emitter, op: StoreOp): string | undefined {
  if (emitter.plan.boxed.size === 0) return undefined;
  const panel = panelSize(emitter, op);
  const columns = op.value.type.axes.at(-1)?.size;
  const why =
    obstacle(emitter, op) ??
    (panel === undefined ? `${columns} columns are no multiple of 16` : undefined);
  if (why !== undefined || panel === undefined) {
    emitter.remark("vectorize-access", `store ${op.tensor}: not tma: ${why}`, op.loc);
    return undefined;
  }
  const { dtype } = op.value.type;
  const axes = [
    { name: "row", size: panel[0] },
    { name: "column", size: panel[1] },
  ];
  const layout = boxShared(axes, DTYPES[dtype].bits / 8);
  const { numWarps } = emitter.plan.threads;
  const panels = elementCount(op.value.type) / (panel[0] * panel[1]);
  const stages = numWarps * Math.min(SLOTS, panels / numWarps);
  emitter.remark(
    "vectorize-access",
    `store ${op.tensor}: tma, boxes of ${panel.join("×")} by each warp`,
    op.loc,
  );
  return emitter.ring(`${op.tensor}_panel`, dtype, axes, layout, stages);
}
