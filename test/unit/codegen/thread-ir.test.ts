/** [test/unit/codegen] The thread IR's text form reads back exactly, and its verifier names what is malformed. */
import { describe, expect, it } from "vitest";
import { parseThreadKernel } from "../../../codegen/ir/parse-thread.ts";
import { printThreadKernel } from "../../../codegen/ir/print-thread.ts";
import { findThreadViolations } from "../../../codegen/ir/verify-thread.ts";

/** A kernel around a body, so that a test shows only what it is about. */
function kernelText(body: string): string {
  const lines = body.replace(/^\n|\n$/g, "").split("\n");
  return [
    "thread sample(",
    "  x: in f16[M, K=64],",
    "  w: in bf16[K=64],",
    "  n: in i32[M],",
    "  y: out f32[M, 2],",
    "  sum: inout f32[M],",
    "  counts: inout i32[M],",
    "  scale: f32,",
    ") dims(M) fixed(K=64) threads(64) warp(32) bytes(2048) {",
    "  shared tile: f16[512] at 0",
    "  shared scratch: f32[256] at 1024",
    ...lines,
    "}",
    "",
  ].join("\n");
}

const EVERYTHING = kernelText(`
  comment "rows of \\"x\\""
  let row: i32 = @thread >> 2 & 7
  let at: i64 = i64(@pid0) * i64(#M) + i64(row)
  let odd: f32 = select(row < #M - 1, $scale * -1.5, -0.0)
  let big: u32 = 4294967295:u32 ^ bits_u32(inf)
  let h: f16 = f16(exp2(odd) + max(odd, nan))
  let both: u32 = pack(h, f16(1e-7))
  let flag: bool = not(row == 3) & true
  var acc: f32[8]
  var v: f16[8]
  var a: u32[4]
  var b: u32[2]
  var isLast: i32 = 0
  var total: f32 = 0.0
  var xs: f32 = 0.0
  unroll r = 0 to 8 step 1 {
    acc[r] = fma(odd, f32(v[r]), acc[r])
  }
  load_global v[0] x8 from x[at + i64(8 * row)] mask flag fill -0.5
  store_shared v[0] x8 to tile[row * 8] mask flag
  copy_async x8 x[at] to tile[row * 8] mask flag
  commit_async
  wait_async 1
  barrier
  ldmatrix a x4 from tile[row * 8]
  ldmatrix b x2 from tile[row * 8] trans
  mma f16 acc[4] += a * b
  shuffle_xor total = odd mask 16
  shuffle total = odd lane row
  load_shared total x1 from scratch[row]
  loop k = 0 to #M step 4 {
    total = total + floor(odd)
    if uniform k < 8 {
      barrier
    } else {
      total = 1.0
    }
  }
  while {
    let more: bool = total < 8.0
  } test more {
    total = total + 1.0
  }
  if flag {
    store_global total x1 to y[at]
    atomic_global add xs from sum[at] by total mask flag
    atomic_global max sum[at] by total
    atomic_global arrive isLast from counts[at] by row
  }
`);

describe("thread IR text", () => {
  it("reads back every statement and expression as it was printed", () => {
    const kernel = parseThreadKernel(EVERYTHING);
    expect(printThreadKernel(kernel)).toBe(EVERYTHING);
    expect(parseThreadKernel(printThreadKernel(kernel))).toEqual(kernel);
    expect(findThreadViolations(kernel)).toEqual([]);
  });

  it("keeps names that are words of the text by quoting them", () => {
    const text = kernelText('  let "if": i32 = 1\n  let "nan": i32 = "if" + 1');
    expect(printThreadKernel(parseThreadKernel(text))).toBe(text);
  });

  it("keeps the grouping of operators", () => {
    const text = kernelText(
      "  let a: i32 = 8 - (4 - 2) * (3 + 1) << 1\n  let b: i32 = (a << 1) + 1",
    );
    const kernel = parseThreadKernel(text);
    expect(printThreadKernel(kernel)).toBe(text);
    expect(kernel.body[0]).toMatchObject({ init: { fn: "shl", a: { fn: "sub" } } });
  });

  it.each([
    ["an unknown register", "let a: i32 = b"],
    ["a missing type", "let a = 1"],
    ["an unknown statement", "jump there"],
    ["a sign before a name", "let a: i32 = -thread"],
    ["a sign before a bracket", "let a: i32 = -(1)"],
    ["two signs", "let a: i32 = - -1"],
  ])("refuses %s with the line", (_name, body) => {
    expect(() => parseThreadKernel(kernelText(body))).toThrow(/TW9002.*line 12/);
  });
});

describe("thread IR verifier", () => {
  it.each([
    ["a register declared twice", "let a: i32 = 1\nlet a: i32 = 2", /a is declared twice/],
    ["a constant register that is assigned", "let a: i32 = 1\na = 2", /a is not mutable/],
    [
      "operands of two types",
      "let a: i32 = 1\nlet b: f32 = 1.0\nlet c: i32 = a + i32(b) * i32(2)\nlet d: f32 = b + f32(a) + i32(b)",
      /expected f32/,
    ],
    [
      "arithmetic on narrow floats",
      "let h: f16 = f16(1.0)\nlet g: f16 = h + h",
      /computes with f16/,
    ],
    [
      "a vector that is no power of two",
      "var v: f16[8]\nload_global v[0] x3 from x[0] fill 0.0",
      /no vector/,
    ],
    [
      "an index past an array",
      "var v: f32[4]\nunroll r = 0 to 5 step 1 {\nv[r] = 0.0\n}",
      /reaches past/,
    ],
    [
      "an index that no constant bounds",
      "var v: f32[4]\nloop r = 0 to #M step 1 {\nv[r] = 0.0\n}",
      /not bounded/,
    ],
    ["a barrier where threads diverge", "if @thread < 3 {\nbarrier\n}", /may diverge/],
    [
      "a shuffle in a divergent loop",
      "var t: f32\nlet n2: i32 = @lane + 1\nloop k = 0 to n2 step 1 {\nshuffle_xor t = 1.0 mask 1\n}",
      /may diverge/,
    ],
    ["a false claim of uniformity", "if uniform @lane < 3 {\ncommit_async\n}", /called uniform/],
    [
      "a store to an input",
      "var v: f16 = f16(1.0)\nstore_global v x1 to x[0]",
      /x is an in tensor/,
    ],
    [
      "a load of an output",
      "var v: f32\nload_global v x1 from y[0] fill 0.0",
      /y is an out tensor/,
    ],
    ["a copy of 2 bytes", "copy_async x1 x[0] to tile[0]", /no vector/],
    ["an unknown buffer", "var v: f32\nload_shared v x1 from other[0]", /unknown shared buffer/],
    ["a lane mask past the warp", "var t: f32\nshuffle_xor t = 1.0 mask 32", /lane mask 32/],
    ["an array without an index", "var v: f32[4]\nv = 1.0", /without an index/],
    [
      "an unrolled loop without constant bounds",
      "unroll r = 0 to #M step 1 {\n}",
      /constant bounds/,
    ],
  ])("reports %s", (_name, body, message) => {
    const violations = findThreadViolations(parseThreadKernel(kernelText(body)));
    expect(violations.join("\n")).toMatch(message);
  });
});
