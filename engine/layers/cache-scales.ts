/** [engine/layers] Scales of keys and values in 8-bit caches, as checkpoints bring them: names, forms, what is refused. Kernels apply them. */
import { decodeArray, ModelError } from "../../dsl/index.ts";
import type { BuildContext } from "./build-context.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** What cached codes are multiplied by to be keys and values. */
export interface CacheScales {
  readonly kScale: number;
  readonly vScale: number;
}

/** What reads of a cache are scaled by: scores, values. */
export interface ReadScales {
  readonly scale: number;
  readonly vScale: number;
}

const NO_SCALES: CacheScales = Object.freeze({ kScale: 1, vScale: 1 });

/**
 * Names behind a layer's prefix, the first that is there counts: compressed-tensors and vLLM, ModelOpt, Quark and older compressed-tensors, one
 * scale of both.
 */
const NAMES = {
  k: ["k_scale", "attn.k_scale", "k_proj.k_scale", "k_proj.output_scale", "kv_scale"],
  v: ["v_scale", "attn.v_scale", "v_proj.v_scale", "v_proj.output_scale", "kv_scale"],
} as const;

/**
 * Scales of a layer, 1 where the checkpoint has none, and for caches of 16 and 32 bits, which need none: those that stand there are not
 * looked at. Scales of heads count by the largest: codes are floats, so a smaller range of theirs costs nothing but the subnormal end.
 * @param name prefix of the attention's weights
 * @throws ModelError TW4265 for a scale that is no positive number
 */
export function readCacheScales(
  { weights, cacheDtype }: Pick<BuildContext, "weights" | "cacheDtype">,
  name: string,
): CacheScales {
  if (cacheDtype !== "f8e4m3") return NO_SCALES;
  return { kScale: readScale(weights, name, NAMES.k), vScale: readScale(weights, name, NAMES.v) };
}

function readScale(weights: WeightLoader, prefix: string, names: readonly string[]): number {
  const found = names.map((name) => `${prefix}.${name}`).find((name) => weights.has(name));
  const stored = found === undefined ? undefined : weights.host(found);
  if (found === undefined || stored === undefined) return 1;
  const count = stored.shape.reduce((n, size) => n * size, 1);
  const values = [...decodeArray(stored.dtype, stored.bytes, count)];
  const scale = Math.fround(Math.max(...values));
  const isMeant = (value: number): boolean => Number.isFinite(value) && value > 0;
  if (values.length > 0 && values.every(isMeant)) return scale;
  throw new ModelError({
    code: "TW4265",
    message: "a scale of the 8-bit cache is no positive number",
    seen: `${found}: ${values.slice(0, 4).join(", ") || "no number"}`,
    expected: "what cached codes are multiplied by, above 0",
    remedy: "calibrate the checkpoint again, or take these tensors out of it: scales are 1 then",
  });
}
