/**
 * [codegen/schedule] Ops of the third tier, one by one: rings become buffers of boxes, uses become slots and parities, copies go by tensor maps.
 * Nothing is added but the wait for the launch before.
 */
import {
  type Block,
  DTYPES,
  type ExplicitOp,
  invariant,
  type Location,
  type Op,
  scalarType,
  type Value,
  walkOps,
} from "../../dsl/index.ts";
import type { SBlock, SharedRef, SOp, SValue } from "../ir/scheduled.ts";
import { blockedLayout } from "../layout/blocked-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { mergeLayout, splitLayout } from "../layout/relabel-layout.ts";
import { boxShared } from "../layout/shared-layout.ts";
import { hasFeature } from "../passes/pass.ts";
import { barrierRing } from "../passes/ring-buffers.ts";
import { WARPS_IN_GROUP } from "../passes/role-parts.ts";
import { emitCopy } from "./emit-memory.ts";
import { storeWidth } from "./emit-staging.ts";
import { valueIn } from "./emit-versions.ts";
import type { Emitter } from "./emitter.ts";
import { type ExplicitRoles, hasShortSums } from "./find-explicit.ts";
import { answer, wishesOf } from "./wishes.ts";

type OpOf<K extends ExplicitOp["kind"]> = Extract<ExplicitOp, { readonly kind: K }>;

/** Registers of a thread of each warpgroup, added up, that may move between roles: 64 K shared out evenly, in steps of 8. */
function movableRegisters(warpgroups: number): number {
  const all = warpgroups + 1;
  return all * 8 * Math.floor(65536 / (all * 128 * 8));
}

interface Memory {
  readonly buffer: string;
  readonly stages: number;
}

/** Where in a ring a use is; valid in the block where it was computed. */
interface Place {
  readonly slot: SValue | undefined;
  readonly parity: SValue;
  readonly depth: number;
}

export class ExplicitEmitter {
  readonly #emitter: Emitter;
  readonly #memory = new Map<string, Memory>();
  readonly #places = new Map<string, Place>();
  readonly #words = new Map<string, { readonly value: SValue; readonly depth: number }>();
  /** Whether roles have begun, and whether all threads have waited for the launch before. */
  #hasBegun = false;
  #hasWaited = false;

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Forgets places and words that were computed in the block at `depth`, which ends. */
  close(depth: number): void {
    for (const [key, place] of this.#places) if (place.depth === depth) this.#places.delete(key);
    for (const [key, words] of this.#words) if (words.depth === depth) this.#words.delete(key);
  }

  /** The words of rows along an axis, made once for all dots of the block at `depth` and those inside. */
  words(rows: SValue, axis: string, depth: number, make: () => SValue): SValue {
    const key = `${rows.id} ${axis}`;
    const known = this.#words.get(key)?.value;
    if (known !== undefined) return known;
    const value = this.#emitter.at(depth, make);
    this.#words.set(key, { value, depth });
    return value;
  }

  #scalar(op: (result: SValue) => SOp, name: string): SValue {
    const result = this.#emitter.fresh(name, scalarType("i32"), undefined);
    this.#emitter.push(op(result));
    return result;
  }

  #constant(value: number, name: string, loc: Location): SValue {
    return this.#scalar((result) => ({ kind: "const", result, value, loc }), name);
  }

