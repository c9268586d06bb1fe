/** [codegen/analysis/protocol] The ops of a kernel that its events depend on, found once before it is walked for many launches. */
import { isScalar } from "../../../dsl/index.ts";
import type { SBlock, ScheduledKernel, SOp, SValue } from "../../ir/scheduled.ts";
import {
  nextScheduledId,
  scheduledOperands,
  scheduledRegions,
  scheduledResults,
} from "../../ir/visit-scheduled.ts";
import type { Resources } from "./resources.ts";

/** An op with what the walk asks of it again and again. */
export interface PlannedOp {
  readonly op: SOp;
  readonly isEvent: boolean;
  /** Tiles that it reads, where they may be accumulators in flight. */
  readonly tiles: readonly SValue[];
  /** The scalar that events depend on. */
  readonly result?: SValue;
}

export interface WalkPlan {
  readonly blocks: ReadonlyMap<SBlock, readonly PlannedOp[]>;
  /** Blocks that hold a loop with a ring, at any depth. */
  readonly withRings: ReadonlySet<SBlock>;
  /** Constants by the id of their value; as long as there are ids. */
  readonly constants: readonly (number | undefined)[];
}

/** Values that decide which events happen: slots, parities, bounds, conditions. */
function roots(op: SOp, eventful: ReadonlySet<SOp>): readonly SValue[] {
  if (!eventful.has(op)) return [];
  switch (op.kind) {
    case "for":
      return [op.lo, op.hi, op.step];
    case "while":
      return op.cond.yields;
    case "if":
      return [op.cond];
    default:
      return scheduledOperands(op).filter((value) => isScalar(value.type));
  }
}

class Planner {
  readonly #eventful: ReadonlySet<SOp>;
  readonly #rings: ReadonlySet<SOp>;
  /** What a value is made of, by its id. */
  readonly #sources = new Map<number, readonly SValue[]>();
  readonly #needed = new Set<number>();
  readonly #queue: SValue[] = [];
  readonly #hasAccumulators: boolean;
  readonly blocks = new Map<SBlock, readonly PlannedOp[]>();
  readonly withRings = new Set<SBlock>();
  readonly constants: (number | undefined)[];

  constructor(kernel: ScheduledKernel, { eventful, rings }: Resources) {
    this.#eventful = eventful;
    this.#rings = new Set(rings);
    this.constants = new Array<number | undefined>(nextScheduledId(kernel)).fill(undefined);
    this.#hasAccumulators = [...eventful].some(
      (op) => op.kind === "dot" && op.instruction.kind === "wgmma",
    );
  }

  /** Copies bring whatever their addresses say: of their operands only slots and sharing matter. */
  #rootsOf(op: SOp): readonly SValue[] {
    if (op.kind !== "copy") return roots(op, this.#eventful);
    const { into, signal, halves } = op;
    return [into.slot, signal?.slot, halves?.same].filter((value) => value !== undefined);
  }

  see(block: SBlock): void {
    for (const op of block.ops) {
      this.#queue.push(...this.#rootsOf(op));
      if (op.kind === "const" && isScalar(op.result.type)) this.constants[op.result.id] = op.value;
      this.#connect(op);
      for (const region of scheduledRegions(op)) this.see(region);
    }
  }

  #connect(op: SOp): void {
    switch (op.kind) {
      case "for": {
        const carried = op.body.params.slice(1);
        this.#carry([op.results, carried], [op.inits, op.body.yields]);
        return;
      }
      case "while":
        this.#carry([op.results, op.cond.params, op.body.params], [op.inits, op.body.yields]);
        return;
      case "if":
        this.#carry([op.results], [op.then.yields, op.else.yields]);
        return;
      default:
        for (const { id } of scheduledResults(op)) this.#sources.set(id, scheduledOperands(op));
    }
  }

  /** Values that stand at the same place of these lists have the same sources. */
  #carry(targets: readonly (readonly SValue[])[], sources: readonly (readonly SValue[])[]): void {
    for (const list of targets)
      list.forEach(({ id }, i) => {
        this.#sources.set(
          id,
          sources.map((source) => source[i]).filter((value) => value !== undefined),
        );
      });
  }

  close(): void {
    for (let value = this.#queue.pop(); value !== undefined; value = this.#queue.pop()) {
      if (this.#needed.has(value.id)) continue;
      this.#needed.add(value.id);
      this.#queue.push(...(this.#sources.get(value.id) ?? []));
    }
  }

  /** @returns whether the block holds anything to walk */
  plan(block: SBlock): boolean {
    const planned: PlannedOp[] = [];
    for (const op of block.ops) {
      const regions = scheduledRegions(op);
      const holds = regions.map((region) => this.plan(region));
      if (this.#rings.has(op) || regions.some((region) => this.withRings.has(region)))
        this.withRings.add(block);
      const isEvent = this.#eventful.has(op);
      const tiles = this.#hasAccumulators
        ? scheduledOperands(op).filter((value) => !isScalar(value.type))
        : [];
      const result = scheduledResults(op).find(({ id }) => this.#needed.has(id));
      const isNeeded = result !== undefined && op.kind !== "const";
      if (!isEvent && !isNeeded && tiles.length === 0 && !holds.includes(true)) continue;
      planned.push({ op, isEvent, tiles, ...(isNeeded ? { result } : {}) });
    }
    this.blocks.set(block, planned);
    return planned.length > 0;
  }
}

export function planWalk(kernel: ScheduledKernel, resources: Resources): WalkPlan {
  const planner = new Planner(kernel, resources);
  planner.see(kernel.body);
  planner.close();
  planner.plan(kernel.body);
  return planner;
}
