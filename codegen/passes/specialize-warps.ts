/**
 * [codegen/passes] A loop whose copies are boxes of tensor maps: one thread copies, warpgroups multiply, a ring of slots with mbarriers
 * between them; blocks walk over the programs. Runs after choose-shared-layouts, before pipeline-loads and allocate-shared.
 */
import { DTYPES } from "../../dsl/index.ts";
import type { SBlock, ScheduledKernel, SDot, SOp, SValue } from "../ir/scheduled.ts";
import type { SMbarrierArrive } from "../ir/scheduled-roles.ts";
import { scheduledOperands, scheduledResults } from "../ir/visit-scheduled.ts";
import { registerCount } from "../layout/register-layout.ts";
import { roleRegisters } from "../schedule/role-loop.ts";
import { answer, answerSlots, slotsWanted, wishesOf } from "../schedule/wishes.ts";
import { bufferBytes, placeBuffers } from "./allocate-shared.ts";
import { hasCluster } from "./cluster-loop.ts";
import { copyRole } from "./copy-role.ts";
import { findHeld, type HeldState, HoldStores } from "./hold-stores.ts";
import { type AroundDot, LateSums, padTrips, takesLate } from "./late-sums.ts";
import { hasFeature, type PassContext } from "./pass.ts";
import { barrierRing, freeName, onlyIf } from "./ring-buffers.ts";
import {
  advance,
  findParts,
  isRingRead,
  isTensorCopy,
  type Parts,
  placeOps,
  type Ring,
  type RoleScope,
  readsFrom,
  roleOf,
  type Turn,
  WARPS_IN_GROUP,
} from "./role-parts.ts";
import { ScalarBuilder } from "./scalar-builder.ts";
import { specializeChain } from "./specialize-chain.ts";
import { addHalves, exchangeInits, exchangeOf, halfOfTrips, splitsK } from "./split-k.ts";
import { type Program, type Walk, walkPrograms } from "./walk-programs.ts";

const PASS = "specialize-warps";

/** Elements of a thread from which a product takes about as long as a load from the L2 cache: 96 columns, some 400 clocks. */
const LONG_PRODUCT = 48;

/** Whether each trip's product is waited for and added by itself. */
function isFresh({ instruction }: SDot): boolean {
  return instruction.kind === "wgmma" && instruction.fresh === true;
}

class Specializer {
  readonly #scope: RoleScope;

  constructor(scope: RoleScope) {
    this.#scope = scope;
  }

