/** [engine/models] The config fields that all families with experts have, under their several names. */
import type { RawConfig } from "../weights/model-config.ts";
import { expect } from "./model.ts";

export interface ExpertCounts {
  readonly numExperts: number;
  /** Experts of each token. */
  readonly topK: number;
}

/** @throws ModelError TW4214 where the counts are missing or do not fit each other, and for activations that experts do not have */
export function expertCounts(config: RawConfig): ExpertCounts {
  expect(config.hidden_act === "silu", "hidden_act", config.hidden_act, "silu");
  const numExperts = config.num_local_experts ?? config.num_experts ?? 0;
  const topK = config.num_experts_per_tok ?? 0;
  expect(numExperts > 0, "num_local_experts", "nothing", "the number of experts of a layer");
  const fits = topK > 0 && topK <= numExperts;
  expect(fits, "num_experts_per_tok", String(topK), `1 to ${numExperts}`);
  return { numExperts, topK };
}
