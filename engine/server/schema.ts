/** [engine/server] Request bodies of the HTTP API, checked with zod. Unknown fields are ignored; known ones that would change the result and are not supported are refused. */
import { z } from "zod";
import { RequestError } from "../../dsl/index.ts";
import type { SamplingParams } from "../core.ts";
import { GREEDY_BELOW } from "../core.ts";
import { describeMisfit } from "../misfit.ts";

/** @throws RequestError TW4303 where several greedy choices, all the same, are asked for */
export function checkChoices(
  n: number | null | undefined,
  temperature: number | null | undefined,
): void {
  if ((n ?? 1) > 1 && (temperature ?? 1) < GREEDY_BELOW)
    throw refused("n", "'n' must be 1 for greedy sampling", "raise 'temperature' or set 'n' to 1");
}

const WHOLE_BODY: z.core.$ZodIssue = { code: "custom", path: [], message: "", input: undefined };

/** A lone half of a surrogate pair is no character: it reaches the tokenizer and every answer as U+FFFD, so that all JSON readers take them. */
const text = z.string().transform((value) => value.replace(/\p{Surrogate}/gu, "\ufffd"));
const tokenIds = z.array(z.number().int().nonnegative());
const PROMPT_SHAPES =
  "a string, a list of token ids, a list of strings, or a list of lists of token ids; no list may be empty";
const notEmpty = <T extends z.ZodType>(list: z.ZodArray<T>) => list.min(1, PROMPT_SHAPES);
const promptSchema = z.union(
  [text, notEmpty(tokenIds), notEmpty(z.array(text)), notEmpty(z.array(notEmpty(tokenIds)))],
  { error: PROMPT_SHAPES },
);

const samplingFields = {
  max_tokens: z.number().int().nonnegative().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  min_p: z.number().nullish(),
  seed: z.number().int().nullish(),
  stop: z
    .union([z.string(), z.array(z.string())], { error: "a string or a list of strings" })
    .nullish(),
  stop_token_ids: tokenIds.nullish(),
  ignore_eos: z.boolean().nullish(),
  skip_special_tokens: z.boolean().nullish(),
  logprobs: z.number().int().nonnegative().nullish(),
  prompt_logprobs: z.number().int().nonnegative().nullish(),
} as const;

const requestFields = {
  n: z.number().int().min(1).max(128).nullish(),
  stream: z.boolean().nullish(),
  add_special_tokens: z.boolean().nullish(),
} as const;

export const completionSchema = z
  .object({
    ...samplingFields,
    ...requestFields,
    model: z.string().nullish(),
    prompt: promptSchema,
    stream_options: z.object({ include_usage: z.boolean().nullish() }).loose().nullish(),
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
    prompt: z.union([text, tokenIds.min(1)], {
      error: "a string or a list of token ids that is not empty",
    }),
  })
  .loose();

/** Fields of OpenAI and vLLM that change what is generated, with the values that change nothing. */
const UNSUPPORTED: Readonly<Record<string, readonly unknown[]>> = {
  presence_penalty: [0],
  frequency_penalty: [0],
  repetition_penalty: [1],
  length_penalty: [1],
  best_of: [1],
  min_tokens: [0],
  use_beam_search: [false],
  include_stop_str_in_output: [false],
  suffix: [""],
  logit_bias: [],
  bad_words: [],
  allowed_token_ids: [],
  truncate_prompt_tokens: [],
  response_format: [],
  structured_outputs: [],
  guided_json: [],
  guided_regex: [],
  guided_choice: [],
  guided_grammar: [],
};

/** @throws RequestError TW4301 with the first field that does not fit, TW4303 for one that is not supported */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw misfit(parsed.error.issues[0], body);
  for (const [field, neutral] of Object.entries(UNSUPPORTED)) {
    const value = (body as Readonly<Record<string, unknown>>)[field];
    if (value === undefined || value === null || isEmpty(value) || neutral.includes(value))
      continue;
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

type SamplingBody = {
  readonly [K in keyof typeof samplingFields]?: z.infer<(typeof samplingFields)[K]>;
};

/** @param defaultMaxTokens used where the body names none */
export function samplingFrom(
  body: SamplingBody,
  defaultMaxTokens: number,
): Partial<SamplingParams> {
  const stop = body.stop === null || body.stop === undefined ? [] : [body.stop].flat();
  return {
    maxTokens: body.max_tokens ?? defaultMaxTokens,
    stop,
    ...given("temperature", body.temperature),
    ...given("topP", body.top_p),
    ...given("topK", body.top_k),
    ...given("minP", body.min_p),
    ...(body.seed === -1 ? {} : given("seed", body.seed)),
    ...given("stopTokenIds", body.stop_token_ids),
    ...given("ignoreEos", body.ignore_eos),
    ...given("skipSpecialTokens", body.skip_special_tokens),
    ...given("logprobs", body.logprobs),
    ...given("promptLogprobs", body.prompt_logprobs),
  };
}

function given<K extends keyof SamplingParams>(
  name: K,
  value: SamplingParams[K] | null | undefined,
): Partial<SamplingParams> {
  return value === null || value === undefined ? {} : { [name]: value };
}
