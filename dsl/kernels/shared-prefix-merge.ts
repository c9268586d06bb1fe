/** [dsl/kernels] Puts the pieces of shared-prefix-decode.ts and shared-suffix-decode.ts together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  floordiv,
  load,
  maximum,
  mod,
  pid,
  span,
  store,
  where,
} from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type Problem,
} from "./define-kernel-entry.ts";
import { linePieces, MERGE_LOWEST, noPieces, PIECE_CONFIG, sumPieces } from "./merge-pieces.ts";
import { mergeInputs, mergeReference } from "./shared-merge-samples.ts";
import { MERGE_SHAPES, prefixPieces, suffixPieces } from "./shared-samples.ts";

/** BN, BS and LEAST are those of the `sharedSuffixDecode` that wrote its pieces; SN that of the `sharedPrefixDecode`, whose BS and LEAST are the same. */
export const SHARED_MERGE_CONFIG = { ...PIECE_CONFIG, SN: 16 } as const;

/**
 * o = Σ partial · 2^lse / Σ 2^lse over the pieces of what a sequence shares, then over its own. One program for GP heads of a kv head; BJ pieces a step.
 * @param prefix f32 `[PB, HKV, R, D]` of `sharedPrefixDecode`, prefixLse f32 `[PB, HKV, R]`, log2 domain
 * @param partial f32 `[P, HKV, G, D]` of `sharedSuffixDecode`, lse f32 `[P, HKV, G]`
 * @param tileLens i32 `[B]`, own i32 `[S]`: as there
 * @param place i32 `[S]`: tile · M + place among its members; -1 for a sequence that shares nothing
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 */
export const sharedPrefixMerge = kernel(
  {
    name: "shared_prefix_merge",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      prefix: tensor("f32", "PB", "HKV", "R", "D"),
      prefixLse: tensor("f32", "PB", "HKV", "R"),
      tileLens: tensor("i32", "B"),
      partial: tensor("f32", "P", "HKV", "G", "D"),
      lse: tensor("f32", "P", "HKV", "G"),
      own: tensor("i32", "S"),
      place: tensor("i32", "S"),
      o: out("T", "S", "HKV", "G", "D"),
    },
    config: SHARED_MERGE_CONFIG,
    tune: { GP: [1, 2, 4, 8], BJ: [4, 8, 16, 32, 64], stages: [1, 2] },
    specialize: ["G", "D"],
    grid: ({ S, HKV, G }, { GP }) => [cdiv(G, GP), HKV, S],
  },
  (args, { BN, BS, LEAST, GP, SN, BJ, stages }) => {
    const { prefix, prefixLse, tileLens, own, place, o, PB, B, P, S, R, G, D, T } = args;
    const [g, h, s] = [pid(0) * GP, pid(1), pid(2)];
    const at = load(place, [s], { when: "early" });
    const most = floordiv(R, G);
    const tile = floordiv(maximum(at, 0), most);
    const tiles = { lens: tileLens, S: B, window: 0, programs: PB - B };
    const begun = linePieces(tiles, { BN: SN, BS, LEAST }, tile);
    const row = mod(maximum(at, 0), most) * G;
    const rows = span(row + g, GP, row + G); // those behind are of another sequence
    const shared = { h, first: begun.first, end: where(at < 0, begun.first, begun.end) };
    const step = { BJ, stages };
    const start = noPieces(GP, D, MERGE_LOWEST, 0);
    const before = sumPieces({ partial: prefix, lse: prefixLse, D }, shared, rows, step, start);
    const ended = linePieces({ lens: own, S, window: 0, programs: P - S }, { BN, BS, LEAST }, s);
    const { l, acc } = sumPieces(args, { h, ...ended }, span(g, GP), step, before);
    store(o, [s, h, span(g, GP), all(D)], cast(acc / maximum(l, 1e-30), T));
  },
);

export const sharedPrefixMergeEntry = defineKernelEntry({
  kernel: sharedPrefixMerge,
  samples: forDTypes("T", ["f32", "f16", "bf16"], MERGE_SHAPES),
  inputs: (problem) => mergeInputs(problem, SHARED_MERGE_CONFIG),
  reference: (call) => mergeReference(call, SHARED_MERGE_CONFIG),
  bytes: mergeBytes,
  flops: (problem) => 2 * pieceRows(problem) * dimOf(problem, "HKV") * dimOf(problem, "D"),
});

function pieceRows(problem: Problem): number {
  return (
    prefixPieces(problem, SHARED_MERGE_CONFIG).length * dimOf(problem, "R") +
    suffixPieces(problem, SHARED_MERGE_CONFIG).length * dimOf(problem, "G")
  );
}

function mergeBytes(problem: Problem): number {
  const [hkv, d] = [dimOf(problem, "HKV"), dimOf(problem, "D")];
  const rows = dimOf(problem, "S") * hkv * dimOf(problem, "G");
  return (
    storageBytes("f32", pieceRows(problem) * hkv * (d + 1)) +
    storageBytes(dtypeOf(problem, "T"), rows * d)
  );
}
