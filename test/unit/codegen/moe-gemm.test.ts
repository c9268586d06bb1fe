/** [test/unit/codegen] Products of gathered rows: what they are lowered to where products of dense rows take roles and tensor maps. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../codegen/compile.ts";
import { cuda } from "../../../codegen/targets/cuda/target.ts";
import { moeGemm } from "../../../dsl/kernels/moe-gemm.ts";
import { HOPPER } from "../../../runtime/autotune/tuned/hopper.ts";

const DIVISIBILITY = { R: 1, S: 2, K: 16, N: 16 };

describe.each([1, 2])("moe_gemm with weights of %i halves on sm_90a", (halves) => {
  const specialization = {
    dtypes: { T: "bf16", O: "bf16" },
    dims: { G: halves, B: 0, BM: 64 },
  } as const;
  const { text, remarks } = compile(moeGemm, {
    specialization,
    target: cuda.defaultSpec("sm_90a"),
    divisibility: DIVISIBILITY,
  });
  const messages = remarks.map(({ pass, message }) => `${pass}: ${message}`);

  it("says why it takes no tensor maps", () => {
    expect(messages.filter((one) => one.startsWith("find-role-loop: not wgmma"))).toHaveLength(1);
  });

  it("brings rows and weights by cp.async and multiplies them by mma.sync", () => {
    expect(messages).toContain("stage-operands: load x: cp.async, 16 bytes a lane");
    expect(messages).toContain("stage-operands: load w: cp.async, 16 bytes a lane");
    expect(messages.filter((one) => one.includes("mma.sync m16n8k16"))).toHaveLength(halves);
    expect(text).not.toContain("tw_wgmma");
    expect(text).not.toContain("tw_tma");
  });
});

/** Shared memory of a multiprocessor of sm_90. */
const SHARED_BYTES = 228 * 1024;

describe("the configs of moe_gemm for sm_90a", () => {
  const entries = HOPPER["moe_gemm"] ?? [];

  it.each([
    [16, 1],
    [32, 2],
    [64, 1],
    [64, 2],
  ])("run two blocks of %i rows on a multiprocessor, weights of %i halves", (BM, G) => {
    const entry = entries.find(({ dims }) => BM <= (dims?.["BM"]?.[1] ?? BM));
    const { sharedBytes } = compile(moeGemm, {
      specialization: {
        dtypes: { T: "bf16", O: "bf16" },
        dims: { G, B: 0, BM },
        config: entry?.config ?? {},
      },
      target: cuda.defaultSpec("sm_90a"),
      divisibility: DIVISIBILITY,
    });
    expect(sharedBytes).toBeGreaterThan(0);
    expect(2 * sharedBytes).toBeLessThanOrEqual(SHARED_BYTES);
  });
});
