/** [dsl/kernels] Pieces for `sharedPrefixMerge` and what must come of them, by plain loops. No kernel is defined here. */
import type { KernelInputs, Problem, ReferenceCall } from "./define-kernel-entry.ts";
import { dimOf, tensorOf } from "./define-kernel-entry.ts";
import { sequencesOf } from "./paged-samples.ts";
import { editable, elementAt, hostTensor, intTensor, randomSource } from "./sample-data.ts";
import {
  mostOf,
  ownLengths,
  prefixPieces,
  suffixPieces,
  tileLengths,
  tilesOf,
} from "./shared-samples.ts";

/** Pieces that nobody writes hold NaN, as do those of places without a sequence. */
export function mergeInputs(
  problem: Problem,
  defaults: Readonly<Record<string, number | boolean>>,
): KernelInputs {
  const random = randomSource(problem.seed);
  const [hkv, g, d, r] = ["HKV", "G", "D", "R"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const pieces = (rows: number, width: number, holds: (row: number, i: number) => boolean) => {
    const some = (i: number, value: () => number) =>
      holds(Math.floor(i / (hkv * width)), i % width) ? value() : Number.NaN;
    return {
      values: hostTensor("f32", [rows, hkv, width, d], (i) =>
        some(Math.floor(i / d), () => random.normal()),
      ),
      sums: hostTensor("f32", [rows, hkv, width], (i) => some(i, () => 5 * random.normal())),
    };
  };
  const tiles = tilesOf(problem);
  const tileOf = new Map(prefixPieces(problem, defaults).map((p) => [p.number, p.sequence]));
  const written = new Set(suffixPieces(problem, defaults).map(({ number }) => number));
  const isMember = (row: number, i: number) =>
    i / g < (tiles[tileOf.get(row) ?? -1]?.members.length ?? 0);
  const prefix = pieces(dimOf(problem, "PB"), r, isMember);
  const own = pieces(dimOf(problem, "P"), g, (row) => written.has(row));
  return {
    tensors: {
      prefix: prefix.values,
      prefixLse: prefix.sums,
      tileLens: intTensor(tileLengths(problem)),
      partial: own.values,
      lse: own.sums,
      own: intTensor(ownLengths(problem)),
      place: intTensor(placesOf(problem)),
    },
    scalars: {},
  };
}

function placesOf(problem: Problem): readonly number[] {
  const places = sequencesOf(problem).map(() => -1);
  const most = mostOf(problem);
  tilesOf(problem).forEach(({ members }, tile) => {
    members.forEach((row, i) => {
      places[row] = tile * most + i;
    });
  });
  return places;
}

/** @param sinkOf sink of a query head of a kv head, in the log2 domain */
export function mergeReference(
  call: ReferenceCall,
  defaults: Readonly<Record<string, number | boolean>>,
  sinkOf: (kvHead: number, index: number) => number = () => Number.NEGATIVE_INFINITY,
) {
  const { problem } = call;
  const [prefix, prefixLse] = [tensorOf(call, "prefix"), tensorOf(call, "prefixLse")];
  const [partial, lse] = [tensorOf(call, "partial"), tensorOf(call, "lse")];
  const o = editable(tensorOf(call, "o"));
  const [, hkv = 0, group = 0, d = 0] = partial.shape;
  const places = placesOf(problem);
  const [begun, ended] = [prefixPieces(problem, defaults), suffixPieces(problem, defaults)];
  const most = mostOf(problem);
  sequencesOf(problem).forEach((_, s) => {
    const place = places[s] ?? -1;
    const tile = place < 0 ? -1 : Math.floor(place / most);
    for (let row = 0; row < hkv * group; row++) {
      const [h, g] = [Math.floor(row / group), row % group];
      const r = (place % most) * group + g;
      const parts = [
        ...begun
          .filter(({ sequence }) => sequence === tile)
          .map(({ number }) => ({ values: prefix, sums: prefixLse, number, r })),
        ...ended
          .filter(({ sequence }) => sequence === s)
          .map(({ number }) => ({ values: partial, sums: lse, number, r: g })),
      ];
      const sums = parts.map((part) => elementAt(part.sums, part.number, h, part.r));
      const sink = sinkOf(h, g);
      const largest = Math.max(...sums, sink);
      const weights = sums.map((x) => 2 ** (x - largest));
      const total = weights.reduce((a, b) => a + b, sink === largest ? 1 : 2 ** (sink - largest));
      const value = (c: number) =>
        parts.reduce((t, part, i) => {
          const w = weights[i] ?? 0;
          return t + (w * elementAt(part.values, part.number, h, part.r, c)) / total;
        }, 0);
      o.setRow(
        Array.from({ length: d }, (_none, c) => value(c)),
        s,
        h,
        g,
      );
    }
  });
  const length = dimOf(problem, "P") + dimOf(problem, "PB");
  return { o: { data: o.data, tolerance: { kind: "rounding" as const, length, scale: 4 } } };
}
