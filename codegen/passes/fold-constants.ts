/** [codegen/passes] Folds constants, identities and comparisons that ranges decide; takes the known branch of an `if`. Never changes a bit of a result. */
import {
  type Block,
  type CompareFn,
  mapOperands,
  mapRegions,
  type Op,
  sameAxes,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";
import { IntegerAnalysis } from "../analysis/integer-facts.ts";
import { foldBinary, foldCast, foldCompare, foldUnary } from "./constant-arithmetic.ts";
import type { PassContext } from "./pass.ts";

/** What stands for an op's result: a constant, another value, or the op as it is. */
type Fold =
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "value"; readonly value: Value };

function constant(value: number | undefined): Fold | undefined {
  return value === undefined ? undefined : { kind: "constant", value };
}

class Folder {
  readonly #facts: IntegerAnalysis;
  /** Splat constants by value id. */
  readonly #constants = new Map<number, number>();
  readonly #replaced = new Map<number, Value>();

  constructor(kernel: TileKernel, context: PassContext) {
    this.#facts = new IntegerAnalysis(kernel, context.divisibility);
  }

  readonly #use = (value: Value): Value => this.#replaced.get(value.id) ?? value;

  readonly block = (block: Block): Block => {
    const ops = block.ops.flatMap((op) => this.#op(op));
    return { params: block.params, ops, yields: block.yields.map(this.#use) };
  };

  #op(original: Op): readonly Op[] {
    const op = mapOperands(original, this.#use);
    if (op.kind === "if") return this.#if(op);
    const inner = mapRegions(op, this.block);
    if (inner.kind === "const") {
      this.#constants.set(inner.result.id, inner.value);
      return [inner];
    }
    if (!("result" in inner)) return [inner];
    const folded = this.#fold(inner);
    if (folded === undefined) return [inner];
    if (folded.kind === "value") {
      this.#replaced.set(inner.result.id, folded.value);
      return [];
    }
    this.#constants.set(inner.result.id, folded.value);
    return [{ kind: "const", result: inner.result, value: folded.value, loc: inner.loc }];
  }

  #if(op: Extract<Op, { kind: "if" }>): readonly Op[] {
    const cond = this.#constants.get(op.cond.id);
    if (cond === undefined) return [mapRegions(op, this.block)];
    const taken = this.block(cond === 0 ? op.else : op.then);
    op.results.forEach((result, i) => {
      const value = taken.yields[i];
      if (value !== undefined) this.#replaced.set(result.id, value);
    });
    return taken.ops;
  }

  #fold(op: Op & { readonly result: Value }): Fold | undefined {
    const known = (value: Value): number | undefined => this.#constants.get(value.id);
    switch (op.kind) {
      case "binary":
        return this.#binary(op, known(op.a), known(op.b));
      case "unary": {
        const x = known(op.x);
        return x === undefined ? undefined : constant(foldUnary(op.fn, x, op.result.type.dtype));
      }
      case "compare": {
        const [a, b] = [known(op.a), known(op.b)];
        if (a !== undefined && b !== undefined) return constant(foldCompare(op.fn, a, b));
        return op.a.type.dtype === "i32" ? constant(this.#decide(op.fn, op.a, op.b)) : undefined;
      }
      case "select": {
        const cond = known(op.cond);
        if (cond !== undefined) return { kind: "value", value: cond === 0 ? op.b : op.a };
        return op.a.id === op.b.id ? { kind: "value", value: op.a } : undefined;
      }
      case "cast": {
        if (op.x.type.dtype === op.result.type.dtype) return { kind: "value", value: op.x };
        const x = known(op.x);
        return x === undefined
          ? undefined
          : constant(foldCast(x, op.x.type.dtype, op.result.type.dtype));
      }
      case "broadcast":
      case "rename": {
        const x = known(op.x);
        if (x !== undefined) return constant(x);
        const same = sameAxes(op.x.type.axes, op.result.type.axes);
        return same ? { kind: "value", value: op.x } : undefined;
      }
      case "merge":
      case "split":
        return constant(known(op.x));
      default:
        return undefined;
    }
  }

  #binary(
    op: Extract<Op, { kind: "binary" }>,
    a: number | undefined,
    b: number | undefined,
  ): Fold | undefined {
    const { dtype } = op.result.type;
    if (a !== undefined && b !== undefined) return constant(foldBinary(op.fn, a, b, dtype));
    const isInt = dtype === "i32" || dtype === "u32";
    switch (op.fn) {
      case "add":
        if (isInt && a === 0) return { kind: "value", value: op.b };
        return isInt && b === 0 ? { kind: "value", value: op.a } : undefined;
      case "sub":
        return b === 0 && !Object.is(b, -0) ? { kind: "value", value: op.a } : undefined;
      case "mul":
        if (isInt && (a === 0 || b === 0)) return constant(0);
        if (a === 1) return { kind: "value", value: op.b };
        return b === 1 ? { kind: "value", value: op.a } : undefined;
      case "div":
      case "floordiv":
        return b === 1 ? { kind: "value", value: op.a } : undefined;
      case "min":
      case "max":
        return dtype === "i32" ? this.#extreme(op) : undefined;
      case "mod": {
        if (dtype !== "i32" || b === undefined) return undefined;
        const { lo, hi } = this.#facts.of(op.a);
        return lo >= 0 && hi < b ? { kind: "value", value: op.a } : undefined;
      }
      case "and":
      case "or":
        return dtype === "bool" ? this.#logical(op, a, b) : undefined;
      default:
        return undefined;
    }
  }

  #extreme(op: Extract<Op, { kind: "binary" }>): Fold | undefined {
    const [a, b] = [this.#facts.of(op.a), this.#facts.of(op.b)];
    const [small, large] = op.fn === "min" ? [op.a, op.b] : [op.b, op.a];
    if (a.hi <= b.lo) return { kind: "value", value: small };
    return b.hi <= a.lo ? { kind: "value", value: large } : undefined;
  }

  #logical(
    op: Extract<Op, { kind: "binary" }>,
    a: number | undefined,
    b: number | undefined,
  ): Fold | undefined {
    const neutral = op.fn === "and" ? 1 : 0;
    if (a !== undefined) return a === neutral ? { kind: "value", value: op.b } : constant(a);
    if (b !== undefined) return b === neutral ? { kind: "value", value: op.a } : constant(b);
    return undefined;
  }

  /** The answer of an integer comparison where the ranges allow only one. */
  #decide(fn: CompareFn, left: Value, right: Value): number | undefined {
    const [a, b] = [this.#facts.of(left), this.#facts.of(right)];
    switch (fn) {
      case "lt":
        return a.hi < b.lo ? 1 : a.lo >= b.hi ? 0 : undefined;
      case "ge":
        return a.hi < b.lo ? 0 : a.lo >= b.hi ? 1 : undefined;
      case "le":
        return a.hi <= b.lo ? 1 : a.lo > b.hi ? 0 : undefined;
      case "gt":
        return a.hi <= b.lo ? 0 : a.lo > b.hi ? 1 : undefined;
      case "eq":
      case "ne": {
        if (a.hi >= b.lo && b.hi >= a.lo) return undefined;
        return fn === "eq" ? 0 : 1;
      }
      default:
        return fn satisfies never;
    }
  }
}

export function foldConstants(kernel: TileKernel, context: PassContext): TileKernel {
  return { ...kernel, body: new Folder(kernel, context).block(kernel.body) };
}
