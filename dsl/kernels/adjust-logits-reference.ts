/** [dsl/kernels] Reference, inputs and problems of the kernel that adjusts logits; plain loops over tokens. */
import {
  dimOf,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  editable,
  elementAt,
  floatTensor,
  hostTensor,
  intTensor,
  randomSource,
} from "./sample-data.ts";

const DEVIATION = 4;
const PROMPT_FLAG = 2 ** 30;
/** What rows have, in turn. */
const ROWS = [
  { hasMask: false, numBiases: 0, hasCounts: false },
  { hasMask: true, numBiases: 0, hasCounts: false },
  { hasMask: false, numBiases: 3, hasCounts: false },
  { hasMask: false, numBiases: 0, hasCounts: true },
  { hasMask: true, numBiases: 5, hasCounts: true },
] as const;

const rowRule = (s: number) => ROWS[s % ROWS.length] ?? ROWS[0];

function shape(name: string, seed: number, S: number, V: number, BV?: number): Problem {
  const rows = Array.from({ length: S }, (_, s) => rowRule(s));
  const E = rows.reduce((n, { numBiases }) => n + numBiases, 0) + 2; // room that no row uses
  const dims = { S, V, M: 3, W: Math.ceil(V / 32) + 1, E, N: 4 };
  return { name, seed, dims, dtypes: {}, ...(BV === undefined ? {} : { config: { BV } }) };
}

export const ADJUST_PROBLEMS: readonly Problem[] = [
  shape("no rows", 1, 0, 10),
  shape("vocabulary of 1", 2, 5, 1, 64),
  shape("prime vocabulary", 3, 11, 61, 64),
  shape("block + 1", 4, 5, 129, 128),
  shape("default block", 5, 5, 2053),
];

/** Rows of masks and counts are not in the order of the rows of logits; masked logits may be -infinity before. */
export function adjustInputs(problem: Problem): KernelInputs {
  const random = randomSource(problem.seed);
  const [S, V, M, W, E, N] = ["S", "V", "M", "W", "E", "N"].map((dim) => dimOf(problem, dim));
  const rows = Array.from({ length: S ?? 0 }, (_, s) => rowRule(s));
  const starts = [0];
  for (const { numBiases } of rows) starts.push((starts.at(-1) ?? 0) + numBiases);
  const vocabulary = V ?? 0;
  const tokens = Array.from({ length: E ?? 0 }, (_, e) => (e * 7 + problem.seed) % vocabulary);
  const count = () => {
    const times = random.integer(0, 3) === 0 ? random.integer(1, 5) : 0;
    return times + (random.integer(0, 4) === 0 ? PROMPT_FLAG : 0);
  };
  const bias = (e: number) =>
    e % 4 === 1 ? Number.NEGATIVE_INFINITY : Math.fround(10 * random.normal());
  return {
    tensors: {
      logits: hostTensor("f32", [rows.length, vocabulary], (i) =>
        i % 13 === 5 ? Number.NEGATIVE_INFINITY : DEVIATION * random.normal(),
      ),
      rows: {
        ...intTensor(
          rows.flatMap(({ hasMask, hasCounts }, s) => [
            hasMask ? (s + 1) % (M ?? 1) : -1,
            hasCounts ? (s * 3) % (N ?? 1) : -1,
            starts[s] ?? 0,
            starts[s + 1] ?? 0,
          ]),
        ),
        shape: [rows.length, 4],
      },
      mask: hostTensor("i32", [M ?? 0, W ?? 0], () => random.integer(-(2 ** 31), 2 ** 31)),
      biasToken: intTensor(tokens),
      biasValue: floatTensor(tokens.map((_, e) => bias(e))),
      counts: hostTensor("i32", [N ?? 0, vocabulary], count),
      penalties: {
        ...floatTensor(
          rows.flatMap((_, s) => [
            Math.fround(s % 2 === 0 ? 1.3 : 0.75),
            s % 3 === 0 ? -0.5 : 1.25,
            s % 2 === 0 ? 0.875 : -1.5,
          ]),
        ),
        shape: [rows.length, 3],
      },
    },
    scalars: {},
  };
}

export function adjustReference(call: ReferenceCall) {
  const logits = tensorOf(call, "logits");
  const adjusted = editable(tensorOf(call, "adjusted"));
  const rules = tensorOf(call, "rows");
  const [rows = 0, vocabulary = 0] = logits.shape;
  const at = (name: string, s: number) => tensorOf(call, name).data[s] ?? Number.NaN;
  for (let s = 0; s < rows; s++) {
    const [mask, first, end] = [0, 2, 3].map((field) => elementAt(rules, s, field));
    if (mask === undefined || first === undefined || end === undefined) continue;
    for (let v = 0; v < vocabulary; v++) {
      let x = elementAt(logits, s, v);
      if (mask >= 0) {
        const word = elementAt(tensorOf(call, "mask"), mask, Math.floor(v / 32));
        if (((word >> (v % 32)) & 1) === 0) x = Number.NEGATIVE_INFINITY;
      }
      for (let e = first; e < end; e++) if (at("biasToken", e) === v) x += at("biasValue", e);
      adjusted.set(penalized(call, s, v, x), s, v);
    }
  }
  const tolerance = { kind: "rounding" as const, length: 4, scale: 20 * DEVIATION };
  return { adjusted: { data: adjusted.data, tolerance } };
}

function penalized(call: ReferenceCall, s: number, v: number, logit: number): number {
  const row = elementAt(tensorOf(call, "rows"), s, 1);
  if (row < 0) return logit;
  const [repetition, frequency, presence] = [0, 1, 2].map((field) =>
    elementAt(tensorOf(call, "penalties"), s, field),
  );
  const count = elementAt(tensorOf(call, "counts"), row, v);
  const times = count % PROMPT_FLAG;
  const factor = count === 0 ? 1 : (repetition ?? Number.NaN);
  const repeated = logit > 0 ? logit / factor : logit * factor;
  return repeated - times * (frequency ?? Number.NaN) - (times > 0 ? (presence ?? Number.NaN) : 0);
}
