/** [engine/server] What a page of another site makes its visitor's browser send is refused: foreign origins, and names that point at this machine. Keys are checked elsewhere. */
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { RequestError } from "../../dsl/index.ts";
import { showValue } from "../misfit.ts";
import type { ServeOptions } from "./options.ts";

type Headers = FastifyRequest["headers"];

/** Load balancers ask them by any name; they tell nothing. */
const ANY_HOST: ReadonlySet<string> = new Set(["/health", "/ping"]);
/** They change nothing, and without a header that allows it no page can read their answers. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Names that nobody can have for a site of their own. @source RFC 6761, RFC 6762, ICANN's reservation of .internal */
const PRIVATE_NAME = /^localhost$|\.(localhost|local|internal)$/;
const ADDRESS = /^(\d+\.){3}\d+$|^\[.*\]$/;

export class BrowserGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #checksHosts: boolean;

  /** @param listensOn address of the port; absent where the server's routes are mounted elsewhere */
  constructor(options: ServeOptions, listensOn?: string) {
    const { allowedHosts = [], apiKeys = [] } = options;
    this.#hosts = new Set(allowedHosts.map((name) => name.toLowerCase()));
    const isTrusting = apiKeys.length === 0 && listensOn !== undefined && isLoopback(listensOn);
    this.#checksHosts = !this.#hosts.has("*") && (this.#hosts.size > 0 || isTrusting);
  }

  /**
   * Whoever reaches a keyless server on a loopback address is trusted, so a page must not reach it by a name of its own that points there.
   * @throws RequestError TW4321
   */
  checkHost({ headers, url }: FastifyRequest): void {
    const { host } = headers;
    if (!this.#checksHosts || host === undefined || this.#isKnown(host)) return;
    if (ANY_HOST.has(url.split("?", 1)[0] ?? "")) return;
    throw new RequestError(
      {
        code: "TW4321",
        message: "this server is not called by that name",
        seen: showValue(host),
        expected: "an address, localhost or another name of this machine",
        remedy:
          "start the server with allowedHosts (--allowed-hosts NAME), or with apiKeys (--api-key)",
      },
      403,
    );
  }

  /** For callers that are not among the allowed origins. @throws RequestError TW4320 for pages of other sites that would change something */
  checkOrigin({ headers, method }: FastifyRequest): void {
    if (READING.has(method) || isOwnPage(headers)) return;
    throw new RequestError(
      {
        code: "TW4320",
        message: "pages of other sites may not call this server",
        seen: showValue(headers.origin ?? "a request from another site"),
        expected: "a page of this server, or a program",
        remedy: "start the server with allowedOrigins (--allowed-origins ORIGIN)",
      },
      403,
    );
  }

  #isKnown(host: string): boolean {
    const name = host.replace(/:\d*$/, "").toLowerCase();
    if (ADDRESS.test(name) || PRIVATE_NAME.test(name) || this.#hosts.has(name)) return true;
    return name === hostname().toLowerCase();
  }
}

/** Programs send neither header; browsers say the origin with every POST, and scripts cannot change either. */
function isOwnPage(headers: Headers): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site === "same-origin") return true;
  if (origin === undefined) return site === undefined || site === "none";
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  // Both without the scheme's own port, which either may name.
  const called = `${page.protocol}//${host}`;
  return URL.canParse(called) && new URL(called).host === page.host;
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}
