/**
 * [codegen/passes] Products whose sums are taken up one trip late: while a warpgroup adds, its next product already runs. Trips go in
 * bursts, within which no product is in flight over the end of the loop: the assembler lets none overlap there. Used by specialize-warps.
 */
import { invariant } from "../../dsl/index.ts";
import type { ScheduledKernel, SDot, SFor, SOp, SValue } from "../ir/scheduled.ts";
import { scheduledOperands, scheduledResults } from "../ir/visit-scheduled.ts";
import { registerCount } from "../layout/register-layout.ts";
import { mostAccumulators } from "../schedule/role-loop.ts";
import { answer, wishesOf } from "../schedule/wishes.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import type { PassContext } from "./pass.ts";
import {
  advance,
  isOperand,
  type Parts,
  type RoleScope,
  readsFrom,
  type Turn,
  WARPS_IN_GROUP,
} from "./role-parts.ts";
import { ScalarBuilder } from "./scalar-builder.ts";

/** What a trip's sums are made of: ops before its product, reads of its slot, and what is made of both. */
export interface AroundDot {
  readonly sooner: readonly SOp[];
  readonly reads: readonly SOp[];
  readonly later: readonly SOp[];
}

/** Whether the boxes of trips past the last one lie past the tensors: what they walk along ends where the loop does. */
function reachesEnd(
  { params, fixedDims }: ScheduledKernel,
  { before, loop, copies, dot }: Parts,
): boolean {
  const [iv] = loop.body.params;
  const end = before.find((op) => scheduledResults(op).some(({ id }) => id === loop.hi.id));
  const operands = copies.filter(({ into }) => isOperand(dot, into.buffer));
  return operands.every(({ tensor, at }) => {
    const param = params.find(({ name }) => name === tensor);
    const dim = at.findIndex((index) => index.kind === "span" && index.start.id === iv?.id);
    const walked = param?.kind === "tensor" ? param.shape[dim] : undefined;
    if (walked === undefined) return false;
    if (end?.kind === "dim") return end.dim === walked.name;
    const size = walked.size ?? fixedDims[walked.name ?? ""];
    return end?.kind === "const" && size !== undefined && end.value >= size;
  });
}

/** Whether a trip whose product is 0 changes nothing: its product, or that times something, is added to the sum. */
function onlyAdds({ dot, loop }: Parts): boolean {
  const [, acc] = loop.body.params;
  if (acc === undefined || acc.id === dot.acc.id) return true;
  const products = new Set([dot.result.id]);
  let sum: SValue | undefined;
  for (const op of loop.body.ops) {
    if (op.kind === "cast" || op.kind === "broadcast" || op.kind === "relabel") {
      if (products.has(op.x.id)) products.add(op.result.id);
    } else if (op.kind === "binary" && op.fn === "mul") {
      if (products.has(op.a.id) || products.has(op.b.id)) products.add(op.result.id);
    } else if (op.kind === "binary" && op.fn === "add") {
      const other = op.a.id === acc.id ? op.b : op.b.id === acc.id ? op.a : undefined;
      if (other !== undefined && products.has(other.id)) sum = op.result;
    }
  }
  return sum !== undefined && sum.id === loop.body.yields[0]?.id;
}

function obstacle(kernel: ScheduledKernel, parts: Parts): string | undefined {
  const { dot, loop } = parts;
  const { layout } = dot.result;
  const isFresh = dot.instruction.kind === "wgmma" && dot.instruction.fresh === true;
  if (!isFresh || layout === undefined) return "sums stay where the products are added up";
  if (loop.body.params.length !== 2) return "the loop carries more than a sum";
  if (!onlyAdds(parts)) return "a trip does more than add its product";
  if (!reachesEnd(kernel, parts)) return "trips past the last one would read what lies behind it";
  const count = registerCount(layout);
  if (3 * count > mostAccumulators(kernel.numWarps / WARPS_IN_GROUP))
    return `two products and a sum of ${count} elements each do not fit into a thread's registers`;
  return undefined;
}

