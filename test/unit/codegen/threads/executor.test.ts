/** [test/unit/codegen] The executor of thread IR finds what a device would hide, and its warp instructions follow the documented fragments. */
import { describe, expect, it } from "vitest";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { executeThreads } from "../../../support/thread-executor.ts";

const HEAD = `thread probe(
  x: in f32[64],
  y: out f32[64],
  n: in i32[1],
) dims() fixed() threads(64) warp(32) bytes(512) {
  shared a: f32[64] at 0
  shared h: f32[64] at 256
`;

function run(body: string): { y: number[]; problems: readonly string[] } {
  const x = Float64Array.from({ length: 64 }, (_, i) => i);
  const y = new Float64Array(64).fill(-1);
  const tensors = { x, y, n: new Float64Array(1) };
  const kernel = parseThreadKernel(`${HEAD}${body}\n}\n`);
  const problems = executeThreads(kernel, { tensors, dims: {}, scalars: {}, grid: [1, 1, 1] });
  return { y: [...y], problems };
}

describe("executor", () => {
  it("runs a sound exchange through shared memory without a report", () => {
    const { y, problems } = run(`
      var v: f32
      load_global v x1 from x[@thread] fill 0.0
      store_shared v x1 to a[@thread]
      barrier
      load_shared v x1 from a[63 - @thread]
      store_global v x1 to y[@thread]`);
    expect(problems).toEqual([]);
    expect(y).toEqual(Array.from({ length: 64 }, (_, i) => 63 - i));
  });

  it.each([
    [
      "a missing barrier between a write and a read",
      "let v: f32 = 1.0\nvar w: f32\nstore_shared v x1 to a[@thread]\nload_shared w x1 from a[63 - @thread]",
      /race: a write and a read of a\[/,
    ],
    [
      "two threads that write one element",
      "let v: f32 = 1.0\nstore_shared v x1 to a[@thread >> 1]",
      /race: two writes of a\[0\]/,
    ],
    [
      "a write while others still read",
      "let v: f32 = 1.0\nvar w: f32\nstore_shared v x1 to a[@thread]\nbarrier\nload_shared w x1 from a[0]\nstore_shared v x1 to a[@thread]",
      /race: a read and a write of a\[0\]/,
    ],
    [
      "shared memory that nobody wrote",
      "var w: f32\nload_shared w x1 from a[@thread]",
      /reads a\[0\], which was never written/,
    ],
    [
      "a register without a value",
      "var w: f32\nlet v: f32 = w + 1.0",
      /reads register w before it has a value/,
    ],
    [
      "a register that only some threads gave a value",
      "var w: f32\nif @thread < 5 {\nw = 1.0\n}\nstore_global w x1 to y[@thread]",
      /thread 5 reads register w/,
    ],
    [
      "a read past a tensor",
      "var w: f32\nload_global w x1 from x[@thread + 1] fill 0.0",
      /read of x\[64\] x1, which has 64 elements/,
    ],
    [
      "a write before a tensor",
      "let w: f32 = 1.0\nstore_global w x1 to y[@thread - 1]",
      /write of y\[-1\]/,
    ],
    [
      "a read past a shared buffer",
      "var w: f32\nload_shared w x1 from a[64]",
      /read of a\[64\], which has 64 elements/,
    ],
    [
      "a vector that is not aligned",
      "var w: f32[4]\nload_global w[0] x4 from x[1] fill 0.0",
      /x\[1\] is not aligned to 4/,
    ],
    [
      "a copy that is read before it is waited for",
      "var w: f32\ncopy_async x1 x[@thread] to a[@thread]\ncommit_async\nbarrier\nload_shared w x1 from a[@thread]",
      /reads a\[0\], which was never written/,
    ],
    [
      "a copy whose group is not closed",
      "copy_async x1 x[@thread] to a[@thread]",
      /copies are under way/,
    ],
    [
      "a copy that another thread reads without a barrier",
      "var w: f32\ncopy_async x1 x[@thread] to a[@thread]\ncommit_async\nwait_async 0\nload_shared w x1 from a[63 - @thread]",
      /race: a write and a read of a/,
    ],
    [
      "a uniform branch that is not",
      "var w: f32 = 0.0\nload_global w x1 from x[@thread] fill 0.0\nif uniform w < 3.0 {\nbarrier\n}",
      /uniform if differs between threads 0 and 3/,
    ],
    ["a division by zero", "let d: i32 = floordiv(@thread, @pid0)", /division by zero/],
  ])("reports %s", (_case, body, message) => {
    expect(run(body).problems.join("\n")).toMatch(message);
  });

  it("never reads where a mask is false", () => {
    const { y, problems } = run(`
      var v: f32
      load_global v x1 from x[@thread * 100] mask @thread < 1 fill 7.0
      store_global v x1 to y[@thread]`);
    expect(problems).toEqual([]);
    expect(y.slice(0, 3)).toEqual([0, 7, 7]);
  });

  it("shuffles within warps", () => {
    const { y, problems } = run(`
      var v: f32
      var w: f32
      load_global v x1 from x[@thread] fill 0.0
      shuffle_xor w = v mask 16
      shuffle v = w lane @lane & 1
      store_global v x1 to y[@thread]`);
    expect(problems).toEqual([]);
    expect([y[0], y[1], y[33]]).toEqual([16, 17, 49]);
  });
});

describe("warp matrix instructions", () => {
  it("multiplies 16x16 by 16x8 as the fragments say, from matrices that ldmatrix reads", () => {
    const kernel = parseThreadKernel(`thread mma(
  a: in bf16[16, 16],
  b: in bf16[16, 8],
  y: out f32[16, 8],
) dims() fixed() threads(32) warp(32) bytes(1024) {
  shared sa: bf16[256] at 0
  shared sb: bf16[128] at 512
  var v: bf16[8]
  load_global v[0] x8 from a[@lane * 8] fill 0.0
  store_shared v[0] x8 to sa[@lane * 8]
  if @lane < 16 {
    load_global v[0] x8 from b[@lane * 8] fill 0.0
    store_shared v[0] x8 to sb[@lane * 8]
  }
  barrier
  var ra: u32[4]
  var rb: u32[2]
  ldmatrix ra[0] x4 from sa[(@lane & 15) * 16 + (@lane >> 4) * 8]
  ldmatrix rb[0] x2 from sb[(@lane & 15) * 8] trans
  var d: f32[4]
  unroll r = 0 to 4 step 1 {
    d[r] = 0.0
  }
  mma bf16 d[0] += ra[0] * rb[0]
  unroll r = 0 to 2 step 1 {
    store_global d[r * 2] x2 to y[((@lane >> 2) + r * 8) * 8 + (@lane & 3) * 2]
  }
}
`);
    const a = Float64Array.from({ length: 256 }, (_, i) => ((i * 7) % 13) - 6);
    const b = Float64Array.from({ length: 128 }, (_, i) => ((i * 5) % 11) - 5);
    const y = new Float64Array(128);
    const args = { tensors: { a, b, y }, dims: {}, scalars: {}, grid: [1, 1, 1] as const };
    expect(executeThreads(kernel, args)).toEqual([]);
    const wanted = Float64Array.from({ length: 128 }, (_, i) => {
      const [row, col] = [Math.floor(i / 8), i % 8];
      let sum = 0;
      for (let k = 0; k < 16; k++) sum += (a[row * 16 + k] ?? 0) * (b[k * 8 + col] ?? 0);
      return sum;
    });
    expect([...y]).toEqual([...wanted]);
  });
});
