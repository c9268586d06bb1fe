/** [engine/layers] Tables of cosines and sines for rotary position embedding, with every scaling as a table. Host code only. */
import { ModelError } from "../../dsl/index.ts";
import type { RopeParameters } from "../weights/model-config.ts";

export interface RopeOptions {
  readonly headDim: number;
  readonly maxPositions: number;
  /** `max_position_embeddings` of the config. */
  readonly trainedPositions: number;
  readonly parameters: RopeParameters & { readonly rope_theta: number; readonly rope_type: string };
}

interface Frequencies {
  readonly inverse: Float64Array;
  /** Both cosine and sine are multiplied by it. */
  readonly amplitude: number;
}

type Scaling = (options: RopeOptions) => Frequencies;

/** `none` rotates by no angle. @source names and formulas: Hugging Face transformers, documentation of `rope_parameters` */
const SCALINGS: Readonly<Record<string, Scaling>> = {
  default: (o) => ({
    inverse: inverseFrequencies(o.headDim, o.parameters.rope_theta),
    amplitude: 1,
  }),
  none: (o) => ({ inverse: new Float64Array(o.headDim / 2), amplitude: 1 }),
  linear: (o) => ({
    inverse: inverseFrequencies(o.headDim, o.parameters.rope_theta).map((f) => f / factorOf(o)),
    amplitude: 1,
  }),
  dynamic: dynamicScaling,
  yarn: yarnScaling,
  llama3: llama3Scaling,
  longrope: longropeScaling,
  su: longropeScaling,
};

/**
 * cos then sin of position × frequency.
 * @returns `[maxPositions, 2, headDim / 2]`, f32
 * @throws ModelError TW4213 for a scaling that is not known, or whose numbers give no frequencies
 */
export function ropeTable(options: RopeOptions): Float32Array {
  const scaling = SCALINGS[options.parameters.rope_type];
  if (scaling === undefined) {
    throw new ModelError({
      code: "TW4213",
      message: "the model's rope scaling is not known",
      seen: options.parameters.rope_type,
      expected: Object.keys(SCALINGS)
        .filter((name) => name !== "none")
        .join(", "),
      remedy: "use a model with one of these",
    });
  }
  const { inverse, amplitude } = scaling(options);
  checkFinite(options, [...inverse, amplitude]);
  const half = inverse.length;
  checkSize(options, 2 * half);
  const table = new Float32Array(options.maxPositions * 2 * half);
  for (let position = 0; position < options.maxPositions; position++) {
    const row = position * 2 * half;
    for (let i = 0; i < half; i++) {
      // The angle is a product of f32 numbers in every implementation that checkpoints were trained with.
      const angle = Math.fround(position * Math.fround(inverse[i] ?? 0));
      table[row + i] = Math.cos(angle) * amplitude;
      table[row + half + i] = Math.sin(angle) * amplitude;
    }
  }
  return table;
}

/** Numbers that each are possible may together divide by 0, as yarn does where no turns count as fast. */
function checkFinite({ parameters }: RopeOptions, numbers: readonly number[]): void {
  const bad = numbers.find((number) => !Number.isFinite(Math.fround(number)));
  if (bad === undefined) return;
  throw new ModelError({
    code: "TW4213",
    message: `the rope scaling '${parameters.rope_type}' gives no frequencies`,
    seen: `${bad} by ${JSON.stringify(parameters)}`,
    expected: "numbers that give finite frequencies and a finite amplitude",
    remedy: "correct rope_scaling and rope_theta in config.json; the model's card names them",
  });
}

/** Floats of a table: 8 GiB of it, more than a host would give. */
const MAX_TABLE = 2 ** 31;

function checkSize({ maxPositions }: RopeOptions, perPosition: number): void {
  if (maxPositions * perPosition <= MAX_TABLE) return;
  throw new ModelError({
    code: "TW4104",
    message: "the context is longer than a rope table can hold",
    seen: `${maxPositions} positions of ${perPosition} numbers`,
    expected: `at most ${Math.floor(MAX_TABLE / perPosition)} positions`,
    remedy: "lower maxModelLen (--max-model-len)",
  });
}

function inverseFrequencies(headDim: number, theta: number): Float64Array {
  return Float64Array.from({ length: headDim / 2 }, (_, i) => theta ** ((-2 * i) / headDim));
}

type RopeNumber = "factor" | "low_freq_factor" | "high_freq_factor";

