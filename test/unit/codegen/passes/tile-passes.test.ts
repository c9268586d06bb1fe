/** [test/unit/codegen] Clean-up and legalising passes on tile IR: text before and after. That they keep meaning is tested in keep-meaning.test.ts. */
import { describe, expect, it } from "vitest";
import { eliminateCommon } from "../../../../codegen/passes/eliminate-common.ts";
import { eliminateDead } from "../../../../codegen/passes/eliminate-dead.ts";
import { foldConstants } from "../../../../codegen/passes/fold-constants.ts";
import { foldMerge } from "../../../../codegen/passes/fold-merge.ts";
import { hoistInvariant } from "../../../../codegen/passes/hoist-invariant.ts";
import { legalizeDots } from "../../../../codegen/passes/legalize-dots.ts";
import { legalizeNarrow } from "../../../../codegen/passes/legalize-narrow.ts";
import { lowerIfAny } from "../../../../codegen/passes/lower-if-any.ts";
import { padAxes } from "../../../../codegen/passes/pad-axes.ts";
import { widenOperands } from "../../../../codegen/passes/widen-operands.ts";
import { afterPass, contextOf, tileKernel, WGSL } from "./run-pass.ts";

const VECTORS = ["x: in f32[N]", "y: out f32[N]"];

describe("fold-constants", () => {
  it("folds integer and float arithmetic, identities and known branches", () => {
    const kernel = tileKernel(
      VECTORS,
      ["N"],
      `%a.0: i32 = const 6
       %b.1: i32 = const 7
       %c.2: i32 = mul %a.0, %b.1
       %p.3: i32 = pid 0
       %z.4: i32 = sub %c.2, %c.2
       %q.5: i32 = add %p.3, %z.4
       %t.6: bool = lt %a.0, %b.1
       %v.7: f32[B=8] = load x[span B=8 from %q.5] fill 0
       %r.8: f32[B=8] = if %t.6 {
         %k.9: f32[B=8] = const 1
         %m.10: f32[B=8] = mul %v.7, %k.9
         yield %m.10
       } else {
         yield %v.7
       }
       store y[span B=8 from %q.5] = %r.8`,
    );
    expect(afterPass(kernel, foldConstants)).toMatchInlineSnapshot(`
      "%a.0: i32 = const 6
      %b.1: i32 = const 7
      %c.2: i32 = const 42
      %p.3: i32 = pid 0
      %z.4: i32 = const 0
      %t.6: bool = const true
      %v.7: f32[B=8] = load x[span B=8 from %p.3] fill 0
      %k.9: f32[B=8] = const 1
      store y[span B=8 from %p.3] = %v.7"
    `);
  });

  it("decides comparisons by ranges: a mask that is always true is gone", () => {
    const kernel = tileKernel(
      VECTORS,
      ["N"],
      `%i.0: i32[B=8] = iota
       %n.1: i32[B=8] = const 8
       %m.2: bool[B=8] = lt %i.0, %n.1
       %z.3: i32 = const 0
       %v.4: f32[B=8] = load x[span B=8 from %z.3] fill 0
       %w.5: f32[B=8] = const 2
       %s.6: f32[B=8] = select %m.2, %v.4, %w.5
       store y[span B=8 from %z.3] = %s.6`,
    );
    expect(afterPass(kernel, foldConstants)).toContain("store y[span B=8 from %z.3] = %v.4");
  });

  it("leaves x + 0 of floats, and division by zero, as they are", () => {
    const kernel = tileKernel(
      VECTORS,
      ["N"],
      `%z.0: i32 = const 0
       %p.1: i32 = pid 0
       %q.2: i32 = floordiv %p.1, %z.0
       %v.3: f32[B=8] = load x[span B=8 from %q.2] fill 0
       %w.4: f32[B=8] = const 0
       %s.5: f32[B=8] = add %v.3, %w.4
       store y[span B=8 from %z.0] = %s.5`,
    );
    const after = afterPass(kernel, foldConstants);
    expect(after).toContain("floordiv %p.1, %z.0");
    expect(after).toContain("add %v.3, %w.4");
  });
});

