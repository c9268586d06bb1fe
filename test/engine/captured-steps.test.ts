/** [test/engine] Decodes that are captured and replayed give what launches one by one give: rows that come, go and move, tokens the host never saw. */
import { describe, expect, it } from "vitest";
import { Request, type StepEntry, type StepPlan } from "../../engine/core.ts";
import { Engine } from "../../engine/engine.ts";
import { loadModel } from "../../engine/load.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { ModelRunner } from "../../engine/runner.ts";
import { resolveSampling } from "../../engine/sampling.ts";
import { bucketRows } from "../../engine/step-graphs.ts";
import { CoreDevice } from "../../runtime/index.ts";
import { CapturingBackend } from "../support/capturing-backend.ts";
import { tinyFolder } from "../support/hf-tiny.ts";
import { sharedFolder } from "../support/shared-models.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const PAGE = 16;
const PROMPTS = [[5, 9, 70], [44], [91, 92, 93, 94, 95, 96, 97], [30, 31], [60, 61, 62]];

async function generate(model: string, enforceEager: boolean, params: object = {}) {
  const backend = new CapturingBackend();
  const device = new CoreDevice(backend);
  const engine = await Engine.load({
    model,
    device,
    dtype: "float32",
    maxModelLen: 64,
    enforceEager,
  });
  try {
    // They end one after another, so that rows become free in the middle.
    const outputs = await Promise.all(
      PROMPTS.map((promptTokenIds, i) =>
        new RequestGroup(engine, [promptTokenIds], {
          maxTokens: 4 + 5 * ((i * 3) % 5),
          temperature: i % 2,
          seed: i,
          ignoreEos: true,
          ...params,
        }).finish(),
      ),
    );
    return { outputs: outputs.flat(), backend };
  } finally {
    await engine.close();
    await device.close();
  }
}

describe("captured decodes", () => {
  it("give the tokens of launches one by one, in far fewer launches", async () => {
    const model = writeTinyModel();
    const eager = await generate(model, true);
    const captured = await generate(model, false);
    expect(captured.outputs.map(({ tokenIds }) => tokenIds)).toEqual(
      eager.outputs.map(({ tokenIds }) => tokenIds),
    );
    expect(eager.backend.replays).toBe(0);
    expect(captured.backend.replays).toBeGreaterThan(10);
    expect(captured.backend.launches).toBeLessThan(eager.backend.launches / 1.5);
  });

  it("leave log-probabilities to launches behind them", async () => {
    const model = writeTinyModel();
    const eager = await generate(model, true, { logprobs: 2 });
    const captured = await generate(model, false, { logprobs: 2 });
    expect(captured.backend.replays).toBeGreaterThan(10);
    expect(captured.outputs.map(({ logprobs }) => logprobs)).toEqual(
      eager.outputs.map(({ logprobs }) => logprobs),
    );
  });

  const root = sharedFolder("captured steps", "fixtures/hf-tiny");
  // Windows and sinks, latents, states, experts and norms of heads.
  const MODELS = ["gpt-oss", "deepseek-v3", "mamba2", "qwen3-moe", "gemma3"] as const;
  it.each(root === undefined ? [] : MODELS)(
    "of %s are those of launches one by one",
    async (name) => {
      const model = tinyFolder(root ?? "", name);
      const eager = await generate(model, true);
      const captured = await generate(model, false);
      expect(captured.backend.replays).toBeGreaterThan(5);
      expect(captured.outputs.map(({ tokenIds }) => tokenIds)).toEqual(
        eager.outputs.map(({ tokenIds }) => tokenIds),
      );
    },
  );
});

/** The next step of requests, whose last token is still on the device where `awaits` says so. */
function planOf(entries: readonly StepEntry[]): StepPlan {
  const numTokens = entries.reduce((sum, { count }) => sum + count, 0);
  return { entries, numTokens, preempted: [], copies: [] };
}

