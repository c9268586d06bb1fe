/** [engine/layers] One block of a decoder: what mixes positions, then what maps each row, each behind its norm. Chooses the layer for a config. */
import type { Tensor } from "../../runtime/index.ts";
import { Attention, type AttentionConfig } from "./attention.ts";
import type { LayerCache, StepBatch } from "./batch.ts";
import type { BuildContext } from "./build-context.ts";
import { type FeedForward, GatedMlp, type GatedMlpConfig } from "./mlp.ts";
import { loadNorm, type Norm } from "./norm.ts";
import type { ResidualStream } from "./residual.ts";

/** Mixes the positions of each sequence; its past is in the layer's cache. */
export interface Mixer {
  /** @param x `[N, H]` @returns `[N, H]`; the rows' share of the cache is written afterwards */
  apply(batch: StepBatch, x: Tensor, cache: LayerCache): Tensor;
}

export type MixerConfig = AttentionConfig;
export type FeedForwardConfig = GatedMlpConfig;

/** A layer inside of a block and the names of the norms around it. */
export interface Sublayer<Config> {
  readonly layer: Config;
  /** Norm of what the layer reads. */
  readonly before: string;
}

export interface BlockConfig {
  readonly mixer: Sublayer<MixerConfig>;
  readonly feedForward: Sublayer<FeedForwardConfig>;
}

interface Loaded<Layer> {
  readonly layer: Layer;
  readonly before: Norm;
}

export class Block {
  readonly #mixer: Loaded<Mixer>;
  readonly #feedForward: Loaded<FeedForward>;

  constructor(context: BuildContext, { mixer, feedForward }: BlockConfig) {
    const { weights, hidden, norm } = context;
    this.#mixer = {
      layer: loadMixer(context, mixer.layer),
      before: loadNorm(weights, mixer.before, hidden, norm),
    };
    this.#feedForward = {
      layer: loadFeedForward(context, feedForward.layer),
      before: loadNorm(weights, feedForward.before, hidden, norm),
    };
  }

  apply(batch: StepBatch, stream: ResidualStream, cache: LayerCache): void {
    const { layer: mixer, before } = this.#mixer;
    stream.add(mixer.apply(batch, stream.read(before), cache));
    const { layer: feedForward, before: second } = this.#feedForward;
    stream.add(feedForward.apply(batch.scope, stream.read(second)));
  }
}

function loadMixer(context: BuildContext, config: MixerConfig): Mixer {
  switch (config.kind) {
    case "attention":
      return new Attention(context, config);
    default:
      return config.kind satisfies never;
  }
}

function loadFeedForward(context: BuildContext, config: FeedForwardConfig): FeedForward {
  switch (config.kind) {
    case "gated":
      return new GatedMlp(context, config);
    default:
      return config.kind satisfies never;
  }
}
