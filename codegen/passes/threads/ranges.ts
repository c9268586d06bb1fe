/** [codegen/passes/threads] What is known about integer values at compile time: intervals, and bounds by a dim. Decides which masks vanish. */
import type { SFor, SOp, SValue } from "../../ir/scheduled.ts";
import type { Uses } from "./uses.ts";

/** Least and greatest value; infinite where unknown. Wrapping is not considered: indices stay far below it. */
export type Range = readonly [number, number];

const ANY: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
const NATURAL: Range = [0, Number.POSITIVE_INFINITY];

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

function multiply(a: Range, b: Range): Range {
  const all = [product(a[0], b[0]), product(a[0], b[1]), product(a[1], b[0]), product(a[1], b[1])];
  return [Math.min(...all), Math.max(...all)];
}

function combine(fn: string, a: Range, b: Range): Range {
  switch (fn) {
    case "add":
      return [a[0] + b[0], a[1] + b[1]];
    case "sub":
      return [a[0] - b[1], a[1] - b[0]];
    case "mul":
      return multiply(a, b);
    case "min":
      return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    case "max":
      return [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
    case "floordiv":
      // A divisor of 0 gives 0 on devices.
      if (b[0] < 1) return a[0] >= 0 && b[0] >= 0 ? [0, a[1]] : ANY;
      return [
        Math.floor(a[0] < 0 ? a[0] / b[0] : a[0] / b[1]),
        Math.floor(a[1] < 0 ? a[1] / b[1] : a[1] / b[0]),
      ];
    case "mod":
      if (b[0] < 0) return ANY;
      return [0, Math.max(0, Math.min(b[1] - 1, a[0] >= 0 ? a[1] : Number.POSITIVE_INFINITY))];
    case "and":
      return a[0] >= 0 || b[0] >= 0 ? [0, Math.max(a[1], b[1])] : ANY;
    default:
      return ANY;
  }
}

export class Ranges {
  readonly #uses: Uses;
  readonly #divisibility: Readonly<Record<string, number>>;
  readonly #known = new Map<number, Range>();

  constructor(uses: Uses, divisibility: Readonly<Record<string, number>>) {
    this.#uses = uses;
    this.#divisibility = divisibility;
  }

  /** Interval of an integer value, of all elements where it is a tile. */
  of(value: SValue): Range {
    const known = this.#known.get(value.id);
    if (known !== undefined) return known;
    this.#known.set(value.id, ANY);
    const range = value.type.dtype === "i32" ? this.#find(value) : ANY;
    const sound: Range = Number.isNaN(range[0]) || Number.isNaN(range[1]) ? ANY : range;
    this.#known.set(value.id, sound);
    return sound;
  }

  #find(value: SValue): Range {
    const definition = this.#uses.definitionOf(value);
    if (definition?.kind === "counter") return this.#counter(definition.loop);
    return definition?.kind === "op" ? this.#op(definition.op) : ANY;
  }

  #counter(loop: SFor): Range {
    const [lo, hi, step] = [this.of(loop.lo), this.of(loop.hi), this.of(loop.step)];
    if (step[0] < 1) return ANY;
    const isFixed = lo[0] === lo[1] && step[0] === step[1] && Number.isFinite(hi[1]);
    const last = isFixed ? lo[0] + Math.floor((hi[1] - 1 - lo[0]) / step[0]) * step[0] : hi[1] - 1;
    return [lo[0], Math.max(lo[0], last)];
  }

  #op(op: SOp): Range {
    switch (op.kind) {
      case "const":
        return [op.value, op.value];
      case "dim":
      case "pid":
        return NATURAL;
      case "num_programs":
      case "grid_size":
        return [1, Number.POSITIVE_INFINITY]; // the program that asks is one of them
      case "cluster_rank":
        return [0, 1];
      case "iota":
        return [0, (op.result.type.axes[0]?.size ?? 1) - 1];
      case "binary":
        return combine(op.fn, this.of(op.a), this.of(op.b));
      case "select": {
        const [a, b] = [this.of(op.a), this.of(op.b)];
        return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
      }
      case "broadcast":
      case "relabel":
      case "convert":
        return this.of(op.x);
      case "reduce":
        return op.fn === "max" || op.fn === "min" ? this.of(op.x) : ANY;
      case "arg_reduce":
        return NATURAL;
      default:
        return ANY;
    }
  }

  /** True where the value is proven to be at most the size of `dim`. */
  isAtMostDim(value: SValue, dim: string): boolean {
    const definition = this.#uses.definitionOf(value);
    if (definition?.kind !== "op") return false;
    const { op } = definition;
    if (op.kind === "dim") return op.dim === dim;
    if (op.kind !== "binary" || op.fn !== "min") return false;
    return this.isAtMostDim(op.a, dim) || this.isAtMostDim(op.b, dim);
  }

  /**
   * True where `start + size <= dim` is proven: a loop counter that runs to the dim in steps which divide it, and a
   * span that is not longer than a step.
   */
  staysBelowDim(start: SValue, size: number, dim: string): boolean {
    const definition = this.#uses.definitionOf(start);
    if (definition?.kind !== "counter") return false;
    const { lo, hi, step } = definition.loop;
    const [first, stride] = [this.of(lo), this.of(step)];
    if (stride[0] !== stride[1] || first[0] !== first[1] || size > stride[0]) return false;
    const known = this.#divisibility[dim] ?? 1;
    return (
      this.isAtMostDim(hi, dim) &&
      this.#isDim(hi, dim) &&
      known % stride[0] === 0 &&
      first[0] % stride[0] === 0
    );
  }

  #isDim(value: SValue, dim: string): boolean {
    const definition = this.#uses.definitionOf(value);
    return definition?.kind === "op" && definition.op.kind === "dim" && definition.op.dim === dim;
  }
}