  #binary(
    fn: "and" | "shr" | "mod" | "floordiv" | "mul",
    a: SValue,
    b: SValue,
    name: string,
    loc: Location,
  ): SValue {
    return this.#scalar((result) => ({ kind: "binary", fn, result, a, b, loc }), name);
  }

  #named(name: string): Memory {
    const found = this.#memory.get(name);
    invariant(found !== undefined, () => `no shared memory ${name}`);
    return found;
  }

  /** Slot and parity of a use: of a ring of 2, 4 or 8 slots by bits, which is right for uses below 0, too. */
  #place(use: Value, stages: number, loc: Location): Place {
    const key = `${use.id} of ${stages}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const n = this.#emitter.scalar(use);
    const isPower = Number.isInteger(Math.log2(stages));
    const one = this.#constant(1, "one", loc);
    let slot: SValue | undefined;
    let round = n;
    if (stages > 1) {
      const by = this.#constant(isPower ? stages - 1 : stages, isPower ? "mask" : "slots", loc);
      slot = this.#binary(isPower ? "and" : "mod", n, by, "slot", loc);
      const shift = isPower ? this.#constant(Math.log2(stages), "bits", loc) : by;
      round = this.#binary(isPower ? "shr" : "floordiv", n, shift, "round", loc);
    }
    const parity = this.#binary("and", round, one, "parity", loc);
    const place = { slot, parity, depth: this.#emitter.depth };
    this.#places.set(key, place);
    return place;
  }

  #ref(name: string, use: Value, loc: Location): SharedRef {
    const { buffer, stages } = this.#named(name);
    const { slot } = this.#place(use, stages, loc);
    return slot === undefined ? { buffer } : { buffer, slot };
  }

  /** The slot that an operand of a dot reads. */
  slot({ ring, use, loc }: OpOf<"slot">): SharedRef {
    return this.#ref(ring, use, loc);
  }

  #ring(op: OpOf<"ring">): void {
    const layout = boxShared(op.axes, DTYPES[op.dtype].bits / 8);
    const buffer = this.#emitter.ring(op.ring, op.dtype, layout.axes, layout, op.stages);
    this.#memory.set(op.ring, { buffer, stages: op.stages });
  }

  #barrier(op: OpOf<"barrier">): void {
    const { axes, dtype, layout } = barrierRing(op.barrier, op.stages);
    const buffer = this.#emitter.ring(op.barrier, dtype, axes, layout, op.stages);
    this.#memory.set(op.barrier, { buffer, stages: op.stages });
    const { loc } = op;
    const arrivals = op.arrivals * (this.#counted.has(op.barrier) ? WARPS_IN_GROUP : 1);
    this.#emitter.push({ kind: "mbarrier_init", barrier: buffer, arrivals, loc });
  }

  get #explicit(): ExplicitRoles | undefined {
    return this.#emitter.plan.explicit;
  }

  /** What was read into registers has been when all lanes of a warp say so. */
  #byWarps(): { readonly warps?: true } {
    return (this.#explicit?.read.size ?? 0) > 0 ? { warps: true } : {};
  }

  /** Barriers at which warps arrive one by one. */
  get #counted(): ReadonlySet<string> {
    const found = new Set<string>();
    if (this.#explicit === undefined || this.#explicit.read.size === 0) return found;
    walkOps(this.#explicit.roles.consumer, (op) => {
      if (op.kind === "barrier_arrive") found.add(op.barrier);
    });
    return found;
  }

  #read(op: OpOf<"slot">): void {
    const emitter = this.#emitter;
    const { axes, dtype } = op.result.type;
    const wanted = emitter.layoutOf(op.result);
    const box = boxShared(axes, DTYPES[dtype].bits / 8);
    const inBox = (layout: RegisterLayout | undefined, name: string): SValue => {
      const tile = emitter.fresh(name, { dtype, axes: box.axes }, layout);
      const width = storeWidth(tile, box);
      emitter.push({ kind: "shared_load", result: tile, from: this.slot(op), width, loc: op.loc });
      return tile;
    };
    const [panel, part, row] = [box.axes[0], box.axes.at(-1), axes.at(-1)];
    if (
      box.axes.length === axes.length ||
      panel === undefined ||
      part === undefined ||
      row === undefined
    ) {
      emitter.register(op.result, inBox(wanted, op.result.name));
      return;
    }
    // Rows in panels: the same registers by another name.
    const parts = [panel, part];
    const split = wanted && splitLayout(wanted, row.name, parts, box.axes);
    const { threads } = emitter.plan;
    const own = split ?? blockedLayout({ axes: box.axes, order: [], width: 1, threads });
    const x = inBox(own, `${op.result.name}_panels`);
    const whole = mergeLayout(own, [panel.name, row.name], row.name, axes);
    const result = emitter.primary(op.result, split === undefined ? whole : wanted);
    emitter.push({ kind: "relabel", result, x, loc: op.loc });
    emitter.register(op.result, result);
  }

  #copy(op: OpOf<"copy_async">): void {
    const definition = this.#emitter.definitionOf(op.value);
    invariant(
      definition?.kind === "op" && definition.op.kind === "load",
      () => "a copy of what is no load",
    );
    const into = this.#ref(op.ring, op.use, op.loc);
    emitCopy(this.#emitter, definition.op, into, this.#ref(op.barrier, op.use, op.loc));
  }

  #dotWait({ xs, results, pending, loc }: OpOf<"dot_wait">): void {
    const done = xs.map((x) => valueIn(this.#emitter, x, this.#emitter.layoutOf(x), loc));
    this.#emitter.push({ kind: "dot_wait", pending, done, loc });
    for (const [i, result] of results.entries()) {
      const value = done[i];
      if (value !== undefined) this.#emitter.register(result, value);
    }
  }

  /** Programs of the launch along an axis, which are more than there are blocks. */
  #gridSize(axis: 0 | 1 | 2, loc: Location): SValue {
    return this.#scalar((result) => ({ kind: "grid_size", result, axis, loc }), `grid${axis}`);
  }

  #block(loc: Location): SValue {
    return this.#scalar((result) => ({ kind: "pid", result, axis: 0, loc }), "block");
  }

  #walk({ what, result, loc }: OpOf<"walk">): void {
    const made = {
      first: () => this.#block(loc),
      blocks: () =>
        this.#scalar((value) => ({ kind: "num_programs", result: value, axis: 0, loc }), "blocks"),
      total: () => {
        const plane = this.#binary("mul", this.#gridSize(0, loc), this.#gridSize(1, loc), "t", loc);
        return this.#binary("mul", plane, this.#gridSize(2, loc), "programs", loc);
      },
    }[what]();
    this.#emitter.register(result, made);
  }

  /** Where blocks do not walk over programs there is one for each, in a row. */
  pid({ axis, result, loc }: Extract<Op, { kind: "pid" }>): void {
    const block = this.#block(loc);
    const columns = this.#gridSize(0, loc);
    let made = this.#binary("mod", block, columns, "pid0", loc);
    if (axis > 0) {
      const rest = this.#binary("floordiv", block, columns, "t", loc);
      const rows = this.#gridSize(1, loc);
      made = this.#binary(axis === 1 ? "mod" : "floordiv", rest, rows, `pid${axis}`, loc);
    }
    this.#emitter.register(result, made);
  }

  numPrograms({ axis, result, loc }: Extract<Op, { kind: "num_programs" }>): void {
    this.#emitter.register(result, this.#gridSize(axis, loc));
  }

  /** What is loaded ahead of the roles may be what the launch before wrote. */
  beforeLoad({ hints, loc }: Extract<Op, { kind: "load" }>): void {
    const { explicit, context } = this.#emitter.plan;
    const isAhead = explicit !== undefined && !this.#hasBegun && hints?.when !== "early";
    if (!isAhead || this.#hasWaited || !hasFeature(context, "dependent-launch")) return;
    this.#hasWaited = this.#emitter.depth === 0; // a branch or loop may not be gone through
    this.#emitter.push({ kind: "wait_previous", loc });
  }

  #roles(op: OpOf<"roles">, emitBlock: (block: Block, first: readonly SOp[]) => SBlock): void {
    const { loc } = op;
    const { context } = this.#emitter.plan;
    this.#emitter.push({ kind: "barrier", loc });
    const first: readonly SOp[] =
      hasFeature(context, "dependent-launch") && !this.#hasWaited
        ? [{ kind: "wait_previous", loc }]
        : [];
    this.#hasBegun = true;
    const producer = emitBlock(op.producer, first);
    const consumer = emitBlock(op.consumer, first);
    const registers = this.#registers(op);
    const isCounted = this.#emitter.plan.kernel.body.ops.some(
      (one) => one.kind === "walk" && one.counted === true,
    );
    const counted = isCounted ? ({ counted: true } as const) : {};
    const given = { ...registers, explicit: true, ...counted } as const;
    this.#emitter.push({ kind: "roles", producer, consumer, ...given, loc });
    const groups =
      op.warpgroups === 1 ? "one warpgroup multiplies" : `${op.warpgroups} warpgroups multiply`;
    context.remark("explicit-roles", `as written: one thread copies, ${groups}`, loc);
    this.#answerSums(loc);
  }

  /** What became of the wish about sums of 8-bit floats. */
  #answerSums(loc: Location): void {
    const { context, explicit, kernel } = this.#emitter.plan;
    const { fastSums } = wishesOf(kernel);
    if (fastSums === undefined || explicit?.dots.some(({ dot }) => hasShortSums(dot)) !== true)
      return;
    const became = fastSums
      ? "the tensor core adds up, in about 14 bits"
      : "the kernel adds up in f32";
    answer(context, "fastSums", `as asked: ${became}`, loc);
  }

  #registers({ registers, warpgroups, loc }: OpOf<"roles">): Pick<OpOf<"roles">, "registers"> {
    if (registers === undefined) return {};
    const { producer, consumer } = registers;
    const most = movableRegisters(warpgroups);
    const why =
      warpgroups === 1
        ? "one warpgroup has enough as it is"
        : producer + warpgroups * consumer > most
          ? `${producer} and ${warpgroups} times ${consumer} are more than ${most}`
          : undefined;
    if (why === undefined) return { registers };
    this.#emitter.plan.context.remark("explicit-roles", `registers stay as they are: ${why}`, loc);
    return {};
  }

  op(op: ExplicitOp, emitBlock: (block: Block, first: readonly SOp[]) => SBlock): void {
    const { loc } = op;
    switch (op.kind) {
      case "ring":
        this.#ring(op);
        return;
      case "barrier":
        this.#barrier(op);
        return;
      case "barrier_wait": {
        const on = this.#ref(op.barrier, op.use, loc);
        const { parity } = this.#place(op.use, this.#named(op.barrier).stages, loc);
        this.#emitter.push({ kind: "mbarrier_wait", on, parity, loc });
        return;
      }
      case "barrier_arrive": {
        const on = this.#ref(op.barrier, op.use, loc);
        this.#emitter.push(
          op.bytes === undefined
            ? { kind: "mbarrier_arrive", on, ...this.#byWarps(), loc }
            : { kind: "mbarrier_expect", on, bytes: op.bytes, loc },
        );
        return;
      }
      case "copy_async":
        this.#copy(op);
        return;
      case "slot":
        if (this.#explicit?.read.has(op.result.id) === true) this.#read(op);
        return; // else where the dot that reads it is
      case "dot_wait":
        this.#dotWait(op);
        return;
      case "walk":
        this.#walk(op);
        return;
      case "roles":
        this.#roles(op, emitBlock);
        return;
      default:
        op satisfies never;
    }
  }
}
