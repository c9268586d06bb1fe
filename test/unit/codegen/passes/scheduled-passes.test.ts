/** [test/unit/codegen] Scheduling passes: layouts, staging, pipelines, places, barriers, as text before and after. */
import { describe, expect, it } from "vitest";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import type { ScheduledKernel, SOp } from "../../../../codegen/ir/scheduled.ts";
import { verifyScheduled } from "../../../../codegen/ir/verify-scheduled.ts";
import { walkScheduled } from "../../../../codegen/ir/visit-scheduled.ts";
import { allocateShared } from "../../../../codegen/passes/allocate-shared.ts";
import { chooseSharedLayouts } from "../../../../codegen/passes/choose-shared-layouts.ts";
import { eliminateDeadScheduled } from "../../../../codegen/passes/eliminate-dead-scheduled.ts";
import { insertBarriers } from "../../../../codegen/passes/insert-barriers.ts";
import { pipelineLoads } from "../../../../codegen/passes/pipeline-loads.ts";
import { scheduleTiles } from "../../../../codegen/passes/schedule-tiles.ts";
import { UnsupportedError } from "../../../../dsl/index.ts";
import { afterScheduledPass, CUDA, contextOf, tileKernel, WGSL } from "./run-pass.ts";

const ALIGNED = { M: 16, N: 16, K: 16 };

function gemm(dtype: "f32" | "f16", stages = 1, [bm, bn, bk] = [64, 64, 32]) {
  return tileKernel(
    [`a: in ${dtype}[M, K]`, `b: in ${dtype}[N, K]`, "c: out f32[M, N]"],
    ["M", "K", "N"],
    `%z.0: i32 = const 0
     %k.1: i32 = dim K
     %s.2: i32 = const ${bk}
     %o.3: f32[BM=${bm}, BN=${bn}] = const 0
     %r.4: f32[BM=${bm}, BN=${bn}] = for %i.5: i32 = %z.0 to %k.1 step %s.2 carry (%c.6: f32[BM=${bm}, BN=${bn}] = %o.3) stages ${stages} {
       %a.7: ${dtype}[BM=${bm}, BK=${bk}] = load a[span BM=${bm} from %z.0, span BK=${bk} from %i.5] fill 0
       %b.8: ${dtype}[BN=${bn}, BK=${bk}] = load b[span BN=${bn} from %z.0, span BK=${bk} from %i.5] fill 0
       %d.9: f32[BM=${bm}, BN=${bn}] = dot %a.7, %b.8 over BK acc %c.6
       yield %d.9
     }
     store c[span BM=${bm} from %z.0, span BN=${bn} from %z.0] = %r.4`,
  );
}

function opsOf(kernel: ScheduledKernel): readonly SOp[] {
  const ops: SOp[] = [];
  walkScheduled(kernel.body, (op) => void ops.push(op));
  return ops;
}

function kindsOf(kernel: ScheduledKernel, kinds: readonly SOp["kind"][]): readonly string[] {
  return opsOf(kernel).flatMap((op) => (kinds.includes(op.kind) ? [op.kind] : []));
}

