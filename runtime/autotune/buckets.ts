/** [runtime/autotune] Sizes that one tuning result stands for, and how far two of them are apart. Pure. */
import type { KernelDefinition } from "../../dsl/index.ts";

export type Dims = Readonly<Record<string, number>>;

/** Sizes up to this are their own bucket. */
const EXACT_BELOW = 16;
/** Buckets between a size and its double. */
const STEPS = 8;
const MOST_ALIGNMENT = 16;
/** What another alignment of a stride costs, in doublings of a size: other vector widths, no tensor maps. */
const ALIGNMENT_DISTANCE = 0.25;

/** The least size of the bucket that a size is in: eight buckets between a power of two and the next. */
export function bucketOf(size: number): number {
  if (size <= EXACT_BELOW) return size;
  const step = 2 ** Math.floor(Math.log2(size)) / STEPS;
  return Math.floor(size / step) * step;
}

/** Largest power of two up to 16 that divides a size. */
export function alignmentOf(size: number): number {
  return size === 0 ? MOST_ALIGNMENT : Math.min(MOST_ALIGNMENT, size & -size);
}

/** Dims that are part of a stride: all but the first of a tensor. */
export function stridedDims(kernel: KernelDefinition): ReadonlySet<string> {
  const strided = new Set<string>();
  for (const spec of Object.values(kernel.params))
    if (spec.kind === "tensor")
      for (const dim of spec.shape.slice(1)) if (typeof dim === "string") strided.add(dim);
  return strided;
}

/** Name of the bucket of all dims, for example `K4096,M16,N28672`; `N4096u1` where a stride is no multiple of 16. */
export function bucketName(kernel: KernelDefinition, dims: Dims): string {
  const strided = stridedDims(kernel);
  return Object.keys(dims)
    .sort()
    .map((name) => {
      const size = dims[name] ?? 0;
      const alignment =
        strided.has(name) && size > EXACT_BELOW ? alignmentOf(size) : MOST_ALIGNMENT;
      return `${name}${bucketOf(size)}${alignment < MOST_ALIGNMENT ? `u${alignment}` : ""}`;
    })
    .join(",");
}

/**
 * How far the sizes of two calls are apart, in doublings over all dims.
 * @returns Infinity where the dims are not the same, or one of two sizes is 0
 */
export function bucketDistance(strided: ReadonlySet<string>, a: Dims, b: Dims): number {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return Number.POSITIVE_INFINITY;
  let distance = 0;
  for (const name of names) {
    const [x, y] = [a[name] ?? 0, b[name]];
    if (y === undefined) return Number.POSITIVE_INFINITY;
    if (x === y) continue;
    if (x === 0 || y === 0) return Number.POSITIVE_INFINITY;
    distance += Math.abs(Math.log2(bucketOf(x) / bucketOf(y)));
    if (strided.has(name) && alignmentOf(x) !== alignmentOf(y)) distance += ALIGNMENT_DISTANCE;
  }
  return distance;
}
