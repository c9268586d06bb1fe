/** [test/errors/cases] TW1166: a store and an atomic of another dtype. */
import { atomicAdd, cast, inout, kernel, load, lowerKernel, out, scalar, store, tensor, tile } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: {
    x: tensor("f32", "M", "K"),
    h: tensor("f16", "M", "K"),
    ids: tensor("i32", "M"),
    n: scalar("i32"),
    s: scalar("f32"),
    y: out("f32", "M", "K"),
    c: inout("i32", "M"),
  },
  config: { BM: 16, BK: 32, on: true },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, c, M, K }, { BM, BK, on }) => {
      store(y, [tile(0, BM), tile(0, BK)], load(h, [tile(0, BM), tile(0, BK)]));
      atomicAdd(c, [0], s);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, c, M, K }, { BM, BK, on }) => {
      store(y, [tile(0, BM), tile(0, BK)], cast(load(h, [tile(0, BM), tile(0, BK)]), "f32"));
      atomicAdd(c, [0], cast(s, "i32"));
    }),
  );
