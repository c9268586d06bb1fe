/** [test/fuzz] A seed → a random program: sizes, inputs, loads with masks and bounds, then steps of all kinds. */
import type { DType } from "../../dsl/index.ts";
import { branch, carryLoop, MOST_TRIPS, productLoop } from "./control.ts";
import {
  approximate,
  asWords,
  castTo,
  chooseBetween,
  compare,
  floatPair,
  floatUnary,
  integerPair,
  integerUnary,
} from "./elementwise.ts";
import {
  argReduce,
  dotOver,
  mergeAxes,
  quantify,
  reduce,
  renameAxis,
  scan,
  splitAxis,
  spread,
} from "./over-axes.ts";
import type { Input, Program, Range, Step, Value } from "./program.ts";
import { isFloatType } from "./ranges.ts";
import { Scope } from "./scope.ts";

/** Raised when the same seeds give other programs. */
export const GENERATOR_VERSION = 1;

const BLOCKS = [1, 2, 3, 4, 8, 8, 16, 16, 16, 32] as const;
const INPUT_TYPES: readonly DType[] = [
  ...(["f32", "f32", "f32", "f16", "f16", "bf16", "bf16", "f8e4m3", "f8e5m2"] as const),
  ...(["i32", "i32", "i8", "u8", "u32"] as const),
];
const OUTPUTS = 4;
const MANY_INPUTS = 4;

/** Values of an input: quarters up to 4 for floats (halves for 8 bits), whole numbers else. */
function rangeOf(dtype: DType): Range {
  if (dtype === "u32") return { bits: 32, grain: 0 };
  if (dtype === "i8") return { bits: 7, grain: 0 };
  if (dtype === "u8") return { bits: 8, grain: 0 };
  if (!isFloatType(dtype)) return { bits: 5, grain: 0 };
  return dtype.startsWith("f8") ? { bits: 2, grain: 1 } : { bits: 2, grain: 2 };
}

/** An input of the shape; where there are many already one of those, if any has it. */
function inputOf(scope: Scope, shape: readonly string[]): Input | undefined {
  const dtype = scope.dice.pick(INPUT_TYPES);
  const known = scope.inputs.filter((input) => input.shape.join() === shape.join());
  if (known.length > 0 && scope.inputs.length >= MANY_INPUTS) return scope.dice.pick(known);
  return scope.isFull ? undefined : scope.input(dtype, shape, rangeOf(dtype));
}

function fillOf(scope: Scope, dtype: DType): string {
  if (scope.dice.chance(0.5)) return "";
  return `fill: ${dtype === "u32" || dtype === "u8" || scope.dice.chance(0.5) ? 3 : -1}`;
}

/** A tile of a matrix: where the program is, moved, cut by an end, masked, or gathered. */
export function loadTile(scope: Scope): Value | undefined {
  const { dice } = scope;
  const input = inputOf(scope, ["M", "N"]);
  if (input === undefined) return undefined;
  const { dtype, range, name } = input;
  const type = { dtype, axes: ["BM", "BN"] };
  const mask = scope.some(
    ({ type: own }) => own.dtype === "bool" && own.axes.join() === type.axes.join(),
  );
  const index = scope.some(({ type: own }) => own.dtype === "i32" && own.axes.join() === "BM");
  const fill = fillOf(scope, dtype);
  const options = fill === "" ? "" : `, { ${fill} }`;
  const plain = { text: `load(${name}, [rows, cols])`, args: [] };
  if (mask !== undefined && dice.chance(0.5)) {
    const text = `load(${name}, [rows, cols], { ${fill === "" ? "" : `${fill}, `}mask: $0 })`;
    return scope.push(type, range, { text, args: [mask.id] }, plain);
  }
  if (index !== undefined && dice.chance(0.6)) {
    const text = `load(${name}, [gather(minimum(maximum($0, -1), M - 1)), cols]${options})`;
    return scope.push(type, range, { text, args: [index.id] }, plain);
  }
  const place = dice.pick([
    "rows, cols",
    "rows, cols",
    `span(pid(0) * BM - ${dice.below(3)}, BM), cols`,
    `rows, span(${dice.below(4)}, BN, ${dice.below(30)})`,
    "rows, span(pid(1) * BN, BN, n * 5)",
    "tile(n, BM), cols",
  ]);
  return scope.push(type, range, { text: `load(${name}, [${place}]${options})`, args: [] }, plain);
}

/** A row, a column or one element. */
export function loadPart(scope: Scope): Value | undefined {
  const { dice } = scope;
  const kind = dice.below(4);
  const matrix = kind > 1;
  const input = inputOf(scope, matrix ? ["M", "N"] : [kind === 0 ? "M" : "N"]);
  if (input === undefined) return undefined;
  const { dtype, range, name } = input;
  const fill = fillOf(scope, dtype);
  const options = fill === "" ? "" : `, { ${fill} }`;
  if (kind === 0)
    return scope.push({ dtype, axes: ["BM"] }, range, {
      text: `load(${name}, [rows]${options})`,
      args: [],
    });
  if (kind === 1)
    return scope.push({ dtype, axes: ["BN"] }, range, {
      text: `load(${name}, [cols]${options})`,
      args: [],
    });
  if (kind === 2) {
    const text = `load(${name}, [minimum(pid(0) * BM + n, M - 1), cols]${options})`;
    return scope.push({ dtype, axes: ["BN"] }, range, { text, args: [] });
  }
  const text = `load(${name}, [minimum(pid(0), M - 1), minimum(n, N - 1)])`;
  return scope.push({ dtype, axes: [] }, range, { text, args: [] });
}

