/** [engine/server] Request bodies of the HTTP API, checked with zod; unknown fields are accepted and ignored, as vLLM does. */
import { z } from "zod";
import { RequestError } from "../../dsl/index.ts";
import type { SamplingParams } from "../core.ts";

const tokenIds = z.array(z.number().int().nonnegative());
export const promptSchema = z.union([
  z.string(),
  tokenIds.min(1),
  z.array(z.string()).min(1),
  z.array(tokenIds.min(1)).min(1),
]);

const samplingFields = {
  max_tokens: z.number().int().nonnegative().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  min_p: z.number().nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  stop_token_ids: tokenIds.nullish(),
  ignore_eos: z.boolean().nullish(),
  prompt_logprobs: z.number().int().nonnegative().nullish(),
} as const;

export const completionSchema = z
  .object({
    ...samplingFields,
    model: z.string().nullish(),
    prompt: promptSchema,
    n: z.number().int().min(1).max(128).nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).loose().nullish(),
    echo: z.boolean().nullish(),
    logprobs: z.number().int().nonnegative().nullish(),
    return_tokens_as_token_ids: z.boolean().nullish(),
    return_token_ids: z.boolean().nullish(),
    suffix: z.string().nullish(),
  })
  .loose();
export type CompletionBody = z.infer<typeof completionSchema>;

export const generateSchema = z
  .object({
    ...samplingFields,
    prompt: z.union([z.string(), tokenIds.min(1)]),
    n: z.number().int().min(1).max(128).nullish(),
    stream: z.boolean().nullish(),
    logprobs: z.number().int().nonnegative().nullish(),
  })
  .loose();
export type GenerateBody = z.infer<typeof generateSchema>;

/** @throws RequestError TW4301 with the first field that does not fit */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw new RequestError(
    {
      code: "TW4301",
      message: field === "" ? "the request body does not fit" : `field '${field}' does not fit`,
      seen: issue?.message ?? "an invalid body",
      expected: "a JSON object with the fields of this endpoint",
      remedy: "correct the field and send the request again",
    },
    400,
    field === "" ? null : String(issue?.path[0] ?? field),
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
    ...given("promptLogprobs", body.prompt_logprobs),
  };
}

function given<K extends keyof SamplingParams>(
  name: K,
  value: SamplingParams[K] | null | undefined,
): Partial<SamplingParams> {
  return value === null || value === undefined ? {} : { [name]: value };
}
