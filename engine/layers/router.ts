/** [engine/layers] Chooses the experts of each row: a linear layer with logits in f32, then one of the routing kernels. */
import { moeRoute, moeRouteSigmoid } from "../../dsl/kernels/catalogue.ts";
import { type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import { Linear } from "./linear.ts";
import type { StepScope } from "./scope.ts";

export interface RouterConfig {
  /** Name of the linear layer. */
  readonly name: string;
  readonly hasBias: boolean;
  readonly numExperts: number;
  /** Experts of a row. */
  readonly topK: number;
  readonly scores: ScoreConfig;
  /** True: the weights of a row sum to `scaling`. */
  readonly renormalize: boolean;
  /** Factor of the weights. */
  readonly scaling: number;
  /** Where only the best groups are chosen from. */
  readonly groups?: GroupConfig;
}

export interface GroupConfig {
  /** A divisor of the number of experts. */
  readonly count: number;
  /** Groups that are kept. */
  readonly kept: number;
}

export type ScoreConfig =
  | { readonly kind: "softmax" }
  /** `bias`: name of a vector that is added to the scores for the choice alone. */
  | { readonly kind: "sigmoid"; readonly bias: string | undefined };

/** Experts of each row and their weights, the best first. */
export interface Routing {
  /** `[R, topK]` i32 */
  readonly ids: Tensor;
  /** `[R, topK]` f32 */
  readonly weights: Tensor;
}

export class Router {
  readonly #linear: Linear;
  readonly #config: RouterConfig;
  readonly #options: LaunchOptions;
  /** `[groups, experts of a group]` f32; for sigmoid scores alone */
  readonly #bias: Tensor | undefined;

  constructor({ weights, hidden }: BuildContext, config: RouterConfig) {
    const { name, hasBias, numExperts, renormalize, scores, groups } = config;
    this.#config = config;
    // Routers stay floats in quantized checkpoints, whether or not their lists say so.
    const bias = hasBias ? weights.tensor(`${name}.bias`, [numExperts]) : undefined;
    this.#linear = new Linear(weights.tensor(`${name}.weight`, [numExperts, hidden]), bias);
    const kept = groups?.kept ?? 1;
    this.#options = Object.freeze({ config: Object.freeze({ TG: kept, renormalize }) });
    if (scores.kind === "softmax") return;
    const shape = [groups?.count ?? 1, numExperts / (groups?.count ?? 1)];
    this.#bias =
      scores.bias === undefined
        ? weights.table(new Float32Array(numExperts), shape)
        : weights.stacked([{ name: scores.bias, shape: [numExperts] }], { shape, dtype: "f32" });
  }

  /** @param x `[R, H]` */
  apply(scope: StepScope, x: Tensor): Routing {
    const [rows = 0] = x.shape;
    const { numExperts, topK, scaling, groups } = this.#config;
    const count = groups?.count ?? 1;
    const logits = reshape(this.#linear.apply(scope, x, "f32"), [rows, count, numExperts / count]);
    const ids = scope.empty("i32", [rows, topK]);
    const weights = scope.empty("f32", [rows, topK]);
    const args = { logits, ids, weights, scaling };
    if (this.#bias === undefined) scope.device.launch(moeRoute, args, this.#options);
    else scope.device.launch(moeRouteSigmoid, { ...args, bias: this.#bias }, this.#options);
    return { ids, weights };
  }
}
