/** [dsl/kernels] Latent attention (MLA) of one query a sequence for many heads, written by hand in roles: each program makes one half of the values' columns. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  barrier,
  barrierArrive,
  barrierExpect,
  barrierWait,
  cast,
  cdiv,
  copyAsync,
  dotAsync,
  dotWait,
  floordiv,
  full,
  iota,
  load,
  log2,
  maximum,
  minimum,
  mod,
  pid,
  range,
  roles,
  shared,
  slot,
  slotBytes,
  span,
  store,
  where,
  zeros,
} from "../ops/catalogue.ts";
import { SHARE_NUMBERS } from "./decode-line.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type Sequence,
} from "./define-kernel-entry.ts";
import { LOWEST, lazySoftmax } from "./lazy-softmax.ts";
import { latentDecodeInputs, latentDecodeReference } from "./mla-decode.ts";
import { latentDims } from "./mla-samples.ts";
import { attendedTokens, piecesOf, sharesOf } from "./piece-samples.ts";
import { intTensor } from "./sample-data.ts";

/**
 * `mlaDecode` for blocks of GP heads whose products cost more than reading latents: sums of GP × R do not fit into the registers of a
 * warpgroup, so a program makes HALF = R / 2 of the columns, and another one the rest of them from the same scores. One thread copies latents,
 * which are read as keys and, those of the program's own half, as values where they lie. Programs share out the line of blocks as `mlaShares`
 * says, and pieces are those of `mlaDecode`: `pagedDecodeMerge` puts them together. A page has a multiple of BN slots.
 * @param q `[S, H, R]`: queries multiplied by the keys' up-projection
 * @param qRope `[S, H, DR]`: rotated queries
 * @param latents `[NB, PAGE, R]`; slots past a length are never read
 * @param ropes `[NB, PAGE, DR]`: rotated keys
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param line i32 `[5·SH + S]`, what `mlaShares` makes of the lengths for the same BN and SH = P - S shares
 * @param scale factor of the scores, above 0
 * @returns partial f32 `[P, 1, H, R]`, and lse f32 `[P, 1, H]`, as of `mlaDecode`
 * @source arXiv 2405.04434 section 2.1; the halves of columns are FlashMLA's (docs/20250422-new-kernel-deep-dive.md), there in one block
 */
export const mlaDecodeHalves = kernel(
  {
    name: "mla_decode_halves",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "S", "H", "R"),
      qRope: tensor("T", "S", "H", "DR"),
      latents: tensor("T", "NB", "PAGE", "R"),
      ropes: tensor("T", "NB", "PAGE", "DR"),
      table: tensor("i32", "S", "MAXB"),
      line: tensor("i32", "W"),
      partial: out("f32", "P", 1, "H", "R"),
      lse: out("f32", "P", 1, "H"),
      scale: scalar("f32"),
    },
    config: { GP: 64, BN: 64, stages: 2, HALF: 256 },
    specialize: ["R", "DR", "PAGE"],
    grid: ({ H, S, P }, { GP }) => [2 * cdiv(H, GP), P - S],
  },
  (
    { q, qRope, latents, ropes, table, line, partial, lse, scale, S, H, P, DR, PAGE, T },
    { GP, BN, stages, HALF },
  ) => {
    const qa = shared([GP, HALF], T);
    const qb = shared([GP, HALF], T);
    const qr = shared([GP, DR], T);
    const la = shared([BN, HALF], T, { stages });
    const lb = shared([BN, HALF], T, { stages });
    const lr = shared([BN, DR], T, { stages });
    const rowsFull = barrier();
    const rowsEmpty = barrier();
    const ownFull = barrier({ stages });
    const ownEmpty = barrier({ stages });
    const restFull = barrier({ stages });
    const restEmpty = barrier({ stages });
    const own = mod(pid(0), 2) * HALF;
    const rest = HALF - own;
    const g = floordiv(pid(0), 2) * GP;
    const share = pid(1);
    const lengths = (P - S) * SHARE_NUMBERS; // where they begin
    const c = scale * Math.LOG2E;
    const first = load(line, [share * SHARE_NUMBERS + 0]);
    const last = load(line, [share * SHARE_NUMBERS + 1]);
    const start = load(line, [share * SHARE_NUMBERS + 2]);
    const lo = load(line, [share * SHARE_NUMBERS + 3]);
    const hi = load(line, [share * SHARE_NUMBERS + 4]);
    const reach = (len: number, begin: number, lo: number, hi: number) => {
      const blocks = cdiv(len, BN);
      const from = maximum(lo - begin, 0);
      return { blocks, from, to: maximum(minimum(blocks, hi - begin), from + 1) };
    };
    roles(
      {
        producer: () => {
          let n = 0;
          let t = 0;
          let begin = start;
          for (const s of range(first, last, 1)) {
            const len = load(line, [lengths + s]);
            const { blocks, from, to } = reach(len, begin, lo, hi);
            barrierWait(rowsEmpty, t - 1);
            barrierExpect(rowsFull, t, slotBytes(qa) + slotBytes(qb) + slotBytes(qr));
            copyAsync(qRope, [s, span(g, GP), span(0, DR)], qr, t, rowsFull);
            copyAsync(q, [s, span(g, GP), span(rest, HALF)], qb, t, rowsFull);
            copyAsync(q, [s, span(g, GP), span(own, HALF)], qa, t, rowsFull);
            for (const b of range(from, to, 1)) {
              const left = len - b * BN;
              // A padding row has no pages: a page of the share's first sequence stands for one, of which nothing is copied.
              const row = where(left > 0, s, first);
              const page = load(table, [row, where(left > 0, floordiv(b * BN, PAGE), 0)]);
              const at = mod(b * BN, PAGE);
              barrierWait(restEmpty, n - stages);
              barrierExpect(restFull, n, slotBytes(lb) + slotBytes(lr));
              copyAsync(ropes, [page, span(at, BN, at + left), span(0, DR)], lr, n, restFull);
              copyAsync(
                latents,
                [page, span(at, BN, at + left), span(rest, HALF)],
                lb,
                n,
                restFull,
              );
              barrierWait(ownEmpty, n - stages);
              barrierExpect(ownFull, n, slotBytes(la));
              copyAsync(latents, [page, span(at, BN, at + left), span(own, HALF)], la, n, ownFull);
              n += 1;
            }
            t += 1;
            begin = begin + blocks;
          }
        },
        consumer: () => {
          let n = 0;
          let t = 0;
          let begin = start;
          for (const s of range(first, last, 1)) {
            const len = load(line, [lengths + s]);
            const { blocks, from, to } = reach(len, begin, lo, hi);
            barrierWait(rowsFull, t);
            /** Scores of the block of use `at`. */
            const multiply = (at: number) => {
              barrierWait(restFull, at);
              const rotated = dotAsync(slot(qr, t), slot(lr, at));
              const others = dotAsync(slot(qb, t), slot(lb, at), rotated);
              barrierWait(ownFull, at);
              return dotAsync(slot(qa, t), slot(la, at), others);
            };
            let m = full("f32", LOWEST, GP);
            let l = zeros("f32", GP);
            let acc = zeros("f32", GP, HALF);
            for (const b of range(from, to, 1)) {
              const scores = dotWait(0, multiply(n));
              barrierArrive(restEmpty, n);
              const x = where(b * BN + iota(BN) < len, scores, -Infinity);
              const trip = lazySoftmax(x, "GP", { m, l, acc }, c, 0);
              m = trip.m;
              l = trip.l;
              acc = dotWait(0, dotAsync(cast(trip.p, T), slot(la, n), trip.acc));
              barrierArrive(ownEmpty, n);
              n += 1;
            }
            barrierArrive(rowsEmpty, t);
            const total = maximum(l, 1e-30);
            const end = where(len > 0, H, 0); // a padding row has no piece
            store(partial, [s + share, 0, span(g, GP, end), span(own, HALF)], acc * (1 / total));
            const once = where(own > 0, 0, end); // both halves have the same
            store(lse, [s + share, 0, span(g, GP, once)], m * c + log2(total));
            t += 1;
            begin = begin + blocks;
          }
        },
      },
      { warpgroups: 1 },
    );
  },
);

