/** [engine/layers] The residual stream of a step: sums that a norm can do on its way are left to it. */
import { InternalError } from "../../dsl/index.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { AfterNorm, Norm } from "./norm.ts";
import type { RowForm, Rows } from "./rows.ts";
import type { StepScope } from "./scope.ts";

export class ResidualStream {
  readonly #scope: StepScope;
  /** `[N, H]`, without the pending update. */
  readonly #sum: Tensor;
  /** Update that is still to be added. */
  #pending: Tensor | undefined;

  /** @param start `[N, H]`, changed in place from here on */
  constructor(scope: StepScope, start: Tensor) {
    this.#scope = scope;
    this.#sum = start;
  }

  /** Tensors that the stream consists of at the moment. */
  get tensors(): readonly Tensor[] {
    return this.#pending === undefined ? [this.#sum] : [this.#sum, this.#pending];
  }

  /** @returns norm of the stream, `[N, H]`; without one the stream itself, which nobody may change */
  read(norm: Norm | undefined): Tensor;
  /** @param form in which the rows are wanted; floats are given where the norm cannot make it */
  read(norm: Norm | undefined, form: RowForm | undefined): Rows;
  read(norm: Norm | undefined, form?: RowForm): Rows {
    const update = this.#pending;
    this.#pending = undefined;
    if (norm === undefined) {
      if (update === undefined) return this.#sum;
      throw new InternalError({
        code: "TW9002",
        message:
          "a layer that reads the residual stream as it is follows one without a norm after it",
        remedy: "give one of the two a norm in engine/models",
      });
    }
    const { quantizing } = norm;
    if (form === undefined || quantizing === undefined) {
      if (update === undefined) return norm.apply(this.#scope, this.#sum);
      return norm.addAndApply(this.#scope, update, this.#sum);
    }
    if (update === undefined) return quantizing.apply(this.#scope, this.#sum, form);
    return quantizing.addAndApply(this.#scope, update, this.#sum, form);
  }

  /** Adds what a layer gave, `[N, H]`, through the norm after it where there is one. */
  add(update: Tensor, norm: AfterNorm | undefined): void {
    if (norm === undefined) this.#pending = update;
    else norm.add(this.#scope, update, this.#sum);
  }
}
