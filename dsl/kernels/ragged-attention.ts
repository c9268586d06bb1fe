/** [dsl/kernels] Attention of new tokens over keys and values of ragged sequences that lie one after another, block by block of a list that the host makes. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  dot,
  full,
  iota,
  load,
  maximum,
  minimum,
  pid,
  range,
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
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { LOWEST, lazySoftmax } from "./lazy-softmax.ts";
import { attendNaively, attentionScale, attentionTolerance, sequencesOf } from "./paged-samples.ts";
import { BLOCK_COLUMNS, keyedBlocks } from "./row-block-list.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Entry b of `blocks` asks for BM query rows of one sequence: (first row of its keys, first row of q, row past the last, position of the
 * first row, keys of the sequence, first head of k); programs (h, b) take head `first + h` of k, which is query head `firstHead + first + h`.
 * `keyedBlocks` makes the list. Rows of no entry are not written, nor other heads; rows of k and v past a sequence's keys never reach its
 * results. A config `heads` above 0 divides H. Each query attends to the positions up to its own. The running maximum of a row may lag behind the largest score by a factor
 * of 256, as in `attention`.
 * @param q `[N, HQ, D]`, all sequences one after another
 * @param k `[C, H, D]`, past and new keys, H ≤ HQ: query heads have keys of their own
 * @param v `[C, H, DV]`
 * @param blocks i32 `[B, 6]`
 * @param scale factor of the scores, above 0; usually 1/√D
 * @param firstHead query head of the first head of k
 * @returns o `[N, HQ, DV]`
 * @source arXiv 2205.14135 (online softmax over blocks of keys)
 */
export const raggedAttention = kernel(
  {
    name: "ragged_attention",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "N", "HQ", "D"),
      k: tensor("T", "C", "H", "D"),
      v: tensor("T", "C", "H", "DV"),
      blocks: tensor("i32", "B", 6),
      o: out("T", "N", "HQ", "DV"),
      scale: scalar("f32"),
      firstHead: scalar("i32"),
    },
    config: { BM: 16, BN: 16, stages: 2, heads: 0 },
    tune: { BM: [64, 128], BN: [64, 96, 128], stages: [2, 3] },
    specialize: ["D", "DV"],
    grid: ({ B, H }, { heads }) => [heads === 0 ? H : heads, B],
  },
  ({ q, k, v, blocks, o, scale, firstHead, H, D, DV, T }, { BM, BN, stages }) => {
    const b = pid(1);
    const start = load(blocks, [b, 0]);
    const row = load(blocks, [b, 1]);
    const rowEnd = load(blocks, [b, 2]);
    const p0 = load(blocks, [b, 3]); // position of the first query
    const len = load(blocks, [b, 4]);
    const h = minimum(load(blocks, [b, 5]) + pid(0), H - 1);
    const rows = span(row, BM, rowEnd);
    const c = scale * Math.LOG2E;
    const qpos = p0 + iota(BM);
    const qt = load(q, [rows, firstHead + h, all(D)]);
    let m = full("f32", LOWEST, BM);
    let l = zeros("f32", BM);
    let acc = zeros("f32", BM, DV);
    // At least one trip, whose keys are masked where there are none: programs then overlap.
    for (const n of range(0, maximum(minimum(len, p0 + BM), 1), BN, { stages })) {
      const keys = span(start + n, BN, start + len); // 0 past the last
      const kt = load(k, [keys, h, all(D)]);
      const scores = dot(qt, kt);
      const kpos = n + iota(BN);
      const masked = where(kpos <= qpos, scores, -Infinity); // [BM, BN]
      const trip = lazySoftmax(masked, "BM", { m, l, acc }, c, 0);
      m = trip.m;
      l = trip.l;
      const vt = load(v, [keys, h, all(DV)]);
      acc = dot(cast(trip.p, T), vt, trip.acc);
    }
    store(o, [rows, firstHead + h, all(DV)], cast(acc * (1 / maximum(l, 1e-30)), T));
  },
);

interface Sizes {
  /** Query heads, those that k has, and the first of them. */
  readonly hq: number;
  readonly h: number;
  readonly first: number;
  readonly d: number;
  readonly dv: number;
}

type Config = Readonly<Record<"BM" | "BN", number>> & { readonly heads?: number };

/** Rows of keys of each sequence lie `GAP` apart, and hold NaN between. */
const GAP = 3;

function startsOf(sequences: readonly Sequence[]): readonly number[] {
  let start = 0;
  return sequences.map(({ length }) => {
    const own = start;
    start += length + GAP;
    return own;
  });
}

function listOf(sequences: readonly Sequence[], h: number, { BM, heads = 0 }: Config): Int32Array {
  const starts = startsOf(sequences);
  return keyedBlocks(
    sequences.map((sequence, s) => ({ ...sequence, firstKey: starts[s] ?? 0 })),
    { BM, HQ: h, heads },
    0,
  );
}

