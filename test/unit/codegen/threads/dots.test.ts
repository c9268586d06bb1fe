/** [test/unit/codegen] Dots through all passes, run by all threads of a block, against the interpreter: both instructions, every order of operands, ragged sizes. */
import { describe, expect, it } from "vitest";
import type { Stmt } from "../../../../codegen/ir/thread.ts";
import { walkStmts } from "../../../../codegen/ir/visit-thread.ts";
import {
  runTextOnThreads,
  THREAD_TARGET_NAMES,
  type ThreadRun,
  type ThreadTargetName,
} from "../../../support/run-threads.ts";
import { type RunInput, runText } from "../../../support/run-tile-ir.ts";

function numbers(count: number, seed: number): number[] {
  let state = seed * 7919 + 13;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return ((state >> 8) % 32) / 8 - 2;
  });
}

function run(name: ThreadTargetName, text: string, input: RunInput): ThreadRun {
  const wanted = runText(text, input)["y"] ?? [];
  const result = runTextOnThreads(text, input, name);
  expect(result.problems).toEqual([]);
  const got = result.outputs["y"] ?? [];
  const worst = wanted.reduce((most, value, i) => {
    const error = Math.abs(value - (got[i] ?? Number.NaN)) / Math.max(1, Math.abs(value));
    return Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(most, error);
  }, 0);
  expect(worst).toBeLessThan(2e-6);
  return result;
}

function countOf(result: ThreadRun, kind: Stmt["kind"]): number {
  let count = 0;
  walkStmts(result.kernel.body, (s) => {
    if (s.kind === kind) count += 1;
  });
  return count;
}

/** y[m, n] = Σ a b, where the operands lie as `[M, K]` or `[K, M]`, `[N, K]` or `[K, N]`. */
function gemm(shape: { m: number; n: number; k: number; dtype: string; a: string; b: string }): {
  text: string;
  input: RunInput;
} {
  const { m, n, k, dtype } = shape;
  const size: Readonly<Record<string, number>> = { M: m, N: n, K: k };
  const dims = (axes: string): string => [...axes].map((x) => `${size[x]}`).join(", ");
  const axes = (names: string): string => [...names].map((x) => `${x}=${size[x]}`).join(", ");
  const spans = (names: string): string =>
    [...names].map((x) => `span ${x}=${size[x]} from %0`).join(", ");
  const { a, b } = shape;
  const sum = dtype === "i8" ? "i32" : "f32";
  const text = `kernel k(a: in ${dtype}[${dims(a)}], b: in ${dtype}[${dims(b)}], y: out ${sum}[${m}, ${n}]) {
    %0: i32 = const 0
    %a.1: ${dtype}[${axes(a)}] = load a[${spans(a)}] fill 0
    %b.2: ${dtype}[${axes(b)}] = load b[${spans(b)}] fill 0
    %y.3: ${sum}[M=${m}, N=${n}] = dot %a.1, %b.2 over K
    store y[${spans("MN")}] = %y.3
  }`;
  const round = (values: number[]): number[] =>
    dtype === "i8" ? values.map((x) => Math.round(8 * x)) : values;
  const tensors = {
    a: { shape: [...a].map((x) => size[x] ?? 0), values: round(numbers(m * k, 1)) },
    b: { shape: [...b].map((x) => size[x] ?? 0), values: round(numbers(n * k, 2)) },
    y: { shape: [m, n] },
  };
  return { text, input: { tensors } };
}

