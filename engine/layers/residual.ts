/** [engine/layers] The residual stream of a step: sums that a norm can do on its way are left to it. */
import type { Tensor } from "../../runtime/index.ts";
import type { Norm } from "./norm.ts";
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

  /** @returns norm of the stream, `[N, H]` */
  read(norm: Norm): Tensor {
    const update = this.#pending;
    this.#pending = undefined;
    if (update === undefined) return norm.apply(this.#scope, this.#sum);
    return norm.addAndApply(this.#scope, update, this.#sum);
  }

  /** Adds a sublayer's result, `[N, H]`. */
  add(update: Tensor): void {
    this.#pending = update;
  }
}
