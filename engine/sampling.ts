/** [engine] Sampling parameters as a caller gives them → complete and in range. */
import { RequestError } from "../dsl/index.ts";
import { DEFAULT_SAMPLING, type SamplingParams } from "./core.ts";

/** Alternatives of one token. @source default of vLLM's --max-logprobs */
const MAX_LOGPROBS = 20;
const WIDTHS = `an integer from 0 to ${MAX_LOGPROBS}`;

/** Fills in defaults and checks ranges. @throws RequestError TW4110 with the parameter that does not fit */
export function resolveSampling(given: Partial<SamplingParams>): SamplingParams {
  const params = { ...DEFAULT_SAMPLING, ...dropUndefined(given) };
  const rules: readonly [keyof SamplingParams, string, boolean, string][] = [
    [
      "maxTokens",
      "max_tokens",
      Number.isInteger(params.maxTokens) && params.maxTokens >= 1,
      "an integer ≥ 1",
    ],
    [
      "temperature",
      "temperature",
      Number.isFinite(params.temperature) && params.temperature >= 0,
      "a number ≥ 0",
    ],
    ["topP", "top_p", params.topP > 0 && params.topP <= 1, "a number in (0, 1]"],
    [
      "topK",
      "top_k",
      Number.isInteger(params.topK) && params.topK >= -1 && params.topK < 2 ** 31,
      "-1 or 0 (off), or an integer ≥ 1",
    ],
    ["minP", "min_p", params.minP >= 0 && params.minP <= 1, "a number in [0, 1]"],
    ["seed", "seed", params.seed === undefined || Number.isSafeInteger(params.seed), "an integer"],
    ["stop", "stop", params.stop.every((stop) => stop !== ""), "strings that are not empty"],
    ["logprobs", "logprobs", isWidth(params.logprobs), WIDTHS],
    ["promptLogprobs", "prompt_logprobs", isWidth(params.promptLogprobs), WIDTHS],
  ];
  for (const [field, name, fits, expected] of rules) {
    if (fits) continue;
    throw new RequestError(
      {
        code: "TW4110",
        message: `'${name}' is out of range`,
        seen: JSON.stringify(params[field]),
        expected,
        remedy: `correct '${name}'`,
      },
      400,
      name,
    );
  }
  return params;
}

function isWidth(width: number | undefined): boolean {
  return width === undefined || (Number.isInteger(width) && width >= 0 && width <= MAX_LOGPROBS);
}

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}