export function count(scope: Scope): Value | undefined {
  const axis = scope.dice.pick(["BM", "BN"]);
  return scope.define({ dtype: "i32", axes: [axis] }, { bits: 5, grain: 0 }, `iota(${axis})`);
}

type Draw = (scope: Scope) => Value | undefined;

/** Kinds of steps, each as often as it stands here. */
const DRAWS: readonly Draw[] = [
  ...[floatPair, floatPair, floatPair, floatPair, floatUnary, floatUnary, approximate],
  ...[integerPair, integerPair, integerUnary, integerUnary, compare, compare],
  ...[chooseBetween, chooseBetween, castTo, castTo, castTo, asWords],
  ...[reduce, reduce, reduce, argReduce, scan, quantify, dotOver, dotOver],
  ...[spread, spread, renameAxis, splitAxis, mergeAxes],
  ...[loadTile, loadTile, loadTile, loadPart, loadPart, count],
];

function growSteps(scope: Scope, count: number): void {
  // What draws nothing (no operand fits, a sum would be rounded) is drawn again, within reason.
  for (let drawn = 0, tried = 0; drawn < count && tried < 8 * count; tried++)
    if (scope.dice.pick(DRAWS)(scope) !== undefined) drawn++;
}

function drawSizes(scope: Scope): readonly string[] {
  const { dice } = scope;
  scope.config["BM"] = dice.pick(BLOCKS);
  scope.config["BN"] = dice.pick(BLOCKS);
  scope.config["BK"] = dice.pick([4, 8, 16, 16, 32]);
  const size = (block: number): number =>
    dice.chance(0.4) ? block * (1 + dice.below(2)) : 1 + dice.below(Math.min(40, 2 * block + 2));
  scope.dims["M"] = size(scope.size("BM"));
  scope.dims["N"] = size(scope.size("BN"));
  scope.dims["K"] = size(scope.size("BK"));
  scope.n = dice.below(MOST_TRIPS);
  return ["M", "N", "K"].filter(() => dice.chance(0.3));
}

/** What the program computed with most steps, one of each type first. */
function chooseOutputs(scope: Scope): readonly Value[] {
  const weights = weightsOf(scope.steps);
  const weight = ({ id }: Value): number => weights.get(id)?.size ?? 0;
  const heavy = scope.values
    .filter(({ type }) => type.axes.length > 0)
    .sort((a, b) => weight(b) - weight(a));
  const kinds = new Map<string, Value>();
  for (const value of heavy) {
    const kind = `${value.type.dtype} ${value.type.axes.join()}`;
    if (!kinds.has(kind)) kinds.set(kind, value);
  }
  const first = [...kinds.values()].slice(0, OUTPUTS - 1);
  return [...new Set([...heavy.slice(0, 1), ...first, ...heavy])].slice(0, OUTPUTS);
}

/** The steps that each value depends on. */
function weightsOf(steps: readonly Step[]): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, ReadonlySet<number>>();
  const readsOf = (step: Step): readonly number[] => [
    ...step.code.args,
    ...(step.starts ?? []),
    ...(step.bodies ?? []).flatMap((body) => [...body.yields, ...body.steps.flatMap(readsOf)]),
  ];
  for (const step of steps) {
    const all = new Set(step.results.map(({ id }) => id));
    for (const body of step.bodies ?? [])
      for (const own of body.steps) for (const { id } of own.results) all.add(id);
    for (const id of readsOf(step)) for (const more of found.get(id) ?? []) all.add(more);
    for (const { id } of step.results) found.set(id, all);
  }
  return found;
}

/** @param steps steps outside of loops and branches */
export function randomProgram(seed: number, steps = 12): Program {
  const scope = new Scope(seed);
  const specialize = drawSizes(scope);
  loadTile(scope);
  loadTile(scope);
  count(scope);
  loadPart(scope);
  const { dice } = scope;
  const grow = (count: number): void => growSteps(scope, count);
  const [before, after] = [2 + dice.below(steps), 2 + dice.below(steps)];
  grow(before);
  for (let i = dice.below(3); i > 0; i--)
    dice.pick([productLoop, carryLoop, carryLoop, branch])(scope, grow);
  grow(after);
  const counted = scope.values.filter(({ type }) => type.dtype === "i32" && type.axes.length === 1);
  return {
    seed,
    dims: scope.dims,
    specialize,
    config: scope.config,
    inputs: scope.inputs,
    n: scope.n,
    steps: scope.steps,
    outputs: chooseOutputs(scope),
    counted: dice.chance(0.2) ? counted.slice(-1) : [],
  };
}
