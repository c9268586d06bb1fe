/** [dsl/kernels] Scale and soft cap of logits, in place. */
import { inout, kernel, scalar } from "../language.ts";
import { cdiv, load, pid, store, tanh, tile, where } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * x = cap · tanh(x · scale / cap); x · scale where cap is 0.
 * @param x f32 `[R, V]`
 * @param scale unitless
 * @param cap bound of the result, ≥ 0
 * @source arXiv 2408.00118 (Gemma 2: logit soft-capping)
 */
export const capLogits = kernel(
  {
    name: "cap_logits",
    params: { x: inout("f32", "R", "V"), scale: scalar("f32"), cap: scalar("f32") },
    config: { BV: 1024 },
    tune: { BV: [256, 512, 1024, 2048] },
    grid: ({ R, V }, { BV }) => [R, cdiv(V, BV)],
  },
  ({ x, scale, cap }, { BV }) => {
    const columns = tile(pid(1), BV);
    const v = load(x, [pid(0), columns]) * scale;
    const bound = where(cap > 0, cap, 1);
    store(x, [pid(0), columns], where(cap > 0, tanh(v / bound) * bound, v));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, V: 8 } },
  { name: "scale alone", seed: 2, dims: { R: 3, V: 61 }, config: { BV: 32 } },
  { name: "block - 1", seed: 3, dims: { R: 2, V: 63 }, config: { BV: 64 }, options: { cap: 5 } },
  { name: "default block", seed: 4, dims: { R: 2, V: 1030 }, options: { cap: 30 } },
];

function inputs(problem: Problem): KernelInputs {
  const shape = [dimOf(problem, "R"), dimOf(problem, "V")];
  return {
    tensors: { x: randomTensor(randomSource(problem.seed), "f32", shape, 20) },
    scalars: { scale: 0.75, cap: problem.options?.["cap"] ?? 0 },
  };
}

function reference(call: ReferenceCall) {
  const before = tensorOf(call, "x");
  const x = editable(before);
  const [scale, cap] = [scalarOf(call, "scale"), scalarOf(call, "cap")];
  const [rows = 0, width = 0] = before.shape;
  for (let r = 0; r < rows; r++) {
    for (let v = 0; v < width; v++) {
      const scaled = elementAt(before, r, v) * scale;
      x.set(cap > 0 ? cap * Math.tanh(scaled / cap) : scaled, r, v);
    }
  }
  return { x: { data: x.data, tolerance: { kind: "rounding" as const, length: 1, scale: 30 } } };
}

export const capLogitsEntry = defineKernelEntry({
  kernel: capLogits,
  samples: SHAPES.map((problem) => ({ ...problem, dtypes: {} })),
  inputs,
  reference,
  bytes: (problem) => 8 * dimOf(problem, "R") * dimOf(problem, "V"),
  flops: (problem) => 4 * dimOf(problem, "R") * dimOf(problem, "V"),
});
