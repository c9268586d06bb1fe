/** [examples] 14: offline generation as vLLM's users write it, line by line: an LLM, sampling parameters, a batch of prompts. */
import { fileURLToPath } from "node:url";
// from vllm import LLM, SamplingParams
import { LLM, type SamplingParams } from "../index.ts";
import { type Example, runByHand } from "./example.ts";

const MODEL = fileURLToPath(new URL("./models/story-1m", import.meta.url));

export const main: Example = async (device) => {
  // prompts = ["…", "…", "…"]
  const prompts = [
    "Once upon a time there was a little seal named Alice. She",
    "One night, Zoe could not sleep.",
    "A little boy named Peter lived in a house with a red door in the city.",
  ];
  // sampling_params = SamplingParams(temperature=0.8, top_p=0.95, max_tokens=12, seed=7)
  const samplingParams: Partial<SamplingParams> = {
    temperature: 0.8,
    topP: 0.95,
    maxTokens: 12,
    seed: 7,
  };
  // llm = LLM(model="…")
  const llm = new LLM({ model: MODEL, device, dtype: "float32", maxModelLen: 64 });
  try {
    // outputs = llm.generate(prompts, sampling_params)
    const outputs = await llm.generate(prompts, samplingParams);
    // for output in outputs: print(output.prompt, output.outputs[0].text)
    for (const [i, output] of outputs.entries()) console.log(`${prompts[i]}${output.text}`);

    if (outputs.length !== prompts.length) throw new Error("not every prompt has its output");
    for (const { text, tokenIds, finishReason } of outputs)
      if (text === "" || (finishReason === "length" && tokenIds.length !== 12))
        throw new Error(`'${text}' of ${tokenIds.length} tokens ended by ${finishReason}`);
    // With a seed the same call gives the same texts, whatever shares its batch.
    const [again] = await llm.generate(prompts.slice(0, 1), samplingParams);
    if (again?.text !== outputs[0]?.text)
      throw new Error(`the same seed gave '${again?.text}' and '${outputs[0]?.text}'`);
  } finally {
    await llm.close();
  }
};

await runByHand(import.meta.url, main);
