/** [codegen/passes] Tile IR → scheduled IR: warps, dot instructions, layouts, staging. Runs after the tile passes; shared layouts, pipelines, places and barriers come after it. */
import { type Block, type Op, operands, type TileKernel, walkBlocks } from "../../dsl/index.ts";
import { IntegerAnalysis } from "../analysis/integer-facts.ts";
import type { ScheduledKernel } from "../ir/scheduled.ts";
import { assignLayouts } from "../schedule/assign-layouts.ts";
import { chooseWarps, type DotPlan, planDots } from "../schedule/choose-dots.ts";
import { BodyEmitter } from "../schedule/emit-ops.ts";
import { Emitter } from "../schedule/emitter.ts";
import { findRoleLoop } from "../schedule/find-role-loop.ts";
import { placeBuffers } from "./allocate-shared.ts";
import { eliminateDeadScheduled } from "./eliminate-dead-scheduled.ts";
import type { PassContext } from "./pass.ts";

interface Usage {
  readonly op: Op | undefined;
  readonly block: Block;
}

/** Every reader of each value: an op, or the end of a block (`op` undefined). */
function findUses(body: Block): ReadonlyMap<number, readonly Usage[]> {
  const uses = new Map<number, Usage[]>();
  const add = (id: number, usage: Usage): void => {
    const list = uses.get(id);
    if (list === undefined) uses.set(id, [usage]);
    else list.push(usage);
  };
  walkBlocks(body, (block) => {
    for (const op of block.ops) for (const value of operands(op)) add(value.id, { op, block });
    for (const value of block.yields) add(value.id, { op: undefined, block });
  });
  return uses;
}

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
): StagedLoads {
  const staged = new Set<number>();
  const deferred = new Set<number>();
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const isOperand = ({ op }: Usage, id: number): boolean =>
    op?.kind === "dot" && dots.has(op.result.id) && op.acc?.id !== id;
  walkBlocks(kernel.body, (block) => {
    for (const op of block.ops) {
      if (op.kind !== "load" || op.result.type.axes.length !== 2) continue;
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

function emitKernel(kernel: TileKernel, context: PassContext, chunk?: number): ScheduledKernel {
  const { warpSize } = context.target;
  const roles = chunk === undefined ? findRoleLoop(kernel, context) : undefined;
  const numWarps = roles === undefined ? chooseWarps(kernel, context) : 4 * roles.consumers;
  const threads = { warpSize, numWarps };
  const facts = new IntegerAnalysis(kernel, context.divisibility);
  const dots = planDots(kernel, threads, context, roles);
  const uses = findUses(kernel.body);
  const { staged, deferred } = findStagedLoads(kernel, dots, uses);
  const { divisibility } = context;
  const layouts = assignLayouts({ kernel, threads, dots, staged, facts, divisibility });
  const boxed = new Map(
    roles?.loads.map(({ result }) => [result.id, result.id === roles.dot.a.id ? roles.copies : 1]),
  );
  const plan = { kernel, context, threads, dots, staged, boxed, layouts, facts };
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
    numWarps: threads.numWarps,
    warpSize,
    shared: emitter.shared,
    body,
    remarks: context.remarks,
  };
}
