/** [test/support] A second, slow and plain reading of the tile IR: one element at a time, by coordinates. Compared with the interpreter. */
import { DTYPES, type DType, isFloat } from "../../dsl/core/dtype.ts";
import { roundTo } from "../../dsl/core/rounding.ts";
import { roundEven } from "../../dsl/interpreter/library.ts";
import type { Block, Index, Op, TileKernel } from "../../dsl/ir/nodes.ts";
import type { BinaryFn, CompareFn, UnaryFn } from "../../dsl/ir/primitives.ts";
import type { Axis, Value, ValueType } from "../../dsl/ir/types.ts";
import { indexAxes } from "../../dsl/ir/verify-memory.ts";

type Place = Readonly<Record<string, number>>;
/** A tile as a function of a place; computed once for each place. */
interface Tile {
  readonly type: ValueType;
  readonly data: readonly number[];
}
export interface NaiveTensor {
  readonly shape: readonly number[];
  readonly data: number[];
}

function places(axes: readonly Axis[]): Place[] {
  let list: Place[] = [{}];
  for (const { name, size } of axes) {
    list = list.flatMap((place) =>
      Array.from({ length: size }, (_, i) => ({ ...place, [name]: i })),
    );
  }
  return list;
}

function offset(axes: readonly Axis[], place: Place): number {
  return axes.reduce((at, { name, size }) => at * size + (place[name] ?? 0), 0);
}

function at(tile: Tile, place: Place): number {
  return tile.data[offset(tile.type.axes, place)] ?? Number.NaN;
}

function build(type: ValueType, element: (place: Place) => number): Tile {
  return { type, data: places(type.axes).map(element) };
}

function unary(fn: UnaryFn, dtype: DType, x: number): number {
  switch (fn) {
    case "neg":
      return isFloat(dtype) ? -x : 0 - x;
    case "not":
      return dtype === "bool" ? 1 - x : ~x;
    case "round":
      return roundEven(x);
    case "exp2":
      return 2 ** x;
    case "rsqrt":
      return 1 / Math.sqrt(x);
    case "erf":
      throw new Error("not part of random kernels");
    default:
      return Math[fn](x);
  }
}

function binary(fn: BinaryFn, dtype: DType, a: number, b: number): number {
  const big = (f: (x: bigint, y: bigint) => bigint): number =>
    Number(BigInt.asIntN(32, f(BigInt(a), BigInt(b))));
  switch (fn) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return isFloat(dtype) ? a * b : big((x, y) => x * y);
    case "div":
      return a / b;
    case "floordiv":
      return Math.floor(a / b);
    case "mod":
      return a - b * Math.floor(a / b);
    case "min":
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
    case "max":
      return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
    case "and":
      return big((x, y) => x & y);
    case "or":
      return big((x, y) => x | y);
    case "xor":
      return big((x, y) => x ^ y);
    default:
      throw new Error(`${fn} is not part of random kernels`);
  }
}

function compare(fn: CompareFn, a: number, b: number): boolean {
  return { lt: a < b, le: a <= b, gt: a > b, ge: a >= b, eq: a === b, ne: a !== b }[fn];
}

/** Four partial sums in f32, as the interpreter documents. */
function sum(values: readonly number[], dtype: DType): number {
  if (!isFloat(dtype)) return values.reduce((a, b) => a + b, 0);
  const parts = [0, 1, 2, 3].map((j) =>
    values.reduce((s, x, i) => (i % 4 === j ? Math.fround(s + x) : s), 0),
  );
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = parts;
  return Math.fround(Math.fround(s0 + s1) + Math.fround(s2 + s3));
}

function cast(from: DType, to: DType, x: number): number {
  if (to === "bool") return x === 0 ? 0 : 1;
  if (!isFloat(from) || isFloat(to))
    return roundTo(to, Math.fround(x) === x || !isFloat(to) ? x : Math.fround(x));
  if (Number.isNaN(x)) return 0;
  const { bits, signed } = DTYPES[to];
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = 2 ** (signed ? bits - 1 : bits) - 1;
  return Math.min(high, Math.max(low, Math.trunc(x))) + 0;
}

