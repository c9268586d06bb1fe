/** [engine/layers] The state-space layer of Mamba-2: projection, causal convolution, scan or step, gated norm. States lie in slots. */
import {
  causalConv,
  convStateWrite,
  gatedRmsNorm,
  ssdScan,
  ssdStep,
} from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import type { BuildContext } from "./build-context.ts";
import { Linear } from "./linear.ts";
import type { WeightLoader } from "./weight-loader.ts";

export interface StateSpaceConfig {
  readonly kind: "state-space";
  /** Prefix of the weights' names. */
  readonly name: string;
  readonly numHeads: number;
  readonly headDim: number;
  /** Numbers of a state for each dim of a head. */
  readonly stateSize: number;
  /** Groups of heads that share B and C. */
  readonly numGroups: number;
  /** Taps of the convolution. */
  readonly convWidth: number;
  readonly hasConvBias: boolean;
  /** Biases on the projections in and out. */
  readonly hasBias: boolean;
  /** Of the gated norm. */
  readonly eps: number;
  /** Bounds of a step. */
  readonly dtMin: number;
  readonly dtMax: number;
}

/** Columns that the convolution sees: the inputs of all heads, then B and C of all groups. */
export function convChannels(config: StateSpaceConfig): number {
  const { numHeads, headDim, stateSize, numGroups } = config;
  return numHeads * headDim + 2 * numGroups * stateSize;
}

export class StateSpace {
  readonly #config: StateSpaceConfig;
  /** Gate, inputs with B and C, steps. */
  readonly #input: Linear;
  readonly #output: Linear;
  /** f32 `[C, KW]` and `[C]` */
  readonly #conv: { readonly w: Tensor; readonly bias: Tensor };
  /** f32 `[3, heads]`: logarithm of the decay, skip, bias of the step */
  readonly #heads: Tensor;
  /** `[I]` */
  readonly #norm: Tensor;

  constructor({ weights, hidden }: BuildContext, config: StateSpaceConfig) {
    const { name, numHeads, headDim, hasBias } = config;
    const inner = numHeads * headDim;
    const rows = inner + convChannels(config) + numHeads;
    const vectors = ["A_log", "D", "dt_bias"].map((part) => `${name}.${part}`);
    this.#config = config;
    this.#input = Linear.load(weights, [{ name: `${name}.in_proj`, rows }], hidden, hasBias);
    const output = { name: `${name}.out_proj`, rows: hidden };
    this.#output = Linear.load(weights, [output], inner, hasBias);
    this.#conv = loadConvolution(weights, config);
    this.#heads = weights.stacked(
      vectors.map((part) => ({ name: part, shape: [numHeads] })),
      { shape: [3, numHeads], dtype: "f32" },
    );
    this.#norm = weights.tensor(`${name}.norm.weight`, [inner]);
  }

  /** @param x `[N, H]` @returns `[N, H]`; the states of the sequences have moved past the rows */
  apply(batch: StepBatch, x: Tensor, cache: LayerCache): Tensor {
    const { scope, numTokens, table, queryStart, lens } = batch;
    const { numHeads, headDim, eps } = this.#config;
    const inner = numHeads * headDim;
    const proj = this.#input.apply(scope, x);
    const mixed = scope.empty(x.dtype, [numTokens, convChannels(this.#config)]);
    const conv = { x: proj, state: cache.keys, table, queryStart, lens, column: inner };
    const options = batch.isDecode ? scope.options.causalConvStep : scope.options.causalConv;
    scope.device.launch(causalConv, { ...conv, ...this.#conv, y: mixed }, options);
    scope.device.launch(convStateWrite, conv);
    const scanned = reshape(this.#scan(batch, mixed, proj, cache.values), [numTokens, inner]);
    const y = scope.empty(x.dtype, [numTokens, inner]);
    const norm = { x: scanned, gate: proj, w: this.#norm, y, column: 0, eps };
    scope.device.launch(gatedRmsNorm, norm);
    return this.#output.apply(scope, y);
  }

  /** @param x `[N, C]`, after the convolution @param proj `[N, W]`, before it @returns `[N, heads, head dim]` */
  #scan(batch: StepBatch, x: Tensor, proj: Tensor, state: Tensor): Tensor {
    const { scope, numTokens, table, queryStart, lens, isDecode } = batch;
    const { numHeads, headDim, dtMin, dtMax } = this.#config;
    const y = scope.empty(x.dtype, [numTokens, numHeads, headDim]);
    const dtColumn = numHeads * headDim + convChannels(this.#config);
    const args = { x, proj, heads: this.#heads, state, table, lens, y, dtColumn, dtMin, dtMax };
    if (isDecode) scope.device.launch(ssdStep, args);
    else scope.device.launch(ssdScan, { ...args, queryStart }, scope.options.ssdScan);
    return y;
  }
}

function loadConvolution(weights: WeightLoader, config: StateSpaceConfig) {
  const { name, convWidth, hasConvBias } = config;
  const channels = convChannels(config);
  const conv = `${name}.conv1d`;
  return {
    w: weights.stacked([{ name: `${conv}.weight`, shape: [channels, 1, convWidth] }], {
      shape: [channels, convWidth],
      dtype: "f32",
    }),
    bias: hasConvBias
      ? weights.stacked([{ name: `${conv}.bias`, shape: [channels] }], { dtype: "f32" })
      : weights.table(new Float32Array(channels), [channels]),
  };
}
