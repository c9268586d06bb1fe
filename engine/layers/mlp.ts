/** [engine/layers] Dense feed-forward blocks: gated (two projections, one of them through the activation) and plain. */
import {
  geluAndMul,
  geluRows,
  siluAndMul,
  siluAndMulQuantize,
} from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { BuildContext } from "./build-context.ts";
import { Linear } from "./linear.ts";
import { emptyRows, type RowForm, type Rows } from "./rows.ts";
import type { StepScope } from "./scope.ts";

/** Maps each row by itself. */
export interface FeedForward {
  /** The form in which it can take its rows; floats alone where absent. */
  readonly form?: RowForm | undefined;
  /** @param x `[R, H]`, floats or in the form @returns `[R, H]` */
  apply(scope: StepScope, x: Rows): Tensor;
}

/** `gelu-tanh` is the tanh approximation of gelu. */
export type Activation = "silu" | "gelu" | "gelu-tanh";

export interface GatedMlpConfig {
  readonly kind: "gated";
  /** Prefix of the weights' names. */
  readonly name: string;
  readonly intermediateSize: number;
  readonly activation: Activation;
  /** Names of the gate and the up projection, or of the one tensor that holds both, one after the other. */
  readonly gateUp: readonly string[];
  readonly hasBias: boolean;
}

/** down(activation(gate x) · up x), gate and up as one launch. */
export class GatedMlp implements FeedForward {
  readonly #gateUp: Linear;
  readonly #down: Linear;
  readonly #config: GatedMlpConfig;

  constructor({ weights, hidden }: BuildContext, config: GatedMlpConfig) {
    const { name, intermediateSize: width, hasBias, gateUp } = config;
    const rows = (2 * width) / gateUp.length;
    const parts = gateUp.map((part) => ({ name: `${name}.${part}`, rows }));
    const down = { name: `${name}.down_proj`, rows: hidden };
    this.#gateUp = Linear.load(weights, parts, hidden, hasBias);
    this.#down = Linear.load(weights, [down], width, hasBias);
    this.#config = config;
  }

  get form(): RowForm | undefined {
    return this.#gateUp.form;
  }

  apply(scope: StepScope, x: Rows): Tensor {
    const { activation, intermediateSize } = this.#config;
    const flat = this.#gateUp.apply(scope, x);
    const gateUp = reshape(flat, [flat.shape[0] ?? 0, 2, intermediateSize]);
    return this.#down.apply(scope, gate(scope, gateUp, activation, this.#down.form));
  }
}

/**
 * @param x `[R, 2, I]`: gate, then up
 * @param form in which the result is wanted
 * @returns `[R, I]`
 */
function gate(
  scope: StepScope,
  x: Tensor,
  activation: Activation,
  form: RowForm | undefined,
): Rows {
  const [rows = 0, , width = 0] = x.shape;
  if (activation === "silu" && form !== undefined) {
    const result = emptyRows(scope, form, [rows, width], x.dtype);
    const { q, scale } = result;
    scope.device.launch(siluAndMulQuantize, { x, q, scale });
    return result;
  }
  const y = scope.empty(x.dtype, [rows, width]);
  const { siluAndMul: usual, exactGelu } = scope.options;
  if (activation === "silu") scope.device.launch(siluAndMul, { x, y }, usual);
  else scope.device.launch(geluAndMul, { x, y }, activation === "gelu" ? exactGelu : usual);
  return y;
}

export interface PlainMlpConfig {
  readonly kind: "plain";
  /** Names of the two projections, which have biases. */
  readonly up: string;
  readonly down: string;
  readonly intermediateSize: number;
  readonly activation: Exclude<Activation, "silu">;
}

/** down(activation(up x)). */
export class PlainMlp implements FeedForward {
  readonly #up: Linear;
  readonly #down: Linear;
  readonly #activation: PlainMlpConfig["activation"];

  constructor({ weights, hidden }: BuildContext, config: PlainMlpConfig) {
    const { up, down, intermediateSize: rows } = config;
    this.#up = Linear.load(weights, [{ name: up, rows }], hidden, true);
    this.#down = Linear.load(weights, [{ name: down, rows: hidden }], rows, true);
    this.#activation = config.activation;
  }

  apply(scope: StepScope, x: Tensor): Tensor {
    const up = this.#up.apply(scope, x);
    const y = scope.empty(x.dtype, up.shape);
    const { siluAndMul: usual, exactGelu } = scope.options;
    scope.device.launch(geluRows, { x: up, y }, this.#activation === "gelu" ? exactGelu : usual);
    return this.#down.apply(scope, y);
  }
}
