/** [dsl/kernels] Reference, inputs and problems of the sampling kernel; by sorting, in double precision. */
import {
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, floatTensor, hostTensor, intTensor, randomSource } from "./sample-data.ts";

/** How one row is sampled. */
export interface SamplingRule {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
  readonly position: number;
}

/** Relative slack around the thresholds and scores that devices compute in f32. */
const SLACK = 1e-4;

/** Gumbel noise is -ln of this: exponential noise of (seed, position, index), by Philox-2x32-10 in exact integers. */
export function referenceNoise(index: number, position: number, seed: number): number {
  const mask = 0xffffffffn;
  let [low, high, key] = [BigInt(index) & mask, BigInt(position) & mask, BigInt(seed) & mask];
  for (let round = 0; round < 10; round++) {
    const product = low * 0xd256d193n;
    [low, high] = [(product >> 32n) ^ key ^ high, product & mask];
    key = (key + 0x9e3779b9n) & mask;
  }
  return -Math.log1p(-Math.min((Number(low) + 0.5) / 2 ** 32, 1 - 2 ** -24));
}

/**
 * The tokens that a row may give: one (-1 where there is none), unless thresholds or scores lie within `SLACK` of each other.
 * @param row logits `[V]`
 */
export function allowedTokens(row: readonly number[], rule: SamplingRule): readonly number[] {
  // A vocabulary has more entries than a call may have arguments.
  // biome-ignore lint/complexity/useMathMinMax: what is not a number is not the greatest, as Math.max has it
  const top = row.reduce((most, x) => (x > most ? x : most), Number.NEGATIVE_INFINITY);
  if (top === Number.NEGATIVE_INFINITY) return [-1];
  if (rule.temperature < 1e-5) return [row.indexOf(top)];
  const z = row.map((x) => (x - top) / rule.temperature);
  const isCertain = membership(row, z, rule, -SLACK);
  const isPossible = membership(row, z, rule, SLACK);
  const scores = z.map((value, i) => value - Math.log(referenceNoise(i, rule.position, rule.seed)));
  const best = scores.reduce(
    (a, b, i) => (isCertain(i) && b > a ? b : a),
    Number.NEGATIVE_INFINITY,
  );
  return scores.flatMap((score, i) => {
    const slack = SLACK * (1 + Math.abs(z[i] ?? 0));
    return isPossible(i) && score >= best - slack ? [i] : [];
  });
}

/** Which tokens min-p, top-k and top-p keep; `slack` widens the rounded thresholds, below zero it narrows them. */
export function membership(
  row: readonly number[],
  z: readonly number[],
  rule: SamplingRule,
  slack: number,
): (token: number) => boolean {
  const sorted = row.filter((x) => !Number.isNaN(x)).sort((a, b) => b - a);
  const isTopK = rule.topK > 0 && rule.topK < row.length;
  const leastX = isTopK
    ? (sorted[rule.topK - 1] ?? Number.NEGATIVE_INFINITY)
    : Number.NEGATIVE_INFINITY;
  const leastZ = Math.log(rule.minP) - slack;
  const survives = (i: number) =>
    (row[i] ?? Number.NaN) >= leastX && (z[i] ?? Number.NaN) >= leastZ;
  if (rule.topP >= 1) return survives;
  const order = row.map((_, i) => i).filter(survives);
  order.sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0));
  const weights = order.map((i) => Math.exp(z[i] ?? 0));
  const target = rule.topP * weights.reduce((a, b) => a + b, 0) * (1 + slack);
  const kept = new Set<number>();
  let mass = 0;
  order.forEach((token, rank) => {
    const isTied = rank > 0 && row[order[rank - 1] ?? 0] === row[token];
    if (rank === 0 || mass < target || (isTied && kept.has(order[rank - 1] ?? 0))) kept.add(token);
    mass += weights[rank] ?? 0;
  });
  return (token) => kept.has(token);
}

const off: SamplingRule = { temperature: 1, topK: 0, topP: 1, minP: 0, seed: 7, position: 3 };

