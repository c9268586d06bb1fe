/** [test/unit/dsl] The text form of the tile IR: exact round trips, readable output, located syntax errors. */
import { describe, expect, it } from "vitest";
import { KernelSourceError } from "../../../dsl/core/errors.ts";
import { UNKNOWN_LOCATION } from "../../../dsl/core/location.ts";
import type { Op, TileKernel } from "../../../dsl/ir/nodes.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { formatNumber, printKernel } from "../../../dsl/ir/print.ts";
import type { Value, ValueType } from "../../../dsl/ir/types.ts";
import { walkOps } from "../../../dsl/ir/visit.ts";
import { EVERY_OP, RMS_NORM } from "../../support/tile-ir-texts.ts";

describe("text form", () => {
  it.each([
    ["rms_norm", RMS_NORM],
    ["every op", EVERY_OP],
  ])("prints %s exactly as it was read", (_, text) => {
    const kernel = parseKernel(text);
    expect(printKernel(kernel, { locations: true })).toBe(text);
    expect(parseKernel(printKernel(kernel, { locations: true }))).toStrictEqual(kernel);
  });

  it("covers every op kind in the sample", () => {
    const kinds = new Set<Op["kind"]>();
    walkOps(parseKernel(EVERY_OP).body, (op) => kinds.add(op.kind));
    expect([...kinds].sort()).toMatchInlineSnapshot(`
      [
        "arg_reduce",
        "assert",
        "atomic",
        "binary",
        "bitcast",
        "broadcast",
        "cast",
        "compare",
        "const",
        "dim",
        "dot",
        "for",
        "if",
        "if_any",
        "iota",
        "load",
        "merge",
        "num_programs",
        "param",
        "pid",
        "print",
        "reduce",
        "rename",
        "scan",
        "select",
        "split",
        "store",
        "unary",
        "while",
      ]
    `);
  });

  it("equals the kernel up to locations when locations are left out", () => {
    const kernel = parseKernel(RMS_NORM);
    const again = parseKernel(printKernel(kernel));
    expect(printKernel(again, { locations: true })).toBe(printKernel(kernel));
    expect(again).not.toStrictEqual(kernel);
    expect(stripLocations(again)).toStrictEqual(stripLocations(kernel));
  });

  it("keeps names that are no identifiers", () => {
    const type: ValueType = {
      dtype: "f32",
      axes: [
        { name: "a-b", size: 2 },
        { name: "2", size: 3 },
      ],
    };
    const value: Value = { id: 0, name: 'odd "name".3', type };
    const op: Op = { kind: "const", result: value, value: 1, loc: UNKNOWN_LOCATION };
    const kernel: TileKernel = {
      name: "1st kernel",
      params: [{ kind: "tensor", name: "in", dtype: "u4", access: "in", shape: [{ name: "é" }] }],
      dims: ["é"],
      fixedDims: {},
      config: { "x y": -0.5 },
      body: { params: [], ops: [op], yields: [] },
    };
    expect(parseKernel(printKernel(kernel))).toStrictEqual(kernel);
  });

  it.each([0, -0, 1 / 3, 1e-45, 3.4028234663852886e38, -1e21, NaN, Infinity, -Infinity])(
    "reads the number %d back",
    (value) => {
      const text = `kernel k() {\n  %0: f32 = const ${formatNumber(value)}\n}\n`;
      const op = parseKernel(text).body.ops[0];
      expect(op?.kind === "const" && Object.is(op.value, value)).toBe(true);
      expect(printKernel(parseKernel(text))).toBe(text);
    },
  );

  it("shares one object between a definition and its uses", () => {
    const kernel = parseKernel("kernel k() {\n  %a.0: f32 = const 1\n  %1: f32 = neg %a.0\n}");
    const [first, second] = kernel.body.ops;
    expect(first?.kind === "const" && second?.kind === "unary" && second.x === first.result).toBe(
      true,
    );
  });
});

describe("syntax errors", () => {
  it.each([
    ["an unknown op", "  %0: f32 = frob %1", "unknown op"],
    ["an undefined value", "  %0: f32 = neg %7", "%7 is not defined above"],
    ["a use under another name", "  %a.0: i32 = pid 0\n  %1: i32 = neg %b.0", "another name"],
    ["a second definition", "  %0: i32 = pid 0\n  %0: i32 = pid 1", "%0 is defined twice"],
    ["an unknown dtype", "  %0: f64 = const 1", "unknown dtype"],
    ["a stray character", "  %0: f32 = const #", "no token starts here"],
    ["an op that uses its own result", "  %0: f32 = neg %0", "%0 is not defined above"],
    ["a grid axis out of range", "  %0: i32 = pid 3", "unknown grid axis"],
    ["a store with a result", "  %0: f32 = store y[] = %0", "unknown op"],
  ])("points at %s", (_, line, message) => {
    const text = `kernel k() {\n${line}\n}\n`;
    const error = catchError(() => parseKernel(text, "case.tile"));
    expect(error.code).toBe("TW1901");
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/case\.tile:\d+:\d+/);
  });

  it("shows the line with a caret", () => {
    const error = catchError(() =>
      parseKernel("kernel k() {\n  %0: f32 = cast %4\n}\n", "case.tile"),
    );
    expect(error.message).toMatchInlineSnapshot(`
      "case.tile:2:18 - TW1901: tile IR text: %4 is not defined above
        1 | kernel k() {
      > 2 |   %0: f32 = cast %4
          |                  ^^
        3 | }
        seen:     %4
        expected: a value defined above
        remedy:   write the form that the printer gives"
    `);
  });
});

function catchError(run: () => unknown): KernelSourceError {
  try {
    run();
  } catch (error) {
    if (error instanceof KernelSourceError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

function stripLocations(kernel: TileKernel): unknown {
  return JSON.parse(JSON.stringify(kernel, (key, value) => (key === "loc" ? undefined : value)));
}
