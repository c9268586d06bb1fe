/** [engine] Copies of whole pages in the tensors of the layers' caches. Which pages hold what is in kv/. */
import { pageCopy } from "../dsl/kernels/catalogue.ts";
import { type Device, reshape, type Tensor } from "../runtime/index.ts";
import type { PageCopy } from "./core.ts";
import type { LayerCache } from "./layers/batch.ts";
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

/** `[pages, page size, heads, D]` of a cache that may have no dim of heads. */
function withHeads(cache: Tensor): Tensor {
  const [pages = 0, pageSize = 0, ...rest] = cache.shape;
  return rest.length === 2 ? cache : reshape(cache, [pages, pageSize, 1, ...rest]);
}
