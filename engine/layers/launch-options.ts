/** [engine/layers] Tile sizes that fit a kernel to the kind of device and the size of a step. What is absent is the kernel's own default. */
import type { DType } from "../../dsl/index.ts";
import { PREFILL_CONFIGS, prefillConfig } from "../../dsl/kernels/catalogue.ts";
import type { Device, LaunchOptions } from "../../runtime/index.ts";
import {
  attentionShape,
  GROUPS,
  type PagedDecodeOptions,
  pagedDecodeOptions,
} from "./decode-options.ts";
import { InvariantDevice } from "./invariant-device.ts";

/** One table for each kind of device. All entries are shared objects, so that a launch finds its plan by identity. */
export interface LayerLaunchOptions {
  /** Up to this many rows, `linearSmall` and `linearBiasSmall` are used: for elements of 32 bits, and of 16. */
  readonly fewRows: { readonly wide: number; readonly half: number };
  /** For 1, 2, 3 to 4 and 5 to 8 rows. */
  readonly linearSmall: readonly LaunchOptions[];
  readonly linear?: LaunchOptions;
  /** Products with weights of 4 bits and of 8, for up to 1, 2, 4, 8, 16, 32, 64 and more rows. */
  readonly linearW4: readonly LaunchOptions[];
  readonly linear8: readonly LaunchOptions[];
  readonly quantizeStatic?: LaunchOptions;
  readonly permuteColumns?: LaunchOptions;
  /** Absent where `attentionOptions` goes by the device's shared memory. */
  readonly prefillAttention?: LaunchOptions;
  /** Whether attention over 16-bit pages goes by lists of row blocks, for wgmma. */
  readonly listsRowBlocks?: boolean;
  /** For groups of up to 1, 2, 4, 8 and more query heads per kv head; absent like `prefillAttention`. */
  readonly pagedDecode?: readonly PagedDecodeOptions[];
  readonly ropeKvWrite?: LaunchOptions;
  readonly headLinear?: LaunchOptions;
  readonly causalConv?: LaunchOptions;
  /** Of steps with one token a sequence. */
  readonly causalConvStep: LaunchOptions;
  readonly ssdScan?: LaunchOptions;
  /** Of all activations. */
  readonly siluAndMul?: LaunchOptions;
  /** Of those with gelu by erf. */
  readonly exactGelu: LaunchOptions;
  /** For the kernels that walk along a row of logits. */
  readonly alongVocabulary?: LaunchOptions;
  /** Rows of a block of one expert's slots, ascending: what products can take at a time without padding much. */
  readonly expertRows: readonly number[];
  /** For one program that sorts the slots of a batch. */
  readonly sortAlone: LaunchOptions;
}

const ROWS = [1, 2, 4, 8] as const;
/** Rows of a tile for 1, 2, 4 … 128 rows. */
const TILE_ROWS = [1, 2, 4, 8, 16, 32, 64, 128] as const;

function withConfig(config: Readonly<Record<string, number | boolean>>): LaunchOptions {
  return Object.freeze({ config: Object.freeze(config) });
}

const FEW_ROWS = { wide: 8, half: 8 };
/** One program has all of a sequence there. */
const ONE_PIECE = { GP: 1, BJ: 1 };
/** Short blocks of lengths: sequences are few, and each lane is paid for. */
const SMALL_DECODE = GROUPS.map((GP) =>
  pagedDecodeOptions({ GP, BN: 32, BS: 8, LEAST: 1, stages: 1 }, ONE_PIECE, ONE_PIECE, ONE_PIECE),
);

const CONV_STEP = withConfig({ BM: 1 });
const SORT_ALONE = withConfig({ alone: true });
const EXACT_GELU = withConfig({ EXACT: true });

/** A tile of the tensor cores has 16 rows. */
function tensorRows(rows: number): number {
  return Math.max(16, rows);
}

const GPU: LayerLaunchOptions = {
  // Tiles of f32 that fit into 16 KiB.
  linearW4: TILE_ROWS.map((rows) =>
    withConfig({ BM: Math.min(32, tensorRows(rows)), BN: 64, BK: 32, stages: 2 }),
  ),
  linear8: TILE_ROWS.map((rows) =>
    withConfig({ BM: Math.min(64, tensorRows(rows)), BN: 64, BK: 32, stages: 2 }),
  ),
  exactGelu: EXACT_GELU,
  causalConvStep: CONV_STEP,
  fewRows: FEW_ROWS,
  linearSmall: ROWS.map((BM) => withConfig({ BM })),
  expertRows: [16, 32, 64],
  sortAlone: SORT_ALONE,
};

/** Shared memory for all tiles of `CUDA`, also in f32. */
const CUDA_BYTES = 163840;

const CUDA: LayerLaunchOptions = {
  ...GPU,
  // Few rows: more programs share out the weight.
  linearW4: TILE_ROWS.map((rows) =>
    withConfig({ BM: tensorRows(rows), BN: rows <= 16 ? 32 : 128, BK: 128, stages: 3 }),
  ),
  linear8: TILE_ROWS.map((rows) => withConfig({ BM: tensorRows(rows) })),
};

