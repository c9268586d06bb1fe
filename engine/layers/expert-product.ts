/** [engine/layers] The product of rows with the weights of their experts: one class for weights of floats, one for quantized ones, one where rows become 8 bits too. */
import {
  moeGemm,
  moeGemmQuantized,
  moeGemmScaled,
  permuteSlots,
} from "../../dsl/kernels/catalogue.ts";
import type { LaunchOptions, Tensor } from "../../runtime/index.ts";
import { type RowForm, rowsInForm } from "./rows.ts";
import type { StepScope } from "./scope.ts";

/** Slots of all rows, sorted by expert on the device; sizes are upper bounds that the host knows, so that nothing is read back. */
export interface SortedSlots {
  /** `[S]` i32: the expert of each */
  readonly ids: Tensor;
  /** `[PB, BM]` i32 */
  readonly rows: Tensor;
  /** `[PB]` i32 */
  readonly expertOf: Tensor;
  readonly numSlots: number;
}

export interface ExpertProduct {
  /**
   * @param x `[R, K]`, R a divisor of the number of slots
   * @param options of the launch: how gate and up are joined
   * @returns `[S, N]`
   */
  apply(scope: StepScope, x: Tensor, sorted: SortedSlots, options?: LaunchOptions): Tensor;
}

export class FloatExperts implements ExpertProduct {
  readonly #tensors: { readonly w: Tensor; readonly bias: Tensor };

  /**
   * @param w `[E, G, N, K]`
   * @param bias `[E, G or 0, N]`
   */
  constructor(w: Tensor, bias: Tensor) {
    this.#tensors = { w, bias };
  }

  apply(scope: StepScope, x: Tensor, sorted: SortedSlots, options?: LaunchOptions): Tensor {
    const { rows, expertOf, numSlots } = sorted;
    const y = scope.empty(x.dtype, [numSlots, this.#tensors.w.shape[2] ?? 0]);
    scope.device.launch(moeGemm, { ...this.#tensors, x, rows, expertOf, y }, options);
    return y;
  }
}

export interface QuantizedExpertTensors {
  /** `[E, G, N, K]` */
  readonly w: Tensor;
  /** `[E, KG, G, N]` */
  readonly scale: Tensor;
  /** `[E, KG or 0, G, N]` u4 */
  readonly zero: Tensor;
  /** `[E, G or 0, N]` */
  readonly bias: Tensor;
}

export class QuantizedExperts implements ExpertProduct {
  readonly #tensors: QuantizedExpertTensors;
  /** `[E, K]` i32 */
  readonly #order: Tensor | undefined;

  /** @param order `[E, K]` i32: which column of the rows each column of an expert meets; absent where it is the same */
  constructor(tensors: QuantizedExpertTensors, order: Tensor | undefined) {
    this.#tensors = tensors;
    this.#order = order;
  }

  apply(scope: StepScope, x: Tensor, sorted: SortedSlots, options?: LaunchOptions): Tensor {
    const { rows, expertOf, numSlots } = sorted;
    const y = scope.empty(x.dtype, [numSlots, this.#tensors.w.shape[2] ?? 0]);
    const args = { ...this.#tensors, x: this.#ordered(scope, x, sorted), rows, expertOf, y };
    scope.device.launch(moeGemmQuantized, args, options);
    return y;
  }

  /** @returns x, or a row of it for each slot */
  #ordered(scope: StepScope, x: Tensor, { ids, numSlots }: SortedSlots): Tensor {
    if (this.#order === undefined) return x;
    const y = scope.empty(x.dtype, [numSlots, x.shape[1] ?? 0]);
    scope.device.launch(permuteSlots, { x, ids, order: this.#order, y });
    return y;
  }
}

export interface EightBitExpertTensors {
  /** `[E, G, N, K]` */
  readonly w: Tensor;
  /** `[E, KG, G, N]`, f32 */
  readonly scale: Tensor;
  /** `[E, G or 0, N]` */
  readonly bias: Tensor;
}

/** Rows become 8 bits before the product: once each, however many experts take them. */
export class EightBitExperts implements ExpertProduct {
  readonly #tensors: EightBitExpertTensors;
  readonly #form: RowForm;
  /** `[1]`, f32: scale of the rows where it is static. */
  readonly #inputScale: Tensor | undefined;

  constructor(tensors: EightBitExpertTensors, inputScale: Tensor | undefined) {
    this.#tensors = tensors;
    this.#form = { codes: tensors.w.dtype, groups: tensors.scale.shape[1] ?? 1 };
    this.#inputScale = inputScale;
  }

  apply(scope: StepScope, x: Tensor, sorted: SortedSlots, options?: LaunchOptions): Tensor {
    const { rows, expertOf, numSlots } = sorted;
    const { q, scale: xScale } = rowsInForm(scope, this.#form, x, this.#inputScale);
    const y = scope.empty(x.dtype, [numSlots, this.#tensors.w.shape[2] ?? 0]);
    const args = { ...this.#tensors, x: q, xScale, rows, expertOf, y };
    scope.device.launch(moeGemmScaled, args, options);
    return y;
  }
}
