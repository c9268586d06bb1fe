/** [engine/server] POST /tokenize and /detokenize, as vLLM has them: text or a chat to token ids and back. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { checkTokens } from "../prompt-text.ts";
import type { ServerContext } from "./context.ts";
import { checkModel } from "./models.ts";
import { chatPrompt } from "./openai/chat-prompt.ts";
import { templateFields } from "./openai/chat-schema.ts";
import { parseBody, text, tokenIds } from "./schema.ts";

const common = {
  model: z.string().nullish(),
  add_special_tokens: z.boolean().nullish(),
  return_token_strs: z.boolean().nullish(),
} as const;
export const tokenizeTextSchema = z.object({ ...common, prompt: text }).loose();
export const tokenizeChatSchema = z.object({ ...common, ...templateFields }).loose();
export const detokenizeSchema = z.object({ model: common.model, tokens: tokenIds }).loose();

export function addTokens(app: FastifyInstance, context: ServerContext): void {
  const { engine } = context;
  const { info, tokenizer } = engine;
  app.post("/tokenize", async (request) => {
    const { body } = request;
    const isChat = typeof body === "object" && body !== null && "messages" in body;
    const { ids, strings } = isChat ? await chatIds(body) : textIds(body);
    return {
      count: ids.length,
      max_model_len: info.maxModelLen,
      tokens: ids,
      token_strs: strings ? ids.map((id) => tokenizer.tokenText(id)) : null,
    };
  });
  app.post("/detokenize", async (request) => {
    const { model, tokens } = parseBody(detokenizeSchema, request.body);
    checkModel(info, model);
    checkTokens(tokens, info.vocabSize, "tokens");
    return { prompt: tokenizer.decode(tokens, false) };
  });

  function textIds(body: unknown) {
    const asked = parseBody(tokenizeTextSchema, body);
    checkModel(info, asked.model);
    const ids = engine.encode(asked.prompt, asked.add_special_tokens ?? true);
    return { ids, strings: asked.return_token_strs === true };
  }

  async function chatIds(body: unknown) {
    const asked = parseBody(tokenizeChatSchema, body);
    checkModel(info, asked.model);
    const addSpecialTokens = asked.add_special_tokens ?? false;
    const { ids } = await chatPrompt(context, asked, { addSpecialTokens });
    return { ids, strings: asked.return_token_strs === true };
  }
}
