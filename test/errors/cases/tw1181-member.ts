/** [test/errors/cases] TW1181: methods of a tile, an array and a number, and an unknown function of Math. */
import { exp, kernel, load, lowerKernel, max, out, print, scalar, tensor, tile } from "../../../dsl/index.ts";

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
      print("m", load(x, [tile(0, BM), 0]).max("BM"));
      print("h", Math.hypot(3, 4));
      for (const q of [1, 2].map((v) => v + 1)) print("q", q);
      print("c", BM.toFixed(2));
      print("e", s.exp());
      print("s", "label".length);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      print("m", max(load(x, [tile(0, BM), 0]), "BM"));
      print("h", Math.sqrt(3 ** 2 + 4 ** 2));
      for (const v of [1, 2]) print("q", v + 1);
      print("c", BM + 0);
      print("e", exp(s));
      print("s", 5);
    }),
  );
