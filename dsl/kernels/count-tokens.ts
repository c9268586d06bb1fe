/** [dsl/kernels] Counts tokens of requests over the vocabulary, for penalties. Rows are emptied by clear-counts.ts. */
import { storageBytes } from "../core/dtype.ts";
import { inout, kernel, tensor } from "../language.ts";
import { atomicAdd, cdiv, gather, load, pid, tile, where } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, hostTensor, intTensor, randomSource } from "./sample-data.ts";

/**
 * counts[row[t], token[t]] += amount[t], for each t. Tokens of one row may repeat.
 * @param counts i32 `[N, V]`, in place
 * @param row i32 `[T]`; -1 skips
 * @param token i32 `[T]`; -1 skips
 * @param amount i32 `[T]`
 */
export const countTokens = kernel(
  {
    name: "count_tokens",
    params: {
      counts: inout("i32", "N", "V"),
      row: tensor("i32", "T"),
      token: tensor("i32", "T"),
      amount: tensor("i32", "T"),
    },
    config: { BT: 128 },
    tune: { BT: [64, 128, 256] },
    grid: ({ T }, { BT }) => cdiv(T, BT),
  },
  ({ counts, row, token, amount }, { BT }) => {
    const block = tile(pid(0), BT);
    const r = load(row, [block], { fill: -1 });
    const t = load(token, [block], { fill: -1 });
    const isCounted = r >= 0 && t >= 0;
    const place = [gather(where(isCounted, r, -1)), gather(where(isCounted, t, -1))] as const;
    atomicAdd(counts, place, load(amount, [block]));
  },
);

const SHAPES: readonly Problem[] = [
  { name: "no tokens", seed: 1, dims: { N: 2, V: 5, T: 0 }, dtypes: {} },
  { name: "one of one", seed: 2, dims: { N: 1, V: 1, T: 1 }, dtypes: {} },
  { name: "repeated tokens", seed: 3, dims: { N: 3, V: 7, T: 65 }, dtypes: {}, config: { BT: 64 } },
  { name: "default block", seed: 4, dims: { N: 5, V: 301, T: 257 }, dtypes: {} },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [N, V, T] = ["N", "V", "T"].map((dim) => dimOf(problem, dim));
  const some = (size: number, skips: number) =>
    intTensor(
      Array.from({ length: T ?? 0 }, (_, t) => (t % skips === 2 ? -1 : random.integer(0, size))),
    );
  return {
    tensors: {
      counts: hostTensor("i32", [N ?? 0, V ?? 0], () => random.integer(0, 9)),
      row: some(N ?? 1, 5),
      token: some(V ?? 1, 7),
      amount: intTensor(
        Array.from({ length: T ?? 0 }, (_, t) => (t % 3 === 0 ? 2 ** 20 : random.integer(1, 4))),
      ),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const counts = editable(tensorOf(call, "counts"));
  const [, vocabulary = 0] = tensorOf(call, "counts").shape;
  const [row, token, amount] = ["row", "token", "amount"].map((name) => tensorOf(call, name).data);
  for (let t = 0; t < dimOf(call.problem, "T"); t++) {
    const [r, v] = [row?.[t] ?? -1, token?.[t] ?? -1];
    if (r < 0 || v < 0) continue;
    const place = r * vocabulary + v;
    counts.data[place] = (counts.data[place] ?? 0) + (amount?.[t] ?? 0);
  }
  return { counts: { data: counts.data, tolerance: { kind: "exact" as const } } };
}

export const countTokensEntry = defineKernelEntry({
  kernel: countTokens,
  samples: SHAPES,
  inputs,
  reference,
  bytes: (problem) => 5 * storageBytes("i32", dimOf(problem, "T")),
  flops: () => 0,
});
