/** [runtime/conformance] What a case must give: its own reference, else a checked run of the interpreter. */
import {
  decodeArray,
  encodeArray,
  lowerKernel,
  prepareInterpreter,
  type TensorArgument,
} from "../../dsl/index.ts";
import type { ExpectedTensor } from "../../dsl/kernels/catalogue.ts";
import type { CaseData, ConformanceCase } from "./case.ts";

/** Sizes of all dims, from the shapes of the tensors. */
export function dimsOf(test: ConformanceCase, data: CaseData): Readonly<Record<string, number>> {
  const dims: Record<string, number> = {};
  for (const [name, spec] of Object.entries(test.kernel.params)) {
    if (spec.kind !== "tensor") continue;
    for (const [i, dim] of spec.shape.entries())
      if (typeof dim === "string") dims[dim] = data.tensors[name]?.shape[i] ?? 0;
  }
  return dims;
}

/**
 * Whole contents of every output after the launch.
 * @throws KernelRunError where the checks of the interpreter find the case itself at fault
 */
export function expectedOf(
  test: ConformanceCase,
  data: CaseData,
): Readonly<Record<string, ExpectedTensor>> {
  if (data.expected !== undefined) return data.expected;
  const dims = dimsOf(test, data);
  const fixed = Object.fromEntries(
    test.kernel.specialize.map((dim) => [dim, dims[dim] ?? 0] as const),
  );
  const { tile } = lowerKernel(test.kernel, { ...test.specialization, dims: fixed });
  const tensors: Record<string, TensorArgument> = {};
  for (const [name, tensor] of Object.entries(data.tensors))
    tensors[name] = { data: encodeArray(tensor.dtype, tensor.data), shape: tensor.shape };
  const grid = test.kernel.grid(dims, { ...test.kernel.config, ...test.specialization.config });
  const program = prepareInterpreter(tile, { checks: test.checked === false ? "off" : "full" });
  program.run({ tensors, scalars: data.scalars, grid: typeof grid === "number" ? [grid] : grid });
  const expected: Record<string, ExpectedTensor> = {};
  for (const param of tile.params) {
    const argument = tensors[param.name];
    const before = data.tensors[param.name];
    if (param.kind !== "tensor" || param.access === "in" || !argument || !before) continue;
    expected[param.name] = {
      data: Float64Array.from(decodeArray(param.dtype, argument.data, before.data.length)),
      tolerance: test.tolerance?.[param.name] ?? { kind: "exact" },
    };
  }
  return expected;
}
