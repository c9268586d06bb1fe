/** [engine/layers] A linear layer y = x·wᵀ + b; picks the kernel by the number of rows. */
import type { DType } from "../../dsl/index.ts";
import { linear, linearBias, linearBiasSmall, linearSmall } from "../../dsl/kernels/catalogue.ts";
import type { Device, LaunchOptions, Tensor } from "../../runtime/index.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** Up to this many rows the weights are streamed once and no tile of rows is padded. */
const FEW_ROWS = 8;
const SMALL_OPTIONS: readonly LaunchOptions[] = [1, 2, 4, 8].map((rows) =>
  Object.freeze({ config: Object.freeze({ BM: rows }) }),
);

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
    launchLinear(scope.device, x, this.weight, this.bias, y, rows);
    return y;
  }
}

function launchLinear(
  device: Device,
  x: Tensor,
  w: Tensor,
  bias: Tensor | undefined,
  y: Tensor,
  rows: number,
): void {
  const options =
    rows <= FEW_ROWS ? SMALL_OPTIONS[Math.ceil(Math.log2(Math.max(1, rows)))] : undefined;
  if (bias !== undefined)
    device.launch(options === undefined ? linearBias : linearBiasSmall, { x, w, bias, y }, options);
  else device.launch(options === undefined ? linear : linearSmall, { x, w, y }, options);
}
