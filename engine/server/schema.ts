/** [engine/server] Request bodies of the HTTP API, checked with zod. Unknown fields are ignored; known ones that would change the result and are not supported are refused. */
import { z } from "zod";
import { RequestError } from "../../dsl/index.ts";
import type { SamplingParams } from "../core.ts";
import type { GenerateOptions, Prompt } from "../engine.ts";
import { describeMisfit } from "../misfit.ts";
import type { GenerationConfig } from "../weights/model-config.ts";
import type { ServerLimits } from "./options.ts";

const WHOLE_BODY: z.core.$ZodIssue = { code: "custom", path: [], message: "", input: undefined };

/** A lone half of a surrogate pair is no character: it reaches the tokenizer and every answer as U+FFFD, so that all JSON readers take them. */
export const text = z.string().transform((value) => value.replace(/\p{Surrogate}/gu, "\ufffd"));
export const tokenIds = z.array(z.number().int().nonnegative());
const PROMPT_SHAPES =
  "a string, a list of token ids, a list of strings, or a list of lists of token ids; no list may be empty";
const notEmpty = <T extends z.ZodType>(list: z.ZodArray<T>) => list.min(1, PROMPT_SHAPES);
export const promptSchema = z.union(
  [text, notEmpty(tokenIds), notEmpty(z.array(text)), notEmpty(z.array(notEmpty(tokenIds)))],
  { error: PROMPT_SHAPES },
);

const number = z.number().nullish();
const flag = z.boolean().nullish();
const count = z.number().int().nonnegative().nullish();

/** -1: all tokens, where the server allows it. */
export const alternatives = z.number().int().min(-1).nullish();

/** Fields that complete and chat share. */
export const samplingFields = {
  max_tokens: count,
  temperature: number,
  top_p: number,
  top_k: z.number().int().nullish(),
  min_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  repetition_penalty: number,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  allowed_token_ids: tokenIds.nullish(),
  bad_words: z.array(z.string()).nullish(),
  seed: z.number().int().nullish(),
  best_of: z.number().int().min(1).nullish(),
  use_beam_search: flag,
  length_penalty: number,
  early_stopping: flag,
  stop: z
    .union([z.string(), z.array(z.string())], { error: "a string or a list of strings" })
    .nullish(),
  stop_token_ids: tokenIds.nullish(),
  include_stop_str_in_output: flag,
  ignore_eos: flag,
  min_tokens: count,
  skip_special_tokens: flag,
  prompt_logprobs: alternatives,
} as const;

/** Sampling alone, by the names of the API. */
export const samplingSchema = z.object(samplingFields).loose();

/** Prompts that are too long are cut at their beginning. @source vLLM's API: -1 for what fits, or the number of tokens that are kept */
const truncation = z
  .number()
  .int()
  .min(-1)
  .refine((value) => value !== 0, "-1, or an integer of at least 1")
  .nullish();

export const requestFields = {
  n: z.number().int().min(1).nullish(),
  priority: z.number().int().nullish(),
  cache_salt: z.string().min(1).nullish(),
  stream: flag,
  add_special_tokens: flag,
  truncate_prompt_tokens: truncation,
} as const;

export const streamOptions = z
  .object({ include_usage: flag, continuous_usage_stats: flag })
  .loose();

export const completionSchema = z
  .object({
    ...samplingFields,
    ...requestFields,
    model: z.string().nullish(),
    prompt: promptSchema,
    logprobs: alternatives,
    stream_options: streamOptions.nullish(),
    echo: z.boolean().nullish(),
    return_tokens_as_token_ids: z.boolean().nullish(),
    return_token_ids: z.boolean().nullish(),
  })
  .loose();
export type CompletionBody = z.infer<typeof completionSchema>;

export const generateSchema = z
  .object({
    ...samplingFields,
    ...requestFields,
    logprobs: alternatives,
    prompt: z.union([text, tokenIds.min(1)], {
      error: "a string or a list of token ids that is not empty",
    }),
  })
  .loose();

