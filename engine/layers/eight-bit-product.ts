/** [engine/layers] Products of a weight of 8 bits with activations that are quantized on the way: by rows, by groups of 128 columns, or by a stored scale. */
import type { DType } from "../../dsl/index.ts";
import {
  linearFp8,
  linearFp8Block,
  linearInt8,
  quantizeRows,
  quantizeStatic,
} from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { EightBitWeight } from "../weights/quantization/quantized-weight.ts";
import { optionsFor } from "./launch-options.ts";
import type { Product } from "./linear.ts";
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

  /** @param bias `[N]`, f32 */
  constructor(weights: WeightLoader, stored: EightBitWeight, bias: Tensor | undefined) {
    const [rows = 0] = stored.codes.shape;
    const { inputScale } = stored;
    this.#weight = weights.upload(stored.codes);
    this.#scale = weights.upload(stored.scale);
    this.#bias = bias ?? weights.table(new Float32Array(rows), [rows]);
    this.#activations = stored.activations;
    this.#inputScale =
      inputScale === undefined ? undefined : weights.table(Float32Array.of(inputScale), [1]);
  }

  apply(scope: StepScope, x: Tensor, dtype: DType): Tensor {
    const [rows = 0] = x.shape;
    const y = scope.empty(dtype, [rows, this.#weight.shape[0] ?? 0]);
    const { q, scale } = this.#quantize(scope, x);
    const args = { x: q, w: this.#weight, xScale: scale, wScale: this.#scale, bias: this.#bias, y };
    const options = optionsFor(scope.options.linear8, rows);
    scope.device.launch(this.#kernel, args, options);
    return y;
  }

  get #kernel() {
    if (this.#activations === "group") return linearFp8Block;
    return this.#weight.dtype === "i8" ? linearInt8 : linearFp8;
  }

  /** Codes `[M, K]`, and scales `[M]` or `[KG, M]`. */
  #quantize(scope: StepScope, x: Tensor): { readonly q: Tensor; readonly scale: Tensor } {
    const [rows = 0, width = 0] = x.shape;
    const q = scope.empty(this.#weight.dtype, x.shape);
    if (this.#inputScale !== undefined) {
      const rowScale = scope.empty("f32", [rows]);
      const args = { x, scale: this.#inputScale, q, rowScale };
      scope.device.launch(quantizeStatic, args, scope.options.quantizeStatic);
      return { q, scale: rowScale };
    }
    const groups = this.#activations === "group" ? width / GROUP : 1;
    const scale = scope.empty("f32", [groups, rows]);
    scope.device.launch(quantizeRows, { x, q, scale });
    return { q, scale: this.#activations === "token" ? reshape(scale, [rows]) : scale };
  }
}
