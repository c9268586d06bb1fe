/** [test/fuzz] What is visible while a random program grows: values, axes, inputs; how steps are added. Chooses no ops. */
import type { DType } from "../../dsl/index.ts";
import { Dice } from "./dice.ts";
import type { Body, Code, Input, Range, Step, TileType, Value } from "./program.ts";
import { rangeIn } from "./ranges.ts";

const MOST_ELEMENTS = 4096;
const MOST_INPUTS = 7;

export function sameType(a: TileType, b: TileType): boolean {
  return a.dtype === b.dtype && a.axes.join() === b.axes.join();
}

export class Scope {
  readonly dice: Dice;
  readonly config: Record<string, number> = {};
  readonly dims: Record<string, number> = {};
  readonly inputs: Input[] = [];
  n = 0;
  #steps: Step[] = [];
  #values: Value[] = [];
  #next = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  size(axis: string): number {
    return this.config[axis] ?? 1;
  }

  elements(axes: readonly string[]): number {
    return axes.reduce((count, axis) => count * this.size(axis), 1);
  }

  /** Whether a tile over the axes is small enough for a quick run. */
  holds(axes: readonly string[]): boolean {
    return this.elements(axes) <= MOST_ELEMENTS;
  }

  fresh(): number {
    return this.#next++;
  }

  /** A new axis. */
  axis(prefix: string, size: number): string {
    const name = `${prefix}${this.#next++}`;
    this.config[name] = size;
    return name;
  }

  get values(): readonly Value[] {
    return this.#values;
  }

  /** One of the visible values that are accepted, late ones more often; `other` only where there is no second one. */
  some(accept: (value: Value) => boolean, other?: Value): Value | undefined {
    const all = this.#values.filter(accept);
    const rest = all.filter((value) => value !== other);
    const list = rest.length > 0 ? rest : all;
    if (list.length === 0) return undefined;
    return this.dice.pick(this.dice.chance(0.7) ? list.slice(-8) : list);
  }

  /**
   * Adds a step with one result.
   * @returns the value, undefined where the result would not be exact, or too large a tile
   */
  define(type: TileType, range: Range, text: string, ...args: readonly Value[]): Value | undefined {
    const known = type.dtype === "bool" ? range : rangeIn(type.dtype, range);
    if (known === undefined || !this.holds(type.axes)) return undefined;
    return this.push(type, known, { text, args: args.map(({ id }) => id) });
  }

  push(type: TileType, range: Range, code: Code, simpler?: Code): Value {
    const value: Value = { id: this.fresh(), type, range };
    this.#steps.push({
      kind: "value",
      results: [value],
      code,
      ...(simpler === undefined ? {} : { simpler }),
    });
    this.#values.push(value);
    return value;
  }

  /** Adds a step with bodies; its results become visible. */
  add(step: Step): void {
    this.#steps.push(step);
    this.#values.push(...step.results);
  }

  /** Grows a body in which `more` is visible too. */
  inside(more: readonly Value[], grow: () => readonly number[]): Body {
    const [steps, values] = [this.#steps, this.#values];
    this.#steps = [];
    this.#values = [...values, ...more];
    const yields = grow();
    const body = { steps: this.#steps, yields };
    this.#steps = steps;
    this.#values = values;
    return body;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** With its outputs and bins a kernel binds no more tensors than every WebGPU adapter of twelve allows. */
  get isFull(): boolean {
    return this.inputs.length >= MOST_INPUTS;
  }

  /** The input of that dtype and shape, a new one where there is none. */
  input(
    dtype: DType,
    shape: readonly (string | number)[],
    range: Range,
    special: Pick<Input, "packed" | "holes"> = {},
  ): Input {
    const found = this.inputs.find(
      (input) =>
        input.dtype === dtype &&
        input.shape.join() === shape.join() &&
        input.range.bits === range.bits &&
        input.packed === special.packed &&
        input.holes === special.holes,
    );
    if (found !== undefined) return found;
    const input: Input = { name: `x${this.inputs.length}`, dtype, shape, range, ...special };
    this.inputs.push(input);
    return input;
  }
}
