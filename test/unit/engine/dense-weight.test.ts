/** [test/unit/engine] Quantized weights as floats: every form of codes and scales against numbers written down by hand. */
import { describe, expect, it } from "vitest";
import { decodeArray, encodeArray } from "../../../dsl/index.ts";
import { denseWeight } from "../../../engine/weights/quantization/dense-weight.ts";
import {
  floatTensor,
  type QuantizedWeight,
} from "../../../engine/weights/quantization/quantized-weight.ts";

const codesOf = (dtype: "i8" | "u4" | "nf4", shape: readonly number[], values: readonly number[]) =>
  ({ dtype, shape, bytes: encodeArray(dtype, values) }) as const;

function numbersOf(weight: QuantizedWeight): readonly number[] {
  const { dtype, shape, bytes } = denseWeight(weight);
  expect(dtype).toBe("f32");
  return Array.from(
    decodeArray(
      dtype,
      bytes,
      shape.reduce((n, d) => n * d, 1),
    ),
  );
}

describe("a weight as floats", () => {
  it("multiplies 8-bit codes by the scale of their row", () => {
    const codes = codesOf("i8", [2, 3], [1, -2, 3, 4, 5, -128]);
    const scale = floatTensor(Float32Array.of(0.5, 2), [2]);
    const rest = { activations: "token", inputScale: undefined } as const;
    expect(numbersOf({ kind: "eight-bit", codes, scale, ...rest } as QuantizedWeight)).toEqual([
      0.5, -1, 1.5, 8, 10, -256,
    ]);
  });

  it("multiplies 8-bit codes by the scale of their block of 128 × 128", () => {
    const codes = codesOf("i8", [129, 129], new Array<number>(129 * 129).fill(2));
    const scale = floatTensor(Float32Array.of(1, 3, 5, 7), [2, 2]);
    const rest = { activations: "group", inputScale: undefined } as const;
    const seen = numbersOf({ kind: "eight-bit", codes, scale, ...rest } as QuantizedWeight);
    expect([seen[0], seen[128], seen[128 * 129], seen[129 * 129 - 1]]).toEqual([2, 6, 10, 14]);
    expect(new Set(seen.slice(0, 128))).toEqual(new Set([2]));
  });

  it("takes zero points and scales of 4-bit codes by group and row", () => {
    const codes = codesOf("u4", [2, 4], [0, 15, 8, 9, 1, 2, 3, 4]);
    const scale = floatTensor(Float32Array.of(1, 10, 2, 20), [2, 2]);
    const zero = codesOf("u4", [2, 2], [1, 2, 3, 4]);
    const weight = { kind: "four-bit", codes, scale, zero, order: undefined } as const;
    expect(numbersOf(weight)).toEqual([-1, 14, 10, 12, -10, 0, -20, 0]);
  });

  it("counts 4-bit codes without zero points from the middle, and puts reordered columns back", () => {
    const codes = codesOf("u4", [1, 4], [8, 9, 10, 7]);
    const scale = floatTensor(Float32Array.of(1, 2), [2, 1]);
    const order = Int32Array.of(2, 0, 3, 1);
    const weight = { kind: "four-bit", codes, scale, zero: undefined, order } as const;
    expect(numbersOf(weight)).toEqual([1, -2, 0, 4]);
  });
});
