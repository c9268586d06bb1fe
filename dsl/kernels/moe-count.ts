/** [dsl/kernels] How many slots of each part of a batch go to each expert: the first half of sorting them, see moe-align.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  all,
  cdiv,
  iota,
  load,
  minimum,
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
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { intsOf, randomRouting } from "./moe-samples.ts";
import { editable, randomSource } from "./sample-data.ts";

/**
 * The slots are cut into C parts of equal length, the last shorter; one program counts each. Ids outside [0, E) count nowhere.
 * @param ids i32 `[S]`: expert of each slot
 * @returns counts i32 `[C, E]`
 */
export const moeCount = kernel(
  {
    name: "moe_count",
    params: { ids: tensor("i32", "S"), counts: out("i32", "C", "E") },
    config: { BS: 32 },
    tune: { BS: [16, 32, 64, 128] },
    specialize: ["E"],
    grid: ({ C }) => C,
  },
  ({ ids, counts, S, C, E }, { BS }) => {
    const share = cdiv(S, C);
    const end = minimum(pid(0) * share + share, S);
    let found = zeros("i32", E);
    for (const s of range(pid(0) * share, end, BS)) {
      const id = load(ids, [span(s, BS, end)], { fill: -1 });
      found = found + sum(where(id === iota(E), 1, 0), "BS");
    }
    store(counts, [pid(0), all(E)], found);
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no slots", seed: 1, dims: { S: 0, C: 1, E: 4 }, dtypes: {} },
  { name: "one of one", seed: 2, dims: { S: 1, C: 1, E: 1 }, dtypes: {} },
  { name: "more parts than slots", seed: 3, dims: { S: 3, C: 5, E: 8 }, dtypes: {} },
  {
    name: "prime sizes",
    seed: 4,
    dims: { S: 101, C: 3, E: 7 },
    dtypes: {},
    config: { BS: 16 },
    options: { strangers: 1 },
  },
  { name: "default block", seed: 5, dims: { S: 600, C: 2, E: 128 }, dtypes: {} },
];

/** Experts of slots; with `options.strangers` some slots have none. */
export function sampleIds(problem: Problem): readonly number[] {
  const random = randomSource(problem.seed);
  const ids = randomRouting(random, dimOf(problem, "S"), dimOf(problem, "E"), 1, 2);
  return problem.options?.["strangers"] === 1 ? ids.map((id, i) => (i % 5 === 3 ? -1 : id)) : ids;
}

function inputs(problem: Problem): KernelInputs {
  return { tensors: { ids: intsOf([dimOf(problem, "S")], sampleIds(problem)) }, scalars: {} };
}

/** Slots of each expert in each part, `[C, E]`. */
export function countSlots(
  ids: readonly number[],
  parts: number,
  experts: number,
): readonly number[] {
  const share = Math.ceil(ids.length / parts);
  return Array.from({ length: parts }, (_, c) =>
    Array.from(
      { length: experts },
      (_, e) => ids.slice(c * share, (c + 1) * share).filter((id) => id === e).length,
    ),
  ).flat();
}

function reference(call: ReferenceCall) {
  const counts = editable(tensorOf(call, "counts"));
  const [parts = 0, experts = 0] = tensorOf(call, "counts").shape;
  const found = countSlots([...tensorOf(call, "ids").data], parts, experts);
  found.forEach((count, i) => {
    counts.set(count, Math.floor(i / experts), i % experts);
  });
  return { counts: { data: counts.data, tolerance: { kind: "exact" as const } } };
}

export const moeCountEntry = defineKernelEntry({
  kernel: moeCount,
  samples: SHAPES,
  inputs,
  reference,
  bytes: (problem) =>
    storageBytes("i32", dimOf(problem, "S") + dimOf(problem, "C") * dimOf(problem, "E")),
  flops: () => 0,
});
