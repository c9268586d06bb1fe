/** [dsl/kernels] The state-space recurrence of Mamba-2 for one token a sequence. Several tokens: ssd-scan.ts. */
import { inout, kernel, out, scalar, tensor } from "../language.ts";
import { all, cast, exp, floordiv, load, pid, span, store, sum, zeros } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type Sequence,
} from "./define-kernel-entry.ts";
import { randomSource } from "./sample-data.ts";
import { scanBytes, scanProblem, scanReference, timeStep } from "./ssd-reference.ts";
import { batchTensors, DT_RANGE, scanTensors, stateTensor } from "./ssm-samples.ts";

/**
 * Like `ssdScan` where row s is the only new token of sequence s. One program a head and sequence.
 * @param x `[S, C]`: H·P inputs, then B and C of G groups with NS numbers each
 * @param proj `[S, W]`: steps before the softplus from column `dtColumn` on, one a head
 * @param heads f32 `[3, H]`: aLog, skip, dtBias
 * @param state f32 `[NB, H, P, NS]`, in place; not read for the first token of a sequence
 * @param table i32 `[S, MAXB]`: the slot of each sequence is the first of its row
 * @param lens i32 `[S]`: tokens of each sequence, the new one included; 0 for a padding row
 * @returns y `[S, H, P]`
 * @source arXiv 2405.21060 section 2 (the recurrence)
 */
export const ssdStep = kernel(
  {
    name: "ssd_step",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "S", "C"),
      proj: tensor("T", "S", "W"),
      heads: tensor("f32", 3, "H"),
      state: inout("f32", "NB", "H", "P", "NS"),
      table: tensor("i32", "S", "MAXB"),
      lens: tensor("i32", "S"),
      y: out("T", "S", "H", "P"),
      dtColumn: scalar("i32"),
      dtMin: scalar("f32"),
      dtMax: scalar("f32"),
    },
    specialize: ["P", "NS"],
    grid: ({ H, S }) => [H, S],
  },
  (args) => {
    const { x, proj, heads, state, table, lens, y, dtColumn, dtMin, dtMax } = args;
    const { C, H, P, NS, T } = args;
    const h = pid(0);
    const s = pid(1);
    const len = load(lens, [s]);
    if (len > 0) {
      const slot = load(table, [s, 0]);
      const groups = floordiv(C - H * P, 2 * NS);
      const bAt = H * P + floordiv(h, floordiv(H, groups)) * NS;
      const dt = timeStep(load(proj, [s, dtColumn + h]), load(heads, [2, h]), dtMin, dtMax);
      const decay = exp(-dt * exp(load(heads, [0, h])));
      const place = load(state, [slot, h, all(P), all(NS)], { mask: len > 1 });
      const input = cast(load(x, [s, span(h * P, P)]), "f32");
      const b = cast(load(x, [s, span(bAt, NS)]), "f32");
      const c = cast(load(x, [s, span(bAt + groups * NS, NS)]), "f32");
      const next = zeros("f32", P, NS) + place * decay + input * dt * b;
      store(state, [slot, h, all(P), all(NS)], next);
      store(y, [s, h, all(P)], cast(sum(next * c, "NS") + load(heads, [1, h]) * input, T));
    }
  },
);

const one = (length: number): Sequence => ({ queries: 1, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  scanProblem("no sequences", 1, [], { heads: 1, headDim: 8, stateSize: 8, groups: 1 }),
  scanProblem("first tokens", 2, [one(1), one(1)], {
    heads: 1,
    headDim: 8,
    stateSize: 8,
    groups: 1,
  }),
  scanProblem("groups", 3, [one(9), one(1), one(40)], {
    heads: 4,
    headDim: 16,
    stateSize: 24,
    groups: 2,
  }),
  scanProblem("state of 128", 4, [one(9), one(5)], {
    heads: 2,
    headDim: 64,
    stateSize: 128,
    groups: 1,
  }),
].map(({ dims: { N: _, S1: __, ...dims }, ...problem }) => ({ ...problem, dims }));

/** With the dims that other kernels over sequences have: tokens, and starts of sequences. */
function withTokens(problem: Problem): Problem {
  const sequences = dimOf(problem, "S");
  return { ...problem, dims: { ...problem.dims, N: sequences, S1: sequences + 1 } };
}

function inputs(step: Problem): KernelInputs {
  const problem = withTokens(step);
  const random = randomSource(problem.seed);
  const { table, lens } = batchTensors(problem, random);
  const shape = ["NB", "H", "P", "NS"].map((dim) => dimOf(problem, dim));
  const state = stateTensor(problem, random, table, "f32", shape);
  return {
    tensors: { ...scanTensors(problem, random), state, table, lens },
    scalars: { dtColumn: problem.options?.["dtColumn"] ?? 0, ...DT_RANGE },
  };
}

export const ssdStepEntry = defineKernelEntry({
  kernel: ssdStep,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference: (call) => scanReference({ ...call, problem: withTokens(call.problem) }),
  bytes: (problem) => scanBytes(withTokens(problem)),
  flops: (problem) =>
    6 * dimOf(problem, "S") * dimOf(problem, "H") * dimOf(problem, "P") * dimOf(problem, "NS"),
});
