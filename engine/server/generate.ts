/** [engine/server] POST /generate, the shape of vLLM's demo server: `{text: [prompt + output, …]}`, or one JSON line for each step. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Engine } from "../engine.ts";
import { lastOutput } from "../llm.ts";
import type { RequestOutput } from "../output.ts";
import { generateSchema, parseBody, samplingFrom } from "./schema.ts";
import { abortOnClose } from "./sse.ts";

const DEFAULT_MAX_TOKENS = 16;

export function addGenerate(app: FastifyInstance, engine: Engine): void {
  app.post("/generate", async (request, reply) => {
    const body = parseBody(generateSchema, request.body);
    const params = {
      ...samplingFrom(body, DEFAULT_MAX_TOKENS),
      ...(typeof body.logprobs === "number" ? { logprobs: body.logprobs } : {}),
    };
    const promptIds =
      typeof body.prompt === "string" ? engine.tokenizer.encode(body.prompt) : body.prompt;
    const promptText =
      typeof body.prompt === "string" ? body.prompt : engine.tokenizer.decode(body.prompt);
    const id = randomUUID();
    const ids = Array.from({ length: body.n ?? 1 }, (_, i) => `${id}-${i}`);
    const streams = ids.map((requestId, i) =>
      engine.generate(
        promptIds,
        { ...params, ...(params.seed === undefined ? {} : { seed: params.seed + i }) },
        requestId,
      ),
    );
    const stop = abortOnClose(reply.raw, engine, ids);
    try {
      if (body.stream !== true)
        return {
          text: (await Promise.all(streams.map(lastOutput))).map(
            (output) => promptText + output.text,
          ),
        };
      reply.hijack();
      reply.raw.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
      const texts = streams.map(() => promptText);
      const pump = async (source: AsyncIterable<RequestOutput>, i: number): Promise<void> => {
        for await (const output of source) {
          texts[i] = promptText + output.text;
          reply.raw.write(`${JSON.stringify({ text: texts })}\n`);
        }
      };
      await Promise.all(streams.map(pump));
      reply.raw.end();
      return reply;
    } finally {
      stop();
    }
  });
}
