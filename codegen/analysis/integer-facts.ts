/** [codegen/analysis] What is known of the integers of a tile kernel: range, divisibility of the base, stride along each axis. Facts only; nothing is rewritten. */
import {
  type BinaryFn,
  type Block,
  type Definition,
  definitions,
  type Op,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";

const LEAST = -(2 ** 31);
const GREATEST = 2 ** 31 - 1;
/** Divides everything that zero divides, as far as vector widths are concerned. */
const ANY = 2 ** 30;

/**
 * An element is `base + Σ strides[axis] × coordinate`, where `divisor` divides the base whatever the coordinates along the other
 * axes (those without a stride) are. `lo` and `hi` bound every element.
 */
export interface IntegerFacts {
  readonly lo: number;
  readonly hi: number;
  readonly divisor: number;
  readonly strides: ReadonlyMap<string, number>;
}

const NO_STRIDES: ReadonlyMap<string, number> = new Map();
const UNKNOWN: IntegerFacts = { lo: LEAST, hi: GREATEST, divisor: 1, strides: NO_STRIDES };

export function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

function divisorOf(value: number): number {
  return value === 0 ? ANY : Math.abs(value);
}

/** A divisor of a product; only the powers of two are kept where the whole would be too large. */
function timesDivisor(a: number, b: number): number {
  return a * b <= ANY ? a * b : Math.min(ANY, gcd(a, ANY) * gcd(b, ANY));
}

/** A range that may wrap around tells nothing. */
function bounded(lo: number, hi: number): { readonly lo: number; readonly hi: number } {
  return lo < LEAST || hi > GREATEST ? { lo: LEAST, hi: GREATEST } : { lo, hi };
}

function constant(value: number): IntegerFacts {
  return { lo: value, hi: value, divisor: divisorOf(value), strides: NO_STRIDES };
}

function isConstant(facts: IntegerFacts): boolean {
  return facts.lo === facts.hi;
}

function joinStrides(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  join: (x: number, y: number) => number,
): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const [axis, stride] of a) {
    const other = b.get(axis);
    if (other !== undefined) out.set(axis, join(stride, other));
  }
  return out;
}

/** Divides every element. */
export function elementDivisor(facts: IntegerFacts): number {
  return [...facts.strides.values()].reduce((d, stride) => gcd(d, stride), facts.divisor);
}

function scaled(facts: IntegerFacts, by: number): IntegerFacts {
  const ends = [facts.lo * by, facts.hi * by];
  return {
    ...bounded(Math.min(...ends), Math.max(...ends)),
    divisor: timesDivisor(facts.divisor, divisorOf(by)),
    strides: new Map([...facts.strides].map(([axis, stride]) => [axis, stride * by])),
  };
}

function product(a: IntegerFacts, b: IntegerFacts): IntegerFacts {
  if (isConstant(b)) return scaled(a, b.lo);
  if (isConstant(a)) return scaled(b, a.lo);
  const ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
  const range = bounded(Math.min(...ends), Math.max(...ends));
  const divisor = timesDivisor(elementDivisor(a), elementDivisor(b));
  return { ...range, divisor, strides: zeroStrides(a, b) };
}

/** Axes along which both are constant. */
function zeroStrides(a: IntegerFacts, b: IntegerFacts): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const [axis, stride] of a.strides)
    if (stride === 0 && b.strides.get(axis) === 0) out.set(axis, 0);
  return out;
}

function quotient(a: IntegerFacts, b: IntegerFacts): IntegerFacts {
  if (!isConstant(b) || b.lo <= 0) return { ...UNKNOWN, strides: zeroStrides(a, b) };
  const by = b.lo;
  const flat = elementDivisor(a);
  const exact = flat % by === 0 && a.divisor % by === 0;
  return {
    lo: Math.floor(a.lo / by),
    hi: Math.floor(a.hi / by),
    divisor: exact ? Math.max(1, a.divisor / by) : 1,
    strides: exact
      ? new Map([...a.strides].map(([axis, stride]) => [axis, stride / by]))
      : zeroStrides(a, b),
  };
}

