/** [engine/layers] A linear layer y = x·wᵀ + b; picks the kernel by the number of rows. */
import { type DType, storageBytes } from "../../dsl/index.ts";
import { linear, linearBias, linearBiasSmall, linearSmall } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import { optionsFor } from "./launch-options.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export class Linear {
  /** `[N, K]` */
  readonly weight: Tensor;
  /** `[N]` */
  readonly bias: Tensor | undefined;

  constructor(weight: Tensor, bias: Tensor | undefined) {
    this.weight = weight;
    this.bias = bias;
  }

  /** Rows of several checkpoint tensors stacked into one weight, so that one launch computes them all. */
  static load(
    weights: WeightLoader,
    parts: readonly { readonly name: string; readonly rows: number }[],
    inputs: number,
    hasBias: boolean,
  ): Linear {
    const weight = weights.stacked(
      parts.map(({ name, rows }) => ({ name: `${name}.weight`, shape: [rows, inputs] })),
    );
    if (!hasBias) return new Linear(weight, undefined);
    return new Linear(
      weight,
      weights.stacked(parts.map(({ name, rows }) => ({ name: `${name}.bias`, shape: [rows] }))),
    );
  }

  /**
   * @param x `[M, K]`
   * @param dtype of the result; x's where absent
   * @returns `[M, N]`
   */
  apply(scope: StepScope, x: Tensor, dtype: DType = x.dtype): Tensor {
    const [rows = 0] = x.shape;
    const y = scope.empty(dtype, [rows, this.weight.shape[0] ?? 0]);
    const { half, wide } = scope.options.fewRows;
    // Then the weight is streamed once and no tile of rows is padded.
    const isSmall = rows <= (storageBytes(x.dtype, 1) === 2 ? half : wide);
    const options = isSmall ? optionsFor(scope.options.linearSmall, rows) : scope.options.linear;
    const args = { x, w: this.weight, y };
    if (this.bias === undefined) scope.device.launch(isSmall ? linearSmall : linear, args, options);
    else {
      const kernel = isSmall ? linearBiasSmall : linearBias;
      scope.device.launch(kernel, { ...args, bias: this.bias }, options);
    }
    return y;
  }
}
