/** [test/unit/codegen] Shared layouts: offsets are distinct and inside a stage, swizzles avoid bank conflicts; XOR atoms and their embedding. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coordinatesOf, forEachHolder } from "../../../../codegen/layout/apply-layout.ts";
import {
  bankConflicts,
  rowMajorShared,
  sharedOffset,
} from "../../../../codegen/layout/shared-layout.ts";
import {
  embedXorAtom,
  type XorAtom,
  xorCoordinates,
  xorRank,
} from "../../../../codegen/layout/xor-atom.ts";

const axesOf = (rows: number, columns: number) => [
  { name: "R", size: rows },
  { name: "C", size: columns },
];

describe("shared layout", () => {
  it("gives every element its own place inside the stage", () => {
    const cases = fc.record({
      rows: fc.constantFrom(1, 5, 16, 80),
      columns: fc.constantFrom(8, 32, 64, 96, 80),
      pad: fc.constantFrom(0, 4, 8),
      swizzle: fc.option(
        fc.record({
          bits: fc.integer({ min: 1, max: 3 }),
          base: fc.constantFrom(2, 3),
          shift: fc.integer({ min: 3, max: 5 }),
        }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(cases, ({ rows, columns, pad, swizzle }) => {
        const layout = rowMajorShared(axesOf(rows, columns), {
          pad,
          ...(swizzle === undefined ? {} : { swizzle }),
        });
        const offsets = new Set<number>();
        for (let r = 0; r < rows; r++)
          for (let c = 0; c < columns; c++) offsets.add(sharedOffset(layout, [r, c]));
        expect(offsets.size).toBe(rows * columns);
        expect(Math.max(...offsets)).toBeLessThan(layout.stageElements);
      }),
    );
  });

  it.each([
    ["plain rows of 128 bytes", undefined, 0, 7],
    ["swizzled rows of 128 bytes", { bits: 3, base: 3, shift: 3 }, 0, 0],
    ["padded rows of 144 bytes", undefined, 8, 0],
  ])("counts conflicts of ldmatrix on %s", (_, swizzle, pad, conflicts) => {
    const layout = rowMajorShared(axesOf(64, 64), {
      pad,
      ...(swizzle === undefined ? {} : { swizzle }),
    });
    const rows = Array.from({ length: 8 }, (_row, r) => sharedOffset(layout, [r, 16]) * 2);
    expect(bankConflicts(rows, 16)).toBe(conflicts);
  });

  it("counts equal words once and whole-warp vectors in groups", () => {
    expect(
      bankConflicts(
        Array.from({ length: 32 }, () => 64),
        4,
      ),
    ).toBe(0);
    expect(
      bankConflicts(
        Array.from({ length: 32 }, (_, lane) => lane * 4),
        4,
      ),
    ).toBe(0);
    expect(
      bankConflicts(
        Array.from({ length: 32 }, (_, lane) => lane * 128),
        4,
      ),
    ).toBe(31);
    expect(
      bankConflicts(
        Array.from({ length: 32 }, (_, lane) => lane * 16),
        16,
      ),
    ).toBe(0);
    expect(
      bankConflicts(
        Array.from({ length: 32 }, (_, lane) => lane * 32),
        16,
      ),
    ).toBe(4);
  });
});

describe("XOR atom", () => {
  /** A swizzled 8 × 8 tile: the row is XORed into the column. */
  const swizzled: XorAtom = {
    axes: axesOf(8, 8),
    reg: [
      [0, 1],
      [0, 2],
      [0, 4],
    ],
    lane: [
      [1, 1],
      [2, 2],
      [4, 4],
    ],
    warp: [],
  };

  it("has full rank exactly where it holds every element", () => {
    expect(xorRank(swizzled)).toBe(6);
    expect(xorRank({ ...swizzled, lane: swizzled.reg })).toBe(3);
  });

  it("moves elements by XOR", () => {
    expect(xorCoordinates(swizzled, { reg: 5, lane: 3, warp: 0 })).toEqual([3, 5 ^ 3]);
  });

  it("is no register layout where a bit moves along two axes", () => {
    expect(embedXorAtom(swizzled)).toBeUndefined();
  });

  it("embeds where every bit moves along one axis, with the same elements", () => {
    const plain: XorAtom = {
      ...swizzled,
      lane: [
        [1, 0],
        [0, 0],
        [2, 0],
        [4, 0],
      ],
    };
    const layout = embedXorAtom(plain);
    expect(layout).toBeDefined();
    if (layout === undefined) return;
    forEachHolder(layout, (at) => {
      expect(coordinatesOf(layout, at)).toEqual(xorCoordinates(plain, at));
    });
  });
});
