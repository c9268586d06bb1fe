/** [engine/tokenizer] Messages of a chat → token ids, by the Jinja template of the model. What messages look like over HTTP is the server's. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "@huggingface/jinja";
import { ModelError, RequestError } from "../../dsl/index.ts";
import { encodeEnd, encodePrompt } from "../prompt-text.ts";
import { RenderStopped, TemplateRenderer } from "./template-renderer.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text: string }[] | null;
  readonly [field: string]: unknown;
}

export interface RenderOptions {
  /** Ends the prompt with the beginning of an answer; true where absent. */
  readonly addGenerationPrompt?: boolean;
  /** The last message is not closed: the answer goes on with it. */
  readonly continueFinalMessage?: boolean;
  /** Further variables of the template. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Jinja text in the place of the model's. */
  readonly template?: string;
}

/** Variables that are not the caller's to set. */
export const RESERVED_VARIABLES: readonly string[] = [
  "messages",
  "add_generation_prompt",
  "continue_final_message",
  "tokenize",
  "return_dict",
  "chat_template",
];

/** Characters for private use, which no tokenizer gives a meaning: they mark what a caller wrote. */
const MARK = { special: "\u{f0f00}", end: "\u{f0f01}" } as const;

export class ChatTemplate {
  /** Jinja text. */
  readonly #source: string | undefined;
  readonly #renderer: TemplateRenderer;
  /** Those of requests have a process of their own: the model's does not wait for them. */
  readonly #callersRenderer: TemplateRenderer;
  readonly #tokens: Readonly<Record<string, string>>;
  /** Texts that the tokenizer reads as control tokens, longest first. */
  readonly #specials: readonly string[];

  private constructor(
    source: string | undefined,
    tokens: Readonly<Record<string, string>>,
    specials: readonly string[],
    seconds?: number,
  ) {
    this.#source = source;
    this.#renderer = new TemplateRenderer(seconds);
    this.#callersRenderer = new TemplateRenderer(seconds);
    this.#tokens = tokens;
    this.#specials = [...specials].sort((a, b) => b.length - a.length);
  }

  /**
   * Reads chat_template.jinja, chat_template.json or tokenizer_config.json of a model folder.
   * @param override Jinja text in their place
   * @param seconds that one rendering may take
   * @throws ModelError TW4223 for a template that cannot be read
   */
  static load(folder: string, override?: string, seconds?: number): ChatTemplate {
    const config = readJson(folder, "tokenizer_config.json");
    const text = override ?? templateText(folder, config);
    const added = readJson(folder, "tokenizer.json")["added_tokens"];
    const specials = (Array.isArray(added) ? added : []).flatMap(
      (token: { readonly content?: unknown; readonly special?: unknown }) =>
        token.special === true && typeof token.content === "string" ? [token.content] : [],
    );
    if (text !== undefined) checkTemplate(text);
    return new ChatTemplate(text, namedTokens(config), specials, seconds);
  }

  /** False where the model has none: chats are refused then. */
  get exists(): boolean {
    return this.#source !== undefined;
  }

  /** Ends its processes. */
  close(): void {
    this.#renderer.close();
    this.#callersRenderer.close();
  }

