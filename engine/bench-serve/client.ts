/** [engine/bench-serve] One streamed answer of any OpenAI server, with the time of every event. What the server's dialect is, is found out in dialect.ts. */
import { Agent, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import { type LoadRequest, textOf } from "./dataset.ts";
import { EventTimes, type Outcome } from "./event-times.ts";

export const ENDPOINTS = ["completions", "chat"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** What a server takes. */
export interface Dialect {
  readonly endpoint: Endpoint;
  /** Chats are texts always. */
  readonly prompts: "ids" | "text";
  /** Answers are as long as is asked for. */
  readonly ignoreEos: boolean;
  /** `stream_options`, so that the server counts its tokens. */
  readonly usage: boolean;
}

export interface Target {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  readonly dialect: Dialect;
}

const AGENTS = {
  http: new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
  https: new TlsAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
};
const PATHS: Readonly<Record<Endpoint, string>> = {
  completions: "/v1/completions",
  chat: "/v1/chat/completions",
};
const MOST_REFUSAL = 300;

/** An answer with what the server said instead of one. */
export interface Answer extends Outcome {
  /** Of HTTP; 0 where no answer came. */
  readonly status: number;
}

/** Never rejects: what went wrong is part of the answer. */
export function runRequest(target: Target, request: LoadRequest): Promise<Answer> {
  const { baseUrl, apiKey, dialect } = target;
  const body = JSON.stringify(bodyOf(target, request));
  const isTls = baseUrl.startsWith("https:");
  const events = new EventTimes(dialect.endpoint === "chat");
  return new Promise((resolve) => {
    const done = (error: string | undefined, status = 0) =>
      resolve({ ...events.outcome(error, request.prompt.length), status });
    const sent = (isTls ? httpsRequest : httpRequest)(
      `${baseUrl}${PATHS[dialect.endpoint]}`,
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
        response.on("error", (error) => done(error.message, statusCode));
        response.on("end", () =>
          done(statusCode === 200 ? undefined : refusalOf(statusCode, refusal), statusCode),
        );
      },
    );
    sent.on("error", (error) => done(error.message));
    sent.end(body);
  });
}

function bodyOf({ model, dialect }: Target, { prompt, maxTokens }: LoadRequest): object {
  const { endpoint, prompts, ignoreEos, usage } = dialect;
  return {
    ...(model === undefined ? {} : { model }),
    ...(endpoint === "chat"
      ? { messages: [{ role: "user", content: textOf(prompt) }] }
      : { prompt: prompts === "ids" ? prompt : textOf(prompt) }),
    max_tokens: maxTokens,
    temperature: 0,
    ...(ignoreEos ? { ignore_eos: true } : {}),
    stream: true,
    ...(usage ? { stream_options: { include_usage: true } } : {}),
  };
}

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
