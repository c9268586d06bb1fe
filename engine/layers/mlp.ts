/** [engine/layers] The gated feed-forward block: down(silu(gate x) · up x), gate and up as one launch. */
import { siluAndMul } from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import { Linear } from "./linear.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export class GatedMlp {
  readonly #gateUp: Linear;
  readonly #down: Linear;
  readonly #intermediate: number;

  constructor(
    weights: WeightLoader,
    name: string,
    hidden: number,
    intermediate: number,
    hasBias: boolean,
  ) {
    const parts = ["gate_proj", "up_proj"].map((part) => ({
      name: `${name}.${part}`,
      rows: intermediate,
    }));
    this.#gateUp = Linear.load(weights, parts, hidden, hasBias);
    this.#down = Linear.load(
      weights,
      [{ name: `${name}.down_proj`, rows: hidden }],
      intermediate,
      hasBias,
    );
    this.#intermediate = intermediate;
  }

  /** @param x `[R, H]` @returns `[R, H]` */
  apply(scope: StepScope, x: Tensor): Tensor {
    const [rows = 0] = x.shape;
    const gateUp = this.#gateUp.apply(scope, x);
    const y = scope.empty(x.dtype, [rows, this.#intermediate]);
    const pairs = reshape(gateUp, [rows, 2, this.#intermediate]);
    scope.device.launch(siluAndMul, { x: pairs, y }, scope.options.siluAndMul);
    return this.#down.apply(scope, y);
  }
}
