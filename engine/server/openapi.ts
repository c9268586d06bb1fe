/** [engine/server] GET /openapi.json: the API as an OpenAPI document, its bodies from the schemas that check them. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { packageVersion } from "../version.ts";
import { chatSchema } from "./openai/chat-schema.ts";
import { embeddingSchema } from "./openai/embeddings.ts";
import { completionSchema, generateSchema } from "./schema.ts";
import { detokenizeSchema, tokenizeChatSchema, tokenizeTextSchema } from "./tokens.ts";

const BODIES: Readonly<Record<string, z.ZodType>> = {
  "/v1/completions": completionSchema,
  "/v1/chat/completions": chatSchema,
  "/v1/embeddings": embeddingSchema,
  "/generate": generateSchema,
  "/tokenize": z.union([tokenizeTextSchema, tokenizeChatSchema]),
  "/detokenize": detokenizeSchema,
};

const ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "param", "code"],
      properties: {
        message: { type: "string" },
        type: { type: "string" },
        param: { type: ["string", "null"] },
        code: { type: "integer" },
      },
    },
  },
} as const;

/** @param routes every path with its methods, also those that are added later */
export function addOpenApi(
  app: FastifyInstance,
  routes: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  let document: object | undefined;
  app.get("/openapi.json", async () => {
    document ??= openApi(routes);
    return document;
  });
}

function openApi(routes: ReadonlyMap<string, ReadonlySet<string>>): object {
  const paths = [...routes].map(([path, methods]) => {
    const operations = [...methods].map((method) => [
      method.toLowerCase(),
      operation(path, method),
    ]);
    return [path.replace("/*", "/{model}"), Object.fromEntries(operations)];
  });
  return {
    openapi: "3.1.0",
    info: { title: "tilewright", version: packageVersion() },
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
      schemas: { Error: ERROR },
    },
    paths: Object.fromEntries(paths),
  };
}

function operation(path: string, method: string): object {
  const schema = method === "POST" ? BODIES[path] : undefined;
  const error = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-z0-9]+/gi, "_")}`,
    ...(path.endsWith("/*")
      ? { parameters: [{ name: "model", in: "path", required: true, schema: { type: "string" } }] }
      : {}),
    ...(schema === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: bodyOf(schema) } },
          },
        }),
    responses: {
      200: { description: "the answer; a stream of server-sent events where `stream` is true" },
      default: { description: "what is wrong, and what to do", content: error },
    },
  };
}

/** What is sent, before the schema changes it. */
function bodyOf(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  return rest;
}
