/** [test/engine] The trained story model continues every golden prompt token for token as its reference program does, on every device. */
import { expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { describeDevices } from "../support/devices.ts";
import { readJson, sharedFolder } from "../support/shared-models.ts";

interface Golden {
  readonly cases: readonly {
    readonly prompt: string;
    readonly prompt_ids: readonly number[];
    readonly greedy_ids: readonly number[];
    readonly text: string;
  }[];
}

/** A GPU in software on a busy machine. */
const SLOW_GPU_MS = 600_000;

const folder = sharedFolder("stories260k", "models/stories260k");
if (folder !== undefined) {
  const { cases } = readJson<Golden>(folder, "golden.json");
  await describeDevices("stories260k", (device) => {
    it("continues all prompts as the reference does, in one batch", {
      timeout: SLOW_GPU_MS,
    }, async () => {
      const engine = await Engine.load({ model: folder, device, dtype: "float32" });
      try {
        const outputs = await Promise.all(
          cases.map(({ prompt, greedy_ids: ids }) =>
            lastOutput(engine.generate(prompt, { maxTokens: ids.length, temperature: 0 })),
          ),
        );
        expect(outputs.map(({ promptTokenIds }) => promptTokenIds)).toEqual(
          cases.map(({ prompt_ids: ids }) => ids),
        );
        expect(outputs.map(({ tokenIds }) => tokenIds)).toEqual(
          cases.map(({ greedy_ids: ids }) => ids),
        );
        // The reference starts with the prompt and strips the space before its first word.
        expect(outputs.map(({ text }, i) => `${cases[i]?.prompt}${text}`)).toEqual(
          cases.map(({ text }) => text),
        );
      } finally {
        await engine.close();
      }
    });
  });
}
