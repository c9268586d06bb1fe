/** [engine/layers] Decodes of latent attention whose heads are many: `mlaDecodeHalves`, where device, heads and pages allow it, and what it launches before. */
import type { DType } from "../../dsl/index.ts";
import {
  mlaDecodeHalves,
  mlaShares,
  pagedDecodeMerge,
  SHARE_NUMBERS,
} from "../../dsl/kernels/catalogue.ts";
import { type Device, type LaunchOptions, reshape, type Tensor } from "../../runtime/index.ts";
import type { StepBatch } from "./batch.ts";
import {
  LONG_PIECES,
  optionsOfLatentMerge,
  type PagedDecodeOptions,
  pagedDecodeOptions,
} from "./decode-options.ts";
import type { LayerLaunchOptions } from "./launch-options.ts";

/** Heads that read a block of latents together, and latents of a block. */
const HEADS = 64;
const BLOCK = 64;
/** Columns of a panel of shared memory; more sums than half of 512 columns do not fit into registers. */
const PANEL = 64;
/**
 * Sequences from which they are taken: below, few short ones would pay for a launch more and longer blocks.
 * @source test/bench/results/nvidia-h200-latent-halves.jsonl: three sequences of 200 take 22 µs for 15, 16 of 8192 108 for 190
 */
const LEAST_SEQUENCES = 4;
const MOST_COLUMNS = 256;
const STEP = 16;
/** Multiprocessors where the driver does not say. */
const USUAL_UNITS = 64;

export interface HalvesOptions {
  readonly merge: PagedDecodeOptions;
  readonly shares: LaunchOptions;
  readonly decode: LaunchOptions;
}

export interface HalvesSizes {
  readonly numHeads: number;
  readonly latentRank: number;
  readonly rotaryDim: number;
}

/** Whether a step of so many sequences takes them. */
export function takesHalves(sequences: number): boolean {
  return sequences >= LEAST_SEQUENCES;
}

/** Slots of a page that such decodes take at least; undefined where there are none. */
export function pageOfHalves(device: Device, numHeads: number): number | undefined {
  return device.info.features.includes("wgmma") && numHeads >= HEADS ? BLOCK : undefined;
}

/** @param page slots of a page @returns undefined where `mlaDecode` is to be taken */
export function halvesOptions(
  options: LayerLaunchOptions,
  dtype: DType,
  { numHeads, latentRank, rotaryDim }: HalvesSizes,
  page: number,
): HalvesOptions | undefined {
  const isHalf = dtype === "f16" || dtype === "bf16";
  const HALF = latentRank / 2;
  const fits = HALF % PANEL === 0 && HALF <= MOST_COLUMNS && rotaryDim % STEP === 0;
  if (options.listsRowBlocks !== true || !isHalf || numHeads < HEADS) return undefined;
  if (!fits || rotaryDim > PANEL || page % BLOCK !== 0) return undefined;
  const line = { BN: BLOCK, BS: 256, LEAST: 1 };
  const config = { ...line, GP: HEADS, stages: 2 };
  const decode = { GP: HEADS, BN: BLOCK, stages: 2, HALF };
  return {
    merge: pagedDecodeOptions(config, LONG_PIECES),
    shares: Object.freeze({ config: Object.freeze(line) }),
    decode: Object.freeze({ config: Object.freeze(decode) }),
  };
}

/** As many shares as have a multiprocessor for each block of heads and half of the columns. */
function numShares({ info, limits }: Device, numHeads: number): number {
  if (!info.hardware) return 1;
  const each = 2 * Math.ceil(numHeads / HEADS);
  return Math.max(1, Math.floor((limits.multiprocessors ?? USUAL_UNITS) / each));
}

interface Arguments {
  /** `[S, H, R]`, absorbed, and `[S, H, DR]`. */
  readonly q: Tensor;
  readonly qRope: Tensor;
  readonly latents: Tensor;
  readonly ropes: Tensor;
  readonly scale: number;
}

/** @returns `[S, H, R]` */
export function decodeByHalves(
  { scope, table, lens, numSequences: s }: StepBatch,
  args: Arguments,
  options: HalvesOptions,
): Tensor {
  const { device } = scope;
  const [, numHeads = 0, latentRank = 0] = args.q.shape;
  const count = numShares(device, numHeads);
  const line = scope.empty("i32", [SHARE_NUMBERS * count + s]);
  const partial = scope.empty("f32", [s + count, 1, numHeads, latentRank]);
  const lse = scope.empty("f32", [s + count, 1, numHeads]);
  const o = scope.empty(args.q.dtype, [s, 1, numHeads, latentRank]);
  device.launch(mlaShares, { lens, line }, options.shares);
  device.launch(mlaDecodeHalves, { ...args, table, line, partial, lse }, options.decode);
  const merge = optionsOfLatentMerge(options.merge, s, count);
  device.launch(pagedDecodeMerge, { partial, lse, lens, o, window: 0 }, merge);
  return reshape(o, [s, numHeads, latentRank]);
}
