/** [engine/layers] RMS norms of queries and keys, in place in what the QKV projection gave. */
import { qkNorm, qkRowNorm } from "../../dsl/kernels/catalogue.ts";
import { type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import { optionsUnless } from "./launch-options.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** RMS norm of queries and keys before the rotation: of each head, or of all heads of a token together. */
export interface QkNormConfig {
  readonly over: "head" | "row";
  readonly eps: number;
  /** Added to every weight; 0 over rows. */
  readonly offset: number;
}

interface Heads {
  /** Prefix of the attention's weights. */
  readonly name: string;
  readonly numHeads: number;
  readonly numKvHeads: number;
  readonly headDim: number;
}

export class QkNorm {
  readonly #heads: Heads;
  readonly #config: QkNormConfig;
  readonly #weights: { readonly wq: Tensor; readonly wk: Tensor };
  readonly #options: LaunchOptions | undefined;

  constructor(weights: WeightLoader, heads: Heads, config: QkNormConfig) {
    const { name, numHeads, numKvHeads, headDim } = heads;
    const isRow = config.over === "row";
    const weight = (part: string, count: number) =>
      weights.tensor(`${name}.${part}.weight`, [isRow ? count * headDim : headDim]);
    this.#heads = heads;
    this.#config = config;
    this.#weights = { wq: weight("q_norm", numHeads), wk: weight("k_norm", numKvHeads) };
    this.#options = optionsUnless(config.offset === 0, { OFFSET: config.offset });
  }

  /** @param qkv `[N, (HQ + 2 HKV) D]`, changed in place */
  apply(scope: StepScope, qkv: Tensor): void {
    const { numHeads: numQ, numKvHeads: numK, headDim } = this.#heads;
    const { over, eps } = this.#config;
    if (over === "row") {
      scope.device.launch(qkRowNorm, { qkv, ...this.#weights, eps });
      return;
    }
    const heads = reshape(qkv, [qkv.shape[0] ?? 0, numQ + 2 * numK, headDim]);
    const args = { qkv: heads, ...this.#weights, numQ, numK, eps };
    scope.device.launch(qkNorm, args, this.#options);
  }
}
