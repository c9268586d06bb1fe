/** [test/unit/dsl] The interpreter's loads, stores and atomics: bounds, spans, gathers, masks, fills, storage formats, grids. */
import { describe, expect, it } from "vitest";
import { DTYPE_NAMES } from "../../../dsl/core/dtype.ts";
import { LaunchError } from "../../../dsl/core/errors.ts";
import { decodeArray, encodeArray } from "../../../dsl/core/rounding.ts";
import { prepareInterpreter } from "../../../dsl/interpreter/program.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { runText } from "../../support/run-tile-ir.ts";

const X = Array.from({ length: 12 }, (_, i) => i + 1); // [M=3, N=4]

/** Loads a `[A=4]` tile from x[M=3, N=4] and stores it; `s` and `e` are scalars, `%i.2` positions. Both check modes must agree. */
function loaded(load: string, s = 0, e = 0, before = ""): readonly number[] {
  const text = `kernel k(x: in f32[M, N], out: out f32[4], s: i32, e: i32) dims(M, N) {
    %zero.0: i32 = const 0
    %one.1: i32 = const 1
    %i.2: i32[A=4] = iota
    %s.3: i32 = param s
    %e.4: i32 = param e
    ${before}
    %v.9: f32[A=4] = load ${load}
    store out[span A=4 from %zero.0] = %v.9
  }`;
  const tensors = { x: { shape: [3, 4], values: X }, out: { shape: [4] } };
  const run = (checks: "off" | "full"): readonly number[] =>
    runText(text, { tensors, scalars: { s, e }, options: { checks } })["out"] ?? [];
  const full = run("full");
  expect(run("off")).toEqual(full);
  return full;
}

describe("loads", () => {
  it("reads a row inside", () => {
    expect(loaded("x[at %one.1, span A=4 from %zero.0] fill 0")).toEqual([5, 6, 7, 8]);
  });

  it("reads a column, strided", () => {
    expect(loaded("x[span A=4 from %zero.0, at %one.1] fill -1")).toEqual([2, 6, 10, -1]);
  });

  it.each([
    ["before the start", -2, [9, 9, 1, 2]],
    ["past the end", 3, [4, 9, 9, 9]],
    ["wholly before", -4, [9, 9, 9, 9]],
    ["wholly past", 4, [9, 9, 9, 9]],
  ])("fills elements %s", (_, s, expected) => {
    expect(loaded("x[at %zero.0, span A=4 from %s.3] fill 9", s)).toEqual(expected);
  });

  it.each([
    [2, [1, 2, 0, 0]],
    [0, [0, 0, 0, 0]],
    [-3, [0, 0, 0, 0]],
    [100, [1, 2, 3, 4]],
  ])("stops at the span's end %d", (e, expected) => {
    expect(loaded("x[at %zero.0, span A=4 from %zero.0 end %e.4] fill 0", 0, e)).toEqual(expected);
  });

  it("fills everything where a single index is outside", () => {
    expect(loaded("x[at %s.3, span A=4 from %zero.0] fill 7", 3)).toEqual([7, 7, 7, 7]);
    expect(loaded("x[at %s.3, span A=4 from %zero.0] fill 7", -1)).toEqual([7, 7, 7, 7]);
  });

  it("gathers rows, -1 outside", () => {
    const lines = "%6: i32[A=4] = const 1\n    %5: i32[A=4] = sub %i.2, %6";
    expect(loaded("x[gather %5, at %one.1] fill 0.5", 0, 0, lines)).toEqual([0.5, 2, 6, 10]);
  });

  it("goes through two gathers of one axis together", () => {
    const lines = "%6: i32[A=4] = const 2\n    %5: i32[A=4] = min %i.2, %6";
    expect(loaded("x[gather %5, gather %i.2] fill 0", 0, 0, lines)).toEqual([1, 6, 11, 12]);
  });

  it("reads only where the mask is true", () => {
    const lines = "%6: i32[A=4] = const 2\n    %5: bool[A=4] = ne %i.2, %6";
    expect(loaded("x[at %zero.0, span A=4 from %zero.0] mask %5 fill -5", 0, 0, lines)).toEqual([
      1, 2, -5, 4,
    ]);
  });

  it("does not judge the gather index of a masked-out element", () => {
    const lines =
      "%6: i32[A=4] = const 2\n    %5: bool[A=4] = lt %i.2, %6\n    %7: i32[A=4] = mul %i.2, %6";
    expect(loaded("x[at %zero.0, gather %7] mask %5 fill 0", 0, 0, lines)).toEqual([1, 3, 0, 0]);
  });

  it("gathers whole rows at two places of an axis", () => {
    const text = `kernel k(x2: in i32[2, 2], x: in f32[3, 4], out: out f32[2, 2, 4]) {
      %0: i32 = const 0
      %1: i32[P=2, Q=2] = load x2[span P=2 from %0, span Q=2 from %0] fill 0
      %2: f32[P=2, Q=2, D=4] = load x[gather %1, span D=4 from %0] fill -1
      store out[span P=2 from %0, span Q=2 from %0, span D=4 from %0] = %2
    }`;
    const tensors = {
      x2: { shape: [2, 2], values: [2, -1, 0, 2] },
      x: { shape: [3, 4], values: X },
      out: { shape: [2, 2, 4] },
    };
    expect(runText(text, { tensors })["out"]).toEqual([
      9, 10, 11, 12, -1, -1, -1, -1, 1, 2, 3, 4, 9, 10, 11, 12,
    ]);
  });

  it("gives the fill for a masked-out scalar load", () => {
    const text = `kernel k(x: in f32[N], out: out f32[2], s: i32) dims(N) {
      %s.0: i32 = param s
      %1: i32 = const 0
      %2: i32 = const 1
      %3: i32 = dim N
      %4: bool = lt %s.0, %3
      %5: f32 = load x[at %s.0] mask %4 fill 42
      store out[at %1] = %5
      %6: i32 = const -1
      %7: f32 = load x[gather %6] fill 43
      store out[at %2] = %7
    }`;
    const tensors = { x: { shape: [2], values: [1, 2] }, out: { shape: [2] } };
    expect(runText(text, { tensors, scalars: { s: 1 } })["out"]).toEqual([2, 43]);
    expect(runText(text, { tensors, scalars: { s: 2 } })["out"]).toEqual([42, 43]);
  });
});

