/** [test/unit/dsl] Random kernels: the text form round-trips, and the interpreter agrees with a plain second reading in every mode. */
import { describe, expect, it } from "vitest";
import type { DType } from "../../../dsl/core/dtype.ts";
import { decodeArray, encodeArray, roundTo } from "../../../dsl/core/rounding.ts";
import { type InterpreterOptions, prepareInterpreter } from "../../../dsl/interpreter/program.ts";
import type { TileKernel } from "../../../dsl/ir/nodes.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { printKernel } from "../../../dsl/ir/print.ts";
import { findViolations } from "../../../dsl/ir/verify.ts";
import { NaiveProgram, type NaiveTensor } from "../../support/naive-tile-ir.ts";
import { type RandomKernel, randomKernel } from "../../support/random-tile-ir.ts";

const SEEDS = Array.from({ length: 120 }, (_, seed) => seed);

function dtypeOf(kernel: TileKernel, name: string): DType {
  return kernel.params.find((param) => param.name === name)?.dtype ?? "f32";
}

type Outputs = Readonly<Record<string, readonly number[]>>;

function interpreted(
  kernel: TileKernel,
  random: RandomKernel,
  options: InterpreterOptions,
): Outputs {
  const tensors: Record<string, { data: Uint8Array; shape: readonly number[] }> = {};
  for (const [name, { shape, values }] of Object.entries(random.inputs)) {
    tensors[name] = { data: encodeArray(dtypeOf(kernel, name), values), shape };
  }
  for (const [name, shape] of Object.entries(random.outputs)) {
    const count = shape.reduce((n, size) => n * size, 1);
    tensors[name] = { data: encodeArray(dtypeOf(kernel, name), new Array(count).fill(0)), shape };
  }
  prepareInterpreter(kernel, options).run({ tensors, scalars: random.scalars, grid: [1] });
  return Object.fromEntries(
    Object.entries(random.outputs).map(([name, shape]) => {
      const count = shape.reduce((n, size) => n * size, 1);
      return [
        name,
        [...decodeArray(dtypeOf(kernel, name), tensors[name]?.data ?? new Uint8Array(), count)],
      ];
    }),
  );
}

function naive(kernel: TileKernel, random: RandomKernel): Outputs {
  const tensors: Record<string, NaiveTensor> = {};
  for (const [name, { shape, values }] of Object.entries(random.inputs)) {
    tensors[name] = { shape, data: values.map((x) => roundTo(dtypeOf(kernel, name), x)) };
  }
  for (const [name, shape] of Object.entries(random.outputs)) {
    tensors[name] = {
      shape,
      data: new Array<number>(shape.reduce((n, size) => n * size, 1)).fill(0),
    };
  }
  new NaiveProgram(kernel, tensors, random.scalars).run();
  return Object.fromEntries(
    Object.keys(random.outputs).map((name) => [name, tensors[name]?.data ?? []]),
  );
}

/** Zeros of both signs count as one: the order of max and min over them is free. */
function plain(outputs: Outputs): Outputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, data]) => [name, data.map((x) => x + 0)]),
  );
}

describe("random kernels", () => {
  it("are correct and survive printing and parsing", () => {
    for (const seed of SEEDS) {
      const { text } = randomKernel(seed);
      const kernel = parseKernel(text);
      expect(findViolations(kernel), `seed ${seed}`).toEqual([]);
      expect(printKernel(kernel), `seed ${seed}`).toBe(text);
      expect(parseKernel(printKernel(kernel)), `seed ${seed}`).toStrictEqual(kernel);
    }
  });

  it("cover what the interpreter fuses and what it must not", () => {
    const all = SEEDS.map((seed) => randomKernel(seed).text).join("\n");
    for (const word of [
      "dot",
      "merge",
      "split",
      "rename",
      "scan",
      "argmax",
      "for",
      "else",
      "gather",
      "select",
      "acc",
    ]) {
      expect(all.split(new RegExp(`\\b${word}\\b`)).length, word).toBeGreaterThan(8);
    }
  });

  it.each([
    ["fused, without checks", { checks: "off" }],
    ["observed op by op", { checks: "off", onOp: () => undefined }],
  ] as const)("give what the plain reading gives: %s", (_, options) => {
    for (const seed of SEEDS) {
      const random = randomKernel(seed);
      const kernel = parseKernel(random.text);
      const actual = plain(interpreted(kernel, random, options));
      expect(actual, `seed ${seed}\n${random.text}`).toEqual(plain(naive(kernel, random)));
    }
  });

  it("give the same bits with full checks", () => {
    let checked = 0;
    for (const seed of SEEDS) {
      const random = randomKernel(seed);
      const kernel = parseKernel(random.text);
      const off = interpreted(kernel, random, { checks: "off" });
      try {
        expect(interpreted(kernel, random, { checks: "full" }), `seed ${seed}`).toEqual(off);
        checked++;
      } catch (error) {
        if (!(error instanceof Error && error.message.includes("TW1306"))) throw error; // a random i32 overflow
      }
    }
    expect(checked).toBeGreaterThan(80);
  });
});
