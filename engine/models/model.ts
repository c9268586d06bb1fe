/** [engine/models] What a model file provides, and the reading of config fields that families share. */
import { ModelError } from "../../dsl/index.ts";
import type { DecoderConfig } from "../layers/decoder.ts";
import { type RawConfig, ropeParameters } from "../weights/model-config.ts";

/** A family of checkpoints. The file of a model is this record: which architectures, and how their config maps to the decoder. */
export interface ModelFamily {
  /** Names in config.json's `architectures`. */
  readonly architectures: readonly string[];
  /** @param maxModelLen longest context that will be served; the rope table is that long */
  configure(config: RawConfig, maxModelLen: number): DecoderConfig;
}

export interface FamilyTraits {
  readonly qkvBias: boolean;
  readonly outputBias: boolean;
  readonly qkNorm: boolean;
  /** Window of layer i, 0 for full attention. */
  readonly window: (layer: number) => number;
}

/** @throws ModelError TW4214 for a setting that none of the families here has */
export function decoderConfig(
  config: RawConfig,
  maxModelLen: number,
  traits: FamilyTraits,
): DecoderConfig {
  const numHeads = config.num_attention_heads;
  const numKvHeads = config.num_key_value_heads ?? numHeads;
  const headDim = config.head_dim ?? config.hidden_size / numHeads;
  expect(config.hidden_act === "silu", "hidden_act", config.hidden_act, "silu");
  expect(
    numHeads % numKvHeads === 0,
    "num_key_value_heads",
    String(numKvHeads),
    `a divisor of ${numHeads}`,
  );
  expect(
    Number.isInteger(headDim) && headDim % 2 === 0,
    "head_dim",
    String(headDim),
    "an even integer",
  );
  return {
    vocabSize: config.vocab_size,
    hiddenSize: config.hidden_size,
    intermediateSize: config.intermediate_size,
    numLayers: config.num_hidden_layers,
    rmsNormEps: config.rms_norm_eps,
    tieWordEmbeddings: config.tie_word_embeddings,
    mlpBias: config.mlp_bias ?? false,
    attention: {
      numHeads,
      numKvHeads,
      headDim,
      qkvBias: traits.qkvBias,
      outputBias: traits.outputBias,
      qkNormEps: traits.qkNorm ? config.rms_norm_eps : undefined,
    },
    windows: Array.from({ length: config.num_hidden_layers }, (_, i) => traits.window(i)),
    rope: {
      headDim,
      maxPositions: maxModelLen,
      trainedPositions: config.max_position_embeddings,
      parameters: ropeParameters(config),
    },
  };
}

function expect(holds: boolean, field: string, seen: string, expected: string): void {
  if (holds) return;
  throw new ModelError({
    code: "TW4214",
    message: `config.json: '${field}' has a value that this architecture does not support`,
    seen,
    expected,
    remedy: "use another model, or correct the file",
  });
}
