/** [runtime/autotune] What one program of a kernel computes and moves, read from its tile IR. Estimates for ranking, not for results. */
import {
  type Block,
  DTYPES,
  elementCount,
  type ForOp,
  type Op,
  regions,
  type TileKernel,
  type Value,
  type ValueType,
} from "../../dsl/index.ts";
import type { Dims } from "./buckets.ts";

/** Work of one program. */
export interface ProgramWork {
  /** Operations of `dot`, padded to what a matrix instruction takes at least; a multiply-add counts as two. */
  readonly dotOps: number;
  /** Operations on single elements. */
  readonly elementOps: number;
  readonly loadedBytes: number;
  readonly storedBytes: number;
  /** Bytes that stay in registers through a loop. */
  readonly carriedBytes: number;
  /** Bytes of the loads of the largest loop in one trip, times the stages it asks for. */
  readonly stagedBytes: number;
  /** Trips of all loops together, each waiting for memory once. */
  readonly trips: number;
  /** Stages of the deepest pipeline, 1 without one. */
  readonly stages: number;
}

/** Trips of a loop whose bounds are read from memory. */
const UNKNOWN_TRIPS = 16;
/** Least rows and columns of a matrix instruction. */
const MMA_ROWS = 16;
const MMA_COLUMNS = 8;

type Totals = { -readonly [K in keyof ProgramWork]: ProgramWork[K] };

/**
 * Work of the program in the middle of the grid.
 * @param grid programs along each axis
 */
export function workOf(tile: TileKernel, dims: Dims, grid: readonly number[]): ProgramWork {
  const totals: Totals = {
    dotOps: 0,
    elementOps: 0,
    loadedBytes: 0,
    storedBytes: 0,
    carriedBytes: 0,
    stagedBytes: 0,
    trips: 0,
    stages: 1,
  };
  const dimSizes = { ...dims, ...tile.fixedDims };
  new Walk(totals, dimSizes, grid).block(tile.body, 1);
  return totals;
}

class Walk {
  readonly #totals: Totals;
  readonly #dims: Dims;
  readonly #grid: readonly number[];
  /** Scalars whose value is known, by id. */
  readonly #known = new Map<number, number>();

  constructor(totals: Totals, dims: Dims, grid: readonly number[]) {
    this.#totals = totals;
    this.#dims = dims;
    this.#grid = grid;
  }

  block({ ops }: Block, times: number): void {
    for (const op of ops) this.#op(op, times);
  }

  #op(op: Op, times: number): void {
    const totals = this.#totals;
    switch (op.kind) {
      case "for":
        this.#loop(op, times);
        return;
      case "while":
        totals.trips += times * UNKNOWN_TRIPS;
        this.block(op.body, times * UNKNOWN_TRIPS);
        return;
      case "load":
        totals.loadedBytes += times * bytesOf(op.result.type);
        return;
      case "store":
      case "atomic":
        totals.storedBytes += times * bytesOf(op.value.type);
        return;
      case "dot":
        totals.dotOps += times * dotOps(op.a.type, op.b.type, op.axis);
        return;
      case "unary":
      case "binary":
      case "compare":
      case "select":
      case "cast":
      case "reduce":
      case "arg_reduce":
      case "scan":
        totals.elementOps += times * elementsOf(op);
        this.#learn(op);
        return;
      default:
        this.#learn(op);
        for (const region of regions(op)) this.block(region, times);
    }
  }

  #loop(op: ForOp, times: number): void {
    const totals = this.#totals;
    const [lo, hi, step] = [op.lo, op.hi, op.step].map((value) => this.#known.get(value.id));
    const isKnown = lo !== undefined && hi !== undefined && step !== undefined && step > 0;
    const trips = isKnown ? Math.max(0, Math.ceil((hi - lo) / step)) : UNKNOWN_TRIPS;
    const stages = op.hints.stages ?? 1;
    totals.trips += times * trips;
    totals.stages = Math.max(totals.stages, stages);
    const carried = op.inits.reduce((sum, value) => sum + bytesOf(value.type), 0);
    totals.carriedBytes = Math.max(totals.carriedBytes, carried);
    const loads = op.body.ops.reduce(
      (sum, inner) => sum + (inner.kind === "load" ? bytesOf(inner.result.type) : 0),
      0,
    );
    totals.stagedBytes = Math.max(totals.stagedBytes, loads * stages);
    this.block(op.body, times * trips);
  }

  /** Follows the arithmetic of sizes as far as it depends on dims and the program's place alone. */
  #learn(op: Op): void {
    switch (op.kind) {
      case "const":
        this.#set(op.result, op.value);
        return;
      case "dim":
        this.#set(op.result, this.#dims[op.dim]);
        return;
      case "pid":
        this.#set(op.result, Math.floor((this.#grid[op.axis] ?? 1) / 2));
        return;
      case "num_programs":
        this.#set(op.result, this.#grid[op.axis] ?? 1);
        return;
      case "binary":
        this.#set(op.result, arithmetic(op.fn, this.#known.get(op.a.id), this.#known.get(op.b.id)));
        return;
      case "cast":
        this.#set(op.result, this.#known.get(op.x.id));
        return;
      default:
        return;
    }
  }

  #set(result: Value, value: number | undefined): void {
    if (value !== undefined && result.type.axes.length === 0) this.#known.set(result.id, value);
  }
}

function arithmetic(fn: string, a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  switch (fn) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "floordiv":
      return b === 0 ? undefined : Math.floor(a / b);
    case "mod":
      return b === 0 ? undefined : a - b * Math.floor(a / b);
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    default:
      return undefined;
  }
}

function elementsOf(op: Op): number {
  if (op.kind === "reduce" || op.kind === "arg_reduce" || op.kind === "scan")
    return elementCount(op.x.type);
  return "result" in op && op.result.type.axes.length > 0 ? elementCount(op.result.type) : 0;
}

function dotOps(a: ValueType, b: ValueType, axis: string): number {
  const others = (type: ValueType) =>
    type.axes.reduce((product, { name, size }) => (name === axis ? product : product * size), 1);
  const contracted = a.axes.find(({ name }) => name === axis)?.size ?? 1;
  const rows = Math.ceil(others(a) / MMA_ROWS) * MMA_ROWS;
  const columns = Math.ceil(others(b) / MMA_COLUMNS) * MMA_COLUMNS;
  return 2 * rows * columns * contracted;
}

function bytesOf(type: ValueType): number {
  return (elementCount(type) * DTYPES[type.dtype].bits) / 8;
}