/** Whether sums are taken up late: where the schedule asks for it and registers allow it. */
export function takesLate(kernel: ScheduledKernel, parts: Parts, context: PassContext): boolean {
  const { lateSums } = wishesOf(kernel);
  if (lateSums === undefined) return false;
  const why = lateSums ? obstacle(kernel, parts) : undefined;
  const message = why === undefined ? "as asked" : `not as asked: ${why}`;
  answer(context, "lateSums", message, parts.loop.loc);
  return lateSums && why === undefined;
}

/** Trips of a burst: each but the last is added under the product of the next. */
const BURST = 4;

/** The kernel with whole bursts of trips: boxes of those that are added lie past the tensors, and bring zeros. */
export function padTrips(kernel: ScheduledKernel, { before, loop, after }: Parts): ScheduledKernel {
  const b = new ScalarBuilder(kernel, loop.loc);
  const ops: SOp[] = [];
  const { lo, hi, step } = loop;
  const burst = b.binary(ops, "mul", step, b.constant(ops, BURST, "trips"), "burst");
  const most = b.binary(ops, "sub", burst, b.constant(ops, 1, "one"), "t");
  const span = b.binary(ops, "add", b.binary(ops, "sub", hi, lo, "t"), most, "t");
  const bursts = b.binary(ops, "floordiv", span, burst, "bursts");
  const end = b.binary(ops, "add", lo, b.binary(ops, "mul", bursts, burst, "t"), "end");
  const padded: SFor = { ...loop, hi: end };
  return { ...kernel, body: { ...kernel.body, ops: [...before, ...ops, padded, ...after] } };
}

/** A product that runs, what its sum needs besides (scales of its trip), and the slot that it reads. */
interface Started {
  readonly product: SValue;
  readonly sides: readonly SValue[];
  readonly slot: SValue;
}

export class LateSums {
  readonly #scope: RoleScope;
  readonly #around: AroundDot;
  readonly #dot: SDot;
  readonly #arrive: (slot: SValue) => SOp;
  /** Values of a trip that its sum needs when the next trip has begun. */
  readonly #sides: readonly SValue[];

  /** @param around of the loop's body, placed in this program */
  constructor(scope: RoleScope, around: AroundDot, dot: SDot, arrive: (slot: SValue) => SOp) {
    this.#scope = scope;
    this.#around = around;
    this.#dot = dot;
    this.#arrive = arrive;
    const made = new Map(
      [...around.sooner, ...around.reads]
        .flatMap(scheduledResults)
        .map((value) => [value.id, value] as const),
    );
    const read = around.later.flatMap((op) => scheduledOperands(op)).map(({ id }) => id);
    this.#sides = [...new Set(read)].flatMap((id) => made.get(id) ?? []);
  }

  /**
   * The loop of a program, over bursts.
   * @param by knows the values of this program
   */
  run(ops: SOp[], turn: Turn, by: Map<number, SValue>): Turn {
    const { build: b, parts, loc } = this.#scope;
    const { loop } = parts;
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const [iv, acc] = loop.body.params;
    const [[init], [result]] = [loop.inits, loop.results];
    invariant(
      iv !== undefined && acc !== undefined && init !== undefined && result !== undefined,
      () => "a loop of late sums carries a sum",
    );
    const step = use(loop.step);
    const body: SOp[] = [];
    const inside = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const after = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const { sum, turn: next } = this.#burst(body, iv, step, acc, inside);
    const trips = b.constant(ops, BURST, "trips");
    ops.push({
      kind: "for",
      results: [result, after.slot, after.parity],
      lo: use(loop.lo),
      hi: use(loop.hi),
      step: b.binary(ops, "mul", step, trips, "burst"),
      inits: [use(init), turn.slot, turn.parity],
      body: {
        params: [iv, acc, inside.slot, inside.parity],
        ops: body,
        yields: [sum, next.slot, next.parity],
      },
      loc,
    });
    return after;
  }

