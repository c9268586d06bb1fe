/** [dsl/ops] load: reads a tile or a scalar from a tensor. Masks come from bounds, spans and options. */
import type { AxesOfIndices, Index, KernelTensor, RankOk, Shape, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

export interface LoadOptions {
  /** What elements outside read as; default 0. */
  readonly fill?: number;
  /** Elements whose index along the only span or gather is at or past this are never read. */
  readonly limit?: number;
  /** Elements where this is false are never read; its axes are among the tile's. */
  readonly mask?: boolean;
  /** Hint: how to copy. */
  readonly via?: "auto" | "tma" | "cp.async" | "ldg";
  /** Hint: what the cache should keep. */
  readonly evict?: "first" | "last";
  /** Hint: `early` where the launches just before write none of it, as with lengths and weights: it may be read while they still run. */
  readonly when?: "early";
}

type Face = <D extends string, S extends Shape, const I extends readonly Index[]>(
  tensor: KernelTensor<D, S>,
  at: I & RankOk<"load", S, I>,
  options?: LoadOptions,
) => Tile<D, AxesOfIndices<I>>;

/**
 * Reads a tile: one index per dim. A number takes one element and adds no axis; span, tile, all and gather add theirs.
 * Elements outside the tensor, past a span's end, gathered by -1 or masked out are not read and give `fill`.
 * A load without axes is a scalar load; for it, outside is an error.
 */
export const load = defineOp<Face>({
  name: "load",
  signature: "load(tensor, [index, …], { fill?, limit?, mask?, via?, evict?, when? }?)",
  doc: "Reads a tile or a scalar of a tensor; what lies outside reads as fill (0).",
  lower: (call) => {
    call.count(2, 3);
    const tensor = call.tensor(0, "read");
    const at = call.indices(1, tensor);
    const options = call.options(2, ["fill", "limit", "mask", "via", "evict", "when"]);
    return call.load(tensor, at, options);
  },
});
