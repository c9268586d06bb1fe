/** [test/fuzz] A random program as a conformance case: its kernel through the front end, its data, how outputs are compared. */
import { kernelFromSource, type Tolerance } from "../../dsl/index.ts";
import type { HostTensor } from "../../dsl/kernels/catalogue.ts";
import {
  type ConformanceCase,
  defineCases,
  outputOf,
  tensorOf,
} from "../../runtime/conformance/catalogue.ts";
import { Dice } from "./dice.ts";
import {
  BIN_COUNT,
  binsName,
  type Input,
  outputName,
  outputShape,
  type Program,
  type Range,
  sourceOf,
} from "./program.ts";
import { isFloatType } from "./ranges.ts";

/** Terms that an inexact value may depend on; the scale already holds their magnitudes. */
const TERMS = 1024;

function toleranceOf({ error, inner }: Range): Tolerance {
  if (error === undefined) return { kind: "exact" };
  const narrow = inner === undefined ? {} : { inner };
  return { kind: "rounding", length: TERMS, scale: 2 ** error, ...narrow };
}

function sizesOf(program: Program, shape: readonly (string | number)[]): readonly number[] {
  return shape.map((dim) => (typeof dim === "number" ? dim : (program.dims[dim] ?? 1)));
}

function inputData(program: Program, input: Input, index: number): HostTensor {
  const { dtype, range } = input;
  const dice = new Dice(program.seed * 31 + index);
  const steps = 2 ** (range.bits + range.grain);
  const unsigned = dtype.startsWith("u");
  const valueAt = (): number => {
    if (input.holes === true && dice.chance(0.3)) return Number.NaN;
    if (unsigned) return dice.below(steps);
    // Integers of a narrow type end one below the power of two.
    const top = isFloatType(dtype) ? 2 * steps + 1 : 2 * steps;
    return (dice.below(top) - steps) / 2 ** range.grain;
  };
  return tensorOf(dtype, sizesOf(program, input.shape), valueAt);
}

/** @throws KernelSourceError where the front end refuses the text */
export function caseOf(program: Program): ConformanceCase {
  const kernel = kernelFromSource(sourceOf(program), "program");
  const tensors: Record<string, HostTensor> = {};
  for (const [i, input] of program.inputs.entries())
    tensors[input.name] = inputData(program, input, i);
  const tolerance: Record<string, Tolerance> = {};
  for (const [i, value] of program.outputs.entries()) {
    tensors[outputName(i)] = outputOf(
      value.type.dtype,
      sizesOf(program, outputShape(program, value)),
    );
    tolerance[outputName(i)] = toleranceOf(value.range);
  }
  program.counted.forEach(({ dtype }, i) => {
    tensors[binsName(i)] = tensorOf(dtype, [BIN_COUNT], 3);
  });
  const isPacked = program.inputs.some(({ packed }) => packed === true);
  const [test] = defineCases("random", [
    {
      name: `seed ${program.seed}`,
      kernel,
      tensors,
      scalars: { n: program.n },
      tolerance,
      ...(isPacked && { orders: "chosen" }),
    },
  ]);
  if (test === undefined) throw new Error("no case was made");
  return test;
}
