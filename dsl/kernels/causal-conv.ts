/** [dsl/kernels] Depthwise causal convolution along each sequence of a batch, with silu; inputs before the batch come from a state. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  cast,
  cdiv,
  floordiv,
  gather,
  iota,
  load,
  pid,
  range,
  silu,
  span,
  store,
  where,
  zeros,
} from "../ops/catalogue.ts";
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
import { sequencesBegun } from "./row-blocks.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";
import { batchDims, batchTensors, placedSequences, stateTensor } from "./ssm-samples.ts";

/**
 * y[i, c] = silu(bias[c] + Σⱼ w[c, j] · input[i - (KW - 1) + j, c]) along each sequence, sums in f32. Inputs of this step are columns from
 * `column` on of x, those before it lie in the sequence's slot of `state`; before position 0 they are 0. The state is only read
 * (conv-state-write.ts moves it on).
 * @param x `[N, W]`, all sequences one after another
 * @param state `[NB, K1, C]`, K1 = KW - 1: the last inputs of each slot, oldest first; not read for a sequence without a past
 * @param w f32 `[C, KW]`
 * @param bias f32 `[C]`
 * @param table i32 `[S, MAXB]`: the slot of each sequence is the first of its row
 * @param queryStart i32 `[S + 1]`, rising
 * @param lens i32 `[S]`: past and new tokens of each sequence
 * @param column first column of x
 * @returns y `[N, C]`
 * @source arXiv 2405.21060 section 7 (the convolution of Mamba-2)
 */
export const causalConv = kernel(
  {
    name: "causal_conv",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "N", "W"),
      state: tensor("T", "NB", "K1", "C"),
      w: tensor("f32", "C", "KW"),
      bias: tensor("f32", "C"),
      table: tensor("i32", "S", "MAXB"),
      queryStart: tensor("i32", "S1"),
      lens: tensor("i32", "S"),
      y: out("T", "N", "C"),
      column: scalar("i32"),
    },
    config: { BM: 8, BC: 128, BS: 128 },
    tune: { BM: [1, 4, 8, 16], BC: [64, 128, 256] },
    specialize: ["KW"],
    grid: ({ N, S, C }, { BM, BC }) => [cdiv(C, BC), cdiv(N, BM) + S],
  },
  ({ x, state, w, bias, table, queryStart, lens, y, column, S, C, KW, T }, { BM, BC, BS }) => {
    const block = pid(1);
    const begun = sequencesBegun(queryStart, block, S, BM, BS);
    if (begun > 0) {
      const s = begun - 1;
      const rowStart = load(queryStart, [s]);
      const rowEnd = load(queryStart, [s + 1]);
      const m0 = (block - floordiv(rowStart, BM) - s) * BM;
      if (m0 < rowEnd - rowStart) {
        const past = load(lens, [s]) - (rowEnd - rowStart);
        const slot = load(table, [s, 0]);
        const c0 = pid(0) * BC;
        const columns = span(c0, BC);
        const inputs = span(column + c0, BC, column + C);
        let acc = zeros("f32", BM, BC) + load(bias, [columns]);
        for (const j of range(KW)) {
          const t = m0 + iota(BM) + j - (KW - 1); // place of the input in this step
          const isFresh = t >= 0 && rowStart + t < rowEnd;
          const fresh = load(x, [gather(where(isFresh, rowStart + t, -1)), inputs]);
          const isKept = t < 0 && past + t >= 0;
          const kept = load(state, [slot, gather(where(isKept, KW - 1 + t, -1)), columns]);
          const input = cast(fresh, "f32") + cast(kept, "f32");
          acc = acc + load(w, [columns, j]) * input;
        }
        store(y, [span(rowStart + m0, BM, rowEnd), columns], cast(silu(acc), T));
      }
    }
  },
);

interface Sizes {
  readonly channels: number;
  readonly width: number;
  readonly column: number;
}

