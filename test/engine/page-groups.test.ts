/** [test/engine] Groups of layers with pages of their own, in models that compute: windows give pages back, states stand beside keys and values. On the interpreter. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sizeCache } from "../../engine/cache-size.ts";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { KvManager } from "../../engine/kv/kv-manager.ts";
import { mostPages } from "../../engine/kv/page-counts.ts";
import type { MixerConfig } from "../../engine/layers/blocks.ts";
import { Decoder, type DecoderConfig } from "../../engine/layers/decoder.ts";
import { pageLayout } from "../../engine/layers/page-layout.ts";
import { RandomWeights } from "../../engine/layers/random-weights.ts";
import { loadModel } from "../../engine/load.ts";
import { mamba2 } from "../../engine/models/mamba2.ts";
import { attentionConfig, decoderConfig } from "../../engine/models/model.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { ModelRunner } from "../../engine/runner.ts";
import { Scheduler } from "../../engine/scheduler/scheduler.ts";
import { readModelConfig } from "../../engine/weights/model-config.ts";
import { CoreDevice, type Device, openDevice } from "../../runtime/index.ts";
import { CapturingBackend } from "../support/capturing-backend.ts";
import { tinyFolder } from "../support/hf-tiny.ts";
import { sharedFolder } from "../support/shared-models.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const PAGE = 4;
const LOGPROB_TOLERANCE = 2e-3;

let device: Device;
beforeAll(async () => {
  device = await openDevice("interpreter");
});
afterAll(() => device.close());

const ids = (length: number, first = 3) =>
  Array.from({ length }, (_, i) => 3 + ((first + i * 7) % 50));

const root = sharedFolder("windows on some layers", "fixtures/hf-tiny");
describe.runIf(root !== undefined)("a model with windows on two of three layers", () => {
  const WINDOW = 24;
  const CHUNK = 16;
  const [PROMPT, OUTPUT] = [150, 30];

  it("holds few pages for them, and computes what it computes with all", async () => {
    const model = tinyFolder(root ?? "", "gemma3");
    const groups = [{ kind: "full" }, window(WINDOW), window(WINDOW)] as const;
    const shape = { groups, pageSize: PAGE, chunk: CHUNK };
    const needed = mostPages(PROMPT + OUTPUT, shape);
    expect(needed).toBe(Math.ceil((PROMPT + OUTPUT) / PAGE) + 2 * ((WINDOW + CHUNK) / PAGE + 1));
    const few: EngineOptions = {
      model,
      device,
      blockSize: PAGE,
      maxModelLen: 256,
      dtype: "float32",
    };
    const engine = await Engine.load({
      ...few,
      maxNumBatchedTokens: CHUNK,
      numGpuBlocksOverride: 1 + needed + 14, // a short one beside it takes what the windows leave
    });
    const params = { maxTokens: OUTPUT, temperature: 0, ignoreEos: true, logprobs: 0 };
    let most = 0;
    const beside = async () => {
      for (let i = 0; i < 8; i++)
        await lastOutput(engine.generate(ids(9, i), { ...params, maxTokens: 6 }));
    };
    const [long] = await Promise.all([
      (async () => {
        let last: RequestOutput | undefined;
        for await (const output of engine.generate(ids(PROMPT), params)) {
          most = Math.max(most, engine.info.numPages - 1 - engine.numFreePages);
          last = output;
        }
        return last;
      })(),
      beside(),
    ]);
    expect(engine.numPreemptions).toBe(0);
    expect(most).toBeLessThanOrEqual(needed + 14);
    expect(engine.numFreePages).toBe(engine.info.numPages - 1);
    await engine.close();

    const { tokenIds = [], logprobs = [] } = long ?? {};
    expect(tokenIds).toHaveLength(OUTPUT);
    const whole = await Engine.load({ ...few, maxNumBatchedTokens: 512 });
    const all = [...ids(PROMPT), ...tokenIds];
    const scored = await lastOutput(whole.generate(all, { maxTokens: 1, promptLogprobs: 0 }));
    await whole.close();
    const errors = logprobs.map(({ logprob }, i) =>
      Math.abs(logprob - (scored.promptLogprobs[PROMPT + i]?.logprob ?? Number.NaN)),
    );
    expect(Math.max(...errors)).toBeLessThan(LOGPROB_TOLERANCE);
    expect(scored.promptLogprobs.slice(PROMPT).every((one) => one?.rank === 1)).toBe(true);
  }, 60_000);

  it("finds beginnings that all of its groups can go on from", async () => {
    const engine = await Engine.load({
      model: tinyFolder(root ?? "", "gemma3"),
      device,
      blockSize: PAGE,
      maxModelLen: 256,
      dtype: "float32",
    });
    const params = { maxTokens: 8, temperature: 0, ignoreEos: true, logprobs: 0 };
    const first = await lastOutput(engine.generate(ids(80), params));
    const again = await lastOutput(engine.generate(ids(80), params));
    expect([first.numCachedTokens, again.numCachedTokens]).toEqual([0, 76]);
    expect(again.tokenIds).toEqual(first.tokenIds);
    again.logprobs.forEach(({ logprob }, i) => {
      expect(Math.abs(logprob - (first.logprobs[i]?.logprob ?? 0))).toBeLessThan(LOGPROB_TOLERANCE);
    });
    await engine.close();
  }, 60_000);
});

function window(positions: number) {
  return { kind: "window", window: positions } as const;
}

/** Attention without and with a window, and states, by turns. Weights are random. */
function hybrid(folder: string): DecoderConfig {
  const config = readModelConfig(folder);
  const attention = attentionConfig(config, config.max_position_embeddings);
  const ssm = mamba2.configure(
    { ...config, head_dim: 16, num_attention_heads: 4, n_groups: 2, state_size: 16 },
    config.max_position_embeddings,
  ).blocks[0]?.mixer.layer;
  const mixerOf = (block: string): MixerConfig => {
    const at = Number(block.split(".").at(-1));
    const name = `${block}.mixer`;
    if (at % 2 === 1 && ssm?.kind === "state-space") return { ...ssm, name };
    return { ...attention, name, window: at === 2 ? 12 : 0 };
  };
  const deep = { ...config, num_hidden_layers: 5 };
  return decoderConfig(deep, config.max_position_embeddings, { mixer: mixerOf });
}

