/**
 * [test/bench] Groups of layers with pages of their own, captured steps and beam search on a device, each against the plainest form of the same.
 * `tsx test/bench/groups-device.ts DRIVER FOLDER...`; a folder is a model with windows on some of its layers. Exit code 1 where something differs.
 */
import { beamSampling } from "../../engine/beam-outputs.ts";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { openDevice } from "../../runtime/index.ts";

const [driver = "interpreter", ...folders] = process.argv.slice(2);
/** Of log-probabilities, in float32. */
const TOLERANCE = 1e-3;
const LENGTHS = [150, 40, 9];
const OUTPUT = 24;
const WIDTH = 3;
const BEAM_TOKENS = 8;

const ids = (length: number) => Array.from({ length }, (_, i) => 3 + ((i * 7 + length) % 50));
const greedy = { temperature: 0, ignoreEos: true } as const;
const device = await openDevice(driver);
let failures = 0;

function report(what: string, error: number, more: string): void {
  const isRight = error < TOLERANCE;
  failures += isRight ? 0 : 1;
  console.log(
    `${isRight ? "ok" : "FAILED"} ${what}: largest error ${error.toExponential(1)}; ${more}`,
  );
}

async function withEngine<T>(options: EngineOptions, use: (engine: Engine) => Promise<T>) {
  const engine = await Engine.load({ device, dtype: "float32", maxModelLen: 256, ...options });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** Log-probabilities of what follows a prompt, by one prefill over all of it. */
async function scored(engine: Engine, prompt: readonly number[], output: readonly number[]) {
  const params = { maxTokens: 1, promptLogprobs: 0 };
  const { promptLogprobs } = await lastOutput(engine.generate([...prompt, ...output], params));
  return promptLogprobs.slice(prompt.length).map((one) => one?.logprob ?? Number.NaN);
}

async function check(model: string): Promise<void> {
  const few = { model, blockSize: 16, maxNumBatchedTokens: 32, numGpuBlocksOverride: 26 };
  const plain = { model, enforceEager: true, asyncScheduling: false, enablePrefixCaching: false };
  const found = await withEngine(few, async (engine) => {
    const params = { ...greedy, maxTokens: OUTPUT, logprobs: 0 };
    const outputs = await Promise.all(
      LENGTHS.map((length) => lastOutput(engine.generate(ids(length), params))),
    );
    const beam = beamSampling({ beamWidth: WIDTH, maxTokens: BEAM_TOKENS, ignoreEos: true });
    const { beams = [] } = await lastOutput(engine.generate(ids(40), beam));
    const free = engine.numFreePages === engine.info.numPages - 1;
    return { outputs, beams, free, numPreemptions: engine.numPreemptions };
  });
  await withEngine(plain, async (engine) => {
    let error = found.free ? 0 : Number.POSITIVE_INFINITY;
    for (const { promptTokenIds, tokenIds, logprobs } of found.outputs) {
      const wanted = await scored(engine, promptTokenIds, tokenIds);
      logprobs.forEach(({ logprob }, i) => {
        error = Math.max(error, Math.abs(logprob - (wanted[i] ?? Number.NaN)));
      });
    }
    report(`${model}, tokens`, error, `${found.numPreemptions} preemptions`);
    let beamError = found.beams.length === WIDTH ? 0 : Number.POSITIVE_INFINITY;
    for (const { tokenIds, logprob } of found.beams) {
      const sum = (await scored(engine, ids(40), tokenIds)).reduce((total, one) => total + one, 0);
      beamError = Math.max(beamError, Math.abs(logprob - sum));
    }
    report(`${model}, beams`, beamError, `best ${found.beams[0]?.logprob.toFixed(4)}`);
  });
}

for (const folder of folders) await check(folder);
await device.close();
process.exitCode = failures === 0 ? 0 : 1;
