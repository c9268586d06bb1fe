/** [dsl/frontend] Calls of the third tier: shared memory, barriers, asynchronous copies and dots, roles. What may stand where is checked here. */
import { DTYPES, type DType } from "../core/dtype.ts";
import type { BarrierOp, RingOp } from "../ir/explicit.ts";
import type { TensorParam } from "../ir/nodes.ts";
import { type Axis, formatType, sameAxes, type Value } from "../ir/types.ts";
import {
  type AbstractValue,
  constant,
  describe,
  type FunctionValue,
  knownNumber,
  knownValue,
  runtime,
  UNDEFINED,
} from "./abstract-value.ts";
import type { Options } from "./arguments.ts";
import { materializeIndex } from "./coerce.ts";
import * as memory from "./emit-memory.ts";
import * as tiles from "./emit-tile.ts";
import { refuseBesideRoles } from "./last-arrival.ts";
import { NamedArguments } from "./named-arguments.ts";
import { refuseEarlyReads, refuseInProducer } from "./role-rules.ts";

type Role = "producer" | "consumer";

export class ExplicitCall extends NamedArguments {
  /** @throws TW1220 where the call does not stand in a role, or not in the one that may make it */
  #inRole(...allowed: readonly Role[]): void {
    const { role } = this.lw;
    if (role !== undefined && allowed.includes(role)) return;
    const only = allowed.length === 1 ? `the ${allowed[0]} of roles()` : "a role of roles()";
    this.fail("TW1220", {
      message: `${this.name}() stands outside of its place`,
      seen: role === undefined ? "a call outside of roles()" : `a call in the ${role}`,
      expected: `a call in ${only}`,
      remedy: `move it into ${only}`,
    });
  }

  /** @throws TW1220 where the call does not stand at the top level of the body */
  #atTop(): void {
    const isAhead = !this.lw.builder.has("roles");
    if (this.lw.role === undefined && this.lw.builder.depth === 1 && isAhead) return;
    this.fail("TW1220", {
      message: `${this.name}() stands outside of its place`,
      seen: isAhead ? "a call in a role, a loop or a branch" : "a call behind roles()",
      expected:
        this.name === "roles"
          ? "one call at the top level of the body"
          : "a call at the top level of the body, ahead of roles()",
      remedy: isAhead
        ? "move it out, to the top level of the body"
        : "a body has one roles(): put what belongs to a role into it, memory ahead of it",
    });
  }

  /** A list of dims with sizes known at compile time. */
  dimList(index: number): readonly Axis[] {
    const given = this.argument(index, "dims");
    if (given.kind !== "array" || given.items.length === 0)
      return this.wrong(index, "dims", "a list of dims", "write [BM, BK]");
    const { loc } = this.given(index, "dims");
    const items = given.items.map((value) => ({ value, loc }));
    const axes = new NamedArguments(this.lw, this.op, items, this.place).dims(0);
    tiles.requireDistinct(this.lw, axes, loc);
    return axes;
  }

  #count(options: Options, name: string): number {
    const given = options[name];
    if (given === undefined) return 1;
    return new NamedArguments(this.lw, this.op, [given], this.place).integer(0, name, 1);
  }

  #named(fallback: string, taken: (name: string) => boolean): string {
    const wish = this.lw.wish ?? fallback;
    let name = wish;
    for (let n = 2; taken(name); n++) name = `${wish}_${n}`;
    return name;
  }

  shared(axes: readonly Axis[], dtype: DType, options: Options): AbstractValue {
    this.#atTop();
    const { builder } = this.lw;
    const ring = this.#named("tiles", (name) => builder.named("ring", name));
    const { loc } = this.place;
    const parts = { ring, dtype, axes, stages: this.#count(options, "stages"), loc };
    builder.effect("ring", parts);
    return { kind: "shared", ring: { kind: "ring", ...parts } };
  }

  barrier(options: Options): AbstractValue {
    this.#atTop();
    const { builder } = this.lw;
    const barrier = this.#named("barrier", (name) => builder.named("barrier", name));
    const [stages, arrivals] = [this.#count(options, "stages"), this.#count(options, "arrivals")];
    const parts = { barrier, stages, arrivals, loc: this.place.loc };
    builder.effect("barrier", parts);
    return { kind: "barrier", barrier: { kind: "barrier", ...parts } };
  }

  #barrierAt(index: number): BarrierOp {
    const given = this.argument(index, "barrier");
    if (given.kind === "barrier") return given.barrier;
    return this.wrong(index, "barrier", "what barrier() gave", "pass the barrier itself");
  }

  #ringAt(index: number): RingOp {
    const given = this.argument(index, "shared");
    if (given.kind === "shared") return given.ring;
    return this.wrong(index, "shared", "what shared() gave", "pass the shared memory itself");
  }

  #use(index: number): Value {
    const { value, loc } = this.given(index, "use");
    return materializeIndex(this.lw, value, `'use' of ${this.name}()`, loc);
  }

  barrierWait(): AbstractValue {
    this.#inRole("producer", "consumer");
    const { barrier } = this.#barrierAt(0);
    this.lw.builder.effect("barrier_wait", { barrier, use: this.#use(1), loc: this.place.loc });
    return UNDEFINED;
  }

  barrierArrive(): AbstractValue {
    this.#inRole("consumer");
    const { barrier } = this.#barrierAt(0);
    this.lw.builder.effect("barrier_arrive", { barrier, use: this.#use(1), loc: this.place.loc });
    return UNDEFINED;
  }

  barrierExpect(): AbstractValue {
    this.#inRole("producer");
    const { barrier } = this.#barrierAt(0);
    const bytes = this.integer(2, "bytes", 0);
    const parts = { barrier, use: this.#use(1), bytes, loc: this.place.loc };
    this.lw.builder.effect("barrier_arrive", parts);
    return UNDEFINED;
  }

  /** @throws TW1223 where the tile is not what the ring holds */
  copyAsync(tensor: TensorParam, target: memory.Addressed): AbstractValue {
    this.#inRole("producer");
    const ring = this.#ringAt(2);
    const { barrier } = this.#barrierAt(4);
    const { loc } = this.place;
    if (tensor.dtype !== ring.dtype || !sameAxes(target.axes, ring.axes))
      this.fail("TW1223", {
        message: "the tile is not of the kind that the shared memory holds",
        seen: `${formatType({ dtype: tensor.dtype, axes: target.axes })} for ${ring.ring}: ${formatType(ring)}`,
        expected: "the same dtype, and the same dims in the same order",
        remedy: "make the shared memory of the dims that the copy brings: shared([BM, BK], T)",
      });
    const none = { fill: undefined, limit: undefined, mask: undefined, hints: {} };
    const place = { loc, hint: `${tensor.name}_tile` };
    const value = memory.load(this.lw, target, none, place);
    if (value.kind !== "value") return this.lw.unwind();
    const parts = { ring: ring.ring, use: this.#use(3), value: value.value, barrier, loc };
    this.lw.builder.effect("copy_async", parts);
    return UNDEFINED;
  }

  slot(how: { readonly registers?: true } = {}): AbstractValue {
    this.#inRole("consumer");
    const { ring, dtype, axes } = this.#ringAt(0);
    const parts = { ring, use: this.#use(1), ...how, loc: this.place.loc };
    return runtime(this.lw.builder.op("slot", { dtype, axes }, ring, parts));
  }

  slotBytes(): AbstractValue {
    const { dtype, axes } = this.#ringAt(0);
    const elements = axes.reduce((n, axis) => n * axis.size, 1);
    return constant(Math.ceil((elements * DTYPES[dtype].bits) / 8));
  }

  dotAsync(a: Value, b: Value, acc: AbstractValue | undefined): AbstractValue {
    this.#inRole("consumer");
    return tiles.dot(this.lw, a, b, acc, this.place, { async: true });
  }

  dotWait(pending: number, x: Value | undefined): AbstractValue {
    this.#inRole("consumer");
    const { loc } = this.place;
    const { builder } = this.lw;
    const xs = x === undefined ? [] : [x];
    const results = xs.map((value) => builder.value(value.type, value.name));
    builder.region({ kind: "dot_wait", results, xs, pending, loc });
    const [result] = results;
    return result === undefined ? UNDEFINED : runtime(result);
  }

  /** @throws TW1222 where the kernel asks for its program by pid(), too, TW1225 where it asks for programs in two ways */
  programs(options: Options): AbstractValue {
    this.#inRole("producer", "consumer");
    const { builder } = this.lw;
    const { loc } = this.place;
    if (builder.has("pid")) this.mixedPrograms();
    const counted = this.#taking(options) === "counted" ? ({ counted: true } as const) : {};
    const number = (what: "first" | "total" | "blocks", name: string): AbstractValue =>
      runtime(builder.once("walk", "i32", name, { what, ...counted, loc }));
    const [lo, hi] = [number("first", "first"), number("total", "programs")];
    return { kind: "range", lo, hi, step: number("blocks", "blocks"), hints: {} };
  }

  /** @throws TW1225 where the kernel has asked for them otherwise */
  #taking(options: Options): "counted" | "in turn" {
    const taking = this.#flag(options, "counted") ? "counted" : "in turn";
    const before = this.lw.taking ?? taking;
    this.lw.taking = taking;
    if (before === taking) return taking;
    return this.fail("TW1225", {
      message: "the roles of a block would take different programs",
      seen: `programs() that are ${before === "counted" ? "counted" : "taken in turn"} in one place, ${taking === "counted" ? "counted" : "taken in turn"} here`,
      expected: "the same in both roles",
      remedy: "write programs({ counted: true }) in both, or in neither",
    });
  }

  #flag(options: Options, name: string): boolean {
    const given = options[name];
    const known = given === undefined ? false : knownValue(this.lw.good(given.value));
    if (typeof known === "boolean") return known;
    return this.fail("TW1202", {
      message: `'${name}' of ${this.name}() is of the wrong kind`,
      seen: given === undefined ? "nothing" : describe(given.value),
      expected: "true or false, known at compile time",
      remedy: "write it as a literal or as a config value",
    });
  }

  protected mixedPrograms(): never {
    return this.fail("TW1222", {
      message: "programs() and pid() say which program it is in two ways",
      seen: `${this.name}() in a kernel with ${this.name === "pid" ? "programs()" : "pid()"}`,
      expected: "one of them",
      remedy: "take the number that the loop over programs() gives, in place of pid()",
    });
  }

  #body(role: Role): FunctionValue {
    const given = this.argument(0, "roles");
    const found = given.kind === "object" ? given.fields[role] : undefined;
    if (found?.kind === "function") return found;
    return this.wrong(
      0,
      "roles",
      "an object with two function literals, producer and consumer",
      "write { producer: () => { … }, consumer: () => { … } }",
    );
  }

  #registers(
    options: Options,
  ): { readonly producer: number; readonly consumer: number } | undefined {
    const given = options["registers"];
    if (given === undefined) return undefined;
    const of = (role: Role): number => {
      const field = given.value.kind === "object" ? given.value.fields[role] : undefined;
      const known = field === undefined ? undefined : knownNumber(this.lw.good(field));
      if (known !== undefined && known % 8 === 0 && known >= 24 && known <= 240) return known;
      return this.fail(
        "TW1202",
        {
          message: "'registers' of roles() is of the wrong kind",
          seen: field === undefined ? describe(given.value) : describe(field),
          expected: "a multiple of 8 from 24 to 240 for each role",
          remedy: "write { registers: { producer: 24, consumer: 240 } }, or leave it out",
        },
        given.loc,
      );
    };
    return { producer: of("producer"), consumer: of("consumer") };
  }

  roles(options: Options): AbstractValue {
    this.#atTop();
    const { lw } = this;
    if (lw.arrives) refuseBesideRoles(lw, this.place.loc, "ahead of roles()");
    const warpgroups = this.#count(options, "warpgroups");
    const registers = this.#registers(options);
    const run = (role: Role) => {
      const body = this.#body(role);
      lw.role = role;
      try {
        const { block } = lw.builder.block([], () => lw.steps.call(lw, body, [], this.place));
        return lw.builder.close(block, []);
      } finally {
        lw.role = undefined;
      }
    };
    const producer = run("producer");
    refuseInProducer(lw, producer);
    const consumer = run("consumer");
    refuseEarlyReads(lw, consumer);
    const given = registers === undefined ? {} : { registers };
    const { loc } = this.place;
    lw.builder.effect("roles", { producer, consumer, warpgroups, ...given, loc });
    return UNDEFINED;
  }
}
