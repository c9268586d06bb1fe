/** [engine/layers] The sparse feed-forward block: a router, experts of which each row takes a few, and a shared expert that all rows take. */
import {
  alignedBlocks,
  moeAlign,
  moeCombine,
  moeCount,
  moeGemm,
} from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import { expertBlockRows, partsOfSlots } from "./launch-options.ts";
import { Linear } from "./linear.ts";
import { type FeedForward, GatedMlp, type GatedMlpConfig } from "./mlp.ts";
import { Router, type RouterConfig } from "./router.ts";
import type { StepScope } from "./scope.ts";

export interface MoeConfig {
  readonly kind: "moe";
  readonly router: RouterConfig;
  readonly experts: ExpertsConfig;
  readonly shared?: SharedExpertConfig;
}

/** Experts that are gated blocks without biases, one checkpoint tensor for each projection of each expert. */
export interface ExpertsConfig {
  /** The tensors are `<name>.<i>.<projection>.weight`. */
  readonly name: string;
  readonly intermediateSize: number;
  readonly projections: {
    readonly gate: string;
    readonly up: string;
    readonly down: string;
  };
}

export interface SharedExpertConfig {
  readonly mlp: GatedMlpConfig;
  /** Name of the linear layer whose sigmoid its result is multiplied by; absent where it is added as it is. */
  readonly gate?: string;
}

/** Names of projections as most checkpoints have them. */
export const USUAL_PROJECTIONS = { gate: "gate_proj", up: "up_proj", down: "down_proj" } as const;

/** Slots of all rows, sorted by expert on the device; sizes are upper bounds that the host knows, so that nothing is read back. */
interface SortedSlots {
  readonly rows: Tensor;
  readonly expertOf: Tensor;
}

interface SharedExpert {
  readonly mlp: GatedMlp;
  readonly gate: Linear | undefined;
}

export class Moe implements FeedForward {
  readonly #router: Router;
  /** `[E, 2, I, H]`: gate, then up */
  readonly #gateUp: Tensor;
  /** `[E, 1, H, I]` */
  readonly #down: Tensor;
  readonly #shared: SharedExpert | undefined;

  constructor(context: BuildContext, { router, experts, shared }: MoeConfig) {
    this.#router = new Router(context, router);
    const { weights, hidden } = context;
    const { name, projections, intermediateSize: inner } = experts;
    const { gate, up, down } = projections;
    const names = Array.from({ length: router.numExperts }, (_, i) => `${name}.${i}`);
    const halves = names.flatMap((expert) => [`${expert}.${gate}`, `${expert}.${up}`]);
    this.#gateUp = weights.stacked(
      halves.map((part) => ({ name: `${part}.weight`, shape: [inner, hidden] })),
      { shape: [router.numExperts, 2, inner, hidden] },
    );
    this.#down = weights.stacked(
      names.map((expert) => ({ name: `${expert}.${down}.weight`, shape: [hidden, inner] })),
      { shape: [router.numExperts, 1, hidden, inner] },
    );
    this.#shared = shared === undefined ? undefined : loadShared(context, shared);
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const [rows = 0, hidden = 0] = x.shape;
    const { ids, weights } = this.#router.apply(scope, x);
    const [, topK = 0] = ids.shape;
    const sorted = this.#sort(scope, reshape(ids, [rows * topK]));
    const inner = this.#product(scope, x, this.#gateUp, sorted, rows * topK);
    const each = this.#product(scope, inner, this.#down, sorted, rows * topK);
    const { shared, gates } = this.#applyShared(scope, x);
    const y = scope.empty(x.dtype, x.shape);
    const parts = reshape(each, [rows, topK, hidden]);
    scope.device.launch(moeCombine, { x: parts, weights, shared, gates, y });
    return y;
  }

  /** @param ids `[S]` */
  #sort(scope: StepScope, ids: Tensor): SortedSlots {
    const [slots = 0] = ids.shape;
    const [experts = 0] = this.#down.shape;
    const blockRows = expertBlockRows(scope.options, slots, experts);
    const numBlocks = alignedBlocks(slots, experts, blockRows);
    const counts = scope.empty("i32", [partsOfSlots(slots), experts]);
    const rows = scope.empty("i32", [numBlocks, blockRows]);
    const expertOf = scope.empty("i32", [numBlocks]);
    scope.device.launch(moeCount, { ids, counts });
    scope.device.launch(moeAlign, { ids, counts, rows, expertOf });
    return { rows, expertOf };
  }

  #product(
    scope: StepScope,
    x: Tensor,
    w: Tensor,
    { rows, expertOf }: SortedSlots,
    slots: number,
  ): Tensor {
    const y = scope.empty(x.dtype, [slots, w.shape[2] ?? 0]);
    scope.device.launch(moeGemm, { x, w, rows, expertOf, y });
    return y;
  }

  /** @returns shared `[R, 0 or 1, H]`, gates `[R, 0 or 1]` */
  #applyShared(scope: StepScope, x: Tensor): { readonly shared: Tensor; readonly gates: Tensor } {
    const [rows = 0, hidden = 0] = x.shape;
    const { mlp, gate } = this.#shared ?? {};
    return {
      shared:
        mlp === undefined
          ? scope.empty(x.dtype, [rows, 0, hidden])
          : reshape(mlp.apply(scope, x), [rows, 1, hidden]),
      gates: gate === undefined ? scope.empty("f32", [rows, 0]) : gate.apply(scope, x, "f32"),
    };
  }
}

function loadShared(context: BuildContext, { mlp, gate }: SharedExpertConfig): SharedExpert {
  const { weights, hidden } = context;
  return {
    mlp: new GatedMlp(context, mlp),
    gate:
      gate === undefined
        ? undefined
        : Linear.load(weights, [{ name: gate, rows: 1 }], hidden, false),
  };
}