  /**
   * The prompt's text.
   * @throws RequestError TW4224 without a template, TW4225 where the template refuses the messages, TW4227 where it does not end
   */
  async render(messages: readonly ChatMessage[], options: RenderOptions = {}): Promise<string> {
    return unmark(await this.#render(messages, options));
  }

  /**
   * The prompt's tokens. Control tokens come from the template alone: what a caller writes is read as plain text. Nothing is added by the tokenizer.
   * @param maxTokens longest prompt and output together
   * @param keepsLast tokens of a longer prompt that are taken, its last ones; without it a longer one is refused
   */
  async encode(
    tokenizer: Tokenizer,
    messages: readonly ChatMessage[],
    options: RenderOptions,
    maxTokens: number,
    addSpecialTokens = false,
    keepsLast?: number,
  ): Promise<readonly number[]> {
    const { marked, variables } = this.#markAll(messages, options.variables);
    const rendered = await this.#render(marked, { ...options, variables });
    const pieces = rendered.split(
      new RegExp(`${MARK.special}([^${MARK.special}${MARK.end}]*)${MARK.end}`, "u"),
    );
    const parts = pieces.flatMap((piece, i) =>
      i % 2 === 0 ? [unmark(piece)] : [piece.slice(0, 1), piece.slice(1)],
    );
    if (keepsLast !== undefined) return lastTokens(tokenizer, parts, addSpecialTokens, keepsLast);
    return parts.flatMap((part, i) =>
      part === "" ? [] : encodePrompt(tokenizer, part, addSpecialTokens && i === 0, maxTokens),
    );
  }

  /** Whatever of them a template may print: roles, names, calls and documents too. @throws RequestError TW4225 where they are nested too deeply */
  #markAll(messages: readonly ChatMessage[], variables: RenderOptions["variables"] = {}) {
    try {
      return {
        marked: this.#mark(messages) as readonly ChatMessage[],
        variables: this.#mark(variables) as typeof variables,
      };
    } catch (cause) {
      throw refusedByTemplate(cause);
    }
  }

