/** [engine] How much of a device the caches of a model get, in pages of positions and slots of states, and what else bounds a step. */
import { type DType, ModelError } from "../dsl/index.ts";
import type { Device } from "../runtime/index.ts";
import type { EngineOptions } from "./config.ts";
import { mostPages, mostPositions } from "./kv/page-counts.ts";
import type { MixerConfig } from "./layers/blocks.ts";
import { keepsStatesAlone, pageBytes } from "./layers/cache-shapes.ts";
import type { DecoderConfig } from "./layers/decoder.ts";
import type { StepExtent } from "./layers/expanded-prompts.ts";
import { pageOfHalves } from "./layers/latent-halves.ts";
import { type PageLayout, pageLayout } from "./layers/page-layout.ts";
import { promptBytes } from "./layers/prompt-bytes.ts";

export const DEFAULT_BLOCK_SIZE = 16;
export const DEFAULT_NUM_SEQS = 256;
export const DEFAULT_BATCHED_TOKENS = 2048;
export const DEFAULT_MEMORY_SHARE = 0.9;
/** KV cache of devices that share the memory of the host. */
const HOST_KV_BYTES = 512 * 2 ** 20;

export interface CacheSize {
  readonly pageSize: number;
  /** Groups of layers share them; the reserved one included. */
  readonly numPages: number;
  /** Slots of states beside the pages of positions, the reserved one included; 0 where there are no states, or nothing else. */
  readonly numStates: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
}

/** What a model on a device leaves for its caches. */
export interface CacheRoom {
  readonly model: DecoderConfig;
  /** Of activations. */
  readonly dtype: DType;
  /** Of cached keys and values. */
  readonly kvDtype: DType;
  readonly device: Device;
  readonly weightBytes: number;
  readonly maxModelLen: number;
}

/** @throws ModelError TW4103 where not even one sequence of the full context fits, with the context that would */
export function sizeCache(options: EngineOptions, room: CacheRoom): CacheSize {
  const { model, device, maxModelLen } = room;
  const { maxNumSeqs = DEFAULT_NUM_SEQS, maxNumBatchedTokens = DEFAULT_BATCHED_TOKENS } = options;
  const layers = model.blocks.map(({ mixer }) => mixer.layer);
  const alone = keepsStatesAlone(layers);
  const pageSize = alone ? maxModelLen : (options.blockSize ?? usualBlockSize(layers, device));
  const layout = pageLayout(layers, maxModelLen);
  const states = bytesOf(layout, true, room.kvDtype, pageSize);
  const numStates = states.total > 0 ? maxNumSeqs + 1 : 0;
  const { total, largest } = bytesOf(layout, false, room.kvDtype, pageSize);
  const extent = { maxModelLen, maxNumSeqs, maxNumBatchedTokens };
  const bytes = cacheBytes(options, room, pageSize, extent) - numStates * states.total;
  const perBuffer = Math.floor(device.limits.maxBufferBytes / largest);
  const affordable = Math.min(Math.floor(bytes / total), perBuffer);
  const sequence = { groups: layout.groups, pageSize, chunk: maxNumBatchedTokens };
  const perSequence = mostPages(maxModelLen, sequence);
  const { numGpuBlocksOverride } = options;
  const numPages = numGpuBlocksOverride ?? Math.min(affordable, perSequence * maxNumSeqs + 1);
  if (numPages < perSequence + 1 && numGpuBlocksOverride === undefined)
    throw tooLong(mostPositions(Math.max(0, affordable - 1), sequence), room);
  return { pageSize, numPages, numStates, maxNumSeqs, maxNumBatchedTokens };
}

/** Decodes of latents with many heads want pages that hold a whole block of them. */
function usualBlockSize(layers: readonly MixerConfig[], device: Device): number {
  const wanted = layers.flatMap((layer) =>
    layer.kind === "latent-attention" ? (pageOfHalves(device, layer.numHeads) ?? []) : [],
  );
  return Math.max(DEFAULT_BLOCK_SIZE, ...wanted);
}

/** Bytes of a page of positions, or of a slot of states beside them. */
function bytesOf({ tensors }: PageLayout, ofStates: boolean, dtype: DType, pageSize: number) {
  const own = tensors.filter(({ isOfStates }) => isOfStates === ofStates);
  const layers = own.map(({ layer }) => layer);
  return pageBytes(layers, dtype, pageSize);
}

/** What steps of prompts need beside the cache is left free where the cache takes all that is left. */
function cacheBytes(
  options: EngineOptions,
  { model, device, weightBytes, dtype, kvDtype }: CacheRoom,
  pageSize: number,
  extent: StepExtent,
): number {
  const { memoryBytes } = device.limits;
  if (options.kvCacheMemoryBytes !== undefined) return options.kvCacheMemoryBytes;
  if (!device.info.hardware) return Math.min(HOST_KV_BYTES, memoryBytes / 4);
  const layers = model.blocks.map(({ mixer }) => mixer.layer);
  const scratch = promptBytes(device, layers, { dtype, kvDtype, pageSize }, extent);
  const share = options.gpuMemoryUtilization ?? DEFAULT_MEMORY_SHARE;
  return memoryBytes * share - weightBytes - scratch;
}

function tooLong(feasible: number, { device, maxModelLen }: CacheRoom): ModelError {
  const remedy =
    feasible >= 2
      ? `start with maxModelLen (--max-model-len) ${feasible}, or give the cache more of the device's memory`
      : "lower blockSize (--block-size), or give the cache more of the device's memory";
  return new ModelError({
    code: "TW4103",
    message: "the KV cache cannot hold one sequence of the full context",
    seen: `room for ${feasible} positions on ${device.info.name}`,
    expected: `${maxModelLen} positions (maxModelLen, --max-model-len)`,
    remedy,
  });
}
