/** [engine/layers] What one step gives the layers: positions, pages and lengths on the device. Types only. */
import type { DType } from "../../dsl/index.ts";
import type { Tensor } from "../../runtime/index.ts";
import type { RowBlockLists } from "./row-blocks.ts";
import type { StepScope } from "./scope.ts";

/** Where a step finds and puts the past of the layers of one group. */
export interface GroupTables {
  /** `[N]` i32: page × page size + offset where the row's key and value go; -1 for padding. */
  readonly slots: Tensor;
  /** `[S, MAXB]` i32: pages of each sequence. */
  readonly table: Tensor;
}

/** Sequences of a step of decodes that begin with the same pages, in tiles; meaning of each: `sharedPrefixDecode`, `sharedPrefixMerge`. */
export interface SharedRows {
  /** `[S]` i32: positions that a sequence keeps behind what it shares, and those that it shares. */
  readonly own: Tensor;
  readonly shared: Tensor;
  /** `[S]` i32: tile × M + place among its members; -1 for a sequence that shares nothing. */
  readonly place: Tensor;
  /** `[B]` i32: positions that a tile shares. */
  readonly tileLens: Tensor;
  /** `[B, M]` i32: sequences of a tile; -1 for none. */
  readonly members: Tensor;
}

/** A step as a whole model gets it. */
export interface ModelBatch extends Omit<StepBatch, keyof GroupTables> {
  readonly groups: readonly GroupTables[];
}

/** A step as a layer gets it. */
export interface StepBatch extends GroupTables {
  readonly scope: StepScope;
  /** Dtype of activations. */
  readonly dtype: DType;
  readonly numTokens: number;
  readonly numSequences: number;
  /** True when every sequence has exactly one token in the step. */
  readonly isDecode: boolean;
  /** `[N]` i32: token of each row. */
  readonly tokens: Tensor;
  /** `[N]` i32: position of each row in its sequence. */
  readonly positions: Tensor;
  /** `[S + 1]` i32: first row of each sequence. */
  readonly queryStart: Tensor;
  /** `[S]` i32: positions in the cache after this step. */
  readonly lens: Tensor;
  /** Present where sequences of a step of decodes share a beginning that is worth it. */
  readonly sharedRows?: SharedRows;
  /** Row blocks of the sequences; absent where a step is recorded, whose lengths are not known. */
  readonly rowBlocks?: RowBlockLists;
}

/** Keys and values of one layer, `[pages, page size, kv heads, head dim]` each. Layers of other groups may have other pages of the same tensors. */
export interface LayerCache {
  readonly keys: Tensor;
  readonly values: Tensor;
  /** Its group of layers, by which it finds its pages. */
  readonly group: number;
}
