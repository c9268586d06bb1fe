/** [engine] The tensors of the layers' caches, and copies of whole pages in them. Which pages hold what is in kv/. */
import { pageCopy } from "../dsl/kernels/catalogue.ts";
import { type Device, reshape, type Tensor } from "../runtime/index.ts";
import type { PageCopy } from "./core.ts";
import type { LayerCache } from "./layers/batch.ts";
import type { MixerConfig } from "./layers/blocks.ts";
import { type CacheGeometry, cacheShapes } from "./layers/cache-shapes.ts";
import { pageLayout } from "./layers/page-layout.ts";
import { StepScope } from "./layers/scope.ts";
import type { OwnedTensors } from "./owned-tensors.ts";

export interface CacheExtent extends CacheGeometry {
  readonly maxModelLen: number;
  /** Slots of states beside the pages of positions, the reserved one included. */
  readonly numStates?: number;
}

type PageTensors = Pick<LayerCache, "keys" | "values">;

export class LayerCaches {
  /** Keys and values, or states, of each layer. */
  readonly layers: readonly LayerCache[];
  /** Groups of layers with page tables of their own. */
  readonly numGroups: number;
  readonly #device: Device;
  /** Of pages: layers of several groups share them. */
  readonly #pages: readonly PageTensors[];

  /** @param memory owns the tensors */
  constructor(
    device: Device,
    memory: OwnedTensors,
    mixers: readonly MixerConfig[],
    extent: CacheExtent,
  ) {
    const { groups, places, tensors } = pageLayout(mixers, extent.maxModelLen);
    const { numPages, numStates = 0 } = extent;
    const made = tensors.map(({ layer, isOfStates }) => {
      const geometry = { ...extent, numPages: isOfStates ? numStates : numPages };
      const { keys: k, values: v } = cacheShapes(layer, geometry);
      const own = { keys: memory.zero(k.dtype, k.shape), values: memory.zero(v.dtype, v.shape) };
      return { isOfStates, own };
    });
    this.#device = device;
    this.numGroups = groups.length;
    this.#pages = made.flatMap(({ isOfStates, own }) => (isOfStates ? [] : [own]));
    this.layers = places.flatMap(({ tensor, group }) => {
      const own = made[tensor]?.own;
      return own === undefined ? [] : [{ ...own, group }];
    });
  }

  /** Queues copies of whole pages, in order: the write half of copy-on-write, for pages of positions. */
  copy(pairs: readonly PageCopy[]): void {
    for (const batch of independent(pairs)) copyAtOnce(this.#device, this.#pages, batch);
  }
}

/** The copies of a launch run in any order: one that touches a page that another one writes begins a new launch. */
function independent(pairs: readonly PageCopy[]): readonly (readonly PageCopy[])[] {
  const batches: PageCopy[][] = [];
  const read = new Set<number>();
  const written = new Set<number>();
  for (const pair of pairs) {
    const { from, to } = pair;
    if (batches.length === 0 || written.has(from) || written.has(to) || read.has(to)) {
      batches.push([]);
      read.clear();
      written.clear();
    }
    batches.at(-1)?.push(pair);
    read.add(from);
    written.add(to);
  }
  return batches;
}

function copyAtOnce(
  device: Device,
  caches: readonly PageTensors[],
  pairs: readonly PageCopy[],
): void {
  const scope = new StepScope(device);
  try {
    const words = Int32Array.from(pairs.flatMap(({ from, to }) => [from, to]));
    const table = scope.from(words, [pairs.length, 2]);
    for (const { keys, values } of caches)
      device.launch(pageCopy, { pairs: table, kCache: withHeads(keys), vCache: withHeads(values) });
  } finally {
    scope.close();
  }
}

/** `[pages, page size, heads, D]` of a cache that may have no dim of heads. */
function withHeads(cache: Tensor): Tensor {
  const [pages = 0, pageSize = 0, ...rest] = cache.shape;
  return rest.length === 2 ? cache : reshape(cache, [pages, pageSize, 1, ...rest]);
}
