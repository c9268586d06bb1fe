/** [codegen/analysis/protocol] Runs the scalar part of a kernel with the numbers of one launch, as one role, and lists its events. */
import { formatSpan } from "../../../dsl/index.ts";
import type {
  SBlock,
  ScheduledKernel,
  SFor,
  SIf,
  SOp,
  SValue,
  SWhile,
} from "../../ir/scheduled.ts";
import { evaluateScalar, type Launch } from "./evaluate-scalar.ts";
import type { ProtocolEvent } from "./events.ts";
import { type Accumulators, EventList } from "./list-events.ts";
import type { PlannedOp, WalkPlan } from "./plan-walk.ts";
import type { Resources } from "./resources.ts";

/** What is found once for all walks of a kernel. */
export interface Prepared {
  readonly resources: Resources;
  readonly plan: WalkPlan;
}

type Known = number | Accumulators;

/** Events of a role in one launch: what is longer than this is not walked. */
const MOST_EVENTS = 50_000;
/** Trips of a loop without a counter beyond those that rings should make. */
const MORE_TRIPS = 16;

/** Numbers of one case, and what stands in for those that nothing tells. */
export interface Case {
  readonly launch: Launch;
  /** Trips of loops that only their condition ends. */
  readonly trips: number;
  /** A truth that nothing tells, by the place in the source that makes it: the same wherever it is used. */
  readonly isTrue: (place: string) => boolean;
  /** Walks the side of a branch that holds a ring, whatever its condition. */
  readonly reaches: boolean;
  /** Told of each loop that is walked. */
  readonly enter: (loop: SFor) => void;
}

/** Threads of a kernel without roles are all alike: either role is theirs. */
export type Role = "producer" | "consumer";