describe("schedule-tiles", () => {
  it("copies operands of a dot with 16 bytes a lane, and stores vectors", () => {
    const context = contextOf(CUDA, ALIGNED);
    const scheduled = scheduleTiles(gemm("f16"), context);
    verifyScheduled(scheduled);
    const copies = opsOf(scheduled).filter((op) => op.kind === "copy");
    expect(copies.map((op) => [op.tensor, op.width, op.via])).toEqual([
      ["a", 8, "cp.async"],
      ["b", 8, "cp.async"],
    ]);
    const dot = opsOf(scheduled).find((op) => op.kind === "dot");
    expect(dot?.kind === "dot" && dot.instruction.kind).toBe("mma.sync");
    expect(context.remarks.map((remark) => remark.message)).toContain(
      "dot d: mma.sync m16n8k16 for 64×64×32",
    );
  });

  it("falls back to plain loads, with the reason, where rows are not aligned", () => {
    const context = contextOf(CUDA, {});
    const scheduled = scheduleTiles(gemm("f16"), context);
    const copies = opsOf(scheduled).filter((op) => op.kind === "copy");
    expect(copies.map((op) => [op.tensor, op.width, op.via])).toEqual([
      ["a", 1, "ldg"],
      ["b", 1, "ldg"],
    ]);
    expect(context.remarks.map((remark) => remark.message)).toContain(
      "load a: ldg, 2 bytes a lane; not cp.async: only 2 bytes are aligned, cp.async moves 4, 8 or 16; rows of a start at multiples of 1 elements only",
    );
  });

  it("keeps a softmax between two dots in registers of one warp per rows", () => {
    const kernel = tileKernel(
      ["q: in f16[M, D]", "k: in f16[N, D]", "v: in f16[N, D]", "y: out f32[M, D]"],
      ["M", "D", "N"],
      `%z.0: i32 = const 0
       %q.1: f16[BM=64, BD=64] = load q[span BM=64 from %z.0, span BD=64 from %z.0] fill 0
       %k.2: f16[BN=64, BD=64] = load k[span BN=64 from %z.0, span BD=64 from %z.0] fill 0
       %o.3: f32[BM=64, BN=64] = const 0
       %s.4: f32[BM=64, BN=64] = dot %q.1, %k.2 over BD acc %o.3
       %m.5: f32[BM=64] = reduce max %s.4 over BN
       %n.6: f32[BM=64, BN=64] = broadcast %m.5
       %t.7: f32[BM=64, BN=64] = sub %s.4, %n.6
       %e.8: f32[BM=64, BN=64] = exp2 %t.7
       %p.9: f16[BM=64, BN=64] = cast %e.8
       %v.10: f16[BN=64, BD=64] = load v[span BN=64 from %z.0, span BD=64 from %z.0] fill 0
       %w.11: f32[BM=64, BD=64] = const 0
       %r.12: f32[BM=64, BD=64] = dot %p.9, %v.10 over BN acc %w.11
       store y[span BM=64 from %z.0, span BD=64 from %z.0] = %r.12`,
    );
    const scheduled = eliminateDeadScheduled(scheduleTiles(kernel, contextOf(CUDA, { D: 16 })));
    const dots = opsOf(scheduled).filter((op) => op.kind === "dot");
    expect(dots.map((op) => [op.a.kind, op.b.kind])).toEqual([
      ["shared", "shared"],
      ["register", "shared"],
    ]);
    expect(kindsOf(scheduled, ["convert", "shared_store"])).toEqual([]);
    expect(opsOf(scheduled).find((op) => op.kind === "reduce")).not.toHaveProperty("scratch");
  });

  it("walks a contraction in chunks where the operands do not fit", () => {
    const context = contextOf(WGSL, ALIGNED);
    const scheduled = scheduleTiles(gemm("f32", 1, [64, 64, 128]), context);
    verifyScheduled(scheduled);
    const copies = opsOf(scheduled).filter((op) => op.kind === "copy");
    expect(copies.map((op) => op.layout.axes.map((axis) => axis.size))).toEqual([
      [64, 32],
      [64, 32],
    ]);
    expect(context.remarks.map((remark) => remark.message)).toContain(
      "dot d: 32 of 128 steps at a time: rows of 512 bytes do not fit shared memory",
    );
  });

  it("prints and reads back what it made", () => {
    const text = printScheduled(scheduleTiles(gemm("f16", 3), contextOf(CUDA, ALIGNED)));
    expect(printScheduled(parseScheduled(text))).toBe(text);
  });
});

describe("choose-shared-layouts", () => {
  it("swizzles operands of mma so that ldmatrix meets no bank conflict", () => {
    const context = contextOf(CUDA, ALIGNED);
    const scheduled = scheduleTiles(gemm("f16", 1, [64, 64, 64]), context);
    const { shared } = chooseSharedLayouts(scheduled, context);
    expect(shared.map((buffer) => [buffer.name, buffer.layout.swizzle])).toEqual([
      ["a", { bits: 3, base: 3, shift: 3 }],
      ["b", { bits: 3, base: 3, shift: 3 }],
    ]);
  });

  it("pads rows that no swizzle fits", () => {
    const context = contextOf(CUDA, ALIGNED);
    const scheduled = scheduleTiles(gemm("f16", 1, [64, 64, 80]), context);
    const { shared } = chooseSharedLayouts(scheduled, context);
    expect(shared.map((buffer) => buffer.layout.strides)).toEqual([
      [88, 1],
      [88, 1],
    ]);
  });
});

const HEAD = `scheduled k(
  x: in f32[N],
  y: inout f32[N],
) dims(N) warps(1, 32)
layouts {
  L0 = reg(4:B=1) lane(32:B=4) warp()
  L1 = reg(4:B=32) lane(32:B=1) warp()
}
`;

const COPY_LOOP = `${HEAD}shared {
  t: f32[B=128] stages 1 strides(1) stage 128
}
{
  %lo.0: i32 = const 0
  %hi.1: i32 = dim N
  %s.2: i32 = const 128
  %z.3: f32[B=128] L0 = const 0
  %r.4: f32[B=128] L0 = for %i.5: i32 = %lo.0 to %hi.1 step %s.2 carry (%c.6: f32[B=128] L0 = %z.3) stages 3 {
    copy t = x[span B=128 from %i.5] fill 0 layout L0 width 4 via cp.async
    %v.7: f32[B=128] L0 = shared_load t width 4
    %a.8: f32[B=128] L0 = add %c.6, %v.7
    yield %a.8
  }
  store y[span B=128 from %lo.0] = %r.4 width 4
}
`;