/** Rules that the rows of a sample take in turn, each turn at other positions. */
const RULES: readonly SamplingRule[] = [
  { ...off, temperature: 0 },
  off,
  { ...off, temperature: 0.7, seed: -5, position: 0 },
  { ...off, topK: 1 },
  { ...off, topK: 5, position: 11 },
  { ...off, topK: 5000, temperature: 1.5 },
  { ...off, topP: 0.9, seed: 123456789 },
  { ...off, topP: 0.3, temperature: 2 },
  { ...off, topP: 0, seed: 5 },
  { ...off, minP: 0.2, seed: 2147483647 },
  { ...off, minP: 1, topK: -1 },
  { ...off, minP: 0.1, topP: 0.6, temperature: 2, seed: 77 },
  { ...off, topK: 9, topP: 0.7, temperature: 1.8, seed: 78 },
  { ...off, minP: 0.05, topK: 12, topP: 0.8, temperature: 1.3, position: 100000 },
];

export const SAMPLE_PROBLEMS: readonly Problem[] = [
  { name: "no rows", seed: 1, dims: { S: 0, V: 10 }, dtypes: {} },
  { name: "vocabulary of 1", seed: 2, dims: { S: 14, V: 1 }, dtypes: {}, config: { BV: 64 } },
  { name: "prime vocabulary", seed: 3, dims: { S: 14, V: 61 }, dtypes: {}, config: { BV: 64 } },
  { name: "block + 1", seed: 4, dims: { S: 14, V: 129 }, dtypes: {}, config: { BV: 128 } },
  {
    name: "ties and masked tokens",
    seed: 5,
    dims: { S: 14, V: 127 },
    dtypes: {},
    config: { BV: 64 },
    options: { ties: 1 },
  },
  {
    name: "rows of which nothing may come",
    seed: 8,
    dims: { S: 6, V: 67 },
    dtypes: {},
    config: { BV: 64 },
    options: { empty: 1 },
  },
  { name: "many draws", seed: 6, dims: { S: 98, V: 67 }, dtypes: {}, config: { BV: 64 } },
  { name: "default block", seed: 7, dims: { S: 14, V: 5000 }, dtypes: {} },
];

/** Logits with a spread like a language model's; with `options.ties` few distinct values, infinities and a NaN. */
export function sampleInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [rows, vocabulary] = [dimOf(problem, "S"), dimOf(problem, "V")];
  const rules = Array.from({ length: rows }, (_, s) => {
    const rule = RULES[s % RULES.length] ?? off;
    return { ...rule, position: rule.position + Math.floor(s / RULES.length) };
  });
  const tied = (i: number) => {
    if (i % vocabulary === 5) return Number.NaN;
    return i % 7 === 3 ? Number.NEGATIVE_INFINITY : Math.round(2 * random.normal()) * 0.5;
  };
  const hasTies = problem.options?.["ties"] === 1;
  const hasEmpty = problem.options?.["empty"] === 1;
  const empty = (s: number) => (s % 4 === 0 ? Number.NaN : Number.NEGATIVE_INFINITY);
  const logit = (i: number) => {
    const s = Math.floor(i / vocabulary);
    if (hasEmpty && s % 2 === 0) return empty(s);
    return hasTies ? tied(i) : 3 * random.normal();
  };
  return {
    tensors: {
      logits: hostTensor("f32", [rows, vocabulary], logit),
      temperature: floatTensor(rules.map((rule) => rule.temperature)),
      topK: intTensor(rules.map((rule) => rule.topK)),
      topP: floatTensor(rules.map((rule) => rule.topP)),
      minP: floatTensor(rules.map((rule) => rule.minP)),
      seed: intTensor(rules.map((rule) => rule.seed)),
      position: intTensor(rules.map((rule) => rule.position)),
    },
    scalars: {},
  };
}

export function sampleReference(call: ReferenceCall) {
  const logits = tensorOf(call, "logits");
  const token = editable(tensorOf(call, "token"));
  const [rows = 0, vocabulary = 0] = logits.shape;
  const numberAt = (name: string, s: number) => tensorOf(call, name).data[s] ?? Number.NaN;
  const allowed = Array.from({ length: rows }, (_, s) =>
    allowedTokens(Array.from(logits.data.subarray(s * vocabulary, (s + 1) * vocabulary)), {
      temperature: numberAt("temperature", s),
      topK: numberAt("topK", s),
      topP: numberAt("topP", s),
      minP: numberAt("minP", s),
      seed: numberAt("seed", s),
      position: numberAt("position", s),
    }),
  );
  allowed.forEach((tokens, s) => {
    token.set(tokens[0] ?? -1, s);
  });
  return { token: { data: token.data, tolerance: { kind: "choice" as const, allowed } } };
}
