/** [dsl/kernels] A product of each head's activations with a weight of its own: what absorbs the up-projections of latent attention. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import { cast, cdiv, dot, load, pid, range, span, store, tile, zeros } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y[m, h, n] = Σₖ x[m, h, k] · w[h, first + n, k]; with config TRANSPOSED Σₖ x[m, h, k] · w[h, first + k, n]. Sums in f32, over all k that
 * x has, or with config DEPTH above 0 over the first DEPTH.
 * @param x `[M, H, KX]`; numbers past DEPTH are not read
 * @param w `[H, WR, WC]`, finite
 * @param first row of each head's weight where its part begins
 * @returns y `[M, H, N]`
 * @source arXiv 2405.04434 section 2.1.2 (W^UK absorbed into the queries, W^UV into the outputs)
 */
export const headLinear = kernel(
  {
    name: "head_linear",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "H", "KX"),
      w: tensor("T", "H", "WR", "WC"),
      y: out("T", "M", "H", "N"),
      first: scalar("i32"),
    },
    config: { BM: 16, BN: 64, BK: 32, stages: 2, TRANSPOSED: false, DEPTH: 0 },
    tune: { BM: [16, 32, 64], BN: [32, 64, 128], BK: [16, 32, 64], stages: [1, 2, 3, 4] },
    grid: ({ M, H, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN), H],
  },
  ({ x, w, y, first, KX, N, T }, { BM, BN, BK, stages, TRANSPOSED, DEPTH }) => {
    const rows = tile(pid(0), BM);
    const h = pid(2);
    const n0 = pid(1) * BN;
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, DEPTH === 0 ? KX : DEPTH, BK, { stages })) {
      const terms = DEPTH === 0 ? span(k, BK) : span(k, BK, DEPTH);
      const a = load(x, [rows, h, terms]); // 0 past the last term
      const b = TRANSPOSED
        ? load(w, [h, span(first + k, BK), span(n0, BN)])
        : load(w, [h, span(first + n0, BN, first + N), terms]);
      acc = dot(a, b, acc);
    }
    store(y, [rows, h, span(n0, BN)], cast(acc, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { M: 0, H: 2, KX: 16, WR: 24, WC: 16, N: 8 } },
  {
    name: "second part of the rows",
    seed: 2,
    dims: { M: 5, H: 3, KX: 32, WR: 40, WC: 32, N: 24 },
    config: { BN: 16, BK: 16 },
    options: { first: 16 },
  },
  {
    name: "rows as terms, part of a head",
    seed: 3,
    dims: { M: 17, H: 2, KX: 24, WR: 36, WC: 40, N: 40 },
    config: { BK: 16, TRANSPOSED: true, DEPTH: 18 },
  },
  { name: "default blocks", seed: 4, dims: { M: 17, H: 2, KX: 96, WR: 70, WC: 96, N: 70 } },
];

function depthOf(problem: Problem): number {
  return Number(problem.config?.["DEPTH"] ?? 0) || dimOf(problem, "KX");
}

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const shape = (...dims: readonly string[]) => dims.map((dim) => dimOf(problem, dim));
  const [depth, width] = [depthOf(problem), dimOf(problem, "KX")];
  return {
    tensors: {
      // What lies past the last term must not be read.
      x: hostTensor(dtype, shape("M", "H", "KX"), (i) =>
        i % width < depth ? random.normal() : Number.NaN,
      ),
      w: randomTensor(random, dtype, shape("H", "WR", "WC"), 1 / Math.sqrt(depth)),
    },
    scalars: { first: problem.options?.["first"] ?? 0 },
  };
}

function reference(call: ReferenceCall) {
  const [x, w] = [tensorOf(call, "x"), tensorOf(call, "w")];
  const y = editable(tensorOf(call, "y"));
  const [first, depth] = [scalarOf(call, "first"), depthOf(call.problem)];
  const isTransposed = call.problem.config?.["TRANSPOSED"] === true;
  const [rows = 0, heads = 0] = x.shape;
  let scale = 0;
  for (let m = 0; m < rows; m++) {
    for (let h = 0; h < heads; h++) {
      for (let n = 0; n < dimOf(call.problem, "N"); n++) {
        let [total, magnitude] = [0, 0];
        for (let k = 0; k < depth; k++) {
          const [row, column] = isTransposed ? [first + k, n] : [first + n, k];
          const term = elementAt(x, m, h, k) * elementAt(w, h, row, column);
          total += term;
          magnitude += Math.abs(term);
        }
        scale = Math.max(scale, magnitude);
        y.set(total, m, h, n);
      }
    }
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: depth, scale } } };
}

export const headLinearEntry = defineKernelEntry({
  kernel: headLinear,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const [m, h, n] = [dimOf(problem, "M"), dimOf(problem, "H"), dimOf(problem, "N")];
    const depth = depthOf(problem);
    return storageBytes(dtypeOf(problem, "T"), h * (m * depth + n * depth + m * n));
  },
  flops: (problem) =>
    2 * dimOf(problem, "M") * dimOf(problem, "H") * dimOf(problem, "N") * depthOf(problem),
});
