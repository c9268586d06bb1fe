/** [engine/cli] `tilewright chat`: a conversation in the terminal, with a model folder or any OpenAI server. */
import type { Command } from "commander";
import { LocalPartner } from "../chat/local-partner.ts";
import type { ChatParams, ChatPartner } from "../chat/partner.ts";
import { RemotePartner } from "../chat/remote-partner.ts";
import { runTerminal } from "../chat/terminal.ts";
import { readText } from "./flag-file.ts";
import {
  addModelFlags,
  engineOptions,
  integer,
  type ModelFlags,
  number,
  positive,
} from "./model-flags.ts";

interface ChatFlags extends Omit<ModelFlags, "model"> {
  readonly model?: string;
  readonly url?: string;
  readonly apiKey?: string;
  readonly chatTemplate?: string;
  readonly system?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly maxTokens?: number;
}

const DEFAULT_URL = "http://127.0.0.1:8000";

export function addChat(program: Command): void {
  const command = program
    .command("chat")
    .description("talk with a model: a folder or hub id, or a server by --url")
    .argument("[model]", "as --model");
  addModelFlags(command, "model folder or hub id; with --url the name in the API")
    .option("--url <url>", `an OpenAI server (without a model: ${DEFAULT_URL})`)
    .option("--api-key <key>", "key of the server")
    .option("--chat-template <file>", "Jinja file in the place of the model's chat template")
    .option("--system <text>", "system prompt")
    .option("--temperature <t>", "0 is greedy", number)
    .option("--top-p <p>", "mass of the tokens sampled from, in (0, 1]", number)
    .option("--top-k <k>", "number of tokens sampled from; 0 is all", integer)
    .option("--min-p <p>", "least probability relative to the best token", number)
    .option("--max-tokens <n>", "most tokens of an answer", positive)
    .action(run);
}

async function run(named: string | undefined, flags: ChatFlags, command: Command): Promise<void> {
  if (named !== undefined && flags.model !== undefined)
    command.error("error: give the model once, as an argument or as --model", { exitCode: 2 });
  const { system } = flags;
  const partner = await findPartner(named ?? flags.model, flags);
  const { stdin: input, stdout: output, stderr: errors } = process;
  try {
    const streams = { input, output, errors, signals: process };
    const params = paramsOf(flags);
    const failures = await runTerminal(partner, streams, {
      params,
      ...(system === undefined ? {} : { system }),
    });
    if (failures > 0 && input.isTTY !== true) process.exitCode = 1;
  } finally {
    await partner.close();
    input.unref?.(); // a terminal's input would keep the process
  }
}

function findPartner(model: string | undefined, flags: ChatFlags): Promise<ChatPartner> {
  const { url, apiKey, chatTemplate } = flags;
  if (url !== undefined || model === undefined)
    return RemotePartner.connect({
      url: url ?? DEFAULT_URL,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(model === undefined ? {} : { model }),
    });
  const template =
    chatTemplate === undefined ? undefined : readText("--chat-template", chatTemplate);
  return LocalPartner.load({ ...engineOptions({ ...flags, model }), warmUp: true }, template);
}

/** In the words of the API. */
function paramsOf({ temperature, topP, topK, minP, maxTokens, seed }: ChatFlags): ChatParams {
  const all = { temperature, top_p: topP, top_k: topK, min_p: minP, max_tokens: maxTokens, seed };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
