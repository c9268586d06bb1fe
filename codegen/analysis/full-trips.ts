/** [codegen/analysis] For which values of a loop's counter a comparison holds for all elements of its tiles, so that what it guards need not be asked for. */
import { isScalar } from "../../dsl/index.ts";
import type { SOp, SValue } from "../ir/scheduled.ts";

/** `counter`·iv + Σ terms + constant, where terms do not change in the loop. */
export interface Affine {
  readonly counter: number;
  readonly terms: readonly { readonly value: SValue; readonly sign: 1 | -1 }[];
  readonly constant: number;
}
interface Range {
  readonly min: Affine;
  readonly max: Affine;
}

/** A bound of the counter: all trips with iv ≤ `most`, or with iv ≥ `least`, pass. */
export type FullBound =
  | { readonly kind: "most"; readonly bound: Affine }
  | { readonly kind: "least"; readonly bound: Affine };

const DEEPEST = 16;

function point(affine: Affine): Range {
  return { min: affine, max: affine };
}

function sum(a: Affine, b: Affine, sign: 1 | -1 = 1): Affine {
  const terms = b.terms.map((term) => ({ ...term, sign: (term.sign * sign) as 1 | -1 }));
  return {
    counter: a.counter + sign * b.counter,
    terms: cancel([...a.terms, ...terms]),
    constant: a.constant + sign * b.constant,
  };
}

function cancel(terms: Affine["terms"]): Affine["terms"] {
  const left: { readonly value: SValue; readonly sign: 1 | -1 }[] = [];
  for (const term of terms) {
    const at = left.findIndex((o) => o.value.id === term.value.id && o.sign !== term.sign);
    if (at >= 0) left.splice(at, 1);
    else left.push(term);
  }
  return left;
}

export class FullTrips {
  readonly #definitions: ReadonlyMap<number, SOp>;
  readonly #counter: SValue;
  readonly #changing: ReadonlySet<number>;

  /**
   * @param definitions ops by the ids of what they define
   * @param changing values that the loop defines or carries, the counter left out
   */
  constructor(
    definitions: ReadonlyMap<number, SOp>,
    counter: SValue,
    changing: ReadonlySet<number>,
  ) {
    this.#definitions = definitions;
    this.#counter = counter;
    this.#changing = changing;
  }

  /** Bounds that make a condition true for all elements of its tile, all of them together; undefined where none are known. */
  boundsOf(cond: SValue): readonly FullBound[] | undefined {
    const op = this.#definitions.get(cond.id);
    if (op?.kind === "binary" && op.fn === "and") {
      const [a, b] = [this.boundsOf(op.a), this.boundsOf(op.b)];
      return a === undefined || b === undefined ? undefined : [...a, ...b];
    }
    if (op?.kind === "broadcast") return this.boundsOf(op.x);
    if (op?.kind !== "compare" || op.a.type.dtype !== "i32") return undefined;
    const [a, b] = [this.#range(op.a), this.#range(op.b)];
    if (a === undefined || b === undefined) return undefined;
    switch (op.fn) {
      case "le":
        return this.#atMost(sum(a.max, b.min, -1), 0);
      case "lt":
        return this.#atMost(sum(a.max, b.min, -1), -1);
      case "ge":
        return this.#atMost(sum(b.max, a.min, -1), 0);
      case "gt":
        return this.#atMost(sum(b.max, a.min, -1), -1);
      default:
        return undefined;
    }
  }

  /** Bounds for which `x` ≤ limit. */
  #atMost(x: Affine, limit: number): readonly FullBound[] | undefined {
    const rest = { counter: 0, terms: x.terms, constant: x.constant - limit };
    const none = { counter: 0, terms: [], constant: 0 };
    if (x.counter === 1) return [{ kind: "most", bound: sum(none, rest, -1) }];
    return x.counter === -1 ? [{ kind: "least", bound: rest }] : undefined;
  }

  #range(value: SValue, depth = 0): Range | undefined {
    if (value.id === this.#counter.id) return point({ counter: 1, terms: [], constant: 0 });
    const op = this.#definitions.get(value.id);
    if (depth > DEEPEST || op === undefined) return this.#term(value);
    const follow = (next: SValue): Range | undefined => this.#range(next, depth + 1);
    switch (op.kind) {
      case "const":
        return point({ counter: 0, terms: [], constant: op.value });
      case "iota": {
        const last = (value.type.axes[0]?.size ?? 1) - 1;
        const at = (constant: number): Affine => ({ counter: 0, terms: [], constant });
        return { min: at(0), max: at(last) };
      }
      case "broadcast":
      case "relabel":
      case "convert":
        return follow(op.x);
      case "binary": {
        if (op.fn !== "add" && op.fn !== "sub") return this.#term(value);
        const [a, b] = [follow(op.a), follow(op.b)];
        if (a === undefined || b === undefined) return this.#term(value);
        return op.fn === "add"
          ? { min: sum(a.min, b.min), max: sum(a.max, b.max) }
          : { min: sum(a.min, b.max, -1), max: sum(a.max, b.min, -1) };
      }
      default:
        return this.#term(value);
    }
  }

  /** A scalar that stays what it is through the loop. */
  #term(value: SValue): Range | undefined {
    if (!isScalar(value.type) || this.#changing.has(value.id)) return undefined;
    return point({ counter: 0, terms: [{ value, sign: 1 }], constant: 0 });
  }
}