  #burst(
    ops: SOp[],
    iv: SValue,
    step: SValue,
    acc: SValue,
    begin: Turn,
  ): { readonly sum: SValue; readonly turn: Turn } {
    const { build: b, ring, loc } = this.#scope;
    let [sum, turn, place] = [acc, begin, iv];
    let running: Started | undefined;
    const take = ({ product, slot, ...rest }: Started, pending: number): void => {
      ops.push({ kind: "dot_wait", pending, done: [product], loc }, this.#arrive(slot));
      sum = this.#add(ops, sum, { product, slot, ...rest });
    };
    for (let trip = 0; trip < BURST; trip++) {
      const at = trip === 0 ? iv : this.#real(ops, place, iv);
      const started = this.#product(ops, at, turn);
      if (running !== undefined) {
        take(running, 1);
        // The sum is in registers before the registers of the product that it read are those of another.
        ops.push({ kind: "dot_wait", pending: 1, done: [sum], loc });
      }
      running = started;
      turn = advance(b, ops, ring.stages, turn);
      if (trip + 1 < BURST) place = b.binary(ops, "add", place, step, "place");
    }
    if (running !== undefined) take(running, 0);
    return { sum, turn };
  }

  /** The place of a trip, or of the burst's first where it was added to fill the burst: its product is 0 whatever the scales. */
  #real(ops: SOp[], iv: SValue, first: SValue): SValue {
    const { build: b, lateEnd } = this.#scope;
    invariant(lateEnd !== undefined, () => "the end of the trips is not known");
    return b.select(ops, b.compare(ops, "lt", iv, lateEnd, "real"), iv, first, iv.name);
  }

  #product(ops: SOp[], iv: SValue, { slot, parity }: Turn): Started {
    const { build: b, parts, ring } = this.#scope;
    const { loc } = this.#dot;
    const by: Renaming = new Map();
    const [counter] = parts.loop.body.params;
    if (counter !== undefined) by.set(counter.id, iv);
    ops.push(...cloneOps(this.#around.sooner, by, b));
    ops.push({ kind: "mbarrier_wait", on: { buffer: ring.full, slot }, parity, loc });
    ops.push(...readsFrom(cloneOps(this.#around.reads, by, b), slot));
    const operand = (x: SDot["a"]): SDot["a"] =>
      x.kind === "shared" ? { ...x, ref: { buffer: x.ref.buffer, slot } } : x;
    const { a, b: columns, result } = this.#dot;
    const [product, acc] = [b.like(result), b.like(result)];
    ops.push({ kind: "const", result: acc, value: 0, loc });
    ops.push({ ...this.#dot, a: operand(a), b: operand(columns), acc, result: product });
    return { product, sides: this.#sides.map((value) => renamed(by, value)), slot };
  }

  /** The sum with a product that has ended. */
  #add(ops: SOp[], sum: SValue, { product, sides }: Started): SValue {
    const { build: b, parts } = this.#scope;
    const { loop } = parts;
    const [, acc] = loop.body.params;
    const [yielded] = loop.body.yields;
    invariant(acc !== undefined && yielded !== undefined, () => "no sum is carried");
    const isOwn = acc.id === this.#dot.acc.id;
    if (isOwn) {
      const added = b.like(acc);
      ops.push({ kind: "binary", fn: "add", result: added, a: sum, b: product, loc: loop.loc });
      return added;
    }
    const by: Renaming = new Map([
      [acc.id, sum],
      [this.#dot.result.id, product],
      ...this.#sides.map((value, i) => [value.id, sides[i] ?? value] as const),
    ]);
    ops.push(...cloneOps(this.#around.later, by, b));
    return renamed(by, yielded);
  }
}
