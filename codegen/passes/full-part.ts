/** [codegen/passes] The trips of a loop that its masks leave whole, and the pieces of the loop before, in and behind them. No pass. */
import { invariant } from "../../dsl/index.ts";
import { type Affine, FullTrips } from "../analysis/full-trips.ts";
import type { ScheduledKernel, SFor, SOp, SValue } from "../ir/scheduled.ts";
import { scheduledResults, walkScheduled } from "../ir/visit-scheduled.ts";
import { type Renaming, renamed } from "./clone-scheduled.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";

/** A part of the loop's trips; in full ones no mask is needed. */
export interface Piece {
  readonly from: SValue;
  readonly to: SValue;
  readonly isFull: boolean;
}

interface Bounds {
  /** Value of the counter in the first trip that is meant. */
  readonly from: SValue;
  readonly to: SValue;
  readonly stride: SValue;
  readonly by: Renaming;
}

export class FullPart {
  /** Results of selects that full trips do not need → what they choose there. */
  readonly selects: ReadonlyMap<number, SValue>;
  readonly #most: readonly Affine[];
  readonly #least: readonly Affine[];

  constructor(
    selects: ReadonlyMap<number, SValue>,
    most: readonly Affine[],
    least: readonly Affine[],
  ) {
    this.selects = selects;
    this.#most = most;
    this.#least = least;
  }

  /** Values that the bounds are made of. */
  get values(): readonly SValue[] {
    return [...this.#most, ...this.#least].flatMap(({ terms }) => terms.map(({ value }) => value));
  }

  #value(ops: SOp[], b: ScalarBuilder, { terms, constant }: Affine, by: Renaming): SValue {
    let sum = b.constant(ops, constant, "bound");
    for (const { value, sign } of terms)
      sum = b.binary(ops, sign === 1 ? "add" : "sub", sum, renamed(by, value), "bound");
    return sum;
  }

  /** The first value on the loop's grid that is not below `end`. */
  #aligned(ops: SOp[], b: ScalarBuilder, from: SValue, end: SValue, stride: SValue): SValue {
    const one = b.constant(ops, 1, "one");
    const up = b.binary(
      ops,
      "sub",
      b.binary(ops, "add", b.binary(ops, "sub", end, from, "t"), stride, "t"),
      one,
      "t",
    );
    const trips = b.binary(
      ops,
      "max",
      b.binary(ops, "floordiv", up, stride, "t"),
      b.constant(ops, 0, "zero"),
      "trips",
    );
    return b.binary(ops, "add", from, b.binary(ops, "mul", trips, stride, "t"), "edge");
  }

  /** Whether the trip at `iv` is full. */
  covers(ops: SOp[], b: ScalarBuilder, iv: SValue, by: Renaming): SValue {
    const checks = [
      ...this.#most.map((bound) =>
        b.compare(ops, "le", iv, this.#value(ops, b, bound, by), "below"),
      ),
      ...this.#least.map((bound) =>
        b.compare(ops, "ge", iv, this.#value(ops, b, bound, by), "above"),
      ),
    ];
    return checks.reduce((x, y) => {
      const result = b.scalar("full", "bool");
      ops.push({ kind: "binary", fn: "and", result, a: x, b: y, loc: b.loc });
      return result;
    });
  }

  /** Cut trips before, full trips, cut trips behind; pieces that cannot be are left out. */
  pieces(ops: SOp[], b: ScalarBuilder, { from, to, stride, by }: Bounds): readonly Piece[] {
    const pieces: Piece[] = [];
    let start = from;
    if (this.#least.length > 0) {
      let edge = this.#least
        .map((bound) => this.#value(ops, b, bound, by))
        .reduce((x, y) => b.binary(ops, "max", x, y, "edge"));
      edge = b.binary(ops, "min", edge, to, "edge");
      pieces.push({ from, to: edge, isFull: false });
      start = this.#aligned(ops, b, from, edge, stride);
    }
    if (this.#most.length === 0) return [...pieces, { from: start, to, isFull: true }];
    const one = b.constant(ops, 1, "one");
    const most = this.#most
      .map((bound) => this.#value(ops, b, bound, by))
      .reduce((x, y) => b.binary(ops, "min", x, y, "edge"));
    const end = b.binary(ops, "min", b.binary(ops, "add", most, one, "edge"), to, "edge");
    pieces.push({ from: start, to: end, isFull: true });
    pieces.push({ from: this.#aligned(ops, b, start, end, stride), to, isFull: false });
    return pieces;
  }
}

/** The full trips with respect to the selects among `ops`, or undefined where no select has any. */
export function fullPart(
  kernel: ScheduledKernel,
  loop: SFor,
  ops: readonly SOp[],
): FullPart | undefined {
  const definitions = new Map<number, SOp>();
  walkScheduled(kernel.body, (op) => {
    for (const { id } of scheduledResults(op)) definitions.set(id, op);
  });
  const [counter, ...carried] = loop.body.params;
  invariant(counter !== undefined, () => "a loop without a counter");
  const changing = new Set(carried.map(({ id }) => id));
  walkScheduled(loop.body, (op) => {
    for (const { id } of scheduledResults(op)) changing.add(id);
  });
  const trips = new FullTrips(definitions, counter, changing);
  const selects = new Map<number, SValue>();
  const [most, least]: [Affine[], Affine[]] = [[], []];
  for (const op of ops) {
    if (op.kind !== "select") continue;
    const bounds = trips.boundsOf(op.cond);
    if (bounds === undefined) continue;
    selects.set(op.result.id, op.a);
    for (const { kind, bound } of bounds) (kind === "most" ? most : least).push(bound);
  }
  return selects.size === 0 ? undefined : new FullPart(selects, most, least);
}