describe("stores", () => {
  it("writes only what is inside, before the end and not masked out", () => {
    const text = `kernel k(out: inout f32[6], s: i32) {
      %s.0: i32 = param s
      %1: i32[A=4] = iota
      %2: f32[A=4] = cast %1
      %3: i32 = const 5
      %4: i32[A=4] = const 2
      %5: bool[A=4] = ne %1, %4
      store out[span A=4 from %s.0 end %3] = %2 mask %5
    }`;
    const out = (s: number): unknown =>
      runText(text, {
        tensors: { out: { shape: [6], values: [9, 9, 9, 9, 9, 9] } },
        scalars: { s },
      })["out"];
    expect(out(0)).toEqual([0, 1, 9, 3, 9, 9]);
    expect(out(2)).toEqual([9, 9, 0, 1, 9, 9]);
    expect(out(-1)).toEqual([1, 9, 3, 9, 9, 9]);
    expect(out(6)).toEqual([9, 9, 9, 9, 9, 9]);
  });

  it("scatters, -1 nowhere", () => {
    const text = `kernel k(at: in i32[4], out: inout f32[4, 2]) {
      %0: i32 = const 0
      %1: i32[A=4] = load at[span A=4 from %0] fill 0
      %2: f32[A=4] = cast %1
      %3: f32[A=4, D=2] = broadcast %2
      store out[gather %1, span D=2 from %0] = %3
    }`;
    const at = { shape: [4], values: [3, -1, 0, 1] };
    expect(runText(text, { tensors: { at, out: { shape: [4, 2] } } })["out"]).toEqual([
      0, 0, 1, 1, 0, 0, 3, 3,
    ]);
  });

  it("computes what it stores from a reordered tile", () => {
    const text = `kernel k(x: in f32[3, 4], out: out f32[4, 3]) {
      %0: i32 = const 0
      %1: f32[M=3, N=4] = load x[span M=3 from %0, span N=4 from %0] fill 0
      %2: f32[N=4, M=3] = broadcast %1
      %3: f32[N=4, M=3] = neg %2
      store out[span N=4 from %0, span M=3 from %0] = %3
    }`;
    const tensors = { x: { shape: [3, 4], values: X }, out: { shape: [4, 3] } };
    expect(runText(text, { tensors })["out"]).toEqual([
      -1, -5, -9, -2, -6, -10, -3, -7, -11, -4, -8, -12,
    ]);
  });
});

