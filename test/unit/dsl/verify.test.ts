/** [test/unit/dsl] The verifier of the tile IR: correct kernels pass, each broken rule is found and named. */
import { describe, expect, it } from "vitest";
import { InternalError } from "../../../dsl/core/errors.ts";
import { UNKNOWN_LOCATION } from "../../../dsl/core/location.ts";
import type { Block, ConstOp, Op, TileKernel } from "../../../dsl/ir/nodes.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { scalarType, type Value } from "../../../dsl/ir/types.ts";
import { findViolations, verifyKernel } from "../../../dsl/ir/verify.ts";
import { EVERY_OP, RMS_NORM } from "../../support/tile-ir-texts.ts";
import { violations } from "../../support/tile-ir-violations.ts";

describe("correct kernels", () => {
  it.each([
    ["rms_norm", RMS_NORM],
    ["every op", EVERY_OP],
  ])("passes %s", (_, text) => {
    expect(findViolations(parseKernel(text))).toEqual([]);
  });

  it("passes the prelude of this file", () => expect(violations("")).toEqual([]));
});

describe("values", () => {
  it.each([
    [
      "a value of an inner block used outside",
      "  if %b.2 {\n    %10: f32 = neg %f.1\n  }\n  %11: f32 = neg %10",
      "TW9101 a value is used outside of the block that defines it | %10 | a value defined above",
    ],
    [
      "an axis that appears twice",
      "  %10: f32[A=4, A=4] = const 1",
      "TW9103 an axis appears twice | %10: f32[A=4, A=4] | axis names unique",
    ],
    [
      "a negative axis",
      "  %10: f32[A=-4] = const 1",
      "TW9103 an axis has no size | %10: f32[A=-4] | an integer >= 0",
    ],
  ])("finds %s", (_, lines, expected) => expect(violations(lines)).toEqual([expected]));

  it("finds a value used before its definition", () => {
    const [first, second] = parseKernel("kernel k() {\n  %0: f32 = const 1\n  %1: f32 = neg %0\n}")
      .body.ops;
    if (first === undefined || second === undefined) throw new Error("two ops expected");
    expect(codes(kernelOf([second, first]))).toEqual(["TW9101"]);
  });

  it("finds an id defined twice", () => {
    expect(codes(kernelOf([constant(3), constant(3)]))).toEqual(["TW9101"]);
  });

  it("finds a use whose type differs from the definition", () => {
    const liar: Value = { id: 3, name: "", type: scalarType("i32") };
    const result: Value = { id: 4, name: "", type: scalarType("i32") };
    const op: Op = { kind: "unary", fn: "neg", x: liar, result, loc: UNKNOWN_LOCATION };
    expect(codes(kernelOf([constant(3), op]))).toEqual(["TW9101"]);
  });
});