/** @param config block sizes, and heads of a section */
export function raggedProblem(
  name: string,
  seed: number,
  { hq, h, first, d, dv }: Sizes,
  sequences: readonly Sequence[],
  config: Config,
): Omit<Problem, "dtypes"> {
  const sum = (of: (s: Sequence) => number) => sequences.reduce((total, s) => total + of(s), 0);
  return {
    name,
    seed,
    sequences,
    dims: {
      N: sum(({ queries }) => queries),
      C: sum(({ length }) => length + GAP),
      HQ: hq,
      H: h,
      D: d,
      DV: dv,
      B: listOf(sequences, h, config).length / BLOCK_COLUMNS,
    },
    config: { ...config },
    options: { first },
  };
}

const SMALL = { BM: 16, BN: 16 };
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  raggedProblem("one token", 1, { hq: 1, h: 1, first: 0, d: 8, dv: 8 }, [seq(1, 1)], SMALL),
  raggedProblem(
    "ragged with past",
    2,
    { hq: 2, h: 2, first: 0, d: 24, dv: 16 },
    [seq(5, 5), seq(1, 19), seq(17, 40), seq(0, 7), seq(16, 16)],
    SMALL,
  ),
  raggedProblem(
    "some heads, two at a time",
    3,
    { hq: 6, h: 4, first: 1, d: 16, dv: 16 },
    [seq(18, 35), seq(3, 3)],
    { ...SMALL, heads: 2 },
  ),
  raggedProblem("no keys", 4, { hq: 1, h: 1, first: 0, d: 16, dv: 16 }, [seq(2, 0)], SMALL),
  raggedProblem(
    "head dims 96 and 64, blocks of 24 keys",
    5,
    { hq: 2, h: 1, first: 1, d: 96, dv: 64 },
    [seq(15, 31), seq(17, 50)],
    { BM: 16, BN: 24 },
  ),
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const sequences = sequencesOf(problem);
  const [n, hq, d] = [dimOf(problem, "N"), dimOf(problem, "HQ"), dimOf(problem, "D")];
  const [c, h, dv] = [dimOf(problem, "C"), dimOf(problem, "H"), dimOf(problem, "DV")];
  const starts = startsOf(sequences);
  const isKey = (row: number) =>
    sequences.some(({ length }, s) => {
      const start = starts[s] ?? 0;
      return row >= start && row < start + length;
    });
  const keys = (width: number) =>
    hostTensor(dtype, [c, h, width], (i) =>
      isKey(Math.floor(i / (h * width))) ? random.normal() : Number.NaN,
    );
  const list = listOf(sequences, h, problem.config as Config);
  return {
    tensors: {
      q: randomTensor(random, dtype, [n, hq, d]),
      k: keys(d),
      v: keys(dv),
      blocks: hostTensor("i32", [list.length / BLOCK_COLUMNS, BLOCK_COLUMNS], (i) => list[i] ?? 0),
    },
    scalars: { scale: attentionScale(d), firstHead: problem.options?.["first"] ?? 0 },
  };
}

function reference(call: ReferenceCall) {
  const { problem } = call;
  const [q, k, v] = [tensorOf(call, "q"), tensorOf(call, "k"), tensorOf(call, "v")];
  const o = editable(tensorOf(call, "o"));
  const [d, columns] = [dimOf(problem, "D"), dimOf(problem, "DV")];
  const starts = startsOf(sequencesOf(problem));
  let row = 0;
  sequencesOf(problem).forEach(({ queries, length }, s) => {
    for (let i = 0; i < queries; i++, row++) {
      for (let head = 0; head < dimOf(problem, "H"); head++) {
        const h = scalarOf(call, "firstHead") + head;
        const query = Array.from({ length: d }, (_, c) => elementAt(q, row, h, c));
        const at = (t: typeof k) => (position: number, c: number) =>
          elementAt(t, (starts[s] ?? 0) + position, head, c);
        const end = Math.max(0, length - queries + i + 1);
        const scale = scalarOf(call, "scale");
        const { output } = attendNaively(query, 0, end, scale, at(k), at(v), { columns });
        o.setRow(output, row, h);
      }
    }
  });
  const longest = Math.max(0, ...sequencesOf(problem).map(({ length }) => length));
  return { o: { data: o.data, tolerance: attentionTolerance(q.dtype, longest) } };
}

export const raggedAttentionEntry = defineKernelEntry({
  kernel: raggedAttention,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const columns = dimOf(problem, "D") + dimOf(problem, "DV");
    const keys = sequencesOf(problem).reduce((total, { length }) => total + length, 0);
    const elements = (dimOf(problem, "N") + keys) * dimOf(problem, "H") * columns;
    return storageBytes(dtypeOf(problem, "T"), elements);
  },
  flops: (problem) => {
    const pairs = sequencesOf(problem).reduce((total, { queries, length }) => {
      const first = Math.max(0, length - queries + 1); // keys of the first query that has any
      return total + ((length - first + 1) * (length + first)) / 2;
    }, 0);
    return 2 * pairs * dimOf(problem, "H") * (dimOf(problem, "D") + dimOf(problem, "DV"));
  },
});
