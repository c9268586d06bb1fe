/** [dsl/kernels] Products of rows with the weights of their experts, over slots that are sorted by expert (moe-align.ts). */
import { storageBytes } from "../core/dtype.ts";
import { fnParam, kernel, out, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  dot,
  floordiv,
  gather,
  load,
  pid,
  range,
  silu,
  span,
  store,
  swizzle2d,
  tile,
  zeros,
} from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { alignedBlocks } from "./moe-align.ts";
import { clampedGate } from "./moe-gates.ts";
import { EXPERT_DTYPES, intsOf, randomRouting, sortSlots } from "./moe-samples.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Row `slot` of y is the product of row floor(slot / (S / R)) of x with the weight of the slot's expert, accumulated in f32: with S = R each
 * slot has its own row, with S = R · topk the slots of a token share one. A weight of two halves (G = 2) gives
 * y = join(x · w₀ᵀ, x · w₁ᵀ), the halves' sums (with their biases) in f32. Rows of x are gathered, so they come by cp.async and not by TMA.
 * @param x `[R, K]`; S is a multiple of R
 * @param w `[E, G, N, K]`, as checkpoints store the halves: gate, then up; G is 1 or 2
 * @param bias `[E, B, N]`, added to the sums in f32; B is G, or 0 for none
 * @param rows i32 `[PB, BM]`: the slots of a block, -1 for none; each slot at most once
 * @param expertOf i32 `[PB]`: expert of each block; -1: the block is passed over
 * @param join function of gate and up, for G = 2 alone
 * @returns y `[S, N]`; rows of slots that stand in no block keep what they held
 * @source arXiv 2401.04088 (the block); "MegaBlocks", arXiv 2211.15841 (products of blocks sorted by expert)
 */
export const moeGemm = kernel(
  {
    name: "moe_gemm",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "R", "K"),
      w: tensor("T", "E", "G", "N", "K"),
      bias: tensor("T", "E", "B", "N"),
      rows: tensor("i32", "PB", "BM"),
      expertOf: tensor("i32", "PB"),
      y: out("O", "S", "N"),
      join: fnParam((gate: number, up: number) => silu(gate) * up),
    },
    config: { BN: 64, BK: 32, stages: 3, group: 8 },
    tune: { BN: [32, 64, 128, 256], BK: [16, 32, 64], stages: [1, 2, 3, 4, 5] },
    specialize: ["G", "B", "BM"],
    grid: ({ PB, N }, { BN }) => PB * cdiv(N, BN),
  },
  (
    { x, w, bias, rows, expertOf, y, join, R, S, N, K, PB, G, B, BM, O },
    { BN, BK, stages, group },
  ) => {
    const [pm, pn] = swizzle2d(pid(0), PB, cdiv(N, BN), group);
    const e = load(expertOf, [pm]);
    if (e < 0) return;
    const slots = load(rows, [pm, all(BM)]);
    const from = floordiv(slots, floordiv(S, R));
    const columns = tile(pn, BN);
    let acc = zeros("f32", BM, BN);
    if (G === 1) {
      for (const k of range(0, K, BK, { stages })) {
        const a = load(x, [gather(from), span(k, BK)]);
        acc = dot(a, load(w, [e, 0, columns, span(k, BK)]), acc);
      }
      if (B > 0) acc = acc + cast(load(bias, [e, 0, columns]), "f32");
      store(y, [gather(slots), columns], cast(acc, O));
    } else {
      let up = zeros("f32", BM, BN);
      for (const k of range(0, K, BK, { stages })) {
        const a = load(x, [gather(from), span(k, BK)]);
        acc = dot(a, load(w, [e, 0, columns, span(k, BK)]), acc);
        up = dot(a, load(w, [e, 1, columns, span(k, BK)]), up);
      }
      if (B > 0) {
        acc = acc + cast(load(bias, [e, 0, columns]), "f32");
        up = up + cast(load(bias, [e, 1, columns]), "f32");
      }
      store(y, [gather(slots), columns], cast(join(acc, up), O));
    }
  },
);

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

