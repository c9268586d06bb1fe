/** [engine] Options of an engine, their ranges, and the context that follows from them. Dtypes are in dtypes.ts, pages in cache-size.ts. */
import { type Diagnostic, ModelError } from "../dsl/index.ts";
import type { Device } from "../runtime/index.ts";
import { type DtypeName, dtypeProblem, KV_CACHE_DTYPES, type KvCacheDtype } from "./dtypes.ts";
import type { ModelFamily } from "./models/model.ts";
import type { SchedulingPolicy } from "./scheduler/options.ts";
import { type RawConfig, ropeParameters } from "./weights/model-config.ts";

export const LOAD_FORMATS = ["auto", "dummy"] as const;
export type LoadFormat = (typeof LOAD_FORMATS)[number];

/** Names and meaning follow vLLM's flags. */
export interface EngineOptions {
  /** A folder in Hugging Face layout, or a hub id such as `Qwen/Qwen3-0.6B`. */
  readonly model: string;
  readonly revision?: string;
  /** A driver name or `auto`; or a device that is open already (it is not closed with the engine). */
  readonly device?: string | Device;
  readonly dtype?: DtypeName;
  /**
   * Dtype of cached keys and values: that of activations, or e4m3, half the bytes of 16 bits, for attention layers alone; `auto` is e4m3 where
   * the checkpoint has a `kv_cache_scheme` of 8-bit floats.
   */
  readonly kvCacheDtype?: KvCacheDtype;
  /** `dummy`: random weights, made on the device, so that a model's speed can be measured by its config.json alone. */
  readonly loadFormat?: LoadFormat;
  /** The method that the checkpoint must be quantized by, as `awq`: it is read from config.json, and this is compared with it. */
  readonly quantization?: string;
  /** Folder or hub id of the tokenizer and chat template; the model's where absent. */
  readonly tokenizer?: string;
  readonly maxModelLen?: number;
  readonly maxNumSeqs?: number;
  readonly maxNumBatchedTokens?: number;
  /** Positions that a page of the KV cache holds. */
  readonly blockSize?: number;
  readonly gpuMemoryUtilization?: number;
  /** Bytes of the KV cache, in the place of a share of the device's memory. */
  readonly kvCacheMemoryBytes?: number;
  readonly numGpuBlocksOverride?: number;
  /** Which requests come first: those that came first, or those of the lowest `priority`. */
  readonly schedulingPolicy?: SchedulingPolicy;
  /** Of those that wait, the one with the longest cached beginning comes first. */
  readonly longestPrefixFirst?: boolean;
  /** Most tokens of one prompt in a step; 0 for no bound but that of the step. */
  readonly longPrefillTokenThreshold?: number;
  /** Requests that may wait; more are refused. No bound where absent. */
  readonly maxQueuedRequests?: number;
  /** Most alternatives that a request may ask for by `logprobs`; -1 for no bound, 20 where absent. */
  readonly maxLogprobs?: number;
  /** Requests find the keys and values of others with the same beginning; true where absent. */
  readonly enablePrefixCaching?: boolean;
  /** The next step is planned and submitted before the tokens of the last are read; true where absent. */
  readonly asyncScheduling?: boolean;
  /** The model runs in a process of its own, which is started again when it ends; false where absent. */
  readonly coreProcess?: boolean;
  /** A request's result is the same, bit for bit, alone and in any batch; slower. Not for models that keep states. */
  readonly batchInvariant?: boolean;
  /** Seed of requests that name none; random where absent. */
  readonly seed?: number;
  /** Name of the model in the API, or several, of which answers have the first; `model` where absent. */
  readonly servedModelName?: string | readonly string[];
  /**
   * Compile the kernels of the usual batch shapes while loading, instead of at the first requests; `every-batch`: capture decodes of all
   * sizes too, where the device can.
   */
  readonly warmUp?: boolean | "every-batch";
  /** Run the launches of a decode one by one, also where the device could capture them and replay them as one. */
  readonly enforceEager?: boolean;
  /** Decodes of requests that begin alike read the keys and values of that beginning for each of them, not once for all. */
  readonly disableCascadeAttn?: boolean;
  /** Model families besides those of the engine; where both know an architecture these are taken. */
  readonly families?: readonly ModelFamily[];
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Ends the loading: it rejects with the signal's reason. A model that is loaded in this process looks at it between its parts. */
  readonly signal?: AbortSignal;
}