describe("types of pure ops", () => {
  it.each([
    [
      "division of ints",
      "  %10: i32 = div %i.0, %i.0",
      "TW9102 operand a has the wrong dtype | i32 | a float",
    ],
    [
      "floordiv of floats",
      "  %10: f32 = floordiv %f.1, %f.1",
      "TW9102 operand a has the wrong dtype | f32 | an int",
    ],
    [
      "xor of floats",
      "  %10: f32 = xor %f.1, %f.1",
      "TW9102 operand a has the wrong dtype | f32 | an int or bool",
    ],
    [
      "mulhi of i32",
      "  %10: i32 = mulhi %i.0, %i.0",
      "TW9102 operand a has the wrong dtype | i32 | u32",
    ],
    [
      "exp of an int",
      "  %10: i32 = exp %i.0",
      "TW9102 the operand has the wrong dtype | i32 | a float",
    ],
    [
      "not of a float",
      "  %10: f32 = not %f.1",
      "TW9102 the operand has the wrong dtype | f32 | an int or bool",
    ],
    [
      "operands of two shapes",
      "  %10: f32[A=4] = add %v.4, %f.1",
      "TW9103 the operands differ in type | f32[A=4] | f32",
    ],
    [
      "a result of another dtype",
      "  %10: i32 = neg %f.1",
      "TW9102 operand and result differ in type | f32 | i32",
    ],
    [
      "a comparison that gives f32",
      "  %10: f32 = lt %f.1, %f.1",
      "TW9102 the result has the wrong dtype | f32 | bool",
    ],
    [
      "an ordering of bools",
      "  %10: bool = lt %b.2, %b.2",
      "TW9102 operand a has the wrong dtype | bool | a float or int (bool only for eq and ne)",
    ],
    [
      "a scalar condition of a tile",
      "  %10: f32[A=4] = select %b.2, %v.4, %v.4",
      "TW9103 the condition has other axes | bool | bool[A=4]",
    ],
    [
      "a cast that changes axes",
      "  %10: f16 = cast %v.4",
      "TW9103 the result has other axes | f16 | f16[A=4]",
    ],
    [
      "a bitcast between widths",
      "  %10: f16 = bitcast %f.1",
      "TW9102 the result has the wrong dtype | f16 | f32, i32 or u32",
    ],
    [
      "a broadcast that drops an axis",
      "  %10: f32[A=4] = broadcast %x.3",
      "TW9103 a broadcast drops or resizes an axis | f32[A=4] | B=8 kept",
    ],
    [
      "an iota over two axes",
      "  %10: i32[A=4, B=8] = iota",
      "TW9103 iota runs along one axis | i32[A=4, B=8] | one axis",
    ],
    [
      "a fractional i32",
      "  %10: i32 = const 0.5",
      "TW9107 the constant is no i32 | 0.5 | an integer from -2147483648 to 2147483647",
    ],
    [
      "a u4 out of range",
      "  %10: u4 = const 16",
      "TW9107 the constant is no u4 | 16 | an integer from 0 to 15",
    ],
    [
      "a reduction over a missing axis",
      "  %10: f32[A=4] = reduce sum %v.4 over B",
      "TW9103 the operand has no axis B | f32[A=4] | an axis B",
    ],
    [
      "a reduction that keeps its axis",
      "  %10: f32[A=4] = reduce sum %v.4 over A",
      "TW9103 the result has other axes | f32[A=4] | f32",
    ],
    [
      "any of floats",
      "  %10: f32 = reduce any %v.4 over A",
      "TW9102 the operand has the wrong dtype | f32 | bool",
    ],
    [
      "argmax in f32",
      "  %10: f32 = argmax %v.4 over A",
      "TW9102 the result has the wrong dtype | f32 | i32",
    ],
    [
      "a scan that drops its axis",
      "  %10: f32 = scan sum %v.4 over A",
      "TW9103 operand and result differ in type | f32[A=4] | f32",
    ],
    [
      "a rename that changes sizes",
      "  %10: f32[C=8] = rename %v.4",
      "TW9103 a rename changes sizes | f32[C=8] | sizes 4",
    ],
    [
      "a merge in the wrong order",
      "  %10: f32[C=32] = merge %x.3 (B, A) into C",
      "TW9103 the fused axes are not there in order | f32[A=4, B=8] | adjacent axes B, A, at least one",
    ],
    [
      "a merge of the wrong size",
      "  %10: f32[C=31] = merge %x.3 (A, B) into C",
      "TW9103 axes and sizes do not fit | f32[C=31] | f32[C=32]",
    ],
    [
      "a split of the wrong size",
      "  %10: f32[C=2, D=3] = split %v.4 A into (C, D)",
      "TW9103 axes and sizes do not fit | f32[A=4] | f32[A=6]",
    ],
    [
      "an unknown dim",
      "  %10: i32 = dim N",
      "TW9105 no such dim is bound at launch | N | one of M",
    ],
    [
      "an unknown scalar",
      "  %10: f32 = param src",
      "TW9105 no such scalar parameter | src | a scalar parameter",
    ],
    [
      "a numeric assert",
      '  assert %i.0 "x"',
      "TW9102 the condition has the wrong dtype | i32 | bool",
    ],
  ])("finds %s", (_, lines, expected) => expect(violations(lines)).toEqual([expected]));
});

