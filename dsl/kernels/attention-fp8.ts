/** [dsl/kernels] attention.ts in 8-bit floats, with a scale for each head. */
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
import { scheduled } from "../schedule.ts";
import { attentionProblem } from "./attention.ts";
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
import { attendNaively, attentionScale } from "./paged-samples.ts";
import { editable, elementAt, hostTensor, randomSource, randomTensor } from "./sample-data.ts";

/** Exponentials of the largest scores are about 2^4, so that e4m3 holds those down to 2^-13 of them. */
const LIFT = 4;

const algorithm = kernel(
  {
    name: "attention_fp8",
    dtypes: { O: ["bf16", "f16", "f32"] },
    params: {
      q: tensor("f8e4m3", "B", "L", "HQ", "D"),
      k: tensor("f8e4m3", "B", "LK", "HKV", "D"),
      v: tensor("f8e4m3", "B", "HKV", "DV", "LK"),
      qScale: tensor("f32", "HQ"),
      kScale: tensor("f32", "HKV"),
      vScale: tensor("f32", "HKV"),
      o: out("O", "B", "L", "HQ", "DV"),
      scale: scalar("f32"),
    },
    config: { BM: 16, BN: 16, stages: 2, CAUSAL: 1, heads: 0 },
    tune: { BM: [64, 128, 192], BN: [64, 96, 128, 160, 192], stages: [2, 3], heads: [0, 8, 16] },
    specialize: ["D", "DV"],
    grid: ({ L, HQ, B }, { BM, heads }) =>
      heads === 0 ? [HQ, cdiv(L, BM), B] : [heads, cdiv(L, BM), cdiv(HQ, heads) * B],
  },
  (args, { BM, BN, stages, CAUSAL, heads }) => {
    const { q, k, v, qScale, kScale, vScale, o, scale, L, LK, HQ, HKV, D, DV, O } = args;
    const sections = heads === 0 ? 1 : cdiv(HQ, heads);
    const h = heads === 0 ? pid(0) : minimum(mod(pid(2), sections) * heads + pid(0), HQ - 1);
    const b = heads === 0 ? pid(2) : floordiv(pid(2), sections);
    const m0 = (cdiv(L, BM) - 1 - pid(1)) * BM;
    const kvHead = floordiv(h, floordiv(HQ, HKV));
    const c = scale * load(qScale, [h]) * load(kScale, [kvHead]) * Math.LOG2E;
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
      const trip = lazySoftmax(s, "BM", { m, l, acc }, c, LIFT);
      m = trip.m;
      l = trip.l;
      const vt = load(v, [b, kvHead, all(DV), span(n, BN)]);
      acc = dot(cast(trip.p, "f8e4m3"), vt, trip.acc);
    }
    const unit = load(vScale, [kvHead]) / maximum(l, 1e-30);
    store(o, [b, span(m0, BM), h, all(DV)], cast(acc * unit, O));
  },
);

/**
 * `attention` of q, k and v in f8e4m3. Exponentials are rounded to f8e4m3, too, their sum is of those before rounding. Values lie with the
 * positions of a head's number next to each other, as tensor cores multiply 8-bit operands. Sums stay in the tensor cores (about 14 bits).
 * @param q `[B, L, HQ, D]`
 * @param k `[B, LK, HKV, D]`, LK ≥ L where causal
 * @param v `[B, HKV, DV, LK]`
 * @param qScale `[HQ]`, of each head; a number is its code times the scale
 * @param kScale `[HKV]`
 * @param vScale `[HKV]`
 * @param scale factor of the scores, above 0; usually 1/√D
 * @returns o `[B, L, HQ, DV]`
 * @source arXiv 2205.14135 (online softmax over blocks of keys), arXiv 2407.08608 section 3.3 (8-bit operands)
 */
export const attentionFp8 = scheduled(algorithm, { fastSums: true });

const SMALL = { BM: 16, BN: 16 };

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  attentionProblem("one of one", 1, [1, 1, 1, 1, 1, 8], SMALL),
  attentionProblem("past, groups of 2, values of 32", 2, [2, 17, 33, 4, 2, 16, 32], SMALL),
  attentionProblem("all keys", 3, [1, 18, 48, 2, 2, 32], { ...SMALL, CAUSAL: 0 }),
];

function inputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [b, l, lk] = [dimOf(problem, "B"), dimOf(problem, "L"), dimOf(problem, "LK")];
  const [hq, hkv] = [dimOf(problem, "HQ"), dimOf(problem, "HKV")];
  const [d, dv] = [dimOf(problem, "D"), dimOf(problem, "DV")];
  // Codes of a deviation of 16, whose scales bring them to about 1.
  const codes = (shape: readonly number[]) => randomTensor(random, "f8e4m3", shape, 16);
  const scales = (heads: number) => hostTensor("f32", [heads], () => (1 + random.uniform()) / 24);
  return {
    tensors: {
      q: codes([b, l, hq, d]),
      k: codes([b, lk, hkv, d]),
      v: codes([b, hkv, dv, lk]),
      qScale: scales(hq),
      kScale: scales(hkv),
      vScale: scales(hkv),
    },
    scalars: { scale: attentionScale(d) },
  };
}

function reference(call: ReferenceCall) {
  const [q, k, v] = [tensorOf(call, "q"), tensorOf(call, "k"), tensorOf(call, "v")];
  const [qs, ks, vs] = ["qScale", "kScale", "vScale"].map((name) => tensorOf(call, name)) as [
    typeof q,
    typeof q,
    typeof q,
  ];
  const o = editable(tensorOf(call, "o"));
  const [batches = 0, length = 0, heads = 0, d = 0] = q.shape;
  const [, keys = 0, kvHeads = 1] = k.shape;
  const columns = v.shape[2] ?? 0;
  const isCausal = call.problem.config?.["CAUSAL"] !== 0;
  let largest = 0;
  for (let b = 0; b < batches; b++)
    for (let i = 0; i < length; i++)
      for (let h = 0; h < heads; h++) {
        const head = Math.floor(h / (heads / kvHeads));
        const unit = elementAt(vs, head);
        const factor = elementAt(qs, h) * elementAt(ks, head) * scalarOf(call, "scale");
        const query = Array.from({ length: d }, (_, c) => elementAt(q, b, i, h, c));
        const end = isCausal ? keys - length + i + 1 : keys;
        const keyAt = (position: number, c: number) => elementAt(k, b, position, head, c);
        const valueAt = (position: number, c: number) => {
          const value = unit * elementAt(v, b, head, c, position);
          largest = Math.max(largest, Math.abs(value));
          return value;
        };
        const { output } = attendNaively(query, 0, end, factor, keyAt, valueAt, { columns });
        o.setRow(output, b, i, h);
      }
  // An exponential is off by as much as f8e4m3 rounds, and so is what it adds of a value.
  const inner = "f8e4m3" as const;
  const tolerance = { kind: "rounding" as const, length: keys, inner, scale: largest };
  return { o: { data: o.data, tolerance } };
}

export const attentionFp8Entry = defineKernelEntry({
  kernel: attentionFp8,
  samples: forDTypes("O", ["f32", "f16", "bf16"], SHAPES),
  inputs,
  reference,
  bytes: (problem) => {
    const rows = dimOf(problem, "L") * dimOf(problem, "HQ");
    const keys = dimOf(problem, "LK") * dimOf(problem, "HKV");
    const [d, dv] = [dimOf(problem, "D"), dimOf(problem, "DV")];
    const read = storageBytes("f8e4m3", rows * d + keys * (d + dv));
    return dimOf(problem, "B") * (read + storageBytes(dtypeOf(problem, "O"), rows * dv));
  },
  flops: (problem) => {
    const [l, lk] = [dimOf(problem, "L"), dimOf(problem, "LK")];
    const pairs = problem.config?.["CAUSAL"] === 0 ? l * lk : l * (lk - l) + (l * (l + 1)) / 2;
    const columns = dimOf(problem, "D") + dimOf(problem, "DV");
    return 2 * dimOf(problem, "B") * dimOf(problem, "HQ") * pairs * columns;
  },
});
