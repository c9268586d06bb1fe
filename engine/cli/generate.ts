/** [engine/cli] `tilewright generate`: one prompt in, its continuation out, live on a terminal or as one line of JSON. */
import { type Command, InvalidArgumentError } from "commander";
import type { SamplingParams } from "../core.ts";
import { Engine } from "../engine.ts";
import type { RequestOutput } from "../output.ts";
import { checkRoom } from "../prompt-text.ts";
import { addModelFlags, engineOptions, type ModelFlags, number, positive } from "./model-flags.ts";

interface GenerateFlags extends ModelFlags {
  readonly prompt?: string;
  readonly promptTokenIds?: readonly number[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly ignoreEos?: boolean;
  readonly json?: boolean;
}

export function addGenerate(program: Command): void {
  addModelFlags(program.command("generate").description("generate a continuation of a prompt"))
    .option("--prompt <text>", "prompt as text")
    .option("--prompt-token-ids <ids>", "prompt as token ids, separated by commas", idList)
    .option("--max-tokens <n>", "most tokens to generate", positive, 128)
    .option("--temperature <t>", "0 is greedy", number, 0)
    .option("--top-p <p>", "mass of the tokens sampled from, in (0, 1]", number)
    .option("--top-k <k>", "number of tokens sampled from; 0 is all", number)
    .option("--min-p <p>", "least probability relative to the best token", number)
    .option("--ignore-eos", "go on after an end token")
    .option("--json", "print one line of JSON instead of text")
    .action(run);
}

async function run(flags: GenerateFlags, command: Command): Promise<void> {
  if ((flags.prompt === undefined) === (flags.promptTokenIds === undefined)) {
    command.error("error: give one of --prompt and --prompt-token-ids", { exitCode: 2 });
  }
  const engine = await Engine.load(engineOptions(flags));
  try {
    const prompt = flags.promptTokenIds ?? engine.encode(flags.prompt ?? "");
    if (command.getOptionValueSource("maxTokens") === "cli")
      checkRoom(prompt.length, flags.maxTokens, engine.info.maxModelLen);
    const { maxTokens, temperature, topP, topK, minP, seed, ignoreEos } = flags;
    const given = { maxTokens, temperature, topP, topK, minP, seed, ignoreEos };
    const params = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<SamplingParams>;
    const start = performance.now();
    let last: RequestOutput | undefined;
    for await (const output of engine.generate(prompt, params)) {
      if (flags.json !== true)
        process.stdout.write(
          engine.tokenizer.hasText
            ? output.deltaText
            : output.deltaTokenIds.map((id) => `${id} `).join(""),
        );
      last = output;
    }
    if (last === undefined) return;
    if (flags.json === true) process.stdout.write(`${jsonLine(last, engine)}\n`);
    else process.stdout.write("\n");
    if (flags.json !== true && process.stderr.isTTY) {
      const seconds = (performance.now() - start) / 1000;
      process.stderr.write(
        `${last.tokenIds.length} tokens in ${seconds.toFixed(2)} s, ${(last.tokenIds.length / seconds).toFixed(1)} tokens/s on ${engine.device.info.name}\n`,
      );
    }
  } finally {
    await engine.close();
  }
}

function jsonLine(output: RequestOutput, engine: Engine): string {
  return JSON.stringify({
    prompt_token_ids: output.promptTokenIds,
    token_ids: output.tokenIds,
    text: output.text,
    finish_reason: output.finishReason,
    device: engine.device.info.driver,
  });
}

function idList(text: string): readonly number[] {
  const ids = text.split(",").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  if (ids.some(Number.isNaN))
    throw new InvalidArgumentError(
      "it must be token ids separated by commas, for example 1,403,407.",
    );
  return ids;
}