export function convProblem(
  name: string,
  seed: number,
  sequences: readonly Sequence[],
  { channels, width, column }: Sizes,
  config?: Problem["config"],
): Omit<Problem, "dtypes"> {
  const dims = {
    ...batchDims(sequences),
    W: column + channels + 3,
    C: channels,
    KW: width,
    K1: width - 1,
  };
  const options = { column };
  return { name, seed, sequences, dims, options, ...(config === undefined ? {} : { config }) };
}

const seq = (queries: number, length: number): Sequence => ({ queries, length });

export const CONV_SEQUENCES: readonly Sequence[] = [seq(5, 5), seq(1, 9), seq(2, 3), seq(11, 12)];

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  convProblem("no sequences", 1, [], { channels: 8, width: 4, column: 0 }),
  convProblem("one token", 2, [seq(1, 1)], { channels: 8, width: 4, column: 0 }),
  convProblem(
    "one token each",
    3,
    [seq(1, 3), seq(1, 1), seq(1, 40)],
    { channels: 40, width: 4, column: 8 },
    { BM: 1, BC: 32 },
  ),
  convProblem(
    "ragged with past",
    4,
    CONV_SEQUENCES,
    { channels: 37, width: 3, column: 5 },
    { BM: 4, BC: 32, BS: 4 },
  ),
  convProblem("default blocks", 5, CONV_SEQUENCES, { channels: 160, width: 4, column: 128 }),
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [n, w, c, kw] = ["N", "W", "C", "KW"].map((dim) => dimOf(problem, dim)) as [
    number,
    number,
    number,
    number,
  ];
  const batch = batchTensors(problem, random);
  const column = problem.options?.["column"] ?? 0;
  const isRead = (i: number) => i % w >= column && i % w < column + c;
  const state = [dimOf(problem, "NB"), kw - 1, c];
  return {
    tensors: {
      x: hostTensor(dtype, [n, w], (i) => (isRead(i) ? random.normal() : Number.NaN)),
      state: stateTensor(problem, random, batch.table, dtype, state),
      w: randomTensor(random, "f32", [c, kw]),
      bias: randomTensor(random, "f32", [c]),
      ...batch,
    },
    scalars: { column },
  };
}

/** Input of a channel at a place of the step; negative places lie in the state. */
export function convInput(
  call: ReferenceCall,
  { slot, row, past }: { readonly slot: number; readonly row: number; readonly past: number },
  place: number,
  channel: number,
): number {
  const column = call.problem.options?.["column"] ?? 0;
  if (place >= 0) return elementAt(tensorOf(call, "x"), row + place, column + channel);
  if (past + place < 0) return 0;
  return elementAt(tensorOf(call, "state"), slot, dimOf(call.problem, "K1") + place, channel);
}

function reference(call: ReferenceCall) {
  const [w, bias] = [tensorOf(call, "w"), tensorOf(call, "bias")];
  const y = editable(tensorOf(call, "y"));
  const [channels = 0, width = 0] = w.shape;
  for (const sequence of placedSequences(call)) {
    for (let i = 0; i < sequence.queries; i++) {
      for (let c = 0; c < channels; c++) {
        let total = elementAt(bias, c);
        for (let j = 0; j < width; j++) {
          total += elementAt(w, c, j) * convInput(call, sequence, i - (width - 1) + j, c);
        }
        y.set(total / (1 + Math.exp(-total)), sequence.row + i, c);
      }
    }
  }
  const tolerance = { kind: "rounding" as const, length: width + 1, scale: 12 };
  return { y: { data: y.data, tolerance } };
}

export const causalConvEntry = defineKernelEntry({
  kernel: causalConv,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const [n, s, c] = [dimOf(problem, "N"), dimOf(problem, "S"), dimOf(problem, "C")];
    const state = s * dimOf(problem, "K1") * c;
    return (
      storageBytes(dtypeOf(problem, "T"), 2 * n * c + state) +
      storageBytes("f32", c * (dimOf(problem, "KW") + 1))
    );
  },
  flops: (problem) => dimOf(problem, "N") * dimOf(problem, "C") * (2 * dimOf(problem, "KW") + 4),
});
