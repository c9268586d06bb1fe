/** [test/unit/dsl] The interpreter's ops over axes: broadcast, regrouping, reductions, scans, dots, in every layout they can meet. */
import { describe, expect, it } from "vitest";
import { prepareInterpreter } from "../../../dsl/interpreter/program.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { runText } from "../../support/run-tile-ir.ts";

const X = [1, 2, 3, 4, 5, 6]; // [A=2, B=3]

/** Runs lines over `%x.1: f32[A=2, B=3]` = X and gives the tile `%out.9`. */
function onX(lines: string, outShape: string, elements: number, values = X): readonly number[] {
  const axes = outShape === "" ? [] : outShape.split(", ");
  const dims = axes.length === 0 ? "1" : axes.map((axis) => axis.split("=")[1]).join(", ");
  const at =
    axes.length === 0 ? "at %zero.0" : axes.map((axis) => `span ${axis} from %zero.0`).join(", ");
  const text = `kernel k(x: in f32[2, 3], out: out f32[${dims}]) {
    %zero.0: i32 = const 0
    %x.1: f32[A=2, B=3] = load x[span A=2 from %zero.0, span B=3 from %zero.0] fill 0
    ${lines}
    store out[${at}] = %out.9
  }`;
  const outDims = axes.length === 0 ? [1] : axes.map((axis) => Number(axis.split("=")[1]));
  const tensors = { x: { shape: [2, 3], values }, out: { shape: outDims } };
  const out = runText(text, { tensors })["out"] ?? [];
  expect(out).toHaveLength(elements);
  return out;
}

describe("axes", () => {
  it("broadcasts along new axes and reorders", () => {
    expect(onX("%out.9: f32[B=3, A=2] = broadcast %x.1", "B=3, A=2", 6)).toEqual([
      1, 4, 2, 5, 3, 6,
    ]);
    const lines =
      "%2: f32[A=2] = reduce max %x.1 over B\n    %out.9: f32[C=2, A=2, D=2] = broadcast %2";
    expect(onX(lines, "C=2, A=2, D=2", 8)).toEqual([3, 3, 6, 6, 3, 3, 6, 6]);
  });

  it("computes on broadcast operands of different shapes", () => {
    const lines = `%2: f32[B=3] = reduce sum %x.1 over A
    %3: f32[A=2, B=3] = broadcast %2
    %4: f32 = const 10
    %5: f32[A=2, B=3] = broadcast %4
    %6: f32[A=2, B=3] = mul %x.1, %3
    %out.9: f32[A=2, B=3] = add %6, %5`;
    expect(onX(lines, "A=2, B=3", 6)).toEqual([15, 24, 37, 30, 45, 64]);
  });

  it("merges, splits and renames without moving data", () => {
    const lines = `%2: f32[C=6] = merge %x.1 (A, B) into C
    %3: f32[P=3, Q=2] = split %2 C into (P, Q)
    %out.9: f32[Q=3, P=2] = rename %3`;
    expect(onX(lines, "Q=3, P=2", 6)).toEqual(X);
  });

  it("merges axes that are not contiguous", () => {
    const lines =
      "%2: f32[B=3, A=2] = broadcast %x.1\n    %out.9: f32[C=6] = merge %2 (B, A) into C";
    expect(onX(lines, "C=6", 6)).toEqual([1, 4, 2, 5, 3, 6]);
  });

  it("merges a repeated axis", () => {
    const lines = `%2: f32[A=2] = reduce sum %x.1 over B
    %3: f32[A=2, D=3] = broadcast %2
    %out.9: f32[C=6] = merge %3 (A, D) into C`;
    expect(onX(lines, "C=6", 6)).toEqual([6, 6, 6, 15, 15, 15]);
  });

  it("counts positions, also merged and reordered", () => {
    const lines = `%2: i32[B=3] = iota
    %3: i32[A=2, B=3] = broadcast %2
    %4: i32[C=6] = merge %3 (A, B) into C
    %out.9: f32[C=6] = cast %4`;
    expect(onX(lines, "C=6", 6)).toEqual([0, 1, 2, 0, 1, 2]);
  });
});

