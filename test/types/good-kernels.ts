/** [test/types] What tsc must know and must accept in kernels; checked by `tsc -p test`, never run. */

import { type Dim, lowerKernel, type Tile } from "../../dsl/index.ts";
import {
  all,
  argmax,
  axis,
  broadcast,
  cast,
  deviceFunction,
  dot,
  fnParam,
  gather,
  ifAny,
  iota,
  kernel,
  load,
  max,
  merge,
  out,
  packed,
  pid,
  rename,
  scalar,
  silu,
  store,
  sum,
  tensor,
  tile,
  where,
  zeros,
} from "../../dsl/language.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Compiles only where the two types are one. */
function same<A, B>(_: Same<A, B>): void {}

export const accepted = kernel(
  {
    name: "accepted",
    dtypes: { T: ["f32", "f16"] },
    params: {
      a: tensor("T", "M", "K"),
      w: tensor("T", "E", "N", "K"),
      ids: tensor("i32", "M"),
      pairs: tensor("f32", "M", 2, "K"),
      nibbles: packed("u4", "E", "N", "K"),
      y: out("T", "M", "N"),
      n: scalar("i32"),
      on: scalar("bool"),
      epilogue: fnParam((x: number) => x),
    },
    config: { BM: 16, BN: 32, BK: 64, causal: true },
    tune: { BM: [16, 32], causal: [true, false] },
    specialize: ["E"],
    when: ({ BM, causal }) => BM > 8 || causal,
    grid: ({ M, N }, { BM, BN }) => [Math.ceil(M / BM), Math.ceil(N / BN)],
  },
  ({ a, w, ids, pairs, nibbles, y, n, on, epilogue, T, E }, { BM, BN, BK, causal }) => {
    same<typeof E, Dim<"E">>(true);
    same<typeof causal, boolean>(true);
    same<typeof on, boolean>(true);
    const x = load(a, [tile(0, BM), tile(0, BK)]);
    same<typeof x, Tile<"T", readonly ["BM", "BK"]>>(true);
    const experts = load(w, [all(E), tile(0, BN), tile(0, BK)]);
    const weights = load(nibbles, [all(E), tile(0, BN), tile(0, BK)]);
    same<typeof weights, Tile<"u4", readonly ["E", "BN", "BK"]>>(true);
    const product = dot(x, experts);
    same<typeof product, Tile<"f32", readonly ["BM", "E", "BN"]>>(true);
    const summed = sum(product, "E");
    same<typeof summed, Tile<"f32", readonly ["BM", "BN"]>>(true);
    const first = argmax(summed, "BN");
    same<typeof first, Tile<"i32", readonly ["BM"]>>(true);
    const rows = load(ids, [tile(0, BM)], { fill: -1 });
    const gathered = load(a, [gather(rows), tile(0, BK)]);
    same<typeof gathered, Tile<"T", readonly ["BM", "BK"]>>(true);
    const fused = merge(x, axis("ALL", BM * BK));
    same<typeof fused, Tile<"T", readonly ["ALL"]>>(true);
    const renamed = rename(x, "BM", axis("OTHER", BM));
    same<typeof renamed, Tile<"T", readonly ["OTHER", "BK"]>>(true);
    const cosine = load(pairs, [0, 0, tile(0, BK)]);
    same<typeof cosine, Tile<"f32", readonly ["BK"]>>(true);
    // What an operator gives is a plain number, which fits every tile again.
    let acc = zeros("f32", BM, BN);
    acc = summed * 2 + acc;
    acc *= silu(acc);
    // A list whose length tsc does not know is checked by the front end alone.
    const at = [tile(pid(0), BM), tile(pid(1), BN)];
    const t = load(y as unknown as typeof a, at);
    // Equality takes tiles over different axes.
    const outer = iota(BM) === iota(BN) && rows !== n && on;
    const [m, l] = ifAny(max(acc, "BN") > 0, "BM", () => [acc, acc * 2] as const, [
      acc,
      acc,
    ] as const);
    store(y, [tile(pid(0), BM), tile(pid(1), BN)], cast(where(outer, epilogue(m + l), t), T));
    store(y, [gather(rows), 0], cast(broadcast(first, BM), T));
    store(y, [0, 0], 1);
  },
);

const halve = deviceFunction((x: number) => x * 0.5);
lowerKernel(accepted, { dtypes: { T: "f16" }, functions: { epilogue: halve } });
lowerKernel(accepted, { functions: { epilogue: silu } });