describe("dot", () => {
  it.each([
    [
      "contraction sizes that differ",
      "  %10: f32[C=2, B=4] = const 1\n  %11: f32[A=4, C=2] = dot %x.3, %10 over B",
      "TW9103 axis B has two sizes | 8 and 4 | one size in both operands",
    ],
    [
      "a second shared axis",
      "  %10: f32[A=4, A=4] = dot %x.3, %h.7 over B",
      "TW9103 an axis appears twice | %10: f32[A=4, A=4] | axis names unique",
    ],
    [
      "a float with an int",
      "  %10: f32 = dot %v.4, %n.5 over A",
      "TW9102 operand b has the wrong dtype | i32 | of kind float, as a",
    ],
    [
      "a narrow result",
      "  %10: f16 = dot %v.4, %v.4 over A",
      "TW9102 the result has the wrong dtype | f16 | f32",
    ],
    [
      "an accumulator of another type",
      "  %10: f32 = dot %v.4, %v.4 over A acc %i.0",
      "TW9102 accumulator and result differ in type | i32 | f32",
    ],
  ])("finds %s", (_, lines, expected) => expect(violations(lines)).toEqual([expected]));
});

describe("the signature", () => {
  it.each([
    [
      "a dim that is not listed",
      "kernel k(src: in f32[M])",
      "TW9105 the list of dims is not that of the shapes |  | M",
    ],
    [
      "dims in another order",
      "kernel k(src: in f32[M, N]) dims(N, M)",
      "TW9105 the list of dims is not that of the shapes | N, M | M, N",
    ],
    [
      "a fixed dim with two sizes",
      "kernel k(src: in f32[N=8]) fixed(N=4)",
      "TW9105 a fixed dim differs | N=8 | N=4",
    ],
    [
      "a parameter named twice",
      "kernel k(s: f32, s: f32)",
      "TW9105 two parameters share a name | s | one each",
    ],
  ])("finds %s", (_, signature, expected) => expect(violations("", signature)).toEqual([expected]));
});

describe("verifyKernel", () => {
  it("throws all violations at once, with the text of each op and the stage", () => {
    const text =
      "kernel k() {\n  %0: f32 = const 1\n  %1: i32 = neg %0\n  %2: f32 = not %0  // k.ts:3:9\n}\n";
    const run = (): void => verifyKernel(parseKernel(text), "fold-constants");
    expect(run).toThrow(InternalError);
    expect(run).toThrowErrorMatchingInlineSnapshot(`
      [InternalError: <unknown>:0:0 - TW9102: tile IR: operand and result differ in type, in \`%1: i32 = neg %0\` (after fold-constants)
        seen:     f32
        expected: i32
        remedy:   this is a bug in the front end or in the pass that ran last; please report it

      k.ts:3:9 - TW9102: tile IR: the operand has the wrong dtype, in \`%2: f32 = not %0\` (after fold-constants)
        seen:     f32
        expected: an int or bool
        remedy:   this is a bug in the front end or in the pass that ran last; please report it]
    `);
  });

  it("is silent on a correct kernel", () => {
    expect(() => verifyKernel(parseKernel(EVERY_OP))).not.toThrow();
  });
});

function constant(id: number): ConstOp {
  const result: Value = { id, name: "", type: scalarType("f32") };
  return { kind: "const", result, value: 1, loc: UNKNOWN_LOCATION };
}

function kernelOf(ops: readonly Op[]): TileKernel {
  const body: Block = { params: [], ops, yields: [] };
  return { name: "k", params: [], dims: [], fixedDims: {}, config: {}, body };
}

function codes(kernel: TileKernel): readonly string[] {
  return findViolations(kernel).map((d) => d.code);
}
