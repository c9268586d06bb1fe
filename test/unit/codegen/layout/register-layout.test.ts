/** [test/unit/codegen] Register layouts: validity, inverse, slices, relabels, products, conversions, as properties over random layouts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  coordinatesOf,
  forEachHolder,
  holdersOf,
} from "../../../../codegen/layout/apply-layout.ts";
import {
  blockedLayout,
  replicatedLayout,
  runLayout,
  sliceLayout,
} from "../../../../codegen/layout/blocked-layout.ts";
import { planConversion } from "../../../../codegen/layout/convert-layout.ts";
import type { RegisterLayout } from "../../../../codegen/layout/layout.ts";
import { mmaAccumulator, mmaOperandA } from "../../../../codegen/layout/mma-layout.ts";
import {
  canonicalLayout,
  extentOf,
  layoutKey,
  layoutProblem,
  registerCount,
  replicationOf,
  sameLayout,
  threadCount,
} from "../../../../codegen/layout/register-layout.ts";
import {
  mergeLayout,
  productLayout,
  renameLayout,
  splitLayout,
} from "../../../../codegen/layout/relabel-layout.ts";
import { blockedLayouts, blockedOf, dotLayouts, threadShapes, tilesOf } from "./arbitrary.ts";

const anyLayout = fc.oneof(blockedLayouts, dotLayouts);

/** How often each element is held. */
function holderCounts(layout: RegisterLayout): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  forEachHolder(layout, (at) => {
    const key = coordinatesOf(layout, at).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return counts;
}

describe("register layout", () => {
  it("holds every element equally often, in as many threads as the block has", () => {
    fc.assert(
      fc.property(anyLayout, (layout) => {
        expect(layoutProblem(layout)).toBeUndefined();
        const elements = layout.axes.reduce((n, axis) => n * axis.size, 1);
        const counts = holderCounts(layout);
        expect(counts.size).toBe(elements);
        expect(new Set(counts.values())).toEqual(new Set([replicationOf(layout)]));
        expect(registerCount(layout) * threadCount(layout)).toBe(elements * replicationOf(layout));
      }),
      { numRuns: 60 },
    );
  });

  it("finds among the holders of an element the place that it came from", () => {
    fc.assert(
      fc.property(anyLayout, fc.nat(), fc.nat(), fc.nat(), (layout, reg, lane, warp) => {
        const at = {
          reg: reg % registerCount(layout),
          lane: lane % extentOf(layout.lane),
          warp: warp % extentOf(layout.warp),
        };
        const holders = holdersOf(layout, coordinatesOf(layout, at));
        expect(holders).toContainEqual(at);
        expect(holders).toHaveLength(replicationOf(layout));
        for (const holder of holders)
          expect(coordinatesOf(layout, holder)).toEqual(coordinatesOf(layout, at));
      }),
    );
  });

  it("means the same in canonical form", () => {
    fc.assert(
      fc.property(anyLayout, (layout) => {
        const loose: RegisterLayout = {
          ...layout,
          reg: layout.reg.flatMap((iter) => [{ extent: 1, axis: null, stride: 0 }, iter]),
        };
        expect(canonicalLayout(loose)).toEqual(canonicalLayout(layout));
        expect(sameLayout(loose, layout)).toBe(true);
      }),
    );
  });

  it("names what is wrong with a layout that misses or repeats elements", () => {
    const axes = [{ name: "M", size: 4 }];
    const lane = [{ extent: 4, axis: "M", stride: 1 }];
    const layout: RegisterLayout = { kind: "register", axes, reg: [], lane, warp: [] };
    expect(layoutProblem(layout)).toBeUndefined();
    expect(layoutProblem({ ...layout, axes: [{ name: "M", size: 8 }] })).toBe(
      "axis M has 8 elements, the layout covers 4",
    );
    expect(layoutProblem({ ...layout, reg: lane })).toBe(
      "axis M: stride 1 follows 4 covered elements",
    );
    expect(
      layoutProblem({ ...layout, lane: [{ extent: 3, axis: null, stride: 0 }, ...lane] }),
    ).toBe("12 threads are no power of two");
  });

  it("takes a digit of any size among the warps, but only as the slowest", () => {
    const axes = [{ name: "M", size: 192 }];
    const lane = [{ extent: 32, axis: null, stride: 0 }];
    const four = { extent: 4, axis: "M", stride: 16 };
    const three = { extent: 3, axis: "M", stride: 64 };
    const of = (...warp: RegisterLayout["warp"]): RegisterLayout => {
      return { kind: "register", axes, reg: [{ extent: 16, axis: "M", stride: 1 }], lane, warp };
    };
    expect(layoutProblem(of(four, three))).toBeUndefined();
    expect(layoutProblem(of(three, four))).toBe("3 threads are no power of two");
    expect(sameLayout(of(four, three), of({ extent: 12, axis: "M", stride: 16 }))).toBe(true);
  });

  it("gives each of three warpgroups a third of the first axis that has one, or the same", () => {
    const threads = { warpSize: 32, numWarps: 12 };
    const warpsOf = (m: number, n: number): RegisterLayout["warp"] => {
      const axes = [
        { name: "M", size: m },
        { name: "N", size: n },
      ];
      return blockedLayout({ axes, order: ["N"], width: 8, threads }).warp;
    };
    expect(warpsOf(192, 64)).toEqual([
      { extent: 4, axis: "M", stride: 4 },
      { extent: 3, axis: "M", stride: 64 },
    ]);
    expect(warpsOf(64, 96).at(-1)).toEqual({ extent: 3, axis: "N", stride: 32 });
    expect(warpsOf(64, 64).at(-1)).toEqual({ extent: 3, axis: null, stride: 0 });
  });
});

describe("slice", () => {
  it("holds in each thread the coordinates of the tile that the thread holds", () => {
    fc.assert(
      fc.property(blockedLayouts, (layout) => {
        const [m] = layout.axes;
        const slice = sliceLayout(layout, m === undefined ? [] : [m]);
        expect(layoutProblem(slice)).toBeUndefined();
        for (let thread = 0; thread < threadCount(layout); thread++) {
          const lanes = extentOf(layout.lane);
          const at = { lane: thread % lanes, warp: Math.floor(thread / lanes) };
          const held = (l: RegisterLayout): Set<number | undefined> =>
            new Set(
              Array.from(
                { length: registerCount(l) },
                (_, reg) => coordinatesOf(l, { reg, ...at })[0],
              ),
            );
          expect(held(slice)).toEqual(held(layout));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("relabel", () => {
  it("splits again what it merged", () => {
    fc.assert(
      fc.property(blockedLayouts, (layout) => {
        const [m, n] = layout.axes;
        if (m === undefined || n === undefined) return;
        const merged = [{ name: "MN", size: m.size * n.size }];
        const one = mergeLayout(layout, ["M", "N"], "MN", merged);
        expect(layoutProblem(one)).toBeUndefined();
        const back = splitLayout(one, "MN", [m, n], [m, n]);
        expect(back === undefined ? "" : layoutKey(back)).toBe(layoutKey(layout));
      }),
    );
  });

  it("keeps in each place the element with the fused coordinate", () => {
    fc.assert(
      fc.property(blockedLayouts, fc.nat(), (layout, pick) => {
        const [m, n] = layout.axes;
        if (m === undefined || n === undefined) return;
        const one = mergeLayout(layout, ["M", "N"], "MN", [{ name: "MN", size: m.size * n.size }]);
        const at = { reg: pick % registerCount(layout), lane: 0, warp: 0 };
        const [row = 0, column = 0] = coordinatesOf(layout, at);
        expect(coordinatesOf(one, at)).toEqual([row * n.size + column]);
      }),
    );
  });

  it("refuses to split where a run of registers crosses the border unevenly", () => {
    const axes = [{ name: "A", size: 12 }];
    const layout = blockedLayout({
      axes,
      order: [],
      width: 4,
      threads: { warpSize: 1, numWarps: 1 },
    });
    const parts = [
      { name: "P", size: 2 },
      { name: "Q", size: 6 },
    ];
    expect(splitLayout(layout, "A", parts, parts)).toBeDefined();
    const lanes = blockedLayout({
      axes,
      order: [],
      width: 1,
      threads: { warpSize: 4, numWarps: 1 },
    });
    expect(splitLayout(lanes, "A", parts, parts)).toBeUndefined();
  });

  it("composes: two renames are the rename of their composition", () => {
    fc.assert(
      fc.property(blockedLayouts, (layout) => {
        const named = (...names: string[]) =>
          layout.axes.map((axis, i) => ({ ...axis, name: names[i] ?? "" }));
        const steps = renameLayout(renameLayout(layout, named("P", "Q")), named("R", "S"));
        expect(steps).toEqual(renameLayout(layout, named("R", "S")));
      }),
    );
  });
});

describe("product", () => {
  const small = fc
    .tuple(tilesOf(["M", "N"]), threadShapes)
    .chain(([axes]) => blockedOf(axes, { warpSize: 2, numWarps: 1 }));

  it("associates", () => {
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        const left = productLayout(productLayout(a, b), c);
        const right = productLayout(a, productLayout(b, c));
        expect(left.axes).toEqual(right.axes);
        expect(layoutKey(left)).toBe(layoutKey(right));
      }),
    );
  });

  it("repeats the atom at multiples of its size", () => {
    fc.assert(
      fc.property(small, small, fc.nat(), fc.nat(), (atom, repeats, i, j) => {
        const inner = { reg: i % registerCount(atom), lane: 0, warp: 0 };
        const outer = { reg: j % registerCount(repeats), lane: 0, warp: 0 };
        const at = { reg: inner.reg + registerCount(atom) * outer.reg, lane: 0, warp: 0 };
        const inside = coordinatesOf(atom, inner);
        const tile = coordinatesOf(repeats, outer);
        const expected = atom.axes.map((axis, d) => (inside[d] ?? 0) + axis.size * (tile[d] ?? 0));
        expect(coordinatesOf(productLayout(atom, repeats), at)).toEqual(expected);
      }),
    );
  });

  it("of a fragment and rows of fragments is the fragment over a larger tile", () => {
    const [m, n] = [
      { name: "M", size: 16 },
      { name: "N", size: 8 },
    ];
    const atom = mmaAccumulator(m, n, { m: 1, n: 1, replicas: 1 });
    const repeats: RegisterLayout = {
      kind: "register",
      axes: [
        { name: "M", size: 5 },
        { name: "N", size: 12 },
      ],
      reg: [
        { extent: 12, axis: "N", stride: 1 },
        { extent: 5, axis: "M", stride: 1 },
      ],
      lane: [],
      warp: [],
    };
    const whole = mmaAccumulator(
      { ...m, size: 80 },
      { ...n, size: 96 },
      { m: 1, n: 1, replicas: 1 },
    );
    expect(layoutKey(productLayout(atom, repeats))).toBe(layoutKey(whole));
  });
});

describe("conversion", () => {
  it("is a bijection of registers in every thread where no thread needs another's", () => {
    const pairs = fc
      .tuple(tilesOf(["M", "N"]), threadShapes)
      .chain(([axes, threads]) => fc.tuple(blockedOf(axes, threads), blockedOf(axes, threads)));
    fc.assert(
      fc.property(pairs, ([from, to]) => {
        const plan = planConversion(from, to);
        if (plan.kind !== "registers") return;
        expect(new Set(plan.from).size).toBe(registerCount(from));
        for (let thread = 0; thread < threadCount(from); thread++) {
          const lanes = extentOf(from.lane);
          const at = { lane: thread % lanes, warp: Math.floor(thread / lanes) };
          plan.from.forEach((source, reg) => {
            expect(coordinatesOf(from, { reg: source, ...at })).toEqual(
              coordinatesOf(to, { reg, ...at }),
            );
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("of an accumulator to operand a needs no data moved", () => {
    const [m, n] = [
      { name: "M", size: 96 },
      { name: "N", size: 192 },
    ];
    const warps = { m: 2, n: 1, replicas: 1 };
    expect(planConversion(mmaAccumulator(m, n, warps), mmaOperandA(m, n, warps))).toEqual({
      kind: "none",
    });
  });

  it("goes through shared memory where threads hold other elements", () => {
    const axes = [{ name: "M", size: 64 }];
    const threads = { warpSize: 32, numWarps: 1 };
    const cyclic = blockedLayout({ axes, order: [], width: 1, threads });
    expect(planConversion(cyclic, runLayout(axes, "M", threads)).kind).toBe("shared");
    expect(planConversion(cyclic, replicatedLayout(axes, threads)).kind).toBe("shared");
  });
});
