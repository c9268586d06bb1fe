/** [test/unit/dsl] Products of the interpreter: WebAssembly and plain code give the same bits, in the documented order, for any layout. */
import { describe, expect, it } from "vitest";
import { dotInt, dotWide, fastDotF32, plainDotF32 } from "../../../dsl/interpreter/dot.ts";
import { instantiateDot } from "../../../dsl/interpreter/wasm-dot.ts";
import { randomNumbers } from "../../support/random-tile-ir.ts";

const SHAPES: readonly (readonly [number, number, number])[] = [
  [1, 1, 1],
  [1, 4, 4],
  [2, 4, 8],
  [3, 5, 7],
  [16, 64, 32],
  [5, 1, 64],
  [1, 33, 17],
  [7, 8, 0],
  [0, 3, 4],
];

function randomArray(count: number, random: () => number): Float32Array {
  return Float32Array.from(
    { length: count },
    () => (random() - 0.5) * 2 ** Math.floor(random() * 12),
  );
}

/** Element [m, n] by the documented order, written out. */
function reference(a: readonly number[], b: readonly number[], acc: number): number {
  const { fround } = Math;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = [0, 1, 2, 3].map((j) =>
    a.reduce((s, x, i) => (i % 4 === j ? fround(s + fround(x * (b[i] ?? 0))) : s), 0),
  );
  return fround(acc + fround(fround(s0 + s1) + fround(s2 + s3)));
}

describe("dot in f32", () => {
  it("has a WebAssembly module here", () => expect(instantiateDot()).toBeDefined());

  it.each(SHAPES)("gives the documented bits for %d x %d over %d, both ways", (m, n, k) => {
    const random = randomNumbers(m * 10000 + n * 100 + k);
    const acc = randomArray(m * n, random);
    const a = randomArray(m * k, random);
    const b = randomArray(n * k, random);
    for (const [aRow, aK, bRow, bK] of [
      [k, 1, k, 1],
      [1, m, 1, n],
      [k, 1, 1, n],
      [1, m, k, 1],
    ] as const) {
      const row = (x: Float32Array, r: number, stride: number, step: number): number[] =>
        Array.from({ length: k }, (_, i) => x[r * stride + i * step] ?? 0);
      const expected = Array.from({ length: m * n }, (_, i) => {
        const [r, c] = [Math.floor(i / n), i % n];
        return reference(row(a, r, aRow, aK), row(b, c, bRow, bK), acc[i] ?? 0);
      });
      for (const dot of [fastDotF32(), plainDotF32]) {
        const out = new Float32Array(m * n).fill(7);
        dot(out, a, m, aRow, aK, b, n, bRow, bK, k, acc);
        expect([...out]).toEqual(expected);
      }
    }
  });

  it("may add to the accumulator in place, and starts from zero without one", () => {
    const [a, b] = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)];
    const out = Float32Array.of(100);
    fastDotF32()(out, a, 1, 3, 1, b, 1, 3, 1, 3, out);
    expect(out[0]).toBe(132);
    fastDotF32()(out, a, 1, 3, 1, b, 1, 3, 1, 3, undefined);
    expect(out[0]).toBe(32);
  });

  it("leaves nothing of one product in the next", () => {
    const big = Float32Array.from({ length: 64 * 64 }, () => Number.NaN);
    fastDotF32()(new Float32Array(64 * 64), big, 64, 64, 1, big, 64, 64, 1, 64, undefined);
    const out = new Float32Array(3);
    fastDotF32()(out, Float32Array.of(2), 1, 1, 1, Float32Array.of(1, 2, 3), 3, 1, 1, 1, undefined);
    expect([...out]).toEqual([2, 4, 6]);
  });

  it("passes NaN and infinities on", () => {
    const out = new Float32Array(2);
    const b = Float32Array.of(1, 0, Number.NaN, 1);
    fastDotF32()(out, Float32Array.of(Infinity, 1), 1, 2, 1, b, 2, 2, 1, 2, undefined);
    expect([...out]).toEqual([Infinity, Number.NaN]);
  });
});

describe("other products", () => {
  it("rounds a wide sum once", () => {
    const out = new Float32Array(1);
    const a = Float32Array.of(1e8, 1, -1e8, 1);
    dotWide(out, a, 1, 4, 1, Float32Array.of(1, 1, 1, 1), 1, 4, 1, 4, Float32Array.of(0.5));
    expect(out[0]).toBe(2.5);
  });

  it("wraps ints and says where", () => {
    const out = new Int32Array(2);
    const a = Int32Array.of(65536, 1);
    const b = Int32Array.of(65536, 1, 2, 3);
    const overflows: number[] = [];
    dotInt([out, a, 1, 2, 1, b, 2, 2, 1, 2, undefined], (at) => overflows.push(at));
    expect([...out]).toEqual([1, 131075]);
    expect(overflows).toEqual([0]);
  });
});
