/** [test/unit/codegen] Loads from packed tensors, run by all threads of a block against the interpreter: orders chosen and given, ragged tiles, single elements. */
import { describe, expect, it } from "vitest";
import type { PackedOrder } from "../../../../codegen/layout/packed-order.ts";
import { roundNf4 } from "../../../../dsl/index.ts";
import { runPackedOnThreads } from "../../../support/packed-threads.ts";
import { THREAD_TARGET_NAMES } from "../../../support/run-threads.ts";
import { type RunInput, runText } from "../../../support/run-tile-ir.ts";

type Target = (typeof THREAD_TARGET_NAMES)[number];

function integers(count: number, most: number, step: number): number[] {
  return Array.from({ length: count }, (_, i) => (i * step + 3) % most);
}

function expectSame(
  target: Target,
  text: string,
  input: RunInput,
  given: Readonly<Record<string, PackedOrder | "rows">> = {},
) {
  const run = runPackedOnThreads(text, input, target, given);
  expect(run.problems).toEqual([]);
  expect(runText(text, input)).toMatchObject(run.outputs);
  return run;
}

const GIVEN: PackedOrder = {
  block: [8, 16],
  digits: [
    { extent: 4, side: "row", stride: 1 },
    { extent: 16, side: "column", stride: 1 },
    { extent: 2, side: "row", stride: 4 },
  ],
};
const ODD: PackedOrder = {
  block: [3, 5],
  digits: [
    { extent: 3, side: "row", stride: 1 },
    { extent: 5, side: "column", stride: 1 },
  ],
};

/** Copies a matrix in tiles, each as its index plus its element. */
function copyText(bn: number, bk: number): string {
  return `kernel k(w: in packed u4[N, K], y: out i32[N, K]) dims(N, K) {
    %p.0: i32 = pid 0
    %q.1: i32 = pid 1
    %2: i32 = const ${bn}
    %3: i32 = const ${bk}
    %4: i32 = mul %p.0, %2
    %5: i32 = mul %q.1, %3
    %w.6: u4[BN=${bn}, BK=${bk}] = load w[span BN=${bn} from %4, span BK=${bk} from %5] fill 0
    %7: i32[BN=${bn}, BK=${bk}] = cast %w.6
    store y[span BN=${bn} from %4, span BK=${bk} from %5] = %7
  }`;
}

function copyInput(n: number, k: number, bn: number, bk: number): RunInput {
  return {
    tensors: { w: { shape: [n, k], values: integers(n * k, 16, 7) }, y: { shape: [n, k] } },
    grid: [Math.ceil(n / bn), Math.ceil(k / bk)],
  };
}

