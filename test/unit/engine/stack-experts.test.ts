/** [test/unit/engine] Quantized weights of several experts as one: where scales and zero points come to lie, and what cannot be put together. */
import { describe, expect, it } from "vitest";
import { decodeArray, encodeArray } from "../../../dsl/index.ts";
import type { HostTensor } from "../../../engine/weights/checkpoint.ts";
import type { QuantizedWeight } from "../../../engine/weights/quantization/quantized-weight.ts";
import { stackExperts } from "../../../engine/weights/quantization/stack-experts.ts";

const NAMES = ["experts.0", "experts.1"];

function tensor(
  dtype: HostTensor["dtype"],
  shape: readonly number[],
  value: (i: number) => number,
): HostTensor {
  const count = shape.reduce((n, size) => n * size, 1);
  const values = Float64Array.from({ length: count }, (_, i) => value(i));
  return { dtype, shape, bytes: encodeArray(dtype, values) };
}

const numbers = ({ dtype, shape, bytes }: HostTensor): readonly number[] => [
  ...decodeArray(
    dtype,
    bytes,
    shape.reduce((n, size) => n * size, 1),
  ),
];

/** Two halves of two rows, four columns in two groups. */
function fourBit(seed: number, zero: HostTensor | undefined): QuantizedWeight {
  return {
    kind: "four-bit",
    codes: tensor("u4", [4, 4], (i) => (i + seed) % 16),
    scale: tensor("f32", [2, 4], (i) => 10 * seed + i),
    zero,
    order: undefined,
  };
}

describe("experts in 4 bits", () => {
  it("keep their order, and get zero points in the middle where others have some", () => {
    const zero = tensor("u4", [2, 4], (i) => i);
    const stack = stackExperts([fourBit(1, undefined), fourBit(2, zero)], NAMES, 2);
    if (stack.kind !== "quantized") throw new Error(stack.kind);
    expect(stack.codes.shape).toEqual([2, 2, 2, 4]);
    expect(
      numbers({ ...stack.codes, bytes: Buffer.concat(stack.codes.parts) }).slice(16, 20),
    ).toEqual([2, 3, 4, 5]);
    expect(stack.scale.shape).toEqual([2, 2, 2, 2]);
    expect(numbers(stack.scale).slice(8)).toEqual([20, 21, 22, 23, 24, 25, 26, 27]);
    expect(stack.zero.shape).toEqual([2, 2, 2, 2]);
    expect(numbers(stack.zero)).toEqual([...new Array(8).fill(8), 0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("have no zero points where none has any", () => {
    const stack = stackExperts([fourBit(1, undefined), fourBit(2, undefined)], NAMES, 2);
    if (stack.kind !== "quantized") throw new Error(stack.kind);
    expect(stack.zero.shape).toEqual([2, 0, 2, 2]);
    expect(stack.zero.bytes).toHaveLength(0);
  });

  it("are refused beside others of floats, by name", () => {
    const dense: QuantizedWeight = { kind: "dense", weight: tensor("f32", [4, 4], (i) => i) };
    expect(() => stackExperts([fourBit(1, undefined), dense], NAMES, 2)).toThrow(
      /TW4241[\s\S]*experts\.0 than in experts\.1/,
    );
  });
});

describe("experts of one kind", () => {
  const first = fourBit(1, undefined);
  const eight = (scale: readonly number[]): QuantizedWeight => ({
    kind: "eight-bit",
    codes: tensor("i8", [4, 4], () => 1),
    scale: tensor("f32", scale, () => 1),
    activations: "token",
    inputScale: undefined,
  });
  it.each([
    ["groups", first, { ...fourBit(2, undefined), scale: tensor("f32", [1, 4], () => 1) }],
    ["scales", first, { ...fourBit(2, undefined), scale: tensor("f16", [2, 4], () => 1) }],
    ["codes", first, { ...fourBit(2, undefined), codes: tensor("nf4", [4, 4], () => 0) }],
    ["blocks", eight([4]), eight([1, 1])],
    ["activations", eight([4]), { ...eight([4]), activations: "static", inputScale: 1 }],
  ] as const)("are refused with other %s", (_, one, other) => {
    expect(() => stackExperts([one, other as QuantizedWeight], NAMES, 2)).toThrow(/TW4241/);
  });
});

describe("experts in 8 bits", () => {
  it("have one scale for each row and group of 128 columns, from those of blocks", () => {
    const block: QuantizedWeight = {
      kind: "eight-bit",
      codes: tensor("f8e4m3", [256, 256], () => 1),
      scale: tensor("f32", [2, 2], (i) => i + 1),
      activations: "group",
      inputScale: undefined,
    };
    const stack = stackExperts([block], NAMES, 2);
    if (stack.kind !== "eight-bit") throw new Error(stack.kind);
    expect(stack.activations).toBe("group");
    expect(stack.scale.shape).toEqual([1, 2, 2, 128]);
    const scales = numbers(stack.scale);
    expect([0, 127, 128, 256, 511].map((i) => scales[i])).toEqual([1, 1, 3, 2, 4]);
  });

  it("take rows by the greatest of their static scales", () => {
    const part = (inputScale: number): QuantizedWeight => ({
      kind: "eight-bit",
      codes: tensor("f8e4m3", [4, 4], () => 1),
      scale: tensor("f32", [4], () => 1),
      activations: "static",
      inputScale,
    });
    expect(stackExperts([part(0.5), part(2), part(1)], NAMES, 2)).toMatchObject({
      kind: "eight-bit",
      activations: "static",
      inputScale: 2,
    });
  });
});
