/** [engine/layers] The experts of one layer: their weights as stacks, and the products of rows with those that a router chose. */
import { alignedBlocks, clampedGate, moeAlign, moeCount } from "../../dsl/kernels/catalogue.ts";
import { type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import type { SortedSlots } from "./expert-product.ts";
import { expertBlockRows, partsOfSlots } from "./launch-options.ts";
import {
  type ExpertProducts,
  loadExperts,
  type SeparateExperts,
  type StackedExperts,
} from "./load-experts.ts";
import type { StepScope } from "./scope.ts";

export interface ExpertsConfig {
  readonly intermediateSize: number;
  /** How gate and up are joined: silu(gate) · up, or `clampedGate`. */
  readonly gate: "silu" | "clamped";
  readonly tensors: SeparateExperts | StackedExperts;
}

/** Names of projections as most checkpoints have them. */
export const USUAL_PROJECTIONS = { gate: "gate_proj", up: "up_proj", down: "down_proj" } as const;

const CLAMPED: LaunchOptions = Object.freeze({ functions: Object.freeze({ join: clampedGate }) });

export class Experts {
  readonly #products: ExpertProducts;
  readonly #numExperts: number;
  readonly #options: LaunchOptions | undefined;

  constructor({ weights, hidden }: BuildContext, numExperts: number, config: ExpertsConfig) {
    const { tensors, gate, intermediateSize: inner } = config;
    this.#products = loadExperts(weights, tensors, { experts: numExperts, inner, hidden });
    this.#numExperts = numExperts;
    this.#options = gate === "clamped" ? CLAMPED : undefined;
  }

  /**
   * @param x `[R, H]`
   * @param ids `[R, topK]` i32: experts of each row
   * @returns `[R, topK, H]`: what each of them gives
   */
  apply(scope: StepScope, x: Tensor, ids: Tensor): Tensor {
    const [rows = 0, topK = 0] = ids.shape;
    const sorted = this.#sort(scope, reshape(ids, [rows * topK]));
    const { gateUp, down } = this.#products;
    const inner = gateUp.apply(scope, x, sorted, this.#options);
    const each = down.apply(scope, inner, sorted);
    return reshape(each, [rows, topK, x.shape[1] ?? 0]);
  }

  /** @param ids `[S]` */
  #sort(scope: StepScope, ids: Tensor): SortedSlots {
    const [numSlots = 0] = ids.shape;
    const blockRows = expertBlockRows(scope.options, numSlots, this.#numExperts);
    const numBlocks = alignedBlocks(numSlots, this.#numExperts, blockRows);
    const rows = scope.empty("i32", [numBlocks, blockRows]);
    const expertOf = scope.empty("i32", [numBlocks]);
    const parts = partsOfSlots(numSlots);
    const counts = scope.empty("i32", [parts, this.#numExperts]);
    if (parts > 0) scope.device.launch(moeCount, { ids, counts });
    const options = parts > 0 ? undefined : scope.options.sortAlone;
    scope.device.launch(moeAlign, { ids, counts, rows, expertOf }, options);
    return { ids, rows, expertOf, numSlots };
  }
}
