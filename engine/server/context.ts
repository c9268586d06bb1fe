/** [engine/server] What the routes of one server share, made from its options. */
import type { Engine } from "../engine.ts";
import { checkServeNames } from "../option-names.ts";
import { ChatTemplate } from "../tokenizer/chat-template.ts";
import { Desk } from "./desk.ts";
import { ServerMetrics } from "./metrics.ts";
import { type ServeOptions, type ServerLimits, serverLimits } from "./options.ts";
import { refused } from "./schema.ts";
import { Tracing } from "./tracing/tracing.ts";

export interface ServerContext {
  readonly engine: Engine;
  readonly options: ServeOptions;
  readonly limits: ServerLimits;
  readonly metrics: ServerMetrics;
  readonly desk: Desk;
  readonly chatTemplate: ChatTemplate;
  readonly tracing: Tracing | undefined;
}

/** @throws TilewrightError TW4311 for options out of range, TW4124 for those that do not exist, ModelError TW4223 for a chat template that cannot be read */
export function serverContext(engine: Engine, options: ServeOptions): ServerContext {
  checkServeNames(options);
  const limits = serverLimits(options);
  const metrics = new ServerMetrics(engine, options.metricsNamespace);
  const filter = options.outputFilter;
  const desk = new Desk(engine, metrics, limits.maxConcurrentRequests, filter);
  const { chatTemplate: text, chatTemplateSeconds } = options;
  const chatTemplate = ChatTemplate.load(engine.info.tokenizerFolder, text, chatTemplateSeconds);
  const tracing =
    options.tracing === undefined ? undefined : new Tracing(options.tracing, engine.info.name);
  return { tracing, engine, options, limits, metrics, desk, chatTemplate };
}

/** A text prompt as the server's filter leaves it; token ids as they are. */
export async function filterPrompt<T>({ options }: ServerContext, prompt: T): Promise<T | string> {
  if (typeof prompt !== "string" || options.inputFilter === undefined) return prompt;
  return options.inputFilter(prompt);
}

/** Log-probabilities and ids tell what a filter took out of the text. @throws RequestError TW4303 */
export function checkFilter(
  { options }: ServerContext,
  asked: Readonly<Record<string, boolean>>,
): void {
  if (options.outputFilter === undefined) return;
  for (const [param, isAsked] of Object.entries(asked)) {
    if (!isAsked) continue;
    const message = `'${param}' is not possible on a server that filters its answers`;
    throw refused(param, message, `leave out '${param}'`);
  }
}
