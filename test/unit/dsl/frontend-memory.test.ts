/** [test/unit/dsl] Loads, stores, gathers, atomics, dequantization and tile makers from TypeScript to numbers. */
import { describe, expect, it } from "vitest";
import {
  all,
  assert,
  atomicAdd,
  atomicMax,
  atomicMin,
  dequant,
  floordiv,
  full,
  gather,
  inout,
  iota,
  kernel,
  load,
  merge,
  mod,
  out,
  pid,
  print,
  scalar,
  span,
  store,
  sum,
  tensor,
  tile,
  where,
  zeros,
} from "../../../dsl/index.ts";
import { opsOf, runKernel } from "../../support/run-kernel.ts";

const FLOATS = {
  name: "example",
  params: { x: tensor("f32", "N"), y: out("f32", "M") },
  config: { B: 8 },
  grid: () => 1,
} as const;
const INTS = {
  name: "example",
  params: { x: tensor("i32", "N"), y: out("i32", "M") },
  config: { B: 8 },
  grid: () => 1,
} as const;

function run(
  definition: ReturnType<typeof kernel>,
  x: readonly number[],
  count = 8,
): readonly number[] {
  return (
    runKernel(
      definition,
      {},
      { tensors: { x: { shape: [x.length], values: x }, y: { shape: [count] } } },
    )["y"] ?? []
  );
}

