/** [engine] Dtypes of a model: the names that they are asked for by, and what is chosen for weights and for caches. What the options are is in config.ts. */
import { type Diagnostic, type DType, didYouMean, ModelError } from "../dsl/index.ts";
import type { Device } from "../runtime/index.ts";
import type { MixerConfig } from "./layers/blocks.ts";

/** Torch's names, vLLM's short ones, and those of kernels. */
const DTYPE_OF = {
  float32: "f32",
  float: "f32",
  bfloat16: "bf16",
  float16: "f16",
  half: "f16",
  f32: "f32",
  fp32: "f32",
  bf16: "bf16",
  f16: "f16",
  fp16: "f16",
} as const satisfies Readonly<Record<string, DType>>;

type NamedDtype = keyof typeof DTYPE_OF;
export type DtypeName = "auto" | NamedDtype;
export const DTYPE_NAMES = ["auto", ...(Object.keys(DTYPE_OF) as NamedDtype[])] as const;

/** `fp8` is `fp8_e4m3`; the others are the dtype of activations, by its name. @source vLLM's `--kv-cache-dtype` */
export const KV_CACHE_DTYPES = [
  "auto",
  "fp8",
  "fp8_e4m3",
  "bfloat16",
  "float16",
  "float32",
] as const;
export type KvCacheDtype = (typeof KV_CACHE_DTYPES)[number];

/** What is wrong with the name of a dtype; undefined where nothing is. */
export function dtypeProblem(asked: unknown): Diagnostic | undefined {
  if (asked === undefined || (DTYPE_NAMES as readonly unknown[]).includes(asked)) return undefined;
  return {
    code: "TW4216",
    message: "the dtype is not known",
    seen: String(asked),
    expected: DTYPE_NAMES.join(", "),
    remedy: `${didYouMean(String(asked), DTYPE_NAMES)}correct dtype (--dtype)`,
  };
}

/** `auto`: the checkpoint's dtype on a GPU; float32 where arithmetic is in software anyway. */
export function chooseDtype(
  asked: DtypeName = "auto",
  stored: DType | undefined,
  device: Device,
): DType {
  if (asked !== "auto") return DTYPE_OF[asked];
  return device.info.hardware ? (stored ?? "f32") : "f32";
}

/** What caches can be, by layers and checkpoint. */
export interface CacheUse {
  readonly layers: readonly MixerConfig[];
  /** True where the checkpoint says that its keys and values are kept in 8-bit floats; see `keepsBytes`. */
  readonly keepsBytes?: boolean;
}

/**
 * Dtype of cached keys and values. `auto` is what the checkpoint says, where all layers can keep that.
 * @param dtype of activations
 * @throws ModelError TW4250 where a layer keeps something else than keys and values, or caches of another float are asked for
 * @source vLLM: a `kv_cache_scheme` sets its cache's dtype
 */
export function chooseCacheDtype(
  asked: KvCacheDtype = "auto",
  dtype: DType,
  { layers, keepsBytes = false }: CacheUse,
): DType {
  refuseOtherCaches(asked, layers);
  switch (asked) {
    case "auto":
      return keepsBytes && firstOther(layers) === undefined ? "f8e4m3" : dtype;
    case "fp8":
    case "fp8_e4m3":
      return "f8e4m3";
    case "bfloat16":
    case "float16":
    case "float32":
      if (DTYPE_OF[asked] === dtype) return dtype;
      throw unfit(`kvCacheDtype ${asked}, and activations of ${dtype}`, [
        "the cache cannot hold floats of another size than activations, but e4m3",
        "the dtype of activations, fp8 or auto",
      ]);
    default:
      return asked satisfies never;
  }
}

/** @throws ModelError TW4250 where a layer keeps something else than the keys and values that can be 8-bit floats */
export function refuseOtherCaches(
  asked: KvCacheDtype | undefined,
  layers: readonly MixerConfig[],
): void {
  if (asked !== "fp8" && asked !== "fp8_e4m3") return;
  const other = firstOther(layers);
  if (other === undefined) return;
  throw unfit(`kvCacheDtype ${asked}, and a layer of ${other.kind}`, [
    "the cache of this model cannot hold 8-bit floats",
    "layers of attention, which keep keys and values",
  ]);
}

function firstOther(layers: readonly MixerConfig[]): MixerConfig | undefined {
  return layers.find(({ kind }) => kind !== "attention");
}

function unfit(seen: string, [message, expected]: readonly [string, string]): ModelError {
  const remedy = "leave out kvCacheDtype (--kv-cache-dtype), or correct it";
  return new ModelError({ code: "TW4250", message, seen, expected, remedy });
}
