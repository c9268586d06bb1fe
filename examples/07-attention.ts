/** [examples] 7: attention that never holds all scores. Loops that carry several tiles, masks by position, running sums that are rescaled. */
import {
  all,
  cdiv,
  dot,
  emptyTensor,
  exp2,
  full,
  iota,
  kernel,
  load,
  max,
  maximum,
  minimum,
  out,
  pid,
  range,
  readTensor,
  scalar,
  span,
  store,
  sum,
  tensor,
  tensorFrom,
  tile,
  where,
  zeros,
} from "../index.ts";
import { softmaxRow } from "./02-row-softmax.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * out = softmax(scale · q · kᵀ, causal) · v for each head. A program takes BM queries and walks over blocks of BN keys up to the last that
 * its queries may see. m and l are the greatest score and the sum of powers so far; what was summed before a greater score came is
 * scaled down by alpha.
 * @source arXiv 2205.14135 (FlashAttention, algorithm 1)
 */
export const attention = kernel(
  {
    name: "causal_attention",
    params: {
      q: tensor("f32", "H", "T", "D"),
      k: tensor("f32", "H", "T", "D"),
      v: tensor("f32", "H", "T", "D"),
      y: out("f32", "H", "T", "D"),
      scale: scalar("f32"),
    },
    config: { BM: 16, BN: 16 },
    specialize: ["D"],
    grid: ({ H, T }, { BM }) => [cdiv(T, BM), H],
  },
  ({ q, k, v, y, scale, T, D }, { BM, BN }) => {
    const [block, head] = [pid(0), pid(1)];
    const rows = [head, tile(block, BM), all(D)] as const;
    const queries = load(q, rows); // [BM, D]
    const qpos = block * BM + iota(BM);
    let m = full("f32", -1e30, BM);
    let l = zeros("f32", BM);
    let acc = zeros("f32", BM, D);
    for (const n of range(0, minimum(block * BM + BM, T), BN)) {
      const keys = load(k, [head, span(n, BN), all(D)]);
      const kpos = n + iota(BN);
      const seen = kpos <= qpos && kpos < T; // [BM, BN]: axes meet by name
      const scores = where(seen, dot(queries, keys) * (scale * Math.LOG2E), -1e30);
      const top = maximum(m, max(scores, "BN"));
      const powers = exp2(scores - top);
      const alpha = exp2(m - top);
      l = l * alpha + sum(powers, "BN");
      acc = dot(powers, load(v, [head, span(n, BN), all(D)]), acc * alpha);
      m = top;
    }
    store(y, rows, acc / l);
  },
);

/**
 * One query over a list of keys and values, on plain numbers.
 * @param keys rows of D numbers, as many as values
 */
export function attend(
  query: Float32Array,
  keys: readonly Float32Array[],
  values: readonly Float32Array[],
  scale: number,
): readonly number[] {
  const scores = keys.map((key) => key.reduce((total, x, d) => total + x * (query[d] ?? 0), 0));
  const weights = softmaxRow(scores, scale);
  return Array.from(query, (_, d) =>
    values.reduce((total, value, i) => total + (weights[i] ?? 0) * (value[d] ?? 0), 0),
  );
}

/** Rows of `width` numbers. */
export function rowsOf(data: Float32Array, width: number): readonly Float32Array[] {
  return Array.from({ length: data.length / width }, (_, i) =>
    data.subarray(i * width, (i + 1) * width),
  );
}

export const main: Example = async (device) => {
  const [H, T, D] = [2, 37, 16];
  const scale = D ** -0.5;
  const [q, k, v] = [noise(H * T * D, 9), noise(H * T * D, 10), noise(H * T * D, 11)];
  const upload = (data: Float32Array) => tensorFrom(device, "f32", [H, T, D], data);
  const y = emptyTensor(device, "f32", [H, T, D]);
  device.launch(attention, { q: upload(q), k: upload(k), v: upload(v), y, scale });
  const [keys, values] = [rowsOf(k, D), rowsOf(v, D)];
  const expected = rowsOf(q, D).flatMap((query, i) => {
    const start = Math.floor(i / T) * T; // the first row of the head
    return attend(query, keys.slice(start, i + 1), values.slice(start, i + 1), scale);
  });
  check("causal attention", await readTensor(y), expected);
};

await runByHand(import.meta.url, main);
