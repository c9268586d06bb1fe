/** [engine/layers] What the layers of one model are loaded with: its weights, sizes and counters that all share, rope tables by their options. */
import type { DType } from "../../dsl/index.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { ArrivalCounters } from "./arrival-counters.ts";
import type { NormConfig } from "./norm.ts";
import { type RopeOptions, ropeTable } from "./rope-table.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface BuildContext {
  readonly weights: WeightLoader;
  /** Hidden size of the model. */
  readonly hidden: number;
  /** Norms around the sublayers. */
  readonly norm: NormConfig;
  readonly ropes: RopeTables;
  readonly arrivals: ArrivalCounters;
  /** Of cached keys and values. */
  readonly cacheDtype: DType;
}

/** Tables of cosines and sines on the device; layers that name the same options object share one. */
export class RopeTables {
  readonly #weights: WeightLoader;
  readonly #tables = new Map<RopeOptions, Tensor>();

  constructor(weights: WeightLoader) {
    this.#weights = weights;
  }

  /** @returns `[maxPositions, 2, headDim / 2]`, f32 */
  tensor(options: RopeOptions): Tensor {
    const known = this.#tables.get(options);
    if (known !== undefined) return known;
    const shape = [options.maxPositions, 2, options.headDim / 2];
    const table = this.#weights.table(ropeTable(options), shape);
    this.#tables.set(options, table);
    return table;
  }
}
