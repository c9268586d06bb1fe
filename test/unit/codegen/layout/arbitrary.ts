/** [test/unit/codegen] Random layouts for property tests. No test here. */
import fc from "fast-check";
import { blockedLayout, type ThreadShape } from "../../../../codegen/layout/blocked-layout.ts";
import type { RegisterLayout } from "../../../../codegen/layout/layout.ts";
import {
  chooseFmaGrid,
  chooseWarpGrid,
  fmaAccumulator,
  mmaAccumulator,
  mmaOperandA,
  mmaOperandB,
} from "../../../../codegen/layout/mma-layout.ts";
import { powerOfTwoPart } from "../../../../codegen/layout/register-layout.ts";
import type { Axis } from "../../../../dsl/index.ts";

/** Sizes that fit no power of two stand beside those that do. */
export const SIZES = [1, 2, 3, 5, 8, 12, 16, 24, 32, 48, 80, 96] as const;

export const threadShapes: fc.Arbitrary<ThreadShape> = fc.record({
  warpSize: fc.constantFrom(1, 4, 32, 64),
  numWarps: fc.constantFrom(1, 2, 4, 12),
});

export function tilesOf(names: readonly string[]): fc.Arbitrary<readonly Axis[]> {
  return fc.tuple(
    ...names.map((name) => fc.record({ name: fc.constant(name), size: fc.constantFrom(...SIZES) })),
  );
}

export function blockedOf(
  axes: readonly Axis[],
  threads: ThreadShape,
): fc.Arbitrary<RegisterLayout> {
  const names = axes.map((axis) => axis.name);
  return fc
    .record({ order: fc.shuffledSubarray(names, { minLength: names.length }), power: fc.nat(3) })
    .map(({ order, power }) => {
      const size = axes.find((axis) => axis.name === order[0])?.size ?? 1;
      const width = Math.min(2 ** power, powerOfTwoPart(size));
      return blockedLayout({ axes, order, width, threads });
    });
}

/** A random blocked layout of two axes. */
export const blockedLayouts: fc.Arbitrary<RegisterLayout> = fc
  .tuple(tilesOf(["M", "N"]), threadShapes)
  .chain(([axes, threads]) => blockedOf(axes, threads));

/** Accumulators and operands of dot instructions over tiles of 80, 96, 192 and 576 among others. */
export const dotLayouts: fc.Arbitrary<RegisterLayout> = fc
  .record({
    m: fc.constantFrom(16, 32, 80, 96, 192),
    n: fc.constantFrom(16, 48, 96, 192, 576),
    numWarps: fc.constantFrom(1, 2, 4, 8),
    rowsOnly: fc.boolean(),
    kind: fc.constantFrom("accumulator", "a", "b", "fma"),
  })
  .map(({ m, n, numWarps, rowsOnly, kind }) => {
    const [rows, columns] = [
      { name: "M", size: m },
      { name: "N", size: n },
    ];
    const threads = { warpSize: 32, numWarps };
    const warps = chooseWarpGrid(rows, columns, numWarps, rowsOnly);
    switch (kind) {
      case "accumulator":
        return mmaAccumulator(rows, columns, warps);
      case "a":
        return mmaOperandA(rows, { name: "K", size: 48 }, warps);
      case "b":
        return mmaOperandB(columns, { name: "K", size: 48 }, warps);
      default:
        return fmaAccumulator(rows, columns, chooseFmaGrid(rows, columns, threads), threads);
    }
  });
