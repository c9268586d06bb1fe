/** [engine/layers] Products of float activations with a weight of 4 bits, which lies in the order that its kernel reads best. */
import type { DType } from "../../dsl/index.ts";
import { linearW4, linearW4Zeros, permuteColumns } from "../../dsl/kernels/catalogue.ts";
import { emptyTensor, packArguments, type Tensor } from "../../runtime/index.ts";
import type { FourBitWeight } from "../weights/quantization/quantized-weight.ts";
import { layerLaunchOptions, optionsFor } from "./launch-options.ts";
import type { Product } from "./linear.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export class FourBitProduct implements Product {
  /** `[N, K]`, packed */
  readonly #weight: Tensor;
  /** `[KG, N]` */
  readonly #scale: Tensor;
  /** `[KG, N]`, u4 */
  readonly #zero: Tensor | undefined;
  /** `[N]`, f32 */
  readonly #bias: Tensor;
  /** `[K]`, i32 */
  readonly #order: Tensor | undefined;

  /** @param bias `[N]`, f32 */
  constructor(weights: WeightLoader, stored: FourBitWeight, bias: Tensor | undefined) {
    const { order, zero } = stored;
    const [rows = 0, inputs = 0] = stored.codes.shape;
    this.#scale = weights.upload(stored.scale);
    this.#zero = zero && weights.upload(zero);
    this.#bias = bias ?? weights.table(new Float32Array(rows), [rows]);
    this.#order =
      order &&
      weights.upload({ dtype: "i32", shape: [inputs], bytes: new Uint8Array(order.buffer) });
    this.#weight = this.#pack(weights, weights.upload(stored.codes));
  }

  apply(scope: StepScope, x: Tensor, dtype: DType): Tensor {
    const [rows = 0] = x.shape;
    const y = scope.empty(dtype, [rows, this.#weight.shape[0] ?? 0]);
    const args = { x: this.#ordered(scope, x), w: this.#weight, y };
    const options = optionsFor(scope.options.linearW4, rows);
    scope.device.launch(this.#kernel, { ...this.#rest, ...args }, options);
    return y;
  }

  get #kernel() {
    return this.#zero === undefined ? linearW4 : linearW4Zeros;
  }

  get #rest(): Readonly<Record<string, Tensor>> {
    const rest = { scale: this.#scale, bias: this.#bias };
    return this.#zero === undefined ? rest : { ...rest, zero: this.#zero };
  }

  /** Into the order of the kernel for few rows, which those for more read as well. */
  #pack(weights: WeightLoader, plain: Tensor): Tensor {
    const { device, dtype } = weights;
    const [rows = 0, inputs = 0] = plain.shape;
    const [x, y] = [emptyTensor(device, dtype, [1, inputs]), emptyTensor(device, dtype, [1, rows])];
    try {
      const options = optionsFor(layerLaunchOptions(device).linearW4, 1);
      const args = { ...this.#rest, x, y, w: plain };
      const { w } = packArguments(device, this.#kernel, args, options);
      if (typeof w !== "object" || w === plain) return plain;
      weights.discard(plain);
      return weights.adopt(w);
    } finally {
      for (const { buffer } of [x, y]) device.free(buffer);
    }
  }

  #ordered(scope: StepScope, x: Tensor): Tensor {
    if (this.#order === undefined) return x;
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(permuteColumns, { x, order: this.#order, y }, scope.options.permuteColumns);
    return y;
  }
}
