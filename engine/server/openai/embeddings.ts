/** [engine/server] POST /v1/embeddings: the hidden states of texts as vectors of length 1, in the order of the inputs. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { POOLINGS } from "../../core.ts";
import { RequestGroup } from "../../request-group.ts";
import { addAnswerRoute } from "../answer-route.ts";
import { filterPrompt, type ServerContext } from "../context.ts";
import { checkModel } from "../models.ts";
import { promptIds } from "../prompt-ids.ts";
import {
  checkExtent,
  parseBody,
  promptSchema,
  promptsOf,
  refused,
  requestFields,
  requestOptions,
} from "../schema.ts";

export const embeddingSchema = z
  .object({
    model: z.string().nullish(),
    input: promptSchema,
    encoding_format: z.enum(["float", "base64"]).nullish(),
    dimensions: z.number().int().min(1).nullish(),
    /** Ours: what is made one vector. */
    pooling: z.enum(POOLINGS).nullish(),
    add_special_tokens: requestFields.add_special_tokens,
    truncate_prompt_tokens: requestFields.truncate_prompt_tokens,
    priority: requestFields.priority,
    cache_salt: requestFields.cache_salt,
  })
  .loose();

export function addEmbeddings(app: FastifyInstance, context: ServerContext): void {
  const { engine, desk, limits, options } = context;
  addAnswerRoute(app, context, "/v1/embeddings", embeddingSchema, async (asked, source) => {
    const body = parseBody(embeddingSchema, asked);
    checkModel(engine.info, body.model);
    const queue = requestOptions(body, engine.info.schedulingPolicy);
    if (body.dimensions !== null && body.dimensions !== undefined) {
      const message = "'dimensions' needs a model that was trained for it";
      throw refused("dimensions", message, "leave out 'dimensions'");
    }
    const given = promptsOf(body.input);
    checkExtent(limits, {}, given.length);
    desk.checkOpen(given.length);
    const prompts = await Promise.all(given.map((prompt) => filterPrompt(context, prompt)));
    const ids = prompts.map((prompt) => promptIds(engine, prompt, body, 1));
    const id = `embd-${randomUUID()}`;
    const pooling = body.pooling ?? options.pooling ?? "last";
    const group = new RequestGroup(
      source,
      ids,
      { maxTokens: 1, temperature: 0, ignoreEos: true, pooling },
      1,
      id,
      queue,
    );
    const whole = async () => {
      const outputs = await group.finish();
      const tokens = outputs.reduce((sum, output) => sum + output.promptTokenIds.length, 0);
      return {
        id,
        object: "list",
        created: Math.floor(Date.now() / 1000),
        model: engine.info.name,
        data: outputs.map(({ embedding }, index) => ({
          index,
          object: "embedding",
          embedding: encodeVector(
            embedding ?? new Float32Array(0),
            body.encoding_format ?? "float",
          ),
        })),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    };
    return { group, whole };
  });
}

/** Little-endian f32 in base64, or numbers. */
function encodeVector(vector: Float32Array, format: "float" | "base64"): string | number[] {
  if (format === "float") return [...vector];
  const bytes = Buffer.alloc(4 * vector.length);
  vector.forEach((value, i) => {
    bytes.writeFloatLE(value, 4 * i);
  });
  return bytes.toString("base64");
}
