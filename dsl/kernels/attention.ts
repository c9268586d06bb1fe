/** [dsl/kernels] Attention over whole tensors: batches of equal length, causal or not, grouped heads. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  all,
  cast,
  cdiv,
  dot,
  floordiv,
  full,
  iota,
  load,
  maximum,
  minimum,
  mod,
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
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { LOWEST, lazySoftmax } from "./lazy-softmax.ts";
import { attendNaively, attentionScale, attentionTolerance } from "./paged-samples.ts";
import { editable, elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Query i of a head stands at position LK - L + i and attends to the keys up to its own, or to all of them. Each program takes BM queries
 * of one head; those with the most keys come first, and `heads` query heads (0: all) together, so that their keys and values stay in the cache. Query head h reads the keys of head floor(h / (HQ / HKV)).
 * The running maximum of a row may lag behind the largest score by a factor of 256: sums are scaled anew only where it grew by more.
 * @param q `[B, L, HQ, D]`
 * @param k `[B, LK, HKV, D]`, LK ≥ L where causal
 * @param v `[B, LK, HKV, DV]`
 * @param scale factor of the scores, above 0; usually 1/√D
 * @returns o `[B, L, HQ, DV]`
 * @source arXiv 2205.14135 (online softmax over blocks of keys)
 */
export const attention = kernel(
  {
    name: "attention",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "B", "L", "HQ", "D"),
      k: tensor("T", "B", "LK", "HKV", "D"),
      v: tensor("T", "B", "LK", "HKV", "DV"),
      o: out("T", "B", "L", "HQ", "DV"),
      scale: scalar("f32"),
    },
    config: { BM: 16, BN: 16, stages: 2, CAUSAL: 1, heads: 0 },
    tune: { BM: [64, 128], BN: [64, 128], stages: [2, 3], heads: [0, 8, 16] },
    specialize: ["D", "DV"],
    grid: ({ L, HQ, B }, { BM, heads }) =>
      heads === 0 ? [HQ, cdiv(L, BM), B] : [heads, cdiv(L, BM), cdiv(HQ, heads) * B],
  },
  ({ q, k, v, o, scale, L, LK, HQ, HKV, D, DV, T }, { BM, BN, stages, CAUSAL, heads }) => {
    const sections = heads === 0 ? 1 : cdiv(HQ, heads);
    const h = heads === 0 ? pid(0) : minimum(mod(pid(2), sections) * heads + pid(0), HQ - 1);
    const b = heads === 0 ? pid(2) : floordiv(pid(2), sections);
    const m0 = (cdiv(L, BM) - 1 - pid(1)) * BM;
    const kvHead = floordiv(h, floordiv(HQ, HKV));
    const c = scale * Math.LOG2E;
    const last = LK - L + m0; // position of the first query
    const qpos = last + iota(BM);
    const qt = load(q, [b, span(m0, BM), h, all(D)]);
    let m = full("f32", LOWEST, BM);
    let l = zeros("f32", BM);
    let acc = zeros("f32", BM, DV);
    // At least one trip, whose keys are masked where there are none: programs then overlap.
    const end = maximum(CAUSAL === 1 ? minimum(LK, last + BM) : LK, 1);
    for (const n of range(0, end, BN, { stages })) {
      const kt = load(k, [b, span(n, BN), kvHead, all(D)]);
      const scores = dot(qt, kt);
      const kpos = n + iota(BN);
      const seen = CAUSAL === 1 ? kpos <= qpos : kpos < LK;
      const s = where(seen, scores, -Infinity); // [BM, BN]
      const trip = lazySoftmax(s, "BM", { m, l, acc }, c, 0);
      m = trip.m;
      l = trip.l;
      const vt = load(v, [b, span(n, BN), kvHead, all(DV)]);
      acc = dot(cast(trip.p, T), vt, trip.acc);
    }
    store(o, [b, span(m0, BM), h, all(DV)], cast(acc * (1 / maximum(l, 1e-30)), T));
  },
);

/** Sizes of a problem: B, L, LK, HQ, HKV, D, and DV where it is another. */
type Sizes = readonly [number, number, number, number, number, number, DV?: number];

