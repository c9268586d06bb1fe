/** [test/bench] Clients of the soak: those that read all, leave early, read slowly, vanish or send nonsense. Each returns what it saw. */
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export type Outcome = "answered" | "left" | "refused";
export type Client = (url: string, chance: () => number) => Promise<Outcome>;

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

interface Sent {
  readonly response: Promise<IncomingMessage>;
  destroy(): void;
}

/** @param path with a GET where there is no body */
function send(url: string, path: string, body?: object | string): Sent {
  const method = body === undefined ? "GET" : "POST";
  const headers = { "content-type": "application/json" };
  const sent = request(`${url}${path}`, { method, agent, headers });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  response.catch(() => {}); // those that leave do not wait for it
  sent.end(typeof body === "object" ? JSON.stringify(body) : body);
  return { response, destroy: () => sent.destroy() };
}

async function read(response: IncomingMessage, pauseMs = 0): Promise<string> {
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    if (pauseMs > 0) await delay(pauseMs);
  }
  return text;
}

/** @throws Error for a status that is not expected */
function expectStatus(response: IncomingMessage, ...statuses: readonly number[]): void {
  if (!statuses.includes(response.statusCode ?? 0))
    throw new Error(`status ${response.statusCode} instead of ${statuses.join(" or ")}`);
}

const ANSWERED = [200, 429] as const;
/** Texts that come: so many that pages are taken from them, so few that what the tokenizer keeps of texts is full after the warm-up. */
const NUM_PROMPTS = 1500;
function prompt(chance: () => number): string {
  const index = Math.floor(NUM_PROMPTS * chance());
  return `${index} ${"once upon a time ".repeat(1 + (index % 12))}`;
}
const asked = (chance: () => number) => ({
  prompt: prompt(chance),
  max_tokens: 1 + Math.floor(60 * chance()),
  ignore_eos: true,
});

const whole: Client = async (url, chance) => {
  const n = chance() < 0.1 ? 3 : 1;
  const response = await send(url, "/v1/completions", { ...asked(chance), n }).response;
  expectStatus(response, ...ANSWERED);
  await read(response);
  return response.statusCode === 200 ? "answered" : "refused";
};

const streamed: Client = async (url, chance) => {
  const response = await send(url, "/v1/completions", { ...asked(chance), stream: true }).response;
  expectStatus(response, ...ANSWERED);
  const text = await read(response);
  if (response.statusCode !== 200) return "refused";
  if (!text.endsWith("data: [DONE]\n\n")) throw new Error("a stream without its end");
  return "answered";
};

const leaving: Client = async (url, chance) => {
  const body = { ...asked(chance), max_tokens: 4000, stream: true };
  const response = await send(url, "/v1/completions", body).response;
  expectStatus(response, ...ANSWERED);
  let chunks = 1 + Math.floor(20 * chance());
  response.on("error", () => {});
  for await (const _chunk of response) if (--chunks <= 0) break; // which destroys it
  return "left";
};

const slow: Client = async (url, chance) => {
  const body = { ...asked(chance), max_tokens: 200, stream: true };
  const response = await send(url, "/generate", body).response;
  expectStatus(response, ...ANSWERED);
  await read(response, 20);
  return "answered";
};

const vanishing: Client = async (url, chance) => {
  const sent = send(url, "/v1/completions", { ...asked(chance), max_tokens: 4000 });
  await delay(30 * chance());
  sent.destroy();
  await sent.response.then((response) => response.resume()).catch(() => {});
  return "left";
};

const nonsense: Client = async (url, chance) => {
  const bodies = ["{", "[]", '{"prompt":3}', '{"prompt":"a","max_tokens":-1}', '{"prompt":[[]]}'];
  const body = bodies[Math.floor(bodies.length * chance())] ?? "";
  const response = await send(url, "/v1/completions", body).response;
  expectStatus(response, 400);
  await read(response);
  return "refused";
};

const embedding: Client = async (url, chance) => {
  const response = await send(url, "/v1/embeddings", { input: prompt(chance) }).response;
  expectStatus(response, ...ANSWERED);
  await read(response);
  return "answered";
};

const curious: Client = async (url, chance) => {
  const paths = ["/health", "/metrics", "/v1/models", "/load", "/"];
  const path = paths[Math.floor(paths.length * chance())] ?? "/health";
  const response = await send(url, path).response;
  expectStatus(response, 200);
  await read(response);
  return "answered";
};

/** By how often they come. */
export const CLIENTS: readonly (readonly [number, string, Client])[] = [
  [0.34, "whole", whole],
  [0.26, "streamed", streamed],
  [0.12, "leaving", leaving],
  [0.04, "slow", slow],
  [0.08, "vanishing", vanishing],
  [0.06, "nonsense", nonsense],
  [0.04, "embedding", embedding],
  [0.06, "curious", curious],
];

export function closeClients(): void {
  agent.destroy();
}
