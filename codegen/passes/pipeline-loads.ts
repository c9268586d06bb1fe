/**
 * [codegen/passes] Loops with `stages`: asynchronous copies run some trips ahead into a ring of slots. Runs after choose-shared-layouts,
 * before allocate-shared. Reads `SFor.stages` and removes it.
 */
import { type Location, scalarType } from "../../dsl/index.ts";
import type { DotOperand, SBlock, ScheduledKernel, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  mapScheduledRegions,
  mapScheduledResults,
  nextScheduledId,
  scheduledOperands,
  scheduledRegions,
  scheduledResults,
} from "../ir/visit-scheduled.ts";
import { placeBuffers } from "./allocate-shared.ts";
import type { PassContext } from "./pass.ts";

const PASS = "pipeline-loads";

type ForOp = Extract<SOp, { kind: "for" }>;
type CopyOp = Extract<SOp, { kind: "copy" }>;

/** Copies of a loop that may run ahead, and the ops of its body that their addresses need. */
interface Ahead {
  readonly copies: readonly CopyOp[];
  readonly slice: readonly SOp[];
}

/** Ops that may be computed for a later trip: pure, without shared memory, or loads of tensors that nothing writes. */
function mayRunAhead(op: SOp, readOnly: ReadonlySet<string>): boolean {
  switch (op.kind) {
    case "load":
      return readOnly.has(op.tensor);
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "convert":
      return op.scratch === undefined;
    case "store":
    case "atomic":
    case "copy":
    case "commit":
    case "wait":
    case "barrier":
    case "shared_load":
    case "shared_store":
    case "dot":
    case "for":
    case "while":
    case "if":
      return false;
    default:
      return true;
  }
}

/** The ops that `copy` depends on, in order, or the name of what keeps it from running ahead. */
function sliceOf(
  copy: CopyOp,
  body: SBlock,
  readOnly: ReadonlySet<string>,
): readonly SOp[] | string {
  const [iv, ...carried] = body.params;
  const needed = new Set(scheduledOperands(copy).map((value) => value.id));
  const slice: SOp[] = [];
  for (const op of [...body.ops].reverse()) {
    if (!scheduledResults(op).some((value) => needed.has(value.id))) continue;
    if (!mayRunAhead(op, readOnly)) return `its address needs a ${op.kind} of the same trip`;
    slice.unshift(op);
    for (const value of scheduledOperands(op)) needed.add(value.id);
  }
  const late = carried.find((value) => needed.has(value.id));
  if (late !== undefined) return `its address needs ${late.name} of the trip before`;
  return iv === undefined ? "the loop has no counter" : slice;
}

function findAhead(
  op: ForOp,
  kernel: ScheduledKernel,
  remark: (message: string, loc: Location) => void,
): Ahead {
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const copies: CopyOp[] = [];
  const needed = new Set<SOp>();
  for (const inner of op.body.ops) {
    if (inner.kind !== "copy") continue;
    const obstacle =
      inner.via === "cp.async"
        ? readOnly.has(inner.tensor)
          ? sliceOf(inner, op.body, readOnly)
          : `${inner.tensor} is written by the kernel`
        : "it is not asynchronous";
    if (typeof obstacle === "string") {
      remark(`copy of ${inner.tensor} does not run ahead: ${obstacle}`, inner.loc);
      continue;
    }
    copies.push(inner);
    for (const part of obstacle) needed.add(part);
  }
  return { copies, slice: op.body.ops.filter((inner) => needed.has(inner)) };
}

class Pipeliner {
  readonly stages = new Map<string, number>();
  readonly #kernel: ScheduledKernel;
  readonly #context: PassContext;
  readonly #most: number;
  #nextId: number;

  constructor(kernel: ScheduledKernel, context: PassContext, most: number) {
    this.#kernel = kernel;
    this.#context = context;
    this.#most = most;
    this.#nextId = nextScheduledId(kernel);
  }

  readonly block = (block: SBlock): SBlock => ({
    ...block,
    ops: block.ops.flatMap((original) => {
      const op = mapScheduledRegions(original, this.block);
      return op.kind === "for" ? this.#loop(op) : [op];
    }),
  });

  #fresh(like: SValue): SValue {
    return { ...like, id: this.#nextId++ };
  }

  #scalar(name: string, dtype: "i32" | "bool" = "i32"): SValue {
    return { id: this.#nextId++, name, type: scalarType(dtype) };
  }

