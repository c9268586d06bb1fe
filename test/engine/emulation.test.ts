/** [test/engine] A whole model through the CUDA text of its kernels, run on the CPU emulation with the tile sizes of a real GPU, against the interpreter. */
import { describe, expect, it } from "vitest";
import { TARGETS } from "../../codegen/index.ts";
import { readFlag } from "../../dsl/index.ts";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { CoreDevice, type Device, openDevice } from "../../runtime/index.ts";
import { EmulatedBackend } from "../support/emulated-backend.ts";
import { openEmulation } from "../support/emulation.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const PROMPTS = ["a", "Once upon a time there was a token", "xyz"];
const PARAMS = { maxTokens: 4, temperature: 0, ignoreEos: true, logprobs: 1, promptLogprobs: 1 };

/** Prefill of several sequences, decodes, sampling and log-probabilities. */
async function outputsOf(device: Device, dtype: NonNullable<EngineOptions["dtype"]>) {
  const engine = await Engine.load({ model: writeTinyModel(), device, dtype });
  try {
    return await new RequestGroup(engine, PROMPTS, PARAMS).finish();
  } finally {
    await engine.close();
    await device.close();
  }
}

const emulation = openEmulation();
if ("reason" in emulation) {
  if (readFlag("requireDrivers") === "1") throw new Error(emulation.reason);
  console.warn(`skipped: a model on emulated CUDA: ${emulation.reason}`);
  describe.skip(`a model on emulated CUDA (${emulation.reason})`, () => {});
} else {
  describe("a model on emulated CUDA", () => {
    // In 16 bits both devices round at the same places, but sum in another order, which flips roundings.
    it.each([
      ["sm_80", "float32", 1e-4],
      ["sm_90a", "bfloat16", 0.05],
      ["sm_90a", "float16", 0.01],
    ] as const)("on %s in %s gives what the interpreter gives", async (arch, dtype, tolerance) => {
      const target = TARGETS.cuda.defaultSpec(arch);
      const device = new CoreDevice(new EmulatedBackend(emulation, { target, check: false }));
      const seen = await outputsOf(device, dtype);
      const expected = await outputsOf(await openDevice("interpreter"), dtype);
      const flat = (outputs: typeof seen) =>
        outputs.flatMap(({ promptLogprobs }) =>
          promptLogprobs.slice(1).map((e) => e?.logprob ?? 0),
        );
      const other = flat(expected);
      const differences = flat(seen).map((value, i) => Math.abs(value - (other[i] ?? 0)));
      expect(differences).toHaveLength(other.length);
      expect(Math.max(...differences)).toBeLessThanOrEqual(tolerance);
      if (dtype === "float32")
        expect(seen.map(({ tokenIds }) => tokenIds)).toEqual(
          expected.map(({ tokenIds }) => tokenIds),
        );
    });
  });
}
