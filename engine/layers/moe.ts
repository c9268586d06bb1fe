/** [engine/layers] The sparse feed-forward block: a router, experts of which each row takes a few, and a shared expert that all rows take. */
import { moeCombine } from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import { Experts, type ExpertsConfig } from "./experts.ts";
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

export interface SharedExpertConfig {
  readonly mlp: GatedMlpConfig;
  /** Name of the linear layer whose sigmoid its result is multiplied by; absent where it is added as it is. */
  readonly gate?: string;
}

interface SharedExpert {
  readonly mlp: GatedMlp;
  readonly gate: Linear | undefined;
}

export class Moe implements FeedForward {
  readonly #router: Router;
  readonly #experts: Experts;
  readonly #shared: SharedExpert | undefined;

  constructor(context: BuildContext, { router, experts, shared }: MoeConfig) {
    this.#router = new Router(context, router);
    this.#experts = new Experts(context, router.numExperts, experts);
    this.#shared = shared === undefined ? undefined : loadShared(context, shared);
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const { ids, weights } = this.#router.apply(scope, x);
    const each = this.#experts.apply(scope, x, ids);
    const { shared, gates } = this.#applyShared(scope, x);
    const y = scope.empty(x.dtype, x.shape);
    scope.device.launch(moeCombine, { x: each, weights, shared, gates, y });
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
  const gateOf = (name: string) => new Linear(weights.tensor(`${name}.weight`, [1, hidden]));
  return {
    mlp: new GatedMlp(context, mlp),
    gate: gate === undefined ? undefined : gateOf(gate),
  };
}
