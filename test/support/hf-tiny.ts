/** [test/support] The tiny checkpoints that transformers gave reference values for, and the shape of those values. */
import { readJson } from "./shared-models.ts";

export const TINY_MODELS = [
  "llama",
  "llama-tied",
  "llama3-rope",
  "llama-yarn",
  "mistral-swa",
  "qwen2",
  "qwen3",
] as const;

export interface HfCase {
  readonly prompt: readonly number[];
  /** Of each prompt token, the first null. */
  readonly prompt_logprobs: readonly (number | null)[];
  readonly greedy: readonly number[];
  /** Distance of the first two logits at each greedy step. */
  readonly greedy_margin: readonly number[];
}

export function tinyCases(root: string, model: (typeof TINY_MODELS)[number]): readonly HfCase[] {
  return readJson<{ readonly cases: readonly HfCase[] }>(`${root}/${model}`, "expected.json").cases;
}
