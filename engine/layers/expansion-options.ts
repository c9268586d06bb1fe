/** [engine/layers] Tile sizes of latent attention with keys and values of heads, and whether a device takes that form at all. */
import { type DType, storageBytes } from "../../dsl/index.ts";
import type { LaunchOptions } from "../../runtime/index.ts";
import type { ExpansionShape } from "./expanded-prompts.ts";
import type { LayerLaunchOptions } from "./launch-options.ts";

export interface LatentSizes {
  readonly numHeads: number;
  readonly latentRank: number;
  /** Dims of a key that are not rotated and that are, and of a value. */
  readonly plainDim: number;
  readonly rotaryDim: number;
  readonly valueDim: number;
}

export interface ExpansionOptions {
  /** What the lists of a step depend on. */
  readonly shape: ExpansionShape;
  readonly gather: LaunchOptions;
  /** Of `mlaExpand` for keys and for values. */
  readonly keys: LaunchOptions;
  readonly values: LaunchOptions;
  /** Of `raggedAttention` over all heads of a part, and over sections of them. */
  readonly attention: LaunchOptions;
  readonly attentionBySections: LaunchOptions;
}

/** Head dims that wgmma takes, in whole multiples of this many numbers. */
const STEP = 16;
/** Keys of a block by the size of one: long rows leave registers and memory for fewer. @source test/bench/results/nvidia-h200-head-dims.jsonl */
const KEYS: readonly { readonly most: number; readonly BN: number }[] = [
  { most: 128, BN: 128 },
  { most: 192, BN: 96 },
  { most: 256, BN: 64 },
];
const ROWS = 128;
/** Where wgmma does not take head dims or dtype. */
const SMALL = { BM: 64, BN: 32 };
/** Heads that run side by side: keys and values of one sequence for more of them are not in the cache together. */
const SECTION = 8;
const COPIED_POSITIONS = 16;
/** Products of latents with a head's part of the up-projection: for wgmma, and else. */
const EXPANDED = { BM: 256, BK: 64, stages: 4 };
const EXPANDED_SMALL = { BM: 64, BK: 32, stages: 2 };
const MOST_COLUMNS = { whole: 128, small: 64 };

function withConfig(config: Readonly<Record<string, number>>): LaunchOptions {
  return Object.freeze({ config: Object.freeze(config) });
}

/** Undefined where prompts keep the absorbed form: it is one for any number of rows, and needs no memory beside the cache. */
export function expansionOptions(
  options: LayerLaunchOptions,
  dtype: DType,
  { numHeads, latentRank, plainDim, rotaryDim, valueDim }: LatentSizes,
): ExpansionOptions | undefined {
  const keyDim = plainDim + rotaryDim;
  const keys = KEYS.find(({ most }) => Math.max(keyDim, valueDim) <= most);
  if (options.listsRowBlocks !== true || keys === undefined) return undefined;
  const isHalf = dtype === "f16" || dtype === "bf16";
  const isWhole = isHalf && keyDim % STEP === 0 && valueDim % STEP === 0;
  const { BM, BN } = isWhole ? { BM: ROWS, BN: keys.BN } : SMALL;
  const attention = (heads: number) => withConfig({ BM, BN, stages: 2, heads });
  const most = isWhole ? MOST_COLUMNS.whole : MOST_COLUMNS.small;
  const expand = (WIDTH: number) => {
    const BN = Math.min(most, Math.ceil(WIDTH / STEP) * STEP);
    return withConfig({ ...(isWhole ? EXPANDED : EXPANDED_SMALL), BN, WIDTH });
  };
  const elementBytes = storageBytes(dtype, 1);
  const sizes = { numHeads, latentRank, keyDim, valueDim, elementBytes };
  return {
    shape: { ...sizes, BM, section: SECTION, copied: COPIED_POSITIONS },
    gather: withConfig({ BM: COPIED_POSITIONS }),
    keys: expand(plainDim),
    values: expand(valueDim),
    attention: attention(0),
    attentionBySections: attention(SECTION),
  };
}
