/** [test/unit/codegen] Scheduled IR to thread IR as text: vectors, masks, offsets, replicas, registers carried through loops. */
import { describe, expect, it } from "vitest";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printThreadKernel } from "../../../../codegen/ir/print-thread.ts";
import { verifyThreadKernel } from "../../../../codegen/ir/verify-thread.ts";
import { lowerToThreads } from "../../../../codegen/passes/lower-to-threads.ts";

/** Body of the lowered kernel, without the kernel's own indentation. */
function lower(text: string, wideOffsets = true): string {
  const kernel = lowerToThreads(parseScheduled(text), { wideOffsets });
  verifyThreadKernel(kernel);
  const lines = printThreadKernel(kernel).split("\n");
  const body = lines.slice(lines.findIndex((line) => line.startsWith(") dims")) + 1, -2);
  return body.map((line) => line.slice(2)).join("\n");
}

function trim(text: string): string {
  const lines = text.replace(/^\n|\n\s*$/g, "").split("\n");
  const indent = Math.min(...lines.map((line) => line.search(/\S|$/)));
  return lines.map((line) => line.slice(indent)).join("\n");
}

function scheduled(parts: {
  params: string;
  clauses?: string;
  layouts: string;
  shared?: string;
  ops: string;
}): string {
  return `scheduled probe(${parts.params}) ${parts.clauses ?? "warps(1, 32)"}
    layouts { ${parts.layouts} }
    shared { ${parts.shared ?? ""} }
    { ${parts.ops} }`;
}

describe("lowering of loads and stores", () => {
  it("reads vectors without masks where sizes prove them inside, and scales in place", () => {
    const text = scheduled({
      params: "x: in bf16[R=4, H=512], y: out bf16[R=4, H=512]",
      clauses: "fixed(R=4, H=512) warps(1, 32)",
      layouts: "L0 = reg(8:H=1, 2:H=256) lane(32:H=8) warp()",
      ops: `
        %0: i32 = const 1
        %1: i32 = const 0
        %x.2: bf16[H=512] L0 = load x[at %0, span H=512 from %1] fill 0 width 8
        %3: f32[H=512] L0 = cast %x.2
        %4: f32 = const 0.5
        %5: f32[H=512] L0 = broadcast %4
        %6: f32[H=512] L0 = mul %3, %5
        %7: bf16[H=512] L0 = cast %6
        store y[at %0, span H=512 from %1] = %7 width 8`,
    });
    expect(lower(text)).toBe(
      trim(`
        let t_H: i32 = @lane * 8
        var x_1: bf16[16]
        unroll r = 0 to 2 step 1 {
          load_global x_1[r * 8] x8 from x[t_H + 512 + r * 256] fill 0.0
        }
        unroll r = 0 to 2 step 1 {
          var y_tile: bf16[8]
          unroll i = 0 to 8 step 1 {
            y_tile[i] = bf16(f32(x_1[r * 8 + i]) * 0.5)
          }
          store_global y_tile[0] x8 to y[t_H + 512 + r * 256]
        }`),
    );
  });

  it("starts tiles of unknown tensors at 64-bit offsets, or at 32 bits where the target has no others", () => {
    const text = scheduled({
      params: "x: in f32[M, K], y: out f32[M, K]",
      clauses: "dims(M, K) warps(1, 32)",
      layouts: "L0 = reg(2:A=4) lane(8:B=1, 4:A=1) warp()",
      ops: `
        %m.0: i32 = pid 0
        %k.1: i32 = pid 1
        %x.2: f32[A=8, B=8] L0 = load x[span A=8 from %m.0, span B=8 from %k.1] fill 0 width 1
        store y[span A=8 from %m.0, span B=8 from %k.1] = %x.2 width 1`,
    });
    const wide = lower(text);
    expect(wide).toContain("let x_at_1: i64 = i64(@pid0) * i64(#K) + i64(@pid1) + i64(x_at)");
    expect(wide).toContain(
      "load_global x_1[r] x1 from x[x_at_1 + i64(r * 4 * #K)] mask x_in & (t_A + r * 4 < left_1) fill 0.0",
    );
    const narrow = lower(text, false);
    expect(narrow).toContain("let x_at_1: i32 = @pid0 * #K + @pid1 + x_at");
    expect(narrow).not.toContain("i64");
  });

  it("drops the mask of a loop whose steps divide the dim, and keeps it where they may not", () => {
    const loop = (divisor: number): string =>
      scheduled({
        params: "x: in f32[K], y: out f32[8]",
        clauses: `dims(K) divisibility(K=${divisor}) warps(1, 8)`,
        layouts: "L0 = reg() lane(8:B=1) warp()",
        ops: `
          %0: i32 = const 0
          %step.1: i32 = const 8
          %K.2: i32 = dim K
          %zero.3: f32[B=8] L0 = const 0
          %sum.4: f32[B=8] L0 = for %k.5: i32 = %0 to %K.2 step %step.1 carry (%s.6: f32[B=8] L0 = %zero.3) {
            %x.7: f32[B=8] L0 = load x[span B=8 from %k.5] fill 0 width 1
            %8: f32[B=8] L0 = add %s.6, %x.7
            yield %8
          }
          store y[span B=8 from %0] = %sum.4 width 1`,
      });
    expect(lower(loop(8))).toBe(
      trim(`
        var s: f32 = 0.0
        let x_at: i64 = i64(@lane)
        loop k = 0 to #K step 8 {
          let x_at_1: i64 = x_at + i64(k)
          var x_1: f32
          load_global x_1 x1 from x[x_at_1] fill 0.0
          s = s + x_1
        }
        store_global s x1 to y[@lane]`),
    );
    expect(lower(loop(4))).toContain("mask x_in");
  });

  it("stores once where threads hold copies, and checks gathered rows in one comparison", () => {
    const text = scheduled({
      params: "x: in f32[R, 8], rows: in i32[4], y: out f32[4, 8]",
      clauses: "dims(R) warps(2, 32)",
      layouts: `L0 = reg() lane(8:C=1, 4:P=1) warp(2:?)
        L1 = reg() lane(8:?, 4:P=1) warp(2:?)`,
      ops: `
        %0: i32 = const 0
        %rows.1: i32[P=4] L1 = load rows[span P=4 from %0] fill -1 width 1
        %x.2: f32[P=4, C=8] L0 = load x[gather %rows.1, span C=8 from %0] fill 0 width 1
        store y[span P=4 from %0, span C=8 from %0] = %x.2 width 1`,
    });
    const body = lower(text);
    expect(body).toContain("let x_in: bool = u32(rows_1) < u32(#R)");
    expect(body).toContain("let is_first: bool = @thread < 32");
    expect(body).toContain("if is_first {\n  store_global x_1 x1 to y");
  });
});

