/** [engine/layers] Block sizes of decodes over pages and of the merge behind them, and how many programs share out the keys. */
import { type DType, isFloat, storageBytes } from "../../dsl/index.ts";
import {
  type AttentionShape,
  LATENT_DECODE_CONFIGS,
  latentDecodeConfig,
  latentFootprint,
  PAGED_DECODE_CONFIGS,
  type PagedDecodeConfig,
  pagedDecodeConfig,
} from "../../dsl/kernels/catalogue.ts";
import type { Device, LaunchOptions } from "../../runtime/index.ts";

/** Options of `pagedDecode`, and those of the merge for what it gives. Shared objects, so that a launch finds its plan by identity. */
export interface PagedDecodeOptions {
  readonly config: PagedDecodeConfig;
  readonly decode: LaunchOptions;
  /** Of both in one launch. */
  readonly merged: LaunchOptions;
  /** Where most sequences are whole, where they have a few pieces, and where they have many. */
  readonly mergeWhole: LaunchOptions;
  readonly merge: LaunchOptions;
  readonly mergeMany: LaunchOptions;
  /** Where they have those of a tile. */
  readonly mergeTiles: LaunchOptions;
  /** The same for a line of few sequences. */
  readonly short: PagedDecodeOptions | undefined;
}

/** Sequences that a warp looks at in one step, one a lane: lines of no more begin with the fewest instructions. */
const SHORT_LINE = 32;

/** One warp for the heads of a sequence: so few programs that most have found their pieces when the decode ends. */
export const WHOLE_PIECES = { GP: 4, BJ: 4, warps: 1 };
/** One warp a row of few pieces: nobody waits at barriers. Of many pieces all are on their way at once. */
export const FEW_PIECES = { GP: 1, BJ: 8, warps: 1 };
export const MANY_PIECES = { GP: 1, BJ: 64, warps: 4 };
/** Two warps a row take the pieces of a tile, of which every sequence in it has all. */
export const TILE_PIECES = { GP: 1, BJ: 16, warps: 2 };
/** Programs for each sequence from which its pieces are many. */
const MANY = 6;
/**
 * Programs for each sequence up to which the last one merges: the few pieces are read at once, and sequences of one piece, which are most
 * where they outnumber the programs, leave no piece at all. One program reads many pieces slower than a launch of its own starts.
 * @source test/bench/results/nvidia-h200-decode.jsonl
 */
const MOST_IN_PLACE = 6;
/** Heads and pieces that the last program takes at a time: more would cost registers that the decode does without. */
const LAST_HEADS = 4;
const LAST_PIECES = 8;

/** Query heads of a kv head that tables have an entry for; the last is for more as well. */
export const GROUPS = [1, 2, 4, 8, 16] as const;

export function pagedDecodeOptions(
  config: PagedDecodeConfig,
  merge: Readonly<Record<string, number>> = FEW_PIECES,
  mergeMany: Readonly<Record<string, number>> = MANY_PIECES,
  mergeWhole: Readonly<Record<string, number>> = WHOLE_PIECES,
): PagedDecodeOptions {
  const { BN, BS, LEAST } = config;
  const line = { BN, BS, LEAST };
  const frozen = (of: LaunchOptions["config"]): LaunchOptions =>
    Object.freeze({ ...(of && { config: Object.freeze(of) }) });
  return {
    config,
    decode: frozen({ ...config }),
    merged: frozen({ ...config, GM: Math.min(LAST_HEADS, config.GP), BJ: LAST_PIECES }),
    mergeWhole: frozen({ ...mergeWhole, ...line }),
    merge: frozen({ ...merge, ...line }),
    mergeMany: frozen({ ...mergeMany, ...line }),
    mergeTiles: frozen({ ...TILE_PIECES, ...line }),
    short:
      BS > SHORT_LINE
        ? pagedDecodeOptions({ ...config, BS: SHORT_LINE }, merge, mergeMany, mergeWhole)
        : undefined,
  };
}

/** Those for a line of so many sequences. */
export function optionsOfLine(options: PagedDecodeOptions, sequences: number): PagedDecodeOptions {
  return (sequences <= SHORT_LINE ? options.short : undefined) ?? options;
}

/** Latents are long: four warps a row, but where most sequences are one piece. @source test/bench/results/nvidia-h200-latent.jsonl */
export const LONG_PIECES = { GP: 1, BJ: 4, warps: 4 };

const BY_CONFIG = new Map([
  ...PAGED_DECODE_CONFIGS.map((config) => [config, pagedDecodeOptions(config)] as const),
  ...LATENT_DECODE_CONFIGS.map(
    (config) => [config, pagedDecodeOptions(config, LONG_PIECES, MANY_PIECES, FEW_PIECES)] as const,
  ),
]);

/** What block sizes of attention depend on, for heads of one size. @param dtype of queries and cache @param group query heads per kv head */
export function attentionShape(
  device: Device,
  dtype: DType,
  headDim: number,
  group: number,
): AttentionShape {
  const isNarrow = isFloat(dtype) && storageBytes(dtype, 1) === 2;
  const hasTensorCores = device.info.driver === "cuda";
  const stagedBytes = isNarrow && hasTensorCores ? 2 : 4;
  return { headDim, group, stagedBytes, sharedBytes: device.limits.maxSharedBytes };
}

/** @param table the device's own, by `GROUPS`; absent where its shared memory decides */
export function optionsOfDecode(
  shape: AttentionShape,
  table: readonly PagedDecodeOptions[] | undefined,
): PagedDecodeOptions {
  return fromTable(shape, table) ?? ofConfig(pagedDecodeConfig(shape));
}

