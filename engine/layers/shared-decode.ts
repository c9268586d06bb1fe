/** [engine/layers] Decodes of sequences that share a beginning: which layers take them, and their launches. Which sequences do is in shared-prefix.ts. */
import { storageBytes } from "../../dsl/index.ts";
import {
  sharedPrefixConfig,
  sharedPrefixDecode,
  sharedPrefixMerge,
  sharedPrefixMergeSinks,
  sharedSuffixDecode,
} from "../../dsl/kernels/catalogue.ts";
import { type Device, type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import type { SharingRule } from "../shared-prefix.ts";
import type { AttentionConfig } from "./attention.ts";
import type { LayerCache, SharedRows, StepBatch } from "./batch.ts";
import type { MixerConfig } from "./blocks.ts";
import type { ReadScales } from "./cache-scales.ts";
import {
  attentionShape,
  decodePrograms,
  optionsOfDecode,
  optionsOfSharedMerge,
  type PagedDecodeOptions,
} from "./decode-options.ts";
import { ExtendedOptions } from "./launch-options.ts";

/** Rows of a tile: those of a product of tensor cores, and where rows are paid for one by one. */
const TILE_ROWS = 64;
const FEW_TILE_ROWS = 16;

/** Tensors that the largest of its kernels takes. */
const MOST_TENSORS = Math.max(
  ...[sharedPrefixDecode, sharedSuffixDecode, sharedPrefixMerge, sharedPrefixMergeSinks].map(
    ({ params }) => Object.values(params).filter(({ kind }) => kind === "tensor").length,
  ),
);

/** Sequences and positions from which on beginnings are looked at at all. */
const LEAST_ROWS = 4;
const LEAST_TOKENS = 256;
/**
 * Bytes of keys and values of a layer that need not be read again, below which launches of their own (15 to 20 µs) cost more.
 * @source test/bench/results/nvidia-h200-shared-prefix.jsonl
 */
const LEAST_BYTES = 160e6;
/** Positions instead, where launches cost little beside what they compute. */
const LEAST_POSITIONS = 2048;

/** A window leaves the beginning. */
export function sharesBeginnings(layer: MixerConfig): layer is AttentionConfig {
  return layer.kind === "attention" && layer.window === 0;
}

/** What those layers of a model have in common. */
export interface Sharing {
  /** From when on what sequences share is worth it. */
  readonly rule: SharingRule;
  /** Sequences whose heads make a tile in each of them. */
  readonly members: number;
  /** Groups of page tables in which they find their pages. */
  readonly groups: readonly number[];
}

/** @param caches of the layers @returns undefined where no layer takes shared beginnings, the device takes too few tensors a kernel, or a tile holds one sequence */
export function sharingOf(
  device: Device,
  layers: readonly MixerConfig[],
  caches: readonly LayerCache[],
): Sharing | undefined {
  const sizes: number[] = [];
  const groups = new Set<number>();
  let bytes = 0; // of a position, in the largest layer
  layers.forEach((layer, i) => {
    const cache = caches[i];
    if (!sharesBeginnings(layer) || cache === undefined) return;
    sizes.push(layer.numHeads / layer.numKvHeads);
    groups.add(cache.group);
    const { dtype } = cache.keys;
    bytes = Math.max(bytes, 2 * storageBytes(dtype, layer.numKvHeads * layer.headDim));
  });
  if (sizes.length === 0) return undefined;
  const { driver, hardware, maxTensors = MOST_TENSORS } = device.info;
  if (maxTensors < MOST_TENSORS) return undefined;
  const tileRows = driver === "cuda" || driver === "hip" ? TILE_ROWS : FEW_TILE_ROWS;
  const saved = hardware === true ? Math.ceil(LEAST_BYTES / bytes) : LEAST_POSITIONS;
  const members = Math.floor(tileRows / Math.max(...sizes));
  if (members < 2) return undefined; // the heads of one sequence fill a tile: none would be read for another
  return {
    rule: { rows: LEAST_ROWS, tokens: LEAST_TOKENS, saved },
    members,
    groups: [...groups],
  };
}

type Heads = Pick<AttentionConfig, "numHeads" | "numKvHeads" | "headDim" | "softcap">;

export class SharedDecode {
  readonly #heads: Heads;
  readonly #sinks: Tensor | undefined;
  readonly #variant: ExtendedOptions;
  readonly #prefixOptions = new Map<PagedDecodeOptions, LaunchOptions>();
  #merge: ExtendedOptions | undefined;

  /** @param sinks `[HKV, G]`, where heads have some */
  constructor(heads: Heads, sinks: Tensor | undefined) {
    this.#heads = heads;
    this.#sinks = sinks;
    this.#variant = new ExtendedOptions(heads.softcap === 0 ? {} : { SOFTCAP: heads.softcap });
  }

  /** @param q `[S, HQ, D]` @param scales of scores and cached values @returns `[S, HKV, G, D]` */
  apply(
    { scope, table, lens, numSequences: s }: StepBatch,
    { tileLens, members, ...rows }: SharedRows,
    q: Tensor,
    caches: { readonly kCache: Tensor; readonly vCache: Tensor },
    scales: ReadScales,
  ): Tensor {
    const { numHeads, numKvHeads, headDim } = this.#heads;
    const group = numHeads / numKvHeads;
    const [tiles = 0, most = 0] = members.shape;
    const shape = attentionShape(scope.device, q.dtype, headDim, group);
    const options = optionsOfDecode(shape, scope.options.pagedDecode);
    const tile = { ...shape, group: most * group };
    const block = sharedPrefixConfig(tile, options.config);
    const kvHeads = numKvHeads;
    const programs = decodePrograms(scope.device, shape, options.config, { kvHeads, sequences: s });
    const before = tiles + decodePrograms(scope.device, tile, block, { kvHeads, sequences: tiles });
    const grouped = [s, numKvHeads, group, headDim];
    const keys = { q: reshape(q, grouped), ...caches, table, ...scales };
    const { own, shared, place } = rows;
    const prefix = scope.empty("f32", [before, numKvHeads, tile.group, headDim]);
    const prefixLse = scope.empty("f32", [before, numKvHeads, tile.group]);
    const known = this.#prefixOptions.get(options) ?? Object.freeze({ config: block });
    this.#prefixOptions.set(options, known);
    const begin = { ...keys, members, tileLens, shared, partial: prefix, lse: prefixLse };
    scope.device.launch(sharedPrefixDecode, begin, this.#variant.of(known));
    const partial = scope.empty("f32", [s + programs, numKvHeads, group, headDim]);
    const lse = scope.empty("f32", [s + programs, numKvHeads, group]);
    const rest = { ...keys, lens, own, partial, lse };
    scope.device.launch(sharedSuffixDecode, rest, this.#variant.of(options.decode));
    const o = scope.empty(q.dtype, grouped);
    const pieces = { prefix, prefixLse, tileLens, partial, lse, own, place, o };
    this.#merge ??= new ExtendedOptions({ SN: block.BN });
    const merge = this.#merge.of(
      optionsOfSharedMerge(options, [before - tiles, tiles], [programs, s]),
    );
    const sinks = this.#sinks;
    if (sinks === undefined) scope.device.launch(sharedPrefixMerge, pieces, merge);
    else scope.device.launch(sharedPrefixMergeSinks, { ...pieces, sinks }, merge);
    return o;
  }
}
