/** [dsl/kernels] paged-decode.ts over what sequences keep behind the beginning that they share with others. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { all, cdiv, load, span, store } from "../ops/catalogue.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import {
  attendKeys,
  DECODE_CONFIG,
  DECODE_PARAMS,
  DECODE_TUNE,
  decodeQueries,
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
  ownLengths,
  SUFFIX_SHAPES,
  suffixInputs,
  suffixPieces,
  suffixReference,
} from "./shared-samples.ts";

const { window: _none, ...KEYS } = DECODE_PARAMS;

/**
 * `pagedDecode` without the first lens - own positions of each sequence: `sharedPrefixDecode` attends to those. The line holds the others alone.
 * @param lens i32 `[S]`: tokens of each sequence, the query's own included; 0 for a padding row
 * @param own i32 `[S]`: those that it does not share, the last ones; all of them where it shares none
 * @returns partial f32 `[P, HKV, G, D]`, lse f32 `[P, HKV, G]`: as of `pagedDecode`, with own for its lens
 * @source as `sharedPrefixDecode`
 */
export const sharedSuffixDecode = kernel(
  {
    name: "shared_suffix_decode",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: {
      ...KEYS,
      own: tensor("i32", "S"),
      partial: out("f32", "P", "HKV", "G", "D"),
      lse: out("f32", "P", "HKV", "G"),
    },
    config: DECODE_CONFIG,
    tune: DECODE_TUNE,
    specialize: ["G", "D", "PAGE"],
    grid: ({ S, HKV, G, P }, { GP }) => [HKV * cdiv(G, GP), P - S],
  },
  (args, config) => {
    const { lens, own, partial, lse, P, S, G, D } = args;
    const { GP } = config;
    const lengths = { lens: own, S };
    const line = { rows: G, window: 0, programs: P - S };
    const part = shareOfProgram(lengths, config, line);
    const { h, g, share } = part;
    walkShare(lengths, config, line, part, ({ s, begin, blocks, from, to }) => {
      const skip = load(lens, [s]) - load(own, [s]);
      const reach = { s, begin, blocks, from: from + skip, to: to + skip };
      const queries = decodeQueries({ ...args, window: 0 }, config, reach, part);
      const { value, logSum } = attendKeys(args, config, reach, h, queries);
      store(partial, [s + share, h, span(g, GP), all(D)], value);
      store(lse, [s + share, h, span(g, GP)], logSum);
    });
  },
);

export const sharedSuffixDecodeEntry = defineKernelEntry({
  kernel: sharedSuffixDecode,
  samples: [
    ...inBytes(["bf16"], SUFFIX_SHAPES.slice(-1)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], SUFFIX_SHAPES)),
  ],
  inputs: suffixInputs,
  reference: (call) => suffixReference(call, DECODE_CONFIG),
  bytes: suffixBytes,
  flops: (problem) =>
    4 * ownTokens(problem) * dimOf(problem, "HKV") * dimOf(problem, "G") * dimOf(problem, "D"),
});

function ownTokens(problem: Problem): number {
  return ownLengths(problem).reduce((a, b) => a + b, 0);
}

function suffixBytes(problem: Problem): number {
  const [hkv, d] = [dimOf(problem, "HKV"), dimOf(problem, "D")];
  const rows = dimOf(problem, "S") * hkv * dimOf(problem, "G");
  const pieces = suffixPieces(problem, DECODE_CONFIG).length * hkv * dimOf(problem, "G");
  return (
    storageBytes(dtypeOf(problem, "C"), 2 * ownTokens(problem) * hkv * d) +
    storageBytes(dtypeOf(problem, "T"), rows * d) +
    storageBytes("f32", pieces * (d + 1))
  );
}
