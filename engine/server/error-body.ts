/** [engine/server] Errors as the OpenAI API words them. */
import { RequestError, TilewrightError } from "../../dsl/index.ts";

const TYPE_OF: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  413: "BadRequestError",
  415: "BadRequestError",
  429: "TooManyRequestsError",
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

export function errorBody(error: unknown): ErrorAnswer {
  const status = statusOf(error);
  const message =
    status < 500 || error instanceof TilewrightError
      ? (error as Error).message
      : "the server failed; its log says more";
  const param = error instanceof RequestError ? error.param : null;
  return {
    status,
    body: {
      error: { message, type: TYPE_OF[status] ?? "InternalServerError", param, code: status },
    },
  };
}

function statusOf(error: unknown): number {
  if (error instanceof RequestError) return error.status;
  const status = (error as { readonly statusCode?: unknown } | null)?.statusCode; // fastify's own: malformed JSON, body too large
  return typeof status === "number" && status >= 400 ? status : 500;
}
