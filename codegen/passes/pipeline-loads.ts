/**
 * [codegen/passes] Loops with `stages`: asynchronous copies run some trips ahead into a ring of slots. Runs after choose-shared-layouts,
 * before allocate-shared. Reads `SFor.stages` and removes it.
 */
import { type Location, UNKNOWN_LOCATION } from "../../dsl/index.ts";
import { type Ahead, type ForOp, findAhead } from "../analysis/run-ahead.ts";
import type { DotOperand, SBlock, ScheduledKernel, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  mapScheduledRegions,
  mapScheduledResults,
  scheduledRegions,
} from "../ir/visit-scheduled.ts";
import { answerSlots, PIPELINE_LOADS, slotsWanted, whyAlike } from "../schedule/wishes.ts";
import { placeBuffers } from "./allocate-shared.ts";
import type { PassContext } from "./pass.ts";
import { ScalarBuilder } from "./scalar-builder.ts";

const PASS = PIPELINE_LOADS;

const EMPTY: SBlock = { params: [], ops: [], yields: [] };

class Pipeliner {
  readonly stages = new Map<string, number>();
  readonly #kernel: ScheduledKernel;
  readonly #context: PassContext;
  readonly #most: number;
  readonly #build: ScalarBuilder;

  constructor(kernel: ScheduledKernel, context: PassContext, most: number) {
    this.#kernel = kernel;
    this.#context = context;
    this.#most = most;
    this.#build = new ScalarBuilder(kernel, UNKNOWN_LOCATION);
  }

  readonly block = (block: SBlock): SBlock => ({
    ...block,
    ops: block.ops.flatMap((original) => {
      const op = mapScheduledRegions(original, this.block);
      return op.kind === "for" ? this.#loop(op) : [op];
    }),
  });

