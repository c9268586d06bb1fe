/** [engine/layers] Products of a weight of 8 bits with activations that are quantized on the way: by rows, by groups of 128 columns, or by a stored scale. */
import type { DType } from "../../dsl/index.ts";
import { linearFp8, linearFp8Block, linearInt8 } from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { EightBitWeight } from "../weights/quantization/quantized-weight.ts";
import { optionsFor } from "./launch-options.ts";
import type { Product, QuantizedProduct } from "./linear.ts";
import { type QuantizedRows, type RowForm, rowsInForm } from "./rows.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

const GROUP = 128;

export class EightBitProduct implements Product {
  /** `[N, K]` */
  readonly #weight: Tensor;
  /** `[N]`, or `[NG, KG]`; f32 */
  readonly #scale: Tensor;
  /** `[N]`, f32 */
  readonly #bias: Tensor;
  readonly #activations: EightBitWeight["activations"];
  /** `[1]`, f32: scale of the activations where it is static. */
  readonly #inputScale: Tensor | undefined;
  readonly #form: RowForm;
  readonly quantized: QuantizedProduct | undefined;

  /** @param bias `[N]`, f32 */
  constructor(weights: WeightLoader, stored: EightBitWeight, bias: Tensor | undefined) {
    const [rows = 0, width = 0] = stored.codes.shape;
    const { inputScale } = stored;
    this.#weight = weights.upload(stored.codes);
    this.#scale = weights.upload(stored.scale);
    this.#bias = bias ?? weights.table(new Float32Array(rows), [rows]);
    this.#activations = stored.activations;
    this.#inputScale =
      inputScale === undefined ? undefined : weights.table(Float32Array.of(inputScale), [1]);
    const groups = stored.activations === "group" ? width / GROUP : 1;
    const form: RowForm = { codes: this.#weight.dtype, groups };
    this.#form = form;
    this.quantized =
      inputScale === undefined
        ? { form, apply: (scope, x, dtype) => this.#multiply(scope, x, dtype) }
        : undefined;
  }

  apply(scope: StepScope, x: Tensor, dtype: DType): Tensor {
    return this.#multiply(scope, rowsInForm(scope, this.#form, x, this.#inputScale), dtype);
  }

  #multiply(scope: StepScope, { q, scale: stored }: QuantizedRows, dtype: DType): Tensor {
    const [rows = 0] = q.shape;
    const y = scope.empty(dtype, [rows, this.#weight.shape[0] ?? 0]);
    const scale = this.#activations === "group" ? stored : reshape(stored, [rows]);
    const args = { x: q, w: this.#weight, xScale: scale, wScale: this.#scale, bias: this.#bias, y };
    const options = optionsFor(scope.options.linear8, rows);
    scope.device.launch(this.#kernel, args, options);
    return y;
  }

  get #kernel() {
    if (this.#activations === "group") return linearFp8Block;
    return this.#weight.dtype === "i8" ? linearInt8 : linearFp8;
  }
}
