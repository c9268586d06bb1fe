/** [dsl/kernels] What each program of `mlaDecodeHalves` has of the line of keys, as numbers that a single thread can read. */
import { kernel, out, tensor } from "../language.ts";
import { cdiv, floordiv, load, pid, range, span, store, where } from "../ops/catalogue.ts";
import { cutLine, lineLength, SHARE_NUMBERS, sequenceAt, shareStart } from "./decode-line.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type Sequence,
} from "./define-kernel-entry.ts";
import { sequencesOf } from "./paged-samples.ts";
import { sharesOf } from "./piece-samples.ts";
import { intTensor } from "./sample-data.ts";

/**
 * The line of blocks of BN keys (decode-line.ts) cut into SH shares. One program a share.
 * @param lens i32 `[S]`: tokens of each sequence
 * @returns line i32 `[5·SH + S]`: of each share the first sequence, the one behind the last, blocks on the line before the first one, the share's
 *   first block on the line and the one behind its last (zeros where it has none); then the lengths, so that one tensor says all
 */
export const mlaShares = kernel(
  {
    name: "mla_shares",
    params: { lens: tensor("i32", "S"), line: out("i32", "W") },
    config: { BN: 64, BS: 256, LEAST: 1, warps: 4 },
    grid: ({ S, W }) => cdiv(W - S, SHARE_NUMBERS),
  },
  ({ lens, line, S, W }, { BN, BS, LEAST }) => {
    const share = pid(0);
    const programs = floordiv(W - S, SHARE_NUMBERS);
    const length = lineLength(lens, 0, S, BN, BS);
    const cut = cutLine(length, programs, S, LEAST);
    const lo = shareStart(share, cut);
    const hi = share < cut.shares ? shareStart(share + 1, cut) : lo;
    const from = sequenceAt(lens, 0, lo, S, BN, BS);
    const last = sequenceAt(lens, 0, hi - 1, S, BN, BS);
    const isEmpty = hi <= lo;
    for (const i of range(share * BS, S, programs * BS))
      store(line, [span(programs * SHARE_NUMBERS + i, BS, W)], load(lens, [span(i, BS)]));
    store(line, [share * SHARE_NUMBERS + 0], where(isEmpty, 0, from.sequence));
    store(line, [share * SHARE_NUMBERS + 1], where(isEmpty, 0, last.sequence + 1));
    store(line, [share * SHARE_NUMBERS + 2], where(isEmpty, 0, from.begin));
    store(line, [share * SHARE_NUMBERS + 3], where(isEmpty, 0, lo));
    store(line, [share * SHARE_NUMBERS + 4], where(isEmpty, 0, hi));
  },
);

function problemOf(
  name: string,
  seed: number,
  lens: readonly number[],
  programs: number,
  config: Problem["config"],
): Problem {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  const S = lens.length;
  const dims = { S, W: SHARE_NUMBERS * programs + S };
  return { name, seed, sequences, dims, dtypes: {}, ...(config === undefined ? {} : { config }) };
}

function inputs(problem: Problem): KernelInputs {
  return {
    tensors: { lens: intTensor(sequencesOf(problem).map(({ length }) => length)) },
    scalars: {},
  };
}

export const mlaSharesEntry = defineKernelEntry({
  kernel: mlaShares,
  samples: [
    problemOf("no sequences", 1, [], 2, { BN: 16, BS: 4 }),
    problemOf("more programs than blocks, padding rows", 2, [0, 37, 5, 0], 7, { BN: 16, BS: 4 }),
    problemOf("pieces of several sequences", 3, [37, 0, 1, 130, 16, 5], 4, {
      BN: 16,
      BS: 4,
      LEAST: 2,
    }),
    problemOf("longer shares spread", 5, [100, 100, 70], 6, { BN: 16, BS: 4 }),
    problemOf("default blocks", 4, [4096, 130, 64, 65, 900], 33, undefined),
  ],
  inputs,
  reference: ({ problem }) => {
    const [S, W] = [dimOf(problem, "S"), dimOf(problem, "W")];
    const programs = (W - S) / SHARE_NUMBERS;
    const pieces = { ...problem, dims: { S, P: S + programs } };
    const list = sharesOf(pieces, mlaShares.config, programs);
    return { line: { data: Float64Array.from(list), tolerance: { kind: "exact" } } };
  },
  bytes: (problem) => 4 * (dimOf(problem, "S") + dimOf(problem, "W")),
  flops: () => 0,
});
