/** [test/errors/cases] TW1169: a scalar index that no size of the dim allows, in a load and in a store. */
import { kernel, load, lowerKernel, out, print, scalar, store, tensor } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: {
    x: tensor("f32", "M", "K"),
    h: tensor("f16", "M", "K"),
    ids: tensor("i32", "M"),
    n: scalar("i32"),
    s: scalar("f32"),
    y: out("f32", "M", "K"),
  },
  config: { BM: 16, BK: 32, on: true },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      print("last", load(x, [0, -1]));
      store(y, [-2, 0], 1);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      print("last", load(x, [0, K - 1]));
      store(y, [M - 2, 0], 1);
      print("never read", load(x, [-1, 0], { mask: false }));
    }),
  );
