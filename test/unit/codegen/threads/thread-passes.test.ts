/** [test/unit/codegen] The passes over thread IR, each as text before and after; and that random programs mean the same after all of them. */
import { describe, expect, it } from "vitest";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { printThreadKernel } from "../../../../codegen/ir/print-thread.ts";
import type { ThreadKernel } from "../../../../codegen/ir/thread.ts";
import { verifyThreadKernel } from "../../../../codegen/ir/verify-thread.ts";
import { eliminateDeadRegisters } from "../../../../codegen/passes/eliminate-dead-registers.ts";
import { foldConstantsThread } from "../../../../codegen/passes/fold-constants-thread.ts";
import { fuseRegisterLoops } from "../../../../codegen/passes/fuse-register-loops.ts";
import { hoistInvariantThread } from "../../../../codegen/passes/hoist-invariant-thread.ts";
import { renameRegisters } from "../../../../codegen/passes/rename-registers.ts";
import { scalarizeRegisters } from "../../../../codegen/passes/scalarize-registers.ts";
import { shareRegisters } from "../../../../codegen/passes/share-registers.ts";
import { executeThreads } from "../../../support/thread-executor.ts";

const HEAD = `thread probe(
  x: in f32[N],
  y: out f32[N],
  n: i32,
) dims(N) fixed() threads(32) warp(32) bytes(0) {
`;

function kernelOf(body: string): ThreadKernel {
  return parseThreadKernel(`${HEAD}${body}\n}\n`);
}

/** Body of the kernel's text, without indentation of the kernel itself. */
function bodyText(kernel: ThreadKernel): string {
  verifyThreadKernel(kernel);
  const lines = printThreadKernel(kernel).slice(HEAD.length).split("\n").slice(0, -2);
  return lines.map((line) => line.slice(2)).join("\n");
}

function trim(text: string): string {
  const lines = text.replace(/^\n|\n\s*$/g, "").split("\n");
  const indent = Math.min(...lines.map((line) => line.search(/\S|$/)));
  return lines.map((line) => line.slice(indent)).join("\n");
}

describe("fold-constants-thread", () => {
  it("divides by powers of two with shifts, also below zero", () => {
    const before =
      "let a: i32 = floordiv($n, 8)\nlet b: i32 = mod($n, 8)\nlet c: i32 = mod($n, 6) + mod($n, 1)";
    const after = "let a: i32 = $n >> 3\nlet b: i32 = $n & 7\nlet c: i32 = mod($n, 6)";
    expect(bodyText(foldConstantsThread(kernelOf(before)))).toBe(after);
  });

  it("writes out loops of one turn, drops loops of none and branches never taken", () => {
    const before = `
      var v: f32[4]
      unroll r = 2 to 3 step 1 {
        v[r + 1] = 1.0
      }
      loop k = 4 to 4 step 1 {
        barrier
      }
      if uniform (1 < 2) & true {
        v[0] = 2.0
      } else {
        v[0] = 3.0
      }`;
    const after = "var v: f32[4]\nv[3] = 1.0\nv[0] = 2.0";
    expect(bodyText(foldConstantsThread(kernelOf(before)))).toBe(after);
  });

  it("leaves what may differ in the last bit or fail", () => {
    const text = "let a: f32 = exp(1.0)\nlet b: i32 = floordiv(1, 0)";
    expect(bodyText(foldConstantsThread(kernelOf(text)))).toBe(text);
  });
});

describe("fuse-register-loops", () => {
  it("joins loops whose turns touch their own elements, and the loops inside", () => {
    const before = `
      var a: f32[8]
      unroll r = 0 to 4 step 1 {
        unroll i = 0 to 2 step 1 {
          a[r * 2 + i] = 1.0
        }
      }
      var b: f32[4]
      unroll i = 0 to 4 step 1 {
        b[i] = a[i * 2] + a[i * 2 + 1]
      }`;
    const after = `
      var a: f32[8]
      var b: f32[4]
      unroll r = 0 to 4 step 1 {
        unroll i = 0 to 2 step 1 {
          a[r * 2 + i] = 1.0
        }
        b[r] = a[r * 2] + a[r * 2 + 1]
      }`;
    // The second loop counts by the name of a loop inside the first: renamed, not captured.
    expect(bodyText(fuseRegisterLoops(kernelOf(before)))).toBe(trim(after));
  });

  it.each([
    ["an element of another turn is read", "b[r] = a[3 - r]"],
    ["the next element is read", "b[r] = a[min(r + 1, 3)]"],
    ["one register collects all turns", "s = s + a[0]"],
  ])("keeps loops apart when %s", (_case, line) => {
    const text = trim(`
      var a: f32[4]
      var b: f32[4]
      var s: f32 = 0.0
      unroll r = 0 to 4 step 1 {
        a[r] = 1.0
      }
      unroll r = 0 to 4 step 1 {
        ${line}
      }`);
    expect(bodyText(fuseRegisterLoops(kernelOf(text)))).toBe(text);
  });

  it("moves no load across another statement", () => {
    const text = trim(`
      var a: f32[4]
      unroll r = 0 to 4 step 1 {
        load_global a[r] x1 from x[r] fill 0.0
      }
      unroll r = 0 to 4 step 1 {
        a[r] = a[r] * 2.0
      }`);
    expect(bodyText(fuseRegisterLoops(kernelOf(text)))).toBe(text);
  });
});

