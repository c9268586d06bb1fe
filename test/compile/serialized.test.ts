/** [test/compile] What the assembler notes of products that it runs one after the other is an error, with its remedy. */
import { describe, expect, it } from "vitest";
import { compile } from "../../codegen/compile.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { linear } from "../../dsl/kernels/catalogue.ts";
import { NvrtcCompiler } from "../../runtime/drivers/cuda/compiler.ts";
import { openNvrtc } from "../support/nvrtc.ts";

const nvrtc = openNvrtc();

if ("reason" in nvrtc) {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(nvrtc.reason);
  console.warn(`skipped: serialized products in NVRTC: ${nvrtc.reason}`);
  describe.skip(`serialized products in NVRTC (${nvrtc.reason})`, () => {});
} else {
  describe("products whose sums are touched while they run", () => {
    const { text } = compile(linear, {
      specialization: {
        dtypes: { T: "bf16", O: "bf16" },
        config: { BM: 64, BN: 64, BK: 64, stages: 3 },
      },
      target: cudaSpec("sm_90a"),
      divisibility: { M: 16, N: 16, K: 16 },
    });
    const request = (body: string) => ({ text: body, name: "linear", arch: "sm_90a" });
    const compiler = new NvrtcCompiler();

    it("are refused", () => {
      const touched = text.replace("tw_wgmma_commit();", "acc[0] = acc[0] * 1.5f; $&");
      expect(touched).not.toBe(text);
      expect(() => compiler.cubin(request(touched))).toThrow(/TW3216[\s\S]*C75\d\d[\s\S]*remedy/);
    });

    it("are refused in the background", async () => {
      const touched = text.replace("tw_wgmma_commit();", "acc[0] = acc[0] * 2.5f; $&");
      await expect(compiler.cubinAsync(request(touched))).rejects.toThrow(/TW3216/);
    });

    it("are none in the text as it is emitted", () => {
      expect(compiler.cubin(request(text)).length).toBeGreaterThan(0);
    });
  });
}
