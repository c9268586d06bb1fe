/** [dsl/kernels] Keys or values of heads from latents (MLA): a product of shared rows with a weight of each head's own. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  cast,
  cdiv,
  dot,
  floordiv,
  load,
  mod,
  pid,
  range,
  span,
  store,
  tile,
  zeros,
} from "../ops/catalogue.ts";
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
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y[c, h, n] = Σᵣ x[c, r] · w[firstHead + h, first + n, r] for n < WIDTH, sums in f32; columns of y past WIDTH are not written.
 * Heads run side by side, so that rows of x are read once.
 * @param x `[C, R]`
 * @param w `[HW, WR, R]`, finite
 * @param firstHead head of w that is y's first
 * @param first row of each head's weight where its part begins
 * @returns y `[C, H, NY]`, NY ≥ WIDTH
 * @source arXiv 2405.04434 section 2.1.2 (W^UK and W^UV, not absorbed)
 */
export const mlaExpand = kernel(
  {
    name: "mla_expand",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "C", "R"),
      w: tensor("T", "HW", "WR", "R"),
      y: out("T", "C", "H", "NY"),
      firstHead: scalar("i32"),
      first: scalar("i32"),
    },
    config: { BM: 16, BN: 64, BK: 32, stages: 2, WIDTH: 64 },
    tune: { BM: [64, 128, 256], BN: [64, 128], BK: [32, 64], stages: [2, 3, 4] },
    grid: ({ C, H }, { BM, BN, WIDTH }) => [H * cdiv(WIDTH, BN), cdiv(C, BM)],
  },
  ({ x, w, y, firstHead, first, R, H, T }, { BM, BN, BK, stages, WIDTH }) => {
    const h = mod(pid(0), H);
    const n0 = floordiv(pid(0), H) * BN;
    const rows = tile(pid(1), BM);
    let acc = zeros("f32", BM, BN);
    for (const r of range(0, R, BK, { stages })) {
      const a = load(x, [rows, span(r, BK)]);
      const b = load(w, [firstHead + h, span(first + n0, BN), span(r, BK)]);
      acc = dot(a, b, acc);
    }
    const columns = WIDTH % BN === 0 ? span(n0, BN) : span(n0, BN, WIDTH);
    store(y, [rows, h, columns], cast(acc, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  {
    name: "no rows",
    seed: 1,
    dims: { C: 0, R: 16, HW: 2, WR: 24, H: 2, NY: 8 },
    config: { WIDTH: 8 },
  },
  {
    name: "second part, some heads, columns beside it",
    seed: 2,
    dims: { C: 21, R: 40, HW: 5, WR: 44, H: 2, NY: 30 },
    config: { BN: 16, BK: 16, WIDTH: 20 },
    options: { firstHead: 2, first: 24 },
  },
  {
    name: "default blocks",
    seed: 3,
    dims: { C: 33, R: 96, HW: 3, WR: 128, H: 3, NY: 80 },
  },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const shape = (...dims: readonly string[]) => dims.map((dim) => dimOf(problem, dim));
  const { firstHead = 0, first = 0 } = problem.options ?? {};
  return {
    tensors: {
      x: randomTensor(random, dtype, shape("C", "R")),
      w: randomTensor(random, dtype, shape("HW", "WR", "R"), 1 / Math.sqrt(dimOf(problem, "R"))),
    },
    scalars: { firstHead, first },
  };
}

function widthOf(problem: Problem): number {
  return Number(problem.config?.["WIDTH"] ?? mlaExpand.config.WIDTH);
}

function reference(call: ReferenceCall) {
  const [x, w] = [tensorOf(call, "x"), tensorOf(call, "w")];
  const y = editable(tensorOf(call, "y"));
  const [firstHead, first] = [scalarOf(call, "firstHead"), scalarOf(call, "first")];
  const [rows = 0, rank = 0] = x.shape;
  let scale = 0;
  for (let c = 0; c < rows; c++) {
    for (let h = 0; h < dimOf(call.problem, "H"); h++) {
      for (let n = 0; n < widthOf(call.problem); n++) {
        let [total, magnitude] = [0, 0];
        for (let r = 0; r < rank; r++) {
          const term = elementAt(x, c, r) * elementAt(w, firstHead + h, first + n, r);
          total += term;
          magnitude += Math.abs(term);
        }
        scale = Math.max(scale, magnitude);
        y.set(total, c, h, n);
      }
    }
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: rank, scale } } };
}

export const mlaExpandEntry = defineKernelEntry({
  kernel: mlaExpand,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const [c, h, rank] = [dimOf(problem, "C"), dimOf(problem, "H"), dimOf(problem, "R")];
    const width = widthOf(problem);
    return storageBytes(dtypeOf(problem, "T"), c * rank + h * width * (rank + c));
  },
  flops: (problem) =>
    2 * dimOf(problem, "C") * dimOf(problem, "H") * dimOf(problem, "R") * widthOf(problem),
});
