/** [dsl/frontend] Counted loops and while: which variables change from trip to trip, and with what types. */
import type { DType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { OpenBlock } from "../ir/build.ts";
import { type Axis, formatType, type Value, type ValueType } from "../ir/types.ts";
import {
  type AbstractValue,
  describe,
  knownValue,
  type RangeValue,
  runtime,
} from "./abstract-value.ts";
import { axesOf, conform, dtypeOf, isData, joinAxes, materializeIndex } from "./coerce.ts";
import { assignedNames } from "./free-names.ts";
import type { HirFor, HirStatement, HirWhile } from "./hir.ts";
import { mapData, same } from "./join.ts";
import { scalarTest } from "./lower-branch.ts";
import type { Lowering } from "./lowering.ts";
import { type Cell, Scope } from "./scope.ts";
import { requireChange } from "./while-condition.ts";

/** Trips after which the interpreter stops a `while` that has no bound of its own. */
const MAX_TRIPS = 1 << 20;
/** A carried type can grow by its axes and change from a literal's; each happens at most once. */
const MAX_ATTEMPTS = 4;

interface Carried {
  readonly cell: Cell;
  readonly before: AbstractValue;
}
/** One number or tile that is carried. */
interface Leaf {
  readonly name: string;
  readonly init: AbstractValue;
  /** Undefined while only literals were seen. */
  readonly dtype: DType | undefined;
  readonly axes: readonly Axis[];
}

/** What one attempt at a body gave: its values for each leaf at the end of a trip. */
interface Attempt<T> {
  readonly finals: readonly AbstractValue[];
  readonly made: T;
}

function carriedBy(lw: Lowering, scope: Scope, body: readonly HirStatement[]): readonly Carried[] {
  return assignedNames(body).flatMap((name) => {
    const found = scope.find(name);
    if (found === undefined || found.crossed || !found.cell.mutable) return [];
    return [{ cell: found.cell, before: lw.read(found.cell) }];
  });
}

function leavesOf(carried: readonly Carried[]): readonly Leaf[] {
  const leaves: Leaf[] = [];
  for (const { cell, before } of carried) {
    mapData(before, (init) => {
      leaves.push({ name: cell.name, init, dtype: dtypeOf(init), axes: axesOf(init) });
      return init;
    });
  }
  return leaves;
}

/** Sets each carried variable to its share of `values`. */
function assign(lw: Lowering, carried: readonly Carried[], values: readonly AbstractValue[]): void {
  let next = 0;
  for (const { cell, before } of carried) {
    lw.store.set(
      cell,
      mapData(before, () => values[next++] ?? { kind: "error" }),
    );
  }
}

/** The values of the carried variables after a trip, leaf by leaf. */
function finalsOf(
  lw: Lowering,
  carried: readonly Carried[],
  loc: Location,
): readonly AbstractValue[] {
  return carried.flatMap(({ cell, before }) => pair(lw, cell.name, before, lw.read(cell), loc));
}

function pair(
  lw: Lowering,
  name: string,
  before: AbstractValue,
  after: AbstractValue,
  loc: Location,
): readonly AbstractValue[] {
  if (isData(before)) return [after];
  if (
    before.kind === "array" &&
    after.kind === "array" &&
    before.items.length === after.items.length
  ) {
    return before.items.flatMap((item, i) =>
      pair(lw, name, item, after.items[i] ?? { kind: "error" }, loc),
    );
  }
  if (before.kind === "object" && after.kind === "object") {
    return Object.entries(before.fields).flatMap(([key, item]) =>
      pair(lw, name, item, after.fields[key] ?? { kind: "error" }, loc),
    );
  }
  if (same(before, after) || before.kind === "error") return [];
  return lw.fail("TW1173", loc, {
    message: `'${name}' cannot be carried from one trip of the loop to the next`,
    seen: `${describe(before)} before the loop, ${describe(lw.good(after))} after a trip`,
    expected: "a number or tile before the loop, or an array or object of them whose shape stays",
    remedy: `give '${name}' its first value before the loop, or declare it inside`,
  });
}

/** Placeholders for the carried values at the start of a trip. */
function parameters(
  lw: Lowering,
  leaves: readonly Leaf[],
): { readonly values: readonly Value[]; readonly avs: readonly AbstractValue[] } {
  const values = leaves.map((leaf) =>
    lw.builder.value({ dtype: leaf.dtype ?? guess(leaf.init), axes: leaf.axes }, leaf.name),
  );
  const avs = values.map((value, i): AbstractValue => {
    return leaves[i]?.dtype === undefined
      ? { kind: "value", value, adaptable: true }
      : runtime(value);
  });
  return { values, avs };
}

function guess(av: AbstractValue): DType {
  const known = knownValue(av);
  return typeof known === "number" && !Number.isInteger(known) ? "f32" : "i32";
}

/**
 * Runs `attempt` until the types at the end of a trip are those at its start. Nothing of an attempt whose types did not
 * settle is kept.
 */
function settle<T>(
  lw: Lowering,
  initial: readonly Leaf[],
  attempt: (leaves: readonly Leaf[]) => Attempt<T>,
  loc: Location,
): { readonly leaves: readonly Leaf[]; readonly attempt: Attempt<T> } {
  let leaves = initial;
  for (let round = 1; ; round++) {
    const mark = lw.builder.mark();
    const problems = lw.problems.count;
    const result = attempt(leaves);
    const next = leaves.map((leaf, i) =>
      grown(lw, leaf, result.finals[i], round === MAX_ATTEMPTS, loc),
    );
    if (next.every((leaf, i) => leaf === leaves[i])) return { leaves, attempt: result };
    lw.builder.reset(mark);
    for (const id of lw.named) if (id >= mark.nextId) lw.named.delete(id);
    lw.problems.truncate(problems);
    leaves = next;
  }
}

/** The leaf with the type that `final` asks for; the same leaf where it asks for nothing new. */
function grown(
  lw: Lowering,
  leaf: Leaf,
  final: AbstractValue | undefined,
  last: boolean,
  loc: Location,
): Leaf {
  if (final === undefined || final.kind === "error" || !isData(final)) {
    return leaf.dtype === undefined ? { ...leaf, dtype: guess(leaf.init) } : leaf;
  }
  const dtype = dtypeOf(final);
  if (leaf.dtype === undefined) {
    const settled = dtype ?? (guess(leaf.init) === "f32" ? "f32" : guess(final));
    return {
      ...leaf,
      dtype: settled,
      axes: joinAxes(lw, `'${leaf.name}'`, leaf.axes, axesOf(final), loc),
    };
  }
  const axes = joinAxes(lw, `'${leaf.name}' from trip to trip`, leaf.axes, axesOf(final), loc);
  const agrees = dtype === undefined || dtype === leaf.dtype;
  if (agrees && axes.length === leaf.axes.length) return leaf;
  if (agrees && !last) return { ...leaf, axes };
  return lw.fail("TW1174", loc, {
    message: `'${leaf.name}' changes its type from one trip of the loop to the next`,
    seen: `${formatType({ dtype: leaf.dtype, axes: leaf.axes })} before the loop, ${describe(final)} after a trip`,
    expected: "one type for all trips",
    remedy: `start with a value of that type, or convert what is assigned: cast(x, "${leaf.dtype}")`,
  });
}

function typeOf(leaf: Leaf): ValueType {
  return { dtype: leaf.dtype ?? guess(leaf.init), axes: leaf.axes };
}

function fitLeaves(
  lw: Lowering,
  leaves: readonly Leaf[],
  values: readonly AbstractValue[],
  loc: Location,
): readonly Value[] {
  return leaves.map((leaf, i) => {
    const { dtype, axes } = typeOf(leaf);
    const value = values[i] ?? { kind: "error" };
    return conform(lw, value, dtype, axes, { loc });
  });
}

/** Results of the loop, one for each leaf, and the variables set to them. */
function finish(
  lw: Lowering,
  carried: readonly Carried[],
  leaves: readonly Leaf[],
): readonly Value[] {
  const results = leaves.map((leaf) => lw.builder.value(typeOf(leaf), leaf.name));
  assign(lw, carried, results.map(runtime));
  return results;
}

/** `for (const i of range(…))`. */
export function lowerFor(lw: Lowering, scope: Scope, statement: HirFor, range: RangeValue): void {
  const loc = lw.location(statement.span);
  const at = lw.location(statement.iterable.span);
  const name = statement.target.kind === "name" ? statement.target.name : "i";
  const lo = materializeIndex(lw, range.lo, "the start of the range", at);
  const hi = materializeIndex(lw, range.hi, "the end of the range", at);
  const step = materializeIndex(lw, range.step, "the step of the range", at);
  const carried = carriedBy(lw, scope, statement.body);
  const { leaves, attempt } = settle(
    lw,
    leavesOf(carried),
    (current) => {
      const iv = lw.builder.value({ dtype: "i32", axes: [] }, name);
      const params = parameters(lw, current);
      const { block, result } = lw.builder.block([iv, ...params.values], () =>
        lw.isolated(() => {
          assign(lw, carried, params.avs);
          const inner = new Scope(scope);
          lw.steps.bind(lw, inner, statement.target, runtime(iv), false);
          lw.steps.statements(lw, inner, statement.body);
          return finalsOf(lw, carried, loc);
        }),
      );
      return { finals: result.result, made: block };
    },
    loc,
  );
  const body = closeBody(lw, attempt.made, leaves, attempt.finals, loc);
  const inits = fitLeaves(
    lw,
    leaves,
    leaves.map((leaf) => leaf.init),
    loc,
  );
  const results = finish(lw, carried, leaves);
  lw.builder.region({ kind: "for", results, lo, hi, step, inits, body, hints: range.hints, loc });
}

function closeBody(
  lw: Lowering,
  block: OpenBlock,
  leaves: readonly Leaf[],
  finals: readonly AbstractValue[],
  loc: Location,
) {
  const yields = lw.builder.reopen(block, () => fitLeaves(lw, leaves, finals, loc));
  return lw.builder.close(block, yields);
}

/** `while (cond)` and `while (bounded(cond, trips))`. */
export function lowerWhile(lw: Lowering, scope: Scope, statement: HirWhile): void {
  const loc = lw.location(statement.span);
  const carried = carriedBy(lw, scope, statement.body);
  let maxTrips = MAX_TRIPS;
  const { leaves, attempt } = settle(
    lw,
    leavesOf(carried),
    (current) => {
      const atTest = parameters(lw, current);
      const test = lw.builder.block(atTest.values, () =>
        lw.isolated(() => {
          assign(lw, carried, atTest.avs);
          const cond = lw.good(lw.steps.expression(lw, scope, statement.test));
          if (cond.kind === "bounded") maxTrips = cond.maxTrips;
          return cond.kind === "bounded" ? cond.cond : cond;
        }),
      );
      const atBody = parameters(lw, current);
      const body = lw.builder.block(atBody.values, () =>
        lw.isolated(() => {
          assign(lw, carried, atBody.avs);
          lw.steps.statements(lw, new Scope(scope), statement.body);
          return finalsOf(lw, carried, loc);
        }),
      );
      return { finals: body.result.result, made: { test, body: body.block } };
    },
    loc,
  );
  const { test, body } = attempt.made;
  const testLoc = lw.location(statement.test.span);
  const cond = scalarTest(
    lw,
    test.result.result,
    testLoc,
    "reduce the mask to one condition: some(mask, axis)",
  );
  if (typeof cond === "boolean") {
    lw.fail("TW1175", testLoc, {
      message: `the condition of while is always ${cond}`,
      seen: `${cond}, known at compile time`,
      expected: "a condition over variables that the body changes",
      remedy: cond
        ? "write for (const i of range(n)) for a fixed number of trips"
        : "remove the loop, or write if for a config value",
    });
  }
  const closed = closeBody(lw, body, leaves, attempt.finals, loc);
  const inits = fitLeaves(
    lw,
    leaves,
    leaves.map((leaf) => leaf.init),
    loc,
  );
  const results = finish(lw, carried, leaves);
  const condBlock = lw.builder.close(test.block, [cond]);
  requireChange(lw, condBlock, testLoc);
  lw.builder.region({
    kind: "while",
    results,
    inits,
    cond: condBlock,
    body: closed,
    maxTrips,
    loc,
  });
}
