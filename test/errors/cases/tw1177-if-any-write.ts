/** [test/errors/cases] TW1177: a store in the body of ifAny. */
import { ifAny, kernel, load, lowerKernel, out, print, scalar, store, tensor, tile } from "../../../dsl/index.ts";

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
      const v = load(x, [tile(0, BM), 0]);
      const w = ifAny(v > 0, "BM", () => { store(y, [tile(0, BM), 0], v); return -v; }, v);
      print("w", w);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const v = load(x, [tile(0, BM), 0]);
      const w = ifAny(v > 0, "BM", () => -v, v);
      store(y, [tile(0, BM), 0], w);
    }),
  );