async function withRunner(use: (runner: ModelRunner) => Promise<void>, enforceEager: boolean) {
  const device = new CoreDevice(new CapturingBackend());
  const model = await loadModel({ model: writeTinyModel(), device, maxModelLen: 64, enforceEager });
  try {
    if (!(model.runner instanceof ModelRunner)) throw new Error("a model without weights");
    await use(model.runner);
  } finally {
    model.runner.close();
    await device.close();
  }
}

/** Prompts in one step, then decodes in an order that changes; nothing is read before all is submitted. */
async function overlapped(runner: ModelRunner, isOverlapped: boolean): Promise<number[][]> {
  const params = resolveSampling({ temperature: 1, maxTokens: 8 });
  const requests = PROMPTS.map((ids, i) => new Request(`r${i}`, ids, params, i));
  requests.forEach(({ pages }, i) => void pages.push(2 * i + 1, 2 * i + 2));
  const tokens = new Map<Request, number[]>(requests.map((request) => [request, []]));
  const steps: Promise<unknown>[] = [];
  for (let step = 0; step < 6; step++) {
    const turn = requests.map((_, i) => requests[(i + step) % requests.length] ?? requests[0]);
    const part = step < 3 ? turn : turn.slice(0, 6 - step); // requests leave from the third decode on
    const stays = (r: Request | undefined): r is Request => r !== undefined;
    const entries = (step < 3 ? part : requests.slice(0, 6 - step)).filter(stays).map((request) => {
      const start = step === 0 ? 0 : request.promptIds.length + step - 1;
      const count = step === 0 ? request.promptIds.length : 1;
      return { request, start, count, samples: true, awaits: isOverlapped && step > 0 };
    });
    const done = runner.submit(planOf(entries)).then((outputs) => {
      for (const { entry, token = -1 } of outputs) {
        const own = tokens.get(entry.request);
        if (own !== undefined) own[step] = token;
        if (!isOverlapped) entry.request.outputIds.push(token);
      }
    });
    steps.push(done);
    if (!isOverlapped) await done;
  }
  await Promise.all(steps);
  return [...tokens.values()];
}

describe("a step that awaits tokens", () => {
  it.each([false, true])("takes them from the device (enforceEager %s)", async (eager) => {
    let plain: number[][] = [];
    let ahead: number[][] = [];
    await withRunner(async (runner) => {
      expect(runner.capturesSteps).toBe(!eager);
      plain = await overlapped(runner, false);
      ahead = await overlapped(runner, true);
      expect(runner.numGraphs).toBe(eager ? 0 : 4); // 8, 4, 2 and 1 rows
    }, eager);
    expect(ahead).toEqual(plain);
    expect(plain.map((ids) => ids.length)).toEqual([6, 5, 4, 3, 3]);
    expect(new Set(plain.flat()).size).toBeGreaterThan(5);
  });
});

describe("warming up", () => {
  it("captures decodes of every size, or of the usual ones", async () => {
    const model = writeTinyModel();
    for (const [warmUp, graphs] of [
      ["every-batch", 6],
      [true, 4],
      [false, 0],
    ] as const) {
      const backend = new CapturingBackend({ checks: "off" });
      backend.info = { ...backend.info, hardware: true };
      const device = new CoreDevice(backend);
      const sizes = { maxModelLen: 48, maxNumSeqs: 20, blockSize: 8, numGpuBlocksOverride: 64 };
      const loaded = await loadModel({ model, device, dtype: "float32", warmUp, ...sizes });
      const captured = loaded.runner instanceof ModelRunner ? loaded.runner.numGraphs : -1;
      expect(captured).toBe(graphs); // 1, 2, 4, 8; 16 and 20 of 32 rows, which a page has not
      loaded.runner.close();
      await device.close();
    }
  });
});

describe("rows of captured steps", () => {
  it("are few sizes, none much larger than asked", () => {
    const sizes = Array.from({ length: 256 }, (_, i) => bucketRows(i + 1));
    expect([...new Set(sizes)]).toEqual([1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 160, 192, 224, 256]);
    sizes.forEach((size, i) => void expect(size).toBeGreaterThanOrEqual(i + 1));
    expect(bucketRows(PAGE * 20 + 1)).toBe(384);
  });
});