describe.each(THREAD_TARGET_NAMES)("dots on %s", (target) => {
  it.each([
    ["rows by rows", "MK", "NK"],
    ["rows by columns", "MK", "KN"],
    ["columns by rows", "KM", "NK"],
    ["columns by columns", "KM", "KN"],
  ])("multiplies %s", (_case, a, b) => {
    for (const dtype of ["f32", "bf16"]) {
      const { text, input } = gemm({ m: 32, n: 48, k: 32, dtype, a, b });
      run(target, text, input);
    }
  });

  it.each([
    ["one tile", 16, 8, 16],
    ["an odd number of column tiles", 16, 24, 48],
    ["more columns than rows", 16, 128, 16],
    ["sizes that fit nothing", 13, 21, 37],
    ["one row", 1, 64, 64],
    ["one step", 8, 8, 1],
  ])("multiplies %s", (_case, m, n, k) => {
    for (const dtype of ["f32", "f16", "i8"]) {
      const { text, input } = gemm({ m, n, k, dtype, a: "MK", b: "NK" });
      run(target, text, input);
    }
  });

  it("adds to an accumulator that is read again after the dot", () => {
    const text = `kernel k(a: in bf16[16, 32], b: in bf16[16, 32], c: in f32[16, 16], y: out f32[16, 16]) {
      %0: i32 = const 0
      %a.1: bf16[M=16, K=32] = load a[span M=16 from %0, span K=32 from %0] fill 0
      %b.2: bf16[N=16, K=32] = load b[span N=16 from %0, span K=32 from %0] fill 0
      %c.3: f32[M=16, N=16] = load c[span M=16 from %0, span N=16 from %0] fill 0
      %d.4: f32[M=16, N=16] = dot %a.1, %b.2 over K acc %c.3
      %5: f32[M=16, N=16] = mul %d.4, %c.3
      store y[span M=16 from %0, span N=16 from %0] = %5
    }`;
    const tensors = {
      a: { shape: [16, 32], values: numbers(512, 3) },
      b: { shape: [16, 32], values: numbers(512, 4) },
      c: { shape: [16, 16], values: numbers(256, 5) },
      y: { shape: [16, 16] },
    };
    run(target, text, { tensors });
  });

  it("feeds one dot with the rounded result of another, in a loop over slots", () => {
    const text = `kernel k(q: in bf16[32, 16], k: in bf16[N, 16], v: in bf16[N, 16], y: out f32[32, 16]) dims(N) {
      %0: i32 = const 0
      %step.1: i32 = const 16
      %N.2: i32 = dim N
      %q.3: bf16[M=32, D=16] = load q[span M=32 from %0, span D=16 from %0] fill 0
      %zero.4: f32[M=32, D=16] = const 0
      %y.5: f32[M=32, D=16] = for %n.6: i32 = %0 to %N.2 step %step.1 carry (%acc.7: f32[M=32, D=16] = %zero.4) stages 2 {
        %k.8: bf16[B=16, D=16] = load k[span B=16 from %n.6, span D=16 from %0] fill 0
        %s.9: f32[M=32, B=16] = dot %q.3, %k.8 over D
        %half.10: f32 = const 0.5
        %11: f32[M=32, B=16] = broadcast %half.10
        %p.12: f32[M=32, B=16] = mul %s.9, %11
        %13: bf16[M=32, B=16] = cast %p.12
        %v.14: bf16[B=16, D=16] = load v[span B=16 from %n.6, span D=16 from %0] fill 0
        %15: f32[M=32, D=16] = dot %13, %v.14 over B acc %acc.7
        yield %15
      }
      store y[span M=32 from %0, span D=16 from %0] = %y.5
    }`;
    const tensors = {
      q: { shape: [32, 16], values: numbers(512, 6) },
      k: { shape: [52, 16], values: numbers(832, 7).map((x) => x / 4) },
      v: { shape: [52, 16], values: numbers(832, 8).map((x) => x / 4) },
      y: { shape: [32, 16] },
    };
    run(target, text, { tensors });
  });
});

describe("instructions of a dot", () => {
  it("uses tensor cores and ldmatrix for bf16 on cuda, plain multiply-add elsewhere", () => {
    const { text, input } = gemm({ m: 64, n: 64, k: 64, dtype: "bf16", a: "MK", b: "NK" });
    const cuda = run("cuda, warps of 32", text, input);
    expect(countOf(cuda, "mma")).toBeGreaterThan(0);
    expect(countOf(cuda, "ldmatrix")).toBeGreaterThan(0);
    expect(countOf(cuda, "copy_async")).toBeGreaterThan(0);
    const wgsl = run("wgsl, no subgroups", text, input);
    expect(countOf(wgsl, "mma") + countOf(wgsl, "ldmatrix") + countOf(wgsl, "copy_async")).toBe(0);
  });

  it("reads shared operands of f32 dots in vectors of 16 bytes", () => {
    const { text, input } = gemm({ m: 64, n: 64, k: 64, dtype: "f32", a: "MK", b: "NK" });
    const { kernel } = run("cuda, warps of 32", text, input);
    const widths: number[] = [];
    walkStmts(kernel.body, (s) => {
      if (s.kind === "load_shared") widths.push(s.width);
    });
    expect(Math.max(...widths)).toBe(4);
  });
});
