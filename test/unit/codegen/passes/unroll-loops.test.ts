/** [test/unit/codegen] unroll-loops: what is written out, what stays a loop, and that the threads compute the same. */
import { describe, expect, it } from "vitest";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { printThreadKernel } from "../../../../codegen/ir/print-thread.ts";
import type { ThreadKernel } from "../../../../codegen/ir/thread.ts";
import { verifyThreadKernel } from "../../../../codegen/ir/verify-thread.ts";
import { unrollLoops } from "../../../../codegen/passes/unroll-loops.ts";

const HEAD = `thread probe(
  x: in f32[N],
  y: out f32[N],
) dims(N) fixed() threads(32) warp(32) bytes(0) {
`;

function kernelOf(body: string): ThreadKernel {
  return parseThreadKernel(`${HEAD}${body}\n}\n`);
}

function unrolled(body: string, most: number): string {
  const kernel = unrollLoops(kernelOf(body), most);
  verifyThreadKernel(kernel);
  const lines = printThreadKernel(kernel).slice(HEAD.length).split("\n").slice(0, -2);
  return lines.map((line) => line.slice(2)).join("\n");
}

describe("unroll-loops", () => {
  it("writes out a loop, folds its index and names each turn's registers", () => {
    const before = `
      var v: f32[4]
      unroll r = 0 to 4 step 2 {
        let w: f32 = f32(@thread + r * 8)
        v[r + 1] = w
      }`;
    expect(unrolled(before, 100)).toBe(`var v: f32[4]
let w_1: f32 = f32(@thread)
v[1] = w_1
let w_2: f32 = f32(@thread + 16)
v[3] = w_2`);
  });

  it("writes out inner loops first, and leaves an outer one that would be too much", () => {
    const before = `
      var v: f32[8]
      unroll r = 0 to 100 step 1 {
        unroll i = 0 to 2 step 1 {
          v[i] = v[i] + f32(r)
        }
      }`;
    expect(unrolled(before, 50)).toBe(`var v: f32[8]
unroll r = 0 to 100 step 1 {
  v[0] = v[0] + f32(r)
  v[1] = v[1] + f32(r)
}`);
  });

  it("weighs functions that a prelude spells out", () => {
    const before = `
      var v: f32[4]
      unroll r = 0 to 4 step 1 {
        v[r] = tanh(v[r])
      }`;
    expect(unrolled(before, 100)).toContain("unroll r");
    expect(unrolled(before, 200)).not.toContain("unroll r");
  });

  it("leaves loops alone that are not marked or have no constant bounds", () => {
    const before = `var v: f32 = 0.0
loop r = 0 to 2 step 1 {
  v = v + 1.0
}
loop k = 0 to #N step 1 {
  unroll i = 0 to 1 step 1 {
    v = v * f32(i)
  }
}`;
    expect(unrolled(before, 100)).toBe(`var v: f32 = 0.0
loop r = 0 to 2 step 1 {
  v = v + 1.0
}
loop k = 0 to #N step 1 {
  v = v * f32(0)
}`);
  });
});
