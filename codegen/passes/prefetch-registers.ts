/**
 * [codegen/passes] Loops with `stages`: tiles that are loaded to registers are loaded some trips before they are used. Runs before
 * pipeline-loads, which takes care of copies to shared memory and of the tables that their addresses come from.
 */
import { DTYPES, type Location, scalarType } from "../../dsl/index.ts";
import { type ForOp, findAhead, findEarlyLoads, type LoadOp } from "../analysis/run-ahead.ts";
import type { SBlock, ScheduledKernel, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  mapScheduledRegions,
  mapScheduledResults,
  nextScheduledId,
} from "../ir/visit-scheduled.ts";
import { registerCount } from "../layout/register-layout.ts";
import type { PassContext } from "./pass.ts";

const PASS = "prefetch-registers";
/** 32-bit registers of a thread that tiles under way may take. */
const MAX_REGISTERS = 64;
/** More trips than this ahead cost registers and gain nothing: other warps hide the rest. */
const MAX_DISTANCE = 3;

function wordsOf(load: LoadOp): number {
  const { layout, type } = load.result;
  return layout === undefined ? 0 : (registerCount(layout) * DTYPES[type.dtype].bits) / 32;
}

function wordsOfAll(loads: readonly LoadOp[]): number {
  return Math.max(1, Math.ceil(loads.reduce((sum, load) => sum + wordsOf(load), 0)));
}

interface Early {
  readonly loads: readonly LoadOp[];
  /** Ops that the loads need, themselves included. */
  readonly slice: readonly SOp[];
  /** Trips between a load and its use. */
  readonly distance: number;
}

class Prefetcher {
  readonly #kernel: ScheduledKernel;
  readonly #context: PassContext;
  #nextId: number;

  constructor(kernel: ScheduledKernel, context: PassContext) {
    this.#kernel = kernel;
    this.#context = context;
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

  #scalar(name: string, dtype: "i32" | "bool"): SValue {
    return { id: this.#nextId++, name, type: scalarType(dtype) };
  }

  #plan(op: ForOp): Early | undefined {
    const stages = op.stages ?? 1;
    if (stages < 2) return undefined;
    const ahead = findAhead(op, this.#kernel, () => {});
    const most = ahead.copies.length > 0 ? 1 : Math.min(stages - 1, MAX_DISTANCE);
    const all = findEarlyLoads(op, this.#kernel, ahead, () => true);
    if (all.loads.length === 0) return undefined;
    const fits = ({ loads }: { readonly loads: readonly LoadOp[] }): number =>
      Math.min(most, Math.floor(MAX_REGISTERS / wordsOfAll(loads)));
    // Where not all can, those that come from far away do: what is streamed once is in no cache.
    const streamed = findEarlyLoads(
      op,
      this.#kernel,
      ahead,
      (load) => load.hints?.evict === "first",
    );
    const best = fits(all) < most && streamed.loads.length > 0 ? streamed : all;
    const { loads, slice } = best;
    const words = wordsOfAll(loads);
    const distance = fits(best);
    const names = loads.map((load) => load.tensor).join(", ");
    const message =
      distance === 0
        ? `loads of ${names} stay in their trip: ${words} registers a thread are too many to hold twice`
        : `loads of ${names} run ${distance} trips ahead in ${words * distance} registers a thread`;
    this.#context.remark(PASS, message, op.loc);
    return distance === 0 ? undefined : { loads, slice, distance };
  }

  #add(ops: SOp[], a: SValue, b: SValue, loc: Location): SValue {
    const result = this.#scalar(a.name, "i32");
    ops.push({ kind: "binary", fn: "add", result, a, b, loc });
    return result;
  }

  /** What the loads of the trip `counter` give, if there is such a trip. */
  #load(ops: SOp[], counter: SValue, op: ForOp, iv: SValue, early: Early): readonly SValue[] {
    const { loc } = op;
    const by = new Map<number, SValue>([[iv.id, counter]]);
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const define = (value: SValue): SValue => {
      const copy = this.#fresh(value);
      by.set(value.id, copy);
      return copy;
    };
    const slice = early.slice.map((part) =>
      mapScheduledResults(mapScheduledOperands(part, use), define),
    );
    const loaded = early.loads.map((load) => use(load.result));
    const empty = early.loads.map((load) => this.#fresh(load.result));
    const fills = early.loads.map((load, i): SOp => {
      const result = empty[i] ?? load.result;
      return { kind: "const", result, value: load.fill, loc: load.loc };
    });
    const cond = this.#scalar("more", "bool");
    ops.push({ kind: "compare", fn: "lt", result: cond, a: counter, b: op.hi, loc });
    const results = early.loads.map((load) => this.#fresh(load.result));
    ops.push({
      kind: "if",
      results,
      cond,
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      then: { params: [], ops: slice, yields: loaded },
      else: { params: [], ops: fills, yields: empty },
      loc,
    });
    return results;
  }

  #loop(op: ForOp): readonly SOp[] {
    const early = this.#plan(op);
    const [iv] = op.body.params;
    if (early === undefined || iv === undefined) return [op];
    const { loc } = op;
    const outer: SOp[] = [];
    const first: SValue[] = [];
    let counter = op.lo;
    let reach: SValue | undefined;
    for (let trip = 0; trip < early.distance; trip++) {
      first.push(...this.#load(outer, counter, op, iv, early));
      counter = this.#add(outer, counter, op.step, loc);
      reach = reach === undefined ? op.step : this.#add(outer, reach, op.step, loc);
    }
    const carried = first.map((value) => this.#fresh(value));
    const by = new Map(early.loads.map((load, i) => [load.result.id, carried[i] ?? load.result]));
    const ops: SOp[] = [];
    const later = this.#add(ops, iv, reach ?? op.step, loc);
    const next = this.#load(ops, later, op, iv, early);
    const gone = new Set<SOp>(early.loads);
    for (const inner of op.body.ops) if (!gone.has(inner)) ops.push(replaceReads(inner, by));
    const yields = op.body.yields.map((value) => by.get(value.id) ?? value);
    const moved = [...carried.slice(early.loads.length), ...next];
    const body = {
      params: [...op.body.params, ...carried],
      ops,
      yields: [...yields, ...moved],
    };
    const inits = [...op.inits, ...first];
    const results = [...op.results, ...carried.map((value) => this.#fresh(value))];
    return [...outer, { ...op, body, inits, results }];
  }
}

/** Other values for reads, also in the blocks inside. */
function replaceReads(op: SOp, by: ReadonlyMap<number, SValue>): SOp {
  const use = (value: SValue): SValue => by.get(value.id) ?? value;
  return mapScheduledRegions(mapScheduledOperands(op, use), (block) => ({
    ...block,
    ops: block.ops.map((inner) => replaceReads(inner, by)),
    yields: block.yields.map(use),
  }));
}

export function prefetchRegisters(kernel: ScheduledKernel, context: PassContext): ScheduledKernel {
  return { ...kernel, body: new Prefetcher(kernel, context).block(kernel.body) };
}