describe("reductions", () => {
  it.each([
    ["sum", "A", [5, 7, 9]],
    ["sum", "B", [6, 15]],
    ["max", "A", [4, 5, 6]],
    ["min", "B", [1, 4]],
  ])("computes %s over %s", (fn, axis, expected) => {
    const rest = axis === "A" ? "B=3" : "A=2";
    const lines = `%out.9: f32[${rest}] = reduce ${fn} %x.1 over ${axis}`;
    expect(onX(lines, rest, expected.length)).toEqual(expected);
  });

  it("reduces an axis between others, one of size 1", () => {
    const lines = `%2: f32[A=2, Q=3, R=1] = split %x.1 B into (Q, R)
    %out.9: f32[A=2, R=1] = reduce sum %2 over Q`;
    expect(onX(lines, "A=2, R=1", 2)).toEqual([6, 15]);
  });

  it("reduces a reordered view and to a scalar", () => {
    const lines = `%2: f32[B=3, A=2] = broadcast %x.1
    %3: f32[A=2] = reduce max %2 over B
    %out.9: f32 = reduce sum %3 over A`;
    expect(onX(lines, "", 1)).toEqual([9]);
  });

  it("adds in the documented order: four partial sums", () => {
    const n = 11;
    const values = [1e8, 1, 1, 1, -1e8, 1, 1, 1, 1, 2.75, 1e-3].map(Math.fround);
    const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = [0, 1, 2, 3].map((j) =>
      values.filter((_, i) => i % 4 === j).reduce((sum, x) => Math.fround(sum + x), 0),
    );
    const expected = Math.fround(Math.fround(s0 + s1) + Math.fround(s2 + s3));
    expect(sumOf(values, {})).toBe(expected);
    expect(sumOf(values, { wideSums: true })).toBe(Math.fround(values.reduce((a, b) => a + b, 0)));
    expect(expected).not.toBe(sumOf(values, { wideSums: true }));
    expect(values).toHaveLength(n);
  });

  it("sums narrow floats in f32 and rounds once", () => {
    const text = `kernel k(x: in f16[N], out: out f16[1]) dims(N) {
      %0: i32 = const 0
      %1: f16[A=8] = load x[span A=8 from %0] fill 0
      %2: f16 = reduce sum %1 over A
      store out[at %0] = %2
    }`;
    const values = [2048, 1, 1, 1, 1, 1, 1, 1];
    const tensors = { x: { shape: [8], values }, out: { shape: [1] } };
    expect(runText(text, { tensors })["out"]).toEqual([2056]); // 2055 in f32; step by step in f16 it stays 2048
  });

  it("passes over NaN in max and min, from the identity", () => {
    expect(
      onX("%out.9: f32[A=2] = reduce max %x.1 over B", "A=2", 2, [NaN, 1, NaN, NaN, NaN, NaN]),
    ).toEqual([1, -Infinity]);
    expect(
      onX("%out.9: f32[A=2] = reduce min %x.1 over B", "A=2", 2, [NaN, 1, 7, NaN, NaN, NaN]),
    ).toEqual([1, Infinity]);
  });

  it("gives identities for an empty axis", () => {
    const text = `kernel k(out: out f32[3], logical: out bool[2]) {
      %0: i32 = const 0
      %1: f32[A=0] = const 1
      %2: f32 = reduce sum %1 over A
      %3: f32 = reduce max %1 over A
      %4: f32 = reduce min %1 over A
      %5: bool[A=0] = const true
      %6: bool = reduce any %5 over A
      %7: bool = reduce all %5 over A
      %8: i32 = const 1
      %9: i32 = const 2
      store out[at %0] = %2
      store out[at %8] = %3
      store out[at %9] = %4
      store logical[at %0] = %6
      store logical[at %8] = %7
    }`;
    const result = runText(text, { tensors: { out: { shape: [3] }, logical: { shape: [2] } } });
    expect(result).toEqual({ out: [0, -Infinity, Infinity], logical: [0, 1] });
  });

  it("reduces bools", () => {
    const lines = `%2: f32[A=2, B=3] = const 4.5
    %3: bool[A=2, B=3] = gt %x.1, %2
    %4: bool[A=2] = reduce any %3 over B
    %5: bool[B=3] = reduce all %3 over A
    %6: f32[A=2] = cast %4
    %7: f32[B=3] = cast %5
    %8: f32[A=2, B=3] = broadcast %6
    %10: f32[A=2, B=3] = broadcast %7
    %11: f32[A=2, B=3] = const 10
    %12: f32[A=2, B=3] = mul %8, %11
    %out.9: f32[A=2, B=3] = add %12, %10`;
    expect(onX(lines, "A=2, B=3", 6)).toEqual([0, 0, 0, 10, 10, 10]);
    expect(onX(lines, "A=2, B=3", 6, [1, 9, 1, 1, 9, 1])).toEqual([10, 11, 10, 10, 11, 10]);
  });

  it.each([
    ["argmax", [3, 7, 7, NaN, NaN, NaN], [1, 0]],
    ["argmin", [3, 2, 2, NaN, 5, -1], [1, 2]],
    ["argmax", [NaN, -Infinity, -Infinity, -5, NaN, -4], [1, 2]],
  ])("finds the first extreme with %s", (fn, values, expected) => {
    const lines = `%2: i32[A=2] = ${fn} %x.1 over B\n    %out.9: f32[A=2] = cast %2`;
    expect(onX(lines, "A=2", 2, values)).toEqual(expected);
  });

  it.each([
    ["sum", "B", [1, 3, 6, 4, 9, 15]],
    ["sum", "A", [1, 2, 3, 5, 7, 9]],
    ["max", "B", [1, 2, 3, 4, 5, 6]],
  ])("scans %s along %s", (fn, axis, expected) => {
    expect(onX(`%out.9: f32[A=2, B=3] = scan ${fn} %x.1 over ${axis}`, "A=2, B=3", 6)).toEqual(
      expected,
    );
  });
});