describe("scalarize-registers", () => {
  it("needs one register where a turn uses one element, constant where it is written once", () => {
    const before = `
      var a: f32[4]
      var b: f32[4]
      unroll r = 0 to 4 step 1 {
        a[r] = 1.0
        b[r] = a[r] * 2.0
        b[r] = b[r] + a[r]
        store_global b[r] x1 to y[r]
      }`;
    const after = `
      unroll r = 0 to 4 step 1 {
        let a: f32 = 1.0
        var b: f32 = a * 2.0
        b = b + a
        store_global b x1 to y[r]
      }`;
    expect(bodyText(scalarizeRegisters(kernelOf(before)))).toBe(trim(after));
  });

  it("joins a declaration with its first assignment", () => {
    const before = "var a: f32\na = 1.0\nvar b: f32\nb = 2.0\nb = b + a";
    const after = "let a: f32 = 1.0\nvar b: f32 = 2.0\nb = b + a";
    expect(bodyText(scalarizeRegisters(kernelOf(before)))).toBe(after);
  });

  it.each([
    ["is read after the loop", "unroll r = 0 to 4 step 1 {\n  a[r] = 1.0\n}\nlet c: f32 = a[0]"],
    ["is a vector", "unroll r = 0 to 4 step 1 {\n  a[r] = 1.0\n}\nstore_global a[0] x4 to y[0]"],
    ["keeps values between turns", "unroll r = 0 to 4 step 1 {\n  a[0] = a[0] + 1.0\n}"],
  ])("keeps an array that %s", (_case, lines) => {
    const text = `var a: f32[4]\n${lines}`;
    expect(bodyText(scalarizeRegisters(kernelOf(text)))).toBe(text);
  });
});

describe("hoist-invariant-thread", () => {
  it("moves what a loop does not change in front of it, but no division by an unknown", () => {
    const before = `
      loop k = 0 to #N step 1 {
        let a: i32 = @lane * 4
        let b: i32 = a + k
        let c: i32 = floordiv(a, $n)
        let d: i32 = a * 3
      }`;
    const after = `
      let a: i32 = @lane * 4
      let d: i32 = a * 3
      loop k = 0 to #N step 1 {
        let b: i32 = a + k
        let c: i32 = floordiv(a, $n)
      }`;
    expect(bodyText(hoistInvariantThread(kernelOf(before)))).toBe(trim(after));
  });
});

describe("share-registers", () => {
  it("moves what two branches compute in front of both, with what it is made of", () => {
    const before = `
      if uniform $n < 1 {
        let a: i32 = @lane * 4
        let b: i32 = a + 1
        let only: i32 = b * 5
      }
      if uniform $n < 2 {
        let c: i32 = @lane * 4
        let d: i32 = c + 1
        let e: i32 = d + 2
      }`;
    const after = `
      let a: i32 = @lane * 4
      let b: i32 = a + 1
      if uniform $n < 1 {
        let only: i32 = b * 5
      }
      if uniform $n < 2 {
        let e: i32 = b + 2
      }`;
    expect(bodyText(shareRegisters(kernelOf(before)))).toBe(trim(after));
  });

  it("moves no further than to the innermost block that holds both", () => {
    const before = `
      if uniform $n < 1 {
        let a: i32 = $n * 8
        if @lane < 4 {
          let b: i32 = a + @lane
        }
        if @lane < 8 {
          let c: i32 = a + @lane
          let d: i32 = c * 2
        }
      }`;
    const after = `
      if uniform $n < 1 {
        let a: i32 = $n * 8
        let b: i32 = a + @lane
        if @lane < 4 {
        }
        if @lane < 8 {
          let d: i32 = b * 2
        }
      }`;
    expect(bodyText(shareRegisters(kernelOf(before)))).toBe(trim(after));
  });

  it("shares nothing that reads a register that changes", () => {
    const text = trim(`
      var s: i32 = 0
      let a: i32 = s + 1
      s = 5
      let b: i32 = s + 1`);
    expect(bodyText(shareRegisters(kernelOf(text)))).toBe(text);
  });
});

