/** [examples] 16: engine arguments as vLLM names them, line by line: how many requests at once, how long, and which of them first. */
import { fileURLToPath } from "node:url";
// from vllm import AsyncEngineArgs, AsyncLLMEngine, SamplingParams
import { Engine, type EngineOptions, lastOutput, type SamplingParams } from "../index.ts";
import { type Example, runByHand } from "./example.ts";

const MODEL = fileURLToPath(new URL("./models/story-1m", import.meta.url));

export const main: Example = async (device) => {
  // engine_args = AsyncEngineArgs(
  const engineArgs: EngineOptions = {
    model: MODEL, //            model="…",
    dtype: "float32", //        dtype="float32",
    maxNumSeqs: 1, //           max_num_seqs=1,
    maxModelLen: 64, //         max_model_len=64,
    schedulingPolicy: "priority", // scheduling_policy="priority")
    device,
  };
  // engine = AsyncLLMEngine.from_engine_args(engine_args)
  const engine = await Engine.load(engineArgs);
  try {
    const { maxNumSeqs, maxModelLen, schedulingPolicy } = engine.info;
    console.log(`${maxNumSeqs} request at once, ${maxModelLen} tokens, ${schedulingPolicy}`);

    // One request at once, and lower numbers come first: those that wait are served in that order, not in the order they came.
    const params: Partial<SamplingParams> = { maxTokens: 4, temperature: 0, ignoreEos: true };
    const ended: string[] = [];
    const ask = async (requestId: string, priority: number): Promise<void> => {
      // results = engine.generate(prompt, params, request_id, priority=…)
      const results = engine.generate("Once upon a time", params, { requestId, priority });
      const { tokenIds } = await lastOutput(results);
      if (tokenIds.length !== 4) throw new Error(`${requestId} got ${tokenIds.length} tokens`);
      ended.push(requestId);
    };
    await Promise.all([ask("whenever", 9), ask("soon", 5), ask("now", 1)]);
    console.log(`served: ${ended.join(", ")}`);
    if (ended.join() !== "now,soon,whenever")
      throw new Error(`the order of priorities was not kept: ${ended.join(", ")}`);

    // What can never fit is refused with the numbers.
    const tooLong = async () => lastOutput(engine.generate("far ".repeat(80), params));
    const refusal = await tooLong().catch((error: unknown) => error);
    if (!(refusal instanceof Error) || !refusal.message.includes("context 64"))
      throw new Error(`a prompt that is too long gave ${String(refusal)}`);
    console.log(refusal.message.split("\n")[0]);
  } finally {
    await engine.close();
  }
};

await runByHand(import.meta.url, main);