describe("lowering of reductions and dots", () => {
  it("sums registers, then lanes by shuffles, then warps through scratch", () => {
    const text = scheduled({
      params: "x: in f32[256], y: out f32[1]",
      clauses: "warps(4, 32)",
      layouts: "L0 = reg(2:H=1) lane(32:H=2) warp(4:H=64)",
      shared: "parts: f32[slot=4] stages 1 strides(1) stage 4 at 0",
      ops: `
        %0: i32 = const 0
        %x.1: f32[H=256] L0 = load x[span H=256 from %0] fill 0 width 2
        %s.2: f32 = reduce sum %x.1 over H scratch parts
        store y[at %0] = %s.2 width 1`,
    });
    expect(lower(text)).toBe(
      trim(`
        shared parts: f32[4] at 0
        let t_H: i32 = @thread * 2
        var x_1: f32[2]
        load_global x_1[0] x2 from x[t_H] fill 0.0
        var s: f32
        s = 0.0
        unroll r = 0 to 2 step 1 {
          s = s + x_1[r]
        }
        var other: f32
        shuffle_xor other = s mask 1
        s = s + other
        shuffle_xor other = s mask 2
        s = s + other
        shuffle_xor other = s mask 4
        s = s + other
        shuffle_xor other = s mask 8
        s = s + other
        shuffle_xor other = s mask 16
        s = s + other
        let is_first: bool = @lane == 0
        if is_first {
          store_shared s x1 to parts[@warp]
        }
        barrier
        var parts_1: f32[4]
        load_shared parts_1[0] x4 from parts[0]
        s = parts_1[0]
        unroll r = 1 to 4 step 1 {
          s = s + parts_1[r]
        }
        let is_first_1: bool = @thread == 0
        if is_first_1 {
          store_global s x1 to y[0]
        }`),
    );
  });

  it("takes a swizzle apart: one exclusive or per step of the contracted axis", () => {
    const text = scheduled({
      params: "y: out f32[16, 16]",
      clauses: "warps(1, 32)",
      layouts: "L0 = reg(2:N=1, 2:M=8, 2:N=8) lane(4:N=2, 8:M=1) warp()",
      shared: `a: bf16[M=16, K=64] stages 1 strides(64, 1) swizzle(3, 3, 3) stage 1024 at 0
        b: bf16[N=16, K=64] stages 1 strides(64, 1) swizzle(3, 3, 3) stage 1024 at 2048`,
      ops: `
        %0: i32 = const 0
        %acc.1: f32[M=16, N=16] L0 = const 0
        %d.2: f32[M=16, N=16] L0 = dot shared a bf16[M=16, K=64], shared b bf16[N=16, K=64] over K acc %acc.1 by mma_sync
        store y[span M=16 from %0, span N=16 from %0] = %d.2 width 2`,
    });
    const body = lower(text);
    expect(body).toContain("ldmatrix a_1[0] x4 from a[swizzled ^ r * 16]");
    expect(body).toContain("ldmatrix b_1[0] x4 from b[swizzled_1 ^ r * 16]");
    expect(body).toContain("mma bf16 d[i * 4] += a_1[0] * b_1[i * 2]");
  });

  it("names no register twice and none like a parameter", () => {
    const text = scheduled({
      params: "x: in f32[32], lane: in f32[32], y: out f32[32]",
      layouts: "L0 = reg() lane(32:B=1) warp()",
      ops: `
        %0: i32 = const 0
        %x.1: f32[B=32] L0 = load x[span B=32 from %0] fill 0 width 1
        %x.2: f32[B=32] L0 = load lane[span B=32 from %0] fill 0 width 1
        %y.3: f32[B=32] L0 = add %x.1, %x.2
        store y[span B=32 from %0] = %y.3 width 1`,
    });
    const names = [...lower(text).matchAll(/(?:let|var) (\w+):/g)].map(([, name]) => name);
    expect(names).toEqual(["x_1", "x_2", "y_1"]);
  });
});
