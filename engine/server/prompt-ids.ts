/** [engine/server] A prompt of a body → token ids: text by the tokenizer, and what is too long cut at its beginning where the body says so. */
import type { Engine, Prompt } from "../engine.ts";
import { checkTokens, encodeEnd } from "../prompt-text.ts";
import { refused } from "./schema.ts";

interface PromptBody {
  readonly add_special_tokens?: boolean | null | undefined;
  readonly truncate_prompt_tokens?: number | null | undefined;
}

/**
 * @param room that is left for the output where the body says `-1`: whatever fits
 * @returns tokens of a prompt that are kept; undefined where it is not cut
 * @throws RequestError TW4303 for more than fit into the context
 */
export function keptTokens(
  { info }: Engine,
  { truncate_prompt_tokens: asked }: PromptBody,
  room: number,
): number | undefined {
  if (asked === null || asked === undefined) return undefined;
  const most = Math.min(info.maxModelLen, info.maxPositions);
  if (asked === -1) return Math.max(1, most - Math.max(1, room));
  if (asked <= most) return asked;
  const message = `'truncate_prompt_tokens' is more than the context of ${most} tokens`;
  throw refused("truncate_prompt_tokens", message, "lower it, or use -1 for what fits");
}

/** @throws RequestError as `engine.encode` and `checkTokens` */
export function promptIds(
  engine: Engine,
  prompt: Prompt,
  body: PromptBody,
  room: number,
): readonly number[] {
  const kept = keptTokens(engine, body, room);
  const special = body.add_special_tokens ?? true;
  if (typeof prompt === "string") {
    if (kept === undefined) return engine.encode(prompt, special);
    return encodeEnd(engine.tokenizer, prompt, special, kept);
  }
  const ids = "promptTokenIds" in prompt ? prompt.promptTokenIds : prompt;
  if (kept === undefined || ids.length <= kept) return ids;
  checkTokens(ids, engine.info.vocabSize); // those that are cut off too
  return ids.slice(-kept);
}
