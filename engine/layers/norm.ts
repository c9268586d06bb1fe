/** [engine/layers] Normalisation of rows: before a layer, with the residual sum on the way, and after it. */
import {
  addLayerNorm,
  addRmsNorm,
  addRmsNormQuantize,
  layerNorm,
  rmsNorm,
  rmsNormAdd,
  rmsNormQuantize,
} from "../../dsl/kernels/catalogue.ts";
import type { LaunchOptions, Tensor } from "../../runtime/index.ts";
import { optionsUnless } from "./launch-options.ts";
import { emptyRows, type QuantizedRows, type RowForm } from "./rows.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface RmsNormConfig {
  readonly kind: "rms";
  readonly eps: number;
  /** Added to every weight: 1 where checkpoints hold the distance from 1. */
  readonly offset: number;
  /** Factor of what is added to the residual stream. */
  readonly updateScale: number;
}

export interface LayerNormConfig {
  readonly kind: "layer";
  readonly eps: number;
}

/** Of all norms in front of layers and of the last one. */
export type NormConfig = RmsNormConfig | LayerNormConfig;

/** In front of a layer. */
export interface Norm {
  /** @param x `[R, H]` @returns `[R, H]` */
  apply(scope: StepScope, x: Tensor): Tensor;
  /** residual += x, in place; returns the norm of the sum. */
  addAndApply(scope: StepScope, x: Tensor, residual: Tensor): Tensor;
  /** The same with results in 8 bits, in one launch; undefined where no kernel does that. */
  readonly quantizing?: QuantizingNorm | undefined;
}

export interface QuantizingNorm {
  apply(scope: StepScope, x: Tensor, form: RowForm): QuantizedRows;
  addAndApply(scope: StepScope, x: Tensor, residual: Tensor, form: RowForm): QuantizedRows;
}

/** @param name of the norm's weights, without `.weight` */
export function loadNorm(
  weights: WeightLoader,
  name: string,
  size: number,
  config: NormConfig,
): Norm {
  switch (config.kind) {
    case "rms":
      return new RmsNorm(weights, name, size, config);
    case "layer":
      return new LayerNorm(weights, name, size, config.eps);
    default:
      return config satisfies never;
  }
}

class RmsNorm implements Norm {
  /** `[H]` */
  readonly #weight: Tensor;
  readonly #eps: number;
  readonly #alone: LaunchOptions | undefined;
  readonly #adding: LaunchOptions | undefined;
  readonly quantizing: QuantizingNorm | undefined;

  constructor(weights: WeightLoader, name: string, size: number, config: RmsNormConfig) {
    const { offset: OFFSET, updateScale: SCALE } = config;
    this.#weight = weights.tensor(`${name}.weight`, [size]);
    this.#eps = config.eps;
    this.#alone = optionsUnless(OFFSET === 0, { OFFSET });
    this.#adding = optionsUnless(OFFSET === 0 && SCALE === 1, { OFFSET, SCALE });
    this.quantizing =
      OFFSET === 0 && SCALE === 1 ? quantizingNorm(this.#weight, config.eps) : undefined;
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(rmsNorm, { x, w: this.#weight, y, eps: this.#eps }, this.#alone);
    return y;
  }

  addAndApply(scope: StepScope, x: Tensor, residual: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    const args = { x, residual, w: this.#weight, y, eps: this.#eps };
    scope.device.launch(addRmsNorm, args, this.#adding);
    return y;
  }
}

/** @param w `[H]` */
function quantizingNorm(w: Tensor, eps: number): QuantizingNorm {
  return {
    apply: (scope, x, form) => {
      const rows = emptyRows(scope, form, x.shape, x.dtype);
      const { q, scale } = rows;
      scope.device.launch(rmsNormQuantize, { x, w, q, scale, eps });
      return rows;
    },
    addAndApply: (scope, x, residual, form) => {
      const rows = emptyRows(scope, form, x.shape, x.dtype);
      const { q, scale } = rows;
      scope.device.launch(addRmsNormQuantize, { x, residual, w, q, scale, eps });
      return rows;
    },
  };
}

class LayerNorm implements Norm {
  /** `[H]` each. */
  readonly #weights: { readonly w: Tensor; readonly b: Tensor };
  readonly #eps: number;

  constructor(weights: WeightLoader, name: string, size: number, eps: number) {
    this.#weights = {
      w: weights.tensor(`${name}.weight`, [size]),
      b: weights.tensor(`${name}.bias`, [size]),
    };
    this.#eps = eps;
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(layerNorm, { x, ...this.#weights, y, eps: this.#eps });
    return y;
  }

  addAndApply(scope: StepScope, x: Tensor, residual: Tensor): Tensor {
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(addLayerNorm, { x, residual, ...this.#weights, y, eps: this.#eps });
    return y;
  }
}

export interface AfterNormConfig {
  /** Prefix of the weight's name. */
  readonly name: string;
  readonly eps: number;
  readonly offset: number;
}

/** The RMS norm of what a layer gave, on its way into the residual stream. */
export class AfterNorm {
  readonly #weight: Tensor;
  readonly #eps: number;
  readonly #options: LaunchOptions | undefined;

  constructor(weights: WeightLoader, size: number, config: AfterNormConfig) {
    this.#weight = weights.tensor(`${config.name}.weight`, [size]);
    this.#eps = config.eps;
    this.#options = optionsUnless(config.offset === 0, { OFFSET: config.offset });
  }

  /** residual += norm of x, in place. */
  add(scope: StepScope, x: Tensor, residual: Tensor): void {
    const args = { x, residual, w: this.#weight, eps: this.#eps };
    scope.device.launch(rmsNormAdd, args, this.#options);
  }
}
