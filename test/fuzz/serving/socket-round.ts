/** [test/fuzz] One round of clients as sockets at a real server: they vanish anywhere, read slowly, send slowly, break off bodies. Nothing is lost by it. A seed gives the same clients again. */
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Engine } from "../../../engine/engine.ts";
import { KvManager } from "../../../engine/kv/kv-manager.ts";
import { mostPages } from "../../../engine/kv/page-counts.ts";
import type { KvGroup } from "../../../engine/kv/page-group.ts";
import { Scheduler } from "../../../engine/scheduler/scheduler.ts";
import { serveEngine } from "../../../engine/server/http.ts";
import { EOS } from "../../support/tiny-files.ts";
import { Dice } from "../dice.ts";
import { CheckingRunner } from "./checking-runner.ts";
import type { ModelSide } from "./round.ts";

export interface SocketReport {
  readonly seed: number;
  readonly numClients: number;
  /** Clients by how they ended. */
  readonly ends: Readonly<Record<string, number>>;
  readonly numPreemptions: number;
  /** Requests of clients that left which the engine ended early. */
  readonly numAborted: number;
  readonly problems: readonly string[];
}

const CONTEXT = 96;
const PAGE_SIZE = 4;
const GROUPS: readonly (readonly KvGroup[])[] = [
  [{ kind: "full" }],
  [{ kind: "full" }, { kind: "window", window: 9 }],
];
/** A client that has no answer by then is stuck. */
const STUCK_MS = 15_000;
/** Until the server knows that its clients have gone. */
const SETTLE_MS = 5000;

const ENDS = ["answered", "vanished", "broken off"] as const;

/** How a client behaves. */
interface Client {
  readonly head: string;
  readonly body: string;
  /** Bytes of the request that it sends at once, and how long it rests between. */
  readonly pieces: number;
  readonly restMs: number;
  /** Of the request: it is gone behind so many bytes. */
  readonly vanishesAfterSent: number | undefined;
  /** Of the answer. */
  readonly vanishesAfterRead: number | undefined;
  /** Rests behind every so many bytes of the answer, with the socket paused. */
  readonly readsBytes: number | undefined;
  /** Ends its side of the connection behind the request, as some clients do. */
  readonly halfCloses: boolean;
  readonly delayMs: number;
}

function clientOf(dice: Dice): Client {
  const stream = dice.chance(0.6);
  const path = dice.pick([
    "/v1/completions",
    "/v1/completions",
    "/generate",
    "/v1/chat/completions",
    "/v1/embeddings",
  ]);
  const text = "x".repeat(1 + dice.below(40));
  const sampling = {
    max_tokens: 1 + dice.below(50),
    ignore_eos: dice.chance(0.7),
    seed: dice.below(1 << 20),
    n: dice.chance(0.2) ? 2 + dice.below(2) : 1,
    stream,
    ...(dice.chance(0.3) ? { cache_salt: dice.pick(["red", "blue"]) } : {}),
  };
  const bodies: Readonly<Record<string, object>> = {
    "/v1/completions": { ...sampling, prompt: dice.chance(0.3) ? [text, "y"] : text },
    "/generate": { ...sampling, prompt: text },
    "/v1/chat/completions": { ...sampling, messages: [{ role: "user", content: text }] },
    "/v1/embeddings": { input: text },
  };
  const body = JSON.stringify(bodies[path]);
  const length = Buffer.byteLength(body) + (dice.chance(0.05) ? 7 : 0); // the rest never comes
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const size = head.length + body.length;
  const sendsSlowly = dice.chance(0.2);
  return {
    head,
    body,
    pieces: sendsSlowly ? 1 + dice.below(60) : size,
    restMs: sendsSlowly ? dice.below(4) : 0,
    vanishesAfterSent: dice.chance(0.15) ? dice.below(size) : undefined,
    vanishesAfterRead: dice.chance(0.4) ? dice.below(dice.pick([1, 200, 2000])) : undefined,
    readsBytes: dice.chance(0.3) ? 1 + dice.below(400) : undefined,
    halfCloses: dice.chance(0.1),
    delayMs: dice.below(60),
  };
}

/** @returns how it ended */
async function runClient(client: Client, port: number): Promise<string> {
  await delay(client.delayMs);
  const socket = connect(port, "127.0.0.1");
  const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {}); // a server that closes first resets what is still sent
  const answer = readAnswer(socket, client);
  const isSent = await sendRequest(socket, client);
  const short = !client.head.includes(`: ${Buffer.byteLength(client.body)}\r`);
  if (!isSent || short) {
    if (isSent) await delay(5); // the server waits for the rest of the body
    socket.destroy();
    await gone;
    return "broken off";
  }
  const end = await Promise.race([answer, gone.then(() => "closed"), delay(STUCK_MS, "stuck")]);
  socket.destroy();
  await gone;
  return end;
}