  #const(ops: SOp[], value: number, loc: Location): SValue {
    const result = this.#scalar("slot");
    ops.push({ kind: "const", result, value, loc });
    return result;
  }

  #binary(
    ops: SOp[],
    fn: "add" | "mul",
    a: SValue,
    b: SValue,
    name: string,
    loc: Location,
  ): SValue {
    const result = this.#scalar(name);
    ops.push({ kind: "binary", fn, result, a, b, loc });
    return result;
  }

  #remark(message: string, loc: Location): void {
    this.#context.remark(PASS, message, loc);
  }

  #loop(op: ForOp): readonly SOp[] {
    const { stages: wanted = 1, ...plain } = op;
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
    const prologue = this.#prologue(op, iv, ahead, stages);
    const { body, inits, results } = this.#body(op, iv, ahead, stages, prologue);
    return [...prologue, { ...plain, body, inits, results }];
  }

  /** `if (counter < hi)` copies of one trip into `slot`; then closes their group, empty or not, so that groups count trips. */
  #fill(counter: SValue, op: ForOp, iv: SValue, ahead: Ahead, slot: SValue): readonly SOp[] {
    const { loc } = op;
    const inside = this.#scalar("more", "bool");
    const by = new Map<number, SValue>([[iv.id, counter]]);
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const define = (value: SValue): SValue => {
      const copy = this.#fresh(value);
      by.set(value.id, copy);
      return copy;
    };
    const slice = ahead.slice.map((part) =>
      mapScheduledResults(mapScheduledOperands(part, use), define),
    );
    const copies = ahead.copies.map((copy): SOp => {
      const moved = mapScheduledOperands(copy, use);
      return moved.kind === "copy" ? { ...moved, into: { buffer: copy.into.buffer, slot } } : moved;
    });
    return [
      { kind: "compare", fn: "lt", result: inside, a: counter, b: op.hi, loc },
      {
        kind: "if",
        results: [],
        cond: inside,
        // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
        then: { params: [], ops: [...slice, ...copies], yields: [] },
        else: { params: [], ops: [], yields: [] },
        loc,
      },
      { kind: "commit", loc },
    ];
  }

  #prologue(op: ForOp, iv: SValue, ahead: Ahead, stages: number): SOp[] {
    const ops: SOp[] = [];
    let counter = op.lo;
    for (let trip = 0; trip < stages - 1; trip++) {
      const slot = this.#const(ops, trip, op.loc);
      ops.push(...this.#fill(counter, op, iv, ahead, slot));
      if (trip < stages - 2) counter = this.#binary(ops, "add", counter, op.step, iv.name, op.loc);
    }
    return ops;
  }

  /** The next slot of the ring. */
  #advance(
    ops: SOp[],
    slot: SValue,
    one: SValue,
    count: SValue,
    zero: SValue,
    loc: Location,
  ): SValue {
    const next = this.#binary(ops, "add", slot, one, slot.name, loc);
    const wraps = this.#scalar("wraps", "bool");
    ops.push({ kind: "compare", fn: "eq", result: wraps, a: next, b: count, loc });
    const result = this.#scalar(slot.name);
    ops.push({ kind: "select", result, cond: wraps, a: zero, b: next, loc });
    return result;
  }

  #body(op: ForOp, iv: SValue, ahead: Ahead, stages: number, outer: SOp[]) {
    const { loc } = op;
    const zero = this.#const(outer, 0, loc);
    const one = this.#const(outer, 1, loc);
    const count = this.#const(outer, stages, loc);
    const first = this.#const(outer, stages - 1, loc);
    const distance = this.#binary(outer, "mul", op.step, first, "distance", loc);
    const read = this.#scalar("slot");
    const write = this.#scalar("fill");
    const ops: SOp[] = [
      { kind: "wait", pending: stages - 2, loc },
      { kind: "barrier", loc },
    ];
    const counter = this.#binary(ops, "add", iv, distance, iv.name, loc);
    ops.push(...this.#fill(counter, op, iv, ahead, write));
    const rings = new Set(ahead.copies.map((copy) => copy.into.buffer));
    const moved = new Set<SOp>(ahead.copies);
    for (const inner of op.body.ops) if (!moved.has(inner)) ops.push(readSlot(inner, rings, read));
    const nextRead = this.#advance(ops, read, one, count, zero, loc);
    const nextWrite = this.#advance(ops, write, one, count, zero, loc);
    const { params, yields } = op.body;
    return {
      body: { params: [...params, read, write], ops, yields: [...yields, nextRead, nextWrite] },
      inits: [...op.inits, zero, first],
      results: [...op.results, this.#scalar("slot"), this.#scalar("fill")],
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

function mostStages(block: SBlock): number {
  let most = 1;
  for (const op of block.ops) {
    if (op.kind === "for") most = Math.max(most, op.stages ?? 1);
    for (const region of scheduledRegions(op)) most = Math.max(most, mostStages(region));
  }
  return most;
}

/** As many slots as the loops ask for, fewer where shared memory does not hold them. */
export function pipelineLoads(kernel: ScheduledKernel, context: PassContext): ScheduledKernel {
  const quiet: PassContext = { ...context, remark: () => {} };
  const wanted = mostStages(kernel.body);
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
