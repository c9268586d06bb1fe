/** [dsl/kernels] The state-space scan of Mamba-2 in chunks: any batch of sequences, states in slots. One token a sequence: ssd-step.ts. */
import { inout, kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  axis,
  cast,
  cumsum,
  dot,
  exp,
  floordiv,
  iota,
  load,
  pid,
  range,
  span,
  store,
  sum,
  where,
  zeros,
} from "../ops/catalogue.ts";
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
 * For each head, along each sequence: state = state · e^(dt · A) + dt · x ⊗ B, y = state · C + skip · x, where A = -e^aLog and
 * dt = softplus(proj + dtBias) within [dtMin, dtMax]; all in f32. Chunks of BT tokens are products of tiles: within a chunk
 * y = (C·Bᵀ ∘ decay) · (dt · x), from before it C · state. One program a head and sequence, which carries the state.
 * @param x `[N, C]`: H·P inputs, then B and C of G groups with NS numbers each; head h is of group floor(h · G / H)
 * @param proj `[N, W]`: steps before the softplus from column `dtColumn` on, one a head
 * @param heads f32 `[3, H]`: aLog, skip, dtBias
 * @param state f32 `[NB, H, P, NS]`, in place; not read for a sequence without a past, not written for one without new tokens
 * @param table i32 `[S, MAXB]`: the slot of each sequence is the first of its row
 * @param queryStart i32 `[S + 1]`, rising
 * @param lens i32 `[S]`: past and new tokens of each sequence
 * @returns y `[N, H, P]`
 * @source arXiv 2405.21060 sections 6 and 7 (state-space duality, chunked)
 */
export const ssdScan = kernel(
  {
    name: "ssd_scan",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "N", "C"),
      proj: tensor("T", "N", "W"),
      heads: tensor("f32", 3, "H"),
      state: inout("f32", "NB", "H", "P", "NS"),
      table: tensor("i32", "S", "MAXB"),
      queryStart: tensor("i32", "S1"),
      lens: tensor("i32", "S"),
      y: out("T", "N", "H", "P"),
      dtColumn: scalar("i32"),
      dtMin: scalar("f32"),
      dtMax: scalar("f32"),
    },
    config: { BT: 16 },
    tune: { BT: [16, 32, 64] },
    specialize: ["P", "NS"],
    grid: ({ H, S }) => [H, S],
  },
  (args, { BT }) => {
    const { x, proj, heads, state, table, queryStart, lens, y } = args;
    const { dtColumn, dtMin, dtMax, C, H, P, NS, T } = args;
    const h = pid(0);
    const s = pid(1);
    const start = load(queryStart, [s]);
    const end = load(queryStart, [s + 1]);
    if (start < end) {
      const slot = load(table, [s, 0]);
      const hasPast = load(lens, [s]) > end - start;
      const a = -exp(load(heads, [0, h]));
      const bias = load(heads, [2, h]);
      const groups = floordiv(C - H * P, 2 * NS);
      const group = floordiv(h, floordiv(H, groups));
      const bAt = H * P + group * NS;
      const J = axis("J", BT); // tokens of the chunk as those that give, beside BT as those that take
      let carried =
        zeros("f32", P, NS) + load(state, [slot, h, all(P), all(NS)], { mask: hasPast });
      for (const t0 of range(start, end, BT)) {
        const [takers, givers] = [span(t0, BT, end), span(t0, J, end)];
        const dtTake = timeStep(load(proj, [takers, dtColumn + h]), bias, dtMin, dtMax);
        const dtGive = timeStep(load(proj, [givers, dtColumn + h]), bias, dtMin, dtMax);
        const logTake = where(t0 + iota(BT) < end, dtTake * a, 0);
        const logGive = where(t0 + iota(J) < end, dtGive * a, 0);
        const [sinceTake, sinceGive] = [cumsum(logTake, "BT"), cumsum(logGive, "J")];
        const whole = sum(logTake, "BT");
        const inputs = cast(load(x, [givers, span(h * P, P)]), "f32"); // [J, P]
        const b = cast(load(x, [givers, span(bAt, NS)]), "f32"); // [J, NS]
        const c = cast(load(x, [takers, span(bAt + groups * NS, NS)]), "f32"); // [BT, NS]
        const decay = exp(where(iota(J) <= iota(BT), sinceTake - sinceGive, -Infinity));
        const within = dot(dot(c, b) * decay * dtGive, inputs); // [BT, P]
        const before = dot(c * exp(sinceTake), carried); // [BT, P]
        const own = cast(load(x, [takers, span(h * P, P)]), "f32");
        const result = within + before + load(heads, [1, h]) * own;
        store(y, [takers, h, all(P)], cast(result, T));
        const weight = dtGive * exp(whole - sinceGive); // [J]
        carried = carried * exp(whole) + dot(inputs * weight, b);
      }
      store(state, [slot, h, all(P), all(NS)], carried);
    }
  },
);

const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  scanProblem("no sequences", 1, [], { heads: 1, headDim: 8, stateSize: 8, groups: 1 }),
  scanProblem(
    "ragged with past, groups",
    3,
    [seq(5, 5), seq(1, 9), seq(0, 4), seq(37, 38), seq(1, 1)],
    {
      heads: 4,
      headDim: 16,
      stateSize: 16,
      groups: 2,
    },
  ),
  scanProblem("default blocks", 4, [seq(33, 33), seq(7, 20)], {
    heads: 2,
    headDim: 32,
    stateSize: 64,
    groups: 1,
  }),
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const batch = batchTensors(problem, random);
  const shape = ["NB", "H", "P", "NS"].map((dim) => dimOf(problem, dim));
  return {
    tensors: {
      ...scanTensors(problem, random),
      state: stateTensor(problem, random, batch.table, "f32", shape),
      ...batch,
    },
    scalars: { dtColumn: problem.options?.["dtColumn"] ?? 0, ...DT_RANGE },
  };
}

export const ssdScanEntry = defineKernelEntry({
  kernel: ssdScan,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference: scanReference,
  bytes: scanBytes,
  flops: (problem) => {
    const [n, h] = [dimOf(problem, "N"), dimOf(problem, "H")];
    const [p, ns] = [dimOf(problem, "P"), dimOf(problem, "NS")];
    const chunk = Number(problem.config?.["BT"] ?? ssdScan.config.BT);
    return 2 * n * h * (chunk * (ns + p) + 2 * p * ns);
  },
});
