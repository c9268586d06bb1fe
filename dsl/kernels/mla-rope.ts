/** [dsl/kernels] Rotary embedding of the queries of latent attention (MLA). That of the keys is in mla-write.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { all, cast, cdiv, gather, iota, load, pid, span, store } from "../ops/catalogue.ts";
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
import { angleTensors, rotatedPairs } from "./mla-samples.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Rotates the last DR dims of every query head by the angle of the token's position; pairs are neighbours (2i, 2i + 1), or with config
 * INTERLEAVED false halves (i, i + D2). Results stand in halves for both, like those of `mlaWrite`, which no product of the two can
 * tell. One program a token and block of heads.
 * @param q `[N, H, DQ]`
 * @param positions i32 `[N]`, rows of `cosSin`
 * @param cosSin f32 `[P, 2, D2]`: cosines, then sines
 * @returns qRope `[N, H, DR]`, DR = 2·D2
 * @source arXiv 2405.04434 section 2.1.3 (decoupled rotary embedding)
 */
export const mlaRope = kernel(
  {
    name: "mla_rope",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "N", "H", "DQ"),
      positions: tensor("i32", "N"),
      cosSin: tensor("f32", "P", 2, "D2"),
      qRope: out("T", "N", "H", "DR"),
    },
    config: { BH: 8, INTERLEAVED: true },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["DQ", "D2"],
    grid: ({ N, H }, { BH }) => [N, cdiv(H, BH)],
  },
  ({ q, positions, cosSin, qRope, H, DQ, D2, T }, { BH, INTERLEAVED }) => {
    const n = pid(0);
    const position = load(positions, [n]);
    const cos = load(cosSin, [position, 0, all(D2)]);
    const sin = load(cosSin, [position, 1, all(D2)]);
    const i = iota(D2);
    const heads = span(pid(1) * BH, BH, H);
    const first = DQ - 2 * D2 + (INTERLEAVED ? 2 * i : i);
    const x = cast(load(q, [n, heads, gather(first)]), "f32");
    const y = cast(load(q, [n, heads, gather(first + (INTERLEAVED ? 1 : D2))]), "f32");
    store(qRope, [n, heads, span(0, D2)], cast(x * cos - y * sin, T));
    store(qRope, [n, heads, span(D2, D2)], cast(y * cos + x * sin, T));
  },
);

function shape(tokens: number, heads: number, plain: number, d2: number) {
  const width = plain + 2 * d2;
  return { N: tokens, H: heads, DQ: width, D2: d2, DR: 2 * d2, P: 3 * tokens + 5 };
}

export const ROPE_PROBLEMS: readonly Omit<Problem, "dtypes">[] = [
  { name: "no tokens", seed: 1, dims: shape(0, 1, 8, 4) },
  { name: "one token", seed: 2, dims: shape(1, 1, 8, 4) },
  { name: "halves", seed: 3, dims: shape(5, 3, 16, 4), config: { INTERLEAVED: false } },
  { name: "heads past a block", seed: 4, dims: shape(3, 9, 64, 32) },
];

export function ropeInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const shape = ["N", "H", "DQ"].map((dim) => dimOf(problem, dim));
  return {
    tensors: {
      q: randomTensor(random, dtypeOf(problem, "T"), shape),
      ...angleTensors(problem, random),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const q = tensorOf(call, "q");
  const qRope = editable(tensorOf(call, "qRope"));
  const [tokens = 0, heads = 0, width = 0] = q.shape;
  const start = width - dimOf(call.problem, "DR");
  for (let n = 0; n < tokens; n++) {
    for (let h = 0; h < heads; h++) {
      const pairs = rotatedPairs(call, n, (i) => elementAt(q, n, h, start + i));
      qRope.setRow(pairs, n, h);
    }
  }
  const tolerance = { kind: "rounding" as const, length: 2, scale: 5 };
  return { qRope: { data: qRope.data, tolerance } };
}

/** Numbers that are rotated. */
export function rotatedElements(problem: Problem): number {
  return 2 * dimOf(problem, "N") * dimOf(problem, "H") * dimOf(problem, "D2");
}

export const mlaRopeEntry = defineKernelEntry({
  kernel: mlaRope,
  samples: forDTypes("T", ["f32", "f16", "bf16"], ROPE_PROBLEMS),
  inputs: ropeInputs,
  reference,
  bytes: (problem) => 2 * storageBytes(dtypeOf(problem, "T"), rotatedElements(problem)),
  flops: (problem) => 3 * rotatedElements(problem),
});
