/** [test/unit/codegen] The door of the room: artifacts, every stage's text, explanations. */
import { describe, expect, it } from "vitest";
import type { CompileRequest, TargetName } from "../../../codegen/index.ts";
import { compile, compileStages, explain, TARGET_NAMES, TARGETS } from "../../../codegen/index.ts";
import { linear, rmsNorm } from "../../../dsl/kernels/catalogue.ts";

function request(target: TargetName, more: Partial<CompileRequest> = {}): CompileRequest {
  return {
    specialization: { dtypes: { T: "bf16" }, dims: { H: 256 } },
    target: TARGETS[target].defaultSpec(),
    ...more,
  };
}

const GEMM: Partial<CompileRequest> = {
  specialization: { dtypes: { T: "bf16", O: "bf16" } },
  divisibility: { M: 16, N: 16, K: 16, absent: 8 },
};

describe("compile", () => {
  it("gives the same bytes and hash for the same request", () => {
    for (const target of TARGET_NAMES) {
      const [first, second] = [
        compile(rmsNorm, request(target)),
        compile(rmsNorm, request(target)),
      ];
      expect(second).toEqual(first);
      expect(JSON.parse(JSON.stringify(first))).toEqual(first);
    }
  });

  it("orders parameters as the launch does: tensors, dims, scalars", () => {
    const { params, fixedDims, dtypes } = compile(rmsNorm, request("cuda"));
    expect(params.map((param) => [param.kind, "name" in param ? param.name : ""])).toEqual([
      ["tensor", "x"],
      ["tensor", "w"],
      ["tensor", "y"],
      ["dim", "R"],
      ["scalar", "eps"],
    ]);
    expect(params[0]).toMatchObject({ dtype: "bf16", shape: ["R", 256], access: "in" });
    expect([fixedDims, dtypes]).toEqual([{ H: 256 }, { T: "bf16" }]);
  });

  it("keeps the divisors that a dim of the kernel has, and hashes what depends on them", () => {
    const aligned = compile(linear, request("cuda", GEMM));
    expect(aligned.divisibility).toEqual({ M: 16, N: 16, K: 16 });
    const { divisibility: _, ...plain } = GEMM;
    expect(compile(linear, request("cuda", plain)).hash).not.toBe(aligned.hash);
  });

  it.each([3, 0, -2, 1.5, Number.NaN])("refuses %s as a divisor", (divisor) => {
    const run = () => compile(linear, request("cuda", { ...GEMM, divisibility: { K: divisor } }));
    expect(run).toThrow(/TW2304[\s\S]*remedy: /);
  });

  it.each(TARGET_NAMES)(
    "refuses tiles that no registers hold, at their place, for %s",
    (target) => {
      const of = (H: number) =>
        compile(
          rmsNorm,
          request(target, { specialization: { dtypes: { T: "f32" }, dims: { H } } }),
        );
      expect(of(65536).text).toContain("rms_norm");
      expect(() => of(100_000_000)).toThrow(
        /rms-norm\.ts:\d+:\d+ - TW2305[\s\S]*in each of \d+ threads[\s\S]*remedy: +walk over/,
      );
    },
  );

  it("honours the config key warps", () => {
    const threads = (warps: number): number => {
      const specialization = {
        dtypes: { T: "f32" },
        dims: { H: 4096 },
        config: { warps },
      } as const;
      return compile(rmsNorm, request("cuda", { specialization })).threads;
    };
    expect([threads(1), threads(4), threads(8)]).toEqual([32, 128, 256]);
  });
});

describe("compileStages", () => {
  it("gives the text of every level and of every pass that ran", () => {
    const stages = compileStages(linear, request("cuda", GEMM));
    expect(stages.passes.map(({ pass }) => pass).slice(0, 4)).toEqual([
      "merge-roles",
      "lower-if-any",
      "fold-constants",
      "fold-merge",
    ]);
    expect(new Set(stages.passes.map(({ level }) => level))).toEqual(
      new Set(["tile", "scheduled", "thread"]),
    );
    expect(stages.tile).toContain("dot %a");
    expect(stages.scheduled).toContain("by mma_sync");
    expect(stages.thread).toContain("linear");
    expect(stages.source).toBe(stages.artifact.text);
    expect(JSON.parse(stages.hir)).toHaveProperty("declarations");
  });
});

describe("explain", () => {
  it("says what was chosen and why not more", () => {
    const { text, remarks, threads } = explain(linear, request("cuda", GEMM));
    expect(threads).toBe(128);
    expect(text).toContain("linear for cuda sm_80: 128 threads");
    expect(text).toContain("load x: cp.async, 16 bytes a lane");
    expect(text).toMatch(/choose-dots: dot acc: mma\.sync m16n8k16 .*linear\.ts:\d+\)/);
    expect(remarks.length).toBeGreaterThan(5);
    const wgsl = explain(linear, request("wgsl", GEMM));
    expect(wgsl.text).toContain("wgsl has no mma.sync here");
  });
});
