/** [engine/server] Who may call, and from where: API keys, browsers' origins, request ids. Runs before any route. */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RequestError } from "../../dsl/index.ts";
import { BrowserGuard } from "./browser-guard.ts";
import type { ServeOptions } from "./options.ts";

/** Routes that need no key: load balancers ask the first two, the chat page is where a key is entered. */
const OPEN_ROUTES: ReadonlySet<string> = new Set(["/health", "/ping", "/"]);
const SANE_ID = /^[\w.:-]{1,128}$/;
const PREFLIGHT_SECONDS = 600;

/** The caller's `x-request-id` where it can stand in a header and a log line; a new one else. It never names anything inside. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && SANE_ID.test(given) ? given : randomUUID();
}

/** @param listensOn address of the port; absent where the routes are mounted elsewhere */
export function addAccess(app: FastifyInstance, options: ServeOptions, listensOn?: string): void {
  const { apiKeys = [], allowedOrigins = [] } = options;
  const digests = apiKeys.map(digest);
  const guard = new BrowserGuard(options, listensOn);
  app.addHook("onRequest", async (request, reply) => {
    reply.raw.setHeader("x-request-id", request.id); // also on answers that are streamed past the library
    guard.checkHost(request);
    const isAllowed = allowOrigin(request, reply, allowedOrigins);
    if (isAllowed && request.method === "OPTIONS") {
      answerPreflight(request, reply);
      return reply.status(204).send();
    }
    if (!isAllowed) guard.checkOrigin(request);
    const path = request.url.split("?", 1)[0] ?? "";
    if (digests.length === 0 || OPEN_ROUTES.has(path)) return undefined;
    if (!hasKey(request, digests)) {
      reply.raw.setHeader("www-authenticate", "Bearer");
      throw unauthorised();
    }
    return undefined;
  });
}

/** Compares with every key, whatever the first ones say, so that the time tells nothing. */
function hasKey(request: FastifyRequest, digests: readonly Buffer[]): boolean {
  const given = digest(givenKey(request));
  let found = false;
  for (const one of digests) found = timingSafeEqual(one, given) || found;
  return found;
}

/** Bearer token, `x-api-key`, or a password. */
function givenKey({ headers }: FastifyRequest): string {
  const { authorization = "", "x-api-key": key } = headers;
  const [scheme = "", value = ""] = authorization.split(/ +/, 2);
  if (/^bearer$/i.test(scheme)) return value;
  if (/^basic$/i.test(scheme)) {
    const text = Buffer.from(value, "base64").toString("utf8");
    return text.slice(text.indexOf(":") + 1);
  }
  return typeof key === "string" ? key : "";
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** @returns true where the caller's origin is allowed */
function allowOrigin(
  { headers }: FastifyRequest,
  { raw }: FastifyReply,
  allowed: readonly string[],
): boolean {
  const { origin } = headers;
  if (origin === undefined || allowed.length === 0) return false;
  raw.setHeader("vary", "origin");
  if (!allowed.includes("*") && !allowed.includes(origin)) return false;
  raw.setHeader("access-control-allow-origin", allowed.includes("*") ? "*" : origin);
  raw.setHeader("access-control-expose-headers", "x-request-id, retry-after, x-tilewright-warning");
  return true;
}

function answerPreflight({ headers }: FastifyRequest, { raw }: FastifyReply): void {
  const asked = headers["access-control-request-headers"];
  raw.setHeader("access-control-allow-methods", "GET, POST, OPTIONS");
  raw.setHeader("access-control-max-age", PREFLIGHT_SECONDS);
  if (typeof asked === "string") raw.setHeader("access-control-allow-headers", asked);
}

function unauthorised(): RequestError {
  return new RequestError(
    {
      code: "TW4314",
      message: "the API key is missing or wrong",
      expected: "the header 'Authorization: Bearer KEY' with a key of this server",
      remedy: "correct the key",
    },
    401,
  );
}