/** Fields of OpenAI and vLLM that change what is generated, with the values that change nothing. */
const UNSUPPORTED: Readonly<Record<string, readonly unknown[]>> = {
  length_penalty: [1],
  early_stopping: [false],
  suffix: [""],
  tools: [],
  functions: [],
  response_format: [],
  structured_outputs: [],
  guided_json: [],
  guided_regex: [],
  guided_choice: [],
  guided_grammar: [],
};

/** Only a beam search heeds them. */
const BEAM_FIELDS: ReadonlySet<string> = new Set(["length_penalty", "early_stopping"]);

export const UNSUPPORTED_FIELDS: readonly string[] = Object.keys(UNSUPPORTED);

/** @throws RequestError TW4301 with the first field that does not fit, TW4303 for one that is not supported */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw misfit(parsed.error.issues[0], body);
  const fields = body as Readonly<Record<string, unknown>>;
  for (const [field, neutral] of Object.entries(UNSUPPORTED)) {
    const value = fields[field];
    if (value === undefined || value === null || isEmpty(value) || neutral.includes(value))
      continue;
    if (BEAM_FIELDS.has(field) && fields["use_beam_search"] === true) continue;
    throw refused(field, `'${field}' is not supported`, `leave out '${field}'`);
  }
  return parsed.data;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A field whose value is possible by itself, and not here. */
export function refused(param: string, message: string, remedy: string): RequestError {
  return new RequestError({ code: "TW4303", message, remedy }, 400, param);
}

function misfit(issue: z.core.$ZodIssue | undefined, body: unknown): RequestError {
  const { field, root, seen, expected } = describeMisfit(issue ?? WHOLE_BODY, body);
  return new RequestError(
    {
      code: "TW4301",
      message: field === "" ? "the request body does not fit" : `field '${field}' does not fit`,
      seen,
      expected: field === "" ? "a JSON object with the fields of this endpoint" : expected,
      remedy: "correct the request and send it again",
    },
    400,
    root,
  );
}

/** A list of numbers is one prompt; a list of anything else is several. */
export function promptsOf(prompt: z.infer<typeof promptSchema>): readonly Prompt[] {
  if (typeof prompt === "string") return [prompt];
  return typeof prompt[0] === "number"
    ? [prompt as readonly number[]]
    : (prompt as readonly Prompt[]);
}

type SamplingBody = {
  readonly [K in keyof typeof samplingFields]?: z.infer<(typeof samplingFields)[K]>;
} & { readonly logprobs?: number | null | undefined };

/** @param defaultMaxTokens used where the body names none */
export function samplingFrom(
  body: SamplingBody,
  defaultMaxTokens: number,
): Partial<SamplingParams> {
  return {
    maxTokens: body.max_tokens ?? defaultMaxTokens,
    stop: stopsOf(body),
    ...given("temperature", body.temperature),
    ...given("topP", body.top_p),
    ...given("topK", body.top_k),
    ...given("minP", body.min_p),
    ...given("presencePenalty", body.presence_penalty),
    ...given("frequencyPenalty", body.frequency_penalty),
    ...given("repetitionPenalty", body.repetition_penalty),
    ...given("logitBias", body.logit_bias),
    ...given("allowedTokenIds", body.allowed_token_ids),
    ...given("badWords", body.bad_words),
    ...(body.seed === -1 ? {} : given("seed", body.seed)),
    ...given("bestOf", body.best_of),
    ...given("stopTokenIds", body.stop_token_ids),
    ...given("includeStopStrInOutput", body.include_stop_str_in_output),
    ...given("ignoreEos", body.ignore_eos),
    ...given("minTokens", body.min_tokens),
    ...given("skipSpecialTokens", body.skip_special_tokens),
    ...given("logprobs", body.logprobs),
    ...given("promptLogprobs", body.prompt_logprobs),
    ...beamsFrom(body),
  };
}

/** As in vLLM, the choices of a search are its beams. */
function beamsFrom(body: SamplingBody & Extent): Partial<SamplingParams> {
  if (body.use_beam_search !== true) return {};
  const { n, length_penalty: lengthPenalty, early_stopping: earlyStopping } = body;
  return {
    beam: {
      width: n ?? 1,
      lengthPenalty: lengthPenalty ?? 1,
      earlyStopping: earlyStopping ?? false,
    },
  };
}

