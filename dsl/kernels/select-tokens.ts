/** [dsl/kernels] Tokens that a step starts from: given by the host, or sampled by the step before and never seen by it. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { cdiv, gather, load, pid, store, tile, where } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { elementAt, intTensor, randomSource } from "./sample-data.ts";

/**
 * tokens[n] = last[source[n]] where source[n] ≥ 0, else given[n].
 * @param given i32 `[N]`
 * @param source i32 `[N]`, each in [-1, S)
 * @param last i32 `[S]`: tokens sampled by the step before
 * @returns tokens i32 `[N]`
 */
export const selectTokens = kernel(
  {
    name: "select_tokens",
    params: {
      given: tensor("i32", "N"),
      source: tensor("i32", "N"),
      last: tensor("i32", "S"),
      tokens: out("i32", "N"),
    },
    config: { BN: 128 },
    grid: ({ N }, { BN }) => cdiv(N, BN),
  },
  ({ given, source, last, tokens }, { BN }) => {
    const rows = tile(pid(0), BN);
    const from = load(source, [rows], { fill: -1 });
    const sampled = load(last, [gather(from)]);
    store(tokens, [rows], where(from >= 0, sampled, load(given, [rows])));
  },
);

const SAMPLES: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { N: 0, S: 1 }, dtypes: {} },
  { name: "one row of one", seed: 2, dims: { N: 1, S: 1 }, dtypes: {} },
  { name: "fewer sampled than rows", seed: 3, dims: { N: 37, S: 8 }, dtypes: {} },
  { name: "past a block", seed: 4, dims: { N: 131, S: 256 }, dtypes: {} },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [n, s] = [dimOf(problem, "N"), dimOf(problem, "S")];
  const source = Array.from({ length: n }, () => random.integer(-1, s));
  return {
    tensors: {
      // A row that takes a sampled token holds the mark of one that is not known.
      given: intTensor(source.map((from) => (from < 0 ? random.integer(0, 1000) : -1))),
      source: intTensor(source),
      last: intTensor(Array.from({ length: s }, () => random.integer(0, 1000))),
    },
    scalars: {},
  };
}

function reference(call: ReferenceCall) {
  const [given, source, last] = ["given", "source", "last"].map((name) => tensorOf(call, name));
  if (given === undefined || source === undefined || last === undefined)
    throw new RangeError("select_tokens has three inputs");
  const data = Float64Array.from(source.data, (from, n) =>
    from < 0 ? elementAt(given, n) : elementAt(last, from),
  );
  return { tokens: { data, tolerance: { kind: "exact" as const } } };
}

export const selectTokensEntry = defineKernelEntry({
  kernel: selectTokens,
  samples: SAMPLES,
  inputs,
  reference,
  bytes: (problem) => storageBytes("i32", 4 * dimOf(problem, "N")),
  flops: () => 0,
});
