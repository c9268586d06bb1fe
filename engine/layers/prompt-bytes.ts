/** [engine/layers] Memory that steps of prompts take beside caches: keys and values made of latents, or widened from bytes. Which sequences do is in expanded-prompts.ts and widened-prompts.ts. */
import type { DType } from "../../dsl/index.ts";
import type { Device } from "../../runtime/index.ts";
import { wideningShape } from "./attention.ts";
import type { MixerConfig } from "./blocks.ts";
import { mostExpandedBytes, type StepExtent } from "./expanded-prompts.ts";
import { expansionOptions } from "./expansion-options.ts";
import { type LayerLaunchOptions, layerLaunchOptions, listedAttention } from "./launch-options.ts";
import { mostWidenedBytes } from "./widened-prompts.ts";

/** What the form of a layer's prompts depends on. */
export interface PromptForm {
  /** Of activations; of cached keys and values. */
  readonly dtype: DType;
  readonly kvDtype: DType;
  /** Positions of a page. */
  readonly pageSize: number;
}

/** The most that any layer takes: one does after the other. 0 where none has such a form on this device. */
export function promptBytes(
  device: Device,
  layers: readonly MixerConfig[],
  form: PromptForm,
  extent: StepExtent,
): number {
  const options = layerLaunchOptions(device);
  return layers.reduce((most, layer) => Math.max(most, bytesOf(options, layer, form, extent)), 0);
}

function bytesOf(
  options: LayerLaunchOptions,
  layer: MixerConfig,
  { dtype, kvDtype, pageSize }: PromptForm,
  extent: StepExtent,
): number {
  switch (layer.kind) {
    case "latent-attention": {
      const expansion = expansionOptions(options, dtype, layer);
      return expansion === undefined ? 0 : mostExpandedBytes(expansion.shape, extent);
    }
    case "attention": {
      const { headDim, numHeads: heads } = layer;
      const listed = listedAttention(options, dtype, { headDim, heads, page: pageSize });
      if (listed === undefined || kvDtype === dtype) return 0;
      return mostWidenedBytes(wideningShape(layer, dtype, pageSize, listed), extent);
    }
    case "state-space":
      return 0;
    default:
      return layer satisfies never;
  }
}
