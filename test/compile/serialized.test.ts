/** [test/compile] What the assembler notes of products that it runs one after the other is a warning, with its remedy. */
import { describe, expect, it } from "vitest";
import { compile } from "../../codegen/compile.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { linear } from "../../dsl/kernels/catalogue.ts";
import { explicitGemm } from "../../examples/18-explicit-gemm.ts";
import { explicitAttention } from "../../examples/20-explicit-attention.ts";
import { NvrtcCompiler } from "../../runtime/drivers/cuda/compiler.ts";
import { openNvrtc } from "../support/nvrtc.ts";

const nvrtc = openNvrtc();

if ("reason" in nvrtc) {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(nvrtc.reason);
  console.warn(`skipped: serialized products in NVRTC: ${nvrtc.reason}`);
  describe.skip(`serialized products in NVRTC (${nvrtc.reason})`, () => {});
} else {
  it("two products in flight, one of rows in registers, are not run one after the other", () => {
    const { text } = compile(explicitAttention, {
      specialization: { dtypes: { T: "bf16" }, dims: { D: 128 } },
      target: cudaSpec("sm_90a"),
    });
    const { ok, log } = nvrtc.compile(text, "sm_90a", ["--ptxas-options=-v"]);
    expect(ok, log).toBe(true);
    expect(log).not.toMatch(/C75\d\d/);
    expect(log).toMatch(/ 0 bytes spill stores/);
  });

  describe.each([
    ["roles of the compiler", linear, { T: "bf16", O: "bf16" }],
    ["roles that the kernel writes", explicitGemm, { T: "bf16" }],
  ] as const)("products whose sums are touched while they run, in %s", (_, kernel, dtypes) => {
    const { text } = compile(kernel, {
      specialization: {
        dtypes,
        config: {
          BM: 64,
          BN: 64,
          BK: 64,
          stages: 3,
          ...(kernel === explicitGemm ? { consumers: 1 } : {}),
        },
      },
      target: cudaSpec("sm_90a"),
      divisibility: { M: 16, N: 16, K: 16 },
    });
    const request = (body: string) => ({ text: body, name: kernel.name, arch: "sm_90a" });
    const compiler = new NvrtcCompiler();

    /** Warnings of this kind while `run` compiles. */
    async function warningsOf(run: () => unknown): Promise<readonly string[]> {
      const seen: string[] = [];
      const note = (
        warning: Error & { readonly code?: string; readonly detail?: string },
      ): void => {
        if (warning.code === "TW3216") seen.push(`${warning.message}\n${warning.detail}`);
      };
      process.on("warning", note);
      await run();
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", note);
      return seen;
    }

    it("bring a warning", async () => {
      const touched = text.replace("tw_wgmma_commit();", "acc[0] = acc[0] * 1.5f; $&");
      expect(touched).not.toBe(text);
      const [warning] = await warningsOf(() => compiler.cubin(request(touched)));
      expect(warning).toMatch(/one after the other on sm_90a[\s\S]*C75\d\d[\s\S]*remedy/);
    });

    it("bring it in the background", async () => {
      const touched = text.replace("tw_wgmma_commit();", "acc[0] = acc[0] * 2.5f; $&");
      expect(await warningsOf(() => compiler.cubinAsync(request(touched)))).toHaveLength(1);
    });

    it("are none in the text as it is emitted", async () => {
      expect(await warningsOf(() => compiler.cubin(request(text)))).toEqual([]);
    });
  });
}