describe("pipeline-loads", () => {
  it("runs copies ahead into a ring and reads the slot of the trip", () => {
    const { body, kernel } = afterScheduledPass(COPY_LOOP, pipelineLoads);
    expect(kernel.shared[0]?.stages).toBe(3);
    expect(body).toMatchInlineSnapshot(`
      "%lo.0: i32 = const 0
      %hi.1: i32 = dim N
      %s.2: i32 = const 128
      %z.3: f32[B=128] L0 = const 0
      %slot.9: i32 = const 0
      %more.10: bool = lt %lo.0, %hi.1
      if %more.10 {
        copy t[%slot.9] = x[span B=128 from %lo.0] fill 0 layout L0 width 4 via cp.async
      }
      commit
      %i.11: i32 = add %lo.0, %s.2
      %slot.12: i32 = const 1
      %more.13: bool = lt %i.11, %hi.1
      if %more.13 {
        copy t[%slot.12] = x[span B=128 from %i.11] fill 0 layout L0 width 4 via cp.async
      }
      commit
      %slot.14: i32 = const 0
      %slot.15: i32 = const 1
      %slot.16: i32 = const 3
      %slot.17: i32 = const 2
      %distance.18: i32 = mul %s.2, %slot.17
      %i.21: i32 = add %lo.0, %distance.18
      %r.4: f32[B=128] L0, %slot.31: i32, %fill.32: i32 = for %i.5: i32 = %lo.0 to %hi.1 step %s.2 carry (%c.6: f32[B=128] L0 = %z.3, %slot.19: i32 = %slot.14, %fill.20: i32 = %slot.17) {
        wait 1
        barrier
        %i.22: i32 = add %i.5, %distance.18
        %more.23: bool = lt %i.22, %hi.1
        if %more.23 {
          copy t[%fill.20] = x[span B=128 from %i.22] fill 0 layout L0 width 4 via cp.async
        }
        commit
        %i.24: i32 = add %i.22, %s.2
        %v.7: f32[B=128] L0 = shared_load t[%slot.19] width 4
        %a.8: f32[B=128] L0 = add %c.6, %v.7
        %slot.25: i32 = add %slot.19, %slot.15
        %wraps.26: bool = eq %slot.25, %slot.16
        %slot.27: i32 = select %wraps.26, %slot.14, %slot.25
        %fill.28: i32 = add %fill.20, %slot.15
        %wraps.29: bool = eq %fill.28, %slot.16
        %fill.30: i32 = select %wraps.29, %slot.14, %fill.28
        yield %a.8, %slot.27, %fill.30
      }
      store y[span B=128 from %lo.0] = %r.4 width 4"
    `);
  });

  it("takes fewer slots where shared memory does not hold them, and says so", () => {
    const context = contextOf({ ...CUDA, maxSharedBytes: 1100 });
    const { kernel } = afterScheduledPass(COPY_LOOP, pipelineLoads, context);
    expect(kernel.shared[0]?.stages).toBe(2);
    expect(context.remarks[0]?.message).toBe(
      "2 slots instead of 3: shared memory holds 1100 bytes",
    );
  });

  it("leaves copies whose address comes from the trip before", () => {
    const text = COPY_LOOP.replace("carry (", "carry (%q.9: i32 = %lo.0, ")
      .replace("%r.4: f32[B=128] L0 =", "%e.10: i32, %r.4: f32[B=128] L0 =")
      .replace("span B=128 from %i.5", "span B=128 from %q.9")
      .replace("yield %a.8", "yield %i.5, %a.8");
    const context = contextOf();
    const { kernel } = afterScheduledPass(text, pipelineLoads, context);
    expect(kernel.shared[0]?.stages).toBe(1);
    expect(context.remarks.map((remark) => remark.message)).toContain(
      "copy of x does not run ahead: its address needs q of the trip before",
    );
  });
});