export interface LoadProgress {
  readonly stage: "download" | "weights" | "compile";
  readonly done: number;
  readonly total: number;
}

/** @source default of vLLM's --max-logprobs */
export const MAX_LOGPROBS = 20;

/** Share of the pages that newcomers leave to those that run. @source vLLM v0's block manager */
export const WATERMARK = 0.01;

/** Options that count something. */
const COUNTS = [
  ["maxModelLen", "--max-model-len", 2],
  ["maxNumSeqs", "--max-num-seqs", 1],
  ["maxNumBatchedTokens", "--max-num-batched-tokens", 1],
  ["blockSize", "--block-size", 1],
  ["maxQueuedRequests", "--max-queued-requests", 0],
  ["maxLogprobs", "--max-logprobs", -1],
  ["kvCacheMemoryBytes", "--kv-cache-memory-bytes", 1],
  ["longPrefillTokenThreshold", "--long-prefill-token-threshold", 0],
  ["numGpuBlocksOverride", "--num-gpu-blocks-override", 2], // page 0 is reserved for padding
] as const;

/** @throws ModelError with every option that is out of range: TW4216 for the dtype, TW4217 for the others */
export function checkOptions(options: EngineOptions): void {
  const problems: Diagnostic[] = COUNTS.flatMap(([name, flag, least]) => {
    const value: unknown = options[name];
    const fits =
      value === undefined ||
      (typeof value === "number" && Number.isSafeInteger(value) && value >= least);
    return fits ? [] : [misfit(name, flag, value, `an integer of at least ${least}`)];
  });
  const model: unknown = options.model;
  if (typeof model !== "string" || model === "") problems.push(noModel(model));
  const dtype = dtypeProblem(options.dtype);
  if (dtype !== undefined) problems.push(dtype);
  const share: unknown = options.gpuMemoryUtilization;
  const isShare = typeof share === "number" && share > 0 && share <= 1;
  if (share !== undefined && !isShare) {
    const flag = "--gpu-memory-utilization";
    problems.push(misfit("gpuMemoryUtilization", flag, share, "a number above 0, at most 1"));
  }
  const format: unknown = options.loadFormat;
  if (format !== undefined && !(LOAD_FORMATS as readonly unknown[]).includes(format))
    problems.push(misfit("loadFormat", "--load-format", format, LOAD_FORMATS.join(", ")));
  const cached: unknown = options.kvCacheDtype;
  if (cached !== undefined && !(KV_CACHE_DTYPES as readonly unknown[]).includes(cached))
    problems.push(misfit("kvCacheDtype", "--kv-cache-dtype", cached, KV_CACHE_DTYPES.join(", ")));
  if (options.seed !== undefined && !Number.isSafeInteger(options.seed))
    problems.push(misfit("seed", "--seed", options.seed, "an integer"));
  if (problems.length > 0) throw new ModelError(problems);
}

/** JavaScript may leave it out. */
function noModel(model: unknown): Diagnostic {
  return {
    code: "TW4217",
    message: "the option model (--model) is missing",
    seen: model === "" ? "an empty text" : String(model),
    expected: "a folder in Hugging Face layout, or a hub id like owner/name",
    remedy: "give the option model (--model)",
  };
}

/**
 * Positions of the longest sequence. A context beyond the trained one is allowed only where the rope scaling names a factor for it.
 * @throws ModelError TW4104
 */
export function chooseContext(asked: number | undefined, config: RawConfig): number {
  const trained = config.max_position_embeddings;
  const { factor, original_max_position_embeddings: original } = ropeParameters(config);
  const longest = Math.max(trained, Math.floor((factor ?? 1) * (original ?? trained)));
  if (asked === undefined || asked <= longest) return asked ?? trained;
  throw new ModelError({
    code: "TW4104",
    message: "the context is longer than the model can use",
    seen: `maxModelLen ${asked}`,
    expected: `at most ${longest} positions, from max_position_embeddings and the rope scaling of config.json`,
    remedy: "lower maxModelLen (--max-model-len), or add a rope scaling to config.json",
  });
}

function misfit(name: string, flag: string, value: unknown, expected: string): Diagnostic {
  return {
    code: "TW4217",
    message: `the option ${name} (${flag}) is out of range`,
    seen: String(value),
    expected,
    remedy: `correct ${name} (${flag}), or leave it out`,
  };
}
