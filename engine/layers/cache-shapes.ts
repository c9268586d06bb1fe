/** [engine/layers] What each kind of layer keeps of the past: shapes and bytes of its cache. The tensors live in the model runner. */
import type { DType } from "../../dsl/index.ts";
import { type Tensor, tensorBytes } from "../../runtime/index.ts";
import type { MixerConfig } from "./blocks.ts";
import { convChannels } from "./state-space.ts";

export interface CacheGeometry {
  /** Of keys and values. */
  readonly dtype: DType;
  readonly numPages: number;
  /** Positions of a page. */
  readonly pageSize: number;
}

type ShapedTensor = Pick<Tensor, "dtype" | "shape">;

/** The two tensors of a `LayerCache`. Their first dim is the page. */
export interface CacheShapes {
  readonly keys: ShapedTensor;
  readonly values: ShapedTensor;
}

export function cacheShapes(layer: MixerConfig, geometry: CacheGeometry): CacheShapes {
  const { dtype, numPages, pageSize } = geometry;
  switch (layer.kind) {
    case "attention": {
      const shape = [numPages, pageSize, layer.numKvHeads, layer.headDim];
      return { keys: { dtype, shape }, values: { dtype, shape } };
    }
    case "latent-attention": {
      const shape = (width: number) => [numPages, pageSize, width];
      return {
        keys: { dtype, shape: shape(layer.latentRank) },
        values: { dtype, shape: shape(layer.rotaryDim) },
      };
    }
    case "state-space": {
      const { numHeads, headDim, stateSize, convWidth } = layer;
      const states = [numPages, numHeads, headDim, stateSize];
      return {
        keys: { dtype, shape: [numPages, convWidth - 1, convChannels(layer)] },
        values: { dtype: "f32", shape: states },
      };
    }
    default:
      return layer satisfies never;
  }
}

/** True where some layers keep states, whose size knows no positions. */
export function keepsStates(layers: readonly MixerConfig[]): boolean {
  return layers.some(({ kind }) => kind === "state-space");
}

/** True where all do: a page is the slot of a whole sequence. */
export function keepsStatesAlone(layers: readonly MixerConfig[]): boolean {
  return layers.every(({ kind }) => kind === "state-space");
}

/** Bytes that one page takes in the caches of these layers, and in the largest of their tensors. */
export function pageBytes(
  layers: readonly MixerConfig[],
  dtype: DType,
  pageSize: number,
): { readonly total: number; readonly largest: number } {
  const sizes = layers.flatMap((layer) => {
    const { keys, values } = cacheShapes(layer, { dtype, numPages: 1, pageSize });
    return [tensorBytes(keys), tensorBytes(values)];
  });
  return { total: sizes.reduce((sum, size) => sum + size, 0), largest: Math.max(0, ...sizes) };
}
