/** [dsl/kernels] What the linear kernels share: sample problems, inputs, reference and cost. No kernel is defined here. */
import { type DType, storageBytes } from "../core/dtype.ts";
import { deviceFunction } from "../language.ts";
import { silu } from "../ops/catalogue.ts";
import {
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/** Epilogue of the samples whose `options.silu` is 1. */
export const siluEpilogue = deviceFunction((x: number) => silu(x));

const DTYPE_PAIRS: readonly { readonly T: DType; readonly O: DType }[] = [
  { T: "f32", O: "f32" },
  { T: "f16", O: "f16" },
  { T: "bf16", O: "bf16" },
  { T: "bf16", O: "f32" },
];

/** The problems, each once for every pair of input and output dtypes. */
export function linearProblems(problems: readonly Omit<Problem, "dtypes">[]): readonly Problem[] {
  return problems.flatMap((problem) =>
    DTYPE_PAIRS.map((dtypes) => ({
      ...problem,
      name: `${problem.name}, T=${dtypes.T} O=${dtypes.O}`,
      dtypes,
      ...(problem.options?.["silu"] === 1 ? { functions: { epilogue: siluEpilogue } } : {}),
    })),
  );
}

/** Inputs of x and w, and of the bias where the kernel has one. */
export function linearInputs(problem: Problem, hasBias: boolean): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [m, n, k] = [dimOf(problem, "M"), dimOf(problem, "N"), dimOf(problem, "K")];
  return {
    tensors: {
      x: randomTensor(random, dtype, [m, k]),
      w: randomTensor(random, dtype, [n, k], 1 / Math.sqrt(k)),
      ...(hasBias ? { bias: randomTensor(random, dtype, [n]) } : {}),
    },
    scalars: {},
  };
}

/** y = epilogue(x·wᵀ + bias), element by element. */
export function linearReference(call: ReferenceCall) {
  const [x, w] = [tensorOf(call, "x"), tensorOf(call, "w")];
  const bias = call.tensors["bias"];
  const y = editable(tensorOf(call, "y"));
  const [rows = 0, length = 0] = x.shape;
  const [columns = 0] = w.shape;
  const isSilu = call.problem.options?.["silu"] === 1;
  let scale = 0;
  for (let m = 0; m < rows; m++) {
    for (let n = 0; n < columns; n++) {
      let total = bias === undefined ? 0 : elementAt(bias, n);
      let magnitude = Math.abs(total);
      for (let k = 0; k < length; k++) {
        const term = elementAt(x, m, k) * elementAt(w, n, k);
        total += term;
        magnitude += Math.abs(term);
      }
      scale = Math.max(scale, magnitude);
      y.set(isSilu ? total / (1 + Math.exp(-total)) : total, m, n);
    }
  }
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length, scale } } };
}

export function linearBytes(problem: Problem): number {
  const [m, n, k] = [dimOf(problem, "M"), dimOf(problem, "N"), dimOf(problem, "K")];
  return (
    storageBytes(dtypeOf(problem, "T"), m * k + n * k) + storageBytes(dtypeOf(problem, "O"), m * n)
  );
}

export function linearFlops(problem: Problem): number {
  return 2 * dimOf(problem, "M") * dimOf(problem, "N") * dimOf(problem, "K");
}