  #mark(value: unknown): unknown {
    if (typeof value === "string") return this.#markText(value);
    if (Array.isArray(value)) return value.map((one) => this.#mark(one));
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value);
    return Object.fromEntries(
      fields.map(([name, one]) => [this.#markText(name), this.#mark(one)] as const),
    );
  }

  #markText(text: string): string {
    const clean = text.replace(new RegExp(`[${MARK.special}${MARK.end}]`, "gu"), "\ufffd");
    if (!this.#specials.some((special) => clean.includes(special))) return clean;
    const any = new RegExp(this.#specials.map(escapePattern).join("|"), "gu");
    return clean.replace(any, (special) => `${MARK.special}${special}${MARK.end}`);
  }

  async #render(messages: readonly ChatMessage[], options: RenderOptions): Promise<string> {
    const isCallers = options.template !== undefined;
    const source = options.template ?? this.#source;
    if (source === undefined) throw noTemplate();
    const variables = {
      ...this.#tokens,
      ...options.variables,
      add_generation_prompt: options.addGenerationPrompt ?? true,
      messages: messages.map(forTemplate),
    };
    const renderer = isCallers ? this.#callersRenderer : this.#renderer;
    const answer = await renderer.render({ source, variables }).catch((cause: unknown) => {
      throw cause instanceof RenderStopped ? stopped(cause) : refusedByTemplate(cause);
    });
    if ("failure" in answer) throw refusedByTemplate(answer.failure);
    return options.continueFinalMessage === true
      ? cutAfterLast(answer.text, messages)
      : answer.text;
  }
}

/** From the end, so that a chat of any length costs no more than what is kept. */
function lastTokens(
  tokenizer: Tokenizer,
  parts: readonly string[],
  addSpecialTokens: boolean,
  count: number,
): readonly number[] {
  let ids: number[] = [];
  for (let i = parts.length - 1; i >= 0 && ids.length < count; i--) {
    const part = parts[i] ?? "";
    const isFirst = addSpecialTokens && i === 0;
    if (part !== "") ids = [...encodeEnd(tokenizer, part, isFirst, count - ids.length), ...ids];
  }
  return ids;
}

/** A message as templates expect it: parts of text are joined, absent fields stay absent. */
function forTemplate(message: ChatMessage): Record<string, unknown> {
  const { content } = message;
  const text = content === null ? "" : flatText(content);
  return { ...message, content: text };
}

/** @returns the text of a content given as parts */
export function flatText(content: NonNullable<ChatMessage["content"]>): string {
  return typeof content === "string" ? content : content.map((part) => part.text).join("\n");
}

/** The rendered text up to the end of the last message's content. */
function cutAfterLast(text: string, messages: readonly ChatMessage[]): string {
  const content = messages.at(-1)?.content;
  const last = content === null || content === undefined ? "" : flatText(content);
  for (const wanted of [last, last.trim()]) {
    const at = text.lastIndexOf(wanted);
    if (wanted !== "" && at >= 0) return text.slice(0, at + wanted.length);
  }
  throw new RequestError(
    {
      code: "TW4226",
      message: "the last message cannot be continued",
      seen: "a prompt in which its text does not stand as it is",
      expected: "a last message with content that the chat template copies",
      remedy: "leave out 'continue_final_message'",
    },
    400,
    "continue_final_message",
  );
}

function unmark(text: string): string {
  return text.replace(new RegExp(`[${MARK.special}${MARK.end}]`, "gu"), "");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function readJson(folder: string, name: string): Readonly<Record<string, unknown>> {
  const path = join(folder, name);
  if (!existsSync(path)) return {};
  return JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
}

function templateText(
  folder: string,
  config: Readonly<Record<string, unknown>>,
): string | undefined {
  const path = join(folder, "chat_template.jinja");
  if (existsSync(path)) return readFileSync(path, "utf8");
  for (const { chat_template: found } of [readJson(folder, "chat_template.json"), config]) {
    if (typeof found === "string") return found;
    if (Array.isArray(found)) return namedTemplate(found);
  }
  return undefined;
}

/** Several templates by name: the one called `default`, else the first. */
function namedTemplate(list: readonly unknown[]): string | undefined {
  const named = list as readonly { readonly name?: unknown; readonly template?: unknown }[];
  const chosen = named.find(({ name }) => name === "default") ?? named[0];
  return typeof chosen?.template === "string" ? chosen.template : undefined;
}

/** `bos_token` and the like, which are texts or records with a `content`. */
function namedTokens(config: Readonly<Record<string, unknown>>): Record<string, string> {
  const tokens: Record<string, string> = { bos_token: "", eos_token: "" };
  for (const [name, value] of Object.entries(config)) {
    if (!name.endsWith("_token")) continue;
    const text =
      typeof value === "object" && value !== null
        ? (value as { readonly content?: unknown }).content
        : value;
    if (typeof text === "string") tokens[name] = text;
  }
  return tokens;
}

/** @throws ModelError TW4223 */
function checkTemplate(text: string): void {
  try {
    void new Template(text);
  } catch (cause) {
    throw new ModelError(
      {
        code: "TW4223",
        message: "the chat template cannot be read",
        seen: messageOf(cause),
        expected: "a Jinja template, as transformers takes it",
        remedy: "correct the template, or give another as chatTemplate (--chat-template)",
      },
      { cause },
    );
  }
}

function noTemplate(): RequestError {
  return new RequestError(
    {
      code: "TW4224",
      message: "this model has no chat template",
      seen: "neither chat_template.jinja nor chat_template in tokenizer_config.json",
      expected: "a model that was trained on chats",
      remedy: "start the server with chatTemplate (--chat-template FILE), or use /v1/completions",
    },
    400,
    "messages",
  );
}

function refusedByTemplate(cause: unknown): RequestError {
  return new RequestError(
    {
      code: "TW4225",
      message: "the chat template does not take these messages",
      seen: messageOf(cause),
      expected: "roles in the order that the model was trained on",
      remedy: "correct 'messages', or the variables of the template",
    },
    400,
    "messages",
  );
}

/** Of whatever template it was: another prompt may do. */
function stopped({ message }: RenderStopped): RequestError {
  return new RequestError(
    {
      code: "TW4227",
      message: "the chat template was stopped",
      seen: message,
      expected: "a template that makes a prompt in time and memory",
      remedy:
        "correct the template or its variables, or start the server with a larger chatTemplateSeconds (--chat-template-seconds)",
    },
    400,
    "messages",
  );
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