describe("eliminate-common", () => {
  it("shares equal expressions and read-only loads, not loads of tensors that are written", () => {
    const kernel = tileKernel(
      ["x: in f32[N]", "y: inout f32[N]"],
      ["N"],
      `%p.0: i32 = pid 0
       %q.1: i32 = pid 0
       %a.2: f32[B=8] = load x[span B=8 from %p.0] fill 0
       %b.3: f32[B=8] = load x[span B=8 from %q.1] fill 0
       %c.4: f32[B=8] = load y[span B=8 from %p.0] fill 0
       %d.5: f32[B=8] = load y[span B=8 from %q.1] fill 0
       %e.6: f32[B=8] = add %a.2, %b.3
       %f.7: f32[B=8] = add %c.4, %d.5
       %g.8: f32[B=8] = mul %e.6, %f.7
       store y[span B=8 from %p.0] = %g.8`,
    );
    expect(afterPass(kernel, eliminateCommon)).toMatchInlineSnapshot(`
      "%p.0: i32 = pid 0
      %a.2: f32[B=8] = load x[span B=8 from %p.0] fill 0
      %c.4: f32[B=8] = load y[span B=8 from %p.0] fill 0
      %d.5: f32[B=8] = load y[span B=8 from %p.0] fill 0
      %e.6: f32[B=8] = add %a.2, %a.2
      %f.7: f32[B=8] = add %c.4, %d.5
      %g.8: f32[B=8] = mul %e.6, %f.7
      store y[span B=8 from %p.0] = %g.8"
    `);
  });
});

describe("eliminate-dead", () => {
  it("removes unused ops and carried values that only feed themselves", () => {
    const kernel = tileKernel(
      VECTORS,
      ["N"],
      `%lo.0: i32 = const 0
       %hi.1: i32 = const 4
       %one.2: i32 = const 1
       %f.3: f32 = const 0
       %dead.4: f32 = const 3
       %a.5: f32, %b.6: f32 = for %i.7: i32 = %lo.0 to %hi.1 step %one.2 carry (%c.8: f32 = %f.3, %d.9: f32 = %f.3) {
         %u.10: f32 = add %c.8, %c.8
         yield %u.10, %d.9
       }
       %t.11: f32[B=8] = broadcast %a.5
       store y[span B=8 from %lo.0] = %t.11`,
    );
    expect(afterPass(kernel, eliminateDead)).toMatchInlineSnapshot(`
      "%lo.0: i32 = const 0
      %hi.1: i32 = const 4
      %one.2: i32 = const 1
      %f.3: f32 = const 0
      %a.5: f32 = for %i.7: i32 = %lo.0 to %hi.1 step %one.2 carry (%c.8: f32 = %f.3) {
        %u.10: f32 = add %c.8, %c.8
        yield %u.10
      }
      %t.11: f32[B=8] = broadcast %a.5
      store y[span B=8 from %lo.0] = %t.11"
    `);
  });
});

describe("hoist-invariant", () => {
  it("moves scalars out of loops, leaves memory, guarded division and large tiles inside", () => {
    const kernel = tileKernel(
      VECTORS,
      ["N"],
      `%lo.0: i32 = const 0
       %hi.1: i32 = dim N
       %one.2: i32 = const 8
       for %i.3: i32 = %lo.0 to %hi.1 step %one.2 {
         %p.4: i32 = pid 0
         %s.5: i32 = add %p.4, %hi.1
         %d.6: i32 = floordiv %s.5, %p.4
         %x.7: i32 = add %d.6, %i.3
         %big.8: f32[A=4, B=8] = const 1
         %sum.9: f32[B=8] = reduce sum %big.8 over A
         %v.10: f32[B=8] = load x[span B=8 from %lo.0] fill 0
         %w.11: f32[B=8] = add %v.10, %sum.9
         store y[span B=8 from %x.7] = %w.11
       }`,
    );
    expect(afterPass(kernel, hoistInvariant)).toMatchInlineSnapshot(`
      "%lo.0: i32 = const 0
      %hi.1: i32 = dim N
      %one.2: i32 = const 8
      %p.4: i32 = pid 0
      %s.5: i32 = add %p.4, %hi.1
      for %i.3: i32 = %lo.0 to %hi.1 step %one.2 {
        %d.6: i32 = floordiv %s.5, %p.4
        %x.7: i32 = add %d.6, %i.3
        %big.8: f32[A=4, B=8] = const 1
        %sum.9: f32[B=8] = reduce sum %big.8 over A
        %v.10: f32[B=8] = load x[span B=8 from %lo.0] fill 0
        %w.11: f32[B=8] = add %v.10, %sum.9
        store y[span B=8 from %x.7] = %w.11
      }"
    `);
  });
});

