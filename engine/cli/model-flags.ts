/** [engine/cli] Flags that generate and serve share, named as vLLM names them, and the progress bar of loading. */
import { SingleBar } from "cli-progress";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  DEFAULT_BATCHED_TOKENS,
  DEFAULT_BLOCK_SIZE,
  DEFAULT_MEMORY_SHARE,
  DEFAULT_NUM_SEQS,
} from "../cache-size.ts";
import {
  type EngineOptions,
  LOAD_FORMATS,
  type LoadFormat,
  type LoadProgress,
  MAX_LOGPROBS,
} from "../config.ts";
import { DTYPE_NAMES, type DtypeName, KV_CACHE_DTYPES, type KvCacheDtype } from "../dtypes.ts";

export interface ModelFlags {
  readonly model: string;
  readonly revision?: string;
  readonly device?: string;
  readonly dtype?: DtypeName;
  readonly kvCacheDtype?: KvCacheDtype;
  readonly loadFormat?: LoadFormat;
  readonly quantization?: string;
  readonly tokenizer?: string;
  readonly maxModelLen?: number;
  readonly maxNumSeqs?: number;
  readonly maxNumBatchedTokens?: number;
  readonly blockSize?: number;
  readonly gpuMemoryUtilization?: number;
  readonly kvCacheMemoryBytes?: number;
  readonly numGpuBlocksOverride?: number;
  readonly schedulingPolicy?: "fcfs" | "priority";
  readonly longestPrefixFirst?: boolean;
  readonly longPrefillTokenThreshold?: number;
  readonly maxQueuedRequests?: number;
  readonly maxLogprobs?: number;
  readonly enablePrefixCaching?: boolean;
  readonly asyncScheduling?: boolean;
  readonly seed?: number;
  readonly enforceEager?: boolean;
  readonly disableCascadeAttn?: boolean;
  readonly batchInvariant?: boolean;
}

/** What `--device` takes, for the help of every command that opens a device. */
export const DEVICE_ABOUT = "auto, cuda, hip, webgpu, interpreter or null";

/** Says in a flag's help what holds without it. */
export function unset(meaning: string, value: string | number): string {
  return `${meaning} (default: ${value})`;
}

/** @param optional what `--model` means, where it may be left out */
export function addModelFlags(command: Command, optional?: string): Command {
  const model = "--model <dir or id>";
  return (
    optional === undefined
      ? command.requiredOption(model, "model folder in Hugging Face layout, or a hub id")
      : command.option(model, optional)
  )
    .option("--revision <name>", "branch, tag or commit of a hub id")
    .option("--device <name>", unset(DEVICE_ABOUT, "auto"))
    .addOption(
      new Option("--dtype <type>", "dtype of weights and activations")
        .choices(DTYPE_NAMES)
        .default("auto"),
    )
    .addOption(
      new Option(
        "--kv-cache-dtype <type>",
        "dtype of cached keys and values; fp8 is e4m3; auto: what the checkpoint says",
      ).choices(KV_CACHE_DTYPES),
    )
    .addOption(
      new Option("--load-format <name>", "dummy: random weights of the config's sizes").choices(
        LOAD_FORMATS,
      ),
    )
    .option("--quantization <method>", "method that the checkpoint must be quantized by")
    .option("--tokenizer <dir or id>", "tokenizer and chat template; the model's where absent")
    .option(
      "--max-model-len <n>",
      unset("longest prompt and output together", "the model's"),
      positive,
    )
    .option("--max-num-seqs <n>", unset("requests in flight at once", DEFAULT_NUM_SEQS), positive)
    .option(
      "--max-num-batched-tokens <n>",
      unset("tokens of one step", DEFAULT_BATCHED_TOKENS),
      positive,
    )
    .option(
      "--block-size <n>",
      unset(
        "positions in a page of the KV cache",
        `${DEFAULT_BLOCK_SIZE}; 64 for latents of 64 heads and more on Hopper`,
      ),
      positive,
    )
    .option(
      "--gpu-memory-utilization <share>",
      unset("share of the GPU's memory to use", DEFAULT_MEMORY_SHARE),
      share,
    )
    .option("--kv-cache-memory-bytes <n>", "size of the KV cache instead, as 4G or 512M", bytes)
    .option("--num-gpu-blocks-override <n>", "pages of the KV cache", positive)
    .addOption(
      new Option("--scheduling-policy <name>", unset("which requests come first", "fcfs")).choices([
        "fcfs",
        "priority",
      ]),
    )
    .option("--longest-prefix-first", "of waiting requests, the longest cached beginning first")
    .option(
      "--long-prefill-token-threshold <n>",
      unset("most tokens of one prompt in a step", "no bound"),
      count,
    )
    .option(
      "--max-queued-requests <n>",
      unset("requests that may wait; more get status 429", "no bound"),
      count,
    )
    .option(
      "--max-logprobs <n>",
      unset("alternatives a token that requests may ask for; -1: all", MAX_LOGPROBS),
      integer,
    )
    .option("--enable-prefix-caching", "beginnings of prompts are computed once (so it is)")
    .option("--no-enable-prefix-caching", "compute every prompt anew")
    .option("--async-scheduling", "plan a step before the one before is read (so it is)")
    .option("--no-async-scheduling", "plan a step only when the one before is read")
    .option("--seed <n>", unset("seed of sampling", "random"), integer)
    .option("--enforce-eager", "launch each kernel of a decode by itself instead of captured steps")
    .option("--disable-cascade-attn", "decodes read what requests begin with once for each of them")
    .option("--batch-invariant", "same bits for a request alone and in any batch; slower");
}

