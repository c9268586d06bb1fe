/** [test/fuzz] Random loops and branches: sums over blocks of K, values carried and exchanged, scalar conditions. */
import type { DType } from "../../dsl/index.ts";
import type { Range, Value } from "./program.ts";
import { added, isFloatType, joined, multiplied, rangeIn, summed, within } from "./ranges.ts";
import { type Scope, sameType } from "./scope.ts";

/** The scalar n is below this, and so is every count of trips that depends on it. */
export const MOST_TRIPS = 4;

export type Grow = (steps: number) => void;

/** A product brings two more. */
const MOST_INPUTS_BEFORE = 5;

const SCALAR_I32 = { dtype: "i32", axes: [] } as const;

/** acc = dot(load, load, acc) over blocks of K: what the compiler pipelines. */
export function productLoop(scope: Scope, grow: Grow): void {
  const { dice } = scope;
  if (scope.inputs.length > MOST_INPUTS_BEFORE) return;
  const dtype = dice.pick<DType>(["f32", "f16", "f16", "bf16", "bf16", "f8e4m3", "i8", "u8"]);
  const isFloat = isFloatType(dtype);
  const range: Range = { bits: isFloat ? 2 : dtype === "u8" ? 8 : 7, grain: isFloat ? 1 : 0 };
  const a = scope.input(dtype, ["M", "K"], range);
  const b = scope.input(dtype, ["N", "K"], range);
  const type = { dtype: isFloat ? "f32" : "i32", axes: ["BM", "BN"] } as const;
  const start = scope.define(type, { bits: 0, grain: 0 }, `zeros("${type.dtype}", BM, BN)`);
  const total = summed(multiplied(range, range), scope.dims["K"] ?? 1);
  const extra = { bits: total.bits + 1, grain: total.grain };
  const result: Value = { id: scope.fresh(), type, range: extra };
  const counter = scope.fresh();
  if (start === undefined || rangeIn(type.dtype, extra) === undefined) return;
  const block = { id: counter, type: SCALAR_I32, range: { bits: 6, grain: 0 } };
  const body = scope.inside([block, result], () => {
    const operand = (input: typeof a, axis: string, place: string): Value =>
      scope.push({ dtype, axes: [axis, "BK"] }, range, {
        text: `load(${input.name}, [${place}, span($0, BK)])`,
        args: [counter],
      });
    const [x, y] = [operand(a, "BM", "rows"), operand(b, "BN", "cols")];
    if (dice.chance(0.3)) grow(2);
    const args = [x.id, y.id, result.id];
    return [scope.push(type, extra, { text: "dot($0, $1, $2)", args }).id];
  });
  const options = dice.pick(["", ", { stages: 2 }", ", { stages: 3 }"]);
  scope.add({
    kind: "loop",
    results: [result],
    code: { text: `range(0, K, BK${options})`, args: [] },
    starts: [start.id],
    counter,
    bodies: [body],
  });
}

/** What every trip may give without leaving `range`: the value itself, another one, or a sum that stays in bounds. */
function carryOn(scope: Scope, result: Value, start: Value): number {
  const fitting = (value: Value): boolean => sameType(value.type, result.type);
  const total = (more: Range): Range | undefined => {
    const sum = added(start.range, summed(more, MOST_TRIPS));
    return within(sum, result.range) ? sum : undefined;
  };
  const term = scope.some((value) => fitting(value) && total(value.range) !== undefined);
  if (term !== undefined && term.id !== result.id && scope.dice.chance(0.6)) {
    const args = [result.id, term.id];
    return scope.push(result.type, result.range, { text: "$0 + $1", args }).id;
  }
  const other = scope.some((value) => fitting(value) && within(value.range, result.range));
  return (other ?? result).id;
}

/** A loop over up to n or a few trips that carries one or two values. */
export function carryLoop(scope: Scope, grow: Grow): void {
  loopOver(scope, grow, "loop", [
    ["range($0)", ["n"]],
    ["range(3)", []],
    ["range(1, $0)", ["n"]],
    ["range(-2, 7, 3)", []],
  ]);
}

