/** [engine] Options that not every model takes, told by its layers. Ranges are in config.ts, what a checkpoint does not allow in model-weights.ts. */
import { ModelError } from "../dsl/index.ts";
import type { EngineOptions } from "./config.ts";
import { refuseOtherCaches } from "./dtypes.ts";
import { keepsStates } from "./layers/cache-shapes.ts";
import type { DecoderConfig } from "./layers/decoder.ts";

/** @throws ModelError TW4219 for results that cannot be kept apart from the batch, TW4250 for caches that cannot hold 8-bit floats */
export function checkModelOptions(
  { batchInvariant, kvCacheDtype }: EngineOptions,
  { blocks }: DecoderConfig,
): void {
  const layers = blocks.map(({ mixer }) => mixer.layer);
  if (batchInvariant === true && keepsStates(layers)) throw keptApart();
  refuseOtherCaches(kvCacheDtype, layers);
}

/** A scan over a chunk sums in another order than steps over its tokens. */
function keptApart(): ModelError {
  return new ModelError({
    code: "TW4219",
    message: "the model's results cannot be kept apart from the batch",
    seen: "layers that keep states, under batchInvariant",
    expected: "a model of attention layers alone",
    remedy: "leave out batchInvariant (--batch-invariant)",
  });
}
