/** [engine/layers] A linear layer y = x·wᵀ + b, whatever the form of its weight; that of floats picks the kernel by the number of rows. */
import { type DType, invariant, storageBytes } from "../../dsl/index.ts";
import { linear, linearBias, linearBiasSmall, linearSmall } from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { QuantizedWeight } from "../weights/quantization/quantized-weight.ts";
import { EightBitProduct } from "./eight-bit-product.ts";
import { FourBitProduct } from "./four-bit-product.ts";
import { optionsFor } from "./launch-options.ts";
import type { QuantizedRows, RowForm, Rows } from "./rows.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** How a layer multiplies: one class a form of weight. */
export interface Product {
  /** @param x `[M, K]` @returns `[M, N]` in `dtype` */
  apply(scope: StepScope, x: Tensor, dtype: DType): Tensor;
  /** Where it multiplies rows of 8 bits with scales of their own: takes them from whoever made them so. */
  readonly quantized?: QuantizedProduct | undefined;
}

export interface QuantizedProduct {
  readonly form: RowForm;
  /** @param x `[M, K]` in the form @returns `[M, N]` in `dtype` */
  apply(scope: StepScope, x: QuantizedRows, dtype: DType): Tensor;
}

interface LinearPart {
  readonly name: string;
  readonly rows: number;
}

export class Linear {
  readonly #product: Product;

  /**
   * @param weight `[N, K]`, or a product that has its weight
   * @param bias `[N]`, of a weight
   */
  constructor(weight: Tensor | Product, bias?: Tensor) {
    this.#product = "apply" in weight ? weight : new DenseProduct(weight, bias);
  }

  /** Rows of several checkpoint modules stacked into one weight, so that one launch computes them all. */
  static load(
    weights: WeightLoader,
    parts: readonly LinearPart[],
    inputs: number,
    hasBias: boolean,
  ): Linear {
    const stored = weights.quantized(parts.map(({ name, rows }) => ({ name, rows, inputs })));
    const shapes = parts.map(({ name, rows }) => ({ name: `${name}.bias`, shape: [rows] }));
    const bias = (dtype: DType) => (hasBias ? weights.stacked(shapes, { dtype }) : undefined);
    if (stored === undefined) {
      const rows = parts.map(({ name, rows }) => ({
        name: `${name}.weight`,
        shape: [rows, inputs],
      }));
      return new Linear(weights.stacked(rows), bias(weights.dtype));
    }
    return new Linear(quantizedProduct(weights, stored, bias));
  }

  /** The form in which it takes rows without a launch of its own; undefined where that is floats. */
  get form(): RowForm | undefined {
    return this.#product.quantized?.form;
  }

  /**
   * @param x `[M, K]`, floats or in its form
   * @param dtype of the result; x's where absent
   * @returns `[M, N]`
   */
  apply(scope: StepScope, x: Rows, dtype: DType = x.dtype): Tensor {
    if (!("q" in x)) return this.#product.apply(scope, x, dtype);
    const { quantized } = this.#product;
    invariant(quantized !== undefined, () => "rows of 8 bits reach a product of floats");
    return quantized.apply(scope, x, dtype);
  }
}

function quantizedProduct(
  weights: WeightLoader,
  stored: QuantizedWeight | "missing",
  bias: (dtype: DType) => Tensor | undefined,
): Product {
  if (stored === "missing") return new DenseProduct(weights.nothing(), bias(weights.dtype));
  switch (stored.kind) {
    case "dense":
      return new DenseProduct(weights.uploadFloats(stored.weight), bias(weights.dtype));
    case "four-bit":
      return new FourBitProduct(weights, stored, bias("f32"));
    case "eight-bit":
      return new EightBitProduct(weights, stored, bias("f32"));
    default:
      return stored satisfies never;
  }
}

/** A weight of floats. */
class DenseProduct implements Product {
  /** `[N, K]` */
  readonly #weight: Tensor;
  /** `[N]` */
  readonly #bias: Tensor | undefined;

  constructor(weight: Tensor, bias: Tensor | undefined) {
    this.#weight = weight;
    this.#bias = bias;
  }

  apply(scope: StepScope, x: Tensor, dtype: DType): Tensor {
    const [rows = 0] = x.shape;
    const y = scope.empty(dtype, [rows, this.#weight.shape[0] ?? 0]);
    const { half, wide } = scope.options.fewRows;
    // Then the weight is streamed once and no tile of rows is padded.
    const isSmall = rows <= (storageBytes(x.dtype, 1) === 2 ? half : wide);
    const options = isSmall ? optionsFor(scope.options.linearSmall, rows) : scope.options.linear;
    const args = { x, w: this.#weight, y };
    if (this.#bias === undefined)
      scope.device.launch(isSmall ? linearSmall : linear, args, options);
    else {
      const kernel = isSmall ? linearBiasSmall : linearBias;
      scope.device.launch(kernel, { ...args, bias: this.#bias }, options);
    }
    return y;
  }
}
