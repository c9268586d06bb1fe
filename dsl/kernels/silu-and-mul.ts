/** [dsl/kernels] The gate of a gated MLP: silu of one half of the projection times the other half. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cast, cdiv, load, pid, silu, store, tile } from "../ops/catalogue.ts";
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
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y = silu(x[:, 0]) · x[:, 1] with silu(v) = v / (1 + e^-v), in f32 and rounded once.
 * @param x `[R, 2, I]`: gate, then up
 * @returns y `[R, I]`
 * @source arXiv 2002.05202 (GLU variants)
 */
export const siluAndMul = kernel(
  {
    name: "silu_and_mul",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "R", 2, "I"), y: out("T", "R", "I") },
    config: { BR: 1, BI: 1024 },
    tune: { BR: [1, 2, 4], BI: [256, 512, 1024, 2048] },
    grid: ({ R, I }, { BR, BI }) => [cdiv(R, BR), cdiv(I, BI)],
  },
  ({ x, y, T }, { BR, BI }) => {
    const rows = tile(pid(0), BR);
    const columns = tile(pid(1), BI);
    const gate = cast(load(x, [rows, 0, columns]), "f32");
    const up = cast(load(x, [rows, 1, columns]), "f32");
    store(y, [rows, columns], cast(silu(gate) * up, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, I: 8 } },
  { name: "one of one", seed: 2, dims: { R: 1, I: 1 } },
  { name: "prime sizes", seed: 3, dims: { R: 5, I: 37 }, config: { BR: 2, BI: 32 } },
  { name: "block - 1", seed: 4, dims: { R: 3, I: 127 }, config: { BR: 4, BI: 128 } },
  { name: "block + 1", seed: 5, dims: { R: 5, I: 129 }, config: { BR: 4, BI: 128 } },
  { name: "large arguments", seed: 6, dims: { R: 2, I: 64 }, options: { deviation: 60 } },
  { name: "default blocks", seed: 7, dims: { R: 2, I: 1376 } },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const shape = [dimOf(problem, "R"), 2, dimOf(problem, "I")];
  const deviation = problem.options?.["deviation"] ?? 2;
  return {
    tensors: { x: randomTensor(random, dtypeOf(problem, "T"), shape, deviation) },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, , width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < width; i++) {
      const gate = elementAt(x, r, 0, i);
      y.set((gate / (1 + Math.exp(-gate))) * elementAt(x, r, 1, i), r, i);
    }
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: 1 } } };
}

export const siluAndMulEntry = defineKernelEntry({
  kernel: siluAndMul,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), 3 * dimOf(problem, "R") * dimOf(problem, "I")),
  flops: (problem) => 5 * dimOf(problem, "R") * dimOf(problem, "I"),
});
