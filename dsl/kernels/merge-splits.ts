/** [dsl/kernels] What one program of the merging kernels does, as a function that they inline, and what they share. Not a kernel. */
import { out, tensor } from "../language.ts";
import {
  all,
  cast,
  exp2,
  full,
  load,
  max,
  maximum,
  pid,
  range,
  span,
  store,
  sum,
  zeros,
} from "../ops/catalogue.ts";
import type { BodyArguments, ConfigArguments } from "../typing.ts";
import { EMPTY_LOG_SUM } from "./paged-decode.ts";

/** Meaning of each: decode-merge.ts. */
export const MERGE_PARAMS = {
  partial: tensor("f32", "S", "HKV", "SPLIT", "G", "D"),
  lse: tensor("f32", "S", "HKV", "SPLIT", "G"),
  o: out("T", "S", "HKV", "G", "D"),
} as const;

export const MERGE_CONFIG = { BS: 8 } as const;

/**
 * The splits of one head put together, as decode-merge.ts describes it.
 * @param firstMax f32 scalar, log2 domain: running maximum before the first split; finite
 * @param firstSum f32 scalar: sum of exponentials before the first split
 */
export function mergeSplits(
  args: BodyArguments<typeof MERGE_PARAMS, { readonly T: readonly ["f32", "f16", "bf16"] }>,
  config: ConfigArguments<typeof MERGE_CONFIG>,
  firstMax: number,
  firstSum: number,
): void {
  const { partial, lse, o, SPLIT, D, T } = args;
  const { BS } = config;
  const g = pid(0);
  const h = pid(1);
  const s = pid(2);
  let m = full("f32", firstMax);
  let l = full("f32", firstSum);
  let acc = zeros("f32", D);
  for (const j of range(0, SPLIT, BS)) {
    const x = load(lse, [s, h, span(j, BS), g], { fill: EMPTY_LOG_SUM });
    const mNew = maximum(m, max(x, "BS"));
    const w = exp2(x - mNew);
    const alpha = exp2(m - mNew);
    l = l * alpha + sum(w, "BS");
    acc = acc * alpha + sum(w * load(partial, [s, h, span(j, BS), g, all(D)]), "BS");
    m = mNew;
  }
  store(o, [s, h, g, all(D)], cast(acc / l, T));
}
