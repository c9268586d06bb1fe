/** [dsl/kernels] Sample problems of products with experts: inputs, reference, cost, and the check of large ones. No kernel is defined here. */
import { storageBytes } from "../core/dtype.ts";
import {
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  type SpotCheck,
  type SpotElement,
  tensorOf,
} from "./define-kernel-entry.ts";
import { alignedBlocks } from "./moe-align.ts";
import { clampedGate } from "./moe-gates.ts";
import { EXPERT_DTYPES, intsOf, randomRouting, sortSlots } from "./moe-samples.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

interface Sizes {
  readonly rows: number;
  readonly topK: number;
  readonly experts: number;
  readonly halves: 1 | 2;
  readonly n: number;
  readonly k: number;
  readonly blockRows: number;
  readonly hasBias?: true;
}

function problemOf(
  name: string,
  seed: number,
  sizes: Sizes,
  config?: Problem["config"],
  functions?: Problem["functions"],
): Omit<Problem, "dtypes"> {
  const { rows, topK, experts, halves, n, k, blockRows, hasBias } = sizes;
  const slots = rows * topK;
  return {
    name,
    seed,
    dims: {
      R: rows,
      K: k,
      E: experts,
      G: halves,
      B: hasBias === undefined ? 0 : halves,
      N: n,
      PB: alignedBlocks(slots, experts, blockRows),
      BM: blockRows,
      S: slots,
    },
    ...(config === undefined ? {} : { config }),
    ...(functions === undefined ? {} : { functions }),
  };
}

const SMALL = { BN: 16, BK: 16 };

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf("no rows", 1, {
    rows: 0,
    topK: 1,
    experts: 4,
    halves: 1,
    n: 16,
    k: 16,
    blockRows: 16,
  }),
  problemOf(
    "one of one",
    2,
    { rows: 1, topK: 1, experts: 1, halves: 2, n: 1, k: 1, blockRows: 1 },
    { ...SMALL, stages: 1 },
  ),
  problemOf(
    "prime sizes",
    3,
    { rows: 17, topK: 2, experts: 5, halves: 1, n: 23, k: 37, blockRows: 16 },
    SMALL,
  ),
  problemOf(
    "prime sizes, gate and up",
    4,
    { rows: 13, topK: 3, experts: 7, halves: 2, n: 19, k: 41, blockRows: 16 },
    SMALL,
  ),
  problemOf(
    "blocks of eight",
    5,
    { rows: 11, topK: 2, experts: 16, halves: 2, n: 40, k: 64, blockRows: 8 },
    { BN: 32, group: 1 },
  ),
  problemOf("one row for each slot", 6, {
    rows: 70,
    topK: 1,
    experts: 3,
    halves: 1,
    n: 136,
    k: 96,
    blockRows: 64,
    hasBias: true,
  }),
  problemOf(
    "clamped gate, biases",
    8,
    { rows: 9, topK: 2, experts: 4, halves: 2, n: 24, k: 32, blockRows: 16, hasBias: true },
    SMALL,
    { join: clampedGate },
  ),
  problemOf("default blocks", 7, {
    rows: 33,
    topK: 2,
    experts: 4,
    halves: 2,
    n: 72,
    k: 128,
    blockRows: 64,
  }),
];

/** Experts of all slots: as many distinct ones a row as it has slots. */
export function routing(problem: Problem): readonly number[] {
  const rows = dimOf(problem, "R");
  const topK = rows === 0 ? 0 : dimOf(problem, "S") / rows;
  return randomRouting(randomSource(problem.seed + 1), rows, dimOf(problem, "E"), topK);
}

/** The tensors of places: slots and their experts. */
export function sortedInputs(problem: Problem): KernelInputs {
  const [blocks, blockRows] = [dimOf(problem, "PB"), dimOf(problem, "BM")];
  const sorted = sortSlots(routing(problem), dimOf(problem, "E"), blocks, blockRows);
  return {
    tensors: {
      rows: intsOf([blocks, blockRows], sorted.rows),
      expertOf: intsOf([blocks], sorted.expertOf),
    },
    scalars: {},
  };
}

export function expertInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [rows, k, experts] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "E")];
  const shape = [experts, dimOf(problem, "G"), dimOf(problem, "N"), k];
  const biasShape = [experts, dimOf(problem, "B"), dimOf(problem, "N")];
  return {
    tensors: {
      x: randomTensor(random, dtype, [rows, k]),
      w: randomTensor(random, dtype, shape, 1 / Math.sqrt(k)),
      bias: randomTensor(random, dtype, biasShape),
      ...sortedInputs(problem).tensors,
    },
    scalars: {},
  };
}

const siluGate = (gate: number, up: number): number => (gate / (1 + Math.exp(-gate))) * up;

function clampedGateOf(gate: number, up: number): number {
  const held = Math.min(gate, 7);
  return ((Math.max(-7, Math.min(up, 7)) + 1) * held) / (1 + Math.exp(-1.702 * held));
}

