/** [dsl/kernels] Pages of 8-bit floats as pages of activations, for kernels that multiply pages as they are. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import { all, cast, cdiv, floordiv, load, mod, pid, span, store } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  editable,
  elementAt,
  hostTensor,
  intTensor,
  permutation,
  randomSource,
  randomTensor,
} from "./sample-data.ts";

/**
 * Page e of k and v is made of the page that entry e of `pages` names. One program an entry, BS of its slots and BH heads.
 * @param kCache f8e4m3 `[NB, PAGE, HKV, D]`
 * @param vCache like kCache
 * @param table i32 `[S, MAXB]`: pages of each sequence in order; a negative one is left out
 * @param pages i32 `[P, 2]`: sequence, number among its pages
 * @param vScale what values are multiplied by
 * @returns k `[P, PAGE, HKV, D]`, exact; v like k, rounded once where vScale is no power of two
 */
export const pageWiden = kernel(
  {
    name: "page_widen",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      kCache: tensor("f8e4m3", "NB", "PAGE", "HKV", "D"),
      vCache: tensor("f8e4m3", "NB", "PAGE", "HKV", "D"),
      table: tensor("i32", "S", "MAXB"),
      pages: tensor("i32", "P", 2),
      k: out("T", "P", "PAGE", "HKV", "D"),
      v: out("T", "P", "PAGE", "HKV", "D"),
      vScale: scalar("f32"),
    },
    config: { BS: 4, BH: 4 },
    tune: { BS: [1, 2, 4, 8, 16], BH: [1, 2, 4, 8] },
    specialize: ["D", "PAGE"],
    grid: ({ P, PAGE, HKV }, { BS, BH }) => [P, cdiv(PAGE, BS) * cdiv(HKV, BH)],
  },
  ({ kCache, vCache, table, pages, k, v, vScale, HKV, D, T }, { BS, BH }) => {
    const e = pid(0);
    const page = load(table, [load(pages, [e, 0]), load(pages, [e, 1])]);
    if (page >= 0) {
      const slots = span(floordiv(pid(1), cdiv(HKV, BH)) * BS, BS);
      const heads = span(mod(pid(1), cdiv(HKV, BH)) * BH, BH);
      store(k, [e, slots, heads, all(D)], cast(load(kCache, [page, slots, heads, all(D)]), T));
      const values = cast(load(vCache, [page, slots, heads, all(D)]), "f32");
      store(v, [e, slots, heads, all(D)], cast(values * vScale, T));
    }
  },
);

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "no pages", seed: 1, dims: { P: 0, NB: 3, PAGE: 4, HKV: 1, D: 8, S: 1, MAXB: 1 } },
  {
    name: "pages of two sequences, one left out",
    seed: 2,
    dims: { P: 5, NB: 9, PAGE: 8, HKV: 3, D: 80, S: 2, MAXB: 4 },
    options: { left: 1 },
  },
  {
    name: "slots and heads past a block",
    seed: 3,
    dims: { P: 3, NB: 6, PAGE: 6, HKV: 5, D: 16, S: 3, MAXB: 2 },
    config: { BS: 4, BH: 4 },
  },
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [p, nb, s, most] = ["P", "NB", "S", "MAXB"].map((dim) => dimOf(problem, dim));
  const cells = (s ?? 0) * (most ?? 0);
  const shape = ["NB", "PAGE", "HKV", "D"].map((dim) => dimOf(problem, dim));
  const order = permutation(random, nb ?? 0);
  const left = problem.options?.["left"] ?? -1;
  const wanted = permutation(random, cells).slice(0, p);
  const table = Array.from({ length: cells }, (_, i) => {
    const entry = wanted.indexOf(i);
    return entry < 0 ? 0x7fffffff : entry === left ? -1 : (order[entry] ?? 0);
  });
  const pairs = wanted.flatMap((i) => [Math.floor(i / (most ?? 1)), i % (most ?? 1)]);
  return {
    tensors: {
      kCache: randomTensor(random, "f8e4m3", shape),
      // A page may hold anything in slots not yet written.
      vCache: hostTensor("f8e4m3", shape, (i) => (i % 7 === 0 ? Number.NaN : random.normal())),
      table: { ...intTensor(table), shape: [s ?? 0, most ?? 0] },
      pages: { ...intTensor(pairs), shape: [p ?? 0, 2] },
    },
    scalars: { vScale: 0.75 },
  };
}

function reference(call: ReferenceCall) {
  const [table, pages] = [tensorOf(call, "table"), tensorOf(call, "pages")];
  const [k, v] = [editable(tensorOf(call, "k")), editable(tensorOf(call, "v"))];
  const size = ["PAGE", "HKV", "D"].reduce((n, dim) => n * dimOf(call.problem, dim), 1);
  const take = (name: string, page: number) =>
    tensorOf(call, name).data.subarray(page * size, (page + 1) * size);
  for (let e = 0; e < dimOf(call.problem, "P"); e++) {
    const page = elementAt(table, elementAt(pages, e, 0), elementAt(pages, e, 1));
    if (page < 0) continue;
    k.data.set(take("kCache", page), e * size);
    const values = take("vCache", page).map((x) => x * scalarOf(call, "vScale"));
    v.data.set(values, e * size);
  }
  const exact = { kind: "exact" as const };
  return { k: { data: k.data, tolerance: exact }, v: { data: v.data, tolerance: exact } };
}

export const pageWidenEntry = defineKernelEntry({
  kernel: pageWiden,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const elements = 2 * ["P", "PAGE", "HKV", "D"].reduce((n, dim) => n * dimOf(problem, dim), 1);
    return storageBytes("f8e4m3", elements) + storageBytes(dtypeOf(problem, "T"), elements);
  },
  flops: (problem) => ["P", "PAGE", "HKV", "D"].reduce((n, dim) => n * dimOf(problem, dim), 1),
});