/** A number that the scaling means nothing without. @throws ModelError TW4213 */
function need({ parameters }: RopeOptions, name: RopeNumber): number {
  const value = parameters[name];
  if (value !== undefined && value !== null) return value;
  throw new ModelError({
    code: "TW4213",
    message: `the rope scaling '${parameters.rope_type}' needs '${name}'`,
    seen: `a scaling without '${name}'`,
    expected: "a number above 0",
    remedy: "add it to rope_scaling in config.json; the model's card names it",
  });
}

function factorOf(options: RopeOptions): number {
  return need(options, "factor");
}

/** NTK-aware base change for the longest context. */
function dynamicScaling(o: RopeOptions): Frequencies {
  const factor = factorOf(o);
  const longest = o.trainedPositions * factor;
  const base =
    o.parameters.rope_theta *
    ((factor * longest) / o.trainedPositions - (factor - 1)) ** (o.headDim / (o.headDim - 2));
  const needed = o.maxPositions > o.trainedPositions;
  return {
    inverse: inverseFrequencies(o.headDim, needed ? base : o.parameters.rope_theta),
    amplitude: 1,
  };
}

/** @source arXiv 2309.00071 (YaRN), sections 3.2 and 3.4 */
function yarnScaling(o: RopeOptions): Frequencies {
  const { parameters: p, headDim } = o;
  const original = p.original_max_position_embeddings ?? o.trainedPositions;
  const factor = p.factor ?? o.trainedPositions / original;
  const dimOf = (rotations: number) =>
    (headDim * Math.log(original / (rotations * 2 * Math.PI))) / (2 * Math.log(p.rope_theta));
  const exactLow = dimOf(p.beta_fast ?? 32);
  const exactHigh = dimOf(p.beta_slow ?? 1);
  const whole = p.truncate ?? true;
  const low = Math.max(whole ? Math.floor(exactLow) : exactLow, 0);
  const high = Math.min(whole ? Math.ceil(exactHigh) : exactHigh, headDim - 1);
  const span = high === low ? 0.001 : high - low;
  const inverse = inverseFrequencies(headDim, p.rope_theta).map((f, i) => {
    const interpolated = Math.min(1, Math.max(0, (i - low) / span));
    return (f / factor) * interpolated + f * (1 - interpolated);
  });
  const mscale = (m: number) => (factor <= 1 ? 1 : 0.1 * m * Math.log(factor) + 1);
  const amplitude =
    p.attention_factor ??
    (p.mscale && p.mscale_all_dim ? mscale(p.mscale) / mscale(p.mscale_all_dim) : mscale(1));
  return { inverse, amplitude };
}

/** Low frequencies are stretched, high ones kept, those between are blended. @source Llama 3.1 model card and reference code */
function llama3Scaling(o: RopeOptions): Frequencies {
  const { parameters: p } = o;
  const factor = factorOf(o);
  const lowFactor = need(o, "low_freq_factor");
  const highFactor = need(o, "high_freq_factor");
  const original = p.original_max_position_embeddings ?? o.trainedPositions;
  const inverse = inverseFrequencies(o.headDim, p.rope_theta).map((f) => {
    const wavelength = (2 * Math.PI) / f;
    if (wavelength < original / highFactor) return f;
    if (wavelength > original / lowFactor) return f / factor;
    const smooth = (original / wavelength - lowFactor) / (highFactor - lowFactor);
    return ((1 - smooth) * f) / factor + smooth * f;
  });
  return { inverse, amplitude: 1 };
}

/** One factor for each frequency, another list beyond the original context. @source arXiv 2402.13753 (LongRoPE) */
function longropeScaling(o: RopeOptions): Frequencies {
  const { parameters: p } = o;
  const original = p.original_max_position_embeddings ?? o.trainedPositions;
  const list = (o.maxPositions > original ? p.long_factor : p.short_factor) ?? [];
  if (list.length !== o.headDim / 2) {
    throw new ModelError({
      code: "TW4213",
      message: "longrope needs one factor for each frequency",
      seen: `${list.length} factors`,
      expected: `${o.headDim / 2}`,
      remedy: "check short_factor and long_factor in config.json",
    });
  }
  const factor = p.factor ?? o.trainedPositions / original;
  const inverse = inverseFrequencies(o.headDim, p.rope_theta).map((f, i) => f / (list[i] ?? 1));
  const amplitude =
    p.attention_factor ?? (factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original)));
  return { inverse, amplitude };
}
