/** [engine/models] Every model family, one line each, and the lookup by architecture. */
import { UnsupportedError } from "../../dsl/index.ts";
import { deepseekV2 } from "./deepseek-v2.ts";
import { deepseekV3 } from "./deepseek-v3.ts";
import { gemma2 } from "./gemma2.ts";
import { gemma3 } from "./gemma3.ts";
import { gptOss } from "./gpt-oss.ts";
import { gpt2 } from "./gpt2.ts";
import { granite } from "./granite.ts";
import { llama } from "./llama.ts";
import { mamba2 } from "./mamba2.ts";
import { mistral } from "./mistral.ts";
import { mixtral } from "./mixtral.ts";
import type { ModelFamily } from "./model.ts";
import { olmo2 } from "./olmo2.ts";
import { phi3 } from "./phi3.ts";
import { qwen2 } from "./qwen2.ts";
import { qwen3 } from "./qwen3.ts";
import { qwen3Moe } from "./qwen3-moe.ts";

export const MODEL_FAMILIES: readonly ModelFamily[] = [
  deepseekV2,
  deepseekV3,
  gemma2,
  gemma3,
  gpt2,
  gptOss,
  granite,
  llama,
  mamba2,
  mistral,
  mixtral,
  olmo2,
  phi3,
  qwen2,
  qwen3,
  qwen3Moe,
];

/**
 * @param own families that go before those of the catalogue
 * @throws UnsupportedError TW4215 with the list of those that are supported
 */
export function findFamily(
  architectures: readonly string[],
  own: readonly ModelFamily[] = [],
): ModelFamily {
  const known = [...own, ...MODEL_FAMILIES];
  const family = known.find((candidate) =>
    candidate.architectures.some((name) => architectures.includes(name)),
  );
  if (family !== undefined) return family;
  throw new UnsupportedError({
    code: "TW4215",
    message: "the model's architecture is not supported",
    seen: architectures.join(", "),
    expected: known.flatMap((candidate) => candidate.architectures).join(", "),
    remedy:
      "use a checkpoint of one of these, give the family as an option, or add a file to engine/models",
  });
}