describe("lower-if-any", () => {
  it("runs the body for the whole block where any row is true, and drops debug ops", () => {
    const kernel = tileKernel(
      VECTORS,
      ["N"],
      `%z.0: i32 = const 0
       %v.1: f32[B=8] = load x[span B=8 from %z.0] fill 0
       %o.2: f32[B=8] = const 0
       %c.3: bool[B=8] = gt %v.1, %o.2
       print "v" %v.1
       %r.4: f32[B=8] = if_any %c.3 along B else (%v.1) {
         %d.5: f32[B=8] = add %v.1, %v.1
         yield %d.5
       }
       store y[span B=8 from %z.0] = %r.4`,
    );
    expect(afterPass(kernel, lowerIfAny)).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %v.1: f32[B=8] = load x[span B=8 from %z.0] fill 0
      %o.2: f32[B=8] = const 0
      %c.3: bool[B=8] = gt %v.1, %o.2
      %c.6: bool = reduce any %c.3 over B
      %r.4: f32[B=8] = if by_rows %c.6 {
        %d.5: f32[B=8] = add %v.1, %v.1
        yield %d.5
      } else {
        yield %v.1
      }
      store y[span B=8 from %z.0] = %r.4"
    `);
  });
});

describe("legalize-narrow", () => {
  it("computes in f32 and rounds after each op; bools are reduced as integers", () => {
    const kernel = tileKernel(
      ["x: in bf16[N]", "y: out bf16[N]"],
      ["N"],
      `%z.0: i32 = const 0
       %v.1: bf16[B=8] = load x[span B=8 from %z.0] fill 0
       %a.2: bf16[B=8] = add %v.1, %v.1
       %m.3: bf16 = reduce max %a.2 over B
       %t.4: bf16[B=8] = broadcast %m.3
       %c.5: bool[B=8] = lt %a.2, %t.4
       %k.6: bool = reduce any %c.5 over B
       %u.7: bool[B=8] = broadcast %k.6
       %s.8: bf16[B=8] = select %u.7, %a.2, %v.1
       store y[span B=8 from %z.0] = %s.8`,
    );
    expect(afterPass(kernel, legalizeNarrow)).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %v.1: bf16[B=8] = load x[span B=8 from %z.0] fill 0
      %v.10: f32[B=8] = cast %v.1
      %v.11: f32[B=8] = cast %v.1
      %a.9: f32[B=8] = add %v.10, %v.11
      %a.2: bf16[B=8] = cast %a.9
      %a.13: f32[B=8] = cast %a.2
      %m.12: f32 = reduce max %a.13 over B
      %m.3: bf16 = cast %m.12
      %t.4: bf16[B=8] = broadcast %m.3
      %a.14: f32[B=8] = cast %a.2
      %t.15: f32[B=8] = cast %t.4
      %c.5: bool[B=8] = lt %a.14, %t.15
      %c.16: i32[B=8] = const 1
      %c.17: i32[B=8] = const 0
      %c.18: i32[B=8] = select %c.5, %c.16, %c.17
      %c.19: i32 = reduce max %c.18 over B
      %c.20: i32 = const 0
      %k.6: bool = ne %c.19, %c.20
      %u.7: bool[B=8] = broadcast %k.6
      %s.8: bf16[B=8] = select %u.7, %a.2, %v.1
      store y[span B=8 from %z.0] = %s.8"
    `);
  });
});

describe("legalize-dots", () => {
  const matrices = ["a: in f16[M, K]", "b: in f16[N, K]", "c: out f32[M, N]"];

  it("makes few rows the columns of the instruction and adds an accumulator", () => {
    const kernel = tileKernel(
      matrices,
      ["M", "K", "N"],
      `%z.0: i32 = const 0
       %a.1: f16[BM=8, BK=16] = load a[span BM=8 from %z.0, span BK=16 from %z.0] fill 0
       %b.2: f16[BN=64, BK=16] = load b[span BN=64 from %z.0, span BK=16 from %z.0] fill 0
       %c.3: f32[BM=8, BN=64] = dot %a.1, %b.2 over BK
       store c[span BM=8 from %z.0, span BN=64 from %z.0] = %c.3`,
    );
    expect(afterPass(kernel, legalizeDots)).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %a.1: f16[BM=8, BK=16] = load a[span BM=8 from %z.0, span BK=16 from %z.0] fill 0
      %b.2: f16[BN=64, BK=16] = load b[span BN=64 from %z.0, span BK=16 from %z.0] fill 0
      %c.4: f32[BN=64, BM=8] = const 0
      %c.5: f32[BN=64, BM=8] = dot %b.2, %a.1 over BK acc %c.4
      %c.6: f32[BM=8, BN=64] = broadcast %c.5
      %c.3: f32[BM=8, BN=64] = rename %c.6
      store c[span BM=8 from %z.0, span BN=64 from %z.0] = %c.3"
    `);
  });

  it("turns a product with a vector into a sum of products", () => {
    const kernel = tileKernel(
      ["a: in f16[K]", "b: in f16[N, K]", "c: out f32[N]"],
      ["K", "N"],
      `%z.0: i32 = const 0
       %a.1: f16[BK=16] = load a[span BK=16 from %z.0] fill 0
       %b.2: f16[BN=8, BK=16] = load b[span BN=8 from %z.0, span BK=16 from %z.0] fill 0
       %c.3: f32[BN=8] = dot %a.1, %b.2 over BK
       store c[span BN=8 from %z.0] = %c.3`,
    );
    expect(afterPass(kernel, legalizeDots)).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %a.1: f16[BK=16] = load a[span BK=16 from %z.0] fill 0
      %b.2: f16[BN=8, BK=16] = load b[span BN=8 from %z.0, span BK=16 from %z.0] fill 0
      %a.4: f32[BK=16] = cast %a.1
      %a.5: f32[BN=8, BK=16] = broadcast %a.4
      %b.6: f32[BN=8, BK=16] = cast %b.2
      %a.7: f32[BN=8, BK=16] = mul %a.5, %b.6
      %a.8: f32[BN=8] = reduce sum %a.7 over BK
      %c.3: f32[BN=8] = rename %a.8
      store c[span BN=8 from %z.0] = %c.3"
    `);
  });
});

