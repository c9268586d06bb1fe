/** [engine/server] Errors as the OpenAI API words them, also those of the HTTP library and of Node's HTTP parser. */
import { RequestError, TilewrightError } from "../../dsl/index.ts";
import { MAX_BODY_BYTES } from "./options.ts";

const TYPE_OF: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  408: "BadRequestError",
  409: "ConflictError",
  413: "BadRequestError",
  403: "PermissionDeniedError",
  415: "BadRequestError",
  429: "TooManyRequestsError",
  422: "UnprocessableEntityError",
  431: "BadRequestError",
  501: "NotImplementedError",
  503: "ServiceUnavailableError",
};

export interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly error: {
      readonly message: string;
      readonly type: string;
      readonly param: string | null;
      readonly code: number;
    };
  };
}

/** @param maxBodyBytes what the server takes */
export function errorBody(thrown: unknown, maxBodyBytes = MAX_BODY_BYTES): ErrorAnswer {
  const error = inOurWords(thrown, maxBodyBytes);
  const status = error instanceof RequestError ? error.status : 500;
  const message =
    error instanceof TilewrightError ? error.message : "the server failed; its log says more";
  const param = error instanceof RequestError ? error.param : null;
  return {
    status,
    body: {
      error: { message, type: TYPE_OF[status] ?? "InternalServerError", param, code: status },
    },
  };
}

/** What the HTTP library refuses by itself. Its 500s are failures of ours and stay what they are. */
function inOurWords(error: unknown, maxBodyBytes: number): unknown {
  if (error instanceof TilewrightError || !(error instanceof Error)) return error;
  const { statusCode } = error as { readonly statusCode?: unknown };
  if (typeof statusCode !== "number" || statusCode < 400 || statusCode >= 500) return error;
  if (statusCode === 413) {
    return new RequestError(
      {
        code: "TW4307",
        message: "the request body is too large",
        expected: `at most ${maxBodyBytes} bytes`,
        remedy: "send fewer or shorter prompts in one request",
      },
      413,
    );
  }
  return unreadable(error.message, statusCode);
}

/** A request that is no well-formed HTTP for this server. */
export function unreadable(seen: string, status: number): RequestError {
  return new RequestError(
    {
      code: "TW4308",
      message: "the request cannot be read",
      seen,
      expected: "an HTTP/1.1 request with a JSON body",
      remedy: "correct its path, headers or body",
    },
    status,
  );
}

/** @throws RequestError TW4306 for text that is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RequestError({
      code: "TW4306",
      message: "the request body is not JSON",
      seen: text === "" ? "an empty body" : String((cause as Error).message),
      expected: "a JSON object with the fields of this endpoint",
      remedy: "correct the body; every endpoint takes JSON alone",
    });
  }
}
