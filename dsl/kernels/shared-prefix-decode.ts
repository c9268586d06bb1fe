/** [dsl/kernels] Attention of many sequences over the pages that their tables begin with together, which are read once for all of them. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  all,
  cdiv,
  floordiv,
  gather,
  iota,
  load,
  mod,
  span,
  store,
  where,
} from "../ops/catalogue.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import {
  attendKeys,
  DECODE_CONFIG,
  DECODE_PARAMS,
  shareOfProgram,
  walkShare,
} from "./decode-shares.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type Problem,
} from "./define-kernel-entry.ts";
import {
  PREFIX_SHAPES,
  prefixInputs,
  prefixPieces,
  prefixReference,
  tilesOf,
} from "./shared-samples.ts";

const { q, kCache, vCache, table, scale, vScale } = DECODE_PARAMS;

/** GP is the rows of a program: all M · G of a tile, or a part of them. */
export const PREFIX_CONFIG = { ...DECODE_CONFIG, GP: 64 } as const;

/**
 * What decodes of sequences with a common beginning compute over it. Up to M of them are a tile: the rows of a product are the G query heads of a
 * kv head for one sequence of the tile after the other, so that keys and values are read once for all. What the tiles share lies on one
 * line, which all programs share out evenly as `pagedDecode` does with the keys of sequences. `sharedSuffixDecode` attends to the keys
 * behind, `sharedPrefixMerge` puts both together. Windows have no place here: a common beginning leaves them.
 * @param q `[S, HKV, G, D]`: query heads grouped by their kv head
 * @param kCache `[NB, PAGE, HKV, D]`
 * @param vCache like kCache
 * @param table i32 `[S, MAXB]`: pages of each sequence in order; of a tile that of its first sequence is read
 * @param members i32 `[B, M]`: sequences of each tile, from place 0 on; -1 for none
 * @param tileLens i32 `[B]`: positions that the sequences of a tile share; 0 for a tile that is not used
 * @param shared i32 `[S]`: the same for each sequence
 * @param scale factor of the scores, above 0; usually 1/√D
 * @param vScale as `pagedDecode` has it
 * @returns partial f32 `[P, HKV, R, D]`, R = M · G and P = B + programs of R / GP rows: normalised output of piece tile + share; what is no piece
 *   is not written. lse f32 `[P, HKV, R]`: log2 of a piece's sum of exponentials
 * @source arXiv 2402.05099 (a shared prefix as one product of many queries), arXiv 2501.01005 (composed levels of a cascade)
 */
export const sharedPrefixDecode = kernel(
  {
    name: "shared_prefix_decode",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: {
      q,
      kCache,
      vCache,
      table,
      members: tensor("i32", "B", "M"),
      tileLens: tensor("i32", "B"),
      shared: tensor("i32", "S"),
      scale,
      vScale,
      partial: out("f32", "P", "HKV", "R", "D"),
      lse: out("f32", "P", "HKV", "R"),
    },
    config: PREFIX_CONFIG,
    tune: { GP: [16, 32, 64, 128], BN: [32, 64, 128], stages: [1, 2, 3] },
    specialize: ["G", "D", "PAGE"],
    grid: ({ B, HKV, R, P }, { GP }) => [HKV * cdiv(R, GP), P - B],
  },
  (args, config) => {
    const { members, tileLens, shared, partial, lse, P, B, R, G, D } = args;
    const { GP } = config;
    const tiles = { lens: tileLens, S: B };
    const line = { rows: R, window: 0, programs: P - B };
    const own = shareOfProgram(tiles, config, line);
    const { h, g, share } = own;
    walkShare(tiles, config, line, own, ({ s: tile, begin, blocks, from, to }) => {
      const row = g + iota(GP);
      const at = load(members, [tile, gather(where(row < R, floordiv(row, G), -1))], { fill: -1 });
      const qt = load(args.q, [gather(at), h, gather(mod(row, G)), all(D)]);
      const reach = { s: load(members, [tile, 0]), begin, blocks, from, to };
      const sees = (_kpos: number, seen: boolean): boolean => seen;
      const keys = { ...args, lens: shared };
      const { value, logSum } = attendKeys(keys, config, reach, h, { qt, start: 0, sees });
      store(partial, [tile + share, h, span(g, GP), all(D)], value);
      store(lse, [tile + share, h, span(g, GP)], logSum);
    });
  },
);

export const sharedPrefixDecodeEntry = defineKernelEntry({
  kernel: sharedPrefixDecode,
  samples: [
    ...inBytes(["bf16"], PREFIX_SHAPES.slice(-1)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], PREFIX_SHAPES)),
  ],
  inputs: prefixInputs,
  reference: (call) => prefixReference(call, PREFIX_CONFIG),
  bytes: prefixBytes,
  flops: (problem) =>
    tilesOf(problem).reduce((n, { members, length }) => n + 4 * members.length * length, 0) *
    dimOf(problem, "HKV") *
    dimOf(problem, "G") *
    dimOf(problem, "D"),
});

/** Keys and values once a group, queries and pieces. */
function prefixBytes(problem: Problem): number {
  const heads = dimOf(problem, "HKV") * dimOf(problem, "D");
  const tiles = tilesOf(problem);
  const cached = tiles.reduce((n, { length, isFirst }) => n + (isFirst ? 2 * length : 0), 0);
  const queries = tiles.reduce((n, { members }) => n + members.length, 0) * dimOf(problem, "G");
  const pieces = prefixPieces(problem, PREFIX_CONFIG).length * dimOf(problem, "R");
  return (
    storageBytes(dtypeOf(problem, "C"), cached * heads) +
    storageBytes(dtypeOf(problem, "T"), queries * heads) +
    storageBytes("f32", pieces * (heads + dimOf(problem, "HKV")))
  );
}
