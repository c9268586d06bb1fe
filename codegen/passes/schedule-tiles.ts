/** [codegen/passes] Tile IR → scheduled IR: warps, dot instructions, layouts, staging. Runs after the tile passes; shared layouts, pipelines, places and barriers come after it. */

import { invariant, type TileKernel, walkBlocks } from "../../dsl/index.ts";
import { findArrival } from "../analysis/find-arrivals.ts";
import { IntegerAnalysis } from "../analysis/integer-facts.ts";
import { findUses, type Usage } from "../analysis/tile-uses.ts";
import type { ScheduledKernel } from "../ir/scheduled.ts";
import { chooseWarps, type DotPlan, planDots, planExplicitDots } from "../schedule/choose-dots.ts";
import { BodyEmitter } from "../schedule/emit-ops.ts";
import { Emitter } from "../schedule/emitter.ts";
import { findExplicit } from "../schedule/find-explicit.ts";
import { findRoleLoop } from "../schedule/find-role-loop.ts";
import { packedNames } from "../schedule/packed-names.ts";
import { planPacking } from "../schedule/plan-packing.ts";
import type { RoleLoop } from "../schedule/role-loop.ts";
import { placeBuffers } from "./allocate-shared.ts";
import { eliminateDeadScheduled } from "./eliminate-dead-scheduled.ts";
import type { PassContext } from "./pass.ts";

interface StagedLoads {
  /** Loads that only feed planned dots. */
  readonly staged: ReadonlySet<number>;
  /** Those whose dots all stand in the load's own block: the copy may wait for the first of them. */
  readonly deferred: ReadonlySet<number>;
}

function findStagedLoads(
  kernel: TileKernel,
  dots: ReadonlyMap<number, DotPlan>,
  uses: ReadonlyMap<number, readonly Usage[]>,
  packed: ReadonlySet<string>,
): StagedLoads {
  const staged = new Set<number>();
  const deferred = new Set<number>();
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const isOperand = ({ op }: Usage, id: number): boolean =>
    op?.kind === "dot" &&
    dots.has(op.result.id) &&
    op.acc?.id !== id &&
    !(op.a.id === id && dots.get(op.result.id)?.bytes?.along === "contraction");
  for (const { bytes } of dots.values()) {
    if (bytes === undefined) continue;
    staged.add(bytes.load.result.id);
    deferred.add(bytes.load.result.id);
  }
  walkBlocks(kernel.body, (block) => {
    for (const op of block.ops) {
      if (op.kind !== "load" || op.result.type.axes.length !== 2) continue;
      if (packed.has(op.tensor)) continue; // straight to registers
      const { id } = op.result;
      const readers = uses.get(id) ?? [];
      if (readers.length === 0 || !readers.every((usage) => isOperand(usage, id))) continue;
      staged.add(id);
      if (readOnly.has(op.tensor) && readers.every((usage) => usage.block === block))
        deferred.add(id);
    }
  });
  return { staged, deferred };
}

/** Steps of a contraction that are staged at once where whole operands do not fit, largest first. */
const CHUNKS = [32, 16, 8] as const;

/** Emits the scheduled kernel. Shared buffers are row-major and have no place yet; there are no barriers and no pipelines. */
export function scheduleTiles(kernel: TileKernel, context: PassContext): ScheduledKernel {
  const mark = context.remarks.length;
  for (const chunk of [undefined, ...CHUNKS]) {
    const scheduled = emitKernel(kernel, context, chunk);
    const { bytes } = placeBuffers(eliminateDeadScheduled(scheduled));
    if (bytes <= context.target.maxSharedBytes) return scheduled;
    context.dropRemarks(mark);
  }
  return emitKernel(kernel, context, CHUNKS.at(-1));
}

/** The context with tensors as row-major that could lie in any order, with the reason of each. */
function asRows(
  context: PassContext,
  reasons: ReadonlyMap<string, string>,
  kernel: TileKernel,
): PassContext {
  const loc = kernel.body.ops[0]?.loc;
  const rows = [...reasons].map(([name, why]) => {
    if (loc !== undefined) context.remark("pack-tensors", `${name}: row-major: ${why}`, loc);
    return [name, "rows"] as const;
  });
  return { ...context, orders: { ...context.orders, ...Object.fromEntries(rows) } };
}

