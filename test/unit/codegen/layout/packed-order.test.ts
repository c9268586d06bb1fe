/** [test/unit/codegen/layout] Packed orders: what is derived from layouts reads in vectors, and what the host packs comes back, whatever the shape. */
import { describe, expect, it } from "vitest";
import { coordinatesOf, forEachHolder } from "../../../../codegen/layout/apply-layout.ts";
import { blockedLayout } from "../../../../codegen/layout/blocked-layout.ts";
import {
  deriveOrder,
  orderLayout,
  type SteppedIter,
  stepThrough,
  type TileSides,
} from "../../../../codegen/layout/derive-order.ts";
import type { RegisterLayout } from "../../../../codegen/layout/layout.ts";
import { mmaOperandA, mmaOperandB } from "../../../../codegen/layout/mma-layout.ts";
import { packBytes, unpackBytes } from "../../../../codegen/layout/pack-bytes.ts";
import {
  blockElements,
  blockPlaces,
  formatOrder,
  matrixShape,
  orderProblem,
  type PackedOrder,
  packedElements,
} from "../../../../codegen/layout/packed-order.ts";
import { layoutProblem, sameLayout } from "../../../../codegen/layout/register-layout.ts";
import { type DType, decodeArray, encodeArray, storageBytes } from "../../../../dsl/index.ts";
import { randomBelow } from "../../emulation/open.ts";

function sidesOf(rows: number, columns: number): TileSides {
  return { row: { name: "N", size: rows }, column: { name: "K", size: columns } };
}

/** The place of an element in a packed matrix of `columns` columns, from the definition alone. */
function placesOf(order: PackedOrder, columns: number): (row: number, column: number) => number {
  const [height, width] = order.block;
  const inBlock = blockPlaces(order);
  const places = new Map<number, number>();
  inBlock.rows.forEach((row, i) => {
    places.set(row * width + (inBlock.columns[i] ?? 0), i);
  });
  expect(places.size).toBe(blockElements(order));
  return (row, column) => {
    const across = Math.ceil(columns / width);
    const block = Math.floor(row / height) * across + Math.floor(column / width);
    const place = places.get((row % height) * width + (column % width)) ?? Number.NaN;
    return block * blockElements(order) + place;
  };
}

/** The place that the steps of a layout lead to. */
function steppedPlace(
  order: PackedOrder,
  columns: number,
  parts: readonly (readonly [readonly SteppedIter[], number])[],
): number {
  const blocks = Math.ceil(columns / order.block[1]);
  let place = 0;
  for (const [iters, index] of parts) {
    let rest = index;
    for (const { extent, step } of iters) {
      const digit = rest % extent;
      rest = Math.floor(rest / extent);
      const size = blockElements(order);
      if (step.kind === "places") place += digit * step.count;
      else place += digit * step.count * (step.side === "row" ? blocks * size : size);
    }
  }
  return place;
}

/** Checks that every register of every thread lies where its element lies; gives the width of an access. */
function expectReads(
  order: PackedOrder,
  layout: RegisterLayout,
  sides: TileSides,
  most: number,
): number {
  expect(orderProblem(order)).toBeUndefined();
  expect(layoutProblem(layout)).toBeUndefined();
  const walk = stepThrough(layout, order, sides, most);
  if (walk === undefined) throw new Error("the layout does not step through the order");
  const columns = sides.column.size;
  const placeOf = placesOf(order, columns);
  const axes = layout.axes.map((axis) => axis.name);
  const wrong: unknown[] = [];
  forEachHolder(layout, (at) => {
    const coordinates = coordinatesOf(layout, at);
    const along = (name: string | undefined): number => coordinates[axes.indexOf(name ?? "")] ?? 0;
    const want = placeOf(along(sides.row?.name), along(sides.column.name));
    const got = steppedPlace(order, columns, [
      [walk.reg, Math.floor(at.reg / walk.width)],
      [walk.lane, at.lane],
      [walk.warp, at.warp],
    ]);
    if (got + (at.reg % walk.width) !== want) wrong.push([at, got, want]);
  });
  expect(wrong).toEqual([]);
  return walk.width;
}

const MMA = { m: 1, n: 4, replicas: 1 };

