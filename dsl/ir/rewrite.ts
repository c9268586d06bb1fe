/** [dsl/ir] Rebuilding ops: mapping operands, results and regions, substitution, cloning, block rewriting. Never mutates. */
import type { Block, Index, Op, TileKernel } from "./nodes.ts";
import type { Value } from "./types.ts";
import { nextValueId, results } from "./visit.ts";

type MapValue = (value: Value) => Value;

function mapIndex(index: Index, map: MapValue): Index {
  switch (index.kind) {
    case "at":
      return { ...index, value: map(index.value) };
    case "span": {
      const end = index.end === undefined ? {} : { end: map(index.end) };
      return { ...index, start: map(index.start), ...end };
    }
    case "gather":
      return { ...index, index: map(index.index) };
    default:
      return index satisfies never;
  }
}

function mapMask(mask: Value | undefined, map: MapValue): { readonly mask?: Value } {
  return mask === undefined ? {} : { mask: map(mask) };
}

/** The op with every operand replaced by `map(operand)`. Regions are kept as they are. */
export function mapOperands(op: Op, map: MapValue): Op {
  switch (op.kind) {
    case "const":
    case "dim":
    case "param":
    case "pid":
    case "num_programs":
    case "iota":
    case "walk":
    case "ring":
    case "barrier":
    case "roles":
      return op;
    case "unary":
    case "cast":
    case "bitcast":
    case "broadcast":
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "rename":
    case "merge":
    case "split":
    case "print":
      return { ...op, x: map(op.x) };
    case "binary":
    case "compare":
      return { ...op, a: map(op.a), b: map(op.b) };
    case "select":
      return { ...op, cond: map(op.cond), a: map(op.a), b: map(op.b) };
    case "dot": {
      const acc = op.acc === undefined ? {} : { acc: map(op.acc) };
      return { ...op, a: map(op.a), b: map(op.b), ...acc };
    }
    case "load":
      return { ...op, at: op.at.map((i) => mapIndex(i, map)), ...mapMask(op.mask, map) };
    case "store":
    case "atomic": {
      const at = op.at.map((i) => mapIndex(i, map));
      return { ...op, at, value: map(op.value), ...mapMask(op.mask, map) };
    }
    case "for":
      return {
        ...op,
        lo: map(op.lo),
        hi: map(op.hi),
        step: map(op.step),
        inits: op.inits.map(map),
      };
    case "while":
      return { ...op, inits: op.inits.map(map) };
    case "if":
    case "assert":
      return { ...op, cond: map(op.cond) };
    case "if_any":
      return { ...op, cond: map(op.cond), elseValues: op.elseValues.map(map) };
    case "barrier_wait":
    case "barrier_arrive":
    case "slot":
      return { ...op, use: map(op.use) };
    case "copy_async":
      return { ...op, use: map(op.use), value: map(op.value) };
    case "dot_wait":
      return { ...op, xs: op.xs.map(map) };
    default:
      return op satisfies never;
  }
}

/** The op with its own results replaced; uses elsewhere are the caller's affair. */
export function mapResults(op: Op, map: MapValue): Op {
  switch (op.kind) {
    case "store":
    case "assert":
    case "print":
    case "ring":
    case "barrier":
    case "barrier_wait":
    case "barrier_arrive":
    case "copy_async":
    case "roles":
      return op;
    case "dot_wait":
    case "for":
    case "while":
    case "if":
    case "if_any":
      return { ...op, results: op.results.map(map) };
    default:
      return { ...op, result: map(op.result) };
  }
}

/** The op with every block that it owns replaced by `map(block)`. */
export function mapRegions(op: Op, map: (block: Block) => Block): Op {
  switch (op.kind) {
    case "for":
    case "if_any":
      return { ...op, body: map(op.body) };
    case "while":
      return { ...op, cond: map(op.cond), body: map(op.body) };
    case "if":
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      return { ...op, then: map(op.then), else: map(op.else) };
    case "roles":
      return { ...op, producer: map(op.producer), consumer: map(op.consumer) };
    default:
      return op;
  }
}

/** Replaces reads of values, here and in the blocks inside: `by.get(id)` stands for the value with that id. */
export function substitute(block: Block, by: ReadonlyMap<number, Value>): Block {
  if (by.size === 0) return block;
  const map: MapValue = (value) => by.get(value.id) ?? value;
  const enter = (inner: Block): Block => ({
    params: inner.params,
    ops: inner.ops.map((op) => mapRegions(mapOperands(op, map), enter)),
    yields: inner.yields.map(map),
  });
  return enter(block);
}

/** Hands out values with ids that are new to a kernel. */
export class ValueSource {
  #next: number;

  constructor(kernel: TileKernel) {
    this.#next = nextValueId(kernel);
  }

  /** A new value with the type (and the name, unless given) of `like`. */
  fresh(like: Pick<Value, "type" | "name">, name: string = like.name): Value {
    return { id: this.#next++, name, type: like.type };
  }
}

/**
 * A copy of a block in which every value defined inside is new, for unrolling and inlining.
 * @param by what stands for values of the original, for example for its params; params named here vanish
 */
export function cloneBlock(
  block: Block,
  source: ValueSource,
  by: ReadonlyMap<number, Value> = new Map(),
): Block {
  const known = new Map(by);
  const define: MapValue = (value) => {
    const copy = source.fresh(value);
    known.set(value.id, copy);
    return copy;
  };
  const use: MapValue = (value) => known.get(value.id) ?? value;
  const enter = (inner: Block): Block => ({
    params: inner.params.filter((value) => !by.has(value.id)).map(define),
    ops: inner.ops.map((op) => mapResults(mapRegions(mapOperands(op, use), enter), define)),
    yields: inner.yields.map(use),
  });
  return enter(block);
}

/** What a rewrite rule answers: leave the op, remove it, or put other ops in its place. */
export type Replacement =
  | { readonly kind: "keep" }
  /** `ops` stand where the op stood; `values[i]` stands for its i-th result from here on. */
  | { readonly kind: "replace"; readonly ops: readonly Op[]; readonly values: readonly Value[] };

export const KEEP: Replacement = { kind: "keep" };

/**
 * Applies `rule` to every op, innermost blocks first and in order of the text. The rule sees operands already
 * replaced by earlier answers.
 */
export function rewriteBlock(block: Block, rule: (op: Op) => Replacement): Block {
  const by = new Map<number, Value>();
  const map: MapValue = (value) => by.get(value.id) ?? value;
  const enter = (inner: Block): Block => {
    const ops: Op[] = [];
    for (const original of inner.ops) {
      const op = mapRegions(mapOperands(original, map), enter);
      const answer = rule(op);
      if (answer.kind === "keep") {
        ops.push(op);
        continue;
      }
      ops.push(...answer.ops);
      results(op).forEach((result, i) => {
        const value = answer.values[i];
        if (value !== undefined && value.id !== result.id) by.set(result.id, value);
      });
    }
    return { params: inner.params, ops, yields: inner.yields.map(map) };
  };
  return enter(block);
}
