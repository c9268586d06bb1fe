/** [test/compile] NVRTC takes the CUDA texts of the benchmark harness, which only a GPU can run. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openNvrtc } from "../support/nvrtc.ts";

const nvrtc = openNvrtc();
const TEXTS = [
  { names: ["check"], defines: { X_KIND: 3, BIAS_KIND: 0, Y_KIND: 2 } },
  { names: ["check"], defines: { X_KIND: 5, BIAS_KIND: 0, Y_KIND: 6 } },
  {
    names: ["check", "attention"],
    defines: { X_KIND: 2, BIAS_KIND: 2, Y_KIND: 2, D: 256, ROWS: 16, KEYS: 8 },
  },
  { names: ["copy"], defines: {} },
] as const;

if ("reason" in nvrtc) {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(nvrtc.reason);
  console.warn(`skipped: texts of the harness in NVRTC: ${nvrtc.reason}`);
  describe.skip(`texts of the harness in NVRTC (${nvrtc.reason})`, () => {});
} else {
  it.each(TEXTS)("takes $names with $defines", ({ names, defines }) => {
    const texts = names.map((name) =>
      readFileSync(new URL(`../../runtime/peers/text/${name}.cuh`, import.meta.url), "utf8"),
    );
    const head = Object.entries(defines).map(([key, value]) => `#define ${key} ${value}\n`);
    const result = nvrtc.compile([...head, ...texts].join("\n"), "sm_90a");
    expect(result.log).toBe("");
    expect(result.cubinBytes).toBeGreaterThan(0);
  });
}