describe("storage formats", () => {
  it.each(DTYPE_NAMES)("copies %s exactly, in an odd number of elements", (dtype) => {
    const text = `kernel k(x: in ${dtype}[N], y: out ${dtype}[N]) dims(N) {
      %0: i32 = const 0
      %1: ${dtype}[A=8] = load x[span A=8 from %0] fill 0
      store y[span A=8 from %0] = %1
    }`;
    const values = decodeArray(dtype, encodeArray(dtype, [1, 0, 1, -3, 7, 0.5, -0.25]), 7);
    const result = runText(text, {
      tensors: { x: { shape: [7], values: [...values] }, y: { shape: [7] } },
    });
    expect(result["y"]).toEqual([...values]);
  });

  it("stores a value that was narrowed on the way as the narrow one", () => {
    const text = `kernel k(x: in f32[N], y: out f32[N]) dims(N) {
      %0: i32 = const 0
      %1: f32[A=2] = load x[span A=2 from %0] fill 0
      %2: f8e4m3[A=2] = cast %1
      %3: f32[A=2] = cast %2
      store y[span A=2 from %0] = %3
    }`;
    const tensors = { x: { shape: [2], values: [0.6, 1.07] }, y: { shape: [2] } };
    expect(runText(text, { tensors, options: { checks: "off" } })["y"]).toEqual([0.625, 1.125]);
  });

  it("keeps the other half of a byte", () => {
    const text = `kernel k(y: inout u4[N]) dims(N) {
      %0: i32 = const 1
      %1: u4 = const 9
      store y[at %0] = %1
    }`;
    expect(runText(text, { tensors: { y: { shape: [3], values: [5, 6, 7] } } })["y"]).toEqual([
      5, 9, 7,
    ]);
  });
});

describe("atomics", () => {
  const add = `kernel k(at: in i32[4], sum: inout TYPE[2], old: out TYPE[4]) {
    %0: i32 = const 0
    %1: i32[A=4] = load at[span A=4 from %0] fill 0
    %2: TYPE[A=4] = const 3
    %3: TYPE[A=4] = atomic FN sum[gather %1] by %2
    store old[span A=4 from %0] = %3
  }`;
  it.each([
    ["add", "f32", [16, 7], [10, 4, 13, 0]],
    ["max", "i32", [10, 4], [10, 4, 10, 0]],
    ["min", "u32", [3, 3], [10, 4, 3, 0]],
  ])("%ss in order and gives old values (%s)", (fn, type, sum, old) => {
    const text = add.replaceAll("TYPE", type).replace("FN", fn);
    const at = { shape: [4], values: [0, 1, 0, -1] };
    const tensors = { at, sum: { shape: [2], values: [10, 4] }, old: { shape: [4] } };
    expect(runText(text, { tensors })).toMatchObject({ sum, old });
  });

  it("counts across programs", () => {
    const text = `kernel k(n: inout i32[1], order: out i32[6]) {
      %0: i32 = const 0
      %1: i32 = const 1
      %2: i32 = atomic add n[at %0] by %1
      store order[at %2] = %2
    }`;
    const result = runText(text, {
      tensors: { n: { shape: [1] }, order: { shape: [6] } },
      grid: [3, 2],
    });
    expect(result).toEqual({ n: [6], order: [0, 1, 2, 3, 4, 5] });
  });
});