  #remark(message: string, loc: Location): void {
    this.#context.remark(PASS, message, loc);
  }

  #loop(op: ForOp): readonly SOp[] {
    const { stages: _, ...plain } = op;
    const wanted = stagesOf(op, this.#kernel.config);
    this.#build.loc = op.loc;
    const stages = Math.min(wanted, this.#most);
    if (wanted < 2 || stages < 2) return [plain];
    const ahead = findAhead(op, this.#kernel, (message, loc) => this.#remark(message, loc));
    const [iv] = op.body.params;
    if (ahead.copies.length === 0 || iv === undefined) return [plain];
    for (const copy of ahead.copies) this.stages.set(copy.into.buffer, stages);
    this.#remark(
      `${ahead.copies.length} copies run ${stages - 1} trips ahead in ${stages} slots`,
      op.loc,
    );
    if (ahead.tables.length > 0) {
      const names = ahead.tables.map((table) => table.tensor).join(", ");
      this.#remark(`addresses from ${names} are loaded one more trip ahead`, op.loc);
    }
    const tensors = ahead.copies.map(({ tensor }) => tensor);
    const { config } = this.#kernel;
    const alike = whyAlike(this.#kernel, this.#context);
    const why = {
      fewer: `${this.#context.target.maxSharedBytes} bytes of shared memory hold no more`,
      more: `all copies of a trip share the longest ring that is asked for, as ${alike}`,
    };
    answerSlots(
      { config, tensors },
      tensors.map(() => stages),
      why,
      op,
      this.#context,
    );
    const prologue = this.#prologue(op, iv, ahead, stages);
    const { body, inits, results } = this.#body(op, iv, ahead, stages, prologue);
    return [...prologue, { ...plain, body, inits, results }];
  }

  /** The ops again, with other operands and new results. */
  #clone(ops: readonly SOp[], by: Map<number, SValue>): readonly SOp[] {
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const define = (value: SValue): SValue => {
      const copy = this.#build.like(value);
      by.set(value.id, copy);
      return copy;
    };
    return ops.map((op) => mapScheduledResults(mapScheduledOperands(op, use), define));
  }

  /** `if (counter < hi) yes else no`, pushed to `ops`. */
  #ifMore(
    ops: SOp[],
    counter: SValue,
    op: ForOp,
    results: readonly SValue[],
    branches: readonly [SBlock, SBlock],
  ): void {
    const { loc } = op;
    const cond = this.#build.scalar("more", "bool");
    ops.push({ kind: "compare", fn: "lt", result: cond, a: counter, b: op.hi, loc });
    const [yes, no] = branches;
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    ops.push({ kind: "if", results, cond, then: yes, else: no, loc });
  }

  /**
   * Copies of the trip `counter` into `slot`, if there is such a trip; then closes their group, empty or not, so that groups count trips.
   * @param tables what the tables of that trip hold, where they were loaded before
   */
  #fill(
    counter: SValue,
    op: ForOp,
    iv: SValue,
    ahead: Ahead,
    slot: SValue,
    tables: readonly SValue[] = [],
  ): readonly SOp[] {
    const ops: SOp[] = [];
    const by = new Map<number, SValue>([[iv.id, counter]]);
    ahead.tables.forEach((table, i) => {
      const loaded = tables[i];
      if (loaded !== undefined) by.set(table.result.id, loaded);
    });
    const slice = this.#clone(tables.length > 0 ? ahead.rest : ahead.slice, by);
    const copies = ahead.copies.map((copy): SOp => {
      const moved = mapScheduledOperands(copy, (value) => by.get(value.id) ?? value);
      return moved.kind === "copy" ? { ...moved, into: { buffer: copy.into.buffer, slot } } : moved;
    });
    const yes = { params: [], ops: [...slice, ...copies], yields: [] };
    this.#ifMore(ops, counter, op, [], [yes, EMPTY]);
    ops.push({ kind: "commit", loc: op.loc });
    return ops;
  }

  /** Loads the tables of the trip `counter`, if there is such a trip. */
  #loadTables(ops: SOp[], counter: SValue, op: ForOp, iv: SValue, ahead: Ahead): readonly SValue[] {
    if (ahead.tables.length === 0) return [];
    const by = new Map<number, SValue>([[iv.id, counter]]);
    const slice = this.#clone(ahead.tableSlice, by);
    const loaded = ahead.tables.map((table) => by.get(table.result.id) ?? table.result);
    const fills = ahead.tables.map((table): SOp => {
      const result = this.#build.like(table.result);
      return { kind: "const", result, value: table.fill, loc: table.loc };
    });
    const empty = fills.flatMap((fill) => (fill.kind === "const" ? [fill.result] : []));
    const results = ahead.tables.map((table) => this.#build.like(table.result));
    const yes = { params: [], ops: slice, yields: loaded };
    this.#ifMore(ops, counter, op, results, [yes, { params: [], ops: fills, yields: empty }]);
    return results;
  }

  #prologue(op: ForOp, iv: SValue, ahead: Ahead, stages: number): SOp[] {
    const ops: SOp[] = [];
    let counter = op.lo;
    for (let trip = 0; trip < stages - 1; trip++) {
      const slot = this.#build.constant(ops, trip, "slot");
      ops.push(...this.#fill(counter, op, iv, ahead, slot));
      if (trip < stages - 2) counter = this.#build.binary(ops, "add", counter, op.step, iv.name);
    }
    return ops;
  }

  /** The next slot of the ring. */
  #advance(ops: SOp[], slot: SValue, one: SValue, count: SValue, zero: SValue): SValue {
    const b = this.#build;
    const next = b.binary(ops, "add", slot, one, slot.name);
    const wraps = b.compare(ops, "eq", next, count, "wraps");
    return b.select(ops, wraps, zero, next, slot.name);
  }

  #body(op: ForOp, iv: SValue, ahead: Ahead, stages: number, outer: SOp[]) {
    const { loc } = op;
    const zero = this.#build.constant(outer, 0, "slot");
    const one = this.#build.constant(outer, 1, "slot");
    const count = this.#build.constant(outer, stages, "slot");
    const first = this.#build.constant(outer, stages - 1, "slot");
    const distance = this.#build.binary(outer, "mul", op.step, first, "distance");
    const read = this.#build.scalar("slot");
    const write = this.#build.scalar("fill");
    const ahead1 = this.#build.binary(outer, "add", op.lo, distance, iv.name);
    const firstTables = this.#loadTables(outer, ahead1, op, iv, ahead);
    const tables = firstTables.map((value) => this.#build.like(value));
    const ops: SOp[] = [
      { kind: "wait", pending: stages - 2, loc },
      { kind: "barrier", loc },
    ];
    const counter = this.#build.binary(ops, "add", iv, distance, iv.name);
    ops.push(...this.#fill(counter, op, iv, ahead, write, tables));
    const after = this.#build.binary(ops, "add", counter, op.step, iv.name);
    const nextTables = this.#loadTables(ops, after, op, iv, ahead);
    const rings = new Set(ahead.copies.map((copy) => copy.into.buffer));
    const moved = new Set<SOp>(ahead.copies);
    for (const inner of op.body.ops) if (!moved.has(inner)) ops.push(readSlot(inner, rings, read));
    const nextRead = this.#advance(ops, read, one, count, zero);
    const nextWrite = this.#advance(ops, write, one, count, zero);
    const { params, yields } = op.body;
    return {
      body: {
        params: [...params, read, write, ...tables],
        ops,
        yields: [...yields, nextRead, nextWrite, ...nextTables],
      },
      inits: [...op.inits, zero, first, ...firstTables],
      results: [
        ...op.results,
        this.#build.scalar("slot"),
        this.#build.scalar("fill"),
        ...tables.map((value) => this.#build.like(value)),
      ],
    };
  }
}

/** Reads of ring buffers, also in blocks inside, from the slot of this trip. */
function readSlot(op: SOp, rings: ReadonlySet<string>, slot: SValue): SOp {
  const operand = (value: DotOperand): DotOperand =>
    value.kind === "shared" && rings.has(value.ref.buffer)
      ? { ...value, ref: { ...value.ref, slot } }
      : value;
  if (op.kind === "dot") return { ...op, a: operand(op.a), b: operand(op.b) };
  if (op.kind === "shared_load" && rings.has(op.from.buffer))
    return { ...op, from: { ...op.from, slot } };
  if (scheduledRegions(op).length === 0) return op;
  return mapScheduledRegions(op, (block) => ({
    ...block,
    ops: block.ops.map((inner) => readSlot(inner, rings, slot)),
  }));
}

function pipelineWith(
  kernel: ScheduledKernel,
  context: PassContext,
  most: number,
): ScheduledKernel {
  const pipeliner = new Pipeliner(kernel, context, most);
  const body = pipeliner.block(kernel.body);
  const shared = kernel.shared.map((buffer) => {
    const stages = pipeliner.stages.get(buffer.name);
    return stages === undefined ? buffer : { ...buffer, stages };
  });
  return { ...kernel, body, shared };
}

/** Slots that a loop with copies wants: of all of them as many as the one with the most. */
function stagesOf(op: ForOp, config: ScheduledKernel["config"]): number {
  const { stages = 1 } = op;
  const tensors = op.body.ops.flatMap((inner) => (inner.kind === "copy" ? [inner.tensor] : []));
  return stages < 2 || tensors.length === 0
    ? stages
    : Math.max(...slotsWanted({ config, tensors, stages }));
}

function mostStages(block: SBlock, config: ScheduledKernel["config"]): number {
  let most = 1;
  for (const op of block.ops) {
    if (op.kind === "for") most = Math.max(most, stagesOf(op, config));
    for (const region of scheduledRegions(op)) most = Math.max(most, mostStages(region, config));
  }
  return most;
}

/** As many slots as the loops ask for, fewer where shared memory does not hold them. */
export function pipelineLoads(kernel: ScheduledKernel, context: PassContext): ScheduledKernel {
  const quiet: PassContext = { ...context, remark: () => {} };
  const wanted = mostStages(kernel.body, kernel.config);
  let most = wanted;
  while (most > 1) {
    const { bytes } = placeBuffers(pipelineWith(kernel, quiet, most));
    if (bytes <= context.target.maxSharedBytes) break;
    most--;
  }
  if (most < wanted) {
    const loc = kernel.body.ops[0]?.loc;
    const message = `${most} slots instead of ${wanted}: shared memory holds ${context.target.maxSharedBytes} bytes`;
    if (loc !== undefined) context.remark(PASS, message, loc);
  }
  return pipelineWith(kernel, context, most);
}
