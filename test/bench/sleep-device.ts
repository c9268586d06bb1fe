/**
 * [test/bench] What sleeping gives back on a card, by nvidia-smi: memory awake, asleep at both levels, awake again, and the same tokens after.
 * `tsx test/bench/sleep-device.ts FOLDER`. Exit code 1 where tokens differ or the memory did not go.
 */
import { execFileSync } from "node:child_process";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";

const [model = "examples/models/story-1m", driver = "cuda"] = process.argv.slice(2);
const MIB = 2 ** 20;
/** Asleep the process still holds its context, code and graphs' nodes; this much of what was taken must be gone. */
const LEAST_FREED = 0.95;

function usedMiB(): number {
  const query = ["--query-gpu=memory.used", "--format=csv,noheader,nounits"];
  return Number(execFileSync("nvidia-smi", query, { encoding: "utf8" }).split("\n")[0]);
}

const before = usedMiB();
const engine = await Engine.load({
  model,
  device: driver,
  warmUp: "every-batch",
  gpuMemoryUtilization: 0.5,
  maxNumSeqs: 64,
});
const params = { maxTokens: 40, temperature: 0, ignoreEos: true, logprobs: 2 } as const;
const ask = async () => {
  const prompts = ["Once upon a time", "The dog", "She said that"];
  const asked = prompts.map((prompt) => lastOutput(engine.generate(prompt, params)));
  return JSON.stringify(
    (await Promise.all(asked)).map(({ tokenIds, logprobs }) => [tokenIds, logprobs]),
  );
};
const wanted = await ask();
const awake = usedMiB();
console.log(
  JSON.stringify({ model, device: engine.device.info.name, beforeMiB: before, awakeMiB: awake }),
);
let isRight = true;
for (const level of [1, 2] as const) {
  const { freedBytes, hostBytes } = await engine.sleep(level);
  const asleep = usedMiB();
  const start = performance.now();
  await engine.wake();
  const wakeMs = Math.round(performance.now() - start);
  const sameTokens = (await ask()) === wanted;
  const again = usedMiB();
  isRight &&= sameTokens && awake - asleep >= (LEAST_FREED * freedBytes) / MIB;
  const bytes = { freedMiB: Math.round(freedBytes / MIB), hostMiB: Math.round(hostBytes / MIB) };
  console.log(
    JSON.stringify({
      level,
      asleepMiB: asleep,
      awakeAgainMiB: again,
      ...bytes,
      wakeMs,
      sameTokens,
    }),
  );
}
await engine.close();
process.exitCode = isRight ? 0 : 1;