class Walker {
  readonly list: EventList;
  gaveUp: string | undefined;
  /** A branch was taken against its condition. */
  wasBent = false;
  readonly #resources: Resources;
  readonly #plan: WalkPlan;
  readonly #case: Case;
  readonly #role: Role;
  /** By id. */
  readonly #values: (Known | undefined)[];
  #inRole = false;
  readonly #number = (value: SValue): number | undefined => {
    const known = this.#case.launch.forced.get(value.id) ?? this.#values[value.id];
    return typeof known === "number" ? known : undefined;
  };

  constructor(kernel: ScheduledKernel, { resources, plan }: Prepared, given: Case, role: Role) {
    this.#resources = resources;
    this.#plan = plan;
    this.#case = given;
    this.#role = role;
    this.#values = plan.constants.slice();
    const scope = {
      number: this.#number,
      accumulators: (value: SValue) => {
        const known = this.#values[value.id];
        return typeof known === "object" ? known : undefined;
      },
      giveUp: (message: string) => {
        this.gaveUp ??= message;
      },
    };
    this.list = new EventList(kernel, resources, scope, given.launch.rank);
  }

  run(block: SBlock): void {
    for (const planned of this.#plan.blocks.get(block) ?? []) this.#op(planned);
  }

  #set(values: readonly SValue[], known: readonly (Known | undefined)[], from = 0): void {
    for (let i = from; i < values.length; i++) {
      const value = values[i];
      if (value !== undefined) this.#values[value.id] = known[i - from];
    }
  }

  #known(values: readonly SValue[]): readonly (Known | undefined)[] {
    return values.map((value) => this.#values[value.id]);
  }

  #op({ op, isEvent, tiles, result }: PlannedOp): void {
    switch (op.kind) {
      case "for":
        this.#for(op, isEvent);
        return;
      case "while":
        this.#while(op, isEvent);
        return;
      case "if":
        this.#if(op, isEvent);
        return;
      case "roles":
        this.#roles(op);
        return;
      default:
    }
    if (op.kind === "dot" && op.instruction.kind === "wgmma") {
      this.#values[op.result.id] = this.list.addAsyncDot(op);
      return;
    }
    if (tiles.length > 0) this.list.checkReads(op, tiles);
    if (isEvent) this.list.add(op, this.#inRole);
    if (result !== undefined) {
      const known = evaluateScalar(op, this.#number, this.#case.launch);
      this.#values[result.id] = known ?? this.#opaque(op, result);
    }
  }

  /** A number for a scalar that nothing tells: any will do, as long as it is the same for all. */
  #opaque(op: SOp, { type }: SValue): number | undefined {
    switch (type.dtype) {
      case "bool":
        return Number(this.#case.isTrue(formatSpan(op.loc.span)));
      case "i32":
      case "u32":
        return this.#case.launch.other;
      default:
        return undefined;
    }
  }

  #roles(op: Extract<SOp, { kind: "roles" }>): void {
    this.#inRole = true;
    this.run(op[this.#role]);
    this.#inRole = false;
  }

  /** Walks a block without events once: its accumulators are checked, its numbers are not known. */
  #once(block: SBlock, inits: readonly SValue[]): readonly (Known | undefined)[] {
    const carried = this.#known(inits).map(withoutNumber);
    const counters = block.params.length - carried.length;
    for (const param of block.params.slice(0, counters)) this.#values[param.id] = undefined;
    this.#set(block.params, carried, counters);
    this.run(block);
    return this.#known(block.yields).map(withoutNumber);
  }

  #for(op: SFor, isEvent: boolean): void {
    if (!isEvent) {
      this.#set(op.results, this.#once(op.body, op.inits));
      return;
    }
    const [lo, hi, step] = [this.#number(op.lo), this.#number(op.hi), this.#number(op.step)];
    const isKnown = lo !== undefined && hi !== undefined && step !== undefined;
    if (!isKnown)
      this.gaveUp ??= `the bounds of the loop at ${formatSpan(op.loc.span)} are not known`;
    // The numbers of a launch are chosen for its rings: a step that they make no step of counts as on devices.
    const by = Math.max(1, step ?? 1);
    const count = isKnown ? Math.max(0, Math.ceil((hi - lo) / by)) : 0;
    this.#case.enter(op);
    let carried = this.#known(op.inits);
    const [counter] = op.body.params;
    const outer = this.list.trip;
    for (let trip = 0; trip < count; trip++) {
      if (this.list.events.length > MOST_EVENTS || this.gaveUp !== undefined) {
        this.gaveUp ??= `the loop at ${formatSpan(op.loc.span)} makes ${count} trips`;
        break;
      }
      this.list.trip = this.#label(op, outer, trip);
      if (counter !== undefined) this.#values[counter.id] = isKnown ? lo + trip * by : undefined;
      this.#set(op.body.params, carried, 1);
      this.run(op.body);
      carried = this.#known(op.body.yields);
    }
    this.list.trip = outer;
    this.#set(op.results, carried);
  }

  #label(op: SFor, outer: string, trip: number): string {
    const name = this.#resources.rings.includes(op) ? "trip" : (op.body.params[0]?.name ?? "trip");
    return outer === "" ? `${name} ${trip}` : `${outer}, ${name} ${trip}`;
  }

  #while(op: SWhile, isEvent: boolean): void {
    if (!isEvent) {
      this.#once(op.cond, op.inits);
      this.#set(op.results, this.#once(op.body, op.inits));
      return;
    }
    let carried = this.#known(op.inits);
    const outer = this.list.trip;
    for (let trip = 0; ; trip++) {
      if (this.list.events.length > MOST_EVENTS) {
        this.gaveUp ??= `the loop at ${formatSpan(op.loc.span)} makes more than ${trip} trips`;
        break;
      }
      this.list.trip = outer === "" ? `trip ${trip}` : `${outer}, trip ${trip}`;
      this.#set(op.cond.params, carried);
      this.run(op.cond);
      const [goesOn] = this.#known(op.cond.yields);
      // A launch's numbers are one for all lengths: a loop that walks over sequences may never end by them.
      const most = this.#case.trips + (goesOn === 1 ? MORE_TRIPS : 0);
      if (goesOn === 0 || trip >= most) break;
      this.#set(op.body.params, carried);
      this.run(op.body);
      carried = this.#known(op.body.yields);
    }
    this.list.trip = outer;
    this.#set(op.results, carried);
  }

  #if(op: SIf, isEvent: boolean): void {
    const cond = this.#number(op.cond);
    if (cond === undefined && !isEvent) {
      const yes = this.#once(op.then, []);
      const no = this.#once(op.else, []);
      this.#set(
        op.results,
        yes.map((known, i) => known ?? no[i]),
      );
      return;
    }
    if (cond === undefined)
      this.gaveUp ??= `the condition at ${formatSpan(op.loc.span)} is not known`;
    let block = cond === 0 ? op.else : op.then;
    const other = cond === 0 ? op.then : op.else;
    if (this.#case.reaches && this.#plan.withRings.has(other) && !this.#plan.withRings.has(block)) {
      this.wasBent = true;
      block = other;
    }
    this.run(block);
    this.#set(op.results, this.#known(block.yields));
  }
}

function withoutNumber(known: Known | undefined): Known | undefined {
  return typeof known === "object" ? known : undefined;
}

export interface Walk {
  readonly events: readonly ProtocolEvent[];
  /** Why the events are not complete, where they are not. */
  readonly gaveUp?: string;
  /** A ring was reached against a condition. */
  readonly wasBent: boolean;
}

/** What a thread of the role does in this case, in order. */
export function walkRole(
  kernel: ScheduledKernel,
  prepared: Prepared,
  given: Case,
  role: Role,
): Walk {
  const walker = new Walker(kernel, prepared, given, role);
  walker.run(kernel.body);
  const { events } = walker.list;
  const { gaveUp, wasBent } = walker;
  return gaveUp === undefined ? { events, wasBent } : { events, wasBent, gaveUp };
}
