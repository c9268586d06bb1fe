/** [dsl/kernels] Attention of a few queries a sequence over a paged cache, as drafted tokens are checked: paged-decode-merged.ts with more rows. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, out, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  floordiv,
  gather,
  iota,
  load,
  maximum,
  mod,
  store,
  where,
} from "../ops/catalogue.ts";
import type { Dim } from "../typing.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import { attendKeys, DECODE_PARAMS } from "./decode-shares.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type Problem,
} from "./define-kernel-entry.ts";
import { MERGE_LOWEST } from "./merge-pieces.ts";
import { decodeAndMerge, MERGED_CONFIG, MERGED_TUNE } from "./paged-decode-merged.ts";
import { attendedKeys, VERIFY_SHAPES, verifyInputs, verifyReference } from "./verify-samples.ts";

const { kCache, vCache, table, lens, scale, vScale, window } = DECODE_PARAMS;

/**
 * Like `pagedDecodeMerged` for sequences of up to R / G queries, the last ones of each: the rows of a tile are the G query heads of a kv head for
 * one query after the other, so that keys and values are read once for all of them. Query i of n attends to positions up to
 * len - n + i, its own. Sequences may have fewer queries than others, or none.
 * @param q `[N, HKV, G, D]`: queries of all sequences, one after the other
 * @param queryStart i32 `[S + 1]`: first query of each sequence, N at the end
 * @param lens i32 `[S]`: tokens of each sequence, its queries included; 0 for a padding row
 * @param window positions that a query attends to, its own included; 0 for all
 * @param partial f32 `[P, HKV, R, D]`, P = S + programs of R / GP rows; lse f32 `[P, HKV, R]`; arrived i32 `[S, HKV, R]`: as there
 * @returns o `[N, HKV, G, D]`
 * @source arXiv 2211.17192 (drafted tokens are checked together)
 */
export const pagedVerify = kernel(
  {
    name: "paged_verify",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: {
      q: tensor("T", "N", "HKV", "G", "D"),
      kCache,
      vCache,
      table,
      queryStart: tensor("i32", "S1"),
      lens,
      scale,
      vScale,
      window,
      partial: inout("f32", "P", "HKV", "R", "D"),
      lse: inout("f32", "P", "HKV", "R"),
      arrived: inout("i32", "S", "HKV", "R"),
      o: out("T", "N", "HKV", "G", "D"),
    },
    config: MERGED_CONFIG,
    tune: { ...MERGED_TUNE, GP: [16, 32] },
    when: ({ GP, GM }) => GP % GM === 0,
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, R, P }, { GP }) => [HKV * cdiv(R, GP), P - S],
  },
  (args, config) => {
    const { q, queryStart, o, P, S, R, G, D, T } = args;
    const { GP } = config;
    const reach = where(args.window > 0, args.window + floordiv(R, G) - 1, 0);
    const line = { rows: R, window: reach, programs: P - S };
    /** Of rows from `first` on: place among the sequence's queries, and its row of q and o; -1 for none. */
    const queriesOf = (s: number, first: number, rows: Dim) => {
      const start = load(queryStart, [s]);
      const count = load(queryStart, [s + 1]) - start;
      const i = floordiv(first + iota(rows), G);
      return { i, count, at: where(i < count, start + i, -1), head: mod(first + iota(rows), G) };
    };
    decodeAndMerge(args, config, {
      line,
      attend: (place, { h, g }) => {
        const { i, count, at, head } = queriesOf(place.s, g, GP);
        const position = load(args.lens, [place.s]) - count + i;
        const first = load(args.lens, [place.s]) - count - args.window + 1;
        const start = where(args.window > 0, maximum(first, 0), 0);
        const begin = where(args.window > 0, position - args.window, -1);
        const qt = load(q, [gather(at), h, gather(head), all(D)]);
        const sees = (kpos: number, seen: boolean): boolean =>
          seen && kpos <= position && kpos > begin && at >= 0;
        return attendKeys(args, config, place, h, { qt, start, sees });
      },
      give: (s, h, g, rows, value) => {
        const { at, head } = queriesOf(s, g, rows);
        store(o, [gather(at), h, gather(head), all(D)], cast(value, T));
      },
      firstMax: (_h, _g, _rows) => MERGE_LOWEST,
      firstSum: 0,
    });
  },
);

export const pagedVerifyEntry = defineKernelEntry({
  kernel: pagedVerify,
  samples: [
    ...inBytes(["bf16"], VERIFY_SHAPES.slice(1, 2)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], VERIFY_SHAPES)),
  ],
  inputs: verifyInputs,
  reference: (call) => verifyReference(call, MERGED_CONFIG),
  bytes: verifyBytes,
  flops: (problem) =>
    4 * attendedKeys(problem) * dimOf(problem, "G") * dimOf(problem, "HKV") * dimOf(problem, "D"),
});

/** Keys and values once a sequence, queries and outputs. */
function verifyBytes(problem: Problem): number {
  const lengths = (problem.sequences ?? []).reduce((n, { length }) => n + length, 0);
  const rows = dimOf(problem, "N") * dimOf(problem, "G");
  const heads = dimOf(problem, "HKV") * dimOf(problem, "D");
  return (
    storageBytes(dtypeOf(problem, "C"), 2 * lengths * heads) +
    storageBytes(dtypeOf(problem, "T"), 2 * rows * heads)
  );
}
