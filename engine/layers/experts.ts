/** [engine/layers] The experts of one layer: their weights as stacks, and the products of rows with those that a router chose. */
import {
  alignedBlocks,
  clampedGate,
  moeAlign,
  moeCount,
  moeGemm,
} from "../../dsl/kernels/catalogue.ts";
import { type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import { expertBlockRows, partsOfSlots } from "./launch-options.ts";
import type { StepScope } from "./scope.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface ExpertsConfig {
  readonly intermediateSize: number;
  /** How gate and up are joined: silu(gate) · up, or `clampedGate`. */
  readonly gate: "silu" | "clamped";
  readonly tensors: SeparateExperts | StackedExperts;
}

/** One checkpoint tensor for each projection of each expert, without biases: `<name>.<i>.<projection>.weight`. */
export interface SeparateExperts {
  readonly kind: "separate";
  readonly name: string;
  readonly projections: { readonly gate: string; readonly up: string; readonly down: string };
}

/** One checkpoint tensor for all experts: names of `[E, 2 · I, H]` and `[E, H, I]`, of biases `[E, 2 · I]` and `[E, H]`. */
export interface StackedExperts {
  readonly kind: "stacked";
  readonly gateUp: string;
  readonly down: string;
  readonly biases?: { readonly gateUp: string; readonly down: string };
  /** True where the rows of gate and up take turns; else all of gate come first. */
  readonly isInterleaved: boolean;
}

/** Names of projections as most checkpoints have them. */
export const USUAL_PROJECTIONS = { gate: "gate_proj", up: "up_proj", down: "down_proj" } as const;

/** Slots of all rows, sorted by expert on the device; sizes are upper bounds that the host knows, so that nothing is read back. */
interface SortedSlots {
  readonly rows: Tensor;
  readonly expertOf: Tensor;
  readonly numSlots: number;
}

/** Weights of one product. */
interface ExpertStack {
  /** `[E, G, N, K]` */
  readonly weight: Tensor;
  /** `[E, G or 0, N]` */
  readonly bias: Tensor;
}

interface Sizes {
  readonly experts: number;
  readonly inner: number;
  readonly hidden: number;
}

const CLAMPED: LaunchOptions = Object.freeze({ functions: Object.freeze({ join: clampedGate }) });

export class Experts {
  /** Gate, then up. */
  readonly #gateUp: ExpertStack;
  readonly #down: ExpertStack;
  readonly #numExperts: number;
  readonly #options: LaunchOptions | undefined;

  constructor({ weights, hidden }: BuildContext, numExperts: number, config: ExpertsConfig) {
    const { tensors, gate, intermediateSize: inner } = config;
    const sizes = { experts: numExperts, inner, hidden };
    const { gateUp, down } =
      tensors.kind === "separate"
        ? loadSeparate(weights, tensors, sizes)
        : loadStacked(weights, tensors, sizes);
    this.#gateUp = gateUp;
    this.#down = down;
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
    const inner = product(scope, x, this.#gateUp, sorted, this.#options);
    const each = product(scope, inner, this.#down, sorted, undefined);
    return reshape(each, [rows, topK, x.shape[1] ?? 0]);
  }

  /** @param ids `[S]` */
  #sort(scope: StepScope, ids: Tensor): SortedSlots {
    const [numSlots = 0] = ids.shape;
    const blockRows = expertBlockRows(scope.options, numSlots, this.#numExperts);
    const numBlocks = alignedBlocks(numSlots, this.#numExperts, blockRows);
    const counts = scope.empty("i32", [partsOfSlots(numSlots), this.#numExperts]);
    const rows = scope.empty("i32", [numBlocks, blockRows]);
    const expertOf = scope.empty("i32", [numBlocks]);
    scope.device.launch(moeCount, { ids, counts });
    scope.device.launch(moeAlign, { ids, counts, rows, expertOf });
    return { rows, expertOf, numSlots };
  }
}

/** @returns `[S, N]` */
function product(
  scope: StepScope,
  x: Tensor,
  { weight: w, bias }: ExpertStack,
  { rows, expertOf, numSlots }: SortedSlots,
  options: LaunchOptions | undefined,
): Tensor {
  const y = scope.empty(x.dtype, [numSlots, w.shape[2] ?? 0]);
  scope.device.launch(moeGemm, { x, w, bias, rows, expertOf, y }, options);
  return y;
}

interface ExpertStacks {
  readonly gateUp: ExpertStack;
  readonly down: ExpertStack;
}

function loadSeparate(
  weights: WeightLoader,
  { name, projections }: SeparateExperts,
  { experts, inner, hidden }: Sizes,
): ExpertStacks {
  const { gate, up, down } = projections;
  const names = Array.from({ length: experts }, (_, i) => `${name}.${i}`);
  const halves = names.flatMap((expert) => [`${expert}.${gate}`, `${expert}.${up}`]);
  return {
    gateUp: {
      weight: weights.stacked(
        halves.map((part) => ({ name: `${part}.weight`, shape: [inner, hidden] })),
        { shape: [experts, 2, inner, hidden] },
      ),
      bias: weights.empty([experts, 0, inner]),
    },
    down: {
      weight: weights.stacked(
        names.map((expert) => ({ name: `${expert}.${down}.weight`, shape: [hidden, inner] })),
        { shape: [experts, 1, hidden, inner] },
      ),
      bias: weights.empty([experts, 0, hidden]),
    },
  };
}

function loadStacked(
  weights: WeightLoader,
  { gateUp, down, biases, isInterleaved }: StackedExperts,
  { experts, inner, hidden }: Sizes,
): ExpertStacks {
  const one = (name: string, stored: readonly number[], shape: readonly number[], turns: boolean) =>
    weights.stacked([{ name, shape: stored }], { shape, isInterleaved: turns });
  return {
    gateUp: {
      weight: one(gateUp, [experts, 2 * inner, hidden], [experts, 2, inner, hidden], isInterleaved),
      bias:
        biases === undefined
          ? weights.empty([experts, 0, inner])
          : one(biases.gateUp, [experts, 2 * inner], [experts, 2, inner], isInterleaved),
    },
    down: {
      weight: one(down, [experts, hidden, inner], [experts, 1, hidden, inner], false),
      bias:
        biases === undefined
          ? weights.empty([experts, 0, hidden])
          : one(biases.down, [experts, hidden], [experts, 1, hidden], false),
    },
  };
}