function alongAxis(x: Tile, axis: string, place: Place): number[] {
  const size = x.type.axes.find((a) => a.name === axis)?.size ?? 0;
  return Array.from({ length: size }, (_, i) => at(x, { ...place, [axis]: i }));
}

/** Runs one program of a kernel. */
export class NaiveProgram {
  readonly #kernel: TileKernel;
  readonly #tensors: Readonly<Record<string, NaiveTensor>>;
  readonly #scalars: Readonly<Record<string, number>>;
  readonly #values = new Map<number, Tile>();

  constructor(
    kernel: TileKernel,
    tensors: Readonly<Record<string, NaiveTensor>>,
    scalars: Readonly<Record<string, number>>,
  ) {
    this.#kernel = kernel;
    this.#tensors = tensors;
    this.#scalars = scalars;
  }

  run(): void {
    this.#block(this.#kernel.body);
  }

  #get(value: Value): Tile {
    const tile = this.#values.get(value.id);
    if (tile === undefined) throw new Error(`%${value.id} is not there`);
    return tile;
  }

  #scalar(value: Value): number {
    return this.#get(value).data[0] ?? Number.NaN;
  }

  #set(value: Value, element: (place: Place) => number): void {
    const { dtype } = value.type;
    this.#values.set(
      value.id,
      build(value.type, (place) => roundTo(dtype, element(place))),
    );
  }

  #block(block: Block): readonly Tile[] {
    for (const op of block.ops) if (!this.#structured(op) && !this.#memory(op)) this.#pure(op);
    return block.yields.map((value) => this.#get(value));
  }

  #bind(values: readonly Value[], tiles: readonly Tile[]): void {
    values.forEach((value, i) => {
      const tile = tiles[i];
      if (tile !== undefined) this.#values.set(value.id, { type: value.type, data: tile.data });
    });
  }

  #structured(op: Op): boolean {
    if (op.kind === "if") {
      const block = this.#scalar(op.cond) !== 0 ? op.then : op.else;
      this.#bind(op.results, this.#block(block));
      return true;
    }
    if (op.kind !== "for") return false;
    let carried: readonly Tile[] = op.inits.map((value) => this.#get(value));
    const [iv, ...params] = op.body.params;
    for (let i = this.#scalar(op.lo); i < this.#scalar(op.hi); i += this.#scalar(op.step)) {
      const counter = i;
      if (iv !== undefined) this.#set(iv, () => counter);
      this.#bind(params, carried);
      carried = this.#block(op.body);
    }
    this.#bind(op.results, carried);
    return true;
  }

  /** The element that a place of a tile addresses, or undefined where it is outside. */
  #address(tensor: NaiveTensor, indices: readonly Index[], place: Place): number | undefined {
    let element = 0;
    for (const [dim, index] of indices.entries()) {
      const size = tensor.shape[dim] ?? 0;
      let i: number;
      if (index.kind === "at") i = this.#scalar(index.value);
      else if (index.kind === "gather") i = at(this.#get(index.index), place);
      else {
        i = this.#scalar(index.start) + (place[index.axis.name] ?? 0);
        if (index.end !== undefined && i >= this.#scalar(index.end)) return undefined;
      }
      if (i < 0 || i >= size) return undefined;
      element = element * size + i;
    }
    return element;
  }

  #memory(op: Op): boolean {
    if (op.kind !== "load" && op.kind !== "store") return false;
    const tensor = this.#tensors[op.tensor];
    if (tensor === undefined) throw new Error(`no tensor ${op.tensor}`);
    const { mask } = op;
    const element = (place: Place): number | undefined =>
      mask !== undefined && at(this.#get(mask), place) === 0
        ? undefined
        : this.#address(tensor, op.at, place);
    if (op.kind === "load") {
      this.#set(op.result, (place) => {
        const found = element(place);
        return found === undefined ? op.fill : (tensor.data[found] ?? Number.NaN);
      });
      return true;
    }
    const value = this.#get(op.value);
    for (const place of places(indexAxes(op.at))) {
      const found = element(place);
      if (found !== undefined) tensor.data[found] = at(value, place);
    }
    return true;
  }

  #pure(op: Op): void {
    switch (op.kind) {
      case "const":
        this.#set(op.result, () => op.value);
        return;
      case "param":
        this.#set(op.result, () => this.#scalars[op.param] ?? Number.NaN);
        return;
      case "iota":
        this.#set(op.result, (place) => Object.values(place)[0] ?? 0);
        return;
      case "unary": {
        const x = this.#get(op.x);
        this.#set(op.result, (p) => Math.fround(unary(op.fn, x.type.dtype, at(x, p))));
        return;
      }
      case "binary": {
        const [a, b] = [this.#get(op.a), this.#get(op.b)];
        const round = isFloat(a.type.dtype) ? Math.fround : (x: number): number => x;
        this.#set(op.result, (p) => round(binary(op.fn, a.type.dtype, at(a, p), at(b, p))));
        return;
      }
      case "compare": {
        const [a, b] = [this.#get(op.a), this.#get(op.b)];
        this.#set(op.result, (p) => Number(compare(op.fn, at(a, p), at(b, p))));
        return;
      }
      case "select": {
        const [cond, a, b] = [this.#get(op.cond), this.#get(op.a), this.#get(op.b)];
        this.#set(op.result, (p) => (at(cond, p) !== 0 ? at(a, p) : at(b, p)));
        return;
      }
      case "cast": {
        const x = this.#get(op.x);
        this.#set(op.result, (p) => cast(x.type.dtype, op.result.type.dtype, at(x, p)));
        return;
      }
      default:
        this.#axisOp(op);
        return;
    }
  }

  #axisOp(op: Op): void {
    switch (op.kind) {
      case "broadcast": {
        const x = this.#get(op.x);
        this.#set(op.result, (p) => at(x, p));
        return;
      }
      case "rename":
      case "merge":
      case "split": {
        const x = this.#get(op.x); // all three keep the row-major order
        this.#set(op.result, (p) => x.data[offset(op.result.type.axes, p)] ?? Number.NaN);
        return;
      }
      case "reduce": {
        const x = this.#get(op.x);
        this.#set(op.result, (p) => {
          const line = alongAxis(x, op.axis, p);
          if (op.fn === "sum") return sum(line, x.type.dtype);
          if (op.fn === "any") return line.includes(1) ? 1 : 0;
          if (op.fn === "all") return line.includes(0) ? 0 : 1;
          const numbers = line.filter((v) => !Number.isNaN(v));
          return op.fn === "max" ? Math.max(...numbers) : Math.min(...numbers);
        });
        return;
      }
      case "arg_reduce": {
        const x = this.#get(op.x);
        this.#set(op.result, (p) => {
          const line = alongAxis(x, op.axis, p);
          const numbers = line.filter((v) => !Number.isNaN(v));
          if (numbers.length === 0) return 0;
          const best = op.fn === "argmax" ? Math.max(...numbers) : Math.min(...numbers);
          return line.indexOf(best);
        });
        return;
      }
      case "scan": {
        const x = this.#get(op.x);
        this.#set(op.result, (p) => {
          const line = alongAxis(x, op.axis, p).slice(0, (p[op.axis] ?? 0) + 1);
          if (op.fn === "sum")
            return line.reduce((s, v) => (isFloat(x.type.dtype) ? Math.fround(s + v) : s + v), 0);
          return Math.max(...line.filter((v) => !Number.isNaN(v)));
        });
        return;
      }
      case "dot": {
        const [a, b] = [this.#get(op.a), this.#get(op.b)];
        const acc = op.acc === undefined ? undefined : this.#get(op.acc);
        this.#set(op.result, (p) => {
          const [left, right] = [alongAxis(a, op.axis, p), alongAxis(b, op.axis, p)];
          const { dtype } = op.result.type;
          const products = left.map((v, i) => roundTo(dtype, v * (right[i] ?? 0)));
          return (acc === undefined ? 0 : at(acc, p)) + sum(products, dtype);
        });
        return;
      }
      default:
        throw new Error(`${op.kind} is not part of random kernels`);
    }
  }
}