describe("eliminate-dead-registers", () => {
  it("removes registers that lead to no store, also through loops and loads", () => {
    const before = `
      var a: f32[4]
      var s: f32 = 0.0
      let keep: f32 = 1.0
      unroll r = 0 to 4 step 1 {
        load_global a[r] x1 from x[r] fill 0.0
        s = s + a[r]
      }
      store_global keep x1 to y[0]`;
    const after = "let keep: f32 = 1.0\nstore_global keep x1 to y[0]";
    expect(bodyText(eliminateDeadRegisters(kernelOf(before)))).toBe(after);
  });
});

describe("rename-registers", () => {
  it("closes gaps in the order of appearance and stays clear of parameters and counters", () => {
    const before = `
      let t_7: i32 = 1
      let t_3: i32 = t_7 + 1
      let x_4: i32 = t_3
      loop r = 0 to #N step 1 {
        let r_2: i32 = r + x_4
      }`;
    const after = `
      let t: i32 = 1
      let t_1: i32 = t + 1
      let x_1: i32 = t_1
      loop r = 0 to #N step 1 {
        let r_1: i32 = r + x_1
      }`;
    expect(bodyText(renameRegisters(kernelOf(before)))).toBe(trim(after));
  });
});

/** A random program over arrays of 8 registers: loops of several shapes, branches, sums; ends with stores of everything. */
function randomProgram(seed: number): string {
  let state = seed * 2654435761 + 1;
  const pick = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const array = (): string => `a${pick(3)}`;
  const shapes = [
    () => `unroll r = 0 to 8 step 1 {\n${array()}[r] = ${array()}[r] + ${array()}[r] * 0.5\n}`,
    () => `unroll r = 0 to 8 step 1 {\n${array()}[r] = ${array()}[7 - r] - 1.0\n}`,
    () =>
      `unroll r = 0 to 4 step 1 {\nunroll i = 0 to 2 step 1 {\n${array()}[r * 2 + i] = ${array()}[r * 2] + ${array()}[r + i]\n}\n}`,
    () => `unroll r = 0 to 1 step 1 {\n${array()}[r + ${pick(8)}] = ${array()}[${pick(8)}]\n}`,
    () => `unroll r = 0 to 8 step 1 {\ns = s + ${array()}[r]\n}\n${array()}[${pick(8)}] = s`,
    (i: number) =>
      `if @lane < ${pick(32)} {\nlet q${i}: f32 = f32(@lane * 4) + ${array()}[${pick(8)}]\n${array()}[${pick(8)}] = q${i}\n}`,
    (i: number) =>
      `loop k = 0 to $n step 1 {\nlet w${i}: i32 = floordiv(@lane, 4) + mod(@lane, 4)\n${array()}[${pick(8)}] = s + f32(w${i} + k)\n}`,
  ];
  const body = Array.from({ length: 14 }, (_, i) => shapes[pick(shapes.length)]?.(i) ?? "");
  const arrays = [0, 1, 2].map(
    (k) => `var a${k}: f32[8]\nunroll r = 0 to 8 step 1 {\na${k}[r] = f32(@lane + ${k} + r)\n}`,
  );
  const stores = [0, 1, 2].map(
    (k) =>
      `unroll r = 0 to 8 step 1 {\nstore_global a${k}[r] x1 to y[@lane * 24 + ${8 * k} + r]\n}`,
  );
  return [...arrays, "var s: f32 = 0.0", ...body, ...stores].join("\n");
}

function runKernel(kernel: ThreadKernel): number[] {
  const y = new Float64Array(768);
  const tensors = { x: new Float64Array(768), y };
  const args = { tensors, dims: { N: 768 }, scalars: { n: 3 }, grid: [1, 1, 1] as const };
  expect(executeThreads(kernel, args)).toEqual([]);
  return [...y];
}

describe("all passes over thread IR", () => {
  const passes = [
    foldConstantsThread,
    fuseRegisterLoops,
    scalarizeRegisters,
    hoistInvariantThread,
    shareRegisters,
    eliminateDeadRegisters,
    renameRegisters,
  ];

  it.each(Array.from({ length: 40 }, (_, seed) => [seed]))(
    "keep what program %i computes",
    (seed) => {
      const kernel = kernelOf(randomProgram(seed));
      const wanted = runKernel(kernel);
      let now = kernel;
      for (const pass of passes) {
        now = pass(now);
        expect(runKernel(now), pass.name).toEqual(wanted);
      }
    },
  );
});
