/** [engine] Where the weights of a model come from: its checkpoint, or random numbers for measurements. What is made of them is in load.ts. */
import { type DType, ModelError } from "../dsl/index.ts";
import type { Device } from "../runtime/index.ts";
import type { EngineOptions } from "./config.ts";
import { chooseDtype } from "./dtypes.ts";
import { RandomWeights } from "./layers/random-weights.ts";
import { WeightLoader } from "./layers/weight-loader.ts";
import type { ModelFamily } from "./models/model.ts";
import { Checkpoint } from "./weights/checkpoint.ts";
import { checkpointDtype, quantizationSection, type RawConfig } from "./weights/model-config.ts";
import { planQuantization, type QuantizationPlan } from "./weights/quantization/plan.ts";

export interface OpenWeights {
  readonly weights: WeightLoader;
  /** Of weights and activations. */
  readonly dtype: DType;
  /** Closes the files; what is on the device stays. */
  close(): void;
}

/** @throws ModelError for a checkpoint that cannot be read; TW4244 for random weights of a quantized model */
export function openWeights(
  options: EngineOptions,
  { folder, config }: { readonly folder: string; readonly config: RawConfig },
  family: ModelFamily,
  device: Device,
): OpenWeights {
  const plan = checkMethods(options, folder, config);
  if (options.loadFormat === "dummy") {
    const dtype = chooseDtype(options.dtype, checkpointDtype(config), device);
    return { weights: new RandomWeights(device, dtype), dtype, close: () => {} };
  }
  const checkpoint = new Checkpoint(folder, family.layout?.(config));
  const stored = checkpointDtype(config) ?? checkpoint.floatDtype;
  const dtype = chooseDtype(options.dtype, stored, device);
  const total = checkpoint.totalBytes;
  const onLoaded = (done: number) => options.onProgress?.({ stage: "weights", done, total });
  const weights = new WeightLoader(device, dtype, checkpoint, onLoaded, plan);
  return { weights, dtype, close: () => checkpoint.close() };
}

/**
 * How the weights are quantized, by the config alone.
 * @throws ModelError TW4244 for random weights of a quantized model, TW4245 for a method that the checkpoint has not, TW4211 and TW4212 as `planQuantization`
 */
export function checkMethods(
  { quantization, loadFormat }: EngineOptions,
  folder: string,
  config: RawConfig,
): QuantizationPlan | undefined {
  const section = quantizationSection(folder, config);
  checkMethod(quantization, section);
  if (loadFormat === "dummy" && section !== undefined) throw noCodes(section);
  return planQuantization(section);
}

/** Names of vLLM for kernels of its own, which read the same files. */
const SAME_FILES: Readonly<Record<string, string>> = {
  gptq_marlin: "gptq",
  awq_marlin: "awq",
};

/** @throws ModelError TW4245 where the checkpoint has another method than is asked for, or none */
function checkMethod(asked: string | undefined, section: unknown): void {
  if (asked === undefined) return;
  const method = section === undefined ? undefined : methodOf(section);
  if ((SAME_FILES[asked] ?? asked) === method) return;
  throw new ModelError({
    code: "TW4245",
    message: "the checkpoint is not quantized as is asked for",
    seen: method === undefined ? "plain weights" : `quant_method ${method}`,
    expected: `${asked} (quantization, --quantization)`,
    remedy:
      method === undefined
        ? "take a checkpoint that was quantized so, or leave out quantization (--quantization): plain weights are not quantized here"
        : `ask for ${method}, or leave out quantization (--quantization)`,
  });
}

function methodOf(section: unknown): string {
  const { quant_method: method } = Object(section) as { readonly quant_method?: unknown };
  return String(method);
}

function noCodes(section: unknown): ModelError {
  return new ModelError({
    code: "TW4244",
    message: "random weights are floats, and the model's are quantized",
    seen: `loadFormat dummy, and a quantization_config of ${methodOf(section)}`,
    expected: "a model of floats",
    remedy: "take quantization_config out of config.json, or leave out loadFormat (--load-format)",
  });
}
