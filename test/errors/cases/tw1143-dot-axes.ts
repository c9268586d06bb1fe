/** [test/errors/cases] TW1143: a dot whose operands share two axes. */
import { axis, dot, kernel, load, lowerKernel, out, print, rename, scalar, tensor, tile } from "../../../dsl/index.ts";

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
      const a = load(x, [tile(0, BM), tile(0, BK)]);
      const b = load(x, [tile(1, BM), tile(0, BK)]);
      print("c", dot(a, b));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const a = load(x, [tile(0, BM), tile(0, BK)]);
      const b = rename(load(x, [tile(1, BM), tile(0, BK)]), "BM", axis("BN", BM));
      print("c", dot(a, b));
    }),
  );
