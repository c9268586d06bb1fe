/**
 * [codegen/passes/roles] Two roles as one, trip by trip: loops of both that make the same trips are one loop, a tile that is copied is a load, and
 * reading its slot is reading that load. Says why where that cannot be shown. Waits and arrivals have no meaning any more.
 */
import {
  type Block,
  formatSpan,
  isExplicitOp,
  mapRegions,
  type Op,
  regions,
  type TileKernel,
  type Value,
  walkOps,
} from "../../../dsl/index.ts";
import { EqualValues } from "./equal-values.ts";

type ForOp = Extract<Op, { kind: "for" }>;
type RolesOp = Extract<Op, { kind: "roles" }>;

/** Why roles cannot be made one. */
export class Obstacle extends Error {
  readonly why: string;
  readonly op: Op;

  constructor(why: string, op: Op) {
    super(why);
    this.why = why;
    this.op = op;
  }
}

/** A tile that a use of a ring holds. */
interface Copied {
  readonly ring: string;
  readonly use: Value;
  readonly tile: Value;
}

/** What is known at a place of the text. */
interface Scope {
  readonly equal: EqualValues;
  /** Copies that were made before this place, the last one last. */
  readonly copied: readonly Copied[];
}

function holds(op: Op, kind: Op["kind"]): boolean {
  return regions(op).some((block) => {
    let found = false;
    walkOps(block, (inner) => {
      found ||= inner.kind === kind;
    });
    return found;
  });
}

function places(op: Op): string {
  return formatSpan(op.loc.span);
}

class Interleaver {
  readonly #stages: ReadonlyMap<string, number>;