/** wgmma reads the weight faster from one row on. @source test/bench/results/nvidia-h200-products.json */
const HOPPER: LayerLaunchOptions = {
  ...CUDA,
  linear8: [],
  fewRows: { wide: 8, half: 0 },
  listsRowBlocks: true,
};

/**
 * A GPU in software pays for each thread, barrier and padded row, and compiles large unrolled bodies slowly: small blocks, no stages.
 * @source CPU time of each launch on SwiftShader 5.0, two cores, models of hidden size 64
 */
const SOFTWARE_GPU: LayerLaunchOptions = {
  linearW4: TILE_ROWS.map((rows) =>
    withConfig({ BM: Math.min(16, rows), BN: 64, BK: 16, stages: 1 }),
  ),
  linear8: TILE_ROWS.map((rows) =>
    withConfig({ BM: Math.min(16, rows), BN: 64, BK: 16, stages: 1 }),
  ),
  quantizeStatic: withConfig({ BH: 256 }),
  permuteColumns: withConfig({ BM: 1, BK: 256 }),
  fewRows: FEW_ROWS,
  linearSmall: ROWS.map(() => withConfig({ BM: 1, BN: 32, BK: 4, KL: 1, KV: 4, stages: 1 })),
  linear: withConfig({ BM: 16, BN: 64, BK: 16, stages: 1 }),
  prefillAttention: withConfig({ BM: 16, BN: 16, BS: 16, stages: 1 }),
  pagedDecode: SMALL_DECODE,
  ropeKvWrite: withConfig({ BH: 2 }),
  causalConvStep: withConfig({ BM: 1, BC: 64, BS: 16 }),
  causalConv: withConfig({ BM: 4, BC: 64, BS: 16 }),
  headLinear: withConfig({ BM: 8, BN: 32, BK: 16, stages: 1 }),
  siluAndMul: withConfig({ BI: 256 }),
  exactGelu: withConfig({ BI: 256, EXACT: true }),
  alongVocabulary: withConfig({ BV: 64 }),
  expertRows: [16],
  sortAlone: withConfig({ BS: 8, BB: 2, warps: 1, alone: true }),
};

/** The interpreter pays for padded rows and for each tile operation, so lanes along K are one. @source time of each launch on two cores */
const INTERPRETER: LayerLaunchOptions = {
  linearW4: TILE_ROWS.map((BM) => withConfig({ BM, BN: 64, BK: 64, stages: 1 })),
  linear8: TILE_ROWS.map((BM) => withConfig({ BM, BN: 64, BK: 64, stages: 1 })),
  exactGelu: EXACT_GELU,
  causalConvStep: CONV_STEP,
  fewRows: FEW_ROWS,
  linearSmall: ROWS.map((BM) => withConfig({ BM, BN: 64, BK: 64, KL: 1, KV: 64, stages: 1 })),
  pagedDecode: SMALL_DECODE,
  prefillAttention: withConfig({ BM: 32, BN: 32, BS: 16, stages: 1 }),
  alongVocabulary: withConfig({ BV: 512 }),
  expertRows: [1, 4, 16, 64],
  sortAlone: SORT_ALONE,
};

export function layerLaunchOptions(device: Device): LayerLaunchOptions {
  const usual = usualOptions(device);
  return device instanceof InvariantDevice ? invariantOptions(device, usual) : usual;
}

/** Tiles of which no side has 64 elements: wgmma, whose blocks walk along K to and fro by their place, takes none of them. */
const INVARIANT_CUDA = withConfig({ BM: 32, BN: 32, BK: 64, stages: 4 });
/** The same for elements of 8 bits; what else there is fits each of their kernels. */
const INVARIANT_BYTES = withConfig({ BM: 32, BN: 32 });
/** Tiles of f32 that fit into 16 KiB. */
const INVARIANT_GPU = withConfig({ BM: 32, BN: 32, BK: 32, stages: 2 });
const INVARIANT_INTERPRETER = withConfig({ BM: 8, BN: 64, BK: 64, stages: 1 });

/** One config a kernel, for any number of rows. Each row of a tile adds up in the order of K, so its bits do not depend on the others. */
function invariantOptions({ info, limits }: Device, usual: LayerLaunchOptions): LayerLaunchOptions {
  const isLarge = info.driver === "cuda" && limits.maxSharedBytes >= CUDA_BYTES;
  const hardware = isLarge ? INVARIANT_CUDA : INVARIANT_GPU;
  const named = info.driver === "interpreter" ? INVARIANT_INTERPRETER : hardware;
  const isWgmma = info.features.includes("wgmma");
  return {
    ...usual,
    fewRows: { wide: 0, half: 0 },
    linear: usual.linear ?? named,
    linearW4: usual.linearW4.slice(4, 5),
    linear8: isWgmma ? [INVARIANT_BYTES] : usual.linear8.slice(4, 5),
    expertRows: [16],
    listsRowBlocks: false,
  };
}

function usualOptions({ info, limits }: Device): LayerLaunchOptions {
  if (info.driver === "interpreter") return INTERPRETER;
  if (info.features.includes("wgmma")) return HOPPER;
  if (info.driver === "cuda" && limits.maxSharedBytes >= CUDA_BYTES) return CUDA;
  return info.driver === "webgpu" && !info.hardware ? SOFTWARE_GPU : GPU;
}