/** @returns false where the client has vanished before all was sent */
async function sendRequest(socket: Socket, client: Client): Promise<boolean> {
  const { head, body, pieces, restMs, vanishesAfterSent, halfCloses } = client;
  const text = head + body;
  const end = vanishesAfterSent ?? text.length;
  for (let at = 0; at < end; at += pieces) {
    if (socket.destroyed) return true;
    socket.write(text.slice(at, Math.min(at + pieces, end)));
    if (restMs > 0) await delay(restMs);
  }
  if (vanishesAfterSent !== undefined) return false;
  if (halfCloses) socket.end();
  return true;
}

/** Reads at the client's pace until the answer is whole, or it has enough. */
function readAnswer(socket: Socket, client: Client): Promise<string> {
  const { vanishesAfterRead, readsBytes } = client;
  let [text, sinceRest] = ["", 0];
  return new Promise((resolve) => {
    socket.on("data", (data) => {
      text += data.toString("latin1");
      sinceRest += data.length;
      if (vanishesAfterRead !== undefined && text.length > vanishesAfterRead) resolve("vanished");
      else if (isWhole(text)) resolve(statusOf(text));
      else if (readsBytes !== undefined && sinceRest >= readsBytes) {
        sinceRest = 0;
        socket.pause();
        setTimeout(() => socket.resume(), 3);
      }
    });
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined
    ? text.endsWith("\r\n0\r\n\r\n")
    : text.length >= end + 4 + Number(length);
}

function statusOf(text: string): string {
  const status = text.slice(9, 12);
  return status === "200" ? "answered" : `status ${status}`;
}

function engineFor(model: ModelSide, dice: Dice) {
  const groups = dice.pick(GROUPS);
  const chunk = dice.pick([8, 64]);
  const perRequest = mostPages(CONTEXT, { groups, pageSize: PAGE_SIZE, chunk });
  const numPages = 1 + perRequest * dice.pick([1, 2, 6]);
  const memory = { numPages, pageSize: PAGE_SIZE, groups, numStates: 0 };
  const kv = new KvManager({ ...memory, prefixCaching: true });
  const maxNumSeqs = dice.pick([2, 8, 32]);
  const limits = { maxBatchedTokens: chunk, maxNumSeqs, maxModelLen: CONTEXT, watermark: 0.01 };
  const scheduler = new Scheduler(limits, kv, [EOS]);
  const slowness = dice.pick([0, 1, 3]);
  const runner = new CheckingRunner({ ...memory, failsOneIn: 0, slowness }, dice);
  const maxPositions = kv.maxPositions(chunk);
  const info = { ...model.info, numPages, maxModelLen: CONTEXT, maxNumSeqs, maxPositions };
  const loaded = { ...model, info, ownsDevice: false, runner, scheduler, kv };
  const asyncScheduling = dice.chance(0.7);
  return Engine.over(loaded, { checksEachStep: true, asyncScheduling });
}

/** @param numClients sockets, each with one request */
export async function socketRound(
  model: ModelSide,
  seed: number,
  numClients: number,
): Promise<SocketReport> {
  const dice = new Dice(seed);
  const engine = engineFor(model, dice);
  let numAborted = 0;
  const abort = engine.abort.bind(engine);
  engine.abort = (id) => {
    const before = engine.numRunning + engine.numWaiting;
    abort(id);
    if (engine.numRunning + engine.numWaiting < before) numAborted++;
  };
  const chatTemplate = "{% for m in messages %}{{ m.content }}{% endfor %}";
  const server = await serveEngine(engine, { port: 0, chatTemplate });
  const problems: string[] = [];
  const ends: Record<string, number> = {};
  const clients = Array.from({ length: numClients }, () => clientOf(dice));
  await Promise.all(
    clients.map(async (client, i) => {
      const end = await runClient(client, server.port);
      ends[end] = (ends[end] ?? 0) + 1;
      const expected: readonly string[] = client.halfCloses ? [...ENDS, "closed"] : ENDS;
      if (!expected.includes(end)) problems.push(`client ${i}: ${end}`);
    }),
  );
  problems.push(...(await settle(engine)));
  const { status } = await fetch(`${server.url}/health`);
  if (status !== 200) problems.push(`/health answers ${status}`);
  const { numPreemptions } = engine;
  await server.close(0);
  return { seed, numClients, ends, numPreemptions, numAborted, problems };
}

/** Waits until nothing runs. @returns what is still there */
async function settle(engine: Engine): Promise<string[]> {
  const free = engine.info.numPages - 1;
  const left = () => engine.numRunning + engine.numWaiting;
  const deadline = performance.now() + SETTLE_MS;
  while (performance.now() < deadline && (left() > 0 || engine.numFreePages < free)) await delay(5);
  if (left() === 0 && engine.numFreePages === free) return [];
  return [`${left()} requests and ${free - engine.numFreePages} pages are left`];
}
