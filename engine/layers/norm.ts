/** [engine/layers] Normalisation of rows, alone, with the residual sum before it or after it. */
import { addRmsNorm, rmsNorm } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface NormConfig {
  readonly kind: "rms";
  readonly eps: number;
}

export interface Norm {
  /** @param x `[R, H]` @returns `[R, H]` */
  apply(scope: StepScope, x: Tensor): Tensor;
  /** residual += x, in place; returns the norm of the sum. */
  addAndApply(scope: StepScope, x: Tensor, residual: Tensor): Tensor;
}

/** @param name of the norm's weights, without `.weight` */
export function loadNorm(
  weights: WeightLoader,
  name: string,
  size: number,
  config: NormConfig,
): Norm {
  return new RmsNorm(weights.tensor(`${name}.weight`, [size]), config.eps);
}

class RmsNorm implements Norm {
  /** `[H]` */
  readonly #weight: Tensor;
  readonly #eps: number;

  constructor(weight: Tensor, eps: number) {
    this.#weight = weight;
    this.#eps = eps;
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(rmsNorm, { x, w: this.#weight, y, eps: this.#eps });
    return y;
  }

  addAndApply(scope: StepScope, x: Tensor, residual: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(addRmsNorm, { x, residual, w: this.#weight, y, eps: this.#eps });
    return y;
  }
}
