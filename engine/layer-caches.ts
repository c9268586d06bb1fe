/** [engine] The tensors of the layers' caches: made, copied page by page, freed. Which pages hold what is in kv/. */
import { pageCopy } from "../dsl/kernels/catalogue.ts";
import { type Device, reshape, type Tensor, zeroTensor } from "../runtime/index.ts";
import type { PageCopy } from "./core.ts";
import type { LayerCache } from "./layers/batch.ts";
import type { CacheShapes } from "./layers/cache-shapes.ts";
import { StepScope } from "./layers/scope.ts";

/** Queues copies of whole pages in every layer, in order: the write half of copy-on-write, for models whose pages hold positions. */
export function copyPages(
  device: Device,
  caches: readonly LayerCache[],
  pairs: readonly PageCopy[],
): void {
  for (const batch of independent(pairs)) copyAtOnce(device, caches, batch);
}

/** The copies of a launch run in any order: one that touches a page that another one writes begins a new launch. */
export function independent(pairs: readonly PageCopy[]): readonly (readonly PageCopy[])[] {
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
  caches: readonly LayerCache[],
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

/** Buffers of all layers; a failure leaves none behind. */
export function allocateCaches(
  device: Device,
  shapes: readonly CacheShapes[],
): readonly LayerCache[] {
  const caches: LayerCache[] = [];
  try {
    for (const shape of shapes) caches.push(allocateCache(device, shape));
  } catch (error) {
    freeCaches(device, caches);
    throw error;
  }
  return caches;
}

/** Buffers of one layer; a failure leaves none behind. */
function allocateCache(device: Device, { keys: shape, values }: CacheShapes): LayerCache {
  const keys = zeroTensor(device, shape.dtype, shape.shape);
  try {
    return { keys, values: zeroTensor(device, values.dtype, values.shape) };
  } catch (error) {
    device.free(keys.buffer);
    throw error;
  }
}

/** `[pages, page size, heads, D]` of a cache that may have no dim of heads. */
function withHeads(cache: Tensor): Tensor {
  const [pages = 0, pageSize = 0, ...rest] = cache.shape;
  return rest.length === 2 ? cache : reshape(cache, [pages, pageSize, 1, ...rest]);
}

export function freeCaches(device: Device, caches: readonly LayerCache[]): void {
  for (const { keys, values } of caches) {
    device.free(keys.buffer);
    device.free(values.buffer);
  }
}