describe("memory ops", () => {
  it("limits, masks and fills loads, and masks stores", () => {
    const masked = kernel(INTS, ({ x, y }, { B }) => {
      const limited = load(x, [tile(0, B)], { limit: 5, fill: -1 });
      const odd = load(x, [span(1, B)], {
        mask: iota(B) % 2 === 1,
        fill: 100,
        evict: "first",
        via: "auto",
      });
      store(y, [tile(0, B)], limited * 1000 + odd, { mask: iota(B) !== 3, limit: 7 });
    });
    expect(run(masked, [1, 2, 3, 4, 5, 6, 7, 8])).toEqual([
      1100,
      2003,
      3100,
      0,
      5100,
      -1000 + 7,
      -1000 + 100,
      0,
    ]);
  });

  it("gathers by one tile or by two together, and scatters", () => {
    const pages = kernel(
      {
        ...INTS,
        params: { x: tensor("i32", "P", "Q"), ids: tensor("i32", "N"), y: inout("i32", "M") },
        config: { B: 4 },
      },
      ({ x, ids, y }, { B }) => {
        const id = load(ids, [tile(0, B)]);
        const page = where(id < 0, -1, floordiv(id, 3));
        store(
          y,
          [gather(where(id === 5, -1, iota(B)), B)],
          load(x, [gather(page), gather(mod(id, 3))]),
        );
      },
    );
    const tensors = {
      x: { shape: [2, 3], values: [10, 11, 12, 20, 21, 22] },
      ids: { shape: [4], values: [4, -1, 5, 0] },
      y: { shape: [4], values: [9, 9, 9, 9] },
    };
    expect(runKernel(pages, {}, { tensors })["y"]).toEqual([21, 0, 9, 10]);
  });

  it("merges a load with a limit on the fused axis", () => {
    const merged = kernel(
      {
        ...INTS,
        params: { x: tensor("i32", "P", "Q"), y: out("i32", "M") },
        config: { P2: 2, Q4: 4, B: 8 },
        specialize: [],
      },
      ({ x, y }, { P2, Q4, B }) => {
        store(
          y,
          [tile(0, B)],
          merge(load(x, [tile(0, P2), tile(0, Q4)], { fill: 7 }), B, { limit: 6 }),
        );
      },
    );
    expect(opsOf(merged).some((line) => line.includes("mask"))).toBe(true);
    const tensors = { x: { shape: [2, 4], values: [1, 2, 3, 4, 5, 6, 7, 8] }, y: { shape: [8] } };
    expect(runKernel(merged, {}, { tensors })["y"]).toEqual([1, 2, 3, 4, 5, 6, 7, 7]);
  });

  it("updates atomically and gives old values", () => {
    const atomics = kernel(
      { ...INTS, params: { x: inout("i32", "N"), y: out("i32", "M") }, config: { B: 2 } },
      ({ x, y }, { B }) => {
        const old = atomicAdd(x, [tile(0, B)], iota(B) + 1);
        atomicMax(x, [tile(1, B)], 4);
        atomicMin(x, [4], pid(0) - 3);
        store(y, [tile(pid(0), B)], old);
      },
    );
    const tensors = { x: { shape: [5], values: [10, 20, 3, 5, 0] }, y: { shape: [4] } };
    const after = runKernel(atomics, {}, { tensors, grid: [2] });
    expect(after).toEqual({ x: [12, 24, 4, 5, -3], y: [10, 20, 11, 22] });
  });

  it("dequantizes with scales of groups, of rows, and with zero points", () => {
    const params = {
      w: tensor("u4", "N", "K"),
      s: tensor("f32", "N", "G"),
      z: tensor("f32", "N", "G"),
      y: out("f32", "C", "N", "K"),
    } as const;
    const quantized = kernel(
      { name: "example", params, config: { BN: 2, BK: 4, BG: 2 }, grid: () => 1 },
      ({ w, s, z, y }, { BN, BK, BG }) => {
        const q = load(w, [tile(0, BN), tile(0, BK)]);
        const scale = load(s, [tile(0, BN), tile(0, BG)]);
        const zero = load(z, [tile(0, BN), tile(0, BG)]);
        const at = [tile(0, BN), tile(0, BK)] as const;
        store(y, [0, ...at], dequant(q, scale, { group: 2, zero: 8, to: "f32" }));
        store(y, [1, ...at], dequant(q, scale, { group: 2, zero, to: "f32" }));
        store(y, [2, ...at], dequant(q, load(s, [tile(0, BN), 0]), { to: "f32" }));
      },
    );
    const tensors = {
      w: { shape: [2, 4], values: [0, 8, 15, 1, 2, 3, 4, 5] },
      s: { shape: [2, 2], values: [1, 2, 0.5, 4] },
      z: { shape: [2, 2], values: [1, 0, 2, 3] },
      y: { shape: [3, 2, 4] },
    };
    expect(runKernel(quantized, {}, { tensors })["y"]).toEqual([
      -8, 0, 14, -14, -3, -2.5, -16, -12, -1, 7, 30, 2, 0, 0.5, 4, 8, 0, 8, 15, 1, 1, 1.5, 2, 2.5,
    ]);
  });

  it("dequantizes blocks, mxfp4 with its exponents, nf4 and packed zero points", () => {
    const params = {
      f: tensor("f8e4m3", "N", "K"),
      b: tensor("f32", "H", "G"),
      x: tensor("f4e2m1", "N", "K"),
      e: tensor("f8e8m0", "N", "G"),
      n: tensor("nf4", "N", "K"),
      u: tensor("u4", "N", "K"),
      z: tensor("u4", "G", "N"),
      s: tensor("f16", "G", "N"),
      y: out("f32", "C", "N", "K"),
    } as const;
    const quantized = kernel(
      {
        name: "example",
        params,
        config: { BN: 2, BK: 4, BG: 2, BH: 1 },
        grid: () => 1,
      },
      ({ f, b, x, e, n, u, z, s, y }, { BN, BK, BG, BH }) => {
        const all = [tile(0, BN), tile(0, BK)] as const;
        const blocks = load(b, [tile(0, BH), tile(0, BG)]);
        const exponents = load(e, [tile(0, BN), tile(0, BG)]);
        const groups = [tile(0, BG), tile(0, BN)] as const;
        const block = { group: [2, 2], axis: [BN, BK], to: "f32" } as const;
        store(y, [0, ...all], dequant(load(f, all), blocks, block));
        store(y, [1, ...all], dequant(load(x, all), exponents, { group: 2, to: "f32" }));
        store(y, [2, ...all], dequant(load(n, all), 2, { to: "f32" }));
        const zero = load(z, groups);
        store(
          y,
          [3, ...all],
          dequant(load(u, all), load(s, groups), { group: 2, zero, to: "f32" }),
        );
      },
    );
    const tensors = {
      f: { shape: [2, 4], values: [1, 2, 3, 4, -1, -2, -3, 448] },
      b: { shape: [1, 2], values: [0.5, 10] },
      x: { shape: [2, 4], values: [0.5, -1.5, 6, -6, 1, 2, 3, 4] },
      e: { shape: [2, 2], values: [4, 0.25, 1, 2 ** 20] },
      n: { shape: [2, 4], values: [-1, 1, 0, 0.08, 0.7, -0.7, 0.3, 2] },
      u: { shape: [2, 4], values: [0, 15, 8, 7, 1, 2, 3, 4] },
      z: { shape: [2, 2], values: [8, 1, 7, 15] },
      s: { shape: [2, 2], values: [1, 2, 0.5, -1] },
      y: { shape: [4, 2, 4] },
    };
    const y = runKernel(quantized, {}, { tensors })["y"];
    const [fp8, mx, nf4, zeros] = [0, 8, 16, 24].map((at) => y?.slice(at, at + 8));
    expect(fp8).toEqual([0.5, 1, 30, 40, -0.5, -1, -30, 4480]);
    expect(mx).toEqual([2, -6, 1.5, -1.5, 1, 2, 3 * 2 ** 20, 2 ** 22]);
    expect(nf4?.map((v) => Math.round(v * 1e4) / 1e4)).toEqual([
      -2, 2, 0, 0.1592, 1.4459, -1.3924, 0.6758, 2,
    ]);
    expect(zeros).toEqual([-8, 7, 0.5, 0, 0, 2, 12, 11]);
  });

  it("rounds a dequantized value once, whatever its scale", () => {
    const params = {
      w: tensor("f4e2m1", "K"),
      s: tensor("f8e8m0", 1),
      y: out("f16", "K"),
    } as const;
    const tiny = kernel(
      { name: "example", params, config: { BK: 4 }, grid: () => 1 },
      ({ w, s, y }, { BK }) => {
        store(y, [tile(0, BK)], dequant(load(w, [tile(0, BK)]), load(s, [0]), { to: "f16" }));
      },
    );
    // The scale alone is below the least f16.
    const tensors = {
      w: { shape: [4], values: [6, 4, 0.5, -3] },
      s: { shape: [1], values: [2 ** -26] },
      y: { shape: [4] },
    };
    expect(runKernel(tiny, {}, { tensors })["y"]).toEqual([2 ** -23, 2 ** -24, 0, -(2 ** -24)]);
  });

  it("makes tiles, prints and asserts", () => {
    const shown: string[] = [];
    const made = kernel(
      {
        ...FLOATS,
        params: { x: tensor("f32", "D"), n: scalar("f32"), y: out("f32", "M") },
        specialize: ["D"],
      },
      ({ x, n, y, D }, { B }) => {
        assert(D <= 8, "D fits");
        assert(n > 0, "n is positive");
        print("n", n);
        store(
          y,
          [tile(0, B)],
          full("f32", n, B) + zeros("f32", B) + full("f32", 0.5, B) + sum(load(x, [all(D)]), "D"),
        );
      },
    );
    const tensors = { x: { shape: [3], values: [1, 2, 3] }, y: { shape: [8] } };
    const options = {
      onPrint: (record: { readonly label: string }) => void shown.push(record.label),
    };
    expect(
      runKernel(made, { dims: { D: 3 } }, { tensors, scalars: { n: 2 }, options })["y"],
    ).toEqual(Array(8).fill(8.5));
    expect(shown).toEqual(["n"]);
    expect(() =>
      runKernel(made, { dims: { D: 3 } }, { tensors, scalars: { n: -2 }, options }),
    ).toThrow("n is positive");
  });
});
