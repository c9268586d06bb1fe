/** [engine/server] Bodies of requests: JSON that says it is JSON. What browsers send to other sites without asking first is refused. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../dsl/index.ts";
import { showValue } from "../misfit.ts";
import { parseJson } from "./error-body.ts";

/** With parameters, as a charset, behind it. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** What curl says of `-d` where nothing else is said. */
const CURL_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Not of OpenAI's API: a demonstration that is called by curl, as vLLM's. */
const CURL_ROUTE = "/generate";

export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "string" },
    async (request: FastifyRequest, body: string) => {
      if (isJson(request)) return parseJson(body);
      if (body === "") return undefined; // for routes that read none
      if (!isCurl(request)) throw unsupported(request);
      return parseJson(body);
    },
  );
}

function isJson({ headers }: FastifyRequest): boolean {
  return JSON_TYPE.test(headers["content-type"] ?? "");
}

function isCurl({ headers, url }: FastifyRequest): boolean {
  const isForm = CURL_TYPE.test(headers["content-type"] ?? "");
  return isForm && headers.origin === undefined && url.split("?", 1)[0] === CURL_ROUTE;
}

function unsupported({ headers }: FastifyRequest): RequestError {
  const type = headers["content-type"];
  return new RequestError(
    {
      code: "TW4322",
      message: "the body's content type is not supported",
      seen: type === undefined ? "none" : showValue(type),
      expected: "application/json",
      remedy: "send the header 'content-type: application/json'",
    },
    415,
  );
}