const PREFILL = new Map(PREFILL_CONFIGS.map((config) => [config, withConfig(config)]));

/**
 * Block sizes of `prefillAttention` for heads of one size; those of decodes are in decode-options.ts.
 * @param dtype of queries and cache
 * @param group query heads per kv head
 */
export function prefillOptions(
  device: Device,
  options: LayerLaunchOptions,
  dtype: DType,
  headDim: number,
  group: number,
): LaunchOptions | undefined {
  const shape = attentionShape(device, dtype, headDim, group);
  return options.prefillAttention ?? PREFILL.get(prefillConfig(shape));
}

/** Head dims that wgmma takes, in whole multiples of this many numbers, and keys of a block for them: long rows leave room for fewer. */
const LISTED_STEP = 16;
const LISTED_KEYS: readonly { readonly most: number; readonly BN: number }[] = [
  { most: 128, BN: 128 },
  { most: 256, BN: 64 },
];
const LISTED = { BM: 128, stages: 2 } as const;
/** Heads that run side by side, so that the keys of two or more of them are in the cache together. @source test/bench/results/nvidia-h200-paged-attention.jsonl */
const LISTED_HEADS = 8;

/** Config of `pagedAttention` where a device takes row blocks by a list, and heads and pages of these sizes. @param heads query heads */
export function listedAttention(
  options: LayerLaunchOptions,
  dtype: DType,
  {
    headDim,
    heads,
    page,
  }: { readonly headDim: number; readonly heads: number; readonly page: number },
):
  | { readonly BM: number; readonly BN: number; readonly stages: number; readonly heads: number }
  | undefined {
  const isHalf = dtype === "f16" || dtype === "bf16";
  const keys = LISTED_KEYS.find(({ most }) => headDim <= most);
  if (options.listsRowBlocks !== true || !isHalf || headDim % LISTED_STEP !== 0) return undefined;
  if (keys === undefined) return undefined;
  const { BN } = keys;
  const isWhole = page % 8 === 0 && (BN % page === 0 || page % BN === 0);
  if (!isWhole) return undefined;
  return { ...LISTED, BN, heads: heads % LISTED_HEADS === 0 ? LISTED_HEADS : 0 };
}

/** Accumulators of latent attention are as wide as the latent: more rows than this do not fit into registers. */
const LATENT_ROWS = 16;
const LATENT_PREFILL = withConfig({ BM: LATENT_ROWS, BN: 32 });

/** Block sizes of `mlaPrefill`. @param keyDim numbers that the cache holds for a position @param heads query heads */
export function latentPrefillOptions(
  device: Device,
  options: LayerLaunchOptions,
  dtype: DType,
  keyDim: number,
  heads: number,
): LaunchOptions | undefined {
  const usual = prefillOptions(device, options, dtype, keyDim, heads);
  return Number(usual?.config?.["BM"] ?? 0) <= LATENT_ROWS ? usual : LATENT_PREFILL;
}

/** Entry of a table that steps in powers of two, for `size` ≥ 1; the last one for anything larger. */
export function optionsFor(
  table: readonly LaunchOptions[],
  size: number,
): LaunchOptions | undefined {
  return table[Math.min(table.length - 1, Math.ceil(Math.log2(Math.max(1, size))))];
}

/** Options for values that kernels are compiled with; none where all are the kernel's own, so that its measured config is used. */
export function optionsUnless(
  isUsual: boolean,
  config: Readonly<Record<string, number | boolean>>,
): LaunchOptions | undefined {
  return isUsual ? undefined : withConfig(config);
}

/** Options with more config in them, made once for each, so that a launch finds its plan by identity. */
export class ExtendedOptions {
  readonly #more: Readonly<Record<string, number | boolean>>;
  readonly #made = new Map<LaunchOptions | undefined, LaunchOptions>();

  /** @param more nothing where it is empty: options are then given as they are */
  constructor(more: Readonly<Record<string, number | boolean>>) {
    this.#more = more;
  }

  of(options: LaunchOptions | undefined): LaunchOptions | undefined {
    if (Object.keys(this.#more).length === 0) return options;
    const known = this.#made.get(options);
    if (known !== undefined) return known;
    const made = { ...options, config: { ...options?.config, ...this.#more } };
    this.#made.set(options, made);
    return made;
  }
}

/** Slots of a batch that one program counts and sorts. */
const SLOTS_OF_PART = 256;

/** Parts that the slots of a batch are counted and sorted in, each by a program of its own; 0 where one program does both. */
export function partsOfSlots(slots: number): number {
  return slots <= SLOTS_OF_PART ? 0 : Math.ceil(slots / SLOTS_OF_PART);
}

/** Rows of a block that the slots of an average expert fill, if any size does. */
export function expertBlockRows(
  { expertRows }: LayerLaunchOptions,
  slots: number,
  experts: number,
): number {
  return expertRows.find((rows) => rows * experts >= slots) ?? expertRows.at(-1) ?? 1;
}
