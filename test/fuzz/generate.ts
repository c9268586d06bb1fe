/** [test/fuzz] A seed → a random program: sizes, inputs, loads with masks and bounds, then steps of all kinds. */
import { branch, carryLoop, MOST_TRIPS, neededRows, productLoop, whileLoop } from "./control.ts";
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
  countAlong,
  loadDeep,
  loadPart,
  loadStored,
  loadTile,
  loadTurned,
  loadWithHoles,
} from "./loads.ts";
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
  topOf,
} from "./over-axes.ts";
import type { Count, Program, Step, Value } from "./program.ts";
import { dequantize } from "./quantized.ts";
import { Scope } from "./scope.ts";

/** Raised when the same seeds give other programs. */
export const GENERATOR_VERSION = 4;

const BLOCKS = [1, 2, 3, 4, 8, 8, 16, 16, 16, 32, 32, 64] as const;
const OUTPUTS = 4;

type Draw = (scope: Scope) => Value | undefined;

/** Kinds of steps, each as often as it stands here. */
const DRAWS: readonly Draw[] = [
  ...[floatPair, floatPair, floatPair, floatPair, floatUnary, floatUnary, approximate],
  ...[integerPair, integerPair, integerUnary, integerUnary, compare, compare],
  ...[chooseBetween, chooseBetween, castTo, castTo, castTo, asWords],
  ...[reduce, reduce, reduce, argReduce, scan, quantify, dotOver, dotOver],
  ...[spread, spread, renameAxis, splitAxis, mergeAxes],
  ...[loadTile, loadTile, loadTile, loadPart, loadPart, countAlong],
  ...[loadTurned, loadDeep, loadStored, neededRows],
  ...[dequantize, dequantize, loadWithHoles, topOf],
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

/** A tile of bool over the axes of an output. */
function maskFor(scope: Scope, { type }: Value): Value | undefined {
  return scope.some(
    (value) => value.type.dtype === "bool" && value.type.axes.join() === type.axes.join(),
  );
}

function countsOf(scope: Scope): readonly Count[] {
  const value = scope.values
    .filter(({ type }) => type.dtype === "i32" && type.axes.length === 1)
    .at(-1);
  if (value === undefined) return [];
  const fn = scope.dice.pick(["Add", "Add", "Max", "Min"] as const);
  const dtype = scope.dice.pick(
    fn === "Add" ? (["i32", "u32", "f32"] as const) : (["i32", "u32"] as const),
  );
  return [{ value, fn, dtype }];
}

/** @param steps steps outside of loops and branches */
export function randomProgram(seed: number, steps = 12): Program {
  const scope = new Scope(seed);
  const specialize = drawSizes(scope);
  loadTile(scope);
  loadTile(scope);
  countAlong(scope);
  loadPart(scope);
  const { dice } = scope;
  const grow = (count: number): void => growSteps(scope, count);
  const [before, after] = [2 + dice.below(steps), 2 + dice.below(steps)];
  grow(before);
  for (let i = dice.below(3); i > 0; i--)
    dice.pick([productLoop, carryLoop, carryLoop, whileLoop, branch])(scope, grow);
  grow(after);
  const outputs = chooseOutputs(scope);
  return {
    seed,
    dims: scope.dims,
    specialize,
    config: scope.config,
    inputs: scope.inputs,
    n: scope.n,
    steps: scope.steps,
    outputs,
    masks: outputs.map((value) => (dice.chance(0.2) ? maskFor(scope, value) : undefined)),
    counted: dice.chance(0.3) ? countsOf(scope) : [],
  };
}