function remainder(a: IntegerFacts, b: IntegerFacts): IntegerFacts {
  if (!isConstant(b) || b.lo <= 0) return { ...UNKNOWN, strides: zeroStrides(a, b) };
  if (a.lo >= 0 && a.hi < b.lo) return a;
  const divisor = gcd(elementDivisor(a), b.lo);
  return { lo: 0, hi: b.lo - 1, divisor, strides: zeroStrides(a, b) };
}

function choice(a: IntegerFacts, b: IntegerFacts, lo: number, hi: number): IntegerFacts {
  return { lo, hi, divisor: gcd(elementDivisor(a), elementDivisor(b)), strides: zeroStrides(a, b) };
}

function binaryFacts(fn: BinaryFn, a: IntegerFacts, b: IntegerFacts): IntegerFacts {
  switch (fn) {
    case "add":
    case "sub": {
      const sign = fn === "add" ? 1 : -1;
      const range =
        fn === "add" ? bounded(a.lo + b.lo, a.hi + b.hi) : bounded(a.lo - b.hi, a.hi - b.lo);
      const unknownA = [...a.strides].filter(([axis]) => !b.strides.has(axis));
      const unknownB = [...b.strides].filter(([axis]) => !a.strides.has(axis));
      const rest = [...unknownA, ...unknownB].reduce((d, [, stride]) => gcd(d, stride), 0);
      const divisor = gcd(gcd(a.divisor, b.divisor), rest);
      return {
        ...range,
        divisor,
        strides: joinStrides(a.strides, b.strides, (x, y) => x + sign * y),
      };
    }
    case "mul":
      return product(a, b);
    case "floordiv":
      return quotient(a, b);
    case "mod":
      return remainder(a, b);
    case "min":
      return choice(a, b, Math.min(a.lo, b.lo), Math.min(a.hi, b.hi));
    case "max":
      return choice(a, b, Math.max(a.lo, b.lo), Math.max(a.hi, b.hi));
    case "shl":
      return isConstant(b) && b.lo >= 0 && b.lo < 31 ? scaled(a, 2 ** b.lo) : UNKNOWN;
    case "and":
      return a.lo >= 0 || b.lo >= 0
        ? {
            ...UNKNOWN,
            lo: 0,
            hi: Math.min(a.lo >= 0 ? a.hi : GREATEST, b.lo >= 0 ? b.hi : GREATEST),
          }
        : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** Facts of integers, found on demand and remembered. */
export class IntegerAnalysis {
  readonly #known = new Map<number, IntegerFacts>();
  readonly #definitions: ReadonlyMap<number, Definition>;
  readonly #divisibility: Readonly<Record<string, number>>;

  constructor(kernel: TileKernel, divisibility: Readonly<Record<string, number>>) {
    this.#definitions = definitions(kernel.body);
    this.#divisibility = divisibility;
  }

  /** Facts of an i32 value; values of other dtypes have none worth knowing. */
  of(value: Value): IntegerFacts {
    const known = this.#known.get(value.id);
    if (known !== undefined) return known;
    this.#known.set(value.id, UNKNOWN); // what a cycle through a loop sees
    const definition = this.#definitions.get(value.id);
    const facts =
      value.type.dtype !== "i32" || definition === undefined
        ? UNKNOWN
        : definition.kind === "op"
          ? this.#ofOp(definition.op, value)
          : this.#ofParam(definition.block, definition.owner, value);
    this.#known.set(value.id, facts);
    return facts;
  }

  /** The one value that every element has, where it is known. */
  constantOf(value: Value): number | undefined {
    const { lo, hi } = this.of(value);
    return lo === hi ? lo : undefined;
  }

  #ofParam(block: Block, owner: Op | undefined, value: Value): IntegerFacts {
    if (owner?.kind !== "for" || block.params[0]?.id !== value.id) return UNKNOWN;
    const [lo, hi, step] = [this.of(owner.lo), this.of(owner.hi), this.of(owner.step)];
    const top = step.lo > 0 ? Math.max(lo.lo, hi.hi - 1) : GREATEST;
    return {
      lo: step.lo >= 0 ? lo.lo : LEAST,
      hi: top,
      divisor: gcd(lo.divisor, step.divisor),
      strides: NO_STRIDES,
    };
  }

  #ofOp(op: Op, value: Value): IntegerFacts {
    switch (op.kind) {
      case "const":
        return {
          ...constant(op.value),
          strides: new Map(value.type.axes.map((axis) => [axis.name, 0])),
        };
      case "dim":
        return {
          lo: 0,
          hi: GREATEST,
          divisor: this.#divisibility[op.dim] ?? 1,
          strides: NO_STRIDES,
        };
      case "pid":
      case "num_programs":
        return { ...UNKNOWN, lo: op.kind === "pid" ? 0 : 1 };
      case "iota": {
        const [axis] = value.type.axes;
        if (axis === undefined) return UNKNOWN;
        return { lo: 0, hi: axis.size - 1, divisor: ANY, strides: new Map([[axis.name, 1]]) };
      }
      case "binary":
        return binaryFacts(op.fn, this.of(op.a), this.of(op.b));
      case "unary":
        return op.fn === "neg" ? scaled(this.of(op.x), -1) : UNKNOWN;
      case "select": {
        const [a, b] = [this.of(op.a), this.of(op.b)];
        const mixed = choice(a, b, Math.min(a.lo, b.lo), Math.max(a.hi, b.hi));
        return { ...mixed, strides: NO_STRIDES };
      }
      case "broadcast": {
        const x = this.of(op.x);
        const old = new Set(op.x.type.axes.map((axis) => axis.name));
        const added = value.type.axes.filter((axis) => !old.has(axis.name));
        return {
          ...x,
          strides: new Map([...x.strides, ...added.map((axis) => [axis.name, 0] as const)]),
        };
      }
      case "rename": {
        const x = this.of(op.x);
        const strides = op.x.type.axes.flatMap((axis, i) => {
          const stride = x.strides.get(axis.name);
          const renamed = value.type.axes[i];
          return stride === undefined || renamed === undefined
            ? []
            : [[renamed.name, stride] as const];
        });
        return { ...x, strides: new Map(strides) };
      }
      case "merge":
      case "split": {
        const x = this.of(op.x);
        return { lo: x.lo, hi: x.hi, divisor: elementDivisor(x), strides: NO_STRIDES };
      }
      case "cast":
      case "load":
        return this.#ofNarrow(op);
      case "reduce": {
        const x = this.of(op.x);
        if (op.fn !== "max" && op.fn !== "min") return UNKNOWN;
        return { lo: x.lo, hi: x.hi, divisor: elementDivisor(x), strides: NO_STRIDES };
      }
      case "arg_reduce": {
        const size = op.x.type.axes.find((axis) => axis.name === op.axis)?.size ?? 1;
        return { lo: 0, hi: size - 1, divisor: 1, strides: NO_STRIDES };
      }
      default:
        return UNKNOWN;
    }
  }

  #ofNarrow(op: Extract<Op, { kind: "cast" | "load" }>): IntegerFacts {
    if (op.kind === "load") return UNKNOWN;
    const { dtype } = op.x.type;
    if (dtype === "bool") return { ...UNKNOWN, lo: 0, hi: 1 };
    if (dtype === "u8") return { ...UNKNOWN, lo: 0, hi: 255 };
    if (dtype === "i8") return { ...UNKNOWN, lo: -128, hi: 127 };
    return UNKNOWN;
  }
}
