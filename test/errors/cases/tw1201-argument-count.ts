/** [test/errors/cases] TW1201: too many and too few arguments. */
import { cdiv, full, iota, kernel, load, lowerKernel, out, print, scalar, sum, tensor, tile } from "../../../dsl/index.ts";

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
      print("q", cdiv(n, 2, 1));
      print("s", sum(load(x, [tile(0, BM), 0])));
      print("i", iota("N", BM));
      print("z", full("f32"));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      print("q", cdiv(n, 2));
      print("s", sum(load(x, [tile(0, BM), 0]), "BM"));
      print("i", iota(BM));
      print("z", full("f32", 0, BM));
    }),
  );
