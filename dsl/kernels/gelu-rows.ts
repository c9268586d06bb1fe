/** [dsl/kernels] The activation of a plain MLP: gelu of every element. The gated form is in gelu-and-mul.ts. */
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
 * y = gelu(x), in f32 and rounded once; gelu by tanh, or by erf where config EXACT is true.
 * @param x `[R, I]`
 * @returns y `[R, I]`
 * @source arXiv 1606.08415 (GELU and its tanh approximation)
 */
export const geluRows = kernel(
  {
    name: "gelu_rows",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "R", "I"), y: out("T", "R", "I") },
    config: { BR: 1, BI: 1024, EXACT: false },
    tune: { BR: [1, 2, 4], BI: [256, 512, 1024, 2048] },
    grid: ({ R, I }, { BR, BI }) => [cdiv(R, BR), cdiv(I, BI)],
  },
  ({ x, y, T }, { BR, BI, EXACT }) => {
    const rows = tile(pid(0), BR);
    const columns = tile(pid(1), BI);
    const v = cast(load(x, [rows, columns]), "f32");
    store(y, [rows, columns], cast(EXACT ? gelu(v) : geluTanh(v), T));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, I: 8 } },
  { name: "by erf", seed: 2, dims: { R: 5, I: 37 }, config: { BR: 2, BI: 32, EXACT: true } },
  { name: "block + 1", seed: 3, dims: { R: 3, I: 129 }, config: { BR: 4, BI: 128 } },
  { name: "default blocks", seed: 4, dims: { R: 2, I: 1376 } },
];

function inputs(problem: Problem): KernelInputs {
  const shape = [dimOf(problem, "R"), dimOf(problem, "I")];
  const random = randomSource(problem.seed);
  return { tensors: { x: randomTensor(random, dtypeOf(problem, "T"), shape, 2) }, scalars: {} };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const y = editable(tensorOf(call, "y"));
  const activation = call.problem.config?.["EXACT"] === true ? exactGelu : tanhGelu;
  const [rows = 0, width = 0] = x.shape;
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < width; i++) y.set(activation(elementAt(x, r, i)), r, i);
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length: 1, scale: 6 } } };
}

export const geluRowsEntry = defineKernelEntry({
  kernel: geluRows,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), 2 * dimOf(problem, "R") * dimOf(problem, "I")),
  flops: (problem) => 9 * dimOf(problem, "R") * dimOf(problem, "I"),
});
