/** [dsl/kernels] Moves the state of a causal convolution past the tokens of a step. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, scalar, tensor } from "../language.ts";
import { cdiv, load, pid, range, span, store } from "../ops/catalogue.ts";
import { CONV_SEQUENCES, convInput, convProblem } from "./causal-conv.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  type Sequence,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, hostTensor, randomSource } from "./sample-data.ts";
import { batchTensors, placedSequences, stateTensor } from "./ssm-samples.ts";

/**
 * The last K1 inputs of each sequence, oldest first, go to its slot: those of this step from columns of x, older ones from the state
 * itself, zeros before position 0. Rows are written oldest first, so that a row that is still needed lies ahead. One program a sequence
 * and block of channels.
 * @param x `[N, W]`, all sequences one after another
 * @param state `[NB, K1, C]`, in place
 * @param table i32 `[S, MAXB]`: the slot of each sequence is the first of its row
 * @param queryStart i32 `[S + 1]`, rising; a sequence without new tokens keeps its state
 * @param lens i32 `[S]`: past and new tokens of each sequence
 * @param column first column of x
 */
export const convStateWrite = kernel(
  {
    name: "conv_state_write",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "N", "W"),
      state: inout("T", "NB", "K1", "C"),
      table: tensor("i32", "S", "MAXB"),
      queryStart: tensor("i32", "S1"),
      lens: tensor("i32", "S"),
      column: scalar("i32"),
    },
    config: { BC: 128 },
    tune: { BC: [64, 128, 256] },
    specialize: ["K1"],
    grid: ({ S, C }, { BC }) => [cdiv(C, BC), S],
  },
  ({ x, state, table, queryStart, lens, column, C, K1 }, { BC }) => {
    const s = pid(1);
    const rowStart = load(queryStart, [s]);
    const rowEnd = load(queryStart, [s + 1]);
    const count = rowEnd - rowStart;
    if (count > 0) {
      const past = load(lens, [s]) - count;
      const slot = load(table, [s, 0]);
      const c0 = pid(0) * BC;
      const columns = span(c0, BC);
      for (const j of range(K1)) {
        const t = count - K1 + j; // place of the input in this step
        const isFresh = t >= 0;
        const isKept = t < 0 && past + t >= 0;
        const fresh = load(x, [isFresh ? rowStart + t : 0, span(column + c0, BC, column + C)], {
          mask: isFresh,
        });
        const kept = load(state, [slot, isKept ? K1 + t : 0, columns], { mask: isKept });
        store(state, [slot, j, columns], fresh + kept);
      }
    }
  },
);

const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  convProblem("no sequences", 1, [], { channels: 8, width: 4, column: 0 }),
  convProblem("one token", 2, [seq(1, 1)], { channels: 8, width: 4, column: 0 }),
  convProblem(
    "one token each, one without",
    3,
    [seq(1, 3), seq(0, 7), seq(1, 40)],
    { channels: 40, width: 4, column: 8 },
    { BC: 32 },
  ),
  convProblem("default blocks", 4, CONV_SEQUENCES, { channels: 160, width: 4, column: 128 }),
].map(({ dims: { KW: _, ...dims }, ...problem }) => ({ ...problem, dims }));

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [n, w, c, k1] = ["N", "W", "C", "K1"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const batch = batchTensors(problem, random);
  const column = problem.options?.["column"] ?? 0;
  const isRead = (i: number) => i % w >= column && i % w < column + c;
  return {
    tensors: {
      x: hostTensor(dtype, [n, w], (i) => (isRead(i) ? random.normal() : Number.NaN)),
      state: stateTensor(problem, random, batch.table, dtype, [dimOf(problem, "NB"), k1, c]),
      ...batch,
    },
    scalars: { column },
  };
}

function reference(call: ReferenceCall) {
  const before = tensorOf(call, "state");
  const state = editable(before);
  const [, kept = 0, channels = 0] = before.shape;
  for (const sequence of placedSequences(call)) {
    if (sequence.queries === 0) continue;
    for (let j = 0; j < kept; j++) {
      for (let c = 0; c < channels; c++) {
        const place = sequence.queries - kept + j;
        state.set(convInput(call, sequence, place, c), sequence.slot, j, c);
      }
    }
  }
  return { state: { data: state.data, tolerance: { kind: "exact" as const } } };
}

export const convStateWriteEntry = defineKernelEntry({
  kernel: convStateWrite,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const elements = 2 * dimOf(problem, "S") * dimOf(problem, "K1") * dimOf(problem, "C");
    return storageBytes(dtypeOf(problem, "T"), elements);
  },
  flops: () => 0,
});