interface Limits {
  readonly numPages: number;
  readonly maxBatchedTokens: number;
  readonly maxNumSeqs: number;
}

async function hybridOutputs(runsOn: Device, limits: Limits) {
  const folder = writeTinyModel();
  const config = hybrid(folder);
  const base = await loadModel({ model: folder, device: "null" });
  const weights = new RandomWeights(runsOn, "f32");
  const model = new Decoder(weights, config);
  const maxModelLen = 128;
  const { groups } = pageLayout(
    config.blocks.map(({ mixer }) => mixer.layer),
    maxModelLen,
  );
  expect(groups.map(({ kind }) => kind)).toEqual(["full", "full", "window", "state"]);
  const sized = sizeCache(
    {
      model: folder,
      blockSize: PAGE,
      numGpuBlocksOverride: limits.numPages,
      maxNumSeqs: limits.maxNumSeqs,
    },
    { model: config, dtype: "f32", kvDtype: "f32", device: runsOn, weightBytes: 0, maxModelLen },
  );
  expect(sized.numStates).toBe(limits.maxNumSeqs + 1);
  const runner = new ModelRunner(runsOn, model, weights.finish(), {
    ...sized,
    dtype: "f32",
    maxModelLen,
    enforceEager: false,
  });
  const kv = new KvManager({ ...sized, groups, prefixCaching: true });
  const scheduler = new Scheduler({ ...limits, maxModelLen }, kv, []);
  const info = { ...base.info, ...limits, maxModelLen, pageSize: PAGE };
  const engine = Engine.over({ ...base, info, runner, kv, scheduler }, { checksEachStep: true });
  const params = { maxTokens: 10, temperature: 0, ignoreEos: true, logprobs: 0 };
  const streams = [11, 4, 30, 17].map((length, i) => engine.generate(ids(length, i), params));
  const outputs = await Promise.all(streams.map(lastOutput));
  const { numPreemptions } = engine;
  await engine.close();
  expect(engine.numFreePages).toBe(limits.numPages - 1);
  return { outputs, numPreemptions };
}

describe("a model of attention and states", () => {
  const roomy = { numPages: 300, maxBatchedTokens: 512, maxNumSeqs: 1 };
  let alone: Awaited<ReturnType<typeof hybridOutputs>>;
  beforeAll(async () => {
    alone = await hybridOutputs(device, roomy);
  });

  it.each([
    ["in one batch", { ...roomy, maxNumSeqs: 4 }],
    ["in chunks of 5", { ...roomy, maxNumSeqs: 4, maxBatchedTokens: 5 }],
    ["with too few pages for all", { numPages: 44, maxBatchedTokens: 64, maxNumSeqs: 4 }],
  ])(
    "gives the same %s as one after another",
    async (_how, limits) => {
      const { outputs, numPreemptions } = await hybridOutputs(device, limits);
      expect(numPreemptions > 0).toBe(limits.numPages < roomy.numPages);
      outputs.forEach(({ tokenIds, logprobs }, i) => {
        const wanted = alone.outputs[i];
        expect(tokenIds).toEqual(wanted?.tokenIds);
        logprobs.forEach(({ logprob }, at) => {
          const error = Math.abs(logprob - (wanted?.logprobs[at]?.logprob ?? 0));
          expect(error).toBeLessThan(LOGPROB_TOLERANCE);
        });
      });
    },
    60_000,
  );

  it("replays captured steps as it runs them one by one", async () => {
    const backend = new CapturingBackend();
    const capturing = new CoreDevice(backend);
    const batch = { ...roomy, maxNumSeqs: 4 };
    const captured = await hybridOutputs(capturing, batch);
    expect(backend.replays).toBeGreaterThan(3);
    expect(captured.outputs.map(({ tokenIds }) => tokenIds)).toEqual(
      alone.outputs.map(({ tokenIds }) => tokenIds),
    );
    await capturing.close();
  }, 60_000);
});