/** The same for latent attention. @param shape as `latentDecodeConfig` has it */
export function optionsOfLatentDecode(
  shape: AttentionShape,
  table: readonly PagedDecodeOptions[] | undefined,
): PagedDecodeOptions {
  return fromTable(shape, table) ?? ofConfig(latentDecodeConfig(shape));
}

function fromTable({ group }: AttentionShape, table: readonly PagedDecodeOptions[] | undefined) {
  const found = GROUPS.findIndex((size) => size >= group);
  return table?.at(found);
}

function ofConfig(config: PagedDecodeConfig): PagedDecodeOptions {
  return BY_CONFIG.get(config) ?? pagedDecodeOptions(config);
}

/** Options of the merge behind a decode of so many sequences by so many programs. */
export function optionsOfMerge(
  { mergeWhole, merge, mergeMany }: PagedDecodeOptions,
  sequences: number,
  programs: number,
): LaunchOptions {
  if (programs >= sequences * MANY) return mergeMany;
  return programs < sequences ? mergeWhole : merge;
}

/** Pieces of a sequence from which they are those of a tile, and below which most sequences are nearly whole. */
const TILE_MANY = 12;
const TILE_WHOLE = 3;

/**
 * Options of the merge of two kinds of pieces, by those of which a sequence has more.
 * @param before, after programs, and what they share out
 * @source test/bench/results/nvidia-h200-shared-prefix.jsonl
 */
export function optionsOfSharedMerge(
  { mergeWhole, merge, mergeTiles }: PagedDecodeOptions,
  [programsBefore, tiles]: readonly [number, number],
  [programsAfter, sequences]: readonly [number, number],
): LaunchOptions {
  const pieces = Math.max(programsBefore / tiles, programsAfter / sequences);
  if (pieces >= TILE_MANY) return mergeTiles;
  return pieces < TILE_WHOLE ? mergeWhole : merge;
}

/** Programs for each sequence from which the pieces of latents are few, and many. @source test/bench/results/nvidia-h200-latent.jsonl */
const LATENT_FEW = 2;
const LATENT_MANY = 64;

/** The same behind a decode of latents. */
export function optionsOfLatentMerge(
  { mergeWhole, merge, mergeMany }: PagedDecodeOptions,
  sequences: number,
  programs: number,
): LaunchOptions {
  if (programs >= sequences * LATENT_MANY) return mergeMany;
  return programs < sequences * LATENT_FEW ? mergeWhole : merge;
}

/** Whether the pieces of so many sequences are put together by the last of so many programs, where the device can. */
export function mergesInPlace(sequences: number, programs: number): boolean {
  return programs <= sequences * MOST_IN_PLACE;
}

/** Multiprocessors where the driver does not say. */
const USUAL_UNITS = 64;
/** Programs of one multiprocessor that are worth having: more only make the shares smaller. */
const MOST_RESIDENT = 8;
/** The same over pages of 8 bits, whose queries lie in registers. @source test/bench/results/nvidia-h200-fp8-cache.jsonl: 4 a multiprocessor */
const MOST_OF_BYTES = 4;

/** What is shared out in a step. */
interface SharedKeys {
  readonly kvHeads: number;
  /** Parts of the line: sequences, or beginnings that several share. */
  readonly sequences: number;
  /** Of the pages, where it is not that of queries. */
  readonly cache?: DType;
}

/**
 * Programs that share out the keys of one kv head: about as many as run at once, by `wholeParts`. One on a GPU in software, which takes programs
 * in turn.
 * @source test/bench/results/nvidia-h200-decode.jsonl: 16×4096 by 48 programs for 49 is 2.3 µs shorter
 */
export function decodePrograms(
  device: Device,
  shape: AttentionShape,
  { GP, BN, stages }: PagedDecodeConfig,
  { kvHeads, sequences, cache }: SharedKeys,
): number {
  const keys = cache === "f8e4m3" && shape.stagedBytes === 2 ? 1 : shape.stagedBytes;
  const bytes = (GP * shape.stagedBytes + 2 * stages * BN * keys) * shape.headDim;
  const most = keys === 1 ? MOST_OF_BYTES : MOST_RESIDENT;
  const heads = kvHeads * Math.ceil(shape.group / GP);
  return wholeParts(programsOf(device, bytes, heads, most), sequences);
}

/** Share of the programs that may be left out for the others to have whole parts of sequences that are as long as each other. */
const LEFT_OUT = 1 / 16;

/**
 * As many programs as there are, or where it costs few a multiple of the sequences, so that those of one length are cut evenly and no program goes
 * from one sequence to the next, which empties its ring of copies.
 */
function wholeParts(most: number, sequences: number): number {
  const over = sequences > 0 && sequences <= most ? most % sequences : 0;
  return over <= most * LEFT_OUT ? most - over : most;
}

/**
 * The same for latents, for each block of heads.
 * @param shape as `latentDecodeConfig` has it
 */
export function latentPrograms(
  device: Device,
  shape: AttentionShape,
  config: PagedDecodeConfig,
  sequences: number,
): number {
  const bytes = latentFootprint(config, shape);
  return wholeParts(programsOf(device, bytes, Math.ceil(shape.group / config.GP)), sequences);
}

function programsOf(
  { info, limits }: Device,
  bytes: number,
  heads: number,
  most = MOST_RESIDENT,
): number {
  if (!info.hardware) return 1;
  const resident = Math.floor(limits.maxSharedBytes / bytes);
  const perUnit = Math.max(1, Math.min(most, resident));
  return Math.max(1, Math.floor(((limits.multiprocessors ?? USUAL_UNITS) * perUnit) / heads));
}