export function attentionProblem(
  name: string,
  seed: number,
  [B, L, LK, HQ, HKV, D, DV = D]: Sizes,
  config?: Problem["config"],
): Omit<Problem, "dtypes"> {
  const dims = { B, L, LK, HQ, HKV, D, DV };
  return { name, seed, dims, ...(config === undefined ? {} : { config }) };
}

const SMALL = { BM: 16, BN: 16 };

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  attentionProblem("one of one", 1, [1, 1, 1, 1, 1, 8], SMALL),
  attentionProblem("block + 1, groups of 2", 2, [2, 17, 17, 4, 2, 16], SMALL),
  attentionProblem("past", 3, [1, 5, 38, 2, 1, 16], SMALL),
  attentionProblem("all keys", 4, [1, 18, 33, 2, 2, 16], { ...SMALL, CAUSAL: 0 }),
  attentionProblem("no keys", 5, [1, 3, 0, 1, 1, 16], { ...SMALL, CAUSAL: 0 }),
  attentionProblem("head dims 48 and 32", 7, [1, 20, 33, 2, 1, 48, 32], SMALL),
  attentionProblem("head dim 80", 6, [1, 20, 20, 1, 1, 80], SMALL),
];

export function attentionInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const dtype = dtypeOf(problem, "T");
  const [b, l, lk] = [dimOf(problem, "B"), dimOf(problem, "L"), dimOf(problem, "LK")];
  const [hq, hkv, d] = [dimOf(problem, "HQ"), dimOf(problem, "HKV"), dimOf(problem, "D")];
  return {
    tensors: {
      q: randomTensor(random, dtype, [b, l, hq, d]),
      k: randomTensor(random, dtype, [b, lk, hkv, d]),
      v: randomTensor(random, dtype, [b, lk, hkv, dimOf(problem, "DV")]),
    },
    scalars: { scale: attentionScale(d) },
  };
}

export function attentionReference(call: ReferenceCall) {
  const [q, k, v] = [tensorOf(call, "q"), tensorOf(call, "k"), tensorOf(call, "v")];
  const o = editable(tensorOf(call, "o"));
  const [batches = 0, length = 0, heads = 0, d = 0] = q.shape;
  const [, keys = 0, kvHeads = 1] = k.shape;
  const columns = v.shape.at(-1) ?? 0;
  const isCausal = call.problem.config?.["CAUSAL"] !== 0;
  for (let b = 0; b < batches; b++)
    for (let i = 0; i < length; i++)
      for (let h = 0; h < heads; h++) {
        const query = Array.from({ length: d }, (_, c) => elementAt(q, b, i, h, c));
        const head = Math.floor(h / (heads / kvHeads));
        const end = isCausal ? keys - length + i + 1 : keys;
        const at = (t: typeof k) => (position: number, c: number) =>
          elementAt(t, b, position, head, c);
        const { output } = attendNaively(query, 0, end, scalarOf(call, "scale"), at(k), at(v), {
          columns,
        });
        o.setRow(output, b, i, h);
      }
  return { o: { data: o.data, tolerance: attentionTolerance(q.dtype, keys) } };
}

export const attentionEntry = defineKernelEntry({
  kernel: attention,
  samples: forDTypes("T", ["f32", "f16", "bf16"], SHAPES),
  inputs: attentionInputs,
  reference: attentionReference,
  bytes: (problem) => {
    const rows = dimOf(problem, "L") * dimOf(problem, "HQ");
    const keys = dimOf(problem, "LK") * dimOf(problem, "HKV");
    const columns = dimOf(problem, "D") + dimOf(problem, "DV");
    const elements = dimOf(problem, "B") * (rows + keys) * columns;
    return storageBytes(dtypeOf(problem, "T"), elements);
  },
  flops: (problem) => {
    const [l, lk] = [dimOf(problem, "L"), dimOf(problem, "LK")];
    const pairs = problem.config?.["CAUSAL"] === 0 ? l * lk : l * (lk - l) + (l * (l + 1)) / 2;
    const columns = dimOf(problem, "D") + dimOf(problem, "DV");
    return 2 * dimOf(problem, "B") * dimOf(problem, "HQ") * pairs * columns;
  },
});