function stopsOf({ stop }: SamplingBody): readonly string[] {
  return stop === null || stop === undefined ? [] : [stop].flat();
}

/** @throws RequestError TW4303 for a priority that this server would not heed */
export function requestOptions(
  {
    priority,
    cache_salt: cacheSalt,
  }: {
    readonly priority?: number | null | undefined;
    readonly cache_salt?: string | null | undefined;
  },
  policy: "fcfs" | "priority",
): Pick<GenerateOptions, "priority" | "cacheSalt"> {
  const isPrior = priority !== null && priority !== undefined && priority !== 0;
  if (isPrior && policy !== "priority") {
    const message = "'priority' needs the policy of that name";
    throw refused(
      "priority",
      message,
      "start the server with schedulingPolicy (--scheduling-policy) priority",
    );
  }
  return {
    ...(isPrior ? { priority } : {}),
    ...(cacheSalt === null || cacheSalt === undefined ? {} : { cacheSalt }),
  };
}

/** What a request leaves out is taken from generation_config.json, then from vLLM's defaults. */
export function withSuggested<T extends SamplingBody>(body: T, suggested: GenerationConfig): T {
  if (body.use_beam_search === true) return body; // nothing is drawn
  return {
    ...body,
    temperature: body.temperature ?? suggested.temperature,
    top_p: body.top_p ?? suggested.top_p,
    top_k: body.top_k ?? suggested.top_k,
    min_p: body.min_p ?? suggested.min_p,
    repetition_penalty: body.repetition_penalty ?? suggested.repetition_penalty,
  };
}

interface Extent {
  readonly n?: number | null | undefined;
  readonly best_of?: number | null | undefined;
  readonly stop?: string | readonly string[] | null | undefined;
}

/** @throws RequestError TW4315 for more prompts, choices or stop strings than this server takes */
export function checkExtent(limits: ServerLimits, body: Extent, prompts = 1): void {
  const { maxPrompts, maxChoices, maxStops } = limits;
  const stops = Array.isArray(body.stop) ? body.stop.length : 1;
  const rules = [
    ["prompt", prompts, maxPrompts],
    ["n", body.n ?? 1, maxChoices],
    ["best_of", body.best_of ?? 1, maxChoices],
    ["stop", stops, maxStops],
  ] as const;
  for (const [param, seen, most] of rules) {
    if (seen <= most) continue;
    throw new RequestError(
      {
        code: "TW4315",
        message: `'${param}' asks for more than this server gives`,
        seen: String(seen),
        expected: `at most ${most}`,
        remedy: "send several requests",
      },
      400,
      param,
    );
  }
}

/** @throws RequestError TW4303 for options of a stream without a stream */
export function checkStream(body: {
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: object | null | undefined;
  readonly prompt_logprobs?: number | null | undefined;
}): void {
  const streams = body.stream === true;
  if (body.stream_options !== null && body.stream_options !== undefined && !streams)
    throw refused("stream_options", "'stream_options' needs 'stream': true", "set 'stream'");
  if (streams && typeof body.prompt_logprobs === "number") {
    const message = "'prompt_logprobs' is not possible with 'stream'";
    throw refused("prompt_logprobs", message, "set 'stream' to false");
  }
}

/** Which of several is best is known at their end. @throws RequestError TW4303 for a stream of them */
export function checkRanking(
  body: Extent & {
    readonly stream?: boolean | null | undefined;
    readonly use_beam_search?: boolean | null | undefined;
  },
): void {
  if (body.use_beam_search === true && body.stream === true)
    throw refused("stream", "a beam search cannot be streamed", "leave out one of them");
  const isRanked = (body.best_of ?? 1) > (body.n ?? 1);
  if (isRanked && body.stream === true)
    throw refused("best_of", "'best_of' above 'n' cannot be streamed", "leave out one of them");
}

function given<K extends keyof SamplingParams>(
  name: K,
  value: SamplingParams[K] | null | undefined,
): Partial<SamplingParams> {
  return value === null || value === undefined ? {} : { [name]: value };
}
