/** [engine/layers] One block of a decoder: what mixes positions, then what maps each row, each behind its norm. Chooses the layer for a config. */
import type { Tensor } from "../../runtime/index.ts";
import { Attention, type AttentionConfig } from "./attention.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import type { BuildContext } from "./build-context.ts";
import { LatentAttention, type LatentAttentionConfig } from "./latent-attention.ts";
import {
  type FeedForward,
  GatedMlp,
  type GatedMlpConfig,
  PlainMlp,
  type PlainMlpConfig,
} from "./mlp.ts";
import { Moe, type MoeConfig } from "./moe.ts";
import { AfterNorm, type AfterNormConfig, loadNorm, type Norm } from "./norm.ts";
import type { ResidualStream } from "./residual.ts";
import type { RowForm, Rows } from "./rows.ts";
import { StateSpace, type StateSpaceConfig } from "./state-space.ts";

/** Mixes the positions of each sequence; its past is in the layer's cache. */
export interface Mixer {
  /** The form in which it can take its rows; floats alone where absent. */
  readonly form?: RowForm | undefined;
  /** @param x `[N, H]`, floats or in the form @returns `[N, H]`; the rows' share of the cache is written afterwards */
  apply(batch: StepBatch, x: Rows, cache: LayerCache): Tensor;
}

export type MixerConfig = AttentionConfig | LatentAttentionConfig | StateSpaceConfig;
export type FeedForwardConfig = GatedMlpConfig | MoeConfig | PlainMlpConfig;

/** A layer inside of a block and the names of the norms around it. */
export interface Sublayer<Config> {
  readonly layer: Config;
  /** Norm of what the layer reads; the stream as it is where undefined. */
  readonly before: string | undefined;
  /** Norm of what it gives. */
  readonly after: AfterNormConfig | undefined;
}

export interface BlockConfig {
  readonly mixer: Sublayer<MixerConfig>;
  /** Undefined in blocks that only mix. */
  readonly feedForward: Sublayer<FeedForwardConfig> | undefined;
}

interface Loaded<Layer> {
  readonly layer: Layer;
  readonly before: Norm | undefined;
  readonly after: AfterNorm | undefined;
}

export class Block {
  readonly #mixer: Loaded<Mixer>;
  readonly #feedForward: Loaded<FeedForward> | undefined;

  constructor(context: BuildContext, { mixer, feedForward }: BlockConfig) {
    this.#mixer = { layer: loadMixer(context, mixer.layer), ...loadNorms(context, mixer) };
    this.#feedForward = feedForward && {
      layer: loadFeedForward(context, feedForward.layer),
      ...loadNorms(context, feedForward),
    };
  }

  apply(batch: StepBatch, stream: ResidualStream, cache: LayerCache): void {
    const [mixer, feedForward] = [this.#mixer, this.#feedForward];
    const x = stream.read(mixer.before, mixer.layer.form);
    stream.add(mixer.layer.apply(batch, x, cache), mixer.after);
    if (feedForward === undefined) return;
    const mixed = stream.read(feedForward.before, feedForward.layer.form);
    stream.add(feedForward.layer.apply(batch.scope, mixed), feedForward.after);
  }
}

function loadNorms(
  { weights, hidden, norm }: BuildContext,
  { before, after }: Sublayer<unknown>,
): Omit<Loaded<unknown>, "layer"> {
  return {
    before: before === undefined ? undefined : loadNorm(weights, before, hidden, norm),
    after: after === undefined ? undefined : new AfterNorm(weights, hidden, after),
  };
}

function loadMixer(context: BuildContext, config: MixerConfig): Mixer {
  switch (config.kind) {
    case "attention":
      return new Attention(context, config);
    case "latent-attention":
      return new LatentAttention(context, config);
    case "state-space":
      return new StateSpace(context, config);
    default:
      return config satisfies never;
  }
}

function loadFeedForward(context: BuildContext, config: FeedForwardConfig): FeedForward {
  switch (config.kind) {
    case "gated":
      return new GatedMlp(context, config);
    case "moe":
      return new Moe(context, config);
    case "plain":
      return new PlainMlp(context, config);
    default:
      return config satisfies never;
  }
}
