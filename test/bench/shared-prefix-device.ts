/**
 * [test/bench] Choices of one long prompt on a device, with the beginning read once for all and for each of them: log-probabilities compared, steps timed.
 * `tsx test/bench/shared-prefix-device.ts DRIVER SHAPE PROMPT CHOICES [TOKENS]`; weights are random. Exit code 1 where they differ.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine } from "../../engine/engine.ts";
import { shapeConfig } from "../../engine/model-bench/shapes.ts";
import type { RequestOutput } from "../../engine/output.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { openDevice } from "../../runtime/index.ts";

const [driver = "interpreter", shape = "llama-3.2-1b", ...counts] = process.argv.slice(2);
const [prompt = 4096, choices = 32, tokens = 64] = counts.map(Number);
/** Of log-probabilities: both round sums to bfloat16 in another order. */
const TOLERANCE = 0.1;
const ROUNDS = 3;

const config = shapeConfig(shape);
const folder = mkdtempSync(join(tmpdir(), "tilewright-shared-"));
writeFileSync(join(folder, "config.json"), JSON.stringify(config));
const device = await openDevice(driver);
const ids = Array.from({ length: prompt }, (_, i) => 3 + ((i * 7919) % (config.vocab_size - 3)));

/** Names of launches that were not replays. */
const launched = new Map<string, number>();
const launch = device.launch.bind(device);
device.launch = (kernel, ...rest) => {
  launched.set(kernel.name, (launched.get(kernel.name) ?? 0) + 1);
  launch(kernel, ...rest);
};

interface Run {
  readonly outputs: readonly RequestOutput[];
  /** Milliseconds of a step, the median of the rounds. */
  readonly stepMs: number;
  readonly shares: boolean;
}

async function run(disableCascadeAttn: boolean): Promise<Run> {
  launched.clear();
  const engine = await Engine.load({
    model: folder,
    device,
    loadFormat: "dummy",
    dtype: device.info.hardware ? "bfloat16" : "float32",
    maxModelLen: prompt + tokens + 1,
    maxNumSeqs: choices,
    disableCascadeAttn,
  });
  const params = { n: choices, temperature: 1, seed: 1, ignoreEos: true };
  const generate = async (maxTokens: number, more: object = {}) => {
    const group = new RequestGroup(engine, [ids], { ...params, ...more, maxTokens });
    return (await group.finish()).flat();
  };
  try {
    // The prompt is in the cache afterwards, and what decodes launch is compiled and captured.
    const outputs = await generate(8, { logprobs: 0 });
    await generate(8);
    const spans: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const times: number[] = [];
      for (const count of [4, 4 + tokens]) {
        const begin = performance.now();
        await generate(count);
        times.push(performance.now() - begin);
      }
      spans.push(((times[1] ?? 0) - (times[0] ?? 0)) / tokens);
    }
    return {
      outputs,
      stepMs: spans.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN,
      shares: (launched.get("shared_prefix_decode") ?? 0) > 0,
    };
  } finally {
    await engine.close();
  }
}

/** Largest difference while both have chosen the same tokens, and positions compared. */
function compare(a: readonly RequestOutput[], b: readonly RequestOutput[]) {
  let [error, compared] = [0, 0];
  a.forEach(({ tokenIds, logprobs }, i) => {
    const other = b[i];
    for (let at = 0; at < tokenIds.length && tokenIds[at] === other?.tokenIds[at]; at++) {
      const [own, theirs] = [logprobs[at]?.logprob, other?.logprobs[at]?.logprob];
      error = Math.max(error, Math.abs((own ?? Number.NaN) - (theirs ?? Number.NaN)));
      compared += 1;
    }
  });
  return { error, compared };
}

const shared = await run(false);
const plain = await run(true);
await device.close();
rmSync(folder, { recursive: true });
const { error, compared } = compare(shared.outputs, plain.outputs);
const isRight = shared.shares && !plain.shares && error < TOLERANCE && compared > choices;
const report = {
  shape,
  prompt,
  choices,
  tokens,
  stepMs: Number(shared.stepMs.toFixed(3)),
  plainStepMs: Number(plain.stepMs.toFixed(3)),
  largestError: Number(error.toExponential(1)),
  compared,
  isRight,
};
console.log(JSON.stringify(report));
process.exitCode = isRight ? 0 : 1;