describe("the order derived from", () => {
  it.each([
    [64, 64, 32, "block(16, 64)"],
    [64, 32, 16, "block(16, 32)"],
    [128, 32, 32, "block(32, 32)"],
    [32, 16, 4, "block(8, 16)"],
    [128, 128, 32, "block(8, 128)"],
    [64, 80, 8, "block(16, 16)"],
  ])("fragment B of %i × %i lets lanes read %i halves of a byte at once", (n, k, width, block) => {
    const sides = sidesOf(n, k);
    const layout = mmaOperandB({ name: "N", size: n }, { name: "K", size: k }, MMA);
    const derived = deriveOrder(layout, sides, 32);
    if (derived === undefined) throw new Error("no order");
    expect(formatOrder(derived.order)).toContain(block);
    expect(expectReads(derived.order, derived.layout, sides, 32)).toBe(width);
    const again = orderLayout(derived.order, sides, layout.axes, 32, { warpSize: 32, numWarps: 4 });
    if (again !== undefined) expectReads(derived.order, again, sides, 32);
  });

  it("a layout does not depend on what lies beyond a warp's block", () => {
    const orders = [64, 128, 256].flatMap((n) =>
      [1, 2, 4].map((warps) => {
        const layout = mmaOperandB(
          { name: "N", size: n },
          { name: "K", size: 64 },
          { m: 1, n: warps, replicas: 1 },
        );
        return formatOrder(
          deriveOrder(layout, sidesOf(n, 64), 32)?.order ?? { block: [0, 0], digits: [] },
        );
      }),
    );
    expect([...new Set(orders)]).toEqual([
      "block(16, 64) digits(2:column=1, 8:column=8, 2:row=8, 4:column=2, 8:row=1)",
    ]);
  });

  it("fragment A and plain layouts, whatever they look like", () => {
    const axes = [
      { name: "N", size: 48 },
      { name: "K", size: 96 },
    ] as const;
    const sides = sidesOf(48, 96);
    const threads = { warpSize: 32, numWarps: 2 };
    const layouts = [
      mmaOperandA(axes[0], axes[1], { m: 1, n: 2, replicas: 1 }),
      blockedLayout({ axes, order: ["K"], width: 8, threads }),
      blockedLayout({ axes, order: ["N"], width: 2, threads }),
      blockedLayout({ axes, order: ["K"], width: 1, threads: { warpSize: 1, numWarps: 64 } }),
    ];
    const widths = layouts.map((layout) => {
      const derived = deriveOrder(layout, sides, 32);
      if (derived === undefined) throw new Error("no order");
      return expectReads(derived.order, derived.layout, sides, 32);
    });
    expect(widths).toEqual([16, 8, 2, 8]);
  });

  it("a layout whose lanes walk another axis is none", () => {
    const axes = [
      { name: "E", size: 4 },
      { name: "K", size: 32 },
    ];
    const threads = { warpSize: 32, numWarps: 1 };
    const layout = blockedLayout({ axes, order: ["E"], width: 1, threads });
    expect(deriveOrder(layout, { column: { name: "K", size: 32 } }, 32)).toBeUndefined();
  });
});

const ORDERS: readonly PackedOrder[] = [
  { block: [1, 1], digits: [] },
  {
    block: [16, 64],
    digits: [
      { extent: 2, side: "column", stride: 1 },
      { extent: 8, side: "column", stride: 8 },
      { extent: 2, side: "row", stride: 8 },
      { extent: 4, side: "column", stride: 2 },
      { extent: 8, side: "row", stride: 1 },
    ],
  },
  {
    block: [3, 10],
    digits: [
      { extent: 5, side: "column", stride: 2 },
      { extent: 3, side: "row", stride: 1 },
      { extent: 2, side: "column", stride: 1 },
    ],
  },
];
const DTYPES: readonly DType[] = ["u4", "nf4", "f4e2m1", "u8", "f8e8m0", "f16", "f32"];

describe("the host's repacker", () => {
  const random = randomBelow(17);

  it.each(DTYPES)("puts every %s where the order says, and gives it back", (dtype) => {
    for (let turn = 0; turn < 12; turn++) {
      const order = ORDERS[turn % ORDERS.length] ?? { block: [1, 1], digits: [] };
      expect(orderProblem(order)).toBeUndefined();
      const rank = 1 + random(3);
      const shape = Array.from({ length: rank }, () => 1 + random(37));
      const { count, rows, columns } = matrixShape(shape);
      const elements = count * rows * columns;
      const values = Array.from({ length: elements }, () => random(200) / 16 - 6);
      const bytes = encodeArray(dtype, values);
      const packed = packBytes(order, dtype, shape, bytes);
      expect(packed.byteLength).toBe(storageBytes(dtype, packedElements(order, shape)));
      expect(unpackBytes(order, dtype, shape, packed)).toEqual(bytes);
      const got = decodeArray(dtype, packed, packedElements(order, shape));
      const plain = decodeArray(dtype, bytes, elements);
      const placeOf = placesOf(order, columns);
      for (let i = 0; i < Math.min(elements, 200); i++) {
        const at = random(elements);
        const [matrix, row, column] = [
          Math.floor(at / (rows * columns)),
          Math.floor(at / columns) % rows,
          at % columns,
        ];
        const start = (matrix * packedElements(order, shape)) / count;
        expect(got[start + placeOf(row, column)]).toBe(plain[at]);
      }
    }
  });

  it("fills edges with what 0 is stored as, and refuses bytes of another size", () => {
    const [, order] = ORDERS;
    if (order === undefined) throw new Error("no order");
    const packed = packBytes(order, "nf4", [1, 1], encodeArray("nf4", [1]));
    expect([...packed.slice(0, 3)]).toEqual([0x7f, 0x77, 0x77]);
    expect(() => packBytes(order, "u4", [2, 2], new Uint8Array(3))).toThrow(RangeError);
    expect(() => unpackBytes(order, "u4", [2, 2], new Uint8Array(2))).toThrow(RangeError);
  });

  it("keeps registers where layouts agree", () => {
    const layout = mmaOperandB({ name: "N", size: 64 }, { name: "K", size: 32 }, MMA);
    const derived = deriveOrder(layout, sidesOf(64, 32), 32);
    expect(derived !== undefined && sameLayout(derived.layout, layout)).toBe(true);
  });
});
