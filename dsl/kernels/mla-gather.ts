/** [dsl/kernels] Latents and rotated keys out of pages (MLA), one position after another, as the unabsorbed form takes them. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  all,
  floordiv,
  gather,
  iota,
  load,
  mod,
  pid,
  range,
  span,
  store,
  where,
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
import { latentCache, latentDims } from "./mla-samples.ts";
import { sequencesOf } from "./paged-samples.ts";
import { COPY_COLUMNS, keyCopies } from "./row-block-list.ts";
import { editable, elementAt, hostTensor, randomSource } from "./sample-data.ts";

/**
 * Entry b of `copies` asks for BM positions of one sequence: (sequence, first position, keys of the sequence, row where the first position
 * goes). `keyCopies` makes the list. Latents go to `x`, rotated keys behind the other columns of every head's key. One program an entry.
 * @param latents `[NB, PAGE, R]`; slots past a sequence's keys are never read
 * @param ropes `[NB, PAGE, DR]`: rotated keys
 * @param table i32 `[S, MAXB]`: pages of each sequence in order
 * @param copies i32 `[B, 4]`
 * @returns x `[C, R]`; k `[C, H, D]`, of which only the last DR columns are written
 */
export const mlaGather = kernel(
  {
    name: "mla_gather",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      latents: tensor("T", "NB", "PAGE", "R"),
      ropes: tensor("T", "NB", "PAGE", "DR"),
      table: tensor("i32", "S", "MAXB"),
      copies: tensor("i32", "B", 4),
      x: out("T", "C", "R"),
      k: out("T", "C", "H", "D"),
    },
    config: { BM: 16 },
    specialize: ["R", "DR", "D", "PAGE"],
    grid: ({ B }) => B,
  },
  ({ latents, ropes, table, copies, x, k, R, DR, D, H, PAGE }, { BM }) => {
    const b = pid(0);
    const s = load(copies, [b, 0]);
    const first = load(copies, [b, 1]);
    const len = load(copies, [b, 2]);
    const row = load(copies, [b, 3]);
    const position = first + iota(BM);
    const place = where(position < len, floordiv(position, PAGE), -1);
    const pages = load(table, [s, gather(place)], { fill: -1 });
    const slot = mod(position, PAGE);
    const rows = span(row, BM, row + len - first);
    const rope = load(ropes, [gather(pages), gather(slot), all(DR)]);
    for (const h of range(0, H, 1)) store(k, [rows, h, span(D - DR, DR)], rope);
    store(x, [rows, all(R)], load(latents, [gather(pages), gather(slot), all(R)]));
  },
);

interface Sizes {
  readonly heads: number;
  readonly rank: number;
  readonly rotary: number;
  /** Columns of a key. */
  readonly d: number;
  readonly page: number;
}

function gatherProblem(
  name: string,
  seed: number,
  { d, ...sizes }: Sizes,
  lens: readonly number[],
  BM: number,
): Omit<Problem, "dtypes"> {
  const sequences = lens.map((length): Sequence => ({ queries: 0, length }));
  const dims = latentDims(sequences, sizes);
  const C = lens.reduce((total, length) => total + length, 0);
  const B = keyCopies(lens, BM).length / COPY_COLUMNS;
  return { name, seed, sequences, dims: { ...dims, C, D: d, B }, config: { BM } };
}

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  gatherProblem("no keys", 1, { heads: 1, rank: 16, rotary: 8, d: 16, page: 4 }, [0], 4),
  gatherProblem(
    "ragged, pages of 4",
    2,
    { heads: 3, rank: 24, rotary: 8, d: 24, page: 4 },
    [17, 0, 1, 33],
    16,
  ),
  gatherProblem(
    "pages larger than blocks, keys that are rotated whole",
    3,
    { heads: 2, rank: 64, rotary: 16, d: 16, page: 32 },
    [70, 16],
    16,
  ),
];

function lengthsOf(problem: Problem): readonly number[] {
  return sequencesOf(problem).map(({ length }) => length);
}

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const list = keyCopies(lengthsOf(problem), Number(problem.config?.["BM"]));
  const shape = [list.length / COPY_COLUMNS, COPY_COLUMNS];
  return {
    tensors: {
      ...latentCache(problem, random),
      copies: hostTensor("i32", shape, (i) => list[i] ?? 0),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const { problem } = call;
  const table = tensorOf(call, "table");
  const [latents, ropes] = [tensorOf(call, "latents"), tensorOf(call, "ropes")];
  const [x, k] = [editable(tensorOf(call, "x")), editable(tensorOf(call, "k"))];
  const [page, rotary] = [dimOf(problem, "PAGE"), dimOf(problem, "DR")];
  const plain = dimOf(problem, "D") - rotary;
  let row = 0;
  lengthsOf(problem).forEach((length, s) => {
    for (let t = 0; t < length; t++, row++) {
      const at = [elementAt(table, s, Math.floor(t / page)), t % page] as const;
      for (let r = 0; r < dimOf(problem, "R"); r++) x.set(elementAt(latents, ...at, r), row, r);
      for (let h = 0; h < dimOf(problem, "H"); h++)
        for (let d = 0; d < rotary; d++) k.set(elementAt(ropes, ...at, d), row, h, plain + d);
    }
  });
  const tolerance = { kind: "exact" as const };
  return { x: { data: x.data, tolerance }, k: { data: k.data, tolerance } };
}

export const mlaGatherEntry = defineKernelEntry({
  kernel: mlaGather,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const [rank, rotary, h] = [dimOf(problem, "R"), dimOf(problem, "DR"), dimOf(problem, "H")];
    const read = dimOf(problem, "C") * (rank + rotary);
    return storageBytes(dtypeOf(problem, "T"), read + dimOf(problem, "C") * (rank + h * rotary));
  },
  flops: () => 0,
});