/** Packed tensors that are better read by rows, with the reason: copied in boxes, or walked in chunks for want of shared memory. */
function wantedAsRows(
  packed: ReadonlySet<string>,
  given: PassContext,
  roles: RoleLoop | undefined,
  chunk: number | undefined,
): ReadonlyMap<string, string> {
  const open = [...packed].filter((name) => given.orders[name] === undefined);
  if (chunk !== undefined)
    return new Map(open.map((name) => [name, `operands are staged ${chunk} steps at a time`]));
  const boxed = new Set(roles?.loads.map((load) => load.tensor));
  const names = open.filter((name) => boxed.has(name));
  return new Map(names.map((name) => [name, "tma copies boxes of rows for wgmma"]));
}

function emitKernel(kernel: TileKernel, given: PassContext, chunk?: number): ScheduledKernel {
  const { warpSize } = given.target;
  // Blocks in roles have no one barrier at which all that a program stored is known to be stored.
  const mayHaveRoles = chunk === undefined && findArrival(kernel) === undefined;
  const roles = mayHaveRoles ? findRoleLoop(kernel, given) : undefined;
  const rows = wantedAsRows(packedNames(kernel, given.orders), given, roles, chunk);
  const context = rows.size === 0 ? given : asRows(given, rows, kernel);
  const mark = context.remarks.length;
  const written = findExplicit(kernel, context);
  const explicit = written !== undefined && "found" in written ? written.found : undefined;
  invariant(
    written === undefined || explicit !== undefined,
    () => `${kernel.name}: roles that could run as written cannot any more`,
  );
  const consumers = explicit?.roles.warpgroups ?? roles?.consumers;
  const numWarps = consumers === undefined ? chooseWarps(kernel, context) : 4 * consumers;
  const threads = { warpSize, numWarps };
  const facts = new IntegerAnalysis(kernel, context.divisibility);
  const dots =
    explicit === undefined
      ? planDots(kernel, threads, context, roles)
      : planExplicitDots(explicit, context);
  const uses = findUses(kernel.body);
  const packed = packedNames(kernel, context.orders);
  const { staged, deferred } = findStagedLoads(kernel, dots, uses, packed);
  const { divisibility } = context;
  const packing = planPacking({ kernel, threads, dots, staged, facts, divisibility }, context);
  if ("refused" in packing) {
    context.dropRemarks(mark);
    return emitKernel(kernel, asRows(context, packing.refused, kernel), chunk);
  }
  const { layouts, orders } = packing;
  const once = roles?.dots.find(({ swapped }) => swapped)?.dot.b.id;
  const boxes = explicit?.copies ?? roles?.loads ?? [];
  invariant(
    explicit !== undefined || boxes.every(({ result }) => staged.has(result.id)),
    () => `${kernel.name}: a box is copied that more than the dot reads`,
  );
  const boxed = new Map(
    [...boxes, ...(roles?.sides ?? [])].map(
      ({ result }) => [result.id, result.id === once ? "once" : "often"] as const,
    ),
  );
  const own = explicit === undefined ? {} : { explicit };
  const made = new Set([...dots.values()].flatMap(({ bytes }) => (bytes ? [bytes.cast] : [])));
  const places = { staged, boxed, made, layouts, orders };
  const plan = { kernel, context, threads, dots, facts, ...places, ...own };
  const emitter = new Emitter(chunk === undefined ? plan : { ...plan, chunk });
  const body = new BodyEmitter(emitter, new Set(uses.keys()), deferred).kernel(kernel.body);
  const { name, params, dims, fixedDims, config } = kernel;
  return {
    name,
    params,
    dims,
    fixedDims,
    config,
    divisibility,
    ...(Object.keys(orders).length === 0 ? {} : { orders }),
    numWarps: threads.numWarps,
    warpSize,
    shared: emitter.shared,
    body,
    remarks: context.remarks,
  };
}
