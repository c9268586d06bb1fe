/** [examples] 8: attention over a paged cache. `gather` takes places that the data decides, as a serving engine needs them. */
import {
  all,
  dot,
  emptyTensor,
  exp2,
  floordiv,
  full,
  gather,
  iota,
  kernel,
  load,
  max,
  maximum,
  mod,
  out,
  pid,
  range,
  readTensor,
  scalar,
  store,
  sum,
  tensor,
  tensorFrom,
  where,
  zeros,
} from "../index.ts";
import { attend, rowsOf } from "./07-attention.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * One query of G heads a sequence, over keys and values in pages of PAGE positions that lie anywhere in the cache. `table[s]` names the
 * pages of sequence s in order. An index of -1 reads as 0, so positions past the end of a sequence touch nothing. The two gathers share
 * the axis BN and are taken pair by pair: page and place in it.
 */
export const pagedAttention = kernel(
  {
    name: "paged_attention",
    params: {
      q: tensor("f32", "S", "G", "D"),
      k: tensor("f32", "NB", "PAGE", "D"),
      v: tensor("f32", "NB", "PAGE", "D"),
      table: tensor("i32", "S", "MAXB"),
      lens: tensor("i32", "S"),
      y: out("f32", "S", "G", "D"),
      scale: scalar("f32"),
    },
    config: { BN: 16 },
    specialize: ["G", "D", "PAGE"],
    grid: ({ S }) => S,
  },
  ({ q, k, v, table, lens, y, scale, G, D, PAGE }, { BN }) => {
    const s = pid(0);
    const len = load(lens, [s]);
    const queries = load(q, [s, all(G), all(D)]);
    let m = full("f32", -1e30, G);
    let l = zeros("f32", G);
    let acc = zeros("f32", G, D);
    for (const n of range(0, len, BN)) {
      const position = n + iota(BN);
      const seen = position < len;
      const entry = where(seen, floordiv(position, PAGE), -1);
      const page = load(table, [s, gather(entry)], { fill: -1 });
      const slot = mod(position, PAGE);
      const keys = load(k, [gather(page), gather(slot), all(D)]); // [BN, D]
      const scores = where(seen, dot(queries, keys) * (scale * Math.LOG2E), -1e30);
      const top = maximum(m, max(scores, "BN"));
      const powers = exp2(scores - top);
      const alpha = exp2(m - top);
      l = l * alpha + sum(powers, "BN");
      acc = dot(powers, load(v, [gather(page), gather(slot), all(D)]), acc * alpha);
      m = top;
    }
    store(y, [s, all(G), all(D)], acc / l);
  },
);

/** Pages of three sequences of 1, 8 and 19 positions; out of order, as a cache is after a while. */
const TABLE = [
  [5, -1, -1],
  [2, -1, -1],
  [7, 0, 3],
];
const LENS = [1, 8, 19];

export const main: Example = async (device) => {
  const [S, G, D, NB, PAGE] = [3, 4, 16, 9, 8];
  const scale = D ** -0.5;
  const [q, k, v] = [noise(S * G * D, 12), noise(NB * PAGE * D, 13), noise(NB * PAGE * D, 14)];
  const y = emptyTensor(device, "f32", [S, G, D]);
  device.launch(pagedAttention, {
    q: tensorFrom(device, "f32", [S, G, D], q),
    k: tensorFrom(device, "f32", [NB, PAGE, D], k),
    v: tensorFrom(device, "f32", [NB, PAGE, D], v),
    table: tensorFrom(device, "i32", [S, 3], TABLE.flat()),
    lens: tensorFrom(device, "i32", [S], LENS),
    y,
    scale,
  });
  const [keys, values] = [rowsOf(k, D), rowsOf(v, D)];
  const expected = rowsOf(q, D).flatMap((query, i) => {
    const s = Math.floor(i / G);
    const places = Array.from({ length: LENS[s] ?? 0 }, (_, position) => {
      const page = TABLE[s]?.[Math.floor(position / PAGE)] ?? 0;
      return page * PAGE + (position % PAGE);
    });
    const pick = (rows: readonly Float32Array[]) => places.flatMap((at) => rows[at] ?? []);
    return attend(query, pick(keys), pick(values), scale);
  });
  check("attention over pages", await readTensor(y), expected);
};

await runByHand(import.meta.url, main);
