/** [dsl/kernels] Activations to 8 bits by one scale that a checkpoint brings. Scales found from the activations are in quantize-rows.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cast, cdiv, load, pid, store, tile } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { wholeFor } from "./quantize-row.ts";
import { codeOf, quantizeProblems } from "./quantize-samples.ts";
import { editable, floatTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * q = x / scale, saturating.
 * @param x `[E]`
 * @param scale `[1]`, > 0
 * @returns q `[E]`
 */
export const quantizeStatic = kernel(
  {
    name: "quantize_static",
    dtypes: { T: ["bf16", "f16", "f32"], Q: ["f8e4m3", "i8"] },
    params: { x: tensor("T", "E"), scale: tensor("f32", 1), q: out("Q", "E") },
    config: { B: 1024 },
    tune: { B: [256, 512, 1024, 2048] },
    grid: ({ E }, { B }) => cdiv(E, B),
  },
  ({ x, scale, q, Q }, { B }) => {
    const at = tile(pid(0), B);
    const scaled = cast(load(x, [at]), "f32") / load(scale, [0]);
    store(q, [at], cast(wholeFor(Q, scaled), Q));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "nothing", seed: 1, dims: { E: 0 } },
  { name: "prime", seed: 2, dims: { E: 61 } },
  { name: "blocks and more, some too large", seed: 3, dims: { E: 3077 } },
];

function inputs(problem: Problem): KernelInputs {
  const x = randomTensor(randomSource(problem.seed), dtypeOf(problem, "T"), [dimOf(problem, "E")]);
  const most = dtypeOf(problem, "Q") === "i8" ? 127 : 448;
  return { tensors: { x, scale: floatTensor([Math.fround(2.5 / most)]) }, scalars: {} };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const scale = tensorOf(call, "scale").data[0] ?? Number.NaN;
  const dtype = dtypeOf(call.problem, "Q");
  const q = editable(tensorOf(call, "q"));
  const allowed = Array.from(x.data, (value, i): readonly number[] => {
    const scaled = value / scale;
    const slack = Math.max(Math.abs(scaled), 1) * 2 ** -22;
    q.set(codeOf(dtype, scaled), i);
    return [codeOf(dtype, scaled - slack), codeOf(dtype, scaled + slack)];
  });
  return { q: { data: q.data, tolerance: { kind: "choice" as const, allowed } } };
}

export const quantizeStaticEntry = defineKernelEntry({
  kernel: quantizeStatic,
  samples: quantizeProblems(SHAPES),
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes(dtypeOf(problem, "T"), dimOf(problem, "E")) + dimOf(problem, "E"),
  flops: (problem) => 2 * dimOf(problem, "E"),
});