export function count(text: string): number {
  const value = integer(text);
  if (value < 0) throw new InvalidArgumentError("it must be an integer of at least 0.");
  return value;
}

/** The engine's options, with a progress bar where the output is a terminal. */
export function engineOptions(flags: ModelFlags): EngineOptions {
  const {
    model,
    revision,
    device,
    dtype,
    kvCacheDtype,
    loadFormat,
    quantization,
    tokenizer,
    maxModelLen,
    maxNumSeqs,
    maxNumBatchedTokens,
    blockSize,
    gpuMemoryUtilization,
    kvCacheMemoryBytes,
    numGpuBlocksOverride,
    schedulingPolicy,
    longestPrefixFirst,
    longPrefillTokenThreshold,
    maxQueuedRequests,
    maxLogprobs,
    enablePrefixCaching,
    asyncScheduling,
    seed,
    enforceEager,
    disableCascadeAttn,
    batchInvariant,
  } = flags;
  const all = {
    model,
    revision,
    device,
    dtype,
    kvCacheDtype,
    loadFormat,
    quantization,
    tokenizer,
    maxModelLen,
    maxNumSeqs,
    maxNumBatchedTokens,
    blockSize,
    gpuMemoryUtilization,
    kvCacheMemoryBytes,
    numGpuBlocksOverride,
    schedulingPolicy,
    longestPrefixFirst,
    longPrefillTokenThreshold,
    maxQueuedRequests,
    maxLogprobs,
    enablePrefixCaching,
    asyncScheduling,
    seed,
    enforceEager,
    disableCascadeAttn,
    batchInvariant,
  };
  const given = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as EngineOptions;
  return process.stderr.isTTY ? { ...given, warmUp: true, onProgress: progressBar() } : given;
}

function progressBar(): (progress: LoadProgress) => void {
  let bar: SingleBar | undefined;
  let stage = "";
  return (progress) => {
    if (progress.stage !== stage) {
      bar?.stop();
      stage = progress.stage;
      bar = new SingleBar({
        format: `${stage.padEnd(9)} {bar} {percentage}% {duration_formatted}`,
        stream: process.stderr,
        hideCursor: true,
        clearOnComplete: true,
      });
      bar.start(progress.total, 0);
    }
    bar?.update(Math.min(progress.done, progress.total));
    if (progress.done >= progress.total) {
      bar?.stop();
      bar = undefined;
      stage = "";
    }
  };
}

export function positive(text: string): number {
  const value = integer(text);
  if (value < 1) throw new InvalidArgumentError("it must be an integer of at least 1.");
  return value;
}

export function integer(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("it must be an integer.");
  return value;
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  K: 2 ** 10,
  M: 2 ** 20,
  G: 2 ** 30,
};

/** @source vLLM's flags: small letters count in thousands, capital ones in 1024s */
export function bytes(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([kmgKMG]?)$/.exec(text) ?? [];
  const value = Math.floor(Number(digits) * (UNITS[unit] ?? 1));
  if (digits === "" || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("it must be a number of bytes, as 4G, 512M or 1000000.");
  return value;
}

export function portNumber(text: string): number {
  const value = integer(text);
  if (value < 0 || value > 65535) throw new InvalidArgumentError("it must be a port, 0 to 65535.");
  return value;
}

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value))
    throw new InvalidArgumentError("it must be a number.");
  return value;
}

function share(text: string): number {
  const value = number(text);
  if (value <= 0 || value > 1) throw new InvalidArgumentError("it must be in (0, 1].");
  return value;
}
