/** [dsl/ir] Makes tile IR: fresh values, blocks, one op at a time. Types are the caller's to get right; verify.ts checks them. */
import type { DType } from "../core/dtype.ts";
import { invariant } from "../core/errors.ts";
import type { Location } from "../core/location.ts";
import type { Block, Op } from "./nodes.ts";
import type { Axis, Value, ValueType } from "./types.ts";

type Result<K extends Op["kind"]> = Extract<Op, { readonly kind: K }>;
/** An op without its kind and result, which the builder adds. */
type Parts<K extends Op["kind"]> = Omit<Result<K>, "kind" | "result">;
type Producing = Extract<Op, { readonly result: Value }>["kind"];
type Effect =
  | "store"
  | "assert"
  | "print"
  | "ring"
  | "barrier"
  | "barrier_wait"
  | "barrier_arrive"
  | "copy_async"
  | "roles";

/** Ops under construction; becomes a `Block` when closed. */
export interface OpenBlock {
  readonly params: readonly Value[];
  readonly ops: Op[];
  readonly constants: Map<string, Value>;
}

export interface BuilderMark {
  readonly nextId: number;
  readonly prologue: number;
  readonly ops: number;
}

/**
 * Builds the body of one kernel. Values that are the same for a whole program (pid, dims, scalar params) are made once,
 * at the top of the body; equal scalar constants are made once per block.
 */
export class Builder {
  #nextId = 0;
  readonly #prologue: Op[] = [];
  readonly #once = new Map<string, Value>();
  readonly #blocks: OpenBlock[] = [];

  value(type: ValueType, name: string): Value {
    return { id: this.#nextId++, name, type };
  }

  /** Adds an op that has one result. */
  op<K extends Producing>(kind: K, type: ValueType, name: string, parts: Parts<K>): Value {
    const result = this.value(type, name);
    this.#top().ops.push({ kind, result, ...parts } as unknown as Op);
    return result;
  }

  /** Adds an op without a result. */
  effect<K extends Effect>(kind: K, parts: Omit<Result<K>, "kind">): void {
    this.#top().ops.push({ kind, ...parts } as unknown as Op);
  }

  /** Adds an op with blocks, which has its results already. */
  region(op: Extract<Op, { readonly results: readonly Value[] }>): void {
    this.#top().ops.push(op);
  }

  /** Adds ops built in a block of their own. */
  splice(block: OpenBlock): void {
    this.#top().ops.push(...block.ops);
  }

  /** A constant over `axes`; scalars are shared within the blocks that see them. */
  constant(dtype: DType, value: number, axes: readonly Axis[], loc: Location, name = ""): Value {
    const type = { dtype, axes };
    if (axes.length > 0 || name !== "") return this.op("const", type, name, { value, loc });
    const key = `${dtype} ${Object.is(value, -0) ? "-0" : value}`;
    for (const block of this.#blocks) {
      const found = block.constants.get(key);
      if (found !== undefined) return found;
    }
    const made = this.op("const", type, "", { value, loc });
    this.#top().constants.set(key, made);
    return made;
  }

  /** A value that is the same for the whole program, made at the top of the body on first use. */
  once<K extends "dim" | "param" | "pid" | "num_programs" | "walk">(
    kind: K,
    dtype: DType,
    name: string,
    parts: Parts<K>,
  ): Value {
    const { loc: _, ...identity } = parts;
    const key = `${kind} ${JSON.stringify(identity)}`;
    const found = this.#once.get(key);
    if (found !== undefined) return found;
    const result = this.value({ dtype, axes: [] }, name);
    this.#prologue.push({ kind, result, ...parts } as unknown as Op);
    this.#once.set(key, result);
    return result;
  }

  /** Runs `fill` with a new block open and returns it, still open to `reopen`. */
  block<T>(
    params: readonly Value[],
    fill: () => T,
  ): { readonly block: OpenBlock; readonly result: T } {
    const block: OpenBlock = { params, ops: [], constants: new Map() };
    return { block, result: this.reopen(block, fill) };
  }

  /** Runs `fill` with ops going to the end of `block`. */
  reopen<T>(block: OpenBlock, fill: () => T): T {
    this.#blocks.push(block);
    try {
      return fill();
    } finally {
      this.#blocks.pop();
    }
  }

  close(block: OpenBlock, yields: readonly Value[]): Block {
    return { params: block.params, ops: block.ops, yields };
  }

  /** The finished body: what is the same for the whole program first. */
  body(block: OpenBlock): Block {
    return { params: block.params, ops: [...this.#prologue, ...block.ops], yields: [] };
  }

  /** The op that made `value` in an open block, if it is there. */
  producer(value: Value): Op | undefined {
    for (const block of this.#blocks) {
      const found = block.ops.find((op) => "result" in op && op.result.id === value.id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Gives `value` a name if the last op of the innermost block made it and it has none. */
  name(value: Value, name: string): Value {
    const { ops } = this.#top();
    const last = ops.at(-1);
    if (last === undefined || !("result" in last) || last.result !== value || value.name !== "")
      return value;
    // Scalar constants are shared, so a name would show up where it does not belong.
    if (last.kind === "const" && value.type.axes.length === 0) return value;
    const named = { ...value, name };
    ops[ops.length - 1] = { ...last, result: named };
    return named;
  }

  /** Takes `op` out of the innermost open block; false when it is not there. */
  remove(op: Op): boolean {
    const ops = this.#top().ops;
    const index = ops.indexOf(op);
    if (index >= 0) ops.splice(index, 1);
    return index >= 0;
  }

  /** Blocks that are open: 1 at the top level of the body. */
  get depth(): number {
    return this.#blocks.length;
  }

  /** Whether memory of this kind has the name already. */
  named(kind: "ring" | "barrier", name: string): boolean {
    return this.#blocks.some(({ ops }) =>
      ops.some(
        (op) =>
          (kind === "ring" && op.kind === "ring" && op.ring === name) ||
          (kind === "barrier" && op.kind === "barrier" && op.barrier === name),
      ),
    );
  }

  /** Whether an op of this kind stands in an open block, or is made once for the program. */
  has(kind: Op["kind"]): boolean {
    const is = (op: Op): boolean => op.kind === kind;
    return this.#prologue.some(is) || this.#blocks.some(({ ops }) => ops.some(is));
  }

  mark(): BuilderMark {
    return {
      nextId: this.#nextId,
      prologue: this.#prologue.length,
      ops: this.#blocks.at(-1)?.ops.length ?? 0,
    };
  }

  /** Forgets everything built since `mark`, which was taken with the same block open. */
  reset(mark: BuilderMark): void {
    this.#nextId = mark.nextId;
    const gone = new Set(
      this.#prologue.splice(mark.prologue).flatMap((op) => ("result" in op ? [op.result] : [])),
    );
    for (const [key, value] of this.#once) if (gone.has(value)) this.#once.delete(key);
    const block = this.#blocks.at(-1);
    if (block === undefined) return;
    const dropped = new Set(
      block.ops.splice(mark.ops).flatMap((op) => ("result" in op ? [op.result] : [])),
    );
    for (const [key, value] of block.constants) if (dropped.has(value)) block.constants.delete(key);
  }

  #top(): OpenBlock {
    const block = this.#blocks.at(-1);
    invariant(block !== undefined, () => "an op is added while no block is open");
    return block;
  }
}