describe("grids and arguments", () => {
  const ids = `kernel ids(out: out i32[Z, Y, X]) dims(Z, Y, X) {
    %0: i32 = pid 0
    %1: i32 = pid 1
    %2: i32 = pid 2
    %3: i32 = num_programs 0
    %4: i32 = dim Y
    %5: i32 = mul %1, %3
    %6: i32 = add %5, %0
    %7: i32 = mul %2, %4
    %8: i32 = mul %7, %3
    %9: i32 = add %8, %6
    store out[at %2, at %1, at %0] = %9
  }`;

  it("runs x fastest and knows its place", () => {
    const result = runText(ids, { tensors: { out: { shape: [2, 3, 4] } }, grid: [4, 3, 2] });
    expect(result["out"]).toEqual(Array.from({ length: 24 }, (_, i) => i));
  });

  it("runs nothing on an empty grid", () => {
    expect(
      runText(ids, { tensors: { out: { shape: [0, 3, 4] } }, grid: [4, 3, 0] })["out"],
    ).toEqual([]);
  });

  it("runs again on other shapes", () => {
    const program = prepareInterpreter(parseKernel(ids));
    for (const shape of [
      [1, 1, 5],
      [2, 2, 2],
    ]) {
      const data = new Uint8Array(4 * shape.reduce((n, size) => n * size, 1));
      program.run({ tensors: { out: { data, shape } }, grid: [...shape].reverse() });
      const count = data.length / 4;
      expect([...decodeArray("i32", data, count)]).toEqual(
        Array.from({ length: count }, (_, i) => i),
      );
    }
  });

  const signature = parseKernel("kernel k(a: in f32[N, 2], b: out i32[N], s: f32) dims(N) {\n}\n");
  const bytes = new Uint8Array(64);
  it.each([
    [
      "a missing tensor",
      { a: { data: bytes, shape: [3, 2] } },
      { s: 1 },
      "tensor b of kernel k is missing",
    ],
    [
      "a missing scalar",
      { a: { data: bytes, shape: [3, 2] }, b: { data: bytes, shape: [3] } },
      {},
      "scalar s of kernel k is missing",
    ],
    [
      "a dim with two sizes",
      { a: { data: bytes, shape: [3, 2] }, b: { data: bytes, shape: [4] } },
      { s: 1 },
      "dim N of tensor b of kernel k does not fit",
    ],
    [
      "a wrong fixed size",
      { a: { data: bytes, shape: [3, 3] }, b: { data: bytes, shape: [3] } },
      { s: 1 },
      "dim 2 of tensor a of kernel k does not fit",
    ],
    [
      "a wrong rank",
      { a: { data: bytes, shape: [3] }, b: { data: bytes, shape: [3] } },
      { s: 1 },
      "wrong number of dims",
    ],
    [
      "too few bytes",
      { a: { data: bytes, shape: [9, 2] }, b: { data: bytes, shape: [9] } },
      { s: 1 },
      "too few bytes",
    ],
    [
      "odd alignment",
      { a: { data: bytes.subarray(1), shape: [3, 2] }, b: { data: bytes, shape: [3] } },
      { s: 1 },
      "is not aligned",
    ],
  ])("refuses %s", (_, tensors, scalars, message) => {
    const program = prepareInterpreter(signature);
    const run = (): void => program.run({ tensors, scalars, grid: [1] });
    expect(run).toThrow(LaunchError);
    expect(run).toThrow(message);
  });

  it("names everything that does not fit at once", () => {
    const run = (): void => prepareInterpreter(signature).run({ tensors: {}, grid: [1, 1, 1, 1] });
    expect(run).toThrowErrorMatchingInlineSnapshot(`
      [LaunchError: TW1320: tensor a of kernel k is missing
        seen:     no tensor
        expected: a f32 tensor
        remedy:   pass the tensor

      TW1320: tensor b of kernel k is missing
        seen:     no tensor
        expected: a i32 tensor
        remedy:   pass the tensor

      TW1320: scalar s of kernel k is missing
        seen:     no value
        expected: a f32
        remedy:   pass the scalar; on the command line, --scalar s=1

      TW1320: the grid of kernel k is no grid
        seen:     [1, 1, 1, 1]
        expected: up to three integers of at least 0
        remedy:   correct the grid]
    `);
  });
});