describe.each(THREAD_TARGET_NAMES)("packed tensors on %s", (target) => {
  it.each([
    [64, 64, 32, 32],
    [64, 64, 16, 64],
    [37, 45, 16, 32],
    [5, 100, 8, 16],
    [1, 7, 8, 64],
  ])("are read whole: %i × %i in tiles of %i × %i", (n, k, bn, bk) => {
    const { orders } = expectSame(target, copyText(bn, bk), copyInput(n, k, bn, bk));
    expect(Object.keys(orders)).toEqual(["w"]);
  });

  it.each([
    ["blocks of the tile's size or less", GIVEN, 16, 32],
    ["blocks that are no part of the tile", GIVEN, 12, 24],
    ["blocks of odd sizes", ODD, 16, 16],
    ["rows", "rows", 16, 32],
  ] as const)("are read in an order that is given: %s", (_what, order, bn, bk) => {
    const input = copyInput(37, 45, bn, bk);
    const { orders } = expectSame(target, copyText(bn, bk), input, { w: order });
    expect(orders).toEqual(order === "rows" ? {} : { w: order });
  });

  it("are read by one of many matrices", () => {
    const text = `kernel k(w: in packed nf4[E, N, K], id: in i32[1], y: out f32[N, K]) dims(E, N, K) {
      %0: i32 = const 0
      %e.1: i32 = load id[at %0] fill 0
      %w.2: nf4[BN=16, BK=32] = load w[at %e.1, span BN=16 from %0, span BK=32 from %0] fill 0
      %3: f32[BN=16, BK=32] = cast %w.2
      store y[span BN=16 from %0, span BK=32 from %0] = %3
    }`;
    const values = integers(3 * 11 * 29, 16, 5).map((i) => i / 8 - 1);
    const input = {
      tensors: {
        w: { shape: [3, 11, 29], values: values.map((v) => roundNf4(v)) },
        id: { shape: [1], values: [2] },
        y: { shape: [11, 29] },
      },
    };
    const { orders } = expectSame(target, text, input);
    expect(Object.keys(orders)).toEqual(["w"]);
    expectSame(target, text, input, { w: ODD });
  });

  it("are read by index, masked, up to an end and alone, where the order is given", () => {
    const text = `kernel k(w: in packed u4[N, K], rows: in i32[R], y: out i32[B, K], z: out i32[2, K], end: i32) dims(N, K, R, B) {
      %0: i32 = const 0
      %1: i32 = const 1
      %e.2: i32 = param end
      %r.3: i32[BR=8] = load rows[span BR=8 from %0] fill -1
      %w.4: u4[BR=8, BK=16] = load w[gather %r.3, span BK=16 from %0 end %e.2] fill 0
      %5: i32[BR=8, BK=16] = cast %w.4
      store y[span BR=8 from %0, span BK=16 from %0] = %5
      %i.6: i32[BK=16] = iota
      %7: i32 = const 2
      %8: i32[BK=16] = broadcast %7
      %9: i32[BK=16] = mod %i.6, %8
      %10: i32[BK=16] = broadcast %1
      %m.11: bool[BK=16] = eq %9, %10
      %v.12: u4[BK=16] = load w[at %7, span BK=16 from %1] mask %m.11 fill 9
      %13: i32[BK=16] = cast %v.12
      store z[at %0, span BK=16 from %0] = %13
      %s.14: u4 = load w[at %7, at %1] fill 0
      %15: i32 = cast %s.14
      %16: i32[BK=16] = broadcast %15
      store z[at %1, span BK=16 from %0] = %16
    }`;
    const input = {
      tensors: {
        w: { shape: [9, 17], values: integers(9 * 17, 16, 11) },
        rows: { shape: [5], values: [8, 0, -1, 3, 8] },
        y: { shape: [8, 17] },
        z: { shape: [2, 17] },
      },
      scalars: { end: 13 },
    };
    for (const w of [GIVEN, ODD]) {
      const { orders, remarks } = expectSame(target, text, input, { w });
      expect(orders).toEqual({ w });
      const packing = remarks.filter(({ pass }) => pass === "pack-tensors");
      expect(packing.map(({ message }) => message)).toContainEqual(
        expect.stringContaining("one element at a time: a load has a mask"),
      );
    }
    const chosen = expectSame(target, text, input);
    expect(chosen.orders).toEqual({});
    expect(chosen.remarks.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^w: row-major: /),
    );
  });

  it.each(["f16", "f32"])("are operand b of a product in %s, with their scales", (T) => {
    const text = `kernel k(x: in ${T}[M, K], w: in packed u4[N, K], s: in ${T}[N, G], y: out f32[M, N]) dims(M, K, N, G) {
      %0: i32 = const 0
      %k.1: i32 = dim K
      %2: i32 = const 32
      %o.3: f32[BM=16, BN=32] = const 0
      %r.4: f32[BM=16, BN=32] = for %i.5: i32 = %0 to %k.1 step %2 carry (%c.6: f32[BM=16, BN=32] = %o.3) {
        %x.7: ${T}[BM=16, BK=32] = load x[span BM=16 from %0, span BK=32 from %i.5] fill 0
        %w.8: u4[BN=32, BK=32] = load w[span BN=32 from %0, span BK=32 from %i.5] fill 0
        %9: f32[BN=32, BK=32] = cast %w.8
        %10: f32[BN=32, BG=2, BI=16] = split %9 BK into (BG, BI)
        %11: i32 = const 16
        %12: i32 = floordiv %i.5, %11
        %s.13: ${T}[BN=32, BG=2] = load s[span BN=32 from %0, span BG=2 from %12] fill 0
        %14: f32[BN=32, BG=2] = cast %s.13
        %15: f32[BN=32, BG=2, BI=16] = broadcast %14
        %16: f32[BN=32, BG=2, BI=16] = mul %10, %15
        %17: f32[BN=32, BK=32] = merge %16 (BG, BI) into BK
        %18: ${T}[BN=32, BK=32] = cast %17
        %d.19: f32[BM=16, BN=32] = dot %x.7, %18 over BK acc %c.6
        yield %d.19
      }
      store y[span BM=16 from %0, span BN=32 from %0] = %r.4
    }`;
    const [m, n, k] = [13, 27, 96];
    const input = {
      tensors: {
        x: { shape: [m, k], values: integers(m * k, 9, 5).map((i) => i - 4) },
        w: { shape: [n, k], values: integers(n * k, 16, 7) },
        s: { shape: [n, k / 16], values: integers((n * k) / 16, 3, 1).map((i) => 2 ** (i - 1)) },
        y: { shape: [m, n] },
      },
    };
    const { orders } = expectSame(target, text, input);
    expect(Object.keys(orders)).toEqual(["w"]);
    expectSame(target, text, input, { w: GIVEN });
    expectSame(target, text, input, { w: "rows" });
  });
});