export function expertReference(call: ReferenceCall) {
  const [x, w, rows] = [tensorOf(call, "x"), tensorOf(call, "w"), tensorOf(call, "rows")];
  const bias = tensorOf(call, "bias");
  const expertOf = tensorOf(call, "expertOf");
  const y = editable(tensorOf(call, "y"));
  const [numRows = 0, length = 0] = x.shape;
  const [, halves = 1, columns = 0] = w.shape;
  const [blocks = 0, blockRows = 1] = rows.shape;
  const share = dimOf(call.problem, "S") / numRows;
  const join = call.problem.functions === undefined ? siluGate : clampedGateOf;
  let [scale, largest] = [0, 0];
  const product = (row: number, expert: number, half: number, n: number): number => {
    let total = (bias.shape[1] ?? 0) > 0 ? elementAt(bias, expert, half, n) : 0;
    let magnitude = Math.abs(total);
    for (let k = 0; k < length; k++) {
      const term = elementAt(x, row, k) * elementAt(w, expert, half, n, k);
      total += term;
      magnitude += Math.abs(term);
    }
    scale = Math.max(scale, magnitude);
    largest = Math.max(largest, Math.abs(total));
    return total;
  };
  for (let i = 0; i < blocks * blockRows; i++) {
    const [block, slot] = [Math.floor(i / blockRows), rows.data[i] ?? -1];
    const expert = elementAt(expertOf, block);
    if (slot < 0 || expert < 0) continue;
    const row = Math.floor(slot / share);
    for (let n = 0; n < columns; n++) {
      const first = product(row, expert, 0, n);
      y.set(halves === 1 ? first : join(first, product(row, expert, 1, n)), slot, n);
    }
  }
  // An error of either sum is multiplied by the other half, or by the slope of the gate, near 1.
  const reach = halves === 1 ? scale : scale * (1 + largest);
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length, scale: reach } } };
}

/** The weights of as many experts as the problem's routing takes. */
export function expertBytes(problem: Problem): number {
  const [rows, k, n] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "N")];
  const read = rows * k + new Set(routing(problem)).size * dimOf(problem, "G") * n * k;
  const written = storageBytes(dtypeOf(problem, "O"), dimOf(problem, "S") * n);
  return storageBytes(dtypeOf(problem, "T"), read) + written;
}

export function expertFlops(problem: Problem): number {
  const weights = dimOf(problem, "G") * dimOf(problem, "N") * dimOf(problem, "K");
  return 2 * dimOf(problem, "S") * weights;
}

/** Slots and columns that are recomputed of a large problem. */
const SPOT_SLOTS = 24;
const SPOT_COLUMNS = 8;

/** `count` places from 0 to `size`, the first and the last among them. */
function spread(size: number, count: number): readonly number[] {
  const places = Array.from({ length: count }, (_, i) =>
    Math.round((i * (size - 1)) / Math.max(1, count - 1)),
  );
  return [...new Set(places)];
}

export const expertSpots: SpotCheck = {
  noise: (problem) => ({ x: 1, w: 1 / Math.sqrt(dimOf(problem, "K")), bias: 1 }),
  inputs: sortedInputs,
  elements: async (problem, read) => {
    const [slots, rows] = [dimOf(problem, "S"), dimOf(problem, "R")];
    const [k, n, halves] = [dimOf(problem, "K"), dimOf(problem, "N"), dimOf(problem, "G")];
    const isBiased = dimOf(problem, "B") > 0;
    const join = problem.functions === undefined ? siluGate : clampedGateOf;
    const ids = routing(problem);
    const elements: SpotElement[] = [];
    for (const slot of spread(slots, SPOT_SLOTS)) {
      const x = await read("x", Math.floor(slot / (slots / rows)) * k, k);
      for (const column of spread(n, SPOT_COLUMNS)) {
        const sums: number[] = [];
        let scale = 0;
        for (let half = 0; half < halves; half++) {
          const row = ((ids[slot] ?? 0) * halves + half) * n + column;
          const w = await read("w", row * k, k);
          const terms = x.map((value, i) => value * (w[i] ?? 0));
          const offset = isBiased ? ((await read("bias", row, 1))[0] ?? 0) : 0;
          sums.push(terms.reduce((sum, term) => sum + term, offset));
          const magnitude = terms.reduce((sum, term) => sum + Math.abs(term), Math.abs(offset));
          scale = Math.max(scale, magnitude);
        }
        const [first = 0, second] = sums;
        elements.push({
          tensor: "y",
          index: slot * n + column,
          expected: second === undefined ? first : join(first, second),
          tolerance: {
            kind: "rounding",
            length: k,
            scale: second === undefined ? scale : scale * (1 + Math.max(...sums.map(Math.abs))),
          },
        });
      }
    }
    return elements;
  },
};

/** As the tables for GPUs have them: long stages for few rows, eight warps for many. */
const TUNED_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  problemOf(
    "few rows in long stages",
    9,
    { rows: 5, topK: 2, experts: 4, halves: 1, n: 72, k: 320, blockRows: 16 },
    { BN: 64, BK: 64, stages: 4 },
  ),
  problemOf(
    "eight warps",
    10,
    { rows: 50, topK: 2, experts: 3, halves: 1, n: 136, k: 160, blockRows: 64 },
    { BN: 128, BK: 32, stages: 4, warps: 8 },
  ),
];

/** The samples, each once for every choice of dtypes. */
export function expertProblems(): readonly Problem[] {
  const tuned = TUNED_SHAPES.map((problem): Problem => {
    const dtypes = { T: "bf16", O: "bf16" } as const;
    return { ...problem, name: `${problem.name}, T=bf16 O=bf16`, dtypes };
  });
  const all = SHAPES.flatMap((problem) =>
    EXPERT_DTYPES.map((dtypes) => ({
      ...problem,
      name: `${problem.name}, T=${dtypes.T} O=${dtypes.O}`,
      dtypes,
    })),
  );
  return [...tuned, ...all];
}