/** The same by a condition: a bound, with or without one for the interpreter, and what stays true for some programs alone. */
export function whileLoop(scope: Scope, grow: Grow): void {
  loopOver(scope, grow, "while", [
    ["# < $0", ["n"]],
    ["bounded(# < 3, 3)", []],
    ["# < $0 && pid(0) < 1", ["n"]],
    ["bounded(# * 2 < $0 || # < minimum(pid(1), 3), 4)", ["n"]],
  ]);
}

type Head = readonly [text: string, args: readonly "n"[]];

function loopOver(scope: Scope, grow: Grow, kind: "loop" | "while", heads: readonly Head[]): void {
  const { dice } = scope;
  const first = scope.some(({ type }) => type.dtype !== "bool");
  if (first === undefined) return;
  const second = scope.some(({ type, id }) => sameType(type, first.type) && id !== first.id);
  const starts = second !== undefined && dice.chance(0.5) ? [first, second] : [first];
  const common = starts.map(({ range }) => range).reduce(joined);
  const roomy = {
    ...common,
    bits: common.bits + 3,
    grain: common.error === undefined ? common.grain + 1 : 0,
  };
  const range = (common.error === undefined && rangeIn(first.type.dtype, roomy)) || common;
  const results = starts.map(({ type }): Value => ({ id: scope.fresh(), type, range }));
  const counter: Value = { id: scope.fresh(), type: SCALAR_I32, range: { bits: 4, grain: 0 } };
  const body = scope.inside([counter, ...results], () => {
    grow(3);
    return results.map((result, i) => carryOn(scope, result, starts[i] ?? result));
  });
  const n = scope.define(SCALAR_I32, { bits: 2, grain: 0 }, "n");
  const [text, args] = dice.pick(heads);
  scope.add({
    kind,
    results,
    code: { text, args: args.map(() => n?.id ?? 0) },
    starts: starts.map(({ id }) => id),
    counter: counter.id,
    bodies: [body],
  });
}

/** A branch on a scalar that the program, its place or its data decide. */
export function branch(scope: Scope, grow: Grow): void {
  const { dice } = scope;
  const start = scope.some(({ type }) => type.dtype !== "bool");
  if (start === undefined) return;
  const known = scope.some(({ type }) => type.dtype === "bool" && type.axes.length === 0);
  const text = dice.pick(["n > 1", "pid(0) === 0", "pid(1) > 0", "n === 2 && pid(0) > 0"]);
  const cond =
    known !== undefined && dice.chance(0.6)
      ? known
      : scope.define({ dtype: "bool", axes: [] }, { bits: 0, grain: 0 }, text);
  if (cond === undefined) return;
  const bodyOf = () => {
    const found: Value[] = [];
    const body = scope.inside([], () => {
      grow(2);
      const one = scope.some(({ type }) => sameType(type, start.type)) ?? start;
      found.push(one);
      return [one.id];
    });
    return { body, one: found[0] ?? start };
  };
  const sides = [bodyOf(), bodyOf()];
  const range = sides.map(({ one }) => one.range).reduce(joined);
  scope.add({
    kind: "if",
    results: [{ id: scope.fresh(), type: start.type, range }],
    code: { text: "$0", args: [cond.id] },
    starts: [start.id],
    bodies: sides.map(({ body }) => body),
  });
}

/** Work for the rows alone where a condition holds; the others give zero either way. */
export function neededRows(scope: Scope): Value | undefined {
  const cond = scope.some(({ type }) => type.dtype === "bool" && type.axes.join() === "BM");
  const x =
    cond &&
    scope.some(
      ({ type, range }) =>
        type.dtype !== "bool" && type.axes[0] === "BM" && range.error === undefined,
    );
  if (cond === undefined || x === undefined) return undefined;
  const { dtype, axes } = x.type;
  const zeros = `zeros("${dtype}", ${axes.join(", ")})`;
  const [text, range] = scope.dice.pick([
    ["$1 + $1", added(x.range, x.range)],
    ["$1 * $1", multiplied(x.range, x.range)],
    ["maximum($1, 1)", joined(x.range, { bits: 0, grain: 0 })],
  ] as const);
  const whole = `ifAny($0, "BM", () => where($0, ${text}, 0), ${zeros})`;
  return scope.define(x.type, range, whole, cond, x);
}