  constructor(kernel: TileKernel) {
    this.#stages = new Map(
      kernel.body.ops.flatMap((op) => (op.kind === "ring" ? [[op.ring, op.stages] as const] : [])),
    );
  }

  /** Ops of both blocks up to the next loop of each, then both loops as one, and so on. */
  blocks(
    producer: Block,
    consumer: Block,
    given: Scope,
  ): { readonly ops: Op[]; readonly scope: Scope } {
    const { equal } = given;
    const copied = [...given.copied];
    const scope = { equal, copied };
    const ops: Op[] = [];
    const copying = producer.ops.filter((op) => holds(op, "copy_async"));
    const reading = consumer.ops.filter((op) => op.kind === "for" && holds(op, "slot"));
    const inLoop = copying.filter((op): op is ForOp => op.kind === "for");
    const other = copying.find((op) => op.kind !== "for");
    if (other !== undefined) throw new Obstacle("a copy stands in a branch or a while", other);
    if (inLoop.length > 0 && inLoop.length !== reading.length)
      throw new Obstacle(
        `the producer has ${inLoop.length} loops with copies, the consumer ${reading.length} that read slots`,
        inLoop[0] ?? producer.ops[0] ?? (consumer.ops[0] as Op),
      );
    const pairs = inLoop.length > 0 ? reading : [];
    let next = 0;
    for (const [i, loop] of [...inLoop, undefined].entries()) {
      const end = loop === undefined ? producer.ops.length : producer.ops.indexOf(loop);
      for (const op of producer.ops.slice(next, end)) this.#produce(op, scope, ops);
      next = end + 1;
      const partner = pairs[i];
      const from = i === 0 ? 0 : consumer.ops.indexOf(pairs[i - 1] as Op) + 1;
      const to = partner === undefined ? consumer.ops.length : consumer.ops.indexOf(partner);
      for (const op of consumer.ops.slice(from, to)) this.#consume(op, scope, ops);
      if (loop !== undefined && partner?.kind === "for")
        ops.push(this.#loops(loop, partner, scope));
    }
    return { ops, scope };
  }

  #produce(
    op: Op,
    { equal, copied }: { readonly equal: EqualValues; copied: Copied[] },
    ops: Op[],
  ): void {
    if (op.kind === "copy_async") {
      const [use, tile] = [equal.of(op.use), equal.of(op.value)];
      copied.push({ ring: op.ring, use, tile });
      return;
    }
    const stripped = this.#strip(op, { equal, copied });
    for (const one of stripped) {
      const kept = equal.see(one);
      if (kept !== undefined) ops.push(kept);
    }
  }

  #consume(
    op: Op,
    scope: { readonly equal: EqualValues; readonly copied: readonly Copied[] },
    ops: Op[],
  ): void {
    for (const one of this.#strip(op, scope)) {
      const kept = scope.equal.see(one);
      if (kept !== undefined) ops.push(kept);
    }
  }

  /** The op without what roles need alone. */
  #strip(op: Op, scope: Scope): readonly Op[] {
    const { equal } = scope;
    if (op.kind === "slot") {
      equal.equate(op.result, this.#tileOf(op, scope));
      return [];
    }
    if (op.kind === "dot_wait") {
      for (const [i, result] of op.results.entries()) {
        const x = op.xs[i];
        if (x !== undefined) equal.equate(result, x);
      }
      return [];
    }
    if (isExplicitOp(op) && op.kind !== "walk") return [];
    if (op.kind === "dot" && op.async === true) {
      const { async: _, ...plain } = op;
      return [plain];
    }
    if (regions(op).length === 0) return [op];
    const inside = mapRegions(op, (block) => {
      const inner = { equal: equal.inner(), copied: scope.copied };
      const ops: Op[] = [];
      for (const one of block.ops) this.#consume(one, inner, ops);
      return { params: block.params, ops, yields: block.yields.map(inner.equal.of) };
    });
    const isEmpty =
      "results" in inside &&
      inside.results.length === 0 &&
      regions(inside).every((block) => block.ops.length === 0);
    return isEmpty ? [] : [inside];
  }

  #tileOf(op: Extract<Op, { kind: "slot" }>, { equal, copied }: Scope): Value {
    const found = copied.findLast(({ ring, use }) => ring === op.ring && equal.isSame(use, op.use));
    if (found !== undefined) return found.tile;
    throw new Obstacle(
      `it cannot be shown which copy into ${op.ring} the consumer reads at ${places(op)}: no use in the producer's trip is the same number`,
      op,
    );
  }

  /** Two loops of the same trips as one. Values that both carry alike are carried once. */
  #loops(p: ForOp, c: ForOp, { equal, copied }: Scope): ForOp {
    const [lo, hi, step] = [
      [p.lo, c.lo],
      [p.hi, c.hi],
      [p.step, c.step],
    ].map(([a, b]) => equal.isSame(a, b));
    if (lo !== true || hi !== true || step !== true)
      throw new Obstacle(
        `the loops at ${places(p)} and ${places(c)} cannot be shown to make the same trips`,
        c,
      );
    const wrong = new Set<string>();
    for (;;) {
      const pairs = this.#alike(p, c, equal, wrong);
      const inner = equal.inner();
      const [[pIv, ...pParams], [cIv, ...cParams]] = [p.body.params, c.body.params];
      if (pIv !== undefined && cIv !== undefined) inner.equate(cIv, pIv);
      for (const [j, i] of pairs) {
        const [param, other] = [cParams[j], pParams[i]];
        if (param !== undefined && other !== undefined) inner.equate(param, other);
      }
      const { ops, scope } = this.blocks(p.body, c.body, { equal: inner, copied });
      const broken = [...pairs].filter(
        ([j, i]) => !scope.equal.isSame(c.body.yields[j], p.body.yields[i]),
      );
      for (const [j, i] of broken) wrong.add(`${j} ${i}`);
      if (broken.length > 0) continue;
      for (const [j, i] of pairs) {
        const [result, other] = [c.results[j], p.results[i]];
        if (result !== undefined && other !== undefined) equal.equate(result, other);
      }
      const own = <T>(list: readonly T[]): readonly T[] => list.filter((_, j) => !pairs.has(j));
      const yields = [...p.body.yields, ...own(c.body.yields)].map(scope.equal.of);
      const params = [...(pIv === undefined ? [] : [pIv]), ...pParams, ...own(cParams)];
      return {
        ...c,
        lo: equal.of(p.lo),
        hi: equal.of(p.hi),
        step: equal.of(p.step),
        results: [...p.results, ...own(c.results)],
        inits: [...p.inits, ...own(c.inits)].map(equal.of),
        body: { params, ops, yields },
        hints: { ...this.#stagesOf(p), ...p.hints, ...c.hints },
      };
    }
  }

  /** Carried values of the consumer that begin as one of the producer's, by their places. */
  #alike(
    p: ForOp,
    c: ForOp,
    equal: EqualValues,
    wrong: ReadonlySet<string>,
  ): ReadonlyMap<number, number> {
    const pairs = new Map<number, number>();
    for (const [j, init] of c.inits.entries()) {
      const i = p.inits.findIndex(
        (other, at) =>
          equal.isSame(init, other) &&
          !wrong.has(`${j} ${at}`) &&
          ![...pairs.values()].includes(at),
      );
      if (i >= 0) pairs.set(j, i);
    }
    return pairs;
  }

  /** As many loads ahead as the shortest ring has slots. */
  #stagesOf({ body }: ForOp): { readonly stages?: number } {
    const slots = body.ops.flatMap((op) =>
      op.kind === "copy_async" ? [this.#stages.get(op.ring) ?? 1] : [],
    );
    const stages = Math.min(...slots);
    return slots.length > 0 && stages > 1 ? { stages } : {};
  }
}

/** Ops that stand for the roles, whose names the ops before it have seen. @throws Obstacle where trips and uses cannot be shown to be the same */
export function interleaveRoles(kernel: TileKernel, roles: RolesOp): readonly Op[] {
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const equal = new EqualValues(readOnly);
  for (const op of kernel.body.ops) if (op !== roles) equal.see(op);
  const scope = { equal, copied: [] };
  return new Interleaver(kernel).blocks(roles.producer, roles.consumer, scope).ops;
}
