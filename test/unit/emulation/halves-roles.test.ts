/** [test/unit/emulation] Decodes of latents by halves of the columns in roles, as text for sm_90a run on the CPU. */
import { describe, expect, it } from "vitest";
import { compileStages } from "../../../codegen/index.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { makeSample, type Problem } from "../../../dsl/kernels/catalogue.ts";
import { halvesProblem, mlaDecodeHalvesEntry } from "../../../dsl/kernels/mla-decode-halves.ts";
import { runCases } from "../../../runtime/conformance/run.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import type { Device } from "../../../runtime/index.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");
const { kernel } = mlaDecodeHalvesEntry;

/** Columns of two panels, which lie one way round as keys and the other as values; padding rows among sequences; heads past a block. */
const WHOLE: Problem = {
  ...halvesProblem(
    "two panels of columns",
    5,
    [130, 0, 65],
    { heads: 70, rank: 256, rotary: 64, page: 64, programs: 2 },
    { GP: 64, BN: 64, HALF: 128 },
  ),
  dtypes: { T: "bf16" },
};
async function run(device: Device, problem: Problem): Promise<string> {
  const { dtypes, config = {}, name } = problem;
  const specialization = { dtypes, config };
  const data = () => makeSample(mlaDecodeHalvesEntry, problem);
  const one = { group: "kernels" as const, name, kernel, specialization, data };
  for await (const { status, message } of runCases(device, [one]))
    return `${status} ${message}`.trim();
  return "nothing ran";
}

describe("decodes by halves of the columns", () => {
  it.skipIf("reason" in emulation)("are right in roles", async () => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    expect(await run(new CoreDevice(new EmulatedBackend(emulation, { target })), WHOLE)).toBe(
      "passed",
    );
  });

  it("take their roles as written at the sizes of DeepSeek, with two slots", () => {
    const { artifact } = compileStages(kernel, {
      specialization: {
        dtypes: { T: "bf16" },
        dims: { R: 512, DR: 64, PAGE: 64 },
      },
      target,
    });
    const messages = artifact.remarks.map(({ message }) => message).join("\n");
    expect(messages).toMatch(/as written: one thread copies, one warpgroup multiplies/);
    expect(messages).toMatch(/wgmma m64n256k16/);
    expect(artifact.sharedBytes).toBeGreaterThan(3 * 64 * 576 * 2);
  });
});
