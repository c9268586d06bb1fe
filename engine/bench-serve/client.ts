/** [engine/bench-serve] One streamed completion against any OpenAI server, with the time of every event. Parses no more than it must. */
import { Agent, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import type { LoadRequest } from "./dataset.ts";

export interface Target {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
}

/** Times in ms from the sending of the request. */
export interface Outcome {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly ttft: number;
  /** Between events that carry text. */
  readonly gaps: readonly number[];
  readonly latency: number;
  readonly error: string | undefined;
}

const AGENTS = {
  http: new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
  https: new TlsAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
};

/** Never rejects: what went wrong is part of the outcome. */
export function runRequest(target: Target, { prompt, maxTokens }: LoadRequest): Promise<Outcome> {
  const { baseUrl, model, apiKey } = target;
  const body = JSON.stringify({
    ...(model === undefined ? {} : { model }),
    prompt,
    max_tokens: maxTokens,
    temperature: 0,
    ignore_eos: true,
    stream: true,
    stream_options: { include_usage: true },
  });
  const isTls = baseUrl.startsWith("https:");
  const events = new EventTimes();
  return new Promise((resolve) => {
    const sent = (isTls ? httpsRequest : httpRequest)(
      `${baseUrl}/v1/completions`,
      {
        method: "POST",
        agent: isTls ? AGENTS.https : AGENTS.http,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
      },
      (response) => {
        const { statusCode = 0 } = response;
        response.setEncoding("utf8");
        let refusal = "";
        response.on("data", (text: string) => {
          if (statusCode === 200) events.take(text);
          else refusal += text;
        });
        response.on("error", (error) => resolve(events.outcome(error.message)));
        response.on("end", () =>
          resolve(events.outcome(statusCode === 200 ? undefined : refusalOf(statusCode, refusal))),
        );
      },
    );
    sent.on("error", (error) => resolve(events.outcome(error.message)));
    sent.end(body);
  });
}

const MOST_REFUSAL = 300;

/** What a server says of a request that it refuses, in OpenAI's shape or another. */
function refusalOf(status: number, body: string): string {
  let said = body.trim();
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly message?: unknown } };
    if (typeof error?.message === "string") said = error.message;
  } catch {
    // Not JSON: the text itself is what there is to show.
  }
  return `status ${status}${said === "" ? "" : `: ${said.slice(0, MOST_REFUSAL)}`}`;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Servers space their JSON as they like. Within texts of choices quotes are escaped, so these stand for fields. */
const NO_CHOICES = /"choices"\s*:\s*\[\s*\]/;
const ERROR = /^data: \{\s*"error"/;

class EventTimes {
  readonly #start = performance.now();
  readonly #gaps: number[] = [];
  #rest = "";
  #first: number | undefined;
  #last = 0;
  #usage: Usage | undefined;
  #error: string | undefined;
  #isDone = false;

  take(text: string): void {
    const parts = (this.#rest + text).split("\n\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) this.#event(part);
  }

  outcome(error: string | undefined): Outcome {
    const why = error ?? this.#error ?? (this.#isDone ? undefined : "the stream ended early");
    const usage = this.#usage;
    return {
      promptTokens: usage?.prompt_tokens ?? 0,
      outputTokens:
        usage?.completion_tokens ?? this.#gaps.length + (this.#first === undefined ? 0 : 1),
      ttft: this.#first ?? Number.NaN,
      gaps: this.#gaps,
      latency: performance.now() - this.#start,
      error: why,
    };
  }

  #event(text: string): void {
    if (!text.startsWith("data: ")) return;
    if (text === "data: [DONE]") {
      this.#isDone = true;
      return;
    }
    if (NO_CHOICES.test(text)) {
      this.#usage = (JSON.parse(text.slice(6)) as { usage: Usage }).usage;
      return;
    }
    if (ERROR.test(text)) {
      this.#error = text.slice(6);
      return;
    }
    const now = performance.now() - this.#start;
    if (this.#first === undefined) this.#first = now;
    else this.#gaps.push(now - this.#last);
    this.#last = now;
  }
}