/** The routing that the problem's sizes allow: as many distinct experts a row as it has slots. */
function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [rows, k, experts] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "E")];
  const [blocks, blockRows] = [dimOf(problem, "PB"), dimOf(problem, "BM")];
  const ids = randomRouting(random, rows, experts, rows === 0 ? 0 : dimOf(problem, "S") / rows);
  const sorted = sortSlots(ids, experts, blocks, blockRows);
  const shape = [experts, dimOf(problem, "G"), dimOf(problem, "N"), k];
  const biasShape = [experts, dimOf(problem, "B"), dimOf(problem, "N")];
  return {
    tensors: {
      x: randomTensor(random, dtype, [rows, k]),
      w: randomTensor(random, dtype, shape, 1 / Math.sqrt(k)),
      bias: randomTensor(random, dtype, biasShape),
      rows: intsOf([blocks, blockRows], sorted.rows),
      expertOf: intsOf([blocks], sorted.expertOf),
    },
    scalars: {},
  };
}

const siluGate = (gate: number, up: number): number => (gate / (1 + Math.exp(-gate))) * up;

function clampedGateOf(gate: number, up: number): number {
  const held = Math.min(gate, 7);
  return ((Math.max(-7, Math.min(up, 7)) + 1) * held) / (1 + Math.exp(-1.702 * held));
}

function reference(call: ReferenceCall) {
  const [x, w, rows] = [tensorOf(call, "x"), tensorOf(call, "w"), tensorOf(call, "rows")];
  const bias = tensorOf(call, "bias");
  const expertOf = tensorOf(call, "expertOf");
  const y = editable(tensorOf(call, "y"));
  const [numRows = 0, length = 0] = x.shape;
  const [, halves = 1, columns = 0] = w.shape;
  const [blocks = 0, blockRows = 1] = rows.shape;
  const share = dimOf(call.problem, "S") / numRows;
  const join = call.problem.functions === undefined ? siluGate : clampedGateOf;
  let scale = 0;
  const product = (row: number, expert: number, half: number, n: number): number => {
    let total = (bias.shape[1] ?? 0) > 0 ? elementAt(bias, expert, half, n) : 0;
    let magnitude = Math.abs(total);
    for (let k = 0; k < length; k++) {
      const term = elementAt(x, row, k) * elementAt(w, expert, half, n, k);
      total += term;
      magnitude += Math.abs(term);
    }
    scale = Math.max(scale, magnitude);
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
  const largest = halves === 1 ? scale : scale * Math.max(1.1, scale + 1);
  return { y: { data: y.data, tolerance: { kind: "rounding" as const, length, scale: largest } } };
}

export const moeGemmEntry = defineKernelEntry({
  kernel: moeGemm,
  samples: SHAPES.flatMap((problem) =>
    EXPERT_DTYPES.map((dtypes) => ({
      ...problem,
      name: `${problem.name}, T=${dtypes.T} O=${dtypes.O}`,
      dtypes,
    })),
  ),
  inputs,
  reference,
  bytes: (problem) => {
    const [rows, k, n] = [dimOf(problem, "R"), dimOf(problem, "K"), dimOf(problem, "N")];
    // At least the weights of as many experts as there are slots, and no more than there are.
    const experts = Math.min(dimOf(problem, "E"), dimOf(problem, "S"));
    const read = rows * k + experts * dimOf(problem, "G") * n * k;
    return (
      storageBytes(dtypeOf(problem, "T"), read) +
      storageBytes(dtypeOf(problem, "O"), dimOf(problem, "S") * n)
    );
  },
  flops: (problem) =>
    2 * dimOf(problem, "S") * dimOf(problem, "G") * dimOf(problem, "N") * dimOf(problem, "K"),
});
