/** [engine/chat] A model of this process as the partner of a conversation. No HTTP. */
import type { EngineOptions } from "../config.ts";
import { Engine } from "../engine.ts";
import { checkRoom } from "../prompt-text.ts";
import { parseBody, samplingFrom, samplingSchema, withSuggested } from "../server/schema.ts";
import { ChatTemplate } from "../tokenizer/chat-template.ts";
import {
  type ChatParams,
  type ChatPartner,
  type ChatPiece,
  type ChatTurn,
  plainText,
} from "./partner.ts";

export class LocalPartner implements ChatPartner {
  readonly #engine: Engine;
  readonly #template: ChatTemplate;

  private constructor(engine: Engine, template: ChatTemplate) {
    this.#engine = engine;
    this.#template = template;
  }

  /**
   * @param chatTemplate Jinja text in the place of the model's
   * @throws ModelError for anything wrong with the model or its template
   */
  static async load(options: EngineOptions, chatTemplate?: string): Promise<LocalPartner> {
    const engine = await Engine.load(options);
    try {
      return new LocalPartner(engine, ChatTemplate.load(engine.info.tokenizerFolder, chatTemplate));
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  get name(): string {
    return this.#engine.info.name;
  }

  get hasTemplate(): boolean {
    return this.#template.exists;
  }

  async *answer(
    turns: readonly ChatTurn[],
    params: ChatParams,
    signal: AbortSignal,
  ): AsyncGenerator<ChatPiece> {
    const engine = this.#engine;
    const { maxModelLen } = engine.info;
    const ids = await this.#encode(turns);
    const body = parseBody(samplingSchema, params);
    checkRoom(ids.length, body.max_tokens ?? 0, maxModelLen);
    const room = Math.max(1, maxModelLen - ids.length);
    const stream = engine.generate(ids, samplingFrom(withSuggested(body, engine.generation), room));
    const source = stream[Symbol.asyncIterator]();
    const onAbort = () => void source.return?.();
    signal.addEventListener("abort", onAbort);
    try {
      for (;;) {
        if (signal.aborted) return;
        const { done, value } = await source.next();
        if (done === true) return;
        const { deltaText: text, promptTokenIds, tokenIds, finishReason } = value;
        const usage = { promptTokens: promptTokenIds.length, outputTokens: tokenIds.length };
        yield { text, usage, ...(finishReason === undefined ? {} : { finishReason }) };
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      await source.return?.();
    }
  }

  async #encode(turns: readonly ChatTurn[]): Promise<readonly number[]> {
    const { tokenizer, info } = this.#engine;
    if (!this.hasTemplate) return this.#engine.encode(plainText(turns));
    return this.#template.encode(
      tokenizer,
      turns.map((turn) => ({ ...turn })),
      {},
      info.maxModelLen,
    );
  }

  close(): Promise<void> {
    this.#template.close();
    return this.#engine.close();
  }
}
