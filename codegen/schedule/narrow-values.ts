/** [codegen/schedule] A part of a tile along one axis, computed anew from narrower loads: how a dot walks its contraction in chunks. Makes tile-IR ops; emits nothing. */
import { type Axis, type Index, isScalar, type Op, type Value } from "../../dsl/index.ts";
import type { Emitter } from "./emitter.ts";

/** Ops that the part may take. */
const MAX_OPS = 32;

/** The part of `axis` that starts at `base` and has `size` elements. */
export interface Part {
  readonly axis: string;
  readonly size: number;
  readonly base: Value;
}

/** Collects the ops that compute parts; `ops` is in order. */
export class Narrower {
  readonly ops: Op[] = [];
  readonly #emitter: Emitter;
  readonly #part: Part;
  readonly #known = new Map<number, Value>();

  constructor(emitter: Emitter, part: Part) {
    this.#emitter = emitter;
    this.#part = part;
  }

  #axes(axes: readonly Axis[]): readonly Axis[] {
    const { axis, size } = this.#part;
    return axes.map((candidate) => (candidate.name === axis ? { name: axis, size } : candidate));
  }

  #fresh(like: Value): Value {
    const type = { ...like.type, axes: this.#axes(like.type.axes) };
    const { id, name } = this.#emitter.fresh(like.name, type, undefined);
    return { id, name, type };
  }

  /** The part of `value`, or undefined where it cannot be computed from memory. Values without the axis are themselves. */
  narrow(value: Value): Value | undefined {
    if (!value.type.axes.some((axis) => axis.name === this.#part.axis)) return value;
    const known = this.#known.get(value.id);
    if (known !== undefined) return known;
    const definition = this.#emitter.definitionOf(value);
    if (definition?.kind !== "op" || this.ops.length > MAX_OPS) return undefined;
    const narrowed = this.#op(definition.op);
    if (narrowed !== undefined) this.#known.set(value.id, narrowed);
    return narrowed;
  }

  #push(op: Op & { readonly result: Value }): Value {
    this.ops.push(op);
    return op.result;
  }

  #op(op: Op): Value | undefined {
    switch (op.kind) {
      case "const":
        return this.#push({ ...op, result: this.#fresh(op.result) });
      case "iota":
        return this.#iota(op);
      case "unary":
      case "cast":
      case "bitcast":
      case "broadcast": {
        const x = this.narrow(op.x);
        return x === undefined
          ? undefined
          : this.#push({ ...op, result: this.#fresh(op.result), x });
      }
      case "binary":
      case "compare": {
        const [a, b] = [this.narrow(op.a), this.narrow(op.b)];
        if (a === undefined || b === undefined) return undefined;
        return this.#push({ ...op, result: this.#fresh(op.result), a, b });
      }
      case "select": {
        const [cond, a, b] = [this.narrow(op.cond), this.narrow(op.a), this.narrow(op.b)];
        if (cond === undefined || a === undefined || b === undefined) return undefined;
        return this.#push({ ...op, result: this.#fresh(op.result), cond, a, b });
      }
      case "load":
        return this.#load(op);
      default:
        return undefined;
    }
  }

  #iota(op: Extract<Op, { kind: "iota" }>): Value {
    const own = this.#push({ ...op, result: this.#fresh(op.result) });
    const base = this.#fresh(op.result);
    this.ops.push({ kind: "broadcast", result: base, x: this.#part.base, loc: op.loc });
    const result = this.#fresh(op.result);
    return this.#push({ kind: "binary", fn: "add", result, a: own, b: base, loc: op.loc });
  }

  #load(op: Extract<Op, { kind: "load" }>): Value | undefined {
    if (this.#emitter.tensor(op.tensor).access !== "in") return undefined;
    const at: Index[] = [];
    for (const index of op.at) {
      const narrowed = this.#index(index, op);
      if (narrowed === undefined) return undefined;
      at.push(narrowed);
    }
    const mask = op.mask === undefined ? undefined : this.narrow(op.mask);
    if (op.mask !== undefined && mask === undefined) return undefined;
    const masked = mask === undefined ? {} : { mask };
    return this.#push({ ...op, result: this.#fresh(op.result), at, ...masked });
  }

  #index(index: Index, op: Extract<Op, { kind: "load" }>): Index | undefined {
    switch (index.kind) {
      case "at":
        return index;
      case "gather": {
        const value = isScalar(index.index.type) ? index.index : this.narrow(index.index);
        return value === undefined ? undefined : { kind: "gather", index: value };
      }
      case "span": {
        if (index.axis.name !== this.#part.axis) return index;
        const start = this.#fresh(index.start);
        const { start: a } = index;
        this.ops.push({
          kind: "binary",
          fn: "add",
          result: start,
          a,
          b: this.#part.base,
          loc: op.loc,
        });
        return { ...index, axis: { name: index.axis.name, size: this.#part.size }, start };
      }
      default:
        return index satisfies never;
    }
  }
}
