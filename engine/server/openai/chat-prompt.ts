/** [engine/server] Messages of a request → token ids: the checks of its template fields, then the model's chat template. */
import {
  type ChatMessage,
  RESERVED_VARIABLES,
  type RenderOptions,
} from "../../tokenizer/chat-template.ts";
import type { ServerContext } from "../context.ts";
import type { TextFilter } from "../options.ts";
import { refused } from "../schema.ts";
import { messagesOf, type TemplateBody } from "./chat-schema.ts";

export interface ChatPrompt {
  readonly ids: readonly number[];
  /** Role of the answer's message. */
  readonly role: string;
}

/** @throws RequestError TW4303 for fields that exclude each other or are not allowed, and those of the template */
export async function chatPrompt(
  context: ServerContext,
  body: TemplateBody,
  {
    addSpecialTokens,
    keepsLast,
  }: { readonly addSpecialTokens: boolean; readonly keepsLast?: number | undefined },
): Promise<ChatPrompt> {
  const { engine, chatTemplate, options } = context;
  const asked = renderOptions(context, body);
  const { inputFilter } = options;
  const messages = messagesOf(body);
  const filtered =
    inputFilter === undefined
      ? messages
      : await Promise.all(
          messages.map(async (one) => ({
            ...one,
            content: await filterContent(one.content, inputFilter),
          })),
        );
  const { tokenizer, info } = engine;
  const { maxModelLen } = info;
  const ids = await chatTemplate.encode(
    tokenizer,
    filtered,
    asked,
    maxModelLen,
    addSpecialTokens,
    keepsLast,
  );
  const last = messages.at(-1)?.role;
  const goesOn = asked.continueFinalMessage === true || asked.addGenerationPrompt === false;
  return { ids, role: goesOn && last !== undefined ? last : "assistant" };
}

async function filterContent(
  content: ChatMessage["content"],
  filter: TextFilter,
): Promise<ChatMessage["content"]> {
  if (content === null) return null;
  if (typeof content === "string") return filter(content);
  return Promise.all(content.map(async (part) => ({ ...part, text: await filter(part.text) })));
}

function renderOptions({ options }: ServerContext, body: TemplateBody): RenderOptions {
  const goesOn = body.continue_final_message === true;
  if (goesOn && body.add_generation_prompt === true) {
    const message = "'continue_final_message' and 'add_generation_prompt' exclude each other";
    throw refused("continue_final_message", message, "set one of them to false");
  }
  const template = body.chat_template ?? undefined;
  if (template !== undefined && options.trustRequestChatTemplate !== true) {
    const remedy =
      "leave it out, or start the server with trustRequestChatTemplate (--trust-request-chat-template)";
    throw refused("chat_template", "this server takes no templates from requests", remedy);
  }
  const variables = body.chat_template_kwargs ?? {};
  const reserved = Object.keys(variables).find((name) => RESERVED_VARIABLES.includes(name));
  if (reserved !== undefined) {
    const message = `'${reserved}' cannot be set by 'chat_template_kwargs'`;
    throw refused("chat_template_kwargs", message, "use the field of that name");
  }
  return {
    addGenerationPrompt: !goesOn && (body.add_generation_prompt ?? true),
    continueFinalMessage: goesOn,
    variables: {
      ...(body.documents === null || body.documents === undefined
        ? {}
        : { documents: body.documents }),
      ...variables,
    },
    ...(template === undefined ? {} : { template }),
  };
}