  run(): SBlock {
    const { kernel, ring, build, loc, cluster, exchange } = this.#scope;
    const consumers = kernel.numWarps / WARPS_IN_GROUP;
    const ops: SOp[] = [
      { kind: "mbarrier_init", barrier: ring.full, arrivals: 1, loc },
      { kind: "mbarrier_init", barrier: ring.empty, arrivals: consumers * this.#arrivals(), loc },
    ];
    if (exchange !== undefined) ops.push(...exchangeInits(exchange, consumers, loc));
    // 24 registers do not hold the bounds of halved programs besides, and sums of few columns need less.
    const registers = roleRegisters(consumers, exchange === undefined);
    const isTeam = cluster || exchange !== undefined;
    ops.push({ kind: isTeam ? "cluster_barrier" : "barrier", loc });
    const together = cluster ? "neighbours" : "alone";
    const walk = walkPrograms(ops, build, exchange === undefined ? together : "halves");
    ops.push({
      kind: "roles",
      producer: copyRole(this.#scope, walk),
      consumer: this.#consumers(walk),
      ...(registers === undefined ? {} : { registers }),
      loc,
    });
    // No block leaves while the other may still write into it.
    if (isTeam) ops.push({ kind: "cluster_barrier", loc });
    return { params: [], ops, yields: [] };
  }

  /** Over all programs of the block; each may leave its store to the next. */
  #consumers(walk: Walk): SBlock {
    const { held, build } = this.#scope;
    if (held === undefined)
      return roleOf(this.#scope, walk, [], (ops, program, turn) =>
        this.#consume(ops, program, turn, walk),
      );
    const hold = new HoldStores(held, build);
    const [before, behind, yields]: [SOp[], SOp[], SValue[]] = [[], [], []];
    const flat = ({ words, starts, some }: HeldState): readonly SValue[] => [
      words,
      ...starts,
      some,
    ];
    const [first, inside, last] = [hold.empty(before), hold.state(), hold.state()];
    hold.drain(behind, last);
    return roleOf(
      this.#scope,
      walk,
      [],
      (ops, program, turn) => {
        const left: HeldState[] = [];
        const end = this.#consume(ops, program, turn, walk, { hold, state: inside, left });
        yields.push(...left.flatMap(flat));
        return end;
      },
      { before, behind, inits: flat(first), params: flat(inside), results: flat(last), yields },
    );
  }

  /** The program itself, with products that read the ring. A slot is given back when the product after its own has been started. */
  #consume(
    ops: SOp[],
    { index, pids: program, isReal }: Program,
    turn: Turn,
    walk: Walk,
    holding?: {
      readonly hold: HoldStores;
      /** What the program before left. */
      readonly state: HeldState;
      /** Gets what this one leaves. */
      readonly left: HeldState[];
    },
  ): Turn {
    const { build: b, parts, loc } = this.#scope;
    const { before, loop, after, dot } = parts;
    const by = new Map<number, SValue>();
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    ops.push(...placeOps(before, program, by));
    const zero = b.constant(ops, 0, "zero");
    const at = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const last = b.scalar("last");
    const body: SOp[] = [];
    const [iv, ...carried] = loop.body.params;
    const lo = use(loop.lo);
    const inside = placeOps(loop.body.ops, program, by).filter((op) => !isTensorCopy(op));
    const { sooner, reads, later } = aroundDot(inside, dot);
    const [product] = inside.filter((op) => op.kind === "dot");
    if (product?.kind === "dot" && this.#scope.lateEnd !== undefined) {
      const arrive = (slot: SValue): SOp => this.#arrive(slot);
      const scope = { ...this.#scope, lateEnd: use(this.#scope.lateEnd) };
      const end = new LateSums(scope, { sooner, reads, later }, product, arrive).run(ops, turn, by);
      const tail = placeOps(after, program, by);
      ops.push(...(isReal === undefined ? tail : [onlyIf(isReal, tail, loc)]));
      return end;
    }
    // What else a trip needs is fetched under its product, where that takes as long, else while its tiles are waited for.
    const { layout } = dot.result;
    const isLong = layout !== undefined && registerCount(layout) >= LONG_PRODUCT;
    if (!isLong) body.push(...sooner);
    const trips = holding?.hold.trips(ops, lo, use(loop.step), holding.state);
    for (const op of product?.kind === "dot"
      ? this.#multiply(product, at, last, iv ?? lo, lo)
      : []) {
      if (op.kind === "dot") body.push(...readsFrom(reads, at.slot));
      body.push(op);
      if (op.kind === "dot" && isLong) body.push(...sooner);
      if (op.kind === "dot" && trips !== undefined)
        holding?.hold.inTrip(body, iv ?? lo, trips, holding.state);
    }
    body.push(...later);
    const next = advance(b, body, this.#scope.ring.stages, at);
    const end = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const done = b.scalar("last"); // where slots are given back a trip late
    const { stages: _, ...plain } = loop;
    const late = <T>(value: T): readonly T[] => (isFresh(dot) ? [] : [value]);
    ops.push({
      ...plain,
      lo,
      hi: use(loop.hi),
      step: use(loop.step),
      inits: [...loop.inits.map(use), turn.slot, turn.parity, ...late(zero)],
      results: [...loop.results, end.slot, end.parity, ...late(done)],
      body: {
        params: [...(iv === undefined ? [] : [iv]), ...carried, at.slot, at.parity, ...late(last)],
        ops: body,
        yields: [...loop.body.yields.map(use), next.slot, next.parity, ...late(at.slot)],
      },
    });
    const sum = loop.results[carried.findIndex((param) => param.id === dot.acc.id)];
    if (!isFresh(dot)) {
      ops.push({ kind: "dot_wait", pending: 0, done: sum === undefined ? [] : [sum], loc });
      ops.push(this.#giveBack(b.compare(ops, "lt", lo, use(loop.hi), "any"), done));
    }
    const { exchange } = this.#scope;
    if (exchange !== undefined && sum !== undefined) {
      const rest = (total: SValue): readonly SOp[] => {
        by.set(sum.id, total);
        return placeOps(after, program, by);
      };
      ops.push(...addHalves(b, exchange, walk, index, sum, rest));
      return end;
    }
    const tail = placeOps(after, program, by);
    const store = tail.at(-1);
    if (holding === undefined || trips === undefined || store?.kind !== "store") {
      ops.push(...(isReal === undefined ? tail : [onlyIf(isReal, tail, loc)]));
      return end;
    }
    const { hold, state, left } = holding;
    hold.rest(ops, use(loop.hi), trips.places, state);
    // A program past the last is another's for all that it reads; its results are held and never stored.
    ops.push(...tail.slice(0, -1));
    const one = b.constant(ops, 1, "one");
    const some = isReal === undefined ? one : b.select(ops, isReal, one, zero, "some");
    left.push(hold.take(ops, store, some));
    return end;
  }

  #giveBack(cond: SValue, slot: SValue): SOp {
    return onlyIf(cond, [this.#arrive(slot)], this.#scope.loc);
  }

  /** Arrivals of a warpgroup that is done with a slot: of each warp where its threads have read there themselves. */
  #arrivals(): number {
    const { cluster, parts } = this.#scope;
    return parts.loop.body.ops.some(isRingRead) ? WARPS_IN_GROUP : cluster ? 2 : 1;
  }

  #arrive(slot: SValue): SOp {
    const { ring, cluster, parts, loc } = this.#scope;
    const on = { buffer: ring.empty, slot };
    const hasRead = parts.loop.body.ops.some(isRingRead);
    const by: Pick<SMbarrierArrive, "warps" | "everywhere"> = hasRead
      ? { warps: true }
      : cluster
        ? { everywhere: true }
        : {};
    return { kind: "mbarrier_arrive", on, ...by, loc };
  }

  #multiply(
    dot: SDot,
    { slot, parity }: Turn,
    last: SValue,
    iv: SValue,
    lo: SValue,
  ): readonly SOp[] {
    const { build: b, ring } = this.#scope;
    const { loc } = dot;
    const operand = (x: SDot["a"]): SDot["a"] =>
      x.kind === "shared" ? { ...x, ref: { buffer: x.ref.buffer, slot } } : x;
    const moved = { ...dot, a: operand(dot.a), b: operand(dot.b) };
    const ops: SOp[] = [{ kind: "mbarrier_wait", on: { buffer: ring.full, slot }, parity, loc }];
    if (isFresh(dot)) {
      const [, ...carried] = this.#scope.parts.loop.body.params;
      const isAlone = !carried.some((param) => param.id === dot.acc.id);
      const product = isAlone ? dot.result : b.like(dot.result);
      ops.push(
        { ...moved, result: product },
        { kind: "dot_wait", pending: 0, done: [product], loc },
        this.#arrive(slot),
      );
      if (!isAlone)
        ops.push({ kind: "binary", fn: "add", result: dot.result, a: dot.acc, b: product, loc });
      return ops;
    }
    ops.push(moved, { kind: "dot_wait", pending: 1, done: [], loc });
    ops.push(this.#giveBack(b.compare(ops, "gt", iv, lo, "later"), last));
    return ops;
  }
}

/** The other ops of a trip: loads come first and what is made of them last, so that they run while the product is waited for. */
function aroundDot(ops: readonly SOp[], dot: SDot): AroundDot {
  const behind = new Set([dot.result.id]);
  const [sooner, reads, later]: [SOp[], SOp[], SOp[]] = [[], [], []];
  for (const op of ops) {
    if (op.kind === "dot") continue;
    const waits = scheduledOperands(op).some(({ id }) => behind.has(id));
    const isRead = isRingRead(op);
    if (waits || isRead || op.kind === "load")
      for (const { id } of scheduledResults(op)) behind.add(id);
    (isRead ? reads : waits ? later : sooner).push(op);
  }
  return { sooner, reads, later };
}

interface Modes
  extends Pick<RoleScope, "cluster" | "dependent" | "backwards" | "held" | "lateEnd"> {
  readonly splits: boolean;
}

function specializeWith(
  kernel: ScheduledKernel,
  parts: Parts,
  stages: number,
  { splits, ...modes }: Modes,
): ScheduledKernel {
  const ring: Ring = {
    stages,
    full: freeName(kernel, "full"),
    empty: freeName(kernel, "empty"),
    bytes: parts.copies.reduce((sum, copy) => {
      const buffer = kernel.shared.find(({ name }) => name === copy.into.buffer);
      const elements = buffer?.axes.reduce((n, axis) => n * axis.size, 1) ?? 0;
      return sum + (elements * DTYPES[buffer?.dtype ?? "f32"].bits) / 8;
    }, 0),
  };
  const filled = new Set(parts.copies.map((copy) => copy.into.buffer));
  const shared = kernel.shared.map((buffer) =>
    filled.has(buffer.name) ? { ...buffer, stages } : buffer,
  );
  const { loc } = parts.loop;
  const build = new ScalarBuilder(kernel, loc);
  const split = splits ? exchangeOf(kernel, parts) : undefined;
  const scope = {
    kernel,
    parts: splits ? halfOfTrips(parts, build) : parts,
    ring,
    build,
    loc,
    ...modes,
    ...(split === undefined ? {} : { exchange: split.exchange }),
  };
  const body = new Specializer(scope).run();
  return {
    ...kernel,
    body,
    ...(modes.cluster || splits ? ({ cluster: 2 } as const) : {}),
    shared: [
      ...shared,
      barrierRing(ring.full, stages),
      barrierRing(ring.empty, stages),
      ...(split?.shared ?? []),
    ],
  };
}

/** As many slots as the loop asks for, fewer where shared memory does not hold them. */
export function specializeWarps(given: ScheduledKernel, context: PassContext): ScheduledKernel {
  const chain = specializeChain(given, context);
  if (chain !== undefined) return chain;
  const found = findParts(given);
  if (found === undefined) return given;
  const isLate = takesLate(given, found, context);
  const kernel = isLate ? padTrips(given, found) : given;
  const parts = isLate ? (findParts(kernel) ?? found) : found;
  const { loc, stages: asked = 2 } = parts.loop;
  const tensors = parts.copies.map(({ tensor }) => tensor);
  // Both operands lie in one ring.
  const limit = context.target.maxSharedBytes;
  // A slot that is given back a trip later would leave a ring of one slot empty for ever.
  const fewest = isFresh(parts.dot) && !isLate ? 1 : 2;
  const slots = slotsWanted({ config: kernel.config, tensors, stages: asked });
  const wanted = Math.max(fewest, ...slots);
  let stages = wanted;
  const cluster = hasCluster(kernel, parts, context);
  const { backwards = true } = wishesOf(kernel);
  const dependent = hasFeature(context, "dependent-launch");
  const plain = { cluster, dependent, backwards };
  const fits = (): boolean =>
    placeBuffers(specializeWith(kernel, parts, fewest, { ...plain, splits: true })).bytes <= limit;
  const splits = !isLate && splitsK(kernel, parts, context, fits);
  const held = isLate || splits ? undefined : findHeld(kernel, parts, context);
  const modes = {
    ...plain,
    splits,
    ...(isLate ? { lateEnd: found.loop.hi } : {}),
    ...(held === undefined ? {} : { held }),
  };
  if (!backwards) answer(context, "backwards", "as asked: sums come in order", loc);
  let result = specializeWith(kernel, parts, stages, modes);
  while (stages > fewest && placeBuffers(result).bytes > limit) {
    stages--;
    result = specializeWith(kernel, parts, stages, modes);
  }
  const bytes = result.shared
    .filter((buffer) => parts.copies.some((copy) => copy.into.buffer === buffer.name))
    .reduce((sum, buffer) => sum + bufferBytes(buffer), 0);
  const fewer = stages < wanted ? ` instead of ${wanted}, which ${limit} bytes do not hold` : "";
  const why = {
    fewer: `${limit} bytes of shared memory hold no more`,
    more: `all operands lie in one ring, as long as the longest that is asked for, ${fewest} slots at least`,
  };
  answerSlots(
    { config: kernel.config, tensors },
    tensors.map(() => stages),
    why,
    parts.loop,
    context,
  );
  const groups = kernel.numWarps / WARPS_IN_GROUP;
  const message = `${groups === 1 ? "one warpgroup multiplies" : `${groups} warpgroups multiply`} while one thread copies, ${stages} slots (${bytes} bytes)${fewer}`;
  context.remark(PASS, message, loc);
  return result;
}
