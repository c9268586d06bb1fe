/** [dsl/kernels] One trip of the online softmax, as a function that attention kernels inline. Not a kernel. */
import { exp2, ifAny, max, maximum, sum, where } from "../ops/catalogue.ts";

/** Start of the running maximum: finite, so that a row without keys gives exp2(-inf - start) = 0 and not NaN. */
export const LOWEST = -1e30;
/** Sums are scaled anew only where a maximum grew by more than this power of two: 2^8 is far from the end of f32. */
const GROWTH = 8;

/** What a row carries from trip to trip. */
interface Sums {
  /** Maximum so far, which may lag by a factor of 2^8 behind the largest score. */
  readonly m: number;
  /** Sum of exponentials, relative to `m`. */
  readonly l: number;
  /** Sum of values, relative to `m`. */
  readonly acc: number;
}

/**
 * The exponentials of a trip's scores, and the sums before it scaled to the same maximum; `acc` is still to be added to.
 * @param scores f32 `[rows, BN]`, -inf where a key is not seen
 * @param rows name of the axis of the rows
 * @param c factor of the scores, times log2 e
 * @param lift exponentials are relative to the maximum less this power of two, from 0 to 8: narrow formats then keep more of the small ones, and
 *   none is above 2^8
 * @returns `p` like the scores, and the sums
 * @source arXiv 2205.14135 (online softmax over blocks of keys)
 */
export function lazySoftmax(
  scores: number,
  rows: string,
  sums: Sums,
  c: number,
  lift: number,
): Sums & { readonly p: number } {
  const { p, m, l, acc } = lazyExponentials(scores, rows, sums, c, lift);
  return { p, m, l: l + sum(p, "BN"), acc };
}

/** The same with `l` still to be added to: it may be `[rows, BN]`, so that nothing is summed over the keys of a trip. */
export function lazyExponentials(
  scores: number,
  rows: string,
  { m, l, acc }: Sums,
  c: number,
  lift: number,
): Sums & { readonly p: number } {
  const top = maximum(m, max(scores, "BN"));
  const grew = (top - m) * c > GROWTH - lift;
  const scaled = ifAny(
    grew,
    rows,
    () => {
      const next = where(grew, top, m);
      const alpha = exp2((m - next) * c);
      return { m: next, l: l * alpha, acc: acc * alpha };
    },
    { m, l, acc },
  );
  const p = exp2(scores * c - (scaled.m * c - lift));
  return { p, ...scaled };
}
