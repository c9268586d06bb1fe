/** [dsl/kernels] Puts the pieces of paged-decode.ts together. */
import { storageBytes } from "../core/dtype.ts";
import { kernel } from "../language.ts";
import { cdiv } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { MERGE_LOWEST, mergeHeads, PIECE_CONFIG, PIECE_PARAMS } from "./merge-pieces.ts";
import { sequencesOf } from "./paged-samples.ts";
import { mergeProblem, piecesOf } from "./piece-samples.ts";
import { editable, elementAt, hostTensor, intTensor, randomSource } from "./sample-data.ts";

/**
 * o = Σ partial · 2^lse / Σ 2^lse over the pieces of each sequence. One program for GP heads of a kv head; BJ pieces a step.
 * @param partial f32 `[P, HKV, G, D]` of `pagedDecode`, with its BN, BS, LEAST and window
 * @param lse f32 `[P, HKV, G]`, log2 domain
 * @param lens i32 `[S]`
 * @returns o `[S, HKV, G, D]`; zeros for a sequence without keys
 */
export const pagedDecodeMerge = kernel(
  {
    name: "paged_decode_merge",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: PIECE_PARAMS,
    config: PIECE_CONFIG,
    tune: { GP: [1, 2, 4, 8], BJ: [4, 8, 16, 32, 64], stages: [1, 2] },
    specialize: ["D"],
    grid: ({ S, HKV, G }, { GP }) => [cdiv(G, GP), HKV, S],
  },
  (args, config) => {
    mergeHeads(args, config, MERGE_LOWEST, 0);
  },
);

export const PIECE_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  mergeProblem("no sequences", 1, [], { hkv: 1, g: 1, d: 16, page: 4, programs: 1 }),
  mergeProblem("one piece", 2, [9], { hkv: 1, g: 1, d: 8, page: 4, programs: 1 }),
  mergeProblem(
    "padding rows",
    3,
    [0, 5, 0, 33, 0],
    { hkv: 2, g: 2, d: 16, page: 4, programs: 3 },
    { config: { BS: 2, GP: 1, BJ: 8, warps: 1 } },
  ),
  mergeProblem(
    "programs a multiple of the sequences",
    6,
    [45, 45, 100, 0],
    { hkv: 1, g: 2, d: 16, page: 4, programs: 8 },
    { config: { BS: 2, GP: 2, BJ: 4, warps: 1 } },
  ),
  mergeProblem(
    "group of 7",
    4,
    [200, 16],
    { hkv: 1, g: 7, d: 80, page: 16, programs: 11 },
    { config: { BS: 256, GP: 1, BJ: 64, warps: 4 } },
  ),
  mergeProblem(
    "window, fewer shares than programs",
    5,
    [300, 7, 90],
    { hkv: 2, g: 4, d: 128, page: 16, programs: 9 },
    { config: { LEAST: 3, GP: 4, BJ: 4, warps: 1 }, options: { window: 70 } },
  ),
];

export function pieceInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [p, h, g, d] = ["P", "HKV", "G", "D"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const written = new Set(piecesOf(problem, PIECE_CONFIG).map(({ number }) => number));
  const some = (row: number, value: () => number) => (written.has(row) ? value() : Number.NaN);
  return {
    tensors: {
      partial: hostTensor("f32", [p, h, g, d], (i) =>
        some(Math.floor(i / (h * g * d)), () => random.normal()),
      ),
      lse: hostTensor("f32", [p, h, g], (i) =>
        some(Math.floor(i / (h * g)), () => 5 * random.normal()),
      ),
      lens: intTensor(sequencesOf(problem).map(({ length }) => length)),
    },
    scalars: { window: problem.options?.["window"] ?? 0 },
  };
}

/** @param sinkOf sink of a query head of a kv head, in the log2 domain */
export function pieceReference(
  call: ReferenceCall,
  sinkOf: (kvHead: number, index: number) => number = () => Number.NEGATIVE_INFINITY,
) {
  const { problem } = call;
  const [partial, lse] = [tensorOf(call, "partial"), tensorOf(call, "lse")];
  const o = editable(tensorOf(call, "o"));
  const pieces = piecesOf(problem, PIECE_CONFIG);
  const [, hkv = 0, group = 0, d = 0] = partial.shape;
  sequencesOf(problem).forEach((_, s) => {
    const own = pieces.filter(({ sequence }) => sequence === s).map(({ number }) => number);
    for (let row = 0; row < hkv * group; row++) {
      const [h, g] = [Math.floor(row / group), row % group];
      const sums = own.map((piece) => elementAt(lse, piece, h, g));
      const sink = sinkOf(h, g);
      const largest = Math.max(...sums, sink);
      const weights = sums.map((x) => 2 ** (x - largest));
      const total = weights.reduce((a, b) => a + b, sink === largest ? 1 : 2 ** (sink - largest));
      const values = Array.from({ length: d }, (_, c) =>
        weights.reduce((t, w, i) => t + (w * elementAt(partial, own[i] ?? 0, h, g, c)) / total, 0),
      );
      o.setRow(values, s, h, g);
    }
  });
  const length = dimOf(problem, "P");
  return { o: { data: o.data, tolerance: { kind: "rounding" as const, length, scale: 4 } } };
}

export const pagedDecodeMergeEntry = defineKernelEntry({
  kernel: pagedDecodeMerge,
  samples: [
    ...forDTypes("T", ["f32"], PIECE_SHAPES.slice(0, 4)),
    ...forDTypes("T", ["f32", "f16", "bf16"], PIECE_SHAPES.slice(4)),
  ],
  inputs: pieceInputs,
  reference: (call) => pieceReference(call),
  bytes: pieceBytes,
  flops: pieceFlops,
});

export function pieceBytes(problem: Problem): number {
  const heads = dimOf(problem, "HKV") * dimOf(problem, "G");
  const pieces = piecesOf(problem, PIECE_CONFIG).length * heads;
  const rows = dimOf(problem, "S") * heads;
  return (
    storageBytes("f32", pieces * (dimOf(problem, "D") + 1)) +
    storageBytes(dtypeOf(problem, "T"), rows * dimOf(problem, "D"))
  );
}

export function pieceFlops(problem: Problem): number {
  const heads = dimOf(problem, "HKV") * dimOf(problem, "G");
  return 2 * piecesOf(problem, PIECE_CONFIG).length * heads * dimOf(problem, "D");
}