describe("dot", () => {
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

  it("contracts the last axes, the first axes and any mix", () => {
    const rows = [X.slice(0, 3), X.slice(3)];
    const gram = rows.flatMap((a) => rows.map((b) => product(a, b)));
    const last = "%2: f32[C=2, B=3] = rename %x.1\n    %out.9: f32[A=2, C=2] = dot %x.1, %2 over B";
    expect(onX(last, "A=2, C=2", 4)).toEqual(gram);
    const columns = [0, 1, 2].map((i) => [X[i] ?? 0, X[i + 3] ?? 0]);
    const first =
      "%2: f32[A=2, C=3] = rename %x.1\n    %out.9: f32[B=3, C=3] = dot %x.1, %2 over A";
    expect(onX(first, "B=3, C=3", 9)).toEqual(
      columns.flatMap((a) => columns.map((b) => product(a, b))),
    );
    const mixed = `%2: f32[B=3, A=2] = broadcast %x.1
    %3: f32[B=3, C=2] = rename %2
    %out.9: f32[A=2, C=2] = dot %x.1, %3 over B`;
    expect(onX(mixed, "A=2, C=2", 4)).toEqual(gram);
  });

  it("adds to an accumulator, a splat or a reordered one too", () => {
    const acc =
      "%2: f32[C=2, B=3] = rename %x.1\n    %3: f32[A=2, C=2] = const 100\n    %out.9: f32[A=2, C=2] = dot %x.1, %2 over B acc %3";
    expect(onX(acc, "A=2, C=2", 4)).toEqual([114, 132, 132, 177]);
    const reordered = `%2: f32[C=2, B=3] = rename %x.1
    %3: f32[A=2, C=2] = dot %x.1, %2 over B
    %4: f32[A=2] = reduce sum %x.1 over B
    %5: f32[A=2, C=2] = broadcast %4
    %out.9: f32[A=2, C=2] = dot %x.1, %2 over B acc %5`;
    expect(onX(reordered, "A=2, C=2", 4)).toEqual([20, 38, 47, 92]);
  });

  it("contracts the middle axis of three", () => {
    const middle = `%2: f32[A=2, B=3, D=2] = broadcast %x.1
    %3: f32[B=3] = reduce max %x.1 over A
    %out.9: f32[A=2, D=2] = dot %2, %3 over B`;
    expect(onX(middle, "A=2, D=2", 4)).toEqual([32, 32, 77, 77]);
  });

  it("contracts vectors to a scalar, with a scalar accumulator", () => {
    const lines = `%2: f32[B=3] = reduce max %x.1 over A
    %3: f32 = reduce sum %2 over B
    %out.9: f32 = dot %2, %2 over B acc %3`;
    expect(onX(lines, "", 1)).toEqual([92]);
  });

  it("computes a sum of products as a product of matrices, to the same bits", () => {
    const body = (
      more: string,
    ): string => `kernel k(a: in f32[8, 9], b: in f32[9, 5], out: out f32[5, 8]) {
      %0: i32 = const 0
      %1: f32[M=8, K=9] = load a[span M=8 from %0, span K=9 from %0] fill 0
      %2: f32[K=9, N=5] = load b[span K=9 from %0, span N=5 from %0] fill 0
      %3: f32[N=5, M=8, K=9] = broadcast %1
      %4: f32[N=5, M=8, K=9] = broadcast %2
      %5: f32[N=5, M=8, K=9] = mul %3, %4
      %6: f32[N=5, M=8] = reduce sum %5 over K${more}
      store out[span N=5 from %0, span M=8 from %0] = %6
    }`;
    const [a, b] = [72, 45].map((n) =>
      Array.from({ length: n }, (_, i) => Math.fround(Math.sin(i * i))),
    );
    const tensors = {
      a: { shape: [8, 9], values: a ?? [] },
      b: { shape: [9, 5], values: b ?? [] },
      out: { shape: [5, 8] },
    };
    const fast = runText(body(""), { tensors })["out"];
    // A second reader of the products keeps them in memory, and the sum a plain loop.
    const slow = runText(body("\n      %7: f32[N=5, M=8] = reduce max %5 over K"), { tensors })[
      "out"
    ];
    expect(fast).toEqual(slow);
    const first = (a ?? []).slice(0, 9).reduce((sum, x, i) => sum + x * (b?.[i * 5] ?? 0), 0);
    expect(fast?.[0]).toBeCloseTo(first, 5);
    const { source } = prepareInterpreter(parseKernel(body("")));
    expect(source).toContain("dotF32(");
  });

  it("multiplies ints to i32", () => {
    const text = `kernel k(a: in i8[2, 4], b: in u8[4], out: out i32[2]) {
      %0: i32 = const 0
      %1: i8[M=2, K=4] = load a[span M=2 from %0, span K=4 from %0] fill 0
      %2: u8[K=4] = load b[span K=4 from %0] fill 0
      %3: i32[M=2] = dot %1, %2 over K
      store out[span M=2 from %0] = %3
    }`;
    const a = { shape: [2, 4], values: [1, -2, 3, -4, 127, -128, 0, 1] };
    const b = { shape: [4], values: [255, 1, 2, 3] };
    expect(runText(text, { tensors: { a, b, out: { shape: [2] } } })["out"]).toEqual([247, 32260]);
  });
});

function sumOf(values: readonly number[], options: { readonly wideSums?: boolean }): number {
  const n = values.length;
  const text = `kernel k(x: in f32[N], out: out f32[1]) dims(N) {
    %0: i32 = const 0
    %1: f32[A=${n}] = load x[span A=${n} from %0] fill 0
    %2: f32 = reduce sum %1 over A
    store out[at %0] = %2
  }`;
  const tensors = { x: { shape: [n], values }, out: { shape: [1] } };
  return runText(text, { tensors, options })["out"]?.[0] ?? NaN;
}
