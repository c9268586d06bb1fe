/** [engine/server] Bodies of chat completions: fields beside those of completions, messages and their parts. */
import { z } from "zod";
import type { ChatMessage } from "../../tokenizer/chat-template.ts";
import { alternatives, requestFields, samplingFields, streamOptions, text } from "../schema.ts";

const flag = z.boolean().nullish();

const part = z
  .object({ type: z.enum(["text", "input_text"]), text }, { error: "a part of type text" })
  .loose();

const message = z
  .object({
    role: z.string().min(1),
    content: z
      .union([text, z.array(part)], { error: "a string or a list of text parts" })
      .nullish(),
  })
  .loose();

/** How a chat becomes a prompt; /tokenize takes it too. */
export const templateFields = {
  messages: z.array(message).min(1, "at least one message"),
  add_generation_prompt: flag,
  continue_final_message: flag,
  chat_template: z.string().nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  documents: z.array(z.record(z.string(), z.unknown())).nullish(),
} as const;

export const chatSchema = z
  .object({
    ...samplingFields,
    ...requestFields,
    ...templateFields,
    model: z.string().nullish(),
    max_completion_tokens: z.number().int().min(1).nullish(),
    logprobs: flag,
    top_logprobs: alternatives,
    stream_options: streamOptions.nullish(),
    echo: flag,
    return_token_ids: flag,
  })
  .loose();
export type ChatBody = z.infer<typeof chatSchema>;
export type TemplateBody = Pick<ChatBody, keyof typeof templateFields>;

/** Messages as templates take them. */
export function messagesOf({ messages }: TemplateBody): readonly ChatMessage[] {
  return messages.map((one) => ({ ...one, content: one.content ?? null }));
}