describe("pad-axes", () => {
  it("pads to whole mma tiles; the ends of spans and zeros keep the padding out", () => {
    const kernel = tileKernel(
      ["a: in f16[M, K]", "b: in f16[N, K]", "c: out f32[M, N]"],
      ["M", "K", "N"],
      `%z.0: i32 = const 0
       %a.1: f16[BM=12, D=8] = load a[span BM=12 from %z.0, span D=8 from %z.0] fill 0
       %b.2: f16[BN=16, D=8] = load b[span BN=16 from %z.0, span D=8 from %z.0] fill 1
       %o.3: f32[BM=12, BN=16] = const 0
       %c.4: f32[BM=12, BN=16] = dot %a.1, %b.2 over D acc %o.3
       store c[span BM=12 from %z.0, span BN=16 from %z.0] = %c.4`,
    );
    expect(afterPass(kernel, padAxes)).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %c.5: i32 = const 12
      %end.6: i32 = add %z.0, %c.5
      %c.7: i32 = const 8
      %end.8: i32 = add %z.0, %c.7
      %a.1: f16[BM=16, D=16] = load a[span BM=16 from %z.0 end %end.6, span D=16 from %z.0 end %end.8] fill 0
      %c.9: i32 = const 8
      %end.10: i32 = add %z.0, %c.9
      %b.2: f16[BN=16, D=16] = load b[span BN=16 from %z.0, span D=16 from %z.0 end %end.10] fill 1
      %o.3: f32[BM=16, BN=16] = const 0
      %d.11: i32[D=16] = iota
      %c.12: i32[D=16] = const 8
      %inside.13: bool[D=16] = lt %d.11, %c.12
      %inside.14: bool[BN=16, D=16] = broadcast %inside.13
      %c.15: f16[BN=16, D=16] = const 0
      %b.16: f16[BN=16, D=16] = select %inside.14, %b.2, %c.15
      %c.4: f32[BM=16, BN=16] = dot %a.1, %b.16 over D acc %o.3
      %c.17: i32 = const 12
      %end.18: i32 = add %z.0, %c.17
      store c[span BM=16 from %z.0 end %end.18, span BN=16 from %z.0] = %c.4"
    `);
  });

  it("makes padding neutral in reductions and never picked by argmax", () => {
    const kernel = tileKernel(
      ["x: in f32[N]", "y: out f32[N]", "z: out i32[N]"],
      ["N"],
      `%p.0: i32 = pid 0
       %v.1: f32[B=61] = load x[span B=61 from %p.0] fill 0
       %m.2: f32 = reduce max %v.1 over B
       %i.3: i32 = argmax %v.1 over B
       store y[at %p.0] = %m.2
       store z[at %p.0] = %i.3`,
    );
    expect(afterPass(kernel, padAxes)).toMatchInlineSnapshot(`
      "%p.0: i32 = pid 0
      %c.4: i32 = const 61
      %end.5: i32 = add %p.0, %c.4
      %v.1: f32[B=64] = load x[span B=64 from %p.0 end %end.5] fill 0
      %b.6: i32[B=64] = iota
      %c.7: i32[B=64] = const 61
      %inside.8: bool[B=64] = lt %b.6, %c.7
      %c.9: f32[B=64] = const -inf
      %v.10: f32[B=64] = select %inside.8, %v.1, %c.9
      %m.2: f32 = reduce max %v.10 over B
      %b.11: i32[B=64] = iota
      %c.12: i32[B=64] = const 61
      %inside.13: bool[B=64] = lt %b.11, %c.12
      %c.14: f32[B=64] = const nan
      %v.15: f32[B=64] = select %inside.13, %v.1, %c.14
      %i.3: i32 = argmax %v.15 over B
      store y[at %p.0] = %m.2
      store z[at %p.0] = %i.3"
    `);
  });

  it("leaves sizes alone that threads share out well", () => {
    for (const size of [1, 16, 80, 96, 192, 576]) {
      const kernel = tileKernel(
        VECTORS,
        ["N"],
        `%p.0: i32 = pid 0
         %v.1: f32[B=${size}] = load x[span B=${size} from %p.0] fill 0
         store y[span B=${size} from %p.0] = %v.1`,
      );
      expect(padAxes(kernel, contextOf())).toBe(kernel);
    }
  });
});

describe("widen-operands", () => {
  it("casts the operands of dots that have no mma", () => {
    const kernel = tileKernel(
      ["a: in f16[M, K]", "b: in f16[N, K]", "c: out f32[M, N]"],
      ["M", "K", "N"],
      `%z.0: i32 = const 0
       %a.1: f16[BM=16, D=16] = load a[span BM=16 from %z.0, span D=16 from %z.0] fill 0
       %b.2: f16[BN=16, D=16] = load b[span BN=16 from %z.0, span D=16 from %z.0] fill 0
       %o.3: f32[BM=16, BN=16] = const 0
       %c.4: f32[BM=16, BN=16] = dot %a.1, %b.2 over D acc %o.3
       store c[span BM=16 from %z.0, span BN=16 from %z.0] = %c.4`,
    );
    expect(widenOperands(kernel, contextOf())).toEqual(kernel);
    expect(afterPass(kernel, widenOperands, contextOf(WGSL))).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %a.1: f16[BM=16, D=16] = load a[span BM=16 from %z.0, span D=16 from %z.0] fill 0
      %b.2: f16[BN=16, D=16] = load b[span BN=16 from %z.0, span D=16 from %z.0] fill 0
      %o.3: f32[BM=16, BN=16] = const 0
      %a.5: f32[BM=16, D=16] = cast %a.1
      %b.6: f32[BN=16, D=16] = cast %b.2
      %c.4: f32[BM=16, BN=16] = dot %a.5, %b.6 over D acc %o.3
      store c[span BM=16 from %z.0, span BN=16 from %z.0] = %c.4"
    `);
  });
});

