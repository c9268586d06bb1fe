/** [engine/chat] Any OpenAI server as the partner of a conversation. What is typed and shown is elsewhere. */
import { RequestError, TilewrightError } from "../../dsl/index.ts";
import {
  type ChatParams,
  type ChatPartner,
  type ChatPiece,
  type ChatTurn,
  plainText,
} from "./partner.ts";

export interface RemoteOptions {
  /** Of the server, with or without /v1. */
  readonly url: string;
  readonly apiKey?: string;
  /** Name of the model in the API; the first of the server's where absent. */
  readonly model?: string;
}

/** A completion is this long where neither the caller nor the server says how long it may be. */
const COMPLETION_TOKENS = 256;
const MOST_REFUSAL = 500;
const BROKEN_OFF = "the answer broke off";

interface ModelEntry {
  readonly id: string;
  readonly max_model_len?: number;
  readonly has_chat_template?: boolean;
}

interface StreamEvent {
  readonly choices?: readonly {
    readonly text?: string;
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message?: string };
}

export class RemotePartner implements ChatPartner {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #entry: ModelEntry;

  private constructor(base: string, headers: Readonly<Record<string, string>>, entry: ModelEntry) {
    this.#base = base;
    this.#headers = headers;
    this.#entry = entry;
  }

  /** @throws RequestError TW4430 where no such server answers, TW4431 where it refuses or has no such model */
  static async connect({ url, apiKey, model }: RemoteOptions): Promise<RemotePartner> {
    const base = url.replace(/\/+(v1\/*)?$/, "");
    const headers = {
      "content-type": "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    const response = await send(`${base}/v1/models`, { headers });
    const listed: unknown = await response.json().catch(() => undefined); // it may be no API at all
    const { data = [] } = Object(listed) as { readonly data?: readonly ModelEntry[] };
    const entry = model === undefined ? data[0] : data.find(({ id }) => id === model);
    if (entry === undefined) throw noModel(model, data);
    return new RemotePartner(base, headers, entry);
  }

  get name(): string {
    return this.#entry.id;
  }

  /** Servers that do not say so have one. */
  get hasTemplate(): boolean {
    return this.#entry.has_chat_template ?? true;
  }

  async *answer(
    turns: readonly ChatTurn[],
    params: ChatParams,
    signal: AbortSignal,
  ): AsyncGenerator<ChatPiece> {
    const prompt = this.hasTemplate ? { messages: turns } : { prompt: plainText(turns) };
    const path = this.hasTemplate ? "chat/completions" : "completions";
    try {
      const body = {
        model: this.#entry.id,
        ...prompt,
        ...(this.hasTemplate ? {} : { max_tokens: await this.#room(plainText(turns), signal) }),
        ...params,
        stream: true,
        stream_options: { include_usage: true },
      };
      const response = await this.#post(`/v1/${path}`, body, signal);
      for await (const event of eventsOf(response)) yield* piecesOf(event);
    } catch (error) {
      if (signal.aborted) return;
      throw error instanceof TilewrightError ? error : refused(BROKEN_OFF, reasonOf(error));
    }
  }

  /** What is left of the context behind a prompt, where the server can say. */
  async #room(prompt: string, signal: AbortSignal): Promise<number> {
    const { id: model, max_model_len: context } = this.#entry;
    if (context === undefined) return COMPLETION_TOKENS;
    const url = `${this.#base}/tokenize`;
    const body = JSON.stringify({ model, prompt });
    const asked = await fetch(url, { method: "POST", headers: this.#headers, body, signal });
    if (!asked.ok) return COMPLETION_TOKENS; // not every server has the route
    const { count } = (await asked.json()) as { readonly count: number };
    return Math.max(1, Math.min(COMPLETION_TOKENS, context - count));
  }

  #post(path: string, body: object, signal: AbortSignal): Promise<Response> {
    const init = { method: "POST", headers: this.#headers, body: JSON.stringify(body), signal };
    return send(`${this.#base}${path}`, init);
  }

  async close(): Promise<void> {}
}

function* piecesOf({ choices, usage }: StreamEvent): Generator<ChatPiece> {
  for (const { text, delta, finish_reason: reason } of choices ?? [])
    yield {
      text: text ?? delta?.content ?? "",
      ...(reason === null || reason === undefined ? {} : { finishReason: reason }),
    };
  if (usage === null || usage === undefined) return;
  const { prompt_tokens: promptTokens, completion_tokens: outputTokens } = usage;
  yield { text: "", usage: { promptTokens, outputTokens } };
}

/** Events until [DONE] or the end of the body: some servers end without it. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data === "[DONE]") return;
      if (data === undefined) continue; // comments, blank lines
      const event = JSON.parse(data) as StreamEvent;
      if (event.error !== undefined) throw refused(BROKEN_OFF, event.error.message ?? data);
      yield event;
    }
  }
}

/** @throws RequestError TW4430, TW4431 */
async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw cause;
    throw new RequestError({
      code: "TW4430",
      message: "no server answers there",
      seen: `${url}: ${reasonOf(cause)}`,
      expected: "an OpenAI server",
      remedy: "start one (tilewright serve), or correct --url",
    });
  });
  if (response.ok) return response;
  const text = await response.text();
  throw refused(`the server refused the request with status ${response.status}`, saidIn(text));
}

/** What fetch says of a connection is in the cause of its error. */
function reasonOf(error: unknown): string {
  const reason = (error as { readonly cause?: unknown }).cause ?? error;
  return reason instanceof Error ? reason.message : String(reason);
}

function saidIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as StreamEvent;
    if (typeof error?.message === "string") return error.message;
  } catch {
    // Not JSON: the text itself is what there is to show.
  }
  return text.slice(0, MOST_REFUSAL);
}

function refused(message: string, seen: string): RequestError {
  const remedy = "correct the request: /set, /system and /reset change it; --api-key gives a key";
  return new RequestError({ code: "TW4431", message, seen, remedy });
}

function noModel(model: string | undefined, data: readonly ModelEntry[]): RequestError {
  return new RequestError({
    code: "TW4431",
    message: model === undefined ? "the server serves no model" : "the server has no such model",
    seen: model ?? "an empty list of models",
    expected: data.map(({ id }) => id).join(", ") || "a model",
    remedy: "correct the model's name, or --url",
  });
}
