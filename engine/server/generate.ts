/** [engine/server] POST /generate, the shape of vLLM's demo server: `{text: [prompt + output, …]}`, or one JSON line for each step. */
import type { FastifyInstance } from "fastify";
import type { RequestOutput } from "../output.ts";
import { RequestGroup } from "../request-group.ts";
import { addAnswerRoute, type StartedAnswer } from "./answer-route.ts";
import { filterPrompt, type ServerContext } from "./context.ts";
import { errorBody } from "./error-body.ts";
import { promptIds } from "./prompt-ids.ts";
import type { ResponseWriter } from "./response-writer.ts";
import {
  checkExtent,
  checkRanking,
  generateSchema,
  parseBody,
  requestOptions,
  samplingFrom,
} from "./schema.ts";

const DEFAULT_MAX_TOKENS = 16;

export function addGenerate(app: FastifyInstance, context: ServerContext): void {
  const { engine, desk, limits } = context;
  addAnswerRoute(app, context, "/generate", generateSchema, async (given, source) => {
    const body = parseBody(generateSchema, given);
    checkExtent(limits, body);
    desk.checkOpen(body.best_of ?? body.n ?? 1);
    const { tokenizer } = engine;
    const prompt = await filterPrompt(context, body.prompt);
    const isText = typeof prompt === "string";
    const ids = promptIds(engine, prompt, body, body.max_tokens ?? DEFAULT_MAX_TOKENS);
    const isWhole = isText && typeof body.truncate_prompt_tokens !== "number";
    const promptText = isWhole ? prompt : tokenizer.decode(ids);
    const params = samplingFrom(body, DEFAULT_MAX_TOKENS);
    checkRanking(body);
    const options = requestOptions(body, engine.info.schedulingPolicy);
    const group = new RequestGroup(source, [ids], params, body.n ?? 1, undefined, options);
    return {
      group,
      whole: async () => {
        const outputs = await group.finish();
        return { text: outputs.map((output) => promptText + output.text) };
      },
      ...(body.stream === true ? { stream: lineStream(group, promptText) } : {}),
    };
  });
}

function lineStream(group: RequestGroup, promptText: string): NonNullable<StartedAnswer["stream"]> {
  return {
    contentType: "application/x-ndjson",
    write: (writer, onFailure) => streamLines(writer, group, promptText, onFailure),
  };
}

async function streamLines(
  writer: ResponseWriter,
  group: RequestGroup,
  promptText: string,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const texts = group.streams.map(() => promptText);
  const pump = async (source: AsyncIterable<RequestOutput>, i: number): Promise<void> => {
    for await (const output of source) {
      texts[i] = promptText + output.text;
      await writer.write(`${JSON.stringify({ text: texts })}\n`);
    }
  };
  try {
    await Promise.all(group.streams.map(pump));
    writer.end();
  } catch (error) {
    onFailure(error);
    writer.end(`${JSON.stringify(errorBody(error).body)}\n`);
  }
}