describe("fold-merge", () => {
  it("gathers pages pointwise over the merged axis", () => {
    const kernel = tileKernel(
      ["t: in i32[P]", "k: in f16[NB, G=4, D=16]", "y: out f16[N, D=16]"],
      ["P", "NB", "N"],
      `%z.0: i32 = const 0
       %p.1: i32[PP=2] = load t[span PP=2 from %z.0] fill -1
       %k.2: f16[PP=2, G=4, D=16] = load k[gather %p.1, span G=4 from %z.0, span D=16 from %z.0] fill 0
       %m.3: f16[BN=8, D=16] = merge %k.2 (PP, G) into BN
       store y[span BN=8 from %z.0, span D=16 from %z.0] = %m.3`,
      "fixed(G=4, D=16)",
    );
    expect(afterPass(kernel, foldMerge)).toMatchInlineSnapshot(`
      "%z.0: i32 = const 0
      %p.1: i32[PP=2] = load t[span PP=2 from %z.0] fill -1
      %k.2: f16[PP=2, G=4, D=16] = load k[gather %p.1, span G=4 from %z.0, span D=16 from %z.0] fill 0
      %p.4: i32[PP=2, G=4] = broadcast %p.1
      %p.5: i32[BN=8] = merge %p.4 (PP, G) into BN
      %z.6: i32[G=4] = broadcast %z.0
      %g.7: i32[G=4] = iota
      %z.8: i32[G=4] = add %z.6, %g.7
      %z.9: i32[PP=2, G=4] = broadcast %z.8
      %z.10: i32[BN=8] = merge %z.9 (PP, G) into BN
      %m.3: f16[BN=8, D=16] = load k[gather %p.5, gather %z.10, span D=16 from %z.0] fill 0
      store y[span BN=8 from %z.0, span D=16 from %z.0] = %m.3"
    `);
  });
});
