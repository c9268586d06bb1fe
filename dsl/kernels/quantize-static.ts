/** [dsl/kernels] Activations to 8 bits by one scale that a checkpoint brings. Scales found from the activations are in quantize-rows.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cast, cdiv, full, load, pid, store, tile } from "../ops/catalogue.ts";
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
 * q = x / scale, saturating; the scale once more for each row, as products take it.
 * @param x `[R, H]`
 * @param scale `[1]`, > 0
 * @returns q `[R, H]`; rowScale `[R]`
 */
export const quantizeStatic = kernel(
  {
    name: "quantize_static",
    dtypes: { T: ["bf16", "f16", "f32"], Q: ["f8e4m3", "i8"] },
    params: {
      x: tensor("T", "R", "H"),
      scale: tensor("f32", 1),
      q: out("Q", "R", "H"),
      rowScale: out("f32", "R"),
    },
    config: { BR: 1, BH: 1024 },
    tune: { BR: [1, 2, 4], BH: [256, 512, 1024, 2048] },
    grid: ({ R, H }, { BR, BH }) => [cdiv(R, BR), cdiv(H, BH)],
  },
  ({ x, scale, q, rowScale, Q }, { BR, BH }) => {
    const at = [tile(pid(0), BR), tile(pid(1), BH)] as const;
    const by = load(scale, [0]);
    store(q, at, cast(wholeFor(Q, cast(load(x, at), "f32") / by), Q));
    if (pid(1) === 0) store(rowScale, [tile(pid(0), BR)], full("f32", by, BR));
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no rows", seed: 1, dims: { R: 0, H: 8 } },
  { name: "prime", seed: 2, dims: { R: 3, H: 61 }, config: { BR: 2, BH: 32 } },
  { name: "blocks and more, some too large", seed: 3, dims: { R: 2, H: 1100 } },
];

function inputs(problem: Problem): KernelInputs {
  const shape = [dimOf(problem, "R"), dimOf(problem, "H")];
  const x = randomTensor(randomSource(problem.seed), dtypeOf(problem, "T"), shape);
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
    q.data[i] = codeOf(dtype, scaled);
    return [codeOf(dtype, scaled - slack), codeOf(dtype, scaled + slack)];
  });
  const rowScale = new Float64Array(dimOf(call.problem, "R")).fill(scale);
  return {
    q: { data: q.data, tolerance: { kind: "choice" as const, allowed } },
    rowScale: { data: rowScale, tolerance: { kind: "exact" as const } },
  };
}

export const quantizeStaticEntry = defineKernelEntry({
  kernel: quantizeStatic,
  samples: quantizeProblems(SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const elements = dimOf(problem, "R") * dimOf(problem, "H");
    return storageBytes(dtypeOf(problem, "T"), elements) + elements + 4 * dimOf(problem, "R");
  },
  flops: (problem) => 2 * dimOf(problem, "R") * dimOf(problem, "H"),
});
