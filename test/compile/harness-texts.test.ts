/** [test/compile] NVRTC takes the CUDA texts of the benchmark harness, which only a GPU can run. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openNvrtc } from "../support/nvrtc.ts";

const nvrtc = openNvrtc();
const TEXTS = [
  { name: "check", defines: { X_KIND: 3, BIAS_KIND: 0, Y_KIND: 2 } },
  { name: "check", defines: { X_KIND: 5, BIAS_KIND: 0, Y_KIND: 6 } },
  { name: "copy", defines: {} },
] as const;

if ("reason" in nvrtc) {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(nvrtc.reason);
  console.warn(`skipped: texts of the harness in NVRTC: ${nvrtc.reason}`);
  describe.skip(`texts of the harness in NVRTC (${nvrtc.reason})`, () => {});
} else {
  it.each(TEXTS)("takes $name with $defines", ({ name, defines }) => {
    const url = new URL(`../../runtime/peers/text/${name}.cuh`, import.meta.url);
    const head = Object.entries(defines).map(([key, value]) => `#define ${key} ${value}\n`);
    const result = nvrtc.compile(head.join("") + readFileSync(url, "utf8"), "sm_90a");
    expect(result.log).toBe("");
    expect(result.cubinBytes).toBeGreaterThan(0);
  });
}
