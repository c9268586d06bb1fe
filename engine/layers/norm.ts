/** [engine/layers] RMS normalisation, alone or with the residual sum before it. */
import { addRmsNorm, rmsNorm } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export class RmsNorm {
  /** `[H]` */
  readonly weight: Tensor;
  readonly eps: number;

  constructor(weight: Tensor, eps: number) {
    this.weight = weight;
    this.eps = eps;
  }

  static load(weights: WeightLoader, name: string, size: number, eps: number): RmsNorm {
    return new RmsNorm(weights.tensor(`${name}.weight`, [size]), eps);
  }

  /** @param x `[R, H]` @returns `[R, H]` */
  apply(scope: StepScope, x: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(rmsNorm, { x, w: this.weight, y, eps: this.eps });
    return y;
  }

  /** residual += x, in place; returns the norm of the sum. */
  addAndApply(scope: StepScope, x: Tensor, residual: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(addRmsNorm, { x, residual, w: this.weight, y, eps: this.eps });
    return y;
  }
}
