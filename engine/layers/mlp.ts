/** [engine/layers] Dense feed-forward blocks: gated (two projections, one of them through the activation) and plain. */
import { siluAndMul } from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import { Linear } from "./linear.ts";
import type { StepScope } from "./scope.ts";

/** Maps each row by itself. */
export interface FeedForward {
  /** @param x `[R, H]` @returns `[R, H]` */
  apply(scope: StepScope, x: Tensor): Tensor;
}

export interface GatedMlpConfig {
  readonly kind: "gated";
  /** Prefix of the weights' names. */
  readonly name: string;
  readonly intermediateSize: number;
  readonly hasBias: boolean;
}

/** down(silu(gate x) · up x), gate and up as one launch. */
export class GatedMlp implements FeedForward {
  readonly #gateUp: Linear;
  readonly #down: Linear;
  readonly #intermediate: number;

  constructor({ weights, hidden }: BuildContext, config: GatedMlpConfig) {
    const { name, intermediateSize: rows, hasBias } = config;
    const parts = ["gate_proj", "up_proj"].map((part) => ({ name: `${name}.${part}`, rows }));
    const down = { name: `${name}.down_proj`, rows: hidden };
    this.#gateUp = Linear.load(weights, parts, hidden, hasBias);
    this.#down = Linear.load(weights, [down], rows, hasBias);
    this.#intermediate = rows;
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const [rows = 0] = x.shape;
    const gateUp = this.#gateUp.apply(scope, x);
    const y = scope.empty(x.dtype, [rows, this.#intermediate]);
    const pairs = reshape(gateUp, [rows, 2, this.#intermediate]);
    scope.device.launch(siluAndMul, { x: pairs, y }, scope.options.siluAndMul);
    return this.#down.apply(scope, y);
  }
}