/** @param config block sizes, HALF among them */
export function halvesProblem(
  name: string,
  seed: number,
  lens: readonly number[],
  sizes: Parameters<typeof latentDims>[1] & { readonly programs: number },
  config: Problem["config"],
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 1, length }));
  const { programs } = sizes;
  const S = lens.length;
  const dims = {
    ...latentDims(sequences, sizes),
    P: S + programs,
    W: SHARE_NUMBERS * programs + S,
  };
  return { name, seed, sequences, dims, config: { ...config } };
}

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  halvesProblem(
    "no sequences",
    1,
    [],
    { heads: 1, rank: 16, rotary: 8, page: 8, programs: 1 },
    { GP: 8, BN: 8, HALF: 8 },
  ),
  halvesProblem(
    "padding rows, heads past a block, more programs than blocks",
    2,
    [0, 37, 5],
    { heads: 9, rank: 32, rotary: 8, page: 16, programs: 7 },
    { GP: 8, BN: 16, HALF: 16 },
  ),
  halvesProblem(
    "pieces of several sequences, pages of two blocks",
    3,
    [37, 0, 1, 130, 16, 5],
    { heads: 2, rank: 16, rotary: 8, page: 16, programs: 4 },
    { GP: 8, BN: 8, HALF: 8 },
  ),
];

function inputs(problem: Problem): KernelInputs {
  const { tensors, scalars } = latentDecodeInputs(problem);
  const { lens: _, ...others } = tensors;
  const line = sharesOf(problem, mlaDecodeHalves.config, dimOf(problem, "P") - dimOf(problem, "S"));
  return { tensors: { ...others, line: intTensor(line) }, scalars };
}

export const mlaDecodeHalvesEntry = defineKernelEntry({
  kernel: mlaDecodeHalves,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference: (call) => latentDecodeReference(call, mlaDecodeHalves.config),
  bytes: (problem) => {
    const tokens = attendedTokens(problem);
    const [rank, rotary] = [dimOf(problem, "R"), dimOf(problem, "DR")];
    const rows = dimOf(problem, "S") * dimOf(problem, "H");
    const pieces = piecesOf(problem, mlaDecodeHalves.config).length * dimOf(problem, "H");
    return (
      storageBytes(dtypeOf(problem, "T"), (tokens + rows) * (rank + rotary)) +
      storageBytes("f32", pieces * (rank + 1))
    );
  },
  flops: (problem) =>
    2 *
    attendedTokens(problem) *
    dimOf(problem, "H") *
    (2 * dimOf(problem, "R") + dimOf(problem, "DR")),
});
