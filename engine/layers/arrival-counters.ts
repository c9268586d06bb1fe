/** [engine/layers] Counters at which programs of a launch arrive: zeros between launches, one lot for all layers of a model, which run one after the other. */
import type { Device, Tensor } from "../../runtime/index.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** Sequences times heads that have one: 1,024 sequences of 32 heads. More take kernels in two launches. */
const COUNT = 1 << 15;

/** Whether the last program of several can see what the others stored. */
export function hasLastArrival({ info }: Device): boolean {
  return info.features.includes("last-arrival");
}

export class ArrivalCounters {
  readonly #weights: WeightLoader;
  #all: Tensor | undefined;

  constructor(weights: WeightLoader) {
    this.#weights = weights;
  }

  /** While a model is loaded. @returns `[COUNT]` i32; undefined where programs cannot be ordered */
  counters(): Tensor | undefined {
    if (!hasLastArrival(this.#weights.device)) return undefined;
    this.#all ??= this.#weights.table(new Float32Array(COUNT), [COUNT], "i32");
    return this.#all;
  }
}

/** The first counters as a tensor of a shape; undefined where there are too few. */
export function countersOf(
  all: Tensor | undefined,
  shape: readonly [number, number, number],
): Tensor | undefined {
  const [s, h, g] = shape;
  return all !== undefined && s * h * g <= COUNT ? { ...all, shape } : undefined;
}
