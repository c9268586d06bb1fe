/** [dsl/kernels] The gate of a gated MLP with gelu: gelu of one half of the projection times the other half. With silu: silu-and-mul.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cast, cdiv, gelu, geluTanh, load, pid, store, tile } from "../ops/catalogue.ts";
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
import { exactGelu, tanhGelu } from "./gelu-reference.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * y = gelu(x[:, 0]) · x[:, 1], in f32 and rounded once; gelu by tanh, or by erf where config EXACT is true.
 * @param x `[R, 2, I]`: gate, then up
 * @returns y `[R, I]`
 * @source arXiv 1606.08415 (GELU and its tanh approximation), arXiv 2002.05202 (GLU variants)
 */
export const geluAndMul = kernel(
  {
    name: "gelu_and_mul",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "R", 2, "I"), y: out("T", "R", "I") },
    config: { BR: 1, BI: 1024, EXACT: false },
    tune: { BR: [1, 2, 4], BI: [256, 512, 1024, 2048] },
    grid: ({ R, I }, { BR, BI }) => [cdiv(R, BR), cdiv(I, BI)],
  },
  ({ x, y, T }, { BR, BI, EXACT }) => {
    const rows = tile(pid(0), BR);
    const columns = tile(pid(1), BI);
    const gate = cast(load(x, [rows, 0, columns]), "f32");
    const up = cast(load(x, [rows, 1, columns]), "f32");
    store(y, [rows, columns], cast((EXACT ? gelu(gate) : geluTanh(gate)) * up, T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, I: 8 } },
  { name: "one of one", seed: 2, dims: { R: 1, I: 1 } },
  { name: "by erf", seed: 3, dims: { R: 5, I: 37 }, config: { BR: 2, BI: 32, EXACT: true } },
  { name: "block - 1", seed: 4, dims: { R: 3, I: 127 }, config: { BR: 4, BI: 128 } },
  { name: "large arguments", seed: 5, dims: { R: 2, I: 64 }, options: { deviation: 60 } },
  { name: "default blocks", seed: 6, dims: { R: 2, I: 1376 } },
];

function inputs(problem: Problem): KernelInputs {
  const shape = [dimOf(problem, "R"), 2, dimOf(problem, "I")];
  const deviation = problem.options?.["deviation"] ?? 2;
  const random = randomSource(problem.seed);
  return {
    tensors: { x: randomTensor(random, dtypeOf(problem, "T"), shape, deviation) },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const y = editable(tensorOf(call, "y"));
  const activation = call.problem.config?.["EXACT"] === true ? exactGelu : tanhGelu;
  const [rows = 0, , width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < width; i++) {
      y.set(activation(elementAt(x, r, 0, i)) * elementAt(x, r, 1, i), r, i);
    }
  }
  const deviation = call.problem.options?.["deviation"] ?? 2;
  // Left of zero 1 + tanh cancels: the error is one of numbers near 1, times gate and up.
  const tolerance = { kind: "rounding" as const, length: 1, scale: 9 * deviation * deviation };
  return { y: { data: y.data, tolerance } };
}

export const geluAndMulEntry = defineKernelEntry({
  kernel: geluAndMul,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), 3 * dimOf(problem, "R") * dimOf(problem, "I")),
  flops: (problem) => 10 * dimOf(problem, "R") * dimOf(problem, "I"),
});
