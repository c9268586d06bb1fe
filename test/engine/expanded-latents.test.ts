/** [test/engine] Latent attention with keys and values made of latents for long prompts: whole, in chunks beside decodes, over a found beginning, starting over; against transformers and the absorbed form. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { EngineOptions } from "../../engine/config.ts";
import type { StepOutput } from "../../engine/core.ts";
import { Engine } from "../../engine/engine.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput, RequestGroup } from "../../engine/request-group.ts";
import { ModelRunner } from "../../engine/runner.ts";
import { tinyCases, tinyFolder } from "../support/hf-tiny.ts";
import { HopperLike } from "../support/hopper-like.ts";
import { sharedFolder } from "../support/shared-models.ts";

const LOGPROB_TOLERANCE = 2e-3;
/** Below this the first two logits are too close for their order to be defined. */
const LEAST_MARGIN = 1e-2;
const MAX_TOKENS = 12;
const LAYERS = 3;

const root = sharedFolder("expanded latents", "fixtures/hf-tiny");
if (root !== undefined) {
  const cases = tinyCases(root, "deepseek-v3");
  const model = tinyFolder(root, "deepseek-v3");
  const all = cases.flatMap(({ prompt }) => prompt);
  const long = [...all, ...all].slice(0, 140);
  const scored = { maxTokens: MAX_TOKENS, temperature: 0, ignoreEos: true, promptLogprobs: 0 };
  /** Log-probabilities of the long prompt's tokens, by the absorbed form. */
  let absorbed: readonly number[] = [];
  /** The token after them, and its own. */
  let next: RequestOutput["logprobs"][number] | undefined;
  let device: HopperLike;

  const scoresOf = ({ promptLogprobs }: RequestOutput): readonly number[] =>
    promptLogprobs.slice(1).map((entry) => entry?.logprob ?? Number.NaN);
  const distance = (seen: readonly number[], expected: readonly number[]): number => {
    expect(seen).toHaveLength(expected.length);
    return Math.max(0, ...seen.map((value, i) => Math.abs(value - (expected[i] ?? Number.NaN))));
  };

  async function withEngine<T>(
    options: Partial<EngineOptions>,
    use: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    device.counts.clear();
    const usual = { model, device, maxModelLen: 256, dtype: "float32" } as const;
    const engine = await Engine.load({ ...usual, ...options });
    try {
      return await use(engine);
    } finally {
      await engine.close();
    }
  }

  async function checkAll(engine: Engine): Promise<void> {
    const given = cases.map(({ prompt }) => prompt);
    const prompts = [...given.slice(0, 2), long, ...given.slice(2)];
    const outputs = await new RequestGroup(engine, prompts, scored).finish();
    const [first, ...others] = [...outputs.splice(2, 1), ...outputs];
    if (first === undefined) throw new Error("no output");
    expect(distance(scoresOf(first), absorbed)).toBeLessThanOrEqual(LOGPROB_TOLERANCE);
    others.forEach((output, i) => {
      const expected = cases[i]?.prompt_logprobs.slice(1).map((value) => value ?? Number.NaN) ?? [];
      expect(distance(scoresOf(output), expected)).toBeLessThanOrEqual(LOGPROB_TOLERANCE);
      const margins = cases[i]?.greedy_margin ?? [];
      const open = margins.findIndex((margin) => margin < LEAST_MARGIN);
      const end = open < 0 ? MAX_TOKENS : Math.min(open, MAX_TOKENS);
      expect(output.tokenIds.slice(0, end)).toEqual(cases[i]?.greedy.slice(0, end));
    });
  }

  beforeAll(async () => {
    device = new HopperLike();
    const exact = { model, device: "interpreter", dtype: "float32", maxModelLen: 256 } as const;
    const engine = await Engine.load(exact);
    const output = await lastOutput(engine.generate(long, { ...scored, logprobs: 0 }));
    absorbed = scoresOf(output);
    next = output.logprobs[0];
    await engine.close();
  });
  afterAll(() => device.close());

  describe("latent attention with keys and values of heads", () => {
    const WAYS: readonly (readonly [string, number, Partial<EngineOptions>])[] = [
      ["whole prompts beside short ones", 1, {}],
      // 74 of the long prompt beside two short ones, then 66 behind them beside their decodes.
      ["in chunks beside decodes", 2, { maxNumBatchedTokens: 84 }],
      ["starting over", 2, { numGpuBlocksOverride: 72, blockSize: 4 }],
    ];
    it.each(WAYS)("gives what the absorbed form gives: %s", async (way, steps, options) => {
      await withEngine(options, async (engine) => {
        await checkAll(engine);
        expect(device.countOf("ragged_attention")).toBeGreaterThanOrEqual(steps * LAYERS);
        if (way === "starting over") expect(engine.numPreemptions).toBeGreaterThan(0);
      });
    });

    it("gives the outputs of a step in the order of its entries", async () => {
      const submit = vi.spyOn(ModelRunner.prototype, "submit");
      await withEngine({}, async (engine) => {
        const params = { ...scored, maxTokens: 1 };
        await new RequestGroup(engine, [long, [5, 6, 7]], params).finish();
      });
      const [plan] = submit.mock.calls[0] ?? [];
      expect(plan?.entries.map(({ count }) => count)).toEqual([long.length, 3]);
      const outputs = await submit.mock.results[0]?.value;
      submit.mockRestore();
      expect(outputs.map(({ entry }: StepOutput) => entry)).toEqual(plan?.entries);
    });

    it("reads a found beginning out of pages", async () => {
      await withEngine({ blockSize: 8 }, async (engine) => {
        const params = { maxTokens: 1, temperature: 0, ignoreEos: true, logprobs: 0 };
        await lastOutput(engine.generate(long.slice(0, 30), params));
        expect(device.countOf("ragged_attention")).toBe(0);
        const { logprobs } = await lastOutput(engine.generate(long, params));
        expect(engine.stats.prefixHits).toBeGreaterThan(0);
        expect(device.countOf("ragged_attention")).toBeGreaterThan(0);
        const [seen] = logprobs;
        expect(seen?.tokenId).toBe(next?.tokenId);
        expect(distance([seen?.logprob ?? Number.NaN], [next?.logprob ?? 0])).toBeLessThanOrEqual(
          LOGPROB_TOLERANCE,
        );
      });
    });

    it("keeps the absorbed form where batches may not show in bits", async () => {
      await withEngine({ batchInvariant: true }, async (engine) => {
        await lastOutput(engine.generate(long, scored));
        expect(device.countOf("ragged_attention")).toBe(0);
      });
    });
  });
}
