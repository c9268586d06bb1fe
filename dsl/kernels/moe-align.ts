/** [dsl/kernels] Sorts the slots of a batch by expert, each expert's padded to whole blocks. The counts come from moe-count.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  all,
  cdiv,
  cumsum,
  floordiv,
  gather,
  iota,
  load,
  minimum,
  mod,
  numPrograms,
  pid,
  range,
  some,
  span,
  store,
  sum,
  where,
  zeros,
} from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { countSlots, sampleIds } from "./moe-count.ts";
import { intsOf, sortSlots } from "./moe-samples.ts";
import { editable } from "./sample-data.ts";

/** Blocks that hold the slots of all experts, however they are shared out: each expert that has any leaves one block partly empty at most. */
export function alignedBlocks(slots: number, experts: number, blockRows: number): number {
  return Math.floor((slots + Math.min(experts, slots) * (blockRows - 1)) / blockRows);
}

/**
 * A stable counting sort: the slots of expert 0 in rising order, then -1 up to a whole block of BM, then those of expert 1, and so on. Every
 * program sorts one part of the slots, with the counts of all parts in hand; nothing depends on the order in which programs run, and
 * nothing is read back, since PB is an upper bound that the host knows (`alignedBlocks`).
 * @param ids i32 `[S]`: expert of each slot; one outside [0, E) has no place
 * @param counts i32 `[C, E]`: slots of each expert in each of C parts, from `moeCount` on the same ids
 * @param alone (config) true: one program counts and sorts all slots, for few of them; counts are not read, and C is 0
 * @returns rows i32 `[PB, BM]`: slots, -1 for padding; expertOf i32 `[PB]`: expert of each block, -1 for blocks that are not used
 */
export const moeAlign = kernel(
  {
    name: "moe_align",
    params: {
      ids: tensor("i32", "S"),
      counts: tensor("i32", "C", "E"),
      rows: out("i32", "PB", "BM"),
      expertOf: out("i32", "PB"),
    },
    config: { BS: 32, BC: 16, BB: 16, alone: false },
    tune: { BS: [16, 32, 64, 128] },
    specialize: ["E", "BM"],
    grid: ({ C }, { alone }) => (alone ? 1 : C),
  },
  ({ ids, counts, rows, expertOf, S, C, E, PB, BM }, { BS, BC, BB, alone }) => {
    let total = zeros("i32", E);
    let before = zeros("i32", E);
    if (alone) {
      for (const s of range(0, S, BS)) {
        const id = load(ids, [span(s, BS)], { fill: -1 });
        total = total + sum(where(id === iota(E), 1, 0), "BS");
      }
    } else {
      for (const c of range(0, C, BC)) {
        const part = load(counts, [span(c, BC), all(E)]);
        total = total + sum(part, "BC");
        before = before + sum(where(c + iota(BC) < pid(0), part, 0), "BC");
      }
    }
    const blocks = cdiv(total, BM);
    const end = cumsum(blocks, "E");
    const start = end - blocks;

    const share = alone ? S : cdiv(S, C);
    const last = minimum(pid(0) * share + share, S);
    let next = start * BM + before; // where the next slot of each expert goes
    for (const s of range(pid(0) * share, last, BS)) {
      const id = load(ids, [span(s, BS, last)], { fill: -1 });
      const isOf = id === iota(E);
      const rank = cumsum(where(isOf, 1, 0), "BS");
      const to = sum(where(isOf, next + rank, 0), "E") - 1;
      const at = where(some(isOf, "E"), to, -1);
      store(rows, [gather(floordiv(at, BM)), gather(where(at < 0, -1, mod(at, BM)))], s + iota(BS));
      next = next + sum(where(isOf, 1, 0), "BS");
    }

    for (const b of range(pid(0) * BB, PB, numPrograms(0) * BB)) {
      const block = b + iota(BB);
      const isOf = block >= start && block < end;
      const filled = sum(where(isOf, total - (block - start) * BM, 0), "E");
      store(expertOf, [span(b, BB)], where(some(isOf, "E"), sum(where(isOf, iota(E), 0), "E"), -1));
      store(rows, [span(b, BB), all(BM)], -1, { mask: iota(BM) >= filled });
    }
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no slots", seed: 1, dims: { S: 0, C: 1, E: 4, PB: 0, BM: 4 }, dtypes: {} },
  { name: "one of one", seed: 2, dims: { S: 1, C: 1, E: 1, PB: 1, BM: 1 }, dtypes: {} },
  {
    name: "more parts than slots",
    seed: 3,
    dims: { S: 3, C: 5, E: 8, PB: 3, BM: 16 },
    dtypes: {},
    config: { BB: 4 },
  },
  {
    name: "prime sizes",
    seed: 4,
    dims: { S: 101, C: 3, E: 7, PB: 19, BM: 8 },
    dtypes: {},
    config: { BS: 16, BC: 2, BB: 4 },
    options: { strangers: 1 },
  },
  {
    name: "an odd block",
    seed: 5,
    dims: { S: 64, C: 2, E: 5, PB: 25, BM: 3 },
    dtypes: {},
    config: { BS: 32 },
  },
  {
    name: "one program for all",
    seed: 8,
    dims: { S: 77, C: 0, E: 12, PB: alignedBlocks(77, 12, 8), BM: 8 },
    dtypes: {},
    config: { BS: 16, BB: 4, alone: true },
    options: { strangers: 1 },
  },
  {
    name: "one program for no slots",
    seed: 9,
    dims: { S: 0, C: 0, E: 4, PB: 2, BM: 4 },
    dtypes: {},
    config: { alone: true },
  },
  {
    name: "many experts",
    seed: 6,
    dims: { S: 60, C: 2, E: 64, PB: alignedBlocks(60, 64, 16), BM: 16 },
    dtypes: {},
  },
  {
    name: "default blocks",
    seed: 7,
    dims: { S: 100, C: 2, E: 32, PB: alignedBlocks(100, 32, 16), BM: 16 },
    dtypes: {},
  },
];

function inputs(problem: Problem): KernelInputs {
  const ids = sampleIds(problem);
  const [parts, experts] = [dimOf(problem, "C"), dimOf(problem, "E")];
  return {
    tensors: {
      ids: intsOf([ids.length], ids),
      counts: intsOf([parts, experts], countSlots(ids, parts, experts)),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const rows = editable(tensorOf(call, "rows"));
  const expertOf = editable(tensorOf(call, "expertOf"));
  const [blocks = 0, blockRows = 1] = tensorOf(call, "rows").shape;
  const ids = [...tensorOf(call, "ids").data];
  const sorted = sortSlots(ids, dimOf(call.problem, "E"), blocks, blockRows);
  for (let b = 0; b < blocks; b++)
    rows.setRow(sorted.rows.slice(b * blockRows, (b + 1) * blockRows), b);
  expertOf.setRow(sorted.expertOf);
  return {
    rows: { data: rows.data, tolerance: { kind: "exact" as const } },
    expertOf: { data: expertOf.data, tolerance: { kind: "exact" as const } },
  };
}

export const moeAlignEntry = defineKernelEntry({
  kernel: moeAlign,
  samples: SHAPES,
  inputs,
  reference,
  bytes: (problem) => {
    const [blocks, blockRows] = [dimOf(problem, "PB"), dimOf(problem, "BM")];
    const counts = dimOf(problem, "C") * dimOf(problem, "E");
    return storageBytes("i32", dimOf(problem, "S") + counts + blocks * (blockRows + 1));
  },
  flops: () => 0,
});
