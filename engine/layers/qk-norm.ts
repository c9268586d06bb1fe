/** [engine/layers] RMS norms of queries and keys before their rotation: of heads in one launch with it, of rows in one of its own. */
import { qkNormRopeKvWrite, qkRowNorm, ropeKvWrite } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { CacheScales } from "./cache-scales.ts";
import { ExtendedOptions } from "./launch-options.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** RMS norm of queries and keys before the rotation: of each head, or of all heads of a token together. */
export interface QkNormConfig {
  readonly over: "head" | "row";
  readonly eps: number;
  /** Added to every weight; 0 over rows. */
  readonly offset: number;
}

/** Arguments of `ropeKvWrite`. */
export type RopeArguments = Readonly<
  Record<"qkv" | "positions" | "cosSin" | "slots" | "q" | "kCache" | "vCache", Tensor> &
    Record<keyof CacheScales, number>
>;

interface HeadNorm {
  readonly over: "head";
  /** `[2, D]`: of queries, of keys */
  readonly w: Tensor;
  readonly options: ExtendedOptions;
}

interface RowNorm {
  readonly over: "row";
  readonly wq: Tensor;
  readonly wk: Tensor;
}

interface Heads {
  /** Prefix of the attention's weights. */
  readonly name: string;
  readonly numHeads: number;
  readonly numKvHeads: number;
  readonly headDim: number;
}

export class QkNorm {
  readonly #eps: number;
  readonly #norm: HeadNorm | RowNorm;

  constructor(weights: WeightLoader, heads: Heads, { over, eps, offset }: QkNormConfig) {
    const { name, numHeads, numKvHeads, headDim } = heads;
    const part = (which: string, count: number) => ({
      name: `${name}.${which}.weight`,
      shape: [count * headDim],
    });
    this.#eps = eps;
    if (over === "row") {
      const wq = weights.stacked([part("q_norm", numHeads)]);
      this.#norm = { over, wq, wk: weights.stacked([part("k_norm", numKvHeads)]) };
      return;
    }
    const parts = [part("q_norm", 1), part("k_norm", 1)];
    const w = weights.stacked(parts, { shape: [2, headDim] });
    const options = new ExtendedOptions(offset === 0 ? {} : { OFFSET: offset });
    this.#norm = { over, w, options };
  }

  /**
   * The norms, then what `ropeKvWrite` does.
   * @param qkv `[N, (HQ + 2 HKV) D]`; changed in place where whole rows are normalised
   * @param rope the other arguments of the rotation, with qkv by heads
   */
  applyAndRotate({ device, options }: StepScope, qkv: Tensor, rope: RopeArguments): void {
    const [norm, eps] = [this.#norm, this.#eps];
    if (norm.over === "row") {
      device.launch(qkRowNorm, { qkv, wq: norm.wq, wk: norm.wk, eps });
      device.launch(ropeKvWrite, rope, options.ropeKvWrite);
      return;
    }
    const args = { ...rope, w: norm.w, eps };
    device.launch(qkNormRopeKvWrite, args, norm.options.of(options.ropeKvWrite));
  }
}