describe("insert-barriers", () => {
  it("waits for a copy before it is read and keeps the next trip from overwriting it", () => {
    const text = COPY_LOOP.replace(" stages 3 {", " {");
    const { body } = afterScheduledPass(text, insertBarriers);
    const lines = body.split("\n").map((line) => line.trim().split(" ")[0]);
    expect(lines.slice(5, 11)).toEqual(["barrier", "copy", "commit", "wait", "barrier", "%v.7:"]);
  });

  it("adds none to a pipeline, whose own wait and barrier order its ring", () => {
    const piped = pipelineLoads(parseScheduled(COPY_LOOP), contextOf());
    const placed = allocateShared(piped, contextOf());
    const after = insertBarriers(placed);
    expect(kindsOf(after, ["barrier"])).toHaveLength(1);
    expect(printScheduled(after)).toBe(printScheduled(placed));
  });

  it("drains copies that nothing waits for, so that none outlives the kernel", () => {
    const text = `${HEAD}shared {
  t: f32[B=128] stages 1 strides(1) stage 128
}
{
  %z.0: i32 = const 0
  copy t = x[span B=128 from %z.0] fill 0 layout L0 width 4 via cp.async
}
`;
    const { body } = afterScheduledPass(text, insertBarriers);
    expect(body.split("\n").slice(-2)).toEqual(["commit", "wait 0"]);
  });

  it("orders a load and a store of one tensor by other threads, not by the same thread", () => {
    const inPlace = (layout: string) => `${HEAD}shared {
}
{
  %z.0: i32 = const 0
  %v.1: f32[B=128] L0 = load y[span B=128 from %z.0] fill 0 width 1
  %w.2: f32[B=128] ${layout} = const 1
  store y[span B=128 from %z.0] = %w.2 width 1
}
`;
    const barriers = (layout: string) =>
      kindsOf(afterScheduledPass(inPlace(layout), insertBarriers).kernel, ["barrier"]).length;
    expect(barriers("L0")).toBe(0);
    expect(barriers("L1")).toBe(1);
  });
});

describe("allocate-shared", () => {
  const stores = (...names: string[]) => `${HEAD}shared {
${names.map((name) => `  ${name}: f32[B=128, C=4] stages 1 strides(4, 1) stage 512`).join("\n")}
}
{
  %w.0: f32[B=128] L0 = const 1
  %z.1: i32 = const 0
}
`;

  it("puts buffers with separate lives into the same bytes", () => {
    const text = `${HEAD}shared {
  s: f32[B=512] stages 1 strides(1) stage 512
  t: f32[B=512] stages 1 strides(1) stage 512
}
{
  %w.0: f32[B=512] L2 = const 1
  shared_store s = %w.0 width 4
  %a.1: f32[B=512] L2 = shared_load s width 4
  shared_store t = %a.1 width 4
  %b.2: f32[B=512] L2 = shared_load t width 4
  %z.3: i32 = const 0
  store y[span B=512 from %z.3] = %b.2 width 4
}
`.replace("}\nshared", "  L2 = reg(4:B=1, 4:B=128) lane(32:B=4) warp()\n}\nshared");
    const { kernel } = afterScheduledPass(text, allocateShared);
    expect(kernel.shared.map((buffer) => buffer.byteOffset)).toEqual([0, 0]);
    expect(kindsOf(insertBarriers(kernel), ["barrier"])).toHaveLength(3);
  });

  it("drops buffers that nothing uses", () => {
    expect(afterScheduledPass(stores("a", "b"), allocateShared).kernel.shared).toEqual([]);
  });

  it("lists the buffers, the config and the limit where they do not fit", () => {
    const context = contextOf({ ...CUDA, maxSharedBytes: 256 });
    expect(() => afterScheduledPass(COPY_LOOP, allocateShared, context)).toThrow(UnsupportedError);
    expect(() => afterScheduledPass(COPY_LOOP, allocateShared, context)).toThrow(
      /TW2001: kernel k needs 512 bytes.*\n {2}seen: {5}t f32\[B=128\]: 512 bytes \(config: no config\)\n {2}expected: at most 256 bytes on sm_80/,
    );
  });
});

describe("verifier of the scheduled IR", () => {
  const breaks = (from: string, to: string): (() => void) => {
    const text = COPY_LOOP.replace(from, to);
    expect(text).not.toBe(COPY_LOOP);
    return () => verifyScheduled(parseScheduled(text));
  };

  it.each([
    ["a layout of another block", "warps(1, 32)", "warps(2, 32)", "32 threads"],
    [
      "operands in two layouts",
      "%v.7: f32[B=128] L0",
      "%v.7: f32[B=128] L1",
      "the operands differ in layout",
    ],
    [
      "a vector that is no run of registers",
      "%i.5] fill 0 layout L0 width 4",
      "%i.5] fill 0 layout L1 width 4",
      "a vector is no run of registers",
    ],
    [
      "a layout that misses elements",
      "L0 = reg(4:B=1)",
      "L0 = reg(2:B=1)",
      "axis B: stride 4 follows 2 covered elements",
    ],
    ["a tile without a layout", "%z.3: f32[B=128] L0", "%z.3: f32[B=128]", "a tile needs a layout"],
    ["an unknown buffer", "shared_load t", "shared_load u", "no such buffer"],
  ])("finds %s", (_, from, to, message) => {
    expect(breaks(from, to)).toThrow(message);
  });
});
