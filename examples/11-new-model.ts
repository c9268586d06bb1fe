/** [examples] 11: a model of one's own. A family says how a config.json maps to layers; weights, cache, scheduler and kernels are there. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Device,
  decoderConfig,
  LLM,
  type ModelFamily,
  type RequestOutput,
  UnsupportedError,
} from "../index.ts";
import { check, type Example, runByHand } from "./example.ts";

const STORY = fileURLToPath(new URL("./models/story-1m", import.meta.url));
const SCALE = 0.5;

/**
 * Llama, but for logits that count half. A family of a checkpoint that many use is such a record in a file of `engine/models/`, with a
 * line in the catalogue there; this one is given as an option.
 */
export const halfLogits: ModelFamily = {
  architectures: ["HalfLogitsForCausalLM"],
  configure: (config, maxModelLen) => ({
    ...decoderConfig(config, maxModelLen, {}),
    logitScale: SCALE,
  }),
};

/** The story model's files under the name of another architecture. */
function writeCheckpoint(folder: string): void {
  cpSync(STORY, folder, { recursive: true });
  const path = join(folder, "config.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as object;
  const { architectures } = halfLogits;
  writeFileSync(path, JSON.stringify({ ...config, architectures }));
}

async function run(
  device: Device,
  model: string,
  families: readonly ModelFamily[],
): Promise<RequestOutput> {
  const llm = new LLM({ model, device, families, dtype: "float32", maxModelLen: 64 });
  try {
    const params = { maxTokens: 6, temperature: 0, logprobs: 3 };
    const [output] = await llm.generate("Once upon a time", params);
    if (output === undefined) throw new Error("a prompt got no output");
    return output;
  } finally {
    await llm.close();
  }
}

/** By how much each token's best alternatives lie below the best of them. */
function gaps({ logprobs }: RequestOutput): readonly number[] {
  return logprobs.flatMap(({ top }) =>
    top.map(({ logprob }) => logprob - (top[0]?.logprob ?? Number.NaN)),
  );
}

export const main: Example = async (device) => {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-example-"));
  try {
    writeCheckpoint(folder);
    const refusal = await run(device, folder, []).catch((error: unknown) => error);
    if (!(refusal instanceof UnsupportedError)) throw new Error("the engine knew the architecture");
    console.log(`without the family: ${refusal.message.split("\n")[0]}`);

    const [llama, half] = [await run(device, STORY, []), await run(device, folder, [halfLogits])];
    console.log(`with it: Once upon a time${half.text}`);
    // The order of the tokens stays, so greedy text does; the differences of log-probabilities are halved.
    if (half.text !== llama.text) throw new Error(`'${half.text}' is not '${llama.text}'`);
    check(
      "half the differences",
      gaps(half),
      gaps(llama).map((gap) => gap * SCALE),
      1e-4,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await runByHand(import.meta.url, main);
